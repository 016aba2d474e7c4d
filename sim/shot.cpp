#include "sim/shot.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/math.hpp"

namespace startle {

Shot Shot::from_drag_point(Vec2 point, Vec2 rest, double max_stretch, double tap_time) {
  const Vec2 pull = rest - point;
  const double distance = length(pull);
  if (!(distance > 0))
    throw Error("shot: the drag point is the rest position itself; it must lie away from it");
  return {.angle = math::atan2(static_cast<float>(pull.y), static_cast<float>(pull.x)),
          .stretch = std::min(distance / max_stretch, 1.0),
          .tap_time = tap_time};
}

}  // namespace startle
