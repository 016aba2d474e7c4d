#pragma once
/// \file  Whole runs of the simulated world: a shot to its end, shots one after another, and letting a level
/// come to rest.
#include <cstddef>
#include <vector>

#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"
#include "sim/world_options.hpp"

namespace startle {

struct [[nodiscard]] ShotResult {
  Trace trace;
  Scene scene;  ///< after the shot: survivors where they came to rest, bird used up, score added
};

/// Runs one shot to its end.
ShotResult run_shot(const Scene& scene, const Shot& shot, const WorldOptions& options = {});

struct [[nodiscard]] PlayResult {
  std::vector<Trace> traces;  ///< one a shot that was run
  Scene scene;
  bool cleared = false;  ///< all pigs dead; unused birds are then scored
};
/// Runs shots in order until they, the birds or the pigs are used up.
/// As run_shot() from each scene to the next, bit for bit; only the unused birds' score is added.
PlayResult play(const Scene& scene, const std::vector<Shot>& shots, const WorldOptions& options = {});

inline constexpr double far_moved = 1;  ///< world units
inline constexpr double collapsed_share = 0.1;

struct [[nodiscard]] SettleResult {
  Scene scene;
  double shift = 0;                        ///< furthest any object moved, world units
  double turn = 0;                         ///< largest rotation of any object, radians
  double seconds = 0;                      ///< simulated
  bool settled = false;                    ///< false: still moving after the time limit
  std::size_t movable = 0, moved_far = 0;  ///< objects that can move, and those of them that moved over
                                           ///< far_moved or left the world
  /// Whether the level that is played is no longer the one that was placed: more than collapsed_share of the
  /// movable objects moved far.
  bool collapsed() const {
    return static_cast<double>(moved_far) > collapsed_share * static_cast<double>(movable);
  }
};

/// Most work that settling may take: the number of contacts in each step, summed over the steps. The heaviest
/// of 45 public levels needs 187349.
inline constexpr long most_settling = 4000000;

/// Lets a level come to rest, without damage, as the original does in its first seconds. Throws Error when
/// this takes more than most_work, a few seconds of computing: then hundreds of objects overlap, and every
/// shot would take as long. Work is counted, not time, so a level is refused on every machine or on none.
SettleResult settle_scene(const Scene& scene, double time_limit = 10, long most_work = most_settling);
/// The settled scene alone.
inline Scene settle(const Scene& scene, double time_limit = 10) {
  return settle_scene(scene, time_limit).scene;
}

}  // namespace startle
