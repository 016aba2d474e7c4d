#pragma once
/// \file  A game of one Science Birds agent: which requests are answered with what. No sockets, no clock.
///
/// *Recorded*: the agent plays the trials of a plan, as it would in `startle agents run`: the levels of a trial in order, one try
/// each, a novelty report after each shot (state 12); results go into a results file. *Free*: all levels in the normal world, in
/// any order, as often as it likes; nothing is recorded.
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agents/aibirds/ground_truth.hpp"
#include "agents/aibirds/protocol.hpp"
#include "agents/game.hpp"
#include "agents/results_store.hpp"
#include "agents/trial.hpp"
#include "sim/random.hpp"

namespace startle::aibirds {

/// What is there to be played, by any number of agents at once. Any thread may call anything.
class Trials {
 public:
  /// Free play.
  Trials(std::vector<PlayableLevel> levels, std::uint64_t seed);
  /// Recorded in `store`, which must live longer. What it has is not played again.
  Trials(std::vector<PlayableLevel> levels, std::vector<TrialPlan> plans, ResultsStore& store);

  bool recorded() const { return store_ != nullptr; }
  const std::vector<PlayableLevel>& levels() const { return levels_; }

  /// The first trial that the agent has not finished and that nobody plays under its name; null when none is left. Throws
  /// AgentFailure when another agent of that name is in the results.
  const TrialPlan* take(const std::string& agent, const std::string& fingerprint);
  /// Is there one to take?
  bool left(const std::string& agent) const;
  /// A trial that was taken and not begun.
  void give_back(const std::string& agent, const TrialPlan& plan);
  /// Keeps the result. Throws Error when it cannot be written.
  void finish(const TrialResult& result);
  /// All trials are in the results under that name.
  bool all_finished(const std::string& agent) const;

 private:
  bool is_open(const std::string& agent, const TrialPlan& plan) const;

  std::vector<PlayableLevel> levels_;
  std::vector<TrialPlan> plans_;
  ResultsStore* store_ = nullptr;
  std::set<TrialKey> finished_, taken_;
  mutable std::mutex mutex_;
};

struct SessionOptions {
  std::string name;         ///< of the agent; empty: "team-" and the number it configures itself with
  bool dev = false;         ///< codes 61 and 62 without noise, and ground truth with labels
  bool ask_novelty = true;  ///< false: for agents that know nothing of state 12; each shot counts as reported with likelihood 0
  Dialect dialect = Dialect::phyq;
  unsigned trial_minutes = 60;  ///< as told to the agent
};

class Session {
 public:
  /// `trials` must live longer.
  Session(Trials& trials, SessionOptions options);

  /// The reply. Throws Error for what is no fault of the agent.
  std::string answer(const Request& request);

  /// A recorded trial has been begun and is not finished.
  bool in_trial() const { return trials_.recorded() && plan_ != nullptr && !trial_over_; }
  std::string agent() const;

  /// The agent cannot go on: a trial in which it has loaded a level is recorded with that status, another one is given back.
  void fail(Status status, const std::string& error);
  /// The server ends: nothing is recorded of the trial under way, which can be played again.
  void abandon();

 private:
  State state() const;
  std::string new_set();
  bool load(std::size_t level);
  bool load_number(std::uint32_t number);
  std::uint32_t load_next();
  bool restart();
  bool shoot(const ScreenShot& shot);
  bool report(const Request& request);
  bool describe(const std::string& description);
  void record_shot(double novelty, const std::string& description);
  void end_level_when_over();
  void end_trial();
  void move_on();

  bool on_screen() const { return game_.has_value(); }
  Screen screen_now() const;
  std::string ground_truth_now(bool noisy);
  std::string shot_frames(std::int32_t frequency, std::int32_t most);
  Bitmap screenshot() const;
  Bitmap first_screenshot() const;
  const Scene& start(std::size_t level) const;

  Trials& trials_;
  SessionOptions options_;
  std::uint32_t team_ = 0;
  const TrialPlan* plan_ = nullptr;
  TrialResult result_;
  std::optional<Game> game_;
  std::size_t level_ = 0;    ///< index in the plan; of the game
  bool began_ = false;       ///< a level of the trial was loaded
  bool trial_over_ = false;  ///< its last level is, or it failed
  bool waiting_ = true;      ///< for the agent to be ready for the next trial
  bool terminated_ = false;  ///< none is left
  bool report_wanted_ = false;
  bool zoomed_in_ = false;
  std::string description_;            ///< told with code 67, of the shot to be reported
  std::vector<std::uint32_t> scores_;  ///< best of each level that was solved
  Random noise_{0};
};

/// What a results file says an agent over TCP is.
std::string fingerprint(const SessionOptions& options);

}  // namespace startle::aibirds
