#include "reports/table.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace startle {
namespace {

bool is_number(const std::string& text) { return parse_number<double>(text).has_value(); }

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
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) text += ",";
      if (row[c].find_first_of(",\"\r\n") == std::string::npos) {
        text += row[c];
        continue;
      }
      text += '"';
      for (char letter : row[c]) text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
      text += '"';
    }
    text += "\n";
  }
  return text;
}

}  // namespace startle
