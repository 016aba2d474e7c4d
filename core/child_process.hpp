#pragma once
/// \file  Other programs: finding them, running them as children of this process, becoming one of them.
#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace startle {

/// The file that a program's name stands for. A name without '/' is searched for in the folders of PATH.
/// Empty where no file of that name may be run.
std::filesystem::path find_program(const std::string& name);
/// The folder of the program that runs now, where those that belong to it are. Empty where /proc does not
/// say.
std::filesystem::path own_folder();

/// A program with what it is given.
struct ProgramCall {
  std::vector<std::string> words;  ///< the program, as find_program() takes it, and its arguments
  /// Variables set besides those of this process; they replace those of the same name.
  std::vector<std::pair<std::string, std::string>> environment = {};
  bool inherits_environment = true;  ///< false: it gets those variables alone
  /// Variables of this process whose value holds this text, in capitals or small letters, are not passed on.
  /// Empty: all are.
  std::string withheld = {};
  /// Each is what the program can read from an open file, first_data and those after it; at most 4 KiB.
  /// become_program() gives none.
  std::vector<std::string> data = {};
};

constexpr int first_data = 4;  ///< the number of the open file with the first of ProgramCall::data

/// How a program ended.
struct ProgramEnd {
  int code = 0;    ///< its exit code, in [0, 255]; 0 where a signal killed it
  int signal = 0;  ///< the number of the signal that killed it; 0: none
  bool good() const { return code == 0 && signal == 0; }
  /// "ended with exit code 3", "killed by signal 9".
  std::string text() const;
};

/// Becomes the other program: it gets this process with its open files, and this function does not return.
/// Throws Error where it cannot be run.
[[noreturn]] void become_program(const ProgramCall& call);

/// What a child's standard stream leads to.
enum class ChildStream {
  inherit,  ///< to where this process's own does
  nothing,  ///< /dev/null
  pipe      ///< a pipe whose other end this process has
};

struct ChildOptions {
  ChildStream in = ChildStream::nothing, out = ChildStream::inherit, err = ChildStream::inherit;
  bool dies_with_thread = false;  ///< killed when the thread that started it ends, however that ends
  std::optional<std::size_t> memory_mb = {};  ///< most address space in MiB; no limit where it is empty
};

/// A program that runs as a child. It leads a process group of its own, which is killed when the program ends
/// and when the ChildProcess goes; no child stays behind as a zombie. It inherits the environment, and
/// besides its three standard streams and the data for it no open file. Not for use by several threads at
/// once.
class ChildProcess {
 public:
  /// Starts the program and returns once it runs. Throws Error, naming it, where there is no such program, it
  /// cannot be run, or the system gives no process.
  explicit ChildProcess(const ProgramCall& call, const ChildOptions& options = {});
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// The number of its process; -1 once its end is known.
  pid_t pid() const { return pid_; }
  /// This process's ends of the pipes: they do not block, and close themselves in programs that this one
  /// runs. -1 where there is none, or it was closed.
  int in() const { return in_; }
  int out() const { return out_; }
  int err() const { return err_; }
  void close_in();

  /// Writes as much as the pipe takes now; no signal comes of it. The number of bytes, 0 where the pipe is
  /// full; empty where nobody reads it any more.
  std::optional<std::size_t> write_some(std::string_view bytes);
  /// Writes all of the bytes, waiting as long as the program takes to read them. False where nobody reads
  /// them any more.
  bool write_all(std::string_view bytes);
  /// Appends what there is to read now, at most 64 KiB. False once that stream has ended, which closes this
  /// end.
  bool read_out(std::string& to) { return read_from(out_, to); }
  bool read_err(std::string& to) { return read_from(err_, to); }

  /// How it ended; empty while it runs.
  std::optional<ProgramEnd> end();
  /// Waits for its end: at most so many seconds, where they are given. Empty where it still runs.
  std::optional<ProgramEnd> wait(std::optional<double> seconds = {});
  /// Kills it with its group, and waits for that.
  ProgramEnd kill();

 private:
  static bool read_from(int& file, std::string& to);

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  std::optional<ProgramEnd> end_;
};

/// What a program has written until its end.
struct ProgramOutput {
  std::optional<ProgramEnd> end;  ///< empty: it took too long and was killed
  std::string out, err;
};

/// Runs a program to its end, gives it `input` and takes what it writes. It is killed after `seconds`. Throws
/// Error as ChildProcess does.
ProgramOutput run_program(const ProgramCall& call, double seconds, std::string_view input = "");

}  // namespace startle
