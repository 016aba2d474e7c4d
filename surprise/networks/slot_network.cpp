#include "surprise/networks/slot_network.hpp"

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "surprise/networks/object_slots.hpp"

namespace startle {
namespace {

constexpr int rounds = 3;                     // of attention
constexpr double variance = 0.01;             // sigma^2, of a colour
constexpr double cost_of_slots = 0.5;         // of H
constexpr std::int64_t points_a_frame = 192;  // in training
constexpr std::int64_t frames_a_clip = 2;     // in training
constexpr std::int64_t frames_validated = 3;  // of each clip
constexpr std::int64_t found_at_once = 4;     // frames: what is computed of more does not fit the processor's
                                              // caches

/// Places of the pixels of a picture of that side, row by row, [side^2, 2].
at::Tensor places(std::int64_t side, const at::TensorOptions& options) {
  const at::Tensor along = (at::arange(side, options) + 0.5) / static_cast<double>(side);
  return at::stack({along.repeat({side}), along.repeat_interleave(side)}, 1);
}

/// [N, H, W, 3] of bytes or numbers to numbers in [0, 1].
at::Tensor in_unit(const at::Tensor& frames) {
  return frames.scalar_type() == at::kByte ? frames.to(at::kFloat).div_(255) : frames;
}

/// How far each pixel, [N, P, 3], is from each slot's colour, [N, K, 3], in units of the loss: [N, K, P].
at::Tensor misfit(const at::Tensor& colours, const at::Tensor& of_slots) {
  return (colours.unsqueeze(1) - of_slots.unsqueeze(2)).square().sum(3) / (2 * variance);
}

at::Tensor chosen_frames(const at::Tensor& clips, std::int64_t count) {
  std::vector<std::int64_t> at;
  for (std::int64_t i = 0; i < count; ++i)
    at.push_back(i * (clips.size(1) - 1) / std::max<std::int64_t>(1, count - 1));
  return in_unit(
      clips.index_select(1, at::tensor(at::ArrayRef<std::int64_t>(at), at::kLong).to(clips.device()))
          .flatten(0, 1));
}

}  // namespace

SlotNetwork::SlotNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device)
    : LearnedNetwork(config) {
  const std::int64_t c = config.channels, h = 3 * c / 2;
  const auto add_norm = [&](const std::string& name) {
    add(name + ".weight", {c}, First::one);
    add(name + ".bias", {c}, First::zero);
  };
  add_layer("tokens.conv0", {c, 3, 5, 5});
  add_layer("tokens.conv1", {c, c, 3, 3});
  add_layer("tokens.conv2", {c, c, 3, 3});
  add_layer("tokens.place", {c, 4});
  add_norm("tokens.norm0");
  add_layer("tokens.linear0", {2 * c, c});
  add_layer("tokens.linear1", {c, 2 * c});
  add_norm("tokens.norm1");
  add_layer("attention.key", {c, c}, false);
  add_layer("attention.value", {c, c}, false);
  add_layer("attention.query", {c, c}, false);
  add_norm("attention.norm");
  add("slots", {config.slots, c}, First::fan_in, 1);
  add_layer("update.input", {3 * c, c});
  add_layer("update.hidden", {3 * c, c});
  add_norm("update.norm");
  add_layer("update.linear0", {2 * c, c});
  add_layer("update.linear1", {c, 2 * c});
  add_layer("decoder.slot", {h, c});
  add_layer("decoder.place", {h, 4}, false);
  add_layer("decoder.linear0", {h, h});
  add_layer("decoder.weight", {1, h});
  add_layer("decoder.colour0", {h, c});
  add_layer("decoder.colour1", {3, h});
  allocate(seed, device);
}

SlotNetwork::Slots SlotNetwork::attend(const at::Tensor& frames) const {
  const NetworkWeights& net = *this;
  const std::int64_t count = frames.size(0), c = config_.channels, k = config_.slots;
  const auto norm = [&](const std::string& name, const at::Tensor& x) {
    return at::layer_norm(x, {c}, net[name + ".weight"], net[name + ".bias"]);
  };
  at::Tensor x = frames.permute({0, 3, 1, 2}).contiguous();
  for (const char* i : {"0", "1", "2"}) {
    const bool first = *i == '0';
    x = at::conv2d(x, net[std::string("tokens.conv") + i + ".weight"],
                   net[std::string("tokens.conv") + i + ".bias"], first ? 2 : 1, first ? 2 : 1)
            .relu();
  }
  const at::Tensor place = places(x.size(2), frames.options());
  x = x.flatten(2).transpose(1, 2) + linear("tokens.place", at::cat({place, 1 - place}, 1));
  x = norm("tokens.norm1",
           linear("tokens.linear1", linear("tokens.linear0", norm("tokens.norm0", x)).relu()));
  const at::Tensor keys = linear("attention.key", x).transpose(1, 2), values = linear("attention.value", x);
  at::Tensor slots = net["slots"].unsqueeze(0).expand({count, k, c}), shares;
  for (int round = 0; round < rounds; ++round) {
    const at::Tensor query = linear("attention.query", norm("attention.norm", slots));
    const at::Tensor claims = at::softmax(at::matmul(query, keys) / std::sqrt(static_cast<double>(c)), 1) +
                              1e-6;
    shares = claims / claims.sum(2, true);
    slots = at::gru_cell(at::matmul(shares, values).view({count * k, c}), slots.reshape({count * k, c}),
                         net["update.input.weight"], net["update.hidden.weight"], net["update.input.bias"],
                         net["update.hidden.bias"])
                .view({count, k, c});
    slots = slots + linear("update.linear1", linear("update.linear0", norm("update.norm", slots)).relu());
  }
  const at::Tensor mean = at::matmul(shares, place),
                   spread = at::matmul(shares, place.square()) - mean.square();
  return {.vector = slots, .place = mean, .extent = spread.clamp_min(1e-4).sqrt()};
}

SlotNetwork::Mixture SlotNetwork::decode(const Slots& slots, const at::Tensor& points) const {
  const at::Tensor from = ((points.unsqueeze(1) - slots.place.unsqueeze(2)) /
                           (2 * slots.extent.unsqueeze(2) + 0.02))
                              .clamp(-8, 8);
  const at::Tensor x = (linear("decoder.slot", slots.vector).unsqueeze(2) +
                        linear("decoder.place", at::cat({from, from.abs()}, 3)))
                           .relu();
  return {.colour = linear("decoder.colour1", linear("decoder.colour0", slots.vector).relu()),
          .log_weight = at::log_softmax(
              linear("decoder.weight", linear("decoder.linear0", x).relu()).squeeze(3), 1)};
}

at::Tensor SlotNetwork::losses(const at::Tensor& frames, const at::Tensor& points,
                               const at::Tensor& colours) const {
  const Mixture mixture = decode(attend(frames), points);
  const at::Tensor used = mixture.log_weight.exp().mean(2), entropy = -(used * (used + 1e-6).log()).sum(1);
  return -at::logsumexp(mixture.log_weight - misfit(colours, mixture.colour), 1).mean(1) +
         cost_of_slots * entropy;
}

at::Tensor SlotNetwork::read(const std::vector<const Clip*>& clips) const { return read_frames(clips); }

at::Tensor SlotNetwork::loss(const at::Tensor& clips, const TrainingMoment& moment) {
  const std::int64_t batch = clips.size(0), side = clips.size(2), count = batch * frames_a_clip;
  Random random(stream_seed(moment.training.seed, "training/points " + std::to_string(moment.first),
                            static_cast<std::uint64_t>(moment.step)));
  at::Tensor frame = at::empty({count}, at::kLong), pixel = at::empty({count, points_a_frame}, at::kLong);
  for (std::int64_t i = 0; i < count; ++i) {
    frame.data_ptr<std::int64_t>()[i] = i / frames_a_clip * clips.size(1) +
                                        random.integer(0, static_cast<int>(clips.size(1)) - 1);
    for (std::int64_t j = 0; j < points_a_frame; ++j)
      pixel.data_ptr<std::int64_t>()[i * points_a_frame + j] = random.integer(
          0, static_cast<int>(side * side) - 1);
  }
  pixel = pixel.to(clips.device());
  const at::Tensor frames = in_unit(clips.flatten(0, 1).index_select(0, frame.to(clips.device())));
  const at::Tensor colours = frames.flatten(1, 2).gather(1, pixel.unsqueeze(2).expand({-1, -1, 3}));
  return losses(
             frames,
             places(side, frames.options()).index_select(0, pixel.flatten()).view({count, points_a_frame, 2}),
             colours)
      .mean();
}

ErrorSum SlotNetwork::error(const at::Tensor& clips, const TrainingConfig&) const {
  const at::Tensor frames = chosen_frames(clips, frames_validated);
  const std::int64_t side = frames.size(1);
  const auto every_second = [&](const at::Tensor& x, std::int64_t dimension) {
    return x.slice(dimension, 0, side, 2).slice(dimension + 1, 0, side, 2).flatten(dimension, dimension + 1);
  };
  const at::Tensor points = every_second(places(side, frames.options()).view({1, side, side, 2}), 1);
  double sum = 0;
  for (std::int64_t from = 0; from < frames.size(0); from += found_at_once) {
    const at::Tensor some = frames.narrow(0, from, std::min(found_at_once, frames.size(0) - from));
    sum += losses(some, points, every_second(some, 1)).sum(at::kDouble).item<double>();
  }
  return {sum, static_cast<double>(frames.size(0))};
}

ErrorSum SlotNetwork::control_error(const at::Tensor& clips, const TrainingConfig&) const {
  const at::Tensor pixels = chosen_frames(clips, frames_validated).flatten(1, 2);
  const at::Tensor misfits = misfit(pixels, pixels.mean(1, true)).mean({1, 2});
  return {misfits.sum(at::kDouble).item<double>(), static_cast<double>(misfits.numel())};
}

at::Tensor SlotNetwork::groups(const at::Tensor& frames) const {
  const torch::NoGradGuard no_gradients;
  const std::int64_t count = frames.size(0), side = frames.size(1), coarse = (side + 3) / 4;
  std::vector<at::Tensor> parts;
  for (std::int64_t from = 0; from < count; from += found_at_once) {
    const at::Tensor some = in_unit(
        frames.narrow(0, from, std::min(found_at_once, count - from)).to(device()));
    const std::int64_t size = some.size(0);
    // Weights vary slowly, so a quarter of the places in each direction will do. Which slot a pixel is of,
    // its own colour says.
    const Mixture mixture = decode(attend(some), places(coarse, some.options()).unsqueeze(0));
    const at::Tensor log_weight = at::upsample_bilinear2d(
                                      mixture.log_weight.view({size, config_.slots, coarse, coarse}),
                                      {side, side}, false)
                                      .flatten(2);
    // -misfit() but for |x|^2, which is the same for all slots.
    const at::Tensor fit = log_weight + (2 * at::matmul(mixture.colour, some.flatten(1, 2).transpose(1, 2)) -
                                         mixture.colour.square().sum(2, true)) /
                                            (2 * variance);
    parts.push_back(fit.argmax(1).to(at::kByte).to(at::kCPU).view({size, side, side}));
  }
  return at::cat(parts);
}

at::Tensor SlotNetwork::things(const at::Tensor& frames) const {
  const at::Tensor bytes = frames.to(at::kCPU).contiguous(), slots = groups(frames).contiguous();
  at::Tensor result = at::empty_like(slots);
  const std::int64_t side = frames.size(1);
  for (std::int64_t i = 0; i < frames.size(0); ++i) {
    const std::uint8_t* labels = slots[i].data_ptr<std::uint8_t>();
    const std::vector<std::uint8_t> ids = label_things(
        bytes[i].data_ptr<std::uint8_t>(), {labels, labels + side * side}, static_cast<int>(side));
    std::copy(ids.begin(), ids.end(), result[i].data_ptr<std::uint8_t>());
  }
  return result;
}

std::vector<ClipSurprise> SlotNetwork::score(const std::vector<const Clip*>&) const {
  throw Error(
      "network slot: finds the things in a frame and scores no clips; train an object network with it "
      "(--mask-model)");
}

}  // namespace startle
