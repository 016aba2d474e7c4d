#include "viewer/drawing/pen.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/artwork.hpp"
#include "viewer/widgets.hpp"

namespace startle {
namespace {

constexpr float dash = 7, gap = 5;  ///< pixels

float distance(ImVec2 a, ImVec2 b) { return std::hypot(b.x - a.x, b.y - a.y); }

}  // namespace

Pen::Pen(const Camera2D& camera, ImVec2 corner)
    : camera_(camera), corner_(corner), list_(ImGui::GetBackgroundDrawList()) {}

ImVec2 Pen::pixel(Vec2 world) const {
  const Vec2 p = camera_.to_pixels(world);
  return {corner_.x + static_cast<float>(p.x), corner_.y + static_cast<float>(p.y)};
}

std::vector<std::vector<ImVec2>> Pen::rings(const Shape& shape) const {
  std::vector<std::vector<ImVec2>> rings;
  for (const Polygon& ring : rings_of(shape)) {
    rings.emplace_back();
    for (const Vec2 point : ring) rings.back().push_back(pixel(point));
  }
  return rings;
}

void Pen::fill(const Shape& shape, Colour c) const {
  if (full()) return;
  for (const Polygon& part : shape.parts) {
    // Counter-clockwise with y up is clockwise with y down, as ImGui wants polygons whose edges it softens.
    std::vector<ImVec2> points;
    for (const Vec2 point : part) points.push_back(pixel(point));
    list_->AddConvexPolyFilled(points.data(), static_cast<int>(points.size()), im_colour(c));
  }
  for (const Disc& disc : shape.discs)
    list_->AddCircleFilled(pixel(disc.centre), static_cast<float>(disc.radius * camera_.scale()),
                           im_colour(c), 32);
}

void Pen::outline(const Shape& shape, Colour c, float width) const {
  if (full()) return;
  for (const auto& ring : rings(shape))
    list_->AddPolyline(ring.data(), static_cast<int>(ring.size()), im_colour(c), ImDrawFlags_Closed, width);
}

void Pen::dashed_outline(const Shape& shape, Colour c, float width) const {
  for (auto& ring : rings(shape)) {
    if (ring.empty()) continue;
    ring.push_back(ring.front());
    dash_pixels(ring, c, width);
  }
}

void Pen::line(const std::vector<Vec2>& points, Colour c, float width) const {
  if (full()) return;
  std::vector<ImVec2> pixels;
  for (const Vec2 point : points) pixels.push_back(pixel(point));
  list_->AddPolyline(pixels.data(), static_cast<int>(pixels.size()), im_colour(c), ImDrawFlags_None, width);
}

void Pen::dashes(const std::vector<Vec2>& points, Colour c, float width) const {
  std::vector<ImVec2> pixels;
  for (const Vec2 point : points) pixels.push_back(pixel(point));
  dash_pixels(pixels, c, width);
}

void Pen::dash_pixels(const std::vector<ImVec2>& points, Colour c, float width) const {
  float drawn_length = 0;  // within dash and gap
  for (std::size_t i = 1; i < points.size(); ++i) {
    const ImVec2 a = points[i - 1], b = points[i];
    const float whole = distance(a, b);
    for (float at = 0; at < whole;) {
      const bool drawn = drawn_length < dash;
      const float piece = std::min(whole - at, (drawn ? dash : dash + gap) - drawn_length);
      const auto point = [&](float way) {
        return ImVec2{a.x + (b.x - a.x) * way / whole, a.y + (b.y - a.y) * way / whole};
      };
      if (drawn && !full()) list_->AddLine(point(at), point(at + piece), im_colour(c), width);
      at += std::max(piece, 0.01f);
      drawn_length += piece;
      if (drawn_length >= dash + gap - 0.001f) drawn_length = 0;
    }
  }
}

void Pen::arrow(Vec2 from, Vec2 to, Colour c, float width) const {
  const ImVec2 a = pixel(from), b = pixel(to);
  const float whole = distance(a, b);
  if (whole < 1 || full()) return;
  const float head = std::min(4 + 2.4f * width, 0.7f * whole);
  const ImVec2 way{(b.x - a.x) / whole, (b.y - a.y) / whole}, across{-way.y, way.x};
  const ImVec2 neck{b.x - head * way.x, b.y - head * way.y};
  list_->AddLine(a, {neck.x + 0.3f * head * way.x, neck.y + 0.3f * head * way.y}, im_colour(c), width);
  list_->AddTriangleFilled(b, {neck.x + 0.55f * head * across.x, neck.y + 0.55f * head * across.y},
                           {neck.x - 0.55f * head * across.x, neck.y - 0.55f * head * across.y},
                           im_colour(c));
}

void Pen::dot(Vec2 at, float radius, Colour c) const {
  if (!full()) list_->AddCircleFilled(pixel(at), radius, im_colour(c), 24);
}

void Pen::label(Vec2 at, const std::string& text, Colour text_colour, Colour plate, End end) const {
  if (full()) return;
  const TextSize small(Text::small);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const ImVec2 middle = pixel(at);
  const float before = end == End::middle ? 0.5f * size.x : size.x + 14;
  const ImVec2 corner{std::round(middle.x - before), std::round(middle.y - 0.5f * size.y)};
  list_->AddRectFilled({corner.x - 4, corner.y - 1}, {corner.x + size.x + 4, corner.y + size.y + 1},
                       im_colour(plate), 4);
  list_->AddText(corner, im_colour(text_colour), text.c_str());
}

}  // namespace startle
