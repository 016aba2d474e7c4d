#include "surprise/dynamics/dynamics_shots.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "levels/generators.hpp"
#include "levels/verify.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "sim/world.hpp"
#include "surprise/dynamics/video_tracker.hpp"

namespace startle {
namespace {

constexpr int most_draws = 100;
constexpr int shots_off_solution = 2;             // of played ones, a level
constexpr double aim_spread = 0.01;               // rad
constexpr double anywhere = 0.25, highest = 1.4;  // share of shots at no target, and their largest angle, rad
constexpr double tapped = 0.4, first_tap = 0.2, last_tap = 2;  // share of shots with a tap, and when, s

Scene standing_level(const DynamicsShots& settings, std::size_t number,
                     const std::shared_ptr<const Profile>& profile, Random& random) {
  const GeneratorInfo& family = generator_families()[number % generator_families().size()];
  for (int draw = 0; draw < most_draws; ++draw) {
    const StabilityVerification stability = verify_stability(generate_candidate(family, *profile, random),
                                                             profile);
    if (stability.verdict == Verdict::verified && stability.scene.birds_left() >= 2) return stability.scene;
  }
  throw Error("dynamics shots: profile " + profile->name + ", family " + family.name + ", seed " +
              std::to_string(settings.seed) + ": none of " + std::to_string(most_draws) +
              " candidates stands");
}

std::vector<Target> targets_of(const Scene& scene) {
  return find_targets(scene, scene.profile->bird(scene.birds[scene.next_bird]), blocking_relation(scene));
}

std::vector<Shot> random_shots(const Scene& scene, std::size_t count, Random& random) {
  const std::vector<Target> targets = targets_of(scene);
  std::vector<Shot> shots;
  for (std::size_t i = 0; i < count && !targets.empty(); ++i) {
    shots.push_back(random.choice(random.choice(targets).trajectories).shot);
    shots.back().angle += aim_spread * random.normal();
    if (random.chance(anywhere)) shots.back().angle = random.uniform(0, highest);
    if (random.chance(tapped)) shots.back().tap_time = random.uniform(first_tap, last_tap);
  }
  return shots;
}

/// What is seen of a shot, and how it leaves the level.
Scene fly(const DynamicsShots& settings, std::size_t number, const Scene& normal, const Shot& shot,
          std::vector<DynamicsShot>& found) {
  ShotResult result = run_shot(normal, shot, {.record_every = settings.stride});
  found.push_back({number, settings.video ? contact_events(normal, track_video(normal, shot, result.trace), 0,
                                                           video_camera(normal).seen())
                                          : contact_events(normal, result.trace, settings.pixel)});
  return std::move(result.scene);
}

std::vector<DynamicsShot> shots_at_level(const DynamicsShots& settings, std::size_t number,
                                         const std::shared_ptr<const Profile>& profile) {
  Random random(stream_seed(settings.seed, "laws", number));
  const Scene first = standing_level(settings, number, profile, random);
  std::vector<DynamicsShot> found;
  const std::size_t later = settings.shots / 4;
  const std::vector<Shot> shots = random_shots(first, settings.shots - later, random);
  for (const Shot& shot : shots) fly(settings, number, first, shot, found);
  if (later == 0 || shots.empty()) return found;
  const Scene next = run_shot(first, shots.front()).scene;
  if (!at_rest(next) || next.birds_left() == 0) return found;
  for (const Shot& shot : random_shots(next, later, random)) fly(settings, number, next, shot, found);
  return found;
}

std::vector<DynamicsShot> played_shots_at_level(const DynamicsShots& settings, std::size_t number,
                                                const std::shared_ptr<const Profile>& profile) {
  Random random(stream_seed(settings.seed, "played", number));
  const std::vector<GeneratorInfo>& families = generator_families();
  const Level level = generate_level(families[number % families.size()], settings.seed, number, profile);
  Scene scene = settle(make_scene(level, profile));
  std::vector<DynamicsShot> found;
  for (int i = 0; i < shots_off_solution; ++i)
    fly(settings, number, scene, random.choice(random.choice(targets_of(scene)).trajectories).shot, found);
  for (const Shot& shot : level.provenance->solution) {
    if (scene.birds_left() == 0) break;
    scene = fly(settings, number, scene, shot, found);
  }
  return found;
}

}  // namespace

std::vector<DynamicsShot> draw_dynamics_shots(const DynamicsShots& settings,
                                              std::shared_ptr<const Profile> profile) {
  std::vector<std::vector<DynamicsShot>> levels(settings.levels);
  std::mutex progress;
  parallel_for(settings.levels, settings.threads, [&](std::size_t i) {
    levels[i] = settings.played ? played_shots_at_level(settings, i, profile)
                                : shots_at_level(settings, i, profile);
    if (!settings.progress) return;
    const std::lock_guard<std::mutex> lock(progress);
    settings.progress();
  });
  std::vector<DynamicsShot> all;
  for (std::vector<DynamicsShot>& level : levels)
    std::move(level.begin(), level.end(), std::back_inserter(all));
  return all;
}

}  // namespace startle
