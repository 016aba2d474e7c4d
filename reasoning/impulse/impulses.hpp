#pragma once
/// \file  Impulses at contacts, found one contact after the other (sequential impulses, Catto 2005): what
/// blow.cpp and bracing.cpp share.
///
/// At each contact no impulse pulls, friction is at most mu times the pressing impulse, and the bodies must
/// not come closer than `bounce` says. One call corrects one contact by the velocities as they are; passes
/// over all contacts let the corrections settle.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "reasoning/impulse/blow.hpp"

namespace startle {

struct ImpulseBody {
  Inertia inertia;
  BodyVelocity motion;
  std::uint32_t changed = 0;  ///< blow.cpp: number of the last correction that changed its motion
};

/// How one unit of impulse along a direction changes a body's motion, and how its motion shows along that
/// direction.
struct ImpulseArm {
  double arm = 0;  ///< moment arm of the direction about the centre of mass
  Vec2 velocity;   ///< change for each N s
  double spin = 0;
};

struct ImpulseContact {
  std::uint32_t first = 0, second = 0;  ///< positions among the bodies taking part
  std::uint32_t corrected = 0;          ///< blow.cpp: number of its last correction
  Vec2 normal;                          ///< unit, from the first to the second; the tangent is its left
  double friction = 0;
  double bounce = 0;               ///< speed at which they must part, m/s
  double pressed = 0, rubbed = 0;  ///< impulses so far, N s, along normal and tangent
  ImpulseArm normal_first, normal_second, tangent_first, tangent_second;
  double normal_mass = 0, tangent_mass = 0;  ///< that resist along either
  double coupling = 0;                       ///< speed along the tangent for each N s along the normal

  Vec2 tangent() const { return {-normal.y, normal.x}; }
};

/// `bodies[first]` and `bodies[second]` touch at `point`.
inline ImpulseContact impulse_contact(const std::vector<ImpulseBody>& bodies, std::uint32_t first,
                                      std::uint32_t second, Vec2 point, Vec2 normal, double friction) {
  ImpulseContact c;
  c.first = first;
  c.second = second;
  c.normal = normal;
  c.friction = friction;
  const Inertia &a = bodies[first].inertia, &b = bodies[second].inertia;
  const auto arm_along = [point](const Inertia& body, Vec2 along) {
    const double moment_arm = cross(point - body.centre, along);
    return ImpulseArm{moment_arm, body.inverse_mass * along, body.inverse_moment * moment_arm};
  };
  c.normal_first = arm_along(a, normal);
  c.normal_second = arm_along(b, normal);
  c.tangent_first = arm_along(a, c.tangent());
  c.tangent_second = arm_along(b, c.tangent());
  const auto resisting = [&](const ImpulseArm& of_a, const ImpulseArm& of_b) {
    const double sum = a.inverse_mass + b.inverse_mass + of_a.spin * of_a.arm + of_b.spin * of_b.arm;
    return sum > 0 ? 1 / sum : 0;
  };
  c.normal_mass = resisting(c.normal_first, c.normal_second);
  c.tangent_mass = resisting(c.tangent_first, c.tangent_second);
  c.coupling = c.normal_first.spin * c.tangent_first.arm + c.normal_second.spin * c.tangent_second.arm;
  return c;
}

/// Presses the bodies apart by `pressed` along the normal, and by `rubbed` along the tangent, N s.
inline void push_apart(const ImpulseContact& c, BodyVelocity& a, BodyVelocity& b, double pressed,
                       double rubbed) {
  a.velocity = a.velocity - (pressed * c.normal_first.velocity + rubbed * c.tangent_first.velocity);
  a.spin -= pressed * c.normal_first.spin + rubbed * c.tangent_first.spin;
  b.velocity = b.velocity + (pressed * c.normal_second.velocity + rubbed * c.tangent_second.velocity);
  b.spin += pressed * c.normal_second.spin + rubbed * c.tangent_second.spin;
}

/// Corrects the impulses at one contact of a and b, first along the normal, then along the tangent; returns
/// by how much they changed together, N s.
inline double correct(ImpulseContact& c, BodyVelocity& a, BodyVelocity& b) {
  const Vec2 v = b.velocity - a.velocity;
  const double parting = dot(v, c.normal) + b.spin * c.normal_second.arm - a.spin * c.normal_first.arm;
  const double sliding = cross(c.normal, v) + b.spin * c.tangent_second.arm - a.spin * c.tangent_first.arm;
  const double pressed = std::max(c.pressed + c.normal_mass * (c.bounce - parting), 0.0),
               more_pressed = pressed - c.pressed;
  if (pressed == 0 && more_pressed == 0) return 0;  // they part, and do not rub
  const double most = c.friction * pressed;
  const double rubbed = std::clamp(c.rubbed - c.tangent_mass * (sliding + c.coupling * more_pressed), -most,
                                   most),
               more_rubbed = rubbed - c.rubbed;
  c.pressed = pressed;
  c.rubbed = rubbed;
  push_apart(c, a, b, more_pressed, more_rubbed);
  return std::abs(more_pressed) + std::abs(more_rubbed);
}

}  // namespace startle
