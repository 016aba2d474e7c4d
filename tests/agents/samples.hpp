#pragma once
/// \file  Levels and folders for the tests of agents.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>

#include "agents/trials/runner.hpp"
#include "levels/level_file.hpp"
#include "sim/profile.hpp"
#include "tests/folder.hpp"

namespace startle {

/// A folder of its own that goes with the test.
struct TestFolder : testing::Folder {
  /// Path of a file with this text.
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

/// Two posts with a beam and a pig on it, two birds.
inline StoredLevel small_level(const std::string& name = "small", const std::string& novelty = "T2") {
  StoredLevel level{{.name = name, .width = 2, .slingshot = {-6, -2.5}, .birds = {"BirdRed", "BirdRed"}}, {}};
  level.objects = {{Kind::block, "RectSmall", Material::wood, {2, -3.07}, 90},
                   {Kind::block, "RectSmall", Material::stone, {3, -3.07}, 90},
                   {Kind::block, "RectMedium", Material::wood, {2.5, -2.53}, 0},
                   {Kind::pig, "BasicSmall", Material::none, {2.5, -2.2}, 0}};
  level.difficulty = stored_p_level(novelty, 0.9);
  return level;
}

/// Levels of the benchmark sets, `count` of a folder like "T1/easy".
inline std::vector<StoredLevel> benchmark_levels(const std::string& folder, std::size_t count) {
  std::vector<StoredLevel> levels;
  for (const auto& file : find_level_files({std::filesystem::path(STARTLE_BENCHMARK) / folder})) {
    if (levels.size() == count) break;
    levels.push_back(read_level(file));
  }
  return levels;
}

/// The plans by level, normal world first: a run has them in an order drawn by its secret.
inline std::vector<TrialPlan> plans_by_level(const std::vector<PlayableLevel>& levels,
                                             const PlanOptions& options = {}) {
  std::vector<TrialPlan> plans = plan_trials(levels, options);
  const auto place = [](const TrialPlan& plan) {
    return std::tuple(plan.levels.front().level, plan.world == "novel", plan.trial);
  };
  std::sort(plans.begin(), plans.end(),
            [&](const TrialPlan& a, const TrialPlan& b) { return place(a) < place(b); });
  return plans;
}

inline std::vector<PlayableLevel> playable(const std::vector<StoredLevel>& levels) {
  return playable_levels(levels, profile(), std::nullopt, 1);
}

}  // namespace startle
