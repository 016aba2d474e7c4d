#pragma once
/// \file  What a search for levels is for: a novelty, what its difficulty comes from, and a tier or a range
/// of values.
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "difficulty/difficulty.hpp"
#include "difficulty/tiers.hpp"
#include "levels/stored_level.hpp"
#include "sim/novelty.hpp"
#include "sim/scene.hpp"
#include "simulated/aim_noise.hpp"

namespace startle {

/// PID and BID of a novelty, mixed to a value.
struct DifficultyMeasure {
  const Novelty* novelty = nullptr;
  /// Of reasoning; empty: twin simulation, some hundred times as slow.
  std::optional<Method> method = Method::extended;
  double alpha = 0.5;  ///< weight of PID in the value: 1 searches by PID, 0 by BID
  Ties ties = Ties::share;
};

/// Levels of a tier. A level whose PID is 1 makes the novelty visible at no shot (its BID is then 1 too):
/// "undetectable", and not merely hard. It lies in no tier.
struct TierGoal {
  const Novelty* novelty = nullptr;
  std::optional<Method> method = Method::extended;  ///< as in DifficultyMeasure
  PlacedTier tier = {};                             ///< its thresholds say alpha
};

/// Levels of a tier by reasoning that perturbed shots verify (verified()), and of which reasoning says that
/// they will.
struct VerifiedTierGoal {
  const Novelty* novelty = nullptr;
  Method method = Method::extended;
  PlacedTier tier = {};
};

/// Levels whose value lies in [least, most]; undetectable ones only where `most` is 1.
struct RangeGoal {
  DifficultyMeasure measure = {};
  double least = 0, most = 1;
};

/// Levels of which the reference observer does not detect an expected share of best shots, by reasoning alone
/// (FirstDetection), that lies in [least, most]: one scale for all novelties. Some shot, at whatever target,
/// must be one that it detects with a chance of least_surest: else nobody could find the novelty.
struct DetectionGoal {
  const Novelty* novelty = nullptr;
  double least = 0, most = 1;
  std::optional<PlacedTier> placed = {};  ///< the tier whose band this is
};
inline constexpr double least_surest = 0.3;

/// Levels of which the reference observer does not detect a share of best shots (detected_shots()) that lies
/// in [least, most]: one scale for all novelties, without PID and BID.
struct ObserverGoal {
  const Novelty* novelty = nullptr;
  double least = 0, most = 1;
};

using SearchGoal = std::variant<TierGoal, VerifiedTierGoal, RangeGoal, DetectionGoal, ObserverGoal>;

const Novelty* novelty_of(const SearchGoal& goal);
/// Empty for a range.
std::optional<PlacedTier> tier_of(const SearchGoal& goal);
/// What decides by PID and BID; empty for detection and the observer.
std::optional<DifficultyMeasure> measure_of(const SearchGoal& goal);
DifficultySource source_of(const DifficultyMeasure& measure);
DifficultySource source_of(const SearchGoal& goal);
/// The values that fit, least and most: of a tier those that lie tier_gap of the middle tier's width away
/// from its ends.
std::pair<double, double> range_of(const SearchGoal& goal);

/// "T3-hard", "T3-0.55-0.65", "T3-pid-hard" (alpha 1), "T3-bid-0-0.2" (alpha 0), "T3-simulated-hard": names
/// the levels and the random stream.
std::string goal_name(const SearchGoal& goal);

/// Whether a level of that difficulty is what the goal, one of PID and BID, asks for.
bool fits(const SearchGoal& goal, double pid, double bid);

/// Turns of the shots that verify a level, and of those that the observer detectors: 16 shots of each kind,
/// 0.01 rad. Not those of `startle validate`.
inline constexpr AimNoise search_noise{.sd = 0.01, .launches = 16, .seed = 2};
/// Which share of perturbed shots, at best and at random targets together, makes the novelty visible in a
/// verified level: least and most. One scale for all novelties, while tiers are of each for itself: of a
/// novelty that nearly always shows, medium levels show it often, too. Ranges of medium and of the others
/// overlap therefore.
std::pair<double, double> visible_range(Tier tier);
/// Whether what perturbed shots show is that of the tier. Some shot must make the novelty visible, one of the
/// solution if no other.
bool verified(Tier tier, const StoredShots& visible);

/// Share of the middle tier's width that levels made for a tier stay away from its ends, on both sides of
/// them.
inline constexpr double tier_gap = 0.15;

/// PID and BID of a level. `value` is not used: they mix with the alpha wanted, later.
struct Measured : DifficultyValues {
  std::size_t novel_objects = 0;
  double visible = 0;  ///< by reasoning: expected share of first shots, at best and at random targets, half
                       ///< each, that make the novelty visible
};
Measured difficulty_by(const DifficultyMeasure& measure, const Scene& scene);
/// alpha PID + (1 - alpha) BID.
double mixed(double alpha, const DifficultyValues& d);

/// Whether it is measured by simulation: after the solution, as it takes too long to try changes.
bool by_simulation(const SearchGoal& goal);

/// Throws Error for a goal that no level can meet: see search_levels().
void require_goal(const SearchGoal& goal);

/// How far a difficulty is from what a goal asks for: 0 exactly when it fits. Where perturbed shots are to
/// verify a level, reasoning must expect that they do.
double misfit(const SearchGoal& goal, const Measured& difficulty);
double misfit(const DetectionGoal& goal, const FirstDetection& detection);
/// The same of a scene, by reasoning or whatever else the goal, not one of the observer's, measures by.
double misfit(const SearchGoal& goal, const Scene& scene);

}  // namespace startle
