// The chance that a shot is detected, by reasoning.

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "difficulty/detection_coefficients.hpp"
#include "difficulty/detection_model.hpp"
#include "difficulty/difficulty.hpp"
#include "difficulty/played_level.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "scenes.hpp"
#include "sim/world.hpp"
#include "statistics/false_alarms.hpp"
#include "statistics/sequential_evidence.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// A scene with what it takes to compare shots in it.
struct Compared {
  Compared(const Scene& normal_scene, const Novelty& novelty)
      : normal(normal_scene),
        novel(normal),
        graph(support_graph(normal)),
        network(contact_network(normal, graph.geometry)),
        shots(normal, graph, network) {
    apply(novelty, novel);
    comparison.emplace(normal, novel, graph, network, shots);
  }
  double chance(const Shot& shot) {
    return detection_chance(detection_features(comparison->launches(shot, detection_aim_noise)));
  }

  Scene normal, novel;
  SupportGraph graph;
  ContactNetwork network;
  KnockOn shots;
  std::optional<ShotComparison> comparison;
};

/// With one to three birds.
Scene random_settled_scene(std::uint64_t seed) {
  Random random(seed);
  return settle(random_scene(random, random.integer(1, 3)));
}

std::vector<Shot> shots_at_targets(const Scene& scene) {
  std::vector<Shot> shots;
  for (const Target& target : find_targets(scene, scene.bird(), blocking_relation(scene)))
    for (const Trajectory& trajectory : target.trajectories) shots.push_back(trajectory.shot);
  return shots;
}

}  // namespace

TEST_CASE("[dynamics] chance: nothing changed is detected as often as there are false alarms") {
  const Scene scene = random_settled_scene(11);
  for (const char* name : {"T1@0", "wood-density-up@0", "gravity-up@0"}) {
    Compared compared(scene, find_novelty(name));
    for (const Shot& shot : shots_at_targets(scene)) CHECK(compared.chance(shot) == false_alarm_chance);
  }
}

TEST_CASE("[dynamics] chance: within its range, and tends to that of false alarms with the strength") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Scene scene = random_settled_scene(seed);
    for (const char* entry :
         {"T1", "T2", "stone-life-up", "wood-density-down", "ice-friction-up", "gravity-up"}) {
      Compared usual(scene, find_novelty(entry)), faint(scene, at_strength(find_novelty(entry), 1e-9));
      for (const Shot& shot : shots_at_targets(scene)) {
        const double chance = usual.chance(shot);
        CHECK((chance >= false_alarm_chance && chance <= 1));
        CHECK(faint.chance(shot) == Approx(false_alarm_chance).margin(1e-6));
      }
    }
  }
}

TEST_CASE("[dynamics] model: more evidence is never less likely detected, by any feature") {
  for (const DetectionFeatureInfo& info : detection_feature_table()) {
    INFO(info.name);
    if (info.evidence) CHECK(detection_weights.*info.member >= 0);
  }
  DetectionFeatures features{.density = 1, .change = 1};
  double last = detection_chance(features);
  for (int i = 0; i < 20; ++i) {
    features.density += 0.5;
    const double chance = detection_chance(features);
    CHECK(chance > last);
    last = chance;
  }
}

TEST_CASE("[dynamics] model: the formula, by hand") {
  const DetectionFeatures features{.fall = 2, .change = 0.1, .moving = 1.5};
  const double evidence = detection_intercept + 2 * detection_weights.fall + 1.5 * detection_weights.moving;
  CHECK(detection_chance(features) ==
        Approx(0.05 + 0.95 * (1 - std::exp(-0.1 * detection_reach)) * std::exp(-std::exp(-evidence))));
  CHECK(detection_chance({}) == 0.05);
}

TEST_CASE("[dynamics] features: of one launch, by hand") {
  LaunchChange launch{
      .objects =
          {{.object = 3, .novel = true, .mass = 4, .moves = 0.5, .drop = 2, .fall = 0.07, .density = 1},
           {.object = 4, .novel = true, .mass = 8, .moves = 0.25, .fall = 0.7, .density = 3},
           {.object = 5, .mass = 9, .moves = 1, .fate = 0.07},
           {.object = 6, .novel = true, .mass = 9, .moves = 0.75, .toughness = 2}},
      .touched = 4,
      .moving = std::exp(1) - 1,
      .bird_kick = 3};
  const DetectionFeatures all = detection_features(launch);
  CHECK(all.fall == Approx(std::max(0.5 * std::log(2), 0.25 * std::log(11))));
  CHECK(all.fate == Approx(std::log(2)));
  CHECK(all.density == Approx(0.75));
  CHECK(all.toughness == Approx(1.5));
  CHECK(all.novel_mass == Approx(std::log(5)));  // that with more life moves as ever
  CHECK(all.bird_kick == Approx(std::log(4)));
  CHECK(all.change == 3);
  CHECK(all.moving == Approx(1));
  const DetectionFeatures one = detection_features(launch, 3);
  CHECK(one.fall == Approx(0.5 * std::log(2)));
  CHECK(one.fate == 0);
  CHECK(one.novel_mass == Approx(std::log(3)));
  CHECK(one.bird_kick == 0);  // owed to what it touches
  CHECK(one.change == 1);
  CHECK(one.moving == Approx(1));  // all that moves is there to be seen
}

TEST_CASE("[dynamics] features: launches have the mean and the spread of aim noise") {
  Compared compared(random_settled_scene(4), find_novelty("T2"));
  const Shot shot{.angle = 0.6};
  const double off = std::sqrt(1.5) * 0.01;
  const DetectionFeatures mean = detection_features(compared.comparison->launches(shot, 0.01)),
                          exact = detection_features(compared.comparison->launches(shot, 0));
  std::vector<DetectionFeatures> single;
  for (const double angle : {0.6 - off, 0.6, 0.6 + off})
    single.push_back(detection_features(compared.comparison->launch({.angle = angle})));
  for (const DetectionFeatureInfo& info : detection_feature_table()) {
    INFO(info.name);
    CHECK(mean.*info.member ==
          Approx((single[0].*info.member + single[1].*info.member + single[2].*info.member) / 3));
    CHECK(exact.*info.member == Approx(single[1].*info.member));
  }
}

TEST_CASE("[dynamics] features: of a level, whatever the order of its objects") {
  Random random(3);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Scene scene = random_settled_scene(seed);
    std::vector<std::size_t> order(scene.objects.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    random.shuffle(order);
    const auto of = [](const Scene& s) {
      return compute_difficulty(s, find_novelty("T2"), {.predict = Predict::detection_by_object});
    };
    const Difficulty a = of(scene), b = of(reordered(scene, order));
    CHECK(a.detection->best == b.detection->best);
    CHECK(a.detection->random == b.detection->random);
    CHECK(a.detection->any == b.detection->any);
  }
}

TEST_CASE("[dynamics] level: best, random, any and the number of shots belong together") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Scene scene = random_settled_scene(seed);
    const Novelty& novelty = find_novelty("wood-density-up");
    const Difficulty d = compute_difficulty(scene, novelty, {.predict = Predict::detection_by_object});
    REQUIRE(d.detection);
    const PredictedDetection& detection = *d.detection;
    // The surest shot, at whatever target, is one of those that random shots are drawn from.
    CHECK(predict_level(scene, novelty).max_p_detected >= detection.random - 1e-12);
    if (d.interactions.front().targets.empty()) {
      CHECK(detection.best == 0);
      continue;
    }
    CHECK(detection.any >= detection.best - 1e-12);
    CHECK(*detection.shots >= 1);
    if (scene.birds_left() == 1) {
      CHECK(detection.any == Approx(detection.best));
      CHECK(*detection.shots == Approx(1 / detection.best));
    }
    for (const Interaction& interaction : d.interactions)
      for (const BestShot& shot : interaction.best_shots) {
        const ShotDetection& of_shot = *interaction.targets[shot.target].hits[shot.hit].detection;
        for (const DetectionByObject& by : of_shot.objects) {
          CHECK(by.object < scene.objects.size());
          CHECK(by.alone <= of_shot.chance + 1e-12);
        }
        CHECK(std::is_sorted(of_shot.objects.begin(), of_shot.objects.end(),
                             [](const auto& a, const auto& b) { return a.alone > b.alone; }));
      }
  }
}

TEST_CASE("[dynamics] level: none of it where it was not asked for, and an error by the published method") {
  const Scene scene = random_settled_scene(2);
  const Difficulty d = compute_difficulty(scene, find_novelty("T1"));
  CHECK(!d.detection);
  CHECK_THROWS_AS(compute_difficulty(scene, find_novelty("T1"),
                                     {.method = Method::published, .predict = Predict::detection}),
                  Error);
  Scene spent = scene;
  spent.next_bird = spent.birds.size();
  const Difficulty none = compute_difficulty(spent, find_novelty("T1"), {.predict = Predict::detection});
  CHECK(none.detection->best == 0);
  CHECK(none.detection->any == 0);
  CHECK(!none.detection->shots);
  CHECK(predict_level(spent, find_novelty("T1")).max_p_detected == 0);
}
