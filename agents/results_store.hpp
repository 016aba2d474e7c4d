#pragma once
/// \file  Results of agents as an SQLite file: what was run, and one row a finished trial.
///
/// Write-ahead logging: every trial is in the file for good as soon as add() returns, whatever kills the program afterwards. No column
/// depends on time, machine or order, so that equal runs give equal tables.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "agents/trial.hpp"

namespace startle {

/// What made the results. Two files, or a file and a run, can be put together only where all of it is equal.
using Manifest = std::map<std::string, std::string>;

/// Agent, unit, world, trial.
using TrialKey = std::tuple<std::string, std::string, std::string, int>;
TrialKey key_of(const TrialResult& result);

class ResultsStore {
 public:
  /// Opens the file for writing, and makes it when it does not exist. Throws Error when it is no results file, one of another version, or
  /// cannot be written, and, naming what differs, when it holds results of another manifest.
  ResultsStore(const std::filesystem::path& path, const Manifest& manifest);
  /// Opens a file that exists, to read it.
  explicit ResultsStore(const std::filesystem::path& path);
  ~ResultsStore();
  ResultsStore(ResultsStore&&) noexcept;

  Manifest manifest() const;
  /// Agents by name, each with the fingerprint it was run with.
  std::map<std::string, std::string> agents() const;
  /// Throws Error when the agent is there with another fingerprint.
  void add_agent(const std::string& name, const std::string& fingerprint);

  std::set<TrialKey> finished() const;
  /// Throws Error when the row cannot be written, or is there already and differs. One thread at a time.
  void add(const TrialResult& result);
  /// All rows, ordered by key.
  std::vector<TrialResult> results() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Puts the files together in `out`, which must not be one of them. Rows that stand in several must be equal. Throws Error as above.
/// Returns the number of rows.
std::size_t merge_results(const std::vector<std::filesystem::path>& files, const std::filesystem::path& out);

}  // namespace startle
