#pragma once
/// \file  Metrics of matched clips: how often the clip that should be the more surprising one of a pair or
/// set is so.
#include <cstddef>
#include <optional>
#include <vector>

namespace startle {

/// Two scores are tied when |a - b| <= absolute + relative (|a| + |b|). Clips of matched sets hold the same
/// frames, so that the scores of a model that knows nothing differ by rounding alone, but with a steady sign:
/// without a tolerance it can seem to be far from chance.
struct TieTolerance {
  double absolute = 0, relative = 0;
  bool tied(double a, double b) const;
};

/// Pairs in which the positive scored above, level with, or below the negative.
struct [[nodiscard]] PairedCounts {
  std::size_t above = 0, tied = 0, below = 0;
  std::size_t count() const { return above + tied + below; }
  /// (above + tied/2)/count; empty without pairs.
  std::optional<double> accuracy() const;
};

/// positives[i] against negatives[i]. Throws Error when there are not equally many, or a score is not finite.
PairedCounts paired_counts(const std::vector<double>& positives, const std::vector<double>& negatives,
                           const TieTolerance& tolerance = {});

/// A matched set of clips and how plausible each is.
struct PlausibilitySet {
  std::vector<double> possible, impossible;
};

/// Relative error rate L_R [IntPhys eq. 1]: the share of sets in which the possible clips' plausibilities sum
/// to less than the impossible ones'; a tie counts half (the equation as printed counts it as right). A
/// monotone map of the plausibilities can change it, as it sums them. Empty without sets; throws Error when a
/// set has not equally many of both, or none.
std::optional<double> relative_error(const std::vector<PlausibilitySet>& sets,
                                     const TieTolerance& tolerance = {});

/// Absolute error rate L_A [IntPhys eq. 2]: 1 - AUC of the possible against the impossible clips of all sets.
/// Exact ties count half; no monotone map changes it. Empty without sets.
std::optional<double> absolute_error(const std::vector<PlausibilitySet>& sets);

}  // namespace startle
