#pragma once
/// \file  What a study says: who noticed what, after how many shots, and whether the difficulty foretold it
/// [Pinto §5.2, fig. 7].
///
/// A world is *detected* when the participant reported something on a novel level; a report on a normal level
/// is a *false alarm*. Whether a description names the right change is for the researcher to test.
#include <optional>
#include <string>
#include <vector>

#include "agents/trials/scores.hpp"
#include "people/study_state.hpp"
#include "people/study_store.hpp"
#include "simulated/threshold.hpp"

namespace startle {

/// One item that was begun.
struct PlayedItem {
  std::string participant;
  int position = 0;  ///< from 0
  std::string level, novelty, tier;
  double pid = 1, bid = 1, value = 1;
  bool novel = false;
  int birds = 0;  ///< of the level
  int shots = 0;  ///< that ended
  bool solved = false;
  double score = 0;
  double seconds = 0;  ///< from its beginning to its end, without pauses
  int reports = 0;
  int reported_after = 0;   ///< shots before the first report; 0: none
  double confidence = 0;    ///< the highest reported; 0: none
  std::string description;  ///< all of them, " / " between two
  bool interrupted = false;
  bool attention = false;  ///< an attention check
  bool passed = false;     ///< an attention check that was answered as it asks

  bool reported() const { return reports > 0; }
  /// An item that was cut short before anything was reported says neither yes nor no.
  bool answered() const { return reported() || !interrupted; }
  /// For detection and false alarms.
  bool counts() const { return answered() && !attention; }
};

struct PlayedSession {
  std::string participant;
  StudyStage stage = StudyStage::consent;  ///< reached
  bool withdrawn = false;
  std::optional<StudyAnswers> answers = {};  ///< to the questions of the study; none before them
  int openings = 0;
  int practice_shots = 0;
  int items = 0;       ///< begun, without attention checks
  int checks = 0;      ///< attention checks that were answered
  int failed = 0;      ///< of these: otherwise than they ask
  double seconds = 0;  ///< the window was open, as far as events say, without pauses
};

/// One or several files of a study. `manifest` is that of the first; the seeds of all stand in its "seed".
struct PeopleStudy {
  Manifest manifest;
  StudyQuestions questions = {};        ///< the same in all of them
  std::vector<PlayedSession> sessions;  ///< in order of file and number
  std::vector<PlayedItem> items;        ///< likewise, then by position
};

/// The items of those who failed no attention check.
std::vector<PlayedItem> attentive_items(const PeopleStudy& study);

/// The answers of those who have given theirs.
std::vector<StudyAnswers> given_answers(const PeopleStudy& study);

/// Throws Error for files whose manifests differ in more than the seed, a participant who stands in two
/// files, and files without participants.
PeopleStudy read_people_study(const std::vector<std::filesystem::path>& files);

/// Figures of the items of a novelty and tier; of those that count.
struct PeopleScore {
  std::string novelty, tier;  ///< empty: of all
  std::size_t participants = 0;
  Rate detected;  ///< novel items that were reported; its interval takes items for independent
  std::optional<IntervalEstimate> detected_over_participants;  ///< bootstrap: participants are drawn, each
                                                               ///< with all of their items
  Estimate shots_to_detection;  ///< shots before the first report / birds of the level, of the novel items
                                ///< that were reported
  Rate false_alarm;             ///< normal items that were reported
  /// Area under the ROC curve of the confidence (0 without a report), novel against normal items; over
  /// participants.
  Estimate auc;
};

/// Of all; each tier; each novelty; each novelty and tier. In this order, tiers easy, medium, hard.
std::vector<PeopleScore> people_scores(const std::vector<PlayedItem>& items);

/// Whether easy changes are detected more often than hard ones: of each participant the share of easy novel
/// items reported less that of hard ones, and a sign-flip test of these differences (significance.hpp). It
/// holds for people like these on these levels.
struct TierContrast {
  std::string novelty;  ///< empty: of all
  Estimate difference;  ///< mean over participants who played both, who are its count; bootstrap over them
  double p = 1;
};
/// Of all; each novelty, where there are several.
std::vector<TierContrast> tier_contrasts(const std::vector<PlayedItem>& items);

/// Fewer levels give no rho: of two it is 1 or -1 whatever people did, and of three it is +-1 one time in
/// three by chance.
inline constexpr std::size_t min_levels_for_rho = 4;

/// Spearman's rho over levels of a difficulty with what people did; the interval by bootstrap over
/// participants.
struct PeopleCorrelation {
  std::string novelty;  ///< empty: of all levels
  std::string measure;  ///< "PID", "BID" or "value"
  std::string outcome;  ///< "detected": share of a level's novel items; expected to fall. "shots": mean shots
                        ///< to detection / birds; to rise
  std::size_t levels = 0;
  std::size_t items = 0;      ///< novel items; of "shots", those that were reported
  std::optional<double> rho;  ///< empty: fewer levels than min_levels_for_rho, or all of one rank
  std::optional<IntervalEstimate> interval;
};
std::vector<PeopleCorrelation> people_correlations(const std::vector<PlayedItem>& items);

/// Detection against strength, from a study whose levels are of one novelty at several strengths ("T2@0.5",
/// "T2@2"): share of novel items reported. Strength 0 stands for the normal items; their share reported is
/// the false-alarm rate, above which the threshold is taken. Intervals: participants drawn. Throws Error,
/// naming the strengths found, where items of fewer than two strengths were played.
DetectionCurve people_curve(const std::vector<PlayedItem>& items, const std::string& novelty);

}  // namespace startle
