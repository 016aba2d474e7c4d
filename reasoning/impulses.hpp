#pragma once
/// \file  Impulses at contacts, found one contact after the other (sequential impulses, Catto 2005): what blow.cpp and bracing.cpp share.
///
/// At each contact no impulse pulls, friction is at most mu times the pressing impulse, and the bodies must not come closer than `bounce`
/// says. One call corrects one contact by the velocities as they are; passes over all contacts let the corrections settle.
#include <algorithm>
#include <cstddef>

#include "reasoning/blow.hpp"

namespace startle {

struct ImpulseBody {
  Inertia inertia;
  BodyMotion motion;
};

struct ImpulseContact {
  std::size_t first = 0, second = 0;  ///< positions among the bodies taking part
  Vec2 normal;                        ///< unit, from the first to the second
  Vec2 arm_first, arm_second;         ///< from the centres of mass to the point of contact
  double friction = 0;
  double bounce = 0;                  ///< speed at which they must part, m/s
  double normal_mass = 0, tangent_mass = 0;
  double pressed = 0, rubbed = 0;     ///< impulses so far, N s, along the normal and along its left
};

inline double effective_mass(const Inertia& a, const Inertia& b, Vec2 arm_a, Vec2 arm_b, Vec2 along) {
  const double ra = cross(arm_a, along), rb = cross(arm_b, along);
  const double sum = a.inverse_mass + b.inverse_mass + a.inverse_moment * ra * ra + b.inverse_moment * rb * rb;
  return sum > 0 ? 1 / sum : 0;
}

/// `bodies[first]` and `bodies[second]` touch at `point`.
template <typename Bodies>
ImpulseContact impulse_contact(const Bodies& bodies, std::size_t first, std::size_t second, Vec2 point, Vec2 normal, double friction) {
  const Inertia &a = bodies[first].inertia, &b = bodies[second].inertia;
  ImpulseContact contact{.first = first, .second = second, .normal = normal, .arm_first = point - a.centre, .arm_second = point - b.centre,
                         .friction = friction};
  contact.normal_mass = effective_mass(a, b, contact.arm_first, contact.arm_second, normal);
  contact.tangent_mass = effective_mass(a, b, contact.arm_first, contact.arm_second, {-normal.y, normal.x});
  return contact;
}

inline Vec2 velocity_at(const ImpulseBody& body, Vec2 arm) {
  return body.motion.velocity + Vec2{-body.motion.spin * arm.y, body.motion.spin * arm.x};
}

inline void push(ImpulseBody& body, Vec2 arm, Vec2 impulse) {
  body.motion.velocity = body.motion.velocity + body.inertia.inverse_mass * impulse;
  body.motion.spin += body.inertia.inverse_moment * cross(arm, impulse);
}

/// Corrects the impulses at one contact; returns by how much they changed together, N s.
inline double correct(ImpulseContact& contact, ImpulseBody& a, ImpulseBody& b) {
  Vec2 apart = velocity_at(b, contact.arm_second) - velocity_at(a, contact.arm_first);
  const double pressed = std::max(contact.pressed + contact.normal_mass * (contact.bounce - dot(apart, contact.normal)), 0.0);
  const double more_pressed = pressed - contact.pressed;
  Vec2 impulse = more_pressed * contact.normal;
  contact.pressed = pressed;
  push(a, contact.arm_first, -1.0 * impulse);
  push(b, contact.arm_second, impulse);
  const Vec2 tangent{-contact.normal.y, contact.normal.x};
  apart = velocity_at(b, contact.arm_second) - velocity_at(a, contact.arm_first);
  const double most = contact.friction * contact.pressed;
  const double rubbed = std::clamp(contact.rubbed - contact.tangent_mass * dot(apart, tangent), -most, most);
  const double more_rubbed = rubbed - contact.rubbed;
  impulse = more_rubbed * tangent;
  contact.rubbed = rubbed;
  push(a, contact.arm_first, -1.0 * impulse);
  push(b, contact.arm_second, impulse);
  return std::max(more_pressed, -more_pressed) + std::max(more_rubbed, -more_rubbed);
}

}  // namespace startle
