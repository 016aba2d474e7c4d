#pragma once
/// \file  How informative an agent's shots were: the probability, by reasoning alone, that the reference
/// observer detects each of its shots in the novel world, compared with that of the surest shot in the same
/// state.
///
/// regret = P(detected | surest shot at the state) - P(detected | the shot that was taken), 0 or more. It
/// measures where an agent looks, not what it concludes: an agent that detects nothing may shoot well, and
/// one that detects much may shoot badly.
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "agents/trials/trial.hpp"
#include "statistics/intervals.hpp"

namespace startle {

/// Of one shot, probabilities in [0, 1].
struct ShotRegret {
  double taken = 0;  ///< that the observer detects it
  double best = 0;   ///< of the surest shot at a target of the state, or `taken` where that is more
  double regret() const { return best - taken; }
};

/// The shots of a level that was played in the novel world, flown again and predicted at the state from which
/// each was taken (detection_chance(), predict_level()). Empty for a level that was played in the normal
/// world. Throws Error for a novelty that extended reasoning does not cover(), and where the shots do not fit
/// the level.
std::vector<ShotRegret> shot_regrets(const PlayedLevel& played, const PlayableLevel& level);

/// Means over shots, with bootstrap intervals at 95 % that draw levels.
struct RegretScore {
  std::string agent, tier;  ///< tier empty: of all
  std::size_t shots = 0;
  Estimate taken, best, regret;
};

/// One score an agent and tier, then one an agent, in order of agents and tiers. Trials of levels that are
/// not among `levels` (by hash and novelty) are an error. `progress` is called after each trial, one call at
/// a time; `threads` (0: all of the machine) changes no figure.
std::vector<RegretScore> regret_scores(const std::vector<TrialResult>& trials,
                                       const std::vector<PlayableLevel>& levels, int threads = 0,
                                       const std::function<void()>& progress = {});

}  // namespace startle
