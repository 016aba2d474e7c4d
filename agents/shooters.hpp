#pragma once
/// \file  How the built-in agents choose their shots. Each knows what NormalWorld says, and nothing of the
/// novelty.
#include <memory>
#include <string>
#include <vector>

#include "agents/normal_world.hpp"
#include "core/random.hpp"

namespace startle {

class Shooter {
 public:
  virtual ~Shooter() = default;
  virtual Shot shoot(const Observation& seen, const NormalWorld& world, Random& random) = 0;
  /// After each shot, with the likelihood of a novelty that was reported.
  virtual void saw(const SeenShot&, double) {}
  /// It looks ahead by simulation, so that the life that objects have left matters to it.
  virtual bool simulates() const { return false; }
};

struct ShooterInfo {
  std::string name, description;
  std::unique_ptr<Shooter> (*make)();
};

/// All there are, by the names that users give.
const std::vector<ShooterInfo>& shooters();

}  // namespace startle
