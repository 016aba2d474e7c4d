#include "surprise/evaluation_metrics.hpp"

#include <cmath>
#include <functional>

#include "core/error.hpp"
#include "core/random.hpp"
#include "surprise/knn_surprise.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

FrameErrors errors_with_sum(double sum) { return {.error = {sum / 2, sum / 2}, .change = {1, 1}}; }

/// Levels of novelties T1 and T2, `each` in every tier, with two twins a level. Of the model (predictor 0)
/// the novel clip's surprise is that of the normal one, 100, plus what `excess` says of novelty, tier and a
/// fresh random number; predictor 1 is always undecided.
Evaluation made_up(std::size_t each, const std::function<double(const std::string&, Tier, double)>& excess) {
  Evaluation e{.format = {.frames = 3},
               .predictors = {"model", "blind"},
               .levels = {},
               .twins = {},
               .without_novelty = {}};
  Random random(5);
  for (const char* novelty : {"T1", "T2"}) {
    for (Tier tier : {Tier::easy, Tier::medium, Tier::hard}) {
      for (std::size_t i = 0; i < each; ++i) {
        EvaluationLevel level{.novelty = &find_novelty(novelty), .tier = tier};
        level.level.name = std::string(novelty) + name(tier) + std::to_string(i);
        for (ShotKind kind : {ShotKind::best, ShotKind::random}) {
          const double more = excess(novelty, tier, random.uniform());
          EvaluatedTwin twin{.level = e.levels.size(), .kind = kind, .difference = {0, std::abs(more)}};
          const double angle = random.uniform(0, 6.28);
          const std::vector<float> feature{static_cast<float>(std::cos(angle)),
                                           static_cast<float>(std::sin(angle)), 0.1F};
          twin.predictors.push_back(
              {{errors_with_sum(100), feature, {}}, {errors_with_sum(100 + more), feature, {}}});
          twin.predictors.push_back({{errors_with_sum(50), {}, {}}, {errors_with_sum(50), {}, {}}});
          e.twins.push_back(std::move(twin));
        }
        e.levels.push_back(std::move(level));
      }
    }
  }
  return e;
}

constexpr MetricOptions options{.threads = 1};

}  // namespace

TEST_CASE("[surprise] errors as likelihoods: one sigma for the normal clips, bits of bytes") {
  Evaluation e = made_up(2, [](const std::string&, Tier, double) { return 20.0; });
  // 50 a frame over 64 x 64 x 3 values; the novel clips have 60.
  const double variance = 50.0 / (64 * 64 * 3);
  for (EvaluatedTwin& twin : e.twins) twin.predictors[1].normal.whole = twin.predictors[1].novel.whole = 1;
  const EvaluationTables tables = evaluation_tables(e, options);
  REQUIRE(tables.likelihoods.size() == 1);  // one number a clip is no squared error
  const LikelihoodRow& row = tables.likelihoods.front();
  CHECK(row.predictor == 0);
  CHECK(row.sigma == Approx(std::sqrt(variance)));
  const double density = 8 + 0.5 * std::log2(2 * M_PI * variance);
  CHECK(row.normal == Approx(density + 0.5 / std::log(2.0)));
  CHECK(row.novel == Approx(density + 0.6 / std::log(2.0)));
  for (EvaluatedTwin& twin : e.twins)  // nothing is ever wrong: no sigma
    for (const bool novel : {false, true})
      (novel ? twin.predictors[0].novel : twin.predictors[0].normal).errors.error = {0, 0};
  CHECK(evaluation_tables(e, options).likelihoods.empty());
}

TEST_CASE("[surprise] likelihoods that models state: bits a value over all values of either world") {
  Evaluation e = made_up(2, [](const std::string&, Tier, double) { return 20.0; });
  CHECK(evaluation_tables(e, options).stated_likelihoods.empty());
  e.twins[0].predictors[1].normal.stated = {.nll = 6 * std::log(2.0), .values = 2};
  e.twins[1].predictors[1].normal.stated = {.nll = 3 * std::log(2.0), .values = 4};
  CHECK(evaluation_tables(e, options).stated_likelihoods.empty());  // nothing of the novel world
  e.twins[2].predictors[1].novel.stated = {.nll = -std::log(2.0), .values = 2};
  e.twins[3].predictors[1].novel.stated = {.nll = 0, .values = 0};
  const std::vector<StatedLikelihoodRow> rows = evaluation_tables(e, options).stated_likelihoods;
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].predictor == 1);
  CHECK(rows[0].values.normal == 6);
  CHECK(rows[0].values.novel == 2);
  CHECK(rows[0].bits.normal == Approx(1.5));
  CHECK(rows[0].bits.novel == Approx(-0.5));
}

TEST_CASE("[surprise] paired outcome: ties lie within the tolerance and count a half") {
  const auto of = [](double normal, double novel, ClipScore score = ClipScore::sum,
                     double tolerance = 0.001) {
    return paired_outcome({.normal = normal, .novel = novel}, score, 14, tolerance);
  };
  CHECK(of(100, 101) == 1);
  CHECK(of(101, 100) == 0);
  CHECK(of(100, 100) == 0.5);
  CHECK(of(100, 100.19) == 0.5);  // 0.001 of 200.19
  CHECK(of(100, 100.21) == 1);
  CHECK(of(100, 100.19, ClipScore::sum, 0) == 1);
  // Of the log score, which can be negative or 0, 0.001 a frame: 0.014.
  CHECK(of(0, 0.013, ClipScore::log) == 0.5);
  CHECK(of(0, 0.015, ClipScore::log) == 1);
  CHECK(of(-3, -3.015, ClipScore::log) == 0);
}

TEST_CASE("[surprise] twin metrics by hand") {
  // Three pairs of two levels: right, wrong, tied.
  const std::vector<TwinScore> twins{{7, 10, 14}, {7, 12, 11}, {9, 20, 20}};
  const TwinMetrics m = twin_metrics(twins, ClipScore::sum, 2, options);
  CHECK(m.levels == 2);
  CHECK(m.twins == 3);
  CHECK(m.ties == 1);
  CHECK(*m.paired_accuracy.value == Approx(0.5));
  // Novel 14 11 20 against normal 10 12 20: 2 + 1 + 2.5 of 9.
  CHECK(*m.roc_auc.value == Approx(5.5 / 9));
  // Levels: novel 12.5 and 20, normal 11 and 20: 1 + 1.5 of 4.
  CHECK(*m.roc_auc_levels.value == Approx(2.5 / 4));
  CHECK(*m.relative_surprise.value == Approx(1));             // (4 - 1 + 0)/3
  CHECK(*m.effect_size.value == Approx(1 / std::sqrt(7.0)));  // deviations 3 -2 -1: 14/2 = 7
  // Levels are drawn, not pairs: with two levels the resamples are 7 7, 7 9, 9 7, 9 9, all of accuracy 1/2.
  CHECK(m.paired_accuracy.interval->low == 0.5);
  CHECK(m.paired_accuracy.interval->high == 0.5);
  CHECK_FALSE(twin_metrics({}, ClipScore::sum, 2, options).paired_accuracy.value);
}

TEST_CASE("[surprise] tables: an evaluation whose truth is known by construction") {
  // T1: always right in easy, by half in medium, always wrong in hard. T2: clips alike everywhere.
  const Evaluation e = made_up(12, [](const std::string& novelty, Tier tier, double u) {
    if (novelty == "T2") return 0.0;
    return tier == Tier::easy || (tier == Tier::medium && u < 0.5) ? 10.0 : -10.0;
  });
  const EvaluationTables t = evaluation_tables(e, options);
  CHECK(t.novelties == std::vector<std::string>{"T1", "T2"});
  const auto accuracy = [&](const std::string& novelty, std::optional<Tier> tier, std::size_t p = 0) {
    return *t.score(novelty, tier, p, ClipScore::sum).metrics.paired_accuracy.value;
  };
  CHECK(accuracy("T1", Tier::easy) == 1);
  CHECK(accuracy("T1", Tier::hard) == 0);
  CHECK(accuracy("T1", Tier::medium) > 0.2);
  CHECK(accuracy("T1", Tier::medium) < 0.8);
  for (Tier tier : {Tier::easy, Tier::medium, Tier::hard}) CHECK(accuracy("T2", tier) == 0.5);
  CHECK(accuracy("", Tier::easy) == 0.75);
  CHECK(accuracy("", {}, 1) == 0.5);  // always undecided
  CHECK(*t.score("T1", Tier::easy, 0, ClipScore::sum).metrics.roc_auc.value == 1);
  CHECK(t.score("T1", {}, 0, ClipScore::sum).metrics.levels == 36);
  CHECK(t.score("T1", {}, 0, ClipScore::sum).metrics.twins == 72);
  CHECK(t.score("T2", {}, 0, ClipScore::sum).metrics.ties == 72);

  CHECK(*t.ceiling_of("T1", {}).share_differing.value == 1);
  CHECK(*t.ceiling_of("T1", {}).best_accuracy.value == 1);
  CHECK(*t.ceiling_of("T2", {}).best_accuracy.value == 0.5);
  CHECK(*t.ceiling_of("", Tier::hard).share_differing.value == 0.5);

  const TrendRow& falls = t.trend("T1", "model");
  CHECK(falls.z < -4);
  CHECK(falls.p < 1e-4);
  CHECK(falls.p_holm == Approx(2 * falls.p));  // two novelties
  CHECK(falls.levels == std::vector<std::size_t>{12, 12, 12});
  CHECK(t.trend("T2", "model").p == 1);
  CHECK(t.trend("T1", "ceiling").p == 1);

  for (const ContrastRow& row : t.contrasts)
    CHECK(*row.difference.value == Approx(accuracy(row.novelty, {}) - 0.5).margin(1e-12));
  // Rows by kind of shot are of all novelties: each has half the twins.
  std::size_t of_kinds = 0;
  for (const ScoreRow& row : t.scores)
    if (row.of.kind && !row.of.tier && row.predictor == 0) of_kinds += row.metrics.twins;
  CHECK(of_kinds == e.twins.size());
}

TEST_CASE("[surprise] tables: the same for any number of threads") {
  const Evaluation e = made_up(4, [](const std::string&, Tier, double u) { return 20 * u - 8; });
  const EvaluationTables one = evaluation_tables(e, {.threads = 1}),
                         three = evaluation_tables(e, {.threads = 3});
  REQUIRE(one.scores.size() == three.scores.size());
  for (std::size_t i = 0; i < one.scores.size(); ++i) {
    CHECK(one.scores[i].metrics.paired_accuracy.value == three.scores[i].metrics.paired_accuracy.value);
    CHECK(one.scores[i].metrics.paired_accuracy.interval->low ==
          three.scores[i].metrics.paired_accuracy.interval->low);
  }
  CHECK_THROWS_AS(evaluation_tables({}), Error);
}

TEST_CASE(
    "[surprise] surprise_KNN by hand: surprise less gamma times the distance to the 50th nearest violation") {
  // 60 violations at one place: r_50 is 0 there and sqrt 2 at a right angle.
  Points observations;
  for (int i = 0; i < 60; ++i) add_feature(observations, {2, 0});
  const FewShotSurprise knn("k-nearest", observations);
  CHECK(knn.score(0.5, {3, 0}) == Approx(0.5));
  CHECK(knn.score(0.5, {0, 1}) == Approx(0.5 - 0.01 * std::sqrt(2.0)));
  CHECK(surprise_naive(0.5, 0.2) == Approx(0.3));
  CHECK(surprise_naive(0.5, 0.2, 0.01) == Approx(0.498));
  CHECK(mean_surprise({.error = {12, 36}, .change = {0, 0}}, 2) == Approx(2));  // 24 a frame over 12 values
  Points few;
  for (int i = 0; i < 49; ++i) add_feature(few, {1, 0});
  CHECK_THROWS_AS(FewShotSurprise("k-nearest", few), Error);
  CHECK_THROWS_AS(FewShotSurprise("tea-leaves", observations), Error);
}

TEST_CASE(
    "[surprise] few-shot: what is like known violations is the more surprising one, by every estimator, on "
    "the scale of r_k") {
  Random random(8);
  Points observations;
  const auto around = [&](double centre) {
    const double angle = centre + 0.2 * random.uniform(-1, 1);
    return std::vector<float>{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)),
                              static_cast<float>(0.1 * random.uniform())};
  };
  for (int i = 0; i < 200; ++i) add_feature(observations, around(0));
  for (const std::string& estimator : density_estimators()) {
    const FewShotSurprise few_shot(estimator, observations);
    double like = 0, unlike = 0;
    for (int i = 0; i < 20; ++i) {
      like += few_shot.score(1, around(0)) / 20;
      unlike += few_shot.score(1, around(2)) / 20;
    }
    INFO(estimator << ": like " << like << ", unlike " << unlike);
    CHECK(like > unlike);
    CHECK(std::abs(like - 1) < 0.02);  // gamma times a distance below 2
  }
}
