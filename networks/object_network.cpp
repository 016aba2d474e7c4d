#include "networks/object_network.hpp"

#include <torch/types.h>

#include "networks/object_slots.hpp"

namespace startle {
namespace {

constexpr std::int64_t state_size = 7, slot_size = state_size + 2, input_size = state_size + 4;

}  // namespace

ObjectNetwork::ObjectNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device) : LearnedNetwork(config) {
  const std::int64_t h = config.channels;
  const auto add_linear_layer = [&](const std::string& name, std::int64_t out, std::int64_t in) {
    add(name + ".weight", {out, in});
    add(name + ".bias", {out}, First::fan_in, in);
  };
  add_linear_layer("relation.0", h, 2 * (input_size + h));
  add_linear_layer("relation.1", h, h);
  add_linear_layer("lstm.input", 4 * h, input_size + h);
  add_linear_layer("lstm.hidden", 4 * h, h);
  add_linear_layer("out", 1 + state_size, h);
  allocate(seed, device);
}

at::Tensor ObjectNetwork::read(const std::vector<const Clip*>& clips) const {
  read_frames(clips);  // refuses clips of another size
  at::Tensor result = at::empty({static_cast<std::int64_t>(clips.size()), config_.clips.frames, config_.slots, slot_size}, at::kFloat);
  float* value = result.data_ptr<float>();
  for (const Clip* clip : clips)
    for (const auto& frame : object_slots(*clip, config_.slots, config_.occluders_from))
      for (const ObjectState& s : frame)
        for (const double number : {s.visible ? 1.0 : 0.0, 4 * s.x, 4 * s.y, 8 * s.width, 8 * s.height, 2 * s.colour[0], 2 * s.colour[1], 2 * s.colour[2], s.occluder})
          *value++ = static_cast<float>(number);
  return result;
}

ObjectNetwork::Output ObjectNetwork::forward(const at::Tensor& clips) const {
  const NetworkWeights& net = *this;
  const std::int64_t batch = clips.size(0), steps = clips.size(1) - 1, slots = clips.size(2), h = config_.channels;
  const auto layer = [&](const std::string& name, const at::Tensor& x) { return at::linear(x, net[name + ".weight"], net[name + ".bias"]); };
  const at::Tensor not_itself = (1 - at::eye(slots, clips.options())).unsqueeze(2);
  at::Tensor state = at::zeros({batch, slots, state_size}, clips.options()), occluder = at::zeros({batch, slots, 1}, clips.options()), ever = occluder, age = occluder;
  at::Tensor hidden = at::zeros({batch, slots, h}, clips.options()), cell = hidden;
  std::vector<at::Tensor> errors, changes;
  for (std::int64_t t = 0; t < steps; ++t) {
    const at::Tensor now = clips.select(1, t), next = clips.select(1, t + 1), seen = now.narrow(2, 0, 1), seen_next = next.narrow(2, 0, 1);
    state = at::where(seen > 0, now.narrow(2, 1, state_size), state);
    occluder = at::maximum(occluder, now.narrow(2, 1 + state_size, 1));
    ever = at::maximum(ever, seen);
    age = at::where(seen > 0, at::zeros_like(age), age + 0.1) * ever;
    const at::Tensor input = at::cat({seen, state, age, ever, occluder}, 2), with_hidden = at::cat({input, hidden}, 2);
    const std::int64_t size = with_hidden.size(2);
    const at::Tensor pairs = at::cat({with_hidden.unsqueeze(2).expand({batch, slots, slots, size}), with_hidden.unsqueeze(1).expand({batch, slots, slots, size})}, 3);
    const at::Tensor effects = (layer("relation.1", layer("relation.0", pairs).relu()).relu() * not_itself).sum(2);
    const std::vector<at::Tensor> gates = (layer("lstm.input", at::cat({input, effects}, 2)) + layer("lstm.hidden", hidden)).split(h, 2);
    cell = gates[1].sigmoid() * cell + gates[0].sigmoid() * gates[2].tanh();
    hidden = gates[3].sigmoid() * cell.tanh();
    const at::Tensor out = layer("out", hidden), truth = next.narrow(2, 1, state_size);
    const auto error = [&](const at::Tensor& probability, const at::Tensor& predicted) {
      return ((seen_next - probability).square() + seen_next * (predicted - truth).square().sum(2, true)).squeeze(2);
    };
    errors.push_back(error(out.narrow(2, 0, 1).sigmoid(), state + out.narrow(2, 1, state_size)));
    changes.push_back(error(seen, state));
  }
  return {.errors = at::stack(errors, 1), .changes = at::stack(changes, 1), .hidden = hidden};
}

at::Tensor ObjectNetwork::loss(const at::Tensor& clips, const TrainingMoment&) { return forward(clips).errors.mean(); }

ErrorSum ObjectNetwork::error(const at::Tensor& clips, const TrainingConfig&) const {
  const at::Tensor errors = forward(clips).errors;
  return {errors.sum(at::kDouble).item<double>(), static_cast<double>(errors.numel())};
}

ErrorSum ObjectNetwork::control_error(const at::Tensor& clips, const TrainingConfig&) const {
  const at::Tensor changes = forward(clips).changes;
  return {changes.sum(at::kDouble).item<double>(), static_cast<double>(changes.numel())};
}

std::vector<ClipSurprise> ObjectNetwork::score(const std::vector<const Clip*>& clips) const {
  const Output output = forward(read(clips).to(device()));
  return clip_surprises(output.errors.sum(2, false, at::kDouble), output.changes.sum(2, false, at::kDouble), output.hidden.amax(1));
}

}  // namespace startle
