#pragma once
/// \file  An evaluation as files: results.json, tables as CSV, and a report.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "surprise/detection.hpp"
#include "surprise/direction_test.hpp"
#include "surprise/flight.hpp"
#include "surprise/known_shots_table.hpp"

namespace startle {

/// Twins whose frames the report shows.
struct EvaluationExample {
  std::size_t twin = 0;  ///< index in Evaluation::twins
  bool detected = true;  ///< chosen as the clearest detection of its novelty, or as its clearest miss
  std::optional<std::size_t> direction;  ///< direction_statistic() whose p falls most from the normal to the
                                         ///< novel clip; empty: the pair was chosen by the sum of errors
  Clip normal, novel;
  Prediction normal_prediction, novel_prediction;
};

/// What an evaluation is about, and how its page calls it.
struct EvaluationSubject {
  std::string detector;  ///< one of Evaluation::detectors; empty: that of the first predictor, the model
  std::string name;      ///< at the head of a sentence; empty: "The model" and EvaluationRun::model
};

struct EvaluationRun {
  std::string version, command, profile;
  std::string model;               ///< file name of the first predictor
  std::size_t models = 1;          ///< so many predictors, from the first, are models; the others controls
  EvaluationSubject subject = {};  ///< what the page opens with
  std::uint64_t seed = 1, level_set_hash = 0;
  MetricOptions metrics;
  int random_targets = 1;
  bool complete = true;   ///< false: interrupted; what is here is of the levels done
  Evaluation evaluation;  ///< the model that the page is about is the first predictor
  EvaluationTables tables;
  DetectionTables detection;
  std::vector<FlightRow> flights;
  KnownShotsTables known;
  std::vector<EvaluationExample> examples;
};

/// Index of the first predictor's direction test among the detectors; empty where it has no p-values.
std::optional<std::size_t> direction_detector(const Evaluation& evaluation);

/// Two examples for each novelty, from the half of its differing twins that differ most: the pairs with the
/// smallest and with the largest p of the novel over that of the normal clip, by the first predictor's
/// direction test; without that test the pairs with the largest and with the smallest
/// (novel - normal)/(novel + normal) surprise. Their clips are empty.
std::vector<EvaluationExample> choose_examples(const Evaluation& evaluation);

/// results.json: configuration, every table, and every score of every clip.
std::string evaluation_json(const EvaluationRun& run);

/// Rows of novelty x tier x predictor x score, and of shot kind x tier x predictor; numbers in full.
std::vector<std::vector<std::string>> cell_rows(const EvaluationRun& run);
/// One row a twin and predictor.
std::vector<std::vector<std::string>> twin_rows(const EvaluationRun& run);

/// Table of paired accuracies with intervals for a terminal.
std::string evaluation_text(const EvaluationRun& run);

/// What was found of the subject, in one sentence: what it detects, or how often it is the more surprised by
/// the novel clip where normal clips are too few for p-values. Empty without detectors.
std::string evaluation_finding(const EvaluationRun& run);

/// What the tables say, in sentences made from their numbers.
std::vector<std::string> evaluation_reading(const EvaluationRun& run);

/// One self-contained HTML page.
std::string evaluation_report(const EvaluationRun& run);

}  // namespace startle
