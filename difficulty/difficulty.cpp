#include "difficulty/difficulty.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "reasoning/impulse/blow.hpp"
#include "reasoning/impulse/knock_on.hpp"
#include "reasoning/impulse/visibility.hpp"
#include "reasoning/qualitative/detectability.hpp"
#include "reasoning/qualitative/support.hpp"

namespace startle {
namespace {

/// What of the objects that stay alive the shot took life from.
std::vector<LifeLost> life_lost_of(const Scene& scene, const KnockOn& shots) {
  std::vector<LifeLost> lost;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (!scene.objects[i].alive || scene.objects[i].is_static()) continue;
    const MotionPrediction prediction = shots.prediction(i);
    if (prediction.lost > 0 && !prediction.destroyed) lost.push_back({i, prediction.lost});
  }
  return lost;
}

/// What hits on the target move and make visible by the extended method.
void assess_extended(TargetOutcome& outcome, const Scene& normal, const Scene& novel,
                     const SearchSpace& space, KnockOn& shots, const BirdType& bird) {
  std::vector<double> of_objects;
  std::vector<char> visible(normal.objects.size(), 0);
  double hidden = 1;
  for (std::size_t t = 0; t < outcome.target.trajectories.size(); ++t) {
    const std::vector<ImpactedObject>& impacted = shots.follow(outcome.target.object, bird,
                                                               outcome.target.trajectories[t]);
    const double p_visible = visibility_chance(normal, novel, shots, of_objects);
    hidden *= 1 - p_visible;
    for (std::size_t i = 0; i < visible.size(); ++i) visible[i] = visible[i] || of_objects[i] >= even_chance;
    const int score = impact_score(space, impacted);
    if (t > 0 && score < outcome.impact_score) continue;
    if (score > outcome.impact_score) outcome.hits.clear();
    outcome.impact_score = score;
    Hit hit{.trajectory = t,
            .impacted = impacted,
            .impacted_novel = impacted,
            .detectable = {},
            .p_visible = p_visible,
            .life_lost = life_lost_of(normal, shots)};
    for (std::size_t i = 0; i < of_objects.size(); ++i)
      if (of_objects[i] >= even_chance) hit.detectable.push_back(i);
    outcome.hits.push_back(std::move(hit));
  }
  outcome.p_visible = 1 - hidden;
  for (std::size_t i = 0; i < visible.size(); ++i)
    if (visible[i]) outcome.detectable.push_back(i);
}

/// The same by the published method, for which all trajectories are alike.
void assess_published(TargetOutcome& outcome, const Scene& normal, const Scene& novel, bool same,
                      const SearchSpace& space, VerticalImpact& in_normal, VerticalImpact& in_novel,
                      const BirdType& bird) {
  const std::size_t target = outcome.target.object;
  Hit hit;
  hit.impacted = impacted_objects(in_normal, target, bird);
  hit.impacted_novel = same ? hit.impacted : impacted_objects(in_novel, target, bird);
  hit.detectable = detectable_objects(normal, novel, hit.impacted, hit.impacted_novel);
  hit.p_visible = hit.detectable.empty() ? 0 : 1;
  if (const double lost = life_lost_to(normal, target, bird); lost > 0)
    hit.life_lost.push_back({target, lost});
  outcome.impact_score = impact_score(space, hit.impacted);
  outcome.detectable = hit.detectable;
  outcome.p_visible = hit.p_visible;
  outcome.hits.push_back(std::move(hit));
}

/// Of best shots always; of shots at other targets, which take most of the time, where `all` asks for them.
void predict_detection(Interaction& interaction, ShotComparison& comparison, Predict predict, bool all) {
  const auto launches_of = [&](const TargetOutcome& outcome, std::size_t trajectory) {
    return comparison.launches(outcome.target.trajectories[trajectory].shot, detection_aim_noise);
  };
  for (const std::size_t t : interaction.best_targets()) {
    TargetOutcome& outcome = interaction.targets[t];
    for (Hit& hit : outcome.hits) {
      const auto launches = launches_of(outcome, hit.trajectory);
      hit.detection = ShotDetection{.chance = detection_chance(detection_features(launches)), .objects = {}};
      if (predict == Predict::detection_by_object) hit.detection->objects = detection_by_object(launches);
    }
  }
  if (!all) return;
  for (const TargetOutcome& outcome : interaction.targets) {
    double sum = 0;
    for (std::size_t k = 0; k < outcome.target.trajectories.size(); ++k) {
      const auto hit = std::find_if(outcome.hits.begin(), outcome.hits.end(),
                                    [&](const Hit& h) { return h.trajectory == k; });
      const double chance = hit != outcome.hits.end() && hit->detection
                                ? hit->detection->chance
                                : detection_chance(detection_features(launches_of(outcome, k)));
      sum += chance;
    }
    interaction.random_detected += sum / static_cast<double>(outcome.target.trajectories.size() *
                                                             interaction.targets.size());
  }
}

/// How best targets that tie are chosen, and what they are called in the level's file.
struct TieRule {
  Ties ties = Ties::share;
  const std::vector<std::size_t>& numbers;
};

Interaction assess(const Scene& normal, const Scene& novel, const SearchSpace& space,
                   const Relation& relation, Method method, const TieRule& rule,
                   Predict predict = Predict::nothing, bool all_shots = false) {
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
  std::vector<std::size_t> numbers;
  for (Target& target : find_targets(normal, graph.geometry, bird, relation)) {
    TargetOutcome outcome;
    outcome.target = std::move(target);
    if (method == Method::extended)
      assess_extended(outcome, normal, novel, space, *shots, bird);
    else
      assess_published(outcome, normal, novel, same, space, in_normal, in_novel, bird);
    scores.push_back(outcome.impact_score);
    numbers.push_back(rule.numbers[outcome.target.object]);
    interaction.counts.detectable += !outcome.detectable.empty();
    if (method == Method::extended) {
      if (!interaction.counts.chances) interaction.counts.chances.emplace();
      interaction.counts.chances->targets += outcome.p_visible;
      interaction.counts.chances->nothing *= 1 - outcome.p_visible;
    }
    interaction.targets.push_back(std::move(outcome));
  }
  interaction.counts.targets = static_cast<int>(interaction.targets.size());
  const std::vector<std::size_t> best = best_targets(scores, rule.ties, numbers);
  if (!best.empty()) interaction.best = best.front();
  for (std::size_t t : best) {
    const std::vector<Hit>& hits = interaction.targets[t].hits;
    for (std::size_t h = 0; h < hits.size(); ++h)
      interaction.best_shots.push_back(
          {{1.0 / static_cast<double>(best.size() * hits.size()), hits[h].p_visible}, t, h, {}});
  }
  if (predict != Predict::nothing) {
    ShotComparison comparison(normal, novel, graph, network, *shots);
    predict_detection(interaction, comparison, predict, all_shots);
  }
  return interaction;
}

PredictedDetection predicted_detection(const std::vector<Interaction>& interactions, std::size_t birds) {
  PredictedDetection result;
  if (interactions.empty()) return result;
  result.best = interactions.front().best_detected();
  result.random = interactions.front().random_detected;
  double none = 1, shots = 0, chance = 0;
  for (std::size_t bird = 1; bird <= birds; ++bird) {
    double sum = 0, reached = 0;
    for (const Interaction& interaction : interactions) {
      if (interaction.chance.interaction != bird) continue;
      sum += interaction.chance.reached * interaction.best_detected();
      reached += interaction.chance.reached;
    }
    // Where the rollout ended before, what it last came to stands for the rest.
    if (reached > 0) chance = sum / reached;
    shots += none;  // this one is taken where none before was detected
    none *= 1 - chance;
  }
  result.any = 1 - none;
  if (chance > 0) result.shots = shots + none / chance;
  return result;
}

/// One of the states that the rollout goes through. All in geometric_order().
struct RolloutState {
  Scene scene;
  SearchSpace space;
  std::optional<std::size_t> after, after_hit;  ///< as in Interaction
  std::size_t interaction = 0;                  ///< position of its own, once assessed
};

/// The state after a best shot of the interaction, with what the shot taught; after none, where there is
/// nothing to shoot at, the bird is spent.
RolloutState shoot(const RolloutState& before, const Novelty& novelty, const DifficultyOptions& options,
                   Interaction& interaction, std::optional<std::size_t> best_shot) {
  RolloutState next{before.scene, before.space, before.interaction, {}};
  if (!best_shot) {
    ++next.scene.next_bird;
    return next;
  }
  BestShot& shot = interaction.best_shots[*best_shot];
  const TargetOutcome& outcome = interaction.targets[shot.target];
  const Hit& hit = outcome.hits[shot.hit];
  const BirdType& bird = before.scene.profile->bird(interaction.bird);
  next.after_hit = outcome.target.object;
  // A novel object that moves and yet does not become visible (by the extended method it may not) excludes
  // nothing of its group.
  Scene novel = before.scene;
  apply(novelty, novel);
  std::vector<ImpactedObject> attribution = hit.impacted_novel;
  std::erase_if(attribution, [&](const ImpactedObject& moved) { return novel.objects[moved.object].novel; });
  for (std::size_t group :
       narrow(next.space, before.scene, novelty, outcome.target.object, bird, attribution))
    shot.found_normal.push_back(next.space.groups[group]);
  if (options.state_update.next) {
    next.scene = options.state_update.next(before.scene, outcome.target.trajectories[hit.trajectory]);
  } else if (options.method == Method::published) {
    ShotEffects effects{hit.impacted, hit.life_lost};
    add_explosions(effects, before.scene, outcome.target.object, bird);
    next.scene = update_qualitatively(before.scene, effects);
  } else {
    next.scene = update_qualitatively(before.scene, {hit.impacted, hit.life_lost});
  }
  return next;
}

/// From places in order to the numbers of the objects in the scene that was given.
void rename_objects(Difficulty& difficulty, const OrderedScene& ordered) {
  SearchSpace& space = difficulty.search_space;
  std::vector<std::size_t> group_of(space.group_of.size());
  for (std::size_t k = 0; k < group_of.size(); ++k) group_of[ordered.numbers()[k]] = space.group_of[k];
  space.group_of = std::move(group_of);
  const auto rename = [&](std::size_t& object) { ordered.rename(object); };
  for (Interaction& interaction : difficulty.interactions) {
    if (interaction.after_hit) rename(*interaction.after_hit);
    for (TargetOutcome& outcome : interaction.targets) {
      rename(outcome.target.object);
      for (std::size_t& object : outcome.detectable) rename(object);
      for (Hit& hit : outcome.hits) {
        for (ImpactedObject& impacted : hit.impacted) rename(impacted.object);
        for (ImpactedObject& impacted : hit.impacted_novel) rename(impacted.object);
        for (std::size_t& object : hit.detectable) rename(object);
        for (LifeLost& lost : hit.life_lost) rename(lost.object);
        if (hit.detection)
          for (DetectionByObject& by : hit.detection->objects) rename(by.object);
      }
    }
  }
}

}  // namespace

double Interaction::best_detectable() const {
  double sum = 0;
  std::size_t sure = 0;
  for (const BestShot& shot : best_shots) {
    sum += shot.p_visible * shot.probability;
    sure += shot.p_visible == 1;
  }
  return sure == best_shots.size() && sure > 0 ? 1 : sum;
}

double Interaction::best_detected() const {
  double sum = 0;
  for (const BestShot& shot : best_shots) {
    const std::optional<ShotDetection>& detection = targets[shot.target].hits[shot.hit].detection;
    if (detection) sum += shot.probability * detection->chance;
  }
  return sum;
}

std::vector<std::size_t> Interaction::best_targets() const {
  std::vector<std::size_t> best_of;
  for (const BestShot& shot : best_shots)
    if (best_of.empty() || best_of.back() != shot.target) best_of.push_back(shot.target);
  return best_of;
}

std::size_t Interaction::tied_targets() const {
  return static_cast<std::size_t>(std::count_if(targets.begin(), targets.end(), [&](const TargetOutcome& t) {
    return t.impact_score == targets[*best].impact_score;
  }));
}

std::optional<double> Difficulty::detected_at() const { return startle::detected_at(ends); }

bool covers(Method method, const Novelty& novelty) {
  const WorldChange& world = novelty.world;
  if (!world.any()) return true;
  return method == Method::extended && world.events.empty() &&
         std::all_of(world.fields.begin(), world.fields.end(),
                     [](const ForceField& field) { return field.region.whole() && field.from_bird == 0; });
}

void require_covered(Method method, const Novelty& novelty) {
  if (covers(method, novelty)) return;
  const bool extended = method == Method::published && covers(Method::extended, novelty);
  throw Error("novelty " + novelty.name + " (" + novelty.description + ") is not covered by " + name(method) +
              " reasoning; " +
              (extended ? "extended reasoning and simulation cover it" : "only simulation covers it"));
}

Difficulty compute_difficulty(const OrderedScene& ordered, const Novelty& novelty,
                              const DifficultyOptions& options) {
  if (!(options.alpha >= 0 && options.alpha <= 1))
    throw Error("alpha: found " + std::to_string(options.alpha) + ", allowed are 0 to 1");
  if (options.predict != Predict::nothing && options.method != Method::extended)
    throw Error("detection: found the method published; only extended reasoning predicts detection");
  const Scene& normal = ordered.scene();
  for (std::size_t i = 0; i < normal.objects.size(); ++i)
    if (normal.objects[i].novel)
      throw Error("scene: object " + std::to_string(ordered.numbers()[i]) +
                  " is novel already, allowed are normal objects only");

  const Predict predict = covers(Method::extended, novelty) ? options.predict : Predict::nothing;
  const Novelty in_order = ordered.novelty(novelty);
  RolloutState first{normal, make_search_space(normal, in_order, ordered.numbers()), {}, {}};
  mark_known_normal(first.space, normal, in_order, options.known_normal, ordered.numbers());

  Difficulty difficulty;
  difficulty.alpha = options.alpha;
  difficulty.state_update = options.state_update.name;
  difficulty.method = options.method;
  difficulty.ties = options.ties;
  difficulty.birds = normal.birds_left();
  difficulty.search_space = first.space;
  const Relation relation = blocking_relation(first.scene);
  const auto novel_world = [&](const Scene& scene) {
    Scene novel = scene;
    apply(in_order, novel);
    return novel;
  };
  difficulty.novel_objects = count_novel(novel_world(first.scene));

  const auto visit = [&](RolloutState& state, const StateChance& chance) -> StateView {
    Interaction interaction = assess(state.scene, novel_world(state.scene), state.space, relation,
                                     options.method, {options.ties, ordered.numbers()}, predict,
                                     chance.interaction == 1);
    interaction.chance = chance;
    interaction.after = state.after;
    interaction.after_hit = state.after_hit;
    state.interaction = difficulty.interactions.size();
    StateView view{interaction.counts, {interaction.best_shots.begin(), interaction.best_shots.end()}};
    difficulty.interactions.push_back(std::move(interaction));
    return view;
  };
  const auto next = [&](const RolloutState& state, std::optional<std::size_t> best_shot) {
    return shoot(state, in_order, options, difficulty.interactions[state.interaction], best_shot);
  };
  // Without novel objects nothing can be detected in any state: one way through them is as good as all.
  const std::size_t most_states = difficulty.novel_objects > 0 ? options.most_states : 1;
  RolloutResult states = rollout(
      std::move(first), {.birds = difficulty.birds, .most_states = most_states}, visit, next,
      [](const RolloutState& state) { return state_key(state.scene, state.space); });
  difficulty.ends = std::move(states.ends);
  if (difficulty.novel_objects > 0)
    difficulty.value_error = options.alpha * states.pid_error + (1 - options.alpha) * states.bid_error;
  static_cast<DifficultyValues&>(difficulty) = difficulty_values(difficulty.ends, difficulty.birds,
                                                                 options.alpha);
  if (predict != Predict::nothing)
    difficulty.detection = predicted_detection(difficulty.interactions, difficulty.birds);
  rename_objects(difficulty, ordered);
  return difficulty;
}

double detection_chance(const OrderedScene& ordered, const Novelty& novelty, const Shot& shot) {
  require_covered(Method::extended, novelty);
  const Scene& normal = ordered.scene();
  Scene novel = normal;
  apply(ordered.novelty(novelty), novel);
  const SupportGraph graph = support_graph(normal);
  const ContactNetwork network = contact_network(normal, graph.geometry);
  KnockOn shots(normal, graph, network);
  ShotComparison comparison(normal, novel, graph, network, shots);
  return detection_chance(detection_features(comparison.launches(shot, detection_aim_noise)));
}

}  // namespace startle
