#pragma once
/// \file  Search for levels in which a novelty is as hard to detect as asked for.
///
/// \code
///   SearchResult found = search_levels(goal_of(find_novelty("T3"), Tier::hard), {.count = 50, .seed = 1},
///                                      profile());
/// \endcode
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "levels/balance.hpp"
#include "levels/diversity.hpp"
#include "levels/generators.hpp"
#include "levels/search_goal.hpp"
#include "levels/stored_level.hpp"
#include "sim/novelty.hpp"

namespace startle {

struct SearchOptions {
  std::string family = {};  ///< empty: all families by turns
  int count = 10;           ///< levels wanted, >= 0
  std::uint64_t seed = 1;
  int threads = 0;     ///< 0: all of the machine; the result is the same for any number
  int candidates = 0;  ///< budget; 0: default_candidates(count)
  double least_distance = least_level_distance;  ///< levels nearer than this to one found before are refused
};

/// 400 candidates for each level wanted, at least 4000.
int default_candidates(int count);

/// What became of the candidates.
struct SearchCounts {
  int candidates = 0;       ///< drawn
  int mutations = 0;        ///< changes tried on them
  int unfit = 0;            ///< difficulty not as wanted
  int unstable = 0;         ///< invalid, unstable or moving
  int unsolved = 0;         ///< not cleared by the solver
  int near_duplicates = 0;  ///< too near to a level found before: refused
  int surplus = 0;  ///< refused, as their number of birds or third of objects had two levels more than the
                    ///< rarest; for birds whatever else they are like
};

struct [[nodiscard]] SearchResult {
  std::vector<StoredLevel> levels;  ///< in the order of their candidates; fewer than wanted when the budget
                                    ///< or keep_going ended it
  SearchCounts counts;              ///< of the candidates up to that of the last level
  Diversity diversity;              ///< of the levels
};

/// Draws candidates of the families by turns, each with a number of birds drawn from least_birds to
/// most_birds and a third of objects (object_thirds), and verifies them. Of the levels that fit, all numbers
/// of birds and, of all families together, all thirds of objects are kept equally often, to within two:
/// sets of different tiers differ in difficulty, not in birds or objects.
///
/// Reasoning costs a small part of a verification. A candidate is changed a little at random as long as that
/// brings it nearer to what is wanted (at most 120 changes, fewer where it stays far: materials, pigs,
/// birds), and verified only when it fits. What counts is the difficulty of the level as it is stored:
/// settling can undo a fit. What simulation measures is measured last.
///
/// Each level found is stored with provenance (family; seed; index: number of the candidate, from 0) and
/// difficulty, and named after goal, seed and index. Candidate number i depends on goal, seed and family
/// alone, and levels are taken in order of their candidates: a search for fewer levels finds the first of
/// those of a search for more. `progress` is called after each candidate with the levels found so far, one
/// call at a time. Once `keep_going` answers false no further candidate is begun. Throws Error for a negative
/// count, a goal without novelty, alpha or range outside [0, 1], a range that is empty, a novelty without
/// effect, and an unknown family.
SearchResult search_levels(const SearchGoal& goal, const SearchOptions& options,
                           std::shared_ptr<const Profile> profile,
                           const std::function<void(std::size_t levels, int candidates)>& progress = {},
                           const std::function<bool()>& keep_going = {});

/// How the difficulty stored in a level differs from the one computed anew for the same novelty; empty when
/// it does not. `scene`: the level at rest in the normal world.
std::string check_difficulty(const StoredDifficulty& stored, const Novelty& novelty, const Scene& scene);

}  // namespace startle
