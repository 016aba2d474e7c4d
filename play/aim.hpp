#pragma once
/// \file  The bird pulled back in the slingshot, by mouse or by keys, before it is let go.
#include <string>
#include <vector>

#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"

namespace startle {

/// Angle and stretch lie on a grid, hundredths of a degree and of the longest pull: the shot can then be
/// written down in a few digits, and `startle simulate --shot` flies that very one.
class Aim {
 public:
  /// A pull shorter than this share of the longest is none: the bird goes back to its place.
  static constexpr double least_stretch = 0.1;

  bool pulled() const { return pulled_; }
  double angle_deg() const { return angle_deg_; }  ///< in (-180, 180]
  double stretch() const { return stretch_; }      ///< in [least_stretch, 1]

  /// The bird is held at `point` (world units), which may lie beyond the longest pull.
  void drag_to(Vec2 point, const Scene& scene);
  /// By keys: turns and pulls by so much; the first call pulls the bird to where it was aimed last.
  void nudge(double degrees, double stretch);
  /// The bird goes back to its place; the next nudge() starts from this aim.
  void release() { pulled_ = false; }

  /// The shot it will be.
  Shot shot() const;
  /// Where the bird is held: the origin of its body.
  Vec2 held_at(const Scene& scene) const;

 private:
  double angle_deg_ = 30, stretch_ = 1;
  bool pulled_ = false;
};

/// Angle as `startle simulate --shot` takes it, in degrees, then the tap in seconds and the stretch where the
/// shot has them: "25", "62.5,1.4", "30,,0.85". A shot of an Aim, tapped at a step, comes back from this text
/// bit for bit.
std::string shot_text(const Shot& shot);

/// The flight of the next bird as points 0.04 s apart for so many seconds; ends at the ground. No object is
/// looked at.
std::vector<Vec2> flight_points(const Scene& scene, const Shot& shot, double seconds);

/// Where the bird launched by a recorded shot was, 0.06 s apart, until it first touched something or used its
/// power; at most 4 s.
std::vector<Vec2> flown_points(const Scene& before, const Trace& trace);

}  // namespace startle
