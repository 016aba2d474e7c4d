#include "statistics/normal_distribution.hpp"

#include <cmath>
#include <numbers>

#include "core/math.hpp"

namespace startle {

double normal_survival(double z) { return 0.5 * math::erfc(z / std::numbers::sqrt2); }

double log_normal_survival(double z) {
  if (z < 30) return math::log(normal_survival(z));
  // Mills' ratio: Q(z) = phi(z)/z (1 - 1/z^2 + 3/z^4 - ...); from 30 on the next term is below 1e-7.
  const double w = 1 / (z * z);
  return -0.5 * z * z - math::log(z * std::sqrt(2 * std::numbers::pi)) + math::log1p(-w + 3 * w * w);
}

double normal_two_sided(double z) { return math::erfc(std::fabs(z) / std::numbers::sqrt2); }

}  // namespace startle
