#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "statistics/isolation_forest.hpp"
#include "statistics/k_nearest.hpp"
#include "statistics/mahalanobis.hpp"
#include "statistics/one_class_svm.hpp"
#include "statistics/pca_detector.hpp"
#include "statistics/rank_correlation.hpp"
#include "statistics/uniformity.hpp"
#include "tests/catch.hpp"
#include "tests/statistics/reference.hpp"

using namespace startle;

namespace {

Points points_of(const nlohmann::json& c, const char* key) {
  return {.dimension = c["dimension"], .values = c[key]};
}

/// Eight points of which one stands apart.
Points eight() { return {.dimension = 2, .values = {0, 0, 1, 0, 0, 1, 1, 1, .5, .5, .2, .8, .9, .1, 3, 3}}; }

Points normal_cloud(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  Random random(seed);
  Points points{.dimension = dimension};
  for (std::size_t i = 0; i < count * dimension; ++i) {
    double sum = -6;  // of twelve uniform numbers: nearly normal
    for (int k = 0; k < 12; ++k) sum += random.uniform();
    points.values.push_back(sum);
  }
  return points;
}

}  // namespace

TEST_CASE("[statistics] density: every estimator, the battery") {
  const Points cloud = normal_cloud(400, 3, 1);
  for (const std::string& name : density_estimators()) {
    INFO(name);
    const auto estimator = make_density_estimator(name, 5);
    CHECK(estimator->name() == name);
    CHECK_THROWS_AS(estimator->score(cloud[0]), Error);  // not fitted
    Points shifted = cloud;  // away from the origin, so that unit norm keeps an inside and an outside
    for (std::size_t i = 0; i < shifted.count(); ++i) shifted.values[3 * i] += 20;
    estimator->fit(shifted);
    const std::vector<double> centre{20, 0, 0}, far{0, 30, -30};
    CHECK(estimator->score(centre) > estimator->score(far));
    // Denser inside: over points at growing distance the score falls.
    std::vector<double> distances, falling;
    for (int i = 0; i < 12; ++i) {
      distances.push_back(i);
      falling.push_back(estimator->score(std::vector<double>{20, 0.5 * i, 0.5 * i}));
    }
    CHECK(*spearman(distances, falling) < -0.9);
    // Refitting forgets; the same data and seed give the same scores; the order of the observations does not
    // matter but to the forest.
    const auto again = make_density_estimator(name, 5);
    again->fit(cloud);
    again->fit(shifted);
    CHECK(scores(*again, cloud) == scores(*estimator, cloud));
    if (name != "isolation-forest") {
      Points reversed{.dimension = 3};
      for (std::size_t i = shifted.count(); i-- > 0;) reversed.add(shifted[i]);
      again->fit(reversed);
      const double tolerance = name == "one-class-svm" ? 1e-2 : 1e-9;  // the solver stops at a tolerance
      for (std::size_t i = 0; i < 20; ++i)
        CHECK(again->score(shifted[i]) == Approx(estimator->score(shifted[i])).epsilon(tolerance));
    }
    CHECK_THROWS_AS(estimator->score(std::vector<double>{1, 2}), Error);
    CHECK_THROWS_AS(estimator->score(std::vector<double>{1, 2, std::nan("")}), Error);
    CHECK_THROWS_AS(estimator->fit({.dimension = 3, .values = {1, 2, 3}}), Error);
    Points broken = cloud;
    broken.values[7] = INFINITY;
    CHECK_THROWS_AS(estimator->fit(broken), Error);
  }
  CHECK_THROWS_AS(make_density_estimator("knn", 1), Error);
  Points points;
  points.add(std::vector<double>{1, 2});
  CHECK_THROWS_AS(points.add(std::vector<double>{1}), Error);
}

TEST_CASE("[statistics] k nearest: equal to scikit-learn's distances, and both forms") {
  for (const auto& c : reference()["densities"]) {
    const Points queries = points_of(c, "queries");
    KNearest unit({.k = c["k"]}), raw({.k = c["k"], .unit_norm = false}),
        log({.k = c["k"], .form = KNearestForm::log});
    for (KNearest* estimator : {&unit, &raw, &log}) estimator->fit(points_of(c, "points"));
    const std::vector<double> unit_distance = c["unit_distance"], distance = c["distance"];
    for (std::size_t i = 0; i < queries.count(); ++i) {
      CHECK(unit.distance(queries[i]) == Approx(unit_distance[i]).epsilon(1e-9));
      CHECK(raw.distance(queries[i]) == Approx(distance[i]).epsilon(1e-9));
      CHECK(unit.score(queries[i]) == -unit.distance(queries[i]));
      CHECK(log.score(queries[i]) ==
            Approx(-(static_cast<double>(queries.dimension) - 1) * std::log(unit_distance[i])).epsilon(1e-9));
    }
  }
}

TEST_CASE(
    "[statistics] k nearest: an observation is its own nearest, and the log of a distance of 0 is finite") {
  KNearest nearest({.k = 1, .unit_norm = false, .form = KNearestForm::log});
  nearest.fit(eight());
  CHECK(nearest.distance(eight()[4]) == 0);
  CHECK(nearest.score(eight()[4]) == Approx(-std::log(least_distance)));
  // Among the others: the nearest to (.2, .8) is (0, 1), to (3, 3) it is (1, 1).
  const std::vector<double> distances = nearest_distances(eight(), 1);
  CHECK(distances[5] == Approx(std::sqrt(0.08)));
  CHECK(distances[7] == Approx(std::sqrt(8)));
  CHECK_THROWS_AS(KNearest({.k = 0}), Error);
  CHECK_THROWS_AS(nearest_distances(eight(), 8), Error);
  CHECK(unit_norm(std::vector<double>{3, 4}) == std::vector<double>{0.6, 0.8});
  CHECK(unit_norm(std::vector<double>{0, 0}) == std::vector<double>{0, 0});
}

TEST_CASE("[statistics] one-class SVM: equal to scikit-learn's") {
  OneClassSvm svm;
  svm.fit(eight());
  CHECK(svm.gamma() == Approx(.5953488).margin(5e-8));
  CHECK(svm.rho() == Approx(1.8074207).margin(5e-7));
  CHECK(svm.score(std::vector<double>{.5, .4}) == Approx(2.2193028).margin(5e-7));
  CHECK(svm.score(std::vector<double>{4, 4}) == Approx(.3040259).margin(5e-7));
  for (const auto& c : reference()["densities"]) {
    svm.fit(points_of(c, "points"));
    CHECK(svm.gamma() == Approx(c["svm_gamma"].get<double>()).epsilon(1e-9));
    CHECK(svm.rho() == Approx(c["svm_rho"].get<double>()).epsilon(1e-6));
    const std::vector<double> expected = c["svm_score"], found = scores(svm, points_of(c, "queries"));
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == Approx(expected[i]).epsilon(1e-6).margin(1e-9));
  }
  CHECK_THROWS_AS(OneClassSvm({.nu = 0}), Error);
  OneClassSvm constant;
  constant.fit({.dimension = 1, .values = {2, 2, 2}});
  CHECK(constant.gamma() == 1);
}

TEST_CASE("[statistics] Mahalanobis: equal to scikit-learn's, plain, shrunk and by Ledoit and Wolf") {
  Mahalanobis plain({.shrinkage = 0});
  plain.fit(eight());
  CHECK(plain.squared_distance(std::vector<double>{.5, .4}) == Approx(.1896713).margin(5e-8));
  CHECK(plain.squared_distance(std::vector<double>{4, 4}) == Approx(13.6179885).margin(5e-7));
  for (const auto& c : reference()["densities"]) {
    const Points points = points_of(c, "points"), queries = points_of(c, "queries");
    Mahalanobis shrunk({.shrinkage = 0.3}), found;
    for (Mahalanobis* m : {&plain, &shrunk, &found}) m->fit(points);
    CHECK(found.shrinkage() == Approx(c["ledoit_wolf"].get<double>()).epsilon(1e-9));
    const std::vector<double> d = c["mahalanobis"], s = c["mahalanobis_shrunk"],
                              l = c["mahalanobis_ledoit_wolf"];
    for (std::size_t i = 0; i < queries.count(); ++i) {
      CHECK(plain.squared_distance(queries[i]) == Approx(d[i]).epsilon(1e-8));
      CHECK(shrunk.squared_distance(queries[i]) == Approx(s[i]).epsilon(1e-8));
      CHECK(found.squared_distance(queries[i]) == Approx(l[i]).epsilon(1e-8));
      CHECK(found.score(queries[i]) == Approx(-0.5 * l[i]).epsilon(1e-8));
    }
  }
  CHECK_THROWS_AS(Mahalanobis({.shrinkage = 1.5}), Error);
}

TEST_CASE("[statistics] Mahalanobis: a direction without spread is not seen, unless shrunk") {
  // On the line y = x: variance 2/3 x 2 along it, none across.
  const Points line{.dimension = 2, .values = {-1, -1, 0, 0, 1, 1}};
  Mahalanobis plain({.shrinkage = 0}), shrunk({.shrinkage = 0.1});
  plain.fit(line);
  shrunk.fit(line);
  CHECK(plain.squared_distance(std::vector<double>{1, 1}) == Approx(2 / (4.0 / 3)));
  CHECK(plain.squared_distance(std::vector<double>{2, -2}) == Approx(0).margin(1e-12));
  // Across: 0.1 x trace/2 = 0.1 x 2/3.
  CHECK(shrunk.squared_distance(std::vector<double>{2, -2}) == Approx(8 / (0.2 / 3)));
}

TEST_CASE("[statistics] isolation forest: c(n) and a tree made by hand") {
  CHECK(average_path_length(0) == 0);
  CHECK(average_path_length(1) == 0);
  CHECK(average_path_length(2) == 1);
  CHECK(average_path_length(3) == Approx(1.2073924).margin(5e-8));
  CHECK(average_path_length(256) == Approx(10.244771).margin(5e-7));
  // x <= 1 | else y <= 5: 3 | 1.
  const IsolationTree tree{{{.feature = 0, .threshold = 1, .left = 1, .right = 2, .count = 6},
                            {.count = 2},
                            {.feature = 1, .threshold = 5, .left = 3, .right = 4, .count = 4},
                            {.count = 3},
                            {.count = 1}}};
  CHECK(tree.path_length(std::vector<double>{1, 9}) == 1 + 1);
  CHECK(tree.path_length(std::vector<double>{1.5, 5}) == Approx(2 + 1.2073924));
  CHECK(tree.path_length(std::vector<double>{1.5, 5.1}) == 2);
}

TEST_CASE("[statistics] isolation forest: trees grow as they should") {
  Random random(2);
  Points cloud = normal_cloud(200, 4, 3);
  for (std::size_t i = 0; i < cloud.count(); ++i) cloud.values[4 * i + 2] = 7;  // constant: never cut
  for (int depth : {0, 3, 8, 1000}) {
    std::vector<std::size_t> sample(64);
    for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = 3 * i;
    const IsolationTree tree = grow_isolation_tree(cloud, sample, depth, random);
    CHECK(tree.nodes[0].count == 64);
    std::size_t in_leaves = 0;
    for (const IsolationTree::Node& node : tree.nodes) {
      if (node.left < 0) {
        in_leaves += node.count;
        if (depth == 1000) CHECK(node.count == 1);
        continue;
      }
      CHECK(node.feature != 2);
      const auto left = tree.nodes[static_cast<std::size_t>(node.left)].count,
                 right = tree.nodes[static_cast<std::size_t>(node.right)].count;
      CHECK((left > 0 && right > 0 && left + right == node.count));
    }
    CHECK(in_leaves == 64);
    if (depth == 0) CHECK(tree.nodes.size() == 1);
    for (std::size_t i : sample) CHECK(tree.path_length(cloud[i]) <= depth + average_path_length(64));
  }
  // All equal: nothing to cut.
  const Points same{.dimension = 1, .values = {4, 4, 4}};
  CHECK(grow_isolation_tree(same, {0, 1, 2}, 5, random).nodes.size() == 1);
}

TEST_CASE(
    "[statistics] isolation forest: the cut of two points falls evenly between them, the feature is drawn "
    "evenly") {
  // Two points: one cut, at the root; a quarter of the way is passed by a quarter of the cuts.
  const Points two{.dimension = 3, .values = {0, 5, 0, 1, 5, 10}};
  Random random(31);
  int first = 0, low = 0;
  for (int i = 0; i < 4000; ++i) {
    const IsolationTree tree = grow_isolation_tree(two, {0, 1}, 1, random);
    REQUIRE(tree.nodes.size() == 3);
    const IsolationTree::Node& root = tree.nodes[0];
    first += root.feature == 0;
    low += root.threshold < (root.feature == 0 ? 0.25 : 2.5);
  }
  // 2,000 and 1,000 expected, standard deviations 31.6 and 27.4: 5 sigma.
  CHECK(std::abs(first - 2000) < 158);
  CHECK(std::abs(low - 1000) < 137);
}

TEST_CASE("[statistics] isolation forest: scores follow scikit-learn's as forests of other seeds do") {
  for (const auto& c : reference()["densities"]) {
    IsolationForest forest({.seed = 9});
    forest.fit(points_of(c, "points"));
    const std::vector<double> mean = c["forest_mean"], deviation = c["forest_deviation"],
                              found = scores(forest, points_of(c, "queries"));
    CHECK(*spearman(found, mean) > 0.95);
    double typical = 0;
    for (double d : deviation) typical += d / static_cast<double>(deviation.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(mean[i]).margin(5 * typical));
  }
  CHECK_THROWS_AS(IsolationForest({.trees = 0}), Error);
  CHECK_THROWS_AS(IsolationForest({.sample = 1}), Error);
}

TEST_CASE("[statistics] PCA detector: major and minor parts by hand") {
  // Standardised features with correlation r = 0.9: eigenvalues 1.9 along (1, 1) and 0.1 along (1, -1). Four
  // points with those moments:
  // +-a (1, 1), +-b (1, -1), with 2 (a^2 + b^2)/3 = 1 and 2 (a^2 - b^2)/3 = 0.9: a^2 = 1.425, b^2 = 0.075.
  const double a = std::sqrt(1.425), b = std::sqrt(0.075);
  // Scaled and moved, which standardising undoes.
  Points points{.dimension = 2};
  for (double s : {1.0, -1.0}) {
    points.add(std::vector<double>{10 + 2 * s * a, -1 + 3 * s * a});
    points.add(std::vector<double>{10 + 2 * s * b, -1 - 3 * s * b});
  }
  PcaDetector detector;
  detector.fit(points);
  // z = (1, 1): y = sqrt 2 along the major one; z = (1, -1): along the minor one.
  const PcaDetector::Parts along = detector.parts(std::vector<double>{12, 2}),
                           across = detector.parts(std::vector<double>{12, -4});
  CHECK(along.major == Approx(2 / 1.9));
  CHECK(along.minor == Approx(0).margin(1e-12));
  CHECK(across.major == Approx(0).margin(1e-12));
  CHECK(across.minor == Approx(2 / 0.1));
  CHECK(detector.score(std::vector<double>{12, -4}) == Approx(-20));
}

TEST_CASE("[statistics] PCA detector: with all components major it is the Mahalanobis distance") {
  for (const auto& c : reference()["densities"]) {
    const Points points = points_of(c, "points"), queries = points_of(c, "queries");
    PcaDetector detector({.major_variance = 1, .minor_eigenvalue = 0, .trimmed = 0});
    detector.fit(points);
    const std::vector<double> expected = c["mahalanobis"];  // with 1/n; correlations are taken with 1/(n - 1)
    const double n = static_cast<double>(points.count());
    for (std::size_t i = 0; i < queries.count(); ++i)
      CHECK(-detector.score(queries[i]) == Approx(expected[i] * (n - 1) / n).epsilon(1e-7));
  }
}

TEST_CASE("[statistics] PCA detector: trimming leaves out what is far, and constant features are left out") {
  Points cloud = normal_cloud(199, 2, 4);
  PcaDetector clean({.major_variance = 1, .trimmed = 0});
  clean.fit(cloud);
  cloud.add(std::vector<double>{50, -50});
  PcaDetector trimmed({.major_variance = 1}), spoilt({.major_variance = 1, .trimmed = 0});
  trimmed.fit(cloud);  // 0.5 % of 200: one
  spoilt.fit(cloud);
  const std::vector<double> point{2, 1}, far{50, -50};
  CHECK(trimmed.score(point) == Approx(clean.score(point)).epsilon(1e-9));
  CHECK(trimmed.score(far) < 5 * spoilt.score(far));  // an outlier among the observations hides itself

  Points flat{.dimension = 2};
  for (int i = 0; i < 5; ++i) flat.add(std::vector<double>{0.1 * i, 0.3});
  PcaDetector detector;
  detector.fit(flat);
  CHECK(detector.score(std::vector<double>{0.2, 99}) == Approx(0).margin(1e-12));
  CHECK_THROWS_AS(PcaDetector({.major_variance = 0}), Error);
  CHECK_THROWS_AS(PcaDetector({.trimmed = 1}), Error);
}

TEST_CASE("[statistics] uniformity: points on a sphere pass, a cap does not, and the null of r_k is peaked") {
  const UniformityOptions options{.k = 5, .simulations = 39, .seed = 1, .threads = 1};
  int small = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    small += test_uniform_on_sphere(uniform_on_sphere(60, 8, 100 + seed), options).p <= 0.1;
  CHECK(small <= 6);  // 2 expected; 7 or more have a probability of 0.2 %
  Points cap = uniform_on_sphere(60, 8, 5);
  for (std::size_t i = 0; i < cap.count(); ++i) cap.values[8 * i] += 1;
  const UniformityTest test = test_uniform_on_sphere(cap, options);
  CHECK(test.p == Approx(1.0 / 40));
  CHECK(test.difference.p < 1e-6);
  CHECK(test.observed.size() == 60);
  CHECK(test.expected.size() == 60 * 39);
  CHECK(test.difference.statistic == ks_two_sample(test.observed, test.expected).statistic);
  // Lin et al.'s null, r_k uniform between its ends, is far from the truth for uniform points.
  const double low = *std::min_element(test.expected.begin(), test.expected.end()),
               high = *std::max_element(test.expected.begin(), test.expected.end());
  CHECK(ks_one_sample(test.expected, [&](double r) { return (r - low) / (high - low); }).p < 1e-6);
}

TEST_CASE(
    "[statistics] uniformity: the same for every number of threads, and simulated points have length 1 and "
    "no direction") {
  const Points points = uniform_on_sphere(40, 3, 2);
  const UniformityTest one = test_uniform_on_sphere(points, {.k = 3, .simulations = 9, .threads = 1});
  const UniformityTest two = test_uniform_on_sphere(points, {.k = 3, .simulations = 9, .threads = 2});
  CHECK((one.p == two.p && one.expected == two.expected &&
         one.difference.statistic == two.difference.statistic));
  const Points many = uniform_on_sphere(3000, 3, 4);
  std::vector<double> heights;
  for (std::size_t i = 0; i < many.count(); ++i) {
    REQUIRE(std::hypot(many[i][0], many[i][1], many[i][2]) == Approx(1));
    heights.push_back(many[i][2]);
  }
  // Archimedes: on the sphere in three dimensions each coordinate is uniform.
  const auto uniform = [](double z) { return (z + 1) / 2; };
  CHECK(ks_one_sample(heights, uniform).p > 0.001);
  // And so is the height above any plane, as over a diagonal one.
  for (std::size_t i = 0; i < many.count(); ++i)
    heights[i] = (many[i][0] + many[i][1] + many[i][2]) / std::sqrt(3.0);
  CHECK(ks_one_sample(heights, uniform).p > 0.001);
}

TEST_CASE("[statistics] density estimators take their least and greatest options") {
  CHECK_NOTHROW(IsolationForest({.trees = 1}));
  CHECK_NOTHROW(IsolationForest({.sample = 2}));
  CHECK_THROWS_AS(IsolationForest({.sample = 1}), Error);
  CHECK_NOTHROW(OneClassSvm({.nu = 1}));
  CHECK_NOTHROW(OneClassSvm({.gamma = 0}));
  CHECK_THROWS_AS(OneClassSvm({.nu = 0}), Error);
  CHECK_THROWS_AS(OneClassSvm({.nu = 1.01}), Error);
  CHECK_THROWS_AS(OneClassSvm({.gamma = -0.1}), Error);
  CHECK_THROWS_AS(OneClassSvm({.tolerance = 0}), Error);
}

TEST_CASE("[statistics] density: two observations are enough, one is not") {
  const Points two{.dimension = 1, .values = {0, 1}}, one{.dimension = 1, .values = {0}};
  IsolationForest forest;
  OneClassSvm svm;
  PcaDetector pca;
  Mahalanobis mahalanobis;
  for (DensityEstimator* estimator : std::vector<DensityEstimator*>{&forest, &svm, &pca, &mahalanobis}) {
    INFO(estimator->name());
    CHECK_THROWS_AS(estimator->fit(one), Error);
    CHECK_NOTHROW(estimator->fit(two));
  }
  // One cut of two points, c(2) = 1: -2^-1.
  CHECK(forest.score(two[0]) == -0.5);
  KNearest nearest({.k = 2});
  CHECK_NOTHROW(nearest.fit(two));
  CHECK_THROWS_AS(nearest.fit(one), Error);
}

TEST_CASE("[statistics] isolation forest: one tree gives whole path lengths, two their mean") {
  // Three points: a path has one cut or two, to leaves of one point.
  const Points points{.dimension = 1, .values = {0, 1, 2}};
  for (int trees : {1, 2}) {
    int halves = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      IsolationForest forest({.trees = trees, .seed = seed});
      forest.fit(points);
      const double path = -std::log2(-forest.score(points[0])) * average_path_length(3);
      REQUIRE(2 * path == Approx(std::round(2 * path)));
      halves += std::abs(path - 1.5) < 1e-9;
    }
    CHECK((halves > 0) == (trees == 2));
  }
}

TEST_CASE("[statistics] PCA detector: trimming may leave two observations") {
  // Of -1, 1, 5 and -5 the nearer half: mean 0, variance 2.
  PcaDetector detector({.trimmed = 0.5});
  detector.fit({.dimension = 1, .values = {-1, 1, 5, -5}});
  CHECK(detector.score(std::vector<double>{3}) == Approx(-9.0 / 2));
  // With three quarters left out one would be left: nothing is, variance 52/3.
  PcaDetector all({.trimmed = 0.75});
  all.fit({.dimension = 1, .values = {-1, 1, 5, -5}});
  CHECK(all.score(std::vector<double>{3}) == Approx(-9.0 / (52.0 / 3)));
}

TEST_CASE("[statistics] points: none have no dimension and no count") {
  Points points;
  CHECK(points.count() == 0);
  points.add(std::vector<double>{1, 2, 3});
  points.add(std::vector<double>{4, 5, 6});
  CHECK(points.count() == 2);
  CHECK(points.dimension == 3);
  CHECK(points[1][0] == 4);
  CHECK(points[1].size() == 3);
}

TEST_CASE("[statistics] uniformity: points on a sphere favour no direction") {
  // Of a coordinate x on the unit sphere in d dimensions the mean of x^2 is 1/d, that of x^4 3/(d (d + 2)).
  for (std::size_t d : {2u, 3u, 5u}) {
    const std::size_t count = 4000;
    const Points points = uniform_on_sphere(count, d, 6);
    REQUIRE(points.count() == count);
    const double n = static_cast<double>(d);
    for (std::size_t j = 0; j < d; ++j) {
      double sum = 0, squares = 0, fourth = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const double x = points[i][j];
        sum += x / count;
        squares += x * x / count;
        fourth += x * x * x * x / count;
      }
      // Standard deviations of the means are below 1/sqrt(4,000) = 0.0158: at most four of them.
      CHECK(std::abs(sum) < 0.05);
      CHECK(std::abs(squares - 1 / n) < 0.03);
      CHECK(std::abs(fourth - 3 / (n * (n + 2))) < 0.03);
    }
  }
}
