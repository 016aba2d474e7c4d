#include "surprise/displacement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.hpp"

namespace startle {
namespace {

constexpr int max_motion_change = 4;  // pixels by which its motion can differ from that before

double sum(const Plane& plane) {
  double total = 0;
  for (const float value : plane.values) total += static_cast<double>(value);
  return total;
}

/// Smoothed planes of a material in the last two frames seen, the predicted and the true one.
struct FourPlanes {
  const Plane &earlier, &before, &predicted, &seen;
};

void add_regions(const FourPlanes& planes, const Plane& predicted, int frame, MaterialClass material,
                 std::vector<MovingRegion>& regions) {
  for (const PixelRegion& region : connected_regions(predicted)) {
    const PixelRegion seen_by = grown(region, around_region, predicted.size);
    const ShiftMatch last = best_shift(planes.predicted, planes.before, seen_by, {}, {}, max_motion);
    const Vec2 whole{static_cast<double>(last.shift.x), static_cast<double>(last.shift.y)};
    const Vec2 motion = whole + displacement(planes.predicted, planes.before, seen_by, last.shift);
    if (length(motion) < resting_motion) continue;
    const ShiftMatch earlier = best_shift(planes.before, planes.earlier, seen_by, last.shift, last.shift,
                                          max_motion_change);
    const Vec2 whole_before{static_cast<double>(earlier.shift.x), static_cast<double>(earlier.shift.y)};
    Vec2 centre;
    for (const Pixel p : region)
      centre = centre + (1 / static_cast<double>(region.size())) *
                            Vec2{static_cast<double>(p.x), static_cast<double>(p.y)};
    double square = 0;
    for (const Pixel p : seen_by)
      square += static_cast<double>(planes.predicted.at(p.x, p.y) * planes.predicted.at(p.x, p.y));
    regions.push_back(
        {.frame = frame,
         .material = material,
         .area = static_cast<double>(region.size()),
         .centre = centre,
         .motion = motion,
         .motion_before = whole_before + displacement(planes.before, planes.earlier,
                                                      shifted(seen_by, last.shift), earlier.shift),
         .residual = displacement(planes.seen, planes.predicted, seen_by),
         .match = (last.difference + earlier.difference) / square});
  }
}

}  // namespace

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
