#pragma once
/// \file  The part of an evaluation's report that is about detection by p-values: detectors side by side,
/// shot by shot and in trials.
#include <nlohmann/json.hpp>
#include <string>

#include "reports/table.hpp"
#include "surprise/detection.hpp"

namespace startle {

/// One row a novelty (and all), tier (and all) and detector; numbers in full.
Rows detection_rows(const Evaluation& evaluation, const DetectionTables& tables);
nlohmann::ordered_json detection_json(const Evaluation& evaluation, const DetectionTables& tables);
/// Tables for a terminal.
std::string detection_text(const Evaluation& evaluation, const DetectionTables& tables);
/// What the first detector detects by tier over all novelties, in one sentence: in trials where there are
/// any, and else in shots. Empty without detectors.
std::string detection_finding(const Evaluation& evaluation, const DetectionTables& tables);
/// That sentence, and a chart of the same by detector: what a page opens with.
std::string detection_opening(const Evaluation& evaluation, const DetectionTables& tables);
/// A section of the page.
std::string detection_html(const Evaluation& evaluation, const DetectionTables& tables);

}  // namespace startle
