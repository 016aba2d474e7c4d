#include "app/reports/html.hpp"

#include "render/svg.hpp"

namespace startle {
namespace {

constexpr const char* style = R"(
body { font: 15px/1.5 -apple-system, "Segoe UI", "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif; color: #222; background: #fff;
  max-width: 1100px; margin: 0 auto; padding: 24px 20px 60px; overflow-wrap: break-word; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 20px; margin: 40px 0 6px; border-top: 1px solid #ddd; padding-top: 20px; }
h3 { font-size: 16px; margin: 22px 0 6px; } p { margin: 6px 0 10px; max-width: 78ch; }
code, pre { font: 13px/1.5 "DejaVu Sans Mono", Menlo, Consolas, monospace; background: #f4f4f2; border-radius: 4px; }
code { padding: 1px 4px; } pre { padding: 10px 12px; overflow-x: auto; }
table { border-collapse: collapse; margin: 8px 0 14px; font-size: 14px; } th, td { padding: 3px 12px 3px 0; text-align: left; }
th { border-bottom: 1.5px solid #888; font-weight: 600; } td { border-bottom: 1px solid #e6e6e6; } td.n, th.n { text-align: right; }
.figures th, .figures td { padding-right: 9px; } .figures th { vertical-align: bottom; line-height: 1.25; } .figures td { vertical-align: top; white-space: pre; font-size: 12px; line-height: 1.3; color: #666; }
.figures td::first-line { font-size: 14px; color: #222; }
dt { font-weight: 600; } dd { margin: 0 0 6px 0; max-width: 78ch; }
.plots { display: flex; flex-wrap: wrap; gap: 8px; } .plots svg { flex: 0 1 340px; max-width: 100%; height: auto; }
.wide { overflow-x: auto; max-width: 100%; overflow-wrap: normal; } .wide > svg { display: block; max-width: none; margin: 8px 0; }
figure { margin: 10px 0 22px; } figure svg { width: 100%; height: auto; border: 1px solid #ddd; border-radius: 4px; display: block; }
figcaption { font-size: 14px; margin-top: 5px; }
.tier { display: inline-block; color: #fff; border-radius: 3px; padding: 0 7px; font-weight: 600; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; font-size: 14px; margin: 8px 0; } .legend span { display: inline-flex; align-items: center; gap: 6px; }
details { margin: 10px 0; } summary { cursor: pointer; font-weight: 600; }
.finding { font-size: 17px; font-weight: 600; max-width: 78ch; }
@media (max-width: 600px) { body { padding: 16px 12px 40px; } h1 { font-size: 22px; } h2 { font-size: 18px; margin-top: 30px; } .finding { font-size: 16px; } }
)";

/// No line ends between a number and its "%".
std::string with_joined_units(std::string html) {
  for (std::size_t at = html.find(" %", 1); at != std::string::npos; at = html.find(" %", at + 1))
    if (html[at - 1] >= '0' && html[at - 1] <= '9') html.replace(at, 1, "&#160;");
  return html;
}

}  // namespace

std::string html_page(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         xml_escaped(title) + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n" +
         with_joined_units(body) + "</body>\n</html>\n";
}

std::string html_head(const std::string& title, const std::string& lead, const std::string& unfinished) {
  std::string html = "<h1>" + xml_escaped(title) + "</h1>\n" + lead;
  if (!unfinished.empty())
    html += "<p><strong>The run was interrupted. Everything here is of the " + unfinished +
            " done until then.</strong></p>\n";
  return html;
}

std::string html_finding(const std::string& sentence, const std::string& chart) {
  return "<p class=\"finding\">" + xml_escaped(sentence) + "</p>\n" +
         (chart.empty() ? "" : "<div class=\"wide\">" + chart + "</div>\n");
}

std::string html_details(const std::string& summary, const std::string& html) {
  return "<details><summary>" + xml_escaped(summary) + "</summary>\n" + html + "</details>\n";
}

std::string html_origin(const std::string& command, const std::string& version, const std::string& settings) {
  return "<h2>How this was made</h2>\n<pre>" + xml_escaped(command) + "</pre>\n<p>startle " +
         xml_escaped(version) + ", " + settings + "</p>\n";
}

std::string html_table(const Rows& rows, bool figures) {
  std::string html = std::string("<div class=\"wide\"><table") + (figures ? " class=\"figures\"" : "") +
                     ">\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    html += "<tr>";
    const char* tag = r == 0 ? "th" : "td";
    for (const std::string& cell : rows[r])
      html += std::string("<") + tag + ">" + xml_escaped(cell) + "</" + tag + ">";
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

}  // namespace startle
