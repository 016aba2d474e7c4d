#include "agents/sandbox.hpp"

#include <algorithm>

#include "core/child_process.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;

constexpr const char* scratch_bytes = "268435456";  // of a folder that is kept in memory
constexpr double trial_seconds = 20;

/// Whether `file` is the folder or lies in it; both absolute, without symbolic links.
bool within(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

}  // namespace

Sandbox::Sandbox(const fs::path& folder) {
  std::error_code error;
  folder_ = fs::canonical(folder, error);
  if (error || !fs::is_directory(folder_))
    throw Error("--sandbox: found " + shown(folder.string()) + ", allowed is a folder that exists");
  for (const char* system : {"/usr", "/etc", "/proc", "/dev"})
    if (within(system, folder_))
      throw Error("--sandbox: found " + shown(folder_.string()) + ", which holds " + system +
                  "; allowed is a folder of the agent alone");
  for (const char* system : {"/proc", "/dev"})
    if (within(folder_, system))
      throw Error("--sandbox: found " + shown(folder_.string()) + ", which is in " + system +
                  "; allowed is a folder of the agent alone");
  bubblewrap_ = find_program("bwrap");
  if (bubblewrap_.empty())
    throw Error("--sandbox: needs the program bwrap, which is not installed: apt-get install bubblewrap");

  for (const char* at : {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc"}) {
    if (fs::is_symlink(at, error)) {
      options_.insert(options_.end(), {"--symlink", fs::read_symlink(at, error).string(), at});
    } else if (fs::is_directory(at, error)) {
      options_.insert(options_.end(), {"--ro-bind", at, at});
      system_.emplace_back(at);
    }
  }
  const ProgramOutput tried = run_program({arguments(":")}, trial_seconds);
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

std::vector<std::string> Sandbox::arguments(const std::string& command) const {
  // Not the session of the runner: through its terminal, a program could type commands into it.
  std::vector<std::string> all{bubblewrap_.string(), "--unshare-all", "--die-with-parent",
                               "--new-session",      "--cap-drop",    "ALL"};
  all.insert(all.end(), options_.begin(), options_.end());
  const std::string folder = folder_.string();
  for (const std::string& word : std::initializer_list<std::string>{
           "--dev",       "/dev",         "--size", scratch_bytes,  "--tmpfs", "/dev/shm", "--size",
           scratch_bytes, "--tmpfs",      "/tmp",   "--proc",       "/proc",   "--bind",   folder,
           folder,        "--remount-ro", "/dev",   "--remount-ro", "/",       "--chdir",  folder,
           "--",          "/bin/sh",      "-c",     command})
    all.push_back(word);
  return all;
}

}  // namespace startle
