#pragma once
/// \file  What one shot did: poses over time, events, outcome, hash.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/geometry.hpp"

namespace startle {

/// Identity of a moving thing within a trace: objects of the scene keep their index; the bird, its children
/// and the egg follow as Scene::objects.size() + 0, 1, ... in order of creation. ground_id is the ground
/// and the slingshot.
using BodyId = int;
inline constexpr BodyId ground_id = -1;

enum class EventKind {
  launch,        ///< a: bird; value: speed (m/s)
  tap,           ///< a: bird
  spawn,         ///< a: new bird (split) or egg; b: bird it came from
  contact,       ///< a, b: bodies that began to touch; value: relative speed (m/s)
  damage,        ///< a: body hurt; b: attacker; value: hit points
  destroyed,     ///< a: body; value: score gained
  explosion,     ///< a: what exploded; value: radius
  out_of_world,  ///< a: body
  bird_gone      ///< a: bird; it came to rest or its time was over
};
const char* name(EventKind kind);

struct Event {
  int step = 0;  ///< steps since release
  EventKind kind = EventKind::contact;
  BodyId a = ground_id, b = ground_id;
  double value = 0;
  Vec2 position;
};

struct BodyState {
  BodyId id = 0;
  Pose pose;
  double life = 0;
  Vec2 velocity;                ///< m/s, of the centre of mass
  double angular_velocity = 0;  ///< rad/s
};

/// What two bodies did to each other by touching, over the steps since the frame before.
struct ContactImpulse {
  BodyId a = ground_id, b = ground_id;  ///< a < b
  Vec2 impulse;                         ///< N s, of a on b; that of b on a is its opposite
  double normal = 0;                    ///< N s, sum of the sizes of the normal parts
  Vec2 position;                        ///< world units, mean weighted by the normal parts
};

/// All bodies alive after a step, in order of id.
struct Frame {
  int step = 0;
  std::vector<BodyState> bodies;
  std::vector<ContactImpulse> contacts;  ///< by (a, b); empty when motion was not asked for
};

/// What the motion of a body depends on besides forces.
struct BodyMass {
  double mass = 0;           ///< kg; 0: static
  double inertia = 0;        ///< kg m^2, about the centre of mass
  Vec2 centre;               ///< of mass, body frame
  double gravity_scale = 1;  ///< multiplies Trace::gravity
};

enum class EndReason {
  settled,    ///< nothing that matters moves any more
  cleared,    ///< no pig is left and the rest has settled
  time_limit  ///< still moving at the longest time allowed
};
const char* name(EndReason reason);

struct [[nodiscard]] Trace {
  double step_s = 0.02;          ///< seconds per step
  int record_every = 0;          ///< steps between frames; 0: nothing recorded
  std::vector<Frame> frames;     ///< after steps 0 (the release), record_every, 2 record_every ...
  std::vector<Event> events;     ///< empty when events were not asked for
  Vec2 gravity;                  ///< m/s^2; zero when motion was not asked for
  std::vector<BodyMass> masses;  ///< by BodyId; empty when motion was not asked for
  int steps = 0;                 ///< length of the shot
  EndReason end = EndReason::settled;
  int pigs_killed = 0;
  int blocks_destroyed = 0;
  double score = 0;        ///< gained by this shot
  std::uint64_t hash = 0;  ///< of every event and of the final state, bit for bit
};

}  // namespace startle
