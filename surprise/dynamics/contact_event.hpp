#pragma once
/// \file  Contact events: what one body did between two frames, with all that can be known of why.
///
/// What is seen are places, angles and appearances at equal times, no parameter. From three frames on end
/// come a body's speed before and the change of its speed after; what it touches or is about to hit comes
/// from the shapes. Everything is given in the frame of the contact: normal out of what it meets, tangent
/// along the way it slips, so that a blow from the left and one from above are one thing to learn.
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "sim/parameters.hpp"
#include "sim/scene.hpp"
#include "sim/trace.hpp"

namespace startle {

/// What a body is to the eye. Platforms, ground and what else never moves are `fixed`.
enum class MaterialClass { wood, ice, stone, pig, tnt, bird, fixed };
inline constexpr std::size_t material_class_count = 7;
const char* name(MaterialClass material_class);
MaterialClass material_class_of(const SceneObject& object);

/// The materials whose mechanisms may change: wood, ice, stone, pigs, as in the novelty catalogue.
inline constexpr std::size_t changeable_count = 4;
inline constexpr std::size_t parameter_count = std::size(parameter_table);

inline constexpr std::size_t bird_type_count = 5;  ///< science_birds() (sim/profile.hpp), in its order;
                                                   ///< others look like none of them

/// What is known before: indices of ContactEvent::context. `normal` and `tangent` say along which axis of the
/// contact a vector is taken: the normal points out of what is met (upwards where nothing is), the tangent
/// along the slip. Speeds are in units of `speed_unit`; rim speeds are of a disc of the body's area, positive
/// from normal to tangent.
namespace context {
inline constexpr float speed_unit = 3;      ///< m/s
inline constexpr double radius_unit = 0.3;  ///< world units: sizes are log(radius of a disc of the same area
                                            ///< / this)
inline constexpr double gap_unit = 0.05;    ///< world units
enum Feature : std::size_t {
  self_material,                                ///< `material_class_count` flags, one of them 1
  size = self_material + material_class_count,  ///< of the body, in `radius_unit`
  slenderness,  ///< distance from its centre to its farthest point / radius, less 1
  normal_speed,
  tangent_speed,
  rim_speed,  ///< of the body in the world, over the last frame interval
  normal_speed_change,
  tangent_speed_change,
  rim_speed_change,  ///< from the frame interval before that to the last
  down_normal,
  down_tangent,  ///< unit vector downwards
  blows,         ///< log(1 + sum of its changes of speed above 1 m/s so far in the shot, m/s)
  contacts,      ///< how many bodies it meets, 4 at most, / 2
  // What it meets first; all 0 where it meets nothing.
  first_material,                                      ///< `material_class_count` flags
  first_size = first_material + material_class_count,  ///< in `radius_unit`; 0 of the ground
  first_gap,   ///< when they are nearest, from -0.1 to 0.3 world units, in `gap_unit`
  first_wait,  ///< until they touch, in frame intervals
  first_slip_normal,
  first_slip_tangent,  ///< velocity of the body against it where they touch
  first_arm_normal,
  first_arm_tangent,  ///< from the body's centre to where they touch, in its radii
  first_other_arm,    ///< from the other's centre, at right angles (left) to the normal, in its radii
  first_normal_speed,
  first_tangent_speed,  ///< of the other in the world; 0 of what never moves
  first_normal_speed_change,
  first_tangent_speed_change,  ///< of the other, as above
  // What it meets second; all 0 where there is none.
  second_material,  ///< `material_class_count` flags
  second_size = second_material + material_class_count,
  second_gap,
  second_wait,
  second_slip_normal,
  second_slip_tangent,  ///< as above
  second_direction_normal,
  second_direction_tangent,  ///< unit vector out of it
  // The shot.
  bird_type,                                   ///< `bird_type_count` flags
  shots_before = bird_type + bird_type_count,  ///< at this level, 2 at most, / 2
  count
};
}  // namespace context

/// What came of it: indices of ContactEvent::outcome. Changes of speed in m/s since the frame before it,
/// along the axes of the contact: until the next frame, and until the one after (`later`); 0 where the body
/// is not seen then.
namespace outcome {
enum Feature : std::size_t {
  next_normal,
  next_tangent,
  next_rim,
  later_normal,
  later_tangent,
  later_rim,  ///< of the body
  partner_next_normal,
  partner_next_tangent,
  partner_later_normal,
  partner_later_tangent,  ///< of what it meets first
  gone,
  gone_later,
  partner_gone,  ///< 1 where the body is not seen in the next frame, in the one after; the other in the next
  count
};
}  // namespace outcome

inline constexpr std::size_t context_count = context::count;
inline constexpr std::size_t outcome_count = outcome::count;

struct ContactEvent {
  std::array<float, context_count> context{};  ///< what is known before, in units near 1: context::Feature
  std::array<float, outcome_count> outcome{};  ///< what came of it: outcome::Feature
  MaterialClass self = MaterialClass::wood;
  bool meets = false, meets_second = false;  ///< something is touched or about to be hit; a second thing as
                                             ///< well
  MaterialClass first = MaterialClass::fixed, second = MaterialClass::fixed;
  double closing = 0;  ///< m/s, towards what it meets, at the place where they touch
  double wait = 1;     ///< until they touch, as a share of the time to the next frame; 1: not before it
  double before = 0;   ///< m/s, along the normal, against what it meets: the speed of the centres
  int frame = 0;       ///< number of the frame after it
  BodyId body = 0;
};

/// Of a shot from `before` as it was seen: shapes, kinds and materials of the scene's objects and nothing
/// else of them; frames of the trace at equal times. What lies still and is not about to be hit is left out,
/// as is what happens while something explodes, and the bird until it meets something. `pixel`: to which
/// places are seen, world units: centres of mass are rounded to squares of that side, angles to as much at
/// the body's rim; 0: exactly. `picture`: the part of the world that is seen: what leaves it need not be
/// gone. Throws Error for a trace that is not recorded.
std::vector<ContactEvent> contact_events(const Scene& before, const Trace& seen, double pixel = 0,
                                         const std::optional<Bounds>& picture = {});

}  // namespace startle
