#pragma once
/// \file  Proof that a level is stable and solvable; what is stored is the proved level itself.
#include <memory>

#include "levels/solver.hpp"
#include "sim/level.hpp"
#include "sim/profile.hpp"
#include "sim/scene.hpp"

namespace startle {

struct ProofOptions {
  double settle_seconds = 5;  ///< simulated time in which it must come to rest
  double settle_shift = 0.1;  ///< furthest an object of the candidate may move while settling, world units
  double settle_turn = 0.1;   ///< largest rotation of an object of the candidate while settling, radians
  double resettle_shift =
      0.01;  ///< furthest an object of the stored level may move when it is settled again, world units
  double resettle_turn = 0.01;  ///< likewise, radians
  SolverOptions solver;
};

/// How far a candidate came; `proved` is the last stage.
enum class Verdict {
  invalid,   ///< validate() finds errors, or there is no pig, no block or no bird
  unstable,  ///< fails local or global stability by reasoning
  moves,     ///< moves further than allowed, or does not come to rest
  unsolved,  ///< the solver's shots do not clear it
  proved
};
const char* name(Verdict verdict);

struct Proof {
  Verdict verdict = Verdict::invalid;
  Level
      level;  ///< when proved: positions after settling, provenance.settle_shift and provenance.solution filled in
  int simulations = 0;  ///< shots simulated
};

/// A candidate that stands, or the reason why it does not.
struct StabilityProof {
  Verdict verdict =
      Verdict::invalid;  ///< `proved` when it passes all tests but the solver's, which is not asked
  Level level;           ///< when proved: as Proof::level, but without solution and with all birds
  Scene scene;           ///< when proved: settle(make_scene(level, profile)), where a solution starts
};

/// The part of prove() that needs no shot: valid, stable by reasoning, stays put in simulation.
StabilityProof prove_stability(const Level& candidate, std::shared_ptr<const Profile> profile,
                               const ProofOptions& options = {});

/// Tests a level, cheapest test first. The proved level differs from the candidate: its objects stand where they came to
/// rest (rounded to 1e-6 units and degrees, so that files are short and exact in every format), and it has as many
/// birds as the solution uses and, where the candidate has them, `spare_birds` more.
///
/// The solution starts from settle(make_scene(level, profile)), as play does.
Proof prove(const Level& candidate, std::shared_ptr<const Profile> profile, int spare_birds = 1,
            const ProofOptions& options = {});

}  // namespace startle
