#include "agents/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "agents/agent.hpp"

namespace startle {
namespace {

constexpr std::size_t errors_kept = 4096;  // bytes of standard error

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    std::array<int, 2> ends;
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail();
    read = ends[0];
    write = ends[1];
    // A runner whose own standard input or output is closed would get their numbers here, and the child's dup2 would write over an end it still
    // needs, or leave one that closes itself.
    for (int* end : {&read, &write}) {
      if (*end > 2) continue;
      const int moved = fcntl(*end, F_DUPFD_CLOEXEC, 3);
      if (moved < 0) fail();
      close(*end);
      *end = moved;
    }
  }
  ~Pipe() {
    if (read >= 0) close(read);
    if (write >= 0) close(write);
  }
  int take(int& end) { return std::exchange(end, -1); }

 private:
  [[noreturn]] static void fail() {
    throw MachineError(std::string("agent: cannot make a pipe: ") + std::strerror(errno));
  }
};

void set_nonblocking(int file) { fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK); }

/// Runs in the child between fork and exec: only calls that are safe there.
[[noreturn]] void become(char* const* arguments, const ProcessLimits& limits, int in, int out, int err,
                         pid_t runner) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != runner) _exit(126);  // the runner died before the line above
  dup2(in, 0);
  dup2(out, 1);
  dup2(err, 2);
  close_range(3, ~0U, 0);
  if (limits.jail) limits.jail->enter();
  const rlim_t bytes = static_cast<rlim_t>(limits.memory_mb) << 20;
  const rlimit memory{bytes, bytes}, none{0, 0};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CORE, &none);
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  execv(arguments[0], arguments);
  _exit(126);
}

std::string seconds_text(double seconds) {
  std::string text = std::to_string(seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

}  // namespace

std::filesystem::path working_folder(const ProcessLimits& limits) {
  return limits.jail ? limits.jail->folder() : ".";
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
  prctl(PR_GET_CHILD_SUBREAPER, &before_);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
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
  prctl(PR_SET_CHILD_SUBREAPER, before_);
}

ChildProcess::ChildProcess(const std::string& command, const ProcessLimits& limits) : limits_(limits) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe in, out, err;
  // The program in place of the shell, where the command is a single one: a shell in between would hold its output open.
  // Not with settings of variables before it, which exec would take for its name.
  const std::string::size_type word = command.find_first_not_of(' ');
  const bool sets_variables = word != std::string::npos &&
                              command.substr(word, command.find(' ', word) - word).find('=') !=
                                  std::string::npos;
  const bool is_exec = word != std::string::npos && command.compare(word, 5, "exec ") == 0;
  const bool single = !sets_variables && !is_exec && command.find_first_of(";&|<>()\n") == std::string::npos;
  const std::string line = (single ? "exec " : "") + command;
  const std::vector<std::string> words = limits.jail ? limits.jail->arguments(line)
                                                     : std::vector<std::string>{"/bin/sh", "-c", line};
  std::vector<char*> arguments;
  for (const std::string& argument : words) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t runner = getpid();
  const pid_t pid = fork();
  if (pid < 0) throw MachineError(std::string("agent: cannot start a process: ") + std::strerror(errno));
  if (pid == 0) become(arguments.data(), limits, in.read, out.write, err.write, runner);
  setpgid(pid, pid);  // here too: it must be done before the first kill
  pid_ = pid;
  in_ = in.take(in.write);
  out_ = out.take(out.read);
  err_ = err.take(err.read);
  for (int file : {in_, out_, err_}) set_nonblocking(file);
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) {
    kill(-pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  for (int file : {in_, out_, err_})
    if (file >= 0) close(file);
}

void ChildProcess::start_clock() {
  started_ = Clock::now();
  const double allowed = std::min(limits_.action_s, limits_.trial_s - used_s_);
  deadline_ = started_ + std::chrono::duration_cast<Clock::duration>(
                             std::chrono::duration<double>(std::max(allowed, 0.0)));
}

void ChildProcess::stop_clock() { used_s_ += std::chrono::duration<double>(Clock::now() - started_).count(); }

void ChildProcess::keep_errors() {
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t count = read(err_, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;
    if (count == 0) {
      close(err_);
      err_ = -1;
      return;
    }
    errors_.append(part.data(), static_cast<std::size_t>(count));
    if (errors_.size() > errors_kept) errors_.erase(0, errors_.size() - errors_kept);
    return;
  }
}

/// Reads what there is. False at the end of the child's output.
bool ChildProcess::receive() {
  std::array<char, 1 << 14> part;
  const ssize_t count = read(out_, part.data(), part.size());
  if (count < 0) return true;  // nothing yet
  if (count == 0) return false;
  received_ += static_cast<std::size_t>(count);
  if (received_ > limits_.output_mb << 20)
    throw AgentFailure(Status::protocol_error,
                       "wrote more than " + std::to_string(limits_.output_mb) + " MiB in one trial");
  buffer_.append(part.data(), static_cast<std::size_t>(count));
  const std::size_t line = std::min(buffer_.find('\n'), buffer_.size());
  if (line > limits_.line_kb << 10)
    throw AgentFailure(Status::protocol_error,
                       "wrote a line of more than " + std::to_string(limits_.line_kb) + " KiB");
  return true;
}

/// Waits until the child has written, or can be written to, or `until`. False when the time is over.
bool ChildProcess::pump(Clock::time_point until, bool for_writing) {
  for (;;) {
    const Clock::time_point now = Clock::now();
    if (now > until) return false;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - now).count();
    std::array<pollfd, 3> files{pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0},
                                pollfd{for_writing ? in_ : -1, POLLOUT, 0}};
    if (ended_) files[0].fd = -1;
    const int ready = poll(files.data(), files.size(),
                           static_cast<int>(std::min<long long>(left + 1, 60000)));
    if (ready < 0 && errno != EINTR) throw MachineError(std::string("agent: poll: ") + std::strerror(errno));
    if (ready <= 0) continue;
    if (err_ >= 0 && files[1].revents != 0) keep_errors();
    // While there is something to write, too: a child that floods its output and reads nothing would otherwise look like one that is slow.
    const bool received = files[0].revents != 0;
    if (received) ended_ = !receive();
    if (for_writing ? files[2].revents != 0 : received) return true;
  }
}

std::string ChildProcess::last_error_line() const {
  const std::size_t end = errors_.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "";
  const std::size_t before = errors_.find_last_of('\n', end);
  return errors_.substr(before == std::string::npos ? 0 : before + 1,
                        std::min<std::size_t>(end - (before == std::string::npos ? -1 : before), 500));
}

/// The child has closed its output, or no longer reads: why?
void ChildProcess::fail_ended() {
  const auto until = Clock::now() + std::chrono::seconds(1);
  int state = 0;
  pid_t gone = 0;
  while ((gone = waitpid(pid_, &state, WNOHANG)) == 0 && Clock::now() < until) usleep(2000);
  while (err_ >= 0) {
    pollfd file{err_, POLLIN, 0};
    if (poll(&file, 1, 0) <= 0) break;
    keep_errors();
  }
  const std::string last = last_error_line();
  const std::string said = last.empty() ? "" : ": " + last;
  if (gone == 0)
    throw AgentFailure(Status::protocol_error, "closed its input or output before the trial was over" + said);
  kill(-pid_, SIGKILL);  // what it may have started
  pid_ = -1;
  // How a shell reports the end of its child, as far as there is such a signal.
  const int by_shell = WIFEXITED(state) && WEXITSTATUS(state) > 128 && WEXITSTATUS(state) - 128 < NSIG
                           ? WEXITSTATUS(state) - 128
                           : 0;
  if (WIFSIGNALED(state) || by_shell > 0)
    throw AgentFailure(Status::crash, "killed by signal " +
                                          std::to_string(by_shell > 0 ? by_shell : WTERMSIG(state)) + said);
  if (WEXITSTATUS(state) != 0)
    throw AgentFailure(Status::crash, "ended with exit code " + std::to_string(WEXITSTATUS(state)) + said);
  throw AgentFailure(Status::protocol_error, "ended before the trial was over" + said);
}

void ChildProcess::ask(const std::string& line) {
  // What has come up to now was not asked for.
  pollfd output{out_, POLLIN, 0};
  while (!ended_ && poll(&output, 1, 0) > 0) ended_ = !receive();
  if (buffer_.find_first_not_of(" \t\r\n") != std::string::npos)
    throw AgentFailure(Status::protocol_error, "wrote an answer before it was asked");
  if (!send(line)) fail_ended();
}

/// False when nobody reads it any more.
bool ChildProcess::send(const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(in_, text.data() + done, text.size() - done);
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno == EPIPE) {
      return false;
    } else if (errno != EINTR && !pump(deadline_, true)) {
      throw AgentFailure(Status::timeout, "did not read its input within " + seconds_text(limits_.action_s));
    }
  }
  return true;
}

std::string ChildProcess::read_line() {
  for (;;) {
    const std::size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      const std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      if (line.find('\0') != std::string::npos)
        throw AgentFailure(Status::protocol_error, "wrote a byte 0, which no message holds");
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      return line;
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

void ChildProcess::finish(const std::string& last_line, double grace_s) {
  send(last_line);
  close(in_);
  in_ = -1;
  const auto until = Clock::now() +
                     std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(grace_s));
  while (!ended_ && pump(until, false)) {
  }
  if (buffer_.find_first_not_of(" \t\r\n") != std::string::npos)
    throw AgentFailure(Status::protocol_error, "wrote without being asked, after its last answer");
}

}  // namespace startle
