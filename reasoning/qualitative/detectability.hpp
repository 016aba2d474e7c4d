#pragma once
/// \file  In which movement which changed parameter is visible [Pinto §4.2, detectability analysis].
#include <vector>

#include "reasoning/qualitative/movement.hpp"
#include "sim/novelty.hpp"

namespace startle {

/// Cases in which a change of the parameter is visible:
/// - friction: 3 6 7 [Pinto §4.2];
/// - restitution: 2 to 9 [Pinto §4.2];
/// - gravity scale: 4 5 7 9;
/// - density: 2 3 6 7 8 9;
/// - linear damping: 2 to 9;
/// - angular damping: 2 5 8 9.
///
/// The rows after restitution are ours; docs/results.md holds every row against simulation. Life and defence
/// are not in the table (no case): see detectable_objects().
Cases detecting_cases(Parameter parameter);

/// Novel objects that one hit makes move detectably, in order of index: those that are impacted in the novel
/// scene with a case that shows a parameter in which `normal` and `novel` (the same scene without and with
/// the novelty) differ for this object. More life or defence is visible where case 1 holds in the normal
/// scene and not in the novel one; less, the reverse. `in_normal` and `in_novel` are impacted_objects() of
/// the hit in either scene. The two scenes must have the same objects in the same order.
std::vector<std::size_t> detectable_objects(const Scene& normal, const Scene& novel,
                                            const std::vector<ImpactedObject>& in_normal,
                                            const std::vector<ImpactedObject>& in_novel);

/// Whether impacted_objects() is sure to be the same in both scenes, whatever is hit: they depend on masses
/// (density), life and defence, and on no other parameter. The two scenes must have the same objects in the
/// same order.
bool same_impacts(const Scene& normal, const Scene& novel);

}  // namespace startle
