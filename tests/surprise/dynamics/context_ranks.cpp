/// \file  Ranks in a context.
#include "surprise/dynamics/context_ranks.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[dynamics] ranks: uniform whatever the context, though the score grows with it") {
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

TEST_CASE("[dynamics] ranks: too few normal shots say nothing, and ties count as likely") {
  CHECK(rank_contexts(std::vector<ContextScore>(least_normal_shots - 1)).above(0, 1e9) == 1);
  const ContextRanks tied = rank_contexts(std::vector<ContextScore>(300, {1, 7}));
  CHECK(tied.above(1, 7) > 0.9);
  CHECK(tied.below(1, 7) > 0.9);
  CHECK(tied.above(1, 7.1) == least_p);
}

TEST_CASE("[dynamics] scores by context: the share of normal shots at least as high, by counting") {
  std::vector<ContextScore> normal;
  for (int i = 0; i < 500; ++i) normal.push_back({i < 250 ? 1.0 : 2.0, static_cast<double>(i)});
  const ContextScores scores = scores_by_context(normal);
  REQUIRE(scores.bins.size() == 2);
  CHECK(scores.above(1, 249) == 2.0 / 251);
  CHECK(scores.above(2, 249) == 1);
  CHECK(scores.above(1, 1e300) == 1.0 / 251);
  CHECK(scores.above(9, 499.5) == 1.0 / 251);
  CHECK(scores_by_context(std::vector<ContextScore>(300, {1, 7})).above(1, 7) == 1);
  CHECK(scores_by_context(std::vector<ContextScore>(least_normal_shots - 1)).above(0, 1e9) == 1);
}
