#pragma once
/// \file  One shot in the normal and in the novel world, step by step, and where and when the two are visibly
/// apart. No window here.
#include <cstddef>
#include <vector>

#include "sim/novelty.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"
#include "simulated/twin.hpp"

namespace startle {

struct TwinFlight {
  Scene normal, novel;  ///< before the shot: `novel` is the novel_twin() of `normal`
  Shot shot;
  Trace normal_trace, novel_trace;  ///< every step, and events
  /// By object index: first of the steps on end (VisibleDifference::hold_steps, or up to the end) in which
  /// its poses are visibly apart, or it exists in one world alone; -1: never. As by
  /// visibly_different_objects(), which compares novel objects only.
  std::vector<int> apart_since;

  int steps() const {
    return normal_trace.steps > novel_trace.steps ? normal_trace.steps : novel_trace.steps;
  }
  /// Smallest of apart_since; -1: never.
  int first_apart() const;
  /// Objects visibly apart after that step, by index.
  std::vector<std::size_t> apart_at(int step, const VisibleDifference& least = {}) const;
};

/// `normal`: no object novel, a bird left. Throws Error for a shot out of range.
TwinFlight fly_twins(const Scene& normal, const Novelty& novelty, const Shot& shot,
                     const VisibleDifference& least = {});

/// A novelty to begin with where none was chosen: the first of the catalogue that changes an object of the
/// scene; null: none does.
const Novelty* first_with_effect(const Scene& normal);

/// A shot to begin with where none was flown: the first trajectory to a target. By reasoning, that is the
/// best target if a hit on it shows the novelty, else the first target of which a hit does, else the best
/// target. 30 degrees if there is no target.
Shot revealing_shot(const Scene& normal, const Novelty& novelty);

}  // namespace startle
