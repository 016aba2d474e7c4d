#include "difficulty/played_level.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "core/math.hpp"
#include "core/random.hpp"
#include "difficulty/best_target_player.hpp"
#include "difficulty/detection_model.hpp"
#include "difficulty/difficulty.hpp"
#include "difficulty/impact_score.hpp"
#include "difficulty/played_level_coefficients.hpp"
#include "reasoning/impulse/knock_on.hpp"
#include "statistics/false_alarms.hpp"
#include "statistics/sequential_evidence.hpp"

namespace startle {
namespace {

constexpr int imagined_plays = 512;
/// Shares of imagined plays are taken to be within this distance of 0 and 1.
constexpr double min_share = 0.01;

/// A shot at the first state.
struct FirstShot {
  double detected = false_alarm_chance;
  double power = 1;  ///< its p-value is at most t with a chance of t^power (alarm_chance())
  /// Of each pig, by number: a draw below it kills the pig. Pigs of a shot share their draw, and single
  /// predictions are too low: the square root of the predicted chance fits how long plays are.
  std::vector<double> kills;
};

struct FirstTarget {
  std::vector<FirstShot> shots;
  bool changed = false;       ///< some shot at it changes something
  double max_p_detected = 0;  ///< of these shots
};

/// All shots at the first state, each predicted when it is first asked for: a player of the best targets
/// shoots at a third of them.
class FirstShots {
 public:
  FirstShots(const Scene& normal, const Scene& novel)
      : graph_(support_graph(normal)),
        network_(contact_network(normal, graph_.geometry)),
        knock_on_(normal, graph_, network_),
        comparison_(normal, novel, graph_, network_, knock_on_),
        impacts_(target_impacts(normal, graph_)),
        known_(impacts_.targets.size()) {
    for (std::size_t i = 0; i < normal.objects.size(); ++i)
      if (normal.objects[i].alive && normal.objects[i].kind == Kind::pig) pigs_.push_back(i);
    const SearchSpace space = make_search_space(normal, {});
    for (const std::vector<ImpactedObject>& impacted : impacts_.impacted) {
      std::uint64_t& groups = groups_.emplace_back(0);
      for (const ImpactedObject& moved : impacted)
        if (const std::size_t group = space.group_of[moved.object]; group != SearchSpace::no_group)
          groups |= std::uint64_t{1} << (group % 64);
    }
  }
  FirstShots(const FirstShots&) = delete;  // its parts refer to each other
  FirstShots& operator=(const FirstShots&) = delete;

  std::size_t pigs() const { return pigs_.size(); }
  std::size_t targets() const { return groups_.size(); }
  /// A bit for each group that shots at the target move.
  std::uint64_t groups(std::size_t target) const { return groups_[target]; }
  const FirstTarget& at(std::size_t target) {
    std::optional<FirstTarget>& known = known_[target];
    if (!known) known = predict(impacts_.targets[target].trajectories);
    return *known;
  }
  bool predicted(std::size_t target) const { return known_[target].has_value(); }

 private:
  FirstTarget predict(const std::vector<Trajectory>& trajectories) {
    FirstTarget target;
    for (const Trajectory& trajectory : trajectories) {
      FirstShot& shot = target.shots.emplace_back();
      const std::vector<LaunchChange> launches = comparison_.launches(trajectory.shot, detection_aim_noise);
      const DetectionFeatures features = detection_features(launches);
      shot.detected = detection_chance(features);
      shot.power = math::log(std::min(shot.detected, 0.9999)) / math::log(false_alarm_chance);
      target.changed = target.changed || features.change > 0;
      target.max_p_detected = std::max(target.max_p_detected, shot.detected);
      for (const std::size_t pig : pigs_) {
        double dies = 0;
        for (const LaunchChange& launch : launches)
          for (const ObjectChange& object : launch.objects)
            if (object.object == pig) dies += object.dies / static_cast<double>(launches.size());
        shot.kills.push_back(std::sqrt(dies));
      }
    }
    return target;
  }

  SupportGraph graph_;
  ContactNetwork network_;
  KnockOn knock_on_;
  ShotComparison comparison_;
  TargetImpacts impacts_;
  std::vector<std::size_t> pigs_;
  std::vector<std::uint64_t> groups_;
  std::vector<std::optional<FirstTarget>> known_;
};

/// The next target's position, by the rule of BestTargetPlayer or any of them. `known` are the groups that it
/// has moved.
std::size_t next_target(const FirstShots& all, bool best, std::uint64_t& known, double draw,
                        std::vector<std::size_t>& tied) {
  const auto drawn = [&](std::size_t count) {
    return std::min(static_cast<std::size_t>(draw * static_cast<double>(count)), count - 1);
  };
  if (!best) return drawn(all.targets());
  for (;;) {
    int most = 0;
    for (std::size_t t = 0; t < all.targets(); ++t) {
      const int score = std::popcount(all.groups(t) & ~known);
      if (score > most || t == 0) {
        tied.clear();
        most = score;
      }
      if (score == most) tied.push_back(t);
    }
    if (most > 0 || known == 0) break;
    known = 0;
  }
  const std::size_t chosen = tied[drawn(tied.size())];
  known |= all.groups(chosen);
  return chosen;
}

/// Plays of the level that never leaves its first state.
struct ImaginedPlays {
  double alarms = 0;    ///< share with an alarm
  double shots = 0;     ///< mean
  double detected = 0;  ///< mean chance of a shot
};

ImaginedPlays imagine_plays(FirstShots& all, bool best, std::size_t birds) {
  ImaginedPlays result;
  if (all.targets() == 0) return result;
  const double log_alarm = log_evidence_of_alarm(birds), drift = math::log(kappa);
  Random random(stream_seed(1, "imagined plays"));
  std::vector<std::size_t> tied;
  std::vector<char> alive;
  int alarms = 0, shots = 0;
  double detected = 0;
  for (int play = 0; play < imagined_plays; ++play) {
    alive.assign(all.pigs(), 1);
    std::uint64_t known = 0;
    double evidence = 0;
    bool alarm = false, over = false;
    for (std::size_t bird = 0; bird < birds; ++bird) {
      // Drawn for all birds, so that plays that end sooner change nothing of those that follow.
      const double aim = random.uniform(), way = random.uniform(), hit = random.uniform(),
                   p = 1 - random.uniform();
      if (over) continue;
      const FirstTarget& target = all.at(next_target(all, best, known, aim, tied));
      const FirstShot& shot = target.shots[std::min(
          static_cast<std::size_t>(way * static_cast<double>(target.shots.size())), target.shots.size() - 1)];
      ++shots;
      detected += shot.detected;
      const double log_p = math::log(p) / shot.power;
      evidence = std::max(evidence, 0.0) + drift - (1 - kappa) * log_p;
      alarm = alarm || evidence >= log_alarm;
      over = true;
      for (std::size_t pig = 0; pig < alive.size(); ++pig) {
        if (hit < shot.kills[pig]) alive[pig] = 0;
        over = over && !alive[pig];
      }
    }
    alarms += alarm;
  }
  result.alarms = static_cast<double>(alarms) / imagined_plays;
  result.shots = static_cast<double>(shots) / imagined_plays;
  result.detected = detected / shots;
  return result;
}

}  // namespace

double calibrated(const AlarmCalibration& calibration, double imagined, double shots) {
  const double share = std::clamp(imagined, min_share, 1 - min_share),
               log_odds = math::log(share / (1 - share)),
               of_several = calibration.intercept + calibration.slope * log_odds +
                            calibration.slope_of_rare * std::min(log_odds - rare_alarms, 0.0),
               several = std::clamp((shots - 1) / (several_shots - 1), 0.0, 1.0);
  return 1 / (1 + math::exp(-std::lerp(log_odds, of_several, several)));
}

namespace {

/// Of the best-target player; the greatest chance of a shot is looked for until one is `enough`, and only
/// where it is `worth` it. A play of fewer than `min_shots` is calibrated as one of so many.
PredictedLevel predict(FirstShots& all, std::size_t birds, double enough, double min_shots,
                       const std::function<bool(const PredictedLevel&)>& worth = {}) {
  PredictedLevel level;
  const ImaginedPlays plays = imagine_plays(all, true, birds);
  level.shots = plays.shots;
  level.imagined = plays.alarms;
  level.player_p_detected = plays.detected;
  level.targets = all.targets();
  level.p_level = level.p_level_random = false_alarm_rate;
  bool changed = false;
  const auto take = [&](const FirstTarget& target) {
    changed = changed || target.changed;
    level.max_p_detected = std::max(level.max_p_detected, target.max_p_detected);
    if (changed)
      level.p_level = calibrated(best_target_calibration, plays.alarms, std::max(plays.shots, min_shots));
  };
  for (const bool taken : {true, false}) {  // first those that the player has shot at
    for (std::size_t t = 0; t < all.targets() && !(changed && level.max_p_detected >= enough); ++t)
      if (all.predicted(t) == taken) take(all.at(t));
    if (changed && worth && !worth(level)) break;
  }
  return level;
}

template <typename Predict>
PredictedLevel predict_with(const OrderedScene& ordered, const Novelty& novelty, const Predict& of_shots) {
  require_covered(Method::extended, novelty);
  const Scene& normal = ordered.scene();
  if (normal.birds_left() == 0 || normal.cleared()) return {};
  Scene novel = normal;
  apply(ordered.novelty(novelty), novel);
  FirstShots all(normal, novel);
  return of_shots(all, normal.birds_left());
}

}  // namespace

PredictedLevel predict_for_search(const OrderedScene& ordered, const Novelty& novelty, double enough,
                                  const std::function<bool(const PredictedLevel&)>& worth) {
  return predict_with(ordered, novelty, [&](FirstShots& all, std::size_t birds) {
    return predict(all, birds, enough, several_shots, worth);
  });
}

PredictedLevel predict_level(const OrderedScene& ordered, const Novelty& novelty) {
  return predict_with(ordered, novelty, [](FirstShots& all, std::size_t birds) {
    PredictedLevel level = predict(all, birds, math::infinity, 1);
    const ImaginedPlays random = imagine_plays(all, false, birds);
    level.imagined_random = random.alarms;
    level.shots_random = random.shots;
    bool changed = false;
    for (std::size_t t = 0; t < all.targets(); ++t) {
      const FirstTarget& target = all.at(t);
      changed = changed || target.changed;
      level.telling_targets += target.max_p_detected >= telling_p_detected;
      for (const FirstShot& shot : target.shots)
        level.mean_p_detected += shot.detected / static_cast<double>(all.targets() * target.shots.size());
    }
    if (changed) level.p_level_random = calibrated(random_target_calibration, random.alarms, random.shots);
    return level;
  });
}

}  // namespace startle
