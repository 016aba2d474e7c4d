#pragma once
/// \file  The receiver operating characteristic: detections against false alarms as the threshold falls.
///
/// Scores of positives (what is to be detected) and of negatives; larger is more positive. Every function
/// throws Error when a score is not finite.
#include <cstdint>
#include <optional>
#include <vector>

namespace startle {

struct RocPoint {
  double threshold = 0;  ///< a score is declared positive when >= threshold; infinity at the first point
  double false_positive_rate = 0;  ///< declared negatives / negatives
  double true_positive_rate = 0;   ///< declared positives / positives
};

/// From (0, 0) to (1, 1), one point for each distinct score. Empty when there are no positives or no
/// negatives.
std::vector<RocPoint> roc_curve(const std::vector<double>& positives, const std::vector<double>& negatives);

/// Area under it: the probability that a positive scores above a negative, a tie counting half,
/// (sum of the positives' midranks - m(m+1)/2)/(mn) for m positives and n negatives; equal to the trapezoid
/// rule on roc_curve(). Empty as above.
std::optional<double> roc_auc(const std::vector<double>& positives, const std::vector<double>& negatives);

/// Detections at a fixed rate of false alarms: the largest true positive rate of the points of roc_curve()
/// whose false positive rate is at most `false_alarms`, in [0, 1]; nothing is interpolated. Empty as above.
std::optional<double> detection_rate(const std::vector<double>& positives,
                                     const std::vector<double>& negatives, double false_alarms);

/// The number of positives and of negatives with each distinct score, the lowest score first: all that the
/// functions above depend on. When the same scores are drawn again and again (bootstrap), they are sorted
/// once and counted each time. Both vectors have the same length; a score with counts of 0 was not drawn.
struct ScoreCounts {
  std::vector<std::uint32_t> positives, negatives;
};
/// The same numbers, to the last bit, as of the scores themselves; their time is linear in the number of
/// different scores.
std::optional<double> roc_auc(const ScoreCounts& counts);
std::optional<double> detection_rate(const ScoreCounts& counts, double false_alarms);

}  // namespace startle
