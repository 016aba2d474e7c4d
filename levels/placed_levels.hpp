#pragma once
/// \file  Level files made ready for a novelty: which levels have a part in the set, of which difficulty, and
/// why others have none.
///
/// \code
///   #include "levels/level_file.hpp"
///   PlacedSet set = place_levels(find_level_files({"phyq"}), profile(), {.novelty = "T2"});
///   for (const PlacedLevel& level : set.levels) std::cout << level.name << " " << level.tier << "\n";
///   std::cout << counted(set.left_out);   // "no pigs 3, no target 1"
/// \endcode
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "difficulty/difficulty.hpp"
#include "difficulty/thirds.hpp"
#include "levels/name_map.hpp"
#include "levels/stored_level.hpp"
#include "sim/novelty.hpp"
#include "sim/scene.hpp"

namespace startle {

/// Why a level has no part in a set. A level in which nothing can be won, or nothing be detected, would count
/// as solved or as not detected by whoever plays it.
enum class LeftOut {
  no_level,     ///< cannot be read, or not be used under the profile
  given_twice,  ///< its file is in the set already
  no_novelty,   ///< none is stored with it, and none was asked for
  no_own,       ///< asked for its own, and it carries none
  not_covered,  ///< the method asked for cannot say what its own does
  no_birds,
  no_pigs,    ///< none alive at rest, before the first shot
  untouched,  ///< the novelty changes no object of it
  no_target   ///< no bird can hit anything
};
const char* name(LeftOut reason);

struct LeftOutLevel {
  std::string file;
  LeftOut reason = LeftOut::no_level;
  std::string error;  ///< no_level: what is wrong
};
/// "no pigs 3, no target 1"; empty for none.
std::string counted(const std::vector<LeftOutLevel>& left_out);

/// A level as it stands before the first shot.
struct LevelAtRest {
  std::string file;
  std::string name;                 ///< one of distinct_names()
  StoredLevel level;                ///< as read
  Scene rest;                       ///< in the normal world
  bool dropped = false;             ///< the file holds what is not simulated (LevelProblems::dropped)
  bool collapsed = false;           ///< SettleResult::collapsed()
  std::optional<LeftOut> left_out;  ///< no_birds or no_pigs
};
struct LevelsAtRest {
  std::vector<LevelAtRest> levels;
  std::vector<LeftOutLevel> left_out;  ///< no_level, given_twice
};

struct SetWork {
  int threads = 0;
  std::vector<MappedName> map = {};     ///< what stands for names in the files that Startle does not know
  std::function<void()> progress = {};  ///< after each level, from any thread
  std::function<bool()> keep_going = {};
};

/// Reads the files and lets the levels come to rest; those for which `wanted` is false are passed over. Never
/// throws for what is wrong with a file.
LevelsAtRest levels_at_rest(const std::vector<std::filesystem::path>& files,
                            std::shared_ptr<const Profile> profile, const SetWork& work,
                            const std::function<bool(const StoredLevel&)>& wanted = {});

/// Whether nothing can be won in a level at rest: no_birds, no_pigs; or, by its difficulty, nothing be
/// detected: untouched, no_target.
std::optional<LeftOut> left_out_by(const Scene& rest);
std::optional<LeftOut> left_out_by(const Difficulty& difficulty);

/// Unique names for the levels of a set. Levels with the same name take the names of their files if they
/// share a folder, and then their folders as prefixes, as in "b-level-04". Files are distinct.
std::vector<std::string> distinct_names(const std::vector<std::string>& names,
                                        const std::vector<std::string>& files);

struct PlacedLevel {
  std::string file, name;
  StoredLevel level;  ///< as read
  Scene rest;
  std::string novelty;  ///< name
  Novelty change;       ///< what it does to this level
  std::string tier;     ///< tier or, with PlacingOptions::thirds, third; empty of a novelty without p_level
  std::optional<StoredDifficulty> difficulty;  ///< of `novelty`
};

/// The levels of a novelty that came without a stored difficulty of it.
struct ComputedDifficulty {
  DifficultySource source = DifficultySource::published;  ///< what their values are by
  double alpha = 0.5;
  std::vector<double> values;
  std::optional<ThirdThresholds> thirds;  ///< where PlacingOptions::thirds asks for them
};

struct PlacedSet {
  std::vector<PlacedLevel> levels;
  std::vector<LeftOutLevel> left_out;
  std::map<std::string, ComputedDifficulty> computed;  ///< by novelty
  std::size_t dropped = 0, collapsed = 0;  ///< of `levels`, those that are not what their files say
};

/// Method of the values that levels are divided into thirds by. Not the extended one, for which every hit has
/// some chance to show any novelty: it has no value of 1. On public levels the novelty is as good as never
/// detected where this one gives 1 (docs/agents.md). A novelty that it does not cover() is placed by the
/// extended method, and one that neither covers by simulation (simulated_difficulty()). Levels' own novelties
/// differ: the method is one that covers all of them.
inline constexpr Method third_method = Method::published;

struct PlacingOptions {
  std::optional<std::string> novelty;  ///< of all levels, "own": each its own; empty: the one stored with
                                       ///< each
  std::size_t limit = 0;               ///< levels of each novelty and tier at most, the first ones; 0: all
  bool thirds = false;  ///< levels without a stored difficulty are divided into thirds of their value, each
                        ///< novelty for itself, instead of being given a tier
  SetWork work;
};

/// Every level of the files gets its novelty and difficulty, or is left out and counted. What is stored with
/// a level for that novelty is kept. The other levels get p_level and its tier; where reasoning does not
/// cover the novelty, or thirds are asked for, a value by third_method and alpha 0.5. Throws Error for a name
/// that novelty_name() refuses.
PlacedSet place_levels(const std::vector<std::filesystem::path>& files,
                       std::shared_ptr<const Profile> profile, const PlacingOptions& options);

}  // namespace startle
