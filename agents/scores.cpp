#include "agents/scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "statistics/rank_correlation.hpp"

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

/// Number of the level, from 1, in which the world was declared novel; 0: never.
int declared_in(const TrialResult& r) {
  for (std::size_t i = 0; i < r.levels.size(); ++i)
    if (declares(r.levels[i])) return static_cast<int>(i) + 1;
  return 0;
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
  Estimate result{.count = sum.count, .value = join(sum), .interval = {}};
  if (result.value && parts.size() > 1)
    result.interval = bootstrap_interval(parts.size(), [&](const std::vector<std::size_t>& which) { return join(of(which)); }, bootstrap_seed);
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

Estimate area_over(const Clusters& clusters) {
  std::vector<Likelihoods> parts(clusters.size());
  for (std::size_t c = 0; c < clusters.size(); ++c)
    for (const TrialResult* r : clusters[c])
      for (const PlayedLevel& level : r->levels) {
        (level.novel ? parts[c].novel : parts[c].normal).push_back(largest_likelihood(level));
        ++parts[c].count;
      }
  return estimate(parts, [](const Likelihoods& l) { return roc_area(l.normal, l.novel); });
}

void count(Rate& rate, bool hit) {
  ++rate.count;
  rate.hits += hit;
}

void score_single(AgentScore& score, const Clusters& clusters) {
  for (const auto& cluster : clusters) {
    std::map<int, std::array<const TrialResult*, 2>> pairs;  // by trial: normal, novel
    for (const TrialResult* r : cluster) {
      const bool novel = r->world == "novel", declared = declared_in(*r) > 0;
      count(novel ? score.detected : score.false_positive, declared);
      pairs[r->trial][novel] = r;
    }
    for (const auto& [trial, pair] : pairs)
      if (pair[0] && pair[1]) count(score.correct, declared_in(*pair[0]) == 0 && declared_in(*pair[1]) > 0);
  }
  score.shots_to_detection = mean_over(clusters, [](const TrialResult& r, Sum& sum) {
    if (r.world != "novel") return;
    for (const PlayedLevel& level : r.levels)
      for (std::size_t s = 0; s < level.shots.size(); ++s)
        if (level.shots[s].novelty >= declared_likelihood) return sum.add(static_cast<double>(s + 1) / level.birds);
  });
}

bool correct_shift(const TrialResult& r) { return declared_in(r) > r.shift; }

void score_shift(AgentScore& score, const Clusters& clusters) {
  for (const auto& cluster : clusters)
    for (const TrialResult* r : cluster) {
      count(score.correct, correct_shift(*r));
      count(score.false_positive, declared_in(*r) > 0 && !correct_shift(*r));
      count(score.detected, std::any_of(r->levels.begin(), r->levels.end(), [](const PlayedLevel& l) { return l.novel && declares(l); }));
    }
  score.delay = mean_over(clusters, [](const TrialResult& r, Sum& sum) {
    if (correct_shift(r)) sum.add(declared_in(r) - r.shift);
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
  if (is_shift(*trials.front())) score_shift(score, clusters);
  else score_single(score, clusters);
  score.auc = area_over(clusters);
  return score;
}

int rank_of_tier(const std::string& tier) { return tier == "easy" ? 0 : tier == "medium" ? 1 : tier == "hard" ? 2 : 3; }

bool solved_all(const TrialResult& r) {
  return r.status == Status::ok && std::all_of(r.levels.begin(), r.levels.end(), [](const PlayedLevel& l) { return l.solved; });
}

bool judged_right(const TrialResult& r) {
  if (is_shift(r)) return correct_shift(r);
  return (declared_in(r) > 0) == (r.world == "novel");
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
  paired.p = mcnemar(paired.only_a, paired.only_b);
  return paired;
}

}  // namespace

std::optional<double> Rate::value() const {
  if (count == 0) return std::nullopt;
  return static_cast<double>(hits) / static_cast<double>(count);
}

std::optional<double> roc_area(const std::vector<double>& negatives, const std::vector<double>& positives) {
  if (negatives.empty() || positives.empty()) return std::nullopt;
  std::vector<double> all = positives;
  all.insert(all.end(), negatives.begin(), negatives.end());
  const std::vector<double> ranks = midranks(all);
  const double p = static_cast<double>(positives.size()), n = static_cast<double>(negatives.size());
  const double sum = std::accumulate(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(positives.size()), 0.0);
  return (sum - p * (p + 1) / 2) / (p * n);
}

double mcnemar(std::size_t b, std::size_t c) {
  const std::size_t n = b + c, least = std::min(b, c);
  double tail = 0;
  for (std::size_t k = 0; k <= least; ++k) {
    const double log_ways = std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(k) + 1) - std::lgamma(static_cast<double>(n - k) + 1);
    tail += std::exp(log_ways - static_cast<double>(n) * std::log(2.0));
  }
  return std::min(1.0, 2 * tail);
}

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
      comparisons.push_back({.a = a->first, .b = b->first, .trials = pairs.size(), .solved = compare(pairs, solved_all), .judged = compare(pairs, judged_right)});
    }
  }
  return comparisons;
}

}  // namespace startle
