#pragma once
/// \file  Ranks, and correlations that depend on order alone.
#include <optional>
#include <vector>

namespace startle {

/// Ranks from 1; equal values share the mean of their ranks.
std::vector<double> midranks(const std::vector<double>& values);

/// Spearman's rho: Pearson's correlation of the midranks. Empty where there are fewer than two values or one
/// side is constant. Sides of different length, or values that are not finite, throw Error.
std::optional<double> spearman(const std::vector<double>& x, const std::vector<double>& y);

/// Kendall's tau-b: (concordant - discordant)/sqrt((pairs not tied in x)(pairs not tied in y)). Empty and
/// throwing as above.
std::optional<double> kendall(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace startle
