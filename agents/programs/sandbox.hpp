#pragma once
/// \file  Where a program can be locked in: it sees one folder of its own and the system's files, none of
/// which it can change, no other process and no network.
///
/// The program bwrap (Debian's package bubblewrap) does it. A program in the sandbox sees /usr and what /bin,
/// /sbin and /lib are; the files of /etc that programs need to start (fonts, the dynamic linker's files,
/// settings of Java and of Python), with a made-up user and host; its own processes in a read-only /proc; and
/// a /dev without devices of the machine. It can write only to /tmp and /dev/shm, which are new and empty for
/// each program and are gone when it ends. It runs as user 65534, whoever the runner is, and gets
/// sandbox_environment() in place of the runner's environment.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/child_process.hpp"

namespace startle {

/// All variables that a program in a sandbox has; the same everywhere.
const std::vector<std::pair<std::string, std::string>>& sandbox_environment();

class Sandbox {
 public:
  /// Tries at once whether it works. Throws Error when the folder is none, or would show more than itself
  /// (the root of all files, one that holds /usr or /etc), when bwrap is not installed, naming its package,
  /// and when it does not work here, with its reason.
  explicit Sandbox(const std::filesystem::path& folder);

  /// Absolute, without symbolic links; what is locked in begins there.
  const std::filesystem::path& folder() const { return folder_; }
  /// Whether a file, which need not be there yet, can be seen from within.
  bool shows(const std::filesystem::path& file) const;

  /// What to run in place of `/bin/sh -c command`. It ends as the command does (by a signal: with exit code
  /// 128 and its number).
  ProgramCall call(const std::string& command) const;

 private:
  std::filesystem::path folder_;
  std::filesystem::path bubblewrap_;
  std::vector<std::string> system_;   ///< folders that are seen
  std::vector<std::string> options_;  ///< that show them
};

}  // namespace startle
