#pragma once
/// \file  Which movement shows which changed parameter [Pinto §4.2, detectability analysis].
#include <vector>

#include "reasoning/movement.hpp"
#include "sim/novelty.hpp"

namespace startle {

/// Cases that show a change of the parameter:
///   friction 3 6 7; restitution 2 to 9 (both [Pinto §4.2]); gravity scale 4 5 7 9; density 2 3 6 7 8 9; linear damping 2 to 9;
///   angular damping 2 5 8 9. The rows after restitution are ours; docs/validity.md holds
///   every row against simulation.
/// Life and defence are not in the table (no case): see detectable_objects().
Cases detecting_cases(Parameter parameter);

/// Objects that one hit makes move detectably: novel, impacted in the novel scene, and with a case that shows a parameter in which `normal`
/// and `novel` (the same scene without and with the novelty) differ for this object. `in_normal` and `in_novel` are
/// impacted_objects() of the hit in either scene. Life or defence up: shown where case 1 holds in the normal scene and not in the
/// novel one; down: the reverse. In order of object index. The two scenes must have the same objects in the same order.
std::vector<std::size_t> detectable_objects(const Scene& normal, const Scene& novel, const std::vector<ImpactedObject>& in_normal,
                                            const std::vector<ImpactedObject>& in_novel);

/// Whether impacted_objects() is sure to be the same in both scenes, whatever is hit: it looks at masses (density), life and defence, and
/// at no other parameter. The two scenes must have the same objects in the same order.
bool same_impacts(const Scene& normal, const Scene& novel);

/// Smallest difference of places that can be seen, world units (that of difficulty/twin.hpp).
inline constexpr double visible_distance = 0.1;

/// How far apart the change of the parameter from `before` to `now` brings an object that moves as told, world units; 0 for life and
/// defence. `impacted` needs speed and drop (extended method). With u = speed at the end of its fall, u^2 = speed^2 + 2 g drop, g with the
/// object's gravity scale in `object`, mu its friction, T = u/g the time of its motion:
///   friction         way of sliding speed^2/(2 mu g), compared
///   restitution      height of bouncing e^2 u^2/(2 g), compared; 0 where u <= 1 m/s, below which nothing bounces
///   gravity scale    heights u^2/(2 g), compared: how far one is ahead of the other when it lands
///   density          way of sliding at speeds in inverse proportion to mass
///   linear damping   u T^2/2 for each 1/s;  angular damping  the same at the object's rim, as it turns
double predicted_difference(const SceneObject& object, Parameter parameter, double before, double now, const ImpactedObject& impacted,
                            double gravity);

/// As detectable_objects(), for results of knocked_on(): a novel object shows the novelty
///   - when it moves, or is destroyed, in one of the two scenes alone;
///   - when it moves in both and the predicted difference of a changed parameter is at least visible_distance;
///   - when it moves in both without being destroyed, while life or defence make other objects survive or die in one scene alone: what
///     that moves does not come to lie as it would have.
std::vector<std::size_t> visibly_different_objects(const Scene& normal, const Scene& novel, const std::vector<ImpactedObject>& in_normal,
                                                   const std::vector<ImpactedObject>& in_novel);

}  // namespace startle
