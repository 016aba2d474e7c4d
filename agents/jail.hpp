#pragma once
/// \file  Where a program can be locked in: it sees one folder of its own and the system's files, which it cannot change, no other process and no network.
///
/// Of the system it sees /usr, /etc, and what /bin, /sbin and /lib are, read-only; /proc with its own processes (empty where the system lets nobody have one, as in some containers), a /dev of five devices, and an empty /tmp.
#include <filesystem>
#include <string>
#include <vector>

namespace startle {

enum class JailMeans {
  user_namespace,  ///< made here: user, mount, process, network, IPC and host name spaces of Linux
  bubblewrap       ///< the program bwrap does the same; it may have rights that this one has not
};
const char* name(JailMeans means);

class Jail {
 public:
  /// By the first of the means that works here, which is tried. Throws Error when the folder is none, or would show more than itself (the root of all files,
  /// one that holds /usr or /etc), and when neither works: with the reason of each.
  explicit Jail(const std::filesystem::path& folder);
  /// By this one.
  Jail(const std::filesystem::path& folder, JailMeans means);

  /// Absolute, without symbolic links; what is locked in may write there, and begins there.
  const std::filesystem::path& folder() const { return folder_; }
  JailMeans means() const { return means_; }
  /// Whether a file, which need not be there yet, can be seen from within.
  bool shows(const std::filesystem::path& file) const;

  /// What to run in place of `/bin/sh -c command`, once enter() has returned.
  std::vector<std::string> arguments(const std::string& command) const;
  /// Locks the process in, between fork and exec: only calls that are safe there. It returns in a grandchild, where this is made here; the child itself then waits
  /// for that and ends as it does (by a signal: with 128 and its number). What goes wrong is said on standard error, and the process ends with code 126.
  void enter() const;

 private:
  enum class Kind { folder, link, system, device, scratch };
  struct Entry {
    Kind kind;
    std::string at;
    std::string
        from;  ///< link: what it leads to; system and device: where it is found while the jail is made
  };
  std::string trial() const;

  std::filesystem::path folder_;
  JailMeans means_;
  std::vector<Entry> entries_;  ///< in the order in which they are made
  std::string bubblewrap_;      ///< the program, where there is one
  std::string uid_map_, gid_map_, outside_;
};

}  // namespace startle
