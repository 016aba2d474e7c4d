#include "difficulty/difficulty.hpp"

#include <algorithm>

#include "reasoning/blow.hpp"
#include "reasoning/detectability.hpp"
#include "reasoning/knock_on.hpp"
#include "reasoning/support.hpp"
#include "sim/error.hpp"

namespace startle {

double share_undetectable(const InteractionCounts& counts) {
  if (counts.targets == 0) return 1;
  return static_cast<double>(counts.targets - counts.detectable) / counts.targets;
}

std::size_t pid_length(const std::vector<InteractionCounts>& interactions) {
  const auto stop = std::find_if(interactions.begin(), interactions.end(),
                                 [](const InteractionCounts& counts) { return counts.detectable > 0; });
  return static_cast<std::size_t>(stop - interactions.begin()) + (stop != interactions.end());
}

namespace {

std::vector<InteractionCounts>::const_iterator detection(const std::vector<InteractionCounts>& interactions) {
  return std::find_if(interactions.begin(), interactions.end(),
                      [](const InteractionCounts& counts) { return counts.best_detectable; });
}

void check_length(const std::vector<InteractionCounts>& interactions, std::size_t birds) {
  const bool detected = detection(interactions) != interactions.end();
  if (interactions.size() == birds || (interactions.size() < birds && detected)) return;
  throw Error("interactions: found " + std::to_string(interactions.size()) + " for " + std::to_string(birds) +
              " birds, allowed is one a bird, or fewer that end with the first whose best target is detectable");
}

/// What hits on the target move and show by the extended method.
void look_extended(TargetOutcome& outcome, const Scene& normal, const Scene& novel, const SearchSpace& space, KnockOn& shots, const BirdType& bird) {
  std::vector<double> of_objects;
  std::vector<char> shown(normal.objects.size(), 0);
  double hidden = 1;
  for (std::size_t t = 0; t < outcome.target.trajectories.size(); ++t) {
    const std::vector<ImpactedObject>& impacted = shots.follow(outcome.target.object, bird, outcome.target.trajectories[t]);
    hidden *= 1 - chance_to_show(normal, novel, shots, of_objects);
    for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = shown[i] || of_objects[i] >= even_chance;
    const int score = impact_score(space, impacted);
    if (t > 0 && score <= outcome.impact_score) continue;
    outcome.trajectory = t;
    outcome.impact_score = score;
    outcome.impacted = impacted;
  }
  outcome.impacted_novel = outcome.impacted;
  outcome.shows = 1 - hidden;
  for (std::size_t i = 0; i < shown.size(); ++i)
    if (shown[i]) outcome.detectable.push_back(i);
}

Interaction look(const Scene& normal, const Scene& novel, const SearchSpace& space, const Relation& relation, Method method) {
  const BirdType& bird = normal.profile->bird(normal.birds[normal.next_bird]);
  const SupportGraph graph = support_graph(normal);  // geometry only: the same in both worlds
  const bool same = same_impacts(normal, novel);
  VerticalImpact in_normal(normal, graph), in_novel(novel, graph);
  ContactNetwork network;
  std::optional<KnockOn> shots;
  if (method == Method::extended) {
    network = contact_network(normal, graph.geometry);
    shots.emplace(normal, graph, network);
  }
  Interaction interaction;
  interaction.bird = bird.type;
  std::vector<int> scores;
  for (Target& target : find_targets(normal, graph.geometry, bird, relation)) {
    TargetOutcome outcome;
    outcome.target = std::move(target);
    if (method == Method::extended) {
      look_extended(outcome, normal, novel, space, *shots, bird);
    } else {
      outcome.impacted = impacted_objects(in_normal, outcome.target.object, bird);
      outcome.impacted_novel = same ? outcome.impacted : impacted_objects(in_novel, outcome.target.object, bird);
      outcome.detectable = detectable_objects(normal, novel, outcome.impacted, outcome.impacted_novel);
      outcome.impact_score = impact_score(space, outcome.impacted);
      outcome.shows = outcome.detectable.empty() ? 0 : 1;
    }
    scores.push_back(outcome.impact_score);
    interaction.counts.detectable += !outcome.detectable.empty();
    interaction.targets.push_back(std::move(outcome));
  }
  interaction.best = best_target(scores);
  interaction.counts.targets = static_cast<int>(interaction.targets.size());
  interaction.counts.best_detectable = interaction.best && !interaction.targets[*interaction.best].detectable.empty();
  return interaction;
}

/// Shoots at the interaction's best target: the next normal state, and what the shot taught.
Scene shoot(const Scene& scene, const Scene& novel, const Novelty& novelty, StateUpdate update, Interaction& interaction, SearchSpace& space) {
  if (!interaction.best) {  // nothing to shoot at: the bird is spent, the world stays
    Scene next = scene;
    ++next.next_bird;
    return next;
  }
  const TargetOutcome& best = interaction.targets[*interaction.best];
  const BirdType& bird = scene.profile->bird(interaction.bird);
  // A novel object that moves and yet does not show it (by the extended method it may not) says nothing of its group.
  std::vector<ImpactedObject> telling = best.impacted_novel;
  std::erase_if(telling, [&](const ImpactedObject& moved) { return novel.objects[moved.object].novel; });
  for (std::size_t group : narrow(space, scene, novelty, best.target.object, bird, telling))
    interaction.found_normal.push_back(space.groups[group]);
  return update == StateUpdate::qualitative ? update_qualitatively(scene, best.impacted)
                                            : update_by_simulation(scene, best.target.trajectories[best.trajectory]);
}

}  // namespace

double probabilistic_interaction_difficulty(const std::vector<InteractionCounts>& interactions, std::size_t birds) {
  check_length(interactions, birds);
  if (birds == 0) return 1;
  double sum = 0;
  for (std::size_t i = 0; i < pid_length(interactions); ++i) sum += share_undetectable(interactions[i]);
  return sum / static_cast<double>(birds);
}

double best_shot_interaction_difficulty(const std::vector<InteractionCounts>& interactions, std::size_t birds) {
  check_length(interactions, birds);
  const auto found = detection(interactions);
  if (found == interactions.end()) return 1;
  return static_cast<double>(found - interactions.begin()) / static_cast<double>(birds);
}

DifficultyValues difficulty_values(const std::vector<InteractionCounts>& interactions, std::size_t birds, double alpha) {
  const double pid = probabilistic_interaction_difficulty(interactions, birds), bid = best_shot_interaction_difficulty(interactions, birds);
  return {.pid = pid, .bid = bid, .value = alpha * pid + (1 - alpha) * bid, .pid_interactions = pid_length(interactions)};
}

std::optional<std::size_t> Difficulty::detected_at() const {
  if (interactions.empty() || !interactions.back().counts.best_detectable) return std::nullopt;
  return interactions.size();
}

Difficulty compute_difficulty(const Scene& normal, const Novelty& novelty, const DifficultyOptions& options) {
  if (!(options.alpha >= 0 && options.alpha <= 1))
    throw Error("alpha: found " + std::to_string(options.alpha) + ", allowed are 0 to 1");
  for (std::size_t i = 0; i < normal.objects.size(); ++i)
    if (normal.objects[i].novel)
      throw Error("scene: object " + std::to_string(i) + " is novel already, allowed are normal objects only");

  Difficulty difficulty;
  difficulty.alpha = options.alpha;
  difficulty.state_update = options.state_update;
  difficulty.method = options.method;
  difficulty.birds = normal.birds_left();
  difficulty.search_space = make_search_space(normal, novelty);

  const Relation relation = blocking_relation(normal);
  SearchSpace space = difficulty.search_space;
  Scene state = normal;
  Scene novel = normal;
  apply(novelty, novel);
  difficulty.novel_objects = static_cast<std::size_t>(
      std::count_if(novel.objects.begin(), novel.objects.end(), [](const SceneObject& o) { return o.alive && o.novel; }));
  std::vector<InteractionCounts> counts;
  for (std::size_t i = 0; i < difficulty.birds; ++i) {
    Interaction interaction = look(state, novel, space, relation, options.method);
    counts.push_back(interaction.counts);
    const bool last = interaction.counts.best_detectable || i + 1 == difficulty.birds;
    if (!last) {
      state = shoot(state, novel, novelty, options.state_update, interaction, space);
      novel = state;
      apply(novelty, novel);
    }
    difficulty.interactions.push_back(std::move(interaction));
    if (last) break;
  }
  static_cast<DifficultyValues&>(difficulty) = difficulty_values(counts, difficulty.birds, options.alpha);
  return difficulty;
}

}  // namespace startle
