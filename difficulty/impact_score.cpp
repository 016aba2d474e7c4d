#include "difficulty/impact_score.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "reasoning/qualitative/detectability.hpp"

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

/// Which objects a name of mark_known_normal() stands for.
std::vector<bool> objects_named(const Scene& scene, const std::string& text,
                                const std::vector<std::size_t>& numbers) {
  std::vector<bool> named(scene.objects.size(), false);
  if (text.starts_with('#')) {
    const auto number = parse_number<std::size_t>(text.substr(1));
    if (!number || *number >= named.size())
      throw Error("known to be normal: found '" + text + "', the level's objects are #0 to #" +
                  std::to_string(named.size() - 1));
    for (std::size_t i = 0; i < named.size(); ++i) named[i] = (numbers.empty() ? i : numbers[i]) == *number;
    return named;
  }
  const std::string group = text == "pigs" ? name(Kind::pig) : text;
  bool known = false;
  for (const ObjectType& type : scene.profile->object_types) {
    if (type.kind == Kind::platform || type.kind == Kind::egg) continue;
    SceneObject one;
    one.kind = type.kind, one.type = type.type, one.material = type.material;
    known = known || group == group_name(one, 0, Grouping::material) || group == appearance(one);
  }
  if (!known)
    throw Error("known to be normal: found '" + text +
                "', allowed are wood, ice, stone, pig, TNT, an appearance such as 'wood RectFat', and the "
                "number of an object such as #3");
  for (std::size_t i = 0; i < named.size(); ++i)
    named[i] = group == group_name(scene.objects[i], 0, Grouping::material) ||
               group == appearance(scene.objects[i]);
  return named;
}

/// Whether the object's movement would have made the rule's change visible, had the object been novel.
bool would_be_visible(const Scene& scene, const NoveltyRule& rule, std::size_t target, const BirdType& bird,
                      const ImpactedObject& moved) {
  if ((moved.cases & detecting_cases(rule.parameter)).any()) return true;
  if (!parameter_info(rule.parameter).toughness) return false;
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

void mark_known_normal(SearchSpace& space, const Scene& scene, const Novelty& novelty,
                       const std::vector<std::string>& known, const std::vector<std::size_t>& numbers) {
  if (known.empty()) return;
  const auto number_of = [&](std::size_t i) { return numbers.empty() ? i : numbers[i]; };
  Scene novel = scene;
  apply(novelty, novel);
  std::vector<char> of_known(scene.objects.size(), 0);
  for (const std::string& text : known) {
    const std::vector<bool> named = objects_named(scene, text, numbers);
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (named[i] && novel.objects[i].novel)
        throw Error("known to be normal: found '" + text + "', but novelty " + novelty.name + " changes #" +
                    std::to_string(number_of(i)) + " " + appearance(scene.objects[i]));
      of_known[i] |= named[i];
    }
  }
  space.known_normal.assign(space.groups.size(), true);
  for (std::size_t i = 0; i < of_known.size(); ++i)
    if (!of_known[i] && space.group_of[i] != SearchSpace::no_group)
      space.known_normal[space.group_of[i]] = false;
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

namespace {
constexpr std::array<std::pair<Ties, const char*>, 2> ties_names{
    {{Ties::share, "share"}, {Ties::first, "first"}}};
}

const char* name(Ties ties) { return ties_names[static_cast<std::size_t>(ties)].second; }

std::optional<Ties> ties_from_name(const std::string& text) {
  for (const auto& [ties, known] : ties_names)
    if (text == known) return ties;
  return std::nullopt;
}

std::vector<std::size_t> best_targets(const std::vector<int>& scores, Ties ties,
                                      const std::vector<std::size_t>& numbers) {
  std::vector<std::size_t> best = best_targets(scores);
  if (ties == Ties::share || best.empty()) return best;
  return {*std::min_element(best.begin(), best.end(),
                            [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; })};
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
