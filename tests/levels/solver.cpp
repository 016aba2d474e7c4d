#include "levels/solver.hpp"

#include <cmath>

#include "core/error.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

LevelObject pig_at(double x, double y, const std::string& type = "BasicSmall") {
  LevelObject pig;
  pig.kind = Kind::pig;
  pig.type = type;
  pig.position = {x, y};
  return pig;
}

LevelObject platform(double x, double y, double scale_x, double scale_y) {
  LevelObject object;
  object.kind = Kind::platform;
  object.type = "Platform";
  object.position = {x, y};
  object.scale_x = scale_x;
  object.scale_y = scale_y;
  return object;
}

Scene scene_with(std::vector<std::string> birds, std::vector<LevelObject> objects) {
  Level level;
  level.width = 2;
  level.slingshot = {-10, -2.5};
  level.birds = std::move(birds);
  level.objects = std::move(objects);
  return settle(make_scene(level, profile()));
}

}  // namespace

TEST_CASE("[levels] solver: a small pig that stands free is killed by the first bird") {
  for (const std::string bird : {"BirdRed", "BirdBlue", "BirdYellow", "BirdBlack", "BirdWhite"}) {
    for (double x : {-4.0, -1.0, 2.0, 5.0}) {
      INFO(bird << ", pig at " << x);
      const Scene scene = scene_with({bird, bird}, {pig_at(x, -3.25)});
      const Solution solution = solve(scene);
      CHECK(solution.solved);
      REQUIRE(solution.shots.size() == 1);
      CHECK(solution.simulations <= 2);
      // The shots do what the solution says.
      CHECK(play(scene, solution.shots).cleared);
    }
  }
}

TEST_CASE("[levels] solver: several pigs take several birds") {
  const Scene scene = scene_with({"BirdRed", "BirdRed", "BirdRed"},
                                 {pig_at(-2, -3.25), pig_at(2, -3.25), pig_at(6, -3.25)});
  const Solution solution = solve(scene);
  REQUIRE(solution.solved);
  CHECK(solution.shots.size() <= 3);
  const PlayResult played = play(scene, solution.shots);
  CHECK(played.cleared);
  CHECK(played.scene.score ==
        solution.scene.score + (3 - solution.shots.size()) * scene.profile->score_unused_bird);
}

TEST_CASE("[levels] solver: a pig walled in by platforms is reported unsolved") {
  // Walls on both sides and a roof, none of which a bird can move; they meet, so that nothing gets in.
  const Scene scene = scene_with(
      {"BirdRed", "BirdBlue"},
      {pig_at(2, -3.25), platform(1, -2.9, 0.5, 2), platform(3, -2.9, 0.5, 2), platform(2, -2.1, 4, 0.5)});
  REQUIRE(scene.pigs_left() == 1);
  const Solution solution = solve(scene, {.shots_per_bird = 4, .simulations = 8});
  CHECK_FALSE(solution.solved);
  CHECK(solution.shots.size() == 2);
  CHECK(solution.simulations == 8);
  CHECK_FALSE(solution.scene.cleared());
}

TEST_CASE("[levels] solver: without birds or without pigs it takes no shot") {
  const Solution no_birds = solve(scene_with({}, {pig_at(2, -3.25)}));
  CHECK_FALSE(no_birds.solved);
  CHECK(no_birds.shots.empty());
  CHECK(candidate_shots(scene_with({}, {pig_at(2, -3.25)}), 5).empty());
  const Solution no_pigs = solve(scene_with({"BirdRed"}, {platform(2, -2, 1, 1)}));
  CHECK(no_pigs.solved);
  CHECK(no_pigs.shots.empty());
}

TEST_CASE("[levels] solver: options that allow no shot are an error") {
  const Scene scene = scene_with({"BirdRed"}, {pig_at(2, -3.25)});
  CHECK_THROWS_AS(solve(scene, {.shots_per_bird = 0}), Error);
  CHECK_THROWS_AS(solve(scene, {.simulations = 0}), Error);
}

TEST_CASE("[levels] solver: candidate shots are distinct, as many as asked for, and allowed") {
  const Scene scene = scene_with(
      {"BirdYellow"}, {pig_at(-1, -3.25), pig_at(4, -3.25, "BasicMedium"), platform(2, 0, 3, 0.5)});
  for (std::size_t limit : {1u, 3u, 12u}) {
    const std::vector<Shot> shots = candidate_shots(scene, limit);
    CHECK(shots.size() == limit);
    for (std::size_t i = 0; i < shots.size(); ++i) {
      CHECK(std::abs(shots[i].angle) <= 3.1416);
      CHECK(shots[i].stretch == 1);
      for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(shots[i] == shots[j]);
    }
  }
  // The best candidate for a pig that can be hit is a hit on a pig.
  CHECK(run_shot(scene, candidate_shots(scene, 1)[0]).trace.pigs_killed == 1);
}

TEST_CASE("[levels] solver: the same scene gives the same solution") {
  const Scene scene = scene_with({"BirdBlack", "BirdWhite"},
                                 {pig_at(0, -3.25), pig_at(4, -3.1, "BasicMedium")});
  const Solution a = solve(scene), b = solve(scene);
  CHECK(a.shots == b.shots);
  CHECK(a.simulations == b.simulations);
}
