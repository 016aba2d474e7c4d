#include "sim/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/error.hpp"
#include "sim/placement.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// A wooden block on the ground with a pig on it and a platform above.
Level small_level() {
  Level level;
  level.name = "small";
  level.width = 2;
  level.slingshot = {-8, -2.5};
  level.birds = {"BirdRed", "BirdBlue"};
  level.objects = {
      {.kind = Kind::block, .type = "SquareSmall", .material = Material::wood, .position = {2, -3.31}},
      {.kind = Kind::pig, .type = "BasicSmall", .position = {2, -2.88}},
      {.kind = Kind::platform, .type = "Platform", .position = {2, 0}, .scale_x = 3, .scale_y = 0.5},
  };
  return level;
}

bool mentions(const std::vector<std::string>& messages, const std::string& text) {
  for (const std::string& m : messages)
    if (m.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("[sim] scenes: a level becomes objects with the profile's parameters") {
  const Scene scene = make_scene(small_level(), profile());
  REQUIRE(scene.objects.size() == 3);
  CHECK(scene.objects[0].life == 60);
  CHECK(scene.objects[0].parameters.restitution == 0.1);
  CHECK(scene.pigs_left() == 1);
  CHECK_FALSE(scene.cleared());
  CHECK(scene.half_width == 17.5);
  CHECK(scene.rest() == Vec2{-8 - 0.15, -2.5 + 0.8});
  // The platform: box 0.64 x scale.
  const Bounds box = scene.objects[2].world_bounds();
  CHECK(box.width() == Approx(1.92));
  CHECK(box.height() == Approx(0.32));
}

TEST_CASE("[sim] scenes: a sound level has neither errors nor warnings") {
  const LevelProblems problems = validate(small_level(), *profile());
  CHECK(problems.errors.empty());
  CHECK(problems.warnings == std::vector<std::string>{});
}

TEST_CASE("[sim] scenes: bad values are named with object, field and what is allowed") {
  const auto p = profile();
  const auto errors = [&](auto change) {
    Level level = small_level();
    change(level);
    CHECK_THROWS_AS(make_scene(level, p), Error);
    return validate(level, *p).errors;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(mentions(errors([&](Level& l) { l.objects[0].position.x = nan; }),
                 "object 0 (block SquareSmall of wood): x is nan"));
  CHECK(mentions(errors([&](Level& l) { l.objects[1].position.y = 1e9; }), "allowed: -1000 to 1000"));
  CHECK(mentions(errors([&](Level& l) { l.objects[0].rotation_deg = nan; }), "rotation"));
  CHECK(mentions(errors([&](Level& l) { l.objects[2].scale_x = -1; }), "scaleX is -1"));
  CHECK(mentions(errors([&](Level& l) { l.objects[0].scale_y = 2; }), "only platforms are scaled"));
  CHECK(mentions(errors([&](Level& l) { l.objects[0].type = "RectHuge"; }), "no such object"));
  CHECK(mentions(errors([&](Level& l) { l.objects[0].material = Material::none; }), "no such object"));
  CHECK(mentions(errors([&](Level& l) { l.birds[1] = "BirdPink"; }), "bird 1: type 'BirdPink'"));
  CHECK(mentions(errors([&](Level& l) { l.width = 0; }), "width is 0"));
  // The limits themselves are allowed: 2 beyond a half width of 17.5, and platforms of 1000 times their size.
  Level widest = small_level();
  widest.objects[0].position.x = 19.5;
  widest.objects[1].position.x = -19.5;
  widest.objects[2].scale_x = 1000;
  widest.objects[2].scale_y = 1000;
  CHECK(validate(widest, *p).errors.empty());
  for (double side : {1.0, -1.0})
    CHECK(mentions(errors([&](Level& l) { l.objects[0].position.x = side * 19.501; }), "x is"));
  CHECK(mentions(errors([&](Level& l) { l.objects[2].scale_y = 1000.5; }), "scaleY is 1000.5"));
  CHECK(mentions(errors([&](Level& l) { l.slingshot.x = nan; }), "slingshot"));
  CHECK(mentions(errors([&](Level& l) { l.birds.assign(1001, "BirdRed"); }),
                 "1001 birds; allowed: at most 1000"));
  CHECK(mentions(errors([&](Level& l) { l.objects.assign(10001, l.objects[0]); }),
                 "10001 objects; allowed: at most 10000"));
}

TEST_CASE("[sim] scenes: what is odd but usable is a warning") {
  const auto warnings = [&](auto change) {
    Level level = small_level();
    change(level);
    const LevelProblems problems = validate(level, *profile());
    CHECK(problems.errors.empty());
    return problems.warnings;
  };
  CHECK(mentions(warnings([](Level& l) { l.birds.clear(); }), "no birds"));
  CHECK(mentions(warnings([](Level& l) { l.objects.erase(l.objects.begin() + 1); }), "no pigs"));
  CHECK(mentions(warnings([](Level& l) { l.objects.clear(); }), "no blocks"));
  CHECK(mentions(warnings([](Level& l) { l.objects[1].position.y = -1; }), "floats"));
  // Nothing carries a pig from the side: 0.001 beside a high platform it floats as well.
  CHECK(mentions(warnings([](Level& l) {
                   const Bounds pig = bounds(*profile()->find(Kind::pig, "BasicSmall")->shape);
                   l.objects[2] = {.kind = Kind::platform, .type = "Platform", .position = {4.32, -1}};
                   l.objects[2].scale_y = 6;
                   l.objects[1].position = {4 - 0.001 - pig.xmax, -1};
                 }),
                 "object 1 (pig BasicSmall) floats"));
  CHECK(mentions(warnings([](Level& l) { l.objects[1].position.y = -3.2; }), "overlaps object 0"));
  CHECK(mentions(warnings([](Level& l) { l.objects[0].position.y = -4; }), "into the ground"));
  CHECK(mentions(warnings([](Level& l) {
                   l.objects[2].position = {-8.15, -1.7};
                 }),
                 "object 2 (platform Platform) covers the place"));
  CHECK(mentions(warnings([](Level& l) { l.slingshot.y = -20; }), "stands in the ground"));
  CHECK(mentions(warnings([](Level& l) { l.objects[2].position.x = 19; }), "lies outside the world"));
}

TEST_CASE("[sim] scenes: what the file holds and nothing simulates is listed, but not the score") {
  Level level = small_level();
  CHECK(validate(level, *profile()).dropped.empty());
  level.unknown = {{"Level", "Score", {{"highScore", "0"}}},
                   {"GameObjects", "Novelty", {{"type", "Fan"}, {"material", ""}}},
                   {"GameObjects", "Block", {{"type", "novel_object_0"}, {"material", "wood"}}}};
  CHECK(validate(level, *profile()).dropped ==
        std::vector<std::string>{"Novelty Fan", "Block novel_object_0 of wood"});
  level.unknown.push_back(level.unknown[1]);  // each kind once
  CHECK(validate(level, *profile()).dropped ==
        std::vector<std::string>{"Novelty Fan (2 times)", "Block novel_object_0 of wood"});
}

namespace {

/// Blocks in one heap, most of which overlap each other.
Level heap(int count) {
  Level level = small_level();
  level.objects.resize(2);
  for (int i = 0; i < count; ++i)
    level.objects.push_back({.kind = Kind::block,
                             .type = "RectFat",
                             .material = Material::wood,
                             .position = {2 + 0.001 * (i % 50), -3 + 0.001 * (i / 50)}});
  return level;
}

}  // namespace

TEST_CASE("[sim] scenes: overlaps are named up to fifty, and counted then") {
  const std::vector<std::string> warnings = validate(heap(30), *profile()).warnings;
  CHECK(std::count_if(warnings.begin(), warnings.end(), [](const std::string& warning) {
          return warning.find(" overlaps object ") != std::string::npos;
        }) == 50);
  CHECK(mentions(warnings, " more pairs of objects overlap"));
}

TEST_CASE(
    "[sim] settling: a heap of blocks in each other is refused by the work it takes, with the figures") {
  try {
    std::ignore = settle_scene(make_scene(heap(60), profile()), 10, 20000);
    FAIL("it settled");
  } catch (const Error& error) {
    CHECK_THAT(error.what(), Catch::Contains("settling stopped after 20000 contact-steps, at ") &&
                                 Catch::Contains("62 objects with ") && Catch::Contains("is refused"));
  }
  // More than that is not even begun.
  const std::vector<std::string> errors = validate(heap(1000), *profile()).errors;
  REQUIRE(errors.size() == 1);
  CHECK_THAT(errors[0], Catch::Contains("1002 objects, over 50000 pairs of whose pieces overlap"));
  CHECK_THROWS_AS(make_scene(heap(1000), profile()), Error);
  // By pieces: a block with a hole has several, and a contact for each pair.
  Level holes = heap(200);
  for (LevelObject& object : holes.objects)
    if (object.kind == Kind::block) object.type = "TriangleHole";
  CHECK(validate(holes, *profile()).errors.size() == 1);
  // As many objects that do not lie in each other are a level.
  Level rows = heap(0);
  rows.width = 100;
  for (int i = 0; i < 1000; ++i)
    rows.objects.push_back({.kind = Kind::block,
                            .type = "SquareSmall",
                            .material = Material::wood,
                            .position = {-100 + 0.5 * (i % 500), -3.28 + 0.45 * (i / 500)}});
  CHECK(validate(rows, *profile()).errors.empty());
  CHECK(settle_scene(make_scene(rows, profile())).settled);
}

TEST_CASE("[sim] scenes: going back to a level keeps places and drops the dead and the used") {
  const Level level = small_level();
  Scene scene = make_scene(level, profile());
  CHECK(level_from_scene(level, scene) == level);
  scene.objects[0].alive = false;
  scene.objects[1].pose.position.x = 2.5;
  scene.next_bird = 1;
  const Level after = level_from_scene(level, scene);
  REQUIRE(after.objects.size() == 2);
  CHECK(after.objects[0].position.x == 2.5);
  CHECK(after.birds == std::vector<std::string>{"BirdBlue"});
}

TEST_CASE("[sim] novelty: the catalogue holds T1 to T3 and every group x parameter, up and down") {
  CHECK(novelty_catalogue().size() == 3 + 4 * 8 * 2);
  for (const char* group : {"wood", "ice", "stone", "pig"})
    for (int p = 0; p < 8; ++p)
      for (const char* way : {"-up", "-down"})
        CHECK_NOTHROW(find_novelty(std::string(group) + "-" + name(static_cast<Parameter>(p)) + way));
  CHECK_THROWS_WITH(find_novelty("T9"), Catch::Contains("T9") && Catch::Contains("T1, T2, T3"));
}

TEST_CASE("[sim] novelty: T1, T2, T3 change what Pinto et al. say and nothing else") {
  Level level = small_level();
  level.objects.push_back(
      {.kind = Kind::block, .type = "RectFat", .material = Material::stone, .position = {5, -3.3}});
  const Scene normal = make_scene(level, profile());
  const Scene t1 = make_scene(level, profile(), &find_novelty("T1"));
  const Scene t2 = make_scene(level, profile(), &find_novelty("T2"));
  const Scene t3 = make_scene(level, profile(), &find_novelty("T3"));
  CHECK(t1.objects[1].parameters.gravity_scale == Approx(0.24));
  CHECK(t2.objects[0].parameters.restitution == Approx(0.4));
  CHECK(t3.objects[3].parameters.life == Approx(700));
  CHECK(t3.objects[3].life == Approx(700));
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(t1.objects[i].novel == (i == 1));
    CHECK(t2.objects[i].novel == (i == 0));
    CHECK(t3.objects[i].novel == (i == 3));
    CHECK(t1.objects[i].pose.position == normal.objects[i].pose.position);
  }
}

TEST_CASE("[sim] novelty: up raises and down lowers the parameter of its group, or leaves no object novel") {
  Level level = small_level();
  level.objects.push_back(
      {.kind = Kind::block, .type = "RectFat", .material = Material::stone, .position = {5, -3.3}});
  level.objects.push_back(
      {.kind = Kind::block, .type = "RectFat", .material = Material::ice, .position = {7, -3.3}});
  for (const char* profile_name : {"startle", "anu", "classic"}) {
    const Scene normal = make_scene(level, profile(profile_name));
    for (const Novelty& novelty : novelty_catalogue()) {
      if (novelty.name[0] == 'T') continue;
      CAPTURE(profile_name, novelty.name);
      Scene scene = normal;
      const std::size_t novel = apply(novelty, scene);
      const Parameter parameter = novelty.rules[0].parameter;
      const bool up = novelty.name.ends_with("-up");
      std::size_t marked = 0;
      for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const double before = value_of(normal.objects[i].parameters, parameter);
        const double after = value_of(scene.objects[i].parameters, parameter);
        CHECK(scene.objects[i].novel == (before != after));
        if (before != after) CHECK((after > before) == up);
        marked += scene.objects[i].novel;
      }
      CHECK(marked == novel);
      if (up) CHECK(novel == 1);  // a value can always be raised; one object of each group is in the level
    }
  }
}

TEST_CASE("[sim] novelty strength: factor^s, s x offset, s of the way to a value") {
  const auto changed = [](const char* novelty, double old_value) {
    const NoveltyRule& rule = find_novelty(novelty).rules[0];
    return rule.change.apply(old_value, rule.parameter);
  };
  CHECK(changed("T2@0.5", 0.1) == Approx(0.2));                    // 0.1 x 4^0.5
  CHECK(changed("T1@2", 0.48) == Approx(0.12));                    // 0.48 x 0.5^2
  CHECK(changed("wood-restitution-up@0.25", 0.1) == Approx(0.2));  // 0.1 + 0.25 x 0.4
  CHECK(changed("pig-defence-down@0.25", 80) == Approx(60));       // 80 + 0.25 x (0 - 80)
  CHECK(changed("pig-defence-down@2", 80) == 0);  // 80 + 2 x (0 - 80) is below the least value
  const Change set{ChangeKind::value, 9};
  Novelty novelty{"set", "density = 9", {{{}, Parameter::density, set}}};
  CHECK(at_strength(novelty, 0.5).rules[0].change.apply(1, Parameter::density) == Approx(5));
  CHECK(at_strength(novelty, 2).rules[0].change.apply(1, Parameter::density) == Approx(17));
  CHECK(at_strength(at_strength(novelty, 0.5), 0.5).rules[0].change.apply(1, Parameter::density) ==
        Approx(3));
}

TEST_CASE("[sim] novelty strength: 1 is the catalogue's entry and 0 changes nothing, bit for bit") {
  Level level = small_level();
  level.objects.push_back(
      {.kind = Kind::block, .type = "RectFat", .material = Material::stone, .position = {5, -3.3}});
  level.objects.push_back(
      {.kind = Kind::block, .type = "RectFat", .material = Material::ice, .position = {7, -3.3}});
  for (const Novelty& novelty : novelty_catalogue()) {
    CAPTURE(novelty.name);
    CHECK(&find_novelty(novelty.name + "@1") == &novelty);
    CHECK(&find_novelty(novelty.name + "@1.0") == &novelty);
    Scene scene = make_scene(level, profile());
    CHECK(apply(find_novelty(novelty.name + "@0"), scene) == 0);
    const Scene normal = make_scene(level, profile());
    for (std::size_t i = 0; i < scene.objects.size(); ++i)
      for (int p = 0; p < 8; ++p)
        CHECK(value_of(scene.objects[i].parameters, static_cast<Parameter>(p)) ==
              value_of(normal.objects[i].parameters, static_cast<Parameter>(p)));
    CHECK_THROWS_WITH(require_effect(find_novelty(novelty.name + "@0"), profile()),
                      Catch::Contains("changes nothing"));
  }
}

TEST_CASE("[sim] novelty strength: one name and one place for each strength") {
  const Novelty& half = find_novelty("T2@0.5");
  CHECK(half.name == "T2@0.5");
  CHECK(half.description == "wood restitution x4, at strength 0.5");
  CHECK(&find_novelty("T2@.5") == &half);
  CHECK(&find_novelty("T2@5e-1") == &half);
  CHECK(find_novelty("T2@-0").name == "T2@0");
  CHECK(find_novelty(find_novelty("T3@0.1").name).name == "T3@0.1");
}

TEST_CASE("[sim] novelty strength: what is no strength is refused with what is allowed") {
  for (const char* text : {"T2@", "T2@x", "T2@0.5x", "T2@ 1", "T2@1@1", "T2@+1", "T2@1e999", "T2@nan",
                           "T2@0,5", "T2@inf", "T2@-inf"})
    CHECK_THROWS_WITH(find_novelty(text),
                      Catch::Contains(text) && Catch::Contains("strength") && Catch::Contains("from 0 to 8"));
  for (const char* text : {"T2@-1", "T2@8.001", "T2@1e300"})
    CHECK_THROWS_WITH(find_novelty(text), Catch::Contains("T2: strength: found ") &&
                                              Catch::Contains("allowed are numbers from 0 to 8"));
  CHECK_THROWS_WITH(find_novelty("T9@0.5"), Catch::Contains("T9"));
  CHECK_THROWS_WITH(find_novelty("@0.5"), Catch::Contains("unknown"));
}

TEST_CASE("[sim] novelty strength: every novelty at its greatest strength can be simulated") {
  Level level = small_level();
  level.objects.push_back(
      {.kind = Kind::block, .type = "RectFat", .material = Material::stone, .position = {5, -3.3}});
  level.objects.push_back(
      {.kind = Kind::block, .type = "RectFat", .material = Material::ice, .position = {7, -3.3}});
  for (const Novelty& novelty : novelty_catalogue()) {
    CAPTURE(novelty.name);
    const ShotResult result = run_shot(make_scene(level, profile(), &find_novelty(novelty.name + "@8")),
                                       {.angle = 0.1});
    for (const SceneObject& object : result.scene.objects)
      CHECK(std::isfinite(object.pose.position.x + object.pose.position.y + object.pose.angle));
  }
}

TEST_CASE("[sim] novelty: selectors combine, and single objects can be chosen") {
  Scene scene = make_scene(small_level(), profile());
  const Novelty one{"one", "", {{{.objects = {1}}, Parameter::density, {ChangeKind::value, 9}}}};
  CHECK(apply(one, scene) == 1);
  CHECK(scene.objects[1].parameters.density == 9);
  const Novelty none{
      "none", "", {{{.kind = Kind::pig, .type = "BasicBig"}, Parameter::density, {ChangeKind::value, 3}}}};
  Scene other = make_scene(small_level(), profile());
  CHECK(apply(none, other) == 0);
}

TEST_CASE("[sim] novelty: taken back, objects are as they were, and what was lost of life stays lost") {
  const Scene normal = make_scene(small_level(), profile());
  for (const Novelty& novelty : novelty_catalogue()) {
    CAPTURE(novelty.name);
    Scene scene = normal;
    apply(novelty, scene);
    for (std::size_t i = 0; i < scene.objects.size(); ++i)
      scene.objects[i].life -= 0.1 * normal.objects[i].life;
    remove_novelty(scene, normal);
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      CHECK(!scene.objects[i].novel);
      CHECK(scene.objects[i].life == Approx(0.9 * normal.objects[i].life));
      for (const ParameterInfo& info : parameter_table)
        CHECK(scene.objects[i].parameters.*info.member == normal.objects[i].parameters.*info.member);
    }
  }
  // With five times the life it lost more than it has without, and has not died: as little as can be is left.
  Scene tough = normal;
  apply({.name = "tough",
         .description = {},
         .rules = {{.parameter = Parameter::life, .change = {.amount = 5}}}},
        tough);
  for (SceneObject& object : tough.objects) object.life *= 0.1;
  remove_novelty(tough, normal);
  for (const SceneObject& object : tough.objects) CHECK(object.life > 0);
}

TEST_CASE("[sim] shots: a drag point gives angle and stretch") {
  const Vec2 rest{-8, -1.7};
  const Shot down_left = Shot::from_drag_point({-8.5, -2.2}, rest, 1);
  CHECK(degrees(down_left.angle) == Approx(45).epsilon(1e-6));
  CHECK(down_left.stretch == Approx(0.70710678));
  CHECK(Shot::from_drag_point({-18, -1.7}, rest, 1).stretch == 1);
  CHECK_THROWS_AS(Shot::from_drag_point(rest, rest, 1), Error);
}

TEST_CASE("[sim] scenes: each number of a level is accepted up to the ends of its range and refused beyond") {
  const auto sound = [](auto change) {
    Level level = small_level();
    change(level);
    return validate(level, *profile()).errors.empty();
  };
  for (double sign : {1.0, -1.0}) {
    // Two landscapes of 17.5 reach to 17.5; objects may lie 2 further out.
    CHECK(sound([&](Level& l) { l.objects[0].position.x = sign * 19.5; }));
    CHECK_FALSE(sound([&](Level& l) { l.objects[0].position.x = sign * 19.51; }));
    CHECK(sound([&](Level& l) { l.objects[0].position.y = sign * 1000; }));
    CHECK_FALSE(sound([&](Level& l) { l.objects[0].position.y = sign * 1000.1; }));
    CHECK(sound([&](Level& l) { l.objects[0].rotation_deg = sign * 36000; }));
    CHECK_FALSE(sound([&](Level& l) { l.objects[0].rotation_deg = sign * 36001; }));
    CHECK(sound([&](Level& l) { l.slingshot.x = sign * 17.5; }));
    CHECK_FALSE(sound([&](Level& l) { l.slingshot.x = sign * 17.51; }));
    CHECK(sound([&](Level& l) { l.slingshot.y = sign * 1000; }));
    CHECK_FALSE(sound([&](Level& l) { l.slingshot.y = sign * 1000.1; }));
  }
  for (int width : {1, 100})
    CHECK(sound([&](Level& l) {
      l.width = width;
      l.slingshot.x = 0;
    }));
  CHECK_FALSE(sound([](Level& l) { l.width = 101; }));
  CHECK(sound([](Level& l) { l.birds.assign(1000, "BirdRed"); }));
  // A platform's side is 0.64 x its scale, at least 0.02.
  for (double scale : {0.03125, 1000.0}) {
    CHECK(sound([&](Level& l) { l.objects[2].scale_x = scale; }));
    CHECK(sound([&](Level& l) { l.objects[2].scale_y = scale; }));
  }
  for (double scale : {0.0312, 1001.0}) {
    CHECK_FALSE(sound([&](Level& l) { l.objects[2].scale_x = scale; }));
    CHECK_FALSE(sound([&](Level& l) { l.objects[2].scale_y = scale; }));
  }
}

TEST_CASE("[sim] scenes: a platform may be scaled along one side alone") {
  for (double scale_x : {1.0, 2.0, 3.0})
    for (double scale_y : {1.0, 2.0, 3.0}) {
      Level level = small_level();
      level.objects[2].scale_x = scale_x;
      level.objects[2].scale_y = scale_y;
      const Bounds box = make_scene(level, profile()).objects[2].world_bounds();
      CHECK(box.width() == Approx(0.64 * scale_x));
      CHECK(box.height() == Approx(0.64 * scale_y));
    }
}

TEST_CASE("[sim] scenes: an overlap is a warning from its tolerance on, said once of each pair") {
  // Platforms of 0.64 beside a square block, each overlapping it by `depth`.
  const Bounds square = bounds(*profile()->find(Kind::block, "SquareSmall", Material::wood)->shape);
  const auto overlaps = [&](double depth, bool platform_first, bool second_block) {
    Level level = small_level();
    level.objects.erase(level.objects.begin() + 1, level.objects.end());
    level.objects[0].position = {2, profile()->ground_y - square.ymin};
    LevelObject other = level.objects[0];
    other.position.x += square.width() - depth;
    if (!second_block) {
      other = {.kind = Kind::platform, .type = "Platform", .position = other.position};
      other.position = {2 + square.xmax + 0.32 - depth, profile()->ground_y + 0.32};
    }
    level.objects.insert(platform_first ? level.objects.begin() : level.objects.end(), other);
    std::vector<std::string> found;
    for (const std::string& warning : validate(level, *profile()).warnings)
      if (warning.find("overlaps") != std::string::npos) found.push_back(warning);
    return found;
  };
  for (bool first : {true, false}) {
    for (bool second_block : {true, false}) {
      CHECK(overlaps(0.9 * overlap_tolerance, first, second_block).empty());
      CHECK(overlaps(-1, first, second_block).empty());
      REQUIRE(overlaps(1.1 * overlap_tolerance, first, second_block).size() == 1);
    }
    CHECK(mentions(overlaps(0.1, first, true), "object 1 (block SquareSmall of wood) overlaps object 0"));
    CHECK(mentions(overlaps(0.1, first, true), " by 0.1"));
  }
  CHECK(mentions(overlaps(0.1, true, false), "object 1 (block SquareSmall of wood) overlaps object 0"));
  CHECK(mentions(overlaps(0.1, false, false), "object 0 (block SquareSmall of wood) overlaps object 1"));
}

TEST_CASE("[sim] scenes: the gap below an object is that to the nearest below it, or to the ground") {
  const Bounds square = bounds(*profile()->find(Kind::block, "SquareSmall", Material::wood)->shape);
  const auto warned = [&](double gap, double aside) {
    // A block on the ground, a second one above it by `gap` or beside it, a platform high above both.
    Level level = small_level();
    level.objects.erase(level.objects.begin() + 1);
    level.objects[0].position = {2, profile()->ground_y - square.ymin};
    level.objects[1].position = {2, 5};
    LevelObject above = level.objects[0];
    above.position.x += aside;
    above.position.y += square.height() + gap;
    level.objects.push_back(above);
    return mentions(validate(level, *profile()).warnings, "object 2 (block SquareSmall of wood) floats");
  };
  CHECK_FALSE(warned(0.14, 0));
  CHECK(warned(0.16, 0));
  CHECK_FALSE(warned(0.14, 0.3));
  CHECK(warned(0.14, 0.5));
  CHECK(warned(0.14, -0.5));
  CHECK_FALSE(warned(0.14 - square.height(), 0.5));
  // What stands close beside it, and lower, is not below it: it is 0.2 above the ground.
  for (double side : {1.0, -1.0}) CHECK(warned(0.2 - square.height(), side * (square.width() + 0.02)));
}

TEST_CASE("[sim] novelty: what the catalogue's up and down make of each parameter") {
  // Upwards and downwards, of 0.5: by a factor, by an offset, and to nothing.
  const auto changed = [](const std::string& parameter, const char* way) {
    const NoveltyRule& rule = find_novelty("wood-" + parameter + way).rules[0];
    return rule.change.apply(0.5, rule.parameter);
  };
  for (const auto& [parameter, up, down] :
       {std::tuple{"density", 0.5 * 4, 0.5 / 4}, std::tuple{"friction", 0.5 * 5, 0.5 / 20},
        std::tuple{"restitution", 0.5 + 0.4, 0.0}, std::tuple{"life", 0.5 * 5, 0.5 / 5},
        std::tuple{"defence", 0.5 + 30, 0.0}, std::tuple{"gravity_scale", 0.5 * 2, 0.5 / 2},
        std::tuple{"linear_damping", 0.5 + 2, 0.0}, std::tuple{"angular_damping", 0.5 + 10, 0.0}}) {
    INFO(parameter);
    CHECK(changed(parameter, "-up") == Approx(up));
    CHECK(changed(parameter, "-down") == Approx(down));
  }
}

TEST_CASE("[sim] scenes: the next bird is that in turn, and the last one where none is left") {
  Scene scene = make_scene(small_level(), profile());
  CHECK(scene.bird().type == "BirdRed");
  CHECK(scene.birds_left() == 2);
  scene.next_bird = 1;
  CHECK(scene.bird().type == "BirdBlue");
  scene.next_bird = 2;
  CHECK(scene.bird().type == "BirdBlue");
  CHECK(scene.birds_left() == 0);
}

TEST_CASE("[sim] novelty: of life, what was lost before stays lost, and what was alive stays alive") {
  const Scene fresh = make_scene(small_level(), profile());
  const double life = fresh.objects[0].life;
  for (const auto& [factor, left, expected] :
       {std::tuple{5.0, 0.6, 5 - 0.4}, std::tuple{0.5, 0.8, 0.5 - 0.2}, std::tuple{0.2, 0.6, 1e-6 / life}}) {
    Scene scene = fresh;
    scene.objects[0].life = left * life;
    apply({.name = "test",
           .description = "",
           .rules = {{{.kind = Kind::block}, Parameter::life, {ChangeKind::factor, factor}}}},
          scene);
    CHECK(scene.objects[0].life == Approx(expected * life));
    CHECK(scene.objects[0].parameters.life == Approx(factor * life));
  }
}

TEST_CASE("[sim] scenes: objects are ordered by their places, from the left and from below, in any file") {
  std::vector<LevelObject> objects;
  for (const Vec2 at : {Vec2{1, 5}, Vec2{2, -1}, Vec2{1, -3}, Vec2{-4, 9}, Vec2{1, 0}})
    objects.push_back(
        {.kind = Kind::block, .type = "SquareSmall", .material = Material::wood, .position = at});
  Level level = small_level();
  for (int run = 0; run < 2; ++run) {
    level.objects = objects;
    const Scene scene = make_scene(level, profile());
    std::vector<Vec2> places;
    for (std::size_t i : geometric_order(scene)) places.push_back(scene.objects[i].pose.position);
    CHECK(places == std::vector<Vec2>{{-4, 9}, {1, -3}, {1, 0}, {1, 5}, {2, -1}});
    std::reverse(objects.begin(), objects.end());
  }
}

TEST_CASE(
    "[sim] scenes: what ends where an object begins is not below it, what is as low does not carry it") {
  const Bounds square = bounds(*profile()->find(Kind::block, "SquareSmall", Material::wood)->shape);
  const auto floating = [&](Vec2 other) {
    // A block 0.2 above the ground at x = 0, and one as wide.
    Level level = small_level();
    level.objects.resize(1);
    level.objects[0].position = {0, profile()->ground_y - square.ymin + 0.2};
    level.objects.push_back(level.objects[0]);
    level.objects[1].position = level.objects[0].position + other;
    int found = 0;
    for (const std::string& warning : validate(level, *profile()).warnings)
      found += warning.find("floats") != std::string::npos;
    return found;
  };
  for (double side : {1.0, -1.0}) CHECK(floating({side * square.width(), -0.1}) == 1);
  CHECK(floating({0.1, 0}) == 2);
  CHECK(floating({0.1, -0.1}) == 0);
}

TEST_CASE("[sim] scenes: birds wait in a place of 0.05 around the rest position") {
  for (double away : {0.04, 0.06}) {
    Level level = small_level();
    level.objects[2] = {.kind = Kind::platform, .type = "Platform", .position = {-8.15 + away + 0.32, -1.7}};
    CHECK(mentions(validate(level, *profile()).warnings, "covers the place") == (away < 0.05));
  }
}

TEST_CASE("[sim] scenes: the first of several errors is named, and how many more there are") {
  Level level = small_level();
  level.birds[0] = "BirdPink";
  CHECK_THROWS_WITH(make_scene(level, profile()), Catch::Contains("bird 0") && !Catch::Contains("more)"));
  level.birds[1] = "BirdPink";
  CHECK_THROWS_WITH(make_scene(level, profile()),
                    Catch::Contains("bird 0") && Catch::Contains("(and 1 more)"));
}

TEST_CASE("[sim] novelty: a single novel object that lives is something novel, and so is a changed world") {
  Scene scene = make_scene(small_level(), profile());
  CHECK_FALSE(anything_novel(scene));
  apply(find_novelty("T1"), scene);  // of the one pig
  CHECK(count_novel(scene) == 1);
  CHECK(anything_novel(scene));
  scene.objects[1].alive = false;
  CHECK(count_novel(scene) == 0);
  CHECK_FALSE(anything_novel(scene));
  scene.world = std::make_shared<const WorldChange>();
  CHECK(anything_novel(scene));
}
