#include "surprise/networks/object_network.hpp"

#include <torch/types.h>

#include <algorithm>
#include <string_view>

#include "surprise/networks/object_events.hpp"
#include "surprise/networks/slot_network.hpp"

namespace startle {
namespace {

constexpr std::int64_t state_size = 7, slot_size = state_size + 2, size_from = 2,
                       input_size = state_size + 2 + 4;
constexpr double of_place = 4, of_size = 16, of_colour = 2;  // units of the state
constexpr double farthest = 2;  // squared distance between states up to which a thing found can be an object
                                // known
constexpr double size_share = 0.25;    // of squared differences of size in that distance: what is half hidden
                                       // looks smaller and is the same
constexpr double weight_of_place = 9;  // of squared differences of place and size in errors
constexpr double error_of_new = 6;
constexpr std::size_t remembered_frames = 300'000;  // about 400 bytes each

void write_row(const ObjectState& s, float*& value) {
  for (const double number :
       {s.visible ? 1.0 : 0.0, of_place * s.x, of_place * s.y, of_size * s.width, of_size * s.height,
        of_colour * s.colour[0], of_colour * s.colour[1], of_colour * s.colour[2], s.occluder})
    *value++ = static_cast<float>(number);
}

/// The things found, [B, slots, 9], in the places of the objects that they are: `predicted` are the states
/// expected, [B, slots, 7], of those known, where `ever` is 1, [B, slots, 1].
at::Tensor in_their_slots(const at::Tensor& found, const at::Tensor& predicted, const at::Tensor& ever) {
  const at::Tensor things = found.to(at::kCPU).contiguous(),
                   expected = predicted.detach().to(at::kCPU).contiguous(),
                   known = ever.to(at::kCPU).contiguous();
  const std::int64_t slots = things.size(1);
  at::Tensor result = at::zeros_like(things);
  struct Pair {
    double distance;
    std::int64_t thing, slot;
  };
  for (std::int64_t b = 0; b < things.size(0); ++b) {
    const auto thing = [&](std::int64_t i) { return things.data_ptr<float>() + (b * slots + i) * slot_size; };
    const auto is_known = [&](std::int64_t i) { return known.data_ptr<float>()[b * slots + i] > 0; };
    std::vector<Pair> pairs;
    for (std::int64_t i = 0; i < slots; ++i)
      for (std::int64_t j = 0; thing(i)[0] > 0 && j < slots; ++j) {
        if (!is_known(j)) continue;
        const float* state = expected.data_ptr<float>() + (b * slots + j) * state_size;
        double distance = 0;
        for (std::int64_t n = 0; n < state_size; ++n) {
          const double difference = thing(i)[1 + n] - state[n];
          distance += (n == size_from || n == size_from + 1 ? size_share : 1.0) * difference * difference;
        }
        if (distance <= farthest) pairs.push_back({distance, i, j});
      }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const Pair& x, const Pair& y) { return x.distance < y.distance; });
    std::vector<bool> placed(static_cast<std::size_t>(slots), false),
        taken(static_cast<std::size_t>(slots), false);
    const auto place = [&](std::int64_t i, std::int64_t slot) {
      std::copy_n(thing(i), slot_size, result.data_ptr<float>() + (b * slots + slot) * slot_size);
      placed[static_cast<std::size_t>(i)] = taken[static_cast<std::size_t>(slot)] = true;
    };
    for (const Pair& pair : pairs)
      if (!placed[static_cast<std::size_t>(pair.thing)] && !taken[static_cast<std::size_t>(pair.slot)])
        place(pair.thing, pair.slot);
    std::int64_t free = 0;
    for (std::int64_t i = 0; i < slots; ++i) {
      if (thing(i)[0] == 0 || placed[static_cast<std::size_t>(i)]) continue;
      while (free < slots && (is_known(free) || taken[static_cast<std::size_t>(free)])) ++free;
      if (free == slots) break;  // more things than slots: the smallest are left out
      place(i, free);
    }
  }
  return result.to(found.device());
}

ObjectLook look_of(const float* state) {
  return {.x = state[0] / of_place,
          .y = state[1] / of_place,
          .width = state[2] / of_size,
          .height = state[3] / of_size,
          .colour = {state[4] / of_colour, state[5] / of_colour, state[6] / of_colour}};
}

/// Output::steps of one clip.
std::vector<std::vector<ObjectStep>> steps_of(const at::Tensor& clip) {
  const auto slots = static_cast<std::size_t>(clip.size(1));
  std::vector<std::vector<ObjectStep>> steps(static_cast<std::size_t>(clip.size(0)));
  const float* row = clip.data_ptr<float>();
  for (std::vector<ObjectStep>& frame : steps)
    for (std::size_t k = 0; k < slots; ++k, row += clip.size(2)) {
      const float* states = row + 3;
      frame.push_back({.known = row[0] > 0,
                       .seen = row[1] > 0,
                       .seen_next = row[2] > 0,
                       .last = look_of(states),
                       .expected = look_of(states + state_size),
                       .next = look_of(states + 2 * state_size),
                       .largest_width = states[3 * state_size] / of_size,
                       .largest_height = states[3 * state_size + 1] / of_size});
    }
  return steps;
}

}  // namespace

ObjectNetwork::ObjectNetwork(const ModelConfig& config, std::uint64_t seed, const at::Device& device,
                             std::shared_ptr<const LearnedNetwork> masks)
    : LearnedNetwork(config, std::move(masks)) {
  const std::int64_t h = config.channels;
  add_layer("relation.0", {h, 2 * (input_size + h)});
  add_layer("relation.1", {h, h});
  add_layer("lstm.input", {4 * h, input_size + h});
  add_layer("lstm.hidden", {4 * h, h});
  add_layer("out", {1 + state_size, h});
  allocate(seed, device);
}

at::Tensor ObjectNetwork::read(const std::vector<const Clip*>& clips) const {
  const at::Tensor frames = read_frames(clips);  // refuses clips of another size
  at::Tensor result = at::empty(
      {static_cast<std::int64_t>(clips.size()), config_.clips.frames, config_.slots, slot_size}, at::kFloat);
  float* value = result.data_ptr<float>();
  if (config_.masks) {
    for (const auto& frame : found(frames.flatten(0, 1)))
      for (std::size_t i = 0; i < static_cast<std::size_t>(config_.slots); ++i)
        write_row(i < frame.size() ? frame[i] : ObjectState{}, value);
    return result;
  }
  for (const Clip* clip : clips)
    for (const auto& frame : object_slots(*clip, config_.slots, config_.occluders_from))
      for (const ObjectState& object : frame) write_row(object, value);
  return result;
}

std::vector<std::vector<ObjectState>> ObjectNetwork::found(const at::Tensor& frames) const {
  const std::lock_guard lock(mutex_);
  const std::int64_t pixels = frames.size(1);
  const auto bytes = static_cast<std::size_t>(pixels * pixels * 3);
  const auto frame = [&](std::int64_t i) {
    return frames.data_ptr<std::uint8_t>() + static_cast<std::size_t>(i) * bytes;
  };
  if (known_.size() > remembered_frames) known_.clear();
  std::vector<std::size_t> keys;
  std::vector<std::int64_t> fresh;
  for (std::int64_t i = 0; i < frames.size(0); ++i) {
    keys.push_back(std::hash<std::string_view>{}({reinterpret_cast<const char*>(frame(i)), bytes}));
    if (known_.try_emplace(keys.back()).second) fresh.push_back(i);
  }
  if (!fresh.empty()) {
    const at::Tensor ids = dynamic_cast<const SlotNetwork&>(*masks_).things(
        frames.index_select(0, at::tensor(at::ArrayRef<std::int64_t>(fresh), at::kLong)));
    for (std::size_t n = 0; n < fresh.size(); ++n) {
      std::vector<ObjectState>& things = known_.at(keys[static_cast<std::size_t>(fresh[n])]);
      for (const ObjectState& object :
           frame_objects(frame(fresh[n]), ids[static_cast<std::int64_t>(n)].data_ptr<std::uint8_t>(),
                         static_cast<int>(pixels), 256))
        if (object.visible && things.size() < static_cast<std::size_t>(config_.slots))
          things.push_back(object);
    }
  }
  std::vector<std::vector<ObjectState>> result;
  for (const std::size_t key : keys) result.push_back(known_.at(key));
  return result;
}

ObjectNetwork::Output ObjectNetwork::forward(const at::Tensor& clips) const {
  const std::int64_t batch = clips.size(0), steps = clips.size(1) - 1, slots = clips.size(2),
                     h = config_.channels;
  const at::Tensor not_itself = (1 - at::eye(slots, clips.options())).unsqueeze(2);
  at::Tensor state = at::zeros({batch, slots, state_size}, clips.options()),
             occluder = at::zeros({batch, slots, 1}, clips.options()), ever = occluder, age = occluder;
  at::Tensor hidden = at::zeros({batch, slots, h}, clips.options()), cell = hidden;
  at::Tensor largest = at::zeros({batch, slots, 2}, clips.options());  // width and height where most was seen
                                                                       // of it
  const at::Tensor weights = at::cat(
      {at::full({4}, weight_of_place, clips.options()), at::ones({3}, clips.options())});
  std::vector<at::Tensor> errors, changes, followed;
  const auto objects_at = [&](std::int64_t t, const at::Tensor& predicted) {
    return config_.masks ? in_their_slots(clips.select(1, t), predicted, ever) : clips.select(1, t);
  };
  at::Tensor now = objects_at(0, state);
  for (std::int64_t t = 0; t < steps; ++t) {
    const at::Tensor seen = now.narrow(2, 0, 1);
    state = at::where(seen > 0, now.narrow(2, 1, state_size), state);
    occluder = at::maximum(occluder, now.narrow(2, 1 + state_size, 1));
    const at::Tensor size = now.narrow(2, 1 + size_from, 2);
    largest = at::where(at::logical_and(seen > 0, size.prod(2, true) >= largest.prod(2, true)), size,
                        largest);
    ever = at::maximum(ever, seen);
    age = at::where(seen > 0, at::zeros_like(age), age + 0.1) * ever;
    const at::Tensor input = at::cat({seen, state, largest, age, ever, occluder}, 2),
                     with_hidden = at::cat({input, hidden}, 2);
    const std::vector<std::int64_t> of_pairs{batch, slots, slots, input_size + h};
    const at::Tensor pairs = at::cat(
        {with_hidden.unsqueeze(2).expand(of_pairs), with_hidden.unsqueeze(1).expand(of_pairs)}, 3);
    const at::Tensor effects =
        (linear("relation.1", linear("relation.0", pairs).relu()).relu() * not_itself).sum(2);
    const std::vector<at::Tensor> gates =
        (linear("lstm.input", at::cat({input, effects}, 2)) + linear("lstm.hidden", hidden)).split(h, 2);
    cell = gates[1].sigmoid() * cell + gates[0].sigmoid() * gates[2].tanh();
    hidden = gates[3].sigmoid() * cell.tanh();
    const at::Tensor out = linear("out", hidden), predicted = state + out.narrow(2, 1, state_size);
    const at::Tensor next = objects_at(t + 1, predicted), seen_next = next.narrow(2, 0, 1),
                     truth = next.narrow(2, 1, state_size);
    const auto error = [&](const at::Tensor& probability, const at::Tensor& expected) {
      return ((seen_next - probability).square() +
              seen_next * at::where(ever > 0, ((expected - truth).square() * weights).sum(2, true),
                                    at::full_like(ever, error_of_new)))
          .squeeze(2);
    };
    errors.push_back(error(out.narrow(2, 0, 1).sigmoid(), predicted));
    changes.push_back(error(seen, state));
    followed.push_back(at::cat({ever, seen, seen_next, state, predicted.detach(), truth, largest}, 2));
    now = next;
  }
  return {.errors = at::stack(errors, 1),
          .changes = at::stack(changes, 1),
          .hidden = hidden,
          .steps = at::stack(followed, 1)};
}

at::Tensor ObjectNetwork::loss(const at::Tensor& clips, const TrainingMoment&) {
  return forward(clips).errors.mean();
}

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
  std::vector<ClipSurprise> all = clip_surprises(output.errors.sum(2, false, at::kDouble),
                                                 output.changes.sum(2, false, at::kDouble),
                                                 output.hidden.amax(1));
  const at::Tensor steps = output.steps.to(at::kCPU).contiguous();
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i].events = object_events(steps_of(steps[static_cast<std::int64_t>(i)]));
  return all;
}

}  // namespace startle
