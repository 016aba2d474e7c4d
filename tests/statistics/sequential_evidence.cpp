/// \file  Evidence that is added up.
#include "statistics/sequential_evidence.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[statistics] evidence: one statistic, by hand") {
  // 0.47 x 0.05^-0.53 = 2.2996; then 0.47 x 1; then again from 1. What says nothing changes nothing.
  SequentialEvidence evidence;
  CHECK(evidence.value() == 0);
  CHECK(evidence.add({0.05}) == Approx(std::log(0.47 * std::pow(0.05, -0.53))));
  CHECK(evidence.add({1}) == Approx(std::log(0.47 * std::pow(0.05, -0.53) * 0.47)));
  CHECK(evidence.add({{}}) == Approx(std::log(0.47 * std::pow(0.05, -0.53) * 0.47)));
  SequentialEvidence low;
  CHECK(low.add({{}}) == 0);
  low.add({1});
  low.add({1});
  CHECK(low.add({1}) == Approx(std::log(0.47)));  // never below one shot's worth
  CHECK_THROWS_AS(evidence.add({0.5, 0.5}), Error);
  for (const double p : {0.0, -0.1, 1.1, std::nan("")}) CHECK_THROWS_AS(evidence.add({p}), Error);
}

TEST_CASE(
    "[statistics] evidence: the same statistic shot after shot weighs more than another one each time") {
  SequentialEvidence same, other;
  for (int shot = 0; shot < 4; ++shot) {
    same.add({0.01, 1, 1, 1});
    PValues moving(4, 1.0);
    moving[static_cast<std::size_t>(shot)] = 0.01;
    other.add(moving);
  }
  CHECK(same.value() > other.value() + 2);
}

TEST_CASE("[statistics] evidence: shots of which a statistic says nothing cost it nothing") {
  SequentialEvidence now_and_then, always;
  for (int shot = 0; shot < 4; ++shot) {
    now_and_then.add({0.02, 0.5});
    now_and_then.add({{}, 0.5});
    always.add({0.02, 0.25});
  }
  CHECK(now_and_then.value() == Approx(always.value()).epsilon(0.01));
  CHECK(log_evidence({0.02, {}}) == Approx(std::log((e_value(0.02) + e_value(1)) / 2)));
}

TEST_CASE(
    "[statistics] evidence: a factor has the mean 1, and uniform p-values pass c after c shots or more on "
    "average") {
  double sum = 0;
  constexpr int steps = 200000;
  for (int i = 0; i < steps; ++i) sum += e_value((i + 0.5) / steps) / steps;
  CHECK(sum == Approx(1).epsilon(0.01));
  constexpr double threshold = 10;
  Random random(1);
  int shots = 0, alarms = 0;
  while (shots < 40000) {
    SequentialEvidence evidence;
    bool passed = false;
    while (!passed && shots < 40000) {
      passed = evidence.add({1 - random.uniform(), 1 - random.uniform(), 1 - random.uniform()}) >=
               std::log(threshold);
      ++shots;
    }
    alarms += passed;
  }
  CHECK(static_cast<double>(shots) / alarms >= threshold);
}
