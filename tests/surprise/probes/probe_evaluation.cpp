#include "surprise/probes/probe_evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"

namespace startle {
namespace {

/// Distinguishes clips by what it has been given: is off by 0.1 everywhere in a frame whose picture follows
/// another one than in the possible clips.
class Oracle : public Predictor {
 public:
  explicit Oracle(double excess) : excess_(excess) {}
  std::string name() const override { return "oracle"; }
  /// Clips come as run_probes() gives them: two possible, two impossible, by turns.
  std::vector<Prediction> predict(const std::vector<const Clip*>& clips) override {
    std::vector<Prediction> predictions;
    for (std::size_t i = 0; i < clips.size(); ++i) {
      const Clip& clip = *clips[i];
      Prediction prediction;
      for (std::size_t v = clip.frame_size(); v < clip.rgb.size(); ++v)
        prediction.frames.push_back(clip.rgb[v] / 255.0F +
                                    static_cast<float>(i % 4 < 2 ? 0.1 : 0.1 + excess_));
      // What is impossible lies together at one place of the sphere.
      prediction.feature = i % 4 < 2 ? std::vector<float>{0, 1, static_cast<float>(i) * 1e-3F}
                                     : std::vector<float>{1, 0, static_cast<float>(i) * 1e-3F};
      predictions.push_back(std::move(prediction));
    }
    return predictions;
  }

 private:
  double excess_;
};

}  // namespace

TEST_CASE("[probes] probes: accuracy and relative surprise of a predictor that knows") {
  Oracle knows(0.05), confused(-0.05), blind(1e-6);
  const ProbeRun run = run_probes({&knows, &confused, &blind}, {.tuples = 2, .seed = 2, .threads = 2});
  REQUIRE(run.tuples.size() == 10);
  const ProbeTables tables = probe_tables(run);
  // Squared errors of a clip: 14 frames x 64 x 64 x 3 values x 0.1^2 = 1720.32, and 0.15^2 gives 3870.72; two
  // clips of each kind a tuple.
  const TwinMetrics& sum = tables.row({}, 0, ClipScore::sum).metrics;
  CHECK(sum.twins == 10);
  CHECK(sum.paired_accuracy.value == 1.0);
  CHECK(*sum.relative_surprise.value == Approx(2 * (3870.72 - 1720.32)).epsilon(1e-4));
  CHECK(sum.roc_auc.value == 1.0);
  CHECK(tables.row(ProbeConcept::solidity, 0, ClipScore::sum).metrics.twins == 2);
  for (const ClipScore score : clip_scores()) {
    CHECK(tables.row({}, 0, score).metrics.paired_accuracy.value == 1.0);
    CHECK(tables.row({}, 1, score).metrics.paired_accuracy.value == 0.0);
    // 1e-6 more than 0.1 is 2e-5 more of the square: within the tolerance.
    CHECK(tables.row({}, 2, score).metrics.paired_accuracy.value == 0.5);
    CHECK(tables.row({}, 2, score).metrics.ties == 10);
  }
  CHECK(tables.few_shot.empty());  // two tuples a concept are too few
}

TEST_CASE("[probes] probes: a predictor may be shown fewer tuples than others, and is compared with those") {
  Oracle knows(0.05), confused(-0.05);
  const ProbeRun all = run_probes({&confused, &knows}, {.tuples = 5, .seed = 2, .threads = 2});
  const ProbeRun some = run_probes({&confused, &knows},
                                   {.tuples = 5, .seed = 2, .threads = 2, .shown = {2, 5}});
  REQUIRE(some.tuples.size() == 25);
  for (std::size_t i = 0; i < some.tuples.size(); ++i) {
    CHECK(was_shown(some.tuples[i].predictors[0]) == (some.tuples[i].number < 2));
    CHECK(some.tuples[i].predictors[1].impossible[1].error ==
          all.tuples[i].predictors[1].impossible[1].error);
    if (some.tuples[i].number < 2)
      CHECK(some.tuples[i].predictors[0].possible[0].error == all.tuples[i].predictors[0].possible[0].error);
  }
  const ProbeTables tables = probe_tables(some);
  CHECK(tables.row(ProbeConcept::continuity, 0, ClipScore::sum).metrics.twins == 2);
  CHECK(tables.row({}, 0, ClipScore::sum).metrics.twins == 10);
  CHECK(tables.row({}, 0, ClipScore::sum).metrics.paired_accuracy.value == 0.0);
  CHECK(tables.row({}, 1, ClipScore::sum).metrics.twins == 25);
  CHECK(tables.row({}, 1, ClipScore::sum).metrics.paired_accuracy.value == 1.0);
  CHECK_THROWS_WITH(run_probes({&confused, &knows}, {.tuples = 5, .shown = {2}}),
                    Catch::Contains("1 numbers of tuples shown for 2 predictors"));
}

TEST_CASE("[probes] probes: the same run for any number of threads, and Ctrl-C keeps what is done") {
  const auto copy_last = make_copy_last();
  const ProbeRun one = run_probes({copy_last.get()}, {.tuples = 5, .seed = 3, .threads = 1});
  int done = 0;
  const ProbeRun more = run_probes({copy_last.get()}, {.tuples = 5, .seed = 3, .threads = 4},
                                   [&] { ++done; });
  CHECK(done == 25);
  REQUIRE(more.tuples.size() == 25);
  for (std::size_t i = 0; i < one.tuples.size(); ++i)
    for (std::size_t k = 0; k < 2; ++k)
      CHECK(one.tuples[i].predictors[0].impossible[k].error ==
            more.tuples[i].predictors[0].impossible[k].error);
  const ProbeRun ended = run_probes({copy_last.get()}, {.tuples = 5, .seed = 3}, {},
                                    [asked = 0]() mutable { return ++asked < 2; });
  CHECK(ended.tuples.size() == 20);
  CHECK_THROWS(run_probes({copy_last.get()}, {.tuples = 0}));
  CHECK_THROWS(probe_tables(ProbeRun{}));
}

/// Errors and features as a run gives them, without clips: the plain surprise cannot say, the features can.
ProbeRun run_with_features(std::uint64_t tuples) {
  ProbeRun run{.predictors = {"features"}, .tuples = {}};
  Random random(1);
  for (std::uint64_t number = 0; number < tuples; ++number)
    for (const ProbeConcept kind : probe_concepts()) {
      TupleErrors errors;
      for (std::size_t k = 0; k < 2; ++k) {
        errors.possible[k] = errors.impossible[k] = {.error = {1, 2}, .change = {1, 1}};
        for (int d = 0; d < 4; ++d) {
          errors.possible_feature[k].push_back(static_cast<float>(random.uniform(0, 0.2) + (d == 0)));
          errors.impossible_feature[k].push_back(static_cast<float>(random.uniform(0, 0.2) + (d == 1)));
        }
      }
      run.tuples.push_back({kind, number, {errors}});
    }
  return run;
}

TEST_CASE("[probes] probes: known violations raise what is like them, in every concept, on other tuples") {
  const ProbeTables tables = probe_tables(run_with_features(150), {.threads = 2});
  REQUIRE(!tables.few_shot.empty());
  for (const ProbeFewShotRow& row : tables.few_shot) {
    CAPTURE(row.detector);
    CHECK(row.observations == (row.kind ? 60U : 300U));  // two clips of each of 30 tuples
    CHECK(row.tuples == (row.kind ? 120U : 600U));
    if (row.detector == "surprise") CHECK(row.accuracy.value == 0.5);
    if (row.detector == "surprise") CHECK(row.relative_surprise.value == 0);
    // Of both clips together: gamma times nearly twice the root of 2.
    if (row.detector == "k-nearest") {
      CHECK(*row.accuracy.value > 0.99);
      CHECK(*row.relative_surprise.value == Approx(0.02 * std::sqrt(2.0)).epsilon(0.2));
    }
  }
  // Violations lie close together: not spread over the sphere.
  REQUIRE(tables.uniformity.size() == 1);
  CHECK(tables.uniformity[0].test.observed.size() == 300);
  CHECK(tables.uniformity[0].test.p == Approx(0.01));
}

TEST_CASE("[probes] probes: k says how many violations must be known, gamma how much they weigh") {
  const ProbeRun run = run_with_features(20);
  CHECK(probe_tables(run, {.threads = 2}).few_shot.empty());
  const auto relative = [&](double gamma) {
    for (const ProbeFewShotRow& row : probe_tables(run, {.threads = 2}, {.k = 8, .gamma = gamma}).few_shot)
      if (row.detector == "k-nearest") return *row.relative_surprise.value;
    return -1.0;
  };
  CHECK(relative(0) == 0);
  CHECK(relative(3) == Approx(3 * relative(1)));
  CHECK(relative(1) > 0);
  CHECK_THROWS_WITH(probe_tables(run, {}, {.k = 0}), Catch::Contains("k: found 0, allowed are 1 and more"));
}

TEST_CASE(
    "[probes] probes: few-shot detectors from 123 tuples of each concept on, and never for some concepts "
    "only") {
  // A fifth of 123, rounded, are 25 tuples with two observations each, which is k.
  CHECK(probe_tables(run_with_features(122), {.threads = 2}).few_shot.empty());
  ProbeRun run = run_with_features(123);
  const auto rows = probe_tables(run, {.threads = 2}).few_shot;
  REQUIRE(!rows.empty());
  CHECK(rows.front().observations == 50);
  CHECK(std::count_if(rows.begin(), rows.end(), [](const ProbeFewShotRow& row) { return !row.kind; }) * 6 ==
        static_cast<std::ptrdiff_t>(rows.size()));
  run.tuples.pop_back();  // the last concept has 122
  CHECK(probe_tables(run, {.threads = 2}).few_shot.empty());
}

}  // namespace startle
