#include "detection/dynamics_shots.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "detection/video_tracker.hpp"
#include "levels/generators.hpp"
#include "levels/verify.hpp"
#include "reasoning/targets.hpp"
#include "sim/world.hpp"

namespace startle {
namespace {

constexpr int most_draws = 100;
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

std::vector<Shot> random_shots(const Scene& scene, std::size_t count, Random& random) {
  const std::vector<Target> targets = find_targets(scene, scene.profile->bird(scene.birds[scene.next_bird]),
                                                   blocking_relation(scene));
  std::vector<Shot> shots;
  for (std::size_t i = 0; i < count && !targets.empty(); ++i) {
    shots.push_back(random.choice(random.choice(targets).trajectories).shot);
    shots.back().angle += aim_spread * random.normal();
    if (random.chance(anywhere)) shots.back().angle = random.uniform(0, highest);
    if (random.chance(tapped)) shots.back().tap_time = random.uniform(first_tap, last_tap);
  }
  return shots;
}

std::vector<DynamicsShot> shots_at_level(const DynamicsShots& settings, std::size_t number,
                                         const std::shared_ptr<const Profile>& profile) {
  Random random(stream_seed(settings.seed, "laws", number));
  const Scene first = standing_level(settings, number, profile, random);
  std::vector<DynamicsShot> found;
  const auto fly = [&](const Scene& normal, const Shot& shot) {
    const Trace trace = run_shot(normal, shot, {.record_every = settings.stride}).trace;
    found.push_back({number, settings.video ? contact_events(normal, track_video(normal, shot, trace), 0,
                                                             video_camera(normal).seen())
                                            : contact_events(normal, trace, settings.pixel)});
  };
  const std::size_t later = settings.shots / 4;
  const std::vector<Shot> shots = random_shots(first, settings.shots - later, random);
  for (const Shot& shot : shots) fly(first, shot);
  if (later == 0 || shots.empty()) return found;
  const Scene next = run_shot(first, shots.front()).scene;
  if (!at_rest(next) || next.birds_left() == 0) return found;
  for (const Shot& shot : random_shots(next, later, random)) fly(next, shot);
  return found;
}

}  // namespace

std::vector<DynamicsShot> draw_dynamics_shots(const DynamicsShots& settings,
                                              std::shared_ptr<const Profile> profile) {
  std::vector<std::vector<DynamicsShot>> levels(settings.levels);
  std::mutex progress;
  parallel_for(settings.levels, settings.threads, [&](std::size_t i) {
    levels[i] = shots_at_level(settings, i, profile);
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
