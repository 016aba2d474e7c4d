/// \file  How well simulated difficulty agrees with itself when all shots are turned a little: what can be
/// expected of any prediction that does not know the shot to the last digit.
///
/// Usage: bench_repeatability [levels] [seed]      (default: 42 levels, seed 101; families by turns, as in
/// startle validate)
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "levels/generators.hpp"
#include "sim/world.hpp"
#include "simulated/simulated_difficulty.hpp"
#include "statistics/rank_correlation.hpp"

using namespace startle;

namespace {

constexpr std::array<const char*, 3> novelties{"T1", "T2", "T3"};
constexpr std::array<double, 5> aim_errors{0, 1e-4, 1e-3, 0.01, -0.01};  // radians

struct Values {
  bool counts = false;  ///< the novelty changes something
  std::array<double, aim_errors.size()> pid{}, bid{}, value{};
};

}  // namespace

int main(int count, char** arguments) try {
  const auto levels = static_cast<std::size_t>(count > 1 ? std::atoi(arguments[1]) : 42);
  const auto seed = static_cast<std::uint64_t>(count > 2 ? std::atoll(arguments[2]) : 101);
  const std::vector<GeneratorInfo>& families = generator_families();
  std::vector<std::array<Values, novelties.size()>> measured(levels);
  parallel_for(levels, 0, [&](std::size_t i) {
    const Scene scene = settle(make_scene(
        generate_level(families[i % families.size()], seed, i / families.size(), profile()), profile()));
    for (std::size_t e = 0; e < aim_errors.size(); ++e) {
      FlownStates states(scene, {}, aim_errors[e]);
      for (std::size_t k = 0; k < novelties.size(); ++k) {
        const SimulatedDifficulty d = simulated_difficulty(states, find_novelty(novelties[k]));
        Values& values = measured[i][k];
        values.counts = d.novel_objects > 0;
        values.pid[e] = d.pid;
        values.bid[e] = d.bid;
        values.value[e] = d.value;
      }
    }
  });
  std::printf("%-8s %9s %7s %10s %10s %10s\n", "novelty", "turned by", "levels", "rho PID", "rho BID",
              "rho value");
  for (std::size_t k = 0; k < novelties.size(); ++k) {
    for (std::size_t e = 1; e < aim_errors.size(); ++e) {
      std::array<std::vector<double>, 3> before, after;
      for (const auto& level : measured) {
        const Values& v = level[k];
        if (!v.counts) continue;
        const std::array<const std::array<double, aim_errors.size()>*, 3> measures{&v.pid, &v.bid, &v.value};
        for (std::size_t m = 0; m < measures.size(); ++m) {
          before[m].push_back((*measures[m])[0]);
          after[m].push_back((*measures[m])[e]);
        }
      }
      std::printf("%-8s %9g %7zu", novelties[k], aim_errors[e], before[0].size());
      for (std::size_t m = 0; m < before.size(); ++m) {
        if (const auto rho = spearman(before[m], after[m]))
          std::printf(" %10.3f", *rho);
        else
          std::printf(" %10s", "-");
      }
      std::printf("\n");
    }
  }
} catch (const Error& error) {
  std::fprintf(stderr, "bench_repeatability: %s\n", error.what());
  return 2;
}
