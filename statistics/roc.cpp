#include "statistics/roc.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>

#include "statistics/finite.hpp"
#include "statistics/rank_correlation.hpp"

namespace startle {
namespace {

std::vector<double> joined(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::uint64_t sum_of(const std::vector<std::uint32_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

}  // namespace

std::vector<RocPoint> roc_curve(const std::vector<double>& positives, const std::vector<double>& negatives) {
  check_finite("ROC curve", positives);
  check_finite("ROC curve", negatives);
  if (positives.empty() || negatives.empty()) return {};
  std::vector<double> p = positives, n = negatives;
  std::sort(p.begin(), p.end(), std::greater<>());
  std::sort(n.begin(), n.end(), std::greater<>());
  std::vector<RocPoint> points{{.threshold = std::numeric_limits<double>::infinity()}};
  for (std::size_t i = 0, j = 0; i < p.size() || j < n.size();) {
    const double threshold = j == n.size() || (i < p.size() && p[i] > n[j]) ? p[i] : n[j];
    while (i < p.size() && p[i] == threshold) ++i;
    while (j < n.size() && n[j] == threshold) ++j;
    points.push_back({.threshold = threshold,
                      .false_positive_rate = static_cast<double>(j) / static_cast<double>(n.size()),
                      .true_positive_rate = static_cast<double>(i) / static_cast<double>(p.size())});
  }
  return points;
}

std::optional<double> roc_auc(const std::vector<double>& positives, const std::vector<double>& negatives) {
  check_finite("ROC AUC", positives);
  check_finite("ROC AUC", negatives);
  if (positives.empty() || negatives.empty()) return std::nullopt;
  const std::vector<double> ranks = midranks(joined(positives, negatives));
  const double m = static_cast<double>(positives.size()), n = static_cast<double>(negatives.size());
  double sum = 0;
  for (std::size_t i = 0; i < positives.size(); ++i) sum += ranks[i];
  return (sum - m * (m + 1) / 2) / (m * n);
}

std::optional<double> detection_rate(const std::vector<double>& positives,
                                     const std::vector<double>& negatives, double false_alarms) {
  std::optional<double> rate;
  for (const RocPoint& point : roc_curve(positives, negatives))  // both rates rise
    if (point.false_positive_rate <= false_alarms) rate = point.true_positive_rate;
  return rate;
}

std::optional<double> roc_auc(const ScoreCounts& counts) {
  // Midranks are halves of whole numbers, and so are their sums: twice the sum is exact.
  std::uint64_t below = 0, twice_sum = 0, positives = 0;
  for (std::size_t i = 0; i < counts.positives.size(); ++i) {
    const std::uint64_t p = counts.positives[i], here = p + counts.negatives[i];
    twice_sum += p * (2 * below + here + 1);
    positives += p;
    below += here;
  }
  if (positives == 0 || positives == below) return std::nullopt;
  const double m = static_cast<double>(positives), n = static_cast<double>(below - positives);
  return (static_cast<double>(twice_sum) / 2 - m * (m + 1) / 2) / (m * n);
}

std::optional<double> detection_rate(const ScoreCounts& counts, double false_alarms) {
  const std::uint64_t m = sum_of(counts.positives), n = sum_of(counts.negatives);
  if (m == 0 || n == 0) return std::nullopt;
  std::uint64_t positives = 0, negatives = 0;
  for (std::size_t i = counts.positives.size(); i-- > 0;) {
    const std::uint64_t above = negatives + counts.negatives[i];
    if (static_cast<double>(above) / static_cast<double>(n) > false_alarms) break;
    negatives = above;
    positives += counts.positives[i];
  }
  return static_cast<double>(positives) / static_cast<double>(m);
}

}  // namespace startle
