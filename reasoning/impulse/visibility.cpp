#include "reasoning/impulse/visibility.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace startle {
namespace {

bool moves_otherwise(const Parameters& p, const Parameters& q) {
  return std::any_of(std::begin(parameter_table), std::end(parameter_table), [&](const ParameterInfo& info) {
    return !info.toughness && p.*info.member != q.*info.member;
  });
}

}  // namespace

double chance_of_death(const MotionPrediction& p, double defence, double life) {
  const double share = std::max(p.dealt - p.hits * defence, 0.0) / life, cube = share * share * share;
  return cube < 1e9 ? cube / (1 + cube) : 1;
}

bool acts_everywhere(const WorldChange& world, std::size_t index, const SceneObject& object) {
  if (object.is_static()) return false;
  return world.moves_all() || world.ground_friction != 1 ||
         std::any_of(world.fields.begin(), world.fields.end(), [&](const ForceField& field) {
           return field.region.whole() && field.from_bird == 0 && field.on.selects(index, object);
         });
}

double visibility_chance(const Scene& normal, const Scene& novel, const KnockOn& shot,
                         std::vector<double>& of_objects, const VisibilityConstants& constants) {
  of_objects.assign(novel.objects.size(), 0);
  double no_fate_differs = 1;
  bool lasting = false;
  for (std::size_t i = 0; i < novel.objects.size(); ++i) {
    const SceneObject &a = normal.objects[i], &b = novel.objects[i];
    if (!b.novel || !b.alive || (a.life == b.life && a.parameters.defence == b.parameters.defence)) continue;
    lasting = true;
    const MotionPrediction p = shot.prediction(i);
    of_objects[i] = std::abs(chance_of_death(p, a.parameters.defence, a.life) -
                             chance_of_death(p, b.parameters.defence, b.life));
    no_fate_differs *= 1 - of_objects[i];
  }
  const double fate_differs = lasting ? std::max(1 - no_fate_differs, constants.unseen_fate) : 0;
  double most = 0;
  for (std::size_t i = 0; i < novel.objects.size(); ++i) {
    const SceneObject &a = normal.objects[i], &b = novel.objects[i];
    if (!b.novel || !b.alive) continue;
    const MotionPrediction p = shot.prediction(i);
    const double worlds_part = moves_otherwise(a.parameters, b.parameters) ||
                                       (novel.world && acts_everywhere(*novel.world, i, b))
                                   ? 1
                                   : fate_differs;
    of_objects[i] = std::max(of_objects[i],
                             worlds_part * p.moves * constants.moving * (p.destroyed ? constants.dying : 1));
    most = std::max(most, of_objects[i]);
  }
  return most;
}

}  // namespace startle
