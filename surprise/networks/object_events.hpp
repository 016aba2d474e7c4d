#pragma once
/// \file  What happens to the objects of a clip, as events that can be compared with those of possible clips
/// (surprise/event_calibration.hpp).
///
/// What a tracker gets wrong is no violation. So objects are compared only where they were measured well: *in
/// the clear*, next to no other thing and no border, and of the same size in two frames on end.
#include <array>
#include <cstddef>
#include <vector>

#include "surprise/clip_scorer.hpp"

namespace startle {

/// Place, size (standard deviations) and colour, as ObjectState has them.
struct ObjectLook {
  double x = 0, y = 0, width = 0, height = 0;
  std::array<double, 3> colour{};
};

/// One object from one frame to the next.
struct ObjectStep {
  bool known = false;                            ///< seen in this frame or before
  bool seen = false;                             ///< in this frame
  bool seen_next = false;                        ///< in the next
  ObjectLook last;                               ///< as it was seen last
  ObjectLook expected;                           ///< what the network expects of the next frame
  ObjectLook next;                               ///< what is seen there
  double largest_width = 0, largest_height = 0;  ///< where most was seen of it
};

/// Events of a clip; steps[t][k]: object k from frame t to frame t + 1. All numbers are in units in which
/// those of events alike differ by less than 1.
/// - appears: a new object, when first in the clear. How unlike its colour is to all others', where it was
///   seen first (from the border, from the nearest other thing), its height in the picture and its size.
/// - missing: it is not seen where it is expected, in the picture and mostly uncovered. For how long, how
///   much of it is covered, how near the border is, whether something of its colour is elsewhere.
/// - returns: it is seen again after a while. How long it was not, how much shows, and how far it is from
///   what was expected.
/// - moves: it is seen on. How near the border and other things are, its speed, and how far it is from what
///   was expected.
/// - changes: in the clear again. How long it was not, and by how much size and colour differ.
/// - path: the same, and how far it is from where its last speed would have taken it.
/// - hides: it is seen no more, and something is where it was. How much of it that covers, and how much wider
///   and higher that is than it.
/// - stops: it moved and does so no more. How far its lower edge, where hidden, is above that of what hides
///   it; how much of an object out of sight it covers, how near others are, how much of it shows, how low it
///   is.
/// - gone: as missing, of what never was in the clear, while nothing covers the place where it was either.
///
/// A part of an object is hidden where less is seen of it than before and another object begins. So what is
/// hidden has edges too: it must have room behind what hides it, and rest on something.
std::vector<ClipEvent> object_events(const std::vector<std::vector<ObjectStep>>& steps);

}  // namespace startle
