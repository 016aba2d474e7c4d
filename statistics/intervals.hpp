#pragma once
/// \file  Intervals that hold a quantity of which a sample is known.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace startle {

struct IntervalEstimate {
  double low = 0, high = 0;
};

/// A statistic and its 95 % interval. Each is empty where there is none: both without values, the interval
/// also for a single value or without spread.
struct [[nodiscard]] Estimate {
  std::optional<double> value;
  std::optional<IntervalEstimate> interval;
  std::size_t count = 0;  ///< values it is of, where that is given
};

/// Percentile bootstrap interval at 95 %: `statistic` of `resamples` samples of `count` indices drawn with
/// replacement. Resamples for which it is empty are left out; empty when more than half are. The same seed
/// gives the same interval. count > 0.
std::optional<IntervalEstimate> bootstrap_interval(
    std::size_t count, const std::function<std::optional<double>(const std::vector<std::size_t>&)>& statistic,
    std::uint64_t seed, int resamples = 1000);

/// Several statistics of the same samples: each interval is the one that bootstrap_interval() gives for that
/// statistic alone with the same seed. `evaluate` is given a sample and writes its statistics in order; those
/// that it leaves alone are empty.
std::vector<std::optional<IntervalEstimate>> bootstrap_intervals(
    std::size_t count, std::size_t statistics,
    const std::function<void(const std::vector<std::size_t>& sample, std::vector<std::optional<double>>&)>&
        evaluate,
    std::uint64_t seed, int resamples = 1000);

/// The same where each value belongs to a row and a column of a table, such as a level and a run: rows and
/// columns are drawn, each by themselves, and a value counts as often as its row was drawn times as often as
/// its column was (Owen 2007, the pigeonhole bootstrap). `evaluate` is given how often each row and each
/// column was drawn. rows, columns > 0.
std::vector<std::optional<IntervalEstimate>> bootstrap_crossed(
    std::size_t rows, std::size_t columns, std::size_t statistics,
    const std::function<void(const std::vector<std::uint32_t>& drawn_rows,
                             const std::vector<std::uint32_t>& drawn_columns,
                             std::vector<std::optional<double>>&)>& evaluate,
    std::uint64_t seed, int resamples = 1000);

/// The same as bootstrap_interval() where several values come from one cluster (the clips of a tuple, the
/// shots of a level) and so are not independent: clusters are drawn, each with all of its values, and
/// `statistic` is given the indices of the values. cluster_of[i] is any number that names the cluster of
/// value i; not empty.
std::optional<IntervalEstimate> bootstrap_clusters(
    const std::vector<std::size_t>& cluster_of,
    const std::function<std::optional<double>(const std::vector<std::size_t>&)>& statistic,
    std::uint64_t seed, int resamples = 1000);

/// Wilson's score interval at 95 % of a rate, `hits` of `count`; [0, 1] for a count of 0.
IntervalEstimate wilson_interval(std::size_t hits, std::size_t count);

/// The same of a rate that is a mean over trials which share what they are made of, and so are worth no more
/// than `count` independent ones. `rate` in [0, 1]; `count` above 0, no whole number as a rule. It holds the
/// rate.
IntervalEstimate wilson_interval_of_rate(double rate, double count);

/// Mean of values in [0, 1], with the percentile bootstrap interval at 95 % that draws clusters
/// (bootstrap_clusters()). Where all values are 0, or all are 1, each sample has the same mean. The interval
/// is then Wilson's for as many values as there are clusters. cluster_of: empty where each value is a cluster
/// of its own. No value without values; no interval where a single cluster has a mean between 0 and 1.
Estimate mean_estimate(const std::vector<double>& values, std::uint64_t seed,
                       const std::vector<std::size_t>& cluster_of = {});

/// So many of so many.
struct [[nodiscard]] Rate {
  std::size_t hits = 0, count = 0;
  /// hits/count; empty for a count of 0.
  std::optional<double> value() const;
  /// Wilson's.
  IntervalEstimate interval() const { return wilson_interval(hits, count); }
  /// Both, with the count; empty for a count of 0.
  Estimate estimate() const;
  friend bool operator==(const Rate&, const Rate&) = default;
};

}  // namespace startle
