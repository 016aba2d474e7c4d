#include "surprise/networks/predrnn_network.hpp"

#include <torch/types.h>

#include "core/random.hpp"
#include "surprise/networks/mask_networks.hpp"
#include "surprise/networks/schedule.hpp"

namespace startle {
namespace {

/// In the precision of the weights; the result in that of the input.
at::Tensor convolve(const at::Tensor& input, const at::Tensor& weight) {
  return at::conv2d(input.to(weight.scalar_type()), weight, {}, 1, weight.size(2) / 2)
      .to(input.scalar_type());
}

/// Of the input beside `before`, which comes in after it; where that is zero, of the input alone.
at::Tensor convolve(const at::Tensor& input, const at::Tensor& before, const at::Tensor& weight) {
  if (before.defined()) return convolve(at::cat({input, before}, 1), weight);
  return convolve(input, weight.narrow(1, 0, input.size(1)));
}

/// In use it is computed as 2 sig(2 x) - 1, the same to rounding, which LibTorch 1.13 does in half the time.
at::Tensor tanh_of(const at::Tensor& x) {
  return at::GradMode::is_enabled() ? x.tanh() : x.mul(2).sigmoid_().mul_(2).sub_(1);
}

/// f before + i g of the gates, in order i f g. A positive bias keeps the forget gates open at first.
at::Tensor remember(const std::vector<at::Tensor>& gates, const at::Tensor& before, double forget_bias) {
  const at::Tensor taken = gates[0].sigmoid() * tanh_of(gates[2]);
  return before.defined() ? (gates[1] + forget_bias).sigmoid() * before + taken : taken;
}

/// How much the values of frames 1 ... T - 1 count, as to_patches() gives them: 1, and where their pixel
/// differs from the frame before by more than 0.02 in any colour, 1 + TrainingConfig::change_weight.
at::Tensor weights_of(const at::Tensor& patches, const TrainingConfig& training) {
  constexpr double visible = 0.02;
  const std::int64_t steps = patches.size(0) - 1;
  const at::Tensor changed =
      (patches.narrow(0, 1, steps) - patches.narrow(0, 0, steps)).abs().unflatten(2, {-1, 3}).amax(3, true) >
      visible;
  return 1 + training.change_weight *
                 changed.expand({-1, -1, -1, 3, -1, -1}).flatten(2, 3).to(patches.scalar_type());
}

/// Of the frames after the first, by the weights that the loss has.
ErrorSum weighted_error(const at::Tensor& predicted, const at::Tensor& patches,
                        const TrainingConfig& training) {
  const at::Tensor squares = (predicted - patches.narrow(0, 1, patches.size(0) - 1)).square();
  if (training.change_weight == 0)
    return {squares.sum(at::kDouble).item<double>(), static_cast<double>(squares.numel())};
  const at::Tensor weight = weights_of(patches, training);
  return {(squares * weight).sum(at::kDouble).item<double>(), weight.sum(at::kDouble).item<double>()};
}

/// What clips have in common at each step: those with the same frames so far are in the same state.
struct SharedPrefixes {
  std::vector<at::Tensor> first;   ///< of each step, of each kind of clips so far, the first one
  std::vector<at::Tensor> before;  ///< the kind that it was at the step before; undefined where there are as
                                   ///< many kinds as then
  std::vector<at::Tensor> kind;    ///< of each clip
};
SharedPrefixes shared_prefixes(const at::Tensor& patches, std::int64_t steps) {
  SharedPrefixes prefixes;
  for (std::int64_t t = 0; t < steps; ++t) {
    const AlikeRows now = alike_rows(patches[t]);
    const AlikeRows so_far = t == 0 ? now : alike_rows(at::stack({prefixes.kind.back(), now.kind}, 1));
    const bool split = t > 0 && so_far.first.size(0) > prefixes.first.back().size(0);
    prefixes.before.push_back(split ? prefixes.kind.back().index_select(0, so_far.first) : at::Tensor());
    // LibTorch 1.13 takes a path many times slower for a single row: it is there twice.
    prefixes.first.push_back(so_far.first.size(0) == 1 ? so_far.first.repeat(2) : so_far.first);
    prefixes.kind.push_back(so_far.kind);
  }
  return prefixes;
}

/// With channels last, which convolutions take without reordering, and leave so.
at::Tensor rows(const at::Tensor& x, const at::Tensor& index) {
  return x.index_select(0, index).contiguous(at::MemoryFormat::ChannelsLast);
}

}  // namespace

JoinedCell join(const CellWeights& weights, Precision precision, double forget_bias) {
  const std::vector<at::Tensor> x = weights.x.split(weights.o.size(0));
  const auto as = [&](const at::Tensor& weight) {
    return precision == Precision::bfloat16 ? weight.to(at::kBFloat16) : weight;
  };
  return {.xh = as(at::cat({at::cat({x[0], x[1], x[2], x[6]}), weights.h}, 1)),
          .xm = as(at::cat({at::cat({x[3], x[4], x[5]}), weights.m}, 1)),
          .o = as(weights.o),
          .last = as(weights.last),
          .forget_bias = forget_bias};
}

CellState st_lstm_step(const at::Tensor& x, const CellState& state, const JoinedCell& cell) {
  const std::int64_t channels = cell.o.size(0);
  // Split once: the gradient of each narrow view would be a tensor of the full size.
  const std::vector<at::Tensor> gates = convolve(x, state.h, cell.xh).split(channels, 1);
  CellState next;
  next.c = remember(gates, state.c, cell.forget_bias);
  next.m = remember(convolve(x, state.m, cell.xm).split(channels, 1), state.m, cell.forget_bias);
  const at::Tensor both = at::cat({next.c, next.m}, 1);
  next.h = (gates[3] + convolve(both, cell.o)).sigmoid() * tanh_of(convolve(both, cell.last));
  return next;
}

at::Tensor to_patches(const at::Tensor& frames, int patch) {
  const std::int64_t batch = frames.size(0), steps = frames.size(1), rows = frames.size(2) / patch,
                     columns = frames.size(3) / patch;
  const at::Tensor cut =
      frames.view({batch, steps, rows, patch, columns, patch, 3}).permute({1, 0, 3, 5, 6, 2, 4});
  const at::Tensor patches = cut.reshape({steps, batch, patch * patch * 3, rows, columns});
  return frames.scalar_type() == at::kByte ? patches.to(at::kFloat).div_(255) : patches;
}

at::Tensor from_patches(const at::Tensor& patches, int patch) {
  const std::int64_t steps = patches.size(0), batch = patches.size(1), rows = patches.size(3),
                     columns = patches.size(4);
  return patches.view({steps, batch, patch, patch, 3, rows, columns})
      .permute({1, 0, 5, 2, 6, 3, 4})
      .reshape({batch, steps, rows * patch, columns * patch, 3});
}

PredRnnNetwork::PredRnnNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device,
                               std::shared_ptr<const LearnedNetwork> masks)
    : LearnedNetwork(config, std::move(masks)) {
  const std::int64_t h = config.channels, k = config.kernel, patched = config.patch * config.patch * 3;
  const auto prefix = [](int layer) { return "layers." + std::to_string(layer) + ".conv_"; };
  for (int l = 0; l < config.layers; ++l) {
    add(prefix(l) + "x", {7 * h, l == 0 ? patched : h, k, k});
    add(prefix(l) + "h", {4 * h, h, k, k});
    add(prefix(l) + "m", {3 * h, h, k, k});
    add(prefix(l) + "o", {h, 2 * h, k, k});
    add(prefix(l) + "last", {h, 2 * h, 1, 1});
  }
  add("conv_out", {patched, h, 1, 1});
  allocate(seed, device);
  const NetworkWeights& weight = *this;
  for (int l = 0; l < config.layers; ++l)
    layers_.push_back({weight[prefix(l) + "x"], weight[prefix(l) + "h"], weight[prefix(l) + "m"],
                       weight[prefix(l) + "o"], weight[prefix(l) + "last"]});
  out_ = weight["conv_out"];
}

/// What all layers remember, and how they go on.
struct PredRnnNetwork::Step {
  std::vector<JoinedCell> cells;
  std::vector<CellState> states;
  at::Tensor memory;  // passes from layer to layer and from the top to the bottom of the next step

  Step(const PredRnnNetwork& network, Precision precision) : states(network.layers_.size()) {
    for (const CellWeights& weights : network.layers_)
      cells.push_back(join(weights, precision, network.config_.forget_bias));
  }
  /// h of the top layer.
  at::Tensor operator()(at::Tensor input) {
    for (std::size_t l = 0; l < cells.size(); ++l) {
      states[l].m = memory;
      states[l] = st_lstm_step(input, states[l], cells[l]);
      memory = states[l].m;
      input = states[l].h;
    }
    return input;
  }
};

at::Tensor PredRnnNetwork::expected(const at::Tensor& outputs, const at::Tensor& read) const {
  return config_.residual ? read + outputs : outputs;
}

NetworkOutput PredRnnNetwork::forward(const at::Tensor& patches, Precision precision, const at::Tensor& own,
                                      std::vector<at::Tensor>* all_memory) const {
  const std::int64_t steps = patches.size(0) - 1;
  Step step(*this, precision);
  const at::Tensor out = precision == Precision::bfloat16 ? out_.to(at::kBFloat16) : out_;

  const bool shared = !at::GradMode::is_enabled() && !own.defined();
  const SharedPrefixes prefixes = shared ? shared_prefixes(patches, steps) : SharedPrefixes{};
  std::vector<at::Tensor> tops, predicted;
  for (std::int64_t t = 0; t < steps; ++t) {
    at::Tensor input = patches[t];
    if (own.defined() && t > 0) input = at::where(own[t] > 0, predicted.back(), input);
    if (shared) {
      input = rows(input, prefixes.first[static_cast<std::size_t>(t)]);
      if (const at::Tensor& before = prefixes.before[static_cast<std::size_t>(t)]; before.defined()) {
        for (CellState& state : step.states)
          state = {.h = rows(state.h, before), .c = rows(state.c, before), .m = {}};
        step.memory = rows(step.memory, before);
      }
    }
    tops.push_back(step(input));
    if (all_memory) {
      std::vector<at::Tensor> parts;
      for (const CellState& state : step.states)
        for (const at::Tensor& part : {state.h, state.c, state.m}) parts.push_back(part);
      const at::Tensor held = at::cat(parts, 1);
      all_memory->push_back(shared ? held.index_select(0, prefixes.kind[static_cast<std::size_t>(t)]) : held);
    }
    if (own.defined()) predicted.push_back(expected(convolve(tops.back(), out), input));
  }
  NetworkOutput output{.predictions = {}, .hidden = tops.back()};
  if (own.defined()) {
    output.predictions = at::stack(predicted);
  } else {  // one large convolution is faster than many small ones
    at::Tensor outputs = convolve(at::cat(tops), out);
    if (shared) {
      std::vector<at::Tensor> places;  // of each clip's prediction among those of all steps, one step after
                                       // the other
      std::int64_t place = 0;
      for (std::size_t t = 0; t < tops.size(); place += tops[t++].size(0))
        places.push_back(prefixes.kind[t] + place);
      outputs = outputs.index_select(0, at::cat(places));
      output.hidden = output.hidden.index_select(0, prefixes.kind.back());
    }
    output.predictions = expected(outputs.unflatten(0, {steps, patches.size(1)}),
                                  patches.narrow(0, 0, steps));
  }
  return output;
}

at::Tensor PredRnnNetwork::read(const std::vector<const Clip*>& clips) const { return read_frames(clips); }

at::Tensor PredRnnNetwork::seen(const at::Tensor& clips) const {
  return to_patches(config_.masks ? masks_of_clips(*masks_, clips) : clips, config_.patch);
}

at::Tensor PredRnnNetwork::loss(const at::Tensor& clips, const TrainingMoment& moment) {
  const at::Tensor patches = seen(clips);
  const TrainingConfig& training = moment.training;
  const std::int64_t steps = patches.size(0) - 1;
  at::Tensor own;  // which inputs are to be the network's own predictions
  if (const double share = own_input_share(training, moment.step); share > 0) {
    // Drawn for the whole batch, so that the number of processes changes nothing.
    own = at::zeros({steps, training.batch, 1, 1, 1}, at::kFloat);
    Random random(stream_seed(training.seed, "training/sampling", static_cast<std::uint64_t>(moment.step)));
    for (std::int64_t i = training.batch; i < own.numel(); ++i)
      own.data_ptr<float>()[i] = random.chance(share) ? 1 : 0;
    own = own.narrow(1, moment.first, patches.size(1)).to(device());
  }
  const at::Tensor now = patches.narrow(0, 1, steps),
                   predictions = forward(patches, training.precision, own).predictions;
  if (training.change_weight == 0) return at::mse_loss(predictions, now);
  const at::Tensor weight = weights_of(patches, training);
  return ((predictions - now).square() * weight).sum() / weight.sum();
}

ErrorSum PredRnnNetwork::error(const at::Tensor& clips, const TrainingConfig& training) const {
  const at::Tensor patches = seen(clips);
  return weighted_error(forward(patches).predictions.clamp(0, 1), patches, training);
}

ErrorSum PredRnnNetwork::control_error(const at::Tensor& clips, const TrainingConfig& training) const {
  const at::Tensor patches = seen(clips);
  return weighted_error(patches.narrow(0, 0, patches.size(0) - 1), patches, training);
}

std::vector<ClipSurprise> PredRnnNetwork::score(const std::vector<const Clip*>& clips) const {
  const at::Tensor patches = seen(read(clips).to(device()));
  const std::int64_t steps = patches.size(0) - 1;
  const at::Tensor now = patches.narrow(0, 1, steps);
  const NetworkOutput output = forward(patches);
  return clip_surprises(
      (output.predictions.clamp(0, 1) - now).square().sum({2, 3, 4}, false, at::kDouble).t(),
      (patches.narrow(0, 0, steps) - now).square().sum({2, 3, 4}, false, at::kDouble).t(),
      output.hidden.amax({2, 3}));
}

}  // namespace startle
