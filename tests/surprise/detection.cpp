/// \file  Detection by p-values, on evaluations made by hand.
#include "surprise/detection.hpp"

#include <array>
#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// 12 levels of each tier of T1 with two shots; one detector, whose p-values are uniform in the normal world
/// and `novel` of a uniform number in the novel one.
template <typename Novel>
Evaluation detections(const Novel& novel) {
  Evaluation e;
  e.detectors = {"detector"};
  Random random(3);
  for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard})
    for (int level = 0; level < 12; ++level) {
      e.levels.push_back({.novelty = &find_novelty("T1"), .tier = tier});
      for (int shot = 0; shot < 2; ++shot) {
        const double a = 1 - random.uniform(), b = novel(1 - random.uniform(), tier);
        e.twins.push_back(
            {.level = e.levels.size() - 1, .visible = tier == Tier::easy, .outputs = {{{a, {a}}, {b, {b}}}}});
      }
    }
  return e;
}

}  // namespace

TEST_CASE("[surprise] detection: pairs, shots detected and what is visible, by hand") {
  Evaluation e;
  e.detectors = {"detector"};
  e.levels.push_back({.novelty = &find_novelty("T1"), .tier = Tier::easy});
  e.levels.push_back({.novelty = &find_novelty("T2"), .tier = Tier::hard});
  const auto twin = [&](std::size_t level, double normal, double novel, bool visible) {
    e.twins.push_back(
        {.level = level, .visible = visible, .outputs = {{{normal, {normal}}, {novel, {novel}}}}});
  };
  twin(0, 0.3, 0.01, true);   // right, detected
  twin(0, 0.04, 0.5, true);   // wrong, a false alarm
  twin(0, 0.2, 0.2, false);   // a tie
  twin(1, 0.9, 0.05, false);  // right, detected
  const DetectionTables tables = detection_tables(e, {}, false);
  const DetectionRow& all = tables.shot("", {}, 0);
  CHECK(all.levels == 2);
  CHECK(all.twins == 4);
  CHECK(*all.paired_accuracy.value == Approx(2.5 / 4));
  CHECK(*all.detected.value == Approx(0.5));
  CHECK(*all.false_alarms.value == Approx(0.25));
  CHECK(*tables.shot("T1", Tier::easy, 0).paired_accuracy.value == Approx(0.5));
  CHECK_FALSE(tables.shot("T1", Tier::hard, 0).paired_accuracy.value);
  CHECK(*tables.visible_of("", {}).share.value == Approx(0.5));
  CHECK(*tables.visible_of("", {}).best_accuracy.value == Approx(0.75));
  CHECK(tables.trials.empty());
  CHECK_THROWS_AS(detection_tables({}, {}, false), Error);
}

TEST_CASE("[surprise] detection: by what shots were detected, by hand") {
  Evaluation e;
  e.detectors = {"one", "several"};
  e.statistics["several"] = {"a", "b", "c"};
  e.levels.push_back({.novelty = &find_novelty("T1"), .tier = Tier::easy});
  e.levels.push_back({.novelty = &find_novelty("T2"), .tier = Tier::hard});
  const TwinOutputs one{{1, {1}}, {0.01, {0.01}}};
  const auto twin = [&](std::size_t level, double p, const PValues& novel) {
    e.twins.push_back({.level = level, .outputs = {one, {{0.05, {0.4, {}, 0.02}}, {p, novel}}}});
  };
  twin(0, 0.01, {0.2, 0.01, {}});    // by b
  twin(0, 0.05, {0.03, 0.03, 0.3});  // half by a, half by b
  twin(0, 0.06, {1e-4, 1, 1});       // not detected
  twin(1, 0.02, {{}, {}, {}});       // says nothing
  const LeastLikely least = *least_likely(e, e.twins[1], 1, true);
  CHECK(least.p == 0.03);
  CHECK(least.statistics == std::vector<std::size_t>{0, 1});
  CHECK_FALSE(least_likely(e, e.twins[3], 1, true));
  CHECK_FALSE(least_likely(e, e.twins[0], 0, true));
  const DetectionTables tables = detection_tables(e, {}, false);
  const auto counts = [&](const std::string& novelty) {
    std::string text;
    for (const StatisticRow& row : tables.statistics)
      if (row.novelty == novelty) {
        CHECK(row.detector == 1);
        text += "abc"[row.statistic] + std::to_string(row.detected).substr(0, 3) + "/" +
                std::to_string(row.false_alarms).substr(0, 3) + " ";
      }
    return text;
  };
  CHECK(counts("T1") == "b1.5/0.0 a0.5/0.0 c0.0/3.0 ");
  CHECK(counts("T2") == "c0.0/1.0 ");
  CHECK(counts("") == "b1.5/0.0 a0.5/0.0 c0.0/4.0 ");
}

TEST_CASE(
    "[surprise] detection: a trial's p is the least where all is odd, and in the middle where nothing is") {
  const DetectionTables sure = detection_tables(detections([](double, Tier) { return 1e-4; }), {}, true);
  const TrialRow& found = sure.trial("T1", Tier::easy, 0);
  CHECK(*found.p == Approx(1.0 / 2001));
  CHECK(*found.null_p == Approx(0.5).margin(0.3));  // trials share twelve levels
  const DetectionTables blind = detection_tables(detections([](double u, Tier) { return u; }), {}, true);
  CHECK(*blind.trial("", {}, 0).p == Approx(0.5).margin(0.3));
  CHECK(*blind.trial("", {}, 0).null_p == Approx(0.5).margin(0.3));
}

TEST_CASE(
    "[surprise] detection: trials of a sure detector end at once, those of one that knows nothing hardly "
    "ever") {
  const DetectionTables sure = detection_tables(detections([](double, Tier) { return 1e-4; }), {}, true);
  const TrialRow& found = sure.trial("T1", Tier::easy, 0);
  CHECK(found.levels == 12);
  CHECK(*found.false_alarms.value < 0.1);
  CHECK(*found.detected.value > 0.9);
  CHECK(*found.delay == Approx(1).margin(0.3));
  const DetectionTables blind = detection_tables(detections([](double u, Tier) { return u; }), {}, true);
  CHECK(*blind.trial("", {}, 0).detected.value < 0.12);
  CHECK(*blind.shot("", {}, 0).paired_accuracy.value == Approx(0.5).margin(0.15));
}

TEST_CASE("[surprise] detection: a detector of easy levels falls with tier, and the test says so") {
  const DetectionTables tables = detection_tables(
      detections([](double u, Tier tier) {
        return tier == Tier::easy ? u / 20 : tier == Tier::medium ? u / 3 : u;
      }),
      {}, true);
  CHECK(tables.trend("", "detector").z < 0);
  CHECK(tables.trend("", "detector").p < 0.01);
  CHECK(*tables.trial("T1", Tier::easy, 0).detected.value >
        *tables.trial("T1", Tier::hard, 0).detected.value);
}

TEST_CASE(
    "[surprise] detection: the interval of trials holds their rate, and is that of the trials that the "
    "levels make") {
  // In every fourth cell one of 12 levels is odd.
  Evaluation e;
  e.detectors = {"detector"};
  std::size_t cells = 0;
  for (const Novelty& novelty : novelty_catalogue())
    for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard}) {
      ++cells;
      for (int level = 0; level < 12; ++level) {
        e.levels.push_back({.novelty = &novelty, .tier = tier});
        const double normal = level == 0 && cells % 4 == 0 ? 0.001 : 0.5,
                     novel = tier == Tier::easy ? 1e-5 : 0.3;
        e.twins.push_back(
            {.level = e.levels.size() - 1, .outputs = {{{normal, {normal}}, {novel, {novel}}}}});
      }
    }
  const DetectionTables tables = detection_tables(e, {}, true);
  for (const TrialRow& row : tables.trials)
    for (const Estimate* rate : {&row.detected, &row.false_alarms}) {
      CAPTURE(row.of.novelty, row.levels, *rate->value, rate->interval->low, rate->interval->high);
      CHECK(rate->interval->low <= *rate->value);
      CHECK(*rate->value <= rate->interval->high);
    }
  // Each cell is worth 12/10 spans after the change, a tier has a third of them; before it all levels count.
  const auto same = [](const IntervalEstimate& a, const IntervalEstimate& b) {
    return a.low == Approx(b.low) && a.high == Approx(b.high);
  };
  const TrialRow &all = tables.trial("", {}, 0), &easy = tables.trial("", Tier::easy, 0);
  const auto count = static_cast<double>(cells);
  CHECK(*all.false_alarms.value <= 0.02);
  CHECK(same(*all.detected.interval, wilson_interval_of_rate(*all.detected.value, 1.2 * count)));
  CHECK(*all.null.value <= 0.02);
  CHECK(same(*all.null.interval, wilson_interval_of_rate(*all.null.value, 1.2 * count)));
  CHECK(same(*all.false_alarms.interval, wilson_interval_of_rate(*all.false_alarms.value, 1.2 * count)));
  CHECK(same(*easy.detected.interval, wilson_interval_of_rate(*easy.detected.value, 1.2 * count / 3)));
  CHECK(same(*easy.false_alarms.interval, wilson_interval_of_rate(*easy.false_alarms.value, 1.2 * count)));
}

TEST_CASE(
    "[surprise] detection: what comes of the kind of level, and not of its novelty, stands in the null") {
  // Levels of one cell are odd in both worlds; of the others, those of another cell in the novel one alone.
  Evaluation e;
  e.detectors = {"detector"};
  for (const char* novelty : {"T1", "T2", "T3", "wood-density-up", "wood-life-down", "pig-restitution-up"})
    for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard})
      for (int level = 0; level < 10; ++level) {
        e.levels.push_back({.novelty = &find_novelty(novelty), .tier = tier});
        const bool odd = std::string(novelty) == "T1" && tier == Tier::easy,
                   changed = std::string(novelty) == "T2" && tier == Tier::easy;
        const double normal = odd ? 0.02 : 0.6, novel = odd || changed ? 0.02 : 0.6;
        e.twins.push_back(
            {.level = e.levels.size() - 1, .outputs = {{{normal, {normal}}, {novel, {novel}}}}});
      }
  const DetectionTables tables = detection_tables(e, {}, true);
  CHECK(*tables.trial("T1", Tier::easy, 0).detected.value > 0.9);
  CHECK(*tables.trial("T1", Tier::easy, 0).null.value == *tables.trial("T1", Tier::easy, 0).detected.value);
  CHECK(*tables.trial("T2", Tier::easy, 0).detected.value > 0.9);
  CHECK(*tables.trial("T2", Tier::easy, 0).null.value < 0.1);
}

TEST_CASE("[surprise] detection: no level comes twice in a trial, and without 20 levels there is none") {
  // One level of four is odd enough for an alarm when it comes twice, and not when it comes once.
  Evaluation e;
  e.detectors = {"detector"};
  for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard})
    for (int level = 0; level < (tier == Tier::easy ? 4 : 20); ++level) {
      e.levels.push_back({.novelty = &find_novelty("T1"), .tier = tier});
      const double p = level == 0 ? 1e-3 : 1;
      e.twins.push_back({.level = e.levels.size() - 1, .outputs = {{{p, {p}}, {p, {p}}}}});
    }
  const DetectionTables tables = detection_tables(e, {}, true);
  CHECK(*tables.trial("T1", Tier::easy, 0).detected.value < 0.1);
  e.levels.resize(19);
  e.twins.resize(19);
  CHECK_FALSE(detection_tables(e, {}, true).trial("T1", Tier::easy, 0).detected.value);
}

TEST_CASE("[surprise] detection: what else is tested changes no detector's trials") {
  const auto novel = [](double u, Tier tier) { return tier == Tier::hard ? u : u / 8; };
  const Evaluation alone = detections(novel);
  Evaluation second = alone;
  second.detectors = {"another", "detector"};
  for (EvaluatedTwin& twin : second.twins)
    twin.outputs.insert(twin.outputs.begin(), TwinOutputs{{1, {1}}, {1, {1}}});
  const DetectionTables one = detection_tables(alone, {}, true), two = detection_tables(second, {}, true);
  for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard}) {
    CHECK(one.trial("T1", tier, 0).detected.value == two.trial("T1", tier, 1).detected.value);
    CHECK(one.trial("T1", tier, 0).delay == two.trial("T1", tier, 1).delay);
    CHECK(one.trial("T1", tier, 0).detected.interval->low == two.trial("T1", tier, 1).detected.interval->low);
  }
}

TEST_CASE(
    "[surprise] detection: numbers and losses of other programs are ranked as they are, in any unit, and a "
    "constant detects nothing") {
  // The novelty shows in all easy shots, in half of the medium and in no hard one: the difference of twins.
  Evaluation e;
  e.predictors = {"oracle", "in other units", "losses", "constant", "few values"};
  Random random(7);
  for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard})
    for (int level = 0; level < 100; ++level) {
      e.levels.push_back({.novelty = &find_novelty("T1"), .tier = tier});
      for (int shot = 0; shot < 3; ++shot) {
        const bool shows = tier == Tier::easy || (tier == Tier::medium && level % 2 == 0);
        const double noise = random.normal(), few = random.uniform() < 0.9 ? 0 : 1;
        const auto numbers = [&](double difference) {
          const double number = noise + difference;
          return std::array<ClipSurprise, 5>{
              {{.whole = number},
               {.whole = 1e-12 * number - 5e-9},
               {.errors = {.error = {number + 10, number + 10}, .change = {0, 0}}},
               {.whole = -3.0},
               {.whole = few}}};
        };
        const auto normal = numbers(0), novel = numbers(shows ? 20 : 0);
        EvaluatedTwin twin{.level = e.levels.size() - 1, .difference = {1, 1}, .change = {10, 10}};
        for (std::size_t p = 0; p < normal.size(); ++p) twin.predictors.push_back({normal[p], novel[p]});
        e.twins.push_back(std::move(twin));
      }
    }
  const Evaluation calibrated = with_calibrated_predictors(e);
  const DetectionTables tables = detection_tables(calibrated, {}, false);
  for (const std::size_t p : {0, 1, 2}) {
    CAPTURE(e.predictors[p]);
    CHECK(*tables.shot("T1", Tier::easy, p).detected.value == 1);
    CHECK(*tables.shot("T1", Tier::medium, p).detected.value == Approx(0.5).margin(0.05));
    CHECK(*tables.shot("T1", Tier::hard, p).detected.value < 0.1);
    CHECK(*tables.shot("", {}, p).false_alarms.value < 0.08);
    CHECK(*tables.shot("", {}, p).false_alarms.value > 0.02);
    for (std::size_t t = 0; t < e.twins.size(); ++t)  // the order is all that counts
      CHECK(calibrated.twins[t].outputs[p].novel.p == calibrated.twins[t].outputs[0].novel.p);
  }
  CHECK(*tables.shot("", {}, 3).detected.value == 0);
  CHECK(*tables.shot("", {}, 3).false_alarms.value == 0);
  // One normal shot in ten has the largest value: it is no detection at 0.05.
  CHECK(*tables.shot("", {}, 4).false_alarms.value == 0);

  // Pairs: exact ties alone, whatever the unit.
  const EvaluationTables pairs = evaluation_tables(e, {});
  for (const std::size_t p : {0, 1}) {
    CHECK(*pairs.score("T1", Tier::easy, p, ClipScore::sum).metrics.paired_accuracy.value == 1);
    CHECK(*pairs.score("T1", Tier::hard, p, ClipScore::sum).metrics.paired_accuracy.value == 0.5);
  }
  CHECK(*pairs.score("", {}, 3, ClipScore::log).metrics.paired_accuracy.value == 0.5);
}

TEST_CASE(
    "[surprise] detection: calibrated predictors are uniform in every context, and too little is as unlikely "
    "as too much") {
  // Errors follow the change, with a spread of a tenth; in the novel world too small by four spreads.
  Evaluation e;
  e.predictors = {"model"};
  Random random(5);
  for (std::size_t level = 0; level < 1200; ++level) {
    e.levels.push_back({.novelty = &find_novelty("T1"), .tier = Tier::easy});
    const double change = std::exp(random.uniform(0, 4));
    const auto errors = [&](double shift) {
      return FrameErrors{.error = {change * std::exp(0.1 * (random.normal() + shift))}, .change = {change}};
    };
    e.twins.push_back({.level = level, .predictors = {{{errors(0), {}, {}}, {errors(-4), {}, {}}}}});
  }
  const Evaluation calibrated = with_calibrated_predictors(e);
  REQUIRE(calibrated.detectors == std::vector<std::string>{"model, calibrated"});
  const DetectionTables tables = detection_tables(calibrated, {}, false);
  const DetectionRow& row = tables.shot("", {}, 0);
  CHECK(*row.false_alarms.value > 0.02);
  CHECK(*row.false_alarms.value < 0.09);
  CHECK(*row.detected.value > 0.3);
  CHECK(*row.paired_accuracy.value > 0.8);
  // A copy of the last frame, whose error is the change but for rounding, says nothing of any clip.
  Evaluation copied = e;
  for (EvaluatedTwin& twin : copied.twins)
    for (FrameErrors* errors : {&twin.predictors[0].normal.errors, &twin.predictors[0].novel.errors})
      errors->error = {errors->change[0] * (1 + 1e-5 * random.normal())};
  for (const EvaluatedTwin& twin : with_calibrated_predictors(copied).twins) {
    CHECK(twin.outputs[0].normal.p == 1);
    CHECK(twin.outputs[0].novel.p == 1);
  }
  e.twins.resize(100);
  e.levels.resize(100);
  const Evaluation few = with_calibrated_predictors(e);  // too few normal clips for ranks
  CHECK(few.twins[0].outputs[0].novel.p == 1);
  REQUIRE(few.ranked);
  CHECK(few.ranked->normal_clips == std::array<std::size_t, 2>{50, 50});
  CHECK(has_p_values(calibrated, 0));
  CHECK_FALSE(has_p_values(few, 0));
  const DetectionTables empty = detection_tables(few, {}, true);
  CHECK_FALSE(empty.shot("", {}, 0).paired_accuracy.value);
  CHECK_FALSE(empty.shot("", {}, 0).detected.value);
  CHECK_FALSE(empty.shot("", {}, 0).false_alarms.value);
  CHECK_FALSE(empty.trial("", {}, 0).detected.value);
  CHECK(empty.shot("", {}, 0).twins == 100);
}
