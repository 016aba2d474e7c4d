#pragma once
/// \file  Finds shots that clear a level, by simulation of the few that reasoning finds promising.
#include <functional>
#include <vector>

#include "sim/scene.hpp"
#include "sim/shot.hpp"

namespace startle {

struct SolverOptions {
  int shots_per_bird = 6;  ///< simulated for one bird at most, > 0
  int simulations = 24;    ///< in total at most, > 0
};

struct Solution {
  bool solved = false;      ///< false: not found, which does not mean that there is none
  std::vector<Shot> shots;  ///< one a bird; run in order from the scene they clear it (or got furthest)
  int simulations = 0;      ///< shots simulated
  Scene scene;              ///< after the shots
};

/// Shots worth a try with the next bird, best first, no two alike: at pigs, at what reasoning expects to move
/// a pig, then a fan of angles. Birds with a power come with times for the tap. At most `limit`; none when no
/// bird is left.
std::vector<Shot> candidate_shots(const Scene& scene, std::size_t limit);

/// Greedy search, bird by bird: the first shot that kills a pig is taken, else the one that hurts pigs most,
/// then the one that destroys most. Shoots to the right only. Deterministic. `keep_going` is asked before
/// each simulation: once it says no, the search ends with what it has. Throws Error for options that are not
/// positive.
Solution solve(const Scene& scene, const SolverOptions& options = {},
               const std::function<bool()>& keep_going = {});

}  // namespace startle
