#pragma once
/// \file  The part of an evaluation's report that is about detection by p-values: detectors side by side,
/// shot by shot and in trials.
#include <nlohmann/json.hpp>
#include <string>

#include "app/reports/table.hpp"
#include "surprise/detection.hpp"

namespace startle {

/// One row a novelty (and all), tier (and all) and detector; numbers in full.
Rows detection_rows(const Evaluation& evaluation, const DetectionTables& tables);
nlohmann::ordered_json detection_json(const Evaluation& evaluation, const DetectionTables& tables);
/// Tables for a terminal.
std::string detection_text(const Evaluation& evaluation, const DetectionTables& tables);
/// Says how many normal clips there are and how many are needed, where they are too few for detectors that
/// rank clips (has_p_values()). Empty where they are enough.
std::string too_few_clips(const Evaluation& evaluation);
/// What a detector, called `name`, detects by tier over all novelties, in one sentence: in trials where there
/// are any, and else in shots.
std::string detection_finding(const Evaluation& evaluation, const DetectionTables& tables,
                              std::size_t detector, const std::string& name);
/// What a page opens with: the sentence, and a chart of what each detector detects. Empty without detectors.
std::string detection_opening(const Evaluation& evaluation, const DetectionTables& tables,
                              const std::string& sentence);
/// A section of the page, without its heading.
std::string detection_html(const Evaluation& evaluation, const DetectionTables& tables);

}  // namespace startle
