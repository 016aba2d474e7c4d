#include "reasoning/qualitative/detectability.hpp"

#include <algorithm>
#include <initializer_list>

namespace startle {
namespace {

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
    for (const ParameterInfo& info : parameter_table) {
      const double before = normal.objects[i].parameters.*info.member,
                   now = novel.objects[i].parameters.*info.member;
      if (before == now) continue;
      const bool seen = !info.toughness ? (impacted.cases & detecting_cases(info.parameter)).any()
                        : now > before  ? destroyed_before && !destroyed_now
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

}  // namespace startle
