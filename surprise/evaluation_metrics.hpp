#pragma once
/// \file  Tables of an evaluation: how well surprise distinguishes twins, by novelty and tier, with what
/// could be distinguished at most.
///
/// Levels are what was sampled, so every interval is a percentile bootstrap at 95 % that draws levels, each
/// with all its twins. A rate of 0 or 1 has Wilson's (mean_estimate()).
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "statistics/intervals.hpp"
#include "surprise/evaluation.hpp"

namespace startle {

/// One score of one shot in either world.
struct TwinScore {
  std::size_t level = 0;  ///< any number that names the level
  double normal = 0, novel = 0;
};

/// Twins are tied, and count a half, when their scores differ by no more than this share of their sum; by the
/// log score, which is a sum over frames of logarithms, when they differ by no more than this number a frame.
/// Smaller differences say which world is a little busier or how sums were rounded, and networks that have
/// learned nothing are far from one half on them (docs/surprise.md).
inline constexpr double default_tie_tolerance = 1e-3;

/// 1 when the novel world is the more surprising one, 0 when the normal is, 1/2 for a tie. `frames`: number
/// of frames predicted.
double paired_outcome(const TwinScore& twin, ClipScore score, std::size_t frames, double tie_tolerance);

struct MetricOptions {
  double tie_tolerance = default_tie_tolerance;  ///< not of predictors that give a clip one number
  std::uint64_t seed = 1;                        ///< of the bootstrap
  int threads = 0;
};

/// How well one score of one predictor distinguishes the worlds of some twins.
struct TwinMetrics {
  std::size_t levels = 0, twins = 0, ties = 0;
  Estimate paired_accuracy;  ///< mean of paired_outcome()
  Estimate roc_auc;          ///< clips of all levels together, novel ones as positives
  Estimate roc_auc_levels;   ///< the same of one number a level and world: the mean of its clips
  Estimate pr_auc;  ///< Davis and Goadrich 2006; one half for blind guesses, as there are as many novel clips
                    ///< as normal ones
  Estimate relative_surprise;  ///< mean of novel - normal [Lin §5]
  Estimate effect_size;        ///< that over the standard deviation of novel - normal
};
/// `all_intervals` false: of the paired accuracy alone.
TwinMetrics twin_metrics(const std::vector<TwinScore>& twins, ClipScore score, std::size_t frames,
                         const MetricOptions& options, bool all_intervals = true);

/// Some of the twins. Empty: all.
struct Selection {
  std::string novelty = {};
  std::optional<Tier> tier = {};
  std::optional<ShotKind> kind = {};
  bool holds(const Evaluation& evaluation, const EvaluatedTwin& twin) const;
};

struct ScoreRow {
  Selection of;
  std::size_t predictor = 0;  ///< index in Evaluation::predictors
  ClipScore score = ClipScore::sum;
  TwinMetrics metrics;
};

/// What any predictor could do.
struct CeilingRow {
  Selection of;
  std::size_t levels = 0, twins = 0;
  Estimate share_differing;  ///< of the twins: some byte of some frame differs
  Estimate best_accuracy;    ///< paired accuracy of a detector that misses none of them: (1 + share)/2
  Estimate difference;       ///< mean over the twins of sum_t ||x_novel[t] - x_normal[t]||^2
};

/// Whether a quantity of levels falls, or rises, from easy to hard: Jonckheere-Terpstra, two-sided. One
/// number a level: the mean of its twins.
struct TrendRow {
  std::string novelty;              ///< empty: all
  std::string of;                   ///< name of a predictor, or "ceiling" for the share of twins that differ
  std::vector<std::size_t> levels;  ///< in easy, medium, hard
  double z = 0;  ///< below 0: falls; 0 with p = 1 where all levels are equal or of one tier
  double p = 1;
  double p_holm = 1;  ///< adjusted for the number of novelties (Holm 1979); p itself where `novelty` is empty
};

/// The first predictor, the model, against another one on the same twins: difference of paired accuracies.
struct ContrastRow {
  std::string novelty;        ///< empty: all
  std::size_t predictor = 0;  ///< the other one
  ClipScore score = ClipScore::sum;
  Estimate difference;  ///< model - other
};

/// Squared errors read as a likelihood [Lin §3.1]: each value of a frame is normal around its prediction,
/// with the one sigma that makes the normal clips most likely. In bits of a value as a byte of the picture
/// has it (statistics/likelihood.hpp); a value in [0, 1] costs 8 bits without a prediction.
struct LikelihoodRow {
  std::size_t predictor = 0;     ///< one whose squared errors are of frames, and not all 0
  double sigma = 0;              ///< of values in [0, 1]
  double normal = 0, novel = 0;  ///< bits, mean over all normal and all novel clips
};

/// The likelihood that a model itself states (ClipSurprise::stated), in bits a value. It is that of a
/// density: it depends on the values' unit, and may be below 0.
struct StatedLikelihoodRow {
  std::size_t predictor = 0;
  TwinPair<std::size_t> values = {};
  TwinPair<double> bits = {};  ///< mean over all values of the normal and of the novel clips
};

struct EvaluationTables {
  std::vector<std::string> novelties;  ///< of the set, in order of their names
  std::vector<ScoreRow> scores;  ///< novelty or all x tier or all x predictor x score; then shot kind x tier
                                 ///< or all, of the sum
  std::vector<CeilingRow> ceiling;     ///< novelty or all x tier or all; then shot kind x tier or all
  std::vector<TrendRow> trends;        ///< novelty or all x (ceiling, predictors), by the sum
  std::vector<ContrastRow> contrasts;  ///< novelty or all x other predictor x score
  std::vector<LikelihoodRow> likelihoods;
  std::vector<StatedLikelihoodRow> stated_likelihoods;  ///< of predictors with values in both worlds

  const ScoreRow& score(const std::string& novelty, std::optional<Tier> tier, std::size_t predictor,
                        ClipScore score) const;
  const CeilingRow& ceiling_of(const std::string& novelty, std::optional<Tier> tier) const;
  const TrendRow& trend(const std::string& novelty, const std::string& of) const;
};
/// MetricOptions::tie_tolerance, but 0 for a predictor that gives a clip one number: its unit and its zero
/// are its own.
double tie_tolerance_of(const Evaluation& evaluation, std::size_t predictor, const MetricOptions& options);

/// Throws Error for an evaluation without twins.
EvaluationTables evaluation_tables(const Evaluation& evaluation, const MetricOptions& options = {});

/// Squared difference of the two clips over all frames; 0: nobody can distinguish them.
double total_difference(const EvaluatedTwin& twin);

/// Scores of the twins in a selection.
std::vector<TwinScore> twin_scores(const Evaluation& evaluation, const Selection& selection,
                                   std::size_t predictor, ClipScore score);

/// The trend over tiers of one number a level, the mean of `value` over its twins; p_holm is p.
TrendRow trend_row(const Evaluation& evaluation, const std::string& novelty, const std::string& of,
                   const std::function<double(const EvaluatedTwin&)>& value);

/// Two detectors' outcomes, each in [0, 1], on the same twin.
struct OutcomePair {
  std::size_t level = 0;
  double a = 0, b = 0;
};
/// Mean of a - b.
Estimate mean_difference(const std::vector<OutcomePair>& pairs, std::uint64_t seed);

}  // namespace startle
