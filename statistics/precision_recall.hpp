#pragma once
/// \file  Precision against recall as the threshold falls, and the area under it.
///
/// Scores of positives and of negatives; larger is more positive. Functions of scores throw Error when one is
/// not finite, and are empty when there are no positives.
#include <optional>
#include <vector>

namespace startle {

/// What is declared positive at one threshold. Not whole numbers where interpolated.
struct PrCounts {
  double true_positives = 0, false_positives = 0;
};

/// Precision between two neighbouring thresholds (Davis and Goadrich 2006, §4): on the way from `a` to `b`
/// false positives come in proportion to true ones, FP = FP_a + (TP_n - TP_a)(FP_b - FP_a)/(TP_b - TP_a); so
/// precision is NOT linear in recall. TP_a < TP_b, true_positives in (0, TP_b] and not below TP_a.
double interpolated_precision(const PrCounts& a, const PrCounts& b, double true_positives);

/// Area under the curve through `counts` (falling thresholds; the last holds all positives) with that
/// interpolation, integrated exactly: with s = (FP_b - FP_a)/(TP_b - TP_a), a = 1 + s, b = TP_a + FP_a, h =
/// TP_b - TP_a a segment adds h/a + (TP_a - b/a)/a log((b + a h)/b), or h/a where b = 0, over the number of
/// positives. The first segment starts at (0, 0), which extends its precision to recall 0.
double pr_auc(const std::vector<PrCounts>& counts);

/// Of scores; equal scores pass the threshold together.
std::optional<double> pr_auc(const std::vector<double>& positives, const std::vector<double>& negatives);

}  // namespace startle
