#include "reports/parts.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "render/plot_svg.hpp"
#include "reports/html.hpp"
#include "sim/text.hpp"

namespace startle {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 4> tier_colours{
    {{"easy", "#56B4E9"}, {"medium", "#E69F00"}, {"hard", "#7A1F5C"}, {"", "#888888"}}};

}  // namespace

ScoreEstimate estimate_of(const Rate& rate) {
  ScoreEstimate e{.count = rate.count, .value = rate.value(), .interval = {}};
  if (e.value) e.interval = rate.interval();
  return e;
}

std::string text_of(const ScoreEstimate& e, int digits) {
  if (!e.value) return "-";
  std::string text = fixed(*e.value, digits);
  if (e.interval) text += " (" + fixed(e.interval->low, digits) + " to " + fixed(e.interval->high, digits) + ")";
  return text + " n=" + std::to_string(e.count);
}

nlohmann::ordered_json estimate_json(const ScoreEstimate& e) {
  nlohmann::ordered_json json{{"value", nullptr}, {"n", e.count}};
  if (e.value) json["value"] = *e.value;
  if (e.interval) json["interval"] = {e.interval->low, e.interval->high};
  return json;
}

std::string markdown_page(const std::string& title, const std::vector<ReportSection>& sections) {
  const auto cell = [](std::string text) {
    for (std::size_t at = 0; (at = text.find_first_of("|\n", at)) != std::string::npos; at += 2)
      text.replace(at, 1, text[at] == '|' ? "\\|" : "; ");
    return text;
  };
  std::string text = "# " + title + "\n";
  for (const ReportSection& section : sections) {
    text += "\n## " + section.title + "\n\n" + (section.note.empty() ? "" : section.note + "\n\n");
    for (std::size_t r = 0; r < section.table.size(); ++r) {
      for (const std::string& c : section.table[r]) text += "| " + cell(c) + " ";
      text += "|\n";
      if (r > 0) continue;
      for (std::size_t c = 0; c < section.table[r].size(); ++c) text += "|---";
      text += "|\n";
    }
  }
  return text;
}

std::string html_section(const ReportSection& section) {
  std::string html = "<h2>" + xml_escaped(section.title) + "</h2>\n";
  if (!section.note.empty()) html += "<p>" + xml_escaped(section.note) + "</p>\n";
  if (!section.table.empty()) html += html_table(section.table);
  return html;
}

std::string tier_chart(const std::vector<TierBar>& bars, const std::string& title, const std::string& y_label) {
  BarChart chart{.frame = {.title = title, .x_label = "", .y_label = y_label}, .categories = {}, .series = {}, .y_high = 1.15};
  for (const TierBar& bar : bars)
    if (std::find(chart.categories.begin(), chart.categories.end(), bar.novelty) == chart.categories.end())
      chart.categories.push_back(bar.novelty);
  for (const auto& [tier, colour] : tier_colours) {
    ValueSeries series{.name = *tier ? tier : "no tier", .colour = colour, .values = {}};
    bool any = false;
    for (const std::string& novelty : chart.categories) {
      const auto found = std::find_if(bars.begin(), bars.end(), [&](const TierBar& b) { return b.novelty == novelty && b.tier == tier; });
      const ScoreEstimate e = found == bars.end() ? ScoreEstimate{} : found->estimate;
      any = any || found != bars.end();
      series.values.push_back(e.value.value_or(std::numeric_limits<double>::quiet_NaN()));
      series.ranges.push_back(e.interval ? ValueRange{e.interval->low, e.interval->high}
                                         : ValueRange{e.value.value_or(0), e.value.value_or(0)});
    }
    if (any) chart.series.push_back(std::move(series));
  }
  chart.frame.width = std::max(340.0, 70 + 110.0 * static_cast<double>(chart.categories.size()));
  return plot_svg(chart);
}

}  // namespace startle
