#pragma once
/// \file  Where a program can be locked in: it sees one folder of its own and the system's files, which it
/// cannot change, no other process and no network.
///
/// The program bwrap (Debian's package bubblewrap) does it. Of the system one sees /usr, /etc, and what /bin,
/// /sbin and /lib are, read-only; /proc with one's own processes, a /dev without devices of the machine, an
/// empty /tmp of 256 MiB, and no terminal.
#include <filesystem>
#include <string>
#include <vector>

namespace startle {

class Sandbox {
 public:
  /// Tries at once whether it works. Throws Error when the folder is none, or would show more than itself
  /// (the root of all files, one that holds /usr or /etc), when bwrap is not installed, naming its package,
  /// and when it does not work here, with its reason.
  explicit Sandbox(const std::filesystem::path& folder);

  /// Absolute, without symbolic links; what is locked in may write there, and begins there.
  const std::filesystem::path& folder() const { return folder_; }
  /// Whether a file, which need not be there yet, can be seen from within.
  bool shows(const std::filesystem::path& file) const;

  /// What to run in place of `/bin/sh -c command`. It ends as the command does (by a signal: with exit code
  /// 128 and its number).
  std::vector<std::string> arguments(const std::string& command) const;

 private:
  std::filesystem::path folder_;
  std::filesystem::path bubblewrap_;
  std::vector<std::string> system_;   ///< folders that are seen
  std::vector<std::string> options_;  ///< that show them
};

}  // namespace startle
