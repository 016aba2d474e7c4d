#include "agents/trials/scores.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

#include "core/parallel.hpp"
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

/// Number, from 1, of the shot (single) or novel level (shift) with which an alarm was rightly raised.
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

/// Figures that are means: their fields in AgentScore, and what each cluster adds to them.
class Means {
 public:
  explicit Means(const Clusters& clusters) : clusters_(clusters), parts_(clusters.size()) {}

  /// `add(result, take)` calls take(value) for each value that the trial has.
  template <typename Add>
  void add(Estimate AgentScore::*figure, const Add& add) {
    const std::size_t at = figures_.size();
    figures_.push_back(figure);
    for (std::size_t c = 0; c < clusters_.size(); ++c)
      for (const TrialResult* r : clusters_[c])
        add(*r, [&](double value) {
          parts_[c].total.at(at) += value;
          ++parts_[c].count[at];
        });
  }

  const std::vector<Estimate AgentScore::*>& figures() const { return figures_; }

  /// Of the clusters that were drawn, a value a figure.
  void evaluate(const std::vector<std::size_t>& which, std::vector<std::optional<double>>& values) const {
    const Part sum = sum_of(which);
    for (std::size_t f = 0; f < figures_.size(); ++f)
      if (sum.count[f] > 0) values[f] = sum.total[f] / sum.count[f];
  }
  std::size_t count(std::size_t figure) const {
    double count = 0;
    for (const Part& part : parts_) count += part.count[figure];
    return static_cast<std::size_t>(count);
  }

 private:
  static constexpr std::size_t most = 4;
  /// Side by side, for they are drawn together; counts are whole.
  struct Part {
    std::array<double, most> total{}, count{};
  };
  Part sum_of(const std::vector<std::size_t>& which) const {
    Part sum;
    for (const std::size_t c : which)
      for (std::size_t f = 0; f < most; ++f) {
        sum.total[f] += parts_[c].total[f];
        sum.count[f] += parts_[c].count[f];
      }
    return sum;
  }

  const Clusters& clusters_;
  std::vector<Part> parts_;
  std::vector<Estimate AgentScore::*> figures_;
};

/// The largest likelihood of each level, by world.
struct Likelihoods {
  std::vector<double> normal, novel;
};

void add_levels(Likelihoods& likelihoods, const TrialResult& r) {
  for (const PlayedLevel& level : r.levels)
    (level.novel ? likelihoods.novel : likelihoods.normal).push_back(largest_likelihood(level));
}

/// Likelihoods of clusters, of which any can be drawn any number of times: each is one of the different
/// values, which are sorted once.
class DrawnLikelihoods {
 public:
  explicit DrawnLikelihoods(const Clusters& clusters) {
    std::vector<double> values;
    for (const auto& cluster : clusters)
      for (const TrialResult* r : cluster)
        for (const PlayedLevel& level : r->levels) values.push_back(largest_likelihood(level));
    levels_ = values.size();
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (const auto& cluster : clusters) {
      starts_.push_back(entries_.size());
      for (const TrialResult* r : cluster)
        for (const PlayedLevel& level : r->levels) {
          const auto at = std::lower_bound(values.begin(), values.end(), largest_likelihood(level));
          entries_.push_back({static_cast<std::uint32_t>(at - values.begin()), level.novel});
        }
    }
    starts_.push_back(entries_.size());
    counts_.positives.resize(values.size());
    counts_.negatives.resize(values.size());
  }

  std::size_t levels() const { return levels_; }

  /// Novel levels are the positives; valid until the next call.
  const ScoreCounts& of(const std::vector<std::size_t>& which) {
    std::fill(counts_.positives.begin(), counts_.positives.end(), 0);
    std::fill(counts_.negatives.begin(), counts_.negatives.end(), 0);
    for (const std::size_t c : which)
      for (std::size_t i = starts_[c]; i < starts_[c + 1]; ++i)
        ++(entries_[i].novel ? counts_.positives : counts_.negatives)[entries_[i].value];
    return counts_;
  }

 private:
  struct Entry {
    std::uint32_t value = 0;  ///< index
    bool novel = false;
  };
  std::size_t levels_ = 0;
  std::vector<std::size_t> starts_;  ///< of clusters, in `entries_`
  std::vector<Entry> entries_;
  ScoreCounts counts_;
};

/// Writes the figures with their intervals: all of the same samples of clusters.
void add_estimates(AgentScore& score, const Clusters& clusters, const Means& means,
                   DrawnLikelihoods* likelihoods) {
  std::vector<Estimate AgentScore::*> figures = means.figures();
  if (likelihoods) figures.insert(figures.end(), {&AgentScore::auc, &AgentScore::detected_at_false_alarms});
  const auto evaluate = [&](const std::vector<std::size_t>& which,
                            std::vector<std::optional<double>>& values) {
    means.evaluate(which, values);
    if (!likelihoods) return;
    const ScoreCounts& counts = likelihoods->of(which);
    values[figures.size() - 2] = roc_auc(counts);
    values[figures.size() - 1] = detection_rate(counts, false_alarms);
  };
  std::vector<std::size_t> all(clusters.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::optional<double>> values(figures.size());
  evaluate(all, values);
  std::vector<std::optional<IntervalEstimate>> intervals(figures.size());
  if (clusters.size() > 1)
    intervals = bootstrap_intervals(clusters.size(), figures.size(), evaluate, bootstrap_seed);
  for (std::size_t f = 0; f < figures.size(); ++f) {
    Estimate& estimate = score.*figures[f];
    estimate.value = values[f];
    if (values[f]) estimate.interval = intervals[f];
    estimate.count = f < means.figures().size() ? means.count(f) : likelihoods->levels();
  }
}

void count(Rate& rate, bool hit) {
  ++rate.count;
  rate.hits += hit;
}

/// Of a novel trial of one level with an alarm: the number of the shot that raised it, over the birds of the
/// level.
std::optional<double> share_of_birds(const TrialResult& r) {
  if (is_shift(r) || r.world != "novel") return std::nullopt;
  const auto shot = alarm_at(r);
  return shot ? std::optional(static_cast<double>(*shot) / r.levels.front().birds) : std::nullopt;
}

void score_single(AgentScore& score, const Clusters& clusters, Means& means) {
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
  means.add(&AgentScore::shots_to_detection, [](const TrialResult& r, const auto& take) {
    if (const auto share = share_of_birds(r)) take(*share);
  });
}

void score_shift(AgentScore& score, const Clusters& clusters, Means& means) {
  for (const auto& cluster : clusters)
    for (const TrialResult* r : cluster) {
      const TrialOutcome result = outcome(*r);
      count(score.correct, result.detected);
      count(score.false_positive, result.false_positive);
      count(score.detected, std::any_of(r->levels.begin(), r->levels.end(),
                                        [](const PlayedLevel& l) { return l.novel && raises_alarm(l); }));
    }
  means.add(&AgentScore::delay, [](const TrialResult& r, const auto& take) {
    if (const TrialOutcome result = outcome(r); result.detected) take(static_cast<double>(result.delay) + 1);
  });
}

void fill_in(AgentScore& score, const std::vector<const TrialResult*>& trials) {
  score.trials = trials.size();
  for (const TrialResult* r : trials) {
    score.failed += r->status != Status::ok;
    for (const PlayedLevel& level : r->levels)
      count(level.novel ? score.solved_novel : score.solved_normal, level.solved);
  }
  const Clusters clusters = clusters_of(trials);
  Means means(clusters);
  means.add(&AgentScore::score, [](const TrialResult& r, const auto& take) {
    for (const PlayedLevel& level : r.levels) take(level.score);
  });
  means.add(&AgentScore::shots, [](const TrialResult& r, const auto& take) {
    for (const PlayedLevel& level : r.levels)
      if (level.solved) take(static_cast<double>(level.shots.size()));
  });
  means.add(&AgentScore::auccess, [](const TrialResult& r, const auto& take) {
    for (const PlayedLevel& level : r.levels)
      take(success_weight(shots_to_clear(level), most_shots_of(level)));
  });
  if (is_shift(*trials.front()))
    score_shift(score, clusters, means);
  else
    score_single(score, clusters, means);
  if (score.failed == score.trials) {  // nothing was said, and one half would look like an answer
    add_estimates(score, clusters, means, nullptr);
    return;
  }
  DrawnLikelihoods likelihoods(clusters);
  add_estimates(score, clusters, means, &likelihoods);
}

bool solved_all(const TrialResult& r) {
  return r.status == Status::ok &&
         std::all_of(r.levels.begin(), r.levels.end(), [](const PlayedLevel& l) { return l.solved; });
}

bool correctly_detected(const TrialResult& r) {
  return is_shift(r) ? outcome(r).detected : alarmed(r) == (r.world == "novel");
}

/// What is asked of the trials of one agent, each with its numbers among those of all agents.
struct AskedTrial {
  std::size_t key = 0;      ///< of unit, world and trial
  std::size_t cluster = 0;  ///< in order
  bool solved = false, detection = false;
};

AgentComparison compare(const std::vector<AskedTrial>& a, const std::vector<AskedTrial>& b) {
  AgentComparison comparison;
  struct Differences {
    double solved = 0, detection = 0, trials = 0;
  };
  std::map<std::size_t, Differences> by_cluster;
  const auto ask = [](AgentComparison::Paired& paired, bool of_a, bool of_b) {
    paired.only_a += of_a && !of_b;
    paired.only_b += of_b && !of_a;
    return static_cast<double>(of_a) - static_cast<double>(of_b);
  };
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (i->key < j->key) {
      ++i;
    } else if (j->key < i->key) {
      ++j;
    } else {
      Differences& differences = by_cluster[i->cluster];
      differences.solved += ask(comparison.solved, i->solved, j->solved);
      differences.detection += ask(comparison.detection, i->detection, j->detection);
      ++differences.trials;
      ++comparison.trials, ++i, ++j;
    }
  }
  if (comparison.trials == 0) return comparison;
  std::vector<Differences> parts;
  for (const auto& [cluster, differences] : by_cluster) parts.push_back(differences);
  const auto evaluate = [&](const std::vector<std::size_t>& which,
                            std::vector<std::optional<double>>& values) {
    Differences sum;
    for (const std::size_t c : which) {
      sum.solved += parts[c].solved;
      sum.detection += parts[c].detection;
      sum.trials += parts[c].trials;
    }
    values = {sum.solved / sum.trials, sum.detection / sum.trials};
  };
  std::vector<std::size_t> all(parts.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::optional<double>> values;
  evaluate(all, values);
  std::vector<std::optional<IntervalEstimate>> intervals(2);
  if (parts.size() > 1) intervals = bootstrap_intervals(parts.size(), 2, evaluate, bootstrap_seed);
  comparison.solved.difference = {values[0], intervals[0], comparison.trials};
  comparison.detection.difference = {values[1], intervals[1], comparison.trials};
  for (AgentComparison::Paired* paired : {&comparison.solved, &comparison.detection})
    paired->p = mcnemar_p(paired->only_a, paired->only_b);
  return comparison;
}

}  // namespace

namespace {

/// Agent, novelty, rank of the tier, tier; what is not asked for is empty.
using GroupKey = std::tuple<std::string, std::string, int, std::string>;

std::map<GroupKey, std::vector<const TrialResult*>> groups_of(const std::vector<TrialResult>& results,
                                                              ScoreBy by) {
  std::map<GroupKey, std::vector<const TrialResult*>> groups;
  for (const TrialResult& r : results) {
    const std::string novelty = by == ScoreBy::novelty || by == ScoreBy::tier ? r.novelty : "",
                      tier = by == ScoreBy::agent_tier || by == ScoreBy::tier ? r.tier : "";
    groups[{r.agent, novelty, tier_rank(tier), tier}].push_back(&r);
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

int tier_rank(const std::string& tier) {
  static const std::vector<std::string> ranked{"easy", "medium", "hard", "low", "middle", "high"};
  return static_cast<int>(std::find(ranked.begin(), ranked.end(), tier) - ranked.begin());
}

std::vector<AgentScore> agent_scores(const std::vector<TrialResult>& results, ScoreBy by, int threads) {
  const auto groups = groups_of(results, by);
  std::vector<const std::vector<const TrialResult*>*> trials;
  std::vector<AgentScore> scores;
  for (const auto& [key, of_key] : groups) {
    trials.push_back(&of_key);
    scores.push_back({.agent = std::get<0>(key), .novelty = std::get<1>(key), .tier = std::get<3>(key)});
  }
  parallel_for(scores.size(), threads, [&](std::size_t i) { fill_in(scores[i], *trials[i]); });
  return scores;
}

namespace {

/// The values of a figure that is a mean.
struct Values {
  double sum = 0;
  std::size_t count = 0;

  void add(double value) {
    sum += value;
    ++count;
  }
};

/// First the means, of which the first four are rates; then those of the largest likelihoods.
constexpr std::array run_figures{&RunsScore::detected,
                                 &RunsScore::false_positive,
                                 &RunsScore::solved_normal,
                                 &RunsScore::solved_novel,
                                 &RunsScore::shots_to_detection,
                                 &RunsScore::auc,
                                 &RunsScore::detected_at_false_alarms};
constexpr std::size_t run_rates = 4, run_means = 5;

/// A trial of one of several runs: its row and column of the table that is drawn from, and what it adds to
/// the figures.
struct CrossedTrial {
  std::size_t row = 0, column = 0;
  std::array<Values, run_means> means;
  std::vector<std::pair<std::size_t, bool>> levels;  ///< index of the largest likelihood; novel
};

std::array<Values, run_means> values_of(const TrialResult& trial) {
  std::array<Values, run_means> values;
  std::array<std::optional<bool>, 2> alarms;  // in novel levels, in normal ones; where there are any
  for (const PlayedLevel& level : trial.levels) {
    std::optional<bool>& alarm = alarms[level.novel ? 0 : 1];
    alarm = alarm.value_or(false) || raises_alarm(level);
    values[level.novel ? 3 : 2].add(level.solved ? 1 : 0);
  }
  for (const std::size_t f : {0, 1})
    if (alarms[f]) values[f].add(*alarms[f] ? 1 : 0);
  if (const auto share = share_of_birds(trial)) values[4].add(*share);
  return values;
}

RunsScore crossed_score(const std::vector<std::pair<std::size_t, const TrialResult*>>& trials,
                        std::size_t runs) {
  RunsScore score{.tier = {}, .trials = trials.size()};
  std::map<std::pair<std::string, int>, std::size_t> rows;
  std::map<double, std::size_t> likelihoods;  // in order
  for (const auto& [run, r] : trials) {
    score.failed += r->status != Status::ok;
    rows.emplace(cluster_of(*r), rows.size());
    for (const PlayedLevel& level : r->levels) likelihoods.emplace(largest_likelihood(level), 0);
  }
  std::size_t number = 0;
  for (auto& [likelihood, index] : likelihoods) index = number++;
  std::vector<CrossedTrial> crossed;
  for (const auto& [run, r] : trials) {
    CrossedTrial& trial = crossed.emplace_back(CrossedTrial{rows.at(cluster_of(*r)), run, values_of(*r), {}});
    for (const PlayedLevel& level : r->levels)
      trial.levels.emplace_back(likelihoods.at(largest_likelihood(level)), level.novel);
  }

  ScoreCounts counts;
  std::array<Values, run_means> means;
  const auto evaluate = [&](const std::vector<std::uint32_t>& of_rows,
                            const std::vector<std::uint32_t>& of_columns,
                            std::vector<std::optional<double>>& values) {
    counts.positives.assign(likelihoods.size(), 0);
    counts.negatives.assign(likelihoods.size(), 0);
    means = {};
    for (const CrossedTrial& trial : crossed) {
      const std::uint32_t times = of_rows[trial.row] * of_columns[trial.column];
      if (times == 0) continue;
      for (std::size_t f = 0; f < run_means; ++f) {
        means[f].sum += times * trial.means[f].sum;
        means[f].count += times * trial.means[f].count;
      }
      for (const auto& [likelihood, novel] : trial.levels)
        (novel ? counts.positives : counts.negatives)[likelihood] += times;
    }
    for (std::size_t f = 0; f < run_means; ++f)
      if (means[f].count > 0) values[f] = means[f].sum / static_cast<double>(means[f].count);
    if (score.failed == score.trials) return;  // nothing was said, and one half would look like an answer
    values[run_means] = roc_auc(counts);
    values[run_means + 1] = detection_rate(counts, false_alarms);
  };

  std::vector<std::optional<double>> values(run_figures.size());
  evaluate(std::vector<std::uint32_t>(rows.size(), 1), std::vector<std::uint32_t>(runs, 1), values);
  const std::array<Values, run_means> all = means;
  std::size_t levels = 0;
  for (const CrossedTrial& trial : crossed) levels += trial.levels.size();
  const auto intervals = bootstrap_crossed(rows.size(), runs, run_figures.size(), evaluate, bootstrap_seed);
  for (std::size_t f = 0; f < run_figures.size(); ++f) {
    Estimate& estimate = score.*run_figures[f];
    estimate = {values[f], values[f] ? intervals[f] : std::nullopt, f < run_means ? all[f].count : levels};
    if (f < run_rates && values[f] && (*values[f] == 0 || *values[f] == 1))
      estimate.interval = wilson_interval_of_rate(*values[f], static_cast<double>(rows.size()));
  }
  return score;
}

}  // namespace

RunsScores runs_scores(const std::vector<std::vector<TrialResult>>& runs) {
  std::vector<std::pair<std::size_t, const TrialResult*>> all;
  std::map<std::pair<int, std::string>, std::vector<std::pair<std::size_t, const TrialResult*>>> by_tier;
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (const TrialResult& r : runs[run]) {
      all.emplace_back(run, &r);
      by_tier[{tier_rank(r.tier), r.tier}].emplace_back(run, &r);
    }
  RunsScores scores{crossed_score(all, runs.size()), {}};
  for (const auto& [tier, trials] : by_tier) {
    scores.tiers.push_back(crossed_score(trials, runs.size()));
    scores.tiers.back().tier = tier.second;
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
    std::vector<std::optional<std::size_t>> cleared, found, falsely;
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
      (r->world == "normal" ? falsely : found).push_back(alarm_at(*r));
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
    const bool shift = is_shift(*trials.front());
    curves.detected_within = shares_within(found, shift ? most_levels : most_shots);
    if (!shift) curves.alarmed_within = shares_within(falsely, most_shots);
  }
  return all;
}

std::vector<AgentComparison> compare_agents(const std::vector<TrialResult>& results, int threads) {
  std::map<std::tuple<std::string_view, std::string_view, int>, std::size_t> keys;
  std::map<std::pair<std::string, int>, std::size_t> clusters;
  for (const TrialResult& r : results) {
    keys.emplace(std::tuple(std::string_view(r.unit), std::string_view(r.world), r.trial), 0);
    clusters.emplace(cluster_of(r), 0);
  }
  std::size_t number = 0;
  for (auto& [key, at] : keys) at = number++;
  number = 0;
  for (auto& [cluster, at] : clusters) at = number++;
  std::map<std::string, std::vector<AskedTrial>> by_agent;
  for (const TrialResult& r : results)
    by_agent[r.agent].push_back({.key = keys.at({r.unit, r.world, r.trial}),
                                 .cluster = clusters.at(cluster_of(r)),
                                 .solved = solved_all(r),
                                 .detection = correctly_detected(r)});
  for (auto& [agent, asked] : by_agent)
    std::sort(asked.begin(), asked.end(),
              [](const AskedTrial& a, const AskedTrial& b) { return a.key < b.key; });
  using Entry = decltype(by_agent)::const_iterator;
  std::vector<std::pair<Entry, Entry>> pairs;
  for (Entry a = by_agent.begin(); a != by_agent.end(); ++a)
    for (Entry b = std::next(a); b != by_agent.end(); ++b) pairs.push_back({a, b});
  std::vector<AgentComparison> comparisons(pairs.size());
  parallel_for(pairs.size(), threads, [&](std::size_t i) {
    const auto& [a, b] = pairs[i];
    comparisons[i] = compare(a->second, b->second);
    comparisons[i].a = a->first;
    comparisons[i].b = b->first;
  });
  std::erase_if(comparisons, [](const AgentComparison& c) { return c.trials == 0; });
  return comparisons;
}

}  // namespace startle
