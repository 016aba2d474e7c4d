#include "simulated/validation.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "reasoning/qualitative/support.hpp"

namespace startle {

LevelValidation validate_level(const OrderedScene& ordered, const std::vector<const Novelty*>& novelties,
                               const AimNoise& noise, const SimulatedOptions& options) {
  const Scene& normal = ordered.scene();
  if (normal.birds_left() == 0)
    throw Error("validation: found a level without birds, allowed are levels with at least one");
  require_valid(noise);
  LevelValidation level;
  level.objects = static_cast<std::size_t>(
      std::count_if(normal.objects.begin(), normal.objects.end(), is_movable));
  FlownStates states(normal, options.least);
  const auto first = states.first();
  const SupportGraph graph = support_graph(first->scene);
  ReasonedScene reasoned(first->scene, graph);
  static_cast<HitsValidation&>(level) = validate_hits(*first, reasoned, options.least);
  level.vertical = validate_vertical_impact(first->scene);
  level.targets = validate_targets(*first);
  std::vector<NoisyDifficulty> noisy = noisy_difficulties(ordered, novelties, noise, options);
  for (std::size_t k = 0; k < novelties.size(); ++k) {
    level.novelties.push_back(validate_novelty(states, reasoned, ordered.novelty(*novelties[k]), options));
    level.novelties.back().noisy = std::move(noisy[k]);
  }
  for (Method method : validated_methods) {
    std::optional<Disagreement>& worst = level.hits[method].worst;
    if (!worst) continue;
    ordered.rename(worst->target);
    for (auto* objects : {&worst->predicted, &worst->missed})
      for (std::size_t& object : *objects) ordered.rename(object);
  }
  return level;
}

}  // namespace startle
