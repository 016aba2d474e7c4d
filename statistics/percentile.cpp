#include "statistics/percentile.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/error.hpp"

namespace startle {

double percentile(std::vector<double> values, double percent) {
  if (values.empty()) throw Error("percentile: found no values, allowed is one or more");
  for (double value : values)
    if (!std::isfinite(value))
      throw Error("percentile: found value " + std::to_string(value) + ", allowed are finite numbers");
  if (!(percent >= 0 && percent <= 100))
    throw Error("percentile: found percent " + std::to_string(percent) + ", allowed are 0 to 100");
  std::sort(values.begin(), values.end());
  const double h = static_cast<double>(values.size() - 1) * (percent / 100);
  const std::size_t below = static_cast<std::size_t>(h);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (h - static_cast<double>(below)) * (values[above] - values[below]);
}

}  // namespace startle
