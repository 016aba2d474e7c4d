#include "levels/diversity.hpp"

#include "core/error.hpp"
#include "levels/generators.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

LevelObject block(const std::string& type, Material material, double x, double y, double rotation_deg = 0) {
  return {.kind = Kind::block,
          .type = type,
          .material = material,
          .position = {x, y},
          .rotation_deg = rotation_deg};
}

double distance(const Level& a, const Level& b) {
  return level_distance(level_features(a, *profile()), level_features(b, *profile()));
}

std::vector<Level> drawn(const std::string& family, int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Level> levels;
  for (int i = 0; i < count; ++i)
    levels.push_back(generate_candidate(find_generator(family), *profile(), random));
  return levels;
}

}  // namespace

TEST_CASE("[levels] diversity: the distance of two small levels is the one computed by hand") {
  Level a;
  a.objects = {block("SquareTiny", Material::wood, 5, 0), block("RectFat", Material::wood, 8, 0)};
  Level b = a;
  b.objects[1].rotation_deg = 90;
  b.objects[1].position.x = 20;
  b.objects[1].material = Material::stone;
  // Structure: half of the objects are alike, half are not ("RectFat" and "RectFat on end"): 1/2.
  // Materials: the second block's share of the area is wood here and stone there.
  // Layout: the first block covers the same squares, the second other ones: 1 - first/(first + second +
  // second).
  const double first = profile()->find(Kind::block, "SquareTiny", Material::wood)->shape->area;
  const double second = profile()->find(Kind::block, "RectFat", Material::wood)->shape->area;
  const double expected = (0.5 + second / (first + second) + 1 - first / (first + 2 * second)) / 3;
  CHECK(distance(a, b) == Approx(expected).epsilon(1e-6));
}

TEST_CASE("[levels] diversity: what a level shares with another one makes no distance") {
  Level level = drawn("mixed", 1, 1)[0];
  CHECK(distance(level, level) == 0);

  Level moved = level;  // as a whole
  moved.slingshot.x += 2;
  for (LevelObject& object : moved.objects) object.position.x += 2;
  CHECK(distance(level, moved) < 1e-9);

  Level other_birds = level;
  other_birds.birds = {"BirdRed"};
  other_birds.name = "another";
  CHECK(distance(level, other_birds) == 0);

  Level half_turn;
  half_turn.objects = {block("RectFat", Material::ice, 5, 0, 180)};
  Level lying = half_turn;
  lying.objects[0].rotation_deg = 0;
  CHECK(distance(half_turn, lying) < 1e-6);
}

TEST_CASE(
    "[levels] diversity: distances are symmetric and from 0 to 1, also for levels without blocks or "
    "objects") {
  std::vector<Level> levels = drawn("castles", 5, 2);
  levels.push_back({});
  Level pig;
  pig.objects = {{.kind = Kind::pig, .type = "BasicSmall"}};
  levels.push_back(pig);
  for (const Level& a : levels) {
    for (const Level& b : levels) {
      CHECK(distance(a, b) == distance(b, a));
      CHECK(distance(a, b) >= 0);
      CHECK(distance(a, b) <= 1);
    }
  }
  // Shares that sum to 1 against none: half of 1 in structure and in materials; layouts without common
  // squares: 1.
  CHECK(distance(levels[0], Level{}) == Approx((0.5 + 0.5 + 1) / 3));
}

TEST_CASE("[levels] diversity: small changes are near-duplicates, levels drawn anew are not") {
  Random random(5);
  for (const GeneratorInfo& family : generator_families()) {
    INFO(family.name);
    const std::vector<Level> levels = drawn(family.name, 30, 4);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      Level changed = levels[i];
      for (LevelObject& object : changed.objects)
        if (object.kind != Kind::platform) object.position.x += 0.05;
      for (LevelObject& object : changed.objects) {
        if (object.kind != Kind::block) continue;
        object.material = object.material == Material::wood ? Material::ice : Material::wood;
        break;
      }
      CHECK(distance(levels[i], changed) > 0);
      CHECK(distance(levels[i], changed) < least_level_distance);
      for (std::size_t j = 0; j < i; ++j) CHECK(distance(levels[i], levels[j]) > least_level_distance);
    }
  }
}

TEST_CASE("[levels] diversity: of a set of three the figures are those computed by hand") {
  // Structure and layout are alike: the distances are a third of those of the materials. Blocks are alike, so
  // a share of the area is one of the blocks: wood 1, 1/2, 0. Distances 1/6 (a b), 1/6 (b c), 1/3 (a c).
  Level a;
  a.objects = {block("RectFat", Material::wood, 5, 0), block("RectFat", Material::wood, 8, 0)};
  Level b = a, c = a;
  b.objects[0].material = Material::stone;
  c.objects[0].material = c.objects[1].material = Material::stone;
  std::vector<LevelFeatures> features;
  for (const Level& level : {a, b, c}) features.push_back(level_features(level, *profile()));
  const Diversity found = diversity(features);
  CHECK(found.mean == Approx((1.0 / 6 + 1.0 / 6 + 1.0 / 3) / 3));
  CHECK(found.least == Approx(1.0 / 6));
  CHECK(found.nearest == Approx(1.0 / 6));

  features.resize(1);
  CHECK(diversity(features).mean == 0);
  CHECK(diversity({}).least == 0);
}

TEST_CASE("[levels] diversity: a type that the profile lacks is an error") {
  Level level;
  level.objects = {block("RectHuge", Material::wood, 0, 0)};
  CHECK_THROWS_AS(level_features(level, *profile()), Error);
}
