#pragma once
/// \file  The normal world as a built-in agent imagines it.
///
/// It knows the profile's parameters of every appearance and the engine's mechanics, exactly. It does not see
/// life: objects start with that of their appearance, and what its own simulations of the shots so far took
/// off them is remembered. As long as the world is normal, what it imagines is what happens, bit for bit.
#include <map>
#include <memory>
#include <vector>

#include "agents/agent.hpp"
#include "sim/profile.hpp"
#include "sim/scene.hpp"

namespace startle {

class NormalWorld {
 public:
  explicit NormalWorld(std::shared_ptr<const Profile> profile) : profile_(std::move(profile)) {}

  /// The level with normal parameters, at rest. Objects keep the order of the observation.
  Scene imagine(const Observation& seen) const;

  /// The frames that the shot would have had, with the ids of `seen`, and remembers the life it would have
  /// left.
  std::vector<SeenFrame> follow(const SeenShot& seen);

 private:
  std::shared_ptr<const Profile> profile_;
  int level_ = 0;
  std::map<int, double> life_;  ///< by id, of objects hurt so far in this level
};

}  // namespace startle
