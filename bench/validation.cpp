/// \file  Time of simulated difficulty and of validation. Aim: 100 levels validated in a minute on two cores,
/// so 1.2 s of processor time a level (with novelties T1, T2 and T3).
///
/// Levels: the first shipped kind of each family, generated with seed 1. Rates are per second of processor
/// time of one thread.
#include "simulated/validation.hpp"

#include <benchmark/benchmark.h>

#include "levels/generators.hpp"
#include "sim/world.hpp"

using namespace startle;

namespace {

Scene level_of(const std::string& family) {
  return settle(make_scene(generate_level(find_generator(family), 1, 0, profile()), profile()));
}

/// Each target's trajectories flown in the normal world and compared with the novel one.
void twin_simulations(benchmark::State& state, const std::string& family) {
  const Scene scene = level_of(family);
  const FlownStates states(scene);
  const Scene novel = novel_twin(scene, find_novelty("T1"));
  std::size_t twins = 0;
  for (auto _ : state) {
    for (const FlownTarget& target : states.first()->targets) {
      for (const NormalShot& shot : target.shots) {
        const NormalShot again = fly_normal(scene, shot.shot);
        benchmark::DoNotOptimize(visibly_different_objects(scene, novel, again).size());
        ++twins;
      }
    }
  }
  state.counters["twins_per_second"] = benchmark::Counter(static_cast<double>(twins),
                                                          benchmark::Counter::kIsRate);
}

void simulated(benchmark::State& state, const std::string& family) {
  const Scene scene = level_of(family);
  for (auto _ : state) benchmark::DoNotOptimize(simulated_difficulty(scene, find_novelty("T1")).value);
}

void vertical(benchmark::State& state, const std::string& family) {
  const Scene scene = level_of(family);
  for (auto _ : state) benchmark::DoNotOptimize(validate_vertical_impact(scene)[Method::published].all.both);
}

void sweep(benchmark::State& state, const std::string& family) {
  const Scene scene = level_of(family);
  for (auto _ : state) benchmark::DoNotOptimize(sweep_targets(scene).size());
}

void validation(benchmark::State& state, const std::string& family) {
  const Scene scene = level_of(family);
  const std::vector<const Novelty*> novelties{&find_novelty("T1"), &find_novelty("T2"), &find_novelty("T3")};
  for (auto _ : state) benchmark::DoNotOptimize(validate_level(scene, novelties, {.launches = 1}).objects);
}

}  // namespace

int main(int count, char** arguments) {
  for (const GeneratorInfo& family : generator_families()) {
    const auto add = [&](const char* what, void (*run)(benchmark::State&, const std::string&)) {
      benchmark::RegisterBenchmark((std::string(what) + "/" + family.name).c_str(),
                                   [run, &family](benchmark::State& state) { run(state, family.name); })
          ->Unit(benchmark::kMillisecond);
    };
    add("twin_simulations", twin_simulations);
    add("simulated", simulated);
    add("vertical", vertical);
    add("sweep", sweep);
    add("validation", validation);
  }
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
}
