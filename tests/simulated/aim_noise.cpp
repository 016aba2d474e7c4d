#include "simulated/aim_noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "statistics/kolmogorov_smirnov.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE(
    "[simulated] aim noise: perturbations are the same for all, of that spread, and out of range refused") {
  const std::vector<double> perturbations = perturbations_of({.sd = 0.01, .launches = 1000});
  double sum = 0, square = 0;
  for (double one : perturbations) sum += one, square += one * one;
  CHECK(std::fabs(sum / 1000) < 0.001);
  CHECK(std::sqrt(square / 1000) == Approx(0.01).epsilon(0.1));
  const std::vector<double> fewer = perturbations_of({.sd = 0.01, .launches = 16});
  CHECK(std::equal(fewer.begin(), fewer.end(), perturbations.begin()));
  CHECK(perturbations_of({.sd = 0.01, .launches = 16, .seed = 2}) != fewer);
  CHECK(perturbations_of({.sd = 0, .launches = 2}) == std::vector<double>{0, 0});
  for (double sd : {-0.01, 1.01, std::nan(""), std::numeric_limits<double>::infinity()})
    CHECK_THROWS_AS(perturbations_of({.sd = sd}), Error);
  for (std::size_t launches : {0, 1001})
    CHECK_THROWS_AS(perturbations_of({.sd = 0.01, .launches = launches}), Error);
}

TEST_CASE("[simulated] aim noise: the perturbations that selected the shipped levels stay what they were") {
  const std::vector<double> perturbations = perturbations_of({.sd = 0.01, .launches = 16, .seed = 2});
  CHECK(perturbations.front() == -0.0076683465025768806);
  CHECK(perturbations.back() == -0.007871450488291765);
}

TEST_CASE("[simulated] aim noise: perturbations of a seed are drawn alike and spread as asked") {
  CHECK(aim_perturbation(0.01, 3, 7) == aim_perturbation(0.01, 3, 7));
  CHECK(aim_perturbation(0.01, 3, 7) != aim_perturbation(0.01, 3, 8));
  CHECK(aim_perturbation(0, 3, 7) == 0);
  double squares = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) squares += std::pow(aim_perturbation(0.01, 1, i), 2) / 4000;
  CHECK(std::sqrt(squares) == Approx(0.01).epsilon(0.05));
}

TEST_CASE(
    "[simulated] aim noise: densities a whole number of deviations off are Eulerian numbers of order 11") {
  const double eulerian[] = {15724248, 9738114, 2203488, 152637, 2036, 1, 0, 0};
  for (int z = 0; z < 8; ++z)
    for (const double side : {-1.0, 1.0})
      CHECK(relative_launch_error_density(side * z * 0.01, 0.01) ==
            Approx(eulerian[z] / eulerian[0]).epsilon(1e-9));
}

TEST_CASE("[simulated] aim noise: every sampler draws from the density") {
  const double sd = 0.02, width = 0.001;
  std::vector<double> below{0};  // distribution function at -6, -5.95 ... sd
  const auto density = [&](std::size_t i) {
    return relative_launch_error_density((static_cast<double>(i) * 0.05 - 6) * sd, sd);
  };
  for (std::size_t i = 0; i < 240; ++i)
    below.push_back(below.back() + 0.5 * width * (density(i) + density(i + 1)));
  const auto cdf = [&](double e) {
    const double at = std::clamp((e / sd + 6) / 0.05, 0.0, 239.999);
    const auto i = static_cast<std::size_t>(at);
    return (below[i] + (at - static_cast<double>(i)) * (below[i + 1] - below[i])) / below.back();
  };
  Random random(4);
  std::vector<double> drawn, perturbed;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    drawn.push_back(launch_error(sd, random));
    perturbed.push_back(aim_perturbation(sd, 5, i));
  }
  CHECK(ks_one_sample(drawn, cdf).p > 0.01);
  CHECK(ks_one_sample(perturbed, cdf).p > 0.01);
  CHECK(ks_one_sample(perturbations_of({.sd = sd, .launches = 1000, .seed = 6}), cdf).p > 0.01);
}

TEST_CASE("[simulated] aim noise: a shot that flies as given is off its announcement by a perturbation") {
  const Shot flown{.angle = 0.4, .stretch = 0.7, .tap_time = 1.2};
  const Shot announced = announced_off(flown, 0.01, 9, 4);
  CHECK(flown.angle - announced.angle == Approx(aim_perturbation(0.01, 9, 4)));
  CHECK(announced.stretch == flown.stretch);
  CHECK(announced.tap_time == flown.tap_time);
  CHECK(announced_off(flown, 0, 9, 4) == flown);
}
