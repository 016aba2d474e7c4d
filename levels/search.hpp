#pragma once
/// \file  Search for levels in which a novelty is as hard to detect as asked for.
///
/// \code
///   SearchGoal goal{.novelty = &find_novelty("T3"), .tier = Tier::hard};
///   goal.thresholds = reference_thresholds(goal, 1, profile());
///   SearchResult found = search_levels(goal, {.count = 50, .seed = 1}, profile());
/// \endcode
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "difficulty/difficulty.hpp"
#include "difficulty/grounded.hpp"
#include "difficulty/tiers.hpp"
#include "levels/diversity.hpp"
#include "levels/generators.hpp"
#include "sim/level.hpp"
#include "sim/novelty.hpp"

namespace startle {

/// Levels wanted: those of a tier, or those whose value lies in [least, most].
///
/// A level whose PID is 1 shows the novelty at no shot (its BID is then 1 too): "impossible", and not merely hard. It lies in no
/// tier; a range holds it when `most` is 1.
struct SearchGoal {
  const Novelty* novelty = nullptr;
  Method method = Method::published;
  bool grounded =
      false;  ///< PID and BID by simulation, grounded_difficulty(), and by no method: some hundred times as slow
  double alpha = 0.5;  ///< weight of PID in the value: 1 searches by PID, 0 by BID
  /// 1 - share of best shots that the reference observer notices (noticed_shots()), in [least, most]: on one scale for all novelties. Without PID, BID, alpha and tier.
  bool observer = false;
  /// A level of a tier counts only where turned shots confirm it (confirmed()), and reasoning says that they will. Not with grounded.
  bool confirmed = false;
  std::optional<Tier> tier = {};  ///< then with thresholds, of values with the same alpha
  std::optional<TierThresholds> thresholds = {};
  double least = 0, most = 1;  ///< without tier
};

/// What the value comes from, as levels store it: "published", "extended", "grounded" or "observer".
std::string method_name(const SearchGoal& goal);

/// "T3-hard", "T3-0.55-0.65", "T3-pid-hard" (alpha 1), "T3-bid-0-0.2" (alpha 0), "T3-grounded-hard": names the levels and the
/// random stream.
std::string goal_name(const SearchGoal& goal);

/// Whether a level of that difficulty is what the goal asks for.
bool fits(const SearchGoal& goal, double pid, double bid);

/// Turns of the shots that confirm a level, and of those that the observer judges: 16 shots of each kind, 0.01 rad. Not those of `startle validate`.
inline constexpr AimNoise search_noise{.sd = 0.01, .repeats = 16, .seed = 2};
/// Which share of turned shots, at best and at random targets together, shows the novelty in a confirmed level: least and most. One scale for all novelties, while tiers are of each
/// for itself: of a novelty that nearly always shows, medium levels show it often, too. Ranges of medium and of the others overlap therefore.
std::pair<double, double> shown_range(Tier tier);
/// Whether what turned shots show is that of the tier. Some shot must show the novelty, one of the proof if no other.
bool confirmed(Tier tier, const StoredShots& shown);

/// How many values reference_thresholds() uses.
inline constexpr std::size_t reference_levels = 100;

/// Tier thresholds for the goal's novelty, method and alpha from a fixed reference sample: the values of the first 100 proved levels in
/// which the novelty can be detected (PID below 1), the families by turns, level i of the run with that seed being
/// generate_level(families[i mod 7], seed, i div 7). Throws Error when 3000 levels do not hold 100 such, or the novelty has no effect;
/// empty when `keep_going` ended it. `progress` is called with the number of reference levels found, one call at a time.
std::optional<TierThresholds> reference_thresholds(const SearchGoal& goal, std::uint64_t seed,
                                                   std::shared_ptr<const Profile> profile, int threads = 0,
                                                   const std::function<void(std::size_t)>& progress = {},
                                                   const std::function<bool()>& keep_going = {});

/// Numbers of birds that a level found by search has: drawn before anything is looked at, and never changed for the difficulty's sake, as PID and BID
/// divide by it.
inline constexpr int least_birds = 3, most_birds = 5;
/// Numbers of objects from which on a level belongs to the second third, and to the last one. Generators make all three about equally often.
inline constexpr std::size_t object_thirds[] = {24, 30};
/// The third, from 0, that a level of so many objects belongs to.
std::size_t object_third(std::size_t objects);
/// Share of the middle tier's width that levels made for a tier stay away from its ends, on both sides of them.
inline constexpr double tier_gap = 0.15;

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
  int candidates = 0;       ///< looked at
  int mutations = 0;        ///< changes tried on them
  int unfit = 0;            ///< difficulty not as wanted
  int unstable = 0;         ///< invalid, unstable or moving
  int unsolved = 0;         ///< not cleared by the solver
  int near_duplicates = 0;  ///< too near to a level found before: refused
  int unconfirmed = 0;      ///< of the tier by reasoning, but not by what turned shots show
  int surplus =
      0;  ///< of a number of birds, or a third of objects, of which there were more than of others: refused
};

struct SearchResult {
  std::vector<Level>
      levels;  ///< in the order of their candidates; fewer than wanted when the budget or keep_going ended it
  SearchCounts counts;  ///< of the candidates up to that of the last level
  Diversity diversity;  ///< of the levels
};

/// Draws candidates of the families by turns, each with a number of birds drawn from least_birds to most_birds and a third of objects (object_thirds), and proves
/// them. Of the levels that fit, all numbers of birds are kept equally often, to within one, and, of all families together, all thirds, to within two: sets of
/// different tiers differ in difficulty, not in birds or objects. Levels of a tier keep a gap to the other tiers (tier_gap).
///
/// Reasoning costs a small part of a proof. By the published and the extended method a candidate is changed a little at random as long as that
/// brings it nearer to what is wanted (at most 30 changes: materials, pigs, birds), and proved only when it fits. What counts is the
/// difficulty of the level as it is stored: settling can undo a fit. What simulation measures (grounded, observer, confirmed) is measured last.
///
/// Each level found is stored with provenance (family; seed; index: number of the candidate, from 0) and difficulty, and named
/// after goal, seed and index. Candidate number i depends on goal, seed and family alone, and levels are taken in order of their
/// candidates: a search for fewer levels finds the first of those of a search for more.
/// `progress` is called after each candidate with the levels found so far, one call at a time. Once `keep_going` answers
/// false no further candidate is begun. Throws Error for a negative count, a goal without novelty, alpha or range outside [0, 1],
/// a range that is empty, a tier that is (easy below 0, hard above 1), without thresholds or with those of another alpha, a
/// novelty without effect, and an unknown family.
SearchResult search_levels(const SearchGoal& goal, const SearchOptions& options,
                           std::shared_ptr<const Profile> profile,
                           const std::function<void(std::size_t levels, int candidates)>& progress = {},
                           const std::function<bool()>& keep_going = {});

/// What is wrong with a difficulty stored in a level, of the novelty that it names, computed anew in its scene, at rest in the normal world; empty when it is
/// confirmed. `proof`: the solution stored beside it. Throws Error when it names a method that does not exist.
std::string check_difficulty(const StoredDifficulty& stored, const Novelty& novelty, const Scene& scene,
                             const std::vector<Shot>& proof);

}  // namespace startle
