#include "core/database.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/hash.hpp"
#include "core/interrupt.hpp"
#include "core/text.hpp"

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

constexpr int largest_cell = 64 << 20;  // bytes, as of a file that is read whole
constexpr int asked_every = 1000;       // steps of SQLite's machine
constexpr long long steps_at_least = 20'000'000, steps_per_byte = 200;

/// An open file, or none; closed when it goes.
struct DatabaseFile {
  int number = -1;
  explicit DatabaseFile(int opened = -1) : number(opened) {}
  DatabaseFile(DatabaseFile&& other) noexcept : number(other.release()) {}
  DatabaseFile& operator=(DatabaseFile&& other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~DatabaseFile() {
    if (number >= 0) close(number);
  }
  int release() { return std::exchange(number, -1); }
  explicit operator bool() const { return number >= 0; }
};

/// Tries again for a second: a program that was killed may still be going.
constexpr std::chrono::milliseconds lock_time{1000}, lock_pause{20};

/// Locks a byte that SQLite never does, for as long as `file` is open. The lock is the open file's, not the
/// process's, so SQLite's own closing of the same file leaves it alone. False: another program has it. True
/// also where the file system has no locks.
bool lock_writer(int file) {
  struct flock byte {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = 0x40001000;
  byte.l_len = 1;
  const auto end = std::chrono::steady_clock::now() + lock_time;
  while (fcntl(file, F_OFD_SETLK, &byte) != 0) {
    if (errno != EAGAIN && errno != EACCES) return true;
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(lock_pause);
  }
  return true;
}

/// Gives a file its name unless one has it. 0, or the error's number.
int name_new_file(const std::string& temporary, const std::string& name) {
  // The system call itself: musl 1.2 has neither the function nor the name RENAME_NOREPLACE.
#ifdef SYS_renameat2
  constexpr unsigned no_replace = 1;
  if (syscall(SYS_renameat2, AT_FDCWD, temporary.c_str(), AT_FDCWD, name.c_str(), no_replace) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return errno;
#endif
  if (link(temporary.c_str(), name.c_str()) != 0) return errno;  // a file system that cannot do the first
  unlink(temporary.c_str());
  return 0;
}

/// 0, or the error's number.
int write_database(int file, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = write(file, bytes.data() + done, bytes.size() - done);
    if (written >= 0)
      done += static_cast<std::size_t>(written);
    else if (errno != EINTR)
      return errno;
  }
  return fsync(file) == 0 ? 0 : errno;
}

/// Makes a file of these bytes under a name that none has. Returns it open and locked; none where meanwhile
/// another one has the name. Throws Error, and leaves nothing behind, where that fails.
DatabaseFile make_database_file(const std::string& name, const std::string& bytes) {
  static std::atomic<unsigned> count{0};
  const std::string temporary = name + ".tmp-" + std::to_string(getpid()) + "-" + std::to_string(count++);
  DatabaseFile file(::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file) throw Error(name + ": cannot be made: " + std::strerror(errno));
  int error = write_database(file.number, bytes);
  if (error == 0) {
    lock_writer(file.number);  // before others can find it
    error = name_new_file(temporary, name);
  }
  if (error != 0) {
    unlink(temporary.c_str());
    if (error == EEXIST) return DatabaseFile();
    throw Error(name + ": cannot be made: " + std::strerror(error));
  }
  const std::string folder = std::filesystem::absolute(name).parent_path().string();
  if (const DatabaseFile to_disk(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); to_disk)
    fsync(to_disk.number);
  return file;
}

/// Opens and locks a file that is there. Throws Error where another program has the lock.
DatabaseFile locked_database_file(const std::string& name) {
  DatabaseFile file(::open(name.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  if (file && !lock_writer(file.number))
    throw Error(
        name +
        ": another program is writing to it, a startle agents run, say; wait until that has ended, or "
        "write to another file");
  return file;
}

/// All that a file says of its tables, in an order.
constexpr const char* said_of_tables =
    "SELECT coalesce(type, '') || ' ' || coalesce(name, '') || ' ' || coalesce(tbl_name, '') || ': ' || "
    "coalesce(sql, '') FROM sqlite_master ORDER BY 1";

}  // namespace

struct Database::Patience {
  bool reads = false;                   ///< ends where the program is interrupted
  bool limited = false;                 ///< ends when no steps are left
  long long steps_left = 0, steps = 0;  ///< of SQLite's machine: left, and at first

  void begin(const std::string& file) {
    std::error_code none;
    long long bytes = 0;
    for (const char* part : {"", "-wal"})
      if (const auto size = std::filesystem::file_size(file + part, none); !none)
        bytes += static_cast<long long>(size);
    steps = steps_left = steps_at_least + steps_per_byte * bytes;
    limited = true;
  }
  /// Something else is done from now on.
  void renew() { steps_left = steps; }
  static int ended(void* self) {
    auto& patience = *static_cast<Patience*>(self);
    if (patience.reads && interruption() != Interruption::none) return 1;
    return patience.limited && (patience.steps_left -= asked_every) < 0;
  }
};

Database::Database(const std::filesystem::path& path, For purpose)
    : file_(path.string()), patience_(new Patience) {
  if (purpose == For::making) {
    open(file_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    return;
  }
  if (!std::filesystem::exists(path)) throw Error(file_ + ": does not exist");
  if (!std::filesystem::is_regular_file(path))
    throw Error(file_ + ": cannot be opened: it is a folder or a device; a file is needed");
  // A name in full: SQLite takes others that begin with "file:" or ":memory:" for something else.
  const std::string name = std::filesystem::absolute(path).string();
  patience_->reads = purpose == For::reading;
  patience_->begin(file_);
  open(name, SQLITE_OPEN_READWRITE);
  if (purpose == For::writing) {
    if (sqlite3_db_readonly(handle_, "main") == 1) fail("cannot be written");
    return;
  }
  // Only a connection that may write takes the files of the write-ahead log away when it is closed, and
  // undoes what was half written when the power failed. Where the folder cannot be written SQLite cannot make
  // the files it needs; without a log they have nothing to say, and the file can be read as it is.
  const int code = sqlite3_exec(handle_, "SELECT 1 FROM sqlite_master LIMIT 1", nullptr, nullptr, nullptr) &
                   0xff;
  if (code == SQLITE_CANTOPEN || code == SQLITE_READONLY) {
    for (const char* left : {"-wal", "-journal"})
      if (std::filesystem::exists(file_ + left))
        fail("cannot be read: a program ended, or still is, in the middle of a change, which is kept in " +
             file_ + left +
             "; run the same command once as a user who may write to both files and to their folder");
    std::string uri = "file:";
    for (const char c : name)
      if (c == '%' || c == '?' || c == '#')
        uri += "%" + hexadecimal(static_cast<unsigned char>(c)).substr(14);
      else
        uri += c;
    open(uri + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  }
  sqlite3_exec(handle_, "PRAGMA query_only = ON", nullptr, nullptr, nullptr);
}

Database Database::open_or_make(const std::filesystem::path& path, const NewDatabase& how) {
  const auto make = [&](Database& database) {
    database.mark(how.format);
    database.run(how.tables);
    if (how.fill) how.fill(database);
  };
  require_output(path, path.string());
  DatabaseFile locked;
  if (!std::filesystem::exists(path)) {
    Database fresh(":memory:", For::making);
    make(fresh);
    locked = make_database_file(path.string(), fresh.bytes());
  }
  // Where there may be several writers it is closed before SQLite opens it: closing it later would take
  // SQLite's locks away, which are the process's.
  if (!how.one_writer)
    locked = DatabaseFile();
  else if (!locked)
    locked = locked_database_file(path.string());
  Database database(path, For::writing);
  database.lock_ = locked.release();
  if (database.empty()) {
    database.run("BEGIN IMMEDIATE");
    if (database.empty()) make(database);
    database.run("COMMIT");
  }
  database.check(how.format, how.tables);
  return database;
}

bool Database::is_new(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return true;
  if (std::filesystem::is_regular_file(path, none) && std::filesystem::file_size(path, none) == 0 && !none)
    return true;
  return Database(path, For::reading).empty();
}

void Database::open(const std::string& name, int flags) {
  sqlite3_close(std::exchange(handle_, nullptr));
  if (sqlite3_open_v2(name.c_str(), &handle_, flags, nullptr) != SQLITE_OK)
    fail(std::string("cannot be opened: ") + (handle_ ? sqlite3_errmsg(handle_) : "out of memory"));
  sqlite3_busy_handler(handle_, wait_for_others, nullptr);
  sqlite3_progress_handler(handle_, asked_every, Patience::ended, patience_.get());
  sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, largest_cell);
  for (const auto& [what, on] : {std::pair(SQLITE_DBCONFIG_DEFENSIVE, 1),
                                 {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                 {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                 {SQLITE_DBCONFIG_ENABLE_VIEW, 0}})
    sqlite3_db_config(handle_, what, on, nullptr);
  sqlite3_exec(handle_, "PRAGMA cell_size_check = ON", nullptr, nullptr, nullptr);
}

/// For the constructor, whose object has no destructor yet.
void Database::fail(const std::string& what) {
  sqlite3_close(std::exchange(handle_, nullptr));
  throw Error(file_ + ": " + what);
}

void Database::fail_with(int code) const {
  if ((code & 0xff) != SQLITE_INTERRUPT) throw Error(file_ + ": " + sqlite3_errmsg(handle_));
  if (interruption() != Interruption::none) throw Interrupted{};
  throw Error(file_ + ": takes longer to read than a file of its size can: it is damaged, or was made so");
}

Database::~Database() {
  sqlite3_close(handle_);
  if (lock_ >= 0) close(lock_);  // after SQLite, whose locks go when the process closes the file anywhere
}
Database::Database(Database&& other) noexcept
    : file_(std::move(other.file_)),
      patience_(std::move(other.patience_)),
      handle_(std::exchange(other.handle_, nullptr)),
      lock_(std::exchange(other.lock_, -1)) {}

void Database::run(const std::string& sql) {
  patience_->renew();
  if (const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr); code != SQLITE_OK)
    fail_with(code);
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

bool Database::empty() const { return !Statement(*this, "SELECT 1 FROM sqlite_master LIMIT 1").step(); }

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
                std::to_string(format.version) + (*format.advice ? "; " : "") + format.advice);
}

void Database::check(const DatabaseFormat& format, const std::string& tables) const {
  check(format);
  Database made(":memory:", For::making);
  made.run(tables);
  Statement allowed(made, said_of_tables), found(*this, said_of_tables);
  for (bool more = true; more;) {
    more = found.step();
    const bool one = allowed.step();
    if (more == one && (!more || found.text(0) == allowed.text(0))) continue;
    throw Error(file_ + ": is no " + format.what + ": of its tables found " +
                (more ? shown(found.text(0)) : "no more") + ", allowed is " +
                (one ? shown(allowed.text(0)) : "no more"));
  }
  Statement faults(*this, "PRAGMA quick_check(1)");
  if (faults.step() && faults.text(0) != "ok") throw Error(file_ + ": is damaged: " + faults.text(0));
  patience_->limited = patience_->reads;  // what writes does so as long as it takes
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
  database.patience_->renew();
  require(sqlite3_prepare_v2(database.handle_, sql, -1, &statement_, nullptr));
}
Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::require(int code) const {
  if (code != SQLITE_OK) database_.fail_with(code);
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
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail_with(code);
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
