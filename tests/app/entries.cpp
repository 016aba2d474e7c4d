/// \file  startle agents pack, verify and leaderboard as a user runs them: exit codes, and what is left when
/// the disk is full.
#include <sqlite3.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/folder.hpp"

namespace {

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::string of_levels = " --levels '" STARTLE_TEST_FOLDER
                              "/../../levels/benchmark/T2/medium' --limit 10";

/// Startle in a folder of its own, with files named from there.
struct Entrant : startle::testing::Folder {
  int run(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd '" + path.string() + "' && " + before + " '" STARTLE_PROGRAM "' " +
                                arguments + " >said 2>errors";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  }
  std::string said() const { return bytes_of(path / "said"); }
  std::string errors() const { return bytes_of(path / "errors"); }

  /// Results of four runs, run-1 to run-4, and a description.
  void play() const {
    for (int i = 1; i <= 4; ++i)
      REQUIRE(run("agents run --agent random+chance --secret 0000000000000000000000000000000" +
                  std::to_string(i) + " --out run-" + std::to_string(i) + of_levels) == 0);
    std::ofstream(path / "agent.json")
        << "{\"name\": \"mine\", \"author\": \"A. Author\", \"agent\": \"a test\", \"training\": \"none\",\n"
           "\"simulates_normal_world\": false, \"given_novelties\": false, \"trials_isolated\": true,\n"
           "\"looks\": 1, \"program_fixed\": \"2026-11-01\", \"played\": \"2026-11-02\"}\n";
  }
};

const std::string runs = "agents pack run-1 run-2 run-3 run-4 ",
                  pack = runs + "--description agent.json --out ";

}  // namespace

TEST_CASE("[app] agents pack: an entry is verified and stands on a leaderboard") {
  const Entrant entrant;
  entrant.play();
  REQUIRE(entrant.run(pack + "entry") == 0);
  CHECK_THAT(entrant.errors(), Catch::Contains("entry: entry mine, 4 secrets, 80 trials, hash "));
  CHECK(entrant.run("agents verify entry" + of_levels) == 0);
  CHECK_THAT(entrant.said(),
             Catch::Contains("80 trials by built-in agents that played again: all as recorded"));
  CHECK_THAT(entrant.said(), Catch::Contains("entry mine, 4 secrets, trials isolated\nhash "));
  CHECK_THAT(entrant.said(), Catch::Contains("\nmedium "));
  CHECK(entrant.run("agents leaderboard entry --out board.csv" + of_levels) == 0);
  CHECK_THAT(bytes_of(entrant / "board.csv"), Catch::Contains("\n1,mine,medium,4,80,0,"));
  CHECK_THAT(bytes_of(entrant / "board.csv"), Catch::Contains(",yes,no,no,no,1,0,startle "));
  CHECK(entrant.run("agents leaderboard entry --out unverified.csv") == 0);
  CHECK_THAT(bytes_of(entrant / "unverified.csv"), Catch::Contains(",yes,no,no,no,1,,startle "));

  // Reports that the built-in agent did not make, changed before packing: the hash agrees, its play does not.
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open((entrant / "run-2").c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database,
                       "UPDATE trials SET levels = replace(levels, '\"novelty\":0.', '\"novelty\":0.0') "
                       "WHERE world = 'novel'",
                       nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  REQUIRE(entrant.run(pack + "forged") == 0);
  CHECK(entrant.run("agents verify forged" + of_levels) == 3);
  CHECK_THAT(entrant.said(), Catch::StartsWith("secret 00000000000000000000000000000002: random+chance, "));
  CHECK_THAT(entrant.said(), Catch::Contains("10 disagree"));
  CHECK_THAT(entrant.said(), !Catch::Contains("\nmedium "));  // no scores of what does not agree
  CHECK(entrant.run("agents leaderboard forged --out forged.csv" + of_levels) == 3);
  CHECK_THAT(entrant.errors(), Catch::Contains("forged: 10 disagree"));
  CHECK_THAT(bytes_of(entrant / "forged.csv"), Catch::Contains(",yes,no,no,no,1,10,startle "));
}

TEST_CASE(
    "[app] agents pack: what cannot be packed or shown is refused with exit code 2, and nothing is left") {
  const Entrant entrant;
  entrant.play();
  const auto refused = [&](const std::string& arguments, const std::string& words) {
    INFO(arguments);
    CHECK(entrant.run(arguments) == 2);
    CHECK_THAT(entrant.errors(), Catch::Contains(words));
  };
  refused("agents pack run-1 run-2 run-3 --description agent.json --out entry", "found runs of 3 secrets");
  refused(pack + "run-1", "--out run-1: is the same file as RESULTS run-1");
  refused(pack + "missing/entry", "missing/entry");
  refused(runs + "--description '{}' --out entry", "--description: line 1");
  refused(runs + "--description none.json --out entry", "none.json");
  CHECK_FALSE(std::filesystem::exists(entrant / "entry"));
  REQUIRE(entrant.run(pack + "entry") == 0);
  refused("agents verify entry run-1" + of_levels, "run-1: found a file beside the entry entry");
  refused("agents leaderboard run-1 --out board.md", "run-1: is no entry");
  refused("agents leaderboard entry entry --out board.md", "two entries have this name");
  CHECK_FALSE(std::filesystem::exists(entrant / "board.md"));

  const std::string before = bytes_of(entrant / "entry");
  const std::size_t files = entrant.entries();
  REQUIRE(before.size() > 40 * 1024);
  for (const std::string out : {"entry", "other"}) {  // 80 blocks of 512 bytes for any one file
    CHECK(entrant.run(pack + out, "ulimit -f 80;") == 2);
    CHECK_THAT(entrant.errors(), Catch::Contains(out + ": cannot be written"));
  }
  CHECK(bytes_of(entrant / "entry") == before);
  CHECK(entrant.entries() == files);
}
