#include "surprise/probes/probe_scene.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "render/raster.hpp"
#include "sim/shape.hpp"

namespace startle {
namespace {

/// World to pixels.
Affine picture_map() {
  const double scale = probe_format().pixels / probe_view;
  return {scale, 0, 0, -scale, 0, static_cast<double>(probe_format().pixels)};
}

Polygon rectangle(const Bounds& b) {
  return {{b.xmin, b.ymin}, {b.xmax, b.ymin}, {b.xmax, b.ymax}, {b.xmin, b.ymax}};
}

/// The plane of height and depth: hinge at depth 0.
std::vector<Pose> plank_motion(const ProbePlank& plank) {
  const Body floor{.shape = box_shape(40, 1), .pose = {{0, probe_floor - 0.5}, 0}, .density = 0};
  // Lying towards the viewer, its edge on the hinge; it turns clockwise, away from the viewer. The hinge
  // holds it just off the floor: hinge and contact would push against each other all along the turn.
  const Vec2 hinge{0, probe_floor + plank.thickness / 2 + 0.03};
  std::vector<Body> bodies{floor,
                           {.shape = box_shape(plank.length, plank.thickness),
                            .pose = {hinge - Vec2{plank.length / 2, 0}, 0},
                            .velocity = {0, plank.turn * plank.length / 2},
                            .angular_velocity = -plank.turn,
                            .hinge = hinge}};
  if (plank.object) {
    const auto& object = *plank.object;
    bodies.push_back({.shape = box_shape(object.depth, object.height),
                      .pose = {{object.near + object.depth / 2, probe_floor + object.height / 2}, 0},
                      .density = 0});
  }
  std::vector<Pose> poses;
  for (const auto& frame : simulate_bodies(bodies, {.gravity = {0, -probe_gravity}}).frames)
    poses.push_back(frame[1]);
  return poses;
}

/// The turned plank from the front: from the floor to its highest corner.
Bounds front_of(const ProbePlank& plank, const Pose& pose) {
  return {plank.x_low, plank.x_high, probe_floor,
          bounds(transformed(box_shape(plank.length, plank.thickness), pose)).ymax};
}

class Video {
 public:
  Video()
      : picture_(probe_format().pixels, probe_format().pixels),
        mask_(probe_format().pixels, probe_format().pixels) {
    raster_.attach(picture_);
  }

  void begin(Colour wall) {
    raster_.clear(wall);
    std::fill(mask_.ids.begin(), mask_.ids.end(), std::uint16_t{0});
  }
  void draw(const std::vector<Polygon>& rings, Colour colour, int id) {
    raster_.fill(rings, map_, colour);
    fill_mask(rings, map_, static_cast<std::uint16_t>(id), mask_);
  }
  void end(Clip& clip) const {
    clip.rgb.insert(clip.rgb.end(), picture_.rgb.begin(), picture_.rgb.end());
    for (const std::uint16_t id : mask_.ids) clip.masks.push_back(static_cast<std::uint8_t>(id));
  }

 private:
  Bitmap picture_;
  Mask mask_;
  Raster raster_;
  Affine map_ = picture_map();
};

Colour jittered(Random& random, std::uint32_t rgb) {
  const auto channel = [&](int shift) {
    return static_cast<std::uint8_t>(
        std::clamp(static_cast<int>(rgb >> shift & 255U) + random.integer(-14, 14), 0, 255));
  };
  const std::uint8_t r = channel(16), g = channel(8);
  return {r, g, channel(0)};
}

}  // namespace

ClipFormat probe_format() {
  return {.frames = 15, .pixels = 64, .stride = BodyOptions{}.steps_a_frame, .lead = 0, .view = probe_view};
}

BodyMotion simulate_things(const ProbeScene& scene) {
  std::vector<Body> bodies;
  for (const ProbeThing& thing : scene.things) bodies.push_back(thing.body);
  bodies.push_back(
      {.shape = box_shape(40, 1), .pose = {{probe_view / 2, probe_floor - 0.5}, 0}, .density = 0});
  return simulate_bodies(bodies, {.gravity = {0, -probe_gravity}, .frames = probe_format().frames});
}

Clip record(const ProbeScene& scene) {
  const ClipFormat format = probe_format();
  const BodyMotion motion = simulate_things(scene);
  const std::vector<Pose> plank = scene.plank ? plank_motion(*scene.plank) : std::vector<Pose>();
  Clip clip{.frames = format.frames, .pixels = format.pixels, .rgb = {}, .masks = {}};
  Video frames;
  for (std::size_t t = 0; t < static_cast<std::size_t>(format.frames); ++t) {
    const auto draw_screens = [&](bool behind) {
      for (std::size_t i = 0; i < scene.screens.size(); ++i) {
        const ProbeScreen& screen = scene.screens[i];
        if (screen.behind != behind) continue;
        const double lift = screen.lift.empty() ? 0 : screen.lift[t];
        frames.draw({rectangle({screen.place.xmin, screen.place.xmax, screen.place.ymin + lift,
                                screen.place.ymax + lift})},
                    screen.colour, screen_mask + static_cast<int>(i));
      }
    };
    frames.begin(scene.wall);
    frames.draw({rectangle({0, probe_view, 0, probe_floor})}, scene.floor, 1);
    draw_screens(true);
    for (std::size_t i = 0; i < scene.things.size(); ++i)
      frames.draw(transformed(scene.things[i].body.shape, motion.frames[t][i]).outlines,
                  scene.things[i].colour, 2 + static_cast<int>(i));
    if (scene.plank) {
      if (const auto& object = scene.plank->object)
        frames.draw({rectangle({object->x_low, object->x_high, probe_floor, probe_floor + object->height})},
                    object->colour, plank_object_mask);
      frames.draw({rectangle(front_of(*scene.plank, plank[t]))}, scene.plank->colour, plank_mask);
    }
    draw_screens(false);
    frames.end(clip);
  }
  return clip;
}

// -----------------------------------------------------------------------------------------------------------
// parts

ProbeScene empty_room(Random& random) {
  static const std::vector<std::uint32_t> walls{0xD8E4EC, 0xECE4D4, 0xDDE8D6, 0xE9DCE4, 0xCFDDE8, 0xE4E4E4};
  static const std::vector<std::uint32_t> floors{0xA89878, 0x8F9C8A, 0x9A8F9C, 0x8C8C8C, 0xB0A090, 0x7F93A3};
  const Colour wall = jittered(random, random.choice(walls));
  return {.wall = wall, .floor = jittered(random, random.choice(floors)), .things = {}, .screens = {}};
}

std::vector<Colour> thing_colours(Random& random, std::size_t count) {
  std::vector<std::uint32_t> all{0xD62728, 0x1F55D0, 0x20A040, 0xF0C010,
                                 0x8E2FB8, 0xF07818, 0x10B0C8, 0xE858A8};
  random.shuffle(all);
  if (count > all.size())
    throw Error("probes: found " + std::to_string(count) + " colours, allowed are " +
                std::to_string(all.size()));
  std::vector<Colour> colours;
  for (std::size_t i = 0; i < count; ++i) colours.push_back(jittered(random, all[i]));
  return colours;
}

Colour screen_colour(Random& random) {
  static const std::vector<std::uint32_t> all{0x503828, 0x2F4050, 0x3D4A34, 0x4A3350, 0x404040, 0x5A2E2E};
  return jittered(random, random.choice(all));
}

ProbeThing rolling_ball(double x, double radius, double velocity, Colour colour) {
  return {{.shape = disc_shape(radius),
           .pose = {{x, probe_floor + radius}, 0},
           .velocity = {velocity, 0},
           .angular_velocity = -velocity / radius},
          colour};
}

ProbeThing still_thing(StillShape shape, double x, double width, double height, Colour colour) {
  Body body{.density = 0};
  switch (shape) {
    case StillShape::block:
      body.shape = box_shape(width, height);
      body.pose.position = {x, probe_floor + height / 2};
      break;
    case StillShape::ball:
      body.shape = disc_shape(width / 2);
      body.pose.position = {x, probe_floor + width / 2};
      break;
    case StillShape::wedge:
      body.shape = polygon_shape({{-width / 2, 0}, {width / 2, 0}, {0, height}});
      body.pose.position = {x, probe_floor};
      break;
  }
  return {body, colour};
}

void add_bounce(ProbeScene& scene, const Bounce& b) {
  ProbeThing block = still_thing(StillShape::block, mirrored(b.face + b.block_width / 2, b.mirror),
                                 b.block_width, b.block_height, b.block);
  ProbeThing ball = rolling_ball(mirrored(b.face - b.radius - b.speed * b.time, b.mirror), b.radius,
                                 b.mirror ? -b.speed : b.speed, b.ball);
  ball.body.pose.position.y = b.height - b.rise * b.time - probe_gravity * b.time * b.time / 2;
  ball.body.velocity.y = b.rise + probe_gravity * b.time;
  ball.body.angular_velocity = 0;
  for (ProbeThing* thing : {&block, &ball}) {
    thing->body.friction = 0;
    thing->body.restitution = 1;
    scene.things.push_back(*thing);
  }
}

ProbeScreen pillar(double x_low, double x_high, double height, Colour colour) {
  return {{x_low, x_high, probe_floor - 0.2, probe_floor + height}, colour};
}

ProbeScreen curtain(double x_low, double x_high, int start, int fall, int stay, Colour colour) {
  ProbeScreen screen{{x_low, x_high, probe_floor - 0.2, probe_view + 0.1}, colour};
  const double height = screen.place.height();
  for (int t = 0; t < probe_format().frames; ++t) {
    const double down = static_cast<double>(t - start) / fall,
                 up = static_cast<double>(t - start - fall - stay) / fall;
    screen.lift.push_back(height * (1 - std::clamp(down, 0.0, 1.0) + std::clamp(up, 0.0, 1.0)));
  }
  return screen;
}

void add_container(ProbeScene& scene, const ProbeContainer& c) {
  const double outer = c.inner_width + 2 * container_wall, shift = (c.inner_width + container_wall) / 2;
  scene.screens.push_back(
      {{c.x - outer / 2, c.x + outer / 2, probe_floor, probe_floor + c.height + 0.3}, c.back, true});
  scene.things.push_back(still_thing(StillShape::block, c.x - shift, container_wall, c.height, c.front));
  scene.things.push_back(still_thing(StillShape::block, c.x + shift, container_wall, c.height, c.front));
  scene.things.push_back(still_thing(StillShape::block, c.x, c.inner_width, container_wall, c.front));
  scene.screens.push_back({{c.x - outer / 2, c.x + outer / 2, probe_floor, probe_floor + c.height}, c.front});
}

ProbePlank plank_at_random(Random& random, const PlankLimits& limits, Colour colour) {
  ProbePlank plank;
  const double width = random.uniform(2.0, 3.6);
  plank.x_low = random.uniform(0.5, probe_view - width - 0.5);
  plank.x_high = plank.x_low + width;
  plank.length = random.uniform(limits.shortest, 3.4);
  plank.thickness = random.uniform(0.16, 0.26);
  plank.turn = std::sqrt(3 * probe_gravity / plank.length) + random.uniform(limits.slowest, 4);
  plank.colour = colour;
  return plank;
}

ProbePlank::Object plank_object_at_random(Random& random, const ProbePlank& plank, double lowest,
                                          double highest, Colour colour) {
  ProbePlank::Object object;
  const double width = random.uniform(0.6, plank.x_high - plank.x_low - 0.4);
  object.x_low = random.uniform(plank.x_low + 0.2, plank.x_high - 0.2 - width);
  object.x_high = object.x_low + width;
  object.height = random.uniform(lowest, highest);
  object.near = random.uniform(0.5, 1.2);
  object.depth = random.uniform(0.5, 1.5);
  object.colour = colour;
  return object;
}

}  // namespace startle
