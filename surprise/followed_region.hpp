#pragma once
/// \file  Moving regions of one colour in the true frames of a clip, followed from frame to frame, and frames
/// painted with them elsewhere. From pictures alone.
///
/// \code
///   // given: const Clip& clip
///   const ClipPlanes planes(clip);
///   for (const FollowedRegion& region : followed_regions(planes, 5))
///     if (const auto next = next_motion(planes, region)) {
///       // it gained *next - region.motion in speed, in pixels a frame
///     }
/// \endcode
#include <optional>
#include <utility>
#include <vector>

#include "render/clip.hpp"
#include "surprise/colour_plane.hpp"

namespace startle {

/// The planes of each frame of a clip, as they are and smoothed.
struct ClipPlanes {
  explicit ClipPlanes(const Clip& clip);
  std::vector<Planes> sharp, smooth;
};

/// A connected region of one material's colour that has moved since the frame before.
struct FollowedRegion {
  int frame = 0;  ///< t, 1 ... T - 1
  MaterialClass material = MaterialClass::wood;
  PixelRegion pixels;  ///< in frame t
  Vec2 centre;         ///< mean of its pixels
  Vec2 motion;         ///< from frame t - 1 to t, at least resting_motion long
  double match = 0;    ///< what the frame before does not explain of it: squared difference over square
};

/// Those of frame t, in [1, T), that frame t - 1 has, too, elsewhere.
std::vector<FollowedRegion> followed_regions(const ClipPlanes& planes, int frame);

/// How far the region moves from its frame to the next one; nothing where it is not found there.
std::optional<Vec2> next_motion(const ClipPlanes& planes, const FollowedRegion& region);

/// The frame, bytes pixels x pixels x 3, with each region moved by its vector, as values in [0, 1]: where it
/// was the nearest pixels beside it fill in, where it comes to it covers what was there.
std::vector<float> moved_frame(const Clip& clip, int frame, const Planes& sharp,
                               const std::vector<std::pair<const FollowedRegion*, Vec2>>& moves);

}  // namespace startle
