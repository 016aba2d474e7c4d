#include "surprise/evaluation_metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "statistics/likelihood.hpp"
#include "statistics/paired_accuracy.hpp"
#include "statistics/precision_recall.hpp"
#include "statistics/roc.hpp"
#include "statistics/significance.hpp"
#include "statistics/trend.hpp"

namespace startle {
namespace {

constexpr std::array<Tier, 3> tiers{Tier::easy, Tier::medium, Tier::hard};

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

/// `statistic` of the values at some indices, which may come more than once.
using Statistic = std::function<std::optional<double>(const std::vector<std::size_t>&)>;

/// Of all values; value i belongs to level levels[i]. Of a single level there is no interval: resampled it is
/// always itself.
Estimate estimate(const std::vector<std::size_t>& levels, const Statistic& statistic, std::uint64_t seed,
                  bool with_interval = true) {
  if (levels.empty()) return {};
  std::vector<std::size_t> all(levels.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Estimate result{.value = statistic(all), .interval = {}};
  const bool several = std::any_of(levels.begin(), levels.end(),
                                   [&](std::size_t level) { return level != levels.front(); });
  if (with_interval && several) result.interval = bootstrap_clusters(levels, statistic, seed);
  return result;
}

/// Mean of a number a twin.
Statistic mean_of(const std::vector<double>& values) {
  return [&values](const std::vector<std::size_t>& indices) -> std::optional<double> {
    double sum = 0;
    for (std::size_t i : indices) sum += values[i];
    return sum / static_cast<double>(indices.size());
  };
}

}  // namespace

double paired_outcome(const TwinScore& twin, ClipScore score, std::size_t frames, double tie_tolerance) {
  const TieTolerance tolerance = score == ClipScore::log
                                     ? TieTolerance{.absolute = tie_tolerance * static_cast<double>(frames)}
                                     : TieTolerance{.relative = tie_tolerance};
  if (tolerance.tied(twin.novel, twin.normal)) return 0.5;
  return twin.novel > twin.normal ? 1 : 0;
}

TwinMetrics twin_metrics(const std::vector<TwinScore>& twins, ClipScore score, std::size_t frames,
                         const MetricOptions& options, bool all_intervals) {
  TwinMetrics metrics;
  metrics.twins = twins.size();
  std::vector<double> outcomes, differences;
  std::vector<std::size_t> level_of;
  std::map<std::size_t, std::vector<TwinScore>> of_levels;
  for (const TwinScore& twin : twins) {
    outcomes.push_back(paired_outcome(twin, score, frames, options.tie_tolerance));
    metrics.ties += outcomes.back() == 0.5;
    differences.push_back(twin.novel - twin.normal);
    level_of.push_back(twin.level);
    of_levels[twin.level].push_back(twin);
  }
  metrics.levels = of_levels.size();
  std::vector<TwinScore> levels;  // the means of their twins
  std::vector<std::size_t> each_level;
  for (const auto& [level, of_level] : of_levels) {
    TwinScore sum{.level = level};
    for (const TwinScore& twin : of_level) {
      sum.normal += twin.normal / static_cast<double>(of_level.size());
      sum.novel += twin.novel / static_cast<double>(of_level.size());
    }
    levels.push_back(sum);
    each_level.push_back(level);
  }
  std::vector<double> novel, normal;
  const auto both_worlds = [&](const std::vector<TwinScore>& of, const std::vector<std::size_t>& indices) {
    novel.clear();
    normal.clear();
    for (std::size_t i : indices) {
      novel.push_back(of[i].novel);
      normal.push_back(of[i].normal);
    }
  };
  metrics.paired_accuracy = mean_estimate(outcomes, options.seed, level_of);
  const auto area = [&](const auto& of, std::optional<double> (*metric)(const std::vector<double>&,
                                                                        const std::vector<double>&)) {
    return [&, metric](const std::vector<std::size_t>& indices) {
      both_worlds(of, indices);
      return metric(novel, normal);
    };
  };
  metrics.roc_auc = estimate(level_of, area(twins, roc_auc), options.seed, all_intervals);
  metrics.roc_auc_levels = estimate(each_level, area(levels, roc_auc), options.seed, all_intervals);
  metrics.pr_auc = estimate(level_of, area(twins, pr_auc), options.seed, all_intervals);
  metrics.relative_surprise = estimate(level_of, mean_of(differences), options.seed, all_intervals);
  metrics.effect_size = estimate(
      level_of,
      [&](const std::vector<std::size_t>& indices) -> std::optional<double> {
        double sum = 0, squares = 0;
        for (std::size_t i : indices) sum += differences[i];
        const double n = static_cast<double>(indices.size()), m = sum / n;
        for (std::size_t i : indices) squares += (differences[i] - m) * (differences[i] - m);
        if (n < 2 || squares == 0) return std::nullopt;
        return m / std::sqrt(squares / (n - 1));
      },
      options.seed, all_intervals);
  return metrics;
}

bool Selection::holds(const Evaluation& evaluation, const EvaluatedTwin& twin) const {
  const EvaluationLevel& level = evaluation.levels[twin.level];
  return (novelty.empty() || level.novelty->name == novelty) && (!tier || level.tier == *tier) &&
         (!kind || twin.kind == *kind);
}

std::vector<TwinScore> twin_scores(const Evaluation& evaluation, const Selection& selection,
                                   std::size_t predictor, ClipScore score) {
  std::vector<TwinScore> scores;
  for (const EvaluatedTwin& twin : evaluation.twins) {
    if (!selection.holds(evaluation, twin)) continue;
    const TwinErrors& errors = twin.predictors[predictor];
    scores.push_back({twin.level, clip_score(errors.normal, score), clip_score(errors.novel, score)});
  }
  return scores;
}

Estimate mean_difference(const std::vector<OutcomePair>& pairs, std::uint64_t seed) {
  std::vector<double> differences;
  std::vector<std::size_t> level_of;
  for (const OutcomePair& pair : pairs) {
    differences.push_back(pair.a - pair.b);
    level_of.push_back(pair.level);
  }
  return estimate(level_of, mean_of(differences), seed);
}

double total_difference(const EvaluatedTwin& twin) {
  double sum = 0;
  for (double d : twin.difference) sum += d;
  return sum;
}

namespace {

CeilingRow ceiling_row(const Evaluation& evaluation, const Selection& selection,
                       const MetricOptions& options) {
  std::vector<std::size_t> level_of;
  std::set<std::size_t> levels;
  std::vector<double> differs, best, difference;
  for (const EvaluatedTwin& twin : evaluation.twins) {
    if (!selection.holds(evaluation, twin)) continue;
    level_of.push_back(twin.level);
    levels.insert(twin.level);
    difference.push_back(total_difference(twin));
    differs.push_back(difference.back() > 0 ? 1 : 0);
    best.push_back(difference.back() > 0 ? 1 : 0.5);
  }
  return {.of = selection,
          .levels = levels.size(),
          .twins = level_of.size(),
          .share_differing = mean_estimate(differs, options.seed, level_of),
          .best_accuracy = mean_estimate(best, options.seed, level_of),
          .difference = estimate(level_of, mean_of(difference), options.seed)};
}

}  // namespace

TrendRow trend_row(const Evaluation& evaluation, const std::string& novelty, const std::string& of,
                   const std::function<double(const EvaluatedTwin&)>& value) {
  TrendRow row{.novelty = novelty, .of = of, .levels = {}};
  std::vector<std::vector<double>> groups;
  for (Tier tier : tiers) {
    std::map<std::size_t, std::vector<double>> levels;
    for (const EvaluatedTwin& twin : evaluation.twins)
      if (Selection{.novelty = novelty, .tier = tier}.holds(evaluation, twin))
        levels[twin.level].push_back(value(twin));
    groups.emplace_back();
    for (const auto& [level, values] : levels) groups.back().push_back(mean(values));
    row.levels.push_back(groups.back().size());
  }
  if (const auto test = jonckheere_terpstra(groups)) {
    row.z = test->z;
    row.p = row.p_holm = test->p;
  }
  return row;
}

namespace {

/// All rows, without their figures: of novelty x tier, then of kind of shot x tier, each with all of them
/// together last.
EvaluationTables empty_tables(const Evaluation& evaluation) {
  EvaluationTables tables;
  std::set<std::string> names;
  for (const EvaluationLevel& level : evaluation.levels) names.insert(level.novelty->name);
  tables.novelties.assign(names.begin(), names.end());
  std::vector<std::string> rows = tables.novelties;
  rows.emplace_back();
  std::vector<std::optional<Tier>> columns(tiers.begin(), tiers.end());
  columns.emplace_back();
  const std::size_t predictors = evaluation.predictors.size();
  for (const std::string& novelty : rows) {
    for (const auto& tier : columns) {
      tables.ceiling.push_back({.of = {.novelty = novelty, .tier = tier}});
      for (std::size_t p = 0; p < predictors; ++p)
        for (ClipScore score : clip_scores())
          tables.scores.push_back({.of = {.novelty = novelty, .tier = tier}, .predictor = p, .score = score});
    }
    for (std::size_t p = 1; p < predictors; ++p)
      for (ClipScore score : clip_scores())
        tables.contrasts.push_back({.novelty = novelty, .predictor = p, .score = score});
  }
  for (ShotKind kind : shot_kinds()) {
    for (const auto& tier : columns) {
      tables.ceiling.push_back({.of = {.tier = tier, .kind = kind}});
      for (std::size_t p = 0; p < predictors; ++p)
        tables.scores.push_back({.of = {.tier = tier, .kind = kind}, .predictor = p});
    }
  }
  return tables;
}

/// The model against a control on the same pairs.
Estimate contrast(const Evaluation& evaluation, const ContrastRow& row, const MetricOptions& options) {
  const std::size_t frames = evaluation.twins.front().difference.size();
  const Selection selection{.novelty = row.novelty};
  const std::vector<TwinScore> model = twin_scores(evaluation, selection, 0, row.score),
                               other = twin_scores(evaluation, selection, row.predictor, row.score);
  std::vector<OutcomePair> pairs;
  const double of_model = tie_tolerance_of(evaluation, 0, options),
               of_other = tie_tolerance_of(evaluation, row.predictor, options);
  for (std::size_t k = 0; k < model.size(); ++k)
    pairs.push_back({model[k].level, paired_outcome(model[k], row.score, frames, of_model),
                     paired_outcome(other[k], row.score, frames, of_other)});
  return mean_difference(pairs, options.seed);
}

/// Of the ceiling and all predictors, for each novelty and for all of them.
std::vector<TrendRow> trend_rows(const Evaluation& evaluation, const std::vector<std::string>& novelties,
                                 const MetricOptions& options) {
  const std::size_t frames = evaluation.twins.front().difference.size();
  const auto outcome_by = [&](std::size_t p) {
    return [&, p](const EvaluatedTwin& twin) {
      const TwinErrors& errors = twin.predictors[p];
      return paired_outcome(
          {twin.level, clip_score(errors.normal, ClipScore::sum), clip_score(errors.novel, ClipScore::sum)},
          ClipScore::sum, frames, tie_tolerance_of(evaluation, p, options));
    };
  };
  std::vector<std::string> all = novelties;
  all.emplace_back();
  std::vector<TrendRow> trends;
  for (const std::string& novelty : all) {
    trends.push_back(trend_row(evaluation, novelty, "ceiling", [](const EvaluatedTwin& twin) {
      return total_difference(twin) > 0 ? 1.0 : 0.0;
    }));
    for (std::size_t p = 0; p < evaluation.predictors.size(); ++p)
      trends.push_back(trend_row(evaluation, novelty, evaluation.predictors[p], outcome_by(p)));
  }
  return trends;
}

/// Within what is tested: the same question for each novelty. The row over all novelties is a question of its
/// own.
void adjust_trends(std::vector<TrendRow>& trends) {
  std::map<std::string, std::vector<TrendRow*>> families;
  for (TrendRow& row : trends)
    if (!row.novelty.empty()) families[row.of].push_back(&row);
  for (const auto& [of, family] : families) {
    std::vector<double> p;
    for (const TrendRow* row : family) p.push_back(row->p);
    const std::vector<double> corrected = holm_adjusted(p);
    for (std::size_t i = 0; i < family.size(); ++i) family[i]->p_holm = corrected[i];
  }
}

std::vector<LikelihoodRow> likelihood_rows(const Evaluation& evaluation) {
  std::vector<LikelihoodRow> rows;
  for (std::size_t p = 0; p < evaluation.predictors.size(); ++p) {
    if (has_unit_of_its_own(evaluation, p)) continue;
    double normal = 0, novel = 0;
    std::size_t frames = 0;
    for (const EvaluatedTwin& twin : evaluation.twins) {
      normal += clip_score(twin.predictors[p].normal.errors, ClipScore::sum);
      novel += clip_score(twin.predictors[p].novel.errors, ClipScore::sum);
      frames += twin.predictors[p].normal.errors.error.size();
    }
    if (normal == 0) continue;
    const auto pixels = static_cast<std::size_t>(evaluation.format.pixels);
    const std::size_t values = frames * pixels * pixels * 3;
    const double sigma = std::sqrt(normal / static_cast<double>(values));
    const auto bits = [&](double errors) {
      return bits_per_dimension(discrete_nll_bound(gaussian_nll(errors, values, sigma), values), values);
    };
    rows.push_back({p, sigma, bits(normal), bits(novel)});
  }
  return rows;
}

std::vector<StatedLikelihoodRow> stated_likelihood_rows(const Evaluation& evaluation) {
  std::vector<StatedLikelihoodRow> rows;
  for (std::size_t p = 0; p < evaluation.predictors.size(); ++p) {
    const auto total = [&](bool novel) {
      StatedLikelihood sum;
      for (const EvaluatedTwin& twin : evaluation.twins)
        if (const std::optional<StatedLikelihood>& stated = twin.predictors[p].of(novel).stated) {
          sum.nll += stated->nll;
          sum.values += stated->values;
        }
      return sum;
    };
    const StatedLikelihood normal = total(false), novel = total(true);
    if (normal.values == 0 || novel.values == 0) continue;
    rows.push_back(
        {p,
         {normal.values, novel.values},
         {bits_per_dimension(normal.nll, normal.values), bits_per_dimension(novel.nll, novel.values)}});
  }
  return rows;
}

}  // namespace

double tie_tolerance_of(const Evaluation& evaluation, std::size_t predictor, const MetricOptions& options) {
  return gives_one_number(evaluation, predictor) ? 0 : options.tie_tolerance;
}

EvaluationTables evaluation_tables(const Evaluation& evaluation, const MetricOptions& options) {
  if (evaluation.twins.empty()) throw Error("evaluation: found no pair of clips, at least one is needed");
  EvaluationTables tables = empty_tables(evaluation);
  const std::size_t frames = evaluation.twins.front().difference.size();
  parallel_for(tables.scores.size(), options.threads, [&](std::size_t i) {
    ScoreRow& row = tables.scores[i];
    MetricOptions of_predictor = options;
    of_predictor.tie_tolerance = tie_tolerance_of(evaluation, row.predictor, options);
    row.metrics = twin_metrics(twin_scores(evaluation, row.of, row.predictor, row.score), row.score, frames,
                               of_predictor, row.score == ClipScore::sum);
  });
  parallel_for(tables.ceiling.size(), options.threads, [&](std::size_t i) {
    tables.ceiling[i] = ceiling_row(evaluation, tables.ceiling[i].of, options);
  });
  parallel_for(tables.contrasts.size(), options.threads, [&](std::size_t i) {
    tables.contrasts[i].difference = contrast(evaluation, tables.contrasts[i], options);
  });
  tables.trends = trend_rows(evaluation, tables.novelties, options);
  adjust_trends(tables.trends);
  tables.likelihoods = likelihood_rows(evaluation);
  tables.stated_likelihoods = stated_likelihood_rows(evaluation);
  return tables;
}

const ScoreRow& EvaluationTables::score(const std::string& novelty, std::optional<Tier> tier,
                                        std::size_t predictor, ClipScore score) const {
  return *std::find_if(scores.begin(), scores.end(), [&](const ScoreRow& row) {
    return row.of.novelty == novelty && row.of.tier == tier && !row.of.kind && row.predictor == predictor &&
           row.score == score;
  });
}

const CeilingRow& EvaluationTables::ceiling_of(const std::string& novelty, std::optional<Tier> tier) const {
  return *std::find_if(ceiling.begin(), ceiling.end(), [&](const CeilingRow& row) {
    return row.of.novelty == novelty && row.of.tier == tier && !row.of.kind;
  });
}

const TrendRow& EvaluationTables::trend(const std::string& novelty, const std::string& of) const {
  return *std::find_if(trends.begin(), trends.end(),
                       [&](const TrendRow& row) { return row.novelty == novelty && row.of == of; });
}

}  // namespace startle
