// Algorithms 2 and 3 as arithmetic on (N, n, best target detectable), against sums done by hand.
#include <catch2/catch.hpp>

#include "difficulty/difficulty.hpp"
#include "sim/error.hpp"
#include "sim/random.hpp"

using namespace startle;

TEST_CASE("[difficulty] M: the share of targets that show nothing, 1 without targets") {
  CHECK(share_undetectable({.targets = 4, .detectable = 0, .best_detectable = false}) == 1);
  CHECK(share_undetectable({.targets = 4, .detectable = 1, .best_detectable = false}) == 0.75);
  CHECK(share_undetectable({.targets = 4, .detectable = 4, .best_detectable = true}) == 0);
  CHECK(share_undetectable({.targets = 0, .detectable = 0, .best_detectable = false}) == 1);
}

TEST_CASE("[difficulty] PID and BID: first shot of three shows nothing, second may, third does") {
  // PID: M_1 = (4 - 0)/4 = 1; M_2 = (3 - 1)/3 = 2/3, not 1: stop. (1 + 2/3)/3 = 5/9.
  // BID: the best targets of interactions 1 and 2 show nothing, that of 3 does: (3 - 1)/3 = 2/3.
  const std::vector<InteractionCounts> walk{{4, 0, false}, {3, 1, false}, {2, 2, true}};
  CHECK(pid_length(walk) == 2);
  CHECK(probabilistic_interaction_difficulty(walk, 3) == Approx(5.0 / 9));
  CHECK(best_shot_interaction_difficulty(walk, 3) == Approx(2.0 / 3));
}

TEST_CASE("[difficulty] PID and BID: every target shows the novelty at once") {
  // M_1 = 0: PID = 0/4. The first best target shows it: BID = (1 - 1)/4.
  const std::vector<InteractionCounts> walk{{5, 5, true}};
  CHECK(probabilistic_interaction_difficulty(walk, 4) == 0);
  CHECK(best_shot_interaction_difficulty(walk, 4) == 0);
}

TEST_CASE("[difficulty] PID and BID: nothing ever shows it") {
  const std::vector<InteractionCounts> walk{{4, 0, false}, {2, 0, false}, {0, 0, false}};
  CHECK(pid_length(walk) == 3);
  CHECK(probabilistic_interaction_difficulty(walk, 3) == 1);
  CHECK(best_shot_interaction_difficulty(walk, 3) == 1);
}

TEST_CASE("[difficulty] PID and BID: a detectable target that is never the best ends PID but not BID") {
  // M_1 = 1/2: PID = 0.5/2. BID: never, hence (2 + 1 - 1)/2 = 1.
  const std::vector<InteractionCounts> walk{{2, 1, false}, {2, 1, false}};
  CHECK(pid_length(walk) == 1);
  CHECK(probabilistic_interaction_difficulty(walk, 2) == 0.25);
  CHECK(best_shot_interaction_difficulty(walk, 2) == 1);
}

TEST_CASE("[difficulty] PID and BID: without birds nothing can be detected") {
  CHECK(probabilistic_interaction_difficulty({}, 0) == 1);
  CHECK(best_shot_interaction_difficulty({}, 0) == 1);
}

TEST_CASE("[difficulty] PID and BID: a sequence that breaks off is refused") {
  CHECK_THROWS_AS(probabilistic_interaction_difficulty({{4, 0, false}}, 2), Error);
  CHECK_THROWS_AS(best_shot_interaction_difficulty({{4, 1, false}}, 2), Error);
  CHECK_THROWS_AS(best_shot_interaction_difficulty({{4, 1, true}, {4, 1, true}}, 1), Error);
}

namespace {

/// Algorithm 2 line by line as printed.
double algorithm_2(const std::vector<InteractionCounts>& walk, std::size_t birds) {
  double pid = 0;
  for (std::size_t i = 0; i < birds; ++i) {
    const double N = walk[i].targets, n = walk[i].detectable;
    const double M = N == 0 ? 1 : (N - n) / N;
    pid += M;
    if (M != 1) break;
  }
  return pid / static_cast<double>(birds);
}

/// Algorithm 3 line by line as printed.
double algorithm_3(const std::vector<InteractionCounts>& walk, std::size_t birds) {
  double bid = 0;
  bool detection_flag = false;
  for (std::size_t i = 0; i < birds; ++i) {
    bid = bid + 1;
    if (walk[i].best_detectable) {
      detection_flag = true;
      break;
    }
  }
  if (!detection_flag) bid = static_cast<double>(birds) + 1;
  return (bid - 1) / static_cast<double>(birds);
}

std::vector<InteractionCounts> random_walk(Random& random, std::size_t birds) {
  std::vector<InteractionCounts> walk;
  for (std::size_t i = 0; i < birds; ++i) {
    InteractionCounts counts{.targets = random.integer(0, 5), .detectable = 0, .best_detectable = false};
    if (random.chance(0.5)) counts.detectable = random.integer(0, counts.targets);
    counts.best_detectable = counts.detectable > 0 && random.chance(static_cast<double>(counts.detectable) / counts.targets);
    walk.push_back(counts);
    if (counts.best_detectable) break;
  }
  return walk;
}

}  // namespace

TEST_CASE("[difficulty] PID and BID: equal to the algorithms as printed, and in [0, 1]") {
  Random random(7);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::size_t birds = static_cast<std::size_t>(random.integer(1, 6));
    const auto walk = random_walk(random, birds);
    const double pid = probabilistic_interaction_difficulty(walk, birds), bid = best_shot_interaction_difficulty(walk, birds);
    REQUIRE(pid == algorithm_2(walk, birds));
    REQUIRE(bid == algorithm_3(walk, birds));
    REQUIRE((pid >= 0 && pid <= 1));
    REQUIRE((bid >= 0 && bid <= 1));
    // The best shot cannot show the novelty before any target can.
    REQUIRE(bid * static_cast<double>(birds) + 1e-9 >= static_cast<double>(pid_length(walk)) - 1);
  }
}

TEST_CASE("[difficulty] PID: more detectable targets never make it harder") {
  Random random(8);
  for (int trial = 0; trial < 1000; ++trial) {
    const std::size_t birds = static_cast<std::size_t>(random.integer(1, 5));
    const auto walk = random_walk(random, birds);
    auto easier = walk;
    InteractionCounts& one = random.chance(0.5) ? easier.front() : easier.back();
    if (one.detectable < one.targets) ++one.detectable;
    REQUIRE(probabilistic_interaction_difficulty(easier, birds) <= probabilistic_interaction_difficulty(walk, birds));
  }
}
