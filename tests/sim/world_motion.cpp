// What is recorded of the motion of bodies: velocities, masses, gravity, impulses of contacts.
#include <cmath>
#include <map>

#include "tests/catch.hpp"
#include "tests/sim/world_scenes.hpp"

using namespace startle;
using namespace startle::test;

namespace {

const WorldOptions each_step{.record_every = 1, .record_events = true, .record_motion = true};

const BodyState* state_of(const Frame& frame, BodyId id) {
  for (const BodyState& body : frame.bodies)
    if (body.id == id) return &body;
  return nullptr;
}

/// Of all contacts on a body, N s.
Vec2 impulse_on(BodyId id, const Frame& frame) {
  Vec2 sum;
  for (const ContactImpulse& contact : frame.contacts) {
    if (contact.b == id) sum = sum + contact.impulse;
    if (contact.a == id) sum = sum - contact.impulse;
  }
  return sum;
}

}  // namespace

TEST_CASE("[sim] motion: recording it changes nothing that happens") {
  const Scene scene = settle(make_scene(chaotic_level(), profile()));
  const ShotResult without = run_shot(scene, {.angle = 0.2}, {.record_every = 7, .record_events = true});
  const ShotResult with = run_shot(scene, {.angle = 0.2},
                                   {.record_every = 7, .record_events = true, .record_motion = true});
  CHECK(with.trace.hash == without.trace.hash);
  REQUIRE(with.trace.frames.size() == without.trace.frames.size());
  for (std::size_t f = 0; f < with.trace.frames.size(); ++f) {
    const Frame &a = with.trace.frames[f], &b = without.trace.frames[f];
    CHECK(b.contacts.empty());
    REQUIRE(a.bodies.size() == b.bodies.size());
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
      REQUIRE(a.bodies[i].pose.position == b.bodies[i].pose.position);
      REQUIRE(a.bodies[i].velocity == b.bodies[i].velocity);
    }
  }
  CHECK(without.trace.masses.empty());
  CHECK(without.trace.gravity == Vec2{});
  CHECK_FALSE(with.trace.masses.empty());
}

TEST_CASE("[sim] motion: a bird without gravity has the velocity it was launched with") {
  const ShotResult shot = run_shot(make_scene(level_of({}), weightless()), {.stretch = 0.5}, each_step);
  REQUIRE(shot.trace.frames.size() > 20);
  CHECK(shot.trace.gravity == Vec2{});
  for (std::size_t f = 0; f < 20; ++f) {
    const BodyState& bird = shot.trace.frames[f].bodies.at(0);
    CHECK(bird.velocity.x == Approx(5));
    CHECK(bird.velocity.y == Approx(0).margin(1e-6));
    CHECK(bird.angular_velocity == 0);
    CHECK(shot.trace.frames[f].contacts.empty());
  }
}

TEST_CASE("[sim] motion: masses are those of the scene, inertia that of a box, and what is fixed has none") {
  const Scene scene = make_scene(
      level_of({block("SquareSmall", Material::wood, {0, -3.28}), platform({3, -1}, 1, 1)}), profile());
  const Trace trace = run_shot(scene, {}, each_step).trace;
  REQUIRE(trace.masses.size() == 3);
  const SceneObject& box = scene.objects[0];
  const double side = bounds(*box.shape).width(), height = bounds(*box.shape).height();
  CHECK(trace.masses[0].mass == Approx(box.mass()));
  CHECK(trace.masses[0].inertia == Approx(box.mass() * (side * side + height * height) / 12).epsilon(0.01));
  CHECK(trace.masses[0].centre.x == Approx(0).margin(1e-4));
  CHECK(trace.masses[1].mass == 0);
  CHECK(trace.masses[2].mass == Approx(scene.bird().mass()));
  CHECK(trace.masses[2].gravity_scale == Approx(scene.bird().parameters.gravity_scale));
  CHECK(trace.gravity.x == 0);
  CHECK(trace.gravity.y == Approx(-9.81));
}

TEST_CASE("[sim] motion: what a contact gives one body it takes from the other, and momentum follows") {
  // Over a step: v' = (v + s g h) / (1 + d h) + J / m, with the sum J of the contacts' impulses.
  const Scene scene = settle(make_scene(
      level_of({block("RectFat", Material::wood, {0, -3.28}), block("SquareSmall", Material::ice, {0, -2.8}),
                block("RectMedium", Material::stone, {1.5, -3.39}), pig({1.5, -3}), pig({3, -3.26})},
               {"BirdRed"}),
      profile()));
  const Trace trace = run_shot(scene, {.angle = 0.05}, each_step).trace;
  std::size_t with_contacts = 0;
  for (std::size_t f = 1; f < trace.frames.size(); ++f) {
    const Frame &before = trace.frames[f - 1], &after = trace.frames[f];
    for (const ContactImpulse& contact : after.contacts) {
      CHECK(contact.a < contact.b);
      CHECK(contact.normal > 0);
      CHECK(std::fabs(contact.position.x) < scene.half_width);
    }
    for (const BodyState& now : after.bodies) {
      const BodyState* then = state_of(before, now.id);
      const auto index = static_cast<std::size_t>(now.id);
      if (!then || now.velocity == Vec2{}) continue;  // asleep, or put to sleep
      const BodyMass& mass = trace.masses[index];
      const Parameters& parameters = index < scene.objects.size() ? scene.objects[index].parameters
                                                                  : scene.bird().parameters;
      const Vec2 impulse = impulse_on(now.id, after);
      const Vec2 expected = (1 / (1 + parameters.linear_damping * step)) *
                                (then->velocity + (mass.gravity_scale * step) * trace.gravity) +
                            (1 / mass.mass) * impulse;
      CAPTURE(f, now.id);
      // At the time of impact bodies are turned apart before the contact is solved: its normal is that of
      // before.
      REQUIRE(length(expected - now.velocity) < 1e-3 + 0.02 * length(impulse) / mass.mass);
      if (impulse != Vec2{}) ++with_contacts;
    }
  }
  CHECK(with_contacts > 100);
}

TEST_CASE("[sim] motion: impulses are summed over the steps between two frames") {
  const Scene scene = settle(make_scene(chaotic_level(), profile()));
  const auto pressed = [&](int every) {
    std::map<std::pair<BodyId, BodyId>, double> sums;
    const Trace trace = run_shot(scene, {.angle = 0.2}, {.record_every = every, .record_motion = true}).trace;
    const int last = trace.steps - trace.steps % 10;
    for (const Frame& frame : trace.frames)
      if (frame.step <= last)
        for (const ContactImpulse& contact : frame.contacts) sums[{contact.a, contact.b}] += contact.normal;
    return sums;
  };
  const auto each = pressed(1), tenth = pressed(10);
  REQUIRE(each.size() == tenth.size());
  REQUIRE(each.size() > 10);
  for (const auto& [bodies, sum] : each) CHECK(tenth.at(bodies) == Approx(sum));
}
