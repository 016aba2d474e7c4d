#pragma once
/// \file  Detection by p-values: of every detector of an evaluation, shot by shot and in trials of many
/// levels.
///
/// The detectors are the evaluation's own (the dynamics model, observers) and, in addition, every predictor
/// of clips, *calibrated*: its sum of squared errors divided by the change of the clip is ranked, two-sided,
/// among normal clips in which as much changes. So a normal clip has a uniform p-value whatever moves in it,
/// and too little happening counts like too much. Numbers in a unit of the predictor's own are ranked as they
/// are, one-sided, larger being more surprising.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulated/observer.hpp"
#include "statistics/intervals.hpp"
#include "surprise/dynamics/context_ranks.hpp"
#include "surprise/evaluation_metrics.hpp"

namespace startle {

/// What a predictor is ranked by: the log of its sum of errors over the change (0 for a copy of the last
/// frame), in the context of the log of the change, all clips of one shot together.
ContextScore context_score(const std::vector<FrameErrors>& clips);

/// An evaluation in which the predictors stand among its detectors: "model, calibrated" after "dynamics",
/// "observer" and so on. Levels are in two halves, by turns, and a clip is ranked among the normal clips of
/// the half that its level is not in; with fewer than least_normal_shots of them
/// (surprise/dynamics/context_ranks.hpp) p is 1 and says nothing.
Evaluation with_calibrated_predictors(Evaluation evaluation);

/// Whether the detector has p-values. One that ranks clips needs least_normal_shots normal clips in each half
/// of the levels; any other has them.
bool has_p_values(const Evaluation& evaluation, std::size_t detector);

/// What speaks most against a shot in the normal world: the statistics with the smallest p-value.
struct LeastLikely {
  double p = 1;
  std::vector<std::size_t> statistics;  ///< indices in Evaluation::statistics of the detector
};
/// None for a detector without statistics, and where none of them says anything of the shot.
std::optional<LeastLikely> least_likely(const Evaluation& evaluation, const EvaluatedTwin& twin,
                                        std::size_t detector, bool novel);

/// By what shots were detected. A shot whose smallest p-value several statistics share counts for each of
/// them in part.
struct StatisticRow {
  std::string novelty;  ///< empty: all
  std::size_t detector = 0, statistic = 0;
  double detected = 0;      ///< novel shots with p <= detection_p in which this statistic has the least p
  double false_alarms = 0;  ///< the same of normal shots
};

/// A detector on some twins. One without p-values has no estimates.
struct DetectionRow {
  Selection of;
  std::size_t detector = 0;  ///< index in Evaluation::detectors
  std::size_t levels = 0, twins = 0;
  Estimate paired_accuracy;  ///< share of twins in which the novel shot has the smaller p, ties a half
  Estimate detected;         ///< share of novel shots with p <= detection_p
  Estimate false_alarms;     ///< the same of normal shots: what it gives where nothing has changed
};

/// What could be detected in the clips at all: the share of pairs that differ visibly, and the paired
/// accuracy of a detector that misses none of them.
struct VisibleRow {
  Selection of;
  Estimate share, best_accuracy;
};

/// Trials: trial_levels normal levels and then as many novel ones, all of one novelty and tier, fewer where
/// there are fewer of them; each with all its shots, no level twice. The normal ones are drawn from all
/// others of the evaluation. Evidence is added up (statistics/sequential_evidence.hpp), and an alarm is
/// raised when it passes the threshold that 2 % of trials of 2 trial_levels normal levels pass.
inline constexpr std::size_t trial_levels = 10;
inline constexpr double trial_false_alarms = 0.02;
inline constexpr std::size_t least_trial_levels = 4;  ///< of a novelty and tier, and 2 trial_levels in all:
                                                      ///< with fewer there are no trials

struct TrialRow {
  Selection of;  ///< novelty or all, tier or all
  std::size_t detector = 0, levels = 0;
  Estimate detected;      ///< share of trials with an alarm among the novel levels and not before
  Estimate null;          ///< the same trials with the normal twins of those levels: what `detected` would be
                          ///< had nothing changed
  Estimate false_alarms;  ///< share with an alarm among the normal levels
  /// Novel levels until the alarm, its own counted; mean over detected trials. Empty: none was.
  std::optional<double> delay;
  /// p of a trial: the rank of its largest evidence among the trials that the threshold is from, at least
  /// 1/2001. Medians over trials, and over the same trials with the normal twins. Empty: no trials.
  std::optional<double> p, null_p;
};

struct DetectionTables {
  std::vector<DetectionRow> shots;  ///< novelty or all x tier or all x detector
  std::vector<VisibleRow> visible;  ///< novelty or all x tier or all
  /// Novelty or all x detector that has statistics x statistic that detected anything, most first
  std::vector<StatisticRow> statistics;
  std::vector<TrendRow> trends;    ///< novelty or all x detector: of the level's mean of "detected"; z 0 and
                                   ///< p 1 for a detector without p-values
  std::vector<double> thresholds;  ///< of evidence, by detector; log
  std::vector<TrialRow> trials;    ///< novelty or all x tier or all x detector

  const DetectionRow& shot(const std::string& novelty, std::optional<Tier> tier, std::size_t detector) const;
  const VisibleRow& visible_of(const std::string& novelty, std::optional<Tier> tier) const;
  const TrendRow& trend(const std::string& novelty, const std::string& detector) const;
  const TrialRow& trial(const std::string& novelty, std::optional<Tier> tier, std::size_t detector) const;
};

/// Detection of an evaluation's novelties by p-values, by novelty and tier, with intervals at 95 %. Those of
/// shots are mean_estimate()'s, over levels. Those of trials are Wilson's, for as many independent trials
/// as the levels make at least: a cell of 12 is worth 1.2 spans of 10 novel levels, and all levels so many
/// tenths of normal spans. A bootstrap would repeat levels within a trial, and the evidence of a level that
/// comes again is no new evidence: its false alarms exceed those of trials whose levels differ. `trials`:
/// whether to compute them. Throws Error for an evaluation without twins.
DetectionTables detection_tables(const Evaluation& evaluation, const MetricOptions& options, bool trials);

}  // namespace startle
