#include "app/reports/surprise/intphys_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/reports/estimates.hpp"
#include "app/reports/html.hpp"
#include "app/reports/surprise/probe_pictures.hpp"
#include "app/reports/table.hpp"
#include "core/text.hpp"
#include "render/plot_svg.hpp"
#include "surprise/probes/intphys/published.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t total = 3;  // row and column of IntPhys 2019's tables
const char* visibility(bool occluded) { return occluded ? "occluded" : "visible"; }
const char* motion_name(const std::optional<IntPhysMotion>& motion) {
  if (!motion) return "Total";
  return *motion == IntPhysMotion::still       ? "Static"
         : *motion == IntPhysMotion::dynamic_1 ? "Dynamic (1 violation)"
                                               : "Dynamic (2 violations)";
}
const std::vector<std::optional<IntPhysMotion>>& motions() {
  static const std::vector<std::optional<IntPhysMotion>> all{IntPhysMotion::still, IntPhysMotion::dynamic_1,
                                                             IntPhysMotion::dynamic_2, std::nullopt};
  return all;
}

bool scenarios_known(const IntPhysReport& report) {
  return std::any_of(report.run.sets.begin(), report.run.sets.end(),
                     [](const ScoredIntPhys& set) { return set.possible && set.scenario; });
}

/// Whether they are answers of another program (add_answers()).
bool is_answers(const IntPhysReport& report, std::size_t scorer) {
  return report.run.scorers[scorer].find(".txt") != std::string::npos;
}

std::string scorer_name(const IntPhysReport& report, std::size_t scorer) {
  const auto calibrated = report.calibrated.find(scorer);
  const bool control = (calibrated == report.calibrated.end() ? scorer : calibrated->second) >=
                           report.models &&
                       !is_answers(report, scorer);
  return report.run.scorers[scorer] + (control ? " (control)" : "");
}

const Estimate& rate(const IntPhysRow& row, bool relative) { return relative ? row.relative : row.absolute; }

/// Columns of a table over blocks: visible and occluded, or all where scenarios are not known.
std::vector<IntPhysCell> block_cells(const IntPhysReport& report) {
  std::vector<IntPhysCell> cells;
  for (const IntPhysBlock block : intphys_blocks()) {
    if (!scenarios_known(report))
      cells.push_back({.block = block});
    else
      for (const bool occluded : {false, true}) cells.push_back({.block = block, .occluded = occluded});
  }
  return cells;
}

std::string heading(const IntPhysCell& cell) {
  return std::string(name(cell.block)) + (cell.occluded ? std::string(" ") + visibility(*cell.occluded) : "");
}

std::vector<std::string> published_names(bool relative) {
  std::vector<std::string> names;
  for (const PublishedIntPhys& table : published_intphys())
    if (table.relative == relative && std::find(names.begin(), names.end(), table.name) == names.end())
      names.push_back(table.name);
  return names;
}

/// NaN where nothing is published.
double published_rate(const std::string& of, bool relative, const IntPhysCell& cell) {
  for (const PublishedIntPhys& table : published_intphys())
    if (table.name == of && table.relative == relative && table.block == cell.block && cell.occluded)
      return table.rates[total][*cell.occluded ? 7 : 3];
  return std::numeric_limits<double>::quiet_NaN();
}

/// L_R or L_A of every scorer, the published ones below.
Rows block_table(const IntPhysReport& report, Plausibility kind, bool relative, bool intervals) {
  const std::vector<IntPhysCell> cells = block_cells(report);
  Rows rows{{"scorer"}};
  for (const IntPhysCell& cell : cells) rows.front().push_back(heading(cell));
  rows.push_back({"sets"});
  for (const IntPhysCell& cell : cells)
    rows.back().push_back(std::to_string(report.tables.row(cell, 0, kind).sets));
  for (std::size_t s = 0; s < report.run.scorers.size(); ++s) {
    rows.push_back({scorer_name(report, s)});
    for (const IntPhysCell& cell : cells) {
      const Estimate& e = rate(report.tables.row(cell, s, kind), relative);
      rows.back().push_back(intervals ? with_interval(e) : number(e.value));
    }
  }
  for (const std::string& published : published_names(relative)) {
    rows.push_back({published + ", other data"});
    for (const IntPhysCell& cell : cells) {
      const double value = published_rate(published, relative, cell);
      rows.back().push_back(std::isnan(value) ? "-" : shortest(value));
    }
  }
  return rows;
}

/// [IntPhys, figures 6 to 8]: rates of the models in a block, with people's and published models' beside.
std::string rates_chart(const IntPhysReport& report, IntPhysBlock block, bool relative) {
  BarChart chart{
      .frame = {.title = std::string(name(block)) + ", " + title(block) + ": " + (relative ? "L_R" : "L_A"),
                .y_label = "error rate",
                .width = 1100,
                .height = 240},
      .y_high = 1};
  std::vector<std::size_t> shown;  // models, or without any the controls; and answers of other programs
  for (std::size_t s = 0; s < report.run.scorers.size(); ++s)
    if (report.models == 0 || s < report.models || is_answers(report, s)) shown.push_back(s);
  for (const std::size_t s : shown) chart.categories.push_back(report.run.scorers[s]);
  for (const std::string& published : published_names(relative))
    chart.categories.push_back(published + ", other data");
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const bool occluded : {false, true}) {
    ValueSeries series{visibility(occluded), palette[occluded ? 3 : 0], {}, {}};
    const IntPhysCell cell{.block = block, .occluded = occluded};
    for (const std::size_t s : shown) {
      const Estimate& e = rate(report.tables.row(cell, s, report.plausibility), relative);
      series.values.push_back(e.value.value_or(none));
      series.ranges.push_back(e.interval ? ValueRange{e.interval->low, e.interval->high}
                                         : ValueRange{none, none});
    }
    for (const std::string& published : published_names(relative)) {
      series.values.push_back(published_rate(published, relative, cell));
      series.ranges.push_back({none, none});
    }
    chart.series.push_back(series);
  }
  return "<div class=\"wide\">" + plot_svg(chart) + "</div>\n";
}

Rows plausibility_table(const IntPhysReport& report) {
  const std::vector<IntPhysCell> cells = block_cells(report);
  Rows rows{{"scorer", "plausibility", "rate"}};
  for (const IntPhysCell& cell : cells) rows.front().push_back(heading(cell));
  for (std::size_t s = 0; s < report.run.scorers.size(); ++s)
    for (const Plausibility kind : plausibilities())
      for (const bool relative : {true, false}) {
        rows.push_back({scorer_name(report, s), name(kind), relative ? "L_R" : "L_A"});
        for (const IntPhysCell& cell : cells) {
          const IntPhysRow& row = report.tables.row(cell, s, kind);
          rows.back().push_back(with_interval(rate(row, relative)) +
                                (relative && row.ties > 0 ? ", " + std::to_string(row.ties) + " tied" : ""));
        }
      }
  return rows;
}

Rows scenario_head() {
  Rows rows{{"Type of scene"}};
  for (const bool occluded : {false, true}) {
    for (int objects = 1; objects <= 3; ++objects)
      rows.front().push_back(std::string(visibility(occluded)) + ", " + std::to_string(objects) + " obj.");
    rows.front().push_back(std::string(visibility(occluded)) + ", total");
  }
  return rows;
}

/// One scorer on one block in the layout of [IntPhys, tables 8 to 40], the number of sets below.
Rows scenario_table(const IntPhysReport& report, IntPhysBlock block, std::size_t scorer, bool relative) {
  Rows rows = scenario_head();
  for (const auto& motion : motions()) {
    rows.push_back({motion_name(motion)});
    for (const bool occluded : {false, true})
      for (const std::optional<int> objects :
           {std::optional<int>(1), std::optional<int>(2), std::optional<int>(3), std::optional<int>()})
        rows.back().push_back(number(
            rate(report.tables.row({block, occluded, motion, objects}, scorer, report.plausibility), relative)
                .value,
            2));
  }
  rows.push_back({"sets"});
  for (const bool occluded : {false, true})
    for (const std::optional<int> objects :
         {std::optional<int>(1), std::optional<int>(2), std::optional<int>(3), std::optional<int>()})
      rows.back().push_back(std::to_string(
          report.tables.row({block, occluded, std::nullopt, objects}, scorer, report.plausibility).sets));
  return rows;
}

Rows published_table(const PublishedIntPhys& table) {
  Rows rows = scenario_head();
  for (std::size_t i = 0; i < motions().size(); ++i) {
    rows.push_back({motion_name(motions()[i])});
    for (const double value : table.rates[i])
      rows.back().push_back(std::isnan(value) ? "-" : fixed(value, 2));
  }
  return rows;
}

std::string example_html(const IntPhysReport& report, const IntPhysExample& example) {
  const ScoredIntPhys& scored = report.run.sets[example.index];
  std::string html = "<h3>" + std::string(name(scored.block)) + ", " + title(scored.block) + ", set " +
                     xml_escaped(scored.name) + (scored.scenario ? " (" + name(*scored.scenario) + ")" : "") +
                     "</h3>\n";
  const auto label = [&](std::size_t k) {
    return std::to_string(k + 1) + ", " +
           (!scored.possible        ? "not known"
            : (*scored.possible)[k] ? "possible"
                                    : "impossible");
  };
  const int every = std::max(1, report.format.frames / 20);
  for (std::size_t k = 0; k < 4; ++k) html += frame_strip(example.set.clips[k], "clip " + label(k), every);
  html += "<div class=\"plots\">";
  for (std::size_t s = 0; s < std::max<std::size_t>(report.models, 1); ++s) {  // the models, or without any
                                                                               // the first control
    std::vector<ErrorCurve> curves;
    for (std::size_t k = 0; k < 4; ++k) {
      const bool impossible = scored.possible && !(*scored.possible)[k];
      // Blue and green for possible clips, orange and red for impossible ones.
      const std::string short_name = std::to_string(k + 1) + (impossible        ? " imp."
                                                              : scored.possible ? " poss."
                                                                                : "");  // four legends have
                                                                                        // to fit in a plot
      const auto before = std::count_if(curves.begin(), curves.end(), [&](const ErrorCurve& c) {
        return (c.name.find("imp.") != std::string::npos) == impossible;
      });
      curves.push_back({short_name, palette[impossible ? (before == 0 ? 1U : 3U) : (before == 0 ? 0U : 2U)],
                        scored.scorers[s][k].error});
    }
    html += error_curves("Errors by " + report.run.scorers[s], curves);
  }
  return html + "</div>\n";
}

std::string scenarios_html(const IntPhysReport& report) {
  if (!scenarios_known(report))
    return "<p>The data do not say which scenario a set is of: there are no tables by scenario.</p>\n";
  std::string html;
  for (const IntPhysBlock block : intphys_blocks()) {
    html += "<h3>" + std::string(name(block)) + ", " + title(block) + "</h3>\n";
    for (std::size_t s = 0; s < report.run.scorers.size(); ++s)
      for (const bool relative : {true, false}) {
        const std::string table = html_table(scenario_table(report, block, s, relative));
        const std::string what = scorer_name(report, s) + ": " + (relative ? "L_R" : "L_A");
        html += s < report.models || report.models == 0 ? "<p>" + xml_escaped(what) + "</p>\n" + table
                                                        : html_details(what, table);
      }
    for (const PublishedIntPhys& published : published_intphys())
      if (published.block == block && !std::isnan(published.rates[0][0]))
        html += html_details(published.name + ", other data [IntPhys, " + published.source +
                                 "]: " + (published.relative ? "L_R" : "L_A"),
                             html_table(published_table(published)));
  }
  return html;
}

}  // namespace

Rows intphys_cell_rows(const IntPhysReport& report) {
  Rows rows{{"block", "visibility", "motion", "objects", "scorer", "plausibility", "sets", "ties",
             "relative_error", "relative_error_low", "relative_error_high", "absolute_error",
             "absolute_error_low", "absolute_error_high"}};
  for (const IntPhysRow& row : report.tables.rows) {
    rows.push_back({name(row.cell.block), row.cell.occluded ? visibility(*row.cell.occluded) : "all",
                    row.cell.motion ? motion_name(row.cell.motion) : "all",
                    row.cell.objects ? std::to_string(*row.cell.objects) : "all",
                    report.run.scorers[row.scorer], name(row.plausibility), std::to_string(row.sets),
                    std::to_string(row.ties)});
    add_estimate(rows.back(), row.relative);
    add_estimate(rows.back(), row.absolute);
  }
  return rows;
}

Rows intphys_clip_rows(const IntPhysReport& report) {
  Rows rows{{"block", "set", "scenario", "clip", "possible", "scorer"}};
  for (const Plausibility kind : plausibilities()) rows.front().emplace_back(name(kind));
  for (const ScoredIntPhys& set : report.run.sets)
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t s = 0; s < report.run.scorers.size(); ++s) {
        rows.push_back({name(set.block), set.name, set.scenario ? name(*set.scenario) : "",
                        std::to_string(k + 1),
                        !set.possible        ? ""
                        : (*set.possible)[k] ? "1"
                                             : "0",
                        report.run.scorers[s]});
        for (const Plausibility kind : plausibilities())
          rows.back().push_back(shortest(plausibility(set.scorers[s][k], kind)));
      }
  return rows;
}

std::string intphys_json(const IntPhysReport& report) {
  Json json;
  json["format"] = "startle-intphys";
  json["version"] = 1;
  json["program"] = report.version;
  json["command"] = report.command;
  json["seed"] = report.metrics.seed;
  json["generated"] = report.generated;
  json["frames"] = report.format.frames;
  json["pixels"] = report.format.pixels;
  json["plausibility"] = name(report.plausibility);
  json["tie_tolerance"] = report.metrics.tie_tolerance;
  json["complete"] = report.complete;
  json["scorers"] = report.run.scorers;
  json["models"] = report.models;
  json["model_hashes"] = report.model_hashes;
  json["cells"] = Json::array();
  for (const IntPhysRow& row : report.tables.rows)
    json["cells"].push_back(
        {{"block", name(row.cell.block)},
         {"visibility", row.cell.occluded ? Json(visibility(*row.cell.occluded)) : Json()},
         {"motion", row.cell.motion ? Json(motion_name(row.cell.motion)) : Json()},
         {"objects", row.cell.objects ? Json(*row.cell.objects) : Json()},
         {"scorer", report.run.scorers[row.scorer]},
         {"plausibility", name(row.plausibility)},
         {"sets", row.sets},
         {"ties", row.ties},
         {"relative_error", json_of(row.relative)},
         {"absolute_error", json_of(row.absolute)}});
  json["sets"] = Json::array();
  for (const ScoredIntPhys& set : report.run.sets) {
    Json entry = {{"block", name(set.block)},
                  {"set", set.name},
                  {"scenario", set.scenario ? Json(name(*set.scenario)) : Json()},
                  {"possible", set.possible ? Json(*set.possible) : Json()}};
    for (std::size_t s = 0; s < report.run.scorers.size(); ++s)
      for (const Plausibility kind : plausibilities()) {
        Json values = Json::array();
        for (const FrameErrors& errors : set.scorers[s]) values.push_back(plausibility(errors, kind));
        entry["scorers"][report.run.scorers[s]][name(kind)] = values;
      }
    json["sets"].push_back(entry);
  }
  return json.dump(1) + "\n";
}

std::string intphys_text(const IntPhysReport& report) {
  return std::to_string(report.run.sets.size()) + " sets of four clips. Error rates by the " +
         name(report.plausibility) +
         " over frames; guessing gives 0.5.\n\nL_R, relative: possible clips less plausible than impossible "
         "ones of their set\n\n" +
         aligned(block_table(report, report.plausibility, true, false)) +
         "\nL_A, absolute: 1 - AUC over all clips\n\n" +
         aligned(block_table(report, report.plausibility, false, false)) +
         "\nRows \"other data\" were published on the original test set, in three dimensions: they say what "
         "was reached there.\n";
}

std::string intphys_report(const IntPhysReport& report) {
  std::string html = frame_strip_style;
  html += html_head("IntPhys: which clips are possible?",
                    "<p>Each set holds two possible and two impossible clips made of the very same frames. "
                    "L_R, the relative error rate, is the share of sets in which "
                    "the possible two are found less plausible than the impossible two, a tie counting half; "
                    "L_A, the absolute one, is 1 - AUC over all clips. Guessing gives 0.5, knowing 0. " +
                        std::to_string(report.run.sets.size()) + " sets, " +
                        (report.generated ? "generated" : "read from a folder") + ", clips of " +
                        std::to_string(report.format.frames) + " frames of " +
                        std::to_string(report.format.pixels) + " x " + std::to_string(report.format.pixels) +
                        " pixels.</p>\n",
                    report.complete ? "" : "sets");
  if (scenarios_known(report)) {
    for (const bool relative : {true, false})
      for (const IntPhysBlock block : intphys_blocks()) html += rates_chart(report, block, relative);
    html += "<p>Less is better; guessing gives 0.5.</p>\n";
  }
  const std::string by = std::string(name(report.plausibility)) + " over frames";
  html +=
      "<h2>L_R by the " + by + "</h2>\n" + html_table(block_table(report, report.plausibility, true, true)) +
      "<h2>L_A by the " + by + "</h2>\n" + html_table(block_table(report, report.plausibility, false, true)) +
      "<p>In brackets: 95 % interval, over sets. The rows \"other data\" were published on the original test "
      "set, of another engine and in three dimensions (CNN and GAN: [IntPhys]; V-JEPA: Garrido et al. 2025; "
      "people: two a clip): they say what was reached there, not what these models would be compared with "
      "here. Published CNN and GAN are by the minimum over frames.</p>\n";
  html += "<h2>More</h2>\n" +
          html_details("Sum, mean and minimum over frames",
                       "<p>The plausibility of a frame is minus its error. Which of the three to use is a "
                       "choice to make before the test, on dev sets: all are shown, and the tables by "
                       "scenario are by the " +
                           std::string(name(report.plausibility)) +
                           ". Of clips of one length sum and mean give the same rates.</p>\n" +
                           html_table(plausibility_table(report)) +
                           "<p>By the minimum over frames, beside published ones:</p>\n<h3>L_R</h3>\n" +
                           html_table(block_table(report, Plausibility::minimum, true, true)) +
                           "<h3>L_A</h3>\n" +
                           html_table(block_table(report, Plausibility::minimum, false, true))) +
          html_details("By scenario", scenarios_html(report));
  std::string examples = "<p>Frames from left to right, and the errors by frame.</p>\n";
  for (const IntPhysExample& example : report.examples) examples += example_html(report, example);
  html += html_details("Examples", examples);
  html += html_origin(
      report.command, report.version,
      "seed " + std::to_string(report.metrics.seed) + ", ties of L_R within " +
          shortest(report.metrics.tie_tolerance) +
          " of the sum of both pairs' plausibilities. Beside this file: <code>results.json</code> with "
          "everything, <code>cells.csv</code> with the tables, <code>clips.csv</code> "
          "with the plausibility of each clip, and in <code>answers</code> a submission file for each "
          "scorer.");
  return html_page("Startle: IntPhys", html);
}

}  // namespace startle
