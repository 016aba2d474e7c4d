#include "surprise/probes/probe_evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/parallel.hpp"

namespace startle {
namespace {

constexpr std::size_t tuples_at_once = 20;

std::vector<std::optional<ProbeConcept>> concepts_and_all() {
  std::vector<std::optional<ProbeConcept>> all(probe_concepts().begin(), probe_concepts().end());
  all.emplace_back();
  return all;
}

/// Those that the predictor was shown.
std::vector<const ProbedTuple*> tuples_of(const ProbeRun& run, std::optional<ProbeConcept> kind,
                                          std::size_t predictor) {
  std::vector<const ProbedTuple*> tuples;
  for (const ProbedTuple& tuple : run.tuples)
    if ((!kind || tuple.kind == *kind) && was_shown(tuple.predictors[predictor])) tuples.push_back(&tuple);
  return tuples;
}

TwinMetrics metrics_of(const ProbeRun& run, const ProbeRow& row, const MetricOptions& options) {
  std::vector<TwinScore> sums, clips;
  std::size_t frames = 0;
  for (const ProbedTuple* tuple : tuples_of(run, row.kind, row.predictor)) {
    const TupleErrors& errors = tuple->predictors[row.predictor];
    const std::size_t number = sums.size();
    TwinScore sum{.level = number};
    for (std::size_t k = 0; k < 2; ++k) {
      clips.push_back(
          {number, clip_score(errors.possible[k], row.score), clip_score(errors.impossible[k], row.score)});
      sum.normal += clips.back().normal;
      sum.novel += clips.back().novel;
    }
    sums.push_back(sum);
    frames = 2 * errors.possible[0].error.size();
  }
  const bool all_intervals = row.score == ClipScore::sum;
  TwinMetrics metrics = twin_metrics(sums, row.score, frames, options, all_intervals);
  const TwinMetrics of_clips = twin_metrics(clips, row.score, frames / 2, options, all_intervals);
  metrics.roc_auc = of_clips.roc_auc;
  metrics.pr_auc = of_clips.pr_auc;
  return metrics;
}

struct FewShotOutcomes {
  std::vector<double> outcomes;        ///< of every test tuple
  std::vector<OutcomePair> surprises;  ///< of its impossible and of its possible clips

  void add(const FewShotOutcomes& others) {
    outcomes.insert(outcomes.end(), others.outcomes.begin(), others.outcomes.end());
    for (const OutcomePair& pair : others.surprises) surprises.push_back({surprises.size(), pair.a, pair.b});
  }
};

/// Those of one concept by one detector.
FewShotOutcomes few_shot_outcomes(const std::vector<const ProbedTuple*>& test, const Points& known,
                                  std::size_t predictor, const std::string& detector,
                                  const MetricOptions& options, const FewShotOptions& few_shot_options) {
  std::optional<FewShotSurprise> few_shot;
  if (detector != "surprise") few_shot.emplace(detector, known, few_shot_options, options.seed);
  const int pixels = probe_format().pixels;
  FewShotOutcomes of;
  for (const ProbedTuple* tuple : test) {
    const TupleErrors& errors = tuple->predictors[predictor];
    double plain = 0;
    OutcomePair of_tuple{.level = of.surprises.size()};
    for (std::size_t k = 0; k < 2; ++k) {
      const double possible = mean_surprise(errors.possible[k], pixels),
                   impossible = mean_surprise(errors.impossible[k], pixels);
      plain += possible + impossible;
      of_tuple.a += few_shot ? few_shot->score(impossible, errors.impossible_feature[k]) : impossible;
      of_tuple.b += few_shot ? few_shot->score(possible, errors.possible_feature[k]) : possible;
    }
    const double relative = of_tuple.a - of_tuple.b;
    of.outcomes.push_back(std::abs(relative) <= options.tie_tolerance * plain ? 0.5 : relative > 0 ? 1 : 0);
    of.surprises.push_back(of_tuple);
  }
  return of;
}

void add_few_shot(const ProbeRun& run, std::size_t predictor, const MetricOptions& options,
                  const FewShotOptions& few_shot, ProbeTables& tables) {
  constexpr double observation_share = 0.2;  // [Lin §5]
  std::vector<std::string> detectors{"surprise"};
  detectors.insert(detectors.end(), density_estimators().begin(), density_estimators().end());
  struct Concept {
    ProbeConcept kind;
    Points known;
    std::vector<const ProbedTuple*> tested;
  };
  std::vector<Concept> concepts;
  for (const ProbeConcept kind : probe_concepts()) {
    std::vector<const ProbedTuple*> tuples = tuples_of(run, kind, predictor);
    Random random(stream_seed(options.seed, std::string("probes/few-shot/") + name(kind)));
    random.shuffle(tuples);
    const auto count = static_cast<std::size_t>(
        std::lround(observation_share * static_cast<double>(tuples.size())));
    Points known;
    for (std::size_t i = 0; i < count; ++i)
      for (const std::vector<float>& feature : tuples[i]->predictors[predictor].impossible_feature) {
        if (feature.empty()) return;  // a control
        add_feature(known, feature);
      }
    if (known.count() < static_cast<std::size_t>(few_shot.k))
      return;  // all concepts or none: an overall row of some of them would look like one of all
    concepts.push_back(
        {kind, std::move(known), {tuples.begin() + static_cast<std::ptrdiff_t>(count), tuples.end()}});
  }
  if (concepts.empty()) return;
  std::vector<FewShotOutcomes> all(detectors.size());
  Points observations;
  const auto add_row = [&](std::optional<ProbeConcept> kind, std::size_t d, std::size_t known,
                           const FewShotOutcomes& of) {
    tables.few_shot.push_back({kind, predictor, detectors[d], known, of.outcomes.size(),
                               mean_estimate(of.outcomes, options.seed),
                               mean_difference(of.surprises, options.seed)});
  };
  for (const Concept& of : concepts) {
    for (std::size_t i = 0; i < of.known.count(); ++i) observations.add(of.known[i]);
    std::vector<FewShotOutcomes> outcomes(detectors.size());
    parallel_for(detectors.size(), options.threads, [&](std::size_t d) {
      outcomes[d] = few_shot_outcomes(of.tested, of.known, predictor, detectors[d], options, few_shot);
    });
    for (std::size_t d = 0; d < detectors.size(); ++d) {
      add_row(of.kind, d, of.known.count(), outcomes[d]);
      all[d].add(outcomes[d]);
    }
  }
  for (std::size_t d = 0; d < detectors.size(); ++d) add_row(std::nullopt, d, observations.count(), all[d]);
  tables.uniformity.push_back(
      {predictor, test_uniform_on_sphere(
                      observations, {.k = few_shot.k, .seed = options.seed, .threads = options.threads})});
}

}  // namespace

bool was_shown(const TupleErrors& errors) { return !errors.possible[0].error.empty(); }

ProbeRun run_probes(const std::vector<ClipScorer*>& predictors, const ProbeOptions& options,
                    const std::function<void()>& progress, const std::function<bool()>& keep_going) {
  if (!options.shown.empty() && options.shown.size() != predictors.size())
    throw Error("probes: found " + std::to_string(options.shown.size()) + " numbers of tuples shown for " +
                std::to_string(predictors.size()) + " predictors");
  if (options.tuples < 1) throw Error("probes: tuples: found 0, allowed are 1 and more");
  ProbeRun run{.predictors = {}, .seed = options.seed, .tuples = {}};
  for (const ClipScorer* predictor : predictors) run.predictors.push_back(predictor->name());
  const std::size_t concepts = probe_concepts().size(), count = options.tuples * concepts;
  for (std::size_t first = 0; first < count; first += tuples_at_once) {
    if (keep_going && !keep_going()) break;
    std::vector<ProbeTuple> tuples(std::min(tuples_at_once, count - first));
    if (options.source) {
      std::vector<ProbeTuple> found;
      for (std::size_t i = 0; i < tuples.size(); ++i)
        if (std::optional<ProbeTuple> tuple = options.source(probe_concepts()[(first + i) % concepts]))
          found.push_back(std::move(*tuple));
      tuples = std::move(found);
      if (tuples.empty()) break;
    } else {
      parallel_for(tuples.size(), options.threads, [&](std::size_t i) {
        tuples[i] = make_probe_tuple(probe_concepts()[(first + i) % concepts], options.seed,
                                     (first + i) / concepts);
      });
    }
    std::vector<ProbedTuple> probed;
    for (const ProbeTuple& tuple : tuples)
      probed.push_back({tuple.kind, tuple.number, std::vector<TupleErrors>(predictors.size())});
    for (std::size_t p = 0; p < predictors.size(); ++p) {
      std::vector<std::size_t> shown;
      std::vector<const Clip*> clips;
      for (std::size_t i = 0; i < tuples.size(); ++i) {
        if (!options.shown.empty() && tuples[i].number >= options.shown[p]) continue;
        shown.push_back(i);
        for (const auto* pair : {&tuples[i].possible, &tuples[i].impossible})
          for (const Clip& clip : *pair) clips.push_back(&clip);
      }
      if (clips.empty()) continue;
      std::vector<ClipSurprise> scored = predictors[p]->score(clips);
      for (std::size_t i = 0; i < shown.size(); ++i) {
        TupleErrors& errors = probed[shown[i]].predictors[p];
        for (std::size_t k = 0; k < 2; ++k) {
          errors.possible[k] = std::move(scored[4 * i + k].errors);
          errors.impossible[k] = std::move(scored[4 * i + 2 + k].errors);
          errors.possible_feature[k] = std::move(scored[4 * i + k].feature);
          errors.impossible_feature[k] = std::move(scored[4 * i + 2 + k].feature);
        }
      }
    }
    for (ProbedTuple& tuple : probed) {
      run.tuples.push_back(std::move(tuple));
      if (progress) progress();
    }
  }
  return run;
}

ProbeTables probe_tables(const ProbeRun& run, const MetricOptions& options, const FewShotOptions& few_shot) {
  if (few_shot.k < 1)
    throw Error("probes: k: found " + std::to_string(few_shot.k) + ", allowed are 1 and more");
  if (run.tuples.empty()) throw Error("probes: found no tuple, at least one is needed");
  ProbeTables tables;
  for (const std::optional<ProbeConcept>& kind : concepts_and_all())
    for (std::size_t p = 0; p < run.predictors.size(); ++p)
      for (const ClipScore score : clip_scores()) tables.rows.push_back({kind, p, score, {}});
  parallel_for(tables.rows.size(), options.threads, [&](std::size_t i) {
    if (!tuples_of(run, tables.rows[i].kind, tables.rows[i].predictor).empty())
      tables.rows[i].metrics = metrics_of(run, tables.rows[i], options);  // data of others may lack a concept
  });
  for (std::size_t p = 0; p < run.predictors.size(); ++p) add_few_shot(run, p, options, few_shot, tables);
  return tables;
}

const ProbeRow& ProbeTables::row(std::optional<ProbeConcept> kind, std::size_t predictor,
                                 ClipScore score) const {
  return *std::find_if(rows.begin(), rows.end(), [&](const ProbeRow& r) {
    return r.kind == kind && r.predictor == predictor && r.score == score;
  });
}

const std::vector<PublishedProbes>& published_probes() {
  static const std::vector<PublishedProbes> published{
      {"PredRNN, published", {0.999, 0.817, 0.941, 0.776, 0.963, 0.900}, {{8.8, 8.0, 77.5, 1.6, 21.2, 23.4}}},
      {"PredRNN with surprise_KNN, published", {0.999, 0.818, 0.940, 0.774, 0.964, 0.899}},
      {"PLATO, published", {0.891, 0.727, 0.678, 0.719, 0.656, 0.734}}};
  return published;
}

}  // namespace startle
