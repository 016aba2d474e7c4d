#include "app/reports/surprise/detection_report.hpp"

#include <algorithm>

#include "app/reports/estimates.hpp"
#include "app/reports/html.hpp"
#include "app/reports/tiers.hpp"
#include "core/text.hpp"
#include "render/svg.hpp"

namespace startle {
namespace {

const std::vector<std::optional<Tier>> tier_columns{Tier::easy, Tier::medium, Tier::hard, std::nullopt};

/// What NovPhy's best published detector has: share of trials detected, false alarms, delay in tasks
/// (recomputed from its published rows).
constexpr const char* novphy =
    "NovPhy's best published detector (a moving average of the score, DataLab) raises an alarm rightly in "
    "44.8 % of its "
    "trials, 7.5 tasks after the change, and 55.2 % before it.";

std::string novelty_label(const std::string& novelty) { return novelty.empty() ? "all" : novelty; }
std::string tier_name(const std::optional<Tier>& tier) { return tier ? name(*tier) : "all"; }

std::vector<std::string> novelties_of(const DetectionTables& tables) {
  std::vector<std::string> names;
  for (const VisibleRow& row : tables.visible)
    if (!row.of.tier) names.push_back(row.of.novelty);
  return names;
}

/// One row a novelty, one column a detector, over all tiers; `row` gives what stands in them.
template <typename Table>
Rows by_detector(const Evaluation& e, const DetectionTables& tables, const Table& cell) {
  Rows rows{{"novelty"}};
  rows.front().insert(rows.front().end(), e.detectors.begin(), e.detectors.end());
  for (const std::string& novelty : novelties_of(tables)) {
    rows.push_back({novelty_label(novelty)});
    for (std::size_t j = 0; j < e.detectors.size(); ++j) rows.back().push_back(cell(novelty, j));
  }
  return rows;
}

Rows paired_table(const Evaluation& e, const DetectionTables& tables, bool full) {
  Rows rows = by_detector(e, tables, [&](const std::string& novelty, std::size_t j) {
    const Estimate& accuracy = tables.shot(novelty, {}, j).paired_accuracy;
    return full ? with_interval(accuracy) : number(accuracy.value);
  });
  rows.front().insert(rows.front().begin() + 1, "visible, at most");
  const std::vector<std::string> novelties = novelties_of(tables);
  for (std::size_t i = 0; i < novelties.size(); ++i) {
    const VisibleRow& visible = tables.visible_of(novelties[i], {});
    rows[i + 1].insert(rows[i + 1].begin() + 1,
                       full ? with_interval(visible.best_accuracy) : number(visible.best_accuracy.value));
  }
  return rows;
}

/// One row a detector: what it detects by tier, and its false alarms.
Rows detected_table(const Evaluation& e, const DetectionTables& tables, const std::string& novelty) {
  Rows rows{{"detector", "easy", "medium", "hard", "all", "false alarms", "p of the trend"}};
  for (std::size_t j = 0; j < e.detectors.size(); ++j) {
    rows.push_back({e.detectors[j]});
    for (const auto& tier : tier_columns)
      rows.back().push_back(with_interval(tables.shot(novelty, tier, j).detected));
    rows.back().push_back(with_interval(tables.shot(novelty, {}, j).false_alarms));
    rows.back().push_back(has_p_values(e, j) ? p_value(tables.trend(novelty, e.detectors[j]).p_holm) : "-");
  }
  return rows;
}

Rows trial_table(const Evaluation& e, const DetectionTables& tables, const std::string& novelty) {
  Rows rows{{"detector", "easy", "medium", "hard", "all", "false alarms", "levels until the alarm",
             "median p of a trial"}};
  const auto beside_null = [](const std::string& text, const std::optional<double>& null) {
    return null ? text + "; null " + number(null) : text;
  };
  for (std::size_t j = 0; j < e.detectors.size(); ++j) {
    rows.push_back({e.detectors[j]});
    for (const auto& tier : tier_columns) {
      const TrialRow& row = tables.trial(novelty, tier, j);
      rows.back().push_back(beside_null(with_interval(row.detected), row.null.value));
    }
    const TrialRow& all = tables.trial(novelty, {}, j);
    rows.back().push_back(with_interval(all.false_alarms));
    rows.back().push_back(number(all.delay, 1));
    rows.back().push_back(beside_null(number(all.p), all.null_p));
  }
  return rows;
}

/// "stone down, less 12.5; wood along, more 3", the most frequent first.
std::string most_frequent(std::vector<StatisticRow> rows, const std::vector<std::string>& names,
                          double StatisticRow::*count) {
  constexpr std::size_t most = 3;
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const StatisticRow& a, const StatisticRow& b) { return a.*count > b.*count; });
  std::string text;
  for (std::size_t i = 0; i < std::min(most, rows.size()) && rows[i].*count > 0; ++i)
    text += (text.empty() ? "" : "; ") + names[rows[i].statistic] + " " + number(rows[i].*count, 1);
  return text.empty() ? "-" : text;
}

/// By what shots were detected: of each detector with several statistics those that were the least likely
/// most often, in novel shots and in normal ones.
Rows statistic_table(const Evaluation& e, const DetectionTables& tables, const std::string& novelty) {
  Rows rows{{"detector", "novel shots detected, by", "normal shots, by"}};
  for (std::size_t j = 0; j < e.detectors.size(); ++j) {
    const auto names = e.statistics.find(e.detectors[j]);
    if (names == e.statistics.end()) continue;
    std::vector<StatisticRow> of;
    for (const StatisticRow& row : tables.statistics)
      if (row.novelty == novelty && row.detector == j) of.push_back(row);
    rows.push_back({e.detectors[j], most_frequent(of, names->second, &StatisticRow::detected),
                    most_frequent(of, names->second, &StatisticRow::false_alarms)});
  }
  return rows;
}

/// What a detector detects in trials where there are any, and else in shots, over all novelties.
DetectionFinding finding_of(const Evaluation& e, const DetectionTables& tables, std::size_t detector,
                            bool of_trials) {
  DetectionFinding finding{.name = e.detectors[detector], .detected = {}, .false_alarms = {}};
  for (const Tier tier : tiers)
    finding.detected.push_back({name(tier), of_trials ? tables.trial("", tier, detector).detected
                                                      : tables.shot("", tier, detector).detected});
  finding.false_alarms = of_trials ? tables.trial("", {}, detector).false_alarms
                                   : tables.shot("", {}, detector).false_alarms;
  if (of_trials) finding.null = tables.trial("", {}, detector).null;
  return finding;
}

/// Ceilings, which the tables have: with them the chart would be wider than the page.
bool is_ceiling(const std::string& detector) {
  return detector.find(", exact speeds") != std::string::npos ||
         detector.find(" frames ahead") != std::string::npos;
}

std::string detected_chart(const Evaluation& e, const DetectionTables& tables, bool of_trials) {
  std::vector<DetectionFinding> findings;
  for (std::size_t j = 0; j < e.detectors.size(); ++j)
    if (!is_ceiling(e.detectors[j])) findings.push_back(finding_of(e, tables, j, of_trials));
  return detection_chart(findings,
                         of_trials ? "Trials in which the novelty was detected, by detector and tier"
                                   : "Shots detected at p of 0.05 at most, by detector and tier",
                         of_trials ? "share of trials" : "share of shots");
}

std::string trial_words() {
  const std::string levels = std::to_string(trial_levels);
  return "A trial is " + levels + " normal levels of any kind and then up to " + levels +
         " novel ones of one novelty and tier, each with all its shots, no level twice. Evidence is added up "
         "over shots; the threshold is the one that 2 % of trials of " +
         std::to_string(2 * trial_levels) +
         " normal levels pass. Null: the same trials with the normal twins of the novel levels. p of a "
         "trial: the rank of its largest evidence among such trials of normal levels.";
}

std::string by_what_html(const Evaluation& e, const DetectionTables& tables, const std::string& novelty) {
  if (e.statistics.empty()) return "";
  return "<p>By what: in how many of the detected shots which statistic was the least likely; one that "
         "several share counts in part for each.</p>\n" +
         html_table(statistic_table(e, tables, novelty));
}

std::string of_novelty(const std::string& novelty, const std::string& table) {
  return novelty.empty() ? "<h4>All novelties</h4>\n" + table : html_details(novelty, table);
}

}  // namespace

std::string too_few_clips(const Evaluation& e) {
  if (!e.ranked || e.ranked->first >= e.detectors.size() || has_p_values(e, e.ranked->first)) return "";
  return "Detectors that rank clips have no p-values here: there are " +
         std::to_string(e.ranked->normal_clips[0]) + " and " + std::to_string(e.ranked->normal_clips[1]) +
         " normal clips in the two halves of the levels, and each half needs " +
         std::to_string(least_normal_shots) + ". More levels (a larger --limit) give more clips.";
}

Rows detection_rows(const Evaluation& e, const DetectionTables& tables) {
  Rows rows{{"novelty", "tier", "detector", "levels", "twins"}};
  for (const char* metric : {"paired_accuracy", "detected", "false_alarms", "visible", "detected_trials",
                             "null_trials", "false_alarm_trials"})
    for (const char* part : {"", "_low", "_high"}) rows.front().push_back(std::string(metric) + part);
  for (const char* column : {"delay_levels", "p_trial", "null_p_trial"}) rows.front().emplace_back(column);
  for (const DetectionRow& row : tables.shots) {
    rows.push_back({novelty_label(row.of.novelty), tier_name(row.of.tier), e.detectors[row.detector],
                    std::to_string(row.levels), std::to_string(row.twins)});
    for (const Estimate* estimate : {&row.paired_accuracy, &row.detected, &row.false_alarms,
                                     &tables.visible_of(row.of.novelty, row.of.tier).share})
      add_estimate(rows.back(), *estimate);
    const TrialRow none,
        &trial = tables.trials.empty() ? none : tables.trial(row.of.novelty, row.of.tier, row.detector);
    for (const Estimate* estimate : {&trial.detected, &trial.null, &trial.false_alarms})
      add_estimate(rows.back(), *estimate);
    for (const std::optional<double>& value : {trial.delay, trial.p, trial.null_p})
      rows.back().push_back(text_of(value));
  }
  return rows;
}

nlohmann::ordered_json detection_json(const Evaluation& e, const DetectionTables& tables) {
  using Json = nlohmann::ordered_json;
  Json json{{"detectors", e.detectors}, {"detection_p", detection_p}, {"shots", Json::array()},
            {"visible", Json::array()}, {"trends", Json::array()},    {"trials", Json::array()}};
  json["normal_clips"] = e.ranked ? Json(e.ranked->normal_clips) : Json();
  json["least_normal_clips"] = least_normal_shots;
  const auto selection = [](const Selection& of) {
    return Json{{"novelty", of.novelty.empty() ? Json() : Json(of.novelty)},
                {"tier", of.tier ? Json(name(*of.tier)) : Json()}};
  };
  for (const DetectionRow& row : tables.shots) {
    Json cell = selection(row.of);
    cell.update({{"detector", e.detectors[row.detector]},
                 {"levels", row.levels},
                 {"twins", row.twins},
                 {"paired_accuracy", json_of(row.paired_accuracy)},
                 {"detected", json_of(row.detected)},
                 {"false_alarms", json_of(row.false_alarms)}});
    json["shots"].push_back(cell);
  }
  for (const VisibleRow& row : tables.visible) {
    Json cell = selection(row.of);
    cell.update({{"share", json_of(row.share)}, {"best_accuracy", json_of(row.best_accuracy)}});
    json["visible"].push_back(cell);
  }
  for (const TrendRow& row : tables.trends) {
    const auto detector = std::find(e.detectors.begin(), e.detectors.end(), row.of) - e.detectors.begin();
    const bool has = has_p_values(e, static_cast<std::size_t>(detector));
    json["trends"].push_back({{"novelty", row.novelty.empty() ? Json() : Json(row.novelty)},
                              {"detector", row.of},
                              {"levels", row.levels},
                              {"z", has ? Json(row.z) : Json()},
                              {"p", has ? Json(row.p) : Json()},
                              {"p_holm", has ? Json(row.p_holm) : Json()}});
  }
  for (const TrialRow& row : tables.trials) {
    Json cell = selection(row.of);
    cell.update({{"detector", e.detectors[row.detector]},
                 {"levels", row.levels},
                 {"detected", json_of(row.detected)},
                 {"null", json_of(row.null)},
                 {"false_alarms", json_of(row.false_alarms)},
                 {"delay_levels", row.delay ? Json(*row.delay) : Json()},
                 {"p", row.p ? Json(*row.p) : Json()},
                 {"null_p", row.null_p ? Json(*row.null_p) : Json()}});
    json["trials"].push_back(cell);
  }
  json["statistics"] = Json::array();
  for (const StatisticRow& row : tables.statistics)
    json["statistics"].push_back({{"novelty", row.novelty.empty() ? Json() : Json(row.novelty)},
                                  {"detector", e.detectors[row.detector]},
                                  {"statistic", e.statistics.at(e.detectors[row.detector])[row.statistic]},
                                  {"detected", row.detected},
                                  {"false_alarms", row.false_alarms}});
  return json;
}

std::string detection_text(const Evaluation& e, const DetectionTables& tables) {
  const std::string missing = too_few_clips(e);
  std::string text = "Paired accuracy by p-values, all tiers; pairs that differ visibly, and detectors:\n\n" +
                     aligned(paired_table(e, tables, false)) +
                     "\nShots detected, p at most 0.05, all novelties:\n\n" +
                     aligned(detected_table(e, tables, "")) + (missing.empty() ? "" : "\n" + missing + "\n");
  if (tables.trials.empty()) return text;
  text += "\n" + trial_words() + "\nTrials detected, all tiers:\n\n" +
          aligned(by_detector(e, tables,
                              [&](const std::string& novelty, std::size_t j) {
                                return number(tables.trial(novelty, {}, j).detected.value);
                              })) +
          "\nBy tier, all novelties:\n\n" + aligned(trial_table(e, tables, "")) + "\n" + novphy + "\n";
  return text;
}

std::string detection_finding(const Evaluation& e, const DetectionTables& tables, std::size_t detector,
                              const std::string& name) {
  const bool of_trials = !tables.trials.empty();
  return detection_words(finding_of(e, tables, detector, of_trials), name, of_trials ? "trials" : "shots");
}

std::string detection_opening(const Evaluation& e, const DetectionTables& tables,
                              const std::string& sentence) {
  return e.detectors.empty() ? "" : html_finding(sentence, detected_chart(e, tables, !tables.trials.empty()));
}

std::string detection_html(const Evaluation& e, const DetectionTables& tables) {
  const std::string missing = too_few_clips(e);
  std::string html =
      "<p>How likely is the shot in the normal world? <em>dynamics</em>: "
      "dynamics model of the normal world, from exact places; <em>dynamics-video</em>: from places that a "
      "tracker reads off pictures. "
      "<em>observer</em>: simulates the normal world exactly, sees up "
      "to a pixel and knows the launch up to its noise; <em>observer, clip</em>: through the clip alone. "
      "<em>calibrated</em>: the sum of squared errors over the change of the clip, ranked among normal clips "
      "in which as much changes, two-sided (of a copy of the last frame that is constant: it says nothing); "
      "losses and scores of other programs are ranked as they are, one-sided. "
      "<em>direction test</em>: how far lower, farther ahead or behind the moving regions of each material's "
      "colour are than predicted, and how much of the colour is seen, each ranked both ways among normal "
      "clips that tell as much. "
      "Visible: a body in view is elsewhere by 0.1 units or rad for three steps.</p>\n" +
      (missing.empty() ? "" : "<p>" + xml_escaped(missing) + "</p>\n") +
      (tables.trials.empty() ? "" : "<div class=\"wide\">" + detected_chart(e, tables, false) + "</div>\n") +
      "<h3>Paired accuracy</h3>\n" + html_table(paired_table(e, tables, true)) +
      "<h3>Shots detected at p of 0.05 at most</h3>\n";
  for (const std::string& novelty : novelties_of(tables))
    html += of_novelty(novelty,
                       html_table(detected_table(e, tables, novelty)) + by_what_html(e, tables, novelty));
  if (tables.trials.empty()) return html;
  html += "<h3>Trials</h3>\n<p>" + trial_words() +
          " Intervals: Wilson's, for as many independent trials as the levels make at least; a novelty and "
          "tier of 10 levels or fewer makes one. " +
          novphy + "</p>\n";
  for (const std::string& novelty : novelties_of(tables))
    html += of_novelty(novelty, html_table(trial_table(e, tables, novelty)));
  return html;
}

}  // namespace startle
