#include "simulated/visible_shots.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/random.hpp"
#include "difficulty/difficulty.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/difficulty/scenes.hpp"

using namespace startle;

namespace {

Scene small_tower() {
  return settle(
      scene_of({block("RectFat", Material::wood, 1, ground),
                block("RectFat", Material::wood, 1, ground + 0.43), pig("BasicSmall", 2.2, ground)}));
}

bool same(const Rate& a, const Rate& b) { return a.hits == b.hits && a.count == b.count; }

}  // namespace

TEST_CASE(
    "[simulated] visible shots: without aim noise nothing differs without novelty, and a shot shows the "
    "novelty as its twin does") {
  Random random(4);
  for (int i = 0; i < 6; ++i) {
    const Scene scene = settle(random_scene(random, 3));
    const Novelty& novelty = find_novelty("T2");
    const VisibleShots visible = visible_shots(scene, novelty, {}, {.sd = 0, .launches = 4}, true);
    CHECK(visible.best_without.hits == 0);
    CHECK(visible.random_without.hits == 0);
    CHECK(visible.solution.count == 0);
    // The one best shot, where there is one alone, shows it every time or never.
    const Interaction first =
        compute_difficulty(scene, novelty, {.method = Method::extended}).interactions.front();
    if (first.best_shots.size() != 1) continue;
    const Shot shot = first.targets[first.best_shots.front().target].shot(first.best_shots.front().hit);
    const bool p_visible = worlds_part({scene, shot}, {novel_twin(scene, novelty), shot}, true);
    CHECK(same(visible.best, {p_visible ? 4u : 0u, 4}));
  }
}

TEST_CASE(
    "[simulated] visible shots: what is not there to change is never shown or detected, and kinds without "
    "shots count none") {
  const Scene scene = settle(scene_of({block("RectFat", Material::stone, 1, ground)}));
  const VisibleShots visible = visible_shots(scene, find_novelty("T1"), {}, {.launches = 4}, true);  // T1
      // changes
      // pigs:
      // there
      // are
      // none
  CHECK(same(visible.best, {0, 4}));
  CHECK(same(visible.random, {0, 4}));
  CHECK(visible.random_without.count == 4);
  CHECK_FALSE(visible.solution.value());
  CHECK(visible_shots(scene, find_novelty("T1"), {}, {.launches = 2}).random_without.count == 0);

  const Scene bare = scene_of({});
  CHECK(visible_shots(bare, find_novelty("T1"), {}).best.count == 0);
  CHECK(visible_shots(bare, find_novelty("T1"), {}).random.count == 0);
  CHECK(detected_shots(bare, find_novelty("T1")).novel.count == 0);
}

TEST_CASE("[simulated] visible shots: shots of the solution start where those before them have led") {
  const Scene scene = small_tower();
  // The first shot misses everything; the second one hits. Each is launched twice.
  const Shot miss{.angle = radians(80)},
      hit = find_targets(scene, scene.profile->bird("BirdRed")).front().trajectories.front().shot;
  const Novelty& novelty = find_novelty("wood-life-down");
  const VisibleShots alone = visible_shots(scene, novelty, {hit}, {.sd = 0, .launches = 4});
  const VisibleShots after = visible_shots(scene, novelty, {miss, hit}, {.sd = 0, .launches = 4});
  CHECK(same(alone.solution, {4, 4}));
  CHECK(same(after.solution, {2, 4}));
}

TEST_CASE("[simulated] visible shots: the order of objects changes nothing") {
  Random random(8);
  for (int i = 0; i < 4; ++i) {
    const Scene scene = settle(random_scene(random, 3));
    std::vector<std::size_t> order(scene.objects.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = order.size() - 1 - k;
    const VisibleShots one = visible_shots(scene, find_novelty("T2"), {}, {.launches = 6}),
                       other = visible_shots(reordered(scene, order), find_novelty("T2"), {},
                                             {.launches = 6});
    CHECK(same(one.best, other.best));
    CHECK(same(one.random, other.random));
  }
}

TEST_CASE("[simulated] visible shots: the observer detects light wood") {
  const Scene scene = small_tower();
  const ObserverOptions observer{.aim_noise = 0, .simulations = 19};
  const DetectedShots detected = detected_shots(scene, find_novelty("T2"), {.sd = 0, .launches = 3},
                                                observer);
  CHECK(same(detected.novel, {3, 3}));
  CHECK(same(detected.normal, {0, 3}));
  CHECK_THROWS_AS(detected_shots(scene, find_novelty("T2"), {.sd = -1}), Error);
  CHECK_THROWS_AS(
      detected_shots(scene, find_novelty("T2"), {}, {.aim_noise = std::numeric_limits<double>::quiet_NaN()}),
      Error);
  CHECK_THROWS_AS(visible_shots(scene, find_novelty("T2"), {}, {.launches = 0}), Error);
}

TEST_CASE("[simulated] visible shots: birds count against the novelty, and not between two perturbations") {
  // One block that nothing moves. With another bounce only the bird flies off otherwise.
  Scene scene = scene_of({block("SquareHole", Material::stone, 1, ground)});
  scene.objects[0].parameters.density *= 1e8;
  scene.objects[0].life = scene.objects[0].parameters.life = 1e12;
  const Scene level = settle(scene);
  Novelty bouncy{
      .name = "bouncy", .description = "", .rules = {{{}, Parameter::restitution, {ChangeKind::value, 1}}}};
  bouncy.rules.front().selector.objects = {0};
  const VisibleShots visible = visible_shots(level, bouncy, {{.angle = 0.02}}, {.sd = 0.01, .launches = 4},
                                             true);
  CHECK(visible.best.hits > 0);
  CHECK(visible.random.hits > 0);
  CHECK(same(visible.best_without, {0, 4}));
  CHECK(same(visible.random_without, {0, 4}));
  CHECK(same(visible.solution_without, {0, 4}));
}

TEST_CASE("[simulated] visible shots: of best shots that tie each is launched as often, to within one") {
  // Two blocks in the open tie; only the second is changed. A shot at it shows it, one at the first does not.
  const Scene level = settle(
      scene_of({block("RectFat", Material::stone, 0, ground), block("RectFat", Material::stone, 6, ground)}));
  Novelty light{
      .name = "light", .description = "", .rules = {{{}, Parameter::density, {ChangeKind::factor, 0.1}}}};
  light.rules.front().selector.objects = {1};
  const Interaction first =
      compute_difficulty(level, light, {.method = Method::extended}).interactions.front();
  double share = 0;
  for (const BestShot& shot : first.best_shots)
    share += first.targets[shot.target].target.object == 1 ? shot.probability : 0;
  REQUIRE(share == Approx(0.5));
  for (const std::size_t launches : {2u, 4u, 6u, 12u}) {
    const VisibleShots visible = visible_shots(level, light, {}, {.sd = 0, .launches = launches});
    CHECK(same(visible.best, {launches / 2, launches}));
    CHECK(visible.random.count == launches);
  }
  const VisibleShots odd = visible_shots(level, light, {}, {.sd = 0, .launches = 5});
  CHECK(odd.best.count == 5);
  CHECK((odd.best.hits == 2 || odd.best.hits == 3));
}

TEST_CASE("[simulated] visible shots: two perturbations part the normal world, one and the same does not") {
  const Scene scene = small_tower();
  const Shot hit = find_targets(scene, scene.profile->bird("BirdRed")).front().trajectories.front().shot;
  const auto without = [&](double sd, std::size_t launches) {
    return visible_shots(scene, find_novelty("T2"), {hit}, {.sd = sd, .launches = launches}, true)
        .solution_without;
  };
  CHECK(without(0.1, 4).hits > 0);
  CHECK(same(without(0, 4), {0, 4}));
  CHECK(same(without(0.1, 1), {0, 1}));  // the next perturbation is the same
}
