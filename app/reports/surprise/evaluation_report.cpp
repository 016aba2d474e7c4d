#include "app/reports/surprise/evaluation_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "app/reports/estimates.hpp"
#include "app/reports/html.hpp"
#include "app/reports/surprise/clip_pictures.hpp"
#include "app/reports/surprise/detection_report.hpp"
#include "app/reports/surprise/known_shots_report.hpp"
#include "app/reports/table.hpp"
#include "app/reports/tiers.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "render/plot_svg.hpp"

namespace startle {
namespace {

constexpr double significant = 0.05;

std::string percent(double share) { return fixed(100 * share, 1) + " %"; }
std::string interval_text(const Estimate& e, int digits = 3) {
  return e.interval ? fixed(e.interval->low, digits) + " to " + fixed(e.interval->high, digits) : "-";
}
std::string p_text(double p) { return p < 0.001 ? "p < 0.001" : "p = " + fixed(p, 3); }
std::string level_count(std::size_t n) { return std::to_string(n) + (n == 1 ? " level" : " levels"); }
std::string named(const std::string& novelty) { return novelty.empty() ? "all" : novelty; }

std::vector<std::string> row_names(const EvaluationRun& run) {
  std::vector<std::string> rows = run.tables.novelties;
  rows.emplace_back();
  return rows;
}

std::vector<std::optional<Tier>> columns() { return {Tier::easy, Tier::medium, Tier::hard, std::nullopt}; }
std::string column_name(const std::optional<Tier>& tier) { return tier ? name(*tier) : "all tiers"; }

/// White for 1/2, blue above, orange below.
std::string heat(double accuracy) {
  const double t = std::clamp(2 * std::abs(accuracy - 0.5), 0.0, 1.0) * 0.8;
  const std::array<double, 3> end = accuracy >= 0.5 ? std::array<double, 3>{0, 114, 178}
                                                    : std::array<double, 3>{213, 94, 0};
  std::string rgb;
  for (double c : end) rgb += (rgb.empty() ? "" : ",") + std::to_string(std::lround(255 + t * (c - 255)));
  return "background:rgb(" + rgb + ")" + (t > 0.5 ? ";color:#fff" : "");
}

/// Of the first predictor.
bool gives_one_number(const EvaluationRun& run) { return gives_one_number(run.evaluation, 0); }
const char* score_words(const EvaluationRun& run) {
  return gives_one_number(run) ? "its own number" : "the sum of its errors";
}

struct HeatCell {
  Estimate estimate;
  std::string below;  ///< small text under the number
};

template <typename CellOf>
std::string heat_table(const EvaluationRun& run, const CellOf& cell_of) {
  std::string html = "<div class=\"wide\"><table class=\"heat\"><tr><th>novelty</th>";
  for (const auto& tier : columns()) html += "<th>" + column_name(tier) + "</th>";
  html += "</tr>\n";
  for (const std::string& novelty : row_names(run)) {
    html += std::string("<tr") + (novelty.empty() ? " class=\"all\"" : "") + "><td>" +
            xml_escaped(named(novelty)) + "</td>";
    for (const auto& tier : columns()) {
      const HeatCell cell = cell_of(novelty, tier);
      if (!cell.estimate.value) {
        html += "<td>-</td>";
        continue;
      }
      html += "<td style=\"" + heat(*cell.estimate.value) + "\"><strong>" + fixed(*cell.estimate.value, 2) +
              "</strong><br><small>" + xml_escaped(interval_text(cell.estimate, 2)) + "<br>" +
              xml_escaped(cell.below) + "</small></td>";
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string accuracy_table(const EvaluationRun& run, std::size_t predictor) {
  return heat_table(run, [&](const std::string& novelty, const std::optional<Tier>& tier) {
    const TwinMetrics& m = run.tables.score(novelty, tier, predictor, ClipScore::sum).metrics;
    return HeatCell{m.paired_accuracy, level_count(m.levels) + ", " + std::to_string(m.twins) + " pairs"};
  });
}

std::string ceiling_table(const EvaluationRun& run) {
  return heat_table(run, [&](const std::string& novelty, const std::optional<Tier>& tier) {
    const CeilingRow& row = run.tables.ceiling_of(novelty, tier);
    return HeatCell{row.best_accuracy,
                    row.share_differing.value ? percent(*row.share_differing.value) + " differ" : ""};
  });
}

Rows metrics_table(const EvaluationRun& run) {
  Rows rows{{"novelty", "tier", "levels", "pairs", "ties", "ROC AUC, clips", "ROC AUC, levels", "PR AUC",
             "relative surprise", "effect size"}};
  for (const std::string& novelty : row_names(run)) {
    for (const auto& tier : columns()) {
      const TwinMetrics& m = run.tables.score(novelty, tier, 0, ClipScore::sum).metrics;
      rows.push_back({named(novelty), column_name(tier), std::to_string(m.levels), std::to_string(m.twins),
                      std::to_string(m.ties), with_interval(m.roc_auc), with_interval(m.roc_auc_levels),
                      with_interval(m.pr_auc), with_interval(m.relative_surprise, 1),
                      with_interval(m.effect_size, 2)});
    }
  }
  return rows;
}

Rows scores_table(const EvaluationRun& run) {
  Rows rows{{"predictor", "score", "easy", "medium", "hard", "all tiers", "ROC AUC, clips"}};
  for (std::size_t p = 0; p < run.evaluation.predictors.size(); ++p) {
    for (ClipScore score : clip_scores()) {
      const bool own = gives_one_number(run.evaluation, p);
      if (own && score != ClipScore::sum) continue;
      rows.push_back({run.evaluation.predictors[p], own ? "its own" : name(score)});
      for (const auto& tier : columns())
        rows.back().push_back(with_interval(run.tables.score("", tier, p, score).metrics.paired_accuracy));
      rows.back().push_back(number(run.tables.score("", {}, p, score).metrics.roc_auc.value));
    }
  }
  return rows;
}

Rows kinds_table(const EvaluationRun& run) {
  Rows rows{{"shots", "tier", "levels", "pairs", "differ", "most that can be distinguished",
             run.evaluation.predictors[0]}};
  for (const ScoreRow& row : run.tables.scores) {
    if (!row.of.kind || row.predictor != 0) continue;
    const CeilingRow& ceiling = *std::find_if(
        run.tables.ceiling.begin(), run.tables.ceiling.end(),
        [&](const CeilingRow& c) { return c.of.kind == row.of.kind && c.of.tier == row.of.tier; });
    rows.push_back({name(*row.of.kind), column_name(row.of.tier), std::to_string(row.metrics.levels),
                    std::to_string(row.metrics.twins), with_interval(ceiling.share_differing),
                    number(ceiling.best_accuracy.value), with_interval(row.metrics.paired_accuracy)});
  }
  return rows;
}

Rows trends_table(const EvaluationRun& run) {
  Rows rows{{"novelty", "levels in easy, medium, hard", "of", "z", "p", "p, Holm"}};
  for (const std::string& novelty : row_names(run)) {
    for (const std::string& of : {std::string("ceiling"), run.evaluation.predictors[0]}) {
      const TrendRow& row = run.tables.trend(novelty, of);
      std::string levels;
      for (std::size_t n : row.levels) levels += (levels.empty() ? "" : ", ") + std::to_string(n);
      rows.push_back({named(novelty), levels, of == "ceiling" ? "share that differs" : of, fixed(row.z, 2),
                      fixed(row.p, 4), fixed(row.p_holm, 4)});
    }
  }
  return rows;
}

Rows contrasts_table(const EvaluationRun& run) {
  Rows rows{{"novelty"}};
  for (std::size_t p = 1; p < run.evaluation.predictors.size(); ++p)
    rows.front().push_back("against " + run.evaluation.predictors[p]);
  for (const std::string& novelty : row_names(run)) {
    rows.push_back({named(novelty)});
    for (const ContrastRow& row : run.tables.contrasts)
      if (row.novelty == novelty && row.score == ClipScore::sum)
        rows.back().push_back(with_interval(row.difference));
  }
  return rows;
}

LinePlot surprise_plot(const std::string& title, const std::vector<double>& normal,
                       const std::vector<double>& novel) {
  LinePlot plot{.frame = {.title = title, .x_label = "frame", .y_label = "error"},
                .x_high = static_cast<double>(normal.size())};
  double highest = 0;
  for (const auto& [what, values, colour] :
       {std::tuple{"normal", &normal, palette[0]}, std::tuple{"novel", &novel, palette[3]}}) {
    plot.series.push_back({what, colour, {}});
    for (std::size_t i = 0; i < values->size(); ++i) {
      plot.series.back().points.push_back({static_cast<double>(i + 1), (*values)[i]});
      highest = std::max(highest, (*values)[i]);
    }
  }
  plot.y_high = highest > 0 ? 1.05 * highest : 1;
  return plot;
}

/// Mean surprise over time of the twins that differ, by a model that gives a clip no one number.
std::string mean_curves(const EvaluationRun& run) {
  const Evaluation& e = run.evaluation;
  std::string html = "<p>Mean of the pairs that differ.</p>\n<div class=\"plots\">\n";
  for (const std::string& novelty : run.tables.novelties) {
    std::vector<double> normal(e.twins.front().difference.size(), 0), novel = normal;
    std::size_t count = 0;
    for (const EvaluatedTwin& twin : e.twins) {
      const bool differs = std::any_of(twin.difference.begin(), twin.difference.end(),
                                       [](double d) { return d > 0; });
      if (!differs || e.levels[twin.level].novelty->name != novelty) continue;
      ++count;
      for (std::size_t t = 0; t < normal.size(); ++t) {
        normal[t] += twin.predictors[0].normal.errors.error[t];
        novel[t] += twin.predictors[0].novel.errors.error[t];
      }
    }
    for (std::vector<double>* curve : {&normal, &novel})
      for (double& value : *curve) value /= static_cast<double>(std::max<std::size_t>(count, 1));
    if (count > 0)
      html += plot_svg(surprise_plot(novelty + ", " + std::to_string(count) + " pairs", normal, novel));
  }
  return html + "</div>\n";
}

std::string picture(const Bitmap& bitmap, const std::string& caption) {
  return "<figure class=\"frame\"><img src=\"" + data_uri(bitmap) + "\" width=\"128\" height=\"128\" alt=\"" +
         xml_escaped(caption) + "\"><figcaption>" + xml_escaped(caption) + "</figcaption></figure>";
}

/// What of an example is shown: a frame with the one before, and why, in words and as a curve.
struct ShownExample {
  std::string heading, text;
  int frame = 1;
  LinePlot plot;
};

/// The frame at which novel surprise exceeds normal surprise most; in a miss: falls short of it most.
ShownExample shown_by_sum(const EvaluationRun& run, const EvaluationExample& example) {
  const EvaluatedTwin& twin = run.evaluation.twins[example.twin];
  const std::vector<double>&normal = twin.predictors[0].normal.errors.error,
        &novel = twin.predictors[0].novel.errors.error;
  std::size_t peak = 0;
  for (std::size_t t = 0; t < normal.size(); ++t) {
    const double sign = example.detected ? 1 : -1;
    if (sign * (novel[t] - normal[t]) > sign * (novel[peak] - normal[peak])) peak = t;
  }
  return {.heading = example.detected ? "clearest detection" : "clearest miss",
          .text = "surprise " + fixed(clip_score(twin.predictors[0].normal, ClipScore::sum), 1) +
                  " in the normal and " + fixed(clip_score(twin.predictors[0].novel, ClipScore::sum), 1) +
                  " in the novel world. Shown is where the two are furthest apart" +
                  (example.detected ? "" : " the wrong way"),
          .frame = static_cast<int>(peak) + 1,
          .plot = surprise_plot("Surprise of this pair", normal, novel)};
}

/// By frame, the mean of what a channel sees of a material, in pixels.
std::map<int, double> mean_residuals(const Residuals& residuals, const DirectionStatistic& statistic) {
  std::map<int, std::pair<double, int>> sums;
  for (const DirectionObservation& o : direction_observations(residuals))
    if (o.material == statistic.material && o.channel == statistic.channel) {
      sums[o.frame].first += o.residual;
      ++sums[o.frame].second;
    }
  std::map<int, double> means;
  for (const auto& [frame, sum] : sums) means[frame] = sum.first / sum.second;
  return means;
}

const char* residual_words(DirectionChannel channel) {
  switch (channel) {
    case DirectionChannel::down:
      return "lower than predicted";
    case DirectionChannel::along:
      return "ahead of the prediction";
    case DirectionChannel::against:
      return "behind the prediction";
    case DirectionChannel::area:
      return "more in sight than predicted";
  }
  return "";
}

/// The frame at which the novel clip is off most in the direction of which its p fell most.
ShownExample shown_by_direction(const EvaluationRun& run, const EvaluationExample& example) {
  const std::size_t test = *direction_detector(run.evaluation);
  const EvaluatedTwin& twin = run.evaluation.twins[example.twin];
  const TwinOutputs& found = twin.outputs[test];
  const DirectionStatistic statistic = direction_statistic(*example.direction);
  const std::optional<double>& normal_p = found.normal.p_values[*example.direction];
  ShownExample shown{
      .heading = std::string(example.detected ? "clearest detection" : "clearest miss") +
                 " by direction test",
      .text = "p " + fixed(found.novel.p, 3) + " in the novel and " + fixed(found.normal.p, 3) +
              " in the normal world. What changed most: " +
              run.evaluation.statistics.at(run.evaluation.detectors[test])[*example.direction] + ", p " +
              fixed(*found.novel.p_values[*example.direction], 3) + " in the novel world and " +
              (normal_p ? fixed(*normal_p, 3) : "nothing to tell by") +
              " in the normal one. Shown is where the novel clip is off that way most",
      .plot = {
          .frame = {.title = std::string(name(statistic.material)) + ": " + residual_words(statistic.channel),
                    .x_label = "frame",
                    .y_label = "pixels"},
          .x_high = static_cast<double>(run.evaluation.format.frames - 1)}};
  double largest = 1, most = -1e300;
  for (const auto& [what, clip, colour] : {std::tuple{"normal", &twin.predictors[0].normal, palette[0]},
                                           std::tuple{"novel", &twin.predictors[0].novel, palette[3]}}) {
    shown.plot.series.push_back({what, colour, {}});
    for (const auto& [frame, residual] : mean_residuals(clip->residuals, statistic)) {
      shown.plot.series.back().points.push_back({static_cast<double>(frame), residual});
      largest = std::max(largest, 1.05 * std::fabs(residual));
      const double off = statistic.more ? residual : -residual;
      if (clip == &twin.predictors[0].novel && off > most) most = off, shown.frame = frame;
    }
  }
  shown.plot.y_low = -largest, shown.plot.y_high = largest;
  return shown;
}

/// A pair of clips at one frame, before and after, in both worlds.
std::string example_html(const EvaluationRun& run, const EvaluationExample& example) {
  const EvaluatedTwin& twin = run.evaluation.twins[example.twin];
  const EvaluationLevel& level = run.evaluation.levels[twin.level];
  ShownExample shown = example.direction ? shown_by_direction(run, example) : shown_by_sum(run, example);
  shown.plot.lines.push_back({static_cast<double>(shown.frame), "shown"});
  std::string html = "<h3>" + xml_escaped(level.novelty->name) + ", " + shown.heading + "</h3>\n<p>" +
                     xml_escaped(level.level.name) + " (" + name(level.tier) + "), shot " + name(twin.kind) +
                     " with bird " + std::to_string(twin.bird + 1) + " at " +
                     fixed(degrees(twin.shot.angle), 1) + " degrees: " + xml_escaped(shown.text) +
                     ", frames " + std::to_string(shown.frame - 1) + " and " + std::to_string(shown.frame) +
                     ":</p>\n<div class=\"example\">" + plot_svg(shown.plot) + "<div class=\"frames\">";
  for (const auto& [world, clip, prediction] :
       {std::tuple{"normal", &example.normal, &example.normal_prediction},
        std::tuple{"novel", &example.novel, &example.novel_prediction}}) {
    html += "<div>" + picture(frame_picture(*clip, shown.frame - 1), std::string(world) + ", before") +
            picture(frame_picture(*clip, shown.frame), "seen") +
            picture(predicted_picture(*clip, *prediction, shown.frame), "predicted") +
            picture(error_picture(*clip, *prediction, shown.frame), "error") + "</div>\n";
  }
  return html + "</div></div>\n";
}

constexpr const char* extra_style = R"(<style>
table.heat { border-collapse: separate; border-spacing: 3px; } table.heat td { padding: 5px 9px; text-align: center; border: none; border-radius: 3px; line-height: 1.25; }
table.heat td:first-child { text-align: left; } table.heat tr.all td { border-top: 2px solid #999; } table.heat th { border: none; text-align: center; }
.example { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; } .example > svg { flex: 0 0 340px; }
.example > * { max-width: 100%; } .frames { overflow-x: auto; } .frames > div { display: flex; gap: 6px; } figure.frame { margin: 0 0 4px; } figure.frame figcaption { font-size: 12px; margin: 0; }
figure.frame img { image-rendering: pixelated; border: 1px solid #ddd; display: block; }
</style>
)";

/// Of the model by the sum.
const Estimate& model_accuracy(const EvaluationRun& run, const std::string& novelty,
                               const std::optional<Tier>& tier) {
  return run.tables.score(novelty, tier, 0, ClipScore::sum).metrics.paired_accuracy;
}

/// A model that tells no clip from another; empty for any other.
std::string constant_words(const EvaluationRun& run) {
  const auto score = [&](const EvaluatedTwin& twin, bool novel) {
    return clip_score(twin.predictors[0].of(novel), ClipScore::sum);
  };
  const std::vector<EvaluatedTwin>& twins = run.evaluation.twins;
  const double first = score(twins.front(), false);
  const bool constant = std::all_of(twins.begin(), twins.end(), [&](const EvaluatedTwin& twin) {
    return score(twin, false) == first && score(twin, true) == first;
  });
  if (!constant) return "";
  return "The model " + run.model + " gives the same score to all " + std::to_string(2 * twins.size()) +
         " clips, so it detects nothing.";
}

std::string overall_reading(const EvaluationRun& run) {
  const TwinMetrics& all = run.tables.score("", {}, 0, ClipScore::sum).metrics;
  const CeilingRow& ceiling = run.tables.ceiling_of("", {});
  return "Over " + std::to_string(all.twins) + " pairs of clips from " + level_count(all.levels) + " " +
         run.evaluation.predictors[0] + " finds the novel world the more surprising one in " +
         with_interval(all.paired_accuracy) + " of the cases, ties counted a half. " +
         percent(1 - *ceiling.share_differing.value) +
         " of the pairs are the same in every byte, so nobody can do better than " +
         number(ceiling.best_accuracy.value) + ". Guessing gives 0.500.";
}

std::string tier_reading(const EvaluationRun& run) {
  const std::string& model = run.evaluation.predictors[0];
  std::vector<std::string> fall, rise, flat;
  for (const std::string& novelty : run.tables.novelties) {
    const TrendRow& row = run.tables.trend(novelty, model);
    (row.p_holm < significant ? (row.z < 0 ? fall : rise) : flat)
        .push_back(novelty + " (" + p_text(row.p_holm) + ")");
  }
  const auto by_tier = [&](Tier tier) { return number(model_accuracy(run, "", tier).value); };
  const TrendRow& overall = run.tables.trend("", model);
  return "By tier: easy " + by_tier(Tier::easy) + ", medium " + by_tier(Tier::medium) + ", hard " +
         by_tier(Tier::hard) + ". Over all novelties detection " +
         (overall.p < significant ? (overall.z < 0 ? "falls" : "rises") : "shows no trend") +
         " from easy to hard (" + p_text(overall.p) + ", Jonckheere-Terpstra, two-sided)." +
         (fall.empty() ? " It falls for no single novelty" : " It falls for " + list_of(fall)) +
         (rise.empty() ? "" : "; it rises for " + list_of(rise)) +
         (flat.empty() ? "" : "; no trend can be shown for " + list_of(flat)) +
         ". p of single novelties are adjusted for their number (Holm).";
}

std::string difference_reading(const EvaluationTables& tables) {
  std::vector<std::string> falls, flat;
  for (const std::string& novelty : tables.novelties) {
    const TrendRow& row = tables.trend(novelty, "ceiling");
    (row.p_holm < significant && row.z < 0 ? falls : flat).push_back(novelty);
  }
  const auto share = [&](Tier tier) {
    const CeilingRow& row = tables.ceiling_of("", tier);
    return row.share_differing.value ? percent(*row.share_differing.value) : std::string("-");
  };
  return "What there is to see: pairs differ at all in " + share(Tier::easy) + " (easy), " +
         share(Tier::medium) + " (medium) and " + share(Tier::hard) + " (hard) of the cases" +
         (falls.empty() ? "; for no single novelty can a fall be shown"
                        : "; this share falls from easy to hard for " + list_of(falls) +
                              (flat.empty() ? "" : ", and no fall can be shown for " + list_of(flat))) +
         ". Where the share does not fall, no model can make detection fall.";
}

bool leaves_out_zero(const Estimate& e) {
  return e.interval && (e.interval->low > 0 || e.interval->high < 0);
}

std::string control_reading(const EvaluationRun& run, std::size_t control) {
  std::vector<std::string> better, worse;
  const ContrastRow* total = nullptr;
  for (const ContrastRow& row : run.tables.contrasts) {
    if (row.predictor != control || row.score != ClipScore::sum) continue;
    if (row.novelty.empty()) total = &row;
    if (!row.novelty.empty() && leaves_out_zero(row.difference))
      (*row.difference.value > 0 ? better : worse).push_back(row.novelty);
  }
  return "Against " + run.evaluation.predictors[control] + " (" +
         number(run.tables.score("", {}, control, ClipScore::sum).metrics.paired_accuracy.value) +
         ") the difference is " + with_interval(total->difference) +
         (better.empty() ? "" : "; better for " + list_of(better)) +
         (worse.empty() ? "" : "; worse for " + list_of(worse)) + ".";
}

/// Empty where the sum is the best one.
std::string best_score_reading(const EvaluationRun& run) {
  const auto accuracy = [&](ClipScore score) -> const Estimate& {
    return run.tables.score("", {}, 0, score).metrics.paired_accuracy;
  };
  ClipScore best = ClipScore::sum;
  for (ClipScore score : clip_scores())
    if (accuracy(score).value > accuracy(best).value) best = score;
  if (best == ClipScore::sum) return "";
  return std::string("Of the five clip scores the ") + name(best) + " says most pairs right, " +
         with_interval(accuracy(best)) + " against " + number(accuracy(ClipScore::sum).value) +
         " of the sum, Lin et al.'s score, which every other table is about. Chosen after the fact, the "
         "winner's figure flatters it.";
}

/// Fewest levels of a novelty and tier.
std::size_t least_levels(const EvaluationTables& tables) {
  std::size_t least = tables.score("", {}, 0, ClipScore::sum).metrics.levels;
  for (const std::string& novelty : tables.novelties)
    for (Tier tier : tiers)
      least = std::min(least, tables.score(novelty, tier, 0, ClipScore::sum).metrics.levels);
  return least;
}

std::string opening_html(const EvaluationRun& run) {
  const Evaluation& e = run.evaluation;
  std::string html = html_head(
      "Does surprise detect the novelty?",
      detection_opening(e, run.detection, evaluation_finding(run)) +
          (gives_one_number(run) ? "<p>Surprise is a number that the model gives a clip. "
                                 : "<p>A model of the normal world predicts each frame of a clip from those "
                                   "before; surprise is "
                                   "how far off it is. ") +
          "Each shot was flown twice, in the normal world and in one with the novelty, seen "
          "by the same camera at the same times. The model should be the more surprised by the novel one: "
          "paired accuracy is how often it is, a tie counting half. " +
          level_count(e.levels.size()) + ", " + std::to_string(e.twins.size()) +
          " pairs of clips; the tier says how hard the novelty is to detect by reasoning.</p>\n",
      run.complete ? "" : "levels");
  if (!e.without_novelty.empty())
    html += "<p>Levels left out, which hold no object that their novelty changes: " +
            std::to_string(e.without_novelty.size()) + ".</p>\n";
  return html;
}

Rows likelihood_table(const EvaluationRun& run) {
  Rows rows{{"predictor", "sigma", "bits a value, normal clips", "novel clips"}};
  for (const LikelihoodRow& row : run.tables.likelihoods)
    rows.push_back({run.evaluation.predictors[row.predictor], fixed(row.sigma, 4), fixed(row.normal, 4),
                    fixed(row.novel, 4)});
  return rows;
}

Rows stated_likelihood_table(const EvaluationRun& run) {
  Rows rows{{"model", "values in normal clips", "in novel clips", "bits a value in normal clips",
             "in novel clips"}};
  for (const StatedLikelihoodRow& row : run.tables.stated_likelihoods)
    rows.push_back({run.evaluation.predictors[row.predictor], std::to_string(row.values.normal),
                    std::to_string(row.values.novel), fixed(row.bits.normal, 3), fixed(row.bits.novel, 3)});
  return rows;
}

std::string flight_html(const EvaluationRun& run) {
  std::string html =
      "<p>Where things that fall are, against where they were predicted. A region of one colour is in flight "
      "where physics one frame ahead expects it to gain 0.7 to 2.2 pixels a frame downwards. Median, and "
      "spread (1.48 times the median absolute deviation), of how many pixels lower it is than predicted in "
      "normal clips; shift: the median in novel clips less that. Shown are novelties and materials with " +
      std::to_string(least_flights) +
      " regions or more in both worlds. In brackets: 95 %, over levels.</p>\n";
  for (const std::string& novelty : run.tables.novelties) {
    Rows rows{{"material", "predictor", "regions, normal", "novel", "median", "spread", "shift"}};
    for (const FlightRow& row : run.flights)
      if (row.novelty == novelty)
        rows.push_back({name(row.material), run.evaluation.predictors[row.predictor],
                        std::to_string(row.normal), std::to_string(row.novel), with_interval(row.median, 2),
                        fixed(row.spread, 2), with_interval(row.shift, 2)});
    if (rows.size() > 1) html += html_details(novelty, html_table(rows));
  }
  return html;
}

std::string controls_html(const EvaluationRun& run) {
  const std::vector<std::string>& predictors = run.evaluation.predictors;
  const std::vector<std::string> others(predictors.begin() + 1,
                                        predictors.begin() + static_cast<std::ptrdiff_t>(run.models));
  std::string html =
      "<p>" + (others.empty() ? "" : "First the other models: " + xml_escaped(list_of(others)) + ". ") +
      "The same by predictors that know nothing of physics. What they say, the model "
      "need not have learned: a world in which more moves has larger errors for anyone. Physics is no "
      "control but the reference: the engine itself, one or two frames ahead, with exact places, and with "
      "speeds that it reads off the frames, as the model has to, or with the exact ones.</p>\n";
  for (std::size_t p = 1; p < run.evaluation.predictors.size(); ++p)
    html += html_details(
        run.evaluation.predictors[p] + ": " +
            with_interval(run.tables.score("", {}, p, ClipScore::sum).metrics.paired_accuracy),
        accuracy_table(run, p));
  return html + "<h3>Paired accuracy of the model less that of each control, on the same pairs</h3>\n" +
         html_table(contrasts_table(run));
}

std::string origin_html(const EvaluationRun& run) {
  const ClipFormat& format = run.evaluation.format;
  return html_origin(
      run.command, run.version,
      "model " + xml_escaped(run.model) + ", profile " + xml_escaped(run.profile) + ", seed " +
          std::to_string(run.seed) + ", ties within " +
          shortest(tie_tolerance_of(run.evaluation, 0, run.metrics)) +
          " of the sum of both surprises, clips of " + std::to_string(format.frames) + " frames of " +
          std::to_string(format.pixels) + " x " + std::to_string(format.pixels) +
          " pixels, level-set hash <code>" + hexadecimal(run.level_set_hash) +
          "</code>. Beside this file: <code>results.json</code> with everything, <code>cells.csv</code> with "
          "the tables, <code>twins.csv</code> with the scores of each pair.");
}

}  // namespace

std::vector<std::string> evaluation_reading(const EvaluationRun& run) {
  std::vector<std::string> reading{overall_reading(run), tier_reading(run), difference_reading(run.tables)};
  if (const std::string constant = constant_words(run); !constant.empty())
    reading.insert(reading.begin(), constant);
  for (std::size_t p = 1; p < run.evaluation.predictors.size(); ++p)
    reading.push_back(control_reading(run, p));
  const bool some = std::any_of(
      run.tables.contrasts.begin(), run.tables.contrasts.end(), [](const ContrastRow& row) {
        return row.score == ClipScore::sum && !row.novelty.empty() && leaves_out_zero(row.difference);
      });
  if (run.evaluation.predictors.size() > 1)
    reading.push_back(some ? "A novelty is named above where the interval of its difference leaves out 0."
                           : "For no single novelty can a difference be shown.");
  std::vector<std::string> below;
  for (const std::string& novelty : run.tables.novelties) {
    const auto& interval = model_accuracy(run, novelty, {}).interval;
    if (interval && interval->high < 0.5) below.push_back(novelty);
  }
  if (!below.empty())
    reading.push_back("For " + list_of(below) +
                      " the novel world is the LESS surprising one more often than not: its clips are easier "
                      "to predict than their normal twins.");
  if (const std::string best = best_score_reading(run); !best.empty()) reading.push_back(best);
  if (const std::size_t least = least_levels(run.tables); least < 20)
    reading.push_back(
        "The smallest cell, of a novelty and tier, has " + level_count(least) +
        ": its numbers are rough, and that no trend was shown does not mean that there is none.");
  if (!run.complete)
    reading.push_back("The run was interrupted: all of this is of the levels done until then.");
  return reading;
}

std::string evaluation_finding(const EvaluationRun& run) {
  const Evaluation& e = run.evaluation;
  if (e.detectors.empty()) return "";
  const auto found = static_cast<std::size_t>(
      std::find(e.detectors.begin(), e.detectors.end(), run.subject.detector) - e.detectors.begin());
  const std::size_t ranked = e.ranked ? e.ranked->first : 0,
                    detector = found < e.detectors.size() ? found : ranked;
  const std::string name = run.subject.name.empty() ? "The model " + run.model : run.subject.name;
  if (const std::string constant = constant_words(run); !constant.empty() && detector == ranked)
    return constant;
  if (has_p_values(e, detector)) return detection_finding(e, run.detection, detector, name);
  return name + " is the more surprised by the novel clip in " + with_interval(model_accuracy(run, "", {})) +
         " of the pairs, ties counted a half. " + too_few_clips(e);
}

std::string evaluation_text(const EvaluationRun& run) {
  std::string text = level_count(run.evaluation.levels.size()) + ", " +
                     std::to_string(run.evaluation.twins.size()) + " pairs of clips. Paired accuracy of " +
                     run.model + " by " + score_words(run) + "; at most; 95 % by bootstrap over levels.\n\n";
  Rows rows{{"novelty", "easy", "medium", "hard", "all", "all, 95 %", "at most"}};
  for (std::size_t p = 1; p < run.evaluation.predictors.size(); ++p)
    rows.front().push_back(run.evaluation.predictors[p]);
  for (const std::string& novelty : row_names(run)) {
    rows.push_back({named(novelty)});
    for (const auto& tier : columns())
      rows.back().push_back(number(model_accuracy(run, novelty, tier).value));
    rows.back().push_back(interval_text(model_accuracy(run, novelty, {})));
    rows.back().push_back(number(run.tables.ceiling_of(novelty, {}).best_accuracy.value));
    for (std::size_t p = 1; p < run.evaluation.predictors.size(); ++p)
      rows.back().push_back(
          number(run.tables.score(novelty, {}, p, ClipScore::sum).metrics.paired_accuracy.value));
  }
  text += aligned(rows) + "\n";
  for (const std::string& sentence : evaluation_reading(run)) text += "- " + sentence + "\n";
  return text + "\n" + detection_text(run.evaluation, run.detection);
}

std::string evaluation_report(const EvaluationRun& run) {
  std::string html = extra_style + opening_html(run) + "<h2>What it means</h2>\n<ul>\n";
  for (const std::string& sentence : evaluation_reading(run))
    html += "<li>" + xml_escaped(sentence) + "</li>\n";
  html += "</ul>\n<h2>Paired accuracy of the model, by " + std::string(score_words(run)) + "</h2>\n" +
          accuracy_table(run, 0) +
          "<p>Blue: the novel world is the more surprising one; orange: the normal one is; white: no better "
          "than guessing. Small print: 95 % interval by bootstrap over levels.</p>\n<h2>More</h2>\n" +
          html_details("Detection by p-values", detection_html(run.evaluation, run.detection)) +
          html_details("The most that can be distinguished",
                       "<p>A novelty that changes no pixel of a clip cannot be seen in it. Shown is the "
                       "paired accuracy of a detector that recognises every pair that differs in any byte "
                       "and guesses on the others.</p>\n" +
                           ceiling_table(run)) +
          html_details("Controls", controls_html(run)) +
          html_details("Trend from easy to hard",
                       "<p>Jonckheere-Terpstra test over the three tiers, two-sided, one number a level (the "
                       "mean of its pairs); z below 0: falls. The last column is adjusted for the number of "
                       "novelties.</p>\n" +
                           html_table(trends_table(run))) +
          html_details("All metrics of the model",
                       "<p>By " + std::string(score_words(run)) +
                           ". ROC AUC and PR AUC compare clips of different scenes, whose surprise differs "
                           "far more than that of twins. Relative surprise: mean of novel less normal "
                           "surprise; effect size: that over its standard deviation.</p>\n" +
                           html_table(metrics_table(run))) +
          html_details("Clip scores side by side",
                       "<p>Paired accuracy over all novelties.</p>\n" + html_table(scores_table(run))) +
          html_details("By shot",
                       "<p>best: at the reasoning's best target; solution: stored shots that clear the "
                       "level; random: at a target drawn at random. None was chosen with a look at the novel "
                       "world.</p>\n" +
                           html_table(kinds_table(run)));
  if (!run.tables.likelihoods.empty())
    html += html_details(
        "Errors as likelihoods",
        "<p>Squared errors read as negative log-likelihoods (Lin et al. 2023, section 3.1): each value of a "
        "frame is normal around its prediction, with the one sigma that is most likely for the normal clips. "
        "Bits a value; without a prediction a byte costs 8.</p>\n" +
            html_table(likelihood_table(run)));
  if (!run.tables.stated_likelihoods.empty())
    html += html_details(
        "Likelihoods that models state",
        "<p>A motion network says how probable each gain of speed of each moving region is, across and down, "
        "in pixels a frame. Negative log-likelihood in bits a value, of a density: a fitted normal "
        "distribution of sigma s has 2.05 + log2 s.</p>\n" +
            html_table(stated_likelihood_table(run)));
  if (!run.flights.empty()) html += html_details("Bodies in flight", flight_html(run));
  if (!gives_one_number(run)) html += html_details("Surprise over time", mean_curves(run));
  if (!run.examples.empty()) {
    std::string examples;
    for (const EvaluationExample& example : run.examples) examples += example_html(run, example);
    html += html_details("Clearest detections and misses, with their frames", examples);
  }
  html += html_details("With some shots of the novel world known", known_shots_html(run.known)) +
          origin_html(run);
  return html_page("Startle: does surprise detect the novelty?", html);
}

}  // namespace startle
