#pragma once
/// \file  A level being played by a person: shots one after the other, each the same function of (scene,
/// shot) that everything else computes. No window here.
///
/// A shot is simulated ahead of what is shown: shoot() begins it, simulate() goes on with it in portions, and
/// who shows it plays the recorded trace back. A tap comes while the shot is shown, at a step that was
/// simulated long ago; the shot is then flown again with that tap. It is the same up to there, bit for bit,
/// so nobody sees it.
#include <memory>
#include <optional>
#include <vector>

#include "sim/level.hpp"
#include "sim/novelty.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "sim/world.hpp"

namespace startle {

/// A shot with all that is needed to show it again.
struct FlownShot {
  Scene before;  ///< from which it started
  Shot shot;
  Trace trace;  ///< every step, and events; while the shot is simulated, as far as that has come
  std::vector<double> scores;  ///< gained by this shot after step 0, 1, ...: as many as frames
  Scene after;                 ///< once complete
  bool complete = false;       ///< simulated to its end
};

class GameSession {
 public:
  /// The level settles in the normal world, then the novelty, if any, is put in (novel_twin), as `startle
  /// simulate` does. Throws Error for a level that cannot be used under the profile.
  GameSession(const Level& level, std::shared_ptr<const Profile> profile, const Novelty* novelty = nullptr);
  /// From this scene, which is taken to be at rest.
  explicit GameSession(Scene start);
  /// As it was after these shots, the first of them from `start`, all complete.
  GameSession(Scene start, std::vector<FlownShot> shots);
  ~GameSession();
  GameSession(GameSession&&) noexcept;
  GameSession& operator=(GameSession&&) noexcept;

  /// Before the first shot.
  const Scene& start() const { return start_; }
  /// From which the next shot starts. While a shot is simulated, the one it started from.
  const Scene& scene() const;
  const std::vector<FlownShot>& shots() const { return shots_; }

  /// The last shot has not been simulated to its end yet.
  bool simulating() const { return !shots_.empty() && !shots_.back().complete; }
  /// No pig or no bird is left, and no shot is under way.
  bool over() const;
  bool cleared() const { return !simulating() && scene().cleared(); }
  /// Of all shots; of a cleared level with that of the unused birds. As play() counts.
  double score() const;

  /// Flies the next bird. Throws Error when a shot is under way, no bird or pig is left, or the shot is out
  /// of range (World::launch).
  void shoot(const Shot& shot);
  /// Goes on with the shot by up to that many steps.
  void simulate(int steps);
  /// Simulates to the end of the shot.
  void finish();

  /// Uses the power of the bird flown last at that step of its shot, simulated already. True when it was
  /// used: the shot then has this tap, and is simulated as far as the step after. False, and nothing is
  /// changed, when the bird has no power or cannot use it then (World::tap), or the shot has had its tap.
  bool tap(int step);

  /// Takes the last shot back. False when there is none.
  bool undo();
  void restart();

 private:
  void record_step();

  Scene start_;
  std::vector<FlownShot> shots_;
  std::unique_ptr<World> world_;  ///< of the shot that is simulated
};

}  // namespace startle
