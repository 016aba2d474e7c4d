#include "render/texture.hpp"

#include <algorithm>
#include <cmath>

namespace startle {
namespace {

constexpr Vec2 slant{0.6, 0.8};

void draw_pieces(const Shape& shape, Vec2 origin, Vec2 along, double inset, const DrawLine& draw) {
  for (const auto& [from, to] : inside(shape, origin, along, inset))
    draw(origin + from * along, origin + to * along);
}

}  // namespace

std::vector<std::pair<double, double>> inside(const Shape& shape, Vec2 origin, Vec2 direction, double inset) {
  std::vector<std::pair<double, double>> pieces;
  for (const Polygon& part : shape.parts) {
    double from = -1e9, to = 1e9;
    for (std::size_t i = 0; i < part.size() && from < to; ++i) {
      const Vec2 edge = part[(i + 1) % part.size()] - part[i];
      const double rate = cross(edge, direction), depth = cross(edge, origin - part[i]);  // inside: depth + t
                                                                                          // rate >= 0
      if (rate > 1e-12)
        from = std::max(from, -depth / rate);
      else if (rate < -1e-12)
        to = std::min(to, -depth / rate);
      else if (depth < 0)
        to = from;
    }
    if (from < to) pieces.emplace_back(from, to);
  }
  for (const Disc& disc : shape.discs) {
    const Vec2 offset = origin - disc.centre;
    const double b = dot(offset, direction), d = b * b - dot(offset, offset) + disc.radius * disc.radius;
    if (d > 0) pieces.emplace_back(-b - std::sqrt(d), -b + std::sqrt(d));
  }
  std::sort(pieces.begin(), pieces.end());
  std::vector<std::pair<double, double>> merged;
  for (const auto& piece : pieces) {
    if (!merged.empty() && piece.first <= merged.back().second + 1e-6)
      merged.back().second = std::max(merged.back().second, piece.second);
    else
      merged.push_back(piece);
  }
  for (auto& [from, to] : merged) {
    from += inset;
    to -= inset;
  }
  std::erase_if(merged, [](const auto& piece) { return piece.second <= piece.first; });
  return merged;
}

bool contains(const Shape& shape, Vec2 point) {
  for (const auto& [from, to] : inside(shape, point, {1, 0}, 0))
    if (from <= 0 && 0 <= to) return true;
  return false;
}

void draw_grain(const Grain& grain, const Shape& shape, Random& random, const DrawLine& draw) {
  const Bounds box = bounds(shape);
  const bool lying = box.width() >= box.height();
  const double across = lying ? box.height() : box.width();
  const int lines = std::max(2, static_cast<int>(std::lround(across / grain.spacing)));
  for (int i = 0; i < lines; ++i) {
    const double offset = (i + random.uniform(grain.low, grain.high)) / lines * across;
    const Vec2 origin = lying ? Vec2{0, box.ymin + offset} : Vec2{box.xmin + offset, 0};
    const Vec2 along = lying ? Vec2{1, 0} : Vec2{0, 1};
    for (const auto& [from, to] : inside(shape, origin, along, grain.inset)) {
      const double start = from + random.uniform(0, grain.ragged) * (to - from),
                   end = to - random.uniform(0, grain.ragged) * (to - from);
      draw(origin + start * along, origin + end * along);
    }
  }
}

void draw_shine(double spacing, double inset, const Shape& shape,
                const std::function<void(Vec2, Vec2, bool)>& draw) {
  const Bounds box = bounds(shape);
  const double reach = 0.5 * (box.width() + box.height());
  for (double at = -reach + 0.16; at < reach; at += spacing)
    for (const bool fine : {false, true})
      draw_pieces(shape, box.centre() + Vec2{fine ? at + 0.1 : at, 0}, slant, inset,
                  [&](Vec2 from, Vec2 to) { draw(from, to, fine); });
}

void draw_flecks(const Flecks& flecks, const Shape& shape, Random& random,
                 const std::function<void(Vec2, double, bool)>& draw) {
  const Bounds box = bounds(shape);
  const int tries = std::clamp(static_cast<int>(std::lround(box.width() * box.height() * flecks.density)),
                               flecks.fewest, flecks.most);
  for (int i = 0; i < tries; ++i) {
    const Vec2 at{random.uniform(box.xmin, box.xmax), random.uniform(box.ymin, box.ymax)};
    const double size = random.uniform(flecks.smallest, flecks.largest);
    const bool dark = random.chance(0.6);
    const Vec2 beside{flecks.room_beside * size, 0}, over{0, flecks.room_over * size};
    if (contains(shape, at + beside) && contains(shape, at - beside) && contains(shape, at + over) &&
        contains(shape, at - over))
      draw(at, size, dark);
  }
}

void draw_hatch(double inset, const Shape& shape, const DrawLine& draw) {
  const Bounds box = bounds(shape);
  for (double x = box.xmin - box.height(); x < box.xmax; x += 0.22)
    draw_pieces(shape, {x, box.ymin}, slant, inset, draw);
}

}  // namespace startle
