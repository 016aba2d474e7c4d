#pragma once
/// \file  Lines, arrows, outlines and labels over the world, in the window's pixels: what overlays are drawn
/// with.
///
/// Drawn on ImGui's background list: above the world, under all widgets, with soft edges. The list holds
/// 65536 corners in all; what is drawn once it is nearly full, over thousands of objects, is left out.
#include <imgui.h>

#include <string>
#include <vector>

#include "render/palette.hpp"
#include "sim/geometry.hpp"
#include "viewer/drawing/camera.hpp"

namespace startle {

class Pen {
 public:
  /// `corner`: where the upper left corner of what the camera sees is in the window. Between begin_frame()
  /// and end_frame() of Widgets.
  explicit Pen(const Camera2D& camera, ImVec2 corner = {0, 0});

  /// Widths and radii in pixels, points in world units.
  void fill(const Shape& world_shape, Colour c) const;
  void outline(const Shape& world_shape, Colour c, float width) const;
  void dashed_outline(const Shape& world_shape, Colour c, float width) const;
  void line(const std::vector<Vec2>& points, Colour c, float width) const;
  void dashes(const std::vector<Vec2>& points, Colour c, float width) const;
  void arrow(Vec2 from, Vec2 to, Colour c, float width) const;
  void dot(Vec2 at, float radius, Colour c) const;
  /// Text on a plate about `at`, or with its right end there.
  enum class End { middle, right };
  void label(Vec2 at, const std::string& text, Colour text_colour, Colour plate, End end = End::middle) const;
  /// A bar as wide as the interval, at a height.
  void bar(double from, double to, double y, Colour c, float width) const {
    line({{from, y}, {to, y}}, c, width);
  }

  ImVec2 pixel(Vec2 world) const;

 private:
  bool full() const { return list_->_VtxCurrentIdx > 62000; }
  std::vector<std::vector<ImVec2>> rings(const Shape& world_shape) const;
  void dash_pixels(const std::vector<ImVec2>& points, Colour c, float width) const;

  const Camera2D& camera_;
  ImVec2 corner_;
  ImDrawList* list_;
};

inline ImU32 im_colour(Colour c) { return IM_COL32(c.r, c.g, c.b, c.a); }
inline ImVec4 im_colour4(Colour c) { return {c.r / 255.0f, c.g / 255.0f, c.b / 255.0f, c.a / 255.0f}; }

}  // namespace startle
