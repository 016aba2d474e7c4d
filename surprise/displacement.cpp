#include "surprise/displacement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "render/palette.hpp"

namespace startle {
namespace {

constexpr int max_motion = 12;           // pixels that a region can be followed over from frame to frame
constexpr int max_motion_change = 4;     // pixels by which its motion can differ from that before
constexpr double resting_motion = 0.25;  // pixels: what moves by less is taken to rest
constexpr int around = 2;                // pixels beyond a region's edge that tell where it is

struct FlatColour {
  Colour colour;
  double reach = 0;  ///< distance at which nothing of it is left
};

const std::array<FlatColour, changeable_count>& flat_colours() {
  static const std::array<FlatColour, changeable_count> all{
      {{look_of(Kind::block, Material::wood).flat, 112},   // to stone; TNT, at 57, looks like half wood
       {look_of(Kind::block, Material::ice).flat, 90},     // to the sky
       {look_of(Kind::block, Material::stone).flat, 103},  // to platforms
       {look_of(Kind::pig, Material::none).flat, 126}}};   // to wood
  return all;
}

/// One number a pixel; 0 outside.
struct Plane {
  int size = 0;
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

using Planes = std::vector<Plane>;  ///< by material

/// A frame's planes; `channel(i)` in [0, 255].
template <typename Channel>
Planes planes_of(int pixels, const Channel& channel) {
  Planes planes(changeable_count, Plane(pixels));
  for (std::size_t p = 0; p < planes[0].values.size(); ++p)
    for (std::size_t m = 0; m < changeable_count; ++m)
      planes[m].values[p] = static_cast<float>(share_of_colour(static_cast<MaterialClass>(m), channel(3 * p),
                                                               channel(3 * p + 1), channel(3 * p + 2)));
  return planes;
}

double sum(const Plane& plane) {
  double total = 0;
  for (const float value : plane.values) total += static_cast<double>(value);
  return total;
}

/// Smoothed by 1 2 1 both ways: gradients of it are right for displacements of up to a pixel and more.
Plane smoothed(const Plane& plane) {
  Plane across(plane.size), result(plane.size);
  for (int y = 0; y < plane.size; ++y)
    for (int x = 0; x < plane.size; ++x)
      across.at(x, y) = 0.25F * plane.at(x - 1, y) + 0.5F * plane.at(x, y) + 0.25F * plane.at(x + 1, y);
  for (int y = 0; y < plane.size; ++y)
    for (int x = 0; x < plane.size; ++x)
      result.at(x, y) = 0.25F * std::as_const(across).at(x, y - 1) + 0.5F * std::as_const(across).at(x, y) +
                        0.25F * std::as_const(across).at(x, y + 1);
  return result;
}

struct Pixel {
  int x = 0, y = 0;
};
using Region = std::vector<Pixel>;

/// Pixels that have at least half of the colour, those that touch each other together.
std::vector<Region> connected_regions(const Plane& plane) {
  std::vector<Region> regions;
  std::vector<bool> known(plane.values.size());
  const auto add = [&](Region& region, int x, int y) {
    if (!plane.inside(x, y) || known[plane.index(x, y)] || plane.at(x, y) < 0.5F) return;
    known[plane.index(x, y)] = true;
    region.push_back({x, y});
  };
  for (int y = 0; y < plane.size; ++y)
    for (int x = 0; x < plane.size; ++x) {
      Region region;
      add(region, x, y);
      for (std::size_t i = 0; i < region.size(); ++i) {
        const Pixel p = region[i];
        for (const auto& [dx, dy] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}})
          add(region, p.x + dx, p.y + dy);
      }
      if (static_cast<double>(region.size()) >= min_region_area) regions.push_back(std::move(region));
    }
  return regions;
}

/// The region and what lies within `margin` pixels of it.
Region grown(const Region& region, int margin, int size) {
  std::vector<bool> known(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  Region result;
  for (const Pixel p : region)
    for (int y = std::max(0, p.y - margin); y <= std::min(size - 1, p.y + margin); ++y)
      for (int x = std::max(0, p.x - margin); x <= std::min(size - 1, p.x + margin); ++x) {
        const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(size) +
                              static_cast<std::size_t>(x);
        if (known[i]) continue;
        known[i] = true;
        result.push_back({x, y});
      }
  return result;
}

/// How far `now`, in the region, is from `expected`, whose whole-pixel shift is `shift`: the least-squares
/// solution of now - expected = -displacement . gradient, with the mean gradient of the two.
Vec2 displacement(const Plane& now, const Plane& expected, const Region& region, Pixel shift = {}) {
  double xx = 0, xy = 0, yy = 0, x1 = 0, y1 = 0;
  for (const Pixel p : region) {
    const int ex = p.x - shift.x, ey = p.y - shift.y;
    const double gx = 0.25 * static_cast<double>(now.at(p.x + 1, p.y) - now.at(p.x - 1, p.y) +
                                                 expected.at(ex + 1, ey) - expected.at(ex - 1, ey)),
                 gy = 0.25 * static_cast<double>(now.at(p.x, p.y + 1) - now.at(p.x, p.y - 1) +
                                                 expected.at(ex, ey + 1) - expected.at(ex, ey - 1)),
                 difference = static_cast<double>(now.at(p.x, p.y) - expected.at(ex, ey));
    xx += gx * gx, xy += gx * gy, yy += gy * gy;
    x1 -= gx * difference, y1 -= gy * difference;
  }
  constexpr double least = 0.05;  // where there is no edge in a direction, the displacement in it is 0
  xx += least, yy += least;
  const double determinant = xx * yy - xy * xy;
  return {(yy * x1 - xy * y1) / determinant, (xx * y1 - xy * x1) / determinant};
}

struct Match {
  Pixel shift;
  double difference = 0;  ///< sum of squares
};

/// The whole-pixel shift near `expected` of the region's pixels from `before`: least squared difference, the
/// nearer one of equals.
Match best_shift(const Plane& now, const Plane& before, const Region& region, Pixel place, Pixel expected,
                 int reach) {
  Match best;
  double least = 1e300;
  const auto test = [&](int dx, int dy) {
    const double far = 1e-3 * ((dx - expected.x) * (dx - expected.x) + (dy - expected.y) * (dy - expected.y));
    double difference = far;
    for (const Pixel p : region) {
      const double d = static_cast<double>(now.at(p.x - place.x, p.y - place.y) -
                                           before.at(p.x - place.x - dx, p.y - place.y - dy));
      difference += d * d;
      if (difference >= least) return;
    }
    least = difference;
    best = {{dx, dy}, difference - far};
  };
  // The nearest first: what has not moved is found at once, and others are soon known to be worse.
  for (int ring = 0; ring <= reach; ++ring)
    for (int dy = -ring; dy <= ring; ++dy)
      for (int dx = -ring; dx <= ring; dx += std::abs(dy) == ring ? 1 : 2 * ring)
        test(expected.x + dx, expected.y + dy);
  return best;
}

Region shifted(const Region& region, Pixel by) {
  Region result = region;
  for (Pixel& p : result) p.x -= by.x, p.y -= by.y;
  return result;
}

/// Smoothed planes of a material in the last two frames seen, the predicted and the true one.
struct FourPlanes {
  const Plane &earlier, &before, &predicted, &seen;
};

void add_regions(const FourPlanes& planes, const Plane& predicted, int frame, MaterialClass material,
                 std::vector<MovingRegion>& regions) {
  for (const Region& region : connected_regions(predicted)) {
    const Region seen_by = grown(region, around, predicted.size);
    const Match last = best_shift(planes.predicted, planes.before, seen_by, {}, {}, max_motion);
    const Vec2 whole{static_cast<double>(last.shift.x), static_cast<double>(last.shift.y)};
    const Vec2 motion = whole + displacement(planes.predicted, planes.before, seen_by, last.shift);
    if (length(motion) < resting_motion) continue;
    const Match earlier = best_shift(planes.before, planes.earlier, seen_by, last.shift, last.shift,
                                     max_motion_change);
    const Vec2 whole_before{static_cast<double>(earlier.shift.x), static_cast<double>(earlier.shift.y)};
    double square = 0;
    for (const Pixel p : seen_by)
      square += static_cast<double>(planes.predicted.at(p.x, p.y) * planes.predicted.at(p.x, p.y));
    regions.push_back(
        {.frame = frame,
         .material = material,
         .area = static_cast<double>(region.size()),
         .motion = motion,
         .motion_before = whole_before + displacement(planes.before, planes.earlier,
                                                      shifted(seen_by, last.shift), earlier.shift),
         .residual = displacement(planes.seen, planes.predicted, seen_by),
         .match = (last.difference + earlier.difference) / square});
  }
}

}  // namespace

double share_of_colour(MaterialClass material, double red, double green, double blue) {
  const FlatColour& flat = flat_colours()[static_cast<std::size_t>(material)];
  const double r = red - flat.colour.r, g = green - flat.colour.g, b = blue - flat.colour.b;
  return std::max(0.0, 1 - std::sqrt(r * r + g * g + b * b) / flat.reach);
}

Residuals residuals(const Clip& clip, const std::vector<float>& predicted_frames) {
  const std::size_t size = clip.frame_size();
  if (predicted_frames.size() != static_cast<std::size_t>(clip.frames - 1) * size)
    throw Error("prediction: found " + std::to_string(predicted_frames.size()) + " values, needed are " +
                std::to_string(static_cast<std::size_t>(clip.frames - 1) * size) + " for the clip");
  Residuals result;
  const auto seen_planes = [&](int t) {
    return planes_of(clip.pixels,
                     [rgb = clip.frame(t)](std::size_t i) { return static_cast<double>(rgb[i]); });
  };
  const auto all_smoothed = [](const Planes& planes) {
    Planes smooth;
    for (const Plane& plane : planes) smooth.push_back(smoothed(plane));
    return smooth;
  };
  Planes before = seen_planes(0), smooth_earlier, smooth_before = all_smoothed(before);
  for (int t = 1; t < clip.frames; ++t) {
    const float* values = predicted_frames.data() + static_cast<std::size_t>(t - 1) * size;
    Planes seen = seen_planes(t);
    const Planes predicted = planes_of(clip.pixels,
                                       [&](std::size_t i) { return 255.0 * static_cast<double>(values[i]); });
    Planes smooth_seen = all_smoothed(seen);
    for (std::size_t m = 0; m < changeable_count; ++m) {
      const auto material = static_cast<MaterialClass>(m);
      result.areas.push_back({t, material, sum(before[m]), sum(predicted[m]), sum(seen[m])});
      if (t >= 2 && result.areas.back().predicted >= min_region_area)
        add_regions({smooth_earlier[m], smooth_before[m], smoothed(predicted[m]), smooth_seen[m]},
                    predicted[m], t, material, result.regions);
    }
    before = std::move(seen);
    smooth_earlier = std::move(smooth_before);
    smooth_before = std::move(smooth_seen);
  }
  return result;
}

}  // namespace startle
