/// \file  Verified levels per second on one core, per family, and how far the candidates come.
///
/// Counters: levels/s; candidates per level; share of candidates that reasoning accepts (stable), share of
/// those that stay put in simulation (still), share of those that the solver clears (solved); shots simulated
/// per level.
#include <benchmark/benchmark.h>

#include "levels/generators.hpp"

namespace {

using namespace startle;

void generation(benchmark::State& state, const GeneratorInfo* family) {
  const auto world = profile();
  GenerationCounts counts;
  std::uint64_t index = 0;
  for (auto _ : state) benchmark::DoNotOptimize(generate_level(*family, 1, index++, world, {}, &counts));
  const double levels = static_cast<double>(state.iterations());
  const auto rejected = [&](Verdict verdict) { return counts.rejected[static_cast<int>(verdict)]; };
  const double stable = counts.candidates - rejected(Verdict::invalid) - rejected(Verdict::unstable);
  const double still = stable - rejected(Verdict::moves);
  state.counters["levels/s"] = benchmark::Counter(levels, benchmark::Counter::kIsRate);
  state.counters["candidates"] = counts.candidates / levels;
  state.counters["stable"] = stable / counts.candidates;
  state.counters["still"] = still / stable;
  state.counters["solved"] = levels / still;
  state.counters["shots"] = counts.simulations / levels;
}

}  // namespace

int main(int argc, char** argv) {
  for (const GeneratorInfo& family : generator_families())
    benchmark::RegisterBenchmark(("generation/" + family.name).c_str(), generation, &family)
        ->Unit(benchmark::kMillisecond)
        ->MinTime(3);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
