/// \file  Results files that several runs write at once.
#include "agents/results_store.hpp"

#include <sqlite3.h>

#include <array>
#include <barrier>
#include <string>
#include <thread>

#include "core/error.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// Two runs that begin at the same moment in one fresh file, each with its agent's fingerprint. Returns what
/// each was refused with.
std::array<std::string, 2> begin_together(const std::filesystem::path& file,
                                          const std::array<std::string, 2>& fingerprints) {
  std::array<std::string, 2> refused;
  std::barrier both(2);
  const auto begin = [&](std::size_t i) {
    both.arrive_and_wait();
    try {
      ResultsStore store(file, {{"made", "by a test"}});
      both.arrive_and_wait();
      store.add_agent("shooter", fingerprints[i]);
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

TEST_CASE("[agents] two runs into one fresh results file agree on its agents, or one is refused by name") {
  const TestFolder folder;
  for (int round = 0; round < 40; ++round) {
    const std::filesystem::path same = folder.path / ("same-" + std::to_string(round));
    CHECK(begin_together(same, {"mark 1", "mark 1"}) == std::array<std::string, 2>{});
    CHECK(ResultsStore(same).agents() == std::map<std::string, std::string>{{"shooter", "mark 1"}});

    const std::filesystem::path differ = folder.path / ("differ-" + std::to_string(round));
    const std::array<std::string, 2> fingerprints{"mark 1", "mark 2"};
    const std::array<std::string, 2> refused = begin_together(differ, fingerprints);
    const std::size_t first = refused[0].empty() ? 0 : 1;
    CHECK(refused[first].empty());
    CHECK_THAT(refused[1 - first],
               Catch::Contains("another agent") && Catch::Contains('"' + fingerprints[first] + "\" there"));
    CHECK(ResultsStore(differ).agents().at("shooter") == fingerprints[first]);
  }
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
