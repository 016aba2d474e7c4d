#pragma once
/// \file  Scenes that the tests of this module build: small ones by hand, larger ones at random.
#include <initializer_list>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "reasoning/qualitative/movement.hpp"
#include "sim/scene.hpp"

namespace startle {

inline constexpr double ground = -3.5;

/// A block whose lower edge is at `bottom`.
inline LevelObject block(const std::string& type, Material material, double x, double bottom) {
  const Bounds box = bounds(*profile()->find(Kind::block, type, material)->shape);
  return {.kind = Kind::block, .type = type, .material = material, .position = {x, bottom - box.ymin}};
}

inline LevelObject pig(const std::string& type, double x, double bottom) {
  const Bounds box = bounds(*profile()->find(Kind::pig, type)->shape);
  return {.kind = Kind::pig, .type = type, .position = {x, bottom - box.ymin}};
}

inline LevelObject platform(double x, double y, double scale_x = 1, double scale_y = 1) {
  return {
      .kind = Kind::platform, .type = "Platform", .position = {x, y}, .scale_x = scale_x, .scale_y = scale_y};
}

/// Scene of the default profile with the slingshot at x = -5 and as many red birds.
inline Scene scene_of(const std::vector<LevelObject>& objects, int birds = 3) {
  Level level;
  level.width = 2;
  level.birds.assign(static_cast<std::size_t>(birds), "BirdRed");
  level.objects = objects;
  return make_scene(level, profile());
}

inline ImpactedObject moved(std::size_t object, std::initializer_list<int> cases) {
  ImpactedObject result{.object = object, .cases = {}, .reason = "by hand"};
  for (int c : cases) result.cases.set(static_cast<std::size_t>(c));
  return result;
}

/// Columns of random blocks on the ground right of the slingshot, some with a pig on top: nothing overlaps
/// and everything stands on something.
inline Scene random_scene(Random& random, int birds, int most_columns = 6) {
  static const std::vector<std::string> types{"RectFat", "RectSmall", "SquareSmall", "SquareTiny",
                                              "SquareHole"};
  static const std::vector<Material> materials{Material::wood, Material::ice, Material::stone};
  std::vector<LevelObject> objects;
  double x = random.uniform(-2, 0);
  const int columns = random.integer(1, most_columns);
  for (int c = 0; c < columns; ++c) {
    double top = ground;
    const int height = random.integer(1, 5);
    for (int h = 0; h < height; ++h) {
      objects.push_back(block(random.choice(types), random.choice(materials), x, top));
      top +=
          bounds(*profile()->find(Kind::block, objects.back().type, objects.back().material)->shape).height();
    }
    if (random.chance(0.5)) objects.push_back(pig("BasicSmall", x, top));
    x += random.uniform(0.85, 2);
  }
  return scene_of(objects, birds);
}

}  // namespace startle
