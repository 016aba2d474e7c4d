/// \file  Results files that several runs write at once.
#include "agents/trials/results_store.hpp"

#include <sqlite3.h>

#include <array>
#include <barrier>
#include <fstream>
#include <string>
#include <thread>

#include "agents/trials/secret.hpp"
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

namespace {

TrialResult played_once(const std::string& unit, double novelty) {
  return {.agent = "mine",
          .unit = unit,
          .world = "novel",
          .levels = {{.level = unit,
                      .hash = 0x12,
                      .novel = true,
                      .birds = 2,
                      .shots = {{{.angle = 0.5}, novelty, ""}}}}};
}

/// As a run of a program does it.
void play_recorded(ResultsStore& store, const TrialResult& trial) {
  store.begin(key_of(trial));
  for (const PlayedLevel& level : trial.levels)
    for (const PlayedShot& shot : level.shots) store.report(key_of(trial), shot);
  store.add(trial);
}

ChainFindings found_in(const std::vector<std::filesystem::path>& files) {
  const AgentResults all = read_results(files, true);
  std::vector<const TrialResult*> trials;
  for (const TrialResult& trial : all.trials) trials.push_back(&trial);
  return check_chains(all.chains.at("mine"), chain_root("mine", all.agents.at("mine"), all.manifest), trials);
}

std::vector<std::string> chain_events(const std::filesystem::path& file) {
  std::vector<std::string> found;
  const auto chains = ResultsStore(file).chains();
  for (const Chain& chain : chains.at("mine"))
    for (const ChainLine& line : chain) found.push_back(line.event + " " + std::to_string(line.attempt));
  return found;
}

void execute_sql(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  CHECK(sqlite3_total_changes(database) > 0);
  sqlite3_close(database);
}

const Manifest run_of_test{{"made", "by a test"}};

}  // namespace

TEST_CASE("[agents] chain: every report is in the file before the agent goes on, in the order of trials") {
  const TestFolder folder;
  const std::filesystem::path file = folder.path / "results.sqlite";
  const TrialResult a = played_once("a", 0.25), b = played_once("b", 0.75);
  ResultsStore store(file, run_of_test);
  store.add_agent("mine", "mark 1");
  store.begin(key_of(b));
  CHECK(chain_events(file) == std::vector<std::string>{"begun 1"});
  store.report(key_of(b), b.levels[0].shots[0]);
  CHECK(chain_events(file) == std::vector<std::string>{"begun 1", "shot 1"});
  CHECK(ResultsStore(file).results().empty());
  play_recorded(store, a);  // another thread
  store.add(b);
  CHECK(chain_events(file) ==
        std::vector<std::string>{"begun 1", "shot 1", "begun 3", "shot 3", "ended 3", "ended 1"});
  store.add(b);  // there already
  CHECK(chain_events(file).size() == 6);
  const ChainFindings found = found_in({file});
  CHECK(found.faults.empty());
  CHECK(found.again == 0);
  CHECK(found.heads == std::vector{store.head("mine")});
  CHECK_THAT(store.head("mine"), Catch::StartsWith("6 "));
}

TEST_CASE("[agents] chain: a run that was killed and gone on with shows what was begun again") {
  const TestFolder folder;
  const std::filesystem::path file = folder.path / "results.sqlite";
  const TrialResult a = played_once("a", 0.25), b = played_once("b", 0.75);
  for (const double before : {0.25, 0.5}) {  // as afterwards; otherwise
    ResultsStore store(file, run_of_test);
    store.add_agent("mine", "mark 1");
    store.begin(key_of(a));
    store.report(key_of(a), {{.angle = 0.5}, before, ""});
  }
  ResultsStore store(file, run_of_test);
  store.begin(key_of(b));  // nothing was reported
  play_recorded(store, a);
  play_recorded(store, b);
  const ChainFindings found = found_in({file});
  CHECK(found.faults.empty());
  CHECK(found.again == 3);
  CHECK(found.otherwise == 1);
}

TEST_CASE("[agents] chain: a trial that is deleted and played again, or taken out, leaves a gap that shows") {
  const TestFolder folder;
  const std::filesystem::path honest = folder.path / "honest.sqlite", file = folder.path / "results.sqlite";
  const TrialResult a = played_once("a", 0.25), b = played_once("b", 0.75), lucky = played_once("a", 0.875);
  {
    ResultsStore store(honest, run_of_test);
    store.add_agent("mine", "mark 1");
    play_recorded(store, a);
    play_recorded(store, b);
  }
  const auto faults = [&](const std::string& sql, bool plays) {
    std::filesystem::copy_file(honest, file, std::filesystem::copy_options::overwrite_existing);
    execute_sql(file, sql);
    if (plays) {
      ResultsStore store(file, run_of_test);
      play_recorded(store, lucky);
    }
    const std::vector<std::string> found = found_in({file}).faults;
    return found.empty() ? "" : found.front();
  };
  CHECK(
      faults("DELETE FROM trials WHERE unit = 'a'", true) ==
      "trial 0 on a (novel): the chain has another end of it: it was changed, or taken out and played again");
  CHECK(faults("DELETE FROM trials WHERE unit = 'a'", false) ==
        "trial [\"a\",\"novel\",0] ended, says the chain, and is gone");
  CHECK(faults("DELETE FROM trials WHERE unit = 'a'; DELETE FROM chain WHERE attempt = 1", true) ==
        "chain, line 4: line 1 is missing before it");
  CHECK(faults("DELETE FROM trials WHERE unit = 'a'; DELETE FROM chain WHERE attempt = 1;"
               "UPDATE chain SET number = number - 3, attempt = attempt - 3",
               true) ==
        "chain, line 1: its hash is not that of the lines up to it: a line was changed or taken out");
  CHECK(
      faults("UPDATE trials SET levels = replace(levels, '0.25', '0.75') WHERE unit = 'a'", false) ==
      "trial 0 on a (novel): the chain has another end of it: it was changed, or taken out and played again");
  CHECK(faults("UPDATE trials SET status = 'crash' WHERE unit = 'a'", false) ==
        "trial 0 on a (novel): the chain does not have it as it is");
}

TEST_CASE(
    "[agents] a trial that failed before its first report gives way to one that is played, but in no merge") {
  const TestFolder folder;
  const std::filesystem::path file = folder.path / "results.sqlite", other = folder.path / "other.sqlite";
  const TrialResult played = played_once("a", 0.25);
  TrialResult failed = played;
  failed.levels[0].shots.clear();
  failed.status = Status::crash;
  failed.error = "exit code 1";
  ResultsStore store(file, run_of_test);
  store.add_agent("mine", "mark 1");
  play_recorded(store, failed);
  CHECK(store.finished().empty());
  CHECK(store.results() == std::vector{failed});
  {
    ResultsStore second(other, run_of_test);
    second.add_agent("mine", "mark 1");
    play_recorded(second, played);
  }
  CHECK_THROWS_WITH(merge_results({other}, file), Catch::Contains("another program is writing"));
  CHECK_THROWS_WITH(read_results({file, other}), Catch::Contains("trial 0 on a"));
  play_recorded(store, played);
  CHECK(store.results() == std::vector{played});
  CHECK(store.finished() == std::set{key_of(played)});
  const ChainFindings found = found_in({file});
  CHECK(found.faults.empty());
  CHECK(found.again == 1);
  CHECK(found.otherwise == 0);
  CHECK_THROWS_WITH(store.add(failed), Catch::Contains("with another result"));
}

TEST_CASE("[agents] chain: merged files keep their chains, each once, and go on") {
  const TestFolder folder;
  const std::filesystem::path one = folder.path / "one", two = folder.path / "two", all = folder.path / "all";
  const TrialResult a = played_once("a", 0.25), b = played_once("b", 0.75), c = played_once("c", 0.5);
  const auto begin = [&](const std::filesystem::path& file) {
    ResultsStore store(file, run_of_test);
    store.add_agent("mine", "mark 1");
    return store;
  };
  ResultsStore first = begin(one), second = begin(two);
  play_recorded(first, a);
  play_recorded(second, b);
  CHECK(merge_results({one, two}, all) == 2);
  const auto chains = ResultsStore(all).chains();
  CHECK(chains.at("mine").size() == 2);
  CHECK(merge_results({two, one}, all) == 2);  // nothing new
  CHECK(ResultsStore(all).chains() == chains);
  play_recorded(second, c);
  CHECK(merge_results({one, two}, all) == 3);
  CHECK(ResultsStore(all).chains().at("mine").size() == 2);
  CHECK(found_in({all}).faults.empty());
  CHECK(found_in({all}).again == 0);
  CHECK(found_in({all, one, two}).again == 0);
  CHECK(found_in({two, one}).heads == found_in({one, two}).heads);
  ResultsStore store(all, run_of_test);
  play_recorded(store, played_once("d", 0.5));
  CHECK(found_in({all}).faults.empty());
  // Played by both, with the same result.
  play_recorded(first, b);
  CHECK(found_in({one, two}).faults.empty());
  CHECK(found_in({one, two}).again == 1);
  CHECK(found_in({one, two}).otherwise == 0);
}

TEST_CASE("[agents] a results file whose levels have a key twice, or one more, is refused") {
  const TestFolder folder;
  const std::filesystem::path file = folder.path / "results.sqlite";
  ResultsStore(file, run_of_test).add(played_once("a", 0.25));
  for (const auto& [from, to] :
       {std::pair("\"novelty\":0.25", "\"novelty\":0.75,\"novelty\":0.25"),
        std::pair("\"birds\":2", "\"birds\":2,\"extra\":1"), std::pair("\"birds\":2", "\"birds\": 2"),
        std::pair("\"novelty\":0.25", "\"novelty\":0.250")}) {
    const std::filesystem::path changed = folder.path / "changed.sqlite";
    std::filesystem::copy_file(file, changed, std::filesystem::copy_options::overwrite_existing);
    execute_sql(changed,
                std::string("UPDATE trials SET levels = replace(levels, '") + from + "', '" + to + "')");
    CHECK_THROWS_WITH(ResultsStore(changed).results(),
                      Catch::Contains("changed.sqlite: table trials, column levels: trial 0 on a (novel): "
                                      "found other keys, numbers or blanks than Startle writes"));
  }
}
