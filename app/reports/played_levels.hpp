#pragma once
/// \file  Levels as reference players played them (simulated/played_level.hpp): tables, sentences and a page.
/// `startle observe --plays` writes them.
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/reports/table.hpp"
#include "simulated/played_level.hpp"
#include "statistics/intervals.hpp"

namespace startle {

/// One level under one novelty; a level without one has false alarms alone.
struct PlayedLevelResult {
  std::string level, novelty;  ///< file, name
  std::string tier;            ///< of predicted p_level, or as it is stored; empty: none
  std::size_t birds = 0, objects = 0;
  std::optional<double> predicted;       ///< p_level by reasoning, of this player; empty: not covered
  std::optional<double> imagined;        ///< share of imagined plays with an alarm; likewise
  std::optional<double> imagined_shots;  ///< their mean number of shots; likewise
  std::vector<LevelPlay> novel, normal;  ///< normal: the null plays
};

/// Mean of the novel plays; its interval is of plays drawn.
Estimate measured_p_level(const PlayedLevelResult& result);

/// Head and one row a result: level, novelty, tier, player, birds, plays, predicted, imagined,
/// imagined_shots, p_level, low, high (of the 95 % interval, plays drawn), shots and cleared (of the novel
/// plays), false_alarms. `digits` after the point; negative: as many as it takes.
Rows played_rows(const std::vector<PlayedLevelResult>& results, const PlayOptions& options, int digits);
/// With every single play.
nlohmann::ordered_json json_of(const std::vector<PlayedLevelResult>& results);

/// Over the levels of a novelty and tier.
struct PlayedSummary {
  std::string novelty, tier;  ///< "all": of all; tier empty: of levels without one
  std::size_t levels = 0;
  std::optional<double> birds, objects, shots, predicted;  ///< means
  Estimate p_level;                                        ///< mean, levels drawn
  Estimate false_alarms;                                   ///< the same of normal plays
  std::optional<double> reliability;                       ///< of p_level
};
/// By novelty in order of first appearance, by tier or third from easy to hard, then those without; a novelty
/// of several tiers has "all" tiers as well, and last of all come "all" novelties where there are several. A
/// level's normal plays count once.
std::vector<PlayedSummary> summaries(const std::vector<PlayedLevelResult>& results);
/// A row a summary.
Rows summary_rows(const std::vector<PlayedSummary>& summaries);
nlohmann::ordered_json json_of(const std::vector<PlayedSummary>& summaries);

/// How well predicted p_level agrees with measured p_level.
struct PredictionCheck {
  std::size_t levels = 0;
  std::optional<double> rho;      ///< Spearman's, of all levels
  std::optional<double> within;   ///< mean over novelties of that of their levels
  std::optional<double> error;    ///< mean distance of both over tenths of the levels by prediction
  std::optional<double> auc;      ///< of a play, detected or not, told by the prediction
  std::optional<double> ceiling;  ///< by the other plays of its level; of levels with two or more
};
/// Empty for fewer than ten levels with a prediction.
std::optional<PredictionCheck> check_prediction(const std::vector<PlayedLevelResult>& results);
/// By tenths of the levels, by prediction: from, to, levels, predicted, measured (means).
Rows tenths_rows(const std::vector<PlayedLevelResult>& results);

/// P-values of trends over tiers or thirds (Jonckheere and Terpstra, on levels), one row a novelty, then
/// "all". Those of p_level are adjusted for the number of novelties (Holm), except in the last row; those of
/// shots, birds and objects are not. "-" where all levels are alike. Empty where no novelty has two tiers.
Rows trend_rows(const std::vector<PlayedLevelResult>& results);

/// What was found in one sentence (detection_words()): how often a play detects the change, by tier, and the
/// false alarms.
std::string played_finding(const std::vector<PlayedSummary>& summaries);

/// The summaries as a table, what was found, and how well the prediction holds.
std::string played_text(const std::vector<PlayedLevelResult>& results);

struct PlayedRun {
  std::string version, command, profile;
  PlayOptions options;
  std::vector<PlayedLevelResult> results;
};
/// The figure of the finding, by novelty and tier, as SVG.
std::string played_chart(const std::vector<PlayedLevelResult>& results);
/// One self-contained HTML page that opens with the finding and its figure.
std::string played_report(const PlayedRun& run);

}  // namespace startle
