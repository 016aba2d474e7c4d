#include "agents/trials/regret.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "agents/game.hpp"
#include "agents/trials/scores.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "difficulty/difficulty.hpp"
#include "difficulty/played_level.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

using LevelKey = std::pair<std::uint64_t, std::string>;  // hash and novelty

/// Shots of an agent in a tier, with the level of each.
struct Sample {
  std::vector<ShotRegret> shots;
  std::vector<std::size_t> levels;
};

RegretScore scored(std::string agent, std::string tier, const Sample& sample) {
  const auto mean_of = [&](auto value) {
    std::vector<double> values;
    for (const ShotRegret& shot : sample.shots) values.push_back(value(shot));
    return mean_estimate(values, 1, sample.levels);
  };
  return {.agent = std::move(agent),
          .tier = std::move(tier),
          .shots = sample.shots.size(),
          .taken = mean_of([](const ShotRegret& shot) { return shot.taken; }),
          .best = mean_of([](const ShotRegret& shot) { return shot.best; }),
          .regret = mean_of([](const ShotRegret& shot) { return shot.regret(); })};
}

}  // namespace

std::vector<ShotRegret> shot_regrets(const PlayedLevel& played, const PlayableLevel& level) {
  std::vector<ShotRegret> regrets;
  if (!played.novel) return regrets;
  require_covered(Method::extended, level.change);
  Game game(level.novel);
  for (const PlayedShot& shot : played.shots) {
    if (game.over()) throw Error("level " + played.level + ": found shots after its end");
    const Scene state = normal_twin(game.hidden(), level.normal);
    const double taken = detection_chance(state, level.change, shot.shot);
    const double best = std::max(taken, predict_level(state, level.change).max_p_detected);
    regrets.push_back({.taken = taken, .best = best});
    game.shoot(shot.shot);
  }
  return regrets;
}

std::vector<RegretScore> regret_scores(const std::vector<TrialResult>& trials,
                                       const std::vector<PlayableLevel>& levels, int threads,
                                       const std::function<void()>& progress) {
  std::map<LevelKey, std::size_t> known;
  for (std::size_t i = 0; i < levels.size(); ++i) known[{levels[i].hash, levels[i].novelty}] = i;
  const auto number = [&](const PlayedLevel& played, const std::string& novelty) {
    const auto found = known.find({played.hash, novelty});
    if (found == known.end())
      throw Error("level " + shown(played.level) + ", novelty " + shown(novelty) +
                  ": is not among the levels that are given, or was changed after the trial");
    return found->second;
  };
  for (const TrialResult& trial : trials)
    for (const PlayedLevel& played : trial.levels) number(played, trial.novelty);

  std::vector<Sample> samples(trials.size());
  std::mutex mutex;
  parallel_for(trials.size(), threads, [&](std::size_t i) {
    for (const PlayedLevel& played : trials[i].levels) {
      const std::size_t level = number(played, trials[i].novelty);
      for (const ShotRegret& shot : shot_regrets(played, levels[level])) {
        samples[i].shots.push_back(shot);
        samples[i].levels.push_back(level);
      }
    }
    const std::lock_guard lock(mutex);
    if (progress) progress();
  });

  std::map<std::tuple<std::string, int, std::string>, Sample> by_tier;  // agent, place of the tier, tier
  std::map<std::string, Sample> by_agent;
  for (std::size_t i = 0; i < trials.size(); ++i)
    for (Sample* sample : {&by_tier[{trials[i].agent, tier_rank(trials[i].tier), trials[i].tier}],
                           &by_agent[trials[i].agent]}) {
      sample->shots.insert(sample->shots.end(), samples[i].shots.begin(), samples[i].shots.end());
      sample->levels.insert(sample->levels.end(), samples[i].levels.begin(), samples[i].levels.end());
    }
  std::vector<RegretScore> scores;
  for (const auto& [agent, all] : by_agent) {
    for (const auto& [key, sample] : by_tier)
      if (const auto& [of, place, tier] = key; of == agent && !tier.empty())
        scores.push_back(scored(agent, tier, sample));
    scores.push_back(scored(agent, "", all));
  }
  return scores;
}

}  // namespace startle
