/// \file  How many normal trials have an alarm (docs/false-alarms.md).
///
/// Usage: bench_false_alarms simulated SEQUENCES SEED
///            trials of 1 to 20 levels with p-values drawn: uniform ones, and those of scores among 1,000
///            normal ones, in 100 sets of these, by the bound for finite sets and by rank alone. Share of
///            trials with an alarm; of uniform ones also that with evidence of 10 or more
///        bench_false_alarms played TRIALS SEED DETECTOR [SHOOTER]
///            normal trials of one level each, generated with that seed, by family: share with an alarm
#include "statistics/false_alarms.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "agents/built_in.hpp"
#include "agents/game.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "levels/generators.hpp"
#include "sim/world.hpp"
#include "statistics/intervals.hpp"
#include "statistics/sequential_evidence.hpp"

using namespace startle;

namespace {

void print_rate(const std::string& what, const Rate& rate) {
  std::printf("%-24s %5zu/%zu = %.4f (%.4f to %.4f)\n", what.c_str(), rate.hits, rate.count,
              rate.value().value_or(0), rate.interval().low, rate.interval().high);
}

/// Trials of p-values that `draw` gives, in turn: alarms by the test, and by evidence of 10.
template <typename Draw>
std::array<Rate, 2> alarms_of(std::size_t trials, std::size_t levels, const Draw& draw) {
  std::array<Rate, 2> rates;
  for (std::size_t i = 0; i < trials; ++i) {
    SequentialEvidence evidence;
    const double threshold = log_evidence_of_alarm(levels);
    std::array<bool, 2> alarm{};
    for (std::size_t level = 0; level < levels; ++level) {
      const double reached = evidence.add({draw()});
      alarm[0] |= reached >= threshold;
      alarm[1] |= reached >= std::log(10);
    }
    for (std::size_t k = 0; k < 2; ++k) {
      rates[k].hits += alarm[k];
      ++rates[k].count;
    }
  }
  return rates;
}

int simulated(std::size_t sequences, std::uint64_t seed) {
  constexpr std::size_t sets = 100, normal_scores = 1000;
  Random random(stream_seed(seed, "false alarms"));
  for (const std::size_t length : {1, 4, 20}) {
    const auto uniform = alarms_of(sequences, length, [&] { return 1 - random.uniform(); });
    Rate bounded, ranked;
    for (std::size_t s = 0; s < sets; ++s) {
      std::vector<double> normal(normal_scores);
      for (double& score : normal) score = random.normal();
      const CalibratedScores scores(normal);
      const auto add = [&](Rate& to, const Rate& more) { to.hits += more.hits, to.count += more.count; };
      add(bounded, alarms_of(sequences / sets, length, [&] { return scores.p(random.normal()); })[0]);
      add(ranked, alarms_of(sequences / sets, length, [&] { return scores.rank(random.normal()); })[0]);
    }
    const std::string of = std::to_string(length);
    print_rate(of + " uniform", uniform[0]);
    print_rate(of + " bounded", bounded);
    print_rate(of + " ranked", ranked);
    print_rate(of + " evidence-10", uniform[1]);
  }
  return 0;
}

int played(std::size_t trials, std::uint64_t seed, const std::string& detector, const std::string& shooter) {
  const auto constants = profile();
  const std::vector<GeneratorInfo>& families = generator_families();
  std::vector<char> alarmed(trials);
  std::atomic<std::size_t> shots = 0;
  parallel_for(trials, 0, [&](std::size_t i) {
    const GeneratorInfo& family = families[i % families.size()];
    const auto agent = make_built_in(shooter + "+" + detector, constants);
    if (!agent) throw Error("no built-in agent is called " + shooter + "+" + detector);
    Game game(taken_at_rest(settle(make_scene(generate_level(family, seed, i, constants), constants))));
    agent->begin({.seed = stream_seed(seed, "false alarms/agent", i) >> 11, .levels = 1});
    while (!game.over()) {
      const SeenShot& seen = game.shoot(agent->act(game));
      alarmed[i] |= agent->report(seen, game).novelty >= 0.5;
      ++shots;
    }
  });
  Rate all{0, trials};
  for (std::size_t f = 0; f < families.size(); ++f) {
    Rate rate;
    for (std::size_t i = f; i < trials; i += families.size()) {
      rate.hits += static_cast<std::size_t>(alarmed[i]);
      ++rate.count;
    }
    all.hits += rate.hits;
    print_rate(families[f].name, rate);
  }
  print_rate("all", all);
  std::printf("%zu shots\n", shots.load());
  return 0;
}

}  // namespace

int main(int count, char** arguments) try {
  const std::string what = count > 1 ? arguments[1] : "";
  if (what == "simulated" && count == 4)
    return simulated(std::strtoull(arguments[2], nullptr, 10), std::strtoull(arguments[3], nullptr, 10));
  if (what == "played" && (count == 5 || count == 6))
    return played(std::strtoull(arguments[2], nullptr, 10), std::strtoull(arguments[3], nullptr, 10),
                  arguments[4], count == 6 ? arguments[5] : "best-target");
  std::fprintf(stderr, "usage: see the top of bench/false_alarms.cpp\n");
  return 2;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
