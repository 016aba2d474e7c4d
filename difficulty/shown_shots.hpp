#pragma once
/// \file  What one shot at a level shows of a novelty, and how often the reference observer notices it, when nobody knows the launch exactly.
///
/// PID and BID count in targets and birds, relative to a level. These are chances of one shot, the same scale for all levels and novelties.
///
/// \code
///   Scene scene = settle(make_scene(level, profile()));
///   ShownShots shown = shown_shots(scene, find_novelty("T2"), level.provenance->solution);
///   std::cout << *shown.best.value();                        // chance that a best shot shows the novelty
///   std::cout << *noticed_shots(scene, find_novelty("T2")).novel.value();  // that the observer notices it
/// \endcode
#include <cstddef>
#include <functional>
#include <vector>

#include "difficulty/grounded.hpp"
#include "difficulty/observer.hpp"
#include "sim/novelty.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "statistics/intervals.hpp"

namespace startle {

/// Shots that make something visibly different (twin.hpp) between the normal and the novel world, the same launch in both; of so many. Any body counts, the
/// birds too: this is what an observer could see. PID and BID, by reasoning and grounded, count novel objects alone, as their source does.
struct ShownShots {
  Rate best;    ///< at best targets by extended reasoning; ties get equal shares
  Rate random;  ///< at targets drawn at random, by a trajectory drawn at random
  Rate
      proof;  ///< of the solution, each from the normal world's state after those before; turns of it one after the other
  /// The same shots, but the normal world against itself, launched with two turns; without the birds, which the turns alone part. None unless asked for.
  Rate best_without, random_without, proof_without;
};

/// `noise.repeats` shots of each kind, shot i of each turned by the same number; none of a kind that the level has none of (no target, no proof).
/// All are first shots but the proof's. `normal` at rest, no object novel; the order of its objects changes nothing. Throws Error for noise out of range, and
/// as compute_difficulty() does.
ShownShots shown_shots(const Scene& normal, const Novelty& novelty, const std::vector<Shot>& proof,
                       const AimNoise& noise = {}, bool without_novelty = false);

/// Shots that the observer notices: of p-value noticed_p at most.
struct NoticedShots {
  Rate novel;   ///< in the novel world
  Rate normal;  ///< the same launches in the normal one: false alarms
};

/// Best shots as in shown_shots(), each judged in both worlds. Throws Error as it does, and for options out of range; `observer.aim_noise` is what the observer
/// believes, and `noise.sd` what is true: keep them equal. `worthwhile` is asked after each launch, with what was noticed so far; where it answers
/// false, the rest is not launched.
NoticedShots noticed_shots(const Scene& normal, const Novelty& novelty, const AimNoise& noise = {},
                           const ObserverOptions& observer = {},
                           const std::function<bool(const Rate&)>& worthwhile = {});

}  // namespace startle
