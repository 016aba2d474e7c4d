#include "statistics/significance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "core/math.hpp"

namespace startle {

double mcnemar_p(std::size_t only_first, std::size_t only_second) {
  const std::size_t least = std::min(only_first, only_second), sum = only_first + only_second;
  // As logarithms: the chance of k of n is that of k - 1, times (n - k + 1) / k.
  double log_chance = -static_cast<double>(sum) * std::numbers::ln2, tail = math::exp(log_chance);
  for (std::size_t k = 1; k <= least; ++k) {
    log_chance += math::log(static_cast<double>(sum - k + 1) / static_cast<double>(k));
    tail += math::exp(log_chance);
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
