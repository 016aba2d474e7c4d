#include "people/study_store.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <mutex>
#include <random>
#include <set>

#include "agents/trials/secret.hpp"
#include "core/database.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "levels/level_json.hpp"
#include "sim/embedded_profiles.hpp"

namespace startle {
namespace {

constexpr DatabaseFormat format{
    .application_id = 0x53745065, .version = 2, .what = "study with people"};  // "StPe"

constexpr const char* schema = R"(
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE secret (value TEXT NOT NULL);
CREATE TABLE levels (name TEXT PRIMARY KEY, hash TEXT NOT NULL, novelty TEXT NOT NULL, tier TEXT NOT NULL,
  pid REAL NOT NULL, bid REAL NOT NULL, value REAL NOT NULL, birds INTEGER NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE practice (position INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE participants (number INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, link TEXT UNIQUE, recruiter TEXT UNIQUE,
  place INTEGER, given_up INTEGER NOT NULL, withdrawn INTEGER NOT NULL);
CREATE TABLE plan (participant INTEGER NOT NULL, part TEXT NOT NULL, position INTEGER NOT NULL, level TEXT NOT NULL, world TEXT NOT NULL,
  PRIMARY KEY (participant, part, position)) WITHOUT ROWID;
CREATE TABLE events (participant INTEGER NOT NULL, sequence INTEGER NOT NULL, session INTEGER NOT NULL, seconds REAL NOT NULL,
  event TEXT NOT NULL, position INTEGER, number INTEGER, angle REAL, stretch REAL, tap_time REAL,
  score REAL, pigs_left INTEGER, birds_left INTEGER, trace TEXT, confidence REAL, description TEXT,
  PRIMARY KEY (participant, sequence)) WITHOUT ROWID;
)";

/// Without letters and digits that look alike.
constexpr std::string_view code_letters = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

std::string hash_of(const std::string& text) {
  Hash hash;
  hash.add(text);
  return hexadecimal(hash.value());
}

/// Nobody's: drawn from the machine's entropy, not from the study's seed.
std::string fresh_code() {
  std::random_device entropy;
  std::uniform_int_distribution<std::size_t> letter(0, code_letters.size() - 1);
  std::string code;
  for (int i = 0; i < 8; ++i) {
    if (i == 4) code += '-';
    code += code_letters[letter(entropy)];
  }
  return code;
}

std::string plain(const std::string& code) {
  std::string text;
  for (const unsigned char c : code)
    if (std::isalnum(c)) text += static_cast<char>(std::toupper(c));
  return text;
}

/// A link is 128 random bits, so that its hash needs neither salt nor slowness.
std::string link_hash(const std::string& link) { return hash_of_texts({"study link", link}); }

constexpr const char* consent_text = "consent_text";
constexpr const char* texts_json = "texts_json";
constexpr const char* questions_json = "questions_json";  ///< a study made before there were any has none
constexpr std::array<const char*, 15> manifest_keys{
    "program",    "profile",  "levels",    "practice", "practice_levels",
    "items",      "normal",   "attention", "seed",     "consent",
    consent_text, "language", "texts",     texts_json, "return_address"};

/// What is not seen at the ends of an identifier: blanks of all kinds, marks of direction and of byte order.
constexpr std::array<std::string_view, 27> unseen{" ",
                                                  "\t",
                                                  "\n",
                                                  "\r",
                                                  "\v",
                                                  "\f",
                                                  "\xc2\xa0",
                                                  "\xe1\x9a\x80",
                                                  "\xe2\x80\x80",
                                                  "\xe2\x80\x81",
                                                  "\xe2\x80\x82",
                                                  "\xe2\x80\x83",
                                                  "\xe2\x80\x84",
                                                  "\xe2\x80\x85",
                                                  "\xe2\x80\x86",
                                                  "\xe2\x80\x87",
                                                  "\xe2\x80\x88",
                                                  "\xe2\x80\x89",
                                                  "\xe2\x80\x8a",
                                                  "\xe2\x80\x8b",
                                                  "\xe2\x80\x8c",
                                                  "\xe2\x80\x8d",
                                                  "\xe2\x80\x8e",
                                                  "\xe2\x80\x8f",
                                                  "\xe2\x80\xaf",
                                                  "\xe3\x80\x80",
                                                  "\xef\xbb\xbf"};

std::string profile_text(const std::string& name) {
  return name + " " + hash_of(embedded_profiles().at(name));
}

constexpr std::size_t longest_address = 500;

void require_address(const std::string& address) {
  if (address.empty()) return;
  const bool scheme = address.starts_with("https://") || address.starts_with("http://");
  if (!scheme || address.size() > longest_address ||
      std::any_of(address.begin(), address.end(), [](unsigned char c) { return c <= ' ' || c == 127; }))
    throw Error("--return-address: found " + shown(address) +
                ", allowed are addresses that begin with https:// or http://, up to " +
                std::to_string(longest_address) + " bytes without blanks");
}

template <typename Number>
Number number_of(const Manifest& manifest, const std::string& key) {
  const auto found = manifest.find(key);
  const std::optional<Number> number = found == manifest.end() ? std::nullopt
                                                               : parse_number<Number>(found->second);
  if (!number)
    throw Error("study: manifest: " + key + ": found " + shown(found == manifest.end() ? "" : found->second) +
                ", allowed are whole numbers");
  return *number;
}

/// What a fresh file of that study holds.
void fill_study(Database& database, const StudyRecord& record) {
  Statement(database, "INSERT INTO secret VALUES (?)").bind(RunSecret::fresh().text()).step();
  for (const auto& [key, value] : record.manifest)
    Statement(database, "INSERT INTO manifest VALUES (?, ?)").bind(key).bind(value).step();
  for (const StudyLevel& level : record.levels)
    Statement(database, "INSERT INTO levels VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(level.name)
        .bind(hexadecimal(level.hash))
        .bind(level.novelty)
        .bind(level.tier)
        .bind(level.pid)
        .bind(level.bid)
        .bind(level.value)
        .bind(level.birds)
        .bind(level.text)
        .step();
  for (std::size_t i = 0; i < record.practice.size(); ++i)
    Statement(database, "INSERT INTO practice VALUES (?, ?, ?)")
        .bind(static_cast<int>(i))
        .bind(record.practice[i].name)
        .bind(record.practice[i].text)
        .step();
}

Database open_study(const std::filesystem::path& path, Database::For purpose) {
  Database database(path, purpose);
  database.check(format, schema);
  if (purpose == Database::For::writing) database.run("PRAGMA synchronous = EXTRA");
  return database;
}

}  // namespace

bool is_study_link(const std::string& text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string plain_identifier(const std::string& identifier) {
  std::string_view left = identifier;
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view mark : unseen) {
      if (left.starts_with(mark)) left.remove_prefix(mark.size()), more = true;
      if (left.ends_with(mark)) left.remove_suffix(mark.size()), more = true;
    }
  }
  return std::string(left);
}

StudySettings StudyRecord::settings() const {
  return {.practice = number_of<int>(manifest, "practice"),
          .items = number_of<int>(manifest, "items"),
          .normal = number_of<int>(manifest, "normal"),
          .attention = number_of<int>(manifest, "attention"),
          .seed = number_of<std::uint64_t>(manifest, "seed")};
}

StudyTexts StudyRecord::texts() const {
  return StudyTexts::stored(manifest.at(texts_json), "texts of the study");
}

StudyQuestions StudyRecord::questions() const {
  const auto found = manifest.find(questions_json);
  if (found == manifest.end() || found->second.empty()) return {};
  return StudyQuestions::parse(found->second, "questions of the study");
}

StudyRecord make_study_record(const StudySetup& setup) {
  require_address(setup.return_address);
  StudyRecord record{.levels = setup.levels};
  std::sort(record.levels.begin(), record.levels.end(),
            [](const StudyLevel& a, const StudyLevel& b) { return a.name < b.name; });
  // A place for each cell: then every cell has been dealt to as often as it ever is in one place.
  std::set<std::pair<std::string, std::string>> cells;
  for (const StudyLevel& level : record.levels) cells.emplace(level.novelty, level.tier);
  plan_study(record.levels, setup.settings, static_cast<int>(cells.size()), !setup.practice.empty());
  Hash of_levels, of_practice;
  for (const StudyLevel& level : record.levels) of_levels.add(level.hash);
  for (const StoredLevel& level : setup.practice) {
    record.practice.push_back({level.name, level_to_json(level)});
    of_practice.add(record.practice.back().text);
  }
  const bool drawn = setup.practice.empty();
  const StudySettings& settings = setup.settings;
  record.manifest = {
      {"program", setup.program},
      {"profile", profile_text(setup.profile->name)},
      {"levels", std::to_string(record.levels.size()) + " " + hexadecimal(of_levels.value())},
      {"practice", std::to_string(drawn ? settings.practice : static_cast<int>(setup.practice.size()))},
      {"practice_levels", drawn ? "drawn" : hexadecimal(of_practice.value())},
      {"items", std::to_string(settings.items)},
      {"normal", std::to_string(settings.normal)},
      {"attention", std::to_string(settings.attention)},
      {"seed", std::to_string(settings.seed)},
      {"consent", hash_of(setup.consent)},
      {consent_text, setup.consent},
      {"language", setup.texts.language()},
      {"texts", hash_of(setup.texts.json())},
      {texts_json, setup.texts.json()},
      {questions_json, setup.questions.json()},
      {"return_address", setup.return_address}};
  return record;
}

std::shared_ptr<const Profile> study_profile(const StudyRecord& record, const std::string& program) {
  const std::string& made_by = record.manifest.at("program");
  if (made_by != program)
    throw Error("study: found one made by " + shown(made_by) + ", allowed is one made by " + program);
  const std::string& constants = record.manifest.at("profile");
  for (const auto& [name, text] : embedded_profiles())
    if (constants == profile_text(name)) return profile(name);
  throw Error("study: found profile " + shown(constants) + ", which " + program + " does not have");
}

/// Everything here is for who holds the mutex: nothing in it locks.
struct StudyStore::Impl {
  Database database;
  std::mutex mutex = {};

  explicit Impl(Database opened) : database(std::move(opened)) {}

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
  const std::string& file() const { return database.file(); }
  /// A text of the file. Throws Error where it is not UTF-8, which nothing of ours ever was.
  std::string text(const Statement& row, int column) const {
    std::string found = row.text(column);
    if (first_invalid_utf8(found) != std::string::npos)
      throw Error(file() + ": found a text that is not UTF-8; the file is damaged");
    return found;
  }

  /// The answers of an event, which the file holds as JSON.
  StudyAnswers answers(const Statement& row, int column) const {
    const std::string source = file() + ": table events: answers";
    const JsonNode node = parse_json(text(row, column), source);
    return read_answers(JsonView(node, source));
  }

  StudyRecord record() const;
  bool asks_questions() const;
  /// Of participants that `where` selects; its one parameter, where it has one, is `value`.
  std::vector<StudyParticipant> participants(const std::string& where = "",
                                             const std::optional<std::string>& value = {}) const;
  StudyParticipant participant(const std::string& code) const;
  /// As it is in the file now. Throws Error for one who has withdrawn since.
  StudyParticipant current(const StudyParticipant& participant) const;
  std::set<int> held_places() const;
  bool at_end(int number) const;
  RunSecret secret() const;
  /// As the file holds it. Keyed with the study's secret: the hashes of two studies cannot be compared.
  std::string identifier_hash(const std::string& identifier) const {
    return hash_of_texts({"recruiter", secret().text(), plain_identifier(identifier)});
  }

  int participant_count() const;
  StudyParticipant insert(int number, const std::optional<std::string>& link,
                          const std::optional<std::string>& recruiter);
  StudyParticipant take_place(StudyParticipant one);
  StudyInvitation renew_link(const StudyParticipant& one);
};

StudyRecord StudyStore::Impl::record() const {
  StudyRecord record;
  Statement pairs(database, "SELECT key, value FROM manifest");
  while (pairs.step()) record.manifest.emplace(text(pairs, 0), text(pairs, 1));
  record.manifest.try_emplace(questions_json, "");
  for (const char* key : manifest_keys)
    if (!record.manifest.contains(key))
      throw Error(file() + ": table manifest: '" + key + "' is missing; the file is damaged");
  Statement rows(database,
                 "SELECT name, hash, novelty, tier, pid, bid, value, birds, text FROM levels ORDER BY name");
  while (rows.step()) {
    const std::string hash = text(rows, 1);
    const std::optional<std::uint64_t> number = parse_number<std::uint64_t>(hash, 16);
    if (!number) throw Error(file() + ": table levels: found hash '" + hash + "'; the file is damaged");
    record.levels.push_back({.name = text(rows, 0),
                             .hash = *number,
                             .novelty = text(rows, 2),
                             .tier = text(rows, 3),
                             .pid = rows.real(4),
                             .bid = rows.real(5),
                             .value = rows.real(6),
                             .birds = rows.number(7),
                             .text = text(rows, 8)});
  }
  Statement practice(database, "SELECT name, text FROM practice ORDER BY position");
  while (practice.step()) record.practice.push_back({text(practice, 0), text(practice, 1)});
  return record;
}

bool StudyStore::Impl::asks_questions() const {
  Statement row(database, "SELECT value <> '' FROM manifest WHERE key = ?");
  return row.bind(questions_json).step() && row.number(0) != 0;
}

std::vector<StudyParticipant> StudyStore::Impl::participants(const std::string& where,
                                                             const std::optional<std::string>& value) const {
  std::vector<StudyParticipant> all;
  const bool asks = asks_questions();
  Statement rows(database, ("SELECT number, code, place, given_up, withdrawn, recruiter IS NOT NULL "
                            "FROM participants " +
                            where + " ORDER BY number")
                               .c_str());
  if (value) rows.bind(*value);
  while (rows.step()) {
    StudyParticipant& one = all.emplace_back(StudyParticipant{.number = rows.number(0),
                                                              .code = text(rows, 1),
                                                              .given_up = rows.number(3) != 0,
                                                              .withdrawn = rows.number(4) != 0,
                                                              .enrolled = rows.number(5) != 0,
                                                              .asks_questions = asks});
    if (!rows.is_null(2)) one.place = rows.number(2);
    Statement plan(database,
                   "SELECT part, level, world FROM plan WHERE participant = ? ORDER BY part, position");
    plan.bind(one.number);
    while (plan.step()) {
      if (text(plan, 0) == "practice")
        one.practice.push_back(text(plan, 1));
      else
        one.items.push_back({.level = text(plan, 1),
                             .novel = text(plan, 2) == "novel",
                             .attention = text(plan, 2) == "attention"});
    }
  }
  return all;
}

StudyParticipant StudyStore::Impl::participant(const std::string& code) const {
  std::vector<std::string> codes;
  for (const StudyParticipant& one : participants()) {
    if (one.withdrawn) continue;
    if (plain(one.code) == plain(code)) return one;
    codes.push_back(one.code);
  }
  throw Error(file() + ": no participant has the code " + shown(code) + "; there are " +
              (codes.empty() ? "none" : listed(codes)));
}

StudyParticipant StudyStore::Impl::current(const StudyParticipant& participant) const {
  const std::vector<StudyParticipant> found = participants("WHERE code = ? AND NOT withdrawn",
                                                           participant.code);
  if (found.empty()) throw Error(file() + ": participant " + participant.code + " is no longer in it");
  return found.front();
}

bool StudyStore::Impl::at_end(int number) const {
  Statement ended(database,
                  "SELECT (SELECT count(*) FROM events WHERE participant = ?1 AND event IN ('unnoticed', "
                  "'item_left', 'interrupted')) >= "
                  "(SELECT count(*) FROM plan WHERE participant = ?1 AND part = 'item')");
  ended.bind(number).step();
  return ended.number(0) != 0;
}

std::set<int> StudyStore::Impl::held_places() const {
  std::set<int> held;
  Statement rows(
      database,
      "SELECT number, place, given_up FROM participants WHERE place IS NOT NULL AND NOT withdrawn "
      "AND NOT EXISTS (SELECT 1 FROM events WHERE participant = participants.number AND event = 'declined')");
  while (rows.step())
    if (rows.number(2) == 0 || at_end(rows.number(0))) held.insert(rows.number(1));
  return held;
}

RunSecret StudyStore::Impl::secret() const {
  Statement row(database, "SELECT value FROM secret");
  return RunSecret::parse(row.step() ? row.text(0) : "");
}

int StudyStore::Impl::participant_count() const {
  Statement count(database, "SELECT count(*) FROM participants");
  count.step();
  return count.number(0);
}

StudyParticipant StudyStore::Impl::insert(int number, const std::optional<std::string>& link,
                                          const std::optional<std::string>& recruiter) {
  const StudyParticipant one{.number = number,
                             .code = fresh_code(),
                             .enrolled = recruiter.has_value(),
                             .asks_questions = asks_questions()};
  Statement row(database, "INSERT INTO participants VALUES (?, ?, ?, ?, NULL, 0, 0)");
  row.bind(one.number).bind(one.code);
  link ? row.bind(link_hash(*link)) : row.bind_null();
  recruiter ? row.bind(*recruiter) : row.bind_null();
  row.step();
  return one;
}

StudyParticipant StudyStore::Impl::take_place(StudyParticipant one) {
  if (one.place) {
    statement("UPDATE participants SET given_up = 0 WHERE number = ?").bind(one.number).step();
    one.given_up = false;
    return one;
  }
  const std::set<int> held = held_places();
  int place = 0;
  while (held.contains(place)) ++place;
  one.place = place;
  const StudyRecord study = record();
  for (const StudyRecord::PracticeLevel& level : study.practice) one.practice.push_back(level.name);
  const StudyPlan plan = plan_study(study.levels, study.settings(), place, !study.practice.empty());
  for (const std::size_t level : plan.practice) one.practice.push_back(study.levels[level].name);
  for (const StudyItem& item : plan.items)
    one.items.push_back(
        {.level = study.levels[item.level].name, .novel = item.novel, .attention = item.attention});
  statement("UPDATE participants SET place = ?, given_up = 0 WHERE number = ?")
      .bind(place)
      .bind(one.number)
      .step();
  one.given_up = false;
  const auto add_row = [&](const char* part, std::size_t position, const std::string& level,
                           const char* world) {
    statement("INSERT INTO plan VALUES (?, ?, ?, ?, ?)")
        .bind(one.number)
        .bind(part)
        .bind(static_cast<int>(position))
        .bind(level)
        .bind(world)
        .step();
  };
  for (std::size_t i = 0; i < one.practice.size(); ++i) add_row("practice", i, one.practice[i], "normal");
  for (std::size_t i = 0; i < one.items.size(); ++i) {
    const StudyParticipant::Item& item = one.items[i];
    add_row("item", i, item.level, item.attention ? "attention" : item.novel ? "novel" : "normal");
  }
  return one;
}

StudyInvitation StudyStore::Impl::renew_link(const StudyParticipant& one) {
  const std::string link = RunSecret::fresh().text();
  statement("UPDATE participants SET link = ? WHERE number = ?")
      .bind(link_hash(link))
      .bind(one.number)
      .step();
  return {one, link};
}

StudyStore::StudyStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

StudyStore::StudyStore(const std::filesystem::path& path, const StudyRecord& record)
    : impl_(new Impl(
          Database::open_or_make(path, {.format = format, .tables = schema, .fill = [&](Database& fresh) {
                                          fill_study(fresh, record);
                                        }}))) {
  impl_->database.run("PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA");
  Manifest known = impl_->record().manifest;
  for (const auto& [key, value] : record.manifest)
    if (known[key] != value)
      throw Error(file() + ": holds another study: " + key + " is " + shown(known[key]) + " there and " +
                  shown(value) + " here; use the same options, or another file");
}

StudyStore::StudyStore(const std::filesystem::path& path)
    : impl_(new Impl(open_study(path, Database::For::writing))) {}

StudyStore StudyStore::reading(const std::filesystem::path& path) {
  return StudyStore(std::make_unique<Impl>(open_study(path, Database::For::reading)));
}

StudyStore::~StudyStore() = default;
StudyStore::StudyStore(StudyStore&&) noexcept = default;

const std::string& StudyStore::file() const { return impl_->file(); }

std::string StudyStore::id() const {
  const std::lock_guard lock(impl_->mutex);
  return hexadecimal(impl_->secret().derive("study", "page"));
}

StudyRecord StudyStore::record() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->record();
}

std::vector<StudyParticipant> StudyStore::participants() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->participants();
}

StudyParticipant StudyStore::participant(const std::string& code) const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->participant(code);
}

StudyParticipant StudyStore::participant_of_link(const std::string& link) const {
  const std::lock_guard lock(impl_->mutex);
  const std::vector<StudyParticipant> found = impl_->participants("WHERE link = ? AND NOT withdrawn",
                                                                  link_hash(link));
  if (found.empty()) throw UnknownStudyLink("the link belongs to no participant of this study");
  return found.front();
}

std::vector<StudyEvent> StudyStore::events(const StudyParticipant& participant) const {
  const std::lock_guard lock(impl_->mutex);
  std::vector<StudyEvent> all;
  Statement rows(impl_->database,
                 "SELECT session, seconds, event, position, number, angle, stretch, tap_time, score, "
                 "pigs_left, birds_left, trace, confidence, "
                 "description FROM events WHERE participant = ? ORDER BY sequence");
  rows.bind(participant.number);
  while (rows.step()) {
    StudyEvent& event = all.emplace_back(StudyEvent{.session = rows.number(0), .seconds = rows.real(1)});
    try {
      event.kind = study_event_kind(impl_->text(rows, 2));
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
                                  .trace = impl_->text(rows, 11)};
    if (!rows.is_null(12)) event.confidence = rows.real(12);
    if (event.kind == StudyEventKind::answered)
      event.answers = impl_->answers(rows, 13);
    else
      event.description = impl_->text(rows, 13);
  }
  return all;
}

StudyParticipant StudyStore::add_participant() {
  const std::lock_guard lock(impl_->mutex);
  StudyParticipant one;
  impl_->transaction([&] { one = impl_->take_place(impl_->insert(impl_->participant_count(), {}, {})); });
  return one;
}

std::vector<StudyInvitation> StudyStore::invite(int count, const KeepLinks& keep) {
  const std::lock_guard lock(impl_->mutex);
  std::vector<StudyInvitation> invitations;
  impl_->transaction([&] {
    for (int number = impl_->participant_count(); count > 0; ++number, --count) {
      const std::string link = RunSecret::fresh().text();
      invitations.push_back({impl_->insert(number, link, {}), link});
    }
    if (keep) keep(invitations);
  });
  return invitations;
}

StudyInvitation StudyStore::enrol(const std::string& recruiter_identifier, int most,
                                  const std::string& given_link) {
  const std::string identifier = plain_identifier(recruiter_identifier);
  if (identifier.empty() || identifier.size() > longest_identifier)
    throw Error("identifier of a recruiter: found " + std::to_string(identifier.size()) +
                " bytes without blanks at its ends, allowed are 1 to " + std::to_string(longest_identifier));
  if (identifier.find("{{") != identifier.npos || identifier.find("}}") != identifier.npos ||
      (identifier.front() == '%' && identifier.back() == '%'))
    throw Error("identifier of a recruiter: found " + shown(identifier) +
                ", in whose place the recruiter must put the participant's identifier");
  const std::string link = given_link.empty() ? RunSecret::fresh().text() : given_link;
  if (!is_study_link(link))
    throw Error("link: found " + shown(link) + ", allowed are 32 hexadecimal digits, 0 to 9 and a to f");
  const std::lock_guard lock(impl_->mutex);
  StudyInvitation invitation{.participant = {}, .link = link};
  impl_->transaction([&] {
    const std::string hash = impl_->identifier_hash(identifier);
    const std::vector<StudyParticipant> known = impl_->participants("WHERE recruiter = ?", hash);
    const std::vector<StudyParticipant> linked = impl_->participants("WHERE link = ?", link_hash(link));
    if (!known.empty() && !linked.empty() && known.front().number == linked.front().number) {
      invitation.participant = known.front();
      return;
    }
    if (!known.empty() || !linked.empty())
      throw AlreadyEnrolled("somebody has come under this identifier before, and has a link");
    Statement count(impl_->database,
                    "SELECT count(*) FROM participants WHERE NOT withdrawn AND NOT given_up AND NOT EXISTS "
                    "(SELECT 1 FROM events WHERE participant = participants.number AND event = 'declined')");
    count.step();
    if (count.number(0) >= most) throw StudyFull("the study has all participants that it is to have");
    invitation.participant = impl_->insert(impl_->participant_count(), link, hash);
  });
  return invitation;
}

StudyInvitation StudyStore::renew_link(const std::string& code, const KeepLinks& keep) {
  const std::lock_guard lock(impl_->mutex);
  StudyInvitation invitation;
  impl_->transaction([&] {
    const std::vector<StudyParticipant> enrolled = impl_->participants("WHERE recruiter = ?",
                                                                       impl_->identifier_hash(code));
    invitation = impl_->renew_link(enrolled.empty() ? impl_->participant(code) : enrolled.front());
    if (keep) keep({invitation});
  });
  return invitation;
}

StudyParticipant StudyStore::take_place(const StudyParticipant& participant) {
  const std::lock_guard lock(impl_->mutex);
  StudyParticipant one;
  impl_->transaction([&] { one = impl_->take_place(impl_->current(participant)); });
  return one;
}

void StudyStore::give_up(const std::string& code) {
  const std::lock_guard lock(impl_->mutex);
  impl_->transaction([&] {
    const StudyParticipant one = impl_->participant(code);
    if (one.place && impl_->at_end(one.number))
      throw Error(file() + ": participant " + one.code + " has come to the end");
    impl_->statement("UPDATE participants SET given_up = 1 WHERE number = ?").bind(one.number).step();
  });
}

std::size_t StudyStore::event_count(const StudyParticipant& participant) const {
  const std::lock_guard lock(impl_->mutex);
  Statement count(impl_->database, "SELECT count(*) FROM events WHERE participant = ?");
  count.bind(participant.number).step();
  return static_cast<std::size_t>(count.number(0));
}

void StudyStore::add(const StudyParticipant& participant, std::size_t sequence, const StudyEvent& e) {
  const std::lock_guard lock(impl_->mutex);
  Statement row(impl_->database,
                "INSERT INTO events SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, "
                "?16 WHERE (SELECT count(*) FROM events WHERE participant = ?1) = ?2");
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
  if (e.kind == StudyEventKind::answered)
    row.bind(answers_json(e.answers));
  else
    e.kind == StudyEventKind::reported ? row.bind(e.description) : row.bind_null();
  row.step();
  if (impl_->database.changes() == 0)
    throw StudyConflict(file() + ": participant " + participant.code + ": event " + std::to_string(sequence) +
                        " does not follow the last one stored: it was sent twice or out of order, or the "
                        "study was opened once more and goes on there");
}

std::string StudyStore::completion_code(const StudyParticipant& participant) const {
  const std::lock_guard lock(impl_->mutex);
  std::uint64_t number = impl_->secret().derive("completion code", participant.code);
  std::string code;
  for (int i = 0; i < 8; ++i, number /= code_letters.size())
    code += code_letters[number % code_letters.size()];
  return code;
}

void StudyStore::withdraw(const std::string& code) {
  const std::lock_guard lock(impl_->mutex);
  impl_->database.run("PRAGMA secure_delete = ON");
  impl_->transaction([&] {
    const StudyParticipant one = impl_->participant(code);
    impl_->statement("DELETE FROM events WHERE participant = ?").bind(one.number).step();
    impl_->statement("DELETE FROM plan WHERE participant = ?").bind(one.number).step();
    impl_
        ->statement(
            "UPDATE participants SET code = ?, link = NULL, recruiter = NULL, place = NULL, withdrawn = 1 "
            "WHERE number = ?")
        .bind("withdrawn " + std::to_string(one.number + 1))
        .bind(one.number)
        .step();
  });
  impl_->database.run("VACUUM");
}

}  // namespace startle
