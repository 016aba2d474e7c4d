#pragma once
/// \file  Probes of physical concepts: tuples of two possible and two impossible clips of the same frames
/// [Lin §5; Piloto et al. 2022].
///
/// \code
///   const ProbeTuple tuple = make_probe_tuple(ProbeConcept::solidity, 1, 17);   // number 17 of seed 1
///   const std::vector<std::string> faults = probe_faults(tuple);                // none
/// \endcode
///
/// The possible clips are simulated. At a splice they show the same picture, because what they differ in is
/// hidden; the impossible clips go on there as the other possible one does. So the four are two pairs that
/// hold the same frames, each as often, and no statistics of single frames can distinguish the pairs. Where
/// both clips show the same picture in the frames on both sides of a splice, as in all concepts but
/// directional inertia, the pairs also have the same pictures beside each other, three in a row included:
/// copying the last frame and linear extrapolation have the same sum of errors on both pairs.
///
/// - continuity: a ball rolls behind two pillars; nothing moves in an empty room with the same pillars.
///   Spliced while the ball is behind each pillar: it is not to be seen between them, or only there.
/// - directional inertia: a thrown ball bounces off a heavy block, and the same backwards. The bounce is
///   elastic and without friction, the block does not move: mechanics knows no direction of time here, so the
///   video backwards is possible, too (probe_faults() simulates it from its first state). Spliced at the
///   bounce: the ball goes back the way it came. This is seen, not hidden, so linear extrapolation, which
///   knows that things go on, is not at chance: the reversal costs it |x[t+1] - x[t-1]|^2 more at the turn.
/// - object persistence: a plank turns up about its edge, hides the object behind it and falls on it, where
///   it stays propped; without the object it falls flat. Spliced while the plank hides the place of the
///   object.
/// - solidity: a tall and a short block fall into a container with their tops level. The tall one comes to
///   rest looking out, the short one goes under. Spliced when both have their lower ends behind the front:
///   the tall one sinks through the bottom, or the short one stops in mid air.
/// - unchangeableness: a curtain comes down over still things and goes up; the two clips differ in the place,
///   the colour or the shape of one or two of them. Spliced behind the curtain.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "surprise/probes/probe_scene.hpp"

namespace startle {

enum class ProbeConcept { continuity, directional_inertia, object_persistence, solidity, unchangeableness };
const std::vector<ProbeConcept>& probe_concepts();
const char* name(ProbeConcept kind);

struct ProbeTuple {
  ProbeConcept kind = ProbeConcept::continuity;
  std::uint64_t number = 0;
  /// What the possible clips were recorded from. Directional inertia: the second is the scene of the ball
  /// thrown back from where and as fast as it ended, while the second clip is the first one's frames in
  /// reverse.
  std::array<ProbeScene, 2> scenes;
  std::vector<int> splices;  ///< frames from which on each impossible clip follows the other possible clip
  std::array<Clip, 2> possible, impossible;  ///< impossible[i] begins as possible[i]; all with masks
};

/// The same seed and number give the same tuple.
ProbeTuple make_probe_tuple(ProbeConcept kind, std::uint64_t seed, std::uint64_t number);

/// What is wrong with a tuple; empty when it is what it should be:
/// - the impossible clips hold the possible ones' frames (pictures and masks), each as often, and differ from
///   both of them;
/// - the possible clips are what simulation makes of their scenes; the one that is a video backwards within 1
///   pixel of the ball's place;
/// - in no clip, the impossible ones included, does a thing jump: what is seen of it lies no farther from
///   where it was seen in the frame before, from a screen or plank that may have hidden it, or from the
///   border, than it can have moved.
std::vector<std::string> probe_faults(const ProbeTuple& tuple);

}  // namespace startle
