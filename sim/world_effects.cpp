// What acts on bodies besides contacts: powers of birds, explosions, force fields and events of a world
// change.
#include <cmath>

#include "core/error.hpp"
#include "sim/engine.hpp"
#include "sim/shape.hpp"
#include "sim/world_damage.hpp"

namespace startle {

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

}  // namespace startle
