/// \file  startle agents leaderboard: entries side by side.
#include "agents/entries/verify_results.hpp"
#include "agents/trials/replay.hpp"
#include "app/agents_verify.hpp"
#include "app/reports/leaderboard.hpp"
#include "core/error.hpp"

namespace startle {
namespace {

struct LeaderboardOptions {
  std::vector<std::string> entries, run_by_host;
  RecordedLevels levels;
  Output output;
};

/// Those that can be read; the others are refused.
Leaderboard read_entries(const LeaderboardOptions& options) {
  Leaderboard board;
  const auto read = [&](const std::vector<std::string>& files, EntryMark mark) {
    for (const std::string& file : files) try {
        board.entries.push_back({file, read_entry(file), mark});
      } catch (const Error& error) {
        board.refused.push_back({file, error.what()});
      }
  };
  read(options.run_by_host, EntryMark::run_by_host);
  read(options.entries, EntryMark::reported);
  return board;
}

/// Without what is refused, among it what does not agree. False where Ctrl-C came between.
bool verify_all(Leaderboard& board, const LeaderboardOptions& options) {
  std::size_t trials = 0;
  for (const LeaderboardEntry& one : board.entries)
    for (const auto& [secret, of_run] : one.entry.runs) trials += of_run.size();
  std::map<std::string, GivenLevels> given;  // by profile
  Progress progress("trials", trials, options.levels.quiet);
  std::vector<LeaderboardEntry> kept;
  for (LeaderboardEntry& one : board.entries) try {
      const std::string& constants = one.entry.manifest.at("profile");
      if (!given.contains(constants))
        given[constants] = options.levels.given(recorded_profile(one.entry.manifest, one.file));
      catch_interrupt();
      const ResultsVerification found = verify_entry(
          one.entry, given[constants], options.levels.threads, [&] { progress.advance(); },
          [] { return !interrupted(); });
      if (!found.complete) return false;
      if (!found.disagreements.empty()) {
        board.refused.push_back({one.file, std::to_string(found.disagreements.size()) +
                                               " disagree, the first: " + found.disagreements.front()});
        continue;
      }
      if (found.replayed == found.trials)
        one.mark = EntryMark::run_by_host;
      else if (one.mark == EntryMark::reported)
        one.mark = EntryMark::replayed;
      kept.push_back(std::move(one));
    } catch (const Error& error) {
      board.refused.push_back({one.file, error.what()});
    }
  board.entries = std::move(kept);
  return true;
}

int make_leaderboard(const LeaderboardOptions& options) {
  if (options.entries.empty() && options.run_by_host.empty())
    throw Error("ENTRIES: found none, allowed are entries, or --run-by-host with one");
  Leaderboard board = read_entries(options);
  if (!options.levels.choice.paths.empty() && !verify_all(board, options)) {
    report("interrupted: nothing was written");
    return exit_interrupted;
  }
  refuse_misfits(board);
  const auto line_of = [](const RefusedEntry& one) {
    return one.reason.starts_with(one.file) ? one.reason : one.file + ": " + one.reason;
  };
  if (board.entries.empty()) {
    std::string lines;
    for (const RefusedEntry& one : board.refused) lines += "\n  " + line_of(one);
    throw Error("no entry can stand on the leaderboard:" + lines);
  }
  emit(leaderboard(board, options.output.chosen()), options.output.out);
  for (const RefusedEntry& one : board.refused) report("not in the tables: " + line_of(one));
  return board.refused.empty() ? exit_done : exit_not_whole;
}

}  // namespace

void add_agents_leaderboard(CLI::App& agents, int& exit_code) {
  const auto options = std::make_shared<LeaderboardOptions>();
  CLI::App* command = agents.add_subcommand(
      "leaderboard", "A page of entries side by side; with their levels each is verified first.");
  add_shared_option(*command, "ENTRIES", options->entries, "default: none (those of --run-by-host)");
  command
      ->add_option("--run-by-host", options->run_by_host,
                   "an entry that you packed from runs of your own; may be repeated; default: none")
      ->allow_extra_args(false)
      ->type_name("ENTRY");
  add_recorded_levels_options(*command, options->levels,
                              "those of the entries, which are then verified; default: none (nothing is "
                              "verified)");
  add_report_options(
      *command, options->output, {"html", "md", "tex", "svg", "csv", "json"},
      "html and md for people, tex and svg for a paper, csv with one row an entry and tier, json");
  command->footer(
      "There is a table for entries run by the host, one for entries whose shots were replayed, and one for\n"
      "entries that are their author's word, each ordered by AUC over all tiers. An entry with more than\n"
      "1 % of failed trials has no rank. An entry that cannot be read, does not agree, is of other levels\n"
      "or options, or has another entry's name is only listed, with the reason; the exit code is then 3.\n"
      "Example: startle agents leaderboard entries/*.sqlite --levels levels/benchmark --out "
      "leaderboard.html");
  command->callback([options, &exit_code] { exit_code = make_leaderboard(*options); });
}

}  // namespace startle
