#include "simulated/validate_hits.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "reasoning/qualitative/vertical_impact.hpp"

namespace startle {
namespace {

void add_counts(std::map<std::string, std::size_t>& sums, const std::map<std::string, std::size_t>& more) {
  for (const auto& [what, count] : more) sums[what] += count;
}

/// What set the object moving: an explosion near it; else what first touched it before it moved, among the
/// bird, the target, and others that moved too by then.
std::string cause_of(const NormalShot& shot, const SupportGraph& graph, std::size_t object,
                     std::size_t target) {
  const auto objects = static_cast<BodyId>(shot.tracks.size());
  const int from = shot.tracks[object].moved_at;
  const auto moving = [&](BodyId id) {
    if (id < 0 || id >= objects) return false;
    const int since = shot.tracks[static_cast<std::size_t>(id)].moved_at;
    return since >= 0 && since <= from;
  };
  constexpr int soon = 5;  // steps in which what an explosion has thrown has moved visibly
  const Bounds box = graph.geometry.bounds[object];
  for (const Event& event : shot.events) {
    if (event.kind != EventKind::explosion || event.step > from || event.step + soon < from) continue;
    const double aside = std::max({box.xmin - event.position.x, event.position.x - box.xmax, 0.0}),
                 above = std::max({box.ymin - event.position.y, event.position.y - box.ymax, 0.0});
    if (aside * aside + above * above <= event.value * event.value) return "thrown by an explosion";
  }
  for (const Event& contact : shot.events) {
    if (contact.step > from) break;
    if (contact.kind != EventKind::contact) continue;
    const auto self = static_cast<BodyId>(object);
    if (contact.a != self && contact.b != self) continue;
    const BodyId other = contact.a == self ? contact.b : contact.a;
    if (other >= objects) return "struck by the bird after the target";
    if (other == static_cast<BodyId>(target)) return "struck by the target";
    if (moving(other)) return "struck by another moving object";
  }
  // Nothing new touched it: something that it was in touch with moved.
  for (std::size_t e : graph.supporters[object])
    if (moving(static_cast<BodyId>(graph.edges[e].lower))) return "its support moved";
  for (std::size_t e : graph.supportees[object])
    if (moving(static_cast<BodyId>(graph.edges[e].upper))) return "what it carries moved";
  return "pushed by a neighbour it touched, or by a shift of load";
}

/// By what the method says that the object moves, and what the target did.
std::string rule_of(const Scene& scene, const SupportGraph& graph, const ImpactedObject& predicted,
                    std::size_t target, const NormalShot& shot, Method method) {
  std::string rule = predicted.reason;
  if (method == Method::published) {
    const std::vector<Fall> falls = vertical_impact(scene, graph, target);
    const bool falls_with_target = std::any_of(falls.begin(), falls.end(),
                                               [&](const Fall& f) { return f.object == predicted.object; });
    rule = falls_with_target ? "vertical impact of the target" : "horizontal influence of the target";
  }
  return rule + (shot.motions[target].destroyed ? ", target destroyed"
                 : shot.motions[target].moved   ? ", target moved"
                                                : ", target did not move");
}

bool says(const Cases& cases, std::initializer_list<movement::Case> any_of) {
  return std::any_of(any_of.begin(), any_of.end(), [&](movement::Case c) { return cases.test(c); });
}

void count_motion(HitValidation& hits, const ImpactedObject& predicted, const ObjectMotion& seen,
                  bool is_target) {
  const bool turned = std::fabs(seen.turn) > turned_angle, shifted = std::fabs(seen.shift) > shifted_distance,
             dropped = seen.drop > dropped_distance;
  const Cases observed = observed_cases(seen, is_target);
  for (movement::Case c : movement::all) {
    if (!predicted.cases.test(c)) continue;
    CaseCounts& counts = hits.cases[c];
    ++counts.predicted;
    counts.verified += observed.test(c);
    counts.moved += seen.moved;
    counts.destroyed += seen.destroyed;
    counts.turned += turned;
    counts.shifted += shifted;
    counts.dropped += dropped;
  }
  if (!seen.moved) return;
  using namespace movement;
  hits.motion.destroyed.add(predicted.cases.test(hit_and_destroyed), seen.destroyed);
  if (predicted.cases.test(hit_and_destroyed) || seen.destroyed) return;
  hits.motion.turned.add(
      says(predicted.cases, {hit_and_flips, falls_and_rotates, flips_and_stops, flips_and_falls}), turned);
  hits.motion.shifted.add(says(predicted.cases, {hit_and_flips, hit_and_slides, slides_and_stops,
                                                 slides_and_falls, flips_and_stops, flips_and_falls}),
                          shifted);
  hits.motion.dropped.add(
      says(predicted.cases, {falls, falls_and_rotates, slides_and_falls, flips_and_falls}), dropped);
}

/// One prediction against one shot.
void count_hit(HitValidation& hits, ReasonedScene& normal, Method method, std::size_t target,
               const Trajectory& trajectory, const NormalShot& shot) {
  const Scene& scene = normal.scene;
  const std::vector<ImpactedObject> impacted = normal.impacted(method, target, trajectory);
  Disagreement differing{.trajectory = trajectory, .target = target, .predicted = {}, .missed = {}};
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (!is_movable(scene.objects[i])) continue;
    const ImpactedObject* predicted = find_impacted(impacted, i);
    const bool seen = shot.motions[i].moved;
    hits.impacted.all.add(predicted, seen);
    if (predicted) differing.predicted.push_back(i);
    if (seen && !predicted) differing.missed.push_back(i);
    differing.wrong += predicted && !seen;
    if (i != target) {
      hits.impacted.others.add(predicted, seen);
      (trajectory.upper ? hits.impacted.others_upper : hits.impacted.others_lower).add(predicted, seen);
      if (seen && !predicted) ++hits.impacted.missed[cause_of(shot, normal.graph, i, target)];
      if (predicted && !seen)
        ++hits.impacted.wrong[rule_of(scene, normal.graph, *predicted, target, shot, method)];
    }
    if (predicted) count_motion(hits, *predicted, shot.motions[i], i == target);
  }
  const std::size_t size = differing.missed.size() + differing.wrong;
  if (size > (hits.worst ? hits.worst->missed.size() + hits.worst->wrong : 0))
    hits.worst = std::move(differing);
}

}  // namespace

ImpactedCounts& ImpactedCounts::operator+=(const ImpactedCounts& other) {
  all += other.all;
  others += other.others;
  others_lower += other.others_lower;
  others_upper += other.others_upper;
  add_counts(missed, other.missed);
  add_counts(wrong, other.wrong);
  return *this;
}

CaseCounts& CaseCounts::operator+=(const CaseCounts& other) {
  for (std::size_t CaseCounts::*field :
       {&CaseCounts::predicted, &CaseCounts::verified, &CaseCounts::moved, &CaseCounts::destroyed,
        &CaseCounts::turned, &CaseCounts::shifted, &CaseCounts::dropped})
    this->*field += other.*field;
  return *this;
}

MotionCounts& MotionCounts::operator+=(const MotionCounts& other) {
  destroyed += other.destroyed;
  turned += other.turned;
  shifted += other.shifted;
  dropped += other.dropped;
  return *this;
}

HitsValidation validate_hits(const FlownState& state, ReasonedScene& normal, const VisibleDifference& least) {
  HitsValidation found;
  for (const FlownTarget& flown : state.targets) {
    const std::size_t target = flown.target.object;
    Shot perturbed = flown.shots.front().shot;
    perturbed.angle += aim_error;
    const NormalShot again = fly_normal(state.scene, perturbed, least);
    for (std::size_t i = 0; i < state.scene.objects.size(); ++i)
      if (i != target && is_movable(state.scene.objects[i]))
        found.again.add(again.motions[i].moved, flown.shots.front().motions[i].moved);
    for (std::size_t s = 0; s < flown.shots.size(); ++s)
      for (Method method : validated_methods)
        count_hit(found.hits[method], normal, method, target, flown.target.trajectories[s], flown.shots[s]);
  }
  return found;
}

}  // namespace startle
