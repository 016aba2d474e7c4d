#include "difficulty/impact_score.hpp"

#include <algorithm>

#include "reasoning/detectability.hpp"

namespace startle {

const char* name(Grouping grouping) {
  switch (grouping) {
    case Grouping::material:
      return "material";
    case Grouping::type:
      return "type";
    case Grouping::object:
      return "object";
  }
  return "";
}

std::string appearance(const SceneObject& object) {
  if (object.kind == Kind::tnt) return "TNT";
  const std::string of = object.kind == Kind::block ? name(object.material) : name(object.kind);
  return of + " " + object.type;
}

Grouping grouping_of(const Novelty& novelty) {
  Grouping finest = Grouping::material;
  for (const NoveltyRule& rule : novelty.rules) {
    const Grouping grouping = !rule.selector.objects.empty() ? Grouping::object
                              : rule.selector.type           ? Grouping::type
                                                             : Grouping::material;
    finest = std::max(finest, grouping);
  }
  return finest;
}

namespace {

std::string group_name(const SceneObject& object, std::size_t number, Grouping grouping) {
  switch (grouping) {
    case Grouping::object:
      return "#" + std::to_string(number) + " " + appearance(object);
    case Grouping::type:
      return appearance(object);
    case Grouping::material:
      break;
  }
  if (object.kind == Kind::tnt) return "TNT";
  return object.kind == Kind::block ? name(object.material) : name(object.kind);
}

/// Whether the object's movement would have made the rule's change visible, had the object been novel.
bool would_be_visible(const Scene& scene, const NoveltyRule& rule, std::size_t target, const BirdType& bird,
                      const ImpactedObject& moved) {
  if ((moved.cases & detecting_cases(rule.parameter)).any()) return true;
  if (rule.parameter != Parameter::life && rule.parameter != Parameter::defence) return false;
  if (moved.object != target) return false;
  Scene supposed = scene;
  Novelty on_target;
  on_target.rules = {rule};
  on_target.rules.front().selector = {};
  on_target.rules.front().selector.objects = {target};
  apply(on_target, supposed);
  return object_destroy(scene, target, bird) != object_destroy(supposed, target, bird);
}

}  // namespace

SearchSpace make_search_space(const Scene& scene, const Novelty& novelty,
                              const std::vector<std::size_t>& numbers) {
  SearchSpace space;
  space.grouping = grouping_of(novelty);
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (scene.objects[i].is_static()) {
      space.group_of.push_back(SearchSpace::no_group);
      continue;
    }
    const std::string group = group_name(scene.objects[i], numbers.empty() ? i : numbers[i], space.grouping);
    const auto found = std::find(space.groups.begin(), space.groups.end(), group);
    space.group_of.push_back(static_cast<std::size_t>(found - space.groups.begin()));
    if (found == space.groups.end()) space.groups.push_back(group);
  }
  space.known_normal.assign(space.groups.size(), false);
  return space;
}

int impact_score(const SearchSpace& space, const std::vector<ImpactedObject>& impacted) {
  std::vector<bool> counted = space.known_normal;
  int score = 0;
  for (const ImpactedObject& moved : impacted) {
    const std::size_t group = space.group_of[moved.object];
    if (group == SearchSpace::no_group || counted[group]) continue;
    counted[group] = true;
    ++score;
  }
  return score;
}

std::vector<std::size_t> best_targets(const std::vector<int>& scores) {
  std::vector<std::size_t> best;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!best.empty() && scores[i] < scores[best.front()]) continue;
    if (!best.empty() && scores[i] > scores[best.front()]) best.clear();
    best.push_back(i);
  }
  return best;
}

std::vector<std::size_t> narrow(SearchSpace& space, const Scene& scene, const Novelty& novelty,
                                std::size_t target, const BirdType& bird,
                                const std::vector<ImpactedObject>& impacted) {
  std::vector<std::size_t> newly_known;
  if (novelty.rules.empty())
    return newly_known;  // the world is novel, and no group of objects can be ruled out
  for (const ImpactedObject& moved : impacted) {
    const std::size_t group = space.group_of[moved.object];
    if (group == SearchSpace::no_group || space.known_normal[group]) continue;
    const bool all_visible = std::all_of(
        novelty.rules.begin(), novelty.rules.end(),
        [&](const NoveltyRule& rule) { return would_be_visible(scene, rule, target, bird, moved); });
    if (!all_visible) continue;
    space.known_normal[group] = true;
    newly_known.push_back(group);
  }
  std::sort(newly_known.begin(), newly_known.end());
  return newly_known;
}

}  // namespace startle
