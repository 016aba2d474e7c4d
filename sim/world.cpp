#include "sim/world.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "sim/error.hpp"
#include "sim/hash.hpp"
#include "sim/world_bodies.hpp"
#include "sim/world_damage.hpp"

namespace startle {
namespace {

// The settle rule (docs/engine.md gives the measurement that chose the numbers).

/// Energy per mass, v^2/2 + I w^2/(2 m) in m^2/s^2, of a body that moves at `speed` without turning.
constexpr float energy_at(float speed) { return 0.5f * speed * speed; }
/// A block, pig or TNT is quiet while its energy is below that of this speed, m/s. The energy is that of its real motion
/// over the step: the engine pushes overlapping bodies apart without giving them any velocity.
constexpr float quiet_energy = energy_at(0.02f);
/// The same for birds and eggs. A red bird this slow does 0.6 hit points, less than any defence of anu.
constexpr float quiet_bird_energy = energy_at(0.1f);
/// Everything must have been quiet for so long, s: a block thrown up stands still for a moment too.
constexpr double quiet_time = 0.2;
/// From here after its first contact a bird that lies still is taken away, s, as in the original.
constexpr double bird_rest_time = 3;
/// The longest a bird lives after its launch, s, as in the original.
constexpr double bird_life = 20;

/// Birds, eggs and pigs collide continuously (at the time of impact within a step), as in the original, and blocks do not. Box2D
/// knows only all or nothing, so continuous collision is on in the steps where one of these moves faster than this, m/s:
/// slower, it moves less than 0.05 in a step and cannot miss anything. It is half of the cost of a step.
constexpr float continuous_speed = 2.5f;

/// The ground reaches this far past the edge of the world, so that what rolls out does not fall off first.
constexpr double ground_margin = 20;
constexpr double ground_depth = 10;

/// What the engine keeps of one body. Its place in Engine::bodies_ is its BodyId.
struct Body {
  b2Body* body = nullptr;  ///< null when dead or gone
  Kind kind = Kind::block;
  Material material = Material::none;
  double defence = 0;
  double mass = 0;
  bool fixed = false;
  const BirdType* bird = nullptr;  ///< birds only
  double life = 0;
  float inertia_per_mass = 0;  ///< about the centre of mass, m^2
  b2Vec2 last_centre{0, 0};    ///< of mass, before the step
  float last_angle = 0;
  bool power_left = false;  ///< birds: can still be tapped, or explode after the first contact
  int first_contact = -1;   ///< birds and eggs: step, or -1
  int quiet_steps = 0;      ///< birds and eggs: for how long
};

/// Two bodies that began to touch, with their velocities before the collision was resolved.
struct Touch {
  BodyId a = ground_id, b = ground_id;
  Vec2 velocity_a, velocity_b;
  Vec2 position;
};

/// Takes the body as it stands now as the start of a step.
void remember_place(Body& body) {
  body.last_centre = body.body->GetWorldCenter();
  body.last_angle = body.body->GetAngle();
}

/// Inertia and place of a body whose pieces are all on.
void complete(Body& body) {
  const b2Vec2& centre = body.body->GetLocalCenter();
  body.inertia_per_mass = body.body->GetInertia() / body.body->GetMass() - b2Dot(centre, centre);
  remember_place(body);
}

int steps_for(double seconds, double step) { return static_cast<int>(std::ceil(seconds / step - 1e-9)); }

void require(bool holds, const char* what, double found, const char* allowed) {
  if (!holds) throw Error(std::string(what) + " is " + std::to_string(found) + "; allowed: " + allowed);
}

void check(const Scene& scene) {
  if (!scene.profile) throw Error("scene: it has no profile");
  require(scene.half_width > 0 && scene.half_width <= 1e4, "scene: half_width", scene.half_width,
          "over 0 to 10000");
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const SceneObject& o = scene.objects[i];
    if (!o.alive) continue;
    const auto bounded = [](double v) { return std::fabs(v) <= 1e4; };  // false for NaN
    const auto at_least_0 = [](double v) { return v >= 0 && v <= 1e9; };
    const Parameters& p = o.parameters;
    const auto sound_parameter = [&](const ParameterInfo& info) {
      if (info.parameter == Parameter::density || info.parameter == Parameter::life)
        return true;  // below, with what is left of life
      return info.parameter == Parameter::gravity_scale ? bounded(p.*info.member)
                                                        : at_least_0(p.*info.member);
    };
    const bool sound = o.shape && bounded(o.pose.position.x) && bounded(o.pose.position.y) &&
                       bounded(o.pose.angle) && bounded(o.velocity.x) && bounded(o.velocity.y) &&
                       bounded(o.angular_velocity) &&
                       std::all_of(std::begin(parameter_table), std::end(parameter_table), sound_parameter) &&
                       (o.is_static() || (p.density > 0 && p.density <= 1e9 && o.life > 0));
    if (!sound)
      throw Error(
          "scene: object " + std::to_string(i) + " (" + name(o.kind) + " " + o.type +
          ") has a value that cannot be simulated; allowed: positions, angles and velocities within 10000, "
          "density and life over 0, other parameters at least 0");
  }
}

/// What the state of the objects at rest is known by: places and parameters, all that could set them moving. A sum over the objects, so
/// that their order does not matter. Never 0.
std::uint64_t rest_mark(const Scene& scene) {
  std::uint64_t sum = std::bit_cast<std::uint64_t>(scene.profile->gravity);
  if (scene.world)
    sum += 3 * std::bit_cast<std::uint64_t>(scene.world->gravity) +
           5 * std::bit_cast<std::uint64_t>(scene.world->tilt);
  for (const SceneObject& o : scene.objects) {
    if (!o.alive) continue;
    std::uint64_t mark = 0x9e3779b97f4a7c15ULL;
    const auto mix = [&](double value) {
      mark = (mark ^ std::bit_cast<std::uint64_t>(value)) * 0xff51afd7ed558ccdULL;
      mark ^= mark >> 32;
    };
    for (const double value : {o.pose.position.x, o.pose.position.y, o.pose.angle, o.velocity.x, o.velocity.y,
                               o.angular_velocity, o.shape->area})
      mix(value);
    for (const ParameterInfo& info : parameter_table)
      if (!info.toughness) mix(o.parameters.*info.member);
    sum += mark;
  }
  return sum | 1;
}

b2Vec2 gravity_of(const Scene& scene) {
  const double size = scene.profile->gravity;
  if (!scene.world || !scene.world->moves_all()) return {0, -static_cast<float>(size)};
  const Vec2 along = direction(scene.world->tilt);  // of what points to the right without it
  return to_box2d(scene.world->gravity * size * Vec2{along.y, -along.x});
}

/// One shot in Box2D. World is the face it shows to others.
class Engine final : private b2ContactListener {
 public:
  /// `damage`: false while a level settles, when nothing can be hurt.
  Engine(const Scene& scene, const WorldOptions& options, bool damage);

  void launch(const Shot& shot);
  bool tap();
  void step();
  bool over() const { return over_; }
  bool settled() const { return over_ && trace_.end != EndReason::time_limit; }
  Frame frame() const;
  Scene scene() const;
  const Trace& trace() const { return trace_; }
  Trace take_trace() { return std::move(trace_); }

 private:
  void BeginContact(b2Contact* contact) override;
  void EndContact(b2Contact* contact) override;

  void add_ground_and_slingshot();
  void add_object(std::size_t index);
  BodyId add_flyer(Kind kind, const BirdType* bird, const Shape& shape, const Parameters& parameters,
                   double mass, const b2Vec2& position, float angle, const b2Vec2& velocity);
  void remove(Body& body);
  void remove_bird(BodyId id);

  void emit(EventKind kind, BodyId a, BodyId b, double value, Vec2 position);
  void process_touches();
  void take_blow(BodyId self, Vec2 velocity, BodyId other, Vec2 other_velocity);
  void hurt(BodyId id, BodyId attacker, double damage);
  void kill(BodyId id);
  void process_explosions();
  void process_objects();
  void process_flyers();
  void process_fields();
  void process_events();
  float motion_energy(Body& body) const;
  void notice_speed(const b2Body& body) {
    if (body.GetLinearVelocity().LengthSquared() > continuous_speed * continuous_speed) fast_ = true;
  }
  bool out_of_world(const b2Body& body) const;
  void finish(EndReason reason);

  double air_drag() const { return start_.world ? start_.world->air_drag : 0; }
  /// Where the changes of the world have their origin.
  Vec2 foot() const { return {start_.slingshot.x, profile_.ground_y}; }
  Vec2 position_of(BodyId id) const { return from_box2d(at(id).body->GetPosition()); }
  Body& at(BodyId id) { return bodies_[static_cast<std::size_t>(id)]; }
  const Body& at(BodyId id) const { return bodies_[static_cast<std::size_t>(id)]; }
  bool is_object(BodyId id) const { return id >= 0 && static_cast<std::size_t>(id) < start_.objects.size(); }
  double seconds(int steps) const { return steps * profile_.step; }

  struct Pending {
    BodyId id;
    Explosion explosion;
    Vec2 centre;
  };

  Scene start_;
  const Profile& profile_;
  WorldOptions options_;
  bool damage_;
  b2World world_;
  std::vector<Body> bodies_;     ///< index = BodyId
  std::vector<BodyId> movable_;  ///< living objects that are not fixed, in geometric_order()
  std::vector<BodyId> flyers_;   ///< birds and eggs in the world, in order
  std::vector<Touch> touches_;   ///< begun in this step
  std::vector<std::pair<b2Body*, b2Body*>> parted_;  ///< ended in this step; only bodies of several pieces
  std::vector<Pending> explosions_;
  BodyId tappable_ = ground_id;  ///< the bird whose power a tap would use
  int tap_step_ = -1;            ///< step at which the shot's own tap comes, or -1
  float energy_scale_ = 0;       ///< 1/(2 h^2): from squared motion in a step to energy per mass
  int limit_steps_ = 0;
  int hold_steps_ = 0;   ///< quiet_time in steps
  int quiet_steps_ = 0;  ///< for how long all objects have been quiet
  bool launched_ = false;
  bool over_ = false;
  bool fast_ = true;            ///< the next step needs continuous collision
  bool object_died_ = false;    ///< in this step
  std::size_t bird_ = 0;        ///< number in the level of the bird that flies
  bool touched_ = false;        ///< a bird has touched something
  std::vector<char> happened_;  ///< of the world's events
  int pigs_ = 0;
  Trace trace_;
  Hash hash_;
};

Engine::Engine(const Scene& scene, const WorldOptions& options, bool damage)
    : start_(scene),
      profile_((check(scene), *scene.profile)),
      options_(options),
      damage_(damage),
      world_(gravity_of(scene)) {
  initialise_box2d();
  if (options.record_every < 0)
    throw Error("world: record_every is negative; allowed: 0 (nothing) or a number of steps");
  require(options.time_limit > 0 && options.time_limit <= 1e6, "world: time_limit", options.time_limit,
          "over 0 to 1e6 s");
  energy_scale_ = static_cast<float>(0.5 / (profile_.step * profile_.step));
  limit_steps_ = steps_for(options.time_limit, profile_.step);
  hold_steps_ = steps_for(quiet_time, profile_.step);
  trace_.step_s = profile_.step;
  trace_.record_every = options.record_every;
  pigs_ = scene.pigs_left();

  if (scene.world) happened_.resize(scene.world->events.size(), 0);
  add_ground_and_slingshot();
  bodies_.reserve(scene.objects.size() + 4);
  bodies_.resize(scene.objects.size());
  // The engine works through bodies and contacts in the order they were made in: not that of the file, which says nothing about the world.
  for (const std::size_t i : geometric_order(scene)) add_object(i);

  // A step of no length finds the contacts that exist already. They are old and hurt nobody: the listener comes after.
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
      complete(body);
      movable_.push_back(static_cast<BodyId>(index));
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
  complete(body);
  bodies_.push_back(body);
  flyers_.push_back(id);
  fast_ = true;
  return id;
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
  require(std::fabs(shot.angle) <= 100, "shot: angle", shot.angle, "-100 to 100 radians");
  require(shot.stretch > 0 && shot.stretch <= 1, "shot: stretch", shot.stretch, "over 0 to 1");
  require(shot.tap_time <= latest_tap_s, "shot: tap_time", shot.tap_time,
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

bool Engine::tap() {
  if (over_ || tappable_ == ground_id) return false;
  const BodyId id = tappable_;
  Body& body = at(id);
  if (!body.body || !body.power_left || body.first_contact >= 0) return false;
  const BirdType& bird = *body.bird;
  const b2Vec2 position = body.body->GetPosition();
  if (!(position.x + bounds(*bird.shape).width() > start_.rest().x + 2 * profile_.max_stretch)) return false;

  body.power_left = false;
  const Vec2 here = from_box2d(position);
  const b2Vec2 velocity = body.body->GetLinearVelocity();
  emit(EventKind::tap, id, ground_id, 0, here);
  switch (bird.power.kind) {
    case PowerKind::none:
      break;
    case PowerKind::split: {
      const float angle = body.body->GetAngle();
      for (const double turn : bird.power.angles) {
        const b2Vec2 d = to_box2d(direction(turn));
        const b2Vec2 turned(d.x * velocity.x - d.y * velocity.y, d.y * velocity.x + d.x * velocity.y);
        const BodyId child = add_flyer(Kind::bird, &bird, *bird.shape, bird.parameters, bird.mass(), position,
                                       angle, turned);
        emit(EventKind::spawn, child, id, 0, here);
      }
      emit(EventKind::bird_gone, id, ground_id, 0, here);
      remove_bird(id);
      break;
    }
    case PowerKind::dash: {
      b2Vec2 along = velocity;
      along.Normalize();
      body.body->ApplyLinearImpulseToCenter(static_cast<float>(bird.power.impulse) * along, true);
      break;
    }
    case PowerKind::explode:
      explosions_.push_back({id, bird.power.explosion, here});
      remove_bird(id);
      process_explosions();
      break;
    case PowerKind::egg: {
      body.body->ApplyLinearImpulseToCenter({0, static_cast<float>(bird.power.impulse)}, true);
      const ObjectType* egg = profile_.find(Kind::egg, "Egg");
      if (!egg) throw Error("profile " + profile_.name + ": it has no egg");
      const b2Vec2 down(0, -static_cast<float>(bird.power.egg_impulse / egg->mass()));
      const BodyId laid = add_flyer(Kind::egg, nullptr, *egg->shape, egg->parameters, egg->mass(), position,
                                    0, down);
      emit(EventKind::spawn, laid, id, 0, here);
      break;
    }
  }
  return true;
}

// Called by Box2D from within a step, before the contact is solved: velocities are those of the approach. That holds for
// contacts found at the time of impact too, where the step's other contacts have been solved.
void Engine::BeginContact(b2Contact* contact) {
  b2Body* a = contact->GetFixtureA()->GetBody();
  b2Body* b = contact->GetFixtureB()->GetBody();
  if (a->GetFixtureList()->GetNext() || b->GetFixtureList()->GetNext()) {
    // A pair of bodies touches when any of their pieces do: only the first counts, and not a change of pieces within a step.
    for (const b2ContactEdge* edge = a->GetContactList(); edge; edge = edge->next)
      if (edge->other == b && edge->contact != contact && edge->contact->IsTouching()) return;
    for (const auto& [c, d] : parted_)
      if ((c == a && d == b) || (c == b && d == a)) return;
  }
  b2WorldManifold manifold;
  contact->GetWorldManifold(&manifold);
  Touch touch;
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
  if (options_.record_every > 0 && trace_.steps == 0) trace_.frames.push_back(frame());
  if (trace_.steps == tap_step_) tap();

  touches_.clear();
  parted_.clear();
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
  if (options_.record_every > 0 && trace_.steps % options_.record_every == 0)
    trace_.frames.push_back(frame());

  if (flyers_.empty() && quiet_steps_ >= hold_steps_)
    finish(pigs_ == 0 ? EndReason::cleared : EndReason::settled);
  else if (trace_.steps >= limit_steps_)
    finish(EndReason::time_limit);
}

void Engine::process_touches() {
  for (const Touch& touch : touches_) {
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
  remember_place(body);
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

void Engine::process_fields() {
  const double time = seconds(trace_.steps);
  for (const ForceField& field : start_.world->fields) {
    if (!launched_ || bird_ < field.from_bird) continue;
    if (field.period > 0 && std::fmod(time + 1e-9, field.period) >= field.period / 2) continue;
    const auto act_on = [&](Body& body) {
      if (!body.body || !body.body->IsAwake()) return;
      const Vec2 place = from_box2d(body.body->GetWorldCenter()) - foot();
      if (!field.region.holds(place)) return;
      Vec2 acceleration = field.acceleration;
      const Vec2 way = field.centre - place;
      if (const double distance = length(way); field.pull != 0 && distance > 0)
        acceleration = acceleration + (field.pull / distance) * way;
      body.body->ApplyForceToCenter(body.body->GetMass() * to_box2d(acceleration), false);
    };
    for (const BodyId id : movable_)
      if (field.on.selects(static_cast<std::size_t>(id), start_.objects[static_cast<std::size_t>(id)]))
        act_on(at(id));
    if (field.on_birds)
      for (const BodyId id : flyers_) act_on(at(id));
  }
}

void Engine::process_events() {
  for (std::size_t e = 0; e < happened_.size(); ++e) {
    const WorldEvent& event = start_.world->events[e];
    if (!launched_ || happened_[e] || (event.at ? seconds(trace_.steps) < *event.at - 1e-9 : !touched_))
      continue;
    happened_[e] = 1;
    for (const BodyId id : movable_) {
      const auto index = static_cast<std::size_t>(id);
      Body& body = at(id);
      if (!body.body || !event.on.selects(index, start_.objects[index])) continue;
      quiet_steps_ = 0;
      if (event.vanish) {
        emit(EventKind::destroyed, id, ground_id, 0, position_of(id));
        if (body.kind == Kind::pig) --pigs_;
        start_.objects[index].alive = false;
        remove(body);
        object_died_ = true;
      } else {
        body.body->SetLinearVelocity(body.body->GetLinearVelocity() + to_box2d(event.velocity));  // wakes it
      }
    }
  }
}

void Engine::process_explosions() {
  quiet_steps_ = 0;
  fast_ = true;
  // Those that blow up TNT find it at the end of the list: chains end because each explodes once.
  for (std::size_t next = 0; next < explosions_.size(); ++next) {
    const Pending pending = explosions_[next];
    emit(EventKind::explosion, pending.id, ground_id, pending.explosion.radius, pending.centre);
    b2CircleShape disc;
    disc.m_radius = static_cast<float>(pending.explosion.radius);
    const b2Transform at_centre(to_box2d(pending.centre), b2Rot(0));
    for (const BodyId id : movable_) {
      Body& object = at(id);
      if (!object.body) continue;
      bool reached = false;
      for (const b2Fixture* fixture = object.body->GetFixtureList(); fixture && !reached;
           fixture = fixture->GetNext())
        reached = b2TestOverlap(&disc, 0, fixture->GetShape(), 0, at_centre, object.body->GetTransform());
      if (!reached) continue;
      const Vec2 away = position_of(id) - pending.centre;
      const double distance = length(away);
      const Falloff falloff = explosion_falloff(profile_.explosion_falloff, distance,
                                                pending.explosion.radius);
      hurt(id, pending.id, pending.explosion.damage * falloff.damage);
      if (object.body && distance > 0)
        object.body->ApplyLinearImpulseToCenter(
            to_box2d((pending.explosion.power * falloff.impulse / distance) * away), true);
    }
  }
  explosions_.clear();
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
           body.life});
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

}  // namespace

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

bool at_rest(const Scene& scene) { return scene.rest_mark != 0 && scene.rest_mark == rest_mark(scene); }

Scene taken_at_rest(Scene scene) {
  for (SceneObject& object : scene.objects) {
    object.velocity = {};
    object.angular_velocity = 0;
  }
  scene.rest_mark = rest_mark(scene);
  return scene;
}

ShotResult run_shot(const Scene& scene, const Shot& shot, const WorldOptions& options) {
  Engine engine(scene, options, true);
  engine.launch(shot);
  while (!engine.over()) engine.step();
  Scene after = engine.scene();
  return {engine.take_trace(), std::move(after)};
}

PlayResult play(const Scene& scene, const std::vector<Shot>& shots, const WorldOptions& options) {
  PlayResult result{.scene = scene};
  for (const Shot& shot : shots) {
    if (result.scene.cleared() || result.scene.birds_left() == 0) break;
    ShotResult run = run_shot(result.scene, shot, options);
    result.traces.push_back(std::move(run.trace));
    result.scene = std::move(run.scene);
  }
  result.cleared = result.scene.cleared();
  if (result.cleared)
    result.scene.score += scene.profile->score_unused_bird * static_cast<double>(result.scene.birds_left());
  return result;
}

SettleResult settle_scene(const Scene& scene, double time_limit) {
  WorldOptions options;
  options.time_limit = time_limit;
  Engine engine(scene, options, false);
  while (!engine.over()) engine.step();
  SettleResult result{.scene = engine.scene(),
                      .seconds = engine.trace().steps * engine.trace().step_s,
                      .settled = engine.settled()};
  result.scene.score = scene.score;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const SceneObject& before = scene.objects[i];
    const SceneObject& after = result.scene.objects[i];
    if (!before.alive || before.is_static()) continue;
    const double shift = length(after.pose.position - before.pose.position);
    ++result.movable;
    if (!after.alive || shift > far_moved) ++result.moved_far;
    result.shift = std::max(result.shift, shift);
    result.turn = std::max(result.turn, std::fabs(after.pose.angle - before.pose.angle));
  }
  return result;
}

}  // namespace startle
