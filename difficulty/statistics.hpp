#pragma once
/// \file  Statistics of agreement: rank correlations, intervals, and counts of right and wrong predictions.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace startle {

/// Yes/no predictions against the truth.
struct BinaryCounts {
  std::size_t both = 0;            ///< true positives
  std::size_t predicted_only = 0;  ///< false positives
  std::size_t seen_only = 0;       ///< false negatives
  std::size_t neither = 0;         ///< true negatives

  void add(bool predicted, bool seen) { ++(predicted ? (seen ? both : predicted_only) : (seen ? seen_only : neither)); }
  BinaryCounts& operator+=(const BinaryCounts& other);
  std::size_t count() const { return both + predicted_only + seen_only + neither; }
  friend bool operator==(const BinaryCounts&, const BinaryCounts&) = default;
};

/// Each is empty where its denominator is 0: nothing was predicted, seen, or counted.
std::optional<double> precision(const BinaryCounts& counts);
std::optional<double> recall(const BinaryCounts& counts);
/// Harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN).
std::optional<double> f1_score(const BinaryCounts& counts);
std::optional<double> accuracy(const BinaryCounts& counts);

/// Ranks from 1; equal values share the mean of their ranks.
std::vector<double> midranks(const std::vector<double>& values);

/// Spearman's rho: Pearson's correlation of the midranks. Empty where there are fewer than two values or one side is
/// constant. Sides of different length, or values that are not finite, throw Error.
std::optional<double> spearman(const std::vector<double>& x, const std::vector<double>& y);

/// Kendall's tau-b: (concordant - discordant)/sqrt((pairs not tied in x)(pairs not tied in y)). Empty and throwing as above.
std::optional<double> kendall(const std::vector<double>& x, const std::vector<double>& y);

struct IntervalEstimate {
  double low = 0, high = 0;
};

/// Percentile bootstrap interval at 95 %: `statistic` of `resamples` samples of `count` indices drawn with replacement. Resamples
/// for which it is empty are left out; empty when more than half are. The same seed gives the same interval. count > 0.
std::optional<IntervalEstimate> bootstrap_interval(
    std::size_t count, const std::function<std::optional<double>(const std::vector<std::size_t>&)>& statistic, std::uint64_t seed,
    int resamples = 1000);

/// Wilson's score interval at 95 % of a rate, `hits` of `count`; [0, 1] for a count of 0.
IntervalEstimate wilson_interval(std::size_t hits, std::size_t count);

}  // namespace startle
