#pragma once
/// \file  What moves when a target is hit, and how: the impacted relation and the nine movement cases [Pinto
/// §4.2].
#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reasoning/qualitative/horizontal_influence.hpp"
#include "reasoning/qualitative/support.hpp"
#include "sim/scene.hpp"

namespace startle {

/// The nine ways in which a hit moves an object [Pinto §4.2]; numbered as there, and as explanations print
/// them.
namespace movement {
enum Case : std::size_t {
  hit_and_destroyed = 1,
  hit_and_flips = 2,
  hit_and_slides = 3,
  falls = 4,  ///< without rotating
  falls_and_rotates = 5,
  slides_and_stops = 6,
  slides_and_falls = 7,
  flips_and_stops = 8,
  flips_and_falls = 9,
};
/// All of them, in order of their numbers.
inline constexpr std::array all{hit_and_destroyed, hit_and_flips,    hit_and_slides,   falls,
                                falls_and_rotates, slides_and_stops, slides_and_falls, flips_and_stops,
                                flips_and_falls};

/// The case of an object that goes on moving: whether it flips, else slides, and whether it falls off what it
/// is on.
constexpr Case pushed(bool flips, bool falls_off) {
  return flips ? (falls_off ? flips_and_falls : flips_and_stops)
               : (falls_off ? slides_and_falls : slides_and_stops);
}
/// What the object does, for people: "directly hit and destroyed", "falls without rotating", ...
const char* name(Case which);
}  // namespace movement

/// The set of an object's movement cases: the bit movement::Case, 1 to 9, is set for each that it has; bit 0
/// never is.
///
/// Cases 1 to 3 are the target's. "Apart from these, all objects are subject to at least one of the following
/// six": a target that is not destroyed goes on moving, so it also has 6 or 7 (with 3), or 8 or 9 (with 2).
/// The object pushed by it (closest in the falling arc or sliding path) has 6 or 7, or 8 or 9 when
/// object-flip holds for itself. Objects that fall have 4 when they are directly above a static structure,
/// else 5. Cases of one object are joined. By the extended method 1 also stands for an object that is
/// destroyed by something else than the bird.
using Cases = std::bitset<10>;

/// True when what lies straight below the object (highest object under its x-range, `without` left out) is
/// the ground or a platform, or it stands on one. "Impacted objects directly above a static structure do not
/// rotate" [Pinto §4.2]: an object that stood on the target alone comes down on what the target stood on.
bool directly_above_static(const Scene& scene, const SupportGraph& graph, std::size_t object,
                           std::size_t without);

/// True when an object pushed by `distance` (world units, > 0) falls off what it stands on: it does not stand
/// on the ground, and before that distance its centre comes to a place where nothing among the living objects
/// (`moving` left out) continues the level it stands on. A gap it can bridge, up to half its width, does not
/// stop it.
bool falls_off(const Scene& scene, const SupportGraph& graph, std::size_t object, double distance,
               const std::vector<std::size_t>& moving);

/// How what a hit moves and makes visible is predicted: as published, or without the limits that Pinto et al.
/// name (knock_on.hpp).
enum class Method { published, extended };
const char* name(Method method);
/// The method of that name, or empty.
std::optional<Method> method_from_name(const std::string& name);

/// One object moved by a hit on the target.
struct ImpactedObject {
  std::size_t object = 0;
  Cases cases;         ///< at least one
  std::string reason;  ///< for people: "target, destroyed", "falls left", "pushed by the target, slides and
                       ///< stops", ...
  /// Where it falls to by vertical impact, that of the target before that of the pushed object; empty when it
  /// does not fall.
  std::optional<FallDirection> falls = {};
  // Extended method (knock_on.hpp) only:
  double speed = 0;  ///< m/s just after the hardest blow, its turning counted in; 0: none struck it
  double drop = 0;   ///< height it can fall, world units
};

/// The prediction for that object; null where it is not predicted to move.
inline const ImpactedObject* find_impacted(const std::vector<ImpactedObject>& impacted, std::size_t object) {
  const auto found = std::find_if(impacted.begin(), impacted.end(),
                                  [&](const ImpactedObject& i) { return i.object == object; });
  return found == impacted.end() ? nullptr : &*found;
}

/// Everything that moves when `bird` hits `target`, the target first, the others in order of index: the
/// target, its vertical impact, the object closest in its horizontal influence (unless static), and that
/// one's vertical impact. Explosions (TNT, black bird) are not part of the published reasoning and are left
/// out.
std::vector<ImpactedObject> impacted_objects(const Scene& scene, const SupportGraph& graph,
                                             std::size_t target, const BirdType& bird,
                                             const ReasoningConstants& constants = {});
/// The same in the scene and with the memory of `vertical`, for many targets.
std::vector<ImpactedObject> impacted_objects(VerticalImpact& vertical, std::size_t target,
                                             const BirdType& bird, const ReasoningConstants& constants = {});

}  // namespace startle
