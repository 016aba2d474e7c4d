#include "difficulty/best_target_player.hpp"

#include <algorithm>

#include "difficulty/impact_score.hpp"

namespace startle {

TargetImpacts target_impacts(const Scene& scene, const SupportGraph& graph) {
  TargetImpacts impacts;
  const BirdType& bird = scene.bird();
  impacts.targets = find_targets(scene, graph.geometry, bird, blocking_relation(scene));
  for (const Target& target : impacts.targets)
    impacts.impacted.push_back(impacted_objects(scene, graph, target.object, bird));
  return impacts;
}

std::vector<std::size_t> BestTargetPlayer::best(const Scene& scene, const TargetImpacts& impacts) {
  if (impacts.targets.empty()) return {};
  SearchSpace space = make_search_space(scene, {});
  const auto score_all = [&] {
    for (std::size_t g = 0; g < space.groups.size(); ++g)
      space.known_normal[g] = moved_.contains(space.groups[g]);
    std::vector<int> scores;
    for (const auto& impacted : impacts.impacted) scores.push_back(impact_score(space, impacted));
    return scores;
  };
  std::vector<int> scores = score_all();
  if (*std::max_element(scores.begin(), scores.end()) == 0) {
    forget();
    scores = score_all();
  }
  return best_targets(scores);
}

void BestTargetPlayer::shoot_at(const Scene& scene, const TargetImpacts& impacts, std::size_t target) {
  const SearchSpace space = make_search_space(scene, {});
  for (const ImpactedObject& moved : impacts.impacted[target])
    if (const std::size_t group = space.group_of[moved.object]; group != SearchSpace::no_group)
      moved_.insert(space.groups[group]);
}

}  // namespace startle
