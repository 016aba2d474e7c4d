#pragma once
/// \file  Do values rise or fall over ordered groups (easy, medium, hard)?
#include <cstddef>
#include <optional>
#include <vector>

namespace startle {

struct TrendTest {
  double statistic = 0;  ///< J
  double expected = 0;   ///< without a trend
  double z = 0;          ///< (statistic - expected)/its standard deviation; above 0: rising
  double p = 1;          ///< two-sided
  std::size_t count = 0;
};

/// Jonckheere and Terpstra's test: J = sum over groups i < j of #{x in i, y in j: x < y} + ties/2, with the
/// normal approximation and the variance corrected for ties (Hollander and Wolfe 1999, §6.2). The values must
/// be independent: where a level gives several, give their mean. Empty with fewer than two groups that hold
/// values, or when all values are equal. Throws Error when one is not finite.
std::optional<TrendTest> jonckheere_terpstra(const std::vector<std::vector<double>>& groups);

}  // namespace startle
