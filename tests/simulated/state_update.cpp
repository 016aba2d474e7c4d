#include "simulated/state_update.hpp"

#include "reasoning/qualitative/targets.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/difficulty/scenes.hpp"

using namespace startle;

TEST_CASE("[simulated] state update: the state is the one the simulated shot leaves") {
  const Scene scene = scene_of(
      {block("SquareHole", Material::stone, 1, ground), pig("BasicSmall", 3, ground)});
  const auto targets = find_targets(scene, scene.profile->bird("BirdRed"));
  REQUIRE(!targets.empty());
  const Trajectory& trajectory = targets.front().trajectories.front();
  const Scene next = update_by_simulation(scene, trajectory);
  const Scene same = run_shot(scene, trajectory.shot).scene;
  CHECK(next.next_bird == 1);
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    CHECK(next.objects[i].pose.position == same.objects[i].pose.position);
    CHECK(next.objects[i].pose.angle == same.objects[i].pose.angle);
  }
  CHECK(next.objects[targets.front().object].pose.position.x !=
        scene.objects[targets.front().object].pose.position.x);
}

TEST_CASE("[simulated] state update: names round trip, and nothing for other words") {
  for (const char* name : {"qualitative", "simulated"}) {
    const auto update = state_update_from_name(name);
    REQUIRE(update);
    CHECK(update->name == name);
    CHECK(bool(update->next) == (update->name == "simulated"));
  }
  CHECK(!state_update_from_name("guess"));
}
