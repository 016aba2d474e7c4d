#include "app/reports/study_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/reports/estimates.hpp"
#include "app/reports/html.hpp"
#include "app/reports/marks.hpp"
#include "app/reports/tiers.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "difficulty/impact_score.hpp"
#include "render/plot_svg.hpp"
#include "statistics/intervals.hpp"
#include "statistics/rank_correlation.hpp"

namespace startle {
namespace {

std::string plural(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string badge(Third third) {
  return std::string("<span class=\"tier\" style=\"background:") + colour_of(name(third)) +
         (third == Third::high ? "" : ";color:#111") + "\">" + name(third) + "</span>";
}

struct Means {
  std::size_t count = 0;
  double pid = 0, bid = 0, value = 0;
  double detected = 0;  ///< predicted, of best first shots
};

/// By which method.
using OfMethod = LevelResult StudiedLevel::*;

/// Of the levels in a third; not a number where it has none.
Means means_of(const NoveltyStudy& study, Third third, OfMethod method = &StudiedLevel::result) {
  Means means;
  for (const StudiedLevel& level : study.levels) {
    const LevelResult& result = level.*method;
    if (result.third != third) continue;
    ++means.count;
    means.pid += result.pid;
    means.bid += result.bid;
    means.value += result.value;
    means.detected += level.extended.detection.value_or(PredictedDetection{}).best;
  }
  const double n = means.count > 0 ? static_cast<double>(means.count)
                                   : std::numeric_limits<double>::quiet_NaN();
  means.pid /= n;
  means.bid /= n;
  means.value /= n;
  means.detected /= n;
  return means;
}

std::string mean_text(double value) { return std::isfinite(value) ? fixed(value, 3) : "-"; }

/// Spearman's coefficient of the published and the extended value; not a number where one of them is
/// constant.
double agreement_of_methods(const NoveltyStudy& study) {
  std::vector<double> published, extended;
  for (const StudiedLevel& level : study.levels) {
    published.push_back(level.result.value);
    extended.push_back(level.extended.value);
  }
  return spearman(published, extended).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::size_t undetectable(const NoveltyStudy& study) {
  return static_cast<std::size_t>(
      std::count_if(study.levels.begin(), study.levels.end(),
                    [](const StudiedLevel& level) { return level.result.value == 1; }));
}

std::size_t undetected(const NoveltyStudy& study) {
  return static_cast<std::size_t>(
      std::count_if(study.levels.begin(), study.levels.end(),
                    [](const StudiedLevel& level) { return !level.result.detected_at; }));
}

/// Thirds by the published method, and how often the extended one agrees.
std::string finding_of(const Study& study) {
  std::array<std::size_t, thirds.size()> counts{};
  std::vector<std::string> novelties;
  Rate same;
  for (const NoveltyStudy& of : study.novelties) {
    novelties.push_back(of.novelty->name);
    for (const StudiedLevel& level : of.levels) {
      ++counts.at(static_cast<std::size_t>(level.result.third.value()));
      ++same.count;
      same.hits += level.result.third == level.extended.third;
    }
  }
  if (same.count == 0) return "The study has no levels.";
  std::vector<std::string> parts;
  for (const Third third : thirds)
    parts.push_back(std::to_string(counts.at(static_cast<std::size_t>(third))) + " " + name(third));
  const auto percent = [](double share) { return fixed(100 * share, 0); };
  return "Of " + plural(same.count, "level") + " for " + list_of(novelties) + " the published method puts " +
         list_of(parts) + " into their thirds" + "; the extended method agrees on " + percent(*same.value()) +
         " % (95 % interval " + percent(same.interval().low) + " to " + percent(same.interval().high) + ").";
}

/// Mean PID and BID by third and method over all novelties, with intervals over levels.
std::string method_chart(const Study& study) {
  constexpr std::uint64_t resampling_seed = 1;
  BarChart chart{.frame = {.title = "Difficulty by third and method: means over all levels",
                           .x_label = "",
                           .y_label = "mean",
                           .width = 520,
                           .height = 290},
                 .y_high = 1.12};
  for (const Third third : thirds) chart.categories.emplace_back(name(third));
  struct Column {
    const char *name, *colour;
    OfMethod method;
    double LevelResult::*field;
  };
  for (const Column& column :
       {Column{"PID, published", "#0072B2", &StudiedLevel::result, &LevelResult::pid},
        Column{"BID, published", "#D55E00", &StudiedLevel::result, &LevelResult::bid},
        Column{"PID, extended", "#9CC9E6", &StudiedLevel::extended, &LevelResult::pid},
        Column{"BID, extended", "#F2B48A", &StudiedLevel::extended, &LevelResult::bid}}) {
    ValueSeries series{.name = column.name, .colour = column.colour, .values = {}};
    for (const Third third : thirds) {
      std::vector<double> values;
      for (const NoveltyStudy& of : study.novelties)
        for (const StudiedLevel& level : of.levels)
          if (const LevelResult& result = level.*column.method; result.third == third)
            values.push_back(result.*column.field);
      const Estimate estimate = mean_estimate(values, resampling_seed);
      const double mean = estimate.value.value_or(std::numeric_limits<double>::quiet_NaN());
      series.values.push_back(mean);
      if (estimate.interval)
        series.ranges.push_back(ValueRange{estimate.interval->low, estimate.interval->high});
      else
        series.ranges.push_back(estimate.value ? ValueRange{mean, mean} : ValueRange{});
    }
    chart.series.push_back(std::move(series));
  }
  return plot_svg(chart);
}

std::string summary_table(const Study& study) {
  std::string html =
      "<div class=\"wide\"><table><tr><th>novelty</th><th>what is changed</th><th class=\"n\">levels</th><th "
      "class=\"n\">low "
      "below</th>"
      "<th class=\"n\">high above</th><th class=\"n\">low</th><th class=\"n\">middle</th><th "
      "class=\"n\">high</th>"
      "<th class=\"n\">value 1</th><th class=\"n\">never visible</th></tr>\n";
  for (const NoveltyStudy& s : study.novelties) {
    html += "<tr><td><a href=\"#" + s.novelty->name + "\">" + s.novelty->name + "</a></td><td>" +
            xml_escaped(s.novelty->description) + "</td><td class=\"n\">" + std::to_string(s.levels.size()) +
            "</td><td class=\"n\">" + fixed(s.thresholds.low, 4) + "</td><td class=\"n\">" +
            fixed(s.thresholds.high, 4) + "</td>";
    for (Third third : thirds)
      html += "<td class=\"n\">" + std::to_string(means_of(s, third).count) + "</td>";
    html += "<td class=\"n\">" + std::to_string(undetectable(s)) + "</td>";
    html += "<td class=\"n\">" + std::to_string(undetected(s)) + "</td></tr>\n";
  }
  return html + "</table></div>\n";
}

std::string thirds_table(const NoveltyStudy& study) {
  std::string html =
      "<div class=\"wide\"><table><tr><th>method</th><th>third</th><th class=\"n\">levels</th><th "
      "class=\"n\">mean PID</th>"
      "<th class=\"n\">mean BID</th><th class=\"n\">mean value</th>"
      "<th class=\"n\">mean predicted detection</th></tr>\n";
  for (const auto& [method, of_method] :
       {std::pair("published", &StudiedLevel::result), std::pair("extended", &StudiedLevel::extended)})
    for (Third third : thirds) {
      const Means means = means_of(study, third, of_method);
      html += std::string("<tr><td>") + method + "</td><td>" + badge(third) + "</td><td class=\"n\">" +
              std::to_string(means.count) + "</td><td class=\"n\">" + mean_text(means.pid) +
              "</td><td class=\"n\">" + mean_text(means.bid) + "</td><td class=\"n\">" +
              mean_text(means.value) + "</td><td class=\"n\">" + mean_text(means.detected) + "</td></tr>\n";
    }
  return html + "</table></div>\n<p>Spearman's rho of the two methods' values: " +
         mean_text(agreement_of_methods(study)) + " over " + plural(study.levels.size(), "level") +
         ". Pictures and thirds below are of the published method.</p>\n";
}

std::string plots(const NoveltyStudy& study) {
  const auto by_third = [&](double LevelResult::*field) {
    std::vector<ValueSeries> series;
    for (Third third : thirds) {
      series.push_back({name(third), colour_of(name(third)), {}});
      for (const StudiedLevel& level : study.levels)
        if (level.result.third == third) series.back().values.push_back(level.result.*field);
    }
    return series;
  };
  std::string html = "<div class=\"plots\">\n";
  html += plot_svg(Histogram{.frame = {.title = "PID", .x_label = "PID", .y_label = "levels"},
                             .series = by_third(&LevelResult::pid)});
  html += plot_svg(Histogram{.frame = {.title = "BID", .x_label = "BID", .y_label = "levels"},
                             .series = by_third(&LevelResult::bid)});
  html += plot_svg(Histogram{
      .frame = {.title = "Value, with the thresholds of the thirds", .x_label = "value", .y_label = "levels"},
      .series = by_third(&LevelResult::value),
      .lines = {{study.thresholds.low, "33 %"}, {study.thresholds.high, "67 %"}}});
  ScatterPlot scatter{.frame = {.title = "PID and BID of each level", .x_label = "PID", .y_label = "BID"}};
  for (Third third : thirds) {
    scatter.series.push_back({name(third), colour_of(name(third)), {}});
    for (const StudiedLevel& level : study.levels)
      if (level.result.third == third)
        scatter.series.back().points.push_back({level.result.pid, level.result.bid});
  }
  html += plot_svg(scatter);
  BarChart bars{.frame = {.title = "Mean by third", .x_label = "", .y_label = "mean"}, .y_high = 1.1};
  bars.series = {{"PID", palette[0], {}}, {"BID", palette[5], {}}, {"value", palette[2], {}}};
  for (Third third : thirds) {
    const Means means = means_of(study, third);
    bars.categories.push_back(name(third));
    bars.series[0].values.push_back(means.pid);
    bars.series[1].values.push_back(means.bid);
    bars.series[2].values.push_back(means.value);
  }
  return html + plot_svg(bars) + "</div>\n";
}

std::string caption(const StudiedLevel& level) {
  const Difficulty& d = level.difficulty;
  std::string html = badge(level.result.third.value()) + " <strong>" + xml_escaped(level.level.name) +
                     "</strong>: PID " + fixed(d.pid, 3) + ", BID " + fixed(d.bid, 3) + ", value " +
                     fixed(d.value, 3) + ". " + plural(d.birds, "bird") + ", " +
                     plural(level.result.objects, "object") + ", " + std::to_string(d.novel_objects) +
                     " of them novel. ";
  if (d.interactions.empty()) return html;
  const Interaction& first = d.interactions.front();
  html += "Of " + plural(static_cast<std::size_t>(first.counts.targets), "target") + ", " +
          std::to_string(first.counts.detectable) + (first.counts.detectable == 1 ? " makes" : " make") +
          " the novelty visible. ";
  if (first.best) {
    const TargetOutcome& best = first.targets[*first.best];
    const std::size_t ties = first.best_targets().size();
    if (ties > 1) {
      html += "Best targets: " + std::to_string(ties) +
              " tie; the next shot makes the novelty visible with probability " +
              fixed(first.best_detectable(), 2) + ". ";
    } else {
      html += "Best target: #" + std::to_string(best.target.object) + " " +
              xml_escaped(appearance(level.scene.objects[best.target.object])) + ", which moves " +
              plural(best.hits.front().impacted.size(), "object") + " and makes the novelty visible in " +
              (best.hits.front().detectable.empty() ? "none"
                                                    : std::to_string(best.hits.front().detectable.size())) +
              ". ";
    }
  }
  return html + (d.detected_at() ? "The best shots that make it visible are number " +
                                       fixed(*d.detected_at(), 2) + " on average."
                                 : "The best shots never make it visible.");
}

/// The level in the middle of a third by value.
std::string example(const NoveltyStudy& study, Third third) {
  std::vector<const StudiedLevel*> levels;
  for (const StudiedLevel& level : study.levels)
    if (level.result.third == third) levels.push_back(&level);
  if (levels.empty()) return std::string("<p>") + badge(third) + " No level is in this third.</p>\n";
  std::stable_sort(levels.begin(), levels.end(), [](const StudiedLevel* a, const StudiedLevel* b) {
    return a->result.value < b->result.value;
  });
  const StudiedLevel& level = *levels[levels.size() / 2];
  SceneSvgOptions options;
  options.title = level.level.name;
  options.marks = marks_of(level.difficulty);
  options.marks.numbers = true;
  return "<figure>\n" + scene_svg(level.scene, options) + "<figcaption>" + caption(level) +
         "</figcaption></figure>\n";
}

std::string legend() {
  const std::string size = "width=\"" + std::to_string(legend_sample_width) + "\" height=\"" +
                           std::to_string(legend_sample_height) + "\"";
  std::string html = "<div class=\"legend\">";
  for (const MarkMeaning& entry : mark_legend(true))
    html += "<span><svg xmlns=\"http://www.w3.org/2000/svg\" " + size + ">" + entry.sample + "</svg>" +
            xml_escaped(entry.meaning) + "</span>";
  return html + "</div>\n";
}

std::string all_levels(const NoveltyStudy& study) {
  std::vector<LevelResult> results;
  for (const StudiedLevel& level : study.levels) results.push_back(level.result);
  const auto rows = result_rows(results, 4, {.third = true});
  std::string html = "<details><summary>All " + plural(study.levels.size(), "level") +
                     "</summary>\n<div class=\"wide\"><table>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    html += "<tr>";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string tag = r == 0 ? "th" : "td",
                        cell = c >= 2 && c != 5 && c != 6 ? tag + " class=\"n\"" : tag;
      html += "<" + cell + ">" + xml_escaped(rows[r][c]) + "</" + tag + ">";
    }
    html += "</tr>\n";
  }
  return html + "</table></div></details>\n";
}

/// What the values rest on, and what to type to test them.
constexpr const char* validity =
    "<h2 id=\"validity\">How true is this?</h2>\n<p>All of the above is reasoning on the initial state: "
    "no shot in a novel world was simulated. <code>startle validate --count 100 --novelty "
    "T1,T2,T3 --seed 103 --out validation</code> simulates every shot in the normal and in the novel world, "
    "and compares each step of the reasoning with what happened, by both methods, with drawings of the worst "
    "disagreements (docs/results.md).\n<code>startle observe FOLDER --plays 16 --out played.html</code> "
    "measures how often plays detect easy, medium and hard novelties.</p>\n";

constexpr const char* terms = R"(<dl>
<dt>Novelty</dt><dd>Some objects look as ever, but one of their physical parameters is changed. Only a movement that depends on that parameter can reveal it.</dd>
<dt>Target</dt><dd>An object that the bird can reach without meeting another one first. N is the number of targets before a shot.</dd>
<dt>Impacted</dt><dd>Objects that a hit on a target moves, found by qualitative reasoning on support, falling and sliding: nothing is simulated.</dd>
<dt>Detectable</dt><dd>A novel object that is impacted and moves in a way that makes the changed parameter visible. n is the number of targets whose hit moves some novel object detectably.</dd>
<dt>PID, probabilistic interaction difficulty</dt><dd>For each bird, M = (N - n)/N is the chance that a shot at a random target makes nothing visible; PID is the sum of M up to the first M below 1, over the number of birds. 0 is easiest, 1 hardest.</dd>
<dt>BID, best-shot interaction difficulty</dt><dd>Always shooting at the target that moves most kinds of object, the number of shots in vain before the novelty is visible, over the number of birds; 1 when it never is.</dd>
<dt>Value</dt><dd>alpha PID + (1 - alpha) BID with alpha = 0.5.</dd>
<dt>Third</dt><dd>Of the levels of a novelty, those of value 1 counted: low below the 33.33rd percentile of the values, high above the 66.67th, middle between, both ends included. Pinto et al. call them easy, medium and hard. Equal values share a third, so thirds differ in size.</dd>
</dl>
)";

}  // namespace

std::string study_report(const Study& study) {
  std::string html = html_head(
      "Difficulty of novelty detection",
      html_finding(finding_of(study), method_chart(study)) +
          "<p>The third of a level is that of its value, a mean of PID and BID, within its novelty. "
          "Whiskers: intervals at 95 % by bootstrap over levels.</p>\n"
          "<p>How hard is it to detect that a world has changed? Levels were made for three "
          "novelties, and for each level the difficulty of detecting the novelty was computed from its "
          "initial "
          "state, after the set-up of "
          "Pinto et al., <em>The difficulty of novelty detection in open-world physical domains</em>, "
          "section "
          "5.1.</p>\n");
  html += summary_table(study);
  html +=
      "<p><em>Never visible</em>: levels in which the best shots do not make the novelty visible with the "
      "birds there "
      "are (BID = 1). <em>Value 1</em>: no target can make it visible; of each hundred levels at most "
      "thirty.</p>\n";
  html += "<h2>Terms</h2>\n" + std::string(terms);
  for (const NoveltyStudy& s : study.novelties) {
    html += "<h2 id=\"" + s.novelty->name + "\">" + s.novelty->name + ": " +
            xml_escaped(s.novelty->description) + "</h2>\n";
    html += thirds_table(s) + plots(s);
    html += "<h3>Examples: the middle level of each third, before the first shot</h3>\n" + legend();
    for (Third third : thirds) html += example(s, third);
    html += all_levels(s);
  }
  html += validity;
  html += html_origin(study.command, study.version,
                      "profile " + xml_escaped(study.profile) + ", seed " + std::to_string(study.seed) +
                          ", alpha " + shortest(study.alpha) +
                          ", state update by reasoning, level-set hash <code>" +
                          hexadecimal(study.level_set_hash) +
                          "</code>. The same command gives the same bytes. The levels stand in "
                          "<code>levels/</code> beside this file, the values in "
                          "<code>results.csv</code> and <code>results.json</code>, thresholds included.");
  return html_page("Startle: difficulty of novelty detection", html);
}

}  // namespace startle
