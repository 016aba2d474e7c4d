#pragma once
/// \file  Recorded trials made ready to be seen again: the constants, the level files, and whether the shots
/// still end as they did.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "agents/trials/results_store.hpp"
#include "agents/trials/trial.hpp"
#include "levels/name_map.hpp"
#include "levels/stored_level.hpp"
#include "sim/profile.hpp"

namespace startle {

/// The profile with which the results were made. Throws Error, naming `file`, when this program lacks it or
/// has other constants under its name.
std::shared_ptr<const Profile> recorded_profile(const Manifest& manifest, const std::string& file);

/// Level files among which those that were played are looked for.
class PlayedLevelFiles {
 public:
  struct Found {
    std::filesystem::path file;
    StoredLevel level;
  };

  /// `map`: what names that Startle does not know were taken for.
  explicit PlayedLevelFiles(std::vector<std::filesystem::path> files, std::vector<MappedName> map = {});

  /// The level whose data, its name among it, has that hash. `level` is the name it was played under: its
  /// own, or a longer one where several levels of the set shared it. Files that cannot be read are passed
  /// over. Throws Error when there is none; its message says whether one has that name.
  Found find(const std::string& level, std::uint64_t hash);

 private:
  std::vector<std::filesystem::path> files_;
  std::vector<MappedName> map_;
  std::map<std::uint64_t, std::filesystem::path> by_hash_;  ///< filled, as names_, by the first search that
                                                            ///< needs it
  std::set<std::string> names_;                             ///< as levels name themselves
  bool read_ = false;
};

/// Whether all shots at this level of the trial are recorded: it ended well, or a later level has shots.
bool played_whole(const TrialResult& trial, std::size_t level);

/// A message if the recorded shots, flown again, end with another `solved` or `score` than recorded; else
/// empty. `played` is one of trial.levels; empty as well for a level that is not played_whole().
std::string replay_difference(const TrialResult& trial, const PlayedLevel& played, bool solved, double score);

}  // namespace startle
