#pragma once
/// \file  An SQLite file: the one place that knows SQLite. Everything throws Error that names the file.
///
/// Files may be anybody's. Before a table is read, check() compares all that a file says of its tables with
/// what it is to say, and goes through its pages: a view in place of a table, a trigger, a column that is
/// computed, pages that lead back to each other are refused there. Nothing that a file says is run with more
/// rights than SQLite's own functions have, no cell has more than 64 MiB, and what reads a file gives up
/// where it takes more steps than a file of that size has use for, or where the program is interrupted.
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace startle {

/// Distinguishes a file from other SQLite files, and this version of it from others.
struct DatabaseFormat {
  int application_id = 0;
  int version = 1;
  const char* what = "";    ///< for messages: "results file of startle agents"
  const char* advice = "";  ///< what to do with a file of another version; empty: nothing is known
};

class Database;

/// What a file is made with where there is none.
struct NewDatabase {
  DatabaseFormat format;
  std::string tables;                        ///< SQL that makes all of them
  std::function<void(Database&)> fill = {};  ///< puts in what a fresh file holds
  bool one_writer = false;                   ///< one program at a time may have it open to write to it
};

class Database {
 public:
  enum class For {
    making,   ///< ":memory:" alone: in no file
    writing,  ///< must exist
    reading   ///< must exist; the file and its folder may be read-only
  };
  Database(const std::filesystem::path& path, For purpose);
  /// Opens a file to write to it, once check() has passed it. Where there is none, or one that holds nothing,
  /// it is made for its owner alone to read (mode 0600): it appears whole under its name, or not at all.
  /// Throws Error as check() does, where the file cannot be made or written, and where another program writes
  /// to one that may have a single writer.
  static Database open_or_make(const std::filesystem::path& path, const NewDatabase& how);
  /// No such file is there, or one that holds nothing, as an interrupted start may have left it: no bytes, or
  /// no table.
  static bool is_new(const std::filesystem::path& path);
  ~Database();
  Database(Database&& other) noexcept;
  Database(const Database&) = delete;

  const std::string& file() const { return file_; }
  /// Statements without results, several with ';' between them.
  void run(const std::string& sql);
  /// Turns write-ahead logging on, waiting for other programs that do the same with a fresh file.
  void log_ahead();
  /// Rows changed by the last statement.
  int changes() const;
  /// No table yet.
  bool empty() const;
  /// Writes the format's numbers into the file.
  void mark(const DatabaseFormat& format);
  /// Throws Error when the file is of another kind or version.
  void check(const DatabaseFormat& format) const;
  /// Throws Error, too, when its tables are others than `tables`, SQL, makes, and when its pages are damaged.
  void check(const DatabaseFormat& format, const std::string& tables) const;
  /// Throws Error, naming the first fault, when pages of the file are damaged.
  void check_integrity() const;
  /// Rows of a statement with two columns of text.
  std::map<std::string, std::string> pairs(const char* sql) const;
  /// The whole database as the bytes of its file.
  std::string bytes() const;

 private:
  friend class Statement;
  /// How long it may work, for SQLite to ask.
  struct Patience;
  void open(const std::string& name, int flags);
  [[noreturn]] void fail(const std::string& what);
  /// Throws what an error of SQLite is: Interrupted, or Error.
  [[noreturn]] void fail_with(int code) const;
  std::string file_;
  std::unique_ptr<Patience> patience_;
  sqlite3* handle_ = nullptr;
  int lock_ = -1;  ///< a file that is open, where there is to be one writer
};

/// One SQL statement, finalised when it goes; must not outlive its database.
class Statement {
 public:
  Statement(const Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// The next parameter, from the first on.
  Statement& bind(const std::string& text);
  Statement& bind(int number);
  Statement& bind(double number);
  Statement& bind_null();
  /// True while there is a row.
  bool step();
  bool is_null(int column) const;
  std::string text(int column) const;
  int number(int column) const;
  double real(int column) const;

 private:
  void require(int code) const;

  const Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

}  // namespace startle
