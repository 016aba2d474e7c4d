#pragma once
/// \file  Results of agents as an SQLite file: what was run, and one row a finished trial.
///
/// Write-ahead logging: every trial is in the file for good as soon as add() returns, whatever kills the
/// program afterwards. No column depends on time, machine or order, so that equal runs give equal tables; but
/// for the table `chain`, which is there for the order (agents/trials/trial_chain.hpp).
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "agents/trials/trial.hpp"
#include "agents/trials/trial_chain.hpp"

namespace startle {

/// Agent, unit, world, trial.
using TrialKey = std::tuple<std::string, std::string, std::string, int>;
TrialKey key_of(const TrialResult& result);

/// What one results file holds, or several of the same run together.
struct AgentResults {
  Manifest manifest;
  std::map<std::string, std::string> agents;              ///< fingerprints by name
  std::vector<TrialResult> trials;                        ///< ordered by key
  std::map<std::string, std::vector<Chain>> chains = {};  ///< by agent; where they were asked for
};

class ResultsStore {
 public:
  /// Opens the file for writing, and makes it when it does not exist or holds nothing. Throws Error when it
  /// is no results file, one of another version, or cannot be written; when another ResultsStore has it open
  /// for writing, in this program or another; and, naming what differs, when it holds results of another
  /// manifest.
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
  /// Removes the agent where it is there with another fingerprint and has reported nothing in any trial: a
  /// program that did not work was mended, or was given more time, and keeps its name.
  void forget_failed_agent(const std::string& name, const std::string& fingerprint);

  /// Without those that are played again (failed_before_report()).
  std::set<TrialKey> finished() const;
  /// Only one thread at a time may call these three. begin() and report() write a line of the chain before
  /// they return; they are for agents whose reports cannot be reproduced. A trial that was not begun enters
  /// the chain when it is added.
  void begin(const TrialKey& trial);
  void report(const TrialKey& trial, const PlayedShot& shot);
  /// Takes the place of a trial that is played again. Throws Error when the row cannot be written, or is
  /// there already and differs.
  void add(const TrialResult& result);
  /// The agents, rows and chains of other files: all of them, or, when one cannot be added, none.
  void add_all(const AgentResults& results);
  /// All rows, ordered by key.
  std::vector<TrialResult> results() const;
  /// "NUMBER HASH" of the last line of the agent's last chain; "0" and the root before the first.
  std::string head(const std::string& agent) const;
  /// By agent, in the order of parts.
  std::map<std::string, std::vector<Chain>> chains() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The files of one run. Throws Error for files of different manifests, an agent with two fingerprints, and a
/// trial with two results.
AgentResults read_results(const std::vector<std::filesystem::path>& files, bool with_chains = false);

/// Runs of several protocols side by side, single before shift: files of one protocol are put together by
/// read_results(). Throws Error, too, where levels, profile or program of the runs, or agents of one name,
/// differ.
std::vector<AgentResults> read_runs(const std::vector<std::filesystem::path>& files);

/// Puts the files together in `out`, which must not be one of them, in one transaction. Throws Error as
/// read_results() and ResultsStore do; what was in `out` then stays as it was. Returns the number of rows.
std::size_t merge_results(const std::vector<std::filesystem::path>& files, const std::filesystem::path& out);

}  // namespace startle
