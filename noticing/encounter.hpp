#pragma once
/// \file  Encounters: what one body did between two looks, with all that an onlooker could know of why.
///
/// An onlooker sees places, angles and appearances at equal times, no parameter. From three looks on end come a body's speed before and the change of
/// its speed after; what it touches or is about to hit comes from the shapes. Everything is told in the frame of the contact: normal out of what it
/// meets, tangent along the way it slips, so that a blow from the left and one from above are one thing to learn.
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "sim/parameters.hpp"
#include "sim/scene.hpp"
#include "sim/trace.hpp"

namespace startle {

/// What a body is to the eye. Platforms, ground and what else never moves are `fixed`.
enum class Stuff { wood, ice, stone, pig, tnt, bird, fixed };
inline constexpr std::size_t stuff_count = 7;
const char* name(Stuff stuff);
Stuff stuff_of(const SceneObject& object);

/// The materials whose laws may change: wood, ice, stone, pigs, as in the novelty catalogue.
inline constexpr std::size_t changeable_count = 4;
inline constexpr std::size_t parameter_count = std::size(parameter_table);

inline constexpr std::size_t bird_type_count =
    5;  ///< science_birds() (sim/profile.hpp), in its order; others look like none of them
inline constexpr std::size_t context_count = 53 + bird_type_count;
inline constexpr std::size_t outcome_count = 13;

struct Encounter {
  std::array<float, context_count>
      context{};  ///< what is known before, in units near 1 (encounter.cpp names each)
  /// What came of it. Changes of speed until the next look, m/s: along the normal, along the tangent, of the rim by turning; the same until the look after
  /// that; along normal and tangent of what it meets, until either look. Then flags: gone by the next look, by the one after, and what it meets gone.
  std::array<float, outcome_count> outcome{};
  Stuff self = Stuff::wood;
  bool meets = false,
       meets_second = false;  ///< something is touched or about to be hit; a second thing as well
  Stuff first = Stuff::fixed, second = Stuff::fixed;
  double closing = 0;  ///< m/s, towards what it meets, at the place where they touch
  double wait = 1;     ///< until they touch, as a share of the time to the next look; 1: not before it
  double before = 0;   ///< m/s, along the normal, against what it meets: the speed of the centres
  int look = 0;        ///< number of the look after it
  BodyId body = 0;
};

/// Of a shot from `before` as it was seen: shapes, kinds and materials of the scene's objects and nothing else of them; frames of the trace at equal times.
/// What lies still and is not about to be hit is left out, as is what happens while something explodes, and the bird until it meets something.
/// `pixel`: how well the onlooker sees, world units: centres of mass are rounded to squares of that side, angles to as much at the body's rim; 0: exactly.
/// `picture`: the part of the world that is seen: what leaves it need not be gone.
/// Throws Error for a trace that is not recorded.
std::vector<Encounter> encounters(const Scene& before, const Trace& seen, double pixel = 0,
                                  const std::optional<Bounds>& picture = {});

}  // namespace startle
