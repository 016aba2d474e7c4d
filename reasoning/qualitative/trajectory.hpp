#pragma once
/// \file  Flight of the bird from the slingshot, and what it meets: traj(o) of [Pinto §4.1].
#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "sim/scene.hpp"
#include "sim/shot.hpp"

namespace startle {

/// One parabola at full stretch. The engine integrates with the symplectic Euler rule, whose points lie on
/// the parabola with the launch speed's y-component lowered by g step/2; this is that parabola, so it agrees
/// with the simulated flight to rounding. Position is that of the bird's disc (BirdType::centre), not of its
/// origin. The bird's linear damping, zero in every profile, is left out.
struct Trajectory {
  Shot shot;
  bool upper = false;  ///< the higher of the two parabolas through `aim`
  Vec2 start;          ///< centre of the bird's disc at release
  Vec2 velocity;       ///< effective launch velocity, m/s
  double gravity = 0;  ///< m/s^2
  double radius = 0;   ///< of the bird's disc
  Vec2 aim;            ///< the point aimed at; in find_targets, the point of the object touched first
  double time = 0;     ///< s from release to the aim point; in find_targets, to the first contact with the
                       ///< object
  Vec2 at(double t) const {
    return {start.x + velocity.x * t, start.y + velocity.y * t - 0.5 * gravity * t * t};
  }
  Vec2 velocity_at(double t) const { return {velocity.x, velocity.y - gravity * t}; }
};

/// Parabola of a shot with the given bird. Only the flight: no object is looked at.
Trajectory flight(const Scene& scene, const BirdType& bird, const Shot& shot);

/// The parabolas (none, one, or lower then upper) at full stretch whose disc's centre passes through `aim`.
/// The bird is released behind the rest position, further down the steeper the shot; that is accounted for
/// exactly. Points reached before the bird is back at the rest position are not looked for.
std::vector<Trajectory> trajectories_through(const Scene& scene, const BirdType& bird, Vec2 aim);

/// True when `trajectory` is the higher of the two parabolas through the place it has reached at time t.
bool on_upper_parabola(const Scene& scene, const Trajectory& trajectory, double t);

/// First time in [0, t_end] at which the swept disc touches the shape (world frame); empty when it does not.
/// Exact: a convex piece is touched first on an edge (a quadratic in time) or at a vertex (a quartic).
std::optional<double> first_contact(const Trajectory& trajectory, const Shape& shape, double t_end);

/// First time in [0, t_end] at which the swept disc touches the ground.
std::optional<double> first_ground_contact(const Trajectory& trajectory, double ground_y, double t_end);

/// A shape in the world frame made ready for many contact queries.
struct Obstacle {
  struct Edge {
    Vec2 from;
    Vec2 along;  ///< unit vector to the next vertex; the outward normal is (along.y, -along.x)
    double length = 0;
  };
  struct Piece {  ///< a convex polygon: edges [first, last)
    Bounds box;
    std::size_t first = 0, last = 0;
  };
  Bounds box;
  std::vector<Edge> edges;
  std::vector<Piece> pieces;
  std::vector<Disc> discs;
};
Obstacle make_obstacle(const Shape& shape);

/// A trajectory made ready for many contact queries: the bird's disc on its way.
struct SweptDisc {
  explicit SweptDisc(const Trajectory& trajectory);

  /// First time in [0, t_end] at which the disc touches the obstacle; infinity when it does not.
  double first_contact(const Obstacle& obstacle, double t_end) const;

  /// Narrows [low, high] to the times at which the disc's x-range meets [left, right]; low > high when there
  /// are none.
  void clip_to_x(double left, double right, double& low, double& high) const {
    if (velocity.x == 0) {
      if (start.x < left || start.x > right) high = -std::numeric_limits<double>::infinity();
      return;
    }
    const double t_left = (left - start.x) * per_speed, t_right = (right - start.x) * per_speed;
    low = std::max(low, std::min(t_left, t_right));
    high = std::min(high, std::max(t_left, t_right));
  }

  /// False when the centre's y stays outside [bottom, top] all through [low, high].
  bool meets_y(double bottom, double top, double low, double high) const {
    const double y_low = y(low), y_high = y(high);
    if (std::min(y_low, y_high) > top) return false;  // the path is concave: lowest at an end
    return std::max(y_low, y_high) >= bottom || (apex_time > low && apex_time < high && apex_y >= bottom);
  }

  /// False when the disc is sure not to touch anything within `box` in [0, t_end].
  bool may_touch(const Bounds& box, double t_end) const {
    double low = 0, high = t_end;
    clip_to_x(box.xmin - radius, box.xmax + radius, low, high);
    return low <= high && meets_y(box.ymin - radius, box.ymax + radius, low, high);
  }

  double y(double t) const { return start.y + (velocity.y - 0.5 * gravity * t) * t; }
  Vec2 at(double t) const { return {start.x + velocity.x * t, y(t)}; }

  Vec2 start, velocity;
  double gravity, radius;
  double per_speed;          ///< 1 / velocity.x
  double apex_time, apex_y;  ///< highest point; not finite without gravity
};

}  // namespace startle
