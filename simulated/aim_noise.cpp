#include "simulated/aim_noise.hpp"

#include <cmath>
#include <string>

#include "core/error.hpp"

namespace startle {
namespace {

/// The density of a sum of `terms` numbers, uniform in [0, 1], at `x` of the lower half [Irwin 1927, Hall
/// 1927], times (terms - 1)!.
double irwin_hall(double x) {
  constexpr int terms = 12;
  double sum = 0, choose = 1;
  for (int k = 0; k < x; ++k) {
    const double y = x - k, y2 = y * y, y4 = y2 * y2;
    sum += (k % 2 == 0 ? choose : -choose) * y4 * y4 * y2 * y;
    choose = choose * (terms - k) / (k + 1);
  }
  return sum;
}

}  // namespace

void require_valid(const AimNoise& noise) {
  if (!(noise.sd >= 0 && noise.sd <= 1))
    throw Error("aim-noise: found " + std::to_string(noise.sd) + " rad, allowed are 0 to 1");
  if (noise.launches < 1 || noise.launches > 1000)
    throw Error("launches: found " + std::to_string(noise.launches) + ", allowed are 1 to 1000");
}

std::vector<double> perturbations_of(const AimNoise& noise) {
  require_valid(noise);
  Random random(stream_seed(noise.seed, "aim noise"));
  std::vector<double> perturbations;
  for (std::size_t i = 0; i < noise.launches; ++i) perturbations.push_back(launch_error(noise.sd, random));
  return perturbations;
}

double launch_error(double sd, Random& random) { return sd * random.normal(); }

double relative_launch_error_density(double error, double sd) {
  static const double at_zero = irwin_hall(6);
  return irwin_hall(6 - std::fabs(error) / sd) / at_zero;
}

double aim_perturbation(double aim_noise, std::uint64_t seed, std::uint64_t index) {
  Random random(stream_seed(seed, "aim noise", index));
  return launch_error(aim_noise, random);
}

Shot announced_off(Shot flown, double aim_noise, std::uint64_t seed, std::uint64_t index) {
  flown.angle -= aim_perturbation(aim_noise, seed, index);
  return flown;
}

}  // namespace startle
