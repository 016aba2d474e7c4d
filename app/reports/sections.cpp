#include "app/reports/sections.hpp"

#include "app/reports/html.hpp"
#include "render/svg.hpp"

namespace startle {
namespace {

std::string latex_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\')
      safe += "\\textbackslash{}";
    else if (c == '~')
      safe += "\\textasciitilde{}";
    else if (c == '^')
      safe += "\\textasciicircum{}";
    else if (c == '<' || c == '>' || c == '|')
      safe += std::string("$") + (c == '|' ? "\\vert" : std::string(1, c)) + "$";
    else if (c >= 0 && c < ' ')
      safe += c == '\n' ? "; " : " ";
    else
      safe += (std::string_view("&%$#_{}").find(c) == std::string_view::npos ? "" : "\\") + std::string(1, c);
  }
  return safe;
}

std::string latex_row(const std::vector<std::string>& cells) {
  std::string row;
  for (const std::string& cell : cells) row += (row.empty() ? "" : " & ") + latex_text(cell);
  return row + " \\\\\n";
}

}  // namespace

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
  std::string html;
  if (!section.note.empty()) html += "<p>" + xml_escaped(section.note) + "</p>\n";
  if (!section.table.empty()) html += html_table(section.table, section.figures);
  if (section.folded) return html_details(section.title, html);
  const std::string heading = "h" + std::to_string(level);
  return "<" + heading + ">" + xml_escaped(section.title) + "</" + heading + ">\n" + html;
}

std::string latex_tables(const std::vector<ReportSection>& sections) {
  std::string text = "% Tables of startle; they need \\usepackage{booktabs}.\n";
  for (const ReportSection& section : sections) {
    if (section.table.empty()) continue;
    const std::string note = section.note.empty() ? "" : " " + latex_text(section.note);
    text += "\n\\begin{table}\n\\caption{" + latex_text(section.title) + "." + note + "}\n" +
            "\\begin{tabular}{" + std::string(section.table.front().size(), 'l') + "}\n\\toprule\n" +
            latex_row(section.table.front()) + "\\midrule\n";
    for (std::size_t r = 1; r < section.table.size(); ++r) text += latex_row(section.table[r]);
    text += "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
  }
  return text;
}

}  // namespace startle
