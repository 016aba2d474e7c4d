#include "agents/programs/process_watch.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

namespace startle {
namespace {

using WatchClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds shortest_pause{20}, longest_pause{100};
// Processes are looked at one after the other: while some fork or end, what they share may count several
// times.
constexpr int looks_beyond = 3;  // in a row, before all are killed
constexpr milliseconds pause_beyond{3};
constexpr std::size_t file_kb = 1;  // that a file takes besides its content

/// Of a file of /proc; empty where it is not there, or not for us.
std::string read_proc(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string text;
  std::array<char, 2048> part;
  for (ssize_t count; (count = read(file, part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(count));
    if (static_cast<std::size_t>(count) < part.size() / 2) break;  // lists come in parts that are nearly full
  }
  close(file);
  return text;
}

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

/// The number after `key` in lines like "Pss:   12 kB".
std::optional<std::uint64_t> number_after(const std::string& text, const std::string& key) {
  const std::size_t at = text.starts_with(key) ? 0 : text.find("\n" + key);
  if (at == std::string::npos) return {};
  return std::strtoull(text.c_str() + text.find(key, at) + key.size(), nullptr, 10);
}

std::optional<ProcessState> state_of(pid_t process) {
  const std::string text = read_proc(folder_of(process) + "/stat");
  const std::size_t name_ends = text.rfind(')');  // the name may hold anything
  if (name_ends == std::string::npos) return {};
  // From the state on, with spaces between: threads are field 20, the start is 22, resident pages are 24.
  const char* at = text.c_str() + name_ends + 1;
  std::array<std::uint64_t, 25> fields{};
  for (std::size_t i = 3; i < fields.size(); ++i) {
    while (*at == ' ') ++at;
    fields[i] = std::strtoull(at, nullptr, 10);
    while (*at != ' ' && *at != '\0') ++at;
  }
  static const auto page_kb = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 1024;
  return ProcessState{
      .pid = process, .started = fields[22], .threads = fields[20], .resident_kb = fields[24] * page_kb};
}

void add_children(pid_t process, std::vector<pid_t>& to) {
  const std::string tasks = folder_of(process) + "/task";
  DIR* const folder = opendir(tasks.c_str());
  if (folder == nullptr) return;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    const std::string list = read_proc(tasks + "/" + entry->d_name + "/children");
    char* rest = nullptr;
    for (const char* at = list.c_str(); const long child = std::strtol(at, &rest, 10); at = rest)
      to.push_back(static_cast<pid_t>(child));
  }
  closedir(folder);
}

/// What all of them hold, each page once, as far as the system says.
std::size_t held_kb(const std::vector<ProcessState>& tree) {
  std::size_t kb = 0;
  for (const ProcessState& state : tree)
    kb += number_after(read_proc(folder_of(state.pid) + "/smaps_rollup"), "Pss:").value_or(state.resident_kb);
  return kb;
}

/// Of files in a folder that is kept in memory, as `process` sees it; 0 where that is the one seen here.
std::size_t scratch_kb(pid_t process, const std::string& folder) {
  const std::string path = folder_of(process) + "/root" + folder;
  struct stat ours {
  }, theirs{};
  struct statvfs use {};
  if (stat(path.c_str(), &theirs) != 0 || statvfs(path.c_str(), &use) != 0) return 0;
  if (stat(folder.c_str(), &ours) == 0 && ours.st_dev == theirs.st_dev) return 0;
  return (use.f_blocks - use.f_bfree) * use.f_frsize / 1024 + (use.f_files - use.f_ffree) * file_kb;
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "es");
}

/// Empty where all is within limits.
std::string beyond(const std::vector<ProcessState>& tree, const TreeLimits& limits) {
  std::size_t tasks = 0, kb = 0, scratch = 0;
  for (const ProcessState& state : tree) {
    tasks += state.threads;
    kb += state.resident_kb;
  }
  if (tasks > limits.tasks)
    return "had " + std::to_string(tasks) + " threads in " + counted(tree.size(), "process") +
           ", allowed are " + std::to_string(limits.tasks);
  // The first is what makes the sandbox, the second lives in it.
  if (limits.counts_scratch && tree.size() > 1)
    for (const char* folder : {"/tmp", "/dev/shm"}) scratch += scratch_kb(tree[1].pid, folder);
  if (kb + scratch <= limits.memory_mb << 10) return {};
  kb = held_kb(tree) + scratch;
  if (kb <= limits.memory_mb << 10) return {};
  return "held " + std::to_string(kb >> 10) + " MiB in " + counted(tree.size(), "process") +
         (scratch > 0 ? " and its files in /tmp and /dev/shm" : "") + ", allowed are " +
         std::to_string(limits.memory_mb) + " MiB (--memory-limit)";
}

int handle_of([[maybe_unused]] pid_t process) {
#ifdef SYS_pidfd_open
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
#else
  return -1;
#endif
}

void kill_by([[maybe_unused]] int handle) {
#ifdef SYS_pidfd_send_signal
  syscall(SYS_pidfd_send_signal, handle, SIGKILL, nullptr, 0);
#endif
}

}  // namespace

std::vector<ProcessState> process_tree(pid_t first) {
  std::vector<ProcessState> tree;
  std::vector<pid_t> found{first};
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (const auto state = state_of(found[i])) tree.push_back(*state);
    add_children(found[i], found);
  }
  return tree;
}

std::optional<std::uint64_t> bytes_read(pid_t process) {
  return number_after(read_proc(folder_of(process) + "/io"), "rchar:");
}

ProcessWatch::ProcessWatch(pid_t process, const TreeLimits& limits)
    : process_(process), handle_(handle_of(process)), limits_(limits) {
  if (const auto state = state_of(process)) started_ = state->started;
  thread_ = std::thread([this] { run(); });
}

ProcessWatch::~ProcessWatch() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  ends_.notify_one();
  thread_.join();
  if (handle_ >= 0) close(handle_);
}

std::string ProcessWatch::verdict() const {
  const std::lock_guard lock(mutex_);
  return verdict_;
}

void ProcessWatch::run() {
  milliseconds pause = shortest_pause;
  int looks = 0;
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock, pause, [&] { return ending_; })) {
    lock.unlock();
    const WatchClock::time_point begun = WatchClock::now();
    std::vector<ProcessState> tree = process_tree(process_);
    // Waited for meanwhile, and the number given to another.
    if (!tree.empty() && tree.front().started != started_) tree.clear();
    const std::string found = beyond(tree, limits_);
    lock.lock();
    looks = found.empty() ? 0 : looks + 1;
    if (verdict_.empty() && looks > 0 && looks < looks_beyond) {
      pause = pause_beyond;
      continue;
    }
    if (looks > 0 || !verdict_.empty()) {
      if (verdict_.empty()) verdict_ = found;
      // The last first: while their parents live, they are found again.
      for (std::size_t i = tree.size(); i-- > 1;) kill(tree[i].pid, SIGKILL);
      kill_by(handle_);
      pause = milliseconds(1);  // until all that are still coming are gone
      continue;
    }
    // A fiftieth of the time at most.
    pause = std::clamp(std::chrono::duration_cast<milliseconds>(50 * (WatchClock::now() - begun)),
                       shortest_pause, longest_pause);
  }
}

}  // namespace startle
