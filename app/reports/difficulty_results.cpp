#include "app/reports/difficulty_results.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/reports/table.hpp"
#include "core/text.hpp"

namespace startle {

namespace {

/// That one of the best shots makes the novelty visible.
double chance_of(const RolloutEnds& ends, std::size_t birds) {
  double chance = 0;
  for (const RolloutEnd& end : ends.bid) chance += end.interaction <= birds ? end.probability : 0;
  return chance;
}

}  // namespace

LevelResult level_result(const std::string& level, const Scene& scene, const Novelty& novelty,
                         const Difficulty& difficulty) {
  LevelResult result{.level = level,
                     .novelty = novelty.name,
                     .pid = difficulty.pid,
                     .bid = difficulty.bid,
                     .value = difficulty.value};
  result.birds = difficulty.birds;
  result.objects = scene.objects.size();
  result.novel_objects = difficulty.novel_objects;
  if (!difficulty.interactions.empty()) {
    result.targets = difficulty.interactions.front().counts.targets;
    result.detectable_targets = difficulty.interactions.front().counts.detectable;
  }
  result.detected_at = difficulty.detected_at();
  result.detection = difficulty.detection;
  result.left_out = left_out_by(scene);
  if (!result.left_out) result.left_out = left_out_by(difficulty);
  if (!result.left_out) result.chance = chance_of(difficulty.ends, difficulty.birds);
  return result;
}

LevelResult level_result(const std::string& level, const Scene& scene, const Novelty& novelty,
                         const Difficulty& difficulty, const SimulatedDifficulty& simulated) {
  LevelResult result = level_result(level, scene, novelty, difficulty);
  std::tie(result.pid, result.bid, result.value) = std::tie(simulated.pid, simulated.bid, simulated.value);
  if (!simulated.interactions.empty())
    result.detectable_targets = simulated.interactions.front().counts.detectable;
  result.detected_at = detected_at(simulated.ends);
  if (!result.left_out) result.chance = chance_of(simulated.ends, simulated.birds);
  return result;
}

ThresholdTable assign_thirds(std::vector<LevelResult>& results, double alpha) {
  std::map<std::string, std::vector<double>> values;
  for (const LevelResult& result : results)
    if (!result.left_out) values[result.novelty].push_back(result.value);
  ThresholdTable table;
  for (const auto& [novelty, of_novelty] : values) table[novelty] = third_thresholds(of_novelty, alpha);
  for (LevelResult& result : results)
    if (!result.left_out) result.third = third_of(result.value, table.at(result.novelty));
  return table;
}

Rows result_rows(const std::vector<LevelResult>& results, int digits, const ResultColumns& columns) {
  const auto number = [&](double value) { return digits < 0 ? shortest(value) : fixed(value, digits); };
  Rows rows{{"level", "novelty"}};
  const auto add = [&](std::vector<std::string> cells) {
    rows.back().insert(rows.back().end(), cells.begin(), cells.end());
  };
  if (columns.tier) add({"p_level", "tier"});
  add({"pid", "bid", "value"});
  if (columns.third) add({"third"});
  add({"left_out", "birds", "objects", "targets", "detectable_targets"});
  if (columns.tier) add({"p_level_random"});
  add({"detected_best", "detected_random", "detected_any"});
  for (const LevelResult& r : results) {
    const auto detected = [&](double PredictedDetection::*chance) {
      return r.detection ? number((*r.detection).*chance) : "";
    };
    const auto played = [&](double PredictedLevel::*chance) {
      return r.played ? number((*r.played).*chance) : "";
    };
    rows.push_back({r.level, r.novelty});
    if (columns.tier) add({played(&PredictedLevel::p_level), r.tier ? name(*r.tier) : ""});
    add({number(r.pid), number(r.bid), number(r.value)});
    if (columns.third) add({r.third ? name(*r.third) : ""});
    add({r.left_out ? name(*r.left_out) : "", std::to_string(r.birds), std::to_string(r.objects),
         std::to_string(r.targets), std::to_string(r.detectable_targets)});
    if (columns.tier) add({played(&PredictedLevel::p_level_random)});
    add({detected(&PredictedDetection::best), detected(&PredictedDetection::random),
         detected(&PredictedDetection::any)});
  }
  return rows;
}

nlohmann::ordered_json json_of(const std::vector<LevelResult>& results, const ResultColumns& columns) {
  using Json = nlohmann::ordered_json;
  Json json = Json::array();
  for (const LevelResult& r : results) {
    Json& one = json.emplace_back(Json{{"level", r.level}, {"novelty", r.novelty}});
    if (columns.tier) {
      one["p_level"] = r.played ? Json(r.played->p_level) : Json();
      one["tier"] = r.tier ? Json(name(*r.tier)) : Json();
      one["p_level_random"] = r.played ? Json(r.played->p_level_random) : Json();
    }
    one["pid"] = r.pid;
    one["bid"] = r.bid;
    one["value"] = r.value;
    if (columns.third) one["third"] = r.third ? Json(name(*r.third)) : Json();
    one["left_out"] = r.left_out ? Json(name(*r.left_out)) : Json();
    one["birds"] = r.birds;
    one["objects"] = r.objects;
    one["novel_objects"] = r.novel_objects;
    one["targets"] = r.targets;
    one["detectable_targets"] = r.detectable_targets;
    one["detected_at"] = r.detected_at ? Json(*r.detected_at) : Json();
    if (!r.detection) continue;
    const PredictedDetection& d = *r.detection;
    one["detected_best"] = d.best;
    one["detected_random"] = d.random;
    one["detected_any"] = d.any;
    one["detected_after"] = d.shots ? Json(*d.shots) : Json();
  }
  return json;
}

std::vector<Suitability> suitability(const std::vector<LevelResult>& results) {
  std::vector<Suitability> all;
  for (const LevelResult& r : results) {
    if (r.left_out == LeftOut::no_birds || r.left_out == LeftOut::no_pigs) continue;
    auto one = std::find_if(all.begin(), all.end(),
                            [&](const Suitability& s) { return s.novelty == r.novelty; });
    if (one == all.end()) one = all.insert(all.end(), Suitability{.novelty = r.novelty});
    ++one->levels;
    one->chance += (r.chance - one->chance) / static_cast<double>(one->levels);
    if (r.left_out == LeftOut::untouched || r.left_out == LeftOut::no_own ||
        r.left_out == LeftOut::not_covered)
      ++one->untouched;
    else if (r.left_out)
      ++one->without_target;
    else if (r.value == 1)
      ++one->undetectable;
    else {
      ++one->detectable;
      one->mean_value += (r.value - one->mean_value) / static_cast<double>(one->detectable);
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Suitability& a, const Suitability& b) { return a.chance > b.chance; });
  return all;
}

Rows suitability_rows(const std::vector<Suitability>& novelties, int digits) {
  const auto number = [&](double value) { return digits < 0 ? shortest(value) : fixed(value, digits); };
  Rows rows{{"novelty", "visible_by_best_shots", "levels", "detectable", "undetectable", "not_touched",
             "no_target", "mean_value"}};
  for (const Suitability& s : novelties)
    rows.push_back({s.novelty, number(s.chance), std::to_string(s.levels), std::to_string(s.detectable),
                    std::to_string(s.undetectable), std::to_string(s.untouched),
                    std::to_string(s.without_target), s.detectable > 0 ? number(s.mean_value) : ""});
  return rows;
}

nlohmann::ordered_json json_of(const std::vector<Suitability>& novelties) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Suitability& s : novelties)
    json.push_back(
        {{"novelty", s.novelty},
         {"visible_by_best_shots", s.chance},
         {"levels", s.levels},
         {"detectable", s.detectable},
         {"undetectable", s.undetectable},
         {"not_touched", s.untouched},
         {"no_target", s.without_target},
         {"mean_value", s.detectable > 0 ? nlohmann::ordered_json(s.mean_value) : nlohmann::ordered_json()}});
  return json;
}

nlohmann::ordered_json json_of(const ThresholdTable& thresholds) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [novelty, t] : thresholds)
    json[novelty] = {{"low", t.low}, {"high", t.high}, {"count", t.count}, {"alpha", t.alpha}};
  return json;
}

}  // namespace startle
