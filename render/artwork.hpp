#pragma once
/// \file  Pictures for people as lists of strokes and fills: blocks with their grain, pigs and birds with
/// their faces, the landscape.
#include <cstdint>
#include <string>
#include <vector>

#include "render/raster.hpp"
#include "sim/profile.hpp"
#include "sim/scene.hpp"

namespace startle {

/// A filled area, or a line when width > 0 (`rings` then holds lines).
struct Mark {
  std::vector<Polygon> rings;
  Paint paint;
  double width = 0;     ///< of the line, in the units of the points
  bool closed = false;  ///< lines that return to their start
};
using Artwork = std::vector<Mark>;

void draw(Raster& raster, const Artwork& artwork, const Affine& map);

/// Borders of a shape as they are drawn, in the body's frame: outer borders and holes.
std::vector<Polygon> rings_of(const Shape& shape);

/// In the body's frame. `number` chooses among the variants of a texture.
Artwork object_artwork(Kind kind, const std::string& type, Material material, const Shape& shape,
                       std::uint64_t number);
Artwork bird_artwork(const BirdType& bird);
/// Cracks in an object, in the body's frame; `stage` 1 to crack_stages, each with all of those before it.
Artwork cracks(Material material, const Shape& shape, int stage, std::uint64_t number);
inline constexpr int crack_stages = 3;
/// From no crack (0) to crack_stages by the share of life left.
int crack_stage(double share);

/// The box that all of the artwork lies in, widths of lines included. Of at least one mark.
Bounds extent(const Artwork& artwork);

/// Sky, clouds and hills of the part of the world that is seen.
Artwork backdrop(const Bounds& view, double ground_y);
Artwork ground_artwork(const Bounds& view, double ground_y);

/// About the slingshot's centre: what stands behind the bird with its half of the band, and what stands
/// before it. `pocket` is where the band is pulled to.
Artwork slingshot_behind(Vec2 pocket);
Artwork slingshot_before(Vec2 pocket);
/// Where the band hangs when nothing pulls it, relative to the slingshot's centre.
Vec2 slack_pocket();

/// A blast of that radius about the origin, and dust where something broke; `age` runs from 0 to 1.
Artwork blast(double radius, double age);
Artwork dust(double size, Colour c, double age, std::uint64_t number);

}  // namespace startle
