#include "agents/trials/results_store.hpp"

#include <algorithm>
#include <utility>

#include "agents/agent.hpp"
#include "agents/trials/trial_table.hpp"
#include "core/database.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

// "StLe"
constexpr DatabaseFormat format{
    .application_id = 0x53744c65,
    .version = 5,
    .what = "results file of startle agents",
    .advice = "run the agent again, or read the file with the version of Startle that wrote it"};

constexpr const char* schema = R"(
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE agents (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) WITHOUT ROWID;
)";
std::string all_tables() { return schema + trials_table("agent") + ";" + chain_table("agent"); }

/// failed_before_report() of a row of `trials`: `levels` holds shots as "shots":[{...}, ...].
constexpr const char* row_failed = "(status <> 'ok' AND instr(levels, '\"shots\":[{') = 0)";

std::string shown_trial(const TrialResult& r) { return r.agent + ", " + trial_words(r); }

}  // namespace

TrialKey key_of(const TrialResult& r) { return {r.agent, r.unit, r.world, r.trial}; }

struct ResultsStore::Impl {
  Database database;
  struct Begun {
    int part = 0, attempt = 0;
  };
  std::map<TrialKey, Begun> begun = {};
  struct End {
    int part = 1, number = 0;
    std::string hash;
  };
  std::map<std::string, End> ends = {};  ///< by agent, after the last line of this run

  /// All that `call` writes, or nothing.
  template <typename Call>
  void whole(const Call& call) {
    database.run("BEGIN IMMEDIATE");
    try {
      call();
      database.run("COMMIT");
    } catch (const Error&) {
      ends.clear();
      try {
        database.run("ROLLBACK");
      } catch (const Error&) {  // SQLite has done it already
      }
      throw;
    }
  }

  std::string root(const std::string& agent) const {
    const auto agents = database.pairs("SELECT name, fingerprint FROM agents");
    const auto known = agents.find(agent);
    return chain_root(agent, known == agents.end() ? "" : known->second,
                      database.pairs("SELECT key, value FROM manifest"));
  }

  /// Writes the line that make(end of chain) gives, in one statement: a run of programs does so after each
  /// shot. Another run may have written to the file since the last line; then its number is taken.
  template <typename Make>
  ChainLine append(const std::string& agent, int part, const Make& make) {
    for (auto known = ends.find(agent);; known = ends.end()) {
      const bool fresh = known == ends.end() || (part && known->second.part != part);
      const End end = fresh ? end_of_chain(agent, part) : known->second;
      ChainLine line = make(end);
      if (!add_line(database, agent, end.part, line)) continue;
      ends[agent] = {end.part, line.number, line.hash};
      return line;
    }
  }

  /// Of the agent's last chain, or of that part. Another run may have written there since the last line.
  End end_of_chain(const std::string& agent, int part = 0) const {
    Statement last(database, part ? "SELECT part, number, hash FROM chain WHERE agent = ? AND part = ? "
                                    "ORDER BY number DESC LIMIT 1"
                                  : "SELECT part, number, hash FROM chain WHERE agent = ? "
                                    "ORDER BY part DESC, number DESC LIMIT 1");
    last.bind(agent);
    if (part) last.bind(part);
    if (last.step()) return {last.number(0), last.number(1), last.text(2)};
    return {.hash = root(agent)};
  }

  /// `again`: a trial that is played again gives way.
  bool add_row(const TrialResult& r, bool again = false) {
    if (add_trial(database, r.agent, r)) return true;
    Statement row(database,
                  "SELECT status, error, levels FROM trials WHERE agent = ? AND unit = ? AND world = ? AND "
                  "trial = ?");
    row.bind(r.agent).bind(r.unit).bind(r.world).bind(r.trial);
    if (!row.step() || row.text(0) != name(r.status) || row.text(1) != valid_text(r.error) ||
        row.text(2) != levels_text(r.levels)) {
      if (again && take_out_failed(r)) return add_trial(database, r.agent, r);
      throw Error(database.file() + ": " + shown_trial(r) + " is there already, with another result");
    }
    return false;
  }

  bool take_out_failed(const TrialResult& r) {
    const std::string sql =
        "DELETE FROM trials WHERE agent = ? AND unit = ? AND world = ? AND trial = ? AND ";
    Statement(database, (sql + row_failed).c_str())
        .bind(r.agent)
        .bind(r.unit)
        .bind(r.world)
        .bind(r.trial)
        .step();
    return database.changes() == 1;
  }

  /// Chains of another file: what this one has not.
  void add_chains(const std::string& agent, const std::vector<Chain>& theirs) {
    const auto all = read_chains(database);
    const auto of_agent = all.find(agent);
    std::vector<Chain> ours = of_agent == all.end() ? std::vector<Chain>{} : of_agent->second;
    for (const Chain& chain : theirs) {
      const auto same = std::find_if(ours.begin(), ours.end(), [&](const Chain& one) {
        const std::size_t shorter = std::min(one.size(), chain.size());
        return one[shorter - 1].hash == chain[shorter - 1].hash;
      });
      const int part = static_cast<int>(same - ours.begin()) + 1;
      for (std::size_t i = same == ours.end() ? 0 : same->size(); i < chain.size(); ++i)
        add_line(database, agent, part, chain[i]);
      if (same == ours.end()) ours.push_back(chain);
    }
  }
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
                  (key == "secret" ? "; without --secret the same command goes on with that run"
                                   : "; give another file to --out"));
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
  throw Error(impl_->database.file() + ": holds results of another agent " + shown(agent) + ": it " +
              contrast(fingerprint, known) + "; give it another name, or write to another file");
}

void ResultsStore::forget_failed_agent(const std::string& agent, const std::string& fingerprint) {
  const std::string reported = std::string("SELECT 1 FROM trials WHERE agent = name AND NOT ") + row_failed +
                               " UNION ALL SELECT 1 FROM chain WHERE agent = name AND event = 'shot'";
  const std::string forgotten =
      "SELECT name FROM agents WHERE name = ? AND fingerprint <> ? AND NOT EXISTS (" + reported + ")";
  if (!Statement(impl_->database, forgotten.c_str()).bind(agent).bind(fingerprint).step()) return;
  impl_->whole([&] {
    for (const char* table : {"trials WHERE agent", "chain WHERE agent", "agents WHERE name"})
      Statement(impl_->database, ("DELETE FROM " + std::string(table) + " = ?").c_str()).bind(agent).step();
  });
  impl_->ends.erase(agent);
}

std::set<TrialKey> ResultsStore::finished() const {
  std::set<TrialKey> keys;
  const std::string sql = std::string("SELECT agent, unit, world, trial FROM trials WHERE NOT ") + row_failed;
  Statement rows(impl_->database, sql.c_str());
  while (rows.step()) keys.insert({rows.text(0), rows.text(1), rows.text(2), rows.number(3)});
  return keys;
}

void ResultsStore::begin(const TrialKey& trial) {
  const auto& [agent, unit, world, number] = trial;
  const ChainLine line = impl_->append(
      agent, 0, [&, unit = unit, world = world, number = number](const Impl::End& end) {
        return begun_line(end.number, end.hash, unit, world, number);
      });
  impl_->begun[trial] = {impl_->ends.at(agent).part, line.number};
}

void ResultsStore::report(const TrialKey& trial, const PlayedShot& shot) {
  const Impl::Begun begun = impl_->begun.at(trial);
  impl_->append(std::get<0>(trial), begun.part,
                [&](const Impl::End& end) { return shot_line(end.number, end.hash, begun.attempt, shot); });
}

void ResultsStore::add(const TrialResult& r) {
  impl_->whole([&] {
    const auto begun = impl_->begun.find(key_of(r));
    const auto [part, attempt] = begun == impl_->begun.end() ? Impl::Begun{} : begun->second;
    if (begun != impl_->begun.end()) impl_->begun.erase(begun);
    if (!impl_->add_row(r, true)) return;
    const Impl::End end = impl_->end_of_chain(r.agent, part);
    const Chain lines = attempt ? Chain{ended_line(end.number, end.hash, attempt, r)}
                                : whole_attempt(end.number, end.hash, r);
    for (const ChainLine& line : lines) add_line(impl_->database, r.agent, end.part, line);
    impl_->ends[r.agent] = {end.part, lines.back().number, lines.back().hash};
  });
}

void ResultsStore::add_all(const AgentResults& results) {
  impl_->whole([&] {
    for (const auto& [agent, fingerprint] : results.agents) add_agent(agent, fingerprint);
    for (const TrialResult& result : results.trials) impl_->add_row(result);
    for (const auto& [agent, chains] : results.chains) impl_->add_chains(agent, chains);
  });
}

std::vector<TrialResult> ResultsStore::results() const { return read_trials(impl_->database); }
std::string ResultsStore::head(const std::string& agent) const {
  const Impl::End end = impl_->end_of_chain(agent);
  return std::to_string(end.number) + " " + end.hash;
}
std::map<std::string, std::vector<Chain>> ResultsStore::chains() const {
  return read_chains(impl_->database);
}

AgentResults read_results(const std::vector<std::filesystem::path>& files, bool with_chains) {
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
        throw Error(file.string() + ": agent " + shown(agent) + " " + contrast(fingerprint, known->second) +
                    ", in the files before");
    if (with_chains)
      for (auto& [agent, chains] : store.chains())
        std::move(chains.begin(), chains.end(), std::back_inserter(all.chains[agent]));
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
  for (auto& [agent, chains] : all.chains) chains = joined(std::move(chains));
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
          known != runs.front().agents.end() && without_limits(known->second) != without_limits(fingerprint))
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
  const AgentResults all = read_results(files, true);  // before anything is written
  bool fresh = Database::is_new(out);
  auto merged = std::make_unique<ResultsStore>(out, all.manifest);
  fresh = fresh && merged->agents().empty();  // now that nobody else can write to it
  try {
    merged->add_all(all);
    return merged->results().size();
  } catch (const Error&) {
    merged.reset();
    std::error_code none;
    if (fresh)
      for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(out.string() + end, none);
    throw;
  }
}

}  // namespace startle
