/// \file  startle agents report.
#include "app/reports/agents_report.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "agents/trials/results_store.hpp"
#include "agents/trials/runner.hpp"
#include "app/command.hpp"
#include "core/error.hpp"
#include "levels/level_file.hpp"
#include "levels/level_set.hpp"
#include "simulated/played_level.hpp"

namespace startle {
namespace {

struct ReportOptions {
  std::vector<std::string> files;
  std::optional<std::string> measured;
  Output output;
  bool by_trial = false;
};

constexpr ReferencePlayer tiers_player = ReferencePlayer::best_target;

/// The levels of --measured.
struct MeasuredLevels {
  std::map<std::pair<std::uint64_t, std::string>, MeasuredPLevel> p_levels;  ///< by hash and novelty
  std::map<std::uint64_t, std::string> files;                                ///< by hash
  std::map<std::string, std::string> names;                                  ///< files by the level's name
};
MeasuredLevels measured_levels(const std::string& path) {
  MeasuredLevels found;
  for (const std::string& file : find_levels({path})) {
    const StoredLevel level = read_level(file);
    found.files[level_hash(level)] = found.names[level.name] = file;
    if (!level.difficulty) continue;
    for (const MeasuredPLevel& measured : level.difficulty->measured)
      if (measured.player == name(tiers_player))
        found.p_levels[{level_hash(level), level.difficulty->novelty}] = measured;
  }
  if (found.p_levels.empty())
    throw Error("--measured " + path + ": no level there has a p_level measured with the player " +
                name(tiers_player) + "; startle observe --store measures it");
  return found;
}

/// Why the level of a trial is not among them.
std::string why_not_measured(const MeasuredLevels& measured, const PlayedLevel& level,
                             const std::string& novelty) {
  if (const auto file = measured.files.find(level.hash); file != measured.files.end())
    return file->second + " has no p_level of " + novelty + " measured with the player " + name(tiers_player);
  if (const auto file = measured.names.find(level.level); file != measured.names.end())
    return file->second + " has its name and is another level, or was changed after the trial";
  return "no level there has its name";
}

/// Puts the tier of measured p_level in place of that of predicted p_level.
void take_measured_tiers(AgentResults& run, const MeasuredLevels& measured) {
  int least = std::numeric_limits<int>::max(), most = 0;
  for (TrialResult& trial : run.trials) {
    if (trial.levels.size() != 1)
      throw Error(
          "--measured: found trials of several levels, which were put together by tier before they "
          "were played; allowed are runs of the protocol single");
    const auto level = measured.p_levels.find({trial.levels.front().hash, trial.novelty});
    if (level == measured.p_levels.end())
      throw Error("--measured: level " + trial.levels.front().level + ", " + trial.novelty + ": " +
                  why_not_measured(measured, trial.levels.front(), trial.novelty));
    trial.tier = name(tier_of(level->second.p_level));
    least = std::min(least, level->second.plays);
    most = std::max(most, level->second.plays);
  }
  run.manifest["measured"] = std::string(name(tiers_player)) + ", " +
                             (least < most ? std::to_string(least) + " to " : "") + std::to_string(most) +
                             " plays of each level";
}

void report_command(const ReportOptions& options) {
  std::vector<AgentResults> runs = read_runs({options.files.begin(), options.files.end()});
  std::erase_if(runs, [](const AgentResults& run) { return run.trials.empty(); });
  if (runs.empty()) throw Error(options.files.front() + ": holds no finished trial");
  if (options.measured) {
    const MeasuredLevels measured = measured_levels(*options.measured);
    for (AgentResults& run : runs) take_measured_tiers(run, measured);
  }
  emit(agents_report(runs, options.output.chosen(), options.by_trial), options.output.out);
}

}  // namespace

void add_agents_report(CLI::App& agents) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* command = agents.add_subcommand(
      "report", "Scores of agents: leaderboard, tables by novelty and tier, comparisons.");
  add_shared_option(*command, "RESULTS", options->files,
                    "several of one run; those of both protocols stand side by side")
      ->required();
  command
      ->add_option("--measured", options->measured,
                   "the levels that were played: trials are put into tiers by the p_level that was measured "
                   "there (startle observe --store), in place of the predicted one; default: none")
      ->type_name("LEVELS");
  add_report_options(
      *command, options->output, {"html", "md", "tex", "svg", "csv", "json"},
      "html and md for people, tex and svg for a paper, csv with one row a score, json with every "
      "trial");
  command->add_flag("--by-trial", options->by_trial,
                    "csv with one row a trial, in NovPhy's columns, in place of one a score");
  command->footer(
      "Example: startle agents report results.sqlite --out report.html\n"
      "         startle agents report results.sqlite --measured levels/benchmark --out measured.html");
  command->callback([options] { report_command(*options); });
}

}  // namespace startle
