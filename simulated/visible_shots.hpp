#pragma once
/// \file  How often one shot at a level makes a novelty visible, and how often the reference observer detects
/// it, when nobody knows the launch exactly.
///
/// PID and BID count in targets and birds, relative to a level. These are chances of one shot, the same scale
/// for all levels and novelties.
///
/// \code
///   #include "sim/world.hpp"
///   // given: const Level& level
///   Scene scene = settle(make_scene(level, profile()));
///   VisibleShots visible = visible_shots(scene, find_novelty("T2"), level.provenance->solution);
///   std::cout << *visible.best.value();  // chance that a best shot makes the novelty visible
///   // that the observer detects it
///   std::cout << *detected_shots(scene, find_novelty("T2")).novel.value();
/// \endcode
#include <cstddef>
#include <vector>

#include "sim/novelty.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "simulated/observer.hpp"
#include "simulated/simulated_difficulty.hpp"
#include "statistics/intervals.hpp"

namespace startle {

/// Shots that make something visibly different (twin.hpp) between the normal and the novel world, the same
/// launch in both; of so many. Any body counts, the birds too: this is what an observer could see. PID and
/// BID, by reasoning and simulated, count novel objects alone, as Pinto et al. do.
struct VisibleShots {
  Rate best;      ///< at best targets by extended reasoning; ties get equal shares
  Rate random;    ///< at targets drawn at random, by a trajectory drawn at random
  Rate solution;  ///< of the solution, each from the normal world's state after those before; perturbations
                  ///< of it one after the other
  /// The same shots, but the normal world against itself, launched with two perturbations; without the birds,
  /// which the perturbations alone part. None unless asked for.
  Rate best_without, random_without, solution_without;
};

/// `noise.launches` shots of each kind, shot i of each perturbed by the same number; none of a kind that the
/// level has none of (no target, no solution). All are first shots but the solution's. `normal` at rest, no
/// object novel; the order of its objects changes nothing. Throws Error for noise out of range, and as
/// compute_difficulty() does.
VisibleShots visible_shots(const OrderedScene& normal, const Novelty& novelty,
                           const std::vector<Shot>& solution, const AimNoise& noise = {},
                           bool without_novelty = false);

/// Shots that the observer detects: of p-value detection_p at most.
struct DetectedShots {
  Rate novel;   ///< in the novel world
  Rate normal;  ///< the same launches in the normal one: false alarms
};

/// Best shots as in visible_shots(), each tested in both worlds. Throws Error as it does, and for options out
/// of range; `observer.aim_noise` is what the observer believes, and `noise.sd` what is true: keep them
/// equal.
DetectedShots detected_shots(const OrderedScene& normal, const Novelty& novelty, const AimNoise& noise = {},
                             const ObserverOptions& observer = {});

}  // namespace startle
