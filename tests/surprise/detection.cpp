/// \file  Detection by p-values, on evaluations made by hand.
#include "surprise/detection.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/error.hpp"
#include "sim/random.hpp"

using namespace startle;

namespace {

/// 12 levels of each tier of T1 with two shots; one judge, whose p-values are uniform in the normal world and `novel` of a uniform number in the novel one.
template <typename Novel>
Evaluation judged(const Novel& novel) {
  Evaluation e;
  e.judges = {"judge"};
  Random random(3);
  for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard})
    for (int level = 0; level < 12; ++level) {
      e.levels.push_back({.novelty = &find_novelty("T1"), .tier = tier});
      for (int shot = 0; shot < 2; ++shot) {
        const double a = 1 - random.uniform(), b = novel(1 - random.uniform(), tier);
        e.twins.push_back(
            {.level = e.levels.size() - 1, .visible = tier == Tier::easy, .judged = {{{a, {a}}, {b, {b}}}}});
      }
    }
  return e;
}

}  // namespace

TEST_CASE("[surprise] detection: pairs, shots noticed and what is visible, by hand") {
  Evaluation e;
  e.judges = {"judge"};
  e.levels.push_back({.novelty = &find_novelty("T1"), .tier = Tier::easy});
  e.levels.push_back({.novelty = &find_novelty("T2"), .tier = Tier::hard});
  const auto twin = [&](std::size_t level, double normal, double novel, bool visible) {
    e.twins.push_back(
        {.level = level, .visible = visible, .judged = {{{normal, {normal}}, {novel, {novel}}}}});
  };
  twin(0, 0.3, 0.01, true);   // right, noticed
  twin(0, 0.04, 0.5, true);   // wrong, a false alarm
  twin(0, 0.2, 0.2, false);   // a tie
  twin(1, 0.9, 0.05, false);  // right, noticed
  const DetectionTables tables = detection_tables(e, {}, false);
  const DetectionRow& all = tables.shot("", {}, 0);
  CHECK(all.levels == 2);
  CHECK(all.twins == 4);
  CHECK(*all.paired_accuracy.value == Approx(2.5 / 4));
  CHECK(*all.noticed.value == Approx(0.5));
  CHECK(*all.false_alarms.value == Approx(0.25));
  CHECK(*tables.shot("T1", Tier::easy, 0).paired_accuracy.value == Approx(0.5));
  CHECK_FALSE(tables.shot("T1", Tier::hard, 0).paired_accuracy.value);
  CHECK(*tables.visible_of("", {}).share.value == Approx(0.5));
  CHECK(*tables.visible_of("", {}).best_accuracy.value == Approx(0.75));
  CHECK(tables.trials.empty());
  CHECK_THROWS_AS(detection_tables({}, {}, false), Error);
}

TEST_CASE(
    "[surprise] detection: trials of a sure detector end at once, those of one that knows nothing hardly "
    "ever") {
  const DetectionTables sure = detection_tables(judged([](double, Tier) { return 1e-4; }), {}, true);
  const TrialRow& found = sure.trial("T1", Tier::easy, 0);
  CHECK(found.levels == 12);
  CHECK(*found.false_alarms.value < 0.1);
  CHECK(*found.detected.value > 0.9);
  CHECK(*found.delay.value == Approx(1).margin(0.3));
  const DetectionTables blind = detection_tables(judged([](double u, Tier) { return u; }), {}, true);
  CHECK(*blind.trial("", {}, 0).detected.value < 0.12);
  CHECK(*blind.shot("", {}, 0).paired_accuracy.value == Approx(0.5).margin(0.15));
}

TEST_CASE("[surprise] detection: a judge of easy levels falls with tier, and the test says so") {
  const DetectionTables tables = detection_tables(
      judged([](double u, Tier tier) {
        return tier == Tier::easy ? u / 20 : tier == Tier::medium ? u / 3 : u;
      }),
      {}, true);
  CHECK(tables.trend("", "judge").z < 0);
  CHECK(tables.trend("", "judge").p < 0.01);
  CHECK(*tables.trial("T1", Tier::easy, 0).detected.value >
        *tables.trial("T1", Tier::hard, 0).detected.value);
}

TEST_CASE("[surprise] detection: what else is judged changes no judge's trials") {
  const auto novel = [](double u, Tier tier) { return tier == Tier::hard ? u : u / 8; };
  const Evaluation alone = judged(novel);
  Evaluation second = alone;
  second.judges = {"another", "judge"};
  for (EvaluatedTwin& twin : second.twins)
    twin.judged.insert(twin.judged.begin(), JudgedTwin{{1, {1}}, {1, {1}}});
  const DetectionTables one = detection_tables(alone, {}, true), two = detection_tables(second, {}, true);
  for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard}) {
    CHECK(one.trial("T1", tier, 0).detected.value == two.trial("T1", tier, 1).detected.value);
    CHECK(one.trial("T1", tier, 0).delay.value == two.trial("T1", tier, 1).delay.value);
    CHECK(one.trial("T1", tier, 0).detected.interval->low == two.trial("T1", tier, 1).detected.interval->low);
  }
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
    e.twins.push_back({.level = level, .predictors = {{errors(0), errors(-4), {}, {}}}});
  }
  const Evaluation calibrated = with_calibrated_predictors(e);
  REQUIRE(calibrated.judges == std::vector<std::string>{"model, calibrated"});
  const DetectionTables tables = detection_tables(calibrated, {}, false);
  const DetectionRow& row = tables.shot("", {}, 0);
  CHECK(*row.false_alarms.value > 0.02);
  CHECK(*row.false_alarms.value < 0.09);
  CHECK(*row.noticed.value > 0.3);
  CHECK(*row.paired_accuracy.value > 0.8);
  // A copy of the last frame, whose error is the change but for rounding, tells nothing of any clip.
  Evaluation copied = e;
  for (EvaluatedTwin& twin : copied.twins)
    for (FrameErrors* errors : {&twin.predictors[0].normal, &twin.predictors[0].novel})
      errors->error = {errors->change[0] * (1 + 1e-5 * random.normal())};
  for (const EvaluatedTwin& twin : with_calibrated_predictors(copied).twins) {
    CHECK(twin.judged[0].normal.p == 1);
    CHECK(twin.judged[0].novel.p == 1);
  }
  // A forecaster is ranked by z^2 against what it expects; its control here sees ten times as much everywhere, and notices as little.
  Evaluation forecast = e;
  for (EvaluatedTwin& twin : forecast.twins) {
    const auto made = [&](double shift) {
      // Little is expected in one half of the clips, and z^2 is large there: a shift that shows in that context alone.
      const double expected = random.chance(0.5) ? 1 : 100,
                   z = 1000 / std::sqrt(expected) * std::exp(0.1 * (random.normal() + shift));
      return ForecastSurprise{
          .expected = expected, .surprise = z, .copied = 10000 * std::exp(0.1 * random.normal())};
    };
    twin.predictors[0].normal_forecast = made(0);
    twin.predictors[0].novel_forecast = made(4);
  }
  const Evaluation forecasts = with_calibrated_predictors(forecast);
  REQUIRE(forecasts.judges == std::vector<std::string>{"model", "model, copied"});
  const DetectionTables of_forecasts = detection_tables(forecasts, {}, false);
  for (const std::size_t judge : {0u, 1u}) {
    CHECK(*of_forecasts.shot("", {}, judge).false_alarms.value > 0.02);
    CHECK(*of_forecasts.shot("", {}, judge).false_alarms.value < 0.09);
  }
  CHECK(*of_forecasts.shot("", {}, 0).noticed.value > 0.3);
  CHECK(*of_forecasts.shot("", {}, 1).noticed.value < 0.09);
  e.twins.resize(100);
  e.levels.resize(100);
  const Evaluation few = with_calibrated_predictors(e);  // too few normal clips for ranks
  CHECK(few.twins[0].judged[0].novel.p == 1);
}
