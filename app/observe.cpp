/// \file  startle observe: what the reference observer notices of a shot.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "difficulty/observer.hpp"
#include "difficulty/twin.hpp"
#include "sim/error.hpp"
#include "sim/parallel.hpp"
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
  std::string level, novelty;
  std::vector<std::string> shots;
  int repeats = 1;
  std::optional<std::string> out;
  bool json = false;
};

struct ObservedShot {
  Shot shot;
  std::vector<ObservedLaunch> launches;
  std::size_t noticed(bool normal) const {
    return static_cast<std::size_t>(
        std::count_if(launches.begin(), launches.end(),
                      [&](const ObservedLaunch& l) { return (normal ? l.normal : l.found).p <= noticed_p; }));
  }
};

std::string feature_text(const ShotJudgement& judgement, std::size_t i, double interval_s) {
  const Telling& telling = judgement.telling[i];
  const std::string off = " (" + fixed(telling.sigmas, 1) + " sigmas)";
  const std::string seen = "seen " + fixed(telling.seen, 2) + ", expected " + fixed(telling.expected, 2) +
                           " +- " + fixed(telling.spread, 2);
  switch (telling.feature) {
    case Feature::fall:
      return judgement.subjects[i] + ", vertical acceleration in flight, m/s^2: " + seen + off;
    case Feature::slide:
      return judgement.subjects[i] + ", acceleration along the way in sliding, m/s^2: " + seen + off;
    case Feature::presence:
      return judgement.subjects[i] + ", " + fixed(static_cast<double>(telling.look) * interval_s, 2) +
             " s: " + (telling.seen > 0.5 ? "there" : "gone") + ", expected there in " +
             fixed(100 * telling.expected, 0) + " %" + off;
    default:
      return judgement.subjects[i] + ", " + name(telling.feature) + " at " +
             fixed(static_cast<double>(telling.look) * interval_s, 2) + " s: " + seen + off;
  }
}

/// Those worth saying, of a shot that is noticed.
std::size_t findings(const ShotJudgement& judgement) {
  std::size_t count = 0;
  while (count < std::min(most_findings, judgement.telling.size()) &&
         std::fabs(judgement.telling[count].sigmas) >= least_sigmas)
    ++count;
  return count;
}

Json json_of(const ShotJudgement& judgement, double interval_s) {
  Json json{{"p", judgement.p},
            {"p_outcome", judgement.p_outcome},
            {"p_motion", judgement.p_motion},
            {"noticed", judgement.p <= noticed_p}};
  json["findings"] = Json::array();
  for (std::size_t i = 0; i < judgement.telling.size() && i < most_findings; ++i) {
    const Telling& telling = judgement.telling[i];
    const bool law = telling.feature == Feature::fall || telling.feature == Feature::slide;
    json["findings"].push_back(
        {{"subject", judgement.subjects[i]},
         {"feature", name(telling.feature)},
         {"time_s", law ? Json() : Json(static_cast<double>(telling.look) * interval_s)},
         {"seen", telling.seen},
         {"expected", telling.expected},
         {"spread", telling.spread},
         {"sigmas", telling.sigmas}});
  }
  return json;
}

void observe(const ObserveOptions& options) {
  require_valid(options.observer);
  if (options.repeats < 1 || options.repeats > 1000)
    throw Error("--repeats: found " + std::to_string(options.repeats) + ", allowed are 1 to 1000");
  std::vector<ObservedShot> shots;
  for (const std::string& text : options.shots) shots.push_back({.shot = parse_shot(text), .launches = {}});
  const auto constants = profile(options.common.profile);
  const Level level = load_level(options.level, *constants, options.common.quiet, {}, options.novelty);
  const std::optional<Novelty> novelty = chosen_novelty(options.novelty, level);
  const Scene normal = settled_level(level, constants, options.level, options.common.quiet).scene;
  const Scene world = novelty ? novel_twin(normal, *novelty) : normal;
  if (novelty && !anything_novel(world) && !options.common.quiet)
    report("the level holds no object that novelty " + options.novelty + " changes");

  catch_interrupt();
  const auto repeats = static_cast<std::size_t>(options.repeats);
  for (ObservedShot& shot : shots) shot.launches.resize(repeats);
  {
    Progress progress("launches", shots.size() * repeats, options.common.quiet);
    parallel_for(
        shots.size() * repeats, options.common.threads,
        [&](std::size_t i) {
          ObservedShot& shot = shots[i / repeats];
          shot.launches[i % repeats] = observe_launch(normal, world, shot.shot, options.observer, i);
          progress.advance();
        },
        [] { return !interrupted(); });
  }
  if (interrupted()) throw Error("interrupted: nothing is written");

  const double interval_s = Viewing{}.stride * normal.profile->step;
  if (options.json) {
    Json json{
        {"program", "startle " STARTLE_VERSION}, {"level", level.name}, {"profile", options.common.profile}};
    json["novelty"] = novelty ? Json(novelty->name) : Json();
    json["observer"] = {{"aim_noise_rad", options.observer.aim_noise},
                        {"pixel", options.observer.pixel},
                        {"worlds", options.observer.worlds},
                        {"seed", options.observer.seed}};
    json["shots"] = Json::array();
    for (const ObservedShot& shot : shots) {
      Json one{{"angle_deg", std::round(degrees(shot.shot.angle) * 1e9) / 1e9},
               {"stretch", shot.shot.stretch},
               {"tap_s", shot.shot.tap_time >= 0 ? Json(shot.shot.tap_time) : Json()}};
      one["launches"] = Json::array();
      for (const ObservedLaunch& launch : shot.launches)
        one["launches"].push_back({{"turn_rad", launch.turn},
                                   {"found", json_of(launch.found, interval_s)},
                                   {"normal", json_of(launch.normal, interval_s)}});
      json["shots"].push_back(one);
    }
    emit(json.dump(2) + "\n", options.out);
    return;
  }
  std::string text = "level " + level.name + ", profile " + options.common.profile + ", novelty " +
                     (novelty ? novelty->name : "none") + "; aim noise " +
                     shortest(options.observer.aim_noise) + " rad, pixel " +
                     fixed(options.observer.pixel, 3) + ", " + std::to_string(options.observer.worlds) +
                     " normal worlds\n";
  for (const ObservedShot& shot : shots) {
    text += "\nshot at " + shortest(std::round(degrees(shot.shot.angle) * 1e9) / 1e9) + " degrees\n";
    for (const ObservedLaunch& launch : shot.launches) {
      const ShotJudgement& found = launch.found;
      text += "  turned by " + fixed(launch.turn, 4) + " rad: p " + fixed(found.p, 3) + " (outcome " +
              fixed(found.p_outcome, 3) + ", motion " + fixed(found.p_motion, 3) + "), " +
              (found.p <= noticed_p ? "noticed" : "not noticed");
      if (novelty) text += "; in the normal world p " + fixed(launch.normal.p, 3);
      text += "\n";
      for (std::size_t i = 0; found.p <= noticed_p && i < findings(found); ++i)
        text += "    " + feature_text(found, i, interval_s) + "\n";
    }
    if (repeats == 1) continue;
    const auto share = [&](bool in_normal) {
      const Rate rate{shot.noticed(in_normal), repeats};
      return std::to_string(rate.hits) + " of " + std::to_string(rate.count) + " (" +
             fixed(rate.interval().low, 3) + " to " + fixed(rate.interval().high, 3) + ")";
    };
    text += "  noticed: " + share(false) + (novelty ? "; in the normal world: " + share(true) : "") + "\n";
  }
  emit(text, options.out);
}

}  // namespace

void add_observer_options(CLI::App& command, ObserverOptions& options) {
  command.add_option("--aim-noise", options.aim_noise, "standard deviation of the launch angle, radians")
      ->type_name("RAD")
      ->capture_default_str();
  command.add_option("--pixel", options.pixel, "places are seen up to this, world units")
      ->type_name("UNITS")
      ->capture_default_str();
  command.add_option("--worlds", options.worlds, "normal shots that the one seen is compared with")
      ->type_name("N")
      ->capture_default_str();
  add_seed_option(command, options.seed, "of all launches");
}

void add_observe_command(CLI::App& app, int&) {
  const auto options = std::make_shared<ObserveOptions>();
  CLI::App* command = app.add_subcommand("observe", "What the reference observer notices of a shot.");
  command->add_option("LEVEL", options->level, "level file, .json or .xml")->required()->type_name("");
  command->add_option("--shot", options->shots, "a shot, as for simulate; each is the first one at the level")
      ->required()
      ->allow_extra_args(false)
      ->type_name("ANGLE_DEG[,TAP_S[,STRETCH]]");
  command
      ->add_option("--novelty", options->novelty,
                   "novelty in the level, for example T1 or T2@0.5; without it, the normal world")
      ->type_name("N");
  command->add_option("--repeats", options->repeats, "launches of each shot, each turned by the aim noise")
      ->type_name("N")
      ->capture_default_str();
  add_observer_options(*command, options->observer);
  command->add_flag("--json", options->json, "JSON in place of text");
  command->add_option("--out", options->out, "file to write to, in place of standard output")
      ->type_name("FILE");
  add_common_options(*command, options->common);
  command->footer(
      "The observer knows the normal world and the level exactly and the launch up to the aim noise; "
      "docs/observer.md says how it judges.\n"
      "A shot is noticed when its p-value is at most 0.05.\n"
      "Example: startle observe level.json --shot 40 --novelty T2 --repeats 16");
  command->callback([options] { observe(*options); });
}

}  // namespace startle
