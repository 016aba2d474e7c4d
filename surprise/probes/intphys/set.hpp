#pragma once
/// \file  IntPhys sets: quadruplets of two possible and two impossible clips of the very same frames [IntPhys
/// §2].
///
/// \code
///   // number 17 of seed 1
///   const IntPhysSet set = make_intphys_set(
///       IntPhysBlock::permanence,
///       {.occluded = true, .motion = IntPhysMotion::dynamic_2, .objects = 3}, intphys_format(), 1, 17);
///   const Clip impossible = set.clip(2);
///   const std::vector<std::string> faults = intphys_faults(set);                        // none
/// \endcode
///
/// The possible clips are two videos; an impossible one begins as one of them and goes on, from a splice on,
/// as the other. So the impossible clips hold the frames of the possible ones, each as often. The videos
/// differ in one thing alone, the last of the scene:
/// - O1, object permanence: it is not there in the second video;
/// - O2, shape constancy: it has another shape there, of the same width, height and colour;
/// - O3, spatio-temporal continuity: it is elsewhere; of moving things, it is farther on its way by the same
///   path.
///
/// `objects` counts it.
/// - Visible: the splice is in plain view, without screens.
/// - Occluded: screens come up, hide it, and go down after it is past. The splice lies in the middle of the
///   frames in which both videos show the same picture, at least two before it and after it together, because
///   the screen hides all in which they differ.
/// - Static: things stand still, one splice.
/// - Dynamic 1: they cross the picture, one splice.
/// - Dynamic 2: the same with two splices and, when occluded, two screens: the impossible clips end as they
///   began.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "surprise/probes/intphys/scene.hpp"

namespace startle {

enum class IntPhysBlock { permanence, shape, continuity };
const std::vector<IntPhysBlock>& intphys_blocks();
/// "O1", "O2", "O3".
const char* name(IntPhysBlock block);
/// "object permanence" and so on.
const char* title(IntPhysBlock block);

enum class IntPhysMotion { still, dynamic_1, dynamic_2 };

struct IntPhysScenario {
  bool occluded = false;
  IntPhysMotion motion = IntPhysMotion::still;
  int objects = 1;  ///< 1 to 3
  friend bool operator==(const IntPhysScenario&, const IntPhysScenario&) = default;
};
/// The 18 of a block: visible before occluded; in each static, dynamic 1, dynamic 2; in each 1, 2, 3 objects.
const std::vector<IntPhysScenario>& intphys_scenarios();
/// "occluded_dynamic_1_nobj2", as the original names them.
std::string name(const IntPhysScenario& scenario);
/// The scenario whose name stands in the text, whatever stands around it, capitals aside; empty where none
/// does.
std::optional<IntPhysScenario> intphys_scenario_in(const std::string& text);

/// The clips of one part share no set with those of another.
enum class IntPhysPart { dev, test };
const char* name(IntPhysPart part);

struct IntPhysSet {
  IntPhysBlock block = IntPhysBlock::permanence;
  IntPhysScenario scenario;
  std::uint64_t number = 0;
  std::array<IntPhysScene, 2> scenes;
  std::array<IntPhysVideo, 2> videos;
  std::vector<int> splices;  ///< frames from which on an impossible clip follows the other video: two for
                             ///< dynamic 2, else one

  /// Clips 0 and 1 are possible: the videos; 2 and 3 impossible: they begin as the first and as the second
  /// video.
  static constexpr bool possible(int clip) { return clip < 2; }
  /// Which video frame t of a clip is from; it is frame t there, too.
  std::size_t video_of(int clip, int t) const;
  /// A clip, with masks.
  Clip clip(int clip) const;
};

/// The same arguments give the same set. Throws Error for a scenario that is none of intphys_scenarios().
IntPhysSet make_intphys_set(IntPhysBlock block, const IntPhysScenario& scenario, const ClipFormat& format,
                            std::uint64_t seed, std::uint64_t number, IntPhysPart part = IntPhysPart::test);

/// What is wrong with a set; empty when it is what it should be:
/// - the impossible clips hold the possible ones' frames (picture, mask and depth), each as often, and differ
///   from both of them;
/// - the videos are what simulation makes of the scenes, which differ as the block says;
/// - there are as many splices as the scenario has violations; where occluded, both videos show the same on
///   both sides of each, and where visible, what jumps there is seen in both;
/// - before, between and after the splices at least three quarters of the thing in which the videos differ
///   are seen in some frame;
/// - in the videos nothing moves farther from frame to frame than things here can.
std::vector<std::string> intphys_faults(const IntPhysSet& set);

}  // namespace startle
