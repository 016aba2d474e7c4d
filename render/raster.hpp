#pragma once
/// \file  Filled shapes and lines as pixels, with soft edges (exact area coverage, 256 levels) or none.
///
/// Only + - * / and sqrt in double before coordinates are rounded to 1/256 of a pixel: equal bytes on every
/// machine.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "render/frames.hpp"
#include "render/palette.hpp"
#include "sim/geometry.hpp"

namespace startle {

/// Maps a point: x' = xx x + xy y + dx, y' = yx x + yy y + dy.
struct Affine {
  double xx = 1, xy = 0, yx = 0, yy = 1, dx = 0, dy = 0;

  Vec2 operator()(Vec2 p) const { return {xx * p.x + xy * p.y + dx, yx * p.x + yy * p.y + dy}; }
  /// First `inner`, then this.
  Affine after(const Affine& inner) const;
};
Affine affine(const Pose& pose);

/// What a surface is filled with. Gradients run from `from` to `to`, points in the coordinates of the path.
struct Paint {
  enum class Kind { flat, linear, radial };
  Kind kind = Kind::flat;
  Colour from, to;
  Vec2 a, b;  ///< linear: from a to b; radial: about a, as far as b

  Paint(Colour c) : from(c), to(c) {}
  static Paint linear(Vec2 a, Colour from, Vec2 b, Colour to);
  static Paint radial(Vec2 centre, Colour inside, double radius, Colour outside);
};

/// A picture on nothing: RGBA, 8 bits each, colours multiplied by alpha; rows from the top. Begins
/// transparent.
struct Sprite {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;

  Sprite() = default;
  Sprite(int w, int h)
      : width(w), height(h), rgba(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * 4) {}
};

/// Draws on one Bitmap or Sprite at a time. Paths are rings or lines of points that `map` turns into pixels
/// (y down, 0 at the top left corner of the top left pixel). Rings fill by the even-odd rule.
class Raster {
 public:
  Raster();
  ~Raster();
  Raster(Raster&&) noexcept;
  Raster& operator=(Raster&&) noexcept;

  /// All later calls draw on `picture`, which must outlive them. It has at least one pixel.
  void attach(Bitmap& picture);
  void attach(Sprite& sprite);
  /// Of a Bitmap.
  void clear(Colour c);
  void fill(const std::vector<Polygon>& rings, const Affine& map, const Paint& paint);
  /// Round joins and ends. `width` > 0 in the coordinates of the path; `map` turns and scales alike in all
  /// directions.
  void stroke(const Polygon& line, bool closed, double width, const Affine& map, const Paint& paint);
  /// ASCII text in AGG's stroke font, `height` pixels high, from the left end of its base line. Needs no font
  /// of the system.
  void text(const std::string& text, Vec2 start, double height, Colour c);
  double text_width(const std::string& text, double height) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes `id` where the centre of a pixel lies inside the rings (even-odd; borders: left and upper in, right
/// and lower out).
void fill_mask(const std::vector<Polygon>& rings, const Affine& map, std::uint16_t id, Mask& mask);

}  // namespace startle
