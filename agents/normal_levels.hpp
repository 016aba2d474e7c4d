#pragma once
/// \file  How normal levels score that an agent plays: what the detector `dynamics` is calibrated by.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/profile.hpp"
#include "surprise/dynamics/dynamics_model.hpp"

namespace startle {

struct NormalLevels {
  std::size_t count = 1000;  ///< levels of each family
  std::uint64_t seed = 2;    ///< of levels and shots
  int threads = 0;
};

/// The largest sequential evidence (statistics/sequential_evidence.hpp) of each level that best-target plays
/// in the normal world, by family, rising. Levels are those of generate_level(). `progress` is called after
/// each, from one thread at a time; where `keep_going` answers false, what is left of them is missing.
/// Throws Error where agents are not shown frames as often as the model needs them, and for a count of 0.
std::map<std::string, std::vector<double>> play_normal_levels(const DynamicsModel& model,
                                                              const NormalLevels& levels,
                                                              std::shared_ptr<const Profile> profile,
                                                              const std::function<void()>& progress = {},
                                                              const std::function<bool()>& keep_going = {});

}  // namespace startle
