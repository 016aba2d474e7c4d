#pragma once
/// \file  One shot in Box2D: what stands behind World. Only world.cpp, world_effects.cpp and runs.cpp include
/// it.
#include <box2d/box2d.h>

#include <map>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"
#include "sim/world_bodies.hpp"
#include "sim/world_options.hpp"

namespace startle {

/// One shot in Box2D. World is the face it shows to others.
class Engine final : private b2ContactListener {
 public:
  /// `damage`: false while a level settles, when nothing can be hurt.
  Engine(const Scene& scene, const WorldOptions& options, bool damage);

  void launch(const Shot& shot);
  bool tap();
  void step();
  bool over() const { return over_; }
  /// Pairs of pieces that touch or nearly do: the work of a step.
  int contacts() const { return world_.GetContactCount(); }
  bool settled() const { return over_ && trace_.end != EndReason::time_limit; }
  Frame frame() const;
  Scene scene() const;
  const Trace& trace() const { return trace_; }
  Trace take_trace() { return std::move(trace_); }

 private:
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

    /// Takes the body as it stands now as the start of a step.
    void remember_place();
    /// Inertia and place of a body whose pieces are all on.
    void complete();
  };

  /// Two bodies that began to touch, with their velocities before the collision was resolved.
  struct BegunContact {
    BodyId a = ground_id, b = ground_id;
    Vec2 velocity_a, velocity_b;
    Vec2 position;
  };

  /// An explosion that is due in this step.
  struct Pending {
    BodyId id;
    Explosion explosion;
    Vec2 centre;
  };

  void BeginContact(b2Contact* contact) override;
  void EndContact(b2Contact* contact) override;
  void PreSolve(b2Contact* contact, const b2Manifold* before) override;
  void PostSolve(b2Contact* contact, const b2ContactImpulse* impulse) override;

  void add_ground_and_slingshot();
  void add_object(std::size_t index);
  BodyId add_flyer(Kind kind, const BirdType* bird, const Shape& shape, const Parameters& parameters,
                   double mass, const b2Vec2& position, float angle, const b2Vec2& velocity);
  void record_mass(BodyId id);
  void record_frame();
  void remove(Body& body);
  void remove_bird(BodyId id);

  void emit(EventKind kind, BodyId a, BodyId b, double value, Vec2 position);
  void process_touches();
  void take_blow(BodyId self, Vec2 velocity, BodyId other, Vec2 other_velocity);
  void hurt(BodyId id, BodyId attacker, double damage);
  void kill(BodyId id);
  void process_objects();
  void process_flyers();
  float motion_energy(Body& body) const;
  void notice_speed(const b2Body& body);
  bool out_of_world(const b2Body& body) const;
  void finish(EndReason reason);

  // In world_effects.cpp; tap() is there, too.
  void process_explosions();
  void process_fields();
  void process_events();

  double air_drag() const { return start_.world ? start_.world->air_drag : 0; }
  /// Where the changes of the world have their origin.
  Vec2 foot() const { return {start_.slingshot.x, profile_.ground_y}; }
  Vec2 position_of(BodyId id) const { return from_box2d(at(id).body->GetPosition()); }
  Body& at(BodyId id) { return bodies_[static_cast<std::size_t>(id)]; }
  const Body& at(BodyId id) const { return bodies_[static_cast<std::size_t>(id)]; }
  bool is_object(BodyId id) const { return id >= 0 && static_cast<std::size_t>(id) < start_.objects.size(); }
  double seconds(int steps) const { return steps * profile_.step; }

  Scene start_;
  const Profile& profile_;
  WorldOptions options_;
  bool damage_;
  b2World world_;
  std::vector<Body> bodies_;           ///< index = BodyId
  std::vector<BodyId> movable_;        ///< living objects that are not fixed, in geometric_order()
  std::vector<BodyId> flyers_;         ///< birds and eggs in the world, in order
  std::vector<BegunContact> touches_;  ///< begun in this step
  std::vector<std::pair<b2Body*, b2Body*>> parted_;  ///< ended in this step; only bodies of several pieces
  std::vector<Pending> explosions_;
  std::map<const b2Contact*, b2WorldManifold> solved_;  ///< as they were solved last; with record_motion only
  std::map<std::pair<BodyId, BodyId>, ContactImpulse> impulses_;  ///< since the frame before; likewise
  BodyId tappable_ = ground_id;                                   ///< the bird whose power a tap would use
  int tap_step_ = -1;       ///< step at which the shot's own tap comes, or -1
  float energy_scale_ = 0;  ///< 1/(2 h^2): from squared motion in a step to energy per mass
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

}  // namespace startle
