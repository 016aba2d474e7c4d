#pragma once
/// \file  What a search for levels is for: a novelty, and a tier or range of p_level, or a range of the value
/// of PID and BID.
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "core/math.hpp"
#include "difficulty/difficulty.hpp"
#include "difficulty/played_level.hpp"
#include "difficulty/tiers.hpp"
#include "levels/stored_level.hpp"
#include "sim/novelty.hpp"
#include "sim/scene.hpp"

namespace startle {

/// PID and BID of a novelty, mixed to a value.
struct DifficultyMeasure {
  const Novelty* novelty = nullptr;
  /// Of reasoning; empty: twin simulation, some hundred times as slow.
  std::optional<Method> method = Method::extended;
  double alpha = 0.5;  ///< weight of PID in the value: 1 searches by PID, 0 by BID
  Ties ties = Ties::share;
};

/// Levels whose p_level (difficulty/played_level.hpp) lies in a range. Some shot at the first state, at
/// whatever target, must be one that is detected with a chance of min_max_p_detected: else nobody could find
/// the novelty. And a play is expected to have min_shots to max_shots: else the hardest levels would be those
/// that the first shot clears, and tiers would tell short plays from long ones.
struct PLevelGoal {
  const Novelty* novelty = nullptr;
  PLevelRange range = {};
  std::optional<Tier> tier = {};  ///< whose made_for() the range is
};
inline constexpr double min_max_p_detected = 0.3, min_shots = 1.5, max_shots = 3;
PLevelGoal goal_of(const Novelty& novelty, Tier tier);

/// Levels whose value of PID and BID lies in [least, most]; undetectable ones, whose PID is 1, only where
/// `most` is 1.
struct ValueGoal {
  DifficultyMeasure measure = {};
  double least = 0, most = 1;
};

using SearchGoal = std::variant<PLevelGoal, ValueGoal>;

const Novelty* novelty_of(const SearchGoal& goal);
/// Empty for a range.
std::optional<Tier> tier_of(const SearchGoal& goal);
DifficultySource source_of(const DifficultyMeasure& measure);
DifficultySource source_of(const SearchGoal& goal);
/// Least and most of what the goal is about, p_level or the value.
std::pair<double, double> range_of(const SearchGoal& goal);

/// "T3-hard", "T3-p_level-0.2-0.4", "T3-extended-0.55-0.65", "T3-pid-0.2-0.4" (published, alpha 1),
/// "T3-simulated-bid-0-0.2" (alpha 0): names the levels and the random stream.
std::string goal_name(const SearchGoal& goal);

/// PID and BID of a level. `value` is not used: they mix with the alpha wanted, later.
struct Measured : DifficultyValues {
  std::size_t novel_objects = 0;
};
Measured difficulty_by(const DifficultyMeasure& measure, const Scene& scene);
/// alpha PID + (1 - alpha) BID.
double mixed(double alpha, const DifficultyValues& d);

/// Whether it is measured by simulation: after the solution, as it takes too long to try changes.
bool by_simulation(const SearchGoal& goal);

/// Throws Error for a goal that no level can meet: see search_levels().
void require_goal(const SearchGoal& goal);

/// How far a difficulty is from what a goal asks for: 0 exactly when it fits.
double distance_to(const PLevelGoal& goal, const PredictedLevel& level);
double distance_to(const ValueGoal& goal, const Measured& difficulty);

/// Throws as predict_level() and difficulty_by(). `difficulty`: what is stored with a level, whether or not
/// it fits. A distance up to `limit` is exact. A larger one is only known to be larger than `limit`, and may
/// come out too large, which takes less time.
struct Assessment {
  double distance = 0;
  StoredDifficulty difficulty;
};
Assessment assess(const SearchGoal& goal, const Scene& scene, double limit = math::infinity);

}  // namespace startle
