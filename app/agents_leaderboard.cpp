/// \file  startle agents leaderboard: entries side by side.
#include "agents/replay.hpp"
#include "agents/verify_results.hpp"
#include "app/agents_verify.hpp"
#include "core/error.hpp"
#include "reports/leaderboard.hpp"

namespace startle {
namespace {

struct LeaderboardOptions {
  std::vector<std::string> entries;
  RecordedLevels levels;
  Output output;
};

/// False where Ctrl-C came between.
bool verify_all(std::vector<LeaderboardEntry>& entries, const LeaderboardOptions& options) {
  const auto constants = recorded_profile(entries.front().entry.manifest, options.entries.front());
  const std::vector<PlayableLevel> levels = options.levels.playable(constants);
  catch_interrupt();
  std::size_t trials = 0;
  for (const LeaderboardEntry& one : entries)
    for (const auto& [secret, of_run] : one.entry.runs) trials += of_run.size();
  Progress progress("trials", trials, options.levels.quiet);
  for (std::size_t i = 0; i < entries.size(); ++i) try {
      const ResultsVerification found = verify_entry(
          entries[i].entry, levels, constants, options.levels.threads, [&] { progress.advance(); },
          [] { return !interrupted(); });
      if (!found.complete) return false;
      entries[i].disagreements = found.disagreements.size();
    } catch (const Error& error) {
      throw Error(options.entries[i] + ": " + error.what());
    }
  return true;
}

int make_leaderboard(const LeaderboardOptions& options) {
  std::vector<LeaderboardEntry> entries;
  for (const std::string& file : options.entries) entries.push_back({read_entry(file), std::nullopt});
  if (!options.levels.choice.paths.empty() && !verify_all(entries, options)) {
    report("interrupted: nothing was written");
    return exit_interrupted;
  }
  emit(leaderboard(entries, options.output.chosen()), options.output.out);
  int exit_code = exit_done;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].disagreements.value_or(0) > 0) {
      report(options.entries[i] + ": " + std::to_string(*entries[i].disagreements) +
             " disagree; startle agents verify names them");
      exit_code = exit_not_whole;
    }
  return exit_code;
}

}  // namespace

void add_agents_leaderboard(CLI::App& agents, int& exit_code) {
  const auto options = std::make_shared<LeaderboardOptions>();
  CLI::App* command = agents.add_subcommand(
      "leaderboard", "A page of entries side by side; with their levels each is verified first.");
  add_shared_option(*command, "ENTRIES", options->entries)->required();
  add_recorded_levels_options(*command, options->levels,
                              "those of the entries, which are then verified; default: none (nothing is "
                              "verified)");
  add_report_options(*command, options->output, {"html", "md", "csv", "json"},
                     "html and md for people, csv with one row an entry and tier, json");
  command->footer(
      "All entries must be of the same levels and options. The order is that of AUC over all tiers.\n"
      "Exit code 3: an entry does not agree with its shots; the page says so.\n"
      "Example: startle agents leaderboard entries/*.sqlite --levels levels/benchmark --out "
      "leaderboard.html");
  command->callback([options, &exit_code] { exit_code = make_leaderboard(*options); });
}

}  // namespace startle
