#include "render/texture.hpp"

#include <algorithm>
#include <cmath>

namespace startle {

std::vector<std::pair<double, double>> inside(const Shape& shape, Vec2 origin, Vec2 direction, double inset) {
  std::vector<std::pair<double, double>> pieces;
  for (const Polygon& part : shape.parts) {
    double from = -1e9, to = 1e9;
    for (std::size_t i = 0; i < part.size() && from < to; ++i) {
      const Vec2 edge = part[(i + 1) % part.size()] - part[i];
      const double rate = cross(edge, direction), depth = cross(edge, origin - part[i]);  // inside: depth + t rate >= 0
      if (rate > 1e-12) from = std::max(from, -depth / rate);
      else if (rate < -1e-12) to = std::min(to, -depth / rate);
      else if (depth < 0) to = from;
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
    if (!merged.empty() && piece.first <= merged.back().second + 1e-6) merged.back().second = std::max(merged.back().second, piece.second);
    else merged.push_back(piece);
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

}  // namespace startle
