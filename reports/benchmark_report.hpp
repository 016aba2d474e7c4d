#pragma once
/// \file  Whether the tiers of a benchmark differ in what there is to see and in what is detected: tables,
/// and a page.
#include <string>
#include <vector>

#include "difficulty/tiers.hpp"
#include "reports/table.hpp"
#include "simulated/visible_shots.hpp"

namespace startle {

/// One level that was made for a novelty and tier, simulated with that novelty.
struct BenchmarkLevel {
  std::string name, novelty;
  Tier tier = Tier::medium;
  double value = 1;  ///< as stored, by reasoning
  std::size_t birds = 0, objects = 0;
  VisibleShots visible;         ///< how often perturbed shots make it visible
  DetectedShots detected = {};  ///< what the reference observer detects; counts of 0: it was not asked
};

/// A row a novelty and tier, then all novelties together: levels, means of birds and objects; shares of best,
/// random and solution shots that make the novelty visible, and of best and random ones that would without
/// any; shares that the observer detects, in the novel and in the normal world. Means over levels, 95 % by
/// bootstrap over levels.
Rows benchmark_table(const std::vector<BenchmarkLevel>& levels);

/// A row a novelty: p of a trend over its tiers (Jonckheere and Terpstra, on levels). Two-sided. Of what is
/// visible and detected adjusted for the number of novelties (Holm); of birds and objects as it is. "-" where
/// all levels are alike. The last row: all novelties together, not adjusted.
Rows benchmark_trends(const std::vector<BenchmarkLevel>& levels);

/// One row a level; numbers in full.
Rows benchmark_level_rows(const std::vector<BenchmarkLevel>& levels);

/// What was found in one sentence: how often changes of each tier are detected with one shot, and how often
/// nothing is; without an observer, how often they are visible.
std::string benchmark_finding(const std::vector<BenchmarkLevel>& levels);

struct BenchmarkRun {
  std::string version, command, profile;
  AimNoise noise;            ///< its launches: shots of each kind a level
  std::size_t launches = 0;  ///< best shots a level that the observer tested
  bool unfinished = false;
  std::vector<BenchmarkLevel> levels;
};
/// One self-contained HTML page that opens with the finding and a chart of it by novelty and tier.
std::string benchmark_report(const BenchmarkRun& run);

}  // namespace startle
