#pragma once
/// \file  Reasoning against simulation: what every level contributes to the tables of docs/validity.md.
///
/// Everything is counted in the settled initial state, which holds no trace of earlier predictions, except for the difficulty values,
/// which are those of the whole walk. Counts of levels are added up with +=; rates are taken of the sums.
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "difficulty/difficulty.hpp"
#include "difficulty/grounded.hpp"
#include "difficulty/twin.hpp"
#include "reasoning/movement.hpp"
#include "sim/novelty.hpp"
#include "sim/scene.hpp"
#include "statistics/binary_counts.hpp"

namespace startle {

/// The methods of reasoning that are held against the same simulation, side by side.
inline constexpr std::array<Method, 2> validated_methods{Method::published, Method::extended};

/// One T for each of them.
template <typename T>
class ByMethod {
 public:
  T& operator[](Method method) { return values_[static_cast<std::size_t>(method)]; }
  const T& operator[](Method method) const { return values_[static_cast<std::size_t>(method)]; }

 private:
  std::array<T, validated_methods.size()> values_{};
};

/// By how much a shot is turned to see what else might have happened, radians: the drag ends 0.01 world units beside. The default of AimNoise.
inline constexpr double aim_error = 0.01;

/// Impacted objects against the objects that visibly moved, or died, in the normal world. One pair for each trajectory of a target and
/// each living object that is not static. The published method predicts the same for all trajectories of a target.
struct ImpactedCounts {
  BinaryCounts all;
  BinaryCounts others;        ///< without the target itself, which is always predicted
  BinaryCounts others_lower;  ///< of those, on lower parabolas
  BinaryCounts others_upper;  ///< on upper ones
  std::map<std::string, std::size_t>
      missed;  ///< moved, not predicted: by what set the object moving, as far as contacts tell
  std::map<std::string, std::size_t> wrong;  ///< predicted, did not move: by the rule that predicted it
  ImpactedCounts& operator+=(const ImpactedCounts& other);
};

/// Of the pairs above in which the object was predicted to move with a case: what it was seen to do.
struct CaseCounts {
  std::size_t predicted = 0;
  std::size_t borne_out = 0;  ///< the motion has the case, by observed_cases()
  std::size_t moved = 0, destroyed = 0, turned = 0, shifted = 0, dropped = 0;
  CaseCounts& operator+=(const CaseCounts& other);
};

/// Of the pairs predicted and seen to move: what the cases say of the motion against what was measured. Cases say destroyed: 1; turned:
/// 2 5 8 9; shifted: 2 3 6 7 8 9; dropped: 4 5 7 9. Of destroyed objects nothing but that counts.
struct MotionCounts {
  BinaryCounts destroyed, turned, shifted, dropped;
  MotionCounts& operator+=(const MotionCounts& other);
};

/// Vertical impact alone: one object is taken away and the rest simulated, nothing being breakable. An object fell when its centre of mass came to
/// lie more than 0.05 lower or it turned by more than 0.2 rad. Predicted by vertical_impact(), by the extended method unbraced_falls().
struct VerticalCounts {
  std::size_t taken_away = 0;
  BinaryCounts all;
  BinaryCounts
      unprompted;  ///< without those that fell, unpredicted, only after something that was moving had begun to touch them
  /// Of those predicted and seen to fall: [predicted][seen], down, left, right. Seen: left or right when the centre of mass came more
  /// than 0.1 to that side, else down.
  std::array<std::array<std::size_t, 3>, 3> directions{};
  VerticalCounts& operator+=(const VerticalCounts& other);
};

/// Targets against a sweep of launch angles in simulation: objects that the bird touches first.
struct TargetCounts {
  BinaryCounts objects;
  std::size_t trajectories = 0,
              hit = 0;  ///< trajectories found, and those whose shot touches its target first
  TargetCounts& operator+=(const TargetCounts& other);
};

/// Novel objects of shots in which they had (by observed_cases() of the normal world) a case: how many, and in how many the novelty showed.
struct ShownCounts {
  std::size_t count = 0, shown = 0;
};

/// One shot in which the prediction and the simulation differ, to be drawn.
struct Disagreement {
  Trajectory trajectory;
  std::size_t target = 0;
  std::vector<std::size_t> predicted;  ///< to move
  std::vector<std::size_t> missed;     ///< moved, though not predicted
  std::size_t wrong = 0;               ///< predicted, did not move
};

/// What one method says that hits move.
struct HitValidation {
  ImpactedCounts impacted;
  std::array<CaseCounts, 10> cases{};  ///< entries 1 to 9
  MotionCounts motion;
  std::optional<Disagreement>
      worst;  ///< the first shot with the most objects missed and wrong; empty when all agree
};

/// What one method says of a novelty. All counts are of the first interaction.
struct DetectionValidation {
  Difficulty difficulty;
  BinaryCounts pairs;    ///< trajectory x novel object: detectable against shown
  BinaryCounts targets;  ///< target: some novel object detectable against shown on some trajectory
  std::map<std::string, std::size_t> missed, wrong;  ///< pairs, by what went wrong
};

/// One novelty in one level.
struct NoveltyValidation {
  GroundedDifficulty grounded;  ///< of shots that are not turned; what pairs and targets are counted in
  NoisyDifficulty noisy;        ///< what values are judged by
  ByMethod<DetectionValidation> reasoning;
  std::array<ShownCounts, 10> by_case{};  ///< entry 0: novel objects without any case (not moved)
};

struct LevelValidation {
  std::size_t objects = 0;  ///< that are not static
  TargetCounts targets;
  ByMethod<VerticalCounts> vertical;
  ByMethod<HitValidation> hits;
  /// The simulation against itself, for what can be expected of any prediction: what else than the target moves when the shot of a
  /// target's first trajectory is turned by `aim_error`, against what moves when it is not.
  BinaryCounts again;
  std::vector<NoveltyValidation> novelties;  ///< in the order asked for
};

/// `normal`: at rest, no object novel, at least one bird left; else Error.
LevelValidation validate_level(const Scene& normal, const std::vector<const Novelty*>& novelties,
                               const AimNoise& noise = {}, const GroundedOptions& options = {});

ByMethod<VerticalCounts> validate_vertical_impact(const Scene& normal);

/// Objects that the next bird can touch first, by simulation: launch angles every half degree, halved down to 1/32 degree between
/// neighbours that touch different objects. To the right; to the left where something stands there. By index.
std::vector<std::size_t> sweep_targets(const Scene& normal);

}  // namespace startle
