#pragma once
/// \file  The simulated world: runs one shot from a scene (Box2D inside, not visible here).
///
/// \code
///   Scene scene = settle(make_scene(level, profile()));
///   ShotResult result = run_shot(scene, {.angle = radians(40)});
///   scene = result.scene;   // the state the next shot starts from
/// \endcode
///
/// Deterministic: the same scene and shot give the same bits, whatever ran before, on any number of threads.
/// A World belongs to one thread; different Worlds may run on different threads.
#include <memory>
#include <vector>

#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"

namespace startle {

struct WorldOptions {
  int record_every = 0;  ///< steps between recorded frames; 0: record nothing, at no cost
  bool record_events = false;
  double time_limit = 20;  ///< s after release: life time of a bird in the original
};

/// One shot, step by step. Viewers use this; everybody else run_shot.
class World {
 public:
  /// Throws Error for a scene with values that cannot be simulated (NaN, density 0, a shape too thin ...).
  explicit World(const Scene& scene, const WorldOptions& options = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Launches the next bird. Throws Error when none is left or the shot is out of range (angle within 100 radians,
  /// stretch over 0 to 1, tap_time finite). At most once a World, and before the first step.
  void launch(const Shot& shot);
  /// Uses the flying bird's power now. False when it has none, has used it, has hit something, or is still
  /// near the slingshot (as in the original: until x + width of the bird > rest x + 2 x longest pull).
  bool tap();
  /// Advances by one step of Profile::step; uses the power when the shot's tap time has come. Does nothing once over.
  void step();
  /// True when the shot has ended; `trace().end` then says why.
  bool over() const;

  /// Poses now, also of birds, children and eggs.
  Frame frame() const;
  /// Objects now; after the end of a shot the state from which the next one starts.
  Scene scene() const;
  const Trace& trace() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct ShotResult {
  Trace trace;
  Scene scene;  ///< after the shot: survivors where they came to rest, bird used up, score added
};

/// Runs one shot to its end.
ShotResult run_shot(const Scene& scene, const Shot& shot, const WorldOptions& options = {});

/// As run_shot from each scene to the next, bit for bit; only the unused birds' score is added.
/// Runs shots in order until they, the birds or the pigs are used up. One trace a shot run.
struct PlayResult {
  std::vector<Trace> traces;
  Scene scene;
  bool cleared = false;  ///< all pigs dead; unused birds are then scored
};
PlayResult play(const Scene& scene, const std::vector<Shot>& shots, const WorldOptions& options = {});

/// True when World will leave the objects of this scene asleep where they are: it settled and was not changed since.
bool at_rest(const Scene& scene);

/// The scene taken to be at rest as it stands, velocities zero, whatever its parameters. For twin simulation, where a changed
/// parameter must not move anything before the shot does.
Scene taken_at_rest(Scene scene);

inline constexpr double far_moved = 1;  ///< world units
inline constexpr double collapsed_share = 0.1;

struct SettleResult {
  Scene scene;
  double shift = 0;      ///< furthest any object moved, world units
  double turn = 0;       ///< largest rotation of any object, radians
  double seconds = 0;    ///< simulated
  bool settled = false;  ///< false: still moving after the time limit
  std::size_t
      movable = 0,
      moved_far =
          0;  ///< objects that can move, and those of them that moved over far_moved or left the world
  /// The level that is played is not the one that was placed: over collapsed_share of what can move moved far.
  bool collapsed() const {
    return static_cast<double>(moved_far) > collapsed_share * static_cast<double>(movable);
  }
};

/// Lets a level come to rest, without damage, as the original does in its first seconds.
SettleResult settle_scene(const Scene& scene, double time_limit = 10);
/// The settled scene alone.
inline Scene settle(const Scene& scene, double time_limit = 10) {
  return settle_scene(scene, time_limit).scene;
}

}  // namespace startle
