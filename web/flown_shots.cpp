#include "web/flown_shots.hpp"

#include "core/error.hpp"
#include "core/text.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

/// A text of its own for each state.
std::string name_of(const PlayedState& state) {
  std::string name = quoted(state.level) + quoted(state.novelty);
  for (const Shot& shot : state.shots)
    name += ";" + shortest(shot.angle) + "," + shortest(shot.stretch) + "," + shortest(shot.tap_time);
  return name;
}

/// The state without its last shot.
PlayedState before_last(const PlayedState& state) {
  PlayedState before = state;
  before.shots.pop_back();
  return before;
}

void require_shot_left(const Scene& scene) {
  if (scene.cleared()) throw Error("shots: no pig is left to shoot at");
  if (scene.birds_left() == 0) throw Error("shots: no bird is left");
}

}  // namespace

FlownShots::FlownShots(WebLevels& levels) : levels_(levels), scenes_(levels.most_scenes()) {}

std::shared_ptr<const Scene> FlownShots::scene(const PlayedState& state) {
  const std::shared_ptr<const OpenLevel> level = levels_.open(state.level);
  if (state.shots.size() > level->normal.birds.size())
    throw Error("shots: found " + std::to_string(state.shots.size()) + ", allowed are " +
                std::to_string(level->normal.birds.size()) + ", one a bird");
  return scenes_.get(name_of(state), [&] {
    if (!state.shots.empty()) {
      const std::shared_ptr<const Scene> before = scene(before_last(state));
      require_shot_left(*before);
      return run_shot(*before, state.shots.back()).scene;
    }
    if (state.novelty.empty()) return level->normal;
    return novel_twin(level->normal, WebLevels::novelty(*level, state.novelty));
  });
}

WebShot FlownShots::last(const PlayedState& state) {
  if (state.shots.empty()) throw Error("shots: found none, allowed is one or more");
  const std::shared_ptr<const Scene> before = scene(before_last(state));
  require_shot_left(*before);
  ShotResult result = run_shot(*before, state.shots.back(), {.record_every = 1, .record_events = true});
  scenes_.get(name_of(state), [&] { return result.scene; });  // where the next shot begins
  return {.before = *before, .after = std::move(result.scene), .trace = std::move(result.trace)};
}

double FlownShots::score(const Scene& scene) {
  return scene.score +
         (scene.cleared() ? scene.profile->score_unused_bird * static_cast<double>(scene.birds_left()) : 0);
}

}  // namespace startle
