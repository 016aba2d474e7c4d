#pragma once
// Scenes that the tests of World share.
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "sim/world.hpp"

namespace startle::test {

inline constexpr double step = 0.02;

/// The profile without gravity: what is placed in the air stays there, and birds fly straight at constant
/// speed.
inline std::shared_ptr<const Profile> weightless(const std::string& name = "startle") {
  auto changed = std::make_shared<Profile>(*profile(name));
  changed->gravity = 0;
  return changed;
}

inline LevelObject block(const std::string& type, Material material, Vec2 position, double rotation_deg = 0) {
  return {.kind = Kind::block,
          .type = type,
          .material = material,
          .position = position,
          .rotation_deg = rotation_deg};
}
inline LevelObject pig(Vec2 position, const std::string& type = "BasicSmall") {
  return {.kind = Kind::pig, .type = type, .position = position};
}
inline LevelObject tnt(Vec2 position) { return {.kind = Kind::tnt, .type = "TNT", .position = position}; }
inline LevelObject platform(Vec2 position, double scale_x, double scale_y) {
  return {.kind = Kind::platform,
          .type = "Platform",
          .position = position,
          .scale_x = scale_x,
          .scale_y = scale_y};
}

/// A world from -17.5 to 17.5 with its slingshot at (-8, -2.5): birds rest at (-8.15, -1.7) and start, pulled
/// back in full for a level shot, at (-9.15, -1.7).
inline Level level_of(std::vector<LevelObject> objects, std::vector<std::string> birds = {"BirdRed"}) {
  Level level;
  level.name = "test";
  level.width = 2;
  level.slingshot = {-8, -2.5};
  level.birds = std::move(birds);
  level.objects = std::move(objects);
  return level;
}

/// 30 blocks of 10 shapes and three materials: three columns with TNT and pigs in them, and behind these what
/// rolls and slides, on the ground and on a platform. At rest until it is hit, chaotic from then on.
inline Level chaotic_level() {
  const Material materials[] = {Material::wood, Material::ice, Material::stone};
  const std::shared_ptr<const Profile> p = profile();
  Random random(2026);
  std::vector<LevelObject> objects;
  const auto put = [&](LevelObject object, double x, double& top) {
    const Bounds box = bounds(*p->find(object.kind, object.type, object.material)->shape);
    object.position = {x, top - box.ymin};
    top += box.height();
    objects.push_back(object);
  };
  for (int column = 0; column < 3; ++column) {
    const double x = 0.5 + 1.1 * column;
    double top = p->ground_y;
    for (const char* type :
         {"SquareHole", "RectFat", "TNT", "RectSmall", "SquareSmall", "RectTiny", "RectSmall"}) {
      const double jitter = random.uniform(-0.03, 0.03);
      if (std::string(type) == "TNT")
        put(tnt({}), x + jitter, top);
      else
        put(block(type, materials[random.integer(0, 2)], {}), x + jitter, top);
    }
    put(pig({}), x, top);
  }
  double x = 4.5;
  for (const char* type : {"Circle", "CircleSmall", "Triangle", "TriangleHole"})
    for (const Material material : materials) {
      double top = p->ground_y;
      put(block(type, material, {}), x, top);
      x += 0.85;
    }
  objects.push_back(platform({5, -1}, 3, 0.5));
  objects.push_back(pig({5, -0.6}));
  return level_of(objects, {"BirdRed", "BirdYellow", "BirdBlue", "BirdBlack", "BirdWhite"});
}

/// One shot for each bird of chaotic_level(), all into the columns.
inline std::vector<Shot> chaotic_shots() {
  return {{.angle = 0.25},
          {.angle = 0.35, .tap_time = 0.7},
          {.angle = 0.45, .tap_time = 0.6},
          {.angle = 0.3, .stretch = 0.95},
          {.angle = 0.6, .tap_time = 1.2}};
}

inline int count(const Trace& trace, EventKind kind) {
  int n = 0;
  for (const Event& event : trace.events) n += event.kind == kind;
  return n;
}

/// The first event of that kind, or null.
inline const Event* first(const Trace& trace, EventKind kind) {
  for (const Event& event : trace.events)
    if (event.kind == kind) return &event;
  return nullptr;
}

/// Place of a body now; the body must be there.
inline Vec2 place(const World& world, BodyId id) {
  for (const BodyState& body : world.frame().bodies)
    if (body.id == id) return body.pose.position;
  throw std::logic_error("body " + std::to_string(id) + " is not in the world");
}

}  // namespace startle::test
