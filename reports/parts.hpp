#pragma once
/// \file  What the reports of agents and of people share: estimates as text and data, sections, and figure 7 of the source.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "agents/scores.hpp"

namespace startle {

/// The rate with Wilson's interval.
ScoreEstimate estimate_of(const Rate& rate);

/// "0.620 (0.550 to 0.690) n=100"; "-" without a value.
std::string text_of(const ScoreEstimate& estimate, int digits);

/// {"value": ..., "n": ..., "interval": [low, high]}; the value null and the interval left out where there is none.
nlohmann::ordered_json estimate_json(const ScoreEstimate& estimate);

/// A heading, a paragraph, a table. Table: head first; empty: none.
struct ReportSection {
  std::string title, note;
  std::vector<std::vector<std::string>> table;
};
/// "# title" and the sections.
std::string markdown_page(const std::string& title, const std::vector<ReportSection>& sections);
std::string html_section(const ReportSection& section);

/// One bar of figure 7.
struct TierBar {
  std::string novelty, tier;  ///< tier "easy", "medium", "hard", or empty: none
  ScoreEstimate estimate;
};
/// Bars by novelty and tier with intervals, values in [0, 1] [Pinto fig. 7]; a bar that is missing or has no value is left out.
std::string tier_chart(const std::vector<TierBar>& bars, const std::string& title, const std::string& y_label);

}  // namespace startle
