#include "agents/entries/entries.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "agents/trials/runner.hpp"
#include "agents/trials/secret.hpp"
#include "agents/trials/trial_table.hpp"
#include "core/database.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/json_tree.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

// "StLf"
constexpr DatabaseFormat entry_format{
    .application_id = 0x53744c66,
    .version = 3,
    .what = "entry, as startle agents pack writes it",
    .advice =
        "run the agent again and pack it, or verify the file with the version of Startle that wrote it"};

constexpr std::size_t longest_line = 500, longest_name = 64;

/// Statements that make the tables, in the order of their names.
std::vector<std::string> entry_tables() {
  return {chain_table("secret"),
          "CREATE TABLE entry (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
          "CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
          trials_table("secret")};
}

struct EntryTable {
  const char *name, *order;
  std::vector<const char*> columns;
};
const std::vector<EntryTable>& hashed_tables() {
  static const std::vector<EntryTable> tables{
      {"entry", "WHERE key NOT IN ('hash', 'chain') ORDER BY 1", {"key", "value"}},
      {"manifest", "ORDER BY 1", {"key", "value"}},
      {"trials",
       "ORDER BY 1, 2, 3, 4",
       {"secret", "unit", "world", "trial", "novelty", "tier", "shift", "status", "error", "retries",
        "levels", "process"}}};
  return tables;
}
const EntryTable& table_of_chains() {
  static const EntryTable table{
      "chain", "ORDER BY 1, 2, 3", {"secret", "part", "number", "attempt", "event", "text", "hash"}};
  return table;
}

/// Over the cells as text: of each table its name, the number of its rows, and the rows by key.
std::string hash_of(const Database& database, std::vector<std::string> texts,
                    const std::vector<EntryTable>& tables) {
  for (const EntryTable& table : tables) {
    std::vector<std::string> cells;
    Statement rows(database, ("SELECT * FROM " + std::string(table.name) + " " + table.order).c_str());
    while (rows.step())
      for (int column = 0; column < static_cast<int>(table.columns.size()); ++column)
        cells.push_back(rows.text(column));
    texts.insert(texts.end(), {table.name, std::to_string(cells.size() / table.columns.size())});
    std::move(cells.begin(), cells.end(), std::back_inserter(texts));
  }
  return hash_of_texts(texts);
}
std::string hash_of(const Database& database) {
  return hash_of(database, {"startle-agent-entry", std::to_string(entry_format.version)}, hashed_tables());
}
std::string hash_of_chains(const Database& database) {
  return hash_of(database, {"startle-agent-entry"}, {table_of_chains()});
}

/// Throws Error, naming the cell, for the first whose bytes or type are others in the two databases. What is
/// read from a file is written again for this: a second spelling of a value, which another reader may take
/// for another value, has no place in an entry.
void require_same_cells(const Database& found, const Database& allowed) {
  std::vector<EntryTable> tables = hashed_tables();
  tables.push_back(table_of_chains());
  for (const EntryTable& table : tables) {
    std::string sql = "SELECT *";
    for (const char* column : table.columns) sql += std::string(", typeof(") + column + ")";
    sql += " FROM " + std::string(table.name) + " " + table.order;
    Statement left(found, sql.c_str()), right(allowed, sql.c_str());
    for (std::size_t row = 1;; ++row) {
      const bool more = left.step();
      if (more != right.step())
        throw Error(found.file() + ": table " + table.name + ": has rows more or less than Startle writes");
      if (!more) break;
      const auto width = static_cast<int>(table.columns.size());
      for (int c = 0; c < 2 * width; ++c)
        if (left.text(c) != right.text(c))
          throw Error(found.file() + ": table " + table.name + ", row " + std::to_string(row) + ", column " +
                      table.columns[static_cast<std::size_t>(c % width)] + ": found " + shown(left.text(c)) +
                      ", allowed is " + shown(right.text(c)) + ", as Startle writes it");
    }
  }
}

std::string line_of(const JsonView& json) {
  const std::string& text = json.string();
  if (text.empty() || text.size() > longest_line ||
      std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 127; }))
    json.fail("one line of 1 to " + std::to_string(longest_line) + " bytes");
  return text;
}

std::string name_of(const JsonView& json) {
  const std::string& text = json.string();
  if (text.empty() || text.size() > longest_name ||
      !std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) || c == '-' || c == '_' || c == '.' || c == '+';
      }))
    json.fail("1 to " + std::to_string(longest_name) + " letters, digits and - _ . +");
  return text;
}

std::string date_of(const JsonView& json) {
  const std::string& text = json.string();
  const auto part = [&](std::size_t from, std::size_t size) {
    return parse_number<unsigned>(std::string_view(text).substr(from, size)).value_or(0);
  };
  if (text.size() != 10 || text[4] != '-' || text[7] != '-' ||
      !std::chrono::year_month_day(std::chrono::year(static_cast<int>(part(0, 4))),
                                   std::chrono::month(part(5, 2)), std::chrono::day(part(8, 2)))
           .ok())
    json.fail("a date, YYYY-MM-DD");
  return text;
}

bool isolated(const TrialResult& trial) {
  return trial.process == "built in" || trial.process == "own" || trial.process == "fork";
}

/// Of a manifest that was checked: "2", or the number of "150 0123456789abcdef".
int count_in(const Manifest& manifest, const std::string& key) {
  const std::string& text = manifest.at(key);
  return parse_number<int>(std::string_view(text).substr(0, text.find(' '))).value();
}

/// The run of that secret, with its manifest.
Manifest manifest_of_run(const AgentEntry& entry, const std::string& secret) {
  Manifest manifest = entry.manifest;
  manifest["secret"] = secret;
  return manifest;
}

ChainFindings chain_findings(const AgentEntry& entry, const std::string& secret) {
  std::vector<const TrialResult*> trials;
  for (const TrialResult& trial : entry.runs.at(secret)) trials.push_back(&trial);
  const auto chains = entry.chains.find(secret);
  return check_chains(chains == entry.chains.end() ? std::vector<Chain>{} : chains->second,
                      chain_root(entry.agent, entry.fingerprint, manifest_of_run(entry, secret)), trials);
}

/// Throws Error where the chain has other trials than the run, or none.
void require_chain(const AgentEntry& entry, const std::string& secret, const std::string& run) {
  const std::vector<std::string> faults = chain_findings(entry, secret).faults;
  if (faults.empty()) return;
  throw Error(run + faults.front() +
              (faults.size() > 1 ? "; and " + std::to_string(faults.size() - 1) + " more" : ""));
}

/// Throws Error, beginning with `place`, for less or more than an entry must hold. `places`: by secret, where
/// each run has a file of its own.
void require_whole(const AgentEntry& entry, const std::string& place,
                   const std::map<std::string, std::string>& places = {}) {
  check_manifest(entry.manifest, place);
  for (const char* key : {"secret", "order"})  // of each run; of free play
    if (entry.manifest.contains(key))
      throw Error(place + ": manifest: found key " + shown(key) + ", which an entry does not have");
  if (entry.runs.size() < least_secrets)
    throw Error(place + ": found runs of " + std::to_string(entry.runs.size()) + " secrets, allowed are " +
                std::to_string(least_secrets) + " or more");
  const bool single = entry.manifest.at("protocol") == name(Protocol::single);
  const std::vector<std::string> worlds = single ? std::vector<std::string>{"normal", "novel"}
                                                 : std::vector<std::string>{"shift"};
  const int repetitions = count_in(entry.manifest, "trials");
  const auto levels = static_cast<std::size_t>(count_in(entry.manifest, "levels"));
  std::set<std::string> units;
  for (const auto& [secret, trials] : entry.runs)
    for (const TrialResult& trial : trials) units.insert(trial.unit);
  if (single && units.size() != levels)
    throw Error(place + ": found trials of " + std::to_string(units.size()) + " levels, allowed are all " +
                std::to_string(levels) + " of the runs");
  for (const auto& [secret, trials] : entry.runs) {
    if (RunSecret::parse(secret).text() != secret)  // a second spelling of one secret
      throw Error(place + ": secret: found " + shown(secret) + ", allowed are small letters and digits");
    const auto file = places.find(secret);
    const std::string run = (file == places.end() ? place : file->second) + ": run of secret " + secret +
                            ": ";
    std::set<std::tuple<std::string, std::string, int>> keys;
    for (const TrialResult& trial : trials) {
      if (std::find(worlds.begin(), worlds.end(), trial.world) == worlds.end() || trial.trial < 0 ||
          trial.trial >= repetitions || !keys.emplace(trial.unit, trial.world, trial.trial).second)
        throw Error(run + trial_words(trial) + " does not belong there");
      if (entry.description.trials_isolated && !isolated(trial))
        throw Error(run + trial_words(trial) + ": process: found " + shown(trial.process) +
                    ", allowed are built in, own and fork where trials_isolated is true");
    }
    for (const std::string& unit : units)
      for (const std::string& world : worlds)
        for (int trial = 0; trial < repetitions; ++trial)
          if (!keys.contains({unit, world, trial}))
            throw Error(run + "trial " + std::to_string(trial) + " on " + unit + " (" + world +
                        ") is missing; the same agents run goes on with what is missing");
    require_chain(entry, secret, run);
  }
}

/// The agent that is asked for, or the only one.
std::string chosen_agent(const AgentResults& results, const std::string& agent, const std::string& file) {
  std::vector<std::string> names;
  for (const auto& [name, fingerprint] : results.agents) names.push_back(name);
  if (agent.empty() && names.size() == 1) return names.front();
  if (results.agents.contains(agent)) return agent;
  throw Error("--name: found " + (agent.empty() ? "none" : shown(agent)) + ", allowed is an agent of " +
              file + ": " + listed(names));
}

std::string secret_in(const std::filesystem::path& file) {
  const Manifest manifest = ResultsStore(file).manifest();
  const auto secret = manifest.find("secret");
  if (secret == manifest.end()) throw Error(file.string() + ": manifest: secret: found none");
  return RunSecret::parse(secret->second).text();
}

}  // namespace

EntryDescription parse_description(const std::string& json, const std::string& source) {
  const JsonNode node = parse_json(json, source);
  const JsonView view(node, source);
  view.expect_keys({"name", "author", "agent", "training", "simulates_normal_world", "given_novelties",
                    "trials_isolated", "looks", "program_fixed", "played"});
  EntryDescription description{.name = name_of(view.at("name")),
                               .author = line_of(view.at("author")),
                               .agent = line_of(view.at("agent")),
                               .training = line_of(view.at("training")),
                               .simulates_normal_world = view.at("simulates_normal_world").boolean(),
                               .given_novelties = view.at("given_novelties").boolean(),
                               .trials_isolated = view.at("trials_isolated").boolean(),
                               .looks = view.at("looks").integer_from(1),
                               .program_fixed = date_of(view.at("program_fixed")),
                               .played = date_of(view.at("played"))};
  if (description.played < description.program_fixed)
    view.at("played").fail("a date not before program_fixed, " + description.program_fixed);
  return description;
}

std::string description_text(const EntryDescription& d) {
  return nlohmann::ordered_json{{"name", d.name},
                                {"author", d.author},
                                {"agent", d.agent},
                                {"training", d.training},
                                {"simulates_normal_world", d.simulates_normal_world},
                                {"given_novelties", d.given_novelties},
                                {"trials_isolated", d.trials_isolated},
                                {"looks", d.looks},
                                {"program_fixed", d.program_fixed},
                                {"played", d.played}}
      .dump();
}

AgentEntry pack_entry(const std::vector<std::filesystem::path>& results, const std::string& agent,
                      const EntryDescription& description) {
  std::map<std::string, std::vector<std::filesystem::path>> by_secret;
  for (const std::filesystem::path& file : results) by_secret[secret_in(file)].push_back(file);
  AgentEntry entry{
      .description = description, .agent = {}, .fingerprint = {}, .manifest = {}, .runs = {}, .chains = {}};
  std::string first;                          // file
  std::map<std::string, std::string> places;  // files by secret
  for (const auto& [secret, files] : by_secret) {
    AgentResults run = read_results(files, true);
    const std::string file = files.front().string();
    places[secret] = listed({files.begin(), files.end()});
    run.manifest.erase("secret");
    if (first.empty()) {
      first = file;
      entry.manifest = run.manifest;
      entry.agent = chosen_agent(run, agent, file);
      entry.fingerprint = run.agents.at(entry.agent);
    }
    const std::string beside = file + ": cannot stand in one entry with " + first + ": ";
    for (const Manifest* keys : {&entry.manifest, &run.manifest})
      for (const auto& [key, value] : *keys)
        if (entry.manifest[key] != run.manifest[key])
          throw Error(beside + key + " is " + shown(run.manifest[key]) + " here and " +
                      shown(entry.manifest[key]) + " there");
    if (run.agents[entry.agent] != entry.fingerprint)
      throw Error(beside + "agent " + shown(entry.agent) + " " +
                  contrast(run.agents[entry.agent], entry.fingerprint));
    std::vector<TrialResult>& trials = entry.runs[secret];
    std::copy_if(run.trials.begin(), run.trials.end(), std::back_inserter(trials),
                 [&](const TrialResult& trial) { return trial.agent == entry.agent; });
    entry.chains[secret] = std::move(run.chains[entry.agent]);
  }
  require_whole(entry, listed({results.begin(), results.end()}), places);
  return entry;
}

namespace {

Database entry_database(AgentEntry& entry) {
  Database database(":memory:", Database::For::making);
  database.run("BEGIN");
  database.mark(entry_format);
  for (const std::string& table : entry_tables()) database.run(table);
  const auto put = [&](const char* sql, const std::string& key, const std::string& value) {
    Statement(database, sql).bind(key).bind(value).step();
  };
  constexpr const char* into_entry = "INSERT INTO entry VALUES (?, ?)";
  put(into_entry, "agent", entry.agent);
  put(into_entry, "description", description_text(entry.description));
  put(into_entry, "fingerprint", entry.fingerprint);
  for (const auto& [key, value] : entry.manifest) put("INSERT INTO manifest VALUES (?, ?)", key, value);
  for (const auto& [secret, trials] : entry.runs)
    for (const TrialResult& trial : trials) add_trial(database, secret, trial);
  for (const auto& [secret, chains] : entry.chains)
    for (std::size_t part = 0; part < chains.size(); ++part)
      for (const ChainLine& line : chains[part]) add_line(database, secret, static_cast<int>(part) + 1, line);
  entry.hash = hash_of(database);
  put(into_entry, "hash", entry.hash);
  entry.chain_hash = hash_of_chains(database);
  put(into_entry, "chain", entry.chain_hash);
  database.run("COMMIT");
  return database;
}

}  // namespace

void write_entry(AgentEntry& entry, const std::filesystem::path& out) {
  write_file(out, entry_database(entry).bytes());
}

bool is_entry(const std::filesystem::path& file) {
  const Database database(file, Database::For::reading);
  Statement id(database, "PRAGMA application_id");
  return id.step() && id.number(0) == entry_format.application_id;
}

AgentEntry read_entry(const std::filesystem::path& file) {
  const Database database(file, Database::For::reading);
  const std::string& place = database.file();
  database.check(entry_format);
  database.check_integrity();
  std::vector<std::string> found;
  Statement made(database, "SELECT sql FROM sqlite_master ORDER BY name");
  while (made.step()) found.push_back(made.text(0));
  if (found != entry_tables()) throw Error(place + ": has other tables than an entry");
  std::map<std::string, std::string> values = database.pairs("SELECT key, value FROM entry");
  for (const auto& [key, value] : values)
    if (key != "agent" && key != "chain" && key != "description" && key != "fingerprint" && key != "hash")
      throw Error(place + ": table entry: found key " + shown(key) +
                  ", allowed are agent, chain, description, fingerprint and hash");
  for (const auto& [key, hash] :
       {std::pair("hash", hash_of(database)), std::pair("chain", hash_of_chains(database))})
    if (values[key] != hash)
      throw Error(place + ": table entry, key " + key + ": found " + shown(values[key]) + ", allowed is " +
                  shown(hash) + ", the hash of what it holds: it was changed after it was packed");
  AgentEntry entry{.description = parse_description(values["description"], place + ": description"),
                   .agent = values["agent"],
                   .fingerprint = values["fingerprint"],
                   .manifest = database.pairs("SELECT key, value FROM manifest"),
                   .runs = {},
                   .chains = read_chains(database)};
  for (TrialResult& trial : read_trials(database)) {
    std::string secret = std::exchange(trial.agent, entry.agent);
    entry.runs[std::move(secret)].push_back(std::move(trial));
  }
  require_whole(entry, place);
  require_same_cells(database, entry_database(entry));
  return entry;
}

std::vector<AgentResults> results_of(const AgentEntry& entry) {
  std::vector<AgentResults> runs;
  for (const auto& [secret, trials] : entry.runs) {
    runs.push_back({manifest_of_run(entry, secret), {{entry.agent, entry.fingerprint}}, trials});
    if (const auto chains = entry.chains.find(secret); chains != entry.chains.end())
      runs.back().chains[entry.agent] = chains->second;
  }
  return runs;
}

EntryAttempts attempts_of(const AgentEntry& entry) {
  EntryAttempts all;
  for (const auto& [secret, trials] : entry.runs) {
    const ChainFindings found = chain_findings(entry, secret);
    all.again += found.again;
    all.otherwise += found.otherwise;
    for (const std::string& head : found.heads) all.heads.push_back(secret + ": " + head);
  }
  return all;
}

bool trials_isolated(const AgentEntry& entry) {
  return std::all_of(entry.runs.begin(), entry.runs.end(), [](const auto& run) {
    return std::all_of(run.second.begin(), run.second.end(), isolated);
  });
}

}  // namespace startle
