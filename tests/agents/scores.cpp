/// \file  Scores of hand-made results.
#include "agents/trials/scores.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"

using namespace startle;

namespace {

PlayedLevel level(bool novel, int birds, std::vector<double> novelty, bool solved = false, double score = 0) {
  PlayedLevel played{.level = "l", .novel = novel, .birds = birds, .solved = solved, .score = score};
  for (double n : novelty) played.shots.push_back({.shot = {}, .novelty = n, .description = {}});
  return played;
}

TrialResult single(const std::string& agent, const std::string& unit, PlayedLevel played,
                   const std::string& tier = "easy") {
  return {.agent = agent,
          .unit = unit,
          .world = played.novel ? "novel" : "normal",
          .novelty = "T1",
          .tier = tier,
          .levels = {std::move(played)}};
}

TrialResult shift(int trial, int k, const std::vector<PlayedLevel>& levels) {
  return {.agent = "a",
          .unit = "T1/easy",
          .world = "shift",
          .trial = trial,
          .novelty = "T1",
          .tier = "easy",
          .shift = k,
          .levels = levels};
}

}  // namespace

TEST_CASE("[agents] single protocol, by hand") {
  // Three levels with 4 birds. x: found at shot 2, clean in the normal world. y: found at shot 1, but alarmed
  // in the normal world too. z: never found.
  const std::vector<TrialResult> results{single("a", "x", level(false, 4, {0.1, 0.2}, true, 1000)),
                                         single("a", "x", level(true, 4, {0.4, 0.5, 0.9}, true, 3000)),
                                         single("a", "y", level(false, 4, {0.6})),
                                         single("a", "y", level(true, 4, {0.7, 0.1})),
                                         single("a", "z", level(false, 4, {0}), "hard"),
                                         single("a", "z", level(true, 4, {0.3}), "hard")};
  const AgentScore s = agent_scores(results, ScoreBy::agent).at(0);
  CHECK(s.trials == 6);
  CHECK((s.detected.hits == 2 && s.detected.count == 3));
  CHECK((s.false_positive.hits == 1 && s.false_positive.count == 3));
  CHECK((s.correct.hits == 1 && s.correct.count == 3));
  CHECK(*s.shots_to_detection.value == Approx((2.0 / 4 + 1.0 / 4) / 2));
  CHECK(s.shots_to_detection.count == 2);
  CHECK((s.solved_normal.hits == 1 && s.solved_novel.hits == 1 && s.solved_normal.count == 3));
  CHECK(*s.score.value == Approx(4000.0 / 6));
  CHECK(*s.shots.value == Approx((2 + 3) / 2.0));
  // AUCCESS: cleared with 2 and 3 of 4 birds, four not: (2 - ln 2/ln 5 - ln 3/ln 5)/6 = (2 - ln 6/ln 5)/6.
  CHECK(*s.auccess.value == Approx((2 - std::log(6.0) / std::log(5.0)) / 6));
  // At most 5 % of three normal levels is none of them: above 0.6 are 0.9 and 0.7 of the novel ones.
  CHECK(*s.detected_at_false_alarms.value == Approx(2.0 / 3));
  // Largest likelihoods: novel 0.9 0.7 0.3, normal 0.2 0.6 0. Pairs won: 3 + 3 + 2 of 9.
  CHECK(*s.auc.value == Approx(8.0 / 9));
  const auto tiers = agent_scores(results, ScoreBy::tier);
  REQUIRE(tiers.size() == 2);
  CHECK((tiers[0].tier == "easy" && tiers[0].trials == 4 && tiers[1].tier == "hard" &&
         tiers[1].detected.hits == 0));
  CHECK_FALSE(tiers[1].shots_to_detection.value);
  CHECK_FALSE(agent_scores(results, ScoreBy::agent)[0].delay.value);

  const AgentCurves c = agent_curves(results, ScoreBy::agent).at(0);
  CHECK(c.solved_within == std::vector<double>{0, 1.0 / 6, 2.0 / 6, 2.0 / 6});
  CHECK(c.detected_within == std::vector<double>{1.0 / 3, 2.0 / 3, 2.0 / 3, 2.0 / 3});
  CHECK(c.alarmed_within.size() == 4);
  CHECK(c.alarmed_within.back() == s.false_positive.value());
  // Thresholds from above: none; 0.9; 0.7; 0.6 (normal); 0.3; 0.2 (normal); 0 (normal).
  REQUIRE(c.roc.size() == 7);
  CHECK((c.roc[2].false_positive_rate == 0 && c.roc[2].true_positive_rate == Approx(2.0 / 3)));
  CHECK((c.roc[4].false_positive_rate == Approx(1.0 / 3) && c.roc[4].true_positive_rate == 1));
  CHECK(agent_curves(results, ScoreBy::tier).size() == 2);
}

TEST_CASE("[agents] scores by tier over all novelties, and intervals, are those of the definition") {
  // Ten levels of two novelties, each twice in either world: likelihoods with ties, from counters.
  std::vector<TrialResult> results;
  std::vector<std::vector<double>> novel(10), normal(10);  // by level: the largest likelihoods
  for (int i = 0; i < 10; ++i)
    for (int trial = 0; trial < 2; ++trial)
      for (const bool is_novel : {false, true}) {
        const double likelihood = ((3 * i + 5 * trial) % 7 + (is_novel ? 2 : 0)) / 10.0;
        TrialResult r = single("a", "level" + std::to_string(i),
                               level(is_novel, 3, {likelihood, 0.1}, i % 3 == 0, 7 * i),
                               i % 2 == 0 ? "easy" : "hard");
        r.trial = trial;
        r.novelty = i < 5 ? "T1" : "T2";
        results.push_back(r);
        (is_novel ? novel : normal)[static_cast<std::size_t>(i)].push_back(std::max(likelihood, 0.1));
      }
  const AgentScore all = agent_scores(results, ScoreBy::agent).at(0);
  const auto auc_of = [&](const std::vector<std::size_t>& which) {
    std::vector<double> positives, negatives;
    for (const std::size_t i : which) {
      positives.insert(positives.end(), novel[i].begin(), novel[i].end());
      negatives.insert(negatives.end(), normal[i].begin(), normal[i].end());
    }
    return roc_auc(positives, negatives);
  };
  const auto interval = bootstrap_interval(10, auc_of, 1);
  CHECK(*all.auc.value == *auc_of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  CHECK((all.auc.interval->low == interval->low && all.auc.interval->high == interval->high));
  CHECK(all.auc.count == 40);
  CHECK(all.score.count == 40);
  CHECK(*all.score.value == Approx(7 * 4.5));

  const auto tiers = agent_scores(results, ScoreBy::agent_tier);
  REQUIRE(tiers.size() == 2);
  CHECK((tiers[0].tier == "easy" && tiers[1].tier == "hard"));
  CHECK((tiers[0].novelty.empty() && tiers[0].trials == 20 && tiers[0].detected.count == 10));
  CHECK(tiers[0].detected.hits + tiers[1].detected.hits == all.detected.hits);
  CHECK(agent_scores(results, ScoreBy::tier).size() == 4);  // T1 and T2 have both tiers
  CHECK(agent_scores(results, ScoreBy::novelty).size() == 2);

  for (const ScoreBy by : {ScoreBy::agent, ScoreBy::agent_tier, ScoreBy::novelty, ScoreBy::tier}) {
    const auto one = agent_scores(results, by, 1), three = agent_scores(results, by, 3);
    REQUIRE(one.size() == three.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      CHECK(one[i].tier == three[i].tier);
      for (const auto figure : {&AgentScore::score, &AgentScore::auccess, &AgentScore::auc}) {
        CHECK((one[i].*figure).value == (three[i].*figure).value);
        CHECK((one[i].*figure).interval->low == (three[i].*figure).interval->low);
        CHECK((one[i].*figure).interval->high == (three[i].*figure).interval->high);
      }
    }
  }
}

TEST_CASE(
    "[agents] a trial that failed at once, and a level without pigs or birds, are counted and break "
    "nothing") {
  TrialResult failed = single("a", "x", level(true, 4, {}));
  failed.levels.clear();
  failed.status = Status::crash;
  const AgentScore s =
      agent_scores({failed, single("a", "y", level(true, 0, {}, true))}, ScoreBy::agent).at(0);
  CHECK((s.trials == 2 && s.failed == 1 && s.detected.count == 2 && s.detected.hits == 0));
  CHECK(*s.auccess.value == 1);
  CHECK_FALSE(s.auc.value);
  CHECK(agent_curves({failed}, ScoreBy::agent).at(0).roc.empty());
}

TEST_CASE("[agents] shift protocol, by hand: CDT, false positives and delay as NovPhy counts them") {
  const auto quiet = level(false, 2, {0.1}), alarmed = level(false, 2, {0.8}), missed = level(true, 2, {0.2}),
             found = level(true, 2, {0.1, 0.9});
  const std::vector<TrialResult> results{shift(0, 2, {quiet, quiet, missed, found}),   // found in level 4,
                                                                                       // delay 2
                                         shift(1, 1, {quiet, found, missed}),          // level 2, delay 1
                                         shift(2, 2, {quiet, alarmed, found, found}),  // false positive
                                         shift(3, 1, {quiet, missed, missed})};        // never
  const AgentScore s = agent_scores(results, ScoreBy::agent).at(0);
  CHECK((s.correct.hits == 2 && s.correct.count == 4));
  CHECK((s.false_positive.hits == 1 && s.false_positive.count == 4));
  CHECK((s.detected.hits == 3 && s.detected.count == 4));
  CHECK(*s.delay.value == Approx(1.5));
  CHECK(s.delay.count == 2);
  // Within one novel level one of the four trials is detected, within two of them two.
  const AgentCurves c = agent_curves(results, ScoreBy::agent).at(0);
  CHECK(c.detected_within == std::vector<double>{0.25, 0.5});
  CHECK(c.alarmed_within.empty());
  // Around the change: before the last normal level two trials have one, after the change all have two;
  // an alarm there: 0/2, 1/4, 2/4, 2/4.
  REQUIRE(c.around_change.size() == 4);
  const std::vector<std::size_t> trials{2, 4, 4, 4};
  const std::vector<double> shares{0, 0.25, 0.5, 0.5};
  for (std::size_t i = 0; i < 4; ++i) {
    INFO(i);
    CHECK(c.around_change[i].since == static_cast<int>(i) - 1);
    CHECK(c.around_change[i].trials == trials[i]);
    CHECK(c.around_change[i].alarmed == shares[i]);
    CHECK(c.around_change[i].solved == 0);
  }
  // Levels: after the change 0.2 0.9 0.9 0.2 0.9 0.9 0.2 0.2; before 0.1 x 5 and 0.8. Each 0.2 beats five of
  // six, each 0.9 all six.
  CHECK(*s.auc.value == Approx((4 * 5 + 4 * 6) / 48.0));
}

TEST_CASE("[agents] figures of a trial, by hand") {
  TrialFigures f = figures_of(shift(0, 2,
                                    {level(false, 2, {0.1}, true, 10), level(false, 2, {0.2}),
                                     level(true, 2, {0.2}), level(true, 2, {0.1, 0.9}, true, 5)}));
  CHECK((f.solved == 2 && f.shots == 5 && f.score == 15 && f.largest_likelihood == 0.9));
  CHECK((f.detected_level == 4u && f.alarm_shot == 2u && f.detection_delay == 2u && f.cdt &&
         !f.false_positive));
  f = figures_of(shift(0, 2, {level(false, 2, {0.1}), level(false, 2, {0.5}), level(true, 2, {0.9})}));
  CHECK((f.detected_level == 2u && f.alarm_shot == 1u && !f.detection_delay && !f.cdt && f.false_positive));
  f = figures_of(single("a", "x", level(false, 2, {0.1, 0.7})));
  CHECK((f.detected_level == 1u && f.alarm_shot == 2u && f.false_positive && !f.cdt));
  f = figures_of(single("a", "x", level(true, 2, {0.1, 0.4})));
  CHECK((!f.detected_level && !f.alarm_shot && !f.false_positive));
}

TEST_CASE("[agents] two agents on the trials that both played") {
  std::vector<TrialResult> results;
  for (int i = 0; i < 8; ++i) {
    const std::string unit = "level" + std::to_string(i);
    results.push_back(single("a", unit, level(true, 2, {1}, true)));  // always right, always solves
    results.push_back(single("b", unit, level(true, 2, {i < 3 ? 1.0 : 0}, i < 7)));
  }
  results.push_back(single("a", "alone", level(true, 2, {1})));
  results[1].status = Status::timeout;  // what was cleared before it failed does not count
  const AgentComparison c = compare_agents(results).at(0);
  CHECK((c.a == "a" && c.b == "b" && c.trials == 8));
  CHECK((c.detection.only_a == 5 && c.detection.only_b == 0));
  CHECK(c.detection.p == Approx(2 / 32.0));
  CHECK(*c.detection.difference.value == Approx(5 / 8.0));
  REQUIRE(c.detection.difference.interval);
  CHECK((c.detection.difference.interval->low < 5 / 8.0 && c.detection.difference.interval->high > 5 / 8.0));
  CHECK((c.solved.only_a == 2 && c.solved.only_b == 0));
}

TEST_CASE("[agents] scores of several runs: counted together, by hand") {
  // Run 1 detects x and raises an alarm in the normal world of y; run 2 detects x and z and fails once.
  const auto trial = [](const std::string& unit, bool novel, double likelihood, const std::string& tier) {
    return single("a", unit, level(novel, 4, {likelihood}), tier);
  };
  std::vector<std::vector<TrialResult>> runs{
      {trial("x", false, 0.1, "hard"), trial("x", true, 0.9, "hard"), trial("y", false, 0.5, "easy"),
       trial("y", true, 0.2, "easy"), trial("z", false, 0.1, "easy"), trial("z", true, 0.3, "easy")},
      {trial("x", false, 0.1, "hard"), trial("x", true, 0.8, "hard"), trial("y", false, 0.2, "easy"),
       trial("y", true, 0.2, "easy"), trial("z", false, 0.1, "easy"), trial("z", true, 0.7, "easy")}};
  runs[1][2].status = Status::crash;
  runs[0][1].levels[0].solved = runs[1][5].levels[0].solved = runs[0][0].levels[0].solved = true;
  const RunsScores scores = runs_scores(runs);
  const RunsScore& all = scores.all;
  CHECK(all.trials == 12);
  CHECK(all.failed == 1);
  CHECK(*all.detected.value == Approx(3 / 6.0));
  CHECK(all.detected.count == 6);
  CHECK(*all.false_positive.value == Approx(1 / 6.0));
  // Novel .9 .2 .3 .8 .2 .7 against normal .1 .5 .1 .1 .2 .1: .9 .8 .7 win 6 each, .3 wins 5, each .2 wins 4
  // and ties 1.
  CHECK(*all.auc.value == Approx((6 + 6 + 6 + 5 + 4.5 + 4.5) / 36));
  CHECK(all.auc.count == 12);
  CHECK(*all.detected_at_false_alarms.value == Approx(3 / 6.0));
  CHECK(*all.solved_normal.value == Approx(1 / 6.0));
  CHECK(*all.solved_novel.value == Approx(2 / 6.0));
  CHECK(all.solved_novel.count == 6);
  // The first of four birds, in each of three novel trials with an alarm.
  CHECK(*all.shots_to_detection.value == Approx(0.25));
  CHECK(all.shots_to_detection.count == 3);
  CHECK((all.detected.interval->low < 0.5 && all.detected.interval->high > 0.5));
  REQUIRE(scores.tiers.size() == 2);
  CHECK(scores.tiers[0].tier == "easy");
  CHECK(*scores.tiers[0].detected.value == Approx(1 / 4.0));
  CHECK(*scores.tiers[0].false_positive.value == Approx(1 / 4.0));
  CHECK(scores.tiers[1].tier == "hard");
  // A rate of 1 in two trials of one level: Wilson's of one trial.
  CHECK(*scores.tiers[1].detected.value == 1);
  CHECK(scores.tiers[1].detected.count == 2);
  CHECK(scores.tiers[1].detected.interval->low == Approx(wilson_interval(1, 1).low));

  for (std::vector<TrialResult>& run : runs)
    for (TrialResult& one : run) one.status = Status::timeout;
  CHECK_FALSE(runs_scores(runs).all.auc.value);
  CHECK(runs_scores(runs).all.detected.value);

  const RunsScore rows =
      runs_scores({{shift(0, 1, {level(false, 4, {0.9}), level(true, 4, {0.1}), level(true, 4, {0.6})})},
                   {shift(0, 1, {level(false, 4, {0.2}), level(true, 4, {0.1}), level(true, 4, {0.3})})}})
          .all;
  CHECK(*rows.detected.value == 0.5);
  CHECK(*rows.false_positive.value == 0.5);
  CHECK_FALSE(rows.shots_to_detection.value);
  CHECK(rows.solved_novel.count == 4);
  CHECK(rows.auc.count == 6);
}

TEST_CASE("[agents] scores of several runs: a run that is repeated makes no interval narrower") {
  std::vector<TrialResult> run;
  for (int i = 0; i < 30; ++i)
    for (const bool novel : {false, true})
      run.push_back(
          single("a", "level " + std::to_string(i), level(novel, 4, {novel && i % 2 == 0 ? 0.9 : 0.01 * i})));
  const auto width = [](const Estimate& e) { return e.interval->high - e.interval->low; };
  const RunsScore once = runs_scores({run}).all, four = runs_scores({run, run, run, run}).all;
  CHECK(*four.detected.value == *once.detected.value);
  CHECK(*four.auc.value == Approx(*once.auc.value));
  CHECK(width(four.detected) == Approx(width(once.detected)).epsilon(0.1));
  CHECK(width(four.auc) == Approx(width(once.auc)).epsilon(0.1));
  const IntervalEstimate wilson = wilson_interval(60, 120);  // as if they were other levels
  CHECK(width(four.detected) > 1.5 * (wilson.high - wilson.low));
  // Runs that differ make it wider: half of them detect nothing.
  std::vector<TrialResult> blind = run;
  for (TrialResult& trial : blind) trial.levels[0].shots[0].novelty = 0;
  const RunsScore differing = runs_scores({run, blind, run, blind}).all;
  CHECK(width(differing.detected) > 1.2 * width(once.detected));
}
