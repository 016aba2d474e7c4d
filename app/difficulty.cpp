/// \file  startle difficulty: PID, BID, value and tier of many levels.
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "levels/level_set.hpp"
#include "reports/difficulty_results.hpp"
#include "reports/table.hpp"
#include "sim/error.hpp"
#include "sim/parallel.hpp"

namespace startle {
namespace {

struct DifficultyCommandOptions {
  CommonOptions common;
  std::vector<std::string> paths, novelties;
  double alpha = 0.5;
  std::string state_update = "qualitative", method = "published";
  std::optional<std::string> out;
  bool json = false, csv = false;
};

/// What became of one file.
struct FileResult {
  bool done = false;
  std::string error;
  Level level;
  std::vector<LevelResult> results;  ///< one a novelty
};

FileResult measure(const std::string& path, const std::vector<const Novelty*>& novelties, std::shared_ptr<const Profile> constants,
                   const DifficultyCommandOptions& options, const DifficultyOptions& how) {
  FileResult file;
  try {
    file.level = load_level(path, *constants, options.common.quiet);
    const Scene scene = settled_level(file.level, constants, path, options.common.quiet).scene;
    for (const Novelty* novelty : novelties)
      file.results.push_back(level_result(path, scene, *novelty, compute_difficulty(scene, *novelty, how)));
  } catch (const Error& error) {
    file.error = error.what();
    if (!file.error.starts_with(path)) file.error = path + ": " + file.error;
    file.results.clear();
  }
  file.done = true;
  return file;
}

int difficulty(const DifficultyCommandOptions& options) {
  if (!(options.alpha >= 0 && options.alpha <= 1))
    throw Error("--alpha: found " + shortest(options.alpha) + ", allowed are values from 0 to 1");
  const DifficultyOptions how{.alpha = options.alpha, .state_update = parse_state_update(options.state_update),
                              .method = *method_from_name(options.method)};
  const auto constants = profile(options.common.profile);
  std::vector<const Novelty*> novelties;
  for (const std::string& text : options.novelties) novelties.push_back(&find_novelty(text));
  std::vector<std::string> files;
  std::vector<std::string> missing;
  for (const std::string& path : options.paths) {
    try {
      for (const std::string& file : find_levels({path})) files.push_back(file);
    } catch (const Error& error) {
      missing.push_back(error.what());
    }
  }

  catch_interrupt();
  std::vector<FileResult> measured(files.size());
  {
    Progress progress("levels", files.size(), options.common.quiet);
    parallel_for(
        files.size(), options.common.threads,
        [&](std::size_t i) {
          measured[i] = measure(files[i], novelties, constants, options, how);
          progress.advance();
        },
        [] { return !interrupted(); });
  }

  std::vector<LevelResult> results;
  std::vector<Level> levels;
  std::vector<std::string> errors = missing;
  for (FileResult& file : measured) {
    if (!file.error.empty()) errors.push_back(file.error);
    if (!file.done || !file.error.empty()) continue;
    results.insert(results.end(), file.results.begin(), file.results.end());
    levels.push_back(std::move(file.level));
  }
  for (const std::string& error : errors) report(error);
  if (!options.common.quiet) {
    for (const Novelty* novelty : novelties) {
      std::size_t without = 0;
      for (const LevelResult& r : results) without += r.novelty == novelty->name && r.novel_objects == 0 ? 1 : 0;
      if (without > 0)
        report(novelty->name + ": " + std::to_string(without) + " of " + std::to_string(levels.size()) +
               " levels hold nothing that it changes; their PID, BID and value are 1");
    }
  }
  if (interrupted()) report("interrupted: " + std::to_string(levels.size()) + " of " + std::to_string(files.size()) + " levels done; tiers are over those");

  const ThresholdTable thresholds = assign_tiers(results, options.alpha);
  if (results.empty()) {
    // Nothing to write; the errors have been reported.
  } else if (options.json) {
    nlohmann::ordered_json json;
    json["program"] = "startle " STARTLE_VERSION;
    json["profile"] = options.common.profile;
    json["alpha"] = options.alpha;
    json["state_update"] = name(how.state_update);
    json["method"] = name(how.method);
    json["level_set_hash"] = hexadecimal(level_set_hash(levels));
    json["thresholds"] = json_of(thresholds);
    json["results"] = json_of(results);
    emit(json.dump(2) + "\n", options.out);
  } else {
    emit(options.csv ? comma_separated(result_rows(results, -1)) : aligned(result_rows(results, 4)), options.out);
  }
  if (!errors.empty()) return exit_bad_input;
  return interrupted() ? exit_interrupted : 0;
}

}  // namespace

void add_difficulty_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<DifficultyCommandOptions>();
  CLI::App* command = app.add_subcommand("difficulty", "How hard a novelty is to detect in each level: one line per level and novelty.");
  command->add_option("FILES_OR_DIRS", options->paths, "level files, or folders that are searched for .json and .xml")->required()->type_name("");
  command->add_option("--novelty", options->novelties, "names of novelties, for example T1,T2,T3")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("N[,N...]");
  command->add_option("--alpha", options->alpha, "weight of PID in the value, 0 to 1; the rest is BID's")->type_name("A")->capture_default_str()->check([](const std::string& text) { return text.empty() ? "a number is needed" : ""; });
  command->add_option("--state-update", options->state_update, "state after each shot: qualitative or simulated")->type_name("HOW")->capture_default_str();
  command->add_option("--method", options->method, "what a hit moves and shows: published, or extended by what its source leaves out")
      ->check(CLI::IsMember({"published", "extended"}).description(""))
      ->type_name("M")
      ->capture_default_str();
  CLI::Option* json = command->add_flag("--json", options->json, "JSON, with configuration and tier thresholds");
  command->add_flag("--csv", options->csv, "comma-separated, full precision")->excludes(json);
  command->add_option("--out", options->out, "file to write to, in place of standard output")->type_name("FILE");
  add_common_options(*command, options->common);
  command->footer("Each level settles first: its initial state is the one that a player sees. Tiers are those of the levels given, each\n"
                  "novelty for itself: easy below the 33.33rd percentile of the value, hard above the 66.67th. Objects are blocks, pigs, TNT\n"
                  "and platforms; targets are counted before the first shot.\n"
                  "A file that cannot be used is reported and left out; the exit code is then 2.\n"
                  "Example: startle difficulty levels/data --novelty T1,T2,T3 --csv");
  command->callback([options, &exit_code] { exit_code = difficulty(*options); });
}

}  // namespace startle
