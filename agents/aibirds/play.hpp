#pragma once
/// \file  What a Science Birds agent may load and when, and what of it is recorded: two ways to play the
/// levels of Trials.
///
/// *Recorded*: the agent plays the trials of a plan, as it would in `startle agents run`: the levels of a
/// trial in order, one try each, a novelty report after each shot (state 12); results go into a results file.
/// *Free*: all levels in the normal world, in any order, as often as it likes; nothing is recorded, or each
/// attempt in which a shot was flown.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agents/aibirds/ground_truth.hpp"
#include "agents/aibirds/protocol.hpp"
#include "agents/aibirds/trials.hpp"
#include "agents/game.hpp"
#include "agents/trials/trial.hpp"
#include "core/random.hpp"

namespace startle::aibirds {

struct SessionOptions {
  std::string name;         ///< of the agent; empty: "team-" and the number it configures itself with
  bool dev = false;         ///< codes 61 and 62 without noise, and ground truth with labels
  bool ask_novelty = true;  ///< false: for agents that know nothing of state 12; each shot counts as reported
                            ///< with likelihood 0
  /// Recorded: all trials are one set of levels, numbered through. For agents that say they are ready (code
  /// 68) at the start only, and then load level after level by its number.
  bool one_set = false;
  int screen_width = aibirds::screen_width;  ///< of pictures, ground truth and shots; or wide_screen_width
  Dialect dialect = Dialect::phyq;
  double action_s = 120;  ///< longest wait for the next request, and for the agent to take a reply
  double trial_s = 3600;  ///< longest wait for all requests of a trial together
  /// Gets a line for people at each trial or attempt that is recorded, and at a request that is refused.
  std::function<void(const std::string&)> log = {};

  /// As the agent is told.
  unsigned trial_minutes() const { return static_cast<unsigned>(std::max(1.0, trial_s / 60)); }
};

/// What a results file says an agent over TCP is.
std::string fingerprint(const SessionOptions& options);

/// The level on one agent's screen and its way through the levels. Members named after requests return
/// whether the request was done; where it was refused, they have called refuse().
class Play {
 public:
  /// `trials` and `options` must live longer.
  Play(Trials& trials, const SessionOptions& options) : trials_(trials), options_(options) {}
  virtual ~Play() = default;
  Play(const Play&) = delete;
  Play& operator=(const Play&) = delete;

  /// The number the agent has configured itself with, 0 before.
  std::uint32_t team() const { return team_; }
  /// Another name in the middle of a trial would leave the trial to nobody, and is not taken.
  void set_team(std::uint32_t team) {
    if (!in_trial()) team_ = team;
  }
  std::string agent() const;

  /// Null without a level on the screen.
  const Game* game() const { return game_ ? &*game_ : nullptr; }
  /// The level on the screen as it was before the first shot.
  virtual const Scene& start() const = 0;
  /// Of the level on the screen, from 1; 0 without one.
  std::uint32_t level_number() const { return game_ ? static_cast<std::uint32_t>(earlier_ + level_ + 1) : 0; }
  /// Best of each level of the set that was solved.
  const std::vector<std::uint32_t>& scores() const { return scores_; }
  /// Of the game on the screen, rounded.
  std::uint32_t score() const;
  /// Levels of the set, where there is one.
  virtual std::optional<std::size_t> set_size() const = 0;
  virtual GameState state() const;

  /// Code 68: the next trial, where the agent is due one; otherwise the numbers again.
  virtual NewSet new_set() = 0;
  virtual bool load(std::uint32_t number) = 0;
  /// The number of the level that was loaded; 0: none is left.
  virtual std::uint32_t load_next() = 0;
  virtual bool restart() = 0;
  virtual bool may_shoot() const { return state() == GameState::playing; }
  /// May be called where may_shoot() is true. Throws Error when results cannot be written.
  bool shoot(const Shot& shot);
  /// Why no shot may be flown now.
  virtual std::string why_no_shot() const;
  /// Keeps the reason until log_refusal(), which comes once the request is answered. Returns false.
  bool refuse(const std::string& reason);
  /// Logs the reason of a refused request, each once and few in all: agents may ask again without end.
  void log_refusal(Code code);
  virtual bool report(const Request& request) = 0;
  virtual bool describe(const std::string& description) = 0;

  /// A recorded trial has been begun and is not finished.
  virtual bool in_trial() const = 0;
  /// The agent cannot go on: a trial in which it has loaded a level is recorded with that status, another one
  /// is given back.
  virtual void fail(Status status, const std::string& error) = 0;
  /// The server ends: nothing is recorded of the trial under way, which can be played again.
  virtual void abandon() = 0;

  bool zoomed_in = false;
  Random noise{0};  ///< of the ground truth that the agent sees

 protected:
  /// Puts the level on the screen, zoomed out.
  void show_level(const Scene& scene, std::size_t level);
  /// A shot was flown.
  virtual void flown() = 0;
  /// The level on the screen has come to its end; its score is in scores().
  virtual void level_over() = 0;
  void end_level_when_over();
  /// The last shot, in the last level of result_.
  void record_shot(double novelty, const std::string& description);
  /// For people.
  void log(const std::string& line) const;

  Trials& trials_;
  const SessionOptions& options_;
  std::uint32_t team_ = 0;
  std::optional<Game> game_;
  std::size_t level_ = 0;    ///< index in the trial; of the game
  std::size_t earlier_ = 0;  ///< one_set: levels of the trials before this one
  std::vector<std::uint32_t> scores_;
  TrialResult result_;

 private:
  std::string refusal_;
  std::set<std::string> logged_refusals_;
};

std::unique_ptr<Play> recorded_play(Trials& trials, const SessionOptions& options);
std::unique_ptr<Play> free_play(Trials& trials, const SessionOptions& options);

}  // namespace startle::aibirds
