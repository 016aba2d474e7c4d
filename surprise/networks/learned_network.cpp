#include "surprise/networks/learned_network.hpp"

#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <string_view>
#include <unordered_map>

#include "core/error.hpp"
#include "core/random.hpp"
#include "surprise/networks/mask_networks.hpp"
#include "surprise/networks/motion_network.hpp"
#include "surprise/networks/object_network.hpp"
#include "surprise/networks/predrnn_network.hpp"
#include "surprise/networks/slot_network.hpp"

namespace startle {
namespace {

constexpr const char* config_key = "startle.model";
constexpr const char* mask_config_key = "startle.mask_model";
const std::string mask_prefix = "mask_model/";

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

}  // namespace

void NetworkWeights::append(std::vector<Slot>& slots, const std::string& name,
                            const std::vector<std::int64_t>& shape, First first, std::int64_t fan_in) {
  const std::int64_t offset = slots.empty() ? 0 : slots.back().offset + slots.back().count;
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  slots.push_back({name, shape, first, fan_in > 0 ? fan_in : count / shape.front(), offset, count});
}

void NetworkWeights::add(const std::string& name, const std::vector<std::int64_t>& shape, First first,
                         std::int64_t fan_in) {
  append(slots_, name, shape, first, fan_in);
}

void NetworkWeights::add_layer(const std::string& name, const std::vector<std::int64_t>& shape, bool bias) {
  add(name + ".weight", shape);
  const Slot weight = slots_.back();
  if (bias) add(name + ".bias", {shape.front()}, First::fan_in, weight.fan_in);
}

at::Tensor NetworkWeights::linear(const std::string& name, const at::Tensor& x) const {
  const auto bias = views_.find(name + ".bias");
  return at::linear(x, views_.at(name + ".weight"), bias == views_.end() ? at::Tensor() : bias->second);
}

void NetworkWeights::add_buffer(const std::string& name, const std::vector<std::int64_t>& shape,
                                First first) {
  append(buffer_slots_, name, shape, first, 0);
}

at::Tensor NetworkWeights::first_values(const std::vector<Slot>& slots, std::uint64_t seed) {
  at::Tensor drawn = at::zeros({slots.empty() ? 0 : slots.back().offset + slots.back().count}, at::kFloat);
  for (const Slot& slot : slots) {
    Random random(stream_seed(seed, "weights/" + slot.name));
    float* values = drawn.data_ptr<float>() + slot.offset;
    const double bound = 1 / std::sqrt(static_cast<double>(slot.fan_in));
    for (std::int64_t i = 0; i < slot.count; ++i) {
      switch (slot.first) {
        case First::fan_in:
          values[i] = static_cast<float>(random.uniform(-bound, bound));
          break;
        case First::normal: {  // Box and Muller
          const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
          values[i] = static_cast<float>(0.02 * radius * std::cos(2 * std::numbers::pi * random.uniform()));
          break;
        }
        case First::zero:
          values[i] = 0;
          break;
        case First::one:
          values[i] = 1;
          break;
      }
    }
  }
  return drawn;
}

void NetworkWeights::allocate(std::uint64_t seed, const at::Device& device) {
  flat_ = first_values(slots_, seed).to(device);
  flat_gradient_ = at::zeros_like(flat_);
  flat_buffers_ = first_values(buffer_slots_, seed).to(device);
  for (const Slot& slot : slots_) {
    const auto view = [&](const at::Tensor& flat) {
      return flat.narrow(0, slot.offset, slot.count).view(slot.shape);
    };
    // A leaf of its own that shares the memory; backward() adds to a gradient that is there in place.
    at::Tensor weight = view(flat_).detach().set_requires_grad(true);
    weight.mutable_grad() = view(flat_gradient_);
    views_[slot.name] = weight;
  }
  for (const Slot& slot : buffer_slots_)
    views_[slot.name] = flat_buffers_.narrow(0, slot.offset, slot.count).view(slot.shape);
}

at::Tensor NetworkWeights::where_named(const std::string& prefix) const {
  at::Tensor where = at::zeros({flat_.numel()}, at::kBool);
  for (const Slot& slot : slots_)
    if (slot.name.rfind(prefix, 0) == 0) where.narrow(0, slot.offset, slot.count).fill_(true);
  return where.to(flat_.device());
}

std::map<std::string, NamedTensor> NetworkWeights::named(const std::vector<Slot>& slots,
                                                         const at::Tensor& flat, const std::string& prefix) {
  const at::Tensor values = flat.detach().to(at::kCPU).contiguous();
  std::map<std::string, NamedTensor> result;
  for (const Slot& slot : slots) {
    const float* begin = values.data_ptr<float>() + slot.offset;
    result[prefix + slot.name] = {.shape = slot.shape, .values = {begin, begin + slot.count}};
  }
  return result;
}

std::map<std::string, NamedTensor> NetworkWeights::named(const at::Tensor& flat,
                                                         const std::string& prefix) const {
  return named(slots_, flat, prefix);
}
std::map<std::string, NamedTensor> NetworkWeights::named_buffers(const std::string& prefix) const {
  return named(buffer_slots_, flat_buffers_, prefix);
}

void NetworkWeights::copy_named(const std::vector<Slot>& slots, const TensorFile& file, at::Tensor& flat,
                                const std::string& source, const std::string& prefix) {
  const at::Tensor values = at::empty({flat.numel()}, at::kFloat);
  for (const Slot& slot : slots) {
    const auto found = file.tensors.find(prefix + slot.name);
    if (found == file.tensors.end()) throw Error(source + ": tensor '" + prefix + slot.name + "' is missing");
    if (found->second.shape != slot.shape)
      throw Error(source + ": tensor '" + prefix + slot.name + "': found shape " +
                  shape_text(found->second.shape) + ", the configuration needs " + shape_text(slot.shape));
    std::memcpy(values.data_ptr<float>() + slot.offset, found->second.values.data(),
                static_cast<std::size_t>(slot.count) * sizeof(float));
  }
  flat.copy_(values);
}

void NetworkWeights::copy_named(const TensorFile& file, at::Tensor& flat, const std::string& source,
                                const std::string& prefix) const {
  copy_named(slots_, file, flat, source, prefix);
}
void NetworkWeights::copy_named_buffers(const TensorFile& file, const std::string& source,
                                        const std::string& prefix) {
  copy_named(buffer_slots_, file, flat_buffers_, source, prefix);
}

LearnedNetwork::LearnedNetwork(const ModelConfig& config, std::shared_ptr<const LearnedNetwork> masks)
    : config_(config), masks_(std::move(masks)) {
  validate(config, "model");
  const std::optional<Network> needed = mask_model_network(config);
  if (!needed) return;
  if (!masks_)
    throw Error("network " + std::string(name(config.network)) + " reads masks, and no mask model is given");
  if (masks_->config().network != *needed)
    throw Error("mask model: found a model of network " + std::string(name(masks_->config().network)) +
                ", needed is one of network " + name(*needed));
  if (!(masks_->config().clips == config.clips))
    throw Error("mask model: reads clips of another format than the network that is to see its masks");
}

at::Tensor LearnedNetwork::read_frames(const std::vector<const Clip*>& clips) const {
  return stack_clips(clips, config_.clips);
}

at::Device LearnedNetwork::device() const { return weights().device(); }

void require_finite(const at::Tensor& values, const std::string& what) {
  if (!at::isfinite(values).all().item<bool>())
    throw Error("model: " + what + " are not finite: its weights are too large");
}

AlikeRows alike_rows(const at::Tensor& rows) {
  const std::int64_t count = rows.size(0);
  if (!rows.is_cpu() || count == 0)
    return {at::arange(count, rows.device()), at::arange(count, rows.device())};
  const at::Tensor values = rows.contiguous();
  const std::size_t bytes = values.nbytes() / static_cast<std::size_t>(count);
  const char* data = static_cast<const char*>(values.data_ptr());
  std::unordered_map<std::string_view, std::int64_t> known;
  std::vector<std::int64_t> first, kind;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto [place, is_new] = known.try_emplace({data + static_cast<std::size_t>(i) * bytes, bytes},
                                                   static_cast<std::int64_t>(first.size()));
    if (is_new) first.push_back(i);
    kind.push_back(place->second);
  }
  return {at::tensor(at::ArrayRef<std::int64_t>(first), at::kLong),
          at::tensor(at::ArrayRef<std::int64_t>(kind), at::kLong)};
}

std::vector<ClipSurprise> clip_surprises(const at::Tensor& errors, const at::Tensor& changes,
                                         const at::Tensor& features) {
  const at::Tensor e = errors.to(at::kCPU, at::kDouble).contiguous(),
                   c = changes.to(at::kCPU, at::kDouble).contiguous();
  require_finite(e, "errors");
  const auto numbers = [](const at::Tensor& row, auto* data) {
    return std::vector(data, data + row.numel());
  };
  std::vector<ClipSurprise> result;
  for (std::int64_t i = 0; i < e.size(0); ++i) {
    result.push_back({.errors = {.error = numbers(e[i], e[i].data_ptr<double>()),
                                 .change = numbers(c[i], c[i].data_ptr<double>())},
                      .feature = {}});
    if (!features.defined()) continue;
    const at::Tensor feature = features[i].to(at::kCPU, at::kFloat).contiguous();
    result.back().feature = numbers(feature, feature.data_ptr<float>());
  }
  return result;
}

std::unique_ptr<LearnedNetwork> make_network(const ModelConfig& config, std::uint64_t seed,
                                             const at::Device& device,
                                             std::shared_ptr<const LearnedNetwork> masks) {
  switch (config.network) {
    case Network::predrnn:
      return std::make_unique<PredRnnNetwork>(config, seed, device, std::move(masks));
    case Network::mask:
      return std::make_unique<MaskNetwork>(config, seed, device);
    case Network::cnn:
      return std::make_unique<CnnNetwork>(config, seed, device, std::move(masks));
    case Network::gan:
      return std::make_unique<GanNetwork>(config, seed, device, std::move(masks));
    case Network::object:
      return std::make_unique<ObjectNetwork>(config, seed, device, std::move(masks));
    case Network::slot:
      return std::make_unique<SlotNetwork>(config, seed, device);
    case Network::motion:
      return std::make_unique<MotionNetwork>(config, seed, device);
  }
  throw Error("network: not known");
}

TensorFile model_file(const LearnedNetwork& network) {
  TensorFile file{.tensors = network.named(network.weights()), .metadata = model_metadata(network.config())};
  file.tensors.merge(network.named_buffers());
  if (const auto& masks = network.masks()) {
    file.tensors.merge(masks->named(masks->weights(), mask_prefix));
    file.tensors.merge(masks->named_buffers(mask_prefix));
    file.metadata[mask_config_key] = model_config_to_json(masks->config());
  }
  return file;
}

std::unique_ptr<LearnedNetwork> network_of(const TensorFile& file, const std::string& source,
                                           const at::Device& device) {
  const ModelConfig config = model_config_of(file.metadata, source);
  std::shared_ptr<LearnedNetwork> masks;
  if (const std::optional<Network> needed = mask_model_network(config)) {
    const auto found = file.metadata.find(mask_config_key);
    if (found == file.metadata.end())
      throw Error(source + ": __metadata__ has no '" + mask_config_key + "', which network " +
                  name(config.network) + " needs");
    const ModelConfig mask_config = model_config_from_json(found->second,
                                                           source + ": __metadata__: " + mask_config_key);
    if (mask_config.network != *needed)
      throw Error(source + ": __metadata__: " + mask_config_key + ": found network " +
                  name(mask_config.network) + ", allowed is " + name(*needed));
    masks = make_network(mask_config, 0, device);
    masks->copy_named(file, masks->weights(), source, mask_prefix);
    masks->copy_named_buffers(file, source, mask_prefix);
  }
  std::unique_ptr<LearnedNetwork> network = make_network(config, 0, device, masks);
  network->copy_named(file, network->weights(), source);
  network->copy_named_buffers(file, source);
  if (const std::size_t needed = model_file(*network).tensors.size(); file.tensors.size() != needed)
    throw Error(source + ": found " + std::to_string(file.tensors.size()) +
                " tensors, the configuration needs " + std::to_string(needed));
  return network;
}

std::shared_ptr<const LearnedNetwork> mask_network_of(const std::filesystem::path& path, Network needed,
                                                      const at::Device& device) {
  const std::shared_ptr<const LearnedNetwork> network = network_of(read_tensors(path), path.string(), device);
  if (network->masks() && network->masks()->config().network == needed) return network->masks();
  if (network->config().network != needed)
    throw Error(path.string() + ": found a model of network " + name(network->config().network) +
                ", needed is one of network " + name(needed) + ", or one that holds such a model");
  return network;
}

std::map<std::string, std::string> model_metadata(const ModelConfig& config) {
  return {{config_key, model_config_to_json(config)}};
}

ModelConfig model_config_of(const std::map<std::string, std::string>& metadata, const std::string& source) {
  const auto found = metadata.find(config_key);
  if (found == metadata.end())
    throw Error(source + ": __metadata__ has no '" + config_key + "'; this is no model of Startle");
  return model_config_from_json(found->second, source + ": __metadata__: " + config_key);
}

at::Device find_device(const std::string& name) {
  const bool have = torch::cuda::is_available();
  if (name == "cpu" || (name == "auto" && !have)) return at::kCPU;
  if (name != "cuda" && name != "auto")
    throw Error("--device: found '" + name + "', allowed are auto, cpu and cuda");
  if (!have)
    throw Error("--device: found cuda, but LibTorch sees no such device here; allowed are auto and cpu");
  return at::kCUDA;
}

at::Tensor stack_clips(const std::vector<const Clip*>& clips, const ClipFormat& format) {
  at::Tensor stacked = at::empty(
      {static_cast<std::int64_t>(clips.size()), format.frames, format.pixels, format.pixels, 3}, at::kByte);
  std::uint8_t* target = stacked.data_ptr<std::uint8_t>();
  for (const Clip* clip : clips) {
    const std::size_t bytes = clip->frame_size() * static_cast<std::size_t>(clip->frames);
    if (clip->frames != format.frames || clip->pixels != format.pixels || clip->rgb.size() != bytes)
      throw Error("clip: found " + std::to_string(clip->frames) + " frames of " +
                  std::to_string(clip->pixels) + " pixels, the model needs " + std::to_string(format.frames) +
                  " of " + std::to_string(format.pixels));
    std::memcpy(target, clip->rgb.data(), bytes);
    target += bytes;
  }
  return stacked;
}

}  // namespace startle
