#include "statistics/significance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "core/error.hpp"

namespace startle {

double mcnemar_p(std::size_t only_first, std::size_t only_second) {
  const std::size_t least = std::min(only_first, only_second), sum = only_first + only_second;
  const double n = static_cast<double>(sum);
  double tail = 0;
  for (std::size_t k = 0; k <= least; ++k) {
    const double x = static_cast<double>(k);
    tail += std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) -
                     n * std::numbers::ln2);
  }
  return std::min(1.0, 2 * tail);
}

std::vector<double> holm_adjusted(const std::vector<double>& p) {
  for (double value : p)
    if (!(value >= 0 && value <= 1))
      throw Error("Holm's adjustment: found p " + std::to_string(value) + ", allowed are 0 to 1");
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

}  // namespace startle
