#pragma once
/// \file  What a game looks like to Science Birds agents: pixels of a 640 x 480 or 840 x 480 screen, and
/// *ground truth*, the outlines of what is seen on
///        it as GeoJSON (codes 61 to 64, 38 and 70).
///
/// It is made from Observation and SeenShot, which hold nothing hidden, and from the normal profile, which is
/// public.
#include <cstddef>
#include <string>
#include <vector>

#include "agents/agent.hpp"
#include "core/random.hpp"
#include "sim/profile.hpp"

namespace startle::aibirds {

inline constexpr int screen_width = 640, screen_height = 480;  ///< pixels, as Science Birds opens its window
inline constexpr int wide_screen_width = 840;  ///< as it did until 2020, and some agents expect

/// The part of the world on the screen. Pixels count from the top left, y down.
struct Screen {
  View view;
  int width = screen_width;  ///< the height is screen_height
  Vec2 to_pixels(Vec2 world) const;
  Vec2 to_world(Vec2 pixels) const;
};

/// Zoomed out: the world from edge to edge, with (0, -1) in the middle, as in the levels of Phy-Q (for their
/// width of 2: 35 units, 18.29 pixels a unit, 24 on the wide screen). Zoomed in: 25/35 of that, about the
/// same point.
Screen screen(const Observation& now, bool zoomed_in, int width = screen_width);

struct GroundTruthOptions {
  bool labels = false;      ///< --dev: names of what is seen in place of "Object"
  Random* noise = nullptr;  ///< objects are shifted by up to 2 pixels; null: they are not
};

/// `[{"type":"FeatureCollection","features":[...]}]`: ground, slingshot, dots of the last flight, pigs,
/// birds, blocks with other than four corners, other blocks, TNT, platforms. Left out is what lies wholly
/// beyond the screen. Corners are rounded to pixels; rings are not closed. Ids are whole numbers as text that
/// stay the same as long as the level is played.
///
/// With labels, features have "currentLife" as in Science Birds, which here is what such an object has at the
/// start of a normal level, always: the life that is left is hidden.
std::string ground_truth(const Observation& now, const SeenShot* last_shot, const Profile& profile,
                         const Screen& screen, const GroundTruthOptions& options);

/// The same at frame number `frame` of a shot, from 0: without dots, and with the birds in flight.
std::string ground_truth_of_frame(const SeenShot& shot, std::size_t frame, const Profile& profile,
                                  const Screen& screen, const GroundTruthOptions& options);

/// No level.
std::string empty_ground_truth();

}  // namespace startle::aibirds
