#pragma once
/// \file  What a clip shows as objects with a place, a size and a colour, read off instance masks, given or
/// found.
#include <array>
#include <cstdint>
#include <vector>

#include "render/clip.hpp"

namespace startle {

/// In the order of the values of a semantic mask.
enum class EntityClass { background, occluder, object };
/// Ids 0 and 1 (wall or sky, floor or ground) are background, those from `occluders_from` on occluders, the
/// others objects.
EntityClass entity_class(int id, int occluders_from);

/// One object at one frame: moments of what it covers, in a frame of side 1 with (0, 0) at the left of the
/// top. Zero but for `visible` where none is seen.
struct ObjectState {
  bool visible = false;
  double x = 0, y = 0;             ///< mean
  double width = 0, height = 0;    ///< standard deviation
  std::array<double, 3> colour{};  ///< mean RGB in [0, 1]
  double occluder = 0;             ///< 1 for an occluder
};

/// The objects that a frame shows, by their ids in its mask: 256 of them, those of background ids never
/// visible. `rgb` has pixels * pixels * 3 bytes, `ids` a third of that. A pixel in no square of 2 x 2 of one
/// colour and id lies on an edge: it counts in shares to the two of the colours around it whose mixture its
/// own colour is best. So an evenly coloured thing with soft edges that is clearly distinguished from what is
/// beside it is measured to a few hundredths of a pixel, where its whole pixels would measure it to half of
/// one. Whole pixels count where no such mixture is found (textures, outlines), and where a thing has no such
/// square: it is thinner than two pixels, or just coming out, and its colour is then that of mixed pixels.
std::vector<ObjectState> frame_objects(const std::uint8_t* rgb, const std::uint8_t* ids, int pixels,
                                       int occluders_from);

/// Labels the things of a frame whose pixels have been assigned to unordered groups: ids as in a mask, 0 for
/// background and from 2 on for things, the largest first. A group that is present in both the first and the
/// last column is background: wall, floor, sky. In the other groups, pixels connected by their sides, of one
/// group or of one even colour, form a thing if some square of 2 x 2 pixels has one colour (softened edges
/// have none). A group has one such colour: a part with another one is another group, or part of the group
/// that has it. Two things of one group are one thing whose middle is hidden if along some row or column
/// there are other things between them, or a single pixel of background (a softened edge), and along none
/// more background.
/// `rgb` has pixels * pixels * 3 bytes, `groups` a third of that; at most 254 things are found.
std::vector<std::uint8_t> label_things(const std::uint8_t* rgb, const std::vector<std::uint8_t>& groups,
                                       int pixels);

/// Objects of a clip: [t][k] is the k-th one to appear (of several in one frame, the one with the lower id),
/// an object keeping its id; those after the first `slots` are left out. Each frame has `slots` entries.
/// Throws Error for a clip without masks.
std::vector<std::vector<ObjectState>> object_slots(const Clip& clip, int slots, int occluders_from);

}  // namespace startle
