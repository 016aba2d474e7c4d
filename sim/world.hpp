#pragma once
/// \file  The simulated world: one shot from a scene, step by step (Box2D inside, not visible here).
/// Whole shots, games and settling are in sim/runs.hpp, which comes with it.
///
/// \code
///   // given: const Level& level
///   Scene scene = settle(make_scene(level, profile()));
///   ShotResult result = run_shot(scene, {.angle = radians(40)});
///   scene = result.scene;   // the state the next shot starts from
/// \endcode
///
/// Deterministic: the same scene and shot give the same bits, whatever ran before, on any number of threads.
/// A World belongs to one thread; different Worlds may run on different threads.
#include <memory>

#include "sim/rest.hpp"
#include "sim/runs.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"
#include "sim/world_options.hpp"

namespace startle {

/// One shot, step by step. Viewers use this; everybody else run_shot() (sim/runs.hpp).
class World {
 public:
  /// Throws Error for a scene with values that cannot be simulated (NaN, density 0, a shape too thin ...).
  explicit World(const Scene& scene, const WorldOptions& options = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Launches the next bird. Throws Error when none is left or the shot is out of range (angle within 100
  /// radians, stretch over 0 to 1, tap_time finite). At most once a World, and before the first step.
  void launch(const Shot& shot);
  /// Uses the flying bird's power now. False when it has none, has used it, has hit something, or is still
  /// near the slingshot (as in the original: until x + width of the bird > rest x + 2 x longest pull).
  bool tap();
  /// Advances by one step of Profile::step; uses the power when the shot's tap time has come. Does nothing
  /// once over. Throws Interrupted where the program is to stop (core/interrupt.hpp).
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

}  // namespace startle
