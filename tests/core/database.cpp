/// \file  SQLite files that several connections write at once, that strangers made, that cannot be written.
#include "core/database.hpp"

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;

namespace {

const NewDatabase numbers{.format = {.application_id = 0x1234, .version = 3, .what = "list of numbers"},
                          .tables = "CREATE TABLE numbers (value INTEGER PRIMARY KEY, name TEXT UNIQUE)"};

/// Without any of our precautions, as strangers make files.
void execute_as_stranger(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  char* message = nullptr;
  sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message);
  const std::string said = message ? message : "";
  sqlite3_free(message);
  sqlite3_close(database);
  REQUIRE(said == "");
}

std::string refused(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

/// Exit code of `work` in a process of its own, which may change its rights and limits.
int in_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      _exit(work());
    } catch (...) {
      _exit(99);
    }
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("[core] who writes seldom comes between others that write one after the other") {
  const testing::Folder folder;
  const auto file = folder / "numbers.sqlite";
  Database seldom = Database::open_or_make(
      file, {.format = numbers.format, .tables = "CREATE TABLE numbers (value INTEGER)"});
  std::atomic<bool> held{false}, done{false};
  // Holds the file nearly all the time, as on a slow disk.
  std::thread often([&] {
    Database database(file, Database::For::writing);
    while (!done) {
      database.run("BEGIN IMMEDIATE; INSERT INTO numbers VALUES (0)");
      held = true;
      held.notify_one();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      database.run("COMMIT");
    }
  });
  held.wait(false);
  std::string failure;
  try {
    for (int i = 0; i < 10; ++i) seldom.run("INSERT INTO numbers VALUES (1)");
  } catch (const Error& error) {
    failure = error.what();
  }
  done = true;
  often.join();
  CHECK(failure == "");
  Statement count(seldom, "SELECT count(*) FROM numbers WHERE value = 1");
  count.step();
  CHECK(count.number(0) == 10);
}

TEST_CASE("[core] a stranger's file is refused where its tables are not ours, before one of them is read") {
  const testing::Folder folder;
  const auto file = folder / "numbers.sqlite";
  const std::string endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT ";
  for (const std::string& changed :
       {"ALTER TABLE numbers RENAME TO other; CREATE VIEW numbers AS " + endless +
            "i AS value, 'x' AS name FROM n",
        "CREATE VIEW more AS " + endless + "i FROM n",
        std::string("CREATE TRIGGER more AFTER INSERT ON numbers BEGIN DELETE FROM numbers; END"),
        std::string("CREATE TABLE more (x)"), std::string("CREATE INDEX more ON numbers (value + 1)"),
        std::string("DROP TABLE numbers"),
        std::string("DROP TABLE numbers; CREATE TABLE numbers (value INTEGER PRIMARY KEY, name TEXT "
                    "GENERATED ALWAYS AS (hex(zeroblob(900000000))) VIRTUAL UNIQUE)"),
        std::string("DROP TABLE numbers; CREATE TABLE numbers (value INTEGER PRIMARY KEY, name TEXT UNIQUE "
                    "CHECK (length(hex(zeroblob(400000000)))))")}) {
    std::filesystem::remove(file);
    { Database::open_or_make(file, numbers).run("INSERT INTO numbers VALUES (1, 'one')"); }
    CHECK_NOTHROW(Database(file, Database::For::reading).check(numbers.format, numbers.tables));
    execute_as_stranger(file, changed + "; CREATE TABLE IF NOT EXISTS filler (x)");
    INFO(changed);
    const auto begin = std::chrono::steady_clock::now();
    CHECK_THAT(refused([&] { Database(file, Database::For::reading).check(numbers.format, numbers.tables); }),
               Catch::Contains(file.string() + ": is no list of numbers: of its tables found "));
    CHECK_THAT(refused([&] { Database::open_or_make(file, numbers); }),
               Catch::Contains("of its tables found"));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
  }
}

TEST_CASE("[core] a file whose pages lead to each other is refused, and so are damaged ones") {
  const testing::Folder folder;
  const auto file = folder / "numbers.sqlite";
  {
    Database database = Database::open_or_make(file, numbers);
    database.run(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) INSERT INTO numbers "
        "SELECT i, 'number ' || i FROM n");
  }
  // The index takes the pages of the table: each would be read as the other.
  execute_as_stranger(
      file,
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM "
      "sqlite_master WHERE name = 'numbers') WHERE type = 'index'");
  CHECK_THAT(refused([&] { Database(file, Database::For::reading).check(numbers.format, numbers.tables); }),
             Catch::Contains("numbers.sqlite: "));
  CHECK_THAT(refused([&] { Database::open_or_make(file, numbers); }), Catch::Contains("numbers.sqlite: "));
}

TEST_CASE("[core] what reads a file gives up after more steps than it has use for, and when interrupted") {
  const testing::Folder folder;
  const auto file = folder / "numbers.sqlite";
  { Database::open_or_make(file, numbers); }
  const Database database(file, Database::For::reading);
  const auto count = [&] {
    Statement(database,
              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
        .step();
  };
  CHECK_THROWS_WITH(count(), Catch::Contains("takes longer to read than a file of its size"));
  for (const Interruption how : {Interruption::finish, Interruption::stop}) {
    set_interruption(how);
    CHECK_THROWS_AS(count(), Interrupted);
    set_interruption(Interruption::none);
  }
  CHECK(Statement(database, "SELECT 1").step());
  // What a triggered function or a view could do is off, also where a name is given in a statement.
  CHECK_THROWS_AS(Statement(database, "DELETE FROM numbers").step(), Error);
}

TEST_CASE("[core] what cannot be made leaves nothing, and a file that holds nothing is taken for none") {
  const testing::Folder folder;
  const auto file = folder / "numbers.sqlite";
  CHECK(in_child([&] {
          std::signal(SIGXFSZ, SIG_IGN);
          const rlimit limit{4096, 4096};  // a full disk
          setrlimit(RLIMIT_FSIZE, &limit);
          return refused([&] {
                   Database::open_or_make(file, numbers);
                 }).find(file.string() + ": cannot be made") == 0
                     ? 0
                     : 1;
        }) == 0);
  CHECK(folder.entries() == 0);
  std::filesystem::create_symlink("elsewhere", folder / "link");
  CHECK_THROWS_WITH(Database::open_or_make(folder / "link", numbers), Catch::Contains("is a symbolic link"));
  std::filesystem::remove(folder / "link");
  CHECK_THROWS_WITH(Database::open_or_make(folder / "none" / "x.sqlite", numbers),
                    Catch::Contains("x.sqlite: cannot be made: No such file"));

  const NewDatabase failing{.format = numbers.format, .tables = numbers.tables, .fill = [](Database&) {
                              throw Error("no content");
                            }};
  CHECK_THROWS_WITH(Database::open_or_make(file, failing), "no content");
  CHECK(folder.entries() == 0);

  CHECK(Database::is_new(file));
  std::ofstream(file).close();  // no bytes
  CHECK(Database::is_new(file));
  CHECK_THROWS_WITH(Database::open_or_make(file, failing), "no content");
  CHECK(Database::is_new(file));
  { Database::open_or_make(file, numbers).run("INSERT INTO numbers VALUES (1, 'one')"); }
  CHECK_FALSE(Database::is_new(file));
  const auto left = folder / "left.sqlite";  // an interrupted start of an earlier version
  execute_as_stranger(left, "PRAGMA journal_mode = WAL; PRAGMA user_version = 3");
  CHECK(Database::is_new(left));
  { Database::open_or_make(left, numbers); }
  CHECK_NOTHROW(Database(left, Database::For::reading).check(numbers.format, numbers.tables));
  CHECK_THROWS_WITH(Database(folder.path, Database::For::reading), Catch::Contains("cannot be opened"));
}

TEST_CASE("[core] a file for one writer has one, and is its owner's to read") {
  const testing::Folder folder;
  const auto file = folder / "numbers.sqlite";
  NewDatabase alone = numbers;
  alone.one_writer = true;
  {
    const Database first = Database::open_or_make(file, alone);
    CHECK((std::filesystem::status(file).permissions() & std::filesystem::perms(0777)) ==
          std::filesystem::perms(0600));
    CHECK_THROWS_WITH(Database::open_or_make(file, alone),
                      Catch::Contains(file.string() + ": another program is writing to it"));
    CHECK(in_child([&] { return refused([&] { Database::open_or_make(file, alone); }) == "taken"; }) == 0);
    CHECK_NOTHROW(Database(file, Database::For::reading).check(numbers.format, numbers.tables));
  }
  CHECK_NOTHROW(Database::open_or_make(file, alone));
}

TEST_CASE("[core] a file that may only be read is read, in a folder that may only be read") {
  const testing::Folder folder;
  namespace fs = std::filesystem;
  for (const bool logs_ahead : {false, true})
    for (const bool open_folder : {false, true}) {
      const auto file = folder / "numbers.sqlite";
      fs::permissions(folder.path, fs::perms(0755));
      fs::remove(file);
      {
        Database database = Database::open_or_make(file, numbers);
        if (logs_ahead) database.log_ahead();
        database.run("INSERT INTO numbers VALUES (7, 'seven')");
      }
      fs::permissions(file, fs::perms(0444));
      fs::permissions(folder.path, fs::perms(open_folder ? 0777 : 0555));
      INFO(logs_ahead << open_folder);
      CHECK(in_child([&] {
              if (getuid() == 0 && setuid(65534) != 0) return 1;  // root may write everywhere
              const Database database(file, Database::For::reading);
              database.check(numbers.format, numbers.tables);
              Statement row(database, "SELECT value FROM numbers");
              return row.step() && row.number(0) == 7 ? 0 : 2;
            }) == 0);
    }
  fs::permissions(folder.path, fs::perms(0755));
}
