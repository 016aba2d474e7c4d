#include "reasoning/impulse/debris.hpp"

#include <cmath>

#include "reasoning/impulse/bird_flight.hpp"
#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

/// A scene under way: objects are added first, then one sets out.
struct Way {
  Scene scene = empty_scene();
  SupportGraph graph;
  ContactNetwork network;
  std::size_t box(double left, double right, double bottom, double top) {
    const std::size_t i = add_box(scene, left, right, ground + bottom, ground + top);
    scene.objects[i].parameters.friction = 0;
    scene.objects[i].parameters.restitution = 0;
    return i;
  }
  /// What has become of all objects after `debris` was followed.
  std::vector<ShotEffect> effects(const Debris& debris, bool lost = false) {
    graph = support_graph(scene);
    network = contact_network(scene, graph.geometry);
    ShotProgress progress(scene, graph, network, {});
    progress.start();
    progress.effects[debris.object].lost = lost;
    follow_debris(progress, debris);
    return progress.effects;
  }
  /// Their energies, J/kg.
  std::vector<double> energies(const Debris& debris, bool lost = false) {
    std::vector<double> result;
    for (const ShotEffect& effect : effects(debris, lost)) result.push_back(effect.energy);
    return result;
  }
  double gravity() const { return scene.profile->gravity; }
};

Debris sliding(std::size_t object, double speed) { return {object, {{speed, 0}, 0}, false, speed > 0}; }

}  // namespace

TEST_CASE(
    "[impulse] debris: what slides gives half its speed to the first of its like in the way, on either "
    "side") {
  for (double side : {1.0, -1.0}) {
    Way way;
    const auto box = [&](double near, double far, double bottom, double top) {
      return side > 0 ? way.box(near, far, bottom, top) : way.box(-far, -near, bottom, top);
    };
    const auto slider = box(0, 1, 0, 1);
    const auto far_off = box(4, 5, 0, 1), near = box(2.5, 3.5, 0, 1), above = box(1.5, 2, 1, 2),
               behind = box(-3, -2, 0, 1);
    const std::vector<double> energy = way.energies(sliding(slider, side * 4));
    CHECK(energy[near] == Approx(0.5 * 2 * 2));
    CHECK(energy[far_off] == 0);
    CHECK(energy[above] == 0);
    CHECK(energy[behind] == 0);
  }
}

TEST_CASE("[impulse] debris: what slides slowly goes the way of its speed as well") {
  for (double speed : {0.5, -0.5}) {
    Way way;
    const auto slider = way.box(0, 1, 0, 1), right = way.box(1.5, 2.5, 0, 1),
               left = way.box(-1.5, -0.5, 0, 1);
    const std::vector<double> energy = way.energies(sliding(slider, speed));
    CHECK(energy[speed > 0 ? right : left] == Approx(0.5 * 0.25 * 0.25));
    CHECK(energy[speed > 0 ? left : right] == 0);
  }
}

TEST_CASE("[impulse] debris: friction slows down what slides, and stops it after v^2/(2 mu g)") {
  // Both have friction 0.8 and the ground's is mixed with it; at 3 m/s from 1.2 away.
  for (double away : {0.2, 0.4, 3.0}) {
    Way way;
    const auto slider = way.box(0, 1, 0, 1), struck = way.box(1 + away, 2 + away, 0, 1);
    way.scene.objects[slider].parameters.friction = 0.8;
    way.scene.objects[struck].parameters.restitution = 0.5;
    const double mu = std::sqrt(0.8 * way.scene.profile->default_friction),
                 v2 = 9 - 2 * mu * way.gravity() * away;
    const ShotEffect effect = way.effects(sliding(slider, 3))[struck];
    CHECK(effect.hits == (v2 > 0 ? 1 : 0));
    // (1 + e)/2 of the speed, above 1 m/s.
    if (v2 > 1)
      CHECK(effect.energy == Approx(0.5 * 0.75 * 0.75 * v2));
    else if (v2 < 0)
      CHECK(effect.energy == 0);
  }
}

TEST_CASE("[impulse] debris: without friction a slide is followed for 5") {
  for (double away : {4.99, 5.01}) {
    Way way;
    const auto slider = way.box(0, 1, 0, 1), struck = way.box(1 + away, 2 + away, 0, 1);
    CHECK(way.energies(sliding(slider, 3))[struck] == (away < 5 ? Approx(0.5 * 1.5 * 1.5) : Approx(0)));
  }
}

TEST_CASE("[impulse] debris: what slides strikes in the middle of the height that both share") {
  // They share 0.5 to 1 of the height; the struck box of 2 kg, 5/6 kg m^2, has its middle 0.75 higher. The
  // slider of 1 kg does not turn: J = 4/(1 + 1/2 + 0.75^2/(5/6)).
  for (double side : {1.0, -1.0}) {
    Way way;
    const auto slider = side > 0 ? way.box(0, 1, 0, 1) : way.box(-1, 0, 0, 1),
               struck = side > 0 ? way.box(2, 3, 0.5, 2.5) : way.box(-3, -2, 0.5, 2.5);
    const double moment = 2 * (1.0 + 4.0) / 12, blow = 4 / (1 + 0.5 + 0.75 * 0.75 / moment);
    const double speed = blow / 2, spin = 0.75 * blow / moment;
    CHECK(way.energies(sliding(slider, side * 4))[struck] ==
          Approx(0.5 * (speed * speed + spin * spin * moment / 2)));
  }
  // The other way round: the lower box is struck above its middle.
  for (double side : {1.0, -1.0}) {
    Way way;
    const auto slider = side > 0 ? way.box(0, 1, 0.5, 2.5) : way.box(-1, 0, 0.5, 2.5),
               struck = side > 0 ? way.box(2, 3, 0.25, 1) : way.box(-3, -2, 0.25, 1);
    const double mass = 0.75, moment = mass * (1 + 0.75 * 0.75) / 12, arm = 0.75 - 0.625;
    const double blow = 4 / (0.5 + 1 / mass + arm * arm / moment);
    const double speed = blow / mass, spin = arm * blow / moment;
    CHECK(way.energies(sliding(slider, side * 4))[struck] ==
          Approx(0.5 * (speed * speed + spin * spin * moment / mass)));
  }
}

TEST_CASE("[impulse] debris: without a slip friction changes nothing in a central blow") {
  // In the air, so that nothing rubs before; a flyer without weight flies level.
  for (bool flies : {false, true}) {
    Way way;
    const auto slider = way.box(0, 1, 5, 6), struck = way.box(2.5, 3.5, 5, 6);
    for (std::size_t i : {slider, struck}) way.scene.objects[i].parameters.friction = 1;
    if (flies) {
      way.scene.objects[slider].parameters.gravity_scale = 0;
      const std::vector<double> energy = way.energies({slider, {{0.5, 0}, 0}, false, true}, true);
      CHECK(energy[struck] == Approx(0.5 * 0.25 * 0.25));
    } else {
      CHECK(way.energies(sliding(slider, 4))[struck] == Approx(0.5 * 2 * 2));
    }
  }
}

TEST_CASE("[impulse] debris: what slides strikes nothing that only touches its height, or that it touches") {
  // Boxes touch when they are no further apart than 0.03.
  for (double overlap : {0.02, 0.04}) {
    Way above, below;
    const auto a = above.box(0, 1, 2, 3), high = above.box(2, 3, 3 - overlap, 4);
    CHECK(above.effects(sliding(a, 4))[high].hits == (overlap > 0.03 ? 1 : 0));
    const auto b = below.box(0, 1, 2, 3), low = below.box(2, 3, 1, 2 + overlap);
    CHECK(below.effects(sliding(b, 4))[low].hits == (overlap > 0.03 ? 1 : 0));
  }
  for (double side : {1.0, -1.0}) {
    for (double away : {-0.02, 0.0, 0.02, 0.04}) {
      Way way;
      const auto slider = way.box(-0.5, 0.5, 2, 3);
      const auto next = side > 0 ? way.box(0.5 + away, 1.5, 2, 3) : way.box(-1.5, -0.5 - away, 2, 3);
      CHECK(way.effects(sliding(slider, side * 4))[next].hits == (away > 0.03 ? 1 : 0));
    }
  }
}

TEST_CASE("[impulse] debris: what topples comes down along its arc, as a rod about its end") {
  // A post 2 high, its front edge at 0. At a distance of 1 its top is sqrt 3 high: there the struck box has
  // its centre. Energy per kg: v^2/2 + g (2 - sqrt 3)/2; at the height z of a rod of length h: sqrt(3 energy)
  // z/h; its mass counts a third.
  for (double side : {1.0, -1.0}) {
    Way way;
    const double height = std::sqrt(3.0), speed = 0.5;
    const auto box = [&](double near, double far, double bottom, double top) {
      return side > 0 ? way.box(near, far, bottom, top) : way.box(-far, -near, bottom, top);
    };
    const auto post = box(-0.5, 0, 0, 2);  // 1 kg
    const auto struck = box(1, 2, height - 0.5, height + 0.5);
    for (std::size_t i : {post, struck}) way.scene.objects[i].parameters.friction = 1;  // rubs without a slip
    const auto beyond = box(2.01, 3, 0, 1), behind = box(-2, -1, 0, 3), above = box(0.1, 0.6, 2, 3),
               below = box(0.2, 0.8, -1, 0);
    const std::vector<double> energy = way.energies({post, {{side * speed, 0}, 0}, true, side > 0});
    const double fall = 0.5 * speed * speed + way.gravity() * 0.5 * (2 - height);
    const double after = std::sqrt(3 * fall) * height / 2 * (1.0 / 3) / (1.0 / 3 + 1);
    CHECK(energy[struck] == Approx(0.5 * after * after));
    CHECK(energy[beyond] == 0);
    CHECK(energy[behind] == 0);
    CHECK(energy[above] == 0);
    CHECK(energy[below] == 0);
  }
}

TEST_CASE("[impulse] debris: what topples strikes within the quarter disc of its height") {
  // A post 2 high: a corner at (1.2, 1.5) from its edge is 1.92 away, at (1.4, 1.5) 2.05.
  for (double side : {1.0, -1.0}) {
    for (double away : {1.2, 1.4}) {
      Way way;
      const auto post = side > 0 ? way.box(-0.5, 0, 0, 2) : way.box(0, 0.5, 0, 2);
      const auto high = side > 0 ? way.box(away, away + 1, 1.5, 3) : way.box(-away - 1, -away, 1.5, 3);
      const ShotEffect effect = way.effects({post, {{side, 0}, 0}, true, side > 0})[high];
      CHECK(effect.hits == (away == 1.2 ? 1 : 0));
    }
  }
}

TEST_CASE("[impulse] debris: what topples reaches as far as it is high, and what it touches as well") {
  // At the very end it strikes at its base, which counts as 0.1 high.
  for (double side : {1.0, -1.0}) {
    for (double away : {-0.04, -0.02, 0.0, 1.999, 2.0, 2.001}) {
      Way way;
      const auto post = side > 0 ? way.box(-0.5, 0, 0, 2) : way.box(0, 0.5, 0, 2);
      const auto low = side > 0 ? way.box(away, 3, 0, 1) : way.box(-3, -away, 0, 1);
      const ShotEffect effect = way.effects({post, {{side, 0}, 0}, true, side > 0})[low];
      INFO("away " << away);
      CHECK(effect.hits == (away > -0.03 && away <= 2 ? 1 : 0));
    }
  }
}

TEST_CASE("[impulse] debris: what topples against its neighbour strikes with its speed alone") {
  // The post has not come down: sqrt(3 v^2/2) z/h at the height z = 1.5 of a rod of 2, with a third of its
  // mass of 1 kg. The struck box of 1 kg, 1/6 kg m^2, is hit 1/2 above its middle.
  for (double side : {1.0, -1.0}) {
    Way way;
    const double v = 1;
    const auto post = side > 0 ? way.box(-0.5, 0, 0, 2) : way.box(0, 0.5, 0, 2);
    const auto struck = side > 0 ? way.box(0, 1, 0.5, 1.5) : way.box(-1, 0, 0.5, 1.5);
    const double blow = std::sqrt(1.5 * v * v) * 1.5 / 2 / (3 + 1 + 0.25 * 6), spin = 0.5 * blow * 6;
    const std::vector<double> energy = way.energies({post, {{side * v, 0}, 0}, true, side > 0});
    CHECK(energy[struck] == Approx(0.5 * (blow * blow + spin * spin / 6)));
  }
}

TEST_CASE("[impulse] debris: at the end of its arc what topples strikes as from 0.1 above its base") {
  // From 1.99 aside it has come down by nearly all of its height. It strikes a flat box where that is
  // highest.
  Way way;
  const auto post = way.box(-0.5, 0, 0, 2), flat = way.box(1.99, 2.99, 0.04, 0.06);  // 0.02 kg
  const double mass = 0.02, moment = mass * (1 + 0.02 * 0.02) / 12, arm = 0.01;
  const double speed = std::sqrt(3 * (0.5 + way.gravity() * 0.5 * (2 - std::sqrt(4 - 1.99 * 1.99)))) * 0.1 /
                       2;
  const double blow = speed / (3 + 1 / mass + arm * arm / moment);
  const double after = blow / mass, spin = arm * blow / moment;
  CHECK(way.energies({post, {{1, 0}, 0}, true, true})[flat] ==
        Approx(0.5 * (after * after + spin * spin * moment / mass)));
}

TEST_CASE("[impulse] debris: of two that are as near the first in order is struck") {
  for (bool topples : {false, true}) {
    Way way;
    const auto post = way.box(-0.5, 0, 0, 2), first = way.box(1, 2, 0, 1), same = way.box(1, 2, 0, 1);
    const std::vector<ShotEffect> effects = way.effects({post, {{3, 0}, 0}, topples, true});
    CHECK(effects[first].hits == 1);
    CHECK(effects[same].hits == 0);
  }
}

TEST_CASE("[impulse] debris: what it lies on is not struck by what flies off, the wall ahead is") {
  Way way;
  const double drop = 0.5 * way.gravity() * 0.38 * 0.38, start = 5;
  const auto base = way.box(-0.1, 0.1, start - 1, start - 0.1),
             flyer = way.box(-0.1, 0.1, start - 0.1, start + 0.1);
  const auto wall = way.box(2, 3, start - drop - 0.5, start - drop + 0.5);
  const std::vector<ShotEffect> effects = way.effects(sliding(flyer, 5), true);
  CHECK(effects[base].hits == 0);
  CHECK(effects[wall].hits == 1);
}

TEST_CASE("[impulse] debris: a flight is followed for three seconds") {
  for (double away : {5.99, 6.01}) {
    Way way;
    const auto flyer = way.box(-0.1, 0.1, 50, 50.2), wall = way.box(0.1 + away, 9, 0, 60);
    CHECK(way.effects(sliding(flyer, 2), true)[wall].hits == (away < 6 ? 1 : 0));
  }
}

TEST_CASE("[impulse] debris: what leaves its place flies on in free fall and strikes what it meets") {
  // 0.04 kg, as a disc of radius 0.1, at 5 m/s from 1.9 before a wall of 1 kg: it is there after 0.38 s, and
  // falls g t^2/2 meanwhile.
  Way way;
  const double drop = 0.5 * way.gravity() * 0.38 * 0.38, start = 5;
  const auto flyer = way.box(-0.1, 0.1, start - 0.1, start + 0.1);
  const auto wall = way.box(2, 3, start - drop - 0.5, start - drop + 0.5);
  const double after = 5 * 0.04 / 1.04;
  CHECK(way.energies(sliding(flyer, 5), true)[wall] == Approx(0.5 * after * after));
  CHECK(way.energies(sliding(flyer, 5), false)[wall] == 0);  // what stays in its place does not fly
  CHECK(way.energies(sliding(flyer, -5), true)[wall] == 0);
}

TEST_CASE(
    "[impulse] debris: an explosion pushes away from its centre, less with the distance, and not beyond "
    "its radius") {
  for (const char* profile_name : {"startle", "classic"}) {
    Scene scene = empty_scene(profile_name);
    const auto near = add_box(scene, 0.5, 1.5, 0, 1, 2), far_off = add_box(scene, -0.5, 0.5, 2, 3),
               beyond = add_box(scene, -5.5, -4.5, 0, 1);
    const SupportGraph graph = support_graph(scene);
    const ContactNetwork network = contact_network(scene, graph.geometry);
    ShotProgress progress(scene, graph, network, {});
    progress.start();
    progress.explode({.radius = 4, .power = 6, .damage = 10}, {0, 0.5}, ground_index);
    // Centres at distances 1 and 2. Linear: 3/4 and 1/2 of both; inverse: 1/1 and 1/2 of the damage, half of
    // that of the impulse.
    const bool linear = scene.profile->explosion_falloff == ExplosionFalloff::linear;
    const double speed_near = 6 * (linear ? 0.75 : 0.5) / 2, speed_far = 6 * (linear ? 0.5 : 0.25);
    CHECK(progress.effects[near].energy == Approx(0.5 * speed_near * speed_near));
    CHECK(progress.effects[far_off].energy == Approx(0.5 * speed_far * speed_far));
    CHECK(progress.effects[near].life_lost == Approx(linear ? 7.5 : 10));
    CHECK(progress.effects[far_off].life_lost == Approx(5));
    CHECK(progress.effects[far_off].hits == 0);  // no defence is taken off
    CHECK(progress.effects[beyond].energy == 0);
    CHECK(progress.effects[beyond].life_lost == 0);
  }
}

TEST_CASE("[impulse] bird flight: a bird that lands softly rolls on and strikes what stands there") {
  // It comes down on a platform that ends 3 further on, at 5 m/s along and 0.5 down, and rolls at 2/3 of its
  // speed.
  for (double shift : {0.0, -4.0}) {
    for (double far_off : {0.0, 20.0}) {
      for (bool box_first : {true, false}) {
        Scene scene = empty_scene();
        const BirdType& bird = scene.profile->bird("BirdRed");
        std::size_t platform = 0, box = 0;
        for (bool is_box : {box_first, !box_first})
          if (is_box)
            box = add_box(scene, 2 + far_off + shift, 5 + far_off + shift, 1, 2);
          else
            platform = add_box(scene, -2 + shift, 3 + shift, 0, 1, 1, Kind::platform);
        const SupportGraph graph = support_graph(scene);
        const ContactNetwork network = contact_network(scene, graph.geometry);
        ShotProgress progress(scene, graph, network, {});
        progress.start();
        follow_bird(progress, bird,
                    {.shot = {},
                     .start = {shift, 1 + bird.radius},
                     .velocity = {5, -0.5},
                     .gravity = scene.profile->flight_gravity(bird),
                     .radius = bird.radius,
                     .aim = {}},
                    platform);
        CHECK((progress.effects[box].hits > 0) == (far_off == 0));
      }
    }
  }
}

TEST_CASE("[impulse] bird flight: off a platform's end the bird falls to the ground and goes on from there") {
  // It rolls at 3.3 m/s off an edge at -3, 1 above the ground. After 0.65 s it is on the ground, at about
  // -0.8, from where it goes on, in jumps or without. A low box stands there; one beside the edge is flown
  // over.
  for (double restitution : {0.43, 0.1, 0.0}) {
    for (double side : {1.0, -1.0}) {
      Scene scene = empty_scene();
      BirdType bird = scene.profile->bird("BirdRed");
      bird.parameters.restitution = restitution;
      const auto box = [&](double near, double far, double top, Kind kind) {
        return side > 0 ? add_box(scene, near, far, ground, ground + top, 1, kind)
                        : add_box(scene, -far, -near, ground, ground + top, 1, kind);
      };
      const auto platform = box(-6, -3, 1, Kind::platform), beside = box(-2.8, -2.6, 0.2, Kind::block),
                 further = box(1, 2, 0.5, Kind::block);
      const SupportGraph graph = support_graph(scene);
      const ContactNetwork network = contact_network(scene, graph.geometry);
      ShotProgress progress(scene, graph, network, {});
      progress.start();
      follow_bird(progress, bird,
                  {.shot = {},
                   .start = {-4 * side, ground + 1 + bird.radius},
                   .velocity = {5 * side, -0.5},
                   .gravity = scene.profile->flight_gravity(bird),
                   .radius = bird.radius,
                   .aim = {}},
                  platform);
      INFO("restitution " << restitution << " side " << side);
      CHECK(progress.effects[further].hits > 0);
      CHECK(progress.effects[beside].hits == 0);
    }
  }
}

TEST_CASE("[impulse] bird flight: a bird that does not bounce goes on along the platform it fell on") {
  for (double fall : {-1.5, -3.0, -4.7}) {
    Scene scene = empty_scene();
    BirdType bird = scene.profile->bird("BirdRed");
    bird.parameters.restitution = 0;
    const auto platform = add_box(scene, -2, 6, 0, 1, 1, Kind::platform), box = add_box(scene, 3, 4, 1, 1.6);
    scene.objects[platform].parameters.restitution = 0;
    const SupportGraph graph = support_graph(scene);
    const ContactNetwork network = contact_network(scene, graph.geometry);
    ShotProgress progress(scene, graph, network, {});
    progress.start();
    follow_bird(progress, bird,
                {.shot = {},
                 .start = {0, 1 + bird.radius},
                 .velocity = {6, fall},
                 .gravity = scene.profile->flight_gravity(bird),
                 .radius = bird.radius,
                 .aim = {}},
                platform);
    INFO("fall " << fall);
    CHECK(progress.effects[box].hits > 0);
  }
}

TEST_CASE("[impulse] bird flight: thrown back by a wall, a bird strikes what stands behind it") {
  for (double side : {1.0, -1.0}) {
    for (double bounce : {0.0, 0.9}) {
      Scene scene = empty_scene();
      BirdType bird = scene.profile->bird("BirdRed");
      bird.parameters.restitution = 0;
      const auto wall = side > 0 ? add_box(scene, 2, 3, ground, ground + 6, 1, Kind::platform)
                                 : add_box(scene, -3, -2, ground, ground + 6, 1, Kind::platform);
      scene.objects[wall].parameters.restitution = bounce;
      const auto box = side > 0 ? add_box(scene, -2, -1, ground, ground + 3)
                                : add_box(scene, 1, 2, ground, ground + 3);
      const SupportGraph graph = support_graph(scene);
      const ContactNetwork network = contact_network(scene, graph.geometry);
      ShotProgress progress(scene, graph, network, {});
      progress.start();
      follow_bird(progress, bird,
                  {.shot = {},
                   .start = {side * (2 - bird.radius), ground + 2.5},
                   .velocity = {side * 10, 0},
                   .gravity = scene.profile->flight_gravity(bird),
                   .radius = bird.radius,
                   .aim = {}},
                  wall);
      CHECK((progress.effects[box].hits > 0) == (bounce > 0.5));
    }
  }
}

TEST_CASE("[impulse] debris: what has left its place is struck no more, what stands behind it is") {
  for (bool topples : {false, true}) {
    for (double side : {1.0, -1.0}) {
      Way way;
      const auto box = [&](double near, double far) {
        return side > 0 ? way.box(near, far, 0, 2) : way.box(-far, -near, 0, 2);
      };
      const auto post = box(-0.5, 0), gone = box(0.5, 0.75), behind = box(1, 2);
      way.scene.objects[behind].parameters.density = 0.1;
      way.graph = support_graph(way.scene);
      way.network = contact_network(way.scene, way.graph.geometry);
      ShotProgress progress(way.scene, way.graph, way.network, {});
      progress.start();
      progress.effects[gone].lost = true;
      follow_debris(progress, {post, {{side * 12, 0}, 0}, topples, side > 0});
      CHECK(progress.effects[gone].hits == 0);
      CHECK(progress.effects[behind].hits == 1);
      CHECK(progress.effects[behind].direction == (side > 0 ? FallDirection::right : FallDirection::left));
    }
  }
}

TEST_CASE("[impulse] debris: what has hardly any speed left when it gets there strikes with that") {
  // Friction leaves 0.05 of v^2 = 9. Two of a kind, without a bounce: half of the speed goes over.
  Way way;
  const double mu = std::sqrt(0.8 * way.scene.profile->default_friction),
               away = (9 - 0.05) / (2 * mu * way.gravity());
  const auto slider = way.box(0, 1, 0, 1), struck = way.box(1 + away, 2 + away, 0, 1);
  way.scene.objects[slider].parameters.friction = 0.8;
  CHECK(way.energies(sliding(slider, 3))[struck] == Approx(0.5 * 0.25 * 0.05));
}
