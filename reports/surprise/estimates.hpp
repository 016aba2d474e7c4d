#pragma once
/// \file  Estimates as the results files of evaluations and probes hold them, and lists in sentences.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "surprise/evaluation_metrics.hpp"

namespace startle {

/// {value, low, high}, null where there is none.
nlohmann::ordered_json json_of(const Estimate& estimate);
/// The shortest text that reads back as this number; empty where there is none.
std::string text_of(const std::optional<double>& value);
/// With that many digits after the point; "-" where there is none.
std::string number(const std::optional<double>& value, int digits = 3);
/// "0.512 (0.401 to 0.623)".
std::string with_interval(const Estimate& estimate, int digits = 3);
/// Appends value, low and high as text_of() gives them.
void add_estimate(std::vector<std::string>& row, const Estimate& estimate);

/// "a, b and c".
std::string list_of(const std::vector<std::string>& items);

}  // namespace startle
