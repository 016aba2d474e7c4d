#pragma once
/// \file  Measured detection of a level as it is played: how likely a reference player detects the novelty in
/// one play.
///
/// A play goes until the birds are used or no pig is left. The player shoots at a target, with aim noise; the
/// reference observer (observer.hpp) tests each shot, from the scene as it stands, and adds its evidence up
/// as the agent detector `observer` does (statistics/false_alarms.hpp): a play of the normal world raises an
/// alarm with a chance of at most false_alarm_rate. The novelty is detected where an alarm is raised. p_level
/// is the chance of that; its difficulty is 1 - p_level.
///
/// \code
///   #include "sim/world.hpp"
///   // given: const Level& level
///   const LevelPlays plays = play_level(settle(make_scene(level, profile())), level.name,
///                                       {find_novelty("T2")});
///   std::cout << mean_detected(plays.novel[0]) << "\n";   // p_level
/// \endcode
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "difficulty/ordered_scene.hpp"
#include "sim/novelty.hpp"
#include "simulated/observer.hpp"

namespace startle {

/// best_target: at a target of the highest impact score (difficulty/best_target_player.hpp); random_target:
/// at any target. Targets that tie are equally likely, and so are the trajectories of each. Neither knows of
/// the novelty. Without a target: any angle from 0 to 80 degrees.
enum class ReferencePlayer { best_target, random_target };
const char* name(ReferencePlayer player);
std::optional<ReferencePlayer> player_from_name(const std::string& name);

struct PlayOptions {
  ReferencePlayer player = ReferencePlayer::best_target;
  int plays = 16;                      ///< of each novelty, 1 to 1000
  std::optional<int> null_plays = {};  ///< of the normal world, 0 to `plays`; empty: as many
  /// Its aim noise is also the player's, and its seed determines all that is drawn. With this many
  /// simulations a single shot unlike all of them raises the alarm in a play of up to five birds.
  ObserverOptions observer{.simulations = 199};
};
/// Throws Error for options out of range.
void require_valid(const PlayOptions& options);
/// Whether play number `index` is played in the normal world, too.
bool is_null_play(const PlayOptions& options, std::size_t index);

/// A shot of a play.
struct TestedShot {
  Shot announced;                ///< as it was aimed, at the state that stood
  std::optional<ShotRank> rank;  ///< empty: the alarm was certain before, so that nothing was tested
};

struct [[nodiscard]] LevelPlay {
  std::vector<TestedShot> shots;
  bool cleared = false;  ///< no pig was left at the end
  /// Chance of an alarm, [0, 1]: the mean over p-values that are uniform within the steps that their ranks
  /// stand for.
  double detected = 0;
};

/// All plays of a level.
struct [[nodiscard]] LevelPlays {
  std::vector<LevelPlay> normal;              ///< without a novelty, the null plays: false alarms
  std::vector<std::vector<LevelPlay>> novel;  ///< one a novelty
};

/// Play number `index` of the level in the normal world, [0], and with each novelty. The first has no shots
/// if `index` is not a null play. As long as worlds do not differ they share shots and the simulations that
/// these are compared with. `level` must be at rest, with a pig and without novel objects; `level_name` seeds
/// the random draws of its plays. The order of its objects changes nothing.
std::vector<LevelPlay> play_once(const OrderedScene& level, const std::string& level_name,
                                 const std::vector<Novelty>& novelties, const PlayOptions& options,
                                 std::size_t index);

/// All of them, one after the other. Whoever shares play_once() among threads has the same.
LevelPlays play_level(const OrderedScene& level, const std::string& level_name,
                      const std::vector<Novelty>& novelties, const PlayOptions& options = {});

double mean_detected(const std::vector<LevelPlay>& plays);
double mean_shots(const std::vector<LevelPlay>& plays);
double share_cleared(const std::vector<LevelPlay>& plays);

/// How reliably this number of plays measures p_level: Spearman's rho over levels between the means of every
/// other play and those of the rest, extrapolated to all plays by the Spearman-Brown formula 2 rho/(1 + rho)
/// if it is above 0. Empty for fewer than three levels, for a single play, and when all levels are alike.
std::optional<double> reliability(const std::vector<std::vector<LevelPlay>>& levels);

/// The chance that the added-up evidence of shots with these ranks raises an alarm in a play of at most
/// `birds` shots: the mean of 256 draws with a fixed seed, or exactly 0 or 1 where all must agree.
double alarm_chance(const std::vector<ShotRank>& ranks, std::size_t birds);

}  // namespace startle
