#pragma once
/// \file  Twin simulation: the same shot in the normal and in the novel world, and what of the novelty can be
/// seen.
///
/// Both worlds start from the same objects at the same places and at rest. A difference that is there to see
/// is one in the pose of a novel object (or in whether it still exists), at the same time after the launch.
#include <cstddef>
#include <vector>

#include "reasoning/qualitative/movement.hpp"
#include "sim/novelty.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"

namespace startle {

/// The smallest difference between two poses that counts as visible. That one pose exists and the other does
/// not always counts.
struct [[nodiscard]] VisibleDifference {
  double distance = 0.1;  ///< of the body's origins, world units
  double angle = 0.1;     ///< radians; a full turn is no difference
  int hold_steps = 3;     ///< for so many steps on end, or at the end, where nothing changes any more
};

/// Whether two poses are further apart than that, in distance or in angle.
bool visibly_apart(const Pose& a, const Pose& b, const VisibleDifference& least);

/// The way of one object through a shot.
struct [[nodiscard]] ObjectTrack {
  std::vector<Pose> poses;  ///< after steps 0, 1 ... until it died or the shot ended; empty: it stayed where
                            ///< it was
  bool destroyed = false;   ///< or out of the world
  int moved_at = -1;  ///< first of the steps in which it was visibly away from its first place, or the step
                      ///< of its death; -1: never
};

/// What became of an object, from the first pose to the last.
struct ObjectMotion {
  bool moved = false;  ///< visibly, or destroyed
  bool destroyed = false;
  double turn = 0;   ///< radians, signed, whole turns counted
  double shift = 0;  ///< of the centre of mass along x, signed, world units
  double drop = 0;   ///< of the lowest point, downward positive, world units
};

/// A shot flown in the normal world. Per object by index; static and dead objects have empty tracks.
struct [[nodiscard]] NormalShot {
  Shot shot;
  int steps = 0;
  std::vector<ObjectTrack> tracks;
  std::vector<ObjectMotion> motions;
  std::vector<Event> events;  ///< of the kinds contact and explosion
  Scene after;
};
NormalShot fly_normal(const Scene& normal, const Shot& shot, const VisibleDifference& least = {});

/// The nine movement cases that a motion has, by what can be measured: destroyed; turned by more than
/// 45 degrees; shifted or dropped by more than 0.1. A target has 1 when destroyed, else 2 when it turned and
/// 3 when it was shifted without turning. Every object has, of turned, dropped and shifted: dropped alone 4;
/// dropped and shifted 7; shifted alone 6; turned alone (shifted or not) 8; turned and dropped 5 and, as
/// measurement cannot distinguish a fall from a flip, 9. None when it did none of these.
Cases observed_cases(const ObjectMotion& motion, bool is_target);
inline constexpr double turned_angle = 0.785398;  ///< 45 degrees, radians
inline constexpr double shifted_distance = 0.1;   ///< world units
inline constexpr double dropped_distance = 0.1;   ///< world units

/// The novel world in which the twin of a shot from `normal` is flown: the novelty applied to the objects
/// where they are. If `normal` is at rest, so is its twin: it is NOT settled again under the changed
/// parameters. Settling shifts objects by a thousandth, and for that reason alone nearly every second shot
/// ends visibly differently; the effect of the parameters could not be distinguished from that of the places.
Scene novel_twin(const Scene& normal, const Novelty& novelty);

/// The other way round: a state of a novel world as it would be without the novelty, from which normal shots
/// are expected. `normal_start`: the normal level from whose twin the state came about.
Scene normal_twin(const Scene& novel, const Scene& normal_start);

/// Whether the object, at `start` before both, becomes visibly different between two flights from the same
/// scene.
bool visibly_apart(const NormalShot& a, const NormalShot& b, std::size_t object, const Pose& start,
                   const VisibleDifference& least);

/// A shot at a scene.
struct SceneShot {
  const Scene& scene;
  Shot shot;
};

/// Whether any body, novel or not, becomes visibly different between two shots at the same level; birds count
/// if `with_birds`. This is what an observer could see; visibly_different_objects() gives what Pinto et al.
/// count. A bird that bounces differently off a novel pig is seen even if no pig is elsewhere.
bool worlds_part(const SceneShot& a, const SceneShot& b, bool with_birds,
                 const VisibleDifference& least = {});

/// Novel objects, by index, that become visibly different when `shot`, flown from `normal`, is flown from
/// `novel`, its novel_twin(). With `first_only` the simulation ends at the first of them. Nothing is
/// simulated if the outcome is certain: no novel object took part in the normal shot, or the novelty only
/// raises life or defence and no novel object died.
std::vector<std::size_t> visibly_different_objects(const Scene& normal, const Scene& novel,
                                                   const NormalShot& shot,
                                                   const VisibleDifference& least = {},
                                                   bool first_only = false);

}  // namespace startle
