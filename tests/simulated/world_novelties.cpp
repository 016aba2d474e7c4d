/// \file  Difficulty of novelties of the world as a whole.

#include "core/error.hpp"
#include "core/random.hpp"
#include "difficulty/difficulty.hpp"
#include "sim/world.hpp"
#include "simulated/observer.hpp"
#include "simulated/simulated_difficulty.hpp"
#include "tests/catch.hpp"
#include "tests/difficulty/scenes.hpp"

using namespace startle;

namespace {

Scene mixed_tower() {
  return settle(
      scene_of({block("RectFat", Material::wood, 1, ground),
                block("RectFat", Material::stone, 1, ground + 0.43), pig("BasicSmall", 2.2, ground)}));
}

}  // namespace

TEST_CASE(
    "[simulated] world novelties: published reasoning covers none, extended what acts on all that moves") {
  for (const Novelty& novelty : world_novelties()) {
    CAPTURE(novelty.name);
    CHECK_FALSE(covers(Method::published, novelty));
    const bool everywhere = novelty.name.starts_with("gravity") || novelty.name == "air-drag-up" ||
                            novelty.name == "ground-friction-down" || novelty.name == "magnet";
    CHECK(covers(Method::extended, novelty) == everywhere);
    CHECK_THROWS_WITH(
        require_covered(Method::published, novelty),
        Catch::Contains(novelty.name) &&
            Catch::Contains(everywhere ? "extended reasoning and simulation" : "only simulation"));
  }
  for (const Novelty& novelty : novelty_catalogue())
    CHECK((covers(Method::published, novelty) && covers(Method::extended, novelty)));
  CHECK(covers(Method::published, find_novelty("storm@0")));
}

TEST_CASE(
    "[simulated] world novelties: by extended reasoning another gravity shows as another density of "
    "everything does") {
  Random random(7);
  for (int i = 0; i < 5; ++i) {
    const Scene scene = settle(random_scene(random, 3));
    const Difficulty by_gravity = compute_difficulty(scene, find_novelty("gravity-up"),
                                                     {.method = Method::extended, .most_states = 1});
    Novelty dense{
        .name = "dense", .description = "", .rules = {{{}, Parameter::density, {ChangeKind::factor, 2}}}};
    const Difficulty by_density = compute_difficulty(scene, dense,
                                                     {.method = Method::extended, .most_states = 1});
    CHECK(by_gravity.novel_objects == by_density.novel_objects);
    REQUIRE(by_gravity.interactions.front().targets.size() == by_density.interactions.front().targets.size());
    for (std::size_t t = 0; t < by_gravity.interactions.front().targets.size(); ++t)
      CHECK(by_gravity.interactions.front().targets[t].p_visible ==
            by_density.interactions.front().targets[t].p_visible);
  }
}

TEST_CASE(
    "[simulated] world novelties: simulation and the observer detect a world with another gravity, and "
    "nothing "
    "where the field is elsewhere") {
  const Scene scene = mixed_tower();
  CHECK(simulated_difficulty(scene, find_novelty("gravity-up")).pid < 1);
  const Novelty elsewhere{.name = "elsewhere",
                          .description = "",
                          .rules = {},
                          .world = {.fields = {{.region = {.left = 500}, .acceleration = {9, 9}}}}};
  const SimulatedDifficulty nothing = simulated_difficulty(scene, elsewhere);
  CHECK(nothing.novel_objects == 3);
  CHECK(nothing.pid == 1);
  CHECK(nothing.bid == 1);

  const Shot shot{.angle = radians(25)};
  const ObserverOptions observer{.aim_noise = 0, .simulations = 19};
  CHECK(observe_launch(scene, novel_twin(scene, find_novelty("gravity-up")), shot, observer, 0).found.p ==
        Approx(0.05));
  CHECK(observe_launch(scene, novel_twin(scene, elsewhere), shot, observer, 0).found.p > 0.05);
}

TEST_CASE("[simulated] world novelties: no group of objects is ruled out by what it does not show") {
  const Scene scene = mixed_tower();
  const Difficulty difficulty = compute_difficulty(scene, find_novelty("gravity-down"),
                                                   {.method = Method::extended});
  for (const Interaction& interaction : difficulty.interactions)
    for (const BestShot& shot : interaction.best_shots) CHECK(shot.found_normal.empty());
}
