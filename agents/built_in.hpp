#pragma once
/// \file  The agents that come with Startle: a shooter and a detector, or the oracle.
#include <memory>
#include <optional>
#include <string>

#include "agents/agent.hpp"
#include "agents/detectors.hpp"
#include "agents/game.hpp"
#include "sim/novelty.hpp"
#include "sim/profile.hpp"

namespace startle {

/// "SHOOTER+DETECTOR", "SHOOTER" (with never), "DETECTOR" (with best-target) or "oracle".
bool is_built_in(const std::string& name);

/// The agent of that name, or null. Not for the oracle: see make_oracle().
std::unique_ptr<Agent> make_built_in(const std::string& name, std::shared_ptr<const Profile> profile);

/// A shooter of that name with a detector from elsewhere; null for an unknown shooter. As in agents of that
/// shooter, so that it shoots alike.
std::unique_ptr<Agent> make_agent(const std::string& shooter, std::unique_ptr<Detector> detector,
                                  std::shared_ptr<const Profile> profile);

inline constexpr const char* oracle_name = "oracle";

/// The ceiling. It is given the truth, which no agent can know, and therefore runs inside the runner alone:
/// it flies every target's shots in the normal and in the novel world, takes the first that makes the novelty
/// visible (simulated/twin.hpp), and reports 1 once it was visible. Where none does it shoots as
/// best-target.
class Oracle : public Agent {
 public:
  Oracle* oracle() final { return this; }
  /// Before each level; null: a normal one
  virtual void enter(const Game& game, const Scene& normal_start, const Novelty* novelty) = 0;
};
std::unique_ptr<Oracle> make_oracle(std::shared_ptr<const Profile> profile);

}  // namespace startle
