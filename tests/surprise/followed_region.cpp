#include "surprise/followed_region.hpp"

#include <cmath>

#include "render/palette.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

struct Place {
  double x = 0, y = 0;
};

/// A pig of 6 x 5 pixels at each of the places, frame by frame, with soft edges; black beyond the sky's end
/// at the right.
Clip pig_at(const std::vector<Place>& places) {
  Clip clip{.frames = static_cast<int>(places.size()), .pixels = 32, .rgb = {}, .masks = {}};
  const std::array<float, 3> pig = flat_colour(MaterialClass::pig);
  const auto covered = [](int at, double from, double to) {
    return std::max(0.0, std::min(to, at + 1.0) - std::max(from, static_cast<double>(at)));
  };
  for (const Place place : places)
    for (int y = 0; y < clip.pixels; ++y)
      for (int x = 0; x < clip.pixels; ++x) {
        const double share = covered(x, place.x, place.x + 6) * covered(y, place.y, place.y + 5);
        const std::array<std::uint8_t, 3> sky = x < 28 ? std::array{sky_flat.r, sky_flat.g, sky_flat.b}
                                                       : std::array<std::uint8_t, 3>{};
        for (std::size_t c = 0; c < 3; ++c)
          clip.rgb.push_back(static_cast<std::uint8_t>(
              std::lround((1 - share) * sky[c] + share * 255.0 * static_cast<double>(pig[c]))));
      }
  return clip;
}

}  // namespace

TEST_CASE("[surprise] followed regions: a motion is known to 0.15 pixels, and what rests is left out") {
  const Clip clip = pig_at({{5, 5}, {7.3, 6.6}, {9.6, 9.5}, {9.6, 9.5}});
  const ClipPlanes planes(clip);
  const std::vector<FollowedRegion> first = followed_regions(planes, 1), second = followed_regions(planes, 2);
  REQUIRE(first.size() == 1);
  REQUIRE(second.size() == 1);
  CHECK(first[0].material == MaterialClass::pig);
  CHECK(first[0].motion.x == Approx(2.3).margin(0.15));
  CHECK(first[0].motion.y == Approx(1.6).margin(0.15));
  const std::optional<Vec2> next = next_motion(planes, first[0]);
  REQUIRE(next);
  CHECK(next->x == Approx(2.3).margin(0.15));
  CHECK(next->y == Approx(2.9).margin(0.15));
  CHECK(second[0].centre.x == Approx(12.1).margin(0.6));
  CHECK(followed_regions(planes, 3).empty());
  CHECK_FALSE(next_motion(planes, {.frame = 3, .pixels = first[0].pixels}));
}

TEST_CASE("[surprise] followed regions: what is gone in the next frame has no next motion") {
  const Clip clip = pig_at({{5, 5}, {7, 6}, {90, 90}});
  const ClipPlanes planes(clip);
  REQUIRE(followed_regions(planes, 1).size() == 1);
  CHECK_FALSE(next_motion(planes, followed_regions(planes, 1)[0]));
}

TEST_CASE("[surprise] followed regions: a frame with a moved region is the frame of it there") {
  const Clip clip = pig_at({{5, 5}, {7.3, 6.6}, {10.8, 9.1}});
  const ClipPlanes planes(clip);
  const std::vector<FollowedRegion> regions = followed_regions(planes, 1);
  REQUIRE(regions.size() == 1);
  const std::vector<float> moved = moved_frame(clip, 1, planes.sharp[1], {{&regions[0], {3.5, 2.5}}}),
                           still = moved_frame(clip, 1, planes.sharp[1], {});
  double off = 0, off_still = 0;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const double true_value = clip.frame(2)[i] / 255.0;
    off += (moved[i] - true_value) * (moved[i] - true_value);
    off_still += (still[i] - true_value) * (still[i] - true_value);
    CHECK(static_cast<double>(still[i]) == Approx(clip.frame(1)[i] / 255.0));
  }
  CHECK(off < 0.1 * off_still);  // between pixels edges get a little softer
}
