/// \file  What a program that is locked in can see and do.
#include "agents/programs/sandbox.hpp"

#include <arpa/inet.h>
#include <grp.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

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

/// Runs `script`, which calls bad() with what it can do and should not, and then plays: that is in the
/// description of each report.
std::string agent_that(const std::string& script) {
  return "all=\nbad() { all=\"$all; $1\"; }\n" + script +
         "\nwhile read -r line; do case \"$line\" in\n*'\"type\":\"act\"'*) echo "
         "'{\"type\":\"shot\",\"angle\":0.5}';;\n*'\"type\":\"report\"'*) echo "
         "\"{\\\"type\\\":\\\"report\\\",\\\"novelty\\\":0.75,\\\"description\\\":\\\"$all\\\"}\";;\n"
         "esac; done\n";
}

/// What the first report says; how the trial went wrong where it did.
std::string description_of(const TrialResult& result) {
  if (result.status != Status::ok) return result.error;
  return result.levels.at(0).shots.at(0).description;
}

std::string read_all(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The result of `work` in a process of another user, or of this one where this one is not root.
std::string as_another_user(const std::function<std::string()>& work) {
  constexpr int other = 1234;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t pid = fork();
  if (pid == 0) {
    std::string said = "no other user";
    if (geteuid() != 0 || (setgroups(0, nullptr) == 0 && setresgid(other, other, other) == 0 &&
                           setresuid(other, other, other) == 0)) {
      prctl(PR_SET_DUMPABLE, 1);
      try {
        said = work();
      } catch (const std::exception& error) {
        said = error.what();
      }
    }
    [[maybe_unused]] const ssize_t written = write(ends[1], said.data(), said.size());
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  char part[1024];
  for (ssize_t count; (count = read(ends[0], part, sizeof part)) > 0;)
    said.append(part, static_cast<std::size_t>(count));
  close(ends[0]);
  waitpid(pid, nullptr, 0);
  return said;
}

/// Sets a variable of the environment for as long as it lives.
struct Variable {
  explicit Variable(const std::string& value) { setenv("STARTLE_TEST_SECRET", value.c_str(), 1); }
  ~Variable() { unsetenv("STARTLE_TEST_SECRET"); }
};

}  // namespace

TEST_CASE(
    "[agents] a program that is locked in has its folder, and neither other files nor processes nor a "
    "network, whoever runs it") {
  const TestFolder outside, folder;
  std::filesystem::permissions(folder.path, std::filesystem::perms(0755));
  const Listener listener;
  const std::string secret = outside.file("results", "secret"), port = std::to_string(listener.port);
  const std::string hexadecimal = "00112233445566778899aabbccddeeff";
  const std::string sees = "test -e '" + secret +
                           "' && bad 'sees a file outside'\n"
                           "test -e '" +
                           std::string(STARTLE_BENCHMARK) +
                           "' && bad 'sees levels'\n"
                           "kill -0 " +
                           std::to_string(getpid()) +
                           " 2>/dev/null && bad 'reaches the runner'\n"
                           "cat /proc/[0-9]*/environ 2>/dev/null | grep -q " +
                           hexadecimal +
                           " && bad 'sees the environment'\n"
                           "test -e /etc/shadow && bad 'sees users'\n"
                           "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", " +
                           port + "), 2)' 2>/dev/null && bad network\n";
  const std::string forbidden =
      "test \"$(id -u)/$(id -g)\" = 65534/65534 || bad 'is another user'\n"
      "test \"$(env | cut -d= -f1 | sort | tr '\\n' ' ')\" = "
      "'HOME LANG LOGNAME PATH PWD SHELL TERM TMPDIR USER ' || bad 'has other variables'\n"
      "for file in /etc/*; do case $file in /etc/passwd|/etc/group|/etc/hosts|/etc/nsswitch.conf|/etc/ld.so*|"
      "/etc/alternatives|/etc/fonts|/etc/java*|/etc/python*|/etc/perl|/etc/R|/etc/OpenCL|/etc/julia*|/etc/"
      "mono|"
      "/etc/matplotlibrc);; *) bad \"sees $file\";; esac; done\n"
      "test \"$(cat /etc/passwd)\" = 'agent:x:65534:65534:agent:/tmp:/bin/sh' || bad 'sees users'\n"
      "test \"$(uname -n)\" = sandbox || bad 'sees the name of the machine'\n"
      // The value it has: where it can be written, nothing changes.
      "value=$(cat /proc/sys/kernel/core_pattern)\n"
      "(echo \"$value\" > /proc/sys/kernel/core_pattern) 2>/dev/null && bad 'writes settings of the kernel'\n"
      "test -z \"$(find /proc/sys /proc/sysrq-trigger /proc/self/oom_score_adj -writable)\" || bad 'may "
      "write "
      "to /proc'\n"
      "for to in . /usr / /etc /dev /proc; do (: > $to/startle-was-here) 2>/dev/null && bad \"writes to "
      "$to\"; "
      "done\n"
      "chmod u+s ./agent 2>/dev/null && bad 'changes its folder'\n"
      "test \"$(./user)\" = 65534 || bad 'becomes the owner of a file'\n"
      "mknod /tmp/device c 1 3 2>/dev/null && bad 'makes devices'\n"
      "grep ' /tmp ' /proc/mounts | grep nosuid | grep -q nodev || bad 'no nosuid, nodev'\n"
      "mount -o remount,rw /usr 2>/dev/null && bad 'remounts'\n"
      "unshare -Ur true 2>/dev/null && bad 'is root in a name space of its own'\n"
      "python3 -c 'import os; os.memfd_create(\"x\")' 2>/dev/null && bad 'has memory that is not counted'\n"
      "test \"$(ls /proc | grep -c '^[0-9]')\" -lt 10 || bad 'sees other processes'\n"
      "(: < /dev/tty) 2>/dev/null && bad 'has a terminal'\n"
      "for at in /tmp /dev/shm; do test \"$(df -k --output=size $at | tail -1)\" -le 262144 || bad \"may "
      "fill "
      "the memory by $at\"; done\n"
      // What it can.
      "test \"$PWD\" = '" +
      folder.path.string() +
      "' || bad place\n"
      "echo learned > /tmp/kept || bad 'cannot write to /tmp'\n"
      "python3 -c 'import json, socket, tempfile; tempfile.TemporaryFile().write(b\"1\"); "
      "socket.getaddrinfo(\"localhost\", 1)' || bad 'no Python'\n"
      "echo x > /dev/null || bad 'no /dev/null'\n";
  folder.file("agent", agent_that(sees + forbidden));
  std::filesystem::copy_file("/usr/bin/id", folder.path / "id");
  folder.file("user", "#!/bin/sh\nexec ./id -u\n");
  std::filesystem::permissions(folder.path / "user", std::filesystem::perms(0755));
  std::filesystem::permissions(folder.path / "id", std::filesystem::perms(04755));
  const Variable variable(hexadecimal);
  if (can_lock(folder.path)) {
    const auto play = [&] { return description_of(play_locked(folder.path, "sh agent")); };
    CHECK(play() == "");
    CHECK(as_another_user(play) == "");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 3);
  }
  // Without a sandbox all of it is seen: the checks would show it. What would change the system is not tried.
  folder.file("free", agent_that(sees));
  const std::vector<PlayableLevel> levels = playable({small_level()});
  const std::string free = description_of(
      run_trial({.name = "free", .command = "cd '" + folder.path.string() + "'; exec sh free"},
                plans_by_level(levels)[1], levels, {.limits = {.action_s = 300, .trial_s = 900}}));
  for (const char* seen : {"sees a file outside", "sees levels", "reaches the runner", "network",
                           "sees the environment", "sees users"})
    CHECK_THAT(free, Catch::Contains(seen));
}

TEST_CASE("[agents] memory and processes of a locked-in program are limited for the trial as a whole") {
  const TestFolder folder;
  std::filesystem::permissions(folder.path, std::filesystem::perms(0755));
  if (!can_lock(folder.path)) return;
  const auto error = [&](const std::string& program, std::size_t memory_mb) {
    folder.file("agent.py", program);
    const auto play = [&] {
      const TrialResult result = play_locked(folder.path, "python3 agent.py",
                                             {.action_s = 60, .trial_s = 60, .memory_mb = memory_mb});
      return std::string(name(result.status)) + ": " + result.error;
    };
    const std::string other = as_another_user(play);
    CHECK_THAT(other, Catch::StartsWith("crash: killed, as it "));
    return play();
  };
  // Each is far below the limit.
  CHECK_THAT(error("import os, time\nfor _ in range(6):\n  if not os.fork():\n    held = b'1' * "
                   "(60 << 20)\n    time.sleep(60)\ntime.sleep(60)\n",
                   200),
             Catch::StartsWith("crash: killed, as it held ") && Catch::Contains("MiB in ") &&
                 Catch::Contains(" processes") && Catch::Contains("allowed are 200 MiB (--memory-limit)"));
  CHECK_THAT(error("import time\nwith open('/tmp/a', 'wb') as a, open('/dev/shm/b', 'wb') as b:\n  for _ in "
                   "range(80):\n    a.write(b'1' * (1 << 20)); b.write(b'1' * (1 << 20))\ntime.sleep(60)\n",
                   140),
             Catch::Contains("its files in /tmp and /dev/shm, allowed are 140 MiB"));
  CHECK_THAT(
      error(
          "import os, time\nfor _ in range(2000):\n  if not os.fork():\n    time.sleep(60)\ntime.sleep(60)\n",
          4096),
      Catch::Contains("allowed are 1024"));
}

TEST_CASE("[agents] a locked-in program finds nothing of an earlier trial, whatever it says about forks") {
  const TestFolder folder, results;
  if (!can_lock(folder.path)) return;
  // Says that it forks, plays all trials itself, and leaves a file in each place where it can.
  folder.file("agent",
              "echo '{\"type\":\"ready\",\"trials\":\"fork\"}'\n"
              "for at in . /tmp /dev/shm; do test -e $at/left && found=1; (: > $at/left) 2>/dev/null; done\n"
              "while read -r line; do case \"$line\" in\n"
              "*'\"type\":\"act\"'*) echo '{\"type\":\"shot\",\"angle\":0.5}';;\n"
              "*'\"type\":\"report\"'*) echo "
              "\"{\\\"type\\\":\\\"report\\\",\\\"novelty\\\":0.${found:-0}}\"; found=1;;\n"
              "*'\"type\":\"end\"'*) echo '{\"type\":\"over\"}';;\nesac; done\n");
  RunOptions options{.agents = {"mine=sh agent"},
                     .program = "test",
                     .plan = {.trials = 2},
                     .trial = {.limits = {.action_s = 300, .trial_s = 900}},
                     .threads = 1};
  options.trial.limits.sandbox = std::make_shared<const Sandbox>(folder.path);
  CHECK(run_agents(playable({small_level()}), profile(), options, results.path / "locked").complete);
  const std::vector<TrialResult> all = ResultsStore(results.path / "locked").results();
  REQUIRE(all.size() == 4);
  for (const TrialResult& result : all) {
    CHECK(description_of(result) == "");
    CHECK(result.status == Status::ok);
    CHECK(result.process == "own");
    CHECK(result.levels.at(0).shots.at(0).novelty == 0);
  }
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
    const Reaper reaper;
    check("setsid sleep 4321 & exit 4", Status::crash, "exit code 4");
    for (const auto& process : std::filesystem::directory_iterator("/proc"))
      CHECK(read_all(process.path() / "cmdline") != std::string("sleep\0004321\0", 11));
  }
}

TEST_CASE("[agents] a locked-in run gives the results of one that is not, and is not mixed with it") {
  const TestFolder folder, results;
  std::filesystem::copy_file(std::filesystem::path(STARTLE_EXAMPLES) / "measuring.py",
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
  refused("/etc/alternatives", "which is in /etc");
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
