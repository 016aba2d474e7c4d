/// \file  startle agents serve as a user runs it.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/folder.hpp"
#include "tests/skip.hpp"

namespace {

namespace fs = std::filesystem;

const std::string levels = std::string(STARTLE_TEST_FOLDER) + "/../../levels/benchmark/T2/easy";

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Exit code; what it says on standard output and error stands in the file.
int serve(const std::string& before, const std::string& arguments, const fs::path& said) {
  const int status = std::system((before + " '" STARTLE_PROGRAM "' agents serve --levels '" + levels + "' " +
                                  arguments + " >'" + said.string() + "' 2>&1")
                                     .c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace

TEST_CASE(
    "[app] agents serve: says where it listens, ends with 130 on Ctrl-C, and refuses what it cannot do") {
  const startle::testing::Folder folder;
  const fs::path said = folder / "said", out = folder / "results.sqlite";
  // Ctrl-C as soon as the address is there.
  const std::string until_it_listens = "(while ! grep -q 127.0.0.1: '" + said.string() +
                                       "' 2>/dev/null; do sleep 0.1; done; sleep 0.2; kill -INT $(cat '" +
                                       (folder / "pid").string() +
                                       "')) & sh -c 'echo $$ >\"$0\"; exec \"$@\"' '" +
                                       (folder / "pid").string() + "'";
  CHECK(serve(until_it_listens, "--port 0 --out '" + out.string() + "' --name nobody", said) == 130);
  CHECK_THAT(contents(said), Catch::Contains("127.0.0.1:"));
  CHECK(fs::exists(out));
  CHECK(serve("", "--port 0 --name nobody", said) == 2);
  CHECK_THAT(contents(said), Catch::Contains("--out"));
  CHECK(serve("", "--port 0 --host nowhere", said) == 2);
  CHECK_THAT(contents(said), Catch::Contains("nowhere"));
  CHECK(serve("", "--port 70000", said) == 2);
  CHECK(serve("", "--port 0 --spectator-port -1", said) == 2);
  CHECK(serve("", "--port 0 --screen 800x600", said) == 2);
  CHECK_THAT(contents(said), Catch::Contains("800x600") && Catch::Contains("840x480"));
  CHECK(serve("", "--port 0 --record-free", said) == 2);
  CHECK_THAT(contents(said), Catch::Contains("--record-free: needs --out"));
  CHECK(serve("", "--port 0 --one-set", said) == 2);
  CHECK_THAT(contents(said), Catch::Contains("--one-set"));
  CHECK(serve("", "--port 0 --out '" + (folder / "none").string() + "' --record-free --one-set", said) == 2);
  CHECK(!fs::exists(folder / "none"));
  CHECK(serve("", "--port 0 --dev --out '" + out.string() + "' --name nobody", said) == 2);  // not what that
                                                                                             // agent was
  CHECK_THAT(contents(said), Catch::Contains("nobody"));
}

TEST_CASE("[app] agents serve: recorded free play is reported on as what it is, and replayed") {
  if (std::system("command -v python3 >/dev/null") != 0) {
    TEST_IS_SKIPPED("python3 is not installed");
    return;
  }
  const startle::testing::Folder folder;
  const fs::path said = folder / "said", out = folder / "results.sqlite", pid = folder / "pid";
  const std::string agent =
      (fs::path(STARTLE_TEST_FOLDER) / "../../agents/examples/aibirds_pig_shooter.py").string();
  const std::string then_plays = "(while ! grep -q 127.0.0.1: '" + said.string() +
                                 "' 2>/dev/null; do sleep 0.1; done; python3 -B '" + agent +
                                 "' $(sed -n 's/^127.0.0.1://p' '" + said.string() + "') >'" +
                                 (folder / "agent").string() + "' 2>&1; kill -INT $(cat '" + pid.string() +
                                 "')) & sh -c 'echo $$ >\"$0\"; exec \"$@\"' '" + pid.string() + "'";
  CHECK(serve(then_plays, "--port 0 --dev --record-free --out '" + out.string() + "'", said) == 130);
  INFO(contents(said) << contents(folder / "agent"));
  const auto startle = [&](const std::string& arguments) {
    return std::system(("'" STARTLE_PROGRAM "' " + arguments + " 2>'" + said.string() + "'").c_str());
  };
  REQUIRE(startle("agents report '" + out.string() + "' --out '" + (folder / "r.md").string() + "'") == 0);
  const std::string page = contents(folder / "r.md");
  CHECK_THAT(page, Catch::Contains("## Free play of normal levels") && Catch::Contains("Leaderboard: play") &&
                       Catch::Contains("| levels | attempts |"));
  for (const char* none : {"detecting novelty", "By novelty", "Agents against each other", "published",
                           "solved, novel", "false positives"})
    CHECK(page.find(none) == std::string::npos);
  CHECK(startle("agents report '" + out.string() + "' --out '" + (folder / "r.html").string() + "'") == 0);
  CHECK(startle("agents report '" + out.string() + "' --out '" + (folder / "r.csv").string() +
                "' --by-trial") == 0);
  const std::string trials = contents(folder / "r.csv"),
                    row = trials.substr(trials.find('\n') + 1);  // protocol, agent, novelty, tier, unit, ...
  std::istringstream cells(row);
  std::string cell, level;
  for (int i = 0; i < 5 && std::getline(cells, cell, ','); ++i) level = cell;
  const std::string replay = "agents replay '" + out.string() + "' --levels '" + levels +
                             "' --name team-1 --level " + level + " --size 160x90 --out '" +
                             (folder / "r.png").string() + "'";
  CHECK(startle(replay + " --world normal") == 0);
  CHECK(fs::exists(folder / "r.png"));
  CHECK(startle(replay + " --world novel") != 0);
  CHECK_THAT(contents(said), Catch::Contains("did not play " + level + " in the novel world"));
}
