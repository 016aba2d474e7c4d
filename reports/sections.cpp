#include "reports/sections.hpp"

#include "render/svg.hpp"
#include "reports/html.hpp"

namespace startle {
namespace {

/// A cell may hold what ends cells and rows.
std::string markdown_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("|\n", at)) != std::string::npos; at += 2)
    text.replace(at, 1, text[at] == '|' ? "\\|" : "; ");
  return text;
}

}  // namespace

std::string markdown_section(const ReportSection& section, int level) {
  std::string text = "\n" + std::string(static_cast<std::size_t>(level), '#') + " " + section.title + "\n\n" +
                     (section.note.empty() ? "" : section.note + "\n\n");
  for (std::size_t r = 0; r < section.table.size(); ++r) {
    for (const std::string& cell : section.table[r]) text += "| " + markdown_cell(cell) + " ";
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
