#include "surprise/probes/intphys/scene.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "render/raster.hpp"
#include "sim/shape.hpp"

namespace startle {
namespace {

constexpr double strip = 0.12;  // height of a lowered screen
constexpr double longest_step = 1.0 / 240;

double smoothed(double share) {
  const double s = std::clamp(share, 0.0, 1.0);
  return s * s * (3 - 2 * s);
}

/// The plane at a distance to pixels.
Affine plane_map(const IntPhysCamera& camera, double distance, int pixels) {
  const double scale = camera.focal / distance * pixels;
  return {scale, 0, 0, -scale, 0.5 * pixels, camera.row(0, distance) * pixels};
}

Polygon rectangle(double left, double right, double top, double bottom) {
  return {{left, bottom}, {right, bottom}, {right, top}, {left, top}};
}

void require_format(const ClipFormat& format) {
  if (!(format == intphys_format(format.frames, format.pixels)))
    throw Error("IntPhys video: found a format of clips that intphys_format() does not give");
}

}  // namespace

ClipFormat intphys_format(int frames, int pixels) {
  if (frames < 41 || frames > 1000)
    throw Error("IntPhys clips: frames: found " + std::to_string(frames) + ", allowed are 41 to 1000");
  const int steps = static_cast<int>(std::ceil(intphys_seconds / frames / longest_step - 1e-9));
  return {.frames = frames, .pixels = pixels, .stride = steps, .lead = 0, .view = probe_view};
}

std::vector<std::vector<Pose>> intphys_motion(const IntPhysScene& scene, const ClipFormat& format) {
  require_format(format);
  const std::size_t count = scene.things.size();
  std::vector<std::vector<Pose>> poses(static_cast<std::size_t>(format.frames), std::vector<Pose>(count));
  std::vector<bool> done(count, false);
  for (std::size_t first = 0; first < count; ++first) {
    if (done[first]) continue;
    std::vector<std::size_t> lane;
    std::vector<Body> bodies;
    for (std::size_t i = first; i < count; ++i) {
      if (scene.things[i].distance != scene.things[first].distance) continue;
      lane.push_back(i);
      bodies.push_back(scene.things[i].body);
      done[i] = true;
    }
    bodies.push_back({.shape = box_shape(80, 1), .pose = {{0, -0.5}, 0}, .density = 0});
    const BodyMotion motion = simulate_bodies(bodies,
                                              {.step = intphys_seconds / (format.frames * format.stride),
                                               .steps_a_frame = format.stride,
                                               .frames = format.frames});
    for (std::size_t t = 0; t < poses.size(); ++t)
      for (std::size_t k = 0; k < lane.size(); ++k) poses[t][lane[k]] = motion.frames[t][k];
  }
  return poses;
}

IntPhysVideo record(const IntPhysScene& scene, const ClipFormat& format) {
  require_valid(format);
  IntPhysVideo result{.clip = {.frames = format.frames, .pixels = format.pixels, .rgb = {}, .masks = {}},
                      .depth = {},
                      .poses = intphys_motion(scene, format)};
  const int n = format.pixels;
  const IntPhysCamera& camera = scene.camera;
  std::vector<std::size_t> order(scene.things.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return scene.things[a].distance > scene.things[b].distance;
  });
  for (const IntPhysScreen& screen : scene.screens)
    if (screen.raised.size() != static_cast<std::size_t>(format.frames))
      throw Error("IntPhys video: found a screen with " + std::to_string(screen.raised.size()) +
                  " places for " + std::to_string(format.frames) + " frames");

  // Of each id of the masks; the floor's depends on the row.
  std::vector<std::uint16_t> distance(256, 0);
  const auto millimetres = [](double units) {
    return static_cast<std::uint16_t>(std::lround(std::clamp(units, 0.0, 65.0) * 1000));
  };
  distance[0] = millimetres(intphys_wall);
  for (std::size_t i = 0; i < scene.things.size(); ++i)
    distance[2 + i] = millimetres(scene.things[i].distance);
  for (std::size_t i = 0; i < scene.screens.size(); ++i)
    distance[static_cast<std::size_t>(screen_mask) + i] = millimetres(intphys_screens);

  Bitmap picture(n, n);
  Mask mask(n, n);
  Raster raster;
  raster.attach(picture);
  for (std::size_t t = 0; t < result.poses.size(); ++t) {
    raster.clear(scene.wall);
    std::fill(mask.ids.begin(), mask.ids.end(), std::uint16_t{0});
    const auto draw = [&](const std::vector<Polygon>& rings, const Affine& map, Colour colour, int id) {
      raster.fill(rings, map, colour);
      fill_mask(rings, map, static_cast<std::uint16_t>(id), mask);
    };
    const Affine whole{static_cast<double>(n), 0, 0, static_cast<double>(n), 0, 0};  // shares of the picture
    draw({rectangle(0, 1, camera.row(0, intphys_wall), 1)}, whole, scene.floor, 1);
    for (const std::size_t i : order)
      draw(transformed(scene.things[i].body.shape, result.poses[t][i]).outlines,
           plane_map(camera, scene.things[i].distance, n), scene.things[i].colour, 2 + static_cast<int>(i));
    for (std::size_t i = 0; i < scene.screens.size(); ++i) {
      const IntPhysScreen& screen = scene.screens[i];
      const double top = std::max(strip, screen.raised[t] * screen.height);
      draw({rectangle(screen.left, screen.right, camera.row(top, intphys_screens),
                      camera.row(0, intphys_screens))},
           whole, screen.colour, screen_mask + static_cast<int>(i));
    }
    result.clip.rgb.insert(result.clip.rgb.end(), picture.rgb.begin(), picture.rgb.end());
    for (int row = 0; row < n; ++row) {
      const double below = (row + 0.5) / n - camera.horizon;
      const std::uint16_t floor = below > 0 ? millimetres(camera.focal * camera.height / below) : distance[0];
      for (int column = 0; column < n; ++column) {
        const std::uint16_t id = mask.ids[static_cast<std::size_t>(row) * static_cast<std::size_t>(n) +
                                          static_cast<std::size_t>(column)];
        result.clip.masks.push_back(static_cast<std::uint8_t>(id));
        result.depth.push_back(id == 1 ? floor : distance[id]);
      }
    }
  }
  return result;
}

ShuffledMasks shuffled_masks(const Clip& clip, int t, bool pieces, Random& random) {
  const auto n = static_cast<std::size_t>(clip.pixels), count = n * n;
  if (clip.masks.size() != static_cast<std::size_t>(clip.frames) * count)
    throw Error("masks: found a clip without masks");
  const std::uint8_t* ids = clip.masks.data() + static_cast<std::size_t>(t) * count;
  // Pieces in the order in which a reader meets them: four neighbours of one id belong together.
  std::vector<int> piece(count, -1);
  std::vector<int> id_of;
  std::vector<int> piece_of_id(256, -1);
  std::vector<std::size_t> open;
  for (std::size_t start = 0; start < count; ++start) {
    if (piece[start] >= 0) continue;
    if (!pieces) {
      int& known = piece_of_id[ids[start]];
      if (known < 0) {
        known = static_cast<int>(id_of.size());
        id_of.push_back(ids[start]);
      }
      piece[start] = known;
      continue;
    }
    const int number = static_cast<int>(id_of.size());
    id_of.push_back(ids[start]);
    piece[start] = number;
    open.assign(1, start);
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      const auto visit = [&](bool inside, std::size_t next) {
        if (!inside || piece[next] >= 0 || ids[next] != ids[start]) return;
        piece[next] = number;
        open.push_back(next);
      };
      visit(at % n > 0, at - 1);
      visit(at % n + 1 < n, at + 1);
      visit(at >= n, at - n);
      visit(at + n < count, at + n);
    }
  }
  if (id_of.size() > 255)
    throw Error("masks: found " + std::to_string(id_of.size()) +
                " pieces in a frame, 255 have levels of grey");
  std::vector<std::uint8_t> levels(255);
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = static_cast<std::uint8_t>(i + 1);
  random.shuffle(levels);
  ShuffledMasks shuffled;
  for (std::size_t i = 0; i < id_of.size(); ++i) shuffled.levels.emplace_back(id_of[i], levels[i]);
  std::stable_sort(shuffled.levels.begin(), shuffled.levels.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const int number : piece) shuffled.grey.push_back(levels[static_cast<std::size_t>(number)]);
  return shuffled;
}

// -----------------------------------------------------------------------------------------------------------
// parts

IntPhysScene intphys_room(Random& random) {
  const ProbeScene room = empty_room(random);
  IntPhysScene scene{.wall = room.wall, .floor = room.floor, .camera = {}, .things = {}, .screens = {}};
  scene.camera.focal = random.uniform(1.29, 1.37);
  scene.camera.height = random.uniform(2.4, 2.65);
  scene.camera.horizon = random.uniform(0.33, 0.37);
  return scene;
}

std::vector<double> intphys_lanes(Random& random) {
  std::vector<double> lanes;
  for (const double middle : {7.1, 8.5, 10.2}) lanes.push_back(middle + random.uniform(-0.25, 0.25));
  random.shuffle(lanes);
  return lanes;
}

IntPhysThing intphys_thing(const IntPhysCamera& camera, StillShape shape, double column, double distance,
                           double width, double height, Colour colour) {
  if (shape == StillShape::ball) height = width;
  IntPhysThing thing{.body = still_thing(shape, camera.x(column, distance), width, height, colour).body,
                     .shape = shape,
                     .width = width,
                     .height = height,
                     .distance = distance,
                     .colour = colour};
  thing.body.pose.position.y -= probe_floor;
  thing.body.density = 1;
  thing.body.friction = 0;
  return thing;
}

void send_across(IntPhysThing& thing, const IntPhysCamera& camera, double enters, double speed,
                 bool leftwards) {
  const double half = 0.5 * camera.focal * thing.width / thing.distance, column = -half - enters * speed,
               sign = leftwards ? -1 : 1;
  thing.body.pose.position.x = sign * camera.x(column, thing.distance);
  thing.body.velocity.x = sign * speed * thing.distance / camera.focal / intphys_seconds;
}

std::vector<double> rising(const ClipFormat& format, double start, double take, double stay) {
  std::vector<double> raised;
  for (int t = 0; t < format.frames; ++t) {
    const double now = static_cast<double>(t) / format.frames;
    raised.push_back(smoothed((now - start) / take) - smoothed((now - start - take - stay) / take));
  }
  return raised;
}

// -----------------------------------------------------------------------------------------------------------
// training scenes

namespace {

StillShape any_shape(Random& random) { return static_cast<StillShape>(random.integer(0, 2)); }

IntPhysThing any_thing(const IntPhysScene& scene, double column, double distance, Colour colour,
                       Random& random) {
  const StillShape shape = any_shape(random);
  const double width = random.uniform(0.75, 1.5), height = random.uniform(0.75, 1.6);
  return intphys_thing(scene.camera, shape, column, distance, width, height, colour);
}

void throw_up(IntPhysThing& thing, Random& random) {
  thing.body.pose.position.y += random.uniform(0, 1.2);
  thing.body.velocity.y = random.uniform(0, 3);
  thing.body.restitution = random.uniform(0.5, 0.9);
}

void add_screens(IntPhysScene& scene, const ClipFormat& format, Random& random) {
  const int count = random.integer(0, 2);
  const Colour colour = screen_colour(random);
  for (int i = 0; i < count; ++i) {
    const double width = count == 1 ? random.uniform(0.2, 0.75) : random.uniform(0.2, 0.32);
    const double low = count == 1 ? 0.05 : 0.05 + 0.46 * i, high = count == 1 ? 0.95 : 0.49 + 0.46 * i;
    const double left = random.uniform(low, high - width), height = random.uniform(2, 3.4);
    const double start = random.uniform(-0.1, 0.4), take = random.uniform(0.08, 0.18),
                 stay = random.uniform(0.1, 0.7);
    IntPhysScreen screen{.left = left,
                         .right = left + width,
                         .height = height,
                         .colour = colour,
                         .raised = rising(format, start, take, stay)};
    const double again = start + 2 * take + stay + random.uniform(0.05, 0.2);
    if (again < 0.8) {  // it comes up once more
      const std::vector<double> second = rising(format, again, take, random.uniform(0.05, 0.4));
      for (std::size_t t = 0; t < second.size(); ++t) screen.raised[t] += second[t];
    }
    scene.screens.push_back(screen);
  }
}

/// Two things of one distance that meet.
void add_collision(IntPhysScene& scene, double distance, const std::vector<Colour>& colours, Random& random) {
  const bool leftwards = random.chance(0.5), both = random.chance(0.4);
  IntPhysThing first = any_thing(scene, 0.5, distance, colours[0], random);
  const double enters = random.uniform(-0.15, 0.15), speed = random.uniform(0.9, 1.6);
  send_across(first, scene.camera, enters, speed, leftwards);
  IntPhysThing second = any_thing(scene, random.uniform(0.4, 0.7), distance, colours[1], random);
  if (both) {
    const double other = random.uniform(-0.1, 0.2), slow = random.uniform(0.6, 1.4);
    send_across(second, scene.camera, other, slow, !leftwards);
  }
  const double restitution = random.uniform(0, 0.8);
  first.body.restitution = second.body.restitution = restitution;
  scene.things.push_back(first);
  scene.things.push_back(second);
}

}  // namespace

const std::vector<std::string>& intphys_kinds() {
  static const std::vector<std::string> kinds{"still", "cross", "bounce", "collide", "drop"};
  return kinds;
}

IntPhysScene intphys_freeform(const std::string& kind, const ClipFormat& format, Random& random) {
  if (std::find(intphys_kinds().begin(), intphys_kinds().end(), kind) == intphys_kinds().end())
    throw Error("IntPhys: found kind of scene '" + kind + "', allowed are those of intphys_kinds()");
  IntPhysScene scene = intphys_room(random);
  const std::vector<double> lanes = intphys_lanes(random);
  const std::vector<Colour> colours = thing_colours(random, 4);
  const int count = random.integer(kind == "still" ? 0 : 1, 3);
  for (int i = 0; i < count; ++i) {
    const auto lane = static_cast<std::size_t>(i);
    if (kind == "collide" && i == 0) {
      add_collision(scene, lanes[0], {colours[0], colours[3]}, random);
      continue;
    }
    IntPhysThing thing = any_thing(scene, random.uniform(0.08, 0.92), lanes[lane], colours[lane], random);
    const bool acts = i == 0 || random.chance(0.6);
    if (kind == "still" || !acts) {
      thing.body.density = 0;
    } else if (kind == "drop") {
      thing.body.pose.position.y += random.uniform(1, 4);
      thing.body.pose.angle = random.chance(0.5) ? 0 : random.uniform(-0.8, 0.8);
      thing.body.velocity = {random.chance(0.6) ? 0 : random.uniform(-2, 2), random.uniform(-2, 1)};
      thing.body.restitution = random.chance(0.5) ? 0 : random.uniform(0.2, 0.7);
      thing.body.friction = 0.5;
    } else {
      const double enters = random.uniform(-0.3, 0.35), speed = random.uniform(0.7, 1.6);
      send_across(thing, scene.camera, enters, speed, random.chance(0.5));
      if (kind == "bounce") throw_up(thing, random);
    }
    scene.things.push_back(thing);
  }
  add_screens(scene, format, random);
  return scene;
}

}  // namespace startle
