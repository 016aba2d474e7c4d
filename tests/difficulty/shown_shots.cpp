#include "difficulty/shown_shots.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "difficulty/difficulty.hpp"
#include "scenes.hpp"
#include "sim/error.hpp"
#include "sim/random.hpp"
#include "sim/world.hpp"

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
    "[difficulty] shown shots: without aim noise nothing differs without novelty, and a shot shows the "
    "novelty as its twin does") {
  Random random(4);
  for (int i = 0; i < 6; ++i) {
    const Scene scene = settle(random_scene(random, 3));
    const Novelty& novelty = find_novelty("T2");
    const ShownShots shown = shown_shots(scene, novelty, {}, {.sd = 0, .repeats = 4}, true);
    CHECK(shown.best_without.hits == 0);
    CHECK(shown.random_without.hits == 0);
    CHECK(shown.proof.count == 0);
    // The one best shot, where there is one alone, shows it every time or never.
    const Interaction first =
        compute_difficulty(scene, novelty, {.method = Method::extended}).interactions.front();
    if (first.best_shots.size() != 1) continue;
    const Shot shot = first.targets[first.best_shots.front().target].shot(first.best_shots.front().hit);
    const bool shows = worlds_part({scene, shot}, {novel_twin(scene, novelty), shot}, true);
    CHECK(same(shown.best, {shows ? 4u : 0u, 4}));
  }
}

TEST_CASE(
    "[difficulty] shown shots: what is not there to change is never shown or noticed, and kinds without "
    "shots count none") {
  const Scene scene = settle(scene_of({block("RectFat", Material::stone, 1, ground)}));
  const ShownShots shown = shown_shots(scene, find_novelty("T1"), {}, {.repeats = 4},
                                       true);  // T1 changes pigs: there are none
  CHECK(same(shown.best, {0, 4}));
  CHECK(same(shown.random, {0, 4}));
  CHECK(shown.random_without.count == 4);
  CHECK_FALSE(shown.proof.value());

  const Scene bare = scene_of({});
  CHECK(shown_shots(bare, find_novelty("T1"), {}).best.count == 0);
  CHECK(shown_shots(bare, find_novelty("T1"), {}).random.count == 0);
  CHECK(noticed_shots(bare, find_novelty("T1")).novel.count == 0);
}

TEST_CASE("[difficulty] shown shots: shots of the solution start where those before them have led") {
  const Scene scene = small_tower();
  // The first shot misses everything; the second one hits. Each is launched twice.
  const Shot miss{.angle = radians(80)},
      hit = find_targets(scene, scene.profile->bird("BirdRed")).front().trajectories.front().shot;
  const Novelty& novelty = find_novelty("wood-life-down");
  const ShownShots alone = shown_shots(scene, novelty, {hit}, {.sd = 0, .repeats = 4});
  const ShownShots after = shown_shots(scene, novelty, {miss, hit}, {.sd = 0, .repeats = 4});
  CHECK(same(alone.proof, {4, 4}));
  CHECK(same(after.proof, {2, 4}));
}

TEST_CASE("[difficulty] shown shots: the order of objects changes nothing") {
  Random random(8);
  for (int i = 0; i < 4; ++i) {
    const Scene scene = settle(random_scene(random, 3));
    std::vector<std::size_t> order(scene.objects.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = order.size() - 1 - k;
    const ShownShots one = shown_shots(scene, find_novelty("T2"), {}, {.repeats = 6}),
                     other = shown_shots(reordered(scene, order), find_novelty("T2"), {}, {.repeats = 6});
    CHECK(same(one.best, other.best));
    CHECK(same(one.random, other.random));
  }
}

TEST_CASE("[difficulty] shown shots: the observer notices light wood, no further than it is worth while") {
  const Scene scene = small_tower();
  const ObserverOptions observer{.aim_noise = 0, .worlds = 19};
  const NoticedShots noticed = noticed_shots(scene, find_novelty("T2"), {.sd = 0, .repeats = 3}, observer);
  CHECK(same(noticed.novel, {3, 3}));
  CHECK(same(noticed.normal, {0, 3}));
  CHECK(same(noticed_shots(scene, find_novelty("T2"), {.sd = 0, .repeats = 3}, observer,
                           [](const Rate& so_far) { return so_far.count < 2; })
                 .novel,
             {2, 2}));
  CHECK_THROWS_AS(noticed_shots(scene, find_novelty("T2"), {.sd = -1}), Error);
  CHECK_THROWS_AS(
      noticed_shots(scene, find_novelty("T2"), {}, {.aim_noise = std::numeric_limits<double>::quiet_NaN()}),
      Error);
  CHECK_THROWS_AS(shown_shots(scene, find_novelty("T2"), {}, {.repeats = 0}), Error);
}
