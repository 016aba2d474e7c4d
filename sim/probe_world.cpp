#include "sim/probe_world.hpp"

#include "sim/world_bodies.hpp"

namespace startle {

BodyMotion simulate_bodies(const std::vector<Body>& bodies, const BodyOptions& options) {
  initialise_box2d();
  b2World world(to_box2d(options.gravity));
  b2BodyDef nothing;
  b2Body* ground = world.CreateBody(&nothing);
  std::vector<b2Body*> made;
  for (const Body& body : bodies) {
    b2BodyDef definition;
    definition.type = body.density > 0 ? b2_dynamicBody : b2_staticBody;
    definition.position = to_box2d(body.pose.position);
    definition.angle = static_cast<float>(body.pose.angle);
    definition.linearVelocity = to_box2d(body.velocity);
    definition.angularVelocity = static_cast<float>(body.angular_velocity);
    made.push_back(world.CreateBody(&definition));
    add_fixtures(*made.back(), body.shape, {.friction = body.friction, .restitution = body.restitution},
                 body.density * body.shape.area, group_object, "body " + std::to_string(made.size() - 1));
    if (body.hinge) {
      b2RevoluteJointDef hinge;
      hinge.Initialize(made.back(), ground, to_box2d(*body.hinge));
      world.CreateJoint(&hinge);
    }
  }
  BodyMotion motion;
  const auto record = [&] {
    motion.frames.emplace_back();
    for (const b2Body* body : made)
      motion.frames.back().push_back({from_box2d(body->GetPosition()), body->GetAngle()});
  };
  record();
  constexpr int velocity_iterations = 8, position_iterations = 3;  // Box2D's recommendation
  for (int t = 1; t < options.frames; ++t) {
    for (int i = 0; i < options.steps_a_frame; ++i)
      world.Step(static_cast<float>(options.step), velocity_iterations, position_iterations);
    record();
  }
  for (const b2Body* body : made) motion.velocities.push_back(from_box2d(body->GetLinearVelocity()));
  return motion;
}

}  // namespace startle
