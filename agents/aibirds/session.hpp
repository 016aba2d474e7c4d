#pragma once
/// \file  A game of one Science Birds agent: which requests are answered with what. No sockets, no clock.
///
/// *Recorded*: the agent plays the trials of a plan, as it would in `startle agents run`: the levels of a trial in order, one try
/// each, a novelty report after each shot (state 12); results go into a results file. *Free*: all levels in the normal world, in
/// any order, as often as it likes; nothing is recorded, or each attempt in which a shot was flown.
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
  /// Free play. `attempts`, where given, must live longer and gets each of them.
  Trials(std::vector<PlayableLevel> levels, std::uint64_t seed, ResultsStore* attempts = nullptr);
  /// Recorded in `store`, which must live longer. What it has is not played again.
  Trials(std::vector<PlayableLevel> levels, std::vector<TrialPlan> plans, ResultsStore& store);

  /// Trials of a plan, not free play.
  bool recorded() const { return recorded_; }
  /// Free play whose attempts are kept.
  bool keeps_attempts() const { return !recorded_ && store_ != nullptr; }
  const std::vector<PlayableLevel>& levels() const { return levels_; }

  /// The first trial that the agent has not finished and that nobody plays under its name; null when none is left. Throws
  /// AgentFailure when another agent of that name is in the results.
  const TrialPlan* take(const std::string& agent, const std::string& fingerprint);
  /// Those that there are to take.
  std::vector<const TrialPlan*> open(const std::string& agent) const;
  /// A trial that was taken and not begun.
  void give_back(const std::string& agent, const TrialPlan& plan);
  /// Keeps the result. Throws Error when it cannot be written.
  void finish(const TrialResult& result);
  /// Free play that is kept: attempts of this agent will come. Throws AgentFailure as take() does.
  void expect(const std::string& agent, const std::string& fingerprint);
  /// Keeps an attempt, with the next number of that agent and level as its trial. Throws as finish() does.
  void finish_attempt(TrialResult result);
  /// All trials are in the results under that name.
  bool all_finished(const std::string& agent) const;

 private:
  bool is_open(const std::string& agent, const TrialPlan& plan) const;
  void add_agent(const std::string& agent, const std::string& fingerprint);

  std::vector<PlayableLevel> levels_;
  std::vector<TrialPlan> plans_;
  ResultsStore* store_ = nullptr;
  bool recorded_ = false;
  std::set<TrialKey> finished_, taken_;
  mutable std::mutex mutex_;
};

struct SessionOptions {
  std::string name;  ///< of the agent; empty: "team-" and the number it configures itself with
  bool dev = false;  ///< codes 61 and 62 without noise, and ground truth with labels
  bool ask_novelty =
      true;  ///< false: for agents that know nothing of state 12; each shot counts as reported with likelihood 0
  /// Recorded: all trials are one set of levels, numbered through. For agents that say they are ready (code 68) at the start only, and then load
  /// level after level by its number.
  bool one_set = false;
  int screen_width = aibirds::screen_width;  ///< of pictures, ground truth and shots; or wide_screen_width
  Dialect dialect = Dialect::phyq;
  unsigned trial_minutes = 60;  ///< as told to the agent
};

class Session {
 public:
  /// `trials` must live longer.
  Session(Trials& trials, SessionOptions options);

  /// The reply. Throws Error for what is no fault of the agent.
  std::string answer(const Request& request);
  /// The reply to one who looks on (codes 1, 11 and 61 to 64), from the game as it stands; it changes nothing, and `noise` is the onlooker's own.
  /// Throws AgentFailure(protocol_error) for other codes.
  std::string show(const Request& request, Random& noise) const;
  /// The number the agent has configured itself with, 0 before.
  std::uint32_t team() const { return team_; }

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
  void add_to_set(const TrialPlan& plan);
  bool next_in_set();
  bool load(std::size_t level);
  bool load_number(std::uint32_t number);
  std::uint32_t load_next();
  bool restart();
  bool shoot(const ScreenShot& shot);
  bool report(const Request& request);
  bool describe(const std::string& description);
  void record_shot(double novelty, const std::string& description);
  void end_level_when_over();
  void end_attempt();
  void end_trial();
  void move_on();

  bool on_screen() const { return game_.has_value(); }
  Screen screen_now() const;
  std::string ground_truth_now(bool noisy, Random& noise) const;
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
  std::size_t level_ = 0;       ///< index in the plan; of the game
  std::size_t earlier_ = 0;     ///< one_set: levels of the trials before this one
  std::size_t set_levels_ = 0;  ///< as told with code 68
  std::uint32_t set_interactions_ = 0;
  bool began_ = false;       ///< a level of the trial was loaded
  bool trial_over_ = false;  ///< its last level is, or it failed
  bool waiting_ = true;      ///< for the agent to be ready for the next trial
  bool terminated_ = false;  ///< none is left
  bool report_wanted_ = false;
  bool zoomed_in_ = false;
  std::string description_;            ///< told with code 67, of the shot to be reported
  std::vector<std::uint32_t> scores_;  ///< best of each level of the set that was solved
  Random noise_{0};
};

/// What a results file says an agent over TCP is.
std::string fingerprint(const SessionOptions& options);

}  // namespace startle::aibirds
