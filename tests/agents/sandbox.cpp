/// \file  What a program that is locked in can see and do.
#include "agents/sandbox.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// False, with a warning, where the system can lock nothing in.
bool can_lock(const std::filesystem::path& folder) {
  try {
    Sandbox{folder};
    return true;
  } catch (const Error& error) {
    WARN("not tested: " << error.what());
    return false;
  }
}

/// A port of this machine on which something listens.
struct Listener {
  Listener() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(bind(socket, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(listen(socket, 5) == 0);
    REQUIRE(getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port = ntohs(address.sin_port);
  }
  ~Listener() { close(socket); }
  int socket = ::socket(AF_INET, SOCK_STREAM, 0), port = 0;
};

TrialResult play_locked(const std::filesystem::path& folder, const std::string& command,
                        ProcessLimits limits = {.action_s = 300, .trial_s = 900}) {
  static const std::vector<PlayableLevel> levels = playable({small_level()});
  limits.sandbox = std::make_shared<const Sandbox>(folder);
  return run_trial({.name = "tested", .command = command}, plans_by_level(levels)[1], levels,
                   {.limits = limits, .retries = 0});
}

/// Runs `script`, which writes what went wrong to the file "bad", and then plays.
std::string agent_that(const std::string& script) {
  return "bad() { echo \"$1\" >> bad; }\n" + script +
         "\nwhile read -r line; do case \"$line\" in\n*'\"type\":\"act\"'*) echo "
         "'{\"type\":\"shot\",\"angle\":0.5}';;\n"
         "*'\"type\":\"report\"'*) echo '{\"type\":\"report\",\"novelty\":0.75}';;\nesac; done\n";
}

std::string read_all(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE(
    "[agents] a program that is locked in has its folder, and neither other files nor processes nor a "
    "network") {
  const TestFolder outside, folder;
  const Listener listener;
  const std::string secret = outside.file("results", "secret"), port = std::to_string(listener.port);
  const std::string sees = "test -e '" + secret +
                           "' && bad 'sees a file outside'\n"
                           "test -e '" +
                           std::string(STARTLE_BENCHMARK) +
                           "' && bad 'sees levels'\n"
                           "kill -0 " +
                           std::to_string(getpid()) +
                           " 2>/dev/null && bad 'reaches the runner'\n"
                           "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", " +
                           port + "), 2)' 2>/dev/null && bad network\n";
  folder.file(
      "agent",
      agent_that(
          "test \"$PWD\" = '" + folder.path.string() +
          "' || bad place\n"
          "echo learned > kept || bad 'cannot write its folder'\n" +
          sees +
          "(echo x > /usr/startle-was-here) 2>/dev/null && bad 'writes to /usr'\n"
          "(echo x > /startle-was-here) 2>/dev/null && bad 'writes to the root'\n"
          "mount -o remount,rw /usr 2>/dev/null && bad 'remounts'\n"
          "test \"$(ls /proc | grep -c '^[0-9]')\" -lt 10 || bad 'sees other processes'\n"
          "python3 -c 'import json, tempfile; tempfile.TemporaryFile().write(b\"1\")' || bad 'no Python'\n"
          "(: < /dev/tty) 2>/dev/null && bad 'has a terminal'\n"
          "(echo x > /dev/startle-was-here) 2>/dev/null && bad 'writes to /dev'\n"
          "test \"$(df -k --output=size /tmp | tail -1)\" -le 262144 || bad 'may fill the memory by /tmp'\n"
          "test \"$(df -k --output=size /dev/shm | tail -1)\" -le 262144 || bad 'may fill the memory by "
          "/dev/shm'\n"
          "echo x > /dev/null || bad 'no /dev/null'"));
  if (can_lock(folder.path)) {
    const TrialResult result = play_locked(folder.path, "sh agent");
    INFO(result.error);
    CHECK(result.status == Status::ok);
    CHECK(read_all(folder.path / "bad").empty());
    CHECK(read_all(folder.path / "kept") == "learned\n");
    std::filesystem::remove(folder.path / "kept");
  }
  // Without a sandbox all of it is seen: the checks would show it. What would change the system is not tried.
  folder.file("free", agent_that(sees));
  const std::vector<PlayableLevel> levels = playable({small_level()});
  const TrialResult free = run_trial(
      {.name = "free", .command = "cd '" + folder.path.string() + "'; exec sh free"},
      plans_by_level(levels)[1], levels, {.limits = {.action_s = 300, .trial_s = 900}});
  CHECK(free.status == Status::ok);
  for (const char* seen : {"sees a file outside", "sees levels", "reaches the runner", "network"})
    CHECK_THAT(read_all(folder.path / "bad"), Catch::Contains(seen));
}

TEST_CASE("[agents] how a program that is locked in ends is reported as without") {
  const TestFolder folder;
  if (can_lock(folder.path)) {
    const auto check = [&](const std::string& command, Status status, const std::string& words,
                           const ProcessLimits& limits = {.action_s = 300, .trial_s = 900}) {
      const TrialResult result = play_locked(folder.path, command, limits);
      INFO(command << ": " << result.error);
      CHECK(std::string(name(result.status)) == name(status));
      CHECK_THAT(result.error, Catch::Contains(words));
    };
    check("read -r line; echo oh >&2; exit 3", Status::crash, "exit code 3: oh");
    check("python3 -c 'import os; os.abort()'", Status::crash, "killed by signal 6");
    check("sleep 100", Status::timeout, "no answer within", {.action_s = 0.5, .trial_s = 20});
    check("python3 -c 'bytearray(1 << 30)'", Status::crash, "MemoryError",
          {.action_s = 300, .trial_s = 900, .memory_mb = 256});
    // It leaves its session: all processes of the sandbox go with its first.
    check("setsid sh -c 'sleep 1; touch left' & exit 4", Status::crash, "exit code 4");
  }
  sleep(2);
  CHECK_FALSE(std::filesystem::exists(folder.path / "left"));
}

TEST_CASE("[agents] a locked-in run gives the results of one that is not, and is not mixed with it") {
  const TestFolder folder, results;
  std::filesystem::copy_file(std::filesystem::path(STARTLE_EXAMPLES) / "pig_shooter.py",
                             folder.path / "agent.py");
  if (!can_lock(folder.path)) return;
  const std::vector<PlayableLevel> levels = playable({small_level()});
  RunOptions options{.agents = {"mine=python3 agent.py", "never"},
                     .program = "test",
                     .trial = {.limits = {.action_s = 300, .trial_s = 900}},
                     .threads = 2};
  options.trial.limits.sandbox = std::make_shared<const Sandbox>(folder.path);
  CHECK(run_agents(levels, profile(), options, results.path / "locked").complete);
  RunOptions free = options;
  free.trial.limits.sandbox.reset();
  free.agents[0] = "mine=python3 " + (folder.path / "agent.py").string();
  CHECK(run_agents(levels, profile(), free, results.path / "free").complete);
  CHECK(ResultsStore(results.path / "locked").results() == ResultsStore(results.path / "free").results());
  CHECK_THROWS_WITH(run_agents(levels, profile(), free, results.path / "locked"),
                    Catch::Contains("sandbox is \"yes\" there and \"no\" here"));
  // The file named in the command is the one in the folder: another one is another agent.
  std::ofstream(folder.path / "agent.py", std::ios::app) << "# changed\n";
  CHECK_THROWS_WITH(run_agents(levels, profile(), options, results.path / "locked"), Catch::Contains("mine"));
}

TEST_CASE("[agents] folders that no sandbox can be are refused") {
  const TestFolder folder;
  const auto refused = [](const std::filesystem::path& path, const std::string& what) {
    CHECK_THROWS_WITH(Sandbox(path), Catch::Contains("--sandbox: found") && Catch::Contains(what));
  };
  refused(folder.path / "none", "allowed is a folder that exists");
  refused(folder.file("file", "x"), "allowed is a folder that exists");
  refused("/", "which holds /usr");
  refused("/etc", "which holds /etc");
  refused("/proc/self", "which is in /proc");
  if (!can_lock(folder.path)) return;
  const Sandbox sandbox(folder.path);
  CHECK(sandbox.shows(folder.path / "results.sqlite"));
  CHECK(sandbox.shows(folder.path / ".." / folder.path.filename() / "x"));
  CHECK(sandbox.shows("/usr/share/x"));
  CHECK_FALSE(sandbox.shows(folder.path.string() + "-other"));
}

TEST_CASE("[agents] where bwrap is missing or does not work, that is said, with its package") {
  const TestFolder folder;
  const std::string before = std::getenv("PATH");
  setenv("PATH", folder.path.c_str(), 1);
  CHECK_THROWS_WITH(Sandbox(folder.path),
                    "--sandbox: needs the program bwrap, which is not installed: apt-get install bubblewrap");
  std::filesystem::permissions(
      folder.file("bwrap", "#!/bin/sh\necho 'bwrap: no user namespaces' >&2\nexit 1\n"),
      std::filesystem::perms::owner_all);
  CHECK_THROWS_WITH(Sandbox(folder.path),
                    Catch::Contains("does not work on this system: bwrap: no user namespaces"));
  setenv("PATH", before.c_str(), 1);
}
