#pragma once
/// \file  Scenes of probes, and clips of them: balls, blocks, pillars, curtains, containers and
/// planks, seen from the side.
///
/// The picture shows x in [0, 6.4] and y in [0, 6.4] world units, ten pixels a unit; the floor ends at y =
/// 0.8. Things are simulated by simulate_bodies(). Screens are drawn and touch nothing.
#include <optional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "render/clip.hpp"
#include "render/palette.hpp"
#include "sim/probe_world.hpp"

namespace startle {

inline constexpr double probe_view = 6.4, probe_floor = 0.8;
inline constexpr double probe_gravity = 9.81;  ///< units/s^2, downwards
inline constexpr double probe_frame_s = 0.05;  ///< from one frame of a clip to the next

/// 15 frames of 64 x 64 pixels, 0.05 s apart.
ClipFormat probe_format();

struct ProbeThing {
  Body body;
  Colour colour;
};

/// A rectangle in front of all things, or behind them: a pillar, a curtain, the front or the back of a
/// container.
struct ProbeScreen {
  Bounds place;
  Colour colour;
  bool behind = false;
  std::vector<double> lift = {};  ///< how far it is above `place` at each frame; empty: it stays there
};

/// A plank that turns about its edge on the floor, away from the viewer, seen from the front: it rises from
/// lying flat, hides what stands behind it, and falls over backwards, onto the object or flat on the floor.
/// Simulated in the plane of height and depth, in which the hinge is at 0 and depth grows away from the
/// viewer. The object is too heavy to be moved.
struct ProbePlank {
  double x_low = 0, x_high = 0;  ///< of its sides in the picture
  double length = 2, thickness = 0.2;
  double turn = 6;  ///< rad/s at the start
  Colour colour;
  struct Object {
    double x_low = 0, x_high = 0;
    double height = 1, near = 1, depth = 1;  ///< it fills the depths from near to near + depth
    Colour colour;
  };
  std::optional<Object> object = {};
};

struct ProbeScene {
  Colour wall, floor;
  std::vector<ProbeThing> things;    ///< later ones are drawn over earlier ones
  std::vector<ProbeScreen> screens;  ///< the same
  std::optional<ProbePlank> plank = {};
};

/// Ids in masks: 0 wall, 1 floor, 2 + i thing i, then the plank and its object, and from here on screen i.
inline constexpr int plank_mask = 60, plank_object_mask = 61, screen_mask = 64;

/// The things over time, by their index.
BodyMotion simulate_things(const ProbeScene& scene);

/// The clip of a scene, with masks.
Clip record(const ProbeScene& scene);

// ---------------------------------------------------------------------------------------------------- parts
// that scenes are made of

/// Wall and floor in random colours; nothing else.
ProbeScene empty_room(Random& random);

/// Colours of things, no two the same, and no colour of walls, floors and screens.
std::vector<Colour> thing_colours(Random& random, std::size_t count);
/// A dark colour.
Colour screen_colour(Random& random);

/// A ball that lies on the floor with its centre at x and rolls without slipping.
ProbeThing rolling_ball(double x, double radius, double velocity, Colour colour);

/// Places in the picture from the right instead of from the left.
inline double mirrored(double x, bool mirror) { return mirror ? probe_view - x : x; }

/// A ball in flight and the block off whose face it bounces. They do not rub, and nothing is lost. Seen from
/// the left unless `mirror`.
struct Bounce {
  double face = 4.5, block_width = 1, block_height = 3;
  double radius = 0.3, speed = 6;            ///< towards the face
  double time = 0.35, height = 3, rise = 2;  ///< without the floor it is at the face after that time, at that
                                             ///< height, with that velocity upward
  bool mirror = false;
  Colour block, ball;
};
/// The block, then the ball.
void add_bounce(ProbeScene& scene, const Bounce& bounce);

enum class StillShape { block, ball, wedge };
/// A thing of that width and height that stands on the floor at x and never moves; a ball has `width` as its
/// diameter.
ProbeThing still_thing(StillShape shape, double x, double width, double height, Colour colour);

/// A pillar from the floor up.
ProbeScreen pillar(double x_low, double x_high, double height, Colour colour);

/// A curtain over x in [x_low, x_high] that begins to come down at frame `start`, takes `fall` frames, stays
/// for `stay`, and goes up as it came.
ProbeScreen curtain(double x_low, double x_high, int start, int fall, int stay, Colour colour);

/// An open container on the floor: two walls, a bottom, a back that one sees over the front, and a front that
/// hides what is in it.
struct ProbeContainer {
  double x = 3.2, inner_width = 1, height = 2;  ///< outer height; walls and bottom are container_wall thick
  Colour front, back;
};
inline constexpr double container_wall = 0.2;
void add_container(ProbeScene& scene, const ProbeContainer& container);

/// Limits of planks drawn at random: the least length, and the least turn beyond sqrt(3 g / length) rad/s,
/// which is just enough to pass the upright.
struct PlankLimits {
  double shortest = 2.2, slowest = 1.6;
};
/// Somewhere on the floor, without an object.
ProbePlank plank_at_random(Random& random, const PlankLimits& limits, Colour colour);
/// An object that stands behind the plank, between its sides, of a height between the two.
ProbePlank::Object plank_object_at_random(Random& random, const ProbePlank& plank, double lowest,
                                          double highest, Colour colour);

}  // namespace startle
