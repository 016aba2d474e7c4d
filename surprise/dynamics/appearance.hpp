#pragma once
/// \file  What a body looks like in a picture, and where in a picture it is: by least squares over place and
/// angle [Lucas and Kanade 1981], in which pixels that are something else count little.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "render/artwork.hpp"
#include "render/raster.hpp"
#include "sim/geometry.hpp"

namespace startle {

inline constexpr int texels_a_pixel = 4;  ///< of an appearance, each way

/// Grey levels of a channel. What differs by much more is something else, before or behind [Geman and McClure
/// 1987].
inline constexpr double odd_pixel = 20;
/// Root mean square of what differs, odd pixels counting as `odd_pixel`: by less it is surely the body; by
/// more, not worth a further look.
inline constexpr double surely_like = 4.4, hardly_like = 18;

/// What one body looks like: RGB 0 to 255, `texels_a_pixel` texels a pixel, each the mean over a pixel about
/// it; y down, as in pictures.
struct Appearance {
  int width = 0, height = 0;
  Vec2 centre;       ///< of mass, in texels
  double reach = 0;  ///< pixels from the centre of mass to the farthest texel inside
  int area = 0;      ///< pixels inside
  std::vector<float> rgb;
  std::vector<std::uint8_t> inside;  ///< texels with nothing but the body within a pixel and a half: at its
                                     ///< rim other things show through
  struct Sample {
    Vec2 at;  ///< pixels off the centre of mass, in the body's frame, y down
    std::array<float, 3> rgb{};
  };
  std::vector<Sample> samples;  ///< for glances: pixels spread all over it, any first few of them as well
};

/// Painted in a picture of so many pixels a world unit; `centre_of_mass` in the artwork's frame.
Appearance appearance_of(const Artwork& artwork, Vec2 centre_of_mass, double scale);

/// A place in the picture: of the centre of mass in pixels, y down; the angle as in the world.
struct PicturePose {
  Vec2 at;
  double angle = 0;
};

/// How like a picture a body is at a place.
struct Match {
  PicturePose place;
  double difference = std::numeric_limits<double>::infinity();  ///< root mean square, grey levels of a
                                                                ///< channel
  int pixels = 0, alike = 0;  ///< that show nothing but the body; and of those, the ones that differ by less
                              ///< than 16 grey levels in each channel
};

/// Calls use(picture's bytes of a pixel, its upper left texel, how far to the right and down of that one, and
/// from the centre of mass in pixels of the body's frame) for every pixel in which nothing but the body is
/// seen, were it there.
template <typename Use>
void for_each_pixel(const Appearance& a, const Bitmap& picture, const PicturePose& pose, Use use) {
  const Vec2 turn = direction(pose.angle);
  const int x0 = std::max(0, static_cast<int>(std::floor(pose.at.x - a.reach))),
            x1 = std::min(picture.width - 1, static_cast<int>(std::ceil(pose.at.x + a.reach)));
  const int y0 = std::max(0, static_cast<int>(std::floor(pose.at.y - a.reach))),
            y1 = std::min(picture.height - 1, static_cast<int>(std::ceil(pose.at.y + a.reach)));
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const Vec2 d{x + 0.5 - pose.at.x, y + 0.5 - pose.at.y};
      const Vec2 b{turn.x * d.x - turn.y * d.y, turn.y * d.x + turn.x * d.y};
      const double u = a.centre.x + texels_a_pixel * b.x, v = a.centre.y + texels_a_pixel * b.y;
      if (u < 0 || v < 0 || u >= a.width - 1 || v >= a.height - 1) continue;
      const int i = static_cast<int>(u), j = static_cast<int>(v);
      const std::size_t texel = static_cast<std::size_t>(j) * static_cast<std::size_t>(a.width) +
                                static_cast<std::size_t>(i);
      if (!a.inside[texel]) continue;
      const std::uint8_t* seen = picture.rgb.data() +
                                 (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                                  static_cast<std::size_t>(x)) *
                                     3;
      use(seen, a.rgb.data() + 3 * texel, static_cast<float>(u - i), static_cast<float>(v - j), b);
    }
}

/// The place near by in which it is most like the picture, whatever may hide some of it.
Match fitted(const Appearance& a, const Bitmap& picture, PicturePose place);

}  // namespace startle
