#include "difficulty/grounded.hpp"

#include <algorithm>

#include "difficulty/impact_score.hpp"
#include "reasoning/targets.hpp"
#include "sim/error.hpp"

namespace startle {
namespace {

/// What moved in a shot at the target, with the cases that its motion bears out.
std::vector<ImpactedObject> moved_objects(const NormalShot& shot, std::size_t target) {
  std::vector<ImpactedObject> moved;
  for (std::size_t i = 0; i < shot.motions.size(); ++i)
    if (shot.motions[i].moved) moved.push_back({i, observed_cases(shot.motions[i], i == target), "seen to move"});
  return moved;
}

std::size_t novel_count(const Scene& scene) {
  return static_cast<std::size_t>(std::count_if(scene.objects.begin(), scene.objects.end(), [](const SceneObject& o) { return o.alive && o.novel; }));
}

/// Groups without novel objects of which one moved in a way that would have shown the novelty. An object that is novel has just
/// not shown it, so that its group stays in question.
void narrow_by_sight(SearchSpace& space, const Scene& novel, const Novelty& novelty, const FlownState& state, std::size_t target, const NormalShot& shot) {
  std::vector<bool> holds_novel(space.groups.size(), false);
  for (std::size_t i = 0; i < novel.objects.size(); ++i)
    if (novel.objects[i].novel) holds_novel[space.group_of[i]] = true;
  std::vector<ImpactedObject> telling = moved_objects(shot, target);
  std::erase_if(telling, [&](const ImpactedObject& moved) { return holds_novel[space.group_of[moved.object]]; });
  const BirdType& bird = state.scene.profile->bird(state.scene.birds[state.scene.next_bird]);
  narrow(space, state.scene, novelty, target, bird, telling);
}

/// One pass of the loop. `full`: every shot is flown in the novel world to its end. `n_counts`: PID has not ended yet.
GroundedInteraction look(std::shared_ptr<const FlownState> state, const Scene& novel, const SearchSpace& space, const VisibleDifference& least,
                         bool full, bool n_counts, std::size_t& simulations) {
  GroundedInteraction interaction;
  interaction.state = state;
  std::vector<int> scores;
  for (const FlownTarget& flown : state->targets) {
    GroundedTarget target{.object = flown.target.object, .shots = {}};
    std::vector<int> of_shots;
    for (const NormalShot& shot : flown.shots) {
      target.shots.push_back({.impact_score = impact_score(space, moved_objects(shot, target.object)), .shown = {}});
      of_shots.push_back(target.shots.back().impact_score);
    }
    target.best_shot = *best_target(of_shots);
    scores.push_back(of_shots[target.best_shot]);
    interaction.targets.push_back(std::move(target));
  }
  interaction.best = best_target(scores);
  const bool anything_novel = novel_count(novel) > 0;
  for (std::size_t t = 0; t < interaction.targets.size() && anything_novel; ++t) {
    if (!full && !n_counts && t != interaction.best) continue;
    GroundedTarget& target = interaction.targets[t];
    for (std::size_t s = 0; s < target.shots.size(); ++s) {
      if (!full && target.shows()) break;
      target.shots[s].shown = shown_objects(state->scene, novel, state->targets[t].shots[s], least, !full);
      target.shots[s].flown_in_novel = true;
      ++simulations;
    }
    interaction.counts.detectable += target.shows();
  }
  interaction.counts.targets = static_cast<int>(interaction.targets.size());
  interaction.counts.best_detectable = interaction.best && interaction.targets[*interaction.best].shows();
  return interaction;
}

}  // namespace

bool GroundedTarget::shows() const {
  return std::any_of(shots.begin(), shots.end(), [](const GroundedShot& shot) { return !shot.shown.empty(); });
}

std::optional<std::size_t> GroundedDifficulty::detected_at() const {
  if (interactions.empty() || !interactions.back().counts.best_detectable) return std::nullopt;
  return interactions.size();
}

FlownStates::FlownStates(const Scene& normal, const VisibleDifference& least, double aim_error) : least_(least), aim_error_(aim_error) {
  for (std::size_t i = 0; i < normal.objects.size(); ++i)
    if (normal.objects[i].novel) throw Error("scene: object " + std::to_string(i) + " is novel already, allowed are normal objects only");
  fly({}, normal, blocking_relation(normal));
}

std::shared_ptr<const FlownState> FlownStates::fly(const Path& path, const Scene& scene, const Relation& relation) {
  if (const auto known = states_.find(path); known != states_.end()) return known->second;
  auto state = std::make_shared<FlownState>(FlownState{scene, relation, {}});
  if (scene.birds_left() > 0) {
    for (Target& target : find_targets(scene, scene.profile->bird(scene.birds[scene.next_bird]), relation)) {
      FlownTarget flown{.target = std::move(target), .shots = {}};
      for (const Trajectory& trajectory : flown.target.trajectories) {
        Shot shot = trajectory.shot;
        shot.angle += aim_error_;
        flown.shots.push_back(fly_normal(scene, shot, least_));
      }
      state->targets.push_back(std::move(flown));
    }
  }
  return states_[path] = std::move(state);
}

std::shared_ptr<const FlownState> FlownStates::next(const FlownState& before, Path& path, std::pair<std::size_t, std::size_t> shot) {
  path.push_back(shot);
  return fly(path, before.targets[shot.first].shots[shot.second].after, before.relation);
}

std::shared_ptr<const FlownState> FlownStates::next_bird(const FlownState& before, Path& path) {
  path.push_back({static_cast<std::size_t>(-1), 0});
  Scene scene = before.scene;
  ++scene.next_bird;
  return fly(path, scene, before.relation);
}

GroundedDifficulty grounded_difficulty(const Scene& normal, const Novelty& novelty, const GroundedOptions& options) {
  FlownStates states(normal, options.least);
  return grounded_difficulty(states, novelty, options);
}

GroundedDifficulty grounded_difficulty(FlownStates& states, const Novelty& novelty, const GroundedOptions& options) {
  if (!(options.alpha >= 0 && options.alpha <= 1)) throw Error("alpha: found " + std::to_string(options.alpha) + ", allowed are 0 to 1");
  GroundedDifficulty difficulty;
  std::shared_ptr<const FlownState> state = states.first();
  FlownStates::Path path;
  SearchSpace space = make_search_space(state->scene, novelty);
  difficulty.birds = state->scene.birds_left();
  std::vector<InteractionCounts> counts;
  for (std::size_t i = 0; i < difficulty.birds; ++i) {
    const Scene novel = novel_twin(state->scene, novelty);
    if (i == 0) difficulty.novel_objects = novel_count(novel);
    const bool n_counts = pid_length(counts) == counts.size() && (counts.empty() || counts.back().detectable == 0);
    GroundedInteraction interaction = look(state, novel, space, options.least, options.complete_first && i == 0, n_counts, difficulty.twin_simulations);
    counts.push_back(interaction.counts);
    const bool last = interaction.counts.best_detectable || i + 1 == difficulty.birds;
    if (!last && interaction.best) {
      const std::size_t target = *interaction.best, shot = interaction.targets[target].best_shot;
      narrow_by_sight(space, novel, novelty, *state, interaction.targets[target].object, state->targets[target].shots[shot]);
      state = states.next(*state, path, {target, shot});
    } else if (!last) {
      state = states.next_bird(*state, path);
    }
    difficulty.interactions.push_back(std::move(interaction));
    if (last) break;
  }
  static_cast<DifficultyValues&>(difficulty) = difficulty_values(counts, difficulty.birds, options.alpha);
  return difficulty;
}

}  // namespace startle
