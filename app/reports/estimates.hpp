#pragma once
/// \file  Estimates as texts, cells and JSON, and lists in sentences.
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "statistics/intervals.hpp"

namespace startle {

/// The shortest text that reads back as this number; empty where there is none.
std::string text_of(const std::optional<double>& value);
/// With that many digits after the point; "-" where there is none.
std::string number(const std::optional<double>& value, int digits = 3);

/// "0.512 (0.401 to 0.623)".
std::string with_interval(const Estimate& estimate, int digits = 3);
/// "0.512 (0.401 to 0.623) n=100"; "-" without a value.
std::string with_count(const Estimate& estimate, int digits = 3);
/// The same in three lines, for narrow columns (html_table() with figures).
std::string in_lines(const Estimate& estimate, int digits = 3);
/// A p-value with four digits; "< 0.0001".
std::string p_value(double p);
/// Appends value, low and high as text_of() gives them.
void add_estimate(std::vector<std::string>& row, const Estimate& estimate);

/// {"value", "low", "high"}, null where there is none: reports of surprise and probes.
nlohmann::ordered_json json_of(const Estimate& estimate);
/// {"value", "n", "interval": [low, high]}; the value null and the interval left out where there is none:
/// reports of agents and people.
nlohmann::ordered_json json_with_count(const Estimate& estimate);

/// "a, b and c".
std::string list_of(const std::vector<std::string>& items);

}  // namespace startle
