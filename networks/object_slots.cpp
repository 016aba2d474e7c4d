#include "networks/object_slots.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/error.hpp"

namespace startle {

EntityClass entity_class(int id, int occluders_from) {
  return id < 2 ? EntityClass::background : id < occluders_from ? EntityClass::object : EntityClass::occluder;
}

std::vector<ObjectState> frame_objects(const std::uint8_t* rgb, const std::uint8_t* ids, int pixels, int occluders_from) {
  struct Sums {
    double count = 0, x = 0, y = 0, xx = 0, yy = 0;
    std::array<double, 3> colour{};
  };
  const auto side = static_cast<std::size_t>(pixels);
  std::array<Sums, 256> sums;
  for (std::size_t i = 0; i < side * side; ++i) {
    if (ids[i] < 2) continue;
    Sums& sum = sums[ids[i]];
    const double x = (static_cast<double>(i % side) + 0.5) / pixels, y = (static_cast<double>(i / side) + 0.5) / pixels;
    sum.count += 1;
    sum.x += x;
    sum.y += y;
    sum.xx += x * x;
    sum.yy += y * y;
    for (std::size_t c = 0; c < 3; ++c) sum.colour[c] += rgb[3 * i + c] / 255.0;
  }
  std::vector<ObjectState> objects(sums.size());
  for (std::size_t id = 2; id < sums.size(); ++id) {
    const Sums& sum = sums[id];
    if (sum.count == 0) continue;
    ObjectState& state = objects[id];
    state = {.visible = true, .x = sum.x / sum.count, .y = sum.y / sum.count, .occluder = entity_class(static_cast<int>(id), occluders_from) == EntityClass::occluder ? 1.0 : 0.0};
    state.width = std::sqrt(std::max(0.0, sum.xx / sum.count - state.x * state.x));
    state.height = std::sqrt(std::max(0.0, sum.yy / sum.count - state.y * state.y));
    for (std::size_t c = 0; c < 3; ++c) state.colour[c] = sum.colour[c] / sum.count;
  }
  return objects;
}

std::vector<std::uint8_t> label_things(const std::vector<std::uint8_t>& groups, int pixels) {
  const auto side = static_cast<std::size_t>(pixels);
  if (groups.size() != side * side) throw Error("things: found " + std::to_string(groups.size()) + " pixels, needed are " + std::to_string(side * side));
  std::array<bool, 256> left{}, right{};
  for (std::size_t row = 0; row < side; ++row) {
    left[groups[row * side]] = true;
    right[groups[row * side + side - 1]] = true;
  }
  const auto is_background = [&](std::uint8_t group) { return left[group] && right[group]; };

  std::vector<std::vector<std::size_t>> pieces;
  std::vector<int> piece_of(groups.size(), -1);
  std::vector<bool> known(groups.size(), false);
  for (std::size_t start = 0; start < groups.size(); ++start) {
    if (known[start] || is_background(groups[start])) continue;
    const std::uint8_t group = groups[start];
    std::vector<std::size_t> piece{start};
    known[start] = true;
    bool square = false;
    for (std::size_t next = 0; next < piece.size(); ++next) {
      const std::size_t i = piece[next], row = i / side, column = i % side;
      const auto is_of_it = [&](std::size_t j) { return groups[j] == group; };
      const auto reach = [&](std::size_t j) {
        if (known[j] || !is_of_it(j)) return;
        known[j] = true;
        piece.push_back(j);
      };
      if (column > 0) reach(i - 1);
      if (column + 1 < side) reach(i + 1);
      if (row > 0) reach(i - side);
      if (row + 1 < side) reach(i + side);
      square = square || (column + 1 < side && row + 1 < side && is_of_it(i + 1) && is_of_it(i + side) && is_of_it(i + side + 1));
    }
    if (!square) continue;
    for (const std::size_t i : piece) piece_of[i] = static_cast<int>(pieces.size());
    pieces.push_back(std::move(piece));
  }

  // A softened edge may seem to be of any group, so one pixel of background does not part anything.
  std::vector<std::size_t> thing_of(pieces.size());
  std::iota(thing_of.begin(), thing_of.end(), 0U);
  const auto join_along = [&](std::size_t first, std::size_t step) {
    std::array<int, 256> last;
    last.fill(-1);
    std::size_t background = 0;
    for (std::size_t i = first, n = 0; n < side; ++n, i += step) {
      background = is_background(groups[i]) ? background + 1 : 0;
      if (background == 2) last.fill(-1);
      if (piece_of[i] < 0) continue;
      int& before = last[groups[i]];
      if (before >= 0 && before != piece_of[i]) {
        const std::size_t a = thing_of[static_cast<std::size_t>(before)], b = thing_of[static_cast<std::size_t>(piece_of[i])];
        std::replace(thing_of.begin(), thing_of.end(), std::max(a, b), std::min(a, b));
      }
      before = piece_of[i];
    }
  };
  for (std::size_t n = 0; n < side; ++n) {
    join_along(n * side, 1);
    join_along(n, side);
  }
  for (std::size_t k = pieces.size(); k-- > 0;) {
    if (thing_of[k] == k) continue;
    std::vector<std::size_t>& whole = pieces[thing_of[k]];
    whole.insert(whole.end(), pieces[k].begin(), pieces[k].end());
    pieces[k].clear();
  }
  std::stable_sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  std::vector<std::uint8_t> ids(groups.size(), 0);
  for (std::size_t k = 0; k < std::min<std::size_t>(pieces.size(), 254); ++k)
    for (const std::size_t i : pieces[k]) ids[i] = static_cast<std::uint8_t>(2 + k);  // the empty ones, which are part of others, come last
  return ids;
}

std::vector<std::vector<ObjectState>> object_slots(const Clip& clip, int slots, int occluders_from) {
  const auto side = static_cast<std::size_t>(clip.pixels);
  if (clip.masks.size() != static_cast<std::size_t>(clip.frames) * side * side)
    throw Error("clip: has no masks, which network object reads; startle surprise dataset --masks makes clips that have");
  std::array<int, 256> slot_of;
  slot_of.fill(-1);
  int known = 0;
  std::vector<std::vector<ObjectState>> frames;
  for (int t = 0; t < clip.frames; ++t) {
    const std::vector<ObjectState> objects =
        frame_objects(clip.frame(t), clip.masks.data() + static_cast<std::size_t>(t) * side * side, clip.pixels, occluders_from);
    std::vector<ObjectState> states(static_cast<std::size_t>(slots));
    for (int id = 2; id < 256; ++id) {
      const ObjectState& object = objects[static_cast<std::size_t>(id)];
      if (!object.visible) continue;
      int& slot = slot_of[static_cast<std::size_t>(id)];
      if (slot < 0) {
        if (known == slots) continue;
        slot = known++;
      }
      states[static_cast<std::size_t>(slot)] = object;
    }
    frames.push_back(std::move(states));
  }
  return frames;
}

}  // namespace startle
