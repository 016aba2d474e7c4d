#pragma once
/// \file  Scenes of IntPhys sets, and videos of them: things that stand, slide, bounce and fall
/// on a floor, and screens before them that rise and lower [IntPhys §2].
///
/// The camera looks along the floor from a little above, in perspective: what is farther away stands higher
/// in the picture and is smaller. Things are flat and face it; each moves in the plane of its own distance,
/// where Box2D simulates it, and things of one distance collide. Screens stand nearer than all things and
/// touch nothing. A video shows the same 2.5 s whatever its number of frames.
#include <cstdint>
#include <string>
#include <vector>

#include "surprise/probes/probe_scene.hpp"

namespace startle {

/// The name under which clip sets of this world go, where others name their profile.
inline constexpr const char* intphys_profile = "intphys";

inline constexpr double intphys_seconds = 2.5;
inline constexpr double intphys_wall = 13, intphys_screens = 6;  ///< distances from the camera, world units

/// 41 to 1000 frames, so that models may look 35 frames ahead. The original has 100 frames of 288 x 288.
ClipFormat intphys_format(int frames = 50, int pixels = 64);

/// Where things are in the picture; places in it are shares of its width, from the left and from the top.
struct IntPhysCamera {
  double focal = 1.33;    ///< picture widths that one world unit takes at distance 1
  double height = 2.55;   ///< above the floor
  double horizon = 0.35;  ///< share of the picture above the camera's own height

  double column(double x, double distance) const { return 0.5 + focal * x / distance; }
  double row(double y, double distance) const { return horizon + focal * (height - y) / distance; }
  double x(double column, double distance) const { return (column - 0.5) * distance / focal; }
  double y(double row, double distance) const { return height - (row - horizon) * distance / focal; }
};

/// `body` lives in the plane of its distance: x to the right from the middle of the picture, y up from the
/// floor.
struct IntPhysThing {
  Body body;
  StillShape shape = StillShape::block;
  double width = 1, height = 1;
  double distance = 8.6;  ///< between intphys_screens and intphys_wall
  Colour colour;
};

/// A screen that comes up from the floor. Lowered it is a thin strip.
struct IntPhysScreen {
  double left = 0, right = 0;  ///< shares of the picture's width
  double height = 2.5;         ///< when it is up
  Colour colour;
  std::vector<double> raised;  ///< share of the height at each frame, 0 to 1
};

struct IntPhysScene {
  Colour wall, floor;
  IntPhysCamera camera;
  std::vector<IntPhysThing> things;
  std::vector<IntPhysScreen> screens;
};

/// Masks of the clip: 0 wall, 1 floor, 2 + i thing i, screen_mask + i screen i; the same in every frame.
struct IntPhysVideo {
  Clip clip;                             ///< with masks
  std::vector<std::uint16_t> depth;      ///< mm from the camera's plane; index as in Clip::masks
  std::vector<std::vector<Pose>> poses;  ///< poses[t][i]: thing i at frame t, in its plane
};

/// The things over time, poses[t][i].
std::vector<std::vector<Pose>> intphys_motion(const IntPhysScene& scene, const ClipFormat& format);
/// Throws Error for a format that intphys_format() does not give, or a screen that does not say where it is
/// at every frame.
IntPhysVideo record(const IntPhysScene& scene, const ClipFormat& format);

/// A frame's masks as the original gives them [IntPhys §2.6.3]: 8-bit grey levels drawn anew for each frame,
/// so that none follows a thing over time.
struct ShuffledMasks {
  std::vector<std::uint8_t> grey;                    ///< one a pixel
  std::vector<std::pair<int, std::uint8_t>> levels;  ///< id of Clip::masks and a level of it, in order of the
                                                     ///< ids
};
/// Frame t of the clip. `pieces`: what a nearer thing cuts in two pieces gets two levels, as in the
/// original's test sets; else one, as in its training set. Throws Error for a clip without masks, and for
/// more than 255 pieces.
ShuffledMasks shuffled_masks(const Clip& clip, int t, bool pieces, Random& random);

// ---------------------------------------------------------------------------------------------------- parts
// that scenes are made of

/// Wall and floor in random colours, seen by a camera whose height, horizon and focal length vary a little.
IntPhysScene intphys_room(Random& random);

/// Distances at which things stand, one in each of three lanes, in random order.
std::vector<double> intphys_lanes(Random& random);

/// A thing that stands on the floor with its middle at `column` of the picture. It slides without friction. A
/// ball's height is its width.
IntPhysThing intphys_thing(const IntPhysCamera& camera, StillShape shape, double column, double distance,
                           double width, double height, Colour colour);

/// A thing enters the picture at `enters`, as a share of the video, and crosses `speed` picture widths a
/// video from left to right, or from right to left: sets its place and velocity.
void send_across(IntPhysThing& thing, const IntPhysCamera& camera, double enters, double speed,
                 bool leftwards);

/// Share of the height of a screen that is down, comes up from `start` on in `take`, stays for `stay` and
/// goes down as it came; times are shares of the video.
std::vector<double> rising(const ClipFormat& format, double start, double take, double stay);

/// A scene of the training clips: everything drawn at random, never a violation. `kind` is one of
/// intphys_kinds().
const std::vector<std::string>& intphys_kinds();
IntPhysScene intphys_freeform(const std::string& kind, const ClipFormat& format, Random& random);

}  // namespace startle
