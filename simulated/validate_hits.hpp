#pragma once
/// \file  Validation of what hits move: impacted objects and their cases against what simulated shots really
/// moved.
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reasoning/qualitative/trajectory.hpp"
#include "simulated/reasoned_scene.hpp"
#include "simulated/simulated_difficulty.hpp"
#include "simulated/twin.hpp"
#include "statistics/binary_counts.hpp"

namespace startle {

/// The perturbation that shows what else might have happened, radians: the drag ends 0.01 world units
/// beside. The default of AimNoise.
inline constexpr double aim_error = 0.01;

/// Impacted objects against the objects that visibly moved, or died, in the normal world. One pair for each
/// trajectory of a target and each living object that is not static. The published method predicts the same
/// for all trajectories of a target.
struct ImpactedCounts {
  BinaryCounts all;
  BinaryCounts others;                        ///< without the target itself, which is always predicted
  BinaryCounts others_lower;                  ///< of those, on lower parabolas
  BinaryCounts others_upper;                  ///< on upper ones
  std::map<std::string, std::size_t> missed;  ///< moved, not predicted: by what set the object moving, as far
                                              ///< as contacts say
  std::map<std::string, std::size_t> wrong;   ///< predicted, did not move: by the rule that predicted it
  ImpactedCounts& operator+=(const ImpactedCounts& other);
};

/// Of the pairs above in which the object was predicted to move with a case: what it was seen to do.
struct CaseCounts {
  std::size_t predicted = 0;
  std::size_t verified = 0;  ///< the motion has the case, by observed_cases()
  std::size_t moved = 0, destroyed = 0, turned = 0, shifted = 0, dropped = 0;
  CaseCounts& operator+=(const CaseCounts& other);
};

/// Of the pairs predicted and seen to move: what the cases say of the motion against what was measured. Cases
/// say destroyed: 1; turned: 2 5 8 9; shifted: 2 3 6 7 8 9; dropped: 4 5 7 9. Of destroyed objects nothing
/// but that counts.
struct MotionCounts {
  BinaryCounts destroyed, turned, shifted, dropped;
  MotionCounts& operator+=(const MotionCounts& other);
};

/// One shot in which the prediction and the simulation differ, to be drawn.
struct Disagreement {
  Trajectory trajectory;
  std::size_t target = 0;
  std::vector<std::size_t> predicted;  ///< to move
  std::vector<std::size_t> missed;     ///< moved, though not predicted
  std::size_t wrong = 0;               ///< predicted, did not move
};

/// What one method predicts that hits move.
struct HitValidation {
  ImpactedCounts impacted;
  std::array<CaseCounts, 10> cases{};  ///< entries 1 to 9
  MotionCounts motion;
  std::optional<Disagreement> worst;  ///< the first shot with the most objects missed and wrong; empty when
                                      ///< all agree
};

/// What hits on all targets of a state move, by each method and when the same shots are flown again.
struct HitsValidation {
  ByMethod<HitValidation> hits;
  /// The simulation against itself, for what can be expected of any prediction: what else than the target
  /// moves when the shot of a target's first trajectory is perturbed by `aim_error`, against what moves when
  /// it is not.
  BinaryCounts again;
};
HitsValidation validate_hits(const FlownState& state, ReasonedScene& normal, const VisibleDifference& least);

}  // namespace startle
