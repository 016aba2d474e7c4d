#pragma once
/// \file  The rollout of algorithms 2 and 3 through the states that best shots lead to, when best shots tie
/// [Pinto §4.3].
///
/// Pinto et al. shoot at the first of several best targets in the list of objects, which makes the value
/// depend on the order of a file. Here each is equally likely unless that rule is asked for (Ties), so the
/// rollout goes through a distribution over states, and PID and BID are expectations. The caller defines what
/// a state is and how it is assessed: reasoning (difficulty.hpp) and simulation
/// (simulated/simulated_difficulty.hpp) share the arithmetic.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace startle {

/// Where a share of all rollouts ends, at an interaction.
struct RolloutEnd {
  std::size_t interaction = 1;  ///< from 1
  double undetectable = 0;      ///< M of that interaction, for PID; 0 for BID
  double probability = 0;
};

/// All ends, in order of interactions. Probabilities may sum to less than 1: the rest never ends. The ends do
/// not depend on how many birds follow.
struct RolloutEnds {
  std::vector<RolloutEnd> pid;  ///< at the first interaction with M != 1 [alg. 2]
  std::vector<RolloutEnd> bid;  ///< at the first whose shot makes the novelty visible [alg. 3]
};

/// Mean number of the interaction (from 1) whose best shot makes the novelty visible, where one does; empty
/// when none does.
std::optional<double> detected_at(const RolloutEnds& ends);

/// Expectation of (interaction - 1 + M)/birds over the ends within so many birds, and of 1 for what does not
/// end within them. 1 when birds = 0, as nothing can be detected; exactly 1 when nothing ends.
double expected_difficulty(const std::vector<RolloutEnd>& ends, std::size_t birds);

/// What algorithms 2 and 3 come to. All three are in [0, 1], 1 is hardest.
struct DifficultyValues {
  double pid = 1;
  double bid = 1;
  double value = 1;  ///< alpha pid + (1 - alpha) bid
  friend bool operator==(const DifficultyValues&, const DifficultyValues&) = default;
};
DifficultyValues difficulty_values(const RolloutEnds& ends, std::size_t birds, double alpha);

/// Where a hit makes the novelty visible with a chance that is neither 0 nor 1.
struct VisibilityChances {
  double targets = 0;  ///< expected number of those that make it visible: sum of their chances
  double nothing = 1;  ///< chance that none does, as if each were for itself
};

struct InteractionCounts {
  int targets = 0;     ///< N: number of targets
  int detectable = 0;  ///< n: those whose hit makes a novel object move detectably, 0 <= n <= N
  std::optional<VisibilityChances> chances = {};  ///< extended method: counts in place of n

  double expected() const { return chances ? chances->targets : detectable; }
  double nothing() const { return chances ? chances->nothing : detectable == 0 ? 1 : 0; }
};

/// M = (N - n)/N, the expected share of targets that make nothing visible; 1 where N = 0.
double share_undetectable(const InteractionCounts& counts);

/// One of the best shots of a state.
struct ShotChoice {
  double probability = 1;  ///< given the state; those of a state sum to 1
  double p_visible = 0;    ///< chance that it makes the novelty visible
};

/// After a shot that makes the novelty visible with at least this chance, no states are assessed: BID is
/// assumed to end with the same chance at each later shot.
inline constexpr double likely_visible = 0.5;

/// What algorithms 2 and 3 need to know of a state.
struct StateView {
  InteractionCounts counts;
  std::vector<ShotChoice> best_shots;  ///< empty when there are no targets
};

/// How likely a state is.
struct StateChance {
  std::size_t interaction = 1;  ///< from 1
  double reached = 1;           ///< probability that the rollout comes here with nothing visible before
  double pid =
      1;  ///< the same, with no target before that could have made anything visible: 0 where PID has ended
};

struct RolloutLimits {
  std::size_t birds = 0;
  /// Most states that go on from one interaction to the next while nothing has been visible; as that becomes
  /// less likely, the limit falls in proportion. If there are more (after equal ones have been joined), this
  /// many are taken at equal steps of probability and stand for all: their order must therefore depend on
  /// geometry alone.
  std::size_t most_states = 8;
};

struct RolloutResult {
  RolloutEnds ends;
  std::size_t states = 0;  ///< looked at
  /// Nothing that was left out can change PID, or BID, by more than this: probability of the rollouts that
  /// were resampled, times the part of the scale that was still open to them. 0: exact.
  double pid_error = 0, bid_error = 0;
};

namespace rollout_detail {

template <typename State>
struct WeightedState {
  State state;
  StateChance chance;
};

/// At most `most` of them, at even distances of probability; their chances stand for all.
template <typename State>
void resample(std::vector<WeightedState<State>>& weighted_states, std::size_t most) {
  double all = 0, all_pid = 0;
  for (const auto& w : weighted_states) all += w.chance.reached, all_pid += w.chance.pid;
  const double step = all / static_cast<double>(most);
  std::vector<WeightedState<State>> kept;
  double before = 0, next = 0.5 * step, kept_pid = 0;
  for (auto& w : weighted_states) {
    before += w.chance.reached;
    double stands_for = 0;
    for (; next < before; next += step) stands_for += step;
    if (stands_for == 0) continue;
    w.chance.pid *= stands_for / w.chance.reached;
    w.chance.reached = stands_for;
    kept_pid += w.chance.pid;
    kept.push_back(std::move(w));
  }
  for (auto& w : kept) w.chance.pid *= kept_pid > 0 ? all_pid / kept_pid : 0;
  weighted_states = std::move(kept);
}

}  // namespace rollout_detail

/// Rolls out from `first`.
/// - `StateView assess(State&, const StateChance&)`: the interaction; called once for each state.
/// - `State shoot(State&, std::optional<std::size_t> best_shot)`: the state after that best shot, which made
///   nothing visible. Empty: there was nothing to shoot at.
/// - `Key key(const State&)`: states with equal keys are one state.
template <typename State, typename Assess, typename Shoot, typename Key>
RolloutResult rollout(State first, const RolloutLimits& limits, const Assess& assess, const Shoot& shoot,
                      const Key& key) {
  using rollout_detail::WeightedState;
  RolloutResult result;
  std::vector<WeightedState<State>> weighted_states;
  weighted_states.push_back({std::move(first), {}});
  bool resampled = false;
  for (std::size_t i = 1; i <= limits.birds && !weighted_states.empty(); ++i) {
    std::vector<WeightedState<State>> next;
    std::map<decltype(key(weighted_states.front().state)), std::size_t> known;
    double all = 0, all_pid = 0;
    for (WeightedState<State>& weighted_state : weighted_states) {
      const StateChance chance = weighted_state.chance;
      const StateView view = assess(weighted_state.state, chance);
      ++result.states;
      const double undetectable = share_undetectable(view.counts);
      // M is 1 with the chance that nothing is visible; the mean of the rest is what the mean of all leaves.
      const double nothing = view.counts.nothing();
      const double undetectable_where_visible =
          nothing < 1 ? std::clamp((undetectable - nothing) / (1 - nothing), 0.0, 1.0) : 1;
      if (nothing < 1 && chance.pid > 0)
        result.ends.pid.push_back({i, undetectable_where_visible, chance.pid * (1 - nothing)});
      const auto go_on = [&](std::optional<std::size_t> shot, double probability, double pid_probability) {
        if (i == limits.birds) return;
        WeightedState<State> child{
            shoot(weighted_state.state, shot),
            {i + 1, chance.reached * probability, chance.pid * nothing * pid_probability}};
        all += child.chance.reached;
        all_pid += child.chance.pid;
        const auto [place, fresh] = known.try_emplace(key(child.state), next.size());
        if (fresh) {
          next.push_back(std::move(child));
        } else {
          next[place->second].chance.reached += child.chance.reached;
          next[place->second].chance.pid += child.chance.pid;
        }
      };
      // Not followed any further: it becomes visible at once, or at one of the next shots, each with the same
      // chance.
      const auto end_likely = [&](const ShotChoice& shot) {
        double left = chance.reached * shot.probability, left_pid = chance.pid * nothing * shot.probability;
        for (std::size_t j = i; j <= limits.birds; ++j) {
          result.ends.bid.push_back({j, 0, left * shot.p_visible});
          if (j > i && left_pid > 0)
            result.ends.pid.push_back({j, undetectable_where_visible, left_pid * (1 - nothing)});
          left *= 1 - shot.p_visible;
          if (j > i) left_pid *= nothing;
        }
      };
      if (view.best_shots.empty()) go_on(std::nullopt, 1, 1);
      double visible = 0;
      for (std::size_t s = 0; s < view.best_shots.size(); ++s) {
        const ShotChoice& shot = view.best_shots[s];
        if (shot.p_visible == 1)
          visible += shot.probability;
        else if (shot.p_visible >= likely_visible)
          end_likely(shot);
        else
          go_on(s, (1 - shot.p_visible) * shot.probability, shot.probability);
        if (shot.p_visible < likely_visible) visible += shot.p_visible * shot.probability;
      }
      if (visible > 0) result.ends.bid.push_back({i, 0, chance.reached * visible});
    }
    const auto most = std::max(
        static_cast<std::size_t>(std::ceil(all * static_cast<double>(limits.most_states) - 1e-9)),
        std::size_t{1});
    if (next.size() > most) {
      if (!resampled) {
        const double open = static_cast<double>(limits.birds - i) / static_cast<double>(limits.birds);
        result.pid_error = all_pid * open;
        result.bid_error = all * open;
        resampled = true;
      }
      rollout_detail::resample(next, most);
    }
    weighted_states = std::move(next);
  }
  for (std::vector<RolloutEnd>* ends : {&result.ends.pid, &result.ends.bid})
    std::stable_sort(ends->begin(), ends->end(),
                     [](const RolloutEnd& a, const RolloutEnd& b) { return a.interaction < b.interaction; });
  return result;
}

}  // namespace startle
