#include "surprise/colour_plane.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "render/palette.hpp"

namespace startle {
namespace {

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

}  // namespace

std::array<float, 3> flat_colour(MaterialClass material) {
  const Colour colour = flat_colours()[static_cast<std::size_t>(material)].colour;
  return {static_cast<float>(colour.r) / 255.0F, static_cast<float>(colour.g) / 255.0F,
          static_cast<float>(colour.b) / 255.0F};
}

double share_of_colour(MaterialClass material, double red, double green, double blue) {
  const FlatColour& flat = flat_colours()[static_cast<std::size_t>(material)];
  const double r = red - flat.colour.r, g = green - flat.colour.g, b = blue - flat.colour.b;
  return std::max(0.0, 1 - std::sqrt(r * r + g * g + b * b) / flat.reach);
}

Plane smoothed(const Plane& plane) {
  // With a border of zeros no pixel asks whether it has neighbours, and the compiler takes several at once.
  const auto n = static_cast<std::size_t>(plane.size), wide = n + 2;
  const auto smooth = [](const float* at, std::size_t step) {
    return 0.25F * *(at - step) + 0.5F * *at + 0.25F * *(at + step);
  };
  std::vector<float> row(wide), across(wide * n);
  Plane result(plane.size);
  for (std::size_t y = 0; y < n; ++y) {
    std::copy_n(&plane.values[y * n], n, row.begin() + 1);
    for (std::size_t x = 0; x < n; ++x) across[(y + 1) * n + x] = smooth(&row[x + 1], 1);
  }
  for (std::size_t i = 0; i < n * n; ++i) result.values[i] = smooth(&across[n + i], n);
  return result;
}

std::vector<PixelRegion> connected_regions(const Plane& plane) {
  std::vector<PixelRegion> regions;
  std::vector<bool> known(plane.values.size());
  const auto add = [&](PixelRegion& region, int x, int y) {
    if (!plane.inside(x, y) || known[plane.index(x, y)] || plane.at(x, y) < 0.5F) return;
    known[plane.index(x, y)] = true;
    region.push_back({x, y});
  };
  for (int y = 0; y < plane.size; ++y)
    for (int x = 0; x < plane.size; ++x) {
      PixelRegion region;
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

PixelRegion grown(const PixelRegion& region, int margin, int size) {
  std::vector<bool> known(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  PixelRegion result;
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

Vec2 displacement(const Plane& now, const Plane& expected, const PixelRegion& region, Pixel shift) {
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

ShiftMatch best_shift(const Plane& now, const Plane& before, const PixelRegion& region, Pixel place,
                      Pixel expected, int reach) {
  ShiftMatch best;
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

PixelRegion shifted(const PixelRegion& region, Pixel by) {
  PixelRegion result = region;
  for (Pixel& p : result) p.x -= by.x, p.y -= by.y;
  return result;
}

}  // namespace startle
