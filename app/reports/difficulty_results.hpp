#pragma once
/// \file  Difficulty values of many levels as a table: what `startle difficulty` and `startle study` write.
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "difficulty/difficulty.hpp"
#include "difficulty/played_level.hpp"
#include "difficulty/thirds.hpp"
#include "difficulty/tiers.hpp"
#include "levels/placed_levels.hpp"
#include "sim/scene.hpp"
#include "simulated/simulated_difficulty.hpp"

namespace startle {

/// One level under one novelty.
struct LevelResult {
  std::string level, novelty;
  double pid = 1, bid = 1, value = 1;
  std::optional<LeftOut> left_out = {};  ///< why the level has no part in the set
  std::optional<Third> third = {};       ///< among the results, by assign_thirds(); empty where left out
  std::optional<Tier> tier = {};         ///< of p_level, as stored with the level for the novelty, or else as
                                         ///< predicted; empty where left out, and without p_level
  std::size_t birds = 0;
  std::size_t objects = 0;  ///< of the level: blocks, pigs, TNT and platforms
  std::size_t novel_objects = 0;
  int targets = 0;             ///< before the first shot
  int detectable_targets = 0;  ///< those of them that make the novelty visible
  double chance = 0;           ///< that one of the best shots makes the novelty visible; 0 where left out
  std::optional<double>
      detected_at;  ///< mean number of the shot, from 1, at which the best shots make it visible;
                    ///< empty: never
  std::optional<PredictedDetection> detection = {};  ///< where it was asked for
  std::optional<PredictedLevel> played = {};         ///< of the level as it is played; likewise
};
LevelResult level_result(const std::string& level, const Scene& scene, const Novelty& novelty,
                         const Difficulty& difficulty);
/// The same with what simulation says in place of reasoning; `difficulty` says what may be left out, and why.
LevelResult level_result(const std::string& level, const Scene& scene, const Novelty& novelty,
                         const Difficulty& difficulty, const SimulatedDifficulty& simulated);

/// By name of the novelty.
using ThresholdTable = std::map<std::string, ThirdThresholds>;

/// Every result that is not left out gets its third among those of its novelty [Pinto §5.1]. A novelty of
/// which all are left out has no thresholds.
ThresholdTable assign_thirds(std::vector<LevelResult>& results, double alpha);

/// Which columns a table of results has besides those that all have.
struct ResultColumns {
  bool third = false;
  bool tier = false;
};
/// Head and one row a result: level, novelty, p_level, tier, pid, bid, value, third, left_out, birds,
/// objects, targets, detectable_targets, p_level_random, detected_best, detected_random, detected_any. Those
/// of p_level and of detection are empty where these were not asked for. `digits` after the point; negative:
/// as many as it takes.
std::vector<std::vector<std::string>> result_rows(const std::vector<LevelResult>& results, int digits,
                                                  const ResultColumns& columns);

nlohmann::ordered_json json_of(const std::vector<LevelResult>& results, const ResultColumns& columns);
/// Which novelties suit a set of levels: in how many of them each can be detected, and is by the best shots.
struct Suitability {
  std::string novelty;
  std::size_t levels = 0;                         ///< in which there is something to win: with birds and pigs
  std::size_t untouched = 0, without_target = 0;  ///< of these; untouched: also those that carry no novelty
                                                  ///< of their own, or one that the method does not cover
  std::size_t undetectable = 0;                   ///< value 1
  std::size_t detectable = 0;                     ///< value below 1
  double mean_value = 0;                          ///< of those that are detectable
  double chance =
      0;  ///< mean over all levels that one of the best shots makes it visible: the share of levels in
          ///< which it does
};
/// By chance, largest first; those of equal chance as in the results.
std::vector<Suitability> suitability(const std::vector<LevelResult>& results);
/// Head and one row a novelty.
std::vector<std::vector<std::string>> suitability_rows(const std::vector<Suitability>& novelties, int digits);
nlohmann::ordered_json json_of(const std::vector<Suitability>& novelties);

nlohmann::ordered_json json_of(const ThresholdTable& thresholds);

}  // namespace startle
