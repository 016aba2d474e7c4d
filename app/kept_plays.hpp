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

  /// Those of a job, as play_once() gave them; empty where they are still to be played. Any thread may call
  /// it, and add().
  std::optional<std::vector<LevelPlay>> find(std::size_t job) const;
  void add(std::size_t job, const std::vector<LevelPlay>& plays);

  std::size_t count() const { return plays_.size(); }
  const std::string& file() const { return database_->file(); }
  /// Once the result is written. Nothing else may be called afterwards.
  void remove();

 private:
  std::optional<Database> database_;
  std::map<std::size_t, std::vector<LevelPlay>> plays_;
  mutable std::mutex mutex_;
};

}  // namespace startle
