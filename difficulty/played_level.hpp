#pragma once
/// \file  How likely a reference player detects the novelty in one play of a level, by reasoning from its
/// first state alone. What it predicts is measured by simulated/played_level.hpp.
///
/// The scenes that reasoning expects after a shot are not those that really follow, so no later state is
/// predicted. Instead, plays are imagined in which every shot is taken at the first state, with the
/// prediction made for it there (detection_model.hpp), and a pig predicted to die is gone. The share q of
/// these plays with an alarm ranks levels; as later scenes differ, it is calibrated to levels that were
/// played (`startle observe --plays`):
///
/// p = 1/(1 + exp(-(l + s (b + w l + v min(l - c, 0) - l)))), l = log(q/(1 - q))
///
/// with b, w and v fitted by tools/fit-played-levels and c = rare_alarms. s, from 0 to 1, is how far the
/// expected number of shots of a play is from 1 to several_shots: a play of one shot has no later scene, and
/// its q needs no calibration.
///
/// \code
///   #include "sim/world.hpp"
///   // given: const Level& level
///   std::cout << predict_level(settle(make_scene(level, profile())), find_novelty("T2")).p_level << "\n";
/// \endcode
#include <cstddef>
#include <functional>

#include "difficulty/ordered_scene.hpp"
#include "sim/novelty.hpp"

namespace startle {

/// Grows whenever predictions change: it is stored with them.
inline constexpr int played_level_version = 3;

/// Log-odds of the share of imagined plays with an alarm below which p_level falls faster. About where alarms
/// are false ones: what no shot can show is hardly ever detected later either.
inline constexpr double rare_alarms = -2;
/// Expected number of shots of a play from which the calibration holds in full. Levels that are made for a
/// tier have at least as many.
inline constexpr double several_shots = 1.5;
/// b, w and v.
struct AlarmCalibration {
  double intercept = 0, slope = 1, slope_of_rare = 0;
};

/// What is predicted of a level and a novelty, for each of the players of simulated/played_level.hpp. Zeros
/// without birds or pigs.
struct [[nodiscard]] PredictedLevel {
  double p_level = 0;                        ///< of best-target, [0, 1]
  double p_level_random = 0;                 ///< of random-target
  double imagined = 0, imagined_random = 0;  ///< the shares q, [0, 1]
  double shots = 0, shots_random = 0;        ///< expected numbers of shots of a play
  double max_p_detected = 0;   ///< chance that the surest shot at the first state is detected, at any target
  double mean_p_detected = 0;  ///< of all shots there, each target the same share
  double player_p_detected = 0;                  ///< of the shots that best-target takes there
  std::size_t targets = 0, telling_targets = 0;  ///< telling: some shot at it is detected with a chance of
                                                 ///< telling_p_detected or more
};
inline constexpr double telling_p_detected = 0.1;

/// `normal` is at rest, no object novel. Where no shot at a target changes anything, p_level is the chance of
/// a false alarm. Throws Error for a novelty that extended reasoning does not cover().
PredictedLevel predict_level(const OrderedScene& normal, const Novelty& novelty);

/// What a search asks: p_level, imagined and shots alone, and max_p_detected, which is exact where it is
/// below `enough` and else at least that. p_level is what it would be with several_shots at least: a search
/// takes no level with fewer, and comes nearer to its goal by either. `worth` says whether max_p_detected
/// matters. It is asked once p_level and shots are known, before the shots are predicted that only
/// max_p_detected needs. Where it says false, max_p_detected may be too small.
PredictedLevel predict_for_search(const OrderedScene& normal, const Novelty& novelty, double enough,
                                  const std::function<bool(const PredictedLevel&)>& worth);

/// The calibration alone, of a share [0, 1] and the expected number of shots of a play, at least 1.
double calibrated(const AlarmCalibration& calibration, double imagined, double shots);

}  // namespace startle
