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

namespace startle {

/// What a difficulty is: PID and BID, by reasoning with one of its methods or by simulation in the normal and
/// the novel world; or p_level, the predicted chance that a play of the level detects the novelty
/// (difficulty/played_level.hpp), which alone has tiers.
enum class DifficultySource { published, extended, simulated, p_level };
const char* name(DifficultySource source);
/// The source of that name; empty for others.
std::optional<DifficultySource> difficulty_source_from_name(const std::string& name);
/// Reasoning by that method.
DifficultySource source_of(Method method);
/// The method, where it is reasoning to PID and BID.
std::optional<Method> method_of(DifficultySource source);

/// A third and where it parts from the others, of values with the alpha of the difficulty.
struct PlacedThird {
  Third third = Third::low;
  ThirdThresholds thresholds;
  friend bool operator==(const PlacedThird&, const PlacedThird&) = default;
};

/// p_level as it was measured (simulated/played_level.hpp).
struct MeasuredPLevel {
  std::string player;  ///< "best-target", "random-target"
  int plays = 0;
  double p_level = 0;
  double low = 0, high = 1;  ///< 95 % interval, plays drawn
  friend bool operator==(const MeasuredPLevel&, const MeasuredPLevel&) = default;
};

/// How hard a novelty is to detect in a level.
struct StoredDifficulty : DifficultyValues {
  std::string novelty;  ///< name in the catalogue, "T2@0.5" at a strength; "own": the level's
  DifficultySource source = DifficultySource::published;
  // Of p_level, whose `value` is 1 - p_level, and which has no PID and BID:
  double p_level = 0;
  int version = 0;           ///< played_level_version that predicted it
  std::optional<Tier> tier;  ///< as it was stored; of p_level always there
  // Of PID and BID:
  double alpha = 0.5;                ///< weight of PID in `value`
  Ties ties = Ties::share;           ///< of reasoning
  std::optional<PlacedThird> third;  ///< where its set was divided into thirds
  // Of either:
  std::vector<MeasuredPLevel> measured = {};  ///< one a player, where it was measured
  friend bool operator==(const StoredDifficulty&, const StoredDifficulty&) = default;
};
/// What is predicted of a level, with its tier.
StoredDifficulty stored_p_level(const std::string& novelty, double p_level);

/// A level and what is stored with it.
struct [[nodiscard]] StoredLevel : Level {
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
