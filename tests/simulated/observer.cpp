#include "simulated/observer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "difficulty/impact_score.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"
#include "statistics/intervals.hpp"
#include "tests/catch.hpp"
#include "tests/difficulty/scenes.hpp"

using namespace startle;

namespace {

const double not_a_number = std::numeric_limits<double>::quiet_NaN(),
             infinity = std::numeric_limits<double>::infinity();

/// Runs of bodies that stand anywhere, some of them gone, many alike.
Runs random_runs(Random& random, std::size_t count) {
  Runs runs{.bodies = static_cast<std::size_t>(random.integer(1, 4)),
            .frames = static_cast<std::size_t>(random.integer(1, 8)),
            .group_of = {},
            .of = {}};
  for (std::size_t b = 0; b < runs.bodies; ++b) runs.group_of.push_back(random.integer(0, 2));
  const bool coarse = random.chance(0.5);
  for (std::size_t r = 0; r < count; ++r) {
    std::vector<Place> places;
    Vec2 at{random.uniform(), random.uniform()};
    for (std::size_t i = 0; i < runs.bodies * runs.frames; ++i) {
      at = at + Vec2{random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.1)};
      const double pixel = coarse ? 0.5 : runs.pixel;
      places.push_back({.at = seen_at(at, pixel), .there = !random.chance(0.05)});
    }
    runs.of.push_back(std::move(places));
  }
  return runs;
}

/// The runs with that one first.
Runs with_first(Runs runs, std::size_t first) {
  std::swap(runs.of[0], runs.of[first]);
  return runs;
}

/// A wooden tower with a pig beside it, and a shot at it.
Scene tower() {
  return settle(scene_of(
      {block("RectFat", Material::wood, 1, ground), block("RectFat", Material::wood, 1, ground + 0.43),
       block("SquareSmall", Material::wood, 1, ground + 0.86), pig("BasicSmall", 2.2, ground)}));
}
const Shot at_tower{.angle = 0.05};

Trace fly(const Observer& observer, const Scene& scene, Shot shot, double perturbation = 0) {
  shot.angle += perturbation;
  return run_shot(scene, shot, {.record_every = observer.record_every()}).trace;
}

}  // namespace

TEST_CASE("[simulated] observer: a rank p counts those that score at least as much") {
  CHECK(rank_p({3, 1, 2, 2}) == std::vector<double>{0.25, 1, 0.75, 0.75});
  CHECK(rank_p({5, 5, 5}) == std::vector<double>{1, 1, 1});
  CHECK(rank_p({1, 1 + 1e-13, 0}) == std::vector<double>{2.0 / 3, 2.0 / 3, 1});  // a sum in another order
}

TEST_CASE("[simulated] observer: of any runs whatever, no more than a share alpha have a p-value of alpha") {
  Random random(8);
  for (int round = 0; round < 40; ++round) {
    const Runs runs = random_runs(random, 20);
    std::vector<RunTest> detections;
    for (std::size_t r = 0; r < runs.of.size(); ++r) detections.push_back(test_first(with_first(runs, r)));
    for (int k = 1; k <= 20; ++k) {
      int p = 0, outcome = 0, motion = 0;
      for (const RunTest& j : detections) {
        p += j.p <= k / 20.0 + 1e-9;
        outcome += j.p_outcome <= k / 20.0 + 1e-9;
        motion += j.p_motion <= k / 20.0 + 1e-9;
      }
      CHECK(p <= k);
      CHECK(outcome <= k);
      CHECK(motion <= k);
    }
  }
}

TEST_CASE("[simulated] observer: p-values do not depend on the order of the other runs or of the bodies") {
  Random random(9);
  for (int round = 0; round < 20; ++round) {
    const Runs runs = random_runs(random, 24);
    Runs other = runs;
    std::reverse(other.of.begin() + 1, other.of.end());
    for (std::vector<Place>& places : other.of) {
      std::vector<Place> turned;
      for (std::size_t b = runs.bodies; b-- > 0;)
        turned.insert(turned.end(), places.begin() + static_cast<std::ptrdiff_t>(b * runs.frames),
                      places.begin() + static_cast<std::ptrdiff_t>((b + 1) * runs.frames));
      places = turned;
    }
    std::reverse(other.group_of.begin(), other.group_of.end());
    const RunTest a = test_first(runs), b = test_first(other);
    CHECK(a.p == b.p);
    CHECK(a.p_outcome == b.p_outcome);
    CHECK(a.p_motion == b.p_motion);
  }
}

TEST_CASE("[simulated] observer: a deviation in spreads of the others and the pixel, by hand") {
  // One body, one frame, a pixel of 0.12: its variance is 0.12^2/12 = 0.0012. Ten others at x = 0, ten at
  // 0.2: mean 0.1, variance 0.01 x 20/19.
  Runs runs{.bodies = 1, .frames = 1, .pixel = 0.12, .group_of = {0}, .of = {{{.at = {2, 0}}}}};
  for (int i = 0; i < 20; ++i) runs.of.push_back({{.at = {i < 10 ? 0.0 : 0.2, 0}}});
  const RunTest shot_test = test_first(runs);
  CHECK(shot_test.p == Approx(1 / 21.0));
  CHECK(shot_test.p_outcome == Approx(1 / 21.0));
  CHECK(shot_test.p_motion == 1);  // nothing moved
  REQUIRE(shot_test.attributions.size() == 1);
  const Attribution& attribution = shot_test.attributions[0];
  CHECK(attribution.feature == Feature::x);
  CHECK(attribution.seen == Approx(2));
  CHECK(attribution.expected == Approx(0.1));
  CHECK(attribution.spread == Approx(std::sqrt(0.01 * 20 / 19 + 0.0012)));
  CHECK(attribution.sigmas == Approx(1.9 / std::sqrt(0.01 * 20 / 19 + 0.0012)));

  // Gone where the twenty others are there: expected (20 + 0.5)/21, sd sqrt(p (1 - p)).
  for (std::vector<Place>& places : runs.of) places[0].at = {0, 0};
  runs.of[0][0].there = false;
  const RunTest gone = test_first(runs);
  CHECK(gone.p == Approx(1 / 21.0));
  REQUIRE(gone.attributions.size() == 1);
  CHECK(gone.attributions[0].feature == Feature::presence);
  CHECK(gone.attributions[0].expected == Approx(20.5 / 21));
  CHECK(gone.attributions[0].sigmas == Approx(-(20.5 / 21) / std::sqrt(20.5 / 21 * 0.5 / 21)));

  runs.of[0] = runs.of[1];
  CHECK(test_first(runs).p == 1);  // all alike
  CHECK(test_first(runs).attributions.empty());
}

TEST_CASE("[simulated] observer: slower fall is detected by the law of motion, wherever the bodies start") {
  // 21 runs of one body thrown from a place and at a speed of its own; the first falls with half of the
  // others' 4.7 m/s^2.
  Random random(4);
  Runs runs{.bodies = 1, .frames = 12, .interval = 0.12, .group_of = {3}, .of = {}};
  for (int r = 0; r <= 20; ++r) {
    const double g = r == 0 ? 2.35 : 4.7, x = random.uniform(-3, 3), y = random.uniform(-3, 3),
                 vx = random.uniform(-3, 3);
    std::vector<Place> places;
    for (int k = 0; k < 12; ++k)
      places.push_back({.at = seen_at({x + vx * 0.12 * k, y - 0.5 * g * 0.0144 * k * k}, runs.pixel)});
    runs.of.push_back(places);
  }
  const RunTest shot_test = test_first(runs);
  CHECK(shot_test.p_motion == Approx(1 / 21.0));
  const auto fall = std::find_if(shot_test.attributions.begin(), shot_test.attributions.end(),
                                 [](const Attribution& t) { return t.feature == Feature::fall; });
  REQUIRE(fall != shot_test.attributions.end());
  CHECK(fall->of == 3);
  CHECK(fall->seen == Approx(-2.35).margin(0.7));
  CHECK(fall->expected == Approx(-4.7).margin(0.3));
  CHECK(fall->sigmas > 3);
}

TEST_CASE("[simulated] launch estimate: its error follows from the places that are seen") {
  const Scene scene = tower();
  const std::vector<int> steps{0, 10, 20, 30};
  const LaunchEstimate launch(scene, at_tower, 0.01, 0.07, steps, std::nullopt);
  // The bird starts `max_stretch` = 1 behind the rest position and flies at 10 m/s: turned by e it is off by
  // e (10 t - 1).
  REQUIRE(launch.steps() == steps);
  double information = 0;
  for (const int step : steps) information += (10 * 0.02 * step - 1) * (10 * 0.02 * step - 1);
  CHECK(launch.error() == Approx(0.07 / std::sqrt(12 * information)).epsilon(1e-3));

  CHECK(LaunchEstimate(scene, at_tower, 0.01, 0.07, {10, 20, 30, 400}, std::nullopt).steps() ==
        std::vector<int>{10, 20, 30});  // landed by then
  CHECK(LaunchEstimate(scene, {.angle = 0.05, .tap_time = 0.5}, 0.01, 0.07, {10, 20, 30}, std::nullopt)
            .steps() == std::vector<int>{10, 20, 30});  // a red bird has no power
  CHECK(LaunchEstimate(scene, at_tower, 0.01, 0.07, steps, Bounds{-100, -3, -100, 100}).steps() ==
        std::vector<int>{0, 10});
  CHECK(LaunchEstimate(scene, at_tower, 0.01, 0.07, {}, std::nullopt).error() == infinity);
}

TEST_CASE(
    "[simulated] launch estimate: the engine's flights fall in the cell of their launch, and draws in the "
    "cell asked for") {
  const Scene scene = tower();
  const double pixel = 4.6 / 64, sigma = 0.01;
  const std::vector<int> steps{6, 12, 18, 24, 30};
  const LaunchEstimate launch(scene, at_tower, sigma, pixel, steps, std::nullopt);
  REQUIRE(launch.steps() == steps);
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    const double e = launch_error(sigma, random);
    Shot shot = at_tower;
    shot.angle += e;
    const Trace trace = run_shot(scene, shot, {.record_every = 6}).trace;
    std::vector<Vec2> places;
    for (const int step : steps)
      places.push_back(trace.frames[static_cast<std::size_t>(step / 6)].bodies.back().pose.position);
    const long cell = launch.cell(places);
    CHECK(cell == launch.cell_of(e));
    CHECK(std::fabs(static_cast<double>(cell) * launch.error() - e) < 5 * launch.error());
    double sum = 0;
    for (int k = 0; k < 20; ++k) {
      const double drawn = launch.draw(cell, random);
      CHECK(launch.cell_of(drawn) == cell);
      sum += drawn / 20;
    }
    CHECK(std::fabs(sum - e) < 3 * launch.error());
  }
  CHECK(std::fabs(launch.draw(1000000, random)) < 1e6);  // a cell that no flight is seen in

  // Nothing seen: the draws are the prior's.
  const LaunchEstimate blind(scene, at_tower, sigma, pixel, {}, std::nullopt);
  double squares = 0;
  for (int i = 0; i < 2000; ++i) squares += std::pow(blind.draw(0, random), 2) / 2000;
  CHECK(std::sqrt(squares) == Approx(sigma).epsilon(0.05));
}

TEST_CASE("[simulated] launch estimate: launches seen alike are equally likely the true one") {
  // Draw a launch, then 9 others seen alike; the rank of the first among the ten is uniform if the draws
  // follow the right distribution.
  const Scene scene = tower();
  const LaunchEstimate launch(scene, at_tower, 0.01, 4.6 / 64, {6, 12, 18}, std::nullopt);
  Random random(6);
  std::vector<int> counts(10, 0);
  for (int i = 0; i < 2000; ++i) {
    const double e = launch_error(0.01, random);
    int below = 0;
    for (int k = 0; k < 9; ++k) below += launch.draw(launch.cell_of(e), random) < e;
    ++counts[static_cast<std::size_t>(below)];
  }
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 200.0) * (count - 200.0) / 200;
  CHECK(chi_square < 27.9);  // 9 degrees of freedom, p = 0.001
}

TEST_CASE("[simulated] observer: without aim noise any visible difference is detected, and none is none") {
  const Scene normal = tower();
  Observer observer(normal, at_tower, {}, {.aim_noise = 0, .simulations = 19});
  CHECK(observer.detect(fly(observer, normal, at_tower)).p == 1);
  const ShotTest bouncy = observer.detect(
      fly(observer, novel_twin(normal, find_novelty("wood-density-down")), at_tower));
  CHECK(bouncy.p == Approx(1 / 20.0));
  REQUIRE(!bouncy.subjects.empty());
  CHECK(bouncy.subjects.size() == bouncy.attributions.size());
  CHECK(observer.simulations() == 19);
  // What the shot does not touch makes nothing visible.
  CHECK(observer.detect(fly(observer, novel_twin(normal, find_novelty("stone-density-up")), at_tower)).p ==
        1);
}

TEST_CASE("[simulated] observer: the same shot is tested the same, whatever was tested before") {
  const Scene normal = tower(), novel = novel_twin(normal, find_novelty("wood-density-up"));
  const ObserverOptions options{.simulations = 19};
  Observer fresh(normal, at_tower, {}, options), used(normal, at_tower, {}, options);
  std::ignore = used.detect(fly(used, normal, at_tower, 0.01));
  std::ignore = used.detect(fly(used, normal, at_tower, -0.02));
  const ShotTest a = fresh.detect(fly(fresh, novel, at_tower, 0.003)),
                 b = used.detect(fly(used, novel, at_tower, 0.003));
  CHECK(a.p == b.p);
  CHECK(a.p_outcome == b.p_outcome);
  CHECK(a.attributions.size() == b.attributions.size());
  // Recorded more often, the same is seen.
  Shot turned = at_tower;
  turned.angle += 0.003;
  CHECK(fresh.detect(run_shot(novel, turned, {.record_every = 1}).trace).p == a.p);
  CHECK(fresh.detect(run_shot(novel, turned, {.record_every = 3}).trace).subjects == a.subjects);
}

TEST_CASE(
    "[simulated] observer: detects() says what the p-value says, with fewer simulations where it is clear") {
  const Scene normal = tower(), novel = novel_twin(normal, find_novelty("wood-density-up"));
  int answers = 0, differ = 0, detected = 0;
  std::size_t whole_flown = 0, early_flown = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const ObserverOptions options{.seed = seed};
    Observer whole(normal, at_tower, {}, options), early(normal, at_tower, {}, options),
        after(normal, at_tower, {}, options);
    for (const Scene* world : {&normal, &novel}) {
      const Trace seen = fly(whole, *world, at_tower, aim_perturbation(options.aim_noise, seed, 0));
      const double p = whole.detect(seen).p;
      for (const double alpha : {detection_p, 0.3}) {
        const bool detects = early.detects(seen, alpha);
        CHECK((!detects || p <= alpha + 1e-12));  // it never adds a detection
        ++answers;
        differ += detects != (p <= alpha + 1e-12);
        detected += detects;
        // Asked before or after, the answers are the same.
        std::ignore = after.detect(seen);
        CHECK(after.detects(seen, alpha) == detects);
      }
      CHECK(early.detect(seen).p == p);
    }
    Observer alone(normal, at_tower, {}, options);
    alone.detects(fly(alone, normal, at_tower, aim_perturbation(options.aim_noise, seed, 0)));
    early_flown += alone.simulations();
    whole_flown += static_cast<std::size_t>(options.simulations);
  }
  CHECK(detected >= 6);
  CHECK(differ <= answers / 20);
  CHECK(early_flown < whole_flown / 2);
}

TEST_CASE("[simulated] observer: rank() is the p-value of as many runs as it says, the more the rarer") {
  const Scene normal = tower(), novel = novel_twin(normal, find_novelty("wood-density-up"));
  std::map<int, int> ended;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const ObserverOptions options{.simulations = 99, .seed = seed};
    Observer observer(normal, at_tower, {}, options);
    const Trace seen = fly(observer, seed % 2 == 0 ? novel : normal, at_tower,
                           aim_perturbation(options.aim_noise, seed, 0));
    const auto [rank, of] = observer.rank(seen);
    const double p = static_cast<double>(rank) / of;
    ++ended[of];
    if (of == 10) CHECK(p > 0.6);
    if (of == 20) CHECK(p > 0.5);
    if (of == 40) CHECK(p > 0.05);
    if (of > 10) {
      Observer whole(normal, at_tower, {}, {.simulations = of - 1, .seed = seed});
      CHECK(whole.detect(seen).p == Approx(p));
    }
  }
  CHECK(ended.size() == 4);
  CHECK(ended.count(100) == 1);
  CHECK(ended[100] < 40);
}

TEST_CASE("[simulated] observer: rank() is at most u with a chance of at most u, and of no less than half") {
  const Scene normal = tower();
  std::map<double, Rate> at_most{{0.04, {}}, {0.2, {}}};
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const ObserverOptions options{.simulations = 99, .seed = seed};
    Observer observer(normal, at_tower, {}, options);
    const auto [rank, of] = observer.rank(
        fly(observer, normal, at_tower, aim_perturbation(options.aim_noise, seed, 1)));
    for (auto& [u, rate] : at_most) {
      rate.hits += rank <= u * of + 1e-9;
      ++rate.count;
    }
  }
  for (const auto& [u, rate] : at_most) {
    CHECK(rate.interval().low <= u);
    CHECK(rate.interval().high >= u / 2);
  }
}

TEST_CASE("[simulated] observer: detects() raises at most alpha false alarms") {
  // Runs drawn alike, the first of them the one seen: they are exchangeable, however many are flown.
  const Scene normal = tower();
  Rate alarms;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const ObserverOptions options{.simulations = 19, .seed = seed};
    Observer observer(normal, at_tower, {}, options);
    alarms.hits += observer.detects(
        fly(observer, normal, at_tower, aim_perturbation(options.aim_noise, seed, 1)), 0.2);
    ++alarms.count;
  }
  CHECK(alarms.interval().low <= 0.2);
  CHECK(alarms.hits > 20);
}

TEST_CASE("[simulated] observer: it sees only what its window and its frames hold") {
  const Scene normal = tower(), novel = novel_twin(normal, find_novelty("wood-density-down"));
  const ObserverOptions exact{.aim_noise = 0, .simulations = 19};
  for (const Viewing& viewing :
       {Viewing{.window = Bounds{-6, -3, -4, 0}}, Viewing{.first_step = 4, .stride = 6, .frames = 3},
        Viewing{.first_step = 4, .stride = 6, .frames = 1}}) {
    Observer observer(normal, at_tower, viewing, exact);
    CHECK(observer.detect(fly(observer, novel, at_tower)).p == 1);
  }
  Observer clip(normal, at_tower,
                {.first_step = 20, .stride = 6, .frames = 15, .window = Bounds{-1, 3.6, -3.6, 1}}, exact);
  CHECK(clip.record_every() == 2);
  CHECK(clip.detect(fly(clip, novel, at_tower)).p == Approx(1 / 20.0));
}

TEST_CASE("[simulated] observer: objects are named by number and appearance, birds by order") {
  Scene normal = tower();
  normal.birds = {"BirdBlue"};  // splits into three
  const Shot shot{.angle = 0.05, .tap_time = 0.3};
  Observer observer(normal, shot, {}, {.aim_noise = 0, .simulations = 19});
  const ShotTest found = observer.detect(
      fly(observer, novel_twin(normal, find_novelty("wood-density-up")), shot));
  std::set<std::string> birds;
  for (std::size_t k = 0; k < found.attributions.size(); ++k) {
    const Attribution& attribution = found.attributions[k];
    const std::string& subject = found.subjects[k];
    if (attribution.feature == Feature::fall || attribution.feature == Feature::slide) continue;
    if (attribution.of < normal.objects.size())
      CHECK(subject ==
            "#" + std::to_string(attribution.of) + " " + appearance(normal.objects[attribution.of]));
    else
      CHECK(subject == "bird +" + std::to_string(attribution.of - normal.objects.size()));
    if (attribution.of >= normal.objects.size()) birds.insert(subject);
  }
  CHECK(birds.size() > 1);
  // A red bird stays one.
  normal.birds = {"BirdRed"};
  Observer of_one(normal, at_tower, {}, {.aim_noise = 0, .simulations = 19});
  const ShotTest one = of_one.detect(
      fly(of_one, novel_twin(normal, find_novelty("wood-density-up")), at_tower));
  CHECK(std::count(one.subjects.begin(), one.subjects.end(), "bird") > 0);
}

TEST_CASE("[simulated] observer: launches seen apart are compared with other normal shots") {
  const Scene normal = tower();
  Observer observer(normal, at_tower, {}, {.simulations = 19});
  std::ignore = observer.detect(fly(observer, normal, at_tower, 0.02));
  std::ignore = observer.detect(fly(observer, normal, at_tower, 0.02));
  CHECK(observer.simulations() == 19);
  std::ignore = observer.detect(fly(observer, normal, at_tower, -0.02));
  CHECK(observer.simulations() == 2 * 19);
}

TEST_CASE("[simulated] observer: what is destroyed in the novel world alone is missed there") {
  Scene normal = tower();
  for (SceneObject& object : normal.objects) object.life = object.parameters.life = 1e6;
  const Novelty frail{
      .name = "frail", .description = "", .rules = {{{}, Parameter::life, {ChangeKind::factor, 1e-9}}}};
  Observer observer(normal, at_tower, {}, {.aim_noise = 0, .simulations = 19});
  const ShotTest found = observer.detect(fly(observer, novel_twin(normal, frail), at_tower));
  CHECK(std::any_of(found.attributions.begin(), found.attributions.end(), [&](const Attribution& a) {
    return a.feature == Feature::presence && a.of < normal.objects.size() && a.seen == 0 && a.sigmas < 0;
  }));
}

TEST_CASE("[simulated] observer: what cannot be used is refused with what is allowed") {
  const Scene normal = tower();
  const auto refused = [&](const ObserverOptions& options, const std::string& field) {
    CHECK_THROWS_WITH(Observer(normal, at_tower, {}, options),
                      Catch::Contains(field) && Catch::Contains("found") && Catch::Contains("allowed"));
  };
  for (const double noise : {-0.01, 0.51, not_a_number, infinity}) refused({.aim_noise = noise}, "aim noise");
  for (const double pixel : {0.0, -1.0, 1.5, not_a_number}) refused({.pixel = pixel}, "pixel");
  for (const int simulations : {-1, 0, 18, 10000}) refused({.simulations = simulations}, "simulations");
  CHECK_THROWS_WITH(Observer(normal, at_tower, {.first_step = -1}), Catch::Contains("first step"));
  for (const int stride : {0, 1001})
    CHECK_THROWS_WITH(Observer(normal, at_tower, {.stride = stride}), Catch::Contains("stride"));
  for (const int stride : {1, 1000}) CHECK_NOTHROW(Observer(normal, at_tower, {.stride = stride}));
  CHECK_THROWS_WITH(Observer(normal, at_tower, {.frames = -1}), Catch::Contains("frames"));
  CHECK_THROWS_WITH(Observer(scene_of({pig("BasicSmall", 1, ground)}, 0), at_tower),
                    Catch::Contains("no bird"));
  CHECK_THROWS_WITH(Observer(normal, Shot{.angle = not_a_number}), Catch::Contains("angle"));
  Observer observer(normal, at_tower, {}, {.simulations = 19});
  CHECK_THROWS_WITH(observer.detect(run_shot(normal, at_tower).trace), Catch::Contains("recorded every 0"));
  CHECK_THROWS_WITH(observer.detect(run_shot(normal, at_tower, {.record_every = 4}).trace),
                    Catch::Contains("recorded every 4"));
  CHECK_THROWS_WITH(observer.detects(run_shot(normal, at_tower).trace), Catch::Contains("recorded every 0"));
}

TEST_CASE("[simulated] observer: what it names is the material that falls otherwise") {
  // One block of each material falls freely, far from the others and from the shot.
  const Scene normal = scene_of({block("SquareSmall", Material::wood, 1, ground + 3),
                                 block("SquareSmall", Material::ice, 4, ground + 3),
                                 block("SquareSmall", Material::stone, 7, ground + 3)});
  for (const std::string material : {"wood", "ice", "stone"}) {
    Observer observer(normal, {.angle = 1.4}, {}, {.aim_noise = 0, .simulations = 19});
    const ShotTest shot_test = observer.detect(
        run_shot(novel_twin(normal, find_novelty(material + "-gravity_scale-down")), {.angle = 1.4},
                 {.record_every = observer.record_every()})
            .trace);
    CHECK(shot_test.p == Approx(1 / 20.0));
    int falls = 0;
    for (std::size_t i = 0; i < shot_test.attributions.size(); ++i) {
      if (shot_test.attributions[i].feature != Feature::fall) continue;
      ++falls;
      CHECK((std::fabs(shot_test.attributions[i].sigmas) > 1) == (shot_test.subjects[i] == material));
    }
    CHECK(falls == 4);  // the three materials and the bird
  }
}

TEST_CASE("[simulated] observer: a level without objects is as expected") {
  const Scene empty = scene_of({});
  Observer observer(empty, at_tower, {}, {.simulations = 19});
  const ShotTest shot_test = observer.detect(fly(observer, empty, at_tower, 0.004));
  CHECK(shot_test.p > 0.05);
}

TEST_CASE("[simulated] observer: extremes of the options are allowed, and of the viewing") {
  for (const double noise : {0.0, 0.5}) CHECK_NOTHROW(require_valid(ObserverOptions{.aim_noise = noise}));
  CHECK_NOTHROW(require_valid(ObserverOptions{.pixel = 1}));
  for (const int simulations : {19, 9999})
    CHECK_NOTHROW(require_valid(ObserverOptions{.simulations = simulations}));
  CHECK_NOTHROW(Observer(tower(), at_tower, {.first_step = 0, .frames = 0}));
}

TEST_CASE("[simulated] observer: a body is seen on the sides of the window, too, and not beyond them") {
  // A block far from the shot, seen at a multiple of the pixel. In the trace it is gone, or elsewhere.
  const Scene normal = settle(scene_of({block("SquareSmall", Material::wood, 9, ground)}));
  const ObserverOptions options{.aim_noise = 0, .pixel = 0.25, .simulations = 19};
  const Vec2 at = seen_at(normal.objects[0].pose.position, options.pixel);
  const Shot away{.angle = 2.5};
  const auto detected = [&](const Bounds& window, auto change) {
    Observer observer(normal, away, {.window = window}, options);
    Trace trace = run_shot(normal, away, {.record_every = observer.record_every()}).trace;
    for (Frame& frame : trace.frames) change(frame);
    return observer.detect(trace).p < 0.1;
  };
  const auto gone = [](Frame& frame) { frame.bodies.erase(frame.bodies.begin()); };
  for (double Bounds::*side : {&Bounds::xmin, &Bounds::xmax, &Bounds::ymin, &Bounds::ymax}) {
    Bounds window{at.x - 1, at.x + 1, at.y - 1, at.y + 1};
    window.*side = side == &Bounds::xmin || side == &Bounds::xmax ? at.x : at.y;
    CHECK(detected(window, gone));
    window.*side += side == &Bounds::xmin || side == &Bounds::ymin ? 0.125 : -0.125;
    CHECK_FALSE(detected(window, gone));
  }
  // Moved by less than half a pixel it is seen where it was; by a whole pixel it is not.
  const Bounds wide{at.x - 3, at.x + 3, at.y - 3, at.y + 3};
  const Vec2 offset = normal.objects[0].pose.position - at;
  for (const double way : {0.11, 0.25}) {
    const auto shifted = [&](Frame& frame) { frame.bodies[0].pose.position = at + Vec2{way, 0}; };
    CHECK(detected(wide, shifted) == (way == 0.25));
  }
  CHECK(std::fabs(offset.x) <= 0.125);
}

TEST_CASE("[simulated] observer: only the frames of the viewing are looked at") {
  // The block is missing in one step of the trace alone.
  const Scene normal = settle(scene_of({block("SquareSmall", Material::wood, 9, ground)}));
  const Shot away{.angle = 2.5};
  const Viewing viewing{.first_step = 4, .stride = 3, .frames = 3};  // steps 4, 7 and 10
  Observer observer(normal, away, viewing, {.aim_noise = 0, .simulations = 19});
  REQUIRE(observer.record_every() == 1);
  const Trace trace = run_shot(normal, away, {.record_every = 1}).trace;
  for (std::size_t step = 0; step <= 14; ++step) {
    Trace changed = trace;
    changed.frames.at(step).bodies.erase(changed.frames.at(step).bodies.begin());
    INFO("step " << step);
    const ShotTest found = observer.detect(changed);
    CHECK((found.p < 0.1) == (step == 4 || step == 7 || step == 10));
    if (found.p < 0.1) {
      REQUIRE_FALSE(found.attributions.empty());
      CHECK(found.attributions[0].feature == Feature::presence);
      CHECK(found.attributions[0].frame == (step - 4) / 3);
      CHECK(found.subjects[0] == "#0 wood SquareSmall");
    }
  }
}
