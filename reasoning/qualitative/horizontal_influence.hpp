#pragma once
/// \file  Approximate horizontal influence [Pinto §4.2, alg. 1] and the predicates it is built from.
///
/// Pinto et al. write them for a blow from the left. Here an object is pushed away from the slingshot, and
/// for one that stands left of it everything is mirrored in x.
#include <optional>
#include <vector>

#include "reasoning/qualitative/support.hpp"
#include "reasoning/qualitative/vertical_impact.hpp"
#include "sim/scene.hpp"

namespace startle {

/// Constants of the predicates, fitted by `fit_reasoning startle` (see docs/reasoning.md for its table).
struct ReasoningConstants {
  double k_flip = 0.73;   ///< height over width above which a hit object flips
  double k_slide = 1.14;  ///< distance an object can slide after a hit, world units
};

/// Speed of the bird at height y from the conservation of energy: v = sqrt(k2 + k1 (ystart - y)), k1 = 2 g of
/// flight, k2 = launch speed squared, ystart the rest position on the slingshot. m/s; 0 for heights it cannot
/// reach.
double speed_at_height(const Scene& scene, const BirdType& bird, double y);
/// Hit points the bird's blow takes off the object when it strikes at that speed, never below 0, by the
/// profile's rule:
/// - momentum rule: speed x bird mass x K x (multiplier for a block's material, generic factor for pig and
///   TNT) - defence;
/// - speed rule: speed x (multiplier for a block's material, 1 for pig and TNT) - defence (0 in classic,
///   unless a novelty changes it).
double bird_damage(const Scene& scene, const SceneObject& object, const BirdType& bird, double speed);
/// object-destroy(o, bird): life(o) - bird_damage < 0 at the height of o's centre of mass. False for static
/// objects.
bool object_destroy(const Scene& scene, std::size_t object, const BirdType& bird);

/// object-flip(o): height/width > k_flip.
bool object_flip(const Bounds& o, const ReasoningConstants& constants = {});

/// True when the object is pushed to the right: it stands right of the slingshot.
bool pushed_right(const Scene& scene, const SceneShapes& geometry, std::size_t object);

/// Objects that meet the first quadrant of the circle with centre (xmax, ymin) and radius ymax - ymin. They
/// must reach more than contact_tolerance into it, from each of its three sides: the floor o stands on and
/// what lies on top of o, which touches the circle at its top, are not in the arc. By index; static objects
/// count.
std::vector<std::size_t> falling_arc(const Scene& scene, const SceneShapes& geometry, std::size_t object);
/// Objects oj with xmax < xmin(oj) < xmax + k_slide whose y-range overlaps o's. Touching objects are in the
/// path (gap down to -contact_tolerance) and the floor is not (overlap in y above contact_tolerance). By
/// index; static objects count.
std::vector<std::size_t> sliding_path(const Scene& scene, const SceneShapes& geometry, std::size_t object,
                                      const ReasoningConstants& constants = {});

enum class HitResult { destroyed, flips, slides };
const char* name(HitResult result);

struct HorizontalInfluence {
  HitResult hit = HitResult::slides;
  std::vector<std::size_t> candidates;  ///< falling-arc or sliding-path; empty when destroyed
  std::optional<std::size_t> closest;   ///< by xmin(oj) - xmax(o), the first on ties; a static one stops the
                                        ///< influence
  std::vector<Fall> falls;              ///< vertical impact of the closest
};
HorizontalInfluence horizontal_influence(const Scene& scene, const SupportGraph& graph, std::size_t object,
                                         const BirdType& bird, const ReasoningConstants& constants = {});
/// The same in the scene and with the memory of `vertical`.
HorizontalInfluence horizontal_influence(VerticalImpact& vertical, std::size_t object, const BirdType& bird,
                                         const ReasoningConstants& constants = {});

}  // namespace startle
