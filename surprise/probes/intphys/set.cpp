#include "surprise/probes/intphys/set.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "surprise/probes/splice.hpp"

namespace startle {
namespace {

constexpr int most_tries = 3000;
constexpr double still_screen_rise = 0.14;  // share of the video before which no screen comes up over things
                                            // at rest

using Scenes = std::array<IntPhysScene, 2>;

StillShape other_shape(StillShape shape, Random& random) {
  return static_cast<StillShape>((static_cast<int>(shape) + random.integer(1, 2)) % 3);
}

/// What the two videos differ in, before it has a place.
std::array<IntPhysThing, 2> special_things(IntPhysBlock block, const IntPhysCamera& camera, double column,
                                           double distance, double width, Colour colour, Random& random) {
  const auto shape = static_cast<StillShape>(random.integer(0, 2));
  const double height = block == IntPhysBlock::shape ? width : random.uniform(0.9, 1.5);
  const IntPhysThing first = intphys_thing(camera, shape, column, distance, width, height, colour);
  if (block != IntPhysBlock::shape) return {first, first};
  return {first, intphys_thing(camera, other_shape(shape, random), column, distance, width, height, colour)};
}

/// Adds the last thing: to both videos, or for object permanence to the first alone.
void add_special(IntPhysBlock block, const std::array<IntPhysThing, 2>& special, Scenes& scenes) {
  scenes[0].things.push_back(special[0]);
  if (block != IntPhysBlock::permanence) scenes[1].things.push_back(special[1]);
}

/// From the floor to just above this row of the picture.
double height_to_hide(const IntPhysCamera& camera, double row, Random& random) {
  return camera.y(row - random.uniform(0.03, 0.12), intphys_screens);
}

Scenes still_scenes(IntPhysBlock block, const IntPhysScenario& scenario, const ClipFormat& format,
                    Random& random) {
  Scenes scenes;
  scenes[0] = intphys_room(random);
  const IntPhysCamera camera = scenes[0].camera;
  const std::vector<double> lanes = intphys_lanes(random);
  const std::vector<Colour> colours = thing_colours(random, 3);
  // One place more than things where one of them can be in another place.
  const int places = scenario.objects + (block == IntPhysBlock::continuity ? 1 : 0);
  std::vector<int> place(static_cast<std::size_t>(places));
  for (int i = 0; i < places; ++i) place[static_cast<std::size_t>(i)] = i;
  random.shuffle(place);
  const double slot = 0.84 / places;
  const auto column = [&](std::size_t i) {
    const double play = random.uniform(-0.18, 0.18);
    return 0.08 + slot * (place[i] + 0.5 + play);
  };
  const auto others = static_cast<std::size_t>(scenario.objects - 1);
  for (std::size_t i = 0; i < others; ++i) {
    const auto shape = static_cast<StillShape>(random.integer(0, 2));
    const double at = column(i), width = random.uniform(0.9, 1.45), height = random.uniform(0.9, 1.6);
    scenes[0].things.push_back(intphys_thing(camera, shape, at, lanes[i], width, height, colours[i]));
  }
  scenes[1] = scenes[0];
  const double distance = lanes[others], at = column(others), width = random.uniform(1, 1.5);
  std::array<IntPhysThing, 2> special = special_things(block, camera, at, distance, width, colours[others],
                                                       random);
  if (block == IntPhysBlock::continuity)
    special[1].body.pose.position.x = camera.x(column(others + 1), distance);
  add_special(block, special, scenes);
  for (IntPhysScene& scene : scenes)
    for (IntPhysThing& thing : scene.things)
      thing.body.density = 0;  // none moves by a hair as it comes to rest
  if (!scenario.occluded) return scenes;

  double left = 1, right = 0, top = 1;
  for (const IntPhysThing& thing : special) {
    const double middle = camera.column(thing.body.pose.position.x, distance),
                 half = 0.5 * camera.focal * thing.width / distance;
    left = std::min(left, middle - half);
    right = std::max(right, middle + half);
    top = std::min(top, camera.row(thing.height, distance));
  }
  IntPhysScreen screen{.left = std::max(0.02, left - random.uniform(0.03, 0.2)),
                       .right = 0,
                       .height = 0,
                       .colour = {},
                       .raised = {}};
  screen.right = std::min(0.98, right + random.uniform(0.03, 0.2));
  screen.height = height_to_hide(camera, top, random);
  screen.colour = screen_colour(random);
  const double start = random.uniform(still_screen_rise, 0.26), take = random.uniform(0.12, 0.17),
               stay = random.uniform(0.08, 0.2);
  screen.raised = rising(format, start, take, stay);
  for (IntPhysScene& scene : scenes) scene.screens.push_back(screen);
  return scenes;
}

/// How the special thing crosses the picture; lengths in picture widths.
struct Crossing {
  double width = 0;   // of the thing
  double ahead = 0;   // by which it is further in the second video
  double enters = 0;  // share of the video
  double speed = 0;   // in a video
  bool leftwards = false;
  double row = 0;  // of the picture: the highest that it comes
};

/// One or two screens behind which it passes. False where there is no room for them.
bool add_screens(Scenes& scenes, const Crossing& thing, int count, const ClipFormat& format, Random& random) {
  std::vector<double> widths;
  double room = 1;
  for (int i = 0; i < count; ++i) {
    const double hidden = count == 2 ? random.uniform(0.055, 0.1) : random.uniform(0.07, 0.17);  // share of
                                                                                                 // the video
    widths.push_back(thing.width + thing.ahead + thing.speed * hidden);
    room -= widths.back();
  }
  // Gaps before, between and behind the screens, at least as wide as the thing; what is left is shared at
  // random.
  std::vector<double> gaps, shares;
  double sum = 0;
  for (int i = 0; i <= count; ++i) {
    gaps.push_back(thing.width + 0.03);
    shares.push_back(random.uniform(0.2, 1));
    room -= gaps.back();
    sum += shares.back();
  }
  if (room < 0) return false;
  const Colour colour = screen_colour(random);
  const double height = height_to_hide(scenes[0].camera, thing.row, random),
               start = random.uniform(-0.02, 0.04), take = random.uniform(0.08, 0.12);
  double left = 0;
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    left += gaps[k] + room * shares[k] / sum;
    IntPhysScreen screen{
        .left = left, .right = left + widths[k], .height = height, .colour = colour, .raised = {}};
    left = screen.right;
    // When it is behind the screen no more, in the slower video
    const double past = thing.enters + (screen.right + thing.width) / thing.speed;
    screen.raised = rising(format, start, take, std::max(0.1, past + random.uniform(0, 0.06) - start - take));
    if (thing.leftwards) std::tie(screen.left, screen.right) = std::pair(1 - screen.right, 1 - screen.left);
    for (IntPhysScene& scene : scenes) scene.screens.push_back(screen);
  }
  return true;
}

Scenes moving_scenes(IntPhysBlock block, const IntPhysScenario& scenario, const ClipFormat& format,
                     Random& random) {
  Scenes scenes;
  scenes[0] = intphys_room(random);
  const IntPhysCamera camera = scenes[0].camera;
  std::vector<double> lanes = intphys_lanes(random);
  const std::vector<Colour> colours = thing_colours(random, 3);
  const auto others = static_cast<std::size_t>(scenario.objects - 1);
  const bool narrow = scenario.occluded && scenario.motion == IntPhysMotion::dynamic_2;  // two screens need
                                                                                         // room
  if (narrow) std::swap(*std::max_element(lanes.begin(), lanes.end()), lanes[others]);
  for (std::size_t i = 0; i < others; ++i) {
    const auto shape = static_cast<StillShape>(random.integer(0, 2));
    const double at = random.uniform(0.1, 0.9), width = random.uniform(0.85, 1.35),
                 height = random.uniform(0.9, 1.6);
    IntPhysThing thing = intphys_thing(camera, shape, at, lanes[i], width, height, colours[i]);
    if (random.chance(0.7)) {
      const double enters = random.uniform(-0.3, 0.3), speed = random.uniform(0.8, 1.5);
      send_across(thing, camera, enters, speed, random.chance(0.5));
    } else {
      thing.body.density = 0;
    }
    scenes[0].things.push_back(thing);
  }
  scenes[1] = scenes[0];

  const double distance = lanes[others], width = narrow ? random.uniform(0.78, 0.95) : random.uniform(1, 1.4);
  std::array<IntPhysThing, 2> special = special_things(block, camera, 0.5, distance, width, colours[others],
                                                       random);
  const double ahead = block != IntPhysBlock::continuity ? 0
                       : narrow                          ? random.uniform(0.08, 0.1)
                                                         : random.uniform(0.15, 0.22);  // in picture widths
  const double enters = random.uniform(0.06, 0.14), speed = random.uniform(1.2, 1.42);
  const bool leftwards = random.chance(0.5);
  send_across(special[0], camera, enters, speed, leftwards);
  send_across(special[1], camera, enters - ahead / speed, speed, leftwards);
  const bool hops = special[0].shape == StillShape::ball && block != IntPhysBlock::shape &&
                    random.chance(0.5);
  if (hops) {
    const double above = random.uniform(0, 0.8), up = random.uniform(0, 2.5),
                 restitution = random.uniform(0.6, 0.85);
    for (IntPhysThing& thing : special) {
      thing.body.pose.position.y += above;
      thing.body.velocity.y = up;
      thing.body.restitution = restitution;
    }
  }
  add_special(block, special, scenes);
  if (!scenario.occluded) return scenes;

  double highest = special[0].height;
  for (const std::vector<Pose>& poses : intphys_motion(scenes[0], format))
    highest = std::max(highest, poses.back().position.y + (hops ? special[0].height / 2 : 0));
  const Crossing crossing{.width = camera.focal * width / distance,
                          .ahead = ahead,
                          .enters = enters,
                          .speed = speed,
                          .leftwards = leftwards,
                          .row = camera.row(highest, distance)};
  if (!add_screens(scenes, crossing, scenario.motion == IntPhysMotion::dynamic_2 ? 2 : 1, format, random))
    return {};
  return scenes;
}

// -----------------------------------------------------------------------------------------------------------
// checks

std::size_t splice_count(const IntPhysScenario& scenario) {
  return scenario.motion == IntPhysMotion::dynamic_2 ? 2 : 1;
}

/// How many pixels of each frame show the last thing of the scene, the one in which videos differ. `things`:
/// of the first video.
std::vector<int> special_pixels(const IntPhysVideo& video, std::size_t things) {
  const auto id = static_cast<std::uint8_t>(2 + things - 1);
  const std::ptrdiff_t pixels = static_cast<std::ptrdiff_t>(video.clip.frame_size() / 3);
  std::vector<int> counts;
  for (int t = 0; t < video.clip.frames; ++t)
    counts.push_back(static_cast<int>(
        std::count(video.clip.masks.begin() + t * pixels, video.clip.masks.begin() + (t + 1) * pixels, id)));
  return counts;
}

/// Videos in which the special thing is there.
std::vector<std::size_t> videos_with_special(IntPhysBlock block) {
  return block == IntPhysBlock::permanence ? std::vector<std::size_t>{0} : std::vector<std::size_t>{0, 1};
}

constexpr double seen = 0.75;  // share of a thing's pixels from which on it counts as seen

/// How many pixels the special thing of a video takes where nothing stands before it.
double whole_thing(const IntPhysSet& set, std::size_t video) {
  const IntPhysThing& thing = set.scenes[video].things.back();
  const double scale = set.scenes[video].camera.focal / thing.distance * set.videos[video].clip.pixels;
  return thing.body.shape.area * scale * scale;
}

bool special_shows(const IntPhysSet& set) {
  for (const std::size_t k : videos_with_special(set.block)) {
    const std::vector<int> counts = special_pixels(set.videos[k], set.scenes[0].things.size());
    std::vector<int> most(set.splices.size() + 1, 0);
    for (std::size_t t = 0; t < counts.size(); ++t) {
      const auto part = static_cast<std::size_t>(std::count_if(
          set.splices.begin(), set.splices.end(), [&](int s) { return s <= static_cast<int>(t); }));
      most[part] = std::max(most[part], counts[t]);
    }
    if (*std::min_element(most.begin(), most.end()) < seen * whole_thing(set, k)) return false;
  }
  return true;
}

/// Frames at which what jumps is seen in both videos on both sides of a splice there.
std::vector<bool> seen_splices(const IntPhysSet& set) {
  std::vector<bool> all(static_cast<std::size_t>(set.videos[0].clip.frames), true);
  all[0] = false;
  for (const std::size_t k : videos_with_special(set.block)) {
    const std::vector<int> counts = special_pixels(set.videos[k], set.scenes[0].things.size());
    const double enough = seen * whole_thing(set, k);
    for (std::size_t t = 1; t < counts.size(); ++t)
      all[t] = all[t] && counts[t - 1] >= enough && counts[t] >= enough;
  }
  return all;
}

/// Splices in plain view; fewer than needed where the thing is not seen long enough.
std::vector<int> visible_splices(const IntPhysSet& set, Random& random) {
  const std::vector<bool> in_view = seen_splices(set);
  const int frames = set.videos[0].clip.frames;
  const int apart = frames * 8 / 50;
  std::vector<int> candidates;
  for (int t = frames / 8; t < frames - frames / 8; ++t)
    if (in_view[static_cast<std::size_t>(t)]) candidates.push_back(t);
  if (candidates.empty()) return {};
  const int first = random.choice(candidates);
  if (splice_count(set.scenario) == 1) return {first};
  std::erase_if(candidates, [&](int t) { return std::abs(t - first) < apart; });
  if (candidates.empty()) return {};
  const int second = random.choice(candidates);
  return {std::min(first, second), std::max(first, second)};
}

bool same_frame(const IntPhysVideo& a, const IntPhysVideo& b, int t) {
  const std::ptrdiff_t pixels = static_cast<std::ptrdiff_t>(a.clip.frame_size() / 3);
  return std::equal(a.clip.frame(t), a.clip.frame(t) + a.clip.frame_size(), b.clip.frame(t)) &&
         std::equal(a.clip.masks.begin() + t * pixels, a.clip.masks.begin() + (t + 1) * pixels,
                    b.clip.masks.begin() + t * pixels) &&
         std::equal(a.depth.begin() + t * pixels, a.depth.begin() + (t + 1) * pixels,
                    b.depth.begin() + t * pixels);
}

/// Picture, mask and depth of frame t.
std::uint64_t frame_hash(const Clip& clip, const IntPhysVideo& depth_of, int t) {
  Hash hash;
  const std::size_t pixels = clip.frame_size() / 3, first = static_cast<std::size_t>(t) * pixels;
  for (std::size_t i = 0; i < clip.frame_size(); ++i) hash.add_byte(clip.frame(t)[i]);
  for (std::size_t i = first; i < first + pixels; ++i) {
    hash.add_byte(clip.masks[i]);
    hash.add_byte(static_cast<std::uint8_t>(depth_of.depth[i] >> 8));
    hash.add_byte(static_cast<std::uint8_t>(depth_of.depth[i] & 255));
  }
  return hash.value();
}

bool same_thing(const IntPhysThing& a, const IntPhysThing& b, bool with_shape, bool with_place) {
  return a.distance == b.distance && a.colour == b.colour && a.width == b.width && a.height == b.height &&
         a.body.velocity == b.body.velocity && a.body.restitution == b.body.restitution &&
         (!with_shape || a.shape == b.shape) &&
         (!with_place || a.body.pose.position.x == b.body.pose.position.x);
}

/// Whether the scenes differ in the last thing alone, and in that as the block says.
bool differ_rightly(IntPhysBlock block, const Scenes& scenes) {
  const std::vector<IntPhysThing>&a = scenes[0].things, &b = scenes[1].things;
  if (a.empty() || b.size() + (block == IntPhysBlock::permanence ? 1 : 0) != a.size() ||
      scenes[0].screens.size() != scenes[1].screens.size())
    return false;
  for (std::size_t i = 0; i + 1 < a.size(); ++i)
    if (!same_thing(a[i], b[i], true, true)) return false;
  switch (block) {
    case IntPhysBlock::permanence:
      return true;
    case IntPhysBlock::shape:
      return same_thing(a.back(), b.back(), false, true) && a.back().shape != b.back().shape;
    case IntPhysBlock::continuity:
      return same_thing(a.back(), b.back(), true, false) &&
             a.back().body.pose.position.x != b.back().body.pose.position.x;
  }
  return false;
}

/// The first move that is too long for one frame, as text; empty where there is none.
std::string first_jump(const IntPhysSet& set, std::size_t video) {
  constexpr double most = 10;  // units/s
  const double reach = most * intphys_seconds / set.videos[video].clip.frames;
  const auto& poses = set.videos[video].poses;
  for (std::size_t t = 1; t < poses.size(); ++t)
    for (std::size_t i = 0; i < poses[t].size(); ++i)
      if (length(poses[t][i].position - poses[t - 1][i].position) > reach)
        return "video " + std::to_string(video) + ", frame " + std::to_string(t) + ": thing " +
               std::to_string(i) + " jumps";
  return {};
}

}  // namespace

const std::vector<IntPhysBlock>& intphys_blocks() {
  static const std::vector<IntPhysBlock> all{IntPhysBlock::permanence, IntPhysBlock::shape,
                                             IntPhysBlock::continuity};
  return all;
}

const char* name(IntPhysBlock block) {
  switch (block) {
    case IntPhysBlock::permanence:
      return "O1";
    case IntPhysBlock::shape:
      return "O2";
    case IntPhysBlock::continuity:
      return "O3";
  }
  return "";
}

const char* title(IntPhysBlock block) {
  switch (block) {
    case IntPhysBlock::permanence:
      return "object permanence";
    case IntPhysBlock::shape:
      return "shape constancy";
    case IntPhysBlock::continuity:
      return "spatio-temporal continuity";
  }
  return "";
}

const std::vector<IntPhysScenario>& intphys_scenarios() {
  static const std::vector<IntPhysScenario> all = [] {
    std::vector<IntPhysScenario> scenarios;
    for (const bool occluded : {false, true})
      for (const IntPhysMotion motion :
           {IntPhysMotion::still, IntPhysMotion::dynamic_1, IntPhysMotion::dynamic_2})
        for (int objects = 1; objects <= 3; ++objects) scenarios.push_back({occluded, motion, objects});
    return scenarios;
  }();
  return all;
}

std::string name(const IntPhysScenario& scenario) {
  const char* motion = scenario.motion == IntPhysMotion::still       ? "static"
                       : scenario.motion == IntPhysMotion::dynamic_1 ? "dynamic_1"
                                                                     : "dynamic_2";
  return std::string(scenario.occluded ? "occluded_" : "visible_") + motion + "_nobj" +
         std::to_string(scenario.objects);
}

std::optional<IntPhysScenario> intphys_scenario_in(const std::string& text) {
  std::string lower;
  for (const char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const IntPhysScenario& scenario : intphys_scenarios())
    if (lower.find(name(scenario)) != std::string::npos) return scenario;
  return std::nullopt;
}

const char* name(IntPhysPart part) { return part == IntPhysPart::dev ? "dev" : "test"; }

std::size_t IntPhysSet::video_of(int clip, int t) const {
  const auto begins = static_cast<std::size_t>(clip % 2);
  if (possible(clip)) return begins;
  const auto turns = static_cast<std::size_t>(
      std::count_if(splices.begin(), splices.end(), [&](int s) { return s <= t; }));
  return (begins + turns) % 2;
}

Clip IntPhysSet::clip(int clip) const {
  const auto begins = static_cast<std::size_t>(clip % 2);
  return possible(clip) ? videos[begins].clip
                        : spliced(videos[begins].clip, videos[1 - begins].clip, splices);
}

IntPhysSet make_intphys_set(IntPhysBlock block, const IntPhysScenario& scenario, const ClipFormat& format,
                            std::uint64_t seed, std::uint64_t number, IntPhysPart part) {
  if (std::find(intphys_scenarios().begin(), intphys_scenarios().end(), scenario) ==
      intphys_scenarios().end())
    throw Error("IntPhys: found a scenario with " + std::to_string(scenario.objects) +
                " objects, allowed are those of intphys_scenarios()");
  Random random(stream_seed(
      seed, std::string("intphys/") + name(part) + "/" + name(block) + "/" + name(scenario), number));
  for (int i = 0; i < most_tries; ++i) {
    IntPhysSet set{
        .block = block, .scenario = scenario, .number = number, .scenes = {}, .videos = {}, .splices = {}};
    set.scenes = scenario.motion == IntPhysMotion::still ? still_scenes(block, scenario, format, random)
                                                         : moving_scenes(block, scenario, format, random);
    if (set.scenes[0].things.empty()) continue;
    for (std::size_t k = 0; k < 2; ++k) set.videos[k] = record(set.scenes[k], format);
    set.splices = scenario.occluded ? hidden_splices(set.videos[0].clip, set.videos[1].clip)
                                    : visible_splices(set, random);
    if (set.splices.size() == splice_count(scenario) && special_shows(set)) return set;
  }
  throw Error(std::string("IntPhys: ") + name(block) + ", " + name(scenario) + ": none of " +
              std::to_string(most_tries) + " scenes shows and hides what it should");
}

std::vector<std::string> intphys_faults(const IntPhysSet& set) {
  std::vector<std::string> faults;
  const int frames = set.videos[0].clip.frames;
  std::array<Clip, 4> clips;
  std::array<std::vector<std::uint64_t>, 2> hashes;
  for (int k = 0; k < 4; ++k) {
    const auto i = static_cast<std::size_t>(k);
    clips[i] = set.clip(k);
    for (int t = 0; t < frames; ++t)
      hashes[IntPhysSet::possible(k) ? 0 : 1].push_back(
          frame_hash(clips[i], set.videos[set.video_of(k, t)], t));
  }
  for (std::vector<std::uint64_t>& of_kind : hashes) std::sort(of_kind.begin(), of_kind.end());
  if (hashes[0] != hashes[1])
    faults.emplace_back("the impossible clips do not hold the frames of the possible ones");
  for (const std::size_t possible : {0, 1})
    for (const std::size_t impossible : {2, 3})
      if (clips[possible].rgb == clips[impossible].rgb)
        faults.emplace_back("an impossible clip is the same as a possible one");

  if (!differ_rightly(set.block, set.scenes))
    faults.emplace_back("the scenes do not differ as their block says");
  const ClipFormat format = intphys_format(frames, set.videos[0].clip.pixels);
  for (std::size_t k = 0; k < 2; ++k) {
    const IntPhysVideo again = record(set.scenes[k], format);
    if (again.clip.rgb != set.videos[k].clip.rgb || again.clip.masks != set.videos[k].clip.masks ||
        again.depth != set.videos[k].depth)
      faults.push_back("video " + std::to_string(k) + " is not what simulation makes of its scene");
    if (const std::string jump = first_jump(set, k); !jump.empty()) faults.push_back(jump);
  }
  if (set.splices.size() != splice_count(set.scenario))
    faults.push_back("found " + std::to_string(set.splices.size()) + " splices, the scenario has " +
                     std::to_string(splice_count(set.scenario)));
  const std::vector<bool> in_view = seen_splices(set);
  for (const int splice : set.splices) {
    if (splice < 1 || splice >= frames) {
      faults.push_back("a splice at frame " + std::to_string(splice) + " of " + std::to_string(frames));
      continue;
    }
    const bool same = same_frame(set.videos[0], set.videos[1], splice - 1) &&
                      same_frame(set.videos[0], set.videos[1], splice);
    if (set.scenario.occluded && !same)
      faults.push_back("the splice at frame " + std::to_string(splice) + " is seen");
    if (!set.scenario.occluded && (!in_view[static_cast<std::size_t>(splice)] || same))
      faults.push_back("the splice at frame " + std::to_string(splice) + " is not in plain view");
  }
  if (!special_shows(set))
    faults.emplace_back("what the videos differ in is not seen before, between and after the splices");
  return faults;
}

}  // namespace startle
