#pragma once
/// \file  A folder of generated levels with a manifest that says what made them.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/level.hpp"

namespace startle {

/// Name of a generated level, "castles-1-0003" for family castles, seed 1, index 3; its file is level_file_name().
std::string level_set_member(const std::string& family, std::uint64_t seed, std::uint64_t index);
/// The above with ".json".
std::string level_file_name(const std::string& family, std::uint64_t seed, std::uint64_t index);

/// Goes into manifest.json beside the levels.
struct LevelSetInfo {
  std::string version;  ///< of the program
  std::string command;  ///< that made the set
  std::uint64_t seed = 0;
  std::string profile;
};

/// FNV-1a over the levels as they are written, in order.
std::uint64_t level_set_hash(const std::vector<Level>& levels);

/// Writes <level.name>.json for each level, and manifest.json with keys format, version, program_version, command, seed, profile,
/// hash (16 hexadecimal digits) and levels (file names in order). Makes the folder; each file appears whole or not at
/// all, the manifest last. Throws Error when something cannot be written.
void write_level_set(const std::vector<Level>& levels, const std::filesystem::path& folder, const LevelSetInfo& info);

}  // namespace startle
