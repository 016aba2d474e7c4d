/// \file  Results files that several runs write at once.
#include "agents/results_store.hpp"

#include <sqlite3.h>

#include <array>
#include <barrier>
#include <fstream>
#include <string>
#include <thread>

#include "agents/secret.hpp"
#include "core/error.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// Two runs that begin at the same moment in one fresh file, each with a secret of its own. Returns what each
/// was refused with.
std::array<std::string, 2> begin_together(const std::filesystem::path& file) {
  std::array<std::string, 2> refused;
  std::barrier both(2);
  const auto begin = [&](std::size_t i) {
    both.arrive_and_wait();
    try {
      ResultsStore store(file, {{"secret", std::to_string(i)}});
      both.arrive_and_wait();
      store.add_agent("shooter", "mark");
    } catch (const std::exception& error) {
      refused[i] = error.what();
      both.arrive_and_drop();
    }
  };
  std::thread other(begin, 1);
  begin(0);
  other.join();
  return refused;
}

}  // namespace

TEST_CASE("[agents] of two runs that begin in one fresh file one goes on, and the other is told why") {
  const TestFolder folder;
  for (int round = 0; round < 2; ++round) {
    const std::filesystem::path file = folder.path / ("results-" + std::to_string(round));
    const std::array<std::string, 2> refused = begin_together(file);
    const std::size_t first = refused[0].empty() ? 0 : 1;
    CHECK(refused[first].empty());
    CHECK_THAT(refused[1 - first], Catch::Contains(file.string() + ": another program is writing to it") &&
                                       Catch::Contains("write to another file"));
    CHECK(ResultsStore(file).manifest().at("secret") == std::to_string(first));
    CHECK(ResultsStore(file).agents() == std::map<std::string, std::string>{{"shooter", "mark"}});
    CHECK_THROWS_WITH(ResultsStore(file, {{"secret", "2"}}),
                      Catch::Contains("secret is ") && Catch::Contains("without --secret the same command"));
  }
}

TEST_CASE("[agents] a run goes on with the secret of a file that holds one, and with none of an empty one") {
  const TestFolder folder;
  const std::filesystem::path file = folder.path / "results.sqlite";
  CHECK_FALSE(known_secret("", {file}));
  std::ofstream(file).close();
  CHECK_FALSE(known_secret("", {file}));
  const RunSecret secret = RunSecret::fresh();
  { ResultsStore(file, {{"secret", secret.text()}}); }
  CHECK(known_secret("", {file}) == secret);
}

TEST_CASE("[agents] a results file whose hash of a level has other digits than it should is refused") {
  const TestFolder folder;
  const std::filesystem::path file = folder.path / "results.sqlite";
  const TrialResult trial{
      .agent = "shooter", .unit = "small", .world = "normal", .levels = {{.level = "small", .hash = 0x12}}};
  ResultsStore(file, {{"made", "by a test"}}).add(trial);
  REQUIRE(ResultsStore(file).results() == std::vector{trial});
  for (const char* damaged : {"00000000000012zz", "12", "12zz", "0x00000000000012", "-000000000000012", ""}) {
    INFO(damaged);
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
    const std::string sql = std::string("UPDATE trials SET levels = json_set(levels, '$[0].hash', '") +
                            damaged + "')";
    CHECK(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(database);
    CHECK_THROWS_WITH(ResultsStore(file).results(),
                      Catch::Contains("found hash") && Catch::Contains("results.sqlite"));
  }
}
