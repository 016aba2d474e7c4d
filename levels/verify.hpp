#pragma once
/// \file  Solution that a level is stable and solvable; what is stored is the verified level itself.
#include <memory>

#include "levels/solver.hpp"
#include "sim/level.hpp"
#include "sim/profile.hpp"
#include "sim/scene.hpp"

namespace startle {

struct VerificationOptions {
  double settle_seconds = 5;     ///< simulated time in which it must come to rest
  double settle_shift = 0.1;     ///< furthest an object of the candidate may move while settling, world units
  double settle_turn = 0.1;      ///< largest rotation of an object of the candidate while settling, radians
  double resettle_shift = 0.01;  ///< furthest an object of the stored level may move when it is settled
                                 ///< again, world units
  double resettle_turn = 0.01;   ///< likewise, radians
  SolverOptions solver;
};

/// How far a candidate came; `verified` is the last stage.
enum class Verdict {
  invalid,   ///< validate() finds errors, or there is no pig, no block or no bird
  unstable,  ///< fails local or global stability by reasoning
  moves,     ///< moves further than allowed, or does not come to rest
  unsolved,  ///< the solver's shots do not clear it
  verified
};
const char* name(Verdict verdict);

struct Verification {
  Verdict verdict = Verdict::invalid;
  Level level;  ///< when verified: positions after settling, provenance.settle_shift and provenance.solution
                ///< filled in
  int simulations = 0;  ///< shots simulated
};

/// A candidate that stands, or the reason why it does not.
struct StabilityVerification {
  Verdict verdict = Verdict::invalid;  ///< `verified` when it passes all tests but the solver's, which is not
                                       ///< asked
  Level level;  ///< when verified: as Solution::level, but without solution and with all birds
  Scene scene;  ///< when verified: settle(make_scene(level, profile)), where a solution starts
};

/// The part of verify() that needs no shot: valid, stable by reasoning, stays put in simulation.
StabilityVerification verify_stability(const Level& candidate, std::shared_ptr<const Profile> profile,
                                       const VerificationOptions& options = {});

/// Tests a level, cheapest test first. The verified level differs from the candidate: its objects stand where
/// they came to rest (rounded to 1e-6 units and degrees, so that files are short and exact in every format),
/// and it has as many birds as the solution uses and, where the candidate has them, `spare_birds` more.
///
/// The solution starts from settle(make_scene(level, profile)), as play does.
Verification verify(const Level& candidate, std::shared_ptr<const Profile> profile, int spare_birds = 1,
                    const VerificationOptions& options = {});

}  // namespace startle
