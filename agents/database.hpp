#pragma once
/// \file  An SQLite file: the one place that knows SQLite. Everything throws Error that names the file.
#include <filesystem>
#include <map>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace startle {

/// Distinguishes a file from other SQLite files, and this version of it from others.
struct DatabaseFormat {
  int application_id = 0;
  int version = 1;
  const char* what = "";  ///< for messages: "results file of startle agents"
};

class Database {
 public:
  enum class For {
    making,   ///< to write; made where it does not exist, for its owner alone to read (mode 0600)
    writing,  ///< to write; must exist
    reading   ///< must exist; the file and its folder may be read-only
  };
  /// `path`: ":memory:" for one that is in no file.
  Database(const std::filesystem::path& path, For purpose);
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
  /// Throws Error, naming the first fault, when pages of the file are damaged.
  void check_integrity() const;
  /// Rows of a statement with two columns of text.
  std::map<std::string, std::string> pairs(const char* sql) const;
  /// The whole database as the bytes of its file.
  std::string bytes() const;

 private:
  friend class Statement;
  void open(const std::string& name, int flags);
  [[noreturn]] void fail(const std::string& what);
  std::string file_;
  sqlite3* handle_ = nullptr;
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
  [[noreturn]] void fail() const;
  void require(int code) const;

  const Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

}  // namespace startle
