#pragma once
/// \file  A small world without slingshot, damage and levels: bodies that roll, fall, bounce and turn about
/// hinges.
///
/// \code
///   #include "sim/shape.hpp"
///   const BodyMotion motion = simulate_bodies(
///       {{.shape = box_shape(20, 1), .pose = {{0, -0.5}}, .density = 0},
///        {.shape = disc_shape(0.3), .pose = {{0, 0.3}}, .velocity = {5, 0}, .angular_velocity = -5 / 0.3}},
///       {});
///   // motion.frames[t][1].position: where the ball is
/// \endcode
///
/// Box2D as in World, with its promises: the same bodies give the same bits, on any number of threads.
#include <optional>
#include <vector>

#include "sim/geometry.hpp"

namespace startle {

struct Body {
  Shape shape;  ///< body frame
  Pose pose;
  Vec2 velocity = {};           ///< units/s, of the centre of mass
  double angular_velocity = 0;  ///< rad/s
  double density = 1;           ///< kg per square unit; 0: it never moves
  double friction = 0.5;
  double restitution = 0;
  std::optional<Vec2> hinge = {};  ///< a point of the world about which the body turns
};

struct BodyOptions {
  Vec2 gravity{0, -9.81};   ///< units/s^2
  double step = 1.0 / 240;  ///< s; short, since a bounce loses up to a step of the way
  int steps_a_frame = 12;   ///< >= 1
  int frames = 15;          ///< >= 1
};

struct BodyMotion {
  std::vector<std::vector<Pose>> frames;  ///< frames[t][i]: body i after t * steps_a_frame steps
  std::vector<Vec2> velocities;           ///< of each body at the last frame
};

/// Throws Error for a body that cannot be simulated (a shape too thin).
BodyMotion simulate_bodies(const std::vector<Body>& bodies, const BodyOptions& options);

}  // namespace startle
