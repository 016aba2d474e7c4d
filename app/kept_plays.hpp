#pragma once
/// \file  Finished plays of `startle observe --plays`, in a file beside --out until that is written: a run of
/// hours that is interrupted goes on from there.
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/database.hpp"
#include "simulated/played_level.hpp"

namespace startle {

class KeptPlays {
 public:
  /// What has an effect on plays, by name: plays go on where all of it is the same.
  using Run = std::map<std::string, std::string>;

  /// Opens the file beside `out`, or makes it. Throws Error where it is of another run or damaged, and where
  /// another program writes to it.
  KeptPlays(const std::filesystem::path& out, const Run& run);

  /// The plays of a job that an earlier run finished, as play_once() gave them; null where they are still to
  /// be played.
  const std::vector<LevelPlay>* find(std::size_t job) const;
  /// Keeps those of this run. Any thread may call it. Throws Error when they cannot be written.
  void add(std::size_t job, const std::vector<LevelPlay>& plays);

  /// Jobs that are finished, of this run and of earlier ones.
  std::size_t count() const { return before_.size() + added_; }
  const std::string& file() const { return database_->file(); }
  /// Once the result is written. Nothing else may be called afterwards.
  void remove();

 private:
  std::optional<Database> database_;
  std::map<std::size_t, std::vector<LevelPlay>> before_;  ///< of earlier runs
  std::size_t added_ = 0;
  std::mutex mutex_;
};

}  // namespace startle
