#pragma once
/// \file  The ledger of what Science Birds agents play: who plays which trial, and what is finished.
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "agents/game.hpp"
#include "agents/trials/results_store.hpp"
#include "agents/trials/trial.hpp"

namespace startle::aibirds {

/// What is there to be played, by any number of agents at once. Any thread may call anything.
class Trials {
 public:
  /// Free play. `attempts`, where given, must live longer and gets each of them.
  Trials(std::vector<PlayableLevel> levels, std::uint64_t seed, ResultsStore* attempts = nullptr);
  /// Recorded in `store`, which must live longer. What it has is not played again.
  Trials(std::vector<PlayableLevel> levels, std::vector<TrialPlan> plans, ResultsStore& store);

  /// Trials of a plan, not free play.
  bool recorded() const { return recorded_; }
  /// Free play whose attempts are kept.
  bool keeps_attempts() const { return !recorded_ && store_ != nullptr; }
  const std::vector<PlayableLevel>& levels() const { return levels_; }
  /// Of free play.
  std::uint64_t seed() const { return seed_; }

  /// The first trial that the agent has not finished and that nobody plays under its name; null when none is
  /// left. Throws AgentFailure when another agent of that name is in the results.
  const TrialPlan* take(const std::string& agent, const std::string& fingerprint);
  /// The trials that this agent can still take.
  std::vector<const TrialPlan*> open(const std::string& agent) const;
  /// Makes a trial that was taken but not begun available again.
  void give_back(const std::string& agent, const TrialPlan& plan);
  /// begin() records that a level of the trial is on the agent's screen, report() a shot with its report.
  /// Both throw Error when the record cannot be written.
  void begin(const std::string& agent, const TrialPlan& plan);
  void report(const std::string& agent, const TrialPlan& plan, const PlayedShot& shot);
  /// Keeps the result. Returns how many trials of the plan that agent has finished. Throws Error when it
  /// cannot be written.
  std::size_t finish(TrialResult result);
  /// Of the plan.
  std::size_t count() const { return plans_.size(); }
  /// Free play that is kept: attempts of this agent will come. Throws AgentFailure as take() does.
  void expect(const std::string& agent, const std::string& fingerprint);
  /// Keeps an attempt, with the next number of that agent and level as its trial, which it returns. Throws as
  /// finish() does.
  int finish_attempt(TrialResult result);
  /// All trials are in the results under that name.
  bool all_finished(const std::string& agent) const;

 private:
  bool is_open(const std::string& agent, const TrialPlan& plan) const;
  std::size_t count_finished(const std::string& agent) const;
  void add_agent(const std::string& agent, const std::string& fingerprint);

  std::vector<PlayableLevel> levels_;
  std::vector<TrialPlan> plans_;  ///< recorded
  std::uint64_t seed_ = 0;        ///< free
  ResultsStore* store_ = nullptr;
  bool recorded_ = false;
  std::set<TrialKey> finished_, taken_;
  mutable std::mutex mutex_;
};

}  // namespace startle::aibirds
