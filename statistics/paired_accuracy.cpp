#include "statistics/paired_accuracy.hpp"

#include <cmath>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "statistics/finite.hpp"
#include "statistics/roc.hpp"

namespace startle {

bool TieTolerance::tied(double a, double b) const {
  return std::fabs(a - b) <= absolute + relative * (std::fabs(a) + std::fabs(b));
}

std::optional<double> PairedCounts::accuracy() const {
  if (count() == 0) return std::nullopt;
  return (static_cast<double>(above) + 0.5 * static_cast<double>(tied)) / static_cast<double>(count());
}

PairedCounts paired_counts(const std::vector<double>& positives, const std::vector<double>& negatives,
                           const TieTolerance& tolerance) {
  if (positives.size() != negatives.size())
    throw Error("paired scores: found " + std::to_string(positives.size()) + " positives and " +
                std::to_string(negatives.size()) + " negatives, allowed are equally many");
  check_finite("paired scores", positives);
  check_finite("paired scores", negatives);
  PairedCounts counts;
  for (std::size_t i = 0; i < positives.size(); ++i) {
    if (tolerance.tied(positives[i], negatives[i]))
      ++counts.tied;
    else
      ++(positives[i] > negatives[i] ? counts.above : counts.below);
  }
  return counts;
}

std::optional<double> relative_error(const std::vector<PlausibilitySet>& sets,
                                     const TieTolerance& tolerance) {
  std::vector<double> possible, impossible;
  for (const PlausibilitySet& set : sets) {
    if (set.possible.empty() || set.possible.size() != set.impossible.size())
      throw Error("relative error: found a set of " + std::to_string(set.possible.size()) + " possible and " +
                  std::to_string(set.impossible.size()) +
                  " impossible clips, allowed are equally many and one or more");
    possible.push_back(std::accumulate(set.possible.begin(), set.possible.end(), 0.0));
    impossible.push_back(std::accumulate(set.impossible.begin(), set.impossible.end(), 0.0));
  }
  return paired_counts(impossible, possible, tolerance).accuracy();
}

std::optional<double> absolute_error(const std::vector<PlausibilitySet>& sets) {
  std::vector<double> possible, impossible;
  for (const PlausibilitySet& set : sets) {
    possible.insert(possible.end(), set.possible.begin(), set.possible.end());
    impossible.insert(impossible.end(), set.impossible.begin(), set.impossible.end());
  }
  const std::optional<double> auc = roc_auc(possible, impossible);
  if (!auc) return std::nullopt;
  return 1 - *auc;
}

}  // namespace startle
