#include "difficulty/played_level.hpp"

#include <cmath>

#include "core/error.hpp"
#include "difficulty/best_target_player.hpp"
#include "difficulty/difficulty.hpp"
#include "difficulty/played_level_coefficients.hpp"
#include "reasoning/qualitative/support.hpp"
#include "sim/rest.hpp"
#include "tests/catch.hpp"
#include "tests/difficulty/scenes.hpp"

using namespace startle;

namespace {

/// A tower of wood with a pig on it, and one of stone.
Scene towers(int birds = 3) {
  std::vector<LevelObject> objects;
  for (const auto& [material, x] : {std::pair{Material::wood, -1.0}, std::pair{Material::stone, 2.0}}) {
    double top = ground;
    for (int i = 0; i < 3; ++i) {
      objects.push_back(block("SquareHole", material, x, top));
      const Bounds box = bounds(*profile()->find(Kind::block, "SquareHole", material)->shape);
      top += box.ymax - box.ymin;
    }
    objects.push_back(pig("BasicSmall", x, top));
  }
  return taken_at_rest(scene_of(objects, birds));
}

}  // namespace

TEST_CASE("[difficulty] played level: chances are in range, whatever the novelty") {
  Random random(4);
  for (int i = 0; i < 6; ++i) {
    Scene scene = random_scene(random, 1 + i);
    for (const char* novelty : {"T1", "T2", "T3", "wood-density-up@4", "gravity-down"}) {
      const PredictedLevel predicted = predict_level(scene, find_novelty(novelty));
      for (const double p :
           {predicted.p_level, predicted.p_level_random, predicted.imagined, predicted.imagined_random,
            predicted.max_p_detected, predicted.player_p_detected}) {
        CHECK(p >= 0);
        CHECK(p <= 1);
      }
      for (const double shots : {predicted.shots, predicted.shots_random}) {
        CHECK(shots >= 1);
        CHECK(shots <= 1 + i);
      }
      CHECK(predicted.telling_targets <= predicted.targets);
      CHECK(predicted.mean_p_detected <= predicted.max_p_detected);
      CHECK(predicted.player_p_detected <= predicted.max_p_detected + 1e-12);
    }
  }
}

TEST_CASE("[difficulty] played level: nothing to detect, nothing to play, nothing covered") {
  const Scene scene = towers();
  // No ice: false alarms alone.
  const PredictedLevel none = predict_level(scene, find_novelty("ice-friction-down"));
  CHECK(none.p_level == 0.05);
  CHECK(none.p_level_random == 0.05);
  CHECK(predict_level(towers(0), find_novelty("T2")).p_level == 0);
  const Scene bare = taken_at_rest(scene_of({block("RectFat", Material::wood, 1, ground)}));
  CHECK(predict_level(bare, find_novelty("T2")).p_level == 0);
  CHECK_THROWS_WITH(predict_level(scene, find_novelty("fan")), Catch::Contains("not covered"));
}

TEST_CASE("[difficulty] played level: what a search is told is what the whole prediction says") {
  Random random(5);
  int fewer = 0;
  for (int i = 0; i < 6; ++i) {
    const Scene scene = random_scene(random, 2 + i % 3);
    for (const char* novelty : {"T1", "T2", "ice-friction-down", "gravity-down"}) {
      const PredictedLevel whole = predict_level(scene, find_novelty(novelty));
      for (const double enough : {0.0, 0.3, 2.0}) {
        const auto always = [](const PredictedLevel&) { return true; };
        const PredictedLevel part = predict_for_search(scene, find_novelty(novelty), enough, always);
        // A level of fewer shots, which no search takes, is measured by what it would be with several.
        const double with_several = calibrated(best_target_calibration, whole.imagined, several_shots);
        if (whole.shots >= several_shots)
          CHECK(part.p_level == whole.p_level);
        else
          CHECK((part.p_level == with_several || part.p_level == 0.05));
        fewer += whole.shots < several_shots;
        CHECK(part.imagined == whole.imagined);
        CHECK(part.shots == whole.shots);
        CHECK(part.max_p_detected <= whole.max_p_detected);
        if (part.max_p_detected < enough) CHECK(part.max_p_detected == whole.max_p_detected);
      }
    }
  }
  CHECK(fewer > 0);
}

TEST_CASE("[difficulty] played level: the calibration by hand") {
  const AlarmCalibration none{}, bent{.intercept = 0.5, .slope = 0.5, .slope_of_rare = 2};
  const auto share_of = [](double log_odds) { return 1 / (1 + std::exp(-log_odds)); };
  for (const double share : {0.02, 0.5, 0.9}) CHECK(calibrated(none, share, 2) == Approx(share));
  CHECK(calibrated(none, 0, 2) == Approx(0.01));
  CHECK(calibrated(none, 1, 2) == Approx(0.99));
  for (const double shots : {1.5, 1.75, 4.0}) CHECK(calibrated(bent, 0.5, shots) == Approx(share_of(0.5)));
  // Log-odds of -4: 0.5 - 2 + 2 (-4 + 2).
  CHECK(calibrated(bent, share_of(-4), 2) == Approx(share_of(-5.5)));
  // A play of one shot has no later scene; half-way to several shots, half of the correction.
  CHECK(calibrated(bent, share_of(-4), 1) == Approx(share_of(-4)));
  CHECK(calibrated(bent, share_of(-4), 1.25) == Approx(share_of(-4.75)));
  for (const double shots : {1.0, 1.1, 3.0})
    for (double before = 0, share = 0; share <= 1; share += 0.01) {
      CHECK(calibrated(bent, share, shots) >= before);
      before = calibrated(bent, share, shots);
    }
}

TEST_CASE("[difficulty] played level: with one bird, the share of imagined plays with an alarm is p_level") {
  for (const char* novelty : {"T1", "T2", "stone-gravity_scale-down"}) {
    const PredictedLevel one = predict_level(towers(1), find_novelty(novelty));
    CHECK(one.shots == 1);
    CHECK(one.shots_random == 1);
    CHECK(one.p_level == Approx(one.imagined));
    CHECK(one.p_level_random == Approx(one.imagined_random));
  }
}

TEST_CASE("[difficulty] played level: a stronger change is no less likely detected") {
  const Scene scene = towers();
  for (const char* novelty :
       {"T1", "T2", "wood-density-up", "wood-friction-down", "stone-gravity_scale-down"}) {
    double before = 0, before_random = 0;
    for (const double strength : {0.25, 0.5, 1.0, 2.0, 4.0}) {
      const PredictedLevel level = predict_level(scene, at_strength(find_novelty(novelty), strength));
      CHECK(level.p_level >= before - 1e-3);
      CHECK(level.p_level_random >= before_random - 1e-3);
      before = level.p_level;
      before_random = level.p_level_random;
    }
  }
}

TEST_CASE("[difficulty] played level: the order of objects changes no bit") {
  const Scene scene = towers();
  std::vector<std::size_t> reverse;
  for (std::size_t i = scene.objects.size(); i-- > 0;) reverse.push_back(i);
  const PredictedLevel a = predict_level(scene, find_novelty("T2")),
                       b = predict_level(taken_at_rest(reordered(scene, reverse)), find_novelty("T2"));
  CHECK(a.p_level == b.p_level);
  CHECK(a.p_level_random == b.p_level_random);
  CHECK(a.shots == b.shots);
  CHECK(a.shots_random == b.shots_random);
}

TEST_CASE(
    "[difficulty] best-target player: groups that its shots have moved count no more, until none is left") {
  const Scene scene = towers();
  const TargetImpacts impacts = target_impacts(scene, support_graph(scene));
  REQUIRE(impacts.targets.size() >= 2);
  BestTargetPlayer player;
  const std::vector<std::size_t> first = player.best(scene, impacts);
  REQUIRE_FALSE(first.empty());
  player.shoot_at(scene, impacts, first.front());
  const std::vector<std::size_t> second = player.best(scene, impacts);
  // Each tower moves a material of its own and the pig: the next shot is at the other one.
  const auto tower = [&](std::size_t target) {
    return scene.objects[impacts.targets[target].object].pose.position.x > 0.5;
  };
  for (const std::size_t target : second) CHECK(tower(target) != tower(first.front()));
  player.shoot_at(scene, impacts, second.front());
  CHECK(player.best(scene, impacts) == first);  // all are known: all count again
  player.forget();
  CHECK(player.best(scene, impacts) == first);
  CHECK(player.best(scene, {}).empty());
}
