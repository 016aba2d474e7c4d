#include "simulated/simulated_difficulty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <set>

#include "core/error.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/difficulty/scenes.hpp"

using namespace startle;

namespace {

/// The definition, the plain way: both shots recorded in full, and the poses compared step by step. Moving
/// objects and birds.
std::set<std::size_t> apart_plainly(const Scene& normal, const Scene& novel, const Shot& shot,
                                    const VisibleDifference& least) {
  const Trace a = run_shot(normal, shot, {.record_every = 1}).trace,
              b = run_shot(novel, shot, {.record_every = 1}).trace;
  const auto pose_at = [](const Trace& trace, std::size_t step, std::size_t object) -> std::optional<Pose> {
    for (const BodyState& body : trace.frames[std::min(step, trace.frames.size() - 1)].bodies)
      if (body.id == static_cast<BodyId>(object)) return body.pose;
    return std::nullopt;
  };
  std::set<std::size_t> visible;
  for (std::size_t i = 0; i < novel.objects.size() + 10; ++i) {
    if (i < novel.objects.size() && (novel.objects[i].is_static() || !novel.objects[i].alive)) continue;
    int held = 0, longest = 0;
    for (std::size_t step = 0; step < std::max(a.frames.size(), b.frames.size()) + 5; ++step) {
      const auto p = pose_at(a, step, i), q = pose_at(b, step, i);
      bool apart = p.has_value() != q.has_value();
      if (p && q) {
        double turn = std::fmod(std::fabs(p->angle - q->angle), 2 * std::numbers::pi);
        turn = std::min(turn, 2 * std::numbers::pi - turn);
        apart = std::hypot(p->position.x - q->position.x, p->position.y - q->position.y) > least.distance ||
                turn > least.angle;
      }
      held = apart ? held + 1 : 0;
      longest = std::max(longest, held);
    }
    if (longest >= least.hold_steps) visible.insert(i);
  }
  return visible;
}

std::set<std::size_t> shown_plainly(const Scene& normal, const Scene& novel, const Shot& shot,
                                    const VisibleDifference& least) {
  std::set<std::size_t> visible = apart_plainly(normal, novel, shot, least);
  std::erase_if(visible,
                [&](std::size_t body) { return body >= novel.objects.size() || !novel.objects[body].novel; });
  return visible;
}

const std::vector<const char*> some_novelties{"T1",
                                              "T2",
                                              "T3",
                                              "wood-friction-down",
                                              "stone-density-up",
                                              "ice-life-down",
                                              "pig-defence-up",
                                              "wood-linear_damping-up"};

}  // namespace

TEST_CASE("[simulated] twin: what shows is what a plain comparison of the two recordings finds") {
  Random random(3);
  std::size_t some = 0, none = 0;
  for (int round = 0; round < 15; ++round) {
    const Scene normal = settle(random_scene(random, 1));
    const Shot shot{.angle = random.uniform(-0.1, 0.9)};
    const NormalShot flown = fly_normal(normal, shot);
    for (const char* which : some_novelties) {
      const Scene novel = novel_twin(normal, find_novelty(which));
      const std::vector<std::size_t> visible = visibly_different_objects(normal, novel, flown);
      INFO("round " << round << ", " << which);
      CHECK(std::set<std::size_t>(visible.begin(), visible.end()) == shown_plainly(normal, novel, shot, {}));
      CHECK(visibly_different_objects(normal, novel, flown, {}, true).empty() == visible.empty());
      ++(visible.empty() ? none : some);
    }
  }
  CHECK(some > 10);
  CHECK(none > 20);
}

TEST_CASE(
    "[simulated] twin: any body that differs, with and without birds, is one that a plain comparison of the "
    "two recordings finds") {
  Random random(5);
  std::size_t by_birds_alone = 0, by_normal_objects_alone = 0;
  for (int round = 0; round < 30; ++round) {
    Scene normal = settle(random_scene(random, 1));
    normal.birds.front() = round % 3 == 0 ? "BirdBlue" : "BirdRed";
    const Shot shot{.angle = random.uniform(-0.1, 0.9), .tap_time = round % 3 == 0 ? 0.4 : -1};
    for (const char* which : {"T1", "pig-restitution-up", "T2"}) {
      const Scene novel = novel_twin(normal, find_novelty(which));
      const std::set<std::size_t> apart = apart_plainly(normal, novel, shot, {});
      const bool objects = !apart.empty() && *apart.begin() < normal.objects.size();
      INFO("round " << round << ", " << which);
      CHECK(worlds_part({normal, shot}, {novel, shot}, true) == !apart.empty());
      CHECK(worlds_part({normal, shot}, {novel, shot}, false) == objects);
      CHECK_FALSE(worlds_part({novel, shot}, {novel, shot}, true));
      by_birds_alone += !apart.empty() && !objects;
      by_normal_objects_alone += objects && shown_plainly(normal, novel, shot, {}).empty();
    }
  }
  CHECK(by_birds_alone > 0);
  CHECK(by_normal_objects_alone > 0);
}

TEST_CASE(
    "[simulated] twin: without a difference in parameters nothing shows, and with one nothing shows before "
    "the bird arrives") {
  Random random(4);
  for (int round = 0; round < 20; ++round) {
    const Scene normal = settle(random_scene(random, 1));
    Scene same = normal;
    for (SceneObject& object : same.objects) object.novel = true;
    const Shot at_them{.angle = random.uniform(0, 0.8)}, backward{.angle = 2.5};
    CHECK(visibly_different_objects(normal, same, fly_normal(normal, at_them)).empty());
    // The bird flies away from everything. The novel world is as much at rest as the normal one: nothing
    // moves, bit for bit.
    for (const char* which : {"wood-gravity_scale-up", "stone-density-up", "ice-friction-down", "T1", "T3"}) {
      const Scene novel = novel_twin(normal, find_novelty(which));
      const Scene after = run_shot(novel, backward).scene;
      for (std::size_t i = 0; i < novel.objects.size(); ++i) {
        CHECK(after.objects[i].pose.position == normal.objects[i].pose.position);
        CHECK(after.objects[i].pose.angle == normal.objects[i].pose.angle);
      }
    }
  }
}

TEST_CASE("[simulated] twin: the motions of a normal shot are those between the scene before and after it") {
  Random random(6);
  std::size_t destroyed = 0, moved = 0, still = 0;
  for (int round = 0; round < 30; ++round) {
    const Scene before = settle(random_scene(random, 1));
    const Shot shot{.angle = random.uniform(0, 0.8)};
    const NormalShot flown = fly_normal(before, shot);
    const Scene after = run_shot(before, shot).scene;
    for (std::size_t i = 0; i < before.objects.size(); ++i) {
      const SceneObject &a = before.objects[i], &b = after.objects[i];
      const ObjectMotion& motion = flown.motions[i];
      CHECK(motion.destroyed == !b.alive);
      CHECK(flown.after.objects[i].pose.position == b.pose.position);
      if (motion.destroyed) {
        ++destroyed;
        CHECK(motion.moved);
        continue;
      }
      CHECK(motion.turn == Approx(b.pose.angle - a.pose.angle).margin(1e-12));
      CHECK(motion.drop == Approx(a.world_bounds().ymin - b.world_bounds().ymin).margin(1e-12));
      if (visibly_apart(a.pose, b.pose, {})) CHECK(motion.moved);
      if (!motion.moved) CHECK(length(b.pose.position - a.pose.position) <= 0.1);
      ++(motion.moved ? moved : still);
    }
  }
  CHECK(destroyed > 5);
  CHECK(moved > 20);
  CHECK(still > 20);
}

TEST_CASE("[simulated] twin: poses a full turn apart look alike") {
  CHECK(!visibly_apart({{1, 2}, 0}, {{1, 2.09}, 2 * std::numbers::pi}, {}));
  CHECK(visibly_apart({{1, 2}, 0}, {{1, 2.11}, 0}, {}));
  CHECK(visibly_apart({{0, 0}, 3.1}, {{0, 0}, -3.05}, {}));  // 6.15 = 2 pi - 0.133 apart
  CHECK(!visibly_apart({{0, 0}, 3.1}, {{0, 0}, -3.1}, {}));  // 0.083 apart
}

TEST_CASE("[simulated] twin: observed cases follow from what was measured") {
  using namespace movement;
  using Set = std::set<Case>;
  const auto cases = [](ObjectMotion motion, bool is_target) {
    motion.moved = true;
    Set set;
    for (const Case which : movement::all)
      if (observed_cases(motion, is_target)[which]) set.insert(which);
    return set;
  };
  CHECK(cases({.destroyed = true, .shift = 2}, true) == Set{hit_and_destroyed});
  CHECK(cases({.destroyed = true, .shift = 2}, false) ==
        Set{slides_and_stops});  // destroyed by another: it slid before
  CHECK(cases({.turn = -1.5, .shift = 1}, true) == Set{hit_and_flips, flips_and_stops});
  CHECK(cases({.turn = 1.5, .shift = 1, .drop = 2}, true) ==
        Set{hit_and_flips, falls_and_rotates, flips_and_falls});
  CHECK(cases({.turn = 0.2, .shift = -1}, true) == Set{hit_and_slides, slides_and_stops});
  CHECK(cases({.turn = 0.2, .shift = -1, .drop = 1}, true) == Set{hit_and_slides, slides_and_falls});
  CHECK(cases({.drop = 1}, false) == Set{falls});
  CHECK(cases({.turn = 2, .drop = 1}, false) == Set{falls_and_rotates, flips_and_falls});
  CHECK(cases({.turn = 0.3}, false).empty());
}

TEST_CASE("[simulated] simulated: the worked example of two stones far apart") {
  // The worked example of docs/difficulty.md with life in place of restitution: a hit on #1 shows that its
  // life is five times as long only where the bird would have destroyed it, so ice is used, which every bird
  // breaks.
  Novelty second;
  second.rules = {{.selector = {.kind = {}, .material = {}, .type = {}, .objects = {1}},
                   .parameter = Parameter::life,
                   .change = {ChangeKind::factor, 50}}};
  const Scene scene = settle(scene_of(
      {block("SquareSmall", Material::ice, 1, ground), block("SquareSmall", Material::ice, 9, ground)}, 2));
  const SimulatedDifficulty d = simulated_difficulty(scene, second);
  REQUIRE(d.interactions.size() >= 2);
  CHECK(d.novel_objects == 1);
  // Both can be reached and destroyed. The bird that has destroyed #0 flies on and moves #1, by either of two
  // trajectories, which tie; a hit on #1 moves that alone. So #0 is the best target, and only #1 shows the
  // novelty.
  CHECK(d.interactions[0].counts.targets == 2);
  CHECK(d.interactions[0].counts.detectable == 1);
  REQUIRE(d.interactions[0].best_shots.size() == 2);
  for (const SimulatedBestShot& shot : d.interactions[0].best_shots) {
    CHECK(shot.target == 0);
    CHECK(shot.probability == 0.5);
    CHECK(!shot.p_visible);
  }
  CHECK(d.pid == Approx(0.25));
  // By whichever trajectory: #0 is gone, and #1 is the only target left. BID = (2 - 1)/2.
  REQUIRE(d.interactions.size() == 3);
  for (std::size_t i = 1; i < 3; ++i) {
    CHECK(d.interactions[i].counts.targets == 1);
    CHECK(d.interactions[i].chance.reached == 0.5);
  }
  CHECK(d.bid == Approx(0.5));
  CHECK(d.value == Approx(0.375));
}

TEST_CASE(
    "[simulated] simulated: values are in range, agree with their counts, and do not depend on what was "
    "shared or flown in full") {
  Random random(9);
  std::size_t detected = 0, undetected = 0, spared = 0, ended = 0;
  for (int round = 0; round < 4; ++round) {
    const Scene random_one = settle(random_scene(random, random.integer(1, 2), 3));
    const Scene scene = reordered(random_one, geometric_order(random_one));
    FlownStates states(scene);
    for (const char* which : some_novelties) {
      INFO("round " << round << ", " << which);
      const Novelty& novelty = find_novelty(which);
      const SimulatedDifficulty shared = simulated_difficulty(states, novelty);
      const SimulatedDifficulty alone = simulated_difficulty(
          scene, novelty, {.alpha = 0.5, .least = {}, .complete_first = true});
      CHECK(shared.pid == alone.pid);
      CHECK(shared.bid == alone.bid);
      CHECK(shared.value == alone.value);
      CHECK((0 <= shared.pid && shared.pid <= 1 && 0 <= shared.bid && shared.bid <= 1));
      for (const SimulatedInteraction& interaction : shared.interactions) {
        CHECK(interaction.counts.targets == static_cast<int>(interaction.targets.size()));
        CHECK(interaction.counts.detectable <= interaction.counts.targets);
        // Where PID has ended the best shots alone are flown in the novel world.
        if (interaction.chance.pid > 0) continue;
        ++ended;
        for (std::size_t t = 0; t < interaction.targets.size(); ++t)
          for (std::size_t s = 0; s < interaction.targets[t].shots.size(); ++s)
            CHECK((interaction.targets[t].shots[s].visible.empty() ||
                   std::any_of(
                       interaction.best_shots.begin(), interaction.best_shots.end(),
                       [&](const SimulatedBestShot& best) { return best.target == t && best.shot == s; })));
      }
      if (shared.novel_objects == 0) CHECK(shared.value == 1);
      // In full, each trajectory of each target is compared first.
      std::size_t shots = 0;
      for (const SimulatedTarget& target : alone.interactions.front().targets) shots += target.shots.size();
      CHECK(alone.twin_simulations >= (alone.novel_objects > 0 ? shots : 0));
      CHECK(shared.twin_simulations <= alone.twin_simulations);
      spared += alone.twin_simulations - shared.twin_simulations;
      ++(shared.ends.bid.empty() ? undetected : detected);
    }
  }
  CHECK(detected > 5);
  CHECK(undetected > 5);
  CHECK(spared > 0);
  CHECK(ended > 0);
}

TEST_CASE("[simulated] simulated: a finer eye never finds fewer targets that show") {
  Random random(10);
  for (int round = 0; round < 4; ++round) {
    const Scene scene = settle(random_scene(random, 1, 4));
    const auto showing = [&](double least) {
      const SimulatedDifficulty d = simulated_difficulty(
          scene, find_novelty("T2"), {.alpha = 0.5, .least = {.distance = least, .angle = least}});
      return d.interactions.front().counts.detectable;
    };
    CHECK(showing(0.02) >= showing(0.1));
    CHECK(showing(0.1) >= showing(0.5));
  }
}

TEST_CASE(
    "[simulated] simulated: of a target with two trajectories one is flown, and that makes the novelty "
    "visible or "
    "not") {
  // An ice block in the open is reached on a lower and on an upper parabola. Both destroy it, so they tie.
  // Its life is just so much greater that the one still destroys it and the other does not: n counts the
  // target, the best shot shows it with probability 1/2 at the first bird.
  const Scene scene = settle(scene_of({block("SquareSmall", Material::ice, 1, ground)}, 1));
  std::optional<SimulatedDifficulty> half;
  for (double factor = 1.2; factor < 40 && !half; factor *= 1.05) {
    Novelty tougher{
        .name = "tougher", .description = "", .rules = {{{}, Parameter::life, {ChangeKind::factor, factor}}}};
    const SimulatedDifficulty d = simulated_difficulty(scene, tougher);
    REQUIRE(d.interactions.front().targets.size() == 1);
    const SimulatedTarget& target = d.interactions.front().targets.front();
    if (target.shots.size() == 2 && target.shots[0].visible.empty() != target.shots[1].visible.empty())
      half = d;
  }
  REQUIRE(half);
  CHECK(half->pid == 0);
  CHECK(half->interactions.front().best_shots.size() == 2);
  CHECK(half->bid == Approx(0.5));  // 1/2 x (1 - 1)/1 + 1/2 x 1
}

TEST_CASE("[simulated] aim noise: means over the perturbed rollouts, the same alone and together") {
  Random random(12);
  const Scene scene = settle(random_scene(random, 2, 3));
  const AimNoise noise{.sd = 0.01, .launches = 3};
  const std::vector<const Novelty*> both{&find_novelty("T2"), &find_novelty("T3")};
  const std::vector<NoisyDifficulty> together = noisy_difficulties(scene, both, noise);
  const std::vector<double> perturbations = perturbations_of(noise);
  for (std::size_t k = 0; k < both.size(); ++k) {
    const NoisyDifficulty& d = together[k];
    REQUIRE(d.rollouts.size() == 3);
    double pid = 0, bid = 0;
    std::size_t targets = 0, visible = 0;
    for (std::size_t r = 0; r < 3; ++r) {
      FlownStates states(reordered(scene, geometric_order(scene)), {}, perturbations[r]);
      const SimulatedDifficulty one = simulated_difficulty(states, *both[k]);
      CHECK(one.value == d.rollouts[r].value);
      pid += one.pid / 3;
      bid += one.bid / 3;
      targets += static_cast<std::size_t>(one.interactions.front().counts.targets);
      visible += static_cast<std::size_t>(one.interactions.front().counts.detectable);
    }
    CHECK(d.pid == Approx(pid));
    CHECK(d.bid == Approx(bid));
    CHECK(d.value == Approx(0.5 * (pid + bid)));
    CHECK(d.with_novelty.targets == targets);
    CHECK(d.with_novelty.visible == visible);
    CHECK(d.without_novelty.targets == targets);  // as many pairs as perturbations
    CHECK(noisy_difficulties(scene, {both[k]}, noise).front().value == d.value);
  }
  // Shots that are all alike differ in nothing.
  const NoisyDifficulty sure = noisy_difficulties(scene, both, {.sd = 0, .launches = 3}).front();
  CHECK(sure.without_novelty.visible == 0);
  CHECK(sure.value == simulated_difficulty(scene, *both[0]).value);
}

TEST_CASE("[simulated] aim noise: no targets, no birds and no effect have stated results") {
  const NoisyDifficulty empty =
      noisy_difficulties(scene_of({}, 2), {&find_novelty("T1")}, {.launches = 2}).front();
  CHECK(empty.value == 1);
  CHECK(empty.novel_objects == 0);
  CHECK(empty.with_novelty.targets == 0);
  CHECK(
      noisy_difficulties(scene_of({pig("BasicSmall", 1, ground)}, 0), {&find_novelty("T1")}, {.launches = 2})
          .front()
          .value == 1);
  const NoisyDifficulty none = noisy_difficulties(
                                   settle(scene_of({block("SquareSmall", Material::ice, 1, ground)}, 1)),
                                   {&find_novelty("T1")}, {.launches = 2})
                                   .front();
  CHECK(none.value == 1);
  CHECK(none.novel_objects == 0);
  CHECK(none.with_novelty.visible == 0);
}

TEST_CASE("[simulated] simulated: bad input is refused") {
  Scene scene = settle(scene_of({block("SquareSmall", Material::ice, 1, ground)}, 1));
  CHECK_THROWS_AS(simulated_difficulty(scene, find_novelty("T1"), {.alpha = 1.5, .least = {}}), Error);
  scene.objects[0].novel = true;
  CHECK_THROWS_AS(simulated_difficulty(scene, find_novelty("T1")), Error);
}

TEST_CASE("[simulated] aim noise: perturbations alone part what a novelty could change") {
  const Scene scene = settle(scene_of({block("RectFat", Material::wood, 1, ground)}, 1));  // one target
  const NoisyDifficulty d =
      noisy_difficulties(scene, {&find_novelty("T2")}, {.sd = 0.05, .launches = 3}).front();
  REQUIRE(d.novel_objects > 0);
  CHECK(d.without_novelty.visible > 0);
  CHECK(d.without_novelty.visible <= d.without_novelty.targets);
}
