/// \file  Ranks in a context, and evidence that is added up.
#include "detection/sequential_evidence.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "detection/context_ranks.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[detection] evidence: one statistic, by hand") {
  // 0.47 x 0.05^-0.53 = 2.2996; then 0.47 x 1; then again from 1.
  SequentialEvidence evidence;
  CHECK(evidence.value() == 0);
  CHECK(evidence.add({0.05}) == Approx(std::log(0.47 * std::pow(0.05, -0.53))));
  CHECK(evidence.add({1}) == Approx(std::log(0.47 * std::pow(0.05, -0.53) * 0.47)));
  SequentialEvidence low;
  low.add({1});
  low.add({1});
  CHECK(low.add({1}) == Approx(std::log(0.47)));  // never below one shot's worth
  CHECK(likelihood_of_evidence(std::log(alarm_evidence)) == Approx(0.5));
  CHECK(likelihood_of_evidence(-1e3) == Approx(0).margin(1e-12));
  CHECK_THROWS_AS(evidence.add({0.5, 0.5}), Error);
  for (const double p : {0.0, -0.1, 1.1, std::nan("")}) CHECK_THROWS_AS(evidence.add({p}), Error);
}

TEST_CASE("[detection] evidence: the same statistic shot after shot weighs more than another one each time") {
  SequentialEvidence same, other;
  for (int shot = 0; shot < 4; ++shot) {
    same.add({0.01, 1, 1, 1});
    std::vector<double> moving(4, 1.0);
    moving[static_cast<std::size_t>(shot)] = 0.01;
    other.add(moving);
  }
  CHECK(same.value() > other.value() + 2);
}

TEST_CASE(
    "[detection] evidence: a factor has the mean 1, and uniform p-values pass c after c shots or more on "
    "average") {
  double sum = 0;
  constexpr int steps = 200000;
  for (int i = 0; i < steps; ++i) sum += e_value((i + 0.5) / steps) / steps;
  CHECK(sum == Approx(1).epsilon(0.01));
  Random random(1);
  int shots = 0, alarms = 0;
  while (shots < 40000) {
    SequentialEvidence evidence;
    bool passed = false;
    while (!passed && shots < 40000) {
      passed = evidence.add({1 - random.uniform(), 1 - random.uniform(), 1 - random.uniform()}) >=
               std::log(alarm_evidence);
      ++shots;
    }
    alarms += passed;
  }
  CHECK(static_cast<double>(shots) / alarms >= alarm_evidence);
}

TEST_CASE("[detection] ranks: uniform whatever the context, though the score grows with it") {
  Random random(2);
  const auto draw = [&](std::size_t count) {
    std::vector<ContextScore> scores;
    for (std::size_t i = 0; i < count; ++i) {
      const double context = random.uniform(0, 10);
      scores.push_back({context, context * (5 + random.normal())});
    }
    return scores;
  };
  const ContextRanks ranks = rank_contexts(draw(5000));
  CHECK(ranks.bins.size() == 10);
  for (const double edge : {2.0, 5.0, 10.0}) {
    int low = 0, high = 0, count = 0;
    for (const ContextScore& score : draw(6000)) {
      if (score.context < edge - 2 || score.context > edge) continue;
      ++count;
      low += ranks.below(score.context, score.score) <= 0.05;
      high += ranks.above(score.context, score.score) <= 0.05;
    }
    CHECK(low < 0.085 * count);
    CHECK(high < 0.085 * count);
    CHECK(low + high > 0.05 * count);
  }
  CHECK(ranks.above(5, 1e9) == least_p);
  CHECK(ranks.below(5, 1e9) == Approx(1));
  CHECK(ranks.above(5, 25) + ranks.below(5, 25) == Approx(1));
  CHECK(ranks.above(5, 20) > ranks.above(5, 30));
}

TEST_CASE("[detection] ranks: too few normal shots say nothing, and ties count as likely") {
  CHECK(rank_contexts(std::vector<ContextScore>(least_normal_shots - 1)).above(0, 1e9) == 1);
  const ContextRanks tied = rank_contexts(std::vector<ContextScore>(300, {1, 7}));
  CHECK(tied.above(1, 7) > 0.9);
  CHECK(tied.below(1, 7) > 0.9);
  CHECK(tied.above(1, 7.1) == least_p);
}
