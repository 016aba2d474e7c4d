#pragma once
/// \file  Where a number stands among those of normal shots in the same context.
#include <cstddef>
#include <vector>

namespace startle {

/// What is known of a shot before its score is: how much of something moved, how much could be detected by
/// it. And the score.
struct ContextScore {
  double context = 0, score = 0;
};

/// The distribution of a score in normal shots, in bins of context of equal counts. Between the 5th and the
/// 95th percentile by interpolation, beyond them by exponential tails with the mean excess of the shots that
/// lie there.
struct ContextRanks {
  struct Bin {
    double upto = 0;                ///< largest context in the bin; that of the last bin means nothing
    std::vector<double> quantiles;  ///< 5th, 10th ... 95th percentile
    double low_excess = 0, high_excess = 0;
  };
  std::vector<Bin> bins;  ///< in order of context; none: too few normal shots to say anything

  /// The chance in the normal world, in that context, of a score of at least this (`above`), of at most this.
  /// In [least_p, 1]; 1 without bins.
  double above(double context, double score) const;
  double below(double context, double score) const;
  /// Of a score as far off, in either direction.
  double either(double context, double score) const;
};
inline constexpr double least_p = 1e-4;                 ///< tails are not known better
inline constexpr std::size_t least_normal_shots = 120;  ///< for a distribution
inline constexpr std::size_t shots_a_bin = 250;

ContextRanks rank_contexts(std::vector<ContextScore> normal);

/// The scores of normal shots in the bins that ContextRanks has, in order of context, each with its largest
/// context. None: too few normal shots to say anything.
struct ContextScores {
  struct Bin {
    double upto = 0;             ///< that of the last bin means nothing
    std::vector<double> scores;  ///< in ascending order
  };
  std::vector<Bin> bins;

  /// The chance in the normal world, in that context, of a score of at least this, by counting: the share of
  /// scores that are, this one counted among them. Whatever the unit of the score, and ties count against it.
  /// 1 without bins.
  double above(double context, double score) const;
};
ContextScores scores_by_context(std::vector<ContextScore> normal);

}  // namespace startle
