/// \file  Batches of trials: resumable, mergeable, independent of threads; and the file they go to.
#include "agents/trials/runner.hpp"

#include <sqlite3.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "agents/built_in.hpp"
#include "agents/detectors.hpp"
#include "agents/shooters.hpp"
#include "agents/trials/scores.hpp"
#include "agents/trials/trial_table.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/random.hpp"
#include "difficulty/played_level.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

const std::vector<PlayableLevel>& levels() {
  static const std::vector<PlayableLevel> all = playable({benchmark_levels("T1/easy", 1)[0],
                                                          benchmark_levels("T2/hard", 1)[0],
                                                          small_level("small"), small_level("other", "T3")});
  return all;
}

RunOptions options(std::vector<std::string> agents = {"random+chance", "pig-shooter+simulation"}) {
  return {.agents = std::move(agents), .program = "test", .plan = {.trials = 2}, .threads = 2};
}

std::vector<TrialResult> results_of(const std::filesystem::path& file) {
  return ResultsStore(file).results();
}

std::vector<TrialResult> run(const std::filesystem::path& file, const RunOptions& how) {
  REQUIRE(run_agents(levels(), profile(), how, file).complete);
  return results_of(file);
}

/// A program for sh that shoots and reports 0; `then`: what it does after a report.
std::string shooting(const std::string& then) {
  return "while read -r line; do case \"$line\" in\n*'\"type\":\"act\"'*) echo "
         "'{\"type\":\"shot\",\"angle\":0.5}';;\n*'\"type\":\"report\"'*) echo "
         "'{\"type\":\"report\",\"novelty\":0}'; " +
         then + ";;\nesac; done\n";
}

void execute(const std::filesystem::path& file, const char* sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

}  // namespace

TEST_CASE("[agents] equal runs give equal tables, on any number of threads") {
  const TestFolder folder;
  RunOptions one = options(), four = options();
  one.threads = 1;
  four.threads = 4;
  const auto a = run(folder.path / "a.sqlite", one), b = run(folder.path / "b.sqlite", four);
  CHECK(a.size() == 2 * 4 * 2 * 2);
  CHECK(a == b);
  RunOptions other = options();
  other.plan.secret = RunSecret{{2}};
  CHECK(run(folder.path / "c.sqlite", other) != a);
}

TEST_CASE("[agents] trials that others take from the queue go into the same table, each once") {
  const TestFolder folder;
  const auto alone = run(folder.path / "alone.sqlite", options());
  const RunTrials trials(levels(), options());
  std::atomic<bool> took = false;
  const auto theirs_first = [&] {
    for (int i = 0; i < 60000 && !took; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return true;
  };
  const auto take_all = [&](TrialQueue& queue) {
    ReadyPrograms programs;
    while (const auto trial = queue.next()) {
      took = true;
      queue.add(trial_from_text(trial_text(trials.run(*trial, programs)), "x"));
    }
  };
  const auto summary = run_agents(levels(), profile(), options(), folder.path / "shared.sqlite",
                                  {.keep_going = theirs_first, .other_players = take_all});
  CHECK(summary.complete);
  CHECK(took);
  CHECK(results_of(folder.path / "shared.sqlite") == alone);
}

TEST_CASE(
    "[agents] a trial that others took and never brought back leaves the run incomplete, to be gone on "
    "with") {
  const TestFolder folder;
  const auto file = folder.path / "r.sqlite";
  const auto summary = run_agents(levels(), profile(), options(), file,
                                  {.other_players = [](TrialQueue& queue) { queue.next(); }});
  CHECK_FALSE(summary.complete);
  CHECK(results_of(file).size() == summary.planned - 1);
  CHECK_THROWS_WITH(run_agents(levels(), profile(), options({"pig-shooter"}), file,
                               {.other_players = [](TrialQueue&) { throw Error("the line is cut"); }}),
                    "the line is cut");
  run(file, options());
  CHECK(run_agents(levels(), profile(), options(), file).found == summary.planned);
}

TEST_CASE("[agents] a run that is stopped again and again ends with the same table") {
  const TestFolder folder;
  const auto whole = run(folder.path / "whole.sqlite", options());
  int stops = 0;
  for (;; ++stops) {
    std::atomic<int> allowed{3};
    const auto allow = [&] { return allowed-- > 0; };
    if (run_agents(levels(), profile(), options(), folder.path / "parts.sqlite", {.keep_going = allow})
            .complete)
      break;
    REQUIRE(stops < 50);
  }
  CHECK(stops >= 5);
  CHECK(results_of(folder.path / "parts.sqlite") == whole);
}

TEST_CASE("[agents] shards put together are the whole, and a shard of another run is refused") {
  const TestFolder folder;
  const auto whole = run(folder.path / "whole.sqlite", options());
  std::vector<std::filesystem::path> parts;
  for (int i = 1; i <= 3; ++i) {
    RunOptions part = options();
    part.shard = i;
    part.shards = 3;
    parts.push_back(folder.path / ("part" + std::to_string(i)));
    CHECK(run(parts.back(), part).size() < whole.size());
  }
  CHECK(merge_results(parts, folder.path / "merged.sqlite") == whole.size());
  CHECK(results_of(folder.path / "merged.sqlite") == whole);
  CHECK(merge_results(parts, folder.path / "merged.sqlite") == whole.size());  // again: nothing changes

  RunOptions other = options();
  other.plan.secret = RunSecret{{9}};
  run(folder.path / "other", other);
  CHECK_THROWS_WITH(merge_results({parts[0], folder.path / "other"}, folder.path / "mixed"),
                    Catch::Contains("secret"));
  CHECK_FALSE(std::filesystem::exists(folder.path / "mixed"));  // nothing half written
  CHECK_THROWS_WITH(merge_results({parts[0], folder.path / "missing"}, folder.path / "mixed2"),
                    Catch::Contains("missing"));
  // A row that says something else about the same trial.
  execute(parts[1], "UPDATE trials SET status = 'crash'");
  CHECK_THROWS_WITH(merge_results(parts, folder.path / "merged.sqlite"), Catch::Contains("another result"));
  CHECK(results_of(folder.path / "merged.sqlite") == whole);
  // The rows that a merge could have added before it met the one that differs are not there, nor is the
  // agent.
  const auto part = folder.path / "of-others";
  RunOptions others = options({"always", "pig-shooter+simulation"});
  run(part, others);
  execute(part, "UPDATE trials SET status = 'crash' WHERE agent = 'pig-shooter+simulation'");
  CHECK_THROWS_WITH(merge_results({part}, folder.path / "merged.sqlite"), Catch::Contains("another result"));
  CHECK(results_of(folder.path / "merged.sqlite") == whole);
  CHECK_FALSE(ResultsStore(folder.path / "merged.sqlite").agents().contains("always"));
}

TEST_CASE("[agents] results of another run, version or program are not mixed with") {
  const TestFolder folder;
  const auto file = folder.path / "a.sqlite";
  const auto before = run(file, options());
  const auto refused = [&](const RunOptions& how, const std::string& words,
                           const std::vector<PlayableLevel>& played = levels()) {
    CHECK_THROWS_WITH(run_agents(played, profile(), how, file), Catch::Contains(words));
    CHECK(results_of(file) == before);
  };
  RunOptions how = options();
  how.plan.secret = RunSecret{{2}};
  refused(how, "secret");
  how = options();
  how.program = "another";
  refused(how, "program");
  how = options();
  how.plan.protocol = Protocol::shift;
  refused(how, "holds results of another run");
  refused(options(), "levels", {levels()[0]});

  // Limits belong to the agent: the same agent with other limits is refused, another agent may have its own.
  const auto limited = folder.path / "limited.sqlite";
  const std::string quits = "x=sh " + folder.file("one", shooting("exit 1"));
  how = options({quits});
  how.trial.retries = 0;
  CHECK(run(limited, how).size() == 16);
  how.trial.retries = 2;
  CHECK_THROWS_WITH(run_agents(levels(), profile(), how, limited), Catch::Contains("another agent \"x\""));
  how.agents = {"random", "y=" + quits.substr(2)};
  CHECK(run(limited, how).size() == 48);

  // The same name for another program.
  const std::string agent = folder.file("agent", shooting("exit 1"));
  const auto other = folder.path / "b.sqlite";
  RunOptions mine = options({"mine=sh " + agent});
  CHECK(run(other, mine).size() == 16);
  folder.file("agent", shooting("exit 2"));
  CHECK_THROWS_WITH(run_agents(levels(), profile(), mine, other), Catch::Contains("another agent"));
  folder.file("agent", shooting("exit 1"));
  CHECK(run(other, mine).size() == 16);
  CHECK(run(other, options({"mine=sh " + agent, "random"})).size() == 32);  // a new agent may join
}

TEST_CASE("[agents] files that are no results, or of another version, are left alone") {
  const TestFolder folder;
  const std::string text = folder.file("text", std::string(5000, 'x'));
  CHECK_THROWS_WITH(run_agents(levels(), profile(), options(), text), Catch::Contains("not a database"));
  CHECK(std::filesystem::file_size(text) == 5000);
  execute(folder.path / "foreign", "CREATE TABLE t (x)");
  CHECK_THROWS_WITH(run_agents(levels(), profile(), options(), folder.path / "foreign"),
                    Catch::Contains("no results file"));
  run(folder.path / "old", options({"random"}));
  execute(folder.path / "old", "PRAGMA user_version = 99");
  CHECK_THROWS_WITH(run_agents(levels(), profile(), options(), folder.path / "old"),
                    Catch::Contains("version 99"));
  CHECK_THROWS_WITH(ResultsStore(folder.path / "old"), Catch::Contains("version 99"));
  CHECK_THROWS_WITH(ResultsStore(folder.path / "none"), Catch::Contains("does not exist"));
  CHECK_THROWS_WITH(run_agents(levels(), profile(), options(), folder.path / "no" / "folder"),
                    Catch::Contains("cannot be made"));
}

TEST_CASE("[agents] a bad agent stops neither the run nor the others") {
  const TestFolder folder;
  const auto results = run(folder.path / "a", options({"bad=sh " + folder.file("bad", "exit 1"), "random"}));
  CHECK(results.size() == 32);
  for (const TrialResult& r : results) CHECK((r.status == Status::ok) == (r.agent == "random"));
}

TEST_CASE("[agents] an agent that fails in the middle of a row is scored on all of its levels") {
  const TestFolder folder;
  // Never answers in the third level.
  const std::string agent = folder.file(
      "agent",
      "while read -r line; do case \"$line\" in\n*'\"type\":\"act\",\"observation\":{\"level\":3'*) exit "
      "1;;\n"
      "*'\"type\":\"act\"'*) echo '{\"type\":\"shot\",\"angle\":0.5}';;\n*'\"type\":\"report\"'*) echo "
      "'{\"type\":\"report\",\"novelty\":0}';;\n"
      "esac; done\n");
  RunOptions how = options({"fails=sh " + agent});
  how.plan = {.protocol = Protocol::shift, .trials = 2, .most_before = 2, .after = 3};
  how.trial = {.limits = {.action_s = 300, .trial_s = 900}, .retries = 0};
  const auto results = run(folder.path / "a", how);
  REQUIRE(results.size() == 8);
  std::size_t normal = 0, novel = 0;
  for (const TrialResult& r : results) {
    INFO(r.error);
    CHECK(r.status == Status::crash);
    REQUIRE(r.levels.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
      const PlayedLevel& level = r.levels[i];
      CHECK((level.shots.empty() == (i >= 2) && level.novel == (static_cast<int>(i) >= r.shift) &&
             level.birds > 0 && !level.level.empty()));
      if (i >= 2) CHECK((!level.solved && level.score == 0));
      (level.novel ? novel : normal) += 1;
    }
  }
  const AgentScore score = agent_scores(results, ScoreBy::agent).at(0);
  CHECK((score.solved_normal.count == normal && score.solved_novel.count == novel && score.failed == 8));
}

TEST_CASE("[agents] the same command plays trials again that failed before a report, and those alone") {
  const TestFolder folder;
  const std::filesystem::path file = folder.path / "results.sqlite", flag = folder.path / "works";
  const std::string agent = folder.file(
      "agent",
      "cd '" + folder.path.string() + "'; [ -e works ] || exit 1\n" + shooting("[ -e once ] || exit 1"));
  RunOptions how = options({"mine=sh " + agent});
  how.plan.trials = 1;
  how.trial = {.limits = {.action_s = 300, .trial_s = 900}, .retries = 0};
  const auto faults = [&] {
    const AgentResults all = read_results({file}, true);
    std::vector<const TrialResult*> trials;
    for (const TrialResult& trial : all.trials) trials.push_back(&trial);
    return check_chains(all.chains.at("mine"), chain_root("mine", all.agents.at("mine"), all.manifest),
                        trials)
        .faults;
  };
  for (const TrialResult& r : run(file, how)) CHECK(failed_before_report(r));
  CHECK(run_agents(levels(), profile(), how, file).found == 0);  // and fails once more
  CHECK(faults() == std::vector<std::string>{});
  // What the agent needs is there, but it gives up after its first report.
  std::ofstream(flag) << "yes";
  for (const TrialResult& r : run(file, how)) {
    CHECK(r.status == Status::crash);
    CHECK_FALSE(failed_before_report(r));
  }
  CHECK(faults() == std::vector<std::string>{});
  // Now it would work, but it has reported.
  std::ofstream(folder.path / "once") << "yes";
  const std::vector<TrialResult> before = results_of(file);
  const RunSummary again = run_agents(levels(), profile(), how, file);
  CHECK(again.found == again.planned);
  CHECK(results_of(file) == before);
}

TEST_CASE("[agents] a program that never reported may be mended under its name, another one may not") {
  const TestFolder folder;
  const std::filesystem::path file = folder.path / "results.sqlite";
  RunOptions how = options({"mine=sh " + folder.file("agent", "exit 1"), "random"});
  how.plan.trials = 1;
  how.trial.retries = 0;
  run(file, how);
  folder.file("agent", shooting("true"));
  how.trial.limits = {.action_s = 300, .trial_s = 900};
  const std::vector<TrialResult> results = run(file, how);
  CHECK(results.size() == 16);
  for (const TrialResult& r : results) CHECK(r.status == Status::ok);
  CHECK(ResultsStore(file).chains().at("mine").size() == 1);
  folder.file("agent", shooting("true") + "# changed");
  CHECK_THROWS_WITH(run_agents(levels(), profile(), how, file), Catch::Contains("another agent"));
  CHECK(results_of(file) == results);
}

TEST_CASE("[agents] runs of both protocols stand side by side where levels and agents are the same") {
  const TestFolder folder;
  const auto single = folder.path / "single", shift = folder.path / "shift", other = folder.path / "other";
  const std::string agent = folder.file("agent", "exit 1");
  RunOptions how = options({"random", "mine=sh " + agent});
  how.trial.retries = 0;
  run(single, how);
  how.plan = {.protocol = Protocol::shift, .most_before = 1, .after = 1};
  run(shift, how);
  const auto runs = read_runs({shift, single});
  REQUIRE(runs.size() == 2);
  CHECK((runs[0].manifest.at("protocol") == "single" && runs[0].trials == results_of(single)));
  CHECK((runs[1].manifest.at("protocol") == "shift" && runs[1].trials == results_of(shift)));
  CHECK(read_runs({shift}).size() == 1);
  how.program = "another";
  run(other, how);
  CHECK_THROWS_WITH(read_runs({single, other}), Catch::Contains("program"));
  how.program = "test";
  folder.file("agent", "exit 2");
  std::filesystem::remove(other);
  run(other, how);
  CHECK_THROWS_WITH(read_runs({single, other}), Catch::Contains("\"mine\""));
  CHECK_THROWS_WITH(merge_results({single, shift}, folder.path / "merged"),
                    Catch::Contains("another run") || Catch::Contains("cannot be put together"));
  execute(shift, "DELETE FROM manifest WHERE key = 'protocol'");
  CHECK_THROWS_WITH(read_runs({single, shift}), Catch::Contains("does not say what it was made from"));
}

TEST_CASE("[agents] a damaged results file is refused before anything is played, as the report refuses it") {
  const TestFolder folder;
  const std::filesystem::path whole = folder.path / "whole.sqlite";
  run(whole, options({"random+chance"}));
  const std::string bytes = read_file(whole);
  Random random(3);
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    std::string damaged = bytes;
    for (int k = 0; k < 200; ++k)
      damaged[static_cast<std::size_t>(random.integer(100, static_cast<int>(damaged.size()) - 1))] =
          static_cast<char>(random.integer(0, 255));
    const std::filesystem::path file = folder.path / ("damaged-" + std::to_string(i));
    write_file(file, damaged);
    bool readable = true;
    try {
      read_runs({file});
    } catch (const Error&) {
      readable = false;
    }
    bool usable = true;
    try {
      run_agents(levels(), profile(), options({"random+chance"}), file, {.keep_going = [] { return false; }});
    } catch (const Error&) {
      usable = false;
    }
    if (!readable) {
      ++refused;
      CHECK_FALSE(usable);
    }
  }
  CHECK(refused > 20);
}

TEST_CASE("[agents] plans: every trial has a seed of its own, and shifts change the world once") {
  const auto single = plan_trials(levels(), {.trials = 2});
  CHECK(single.size() == 16);
  std::set<std::uint64_t> seeds;
  for (const TrialPlan& plan : single) seeds.insert(plan.seed);
  CHECK(seeds.size() == 16);
  const auto shifts = plan_trials(levels(),
                                  {.protocol = Protocol::shift, .trials = 30, .most_before = 4, .after = 3});
  CHECK(shifts.size() == 4 * 30);  // T1/easy, T2/easy, T2/hard, T3/easy
  std::set<int> seen;
  for (const TrialPlan& plan : shifts) {
    seen.insert(plan.shift);
    REQUIRE(plan.levels.size() == 4 + 3);
    for (std::size_t s = 0; s < plan.levels.size(); ++s) {
      CHECK(plan.levels[s].novel == (static_cast<int>(s) >= plan.shift));
      CHECK(levels()[plan.levels[s].level].novelty + "/" + levels()[plan.levels[s].level].tier == plan.unit);
    }
  }
  CHECK(seen == std::set<int>{1, 2, 3, 4});
}

TEST_CASE("[agents] agents on the command line: names, commands, and words that are neither") {
  CHECK(parse_agent("oracle").command.empty());
  CHECK(parse_agent("reasoning+simulation").command.empty());
  CHECK(parse_agent("mine=sh x --a=b").name == "mine");
  CHECK(parse_agent("mine=sh x --a=b").command == "sh x --a=b");
  CHECK(parse_agent("sh x --a=b").name == "sh x --a=b");
  for (const char* bad : {"", " ", "rnadom", "random+", "+always", "random+oracle", "x=", "random=sh x"}) {
    INFO(bad);
    CHECK_THROWS_AS(parse_agent(bad), Error);
  }
}

TEST_CASE("[agents] a file that cannot be run as an agent is refused, with why and what to do") {
  namespace fs = std::filesystem;
  const TestFolder folder;
  fs::create_directory(folder.path / "folder");
  const auto refused = [&](const std::string& name, const std::string& text, bool run_bit,
                           const std::vector<std::string>& parts) {
    std::ofstream(folder.path / name) << text;
    if (run_bit) fs::permissions(folder.path / name, fs::perms::owner_all);
    for (const std::string arguments : {"", " --fast"}) {
      INFO(name << arguments);
      try {
        parse_agent("mine=./" + name + arguments, folder.path);
        FAIL("it was taken");
      } catch (const Error& error) {
        for (const std::string& part : parts) CHECK_THAT(error.what(), Catch::Contains(part));
      }
    }
  };
  refused("a.py", "#!/usr/bin/env python3\n", false, {"no run bit", "chmod +x ./a.py", "'python3 ./a.py'"});
  refused("b.py", "#!/usr/bin/env python0.9\n", true,
          {"its first line asks for \"python0.9\"", "install it"});
  refused("c.sh", "#!/nowhere/sh -e\n", true, {"\"/nowhere/sh\""});
  refused("d.sh", "#!/bin/sh\r\nexit\r\n", true, {"carriage return", "Unix line ends"});
  CHECK_THROWS_WITH(parse_agent("./folder", folder.path), Catch::Contains("it is a folder"));
  CHECK_THROWS_WITH(parse_agent("a.py", folder.path), Catch::Contains("no run bit"));
  std::ofstream(folder.path / "e.sh") << "#!/bin/sh\n";
  fs::permissions(folder.path / "e.sh", fs::perms::owner_all);
  CHECK(parse_agent("./e.sh", folder.path).command == "./e.sh");
  CHECK_THROWS_WITH(parse_agent("e.sh", folder.path), Catch::Contains("called by its path, ./e.sh"));
}

TEST_CASE("[agents] what an agent's code throws is its failure, what the world throws is the runner's") {
  class Throwing : public Agent {
   public:
    explicit Throwing(int how) : how_(how) {}
    Shot act(const ObservationSource& source) override {
      if (how_ == 0) throw std::logic_error("lost its way");
      if (how_ == 1) source.picture(0, 5);
      if (how_ == 2) throw AgentFailure(Status::timeout, "asleep");
      return {.angle = 1};
    }
    Report report(const SeenShot&, const ObservationSource&) override {
      if (how_ == 3) throw Error("no idea");
      return {.novelty = how_ == 4 ? 2.0 : 0.0, .description = {}};
    }
    void end() override {
      if (how_ == 5) throw std::bad_alloc();
    }

   private:
    int how_;
  };
  const TrialPlan plan = plans_by_level(levels()).front();
  const std::vector<std::pair<Status, std::string>> expected{
      {Status::crash, "lost its way"}, {Status::crash, "0 x 5 pixels"}, {Status::timeout, "asleep"},
      {Status::crash, "no idea"},      {Status::invalid_action, "2"},   {Status::crash, "bad_alloc"}};
  for (std::size_t how = 0; how < expected.size(); ++how) {
    Throwing agent(static_cast<int>(how));
    const TrialResult result = play_trial(agent, plan, levels());
    INFO(how << " " << result.error);
    CHECK(result.status == expected[how].first);
    CHECK_THAT(result.error, Catch::Contains(expected[how].second));
  }
  // A level that cannot be played stops the run, and what was finished before stays.
  std::vector<PlayableLevel> broken = levels();
  broken.back().novel.birds = {"BirdUnknown", "BirdUnknown"};
  Throwing good(6);
  CHECK_THROWS_AS(play_trial(good, plans_by_level(broken).back(), broken), Error);
  const TestFolder folder;
  RunOptions how = options({"random"});
  how.plan.trials = 1;
  how.threads = 1;
  CHECK_THROWS_WITH(run_agents(broken, profile(), how, folder.path / "a"), Catch::Contains("BirdUnknown"));
  const auto plans = plan_trials(broken, how.plan);
  const auto bad = std::find_if(plans.begin(), plans.end(), [&](const TrialPlan& p) {
    return p.levels.front().level + 1 == broken.size() && p.world == "novel";
  });
  CHECK(results_of(folder.path / "a").size() == static_cast<std::size_t>(bad - plans.begin()));
}

TEST_CASE("[agents] no agent can predict from what it is given at the start when the world will change") {
  std::set<int> described, shifts;
  for (const TrialPlan& plan :
       plan_trials(levels(), {.protocol = Protocol::shift, .trials = 20, .most_before = 4, .after = 3})) {
    described.insert(static_cast<int>(plan.levels.size()));
    shifts.insert(plan.shift);
  }
  CHECK(described == std::set<int>{7});
  CHECK(shifts.size() == 4);
}

namespace {

/// Without the rights of the superuser, as long as it lives; others have none to lose.
class WithoutRights {
 public:
  WithoutRights() {
    if (user_ == 0) REQUIRE(seteuid(65534) == 0);
  }
  ~WithoutRights() {
    if (user_ == 0 && seteuid(0) != 0) std::abort();
  }

 private:
  uid_t user_ = geteuid();
};

}  // namespace

TEST_CASE("[agents] a folder that cannot be written: results in it are read, and a run says so") {
  const TestFolder folder;
  const auto file = folder.path / "a%20?#.sqlite";
  const auto before = run(file, options({"random"}));
  namespace fs = std::filesystem;
  fs::permissions(file, fs::perms(0444));
  fs::permissions(folder.path, fs::perms(0555));
  {
    const WithoutRights guard;
    CHECK(results_of(file) == before);
    CHECK_THROWS_WITH(run_agents(levels(), profile(), options({"random"}), file),
                      Catch::Contains("cannot be written"));
    CHECK_THROWS_WITH(run_agents(levels(), profile(), options({"random"}), folder.path / "b"),
                      Catch::Contains("cannot be made"));
    CHECK_THROWS_WITH(merge_results({file}, folder.path / "c"), Catch::Contains("cannot be made"));
  }
  fs::permissions(folder.path, fs::perms(0755));
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("[agents] levels must have a novelty that changes something, and names of their own") {
  StoredLevel bare = small_level();
  bare.difficulty.reset();
  CHECK_THROWS_WITH(playable({bare}), Catch::Contains("no novelty"));
  CHECK(playable_levels({bare}, profile(), "T1", 1).front().novelty == "T1");
  CHECK_THROWS_WITH(playable({small_level("a", "ice-density-up")}), Catch::Contains("changes nothing"));
  CHECK_THROWS_WITH(playable({small_level("a"), small_level("a")}), Catch::Contains("twice"));
}

TEST_CASE("[agents] a set is played as it was placed, and the results say how") {
  const TestFolder folder;
  for (const char* name : {"a", "b", "c"})
    write_level(small_level(name), folder.path / (std::string(name) + ".json"));
  StoredLevel pigless = small_level("d");
  pigless.objects.pop_back();
  write_level(pigless, folder.path / "d.json");
  const auto files = find_level_files({folder.path});
  const PlacedSet set = place_levels(files, profile(), {.novelty = "wood-density-up", .thirds = true});
  const std::vector<PlayableLevel> made = playable_levels(set, 2);
  REQUIRE(made.size() == 3);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const PlayableLevel alone =
        playable_levels({read_level(files[i])}, profile(), "wood-density-up", 1).front();
    CHECK(made[i].name == alone.name);
    CHECK(made[i].hash == alone.hash);
    CHECK(made[i].tier == set.levels[i].tier);
    for (const auto& [a, b] :
         {std::pair{&made[i].normal, &alone.normal}, std::pair{&made[i].novel, &alone.novel}}) {
      REQUIRE(a->objects.size() == b->objects.size());
      for (std::size_t k = 0; k < a->objects.size(); ++k) {
        CHECK(a->objects[k].pose.position == b->objects[k].pose.position);
        CHECK(a->objects[k].novel == b->objects[k].novel);
      }
    }
  }
  RunOptions how = options({"random"});
  how.set = set_notes(set);
  const Manifest manifest = make_manifest(made, *profile(), how);
  CHECK(manifest.at("left_out") == "no pigs 1");
  CHECK_THAT(manifest.at("thirds wood-density-up"),
             Catch::Contains("of 3 levels") && Catch::Contains("published"));
  const Manifest tiers = set_notes(place_levels(files, profile(), {.novelty = "wood-density-up"}));
  CHECK_FALSE(tiers.contains("thirds wood-density-up"));
  CHECK(tiers.at("tiers wood-density-up") ==
        "p_level, version " + std::to_string(played_level_version) + ", of 3 levels");
  PlacedSet never = set;
  never.computed.at("wood-density-up").values = {0.5, 1, 1};
  CHECK(set_notes(never).at("undetectable wood-density-up") ==
        "value 1 by published alpha 0.5 in 2 of 3 levels");
  // Of levels that bring their tiers and have all a part there is nothing to say.
  CHECK(set_notes(place_levels({files[0]}, profile(), {})).empty());
}

TEST_CASE("[agents] every built-in agent plays both protocols, and anchors report what their names say") {
  RunOptions how = options({"random", "pig-shooter", "pig-shooter-lower+always", "pig-shooter-upper+chance",
                            "best-target+constant-velocity", "look-ahead+simulation", "reasoning+simulation",
                            "oracle", "always", "never"});
  how.plan.trials = 1;
  how.plan.most_before = 2;
  how.plan.after = 1;
  const TestFolder folder;
  for (const Protocol protocol : {Protocol::single, Protocol::shift}) {
    how.plan.protocol = protocol;
    for (const TrialResult& r : run(folder.path / name(protocol), how)) {
      INFO(r.agent << " " << r.unit << " " << r.error);
      CHECK(r.status == Status::ok);
      for (const PlayedLevel& level : r.levels) {
        CHECK((level.solved || level.shots.size() == static_cast<std::size_t>(level.birds)));
        for (const PlayedShot& shot : level.shots) {
          if (r.agent.ends_with("always")) CHECK(shot.novelty == 1);
          if (r.agent.ends_with("never") || r.agent == "random" || r.agent == "pig-shooter")
            CHECK(shot.novelty == 0);
          // What knows the normal world exactly, or the truth, never raises a false alarm.
          const bool sure = r.agent == "oracle" || r.agent.ends_with("+simulation");
          if (sure && !level.novel) CHECK(shot.novelty == 0);
        }
      }
    }
  }
}

TEST_CASE("[agents] every shooter plays with every detector") {
  const std::vector<PlayableLevel> one{levels()[2]};
  const TrialPlan plan = plans_by_level(one).back();
  for (const ShooterInfo& shooter : shooters()) {
    std::optional<Shot> first;  // whatever detects, the first shot is the shooter's
    for (const DetectorInfo& detector : detectors()) {
      const TrialResult r = run_trial({.name = shooter.name + "+" + detector.name, .command = {}}, plan, one,
                                      {});
      INFO(r.agent << " " << r.error);
      REQUIRE(r.status == Status::ok);
      REQUIRE(!r.levels.at(0).shots.empty());
      const Shot shot = r.levels[0].shots[0].shot;
      if (!first) first = shot;
      CHECK(shot == *first);
    }
  }
}

TEST_CASE("[agents] the oracle finds what can be detected at the first shot") {
  const std::vector<PlayableLevel> easy = playable(benchmark_levels("T1/easy", 2));
  for (const TrialPlan& plan : plan_trials(easy, {})) {
    if (plan.world != "novel") continue;
    const TrialResult result = run_trial({.name = "oracle", .command = {}}, plan, easy, {});
    INFO(plan.unit);
    CHECK(result.levels[0].shots.back().novelty == 1);
  }
}

TEST_CASE("[agents] the documentation names every shooter and every detector") {
  const std::string page = read_file(std::filesystem::path(STARTLE_SCHEMA).parent_path() / "agents.md");
  for (const ShooterInfo& info : shooters()) CHECK_THAT(page, Catch::Contains("`" + info.name + "`"));
  for (const DetectorInfo& info : detectors()) CHECK_THAT(page, Catch::Contains("`" + info.name + "`"));
}
