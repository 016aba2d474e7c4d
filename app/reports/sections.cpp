#include "app/reports/sections.hpp"

#include "app/reports/html.hpp"
#include "render/svg.hpp"

namespace startle {
std::string markdown_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (c >= 0 && c < ' ')
      safe += c == '\n' ? "; " : " ";
    else
      safe += (std::string_view("|\\`[]").find(c) == std::string_view::npos ? "" : "\\") + std::string(1, c);
  }
  return safe;
}

std::string markdown_section(const ReportSection& section, int level) {
  std::string text = "\n" + std::string(static_cast<std::size_t>(level), '#') + " " +
                     markdown_text(section.title) + "\n\n" +
                     (section.note.empty() ? "" : markdown_text(section.note) + "\n\n");
  for (std::size_t r = 0; r < section.table.size(); ++r) {
    for (const std::string& cell : section.table[r]) text += "| " + markdown_text(cell) + " ";
    text += "|\n";
    if (r > 0) continue;
    for (std::size_t c = 0; c < section.table[r].size(); ++c) text += "|---";
    text += "|\n";
  }
  return text;
}

std::string html_section(const ReportSection& section, int level) {
  const std::string heading = "h" + std::to_string(level);
  std::string html = "<" + heading + ">" + xml_escaped(section.title) + "</" + heading + ">\n";
  if (!section.note.empty()) html += "<p>" + xml_escaped(section.note) + "</p>\n";
  if (!section.table.empty()) html += html_table(section.table, section.figures);
  return html;
}

}  // namespace startle
