#pragma once
/// \file  A folder of generated levels with a manifest that says what made them.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "difficulty/tiers.hpp"
#include "levels/diversity.hpp"
#include "levels/search.hpp"
#include "levels/stored_level.hpp"
#include "statistics/intervals.hpp"

namespace startle {

/// Name of a generated level, "castles-1-0003" for family castles, seed 1, index 3; its file has ".json"
/// behind it.
std::string level_set_member(const std::string& family, std::uint64_t seed, std::uint64_t index);

/// Goes into manifest.json beside the levels.
struct LevelSetInfo {
  std::string version;  ///< of the program
  std::string command;  ///< that made the set
  std::uint64_t seed = 0;
  std::string profile;
  std::optional<SearchGoal> goal = {};  ///< of a set made at a set difficulty, or placed by its difficulty
  std::optional<TierThresholds> placed_by = {};  ///< of the latter, whose goal is a range
  std::optional<Diversity> diversity = {};       ///< of a set made at a set difficulty
  SearchCounts counts = {};                      ///< then: of the candidates
  bool from_files = false;                       ///< the levels are those of files that the command was given
};

/// FNV-1a over the levels as they are written, in order.
std::uint64_t level_set_hash(const std::vector<StoredLevel>& levels);

/// Whether a set that this command makes may be written into a folder, for commands to ask before their work.
/// It may where the folder has no levels yet, or a set that the same command made, whatever its --count, and
/// that nobody has changed since. Throws Error otherwise.
void require_place_for_set(const std::filesystem::path& folder, const std::string& command);

/// Writes <level.name>.json for each level, with the name as file_name() makes it, and manifest.json with
/// keys format, version, program_version, command, seed, profile, hash (16 hexadecimal digits) and levels
/// (file names in order); with a goal also difficulty (novelty, method, alpha, and tier or range), thresholds
/// (as read_thresholds() takes them) and, where it is given, diversity (mean, least, nearest); where
/// perturbed shots verified the levels also verified: how many verified levels fitted by reasoning (fitted),
/// of how many of these the shots said the same (verified), and of the set's levels the shares of best,
/// random and solution shots that make visible the novelty, with 95 % intervals by bootstrap over levels;
/// record_observed() adds observed. Makes the folder; each file appears whole or not at all, the manifest
/// last. A set that require_place_for_set() allows to stand in the folder is replaced: what it has more is
/// removed, but where the levels are from files that is an error. Throws Error when something cannot be
/// written, and for a file that would be overwritten and is none of that set; new files are then taken away
/// again.
void write_level_set(const std::vector<StoredLevel>& levels, const std::filesystem::path& folder,
                     const LevelSetInfo& info);

/// File names of the levels that the folder's manifest lists; none where there is no manifest. Throws Error
/// when it is no level set's.
std::vector<std::string> level_set_files(const std::filesystem::path& folder);

/// What the reference observer detects of best shots at a set's levels.
struct ObservedSet {
  std::string version;              ///< of the program
  std::size_t shots = 0;            ///< a level
  double aim_noise = 0;             ///< standard deviation, rad
  Estimate detected, false_alarms;  ///< shares: means over levels
};
/// Writes it into the manifest of the set that stands in the folder, below the key observed. Throws Error as
/// level_set_files(), where there is none, and when it cannot be written.
void record_observed(const std::filesystem::path& folder, const ObservedSet& observed);

/// Tier thresholds for the measure's novelty and method from the manifest of a level set or from the
/// results.json of `startle study` and `startle difficulty --format json`: thresholds.NOVELTY, with low,
/// high, count and alpha. Throws Error when the file cannot be read, holds none of this novelty, or is the
/// manifest of a set made by another method.
TierThresholds read_thresholds(const std::filesystem::path& path, const DifficultyMeasure& measure);

}  // namespace startle
