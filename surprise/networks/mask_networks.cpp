#include "surprise/networks/mask_networks.hpp"

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "core/random.hpp"
#include "surprise/networks/object_slots.hpp"

namespace startle {
namespace {

using First = NetworkWeights::First;
constexpr std::int64_t frames_at_once = 32;     // more do not fit the processor's caches
constexpr std::size_t frames_a_step = 4;        // of each clip, for the mask network
constexpr std::size_t triplets_a_step = 4;      // of each clip, in training
constexpr std::size_t triplets_validated = 16;  // of each clip at most
constexpr std::int64_t noise_size = 100;

// -----------------------------------------------------------------------------------------------------------
// layers

void add_norm(NetworkWeights& net, const std::string& name, std::int64_t channels) {
  net.add(name + ".weight", {channels}, First::one);
  net.add(name + ".bias", {channels}, First::zero);
  net.add_buffer(name + ".mean", {channels}, First::zero);
  net.add_buffer(name + ".variance", {channels}, First::one);
}

void add_conv(NetworkWeights& net, const std::string& name, std::int64_t out, std::int64_t in,
              std::int64_t width, bool bias, First first = First::fan_in) {
  net.add(name + ".weight", {out, in, width, width}, first);
  if (bias) net.add(name + ".bias", {out}, first == First::normal ? First::zero : first, in * width * width);
}

/// Batch normalisation: by the batch in training, by the running means in use.
at::Tensor norm(const NetworkWeights& net, const std::string& name, const at::Tensor& x, bool training) {
  return at::batch_norm(x, net[name + ".weight"], net[name + ".bias"], net[name + ".mean"],
                        net[name + ".variance"], training, 0.1, 1e-5, false);
}

at::Tensor conv(const NetworkWeights& net, const std::string& name, const at::Tensor& x, std::int64_t stride,
                std::int64_t padding, bool bias) {
  return at::conv2d(x, net[name + ".weight"], bias ? net[name + ".bias"] : at::Tensor(), stride, padding);
}

void add_block(NetworkWeights& net, const std::string& name, std::int64_t out, std::int64_t in) {
  add_conv(net, name + ".conv1", out, in, 3, false);
  add_norm(net, name + ".norm1", out);
  add_conv(net, name + ".conv2", out, out, 3, false);
  add_norm(net, name + ".norm2", out);
  if (in == out) return;
  add_conv(net, name + ".shortcut", out, in, 1, false);
  add_norm(net, name + ".shortcut_norm", out);
}

/// In use with channels last, which convolutions take without reordering.
at::Tensor in_order(const at::Tensor& x, bool training) {
  return training ? x : x.contiguous(at::MemoryFormat::ChannelsLast);
}

/// Residual block (He et al. 2016); one that changes the number of channels halves the picture.
at::Tensor block(const NetworkWeights& net, const std::string& name, const at::Tensor& x, bool halves,
                 bool training) {
  at::Tensor y =
      norm(net, name + ".norm1", conv(net, name + ".conv1", x, halves ? 2 : 1, 1, false), training).relu();
  y = norm(net, name + ".norm2", conv(net, name + ".conv2", y, 1, 1, false), training);
  return (y + (halves ? norm(net, name + ".shortcut_norm", conv(net, name + ".shortcut", x, 2, 0, false),
                             training)
                      : x))
      .relu();
}

/// Values of a frame between encoder and code, and between code and decoder.
std::int64_t features_of(const ModelConfig& config) {
  return 2 * config.channels * (config.clips.pixels / 8) * (config.clips.pixels / 8);
}

void add_encoder(NetworkWeights& net, const ModelConfig& config) {
  const std::int64_t c = config.channels;
  add_conv(net, "encoder.conv", c, 3, 7, false);
  add_norm(net, "encoder.norm", c);
  add_block(net, "encoder.block1", c, c);
  add_block(net, "encoder.block2", c, c);
  add_block(net, "encoder.block3", 2 * c, c);
  add_block(net, "encoder.block4", 2 * c, 2 * c);
  net.add_layer("encoder.code", {config.code, features_of(config)});
}

at::Tensor encode(const NetworkWeights& net, const at::Tensor& frames, bool training) {
  at::Tensor x = norm(net, "encoder.norm", conv(net, "encoder.conv", in_order(frames, training), 2, 3, false),
                      training)
                     .relu();
  x = at::max_pool2d(x, 3, 2, 1);
  x = block(net, "encoder.block1", x, false, training);
  x = block(net, "encoder.block2", x, false, training);
  x = block(net, "encoder.block3", x, true, training);
  x = block(net, "encoder.block4", x, false, training);
  return net.linear("encoder.code", x.flatten(1)).sigmoid();
}

void add_decoder(NetworkWeights& net, const ModelConfig& config, std::int64_t codes) {
  const std::int64_t c = config.channels;
  net.add_layer("decoder.code", {features_of(config), codes * config.code});
  const std::vector<std::int64_t> widths{2 * c, 4 * c, 2 * c, c};
  for (std::size_t i = 0; i < 3; ++i) {
    add_conv(net, "decoder.conv" + std::to_string(i), widths[i + 1], widths[i], 3, true);
    add_norm(net, "decoder.norm" + std::to_string(i), widths[i + 1]);
  }
  add_conv(net, "decoder.conv3", 3, c, 3, true);
}

at::Tensor decode(const NetworkWeights& net, const ModelConfig& config, const at::Tensor& code,
                  bool training) {
  at::Tensor x = in_order(
      net.linear("decoder.code", code)
          .view({code.size(0), 2 * config.channels, config.clips.pixels / 8, config.clips.pixels / 8}),
      training);
  for (const char* i : {"0", "1", "2"}) {
    x = norm(net, std::string("decoder.norm") + i, conv(net, std::string("decoder.conv") + i, x, 1, 1, true),
             training)
            .relu();
    x = at::upsample_nearest2d(x, {2 * x.size(2), 2 * x.size(3)});
  }
  return conv(net, "decoder.conv3", x, 1, 1, true).sigmoid();
}

/// Of a step, `most` of `count` things, or all of them, in order.
std::vector<std::int64_t> chosen(std::int64_t count, std::size_t most, std::uint64_t seed) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  if (most == 0 || all.size() <= most) return all;
  Random random(seed);
  random.shuffle(all);
  all.resize(most);
  std::sort(all.begin(), all.end());
  return all;
}

/// [B, T, H, W, C] to [B T, C, H, W], those of one clip after the other; bytes to [0, 1].
at::Tensor to_pictures(const at::Tensor& clips) {
  const at::Tensor pictures = clips.flatten(0, 1).permute({0, 3, 1, 2});
  return pictures.scalar_type() == at::kByte ? pictures.to(at::kFloat).div_(255).contiguous()
                                             : pictures.contiguous();
}

at::Tensor frames_at(const at::Tensor& clips, const std::vector<std::int64_t>& places) {
  return to_pictures(
      clips.index_select(1, at::tensor(at::ArrayRef<std::int64_t>(places), at::kLong).to(clips.device())));
}

/// Masks in which the class of each pixel is certain, [B T, 3, H, W], of what MaskNetwork reads.
at::Tensor sure_masks(const at::Tensor& clips) {
  const at::Tensor classes = clips.narrow(4, 3, 1).flatten(0, 1).permute({0, 3, 1, 2});
  return at::cat(
      {(classes == 0).to(at::kFloat), (classes == 1).to(at::kFloat), (classes == 2).to(at::kFloat)}, 1);
}

ErrorSum squared(const at::Tensor& a, const at::Tensor& b) {
  return {(a - b).square().sum(at::kDouble).item<double>(), static_cast<double>(a.numel())};
}

}  // namespace

// -----------------------------------------------------------------------------------------------------------
// mask predictor

MaskNetwork::MaskNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device)
    : LearnedNetwork(config) {
  add_encoder(*this, config);
  add_decoder(*this, config, 1);
  allocate(seed, device);
}

at::Tensor MaskNetwork::forward(const at::Tensor& frames, bool training) const {
  return decode(*this, config_, encode(*this, frames, training), training);
}

at::Tensor MaskNetwork::of_clips(const at::Tensor& frames) const {
  const torch::NoGradGuard no_gradients;
  // Clips of tests show many frames more than once.
  const at::Tensor every = frames.flatten(0, 1);
  const AlikeRows alike = alike_rows(every);
  const at::Tensor all = every.index_select(0, alike.first);
  std::vector<at::Tensor> masks;
  for (std::int64_t from = 0; from < all.size(0); from += frames_at_once) {
    const at::Tensor part = all.narrow(0, from, std::min(frames_at_once, all.size(0) - from));
    masks.push_back(forward(to_pictures(part.unsqueeze(0)), false).permute({0, 2, 3, 1}));
  }
  return at::cat(masks).index_select(0, alike.kind).view(frames.sizes());
}

at::Tensor masks_of_clips(const LearnedNetwork& masks, const at::Tensor& frames) {
  return dynamic_cast<const MaskNetwork&>(masks).of_clips(frames);
}

at::Tensor MaskNetwork::read(const std::vector<const Clip*>& clips) const {
  const at::Tensor frames = read_frames(clips);
  at::Tensor classes = at::full({frames.size(0), frames.size(1), frames.size(2), frames.size(3), 1}, 255,
                                at::kByte);
  std::uint8_t* target = classes.data_ptr<std::uint8_t>();
  for (const Clip* clip : clips) {
    const std::size_t size = clip->rgb.size() / 3;
    if (clip->masks.size() != size)
      throw Error(
          "clip: has no masks, which network mask learns from; startle surprise dataset --masks makes clips "
          "that have");
    for (std::size_t i = 0; i < size; ++i)
      target[i] = static_cast<std::uint8_t>(entity_class(clip->masks[i], config_.occluders_from));
    target += size;
  }
  return at::cat({frames, classes}, 4);
}

at::Tensor MaskNetwork::loss(const at::Tensor& clips, const TrainingMoment& moment) {
  const std::uint64_t seed = stream_seed(moment.training.seed, "training/frames",
                                         static_cast<std::uint64_t>(moment.step));
  const std::vector<std::int64_t> places = chosen(clips.size(1), frames_a_step, seed);
  const at::Tensor index = at::tensor(at::ArrayRef<std::int64_t>(places), at::kLong).to(clips.device());
  const at::Tensor some = clips.index_select(1, index);
  return at::mse_loss(forward(to_pictures(some.narrow(4, 0, 3)), true), sure_masks(some));
}

ErrorSum MaskNetwork::error(const at::Tensor& clips, const TrainingConfig&) const {
  return squared(to_pictures(of_clips(clips.narrow(4, 0, 3))), sure_masks(clips));
}

ErrorSum MaskNetwork::control_error(const at::Tensor& clips, const TrainingConfig&) const {
  const at::Tensor masks = sure_masks(clips);
  return squared(masks.mean({0, 2, 3}, true).expand_as(masks), masks);
}

std::vector<ClipSurprise> MaskNetwork::score(const std::vector<const Clip*>&) const {
  throw Error(
      "network mask: predicts what a frame shows and scores no clips; train a cnn, gan or predrnn with it "
      "(--mask-model)");
}

// -----------------------------------------------------------------------------------------------------------
// a span ahead

at::Tensor SpanNetwork::read(const std::vector<const Clip*>& clips) const { return read_frames(clips); }

SpanNetwork::Triplets SpanNetwork::triplets(const at::Tensor& clips, std::size_t most,
                                            std::uint64_t seed) const {
  std::vector<std::int64_t> first = chosen(clips.size(1) - config_.history - config_.span, most, seed),
                            second, target;
  for (const std::int64_t t : first) {
    second.push_back(t + config_.history);
    target.push_back(t + config_.history + config_.span);
  }
  // Masks are made of the frames that the triplets hold alone: in training these are few.
  std::vector<std::int64_t> held;
  for (const auto* places : {&first, &second, &target})
    held.insert(held.end(), places->begin(), places->end());
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  const at::Tensor masks = masks_of_clips(
      *masks_,
      clips.index_select(1, at::tensor(at::ArrayRef<std::int64_t>(held), at::kLong).to(clips.device())));
  const auto masks_at = [&](std::vector<std::int64_t> places) {
    for (std::int64_t& place : places)
      place = std::lower_bound(held.begin(), held.end(), place) - held.begin();
    return frames_at(masks, places);
  };
  return {.first = frames_at(clips, first),
          .second = frames_at(clips, second),
          .first_mask = masks_at(first),
          .second_mask = masks_at(second),
          .target = masks_at(target)};
}

ErrorSum SpanNetwork::error(const at::Tensor& clips, const TrainingConfig&) const {
  const Triplets all = triplets(clips, triplets_validated);
  return squared(predicted(all), all.target);
}

ErrorSum SpanNetwork::control_error(const at::Tensor& clips, const TrainingConfig&) const {
  const Triplets all = triplets(clips, triplets_validated);
  return squared(all.second_mask, all.target);
}

std::pair<at::Tensor, at::Tensor> SpanNetwork::errors_and_changes(const Triplets& all) const {
  return {(predicted(all) - all.target).square().sum({1, 2, 3}, false, at::kDouble),
          (all.second_mask - all.target).square().sum({1, 2, 3}, false, at::kDouble)};
}

std::vector<ClipSurprise> SpanNetwork::score(const std::vector<const Clip*>& clips) const {
  const auto [errors, changes] = errors_and_changes(triplets(read(clips).to(device())));
  const std::int64_t count = static_cast<std::int64_t>(clips.size()),
                     before = config_.history + config_.span - 1;
  const auto with_zeros = [&](const at::Tensor& values) {
    return at::constant_pad_nd(values.view({count, -1}), {before, 0});
  };
  return clip_surprises(with_zeros(errors), with_zeros(changes));
}

// -----------------------------------------------------------------------------------------------------------
// encoder-decoder

CnnNetwork::CnnNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device,
                       std::shared_ptr<const LearnedNetwork> masks)
    : SpanNetwork(config, std::move(masks)) {
  add_encoder(*this, config);
  add_decoder(*this, config, 2);
  allocate(seed, device);
}

at::Tensor CnnNetwork::predicted(const Triplets& all) const {
  // What is the same more than once is computed once.
  const at::Tensor frames = at::cat({all.first, all.second});
  const AlikeRows seen = alike_rows(frames);
  const at::Tensor codes = encode(*this, frames.index_select(0, seen.first), false);
  const AlikeRows pairs = alike_rows(seen.kind.view({2, -1}).t());
  const at::Tensor of_pairs = codes.index_select(0, seen.kind)
                                  .view({2, -1, config_.code})
                                  .index_select(1, pairs.first)
                                  .transpose(0, 1)
                                  .flatten(1);
  return decode(*this, config_, of_pairs, false).index_select(0, pairs.kind);
}

at::Tensor CnnNetwork::loss(const at::Tensor& clips, const TrainingMoment& moment) {
  const Triplets some = triplets(
      clips, triplets_a_step,
      stream_seed(moment.training.seed, "training/triplets", static_cast<std::uint64_t>(moment.step)));
  const at::Tensor codes = encode(*this, at::cat({some.first, some.second}), true);
  const std::int64_t count = some.first.size(0);
  return at::mse_loss(
      decode(*this, config_, at::cat({codes.narrow(0, 0, count), codes.narrow(0, count, count)}, 1), true),
      some.target);
}

// -----------------------------------------------------------------------------------------------------------
// generator and discriminator

GanNetwork::GanNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device,
                       std::shared_ptr<const LearnedNetwork> masks)
    : SpanNetwork(config, std::move(masks)) {
  const std::int64_t c = config.channels;
  const auto down = [&](const std::string& name, const std::vector<std::int64_t>& widths) {
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
      add_conv(*this, name + std::to_string(i), widths[i + 1], widths[i], 4, true, First::normal);
      add_norm(*this, name + std::to_string(i) + ".norm", widths[i + 1]);
    }
  };
  down("generator.down", {6, c, 2 * c, 4 * c, 8 * c, 8 * c});
  const std::vector<std::int64_t> up{8 * c + noise_size, 8 * c, 4 * c, 2 * c, c, 3};
  for (std::size_t i = 0; i + 1 < up.size(); ++i) {
    const std::string name = "generator.up" + std::to_string(i);
    add(name + ".weight", {up[i], up[i + 1], 4, 4}, First::normal);
    add(name + ".bias", {up[i + 1]}, First::zero);
    if (i + 2 < up.size()) add_norm(*this, name + ".norm", up[i + 1]);
  }
  down("discriminator.history", {6, c, 2 * c, 4 * c});
  down("discriminator.target", {3, c, 2 * c, 4 * c});
  down("discriminator.both", {8 * c, 8 * c});
  add_conv(*this, "discriminator.out", 1, 8 * c, 4, true, First::normal);
  allocate(seed, device);
}

at::Tensor GanNetwork::generated(const Triplets& all, std::uint64_t seed, bool training) const {
  at::Tensor x = at::cat({all.first_mask, all.second_mask}, 1);
  for (int i = 0; i < 5; ++i) {
    const std::string name = "generator.down" + std::to_string(i);
    x = norm(*this, name + ".norm", conv(*this, name, x, i < 4 ? 2 : 1, i < 4 ? 1 : 0, true), training)
            .relu();
  }
  at::Tensor noise = at::empty({x.size(0), noise_size, 1, 1}, at::kFloat);
  Random random(seed);
  for (std::int64_t i = 0; i < noise.numel(); ++i)
    noise.data_ptr<float>()[i] = static_cast<float>(random.uniform(-1, 1));
  x = at::cat({x, noise.to(x.device())}, 1);
  for (int i = 0; i < 5; ++i) {
    const std::string name = "generator.up" + std::to_string(i);
    x = at::conv_transpose2d(x, (*this)[name + ".weight"], (*this)[name + ".bias"], i == 0 ? 1 : 2,
                             i == 0 ? 0 : 1);
    if (i < 4) x = norm(*this, name + ".norm", x, training).relu();
  }
  return x.sigmoid();
}

at::Tensor GanNetwork::discriminated(const at::Tensor& history, const at::Tensor& target, Use use) const {
  const auto weight = [&](const std::string& name) {
    return use == Use::train_frozen ? (*this)[name].detach() : (*this)[name];
  };
  const auto layer = [&](const std::string& name, const at::Tensor& x) {
    const at::Tensor y = at::conv2d(x, weight(name + ".weight"), weight(name + ".bias"), 2, 1);
    // The running means are of the discriminator's own steps.
    const at::Tensor mean = use == Use::train_frozen ? at::Tensor() : (*this)[name + ".norm.mean"];
    const at::Tensor variance = use == Use::train_frozen ? at::Tensor() : (*this)[name + ".norm.variance"];
    return at::leaky_relu(at::batch_norm(y, weight(name + ".norm.weight"), weight(name + ".norm.bias"), mean,
                                         variance, use != Use::detector, 0.1, 1e-5, false),
                          0.2);
  };
  at::Tensor a = history, b = target;
  for (const char* i : {"0", "1", "2"}) {
    a = layer(std::string("discriminator.history") + i, a);
    b = layer(std::string("discriminator.target") + i, b);
  }
  const at::Tensor both = layer("discriminator.both0", at::cat({a, b}, 1));
  return at::conv2d(both, weight("discriminator.out.weight"), weight("discriminator.out.bias")).flatten();
}

at::Tensor GanNetwork::loss(const at::Tensor& clips, const TrainingMoment& moment) {
  const auto step = static_cast<std::uint64_t>(moment.step);
  const Triplets some = triplets(clips, triplets_a_step,
                                 stream_seed(moment.training.seed, "training/triplets", step));
  const at::Tensor history = at::cat({some.first_mask, some.second_mask}, 1);
  const at::Tensor fake = generated(
      some, stream_seed(moment.training.seed, "training/noise " + std::to_string(moment.first), step), true);
  const auto cross_entropy = [](const at::Tensor& logits, double label) {
    return at::binary_cross_entropy_with_logits(logits, at::full_like(logits, label));
  };
  // True and generated masks go through together: normalised each by their own batch, in training they could
  // be distinguished by what is not there in use, where one mask is normalised by the running means of
  // all.
  const std::int64_t count = fake.size(0);
  const at::Tensor twice = at::cat({history, history});
  const at::Tensor logits = discriminated(twice, at::cat({some.target, fake.detach()}), Use::train);
  const at::Tensor of_generator =
      discriminated(twice, at::cat({some.target, fake}), Use::train_frozen).narrow(0, count, count);
  return cross_entropy(logits.narrow(0, 0, count), 0.9) + cross_entropy(logits.narrow(0, count, count), 0) +
         cross_entropy(of_generator, 1);
}

at::Tensor GanNetwork::rate_shares() const {
  return at::where(where_named("discriminator."), at::full({}, 0.25), at::full({}, 1.0)).to(at::kFloat);
}

at::Tensor GanNetwork::predicted(const Triplets& all) const { return generated(all, 0, false); }

std::pair<at::Tensor, at::Tensor> GanNetwork::errors_and_changes(const Triplets& all) const {
  const at::Tensor plausible =
      discriminated(at::cat({all.first_mask, all.second_mask}, 1), all.target, Use::detector).sigmoid();
  return {1 - plausible, at::zeros_like(plausible)};
}

}  // namespace startle
