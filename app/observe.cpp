/// \file  startle observe: what the reference observer detects of a shot, or of levels as they are played.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/kept_plays.hpp"
#include "app/level_sets.hpp"
#include "app/reports/played_levels.hpp"
#include "app/reports/shot_angle.hpp"
#include "core/engine_version.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "difficulty/played_level.hpp"
#include "levels/level_file.hpp"
#include "levels/level_set.hpp"
#include "levels/placed_levels.hpp"
#include "simulated/observer.hpp"
#include "simulated/twin.hpp"
#include "statistics/intervals.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

/// Findings printed, and how far off the least of them is, in spreads.
constexpr std::size_t most_findings = 5;
constexpr double least_sigmas = 2;

struct ObserveOptions {
  CommonOptions common;
  ObserverOptions observer;
  std::vector<std::string> paths, novelties, shots;
  int launches = 1, plays = 0;
  std::size_t limit = 0;
  std::optional<int> null_plays;
  bool store = false;
  std::string player = name(ReferencePlayer::best_target);
  Output output;
};

struct ObservedShot {
  Shot shot;
  std::vector<ObservedLaunch> launches;
  std::size_t detected(bool normal) const {
    return static_cast<std::size_t>(std::count_if(
        launches.begin(), launches.end(),
        [&](const ObservedLaunch& l) { return (normal ? l.normal : l.found).p <= detection_p; }));
  }
};

std::string feature_text(const ShotTest& shot_test, std::size_t i, double interval_s) {
  const Attribution& attribution = shot_test.attributions[i];
  const std::string off = " (" + fixed(attribution.sigmas, 1) + " sigmas)";
  const std::string seen = "seen " + fixed(attribution.seen, 2) + ", expected " +
                           fixed(attribution.expected, 2) + " +- " + fixed(attribution.spread, 2);
  switch (attribution.feature) {
    case Feature::fall:
      return shot_test.subjects[i] + ", vertical acceleration in flight, m/s^2: " + seen + off;
    case Feature::slide:
      return shot_test.subjects[i] + ", acceleration along the way in sliding, m/s^2: " + seen + off;
    case Feature::presence:
      return shot_test.subjects[i] + ", " + fixed(static_cast<double>(attribution.frame) * interval_s, 2) +
             " s: " + (attribution.seen > 0.5 ? "there" : "gone") + ", expected there in " +
             fixed(100 * attribution.expected, 0) + " %" + off;
    default:
      return shot_test.subjects[i] + ", " + name(attribution.feature) + " at " +
             fixed(static_cast<double>(attribution.frame) * interval_s, 2) + " s: " + seen + off;
  }
}

/// Those worth saying, of a shot that is detected.
std::size_t findings(const ShotTest& shot_test) {
  std::size_t count = 0;
  while (count < std::min(most_findings, shot_test.attributions.size()) &&
         std::fabs(shot_test.attributions[count].sigmas) >= least_sigmas)
    ++count;
  return count;
}

Json json_of(const ObserverOptions& observer) {
  return {{"aim_noise_rad", observer.aim_noise},
          {"pixel", observer.pixel},
          {"simulations", observer.simulations},
          {"seed", observer.seed}};
}

Json json_of(const ShotTest& shot_test, double interval_s) {
  Json json{{"p", shot_test.p},
            {"p_outcome", shot_test.p_outcome},
            {"p_motion", shot_test.p_motion},
            {"detected", shot_test.p <= detection_p}};
  json["findings"] = Json::array();
  for (std::size_t i = 0; i < shot_test.attributions.size() && i < most_findings; ++i) {
    const Attribution& attribution = shot_test.attributions[i];
    const bool mechanism = attribution.feature == Feature::fall || attribution.feature == Feature::slide;
    json["findings"].push_back(
        {{"subject", shot_test.subjects[i]},
         {"feature", name(attribution.feature)},
         {"time_s", mechanism ? Json() : Json(static_cast<double>(attribution.frame) * interval_s)},
         {"seen", attribution.seen},
         {"expected", attribution.expected},
         {"spread", attribution.spread},
         {"sigmas", attribution.sigmas}});
  }
  return json;
}

/// What the shots were observed in.
struct ObservedShots {
  std::string level;
  std::optional<Novelty> novelty;
  double interval_s = 0;  ///< between frames
  std::vector<ObservedShot> shots;
};

std::vector<ObservedShot> read_shots(const ObserveOptions& options) {
  if (options.launches < 1 || options.launches > 1000)
    throw Error("--launches: found " + std::to_string(options.launches) + ", allowed are 1 to 1000");
  std::vector<ObservedShot> shots;
  for (const std::string& text : options.shots)
    shots.push_back({.shot = parse_shot(text),
                     .launches = std::vector<ObservedLaunch>(static_cast<std::size_t>(options.launches))});
  return shots;
}

ObservedShots observe_shots(const ObserveOptions& options) {
  if (options.shots.empty()) throw Error("observe: --shot is needed, or --plays");
  if (options.paths.size() != 1 || options.novelties.size() > 1)
    throw Error("--shot: found " + std::to_string(options.paths.size()) + " levels and " +
                std::to_string(options.novelties.size()) +
                " novelties, allowed is one level with one novelty");
  ObservedShots seen{.shots = read_shots(options)};
  const std::string novelty = options.novelties.empty() ? "" : options.novelties.front();
  const std::string& path = options.paths.front();
  const auto constants = profile(options.common.profile);
  const Level level = load_level(path, *constants, options.common.quiet, {}, novelty);
  seen.level = level.name;
  seen.novelty = chosen_novelty(novelty, level);
  seen.interval_s = Viewing{}.stride * constants->step;
  const Scene normal = settled_level(level, constants, path, options.common.quiet).scene;
  const Scene world = seen.novelty ? novel_twin(normal, *seen.novelty) : normal;
  if (seen.novelty && !anything_novel(world) && !options.common.quiet)
    report("the level holds no object that novelty " + novelty + " changes");
  catch_interrupt();
  const auto each = static_cast<std::size_t>(options.launches);
  run_all("launches", seen.shots.size() * each, options.common, [&](std::size_t i) {
    ObservedShot& shot = seen.shots[i / each];
    shot.launches[i % each] = observe_launch(normal, world, shot.shot, options.observer, i);
  });
  if (interrupted()) throw Error("interrupted: nothing is written");
  return seen;
}

std::string observation_json(const ObservedShots& seen, const ObserveOptions& options) {
  Json json{
      {"program", "startle " STARTLE_VERSION}, {"level", seen.level}, {"profile", options.common.profile}};
  json["novelty"] = seen.novelty ? Json(seen.novelty->name) : Json();
  json["observer"] = json_of(options.observer);
  json["shots"] = Json::array();
  for (const ObservedShot& shot : seen.shots) {
    Json one{{"angle_deg", angle_deg(shot.shot)},
             {"stretch", shot.shot.stretch},
             {"tap_s", shot.shot.tap_time >= 0 ? Json(shot.shot.tap_time) : Json()}};
    one["launches"] = Json::array();
    for (const ObservedLaunch& launch : shot.launches)
      one["launches"].push_back({{"perturbation_rad", launch.perturbation},
                                 {"found", json_of(launch.found, seen.interval_s)},
                                 {"normal", json_of(launch.normal, seen.interval_s)}});
    json["shots"].push_back(one);
  }
  return json.dump(2) + "\n";
}

std::string launch_text(const ObservedLaunch& launch, const ObservedShots& seen) {
  const ShotTest& found = launch.found;
  const bool detected = found.p <= detection_p;
  std::string text = "  perturbed by " + fixed(launch.perturbation, 4) + " rad: p " + fixed(found.p, 3) +
                     " (outcome " + fixed(found.p_outcome, 3) + ", motion " + fixed(found.p_motion, 3) +
                     "), " + (detected ? "detected" : "not detected");
  if (seen.novelty) text += "; in the normal world p " + fixed(launch.normal.p, 3);
  text += "\n";
  for (std::size_t i = 0; detected && i < findings(found); ++i)
    text += "    " + feature_text(found, i, seen.interval_s) + "\n";
  return text;
}

/// "3 of 16 (0.066 to 0.430)".
std::string detected_text(const ObservedShot& shot, bool in_normal) {
  const Rate rate{shot.detected(in_normal), shot.launches.size()};
  return std::to_string(rate.hits) + " of " + std::to_string(rate.count) + " (" +
         fixed(rate.interval().low, 3) + " to " + fixed(rate.interval().high, 3) + ")";
}

std::string observation_text(const ObservedShots& seen, const ObserveOptions& options) {
  std::string text = "level " + seen.level + ", profile " + options.common.profile + ", novelty " +
                     (seen.novelty ? seen.novelty->name : "none") + "; aim noise " +
                     shortest(options.observer.aim_noise) + " rad, pixel " +
                     fixed(options.observer.pixel, 3) + ", " + std::to_string(options.observer.simulations) +
                     " simulations\n";
  for (const ObservedShot& shot : seen.shots) {
    text += "\nshot at " + shortest(angle_deg(shot.shot)) + " degrees\n";
    for (const ObservedLaunch& launch : shot.launches) text += launch_text(launch, seen);
    if (shot.launches.size() == 1) continue;
    text += "  detected: " + detected_text(shot, false) +
            (seen.novelty ? "; in the normal world: " + detected_text(shot, true) : "") + "\n";
  }
  return text;
}

/// A level that is played, and the novelties that change something in it.
struct PlayedLevelPlan {
  const LevelAtRest* level = nullptr;
  OrderedScene scene;
  std::vector<Novelty> novelties;
  std::vector<std::vector<LevelPlay>> plays;  ///< one a repetition: [0] normal, then each novelty
};

/// Throws Error where more plays of the player are stored with the level.
void require_no_more_plays(const std::string& file, const StoredLevel& level, const PlayOptions& how) {
  for (const MeasuredPLevel& measured :
       level.difficulty ? level.difficulty->measured : std::vector<MeasuredPLevel>{})
    if (measured.player == name(how.player) && measured.plays > how.plays)
      throw Error(file + ": holds the p_level of " + std::to_string(measured.plays) + " plays by " +
                  measured.player + ", which " + std::to_string(how.plays) +
                  " would replace; nothing is stored");
}

/// Of --store, whose result is a part of the file.
void require_place_to_store(const LevelAtRest& level, const PlayOptions& how) {
  if (std::filesystem::path(level.file).extension() != ".json")
    throw Error(level.file + ": --store needs .json files, which have a place for what was measured");
  if (!level.level.difficulty)
    throw Error(level.file + ": no novelty is stored with it; startle difficulty --write stores one");
  if (access(level.file.c_str(), W_OK) != 0)
    throw Error(level.file + ": may not be written, which --store would do");
  require_writable(level.file);
  require_no_more_plays(level.file, level.level, how);
}

/// Those asked for; of none, the one stored with the level, if any.
std::vector<std::string> novelties_for(const LevelAtRest& level, const std::vector<std::string>& asked_for) {
  if (!asked_for.empty() || !level.level.difficulty) return asked_for;
  return {level.level.difficulty->novelty};
}

/// Levels left out are added to those of the set, and reported.
std::vector<PlayedLevelPlan> plan_plays(LevelsAtRest& set, std::size_t files,
                                        const std::vector<std::string>& asked_for,
                                        const ObserveOptions& options, const PlayOptions& how) {
  std::vector<PlayedLevelPlan> plans;
  for (const LevelAtRest& level : set.levels) {
    if (options.store) require_place_to_store(level, how);
    const std::vector<std::string> novelties = novelties_for(level, asked_for);
    std::optional<LeftOut> why = level.left_out;
    std::string error;  // of a stored novelty that the catalogue lacks
    PlayedLevelPlan plan{&level, level.rest, {}, {}};
    for (const std::string& text : novelties) {
      if (why) break;
      if (names_own(text) && !level.level.novelty) {
        why = LeftOut::no_own;
        break;
      }
      try {
        Novelty novelty = find_novelty(text, level.level);
        if (anything_novel(novel_twin(level.rest, novelty))) plan.novelties.push_back(std::move(novelty));
      } catch (const Error& unknown) {
        why = LeftOut::no_level;
        error = level.file + ": " + unknown.what();
      }
    }
    if (!why && plan.novelties.empty() && !novelties.empty()) why = LeftOut::untouched;
    if (why) {
      set.left_out.push_back({level.file, *why, error});
      continue;
    }
    plan.plays.resize(static_cast<std::size_t>(options.plays));
    plans.push_back(std::move(plan));
  }
  if (!options.common.quiet) report_left_out("", set.left_out, files);
  return plans;
}

/// Whether a level of --limit has a part: the first ones of each novelty and tier, as they are stored.
std::function<bool(const StoredLevel&)> within_limit(std::size_t limit) {
  if (limit == 0) return {};
  return [limit, taken = std::map<std::pair<std::string, std::string>, std::size_t>{}](
             const StoredLevel& level) mutable {
    const std::string novelty = level.difficulty ? level.difficulty->novelty : "";
    return ++taken[{novelty, tier_or_third(level.difficulty)}] <= limit;
  };
}

/// Tier and prediction, as they are stored where they are of this novelty.
void add_prediction(PlayedLevelResult& result, const PlayedLevelPlan& plan, const Novelty& novelty,
                    ReferencePlayer player) {
  const std::optional<StoredDifficulty>& stored = plan.level->level.difficulty;
  const bool of_novelty = stored && stored->novelty == novelty.name;
  if (of_novelty) result.tier = tier_or_third(stored);
  if (!covers(Method::extended, novelty)) return;
  const PredictedLevel predicted = predict_level(plan.scene, plan.scene.novelty(novelty));
  const bool best = player == ReferencePlayer::best_target;
  result.predicted = best ? predicted.p_level : predicted.p_level_random;
  result.imagined = best ? predicted.imagined : predicted.imagined_random;
  result.imagined_shots = best ? predicted.shots : predicted.shots_random;
  if (best && of_novelty && stored->source == DifficultySource::p_level) result.predicted = stored->p_level;
  if (!of_novelty) result.tier = name(tier_of(predicted.p_level));
}

/// Of --store: what is measured is of the reference observer as it is defined.
void require_reference_observer(const ObserveOptions& options) {
  const ObserverOptions reference = PlayOptions{}.observer;
  if (options.observer.aim_noise != reference.aim_noise || options.observer.pixel != reference.pixel ||
      options.observer.simulations != reference.simulations)
    throw Error(
        "--store: needs the defaults of --aim-noise, --pixel-size and --simulations, by which p_level is "
        "defined");
}

/// The level as its file has it now. Throws Error where it is no more the one that was played, and where more
/// plays of the player were stored meanwhile.
StoredLevel level_to_store_in(const LevelAtRest& played, const PlayOptions& how) {
  StoredLevel now = read_level(played.file);
  require_no_more_plays(played.file, now, how);
  if (level_hash(now) != level_hash(played.level))
    throw Error(played.file + ": was changed while it was played; nothing is stored");
  return now;
}

/// What was measured becomes part of the files, in place of what the same player measured before.
void store_measured(const std::vector<PlayedLevelPlan>& plans, const std::vector<PlayedLevelResult>& results,
                    const PlayOptions& how) {
  const KeepResults keep;
  std::vector<StoredLevel> levels;
  std::vector<std::string> files;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    StoredLevel& level = levels.emplace_back(level_to_store_in(*plans[i].level, how));
    files.push_back(plans[i].level->file);
    const Estimate p_level = measured_p_level(results[i]);
    MeasuredPLevel measured{.player = name(how.player), .plays = how.plays, .p_level = p_level.value.value()};
    if (p_level.interval) measured.low = p_level.interval->low, measured.high = p_level.interval->high;
    std::vector<MeasuredPLevel>& all = level.difficulty->measured;
    std::erase_if(all, [&](const MeasuredPLevel& other) { return other.player == measured.player; });
    all.push_back(measured);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.player < b.player; });
  }
  store_in_place(levels, files);
}

std::string plays_command(const ObserveOptions& options) {
  std::string command = "startle observe LEVELS --plays " + std::to_string(options.plays) + " --player " +
                        options.player;
  for (std::size_t i = 0; i < options.novelties.size(); ++i)
    command += (i == 0 ? " --novelty " : ",") + options.novelties[i];
  if (options.null_plays) command += " --null-plays " + std::to_string(*options.null_plays);
  if (options.limit > 0) command += " --limit " + std::to_string(options.limit);
  return command + " --aim-noise " + shortest(options.observer.aim_noise) + "rad --pixel-size " +
         shortest(options.observer.pixel) + " --simulations " + std::to_string(options.observer.simulations) +
         " --seed " + std::to_string(options.observer.seed) + " --profile " + options.common.profile;
}

/// One a level and novelty; of a level without one, of the normal world.
std::vector<PlayedLevelResult> results_of(const std::vector<PlayedLevelPlan>& plans, const PlayOptions& how) {
  std::vector<PlayedLevelResult> results;
  for (const PlayedLevelPlan& plan : plans)
    for (std::size_t n = 0; n < std::max<std::size_t>(1, plan.novelties.size()); ++n) {
      PlayedLevelResult& result = results.emplace_back();
      result.level = plan.level->file;
      result.birds = plan.level->rest.birds_left();
      result.objects = plan.level->rest.objects.size();
      if (!plan.novelties.empty()) {
        result.novelty = plan.novelties[n].name;
        add_prediction(result, plan, plan.novelties[n], how.player);
      }
      for (std::size_t i = 0; i < plan.plays.size(); ++i) {
        if (is_null_play(how, i)) result.normal.push_back(plan.plays[i].front());
        if (!plan.novelties.empty()) result.novel.push_back(plan.plays[i][n + 1]);
      }
    }
  return results;
}

/// In the format asked for.
std::string plays_text(const std::vector<PlayedLevelResult>& results, const PlayOptions& how,
                       const ObserveOptions& options) {
  if (options.output.is("csv")) return comma_separated(played_rows(results, how, -1));
  if (options.output.is("svg")) return played_chart(results);
  if (options.output.is("html"))
    return played_report({.version = STARTLE_VERSION,
                          .command = plays_command(options),
                          .profile = options.common.profile,
                          .options = how,
                          .results = results});
  if (!options.output.is("json")) return aligned(played_rows(results, how, 3)) + "\n" + played_text(results);
  Json json{{"program", "startle " STARTLE_VERSION}, {"profile", options.common.profile}};
  json["player"] = name(how.player);
  json["plays"] = how.plays;
  json["observer"] = json_of(how.observer);
  json["summaries"] = json_of(summaries(results));
  json["results"] = json_of(results);
  return json.dump(2) + "\n";
}

/// Of the levels that are played and their novelties, whatever was measured of them.
std::string hash_of(const std::vector<PlayedLevelPlan>& plans) {
  Hash hash;
  for (const PlayedLevelPlan& plan : plans) {
    hash.add(plan.level->name + "\n");
    hash.add(level_hash(plan.level->level));
    for (const Novelty& novelty : plan.novelties) hash.add(novelty.name + "\n");
  }
  return hexadecimal(hash.value());
}

/// Throws Error for options that do not go together or are out of range.
PlayOptions play_options(const ObserveOptions& options) {
  if (!options.shots.empty()) throw Error("--plays: not with --shot, which the player chooses");
  const std::optional<ReferencePlayer> player = player_from_name(options.player);
  if (!player)
    throw Error("--player: found '" + options.player + "', allowed are " +
                name(ReferencePlayer::best_target) + " and " + name(ReferencePlayer::random_target));
  if (options.store && !options.novelties.empty())
    throw Error("--store: not with --novelty; the novelty stored with each level is played");
  if (options.store) require_reference_observer(options);
  const PlayOptions how{.player = *player,
                        .plays = options.plays,
                        .null_plays = options.null_plays,
                        .observer = options.observer};
  require_valid(how);
  return how;
}

KeptPlays::Run kept_run(const std::vector<PlayedLevelPlan>& plans, const PlayOptions& how,
                        const ObserveOptions& options) {
  return {{"program", engine_name()},
          {"levels", hash_of(plans)},
          {"--plays", std::to_string(how.plays)},
          {"--null-plays", how.null_plays ? std::to_string(*how.null_plays) : "none"},
          {"--player", name(how.player)},
          {"--aim-noise", shortest(how.observer.aim_noise) + "rad"},
          {"--pixel-size", shortest(how.observer.pixel)},
          {"--simulations", std::to_string(how.observer.simulations)},
          {"--seed", std::to_string(how.observer.seed)},
          {"--profile", options.common.profile}};
}

/// What plays can be kept beside: the file of the result, unless it is a pipe or a device; by --store the
/// levels.
std::optional<std::filesystem::path> place_of_plays(const ObserveOptions& options) {
  if (const auto& out = options.output.out;
      out && (!std::filesystem::exists(*out) || std::filesystem::is_regular_file(*out)))
    return *out;
  if (!options.store) return std::nullopt;
  const std::filesystem::path levels = std::filesystem::weakly_canonical(options.paths.front());
  return levels.has_filename() ? levels : levels.parent_path();  // of "levels/"
}

/// `kept`, which may be null: where finished plays are found and added.
void play_all(std::vector<PlayedLevelPlan>& plans, const PlayOptions& how, const ObserveOptions& options,
              KeptPlays* kept) {
  const auto each = static_cast<std::size_t>(options.plays);
  run_all("plays", plans.size() * each, options.common, [&](std::size_t i) {
    PlayedLevelPlan& plan = plans[i / each];
    std::vector<LevelPlay>& plays = plan.plays[i % each];
    if (const std::vector<LevelPlay>* before = kept ? kept->find(i) : nullptr) {
      plays = *before;
      return;
    }
    plays = play_once(plan.scene, plan.level->name, plan.novelties, how, i % each);
    if (kept) kept->add(i, plays);
  });
}

int observe_plays(const ObserveOptions& options) {
  const PlayOptions how = play_options(options);
  const auto constants = profile(options.common.profile);
  std::vector<std::string> novelties;
  for (const std::string& text : options.novelties)
    if (const std::string novelty = novelty_name(text);
        std::find(novelties.begin(), novelties.end(), novelty) == novelties.end())
      novelties.push_back(novelty);
  const std::vector<std::string> files = find_levels(options.paths);
  catch_interrupt();
  LevelsAtRest set = levels_at_rest(
      {files.begin(), files.end()}, constants,
      {.threads = options.common.threads, .keep_going = [] { return !interrupted(); }},
      within_limit(options.limit));
  std::vector<PlayedLevelPlan> plans = plan_plays(set, files.size(), novelties, options, how);
  if (plans.empty() && !interrupted()) throw Error("observe: no level is left to be played");
  std::optional<KeptPlays> kept;
  if (const auto place = place_of_plays(options); place && !interrupted())
    kept.emplace(*place, kept_run(plans, how, options));
  play_all(plans, how, options, kept ? &*kept : nullptr);
  if (interrupted()) {
    report(kept ? "interrupted: " + std::to_string(kept->count()) + " plays are in " + kept->file() +
                      "; the same command goes on from there"
                : "interrupted: nothing is written; with --out finished plays are kept");
    return exit_interrupted;
  }
  const std::vector<PlayedLevelResult> results = results_of(plans, how);
  if (options.store) store_measured(plans, results, how);
  emit(plays_text(results, how, options), options.output.out);
  if (kept) kept->remove();
  const bool bad = std::any_of(set.left_out.begin(), set.left_out.end(),
                               [](const LeftOutLevel& level) { return level.reason == LeftOut::no_level; });
  return bad ? exit_bad_input : exit_done;
}

int observe(const ObserveOptions& options, bool plays) {
  require_valid(options.observer);
  if (plays) return observe_plays(options);
  for (const char* of_plays : {"csv", "html", "svg"})
    if (options.output.is(of_plays))
      throw Error("--format: " + std::string(of_plays) +
                  " needs --plays; allowed without it are text and json");
  if (options.store || options.null_plays || options.limit > 0)
    throw Error("--store, --null-plays and --limit: need --plays");
  const ObservedShots seen = observe_shots(options);
  emit(options.output.is("json") ? observation_json(seen, options) : observation_text(seen, options),
       options.output.out);
  return exit_done;
}

}  // namespace

void add_observe_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ObserveOptions>();
  CLI::App* command = app.add_subcommand(
      "observe", "What the reference observer detects of a shot, or of levels as they are played.");
  add_shared_option(*command, "LEVELS", options->paths, "with --shot: a single level")->required();
  add_shots_option(*command, options->shots,
                   "each is the first one at the "
                   "level; default: required without --plays");
  add_novelties_option(
      *command, options->novelties,
      "with --shot one alone; own: the one that the level's file carries; default: none (with --plays "
      "the one stored with each level, and the normal world of levels without; with --shot the normal "
      "world)");
  add_shared_option(*command, "--launches", options->launches, "with --shot");
  CLI::Option* plays = command
                           ->add_option(
                               "--plays", options->plays,
                               "in place of --shot: plays of each level, with all its birds, in each "
                               "world, 1 to 1000; default: none")
                           ->type_name("N")
                           ->default_str("");
  command
      ->add_option("--player", options->player,
                   "who plays: best-target, at a target of the highest impact score, or random-target; "
                   "neither knows of the novelty")
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option("--null-plays", options->null_plays,
                   "with --plays: plays of each level in the normal world, which give the false-alarm rate; "
                   "default: none (as many as --plays)")
      ->type_name("N");
  add_shared_option(*command, "--limit", options->limit, "as they are stored; with --plays");
  command->add_flag("--store", options->store,
                    "with --plays: writes what was measured into the file of each level, for the novelty "
                    "stored there");
  CLI::Option* simulations = add_observer_options(*command, options->observer,
                                                  "where none is given, 199 with --plays, which ordinary "
                                                  "shots do not need");
  add_output_options(*command, options->output, {"text", "csv", "json", "html", "svg"},
                     "csv, html and svg are of --plays; csv has full precision, json single plays, too, svg "
                     "the figure");
  add_common_options(*command, options->common);
  command->footer(
      "The observer knows the normal world and the level exactly and the launch up to the aim noise; "
      "docs/observer.md says how it tests.\n"
      "A shot is detected when its p-value is at most 0.05. A play is detected when the evidence of its "
      "shots "
      "raises an alarm; in the normal\n"
      "world at most 5 % of plays do. p_level: share of plays detected, 95 % intervals, plays drawn.\n"
      "Ended early, a run with --plays and --out goes on with the same command.\n"
      "Example: startle observe level.json --shot 40 --novelty T2 --launches 16\n"
      "         startle observe levels/benchmark/T2 --plays 16 --out T2.html");
  command->callback([options, plays, simulations, &exit_code] {
    if (plays->count() > 0 && simulations->count() == 0)
      options->observer.simulations = PlayOptions{}.observer.simulations;
    exit_code = observe(*options, plays->count() > 0);
  });
}

}  // namespace startle
