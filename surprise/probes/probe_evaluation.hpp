#pragma once
/// \file  How surprised predictors are by the probes, and tables of it.
///
/// \code
///   #include "surprise/networks/predrnn.hpp"
///   const auto model = load_predictor("model.safetensors");
///   const ProbeRun run = run_probes({model.get()}, {.tuples = 500});
///   const ProbeTables tables = probe_tables(run);
///   // tables.row(ProbeConcept::solidity, 0, ClipScore::sum).metrics.paired_accuracy
/// \endcode
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "statistics/uniformity.hpp"
#include "surprise/evaluation_metrics.hpp"
#include "surprise/knn_surprise.hpp"
#include "surprise/probes/probe_tuple.hpp"

namespace startle {

/// One predictor on the four clips of a tuple.
struct TupleErrors {
  std::array<FrameErrors, 2> possible, impossible;
  std::array<std::vector<float>, 2> possible_feature, impossible_feature;  ///< ClipSurprise::feature
};

bool was_shown(const TupleErrors& errors);

struct ProbedTuple {
  ProbeConcept kind = ProbeConcept::continuity;
  std::uint64_t number = 0;
  std::vector<TupleErrors> predictors;  ///< in the order of ProbeRun::predictors; without errors of those
                                        ///< that were not shown it
};

struct ProbeRun {
  std::vector<std::string> predictors;  ///< names
  std::uint64_t seed = 1;
  std::vector<ProbedTuple> tuples;  ///< by number, each with every concept
};

struct ProbeOptions {
  std::size_t tuples = 500;  ///< of each concept, >= 1
  std::uint64_t seed = 1;
  int threads = 0;  ///< of simulation and drawing; 0: all of the machine
  /// How many tuples of each concept each predictor is shown, the first ones; empty: all are shown all.
  std::vector<std::size_t> shown = {};
  /// Where tuples come from in place of make_probe_tuple(), for example PhysicalConcepts::next(): called in
  /// order of numbers, up to `tuples` times a concept; empty where a concept has no other.
  std::function<std::optional<ProbeTuple>(ProbeConcept)> source = {};
};

/// Makes the tuples and lets every predictor score their clips. `progress` is called after each tuple. Once
/// `keep_going` answers false the run ends with the tuples done. Throws Error when a predictor refuses the
/// clips.
ProbeRun run_probes(const std::vector<ClipScorer*>& predictors, const ProbeOptions& options,
                    const std::function<void()>& progress = {}, const std::function<bool()>& keep_going = {});

/// One score of one predictor. metrics.paired_accuracy: the share of tuples whose relative surprise,
/// impossible minus possible clips, is above 0 [Lin §5]; a tie (paired_outcome() of the sums over both clips)
/// counts a half. metrics.relative_surprise is its mean and effect_size that over the standard deviation. ROC
/// AUC and PR AUC are of single clips. `levels` and `twins` are tuples, intervals are by bootstrap over
/// tuples.
struct ProbeRow {
  std::optional<ProbeConcept> kind;  ///< empty: all
  std::size_t predictor = 0;
  ClipScore score = ClipScore::sum;
  TwinMetrics metrics;
};

/// surprise_KNN and its variants [Lin §4.2]: a fifth of the tuples of a concept is known, their impossible
/// clips being the observations; tested on the others. A few-shot detector: plain surprise on the same tuples
/// stands beside it as "surprise". Both are of errors per value of a frame.
struct ProbeFewShotRow {
  std::optional<ProbeConcept> kind;  ///< empty: all, each tuple compared with the observations of its own
                                     ///< concept
  std::size_t predictor = 0;
  std::string detector;
  std::size_t observations = 0, tuples = 0;
  Estimate accuracy;
  Estimate relative_surprise;  ///< mean over tuples of impossible less possible, both clips together
};

/// Whether a predictor's features of the observations, of all concepts together, are spread evenly [Lin
/// figure 2].
struct ProbeUniformity {
  std::size_t predictor = 0;
  UniformityTest test;
};

struct ProbeTables {
  std::vector<ProbeRow> rows;  ///< concept or all x predictor x score
  /// Predictors with features x concept or all x detector; none for a predictor that was shown too few tuples
  /// of a concept: a fifth of them must give k observations, which are 123 tuples for k = 50.
  std::vector<ProbeFewShotRow> few_shot;
  std::vector<ProbeUniformity> uniformity;  ///< of the predictors in few_shot
  const ProbeRow& row(std::optional<ProbeConcept> kind, std::size_t predictor, ClipScore score) const;
};
/// Throws Error for a run without tuples.
ProbeTables probe_tables(const ProbeRun& run, const MetricOptions& options = {},
                         const FewShotOptions& few_shot = {});

/// Figures of [Lin §5, tables 1 and 2], on the Physical Concepts data of Piloto et al. 2022, not on these
/// tuples: shares in the order of probe_concepts(), then overall.
struct PublishedProbes {
  std::string name;
  std::array<double, 6> accuracy;
  /// Relative surprise in 1e-4 of units that Lin et al. do not name, probably mean squared error per value.
  std::optional<std::array<double, 6>> relative_surprise = {};
};
const std::vector<PublishedProbes>& published_probes();

}  // namespace startle
