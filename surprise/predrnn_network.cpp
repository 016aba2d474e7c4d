#include "surprise/predrnn_network.hpp"

#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <cmath>
#include <cstring>

#include "sim/error.hpp"
#include "sim/random.hpp"

namespace startle {
namespace {

constexpr const char* config_key = "startle.model";

/// In the precision of the weights; the result in that of the input.
at::Tensor convolve(const at::Tensor& input, const at::Tensor& weight) {
  return at::conv2d(input.to(weight.scalar_type()), weight, {}, 1, weight.size(2) / 2).to(input.scalar_type());
}

/// Of the input beside `before`, which comes in after it; where that is zero, of the input alone.
at::Tensor convolve(const at::Tensor& input, const at::Tensor& before, const at::Tensor& weight) {
  if (before.defined()) return convolve(at::cat({input, before}, 1), weight);
  return convolve(input, weight.narrow(1, 0, input.size(1)));
}

/// f before + i g of the gates, in order i f g.
at::Tensor remember(const std::vector<at::Tensor>& gates, const at::Tensor& before) {
  const at::Tensor taken = gates[0].sigmoid() * gates[2].tanh();
  // The added 1 keeps the forget gates open at first.
  return before.defined() ? (gates[1] + 1.0).sigmoid() * before + taken : taken;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

}  // namespace

JoinedCell join(const CellWeights& weights, Precision precision) {
  const std::vector<at::Tensor> x = weights.x.split(weights.o.size(0));
  const auto as = [&](const at::Tensor& weight) { return precision == Precision::bfloat16 ? weight.to(at::kBFloat16) : weight; };
  return {.xh = as(at::cat({at::cat({x[0], x[1], x[2], x[6]}), weights.h}, 1)), .xm = as(at::cat({at::cat({x[3], x[4], x[5]}), weights.m}, 1)),
          .o = as(weights.o), .last = as(weights.last)};
}

CellState st_lstm_step(const at::Tensor& x, const CellState& state, const JoinedCell& cell) {
  const std::int64_t channels = cell.o.size(0);
  // Split once: the gradient of each narrow view would be a tensor of the full size.
  const std::vector<at::Tensor> gates = convolve(x, state.h, cell.xh).split(channels, 1);
  CellState next;
  next.c = remember(gates, state.c);
  next.m = remember(convolve(x, state.m, cell.xm).split(channels, 1), state.m);
  const at::Tensor both = at::cat({next.c, next.m}, 1);
  next.h = (gates[3] + convolve(both, cell.o)).sigmoid() * convolve(both, cell.last).tanh();
  return next;
}

at::Tensor to_patches(const at::Tensor& frames, int patch) {
  const std::int64_t batch = frames.size(0), steps = frames.size(1), rows = frames.size(2) / patch, columns = frames.size(3) / patch;
  const at::Tensor cut = frames.view({batch, steps, rows, patch, columns, patch, 3}).permute({1, 0, 3, 5, 6, 2, 4});
  const at::Tensor patches = cut.reshape({steps, batch, patch * patch * 3, rows, columns});
  return frames.scalar_type() == at::kByte ? patches.to(at::kFloat).div_(255) : patches;
}

at::Tensor from_patches(const at::Tensor& patches, int patch) {
  const std::int64_t steps = patches.size(0), batch = patches.size(1), rows = patches.size(3), columns = patches.size(4);
  return patches.view({steps, batch, patch, patch, 3, rows, columns})
      .permute({1, 0, 5, 2, 6, 3, 4})
      .reshape({batch, steps, rows * patch, columns * patch, 3});
}

PredRnnNetwork::PredRnnNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device) : config_(config) {
  validate(config, "model");
  std::int64_t total = 0;
  const auto add = [&](const std::string& name, std::int64_t out, std::int64_t in, std::int64_t width) {
    slots_.push_back({name, {out, in, width, width}, total, out * in * width * width});
    total += slots_.back().count;
  };
  const std::int64_t h = config.channels, k = config.kernel, patched = config.patch * config.patch * 3;
  for (int l = 0; l < config.layers; ++l) {
    const std::string prefix = "layers." + std::to_string(l) + ".conv_";
    add(prefix + "x", 7 * h, l == 0 ? patched : h, k);
    add(prefix + "h", 4 * h, h, k);
    add(prefix + "m", 3 * h, h, k);
    add(prefix + "o", h, 2 * h, k);
    add(prefix + "last", h, 2 * h, 1);
  }
  add("conv_out", patched, h, 1);

  at::Tensor drawn = at::empty({total}, at::kFloat);
  for (const Slot& slot : slots_) {
    const double bound = 1 / std::sqrt(static_cast<double>(slot.shape[1] * slot.shape[2] * slot.shape[3]));
    Random random(stream_seed(seed, "weights/" + slot.name));
    float* values = drawn.data_ptr<float>() + slot.offset;
    for (std::int64_t i = 0; i < slot.count; ++i) values[i] = static_cast<float>(random.uniform(-bound, bound));
  }
  flat_ = drawn.to(device);
  flat_gradient_ = at::zeros_like(flat_);

  std::vector<at::Tensor> views;
  for (const Slot& slot : slots_) {
    const auto view = [&](const at::Tensor& flat) { return flat.narrow(0, slot.offset, slot.count).view(slot.shape); };
    // A leaf of its own that shares the memory; backward() adds to a gradient that is there in place.
    at::Tensor weight = view(flat_).detach().set_requires_grad(true);
    weight.mutable_grad() = view(flat_gradient_);
    views.push_back(weight);
  }
  for (std::size_t l = 0; l < static_cast<std::size_t>(config.layers); ++l)
    layers_.push_back({views[5 * l], views[5 * l + 1], views[5 * l + 2], views[5 * l + 3], views[5 * l + 4]});
  out_ = views.back();
}

NetworkOutput PredRnnNetwork::forward(const at::Tensor& patches, Precision precision, const at::Tensor& own) const {
  const std::int64_t steps = patches.size(0) - 1;
  std::vector<JoinedCell> cells;
  for (const CellWeights& weights : layers_) cells.push_back(join(weights, precision));
  const at::Tensor out = precision == Precision::bfloat16 ? out_.to(at::kBFloat16) : out_;

  std::vector<CellState> states(layers_.size());
  at::Tensor memory;  // passes from layer to layer and from the top to the bottom of the next step
  std::vector<at::Tensor> tops, predicted;
  for (std::int64_t t = 0; t < steps; ++t) {
    at::Tensor input = patches[t];
    if (own.defined() && t > 0) input = at::where(own[t] > 0, predicted.back(), input);
    const at::Tensor read = input;
    for (std::size_t l = 0; l < cells.size(); ++l) {
      states[l].m = memory;
      states[l] = st_lstm_step(input, states[l], cells[l]);
      memory = states[l].m;
      input = states[l].h;
    }
    tops.push_back(input);
    if (own.defined()) predicted.push_back(config_.residual ? read + convolve(input, out) : convolve(input, out));
  }
  NetworkOutput output{.predictions = {}, .hidden = tops.back()};
  if (own.defined()) {
    output.predictions = at::stack(predicted);
  } else {  // one large convolution is faster than many small ones
    output.predictions = convolve(at::cat(tops), out).unflatten(0, {steps, patches.size(1)});
    if (config_.residual) output.predictions = output.predictions + patches.narrow(0, 0, steps);
  }
  return output;
}

std::map<std::string, NamedTensor> PredRnnNetwork::named(const at::Tensor& flat, const std::string& prefix) const {
  const at::Tensor values = flat.detach().to(at::kCPU).contiguous();
  std::map<std::string, NamedTensor> result;
  for (const Slot& slot : slots_) {
    const float* begin = values.data_ptr<float>() + slot.offset;
    result[prefix + slot.name] = {.shape = slot.shape, .values = {begin, begin + slot.count}};
  }
  return result;
}

void PredRnnNetwork::copy_named(const TensorFile& file, at::Tensor& flat, const std::string& source, const std::string& prefix) const {
  const at::Tensor values = at::empty({flat.numel()}, at::kFloat);
  for (const Slot& slot : slots_) {
    const auto found = file.tensors.find(prefix + slot.name);
    if (found == file.tensors.end()) throw Error(source + ": tensor '" + prefix + slot.name + "' is missing");
    if (found->second.shape != slot.shape)
      throw Error(source + ": tensor '" + prefix + slot.name + "': found shape " + shape_text(found->second.shape) + ", the configuration needs " +
                  shape_text(slot.shape));
    std::memcpy(values.data_ptr<float>() + slot.offset, found->second.values.data(), static_cast<std::size_t>(slot.count) * sizeof(float));
  }
  flat.copy_(values);
}

std::map<std::string, std::string> model_metadata(const ModelConfig& config) { return {{config_key, model_config_to_json(config)}}; }

ModelConfig model_config_of(const std::map<std::string, std::string>& metadata, const std::string& source) {
  const auto found = metadata.find(config_key);
  if (found == metadata.end()) throw Error(source + ": __metadata__ has no '" + config_key + "'; this is no model of Startle");
  return model_config_from_json(found->second, source + ": __metadata__: " + config_key);
}

at::Device find_device(const std::string& name) {
  const bool have = torch::cuda::is_available();
  if (name == "cpu" || (name == "auto" && !have)) return at::kCPU;
  if (name != "cuda" && name != "auto") throw Error("--device: found '" + name + "', allowed are auto, cpu and cuda");
  if (!have) throw Error("--device: found cuda, but LibTorch sees no such device here; allowed are auto and cpu");
  return at::kCUDA;
}

at::Tensor stack_clips(const std::vector<const Clip*>& clips, const ClipFormat& format) {
  at::Tensor stacked = at::empty({static_cast<std::int64_t>(clips.size()), format.frames, format.pixels, format.pixels, 3}, at::kByte);
  std::uint8_t* target = stacked.data_ptr<std::uint8_t>();
  for (const Clip* clip : clips) {
    const std::size_t bytes = clip->frame_size() * static_cast<std::size_t>(clip->frames);
    if (clip->frames != format.frames || clip->pixels != format.pixels || clip->rgb.size() != bytes)
      throw Error("clip: found " + std::to_string(clip->frames) + " frames of " + std::to_string(clip->pixels) + " pixels, the model needs " +
                  std::to_string(format.frames) + " of " + std::to_string(format.pixels));
    std::memcpy(target, clip->rgb.data(), bytes);
    target += bytes;
  }
  return stacked;
}

}  // namespace startle
