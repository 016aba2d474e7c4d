#include "surprise/networks/object_events.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/math.hpp"

namespace startle {
namespace {

constexpr double half_side = 1.7320508;                 // of a box, over its standard deviation
constexpr double near_by = 0.03;                        // picture widths: a unit of what is near
constexpr double clear_gap = 0.01, clear_edge = 0.005;  // picture widths from what may hide a part of it
constexpr double same_size = 0.002;  // picture widths by which sizes in the clear may differ in two frames
constexpr double mostly_covered = 0.4;
constexpr double touches = 0.025;  // picture widths from the seen edge of a thing to what hides the rest
constexpr double at_rest = 0.004, in_motion = 0.012;     // picture widths that an edge moves in a frame
constexpr int frames_at_rest = 2;                        // one alone may be a turning point
constexpr double edge_unit = 0.03, farthest_edge = 0.2;  // picture widths from hidden edges to others
constexpr double colour_unit = 0.1;

struct Box {
  double left = 0, right = 0, top = 0, bottom = 0;
};

struct Size {
  double width = 0, height = 0;
};

Box box_of(const ObjectLook& look, double width, double height) {
  return {look.x - half_side * width, look.x + half_side * width, look.y - half_side * height,
          look.y + half_side * height};
}

Box box_of(const ObjectLook& look) { return box_of(look, look.width, look.height); }

double overlap(const Box& a, const Box& b) {
  return std::max(0.0, std::min(a.right, b.right) - std::max(a.left, b.left)) *
         std::max(0.0, std::min(a.bottom, b.bottom) - std::max(a.top, b.top));
}

/// The share of `a` that `b` covers.
double covered_share(const Box& a, const Box& b) { return overlap(a, b) / std::max(1e-6, overlap(a, a)); }

double gap(const Box& a, const Box& b) {
  return std::max({0.0, b.left - a.right, a.left - b.right, b.top - a.bottom, a.top - b.bottom});
}

using Colour = std::array<double, 3>;

double unlike(const Colour& a, const Colour& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return std::sqrt(sum);
}

float scaled(double difference, double unit) {
  return static_cast<float>(math::log1p(std::abs(difference) / unit));
}

float log2_of(double number) { return static_cast<float>(math::log(number) / math::log(2.0)); }

/// Signed.
float signed_scale(double difference, double unit) {
  return std::copysign(scaled(difference, unit), static_cast<float>(difference));
}

/// An object as large as it is known to be, where others may hide a part of it.
struct Whole {
  Box box;
  const Box* below = nullptr;  ///< one of the others that hides its lower edge
};

/// What may hide the rest of it along one axis, at either end: the largest of those that begin there and go
/// on.
struct HiddenEnds {
  const Box* low = nullptr;
  const Box* high = nullptr;
};
HiddenEnds hidden_ends(const Box& seen, const std::vector<Box>& others, double Box::*low, double Box::*high,
                       double Box::*across_low, double Box::*across_high) {
  HiddenEnds ends;
  const auto keep = [&](const Box*& kept, const Box& other) {
    if (!kept || other.*high - other.*low >= kept->*high - kept->*low) kept = &other;
  };
  for (const Box& other : others) {
    const double common = std::min(seen.*across_high, other.*across_high) -
                          std::max(seen.*across_low, other.*across_low);
    if (2 * common < seen.*across_high - seen.*across_low) continue;
    if (other.*low < seen.*high + touches && other.*high > seen.*high + touches) keep(ends.high, other);
    if (other.*high > seen.*low - touches && other.*low < seen.*low - touches) keep(ends.low, other);
  }
  return ends;
}

/// Seen as that box among others, of that size in whole. Of the upper and the lower edge the upper counts,
/// where both may be hidden: things stand.
Whole whole(const Box& seen, const Size& size, const std::vector<Box>& others) {
  Whole result{seen, nullptr};
  if (size.width - (seen.right - seen.left) >= touches) {
    const HiddenEnds ends = hidden_ends(seen, others, &Box::left, &Box::right, &Box::top, &Box::bottom);
    if (ends.high && !ends.low) result.box.right = seen.left + size.width;
    if (ends.low && !ends.high) result.box.left = seen.right - size.width;
  }
  if (size.height - (seen.bottom - seen.top) >= touches) {
    const HiddenEnds ends = hidden_ends(seen, others, &Box::top, &Box::bottom, &Box::left, &Box::right);
    if (ends.high) {
      result.box.bottom = seen.top + size.height;
      result.below = ends.high;
    } else if (ends.low) {
      result.box.top = seen.bottom - size.height;
    }
  }
  return result;
}

/// Where it was in the clear last.
struct Sighting {
  int frame = 0;
  ObjectLook look;
  double speed_x = 0, speed_y = 0;  ///< a frame
};

/// Where most was seen of it.
Size largest(const ObjectStep& object) {
  return {2 * half_side * std::max(object.largest_width, object.last.width),
          2 * half_side * std::max(object.largest_height, object.last.height)};
}

/// Boxes of the other objects in one frame.
std::vector<Box> other_boxes(const std::vector<ObjectStep>& objects, std::size_t k, bool ObjectStep::*seen,
                             ObjectLook ObjectStep::*look) {
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < objects.size(); ++i)
    if (i != k && objects[i].*seen) boxes.push_back(box_of(objects[i].*look));
  return boxes;
}

/// What is remembered of an object.
struct Memory {
  int frames_seen = 0, last_seen = 0, missing = 0;
  std::optional<Colour> colour;
  std::vector<Colour> others;  ///< colours known when it was seen first
  bool came_later = false;     ///< not there in the first frame
  float first_border = 0, first_gap = 0;
  std::optional<std::pair<int, ObjectLook>> in_the_clear;  ///< frame and look, whatever they were before
  std::optional<Sighting> sighting;
  Box whole;            ///< where it was seen last
  bool moving = false;  ///< since it was at rest
  int resting = 0;      ///< frames
};

class EventFinder {
 public:
  explicit EventFinder(std::size_t objects) : memory_(objects) {}

  void step(int t, const std::vector<ObjectStep>& objects) {
    for (std::size_t k = 0; k < objects.size(); ++k)
      if (objects[k].seen) {
        memory_[k].colour = objects[k].last.colour;
        memory_[k].last_seen = t;
        ++memory_[k].frames_seen;
      }
    for (std::size_t k = 0; k < objects.size(); ++k)
      if (objects[k].seen)
        memory_[k].whole = whole(box_of(objects[k].last), largest(objects[k]),
                                 other_boxes(objects, k, &ObjectStep::seen, &ObjectStep::last))
                               .box;
    for (std::size_t k = 0; k < objects.size(); ++k)
      if (objects[k].known || objects[k].seen_next) look_at(t, objects, k);
  }
  std::vector<ClipEvent> take() { return std::move(events_); }

 private:
  void look_at(int t, const std::vector<ObjectStep>& objects, std::size_t k) {
    const ObjectStep& object = objects[k];
    Memory& memory = memory_[k];
    const double width = std::max(object.largest_width, object.last.width),
                 height = std::max(object.largest_height, object.last.height);
    const Box expected = box_of(object.expected, width, height),
              here = object.seen_next ? box_of(object.next) : expected;
    const std::vector<Box> others = other_boxes(objects, k, &ObjectStep::seen_next, &ObjectStep::next);
    double covered = 0, covered_there = 0, nearest = 1;
    for (const Box& other : others) {
      covered = std::max(covered, covered_share(expected, other));
      covered_there = std::max(covered_there, covered_share(memory.whole, other));
      nearest = std::min(nearest, gap(here, other));
    }
    const double side = std::min(here.left, 1 - here.right), edge = std::min(1 - here.bottom, here.top);
    const auto border = static_cast<float>(std::clamp(side, -near_by, 2 * near_by) / near_by),
               space = static_cast<float>(std::min(nearest, 2 * near_by) / near_by);
    const auto add = [&](ClipEventKind kind, std::vector<float> features) {
      events_.push_back({kind, t + 1, std::move(features)});
    };
    const auto shows = [&](const ObjectLook& look) {
      return static_cast<float>(std::min(1.5, look.width * look.height / std::max(1e-6, width * height)));
    };
    const float speed = static_cast<float>(std::min(
        2.0, std::hypot(object.expected.x - object.last.x, object.expected.y - object.last.y) / near_by));
    if (!object.known) {
      memory.came_later = true;
      memory.first_border = 0.5F * border;
      memory.first_gap = 0.5F * space;
      for (std::size_t i = 0; i < objects.size(); ++i)
        if (i != k && memory_[i].colour) memory.others.push_back(*memory_[i].colour);
    } else if (!object.seen_next) {
      if (object.seen) {
        memory.missing = 0;
        memory.moving = false;
        hides(memory.whole, largest(object), others, add);
      }
      const bool inside = object.expected.x > 0 && object.expected.x < 1;
      memory.missing = covered < mostly_covered && inside ? memory.missing + 1 : 0;
      if (memory.missing == 0 || (!memory.sighting && covered_there >= mostly_covered)) return;
      double elsewhere = 1;
      for (std::size_t i = 0; i < objects.size(); ++i)
        if (i != k && objects[i].seen_next)
          elsewhere = std::min(elsewhere, unlike(objects[i].next.colour, *memory.colour));
      std::vector<float> features{scaled(elsewhere, colour_unit),
                                  border,
                                  static_cast<float>(4 * covered),
                                  log2_of(memory.missing),
                                  0.5F * log2_of(1 + memory.frames_seen),
                                  static_cast<float>(10 * object.expected.y),
                                  static_cast<float>(std::min(2.0, object.last.height / near_by)),
                                  0.5F * speed};
      if (!memory.sighting) features.push_back(static_cast<float>(4 * covered_there));
      add(memory.sighting ? ClipEventKind::missing : ClipEventKind::gone, std::move(features));
    } else {
      memory.missing = 0;
      std::vector<float> features =
          object.seen ? std::vector<float>{0.5F * border, 0.7F * space, 0.5F * speed,
                                           1.4F * shows(object.last), static_cast<float>(2 * covered)}
                      : std::vector<float>{0.3F * border, 0.3F * log2_of(1 + t - memory.last_seen),
                                           1.4F * shows(object.next), 0.5F * speed};
      const ObjectLook &a = object.expected, &b = object.next;
      for (const double off : {a.x - b.x, a.y - b.y, a.width - b.width, a.height - b.height})
        features.push_back(scaled(off, 0.005));
      features.push_back(scaled(unlike(a.colour, b.colour), 0.05));
      add(object.seen ? ClipEventKind::moves : ClipEventKind::returns, std::move(features));
      if (object.seen && comes_to_rest(memory, box_of(object.last), here))
        stops(objects, k, others, space, add);
    }
    if (object.seen_next && nearest > clear_gap && side > clear_gap && edge > clear_edge)
      compare(t, object.next, memory, add);
  }

  /// From one frame to the next.
  static bool comes_to_rest(Memory& memory, const Box& before, const Box& now) {
    const double moved = std::max({std::abs(before.left - now.left), std::abs(before.right - now.right),
                                   std::abs(before.top - now.top), std::abs(before.bottom - now.bottom)});
    if (moved > in_motion) memory.moving = true;
    memory.resting = moved > at_rest ? 0 : memory.resting + 1;
    if (!memory.moving || memory.resting < frames_at_rest) return false;
    memory.moving = false;
    return true;
  }

  template <typename Add>
  void stops(const std::vector<ObjectStep>& objects, std::size_t k, const std::vector<Box>& others,
             float space, const Add& add) {
    const Box here = box_of(objects[k].next);
    const Size size = largest(objects[k]);
    const Whole now = whole(here, size, others);
    double hides = 0;
    for (std::size_t i = 0; i < objects.size(); ++i)
      if (i != k && objects[i].known && !objects[i].seen_next)
        hides = std::max(hides, covered_share(memory_[i].whole, here));
    const double shows = overlap(here, here) / std::max(1e-6, size.width * size.height);
    add(ClipEventKind::stops,
        {now.below ? signed_scale(now.below->bottom - now.box.bottom, edge_unit) : 2.0F,
         now.below ? 1.0F : 0.0F, static_cast<float>(2 * hides), space,
         static_cast<float>(2 * std::min(1.5, shows)), static_cast<float>(5 * here.bottom)});
  }

  /// No longer seen: what hides it, if anything does.
  template <typename Add>
  static void hides(const Box& it, const Size& size, const std::vector<Box>& others, const Add& add) {
    const auto cover = std::max_element(others.begin(), others.end(), [&](const Box& a, const Box& b) {
      return overlap(it, a) < overlap(it, b);
    });
    if (cover == others.end() || overlap(it, *cover) == 0) return;
    const auto larger_by = [](double difference) {
      return signed_scale(std::min(farthest_edge, difference), edge_unit);
    };
    add(ClipEventKind::hides, {static_cast<float>(2 * covered_share(it, *cover)),
                               larger_by(cover->right - cover->left - size.width),
                               larger_by(cover->bottom - cover->top - size.height)});
  }

  /// In the clear.
  template <typename Add>
  static void compare(int t, const ObjectLook& now, Memory& memory, const Add& add) {
    const auto before = memory.in_the_clear;
    memory.in_the_clear = {t, now};
    if (!before || before->first != t - 1 || std::abs(now.width - before->second.width) >= same_size ||
        std::abs(now.height - before->second.height) >= same_size)
      return;
    const std::optional<Sighting> last = memory.sighting;
    if (!last && memory.came_later) {
      double alike = 1;
      for (const Colour& other : memory.others) alike = std::min(alike, unlike(now.colour, other));
      add(ClipEventKind::appears,
          {scaled(alike, colour_unit), memory.first_border, memory.first_gap, static_cast<float>(5 * now.y),
           static_cast<float>(0.5 * std::min(4.0, now.width / near_by)),
           static_cast<float>(0.5 * std::min(4.0, now.height / near_by))});
    }
    memory.sighting = {t, now, now.x - before->second.x, now.y - before->second.y};
    if (!last) return;
    const double frames = t - last->frame;
    if (frames <= 1) return;
    const float since = 0.3F * log2_of(frames);
    add(ClipEventKind::changes,
        {since, scaled(now.width - last->look.width, 0.0007), scaled(now.height - last->look.height, 0.0007),
         scaled(unlike(now.colour, last->look.colour), 0.02)});
    add(ClipEventKind::path, {since, scaled(now.x - last->look.x - frames * last->speed_x, 0.01),
                              scaled(now.y - last->look.y - frames * last->speed_y, 0.01)});
  }

  std::vector<Memory> memory_;
  std::vector<ClipEvent> events_;
};

}  // namespace

std::vector<ClipEvent> object_events(const std::vector<std::vector<ObjectStep>>& steps) {
  if (steps.empty()) return {};
  EventFinder finder(steps.front().size());
  for (std::size_t t = 0; t < steps.size(); ++t) finder.step(static_cast<int>(t), steps[t]);
  return finder.take();
}

}  // namespace startle
