#pragma once
/// \file  A shot: the only action a player has.
#include "sim/geometry.hpp"

namespace startle {

/// Latest tap that a shot may ask for, seconds after release: no level is watched that long.
inline constexpr double latest_tap_s = 1000;

/// The bird is pulled back by `stretch` against `angle` and released; velocity is proportional to stretch.
struct Shot {
  double angle = 0;      ///< elevation of the launch above +x, radians; pi - angle shoots to the left
  double stretch = 1;    ///< length of the pull as a share of the longest, in (0, 1]
  double tap_time = -1;  ///< seconds after release at which the bird's power is used; negative: never
  friend bool operator==(const Shot&, const Shot&) = default;

  /// The shot of a bird dragged to `point` (world units) from the rest position and let go. A point beyond
  /// `max_stretch` is moved onto the circle. Throws Error when the point is the rest position itself.
  static Shot from_drag_point(Vec2 point, Vec2 rest, double max_stretch, double tap_time = -1);
};

}  // namespace startle
