#pragma once
/// \file  Reasoning against simulation: what every level contributes to the tables of docs/results.md.
///
/// Everything is counted in the settled initial state, which holds no trace of earlier predictions, except
/// for the difficulty values, which are those of the whole rollout. Counts of levels are added up with +=;
/// rates are taken of the sums.
#include <cstddef>
#include <vector>

#include "sim/novelty.hpp"
#include "sim/scene.hpp"
#include "simulated/simulated_difficulty.hpp"
#include "simulated/validate_detection.hpp"
#include "simulated/validate_hits.hpp"
#include "simulated/validate_targets.hpp"
#include "simulated/validate_vertical_impact.hpp"

namespace startle {

struct LevelValidation : HitsValidation {
  std::size_t objects = 0;  ///< that are not static
  TargetCounts targets;
  ByMethod<VerticalCounts> vertical;
  std::vector<NoveltyValidation> novelties;  ///< in the order asked for
};

/// `normal`: at rest, no object novel, at least one bird left; else Error.
LevelValidation validate_level(const OrderedScene& normal, const std::vector<const Novelty*>& novelties,
                               const AimNoise& noise = {}, const SimulatedOptions& options = {});

}  // namespace startle
