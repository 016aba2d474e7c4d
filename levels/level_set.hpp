#pragma once
/// \file  A folder of generated levels with a manifest that says what made them.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "difficulty/thirds.hpp"
#include "levels/diversity.hpp"
#include "levels/search_goal.hpp"
#include "levels/stored_level.hpp"

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
  std::optional<SearchGoal> goal = {};         ///< what the difficulties stored with the levels are of
  std::optional<ThirdThresholds> thirds = {};  ///< that the levels were divided by
  std::optional<Diversity> diversity = {};     ///< of a set made at a set difficulty
  bool from_files = false;                     ///< the levels are those of files that the command was given
};

/// FNV-1a over the level as it is written, but for measured p_level: measuring a level again does not change
/// its hash.
std::uint64_t level_hash(StoredLevel level);
/// FNV-1a over the levels as they are written, in order.
std::uint64_t level_set_hash(const std::vector<StoredLevel>& levels);

/// Throws Error unless a set that `command` makes may be written into the folder, for commands to ask before
/// their work. It may if the folder has no levels yet, or a set that the same command made, whatever its
/// --count, that nobody has changed since and that holds no measured p_level, which would be lost.
void require_place_for_set(const std::filesystem::path& folder, const std::string& command);

/// Writes <level.name>.json for each level, with the name as file_name() makes it, and manifest.json with
/// keys format, version, program_version, command, seed, profile, hash (16 hexadecimal digits) and levels
/// (file names in order); with a goal also difficulty (novelty, method, alpha, tier, range), thresholds
/// of thirds and, where it is given, diversity (mean, least, nearest). Makes the folder; each file appears
/// whole or not at all, the manifest last. Replaces a set in the folder that require_place_for_set() accepts:
/// levels that only the old set has are removed, but with `from_files` they are an error. Throws Error when
/// something cannot be written, or a file that is not part of the old set would be overwritten; new files are
/// then removed again.
void write_level_set(const std::vector<StoredLevel>& levels, const std::filesystem::path& folder,
                     const LevelSetInfo& info);

/// Writes each level back to the .json file that it was read from, and updates the hash of the set that it
/// belongs to, if any. Throws Error when a manifest is not that of a level set, or something cannot be
/// written.
void store_in_place(const std::vector<StoredLevel>& levels, const std::vector<std::string>& files);

/// File names of the levels that the folder's manifest lists; none where there is no manifest. Throws Error
/// when it is no level set's.
std::vector<std::string> level_set_files(const std::filesystem::path& folder);

}  // namespace startle
