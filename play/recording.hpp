#pragma once
/// \file  What somebody has played, to be shown again: traces of `startle simulate`, and trials of agents. No
/// window here.
#include <filesystem>
#include <string>
#include <vector>

#include "agents/trials/replay.hpp"
#include "agents/trials/results_store.hpp"
#include "levels/stored_level.hpp"
#include "play/game_session.hpp"

namespace startle {

/// A level as it was played.
struct Recording {
  std::string source;  ///< who played it where, for people
  StoredLevel level;
  std::filesystem::path file;  ///< of the level; empty: the recording itself holds it
  std::string novelty;         ///< that was in it; empty: the normal world
  Scene start;
  std::vector<FlownShot> shots;      ///< all complete
  std::vector<std::string> remarks;  ///< on each shot; none, or as many as shots
  std::string warning;               ///< what differs when this program flies the shots; empty: nothing does
};

/// Whether a file is a trace as `startle simulate --trace` writes it, or an SQLite file; by what it holds,
/// not by its name.
bool is_trace_file(const std::filesystem::path& path);
bool is_sqlite_file(const std::filesystem::path& path);

/// Flies the shots of a trace again. Where the hash of a shot is another one than recorded, its recorded
/// frames are shown, and `warning` says so. Throws Error, naming the file and what is wrong, for a trace
/// without its level (of an older version), for one that is damaged, and for unknown profiles and novelties.
Recording read_trace(const std::filesystem::path& path);

/// One level of one trial, as it stands in a list.
struct TrialEntry {
  std::size_t trial = 0, level = 0;  ///< indices into AgentResults::trials and TrialResult::levels
  std::string agent, name, novelty, tier, world, status;
  int number = 0;  ///< of the trial
  bool solved = false;
  double score = 0;
  std::size_t shots = 0;
  double reported = -1;  ///< how likely a novelty the agent said last; negative: never asked
};

/// Conditions; an empty one is met by all.
struct TrialFilter {
  std::string agent, novelty, tier, world, status;
  std::string level;  ///< part of its name, capitals or not
  bool passes(const TrialEntry& entry) const;
  friend bool operator==(const TrialFilter&, const TrialFilter&) = default;
};

/// The trials of a results file.
class RecordedTrials {
 public:
  /// `levels`: files and folders in which the levels that were played are looked for. Throws Error for a file
  /// that is none of results, or of another version, for a profile that is not this program's, and for paths
  /// that do not exist.
  RecordedTrials(std::filesystem::path file, const std::vector<std::filesystem::path>& levels,
                 const std::vector<MappedName>& map = {});

  const std::vector<TrialEntry>& entries() const { return entries_; }
  /// Flies the shots again. Throws Error when the level is not found (see PlayedLevelFiles).
  Recording open(const TrialEntry& entry);

 private:
  std::filesystem::path file_;
  AgentResults results_;
  std::shared_ptr<const Profile> profile_;
  PlayedLevelFiles files_;
  std::vector<TrialEntry> entries_;
};

}  // namespace startle
