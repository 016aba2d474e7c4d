#include "core/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <list>
#include <sstream>

#include "core/error.hpp"

namespace startle {
namespace {

using ChildClock = std::chrono::steady_clock;

constexpr std::size_t most_data = 4096;  // bytes; a pipe takes at least one page

/// Both ends of a pipe, closed at the end unless taken.
struct PipeEnds {
  int read = -1, write = -1;
  PipeEnds(const std::string& program, int lowest) {
    std::array<int, 2> ends;
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail(program);
    read = ends[0];
    write = ends[1];
    // The child's dup2 would write over one that it still needs where an end had a low number: that of a
    // standard stream that is closed in this process, or of one of the child's data.
    for (int* end : {&read, &write}) {
      if (*end >= lowest) continue;
      const int moved = fcntl(*end, F_DUPFD_CLOEXEC, lowest);
      if (moved < 0) fail(program);
      ::close(*end);
      *end = moved;
    }
  }
  ~PipeEnds() {
    for (const int end : {read, write})
      if (end >= 0) ::close(end);
  }
  PipeEnds(const PipeEnds&) = delete;
  PipeEnds& operator=(const PipeEnds&) = delete;
  void close_write() { ::close(std::exchange(write, -1)); }

 private:
  [[noreturn]] static void fail(const std::string& program) {
    throw Error(program + ": no pipe to it can be made: " + std::strerror(errno));
  }
};

/// Words as the system takes them. They must outlive the result.
std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_of(const ProgramCall& call) {
  std::vector<std::string> all;
  const auto same_letter = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  for (char** entry = environ; call.inherits_environment && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!call.withheld.empty() && std::search(text.begin(), text.end(), call.withheld.begin(),
                                              call.withheld.end(), same_letter) != text.end())
      continue;
    const bool replaced = std::any_of(call.environment.begin(), call.environment.end(),
                                      [&](const auto& set) { return text.starts_with(set.first + "="); });
    if (!replaced) all.push_back(text);
  }
  for (const auto& [key, value] : call.environment) all.push_back(key + "=" + value);
  return all;
}

std::string program_file(const ProgramCall& call) {
  const std::string& name = call.words.at(0);
  const std::string file = find_program(name).string();
  if (!file.empty()) return file;
  if (name.find('/') == std::string::npos) throw Error(name + ": no such program in the folders of PATH");
  // Whether it is not there, or may not be run, the system says.
  throw Error(name + ": cannot be run: " + std::strerror(access(name.c_str(), X_OK) == 0 ? EACCES : errno));
}

/// All that the child needs between fork and exec, made before: there only calls are allowed that are safe
/// after a fork.
struct Start {
  const char* file;
  char* const* words;
  char* const* environment;
  int in, out, err;              ///< what becomes its standard streams; -1: stays as it is
  int report;                    ///< gets the number of the error where exec fails
  const std::vector<int>* data;  ///< what becomes first_data and those after it
  pid_t parent;
  const ChildOptions* options;
};

[[noreturn]] void start_child(const Start& start) {
  setpgid(0, 0);
  if (start.options->dies_with_thread) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != start.parent) _exit(126);  // it died before the line above
  }
  const std::array<int, 3> streams{start.in, start.out, start.err};
  for (int i = 0; i < 3; ++i)
    if (streams[static_cast<std::size_t>(i)] >= 0) dup2(streams[static_cast<std::size_t>(i)], i);
  int report = start.report;
  if (report != 3) report = dup3(report, 3, O_CLOEXEC);
  int last = first_data - 1;
  for (const int data : *start.data) dup2(data, ++last);
#ifdef SYS_close_range  // by number: not every C library has a function for it; WebAssembly has no programs
  syscall(SYS_close_range, static_cast<unsigned>(last) + 1, ~0U, 0U);
#endif
  if (start.options->memory_mb) {
    const rlim_t bytes = static_cast<rlim_t>(*start.options->memory_mb) << 20;
    const rlimit memory{bytes, bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  sigset_t nothing;
  sigemptyset(&nothing);
  sigprocmask(SIG_SETMASK, &nothing, nullptr);
  execve(start.file, start.words, start.environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &error, sizeof error);
  _exit(127);
}

void wait_until_ready(int file, short events, int milliseconds) {
  pollfd one{file, events, 0};
  ::poll(&one, 1, milliseconds);
}

}  // namespace

std::filesystem::path find_program(const std::string& name) {
  std::error_code error;
  const auto runs = [&](const std::filesystem::path& file) {
    return access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file, error);
  };
  if (name.find('/') != std::string::npos)
    return runs(name) ? std::filesystem::path(name) : std::filesystem::path();
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path file = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (!name.empty() && runs(file)) return file;
  }
  return {};
}

std::filesystem::path own_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

std::string ProgramEnd::text() const {
  return signal != 0 ? "killed by signal " + std::to_string(signal)
                     : "ended with exit code " + std::to_string(code);
}

void become_program(const ProgramCall& call) {
  const std::string file = program_file(call);
  const std::vector<std::string> environment = environment_of(call);
  execve(file.c_str(), pointers_to(call.words).data(), pointers_to(environment).data());
  throw Error(file + ": cannot be run: " + std::strerror(errno));
}

ChildProcess::ChildProcess(const ProgramCall& call, const ChildOptions& options) {
  const std::string file = program_file(call);
  const std::vector<std::string> environment = environment_of(call);
  const std::vector<char*> words = pointers_to(call.words), variables = pointers_to(environment);
  const int lowest = first_data + static_cast<int>(call.data.size());
  PipeEnds in(file, lowest), out(file, lowest), err(file, lowest), report(file, lowest);
  std::list<PipeEnds> pipes;
  std::vector<int> data;
  for (const std::string& bytes : call.data) {
    PipeEnds& pipe = pipes.emplace_back(file, lowest);
    // It fits into the pipe, whose other end is open here.
    if (bytes.size() > most_data ||
        ::write(pipe.write, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
      throw Error(file + ": " + std::to_string(bytes.size()) + " bytes cannot be given to it");
    pipe.close_write();
    data.push_back(pipe.read);
  }
  // Our end of `nothing` is not made: the pipe's other end stands for /dev/null.
  const auto into = [&](ChildStream stream, int& end, int flags) {
    if (stream == ChildStream::inherit) return -1;
    if (stream == ChildStream::nothing) {
      const int null = open("/dev/null", flags | O_CLOEXEC);
      if (null < 0) throw Error(file + ": /dev/null cannot be opened: " + std::strerror(errno));
      if (dup3(null, end, O_CLOEXEC) < 0)
        throw Error(file + ": /dev/null cannot be opened: " + std::strerror(errno));
      ::close(null);
    }
    return end;
  };
  const Start start{.file = file.c_str(),
                    .words = words.data(),
                    .environment = variables.data(),
                    .in = into(options.in, in.read, O_RDONLY),
                    .out = into(options.out, out.write, O_WRONLY),
                    .err = into(options.err, err.write, O_WRONLY),
                    .report = report.write,
                    .data = &data,
                    .parent = getpid(),
                    .options = &options};
  const pid_t pid = fork();
  if (pid < 0) throw Error(file + ": no process can be made for it: " + std::strerror(errno));
  if (pid == 0) start_child(start);
  setpgid(pid, pid);  // here too: it must be done before the first kill
  report.close_write();
  int error = 0;
  ssize_t count = 0;
  while ((count = ::read(report.read, &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (count == sizeof error) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    throw Error(file + ": cannot be run: " + std::strerror(error));
  }
  pid_ = pid;
  if (options.in == ChildStream::pipe) in_ = std::exchange(in.write, -1);
  if (options.out == ChildStream::pipe) out_ = std::exchange(out.read, -1);
  if (options.err == ChildStream::pipe) err_ = std::exchange(err.read, -1);
  for (const int end : {in_, out_, err_})
    if (end >= 0) fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK);
}

ChildProcess::~ChildProcess() {
  kill();
  for (const int file : {in_, out_, err_})
    if (file >= 0) ::close(file);
}

void ChildProcess::close_in() {
  if (in_ >= 0) ::close(std::exchange(in_, -1));
}

std::optional<std::size_t> ChildProcess::write_some(std::string_view bytes) {
  if (in_ < 0) return {};
  // A pipe that nobody reads raises SIGPIPE in the thread that writes: it is held back here and taken away,
  // unless it was there before.
  sigset_t broken, before, waiting;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigpending(&waiting);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  ssize_t count = 0;
  while ((count = ::write(in_, bytes.data(), bytes.size())) < 0 && errno == EINTR) {
  }
  const int error = errno;
  if (count < 0 && error == EPIPE && sigismember(&waiting, SIGPIPE) == 0) {
    const timespec now{};
    while (sigtimedwait(&broken, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (count >= 0) return static_cast<std::size_t>(count);
  if (error == EAGAIN || error == EWOULDBLOCK) return 0;
  return {};
}

bool ChildProcess::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::optional<std::size_t> count = write_some(bytes);
    if (!count) return false;
    bytes.remove_prefix(*count);
    if (*count == 0) wait_until_ready(in_, POLLOUT, -1);
  }
  return true;
}

bool ChildProcess::read_from(int& file, std::string& to) {
  if (file < 0) return false;
  std::array<char, 1 << 16> part;
  ssize_t count = 0;
  while ((count = ::read(file, part.data(), part.size())) < 0 && errno == EINTR) {
  }
  if (count > 0) to.append(part.data(), static_cast<std::size_t>(count));
  if (count > 0 || (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))) return true;
  ::close(std::exchange(file, -1));
  return false;
}

std::optional<ProgramEnd> ChildProcess::end() {
  if (end_ || pid_ < 0) return end_;
  siginfo_t about{};
  // Looked at first and not taken: as long as it is a zombie, no other process can have its number, and the
  // rest of its group can be killed by it.
  while (waitid(P_PID, static_cast<id_t>(pid_), &about, WEXITED | WNOHANG | WNOWAIT) < 0)
    if (errno != EINTR) return end_ = ProgramEnd{.code = 127};  // somebody else has taken it
  if (about.si_pid == 0) return {};
  ::kill(-pid_, SIGKILL);
  int state = 0;
  while (waitpid(pid_, &state, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return end_ = WIFSIGNALED(state) ? ProgramEnd{.signal = WTERMSIG(state)}
                                   : ProgramEnd{.code = WEXITSTATUS(state)};
}

std::optional<ProgramEnd> ChildProcess::wait(std::optional<double> seconds) {
  const auto start = ChildClock::now();
  for (useconds_t pause = 200;; pause = std::min<useconds_t>(2 * pause, 5000)) {
    if (const auto ended = end()) return ended;
    if (seconds && std::chrono::duration<double>(ChildClock::now() - start).count() >= *seconds) return {};
    usleep(pause);
  }
}

ProgramEnd ChildProcess::kill() {
  if (!end_ && pid_ > 0) ::kill(-pid_, SIGKILL);
  return *wait();
}

ProgramOutput run_program(const ProgramCall& call, double seconds, std::string_view input) {
  ChildProcess child(call, {.in = ChildStream::pipe, .out = ChildStream::pipe, .err = ChildStream::pipe});
  const auto until = ChildClock::now() +
                     std::chrono::duration_cast<ChildClock::duration>(std::chrono::duration<double>(seconds));
  const auto left = [&] { return std::chrono::duration<double>(until - ChildClock::now()).count(); };
  ProgramOutput result;
  if (input.empty()) child.close_in();
  while ((child.out() >= 0 || child.err() >= 0) && left() > 0) {
    // What it leaves behind in the background may hold its streams open; they are read until the program
    // itself has ended, and then to what is there.
    const bool ended = child.end().has_value();
    std::array<pollfd, 3> files{pollfd{child.out(), POLLIN, 0}, pollfd{child.err(), POLLIN, 0},
                                pollfd{child.in(), POLLOUT, 0}};
    const int ready = ::poll(files.data(), files.size(),
                             ended ? 0 : static_cast<int>(std::min(left() * 1000 + 1, 50.0)));
    if (ready == 0 && ended) break;
    if (ready <= 0) continue;
    if (files[0].revents != 0) child.read_out(result.out);
    if (files[1].revents != 0) child.read_err(result.err);
    if (files[2].revents != 0) {
      const std::optional<std::size_t> count = child.write_some(input);
      input.remove_prefix(count.value_or(input.size()));
      if (input.empty()) child.close_in();
    }
  }
  child.close_in();
  result.end = child.wait(std::max(left(), 0.0));
  return result;
}

}  // namespace startle
