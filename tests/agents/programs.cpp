/// \file  Agents that are programs, good ones and all sorts of bad ones.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <tuple>

#include "agents/programs/process.hpp"
#include "agents/programs/program_agent.hpp"
#include "core/files.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"
#include "tests/skip.hpp"

using namespace startle;

namespace {

/// Answers each act with a shot at 30 degrees and each report with 0.75; `instead` is run first, with the
/// message in $line and its number in $n.
std::string script(const std::string& instead) {
  return "n=0\nwhile read -r line; do\nn=$((n+1))\n" + instead +
         "\ncase \"$line\" in\n*'\"type\":\"act\"'*) echo "
         "'{\"type\":\"shot\",\"angle\":0.5}';;\n*'\"type\":\"report\"'*) echo "
         "'{\"type\":\"report\",\"novelty\":0.75}';;\nesac\ndone\n";
}

/// For programs that answer: the slowest machine is given time.
const ProcessLimits patient{.action_s = 300, .trial_s = 900};

TrialResult play(const std::string& command, ProcessLimits limits = patient, int retries = 0) {
  static const std::vector<PlayableLevel> levels = playable({small_level()});
  const TrialPlan plan = plans_by_level(levels)[1];
  REQUIRE(plan.world == "novel");
  return run_trial({.name = "tested", .command = command}, plan, levels,
                   {.limits = limits, .retries = retries});
}

void check_status(const TrialResult& result, Status status, const std::string& words) {
  INFO(result.error);
  CHECK(std::string(name(result.status)) == name(status));
  CHECK_THAT(result.error, Catch::Contains(words));
}

const ProcessLimits impatient{.action_s = 0.3, .trial_s = 20};

}  // namespace

TEST_CASE("[agents] a program plays a trial by lines on standard input and output") {
  const TestFolder folder;
  const TrialResult result = play("sh " + folder.file("agent", script("")));
  check_status(result, Status::ok, "");
  REQUIRE(result.levels.size() == 1);
  CHECK(result.levels[0].novel);
  CHECK(result.levels[0].birds == 2);
  REQUIRE(!result.levels[0].shots.empty());
  CHECK(result.levels[0].shots[0] == PlayedShot{{.angle = 0.5}, 0.75, ""});
}

TEST_CASE("[agents] a command may set variables before the program, or begin with exec") {
  const TestFolder folder;
  check_status(play("A=1 sh " + folder.file("agent", script("test \"$A\" = 1 || exit 3"))), Status::ok, "");
  check_status(play("exec sh " + folder.file("agent", script(""))), Status::ok, "");
}

TEST_CASE(
    "[agents] a program that reads all it is sent finds no parameter, tier, novelty or name of a level in "
    "it") {
  const TestFolder folder;
  const std::string seen = (folder.path / "seen").string();
  const std::vector<PlayableLevel> levels = playable(benchmark_levels("T1/easy", 2));
  PlanOptions options{.protocol = Protocol::shift, .most_before = 1, .after = 1};
  const TrialPlan plan = plan_trials(levels, options).front();
  const std::string agent = folder.file("agent", script("printf '%s\\n' \"$line\" >> " + seen));
  const TrialResult result = run_trial({.name = "spy", .command = "sh " + agent}, plan, levels,
                                       {.limits = patient});
  check_status(result, Status::ok, "");
  std::ifstream file(seen);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK_THAT(text, Catch::Contains("\"type\":\"begin\"") && Catch::Contains("\"level\":2") &&
                       Catch::Contains("\"type\":\"end\""));
  for (const char* word : {"T1", "easy", "novel", "shift", "density", "friction", "restitution", "life",
                           "gravity_scale", "damping", "tier", "difficulty"}) {
    INFO(word);
    CHECK(text.find(word) == std::string::npos);
  }
}

TEST_CASE("[agents] a program may end once it has given its last answer") {
  const TestFolder folder;
  // Shoots straight up, so that the birds run out, and ends with the answer to the last report.
  const std::string agent = folder.file(
      "agent",
      "while read -r line; do case \"$line\" in\n*'\"type\":\"act\"'*) echo "
      "'{\"type\":\"shot\",\"angle\":1.5}';;\n"
      "*'\"type\":\"report\"'*) echo '{\"type\":\"report\",\"novelty\":0}'\n"
      "case \"$line\" in *'\"birds\":[]'*) exit 0;; esac;;\nesac; done\nexit 9\n");
  const TrialResult result = play("sh " + agent);
  check_status(result, Status::ok, "");
  CHECK(result.levels.at(0).shots.size() == 2);

  // The same, where it is sure that nobody reads the last line any more.
  AgentProcess gone("read -r line; echo $$", patient);
  gone.start_clock();
  gone.ask("go");
  const std::string pid = gone.read_line();
  for (;;) {
    std::ifstream state("/proc/" + pid + "/stat");
    std::string number, name, letter;
    if (!(state >> number >> name >> letter) || letter == "Z") break;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  CHECK_NOTHROW(gone.finish("end"));
}

TEST_CASE("[agents] a runner whose own standard input and output are closed talks to programs all the same") {
  const TestFolder folder;
  const std::string command = "sh " + folder.file("agent", script(""));
  const int in = dup(0), out = dup(1);
  close(0);
  close(1);
  const TrialResult result = play(command);
  dup2(in, 0);
  dup2(out, 1);
  close(in);
  close(out);
  check_status(result, Status::ok, "");
  CHECK(result.levels.at(0).shots.size() >= 1);
}

TEST_CASE("[agents] pictures on request: the program gets them and goes on") {
  const TestFolder folder;
  // Asks for a picture at each act, and shoots when it has come.
  const std::string agent = folder.file(
      "agent",
      "while read -r line; do case \"$line\" in\n*'\"type\":\"act\"'*) echo "
      "'{\"type\":\"picture\",\"width\":32,\"height\":16}';;\n"
      "*'\"type\":\"picture\",\"width\":32,\"height\":16'*) echo '{\"type\":\"shot\",\"angle\":0.5}';;\n"
      "*'\"type\":\"report\"'*) echo '{\"type\":\"report\",\"novelty\":0}';;\nesac; done\n");
  check_status(play("sh " + agent), Status::ok, "");
  check_status(
      play("sh " +
           folder.file(
               "past",
               script("echo '{\"type\":\"picture\",\"width\":8,\"height\":8,\"frame\":0}'; read -r line"))),
      Status::invalid_action, "frame");
}

TEST_CASE("[agents] bad programs: each gets its status, and what was played before stays") {
  const TestFolder folder;
  int number = 0;
  const auto run = [&](const std::string& instead, const ProcessLimits& limits = patient) {
    return play("sh " + folder.file("agent" + std::to_string(number++), script(instead)), limits);
  };
  // In place of a shot: an answer to `begin` would race with the first question.
  const auto answer = [&](const std::string& print) {
    return run("case \"$line\" in *'\"type\":\"act\"'*) " + print + "; continue;; esac");
  };
  const std::string at_report = "case \"$line\" in *'\"type\":\"report\"'*) ", esac = "; esac";
  check_status(run("sleep 60", impatient), Status::timeout, "no answer within 0.3 s");
  check_status(run("", {.action_s = 5, .trial_s = 0.0001}), Status::timeout, "for a trial");
  check_status(run("sleep 60", {.action_s = 20, .trial_s = 0.3}), Status::timeout, "for a trial");
  check_status(run("echo 'it broke' >&2; exit 3"), Status::crash, "exit code 3: it broke");
  check_status(run("printf 'it broke:\\n  here\\n  and there\\n\\n' >&2; exit 3"), Status::crash,
               "exit code 3: it broke:\n  here\n  and there");
  check_status(run("for i in $(seq 30); do echo \"line $i\" >&2; done; exit 3"), Status::crash,
               "exit code 3: line 11\nline 12\n");
  check_status(run("printf 'loaded\\nTraceback (most recent call last):\\n  File \"/opt/mine/a.py\", line "
                   "3\\n    f()\\n"
                   "ValueError: bad shape\\n  wanted: 3\\n  found: 4\\n' >&2; exit 1"),
               Status::crash, "exit code 1: ValueError: bad shape\n  wanted: 3\n  found: 4");
  check_status(run("exit 255"), Status::crash, "exit code 255");  // there is no signal 127
  check_status(run("kill -SEGV $$"), Status::crash, "signal");
  check_status(answer("echo garbage"), Status::protocol_error, "garbage");
  check_status(answer("echo '{\"type\":\"shot\",\"angle\":NaN}'"), Status::protocol_error, "no JSON");
  check_status(answer("echo '{\"type\":\"shot\",\"angle\":500}'"), Status::invalid_action, "angle");
  check_status(answer("echo '{\"type\":\"shot\",\"angle\":45}'"), Status::invalid_action, "degrees?");
  check_status(answer("echo '{\"type\":\"shot\",\"angle\":0.5,\"tap_time\":1000001}'"),
               Status::invalid_action, "tap_time");
  check_status(answer("printf '{\"type\":\"shot\",\"angle\":0.5}\\000\\n'"), Status::protocol_error,
               "byte 0");
  check_status(run("exit 0"), Status::protocol_error, "ended before");
  check_status(run("exec >&-; sleep 5"), Status::protocol_error, "closed its input or output");
  check_status(run("exec <&-; sleep 1"), Status::protocol_error, "");
  check_status(run("echo '{\"type\":\"shot\",\"angle\":0.1}'"), Status::protocol_error, "");  // two shots for
                                                                                              // one bird
  check_status(run("case \"$line\" in *'\"end\"'*) echo '{\"type\":\"shot\",\"angle\":1}';; esac"),
               Status::protocol_error, "without being asked");
  check_status(run("case $n in 2) head -c 200000 /dev/zero | tr '\\0' x;; esac"), Status::protocol_error,
               "64 KiB");
  check_status(run("yes ' ' | head -c 3000000", {.action_s = 300, .trial_s = 900, .output_mb = 1}),
               Status::protocol_error, "1 MiB");
  // A flood from a program that reads nothing is a flood, and no slow program.
  check_status(play("sh " + folder.file("flood", "sleep 1; head -c 200000 /dev/zero | tr '\\0' x; sleep 60"),
                    {.action_s = 300, .trial_s = 900}),
               Status::protocol_error, "64 KiB");
  // Answers that were ready before the questions.
  check_status(
      run("case \"$line\" in *'\"type\":\"act\"'*) printf "
          "'{\"type\":\"shot\",\"angle\":0.5}\\n{\"type\":\"report\",\"novelty\":1}\\n'; continue;; esac"),
      Status::protocol_error, "before it was asked");
  check_status(run("yes 'noise' | head -c 3000000 >&2"), Status::ok, "");  // on standard error it may say
                                                                           // what it likes

  const TrialResult late = run(at_report + "exit 3;;" + esac.substr(1));
  check_status(late, Status::crash, "exit code 3");
  REQUIRE(late.levels.size() == 1);
  CHECK(late.levels[0].shots.empty());  // the shot was flown, but not reported on
  CHECK_FALSE(late.levels[0].solved);
}

TEST_CASE("[agents] a command that is no program is a crash that says so") {
  check_status(play("/nowhere/agent"), Status::crash, "not found");
}

TEST_CASE("[agents] a program that takes more memory than it may ends as a crash") {
  const TestFolder folder;
  // A shell variable that doubles until the shell cannot have more.
  check_status(play("sh " + folder.file("agent", "x=0123456789; while :; do x=$x$x; done"),
                    {.action_s = 300, .trial_s = 300, .memory_mb = 100}),
               Status::crash, "");
}

TEST_CASE("[agents] retries: timeouts and crashes are tried again so many times, other failures are not") {
  const TestFolder folder;
  const std::string count = (folder.path / "count").string();
  const auto attempts = [&] {
    std::ifstream file(count);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::filesystem::remove(count);
    return text.size();
  };
  const TrialResult crashed = play("printf x >> " + count + "; exit 1", patient, 2);
  CHECK((crashed.status == Status::crash && crashed.retries == 2 && attempts() == 3));
  const TrialResult garbled = play("printf x >> " + count + "; echo garbage; cat > /dev/null", patient, 2);
  CHECK((garbled.status == Status::protocol_error && garbled.retries == 0 && attempts() == 1));
  // The second attempt works: nothing of the first is left in the result.
  const std::string good = folder.file("good", script(""));
  const TrialResult second = play(
      "if [ -e " + count + " ]; then exec sh " + good + "; else printf x > " + count + "; exit 1; fi",
      patient, 2);
  CHECK((second.status == Status::ok && second.retries == 1 && second.error.empty() &&
         second.levels.size() == 1));
  attempts();
  // Who has seen a shot has had its try.
  const TrialResult quit = play(
      "printf x >> " + count +
          "; read line; read line; echo '{\"type\":\"shot\",\"angle\":0.5}'; read line; exit 1",
      patient, 2);
  check_status(quit, Status::crash, "exit code 1");
  CHECK(quit.retries == 0);
  CHECK(attempts() == 1);
}

TEST_CASE("[agents] nothing that a program started is left when its trial is over") {
  const TestFolder folder;
  const std::string pid_file = (folder.path / "pid").string();
  check_status(play("sh " + folder.file("agent", "sleep 300 & echo $! > " + pid_file +
                                                     "\nread request\necho garbage\nsleep 300")),
               Status::protocol_error, "garbage");
  int pid = 0;
  std::ifstream(pid_file) >> pid;
  REQUIRE(pid > 1);
  bool gone = false;
  for (int i = 0; i < 1000 && !gone; ++i) {
    std::ifstream state("/proc/" + std::to_string(pid) + "/stat");
    std::string ignored, letter;
    gone = !(state >> ignored >> ignored >> letter) || letter == "Z";
    if (!gone) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  CHECK(gone);
}

TEST_CASE("[agents] what leaves its process group does not outlive the run") {
  const TestFolder folder;
  const std::string pid_file = (folder.path / "pid").string();
  {
    const Reaper reaper;
    std::ignore = play("sh " + folder.file("agent", "setsid sh -c 'echo $$ > " + pid_file +
                                                        "; sleep 300' & while ! [ -s " + pid_file +
                                                        " ]; do :; done\necho garbage\nsleep 300"));
  }
  int pid = 0;
  std::ifstream(pid_file) >> pid;
  REQUIRE(pid > 1);
  CHECK(kill(pid, 0) != 0);
}

TEST_CASE("[agents] a program inherits no file of the runner") {
  const TestFolder folder;
  const std::string listed = (folder.path / "files").string();
  std::ifstream held(folder.file("held", "x"));
  std::ignore = play("ls -l /proc/$$/fd > " + listed + "; exit 0");
  std::ifstream file(listed);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  CHECK_THAT(all, Catch::Contains("0 -> ") && Catch::Contains("2 -> "));
  CHECK_THAT(all, !Catch::Contains("held"));
}

namespace {

/// A shell program that loads (which it writes down), and plays each trial in a fork: a subshell with
/// `instead` for each line, as script(). Its reports say which processes they are of.
std::string forking(const std::string& loads, const std::string& instead = "") {
  return "echo x >> " + loads +
         "\necho '{\"type\":\"ready\",\"trials\":\"fork\"}'\nwhile read -r begin; do case \"$begin\" in "
         "*'\"begin\"'*)\n( n=0; while read -r line; do\nn=$((n+1))\n" +
         instead +
         "\ncase \"$line\" in\n*'\"type\":\"act\"'*) echo '{\"type\":\"shot\",\"angle\":0.5}';;\n"
         "*'\"type\":\"report\"'*) echo "
         "\"{\\\"type\\\":\\\"report\\\",\\\"novelty\\\":0.75,\\\"description\\\":\\\"$$\\\"}\";;\n"
         "*'\"type\":\"end\"'*) exit 0;;\nesac\ndone )\n"
         "code=$?; echo; echo \"{\\\"type\\\":\\\"over\\\",\\\"code\\\":$code}\";;\nesac; done\n";
}

/// Plays with programs that stay.
TrialResult play_on(const std::string& command, ReadyPrograms& programs,
                    const ProcessLimits& limits = patient) {
  static const std::vector<PlayableLevel> levels = playable({small_level()});
  return run_trial({.name = "tested", .command = command}, plans_by_level(levels)[1], levels,
                   {.limits = limits, .retries = 0}, &programs);
}

std::string process_id(const TrialResult& result) { return result.levels.at(0).shots.at(0).description; }

}  // namespace

TEST_CASE("[agents] a program that is ready for several trials is started once, and each is a fork of it") {
  const TestFolder folder;
  const std::string loads = (folder.path / "loads").string(),
                    command = "sh " + folder.file("agent", forking(loads));
  {
    ReadyPrograms programs;
    const TrialResult first = play_on(command, programs);
    check_status(first, Status::ok, "");
    CHECK(first.process == "fork");
    for (int i = 0; i < 5; ++i) {
      const TrialResult next = play_on(command, programs);
      check_status(next, Status::ok, "");
      CHECK(process_id(next) == process_id(first));
    }
    // Another command ends it.
    CHECK(play_on("sh " + folder.file("other", script("")), programs).process == "own");
    CHECK(process_id(play_on(command, programs)) != process_id(first));
  }
  CHECK(read_file(loads) == "x\nx\n");
  // Without a place to be kept, it plays one trial.
  CHECK(play(command).process == "own");
  CHECK(read_file(loads) == "x\nx\nx\n");
}

TEST_CASE("[agents] a program that says it forks and plays by itself is found out") {
  const TestFolder folder;
  // Whether it has a child that does nothing, which it ends after each trial, or none.
  for (const std::string child :
       {"", "sleep 300 & child=$!", "(read -r line < /dev/null; sleep 300) & child=$!"}) {
    CAPTURE(child);
    const std::string agent = folder.file(
        "agent", "echo '{\"type\":\"ready\",\"trials\":\"fork\"}'\n" +
                     script("case \"$line\" in *'\"begin\"'*) " + (child.empty() ? ":" : child) +
                            ";; *'\"end\"'*) [ -z \"$child\" ] || kill $child; wait; echo "
                            "'{\"type\":\"over\"}';; esac"));
    ReadyPrograms programs;
    for (int i = 0; i < 3; ++i) {
      const TrialResult result = play_on("sh " + agent, programs);
      check_status(result, Status::ok, "");
      CHECK(result.process == "shared");
    }
  }
  // One that plays the second trial by itself.
  const std::string loads = (folder.path / "loads").string();
  std::string honest = forking(loads);
  const std::string fork = "( n=0;", end = "done )\n";
  REQUIRE(honest.find(fork) != std::string::npos);
  REQUIRE(honest.find(end) != std::string::npos);
  honest.replace(honest.find(end), end.size(), "done; }; if [ $trial = 2 ]; then play; else ( play ); fi\n");
  honest.replace(honest.find(fork), fork.size(), "trial=$((trial+1)); play() { n=0;");
  honest.replace(honest.find("exit 0"), 6, "return 0");
  const std::string command = "sh " + folder.file("second", honest);
  ReadyPrograms programs;
  std::vector<std::string> seen;
  for (int i = 0; i < 4; ++i) {
    const TrialResult result = play_on(command, programs);
    check_status(result, Status::ok, "");
    seen.push_back(result.process);
  }
  CHECK(seen == std::vector<std::string>{"fork", "shared", "fork", "fork"});
}

TEST_CASE("[agents] memory of a program is limited for all of its processes together") {
  const TestFolder folder;
  if (std::system("python3 -c pass >/dev/null 2>&1") != 0) {
    TEST_IS_SKIPPED("python3 is not installed");
    return;
  }
  const std::string agent = folder.file(
      "agent.py",
      "import os, time\nfor _ in range(6):\n  if not os.fork():\n    held = b'1' * (60 << 20)\n    "
      "time.sleep(60)\ntime.sleep(60)\n");
  check_status(play("python3 " + agent, {.action_s = 300, .trial_s = 300, .memory_mb = 200}), Status::crash,
               "allowed are 200 MiB (--memory-limit)");
  // What forks share counts once.
  const std::string shares = folder.file(
      "shares.py",
      "import os, time, sys\nheld = b'1' * (60 << 20)\nfor _ in range(6):\n  if not os.fork():\n    "
      "time.sleep(0.3)\n    os._exit(0)\ntime.sleep(0.3)\nsys.exit(7)\n");
  check_status(play("python3 " + shares, {.action_s = 300, .trial_s = 300, .memory_mb = 200}), Status::crash,
               "exit code 7");
}

TEST_CASE("[agents] no program finds the run's secret in its environment, under whatever name") {
  const TestFolder folder;
  const std::string secret = "0123456789abcdef0123456789abcdef", seen = (folder.path / "seen").string();
  setenv("STARTLE_TEST_A", ("secret=" + secret).c_str(), 1);
  setenv("STARTLE_TEST_B", "0123456789ABCDEF0123456789ABCDEF", 1);
  setenv("STARTLE_TEST_C", "0123456789abcdef", 1);
  RunOptions options{.agents = {"spy=sh " + folder.file("agent", "env > " + seen + "\n" + script(""))},
                     .program = "test",
                     .plan = {.secret = RunSecret::parse(secret)}};
  options.trial.limits = patient;
  run_agents(playable({small_level()}), profile(), options, folder.path / "results");
  for (const char* name : {"STARTLE_TEST_A", "STARTLE_TEST_B", "STARTLE_TEST_C"}) unsetenv(name);
  const std::string all = read_file(seen);
  CHECK_THAT(all, !Catch::Contains("STARTLE_TEST_A") && !Catch::Contains("STARTLE_TEST_B"));
  CHECK_THAT(all, Catch::Contains("STARTLE_TEST_C=0123456789abcdef\n") && Catch::Contains("PATH="));
}

TEST_CASE("[agents] a trial that goes wrong in a fork is that trial's fault alone") {
  const TestFolder folder;
  const std::string loads = (folder.path / "loads").string(), once = (folder.path / "once").string();
  const auto failing = [&](const std::string& how) {
    return "sh " + folder.file("agent", forking(loads, "if [ $n = 2 ] && ! [ -e " + once + " ]; then : > " +
                                                           once + "; " + how + "; fi"));
  };
  const auto after = [&](const std::string& how, Status status, const std::string& words, bool same) {
    INFO(how);
    std::filesystem::remove(once);
    std::filesystem::remove(loads);
    ReadyPrograms programs;
    const std::string command = failing(how);
    const TrialResult bad = play_on(command, programs, impatient);
    check_status(bad, status, words);
    CHECK(bad.process == "fork");
    check_status(play_on(command, programs), Status::ok, "");
    check_status(play_on(command, programs), Status::ok, "");
    CHECK(read_file(loads) == (same ? "x\n" : "x\nx\n"));
  };
  after("echo 'no file of mine' >&2; exit 3", Status::crash, "exit code 3: no file of mine", true);
  after("printf '{\"type\":'; exit 3", Status::protocol_error, "no JSON object", false);
  after("exit 0", Status::protocol_error, "ended before the trial was over", true);
  after("sleep 30", Status::timeout, "no answer", false);
  after("echo garbage", Status::protocol_error, "garbage", false);
  after("kill -9 $(sh -c 'echo $PPID')", Status::crash, "signal 9", true);
}

TEST_CASE("[agents] a program may play several trials by a promise to forget") {
  const TestFolder folder;
  const std::string agent = folder.file(
      "agent", "echo '{\"type\":\"ready\",\"trials\":\"reset\"}'\n" +
                   script("case \"$line\" in *'\"end\"'*) echo '{\"type\":\"over\"}';; esac"));
  ReadyPrograms programs;
  for (int i = 0; i < 3; ++i) {
    const TrialResult result = play_on("sh " + agent, programs);
    check_status(result, Status::ok, "");
    CHECK(result.process == "reset");
  }
}

TEST_CASE("[agents] a program that says it is ready in another way is refused with what is allowed") {
  const TestFolder folder;
  const auto refused = [&](const std::string& said, const std::string& words) {
    ReadyPrograms programs;
    const std::string command = "sh " + folder.file("agent", "echo '" + said + "'\n" +
                                                                 script("case \"$line\" in *'\"end\"'*) echo "
                                                                        "'{\"type\":\"over\"}';; esac"));
    check_status(play_on(command, programs), Status::protocol_error, words);
  };
  refused(R"({"type":"ready"})", "key trials is missing");
  refused(R"({"type":"ready","trials":"both"})", "allowed are \"fork\" and \"reset\"");
  refused(R"({"type":"ready","trials":"fork","n":1})", "unknown key");
  refused(R"({"type":"over"})", "");  // which words depends on whether it comes before the first question
}

TEST_CASE(
    "[agents] programs that stay: the same results on any number of threads, and each says how it played") {
  const TestFolder folder;
  const std::string loads = (folder.path / "loads").string();
  const std::vector<PlayableLevel> levels = playable({small_level("a"), small_level("b"), small_level("c")});
  RunOptions options{.agents = {"stays=sh " + folder.file("agent", forking(loads)),
                                "goes=sh " + folder.file("other", script("")), "random"},
                     .program = "test",
                     .plan = {.trials = 2, .secret = RunSecret::parse("0123456789abcdef0123456789abcdef")}};
  options.trial.limits = patient;
  std::map<int, std::vector<TrialResult>> results;
  for (const int threads : {1, 3}) {
    options.threads = threads;
    std::filesystem::remove(loads);
    const std::filesystem::path out = folder.path / ("results" + std::to_string(threads));
    run_agents(levels, profile(), options, out);
    results[threads] = ResultsStore(out).results();
    const std::string marks = read_file(loads);
    const auto loaded = std::count(marks.begin(), marks.end(), 'x');
    CHECK(loaded >= 1);
    CHECK(loaded <= threads);
  }
  REQUIRE(results[1].size() == 3 * 2 * 2 * 3);
  for (auto& [threads, all] : results)
    for (TrialResult& result : all) {
      CHECK(result.process == (result.agent == "stays"  ? "fork"
                               : result.agent == "goes" ? "own"
                                                        : "built in"));
      for (PlayedLevel& level : result.levels)
        for (PlayedShot& shot : level.shots) shot.description.clear();  // the process
    }
  CHECK(results[1] == results[3]);
}

TEST_CASE("[agents] the Python example detects easy changes, few hard ones, and none that is not there") {
  if (std::system("python3 -c pass >/dev/null 2>&1") != 0) {
    TEST_IS_SKIPPED("python3 is not installed");
    return;
  }
  const AgentSpec example{.name = "py", .command = "python3 " STARTLE_EXAMPLES "/measuring.py"};
  std::map<std::string, int> detected, alarms;  // by tier
  int trials = 0, pigs_hit = 0;
  for (const std::string tier : {"easy", "hard"}) {
    const std::vector<PlayableLevel> levels = playable(
        benchmark_levels("stone-gravity_scale-down/" + tier, 5));
    for (const TrialPlan& plan : plan_trials(levels, {})) {
      const TrialResult result = run_trial(example, plan, levels, {.limits = patient});
      check_status(result, Status::ok, "");
      const auto& shots = result.levels[0].shots;
      (plan.world == "novel" ? detected : alarms)[tier] += std::any_of(
          shots.begin(), shots.end(), [](const PlayedShot& shot) { return shot.novelty >= 0.5; });
      pigs_hit += result.levels[0].score >= 5000;
      if (trials++ == 0) CHECK(result == run_trial(example, plan, levels, {.limits = patient}));
    }
  }
  CHECK(detected["easy"] >= 3);  // of 5
  CHECK(detected["hard"] <= 2);
  CHECK(alarms["easy"] + alarms["hard"] == 0);
  CHECK(2 * pigs_hit >= trials);  // its aim is good
}
