#pragma once
/// \file  Difficulty values of many levels as a table: what `startle difficulty` and `startle study` write.
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "difficulty/difficulty.hpp"
#include "difficulty/tiers.hpp"
#include "sim/scene.hpp"

namespace startle {

/// One level under one novelty.
struct LevelResult {
  std::string level, novelty;
  double pid = 1, bid = 1, value = 1;
  Tier tier = Tier::medium;             ///< set by assign_tiers
  std::size_t birds = 0;
  std::size_t objects = 0;              ///< of the level: blocks, pigs, TNT and platforms
  std::size_t novel_objects = 0;
  int targets = 0;                      ///< before the first shot
  int detectable_targets = 0;           ///< those of them that show the novelty
  std::optional<double> detected_at;   ///< mean number of the shot, from 1, at which the best shots show it; empty: never
};
LevelResult level_result(const std::string& level, const Scene& scene, const Novelty& novelty, const Difficulty& difficulty);

/// By name of the novelty.
using ThresholdTable = std::map<std::string, TierThresholds>;

/// Places every result within those of its novelty [Pinto §5.1].
ThresholdTable assign_tiers(std::vector<LevelResult>& results, double alpha);

/// Head and one row a result: level, novelty, pid, bid, value, tier, birds, objects, targets, detectable_targets. `digits` after
/// the point; negative: as many as it takes.
std::vector<std::vector<std::string>> result_rows(const std::vector<LevelResult>& results, int digits);

nlohmann::ordered_json json_of(const std::vector<LevelResult>& results);
nlohmann::ordered_json json_of(const ThresholdTable& thresholds);

}  // namespace startle
