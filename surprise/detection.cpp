#include "surprise/detection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "core/error.hpp"
#include "core/math.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "statistics/percentile.hpp"
#include "statistics/sequential_evidence.hpp"
#include "statistics/significance.hpp"

namespace startle {
namespace {

constexpr std::array<Tier, 3> tier_columns{Tier::easy, Tier::medium, Tier::hard};
constexpr std::size_t threshold_trials = 2000, trials_a_cell = 200;

DetectionRow detection_row(const Evaluation& e, const Selection& of, std::size_t detector,
                           const MetricOptions& options) {
  DetectionRow row{.of = of, .detector = detector};
  std::vector<std::size_t> levels;
  std::vector<double> paired, detected, alarms;
  for (const EvaluatedTwin& twin : e.twins) {
    if (!of.holds(e, twin)) continue;
    const double normal = twin.outputs[detector].normal.p, novel = twin.outputs[detector].novel.p;
    levels.push_back(twin.level);
    paired.push_back(novel < normal ? 1 : novel == normal ? 0.5 : 0);
    detected.push_back(novel <= detection_p);
    alarms.push_back(normal <= detection_p);
  }
  row.twins = levels.size();
  if (has_p_values(e, detector)) {
    row.paired_accuracy = mean_estimate(paired, options.seed, levels);
    row.detected = mean_estimate(detected, options.seed, levels);
    row.false_alarms = mean_estimate(alarms, options.seed, levels);
  }
  std::sort(levels.begin(), levels.end());
  row.levels = static_cast<std::size_t>(std::unique(levels.begin(), levels.end()) - levels.begin());
  return row;
}

VisibleRow visible_row(const Evaluation& e, const Selection& of, const MetricOptions& options) {
  std::vector<std::size_t> levels;
  std::vector<double> visible, best;
  for (const EvaluatedTwin& twin : e.twins) {
    if (!of.holds(e, twin)) continue;
    levels.push_back(twin.level);
    visible.push_back(twin.visible);
    best.push_back(twin.visible ? 1 : 0.5);
  }
  return {of, mean_estimate(visible, options.seed, levels), mean_estimate(best, options.seed, levels)};
}

/// Of one detector on one novelty, or on all.
std::vector<StatisticRow> statistic_rows(const Evaluation& e, const std::string& novelty,
                                         std::size_t detector) {
  const auto names = e.statistics.find(e.detectors[detector]);
  if (names == e.statistics.end() || !has_p_values(e, detector)) return {};
  std::vector<StatisticRow> rows;
  for (std::size_t i = 0; i < names->second.size(); ++i)
    rows.push_back({.novelty = novelty, .detector = detector, .statistic = i});
  for (const EvaluatedTwin& twin : e.twins) {
    if (!novelty.empty() && e.levels[twin.level].novelty->name != novelty) continue;
    for (const bool novel : {false, true}) {
      if (twin.outputs[detector].of(novel).p > detection_p) continue;
      const std::optional<LeastLikely> least = least_likely(e, twin, detector, novel);
      if (!least) continue;
      for (const std::size_t i : least->statistics)
        (novel ? rows[i].detected : rows[i].false_alarms) += 1 /
                                                             static_cast<double>(least->statistics.size());
    }
  }
  std::erase_if(rows, [](const StatisticRow& row) { return row.detected == 0 && row.false_alarms == 0; });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const StatisticRow& a, const StatisticRow& b) { return a.detected > b.detected; });
  return rows;
}

/// The twins of a level.
using Shots = std::vector<const EvaluatedTwin*>;

/// Levels of one novelty and tier.
struct TrialCell {
  std::string novelty;
  Tier tier = Tier::easy;
  std::vector<Shots> levels;
};

std::vector<TrialCell> cells_of(const Evaluation& e) {
  std::map<std::pair<std::string, Tier>, std::map<std::size_t, Shots>> found;
  for (const EvaluatedTwin& twin : e.twins)
    found[{e.levels[twin.level].novelty->name, e.levels[twin.level].tier}][twin.level].push_back(&twin);
  std::vector<TrialCell> cells;
  for (const auto& [key, levels] : found) {
    cells.push_back({key.first, key.second, {}});
    for (const auto& [level, shots] : levels) cells.back().levels.push_back(shots);
  }
  return cells;
}

/// Adds a level's shots; the largest evidence after any of them.
double play(SequentialEvidence& evidence, const Shots& shots, std::size_t detector, bool novel) {
  double most = -1e300;
  for (const EvaluatedTwin* twin : shots)
    most = std::max(most, evidence.add(twin->outputs[detector].of(novel).p_values));
  return most;
}

std::size_t count_levels(const std::vector<TrialCell>& cells) {
  std::size_t count = 0;
  for (const TrialCell& cell : cells) count += cell.levels.size();
  return count;
}

/// The first `count` of the levels in random order.
std::vector<const Shots*> drawn(std::vector<const Shots*> levels, std::size_t count, Random& random) {
  random.shuffle(levels);
  levels.resize(std::min(count, levels.size()));
  return levels;
}

/// All levels but those.
std::vector<const Shots*> levels_besides(const std::vector<TrialCell>& cells,
                                         const std::vector<const Shots*>& besides) {
  std::vector<const Shots*> others;
  for (const TrialCell& cell : cells)
    for (const Shots& level : cell.levels)
      if (std::find(besides.begin(), besides.end(), &level) == besides.end()) others.push_back(&level);
  return others;
}

/// The largest evidence of each trial of normal levels alone, rising.
std::vector<double> normal_peaks(const std::vector<TrialCell>& cells, std::size_t detector,
                                 std::uint64_t seed) {
  const std::vector<const Shots*> all = levels_besides(cells, {});
  Random random(stream_seed(seed, "trial threshold"));
  std::vector<double> peaks;
  for (std::size_t t = 0; t < threshold_trials; ++t) {
    SequentialEvidence evidence;
    double most = -1e300;
    for (const Shots* level : drawn(all, 2 * trial_levels, random))
      most = std::max(most, play(evidence, *level, detector, false));
    peaks.push_back(most);
  }
  std::sort(peaks.begin(), peaks.end());
  return peaks;
}

/// Evidence that so few of those trials pass.
double threshold_of(const std::vector<double>& peaks) {
  return peaks[static_cast<std::size_t>((1 - trial_false_alarms) * threshold_trials)];
}

double trial_p(const std::vector<double>& peaks, double peak) {
  const auto above = peaks.end() - std::lower_bound(peaks.begin(), peaks.end(), peak);
  return static_cast<double>(1 + above) / static_cast<double>(1 + peaks.size());
}

struct TrialCounts {
  double trials = 0, detected = 0, null = 0, alarms = 0, delay = 0;
  std::vector<double> p, null_p;
  TrialCounts& operator+=(const TrialCounts& o) {
    trials += o.trials, detected += o.detected, null += o.null, alarms += o.alarms, delay += o.delay;
    p.insert(p.end(), o.p.begin(), o.p.end());
    null_p.insert(null_p.end(), o.null_p.begin(), o.null_p.end());
    return *this;
  }
};

/// Levels one after the other.
struct Played {
  std::size_t alarm =
      0;                 ///< the number of the level with whose shots the evidence passes the threshold, from
                         ///< 1; 0: none
  double peak = -1e300;  ///< the largest evidence
};
Played play_all(SequentialEvidence& evidence, const std::vector<const Shots*>& levels, std::size_t detector,
                bool novel, double threshold) {
  Played played;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double most = play(evidence, *levels[i], detector, novel);
    played.peak = std::max(played.peak, most);
    if (played.alarm == 0 && most > threshold) played.alarm = i + 1;
  }
  return played;
}

TrialCounts trials_in(const std::vector<TrialCell>& cells, const TrialCell& cell, std::size_t detector,
                      const std::vector<double>& peaks, std::uint64_t seed) {
  if (cell.levels.size() < least_trial_levels || count_levels(cells) < 2 * trial_levels) return {};
  Random random(stream_seed(seed, "trials/" + cell.novelty + "/" + name(cell.tier)));  // the same trials for
                                                                                       // every detector
  std::vector<const Shots*> of_cell;
  for (const Shots& level : cell.levels) of_cell.push_back(&level);
  TrialCounts counts{.trials = static_cast<double>(trials_a_cell), .p = {}, .null_p = {}};
  const double threshold = threshold_of(peaks);
  for (std::size_t t = 0; t < trials_a_cell; ++t) {
    const std::vector<const Shots*> changed = drawn(of_cell, trial_levels, random),
                                    normal = drawn(levels_besides(cells, changed), trial_levels, random);
    SequentialEvidence evidence;
    const Played before = play_all(evidence, normal, detector, false, threshold);
    SequentialEvidence unchanged = evidence;
    const Played novel = play_all(evidence, changed, detector, true, threshold),
                 null = play_all(unchanged, changed, detector, false, threshold);
    counts.p.push_back(trial_p(peaks, std::max(before.peak, novel.peak)));
    counts.null_p.push_back(trial_p(peaks, std::max(before.peak, null.peak)));
    if (before.alarm > 0) {
      ++counts.alarms;
      continue;
    }
    counts.detected += novel.alarm > 0;
    counts.delay += static_cast<double>(novel.alarm);
    counts.null += null.alarm > 0;
  }
  return counts;
}

/// A rate over trials that are worth so many independent ones.
Estimate trial_rate(double hits, double trials, double worth) {
  if (trials == 0) return {};
  return {.value = hits / trials, .interval = wilson_interval_of_rate(hits / trials, worth)};
}

/// Of the novel halves over cells that have as many trials each. Trials of a cell share its levels: the mean
/// over all choices of m of n levels has at most m/n times the variance of one trial [Hoeffding 1948, theorem
/// 5.2], and where all are in each trial as much. So a cell is worth n/m independent trials at least, and the
/// rate over cells what adds up to the same variance. Normal halves, drawn from the levels of all cells, add
/// less to it.
double worth_of_cells(const std::vector<std::size_t>& cells) {
  double variance = 0;  // of the mean over cells, that of one trial being 1
  const auto count = static_cast<double>(cells.size());
  for (const std::size_t levels : cells)
    variance += std::min(1.0, static_cast<double>(trial_levels) / static_cast<double>(levels)) /
                (count * count);
  return 1 / variance;
}

void add_trial_rows(const Evaluation& e, const std::vector<std::string>& novelties,
                    const MetricOptions& options, DetectionTables& tables) {
  const std::vector<TrialCell> cells = cells_of(e);
  const std::size_t detectors = e.detectors.size();
  tables.thresholds.resize(detectors);
  std::vector<std::vector<double>> peaks(detectors);
  parallel_for(detectors, options.threads, [&](std::size_t j) {
    peaks[j] = normal_peaks(cells, j, options.seed);
    tables.thresholds[j] = threshold_of(peaks[j]);
  });
  std::vector<TrialCounts> counts(cells.size() * detectors);
  parallel_for(counts.size(), options.threads, [&](std::size_t i) {
    if (has_p_values(e, i % detectors))
      counts[i] = trials_in(cells, cells[i / detectors], i % detectors, peaks[i % detectors], options.seed);
  });
  std::vector<std::optional<Tier>> columns(tier_columns.begin(), tier_columns.end());
  columns.emplace_back();
  for (const std::string& novelty : novelties)
    for (const auto& tier : columns)
      for (std::size_t j = 0; j < detectors; ++j) {
        TrialRow row{.of = {.novelty = novelty, .tier = tier}, .detector = j};
        TrialCounts sum;
        std::vector<std::size_t> with_trials;  // levels of the cells that have trials
        for (std::size_t c = 0; c < cells.size(); ++c) {
          if ((!novelty.empty() && cells[c].novelty != novelty) || (tier && cells[c].tier != *tier)) continue;
          row.levels += cells[c].levels.size();
          sum += counts[c * detectors + j];
          if (counts[c * detectors + j].trials > 0) with_trials.push_back(cells[c].levels.size());
        }
        const double worth = worth_of_cells(with_trials);
        row.detected = trial_rate(sum.detected, sum.trials, worth);
        row.null = trial_rate(sum.null, sum.trials, worth);
        row.false_alarms = trial_rate(
            sum.alarms, sum.trials,
            static_cast<double>(count_levels(cells)) / static_cast<double>(trial_levels));
        if (sum.detected > 0) row.delay = sum.delay / sum.detected;
        if (sum.trials > 0) row.p = percentile(sum.p, 50), row.null_p = percentile(sum.null_p, 50);
        tables.trials.push_back(row);
      }
}

/// Of a pixel's value squared: the change of a clip in which nothing changes.
constexpr double least_change = 1e-3;

/// A detector by the ranks of `score(twin, novel)` among normal clips: `p` of what `rank` makes of them.
template <typename ScoreOf, typename Ranks>
void add_calibrated(Evaluation& e, const std::string& detector, const ScoreOf& score,
                    Ranks (*rank)(std::vector<ContextScore>), double (Ranks::*p)(double, double) const) {
  if (!e.ranked) e.ranked = {.first = e.detectors.size(), .normal_clips = {}};
  e.detectors.push_back(detector);
  std::array<std::vector<ContextScore>, 2> normal;
  for (const EvaluatedTwin& twin : e.twins) normal[twin.level % 2].push_back(score(twin, false));
  for (std::size_t half = 0; half < 2; ++half) e.ranked->normal_clips[half] = normal[half].size();
  const std::array<Ranks, 2> ranks{rank(std::move(normal[0])), rank(std::move(normal[1]))};
  for (EvaluatedTwin& twin : e.twins) {
    const auto output_in = [&](bool novel) {
      const ContextScore found = score(twin, novel);
      const double chance = (ranks[1 - twin.level % 2].*p)(found.context, found.score);
      return DetectorOutput{chance, {chance}};
    };
    twin.outputs.push_back({output_in(false), output_in(true)});
  }
}

template <typename Row>
const Row& row_of(const std::vector<Row>& rows, const std::string& novelty, std::optional<Tier> tier,
                  std::size_t detector) {
  return *std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.of.novelty == novelty && row.of.tier == tier && row.detector == detector;
  });
}

}  // namespace

ContextScore context_score(const std::vector<FrameErrors>& clips) {
  double error = 0, change = 0;
  for (const FrameErrors& errors : clips) {
    error += clip_score(errors, ClipScore::sum);
    change = std::accumulate(errors.change.begin(), errors.change.end(), change);
  }
  // Rounded, so that a copy of the last frame, whose error is the change, has the same score in all clips:
  // what rounding errors leave, up to 1.5e-5 where values change by one 255th, would be ranked like anything
  // else.
  constexpr double resolution = 1e-4;
  return {math::log(change + least_change),
          resolution * std::round(math::log((error + least_change) / (change + least_change)) / resolution)};
}

Evaluation with_calibrated_predictors(Evaluation e) {
  if (e.twins.empty()) return e;
  for (std::size_t p = 0; p < e.predictors.size(); ++p) {
    const std::string detector = e.predictors[p] + ", calibrated";
    if (has_unit_of_its_own(e, p))
      add_calibrated(
          e, detector,
          [p](const EvaluatedTwin& twin, bool novel) {
            return ContextScore{math::log(twin.change.of(novel) + least_change),
                                clip_score(twin.predictors[p].of(novel), ClipScore::sum)};
          },
          scores_by_context, &ContextScores::above);
    else
      add_calibrated(
          e, detector,
          [p](const EvaluatedTwin& twin, bool novel) {
            return context_score({twin.predictors[p].of(novel).errors});
          },
          rank_contexts, &ContextRanks::either);
  }
  return e;
}

std::optional<LeastLikely> least_likely(const Evaluation& e, const EvaluatedTwin& twin, std::size_t detector,
                                        bool novel) {
  if (!e.statistics.contains(e.detectors[detector])) return std::nullopt;
  std::optional<LeastLikely> least;
  const PValues& p_values = twin.outputs[detector].of(novel).p_values;
  for (std::size_t i = 0; i < p_values.size(); ++i) {
    if (!p_values[i]) continue;
    if (!least || *p_values[i] < least->p) least = LeastLikely{*p_values[i], {}};
    if (*p_values[i] == least->p) least->statistics.push_back(i);
  }
  return least;
}

bool has_p_values(const Evaluation& e, std::size_t detector) {
  return !e.ranked || detector < e.ranked->first ||
         std::all_of(e.ranked->normal_clips.begin(), e.ranked->normal_clips.end(),
                     [](std::size_t clips) { return clips >= least_normal_shots; });
}

DetectionTables detection_tables(const Evaluation& e, const MetricOptions& options, bool trials) {
  if (e.twins.empty()) throw Error("detection: found no pair of shots, at least one is needed");
  DetectionTables tables;
  std::vector<std::string> novelties;
  for (const EvaluationLevel& level : e.levels) novelties.push_back(level.novelty->name);
  std::sort(novelties.begin(), novelties.end());
  novelties.erase(std::unique(novelties.begin(), novelties.end()), novelties.end());
  novelties.emplace_back();
  std::vector<std::optional<Tier>> columns(tier_columns.begin(), tier_columns.end());
  columns.emplace_back();
  for (const std::string& novelty : novelties)
    for (const auto& tier : columns) {
      tables.visible.push_back({.of = {.novelty = novelty, .tier = tier}});
      for (std::size_t j = 0; j < e.detectors.size(); ++j)
        tables.shots.push_back({.of = {.novelty = novelty, .tier = tier}, .detector = j});
    }
  parallel_for(tables.shots.size(), options.threads, [&](std::size_t i) {
    tables.shots[i] = detection_row(e, tables.shots[i].of, tables.shots[i].detector, options);
  });
  parallel_for(tables.visible.size(), options.threads,
               [&](std::size_t i) { tables.visible[i] = visible_row(e, tables.visible[i].of, options); });
  for (std::size_t j = 0; j < e.detectors.size(); ++j) {
    std::vector<double> p;
    const std::size_t first = tables.trends.size();
    for (const std::string& novelty : novelties) {
      tables.trends.push_back(trend_row(e, novelty, e.detectors[j], [&e, j](const EvaluatedTwin& twin) {
        return twin.outputs[j].novel.p <= detection_p && has_p_values(e, j) ? 1.0 : 0.0;
      }));
      if (!novelty.empty()) p.push_back(tables.trends.back().p);
    }
    const std::vector<double> corrected = holm_adjusted(p);
    for (std::size_t i = 0; i < corrected.size(); ++i) tables.trends[first + i].p_holm = corrected[i];
  }
  for (const std::string& novelty : novelties)
    for (std::size_t j = 0; j < e.detectors.size(); ++j)
      for (StatisticRow& row : statistic_rows(e, novelty, j)) tables.statistics.push_back(std::move(row));
  if (trials) add_trial_rows(e, novelties, options, tables);
  return tables;
}

const DetectionRow& DetectionTables::shot(const std::string& novelty, std::optional<Tier> tier,
                                          std::size_t detector) const {
  return row_of(shots, novelty, tier, detector);
}
const TrialRow& DetectionTables::trial(const std::string& novelty, std::optional<Tier> tier,
                                       std::size_t detector) const {
  return row_of(trials, novelty, tier, detector);
}

const VisibleRow& DetectionTables::visible_of(const std::string& novelty, std::optional<Tier> tier) const {
  return *std::find_if(visible.begin(), visible.end(), [&](const VisibleRow& row) {
    return row.of.novelty == novelty && row.of.tier == tier;
  });
}

const TrendRow& DetectionTables::trend(const std::string& novelty, const std::string& detector) const {
  return *std::find_if(trends.begin(), trends.end(),
                       [&](const TrendRow& row) { return row.novelty == novelty && row.of == detector; });
}

}  // namespace startle
