#include "app/reports/surprise/probe_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/reports/estimates.hpp"
#include "app/reports/html.hpp"
#include "app/reports/surprise/probe_pictures.hpp"
#include "app/reports/surprise/uniformity_plot.hpp"
#include "app/reports/table.hpp"
#include "core/text.hpp"
#include "render/svg.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;
using Concept = std::optional<ProbeConcept>;

std::string named(const Concept& kind) { return kind ? name(*kind) : "overall"; }
std::vector<Concept> columns() {
  std::vector<Concept> all(probe_concepts().begin(), probe_concepts().end());
  all.emplace_back();
  return all;
}

const TwinMetrics& metrics(const ProbeReport& report, const Concept& kind, std::size_t predictor,
                           ClipScore score = ClipScore::sum) {
  return report.tables.row(kind, predictor, score).metrics;
}

Rows head(const std::vector<std::string>& first) {
  Rows rows{first};
  for (const Concept& kind : columns()) rows.front().push_back(named(kind));
  return rows;
}

/// The predictor's name, and of a control that it is one and how many tuples it was shown where these are not
/// all.
std::string labelled(const ProbeReport& report, std::size_t predictor) {
  const std::size_t tuples = metrics(report, {}, predictor).twins;
  const auto calibrated = report.calibrated.find(predictor);
  const std::size_t of = calibrated == report.calibrated.end() ? predictor : calibrated->second;
  return report.run.predictors[predictor] + (of < report.models ? ""
                                             : tuples == report.run.tuples.size()
                                                 ? " (control)"
                                                 : " (control, " + std::to_string(tuples) + " tuples)");
}

/// Accuracy by the sum, published figures below.
Rows accuracy_table(const ProbeReport& report, bool intervals) {
  Rows rows = head({"predictor"});
  for (std::size_t p = 0; p < report.run.predictors.size(); ++p) {
    rows.push_back({labelled(report, p)});
    for (const Concept& kind : columns()) {
      const Estimate& e = metrics(report, kind, p).paired_accuracy;
      rows.back().push_back(intervals ? with_interval(e) : number(e.value));
    }
  }
  for (const PublishedProbes& published : published_probes()) {
    rows.push_back({published.name + ", other data"});
    for (const double accuracy : published.accuracy) rows.back().push_back(fixed(accuracy, 3));
  }
  return rows;
}

/// Relative surprise by the sum. Published figures are apart: their units are others.
Rows relative_table(const ProbeReport& report) {
  Rows rows = head({"predictor"});
  for (std::size_t p = 0; p < report.run.predictors.size(); ++p) {
    rows.push_back({labelled(report, p)});
    for (const Concept& kind : columns())
      rows.back().push_back(with_interval(metrics(report, kind, p).relative_surprise, 2));
  }
  for (const PublishedProbes& published : published_probes()) {
    if (!published.relative_surprise) continue;
    rows.push_back({published.name + ", other data and units"});
    for (const double surprise : *published.relative_surprise) rows.back().push_back(fixed(surprise, 1));
  }
  return rows;
}

Rows scores_table(const ProbeReport& report) {
  Rows rows = head({"predictor", "score"});
  for (std::size_t p = 0; p < report.run.predictors.size(); ++p)
    for (const ClipScore score : clip_scores()) {
      rows.push_back({labelled(report, p), name(score)});
      for (const Concept& kind : columns())
        rows.back().push_back(with_interval(metrics(report, kind, p, score).paired_accuracy));
    }
  return rows;
}

Rows metrics_table(const ProbeReport& report) {
  Rows rows{{"predictor", "concept", "tuples", "ties", "accuracy", "relative surprise", "effect size",
             "ROC AUC, clips", "PR AUC, clips"}};
  for (std::size_t p = 0; p < report.run.predictors.size(); ++p)
    for (const Concept& kind : columns()) {
      const TwinMetrics& m = metrics(report, kind, p);
      rows.push_back({report.run.predictors[p], named(kind), std::to_string(m.twins), std::to_string(m.ties),
                      with_interval(m.paired_accuracy), with_interval(m.relative_surprise, 2),
                      with_interval(m.effect_size, 2), with_interval(m.roc_auc), with_interval(m.pr_auc)});
    }
  return rows;
}

Rows few_shot_table(const ProbeReport& report) {
  Rows rows{
      {"predictor", "concept", "detector", "observations", "test tuples", "accuracy", "relative surprise"}};
  for (const ProbeFewShotRow& row : report.tables.few_shot)
    rows.push_back({report.run.predictors[row.predictor], named(row.kind), row.detector,
                    std::to_string(row.observations), std::to_string(row.tuples), with_interval(row.accuracy),
                    with_interval(row.relative_surprise, 5)});
  return rows;
}

Rows uniformity_table(const ProbeReport& report) {
  Rows rows{{"predictor", "observations", "largest distance of the distributions of r_k", "p"}};
  for (const auto& [predictor, test] : report.tables.uniformity)
    rows.push_back({report.run.predictors[predictor], std::to_string(test.observed.size()),
                    fixed(test.difference.statistic, 3), fixed(test.p, 3)});
  return rows;
}

std::string few_shot_html(const ProbeReport& report) {
  if (report.tables.few_shot.empty())
    return "<p>Left out: it takes a model with features, and so many tuples of each concept that a "
           "fifth of them has " +
           std::to_string(report.few_shot.k) + " impossible clips.</p>\n";
  std::string html =
      "<p>Few-shot detectors: a fifth of the tuples of each concept is known, their impossible clips being "
      "the observations; tested on the others. k-nearest is surprise_KNN, mean surprise a value - " +
      shortest(report.few_shot.gamma) + " r_k with k = " + std::to_string(report.few_shot.k) +
      "; plain surprise on the same tuples stands first.</p>\n" + html_table(few_shot_table(report)) +
      "<h3>Are violations spread evenly?</h3>\n<p>r_k of the features of all observations among themselves "
      "against that of as many points uniform on the sphere, simulated; small p: not uniform. Surprise alone "
      "would be the whole of a likelihood ratio if violations were uniform (Lin et al. 2023).</p>\n" +
      html_table(uniformity_table(report));
  for (const auto& [predictor, test] : report.tables.uniformity)
    html += "<p>" + uniformity_plot("violations, " + report.run.predictors[predictor] + ",", test) + "</p>\n";
  return html;
}

std::string mean_curves(const ProbeReport& report, std::size_t predictor) {
  std::string html = "<div class=\"plots\">\n";
  for (const ProbeConcept kind : probe_concepts()) {
    std::vector<double> possible, impossible;
    double count = 0;
    for (const ProbedTuple& tuple : report.run.tuples) {
      if (tuple.kind != kind || !was_shown(tuple.predictors[predictor])) continue;
      const TupleErrors& errors = tuple.predictors[predictor];
      possible.resize(errors.possible[0].error.size());
      impossible.resize(possible.size());
      for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t t = 0; t < possible.size(); ++t) {
          possible[t] += errors.possible[k].error[t];
          impossible[t] += errors.impossible[k].error[t];
        }
      count += 2;
    }
    for (std::vector<double>* curve : {&possible, &impossible})
      for (double& value : *curve) value /= count;
    if (count > 0)
      html += error_curves(name(kind),
                           {{"possible", palette[0], possible}, {"impossible", palette[3], impossible}});
  }
  return html + "</div>\n";
}

/// The first so many predictors whose errors are shown over time: the models, or without any the first
/// control.
std::size_t shown(const ProbeReport& report) { return std::max<std::size_t>(report.models, 1); }

std::string example_html(const ProbeReport& report, const ProbeExample& example) {
  const ProbeTuple& tuple = example.tuple;
  std::string html = "<h3>" + std::string(name(tuple.kind)) + ", tuple " + std::to_string(tuple.number) +
                     "</h3>\n";
  for (std::size_t k = 0; k < 2; ++k)
    html += frame_strip(tuple.possible[k], "possible " + std::to_string(k + 1));
  for (std::size_t k = 0; k < 2; ++k)
    html += frame_strip(tuple.impossible[k], "impossible " + std::to_string(k + 1));
  for (std::size_t p = 0; p < shown(report); ++p) {
    const TupleErrors& errors = example.errors[p];
    html += "<div class=\"plots\">";
    for (std::size_t k = 0; k < 2; ++k)
      html += error_curves(report.run.predictors[p] + ", clips " + std::to_string(k + 1),
                           {{"possible", palette[0], errors.possible[k].error},
                            {"impossible", palette[3], errors.impossible[k].error}},
                           tuple.splices);
    html += "</div>\n";
  }
  return html;
}

const Estimate& accuracy(const ProbeReport& report, const Concept& kind, std::size_t predictor,
                         ClipScore score = ClipScore::sum) {
  return metrics(report, kind, predictor, score).paired_accuracy;
}

std::string model_reading(const ProbeReport& report, std::size_t model) {
  constexpr double goal = 0.9, concept_goal = 0.77;
  std::vector<std::string> learned, open, below;
  for (const ProbeConcept kind : probe_concepts()) {
    const Estimate& e = accuracy(report, kind, model);
    if (!e.value) continue;  // no tuple
    const std::string text = std::string(name(kind)) + " " + number(e.value);
    if (*e.value < concept_goal) below.push_back(text);
    (e.interval && e.interval->low > 0.5 ? learned : open).push_back(text);
  }
  const Estimate& overall = accuracy(report, {}, model);
  return report.run.predictors[model] + " is the more surprised by the impossible clips in " +
         with_interval(overall) + " of the tuples by the sum (" +
         (*overall.value >= goal ? "at or over" : "under") + " the goal of 0.900); guessing gives 0.500." +
         (learned.empty() ? "" : " Above chance: " + list_of(learned) + ".") +
         (open.empty() ? "" : " Not shown to be above chance: " + list_of(open) + ".") +
         (below.empty() ? " No concept is under 0.770." : " Under 0.770: " + list_of(below) + ".");
}

/// Empty where the sum is the best one.
std::string best_score_reading(const ProbeReport& report, std::size_t model) {
  ClipScore best = ClipScore::sum;
  for (const ClipScore score : clip_scores())
    if (accuracy(report, {}, model, score).value > accuracy(report, {}, model, best).value) best = score;
  if (best == ClipScore::sum) return "";
  return "Of the five clip scores the " + std::string(name(best)) + " says most tuples right for " +
         report.run.predictors[model] + ": " + with_interval(accuracy(report, {}, model, best)) +
         ". Chosen after the fact, this figure flatters it.";
}

std::string control_reading(const ProbeReport& report, std::size_t control) {
  std::vector<std::string> off;
  for (const ProbeConcept kind : probe_concepts()) {
    const Estimate& e = accuracy(report, kind, control);
    if (!e.value) continue;
    const bool at_chance = *e.value == 0.5 ||
                           (e.interval && e.interval->low <= 0.5 && e.interval->high >= 0.5);
    if (!at_chance) off.push_back(std::string(name(kind)) + " " + with_interval(e));
  }
  const std::size_t tuples = metrics(report, {}, control).twins;
  return report.run.predictors[control] + ", a control that has learned nothing" +
         (tuples == report.run.tuples.size() ? "" : " and was shown " + std::to_string(tuples) + " tuples") +
         ", is at " + with_interval(accuracy(report, {}, control)) + " by the sum" +
         (off.empty() ? ": at chance for every concept."
                      : "; not at chance for " + list_of(off) +
                            ". What a control says, a model need not have learned.");
}

}  // namespace

std::vector<std::string> probe_reading(const ProbeReport& report) {
  std::vector<std::string> reading;
  for (std::size_t p = 0; p < report.models; ++p) {
    reading.push_back(model_reading(report, p));
    if (const std::string best = best_score_reading(report, p); !best.empty()) reading.push_back(best);
  }
  for (const auto& [calibrated, of] : report.calibrated)
    if (of < report.models)
      reading.push_back("Single clips: the area under the ROC curve of " + report.run.predictors[of] +
                        " is " + with_interval(metrics(report, {}, of).roc_auc) + " by the sum, and " +
                        with_interval(metrics(report, {}, calibrated).roc_auc) + " calibrated.");
  for (std::size_t p = report.models; p < report.run.predictors.size(); ++p)
    if (!report.calibrated.contains(p)) reading.push_back(control_reading(report, p));
  if (!report.complete)
    reading.push_back("The run was interrupted: all of this is of the tuples done until then.");
  return reading;
}

Rows probe_cell_rows(const ProbeReport& report) {
  Rows rows{{"table", "concept", "predictor", "score", "tuples", "ties", "accuracy", "accuracy_low",
             "accuracy_high", "relative_surprise", "relative_surprise_low", "relative_surprise_high",
             "effect_size", "effect_size_low", "effect_size_high", "roc_auc", "roc_auc_low", "roc_auc_high"}};
  for (const ProbeRow& row : report.tables.rows) {
    const TwinMetrics& m = row.metrics;
    rows.push_back({"scores", named(row.kind), report.run.predictors[row.predictor], name(row.score),
                    std::to_string(m.twins), std::to_string(m.ties)});
    for (const Estimate* e : {&m.paired_accuracy, &m.relative_surprise, &m.effect_size, &m.roc_auc})
      add_estimate(rows.back(), *e);
  }
  for (const ProbeFewShotRow& row : report.tables.few_shot) {
    rows.push_back({"few-shot", named(row.kind), report.run.predictors[row.predictor], row.detector,
                    std::to_string(row.tuples), ""});
    add_estimate(rows.back(), row.accuracy);
    add_estimate(rows.back(), row.relative_surprise);
    rows.back().resize(rows.front().size());
  }
  return rows;
}

Rows probe_tuple_rows(const ProbeReport& report) {
  Rows rows{{"concept", "tuple", "predictor"}};
  for (const ClipScore score : clip_scores())
    for (const char* clip : {"possible_1", "possible_2", "impossible_1", "impossible_2"})
      rows.front().push_back(std::string(name(score)) + "_" + clip);
  for (const ProbedTuple& tuple : report.run.tuples)
    for (std::size_t p = 0; p < tuple.predictors.size(); ++p) {
      if (!was_shown(tuple.predictors[p])) continue;
      rows.push_back({name(tuple.kind), std::to_string(tuple.number), report.run.predictors[p]});
      for (const ClipScore score : clip_scores())
        for (const auto* pair : {&tuple.predictors[p].possible, &tuple.predictors[p].impossible})
          for (const FrameErrors& errors : *pair) rows.back().push_back(shortest(clip_score(errors, score)));
    }
  return rows;
}

std::string probe_json(const ProbeReport& report) {
  Json json;
  json["format"] = "startle-probes";
  json["version"] = 1;
  json["program"] = report.version;
  json["command"] = report.command;
  json["seed"] = report.run.seed;
  json["tie_tolerance"] = report.metrics.tie_tolerance;
  json["k"] = report.few_shot.k;
  json["gamma"] = report.few_shot.gamma;
  json["complete"] = report.complete;
  json["predictors"] = report.run.predictors;
  json["models"] = report.models;
  json["model_hashes"] = report.model_hashes;
  json["scores"] = Json::array();
  for (const ProbeRow& row : report.tables.rows)
    json["scores"].push_back({{"concept", named(row.kind)},
                              {"predictor", report.run.predictors[row.predictor]},
                              {"score", name(row.score)},
                              {"tuples", row.metrics.twins},
                              {"ties", row.metrics.ties},
                              {"accuracy", json_of(row.metrics.paired_accuracy)},
                              {"relative_surprise", json_of(row.metrics.relative_surprise)},
                              {"effect_size", json_of(row.metrics.effect_size)},
                              {"roc_auc", json_of(row.metrics.roc_auc)},
                              {"pr_auc", json_of(row.metrics.pr_auc)}});
  json["few_shot"] = Json::array();
  for (const ProbeFewShotRow& row : report.tables.few_shot)
    json["few_shot"].push_back({{"concept", named(row.kind)},
                                {"predictor", report.run.predictors[row.predictor]},
                                {"detector", row.detector},
                                {"observations", row.observations},
                                {"tuples", row.tuples},
                                {"accuracy", json_of(row.accuracy)},
                                {"relative_surprise", json_of(row.relative_surprise)}});
  json["uniformity"] = Json::array();
  for (const auto& [predictor, test] : report.tables.uniformity)
    json["uniformity"].push_back({{"predictor", report.run.predictors[predictor]},
                                  {"observations", test.observed.size()},
                                  {"ks_distance", test.difference.statistic},
                                  {"p", test.p}});
  json["published_on_other_data"] = Json::array();
  for (const PublishedProbes& published : published_probes())
    json["published_on_other_data"].push_back({{"name", published.name}, {"accuracy", published.accuracy}});
  json["tuples"] = Json::array();
  for (const ProbedTuple& tuple : report.run.tuples) {
    Json entry = {{"concept", name(tuple.kind)}, {"tuple", tuple.number}, {"predictors", Json::object()}};
    for (std::size_t p = 0; p < tuple.predictors.size(); ++p) {
      if (!was_shown(tuple.predictors[p])) continue;
      Json scores;
      for (const ClipScore score : clip_scores()) {
        const TupleErrors& e = tuple.predictors[p];
        scores[name(score)] = {
            {"possible", {clip_score(e.possible[0], score), clip_score(e.possible[1], score)}},
            {"impossible", {clip_score(e.impossible[0], score), clip_score(e.impossible[1], score)}}};
      }
      entry["predictors"][report.run.predictors[p]] = scores;
    }
    json["tuples"].push_back(entry);
  }
  return json.dump(1) + "\n";
}

std::string probe_text(const ProbeReport& report) {
  std::string text = std::to_string(report.run.tuples.size()) +
                     " tuples. Share in which the impossible clips are the more surprising, by the sum.\n\n" +
                     aligned(accuracy_table(report, false)) + "\n";
  for (const std::string& sentence : probe_reading(report)) text += "- " + sentence + "\n";
  return text;
}

std::string probe_report(const ProbeReport& report) {
  std::string html = frame_strip_style;
  html += html_head("Does a model expect what physics allows?",
                    "<p>Each tuple holds two clips of what can happen and two of what cannot, spliced from "
                    "the frames of the first two where the picture hides the "
                    "splice. A model that has learned the concept should be the more surprised by the "
                    "impossible two. Accuracy is the share of tuples in which it is, a tie counting half. " +
                        std::to_string(report.run.tuples.size()) + " tuples.</p>\n",
                    report.complete ? "" : "tuples");
  html += "<h2>Accuracy by the sum of squared errors</h2>\n" + html_table(accuracy_table(report, true)) +
          "<p>In brackets: 95 % interval by bootstrap over tuples. The published rows are of another data "
          "set (Physical Concepts, in three dimensions): they say what was reached there, not what these "
          "models would be "
          "compared with here.</p>\n<h2>What it means</h2>\n<ul>\n";
  for (const std::string& sentence : probe_reading(report))
    html += "<li>" + xml_escaped(sentence) + "</li>\n";
  html +=
      "</ul>\n<p>Copying the last frame has the same sum over possible and impossible clips by construction, "
      "and so has linear extrapolation but for directional inertia, where the turn is seen. A score that "
      "is no sum over both clips' frames, such as the maximum, does not share this property.</p>\n";
  std::string curves = "<p>Mean over clips.</p>\n", examples;
  for (std::size_t p = 0; p < shown(report); ++p)
    curves += "<h3>" + xml_escaped(report.run.predictors[p]) + "</h3>\n" + mean_curves(report, p);
  for (const ProbeExample& example : report.examples) examples += example_html(report, example);
  html += "<h2>More</h2>\n" + html_details("Clip scores side by side", html_table(scores_table(report))) +
          html_details("Relative surprise by the sum",
                       html_table(relative_table(report)) +
                           "<p>Mean over tuples of impossible less possible surprise, in the units of each "
                           "predictor's errors: compare within a row.</p>\n") +
          html_details("All metrics by the sum",
                       "<p>Relative surprise: mean over tuples of impossible less possible surprise; effect "
                       "size: that over its standard deviation; ROC AUC and PR AUC of single clips, which "
                       "scenes of different difficulty make far harder than pairs.</p>\n" +
                           html_table(metrics_table(report))) +
          html_details("With some violations known", few_shot_html(report)) +
          html_details("Surprise over time", curves) +
          html_details("The first tuple of each concept, and the surprise by frame", examples);
  html += html_origin(
      report.command, report.version,
      "seed " + std::to_string(report.run.seed) + ", ties within " + shortest(report.metrics.tie_tolerance) +
          " of the sum of both surprises (log score: within that number a frame). Beside this file: "
          "<code>results.json</code> with everything, <code>cells.csv</code> with the "
          "tables, <code>tuples.csv</code> with the scores of each clip.");
  return html_page("Startle: probes of physical concepts", html);
}

}  // namespace startle
