#include "statistics/roc.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>

#include "statistics/finite.hpp"
#include "statistics/rank_correlation.hpp"

namespace startle {
namespace {

std::vector<double> joined(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
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

}  // namespace startle
