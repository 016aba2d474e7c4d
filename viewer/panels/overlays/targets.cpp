#include <vector>

#include "viewer/panels/overlays/marks.hpp"
#include "viewer/panels/overlays/overlay.hpp"

namespace startle::overlays {
namespace {

/// From release to first contact.
std::vector<Vec2> path_of(const Trajectory& trajectory) {
  constexpr int pieces = 28;
  std::vector<Vec2> points;
  for (int i = 0; i <= pieces; ++i) points.push_back(trajectory.at(trajectory.time * i / pieces));
  return points;
}

}  // namespace

const TargetOutcome* OverlayView::selected_outcome() const {
  const Interaction* next = insight.next();
  if (next == nullptr || next->targets.empty()) return nullptr;
  for (const auto& object : {focus, chosen})
    if (object)
      if (const TargetOutcome* outcome = insight.outcome(*object)) return outcome;
  return &next->targets[next->best.value_or(0)];
}

void draw_targets(const Pen& pen, const OverlayView& view) {
  const Insight& insight = view.insight;
  const Interaction* next = insight.next();
  if (next == nullptr) return;
  const TargetOutcome* strong = view.selected_outcome();
  for (const bool front : {false, true})
    for (const TargetOutcome& outcome : next->targets) {
      if ((&outcome == strong) != front) continue;
      for (const Trajectory& trajectory : outcome.target.trajectories) {
        const Colour c = trajectory.upper ? upper_path : lower_path;
        const std::vector<Vec2> path = path_of(trajectory);
        if (front) pen.line(path, colour(0xFFFFFF, 150), 5);
        if (!front)
          pen.line(path, with_alpha(c, 105), 1.4F);
        else if (trajectory.upper)
          pen.dashes(path, c, 2.5F);
        else
          pen.line(path, c, 2.5F);
        if (front) pen.dot(trajectory.aim, 4, c);
      }
    }
  for (const bool front : {false, true})  // the one described lies over all others
    for (const TargetOutcome& outcome : next->targets) {
      if ((&outcome == strong) != front) continue;
      pen.outline(insight.scene.objects[outcome.target.object].world_shape(), front ? focus_colour : white,
                  front ? 3.0F : 1.5F);
      pen.label(insight.graph.geometry.shapes[outcome.target.object].centroid,
                std::to_string(outcome.target.object), front ? ink : white, front ? focus_colour : plate);
    }
}

void describe_targets(const OverlayView& view) {
  const Insight& insight = view.insight;
  std::size_t lower = 0, upper = 0;
  const Interaction* next = insight.next();
  const std::size_t count = next == nullptr ? 0 : next->targets.size();
  for (std::size_t i = 0; i < count; ++i)
    for (const Trajectory& trajectory : next->targets[i].target.trajectories)
      ++(trajectory.upper ? upper : lower);
  paragraph(std::to_string(count) + (count == 1 ? " target" : " targets") + " of " +
            (next == nullptr ? "no bird" : next->bird) + ", reached by");
  legend(lower_path, (std::to_string(lower) + " lower trajectories").c_str());
  legend(upper_path, (std::to_string(upper) + " upper trajectories").c_str(), true);
  const TargetOutcome* outcome = view.selected_outcome();
  if (outcome == nullptr) return;
  ImGui::Spacing();
  paragraph(object_name(insight.scene, outcome->target.object));
  for (const Trajectory& trajectory : outcome->target.trajectories) {
    const std::string angle = format("%.2f°", degrees(trajectory.shot.angle)),
                      time = format("%.2f s", trajectory.time);
    ImGui::TextColored(muted_text, "%s  %s, there after %s", trajectory.upper ? "upper" : "lower",
                       angle.c_str(), time.c_str());
  }
}

}  // namespace startle::overlays
