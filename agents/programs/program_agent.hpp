#pragma once
/// \file  An agent that is a program of its own, in any language: JSON lines on its standard input and output
/// (docs/agent-protocol.md).
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "agents/agent.hpp"
#include "agents/programs/process.hpp"

namespace startle {

/// Programs that have played a trial and said that they are ready for more: the last one that each thread
/// kept. They end when this object is destroyed.
class ReadyPrograms {
 public:
  /// The program that this thread kept, if it runs `command` and waits for a trial; else null, and the kept
  /// program ends.
  std::unique_ptr<AgentProcess> take(const std::string& command);
  /// A program dies with the thread that started it, so it stays with that one.
  void keep(const std::string& command, std::unique_ptr<AgentProcess> process);

 private:
  using Kept = std::pair<std::string, std::unique_ptr<AgentProcess>>;
  std::mutex mutex_;
  std::map<std::thread::id, Kept> kept_;
};

/// Lives for one trial.
class ProgramAgent : public Agent {
 public:
  /// Takes one of `programs`, which outlives this, or starts `command` with /bin/sh. What the program does
  /// wrong is thrown as AgentFailure.
  ProgramAgent(const std::string& command, const ProcessLimits& limits, ReadyPrograms* programs = nullptr);
  ~ProgramAgent() override;

  void begin(const Briefing& briefing) override;
  Shot act(const ObservationSource& source) override;
  Report report(const SeenShot& seen, const ObservationSource& source) override;
  void end() override;
  /// What played the trial, as the runner saw it: "own", a process for this trial alone; "fork", one of a
  /// program that plays several; "shared", a program that says it forks and was not seen to; "reset", one
  /// that promises to forget. A trial that has failed counts as the program says.
  std::string process() const override;

 private:
  template <typename Answer, typename Parse>
  Answer answer(const std::string& request, const ObservationSource& source, const Parse& parse);

  std::string command_;
  ReadyPrograms* programs_;
  std::unique_ptr<AgentProcess> process_;
  bool ended_ = false;  ///< the trial is over and went well
};

}  // namespace startle
