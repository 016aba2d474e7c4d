// Algorithms 2 and 3 as arithmetic on what states look like, against sums done by hand and against the
// algorithms as printed.

#include <cmath>

#include "core/random.hpp"
#include "difficulty/difficulty.hpp"
#include "difficulty/rollout.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// A state of a tree that is written down: what it looks like, and where each of its best shots leads.
struct Node {
  StateView view;
  std::vector<std::size_t> next;  ///< one a best shot; one where there is none
};

/// N targets, n detectable; for each best shot, all equally likely, whether it makes the novelty visible, and
/// the node it leads to.
Node node(int targets, int detectable, const std::vector<char>& p_visible = {},
          std::vector<std::size_t> next = {}) {
  Node result{{{targets, detectable}, {}}, std::move(next)};
  for (const char s : p_visible)
    result.view.best_shots.push_back({1.0 / static_cast<double>(p_visible.size()), s != 0 ? 1.0 : 0.0});
  return result;
}

struct Place {
  std::size_t node, number;  ///< number: of the way here, so that places differ
};

/// From node 0. Without `join` the same node reached on two ways stays two states.
RolloutResult tree_rollout(const std::vector<Node>& tree, std::size_t birds, std::size_t most_states = 1000,
                           bool join = true) {
  std::size_t places = 0;
  return rollout(
      Place{0, 0}, {.birds = birds, .most_states = most_states},
      [&](Place& place, const StateChance&) { return tree[place.node].view; },
      [&](const Place& place, std::optional<std::size_t> shot) {
        return Place{tree[place.node].next.at(shot.value_or(0)), ++places};
      },
      [&](const Place& place) { return std::pair(place.node, join ? 0 : place.number); });
}

/// A chain: no ties.
struct Counts {
  int targets, detectable;
  bool best_detectable;
};
RolloutResult chain(const std::vector<Counts>& counts, std::size_t birds) {
  std::vector<Node> tree;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const Counts& c = counts[i];
    tree.push_back(node(c.targets, c.detectable,
                        c.targets > 0 ? std::vector<char>{c.best_detectable} : std::vector<char>{}, {i + 1}));
  }
  return tree_rollout(tree, birds);
}
double pid_of(const RolloutResult& result, std::size_t birds) {
  return expected_difficulty(result.ends.pid, birds);
}
double bid_of(const RolloutResult& result, std::size_t birds) {
  return expected_difficulty(result.ends.bid, birds);
}

}  // namespace

TEST_CASE("[difficulty] chances: PID and BID by hand") {
  // Two targets, each shows it with chance 1/4; so does the only best shot. Then one target, which is sure
  // to. Two birds. PID = (E[M1] + P(M1 = 1) M2)/2 = (3/4 + 9/16 x 0)/2 = 3/8.   BID = 1/4 x 0 + 3/4 x 1/2 =
  // 3/8.
  Node first = node(2, 0, {0}, {1});
  first.view.counts.chances = VisibilityChances{.targets = 0.5, .nothing = 0.5625};
  first.view.best_shots.front().p_visible = 0.25;
  CHECK(share_undetectable(first.view.counts) == 0.75);
  const RolloutResult result = tree_rollout({first, node(1, 1, {1})}, 2);
  CHECK(result.states == 2);
  CHECK(pid_of(result, 2) == Approx(0.375));
  CHECK(bid_of(result, 2) == Approx(0.375));
  REQUIRE(result.ends.pid.size() == 2);
  CHECK(result.ends.pid[0].probability == Approx(0.4375));
  CHECK(result.ends.pid[0].undetectable == Approx(3.0 / 7));  // (3/4 - 9/16)/(7/16)

  // Both with chance 3/4 and three birds: one state is looked at. PID: M where shown = (1/4 - 1/16)/(15/16) =
  // 1/5; (1/5 + 1/16 (1 + 1/5 - 1/5) + ...)/3. E[outcome] = sum over j of (j - 1 + 1/5) 15/16 (1/16)^(j-1),
  // and 3 where none of three shows, over 3. BID: (0 x 3/4 + 1 x 3/16 + 2 x 3/64 + 3 x 1/64)/3.
  first.view.counts.chances = VisibilityChances{.targets = 1.5, .nothing = 0.0625};
  first.view.best_shots.front().p_visible = 0.75;
  const RolloutResult likely = tree_rollout({first}, 3);
  CHECK(likely.states == 1);
  CHECK(bid_of(likely, 3) == Approx((3.0 / 16 + 2 * 3.0 / 64 + 3.0 / 64) / 3));
  CHECK(pid_of(likely, 3) == Approx((0.2 * 15 / 16 + 1.2 * 15 / 256 + 2.2 * 15 / 4096 + 3.0 / 4096) / 3));
}

TEST_CASE("[difficulty] M: the share of targets that show nothing, 1 without targets") {
  CHECK(share_undetectable({.targets = 4, .detectable = 0}) == 1);
  CHECK(share_undetectable({.targets = 4, .detectable = 1}) == 0.75);
  CHECK(share_undetectable({.targets = 4, .detectable = 4}) == 0);
  CHECK(share_undetectable({.targets = 0, .detectable = 0}) == 1);
}

TEST_CASE("[difficulty] PID and BID: first shot of three makes nothing visible, second may, third does") {
  // PID: M_1 = (4 - 0)/4 = 1; M_2 = (3 - 1)/3 = 2/3, not 1: stop. (1 + 2/3)/3 = 5/9.
  // BID: the best targets of interactions 1 and 2 show nothing, that of 3 does: (3 - 1)/3 = 2/3.
  const RolloutResult result = chain({{4, 0, false}, {3, 1, false}, {2, 2, true}}, 3);
  CHECK(pid_of(result, 3) == Approx(5.0 / 9));
  CHECK(bid_of(result, 3) == Approx(2.0 / 3));
  CHECK(result.states == 3);
  // The same states with six birds, and with two: (1 + 2/3)/6, 2/6; (1 + 2/3)/2, and never.
  CHECK(pid_of(result, 6) == Approx(5.0 / 18));
  CHECK(bid_of(result, 6) == Approx(1.0 / 3));
  CHECK(pid_of(result, 2) == Approx(5.0 / 6));
  CHECK(bid_of(result, 2) == 1);
}

TEST_CASE("[difficulty] PID and BID: every target makes the novelty visible at once") {
  const RolloutResult result = chain({{5, 5, true}}, 4);
  CHECK(pid_of(result, 4) == 0);
  CHECK(bid_of(result, 4) == 0);
}

TEST_CASE("[difficulty] PID and BID: nothing ever shows it, with a bird for which there is no target") {
  const RolloutResult result = chain({{4, 0, false}, {2, 0, false}, {0, 0, false}}, 3);
  CHECK(result.states == 3);
  CHECK(pid_of(result, 3) == 1);
  CHECK(bid_of(result, 3) == 1);
}

TEST_CASE("[difficulty] PID and BID: a detectable target that is never the best ends PID but not BID") {
  // M_1 = 1/2: PID = 0.5/2. BID: never, hence (2 + 1 - 1)/2 = 1.
  const RolloutResult result = chain({{2, 1, false}, {2, 1, false}}, 2);
  CHECK(pid_of(result, 2) == 0.25);
  CHECK(bid_of(result, 2) == 1);
}

TEST_CASE("[difficulty] PID and BID: without birds nothing can be detected") {
  const RolloutResult result = chain({{1, 1, true}}, 0);
  CHECK(result.states == 0);
  CHECK(pid_of(result, 0) == 1);
  CHECK(bid_of(result, 0) == 1);
}

TEST_CASE("[difficulty] ties: PID and BID are expectations over best shots, by hand") {
  // Three birds. State 0: N = 4, n = 0, two best targets tie, to states 1 and 2.
  // State 1: N = 2, n = 1, one best target, which shows it. State 2: N = 3, n = 0, one best target, to state
  // 3: N = 1, n = 1, shown. PID: M = 1 in state 0. Through 1: (1 + 1/2)/3 = 1/2. Through 2: (1 + 1 + 0)/3 =
  // 2/3. Mean 7/12. BID: through 1 the second shot, 1/3; through 2 the third, 2/3. Mean 1/2.
  const RolloutResult result = tree_rollout(
      {node(4, 0, {false, false}, {1, 2}), node(2, 1, {true}), node(3, 0, {false}, {3}), node(1, 1, {true})},
      3);
  CHECK(pid_of(result, 3) == Approx(7.0 / 12));
  CHECK(bid_of(result, 3) == Approx(0.5));
  CHECK(result.pid_error == 0);
  CHECK(result.bid_error == 0);
}

TEST_CASE("[difficulty] ties: part of the best shots shows it, the rest goes on where PID has ended") {
  // Two birds. N = 4, n = 1; of four best shots one shows it. PID = (3/4)/2 = 3/8, whatever follows. The
  // three others lead to one state, in which the best target shows it: BID = 1/4 x 0 + 3/4 x 1/2 = 3/8.
  // Joined it is looked at once.
  const std::vector<Node> tree{node(4, 1, {true, false, false, false}, {1, 1, 1, 1}), node(4, 1, {true})};
  for (const bool join : {true, false}) {
    const RolloutResult result = tree_rollout(tree, 2, 1000, join);
    CHECK(pid_of(result, 2) == 3.0 / 8);
    CHECK(bid_of(result, 2) == Approx(3.0 / 8));
    CHECK(result.states == (join ? 2 : 4));
    CHECK(result.ends.pid.size() == 1);
  }
}

TEST_CASE("[difficulty] ties: seven ways to the same end leave no rounding") {
  const std::vector<Node> tree{node(7, 0, std::vector<char>(7, false), {1, 1, 1, 1, 1, 1, 1}),
                               node(3, 1, std::vector<char>(3, true))};
  const RolloutResult result = tree_rollout(tree, 3, 1000, false);
  CHECK(bid_of(result, 3) == 1.0 / 3);
  CHECK(pid_of(result, 3) == (1 + 2.0 / 3) / 3);
  const RolloutResult never = tree_rollout({node(7, 0, std::vector<char>(7, false), {0, 0, 0, 0, 0, 0, 0})},
                                           4, 1000, true);
  CHECK(pid_of(never, 4) == 1);
  CHECK(bid_of(never, 4) == 1);
}

namespace {

/// Algorithm 2 line by line as printed.
double algorithm_2(const std::vector<Counts>& interactions, std::size_t birds) {
  double pid = 0;
  for (std::size_t i = 0; i < birds; ++i) {
    const double N = interactions[i].targets, n = interactions[i].detectable;
    const double M = N == 0 ? 1 : (N - n) / N;
    pid += M;
    if (M != 1) break;
  }
  return pid / static_cast<double>(birds);
}

/// Algorithm 3 line by line as printed.
double algorithm_3(const std::vector<Counts>& interactions, std::size_t birds) {
  double bid = 0;
  bool detection_flag = false;
  for (std::size_t i = 0; i < birds; ++i) {
    bid = bid + 1;
    if (interactions[i].best_detectable) {
      detection_flag = true;
      break;
    }
  }
  if (!detection_flag) bid = static_cast<double>(birds) + 1;
  return (bid - 1) / static_cast<double>(birds);
}

std::vector<Counts> random_chain(Random& random, std::size_t birds) {
  std::vector<Counts> interactions;
  for (std::size_t i = 0; i < birds; ++i) {
    Counts counts{random.integer(0, 5), 0, false};
    if (random.chance(0.5)) counts.detectable = random.integer(0, counts.targets);
    counts.best_detectable = counts.detectable > 0 &&
                             random.chance(static_cast<double>(counts.detectable) / counts.targets);
    interactions.push_back(counts);
    if (counts.best_detectable) break;
  }
  return interactions;
}

/// Nodes in layers, one a shot, so that a rollout comes through each layer once.
std::vector<Node> random_tree(Random& random, std::size_t birds, std::size_t width) {
  std::vector<Node> tree;
  for (std::size_t i = 0; i <= birds; ++i) {
    const std::size_t next = tree.size() + (i == 0 ? 1 : width);
    for (std::size_t k = 0; k < (i == 0 ? 1 : width); ++k) {
      const int targets = random.integer(1, 8),
                detectable = random.chance(0.6) ? 0 : random.integer(1, targets);
      std::vector<char> p_visible;
      std::vector<std::size_t> to;
      for (int s = random.integer(1, targets); s > 0; --s) {
        p_visible.push_back(detectable > 0 && random.chance(0.4));
        to.push_back(next + static_cast<std::size_t>(random.integer(0, static_cast<int>(width) - 1)));
      }
      tree.push_back(node(targets, detectable, p_visible, to));
    }
  }
  return tree;
}

}  // namespace

TEST_CASE("[difficulty] PID and BID: without ties equal to the algorithms as printed, and in [0, 1]") {
  Random random(7);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::size_t birds = static_cast<std::size_t>(random.integer(1, 6));
    const auto counts = random_chain(random, birds);
    const RolloutResult result = chain(counts, birds);
    const double pid = pid_of(result, birds), bid = bid_of(result, birds);
    REQUIRE(pid == algorithm_2(counts, birds));
    REQUIRE(bid == algorithm_3(counts, birds));
    REQUIRE((pid >= 0 && pid <= 1));
    REQUIRE((bid >= 0 && bid <= 1));
  }
}

TEST_CASE(
    "[difficulty] ties: joined states change nothing, and resampled ones no more than the stated bound") {
  Random random(9);
  double most_error = 0;
  std::size_t thinned = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t birds = static_cast<std::size_t>(random.integer(1, 4));
    const std::vector<Node> tree = random_tree(random, birds, 6);
    const RolloutResult exact = tree_rollout(tree, birds, 1000000, true),
                        apart = tree_rollout(tree, birds, 1000000, false);
    const double pid = pid_of(exact, birds), bid = bid_of(exact, birds);
    REQUIRE(exact.bid_error == 0);
    REQUIRE(pid_of(apart, birds) == Approx(pid).margin(1e-9));
    REQUIRE(bid_of(apart, birds) == Approx(bid).margin(1e-9));
    for (const std::size_t most : {1, 2, 4}) {
      const RolloutResult fewer = tree_rollout(tree, birds, most, false);
      REQUIRE(fewer.states <= 1 + (birds - 1) * most);
      REQUIRE(std::fabs(pid_of(fewer, birds) - pid) <= fewer.pid_error + 1e-9);
      REQUIRE(std::fabs(bid_of(fewer, birds) - bid) <= fewer.bid_error + 1e-9);
      thinned += fewer.bid_error > 0;
      most_error = std::max(most_error, std::fabs(bid_of(fewer, birds) - bid));
    }
  }
  CHECK(thinned > 300);
  CHECK(most_error > 0);
}

TEST_CASE("[difficulty] PID: more detectable targets never make it harder") {
  Random random(8);
  for (int trial = 0; trial < 1000; ++trial) {
    const std::size_t birds = static_cast<std::size_t>(random.integer(1, 5));
    const auto counts = random_chain(random, birds);
    auto easier = counts;
    Counts& one = random.chance(0.5) ? easier.front() : easier.back();
    if (one.detectable < one.targets) ++one.detectable;
    REQUIRE(pid_of(chain(easier, birds), birds) <= pid_of(chain(counts, birds), birds));
  }
}

TEST_CASE("[difficulty] chances: a best shot that shows it with chance 1/2 is not followed, one below is") {
  // Three birds. BID of the chance 1/2: (0 x 1/2 + 1 x 1/4 + 2 x 1/8 + 3 x 1/8)/3.
  Node even = node(1, 0, {0}, {1});
  even.view.counts.chances = VisibilityChances{.targets = 0.5, .nothing = 0.5};
  even.view.best_shots.front().p_visible = 0.5;
  const RolloutResult not_followed = tree_rollout({even, node(1, 0, {0}, {1})}, 3);
  CHECK(not_followed.states == 1);
  CHECK(bid_of(not_followed, 3) == Approx((1.0 / 4 + 2.0 / 8 + 3.0 / 8) / 3));
  even.view.best_shots.front().p_visible = 0.49;
  CHECK(tree_rollout({even, node(1, 0, {0}, {1})}, 3).states == 3);
}

TEST_CASE("[difficulty] chances: of two best shots each counts by its probability") {
  // Two birds, two best shots with probability 1/4 and 3/4. They show it with chance 0.4 and 0; the next
  // target is sure to. BID = 0.1 x 0 + 0.9 x 1/2.
  Node first = node(2, 0, {0, 0}, {1, 1});
  first.view.counts.chances = VisibilityChances{.targets = 0.4, .nothing = 0.6};
  first.view.best_shots = {{0.25, 0.4}, {0.75, 0}};
  const RolloutResult result = tree_rollout({first, node(1, 1, {1})}, 2);
  CHECK(bid_of(result, 2) == Approx(0.45));
  REQUIRE(result.ends.bid.size() == 2);
  CHECK(result.ends.bid[0].probability == Approx(0.1));
  CHECK(result.ends.bid[1].probability == Approx(0.9));
}

TEST_CASE(
    "[difficulty] PID and BID: a bird without targets is spent, the next goes on with the same chance") {
  // M = 1, then 0; the second shot shows it: both (2 - 1)/2.
  const RolloutResult result = chain({{0, 0, false}, {1, 1, true}}, 2);
  CHECK(pid_of(result, 2) == 0.5);
  CHECK(bid_of(result, 2) == 0.5);
  REQUIRE(result.ends.bid.size() == 1);
  CHECK(result.ends.bid[0].probability == 1);
  CHECK(result.ends.pid[0].probability == 1);
}

TEST_CASE("[difficulty] resampling: states at even distances stand for all, PID keeps its sum and shares") {
  using Weighted = rollout_detail::WeightedState<int>;
  const auto resampled = [](std::vector<Weighted> states, std::size_t most) {
    rollout_detail::resample(states, most);
    return states;
  };
  // The middle of all lies in the second.
  const std::vector<Weighted> one = resampled({{0, {2, 0.3, 0.3}}, {1, {2, 0.4, 0}}, {2, {2, 0.3, 0.2}}}, 1);
  REQUIRE(one.size() == 1);
  CHECK(one[0].state == 1);
  CHECK(one[0].chance.reached == Approx(1));
  CHECK(one[0].chance.pid == 0);
  // A quarter and three quarters of the way lie in the first and the third. Standing for 1/2 each, they have
  // 0.4 x 0.5/0.4 and 0.15 x 0.5/0.3 for PID: 2 to 1 of the sum 0.85.
  const std::vector<Weighted> two = resampled(
      {{0, {2, 0.4, 0.4}}, {1, {2, 0.1, 0.1}}, {2, {2, 0.3, 0.15}}, {3, {2, 0.2, 0.2}}}, 2);
  REQUIRE(two.size() == 2);
  CHECK(two[0].state == 0);
  CHECK(two[1].state == 2);
  CHECK(two[0].chance.reached == Approx(0.5));
  CHECK(two[1].chance.reached == Approx(0.5));
  CHECK(two[0].chance.pid == Approx(0.85 * 2 / 3));
  CHECK(two[1].chance.pid == Approx(0.85 / 3));
  // A point between two states belongs to the later one.
  const StateChance quarter{2, 0.25, 0.25};
  const std::vector<Weighted> even = resampled({{0, quarter}, {1, quarter}, {2, quarter}, {3, quarter}}, 2);
  REQUIRE(even.size() == 2);
  CHECK(even[0].state == 1);
  CHECK(even[1].state == 3);
}

TEST_CASE("[difficulty] chances: a likely best shot among others ends by its own probability") {
  // Two birds, two best shots with probability 1/2: one shows it with chance 3/4, the other leads to a state
  // whose target is sure to. BID = 3/8 x 0 + 3/32 x 1/2 + 1/32 x 1 + 1/2 x 1/2.
  Node first = node(2, 0, {0, 0}, {1, 1});
  first.view.counts.chances = VisibilityChances{.targets = 0.75, .nothing = 0.25};
  first.view.best_shots = {{0.5, 0.75}, {0.5, 0}};
  const RolloutResult result = tree_rollout({first, node(1, 1, {1})}, 2);
  CHECK(bid_of(result, 2) == Approx(3.0 / 64 + 1.0 / 32 + 1.0 / 4));
  // Ends of one interaction stay in the order in which they were found.
  REQUIRE(result.ends.bid.size() == 3);
  CHECK(result.ends.bid[1].probability == Approx(3.0 / 32));
  CHECK(result.ends.bid[2].probability == Approx(1.0 / 2));
}

TEST_CASE("[difficulty] resampling: the error is the probability of all, times what was open to them") {
  // Three birds; three states after the first shot, of which one is kept: two birds of three are open.
  const std::vector<Node> tree{node(3, 0, {0, 0, 0}, {1, 2, 3}), node(1, 0, {0}, {1}), node(2, 0, {0}, {2}),
                               node(3, 0, {0}, {3})};
  const RolloutResult result = tree_rollout(tree, 3, 1);
  CHECK(result.pid_error == Approx(2.0 / 3));
  CHECK(result.bid_error == Approx(2.0 / 3));
  CHECK(tree_rollout(tree, 3, 3).pid_error == 0);
}

TEST_CASE("[difficulty] best shots that all make it visible do so with a chance of just 1") {
  Interaction interaction;
  for (std::size_t k = 0; k < 49; ++k) interaction.best_shots.push_back({{1.0 / 49, 1}, k, 0, {}});
  CHECK(interaction.best_detectable() == 1);
  interaction.best_shots.back().p_visible = 0.5;
  CHECK(interaction.best_detectable() == Approx(48.5 / 49));
  CHECK(Interaction{}.best_detectable() == 0);
}

TEST_CASE("[difficulty] detected at: the mean over those rollouts in which the novelty becomes visible") {
  CHECK(detected_at({.pid = {}, .bid = {{1, 0, 0.25}, {2, 0, 0.25}}}) == Approx(1.5));
  CHECK(detected_at({.pid = {}, .bid = {{1, 0, 0.1}, {3, 0, 0.3}}}) == Approx(2.5));
  CHECK(detected_at({.pid = {}, .bid = {{3, 0, 0.3}}}) == 3.0);
  CHECK_FALSE(detected_at({}).has_value());
}

TEST_CASE("[difficulty] expectation: what ends after the last bird does not end") {
  // Two birds: (0 + 1/2)/2 with probability 1/2, and 1.
  CHECK(expected_difficulty({{1, 0.5, 0.5}, {4, 0, 0.5}}, 2) == Approx(0.625));
  CHECK(expected_difficulty({{2, 0.5, 0.5}, {3, 0, 0.5}}, 2) == Approx(0.875));
  CHECK(expected_difficulty({{2, 0, 1}}, 2) == 0.5);
  CHECK(expected_difficulty({{3, 0, 1}}, 2) == 1);
}

TEST_CASE("[difficulty] chances: likely best shots that tie leave PID each its share") {
  // Three birds; nothing is visible with chance 1/2; two best shots that show it with chance 1/2. Half of PID
  // ends at once; each shot keeps 1/4, of which half ends at each later bird.
  Node tie = node(2, 0, {0, 0}, {1, 1});
  tie.view.counts.chances = VisibilityChances{.targets = 0.5, .nothing = 0.5};
  tie.view.best_shots = {{0.5, 0.5}, {0.5, 0.5}};
  const RolloutResult result = tree_rollout({tie, node(1, 0, {0}, {1})}, 3);
  std::vector<double> at(4, 0);
  for (const RolloutEnd& end : result.ends.pid) {
    at[end.interaction] += end.probability;
    CHECK(end.undetectable == Approx(0.5));  // (3/4 - 1/2)/(1 - 1/2)
  }
  CHECK(at[1] == Approx(0.5));
  CHECK(at[2] == Approx(0.25));
  CHECK(at[3] == Approx(0.125));
  std::vector<double> bid(4, 0);
  for (const RolloutEnd& end : result.ends.bid) bid[end.interaction] += end.probability;
  CHECK(bid[1] == Approx(0.5));
  CHECK(bid[2] == Approx(0.25));
  CHECK(bid[3] == Approx(0.125));
}

TEST_CASE("[difficulty] chances: where PID has ended a likely best shot adds nothing to it") {
  Node ended = node(2, 1, {0}, {1});
  ended.view.best_shots = {{1, 0.75}};
  const RolloutResult result = tree_rollout({ended, node(1, 0, {0}, {1})}, 3);
  REQUIRE(result.ends.pid.size() == 1);
  CHECK(result.ends.pid[0].interaction == 1);
  CHECK(result.ends.pid[0].probability == 1);
}

TEST_CASE(
    "[difficulty] resampling: of most states a part as large as the probability to come so far is kept") {
  // Three best shots make it visible with a chance of 0.4875: 0.5125 goes on, 2.05 of at most four states, so
  // three. With 0.49 it is 2.04; with 0.5, just two.
  Node first = node(3, 0, {0, 0, 0}, {1, 2, 3});
  first.view.counts.chances = VisibilityChances{.targets = 0.6, .nothing = 0.4};
  const auto error = [&](double p_visible, std::size_t most) {
    for (ShotChoice& shot : first.view.best_shots) shot.p_visible = p_visible;
    return tree_rollout({first, node(1, 0, {0}, {1}), node(2, 0, {0}, {2}), node(3, 0, {0}, {3})}, 2, most)
        .bid_error;
  };
  CHECK(error(0.4875, 4) == 0);
  CHECK(error(0.49, 4) == 0);
  CHECK(error(0.4, 4) == 0);
  CHECK(error(0.4, 3) > 0);
  CHECK(error(0.4875, 3) == Approx(0.5125 / 2));
}
