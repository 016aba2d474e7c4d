#include "simulated/validation.hpp"

#include "core/error.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "sim/shape.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/difficulty/scenes.hpp"

using namespace startle;

TEST_CASE("[simulated] validation: vertical impact of a beam on two posts, counted by hand") {
  // #0 and #1 carry #2. Either post away: the beam falls to that side and the other post may be knocked over;
  // beam away: nothing falls.
  const double top = ground +
                     bounds(*profile()->find(Kind::block, "SquareSmall", Material::stone)->shape).height();
  const Scene scene = settle(scene_of({block("SquareSmall", Material::stone, 3, ground),
                                       block("SquareSmall", Material::stone, 4.6, ground),
                                       block("RectBig", Material::stone, 3.8, top)}));
  const ByMethod<VerticalCounts> of_methods = validate_vertical_impact(scene);
  for (Method method : validated_methods) {
    const VerticalCounts& counts = of_methods[method];
    CHECK(counts.taken_away == 3);
    CHECK(counts.all.count() == 6);
    CHECK(counts.all.both == 2);     // the beam, twice
    CHECK(counts.all.neither == 4);  // the other post, twice, and both posts without the beam
    const auto to = [&](FallDirection d) { return counts.directions[static_cast<std::size_t>(d)]; };
    CHECK(to(FallDirection::left)[0] + to(FallDirection::left)[1] + to(FallDirection::left)[2] == 1);
    CHECK(to(FallDirection::right)[0] + to(FallDirection::right)[1] + to(FallDirection::right)[2] == 1);
  }
}

TEST_CASE(
    "[simulated] validation: vertical impact of bricks in bond, which the extended method knows to be "
    "wedged") {
  std::vector<LevelObject> bricks;
  const Bounds brick = bounds(*profile()->find(Kind::block, "RectFat", Material::wood)->shape);
  for (int row = 0; row < 4; ++row)
    for (int k = 0; k < 5 - row; ++k)
      bricks.push_back(block("RectFat", Material::wood, (k + 0.5 * row) * (brick.width() + 0.03),
                             ground + row * brick.height()));
  const ByMethod<VerticalCounts> counts = validate_vertical_impact(settle(scene_of(bricks)));
  CHECK(counts[Method::published].all.count() == counts[Method::extended].all.count());
  CHECK(counts[Method::published].all.both + counts[Method::published].all.seen_only ==
        counts[Method::extended].all.both + counts[Method::extended].all.seen_only);
  CHECK(counts[Method::extended].all.predicted_only < counts[Method::published].all.predicted_only);
  // Left out of those that fall unprompted is only what was struck and fell without being predicted.
  for (Method method : validated_methods) {
    const BinaryCounts &all = counts[method].all, &unprompted = counts[method].unprompted;
    CHECK(unprompted.both == all.both);
    CHECK(unprompted.predicted_only == all.predicted_only);
    CHECK(unprompted.neither == all.neither);
    CHECK(unprompted.seen_only <= all.seen_only);
  }
}

TEST_CASE("[simulated] validation: the sweep finds open objects and not covered ones") {
  // A small block behind a tall wall of four boulders, close to it, and one in the open on top of the wall.
  std::vector<LevelObject> objects;
  double top = ground;
  for (int i = 0; i < 4; ++i) {
    objects.push_back(block("SquareHole", Material::stone, 4, top));
    top += bounds(*profile()->find(Kind::block, "SquareHole", Material::stone)->shape).height();
  }
  objects.push_back(block("SquareTiny", Material::wood, 4, top));
  objects.push_back(platform(5.2, ground + 1, 1, 1));  // a lid over #6
  objects.push_back(block("SquareTiny", Material::wood, 5.0, ground));
  const Scene scene = settle(scene_of(objects, 1));
  const std::vector<std::size_t> reached = sweep_targets(scene);
  CHECK(std::count(reached.begin(), reached.end(), std::size_t{4}) == 1);
  CHECK(std::count(reached.begin(), reached.end(), std::size_t{5}) == 0);  // a platform is no target
  CHECK(std::count(reached.begin(), reached.end(), std::size_t{6}) == 0);
  CHECK(std::count(reached.begin(), reached.end(), std::size_t{3}) == 1);
}

TEST_CASE(
    "[simulated] validation: every trajectory that the target module finds is verified by simulation by the "
    "sweep") {
  Random random(21);
  for (int round = 0; round < 4; ++round) {
    const Scene scene = settle(random_scene(random, 1, 4));
    const std::vector<std::size_t> reached = sweep_targets(scene);
    std::size_t found = 0, verified = 0;
    for (const Target& target : find_targets(scene, scene.profile->bird("BirdRed"))) {
      ++found;
      verified += std::binary_search(reached.begin(), reached.end(), target.object);
    }
    CHECK(found > 0);
    CHECK(verified + 1 >= found);
  }
}

TEST_CASE("[simulated] validation: counts of a level add up") {
  Random random(22);
  const std::vector<const Novelty*> novelties{&find_novelty("T2"), &find_novelty("T3")};
  ByMethod<ImpactedCounts> sums;
  std::size_t visible = 0;
  for (int round = 0; round < 5; ++round) {
    const Scene scene = settle(random_scene(random, 2, 4));
    const LevelValidation level = validate_level(scene, novelties, {.launches = 2});
    std::size_t trajectories = 0;
    for (const Target& target : find_targets(scene, scene.profile->bird("BirdRed")))
      trajectories += target.trajectories.size();
    CHECK(level.targets.trajectories == trajectories);
    CHECK(level.targets.hit <= trajectories);
    CHECK(level.targets.objects.count() == level.objects);
    CHECK(level.again.count() ==
          find_targets(scene, scene.profile->bird("BirdRed")).size() * (level.objects - 1));
    for (Method method : validated_methods) {
      const ImpactedCounts& i = level.hits[method].impacted;
      CHECK(i.all.count() == trajectories * level.objects);
      CHECK(i.others.count() == trajectories * (level.objects - 1));
      BinaryCounts halves = i.others_lower;
      halves += i.others_upper;
      CHECK(halves == i.others);
      std::size_t missed = 0, wrong = 0;
      for (const auto& [why, n] : i.missed) missed += n;
      for (const auto& [why, n] : i.wrong) wrong += n;
      CHECK(missed == i.others.seen_only);
      CHECK(wrong == i.others.predicted_only);
      CHECK(level.hits[method].motion.destroyed.count() == i.all.both);
      CHECK(level.vertical[method].all.count() == level.objects * (level.objects - 1));
      sums[method] += i;
    }
    REQUIRE(level.novelties.size() == 2);
    for (std::size_t k = 0; k < novelties.size(); ++k) {
      // What simulation says of the first state is complete: every trajectory, and every object that shows.
      const auto all_visible = [](const SimulatedDifficulty& difficulty) {
        std::size_t count = 0;
        for (const SimulatedTarget& target : difficulty.interactions.front().targets)
          for (const SimulatedShot& shot : target.shots) count += shot.visible.size();
        return count;
      };
      const std::size_t complete = all_visible(
          simulated_difficulty(scene, *novelties[k], {.complete_first = true}));
      CHECK(all_visible(level.novelties[k].simulated) == complete);
      visible += complete;
    }
    for (const NoveltyValidation& n : level.novelties) {
      for (Method method : validated_methods) {
        const DetectionValidation& d = n.reasoning[method];
        CHECK(d.difficulty.method == method);
        CHECK(d.difficulty.novel_objects == n.simulated.novel_objects);
        CHECK(d.pairs.count() == trajectories * n.simulated.novel_objects);
        CHECK(d.targets.count() == n.simulated.interactions.front().targets.size());
        CHECK(d.targets.both + d.targets.seen_only ==
              static_cast<std::size_t>(n.simulated.interactions.front().counts.detectable));
        CHECK(d.targets.both + d.targets.predicted_only ==
              static_cast<std::size_t>(d.difficulty.interactions.front().counts.detectable));
        std::size_t lost = 0;
        for (const auto& [why, count] : d.missed) lost += count;
        CHECK(lost == d.pairs.seen_only);
      }
    }
  }
  CHECK(visible > 0);
  for (Method method : validated_methods) {
    CHECK(sums[method].all.both > 0);
    CHECK(sums[method].others.seen_only > 0);
  }
}

TEST_CASE("[simulated] validation: by the extended method each trajectory counts for itself") {
  // Joined, a target's detectable objects would count on all of its trajectories; in some scene one
  // trajectory shows what another does not.
  Random random(23);
  std::size_t distinguishable = 0;
  for (int round = 0; round < 8; ++round) {
    const Scene scene = settle(random_scene(random, 1, 3));
    const LevelValidation level = validate_level(scene, {&find_novelty("T2")}, {.launches = 1});
    const DetectionValidation& d = level.novelties.front().reasoning[Method::extended];
    std::size_t joined = 0;
    for (const TargetOutcome& target : d.difficulty.interactions.front().targets)
      joined += target.detectable.size() * target.target.trajectories.size();
    const std::size_t pairs = d.pairs.both + d.pairs.predicted_only;
    CHECK(pairs <= joined);
    CHECK(pairs >= d.targets.both + d.targets.predicted_only);
    distinguishable += pairs < joined;
  }
  CHECK(distinguishable > 0);
}

TEST_CASE("[simulated] validation: a level without birds is refused") {
  CHECK_THROWS_AS(validate_level(settle(scene_of({block("SquareSmall", Material::ice, 1, ground)}, 0)), {}),
                  Error);
  CHECK_THROWS_AS(
      validate_level(settle(scene_of({block("SquareSmall", Material::ice, 1, ground)}, 1)), {}, {.sd = -1}),
      Error);
}

TEST_CASE("[simulated] validation: movable is what lives and is no platform") {
  Scene scene = scene_of({block("SquareSmall", Material::ice, 1, ground), platform(3, 0)});
  CHECK(is_movable(scene.objects[0]));
  CHECK_FALSE(is_movable(scene.objects[1]));
  scene.objects[0].alive = false;
  CHECK_FALSE(is_movable(scene.objects[0]));
}

TEST_CASE("[simulated] validation: novel objects that no shot moves are counted without a case") {
  // Wood walled in by platforms on every side, ice in the open.
  const Scene scene = settle(
      scene_of({block("SquareSmall", Material::wood, 4, ground), platform(3.3, ground + 0.75, 0.5, 2.4),
                platform(4.7, ground + 0.75, 0.5, 2.4), platform(4, ground + 1.7, 3, 0.5),
                block("RectFat", Material::ice, 0, ground)},
               1));
  const LevelValidation level = validate_level(scene, {&find_novelty("T2"), &find_novelty("ice-density-up")},
                                               {.launches = 1});
  const auto& walled_in = level.novelties[0].by_case;
  CHECK(walled_in[no_case].count == level.targets.trajectories);
  for (const movement::Case c : movement::all) CHECK(walled_in[c].count == 0);
  CHECK(walled_in[no_case].visible == 0);
  const auto& open = level.novelties[1].by_case;
  CHECK(open[no_case].count == 0);
  std::size_t seen = 0;
  for (const movement::Case c : movement::all) seen += open[c].count;
  CHECK(seen >= level.targets.trajectories);
  // What else moves than the target when the shot is perturbed: the walled in wood, of each target.
  CHECK(level.again.count() == 1);
}

TEST_CASE("[simulated] validation: counts of directions add up one by one") {
  VerticalCounts one, other;
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t s = 0; s < 3; ++s) {
      one.directions[p][s] = 3 * p + s;
      other.directions[p][s] = 100;
    }
  one.taken_away = 2;
  other.taken_away = 3;
  one += other;
  CHECK(one.taken_away == 5);
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t s = 0; s < 3; ++s) CHECK(one.directions[p][s] == 100 + 3 * p + s);
}

TEST_CASE("[simulated] validation: a trajectory hits its target where the bird's first contact is with it") {
  const Scene scene = settle(
      scene_of({block("RectFat", Material::stone, 1, ground), block("RectFat", Material::stone, 5, ground)}));
  FlownStates states(scene);
  FlownState state = *states.first();
  const TargetCounts all = validate_targets(state);
  CHECK(all.hit == all.trajectories);
  CHECK(all.trajectories > 2);
  // Of one shot the first contact is moved to the other object.
  const auto bird = static_cast<BodyId>(scene.objects.size());
  FlownTarget& target = state.targets.front();
  for (Event& event : target.shots.front().events) {
    if (event.kind != EventKind::contact || (event.a != bird && event.b != bird)) continue;
    (event.a == bird ? event.b : event.a) = target.target.object == 0 ? 1 : 0;
    break;
  }
  CHECK(validate_targets(state).hit == all.hit - 1);
}

TEST_CASE("[simulated] validation: the sweep finds what only a shot downwards reaches, on either side") {
  // Under a roof, 2 before the slingshot and below it.
  for (double side : {1.0, -1.0}) {
    Scene level = scene_of({block("SquareSmall", Material::stone, side * 2.2, ground),
                            platform(side * 2.6, ground + 1.1, 2.5, 0.3)},
                           1);
    level.slingshot.x = 0;
    const Scene scene = settle(level);
    CHECK(sweep_targets(scene) == std::vector<std::size_t>{0});
  }
}

TEST_CASE("[simulated] validation: platforms are not taken away, and dead objects neither") {
  Scene scene = scene_of({platform(3, ground + 0.32), block("SquareSmall", Material::stone, 3, ground + 0.64),
                          block("SquareSmall", Material::stone, 6, ground),
                          block("SquareSmall", Material::ice, 9, ground)});
  scene.objects[3].alive = false;
  const ByMethod<VerticalCounts> counts = validate_vertical_impact(settle(scene));
  for (Method method : validated_methods) {
    CHECK(counts[method].taken_away == 2);
    CHECK(counts[method].all.count() == 2);
    CHECK(counts[method].all.neither == 2);
    CHECK(counts[method].unprompted.count() == 2);
  }
}

TEST_CASE("[simulated] validation: what a falling object strikes does not fall by itself") {
  // A beam on two posts, 0.38 high, and a ball of 0.15 in the middle under it, which no post carries. Without
  // either post the beam comes down on the ball, which rolls off; without the beam nothing happens.
  const double top = ground +
                     bounds(*profile()->find(Kind::block, "SquareSmall", Material::stone)->shape).height();
  Scene scene = scene_of({block("SquareSmall", Material::stone, 3, ground),
                          block("SquareSmall", Material::stone, 4.6, ground),
                          block("RectBig", Material::stone, 3.8, top), pig("BasicSmall", 3.8, ground)});
  scene.objects[3].shape = std::make_shared<Shape>(disc_shape(0.15));
  scene.objects[3].pose.position = {3.8, ground + 0.15};
  const ByMethod<VerticalCounts> of_methods = validate_vertical_impact(settle(scene));
  for (Method method : validated_methods) {
    const VerticalCounts& counts = of_methods[method];
    CHECK(counts.taken_away == 4);
    CHECK(counts.all.count() == 12);
    CHECK(counts.all.both == 2);
    CHECK(counts.all.seen_only == 2);
    CHECK(counts.all.predicted_only == 0);
    CHECK(counts.unprompted.both == 2);
    CHECK(counts.unprompted.seen_only == 0);
    CHECK(counts.unprompted.neither == counts.all.neither);
  }
}

TEST_CASE("[simulated] validation: counts of motions and of targets add up one by one") {
  const auto counted = [](std::size_t n) {
    return BinaryCounts{.both = n, .predicted_only = n + 1, .seen_only = n + 2, .neither = n + 3};
  };
  const auto sum = [&](std::size_t n, std::size_t m) {
    BinaryCounts counts = counted(n);
    counts += counted(m);
    return counts;
  };
  MotionCounts motion{
      .destroyed = counted(1), .turned = counted(10), .shifted = counted(20), .dropped = counted(30)};
  motion += {
      .destroyed = counted(100), .turned = counted(200), .shifted = counted(300), .dropped = counted(400)};
  CHECK(motion.destroyed == sum(1, 100));
  CHECK(motion.turned == sum(10, 200));
  CHECK(motion.shifted == sum(20, 300));
  CHECK(motion.dropped == sum(30, 400));
  TargetCounts targets{.objects = counted(1), .trajectories = 2, .hit = 3};
  targets += {.objects = counted(4), .trajectories = 5, .hit = 6};
  CHECK(targets.objects == sum(1, 4));
  CHECK(targets.trajectories == 7);
  CHECK(targets.hit == 9);
  CaseCounts cases{
      .predicted = 1, .verified = 2, .moved = 3, .destroyed = 4, .turned = 5, .shifted = 6, .dropped = 7};
  cases += {.predicted = 10,
            .verified = 20,
            .moved = 30,
            .destroyed = 40,
            .turned = 50,
            .shifted = 60,
            .dropped = 70};
  CHECK(cases.predicted == 11);
  CHECK(cases.verified == 22);
  CHECK(cases.moved == 33);
  CHECK(cases.destroyed == 44);
  CHECK(cases.turned == 55);
  CHECK(cases.shifted == 66);
  CHECK(cases.dropped == 77);
  VisibleShare share{.targets = 3, .visible = 1};
  share += {.targets = 4, .visible = 2};
  CHECK(share.targets == 7);
  CHECK(share.visible == 3);
}

TEST_CASE("[simulated] validation: of targets those count that are found, and those that the sweep reaches") {
  // Two blocks in the open, and one walled in by platforms on every side.
  const Scene scene = settle(
      scene_of({block("SquareSmall", Material::wood, 4, ground), platform(3.3, ground + 0.75, 0.5, 2.4),
                platform(4.7, ground + 0.75, 0.5, 2.4), platform(4, ground + 1.7, 3, 0.5),
                block("RectFat", Material::ice, 0, ground), block("RectFat", Material::ice, 8, ground)},
               1));
  FlownStates states(scene);
  FlownState state = *states.first();
  const BinaryCounts found = validate_targets(state).objects;
  CHECK(found.both == 2);
  CHECK(found.neither == 1);
  CHECK(found.count() == 3);
  // A target less is one that only the sweep finds.
  state.targets.pop_back();
  CHECK(validate_targets(state).objects.both == 1);
  CHECK(validate_targets(state).objects.seen_only == 1);
  CHECK(validate_targets(state).objects.neither == 1);
}
