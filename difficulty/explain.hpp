#pragma once
/// \file  How a difficulty came about, for people and for programs.
#include <string>
#include <vector>

#include "difficulty/difficulty.hpp"
#include "difficulty/ordered_scene.hpp"

namespace startle {

/// Why a novelty is easy or hard to detect in a level, as it is played: its tier and p_level; what is novel,
/// and where; how many targets make it visible; how likely the player's shots, random ones and the surest one
/// are detected; how many shots a play has. A line each. `normal` at rest, no object novel, with birds and
/// pigs. Throws Error for a novelty that extended reasoning does not cover().
std::vector<std::string> level_reasons(const OrderedScene& normal, const Novelty& novelty);

/// Every interaction with its probability and its targets, their trajectories (launch angle in degrees,
/// seconds to contact), what each hit moves and why, N, n and M, the best targets, all that tie; then the
/// terms of PID and BID and the value. Objects are named by their index in the level. `scene` and `novelty`
/// must be those that `difficulty` was computed from.
std::string explain_text(const Scene& scene, const Novelty& novelty, const Difficulty& difficulty);

/// A part of explain_text(): its lines, under a title that is the first of them where the part is an
/// interaction.
struct ExplanationPart {
  std::string title;  ///< "Novelty T1", "Interaction 1 of 3, BirdRed", "Sums"
  std::string text;   ///< whole lines
};
/// What explain_text() says, in order: what is asked, each interaction, the sums.
std::vector<ExplanationPart> explain_parts(const Scene& scene, const Novelty& novelty,
                                           const Difficulty& difficulty);

/// What explain_text() prints of one target: trajectories, what a hit moves and what it makes visible.
/// `best`: it is the best target, or one of `ties`.
std::string explain_target(const Scene& scene, const TargetOutcome& outcome, bool best, std::size_t ties);

/// The same as one JSON object, indented by two: novelty, birds, alpha, state_update, novel_objects,
/// search_space, interactions (number, probability and that with PID not ended, the one before, bird, N, n,
/// M, best_targets, best_shots with their probabilities, targets), pid, bid and where they end, detected_at
/// (mean; null: never), value, value_error. Angles in degrees, times in seconds, lengths in world units.
std::string explain_json(const Scene& scene, const Novelty& novelty, const Difficulty& difficulty);

}  // namespace startle
