/// \file  Twins: the two worlds come apart where simulated/twin.hpp says.
#include "play/twin_flight.hpp"

#include "difficulty/difficulty.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

Scene shipped(const std::string& name) {
  return settle(make_scene(read_level(std::string(STARTLE_SOURCE) + "/levels/data/" + name), profile()));
}

}  // namespace

TEST_CASE("[play] twins: novel objects that come apart are those that visibly_different_objects() finds") {
  std::size_t apart_at_all = 0;
  for (const char* file :
       {"castles/castles-1-0001.json", "towers/towers-1-0002.json", "platforms/platforms-1-0003.json"}) {
    const Scene normal = shipped(file);
    for (const char* name : {"T1", "T2", "wood-density-up"})
      for (const double angle : {15.0, 35.0}) {
        CAPTURE(file, name, angle);
        const Novelty& novelty = find_novelty(name);
        const Shot shot{.angle = radians(angle)};
        const TwinFlight flight = fly_twins(normal, novelty, shot);
        std::vector<std::size_t> novel_apart;
        for (std::size_t i = 0; i < flight.apart_since.size(); ++i)
          if (flight.novel.objects[i].novel && flight.apart_since[i] >= 0) novel_apart.push_back(i);
        CHECK(novel_apart ==
              visibly_different_objects(normal, novel_twin(normal, novelty), fly_normal(normal, shot)));
        // Each world is the one that everything else computes.
        CHECK(flight.normal_trace.hash == run_shot(normal, shot).trace.hash);
        CHECK(flight.novel_trace.hash == run_shot(novel_twin(normal, novelty), shot).trace.hash);
        CHECK(flight.apart_at(0).empty());
        const int first = flight.first_apart();
        if (first < 0) continue;
        ++apart_at_all;
        CHECK_FALSE(flight.apart_at(first).empty());
        for (std::size_t i = 0; i < flight.apart_since.size(); ++i) {
          if (flight.apart_since[i] < 0) continue;
          const std::vector<std::size_t> then = flight.apart_at(flight.apart_since[i]),
                                         before = flight.apart_at(flight.apart_since[i] - 1);
          CHECK(std::find(then.begin(), then.end(), i) != then.end());
          CHECK(std::find(before.begin(), before.end(), i) == before.end());
        }
      }
  }
  CHECK(apart_at_all > 3);
}

TEST_CASE("[play] twins: a novelty that changes nothing leaves the worlds one") {
  const Scene normal = shipped("castles/castles-1-0001.json");
  const TwinFlight flight = fly_twins(normal, Novelty{.name = "none", .description = {}, .rules = {}},
                                      {.angle = radians(30)});
  CHECK(flight.normal_trace.hash == flight.novel_trace.hash);
  CHECK(flight.first_apart() == -1);
  CHECK(flight.apart_at(flight.steps()).empty());
}

TEST_CASE("[play] twins: a difference must hold for some steps, or to the end") {
  TwinFlight flight;
  flight.normal.objects.resize(2);
  flight.normal_trace.frames = {{0, {{0, {{0, 0}, 0}, 1}, {1, {{5, 0}, 0}, 1}}}};
  flight.normal_trace.steps = 4;
  flight.novel_trace = flight.normal_trace;
  flight.novel_trace.frames[0].bodies[0].pose.position.x = 0.11;  // over 0.1: visible
  CHECK(flight.apart_at(0) == std::vector<std::size_t>{0});
  flight.novel_trace.frames[0].bodies[0].pose.position.x = 0.09;
  CHECK(flight.apart_at(3).empty());
  flight.novel_trace.frames[0].bodies.pop_back();  // gone in one world
  CHECK(flight.apart_at(3) == std::vector<std::size_t>{1});
}

TEST_CASE("[play] twins: to begin with, a novelty that changes something there") {
  const Scene scene = shipped("castles/castles-1-0001.json");
  const Novelty* novelty = first_with_effect(scene);
  REQUIRE(novelty != nullptr);
  CHECK(novelty->name == "T1");  // it has pigs
  Scene empty = scene;
  empty.objects.clear();
  CHECK(first_with_effect(empty) == nullptr);
  // And a shot that the reasoning takes for one that shows it; without anything to shoot at, any.
  const Shot shot = revealing_shot(scene, *novelty);
  const Difficulty difficulty = compute_difficulty(scene, *novelty);
  bool shows = false;
  for (const TargetOutcome& outcome : difficulty.interactions.front().targets)
    shows = shows || (!outcome.detectable.empty() && outcome.target.trajectories.front().shot == shot);
  CHECK(shows);
  CHECK(revealing_shot(empty, *novelty).angle == radians(30));
}
