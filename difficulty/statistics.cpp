#include "difficulty/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "difficulty/tiers.hpp"
#include "sim/error.hpp"
#include "sim/random.hpp"

namespace startle {
namespace {

std::optional<double> ratio(std::size_t part, std::size_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

void check_pair(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size())
    throw Error("rank correlation: found " + std::to_string(x.size()) + " and " + std::to_string(y.size()) + " values, allowed are equally many");
  const auto finite = [](double v) { return std::isfinite(v); };
  if (!std::all_of(x.begin(), x.end(), finite) || !std::all_of(y.begin(), y.end(), finite))
    throw Error("rank correlation: found a value that is not finite");
}

}  // namespace

BinaryCounts& BinaryCounts::operator+=(const BinaryCounts& other) {
  both += other.both;
  predicted_only += other.predicted_only;
  seen_only += other.seen_only;
  neither += other.neither;
  return *this;
}

std::optional<double> precision(const BinaryCounts& c) { return ratio(c.both, c.both + c.predicted_only); }
std::optional<double> recall(const BinaryCounts& c) { return ratio(c.both, c.both + c.seen_only); }
std::optional<double> f1_score(const BinaryCounts& c) { return ratio(2 * c.both, 2 * c.both + c.predicted_only + c.seen_only); }
std::optional<double> accuracy(const BinaryCounts& c) { return ratio(c.both + c.neither, c.count()); }

std::vector<double> midranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t k = begin; k < end; ++k) ranks[order[k]] = 0.5 * static_cast<double>(begin + 1 + end);
    begin = end;
  }
  return ranks;
}

std::optional<double> spearman(const std::vector<double>& x, const std::vector<double>& y) {
  check_pair(x, y);
  const std::vector<double> a = midranks(x), b = midranks(y);
  const double mean = 0.5 * static_cast<double>(x.size() + 1);
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean) * (b[i] - mean);
    aa += (a[i] - mean) * (a[i] - mean);
    bb += (b[i] - mean) * (b[i] - mean);
  }
  if (aa == 0 || bb == 0) return std::nullopt;
  return ab / (std::sqrt(aa) * std::sqrt(bb));
}

std::optional<double> kendall(const std::vector<double>& x, const std::vector<double>& y) {
  check_pair(x, y);
  double concordance = 0, apart_x = 0, apart_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      const int sx = (x[i] < x[j]) - (x[j] < x[i]), sy = (y[i] < y[j]) - (y[j] < y[i]);
      concordance += sx * sy;
      apart_x += sx * sx;
      apart_y += sy * sy;
    }
  }
  if (apart_x == 0 || apart_y == 0) return std::nullopt;
  return concordance / (std::sqrt(apart_x) * std::sqrt(apart_y));
}

std::optional<IntervalEstimate> bootstrap_interval(
    std::size_t count, const std::function<std::optional<double>(const std::vector<std::size_t>&)>& statistic, std::uint64_t seed, int resamples) {
  Random random(stream_seed(seed, "bootstrap"));
  std::vector<double> values;
  std::vector<std::size_t> sample(count);
  for (int r = 0; r < resamples; ++r) {
    for (std::size_t& index : sample) index = static_cast<std::size_t>(random.integer(0, static_cast<int>(count) - 1));
    if (const auto value = statistic(sample)) values.push_back(*value);
  }
  if (2 * values.size() < static_cast<std::size_t>(resamples) || values.empty()) return std::nullopt;
  return IntervalEstimate{percentile(values, 2.5), percentile(values, 97.5)};
}

IntervalEstimate wilson_interval(std::size_t hits, std::size_t count) {
  if (count == 0) return {0, 1};
  constexpr double z = 1.959963984540054;  // 97.5th percentile of the normal distribution
  const double n = static_cast<double>(count), p = static_cast<double>(hits) / n;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  return {hits == 0 ? 0 : middle - half, hits == count ? 1 : middle + half};
}

}  // namespace startle
