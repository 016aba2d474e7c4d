#include "levels/placed_set_text.hpp"

#include "core/error.hpp"
#include "levels/level_file.hpp"
#include "sim/profile.hpp"
#include "sim/rest.hpp"
#include "sim/runs.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// Five levels of two novelties of the benchmark.
const PlacedSet& placed() {
  static const PlacedSet set = [] {
    auto files = find_level_files({std::filesystem::path(STARTLE_BENCHMARK) / "T2/easy"});
    files.resize(3);
    auto more = find_level_files({std::filesystem::path(STARTLE_BENCHMARK) / "pig-restitution-up/hard"});
    files.insert(files.end(), more.begin(), more.begin() + 2);
    return place_levels(files, profile(), {});
  }();
  return set;
}

}  // namespace

TEST_CASE("[levels] a placed set read from its text has the same scenes, to the bit") {
  const PlacedSet read = placed_set_from_text(placed_set_text(placed()), profile());
  REQUIRE(read.levels.size() == 5);
  for (std::size_t i = 0; i < read.levels.size(); ++i) {
    const PlacedLevel &was = placed().levels[i], &is = read.levels[i];
    CHECK(is.name == was.name);
    CHECK(is.novelty == was.novelty);
    CHECK(is.tier == was.tier);
    CHECK(is.level == was.level);
    CHECK(at_rest(is.rest) == at_rest(was.rest));
    // A shot meets everything that a scene holds.
    const ShotResult a = run_shot(was.rest, {.angle = 0.3}), b = run_shot(is.rest, {.angle = 0.3});
    CHECK(a.trace.hash == b.trace.hash);
  }
}

TEST_CASE("[levels] what is no text of a placed set is refused by what is wrong") {
  std::string text = placed_set_text(placed());
  CHECK_THROWS_AS(placed_set_from_text(text.substr(0, text.size() / 2), profile()), Error);
  CHECK_THROWS_AS(placed_set_from_text(R"([{"name":"a"}])", profile()), Error);
  const std::size_t places = text.find(R"("places":[)");
  text.insert(places + 10, "[0,0,0,0,0,0,1,true],");
  CHECK_THROWS_WITH(placed_set_from_text(text, profile()), Catch::Contains("found places of"));
}
