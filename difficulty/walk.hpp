#pragma once
/// \file  The walk of algorithms 2 and 3 through the states that best shots lead to, when best shots tie [Pinto §4.3].
///
/// The source does not say which of several best targets is shot at. Here each is equally likely, so that the walk goes through a
/// distribution over states, and PID and BID are expectations. What a state is and how it is looked at, is the caller's: reasoning
/// (difficulty.hpp) and simulation (grounded.hpp) share the arithmetic.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace startle {

/// Where a share of all walks ends, at an interaction.
struct WalkEnd {
  std::size_t interaction = 1;  ///< from 1
  double undetectable = 0;      ///< M of that interaction, for PID; 0 for BID
  double probability = 0;
};

/// All ends, in order of interactions. What the probabilities lack of 1 never ends. They do not depend on how many birds follow.
struct WalkEnds {
  std::vector<WalkEnd> pid;  ///< at the first interaction with M != 1 [alg. 2]
  std::vector<WalkEnd> bid;  ///< at the first whose shot shows the novelty [alg. 3]
};

/// Mean number of the interaction (from 1) whose best shot shows the novelty, where one does; empty when none does.
std::optional<double> detected_at(const WalkEnds& ends);

/// Expectation of (interaction - 1 + M)/birds over the ends within so many birds, and of 1 for what does not end within them. 1 when birds = 0,
/// as nothing can be detected; exactly 1 when nothing ends.
double expected_difficulty(const std::vector<WalkEnd>& ends, std::size_t birds);

/// What algorithms 2 and 3 come to. All three are in [0, 1], 1 is hardest.
struct DifficultyValues {
  double pid = 1;
  double bid = 1;
  double value = 1;  ///< alpha pid + (1 - alpha) bid
};
DifficultyValues difficulty_values(const WalkEnds& ends, std::size_t birds, double alpha);

/// Where a hit shows the novelty with a chance that is neither 0 nor 1.
struct ShowingChances {
  double targets = 0;  ///< expected number of those that show it: sum of their chances
  double nothing = 1;  ///< chance that none does, as if each were for itself
};

struct InteractionCounts {
  int targets = 0;     ///< N: number of targets
  int detectable = 0;  ///< n: those whose hit makes a novel object move detectably, 0 <= n <= N
  std::optional<ShowingChances> chances = {};  ///< extended method: counts in place of n

  double expected() const { return chances ? chances->targets : detectable; }
  double nothing() const { return chances ? chances->nothing : detectable == 0 ? 1 : 0; }
};

/// M = (N - n)/N, the expected share of targets that show nothing; 1 where N = 0.
double share_undetectable(const InteractionCounts& counts);

/// One of the best shots of a state.
struct ShotChoice {
  double probability = 1;  ///< given the state; those of a state sum to 1
  double shows = 0;        ///< chance that it shows the novelty
};

/// From such a chance on the states after a shot are not looked at: what is left of BID there is taken to end with the same chance at each later shot.
inline constexpr double likely_to_show = 0.5;

/// What algorithms 2 and 3 need to know of a state.
struct StateView {
  InteractionCounts counts;
  std::vector<ShotChoice> best_shots;  ///< empty when there are no targets
};

/// How likely a state is.
struct StateChance {
  std::size_t interaction = 1;  ///< from 1
  double reached = 1;           ///< probability that the walk comes here with nothing shown before
  double pid = 1;  ///< the same, with no target before that could have shown anything: 0 where PID has ended
};

struct WalkLimits {
  std::size_t birds = 0;
  /// Most states that go on from one interaction to the next, while nothing has been shown; where that has become less likely by then, fewer in
  /// proportion. Where there are more (after equal ones have been joined), as many are taken at even distances of probability and stand for
  /// all: the order in which they come must be one of geometry.
  std::size_t most_states = 8;
};

struct WalkResult {
  WalkEnds ends;
  std::size_t states = 0;  ///< looked at
  /// Nothing that was left out can change PID, or BID, by more than this: probability of the walks that were thinned, times the part of the scale
  /// that was still open to them. 0: exact.
  double pid_error = 0, bid_error = 0;
};

namespace walk_detail {

template <typename State>
struct Walker {
  State state;
  StateChance chance;
};

/// At most `most` of them, at even distances of probability; their chances stand for all.
template <typename State>
void thin(std::vector<Walker<State>>& walkers, std::size_t most) {
  double all = 0, all_pid = 0;
  for (const auto& w : walkers) all += w.chance.reached, all_pid += w.chance.pid;
  const double step = all / static_cast<double>(most);
  std::vector<Walker<State>> kept;
  double before = 0, next = 0.5 * step, kept_pid = 0;
  for (auto& w : walkers) {
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
  walkers = std::move(kept);
}

}  // namespace walk_detail

/// Walks from `first`.
///   StateView look(State&, const StateChance&)                the interaction; once for each state
///   State shoot(State&, std::optional<std::size_t> best_shot)  the state after that best shot, which showed nothing; empty: there was nothing to shoot at
///   Key key(const State&)                                      states with equal keys are one state
template <typename State, typename Look, typename Shoot, typename Key>
WalkResult walk(State first, const WalkLimits& limits, const Look& look, const Shoot& shoot, const Key& key) {
  using walk_detail::Walker;
  WalkResult result;
  std::vector<Walker<State>> walkers;
  walkers.push_back({std::move(first), {}});
  bool thinned = false;
  for (std::size_t i = 1; i <= limits.birds && !walkers.empty(); ++i) {
    std::vector<Walker<State>> next;
    std::map<decltype(key(walkers.front().state)), std::size_t> known;
    double all = 0, all_pid = 0;
    for (Walker<State>& walker : walkers) {
      const StateChance chance = walker.chance;
      const StateView view = look(walker.state, chance);
      ++result.states;
      const double undetectable = share_undetectable(view.counts);
      // M is 1 with the chance that nothing shows; the mean of the rest is what the mean of all leaves.
      const double nothing = view.counts.nothing();
      const double undetectable_where_shown =
          nothing < 1 ? std::clamp((undetectable - nothing) / (1 - nothing), 0.0, 1.0) : 1;
      if (nothing < 1 && chance.pid > 0)
        result.ends.pid.push_back({i, undetectable_where_shown, chance.pid * (1 - nothing)});
      const auto go_on = [&](std::optional<std::size_t> shot, double probability, double pid_probability) {
        if (i == limits.birds) return;
        Walker<State> child{shoot(walker.state, shot),
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
      // Not looked at any further: it shows at once, or at one of the next shots, each with the same chance.
      const auto end_likely = [&](const ShotChoice& shot) {
        double left = chance.reached * shot.probability, left_pid = chance.pid * nothing * shot.probability;
        for (std::size_t j = i; j <= limits.birds; ++j) {
          result.ends.bid.push_back({j, 0, left * shot.shows});
          if (j > i && left_pid > 0)
            result.ends.pid.push_back({j, undetectable_where_shown, left_pid * (1 - nothing)});
          left *= 1 - shot.shows;
          if (j > i) left_pid *= nothing;
        }
      };
      if (view.best_shots.empty()) go_on(std::nullopt, 1, 1);
      double shown = 0;
      for (std::size_t s = 0; s < view.best_shots.size(); ++s) {
        const ShotChoice& shot = view.best_shots[s];
        if (shot.shows == 1)
          shown += shot.probability;
        else if (shot.shows >= likely_to_show)
          end_likely(shot);
        else
          go_on(s, (1 - shot.shows) * shot.probability, shot.probability);
        if (shot.shows < likely_to_show) shown += shot.shows * shot.probability;
      }
      if (shown > 0) result.ends.bid.push_back({i, 0, chance.reached * shown});
    }
    const auto most = std::max(
        static_cast<std::size_t>(std::ceil(all * static_cast<double>(limits.most_states) - 1e-9)),
        std::size_t{1});
    if (next.size() > most) {
      if (!thinned) {
        const double open = static_cast<double>(limits.birds - i) / static_cast<double>(limits.birds);
        result.pid_error = all_pid * open;
        result.bid_error = all * open;
        thinned = true;
      }
      walk_detail::thin(next, most);
    }
    walkers = std::move(next);
  }
  for (std::vector<WalkEnd>* ends : {&result.ends.pid, &result.ends.bid})
    std::stable_sort(ends->begin(), ends->end(),
                     [](const WalkEnd& a, const WalkEnd& b) { return a.interaction < b.interaction; });
  return result;
}

}  // namespace startle
