#include "surprise/probes/probe_tuple.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "core/error.hpp"
#include "sim/shape.hpp"
#include "surprise/probes/splice.hpp"

namespace startle {
namespace {

constexpr int most_tries = 1000;

// -----------------------------------------------------------------------------------------------------------
// the five concepts

using Scenes = std::array<ProbeScene, 2>;

ProbeScreen mirrored_pillar(double low, double high, double height, Colour colour, bool mirror) {
  return mirror ? pillar(probe_view - high, probe_view - low, height, colour)
                : pillar(low, high, height, colour);
}

Scenes continuity(Random& random) {
  Scenes scenes;
  scenes[0] = empty_room(random);
  const bool mirror = random.chance(0.5);
  const double radius = random.uniform(0.27, 0.4), speed = random.uniform(6, 8.5);
  const double first = random.uniform(1.1, 1.7), width = random.uniform(1.3, 1.75),
               gap = random.uniform(0.8, 1.3), second_width = random.uniform(1.3, 1.75);
  const double height = random.uniform(1.2, 3.5);
  const Colour screen = screen_colour(random);
  scenes[0].screens.push_back(mirrored_pillar(first, first + width, height, screen, mirror));
  scenes[0].screens.push_back(
      mirrored_pillar(first + width + gap, first + width + gap + second_width, height, screen, mirror));
  scenes[1] = scenes[0];
  const double x = random.uniform(0.2, 0.9);
  scenes[0].things.push_back(
      rolling_ball(mirrored(x, mirror), radius, mirror ? -speed : speed, thing_colours(random, 1)[0]));
  return scenes;
}

/// The ball meets the block at the middle frame.
Scenes directional_inertia(Random& random) {
  Scenes scenes;
  scenes[0] = empty_room(random);
  const bool mirror = random.chance(0.5);
  const std::vector<Colour> colours = thing_colours(random, 2);
  const double radius = random.uniform(0.28, 0.45), width = random.uniform(0.9, 1.6),
               face = random.uniform(4.2, 5.2);
  const double time = probe_frame_s * (probe_format().frames / 2);
  const double speed = random.uniform(4.5, 8.5),
               rise = random.uniform(1.6, 4.5) * (random.chance(0.5) ? 1 : -1),
               height = random.uniform(1.6, 4.2);
  add_bounce(scenes[0], {.face = face,
                         .block_width = width,
                         .block_height = height - probe_floor + random.uniform(0.5, 1.2),
                         .radius = radius,
                         .speed = speed,
                         .time = time,
                         .height = height,
                         .rise = rise,
                         .mirror = mirror,
                         .block = colours[0],
                         .ball = colours[1]});
  scenes[1] = scenes[0];
  // A path of velocity-first steps, v' = v - g h, x' = x + h v', read backwards is one too, from the velocity
  // -v + g h.
  const BodyMotion motion = simulate_things(scenes[0]);
  Body& back = scenes[1].things[1].body;
  back.pose = motion.frames.back()[1];
  back.velocity = Vec2{0, probe_gravity * BodyOptions{}.step} - motion.velocities[1];
  return scenes;
}

/// The ball is seen whole, or nearly so, before the first pillar, between the two, and after the second.
bool ball_shows(const Clip& clip, const std::vector<int>& splices) {
  const std::ptrdiff_t pixels = static_cast<std::ptrdiff_t>(clip.frame_size() / 3);
  std::array<std::ptrdiff_t, 3> most{};
  for (int t = 0; t < clip.frames; ++t) {
    const auto part = static_cast<std::size_t>(
        std::count_if(splices.begin(), splices.end(), [&](int s) { return s <= t; }));
    most[part] = std::max(most[part], std::count(clip.masks.begin() + t * pixels,
                                                 clip.masks.begin() + (t + 1) * pixels, std::uint8_t{2}));
  }
  const auto [least, whole] = std::minmax_element(most.begin(), most.end());
  return 10 * *least >= 8 * *whole;
}

/// The ball is in the picture and in the air all the time, and nearest to the block at the middle frame; the
/// way out is not the way in.
bool bounces_well(const ProbeScene& scene) {
  const BodyMotion motion = simulate_things(scene);
  const double radius = bounds(scene.things[1].body.shape).width() / 2;
  const Vec2 block = motion.frames[0][0].position;
  const std::size_t middle = motion.frames.size() / 2;
  double nearest = 1e9;
  std::size_t turn = 0;
  for (std::size_t t = 0; t < motion.frames.size(); ++t) {
    const Vec2 p = motion.frames[t][1].position;
    if (p.x < 0.1 || p.x > probe_view - 0.1 || p.y < probe_floor + radius + 0.05 || p.y > probe_view - 0.1)
      return false;
    if (std::abs(p.x - block.x) < nearest) {
      nearest = std::abs(p.x - block.x);
      turn = t;
    }
  }
  return turn == middle &&
         std::abs(motion.frames.front()[1].position.y - motion.frames.back()[1].position.y) > 1.2;
}

Scenes object_persistence(Random& random) {
  Scenes scenes;
  scenes[0] = empty_room(random);
  const std::vector<Colour> colours = thing_colours(random, 2);
  scenes[0].plank = plank_at_random(random, {}, colours[0]);
  scenes[1] = scenes[0];
  scenes[0].plank->object = plank_object_at_random(random, *scenes[0].plank, 1.0, 1.6, colours[1]);
  return scenes;
}

Scenes solidity(Random& random) {
  Scenes scenes;
  scenes[0] = empty_room(random);
  const std::vector<Colour> colours = thing_colours(random, 2);
  const ProbeContainer container{.x = random.uniform(1.2, 5.2),
                                 .inner_width = random.uniform(0.8, 1.5),
                                 .height = random.uniform(1.9, 2.6),
                                 .front = colours[0],
                                 .back = screen_colour(random)};
  add_container(scenes[0], container);
  const double rim = probe_floor + container.height, inner_height = container.height - container_wall;
  const double width = container.inner_width - random.uniform(0.15, 0.3);
  const double tall = inner_height + random.uniform(0.65, 1.0),
               shorter = inner_height * random.uniform(0.45, 0.8);
  const double top = std::min(rim + tall + random.uniform(0.05, 0.5), probe_view - 0.05),
               speed = random.uniform(1.5, 4);
  scenes[1] = scenes[0];
  for (std::size_t i = 0; i < 2; ++i) {
    const double height = i == 0 ? tall : shorter;
    ProbeThing block = still_thing(StillShape::block, container.x, width, height, colours[1]);
    block.body.density = 1;
    block.body.pose.position.y = top - height / 2;
    block.body.velocity.y = -speed;
    scenes[i].things.push_back(block);
  }
  return scenes;
}

Scenes unchangeableness(Random& random) {
  Scenes scenes;
  scenes[0] = empty_room(random);
  const int count = random.integer(1, 3), change = random.integer(0, 2);  // of place, colour, shape
  const std::vector<Colour> colours = thing_colours(random, static_cast<std::size_t>(count) + 1);
  // One place more than things, so that one can move.
  const int places = count + 1;
  std::vector<int> place(static_cast<std::size_t>(places));
  for (int i = 0; i < places; ++i) place[static_cast<std::size_t>(i)] = i;
  random.shuffle(place);
  const double slot = (probe_view - 0.8) / places;
  const auto changed = static_cast<std::size_t>(random.integer(0, count - 1));
  const bool swap = count > 1 && random.chance(0.5);  // two things change places, or one goes to the free
                                                      // place
  scenes[1] = scenes[0];
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const int shape = random.integer(0, 2), other_shape = (shape + random.integer(1, 2)) % 3;
    const double width = random.uniform(0.6, std::min(1.5, slot - 0.15)), height = random.uniform(0.7, 1.8);
    std::size_t other_place = i;
    if (change == 0 && swap && (i == changed || i == (changed + 1) % static_cast<std::size_t>(count)))
      other_place = i == changed ? (changed + 1) % static_cast<std::size_t>(count) : changed;
    else if (change == 0 && !swap && i == changed)
      other_place = static_cast<std::size_t>(count);
    const auto centre = [&](std::size_t p) { return 0.4 + slot * (place[p] + 0.5); };
    scenes[0].things.push_back(
        still_thing(static_cast<StillShape>(shape), centre(i), width, height, colours[i]));
    scenes[1].things.push_back(still_thing(
        static_cast<StillShape>(change == 2 && i == changed ? other_shape : shape), centre(other_place),
        width, height, colours[change == 1 && i == changed ? static_cast<std::size_t>(count) : i]));
  }
  const double low = random.uniform(0, 0.3), high = probe_view - random.uniform(0, 0.3);
  const int start = random.integer(1, 3), fall = random.integer(2, 3), stay = random.integer(1, 4);
  const ProbeScreen screen = curtain(low, high, start, fall, stay, screen_colour(random));
  for (ProbeScene& scene : scenes) scene.screens.push_back(screen);
  return scenes;
}

Scenes scenes_of(ProbeConcept kind, Random& random) {
  switch (kind) {
    case ProbeConcept::continuity:
      return continuity(random);
    case ProbeConcept::directional_inertia:
      return directional_inertia(random);
    case ProbeConcept::object_persistence:
      return object_persistence(random);
    case ProbeConcept::solidity:
      return solidity(random);
    case ProbeConcept::unchangeableness:
      return unchangeableness(random);
  }
  return {};
}

// -----------------------------------------------------------------------------------------------------------
// checks

/// The ball of the video backwards is where simulation says, within 1 pixel.
bool reverse_is_possible(const std::array<ProbeScene, 2>& scenes) {
  const BodyMotion forward = simulate_things(scenes[0]), back = simulate_things(scenes[1]);
  const double pixel = probe_view / probe_format().pixels;
  const std::size_t frames = forward.frames.size();
  for (std::size_t t = 0; t < frames; ++t)
    if (length(back.frames[t][1].position - forward.frames[frames - 1 - t][1].position) > pixel) return false;
  return true;
}

bool is_screen(int id) { return id >= screen_mask; }

/// The first jump of a thing, as text; empty where there is none.
std::string first_jump(const Clip& clip) {
  constexpr int thing_reach = 7, plank_reach = 16;  // pixels a frame: 0.7 and 1.6 units in 0.05 s; the end of
                                                    // a plank is fast
  const int n = clip.pixels;
  const auto id_at = [&](int t, int y, int x) {
    return clip.masks[static_cast<std::size_t>((t * n + y) * n + x)];
  };
  for (int t = 1; t < clip.frames; ++t)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const int id = id_at(t, y, x);
        if (id < 2 || is_screen(id)) continue;
        const int farthest = id == plank_mask ? plank_reach : thing_reach;
        bool near = y < farthest || x < farthest || x >= n - farthest;
        for (int v = std::max(0, y - farthest); v <= std::min(n - 1, y + farthest) && !near; ++v)
          for (int u = std::max(0, x - farthest); u <= std::min(n - 1, x + farthest) && !near; ++u) {
            const int before = id_at(t - 1, v, u);
            near = before == id || is_screen(before) || before == plank_mask;
          }
        if (!near)
          return "frame " + std::to_string(t) + ": thing " + std::to_string(id) + " jumps to (" +
                 std::to_string(x) + ", " + std::to_string(y) + ")";
      }
  return {};
}

}  // namespace

const std::vector<ProbeConcept>& probe_concepts() {
  static const std::vector<ProbeConcept> all{ProbeConcept::continuity, ProbeConcept::directional_inertia,
                                             ProbeConcept::object_persistence, ProbeConcept::solidity,
                                             ProbeConcept::unchangeableness};
  return all;
}

const char* name(ProbeConcept kind) {
  switch (kind) {
    case ProbeConcept::continuity:
      return "continuity";
    case ProbeConcept::directional_inertia:
      return "directional inertia";
    case ProbeConcept::object_persistence:
      return "object persistence";
    case ProbeConcept::solidity:
      return "solidity";
    case ProbeConcept::unchangeableness:
      return "unchangeableness";
  }
  return "";
}

ProbeTuple make_probe_tuple(ProbeConcept kind, std::uint64_t seed, std::uint64_t number) {
  Random random(stream_seed(seed, std::string("probes/") + name(kind), number));
  for (int i = 0; i < most_tries; ++i) {
    ProbeTuple tuple{.kind = kind,
                     .number = number,
                     .scenes = scenes_of(kind, random),
                     .splices = {},
                     .possible = {},
                     .impossible = {}};
    if (kind == ProbeConcept::directional_inertia) {
      if (!bounces_well(tuple.scenes[0]) || !reverse_is_possible(tuple.scenes)) continue;
      tuple.possible[0] = record(tuple.scenes[0]);
      tuple.possible[1] = reversed(tuple.possible[0]);
      tuple.splices = {tuple.possible[0].frames / 2 + 1};
    } else {
      for (std::size_t k = 0; k < 2; ++k) tuple.possible[k] = record(tuple.scenes[k]);
      tuple.splices = hidden_splices(tuple.possible[0], tuple.possible[1]);
      if (tuple.splices.size() != (kind == ProbeConcept::continuity ? 2U : 1U)) continue;
      if (kind == ProbeConcept::continuity && !ball_shows(tuple.possible[0], tuple.splices)) continue;
    }
    for (std::size_t k = 0; k < 2; ++k)
      tuple.impossible[k] = spliced(tuple.possible[k], tuple.possible[1 - k], tuple.splices);
    return tuple;
  }
  throw Error(std::string("probes: ") + name(kind) + ": none of " + std::to_string(most_tries) +
              " scenes hides what it should");
}

std::vector<std::string> probe_faults(const ProbeTuple& tuple) {
  std::vector<std::string> faults;
  std::array<std::vector<std::uint64_t>, 2> frames;
  for (std::size_t k = 0; k < 2; ++k)
    for (const Clip* clip : {&tuple.possible[k], &tuple.impossible[k]}) {
      const std::vector<std::uint64_t> hashes = frame_hashes(*clip);
      std::vector<std::uint64_t>& kind = frames[clip == &tuple.possible[k] ? 0 : 1];
      kind.insert(kind.end(), hashes.begin(), hashes.end());
    }
  for (std::vector<std::uint64_t>& hashes : frames) std::sort(hashes.begin(), hashes.end());
  if (frames[0] != frames[1])
    faults.emplace_back("the impossible clips do not hold the frames of the possible ones");
  for (const Clip& possible : tuple.possible)
    for (const Clip& impossible : tuple.impossible)
      if (possible.rgb == impossible.rgb)
        faults.emplace_back("an impossible clip is the same as a possible one");

  for (std::size_t k = 0; k < 2; ++k) {
    if (tuple.kind == ProbeConcept::directional_inertia && k == 1) {
      if (tuple.possible[1].rgb != reversed(tuple.possible[0]).rgb || !reverse_is_possible(tuple.scenes))
        faults.emplace_back(
            "the second possible clip is not the first one backwards, or backwards it is not possible");
    } else if (const Clip again = record(tuple.scenes[k]);
               again.rgb != tuple.possible[k].rgb || again.masks != tuple.possible[k].masks) {
      faults.push_back("possible clip " + std::to_string(k) + " is not what simulation makes of its scene");
    }
  }
  for (const auto* clips : {&tuple.possible, &tuple.impossible})
    for (const Clip& clip : *clips)
      if (const std::string jump = first_jump(clip); !jump.empty())
        faults.push_back((clips == &tuple.possible ? "possible" : "impossible") + (": " + jump));
  return faults;
}

}  // namespace startle
