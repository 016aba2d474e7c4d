#include "agents/results_store.hpp"

#include <algorithm>
#include <utility>

#include "agents/agent.hpp"
#include "agents/database.hpp"
#include "agents/trial_table.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

// "StLe"
constexpr DatabaseFormat format{
    .application_id = 0x53744c65, .version = 3, .what = "results file of startle agents"};

constexpr const char* schema = R"(
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE agents (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) WITHOUT ROWID;
)";
std::string all_tables() { return schema + trials_table("agent"); }

std::string shown_trial(const TrialResult& r) {
  return "trial " + std::to_string(r.trial) + " of " + r.agent + " on " + r.unit + " (" + r.world + ")";
}

}  // namespace

TrialKey key_of(const TrialResult& r) { return {r.agent, r.unit, r.world, r.trial}; }

struct ResultsStore::Impl {
  Database database;
};

ResultsStore::ResultsStore(const std::filesystem::path& path, const Manifest& manifest)
    : impl_(new Impl{Database::open_or_make(
          path, {.format = format,
                 .tables = all_tables(),
                 .fill =
                     [&](Database& fresh) {
                       for (const auto& [key, value] : manifest)
                         Statement(fresh, "INSERT INTO manifest VALUES (?, ?)").bind(key).bind(value).step();
                     },
                 .one_writer = true})}) {
  Database& database = impl_->database;
  // Before anything is changed in a file that may be damaged.
  database.check_integrity();
  Manifest known = this->manifest();
  results();
  for (const auto& [key, value] : manifest)
    if (known[key] != value)
      throw Error(database.file() + ": holds results of another run: " + key + " is " + shown(known[key]) +
                  " there and " + shown(value) + " here" +
                  (key == "secret" ? "; without --secret the same command goes on with that run" : ""));
  database.log_ahead();
}

ResultsStore::ResultsStore(const std::filesystem::path& path)
    : impl_(new Impl{Database(path, Database::For::reading)}) {
  impl_->database.check(format, all_tables());
}

ResultsStore::~ResultsStore() = default;
ResultsStore::ResultsStore(ResultsStore&&) noexcept = default;

Manifest ResultsStore::manifest() const { return impl_->database.pairs("SELECT key, value FROM manifest"); }
std::map<std::string, std::string> ResultsStore::agents() const {
  return impl_->database.pairs("SELECT name, fingerprint FROM agents");
}

void ResultsStore::add_agent(const std::string& agent, const std::string& fingerprint) {
  // One statement, for another run may do the same at this moment.
  Statement(impl_->database, "INSERT INTO agents VALUES (?, ?) ON CONFLICT DO NOTHING")
      .bind(agent)
      .bind(fingerprint)
      .step();
  const std::string known = agents().at(agent);
  if (known == fingerprint) return;
  throw Error(impl_->database.file() + ": holds results of another agent " + shown(agent) + ": " +
              shown(known) + " there and " + shown(fingerprint) +
              " here; give it another name, or write to another file");
}

std::set<TrialKey> ResultsStore::finished() const {
  std::set<TrialKey> keys;
  Statement rows(impl_->database, "SELECT agent, unit, world, trial FROM trials");
  while (rows.step()) keys.insert({rows.text(0), rows.text(1), rows.text(2), rows.number(3)});
  return keys;
}

void ResultsStore::add(const TrialResult& r) {
  if (add_trial(impl_->database, r.agent, r)) return;
  Statement row(
      impl_->database,
      "SELECT status, error, levels FROM trials WHERE agent = ? AND unit = ? AND world = ? AND trial = ?");
  row.bind(r.agent).bind(r.unit).bind(r.world).bind(r.trial);
  if (!row.step() || row.text(0) != name(r.status) || row.text(1) != valid_text(r.error) ||
      row.text(2) != levels_text(r.levels))
    throw Error(impl_->database.file() + ": " + shown_trial(r) + " is there already, with another result");
}

void ResultsStore::add_all(const AgentResults& results) {
  impl_->database.run("BEGIN IMMEDIATE");
  try {
    for (const auto& [agent, fingerprint] : results.agents) add_agent(agent, fingerprint);
    for (const TrialResult& result : results.trials) add(result);
    impl_->database.run("COMMIT");
  } catch (const Error&) {
    try {
      impl_->database.run("ROLLBACK");
    } catch (const Error&) {  // SQLite has done it already
    }
    throw;
  }
}

std::vector<TrialResult> ResultsStore::results() const { return read_trials(impl_->database); }

AgentResults read_results(const std::vector<std::filesystem::path>& files) {
  if (files.empty()) throw Error("no results file is given");
  AgentResults all;
  std::map<TrialKey, TrialResult> by_key;
  for (const std::filesystem::path& file : files) {
    const ResultsStore store(file);
    const Manifest theirs = store.manifest();
    if (file == files.front()) all.manifest = theirs;
    for (const auto& [key, value] : all.manifest)
      if (const auto found = theirs.find(key); found == theirs.end() || found->second != value)
        throw Error(file.string() + ": cannot be put together with " + files.front().string() + ": " + key +
                    " differs");
    for (const auto& [agent, fingerprint] : store.agents())
      if (const auto [known, fresh] = all.agents.emplace(agent, fingerprint);
          !fresh && known->second != fingerprint)
        throw Error(file.string() + ": agent " + shown(agent) + " is another one than in the files before");
    for (TrialResult& result : store.results()) {
      const TrialKey key = key_of(result);
      const auto found = by_key.find(key);
      if (found == by_key.end()) {
        by_key.emplace(key, std::move(result));
        continue;
      }
      result.retries = found->second.retries;  // these may depend on the clock
      result.process = found->second.process;
      if (!(found->second == result))
        throw Error(file.string() + ": " + shown_trial(result) + " has another result in the files before");
    }
  }
  for (auto& [key, result] : by_key) all.trials.push_back(std::move(result));
  return all;
}

std::vector<AgentResults> read_runs(const std::vector<std::filesystem::path>& files) {
  if (files.empty()) throw Error("no results file is given");
  std::map<std::string, std::vector<std::filesystem::path>> by_protocol;
  for (const std::filesystem::path& file : files) {
    const Manifest manifest = ResultsStore(file).manifest();
    for (const char* key : {"protocol", "program", "levels", "profile"})
      if (!manifest.contains(key))
        throw Error(file.string() + ": does not say what it was made from (" + key + ")");
    by_protocol[manifest.at("protocol")].push_back(file);
  }
  std::vector<AgentResults> runs;
  for (const Protocol protocol : {Protocol::single, Protocol::shift})
    if (const auto of_protocol = by_protocol.find(name(protocol)); of_protocol != by_protocol.end())
      runs.push_back(read_results(of_protocol->second));
  for (const AgentResults& run : runs) {
    for (const char* key : {"program", "levels", "profile"})
      if (run.manifest.at(key) != runs.front().manifest.at(key))
        throw Error(files.front().string() +
                    ": runs of two protocols stand side by side only where they are of the same " + key +
                    ", and that differs");
    for (const auto& [agent, fingerprint] : run.agents)
      if (const auto known = runs.front().agents.find(agent);
          known != runs.front().agents.end() && known->second != fingerprint)
        throw Error(files.front().string() + ": agent " + shown(agent) +
                    " is another one in the run of the other protocol");
  }
  return runs;
}

std::size_t merge_results(const std::vector<std::filesystem::path>& files, const std::filesystem::path& out) {
  for (const std::filesystem::path& file : files) {
    std::error_code none;
    if (std::filesystem::equivalent(file, out, none))
      throw Error(file.string() + ": cannot be merged into itself");
  }
  const AgentResults all = read_results(files);  // before anything is written
  bool fresh = Database::is_new(out);
  auto merged = std::make_unique<ResultsStore>(out, all.manifest);
  fresh = fresh && merged->agents().empty();  // now that nobody else can write to it
  try {
    merged->add_all(all);
    return merged->finished().size();
  } catch (const Error&) {
    merged.reset();
    std::error_code none;
    if (fresh)
      for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(out.string() + end, none);
    throw;
  }
}

}  // namespace startle
