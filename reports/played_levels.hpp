#pragma once
/// \file  Levels as reference players played them (simulated/played_level.hpp), as a table and in sentences:
/// what `startle observe --plays` writes.
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/table.hpp"
#include "simulated/played_level.hpp"
#include "statistics/intervals.hpp"

namespace startle {

/// One level under one novelty; a level without one has false alarms alone.
struct PlayedLevelResult {
  std::string level, novelty;  ///< file, name
  std::size_t birds = 0;
  std::vector<LevelPlay> novel, normal;  ///< normal: the null plays
};

/// Mean of the novel plays; its interval is of plays drawn.
Estimate measured_p_level(const PlayedLevelResult& result);

/// Head and one row a result: level, novelty, player, birds, plays, p_level, low, high (95 %, plays drawn),
/// shots and cleared (of the novel plays), false_alarms. `digits` after the point; negative: as many as it
/// takes.
Rows played_rows(const std::vector<PlayedLevelResult>& results, const PlayOptions& options, int digits);
/// With every single play.
nlohmann::ordered_json json_of(const std::vector<PlayedLevelResult>& results);

/// Over the levels of one novelty.
struct PlayedSummary {
  std::string novelty;
  std::size_t levels = 0;
  Estimate p_level;       ///< mean, levels drawn
  Estimate false_alarms;  ///< the same of normal plays
  std::optional<double> reliability;
};
/// In order of first appearance; then, of several novelties, "all". A level's normal plays count once.
std::vector<PlayedSummary> summaries(const std::vector<PlayedLevelResult>& results);
/// A sentence a summary.
std::string summary_text(const std::vector<PlayedSummary>& summaries, const PlayOptions& options);
nlohmann::ordered_json json_of(const std::vector<PlayedSummary>& summaries);

}  // namespace startle
