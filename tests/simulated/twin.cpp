#include "simulated/twin.hpp"

#include <algorithm>

#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/difficulty/scenes.hpp"

using namespace startle;

TEST_CASE(
    "[simulated] twin: poses are apart when they differ by more than the least difference, not by just as "
    "much") {
  const VisibleDifference least{.distance = 0.125, .angle = 0.25, .hold_steps = 1};
  const double more = 1 + 1e-12;
  CHECK_FALSE(visibly_apart({{1, 2}, 0.5}, {{1.125, 2}, 0.5}, least));
  CHECK(visibly_apart({{1, 2}, 0.5}, {{1 + 0.125 * more, 2}, 0.5}, least));
  CHECK_FALSE(visibly_apart({{1, 2}, 0.5}, {{1, 2}, 0.75}, least));
  CHECK(visibly_apart({{1, 2}, 0.5}, {{1, 2}, 0.5 + 0.25 * more}, least));
  CHECK(visibly_apart({{1, 2}, 0.5}, {{1.1, 2.1}, 0.5}, least));  // 0.141 along the diagonal
}

TEST_CASE("[simulated] twin: tracks are the poses of the recording, from the first that changed") {
  Random random(71);
  int moving = 0, dead = 0;
  for (int trial = 0; trial < 6; ++trial) {
    Scene scene = random_scene(random, 2, 4);  // not settled: some fall straight down before they turn
    scene.objects[0].pose.position.y += 0.01;
    if (scene.objects.size() > 3) scene.objects.back().alive = false;
    const Shot shot{.angle = random.uniform(0.05, 0.6)};
    const NormalShot flown = fly_normal(scene, shot);
    const Trace trace = run_shot(scene, shot, {.record_every = 1}).trace;
    REQUIRE(flown.steps == trace.steps);
    REQUIRE(trace.frames.size() == static_cast<std::size_t>(trace.steps) + 1);
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      INFO("trial " << trial << ", object " << i);
      const ObjectTrack& track = flown.tracks[i];
      if (!scene.objects[i].alive) {
        ++dead;
        CHECK(track.poses.empty());
        CHECK_FALSE(track.destroyed);
        CHECK_FALSE(flown.motions[i].moved);
        continue;
      }
      std::size_t wrong = 0, living = 0;
      for (std::size_t step = 0; step < trace.frames.size(); ++step) {
        const auto& bodies = trace.frames[step].bodies;
        const auto body = std::find_if(bodies.begin(), bodies.end(),
                                       [&](const BodyState& b) { return b.id == static_cast<BodyId>(i); });
        if (body == bodies.end()) continue;
        ++living;
        if (step == 0) continue;  // the recording begins with the engine's places, which are rounded
        const Pose& pose = track.poses.empty()         ? scene.objects[i].pose
                           : step < track.poses.size() ? track.poses[step]
                                                       : Pose{{1e9, 0}, 0};
        wrong += !(pose.position == body->pose.position && pose.angle == body->pose.angle);
      }
      CHECK(wrong == 0);
      CHECK(track.destroyed == (living < trace.frames.size()));
      if (!track.poses.empty()) CHECK(track.poses.size() == living);
      moving += !track.poses.empty();
    }
  }
  CHECK(moving > 10);
  CHECK(dead > 0);
}

TEST_CASE(
    "[simulated] twin: an object moved from the first of the steps on end that it is away, or when it dies") {
  Random random(72);
  int moved = 0, destroyed = 0;
  for (int trial = 0; trial < 8; ++trial) {
    const Scene scene = settle(random_scene(random, 2, 4));
    const NormalShot flown = fly_normal(scene, {.angle = random.uniform(0.02, 0.3)});
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      const ObjectTrack& track = flown.tracks[i];
      int first = -1, away = 0;  // by the definition: three steps on end, or up to the end, or to its death
      for (std::size_t step = 1; step < track.poses.size() && first < 0; ++step) {
        away = visibly_apart(track.poses[step], scene.objects[i].pose, {}) ? away + 1 : 0;
        if (away == 3) first = static_cast<int>(step) - 2;
      }
      if (first < 0 && (track.destroyed || away > 0)) first = static_cast<int>(track.poses.size()) - away;
      INFO("trial " << trial << ", object " << i);
      CHECK(track.moved_at == first);
      moved += first >= 0;
      destroyed += track.destroyed;
    }
  }
  CHECK(moved > 10);
  CHECK(destroyed > 0);
}

TEST_CASE("[simulated] twin: what was touched and did not move may do so in the novel world") {
  // Without gravity, and so heavy that the bird does not move it by the last bit; with the novelty it has its
  // usual weight. Turned: near an angle of 0 the last bit is small.
  Scene scene = scene_of({block("SquareSmall", Material::stone, 1, -1.9)});
  Profile weightless = *scene.profile;
  weightless.gravity = 0;
  scene.profile = std::make_shared<Profile>(weightless);
  scene.objects[0].pose.angle = radians(90);
  scene.objects[0].parameters.density *= 1e8;
  const Scene normal = settle(scene);
  const NormalShot flown = fly_normal(normal, {.angle = 0});
  REQUIRE(flown.tracks[0].poses.empty());
  REQUIRE(std::any_of(flown.events.begin(), flown.events.end(),
                      [](const Event& e) { return e.kind == EventKind::contact && (e.a == 0 || e.b == 0); }));
  const Novelty light{
      .name = "light", .description = "", .rules = {{{}, Parameter::density, {ChangeKind::factor, 1e-8}}}};
  CHECK(visibly_different_objects(normal, novel_twin(normal, light), flown) == std::vector<std::size_t>{0});
  // What is away at the end stays away, however long that would have to be.
  CHECK(visibly_different_objects(normal, novel_twin(normal, light), flown, {.hold_steps = 100000}) ==
        std::vector<std::size_t>{0});
}

TEST_CASE("[simulated] twin: three steps on end away are enough to have moved, two are not") {
  // A block bounces on the ground, slowly and without loss: it is furthest away for a few steps at a time.
  Scene scene = scene_of({block("SquareSmall", Material::wood, 1, ground + 2)});
  scene.objects[0].parameters.restitution = 1;
  scene.objects[0].parameters.gravity_scale = 0.1;
  scene.objects[0].life = 1e9;
  int three = 0, fewer = 0;
  for (double least = 1.85; least < 2; least += 0.002) {
    const VisibleDifference difference{.distance = least, .angle = 10, .hold_steps = 3};
    const NormalShot flown = fly_normal(scene, {.angle = 2}, difference);
    const ObjectTrack& track = flown.tracks[0];
    // Lengths of the times away, and the step of the first that is long enough.
    int first = -1, away = 0, longest = 0;
    for (std::size_t step = 1; step < track.poses.size(); ++step) {
      away = visibly_apart(track.poses[step], scene.objects[0].pose, difference) ? away + 1 : 0;
      longest = std::max(longest, away);
      if (away == 3 && first < 0) first = static_cast<int>(step) - 2;
    }
    if (away > 0) continue;  // away at the end: another rule
    CHECK(track.moved_at == first);
    three += longest == 3;
    fewer += longest < 3;
  }
  CHECK(three > 0);
  CHECK(fewer > 0);
}

TEST_CASE("[simulated] twin: what is away at the end moved from the first step of that time on") {
  Random random(73);
  int away_at_end = 0;
  const VisibleDifference difference{.hold_steps = 100000};
  for (int trial = 0; trial < 10; ++trial) {
    const Scene scene = settle(random_scene(random, 2, 4));
    const NormalShot flown = fly_normal(scene, {.angle = random.uniform(0.02, 0.3)}, difference);
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      const ObjectTrack& track = flown.tracks[i];
      if (track.destroyed || track.poses.empty()) continue;
      int first = -1;
      for (std::size_t step = track.poses.size(); step-- > 1;) {
        if (!visibly_apart(track.poses[step], scene.objects[i].pose, difference)) break;
        first = static_cast<int>(step);
      }
      CHECK(track.moved_at == first);
      CHECK(flown.motions[i].moved == (first > 0));
      away_at_end += first > 0;
    }
  }
  CHECK(away_at_end > 3);
}

namespace {

Scene falling_block() { return scene_of({block("SquareSmall", Material::wood, 3, ground + 3)}); }

/// The same block, which falls half as hard, and lies at the same place in the end.
Scene floating_twin() {
  const Novelty floating{.name = "floating",
                         .description = "",
                         .rules = {{{}, Parameter::gravity_scale, {ChangeKind::factor, 0.5}}}};
  return novel_twin(falling_block(), floating);
}

}  // namespace

TEST_CASE("[simulated] twin: a difference shows that is gone at the end") {
  const Scene normal = falling_block(), novel = floating_twin();
  const Shot away{.angle = 2.5};
  CHECK_FALSE(visibly_apart(run_shot(normal, away).scene.objects[0].pose,
                            run_shot(novel, away).scene.objects[0].pose, {}));
  CHECK(visibly_different_objects(normal, novel, fly_normal(normal, away)) == std::vector<std::size_t>{0});
}

TEST_CASE("[simulated] twin: two flights part by a difference of just as many steps as it has to last") {
  // One object, at rest in one flight and 1 aside in the other for some steps in between, or from some step
  // to the end.
  const VisibleDifference least{.distance = 0.1, .angle = 0.1, .hold_steps = 3};
  const Pose start{{0, 0}, 0}, aside{{1, 0}, 0};
  const auto apart = [&](std::size_t from, std::size_t steps) {
    NormalShot still, moves;
    still.steps = moves.steps = 9;
    still.tracks.resize(1);
    moves.tracks.resize(1);
    moves.tracks[0].poses.assign(10, start);
    for (std::size_t k = from; k < from + steps; ++k) moves.tracks[0].poses.at(k) = aside;
    const bool one = visibly_apart(still, moves, 0, start, least);
    CHECK(visibly_apart(moves, still, 0, start, least) == one);
    return one;
  };
  CHECK_FALSE(apart(4, 2));
  CHECK(apart(4, 3));
  CHECK(apart(4, 4));
  CHECK(apart(9, 1));  // at the end it stays
}

TEST_CASE("[simulated] twin: worlds part where an object is in one of them alone") {
  const Scene scene = scene_of({block("SquareSmall", Material::wood, 3, ground + 0.22),
                                block("SquareSmall", Material::stone, 5, ground + 0.22)});
  const Shot away{.angle = 2.5};
  CHECK_FALSE(worlds_part({scene, away}, {scene, away}, false, {}));
  for (const std::size_t gone : {0u, 1u}) {
    Scene without = scene;
    without.objects[gone].alive = false;
    CAPTURE(gone);
    CHECK(worlds_part({scene, away}, {without, away}, false, {}));
    CHECK(worlds_part({without, away}, {scene, away}, false, {}));
  }
}

TEST_CASE("[simulated] twin: an object that is away in the last step alone has moved in that step") {
  // What is still creeping away when the shot ends: the least distance lies between its last two steps.
  Random random(74);
  int last_alone = 0;
  for (int trial = 0; trial < 6; ++trial) {
    const Scene scene = settle(random_scene(random, 2, 4));
    const Shot shot{.angle = random.uniform(0.02, 0.3)};
    const NormalShot once = fly_normal(scene, shot);
    for (std::size_t i = 0; i < scene.objects.size() && last_alone < 4; ++i) {
      const ObjectTrack& track = once.tracks[i];
      if (track.destroyed || track.poses.size() < 3) continue;
      const auto way = [&](std::size_t before_last) {
        return length(track.poses[track.poses.size() - 1 - before_last].position -
                      scene.objects[i].pose.position);
      };
      double earlier = 0;
      for (std::size_t k = 1; k < track.poses.size(); ++k) earlier = std::max(earlier, way(k));
      if (!(way(0) > earlier * (1 + 1e-12)) || way(0) == 0) continue;
      const VisibleDifference least{.distance = 0.5 * (way(0) + earlier), .angle = 100, .hold_steps = 3};
      const NormalShot flown = fly_normal(scene, shot, least);
      CHECK(flown.tracks[i].moved_at == flown.steps);
      CHECK(flown.motions[i].moved);
      ++last_alone;
    }
  }
  CHECK(last_alone > 0);
}

TEST_CASE("[simulated] twin: two flights of different lengths are compared to the end of the longer") {
  const VisibleDifference least{.distance = 0.1, .angle = 0.1, .hold_steps = 3};
  const Pose start{{0, 0}, 0}, aside{{1, 0}, 0};
  const auto both = [&](const NormalShot& a, const NormalShot& b) {
    const bool one = visibly_apart(a, b, 0, start, least);
    CHECK(visibly_apart(b, a, 0, start, least) == one);
    return one;
  };
  const auto flown = [&](int steps, std::vector<Pose> poses, bool destroyed = false) {
    NormalShot shot;
    shot.steps = steps;
    shot.tracks.resize(1);
    shot.tracks[0].poses = std::move(poses);
    shot.tracks[0].destroyed = destroyed;
    return shot;
  };
  std::vector<Pose> late(10, start), early(6, start);
  for (std::size_t k = 7; k < 10; ++k) late[k] = aside;
  CHECK(both(flown(5, {}), flown(9, late)));
  CHECK(both(flown(5, early), flown(9, late)));
  CHECK_FALSE(both(flown(5, early), flown(9, {})));
  CHECK_FALSE(both(flown(5, {}), flown(9, {})));
  // What ends its flight stays where it was last, in the shorter flight too.
  early[5] = aside;
  CHECK(both(flown(5, early), flown(9, std::vector<Pose>(10, start))));
  CHECK_FALSE(both(flown(5, early), flown(9, std::vector<Pose>{start, start, start, start, start, aside})));
  // Destroyed after its last pose: gone from step 5 or 9 on, or just not yet by the end.
  CHECK(both(flown(9, std::vector<Pose>(5, start), true), flown(9, {})));
  CHECK(both(flown(9, std::vector<Pose>(9, start), true), flown(9, {})));
  CHECK_FALSE(both(flown(9, std::vector<Pose>(10, start), true), flown(9, {})));
  // Gone in both at the same time, or one step apart: that is shorter than a difference has to last.
  CHECK_FALSE(both(flown(9, std::vector<Pose>(5, start), true), flown(9, std::vector<Pose>(5, start), true)));
  CHECK_FALSE(both(flown(9, std::vector<Pose>(5, start), true), flown(9, std::vector<Pose>(7, start), true)));
  CHECK(both(flown(9, std::vector<Pose>(5, start), true), flown(9, std::vector<Pose>(8, start), true)));
}

TEST_CASE("[simulated] twin: a bird that splits parts the worlds, where birds count") {
  Scene scene = scene_of({block("SquareSmall", Material::wood, -9, ground + 0.2)});
  scene.birds = {"BirdBlue"};
  const Scene level = settle(scene);
  const Shot whole{.angle = 0.3}, splits{.angle = 0.3, .tap_time = 0.3};
  for (const bool with_birds : {true, false}) {
    CHECK(worlds_part({level, whole}, {level, splits}, with_birds) == with_birds);
    CHECK(worlds_part({level, splits}, {level, whole}, with_birds) == with_birds);
    CHECK_FALSE(worlds_part({level, splits}, {level, splits}, with_birds));
  }
}

TEST_CASE("[simulated] twin: a change shows only where it is used, and then it does show") {
  // Two wooden blocks in the open; the shot destroys the first or not, by its life.
  const Scene level = settle(
      scene_of({block("RectFat", Material::wood, 1, ground), block("RectFat", Material::wood, 9, ground)}));
  const Shot shot{.angle = -0.15};
  const auto with_life = [&](double life) {
    Scene scene = level;
    for (SceneObject& object : scene.objects) object.life = object.parameters.life = life;
    return scene;
  };
  const auto on = [](std::size_t object, Parameter parameter, double factor,
                     ChangeKind kind = ChangeKind::factor) {
    Novelty novelty{.name = "test", .description = "", .rules = {{{}, parameter, {kind, factor}}}};
    novelty.rules.front().selector.objects = {object};
    return novelty;
  };
  const Scene tough = with_life(1e6), frail = with_life(1e-3);
  REQUIRE(fly_normal(frail, shot).tracks[0].destroyed);
  REQUIRE_FALSE(fly_normal(tough, shot).tracks[0].destroyed);
  REQUIRE(fly_normal(tough, shot).tracks[1].poses.empty());
  const auto visible = [&](const Scene& normal, const Novelty& novelty) {
    return visibly_different_objects(normal, novel_twin(normal, novelty), fly_normal(normal, shot));
  };
  using Objects = std::vector<std::size_t>;
  // More life or defence shows where it saves, less where it kills.
  CHECK(visible(frail, on(0, Parameter::life, 1e9)) == Objects{0});
  CHECK(visible(tough, on(0, Parameter::life, 2)).empty());
  CHECK(visible(tough, on(0, Parameter::life, 1e-9)) == Objects{0});
  CHECK(visible(frail, on(0, Parameter::life, 0.5)).empty());
  CHECK(visible(frail, on(0, Parameter::defence, 1e9, ChangeKind::value)) == Objects{0});
  // Other weight shows of what is struck, not of what is far off.
  CHECK(visible(tough, on(0, Parameter::density, 10)) == Objects{0});
  CHECK(visible(tough, on(1, Parameter::density, 10)).empty());
  CHECK(visible(tough, on(1, Parameter::life, 1e-9)).empty());
}

TEST_CASE("[simulated] twin: cases begin beyond their bounds, not at them") {
  using namespace movement;
  const auto cases = [](const ObjectMotion& motion, bool is_target) {
    return observed_cases(motion, is_target);
  };
  const auto set = [](std::initializer_list<Case> list) {
    Cases result;
    for (const Case c : list) result.set(c);
    return result;
  };
  CHECK(cases({.turn = turned_angle, .shift = shifted_distance, .drop = dropped_distance}, true).none());
  for (const double sign : {1.0, -1.0}) {
    CHECK(cases({.turn = sign * 0.79}, true) == set({hit_and_flips, flips_and_stops}));
    CHECK(cases({.turn = sign * 0.79}, false) == set({flips_and_stops}));
    CHECK(cases({.shift = sign * 0.11}, true) == set({hit_and_slides, slides_and_stops}));
    CHECK(cases({.shift = sign * 0.11, .drop = 0.11}, false) == set({slides_and_falls}));
  }
  CHECK(cases({.drop = 0.11}, false) == set({falls}));
  CHECK(cases({.drop = -0.11}, false).none());  // raised
  CHECK(cases({.turn = 1, .shift = 1, .drop = 1}, false) == set({falls_and_rotates, flips_and_falls}));
  CHECK(cases({.destroyed = true, .turn = 1, .shift = 1}, true) == set({hit_and_destroyed}));
  CHECK(cases({.destroyed = true, .turn = 1}, false) == set({flips_and_stops}));
}

TEST_CASE(
    "[simulated] twin: worlds part by a difference of as many steps as it has to last, and not of fewer") {
  const Scene normal = falling_block(), novel = floating_twin();
  const Shot away{.angle = 2.5};
  const Trace one = run_shot(normal, away, {.record_every = 1}).trace,
              other = run_shot(novel, away, {.record_every = 1}).trace;
  int longest = 0, now = 0;
  for (std::size_t step = 1; step < std::max(one.frames.size(), other.frames.size()); ++step) {
    const auto pose = [&](const Trace& trace) {
      return trace.frames[std::min(step, trace.frames.size() - 1)].bodies.front().pose;
    };
    now = visibly_apart(pose(one), pose(other), {}) ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  REQUIRE(now == 0);
  REQUIRE(longest > 5);
  for (const int hold : {1, 2, longest - 1, longest, longest + 1, longest + 2}) {
    INFO("hold " << hold << " of " << longest);
    CHECK(worlds_part({normal, away}, {novel, away}, false, {.hold_steps = hold}) == (hold <= longest));
    CHECK(worlds_part({novel, away}, {normal, away}, false, {.hold_steps = hold}) == (hold <= longest));
    const std::vector<std::size_t> visible = visibly_different_objects(
        normal, novel, fly_normal(normal, away), {.hold_steps = hold});
    CHECK(visible.size() == (hold <= longest ? 1 : 0));
  }
}
