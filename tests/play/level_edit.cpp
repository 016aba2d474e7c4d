/// \file  Changing levels and finding out about them, without a window.
#include "play/level_edit.hpp"

#include <cmath>
#include <thread>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/random.hpp"
#include "levels/level_file.hpp"
#include "levels/level_json.hpp"
#include "levels/verify.hpp"
#include "play/level_check.hpp"
#include "sim/placement.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

StoredLevel shipped(const std::string& name) {
  return read_level(std::string(STARTLE_SOURCE) + "/levels/data/" + name);
}

LevelFindings found_out(const StoredLevel& level) {
  LevelFindings last;
  find_out(
      level, profile(), [] { return true; }, [&](const LevelFindings& findings) { last = findings; });
  return last;
}

const ObjectChoice fat_wood{Kind::block, "RectFat", Material::wood},
    square{Kind::block, "SquareSmall", Material::stone}, pig{Kind::pig, "BasicSmall", Material::none};

Bounds box_of(const LevelEdit& edit, std::size_t i) { return edit.scene().objects[i].world_bounds(); }

}  // namespace

TEST_CASE(
    "[play] editing: each change can be taken back and done again, and the level is then the same to the "
    "byte") {
  Random random(7);
  LevelEdit edit(shipped("castles/castles-1-0001.json"), profile());
  std::vector<std::string> states{level_to_json(edit.level())};
  CHECK_FALSE(edit.changed());
  for (int i = 0; i < 300; ++i) {
    const std::string before = level_to_json(edit.level());
    edit.end_gesture();
    const auto some = [&] {
      return static_cast<std::size_t>(
          random.uniform(0, static_cast<double>(edit.level().objects.size()) - 0.01));
    };
    if (!edit.level().objects.empty()) {
      const std::size_t a = some(), b = some();
      edit.select({a, b});
    }
    const double x = random.uniform(-12, 12), y = random.uniform(-5, 10);
    switch (static_cast<int>(random.uniform(0, 7.99))) {
      case 0:
        edit.place(i % 2 == 0 ? fat_wood : pig, {x, y});
        break;
      case 1:
        edit.move({x, y});
        break;
      case 2:
        edit.rotate(x * 10);
        break;
      case 3:
        edit.drop();
        break;
      case 4:
        edit.set_material(i % 2 == 0 ? Material::ice : Material::stone);
        break;
      case 5:
        edit.duplicate();
        break;
      case 6:
        edit.remove();
        break;
      default:
        edit.set_birds(i % 2 == 0 ? std::vector<std::string>{"BirdBlack"}
                                  : std::vector<std::string>{"BirdRed", "BirdBlue"});
        break;
    }
    if (level_to_json(edit.level()) != before) states.push_back(level_to_json(edit.level()));
    // Whatever is done, the level can be used, and every object is in the world.
    REQUIRE(validate(edit.level(), *profile()).errors.empty());
    REQUIRE(edit.scene().objects.size() == edit.level().objects.size());
  }
  REQUIRE(states.size() > 150);
  CHECK(edit.changed());
  const std::size_t last = states.size() - 1;
  for (std::size_t i = last; i-- > 0;) {
    edit.undo();
    REQUIRE(level_to_json(edit.level()) == states[i]);
  }
  CHECK_FALSE(edit.can_undo());
  CHECK_FALSE(edit.changed());
  CHECK(edit.level().provenance);  // the solution of the level as it came is back
  for (std::size_t i = 1; i <= last; ++i) {
    edit.redo();
    REQUIRE(level_to_json(edit.level()) == states[i]);
  }
  CHECK_FALSE(edit.can_redo());
}

TEST_CASE("[play] editing: a drag is one step, two drags are two") {
  LevelEdit edit(empty_level("new", *profile()), profile());
  edit.place(fat_wood, {3.004, 1});
  CHECK(edit.level().objects[0].position == Vec2{3, 1});  // on the grid
  for (int i = 0; i < 10; ++i) edit.move({0.1, 0});
  edit.end_gesture();
  for (int i = 0; i < 10; ++i) edit.move({0, 0.1});
  CHECK(length(edit.level().objects[0].position - Vec2{4, 2}) < 1e-9);
  edit.undo();
  CHECK(length(edit.level().objects[0].position - Vec2{4, 1}) < 1e-9);
  edit.undo();
  CHECK(edit.level().objects[0].position == Vec2{3, 1});
  edit.undo();
  CHECK(edit.level().objects.empty());
  CHECK_FALSE(edit.changed());
}

TEST_CASE("[play] editing: objects stay in the world, and several move and turn as one") {
  LevelEdit edit(empty_level("new", *profile()), profile());
  const double ground = profile()->ground_y;
  edit.place(fat_wood, {0, -50});
  CHECK(std::fabs(box_of(edit, 0).ymin - ground) < 1e-6);
  edit.place(square, {2, 0});
  edit.select({0, 1});
  const double apart = box_of(edit, 1).xmin - box_of(edit, 0).xmax;
  CHECK(edit.move({1000, -1000}).x < 1000);
  CHECK(box_of(edit, 1).xmax <= edit.scene().half_width + 1e-9);
  CHECK(box_of(edit, 1).xmin - box_of(edit, 0).xmax == Approx(apart));
  CHECK(box_of(edit, 0).ymin >= ground - 1e-9);
  edit.move({-10, 5});
  const Vec2 a = edit.level().objects[0].position, b = edit.level().objects[1].position;
  edit.rotate(90);
  const Vec2 turned = edit.level().objects[1].position - edit.level().objects[0].position;
  // (x, y) turned by 90 degrees is (-y, x).
  CHECK(length(turned - Vec2{-(b - a).y, (b - a).x}) < 1e-4);
  CHECK(edit.level().objects[0].rotation_deg == 90);
  edit.rotate(90);
  CHECK(edit.level().objects[0].rotation_deg == 180);
  edit.rotate(90);
  CHECK(edit.level().objects[0].rotation_deg == -90);
}

TEST_CASE("[play] editing: an object let down stands on what is below it, and stays there") {
  LevelEdit edit(empty_level("new", *profile()), profile());
  edit.place(fat_wood, {0, 0});
  edit.drop();
  const double gap = box_of(edit, 0).ymin - profile()->ground_y;
  CHECK(gap > 0);
  CHECK(gap < 0.02);
  edit.place(square, {0.1, 4});
  edit.drop();
  const double second = box_of(edit, 1).ymin - box_of(edit, 0).ymax;
  CHECK(second > 0);
  CHECK(second < 0.02);
  edit.place(pig, {0.1, 6});
  edit.drop();
  CHECK(std::fabs(box_of(edit, 2).ymin - box_of(edit, 1).ymax) < 0.02);
  edit.place(square, {3, 2});  // beside the others
  edit.drop();
  CHECK(box_of(edit, 3).ymin - profile()->ground_y < 0.02);
  const LevelFindings findings = found_out(edit.level());
  CHECK(findings.overlaps.empty());
  CHECK(findings.stands);
  CHECK(findings.settled.shift < 0.05);
}

TEST_CASE("[play] editing: the object under the mouse, copies, materials, deleting") {
  LevelEdit edit(empty_level("new", *profile()), profile());
  edit.place(fat_wood, {2, 0});
  CHECK(edit.object_at({2, 0}) == std::size_t{0});
  CHECK_FALSE(edit.object_at({2, 3}));
  edit.place(pig, {2, 0.05});
  CHECK(edit.object_at({2, 0}) == std::size_t{1});  // the one drawn last
  edit.select({0, 1});
  edit.set_material(Material::stone);
  CHECK(edit.level().objects[0].material == Material::stone);
  CHECK(edit.level().objects[1].material == Material::none);
  edit.duplicate();
  REQUIRE(edit.level().objects.size() == 4);
  CHECK(edit.selection() == std::vector<std::size_t>{2, 3});
  CHECK(box_of(edit, 2).xmin > box_of(edit, 0).xmax);
  edit.select({0, 2});
  edit.remove();
  REQUIRE(edit.level().objects.size() == 2);
  CHECK(edit.level().objects[0].kind == Kind::pig);
  CHECK(edit.selection().empty());
  edit.select({0});
  LevelObject wrong = edit.level().objects[0];
  wrong.type = "Elephant";
  CHECK_THROWS_AS(edit.set_object(wrong), Error);
  CHECK(edit.level().objects[0].type == "BasicSmall");
  CHECK(edit.objects_in({1, 2.5, -1, 1}).size() == 1);
}

TEST_CASE("[play] editing: a level that cannot be used is not opened") {
  StoredLevel level = empty_level("new", *profile());
  level.objects.push_back(
      {.kind = Kind::block, .type = "RectFat", .material = Material::wood, .position = {1e9, 0}});
  CHECK_THROWS_AS(LevelEdit(level, profile()), Error);
}

TEST_CASE("[play] checking a level: generated ones are verified by the rules they were made by") {
  for (const char* name :
       {"castles/castles-1-0001.json", "platforms/platforms-1-0000.json", "rows/rows-1-0002.json"}) {
    CAPTURE(name);
    StoredLevel level = shipped(name);
    const LevelFindings findings = found_out(level);
    CHECK(findings.phase == LevelFindings::Phase::done);
    CHECK(findings.errors.empty());
    CHECK(findings.stands);
    CHECK(verify_stability(level, profile()).verdict == Verdict::verified);
    CHECK(findings.settled.shift == Approx(level.provenance->settle_shift));
    // The file has the birds the solution needs, and spare ones, so that the solver finds it again.
    CHECK(findings.solvable);
    CHECK(findings.solution.shots == level.provenance->solution);
    level.provenance.reset();
    const StoredLevel verified = with_solution(level, findings, *profile());
    REQUIRE(verified.provenance);
    CHECK(play(settle(make_scene(level_from_json(level_to_json(verified), "x"), profile())),
               verified.provenance->solution)
              .cleared);
  }
}

TEST_CASE(
    "[play] checking a level: what overlaps, falls or cannot be cleared is found, and saved without "
    "solution") {
  LevelEdit edit(empty_level("new", *profile()), profile());
  edit.place(pig, {3, 0});
  edit.drop();
  LevelFindings findings = found_out(edit.level());
  CHECK(findings.stands);
  CHECK(findings.solvable);  // a pig in the open

  edit.place(fat_wood, {6, 1});  // in the air
  findings = found_out(edit.level());
  CHECK_FALSE(findings.stands);
  CHECK(findings.moved == std::vector<std::size_t>{1});
  CHECK_FALSE(findings.verified());
  CHECK_FALSE(with_solution(edit.level(), findings, *profile()).provenance);
  edit.drop();
  CHECK(found_out(edit.level()).verified());

  const Vec2 at = edit.level().objects[1].position;
  edit.place(square, at);  // in the block
  findings = found_out(edit.level());
  REQUIRE(findings.overlaps.size() == 1);
  CHECK(findings.overlaps[0] == std::pair<std::size_t, std::size_t>{1, 2});
  CHECK_FALSE(findings.verified());
  edit.undo();

  edit.set_birds({});
  findings = found_out(edit.level());
  CHECK(findings.phase == LevelFindings::Phase::done);
  CHECK_FALSE(findings.solvable);
  CHECK_FALSE(findings.verified());
}

TEST_CASE("[play] checking a level: overlaps are those that levels check warns of") {
  Random random(3);
  for (int n = 0; n < 20; ++n) {
    LevelEdit edit(empty_level("new", *profile()), profile());
    for (int i = 0; i < 12; ++i) {
      const double x = random.uniform(0, 4), y = random.uniform(-3.5, 0);
      edit.place(i % 3 == 0 ? fat_wood : square, {x, y});
    }
    std::size_t warned = 0;
    for (const std::string& warning : validate(edit.level(), *profile()).warnings)
      warned += warning.find(" overlaps ") != std::string::npos ? 1 : 0;
    std::vector<std::pair<std::size_t, std::size_t>> found;
    find_out(
        edit.level(), profile(), [] { return true; },
        [&](const LevelFindings& findings) { found = findings.overlaps; });
    CHECK(found.size() == warned);
    CHECK(warned > 0);
  }
}

TEST_CASE("[play] checking beside the window: the level given last is the one whose check is reported") {
  LevelChecker checker(profile());
  LevelEdit edit(shipped("castles/castles-1-0001.json"), profile());
  for (int i = 0; i < 20; ++i) {
    edit.select({0});
    edit.move({0.01, 0.01});
    checker.check(edit.level());
  }
  const StoredLevel empty = empty_level("new", *profile());
  checker.check(empty);
  LevelFindings findings;
  for (int i = 0; i < 6000 && findings.phase != LevelFindings::Phase::done; ++i) {
    checker.update(findings);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(findings.phase == LevelFindings::Phase::done);
  CHECK(findings.stands);
  CHECK(findings.settled.scene.objects.empty());
}

TEST_CASE("[play] editing: what is put far outside the world stands in it") {
  for (const double x : {-1e9, -1e4, 0.0, 1e4, 1e9})
    for (const double y : {-1e9, 0.0, 1e9}) {
      LevelEdit edit(empty_level("far", *profile()), profile());
      edit.place(fat_wood, {x, y});
      edit.rotate(77);
      edit.duplicate();
      edit.drop();
      CAPTURE(x, y);
      REQUIRE(validate(edit.level(), *profile()).errors.empty());
      for (std::size_t i = 0; i < edit.scene().objects.size(); ++i) {
        CHECK(std::fabs(box_of(edit, i).centre().x) <= edit.scene().half_width);
        CHECK(box_of(edit, i).ymin >= profile()->ground_y - 1e-6);
      }
    }
}

TEST_CASE("[play] editing: a tower at the edge of the world is turned without leaving it") {
  LevelEdit edit(empty_level("edge", *profile()), profile());
  for (int i = 0; i < 19; ++i) edit.place(fat_wood, {1e9, profile()->ground_y + i});
  edit.select(edit.objects_in({-1e9, 1e9, -1e9, 1e9}));
  for (int turn = 0; turn < 24; ++turn) {
    edit.rotate(15);
    REQUIRE(validate(edit.level(), *profile()).errors.empty());
    REQUIRE(edit.scene().objects.size() == 19);
  }
}
