#include "simulated/played_level.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "core/error.hpp"
#include "core/math.hpp"
#include "difficulty/best_target_player.hpp"
#include "reasoning/qualitative/support.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"
#include "statistics/false_alarms.hpp"
#include "statistics/rank_correlation.hpp"
#include "statistics/sequential_evidence.hpp"

namespace startle {
namespace {

constexpr const char* player_names[] = {"best-target", "random-target"};

/// Where the player finds no target.
constexpr double steepest_blind_deg = 80;

/// Equal for states in which an Observer of the same shot tells the same.
std::vector<double> state_of(const Scene& normal, const Shot& announced) {
  std::vector<double> state{static_cast<double>(normal.next_bird), announced.angle};
  for (const SceneObject& object : normal.objects) {
    if (!object.alive) {
      state.push_back(-1);
      continue;
    }
    state.insert(state.end(), {object.life, object.pose.position.x, object.pose.position.y, object.pose.angle,
                               object.velocity.x, object.velocity.y, object.angular_velocity});
  }
  return state;
}

/// Shots of a player at one level.
class Aim {
 public:
  Aim(ReferencePlayer player, std::uint64_t seed) : player_(player), random_(seed) {}

  /// `normal` is what the player sees: places, and no novelty.
  Shot next(const Scene& normal) {
    const TargetImpacts impacts = look(normal);
    if (impacts.targets.empty()) {
      const double angle = radians(random_.uniform(0, steepest_blind_deg));
      const bool rightwards = blocking_relation(normal)({2, 3, 0, 1}, {0, 1, 0, 1});  // as left_of() has it
      return {.angle = rightwards ? angle : radians(180) - angle};
    }
    std::size_t target = 0;
    if (player_ == ReferencePlayer::random_target) {
      target = static_cast<std::size_t>(random_.integer(0, static_cast<int>(impacts.targets.size()) - 1));
    } else {
      target = random_.choice(best_target_.best(normal, impacts));
      best_target_.shoot_at(normal, impacts, target);
    }
    return random_.choice(impacts.targets[target].trajectories).shot;
  }

 private:
  TargetImpacts look(const Scene& normal) const {
    if (player_ == ReferencePlayer::best_target) return target_impacts(normal, support_graph(normal));
    return {.targets = find_targets(normal, normal.bird(), blocking_relation(normal)), .impacted = {}};
  }

  ReferencePlayer player_;
  Random random_;
  BestTargetPlayer best_target_;
};

constexpr int draws = 256;

/// Of a shot in the novel world that looks just as in the normal one: there every rank is equally likely, by
/// construction of the observer, so that none need be flown.
constexpr ShotRank any_rank{1, 1};

/// Whether evidence of these p-values reaches the alarm of a play of so many birds at most.
bool raises_alarm(const std::vector<double>& p_values, double log_alarm) {
  double evidence = 0;
  for (const double p : p_values) {
    evidence = std::max(evidence, 0.0) + math::log(e_value(p));
    if (evidence >= log_alarm) return true;
  }
  return false;
}

}  // namespace

const char* name(ReferencePlayer player) { return player_names[static_cast<int>(player)]; }

std::optional<ReferencePlayer> player_from_name(const std::string& name) {
  for (const ReferencePlayer player : {ReferencePlayer::best_target, ReferencePlayer::random_target})
    if (name == startle::name(player)) return player;
  return std::nullopt;
}

void require_valid(const PlayOptions& options) {
  require_valid(options.observer);
  if (options.plays < 1 || options.plays > 1000)
    throw Error("plays: found " + std::to_string(options.plays) + ", allowed are 1 to 1000");
  if (options.null_plays && (*options.null_plays < 0 || *options.null_plays > options.plays))
    throw Error("null-plays: found " + std::to_string(*options.null_plays) + ", allowed are 0 to " +
                std::to_string(options.plays) + ", the number of plays");
}

bool is_null_play(const PlayOptions& options, std::size_t index) {
  return index < static_cast<std::size_t>(options.null_plays.value_or(options.plays));
}

double alarm_chance(const std::vector<ShotRank>& ranks, std::size_t birds) {
  if (ranks.empty() || birds == 0) return 0;
  const double log_alarm = log_evidence_of_alarm(birds);
  std::vector<double> least, most;
  for (const ShotRank& r : ranks) {
    most.push_back(static_cast<double>(r.rank) / r.of);
    least.push_back(std::max(static_cast<double>(r.rank - 1) / r.of, 1e-12));
  }
  if (raises_alarm(most, log_alarm)) return 1;
  if (!raises_alarm(least, log_alarm)) return 0;
  Random random(stream_seed(1, "ranks of a play"));
  int raised = 0;
  std::vector<double> p_values(ranks.size());
  for (int i = 0; i < draws; ++i) {
    for (std::size_t k = 0; k < ranks.size(); ++k)
      p_values[k] = (ranks[k].rank - random.uniform()) / ranks[k].of;
    raised += raises_alarm(p_values, log_alarm);
  }
  return static_cast<double>(raised) / draws;
}

std::vector<LevelPlay> play_once(const OrderedScene& level, const std::string& level_name,
                                 const std::vector<Novelty>& novelties, const PlayOptions& options,
                                 std::size_t index) {
  require_valid(options);
  const Scene& start = level.scene();
  if (start.cleared()) throw Error(level_name + ": the level has no pig, so that nobody plays it");
  const std::uint64_t seed = stream_seed(stream_seed(options.observer.seed, level_name), name(options.player),
                                         index);
  std::vector<Scene> worlds{start};
  for (const Novelty& novelty : novelties) worlds.push_back(novel_twin(start, level.novelty(novelty)));
  std::map<std::vector<double>, std::unique_ptr<Observer>> observers;
  std::vector<LevelPlay> plays;
  for (Scene& scene : worlds) {
    LevelPlay& play = plays.emplace_back();
    if (plays.size() == 1 && !is_null_play(options, index)) continue;
    const std::size_t birds = scene.birds_left();
    Aim aim(options.player, stream_seed(seed, "targets"));
    std::vector<ShotRank> ranks;
    while (scene.birds_left() > 0 && !scene.cleared()) {
      const Scene normal = normal_twin(scene, start);
      const Shot announced = aim.next(normal);
      const std::uint64_t shot_number = play.shots.size();
      play.shots.push_back({announced, {}});
      Shot launched = announced;
      launched.angle += aim_perturbation(options.observer.aim_noise, stream_seed(seed, "launches"),
                                         shot_number);
      if (play.detected == 1) {  // nothing is left to be tested
        scene = run_shot(scene, launched).scene;
        continue;
      }
      std::unique_ptr<Observer>& observer = observers[state_of(normal, announced)];
      if (!observer) {
        ObserverOptions own = options.observer;  // other shots to compare with for each shot of the play
        own.seed = stream_seed(seed, "observer", shot_number);
        observer = std::make_unique<Observer>(normal, announced, Viewing{}, own);
      }
      const WorldOptions recorded{.record_every = observer->record_every()};
      ShotResult result = run_shot(scene, launched, recorded);
      const auto is_normal_shot = [&] {
        return plays.size() > 1 && observer->alike(result.trace, run_shot(normal, launched, recorded).trace);
      };
      ranks.push_back(is_normal_shot() ? any_rank : observer->rank(result.trace));
      play.shots.back().rank = ranks.back();
      play.detected = alarm_chance(ranks, birds);
      scene = std::move(result.scene);
    }
    play.cleared = scene.cleared();
  }
  return plays;
}

LevelPlays play_level(const OrderedScene& level, const std::string& level_name,
                      const std::vector<Novelty>& novelties, const PlayOptions& options) {
  LevelPlays all{.normal = {}, .novel = std::vector<std::vector<LevelPlay>>(novelties.size())};
  for (int i = 0; i < options.plays; ++i) {
    const std::vector<LevelPlay> plays = play_once(level, level_name, novelties, options,
                                                   static_cast<std::size_t>(i));
    if (is_null_play(options, static_cast<std::size_t>(i))) all.normal.push_back(plays.front());
    for (std::size_t n = 0; n < novelties.size(); ++n) all.novel[n].push_back(plays[n + 1]);
  }
  return all;
}

namespace {

template <typename Value>
double mean_of(const std::vector<LevelPlay>& plays, const Value& value) {
  if (plays.empty()) return 0;
  double sum = 0;
  for (const LevelPlay& play : plays) sum += static_cast<double>(value(play));
  return sum / static_cast<double>(plays.size());
}

}  // namespace

double mean_detected(const std::vector<LevelPlay>& plays) {
  return mean_of(plays, [](const LevelPlay& play) { return play.detected; });
}
double mean_shots(const std::vector<LevelPlay>& plays) {
  return mean_of(plays, [](const LevelPlay& play) { return play.shots.size(); });
}
double share_cleared(const std::vector<LevelPlay>& plays) {
  return mean_of(plays, [](const LevelPlay& play) { return play.cleared; });
}

std::optional<double> reliability(const std::vector<std::vector<LevelPlay>>& levels) {
  std::vector<double> even, odd;
  for (const std::vector<LevelPlay>& plays : levels) {
    if (plays.size() < 2) return std::nullopt;
    std::vector<LevelPlay> halves[2];
    for (std::size_t i = 0; i < plays.size(); ++i) halves[i % 2].push_back(plays[i]);
    even.push_back(mean_detected(halves[0]));
    odd.push_back(mean_detected(halves[1]));
  }
  if (levels.size() < 3) return std::nullopt;
  const std::optional<double> rho = spearman(even, odd);
  return rho && *rho > 0 ? 2 * *rho / (1 + *rho) : rho;
}

}  // namespace startle
