#pragma once
/// \file  From Startle's shapes and parameters to Box2D's bodies. With engine.hpp the one place that sees
/// Box2D.
#include <box2d/box2d.h>

#include "sim/profile.hpp"

namespace startle {

/// Collision groups, as Box2D's category bits.
enum : uint16 { group_object = 1, group_bird = 2, group_egg = 4, group_fixed = 8, group_slingshot = 16 };

inline b2Vec2 to_box2d(Vec2 v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }
inline Vec2 from_box2d(const b2Vec2& v) { return {v.x, v.y}; }

/// How a body of that group collides: birds pass through birds, eggs and the slingshot.
b2Filter collision_filter(uint16 group);

/// Adds the pieces of `shape` to the body, with the friction and restitution of `parameters`. A piece thinner
/// than the engine can hold is left out; the density is set so that all pieces together weigh `mass` (kg, >
/// 0; not used for static bodies). Throws Error naming `what` when no piece is left.
void add_fixtures(b2Body& body, const Shape& shape, const Parameters& parameters, double mass, uint16 group,
                  const std::string& what);

/// Of the parameters, what the engine keeps with a body: gravity scale and damping, with `air_drag` (1/s) on
/// top of the linear one.
void set_motion(b2BodyDef& definition, const Parameters& parameters, double air_drag);

/// Makes the engine's one-time set-up, which is not thread-safe, happen exactly once.
void initialise_box2d();

}  // namespace startle
