/// \file  Sequential tests with a bound on false alarms.
#include "statistics/false_alarms.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "statistics/sequential_evidence.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

double evidence_of(double p) { return std::log(e_value(p)); }

/// Chance that two uniform p-values reach the evidence, by the sum over a grid of both.
double by_grid(double evidence, double power = 1) {
  constexpr int cells = 2000;
  double reached = 0;
  for (int i = 0; i < cells; ++i) {
    const double first = std::pow((i + 0.5) / cells, 1 / power);
    if (evidence_of(first) >= evidence) {
      reached += 1.0 / cells;
      continue;
    }
    // The largest second p-value that is enough.
    const double least = evidence - std::max(0.0, evidence_of(first));
    const double second = std::min(1.0, std::exp((least - std::log(kappa)) / (kappa - 1)));
    reached += std::pow(second, power) / cells;
  }
  return reached;
}

}  // namespace

TEST_CASE("[statistics] false alarms: one p-value is the test's own") {
  for (const double p : {1e-6, 0.025, 0.05, 0.5, 1.0}) {
    CHECK(SequentialTest(1).add(p) == Approx(p));
    CHECK(SequentialTest(1).if_next(p) == Approx(p));
  }
  CHECK(likelihood_of_p(0.05) == Approx(0.5));
  CHECK(likelihood_of_p(1) == Approx(0.05 / 1.05));
  CHECK(log_evidence_of_alarm(1) == Approx(evidence_of(0.05)));
}

TEST_CASE("[statistics] false alarms: two p-values, against a sum over both") {
  for (const double evidence : {-0.7, -0.2, 0.3, 1.0, 2.0, 3.5}) {
    CAPTURE(evidence);
    for (const double power : {1.0, 0.4}) {
      const double chance = chance_of_evidence(evidence, {power, power}), grid = by_grid(evidence, power);
      CHECK(chance >= grid - 0.0005);
      CHECK(chance <= grid + 0.002);
    }
  }
}

TEST_CASE("[statistics] false alarms: of many uniform p-values as many sequences have an alarm as may") {
  Random random(5);
  constexpr int sequences = 20000;
  for (const std::size_t length : {3, 5, 20}) {
    int alarms = 0, test_alarms = 0;
    const double threshold = log_evidence_of_alarm(length);
    for (int s = 0; s < sequences; ++s) {
      SequentialEvidence evidence;
      SequentialTest test(length);
      bool alarm = false, test_alarm = false;
      for (std::size_t t = 0; t < length; ++t) {
        const double p = 1 - random.uniform();
        alarm |= evidence.add({p}) >= threshold;
        if (s < 500) test_alarm |= test.add(p) <= false_alarm_rate;
      }
      alarms += alarm;
      if (s < 500) test_alarms += test_alarm - alarm;
    }
    CHECK(test_alarms == 0);  // the threshold and the p-value say the same
    CAPTURE(length, alarms);
    const double expected = false_alarm_rate * sequences, spread = std::sqrt(expected);
    CHECK(alarms <= expected + 3 * spread);
    CHECK(alarms >= expected - 0.002 * sequences - 3 * spread);  // and hardly fewer
  }
}

TEST_CASE(
    "[statistics] false alarms: chances grow with the length and fall with the evidence and the power") {
  double last = 1;
  for (double evidence = -1; evidence < 6; evidence += 0.25) {
    const double chance = chance_of_evidence(evidence, std::vector<double>(4, 1.0));
    CHECK(chance <= last);
    CHECK(chance <= chance_of_evidence(evidence, std::vector<double>(5, 1.0)));
    CHECK(chance <= chance_of_evidence(evidence, {1, 1, 0.5, 1}));
    last = chance;
  }
  CHECK(chance_of_evidence(-2, {1}) == 1);  // below one p-value's worth
  CHECK(chance_of_evidence(3, {1, 0}) == Approx(1));
  CHECK(chance_of_evidence(3, {}) == 0);
}

TEST_CASE("[statistics] false alarms: of each level of a trial the smallest p-value so far counts") {
  LevelsTest trial(2);
  SequentialTest expected(2);
  CHECK(trial.likelihood(7, 0.04) == likelihood_of_p(expected.if_next(0.04)));
  CHECK(trial.likelihood(7, 0.5) == likelihood_of_p(expected.if_next(0.04)));
  expected.add(0.04);
  CHECK(trial.likelihood(3, 1) == likelihood_of_p(expected.if_next(1)));
  CHECK(trial.likelihood(3, 0.2) == likelihood_of_p(expected.if_next(0.2)));
  for (const double p : {0.0, -0.1, 1.1, std::nan("")}) {
    CHECK_THROWS_WITH(trial.likelihood(3, p), Catch::Contains("allowed are those over 0 to 1"));
    CHECK_THROWS_WITH(trial.likelihood(4, p), Catch::Contains("allowed are those over 0 to 1"));
  }
  CHECK_THROWS_WITH(trial.likelihood(4, 0.2), Catch::Contains("more than the 2 p-values"));
  CHECK(trial.likelihood(3, 0.1) == likelihood_of_p(expected.if_next(0.1)));  // as before
  CHECK_THROWS_AS(LevelsTest(0), Error);
}

TEST_CASE("[statistics] false alarms: bad p-values, and too many of them") {
  CHECK_THROWS_AS(SequentialTest(0), Error);
  SequentialTest test(2);
  for (const double p : {0.0, -0.1, 1.1, std::nan("")}) {
    CHECK_THROWS_AS(test.add(p), Error);
    CHECK_THROWS_AS(test.if_next(p), Error);
  }
  const double next = test.if_next(0.3);
  CHECK(test.if_next(0.3) == next);  // nothing has changed
  CHECK(test.add(0.3) == next);
  test.add(0.3);
  CHECK_THROWS_AS(test.add(0.3), Error);
}

TEST_CASE("[statistics] calibrated scores: four of them, by hand") {
  const CalibratedScores scores({3, 1, 2, 4}, 0.75);
  CHECK(scores.size() == 4);
  CHECK(scores.rank(5) == Approx(1 / 5.0));
  CHECK(scores.rank(4) == Approx(2 / 5.0));  // as large
  CHECK(scores.rank(2.5) == Approx(3 / 5.0));
  CHECK(scores.rank(0) == 1);
  // k = 2: 1 - sqrt(0.25), 1 - sqrt(0.25 x 3 x 2/(4 x 3)), 1 - sqrt(0.25 x 2 x 1/(4 x 3)).
  CHECK(scores.p(5) == Approx(0.5));
  CHECK(scores.p(4) == Approx(1 - std::sqrt(0.125)));
  CHECK(scores.p(3) == Approx(1 - std::sqrt(0.25 / 6)));
  CHECK(scores.p(2) == 1);
  CHECK(CalibratedScores({7}, 0.9).p(8) == Approx(0.9));  // one score says so little
  CHECK_THROWS_AS(CalibratedScores({}), Error);
  CHECK_THROWS_AS(CalibratedScores({1, std::nan("")}), Error);
  for (const double confidence : {0.0, 1.0, -1.0, std::nan("")})
    CHECK_THROWS_AS(CalibratedScores({1}, confidence), Error);
  CHECK_THROWS_AS(scores.p(std::nan("")), Error);
}

TEST_CASE("[statistics] calibrated scores: valid for all scores at once in as many sets as said") {
  Random random(6);
  constexpr int sets = 2000;
  for (const std::size_t n : {40, 400}) {
    int wrong = 0;
    for (int s = 0; s < sets; ++s) {
      std::vector<double> normal(n);
      for (double& score : normal) score = random.uniform();
      const CalibratedScores scores(normal, 0.9);
      std::sort(normal.begin(), normal.end());
      // A new score is above x with the chance 1 - x; p is largest wrong just above a normal score.
      bool all = true;
      double below = 0;
      for (const double score : normal) {
        all &= 1 - below <= scores.p(std::nextafter(below, 1.0)) + 1e-9;
        below = score;
      }
      wrong += !all;
    }
    CAPTURE(n, wrong);
    CHECK(wrong <= 0.1 * sets + 3 * std::sqrt(0.1 * sets));
    CHECK(wrong > 0.02 * sets);  // not idle
  }
}

TEST_CASE(
    "[statistics] calibrated scores: a set that is used again and again keeps the bound on false alarms") {
  Random random(8);
  constexpr int sets = 100, trials = 400;
  constexpr std::size_t levels = 3;
  int over = 0;
  for (int s = 0; s < sets; ++s) {
    std::vector<double> normal(300);
    for (double& score : normal) score = random.normal();
    const CalibratedScores scores(normal, 0.9);
    int alarms = 0;
    for (int i = 0; i < trials; ++i) {
      SequentialTest trial(levels);
      bool alarm = false;
      for (std::size_t level = 0; level < levels; ++level)
        alarm |= trial.add(scores.p(random.normal())) <= false_alarm_rate;
      alarms += alarm;
    }
    // More than the bound, and than chance explains.
    over += alarms > false_alarm_rate * trials + 2 * std::sqrt(false_alarm_rate * trials);
  }
  CHECK(over <= 10);
}
