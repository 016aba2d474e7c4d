#pragma once
/// \file  The study as data, and its report.
#include <cstdint>
#include <string>
#include <vector>

#include "app/reports/difficulty_results.hpp"
#include "difficulty/difficulty.hpp"
#include "difficulty/tiers.hpp"
#include "sim/level.hpp"
#include "sim/novelty.hpp"
#include "sim/scene.hpp"

namespace startle {

struct StudiedLevel {
  Level level;
  Scene scene;                   ///< at rest, normal world
  Difficulty difficulty;         ///< by the published method, as in the experiment
  LevelResult result, extended;  ///< by the published and by the extended method
};

/// The levels of one novelty type.
struct NoveltyStudy {
  const Novelty* novelty = nullptr;
  std::vector<StudiedLevel> levels;
  ThirdThresholds thresholds;
};

/// The experiment set-up of [Pinto §5.1].
struct Study {
  std::string version, command, profile;
  std::uint64_t seed = 0, level_set_hash = 0;
  double alpha = 0.5;
  std::vector<NoveltyStudy> novelties;
};

/// One self-contained HTML page.
std::string study_report(const Study& study);

}  // namespace startle
