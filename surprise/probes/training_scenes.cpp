#include "surprise/probes/training_scenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "sim/shape.hpp"

namespace startle {
namespace {

double either_way(Random& random, double value) { return random.chance(0.5) ? value : -value; }
StillShape any_shape(Random& random) { return static_cast<StillShape>(random.integer(0, 2)); }

void add_pillars(ProbeScene& scene, Random& random, int count) {
  const Colour colour = screen_colour(random);
  const double height = random.uniform(1.2, 3.5);
  for (int i = 0; i < count; ++i) {
    const double width = random.uniform(0.8, 1.8), x = random.uniform(0.4, probe_view - width - 0.4);
    scene.screens.push_back(pillar(x, x + width, height, colour));
  }
}

/// Things at rest, side by side with gaps between.
void add_still_things(ProbeScene& scene, Random& random, int count) {
  const std::vector<Colour> colours = thing_colours(random, static_cast<std::size_t>(count));
  const double slot = (probe_view - 0.6) / count;
  for (int i = 0; i < count; ++i) {
    const StillShape shape = any_shape(random);
    const double width = random.uniform(0.6, std::min(1.5, slot - 0.2)), play = slot - width - 0.1,
                 height = random.uniform(0.6, 1.8);
    scene.things.push_back(still_thing(shape, 0.3 + slot * (i + 0.5) + random.uniform(-0.5, 0.5) * play,
                                       width, height, colours[static_cast<std::size_t>(i)]));
  }
}

void add_roll(ProbeScene& scene, Random& random) {
  const std::vector<Colour> colours = thing_colours(random, 2);
  const double radius = random.uniform(0.25, 0.42), velocity = either_way(random, random.uniform(4.5, 8.5));
  const double start = random.chance(0.15) ? random.uniform(0.5, 5.9) : random.uniform(-0.6, 1.6);
  scene.things.push_back(
      rolling_ball(velocity > 0 ? start : probe_view - start, radius, velocity, colours[0]));
  if (random.chance(0.25)) {  // something heavy at the other end, off which it bounces
    const double width = random.uniform(0.6, 1.4), x = probe_view - width / 2 - random.uniform(0, 1.0);
    ProbeThing block = still_thing(StillShape::block, velocity > 0 ? x : probe_view - x, width,
                                   random.uniform(0.8, 2.5), colours[1]);
    block.body.restitution = random.uniform(0.6, 1);
    scene.things.push_back(block);
  }
  add_pillars(scene, random, random.integer(0, 3));
}

void add_random_bounce(ProbeScene& scene, Random& random) {
  const std::vector<Colour> colours = thing_colours(random, 2);
  const double radius = random.uniform(0.28, 0.45), side = either_way(random, 1);
  const double width = random.uniform(0.9, 1.6), face = random.uniform(4.2, 5.2);  // of the block, seen from
                                                                                   // the left
  const double time = probe_frame_s * random.uniform(3, 10), speed = random.uniform(4.5, 8.5),
               rise = random.uniform(-5, 5), height = random.uniform(1.8, 4.2);
  add_bounce(scene, {.face = face,
                     .block_width = width,
                     .block_height = random.uniform(2.8, 4.4),
                     .radius = radius,
                     .speed = speed,
                     .time = time,
                     .height = height,
                     .rise = rise,
                     .mirror = side < 0,
                     .block = colours[0],
                     .ball = colours[1]});
  double& y = scene.things.back().body.pose.position.y;
  y = std::max(probe_floor + radius + 0.05, y);
}

void add_drop(ProbeScene& scene, Random& random) {
  const int count = random.integer(1, 2);
  const std::vector<Colour> colours = thing_colours(random, 2);
  for (int i = 0; i < count; ++i) {
    const double width = random.uniform(0.5, 1.2),
                 height = random.chance(0.5) ? width : random.uniform(0.5, 2);
    const double x = count == 1 ? random.uniform(1, 5.4) : random.uniform(0.9, 2.4) + 3.0 * i;
    const StillShape shape = any_shape(random);
    ProbeThing thing = still_thing(shape, x, width, height, colours[static_cast<std::size_t>(i)]);
    thing.body.density = 1;
    thing.body.pose.position.y += random.uniform(1, 4);
    thing.body.pose.angle = random.chance(0.5) ? 0 : random.uniform(-0.8, 0.8);
    thing.body.velocity = {random.chance(0.7) ? 0 : random.uniform(-3, 3), random.uniform(-3, 0)};
    thing.body.restitution = random.chance(0.5) ? 0 : random.uniform(0.2, 0.7);
    scene.things.push_back(thing);
  }
  if (random.chance(0.3)) add_pillars(scene, random, 1);
}

void add_curtain(ProbeScene& scene, Random& random, double low, double high) {
  const int start = random.integer(0, 4), fall = random.integer(2, 4), stay = random.integer(1, 5);
  scene.screens.push_back(curtain(low, high, start, fall, stay, screen_colour(random)));
}

void add_cover(ProbeScene& scene, Random& random) {
  add_still_things(scene, random, random.integer(1, 3));
  const bool whole = random.chance(0.7);
  const double low = whole ? random.uniform(0, 0.3) : random.uniform(0.3, 3),
               high = whole ? probe_view - random.uniform(0, 0.3) : low + random.uniform(1.5, 3.3);
  add_curtain(scene, random, low, high);
}

void add_plank(ProbeScene& scene, Random& random) {
  const std::vector<Colour> colours = thing_colours(random, 2);
  scene.plank = plank_at_random(random, {.shortest = 2.0, .slowest = 1.2}, colours[0]);
  if (random.chance(0.5))
    scene.plank->object = plank_object_at_random(random, *scene.plank, 0.7, 1.5, colours[1]);
}

ProbeContainer add_random_container(ProbeScene& scene, Random& random, Colour front) {
  const ProbeContainer container{.x = random.uniform(1.2, 5.2),
                                 .inner_width = random.uniform(0.8, 1.5),
                                 .height = random.uniform(1.4, 2.6),
                                 .front = front,
                                 .back = screen_colour(random)};
  add_container(scene, container);
  return container;
}

void add_container_drop(ProbeScene& scene, Random& random) {
  const std::vector<Colour> colours = thing_colours(random, 2);
  const ProbeContainer container = add_random_container(scene, random, colours[0]);
  const double width = container.inner_width - random.uniform(0.15, 0.3), height = random.uniform(0.7, 3.0);
  ProbeThing block = still_thing(StillShape::block, container.x, width, height, colours[1]);
  block.body.density = 1;
  block.body.pose.position.y = std::min(
      probe_floor + container.height + height / 2 + random.uniform(0.05, 1.5),
      probe_view - 0.05 - height / 2);
  block.body.pose.position.y = std::max(block.body.pose.position.y,
                                        probe_floor + container.height + height / 2 + 0.05);
  block.body.velocity.y = -random.uniform(1.5, 5);
  scene.things.push_back(block);
}

/// A body of a freeform scene: it stands, rolls or slides along the floor, or flies. Where it moves sideways
/// it goes to the side that is farther off. `aim`: the middle of something to fall on.
ProbeThing loose_body(Random& random, std::optional<double> aim, Colour colour) {
  const bool plank = random.chance(0.25);
  const StillShape shape = plank ? StillShape::block : any_shape(random);
  const double width = plank ? random.uniform(1.2, 2.4) : random.uniform(0.5, 1.3),
               height = plank ? random.uniform(0.16, 0.26) : random.uniform(0.5, 1.8);
  ProbeThing thing = still_thing(shape, random.uniform(-0.4, probe_view + 0.4), width, height, colour);
  Body& body = thing.body;
  body.density = random.chance(0.25) ? 20 : random.uniform(0.5, 4);
  body.friction = random.uniform(0.1, 0.6);
  body.restitution = random.chance(0.5) ? 0 : random.uniform(0.2, 1);
  Vec2& place = body.pose.position;
  const double forward = place.x < probe_view / 2 ? 1 : -1;
  switch (random.integer(0, 3)) {
    case 0:  // stands
      place.x = random.uniform(0.6, probe_view - 0.6);
      break;
    case 1:  // rolls or slides
      body.velocity.x = forward * random.uniform(2, 8.5);
      if (shape == StillShape::ball) body.angular_velocity = -body.velocity.x / (width / 2);
      break;
    case 2:  // is thrown
      place.y += random.uniform(0.3, 3);
      body.velocity = {forward * random.uniform(1, 7), random.uniform(-2, 5)};
      body.pose.angle = random.uniform(-0.8, 0.8);
      body.angular_velocity = random.uniform(-5, 5);
      break;
    case 3:  // is dropped
      place = {aim ? *aim + random.uniform(-0.3, 0.3) : random.uniform(0.6, probe_view - 0.6),
               place.y + random.uniform(0.5, 4)};
      body.velocity.y = -random.uniform(0, 4);
      body.pose.angle = random.chance(0.5) ? 0 : random.uniform(-0.8, 0.8);
      break;
  }
  return thing;
}

bool touches(const ProbeThing& a, const ProbeThing& b) {
  constexpr double gap = 0.03;  // bodies that overlap at the start would be thrown apart
  return distance(transformed(a.body.shape, a.body.pose), transformed(b.body.shape, b.body.pose)) < gap;
}

}  // namespace

const std::vector<std::string>& event_kinds() {
  static const std::vector<std::string> kinds{"roll",  "bounce",    "drop", "cover",
                                              "plank", "container", "still"};
  return kinds;
}

ProbeScene event_scene(const std::string& kind, Random& random) {
  ProbeScene scene = empty_room(random);
  if (kind == "roll")
    add_roll(scene, random);
  else if (kind == "bounce")
    add_random_bounce(scene, random);
  else if (kind == "drop")
    add_drop(scene, random);
  else if (kind == "cover")
    add_cover(scene, random);
  else if (kind == "plank")
    add_plank(scene, random);
  else if (kind == "container")
    add_container_drop(scene, random);
  else if (kind == "still") {
    if (random.chance(0.5)) add_still_things(scene, random, random.integer(1, 3));
    add_pillars(scene, random, random.integer(0, 3));
  } else {
    throw Error("probes: found kind of scene '" + kind + "', allowed are those of event_kinds()");
  }
  return scene;
}

ProbeScene freeform_scene(Random& random) {
  ProbeScene scene = empty_room(random);
  const int bodies = random.integer(2, 4);
  const std::vector<Colour> colours = thing_colours(random, static_cast<std::size_t>(bodies) + 1);
  std::vector<double> aims;
  if (random.chance(0.4)) aims.push_back(add_random_container(scene, random, colours.back()).x);
  for (int i = 0; i < bodies; ++i) {
    // A free place is found soon: there is more room above the floor than bodies take.
    ProbeThing thing;
    do {
      const bool aimed = !aims.empty() && random.chance(0.5);
      thing = loose_body(random, aimed ? std::optional(random.choice(aims)) : std::nullopt,
                         colours[static_cast<std::size_t>(i)]);
    } while (std::any_of(scene.things.begin(), scene.things.end(),
                         [&](const ProbeThing& other) { return touches(thing, other); }));
    aims.push_back(thing.body.pose.position.x);
    scene.things.push_back(thing);
  }
  // One sort of screen at most: a clip has no more objects and screens than an object network has slots.
  const double screens = random.uniform();
  if (screens < 0.35) {
    add_pillars(scene, random, random.integer(1, 2));
  } else if (screens < 0.7) {
    const double low = random.uniform(0, 3);
    add_curtain(scene, random, low, low + random.uniform(1.5, probe_view));
  }
  return scene;
}

}  // namespace startle
