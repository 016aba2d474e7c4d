#pragma once
/// \file  Validation of detectability: what each method says that a novelty shows, against what twins showed.
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
/// in how many the novelty showed.
struct VisibleCounts {
  std::size_t count = 0, visible = 0;
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
  SimulatedDifficulty simulated;  ///< of shots that are not turned; what pairs and targets are counted in
  NoisyDifficulty noisy;          ///< what values are compared with
  ByMethod<DetectionValidation> reasoning;
  std::array<VisibleCounts, 10> by_case{};  ///< entry 0: novel objects without any case (not moved)
};

/// All but `noisy`. `normal`: the first state of `states`.
NoveltyValidation validate_novelty(FlownStates& states, ReasonedScene& normal, const Novelty& novelty,
                                   const SimulatedOptions& options);

}  // namespace startle
