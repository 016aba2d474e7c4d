#include "simulated/validate_targets.hpp"

#include <algorithm>
#include <numbers>
#include <set>

#include "sim/world.hpp"
#include "simulated/reasoned_scene.hpp"

namespace startle {
namespace {

constexpr double sweep_step = 0.5 * std::numbers::pi / 180;
constexpr double finest_sweep_step = std::numbers::pi / 180 / 32;

/// Bodies that the bird touches first on a shot: objects that can be targets. Two, where it touches both
/// within one step.
std::vector<std::size_t> first_touched(const Scene& scene, double angle) {
  World world(scene, {.record_events = true});
  world.launch({.angle = angle});
  const auto bird = static_cast<BodyId>(scene.objects.size());
  std::vector<std::size_t> touched;
  for (std::size_t read = 0; !world.over();) {
    world.step();
    const std::vector<Event>& events = world.trace().events;
    bool met = false;
    for (; read < events.size(); ++read) {
      const Event& e = events[read];
      if (e.kind == EventKind::out_of_world && e.a == bird) return touched;
      if (e.kind != EventKind::contact || (e.a != bird && e.b != bird)) continue;
      met = true;
      const BodyId other = e.a == bird ? e.b : e.a;
      if (other != ground_id && !scene.objects[static_cast<std::size_t>(other)].is_static())
        touched.push_back(static_cast<std::size_t>(other));
    }
    if (met) break;
  }
  std::sort(touched.begin(), touched.end());
  return touched;
}

}  // namespace

TargetCounts& TargetCounts::operator+=(const TargetCounts& other) {
  objects += other.objects;
  trajectories += other.trajectories;
  hit += other.hit;
  return *this;
}

TargetCounts validate_targets(const FlownState& state) {
  TargetCounts counts;
  const std::vector<std::size_t> reached = sweep_targets(state.scene);
  for (std::size_t i = 0; i < state.scene.objects.size(); ++i) {
    if (!is_movable(state.scene.objects[i])) continue;
    const bool found = std::any_of(state.targets.begin(), state.targets.end(),
                                   [&](const FlownTarget& t) { return t.target.object == i; });
    counts.objects.add(found, std::binary_search(reached.begin(), reached.end(), i));
  }
  const auto bird = static_cast<BodyId>(state.scene.objects.size());
  for (const FlownTarget& flown : state.targets) {
    for (const NormalShot& shot : flown.shots) {
      ++counts.trajectories;
      const auto first = std::find_if(shot.events.begin(), shot.events.end(), [&](const Event& e) {
        return e.kind == EventKind::contact && (e.a == bird || e.b == bird);
      });
      counts.hit += first != shot.events.end() && (first->a == static_cast<BodyId>(flown.target.object) ||
                                                   first->b == static_cast<BodyId>(flown.target.object));
    }
  }
  return counts;
}

std::vector<std::size_t> sweep_targets(const Scene& normal) {
  std::set<std::size_t> reached;
  const auto fly = [&](double angle) {
    std::vector<std::size_t> touched = first_touched(normal, angle);
    reached.insert(touched.begin(), touched.end());
    return touched;
  };
  const auto refine = [&](const auto& self, double low, const std::vector<std::size_t>& at_low, double high,
                          const std::vector<std::size_t>& at_high) -> void {
    if (at_low == at_high || high - low <= finest_sweep_step) return;
    const double middle = 0.5 * (low + high);
    const std::vector<std::size_t> at_middle = fly(middle);
    self(self, low, at_low, middle, at_middle);
    self(self, middle, at_middle, high, at_high);
  };
  const auto sweep = [&](double from) {
    constexpr int steps = 360;  // half a turn
    std::vector<std::size_t> before = fly(from);
    for (int i = 1; i <= steps; ++i) {
      std::vector<std::size_t> now = fly(from + i * sweep_step);
      refine(refine, from + (i - 1) * sweep_step, before, from + i * sweep_step, now);
      before = std::move(now);
    }
  };
  sweep(-std::numbers::pi / 2);
  if (std::any_of(normal.objects.begin(), normal.objects.end(),
                  [&](const SceneObject& o) { return is_movable(o) && o.pose.position.x < normal.rest().x; }))
    sweep(std::numbers::pi / 2);
  return {reached.begin(), reached.end()};
}

}  // namespace startle
