#pragma once
/// \file  What the flight of a bird says about its launch.
///
/// The launch is known up to an error e of standard deviation sigma (aim_noise.hpp). The bird is then seen on
/// its way, each place up to a pixel. Least squares against the parabola gives an estimate of e, far better
/// than sigma: after ten units of flight a pixel of 0.07 units is 0.007 rad, and several frames are averaged.
/// The estimate is rounded to cells as wide as its own error, so that other launches can be drawn that would
/// have been seen alike.
#include <optional>
#include <vector>

#include "core/random.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"

namespace startle {

/// The middle of the pixel that a place is in; pixels are squares of that side.
Vec2 seen_at(Vec2 place, double pixel);

class LaunchEstimate {
 public:
  /// The flight of `scene`'s next bird, shot as `announced` up to an error in its angle of standard deviation
  /// `aim_noise` (rad, >= 0). It is seen at those steps after the release, inside `window` where there is
  /// one, and only until the first thing that may happen to it (a contact, the tap) for any error within
  /// three standard deviations.
  LaunchEstimate(const Scene& scene, const Shot& announced, double aim_noise, double pixel,
                 const std::vector<int>& steps, const std::optional<Bounds>& window);

  /// Steps of the flight that count; empty: nothing of it is seen in time.
  const std::vector<int>& steps() const { return steps_; }
  /// Standard deviation of the estimate, rad, from rounding to pixels (pixel/sqrt(12) a coordinate); infinity
  /// when steps() is empty.
  double error() const { return error_; }

  /// The cell of the estimate from the bird's places at steps(), exact ones, that are seen up to a pixel.
  long cell(const std::vector<Vec2>& places) const;
  /// That of a launch with the error e, rad.
  long cell_of(double e) const;
  /// A launch error from the distribution of launch_error(), given that its flight is seen in that cell. If
  /// no flight is seen in it, the error found whose cell is nearest.
  double draw(long cell, Random& random) const;

 private:
  std::vector<Vec2> flight_at(double e) const;
  bool informative() const { return error_ < aim_noise_; }

  Scene stage_;  ///< without objects
  Shot announced_;
  double aim_noise_, pixel_, error_;
  std::vector<int> steps_;
  std::vector<Vec2> expected_, slope_;  ///< at steps(): places without error, and their derivative by it
  double information_ = 0;              ///< sum of the squared slopes
};

}  // namespace startle
