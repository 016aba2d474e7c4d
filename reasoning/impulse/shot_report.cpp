#include "reasoning/impulse/shot_report.hpp"

#include <algorithm>
#include <cmath>

namespace startle {

/// Objects that lie below, the highest first: living, no higher than the lowest point, with a part of the
/// x-range in common.
const std::vector<std::size_t>& ShotReport::below(const ShotProgress& progress, std::size_t i) {
  Below& known = below_[i];
  if (known.found) return known.objects;
  known.found = true;
  const std::vector<Bounds>& boxes = progress.graph.geometry.bounds;
  const Bounds& o = boxes[i];
  for (std::size_t j = 0; j < boxes.size(); ++j) {
    const Bounds& b = boxes[j];
    if (j == i || !progress.scene.objects[j].alive) continue;
    if (b.xmin >= o.xmax || b.xmax <= o.xmin || b.ymax > o.ymin + contact_tolerance) continue;
    known.objects.push_back(j);
  }
  std::sort(known.objects.begin(), known.objects.end(),
            [&](std::size_t a, std::size_t b) { return boxes[a].ymax > boxes[b].ymax; });
  return known.objects;
}

/// How far an object can come down: to the highest that stays of what lies below it.
double ShotReport::drop(const ShotProgress& progress, std::size_t i) {
  const std::vector<Bounds>& boxes = progress.graph.geometry.bounds;
  double top = progress.scene.profile->ground_y;
  for (std::size_t j : below(progress, i)) {
    if (progress.effects[j].lost || progress.effects[j].falls) continue;
    top = std::max(top, boxes[j].ymax);
    break;
  }
  return std::max(boxes[i].ymin - top, 0.0);
}

void ShotReport::write(const ShotProgress& progress, std::size_t target,
                       std::vector<ImpactedObject>& impacted) {
  impacted.clear();
  if (target != ground_index && progress.effects[target].moved) add(progress, target, target, impacted);
  for (std::size_t i = 0; i < progress.effects.size(); ++i)
    if (i != target && progress.effects[i].moved) add(progress, i, target, impacted);
}

void ShotReport::add(const ShotProgress& progress, std::size_t i, std::size_t target,
                     std::vector<ImpactedObject>& impacted) {
  const ShotEffect& effect = progress.effects[i];
  ImpactedObject& object = impacted.emplace_back(
      ImpactedObject{.object = i, .cases = {}, .reason = effect.reason});
  object.speed = std::sqrt(2 * effect.energy);
  if (effect.destroyed) {
    object.cases.set(movement::hit_and_destroyed);
    return;
  }
  if (effect.falls) {
    object.falls = effect.direction;
    object.drop = drop(progress, i);
    const bool upright = directly_above_static(progress.scene, progress.graph, i, target);
    object.cases.set(upright ? movement::falls : movement::falls_and_rotates);
  }
  const bool off = effect.lost && (object.drop = drop(progress, i)) > contact_tolerance;
  if (i == target) object.cases.set(effect.flips ? movement::hit_and_flips : movement::hit_and_slides);
  if (i == target || !effect.falls) object.cases.set(movement::pushed(effect.flips, off));
}

}  // namespace startle
