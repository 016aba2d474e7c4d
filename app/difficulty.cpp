/// \file  startle difficulty: PID, BID and value of many levels.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/level_sets.hpp"
#include "app/reports/difficulty_results.hpp"
#include "app/reports/table.hpp"
#include "core/error.hpp"
#include "levels/level_file.hpp"
#include "levels/level_set.hpp"

namespace startle {
namespace {

struct DifficultyCommandOptions {
  CommonOptions common;
  std::vector<std::string> paths, novelties;
  std::vector<MappedName> map;
  double alpha = 0.5;
  std::string state_update = "qualitative", method = "extended", ties = name(Ties::share);
  std::vector<std::string> known_normal;
  Output output;
  std::optional<std::string> write;
  bool suggest = false, strict = false, simulated = false, thirds = false;

  ResultColumns columns() const { return {.third = thirds, .tier = true}; }
};

/// What became of one file.
struct FileResult {
  bool done = false;
  std::string error;
  StoredLevel level;
  std::vector<LevelResult> results;  ///< one a novelty
};

/// One level under the novelty of that name, which may be its own.
LevelResult measure(const std::string& path, const StoredLevel& level, const Scene& scene,
                    const std::string& name, const DifficultyCommandOptions& options,
                    const DifficultyOptions& how) {
  if (names_own(name) && !level.novelty)
    return {.level = path,
            .novelty = name,
            .left_out = LeftOut::no_own,
            .birds = scene.birds_left(),
            .objects = scene.objects.size()};
  const Novelty novelty = find_novelty(name, level);
  const Difficulty difficulty = compute_difficulty(scene, novelty, how);
  LevelResult result = options.simulated
                           ? level_result(path, scene, novelty, difficulty,
                                          simulated_difficulty(scene, novelty, {.alpha = how.alpha}))
                           : level_result(path, scene, novelty, difficulty);
  if (!options.simulated && !covers(how.method, novelty) && !result.left_out)
    result.left_out = LeftOut::not_covered;
  if (result.detection) result.played = predict_level(scene, novelty);
  if (result.played && !result.left_out) result.tier = tier_of(result.played->p_level);
  if (const auto& stored = level.difficulty;
      stored && stored->novelty == name && stored->tier && !result.left_out)
    result.tier = stored->tier;
  return result;
}

FileResult measure(const std::string& path, const std::vector<std::string>& novelties,
                   std::shared_ptr<const Profile> constants, const DifficultyCommandOptions& options,
                   const DifficultyOptions& how) {
  FileResult file;
  try {
    file.level = load_level(path, *constants, options.common.quiet || options.suggest, options.map,
                            novelties.empty() ? "" : novelties.front());
    const Scene scene =
        settled_level(file.level, constants, path, options.common.quiet || options.suggest).scene;
    for (const std::string& novelty : novelties)
      file.results.push_back(measure(path, file.level, scene, novelty, options, how));
    if (const auto& own = file.level.novelty;
        options.suggest && own && (options.simulated || covers(how.method, *own)))
      file.results.push_back(measure(path, file.level, scene, own_novelty, options, how));
  } catch (const Error& error) {
    file.error = error.what();
    if (!file.error.starts_with(path)) file.error = path + ": " + file.error;
    file.results.clear();
  }
  file.done = true;
  return file;
}

DifficultyOptions checked(const DifficultyCommandOptions& options) {
  if (!(options.alpha >= 0 && options.alpha <= 1))
    throw Error("--alpha: found " + shortest(options.alpha) + ", allowed are values from 0 to 1");
  if (options.novelties.empty() != options.suggest)
    throw Error(
        "difficulty: --novelty N is needed, or --suggest, which takes all novelties of the catalogue");
  if (options.suggest && (options.thirds || !options.known_normal.empty()))
    throw Error("--suggest: not with --thirds or --known-normal, which are of one novelty");
  if (options.suggest && options.write)
    throw Error("--write: not with --suggest; --novelty says for which novelty the levels are to be written");
  const DifficultyOptions how{
      .alpha = options.alpha,
      .state_update = parse_state_update(options.state_update),
      .method = *method_from_name(options.method),
      .ties = ties_from_name(options.ties).value(),
      .known_normal = options.known_normal,
      .predict = !options.suggest && !options.simulated && options.method == name(Method::extended)
                     ? Predict::detection
                     : Predict::nothing};
  if (options.write && (how.state_update.next || !how.known_normal.empty()))
    throw Error("--write: not with --state-update simulated or --known-normal, which a level cannot store");
  return how;
}

/// Of the set of a novelty.
std::string set_command(const std::string& novelty, const DifficultyCommandOptions& options,
                        const DifficultyOptions& how) {
  return "startle difficulty FILES --novelty " + novelty + " --alpha " + shortest(how.alpha) +
         (options.simulated ? " --simulated" : std::string(" --method ") + name(how.method)) +
         (how.ties == Ties::share ? "" : std::string(" --ties ") + name(how.ties)) +
         (options.thirds ? " --thirds" : "") + " --profile " + options.common.profile + " --write DIR";
}

/// p_level and its tier, or by --thirds and by what predicts no p_level the value.
StoredDifficulty stored_difficulty(const LevelResult& r, const std::string& novelty,
                                   const ThresholdTable& thresholds, const DifficultyCommandOptions& options,
                                   const DifficultyOptions& how) {
  if (r.played && !options.thirds) return stored_p_level(novelty, r.played->p_level);
  StoredDifficulty difficulty;
  static_cast<DifficultyValues&>(difficulty) = {r.pid, r.bid, r.value};
  difficulty.novelty = novelty;
  difficulty.source = options.simulated ? DifficultySource::simulated : source_of(how.method);
  difficulty.alpha = how.alpha;
  difficulty.ties = how.ties;
  if (options.thirds) {
    const ThirdThresholds& parts = thresholds.at(novelty);
    difficulty.third = PlacedThird{third_of(r.value, parts), parts};
  }
  return difficulty;
}

/// Levels are written under the name that stands in them. Says so where that is not the name of the file.
std::string written_by_name(const std::vector<std::string>& names, const std::vector<std::string>& files) {
  std::string first;
  std::size_t others = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::filesystem::path(files[i]).stem() == names[i]) continue;
    if (first.empty())
      first = files[i] + " as " + names[i];
    else
      ++others;
  }
  return first.empty() ? ""
                       : ", by the names in the files: " + first +
                             (others > 0 ? ", and " + std::to_string(others) + " others" : "");
}

/// A set for each novelty, DIR/NOVELTY: the levels that are not left out, each with its difficulty.
void write_sets(const std::vector<FileResult>& measured, const std::vector<std::string>& novelties,
                const ThresholdTable& thresholds, const DifficultyCommandOptions& options,
                const DifficultyOptions& how) {
  const std::filesystem::path folder = *options.write;
  prepare_folder(folder);
  for (std::size_t n = 0; n < novelties.size(); ++n) {
    const Novelty novelty = names_own(novelties[n])
                                ? Novelty{.name = novelties[n], .description = {}, .rules = {}}
                                : find_novelty(novelties[n]);
    std::vector<StoredLevel> levels;
    std::vector<std::string> names, files;
    for (const FileResult& file : measured) {
      if (file.results.empty() || file.results[n].left_out) continue;
      const LevelResult& r = file.results[n];
      levels.push_back(file.level);
      levels.back().difficulty = stored_difficulty(r, novelty.name, thresholds, options, how);
      names.push_back(file.level.name);
      files.push_back(r.level);
    }
    if (levels.empty()) continue;  // why has been said
    const std::string renamed = written_by_name(names, files);
    names = distinct_names(names, files);
    for (std::size_t i = 0; i < levels.size(); ++i) levels[i].name = names[i];
    const ValueGoal of_values{
        {&novelty, options.simulated ? std::nullopt : std::optional(how.method), how.alpha, how.ties}};
    const SearchGoal goal = levels.front().difficulty->source == DifficultySource::p_level
                                ? SearchGoal(PLevelGoal{&novelty})
                                : SearchGoal(of_values);
    write_level_set(levels, folder / novelty.name,
                    {.version = STARTLE_VERSION,
                     .command = set_command(novelty.name, options, how),
                     .profile = options.common.profile,
                     .goal = goal,
                     .thirds = options.thirds ? std::optional(thresholds.at(novelty.name)) : std::nullopt,
                     .from_files = true});
    if (!options.common.quiet)
      report("wrote " + std::to_string(levels.size()) + (levels.size() == 1 ? " level to " : " levels to ") +
             (folder / novelty.name).string() + renamed);
  }
}

/// What the values of a novelty are to be read with: where it cannot be detected, and what was left out.
void say_first(const std::string& novelty, const std::vector<LevelResult>& results,
               const ThresholdTable& thresholds, std::size_t files, const DifficultyCommandOptions& options) {
  std::vector<double> values;
  std::vector<LeftOutLevel> left_out;
  for (const LevelResult& r : results) {
    if (r.novelty != novelty) continue;
    if (r.left_out)
      left_out.push_back({r.level, *r.left_out, {}});
    else
      values.push_back(r.value);
  }
  if (options.strict) require_all(left_out, files);
  if (options.common.quiet) return;
  const auto thirds = options.thirds && !values.empty() ? std::optional(thresholds.at(novelty))
                                                        : std::nullopt;
  if (thirds || std::count(values.begin(), values.end(), 1.0) > 0) report_values(novelty, values, thirds);
  report_left_out(novelty + ": ", left_out, files);
  if (std::any_of(left_out.begin(), left_out.end(),
                  [](const LeftOutLevel& level) { return level.reason == LeftOut::not_covered; }))
    report(novelty + ": reasoning does not cover it in some levels; --simulated covers these by simulation");
}

nlohmann::ordered_json configuration(const DifficultyCommandOptions& options, const DifficultyOptions& how,
                                     const std::vector<StoredLevel>& levels) {
  return {{"program", "startle " STARTLE_VERSION},
          {"profile", options.common.profile},
          {"alpha", options.alpha},
          {"state_update", how.state_update.name},
          {"method", options.simulated ? "simulated" : name(how.method)},
          {"ties", name(how.ties)},
          {"known_normal", how.known_normal},
          {"level_set_hash", hexadecimal(level_set_hash(levels))}};
}

/// Those of --novelty, or with --suggest all of the catalogue. Throws Error for one that the method does not
/// cover.
std::vector<std::string> novelties_of(const DifficultyCommandOptions& options, const DifficultyOptions& how) {
  std::vector<std::string> novelties;
  for (const std::string& text : options.novelties) novelties.push_back(novelty_name(text));
  if (options.suggest)
    for (const Novelty& novelty : novelty_catalogue()) novelties.push_back(novelty.name);
  for (const std::string& novelty : novelties)
    if (!options.simulated && !names_own(novelty)) require_covered(how.method, find_novelty(novelty));
  return novelties;
}

/// A line a novelty and level, or with --suggest a novelty.
std::string formatted(const std::vector<LevelResult>& results, const ThresholdTable& thresholds,
                      nlohmann::ordered_json configuration, const DifficultyCommandOptions& options) {
  if (options.output.is("json")) {
    if (options.suggest) {
      configuration["novelties"] = json_of(suitability(results));
    } else {
      if (options.thirds) configuration["thresholds"] = json_of(thresholds);
      configuration["results"] = json_of(results, options.columns());
    }
    return configuration.dump(2) + "\n";
  }
  const bool csv = options.output.is("csv");  // in full precision
  const auto rows = options.suggest ? suitability_rows(suitability(results), csv ? -1 : 3)
                                    : result_rows(results, csv ? -1 : 4, options.columns());
  return csv ? comma_separated(rows) : aligned(rows);
}

int difficulty(const DifficultyCommandOptions& options) {
  const DifficultyOptions how = checked(options);
  const auto constants = profile(options.common.profile);
  const std::vector<std::string> novelties = novelties_of(options, how);
  if (how.predict != Predict::nothing && !options.common.quiet)
    for (const std::string& novelty : novelties) report_extrapolated(novelty);
  if (options.write)
    for (const std::string& novelty : novelties)
      require_place_for_set(std::filesystem::path(*options.write) / novelty,
                            set_command(novelty, options, how));
  std::vector<std::string> files, errors;
  for (const std::string& path : options.paths) {
    try {
      for (const std::filesystem::path& file : find_level_files({path})) files.push_back(file.string());
    } catch (const Error& error) {
      errors.emplace_back(error.what());
    }
  }

  catch_interrupt();
  std::vector<FileResult> measured(files.size());
  run_all("levels", files.size(), options.common,
          [&](std::size_t i) { measured[i] = measure(files[i], novelties, constants, options, how); });

  std::vector<LevelResult> results;
  std::vector<StoredLevel> levels;
  for (const FileResult& file : measured) {
    if (!file.error.empty()) errors.push_back(file.error);
    if (!file.done || !file.error.empty()) continue;
    results.insert(results.end(), file.results.begin(), file.results.end());
    levels.push_back(file.level);
  }
  for (const std::string& error : errors) report(error);
  if (options.strict && !errors.empty()) return exit_bad_input;
  if (interrupted())
    report("interrupted: " + std::to_string(levels.size()) + " of " + std::to_string(files.size()) +
           " levels done" + (options.thirds ? "; thirds are over those" : ""));

  const ThresholdTable thresholds = assign_thirds(results, options.alpha);
  if (!options.suggest)
    for (const std::string& novelty : novelties)
      say_first(novelty, results, thresholds, files.size(), options);
  if (!results.empty())
    emit(formatted(results, thresholds, configuration(options, how, levels), options), options.output.out);
  if (options.write && !interrupted()) write_sets(measured, novelties, thresholds, options, how);
  if (!errors.empty()) return exit_bad_input;
  return interrupted() ? exit_interrupted : 0;
}

}  // namespace

void add_difficulty_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<DifficultyCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "difficulty", "How hard a novelty is to detect in each level: one line per level and novelty.");
  add_shared_option(*command, "LEVELS", options->paths)->required();
  add_novelties_option(
      *command, options->novelties,
      "own: the one that the file of each level carries; default: required without --suggest");
  command->add_option("--alpha", options->alpha, "weight of PID in the value, 0 to 1; the rest is BID's")
      ->type_name("A")
      ->capture_default_str()
      ->check([](const std::string& text) { return text.empty() ? "a number is needed" : ""; });
  CLI::Option* update = add_state_update_option(*command, options->state_update);
  CLI::Option* method = add_method_option(*command, options->method);
  CLI::Option* ties = add_ties_option(*command, options->ties);
  CLI::Option* known = add_known_normal_option(*command, options->known_normal);
  add_shared_option(*command, "--simulated", options->simulated)->excludes(method, update, ties, known);
  add_shared_option(*command, "--thirds", options->thirds, "a column of its own");
  command->add_flag(
      "--suggest", options->suggest,
      "for all novelties of the catalogue, in place of --novelty: in how many levels each can "
      "be detected, and in which share of them the best shots make it visible; by the published method, "
      "as agents run does for levels that store no value, unless --method names another");
  command
      ->add_option(
          "--write", options->write,
          "write the levels with their difficulties, and with --thirds their thirds, in place of what "
          "was stored with them, a set for each novelty: DIR/NOVELTY; default: none")
      ->type_name("DIR");
  add_map_option(*command, options->map);
  add_shared_option(*command, "--strict", options->strict);
  add_output_options(*command, options->output, {"text", "csv", "json"},
                     "csv has full precision, json the configuration and with --thirds the thresholds, too");
  add_common_options(*command, options->common);
  command->footer(
      "Each level settles first: its initial state is the one that a player sees. Objects are blocks, pigs, "
      "TNT and platforms;\n"
      "targets are counted before the first shot. p_level, p_level_random: by extended reasoning, the chance "
      "that a play of the level\n"
      "detects the novelty, of shots at targets of the highest impact score and at random ones. tier is the "
      "one that the level\n"
      "stores for the novelty, or else that of p_level: easy from 0.7 on, hard below 0.3, medium between. "
      "third, with --thirds: low\n"
      "below the 33.33rd percentile of the values of all levels given, high above the 66.67th, middle "
      "between "
      "(Pinto et al.,\n"
      "section 5.1). detected_best, detected_random, detected_any: the expected share of best and of random "
      "first shots that the\n"
      "reference observer detects, and the chance that it detects one of the birds, each for itself.\n"
      "A level without birds, pigs or targets, or with nothing that the novelty changes, is left out, and "
      "counted.\n"
      "A file that cannot be used is reported and left out; the exit code is then 2.\n"
      "Example: startle difficulty levels/data --novelty T1,T2,T3 --format csv\n"
      "         startle difficulty levels/data --novelty T1 --method published --ties first --thirds\n"
      "         startle difficulty levels/data --suggest");
  command->callback([options, method, &exit_code] {
    // The extended method gives every hit some chance: by it a novelty can be detected in nearly all levels.
    if (options->suggest && method->count() == 0) options->method = name(third_method);
    exit_code = difficulty(*options);
  });
}

}  // namespace startle
