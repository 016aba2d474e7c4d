#include "statistics/precision_recall.hpp"

#include <cmath>

#include "core/math.hpp"
#include "statistics/finite.hpp"
#include "statistics/roc.hpp"

namespace startle {
namespace {

/// Counts at each distinct score, from (0, 0).
std::vector<PrCounts> counts_of(const std::vector<double>& positives, const std::vector<double>& negatives) {
  check_finite("precision and recall", positives);
  check_finite("precision and recall", negatives);
  const double m = static_cast<double>(positives.size()), n = static_cast<double>(negatives.size());
  if (negatives.empty()) return {{0, 0}, {m, 0}};
  std::vector<PrCounts> counts;
  for (const RocPoint& point : roc_curve(positives, negatives))
    counts.push_back({std::round(point.true_positive_rate * m), std::round(point.false_positive_rate * n)});
  return counts;
}

}  // namespace

double interpolated_precision(const PrCounts& a, const PrCounts& b, double true_positives) {
  const double slope = (b.false_positives - a.false_positives) / (b.true_positives - a.true_positives);
  return true_positives / (true_positives + a.false_positives + slope * (true_positives - a.true_positives));
}

double pr_auc(const std::vector<PrCounts>& counts) {
  PrCounts from;
  double area = 0;
  for (const PrCounts& to : counts) {
    const double h = to.true_positives - from.true_positives;
    if (h > 0) {
      const double a = 1 + (to.false_positives - from.false_positives) / h,
                   b = from.true_positives + from.false_positives;
      area += h / a;
      if (b > 0) area += (from.true_positives - b / a) / a * math::log((b + a * h) / b);
    }
    from = to;
  }
  return area / from.true_positives;
}

std::optional<double> pr_auc(const std::vector<double>& positives, const std::vector<double>& negatives) {
  const std::vector<PrCounts> counts = counts_of(positives, negatives);
  if (positives.empty()) return std::nullopt;
  return pr_auc(counts);
}

}  // namespace startle
