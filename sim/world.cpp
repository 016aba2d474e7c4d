#include "sim/world.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/interrupt.hpp"
#include "sim/engine.hpp"
#include "sim/rest.hpp"
#include "sim/scene_check.hpp"
#include "sim/steps.hpp"
#include "sim/world_damage.hpp"

namespace startle {
namespace {

// The settle rule (docs/engine.md gives the measurement that chose the numbers).

/// Energy per mass, v^2/2 + I w^2/(2 m) in m^2/s^2, of a body that moves at `speed` without turning.
constexpr float energy_at(float speed) { return 0.5f * speed * speed; }
/// A block, pig or TNT is quiet while its energy is below that of this speed, m/s. The energy is that of its
/// real motion over the step: the engine pushes overlapping bodies apart without giving them any velocity.
constexpr float quiet_energy = energy_at(0.02f);
/// The same for birds and eggs. A red bird this slow does 0.6 hit points, less than any defence of anu.
constexpr float quiet_bird_energy = energy_at(0.1f);
/// Everything must have been quiet for so long, s: a block thrown up stands still for a moment too.
constexpr double quiet_time = 0.2;
/// From here after its first contact a bird that lies still is taken away, s, as in the original.
constexpr double bird_rest_time = 3;
/// The longest a bird lives after its launch, s, as in the original.
constexpr double bird_life = 20;

/// Birds, eggs and pigs collide continuously (at the time of impact within a step), as in the original, and
/// blocks do not. Box2D knows only all or nothing, so continuous collision is on in the steps where one of
/// these moves faster than this, m/s: slower, it moves less than 0.05 in a step and cannot miss anything. It
/// is half of the cost of a step.
constexpr float continuous_speed = 2.5f;

/// The ground reaches this far past the edge of the world, so that what rolls out does not fall off first.
constexpr double ground_margin = 20;
constexpr double ground_depth = 10;

}  // namespace

void Engine::Body::remember_place() {
  last_centre = body->GetWorldCenter();
  last_angle = body->GetAngle();
}

void Engine::Body::complete() {
  const b2Vec2& centre = body->GetLocalCenter();
  inertia_per_mass = body->GetInertia() / body->GetMass() - b2Dot(centre, centre);
  remember_place();
}

Engine::Engine(const Scene& scene, const WorldOptions& options, bool damage)
    : start_(scene),
      profile_((require_simulable(scene), *scene.profile)),
      options_(options),
      damage_(damage),
      world_(to_box2d(gravity_of(scene))) {
  initialise_box2d();
  if (options.record_every < 0)
    throw Error("world: record_every is negative; allowed: 0 (nothing) or a number of steps");
  require_value(options.time_limit > 0 && options.time_limit <= 1e6, "world: time_limit", options.time_limit,
                "over 0 to 1e6 s");
  energy_scale_ = static_cast<float>(0.5 / (profile_.step * profile_.step));
  limit_steps_ = steps_for(options.time_limit, profile_.step);
  hold_steps_ = steps_for(quiet_time, profile_.step);
  trace_.step_s = profile_.step;
  trace_.record_every = options.record_every;
  if (options.record_motion) trace_.gravity = from_box2d(world_.GetGravity());
  pigs_ = scene.pigs_left();

  if (scene.world) happened_.resize(scene.world->events.size(), 0);
  add_ground_and_slingshot();
  bodies_.reserve(scene.objects.size() + 4);
  bodies_.resize(scene.objects.size());
  // The engine works through bodies and contacts in the order they were made in: not that of the file, which
  // says nothing about the world.
  for (const std::size_t i : geometric_order(scene)) add_object(i);

  // A step of no length finds the contacts that exist already. They are old and hurt nobody: the listener
  // comes after.
  world_.Step(0, 0, 0);
  if (damage_) {
    // At rest means asleep: with their contacts known, the bodies sleep until one of them is touched.
    if (at_rest(scene))
      for (const BodyId id : movable_) at(id).body->SetAwake(false);
    touches_.reserve(64);
    world_.SetContactListener(this);
  }
}

void Engine::add_ground_and_slingshot() {
  b2BodyDef definition;  // static; user data 0 means ground_id
  const float half_width = static_cast<float>(start_.half_width + ground_margin);
  b2PolygonShape box;
  box.SetAsBox(half_width, static_cast<float>(ground_depth / 2),
               to_box2d({0, profile_.ground_y - ground_depth / 2}), 0);
  b2FixtureDef ground;
  ground.shape = &box;
  ground.friction = static_cast<float>(profile_.default_friction *
                                       (start_.world ? start_.world->ground_friction : 1));
  ground.restitution = static_cast<float>(profile_.default_restitution);
  ground.filter = collision_filter(group_fixed);
  world_.CreateBody(&definition)->CreateFixture(&ground);

  definition.position = to_box2d(start_.slingshot);
  add_fixtures(*world_.CreateBody(&definition), *profile_.slingshot_shape,
               {.friction = profile_.default_friction, .restitution = profile_.default_restitution}, 0,
               group_slingshot, "slingshot");
}

void Engine::add_object(std::size_t index) {
  const SceneObject& object = start_.objects[index];
  Body& body = bodies_[index];
  body.kind = object.kind;
  body.material = object.material;
  body.defence = object.parameters.defence;
  body.fixed = object.is_static();
  body.life = object.life;
  if (object.kind == Kind::bird) body.bird = &profile_.bird(object.type);
  if (object.alive) {
    b2BodyDef definition;
    definition.position = to_box2d(object.pose.position);
    definition.angle = static_cast<float>(object.pose.angle);
    definition.userData.pointer = index + 1;
    if (!body.fixed) {
      body.mass = object.mass();
      definition.type = b2_dynamicBody;
      set_motion(definition, object.parameters, air_drag());
      definition.bullet = object.kind == Kind::pig;
    }
    body.body = world_.CreateBody(&definition);
    add_fixtures(*body.body, *object.shape, object.parameters, body.mass,
                 body.fixed  ? group_fixed
                 : body.bird ? group_bird
                             : group_object,
                 "object " + std::to_string(index) + " (" + object.type + ")");
    if (!body.fixed) {
      // Not in the definition: there the velocity would be that of the origin, and change with the mass data.
      body.body->SetLinearVelocity(to_box2d(object.velocity));
      body.body->SetAngularVelocity(static_cast<float>(object.angular_velocity));
      body.complete();
      movable_.push_back(static_cast<BodyId>(index));
      record_mass(static_cast<BodyId>(index));
    }
  }
}

BodyId Engine::add_flyer(Kind kind, const BirdType* bird, const Shape& shape, const Parameters& parameters,
                         double mass, const b2Vec2& position, float angle, const b2Vec2& velocity) {
  const BodyId id = static_cast<BodyId>(bodies_.size());
  b2BodyDef definition;
  definition.type = b2_dynamicBody;
  definition.position = position;
  definition.angle = angle;
  definition.linearVelocity = velocity;
  set_motion(definition, parameters, air_drag());
  definition.bullet = true;
  definition.userData.pointer = static_cast<std::uintptr_t>(id) + 1;
  Body body;
  body.kind = kind;
  body.bird = bird;
  body.mass = mass;
  body.life = parameters.life;
  body.body = world_.CreateBody(&definition);
  add_fixtures(*body.body, shape, parameters, mass, kind == Kind::bird ? group_bird : group_egg, name(kind));
  body.complete();
  bodies_.push_back(body);
  flyers_.push_back(id);
  record_mass(id);
  fast_ = true;
  return id;
}

void Engine::record_mass(BodyId id) {
  if (!options_.record_motion) return;
  trace_.masses.resize(bodies_.size());
  const b2Body& body = *at(id).body;
  const b2Vec2& centre = body.GetLocalCenter();
  trace_.masses[static_cast<std::size_t>(id)] = {
      .mass = static_cast<double>(body.GetMass()),
      .inertia = static_cast<double>(body.GetInertia() - body.GetMass() * b2Dot(centre, centre)),
      .centre = from_box2d(centre),
      .gravity_scale = static_cast<double>(body.GetGravityScale())};
}

void Engine::remove(Body& body) {
  world_.DestroyBody(body.body);  // wakes what touched it
  body.body = nullptr;
}

void Engine::remove_bird(BodyId id) {
  Body& bird = at(id);
  // What leans on the bird begins to fall now; the shot must see it come to rest.
  for (const b2ContactEdge* edge = bird.body->GetContactList(); edge; edge = edge->next)
    if (edge->contact->IsTouching() && edge->other->GetType() == b2_dynamicBody) quiet_steps_ = 0;
  remove(bird);
  std::erase(flyers_, id);
}

void Engine::launch(const Shot& shot) {
  if (launched_) throw Error("launch: this world has had its shot; make a new one from scene()");
  if (trace_.steps > 0) throw Error("launch: this world has been stepped; launch before the first step");
  if (start_.birds_left() == 0) throw Error("launch: no bird is left");
  require_value(std::fabs(shot.angle) <= 100, "shot: angle", shot.angle, "-100 to 100 radians");
  require_value(shot.stretch > 0 && shot.stretch <= 1, "shot: stretch", shot.stretch, "over 0 to 1");
  require_value(shot.tap_time <= latest_tap_s, "shot: tap_time", shot.tap_time,
                "at most 1000 seconds, or negative for never");

  const BirdType& bird = profile_.bird(start_.birds[start_.next_bird]);
  const Vec2 along = direction(shot.angle);
  const Vec2 position = start_.rest() - (shot.stretch * profile_.max_stretch) * along;
  const double speed = shot.stretch * profile_.launch_speed;
  const BodyId id = add_flyer(Kind::bird, &bird, *bird.shape, bird.parameters, bird.mass(),
                              to_box2d(position), 0, to_box2d(speed * along));
  at(id).power_left = bird.power.kind != PowerKind::none;
  tappable_ = id;
  if (shot.tap_time >= 0) tap_step_ = steps_for(shot.tap_time, profile_.step);
  launched_ = true;
  bird_ = start_.next_bird;
  ++start_.next_bird;
  emit(EventKind::launch, id, ground_id, speed, position);
}

// Called by Box2D from within a step, before the contact is solved: velocities are those of the approach.
// That holds for contacts found at the time of impact too, where the step's other contacts have been solved.
void Engine::BeginContact(b2Contact* contact) {
  b2Body* a = contact->GetFixtureA()->GetBody();
  b2Body* b = contact->GetFixtureB()->GetBody();
  if (a->GetFixtureList()->GetNext() || b->GetFixtureList()->GetNext()) {
    // A pair of bodies touches when any of their pieces do: only the first counts, and not a change of pieces
    // within a step.
    for (const b2ContactEdge* edge = a->GetContactList(); edge; edge = edge->next)
      if (edge->other == b && edge->contact != contact && edge->contact->IsTouching()) return;
    for (const auto& [c, d] : parted_)
      if ((c == a && d == b) || (c == b && d == a)) return;
  }
  b2WorldManifold manifold;
  contact->GetWorldManifold(&manifold);
  BegunContact touch;
  touch.a = static_cast<BodyId>(a->GetUserData().pointer) - 1;
  touch.b = static_cast<BodyId>(b->GetUserData().pointer) - 1;
  touch.velocity_a = from_box2d(a->GetLinearVelocity());
  touch.velocity_b = from_box2d(b->GetLinearVelocity());
  touch.position = from_box2d(manifold.points[0]);
  if (touch.a > touch.b) {
    std::swap(touch.a, touch.b);
    std::swap(touch.velocity_a, touch.velocity_b);
  }
  touches_.push_back(touch);
}

void Engine::EndContact(b2Contact* contact) {
  b2Body* a = contact->GetFixtureA()->GetBody();
  b2Body* b = contact->GetFixtureB()->GetBody();
  if (a->GetFixtureList()->GetNext() || b->GetFixtureList()->GetNext()) parted_.emplace_back(a, b);
}

// A contact is solved along the normal that it has before the bodies move.
void Engine::PreSolve(b2Contact* contact, const b2Manifold*) {
  if (options_.record_motion) contact->GetWorldManifold(&solved_[contact]);
}

void Engine::PostSolve(b2Contact* contact, const b2ContactImpulse* impulse) {
  if (!options_.record_motion) return;
  const auto known = solved_.find(contact);
  b2WorldManifold manifold;
  // Bodies that were asleep are woken while the step is solved, and have not moved yet.
  if (known != solved_.end())
    manifold = known->second;
  else
    contact->GetWorldManifold(&manifold);
  const auto id_of = [](b2Fixture* fixture) {
    return static_cast<BodyId>(fixture->GetBody()->GetUserData().pointer) - 1;
  };
  BodyId a = id_of(contact->GetFixtureA()), b = id_of(contact->GetFixtureB());
  const Vec2 normal = from_box2d(manifold.normal), tangent{normal.y, -normal.x};
  const double sign = a < b ? 1 : -1;
  if (a > b) std::swap(a, b);
  ContactImpulse& sum = impulses_[{a, b}];
  sum.a = a;
  sum.b = b;
  for (int i = 0; i < impulse->count; ++i) {
    const auto along = static_cast<double>(impulse->normalImpulses[i]),
               across = static_cast<double>(impulse->tangentImpulses[i]);
    sum.impulse = sum.impulse + sign * (along * normal + across * tangent);
    sum.normal += along;
    sum.position = sum.position + along * from_box2d(manifold.points[i]);
  }
}

void Engine::record_frame() {
  trace_.frames.push_back(frame());
  for (auto& [bodies, contact] : impulses_) {
    if (!(contact.normal > 0)) continue;  // they touched and did not press
    contact.position = (1 / contact.normal) * contact.position;
    trace_.frames.back().contacts.push_back(contact);
  }
  impulses_.clear();
}

void Engine::emit(EventKind kind, BodyId a, BodyId b, double value, Vec2 position) {
  hash_.add(trace_.steps);
  hash_.add(static_cast<int>(kind));
  hash_.add(a);
  hash_.add(b);
  hash_.add(value);
  hash_.add(position.x);
  hash_.add(position.y);
  if (options_.record_events) trace_.events.push_back({trace_.steps, kind, a, b, value, position});
}

void Engine::step() {
  if (over_) return;
  give_up_if_stopped();
  if (options_.record_every > 0 && trace_.steps == 0) record_frame();
  if (trace_.steps == tap_step_) tap();

  touches_.clear();
  parted_.clear();
  solved_.clear();
  if (start_.world && !start_.world->fields.empty()) process_fields();
  world_.SetContinuousPhysics(fast_);
  fast_ = false;
  world_.Step(static_cast<float>(profile_.step), profile_.velocity_iterations, profile_.position_iterations);
  ++trace_.steps;

  if (!touches_.empty()) process_touches();
  if (start_.world && !start_.world->events.empty()) process_events();
  process_objects();
  if (!flyers_.empty()) process_flyers();
  if (!explosions_.empty()) process_explosions();
  if (object_died_) {
    std::erase_if(movable_, [this](BodyId id) { return !at(id).body; });
    object_died_ = false;
  }
  if (options_.record_every > 0 && trace_.steps % options_.record_every == 0) record_frame();

  if (flyers_.empty() && quiet_steps_ >= hold_steps_)
    finish(pigs_ == 0 ? EndReason::cleared : EndReason::settled);
  else if (trace_.steps >= limit_steps_)
    finish(EndReason::time_limit);
}

void Engine::process_touches() {
  for (const BegunContact& touch : touches_) {
    emit(EventKind::contact, touch.a, touch.b, length(touch.velocity_a - touch.velocity_b), touch.position);
    take_blow(touch.a, touch.velocity_a, touch.b, touch.velocity_b);
    take_blow(touch.b, touch.velocity_b, touch.a, touch.velocity_a);
  }
}

void Engine::take_blow(BodyId self, Vec2 velocity, BodyId other, Vec2 other_velocity) {
  if (self == ground_id || at(self).fixed || !at(self).body) return;
  Body& body = at(self);
  if (!is_object(self)) {
    if (body.first_contact < 0) body.first_contact = trace_.steps;  // birds and eggs are not hurt
    touched_ = true;
    return;
  }
  const auto after = [](const Body& b) { return b.body ? from_box2d(b.body->GetLinearVelocity()) : Vec2{}; };
  Collider me{body.kind, body.material, body.defence, body.mass, false, velocity, nullptr, after(body)};
  Collider you;
  if (other == ground_id) {
    you.kind = Kind::ground;
    you.fixed = true;
  } else {
    const Body& b = at(other);
    you = {b.kind, b.material, b.defence, b.mass, b.fixed, other_velocity, b.bird, after(b)};
  }
  const double damage = collision_damage(profile_, me, you);
  hurt(self, other, damage);
  if (you.bird && body.body && profile_.score_hit_points) {
    const double points = 10 * std::round(damage);
    if (points > 10) trace_.score += points;
  }
}

void Engine::hurt(BodyId id, BodyId attacker, double damage) {
  Body& body = at(id);
  if (!(damage > 0)) return;
  body.life -= damage;
  emit(EventKind::damage, id, attacker, damage, position_of(id));
  if (body.life <= 0) kill(id);
}

void Engine::kill(BodyId id) {
  Body& body = at(id);
  const Vec2 position = position_of(id);
  double score = 0;
  if (body.kind == Kind::pig) {
    score = profile_.score_pig;
    ++trace_.pigs_killed;
    --pigs_;
  } else if (body.kind == Kind::block) {
    score = profile_.score_block;
    ++trace_.blocks_destroyed;
  }
  trace_.score += score;
  emit(EventKind::destroyed, id, ground_id, score, position);
  start_.objects[static_cast<std::size_t>(id)].alive = false;
  remove(body);  // its place in movable_ is cleared at the end of the step
  object_died_ = true;
  quiet_steps_ = 0;
  if (body.kind == Kind::tnt)
    explosions_.push_back({id, start_.objects[static_cast<std::size_t>(id)].explosion, position});
}

void Engine::notice_speed(const b2Body& body) {
  if (body.GetLinearVelocity().LengthSquared() > continuous_speed * continuous_speed) fast_ = true;
}

bool Engine::out_of_world(const b2Body& body) const {
  const float half_width = static_cast<float>(start_.half_width);
  if (std::fabs(body.GetWorldCenter().x) <= half_width) return false;
  for (const b2Fixture* fixture = body.GetFixtureList(); fixture; fixture = fixture->GetNext()) {
    b2AABB box;
    fixture->GetShape()->ComputeAABB(&box, body.GetTransform(), 0);
    if (box.lowerBound.x <= half_width && box.upperBound.x >= -half_width) return false;
  }
  return true;
}

float Engine::motion_energy(Body& body) const {
  const b2Vec2 moved = body.body->GetWorldCenter() - body.last_centre;
  const float turned = body.body->GetAngle() - body.last_angle;
  body.remember_place();
  return (b2Dot(moved, moved) + body.inertia_per_mass * turned * turned) * energy_scale_;
}

void Engine::process_objects() {
  float most = 0;
  for (const BodyId id : movable_) {
    Body& object = at(id);
    if (!object.body || !object.body->IsAwake()) continue;
    most = std::max(most, motion_energy(object));
    if (object.kind == Kind::pig) notice_speed(*object.body);
    if (out_of_world(*object.body)) {
      emit(EventKind::out_of_world, id, ground_id, 0, position_of(id));
      kill(id);
    }
  }
  quiet_steps_ = most < quiet_energy ? quiet_steps_ + 1 : 0;
}

void Engine::process_flyers() {
  for (std::size_t i = 0; i < flyers_.size();) {
    const BodyId id = flyers_[i];
    Body& flyer = at(id);
    const Vec2 here = position_of(id);
    notice_speed(*flyer.body);
    flyer.quiet_steps = motion_energy(flyer) < quiet_bird_energy ? flyer.quiet_steps + 1 : 0;
    const double since_contact = flyer.first_contact >= 0 ? seconds(trace_.steps - flyer.first_contact) : -1;
    const bool lit = flyer.power_left && flyer.bird->power.kind == PowerKind::explode && since_contact >= 0;

    bool gone = true;
    if (out_of_world(*flyer.body)) {
      emit(EventKind::out_of_world, id, ground_id, 0, here);
    } else if (flyer.kind == Kind::egg && since_contact >= 0) {
      explosions_.push_back({id, profile_.find(Kind::egg, "Egg")->explosion, here});
    } else if (lit && since_contact >= flyer.bird->power.delay - 1e-9) {
      explosions_.push_back({id, flyer.bird->power.explosion, here});
    } else {
      const bool at_rest = since_contact >= 0 && !lit && flyer.quiet_steps >= hold_steps_ &&
                           (since_contact >= bird_rest_time || quiet_steps_ >= hold_steps_);
      gone = at_rest || seconds(trace_.steps) >= bird_life;
    }
    if (!gone) {
      ++i;
      continue;
    }
    emit(EventKind::bird_gone, id, ground_id, 0, here);
    remove_bird(id);
  }
}

void Engine::finish(EndReason reason) {
  over_ = true;
  trace_.end = reason;
  Hash hash = hash_;
  hash.add(trace_.steps);
  hash.add(static_cast<int>(reason));
  hash.add(trace_.score);
  for (const BodyId id : movable_) {
    const Body& object = at(id);
    const Vec2 position = position_of(id), velocity = from_box2d(object.body->GetLinearVelocity());
    hash.add(id);
    hash.add(position.x);
    hash.add(position.y);
    hash.add(static_cast<double>(object.body->GetAngle()));
    hash.add(velocity.x);
    hash.add(velocity.y);
    hash.add(static_cast<double>(object.body->GetAngularVelocity()));
    hash.add(object.life);
  }
  trace_.hash = hash.value();
}

Frame Engine::frame() const {
  Frame frame;
  frame.step = trace_.steps;
  frame.bodies.reserve(movable_.size() + flyers_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    if (body.body)
      frame.bodies.push_back(
          {static_cast<BodyId>(i),
           {from_box2d(body.body->GetPosition()), static_cast<double>(body.body->GetAngle())},
           body.life,
           from_box2d(body.body->GetLinearVelocity()),
           static_cast<double>(body.body->GetAngularVelocity())});
  }
  return frame;
}

Scene Engine::scene() const {
  Scene scene = start_;
  for (const BodyId id : movable_) {
    SceneObject& object = scene.objects[static_cast<std::size_t>(id)];
    const Body& body = at(id);
    if (!body.body) continue;
    object.pose = {from_box2d(body.body->GetPosition()), static_cast<double>(body.body->GetAngle())};
    object.velocity = from_box2d(body.body->GetLinearVelocity());
    object.angular_velocity = static_cast<double>(body.body->GetAngularVelocity());
    object.life = body.life;
  }
  scene.score += trace_.score;
  scene.rest_mark = 0;
  if (settled()) {
    scene = taken_at_rest(std::move(scene));
  } else if (trace_.steps == 0) {
    scene.rest_mark = start_.rest_mark;
  }
  return scene;
}

struct World::Impl {
  Engine engine;
};

World::World(const Scene& scene, const WorldOptions& options) : impl_(new Impl{{scene, options, true}}) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::launch(const Shot& shot) { impl_->engine.launch(shot); }
bool World::tap() { return impl_->engine.tap(); }
void World::step() { impl_->engine.step(); }
bool World::over() const { return impl_->engine.over(); }
Frame World::frame() const { return impl_->engine.frame(); }
Scene World::scene() const { return impl_->engine.scene(); }
const Trace& World::trace() const { return impl_->engine.trace(); }

}  // namespace startle
