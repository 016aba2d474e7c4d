#include "reasoning/impulse/impulses.hpp"

#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

/// A fixed body and one of 1 kg and 1/6 kg m^2 at the origin.
std::vector<ImpulseBody> fixed_and_free() { return {{}, {{1, 6, {0, 0}}, {}}}; }

}  // namespace

TEST_CASE("[impulse] impulses: pressing stops what comes closer, friction is at most mu times that") {
  // At the centre, so that nothing turns: 2 m/s down and 3 m/s to the right on a floor.
  for (double mu : {0.0, 0.5, 2.0}) {
    std::vector<ImpulseBody> bodies = fixed_and_free();
    ImpulseContact c = impulse_contact(bodies, 0, 1, {0, 0}, {0, 1}, mu);
    CHECK(c.normal_mass == Approx(1));
    CHECK(c.tangent_mass == Approx(1));
    CHECK(c.coupling == 0);
    bodies[1].motion = {{3, -2}, 0};
    const double rubbed = std::min(3.0, 2 * mu);
    CHECK(correct(c, bodies[0].motion, bodies[1].motion) == Approx(2 + rubbed));
    CHECK(bodies[1].motion.velocity.x == Approx(3 - rubbed));
    CHECK(bodies[1].motion.velocity.y == Approx(0).margin(1e-12));
    CHECK(bodies[0].motion.velocity == Vec2{});
    CHECK(correct(c, bodies[0].motion, bodies[1].motion) == Approx(0).margin(1e-12));
    // What parts is not pulled: all impulse is taken back.
    bodies[1].motion.velocity = {0, 5};
    CHECK(correct(c, bodies[0].motion, bodies[1].motion) == Approx(2 + rubbed));
    CHECK(c.pressed == 0);
    CHECK(c.rubbed == 0);
  }
}

TEST_CASE("[impulse] impulses: off the centre a body turns, and its friction with it") {
  // At (1/2, -1/2), normal upwards: arm 1/2, mass 1/(1 + 6/4) = 0.4. Tangent to the left: cross((1/2, -1/2),
  // (-1, 0)) = -1/2, the same mass; coupled by 6 x 1/2 x (-1/2).
  std::vector<ImpulseBody> bodies = fixed_and_free();
  ImpulseContact c = impulse_contact(bodies, 0, 1, {0.5, -0.5}, {0, 1}, 0);
  CHECK(c.normal_mass == Approx(0.4));
  CHECK(c.tangent_mass == Approx(0.4));
  CHECK(c.coupling == Approx(-1.5));
  bodies[1].motion = {{0, -2}, 0};
  c.bounce = 1;  // it must part at 1 m/s: 3 x 0.4 N s
  CHECK(correct(c, bodies[0].motion, bodies[1].motion) == Approx(1.2));
  CHECK(bodies[1].motion.velocity.y == Approx(-0.8));
  CHECK(bodies[1].motion.spin == Approx(6 * 0.5 * 1.2));
  // With friction enough the point neither comes closer nor slides, after some passes.
  bodies[1].motion = {{1, -2}, 0};
  c = impulse_contact(bodies, 0, 1, {0.5, -0.5}, {0, 1}, 100);
  for (int pass = 0; pass < 200; ++pass) correct(c, bodies[0].motion, bodies[1].motion);
  const BodyVelocity& m = bodies[1].motion;
  CHECK(m.velocity.x + 0.5 * m.spin == Approx(0).margin(1e-9));  // v + w x r, r = (1/2, -1/2)
  CHECK(m.velocity.y + 0.5 * m.spin == Approx(0).margin(1e-9));
}

namespace {

/// What a striker of 2 kg, which does not turn, moves at (0, `height`), going right.
std::vector<Reached> blow(const Scene& scene, Striker& striker, double height) {
  const ContactNetwork network = contact_network(scene, scene_shapes(scene));
  return BlowSpreader(network).spread(std::vector<char>(scene.objects.size(), 0), striker, 0, {0, height},
                                      {1, 0});
}

}  // namespace

TEST_CASE("[impulse] blow: a contact is not corrected again while its bodies move as it left them") {
  // A unit box of 1 kg, 1/6 kg m^2, struck 1/4 above its middle at (3, -1) m/s, with friction enough. Along
  // the normal J = 3/(1/2 + 1 + 6/16) = 1.6. It spins the box by -2.4 rad/s, whose struck side
  // then rises by 1.2 m/s, and the striker goes down by 1: R = 2.2/(1/2 + 1 + 6/4) = 2.2/3, down.
  Scene scene = empty_scene();
  add_box(scene, 0, 1, 0, 1);
  Striker striker{.inertia = {0.5, 0, {-1, 0.75}}, .motion = {{3, -1}, 0}, .friction = 100};
  const std::vector<Reached> reached = blow(scene, striker, 0.75);
  REQUIRE(reached.size() == 1);
  CHECK(reached[0].motion.velocity.x == Approx(1.6));
  CHECK(reached[0].motion.velocity.y == Approx(-2.2 / 3));
  CHECK(reached[0].motion.spin == Approx(-2.4 + 2.2));
  CHECK(striker.motion.velocity.x == Approx(3 - 0.8));
  CHECK(striker.motion.velocity.y == Approx(-1 + 1.1 / 3));
}

TEST_CASE("[impulse] blow: at 0.1 m/s an object counts as at rest") {
  Scene scene = empty_scene();
  add_box(scene, 0, 1, 0, 1);  // 1 kg, as the striker: half of its speed goes over
  for (double speed : {0.2, 0.2001}) {
    Striker striker{.inertia = {1, 0, {-1, 0.5}}, .motion = {{speed, 0}, 0}};
    CHECK(blow(scene, striker, 0.5).size() == (speed > 0.2 ? 1 : 0));
  }
}

TEST_CASE("[impulse] blow: it goes through a row as far as the twelfth object") {
  // Each object has a quarter of the mass of the one before: its speed is 4/5 of that one's, or more.
  Scene scene = empty_scene();
  double density = 1;
  for (int k = 0; k < 15; ++k, density /= 4) add_box(scene, k, k + 1, 0, 1, density);
  Striker striker{.inertia = {0.5, 0, {-1, 0.5}}, .motion = {{30, 0}, 0}};
  const std::vector<Reached> reached = blow(scene, striker, 0.5);
  CHECK(reached.size() == 12);
  for (const Reached& object : reached) CHECK(object.motion.velocity.x > 1);
}
