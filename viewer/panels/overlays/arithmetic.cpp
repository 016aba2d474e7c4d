#include <algorithm>

#include "viewer/panels/overlays/marks.hpp"
#include "viewer/panels/overlays/overlay.hpp"

namespace startle::overlays {

void describe_arithmetic(const OverlayView& view, const std::string& stored, std::size_t& part) {
  const Insight& insight = view.insight;
  if (insight.novelty.name.empty()) {
    paragraph("Choose a novelty in the panel on the left.");
    return;
  }
  if (!stored.empty()) ImGui::TextColored(muted_text, "%s", stored.c_str());
  const auto& parts = insight.explanation;
  part = std::min(part, parts.size() - 1);
  if (tool_button("◀##part", "the step before ( , )") && part > 0) --part;
  ImGui::SameLine();
  if (tool_button("▶##part", "next step ( . )") && part + 1 < parts.size()) ++part;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::Text("%s", parts[part].title.c_str());
  ImGui::SameLine();
  ImGui::TextColored(muted_text, "%zu of %zu", part + 1, parts.size());
  ImGui::Separator();
  explanation_lines(parts[part].text);
  // What all steps come to stays in sight.
  if (part + 1 < parts.size()) {
    ImGui::Separator();
    explanation_lines(parts.back().text);
  }
}

}  // namespace startle::overlays
