#include "agents/programs/process.hpp"

#include <poll.h>
#include <sys/wait.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/agent.hpp"

namespace startle {
namespace {

constexpr std::size_t errors_kept = 4096;  // bytes of standard error
constexpr std::size_t reason_lines = 20, reason_bytes = 2000;

ChildProcess started(const std::string& command, const ProcessLimits& limits) {
  // The program in place of the shell, where the command is a single one: a shell in between would hold its
  // output open. Not with settings of variables before it, which exec would take for its name.
  const std::string::size_type word = command.find_first_not_of(' ');
  const bool sets_variables = word != std::string::npos &&
                              command.substr(word, command.find(' ', word) - word).find('=') !=
                                  std::string::npos;
  const bool is_exec = word != std::string::npos && command.compare(word, 5, "exec ") == 0;
  const bool single = !sets_variables && !is_exec && command.find_first_of(";&|<>()\n") == std::string::npos;
  const std::string line = (single ? "exec " : "") + command;
  try {
    return ChildProcess(limits.sandbox
                            ? limits.sandbox->call(line)
                            : ProgramCall{.words = {"/bin/sh", "-c", line}, .withheld = limits.withheld},
                        {.in = ChildStream::pipe,
                         .out = ChildStream::pipe,
                         .err = ChildStream::pipe,
                         .dies_with_thread = true,
                         .memory_mb = limits.memory_mb});
  } catch (const Error& error) {
    throw MachineError(std::string("agent: ") + error.what());
  }
}

/// Of the lines after a traceback's first, the one where the exception begins: places in files are indented.
bool is_message(const std::string& line) { return !line.empty() && line.front() != ' '; }

std::string seconds_text(double seconds) {
  std::string text = std::to_string(seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

}  // namespace

std::filesystem::path working_folder(const ProcessLimits& limits) {
  return limits.sandbox ? limits.sandbox->folder() : ".";
}

namespace {

/// Of all threads of this process.
std::set<pid_t> children() {
  std::set<pid_t> found;
  std::error_code none;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", none)) {
    std::ifstream list(thread.path() / "children");
    for (pid_t child = 0; list >> child;) found.insert(child);
  }
  return found;
}

}  // namespace

Reaper::Reaper() : ours_(children()) {
#ifdef __linux__  // elsewhere, as in WebAssembly, there are no programs
  prctl(PR_GET_CHILD_SUBREAPER, &before_);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

Reaper::~Reaper() {
  // Children of what is killed become ours in turn: until there are no more, or they are too quick for us.
  for (int round = 0; round < 100; ++round) {
    bool any = false;
    for (const pid_t child : children()) {
      if (ours_.contains(child)) continue;
      any = true;
      kill(child, SIGKILL);
      while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    if (!any) break;
  }
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, before_);
#endif
}

AgentProcess::AgentProcess(const std::string& command, const ProcessLimits& limits)
    : limits_(limits),
      child_(started(command, limits)),
      watch_(child_.pid(), {.memory_mb = limits.memory_mb, .counts_scratch = limits.sandbox != nullptr}) {}

void AgentProcess::start_clock() {
  started_ = Clock::now();
  const double allowed = std::min(limits_.action_s, limits_.trial_s - used_s_);
  deadline_ = started_ + std::chrono::duration_cast<Clock::duration>(
                             std::chrono::duration<double>(std::max(allowed, 0.0)));
}

void AgentProcess::stop_clock() { used_s_ += std::chrono::duration<double>(Clock::now() - started_).count(); }

void AgentProcess::keep_errors() {
  child_.read_err(errors_);
  if (errors_.size() > errors_kept) errors_.erase(0, errors_.size() - errors_kept);
}

/// Reads what there is. False at the end of the child's output.
bool AgentProcess::receive() {
  std::string part;
  if (!child_.read_out(part)) return false;
  received_ += part.size();
  if (received_ > limits_.output_mb << 20)
    throw AgentFailure(Status::protocol_error,
                       "wrote more than " + std::to_string(limits_.output_mb) + " MiB in one trial");
  buffer_ += part;
  const std::size_t line = std::min(buffer_.find('\n'), buffer_.size());
  if (line > limits_.line_kb << 10)
    throw AgentFailure(Status::protocol_error,
                       "wrote a line of more than " + std::to_string(limits_.line_kb) + " KiB");
  return true;
}

/// Waits until the child has written, or can be written to, or `until`. False when the time is over.
bool AgentProcess::pump(Clock::time_point until, bool for_writing) {
  for (;;) {
    const Clock::time_point now = Clock::now();
    if (now > until) return false;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - now).count();
    std::array<pollfd, 3> files{pollfd{child_.out(), POLLIN, 0}, pollfd{child_.err(), POLLIN, 0},
                                pollfd{for_writing ? child_.in() : -1, POLLOUT, 0}};
    const int ready = poll(files.data(), files.size(),
                           static_cast<int>(std::min<long long>(left + 1, 60000)));
    if (ready < 0 && errno != EINTR) throw MachineError(std::string("agent: poll: ") + std::strerror(errno));
    if (ready <= 0) continue;
    if (files[1].revents != 0) keep_errors();
    // While there is something to write, too: a child that floods its output and reads nothing would
    // otherwise look like one that is slow.
    const bool received = files[0].revents != 0;
    if (received) ended_ = !receive();
    if (for_writing ? files[2].revents != 0 : received) return true;
  }
}

/// The last lines of standard error, reason_lines or reason_bytes of them: messages have several lines. Of
/// Python, what is after its last traceback: the exception, whole, without the places in files, which are
/// nobody else's.
std::string AgentProcess::reason() const {
  std::vector<std::string> lines;
  std::istringstream in(errors_);
  for (std::string line; std::getline(in, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    lines.push_back(std::move(line));
  }
  auto begin = std::find(lines.rbegin(), lines.rend(), "Traceback (most recent call last):").base();
  if (begin == lines.begin() || std::none_of(begin, lines.end(), [](const auto& l) { return is_message(l); }))
    begin = lines.begin();
  else
    begin = std::find_if(begin, lines.end(), [](const auto& l) { return is_message(l); });
  lines.erase(lines.begin(), begin);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  if (lines.size() > reason_lines) lines.erase(lines.begin(), lines.end() - reason_lines);
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text.size() <= reason_bytes ? text : "..." + text.substr(text.size() - reason_bytes);
}

/// The child has closed its output, or no longer reads: why?
void AgentProcess::fail_ended() { fail(child_.wait(1)); }

/// `end`: of the process that played; empty where it runs on.
void AgentProcess::fail(const std::optional<ProgramEnd>& end) {
  for (pollfd file{child_.err(), POLLIN, 0}; child_.err() >= 0 && poll(&file, 1, 0) > 0;) keep_errors();
  if (const std::string beyond = watch_.verdict(); !beyond.empty())
    throw AgentFailure(Status::crash, "killed, as it " + beyond);
  const std::string last = reason();
  const std::string said = last.empty() ? "" : ": " + last;
  if (!end)
    throw AgentFailure(Status::protocol_error, "closed its input or output before the trial was over" + said);
  // How a shell reports the end of its child, as far as there is such a signal.
  const int by_shell = end->code > 128 && end->code - 128 < NSIG ? end->code - 128 : 0;
  if (end->good()) throw AgentFailure(Status::protocol_error, "ended before the trial was over" + said);
  throw AgentFailure(Status::crash, (by_shell > 0 ? ProgramEnd{.signal = by_shell} : *end).text() + said);
}

/// The next whole line that is not blank of what has come.
std::optional<std::string> AgentProcess::next_line() {
  for (std::size_t end; (end = buffer_.find('\n')) != std::string::npos;) {
    const std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    if (line.find('\0') != std::string::npos)
      throw AgentFailure(Status::protocol_error, "wrote a byte 0, which no message holds");
    if (line.find_first_not_of(" \t\r") != std::string::npos) return line;
  }
  return {};
}

/// Whether the line is no answer, but says that the child is ready or that the trial is over.
bool AgentProcess::is_control(const std::string& line) {
  if (!std::exchange(spoken_, true)) return (separation_ = parse_ready(line)).has_value();
  if (separation_) over_ = parse_over(line);
  return over_.has_value();
}

void AgentProcess::ask(const std::string& line) {
  // What has come up to now was not asked for. A first line may be that it is ready, even if in part.
  pollfd output{child_.out(), POLLIN, 0};
  while (!ended_ && poll(&output, 1, 0) > 0) ended_ = !receive();
  while (const std::optional<std::string> early = next_line())
    if (!is_control(*early))
      throw AgentFailure(Status::protocol_error, "wrote an answer before it was asked");
  if (over_) fail(over_);
  if (spoken_ && buffer_.find_first_not_of(" \t\r\n") != std::string::npos)
    throw AgentFailure(Status::protocol_error, "wrote an answer before it was asked");
  if (!send(line)) fail_ended();
}

/// False when nobody reads it any more.
bool AgentProcess::send(const std::string& line) {
  const std::string text = line + "\n";
  for (std::string_view rest = text; !rest.empty();) {
    const std::optional<std::size_t> count = child_.write_some(rest);
    if (!count) return false;
    rest.remove_prefix(*count);
    if (*count == 0 && !pump(deadline_, true))
      throw AgentFailure(Status::timeout, "did not read its input within " + seconds_text(limits_.action_s));
  }
  sent_ += text.size();
  return true;
}

std::map<AgentProcess::ProcessName, std::uint64_t> AgentProcess::readers() const {
  std::map<ProcessName, std::uint64_t> found;
  for (const ProcessState& state : process_tree(child_.pid()))
    if (const auto bytes = bytes_read(state.pid)) found[{state.pid, state.started}] = *bytes;
  return found;
}

/// `playing`: the readers when the program had given its last answer. The trial is over, so processes that
/// are still there wait for the next trial. They may have read the first line of this trial, but if a fork
/// played it, a process that is gone has read the rest.
void AgentProcess::look_for_fork(const std::map<ProcessName, std::uint64_t>& playing) {
  const std::map<ProcessName, std::uint64_t> after = readers();
  std::uint64_t by_those_that_stay = 0;
  bool gone_has_read = false;
  for (const auto& [process, bytes] : playing) {
    const auto earlier = before_->find(process);
    const std::uint64_t read = bytes - (earlier == before_->end() ? 0 : earlier->second);
    if (after.contains(process))
      by_those_that_stay += read;
    else if (2 * read >= sent_)
      gone_has_read = true;
  }
  seen_to_fork_ = gone_has_read && 2 * by_those_that_stay < sent_;
  before_ = after;
  sent_ = 0;
}

std::string AgentProcess::read_line() {
  for (;;) {
    if (std::optional<std::string> line = next_line()) {
      if (!is_control(*line)) {
        if (separation_ == Separation::fork && !limits_.sandbox && !before_) {
          before_ = readers();  // of the first trial, once it is loaded
          sent_ = 0;
        }
        return *line;
      }
      if (over_) fail(over_);
      continue;
    }
    if (ended_) fail_ended();
    if (!pump(deadline_, false)) {
      const bool of_trial = limits_.trial_s - used_s_ < limits_.action_s;
      throw AgentFailure(Status::timeout,
                         of_trial ? "took more than " + seconds_text(limits_.trial_s) + " for a trial"
                                  : "gave no answer within " + seconds_text(limits_.action_s));
    }
  }
}

void AgentProcess::finish(const std::string& last_line, double grace_s) {
  const bool plays_on = separation_ && !limits_.sandbox;
  const bool forks = plays_on && separation_ == Separation::fork && before_;
  const auto playing = forks ? readers() : std::map<ProcessName, std::uint64_t>{};
  send(last_line);
  if (!plays_on) child_.close_in();
  // Who plays on is worth waiting for: started anew, it would have to load again.
  const double seconds = plays_on ? std::max(grace_s, limits_.action_s) : grace_s;
  const auto until = Clock::now() +
                     std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  const auto unasked = [&] {
    over_.reset();  // nor is it to play on
    return AgentFailure(Status::protocol_error, "wrote without being asked, after its last answer");
  };
  do {
    while (const std::optional<std::string> line = next_line())
      if (over_ || !is_control(*line)) throw unasked();
  } while (!over_ && !ended_ && pump(until, false));
  if (buffer_.find_first_not_of(" \t\r\n") != std::string::npos) throw unasked();
  if (forks && over_) look_for_fork(playing);
}

bool AgentProcess::awaits_trial() { return over_ && !limits_.sandbox && !ended_ && !child_.end(); }

void AgentProcess::new_trial() {
  used_s_ = 0;
  received_ = 0;
  buffer_.clear();
  errors_.clear();
  over_.reset();
  seen_to_fork_ = false;
  // After a trial that failed, what its fork has read counts as the program's.
  if (sent_ > 0) before_.reset();
}

}  // namespace startle
