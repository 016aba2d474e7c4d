#pragma once
/// \file  Validation of detectability: what each method predicts to become visible of a novelty, against twin
/// simulation.
#include <array>
#include <cstddef>
#include <map>
#include <string>

#include "difficulty/difficulty.hpp"
#include "sim/novelty.hpp"
#include "simulated/reasoned_scene.hpp"
#include "simulated/simulated_difficulty.hpp"
#include "statistics/binary_counts.hpp"

namespace startle {

/// Novel objects of shots in which they had (by observed_cases() of the normal world) a case: how many, and
/// in how many the novelty became visible.
struct VisibleCounts {
  std::size_t count = 0, visible = 0;
};

/// What one method predicts of a novelty. All counts are of the first interaction.
struct DetectionValidation {
  Difficulty difficulty;
  BinaryCounts pairs;    ///< trajectory x novel object: detectable against visible
  BinaryCounts targets;  ///< target: some novel object detectable against visible on some trajectory
  std::map<std::string, std::size_t> missed, wrong;  ///< pairs, by what went wrong
};

/// Stands among the nine cases of movement for an object that has none of them, as it did not move.
inline constexpr std::size_t no_case = 0;

/// One novelty in one level.
struct NoveltyValidation {
  SimulatedDifficulty simulated;  ///< of shots without perturbation; what pairs and targets are counted in
  NoisyDifficulty noisy;          ///< what values are compared with
  ByMethod<DetectionValidation> reasoning;
  std::array<VisibleCounts, 10> by_case{};  ///< by movement::Case, and of no_case
};

/// All but `noisy`. `normal`: the first state of `states`.
NoveltyValidation validate_novelty(FlownStates& states, ReasonedScene& normal, const Novelty& novelty,
                                   const SimulatedOptions& options);

}  // namespace startle
