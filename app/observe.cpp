/// \file  startle observe: what the reference observer detects of a shot.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "core/error.hpp"
#include "reports/shot_angle.hpp"
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
  std::string level, novelty;
  std::vector<std::string> shots;
  int launches = 1;
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
  ObservedShots seen{.shots = read_shots(options)};
  const auto constants = profile(options.common.profile);
  const Level level = load_level(options.level, *constants, options.common.quiet, {}, options.novelty);
  seen.level = level.name;
  seen.novelty = chosen_novelty(options.novelty, level);
  seen.interval_s = Viewing{}.stride * constants->step;
  const Scene normal = settled_level(level, constants, options.level, options.common.quiet).scene;
  const Scene world = seen.novelty ? novel_twin(normal, *seen.novelty) : normal;
  if (seen.novelty && !anything_novel(world) && !options.common.quiet)
    report("the level holds no object that novelty " + options.novelty + " changes");
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
  json["observer"] = {{"aim_noise_rad", options.observer.aim_noise},
                      {"pixel", options.observer.pixel},
                      {"simulations", options.observer.simulations},
                      {"seed", options.observer.seed}};
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

void observe(const ObserveOptions& options) {
  require_valid(options.observer);
  const ObservedShots seen = observe_shots(options);
  emit(options.output.is("json") ? observation_json(seen, options) : observation_text(seen, options),
       options.output.out);
}

}  // namespace

void add_observe_command(CLI::App& app, int&) {
  const auto options = std::make_shared<ObserveOptions>();
  CLI::App* command = app.add_subcommand("observe", "What the reference observer detects of a shot.");
  add_shared_option(*command, "LEVEL", options->level)->required();
  add_shots_option(*command, options->shots, "each is the first one at the level")->required();
  add_shared_option(*command, "--novelty", options->novelty,
                    "own: the one that the level's file carries; default: none (the normal world)");
  add_shared_option(*command, "--launches", options->launches);
  add_observer_options(*command, options->observer);
  add_output_options(*command, options->output, {"text", "json"});
  add_common_options(*command, options->common);
  command->footer(
      "The observer knows the normal world and the level exactly and the launch up to the aim noise; "
      "docs/observer.md says how it tests.\n"
      "A shot is detected when its p-value is at most 0.05.\n"
      "Example: startle observe level.json --shot 40 --novelty T2 --launches 16");
  command->callback([options] { observe(*options); });
}

}  // namespace startle
