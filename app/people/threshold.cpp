/// \file  startle threshold: the just-noticeable strength of novelties.
#include "simulated/threshold.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/level_sets.hpp"
#include "app/people/commands.hpp"
#include "app/reports/strength_chart.hpp"
#include "app/reports/table.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "people/study_scores.hpp"
#include "surprise/dynamics/dynamics_model.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

struct ThresholdCommandOptions {
  CommonOptions common;
  ThresholdOptions how;
  std::vector<std::string> paths, novelties, people;
  Output output;
  std::optional<std::string> svg;
  std::size_t limit = 0;
  bool with_dynamics = false, by_tier = false;
};

constexpr int stride = 2;  // of the dynamics model

/// "0.25,0.5".
std::string as_typed(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ",") + shortest(number);
  return text;
}

/// "1.31 (0.80 to above 4)".
std::string threshold_text(const StrengthThreshold& threshold, double greatest) {
  const auto text = [&](const std::optional<double>& strength) {
    return strength ? fixed(*strength, 2) : "above " + shortest(greatest);
  };
  return text(threshold.strength) + " (" + text(threshold.low) + " to " + text(threshold.high) + ")";
}

std::vector<std::vector<std::string>> rows_of(const std::vector<StrengthCurve>& curves, bool full) {
  const auto number = [&](const std::optional<double>& value) {
    return !value ? std::string(full ? "" : "-") : full ? shortest(*value) : fixed(*value, 3);
  };
  const auto low = [](const std::optional<IntervalEstimate>& interval) {
    return interval ? std::optional(interval->low) : std::nullopt;
  };
  const auto high = [](const std::optional<IntervalEstimate>& interval) {
    return interval ? std::optional(interval->high) : std::nullopt;
  };
  std::vector<std::vector<std::string>> rows{{"novelty", "tier", "detector", "strength", "drawn", "shots",
                                              "detected", "share", "low", "high", "predicted",
                                              "predicted_low", "predicted_high"}};
  for (const StrengthCurve& one : curves)
    for (const StrengthPoint& p : one.curve.points)
      rows.push_back({one.novelty, one.tier, one.detector, shortest(p.strength),
                      std::to_string(one.curve.levels), std::to_string(p.detected.count),
                      std::to_string(p.detected.hits), number(p.detected.value()), number(low(p.interval)),
                      number(high(p.interval)), number(p.predicted), number(low(p.predicted_interval)),
                      number(high(p.predicted_interval))});
  return rows;
}

/// A level with a novelty, and what was found.
struct Pairing {
  std::size_t level = 0, novelty = 0;
  std::string tier;  ///< "all" unless by tier
  LevelDetection found = {};
};

Json json_of(const std::vector<StrengthCurve>& curves, const std::vector<Pairing>& pairs,
             const std::vector<std::string>& files, const std::vector<const Novelty*>& novelties,
             const ThresholdCommandOptions& options) {
  const auto maybe = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  const auto range = [](const std::optional<IntervalEstimate>& interval) {
    return interval ? Json{interval->low, interval->high} : Json();
  };
  Json json{{"program", "startle " STARTLE_VERSION},
            {"profile", options.common.profile},
            {"alpha", options.how.alpha},
            {"launches", options.how.launches}};
  json["observer"] = {{"aim_noise_rad", options.how.observer.aim_noise},
                      {"pixel", options.how.observer.pixel},
                      {"simulations", options.how.observer.simulations},
                      {"seed", options.how.observer.seed}};
  json["curves"] = Json::array();
  for (const StrengthCurve& one : curves) {
    Json entry{{"novelty", one.novelty},
               {"description", one.description},
               {"tier", one.tier},
               {"detector", one.detector},
               {"drawn", one.curve.levels},
               {"without_novel", one.curve.without_novel},
               {"without_target", one.curve.without_target},
               {"false_alarms", one.curve.false_alarms}};
    const StrengthThreshold measured = one.curve.threshold.value_or(StrengthThreshold{}),
                            predicted = one.curve.predicted.value_or(StrengthThreshold{});
    entry["threshold"] = maybe(measured.strength);
    entry["threshold_low"] = maybe(measured.low);
    entry["threshold_high"] = maybe(measured.high);
    entry["predicted_threshold"] = maybe(predicted.strength);
    entry["predicted_threshold_low"] = maybe(predicted.low);
    entry["predicted_threshold_high"] = maybe(predicted.high);
    entry["points"] = Json::array();
    for (const StrengthPoint& p : one.curve.points)
      entry["points"].push_back({{"strength", p.strength},
                                 {"shots", p.detected.count},
                                 {"detected", p.detected.hits},
                                 {"share", maybe(p.detected.value())},
                                 {"interval", range(p.interval)},
                                 {"predicted", maybe(p.predicted)},
                                 {"predicted_interval", range(p.predicted_interval)}});
    json["curves"].push_back(entry);
  }
  json["levels"] = Json::array();
  for (const Pairing& pair : pairs) {
    if (!pair.found.target) continue;
    const std::vector<double>& predicted = pair.found.predicted;
    json["levels"].push_back(
        {{"level", files[pair.level]},
         {"novelty", novelties[pair.novelty]->name},
         {"tier", pair.tier},
         {"predicted", predicted},
         {"predicted_threshold",
          maybe(detection_threshold(options.how.strengths, {predicted.begin() + 1, predicted.end()},
                                    predicted.front()))}});
  }
  return json;
}

/// All levels with all novelties; by tier each level with the novelty and tier that it says it was made for,
/// at most `limit` of each (0: all), in order.
std::vector<Pairing> pair_up(const std::vector<StoredLevel>& levels, const std::vector<std::string>& files,
                             const std::vector<const Novelty*>& novelties, bool by_tier, std::size_t limit) {
  std::vector<Pairing> pairs;
  std::map<std::pair<std::size_t, std::string>, std::size_t> taken;
  for (std::size_t n = 0; n < novelties.size(); ++n)
    for (std::size_t l = 0; l < levels.size(); ++l) {
      if (by_tier && (!levels[l].difficulty || !levels[l].difficulty->tier))
        throw Error(files[l] + ": difficulty: found " + (levels[l].difficulty ? "no tier" : "none") +
                    ", needed with --by-tier is a novelty with its tier");
      if (by_tier && levels[l].difficulty->novelty != novelties[n]->name) continue;
      const std::string tier = by_tier ? name(*levels[l].difficulty->tier) : "all";
      if (limit == 0 || taken[{n, tier}]++ < limit) pairs.push_back({l, n, tier});
    }
  if (pairs.empty())
    throw Error("--by-tier: none of the " + std::to_string(levels.size()) +
                " levels was made for one of the novelties");
  return pairs;
}

/// Of each novelty the curve of the observer, of the dynamics model and of people, as far as they were asked
/// for; by tier also of all novelties together.
std::vector<StrengthCurve> curves_of(const std::vector<Pairing>& pairs,
                                     const std::vector<const Novelty*>& novelties,
                                     const std::optional<PeopleStudy>& people,
                                     const ThresholdCommandOptions& options) {
  std::vector<StrengthCurve> curves;
  const auto add = [&](const std::string& novelty, const std::string& description, const std::string& tier,
                       const auto& chosen) {
    std::vector<LevelDetection> mine;
    for (const Pairing& pair : pairs)
      if (pair.tier == tier && chosen(pair)) mine.push_back(pair.found);
    if (mine.empty()) return;
    try {
      curves.push_back({novelty, description, tier, "observer", detection_curve(mine, options.how)});
      if (options.with_dynamics)
        curves.push_back({novelty, description, tier, "dynamics", detection_curve(mine, options.how, 1)});
    } catch (const Error& error) {
      throw Error(novelty + (options.by_tier ? ", " + tier : "") + ": " + error.what());
    }
  };
  const std::vector<std::string> tiers = options.by_tier ? std::vector<std::string>{"easy", "medium", "hard"}
                                                         : std::vector<std::string>{"all"};
  for (std::size_t n = 0; n < novelties.size(); ++n) {
    for (const std::string& tier : tiers)
      add(novelties[n]->name, novelties[n]->description, tier,
          [&](const Pairing& pair) { return pair.novelty == n; });
    if (people)
      curves.push_back({novelties[n]->name, novelties[n]->description, "all", "people",
                        people_curve(people->items, novelties[n]->name)});
  }
  if (options.by_tier && novelties.size() > 1)
    for (const std::string& tier : tiers)
      add("all", "all of them", tier, [](const Pairing&) { return true; });
  return curves;
}

/// A sentence a curve, with its threshold.
std::string sentences(const std::vector<StrengthCurve>& curves) {
  std::string text;
  for (const StrengthCurve& one : curves) {
    const double greatest = one.curve.points.back().strength;
    text += one.novelty + (one.tier == "all" ? "" : ", " + one.tier) + " (" + one.description + "), " +
            one.detector + ": ";
    if (one.curve.threshold)
      text += "just noticeable at strength " + threshold_text(*one.curve.threshold, greatest) +
              (one.curve.predicted ? ", predicted " + threshold_text(*one.curve.predicted, greatest) : "");
    else if (one.curve.predicted)
      text += "predicted just noticeable at strength " + threshold_text(*one.curve.predicted, greatest);
    if (one.curve.without_novel > 0)
      text += "; " + std::to_string(one.curve.without_novel) + " levels hold nothing that it changes";
    if (one.curve.without_target > 0)
      text += "; " + std::to_string(one.curve.without_target) + " levels have no target";
    text += "\n";
  }
  return text;
}

int threshold(ThresholdCommandOptions options) {
  require_valid(options.how);
  const auto constants = profile(options.common.profile);
  std::vector<const Novelty*> novelties;
  for (const std::string& text : options.novelties) {
    if (text.find('@') != std::string::npos)
      throw Error("--novelty: found '" + text +
                  "', allowed are novelties without a strength; those are given by --strengths");
    novelties.push_back(&find_novelty(text));
    require_effect(*novelties.back(), constants);
    require_covered(Method::extended, *novelties.back());
  }
  if (!options.common.quiet)
    for (const double strength : options.how.strengths)
      report_extrapolated(at_strength(*novelties.front(), strength).name);
  const std::vector<std::string> files = find_levels(options.paths);
  std::vector<StoredLevel> levels;
  std::vector<Scene> scenes;
  for (const std::string& file : files) {
    levels.push_back(load_level(file, *constants, options.common.quiet));
    scenes.push_back(settled_level(levels.back(), constants, file, options.common.quiet).scene);
  }
  std::vector<Pairing> pairs = pair_up(levels, files, novelties, options.by_tier, options.limit);

  std::optional<PeopleStudy> people;
  if (!options.people.empty()) people = read_people_study({options.people.begin(), options.people.end()});
  std::vector<StrengthDetector> others;
  if (options.with_dynamics)
    others.push_back({stride, [](const Scene& before, const Trace& seen) {
                        return detect(shipped_dynamics(stride), before, seen).p;
                      }});

  catch_interrupt();
  run_all("levels", pairs.size(), options.common, [&](std::size_t i) {
    pairs[i].found = detect_at_strengths(scenes[pairs[i].level], levels[pairs[i].level].name,
                                         *novelties[pairs[i].novelty], options.how, others);
  });
  if (interrupted()) {
    report("interrupted: nothing is written");
    return exit_interrupted;
  }

  const std::vector<StrengthCurve> curves = curves_of(pairs, novelties, people, options);
  if (options.svg) write_file(*options.svg, strength_chart(curves));
  if (options.output.is("json")) {
    emit(json_of(curves, pairs, files, novelties, options).dump(2) + "\n", options.output.out);
  } else if (options.output.is("csv")) {
    emit(comma_separated(rows_of(curves, true)), options.output.out);
  } else {
    emit(aligned(rows_of(curves, false)) + "\n" + sentences(curves), options.output.out);
  }
  return 0;
}

}  // namespace

void add_threshold_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ThresholdCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "threshold",
      "The just-noticeable strength of a novelty: detection against strength, measured and predicted.");
  add_shared_option(*command, "LEVELS", options->paths)->required();
  add_novelties_option(*command, options->novelties, "of the catalogue")->required();
  command
      ->add_option("--strengths", options->how.strengths,
                   "ascending, each over 0 to 8; strength 0, the normal world, is always there")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("S[,S...]")
      ->default_str(as_typed(options->how.strengths));
  add_shared_option(*command, "--launches", options->how.launches,
                    "one shot a level; 0: none, predicted detection alone, which takes milliseconds a level");
  add_observer_options(*command, options->how.observer);
  command->add_flag("--with-dynamics", options->with_dynamics, "detection by the dynamics model, too");
  command->add_flag("--by-tier", options->by_tier,
                    "each level with the novelty and tier that it was made for, a curve for each tier, and "
                    "with several novelties "
                    "one over all of them; without it every level takes every novelty");
  add_shared_option(*command, "--limit", options->limit);
  command
      ->add_option(
          "--people", options->people,
          "files of a study with people whose levels are of the novelty at two strengths or more: their "
          "curve, too; default: none")
      ->type_name("FILE ...");
  add_shared_option(*command, "--svg", options->svg, "the curves; default: none");
  add_output_options(
      *command, options->output, {"text", "csv", "json"},
      "csv has full precision, json the configuration, thresholds, and those predicted of each level, too");
  add_common_options(*command, options->common);
  command->footer(
      "In each level the best target is shot at, some launches in the normal world (strength 0) and the same "
      "at each strength. A shot is detected\n"
      "when the observer's p-value is at most 0.05; the threshold is the strength detected with chance one "
      "half above false alarms, 0.525.\n"
      "Intervals: 95 %, levels drawn with replacement.\n"
      "Example: startle threshold levels/benchmark/T2 --novelty T2 --svg t2.svg");
  command->callback([options, &exit_code] { exit_code = threshold(*options); });
}

}  // namespace startle
