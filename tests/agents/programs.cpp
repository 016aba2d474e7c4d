/// \file  Agents that are programs, good ones and all sorts of bad ones.
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "agents/process.hpp"
#include "agents/program_agent.hpp"
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
  const std::string at_report = "case \"$line\" in *'\"type\":\"report\"'*) ", esac = "; esac";
  check_status(run("sleep 60", impatient), Status::timeout, "no answer within 0.3 s");
  check_status(run("", {.action_s = 5, .trial_s = 0.0001}), Status::timeout, "for a trial");
  check_status(run("sleep 60", {.action_s = 20, .trial_s = 0.3}), Status::timeout, "for a trial");
  check_status(run("echo 'it broke' >&2; exit 3"), Status::crash, "exit code 3: it broke");
  check_status(run("exit 255"), Status::crash, "exit code 255");  // there is no signal 127
  check_status(run("kill -SEGV $$"), Status::crash, "signal");
  check_status(run("echo garbage"), Status::protocol_error, "garbage");
  check_status(run("echo '{\"type\":\"shot\",\"angle\":NaN}'"), Status::protocol_error, "no JSON");
  check_status(run("echo '{\"type\":\"shot\",\"angle\":500}'"), Status::invalid_action, "angle");
  check_status(run("echo '{\"type\":\"shot\",\"angle\":45}'"), Status::invalid_action, "degrees?");
  check_status(run("echo '{\"type\":\"shot\",\"angle\":0.5,\"tap_time\":1000001}'"), Status::invalid_action,
               "tap_time");
  check_status(run("printf '{\"type\":\"shot\",\"angle\":0.5}\\000\\n'"), Status::protocol_error, "byte 0");
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
    play("sh " + folder.file("agent", "setsid sh -c 'echo $$ > " + pid_file + "; sleep 300' & while ! [ -s " +
                                          pid_file + " ]; do :; done\necho garbage\nsleep 300"));
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
  play("ls -l /proc/$$/fd > " + listed + "; exit 0");
  std::ifstream file(listed);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  CHECK_THAT(all, Catch::Contains("0 -> ") && Catch::Contains("2 -> "));
  CHECK_THAT(all, !Catch::Contains("held"));
}

TEST_CASE("[agents] the Python example plays") {
  if (std::system("python3 -c pass >/dev/null 2>&1") != 0) {
    TEST_IS_SKIPPED("python3 is not installed");
    return;
  }
  const std::vector<PlayableLevel> levels = playable(benchmark_levels("T1/easy", 2));
  int pigs_hit = 0;
  for (const TrialPlan& plan : plan_trials(levels, {})) {
    const AgentSpec example{.name = "py", .command = "python3 " STARTLE_EXAMPLES "/pig_shooter.py"};
    const TrialResult result = run_trial(example, plan, levels, {.limits = patient});
    check_status(result, Status::ok, "");
    pigs_hit += result.levels[0].score >= 5000;
    CHECK(result == run_trial(example, plan, levels, {.limits = patient}));
  }
  CHECK(pigs_hit >= 3);  // of 4: its aim is good
}
