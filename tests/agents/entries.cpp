/// \file  Entries of a leaderboard: packed, read, verified; and each of many changes of one is found.
#include "agents/entries.hpp"

#include <sqlite3.h>

#include <functional>
#include <set>

#include "agents/secret.hpp"
#include "agents/verify_results.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

namespace fs = std::filesystem;

const std::vector<PlayableLevel>& two_levels() {
  static const std::vector<PlayableLevel> all = playable({small_level("a"), small_level("b")});
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
  run_agents(two_levels(), profile(), options, out);
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

fs::path written(const TestFolder& folder, AgentEntry entry, const std::string& name = "entry.sqlite") {
  fs::path out = folder.path / name;
  write_entry(entry, out);
  return out;
}

std::vector<std::string> disagreements(const AgentEntry& entry) {
  return verify_entry(entry, two_levels(), profile(), 1).disagreements;
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
    const ResultsVerification found = verify_entry(read, two_levels(), profile(), 1, [&] { ++calls; });
    CHECK(found.disagreements == std::vector<std::string>{});
    CHECK(found.complete);
    CHECK(found.trials == 16);
    CHECK(calls == 16);
    CHECK(found.replayed == (agent == "mine" ? 0 : 16));
    CHECK_FALSE(verify_entry(read, two_levels(), profile(), 1, {}, [] { return false; }).complete);
  }
  CHECK(is_entry(folder.path / "entry.sqlite"));
  CHECK_FALSE(is_entry(runs().front()));
}

TEST_CASE("[agents] entries: the same runs, in any order, give the same bytes, and shards are one run") {
  const TestFolder folder;
  const std::string bytes = read_file(written(folder, entry()));
  Files other(runs().rbegin(), runs().rend());
  CHECK(read_file(written(folder, pack_entry(other, "random+chance", description()))) == bytes);
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
          "retries is \"1\"");
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

  for (const std::string process : {"reset", "tcp"}) {  // what the results say against the description
    Files files;
    for (const fs::path& file : runs()) {
      files.push_back(folder.path / (process + file.filename().string()));
      fs::copy_file(file, files.back());
      change(files.back(), "UPDATE trials SET process = '" + process + "' WHERE agent = 'mine'");
    }
    refused(files, "process: found \"" + process + "\", allowed are built in, own and fork");
    EntryDescription honest = description();
    honest.trials_isolated = false;
    CHECK_FALSE(trials_isolated(pack_entry(files, "mine", honest)));
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
        std::pair("DROP TABLE manifest", "has other tables than an entry"),
        std::pair("ALTER TABLE trials ADD COLUMN more TEXT", "has other tables than an entry"),
        std::pair("INSERT INTO entry VALUES ('more', '')", "table entry: found key \"more\""),
        std::pair("PRAGMA user_version = 2", "found version 2 of the format, allowed is 1"),
        std::pair("PRAGMA application_id = 7", "is no entry")}) {
    write_file(file, honest);
    change(file, sql);
    CAPTURE(sql);
    CHECK_THROWS_WITH(read_entry(file), Catch::Contains(words));
  }
}

TEST_CASE("[agents] entries: a damaged file is refused, or reads as it was") {
  const TestFolder folder;
  const AgentEntry made = entry();
  const std::string honest = read_file(written(folder, made));
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
      CHECK((read.runs == made.runs && read.manifest == made.manifest && read.agent == made.agent &&
             read.fingerprint == made.fingerprint &&
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
      {"manifest: levels: found \"\"", [](AgentEntry& e) { e.manifest.erase("levels"); }},
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
      {"reports otherwise", [&](AgentEntry& e) { trial(e).retries = 1; }},
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
  CHECK_THROWS_WITH(verify_entry(entry(), playable({small_level("a")}), profile(), 1),
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
