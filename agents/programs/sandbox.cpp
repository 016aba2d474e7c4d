#include "agents/programs/sandbox.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "agents/programs/sandbox_filter.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;

constexpr const char* scratch_bytes = "268435456";  // of a folder that is kept in memory
constexpr double trial_seconds = 20;
constexpr const char* user = "65534";

/// Files and folders of /etc that programs need to start. An entry that ends in '*' stands for all whose
/// names begin so: settings of a language have its version in their name. None of them says anything about
/// the machine's users or its network.
constexpr std::array<std::string_view, 12> shown_of_etc{
    "R",           "OpenCL",      "alternatives", "fonts",        "java*", "julia*",
    "ld.so.cache", "ld.so.conf*", "mono",         "matplotlibrc", "perl",  "python*"};

/// In place of the machine's own.
const std::array<std::pair<const char*, const char*>, 4> made_up{
    {{"/etc/passwd", "agent:x:65534:65534:agent:/tmp:/bin/sh\n"},
     {"/etc/group", "agent:x:65534:\n"},
     {"/etc/hosts", "127.0.0.1 localhost sandbox\n::1 localhost\n"},
     {"/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"}}};

/// Whether `file` is the folder or lies in it; both absolute, without symbolic links.
bool within(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

bool is_shown_of_etc(const std::string& name) {
  return std::any_of(shown_of_etc.begin(), shown_of_etc.end(), [&](std::string_view shown) {
    return shown.ends_with('*') ? name.starts_with(shown.substr(0, shown.size() - 1)) : name == shown;
  });
}

void append(std::vector<std::string>& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& sandbox_environment() {
  static const std::vector<std::pair<std::string, std::string>> all{
      {"PATH", "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"},
      {"HOME", "/tmp"},
      {"TMPDIR", "/tmp"},
      {"USER", "agent"},
      {"LOGNAME", "agent"},
      {"SHELL", "/bin/sh"},
      {"LANG", "C.UTF-8"},
      {"TERM", "dumb"}};
  return all;
}

Sandbox::Sandbox(const fs::path& folder) {
  std::error_code error;
  folder_ = fs::canonical(folder, error);
  if (error || !fs::is_directory(folder_))
    throw Error("--sandbox: found " + shown(folder.string()) + ", allowed is a folder that exists");
  for (const char* system : {"/usr", "/etc", "/proc", "/dev", "/tmp"})
    if (within(system, folder_))
      throw Error("--sandbox: found " + shown(folder_.string()) + ", which holds " + system +
                  "; allowed is a folder of the agent alone");
  for (const char* system : {"/proc", "/dev", "/etc"})
    if (within(folder_, system))
      throw Error("--sandbox: found " + shown(folder_.string()) + ", which is in " + system +
                  "; allowed is a folder of the agent alone");
  bubblewrap_ = find_program("bwrap");
  if (bubblewrap_.empty())
    throw Error("--sandbox: needs the program bwrap, which is not installed: apt-get install bubblewrap");

  for (const char* at : {"/usr", "/bin", "/sbin", "/lib", "/lib64"}) {
    if (fs::is_symlink(at, error)) {
      append(options_, {"--symlink", fs::read_symlink(at, error).string(), at});
    } else if (fs::is_directory(at, error)) {
      append(options_, {"--ro-bind", at, at});
      system_.emplace_back(at);
    }
  }
  for (const auto& entry : fs::directory_iterator("/etc", error)) {
    const std::string at = entry.path().string();
    if (!is_shown_of_etc(entry.path().filename().string())) continue;
    append(options_, {"--ro-bind-try", at, at});
    system_.push_back(at);
  }
  const ProgramOutput tried = run_program(call(":"), trial_seconds);
  if (tried.end && tried.end->good()) return;
  std::string said = tried.err.substr(0, tried.err.find_last_not_of('\n') + 1);
  if (said.empty())
    said = tried.end ? tried.end->text() : "has come to no end within " + fixed(trial_seconds, 0) + " s";
  throw Error("--sandbox: bwrap does not work on this system: " + said +
              ". Without --sandbox, run programs that you do not trust as another user or in a container");
}

bool Sandbox::shows(const fs::path& file) const {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(file), error);
  return within(place, folder_) || std::any_of(system_.begin(), system_.end(),
                                               [&](const std::string& at) { return within(place, at); });
}

ProgramCall Sandbox::call(const std::string& command) const {
  const std::string folder = folder_.string();
  ProgramCall made;
  made.environment = sandbox_environment();
  // Not only what the command gets: bwrap's own environment can be read in /proc/1 from within.
  made.inherits_environment = false;
  // A new session, as a program could type commands into the terminal of the runner's. The user is nobody's
  // number, also where the runner is root: files and settings of the system belong to user 0.
  append(made.words, {bubblewrap_.string(), "--unshare-all", "--unshare-user", "--uid", user, "--gid", user,
                      "--hostname", "sandbox", "--die-with-parent", "--new-session", "--cap-drop", "ALL"});
  made.words.insert(made.words.end(), options_.begin(), options_.end());
  const auto give = [&](std::string bytes) {
    made.data.push_back(std::move(bytes));
    return std::to_string(first_data + static_cast<int>(made.data.size()) - 1);
  };
  for (const auto& [file, text] : made_up) append(made.words, {"--ro-bind-data", give(text), file});
  if (const std::string filter = sandbox_filter(); !filter.empty())
    append(made.words, {"--seccomp", give(filter)});
  append(made.words,
         {"--dev",       "/dev",         "--size", scratch_bytes,  "--tmpfs", "/dev/shm",     "--size",
          scratch_bytes, "--tmpfs",      "/tmp",   "--proc",       "/proc",   "--ro-bind",    folder,
          folder,        "--remount-ro", "/proc",  "--remount-ro", "/dev",    "--remount-ro", "/",
          "--chdir",     folder,         "--",     "/bin/sh",      "-c",      command});
  return made;
}

}  // namespace startle
