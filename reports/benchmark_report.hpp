#pragma once
/// \file  Whether the tiers of a benchmark differ in what there is to see, as tables.
#include <string>
#include <vector>

#include "difficulty/grounded.hpp"
#include "difficulty/tiers.hpp"
#include "reports/table.hpp"

namespace startle {

/// One level that was made for a novelty and tier, simulated with that novelty.
struct BenchmarkLevel {
  std::string name, novelty;
  Tier tier = Tier::medium;
  double value = 1;       ///< as stored, by reasoning
  std::size_t birds = 0, objects = 0;
  NoisyDifficulty truth;  ///< by simulation, means over turned shots
};

/// A row a novelty and tier: levels, means of birds and objects, the share of targets that show the novelty and the share that would without any (means over
/// levels, 95 % by bootstrap over levels), mean value by simulation; in a novelty's last row p of a trend over its tiers (Jonckheere and
/// Terpstra), of the visible share adjusted for the number of novelties (Holm), of birds and of objects as it is. Then all novelties together.
Rows benchmark_table(const std::vector<BenchmarkLevel>& levels);

/// One row a level; numbers in full.
Rows benchmark_level_rows(const std::vector<BenchmarkLevel>& levels);

}  // namespace startle
