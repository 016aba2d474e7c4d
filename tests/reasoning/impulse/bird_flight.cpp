#include "reasoning/impulse/bird_flight.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

/// A scene without friction and bounce, and a bird in it.
struct Flight {
  Scene scene = empty_scene();
  BirdType bird = scene.profile->bird("BirdRed");
  std::vector<ShotEffect> effects;

  Flight() {
    bird.parameters.friction = bird.parameters.restitution = 0;
    change([](Profile& profile) { profile.default_friction = profile.default_restitution = 0; });
  }
  template <typename Change>
  void change(Change make) {
    Profile profile = *scene.profile;
    make(profile);
    scene.profile = std::make_shared<Profile>(profile);
  }
  std::size_t box(double left, double right, double bottom, double top, Kind kind = Kind::block) {
    const std::size_t i = add_box(scene, left, right, bottom, top, 1, kind);
    scene.objects[i].parameters.friction = scene.objects[i].parameters.restitution = 0;
    return i;
  }
  /// The same for x from `near` to `far` on that side.
  std::size_t box(double side, double near, double far, double bottom, double top, Kind kind) {
    return side > 0 ? box(near, far, bottom, top, kind) : box(-far, -near, bottom, top, kind);
  }
  /// Follows the bird from its contact with the target.
  void follow(std::size_t target, Vec2 at, Vec2 velocity) {
    const SupportGraph graph = support_graph(scene);
    const ContactNetwork network = contact_network(scene, graph.geometry);
    ShotProgress progress(scene, graph, network, {});
    progress.start();
    const double gravity = scene.profile->flight_gravity(bird);
    follow_bird(
        progress, bird,
        {.shot = {}, .start = at, .velocity = velocity, .gravity = gravity, .radius = bird.radius, .aim = {}},
        target);
    effects = progress.effects;
  }
  /// Energy per kg of a box of that mass, struck in its middle by the bird at that speed, without bounce.
  double energy_struck(double speed, double mass) const {
    const double after = bird.mass() / (bird.mass() + mass) * speed;
    return 0.5 * after * after;
  }
};

}  // namespace

TEST_CASE("[impulse] bird flight: a bird that rolls goes at two thirds of its speed, also a slow one") {
  // It lands on a platform. Beyond it a small box hangs in the air, its middle at the height of the bird's.
  for (double side : {1.0, -1.0}) {
    for (double speed : {5.0, 0.9}) {
      Flight flight;
      const double r = flight.bird.radius;
      const auto platform = flight.box(side, -2, 3, 0, 1, Kind::platform),
                 box = flight.box(side, 1, 2, 1 + r - 0.1, 1 + r + 0.1, Kind::block);  // 0.2 kg
      flight.follow(platform, {0, 1 + r}, {side * speed, -0.5});
      CHECK(flight.effects[box].energy == Approx(flight.energy_struck(speed * 2 / 3, 0.2)));
    }
  }
}

TEST_CASE("[impulse] bird flight: what only passes an object does not strike it, what closes slowly does") {
  for (double closing : {0.0, 0.5}) {
    Flight flight;
    flight.bird.parameters.gravity_scale = 0;
    const auto below = flight.box(-1, 1, 0, 1);
    flight.follow(below, {0, 1 + flight.bird.radius}, {5, -closing});
    CHECK(flight.effects[below].hits == (closing > 0 ? 1 : 0));
    CHECK(flight.effects[below].energy == Approx(flight.energy_struck(closing, 2)));
  }
}

TEST_CASE("[impulse] bird flight: a bird slower than 0.3 m/s moves nothing any more") {
  for (double speed : {0.299, 0.301}) {
    Flight flight;
    flight.bird.parameters.gravity_scale = 0;
    const double r = flight.bird.radius;
    const auto behind = flight.box(-2, -r, -1, 1, Kind::platform), ahead = flight.box(0.5, 1, -0.1, 0.1);
    flight.follow(behind, {0, 0}, {speed, 0});
    CHECK(flight.effects[ahead].hits == (speed > 0.3 ? 1 : 0));
  }
}

TEST_CASE("[impulse] bird flight: eight contacts are followed, the first included") {
  // Thin plates in a row, so light that the bird hardly becomes slower.
  Flight flight;
  flight.bird.parameters.gravity_scale = 0;
  std::vector<std::size_t> plates;
  for (int k = 0; k < 10; ++k) plates.push_back(flight.box(k, k + 0.01, -0.5, 0.5));
  flight.follow(plates[0], {-flight.bird.radius, 0}, {10, 0});
  for (std::size_t k = 0; k < plates.size(); ++k) CHECK(flight.effects[plates[k]].hits == (k < 8 ? 1 : 0));
}

TEST_CASE("[impulse] bird flight: a bird is followed for three seconds after its first contact") {
  for (double away : {5.99, 6.01}) {
    Flight flight;
    flight.bird.parameters.gravity_scale = 0;
    const double r = flight.bird.radius;
    const auto behind = flight.box(-2, -r, -1, 1, Kind::platform), ahead = flight.box(r + away, 9, -0.1, 0.1);
    flight.follow(behind, {0, 0}, {2, 0});
    CHECK(flight.effects[ahead].hits == (away < 6 ? 1 : 0));
  }
}

TEST_CASE("[impulse] bird flight: it explodes half of its delay's way on, after the first contact") {
  // Linear falloff over a radius of 8: at the distance d an explosion of 80 takes 80 - 10 d.
  for (double side : {1.0, -1.0}) {
    Flight flight;
    flight.bird.power = {
        .kind = PowerKind::explode, .delay = 0.8, .explosion = {.radius = 8, .power = 0, .damage = 80}};
    const double r = flight.bird.radius;
    const auto platform = flight.box(-9, 9, 0, 1, Kind::platform),
               high = flight.box(side, 1.2 + 2.5, 1.2 + 3.5, 5, 5 + 2 * r, Kind::block);
    REQUIRE(flight.scene.profile->explosion_falloff == ExplosionFalloff::linear);
    flight.follow(platform, {0, 1 + r}, {3 * side, -0.5});
    // It goes 1/2 x 0.8 s x 3 m/s = 1.2 along; the box is 3 further on and 4 higher.
    CHECK(flight.effects[high].life_lost == Approx(80 - 10 * 5));
  }
}

TEST_CASE("[impulse] bird flight: it bounces by the greater of both restitutions") {
  // It comes down at 2 m/s and goes up at 2 e for half of 1 s, where it explodes: e below the box.
  for (double of_bird : {0.2, 0.6}) {
    for (double of_floor : {0.2, 0.6}) {
      for (bool on_ground : {true, false}) {
        Flight flight;
        flight.change([&](Profile& profile) { profile.default_restitution = of_floor; });
        flight.bird.parameters.restitution = of_bird;
        flight.bird.power = {
            .kind = PowerKind::explode, .delay = 1, .explosion = {.radius = 8, .power = 0, .damage = 80}};
        const double r = flight.bird.radius, floor = on_ground ? ground : 1;
        const auto platform = flight.box(-2, 2, 0, 1, Kind::platform),
                   high = flight.box(-0.5, 0.5, floor + r + 4.5, floor + r + 5.5);
        flight.scene.objects[platform].parameters.restitution = of_floor;
        if (on_ground) flight.scene.objects[platform].alive = false;
        flight.follow(on_ground ? ground_index : platform, {0, floor + r}, {0, -2});
        const double e = std::max(of_bird, of_floor);
        CHECK(flight.effects[high].life_lost == Approx(80 - 10 * (5 - e)));
      }
    }
  }
}

TEST_CASE("[impulse] bird flight: however weak its gravity, it comes down to the ground and rolls on") {
  // It passes a wall, falls 1 to the ground, which holds it, and rolls at 2/3 of 3 m/s to a small box.
  for (double side : {1.0, -1.0}) {
    for (double gravity : {0.5, 4.0}) {
      Flight flight;
      flight.bird.parameters.gravity_scale = gravity / flight.scene.profile->gravity;
      const double r = flight.bird.radius;
      const auto wall = flight.box(side, -2, -r, ground, ground + 4, Kind::platform),
                 box = flight.box(side, 4, 5, ground + r - 0.1, ground + r + 0.1, Kind::block);
      flight.follow(wall, {0, ground + r + 1}, {3 * side, -2});
      CHECK(flight.effects[box].energy == Approx(flight.energy_struck(2, 0.2)));
    }
  }
}

TEST_CASE("[impulse] bird flight: thrown back up by the ground it is back there after 2 v/g, and rolls") {
  // It falls at 2 m/s and goes up at 0.8 m/s; with 1 m/s^2 it is back after 1.6 s, 4.8 on. Then it rolls.
  for (double gravity : {0.9, 1.0, 2.0}) {
    Flight flight;
    flight.bird.parameters.gravity_scale = gravity / flight.scene.profile->gravity;
    flight.bird.parameters.restitution = 0.4;
    const double r = flight.bird.radius, landing = 3 * 1.6 / gravity;
    const auto beyond = flight.box(landing + r + 0.2, landing + r + 1.2, ground + r - 0.1, ground + r + 0.1);
    flight.follow(ground_index, {0, ground + r}, {3, -2});
    // (1 + e) m/(m + M) of its speed.
    CHECK(flight.effects[beyond].energy == Approx(1.4 * 1.4 * flight.energy_struck(2, 0.2)));
  }
}
