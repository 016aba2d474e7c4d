#include "simulated/visible_shots.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "core/random.hpp"
#include "difficulty/difficulty.hpp"
#include "reasoning/targets.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

/// A shot announced in a state of the normal world.
struct AnnouncedShot {
  std::shared_ptr<const Scene> before;
  Shot shot;
};

/// `count` best shots of the first state: every one of those that tie as often as its probability says, to
/// within one.
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
  while (shots.size() < noise.launches) {
    const std::vector<Trajectory>& trajectories = random.choice(targets).trajectories;
    shots.push_back({normal, random.choice(trajectories).shot});
  }
  return shots;
}

std::vector<AnnouncedShot> solution_shots(std::shared_ptr<const Scene> normal,
                                          const std::vector<Shot>& solution, std::size_t count) {
  std::vector<AnnouncedShot> once;
  for (const Shot& shot : solution) {
    if (normal->birds_left() == 0) break;
    once.push_back({normal, shot});
    if (once.size() < solution.size())
      normal = std::make_shared<const Scene>(fly_normal(*normal, shot).after);
  }
  std::vector<AnnouncedShot> shots;
  for (std::size_t i = 0; i < count && !once.empty(); ++i) shots.push_back(once[i % once.size()]);
  return shots;
}

Shot perturbed(Shot shot, double perturbation) {
  shot.angle += perturbation;
  return shot;
}

/// Shown, and apart without novelty where that is asked for.
std::pair<Rate, Rate> rates(const std::vector<AnnouncedShot>& shots, const Novelty& novelty,
                            const std::vector<double>& perturbations, bool without_novelty) {
  std::pair<Rate, Rate> found;
  for (std::size_t i = 0; i < shots.size(); ++i) {
    const Scene& normal = *shots[i].before;
    const Scene novel = novel_twin(normal, novelty);
    const Shot shot = perturbed(shots[i].shot, perturbations[i]);
    found.first.hits += anything_novel(novel) && worlds_part({normal, shot}, {novel, shot}, true);
    ++found.first.count;
    if (!without_novelty) continue;
    found.second.hits += worlds_part(
        {normal, shot}, {normal, perturbed(shots[i].shot, perturbations[(i + 1) % perturbations.size()])},
        false);
    ++found.second.count;
  }
  return found;
}

}  // namespace

VisibleShots visible_shots(const OrderedScene& normal, const Novelty& of_level,
                           const std::vector<Shot>& solution, const AimNoise& noise, bool without_novelty) {
  const std::vector<double> perturbations = perturbations_of(noise);
  const std::shared_ptr<const Scene> scene = normal.shared();
  const Novelty novelty = normal.novelty(of_level);
  VisibleShots visible;
  std::tie(visible.best, visible.best_without) = rates(best_shots(scene, novelty, noise.launches), novelty,
                                                       perturbations, without_novelty);
  std::tie(visible.random, visible.random_without) = rates(random_shots(scene, noise), novelty, perturbations,
                                                           without_novelty);
  std::tie(visible.solution, visible.solution_without) = rates(
      solution_shots(scene, solution, noise.launches), novelty, perturbations, without_novelty);
  return visible;
}

DetectedShots detected_shots(const OrderedScene& normal, const Novelty& of_level, const AimNoise& noise,
                             const ObserverOptions& options) {
  require_valid(options);
  const std::vector<double> perturbations = perturbations_of(noise);
  const Novelty novelty = normal.novelty(of_level);
  const Scene novel = novel_twin(normal.scene(), novelty);
  DetectedShots detected;
  std::optional<Observer> observer;  // best shots that are alike stand together
  const std::vector<AnnouncedShot> shots = best_shots(normal.shared(), novelty, noise.launches);
  for (std::size_t i = 0; i < shots.size(); ++i) {
    if (!observer || shots[i].shot != shots[i - 1].shot)
      observer.emplace(normal.scene(), shots[i].shot, Viewing{}, options);
    const Shot launched = perturbed(shots[i].shot, perturbations[i]);
    const auto sees = [&](const Scene& world) {
      return observer->detects(run_shot(world, launched, {.record_every = observer->record_every()}).trace);
    };
    detected.novel.hits += sees(novel);
    detected.normal.hits += sees(normal.scene());
    ++detected.novel.count;
    ++detected.normal.count;
  }
  return detected;
}

}  // namespace startle
