#pragma once
/// \file  How much two levels differ, and how varied a set of levels is.
///
/// \code
///   // given: const Level& a, const Level& b
///   double d = level_distance(level_features(a, *profile()), level_features(b, *profile()));  // 0 to 1
/// \endcode
#include <array>
#include <map>
#include <string>
#include <vector>

#include "sim/level.hpp"
#include "sim/profile.hpp"

namespace startle {

/// Levels nearer to each other than this are near-duplicates: the same but for the material of some blocks or
/// small shifts. Levels drawn independently are practically never that near (measured: docs/generators.md).
inline constexpr double least_level_distance = 0.15;

/// What level_distance() compares.
struct LevelFeatures {
  /// Share of the objects by appearance: "RectFat", "RectFat on end" (nearer to 90 degrees than to 0),
  /// "BasicSmall".
  std::map<std::string, double> structure;
  std::array<double, 3> materials{};  ///< shares of wood, ice and stone in the area of the blocks; all 0
                                      ///< without blocks
  /// Area of blocks, pigs, TNT and platforms in each square of half a unit, as far as their bounding boxes
  /// cover it. Squares count from the slingshot and the ground: the whole level moved sideways is the same
  /// level. By column and row of the square.
  std::map<std::pair<int, int>, double> layout;
};
/// Throws Error for a type that the profile lacks.
LevelFeatures level_features(const Level& level, const Profile& profile);

/// Mean of three distances, each in [0, 1]: total variation (half the sum of absolute differences) of the
/// structure and of the materials, and of the layout 1 - sum of the smaller areas / sum of the larger areas
/// (Ruzicka). Symmetric; 0 for levels whose features are equal.
double level_distance(const LevelFeatures& a, const LevelFeatures& b);

/// How varied a set is.
struct Diversity {
  double mean = 0;     ///< mean distance over all pairs; 0 for fewer than two levels
  double least = 0;    ///< distance of the two most alike; 0 for fewer than two levels
  double nearest = 0;  ///< mean over the levels of the distance to the one most alike
};
Diversity diversity(const std::vector<LevelFeatures>& levels);

}  // namespace startle
