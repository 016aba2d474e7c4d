#include "viewer/drawing/fields.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "sim/shape.hpp"

namespace startle {
namespace {

constexpr Colour tint = colour(0x00A3A3, 46), edge = colour(0x007C7C, 170), arrows = colour(0x005F5F, 235);
constexpr double arrow_s2 = 0.245;  // of half of 0.7 s squared
constexpr double ring = 0.35;       // world units

/// Where the region, given from `foot`, is seen; empty where it is not.
std::optional<Bounds> visible(const Region& region, Vec2 foot, const Bounds& seen) {
  const Bounds box{std::max(seen.xmin, foot.x + region.left), std::min(seen.xmax, foot.x + region.right),
                   std::max(seen.ymin, foot.y + region.bottom), std::min(seen.ymax, foot.y + region.top)};
  return box.xmin < box.xmax && box.ymin < box.ymax ? std::optional(box) : std::nullopt;
}

void draw_magnet(const Pen& pen, Vec2 at, double pull) {
  pen.outline(disc_shape(ring, at), arrows, 2.5F);
  pen.dot(at, 4, arrows);
  for (int k = 0; k < 8; ++k) {
    const Vec2 out = direction(radians(45 * k)), near = at + 1.3 * ring * out,
               far = near + std::fabs(pull) * arrow_s2 * out;
    if (pull > 0)
      pen.arrow(far, near, arrows, 2);
    else
      pen.arrow(near, far, arrows, 2);
  }
}

}  // namespace

void draw_fields(const Pen& pen, const Scene& scene, const Bounds& seen) {
  if (!scene.world) return;
  const Vec2 foot{scene.slingshot.x, scene.profile->ground_y};
  std::vector<Vec2> magnets;  // of several pulls to one place, which are for different groups, the first is
                              // shown
  for (const ForceField& field : scene.world->fields) {
    const std::optional<Bounds> box = visible(field.region, foot, seen);
    if (!box || scene.next_bird < field.from_bird) continue;
    if (!field.region.whole()) {
      const Shape area = polygon_shape(
          {{box->xmin, box->ymin}, {box->xmax, box->ymin}, {box->xmax, box->ymax}, {box->xmin, box->ymax}});
      pen.fill(area, tint);
      pen.dashed_outline(area, edge, 1.5F);
    }
    if (length(field.acceleration) > 0) {
      const Vec2 half = 0.5 * arrow_s2 * field.acceleration;
      pen.arrow(box->centre() - half, box->centre() + half, arrows, 3);
    }
    if (field.pull == 0 || std::find(magnets.begin(), magnets.end(), field.centre) != magnets.end()) continue;
    draw_magnet(pen, foot + field.centre, field.pull);
    magnets.push_back(field.centre);
  }
}

}  // namespace startle
