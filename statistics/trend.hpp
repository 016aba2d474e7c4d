#pragma once
/// \file  Do values, or rates, rise or fall over ordered groups (easy, medium, hard)?
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "statistics/intervals.hpp"

namespace startle {

struct TrendTest {
  double statistic = 0;  ///< J, or the sum T of Cochran and Armitage
  double expected = 0;   ///< without a trend
  double z = 0;          ///< (statistic - expected)/its standard deviation; above 0: rising
  double p = 1;          ///< two-sided
  std::size_t count = 0;
};

/// Jonckheere and Terpstra's test: J = sum over groups i < j of #{x in i, y in j: x < y} + ties/2, with the normal approximation and the
/// variance corrected for ties (Hollander and Wolfe 1999, §6.2). The values must be independent: where a level gives several, give their mean.
/// Empty with fewer than two groups that hold values, or when all values are equal. Throws Error when one is not finite.
std::optional<TrendTest> jonckheere_terpstra(const std::vector<std::vector<double>>& groups);

/// The same with p = (1 + #{permutations whose |J - E J| is no less})/(1 + permutations): for groups too small for the
/// approximation (some ten values). The same seed gives the same p.
std::optional<TrendTest> jonckheere_terpstra_permutation(const std::vector<std::vector<double>>& groups, std::uint64_t seed,
                                                         int permutations = 2000);

/// Cochran and Armitage's test of rates over groups with scores 0, 1, 2 ...: T = sum of s_i (hits_i - count_i p), p the pooled rate, variance
/// p (1 - p)(sum n_i s_i^2 - (sum n_i s_i)^2/N) (Agresti 2002, §5.3.5), so z^2 = N r^2 with r the correlation of score and hit.
/// Empty with fewer than two groups that count, or when the pooled rate is 0 or 1. Throws Error when hits exceed a count.
std::optional<TrendTest> cochran_armitage(const std::vector<Rate>& groups);

}  // namespace startle
