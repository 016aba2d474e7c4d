#include "simulated/validate_detection.hpp"

#include <algorithm>
#include <vector>

#include "core/error.hpp"
#include "reasoning/impulse/visibility.hpp"

namespace startle {
namespace {

/// What a method says of a novelty against what it showed in `truth`, the first interaction.
DetectionValidation validate_detection(Method method, ReasonedScene& normal, const Scene& novel,
                                       const Novelty& novelty, const FlownState& state,
                                       const SimulatedInteraction& truth, double alpha) {
  DetectionValidation result;
  std::vector<double> chances;
  result.difficulty = compute_difficulty(state.scene, novelty, {.alpha = alpha, .method = method});
  const Interaction& guess = result.difficulty.interactions.front();
  if (truth.targets.size() != guess.targets.size())
    throw Error("validation: the targets of reasoning and simulation differ");  // the same module found both
  for (std::size_t t = 0; t < truth.targets.size(); ++t) {
    const TargetOutcome& outcome = guess.targets[t];
    result.targets.add(!outcome.detectable.empty(), truth.targets[t].visible());
    for (std::size_t s = 0; s < truth.targets[t].shots.size(); ++s) {
      const std::vector<std::size_t>& visible = truth.targets[t].shots[s].visible;
      std::vector<ImpactedObject> impacted = outcome.hits.front().impacted_novel;
      std::vector<std::size_t> detectable = outcome.detectable;
      if (method == Method::extended) {  // which says each trajectory for itself; the outcome joins them
        impacted = normal.impacted(method, outcome.target.object, outcome.target.trajectories[s]);
        visibility_chance(normal.scene, novel, normal.shots, chances);
        detectable.clear();
        for (std::size_t i = 0; i < chances.size(); ++i)
          if (chances[i] >= even_chance) detectable.push_back(i);
      }
      for (std::size_t i = 0; i < novel.objects.size(); ++i) {
        if (!novel.objects[i].novel || !novel.objects[i].alive) continue;
        const bool seen = std::binary_search(visible.begin(), visible.end(), i);
        const bool predicted = std::binary_search(detectable.begin(), detectable.end(), i);
        result.pairs.add(predicted, seen);
        if (seen && !predicted)
          ++result.missed[find_impacted(impacted, i) ? "predicted to move, but not visibly otherwise"
                                                     : "not predicted to move"];
        if (predicted && !seen)
          ++result.wrong[state.targets[t].shots[s].motions[i].moved
                             ? "moved, but the difference stayed too small"
                             : "did not move"];
      }
    }
  }
  return result;
}

}  // namespace

NoveltyValidation validate_novelty(FlownStates& states, ReasonedScene& normal, const Novelty& novelty,
                                   const SimulatedOptions& options) {
  NoveltyValidation result;
  const FlownState& state = *states.first();
  SimulatedOptions complete = options;
  complete.complete_first = true;
  result.simulated = simulated_difficulty(states, novelty, complete);
  Scene novel = state.scene;
  apply(novelty, novel);
  const SimulatedInteraction& truth = result.simulated.interactions.front();
  for (Method method : validated_methods)
    result.reasoning[method] = validate_detection(method, normal, novel, novelty, state, truth,
                                                  options.alpha);
  for (std::size_t t = 0; t < truth.targets.size(); ++t) {
    for (std::size_t s = 0; s < truth.targets[t].shots.size(); ++s) {
      const std::vector<std::size_t>& visible = truth.targets[t].shots[s].visible;
      for (std::size_t i = 0; i < novel.objects.size(); ++i) {
        if (!novel.objects[i].novel || !novel.objects[i].alive) continue;
        const auto count = [&](std::size_t which) {
          ++result.by_case[which].count;
          result.by_case[which].visible += std::binary_search(visible.begin(), visible.end(), i);
        };
        const Cases cases = observed_cases(state.targets[t].shots[s].motions[i],
                                           i == truth.targets[t].object);
        if (cases.none()) count(no_case);
        for (const movement::Case which : movement::all)
          if (cases[which]) count(which);
      }
    }
  }
  return result;
}

}  // namespace startle
