#include "core/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <functional>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;
using startle::testing::Folder;

namespace {

ProgramCall shell(const std::string& script) { return {{"sh", "-c", script}}; }

double seconds_of(const std::function<void()>& job) {
  const auto start = std::chrono::steady_clock::now();
  job();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool has_children() {
  siginfo_t about{};
  return waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

}  // namespace

TEST_CASE("[core] programs: what is written and how it ended come back, whatever is larger than a pipe") {
  const ProgramOutput small = run_program(shell("echo out; echo err >&2; exit 3"), 60);
  CHECK(small.out == "out\n");
  CHECK(small.err == "err\n");
  REQUIRE(small.end);
  CHECK(small.end->code == 3);
  CHECK(small.end->signal == 0);
  CHECK_FALSE(small.end->good());
  CHECK(small.end->text() == "ended with exit code 3");

  std::string large;
  for (int i = 0; large.size() < (3u << 20); ++i) large += std::to_string(i) + "\n";
  const ProgramOutput both = run_program(shell("tee /dev/stderr"), 60, large);
  CHECK(both.out == large);
  CHECK(both.err == large);
  CHECK(both.end->good());
  // A reader that goes away early neither kills this process nor keeps it waiting.
  CHECK(run_program(shell("head -c 5"), 60, large).out == large.substr(0, 5));
  ChildProcess deaf(shell("exec sleep 60"), {.in = ChildStream::pipe});
  deaf.kill();
  CHECK_FALSE(deaf.write_all(large));
}

TEST_CASE(
    "[core] programs: one that does not exist or cannot be run is an Error that names it, and no child "
    "stays") {
  const Folder folder;
  CHECK_THROWS_WITH(ChildProcess({{"no-such-program"}}),
                    "no-such-program: no such program in the folders of PATH");
  CHECK_THROWS_WITH(ChildProcess({{(folder / "none").string()}}),
                    Catch::Contains("none: cannot be run: No such file"));
  CHECK_THROWS_AS(ChildProcess({{folder.path.string()}}), Error);
  CHECK_THROWS_AS(ChildProcess({{""}}), Error);
  std::ofstream(folder / "script") << "#!/no/such/interpreter\n";
  CHECK_THROWS_WITH(ChildProcess({{(folder / "script").string()}}),
                    Catch::Contains("script: cannot be run: Permission denied"));
  std::filesystem::permissions(folder / "script", std::filesystem::perms::owner_all);
  CHECK_THROWS_WITH(ChildProcess({{(folder / "script").string()}}),
                    Catch::Contains("script: cannot be run: No such file"));
  CHECK_FALSE(has_children());
  CHECK(find_program("sh").filename() == "sh");
  CHECK(find_program("no-such-program").empty());
  CHECK(find_program("").empty());
  CHECK(std::filesystem::exists(own_folder() / "test_core"));
}

TEST_CASE("[core] programs: a signal that kills one is reported") {
  const ProgramOutput output = run_program(shell("kill -SEGV $$"), 60);
  REQUIRE(output.end);
  CHECK(output.end->signal == SIGSEGV);
  CHECK(output.end->text() == "killed by signal 11");
  ChildProcess child(shell("exec sleep 60"));
  CHECK_FALSE(child.wait(0.05));
  CHECK(child.kill().signal == SIGKILL);
  CHECK(child.kill().signal == SIGKILL);  // once more changes nothing
  CHECK(child.end()->signal == SIGKILL);
  CHECK_FALSE(has_children());
}

TEST_CASE("[core] programs: one that takes too long is killed, with what it has started") {
  const Folder folder;
  ProgramOutput output;
  const double seconds = seconds_of([&] {
    output = run_program(
        shell("echo before; (sleep 2; touch '" + (folder / "left").string() + "') & sleep 60"), 0.3);
  });
  CHECK(seconds < 30);
  CHECK_FALSE(output.end);
  CHECK(output.out == "before\n");
  // Also what it leaves behind at its own end, which would hold its output open.
  const double second = seconds_of([&] {
    output = run_program(shell("(sleep 2; touch '" + (folder / "left").string() + "') & echo done"), 60);
  });
  CHECK(second < 2);
  CHECK(output.out == "done\n");
  { const ChildProcess dropped(shell("sleep 2; touch '" + (folder / "left").string() + "'")); }
  CHECK_FALSE(has_children());
  usleep(2500000);
  CHECK_FALSE(std::filesystem::exists(folder / "left"));
}

TEST_CASE(
    "[core] programs: a child has its three streams, no other file of this process, the variables that were "
    "set, and its own group") {
  const Folder folder;
  // Open, and not marked to be closed.
  const int open_file = ::open((folder / "open").c_str(), O_RDWR | O_CREAT, 0600);
  REQUIRE(open_file >= 3);
  // The last is the folder that ls reads. A shell would have those of its pipelines at times.
  CHECK(run_program({{"ls", "/proc/self/fd"}}, 60).out == "0\n1\n2\n3\n");
  ::close(open_file);
  setenv("STARTLE_TEST_SET", "old", 1);
  ProgramCall call = shell("echo $STARTLE_TEST_SET $STARTLE_TEST_NEW $HOME; env | grep -c STARTLE_TEST_SET");
  call.environment = {{"STARTLE_TEST_SET", "a b"}, {"STARTLE_TEST_NEW", "c"}, {"HOME", "here"}};
  CHECK(run_program(call, 60).out == "a b c here\n1\n");
  CHECK(std::string(getenv("STARTLE_TEST_SET")) == "old");
  setenv("STARTLE_TEST_SET", "one abCD", 1);
  call.environment.clear();
  call.withheld = "ABcd";
  CHECK(run_program(call, 60).out.ends_with("\n0\n"));
  call = {{"env"}, {{"PATH", "/bin"}}};
  call.inherits_environment = false;
  CHECK(run_program(call, 60).out == "PATH=/bin\n");
  unsetenv("STARTLE_TEST_SET");
  call = shell("cat <&4; cat <&5; ls /proc/self/fd | tr '\\n' ' '");
  call.data = {"first\n", std::string("sec\0nd\n", 7)};
  CHECK(run_program(call, 60).out.starts_with(std::string("first\nsec\0nd\n0 1 2 3 4 5 ", 25)));
  call.data = {std::string(5000, 'x')};
  CHECK_THROWS_WITH(run_program(call, 60), Catch::Contains("5000 bytes cannot be given to it"));
  CHECK(run_program(shell("cat"), 60).out.empty());  // no input: not that of this process
  CHECK(run_program(
            shell("test $(ps -o pgid= -p $$) = $$ || cut -d' ' -f5 /proc/$$/stat | grep -qx $$ && echo own"),
            60)
            .out == "own\n");
  ChildProcess limited({{"sh", "-c", "ulimit -v"}}, {.out = ChildStream::pipe, .memory_mb = 512});
  std::string said;
  REQUIRE(limited.wait());
  while (limited.read_out(said)) {
  }
  CHECK(said == "524288\n");
}

TEST_CASE("[core] programs: becoming another one keeps the process") {
  const pid_t child = fork();
  if (child == 0) {
    try {
      become_program({{"sh", "-c", "test \"$STARTLE_TEST_NEW\" = x && test $$ = $1 && exit 7", "sh",
                       std::to_string(getpid())},
                      {{"STARTLE_TEST_NEW", "x"}}});
    } catch (const Error&) {
    }
    _exit(1);
  }
  int state = 0;
  REQUIRE(waitpid(child, &state, 0) == child);
  CHECK(WEXITSTATUS(state) == 7);
  CHECK_THROWS_WITH(become_program({{"no-such-program"}}), Catch::Contains("no-such-program"));
}
