#include "agents/jail.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "levels/level_text.hpp"
#include "sim/error.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;

constexpr const char* scratch_size = "mode=1777,size=256m";

/// Whether `file` is the folder or lies in it; both absolute, without symbolic links.
bool within(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

std::string found_program(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return folder + "/" + program;
  return "";
}

// From here on: between fork and exec.

void say(const char* text) {
  if (write(2, text, std::strlen(text)) < 0) return;
}

void require(bool good, const char* what) {
  if (good) return;
  const char* reason = strerrordesc_np(errno);
  for (const char* text : {"jail: ", what, ": ", reason ? reason : "?", "\n"}) say(text);
  _exit(126);
}

void put(const char* file, const std::string& text) {
  const int handle = open(file, O_WRONLY | O_CLOEXEC);
  require(handle >= 0 && write(handle, text.data(), text.size()) == static_cast<ssize_t>(text.size()), file);
  close(handle);
}

void make_folder(const char* path) { require(mkdir(path, 0755) == 0 || errno == EEXIST, path); }

void bind(const char* from, const char* to, std::uint64_t attributes) {
  require(mount(from, to, nullptr, MS_BIND | MS_REC, nullptr) == 0, to);
  mount_attr how{};
  how.attr_set = attributes;
  require(mount_setattr(-1, to, AT_RECURSIVE, &how, sizeof how) == 0, to);
}

/// Returns in the child; the parent ends as it does.
void go_on_in_child() {
  const pid_t child = fork();
  require(child >= 0, "fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return;
  }
  close_range(0, ~0U, 0);  // who waits for the end of its output must not wait for this process
  for (int state = 0;;) {
    const pid_t ended = waitpid(-1, &state, 0);
    if (ended == child) _exit(WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state));
    if (ended < 0 && errno != EINTR) _exit(126);
  }
}

void give_up_rights() {
  require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no new rights");
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  // Root keeps in exec what is left of these.
  for (unsigned right = 0; prctl(PR_CAPBSET_READ, right, 0, 0, 0) >= 0; ++right)
    require(prctl(PR_CAPBSET_DROP, right, 0, 0, 0) == 0, "rights");
}

}  // namespace

const char* name(JailMeans means) { return means == JailMeans::bubblewrap ? "bubblewrap" : "user namespace"; }

Jail::Jail(const fs::path& folder, JailMeans means) : means_(means) {
  std::error_code error;
  folder_ = fs::canonical(folder, error);
  if (error || !fs::is_directory(folder_))
    throw Error("--jail: found " + shown(folder.string()) + ", allowed is a folder that exists");
  for (const char* system : {"/usr", "/etc", "/proc", "/dev"})
    if (within(system, folder_))
      throw Error("--jail: found " + shown(folder_.string()) + ", which holds " + system +
                  "; allowed is a folder of the agent alone");
  for (const char* system : {"/proc", "/dev"})
    if (within(folder_, system))
      throw Error("--jail: found " + shown(folder_.string()) + ", which is in " + system +
                  "; allowed is a folder of the agent alone");

  for (const char* at : {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc"}) {
    if (fs::is_symlink(at, error))
      entries_.push_back({Kind::link, at, fs::read_symlink(at, error).string()});
    else if (fs::is_directory(at, error))
      entries_.push_back({Kind::system, at, std::string("/old") + at});
  }
  entries_.push_back({Kind::folder, "/dev", ""});
  for (const char* device : {"null", "zero", "full", "random", "urandom"})
    entries_.push_back({Kind::device, std::string("/dev/") + device, std::string("/old/dev/") + device});
  entries_.push_back({Kind::link, "/dev/fd", "/proc/self/fd"});
  for (const char* at : {"/dev/shm", "/tmp"}) entries_.push_back({Kind::scratch, at, ""});
  entries_.push_back({Kind::folder, "/proc", ""});
  fs::path above;
  for (const fs::path& part : folder_) {
    above /= part;
    if (above != "/" && !fs::is_symlink(above)) entries_.push_back({Kind::folder, above.string(), ""});
  }
  outside_ = "/old" + folder_.string();
  const auto map = [](unsigned id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
  uid_map_ = map(geteuid());
  gid_map_ = map(getegid());
  bubblewrap_ = found_program("bwrap");
  if (const std::string reason = trial(); !reason.empty())
    throw Error("--jail: " + std::string(startle::name(means)) + ": " + reason);
}

namespace {

Jail first_that_works(const fs::path& folder) {
  try {
    return {folder, JailMeans::user_namespace};
  } catch (const Error& first) {
    if (!fs::is_directory(folder)) throw;
    try {
      return {folder, JailMeans::bubblewrap};
    } catch (const Error& second) {
      throw Error(std::string(first.what()) + "; " + second.what() +
                  "; this system can lock no program in. Without --jail, run programs that you do not trust "
                  "as another user or in a container");
    }
  }
}

}  // namespace

Jail::Jail(const fs::path& folder) : Jail(first_that_works(folder)) {}

bool Jail::shows(const fs::path& file) const {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(file), error);
  return within(place, folder_) || std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
           return entry.kind == Kind::system && within(place, entry.at);
         });
}

std::vector<std::string> Jail::arguments(const std::string& command) const {
  const std::vector<std::string> shell{"/bin/sh", "-c", command};
  if (means_ != JailMeans::bubblewrap) return shell;
  std::vector<std::string> all{bubblewrap_, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"};
  const auto add = [&](std::initializer_list<std::string> words) { all.insert(all.end(), words); };
  for (const Entry& entry : entries_) {
    if (entry.kind == Kind::system)
      add({"--ro-bind", entry.at, entry.at});
    else if (entry.kind == Kind::link && entry.at != "/dev/fd")
      add({"--symlink", entry.from, entry.at});
    else if (entry.at == "/tmp")
      add({"--tmpfs", entry.at});
  }
  add({"--dev", "/dev", "--proc", "/proc", "--bind", folder_.string(), folder_.string(), "--remount-ro", "/",
       "--chdir", folder_.string(), "--"});
  all.insert(all.end(), shell.begin(), shell.end());
  return all;
}

void Jail::enter() const {
  if (means_ == JailMeans::bubblewrap) return;
  require(
      unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) == 0,
      "user namespace");
  put("/proc/self/setgroups", "deny");
  put("/proc/self/uid_map", uid_map_);
  put("/proc/self/gid_map", gid_map_);
  require(mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "/");
  // A new root, with the old one in it until all is bound that is to be seen.
  require(
      mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m") == 0 && chdir("/tmp") == 0,
      "/tmp");
  make_folder("old");
  require(syscall(SYS_pivot_root, ".", "old") == 0 && chdir("/") == 0, "pivot_root");
  for (const Entry& entry : entries_) {
    const char* at = entry.at.c_str();
    switch (entry.kind) {
      case Kind::folder:
        make_folder(at);
        break;
      case Kind::link:
        require(symlink(entry.from.c_str(), at) == 0, at);
        break;
      case Kind::system:
        make_folder(at);
        bind(entry.from.c_str(), at, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID);
        break;
      case Kind::device:
        close(open(at, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
        bind(entry.from.c_str(), at, MOUNT_ATTR_NOSUID);
        break;
      case Kind::scratch:
        make_folder(at);
        require(mount("tmpfs", at, "tmpfs", MS_NOSUID | MS_NODEV, scratch_size) == 0, at);
        break;
    }
  }
  bind(outside_.c_str(), folder_.c_str(), MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
  go_on_in_child();  // the first process of the new process namespace: when it ends, all others of it do
  // The kernel lets it only as long as another /proc is seen, and not in containers where parts of that are covered: it then stays empty.
  mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
  require(umount2("/old", MNT_DETACH) == 0 && rmdir("/old") == 0, "/old");
  mount_attr unchanged{};
  unchanged.attr_set = MOUNT_ATTR_RDONLY;
  require(mount_setattr(-1, "/", 0, &unchanged, sizeof unchanged) == 0, "/");
  go_on_in_child();  // the first process takes no signals that it does not ask for, and abort() is one
  require(chdir(folder_.c_str()) == 0, folder_.c_str());
  give_up_rights();
}

/// Runs nothing, locked in. Empty when that works, else why not.
std::string Jail::trial() const {
  if (means_ == JailMeans::bubblewrap && bubblewrap_.empty()) return "no program bwrap in PATH";
  const std::vector<std::string> words = arguments(":");
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::strerror(errno);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    enter();
    execv(argv[0], argv.data());
    require(false, argv[0]);
  }
  close(ends[1]);
  std::string said;
  std::array<char, 512> part;
  for (ssize_t count; child > 0 && (count = read(ends[0], part.data(), part.size())) > 0;)
    said.append(part.data(), static_cast<std::size_t>(count));
  close(ends[0]);
  if (child < 0) return "no process can be made";
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return "";
  said.erase(said.find_last_not_of('\n') + 1);
  return said.empty() ? "does not work here" : said;
}

}  // namespace startle
