#pragma once
/// \file  A program run as a child, talked to by lines, within limits of time, memory and output.
///
/// It plays one trial, unless its first line says that it is ready for several (docs/agent-protocol.md).
/// It is a ChildProcess, which is killed with its group when the AgentProcess goes, and dies with the runner;
/// what leaves the group is left to a Reaper. This keeps a bad program from harming a run; without a Sandbox
/// it is no sandbox: the program has the rights of whoever runs it. In a Sandbox it plays one trial, whatever
/// it says, as only then nothing is left for the next.
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "agents/programs/messages.hpp"
#include "agents/programs/process_watch.hpp"
#include "agents/programs/sandbox.hpp"
#include "core/child_process.hpp"
#include "core/error.hpp"

namespace startle {

struct ProcessLimits {
  double action_s = 10;                    ///< for one answer, wall clock
  double trial_s = 120;                    ///< for all answers of a trial together
  std::size_t memory_mb = 4096;            ///< of all its processes together; and address space of each
  std::size_t line_kb = 64;                ///< longest line the child may write
  std::size_t output_mb = 16;              ///< all it may write
  std::shared_ptr<const Sandbox> sandbox;  ///< empty: it is not locked in
  std::string withheld;                    ///< as of ProgramCall: the run's secret
};

/// Where a program begins, which is where the files named in its command are.
std::filesystem::path working_folder(const ProcessLimits& limits);

/// The machine cannot run programs as it should. No fault of an agent.
class MachineError : public Error {
  using Error::Error;
};

/// While it lives, processes that children of this process leave behind become its own children, wherever
/// they went (PR_SET_CHILD_SUBREAPER); at its end all children that came meanwhile are killed. For the length
/// of a run of agents: a program that leaves its process group does not outlive the run.
class Reaper {
 public:
  Reaper();
  ~Reaper();
  Reaper(const Reaper&) = delete;
  Reaper& operator=(const Reaper&) = delete;

 private:
  int before_ = 0;        ///< whether it was so before
  std::set<pid_t> ours_;  ///< children from before
};

class AgentProcess {
  using ProcessName = std::pair<pid_t, std::uint64_t>;  ///< its number, and when it started

 public:
  /// Runs `command` with /bin/sh. Throws MachineError when no process can be made; a command that does not
  /// exist shows later, as a crash.
  AgentProcess(const std::string& command, const ProcessLimits& limits);

  /// The time for the next answer runs from start to stop.
  void start_clock();
  void stop_clock();
  /// Writes the line and a line feed. Throws AgentFailure when the time is over, the child or its trial is
  /// gone, or it has written something already.
  void ask(const std::string& line);
  /// The next answer: a line that is not blank. Throws AgentFailure: timeout; crash, with the signal or exit
  /// code and the last lines the child wrote on standard error; protocol_error when it closed its output, or
  /// wrote more than is allowed.
  std::string read_line();
  /// Sends a last line and lets the trial end: at most `grace_s`, then the child is killed. Where it plays
  /// one trial, its input is closed. A child that has ended or reads no more, which it may once it has given
  /// its last answer, is not waited for and is no failure. Throws AgentFailure: protocol_error when it wrote
  /// anything more; timeout when it has not read what it was sent before.
  void finish(const std::string& last_line, double grace_s = 1);

  /// How it keeps trials apart; empty while it has not said that it plays several.
  std::optional<Separation> separation() const { return separation_; }
  /// Whether the finished trial was seen to be played by a process that started for it and ended with it.
  /// Only for a program that says it forks; it must read the last line that it is sent.
  bool seen_to_fork() const { return seen_to_fork_; }
  /// Whether it has said that the trial is over, and waits for the next one.
  bool awaits_trial();
  /// A new trial on the same child, with all limits anew.
  void new_trial();

 private:
  using Clock = std::chrono::steady_clock;
  bool pump(Clock::time_point until, bool for_writing);
  bool receive();
  bool send(const std::string& line);
  std::optional<std::string> next_line();
  bool is_control(const std::string& line);
  void keep_errors();
  [[noreturn]] void fail_ended();
  [[noreturn]] void fail(const std::optional<ProgramEnd>& end);
  std::string reason() const;

  /// The processes there are, with what each has read up to now.
  std::map<ProcessName, std::uint64_t> readers() const;
  void look_for_fork(const std::map<ProcessName, std::uint64_t>& playing);

  ProcessLimits limits_;
  ChildProcess child_;
  ProcessWatch watch_;
  Clock::time_point deadline_;
  double used_s_ = 0;  ///< of trial_s, by the answers so far
  Clock::time_point started_;
  std::string buffer_, errors_;
  std::size_t received_ = 0;
  bool ended_ = false;                                          ///< end of its output was seen
  bool spoken_ = false;                                         ///< it has written a line
  std::optional<std::map<ProcessName, std::uint64_t>> before_;  ///< readers(), from which sent_ counts
  std::size_t sent_ = 0;                                        ///< bytes
  bool seen_to_fork_ = false;
  std::optional<Separation> separation_;
  std::optional<ProgramEnd> over_;  ///< of the trial, as the child says
};

}  // namespace startle
