#include "surprise/knn_surprise.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "statistics/intervals.hpp"
#include "statistics/k_nearest.hpp"
#include "statistics/paired_accuracy.hpp"
#include "statistics/roc.hpp"

namespace startle {
namespace {

const std::string nearest = "k-nearest";

struct Moments {
  double mean = 0, deviation = 0;
};

Moments moments(const std::vector<double>& values) {
  Moments m;
  for (double v : values) m.mean += v / static_cast<double>(values.size());
  for (double v : values) m.deviation += (v - m.mean) * (v - m.mean) / static_cast<double>(values.size());
  m.deviation = std::sqrt(m.deviation);
  return m;
}

Points single(const std::vector<float>& feature) {
  Points point;
  add_feature(point, feature);
  return point;
}

/// Test twins of one detector, as numbers.
struct Scored {
  std::vector<std::size_t> level;
  std::vector<double> normal, novel, outcome;
};

FewShotRow row_of(const std::string& detector, const Scored& scored, std::uint64_t seed) {
  FewShotRow row{.detector = detector,
                 .levels = std::set<std::size_t>(scored.level.begin(), scored.level.end()).size(),
                 .twins = scored.level.size()};
  if (scored.level.empty()) return row;
  const auto area = [&](const std::vector<std::size_t>& indices) -> std::optional<double> {
    std::vector<double> novel, normal;
    for (std::size_t i : indices) {
      novel.push_back(scored.novel[i]);
      normal.push_back(scored.normal[i]);
    }
    return roc_auc(novel, normal);
  };
  std::vector<std::size_t> all(scored.level.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  row.paired_accuracy = mean_estimate(scored.outcome, seed, scored.level);
  row.roc_auc = {area(all), bootstrap_clusters(scored.level, area, seed)};
  return row;
}

/// Numbers of the levels whose novel clips are observed, of the levels by novelty: whole levels are observed
/// or tested, never both.
std::set<std::size_t> observed_levels(const std::map<std::string, std::vector<std::size_t>>& levels,
                                      const FewShotOptions& options) {
  std::set<std::size_t> observed;
  for (auto [novelty, of_novelty] : levels) {
    if (options.given.contains(novelty)) continue;
    Random random(stream_seed(options.seed, "few-shot/" + novelty));
    random.shuffle(of_novelty);
    const auto count = static_cast<std::size_t>(
        std::lround(options.observation_share * static_cast<double>(of_novelty.size())));
    observed.insert(of_novelty.begin(), of_novelty.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return observed;
}

}  // namespace

double mean_surprise(const FrameErrors& errors, int pixels) {
  return clip_score(errors, ClipScore::mean) / (3.0 * pixels * pixels);
}

void add_feature(Points& points, const std::vector<float>& feature) {
  points.add(unit_norm(std::vector<double>(feature.begin(), feature.end())));
}

FewShotSurprise::FewShotSurprise(const std::string& estimator, const Points& observations, std::uint64_t seed,
                                 double gamma)
    : density_(make_density_estimator(estimator, seed)), gamma_(gamma) {
  density_->fit(observations);
  if (estimator == nearest) return;
  const auto reference = make_density_estimator(nearest, seed);
  reference->fit(observations);
  const Moments wanted = moments(scores(*reference, observations)),
                own = moments(scores(*density_, observations));
  scale_ = own.deviation > 0 ? wanted.deviation / own.deviation : 0;
  shift_ = wanted.mean - scale_ * own.mean;
}

double FewShotSurprise::score(double mean_surprise, const std::vector<float>& feature) const {
  return mean_surprise + gamma_ * (shift_ + scale_ * density_->score(single(feature)[0]));
}

std::vector<FewShotResult> few_shot_results(const Evaluation& evaluation, const FewShotOptions& options) {
  if (!(options.observation_share > 0 && options.observation_share < 1))
    throw Error("few-shot: observation share: found " + std::to_string(options.observation_share) +
                ", allowed is over 0 and below 1");
  std::map<std::string, std::vector<std::size_t>> levels;
  for (std::size_t i = 0; i < evaluation.levels.size(); ++i)
    levels[evaluation.levels[i].novelty->name].push_back(i);
  const std::set<std::size_t> observed = observed_levels(levels, options);
  std::map<std::string, Points> observations = options.given;
  for (const EvaluatedTwin& twin : evaluation.twins)
    if (observed.contains(twin.level) && !twin.predictors[0].novel.feature.empty())
      add_feature(observations[evaluation.levels[twin.level].novelty->name],
                  twin.predictors[0].novel.feature);
  Points pooled;
  for (const auto& [novelty, points] : observations)
    for (std::size_t i = 0; i < points.count(); ++i) pooled.add(points[i]);

  std::vector<FewShotResult> results;
  for (const auto& [novelty, of_novelty] : levels)
    results.push_back({.novelty = novelty, .observations = 0, .rows = {}, .uniformity = {}});
  results.push_back({});
  for (FewShotResult& result : results) {
    const Points& known = result.novelty.empty() ? pooled : observations[result.novelty];
    result.observations = known.count();
    const bool enough = known.count() > static_cast<std::size_t>(KNearestOptions{}.k);
    std::vector<const EvaluatedTwin*> twins;
    for (const EvaluatedTwin& twin : evaluation.twins)
      if (!observed.contains(twin.level) && Selection{.novelty = result.novelty}.holds(evaluation, twin))
        twins.push_back(&twin);
    std::vector<std::string> detectors{"surprise"};
    if (options.violation_model) detectors.emplace_back("surprise_naive");
    if (enough) detectors.insert(detectors.end(), density_estimators().begin(), density_estimators().end());
    result.rows.resize(detectors.size());
    parallel_for(detectors.size(), options.threads, [&](std::size_t d) {
      std::unique_ptr<FewShotSurprise> few_shot;
      if (detectors[d].rfind("surprise", 0) != 0)
        few_shot = std::make_unique<FewShotSurprise>(detectors[d], known, options.seed);
      const auto score_of = [&](const EvaluatedTwin& twin, bool in_novel) {
        const ClipSurprise& clip = twin.predictors[0].of(in_novel);
        const double plain = mean_surprise(clip.errors, evaluation.format.pixels);
        if (few_shot) return few_shot->score(plain, clip.feature);
        if (detectors[d] == "surprise") return plain;
        return surprise_naive(plain,
                              mean_surprise(twin.predictors[*options.violation_model].of(in_novel).errors,
                                            evaluation.format.pixels));
      };
      Scored scored;
      for (const EvaluatedTwin* twin : twins) {
        const double normal = score_of(*twin, false), novel = score_of(*twin, true);
        const double both = mean_surprise(twin->predictors[0].normal.errors, evaluation.format.pixels) +
                            mean_surprise(twin->predictors[0].novel.errors, evaluation.format.pixels);
        const bool tied = TieTolerance{.absolute = options.tie_tolerance * both}.tied(novel, normal);
        scored.level.push_back(twin->level);
        scored.normal.push_back(normal);
        scored.novel.push_back(novel);
        scored.outcome.push_back(tied ? 0.5 : novel > normal ? 1 : 0);
      }
      result.rows[d] = row_of(detectors[d], scored, options.seed);
    });
    if (enough)
      result.uniformity = test_uniform_on_sphere(known, {.seed = options.seed, .threads = options.threads});
  }
  return results;
}

}  // namespace startle
