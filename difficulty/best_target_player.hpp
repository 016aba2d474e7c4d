#pragma once
/// \file  The shooting of best-target [Pinto §4.3] by a player who knows of no novelty: which targets of a
/// state score highest, and what earlier shots at the level have moved.
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "reasoning/qualitative/movement.hpp"
#include "reasoning/qualitative/support.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "sim/scene.hpp"

namespace startle {

/// The targets of a state, and what a hit on each moves.
struct TargetImpacts {
  std::vector<Target> targets;
  std::vector<std::vector<ImpactedObject>> impacted;  ///< one a target, by the published reasoning
};
TargetImpacts target_impacts(const Scene& scene, const SupportGraph& graph);

/// Groups are materials. Those that its own shots have moved count no more at this level, until no target
/// would move any other; then all count again.
class BestTargetPlayer {
 public:
  /// Positions in `impacts.targets` of the highest score, all that tie; empty without targets.
  std::vector<std::size_t> best(const Scene& scene, const TargetImpacts& impacts);
  /// What the shot at that target moves is known from now on.
  void shoot_at(const Scene& scene, const TargetImpacts& impacts, std::size_t target);
  /// Another level begins.
  void forget() { moved_.clear(); }

 private:
  std::set<std::string> moved_;  ///< names of groups
};

}  // namespace startle
