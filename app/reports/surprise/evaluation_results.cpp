/// \file  The parts of app/reports/evaluation_report.hpp that are data.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/reports/estimates.hpp"
#include "app/reports/shot_angle.hpp"
#include "app/reports/surprise/detection_report.hpp"
#include "app/reports/surprise/evaluation_report.hpp"
#include "app/reports/surprise/known_shots_report.hpp"
#include "app/reports/table.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

/// Null: all.
Json json_of_novelty(const std::string& novelty) { return novelty.empty() ? Json() : Json(novelty); }

Json json_of_selection(const Selection& of) {
  return {{"novelty", json_of_novelty(of.novelty)},
          {"tier", of.tier ? Json(name(*of.tier)) : Json()},
          {"shots", of.kind ? Json(name(*of.kind)) : Json()}};
}

double excess_share(const EvaluatedTwin& twin) {
  const double normal = clip_score(twin.predictors[0].normal, ClipScore::sum),
               novel = clip_score(twin.predictors[0].novel, ClipScore::sum);
  return normal + novel > 0 ? (novel - normal) / (novel + normal) : 0;
}

Json score_json(const ScoreRow& row, const Evaluation& e) {
  const TwinMetrics& m = row.metrics;
  Json cell = json_of_selection(row.of);
  cell["predictor"] = e.predictors[row.predictor];
  cell["score"] = name(row.score);
  cell["levels"] = m.levels;
  cell["twins"] = m.twins;
  cell["ties"] = m.ties;
  cell["paired_accuracy"] = json_of(m.paired_accuracy);
  cell["roc_auc"] = json_of(m.roc_auc);
  cell["roc_auc_levels"] = json_of(m.roc_auc_levels);
  cell["pr_auc"] = json_of(m.pr_auc);
  cell["relative_surprise"] = json_of(m.relative_surprise);
  cell["effect_size"] = json_of(m.effect_size);
  return cell;
}

Json ceiling_json(const CeilingRow& row) {
  Json cell = json_of_selection(row.of);
  cell["levels"] = row.levels;
  cell["twins"] = row.twins;
  cell["share_differing"] = json_of(row.share_differing);
  cell["best_accuracy"] = json_of(row.best_accuracy);
  cell["difference"] = json_of(row.difference);
  return cell;
}

Json twin_json(const EvaluatedTwin& twin, const Evaluation& e) {
  const EvaluationLevel& level = e.levels[twin.level];
  Json scores;
  for (std::size_t p = 0; p < e.predictors.size(); ++p)
    for (ClipScore score : clip_scores())
      scores[e.predictors[p]][name(score)] = {clip_score(twin.predictors[p].normal, score),
                                              clip_score(twin.predictors[p].novel, score)};
  Json p_values;
  for (std::size_t j = 0; j < e.detectors.size(); ++j)
    if (has_p_values(e, j))
      p_values[e.detectors[j]] = {twin.outputs[j].normal.p, twin.outputs[j].novel.p};
    else
      p_values[e.detectors[j]] = nullptr;
  Json least;
  for (std::size_t j = 0; j < e.detectors.size(); ++j) {
    if (!e.statistics.contains(e.detectors[j]) || !has_p_values(e, j)) continue;
    Json& worlds = least[e.detectors[j]] = Json::array();
    for (const bool novel : {false, true}) {
      Json names = Json::array();
      const std::optional<LeastLikely> found = least_likely(e, twin, j, novel);
      if (found)
        for (const std::size_t i : found->statistics) names.push_back(e.statistics.at(e.detectors[j])[i]);
      worlds.push_back(found ? Json{{"p", found->p}, {"statistics", names}} : Json());
    }
  }
  return {{"level", level.level.name},
          {"novelty", level.novelty->name},
          {"tier", name(level.tier)},
          {"shot", name(twin.kind)},
          {"bird", twin.bird},
          {"angle_deg", angle_deg(twin.shot)},
          {"tap_s", twin.shot.tap_time >= 0 ? Json(twin.shot.tap_time) : Json()},
          {"difference", total_difference(twin)},
          {"visible", twin.visible},
          {"scores", scores},
          {"p", p_values},
          {"least", least}};
}

}  // namespace

std::optional<std::size_t> direction_detector(const Evaluation& evaluation) {
  const auto found = std::find(evaluation.detectors.begin(), evaluation.detectors.end(),
                               evaluation.predictors[0] + ", direction test");
  const auto index = static_cast<std::size_t>(found - evaluation.detectors.begin());
  return found != evaluation.detectors.end() && has_p_values(evaluation, index) ? std::optional(index)
                                                                                : std::nullopt;
}

namespace {

/// The statistic with the smallest p of the novel over that of the normal clip, where 1 stands for nothing to
/// tell by; none where the novel clip has none.
std::optional<std::size_t> changed_most(const TwinOutputs& outputs) {
  std::optional<std::size_t> most;
  double least = 0;
  for (std::size_t i = 0; i < outputs.novel.p_values.size(); ++i) {
    if (!outputs.novel.p_values[i]) continue;
    const double ratio = *outputs.novel.p_values[i] / outputs.normal.p_values[i].value_or(1);
    if (!most || ratio < least) most = i, least = ratio;
  }
  return most;
}

}  // namespace

std::vector<EvaluationExample> choose_examples(const Evaluation& evaluation) {
  const std::optional<std::size_t> test = direction_detector(evaluation);
  std::map<std::string, std::vector<std::size_t>> differing;
  for (std::size_t i = 0; i < evaluation.twins.size(); ++i)
    if (total_difference(evaluation.twins[i]) > 0)
      differing[evaluation.levels[evaluation.twins[i].level].novelty->name].push_back(i);
  std::vector<EvaluationExample> examples;
  for (auto& [novelty, twins] : differing) {
    const auto by_difference = [&](std::size_t a, std::size_t b) {
      return total_difference(evaluation.twins[a]) < total_difference(evaluation.twins[b]);
    };
    const auto by_excess = [&](std::size_t a, std::size_t b) {
      return excess_share(evaluation.twins[a]) < excess_share(evaluation.twins[b]);
    };
    const auto by_direction = [&](std::size_t a, std::size_t b) {
      const TwinOutputs &of_a = evaluation.twins[a].outputs[*test],
                        &of_b = evaluation.twins[b].outputs[*test];
      return of_a.novel.p / of_a.normal.p > of_b.novel.p / of_b.normal.p;
    };
    std::stable_sort(twins.begin(), twins.end(), by_difference);
    twins.erase(twins.begin(), twins.begin() + static_cast<std::ptrdiff_t>(twins.size() / 2));
    const auto [lowest, highest] = test ? std::minmax_element(twins.begin(), twins.end(), by_direction)
                                        : std::minmax_element(twins.begin(), twins.end(), by_excess);
    examples.push_back({.twin = *highest, .detected = true});
    if (lowest != highest) examples.push_back({.twin = *lowest, .detected = false});
  }
  if (test)
    for (EvaluationExample& example : examples)
      example.direction = changed_most(evaluation.twins[example.twin].outputs[*test]);
  return examples;
}

std::string evaluation_json(const EvaluationRun& run) {
  const Evaluation& e = run.evaluation;
  Json json;
  json["format"] = "startle-evaluation";
  json["version"] = 1;
  json["program"] = "startle " + run.version;
  json["command"] = run.command;
  json["complete"] = run.complete;
  json["configuration"] = {{"model", run.model},
                           {"profile", run.profile},
                           {"seed", run.seed},
                           {"random_targets", run.random_targets},
                           {"tie_tolerance", tie_tolerance_of(e, 0, run.metrics)},
                           {"frames", e.format.frames},
                           {"pixels", e.format.pixels},
                           {"stride", e.format.stride},
                           {"lead", e.format.lead},
                           {"view", e.format.view}};
  json["level_set_hash"] = hexadecimal(run.level_set_hash);
  json["predictors"] = e.predictors;
  json["models"] = run.models;
  json["levels"] = e.levels.size();
  json["left_out"] = e.without_novelty;
  for (const ScoreRow& row : run.tables.scores) json["cells"].push_back(score_json(row, e));
  for (const CeilingRow& row : run.tables.ceiling) json["ceiling"].push_back(ceiling_json(row));
  for (const TrendRow& row : run.tables.trends)
    json["trends"].push_back({{"novelty", json_of_novelty(row.novelty)},
                              {"of", row.of},
                              {"test", "Jonckheere-Terpstra, two-sided"},
                              {"levels", row.levels},
                              {"z", row.z},
                              {"p", row.p},
                              {"p_holm", row.p_holm}});
  for (const ContrastRow& row : run.tables.contrasts)
    json["contrasts"].push_back({{"novelty", json_of_novelty(row.novelty)},
                                 {"against", e.predictors[row.predictor]},
                                 {"score", name(row.score)},
                                 {"difference", json_of(row.difference)}});
  for (const LikelihoodRow& row : run.tables.likelihoods)
    json["likelihoods"].push_back({{"predictor", e.predictors[row.predictor]},
                                   {"sigma", row.sigma},
                                   {"normal", row.normal},
                                   {"novel", row.novel}});
  json["stated_likelihoods"] = Json::array();
  for (const StatedLikelihoodRow& row : run.tables.stated_likelihoods)
    json["stated_likelihoods"].push_back({{"predictor", e.predictors[row.predictor]},
                                          {"normal_values", row.values.normal},
                                          {"novel_values", row.values.novel},
                                          {"normal", row.bits.normal},
                                          {"novel", row.bits.novel}});
  json["detection"] = detection_json(e, run.detection);
  json["flights"] = Json::array();
  for (const FlightRow& row : run.flights)
    json["flights"].push_back({{"novelty", row.novelty},
                               {"material", name(row.material)},
                               {"predictor", e.predictors[row.predictor]},
                               {"normal", row.normal},
                               {"novel", row.novel},
                               {"median", json_of(row.median)},
                               {"spread", row.spread},
                               {"shift", json_of(row.shift)}});
  json["known_shots"] = known_shots_json(run.known);
  for (const EvaluatedTwin& twin : e.twins) json["twins"].push_back(twin_json(twin, e));
  return json.dump(1) + "\n";
}

Rows cell_rows(const EvaluationRun& run) {
  Rows rows{{"novelty", "tier", "shots", "predictor", "score", "levels", "twins", "ties"}};
  for (const char* metric :
       {"paired_accuracy", "roc_auc", "roc_auc_levels", "pr_auc", "relative_surprise", "effect_size"})
    for (const char* part : {"", "_low", "_high"}) rows.front().push_back(std::string(metric) + part);
  for (const char* part : {"share_differing", "best_accuracy"}) rows.front().emplace_back(part);
  for (const ScoreRow& row : run.tables.scores) {
    const auto ceiling = std::find_if(
        run.tables.ceiling.begin(), run.tables.ceiling.end(), [&](const CeilingRow& c) {
          return c.of.novelty == row.of.novelty && c.of.tier == row.of.tier && c.of.kind == row.of.kind;
        });
    rows.push_back({row.of.novelty.empty() ? "all" : row.of.novelty, row.of.tier ? name(*row.of.tier) : "all",
                    row.of.kind ? name(*row.of.kind) : "all", run.evaluation.predictors[row.predictor],
                    name(row.score), std::to_string(row.metrics.levels), std::to_string(row.metrics.twins),
                    std::to_string(row.metrics.ties)});
    for (const Estimate TwinMetrics::*metric :
         {&TwinMetrics::paired_accuracy, &TwinMetrics::roc_auc, &TwinMetrics::roc_auc_levels,
          &TwinMetrics::pr_auc, &TwinMetrics::relative_surprise, &TwinMetrics::effect_size})
      add_estimate(rows.back(), row.metrics.*metric);
    rows.back().push_back(text_of(ceiling->share_differing.value));
    rows.back().push_back(text_of(ceiling->best_accuracy.value));
  }
  return rows;
}

Rows twin_rows(const EvaluationRun& run) {
  const Evaluation& e = run.evaluation;
  Rows rows{{"level", "novelty", "tier", "shot", "bird", "angle_deg", "tap_s", "difference", "predictor"}};
  for (ClipScore score : clip_scores())
    for (const char* world : {"_normal", "_novel"}) rows.front().push_back(std::string(name(score)) + world);
  for (const EvaluatedTwin& twin : e.twins) {
    const EvaluationLevel& level = e.levels[twin.level];
    for (std::size_t p = 0; p < e.predictors.size(); ++p) {
      rows.push_back({level.level.name, level.novelty->name, name(level.tier), name(twin.kind),
                      std::to_string(twin.bird), shortest(angle_deg(twin.shot)),
                      twin.shot.tap_time >= 0 ? shortest(twin.shot.tap_time) : "",
                      shortest(total_difference(twin)), e.predictors[p]});
      for (ClipScore score : clip_scores()) {
        rows.back().push_back(shortest(clip_score(twin.predictors[p].normal, score)));
        rows.back().push_back(shortest(clip_score(twin.predictors[p].novel, score)));
      }
    }
  }
  return rows;
}

}  // namespace startle
