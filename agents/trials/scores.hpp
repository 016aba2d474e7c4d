#pragma once
/// \file  Scores of an agent from its results: how it plays, and how it detects that the world is novel.
///
/// An *alarm* is raised in a trial when a report gives a likelihood of 0.5 or more. Trials that failed
/// count with the reports made before; the level in which an agent failed and those it did not get to are not
/// solved.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "agents/trials/trial.hpp"
#include "statistics/intervals.hpp"
#include "statistics/roc.hpp"

namespace startle {

inline constexpr double alarm_likelihood = 0.5;

/// Estimates have percentile bootstrap intervals at 95 %. Drawn anew are levels (single) or trials (shift),
/// not shots.
struct AgentScore {
  std::string agent, novelty, tier;  ///< novelty or tier empty: of all
  std::size_t trials = 0;
  std::size_t failed = 0;            ///< trials whose status is not ok
  Rate solved_normal, solved_novel;  ///< levels cleared
  Estimate score;                    ///< of a level
  Estimate shots;                    ///< taken in a level that was solved: the attempts it took

  /// AUCCESS (statistics/auccess.hpp) with shots as the attempts, and the birds of a level as the most there
  /// can be: the mean over levels of 1 - ln(shots)/ln(birds + 1) where it was cleared, 0 where it was not.
  Estimate auccess;

  Rate detected;                ///< novel trials (shift: any) in which an alarm was raised in the novel world
  Estimate shots_to_detection;  ///< single: number of the shot that brought the alarm, over the birds
                                ///< of the level [Pinto §5.3]
  Rate false_positive;          ///< normal trials in which an alarm was raised; shift: before the change
  /// Correctly detected trials: shift: an alarm after the change and not before (statistics/detection.hpp);
  /// single: in the novel and not in the normal world, of the pairs of trials on one level.
  Rate correct;
  Estimate delay;  ///< shift: levels from the change to the alarm, the first novel level counting as 1
                   ///< (NovPhy), in correct trials
  /// Area under the ROC curve of the largest likelihood reported: of trials, novel against normal (single);
  /// of levels, after against before the change (shift). Ties count half.
  Estimate auc;
  /// Share of the novel ones of these that are above a threshold which at most `false_alarms` of the normal
  /// ones reach.
  Estimate detected_at_false_alarms;
};
inline constexpr double false_alarms = 0.05;

/// The place of a tier or third in tables: easy, medium, hard, low, middle, high, then others.
int tier_rank(const std::string& tier);

/// agent_tier: tiers over all novelties together; tier: each tier of each novelty.
enum class ScoreBy { agent, agent_tier, novelty, tier };

/// One entry an agent, or an agent and tier, or an agent and novelty, or an agent, novelty and tier; ordered
/// by these, tiers easy, medium, hard, then thirds low, middle, high. `threads` (0: all of the machine) does
/// not change a figure.
std::vector<AgentScore> agent_scores(const std::vector<TrialResult>& results, ScoreBy by, int threads = 0);

/// What the scores take from one trial. NovPhy publishes the same of its trials, under these names but for
/// `alarm_shot`.
struct TrialFigures {
  std::size_t solved = 0, shots = 0;  ///< levels cleared, shots reported on
  double score = 0;                   ///< of all levels together
  double largest_likelihood = 0;
  std::optional<std::size_t> detected_level;  ///< number, from 1, of the level of the first alarm, rightly or
                                              ///< not
  std::optional<std::size_t> alarm_shot;      ///< number, from 1, of the shot in it that brought the alarm
  std::optional<std::size_t> detection_delay;  ///< AgentScore::delay; only where `cdt`
  bool cdt = false;  ///< shift: AgentScore::correct; single: false, as it takes a pair of trials
  bool false_positive = false;
};
TrialFigures figures_of(const TrialResult& trial);

/// What an agent detects over several runs that differ only in their secret. Fields have the meaning of those
/// of the same name in AgentScore. Intervals are at 95 %, by a bootstrap that draws runs and levels (shift:
/// numbers of trials) independently (bootstrap_crossed()); a rate of 0 or 1 has Wilson's interval, for as
/// many trials as there are levels.
struct RunsScore {
  std::string tier;                        ///< empty: of levels without one, or of all
  std::size_t trials = 0, failed = 0;      ///< of all runs together
  Estimate detected, false_positive;       ///< shares of trials
  Estimate solved_normal, solved_novel;    ///< shares of levels
  Estimate shots_to_detection;             ///< empty in shift, and where no novel trial has an alarm
  Estimate auc, detected_at_false_alarms;  ///< empty where all trials failed
};
struct RunsScores {
  RunsScore all;
  std::vector<RunsScore> tiers;  ///< in that order, then others; those that were played
};
/// `runs`: the trials of each, of one agent; at least one trial.
RunsScores runs_scores(const std::vector<std::vector<TrialResult>>& runs);

/// A level so and so long after the change, of all shift trials that have one there.
struct LevelAroundChange {
  int since = 0;           ///< 1: the first novel level, 0: the last normal one
  std::size_t trials = 0;  ///< that have a level there
  double solved = 0;       ///< share of these cleared
  double alarmed = 0;      ///< share of these in which an alarm was raised
};

/// How an agent's figures come about as time goes on, or as the threshold falls.
struct AgentCurves {
  std::string agent, novelty, tier;  ///< as in AgentScore
  std::vector<RocPoint> roc;  ///< of what AgentScore::auc is the area; empty without novel or normal levels
  std::vector<double> solved_within;  ///< share of levels cleared by at most 1, 2 ... shots: what AUCCESS
                                      ///< sums up
  /// single: share of novel trials in which an alarm was raised by the first 1, 2 ... shots; shift:
  /// share of trials correctly detected by the first 1, 2 ... novel levels.
  std::vector<double> detected_within;
  std::vector<double> alarmed_within;  ///< single: the same of normal trials, false alarms; shift: empty
  std::vector<LevelAroundChange> around_change;  ///< shift, in order; NovPhy's adaptation curves
};
std::vector<AgentCurves> agent_curves(const std::vector<TrialResult>& results, ScoreBy by);

/// Two agents on the same trials.
struct AgentComparison {
  std::string a, b;
  std::size_t trials = 0;  ///< that both have
  struct Paired {
    std::size_t only_a = 0, only_b = 0;  ///< trials that one got right and the other did not
    Estimate difference;                 ///< share of a minus share of b, with bootstrap interval
    double p = 1;                        ///< exact McNemar test, two-sided
  };
  Paired solved;     ///< trials whose levels were all cleared
  Paired detection;  ///< single: an alarm in the novel world and only there; shift: correctly detected
};
/// Every pair of agents, in order of name. `threads` as above.
std::vector<AgentComparison> compare_agents(const std::vector<TrialResult>& results, int threads = 0);

}  // namespace startle
