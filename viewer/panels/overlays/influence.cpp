#include <algorithm>
#include <vector>

#include "viewer/panels/overlays/marks.hpp"
#include "viewer/panels/overlays/overlay.hpp"

namespace startle::overlays {
namespace {

void draw_fall(const Pen& pen, const Insight& insight, const Fall& fall, Colour c) {
  const Shape shape = insight.scene.objects[fall.object].world_shape();
  pen.fill(shape, with_alpha(c, 120));
  pen.outline(shape, c, 1.5F);
  draw_fall_arrow(pen, insight.graph.geometry.bounds[fall.object], fall.direction);
}

}  // namespace

void draw_influence(const Pen& pen, const OverlayView& view) {
  const Insight& insight = view.insight;
  if (!view.focus || !insight.scene.objects[*view.focus].alive) return;
  const std::size_t object = *view.focus;
  const Influence& influence = insight.influences[object];
  const SceneShapes& geometry = insight.graph.geometry;
  for (const Fall& fall : influence.vertical) draw_fall(pen, insight, fall, orange);
  const Bounds box = geometry.bounds[object];
  if (influence.horizontal) {
    const HorizontalInfluence& horizontal = *influence.horizontal;
    const double side = pushed_right(insight.scene, geometry, object) ? 1 : -1;
    const double edge = side > 0 ? box.xmax : box.xmin;
    if (horizontal.hit == HitResult::flips) {  // the arc it falls through
      std::vector<Vec2> arc{{edge, box.ymin}};
      for (int i = 0; i <= 24; ++i) {
        const Vec2 way = direction(radians(90.0 * i / 24));
        arc.push_back({edge + side * box.height() * way.x, box.ymin + box.height() * way.y});
      }
      arc.push_back(arc.front());
      pen.dashes(arc, violet, 2);
    } else if (horizontal.hit == HitResult::slides) {  // the path it slides along
      const double far = edge + side * ReasoningConstants{}.k_slide;
      pen.dashes({{edge, box.ymax}, {far, box.ymax}, {far, box.ymin}, {edge, box.ymin}}, blue, 2);
    }
    for (const std::size_t candidate : horizontal.candidates)
      if (horizontal.closest != candidate)
        pen.outline(insight.scene.objects[candidate].world_shape(), with_alpha(blue, 210), 1.5F);
    for (const Fall& fall : horizontal.falls)
      if (fall.object != object) draw_fall(pen, insight, fall, sky_blue);
    if (horizontal.closest) {
      pen.outline(insight.scene.objects[*horizontal.closest].world_shape(), white, 5);
      pen.outline(insight.scene.objects[*horizontal.closest].world_shape(), blue, 3);
    }
    if (horizontal.hit != HitResult::destroyed) {
      const double reach = horizontal.hit == HitResult::flips ? box.height() : ReasoningConstants{}.k_slide;
      const Vec2 from{box.centre().x, box.centre().y},
          to{edge + side * std::max(0.5, 0.6 * reach), box.centre().y};
      pen.arrow(from, to, white, 6);
      pen.arrow(from, to, blue, 3.5F);
    }
  }
  pen.outline(insight.scene.objects[object].world_shape(), ink, 5);
  pen.outline(insight.scene.objects[object].world_shape(), focus_colour, 3);
  std::string text = object_name(insight.scene, object);
  if (influence.horizontal) text += std::string(": ") + name(influence.horizontal->hit);
  pen.label({box.xmin, box.centre().y}, text, ink, focus_colour, Pen::End::right);
}

void describe_influence(const OverlayView& view) {
  const Insight& insight = view.insight;
  if (!view.focus || !insight.scene.objects[*view.focus].alive) {
    paragraph("Put the mouse on an object, click it, or press Tab.");
    return;
  }
  const std::size_t object = *view.focus;
  const Influence& influence = insight.influences[object];
  paragraph(object_name(insight.scene, object));
  const auto falls = [&](const std::vector<Fall>& list) {
    for (const Fall& fall : list)
      ImGui::BulletText("%s falls %s", object_name(insight.scene, fall.object).c_str(), name(fall.direction));
  };
  legend(orange,
         influence.vertical.empty()
             ? "vertical impact: nothing falls"
             : ("vertical impact: " + std::to_string(influence.vertical.size()) + " fall once it is gone")
                   .c_str());
  falls(influence.vertical);
  if (!influence.horizontal) return;
  const HorizontalInfluence& horizontal = *influence.horizontal;
  const Bounds box = insight.graph.geometry.bounds[object];
  legend(blue, (std::string("horizontal influence: it ") +
                (horizontal.hit == HitResult::destroyed ? "is destroyed" : name(horizontal.hit)))
                   .c_str());
  ImGui::PushStyleColor(ImGuiCol_Text, muted_text);
  paragraph("blow at " + format("%.1f m/s", influence.speed) + ": " + format("%.1f", influence.damage) +
            " of " + format("%.1f", insight.scene.objects[object].life) + " hit points");
  if (horizontal.hit != HitResult::destroyed) {
    const ReasoningConstants constants;
    const double ratio = box.height() / std::max(box.width(), 1e-9);
    paragraph("height/width " + format("%.2f", ratio) + (ratio > constants.k_flip ? " > " : " at most ") +
              format("%.2f", constants.k_flip) + ": " + name(horizontal.hit));
    paragraph(std::string(horizontal.hit == HitResult::flips ? "in the arc it falls through: "
                                                             : "in the path it slides along: ") +
              object_list(horizontal.candidates));
  }
  ImGui::PopStyleColor();
  if (!horizontal.closest) return;
  const Bounds other = insight.graph.geometry.bounds[*horizontal.closest];
  const double gap = pushed_right(insight.scene, insight.graph.geometry, object) ? other.xmin - box.xmax
                                                                                 : box.xmin - other.xmax;
  paragraph("pushes " + object_name(insight.scene, *horizontal.closest) + ", " + format("%.2f", gap) +
            " away" + (insight.scene.objects[*horizontal.closest].is_static() ? ", which stops it" : ""));
  falls(horizontal.falls);
}

}  // namespace startle::overlays
