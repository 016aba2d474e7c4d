#include "statistics/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/random.hpp"
#include "statistics/percentile.hpp"

namespace startle {

namespace {

/// `resample` draws a sample and writes its statistics.
std::vector<std::optional<IntervalEstimate>> intervals_of(
    std::size_t statistics, int resamples,
    const std::function<void(std::vector<std::optional<double>>&)>& resample) {
  std::vector<std::vector<double>> values(statistics);
  std::vector<std::optional<double>> of_sample;
  for (int r = 0; r < resamples; ++r) {
    of_sample.assign(statistics, std::nullopt);
    resample(of_sample);
    for (std::size_t s = 0; s < statistics; ++s)
      if (of_sample[s]) values[s].push_back(*of_sample[s]);
  }
  std::vector<std::optional<IntervalEstimate>> intervals(statistics);
  for (std::size_t s = 0; s < statistics; ++s)
    if (2 * values[s].size() >= static_cast<std::size_t>(resamples) && !values[s].empty())
      intervals[s] = IntervalEstimate{percentile(values[s], 2.5), percentile(values[s], 97.5)};
  return intervals;
}

std::size_t draw(Random& random, std::size_t count) {
  return static_cast<std::size_t>(random.integer(0, static_cast<int>(count) - 1));
}

}  // namespace

std::vector<std::optional<IntervalEstimate>> bootstrap_intervals(
    std::size_t count, std::size_t statistics,
    const std::function<void(const std::vector<std::size_t>&, std::vector<std::optional<double>>&)>& evaluate,
    std::uint64_t seed, int resamples) {
  Random random(stream_seed(seed, "bootstrap"));
  std::vector<std::size_t> sample(count);
  return intervals_of(statistics, resamples, [&](std::vector<std::optional<double>>& values) {
    for (std::size_t& index : sample) index = draw(random, count);
    evaluate(sample, values);
  });
}

std::vector<std::optional<IntervalEstimate>> bootstrap_crossed(
    std::size_t rows, std::size_t columns, std::size_t statistics,
    const std::function<void(const std::vector<std::uint32_t>&, const std::vector<std::uint32_t>&,
                             std::vector<std::optional<double>>&)>& evaluate,
    std::uint64_t seed, int resamples) {
  Random random(stream_seed(seed, "bootstrap"));
  std::vector<std::uint32_t> of_rows, of_columns;
  return intervals_of(statistics, resamples, [&](std::vector<std::optional<double>>& values) {
    of_rows.assign(rows, 0);
    of_columns.assign(columns, 0);
    for (std::size_t i = 0; i < rows; ++i) ++of_rows[draw(random, rows)];
    for (std::size_t i = 0; i < columns; ++i) ++of_columns[draw(random, columns)];
    evaluate(of_rows, of_columns, values);
  });
}

std::optional<IntervalEstimate> bootstrap_interval(
    std::size_t count, const std::function<std::optional<double>(const std::vector<std::size_t>&)>& statistic,
    std::uint64_t seed, int resamples) {
  return bootstrap_intervals(
      count, 1,
      [&](const std::vector<std::size_t>& sample, std::vector<std::optional<double>>& values) {
        values[0] = statistic(sample);
      },
      seed, resamples)[0];
}

std::optional<IntervalEstimate> bootstrap_clusters(
    const std::vector<std::size_t>& cluster_of,
    const std::function<std::optional<double>(const std::vector<std::size_t>&)>& statistic,
    std::uint64_t seed, int resamples) {
  std::map<std::size_t, std::vector<std::size_t>> named;
  for (std::size_t i = 0; i < cluster_of.size(); ++i) named[cluster_of[i]].push_back(i);
  std::vector<std::vector<std::size_t>> clusters;
  for (auto& [cluster, values] : named) clusters.push_back(std::move(values));
  const auto of_clusters = [&](const std::vector<std::size_t>& drawn) {
    std::vector<std::size_t> values;
    for (std::size_t cluster : drawn)
      values.insert(values.end(), clusters[cluster].begin(), clusters[cluster].end());
    return statistic(values);
  };
  return bootstrap_interval(clusters.size(), of_clusters, seed, resamples);
}

IntervalEstimate wilson_interval(std::size_t hits, std::size_t count) {
  if (count == 0) return {0, 1};
  return wilson_interval_of_rate(static_cast<double>(hits) / static_cast<double>(count),
                                 static_cast<double>(count));
}

IntervalEstimate wilson_interval_of_rate(double rate, double count) {
  constexpr double z = 1.959963984540054;  // 97.5th percentile of the normal distribution
  const double n = count, p = rate;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  return {p == 0 ? 0 : middle - half, p == 1 ? 1 : middle + half};
}

Estimate mean_estimate(const std::vector<double>& values, std::uint64_t seed,
                       const std::vector<std::size_t>& cluster_of) {
  Estimate estimate{.count = values.size()};
  if (values.empty()) return estimate;
  const auto mean_of = [&](const std::vector<std::size_t>& which) -> std::optional<double> {
    double sum = 0;
    for (const std::size_t i : which) sum += values[i];
    return sum / static_cast<double>(which.size());
  };
  std::vector<std::size_t> all(values.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  estimate.value = mean_of(all);
  const std::vector<std::size_t>& clusters = cluster_of.empty() ? all : cluster_of;
  const std::size_t count = std::set<std::size_t>(clusters.begin(), clusters.end()).size();
  const double first = values.front();
  const bool alike = std::all_of(values.begin(), values.end(), [&](double value) { return value == first; });
  if (alike && (first == 0 || first == 1))
    estimate.interval = wilson_interval_of_rate(first, static_cast<double>(count));
  else if (count > 1)
    estimate.interval = bootstrap_clusters(clusters, mean_of, seed);
  return estimate;
}

std::optional<double> Rate::value() const {
  if (count == 0) return std::nullopt;
  return static_cast<double>(hits) / static_cast<double>(count);
}

Estimate Rate::estimate() const {
  if (count == 0) return {};
  return {.value = value(), .interval = interval(), .count = count};
}

}  // namespace startle
