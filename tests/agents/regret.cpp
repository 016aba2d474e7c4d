/// \file  How likely shots were to be detected, beside the surest ones.
#include "agents/trials/regret.hpp"

#include "core/error.hpp"
#include "difficulty/difficulty.hpp"
#include "difficulty/played_level.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;
using Catch::Contains;

namespace {

const std::vector<PlayableLevel>& levels() {
  static const std::vector<PlayableLevel> all = playable({small_level("a"), small_level("b")});
  return all;
}

std::vector<TrialResult> played(const std::string& agent, int trials) {
  std::vector<TrialResult> results;
  for (const TrialPlan& plan : plan_trials(levels(), {.trials = trials, .secret = RunSecret{{3}}}))
    results.push_back(run_trial({.name = agent}, plan, levels(), {}));
  return results;
}

}  // namespace

TEST_CASE("[agents] regret: at the first state the chances are those that reasoning predicts of the level") {
  int compared = 0;
  for (const TrialResult& trial : played("best-target", 1)) {
    const std::vector<ShotRegret> shots = shot_regrets(trial.levels.front(), levels()[0]);
    if (trial.world == "normal") {
      CHECK(shots.empty());
      continue;
    }
    if (trial.unit != levels()[0].name) continue;
    REQUIRE(shots.size() == trial.levels.front().shots.size());
    const PredictedLevel predicted = predict_level(levels()[0].normal, levels()[0].change);
    const double taken = detection_chance(levels()[0].normal, levels()[0].change,
                                          trial.levels.front().shots.front().shot);
    CHECK(shots.front().taken == taken);
    CHECK(shots.front().best == std::max(taken, predicted.max_p_detected));
    ++compared;
    for (const ShotRegret& shot : shots) {
      CHECK(shot.taken >= 0);
      CHECK(shot.regret() >= 0);
      CHECK(shot.best <= 1);
    }
  }
  CHECK(compared == 1);
}

TEST_CASE("[agents] regret: into the air tells nothing, so that all of the surest shot is lost") {
  PlayedLevel into_the_air{.level = levels()[0].name, .hash = levels()[0].hash, .novel = true};
  into_the_air.shots.push_back({.shot = {.angle = radians(180)}});
  const std::vector<ShotRegret> shots = shot_regrets(into_the_air, levels()[0]);
  REQUIRE(shots.size() == 1);
  CHECK(shots[0].taken < 0.15);
  CHECK(shots[0].best > 0.3);
}

TEST_CASE("[agents] regret: scores are means by tier, the same on any number of threads") {
  const std::vector<TrialResult> trials = played("random", 2);
  const std::vector<RegretScore> scores = regret_scores(trials, levels(), 1);
  REQUIRE_FALSE(scores.empty());
  CHECK(scores.back().tier.empty());
  double sum = 0;
  std::size_t shots = 0;
  for (const TrialResult& trial : trials)
    for (const ShotRegret& shot :
         shot_regrets(trial.levels.front(), levels()[trial.unit == levels()[0].name ? 0 : 1])) {
      sum += shot.regret();
      ++shots;
    }
  CHECK(scores.back().shots == shots);
  CHECK(*scores.back().regret.value == Approx(sum / static_cast<double>(shots)));
  const std::vector<RegretScore> again = regret_scores(trials, levels(), 2);
  REQUIRE(again.size() == scores.size());
  CHECK(*again.back().regret.value == *scores.back().regret.value);
}

TEST_CASE("[agents] regret: a level that is not given, and shots after its end, are refused") {
  std::vector<TrialResult> trials = played("random", 1);
  CHECK_THROWS_WITH(regret_scores(trials, {levels()[0]}), Contains("not among the levels"));
  PlayedLevel longer{.level = levels()[0].name, .hash = levels()[0].hash, .novel = true};
  longer.shots.assign(20, {.shot = {.angle = radians(180)}});
  CHECK_THROWS_WITH(shot_regrets(longer, levels()[0]), Contains("after its end"));
}
