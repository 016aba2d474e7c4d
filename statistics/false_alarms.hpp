#pragma once
/// \file  Sequential tests of a trial with a bound on the chance of any false alarm in it.
///
/// A trial is a sequence of levels, each a sequence of shots. An alarm is raised as soon as the p-value of
/// the trial is at most alpha. Then a normal trial has an alarm with a chance of at most alpha, whenever one
/// looks.
///
/// - SequentialTest needs p-values that are valid one after another: given what came before, p <= u has a
///   chance of at most u. It is exact for a known number of them, where Ville's inequality is not.
/// - CalibratedScores makes such p-values of any score, from finitely many normal ones that are used again
///   and again: given these, p is valid with the confidence that is asked for.
///
/// \code
///   // given: const std::vector<double>& scores, std::size_t levels, double largest
///   const CalibratedScores normal(scores);  // each the largest score of a whole normal level
///   SequentialTest trial(levels);
///   // After each shot, with the largest score of the level so far: an alarm at p <= 0.05.
///   const double p = trial.if_next(normal.p(largest));
///   // At the end of each level:
///   trial.add(normal.p(largest));
/// \endcode
#include <cstddef>
#include <optional>
#include <vector>

namespace startle {

/// Detectors that come with Startle bound the chance of an alarm in a normal trial by so much.
inline constexpr double false_alarm_rate = 0.05;

/// How a p-value is reported as a likelihood of novelty: alpha/(alpha + p), a half at alpha, the false alarm
/// rate. p over 0 to 1.
double likelihood_of_p(double p);
/// And back. Likelihoods over 0 to 1.
double p_of_likelihood(double likelihood);

/// Page's CUSUM of at most `length` p-values, E <- max(E, 1) kappa p^(kappa - 1)
/// (statistics/sequential_evidence.hpp), as a p-value of the whole sequence: the chance that `length` uniform
/// p-values on end reach as much at any time.
class SequentialTest {
 public:
  /// Throws Error for a length of 0.
  explicit SequentialTest(std::size_t length);
  /// Takes one more, over 0 to 1, and returns the p-value of the sequence. Throws Error for other p-values
  /// and for more than `length`.
  double add(double p);
  /// What add(p) would return, without adding it. It falls with p, so p may be a provisional p-value that can
  /// only fall, such as that of a level still being played.
  double if_next(double p) const;

 private:
  double evidence_after(double p) const;
  std::vector<double> powers_;  ///< of the normal world, 1 each
  std::size_t count_ = 0;
  double log_evidence_ = 0;
};

/// A trial of several levels: of each the smallest p-value so far counts, one after the other.
class LevelsTest {
 public:
  /// Throws Error for no levels.
  explicit LevelsTest(std::size_t levels) : levels_(levels) {}
  /// likelihood_of_p() of the trial after a shot at `level`, where p is a p-value of that level, over 0 to 1.
  /// A `level` that differs from the previous one begins the next level. Throws Error, and changes nothing,
  /// for other p-values and for too many levels.
  double likelihood(int level, double p);

 private:
  SequentialTest levels_;
  std::optional<int> level_;
  double p_ = 1;  ///< the smallest of the level
};

/// The chance that the CUSUM of independent p-values, one after the other, ever reaches exp(log_evidence).
/// The chance of p <= u is u^power: powers of 1 are the normal world, of 0 a p-value of 0. It is calculated
/// on a grid, rounded up: too large by at most 0.002.
double chance_of_evidence(double log_evidence, const std::vector<double>& powers);
/// The evidence, its log, that `length` uniform p-values reach with a chance of false_alarm_rate.
double log_evidence_of_alarm(std::size_t length);

/// Scores of normal units, whatever the unit is: what is tested must be drawn as they were. Larger is less
/// normal.
class CalibratedScores {
 public:
  /// `confidence` over 0 to below 1. Throws Error for no scores, NaN and other confidences.
  explicit CalibratedScores(std::vector<double> normal, double confidence = 0.95);

  /// The rank (1 + scores at least as large)/(n + 1). In the mean over sets of normal scores it is valid;
  /// with a set in hand, used again and again, it may be too small [Vovk, Gammerman and Shafer 2005].
  double rank(double score) const;
  /// With probability `confidence` over sets of normal scores, p <= u has a chance of at most u for all u at
  /// once [Bates, Candes, Lei, Romano and Sesia 2023, the adjustment by Simes' inequality with k = n/2].
  /// Given the set, p-values of independent units are independent, and may be added up.
  double p(double score) const;
  std::size_t size() const { return normal_.size(); }

 private:
  std::size_t at_least(double score) const;
  std::vector<double> normal_;  ///< rising
  std::vector<double> bounds_;  ///< p-values where 0, 1 ... n normal scores are at least as large
};

}  // namespace startle
