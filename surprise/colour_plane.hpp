#pragma once
/// \file  How much of each material's flat colour the pixels of a training frame have, the regions of one
/// colour, and how far they are elsewhere in another frame. Lengths are in pixels, x to the right, y down.
#include <array>
#include <cstddef>
#include <vector>

#include "surprise/dynamics/contact_event.hpp"  // MaterialClass, changeable_count

namespace startle {

/// Red, green and blue of wood, ice, stone or pigs in training frames, in [0, 1].
std::array<float, 3> flat_colour(MaterialClass material);

/// How much of the material's flat colour a pixel has: 1 for the colour itself, falling with the distance in
/// RGB to 0 where other colours of training frames begin. Channels in [0, 255].
double share_of_colour(MaterialClass material, double red, double green, double blue);

/// One number a pixel; 0 outside.
struct Plane {
  int size = 0;  ///< pixels a side
  std::vector<float> values;
  explicit Plane(int pixels)
      : size(pixels), values(static_cast<std::size_t>(pixels) * static_cast<std::size_t>(pixels)) {}
  bool inside(int x, int y) const { return x >= 0 && y >= 0 && x < size && y < size; }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(size) + static_cast<std::size_t>(x);
  }
  float at(int x, int y) const { return inside(x, y) ? values[index(x, y)] : 0.0F; }
  float& at(int x, int y) { return values[index(x, y)]; }
};

using Planes = std::vector<Plane>;  ///< by material: wood, ice, stone, pig

/// A frame's planes; `channel(i)` in [0, 255] is value i of its pixels x pixels x 3.
template <typename Channel>
Planes planes_of(int pixels, const Channel& channel) {
  Planes planes(changeable_count, Plane(pixels));
  std::array<double, 3> last{};
  for (std::size_t p = 0; p < planes[0].values.size(); ++p) {
    const std::array<double, 3> rgb{channel(3 * p), channel(3 * p + 1), channel(3 * p + 2)};
    const bool again = p > 0 && rgb == last;  // as most pixels are
    for (std::size_t m = 0; m < changeable_count; ++m)
      planes[m].values[p] =
          again ? planes[m].values[p - 1]
                : static_cast<float>(share_of_colour(static_cast<MaterialClass>(m), rgb[0], rgb[1], rgb[2]));
    last = rgb;
  }
  return planes;
}

/// Smoothed by 1 2 1 both ways: gradients of it are right for displacements of up to a pixel and more.
Plane smoothed(const Plane& plane);

struct Pixel {
  int x = 0, y = 0;
};
using PixelRegion = std::vector<Pixel>;
inline constexpr double min_region_area = 6;  ///< pixels: smaller ones are crumbs of edges

/// Pixels that have at least half of the colour, those that touch each other together.
std::vector<PixelRegion> connected_regions(const Plane& plane);
/// The region and what lies within `margin` pixels of it.
PixelRegion grown(const PixelRegion& region, int margin, int size);
PixelRegion shifted(const PixelRegion& region, Pixel by);

/// How far `now`, in the region, is from `expected`, whose whole-pixel shift is `shift`: the least-squares
/// solution of now - expected = -displacement . gradient, with the mean gradient of the two (Lucas and Kanade
/// 1981). Both are smoothed.
Vec2 displacement(const Plane& now, const Plane& expected, const PixelRegion& region, Pixel shift = {});

struct ShiftMatch {
  Pixel shift;
  double difference = 0;  ///< sum of squares
};
/// The whole-pixel shift, at most `reach` from `expected`, of the region's pixels less `place` from `before`
/// to `now`: least squared difference, the nearer one of equals.
ShiftMatch best_shift(const Plane& now, const Plane& before, const PixelRegion& region, Pixel place,
                      Pixel expected, int reach);

inline constexpr int max_motion = 12;  ///< pixels that a region can be followed over from frame to frame
inline constexpr double resting_motion = 0.25;  ///< pixels: what moves by less is taken to rest
inline constexpr int around_region = 2;         ///< pixels beyond a region's edge that tell where it is

}  // namespace startle
