#pragma once
/// \file  Scenes that the tests of reasoning build: small ones by hand, larger ones at random.
#include <string>
#include <vector>

#include "core/random.hpp"
#include "sim/profile.hpp"
#include "sim/scene.hpp"
#include "sim/shape.hpp"

namespace startle {

inline constexpr double ground = -3.5;

/// A scene of the default profile with the slingshot at (-5, -2.5) and nothing in it.
inline Scene empty_scene(const std::string& profile_name = "startle") {
  Scene scene;
  scene.profile = profile(profile_name);
  scene.slingshot = {-5, -2.5};
  scene.half_width = 17.5;
  scene.birds = {"BirdRed", "BirdRed", "BirdRed"};
  return scene;
}

/// Adds an object of any shape and returns its index.
inline std::size_t add(Scene& scene, Kind kind, const Shape& shape, Vec2 position, double angle = 0,
                       double density = 1) {
  SceneObject object;
  object.kind = kind;
  object.type = "test";
  object.material = kind == Kind::block ? Material::wood : Material::none;
  object.pose = {position, angle};
  object.shape = std::make_shared<Shape>(shape);
  object.parameters.density = density;
  object.life = object.parameters.life = 1000;
  scene.objects.push_back(object);
  return scene.objects.size() - 1;
}

/// Adds a box by its left, right, lower and upper sides.
inline std::size_t add_box(Scene& scene, double left, double right, double bottom, double top,
                           double density = 1, Kind kind = Kind::block) {
  return add(scene, kind, box_shape(right - left, top - bottom), {0.5 * (left + right), 0.5 * (bottom + top)},
             0, density);
}

/// Adds an object of the profile by its centre, with the life and parameters that the profile gives it.
inline std::size_t add_object(Scene& scene, Kind kind, const std::string& type, Material material,
                              Vec2 position, double angle = 0) {
  const ObjectType& t = *scene.profile->find(kind, type, material);
  SceneObject object;
  object.kind = kind;
  object.type = type;
  object.material = material;
  object.pose = {position, angle};
  object.shape = t.shape;
  object.parameters = t.parameters;
  object.explosion = t.explosion;
  object.life = t.parameters.life;
  scene.objects.push_back(object);
  return scene.objects.size() - 1;
}

/// As above, but standing on the height `bottom`.
inline std::size_t stand(Scene& scene, Kind kind, const std::string& type, Material material, double x,
                         double bottom, double angle = 0) {
  const std::size_t i = add_object(scene, kind, type, material, {x, 0}, angle);
  scene.objects[i].pose.position.y = bottom - scene.objects[i].world_bounds().ymin;
  return i;
}

/// Columns of random blocks of the profile, straight, turned or round, with a bridge here and there and pigs
/// on top.
inline Scene random_scene(Random& random, int most_columns = 7) {
  static const std::vector<std::string> types{"RectFat",  "RectSmall",    "SquareSmall", "SquareTiny",
                                              "RectTiny", "SquareHole",   "Circle",      "CircleSmall",
                                              "Triangle", "TriangleHole", "RectMedium"};
  static const std::vector<Material> materials{Material::wood, Material::ice, Material::stone};
  Scene scene = empty_scene();
  double x = random.uniform(-2.5, 1);
  const int columns = random.integer(1, most_columns);
  for (int c = 0; c < columns; ++c) {
    double top = ground;
    if (random.chance(0.15)) {
      const std::size_t p = stand(scene, Kind::platform, "Platform", Material::none, x,
                                  ground + random.uniform(0.2, 2.5));
      top = scene.objects[p].world_bounds().ymax;
    }
    const int height = random.integer(1, 6);
    for (int h = 0; h < height; ++h) {
      const double angle = random.chance(0.3)   ? radians(90)
                           : random.chance(0.1) ? random.uniform(-0.3, 0.3)
                                                : 0.0;
      const std::size_t i = stand(scene, Kind::block, random.choice(types), random.choice(materials),
                                  x + random.uniform(-0.1, 0.1), top, angle);
      top = scene.objects[i].world_bounds().ymax;
    }
    if (random.chance(0.6))
      stand(scene, Kind::pig, random.chance(0.5) ? "BasicSmall" : "BasicMedium", Material::none, x, top);
    x += random.uniform(0.6, 2.2);
  }
  return scene;
}

/// The scene seen in a mirror standing upright at x = 0.
inline Scene mirrored(const Scene& scene) {
  const auto flip = [](Polygon polygon) {
    for (Vec2& p : polygon) p.x = -p.x;
    return Polygon(polygon.rbegin(), polygon.rend());
  };
  Scene result = scene;
  result.slingshot.x = -scene.slingshot.x;
  for (SceneObject& object : result.objects) {
    Shape shape = *object.shape;
    for (Polygon& part : shape.parts) part = flip(part);
    for (Disc& disc : shape.discs) disc.centre.x = -disc.centre.x;
    for (Polygon& outline : shape.outlines) outline = flip(outline);
    shape.centroid.x = -shape.centroid.x;
    object.shape = std::make_shared<Shape>(shape);
    object.pose.position.x = -object.pose.position.x;
    object.pose.angle = -object.pose.angle;
  }
  return result;
}

}  // namespace startle
