#include "reasoning/detectability.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

namespace startle {
namespace {

constexpr std::array all_parameters{
    Parameter::density, Parameter::friction,      Parameter::restitution,    Parameter::life,
    Parameter::defence, Parameter::gravity_scale, Parameter::linear_damping, Parameter::angular_damping};

Cases cases(std::initializer_list<movement::Case> list) {
  Cases result;
  for (movement::Case c : list) result.set(c);
  return result;
}

}  // namespace

Cases detecting_cases(Parameter parameter) {
  using namespace movement;
  static const Cases all_but_destroyed = Cases().set().reset(0).reset(hit_and_destroyed);
  switch (parameter) {
    case Parameter::friction:
      return cases({hit_and_slides, slides_and_stops, slides_and_falls});
    case Parameter::restitution:
      return all_but_destroyed;
    case Parameter::gravity_scale:
      return cases({falls, falls_and_rotates, slides_and_falls, flips_and_falls});
    case Parameter::density:
      return cases({hit_and_flips, hit_and_slides, slides_and_stops, slides_and_falls, flips_and_stops,
                    flips_and_falls});
    case Parameter::linear_damping:
      return all_but_destroyed;
    case Parameter::angular_damping:
      return cases({hit_and_flips, falls_and_rotates, flips_and_stops, flips_and_falls});
    case Parameter::life:
    case Parameter::defence:
      return {};
  }
  return {};
}

std::vector<std::size_t> detectable_objects(const Scene& normal, const Scene& novel,
                                            const std::vector<ImpactedObject>& in_normal,
                                            const std::vector<ImpactedObject>& in_novel) {
  std::vector<std::size_t> visible;
  for (const ImpactedObject& impacted : in_novel) {
    const std::size_t i = impacted.object;
    if (!novel.objects[i].novel) continue;
    const bool destroyed_now = impacted.cases.test(movement::hit_and_destroyed);
    const ImpactedObject* moved_before = find_impacted(in_normal, i);
    const bool destroyed_before = moved_before && moved_before->cases.test(movement::hit_and_destroyed);
    for (Parameter parameter : all_parameters) {
      const double before = value_of(normal.objects[i].parameters, parameter),
                   now = value_of(novel.objects[i].parameters, parameter);
      if (before == now) continue;
      const bool lasting = parameter == Parameter::life || parameter == Parameter::defence;
      const bool seen = !lasting       ? (impacted.cases & detecting_cases(parameter)).any()
                        : now > before ? destroyed_before && !destroyed_now
                                       : destroyed_now && !destroyed_before;
      if (seen) {
        visible.push_back(i);
        break;
      }
    }
  }
  std::sort(visible.begin(), visible.end());
  return visible;
}

bool same_impacts(const Scene& normal, const Scene& novel) {
  return std::equal(normal.objects.begin(), normal.objects.end(), novel.objects.begin(),
                    [](const SceneObject& a, const SceneObject& b) {
                      return a.parameters.density == b.parameters.density && a.life == b.life &&
                             a.parameters.defence == b.parameters.defence;
                    });
}

namespace {

bool moves_otherwise(const Parameters& p, const Parameters& q) {
  return p.density != q.density || p.friction != q.friction || p.restitution != q.restitution ||
         p.gravity_scale != q.gravity_scale || p.linear_damping != q.linear_damping ||
         p.angular_damping != q.angular_damping;
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
