#include "surprise/known_shots.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/error.hpp"
#include "core/random.hpp"
#include "statistics/sequential_evidence.hpp"
#include "surprise/dynamics/dynamics_model.hpp"
#include "surprise/known_shots_table.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// A pig and a wooden block.
Level two_objects() {
  Level level;
  level.birds = {"BirdRed"};
  level.objects = {
      {.kind = Kind::pig, .type = "BasicSmall", .position = {1, -3.2}},
      {.kind = Kind::block, .type = "RectFat", .material = Material::wood, .position = {2, -3.285}}};
  return level;
}

/// A shot of which residuals are given, and nothing else counts.
ShotDeviations residuals(std::vector<double> values, double surprise = 0) {
  return {.surprise = surprise, .residuals = std::move(values), .evidence = {1, 1}};
}

KnownShots pointers(const std::vector<ShotDeviations>& shots) {
  KnownShots found;
  for (const ShotDeviations& shot : shots) found.push_back(&shot);
  return found;
}

const std::vector<ShotDeviations> two_normal{residuals({1, 0}), residuals({-1, 0})};

std::size_t statistic(MaterialClass material, Mechanism mechanism, bool more) {
  return (static_cast<std::size_t>(material) * mechanism_count + static_cast<std::size_t>(mechanism)) * 2 +
         more;
}

/// Uniform p-values; that of one statistic is to the power of `strength`, 1 in normal shots.
DetectorOutput shot_with(Random& random, std::size_t changed, double strength) {
  DetectorOutput shot{.p = 1 - random.uniform(), .p_values = {}};
  for (std::size_t i = 0; i < statistic_count; i += 2) {
    const double less = 1 - random.uniform();
    shot.p_values.push_back(less);
    shot.p_values.push_back(std::max(1e-4, 1 - less));
  }
  const double p = std::max(1e-4, std::pow(*shot.p_values[changed], strength));
  shot.p_values[changed] = p;
  shot.p_values[changed ^ 1U] = std::max(1e-4, 1 - p);
  return shot;
}

/// `each` levels in each tier of T1 and T2 with two twins each; in the novel world the novelty's own
/// statistic is small.
Evaluation made_up(std::size_t each, double strength) {
  Evaluation e{.format = {.frames = 3, .pixels = 4},
               .predictors = {"model", "violations"},
               .detectors = {"dynamics", "observer"},
               .levels = {},
               .twins = {},
               .without_novelty = {}};
  Random random(3);
  for (const char* novelty : {"T1", "T2"})
    for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard})
      for (std::size_t i = 0; i < each; ++i) {
        EvaluationLevel level{.novelty = &find_novelty(novelty), .tier = tier};
        static_cast<Level&>(level.level) = two_objects();
        level.level.name = std::string(novelty) + name(tier) + std::to_string(i);
        const std::size_t own = std::string(novelty) == "T1"
                                    ? statistic(MaterialClass::pig, Mechanism::gravity, false)
                                    : statistic(MaterialClass::wood, Mechanism::restitution, true);
        for (int twins = 0; twins < 2; ++twins) {
          EvaluatedTwin twin{.level = e.levels.size(), .difference = {1, 1}};
          const FrameErrors errors{.error = {1, 1}, .change = {1, 1}};
          twin.predictors.assign(2, {{errors, {}, {}}, {errors, {}, {}}});
          twin.outputs.push_back({shot_with(random, own, 1), shot_with(random, own, strength)});
          twin.outputs.push_back({{.p = 1, .p_values = {1}}, {.p = 1, .p_values = {1}}});
          e.twins.push_back(std::move(twin));
        }
        e.levels.push_back(std::move(level));
      }
  return e;
}

const KnownShotsRow& row_of(const KnownShotsTables& tables, const std::string& novelty,
                            const std::string& detector, Known known, std::size_t count,
                            std::optional<Tier> tier = {}) {
  const auto row = std::find_if(tables.rows.begin(), tables.rows.end(), [&](const KnownShotsRow& r) {
    return r.of.novelty == novelty && r.of.tier == tier && r.detector == detector && r.known == known &&
           r.count == count;
  });
  REQUIRE(row != tables.rows.end());
  return *row;
}

}  // namespace

TEST_CASE("[surprise] known shots: deviations by hand, signed by the smaller of two p-values") {
  const ShotDeviations found = deviations_of(
      {.p = 0.1, .p_values = {0.01, 0.99, 0.8, 0.2, {}, {}, 0.5, 0.5}});
  CHECK(found.surprise == Approx(-std::log(0.1)));
  REQUIRE(found.residuals.size() == 4);
  CHECK(found.residuals[0] == Approx(std::log(0.02)));
  CHECK(found.residuals[1] == Approx(-std::log(0.4)));
  CHECK(found.residuals[2] == 0);  // says nothing
  CHECK(found.residuals[3] == 0);
  REQUIRE(found.evidence.size() == 8);
  CHECK(found.evidence[0] == Approx(e_value(0.01)));
  CHECK(found.evidence[4] == 1);
  CHECK_THROWS_AS(deviations_of({.p = 1, .p_values = {}}), Error);
  CHECK_THROWS_AS(deviations_of({.p = 1, .p_values = {1, 1, 1}}), Error);
}

TEST_CASE("[surprise] known shots: surprise_KNN by hand, with a quarter of the known shots nearer than r_k") {
  // Eight known shots, k = 2: one at (1, 0), the others at (0, 1).
  std::vector<ShotDeviations> known(7, residuals({0, 3}));
  known.push_back(residuals({2, 0}));
  const auto knn = make_known_shots_detector("surprise_KNN", pointers(known), pointers(two_normal));
  CHECK(knn->score(residuals({0, 5}, 1.5)) == Approx(1.5));
  CHECK(knn->score(residuals({5, 0}, 1.5)) == Approx(1.5 - known_shots_gamma * std::sqrt(2.0)));
  CHECK(knn->score(residuals({0, -5}, 1.5)) == Approx(1.5 - known_shots_gamma * 2));
  // One known shot: k = 1.
  const std::vector<ShotDeviations> one{residuals({2, 0})};
  CHECK(make_known_shots_detector("surprise_KNN", pointers(one), pointers(two_normal))
            ->score(residuals({1, 0})) == Approx(0));
}

TEST_CASE("[surprise] known shots: shrunken centroids by hand") {
  // Normal: mean (0, 0), variances 1 and 0, each 0.05 more. Known: mean (3, 0.1), of four.
  const std::vector<ShotDeviations> known(4, residuals({3, 0.1}));
  const auto centroids = make_known_shots_detector("centroids", pointers(known), pointers(two_normal));
  const double first = (3 - 1.5 * std::sqrt(1.05 / 4)) / 1.05;
  CHECK(centroids->score(residuals({2, 0})) == Approx(2 * first));
  CHECK(centroids->score(residuals({-1, 0})) == Approx(-first));
  CHECK(centroids->score(residuals({0, 9})) == 0);  // 0.1 is within 1.5 standard errors, sqrt(0.05/4) each
  CHECK_THROWS_AS(make_known_shots_detector("centroids", {}, pointers(two_normal)), Error);
  CHECK_THROWS_AS(make_known_shots_detector("centroids", pointers(known), {}), Error);
  CHECK_THROWS_AS(make_known_shots_detector("tea-leaves", pointers(known), pointers(two_normal)), Error);
}

TEST_CASE("[surprise] known shots: weighted evidence by hand") {
  const auto with = [](double a, double b) {
    return ShotDeviations{.surprise = 0, .residuals = {0}, .evidence = {a, b}};
  };
  // Products over the known shots are 6 and 2: weights 3/4 and 1/4, each mixed with 1/2.
  const std::vector<ShotDeviations> known{with(2, 1), with(3, 2)};
  const auto evidence = make_known_shots_detector("evidence", pointers(known), pointers(two_normal));
  CHECK(evidence->score(with(8, 16)) == Approx(std::log(0.625 * 8 + 0.375 * 16)));
  // Shots that say nothing leave the mean of all statistics.
  const std::vector<ShotDeviations> silent{with(1, 1)};
  CHECK(make_known_shots_detector("evidence", pointers(silent), pointers(two_normal))->score(with(2, 4)) ==
        Approx(std::log(3)));
}

TEST_CASE("[surprise] known shots: the statistics that are about a novelty") {
  const Scene scene = make_scene(two_objects(), profile());
  using Statistics = std::vector<std::size_t>;
  CHECK(changed_statistics(scene, find_novelty("T1")) ==
        Statistics{statistic(MaterialClass::pig, Mechanism::gravity, false)});
  CHECK(changed_statistics(scene, find_novelty("T2")) ==
        Statistics{statistic(MaterialClass::wood, Mechanism::restitution, true)});
  CHECK(changed_statistics(scene, find_novelty("wood-density-up")) ==
        Statistics{statistic(MaterialClass::wood, Mechanism::momentum_transfer, true)});
  CHECK(changed_statistics(scene, find_novelty("wood-life-down")) ==
        Statistics{statistic(MaterialClass::wood, Mechanism::survival, false)});
  CHECK(changed_statistics(scene, find_novelty("gravity-down")).empty());
}

TEST_CASE(
    "[surprise] known shots: with shots of the same novelty known more is detected, up to who knows "
    "the mechanism, and nothing where nothing is novel") {
  const KnownShotsTables tables = known_shots_tables(made_up(20, 4), profile(), {.draws = 20, .threads = 2});
  const auto detected = [&](const std::string& detector, Known known, std::size_t count) {
    return *row_of(tables, "", detector, known, count).detected.value;
  };
  const double none = detected("p", Known::none, 0), mechanism = detected("evidence", Known::mechanism, 0);
  CHECK(none < 0.12);  // p says nothing here
  CHECK(mechanism > 0.35);
  for (const std::string& detector : known_shots_detectors()) {
    INFO(detector);
    CHECK(detected(detector, Known::same, 50) > none + 0.1);
    CHECK(detected(detector, Known::same, 50) > detected(detector, Known::same, 5));
    CHECK(detected(detector, Known::normal, 20) < detected(detector, Known::same, 20) - 0.1);
    CHECK(detected(detector, Known::other, 20) < detected(detector, Known::same, 20));
  }
  CHECK(detected("centroids", Known::normal, 20) < 0.12);
  CHECK(detected("centroids", Known::same, 20) > 0.5 * (none + mechanism));
  CHECK(detected("evidence", Known::same, 20) > 0.5 * (none + mechanism));
  CHECK(*row_of(tables, "T1", "evidence", Known::same, 50).roc_auc.value > 0.8);
  const KnownShotsRow& easy = row_of(tables, "T2", "centroids", Known::same, 20, Tier::easy);
  CHECK(easy.levels == 20);
  CHECK(easy.twins == 40);
  REQUIRE(easy.detected.interval);
  // The way from none to the mechanism.
  const KnownShotsRow& centroids = row_of(tables, "", "centroids", Known::same, 20);
  CHECK(*centroids.closed.value == Approx((*centroids.detected.value - none) / (mechanism - none)));
  CHECK(centroids.closed.interval->low < *centroids.closed.value);
  CHECK(*row_of(tables, "", "p", Known::none, 0).closed.value == 0);
  CHECK(*row_of(tables, "", "evidence", Known::mechanism, 0).closed.value == Approx(1));
  CHECK(easy.detected.interval->low < *easy.detected.value);
  CHECK(easy.detected.interval->high > *easy.detected.value);

  const KnownShotsTables nothing = known_shots_tables(made_up(20, 1), profile(), {.draws = 20, .threads = 2});
  for (const KnownShotsRow& row : nothing.rows)
    if (row.of.novelty.empty() && !row.of.tier && row.known != Known::violation_model) {
      INFO(row.detector << ", " << row.count << " " << name(row.known));
      CHECK(*row.detected.value < 0.15);
      CHECK(std::abs(*row.roc_auc.value - 0.5) < 0.1);
    }
}

TEST_CASE(
    "[surprise] known shots: the same for any number of threads, and without more shots than there are") {
  const Evaluation e = made_up(4, 8);
  const KnownShotsTables one = known_shots_tables(e, profile(), {.draws = 4, .threads = 1}),
                         three = known_shots_tables(e, profile(), {.draws = 4, .threads = 3});
  REQUIRE(one.rows.size() == three.rows.size());
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    CHECK(one.rows[i].detected.value == three.rows[i].detected.value);
    CHECK(one.rows[i].roc_auc.value == three.rows[i].roc_auc.value);
  }
  // 12 shots in each half of a novelty.
  CHECK(row_of(one, "T1", "centroids", Known::same, 10).detected.value);
  CHECK_FALSE(row_of(one, "T1", "centroids", Known::same, 20).detected.value);
  CHECK_FALSE(row_of(one, "", "centroids", Known::same, 20).detected.value);
  CHECK(one.uniformity.empty());
  CHECK_THROWS_AS(known_shots_tables(e, profile(), {.draws = 0}), Error);
  CHECK_THROWS_AS(known_shots_tables({}, profile()), Error);
}

TEST_CASE("[surprise] surprise_naive stands beside surprise where there is a model of violations") {
  Evaluation e = made_up(4, 8);
  // The model is as surprised by either clip; the model of violations is the less surprised by novel ones.
  for (EvaluatedTwin& twin : e.twins) twin.predictors[1].normal.errors.error = {9, 9};
  const KnownShotsTables tables = known_shots_tables(e, profile(), {.draws = 4, .violation_model = 1});
  CHECK(*row_of(tables, "", "surprise", Known::none, 0).roc_auc.value == 0.5);
  CHECK(*row_of(tables, "", "surprise_naive", Known::violation_model, 0).roc_auc.value == 1);
  CHECK(*row_of(tables, "", "surprise_naive", Known::violation_model, 0).detected.value == 1);
}
