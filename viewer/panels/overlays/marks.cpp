#include "viewer/panels/overlays/marks.hpp"

#include <algorithm>
#include <cstdio>

namespace startle::overlays {

std::string format(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string object_name(const Scene& scene, std::size_t object) {
  return object == ground_index ? "the ground"
                                : "#" + std::to_string(object) + " " + appearance(scene.objects[object]);
}

std::string object_list(const std::vector<std::size_t>& objects) {
  std::string text;
  for (const std::size_t object : objects) text += (text.empty() ? "#" : ", #") + std::to_string(object);
  return text.empty() ? "none" : text;
}

std::string number_list(const Cases& cases) {
  std::string text;
  for (movement::Case c : movement::all)
    if (cases[c]) text += (text.empty() ? "" : " ") + std::to_string(c);
  return text;
}

void draw_fall_arrow(const Pen& pen, const Bounds& box, FallDirection way) {
  const double y = box.centre().y;
  Vec2 from{box.xmax + 0.1, y + 0.18}, to{box.xmax + 0.1, y - 0.28};
  if (way == FallDirection::left) from = {box.xmin - 0.02, y + 0.1}, to = {box.xmin - 0.34, y - 0.22};
  if (way == FallDirection::right) from = {box.xmax + 0.02, y + 0.1}, to = {box.xmax + 0.34, y - 0.22};
  pen.arrow(from, to, white, 4.5F);
  pen.arrow(from, to, ink, 2.5F);
}

void paragraph(const std::string& text) { ImGui::TextWrapped("%s", text.c_str()); }

void legend(Colour c, const char* text, bool dashed) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float middle = at.y + 0.5F * ImGui::GetTextLineHeight();
  if (dashed) {
    for (const float x : {0.0F, 10.0F})
      list->AddLine({at.x + x, middle}, {at.x + x + 7, middle}, im_colour(c), 3);
  } else {
    list->AddRectFilled({at.x, middle - 4}, {at.x + 17, middle + 4}, im_colour(c), 2);
  }
  ImGui::Dummy({19, 1});
  ImGui::SameLine();
  ImGui::TextUnformatted(text);
}

void explanation_lines(const std::string& text) {
  const TextSize small(Text::small);
  std::size_t from = 0;
  while (from < text.size()) {
    std::size_t end = text.find('\n', from);
    if (end == std::string::npos) end = text.size();
    std::string line = text.substr(from, end - from);
    from = end + 1;
    const std::size_t spaces = std::min(line.find_first_not_of(' '), line.size());
    line.erase(0, spaces);
    const bool sum = line.starts_with("M = ") || line.starts_with("PID = ") || line.starts_with("BID = ") ||
                     line.starts_with("Value = ");
    const bool title = spaces <= 2 && (line.starts_with("Interaction ") || line.starts_with("Novelty ") ||
                                       line.starts_with("Targets ") || line.starts_with("Best target"));
    const bool visible = line.starts_with("makes the novelty visible") ||
                         line.starts_with("is likely to make the novelty visible");
    const ImVec4 c = sum                    ? accent
                     : visible              ? ImVec4{1.0F, 0.62F, 0.87F, 1}
                     : title || spaces <= 4 ? ImVec4{0.95F, 0.97F, 0.99F, 1}
                                            : muted_text;
    const float indent = 7.0F * static_cast<float>(spaces) / 2;
    if (indent > 0) ImGui::Indent(indent);
    ImGui::PushStyleColor(ImGuiCol_Text, c);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 3});
    ImGui::TextWrapped("%s", line.c_str());
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    if (indent > 0) ImGui::Unindent(indent);
  }
}

}  // namespace startle::overlays
