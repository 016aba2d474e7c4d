#include "networks/object_slots.hpp"

#include <algorithm>
#include <cmath>

#include "sim/error.hpp"

namespace startle {

EntityClass entity_class(int id, int occluders_from) {
  return id < 2 ? EntityClass::background : id < occluders_from ? EntityClass::object : EntityClass::occluder;
}

std::vector<std::vector<ObjectState>> object_slots(const Clip& clip, int slots, int occluders_from) {
  const auto side = static_cast<std::size_t>(clip.pixels);
  if (clip.masks.size() != static_cast<std::size_t>(clip.frames) * side * side)
    throw Error("clip: has no masks, which network object reads; startle surprise dataset --masks makes clips that have");
  struct Sums {
    double count = 0, x = 0, y = 0, xx = 0, yy = 0;
    std::array<double, 3> colour{};
  };
  std::array<int, 256> slot_of;
  slot_of.fill(-1);
  int known = 0;
  std::vector<std::vector<ObjectState>> frames;
  for (int t = 0; t < clip.frames; ++t) {
    std::array<Sums, 256> sums;
    const std::uint8_t* ids = clip.masks.data() + static_cast<std::size_t>(t) * side * side;
    const std::uint8_t* rgb = clip.frame(t);
    for (std::size_t i = 0; i < side * side; ++i) {
      if (ids[i] < 2) continue;
      Sums& sum = sums[ids[i]];
      const double x = (static_cast<double>(i % side) + 0.5) / clip.pixels, y = (static_cast<double>(i / side) + 0.5) / clip.pixels;
      sum.count += 1;
      sum.x += x;
      sum.y += y;
      sum.xx += x * x;
      sum.yy += y * y;
      for (std::size_t c = 0; c < 3; ++c) sum.colour[c] += rgb[3 * i + c] / 255.0;
    }
    std::vector<ObjectState> states(static_cast<std::size_t>(slots));
    for (int id = 2; id < 256; ++id) {
      const Sums& sum = sums[static_cast<std::size_t>(id)];
      if (sum.count == 0) continue;
      int& slot = slot_of[static_cast<std::size_t>(id)];
      if (slot < 0) {
        if (known == slots) continue;
        slot = known++;
      }
      ObjectState& state = states[static_cast<std::size_t>(slot)];
      state = {.visible = true, .x = sum.x / sum.count, .y = sum.y / sum.count, .occluder = entity_class(id, occluders_from) == EntityClass::occluder ? 1.0 : 0.0};
      state.width = std::sqrt(std::max(0.0, sum.xx / sum.count - state.x * state.x));
      state.height = std::sqrt(std::max(0.0, sum.yy / sum.count - state.y * state.y));
      for (std::size_t c = 0; c < 3; ++c) state.colour[c] = sum.colour[c] / sum.count;
    }
    frames.push_back(std::move(states));
  }
  return frames;
}

}  // namespace startle
