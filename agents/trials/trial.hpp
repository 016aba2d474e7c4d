#pragma once
/// \file  One trial: an agent plays one level, or a row of levels in which the world changes, and reports
/// after each shot.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agents/agent.hpp"
#include "agents/programs/process.hpp"
#include "agents/programs/program_agent.hpp"
#include "agents/trials/secret.hpp"
#include "sim/novelty.hpp"
#include "sim/scene.hpp"
#include "sim/trace.hpp"
#include "sim/world_options.hpp"

namespace startle {

/// single: one level, normal or novel, one try [Pinto §5.2]. shift: k normal levels, then novel ones
/// (NovPhy).
enum class Protocol { single, shift };
const char* name(Protocol protocol);

/// A level made ready to be played.
struct PlayableLevel {
  std::string name;
  std::uint64_t hash = 0;  ///< of the level's data
  std::string novelty;     ///< name
  Novelty change;          ///< what it does to this level; given to the Oracle alone
  std::string tier;        ///< stored tier "easy", "medium", "hard", or third "low", "middle", "high"; may
                           ///< be empty
  Scene normal, novel;     ///< the same objects at the same places, at rest
};

/// What is to be played. Equal plans give equal results, whatever runs beside them.
struct TrialPlan {
  std::string unit;   ///< single: name of the level; shift: "T1/easy"
  std::string world;  ///< "normal", "novel" or "shift"
  int trial = 0;      ///< number of the repetition, from 0
  std::string novelty, tier;
  int shift = 0;           ///< number of normal levels before the novel ones; single: 0
  std::uint64_t seed = 0;  ///< of the agent
  struct PlannedLevel {
    std::size_t level = 0;  ///< index of the PlayableLevel
    bool novel = false;
  };
  std::vector<PlannedLevel> levels;  ///< in the order in which they are played
};

struct PlayedShot {
  Shot shot;
  double novelty = 0;  ///< as reported
  std::string description;
  friend bool operator==(const PlayedShot&, const PlayedShot&) = default;
};

struct PlayedLevel {
  std::string level;
  std::uint64_t hash = 0;  ///< of the level's data
  bool novel = false;
  int birds = 0;  ///< at the start
  bool solved = false;
  double score = 0;               ///< of the shots below; of a solved level with that of the unused birds
  std::vector<PlayedShot> shots;  ///< those that were reported on
  friend bool operator==(const PlayedLevel&, const PlayedLevel&) = default;
};

/// Where an agent may have played: built in; a process of its own; a fork of one that plays several trials;
/// one that says it forks and was not seen to; one that promises to forget; a client of agents serve, which
/// plays all.
inline constexpr const char* processes[] = {"built in", "own", "fork", "shared", "reset", "tcp"};

struct [[nodiscard]] TrialResult {
  std::string agent;
  std::string unit, world;  ///< with `agent` and `trial`, the key
  int trial = 0;
  std::string novelty, tier;
  int shift = 0;
  Status status = Status::ok;
  std::string error;                ///< what went wrong, for people
  int retries = 0;                  ///< earlier attempts that ended in a timeout or crash before any shot
  std::string process;              ///< one of `processes`
  std::vector<PlayedLevel> levels;  ///< all of the plan; one in which the agent failed, and those after it,
                                    ///< are not solved
  friend bool operator==(const TrialResult&, const TrialResult&) = default;
};

/// An agent to be run: built in, or a command.
struct AgentSpec {
  std::string name;
  std::string command;  ///< empty: built in
};

/// A shot as it was simulated.
struct TrialShot {
  Scene before;  ///< the world from which it started
  PlayedShot played;
  Trace trace;
};

/// Keeps the shots of a trial that were reported on.
struct TrialRecorder {
  WorldOptions recording{.record_events = true};  ///< what their traces hold
  std::vector<TrialShot> shots = {};
};

/// Is told of each report before the agent is asked for anything more.
using OnReport = std::function<void(const PlayedShot&)>;

struct TrialOptions {
  ProcessLimits limits;
  /// More attempts at a trial that ends in a timeout or crash before a shot was flown; the last attempt
  /// counts. After a shot there is no retry, which an agent could otherwise get whenever its first try went
  /// wrong.
  int retries = 1;
  TrialRecorder* recorder = nullptr;
  OnReport on_report = {};
};

/// Results say of an agent what it is and, of one that is not built in, the limits that it was given: its
/// fingerprint. Limits are of the agent and not of the run, as agents of other kinds need others for the same
/// trials. "..., limits: 1 s an answer, 2 s a trial" and `more`.
std::string with_limits(const std::string& what, double action_s, double trial_s,
                        const std::string& more = "");
/// A fingerprint without its limits, and they alone.
std::string without_limits(const std::string& fingerprint);
std::string limits_of(const std::string& fingerprint);
/// "is X here and Y there", or the same of the limits, where these alone differ.
std::string contrast(const std::string& here, const std::string& there);

/// The level before the first shot: as it stands in the results when the agent never gets to it.
PlayedLevel unplayed(const PlayableLevel& level, bool novel);
/// Whether the agent failed before its first report: the trial says nothing of the agent, and is played again
/// when the run is gone on with.
bool failed_before_report(const TrialResult& result);
/// Adds the levels of the plan that the agent did not get to, so that an agent is not scored on fewer levels
/// for having failed.
void add_unplayed(TrialResult& result, const TrialPlan& plan, const std::vector<PlayableLevel>& levels);

/// Plays the plan once. What goes wrong in the agent's own code ends up in the result; Error is thrown for
/// what is no fault of the agent. An Oracle is given the truth. `agent` and `retries` of the result are left
/// as they are. Where given, `flown` gets the number of shots flown, `recorder` the shots.
TrialResult play_trial(Agent& agent, const TrialPlan& plan, const std::vector<PlayableLevel>& levels,
                       int* flown = nullptr, TrialRecorder* recorder = nullptr,
                       const OnReport& on_report = {});

/// The same with a fresh agent for each attempt; a program may be one of those that are ready, and is kept
/// there where it stays ready.
TrialResult run_trial(const AgentSpec& agent, const TrialPlan& plan, const std::vector<PlayableLevel>& levels,
                      const TrialOptions& options, ReadyPrograms* programs = nullptr);

struct PlanOptions {
  Protocol protocol = Protocol::single;
  int trials = 1;  ///< of each level and world, or of each novelty and tier
  RunSecret secret;
  int most_before = 10;  ///< shift: k is drawn from 1 to this
  /// shift: novel levels that follow at least. All trials have most_before + after levels, since agents are
  /// given their number, which would otherwise say when the world changes.
  int after = 10;
};

/// All trials. single: each level in the normal and in the novel world. shift: rows of levels of one novelty
/// and tier, shuffled, from the first again where there are too few. Their order, the agents' seeds, which
/// differ in the two worlds of a level, the rows and the points of change come from the secret: an agent that
/// knows this program, the levels and every other option cannot predict what it plays.
std::vector<TrialPlan> plan_trials(const std::vector<PlayableLevel>& levels, const PlanOptions& options);

}  // namespace startle
