/// \file  startle study: Pinto et al.'s experiment set-up [Pinto §5.1] in one run.
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/parallel.hpp"
#include "levels/generators.hpp"
#include "levels/level_file.hpp"
#include "levels/level_set.hpp"
#include "reports/difficulty_results.hpp"
#include "reports/study_report.hpp"
#include "reports/table.hpp"

namespace startle {
namespace {

constexpr std::array<const char*, 3> study_novelties{"T1", "T2", "T3"};

struct StudyOptions {
  CommonOptions common;
  std::string out;
  int levels_per_novelty = 100;
  std::uint64_t seed = 1;
};

StudiedLevel study_level(const GeneratorInfo& family, std::uint64_t seed, std::uint64_t index,
                         const Novelty& novelty, std::shared_ptr<const Profile> constants) {
  StudiedLevel made;
  made.level = generate_level(family, seed, index, constants);
  made.scene = settle(make_scene(made.level, constants));
  made.difficulty = compute_difficulty(made.scene, novelty, {.method = Method::published});
  made.result = level_result(made.level.name, made.scene, novelty, made.difficulty);
  made.extended = level_result(made.level.name, made.scene, novelty,
                               compute_difficulty(made.scene, novelty, {.predict = Predict::detection}));
  return made;
}

/// At most this share of a set has the value 1. Equal values share a tier: if a third of the levels had the
/// largest value there is, the 66.67th percentile would be that value, and no level could lie above it and be
/// hard.
constexpr double most_undetectable = 0.3;

/// The first levels in which the novelty changes something, the families by turns, without those of value 1
/// that are too many. Novelty number k takes the levels with index k, k + 3, k + 6 ... of each family, so
/// that no level stands in two sets. Fewer levels than asked for when interrupted.
std::vector<StudiedLevel> levels_for(std::size_t k, const Novelty& novelty,
                                     std::shared_ptr<const Profile> constants, const StudyOptions& options,
                                     Progress& progress) {
  const std::vector<GeneratorInfo>& families = generator_families();
  const std::size_t count = static_cast<std::size_t>(options.levels_per_novelty);
  const std::size_t undetectable_allowed = static_cast<std::size_t>(most_undetectable *
                                                                    static_cast<double>(count));
  std::vector<StudiedLevel> kept;
  std::size_t undetectable = 0;
  for (std::size_t first = 0; kept.size() < count && !interrupted();) {
    const std::size_t round = std::max(count - kept.size(), families.size());
    std::vector<std::optional<StudiedLevel>> made(round);
    parallel_for(
        round, options.common.threads,
        [&](std::size_t i) {
          const std::uint64_t index = study_novelties.size() * ((first + i) / families.size()) + k;
          made[i] = study_level(families[(first + i) % families.size()], options.seed, index, novelty,
                                constants);
          progress.advance();
        },
        [] { return !interrupted(); });
    first += round;
    const std::size_t kept_before = kept.size();
    for (std::optional<StudiedLevel>& level : made) {
      if (!level || level->difficulty.novel_objects == 0 || kept.size() == count) continue;
      if (level->difficulty.value == 1 && undetectable == undetectable_allowed) continue;
      undetectable += level->difficulty.value == 1 ? 1 : 0;
      kept.push_back(std::move(*level));
    }
    if (interrupted()) break;
    if (kept.size() < count && first >= 20 * (count + families.size()))
      throw Error("profile " + constants->name + ": novelty " + novelty.name +
                  " can be detected in too few levels for a study: " + std::to_string(kept.size()) + " of " +
                  std::to_string(first));
    progress.expect_more(round - (kept.size() - kept_before));
  }
  return kept;
}

/// result_rows() of both methods, with the method's name in the first column.
std::vector<std::vector<std::string>> study_rows(const std::vector<LevelResult>& published,
                                                 const std::vector<LevelResult>& extended) {
  std::vector<std::vector<std::string>> rows = result_rows(published, -1), more = result_rows(extended, -1);
  for (std::size_t r = 0; r < rows.size(); ++r)
    rows[r].insert(rows[r].begin(), r == 0 ? "method" : "published");
  for (std::size_t r = 1; r < more.size(); ++r) {
    more[r].insert(more[r].begin(), "extended");
    rows.push_back(std::move(more[r]));
  }
  return rows;
}

std::filesystem::path set_folder(const std::filesystem::path& folder, const std::string& novelty) {
  return folder / "levels" / novelty;
}

std::string study_command(const StudyOptions& options) {
  return "startle study --count " + std::to_string(options.levels_per_novelty) + " --seed " +
         std::to_string(options.seed) + " --profile " + options.common.profile + " --out DIR";
}

/// As a level set with its manifest, each level with its difficulty and tier by the published method. Of an
/// interrupted study, which is not `whole`, it holds those that are finished, without tiers.
void write_levels(const NoveltyStudy& of_novelty, const Study& study, const std::filesystem::path& folder,
                  bool whole) {
  const KeepResults keep;
  LevelSetInfo info{
      .version = study.version, .command = study.command, .seed = study.seed, .profile = study.profile};
  if (whole) {
    info.goal = RangeGoal{{of_novelty.novelty, Method::published, study.alpha}};
    info.placed_by = of_novelty.thresholds;
  }
  std::vector<StoredLevel> levels;
  for (const StudiedLevel& level : of_novelty.levels) {
    levels.push_back({level.level, {}});
    if (!whole) continue;
    StoredDifficulty& difficulty = levels.back().difficulty.emplace();
    static_cast<DifficultyValues&>(difficulty) = {level.result.pid, level.result.bid, level.result.value};
    difficulty.novelty = of_novelty.novelty->name;
    difficulty.source = source_of(Method::published);
    difficulty.alpha = study.alpha;
    difficulty.tier = PlacedTier{tier_of(level.result.value, of_novelty.thresholds), of_novelty.thresholds};
  }
  write_level_set(levels, set_folder(folder, of_novelty.novelty->name), info);
}

/// The levels of the three novelties, without tiers; fewer when interrupted.
Study make_study(const StudyOptions& options, const std::shared_ptr<const Profile>& constants) {
  Study study;
  study.version = STARTLE_VERSION;
  study.command = study_command(options);
  study.profile = options.common.profile;
  study.seed = options.seed;
  Progress progress("levels", study_novelties.size() * static_cast<std::size_t>(options.levels_per_novelty),
                    options.common.quiet);
  for (std::size_t k = 0; k < study_novelties.size() && !interrupted(); ++k) {
    NoveltyStudy of_novelty;
    of_novelty.novelty = &find_novelty(study_novelties[k]);
    of_novelty.levels = levels_for(k, *of_novelty.novelty, constants, options, progress);
    if (!of_novelty.levels.empty()) study.novelties.push_back(std::move(of_novelty));
  }
  return study;
}

/// All levels of a study by one method, in their order.
struct MethodResults {
  std::vector<LevelResult> results;
  ThresholdTable thresholds;
};

/// Gives the results of all levels, those that `of` says, their tiers.
MethodResults assign_study_tiers(Study& study, LevelResult StudiedLevel::*of) {
  MethodResults placed;
  for (const NoveltyStudy& of_novelty : study.novelties)
    for (const StudiedLevel& level : of_novelty.levels) placed.results.push_back(level.*of);
  placed.thresholds = assign_tiers(placed.results, study.alpha);
  auto next = placed.results.begin();
  for (NoveltyStudy& of_novelty : study.novelties)
    for (StudiedLevel& level : of_novelty.levels) level.*of = *next++;
  return placed;
}

std::string study_json(const Study& study, const StudyOptions& options, const MethodResults& published,
                       const MethodResults& extended) {
  nlohmann::ordered_json json;
  json["program"] = "startle " + study.version;
  json["command"] = study.command;
  json["configuration"] = {{"levels_per_novelty", options.levels_per_novelty},
                           {"seed", study.seed},
                           {"profile", study.profile},
                           {"alpha", study.alpha},
                           {"method", "published"},
                           {"state_update", StateUpdate{}.name}};
  json["level_set_hash"] = hexadecimal(study.level_set_hash);
  json["thresholds"] = json_of(published.thresholds);
  json["results"] = json_of(published.results);
  json["extended"] = {{"thresholds", json_of(extended.thresholds)}, {"results", json_of(extended.results)}};
  return json.dump(2) + "\n";
}

int run_study(const StudyOptions& options) {
  const auto constants = profile(options.common.profile);
  for (const char* novelty : study_novelties) require_effect(find_novelty(novelty), constants);
  const std::filesystem::path folder = options.out;
  prepare_folder(folder);
  for (const char* novelty : study_novelties)
    require_place_for_set(set_folder(folder, novelty), study_command(options));
  catch_interrupt();
  Study study = make_study(options, constants);
  if (interrupted()) {
    for (const NoveltyStudy& of_novelty : study.novelties) write_levels(of_novelty, study, folder, false);
    report("interrupted: the levels that are finished are in " + (folder / "levels").string() +
           "; there are no results and no report");
    return exit_interrupted;
  }
  std::vector<StoredLevel> levels;
  for (const NoveltyStudy& of_novelty : study.novelties)
    for (const StudiedLevel& level : of_novelty.levels) levels.push_back({level.level, {}});
  study.level_set_hash = level_set_hash(levels);
  const MethodResults published = assign_study_tiers(study, &StudiedLevel::result),
                      extended = assign_study_tiers(study, &StudiedLevel::extended);
  for (NoveltyStudy& of_novelty : study.novelties)
    of_novelty.thresholds = published.thresholds.at(of_novelty.novelty->name);
  for (const NoveltyStudy& of_novelty : study.novelties) write_levels(of_novelty, study, folder, true);
  write_file(folder / "results.json", study_json(study, options, published, extended));
  write_file(folder / "results.csv", comma_separated(study_rows(published.results, extended.results)));
  write_file(folder / "report.html", study_report(study));
  if (!options.common.quiet)
    report("wrote " + std::to_string(levels.size()) +
           " levels, results.csv, results.json and report.html to " + options.out);
  return 0;
}

}  // namespace

void add_study_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<StudyOptions>();
  CLI::App* command = app.add_subcommand(
      "study", "Makes levels for novelties T1, T2 and T3, measures their difficulty, and writes a report.");
  add_shared_option(*command, "--out", options->out,
                    "a folder for levels/, results.csv, results.json and report.html")
      ->required();
  add_shared_option(*command, "--count", options->levels_per_novelty, "for each novelty")
      ->check(CLI::Range(1, 100000).description(""));
  add_seed_option(*command, options->seed);
  add_common_options(*command, options->common);
  command->footer(
      "The set-up of Pinto et al.'s experiment (Pinto et al., section 5.1). Each set mixes all families and "
      "holds only levels\n"
      "in which its novelty changes something.\n"
      "Example: startle study --out study");
  command->callback([options, &exit_code] { exit_code = run_study(*options); });
}

}  // namespace startle
