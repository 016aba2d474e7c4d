#include "difficulty/played_level.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/math.hpp"
#include "core/random.hpp"
#include "difficulty/best_target_player.hpp"
#include "difficulty/detection_model.hpp"
#include "difficulty/difficulty.hpp"
#include "difficulty/impact_score.hpp"
#include "difficulty/played_level_coefficients.hpp"
#include "reasoning/detectability.hpp"
#include "reasoning/knock_on.hpp"
#include "statistics/false_alarms.hpp"
#include "statistics/sequential_evidence.hpp"

namespace startle {
namespace {

constexpr int imagined_plays = 512;
/// Shares of imagined plays are taken to be within this distance of 0 and 1.
constexpr double least_share = 0.01;

/// A shot at the first state.
struct FirstShot {
  double detected = false_alarm_chance;
  /// Of each pig, by number: a draw below it kills the pig. Pigs of a shot share their draw, and single
  /// predictions are too low: the square root of the predicted chance fits how long plays are.
  std::vector<double> kills;
};

struct FirstTarget {
  std::uint64_t groups = 0;  ///< a bit for each that it moves
  std::vector<FirstShot> shots;
};

/// The next target's position, by the rule of BestTargetPlayer or any of them. `known` are the groups that it
/// has moved.
std::size_t next_target(const std::vector<FirstTarget>& targets, bool best, std::uint64_t& known, double draw,
                        std::vector<std::size_t>& tied) {
  const auto drawn = [&](std::size_t count) {
    return std::min(static_cast<std::size_t>(draw * static_cast<double>(count)), count - 1);
  };
  if (!best) return drawn(targets.size());
  for (;;) {
    int most = 0;
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const int score = std::popcount(targets[t].groups & ~known);
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
  known |= targets[chosen].groups;
  return chosen;
}

/// Plays of the level that never leaves its first state.
struct ImaginedPlays {
  double alarms = 0;  ///< share with an alarm
  double shots = 0;   ///< mean
};

ImaginedPlays imagine_plays(const std::vector<FirstTarget>& targets, bool best, std::size_t birds,
                            std::size_t pigs) {
  ImaginedPlays result;
  if (targets.empty() || birds == 0 || pigs == 0) return result;
  const double log_alarm = log_evidence_of_alarm(birds), drift = math::log(kappa),
               log_rate = math::log(false_alarm_chance);
  // A p-value is at most t with the chance t^(log q/log .05) (alarm_chance()): its log is that of a uniform
  // number over the exponent.
  Random random(stream_seed(1, "imagined plays"));
  std::vector<std::size_t> tied;
  std::vector<char> alive;
  int alarms = 0, shots = 0;
  for (int play = 0; play < imagined_plays; ++play) {
    alive.assign(pigs, 1);
    std::uint64_t known = 0;
    double evidence = 0;
    bool alarm = false, over = false;
    for (std::size_t bird = 0; bird < birds; ++bird) {
      // Drawn for all birds, so that plays that end sooner change nothing of those that follow.
      const double aim = random.uniform(), way = random.uniform(), hit = random.uniform(),
                   p = 1 - random.uniform();
      if (over) continue;
      const FirstTarget& target = targets[next_target(targets, best, known, aim, tied)];
      const FirstShot& shot = target.shots[std::min(
          static_cast<std::size_t>(way * static_cast<double>(target.shots.size())), target.shots.size() - 1)];
      ++shots;
      const double log_p = math::log(p) * log_rate / math::log(std::min(shot.detected, 0.9999));
      evidence = std::max(evidence, 0.0) + drift - (1 - kappa) * log_p;
      alarm = alarm || evidence >= log_alarm;
      over = true;
      for (std::size_t pig = 0; pig < pigs; ++pig) {
        if (hit < shot.kills[pig]) alive[pig] = 0;
        over = over && !alive[pig];
      }
    }
    alarms += alarm;
  }
  result.alarms = static_cast<double>(alarms) / imagined_plays;
  result.shots = static_cast<double>(shots) / imagined_plays;
  return result;
}

double log_odds(double share) {
  const double p = std::clamp(share, least_share, 1 - least_share);
  return math::log(p / (1 - p));
}

double chance_of(const PlayFeatures& features, const PlayFeatures& weights, double intercept) {
  double sum = intercept;
  for (const LevelFeatureInfo& info : level_feature_table())
    sum += weights.*info.member * features.*info.member;
  return 1 / (1 + math::exp(-sum));
}

}  // namespace

const std::vector<LevelFeatureInfo>& level_feature_table() {
  using F = PlayFeatures;
  static const std::vector<LevelFeatureInfo> table{{"alarms", &F::alarms},
                                                   {"visible", &F::visible},
                                                   {"novel_objects", &F::novel_objects},
                                                   {"moving", &F::moving},
                                                   {"birds_left", &F::birds_left}};
  return table;
}

LevelDescription describe_level(const OrderedScene& ordered, const Novelty& novelty) {
  require_covered(Method::extended, novelty);
  LevelDescription level;
  const Scene& normal = ordered.scene();
  if (normal.birds_left() == 0 || normal.cleared()) return level;
  Scene novel = normal;
  apply(ordered.novelty(novelty), novel);
  const BirdType& bird = normal.bird();
  const SupportGraph graph = support_graph(normal);
  const ContactNetwork network = contact_network(normal, graph.geometry);
  KnockOn knock_on(normal, graph, network);
  ShotComparison comparison(normal, novel, graph, network, knock_on);
  const TargetImpacts impacts = target_impacts(normal, graph);
  const SearchSpace space = make_search_space(normal, {});
  std::vector<std::size_t> pigs;
  for (std::size_t i = 0; i < normal.objects.size(); ++i)
    if (normal.objects[i].alive && normal.objects[i].kind == Kind::pig) pigs.push_back(i);

  PlayFeatures& all = level.best;
  std::vector<FirstTarget> targets;
  std::vector<double> of_objects;
  for (std::size_t t = 0; t < impacts.targets.size(); ++t) {
    FirstTarget& target = targets.emplace_back();
    for (const ImpactedObject& moved : impacts.impacted[t])
      if (const std::size_t group = space.group_of[moved.object]; group != SearchSpace::no_group)
        target.groups |= std::uint64_t{1} << (group % 64);
    const std::vector<Trajectory>& trajectories = impacts.targets[t].trajectories;
    const double share = 1 / static_cast<double>(impacts.targets.size() * trajectories.size());
    bool visible = false;
    for (const Trajectory& trajectory : trajectories) {
      FirstShot& shot = target.shots.emplace_back();
      const std::vector<LaunchChange> launches = comparison.launches(trajectory.shot, detection_aim_noise);
      const DetectionFeatures features = detection_features(launches);
      shot.detected = detection_chance(features);
      level.changed = level.changed || features.change > 0;
      level.max_p_detected = std::max(level.max_p_detected, shot.detected);
      for (const std::size_t pig : pigs) {
        double dies = 0;
        for (const LaunchChange& launch : launches)
          for (const ObjectChange& object : launch.objects)
            if (object.object == pig) dies += object.dies / static_cast<double>(launches.size());
        shot.kills.push_back(std::sqrt(dies));
      }
      all.moving += share * features.moving;
      knock_on.follow(impacts.targets[t].object, bird, trajectory);
      const double chance = visibility_chance(normal, novel, knock_on, of_objects);
      all.visible += share * chance;
      visible = visible || chance >= visible_target_chance;
      level.mean_p_detected += share * shot.detected;
    }
    level.visible_targets += visible;
  }
  level.targets = targets.size();
  all.novel_objects = math::log1p(static_cast<double>(count_novel(novel)));
  level.random = all;
  const std::size_t birds = normal.birds_left();
  for (const bool best : {true, false}) {
    const ImaginedPlays plays = imagine_plays(targets, best, birds, pigs.size());
    PlayFeatures& features = best ? level.best : level.random;
    features.alarms = log_odds(plays.alarms);
    features.birds_left = static_cast<double>(birds) - plays.shots;
    if (best) level.shots = plays.shots;
  }
  level.false_alarms = false_alarm_rate;
  return level;
}

PredictedLevel predict_level(const OrderedScene& normal, const Novelty& novelty) {
  return predict_level(describe_level(normal, novelty));
}

PredictedLevel predict_level(const LevelDescription& level) {
  PredictedLevel predicted{.shots = level.shots, .max_p_detected = level.max_p_detected};
  const auto p = [&](const PlayFeatures& features, const PlayFeatures& weights, double intercept) {
    return level.changed ? chance_of(features, weights, intercept) : level.false_alarms;
  };
  predicted.p_level = p(level.best, played_best_weights, played_best_intercept);
  predicted.p_level_random = p(level.random, played_random_weights, played_random_intercept);
  return predicted;
}

}  // namespace startle
