#pragma once
/// \file  Many trials of many agents on many levels, in parallel, resumable.
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/trials/results_store.hpp"
#include "agents/trials/trial.hpp"
#include "levels/placed_levels.hpp"
#include "levels/stored_level.hpp"
#include "sim/profile.hpp"

namespace startle {

struct RunOptions {
  std::vector<std::string> agents;  ///< names of built-in agents, or [NAME=]COMMAND
  std::string program;              ///< engine_name(): goes into the manifest
  PlanOptions plan;
  Manifest set = {};  ///< goes into the manifest: set_notes() of the levels
  TrialOptions trial;
  int threads = 0;
  int shard = 1, shards = 1;  ///< this run takes every trial whose number, in order, is `shard` modulo
                              ///< `shards`
};

/// "NAME=COMMAND", a built-in name, or a command, which is its own name. Throws Error for a single word that
/// is neither a built-in agent nor a program. `folder`: where the command is run.
AgentSpec parse_agent(const std::string& text, const std::filesystem::path& folder = ".");

/// Names what the agent is: "built in", or its command with a hash of the command and of each file named in
/// it.
std::string fingerprint(const AgentSpec& agent, const std::filesystem::path& folder = ".");
/// The same for the results, with the limits that a program is given.
std::string fingerprint(const AgentSpec& agent, const TrialOptions& given);
/// The most retries that a fingerprint allows for: 0 where it says nothing of them.
int retries_of(const std::string& fingerprint);

/// The levels at rest, with the novelty that is stored with each, or `novelty` where given; an empty one is
/// that of free play, the normal world alone. Throws Error for a level without novelty, one in which it
/// changes nothing, and names that stand twice.
std::vector<PlayableLevel> playable_levels(const std::vector<StoredLevel>& levels,
                                           std::shared_ptr<const Profile> profile,
                                           const std::optional<std::string>& novelty, int threads);
/// Those of a set, which are at rest.
std::vector<PlayableLevel> playable_levels(const PlacedSet& set, int threads);
/// What was found of the difficulty of levels that store none, and what was left out, for RunOptions::set:
/// "tiers T1", "undetectable T1", "thirds T1" and "left_out", each where there is something to say.
Manifest set_notes(const PlacedSet& set);

/// Name of the profile and hash of its constants: what the manifest says of it.
std::string profile_fingerprint(const Profile& profile);

/// What the results of this run depend on, apart from the agents.
Manifest make_manifest(const std::vector<PlayableLevel>& levels, const Profile& profile,
                       const RunOptions& options);

/// Throws Error, beginning with `place` and naming the key, for a manifest that make_manifest() cannot have
/// written: with a key that it does not know, without one that it always writes, or with a value in another
/// form. `secret` may be missing, as it stands elsewhere in entries.
void check_manifest(const Manifest& manifest, const std::string& place);
/// Whether the key follows from the levels that are given: `levels`, and what set_notes() says.
bool is_of_levels(const std::string& key);

/// The trials of a run: of each agent, in the order in which they are given, all of the plan. Processes that
/// share a run number them alike.
class RunTrials {
 public:
  /// Throws Error for an agent that parse_agent() refuses, and for one that stands twice. The levels
  /// must outlive it.
  RunTrials(const std::vector<PlayableLevel>& levels, RunOptions options);

  const std::vector<AgentSpec>& agents() const { return agents_; }
  /// By name.
  std::map<std::string, std::string> fingerprints() const;
  std::size_t size() const { return agents_.size() * plans_.size(); }
  TrialKey key(std::size_t trial) const;
  /// Whether its agent is a program: nobody can make its reports again.
  bool of_program(std::size_t trial) const;
  TrialResult run(std::size_t trial, ReadyPrograms& programs, const OnReport& on_report = {}) const;

 private:
  const std::vector<PlayableLevel>& levels_;
  RunOptions options_;
  std::vector<AgentSpec> agents_;
  std::vector<TrialPlan> plans_;
};

/// Trials that are not finished, handed out in order to whoever asks, and their results, which go into the
/// file. All calls from any thread.
class TrialQueue {
 public:
  using Progress = std::function<void(const TrialResult&)>;
  TrialQueue(ResultsStore& store, std::vector<std::size_t> trials, Progress progress)
      : store_(store), trials_(std::move(trials)), progress_(std::move(progress)) {}

  /// Empty when all are handed out, or after stop().
  std::optional<std::size_t> next();
  void stop();
  /// As those of ResultsStore.
  void begin(const TrialKey& trial);
  void report(const TrialKey& trial, const PlayedShot& shot);
  void add(const TrialResult& result);
  std::size_t done() const;

 private:
  ResultsStore& store_;
  const std::vector<std::size_t> trials_;
  const Progress progress_;
  mutable std::mutex mutex_;
  std::size_t handed_out_ = 0, done_ = 0;
  bool stopped_ = false;
};

struct RunSummary {
  std::size_t planned = 0;  ///< trials of this run (of the shard)
  std::size_t found = 0;    ///< of those, finished before
  bool complete = false;    ///< false: stopped by keep_going
  /// Of each program of the run the end of its chain: ResultsStore::head().
  std::map<std::string, std::string> heads = {};
};

/// What is called while a run goes on; each may be empty.
struct RunHooks {
  std::function<void(std::size_t trials)> expect;    ///< once, with the number of trials to run
  std::function<void(const TrialResult&)> progress;  ///< after each trial
  std::function<bool()> keep_going;  ///< asked before each trial; false: no further one begins
  /// Runs beside on a thread of its own. It may take trials from the queue, and must return soon after next()
  /// gives none.
  std::function<void(TrialQueue&)> other_players;
};

/// Runs what is not in the file `out` yet. Throws Error for what is no fault of an agent; what is finished
/// stays.
RunSummary run_agents(const std::vector<PlayableLevel>& levels, std::shared_ptr<const Profile> profile,
                      const RunOptions& options, const std::filesystem::path& out,
                      const RunHooks& hooks = {});

}  // namespace startle
