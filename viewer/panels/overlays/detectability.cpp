#include "viewer/panels/overlays/marks.hpp"
#include "viewer/panels/overlays/overlay.hpp"

namespace startle::overlays {

void draw_detectability(const Pen& pen, const OverlayView& view) {
  const Insight& insight = view.insight;
  if (insight.next() == nullptr || insight.novelty.name.empty()) return;
  const std::string targets = std::to_string(insight.next()->targets.size());
  for (std::size_t i = 0; i < insight.detectability.size(); ++i) {
    const ObjectDetectability& one = insight.detectability[i];
    if (!one.novel) continue;
    const Shape shape = insight.scene.objects[i].world_shape();
    if (one.detectable_by.empty()) {
      pen.fill(shape, colour(0x5A6472, 110));
      pen.dashed_outline(shape, ink, 2);
    } else {
      pen.fill(shape, with_alpha(visible_colour, 150));
      pen.outline(shape, white, 4);
      pen.outline(shape, visible_colour, 2.5F);
    }
  }
  for (std::size_t i = 0; i < insight.detectability.size(); ++i)
    if (const ObjectDetectability& one = insight.detectability[i]; one.novel)
      pen.label(insight.graph.geometry.shapes[i].centroid,
                std::to_string(one.detectable_by.size()) + "/" + targets, white,
                one.detectable_by.empty() ? plate : with_alpha(visible_colour, 235));
}

void describe_detectability(const OverlayView& view) {
  const Insight& insight = view.insight;
  if (insight.novelty.name.empty()) {
    paragraph("Choose a novelty in the panel on the left.");
    return;
  }
  paragraph(insight.novelty.name + ": " + insight.novelty.description);
  std::size_t novel = 0, detectable = 0;
  for (const ObjectDetectability& one : insight.detectability) {
    novel += one.novel;
    detectable += !one.detectable_by.empty();
  }
  const std::size_t targets = insight.next() == nullptr ? 0 : insight.next()->targets.size();
  ImGui::PushStyleColor(ImGuiCol_Text, muted_text);
  paragraph("Written on an object: of " + std::to_string(targets) +
            " targets, how many make the novelty visible in it.");
  ImGui::PopStyleColor();
  legend(visible_colour,
         (std::to_string(detectable) + " of " + std::to_string(novel) + " novel objects can make it visible")
             .c_str());
  legend(colour(0x8A94A4), "novel, and no next shot is likely to make it visible", true);
  if (const std::optional<PredictedDetection>& detection = insight.difficulty.detection)
    paragraph("Predicted to be detected: " + format("%.2f", detection->best) + " of best next shots, " +
              format("%.2f", detection->random) + " of random ones; one bird at least with chance " +
              format("%.2f", detection->any));
  if (!view.focus) return;
  ImGui::Spacing();
  const ObjectDetectability& one = insight.detectability[*view.focus];
  paragraph(object_name(insight.scene, *view.focus) + (one.novel ? "" : ": not novel"));
  ImGui::PushStyleColor(ImGuiCol_Text, muted_text);
  for (const auto& change : one.changes)
    paragraph(std::string(name(change.parameter)) + " " + format("%g", change.normal) + " → " +
              format("%g", change.novel) +
              (change.visible_in.none() ? "; visible by being destroyed, or not"
                                        : "; visible in cases " + number_list(change.visible_in)));
  if (one.novel) {
    paragraph("moved by targets " + object_list(one.moved_by));
    paragraph("made visible by targets " + object_list(one.detectable_by));
  }
  ImGui::PopStyleColor();
}

}  // namespace startle::overlays
