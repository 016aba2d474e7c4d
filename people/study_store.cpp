#include "people/study_store.hpp"

#include <algorithm>
#include <cctype>
#include <random>

#include "agents/database.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "levels/level_json.hpp"
#include "sim/embedded_profiles.hpp"

namespace startle {
namespace {

constexpr DatabaseFormat format{
    .application_id = 0x53745065, .version = 1, .what = "study with people"};  // "StPe"

constexpr const char* schema = R"(
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE levels (name TEXT PRIMARY KEY, hash TEXT NOT NULL, novelty TEXT NOT NULL, tier TEXT NOT NULL,
  pid REAL NOT NULL, bid REAL NOT NULL, value REAL NOT NULL, birds INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE participants (number INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, withdrawn INTEGER NOT NULL);
CREATE TABLE plan (participant INTEGER NOT NULL, part TEXT NOT NULL, position INTEGER NOT NULL, level TEXT NOT NULL, world TEXT NOT NULL,
  PRIMARY KEY (participant, part, position)) WITHOUT ROWID;
CREATE TABLE events (participant INTEGER NOT NULL, sequence INTEGER NOT NULL, session INTEGER NOT NULL, seconds REAL NOT NULL,
  event TEXT NOT NULL, position INTEGER, number INTEGER, angle REAL, stretch REAL, tap_time REAL,
  score REAL, pigs_left INTEGER, birds_left INTEGER, trace TEXT, confidence REAL, description TEXT,
  PRIMARY KEY (participant, sequence)) WITHOUT ROWID;
)";

std::string hash_of(const std::string& text) {
  Hash hash;
  hash.add(text);
  return hexadecimal(hash.value());
}

/// Nobody's: drawn from the machine's entropy, not from the study's seed. Without letters and digits that
/// look alike.
std::string fresh_code() {
  constexpr std::string_view letters = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
  std::random_device entropy;
  std::uniform_int_distribution<std::size_t> letter(0, letters.size() - 1);
  std::string code;
  for (int i = 0; i < 8; ++i) {
    if (i == 4) code += '-';
    code += letters[letter(entropy)];
  }
  return code;
}

std::string plain(const std::string& code) {
  std::string text;
  for (const unsigned char c : code)
    if (std::isalnum(c)) text += static_cast<char>(std::toupper(c));
  return text;
}

constexpr const char* consent_text = "consent_text";

}  // namespace

StudyRecord make_study_record(const std::string& program, const Profile& profile, const std::string& consent,
                              const StudySettings& settings, const std::vector<StudyLevel>& levels,
                              const std::vector<StoredLevel>& practice) {
  StudyRecord record{.levels = levels};
  std::sort(record.levels.begin(), record.levels.end(),
            [](const StudyLevel& a, const StudyLevel& b) { return a.name < b.name; });
  Hash of_levels, of_practice;
  for (const StudyLevel& level : record.levels) of_levels.add(level.hash);
  for (const StoredLevel& level : practice) of_practice.add(level_to_json(level));
  record.manifest = {
      {"program", program},
      {"profile", profile.name + " " + hash_of(embedded_profiles().at(profile.name))},
      {"levels", std::to_string(levels.size()) + " " + hexadecimal(of_levels.value())},
      {"practice", std::to_string(practice.empty() ? settings.practice : static_cast<int>(practice.size()))},
      {"practice_levels", practice.empty() ? "drawn" : hexadecimal(of_practice.value())},
      {"items", std::to_string(settings.items)},
      {"normal", std::to_string(settings.normal)},
      {"seed", std::to_string(settings.seed)},
      {"consent", hash_of(consent)},
      {consent_text, consent}};
  return record;
}

struct StudyStore::Impl {
  Database database;
  Statement statement(const char* sql) const { return Statement(database, sql); }
  /// Everything in `work` or nothing of it.
  template <typename Work>
  void transaction(const Work& work) {
    database.run("BEGIN IMMEDIATE");
    try {
      work();
      database.run("COMMIT");
    } catch (...) {
      try {
        database.run("ROLLBACK");
      } catch (const Error&) {  // SQLite has rolled back by itself, as it does on a full disk
      }
      throw;
    }
  }
};

StudyStore::StudyStore(const std::filesystem::path& path, const StudyRecord& record)
    : impl_(new Impl{{path, Database::For::making}}) {
  Database& database = impl_->database;
  if (!database.empty())
    database.check(format);  // before anything is changed in a file that may be somebody else's
  database.run("PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA");
  impl_->transaction([&] {
    if (database.empty()) {
      database.mark(format);
      database.run(schema);
      for (const auto& [key, value] : record.manifest)
        impl_->statement("INSERT INTO manifest VALUES (?, ?)").bind(key).bind(value).step();
      for (const StudyLevel& level : record.levels)
        impl_->statement("INSERT INTO levels VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            .bind(level.name)
            .bind(hexadecimal(level.hash))
            .bind(level.novelty)
            .bind(level.tier)
            .bind(level.pid)
            .bind(level.bid)
            .bind(level.value)
            .bind(level.birds)
            .step();
      return;
    }
    Manifest known = this->record().manifest;
    for (const auto& [key, value] : record.manifest)
      if (known[key] != value)
        throw Error(file() + ": holds another study: " + key + " is " + shown(known[key]) + " there and " +
                    shown(value) + " here; use the same options, or another file");
  });
}

StudyStore::StudyStore(const std::filesystem::path& path)
    // For writing: after a power failure what was half written is first undone, which a reader may not do.
    : impl_(new Impl{{path, Database::For::writing}}) {
  impl_->database.check(format);
  impl_->database.run("PRAGMA synchronous = EXTRA");
}

StudyStore::~StudyStore() = default;
StudyStore::StudyStore(StudyStore&&) noexcept = default;

const std::string& StudyStore::file() const { return impl_->database.file(); }

StudyRecord StudyStore::record() const {
  StudyRecord record;
  Statement pairs(impl_->database, "SELECT key, value FROM manifest");
  while (pairs.step()) record.manifest.emplace(pairs.text(0), pairs.text(1));
  for (const char* key : {"program", "profile", "levels", "practice", "practice_levels", "items", "normal",
                          "seed", "consent", consent_text})
    if (!record.manifest.contains(key))
      throw Error(file() + ": table manifest: '" + key + "' is missing; the file is damaged");
  Statement rows(impl_->database,
                 "SELECT name, hash, novelty, tier, pid, bid, value, birds FROM levels ORDER BY name");
  while (rows.step()) {
    const std::string hash = rows.text(1);
    const std::optional<std::uint64_t> number = parse_number<std::uint64_t>(hash, 16);
    if (!number) throw Error(file() + ": table levels: found hash '" + hash + "'; the file is damaged");
    record.levels.push_back({.name = rows.text(0),
                             .hash = *number,
                             .novelty = rows.text(2),
                             .tier = rows.text(3),
                             .pid = rows.real(4),
                             .bid = rows.real(5),
                             .value = rows.real(6),
                             .birds = rows.number(7)});
  }
  return record;
}

std::vector<StudyParticipant> StudyStore::participants() const {
  std::vector<StudyParticipant> all;
  Statement rows(impl_->database, "SELECT number, code, withdrawn FROM participants ORDER BY number");
  while (rows.step()) {
    StudyParticipant& one = all.emplace_back(
        StudyParticipant{.number = rows.number(0), .code = rows.text(1), .withdrawn = rows.number(2) != 0});
    Statement plan(impl_->database,
                   "SELECT part, level, world FROM plan WHERE participant = ? ORDER BY part, position");
    plan.bind(one.number);
    while (plan.step()) {
      if (plan.text(0) == "practice")
        one.practice.push_back(plan.text(1));
      else
        one.items.push_back({plan.text(1), plan.text(2) == "novel"});
    }
  }
  return all;
}

StudyParticipant StudyStore::participant(const std::string& code) const {
  std::vector<std::string> codes;
  for (const StudyParticipant& one : participants()) {
    if (one.withdrawn) continue;
    if (plain(one.code) == plain(code)) return one;
    codes.push_back(one.code);
  }
  throw Error(file() + ": no participant has the code " + shown(code) + "; there are " +
              (codes.empty() ? "none" : listed(codes)));
}

std::vector<StudyEvent> StudyStore::events(const StudyParticipant& participant) const {
  std::vector<StudyEvent> all;
  Statement rows(impl_->database,
                 "SELECT session, seconds, event, position, number, angle, stretch, tap_time, score, "
                 "pigs_left, birds_left, trace, confidence, "
                 "description FROM events WHERE participant = ? ORDER BY sequence");
  rows.bind(participant.number);
  while (rows.step()) {
    StudyEvent& event = all.emplace_back(StudyEvent{.session = rows.number(0), .seconds = rows.real(1)});
    try {
      event.kind = study_event_kind(rows.text(2));
    } catch (const Error& error) {
      throw Error(file() + ": table events: " + error.what());
    }
    if (!rows.is_null(3)) event.position = rows.number(3);
    if (!rows.is_null(4)) event.number = rows.number(4);
    if (!rows.is_null(5))
      event.shot = Shot{
          .angle = rows.real(5), .stretch = rows.real(6), .tap_time = rows.is_null(7) ? -1 : rows.real(7)};
    if (!rows.is_null(8))
      event.outcome = ShotOutcome{.score = rows.real(8),
                                  .pigs_left = rows.number(9),
                                  .birds_left = rows.number(10),
                                  .trace = rows.text(11)};
    if (!rows.is_null(12)) event.confidence = rows.real(12);
    event.description = rows.text(13);
  }
  return all;
}

StudyParticipant StudyStore::add_participant(const StudySettings& settings,
                                             const std::vector<std::string>& practice) {
  StudyParticipant one;
  impl_->transaction([&] {
    Statement count(impl_->database, "SELECT count(*) FROM participants");
    count.step();
    one = {.number = count.number(0), .code = fresh_code(), .practice = practice};
    const std::vector<StudyLevel> levels = record().levels;
    const StudyPlan plan = plan_study(levels, settings, one.number, !practice.empty());
    for (const std::size_t level : plan.practice) one.practice.push_back(levels[level].name);
    for (const StudyItem& item : plan.items) one.items.push_back({levels[item.level].name, item.novel});
    impl_->statement("INSERT INTO participants VALUES (?, ?, 0)").bind(one.number).bind(one.code).step();
    const auto add_row = [&](const char* part, std::size_t position, const std::string& level, bool novel) {
      impl_->statement("INSERT INTO plan VALUES (?, ?, ?, ?, ?)")
          .bind(one.number)
          .bind(part)
          .bind(static_cast<int>(position))
          .bind(level)
          .bind(novel ? "novel" : "normal")
          .step();
    };
    for (std::size_t i = 0; i < one.practice.size(); ++i) add_row("practice", i, one.practice[i], false);
    for (std::size_t i = 0; i < one.items.size(); ++i)
      add_row("item", i, one.items[i].level, one.items[i].novel);
  });
  return one;
}

void StudyStore::add(const StudyParticipant& participant, std::size_t sequence, const StudyEvent& e) {
  Statement row(impl_->database,
                "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  row.bind(participant.number)
      .bind(static_cast<int>(sequence))
      .bind(e.session)
      .bind(e.seconds)
      .bind(name(e.kind));
  e.position < 0 ? row.bind_null() : row.bind(e.position);
  e.number == 0 ? row.bind_null() : row.bind(e.number);
  if (e.shot) {
    row.bind(e.shot->angle).bind(e.shot->stretch);
    e.shot->tap_time < 0 ? row.bind_null() : row.bind(e.shot->tap_time);
  } else {
    row.bind_null().bind_null().bind_null();
  }
  if (e.outcome)
    row.bind(e.outcome->score).bind(e.outcome->pigs_left).bind(e.outcome->birds_left).bind(e.outcome->trace);
  else
    row.bind_null().bind_null().bind_null().bind_null();
  e.confidence ? row.bind(*e.confidence) : row.bind_null();
  e.kind == StudyEventKind::reported ? row.bind(e.description) : row.bind_null();
  row.step();
}

void StudyStore::withdraw(const std::string& code) {
  const StudyParticipant one = participant(code);
  impl_->database.run("PRAGMA secure_delete = ON");
  impl_->transaction([&] {
    impl_->statement("DELETE FROM events WHERE participant = ?").bind(one.number).step();
    impl_->statement("DELETE FROM plan WHERE participant = ?").bind(one.number).step();
    impl_->statement("UPDATE participants SET code = ?, withdrawn = 1 WHERE number = ?")
        .bind("withdrawn " + std::to_string(one.number + 1))
        .bind(one.number)
        .step();
  });
  impl_->database.run("VACUUM");
}

}  // namespace startle
