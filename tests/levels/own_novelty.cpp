/// \file  Novelties that levels carry: NovPhy's elements, and sets in which each level is played with its
/// own.
#include <algorithm>
#include <cstdlib>

#include "core/files.hpp"
#include "difficulty/played_level.hpp"
#include "levels/level_file.hpp"
#include "levels/level_json.hpp"
#include "levels/level_xml.hpp"
#include "levels/placed_levels.hpp"
#include "sim/novelty_elements.hpp"
#include "sim/profile.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"
#include "tests/folder.hpp"
#include "tests/levels/level_samples.hpp"
#include "tests/skip.hpp"

using namespace startle;

namespace fs = std::filesystem;

namespace {

/// A wooden tower with a pig on it, 14 units before the slingshot at x = -12, in the manner of NovPhy, with
/// these elements.
std::string tower_with(const std::string& elements) {
  return R"(<?xml version="1.0" encoding="utf-16"?>
<Level width="2">
  <Camera x="0" y="-1" minWidth="25" maxWidth="35" />
  <Score highScore="0" />
  <Birds>
    <Bird type="BirdRed" />
    <Bird type="BirdRed" />
  </Birds>
  <Slingshot x="-12.0" y="-2.5" />
  <GameObjects>
    <Block type="RectSmall" material="wood" x="2" y="-3.07" rotation="90" />
    <Block type="RectSmall" material="wood" x="3" y="-3.07" rotation="90" />
    <Block type="RectMedium" material="wood" x="2.5" y="-2.53" rotation="0" />
    <Pig type="BasicSmall" x="2.5" y="-2.2" rotation="0" />
    )" + elements +
         "\n  </GameObjects>\n</Level>\n";
}

StoredLevel read(const std::string& elements) {
  return {level_from_xml(tower_with(elements), "folder/sample.xml"), {}};
}

WorldChange world_of(const std::string& elements) {
  const StoredLevel level = read(elements);
  REQUIRE(level.novelty);
  CHECK(level.novelty->name == "own");
  CHECK(level.novelty->rules.empty());
  return level.novelty->world;
}

/// Up to rounding; infinite sides must be so in both.
void check_region(const Region& region, double left, double right, double bottom, double top) {
  CHECK(region.left == Approx(left));
  CHECK(region.right == Approx(right));
  CHECK(region.bottom == Approx(bottom));
  CHECK(region.top == Approx(top));
}

const std::string fan = R"(<Novelty type="Fan" material="" x="-2.32" y="-0.1" rotation="0" />)";
const std::string storm =
    R"(<Novelty type="Storm" material="" x="-2.1285" y="3.5307" rotation="0.0" scaleX="1.0" scaleY="1.0" />)";

}  // namespace

// Places count from the foot of the slingshot, (-12, -3.5).
TEST_CASE("[levels] own novelty: what NovPhy's elements do, and where") {
  const WorldChange blown = world_of(fan);  // at (9.68, 3.4): 6 far, 2 to either side
  REQUIRE(blown.fields.size() == 1);
  check_region(blown.fields[0].region, 9.68, 15.68, 1.4, 5.4);
  CHECK(blown.fields[0].acceleration == find_novelty("fan").world.fields[0].acceleration);

  // Turned upward it blows from the place up, 2 to the left and the right.
  const WorldChange up = world_of(R"(<Novelty type="Fan" material="" x="-2" y="-0.5" rotation="90" />)");
  check_region(up.fields[0].region, 8, 12, 3, 9);
  CHECK(up.fields[0].acceleration.x == Approx(0).margin(1e-5));
  CHECK(up.fields[0].acceleration.y == Approx(6));

  // 7 x 10 platforms of 0.64: 4.48 x 6.4, about (12, 6).
  for (const auto& [type, sign] : {std::pair{"NovelAirTurbulence", 1.0}, {"InverseAirTurbulence", -1.0}}) {
    const WorldChange air = world_of(
        "<Novelty type=\"" + std::string(type) +
        "\" material=\"\" x=\"0\" y=\"2.5\" rotation=\"0.0\" scaleX=\"7.0\" scaleY=\"-10.0\" />");
    REQUIRE(air.fields.size() == 1);
    check_region(air.fields[0].region, 9.76, 14.24, 2.8, 9.2);
    CHECK(air.fields[0].acceleration == Vec2{0, sign * 8});
  }

  const WorldChange magnet = world_of(
      R"(<Novelty type="Magnet" material="wood" x="1" y="0.5" rotation="0" />)");
  REQUIRE(magnet.fields.size() == 2);
  CHECK(magnet.fields[0] == ForceField{.centre = {13, 4}, .pull = 5});
  CHECK(magnet.fields[1] ==
        ForceField{.centre = {13, 4},
                   .pull = -10,
                   .on_birds = false,
                   .on = {.kind = Kind::block, .material = Material::wood, .type = "Circle"}});

  CHECK(world_of(storm) == find_novelty("storm").world);
  CHECK(world_of(R"(<Novelty type="InverseGravity" material="" x="0" y="0" />)") ==
        WorldChange{.gravity = -1});

  const WorldChange both = world_of(fan + storm);
  CHECK(both.fields.size() == 2);
  CHECK(read(fan + storm).novelty->description == "Fan at (-2.32, -0.1), Storm at (-2.1285, 3.5307)");
}

TEST_CASE("[levels] own novelty: what changes nothing, or stands nowhere, makes none and is reported") {
  for (const char* other :
       {R"(<Novelty type="PinkCircle" material="" x="1" y="1" rotation="0" />)",
        R"(<Novelty type="NonNovelAirTurbulence" x="1" y="1" />)", R"(<Novelty type="Fan" y="1" />)",
        R"(<Novelty type="Fan" x="here" y="1" />)", R"(<Novelty type="Fan" x="nan" y="1" />)",
        R"(<Novelty type="NovelAirTurbulence" x="1" y="1" scaleX="0" scaleY="1" />)",
        R"(<Fan x="1" y="1" />)", R"(<Pig type="PinkPig" x="1" y="1" rotation="0" />)"}) {
    INFO(other);
    const StoredLevel level = read(other);
    CHECK_FALSE(level.novelty);
    CHECK(validate(level, *profile()).dropped.size() == 1);
    CHECK(validate(level, *profile()).own_novelty.empty());
  }
  const LevelProblems problems = validate(
      read(fan + R"(<Novelty type="PinkCircle" material="" x="1" y="1" rotation="0" />)"), *profile());
  CHECK(problems.own_novelty == std::vector<std::string>{"Novelty Fan"});
  CHECK(problems.dropped == std::vector<std::string>{"Novelty PinkCircle"});
}

TEST_CASE(
    "[levels] own novelty: survives XML to JSON and back, and the level without it is the normal world") {
  const StoredLevel level = read(fan + storm), plain = read("");
  CHECK(level.objects == plain.objects);
  const StoredLevel json = level_from_json(level_to_json(level), "sample.json");
  CHECK(json == level);
  CHECK(level_from_xml(level_to_xml(json), "sample.xml") == level);
  const Shot shot{.angle = radians(40)};
  const auto flown = [&](const StoredLevel& of) {
    return run_shot(settle(make_scene(of, profile())), shot).trace.hash;
  };
  CHECK(flown(level) == flown(plain));
}

TEST_CASE(
    "[levels] own novelty: what stands too far away to have a region makes none, and the level survives "
    "JSON") {
  for (const char* fan :
       {R"(<Novelty type="Fan" x="1e27" y="0" />)", R"(<Novelty type="Fan" x="0" y="-1e300" />)",
        R"(<Novelty type="Fan" x="0" y="0" scaleX="1e308" />)",
        R"(<Novelty type="NovelAirTurbulence" x="0" y="0" scaleY="1e-30" />)"}) {
    const StoredLevel level = read(fan);
    CHECK_FALSE(level.novelty);
    CHECK(level_from_json(level_to_json(level), "a.json") == level);
  }
}

TEST_CASE("[levels] own novelty: found by name, at a strength too, for levels that carry one") {
  const StoredLevel level = read(fan), plain = read("");
  CHECK(find_novelty("own", level) == *level.novelty);
  const Novelty half = find_novelty("own@0.5", level);
  CHECK(half.name == "own@0.5");
  CHECK(half.world.fields[0].acceleration.x == Approx(3));
  CHECK(find_novelty("T2", level) == find_novelty("T2"));
  CHECK(novelty_name("own@1") == "own");
  CHECK(novelty_name("T2@0.50") == "T2@0.5");
  require_error([&] { return find_novelty("own", plain); }, {"sample", "carries no novelty of its own"});
  require_error([&] { find_novelty("own"); }, {"'own'", "catalogue"});
  require_error([&] { return find_novelty("own@-1", level); }, {"own", "found -1", "from 0 to 8"});
  require_error([&] { novelty_name("own@strong"); }, {"own@strong", "'strong'"});
  require_error([&] { novelty_name("owl"); }, {"'owl' is unknown", "own"});
}

TEST_CASE(
    "[levels] placed: each level with its own novelty, by one method for all, and those without one left "
    "out") {
  const testing::Folder folder;
  const auto add = [&](const std::string& elements, const std::string& file) {
    write_file(folder.path / file, tower_with(elements), {.lasting = false});
    return folder.path / file;
  };
  const fs::path gravity = add(R"(<Novelty type="InverseGravity" material="" x="0" y="0" />)", "gravity.xml");
  const fs::path windy = add(fan, "fan.xml"), normal = add("", "normal.xml");

  const PlacedSet reasoned = place_levels({gravity, normal}, profile(), {.novelty = "own"});
  REQUIRE(reasoned.levels.size() == 1);
  CHECK(reasoned.levels[0].novelty == "own");
  CHECK(reasoned.levels[0].change.world.gravity == -1);
  CHECK(reasoned.levels[0].difficulty ==
        stored_p_level("own", predict_level(reasoned.levels[0].rest, reasoned.levels[0].change).p_level));
  CHECK_FALSE(reasoned.levels[0].tier.empty());
  CHECK(counted(reasoned.left_out) == "no novelty of its own 1");
  CHECK(reasoned.dropped == 0);

  // Reasoning knows nothing of fans: simulation has the values of both, which are compared.
  const PlacedSet both = place_levels({gravity, windy, normal}, profile(), {.novelty = "own"});
  REQUIRE(both.levels.size() == 2);
  for (const PlacedLevel& level : both.levels) {
    CHECK(level.difficulty->source == DifficultySource::simulated);
    CHECK(level.difficulty->value < 1);
    CHECK(level.tier.empty());
  }
  CHECK(both.computed.at("own").values.size() == 2);
}

TEST_CASE("[levels] own novelty: shots at NovPhy's own levels go otherwise with it") {
  const char* folder = std::getenv("STARTLE_LEVELS");
  if (folder == nullptr) {
    TEST_IS_SKIPPED("STARTLE_LEVELS names no folder of real level files");
    return;
  }
  std::size_t carrying = 0;
  for (const fs::path& file : find_level_files({fs::path(folder) / "novphy"})) {
    INFO(file.filename());
    const StoredLevel level = read_level(file);
    const LevelProblems problems = validate(level, *profile());
    CHECK(problems.own_novelty.empty() == !level.novelty);
    if (!level.novelty) continue;
    ++carrying;
    CHECK(level_from_json(level_to_json(level), file.string()) == level);
    Scene normal = settle(make_scene(level, profile()));
    const bool later = std::any_of(level.novelty->world.fields.begin(), level.novelty->world.fields.end(),
                                   [](const ForceField& f) { return f.from_bird > 0; });
    if (later)
      normal = run_shot(normal, {.angle = radians(175)}).scene;  // the first bird, away from everything
    const Scene novel = novel_twin(normal, *level.novelty);
    int shown = 0;
    for (int angle = 5; angle <= 75; angle += 10)
      shown += worlds_part({normal, {.angle = radians(angle)}}, {novel, {.angle = radians(angle)}}, true);
    CHECK(shown > 0);
  }
  CHECK(carrying == 9);
}
