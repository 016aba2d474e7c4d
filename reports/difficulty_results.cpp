#include "reports/difficulty_results.hpp"

#include <nlohmann/json.hpp>

#include "reports/table.hpp"
#include "sim/text.hpp"


namespace startle {

LevelResult level_result(const std::string& level, const Scene& scene, const Novelty& novelty, const Difficulty& difficulty) {
  LevelResult result{.level = level, .novelty = novelty.name, .pid = difficulty.pid, .bid = difficulty.bid, .value = difficulty.value};
  result.birds = difficulty.birds;
  result.objects = scene.objects.size();
  result.novel_objects = difficulty.novel_objects;
  if (!difficulty.interactions.empty()) {
    result.targets = difficulty.interactions.front().counts.targets;
    result.detectable_targets = difficulty.interactions.front().counts.detectable;
  }
  result.detected_at = difficulty.detected_at();
  return result;
}

ThresholdTable assign_tiers(std::vector<LevelResult>& results, double alpha) {
  std::map<std::string, std::vector<double>> values;
  for (const LevelResult& result : results) values[result.novelty].push_back(result.value);
  ThresholdTable table;
  for (const auto& [novelty, of_novelty] : values) table[novelty] = tier_thresholds(of_novelty, alpha);
  for (LevelResult& result : results) result.tier = tier_of(result.value, table.at(result.novelty));
  return table;
}

Rows result_rows(const std::vector<LevelResult>& results, int digits) {
  const auto number = [&](double value) { return digits < 0 ? shortest(value) : fixed(value, digits); };
  Rows rows{
      {"level", "novelty", "pid", "bid", "value", "tier", "birds", "objects", "targets", "detectable_targets"}};
  for (const LevelResult& r : results)
    rows.push_back({r.level, r.novelty, number(r.pid), number(r.bid), number(r.value), name(r.tier), std::to_string(r.birds),
                    std::to_string(r.objects), std::to_string(r.targets), std::to_string(r.detectable_targets)});
  return rows;
}

nlohmann::ordered_json json_of(const std::vector<LevelResult>& results) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const LevelResult& r : results)
    json.push_back({{"level", r.level},
                    {"novelty", r.novelty},
                    {"pid", r.pid},
                    {"bid", r.bid},
                    {"value", r.value},
                    {"tier", name(r.tier)},
                    {"birds", r.birds},
                    {"objects", r.objects},
                    {"novel_objects", r.novel_objects},
                    {"targets", r.targets},
                    {"detectable_targets", r.detectable_targets},
                    {"detected_at", r.detected_at ? nlohmann::ordered_json(*r.detected_at) : nlohmann::ordered_json()}});
  return json;
}

nlohmann::ordered_json json_of(const ThresholdTable& thresholds) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [novelty, t] : thresholds)
    json[novelty] = {{"low", t.low}, {"high", t.high}, {"count", t.count}, {"alpha", t.alpha}};
  return json;
}

}  // namespace startle
