#pragma once
/// \file  Are observed features spread evenly over the sphere? [Lin §5 "uniformity"], repaired.
///
/// Lin et al. ask whether the density of the violations' features is uniform, by a test of whether {r_k} is
/// uniform in an interval. Both steps are wrong. Its p-values above 0.05 are read as "the uniform assumption
/// is incorrect", which is the reverse of what they say: a large p does not reject. And uniform r_k is not
/// what uniform points give: for points uniform on a sphere r_k is sharply peaked. The right null
/// distribution of {r_k} comes from simulated points.
#include <cstdint>
#include <vector>

#include "statistics/density_estimator.hpp"
#include "statistics/kolmogorov_smirnov.hpp"

namespace startle {

struct UniformityOptions {
  int k = 50;
  int simulations = 99;  ///< sets of as many points, uniform on the unit sphere of the same dimension; >= 1
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all of the machine; the result does not depend on it
};

struct UniformityTest {
  std::vector<double> observed;  ///< r_k of each observation, scaled to unit norm, among the others
  std::vector<double> expected;  ///< r_k of all simulated points together, for a histogram beside it
  /// Two samples, observed and expected. Its p takes the r_k for independent, which neighbours' are not.
  KolmogorovSmirnov difference;
  /// The p to use, small: not uniform. By exchange: of each set, observed or simulated, the distance D of its
  /// r_k to those of all other sets; p = (1 + #{simulated D >= observed D})/(1 + simulations). Holds whatever
  /// the dependence; never below 1/(1 + simulations).
  double p = 1;
};

/// Costs (1 + simulations) n^2 distances. Throws Error as nearest_distances() does.
UniformityTest test_uniform_on_sphere(const Points& points, const UniformityOptions& options = {});

/// `count` points uniform on the unit sphere in `dimension` dimensions: normal draws, scaled.
Points uniform_on_sphere(std::size_t count, std::size_t dimension, std::uint64_t seed);

}  // namespace startle
