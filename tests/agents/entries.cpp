/// \file  Entries of a leaderboard: packed, read, verified; and each of many changes of one is found.
#include "agents/entries/entries.hpp"

#include <sqlite3.h>

#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "agents/entries/verify_results.hpp"
#include "agents/trials/secret.hpp"
#include "agents/trials/trial_chain.hpp"
#include "agents/trials/trial_table.hpp"
#include "core/database.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

namespace fs = std::filesystem;

const GivenLevels& given() {
  static const GivenLevels all{playable({small_level("a"), small_level("b")}), {}, profile()};
  return all;
}

/// Shoots at 0.5 rad and reports 0.25.
const char* const program_text =
    "while read -r line; do case \"$line\" in\n"
    "*'\"type\":\"act\"'*) echo '{\"type\":\"shot\",\"angle\":0.5}';;\n"
    "*'\"type\":\"report\"'*) echo '{\"type\":\"report\",\"novelty\":0.25}';;\nesac; done\n";

std::string secret(int number) { return std::string(31, '0') + static_cast<char>('0' + number); }

using Files = std::vector<fs::path>;

/// The program, the same file in all runs.
std::string agent_file(const std::string& text = program_text) {
  static const TestFolder folder;
  return folder.file("agent", text);
}

/// Results of the agent "random+chance" and of a program, "mine", with that secret.
fs::path run_of(const TestFolder& folder, const std::string& name, int number,
                const std::function<void(RunOptions&)>& change = {}) {
  RunOptions options{.agents = {"mine=sh " + agent_file(), "random+chance"},
                     .program = "test",
                     .plan = {.secret = RunSecret::parse(secret(number))}};
  options.trial = {.limits = {.action_s = 300, .trial_s = 900}, .retries = 0};
  if (change) change(options);
  fs::path out = folder.path / name;
  run_agents(given().levels, profile(), options, out);
  return out;
}

/// Four runs, made once.
const Files& runs() {
  static const TestFolder folder;
  static const Files files = [] {
    Files made;
    for (int number = 1; number <= 4; ++number)
      made.push_back(run_of(folder, std::to_string(number) + ".sqlite", number));
    return made;
  }();
  return files;
}

EntryDescription description() {
  return {.name = "first",
          .author = "A. Author",
          .agent = "a test",
          .training = "nothing",
          .simulates_normal_world = false,
          .given_novelties = false,
          .trials_isolated = true,
          .looks = 1,
          .program_fixed = "2026-11-01",
          .played = "2026-11-02"};
}

/// Of the built-in agent, whose reports can be verified.
AgentEntry entry(const std::string& agent = "random+chance") {
  return pack_entry(runs(), agent, description());
}

/// Chains that fit the trials, as whoever changes an entry can write them.
void give_new_chains(AgentEntry& entry) {
  entry.chains.clear();
  for (const auto& [secret, trials] : entry.runs) {
    Manifest manifest = entry.manifest;
    manifest["secret"] = secret;
    int number = 0;
    std::string last = chain_root(entry.agent, entry.fingerprint, manifest);
    Chain& chain = entry.chains[secret].emplace_back();
    for (const TrialResult& trial : trials) {
      const Chain lines = whole_attempt(number, last, trial);
      chain.insert(chain.end(), lines.begin(), lines.end());
      number = chain.back().number;
      last = chain.back().hash;
    }
  }
}

fs::path written(const TestFolder& folder, AgentEntry entry, const std::string& name = "entry.sqlite") {
  give_new_chains(entry);
  fs::path out = folder.path / name;
  write_entry(entry, out);
  return out;
}

std::vector<std::string> disagreements(const AgentEntry& entry) {
  return verify_entry(entry, given(), 1).disagreements;
}

bool names(const std::vector<std::string>& found, const std::string& words) {
  return std::any_of(found.begin(), found.end(),
                     [&](const std::string& one) { return one.find(words) != one.npos; });
}

/// Runs SQL on the file, which keeps its hash.
void change(const fs::path& file, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  char* message = nullptr;
  const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message);
  INFO(sql << ": " << (message ? message : ""));
  CHECK(code == SQLITE_OK);
  CHECK(sqlite3_total_changes(database) + static_cast<int>(sql.find("TABLE") != sql.npos) +
            static_cast<int>(sql.find("PRAGMA") != sql.npos) >
        0);
  sqlite3_free(message);
  sqlite3_close(database);
}

}  // namespace

TEST_CASE(
    "[agents] entries: four runs are packed, read again and verified, of a built-in agent and a program") {
  const TestFolder folder;
  for (const std::string agent : {"random+chance", "mine"}) {
    AgentEntry made = entry(agent);
    CHECK(made.runs.size() == 4);
    CHECK_FALSE(made.manifest.contains("secret"));
    CHECK(made.agent == agent);
    CHECK(trials_isolated(made));
    write_entry(made, folder.path / "entry.sqlite");
    const AgentEntry read = read_entry(folder.path / "entry.sqlite");
    CHECK(read.hash == made.hash);
    CHECK(read.hash.size() == 64);
    CHECK(description_text(read.description) == description_text(description()));
    CHECK(read.manifest == made.manifest);
    CHECK(read.fingerprint == made.fingerprint);
    CHECK(read.runs == made.runs);
    std::size_t calls = 0;
    const ResultsVerification found = verify_entry(read, given(), 1, [&] { ++calls; });
    CHECK(found.disagreements == std::vector<std::string>{});
    CHECK(found.complete);
    CHECK(found.trials == 16);
    CHECK(calls == 16);
    CHECK(found.replayed == (agent == "mine" ? 0 : 16));
    CHECK_FALSE(verify_entry(read, given(), 1, {}, [] { return false; }).complete);
  }
  CHECK(is_entry(folder.path / "entry.sqlite"));
  CHECK_FALSE(is_entry(runs().front()));
}

TEST_CASE("[agents] entries: the same runs, in any order, give the same bytes, and shards are one run") {
  const TestFolder folder;
  const auto bytes_of = [&](AgentEntry packed) {
    write_entry(packed, folder.path / "entry.sqlite");
    return read_file(folder.path / "entry.sqlite");
  };
  const std::string bytes = bytes_of(entry());
  Files other(runs().rbegin(), runs().rend());
  CHECK(bytes_of(pack_entry(other, "random+chance", description())) == bytes);
  std::size_t left = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder.path))
    left += file.path().filename() != "entry.sqlite";
  CHECK(left == 0);
  other.front() = run_of(folder, "half.sqlite", 4, [](RunOptions& o) { o.shards = 2; });
  other.push_back(run_of(folder, "other-half.sqlite", 4, [](RunOptions& o) { o.shard = o.shards = 2; }));
  CHECK(pack_entry(other, "random+chance", description()).runs == entry().runs);
  const Files five{runs()[0], runs()[1], runs()[2], runs()[3], run_of(folder, "5.sqlite", 5)};
  CHECK(pack_entry(five, "random+chance", description()).runs.size() == 5);
}

TEST_CASE("[agents] entries: the hash is BLAKE2b over texts after their lengths") {
  // Python: hashlib.blake2b(digest_size=32), of "a", "bc" and "", each after its length in 8 bytes.
  CHECK(hash_of_texts({"a", "bc", ""}) == "c83ba8ee9b9f4b362ba20c4f9d864cc4bdf5d5c7c05171b3a4ed5f4b6cd86229");
  CHECK(hash_of_texts({"ab", "c", ""}) != hash_of_texts({"a", "bc", ""}));
}

TEST_CASE("[agents] entries: what cannot be packed is refused by name") {
  const TestFolder folder;
  const auto refused = [&](Files files, const std::string& words, const std::string& agent = "mine",
                           const EntryDescription& of = description()) {
    CAPTURE(words);
    CHECK_THROWS_WITH(pack_entry(files, agent, of), Catch::Contains(words));
  };
  const auto fourth = [&](const fs::path& file) { return Files{runs()[0], runs()[1], runs()[2], file}; };
  refused({runs()[0], runs()[1], runs()[2]}, "found runs of 3 secrets, allowed are 4 or more");
  refused({runs()[0], runs()[0], runs()[1], runs()[2]}, "found runs of 3 secrets");  // one twice
  refused(fourth(run_of(folder, "program", 4, [](RunOptions& o) { o.program = "other"; })),
          "program is \"other\" here and \"test\" there");
  refused(fourth(run_of(folder, "retries", 4, [](RunOptions& o) { o.trial.retries = 1; })),
          "MiB, retries 1 here and 300 s an answer");
  refused(fourth(run_of(folder, "trials", 4, [](RunOptions& o) { o.plan.trials = 2; })), "trials is \"2\"");
  refused(fourth(run_of(folder, "shift", 4, [](RunOptions& o) { o.plan.protocol = Protocol::shift; })),
          "protocol is \"shift\" here and \"single\" there");
  refused(fourth(run_of(folder, "sources", 4,  // the same command, another file
                        [](RunOptions&) { agent_file(std::string(program_text) + "# changed\n"); })),
          "agent \"mine\" is \"sh ");
  refused(fourth(run_of(folder, "absent", 4, [](RunOptions& o) { o.agents = {"random+chance"}; })),
          "agent \"mine\" is \"\" here");
  refused(fourth(run_of(folder, "incomplete", 4, [](RunOptions& o) { o.shards = 2; })),
          "incomplete: run of secret " + secret(4) + ": trial 0 on ");
  refused(runs(), "--name: found none, allowed is an agent of ", "");
  refused(runs(), "mine, random+chance", "theirs");
  refused({folder.file("text", "no results")}, "not a database");
  refused({folder.path / "nothing"}, "does not exist");

  const std::vector<PlayableLevel> others = playable({small_level("a"), small_level("c")});
  RunOptions options{
      .agents = {"random+chance"}, .program = "test", .plan = {.secret = RunSecret::parse(secret(4))}};
  options.trial = {.limits = {.action_s = 300, .trial_s = 900}, .retries = 0};
  run_agents(others, profile(), options, folder.path / "levels");
  refused(fourth(folder.path / "levels"), "levels is \"2 ", "random+chance");

  const Files deleted = fourth(folder.path / "deleted");  // rows that the chain has, and the other way round
  fs::copy_file(runs()[3], folder.path / "deleted");
  change(deleted[3], "UPDATE trials SET levels = replace(levels, ':0.25', ':0.75') WHERE agent = 'mine'");
  refused(deleted, "trial 0 on a (normal): the chain has another end of it");
  change(deleted[3], "DELETE FROM chain WHERE agent = 'mine' AND number = 3");
  refused(deleted, "chain, line 4: line 3 is missing before it");
  change(deleted[3], "DELETE FROM chain WHERE agent = 'mine'");
  refused(deleted, "the chain does not have it as it is; and 3 more");
}

TEST_CASE("[agents] entries: trials that share a process are isolated by no description") {
  const TestFolder folder;
  for (const std::string process : {"reset", "tcp"}) {
    AgentEntry made = entry("mine");
    for (auto& [of, trials] : made.runs)
      for (TrialResult& trial : trials) trial.process = process;
    const fs::path file = written(folder, made);
    CHECK_THROWS_WITH(read_entry(file), Catch::Contains("process: found \"" + process +
                                                        "\", allowed are built in, own and fork"));
    made.description.trials_isolated = false;
    CHECK_FALSE(trials_isolated(read_entry(written(folder, made))));
  }
}

TEST_CASE("[agents] entries: of protocol shift, too") {
  const TestFolder folder;
  Files files;
  for (int number = 1; number <= 4; ++number)
    files.push_back(run_of(folder, std::to_string(number), number, [](RunOptions& o) {
      o.plan.protocol = Protocol::shift;
      o.plan.most_before = o.plan.after = 2;
    }));
  const AgentEntry made = read_entry(written(folder, pack_entry(files, "random+chance", description())));
  CHECK(disagreements(made) == std::vector<std::string>{});
  AgentEntry foreign = made;  // rows of levels and points of change are of the secret
  foreign.runs[secret(9)] = foreign.runs[secret(1)];
  foreign.runs.erase(secret(1));
  CHECK(!disagreements(foreign).empty());
  fs::remove(files[0]);
  files[0] = run_of(folder, "incomplete", 1, [](RunOptions& o) {
    o.plan.protocol = Protocol::shift;
    o.plan.most_before = o.plan.after = 2;
    o.shard = o.shards = 2;
  });
  CHECK_THROWS_WITH(pack_entry(files, "mine", description()), Catch::Contains("is missing"));
}

TEST_CASE("[agents] entries: what is changed in the file is found by the hash, in every table and column") {
  const TestFolder folder;
  const std::string honest = read_file(written(folder, entry()));
  const fs::path file = folder.path / "changed.sqlite";
  const std::string one = " WHERE secret = '" + secret(2) + "' AND unit = 'a' AND world = 'novel'";
  const std::vector<std::string> changes{
      "UPDATE entry SET value = 'other' WHERE key = 'agent'",
      "UPDATE entry SET value = 'other' WHERE key = 'fingerprint'",
      "UPDATE entry SET value = replace(value, 'A. Author', 'B. Author') WHERE key = 'description'",
      "UPDATE entry SET value = replace(value, '2026-11-02', '2026-11-03') WHERE key = 'description'",
      "UPDATE entry SET value = replace(value, '1', '2') WHERE key = 'hash'",
      "DELETE FROM entry WHERE key = 'hash'",
      "UPDATE manifest SET value = 'startle 9' WHERE key = 'program'",
      "UPDATE manifest SET value = '2 0123456789abcdef' WHERE key = 'levels'",
      "UPDATE manifest SET key = 'programme' WHERE key = 'program'",
      "DELETE FROM manifest WHERE key = 'sandbox'",
      "INSERT INTO manifest VALUES ('left_out', '3')",
      "UPDATE trials SET secret = '" + secret(9) + "' WHERE secret = '" + secret(1) + "'",
      "UPDATE trials SET unit = 'c'" + one,
      "UPDATE trials SET world = 'other'" + one,
      "UPDATE trials SET trial = 1" + one,
      "UPDATE trials SET novelty = 'T1'" + one,
      "UPDATE trials SET tier = 'hard'" + one,
      "UPDATE trials SET shift = 1" + one,
      "UPDATE trials SET status = 'crash'" + one,
      "UPDATE trials SET error = 'none'" + one,
      "UPDATE trials SET retries = 1" + one,
      "UPDATE trials SET process = 'own'" + one,
      "UPDATE trials SET levels = replace(levels, '\"angle\":', '\"angle\":1')" + one,
      "UPDATE trials SET levels = replace(levels, '\"novelty\":0.', '\"novelty\":0.0')" + one,
      "UPDATE trials SET levels = replace(levels, '\"score\":', '\"score\":1')" + one,
      "UPDATE trials SET levels = levels || ' '" + one,  // the same levels in other bytes
      "DELETE FROM trials" + one,
      "DELETE FROM trials WHERE secret = '" + secret(3) + "'",
      "INSERT INTO trials SELECT secret, unit, world, 1, novelty, tier, shift, status, error, retries, "
      "levels, process FROM trials" +
          one};
  for (const std::string& sql : changes) {
    write_file(file, honest);
    change(file, sql);
    CAPTURE(sql);
    CHECK_THROWS_WITH(read_entry(file), Catch::Contains("changed.sqlite: table entry, key hash: found ") &&
                                            Catch::Contains("it was changed after it was packed"));
  }
  for (const auto& [sql, words] :
       {std::pair("CREATE TABLE more (key TEXT)", "has other tables than an entry"),
        std::pair("UPDATE chain SET attempt = 2 WHERE number = 2 AND secret LIKE '%2'",
                  "table entry, key chain: found "),
        std::pair("DELETE FROM chain WHERE number > 5", "table entry, key chain: found "),
        std::pair("DROP TABLE manifest", "has other tables than an entry"),
        std::pair("ALTER TABLE trials ADD COLUMN more TEXT", "has other tables than an entry"),
        std::pair("INSERT INTO entry VALUES ('more', '')", "table entry: found key \"more\""),
        std::pair("PRAGMA user_version = 1",
                  "found version 1 of the format, allowed is 3; run the agent again and pack it"),
        std::pair("PRAGMA application_id = 7", "is no entry")}) {
    write_file(file, honest);
    change(file, sql);
    CAPTURE(sql);
    CHECK_THROWS_WITH(read_entry(file), Catch::Contains(words));
  }
}

TEST_CASE("[agents] entries: a damaged file is refused, or reads as it was") {
  const TestFolder folder;
  AgentEntry made = entry();
  write_entry(made, folder.path / "entry.sqlite");
  const std::string honest = read_file(folder.path / "entry.sqlite");
  const fs::path file = folder.path / "damaged.sqlite";
  std::size_t refused = 0, kept = 0;
  for (std::size_t at = 0; at < honest.size(); at += 41) {
    std::string bytes = honest;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    write_file(file, bytes, {.lasting = false});
    try {
      const AgentEntry read = read_entry(file);
      ++kept;
      CAPTURE(at);
      CHECK((read.runs == made.runs && read.chains == made.chains && read.manifest == made.manifest &&
             read.agent == made.agent && read.fingerprint == made.fingerprint &&
             description_text(read.description) == description_text(made.description)));
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 100);
  CHECK(kept > 0);  // free space and counters of SQLite

  // A byte of the contents themselves, wherever SQLite has put them.
  for (const char* part :
       {"A. Author", "\"looks\":1", "2026-11-01", "built in", "profilestartle",
        "\"stretch\":", "random+chance", "sandbox", "\"novel\":", "agent_protocol", "T2easy"}) {
    std::string bytes = honest;
    const std::size_t at = bytes.find(part);
    CAPTURE(part);
    REQUIRE(at != std::string::npos);
    bytes[at + 1] = static_cast<char>(bytes[at + 1] ^ 1);
    write_file(file, bytes, {.lasting = false});
    CHECK_THROWS_AS(read_entry(file), Error);
  }

  for (const std::size_t size : {honest.size() - 1, honest.size() - 4096, honest.size() / 2,
                                 std::size_t{4096}, std::size_t{100}, std::size_t{1}, std::size_t{0}}) {
    write_file(file, honest.substr(0, size), {.lasting = false});
    CAPTURE(size);
    CHECK_THROWS_AS(read_entry(file), Error);
  }
  write_file(file, "this is a text and no entry");
  CHECK_THROWS_WITH(read_entry(file), Catch::Contains("damaged.sqlite"));
  CHECK_THROWS_WITH(read_entry(runs().front()), Catch::Contains("is no entry"));
  CHECK_THROWS_WITH(read_entry(folder.path / "nothing"), Catch::Contains("does not exist"));
  CHECK_THROWS_WITH(read_entry(folder.path), Catch::Contains(folder.path.string()));
  AgentEntry again = made;
  CHECK_THROWS_AS(write_entry(again, folder.path / "missing" / "entry.sqlite"), Error);
}

TEST_CASE("[agents] entries: with a new hash, what does not belong there is refused when it is read") {
  const TestFolder folder;
  using Change = std::function<void(AgentEntry&)>;
  const std::vector<std::pair<std::string, Change>> changes{
      {"found runs of 3 secrets", [](AgentEntry& e) { e.runs.erase(secret(2)); }},
      {"is missing", [](AgentEntry& e) { e.runs[secret(2)].pop_back(); }},
      {"trial 0 on a (novel) is missing",
       [](AgentEntry& e) {
         for (auto& [of, trials] : e.runs)
           std::erase_if(trials, [](const TrialResult& t) { return t.unit == "a" && t.world == "novel"; });
       }},
      {"found trials of 1 levels, allowed are all 2",
       [](AgentEntry& e) {
         for (auto& [of, trials] : e.runs)
           std::erase_if(trials, [](const TrialResult& t) { return t.unit == "a"; });
       }},
      {"trial 1 on b (novel) does not belong there",
       [](AgentEntry& e) {
         e.runs[secret(2)].push_back(e.runs[secret(2)].back());
         e.runs[secret(2)].back().trial = 1;
       }},
      {"does not belong there", [](AgentEntry& e) { e.runs[secret(2)].back().trial = -1; }},
      {"does not belong there", [](AgentEntry& e) { e.runs[secret(2)].back().world = "shift"; }},
      {"found trials of 3 levels", [](AgentEntry& e) { e.runs[secret(2)].back().unit = "c"; }},
      {"found 'mine'", [](AgentEntry& e) { e.runs["mine"] = e.runs[secret(2)]; }},
      {"found \"0000000000000000000000000000000A\", allowed are small letters and digits",
       [](AgentEntry& e) { e.runs[std::string(31, '0') + "A"] = e.runs[secret(2)]; }},
      {"allowed are single and shift", [](AgentEntry& e) { e.manifest["protocol"] = "free"; }},
      {"protocol: found none", [](AgentEntry& e) { e.manifest.erase("protocol"); }},
      {"manifest: trials: found \"no\"", [](AgentEntry& e) { e.manifest["trials"] = "no"; }},
      {"manifest: levels: found none", [](AgentEntry& e) { e.manifest.erase("levels"); }},
      {"process: found \"reset\"", [](AgentEntry& e) { e.runs[secret(2)].back().process = "reset"; }},
      {"allowed: a date not before program_fixed",
       [](AgentEntry& e) { e.description.played = "2026-10-01"; }},
      {"/looks", [](AgentEntry& e) { e.description.looks = 0; }}};
  for (const auto& [words, change] : changes) {
    AgentEntry changed = entry();
    change(changed);
    const fs::path file = written(folder, changed);
    CAPTURE(words);
    CHECK_THROWS_WITH(read_entry(file), Catch::Contains(words));
  }
}

TEST_CASE("[agents] entries: with a new hash, what was changed is found by flying") {
  const TestFolder folder;
  const auto trial = [](AgentEntry& e) -> TrialResult& { return e.runs[secret(2)].back(); };
  using Change = std::function<void(AgentEntry&)>;
  const std::vector<std::pair<std::string, Change>> changes{
      {"reports otherwise", [&](AgentEntry& e) { trial(e).levels[0].shots[0].novelty = 0.125; }},
      {"level 1 (b): ", [&](AgentEntry& e) { trial(e).levels[0].shots[0].shot.angle = 45; }},
      {"secret " + secret(2) + ": random+chance, b (novel), trial 0: ",
       [&](AgentEntry& e) { trial(e).levels[0].score += 1; }},
      {"solved is", [&](AgentEntry& e) { trial(e).levels[0].solved ^= true; }},
      {"birds is", [&](AgentEntry& e) { trial(e).levels[0].birds = 9; }},
      {"hash is", [&](AgentEntry& e) { ++trial(e).levels[0].hash; }},
      {"novelty is \"T1\" there", [&](AgentEntry& e) { trial(e).novelty = "T1"; }},
      {"tier is \"hard\" there", [&](AgentEntry& e) { trial(e).tier = "hard"; }},
      {"number of levels is 0 there", [&](AgentEntry& e) { trial(e).levels.clear(); }},
      {"retries is 1 there, of at most 0", [&](AgentEntry& e) { trial(e).retries = 1; }},
      {"secret " + secret(9) + ": ",  // foreign: seeds, and so shots and reports, are of the secret
       [](AgentEntry& e) {
         e.runs[secret(9)] = e.runs[secret(2)];
         e.runs.erase(secret(2));
       }},
      {"secret " + secret(2) + ": ",  // one run twice
       [](AgentEntry& e) { e.runs[secret(2)] = e.runs[secret(1)]; }},
      {"secret " + secret(1) + ": ",  // another order
       [](AgentEntry& e) { std::swap(e.runs[secret(1)], e.runs[secret(2)]); }}};
  for (const auto& [words, change] : changes) {
    AgentEntry changed = entry();
    change(changed);
    const std::vector<std::string> found = disagreements(read_entry(written(folder, changed)));
    CAPTURE(words, found);
    CHECK(names(found, words));
  }
  // Of a program: its shots, not its reports.
  AgentEntry program = entry("mine");
  trial(program).levels[0].shots[0].shot.angle = 0.1;
  const std::vector<std::string> found = disagreements(read_entry(written(folder, program)));
  CHECK(names(found, "secret " + secret(2) + ": mine, b (novel), trial 0: level 1 (b): "));

  for (const auto& [key, value] :
       {std::pair("levels", "2 0123456789abcdef"), std::pair("profile", "anu 0123456789abcdef"),
        std::pair("agent_protocol", "99")}) {
    AgentEntry other = entry();
    other.manifest[key] = value;
    const AgentEntry read = read_entry(written(folder, other));
    CHECK_THROWS_WITH(disagreements(read), Catch::Contains(std::string("results of other ") + key));
  }
  CHECK_THROWS_WITH(verify_entry(entry(), {playable({small_level("a")}), {}, profile()}, 1),
                    Catch::Contains("other levels"));
}

TEST_CASE("[agents] entries: a description says all that is asked, and each fault of one is named") {
  const std::string whole = description_text(description());
  CHECK(description_text(parse_description(whole, "file")) == whole);
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& words) {
    std::string json = whole;
    const std::size_t at = json.find(from);
    REQUIRE(at != std::string::npos);
    json.replace(at, from.size(), to);
    CAPTURE(json);
    CHECK_THROWS_WITH(parse_description(json, "agent.json"),
                      Catch::Contains("agent.json") && Catch::Contains(words));
  };
  refused("\"author\":\"A. Author\",", "", "author");
  refused("\"author\"", "\"autor\"", "autor");
  refused("\"first\"", "\"the first\"", "/name: found \"the first\"; allowed: 1 to 64 letters");
  refused("\"first\"", "\"" + std::string(65, 'a') + "\"", "/name");
  refused("\"first\"", "\"\"", "/name");
  refused("A. Author", "", "/author: found \"\"; allowed: one line of 1 to 500 bytes");
  refused("A. Author", std::string(501, 'a'), "/author");
  refused("a test", "a\\ntest", "/agent");
  refused("\"nothing\"", "7", "/training");
  refused("\"simulates_normal_world\":false", "\"simulates_normal_world\":\"no\"", "/simulates_normal_world");
  refused("\"given_novelties\":false", "\"given_novelties\":0", "/given_novelties");
  refused("\"trials_isolated\":true", "\"trials_isolated\":null", "/trials_isolated");
  refused("\"looks\":1", "\"looks\":0", "/looks");
  refused("\"looks\":1", "\"looks\":1.5", "/looks");
  refused("2026-11-01", "2026-02-30", "/program_fixed: found \"2026-02-30\"; allowed: a date, YYYY-MM-DD");
  refused("2026-11-02", "2.11.2026", "/played");
  refused("2026-11-02", "2026-10-31", "/played: found \"2026-10-31\"; allowed: a date not before");
  CHECK_THROWS_WITH(parse_description("{", "agent.json"), Catch::Contains("agent.json"));
  CHECK_THROWS_WITH(parse_description("[]", "agent.json"), Catch::Contains("agent.json"));
}

// Every field: whoever changes one and writes all hashes anew is found, or the field is on the page's list.

namespace {

using CellRow = std::vector<std::string>;
using CellTables = std::map<std::string, std::vector<CellRow>>;
const std::map<std::string, int> column_counts{{"entry", 2}, {"manifest", 2}, {"trials", 12}, {"chain", 7}};
const std::vector<std::string> trial_columns{"secret", "unit",   "world", "trial",   "novelty", "tier",
                                             "shift",  "status", "error", "retries", "levels",  "process"},
    chain_columns{"secret", "part", "number", "attempt", "event", "text", "hash"};

CellTables tables_of(const fs::path& file) {
  CellTables tables;
  const Database database(file, Database::For::reading);
  for (const auto& [table, count] : column_counts) {
    Statement rows(database, ("SELECT * FROM " + table).c_str());
    while (rows.step()) {
      CellRow& row = tables[table].emplace_back();
      for (int column = 0; column < count; ++column) row.push_back(rows.text(column));
    }
  }
  return tables;
}

std::string& value_of(CellTables& tables, const std::string& table, const std::string& key) {
  for (CellRow& row : tables[table])
    if (row[0] == key) return row[1];
  throw std::logic_error("no key " + key);
}

/// What is hashed by what.
enum class Anew { entry, chains_and_entry };

/// Writes an entry of these cells with new hashes: those of the entry as the page says, or first the chains
/// of the trials, too.
void write_tables(const fs::path& file, CellTables tables, Anew anew) {
  Database database(":memory:", Database::For::making);
  static const std::vector<std::string> schema = [] {
    const TestFolder folder;
    const Database honest(written(folder, entry()), Database::For::reading);
    std::vector<std::string> statements;
    Statement made(honest, "SELECT sql FROM sqlite_master ORDER BY name");
    while (made.step()) statements.push_back(made.text(0));
    return statements;
  }();
  for (const std::string& statement : schema) database.run(statement);
  database.run("PRAGMA application_id = 0x53744c66; PRAGMA user_version = 3; BEGIN");
  const auto insert = [&](const std::string& table) {
    for (const CellRow& row : tables[table]) {
      std::string sql = "INSERT OR IGNORE INTO " + table + " VALUES (?";
      for (int i = 1; i < column_counts.at(table); ++i) sql += ", ?";
      Statement into(database, (sql + ")").c_str());
      for (const std::string& cell : row) into.bind(cell);
      into.step();
    }
  };
  insert("manifest");
  insert("trials");
  if (anew == Anew::chains_and_entry) try {
      std::map<std::string, std::vector<TrialResult>> runs;
      const std::string agent = value_of(tables, "entry", "agent");
      for (TrialResult& trial : read_trials(database)) {
        const std::string of = std::exchange(trial.agent, agent);
        runs[of].push_back(trial);
      }
      tables["chain"].clear();
      for (const auto& [of, trials] : runs) {
        Manifest manifest;
        for (const CellRow& row : tables["manifest"]) manifest[row[0]] = row[1];
        manifest["secret"] = of;
        std::string last = chain_root(agent, value_of(tables, "entry", "fingerprint"), manifest);
        int number = 0;
        for (const TrialResult& trial : trials)
          for (const ChainLine& line : whole_attempt(number, last, trial)) {
            number = line.number;
            last = line.hash;
            tables["chain"].push_back({of, "1", std::to_string(number), std::to_string(line.attempt),
                                       line.event, line.text, line.hash});
          }
      }
    } catch (const std::exception&) {  // no trial or no agent any more: it is refused for that
    }
  insert("chain");
  insert("entry");
  const auto texts = [&](std::vector<std::string> hashed,
                         const std::vector<std::pair<std::string, std::string>>& of) {
    for (const auto& [table, order] : of) {
      CellRow cells;
      Statement rows(database, ("SELECT * FROM " + table + " " + order).c_str());
      while (rows.step())
        for (int column = 0; column < column_counts.at(table); ++column) cells.push_back(rows.text(column));
      hashed.insert(hashed.end(), {table, std::to_string(cells.size() /
                                                         static_cast<std::size_t>(column_counts.at(table)))});
      hashed.insert(hashed.end(), cells.begin(), cells.end());
    }
    return hash_of_texts(hashed);
  };
  const auto put = [&](const std::string& key, const std::string& value) {
    Statement(database, "UPDATE entry SET value = ? WHERE key = ?").bind(value).bind(key).step();
  };
  put("hash", texts({"startle-agent-entry", "3"}, {{"entry", "WHERE key NOT IN ('hash', 'chain') ORDER BY 1"},
                                                   {"manifest", "ORDER BY 1"},
                                                   {"trials", "ORDER BY 1, 2, 3, 4"}}));
  put("chain", texts({"startle-agent-entry"}, {{"chain", "ORDER BY 1, 2, 3"}}));
  database.run("COMMIT");
  std::ofstream(file, std::ios::binary) << database.bytes();
}

/// Other values for a cell or a leaf.
std::set<std::string> other_texts(const std::string& value) {
  std::set<std::string> others{value + "x", value + " ", "", "1", "none"};
  for (const std::vector<std::string>& words : {std::vector<std::string>{"ok", "crash", "timeout"},
                                                {"own", "fork", "reset", "tcp", "built in"},
                                                {"yes", "no"},
                                                {"single", "shift"},
                                                {"normal", "novel", "shift"},
                                                {"easy", "hard"},
                                                {"a", "b"},
                                                {"random+chance", "random+always", "other"},
                                                {"begun", "shot", "ended"}})
    if (std::find(words.begin(), words.end(), value) != words.end())
      others.insert(words.begin(), words.end());
  if (const auto number = parse_number<int>(value)) {
    others.insert(std::to_string(*number + 1));
    others.insert(std::to_string(*number - 1));
    others.insert("0" + value);
  }
  if (value.size() > 16 && value.find_first_not_of("0123456789abcdef", value.size() - 16) == value.npos) {
    others.insert(value);
    std::string digit = value;
    digit.back() = digit.back() == '0' ? '1' : '0';
    others.insert(digit);
  }
  others.erase(value);
  return others;
}

using EntryJson = nlohmann::ordered_json;

/// JSON texts that differ from this one in one leaf or key, each with the path of the field.
std::vector<std::pair<std::string, std::string>> other_jsons(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> others;
  const EntryJson json = EntryJson::parse(text);
  const auto path_of = [](const std::string& pointer) {
    std::string path;
    for (std::size_t at = 0; at < pointer.size();) {
      const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
      if (const std::string part = pointer.substr(at + 1, end - at - 1); !parse_number<int>(part))
        path += "." + part;
      at = end;
    }
    return path;
  };
  const std::function<void(const EntryJson&, const std::string&)> visit = [&](const EntryJson& node,
                                                                              const std::string& at) {
    const EntryJson::json_pointer pointer(at);
    const auto add = [&](const EntryJson& value) {
      EntryJson changed = json;
      changed[pointer] = value;
      others.emplace_back(path_of(at), changed.dump());
    };
    if (node.is_object()) {
      for (const auto& [key, value] : node.items()) {
        visit(value, at + "/" + key);
        EntryJson less = node;
        less.erase(key);
        const std::string path = path_of(at + "/" + key);
        EntryJson changed = json;
        changed[pointer] = less;
        others.emplace_back(path, changed.dump());
        // The key twice: two readers may see two values.
        std::string twice = json.dump();
        const std::size_t place = twice.find("\"" + key + "\":");
        twice.insert(place, "\"" + key + "\":" + value.dump() + ",");
        others.emplace_back(path, twice);
      }
      EntryJson more = node;
      more["extra"] = 1;
      add(more);
      if (at.find("/shots/") != at.npos) {
        more = node;
        more["description"] = "seen";
        EntryJson changed = json;
        changed[pointer] = more;
        others.emplace_back(path_of(at) + ".description", changed.dump());
      }
    } else if (node.is_array()) {
      for (std::size_t i = 0; i < node.size(); ++i) visit(node[i], at + "/" + std::to_string(i));
      if (node.empty()) return;
      EntryJson less = node, more = node;
      less.erase(less.size() - 1);
      more.push_back(node.back());
      add(less);
      add(more);
    } else if (node.is_boolean()) {
      add(!node.get<bool>());
    } else if (node.is_number_float()) {
      const auto number = node.get<double>();
      for (const double other :
           {number + 1, -number, std::nextafter(number, 2), std::nextafter(number, -2), 0.5})
        add(other);
    } else if (node.is_number()) {
      add(node.get<int>() + 1);
    } else if (node.is_string()) {
      for (const std::string& other : other_texts(node.get<std::string>())) add(other);
    }
  };
  visit(json, "");
  others.emplace_back("", text + " ");
  return others;
}

/// Calls change(field, tables) with each entry that differs in one field of one run, or in one of all runs.
template <typename Change>
void each_change(const CellTables& honest, const Change& change) {
  const auto replaced = [&](const std::string& field, const std::string& table, std::size_t row,
                            std::size_t column, const std::string& value) {
    CellTables changed = honest;
    changed[table][row][column] = value;
    change(field, std::move(changed));
  };
  for (const std::string table : {"entry", "manifest"})
    for (std::size_t row = 0; row < honest.at(table).size(); ++row) {
      const std::string key = honest.at(table)[row][0], value = honest.at(table)[row][1];
      if (key == "hash" || key == "chain") continue;
      const std::string field = table + "." + key;
      if (key == "description") {
        for (const auto& [path, other] : other_jsons(value)) replaced(field, table, row, 1, other);
        continue;
      }
      for (const std::string& other : other_texts(value)) replaced(field, table, row, 1, other);
      for (const std::string& other : other_texts(key)) replaced(field, table, row, 0, other);
      CellTables changed = honest;
      changed[table].erase(changed[table].begin() + static_cast<std::ptrdiff_t>(row));
      change(field, std::move(changed));
    }
  for (const char* key : {"extra", "left_out", "tiers T2", "order", "most_before", "secret"}) {
    CellTables changed = honest;
    changed["manifest"].push_back({key, "1"});
    change(std::string("manifest.") + key, std::move(changed));
  }
  for (std::size_t row = 0; row < honest.at("trials").size(); ++row) {
    const CellRow& cells = honest.at("trials")[row];
    if (cells[0] != secret(2)) continue;
    for (std::size_t column = 0; column < trial_columns.size(); ++column) {
      const std::string field = "trials." + trial_columns[column];
      if (field == "trials.levels")
        for (const auto& [path, other] : other_jsons(cells[column]))
          replaced(field + path, "trials", row, column, other);
      else
        for (const std::string& other : other_texts(cells[column]))
          replaced(field, "trials", row, column, other);
    }
    CellTables changed = honest;
    changed["trials"].erase(changed["trials"].begin() + static_cast<std::ptrdiff_t>(row));
    change("trials", std::move(changed));
    changed = honest;
    changed["trials"].push_back(cells);
    changed["trials"].back()[3] = "1";
    change("trials", std::move(changed));
  }
  for (const std::string& other : {secret(9), secret(1), std::string(32, 'F'), std::string("x")}) {
    CellTables changed = honest;
    for (const char* table : {"trials", "chain"})
      for (CellRow& row : changed[table])
        if (row[0] == secret(2)) row[0] = other;
    change("trials.secret", std::move(changed));
  }
}

/// Whether reading or verifying the run of that secret objects.
bool objects(const fs::path& file) {
  try {
    const std::vector<AgentResults> runs = results_of(read_entry(file));
    const AgentResults* run = &runs.front();
    for (const AgentResults& one : runs)
      if (one.manifest.at("secret") == secret(2) || one.manifest.at("secret") == secret(9)) run = &one;
    return !verify_results(*run, given(), 1).disagreements.empty();
  } catch (const Error&) {
    return true;
  }
}

/// The chain of secret 2 with new hashes from line to line.
void hash_chain_anew(CellTables& tables) {
  Manifest manifest;
  for (const CellRow& row : tables["manifest"]) manifest[row[0]] = row[1];
  manifest["secret"] = secret(2);
  std::string last = chain_root(value_of(tables, "entry", "agent"), value_of(tables, "entry", "fingerprint"),
                                manifest);
  for (CellRow& row : tables["chain"])
    if (row[0] == secret(2)) last = row[6] = hash_of_texts({last, row[2], row[3], row[4], row[5]});
}

/// Fields that the page says cannot be known: of built-in agents (column 1) or programs (column 2).
std::set<std::string> listed_fields(std::size_t column) {
  const std::string page = read_file(fs::path(STARTLE_SCHEMA).parent_path() / "entries.md");
  const std::size_t begin = page.find("<!-- what cannot be known -->"),
                    end = page.find("<!-- end -->", begin);
  REQUIRE(end != page.npos);
  std::set<std::string> fields;
  std::istringstream lines(page.substr(begin, end - begin));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream of(line.substr(1));
    for (std::string cell; std::getline(of, cell, '|');) cells.push_back(cell);
    if (cells.at(column).find("yes") == cells[column].npos) continue;
    for (std::size_t at = 0; (at = cells[0].find('`', at)) != cells[0].npos;) {
      const std::size_t close = cells[0].find('`', at + 1);
      fields.insert(cells[0].substr(at + 1, close - at - 1));
      at = close + 1;
    }
  }
  return fields;
}

/// Runs of a program that fails in some trials, and of a built-in agent.
const Files& runs_with_failures() {
  static const TestFolder folder;
  static const Files files = [] {
    const std::string program = folder.file(
        "fails",
        "while read -r line; do case \"$line\" in\n"
        "*'\"type\":\"begin\"'*) seed=${line#*'\"seed\":'}; seed=${seed%%[!0-9]*};;\n"
        "*'\"type\":\"act\"'*) case \"$line$seed\" in *'\"shot\":2'*[02468]) exit 3;; esac\n"
        "echo '{\"type\":\"shot\",\"angle\":0.5}';;\n"
        "*'\"type\":\"report\"'*) echo '{\"type\":\"report\",\"novelty\":0.25}';;\nesac; done\n");
    Files made;
    for (int number = 1; number <= 4; ++number)
      made.push_back(run_of(folder, std::to_string(number) + ".sqlite", number, [&](RunOptions& options) {
        options.agents.front() = "fails=sh " + program;
        options.threads = 1;
        options.trial.retries = 1;
      }));
    return made;
  }();
  return files;
}

}  // namespace

TEST_CASE("[agents] entries: any field changed and hashed again is found, or is on the page's list") {
  const TestFolder folder;
  const fs::path file = folder.path / "entry.sqlite";
  for (const std::size_t column : {1, 2}) {
    const std::string agent = column == 1 ? "random+chance" : "fails";
    AgentEntry made = pack_entry(runs_with_failures(), agent, description());
    if (column == 2) {
      const auto failed = [](const TrialResult& trial) { return trial.status == Status::crash; };
      const std::vector<TrialResult>& trials = made.runs.at(secret(2));
      const auto count = std::count_if(trials.begin(), trials.end(), failed);
      REQUIRE((count > 0 && count < 4));
    }
    write_entry(made, file);
    const CellTables honest = tables_of(file);
    CHECK_FALSE(objects(file));
    write_tables(file, honest, Anew::entry);
    CHECK(tables_of(file) == honest);  // the page's way to the hashes, and the program's
    std::set<std::string> unknown;
    std::size_t changes = 0;
    each_change(honest, [&](const std::string& field, CellTables changed) {
      write_tables(file, changed, Anew::entry);
      if (tables_of(file) == honest) return;  // a column of whole numbers keeps "01" as 1
      ++changes;
      if (!objects(file)) {  // not even the chain was made to fit
        CAPTURE(agent, field);
        CHECK(field == "entry.description");
        unknown.insert(field);
        return;
      }
      write_tables(file, std::move(changed), Anew::chains_and_entry);
      if (!objects(file)) unknown.insert(field);
    });
    CHECK(changes > 400);
    CHECK(unknown == listed_fields(column));
  }
}

TEST_CASE("[agents] entries: any cell of a chain changed and all hashes made anew is found") {
  const TestFolder folder;
  const fs::path file = folder.path / "entry.sqlite";
  AgentEntry made = pack_entry(runs_with_failures(), "fails", description());
  write_entry(made, file);
  const CellTables honest = tables_of(file);
  const auto found = [&](CellTables changed) {
    hash_chain_anew(changed);
    write_tables(file, std::move(changed), Anew::entry);
    return objects(file);
  };
  CHECK_FALSE(found(honest));
  for (std::size_t row = 0; row < honest.at("chain").size(); ++row) {
    if (honest.at("chain")[row][0] != secret(2)) continue;
    for (std::size_t column = 1; column < 6; ++column)
      for (const std::string& other : other_texts(honest.at("chain")[row][column])) {
        CellTables changed = honest;
        changed["chain"][row][column] = other;
        CAPTURE(row, chain_columns[column], other);
        // A column of whole numbers keeps "01" as 1, which is no change.
        CHECK((found(std::move(changed)) || tables_of(file) == honest));
      }
    CellTables changed = honest;
    changed["chain"].erase(changed["chain"].begin() + static_cast<std::ptrdiff_t>(row));
    CAPTURE(row);
    CHECK(found(std::move(changed)));
  }
  CellTables swapped = honest;
  std::vector<CellRow>& lines = swapped["chain"];
  const auto pair = std::adjacent_find(lines.begin(), lines.end(), [](const CellRow& x, const CellRow& y) {
    return x[0] == secret(2) && y[0] == secret(2) && x[5] != y[5];
  });
  REQUIRE(pair != lines.end());
  std::swap(pair[0][5], pair[1][5]);
  CHECK(found(std::move(swapped)));
}

TEST_CASE("[agents] entries: faults that verification passed over are found one by one") {
  const TestFolder folder;
  const auto trial = [](AgentEntry& e) -> TrialResult& { return e.runs[secret(2)].back(); };
  const auto cut = [&](AgentEntry& e) {
    trial(e).status = Status::crash;
    trial(e).error = "exit code 3";
    trial(e).levels[0].shots.clear();
    trial(e).levels[0].score = 0;
    trial(e).levels[0].solved = false;
  };
  // The chain as it was.
  for (const std::string agent : {"random+chance", "mine"}) {
    AgentEntry cut_short = entry(agent);
    cut(cut_short);
    write_entry(cut_short, folder.path / "cut");
    CHECK_THROWS_WITH(read_entry(folder.path / "cut"),
                      Catch::Contains("trial 0 on b (novel): the chain has another end of it"));
    for (const auto& [key, value] : {std::pair("sandbox", "yes"), std::pair("program", "startle 9.9.9")}) {
      AgentEntry other = entry(agent);
      other.manifest[key] = value;
      write_entry(other, folder.path / "other");
      CHECK_THROWS_WITH(read_entry(folder.path / "other"), Catch::Contains("chain, line 1: its hash is not"));
    }
    AgentEntry copied = entry(agent);
    copied.manifest["trials"] = "2";
    for (auto& [of, trials] : copied.runs) {
      const std::vector<TrialResult> once = trials;
      for (TrialResult again : once) {
        again.trial = 1;
        trials.push_back(again);
      }
    }
    write_entry(copied, folder.path / "copied");
    CHECK_THROWS_WITH(read_entry(folder.path / "copied"), Catch::Contains("chain"));
    if (agent == "mine") continue;
    // A whole new chain: a built-in agent plays again.
    CHECK(names(disagreements(read_entry(written(folder, cut_short))), "reports otherwise"));
    CHECK(names(disagreements(read_entry(written(folder, copied))), "reports otherwise"));
  }
  // Of a program nobody knows whether it failed; what it had by then is what its shots gave.
  AgentEntry failed = entry("mine");
  cut(failed);
  CHECK(disagreements(read_entry(written(folder, failed))).empty());
  trial(failed).levels[0].score = 5000;
  CHECK(names(disagreements(read_entry(written(folder, failed))), "score is 5000 there and 0 here"));
}
