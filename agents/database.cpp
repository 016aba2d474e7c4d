#include "agents/database.hpp"

#include <sqlite3.h>

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/hash.hpp"

namespace startle {
namespace {

constexpr std::chrono::milliseconds busy_timeout{30000};  // another program may be writing to the same file
constexpr std::chrono::microseconds busy_pause{200};

/// Whether to try again, asked by SQLite where another connection holds a lock. The pauses of SQLite's own
/// handler grow to 100 ms: where others write one after the other, it sleeps through the moments between them
/// until its time is over.
int wait_for_others(void*, int tried) {
  thread_local std::chrono::steady_clock::time_point since;
  const auto now = std::chrono::steady_clock::now();
  if (tried == 0) since = now;
  if (now - since >= busy_timeout) return 0;
  std::this_thread::sleep_for(busy_pause);
  return 1;
}

}  // namespace

Database::Database(const std::filesystem::path& path, For purpose) : file_(path.string()) {
  if (purpose != For::making && !std::filesystem::exists(path)) throw Error(file_ + ": does not exist");
  if (purpose == For::making && file_ != ":memory:") make_private_file(path);
  open(file_, purpose == For::making ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE);
  if (purpose != For::reading) {
    if (sqlite3_db_readonly(handle_, "main") == 1) fail("cannot be written");
    return;
  }
  // Only a connection that may write takes the files of the write-ahead log away when it is closed. Where the
  // folder cannot be written SQLite cannot make these files; without a log they have nothing to say, and the
  // file can be read as it is.
  const int code = sqlite3_exec(handle_, "SELECT count(*) FROM sqlite_master", nullptr, nullptr, nullptr) &
                   0xff;
  if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) || std::filesystem::exists(file_ + "-wal")) return;
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string())
    if (c == '%' || c == '?' || c == '#')
      uri += "%" + hexadecimal(static_cast<unsigned char>(c)).substr(14);
    else
      uri += c;
  open(uri + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

void Database::open(const std::string& name, int flags) {
  sqlite3_close(std::exchange(handle_, nullptr));
  if (sqlite3_open_v2(name.c_str(), &handle_, flags, nullptr) != SQLITE_OK)
    fail(std::string("cannot be opened: ") + (handle_ ? sqlite3_errmsg(handle_) : "out of memory"));
  sqlite3_busy_handler(handle_, wait_for_others, nullptr);
}

/// For the constructor, whose object has no destructor yet.
void Database::fail(const std::string& what) {
  sqlite3_close(std::exchange(handle_, nullptr));
  throw Error(file_ + ": " + what);
}

Database::~Database() { sqlite3_close(handle_); }
Database::Database(Database&& other) noexcept
    : file_(std::move(other.file_)), handle_(std::exchange(other.handle_, nullptr)) {}

void Database::run(const std::string& sql) {
  char* message = nullptr;
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &message) == SQLITE_OK) return;
  const std::string text = message ? message : "unknown error";
  sqlite3_free(message);
  throw Error(file_ + ": " + text);
}

void Database::log_ahead() {
  run("PRAGMA synchronous = NORMAL");
  // SQLite does not call its busy handler here where another program turns the log on at the same moment.
  const auto end = std::chrono::steady_clock::now() + busy_timeout;
  while (sqlite3_exec(handle_, "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr) == SQLITE_BUSY &&
         std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  run("PRAGMA journal_mode = WAL");
}

int Database::changes() const { return sqlite3_changes(handle_); }

bool Database::empty() const {
  Statement tables(*this, "SELECT count(*) FROM sqlite_master");
  tables.step();
  return tables.number(0) == 0;
}

void Database::mark(const DatabaseFormat& format) {
  run("PRAGMA application_id = " + std::to_string(format.application_id) +
      "; PRAGMA user_version = " + std::to_string(format.version));
}

void Database::check(const DatabaseFormat& format) const {
  const auto pragma = [&](const char* sql) {
    Statement statement(*this, sql);
    return statement.step() ? statement.number(0) : 0;
  };
  if (pragma("PRAGMA application_id") != format.application_id) throw Error(file_ + ": is no " + format.what);
  if (const int version = pragma("PRAGMA user_version"); version != format.version)
    throw Error(file_ + ": found version " + std::to_string(version) + " of the format, allowed is " +
                std::to_string(format.version));
}

void Database::check_integrity() const {
  Statement faults(*this, "PRAGMA integrity_check(1)");
  if (faults.step() && faults.text(0) != "ok") throw Error(file_ + ": is damaged: " + faults.text(0));
}

std::map<std::string, std::string> Database::pairs(const char* sql) const {
  std::map<std::string, std::string> pairs;
  Statement rows(*this, sql);
  while (rows.step()) pairs.emplace(rows.text(0), rows.text(1));
  return pairs;
}

std::string Database::bytes() const {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> bytes(sqlite3_serialize(handle_, "main", &size, 0),
                                                              sqlite3_free);
  if (!bytes) throw Error(file_ + ": cannot be held in memory");
  return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

Statement::Statement(const Database& database, const char* sql) : database_(database) {
  require(sqlite3_prepare_v2(database.handle_, sql, -1, &statement_, nullptr));
}
Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::fail() const { throw Error(database_.file_ + ": " + sqlite3_errmsg(database_.handle_)); }
void Statement::require(int code) const {
  if (code != SQLITE_OK) fail();
}

Statement& Statement::bind(const std::string& text) {
  require(
      sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT));
  return *this;
}
Statement& Statement::bind(int number) {
  require(sqlite3_bind_int(statement_, ++bound_, number));
  return *this;
}
Statement& Statement::bind(double number) {
  require(sqlite3_bind_double(statement_, ++bound_, number));
  return *this;
}
Statement& Statement::bind_null() {
  require(sqlite3_bind_null(statement_, ++bound_));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) fail();
  return code == SQLITE_ROW;
}

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
std::string Statement::text(int column) const {
  const unsigned char* bytes = sqlite3_column_text(statement_, column);
  return bytes ? std::string(reinterpret_cast<const char*>(bytes),
                             static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)))
               : "";
}
int Statement::number(int column) const { return sqlite3_column_int(statement_, column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_, column); }

}  // namespace startle
