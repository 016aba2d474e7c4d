#include "sim/runs.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "sim/engine.hpp"

namespace startle {

ShotResult run_shot(const Scene& scene, const Shot& shot, const WorldOptions& options) {
  Engine engine(scene, options, true);
  engine.launch(shot);
  while (!engine.over()) engine.step();
  Scene after = engine.scene();
  return {engine.take_trace(), std::move(after)};
}

PlayResult play(const Scene& scene, const std::vector<Shot>& shots, const WorldOptions& options) {
  PlayResult result{.scene = scene};
  for (const Shot& shot : shots) {
    if (result.scene.cleared() || result.scene.birds_left() == 0) break;
    ShotResult run = run_shot(result.scene, shot, options);
    result.traces.push_back(std::move(run.trace));
    result.scene = std::move(run.scene);
  }
  result.cleared = result.scene.cleared();
  if (result.cleared)
    result.scene.score += scene.profile->score_unused_bird * static_cast<double>(result.scene.birds_left());
  return result;
}

SettleResult settle_scene(const Scene& scene, double time_limit, long most_work) {
  WorldOptions options;
  options.time_limit = time_limit;
  Engine engine(scene, options, false);
  long work = 0;
  while (!engine.over()) {
    engine.step();
    work += engine.contacts();
    if (work > most_work)
      throw Error("settling stopped after " + std::to_string(most_work) + " contact-steps, at " +
                  fixed(engine.trace().steps * engine.trace().step_s, 2) +
                  " s: " + std::to_string(scene.objects.size()) + " objects with " +
                  std::to_string(engine.contacts()) +
                  " contacts; the level is refused: too many objects, or they overlap");
  }
  SettleResult result{.scene = engine.scene(),
                      .seconds = engine.trace().steps * engine.trace().step_s,
                      .settled = engine.settled()};
  result.scene.score = scene.score;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const SceneObject& before = scene.objects[i];
    const SceneObject& after = result.scene.objects[i];
    if (!before.alive || before.is_static()) continue;
    const double shift = length(after.pose.position - before.pose.position);
    ++result.movable;
    if (!after.alive || shift > far_moved) ++result.moved_far;
    result.shift = std::max(result.shift, shift);
    result.turn = std::max(result.turn, std::fabs(after.pose.angle - before.pose.angle));
  }
  return result;
}

}  // namespace startle
