#include "reasoning/detectability.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>

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

bool same_impacts(const Scene& normal, const Scene& novel) {
  return std::equal(normal.objects.begin(), normal.objects.end(), novel.objects.begin(), [](const SceneObject& a, const SceneObject& b) {
    return a.parameters.density == b.parameters.density && a.life == b.life && a.parameters.defence == b.parameters.defence;
  });
}

double predicted_difference(const SceneObject& object, Parameter parameter, double before, double now, const ImpactedObject& impacted,
                            double gravity) {
  const double g = gravity * object.parameters.gravity_scale, friction = object.parameters.friction;
  if (g <= 0) return std::numeric_limits<double>::infinity();
  const double square = impacted.speed * impacted.speed, end_square = square + 2 * g * impacted.drop, end = std::sqrt(end_square);
  const double time = end / g, height = end_square / (2 * g);
  const auto sliding_way = [&](double mu, double speed_square) {
    return mu > 0 ? speed_square / (2 * mu * g) : std::numeric_limits<double>::max();
  };
  switch (parameter) {
    case Parameter::friction: return std::abs(sliding_way(before, square) - sliding_way(now, square));
    case Parameter::restitution: return end <= 1 ? 0 : height * std::abs(before * before - now * now);
    case Parameter::gravity_scale: return height * (1 - std::min(before, now) / std::max(before, now));
    case Parameter::density: return std::abs(sliding_way(friction, square) - sliding_way(friction, square * before * before / (now * now)));
    case Parameter::linear_damping:
    case Parameter::angular_damping: return 0.5 * end * time * time * std::abs(before - now);
    case Parameter::life:
    case Parameter::defence: return 0;
  }
  return 0;
}

std::vector<std::size_t> visibly_different_objects(const Scene& normal, const Scene& novel, const std::vector<ImpactedObject>& in_normal,
                                                   const std::vector<ImpactedObject>& in_novel) {
  const std::size_t n = novel.objects.size();
  std::vector<const ImpactedObject*> before(n, nullptr), now(n, nullptr);
  for (const ImpactedObject& i : in_normal) before[i.object] = &i;
  for (const ImpactedObject& i : in_novel) now[i.object] = &i;
  const auto destroyed = [](const ImpactedObject* i) { return i && i->cases.test(1); };
  bool fates_differ = false;
  for (std::size_t i = 0; i < n; ++i) fates_differ = fates_differ || destroyed(before[i]) != destroyed(now[i]);

  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < n; ++i) {
    if (!novel.objects[i].novel || (!before[i] && !now[i])) continue;
    bool seen = !before[i] || !now[i] || destroyed(before[i]) != destroyed(now[i]);
    if (!seen && !destroyed(now[i])) {
      seen = fates_differ;
      for (Parameter parameter : all_parameters) {
        const double old_value = value_of(normal.objects[i].parameters, parameter), new_value = value_of(novel.objects[i].parameters, parameter);
        if (old_value == new_value) continue;
        seen = seen || predicted_difference(normal.objects[i], parameter, old_value, new_value, *before[i], normal.profile->gravity) >= visible_distance;
      }
    }
    if (seen) shown.push_back(i);
  }
  return shown;
}

}  // namespace startle
