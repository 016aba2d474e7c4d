#include "agents/scores.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

#include "statistics/detection.hpp"
#include "statistics/roc.hpp"
#include "statistics/significance.hpp"

namespace startle {
namespace {

constexpr std::uint64_t bootstrap_seed = 1;

double largest_likelihood(const PlayedLevel& level) {
  double largest = 0;
  for (const PlayedShot& shot : level.shots) largest = std::max(largest, shot.novelty);
  return largest;
}

bool declares(const PlayedLevel& level) { return largest_likelihood(level) >= declared_likelihood; }

bool is_shift(const TrialResult& r) { return r.world == "shift"; }

bool declared(const TrialResult& r) { return std::any_of(r.levels.begin(), r.levels.end(), declares); }

/// Of a shift trial, level by level.
TrialOutcome outcome(const TrialResult& r) {
  Trial trial{.likelihoods = {}, .normal = std::min(static_cast<std::size_t>(r.shift), r.levels.size())};
  for (const PlayedLevel& level : r.levels) trial.likelihoods.push_back(largest_likelihood(level));
  return trial_outcome(trial, declared_likelihood);
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
ScoreEstimate estimate(const std::vector<Part>& parts, const Join& join) {
  const auto of = [&](const std::vector<std::size_t>& which) {
    Part sum{};
    for (const std::size_t i : which) sum += parts[i];
    return sum;
  };
  std::vector<std::size_t> all(parts.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Part sum = of(all);
  ScoreEstimate result{.count = sum.count, .value = join(sum), .interval = {}};
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
ScoreEstimate mean_over(const Clusters& clusters, const Add& add) {
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

ScoreEstimate area_over(const Clusters& clusters) {
  std::vector<Likelihoods> parts(clusters.size());
  for (std::size_t c = 0; c < clusters.size(); ++c)
    for (const TrialResult* r : clusters[c])
      for (const PlayedLevel& level : r->levels) {
        (level.novel ? parts[c].novel : parts[c].normal).push_back(largest_likelihood(level));
        ++parts[c].count;
      }
  return estimate(parts, [](const Likelihoods& l) { return roc_auc(l.novel, l.normal); });
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
      count(novel ? score.detected : score.false_positive, declared(*r));
      pairs[r->trial][novel] = r;
    }
    for (const auto& [trial, pair] : pairs)
      if (pair[0] && pair[1]) count(score.correct, !declared(*pair[0]) && declared(*pair[1]));
  }
  score.shots_to_detection = mean_over(clusters, [](const TrialResult& r, Sum& sum) {
    if (r.world != "novel") return;
    for (const PlayedLevel& level : r.levels)
      for (std::size_t s = 0; s < level.shots.size(); ++s)
        if (level.shots[s].novelty >= declared_likelihood) return sum.add(static_cast<double>(s + 1) / level.birds);
  });
}

void score_shift(AgentScore& score, const Clusters& clusters) {
  for (const auto& cluster : clusters)
    for (const TrialResult* r : cluster) {
      const TrialOutcome result = outcome(*r);
      count(score.correct, result.detected);
      count(score.false_positive, result.false_positive);
      count(score.detected, std::any_of(r->levels.begin(), r->levels.end(), [](const PlayedLevel& l) { return l.novel && declares(l); }));
    }
  score.delay = mean_over(clusters, [](const TrialResult& r, Sum& sum) {
    if (const TrialOutcome result = outcome(r); result.detected) sum.add(static_cast<double>(result.delay) + 1);
  });
}

AgentScore score_of(const std::vector<const TrialResult*>& trials) {
  AgentScore score;
  score.trials = trials.size();
  for (const TrialResult* r : trials) {
    score.failed += r->status != Status::ok;
    for (const PlayedLevel& level : r->levels) count(level.novel ? score.solved_novel : score.solved_normal, level.solved);
  }
  const Clusters clusters = clusters_of(trials);
  score.score = mean_over(clusters, [](const TrialResult& r, Sum& sum) {
    for (const PlayedLevel& level : r.levels) sum.add(level.score);
  });
  score.shots = mean_over(clusters, [](const TrialResult& r, Sum& sum) {
    for (const PlayedLevel& level : r.levels)
      if (level.solved) sum.add(static_cast<double>(level.shots.size()));
  });
  if (is_shift(*trials.front()))
    score_shift(score, clusters);
  else
    score_single(score, clusters);
  score.auc = area_over(clusters);
  return score;
}

int rank_of_tier(const std::string& tier) { return tier == "easy" ? 0 : tier == "medium" ? 1 : tier == "hard" ? 2 : 3; }

bool solved_all(const TrialResult& r) {
  return r.status == Status::ok && std::all_of(r.levels.begin(), r.levels.end(), [](const PlayedLevel& l) { return l.solved; });
}

bool judged_right(const TrialResult& r) { return is_shift(r) ? outcome(r).detected : declared(r) == (r.world == "novel"); }

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

std::vector<AgentScore> agent_scores(const std::vector<TrialResult>& results, ScoreBy by) {
  std::map<std::tuple<std::string, std::string, int, std::string>, std::vector<const TrialResult*>> groups;
  for (const TrialResult& r : results) {
    const std::string novelty = by == ScoreBy::agent ? "" : r.novelty, tier = by == ScoreBy::tier ? r.tier : "";
    groups[{r.agent, novelty, rank_of_tier(tier), tier}].push_back(&r);
  }
  std::vector<AgentScore> scores;
  for (const auto& [key, trials] : groups) {
    AgentScore& score = scores.emplace_back(score_of(trials));
    score.agent = std::get<0>(key);
    score.novelty = std::get<1>(key);
    score.tier = std::get<3>(key);
  }
  return scores;
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
        if (const auto of_b = b->second.find(key); of_b != b->second.end()) pairs.push_back({of_a, of_b->second});
      if (pairs.empty()) continue;
      comparisons.push_back({.a = a->first,
                             .b = b->first,
                             .trials = pairs.size(),
                             .solved = compare(pairs, solved_all),
                             .judged = compare(pairs, judged_right)});
    }
  }
  return comparisons;
}

}  // namespace startle
