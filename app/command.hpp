#pragma once
/// \file  What the subcommands share: common options, reading levels, output, progress, interruption.
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/cli.hpp"
#include "app/options.hpp"
#include "core/files.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "difficulty/difficulty.hpp"
#include "levels/name_map.hpp"
#include "levels/stored_level.hpp"
#include "sim/novelty.hpp"
#include "sim/profile.hpp"
#include "sim/world.hpp"
#include "simulated/observer.hpp"
#include "simulated/state_update.hpp"

namespace startle {

/// What a program ends with, one meaning a number; docs/command-line.md has the same table.
inline constexpr int exit_done = 0;
inline constexpr int exit_fault = 1;      ///< of the program itself
inline constexpr int exit_bad_input = 2;  ///< the message names it
/// startle levels check: a level can be used, but is not what its file says; startle agents verify and
/// leaderboard: something does not agree
inline constexpr int exit_not_whole = 3;
inline constexpr int exit_interrupted = 130;  ///< by Ctrl-C; a program that SIGTERM or SIGHUP interrupts
                                              ///< ends by that signal: 143, 129 in a shell

/// Each adds its subcommand. The subcommand runs while the command line is parsed, throws Error for bad
/// input, and sets `exit_code` where a run that went to its end is no success.
void add_levels_command(CLI::App& app, int& exit_code);
void add_simulate_command(CLI::App& app, int& exit_code);
void add_render_command(CLI::App& app, int& exit_code);
void add_explain_command(CLI::App& app, int& exit_code);
void add_difficulty_command(CLI::App& app, int& exit_code);
void add_observe_command(CLI::App& app, int& exit_code);
void add_dynamics_command(CLI::App& app, int& exit_code);
void add_study_command(CLI::App& app, int& exit_code);
void add_validate_command(CLI::App& app, int& exit_code);
void add_agents_command(CLI::App& app, int& exit_code);
/// Of `startle agents`.
void add_agents_replay(CLI::App& agents);
void add_agents_regret(CLI::App& agents);
void add_agents_verify(CLI::App& agents, int& exit_code);
void add_agents_report(CLI::App& agents);
void add_agents_pack(CLI::App& agents);
void add_agents_leaderboard(CLI::App& agents, int& exit_code);
void add_agents_serve(CLI::App& agents, int& exit_code);

/// Parses the command line, compares the paths in it (app/paths.hpp), runs the subcommand, and reports what
/// goes wrong. Returns the exit code of the program: exit_code, or exit_bad_input, or exit_fault for an error
/// of the program itself. `example` stands at the foot of the help.
int run_program(CLI::App& app, int argc, char** argv, const int& exit_code, const std::string& example);

/// The text to standard output, or whole to the file `out` when given. Throws Error when it cannot be
/// written.
void emit(const std::string& text, const std::optional<std::string>& out, const WriteOptions& options = {});

/// One line on standard error, "startle: <message>".
void report(const std::string& message);

/// Makes the folder where it is missing. Throws Error when it cannot be made or written to.
void prepare_folder(const std::filesystem::path& folder);

/// Reads a level, takes names that Startle does not know for what `names` says, and reports its first
/// warnings, dropped elements among them, unless `quiet`; also that it carries a novelty of its own, where
/// `novelty`, that of --novelty, is another. Throws Error for a novelty that novelty_name() refuses, and when
/// the level cannot be used under the profile.
StoredLevel load_level(const std::string& path, const Profile& profile, bool quiet,
                       const std::vector<MappedName>& names = {}, const std::string& novelty = {});

/// All levels of these files, and of the folders that are searched: load_level() of find_levels().
std::vector<StoredLevel> load_levels(const std::vector<std::string>& paths, const Profile& profile,
                                     bool quiet);

/// The novelty of --novelty for a level; none where the option was not given. Throws Error as find_novelty().
std::optional<Novelty> chosen_novelty(const std::string& name, const Level& level);

/// The level at rest under a profile. Reports, unless `quiet`, that it is still moving when settling takes
/// too long.
SettleResult settled_level(const Level& level, std::shared_ptr<const Profile> profile,
                           const std::string& path, bool quiet);

/// find_level_files() as text, for messages. Throws Error where there is none but manifests.
std::vector<std::string> find_levels(const std::vector<std::string>& paths);

/// From now on the first Ctrl-C only makes interrupted() true; the second one ends the program. SIGTERM and
/// SIGHUP do so, too, and give up what is under way (core/interrupt.hpp): the program then writes what is
/// finished, and has 0.8 s for it all, or as long as there is a KeepResults.
void catch_interrupt();
bool interrupted();

/// While it is there, what is finished is being written: SIGTERM does not cut it short.
struct KeepResults {
  KeepResults();
  ~KeepResults();
  KeepResults(const KeepResults&) = delete;
};

/// Count, rate and remaining time on standard error: in place on a terminal, a line every ten seconds
/// elsewhere. Short jobs print nothing. Any thread may call advance().
class Progress {
 public:
  Progress(std::string what, std::size_t total, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance();
  /// Something was done that is not counted; `detail` is shown at the end of the line from now on.
  void note(const std::string& detail);
  /// The job has become longer.
  void expect_more(std::size_t count);

 private:
  void print_when_due();
  void print(double seconds);

  std::string what_, detail_;
  std::size_t total_, done_ = 0;
  bool quiet_, terminal_, printed_ = false;
  std::chrono::steady_clock::time_point start_, last_;
  std::mutex mutex_;
};

/// Calls job(0) ... job(count - 1) as parallel_for() does and reports their progress; after an interruption
/// no further one starts.
void run_all(const std::string& what, std::size_t count, const CommonOptions& common,
             const std::function<void(std::size_t)>& job);

}  // namespace startle
