#include "app/reports/table.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace startle {
namespace {

bool is_number(std::string_view text) { return parse_number<double>(text).has_value(); }

/// "-0.5", "+3 %", "-0.1 to 0.2", "-0.1 (-0.2 to 0.1)".
bool has_only_numbers(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.starts_with('(')) word.remove_prefix(1);
    if (word.ends_with(')')) word.remove_suffix(1);
    if (word.starts_with('+')) word.remove_prefix(1);
    if (!is_number(word) && word != "to" && word != "%") return false;
  }
  return true;
}

/// Whether a spreadsheet would take a cell of a CSV file for a formula.
bool is_formula(std::string_view cell) {
  constexpr std::string_view begins = "=+-@\t\r";
  return !cell.empty() && begins.find(cell.front()) != begins.npos && cell != "-" && !has_only_numbers(cell);
}

/// A cell as it stands in a CSV file.
std::string csv_cell(const std::string& cell) {
  std::string text = is_formula(cell) ? "'" : "";
  for (const char c : cell) {
    const bool is_control = (c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 127;
    text += is_control ? "\xEF\xBF\xBD" : std::string(1, c);
  }
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, "\"");
  return '"' + text + '"';
}

}  // namespace

std::string aligned(const Rows& rows) {
  if (rows.empty()) return "";
  std::vector<std::size_t> widths(rows.front().size(), 0);
  std::vector<bool> numeric(rows.front().size(), rows.size() > 1);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < widths.size(); ++c) {
      widths[c] = std::max(widths[c], rows[r][c].size());
      if (r > 0 && !is_number(rows[r][c])) numeric[c] = false;
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blanks(widths[c] - row[c].size(), ' ');
      line += (c > 0 ? "  " : "") + (numeric[c] ? blanks + row[c] : row[c] + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string comma_separated(const Rows& rows) {
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) text += (c > 0 ? "," : "") + csv_cell(row[c]);
    text += "\n";
  }
  return text;
}

}  // namespace startle
