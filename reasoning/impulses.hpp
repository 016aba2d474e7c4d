#pragma once
/// \file  Impulses at contacts, found one contact after the other (sequential impulses, Catto 2005): what blow.cpp and bracing.cpp share.
///
/// At each contact no impulse pulls, friction is at most mu times the pressing impulse, and the bodies must not come closer than `bounce`
/// says. One call corrects one contact by the velocities as they are; passes over all contacts let the corrections settle.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "reasoning/blow.hpp"

namespace startle {

struct ImpulseBody {
  Inertia inertia;
  BodyVelocity motion;
};

struct ImpulseContact {
  std::size_t first = 0, second = 0;  ///< positions among the bodies taking part
  Vec2 normal;                        ///< unit, from the first to the second; the tangent is its left
  double friction = 0;
  double bounce = 0;                  ///< speed at which they must part, m/s
  double pressed = 0, rubbed = 0;     ///< impulses so far, N s, along normal and tangent
  // Of the point of contact about the centres of mass: lever arms of normal and tangent; and the masses that resist along either.
  double normal_first = 0, normal_second = 0, tangent_first = 0, tangent_second = 0;
  double normal_mass = 0, tangent_mass = 0;

  Vec2 tangent() const { return {-normal.y, normal.x}; }
};

/// `bodies[first]` and `bodies[second]` touch at `point`.
inline ImpulseContact impulse_contact(const std::vector<ImpulseBody>& bodies, std::size_t first, std::size_t second, Vec2 point, Vec2 normal,
                                      double friction) {
  ImpulseContact c{.first = first, .second = second, .normal = normal, .friction = friction};
  const Inertia &a = bodies[first].inertia, &b = bodies[second].inertia;
  c.normal_first = cross(point - a.centre, normal);
  c.normal_second = cross(point - b.centre, normal);
  c.tangent_first = cross(point - a.centre, c.tangent());
  c.tangent_second = cross(point - b.centre, c.tangent());
  const auto resisting = [&](double arm_a, double arm_b) {
    const double sum = a.inverse_mass + b.inverse_mass + a.inverse_moment * arm_a * arm_a + b.inverse_moment * arm_b * arm_b;
    return sum > 0 ? 1 / sum : 0;
  };
  c.normal_mass = resisting(c.normal_first, c.normal_second);
  c.tangent_mass = resisting(c.tangent_first, c.tangent_second);
  return c;
}

/// Speed at which the bodies part along `along`, given its lever arms.
inline double parting_speed(const BodyVelocity& a, const BodyVelocity& b, Vec2 along, double arm_a, double arm_b) {
  return dot(b.velocity - a.velocity, along) + b.spin * arm_b - a.spin * arm_a;
}

/// Presses the bodies apart along `along`.
inline void push_apart(ImpulseBody& a, ImpulseBody& b, Vec2 along, double arm_a, double arm_b, double impulse) {
  a.motion.velocity = a.motion.velocity - (a.inertia.inverse_mass * impulse) * along;
  a.motion.spin -= a.inertia.inverse_moment * arm_a * impulse;
  b.motion.velocity = b.motion.velocity + (b.inertia.inverse_mass * impulse) * along;
  b.motion.spin += b.inertia.inverse_moment * arm_b * impulse;
}

/// Corrects the impulses at one contact of a and b; returns by how much they changed together, N s.
inline double correct(ImpulseContact& c, ImpulseBody& a, ImpulseBody& b) {
  const double parting = parting_speed(a.motion, b.motion, c.normal, c.normal_first, c.normal_second);
  const double pressed = std::max(c.pressed + c.normal_mass * (c.bounce - parting), 0.0), more_pressed = pressed - c.pressed;
  c.pressed = pressed;
  push_apart(a, b, c.normal, c.normal_first, c.normal_second, more_pressed);
  const Vec2 tangent = c.tangent();
  const double sliding = parting_speed(a.motion, b.motion, tangent, c.tangent_first, c.tangent_second);
  const double most = c.friction * pressed;
  const double rubbed = std::clamp(c.rubbed - c.tangent_mass * sliding, -most, most), more_rubbed = rubbed - c.rubbed;
  c.rubbed = rubbed;
  push_apart(a, b, tangent, c.tangent_first, c.tangent_second, more_rubbed);
  return std::abs(more_pressed) + std::abs(more_rubbed);
}

}  // namespace startle
