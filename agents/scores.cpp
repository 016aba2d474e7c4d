#include "agents/scores.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

#include "statistics/auccess.hpp"
#include "statistics/detection.hpp"
#include "statistics/significance.hpp"

namespace startle {
namespace {

constexpr std::uint64_t bootstrap_seed = 1;

double largest_likelihood(const PlayedLevel& level) {
  double largest = 0;
  for (const PlayedShot& shot : level.shots) largest = std::max(largest, shot.novelty);
  return largest;
}

bool raises_alarm(const PlayedLevel& level) { return largest_likelihood(level) >= alarm_likelihood; }

/// Attempts as AUCCESS counts them. A level without pigs, which is clear before the first shot, counts as
/// cleared by it.
std::optional<std::size_t> shots_to_clear(const PlayedLevel& level) {
  if (!level.solved) return std::nullopt;
  return std::max<std::size_t>(level.shots.size(), 1);
}
std::size_t most_shots_of(const PlayedLevel& level) {
  return static_cast<std::size_t>(std::max(level.birds, 1));
}

bool is_shift(const TrialResult& r) { return r.world == "shift"; }

bool alarmed(const TrialResult& r) { return std::any_of(r.levels.begin(), r.levels.end(), raises_alarm); }

/// Of a shift trial, level by level.
TrialOutcome outcome(const TrialResult& r) {
  Trial trial{.likelihoods = {}, .normal = std::min(static_cast<std::size_t>(r.shift), r.levels.size())};
  for (const PlayedLevel& level : r.levels) trial.likelihoods.push_back(largest_likelihood(level));
  return trial_outcome(trial, alarm_likelihood);
}

/// Number, from 1, of the shot (single) or novel level (shift) with which the world was rightly declared
/// novel.
std::optional<std::size_t> alarm_at(const TrialResult& r) {
  if (is_shift(r)) {
    const TrialOutcome result = outcome(r);
    if (!result.detected) return std::nullopt;
    return result.delay + 1;
  }
  for (const PlayedLevel& level : r.levels)
    for (std::size_t s = 0; s < level.shots.size(); ++s)
      if (level.shots[s].novelty >= alarm_likelihood) return s + 1;
  return std::nullopt;
}

/// What is drawn together in the bootstrap.
std::pair<std::string, int> cluster_of(const TrialResult& r) { return {r.unit, is_shift(r) ? r.trial : 0}; }

/// Trials by cluster.
using Clusters = std::vector<std::vector<const TrialResult*>>;

Clusters clusters_of(const std::vector<const TrialResult*>& trials) {
  std::map<std::pair<std::string, int>, std::vector<const TrialResult*>> by_key;
  for (const TrialResult* r : trials) by_key[cluster_of(*r)].push_back(r);
  Clusters clusters;
  for (auto& [key, of_key] : by_key) clusters.push_back(std::move(of_key));
  return clusters;
}

/// `parts`: what each cluster contributes; `join` makes a value of the sum of parts.
template <typename Part, typename Join>
Estimate estimate(const std::vector<Part>& parts, const Join& join) {
  const auto of = [&](const std::vector<std::size_t>& which) {
    Part sum{};
    for (const std::size_t i : which) sum += parts[i];
    return sum;
  };
  std::vector<std::size_t> all(parts.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Part sum = of(all);
  Estimate result{.value = join(sum), .interval = {}, .count = sum.count};
  if (result.value && parts.size() > 1)
    result.interval = bootstrap_interval(
        parts.size(), [&](const std::vector<std::size_t>& which) { return join(of(which)); }, bootstrap_seed);
  return result;
}

struct Sum {
  double total = 0;
  std::size_t count = 0;
  void add(double value) {
    total += value;
    ++count;
  }
  Sum& operator+=(const Sum& other) {
    total += other.total;
    count += other.count;
    return *this;
  }
};

std::optional<double> mean(const Sum& sum) {
  if (sum.count == 0) return std::nullopt;
  return sum.total / static_cast<double>(sum.count);
}

template <typename Add>
Estimate mean_over(const Clusters& clusters, const Add& add) {
  std::vector<Sum> sums(clusters.size());
  for (std::size_t c = 0; c < clusters.size(); ++c)
    for (const TrialResult* r : clusters[c]) add(*r, sums[c]);
  return estimate(sums, mean);
}

struct Likelihoods {
  std::vector<double> normal, novel;
  std::size_t count = 0;
  Likelihoods& operator+=(const Likelihoods& other) {
    normal.insert(normal.end(), other.normal.begin(), other.normal.end());
    novel.insert(novel.end(), other.novel.begin(), other.novel.end());
    count += other.count;
    return *this;
  }
};

void add_levels(Likelihoods& likelihoods, const TrialResult& r) {
  for (const PlayedLevel& level : r.levels) {
    (level.novel ? likelihoods.novel : likelihoods.normal).push_back(largest_likelihood(level));
    ++likelihoods.count;
  }
}

std::vector<Likelihoods> likelihoods_of(const Clusters& clusters) {
  std::vector<Likelihoods> parts(clusters.size());
  for (std::size_t c = 0; c < clusters.size(); ++c)
    for (const TrialResult* r : clusters[c]) add_levels(parts[c], *r);
  return parts;
}

void count(Rate& rate, bool hit) {
  ++rate.count;
  rate.hits += hit;
}

void score_single(AgentScore& score, const Clusters& clusters) {
  for (const auto& cluster : clusters) {
    std::map<int, std::array<const TrialResult*, 2>> pairs;  // by trial: normal, novel
    for (const TrialResult* r : cluster) {
      const bool novel = r->world == "novel";
      count(novel ? score.detected : score.false_positive, alarmed(*r));
      pairs[r->trial][novel] = r;
    }
    for (const auto& [trial, pair] : pairs)
      if (pair[0] && pair[1]) count(score.correct, !alarmed(*pair[0]) && alarmed(*pair[1]));
  }
  score.shots_to_detection = mean_over(clusters, [](const TrialResult& r, Sum& sum) {
    if (r.world != "novel") return;
    if (const auto shot = alarm_at(r)) sum.add(static_cast<double>(*shot) / r.levels.front().birds);
  });
}

void score_shift(AgentScore& score, const Clusters& clusters) {
  for (const auto& cluster : clusters)
    for (const TrialResult* r : cluster) {
      const TrialOutcome result = outcome(*r);
      count(score.correct, result.detected);
      count(score.false_positive, result.false_positive);
      count(score.detected, std::any_of(r->levels.begin(), r->levels.end(),
                                        [](const PlayedLevel& l) { return l.novel && raises_alarm(l); }));
    }
  score.delay = mean_over(clusters, [](const TrialResult& r, Sum& sum) {
    if (const TrialOutcome result = outcome(r); result.detected)
      sum.add(static_cast<double>(result.delay) + 1);
  });
}

AgentScore score_of(const std::vector<const TrialResult*>& trials) {
  AgentScore score;
  score.trials = trials.size();
  for (const TrialResult* r : trials) {
    score.failed += r->status != Status::ok;
    for (const PlayedLevel& level : r->levels)
      count(level.novel ? score.solved_novel : score.solved_normal, level.solved);
  }
  const Clusters clusters = clusters_of(trials);
  score.score = mean_over(clusters, [](const TrialResult& r, Sum& sum) {
    for (const PlayedLevel& level : r.levels) sum.add(level.score);
  });
  score.shots = mean_over(clusters, [](const TrialResult& r, Sum& sum) {
    for (const PlayedLevel& level : r.levels)
      if (level.solved) sum.add(static_cast<double>(level.shots.size()));
  });
  score.auccess = mean_over(clusters, [](const TrialResult& r, Sum& sum) {
    for (const PlayedLevel& level : r.levels)
      sum.add(success_weight(shots_to_clear(level), most_shots_of(level)));
  });
  if (is_shift(*trials.front()))
    score_shift(score, clusters);
  else
    score_single(score, clusters);
  if (score.failed == score.trials) return score;  // nothing was said, and one half would look like an answer
  const std::vector<Likelihoods> likelihoods = likelihoods_of(clusters);
  score.auc = estimate(likelihoods, [](const Likelihoods& l) { return roc_auc(l.novel, l.normal); });
  score.detected_at_false_alarms = estimate(
      likelihoods, [](const Likelihoods& l) { return detection_rate(l.novel, l.normal, false_alarms); });
  return score;
}

int rank_of_tier(const std::string& tier) {
  return tier == "easy" ? 0 : tier == "medium" ? 1 : tier == "hard" ? 2 : 3;
}

bool solved_all(const TrialResult& r) {
  return r.status == Status::ok &&
         std::all_of(r.levels.begin(), r.levels.end(), [](const PlayedLevel& l) { return l.solved; });
}

bool correctly_detected(const TrialResult& r) {
  return is_shift(r) ? outcome(r).detected : alarmed(r) == (r.world == "novel");
}

struct TrialPair {
  const TrialResult* a = nullptr;
  const TrialResult* b = nullptr;
};

template <typename Right>
AgentComparison::Paired compare(const std::vector<TrialPair>& pairs, const Right& right) {
  AgentComparison::Paired paired;
  std::map<std::pair<std::string, int>, Sum> by_cluster;
  for (const TrialPair& pair : pairs) {
    const bool a = right(*pair.a), b = right(*pair.b);
    paired.only_a += a && !b;
    paired.only_b += b && !a;
    by_cluster[cluster_of(*pair.a)].add(static_cast<double>(a) - static_cast<double>(b));
  }
  std::vector<Sum> sums;
  for (const auto& [key, sum] : by_cluster) sums.push_back(sum);
  paired.difference = estimate(sums, mean);
  paired.p = mcnemar_p(paired.only_a, paired.only_b);
  return paired;
}

}  // namespace

namespace {

/// Agent, novelty, rank of the tier, tier; what is not asked for is empty.
using GroupKey = std::tuple<std::string, std::string, int, std::string>;

std::map<GroupKey, std::vector<const TrialResult*>> groups_of(const std::vector<TrialResult>& results,
                                                              ScoreBy by) {
  std::map<GroupKey, std::vector<const TrialResult*>> groups;
  for (const TrialResult& r : results) {
    const std::string novelty = by == ScoreBy::agent ? "" : r.novelty,
                      tier = by == ScoreBy::tier ? r.tier : "";
    groups[{r.agent, novelty, rank_of_tier(tier), tier}].push_back(&r);
  }
  return groups;
}

/// Share of the values that are at most 1, 2 ... `most`; empty values are none of these.
std::vector<double> shares_within(const std::vector<std::optional<std::size_t>>& values, std::size_t most) {
  std::vector<double> shares;
  if (values.empty()) return shares;
  for (std::size_t k = 1; k <= most; ++k) {
    const auto within = std::count_if(values.begin(), values.end(),
                                      [&](const auto& value) { return value && *value <= k; });
    shares.push_back(static_cast<double>(within) / static_cast<double>(values.size()));
  }
  return shares;
}

}  // namespace

TrialFigures figures_of(const TrialResult& trial) {
  TrialFigures figures;
  for (std::size_t i = 0; i < trial.levels.size(); ++i) {
    const PlayedLevel& level = trial.levels[i];
    figures.solved += level.solved;
    figures.shots += level.shots.size();
    figures.score += level.score;
    figures.largest_likelihood = std::max(figures.largest_likelihood, largest_likelihood(level));
    if (figures.detected_level || !raises_alarm(level)) continue;
    figures.detected_level = i + 1;
    const auto shot = std::find_if(level.shots.begin(), level.shots.end(),
                                   [](const PlayedShot& s) { return s.novelty >= alarm_likelihood; });
    figures.alarm_shot = static_cast<std::size_t>(shot - level.shots.begin()) + 1;
    figures.false_positive = !level.novel;
  }
  if (is_shift(trial)) {
    const TrialOutcome result = outcome(trial);
    figures.cdt = result.detected;
    if (result.detected) figures.detection_delay = result.delay + 1;
  }
  return figures;
}

std::vector<AgentScore> agent_scores(const std::vector<TrialResult>& results, ScoreBy by) {
  std::vector<AgentScore> scores;
  for (const auto& [key, trials] : groups_of(results, by)) {
    AgentScore& score = scores.emplace_back(score_of(trials));
    score.agent = std::get<0>(key);
    score.novelty = std::get<1>(key);
    score.tier = std::get<3>(key);
  }
  return scores;
}

std::vector<AgentCurves> agent_curves(const std::vector<TrialResult>& results, ScoreBy by) {
  std::vector<AgentCurves> all;
  for (const auto& [key, trials] : groups_of(results, by)) {
    AgentCurves& curves = all.emplace_back();
    curves.agent = std::get<0>(key);
    curves.novelty = std::get<1>(key);
    curves.tier = std::get<3>(key);
    Likelihoods likelihoods;
    std::vector<std::optional<std::size_t>> cleared, found;
    std::size_t most_shots = 0, most_levels = 0;
    std::map<int, LevelAroundChange> around;
    for (const TrialResult* r : trials) {
      add_levels(likelihoods, *r);
      std::size_t novel_levels = 0;
      for (std::size_t i = 0; is_shift(*r) && i < r->levels.size(); ++i) {
        LevelAroundChange& at = around[static_cast<int>(i) + 1 - r->shift];
        ++at.trials;
        at.solved += r->levels[i].solved;
        at.alarmed += raises_alarm(r->levels[i]);
      }
      for (const PlayedLevel& level : r->levels) {
        cleared.push_back(shots_to_clear(level));
        most_shots = std::max(most_shots, most_shots_of(level));
        novel_levels += level.novel;
      }
      most_levels = std::max(most_levels, novel_levels);
      if (r->world != "normal") found.push_back(alarm_at(*r));
    }
    for (auto& [since, at] : around) {
      const auto trials_there = static_cast<double>(at.trials);
      curves.around_change.push_back({.since = since,
                                      .trials = at.trials,
                                      .solved = at.solved / trials_there,
                                      .alarmed = at.alarmed / trials_there});
    }
    curves.roc = roc_curve(likelihoods.novel, likelihoods.normal);
    curves.solved_within = shares_within(cleared, most_shots);
    curves.detected_within = shares_within(found, is_shift(*trials.front()) ? most_levels : most_shots);
  }
  return all;
}

std::vector<AgentComparison> compare_agents(const std::vector<TrialResult>& results) {
  using Key = std::tuple<std::string, std::string, int>;
  std::map<std::string, std::map<Key, const TrialResult*>> by_agent;
  for (const TrialResult& r : results) by_agent[r.agent][{r.unit, r.world, r.trial}] = &r;
  std::vector<AgentComparison> comparisons;
  for (auto a = by_agent.begin(); a != by_agent.end(); ++a) {
    for (auto b = std::next(a); b != by_agent.end(); ++b) {
      std::vector<TrialPair> pairs;
      for (const auto& [key, of_a] : a->second)
        if (const auto of_b = b->second.find(key); of_b != b->second.end())
          pairs.push_back({of_a, of_b->second});
      if (pairs.empty()) continue;
      comparisons.push_back({.a = a->first,
                             .b = b->first,
                             .trials = pairs.size(),
                             .solved = compare(pairs, solved_all),
                             .detection = compare(pairs, correctly_detected)});
    }
  }
  return comparisons;
}

}  // namespace startle
