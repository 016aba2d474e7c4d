#pragma once
/// \file  Validation of targets: the objects that some shot is found for, against those that simulated shots
/// touch first.
#include <cstddef>
#include <vector>

#include "sim/scene.hpp"
#include "simulated/simulated_difficulty.hpp"
#include "statistics/binary_counts.hpp"

namespace startle {

/// Targets against a sweep of launch angles in simulation: objects that the bird touches first.
struct TargetCounts {
  BinaryCounts objects;
  std::size_t trajectories = 0, hit = 0;  ///< trajectories found, and those whose shot touches its target
                                          ///< first
  TargetCounts& operator+=(const TargetCounts& other);
};

TargetCounts validate_targets(const FlownState& state);

/// Objects that the next bird can touch first, by simulation: launch angles every half degree, halved down to
/// 1/32 degree between neighbours that touch different objects. To the right; to the left where something
/// stands there. By index.
std::vector<std::size_t> sweep_targets(const Scene& normal);

}  // namespace startle
