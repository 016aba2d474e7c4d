#include "reasoning/qualitative/stability.hpp"

#include <algorithm>

#include "core/math.hpp"

namespace startle {
namespace {

/// Objects reachable from b upward (or downward) in the graph, b itself left out; ground is no entry.
std::vector<bool> reachable(const SupportGraph& graph, std::size_t b, bool upward) {
  std::vector<bool> seen(graph.supporters.size(), false);
  std::vector<std::size_t> open{b};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (std::size_t e : upward ? graph.supportees[at] : graph.supporters[at]) {
      const std::size_t next = upward ? graph.edges[e].upper : graph.edges[e].lower;
      if (next == ground_index || next == b || seen[next]) continue;
      seen[next] = true;
      open.push_back(next);
    }
  }
  return seen;
}

bool rests_on_static(const Scene& scene, const SupportGraph& graph, std::size_t b) {
  return std::any_of(graph.supporters[b].begin(), graph.supporters[b].end(), [&](std::size_t e) {
    const std::size_t lower = graph.edges[e].lower;
    return lower == ground_index || scene.objects[lower].is_static();
  });
}

double mass_centre(const Scene& scene, const SupportGraph& graph, const std::vector<bool>& set) {
  double mass = 0, moment = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (!set[i]) continue;
    mass += scene.objects[i].mass();
    moment += scene.objects[i].mass() * graph.geometry.shapes[i].centroid.x;
  }
  return moment / mass;
}

/// Hull of the contacts of the set's members with supporters outside it.
Interval support_area(const SupportGraph& graph, const std::vector<bool>& set) {
  Interval area{math::infinity, -math::infinity};
  for (const Support& s : graph.edges) {
    if (!set[s.upper] || (s.lower != ground_index && set[s.lower])) continue;
    area.start = std::min(area.start, s.contact.start);
    area.end = std::max(area.end, s.contact.end);
  }
  return area;
}

Tip tip(double centre, const Interval& area) {
  if (centre < area.start - balance_tolerance) return Tip::left;
  if (centre > area.end + balance_tolerance) return Tip::right;
  return Tip::none;
}

Tip tip_of(const Scene& scene, const SupportGraph& graph, std::size_t b) {
  if (graph.supporters[b].empty()) return Tip::unsupported;
  const std::size_t n = scene.objects.size();
  const std::vector<bool> below = reachable(graph, b, false), above = reachable(graph, b, true);

  std::vector<bool> z(n, false);
  z[b] = true;
  const Interval area = support_area(graph, z);
  for (std::size_t s = 0; s < n; ++s) {
    if (!above[s]) continue;
    // Carried by b's column alone: whatever it stands on is in X, and no part of that stands beside the
    // column on the ground or on a platform.
    bool alone = !rests_on_static(scene, graph, s);
    const std::vector<bool> under = reachable(graph, s, false);
    for (std::size_t t = 0; t < n && alone; ++t) {
      if (!under[t] || t == b || below[t]) continue;
      alone = above[t] && !rests_on_static(scene, graph, t);
    }
    if (alone) z[s] = true;
  }
  const Tip first = tip(mass_centre(scene, graph, z), area);
  if (first == Tip::none) return first;

  for (std::size_t s = 0; s < n; ++s) {
    if (!above[s] || z[s]) continue;
    const Bounds& box = graph.geometry.bounds[s];
    if (first == Tip::right ? box.xmin < area.end : box.xmax > area.start) z[s] = true;
  }
  return tip(mass_centre(scene, graph, z), support_area(graph, z));
}

}  // namespace

const char* name(Tip tip) {
  switch (tip) {
    case Tip::none:
      return "none";
    case Tip::left:
      return "left";
    case Tip::right:
      return "right";
    case Tip::unsupported:
      return "unsupported";
  }
  return "";
}

std::vector<bool> locally_stable(const Scene& scene, const SupportGraph& graph) {
  const std::size_t n = scene.objects.size();
  std::vector<bool> stable(n, false);
  for (std::size_t i = 0; i < n; ++i) stable[i] = scene.objects[i].alive && scene.objects[i].is_static();
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (stable[i]) continue;
      bool left = false, right = false;
      for (std::size_t e : graph.supporters[i]) {
        const Support& s = graph.edges[e];
        if (s.lower != ground_index && !stable[s.lower]) continue;
        left |= s.kind == SupporterClass::left || s.kind == SupporterClass::centre;
        right |= s.kind == SupporterClass::right || s.kind == SupporterClass::centre;
      }
      if (left && right) stable[i] = changed = true;
    }
  }
  return stable;
}

std::vector<Tip> globally_unstable(const Scene& scene, const SupportGraph& graph) {
  std::vector<Tip> tips(scene.objects.size(), Tip::none);
  for (std::size_t i = 0; i < tips.size(); ++i)
    if (scene.objects[i].alive && !scene.objects[i].is_static()) tips[i] = tip_of(scene, graph, i);
  return tips;
}

bool stable(const Scene& scene) {
  const SupportGraph graph = support_graph(scene);
  const std::vector<bool> local = locally_stable(scene, graph);
  const std::vector<Tip> tips = globally_unstable(scene, graph);
  for (std::size_t i = 0; i < tips.size(); ++i)
    if (scene.objects[i].alive && (!local[i] || tips[i] != Tip::none)) return false;
  return true;
}

}  // namespace startle
