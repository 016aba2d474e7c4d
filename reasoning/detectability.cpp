#include "reasoning/detectability.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace startle {
namespace {

constexpr std::array all_parameters{Parameter::density, Parameter::friction,      Parameter::restitution,    Parameter::life,
                                    Parameter::defence, Parameter::gravity_scale, Parameter::linear_damping, Parameter::angular_damping};

Cases cases(std::initializer_list<std::size_t> list) {
  Cases result;
  for (std::size_t c : list) result.set(c);
  return result;
}

/// The object's cases; none when it is not impacted.
Cases cases_of(const std::vector<ImpactedObject>& impacted, std::size_t object) {
  for (const ImpactedObject& i : impacted)
    if (i.object == object) return i.cases;
  return {};
}

}  // namespace

Cases detecting_cases(Parameter parameter) {
  switch (parameter) {
    case Parameter::friction: return cases({3, 6, 7});
    case Parameter::restitution: return cases({2, 3, 4, 5, 6, 7, 8, 9});
    case Parameter::gravity_scale: return cases({4, 5, 7, 9});
    case Parameter::density: return cases({2, 3, 6, 7, 8, 9});
    case Parameter::linear_damping: return cases({2, 3, 4, 5, 6, 7, 8, 9});
    case Parameter::angular_damping: return cases({2, 5, 8, 9});
    case Parameter::life:
    case Parameter::defence: return {};
  }
  return {};
}

std::vector<std::size_t> detectable_objects(const Scene& normal, const Scene& novel, const std::vector<ImpactedObject>& in_normal,
                                            const std::vector<ImpactedObject>& in_novel) {
  std::vector<std::size_t> shown;
  for (const ImpactedObject& impacted : in_novel) {
    const std::size_t i = impacted.object;
    if (!novel.objects[i].novel) continue;
    const bool destroyed_now = impacted.cases.test(1), destroyed_before = cases_of(in_normal, i).test(1);
    for (Parameter parameter : all_parameters) {
      const double before = value_of(normal.objects[i].parameters, parameter), now = value_of(novel.objects[i].parameters, parameter);
      if (before == now) continue;
      const bool lasting = parameter == Parameter::life || parameter == Parameter::defence;
      const bool seen = !lasting ? (impacted.cases & detecting_cases(parameter)).any()
                        : now > before ? destroyed_before && !destroyed_now
                                       : destroyed_now && !destroyed_before;
      if (seen) {
        shown.push_back(i);
        break;
      }
    }
  }
  std::sort(shown.begin(), shown.end());
  return shown;
}

}  // namespace startle
