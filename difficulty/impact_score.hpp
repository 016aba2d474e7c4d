#pragma once
/// \file  Impact score and best targets: which shot informs an agent most about where the novelty could be
/// [Pinto §4.3].
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reasoning/qualitative/movement.hpp"
#include "sim/novelty.hpp"
#include "sim/scene.hpp"

namespace startle {

/// What the novelty could be in, from coarse to fine.
enum class Grouping {
  material,  ///< the materials wood, ice and stone; pigs and TNT are groups of their own
  type,      ///< appearances, for example wood RectFat
  object     ///< single objects
};
const char* name(Grouping grouping);

/// How an agent that knows the sort of novelty, but not where it is, divides the objects. It follows from the
/// novelty's selectors: by kind or material, or everything -> material; by type -> type; by single objects ->
/// object. Of several rules the finest grouping counts.
Grouping grouping_of(const Novelty& novelty);

/// Which objects to explore next: the groups, and which of them are known not to be novel.
struct SearchSpace {
  static constexpr std::size_t no_group = static_cast<std::size_t>(-1);

  Grouping grouping = Grouping::material;
  std::vector<std::size_t> group_of;  ///< per object: index of its group; no_group for platforms and ground,
                                      ///< which never move
  std::vector<std::string> groups;  ///< names, in order of the first object: "wood", "wood RectFat", "#3 wood
                                    ///< RectFat"
  std::vector<bool> known_normal;   ///< per group: known not to be novel, scores 0
};
/// No group is known to be normal. `numbers`: what single objects are called, per object; empty: by their
/// index.
SearchSpace make_search_space(const Scene& scene, const Novelty& novelty,
                              const std::vector<std::size_t>& numbers = {});

/// impact-score(o) [Pinto §4.3]: the number of distinct groups among the objects that a hit on o moves,
/// without those known not to be novel. `impacted` is impacted_objects() of the hit.
int impact_score(const SearchSpace& space, const std::vector<ImpactedObject>& impacted);

/// Marks the groups that an agent knows not to be novel before the first shot, all of whose objects are
/// known [Pinto §4.2, example 3]. `known`: "wood", "pig" or "pigs", "TNT" (every object of that material or
/// kind), "wood RectFat" (of that appearance), "#3" (the object of that number). What the scene has none of
/// changes nothing. Throws Error for other text, for a number that no object has, and where an object is
/// known that the novelty changes. `numbers`: as in make_search_space().
void mark_known_normal(SearchSpace& space, const Scene& scene, const Novelty& novelty,
                       const std::vector<std::string>& known, const std::vector<std::size_t>& numbers = {});

/// Which of several best targets is shot at.
enum class Ties {
  share,  ///< each is equally likely
  first  ///< "the first object from the list" [Pinto §4.3]: the one of the lowest number in the level's file
};
const char* name(Ties ties);
std::optional<Ties> ties_from_name(const std::string& name);

/// best-target [Pinto §4.3]: positions of the highest score, all that tie; empty when there are no scores.
std::vector<std::size_t> best_targets(const std::vector<int>& scores);
/// Those of them that are shot at. `numbers`: of the targets, in the level's file.
std::vector<std::size_t> best_targets(const std::vector<int>& scores, Ties ties,
                                      const std::vector<std::size_t>& numbers);

/// The search space after a shot that made no novelty visible: a group becomes known not to be novel when one
/// of its objects moved in a way that would have made every change of the novelty visible, had the object
/// been novel. That is: it had a case in which the parameter is visible (detecting_cases); for life and
/// defence, that the change would have reversed whether the target is destroyed. Moving alone says nothing: a
/// pig that slides says nothing about its gravity scale. `impacted` is impacted_objects() of the shot at
/// `target` with `bird` from `scene`. Returns the groups newly known, in order.
std::vector<std::size_t> narrow(SearchSpace& space, const Scene& scene, const Novelty& novelty,
                                std::size_t target, const BirdType& bird,
                                const std::vector<ImpactedObject>& impacted);

/// "wood RectFat", "pig BasicSmall", "TNT": the appearance of an object, for people.
std::string appearance(const SceneObject& object);

}  // namespace startle
