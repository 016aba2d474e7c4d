#include <array>

#include "viewer/panels/overlays/marks.hpp"
#include "viewer/panels/overlays/overlay.hpp"

namespace startle::overlays {
namespace {

Colour class_colour(SupporterClass kind) {
  if (kind == SupporterClass::left) return sky_blue;
  return kind == SupporterClass::right ? pink : green;
}

}  // namespace

void draw_support(const Pen& pen, const OverlayView& view) {
  const Insight& insight = view.insight;
  const SceneShapes& geometry = insight.graph.geometry;
  for (const Support& edge : insight.graph.edges) {
    const Colour c = class_colour(edge.kind);
    const Vec2 to = geometry.shapes[edge.upper].centroid;
    const double y = geometry.bounds[edge.upper].ymin, x = 0.5 * (edge.contact.start + edge.contact.end);
    const Vec2 from = edge.lower == ground_index                      ? Vec2{x, y - 0.3}
                      : insight.scene.objects[edge.lower].is_static() ? Vec2{x, y - 0.1}
                                                                      : geometry.shapes[edge.lower].centroid;
    const bool front = view.focus && (edge.upper == *view.focus || edge.lower == *view.focus);
    pen.bar(edge.contact.start, edge.contact.end, y, with_alpha(c, 235), front ? 6.0F : 4.0F);
    pen.arrow(from, to, colour(0xFFFFFF, 190), front ? 6.0F : 4.5F);
    pen.arrow(from, to, c, front ? 3.5F : 2.2F);
  }
  for (std::size_t i = 0; i < insight.scene.objects.size(); ++i)
    if (insight.scene.objects[i].alive && !insight.scene.objects[i].is_static())
      pen.dot(geometry.shapes[i].centroid, 3, ink);
}

void describe_support(const OverlayView& view) {
  const Insight& insight = view.insight;
  std::array<int, 4> counts{};
  for (const Support& edge : insight.graph.edges) ++counts[static_cast<std::size_t>(edge.kind)];
  paragraph("Arrows run from what carries to what is carried. A supporter reaches under the object");
  legend(green, ("across its centre (" +
                 std::to_string(counts[static_cast<std::size_t>(SupporterClass::centre)]) + ")")
                    .c_str());
  legend(sky_blue, ("on the left of it (" +
                    std::to_string(counts[static_cast<std::size_t>(SupporterClass::left)]) + ")")
                       .c_str());
  legend(pink, ("on the right of it (" +
                std::to_string(counts[static_cast<std::size_t>(SupporterClass::right)]) + ")")
                   .c_str());
  if (!view.focus) return;
  ImGui::Spacing();
  paragraph(object_name(insight.scene, *view.focus));
  std::string below, above;
  for (const std::size_t e : insight.graph.supporters[*view.focus]) {
    const Support& edge = insight.graph.edges[e];
    below += (below.empty() ? "" : ", ") +
             (edge.lower == ground_index ? std::string("ground") : "#" + std::to_string(edge.lower)) + " (" +
             name(edge.kind) + ")";
  }
  for (const std::size_t e : insight.graph.supportees[*view.focus])
    above += (above.empty() ? "#" : ", #") + std::to_string(insight.graph.edges[e].upper);
  ImGui::PushStyleColor(ImGuiCol_Text, muted_text);
  paragraph("rests on " + (below.empty() ? "nothing" : below));
  paragraph("carries " + (above.empty() ? "nothing" : above));
  ImGui::PopStyleColor();
}

}  // namespace startle::overlays
