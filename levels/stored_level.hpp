#pragma once
/// \file  What a level file holds besides the level: how hard a novelty is to detect in it, as it was
/// computed when the level was made.
#include <optional>
#include <string>
#include <vector>

#include "difficulty/difficulty.hpp"
#include "difficulty/thirds.hpp"
#include "difficulty/tiers.hpp"
#include "sim/level.hpp"
#include "statistics/intervals.hpp"

namespace startle {

/// What a difficulty comes from: reasoning by one of its methods, simulation in the normal and the novel
/// world; or the share of best shots that the reference observer does not detect, predicted by reasoning
/// (detection) or measured (observer), which have no PID and BID.
enum class DifficultySource { published, extended, simulated, detection, observer };
const char* name(DifficultySource source);
/// The source of that name; empty for others.
std::optional<DifficultySource> difficulty_source_from_name(const std::string& name);
/// Reasoning by that method.
DifficultySource source_of(Method method);
/// The method, where it is reasoning.
std::optional<Method> method_of(DifficultySource source);

/// A tier and the thresholds that it was given by, which are of values with the alpha of the difficulty.
struct PlacedTier {
  Tier tier = Tier::easy;
  TierThresholds thresholds;
  friend bool operator==(const PlacedTier&, const PlacedTier&) = default;
};

/// The same of a third.
struct PlacedThird {
  Third third = Third::low;
  TierThresholds thresholds;
  friend bool operator==(const PlacedThird&, const PlacedThird&) = default;
};

/// Perturbed shots that made something visibly different, any body, when the level was made: what verifies
/// its tier (VisibleShots).
struct StoredShots {
  double aim_noise = 0;         ///< standard deviation of the perturbations, radians
  Rate best, random, solution;  ///< shots at best targets, at random ones, and of the solution
  friend bool operator==(const StoredShots&, const StoredShots&) = default;
};

/// How hard a novelty is to detect in a level.
struct StoredDifficulty : DifficultyValues {
  std::string novelty;  ///< name in the catalogue, "T2@0.5" at a strength; "own": the level's
  DifficultySource source = DifficultySource::published;
  double alpha = 0.5;                        ///< weight of PID in `value`
  Ties ties = Ties::share;                   ///< of reasoning
  std::optional<PlacedTier> tier;            ///< when the level was made for a tier
  std::optional<PlacedThird> third;          ///< when its set was divided into thirds, which have no tiers
  std::optional<StoredShots> visible_shots;  ///< where these verify the tier
  std::optional<Rate> detected;  ///< of the observer: best shots that it detected, of those launched
  friend bool operator==(const StoredDifficulty&, const StoredDifficulty&) = default;
};

/// A level and what is stored with it.
struct StoredLevel : Level {
  std::optional<StoredDifficulty> difficulty;
  friend bool operator==(const StoredLevel&, const StoredLevel&) = default;
};

/// Levels with which no difficulty is stored.
std::vector<StoredLevel> without_difficulty(std::vector<Level> levels);

/// The name of the stored tier; empty where none is stored.
std::string tier_name(const std::optional<StoredDifficulty>& difficulty);
/// The name of the stored tier, or else of the stored third; empty where neither is. Levels of different
/// names are counted apart.
std::string tier_or_third(const std::optional<StoredDifficulty>& difficulty);

}  // namespace startle
