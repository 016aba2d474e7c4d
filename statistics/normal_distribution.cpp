#include "statistics/normal_distribution.hpp"

#include <cmath>
#include <numbers>

namespace startle {

double normal_survival(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

double log_normal_survival(double z) {
  if (z < 30) return std::log(normal_survival(z));
  // Mills' ratio: Q(z) = phi(z)/z (1 - 1/z^2 + 3/z^4 - ...); from 30 on the next term is below 1e-7.
  const double w = 1 / (z * z);
  return -0.5 * z * z - std::log(z * std::sqrt(2 * std::numbers::pi)) + std::log1p(-w + 3 * w * w);
}

double normal_two_sided(double z) { return std::erfc(std::fabs(z) / std::numbers::sqrt2); }

}  // namespace startle
