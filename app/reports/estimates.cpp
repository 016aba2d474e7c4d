#include "app/reports/estimates.hpp"

#include <nlohmann/json.hpp>

#include "core/text.hpp"

namespace startle {

nlohmann::ordered_json json_of(const Estimate& estimate) {
  nlohmann::ordered_json json{{"value", nullptr}, {"low", nullptr}, {"high", nullptr}};
  if (estimate.value) json["value"] = *estimate.value;
  if (estimate.interval) {
    json["low"] = estimate.interval->low;
    json["high"] = estimate.interval->high;
  }
  return json;
}

std::string text_of(const std::optional<double>& value) { return value ? shortest(*value) : ""; }

std::string number(const std::optional<double>& value, int digits) {
  return value ? fixed(*value, digits) : "-";
}

std::string with_interval(const Estimate& e, int digits) {
  return number(e.value, digits) +
         (e.interval ? " (" + fixed(e.interval->low, digits) + " to " + fixed(e.interval->high, digits) + ")"
                     : "");
}

std::string with_count(const Estimate& e, int digits) {
  return e.value ? with_interval(e, digits) + " n=" + std::to_string(e.count) : "-";
}

std::string in_lines(const Estimate& e, int digits) {
  if (!e.value) return "-";
  return fixed(*e.value, digits) +
         (e.interval ? "\n" + fixed(e.interval->low, digits) + " to " + fixed(e.interval->high, digits)
                     : "") +
         "\nn = " + std::to_string(e.count);
}

nlohmann::ordered_json json_with_count(const Estimate& e) {
  nlohmann::ordered_json json{{"value", nullptr}, {"n", e.count}};
  if (e.value) json["value"] = *e.value;
  if (e.interval) json["interval"] = {e.interval->low, e.interval->high};
  return json;
}

std::string p_value(double p) { return p < 0.0001 ? "< 0.0001" : fixed(p, 4); }

void add_estimate(std::vector<std::string>& row, const Estimate& estimate) {
  row.push_back(text_of(estimate.value));
  row.push_back(estimate.interval ? shortest(estimate.interval->low) : "");
  row.push_back(estimate.interval ? shortest(estimate.interval->high) : "");
}

std::string list_of(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i)
    text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
  return text;
}

}  // namespace startle
