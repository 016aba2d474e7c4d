#include "levels/solver.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/error.hpp"
#include "reasoning/qualitative/movement.hpp"
#include "reasoning/qualitative/support.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "reasoning/qualitative/trajectory.hpp"
#include "sim/world.hpp"

namespace startle {

namespace {

// A shot and how promising it is: smaller is better.
struct Candidate {
  int rank = 0;
  double distance = 0;  ///< from the aim to the nearest pig; breaks ties
  Shot shot;
};

// Seconds before first contact at which a bird uses its power: late enough to hit what was aimed at, early
// enough for the power to act.
constexpr double dash_lead = 0.2, split_lead = 0.25;
// Height above a pig at which a bird lets its egg go, world units.
constexpr double egg_height = 1.5;

double tap_time(const BirdType& bird, double contact_time) {
  switch (bird.power.kind) {
    case PowerKind::dash:
      return std::max(0.0, contact_time - dash_lead);
    case PowerKind::split:
      return std::max(0.0, contact_time - split_lead);
    default:
      return -1;  // a black bird explodes by itself after the contact, which is where it does most harm
  }
}

double distance_to_pigs(const Scene& scene, Vec2 point) {
  double nearest = 1e9;
  for (const SceneObject& object : scene.objects)
    if (object.alive && object.kind == Kind::pig)
      nearest = std::min(nearest, length(object.pose.position - point));
  return nearest;
}

bool moves_a_pig(const Scene& scene, const std::vector<ImpactedObject>& impacted) {
  return std::any_of(impacted.begin(), impacted.end(),
                     [&](const ImpactedObject& i) { return scene.objects[i.object].kind == Kind::pig; });
}

bool alike(const Shot& a, const Shot& b) {
  return std::abs(a.angle - b.angle) < radians(0.5) && std::abs(a.tap_time - b.tap_time) < 0.05;
}

}  // namespace

std::vector<Shot> candidate_shots(const Scene& scene, std::size_t limit) {
  if (scene.birds_left() == 0) return {};
  const BirdType& bird = scene.profile->bird(scene.birds[scene.next_bird]);
  std::vector<Candidate> candidates;

  const std::vector<Target> targets = find_targets(scene, bird);
  const SupportGraph graph = support_graph(scene);
  for (const Target& target : targets) {
    const SceneObject& object = scene.objects[target.object];
    int rank = 3;
    if (object.kind == Kind::pig)
      rank = 0;
    else if (object.kind == Kind::tnt ||
             moves_a_pig(scene, impacted_objects(scene, graph, target.object, bird)))
      rank = 2;
    for (const Trajectory& t : target.trajectories) {
      Shot shot = t.shot;
      shot.tap_time = tap_time(bird, t.time);
      candidates.push_back({rank, distance_to_pigs(scene, t.aim), shot});
    }
  }
  // Straight at pigs through whatever is in the way; with a white bird, over them.
  for (const SceneObject& object : scene.objects) {
    if (!object.alive || object.kind != Kind::pig) continue;
    const bool drops_egg = bird.power.kind == PowerKind::egg;
    const Vec2 aim = object.pose.position + Vec2{0, drops_egg ? egg_height : 0};
    for (const Trajectory& t : trajectories_through(scene, bird, aim)) {
      const double time = (aim.x - t.start.x) / t.velocity.x;
      Shot shot = t.shot;
      shot.tap_time = drops_egg ? time : tap_time(bird, time);
      candidates.push_back({drops_egg ? 0 : 1, 0, shot});
    }
  }
  for (double elevation : {15, 45, 0, 30, 60, 75})
    candidates.push_back({4, 0, {.angle = radians(elevation)}});

  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.rank, a.distance) < std::tie(b.rank, b.distance);
  });
  std::vector<Shot> shots;
  for (const Candidate& candidate : candidates) {
    if (shots.size() == limit) break;
    const bool known = std::any_of(shots.begin(), shots.end(),
                                   [&](const Shot& shot) { return alike(shot, candidate.shot); });
    if (!known) shots.push_back(candidate.shot);
  }
  return shots;
}

Solution solve(const Scene& start, const SolverOptions& options, const std::function<bool()>& keep_going) {
  if (options.shots_per_bird < 1 || options.simulations < 1)
    throw Error("solver: found shots_per_bird " + std::to_string(options.shots_per_bird) +
                " and simulations " + std::to_string(options.simulations) + "; both must be 1 or more");
  Solution solution;
  solution.scene = start;
  const auto pig_life = [](const Scene& scene) {
    double life = 0;
    for (const SceneObject& object : scene.objects)
      if (object.alive && object.kind == Kind::pig) life += object.life;
    return life;
  };
  while (!solution.scene.cleared() && solution.scene.birds_left() > 0 &&
         solution.simulations < options.simulations) {
    const std::vector<Shot> shots = candidate_shots(solution.scene,
                                                    static_cast<std::size_t>(options.shots_per_bird));
    std::tuple<double, int> best{1e300, 0};  // life left in the pigs, minus blocks destroyed
    ShotResult best_result;
    Shot best_shot;
    for (const Shot& shot : shots) {
      if (solution.simulations == options.simulations) break;
      if (keep_going && !keep_going()) return solution;
      ShotResult result = run_shot(solution.scene, shot);
      ++solution.simulations;
      const bool kills = result.trace.pigs_killed > 0;
      const std::tuple<double, int> value{pig_life(result.scene), -result.trace.blocks_destroyed};
      if (value >= best && !kills) continue;
      best = value;
      best_result = std::move(result);
      best_shot = shot;
      if (kills) break;
    }
    solution.shots.push_back(best_shot);
    solution.scene = std::move(best_result.scene);
  }
  solution.solved = solution.scene.cleared();
  return solution;
}

}  // namespace startle
