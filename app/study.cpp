/// \file  startle study: Pinto et al.'s experiment set-up [Pinto §5] in one run.
#include <array>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/reports/difficulty_results.hpp"
#include "app/reports/study_report.hpp"
#include "app/reports/table.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "levels/generators.hpp"
#include "levels/level_file.hpp"
#include "levels/level_set.hpp"

namespace startle {
namespace {

constexpr std::array<const char*, 3> study_novelties{"T1", "T2", "T3"};

struct StudyOptions {
  CommonOptions common;
  std::string out;
  int levels_per_novelty = 100;
  int picked = 15;  ///< levels of the experiment, of all novelties together
  std::string ties = name(Ties::first);
  std::uint64_t seed = 1;
};

/// Levels without novelty that a participant plays first [Pinto §5].
constexpr std::size_t practice_levels = 10;

StudiedLevel study_level(const GeneratorInfo& family, std::uint64_t seed, std::uint64_t index,
                         const Novelty& novelty, Ties ties, std::shared_ptr<const Profile> constants) {
  StudiedLevel made;
  made.level = generate_level(family, seed, index, constants);
  made.scene = settle(make_scene(made.level, constants));
  made.difficulty = compute_difficulty(made.scene, novelty, {.method = Method::published, .ties = ties});
  made.result = level_result(made.level.name, made.scene, novelty, made.difficulty);
  made.extended = level_result(made.level.name, made.scene, novelty,
                               compute_difficulty(made.scene, novelty, {.predict = Predict::detection}));
  return made;
}

/// At most this share of a set has the value 1. Equal values share a third: if a third of the levels had the
/// largest value there is, the 66.67th percentile would be that value, and no level could lie above it.
constexpr double most_undetectable = 0.3;

/// Levels of a novelty that are tried at most.
std::size_t most_candidates(std::size_t count) { return 20 * (count + generator_families().size()); }

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
                                ties_from_name(options.ties).value(), constants);
          progress.advance();
        },
        [] { return !interrupted(); });
    first += round;
    const std::size_t kept_before = kept.size();
    for (std::optional<StudiedLevel>& level : made) {
      if (!level || level->result.left_out || kept.size() == count) continue;
      if (level->difficulty.value == 1 && undetectable == undetectable_allowed) continue;
      undetectable += level->difficulty.value == 1 ? 1 : 0;
      kept.push_back(std::move(*level));
    }
    if (interrupted()) break;
    if (kept.size() < count && first >= most_candidates(count))
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
  constexpr ResultColumns columns{.third = true};
  std::vector<std::vector<std::string>> rows = result_rows(published, -1, columns),
                                        more = result_rows(extended, -1, columns);
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

std::filesystem::path people_folder(const std::filesystem::path& folder, const std::string& levels) {
  return folder / "people" / levels;
}

std::string study_command(const StudyOptions& options) {
  return "startle study --count " + std::to_string(options.levels_per_novelty) + " --seed " +
         std::to_string(options.seed) + " --ties " + options.ties + " --pick " +
         std::to_string(options.picked) + " --profile " + options.common.profile + " --out DIR";
}

/// What is stored with a level: its difficulty by the published method, and its third.
StoredLevel stored(const StudiedLevel& level, const NoveltyStudy& of_novelty, double alpha) {
  StoredLevel result{level.level, {}};
  StoredDifficulty& difficulty = result.difficulty.emplace();
  static_cast<DifficultyValues&>(difficulty) = level.difficulty;
  difficulty.novelty = of_novelty.novelty->name;
  difficulty.source = DifficultySource::published;
  difficulty.alpha = alpha;
  difficulty.ties = level.difficulty.ties;
  difficulty.third = PlacedThird{level.result.third.value(), of_novelty.thresholds};
  return result;
}

LevelSetInfo set_info(const Study& study) {
  return {.version = study.version, .command = study.command, .seed = study.seed, .profile = study.profile};
}

/// As a level set with its manifest. Returns the levels as they are written.
std::vector<StoredLevel> write_levels(const NoveltyStudy& of_novelty, const Study& study,
                                      const std::filesystem::path& folder) {
  const KeepResults keep;
  std::vector<StoredLevel> levels;
  for (const StudiedLevel& level : of_novelty.levels)
    levels.push_back(stored(level, of_novelty, study.alpha));
  LevelSetInfo info = set_info(study);
  info.goal = ValueGoal{{of_novelty.novelty, Method::published, study.alpha}};
  info.thirds = of_novelty.thresholds;
  write_level_set(levels, set_folder(folder, of_novelty.novelty->name), info);
  return levels;
}

/// Of an interrupted study: the levels that are finished, without difficulty.
void write_unfinished(const NoveltyStudy& of_novelty, const Study& study,
                      const std::filesystem::path& folder) {
  const KeepResults keep;
  std::vector<StoredLevel> levels;
  for (const StudiedLevel& level : of_novelty.levels) levels.push_back({level.level, {}});
  write_level_set(levels, set_folder(folder, of_novelty.novelty->name), set_info(study));
}

/// The levels of the experiment: of each novelty as many, drawn at random from its thirds by turns, low, high
/// and middle [Pinto §5.1]. Not those of value 1, in which there is nothing to detect. Fewer where a novelty
/// has too few.
std::vector<StoredLevel> picked_levels(const Study& study, const StudyOptions& options) {
  constexpr std::array turns{Third::low, Third::high, Third::middle};
  const std::size_t novelties = study_novelties.size();
  std::vector<StoredLevel> picked;
  for (std::size_t k = 0; k < study.novelties.size(); ++k) {
    const NoveltyStudy& of_novelty = study.novelties[k];
    std::array<std::vector<const StudiedLevel*>, turns.size()> decks;
    for (std::size_t t = 0; t < turns.size(); ++t) {
      for (const StudiedLevel& level : of_novelty.levels)
        if (level.result.third == turns[t] && level.result.value < 1) decks[t].push_back(&level);
      Random(stream_seed(study.seed, "study/picked/" + of_novelty.novelty->name + "/" + name(turns[t])))
          .shuffle(decks[t]);
    }
    const auto all = static_cast<std::size_t>(options.picked);
    std::size_t wanted = all / novelties + (k < all % novelties ? 1 : 0);
    for (std::size_t turn = 0; wanted > 0; ++turn) {
      if (std::all_of(decks.begin(), decks.end(), [](const auto& deck) { return deck.empty(); })) break;
      std::vector<const StudiedLevel*>& deck = decks[turn % turns.size()];
      if (deck.empty()) continue;
      picked.push_back(stored(*deck.back(), of_novelty, study.alpha));
      deck.pop_back();
      --wanted;
    }
  }
  return picked;
}

/// Levels that stand in no set of the study, the families by turns.
std::vector<StoredLevel> practice(const StudyOptions& options, std::shared_ptr<const Profile> constants) {
  const std::vector<GeneratorInfo>& families = generator_families();
  const std::size_t beyond = study_novelties.size() *
                             most_candidates(static_cast<std::size_t>(options.levels_per_novelty));
  std::vector<StoredLevel> levels(practice_levels);
  parallel_for(practice_levels, options.common.threads, [&](std::size_t i) {
    levels[i] = {
        generate_level(families[i % families.size()], options.seed, beyond + i / families.size(), constants),
        {}};
  });
  return levels;
}

/// The levels of the three novelties, without thirds; fewer when interrupted.
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

/// Assigns thirds to the results of all levels; `of` selects the results of one method.
MethodResults assign_study_thirds(Study& study, LevelResult StudiedLevel::*of) {
  MethodResults placed;
  for (const NoveltyStudy& of_novelty : study.novelties)
    for (const StudiedLevel& level : of_novelty.levels) placed.results.push_back(level.*of);
  placed.thresholds = assign_thirds(placed.results, study.alpha);
  auto next = placed.results.begin();
  for (NoveltyStudy& of_novelty : study.novelties)
    for (StudiedLevel& level : of_novelty.levels) level.*of = *next++;
  return placed;
}

std::string study_json(const Study& study, const StudyOptions& options, const MethodResults& published,
                       const MethodResults& extended, const std::vector<StoredLevel>& picked) {
  constexpr ResultColumns columns{.third = true};
  nlohmann::ordered_json json;
  json["program"] = "startle " + study.version;
  json["command"] = study.command;
  json["configuration"] = {{"levels_per_novelty", options.levels_per_novelty},
                           {"seed", study.seed},
                           {"profile", study.profile},
                           {"alpha", study.alpha},
                           {"method", "published"},
                           {"ties", options.ties},
                           {"state_update", StateUpdate{}.name}};
  json["level_set_hash"] = hexadecimal(study.level_set_hash);
  json["thresholds"] = json_of(published.thresholds);
  json["results"] = json_of(published.results, columns);
  json["extended"] = {{"thresholds", json_of(extended.thresholds)},
                      {"results", json_of(extended.results, columns)}};
  json["picked"] = nlohmann::ordered_json::array();
  for (const StoredLevel& level : picked) json["picked"].push_back(level.name);
  return json.dump(2) + "\n";
}

int run_study(const StudyOptions& options) {
  const auto constants = profile(options.common.profile);
  for (const char* novelty : study_novelties) require_effect(find_novelty(novelty), constants);
  const std::filesystem::path folder = options.out;
  prepare_folder(folder);
  for (const char* novelty : study_novelties)
    require_place_for_set(set_folder(folder, novelty), study_command(options));
  for (const char* levels : {"levels", "practice"})
    require_place_for_set(people_folder(folder, levels), study_command(options));
  catch_interrupt();
  Study study = make_study(options, constants);
  if (interrupted()) {
    for (const NoveltyStudy& of_novelty : study.novelties) write_unfinished(of_novelty, study, folder);
    report("interrupted: the levels that are finished are in " + (folder / "levels").string() +
           "; there are no results and no report");
    return exit_interrupted;
  }
  const MethodResults published = assign_study_thirds(study, &StudiedLevel::result),
                      extended = assign_study_thirds(study, &StudiedLevel::extended);
  std::vector<StoredLevel> levels;
  for (NoveltyStudy& of_novelty : study.novelties) {
    of_novelty.thresholds = published.thresholds.at(of_novelty.novelty->name);
    const std::vector<StoredLevel> written = write_levels(of_novelty, study, folder);
    levels.insert(levels.end(), written.begin(), written.end());
  }
  study.level_set_hash = level_set_hash(levels);
  const std::vector<StoredLevel> picked = picked_levels(study, options);
  write_level_set(picked, people_folder(folder, "levels"), set_info(study));
  write_level_set(practice(options, constants), people_folder(folder, "practice"), set_info(study));
  write_file(folder / "results.json", study_json(study, options, published, extended, picked));
  write_file(folder / "results.csv", comma_separated(study_rows(published.results, extended.results)));
  write_file(folder / "report.html", study_report(study));
  if (!options.common.quiet)
    report("wrote " + std::to_string(levels.size()) + " levels, " + std::to_string(picked.size()) +
           " of them picked for people, results.csv, results.json and report.html to " + options.out);
  return 0;
}

}  // namespace

void add_study_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<StudyOptions>();
  CLI::App* command = app.add_subcommand(
      "study", "Makes levels for novelties T1, T2 and T3, measures their difficulty, and writes a report.");
  add_shared_option(*command, "--out", options->out,
                    "a folder for levels/, people/, results.csv, results.json and report.html")
      ->required();
  add_shared_option(*command, "--count", options->levels_per_novelty, "levels for each novelty")
      ->check(CLI::Range(1, 100000).description(""));
  command->add_option("--pick", options->picked, "levels for an experiment with people, in DIR/people/levels")
      ->check(CLI::Range(0, 100000).description(""))
      ->type_name("N")
      ->capture_default_str();
  add_ties_option(*command, options->ties, "of the published method; extended reasoning shares");
  add_seed_option(*command, options->seed);
  add_common_options(*command, options->common);
  command->footer(
      "The set-up of Pinto et al.'s experiment (Pinto et al., section 5). Each set mixes all families and "
      "holds only levels\n"
      "in which its novelty changes something. Levels are put into thirds of the value: low, middle and high "
      "are what Pinto et\n"
      "al. call easy, medium and hard. DIR/people has the levels picked for an experiment, as many of each "
      "novelty, and " +
      std::to_string(practice_levels) +
      " without\nnovelty for practice.\n"
      "Example: startle study --out study\n"
      "         startle study-people create --levels study/people/levels --practice-levels "
      "study/people/practice \\\n"
      "           --items 15 --normal 0 --consent consent.txt --out people.sqlite");
  command->callback([options, &exit_code] { exit_code = run_study(*options); });
}

}  // namespace startle
