#pragma once
/// \file  How a difficulty came about, for people and for programs.
#include <string>

#include "difficulty/difficulty.hpp"

namespace startle {

/// Every interaction with its targets, their trajectories (launch angle in degrees, seconds to contact), what each hit moves
/// and why, N, n and M; then the sums of PID and BID and the value. Objects are named by their index in the level. `scene` and
/// `novelty` must be those that `difficulty` was computed from.
std::string explain_text(const Scene& scene, const Novelty& novelty, const Difficulty& difficulty);

/// The same as one JSON object, indented by two: novelty, birds, alpha, state_update, novel_objects, search_space,
/// interactions (bird, N, n, M, best_target, found_normal, targets), pid, pid_interactions, bid, detected_at (null: never),
/// value. Angles in degrees, times in seconds, lengths in world units.
std::string explain_json(const Scene& scene, const Novelty& novelty, const Difficulty& difficulty);

}  // namespace startle
