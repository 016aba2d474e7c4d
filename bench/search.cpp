/// \file  Levels of a tier per second on one core, for each tier of T1, T2 and T3.
///
/// Counters: levels/s; candidates and changes tried on them per level; diversity: mean distance of two
/// levels.
#include "levels/search.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace startle;

void search(benchmark::State& state, const Novelty* novelty, Tier tier) {
  constexpr int count = 50;
  const PLevelGoal goal = goal_of(*novelty, tier);
  std::uint64_t seed = 1;
  double levels = 0, candidates = 0, mutations = 0, distance = 0;
  for (auto _ : state) {
    const SearchResult found = search_levels(goal, {.count = count, .seed = seed++, .threads = 1}, profile());
    levels += static_cast<double>(found.levels.size());
    candidates += found.counts.candidates;
    mutations += found.counts.mutations;
    distance += found.diversity.mean;
  }
  state.counters["levels/s"] = benchmark::Counter(levels, benchmark::Counter::kIsRate);
  state.counters["candidates"] = candidates / levels;
  state.counters["mutations"] = mutations / levels;
  state.counters["diversity"] = distance / static_cast<double>(state.iterations());
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* novelty : {"T1", "T2", "T3"})
    for (Tier tier : {Tier::easy, Tier::medium, Tier::hard})
      benchmark::RegisterBenchmark((std::string("search/") + novelty + "/" + name(tier)).c_str(), search,
                                   &find_novelty(novelty), tier)
          ->Unit(benchmark::kMillisecond)
          ->MinTime(3);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
