#pragma once
/// \file  How likely a reference player detects the novelty in one play of a level, by reasoning from its
/// first state alone. What it predicts is measured by simulated/played_level.hpp.
///
/// Scenes that reasoning expects after a shot are not those that come. So no state is predicted: plays are
/// imagined in which every shot is one at the first state, with what is predicted of it there
/// (detection_model.hpp), and a pig that was predicted to die is gone. The share of them with an alarm, and
/// what else says how the level as a whole differs from its first shots, make p_level:
///
/// p = 1/(1 + exp(-(b + sum of w f)))
///
/// with the features f of PlayFeatures and weights fitted by tools/fit-played-levels to levels that were
/// played (`startle observe --plays`).
///
/// \code
///   #include "sim/world.hpp"
///   // given: const Level& level
///   std::cout << predict_level(settle(make_scene(level, profile())), find_novelty("T2")).p_level << "\n";
/// \endcode
#include <vector>

#include "difficulty/ordered_scene.hpp"
#include "sim/novelty.hpp"

namespace startle {

/// Of a level, a novelty and a player.
struct PlayFeatures {
  double alarms = 0;   ///< log-odds of the share of imagined plays with an alarm, taken to be 0.01 to 0.99
  double visible = 0;  ///< mean over targets and their trajectories of the chance that the shot makes the
                       ///< novelty visible (reasoning/detectability.hpp)
  double novel_objects = 0;  ///< log(1 + number of living novel objects)
  double moving = 0;         ///< mean over these shots of log(1 + expected number of objects that move)
  double birds_left = 0;     ///< mean number of birds that are left after an imagined play
};

struct LevelFeatureInfo {
  const char* name;
  double PlayFeatures::*member;
};
const std::vector<LevelFeatureInfo>& level_feature_table();

/// Grows whenever predictions change: it is stored with them.
inline constexpr int played_level_version = 1;

/// What is predicted of a level and a novelty, for each of the players of simulated/played_level.hpp.
struct PredictedLevel {
  double p_level = 0;         ///< of best-target, [0, 1]
  double p_level_random = 0;  ///< of random-target
  double shots = 0;           ///< expected number of shots of a play by best-target
  double max_p_detected = 0;  ///< chance that the surest shot at the first state is detected, at whatever
                              ///< target
};

/// What the weights are for. `changed`: some shot changes something, so that there is more than false alarms.
struct LevelDescription {
  bool changed = false;
  double false_alarms = 0;  ///< share of imagined plays with an alarm, were nothing changed
  PlayFeatures best, random;
  double shots = 0, max_p_detected = 0;  ///< as in PredictedLevel
  double mean_p_detected = 0;            ///< of all shots at the first state, each target the same share
  std::size_t targets = 0, visible_targets = 0;  ///< visible: some shot at it makes the novelty visible with
                                                 ///< a chance of visible_target_chance or more
};
inline constexpr double visible_target_chance = 0.1;
/// `normal` is at rest, no object novel. Throws Error for a novelty that extended reasoning does not cover().
LevelDescription describe_level(const OrderedScene& normal, const Novelty& novelty);

PredictedLevel predict_level(const LevelDescription& level);
/// 0 without birds or pigs; of a level in which no shot at a target changes anything, the chance of a false
/// alarm. Throws as describe_level().
PredictedLevel predict_level(const OrderedScene& normal, const Novelty& novelty);

}  // namespace startle
