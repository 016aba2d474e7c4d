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
  // Built-in agents play again, so that the host has run them; without the levels nothing is known.
  CHECK(entrant.run("agents leaderboard entry --out board.csv" + of_levels) == 0);
  CHECK_THAT(bytes_of(entrant / "board.csv"), Catch::Contains("\nrun by the host,1,mine,medium,4,80,0,0,0,"));
  CHECK(entrant.run("agents leaderboard entry --out unverified.csv") == 0);
  CHECK_THAT(bytes_of(entrant / "unverified.csv"),
             Catch::Contains("\nreported by the author,1,mine,medium,4,80,"));
  CHECK(entrant.run("agents leaderboard --run-by-host entry --out host.csv") == 0);
  CHECK_THAT(bytes_of(entrant / "host.csv"), Catch::Contains("\nrun by the host,1,mine,medium,4,80,"));

  // Reports that the built-in agent did not make.
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open((entrant / "run-2").c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database,
                       "UPDATE trials SET levels = json_set(levels, '$[0].shots[0].novelty', 0.5) "
                       "WHERE world = 'novel' AND unit = (SELECT min(unit) FROM trials)",
                       nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  CHECK(entrant.run(pack + "forged") == 2);
  CHECK_THAT(entrant.errors(), Catch::Contains("the chain has another end of it"));
  CHECK(entrant.run("agents verify run-2" + of_levels) == 3);
  CHECK_THAT(entrant.said(), Catch::Contains("reports otherwise") && Catch::Contains(" disagree"));
}

TEST_CASE("[app] agents leaderboard: a bad entry takes a line, not the page") {
  const Entrant entrant;
  entrant.play();
  REQUIRE(entrant.run(pack + "entry") == 0);
  const std::string whole = bytes_of(entrant / "entry");
  std::ofstream(entrant / "cut", std::ios::binary) << whole.substr(0, whole.size() / 2);
  std::ofstream(entrant / "text") << "no entry";
  const std::string page = "agents leaderboard cut text run-1 entry missing entry --out board.md" + of_levels;
  CHECK(entrant.run(page) == 3);
  const std::string board = bytes_of(entrant / "board.md");
  CHECK_THAT(board, Catch::Contains("## Run by the host") && Catch::Contains("| 1 | mine |"));
  for (const char* line : {"| cut | cut: ", "| text | text: ", "| run-1 | run-1: is no entry",
                           "| missing | missing: ", "| entry | its name, mine, is that of entry |"})
    CHECK_THAT(board, Catch::Contains(line));
  CHECK_THAT(entrant.errors(),
             Catch::Contains("not in the tables: run-1: is no entry") &&
                 Catch::Contains("not in the tables: entry: its name, mine, is that of entry"));
  CHECK(entrant.run("agents leaderboard entry --out other.md --levels '" STARTLE_TEST_FOLDER
                    "/../../levels/benchmark/T2/medium' --limit 9") == 2);  // no entry is of these
  CHECK_THAT(entrant.errors(), Catch::Contains("no entry can stand on the leaderboard") &&
                                   Catch::Contains("entry: results of other levels"));
  CHECK_FALSE(std::filesystem::exists(entrant / "other.md"));
}

TEST_CASE("[app] agents: of a program shots are replayed, the mark says so, and failures cost the rank") {
  const Entrant entrant;
  entrant.play();
  const std::string shoots = "*'\"type\":\"act\"'*) echo '{\"type\":\"shot\",\"angle\":0.5}';;\n",
                    reports = "*'\"type\":\"report\"'*) echo '{\"type\":\"report\",\"novelty\":0.25}';;\n";
  const auto play = [&](const std::string& name, const std::string& cases) {
    std::ofstream(entrant / (name + ".sh"))
        << "while read -r line; do case \"$line\" in\n" + cases + "esac; done\n";
    std::string files;
    for (int i = 1; i <= 4; ++i) {
      const std::string file = name + "-" + std::to_string(i);
      REQUIRE(entrant.run("agents run --agent '" + name + "=sh " + name +
                          ".sh' --secret 0000000000000000000000000000000" + std::to_string(i) + " --out " +
                          file + of_levels) == 0);
      CHECK_THAT(entrant.errors(), Catch::Contains("head of the chain of " + name + ": "));
      files += " " + file;
    }
    std::string described = bytes_of(entrant / "agent.json");
    described.replace(described.find("mine"), 4, name);
    std::ofstream(entrant / (name + ".json")) << described;
    REQUIRE(entrant.run("agents pack" + files + " --description " + name + ".json --out " + name) == 0);
    CHECK_THAT(entrant.errors(),
               Catch::Contains("head of the chain of secret 00000000000000000000000000000004: "));
  };
  play("theirs", shoots + reports);
  play("fails", "*'\"type\":\"act\"'*) exit 3;;\n");
  CHECK(entrant.run("agents verify theirs" + of_levels) == 0);
  CHECK_THAT(entrant.said(), Catch::Contains("what they reported is the word of whoever ran them"));
  REQUIRE(entrant.run("agents leaderboard theirs fails --out board.csv" + of_levels) == 0);
  const std::string board = bytes_of(entrant / "board.csv");
  CHECK_THAT(board, Catch::Contains("\nshots replayed,1,theirs,all,4,80,0,0,0,"));
  CHECK_THAT(board, Catch::Contains("\nshots replayed,,fails,all,4,80,80,0,0,"));
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
  refused("agents leaderboard --out board.md", "ENTRIES: found none");
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
