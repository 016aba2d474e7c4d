#pragma once
/// \file  All processes of an agent program together: what they hold, and that it stays within limits.
#include <sys/types.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace startle {

struct ProcessState {
  pid_t pid = 0;
  std::uint64_t started = 0;  ///< in clock ticks since the machine started; with pid it names a process
  std::size_t threads = 1;
  std::size_t resident_kb = 0;  ///< memory resident in RAM; part of it may be shared with other processes
};

/// A process and all that come from it, in no order. One that has left its parent, as a daemon does, is not
/// among them, unless the first process is that of a sandbox, from which nothing gets away. Empty where the
/// process is gone, and where /proc does not say.
std::vector<ProcessState> process_tree(pid_t first);
/// Bytes that a process, its threads, and its children that it has waited for have read up to now; empty
/// where the system does not say. Works for programs of this user.
std::optional<std::uint64_t> bytes_read(pid_t process);

struct TreeLimits {
  std::size_t memory_mb = 4096;
  std::size_t tasks = 1024;     ///< processes and their threads
  bool counts_scratch = false;  ///< whether files in the program's own /tmp and /dev/shm count as memory
};

/// Looks every 20 ms (100 at most, where they are many) at a process and all that come from it, by a thread
/// of its own, and kills them once they are beyond a limit. Memory that processes share counts once.
class ProcessWatch {
 public:
  /// `process` is a child of this process that has not been waited for.
  ProcessWatch(pid_t process, const TreeLimits& limits);
  ~ProcessWatch();
  ProcessWatch(const ProcessWatch&) = delete;
  ProcessWatch& operator=(const ProcessWatch&) = delete;

  /// What was over its limit, for example "held 2400 MiB in 6 processes, allowed are 512 MiB
  /// (--memory-limit)". Empty as long as nothing was.
  std::string verdict() const;

 private:
  void run();

  pid_t process_;
  std::uint64_t started_ = 0;
  int handle_;  ///< of the process: its number may be another's once it was waited for
  TreeLimits limits_;
  mutable std::mutex mutex_;
  std::condition_variable ends_;
  bool ending_ = false;
  std::string verdict_;
  std::thread thread_;
};

}  // namespace startle
