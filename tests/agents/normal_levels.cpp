/// \file  What the detector `dynamics` is calibrated by.
#include "agents/normal_levels.hpp"

#include <algorithm>

#include "agents/detectors.hpp"
#include "core/error.hpp"
#include "levels/generators.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[agents] normal levels: the same on any number of threads, by family, rising") {
  const DynamicsModel& model = shipped_dynamics(5);
  int played = 0;
  const auto one = play_normal_levels(model, {.count = 2, .seed = 4, .threads = 1}, profile(),
                                      [&] { ++played; });
  CHECK(one == play_normal_levels(model, {.count = 2, .seed = 4, .threads = 2}, profile()));
  CHECK(one != play_normal_levels(model, {.count = 2, .seed = 6, .threads = 2}, profile()));
  CHECK(played == 2 * static_cast<int>(generator_families().size()));
  CHECK(one.size() == generator_families().size());
  for (const auto& [family, evidence] : one) {
    CHECK_NOTHROW(find_generator(family));
    CHECK(evidence.size() == 2);
    CHECK(std::is_sorted(evidence.begin(), evidence.end()));
  }
  int asked = 0;
  const auto interrupted = play_normal_levels(model, {.count = 2, .seed = 4, .threads = 1}, profile(), {},
                                              [&] { return ++asked <= 3; });
  CHECK(interrupted.size() == 2);  // two levels of the first family, one of the second
}

TEST_CASE("[agents] normal levels: other frames than agents are shown, and none, are refused") {
  CHECK_THROWS_WITH(play_normal_levels(shipped_dynamics(2), {.count = 1}, profile()),
                    Catch::Contains("every 2 steps, needed is one of every 5"));
  CHECK_THROWS_WITH(play_normal_levels(shipped_dynamics(5), {.count = 0}, profile()),
                    Catch::Contains("count: found 0"));
}

TEST_CASE("[agents] normal levels: a model's file holds them, and the shipped one has those of each family") {
  DynamicsModel model = shipped_dynamics(5);
  CHECK(model.normal_levels.size() == generator_families().size());
  for (const auto& [family, evidence] : model.normal_levels) CHECK(evidence.size() == 1000);
  model.normal_levels = {{"rows", {-0.5, 0.25, 1.5}}};
  CHECK(parse_dynamics_model(dynamics_model_json(model), "here").normal_levels == model.normal_levels);
  model.normal_levels = {{"rows", {0.25, -0.5}}};
  CHECK_THROWS_WITH(parse_dynamics_model(dynamics_model_json(model), "here"),
                    Catch::Contains("here: normal_levels: rows: found 2 numbers that do not rise"));
}
