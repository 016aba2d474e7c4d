#include "app/command.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <system_error>
#include <thread>

#include "app/former_options.hpp"
#include "app/help.hpp"
#include "app/manual.hpp"
#include "app/paths.hpp"
#include "app/reference.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/interrupt.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "levels/level_file.hpp"
#include "sim/scene.hpp"

namespace startle {
namespace {

constexpr std::array<int, 3> ending_signals{SIGINT, SIGTERM, SIGHUP};

std::atomic<int> ended_by{0};  ///< the last of those signals
std::atomic<int> keeping{0};   ///< KeepResults there are

/// From a signal handler.
void say(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

void alarm_in(suseconds_t microseconds) {
  const itimerval once{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = microseconds}};
  setitimer(ITIMER_REAL, &once, nullptr);
}

void on_interrupt(int signal) {
  ended_by = signal;
  for (const int other : ending_signals)
    if (signal != SIGINT || other == SIGINT) std::signal(other, SIG_DFL);
  if (signal == SIGINT) {
    set_interruption(Interruption::finish);
    say("\nstartle: interrupted; what is under way is finished first. Ctrl-C once more ends at once\n");
    return;
  }
  set_interruption(Interruption::stop);
  alarm_in(800000);
}

/// Ends the program: work that checks for no interruption (a wait, one long step) has had its time.
void on_alarm(int) {
  if (keeping > 0) return alarm_in(100000);
  raise(ended_by);
}

/// What the program ends with after an interruption. By SIGTERM and SIGHUP it ends as one that does not catch
/// them, which shells show as 143 and 129: a service manager or a cluster that sent them then sees the end it
/// asked for.
int interrupted_code() {
  if (const int signal = ended_by; signal != 0 && signal != SIGINT) raise(signal);
  return exit_interrupted;
}

/// Exit code of a program that has reported why it fails. Where a rank fails while others are still being
/// started, the mpirun of Open MPI 5 ends its own process group, which can hold the user's script. A second
/// later all are started.
int failure_code(int code) {
  if (std::getenv("OMPI_COMM_WORLD_RANK") != nullptr) std::this_thread::sleep_for(std::chrono::seconds(1));
  return code;
}

/// What a misspelt option leaves behind: CLI11 says first that the right one is missing.
std::string unknown_options(const CLI::App& app) {
  std::string names;
  for (const std::string& left : app.remaining(true))
    if (left.starts_with("--")) names += (names.empty() ? "" : ", ") + left.substr(0, left.find('='));
  return names.empty() ? "" : "there is no option " + names;
}

}  // namespace

int run_program(CLI::App& app, int argc, char** argv, const int& exit_code, const std::string& example) {
  std::ios::sync_with_stdio(false);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit then fails the write, which is reported, in place of
                                  // killing the program
  app.set_version_flag("--version", "startle " STARTLE_VERSION, "the version");
  // Not require_subcommand(1): a command that does not exist would then be reported as one that is missing.
  app.require_subcommand(0, 1);
  add_reference_command(app);
  add_paths_command(app);
  add_manual_commands(app, std::filesystem::path(argv[0]).filename().string());
  app.footer("Example: " + example);
  add_help(app);
  try {
    guard_paths(app);
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      std::string names;
      for (const CLI::App* command : shown_commands(app))
        names += (names.empty() ? "" : ", ") + command->get_name();
      throw Error("a command is needed: " + names + "; --help says more");
    }
  } catch (const CLI::ConversionError& error) {  // "Could not convert: --limit = -1"
    report(std::string(error.what()) +
           ", allowed are finite numbers, and whole ones from 0 where something is counted");
    return failure_code(exit_bad_input);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const std::string unknown = unknown_options(app);
    std::string text = error.what();
    if (!unknown.empty())
      text = dynamic_cast<const CLI::ExtrasError*>(&error) ? unknown : text + "; " + unknown;
    report(text + former_hint(app) + "\nRun with --help for what is allowed.");
    return failure_code(exit_bad_input);
  } catch (const Interrupted&) {
    report("interrupted");
    return failure_code(interrupted_code());
  } catch (const Error& error) {
    report(error.what());
    return failure_code(interrupted() ? interrupted_code() : exit_bad_input);
  } catch (const std::exception& error) {
    report(std::string("internal error: ") + error.what());
    return failure_code(exit_fault);
  }
  return exit_code == exit_interrupted ? interrupted_code() : exit_code;
}

void emit(const std::string& text, const std::optional<std::string>& out, const WriteOptions& options) {
  if (out) {
    write_file(*out, text, options);
    return;
  }
  std::cout << text << std::flush;
  if (!std::cout) throw Error("standard output: cannot be written");
}

void report(const std::string& message) { std::cerr << "startle: " << message << "\n"; }

void prepare_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder.string() + ": cannot make this folder: " + error.message());
  if (access(folder.c_str(), W_OK) != 0) throw Error(folder.string() + ": this folder cannot be written");
}

StoredLevel load_level(const std::string& path, const Profile& profile, bool quiet,
                       const std::vector<MappedName>& names, const std::string& novelty) {
  if (!novelty.empty()) novelty_name(novelty);  // throws, before the level is read
  StoredLevel level = read_level(path, names);
  LevelProblems problems = validate(level, profile);
  if (!problems.errors.empty()) {
    std::string message = path;
    for (const std::string& error : problems.errors) message += (message == path ? ": " : "; ") + error;
    throw Error(message);
  }
  if (quiet) return level;
  std::vector<std::string> warnings = std::move(problems.dropped);
  for (std::string& dropped : warnings) dropped += " is kept but not simulated";
  if (level.novelty && !names_own(novelty))
    warnings.push_back("carries a novelty, " + level.novelty->description + ", that --novelty own plays");
  warnings.insert(warnings.end(), problems.warnings.begin(), problems.warnings.end());
  constexpr std::size_t most = 3;  // a real file can have dozens, most of them objects that overlap slightly
  for (std::size_t i = 0; i < std::min(most, warnings.size()); ++i)
    report(path + ": warning: " + warnings[i]);
  if (warnings.size() > most)
    report(path + ": " + std::to_string(warnings.size() - most) +
           " more warnings; startle levels check shows all");
  return level;
}

std::vector<StoredLevel> load_levels(const std::vector<std::string>& paths, const Profile& profile,
                                     bool quiet) {
  std::vector<StoredLevel> levels;
  for (const std::string& file : find_levels(paths)) levels.push_back(load_level(file, profile, quiet));
  return levels;
}

std::optional<Novelty> chosen_novelty(const std::string& name, const Level& level) {
  return name.empty() ? std::nullopt : std::optional(find_novelty(name, level));
}

SettleResult settled_level(const Level& level, std::shared_ptr<const Profile> constants,
                           const std::string& path, bool quiet) {
  SettleResult result;
  try {
    result = settle_scene(make_scene(level, std::move(constants)));
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
  if (!result.settled && !quiet)
    report(path + ": warning: still moving after " + fixed(result.seconds, 1) +
           " s; the state reached is used");
  return result;
}

std::vector<std::string> find_levels(const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  for (const std::filesystem::path& file : find_level_files({paths.begin(), paths.end()}))
    found.push_back(file.string());
  if (found.empty())
    throw Error(paths.front() + ": is the manifest of a level set; allowed: its levels, or its folder");
  return found;
}

void catch_interrupt() {
  std::signal(SIGALRM, on_alarm);
  for (const int signal : ending_signals)
    if (std::signal(signal, on_interrupt) == SIG_IGN && signal == SIGHUP)
      std::signal(signal, SIG_IGN);  // nohup
}
bool interrupted() { return interruption() != Interruption::none; }

KeepResults::KeepResults() { ++keeping; }
KeepResults::~KeepResults() { --keeping; }

Progress::Progress(std::string what, std::size_t total, bool quiet)
    : what_(std::move(what)),
      total_(total),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (!printed_) return;
  print(std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
  if (terminal_) std::cerr << std::endl;
}

void Progress::expect_more(std::size_t count) {
  const std::lock_guard lock(mutex_);
  total_ += count;
}

void Progress::advance() {
  const std::lock_guard lock(mutex_);
  ++done_;
  print_when_due();
}

void Progress::note(const std::string& detail) {
  const std::lock_guard lock(mutex_);
  detail_ = detail;
  print_when_due();
}

void Progress::print_when_due() {
  if (quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - last_).count() < (terminal_ ? 0.2 : 10)) return;
  last_ = now;
  print(std::chrono::duration<double>(now - start_).count());
}

void Progress::print(double seconds) {
  printed_ = true;
  const double rate = static_cast<double>(done_) / std::max(seconds, 1e-9);
  std::string line = what_ + ": " + std::to_string(done_) + "/" + std::to_string(total_) + ", " +
                     fixed(rate, rate < 10 ? 1 : 0) + "/s";
  constexpr std::size_t min_done = 5;  // fewer say little of how long the others take
  if (done_ >= min_done && done_ < total_)
    line += ", " + fixed(static_cast<double>(total_ - done_) / rate, 0) + " s left";
  else
    line += ", " + fixed(seconds, 1) + " s";
  if (!detail_.empty()) line += ", " + detail_;
  if (terminal_)
    std::cerr << "\r" << line << "\x1b[K" << std::flush;
  else
    std::cerr << line << std::endl;
}

void run_all(const std::string& what, std::size_t count, const CommonOptions& common,
             const std::function<void(std::size_t)>& job) {
  Progress progress(what, count, common.quiet);
  parallel_for(
      count, common.threads,
      [&](std::size_t i) {
        job(i);
        progress.advance();
      },
      [] { return !interrupted(); });
}

}  // namespace startle
