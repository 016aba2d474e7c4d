#include "surprise/followed_region.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace startle {
namespace {

constexpr double max_mismatch = 0.5;  // squared difference over square: what differs by more is another thing
constexpr int max_gain = 6;           // pixels by which the next motion can differ from the last

Vec2 whole(Pixel shift) { return {static_cast<double>(shift.x), static_cast<double>(shift.y)}; }

double square(const Plane& plane, const PixelRegion& region) {
  double sum = 0;
  for (const Pixel p : region) sum += static_cast<double>(plane.at(p.x, p.y) * plane.at(p.x, p.y));
  return sum;
}

/// The plane at a place between pixels.
float between(const Plane& plane, double x, double y) {
  const int x0 = static_cast<int>(std::floor(x)), y0 = static_cast<int>(std::floor(y));
  const float fx = static_cast<float>(x - x0), fy = static_cast<float>(y - y0);
  return (1 - fy) * ((1 - fx) * plane.at(x0, y0) + fx * plane.at(x0 + 1, y0)) +
         fy * ((1 - fx) * plane.at(x0, y0 + 1) + fx * plane.at(x0 + 1, y0 + 1));
}

/// Colours the pixels that are to be filled as the nearest others.
void fill(std::vector<float>& frame, std::vector<bool> hole, int size) {
  const auto index = [size](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(size) + static_cast<std::size_t>(x);
  };
  PixelRegion front;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      if (!hole[index(x, y)]) front.push_back({x, y});
  for (std::size_t i = 0; i < front.size(); ++i)
    for (const auto& [dx, dy] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
      const int x = front[i].x + dx, y = front[i].y + dy;
      if (x < 0 || y < 0 || x >= size || y >= size || !hole[index(x, y)]) continue;
      hole[index(x, y)] = false;
      std::copy_n(frame.begin() + static_cast<std::ptrdiff_t>(3 * index(front[i].x, front[i].y)), 3,
                  frame.begin() + static_cast<std::ptrdiff_t>(3 * index(x, y)));
      front.push_back({x, y});
    }
}

}  // namespace

ClipPlanes::ClipPlanes(const Clip& clip) {
  for (int t = 0; t < clip.frames; ++t) {
    sharp.push_back(
        planes_of(clip.pixels, [rgb = clip.frame(t)](std::size_t i) { return static_cast<double>(rgb[i]); }));
    smooth.emplace_back();
    for (const Plane& plane : sharp.back()) smooth.back().push_back(smoothed(plane));
  }
}

std::vector<FollowedRegion> followed_regions(const ClipPlanes& planes, int frame) {
  std::vector<FollowedRegion> found;
  const auto t = static_cast<std::size_t>(frame);
  for (std::size_t m = 0; m < changeable_count; ++m) {
    const Plane &now = planes.smooth[t][m], &before = planes.smooth[t - 1][m];
    for (PixelRegion& region : connected_regions(planes.sharp[t][m])) {
      const PixelRegion seen_by = grown(region, around_region, now.size);
      const ShiftMatch last = best_shift(now, before, seen_by, {}, {}, max_motion);
      const Vec2 motion = whole(last.shift) + displacement(now, before, seen_by, last.shift);
      const double match = last.difference / square(now, seen_by);
      if (length(motion) < resting_motion || match > max_mismatch) continue;
      Vec2 centre;
      for (const Pixel p : region) centre = centre + whole(p);
      centre = (1 / static_cast<double>(region.size())) * centre;
      found.push_back({.frame = frame,
                       .material = static_cast<MaterialClass>(m),
                       .pixels = std::move(region),
                       .centre = centre,
                       .motion = motion,
                       .match = match});
    }
  }
  return found;
}

std::optional<Vec2> next_motion(const ClipPlanes& planes, const FollowedRegion& region) {
  const auto t = static_cast<std::size_t>(region.frame), m = static_cast<std::size_t>(region.material);
  if (t + 1 >= planes.smooth.size()) return {};
  const Plane &now = planes.smooth[t][m], &next = planes.smooth[t + 1][m];
  const PixelRegion seen_by = grown(region.pixels, around_region, now.size);
  const Pixel expected{-static_cast<int>(std::lround(region.motion.x)),
                       -static_cast<int>(std::lround(region.motion.y))};
  const ShiftMatch found = best_shift(now, next, seen_by, {}, expected, max_gain);
  if (found.difference > max_mismatch * square(now, seen_by)) return {};
  return -1.0 * (whole(found.shift) + displacement(now, next, seen_by, found.shift));
}

std::vector<float> moved_frame(const Clip& clip, int frame, const Planes& sharp,
                               const std::vector<std::pair<const FollowedRegion*, Vec2>>& moves) {
  const int size = clip.pixels;
  std::vector<float> result(clip.frame_size());
  std::transform(clip.frame(frame), clip.frame(frame) + clip.frame_size(), result.begin(),
                 [](std::uint8_t value) { return static_cast<float>(value) / 255.0F; });
  if (moves.empty()) return result;
  std::vector<bool> hole(clip.frame_size() / 3);
  std::vector<Plane> parts;  // of each region its share of each pixel
  for (const auto& [region, by] : moves) {
    const Plane& plane = sharp[static_cast<std::size_t>(region->material)];
    Plane part(size);
    for (const Pixel p : grown(region->pixels, 1, size)) {
      part.at(p.x, p.y) = plane.at(p.x, p.y);
      if (plane.at(p.x, p.y) > 0) hole[plane.index(p.x, p.y)] = true;
    }
    parts.push_back(std::move(part));
  }
  fill(result, std::move(hole), size);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const std::array<float, 3> rgb = flat_colour(moves[i].first->material);
    const Vec2 by = moves[i].second;
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) {
        const float share = between(parts[i], x - by.x, y - by.y);
        if (share == 0) continue;
        float* pixel = result.data() + 3 * parts[i].index(x, y);
        for (std::size_t c = 0; c < 3; ++c) pixel[c] += share * (rgb[c] - pixel[c]);
      }
  }
  return result;
}

}  // namespace startle
