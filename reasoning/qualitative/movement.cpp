#include "reasoning/qualitative/movement.hpp"

#include <algorithm>

#include "core/math.hpp"

namespace startle {
namespace {

bool contains(const std::vector<std::size_t>& list, std::size_t i) {
  return std::find(list.begin(), list.end(), i) != list.end();
}

}  // namespace

const char* movement::name(Case which) {
  static constexpr std::array<const char*, all.size()> names{
      "directly hit and destroyed", "directly hit and flips", "directly hit and slides",
      "falls without rotating",     "falls while rotating",   "slides and stops",
      "slides and falls",           "flips and stops",        "flips and falls"};
  return names[which - hit_and_destroyed];
}

const char* name(Method method) { return method == Method::published ? "published" : "extended"; }

std::optional<Method> method_from_name(const std::string& text) {
  for (Method method : {Method::published, Method::extended})
    if (text == name(method)) return method;
  return std::nullopt;
}

bool directly_above_static(const Scene& scene, const SupportGraph& graph, std::size_t object,
                           std::size_t without) {
  for (std::size_t e : graph.supporters[object]) {
    const std::size_t lower = graph.edges[e].lower;
    if (lower == ground_index || scene.objects[lower].is_static()) return true;
  }
  const Bounds& o = graph.geometry.bounds[object];
  double highest = -math::infinity;
  bool is_static = true;  // the ground, when nothing lies below
  for (std::size_t j = 0; j < scene.objects.size(); ++j) {
    const Bounds& b = graph.geometry.bounds[j];
    if (b.xmin >= o.xmax - contact_tolerance || b.xmax <= o.xmin + contact_tolerance) continue;
    if (b.ymax > o.ymin + contact_tolerance || b.ymax <= highest) continue;
    if (j == object || j == without || !scene.objects[j].alive) continue;
    highest = b.ymax;
    is_static = scene.objects[j].is_static();
  }
  return is_static;
}

bool falls_off(const Scene& scene, const SupportGraph& graph, std::size_t object, double distance,
               const std::vector<std::size_t>& moving) {
  const Bounds& o = graph.geometry.bounds[object];
  if (o.ymin <= scene.profile->ground_y + contact_tolerance) return false;  // on the ground
  const bool right = pushed_right(scene, graph.geometry, object);
  const double sign = right ? 1 : -1;
  // Follow the surfaces at the object's level, furthest reach first, in coordinates with the push towards +x.
  double reach = sign * o.centre().x;
  const double goal = reach + distance, bridge = 0.5 * o.width();
  for (bool further = true; further && reach < goal;) {
    further = false;
    for (std::size_t j = 0; j < scene.objects.size(); ++j) {
      const Bounds& b = graph.geometry.bounds[j];
      if (b.ymax < o.ymin - contact_tolerance || b.ymax > o.ymin + contact_tolerance) continue;
      if (j == object || !scene.objects[j].alive || contains(moving, j)) continue;
      const double from = right ? b.xmin : -b.xmax, to = right ? b.xmax : -b.xmin;
      if (from <= reach + bridge && to > reach) {
        reach = to;
        further = true;
      }
    }
  }
  return reach < goal;
}

std::vector<ImpactedObject> impacted_objects(const Scene& scene, const SupportGraph& graph,
                                             std::size_t target, const BirdType& bird,
                                             const ReasoningConstants& constants) {
  VerticalImpact vertical(scene, graph);
  return impacted_objects(vertical, target, bird, constants);
}

std::vector<ImpactedObject> impacted_objects(VerticalImpact& vertical, std::size_t target,
                                             const BirdType& bird, const ReasoningConstants& constants) {
  const Scene& scene = vertical.scene();
  const SupportGraph& graph = vertical.graph();
  const std::vector<Fall> falls = vertical.falls_without(target);
  const HorizontalInfluence influence = horizontal_influence(vertical, target, bird, constants);

  // What no longer lies where it was when a pushed object arrives there.
  std::vector<std::size_t> moving{target};
  for (const Fall& fall : falls) moving.push_back(fall.object);
  for (const Fall& fall : influence.falls) moving.push_back(fall.object);

  std::vector<ImpactedObject> impacted{{target, {}, {}}};
  const auto entry = [&](std::size_t object) -> ImpactedObject& {
    for (ImpactedObject& i : impacted)
      if (i.object == object) return i;
    return impacted.emplace_back(ImpactedObject{object, {}, {}});
  };
  const auto add = [](ImpactedObject& i, movement::Case which, const char* reason) {
    i.cases.set(which);
    if (!i.reason.empty()) i.reason += "; ";
    i.reason += reason;
  };
  const auto goes_on = [&](std::size_t object, bool flips) {
    const Bounds& o = graph.geometry.bounds[object];
    // A flipped object comes to lie beside its lower edge: its centre travels half its width and half its
    // height.
    const double distance = flips ? 0.5 * (o.width() + o.height()) : constants.k_slide;
    return falls_off(scene, graph, object, distance, moving);
  };

  if (influence.hit == HitResult::destroyed) {
    add(impacted.front(), movement::hit_and_destroyed, "target, destroyed");
  } else {
    const bool flips = influence.hit == HitResult::flips, off = goes_on(target, flips);
    impacted.front().cases.set(flips ? movement::hit_and_flips : movement::hit_and_slides);
    add(impacted.front(), movement::pushed(flips, off),
        flips ? (off ? "target, flips and falls" : "target, flips and stops")
              : (off ? "target, slides and falls" : "target, slides and stops"));
  }

  if (influence.closest && !scene.objects[*influence.closest].is_static()) {
    const std::size_t closest = *influence.closest;
    const bool flips = object_flip(graph.geometry.bounds[closest], constants), off = goes_on(closest, flips);
    add(entry(closest), movement::pushed(flips, off),
        flips ? (off ? "pushed by the target, flips and falls" : "pushed by the target, flips and stops")
              : (off ? "pushed by the target, slides and falls" : "pushed by the target, slides and stops"));
  }

  const auto add_falls = [&](const std::vector<Fall>& list, std::size_t gone, const char* of) {
    for (const Fall& fall : list) {
      if (fall.object == target) continue;  // hit itself: cases 1 to 3 and what follows from them
      ImpactedObject& i = entry(fall.object);
      if (!i.falls) i.falls = fall.direction;
      const bool upright = directly_above_static(scene, graph, fall.object, gone);
      const movement::Case falling = upright ? movement::falls : movement::falls_and_rotates;
      if (i.cases.test(falling)) continue;
      i.cases.set(falling);
      if (!i.reason.empty()) i.reason += "; ";
      i.reason += "falls ";
      i.reason += name(fall.direction);
      i.reason += of;
    }
  };
  add_falls(falls, target, ": support of the target lost");
  if (influence.closest)
    add_falls(influence.falls, *influence.closest, ": support of the pushed object lost");

  std::sort(impacted.begin() + 1, impacted.end(),
            [](const ImpactedObject& a, const ImpactedObject& b) { return a.object < b.object; });
  return impacted;
}

}  // namespace startle
