#include "networks/object_events.hpp"

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
constexpr double colour_unit = 0.1;

struct Box {
  double left = 0, right = 0, top = 0, bottom = 0;
};

Box box_of(const ObjectLook& look, double width, double height) {
  return {look.x - half_side * width, look.x + half_side * width, look.y - half_side * height,
          look.y + half_side * height};
}

double overlap(const Box& a, const Box& b) {
  return std::max(0.0, std::min(a.right, b.right) - std::max(a.left, b.left)) *
         std::max(0.0, std::min(a.bottom, b.bottom) - std::max(a.top, b.top));
}

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

/// Where it was in the clear last.
struct Sighting {
  int frame = 0;
  ObjectLook look;
  double speed_x = 0, speed_y = 0;  ///< a frame
};

/// What is remembered of an object.
struct Memory {
  int frames_seen = 0, last_seen = 0, missing = 0;
  std::optional<Colour> colour;
  std::vector<Colour> others;  ///< colours known when it was seen first
  bool came_later = false;     ///< not there in the first frame
  float first_border = 0, first_gap = 0;
  std::optional<std::pair<int, ObjectLook>> in_the_clear;  ///< frame and look, whatever they were before
  std::optional<Sighting> sighting;
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
              here = object.seen_next ? box_of(object.next, object.next.width, object.next.height) : expected;
    const double area = std::max(1e-6, overlap(expected, expected));
    double covered = 0, nearest = 1;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      if (i == k || !objects[i].seen_next) continue;
      const Box other = box_of(objects[i].next, objects[i].next.width, objects[i].next.height);
      covered = std::max(covered, overlap(expected, other) / area);
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
      if (object.seen) memory.missing = 0;
      const bool inside = object.expected.x > 0 && object.expected.x < 1;
      memory.missing = covered < mostly_covered && inside ? memory.missing + 1 : 0;
      if (memory.missing == 0 || !memory.sighting) return;
      double elsewhere = 1;
      for (std::size_t i = 0; i < objects.size(); ++i)
        if (i != k && objects[i].seen_next)
          elsewhere = std::min(elsewhere, unlike(objects[i].next.colour, *memory.colour));
      add(ClipEventKind::missing,
          {scaled(elsewhere, colour_unit), border, static_cast<float>(4 * covered), log2_of(memory.missing),
           0.5F * log2_of(1 + memory.frames_seen), static_cast<float>(10 * object.expected.y),
           static_cast<float>(std::min(2.0, object.last.height / near_by)), 0.5F * speed});
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
    }
    if (object.seen_next && nearest > clear_gap && side > clear_gap && edge > clear_edge)
      compare(t, object.next, memory, add);
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
