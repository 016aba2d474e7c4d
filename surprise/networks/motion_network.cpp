#include "surprise/networks/motion_network.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/types.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/random.hpp"
#include "surprise/networks/predrnn_network.hpp"
#include "surprise/surprise_score.hpp"

namespace startle {
namespace {

constexpr std::int64_t crop_channels = 4, crop_values = 2 * crop_pixels * crop_pixels * crop_channels;
// Of a region: its crops, its motion, its match, its next motion, whether that is known, its material.
constexpr std::int64_t motion_at = crop_values, match_at = motion_at + 2, next_at = match_at + 1,
                       known_at = next_at + 2, material_at = known_at + 1, region_values = material_at + 1;
constexpr std::size_t regions_a_clip = 16;
constexpr std::int64_t head_width = 64;
constexpr double motion_unit = 8;      // pixels a frame
constexpr double crop_noise = 0.05;    // of values in [0, 1], either way
constexpr double motion_noise = 0.05;  // pixels, either way
constexpr double degrees_of_freedom = 4;

/// A crop around the pixel, crop_pixels x crop_pixels x 4: colours and the region's share; 0 outside the
/// frame.
void add_crop(const Clip& clip, int frame, Pixel centre, const Plane& share, float* out) {
  const std::uint8_t* rgb = clip.frame(frame);
  for (int y = 0; y < crop_pixels; ++y)
    for (int x = 0; x < crop_pixels; ++x, out += crop_channels) {
      const int px = centre.x + x - crop_pixels / 2, py = centre.y + y - crop_pixels / 2;
      if (!share.inside(px, py)) continue;
      for (std::size_t c = 0; c < 3; ++c)
        out[c] = static_cast<float>(rgb[3 * share.index(px, py) + c]) / 255.0F;
      out[3] = share.at(px, py);
    }
}

/// What the network sees of the region; `out` is zeros.
void add_region(const Clip& clip, const ClipPlanes& planes, const FollowedRegion& region, float* out) {
  const auto t = static_cast<std::size_t>(region.frame), m = static_cast<std::size_t>(region.material);
  const auto nearest = [](Vec2 v) {
    return Pixel{static_cast<int>(std::lround(v.x)), static_cast<int>(std::lround(v.y))};
  };
  const Pixel centre = nearest(region.centre), by = nearest(region.motion);
  const auto own = [&](const Plane& plane, Pixel shift) {
    Plane part(plane.size);
    for (const Pixel p : shifted(grown(region.pixels, 1, plane.size), shift))
      if (plane.inside(p.x, p.y)) part.at(p.x, p.y) = plane.at(p.x, p.y);
    return part;
  };
  add_crop(clip, region.frame - 1, {centre.x - by.x, centre.y - by.y}, own(planes.sharp[t - 1][m], by), out);
  add_crop(clip, region.frame, centre, own(planes.sharp[t][m], {}), out + crop_values / 2);
  out[motion_at] = static_cast<float>(region.motion.x);
  out[motion_at + 1] = static_cast<float>(region.motion.y);
  out[match_at] = static_cast<float>(region.match);
}

/// What becomes of the region, where it is found in the next frame.
void add_next_motion(const ClipPlanes& planes, const FollowedRegion& region, float* out) {
  const std::optional<Vec2> next = next_motion(planes, region);
  if (!next) return;
  out[next_at] = static_cast<float>(next->x);
  out[next_at + 1] = static_cast<float>(next->y);
  out[known_at] = 1;
}

/// Those of all frames but the last, which has no next one, in order of frames.
std::vector<FollowedRegion> all_regions(const ClipPlanes& planes) {
  std::vector<FollowedRegion> regions;
  for (int t = 1; t + 1 < static_cast<int>(planes.sharp.size()); ++t)
    for (FollowedRegion& region : followed_regions(planes, t)) regions.push_back(std::move(region));
  return regions;
}

/// Up to regions_a_clip of them, shared equally among the materials as far as each has regions, and evenly
/// over the frames: most that moves is of wood and stone, and pigs and ice must be learned, too.
std::vector<const FollowedRegion*> chosen_regions(const std::vector<FollowedRegion>& regions) {
  std::array<std::vector<const FollowedRegion*>, changeable_count> of;
  for (const FollowedRegion& region : regions)
    of[static_cast<std::size_t>(region.material)].push_back(&region);
  std::array<std::size_t, changeable_count> count{};
  const std::size_t all = std::min(regions.size(), regions_a_clip);
  for (std::size_t taken = 0, m = 0; taken < all; m = (m + 1) % changeable_count)
    if (count[m] < of[m].size()) ++count[m], ++taken;
  std::vector<const FollowedRegion*> chosen;
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t i = 0; i < count[m]; ++i) chosen.push_back(of[m][i * of[m].size() / count[m]]);
  return chosen;
}

/// The speed gained, [N, 2], and whether it is known, [N], of regions [N, values].
at::Tensor gain(const at::Tensor& regions) {
  return regions.narrow(1, next_at, 2) - regions.narrow(1, motion_at, 2);
}
at::Tensor known(const at::Tensor& regions) { return regions.select(1, known_at); }

ErrorSum distance_sum(const at::Tensor& expected, const at::Tensor& regions) {
  const at::Tensor distance = (expected - gain(regions)).square().sum(1).sqrt() * known(regions);
  return {distance.sum(at::kDouble).item<double>(), known(regions).sum(at::kDouble).item<double>()};
}

/// -log density of vectors [N, 2] under the distribution that the network states, [N, 3]: Student's t in two
/// dimensions.
at::Tensor negative_log_density(const at::Tensor& values, const at::Tensor& stated) {
  const at::Tensor scale = stated.select(1, 2).clamp(-5, 5);
  const at::Tensor off = (values - stated.narrow(1, 0, 2)).square().sum(1) * (-2 * scale).exp();
  return std::log(2 * M_PI) + 2 * scale + (degrees_of_freedom / 2 + 1) * (1 + off / degrees_of_freedom).log();
}

/// The same as in a mirror, where a coin says so: physics has no left and right.
at::Tensor mirrored(const at::Tensor& regions, const at::Tensor& coin) {
  at::Tensor other = regions.clone();
  other.narrow(1, 0, crop_values)
      .copy_(regions.narrow(1, 0, crop_values)
                 .reshape({-1, 2 * crop_pixels, crop_pixels, crop_channels})
                 .flip({2})
                 .reshape({-1, crop_values}));
  for (const std::int64_t at : {motion_at, next_at}) other.select(1, at).neg_();
  return at::where(coin.unsqueeze(1), other, regions);
}

/// The mean of the materials' means, of those that there are.
at::Tensor mean_over_materials(const at::Tensor& losses, const at::Tensor& materials) {
  const auto classes = static_cast<std::int64_t>(changeable_count);
  const at::Tensor of = at::one_hot(materials.to(at::kLong), classes).to(losses.scalar_type());
  const at::Tensor count = of.sum(0);
  return (of.t().mv(losses) / count.clamp_min(1)).sum() / (count > 0).sum();
}

std::string cell_name(int layer) { return "layers." + std::to_string(layer) + ".conv_"; }

}  // namespace

MotionNetwork::MotionNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device)
    : LearnedNetwork(config) {
  const std::int64_t h = config.channels, k = config.kernel, n = crop_pixels / config.patch,
                     input = config.patch * config.patch * crop_channels + 3;
  for (int l = 0; l < config.layers; ++l) {
    add(cell_name(l) + "x", {7 * h, l == 0 ? input : h, k, k});
    add(cell_name(l) + "h", {4 * h, h, k, k});
    add(cell_name(l) + "m", {3 * h, h, k, k});
    add(cell_name(l) + "o", {h, 2 * h, k, k});
    add(cell_name(l) + "last", {h, 2 * h, 1, 1});
  }
  add_layer("head", {head_width, h * n * n});
  add_layer("out", {3, head_width});
  allocate(seed, device);
}

at::Tensor MotionNetwork::read(const std::vector<const Clip*>& clips) const {
  at::Tensor all = at::zeros(
      {static_cast<std::int64_t>(clips.size()), static_cast<std::int64_t>(regions_a_clip), region_values});
  stack_clips(clips, config_.clips);  // refuses other sizes
  float* out = all.data_ptr<float>();
  for (const Clip* clip : clips) {
    const ClipPlanes planes(*clip);
    const std::vector<FollowedRegion> regions = all_regions(planes);
    const std::vector<const FollowedRegion*> chosen = chosen_regions(regions);
    for (std::size_t i = 0; i < regions_a_clip; ++i, out += region_values) {
      if (i >= chosen.size()) continue;
      const FollowedRegion& region = *chosen[i];
      add_region(*clip, planes, region, out);
      out[material_at] = static_cast<float>(region.material);
      add_next_motion(planes, region, out);
    }
  }
  return all;
}

at::Tensor MotionNetwork::forward(const at::Tensor& regions, const at::Tensor& noise) const {
  const std::int64_t count = regions.size(0), n = crop_pixels / config_.patch;
  at::Tensor crops = regions.narrow(1, 0, crop_values);
  if (noise.defined()) crops = crops + noise;
  const at::Tensor patches = crops.reshape({count, 2, n, config_.patch, n, config_.patch, crop_channels})
                                 .permute({1, 0, 3, 5, 6, 2, 4})
                                 .reshape({2, count, -1, n, n});
  const at::Tensor numbers =
      at::cat({regions.narrow(1, motion_at, 2) / motion_unit, regions.narrow(1, match_at, 1)}, 1)
          .view({count, 3, 1, 1})
          .expand({-1, -1, n, n});
  std::vector<JoinedCell> cells;
  const NetworkWeights& weight = *this;
  for (int l = 0; l < config_.layers; ++l)
    cells.push_back(join({weight[cell_name(l) + "x"], weight[cell_name(l) + "h"], weight[cell_name(l) + "m"],
                          weight[cell_name(l) + "o"], weight[cell_name(l) + "last"]}));
  std::vector<CellState> states(cells.size());
  at::Tensor memory, top;
  for (std::int64_t t = 0; t < 2; ++t) {
    top = at::cat({patches[t], numbers}, 1);
    for (std::size_t l = 0; l < cells.size(); ++l) {
      states[l].m = memory;
      states[l] = st_lstm_step(top, states[l], cells[l]);
      memory = states[l].m;
      top = states[l].h;
    }
  }
  return linear("out", linear("head", top.flatten(1)).relu());
}

at::Tensor MotionNetwork::loss(const at::Tensor& clips, const TrainingMoment& moment) {
  at::Tensor regions = clips.flatten(0, 1);
  regions = regions.index_select(0, known(regions).nonzero().squeeze(1));
  if (regions.size(0) == 0) return weights().sum() * 0;
  at::Generator generator = at::detail::createCPUGenerator(
      stream_seed(moment.training.seed + static_cast<std::uint64_t>(moment.first), "training/noise",
                  static_cast<std::uint64_t>(moment.step)));
  const auto drawn = [&](at::IntArrayRef sizes) {
    return at::rand(sizes, generator, regions.options().device(at::kCPU)).to(regions.device());
  };
  const std::int64_t count = regions.size(0);
  regions = mirrored(regions, drawn({count}) < 0.5);
  const at::Tensor target = gain(regions);
  regions.narrow(1, motion_at, 2).add_((2 * motion_noise) * (drawn({count, 2}) - 0.5));
  const at::Tensor out = forward(regions, (2 * crop_noise) * (drawn({count, crop_values}) - 0.5));
  return mean_over_materials(negative_log_density(target, out), regions.select(1, material_at));
}

ErrorSum MotionNetwork::error(const at::Tensor& clips, const TrainingConfig&) const {
  const at::Tensor regions = clips.flatten(0, 1);
  return distance_sum(forward(regions).narrow(1, 0, 2), regions);
}

ErrorSum MotionNetwork::control_error(const at::Tensor& clips, const TrainingConfig&) const {
  const at::Tensor regions = clips.flatten(0, 1);
  return distance_sum(at::zeros_like(gain(regions)), regions);
}

Prediction MotionNetwork::predict(const Clip& clip) const {
  stack_clips({&clip}, config_.clips);  // refuses other sizes
  const ClipPlanes planes(clip);
  const std::vector<FollowedRegion> regions = all_regions(planes);
  // LibTorch 1.13 takes a path many times slower for a single one.
  at::Tensor seen = at::zeros(
      {static_cast<std::int64_t>(std::max<std::size_t>(2, regions.size())), region_values});
  for (std::size_t i = 0; i < regions.size(); ++i) {
    float* out = seen.data_ptr<float>() + static_cast<std::int64_t>(i) * region_values;
    add_region(clip, planes, regions[i], out);
    add_next_motion(planes, regions[i], out);
  }
  const at::Tensor gained = forward(seen.to(device())).to(at::kCPU).contiguous();
  require_finite(gained, "predictions");
  Prediction prediction;
  const at::Tensor nll = negative_log_density(gain(seen), gained) * known(seen);
  prediction.stated = {.nll = nll.sum(at::kDouble).item<double>(),
                       .values = 2 * static_cast<std::size_t>(known(seen).sum().item<float>())};
  std::size_t next = 0;
  for (int t = 0; t + 1 < clip.frames; ++t) {
    std::vector<std::pair<const FollowedRegion*, Vec2>> moves;
    for (; next < regions.size() && regions[next].frame == t; ++next) {
      const float* a = gained.data_ptr<float>() + 3 * next;
      moves.push_back({&regions[next], regions[next].motion + Vec2{a[0], a[1]}});
    }
    const std::vector<float> frame = moved_frame(clip, t, planes.sharp[static_cast<std::size_t>(t)], moves);
    prediction.frames.insert(prediction.frames.end(), frame.begin(), frame.end());
  }
  return prediction;
}

std::vector<ClipSurprise> MotionNetwork::score(const std::vector<const Clip*>& clips) const {
  std::vector<ClipSurprise> scored;
  for (const Clip* clip : clips) {
    const Prediction prediction = predict(*clip);
    scored.push_back({.errors = frame_errors(*clip, prediction), .feature = {}, .stated = prediction.stated});
  }
  return scored;
}

}  // namespace startle
