#include <algorithm>
#include <vector>

#include "viewer/panels/overlays/marks.hpp"
#include "viewer/panels/overlays/overlay.hpp"

namespace startle::overlays {
namespace {

/// By what happens to the object: destroyed, flips, slides, or falls only.
Colour case_colour(const Cases& cases) {
  using namespace movement;
  if (cases[hit_and_destroyed]) return red;
  if (cases[hit_and_flips] || cases[flips_and_stops] || cases[flips_and_falls]) return violet;
  if (cases[hit_and_slides] || cases[slides_and_stops] || cases[slides_and_falls]) return blue;
  return orange;
}

}  // namespace

void draw_cases(const Pen& pen, const OverlayView& view) {
  const Insight& insight = view.insight;
  const TargetOutcome* outcome = view.selected_outcome();
  if (outcome == nullptr) return;
  const SceneShapes& geometry = insight.graph.geometry;
  for (const ImpactedObject& moved : outcome->hits.front().impacted) {
    const Shape shape = insight.scene.objects[moved.object].world_shape();
    const Colour c = case_colour(moved.cases);
    pen.fill(shape, with_alpha(c, 130));
    pen.outline(shape, c, 2);
    if (moved.falls) draw_fall_arrow(pen, geometry.bounds[moved.object], *moved.falls);
  }
  const Shape target = insight.scene.objects[outcome->target.object].world_shape();
  pen.outline(target, ink, 5);
  pen.outline(target, focus_colour, 3);
  for (const ImpactedObject& moved : outcome->hits.front().impacted)
    pen.label(geometry.shapes[moved.object].centroid, number_list(moved.cases), white,
              with_alpha(case_colour(moved.cases), 240));
}

void describe_cases(const OverlayView& view) {
  const Insight& insight = view.insight;
  const TargetOutcome* outcome = view.selected_outcome();
  if (outcome == nullptr) {
    paragraph("There is no target.");
    return;
  }
  legend(red, "destroyed: 1");
  ImGui::SameLine(150);
  legend(violet, "flips: 2 8 9");
  legend(blue, "slides: 3 6 7");
  ImGui::SameLine(150);
  legend(orange, "falls: 4 5");
  ImGui::Spacing();
  const Interaction& next = *insight.next();
  const std::vector<std::size_t> best = next.best_targets();
  const bool is_best = std::any_of(best.begin(), best.end(),
                                   [&](std::size_t t) { return &next.targets[t] == outcome; });
  explanation_lines(explain_target(insight.scene, *outcome, is_best, best.size()));
}

}  // namespace startle::overlays
