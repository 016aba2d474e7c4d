#include "surprise/detection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "noticing/evidence.hpp"
#include "sim/error.hpp"
#include "sim/parallel.hpp"
#include "sim/random.hpp"
#include "statistics/significance.hpp"

namespace startle {
namespace {

constexpr std::array<Tier, 3> tier_columns{Tier::easy, Tier::medium, Tier::hard};
constexpr std::size_t threshold_trials = 2000, trials_a_cell = 200, resamples = 100, trials_a_resample = 10;

/// Mean of one number a twin, with its interval over levels.
Estimate mean_by_level(const std::vector<std::size_t>& levels, const std::vector<double>& values,
                       std::uint64_t seed) {
  std::vector<OutcomePair> pairs;
  for (std::size_t i = 0; i < values.size(); ++i) pairs.push_back({levels[i], values[i], 0});
  return values.empty() ? Estimate{} : mean_difference(pairs, seed);
}

DetectionRow detection_row(const Evaluation& e, const Selection& of, std::size_t judge,
                           const MetricOptions& options) {
  DetectionRow row{.of = of, .judge = judge};
  std::vector<std::size_t> levels;
  std::vector<double> paired, noticed, alarms;
  for (const EvaluatedTwin& twin : e.twins) {
    if (!of.holds(e, twin)) continue;
    const double normal = twin.judged[judge].normal.p, novel = twin.judged[judge].novel.p;
    levels.push_back(twin.level);
    paired.push_back(novel < normal ? 1 : novel == normal ? 0.5 : 0);
    noticed.push_back(novel <= noticed_p);
    alarms.push_back(normal <= noticed_p);
  }
  row.twins = levels.size();
  row.paired_accuracy = mean_by_level(levels, paired, options.seed);
  row.noticed = mean_by_level(levels, noticed, options.seed);
  row.false_alarms = mean_by_level(levels, alarms, options.seed);
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
  return {of, mean_by_level(levels, visible, options.seed), mean_by_level(levels, best, options.seed)};
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
double play(Evidence& evidence, const Shots& shots, std::size_t judge, bool novel) {
  double most = -1e300;
  for (const EvaluatedTwin* twin : shots)
    most = std::max(most,
                    evidence.add((novel ? twin->judged[judge].novel : twin->judged[judge].normal).streams));
  return most;
}

/// Evidence that so few trials of normal levels alone pass.
double threshold_of(const std::vector<TrialCell>& cells, std::size_t judge, std::uint64_t seed) {
  std::vector<const Shots*> all;
  for (const TrialCell& cell : cells)
    for (const Shots& level : cell.levels) all.push_back(&level);
  Random random(stream_seed(seed, "trial threshold"));
  std::vector<double> peaks;
  for (std::size_t t = 0; t < threshold_trials; ++t) {
    random.shuffle(all);
    Evidence evidence;
    double most = -1e300;
    for (std::size_t i = 0; i < 2 * trial_levels; ++i)
      most = std::max(most, play(evidence, *all[i % all.size()], judge, false));
    peaks.push_back(most);
  }
  std::sort(peaks.begin(), peaks.end());
  return peaks[static_cast<std::size_t>((1 - trial_false_alarms) * threshold_trials)];
}

struct TrialCounts {
  double trials = 0, detected = 0, alarms = 0, delay = 0;
  TrialCounts& operator+=(const TrialCounts& o) {
    trials += o.trials, detected += o.detected, alarms += o.alarms, delay += o.delay;
    return *this;
  }
};

/// Levels in random order, again from the first where there are too few: the first normal, the next novel.
TrialCounts run_trials(std::vector<const Shots*> levels, std::size_t judge, double threshold,
                       std::size_t trials, Random& random) {
  TrialCounts counts{.trials = static_cast<double>(trials)};
  for (std::size_t t = 0; t < trials; ++t) {
    random.shuffle(levels);
    Evidence evidence;
    for (std::size_t i = 0; i < 2 * trial_levels; ++i) {
      const bool novel = i >= trial_levels;
      if (play(evidence, *levels[i % levels.size()], judge, novel) <= threshold) continue;
      (novel ? counts.detected : counts.alarms) += 1;
      if (novel) counts.delay += static_cast<double>(i - trial_levels + 1);
      break;
    }
  }
  return counts;
}

/// [0]: of the cell's levels; then of levels drawn anew.
std::vector<TrialCounts> trials_in(const TrialCell& cell, std::size_t judge, double threshold,
                                   std::uint64_t seed) {
  if (cell.levels.size() < least_trial_levels) return std::vector<TrialCounts>(resamples + 1);
  Random random(stream_seed(
      seed, "trials/" + cell.novelty + "/" + name(cell.tier)));  // the same trials for every judge
  std::vector<const Shots*> levels;
  for (const Shots& level : cell.levels) levels.push_back(&level);
  std::vector<TrialCounts> counts{run_trials(levels, judge, threshold, trials_a_cell, random)};
  for (std::size_t r = 0; r < resamples; ++r) {
    std::vector<const Shots*> drawn;
    for (std::size_t i = 0; i < levels.size(); ++i) drawn.push_back(random.choice(levels));
    counts.push_back(run_trials(drawn, judge, threshold, trials_a_resample, random));
  }
  return counts;
}

/// Value of the first, 95 % of the others.
template <typename Of>
Estimate estimate_of(const std::vector<TrialCounts>& counts, Of of) {
  Estimate e{.value = of(counts.front()), .interval = {}};
  std::vector<double> others;
  for (std::size_t r = 1; r < counts.size(); ++r)
    if (const std::optional<double> value = of(counts[r])) others.push_back(*value);
  if (others.size() < resamples / 2) return e;
  std::sort(others.begin(), others.end());
  const auto n = static_cast<double>(others.size());
  e.interval = IntervalEstimate{others[static_cast<std::size_t>(0.025 * n)],
                                others[static_cast<std::size_t>(0.975 * n)]};
  return e;
}

void add_trial_rows(const Evaluation& e, const std::vector<std::string>& novelties,
                    const MetricOptions& options, DetectionTables& tables) {
  const std::vector<TrialCell> cells = cells_of(e);
  const std::size_t judges = e.judges.size();
  tables.thresholds.resize(judges);
  parallel_for(judges, options.threads,
               [&](std::size_t j) { tables.thresholds[j] = threshold_of(cells, j, options.seed); });
  std::vector<std::vector<TrialCounts>> counts(cells.size() * judges);
  parallel_for(counts.size(), options.threads, [&](std::size_t i) {
    counts[i] = trials_in(cells[i / judges], i % judges, tables.thresholds[i % judges], options.seed);
  });
  std::vector<std::optional<Tier>> columns(tier_columns.begin(), tier_columns.end());
  columns.emplace_back();
  for (const std::string& novelty : novelties)
    for (const auto& tier : columns)
      for (std::size_t j = 0; j < judges; ++j) {
        TrialRow row{.of = {.novelty = novelty, .tier = tier}, .judge = j};
        std::vector<TrialCounts> sum(resamples + 1);
        for (std::size_t c = 0; c < cells.size(); ++c) {
          if ((!novelty.empty() && cells[c].novelty != novelty) || (tier && cells[c].tier != *tier)) continue;
          row.levels += cells[c].levels.size();
          for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += counts[c * judges + j][r];
        }
        const auto share = [](double part, double whole) {
          return whole > 0 ? std::optional(part / whole) : std::nullopt;
        };
        row.detected = estimate_of(sum, [&](const TrialCounts& c) { return share(c.detected, c.trials); });
        row.false_alarms = estimate_of(sum, [&](const TrialCounts& c) { return share(c.alarms, c.trials); });
        row.delay = estimate_of(sum, [&](const TrialCounts& c) { return share(c.delay, c.detected); });
        tables.trials.push_back(row);
      }
}

/// A judge by the ranks of `score(twin, novel)` among normal clips.
template <typename ScoreOf>
void add_calibrated(Evaluation& e, const std::string& judge, const ScoreOf& score) {
  e.judges.push_back(judge);
  std::array<std::vector<ContextScore>, 2> normal;
  for (const EvaluatedTwin& twin : e.twins) normal[twin.level % 2].push_back(score(twin, false));
  const std::array<ContextRanks, 2> ranks{rank_contexts(std::move(normal[0])),
                                          rank_contexts(std::move(normal[1]))};
  for (EvaluatedTwin& twin : e.twins) {
    const auto judged = [&](bool novel) {
      const ContextScore found = score(twin, novel);
      const double either = ranks[1 - twin.level % 2].either(found.context, found.score);
      return JudgedShot{either, {either}};
    };
    twin.judged.push_back({judged(false), judged(true)});
  }
}

template <typename Row>
const Row& row_of(const std::vector<Row>& rows, const std::string& novelty, std::optional<Tier> tier,
                  std::size_t judge) {
  return *std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.of.novelty == novelty && row.of.tier == tier && row.judge == judge;
  });
}

}  // namespace

ContextScore context_score(const std::vector<FrameErrors>& clips) {
  constexpr double least = 1e-3;  // of a pixel's value squared: a clip in which nothing changes
  double error = 0, change = 0;
  for (const FrameErrors& errors : clips) {
    error += clip_score(errors, ClipScore::sum);
    change = std::accumulate(errors.change.begin(), errors.change.end(), change);
  }
  // Rounded, so that a copy of the last frame, whose error is the change, has the same score in all clips: what rounding errors leave, up to 1.5e-5 where values change by one 255th, would be ranked like
  // anything else.
  constexpr double resolution = 1e-4;
  return {std::log(change + least),
          resolution * std::round(std::log((error + least) / (change + least)) / resolution)};
}

ContextScore context_score(const ForecastSurprise& forecast, bool copied) {
  constexpr double least = 1e-3;
  return {std::log(forecast.expected + least),
          std::log((copied ? forecast.copied : forecast.surprise) + least)};
}

Evaluation with_calibrated_predictors(Evaluation e) {
  for (std::size_t p = 0; p < e.predictors.size(); ++p) {
    const auto of = [p](const EvaluatedTwin& twin) -> const TwinErrors& { return twin.predictors[p]; };
    const bool forecasts = !e.twins.empty() &&
                           std::all_of(e.twins.begin(), e.twins.end(), [&](const EvaluatedTwin& twin) {
                             return of(twin).normal_forecast && of(twin).novel_forecast;
                           });
    if (!forecasts) {
      add_calibrated(e, e.predictors[p] + ", calibrated", [&](const EvaluatedTwin& twin, bool novel) {
        return context_score({novel ? of(twin).novel : of(twin).normal});
      });
      continue;
    }
    for (const bool copied : {false, true})
      add_calibrated(
          e, e.predictors[p] + (copied ? ", copied" : ""), [&](const EvaluatedTwin& twin, bool novel) {
            return context_score(novel ? *of(twin).novel_forecast : *of(twin).normal_forecast, copied);
          });
  }
  return e;
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
      for (std::size_t j = 0; j < e.judges.size(); ++j)
        tables.shots.push_back({.of = {.novelty = novelty, .tier = tier}, .judge = j});
    }
  parallel_for(tables.shots.size(), options.threads, [&](std::size_t i) {
    tables.shots[i] = detection_row(e, tables.shots[i].of, tables.shots[i].judge, options);
  });
  parallel_for(tables.visible.size(), options.threads,
               [&](std::size_t i) { tables.visible[i] = visible_row(e, tables.visible[i].of, options); });
  for (std::size_t j = 0; j < e.judges.size(); ++j) {
    std::vector<double> p;
    const std::size_t first = tables.trends.size();
    for (const std::string& novelty : novelties) {
      tables.trends.push_back(trend_row(e, novelty, e.judges[j], [j](const EvaluatedTwin& twin) {
        return twin.judged[j].novel.p <= noticed_p ? 1.0 : 0.0;
      }));
      if (!novelty.empty()) p.push_back(tables.trends.back().p);
    }
    const std::vector<double> corrected = holm_adjusted(p);
    for (std::size_t i = 0; i < corrected.size(); ++i) tables.trends[first + i].p_holm = corrected[i];
  }
  if (trials) add_trial_rows(e, novelties, options, tables);
  return tables;
}

const DetectionRow& DetectionTables::shot(const std::string& novelty, std::optional<Tier> tier,
                                          std::size_t judge) const {
  return row_of(shots, novelty, tier, judge);
}
const TrialRow& DetectionTables::trial(const std::string& novelty, std::optional<Tier> tier,
                                       std::size_t judge) const {
  return row_of(trials, novelty, tier, judge);
}

const VisibleRow& DetectionTables::visible_of(const std::string& novelty, std::optional<Tier> tier) const {
  return *std::find_if(visible.begin(), visible.end(), [&](const VisibleRow& row) {
    return row.of.novelty == novelty && row.of.tier == tier;
  });
}

const TrendRow& DetectionTables::trend(const std::string& novelty, const std::string& judge) const {
  return *std::find_if(trends.begin(), trends.end(),
                       [&](const TrendRow& row) { return row.novelty == novelty && row.of == judge; });
}

}  // namespace startle
