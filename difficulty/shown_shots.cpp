#include "difficulty/shown_shots.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "difficulty/difficulty.hpp"
#include "difficulty/twin.hpp"
#include "reasoning/targets.hpp"
#include "sim/random.hpp"
#include "sim/world.hpp"

namespace startle {
namespace {

/// A shot announced in a state of the normal world.
struct AnnouncedShot {
  std::shared_ptr<const Scene> before;
  Shot shot;
};

/// `count` best shots of the first state: every one of those that tie as often as its probability says, to within one.
std::vector<AnnouncedShot> best_shots(std::shared_ptr<const Scene> normal, const Novelty& novelty,
                                      std::size_t count) {
  const Difficulty difficulty = compute_difficulty(*normal, novelty,
                                                   {.method = Method::extended, .most_states = 1});
  std::vector<AnnouncedShot> shots;
  if (difficulty.interactions.empty() || difficulty.interactions.front().best_shots.empty()) return shots;
  const Interaction& first = difficulty.interactions.front();
  double below = 0;
  for (const BestShot& best : first.best_shots) {
    below += best.probability;
    const Shot& shot = first.targets[best.target].shot(best.hit);
    while (shots.size() < count &&
           (static_cast<double>(shots.size()) + 0.5) / static_cast<double>(count) < below)
      shots.push_back({normal, shot});
  }
  while (shots.size() < count)
    shots.push_back(shots.back());  // probabilities add up to 1 less a rounding error
  return shots;
}

std::vector<AnnouncedShot> random_shots(std::shared_ptr<const Scene> normal, const AimNoise& noise) {
  std::vector<AnnouncedShot> shots;
  if (normal->birds_left() == 0) return shots;
  const std::vector<Target> targets = find_targets(
      *normal, normal->profile->bird(normal->birds[normal->next_bird]), blocking_relation(*normal));
  if (targets.empty()) return shots;
  Random random(stream_seed(noise.seed, "random shots"));
  while (shots.size() < noise.repeats) {
    const std::vector<Trajectory>& trajectories = random.choice(targets).trajectories;
    shots.push_back({normal, random.choice(trajectories).shot});
  }
  return shots;
}

std::vector<AnnouncedShot> proof_shots(std::shared_ptr<const Scene> normal, const std::vector<Shot>& proof,
                                       std::size_t count) {
  std::vector<AnnouncedShot> once;
  for (const Shot& shot : proof) {
    if (normal->birds_left() == 0) break;
    once.push_back({normal, shot});
    if (once.size() < proof.size()) normal = std::make_shared<const Scene>(fly_normal(*normal, shot).after);
  }
  std::vector<AnnouncedShot> shots;
  for (std::size_t i = 0; i < count && !once.empty(); ++i) shots.push_back(once[i % once.size()]);
  return shots;
}

Shot turned(Shot shot, double turn) {
  shot.angle += turn;
  return shot;
}

/// Shown, and apart without novelty where that is asked for.
std::pair<Rate, Rate> rates(const std::vector<AnnouncedShot>& shots, const Novelty& novelty,
                            const std::vector<double>& turns, bool without_novelty) {
  std::pair<Rate, Rate> found;
  for (std::size_t i = 0; i < shots.size(); ++i) {
    const Scene& normal = *shots[i].before;
    const Scene novel = novel_twin(normal, novelty);
    const Shot shot = turned(shots[i].shot, turns[i]);
    found.first.hits += anything_novel(novel) && worlds_part({normal, shot}, {novel, shot}, true);
    ++found.first.count;
    if (!without_novelty) continue;
    found.second.hits += worlds_part({normal, shot},
                                     {normal, turned(shots[i].shot, turns[(i + 1) % turns.size()])}, false);
    ++found.second.count;
  }
  return found;
}

/// The scene and the novelty as their figures do not depend on the order of a file.
struct Ordered {
  std::shared_ptr<const Scene> scene;
  Novelty novelty;
};

Ordered ordered(const Scene& normal, const Novelty& novelty) {
  const std::vector<std::size_t> order = geometric_order(normal);
  return {std::make_shared<const Scene>(reordered(normal, order)), reordered(novelty, order)};
}

}  // namespace

ShownShots shown_shots(const Scene& normal, const Novelty& novelty, const std::vector<Shot>& proof,
                       const AimNoise& noise, bool without_novelty) {
  const std::vector<double> turns = turns_of(noise);
  const Ordered level = ordered(normal, novelty);
  ShownShots shown;
  std::tie(shown.best, shown.best_without) = rates(best_shots(level.scene, level.novelty, noise.repeats),
                                                   level.novelty, turns, without_novelty);
  std::tie(shown.random, shown.random_without) = rates(random_shots(level.scene, noise), level.novelty, turns,
                                                       without_novelty);
  std::tie(shown.proof, shown.proof_without) = rates(proof_shots(level.scene, proof, noise.repeats),
                                                     level.novelty, turns, without_novelty);
  return shown;
}

NoticedShots noticed_shots(const Scene& normal, const Novelty& novelty, const AimNoise& noise,
                           const ObserverOptions& options,
                           const std::function<bool(const Rate&)>& worthwhile) {
  require_valid(options);
  const std::vector<double> turns = turns_of(noise);
  const Ordered level = ordered(normal, novelty);
  const Scene novel = novel_twin(*level.scene, level.novelty);
  NoticedShots noticed;
  std::optional<Observer> observer;  // best shots that are alike stand together
  const std::vector<AnnouncedShot> shots = best_shots(level.scene, level.novelty, noise.repeats);
  for (std::size_t i = 0; i < shots.size(); ++i) {
    if (!observer || shots[i].shot != shots[i - 1].shot)
      observer.emplace(*level.scene, shots[i].shot, Viewing{}, options);
    const Shot launched = turned(shots[i].shot, turns[i]);
    const auto sees = [&](const Scene& world) {
      return observer->judge(run_shot(world, launched, {.record_every = observer->record_every()}).trace).p <=
             noticed_p + 1e-12;
    };
    noticed.novel.hits += sees(novel);
    noticed.normal.hits += sees(*level.scene);
    ++noticed.novel.count;
    ++noticed.normal.count;
    if (worthwhile && !worthwhile(noticed.novel)) break;
  }
  return noticed;
}

}  // namespace startle
