/// \file  startle threshold: the just-noticeable strength of novelties.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "difficulty/threshold.hpp"
#include "levels/files.hpp"
#include "render/plot_svg.hpp"
#include "reports/table.hpp"
#include "sim/error.hpp"
#include "sim/parallel.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

struct ThresholdCommandOptions {
  CommonOptions common;
  ThresholdOptions how;
  std::vector<std::string> paths, novelties;
  std::string method = "extended";
  std::optional<std::string> out, plot;
  bool json = false, csv = false;
};

/// A curve, or why there is none.
struct NoveltyCurve {
  std::string novelty, description;
  DetectionCurve curve;
};

/// "1.31 (0.80 to above 4)".
std::string threshold_text(const DetectionCurve& curve, double greatest) {
  const auto text = [&](const std::optional<double>& strength) { return strength ? fixed(*strength, 2) : "above " + shortest(greatest); };
  return text(curve.threshold) + " (" + text(curve.threshold_low) + " to " + text(curve.threshold_high) + ")";
}

std::vector<std::vector<std::string>> rows_of(const std::vector<NoveltyCurve>& curves, bool full) {
  const auto number = [&](double value) { return full ? shortest(value) : fixed(value, 3); };
  std::vector<std::vector<std::string>> rows{{"novelty", "strength", "levels", "shots", "noticed", "share", "low", "high", "value", "value_low", "value_high"}};
  for (const NoveltyCurve& one : curves)
    for (const StrengthPoint& p : one.curve.points)
      rows.push_back({one.novelty, shortest(p.strength), std::to_string(one.curve.levels), std::to_string(p.noticed.count), std::to_string(p.noticed.hits),
                      number(*p.noticed.value()), number(p.interval.low), number(p.interval.high), number(p.value), number(p.value_interval.low),
                      number(p.value_interval.high)});
  return rows;
}

Json json_of(const std::vector<NoveltyCurve>& curves, const ThresholdCommandOptions& options) {
  const auto maybe = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  Json json{{"program", "startle " STARTLE_VERSION}, {"profile", options.common.profile}, {"method", options.method}, {"alpha", options.how.alpha},
            {"repeats", options.how.repeats}};
  json["observer"] = {{"aim_noise_rad", options.how.observer.aim_noise}, {"pixel", options.how.observer.pixel}, {"worlds", options.how.observer.worlds},
                      {"seed", options.how.observer.seed}};
  json["novelties"] = Json::array();
  for (const NoveltyCurve& one : curves) {
    Json entry{{"novelty", one.novelty}, {"description", one.description}, {"levels", one.curve.levels}, {"without_novel", one.curve.without_novel},
               {"without_target", one.curve.without_target}};
    entry["threshold"] = maybe(one.curve.threshold);
    entry["threshold_low"] = maybe(one.curve.threshold_low);
    entry["threshold_high"] = maybe(one.curve.threshold_high);
    entry["points"] = Json::array();
    for (const StrengthPoint& p : one.curve.points)
      entry["points"].push_back({{"strength", p.strength}, {"shots", p.noticed.count}, {"noticed", p.noticed.hits}, {"share", *p.noticed.value()},
                                 {"low", p.interval.low}, {"high", p.interval.high}, {"value", p.value}, {"value_low", p.value_interval.low},
                                 {"value_high", p.value_interval.high}});
    json["novelties"].push_back(entry);
  }
  return json;
}

/// Detection drawn in full, value dimmed, against strength.
std::string plot_of(const std::vector<NoveltyCurve>& curves, double greatest) {
  static const char* const colours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2"};
  static const char* const pale[] = {"#a8cbe6", "#efb0b0", "#aedcae", "#d3c2e4", "#ffd3a8", "#a6e3ea", "#cdb6b0", "#f4cbe5"};
  LinePlot plot{.frame = {.title = "Noticed by the observer, and difficulty by reasoning", .x_label = "strength", .y_label = "share noticed; value", .width = 520, .height = 320},
                .x_low = 0, .x_high = greatest, .y_low = 0, .y_high = 1, .series = {}, .lines = {}};
  for (std::size_t k = 0; k < curves.size(); ++k) {
    PointSeries noticed{curves[k].novelty + ", noticed", colours[k % std::size(colours)], {}}, value{curves[k].novelty + ", value", pale[k % std::size(pale)], {}};
    for (const StrengthPoint& p : curves[k].curve.points) {
      noticed.points.push_back({p.strength, *p.noticed.value()});
      value.points.push_back({p.strength, p.value});
    }
    plot.series.push_back(noticed);
    plot.series.push_back(value);
    if (curves[k].curve.threshold) plot.lines.push_back({*curves[k].curve.threshold, curves[k].novelty});
  }
  return plot_svg(plot);
}

int threshold(ThresholdCommandOptions options) {
  options.how.difficulty.method = *method_from_name(options.method);
  require_valid(options.how);
  const auto constants = profile(options.common.profile);
  std::vector<const Novelty*> novelties;
  for (const std::string& text : options.novelties) {
    if (text.find('@') != std::string::npos)
      throw Error("--novelty: found '" + text + "', allowed are novelties without a strength; those are given by --strengths");
    novelties.push_back(&find_novelty(text));
    require_effect(*novelties.back(), constants);
    require_covered(options.how.difficulty.method, *novelties.back());
  }
  const std::vector<std::string> files = find_levels(options.paths);
  std::vector<Level> levels;
  std::vector<Scene> scenes;
  for (const std::string& file : files) {
    levels.push_back(load_level(file, *constants, options.common.quiet));
    scenes.push_back(settled_level(levels.back(), constants, file, options.common.quiet).scene);
  }

  catch_interrupt();
  std::vector<LevelDetection> detections(files.size() * novelties.size());
  {
    Progress progress("levels", detections.size(), options.common.quiet);
    parallel_for(
        detections.size(), options.common.threads,
        [&](std::size_t i) {
          const std::size_t level = i % files.size();
          detections[i] = detect_at_strengths(scenes[level], levels[level].name, *novelties[i / files.size()], options.how);
          progress.advance();
        },
        [] { return !interrupted(); });
  }
  if (interrupted()) {
    report("interrupted: nothing is written");
    return exit_interrupted;
  }

  std::vector<NoveltyCurve> curves;
  for (std::size_t k = 0; k < novelties.size(); ++k) {
    const auto first = detections.begin() + static_cast<std::ptrdiff_t>(k * files.size());
    try {
      curves.push_back({novelties[k]->name, novelties[k]->description, detection_curve({first, first + static_cast<std::ptrdiff_t>(files.size())}, options.how)});
    } catch (const Error& error) {
      throw Error(novelties[k]->name + ": " + error.what());
    }
  }
  const double greatest = options.how.strengths.back();
  if (options.plot) write_file(*options.plot, plot_of(curves, greatest));
  if (options.json) {
    emit(json_of(curves, options).dump(2) + "\n", options.out);
  } else if (options.csv) {
    emit(comma_separated(rows_of(curves, true)), options.out);
  } else {
    std::string text = aligned(rows_of(curves, false)) + "\n";
    for (const NoveltyCurve& one : curves) {
      text += one.novelty + " (" + one.description + "): just noticeable at strength " + threshold_text(one.curve, greatest);
      if (one.curve.without_novel > 0) text += "; " + std::to_string(one.curve.without_novel) + " levels hold nothing that it changes";
      if (one.curve.without_target > 0) text += "; " + std::to_string(one.curve.without_target) + " levels have no target";
      text += "\n";
    }
    emit(text, options.out);
  }
  return 0;
}

}  // namespace

void add_threshold_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ThresholdCommandOptions>();
  CLI::App* command = app.add_subcommand("threshold", "The just-noticeable strength of a novelty: detection and difficulty against strength.");
  command->add_option("LEVELS", options->paths, "level files, or folders that are searched for .json and .xml")->required()->type_name("");
  command->add_option("--novelty", options->novelties, "names of novelties, for example T1,T2,T3")->required()->delimiter(',')->allow_extra_args(false)->type_name("N[,N...]");
  command->add_option("--strengths", options->how.strengths, "strengths, ascending, each over 0 to 8")->delimiter(',')->allow_extra_args(false)->type_name("S[,S...]")->capture_default_str();
  command->add_option("--repeats", options->how.repeats, "launches a level, each turned by the aim noise")->type_name("N")->capture_default_str();
  command->add_option("--method", options->method, "of the reasoning that chooses the shot and gives the value: published, or extended")
      ->check(CLI::IsMember({"published", "extended"}).description(""))
      ->type_name("M")
      ->capture_default_str();
  add_observer_options(*command, options->how.observer);
  CLI::Option* json = command->add_flag("--json", options->json, "JSON, with configuration and thresholds");
  command->add_flag("--csv", options->csv, "comma-separated, full precision")->excludes(json);
  command->add_option("--plot", options->plot, "draws the curves to this file (SVG)")->type_name("FILE");
  command->add_option("--out", options->out, "file to write to, in place of standard output")->type_name("FILE");
  add_common_options(*command, options->common);
  command->footer("In each level the best target is shot at, some launches in the normal world (strength 0) and the same at each strength. A shot is noticed\n"
                  "when the observer's p-value is at most 0.05; the threshold is the strength noticed with chance one half above false alarms, 0.525.\n"
                  "Intervals: 95 %, levels drawn with replacement.\n"
                  "Example: startle threshold levels/benchmark/T2 --novelty T2 --plot t2.svg");
  command->callback([options, &exit_code] { exit_code = threshold(*options); });
}

}  // namespace startle
