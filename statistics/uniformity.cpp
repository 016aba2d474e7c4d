#include "statistics/uniformity.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "core/error.hpp"
#include "core/math.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "statistics/k_nearest.hpp"

namespace startle {

Points uniform_on_sphere(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  Random random(stream_seed(seed, "uniform_on_sphere"));
  Points points;
  std::vector<double> point(dimension);
  for (std::size_t i = 0; i < count; ++i) {
    for (double& v : point)  // Box and Muller; 1 - u is never 0
      v = std::sqrt(-2 * math::log(1 - random.uniform())) *
          math::cos(2 * std::numbers::pi * random.uniform());
    points.add(unit_norm(point));
  }
  return points;
}

UniformityTest test_uniform_on_sphere(const Points& points, const UniformityOptions& options) {
  if (options.simulations < 1)
    throw Error("uniformity: found " + std::to_string(options.simulations) +
                " simulations, allowed are 1 or more");
  Points scaled;
  for (std::size_t i = 0; i < points.count(); ++i) scaled.add(unit_norm(points[i]));
  const auto sets = static_cast<std::size_t>(options.simulations) + 1;
  std::vector<std::vector<double>> distances(sets);  // the first is the observed one
  distances[0] = nearest_distances(scaled, options.k);
  parallel_for(sets - 1, options.threads, [&](std::size_t i) {
    distances[i + 1] = nearest_distances(
        uniform_on_sphere(points.count(), points.dimension, stream_seed(options.seed, "uniformity", i)),
        options.k);
  });
  const auto to_others = [&](std::size_t set) {
    std::vector<double> others;
    for (std::size_t i = 0; i < sets; ++i)
      if (i != set) others.insert(others.end(), distances[i].begin(), distances[i].end());
    return ks_two_sample(distances[set], std::move(others));
  };
  UniformityTest test{.observed = distances[0], .difference = to_others(0)};
  std::vector<double> simulated(sets - 1);
  parallel_for(sets - 1, options.threads, [&](std::size_t i) { simulated[i] = to_others(i + 1).statistic; });
  std::size_t as_far = 0;
  for (double statistic : simulated) as_far += statistic >= test.difference.statistic;
  test.p = (1.0 + static_cast<double>(as_far)) / static_cast<double>(sets);
  for (std::size_t i = 1; i < sets; ++i)
    test.expected.insert(test.expected.end(), distances[i].begin(), distances[i].end());
  return test;
}

}  // namespace startle
