#include "surprise/networks/object_slots.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "core/error.hpp"

namespace startle {

EntityClass entity_class(int id, int occluders_from) {
  return id < 2 ? EntityClass::background : id < occluders_from ? EntityClass::object : EntityClass::occluder;
}

namespace {

constexpr int same_colour = 4;         // levels of 256 in each channel by which a thing's pixels may differ
constexpr double another_colour = 30;  // distance between colours of which one thing does not have both
constexpr int distinguishable = 12;  // levels of colour by which two must differ for a mixture of them to say
                                     // its shares
constexpr int misfit_of_edges = 30;  // levels of colour by which the mixture may miss a pixel's: an edge of
                                     // textures or outlines is none of two colours
constexpr std::ptrdiff_t reach = 2;  // pixels from one on an edge to the things that meet there
constexpr std::ptrdiff_t far_reach = 8;  // to the background, which may be a strip between two things in
                                         // which no pixel lies whole

using Colour = std::array<double, 3>;

double squared_distance(const Colour& a, const Colour& b) {
  double sum = 0;
  for (std::size_t c = 0; c < 3; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

bool alike(const std::uint8_t* rgb, std::size_t i, std::size_t j) {
  for (std::size_t c = 0; c < 3; ++c)
    if (std::abs(rgb[3 * i + c] - rgb[3 * j + c]) > same_colour) return false;
  return true;
}

/// Pixels that are part of a square of 2 x 2 of which three are alike() to the first one, i, and same(i, j)
/// holds of them: softened edges have none.
template <class Same>
std::vector<bool> in_even_squares(const std::uint8_t* rgb, std::size_t side, const Same& same) {
  std::vector<bool> even(side * side, false);
  const auto matches = [&](std::size_t i, std::size_t j) { return alike(rgb, i, j) && same(i, j); };
  for (std::size_t row = 0; row + 1 < side; ++row)
    for (std::size_t column = 0; column + 1 < side; ++column) {
      const std::size_t i = row * side + column;
      if (matches(i, i + 1) && matches(i, i + side) && matches(i, i + side + 1))
        even[i] = even[i + 1] = even[i + side] = even[i + side + 1] = true;
    }
  return even;
}

/// A frame's pixels, and which of them lie whole within what they show.
class FrameColours {
 public:
  FrameColours(const std::uint8_t* rgb, const std::uint8_t* ids, int pixels)
      : rgb_(rgb),
        ids_(ids),
        side_(static_cast<std::size_t>(pixels)),
        whole_(in_even_squares(rgb, side_, [&](std::size_t i, std::size_t j) { return ids[i] == ids[j]; })) {
    std::array<double, 256> count{};
    for (std::size_t i = 0; i < whole_.size(); ++i) {
      if (!whole_[i]) continue;
      count[ids[i]] += 1;
      for (std::size_t c = 0; c < 3; ++c) of_id_[ids[i]][c] += rgb[3 * i + c];
    }
    for (std::size_t id = 0; id < count.size(); ++id) {
      has_colour_[id] = count[id] > 0;
      for (double& value : of_id_[id]) value /= std::max(1.0, count[id]);
    }
  }

  bool whole(std::size_t i) const { return whole_[i]; }
  bool has_colour(std::size_t id) const { return has_colour_[id]; }
  const Colour& colour(std::size_t id) const { return of_id_[id]; }
  Colour at(std::size_t i) const {
    return {static_cast<double>(rgb_[3 * i]), static_cast<double>(rgb_[3 * i + 1]),
            static_cast<double>(rgb_[3 * i + 2])};
  }

  /// Calls add(id, share) for the two things of whose colours that of pixel i is a mixture, the best that
  /// stand within reach, the nearest where several are as good; false where there are no two.
  template <class Add>
  bool unmix(std::size_t i, const Add& add) const {
    struct Part {
      std::uint8_t id;
      Colour colour;
    };
    std::array<Part, 8> parts;
    std::size_t count = 0;
    const auto meets = [&](std::uint8_t id, const Colour& colour) {
      for (std::size_t n = 0; n < count; ++n)
        if (parts[n].id == id && squared_distance(parts[n].colour, colour) <= same_colour * same_colour)
          return;
      if (count < parts.size()) parts[count++] = {id, colour};
    };
    const auto side = static_cast<std::ptrdiff_t>(side_), row = static_cast<std::ptrdiff_t>(i) / side,
               column = static_cast<std::ptrdiff_t>(i) % side;
    const auto ring = [&](std::ptrdiff_t far, const auto& visit) {
      for (std::ptrdiff_t y = std::max<std::ptrdiff_t>(0, row - far); y <= std::min(side - 1, row + far); ++y)
        for (std::ptrdiff_t x = std::max<std::ptrdiff_t>(0, column - far);
             x <= std::min(side - 1, column + far); ++x)
          if (std::max(std::abs(y - row), std::abs(x - column)) == far)
            visit(static_cast<std::size_t>(y * side + x));
    };
    for (std::ptrdiff_t far = 0; far <= reach; ++far)
      ring(far, [&](std::size_t j) {
        if (ids_[j] >= 2 && has_colour_[ids_[j]]) meets(ids_[j], of_id_[ids_[j]]);
      });
    const std::size_t things = count;
    for (std::ptrdiff_t far = 0; far <= reach || (count == things && far <= far_reach); ++far)
      ring(far, [&](std::size_t j) {
        if (ids_[j] < 2 && whole_[j]) meets(ids_[j], at(j));
      });
    const Colour here = at(i);
    double best = std::numeric_limits<double>::infinity(), share = 0;
    std::size_t one = 0, other = 0;
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = a + 1; b < count; ++b) {
        const double between = squared_distance(parts[a].colour, parts[b].colour);
        if (between < distinguishable * distinguishable) continue;
        double along = 0;
        for (std::size_t c = 0; c < 3; ++c)
          along += (here[c] - parts[b].colour[c]) * (parts[a].colour[c] - parts[b].colour[c]);
        along = std::clamp(along / between, 0.0, 1.0);
        Colour mixed;
        for (std::size_t c = 0; c < 3; ++c)
          mixed[c] = along * parts[a].colour[c] + (1 - along) * parts[b].colour[c];
        if (const double misfit = squared_distance(here, mixed); misfit < best) {
          best = misfit;
          share = along;
          one = a;
          other = b;
        }
      }
    if (one == other || best > misfit_of_edges * misfit_of_edges) return false;
    add(parts[one].id, share);
    add(parts[other].id, 1 - share);
    return true;
  }

 private:
  const std::uint8_t* rgb_;
  const std::uint8_t* ids_;
  std::size_t side_;
  std::vector<bool> whole_;
  std::array<Colour, 256> of_id_{};
  std::array<bool, 256> has_colour_{};
};

/// Groups that have one colour each, as far as pixels in even squares say. Those of a group that have another
/// colour than most go to the group that most often has it, or else are a group of their own; other pixels
/// stay with the most.
std::vector<std::uint8_t> grouped_by_colour(const std::uint8_t* rgb, const std::vector<std::uint8_t>& groups,
                                            std::size_t side) {
  constexpr std::size_t most_parts = 255;
  struct Part {
    std::uint8_t group;
    Colour colour;
    std::size_t pixels;
  };
  std::vector<Part> parts;
  std::vector<std::size_t> part_of(groups.size(), most_parts);
  std::array<std::size_t, 256> main;  // part of each group
  main.fill(most_parts);
  const auto nearest = [&](const Colour& colour, const auto& allowed) {
    std::size_t best = most_parts;
    double least = another_colour * another_colour;
    for (std::size_t n = 0; n < parts.size(); ++n)
      if (const double distance = squared_distance(parts[n].colour, colour);
          distance <= least && allowed(n)) {
        least = distance;
        best = n;
      }
    return best;
  };
  const std::vector<bool> even = in_even_squares(rgb, side, [](std::size_t, std::size_t) { return true; });
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!even[i]) continue;
    const Colour colour{static_cast<double>(rgb[3 * i]), static_cast<double>(rgb[3 * i + 1]),
                        static_cast<double>(rgb[3 * i + 2])};
    std::size_t part = nearest(colour, [&](std::size_t n) { return parts[n].group == groups[i]; });
    if (part == most_parts) {
      if (parts.size() == most_parts) continue;
      part = parts.size();
      parts.push_back({groups[i], colour, 0});
    }
    ++parts[part].pixels;
    part_of[i] = part;
  }
  for (std::size_t n = 0; n < parts.size(); ++n)
    if (std::size_t& most = main[parts[n].group]; most == most_parts || parts[n].pixels > parts[most].pixels)
      most = n;
  std::vector<std::size_t> instead(parts.size());
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const std::size_t other = main[parts[n].group] == n ? n : nearest(parts[n].colour, [&](std::size_t m) {
      return m != n && main[parts[m].group] == m;
    });
    instead[n] = other == most_parts ? n : other;
  }
  std::vector<std::uint8_t> result(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::size_t part = part_of[i] == most_parts ? main[groups[i]] : instead[part_of[i]];
    result[i] = static_cast<std::uint8_t>(part);
  }
  return result;
}

/// Joins pieces of one group to things: those that touch in even squares of one colour, and those that are
/// parted by nothing but what stands before them.
class ThingLabels {
 public:
  /// `groups`: the group of each pixel, `side` x `side`.
  ThingLabels(const std::uint8_t* rgb, const std::vector<std::uint8_t>& groups, std::size_t side)
      : groups_(groups), side_(side), piece_of_(groups.size(), groups.size()) {
    for (std::size_t row = 0; row < side; ++row) {
      left_[groups[row * side]] = true;
      right_[groups[row * side + side - 1]] = true;
    }
    find_pieces();
    join_even(rgb);
    join_hidden();
  }

  /// As label_things().
  std::vector<std::uint8_t> ids() const {
    std::vector<std::vector<std::size_t>> things(thing_of_.size());
    for (std::size_t i = 0; i < groups_.size(); ++i)
      if (stands_[thing_at(i)]) things[thing_at(i)].push_back(i);
    std::stable_sort(things.begin(), things.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    std::vector<std::uint8_t> ids(groups_.size(), 0);
    for (std::size_t k = 0; k < std::min<std::size_t>(things.size(), 254); ++k)
      for (const std::size_t i : things[k]) ids[i] = static_cast<std::uint8_t>(2 + k);
    return ids;
  }

 private:
  using ThingPairs = std::set<std::pair<std::size_t, std::size_t>>;

  bool is_background(std::size_t i) const { return left_[groups_[i]] && right_[groups_[i]]; }
  std::size_t thing_at(std::size_t i) const { return thing_of_[piece_of_[i]]; }
  void join(std::size_t a, std::size_t b) {
    if (a != b) std::replace(thing_of_.begin(), thing_of_.end(), std::max(a, b), std::min(a, b));
  }

  template <typename Visit>
  void for_each_neighbour(std::size_t i, const Visit& visit) const {
    if (i % side_ > 0) visit(i - 1);
    if (i % side_ + 1 < side_) visit(i + 1);
    if (i >= side_) visit(i - side_);
    if (i + side_ < side_ * side_) visit(i + side_);
  }

  /// Connected pixels of one group. Each is a thing by itself until it is joined.
  void find_pieces() {
    std::vector<std::size_t> piece;
    std::size_t pieces = 0;
    for (std::size_t start = 0; start < groups_.size(); ++start) {
      if (piece_of_[start] < groups_.size()) continue;
      piece.assign(1, start);
      piece_of_[start] = pieces;
      for (std::size_t next = 0; next < piece.size(); ++next)
        for_each_neighbour(piece[next], [&](std::size_t j) {
          if (piece_of_[j] < groups_.size() || groups_[j] != groups_[start]) return;
          piece_of_[j] = pieces;
          piece.push_back(j);
        });
      ++pieces;
    }
    thing_of_.resize(pieces);
    std::iota(thing_of_.begin(), thing_of_.end(), 0U);
  }

  void join_even(const std::uint8_t* rgb) {
    const std::vector<bool> even = in_even_squares(
        rgb, side_, [&](std::size_t i, std::size_t j) { return !is_background(i) && !is_background(j); });
    for (std::size_t i = 0; i < groups_.size(); ++i)
      for_each_neighbour(i, [&](std::size_t j) {
        if (even[i] && even[j] && alike(rgb, i, j)) join(thing_at(i), thing_at(j));
      });
    stands_.assign(thing_of_.size(), false);
    for (std::size_t i = 0; i < groups_.size(); ++i)
      if (even[i]) stands_[thing_at(i)] = true;
  }

  /// Which of a group's things have others alone between them along some line, and which have background
  /// there: those are two. A softened edge may seem to be of any group, so one pixel of background does not
  /// part anything.
  void join_hidden() {
    ThingPairs hidden_between, parted;
    for (std::size_t n = 0; n < side_; ++n) {
      look_along(n * side_, 1, hidden_between, parted);
      look_along(n, side_, hidden_between, parted);
    }
    for (const auto& pair : hidden_between)
      if (!parted.contains(pair)) join(thing_of_[pair.first], thing_of_[pair.second]);
  }

  void look_along(std::size_t first, std::size_t step, ThingPairs& hidden_between, ThingPairs& parted) const {
    std::array<std::size_t, 256> last{};  // pixel of each group, as its place along the line from 1 on
    std::size_t empty = 0, gap = 0;
    for (std::size_t n = 1; n <= side_; ++n) {
      const std::size_t i = first + (n - 1) * step;
      empty = is_background(i) ? empty + 1 : 0;
      if (empty == 2) gap = n;
      if (!stands_[thing_at(i)]) continue;
      std::size_t& before = last[groups_[i]];
      const std::size_t one = before > 0 ? thing_at(first + (before - 1) * step) : thing_at(i),
                        other = thing_at(i);
      if (one != other && gap > before) parted.insert(std::minmax(one, other));
      if (one != other && gap <= before) hidden_between.insert(std::minmax(one, other));
      before = n;
    }
  }

  const std::vector<std::uint8_t>& groups_;
  std::size_t side_;
  std::array<bool, 256> left_{}, right_{};  // groups at these borders: of both is the background
  std::vector<std::size_t> piece_of_;       // by pixel
  std::vector<std::size_t> thing_of_;       // by piece: the first of its pieces
  std::vector<bool> stands_;                // by thing: whether it has an even square
};

}  // namespace

std::vector<ObjectState> frame_objects(const std::uint8_t* rgb, const std::uint8_t* ids, int pixels,
                                       int occluders_from) {
  struct Sums {
    double count = 0, x = 0, y = 0, xx = 0, yy = 0;
    Colour colour{};
  };
  const auto side = static_cast<std::size_t>(pixels);
  const FrameColours colours(rgb, ids, pixels);
  std::array<Sums, 256> sums;
  for (std::size_t i = 0; i < side * side; ++i) {
    const std::size_t row = i / side, column = i % side;
    const auto add = [&](std::size_t id, double share) {
      if (id < 2) return;
      Sums& sum = sums[id];
      const Colour colour = colours.has_colour(id) ? colours.colour(id) : colours.at(i);
      // The share lies on the side where the thing goes on: within the pixel its mean is (1 - share) / 2 from
      // the middle, its variance share^2 / 12.
      const auto along = [&](std::size_t place, bool before, bool after, double& mean, double& square) {
        const double side_of_it = before == after ? 0 : after ? 1 : -1, extent = side_of_it == 0 ? 1 : share;
        const double at = (static_cast<double>(place) + 0.5 + side_of_it * (1 - share) / 2) / pixels;
        mean += share * at;
        square += share * (at * at + extent * extent / 12 / pixels / pixels);
      };
      sum.count += share;
      along(column, column > 0 && ids[i - 1] == id, column + 1 < side && ids[i + 1] == id, sum.x, sum.xx);
      along(row, row > 0 && ids[i - side] == id, row + 1 < side && ids[i + side] == id, sum.y, sum.yy);
      for (std::size_t c = 0; c < 3; ++c) sum.colour[c] += share * colour[c] / 255;
    };
    // A thing so thin that none of its pixels is whole has those that are given to it.
    if (colours.whole(i) || (ids[i] >= 2 && !colours.has_colour(ids[i])) || !colours.unmix(i, add))
      add(ids[i], 1);
  }
  std::vector<ObjectState> objects(sums.size());
  for (std::size_t id = 2; id < sums.size(); ++id) {
    const Sums& sum = sums[id];
    if (sum.count == 0) continue;
    ObjectState& state = objects[id];
    state = {
        .visible = true,
        .x = sum.x / sum.count,
        .y = sum.y / sum.count,
        .occluder = entity_class(static_cast<int>(id), occluders_from) == EntityClass::occluder ? 1.0 : 0.0};
    state.width = std::sqrt(std::max(0.0, sum.xx / sum.count - state.x * state.x));
    state.height = std::sqrt(std::max(0.0, sum.yy / sum.count - state.y * state.y));
    for (std::size_t c = 0; c < 3; ++c) state.colour[c] = sum.colour[c] / sum.count;
  }
  return objects;
}

std::vector<std::uint8_t> label_things(const std::uint8_t* rgb, const std::vector<std::uint8_t>& groups,
                                       int pixels) {
  const auto side = static_cast<std::size_t>(pixels);
  if (groups.size() != side * side)
    throw Error("things: found " + std::to_string(groups.size()) + " pixels, needed are " +
                std::to_string(side * side));
  return ThingLabels(rgb, grouped_by_colour(rgb, groups, side), side).ids();
}

std::vector<std::vector<ObjectState>> object_slots(const Clip& clip, int slots, int occluders_from) {
  const auto side = static_cast<std::size_t>(clip.pixels);
  if (clip.masks.size() != static_cast<std::size_t>(clip.frames) * side * side)
    throw Error(
        "clip: has no masks, which network object reads; startle surprise dataset --masks makes clips that "
        "have");
  std::array<int, 256> slot_of;
  slot_of.fill(-1);
  int known = 0;
  std::vector<std::vector<ObjectState>> frames;
  for (int t = 0; t < clip.frames; ++t) {
    const std::vector<ObjectState> objects = frame_objects(
        clip.frame(t), clip.masks.data() + static_cast<std::size_t>(t) * side * side, clip.pixels,
        occluders_from);
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
