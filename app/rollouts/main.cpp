/// \file  The program behind `startle rollouts`: episodes for training, in HDF5 files.
#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

#include "agents/built_in.hpp"
#include "agents/trials/runner.hpp"
#include "app/command.hpp"
#include "app/level_sets.hpp"
#include "core/engine_version.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "rollouts/rollouts.hpp"

namespace startle {
namespace {

struct RolloutsOptions {
  CommonOptions common;
  std::vector<MappedName> map;
  std::vector<std::string> levels, agents{"best-target"};
  std::string out, size;
  RolloutSettings settings;
};

/// The command that makes these very bytes.
std::string command_of(const RolloutsOptions& options) {
  const RolloutSettings& settings = options.settings;
  std::string command = "startle rollouts --levels DIR";
  for (const MappedName& name : options.map) command += " --map " + shell_word(name.text);
  if (!settings.novelty.empty()) command += " --novelty " + settings.novelty;
  for (const std::string& agent : options.agents) command += " --agent " + shell_word(agent);
  command += " --trials " + std::to_string(settings.trials) + " --every " +
             std::to_string(settings.recording.every);
  if (!options.size.empty()) command += " --size " + options.size;
  if (settings.recording.masks) command += " --masks";
  return command + " --seed " + std::to_string(settings.seed) + " --shard-size " +
         std::to_string(settings.shard_size) + " --profile " + options.common.profile + " --out DIR";
}

void read_size(const RolloutsOptions& options, RolloutRecording& recording) {
  if (options.size.empty()) {
    if (recording.masks) throw Error("--masks: found without --size, which says how large they are");
    return;
  }
  const PictureSize size = parse_picture_size(options.size);
  recording.width = size.width;
  recording.height = size.height;
}

std::vector<RolloutLevel> read_levels(const RolloutsOptions& options) {
  const std::vector<std::string> files = find_levels(options.levels);
  LevelsAtRest set;
  {
    Progress progress("levels", files.size(), options.common.quiet);
    set = levels_at_rest({files.begin(), files.end()}, profile(options.common.profile),
                         {.threads = options.common.threads,
                          .map = options.map,
                          .progress = [&] { progress.advance(); },
                          .keep_going = [] { return !interrupted(); }});
  }
  std::vector<LeftOutLevel> left_out = set.left_out;
  std::vector<RolloutLevel> levels = rollout_levels(set, options.settings.novelty, left_out);
  if (levels.empty() && !interrupted()) throw none_can_be_played(options.levels.front(), left_out);
  if (!options.common.quiet) report_left_out({}, left_out, files.size());
  return levels;
}

/// What was made, how fast and how large.
std::string summary_text(const std::string& out, const RolloutSummary& summary, double seconds) {
  std::map<std::string, std::uint64_t> rows;
  std::uint64_t bytes = 0;
  for (const ShardRecord& shard : summary.shards) {
    bytes += shard.bytes;
    for (const auto& [table, count] : shard.rows) rows[table] += count;
  }
  const auto a_frame = static_cast<double>(bytes) /
                       static_cast<double>(std::max<std::uint64_t>(1, rows["frames"]));
  std::string text = out + ": " + std::to_string(rows["episodes"]) + " episodes, " +
                     std::to_string(rows["shots"]) + " shots, " + std::to_string(rows["frames"]) +
                     " frames, " + std::to_string(rows["states"]) + " states in " +
                     std::to_string(summary.shards.size()) + " shards";
  if (summary.found > 0) text += ", " + std::to_string(summary.found) + " of them finished before";
  text += "; " + fixed(static_cast<double>(bytes) / 1e6, 1) + " MB, " + fixed(a_frame, 0) + " bytes a frame";
  if (summary.frames_made > 0)
    text += "; " + fixed(static_cast<double>(summary.frames_made) / std::max(seconds, 1e-3), 0) +
            " frames a second";
  return text;
}

int run(RolloutsOptions options) {
  RolloutSettings& settings = options.settings;
  profile(options.common.profile);
  if (!settings.novelty.empty() && settings.novelty != "stored") novelty_name(settings.novelty);
  read_size(options, settings.recording);
  for (const std::string& agent : options.agents) settings.agents.push_back(parse_agent(agent));
  settings.profile = options.common.profile;
  settings.program = engine_name();
  settings.date = STARTLE_DATE;
  settings.command = command_of(options);
  prepare_folder(options.out);
  catch_interrupt();
  const std::vector<RolloutLevel> levels = read_levels(options);
  const auto start = std::chrono::steady_clock::now();
  std::optional<Progress> progress;
  RolloutSummary summary;
  if (!interrupted())
    summary = make_rollouts(
        options.out, levels, settings,
        {.threads = options.common.threads,
         .expect = [&](std::size_t count) { progress.emplace("episodes", count, options.common.quiet); },
         .progress = [&] { progress->advance(); },
         .keep_going = [] { return !interrupted(); }});
  progress.reset();
  if (!summary.complete) {
    report("interrupted: " + std::to_string(summary.shards.size()) + " shards are in " + options.out +
           "; the same command goes on from there");
    return exit_interrupted;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!options.common.quiet) report(summary_text(options.out, summary, seconds));
  return exit_done;
}

void add_rollouts_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<RolloutsOptions>();
  CLI::App* command = app.add_subcommand("rollouts", "Records episodes for training world models.");
  RolloutSettings& settings = options->settings;
  add_shared_option(*command, "--levels", options->levels)->required();
  add_shared_option(*command, "--out", options->out,
                    "a folder; one that holds unfinished rollouts is gone on with")
      ->required();
  add_map_option(*command, options->map);
  add_shared_option(*command, "--novelty", settings.novelty,
                    "each level is played in the normal world and in that of the novelty; stored: the one "
                    "stored with each level; own: the one that the file of each carries; default: none (the "
                    "normal world)");
  add_shared_option(*command, "--agent", options->agents,
                    "each plays every level; default: the shooter best-target")
      ->allow_extra_args(false);
  add_shared_option(*command, "--trials", settings.trials, "world and agent")
      ->check(CLI::Range(1, 1000000).description(""));
  command->add_option("--every", settings.recording.every, "steps of 0.02 s between frames")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N")
      ->capture_default_str();
  add_shared_option(*command, "--size", options->size, "of each frame; default: none (no pictures)");
  command->add_flag("--masks", settings.recording.masks, "which object each pixel shows, too");
  command->add_option("--shard-size", settings.shard_size, "episodes a file")
      ->check(CLI::Range(1, 100000).description(""))
      ->type_name("N")
      ->capture_default_str();
  add_seed_option(*command, settings.seed, "of the agents");
  add_common_options(*command, options->common);
  command->footer(
      "Killed at any time and run again, it goes on where it was. docs/rollouts.md says what the files hold "
      "and how to load them.\nExample: startle rollouts --levels levels/data --out rollouts");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace
}  // namespace startle

int main(int argc, char** argv) {
  using namespace startle;
  CLI::App app{"Episodes for training world models.", "startle"};
  int exit_code = 0;
  add_rollouts_command(app, exit_code);
  return run_program(app, argc, argv, exit_code, "startle rollouts --levels levels/data --out rollouts");
}
