#include "simulated/simulated_difficulty.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/random.hpp"
#include "difficulty/impact_score.hpp"
#include "difficulty/state_update.hpp"
#include "reasoning/qualitative/targets.hpp"

namespace startle {
namespace {

/// What moved in a shot at the target, with the cases that its motion has.
std::vector<ImpactedObject> moved_objects(const NormalShot& shot, std::size_t target) {
  std::vector<ImpactedObject> moved;
  for (std::size_t i = 0; i < shot.motions.size(); ++i)
    if (shot.motions[i].moved)
      moved.push_back({i, observed_cases(shot.motions[i], i == target), "seen to move"});
  return moved;
}

/// Groups without novel objects of which one moved in a way that would have made the novelty visible. An
/// object that is novel has just not become visible, so that its group stays in question.
void narrow_by_observation(SearchSpace& space, const Scene& novel, const Novelty& novelty,
                           const FlownState& state, std::size_t target, const NormalShot& shot) {
  std::vector<bool> holds_novel(space.groups.size(), false);
  for (std::size_t i = 0; i < novel.objects.size(); ++i)
    if (novel.objects[i].novel) holds_novel[space.group_of[i]] = true;
  std::vector<ImpactedObject> attribution = moved_objects(shot, target);
  std::erase_if(attribution,
                [&](const ImpactedObject& moved) { return holds_novel[space.group_of[moved.object]]; });
  const BirdType& bird = state.scene.profile->bird(state.scene.birds[state.scene.next_bird]);
  narrow(space, state.scene, novelty, target, bird, attribution);
}

/// One pass of the loop. `full`: every shot is flown in the novel world to its end. `n_counts`: PID has not
/// ended yet.
SimulatedInteraction assess(std::shared_ptr<const FlownState> state, const Scene& novel,
                            const SearchSpace& space, const VisibleDifference& least, bool full,
                            bool n_counts, std::size_t& simulations) {
  SimulatedInteraction interaction;
  interaction.state = state;
  std::vector<int> scores;
  std::vector<std::vector<std::size_t>> best_of;  // best shots of each target
  for (const FlownTarget& flown : state->targets) {
    SimulatedTarget target{.object = flown.target.object, .shots = {}};
    std::vector<int> of_shots;
    for (const NormalShot& shot : flown.shots) {
      target.shots.push_back(
          {.impact_score = impact_score(space, moved_objects(shot, target.object)), .visible = {}});
      of_shots.push_back(target.shots.back().impact_score);
    }
    best_of.push_back(best_targets(of_shots));
    target.impact_score = of_shots[best_of.back().front()];
    scores.push_back(target.impact_score);
    interaction.targets.push_back(std::move(target));
  }
  const bool some_novel = anything_novel(novel);
  std::vector<std::vector<char>> flown_in_novel;
  for (const FlownTarget& flown : state->targets) flown_in_novel.emplace_back(flown.shots.size(), 0);
  const auto fly = [&](std::size_t t, std::size_t s) {
    if (!some_novel || flown_in_novel[t][s]) return;
    flown_in_novel[t][s] = 1;
    interaction.targets[t].shots[s].visible = visibly_different_objects(
        state->scene, novel, state->targets[t].shots[s], least, !full);
    ++simulations;
  };
  const std::vector<std::size_t> best = best_targets(scores);
  for (std::size_t t : best) {
    for (std::size_t s : best_of[t]) {
      fly(t, s);
      interaction.best_shots.push_back({{1.0 / static_cast<double>(best.size() * best_of[t].size()),
                                         interaction.targets[t].shots[s].visible.empty() ? 0.0 : 1.0},
                                        t,
                                        s});
    }
  }
  for (std::size_t t = 0; t < interaction.targets.size(); ++t) {
    for (std::size_t s = 0; s < interaction.targets[t].shots.size(); ++s)
      if (full || (n_counts && !interaction.targets[t].visible())) fly(t, s);
    interaction.counts.detectable += interaction.targets[t].visible();
  }
  interaction.counts.targets = static_cast<int>(interaction.targets.size());
  return interaction;
}

/// One of the states that the rollout goes through. Flown only when it is reached: of many that tie few
/// are.
struct SimulatedState {
  Scene scene;
  std::shared_ptr<const FlownState> before;                 ///< empty at the start
  std::optional<std::pair<std::size_t, std::size_t>> shot;  ///< that led here: positions of target and
                                                            ///< trajectory in `before`
  FlownStates::Path path;                                   ///< to `before`
  SearchSpace space;
  std::shared_ptr<const FlownState> flown;
  std::size_t interaction = 0;
};

/// Whether an object that the novelty changes became visibly different between two flights of the same shot
/// in the normal world.
bool differ(const NormalShot& a, const NormalShot& b, const Scene& novel, const VisibleDifference& least) {
  for (std::size_t i = 0; i < novel.objects.size(); ++i)
    if (novel.objects[i].novel && novel.objects[i].alive &&
        visibly_apart(a, b, i, novel.objects[i].pose, least))
      return true;
  return false;
}

/// Targets of the initial state of which some shot differs, for an object that the novelty changes, between
/// two perturbations.
VisibleShare visible_by_perturbation(const FlownState& a, const FlownState& b, const Scene& novel,
                                     const VisibleDifference& least) {
  VisibleShare share{.targets = a.targets.size()};
  for (std::size_t t = 0; t < a.targets.size(); ++t) {
    const std::vector<NormalShot>&one = a.targets[t].shots, &other = b.targets[t].shots;
    bool visible = false;
    for (std::size_t s = 0; s < one.size() && !visible; ++s) visible = differ(one[s], other[s], novel, least);
    share.visible += visible;
  }
  return share;
}

}  // namespace

bool SimulatedTarget::visible() const {
  return std::any_of(shots.begin(), shots.end(),
                     [](const SimulatedShot& shot) { return !shot.visible.empty(); });
}

FlownStates::FlownStates(const Scene& normal, const VisibleDifference& least, double perturbation)
    : least_(least), perturbation_(perturbation) {
  for (std::size_t i = 0; i < normal.objects.size(); ++i)
    if (normal.objects[i].novel)
      throw Error("scene: object " + std::to_string(i) +
                  " is novel already, allowed are normal objects only");
  fly({}, normal, blocking_relation(normal));
}

std::shared_ptr<const FlownState> FlownStates::fly(const Path& path, const Scene& scene,
                                                   const Relation& relation) {
  if (const auto known = states_.find(path); known != states_.end()) return known->second;
  auto state = std::make_shared<FlownState>(FlownState{scene, relation, {}});
  if (scene.birds_left() > 0) {
    for (Target& target : find_targets(scene, scene.profile->bird(scene.birds[scene.next_bird]), relation)) {
      FlownTarget flown{.target = std::move(target), .shots = {}};
      for (const Trajectory& trajectory : flown.target.trajectories) {
        Shot shot = trajectory.shot;
        shot.angle += perturbation_;
        flown.shots.push_back(fly_normal(scene, shot, least_));
      }
      state->targets.push_back(std::move(flown));
    }
  }
  return states_[path] = std::move(state);
}

std::shared_ptr<const FlownState> FlownStates::next(const FlownState& before, Path& path,
                                                    std::pair<std::size_t, std::size_t> shot) {
  path.push_back(shot);
  return fly(path, before.targets[shot.first].shots[shot.second].after, before.relation);
}

std::shared_ptr<const FlownState> FlownStates::next_bird(const FlownState& before, Path& path) {
  path.push_back({static_cast<std::size_t>(-1), 0});
  Scene scene = before.scene;
  ++scene.next_bird;
  return fly(path, scene, before.relation);
}

SimulatedDifficulty simulated_difficulty(const OrderedScene& normal, const Novelty& novelty,
                                         const SimulatedOptions& options) {
  FlownStates states(normal.scene(), options.least);
  return simulated_difficulty(states, normal.novelty(novelty), options);
}

SimulatedDifficulty simulated_difficulty(FlownStates& states, const Novelty& novelty,
                                         const SimulatedOptions& options) {
  if (!(options.alpha >= 0 && options.alpha <= 1))
    throw Error("alpha: found " + std::to_string(options.alpha) + ", allowed are 0 to 1");
  SimulatedDifficulty difficulty;
  const Scene& normal = states.first()->scene;
  SimulatedState first{.scene = normal, .space = make_search_space(normal, novelty)};
  difficulty.birds = normal.birds_left();
  difficulty.novel_objects = count_novel(novel_twin(normal, novelty));
  const auto visit = [&](SimulatedState& state, const StateChance& chance) -> StateView {
    state.flown = !state.before ? states.first()
                  : state.shot  ? states.next(*state.before, state.path, *state.shot)
                                : states.next_bird(*state.before, state.path);
    SimulatedInteraction interaction = assess(
        state.flown, novel_twin(state.scene, novelty), state.space, options.least,
        options.complete_first && chance.interaction == 1, chance.pid > 0, difficulty.twin_simulations);
    interaction.chance = chance;
    StateView view{interaction.counts, {interaction.best_shots.begin(), interaction.best_shots.end()}};
    state.interaction = difficulty.interactions.size();
    difficulty.interactions.push_back(std::move(interaction));
    return view;
  };
  const auto next = [&](const SimulatedState& state, std::optional<std::size_t> best_shot) {
    SimulatedState after{
        .scene = state.scene, .before = state.flown, .shot = {}, .path = state.path, .space = state.space};
    if (!best_shot) {
      ++after.scene.next_bird;
      return after;
    }
    const SimulatedBestShot& best = difficulty.interactions[state.interaction].best_shots[*best_shot];
    const FlownTarget& target = state.flown->targets[best.target];
    narrow_by_observation(after.space, novel_twin(state.scene, novelty), novelty, *state.flown,
                          target.target.object, target.shots[best.shot]);
    after.scene = target.shots[best.shot].after;
    after.shot = {best.target, best.shot};
    return after;
  };
  const auto key = [](const SimulatedState& state) { return state_key(state.scene, state.space); };
  difficulty.ends = rollout(std::move(first), {.birds = difficulty.birds, .most_states = options.most_states},
                            visit, next, key)
                        .ends;
  static_cast<DifficultyValues&>(difficulty) = difficulty_values(difficulty.ends, difficulty.birds,
                                                                 options.alpha);
  return difficulty;
}

VisibleShare& VisibleShare::operator+=(const VisibleShare& other) {
  targets += other.targets;
  visible += other.visible;
  return *this;
}

std::vector<NoisyDifficulty> noisy_difficulties(const OrderedScene& normal,
                                                const std::vector<const Novelty*>& novelties,
                                                const AimNoise& noise, const SimulatedOptions& options) {
  const Scene& scene = normal.scene();
  std::vector<Novelty> asked;
  for (const Novelty* novelty : novelties) asked.push_back(normal.novelty(*novelty));
  std::vector<NoisyDifficulty> result(novelties.size());
  const std::vector<double> perturbations = perturbations_of(noise);
  std::shared_ptr<const FlownState> first, before;  // states of the first perturbation and of the one before
  const auto compare = [&](const FlownState& a, const FlownState& b) {
    for (std::size_t k = 0; k < asked.size(); ++k)
      result[k].without_novelty += visible_by_perturbation(a, b, novel_twin(scene, asked[k]), options.least);
  };
  for (const double perturbation : perturbations) {  // states are let go after each: they hold all that moved
    FlownStates states(scene, options.least, perturbation);
    for (std::size_t k = 0; k < asked.size(); ++k) {
      const SimulatedDifficulty one = simulated_difficulty(states, asked[k], options);
      NoisyDifficulty& sum = result[k];
      sum.birds = one.birds;
      sum.novel_objects = one.novel_objects;
      sum.rollouts.push_back(one);
      for (auto ends : {&RolloutEnds::pid, &RolloutEnds::bid})
        for (RolloutEnd end : one.ends.*ends) {
          end.probability /= static_cast<double>(perturbations.size());
          (sum.ends.*ends).push_back(end);
        }
      if (!one.interactions.empty()) {
        const InteractionCounts& counts = one.interactions.front().counts;
        sum.with_novelty += {static_cast<std::size_t>(counts.targets),
                             static_cast<std::size_t>(counts.detectable)};
      }
    }
    if (before)
      compare(*before, *states.first());
    else
      first = states.first();
    before = states.first();
  }
  if (perturbations.size() > 2) compare(*before, *first);
  for (NoisyDifficulty& sum : result)
    static_cast<DifficultyValues&>(sum) = difficulty_values(sum.ends, sum.birds, options.alpha);
  return result;
}

}  // namespace startle
