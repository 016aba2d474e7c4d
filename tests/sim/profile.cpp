#include "sim/profile.hpp"

#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "core/error.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

const ObjectType& block(const Profile& p, const std::string& type, Material material) {
  const ObjectType* found = p.find(Kind::block, type, material);
  REQUIRE(found);
  return *found;
}

}  // namespace

// The numbers of these tests were copied by hand from the original's prefabs and scripts (see
// docs/profiles.md).

TEST_CASE("[sim] profiles: life of every block under anu") {
  const std::map<std::string, std::array<double, 3>> wood_stone_ice{
      {"Circle", {200, 600, 125}},  {"CircleSmall", {150, 300, 100}}, {"RectBig", {100, 140, 65}},
      {"RectFat", {80, 140, 53}},   {"RectMedium", {70, 120, 47}},    {"RectSmall", {50, 80, 33}},
      {"RectTiny", {40, 60, 26}},   {"SquareHole", {120, 160, 70}},   {"SquareSmall", {60, 100, 40}},
      {"SquareTiny", {20, 30, 13}}, {"Triangle", {80, 140, 53}},      {"TriangleHole", {70, 140, 48}}};
  const auto p = profile("anu");
  for (const auto& [type, life] : wood_stone_ice) {
    CAPTURE(type);
    CHECK(block(*p, type, Material::wood).parameters.life == life[0]);
    CHECK(block(*p, type, Material::stone).parameters.life == life[1]);
    CHECK(block(*p, type, Material::ice).parameters.life == life[2]);
  }
  // 12 types x 3 materials + 3 pigs + TNT + egg + platform
  CHECK(p->object_types.size() == 42);
  CHECK(p->bird_types.size() == 5);
}

TEST_CASE("[sim] profiles: masses under anu") {
  const auto p = profile("anu");
  const auto pig = [&](const char* type) { return p->find(Kind::pig, type)->mass(); };
  // The prefab holds 0.14060624, its mass at density 1 and a scale of (0.9479, 0.9837), which the game sets
  // to 1; the density 2 is written to a disabled collider. startle keeps the scale, and the density.
  CHECK(pig("BasicSmall") == Approx(0.14060624 / (0.9479 * 0.9837)).epsilon(0.002));
  CHECK(profile()->find(Kind::pig, "BasicSmall")->mass() == Approx(2 * 0.14060624).epsilon(0.002));
  CHECK(pig("BasicMedium") == Approx(0.4307));
  CHECK(pig("BasicBig") == Approx(0.7019));
  for (Material m : {Material::wood, Material::ice, Material::stone}) {
    // Density is written to a disabled collider: these weigh the same in every material.
    CHECK(block(*p, "Circle", m).mass() == Approx(0.4277));
    CHECK(block(*p, "CircleSmall", m).mass() == Approx(0.1296));
  }
  CHECK(block(*p, "SquareHole", Material::stone).mass() == Approx(0.5831 * 4 + 0.4045));
  CHECK(block(*p, "RectFat", Material::wood).mass() == Approx(0.7636 * 0.3772 * 1.5));
  CHECK(p->bird("BirdRed").mass() == Approx(0.545).epsilon(0.002));
  CHECK(p->bird("BirdBlue").mass() == Approx(0.458).epsilon(0.002));
  CHECK(p->bird("BirdYellow").mass() == Approx(0.4825).epsilon(0.002));
  CHECK(p->bird("BirdBlack").mass() == Approx(0.754).epsilon(0.002));
  CHECK(p->bird("BirdWhite").mass() == Approx(0.8495).epsilon(0.002));
  CHECK(p->find(Kind::tnt, "TNT")->mass() == Approx(1));
}

TEST_CASE("[sim] profiles: materials, damage and scoring of the two dialects") {
  const auto anu = profile("anu"), classic = profile("classic");
  CHECK(block(*anu, "RectFat", Material::stone).parameters.density == 4);
  CHECK(block(*anu, "RectFat", Material::stone).parameters.defence == 15);
  CHECK(block(*anu, "RectFat", Material::ice).parameters.friction == 0.7);
  CHECK(block(*anu, "RectFat", Material::wood).parameters.angular_damping == 2);
  CHECK(block(*classic, "RectFat", Material::stone).parameters.density == 1);
  CHECK(block(*classic, "RectFat", Material::ice).parameters.friction == 0.74);
  CHECK(block(*classic, "RectFat", Material::wood).parameters.linear_damping == 1);
  CHECK(block(*classic, "RectBig", Material::wood).parameters.life == 5);
  CHECK(classic->find(Kind::pig, "BasicSmall")->mass() == Approx(0.1));
  CHECK(classic->bird("BirdBlack").mass() == Approx(1));
  CHECK(classic->bird("BirdBlue").damage_multiplier.at(Material::stone) == 0);
  CHECK(anu->bird("BirdYellow").damage_multiplier.at(Material::wood) == 2.4);
  CHECK(anu->bird("BirdBlack").power.explosion.damage == 20);
  CHECK(classic->find(Kind::tnt, "TNT")->explosion.radius == 2);
  CHECK(anu->damage_rule == DamageRule::momentum);
  CHECK(classic->damage_rule == DamageRule::speed);
  CHECK(anu->attacker == Attacker::after);
  CHECK(anu->score_pig == 5000);
  CHECK(classic->score_block == 25);
  // g of flight in both dialects, as the agents' trajectory planners assume it.
  CHECK(anu->flight_gravity(anu->bird("BirdRed")) == Approx(4.7088));
  CHECK(classic->flight_gravity(classic->bird("BirdRed")) == Approx(4.7088));
}

namespace {

void check_bounds(const Shape& shape, const Bounds& expected) {
  // Vertices nearer than 0.005 to the border are left out when a polygon is cut. Boxes stay as they are.
  const bool box = shape.outlines.size() == 1 && shape.outlines[0].size() == 4;
  const double margin = box ? 1e-4 : 0.005 + 1e-9;
  const Bounds got = bounds(shape);
  CHECK(got.xmin == Approx(expected.xmin).margin(margin));
  CHECK(got.xmax == Approx(expected.xmax).margin(margin));
  CHECK(got.ymin == Approx(expected.ymin).margin(margin));
  CHECK(got.ymax == Approx(expected.ymax).margin(margin));
}

Bounds box_of(double width, double height) { return {-width / 2, width / 2, -height / 2, height / 2}; }

void check_explosion(const Explosion& got, double radius, double power, double damage) {
  CHECK(got.radius == radius);
  CHECK(got.power == power);
  CHECK(got.damage == damage);
}

struct Surface {
  double friction = 0, restitution = 0, defence = 0, gravity_scale = 0, linear_damping = 0,
         angular_damping = 0;
};
void check_surface(const Parameters& got, const Surface& expected) {
  CHECK(got.friction == expected.friction);
  CHECK(got.restitution == expected.restitution);
  CHECK(got.defence == expected.defence);
  CHECK(got.gravity_scale == expected.gravity_scale);
  CHECK(got.linear_damping == expected.linear_damping);
  CHECK(got.angular_damping == expected.angular_damping);
}

}  // namespace

TEST_CASE("[sim] profiles: sizes of all colliders") {
  const std::map<std::string, std::map<std::string, Bounds>> block_sizes{
      {"anu",
       {{"Circle", {-0.361, 0.366, -0.375, 0.359}},
        {"CircleSmall", {-0.196, 0.2, -0.21, 0.196}},
        {"RectBig", box_of(1.886, 0.184)},
        {"RectFat", box_of(0.7636, 0.3772)},
        {"RectMedium", box_of(1.5456, 0.184)},
        {"RectSmall", box_of(0.7636, 0.184)},
        {"RectTiny", box_of(0.3772, 0.184)},
        {"SquareHole", {-0.388, 0.388, -0.387, 0.386}},
        {"SquareSmall", box_of(0.3772, 0.3772)},
        {"SquareTiny", box_of(0.184, 0.184)},
        {"Triangle", {-0.375, 0.375, -0.375, 0.375}},
        {"TriangleHole", {-0.386, 0.4, -0.384, 0.397}}}},
      {"classic",
       {{"Circle", {-0.38, 0.38, -0.375, 0.375}},
        {"CircleSmall", {-0.21, 0.201, -0.21, 0.204}},
        {"RectBig", box_of(2.06, 0.22)},
        {"RectFat", box_of(0.85, 0.43)},
        {"RectMedium", box_of(1.68, 0.22)},
        {"RectSmall", box_of(0.85, 0.22)},
        {"RectTiny", box_of(0.43, 0.22)},
        {"SquareHole", box_of(0.84, 0.84)},
        {"SquareSmall", box_of(0.43, 0.43)},
        {"SquareTiny", box_of(0.22, 0.21)},
        {"Triangle", {-0.41, 0.424, -0.41, 0.41}},
        {"TriangleHole", {-0.42, 0.42, -0.42, 0.42}}}}};
  for (const auto& [name, sizes] : block_sizes)
    for (const auto& [type, size] : sizes)
      for (Material material : {Material::wood, Material::ice, Material::stone}) {
        CAPTURE(name, type);
        check_bounds(*block(*profile(name), type, material).shape, size);
      }
  const auto anu = profile("anu"), classic = profile("classic");
  check_bounds(*anu->find(Kind::pig, "BasicSmall")->shape, {-0.234, 0.23, -0.223, 0.227});
  check_bounds(*profile()->find(Kind::pig, "BasicSmall")->shape,
               {-0.234 * 0.9479, 0.23 * 0.9479, -0.223 * 0.9837, 0.227 * 0.9837});
  for (const Material m : {Material::wood, Material::ice, Material::stone})
    check_bounds(*block(*profile(), "SquareSmall", m).shape, box_of(0.3772 * 1.0149, 0.3772 * 0.9851));
  check_bounds(*anu->find(Kind::pig, "BasicMedium")->shape, {-0.392, 0.387, -0.38, 0.376});
  check_bounds(*anu->find(Kind::pig, "BasicBig")->shape, {-0.493, 0.499, -0.479, 0.484});
  check_bounds(*classic->find(Kind::pig, "BasicSmall")->shape, box_of(0.47, 0.45));
  check_bounds(*classic->find(Kind::pig, "BasicMedium")->shape, box_of(0.78, 0.76));
  check_bounds(*classic->find(Kind::pig, "BasicBig")->shape, box_of(0.99, 0.97));
  check_bounds(*anu->find(Kind::tnt, "TNT")->shape, box_of(0.64, 0.64));
  check_bounds(*classic->find(Kind::tnt, "TNT")->shape, box_of(0.66, 0.66));
  const std::map<std::string, Disc> discs{{"BirdRed", {{0.05, -0.03}, 0.17}},
                                          {"BirdBlue", {{0.03, -0.015}, 0.18}},
                                          {"BirdYellow", {{0.03, -0.06}, 0.16}},
                                          {"BirdBlack", {{0.03, -0.15}, 0.2}},
                                          {"BirdWhite", {{0.09, -0.16}, 0.26}}};
  for (const auto& [type, disc] : discs) {
    CAPTURE(type);
    REQUIRE(anu->bird(type).shape->discs.size() == 1);
    CHECK(anu->bird(type).shape->parts.empty());
    CHECK(anu->bird(type).radius == Approx(disc.radius));
    CHECK(length(anu->bird(type).shape->discs[0].centre - disc.centre) < 1e-9);
    CHECK(length(anu->bird(type).centre - disc.centre) < 1e-9);
  }
  check_bounds(*classic->bird("BirdRed").shape, box_of(0.46, 0.45));
  check_bounds(*classic->bird("BirdBlue").shape, box_of(0.3 * 1.5, 0.29 * 1.5));
  check_bounds(*classic->bird("BirdYellow").shape, box_of(0.56, 0.53));
  check_bounds(*classic->bird("BirdBlack").shape, box_of(0.64, 0.86));
  check_bounds(*classic->bird("BirdWhite").shape, box_of(0.8, 0.94));
  for (const auto& p : {anu, classic}) {
    check_bounds(*p->find(Kind::platform, "Platform")->shape, box_of(0.64, 0.64));
    check_bounds(*p->find(Kind::egg, "Egg")->shape, box_of(0.45, 0.58));
    check_bounds(*p->slingshot_shape, {-0.19, 0.09, -0.995, 0.105});
  }
}

TEST_CASE("[sim] profiles: parameters of every block") {
  const std::map<Material, Surface> anu{{Material::wood, {4, 0, 2.5, 0.48, 0, 2}},
                                        {Material::stone, {4, 0.1, 15, 0.48, 0, 2}},
                                        {Material::ice, {0.7, 0.2, 2, 0.48, 0, 2}}};
  const std::map<Material, Surface> classic{{Material::wood, {4, 0, 0, 0.5, 1, 0.05}},
                                            {Material::stone, {4, 0, 0, 0.5, 1, 0.05}},
                                            {Material::ice, {0.74, 0, 0, 0.5, 1, 0.05}}};
  const std::map<Material, double> anu_density{
      {Material::wood, 1.5}, {Material::stone, 4}, {Material::ice, 0.75}};
  int seen = 0;
  for (const ObjectType& type : profile("anu")->object_types) {
    if (type.kind != Kind::block) continue;
    CAPTURE(type.type, name(type.material));
    check_surface(type.parameters, anu.at(type.material));
    const bool own_mass = type.type == "Circle" || type.type == "CircleSmall" || type.type == "SquareHole";
    if (!own_mass) CHECK(type.parameters.density == anu_density.at(type.material));
    ++seen;
  }
  for (const ObjectType& type : profile("classic")->object_types) {
    if (type.kind != Kind::block) continue;
    CAPTURE(type.type, name(type.material));
    check_surface(type.parameters, classic.at(type.material));
    CHECK(type.parameters.density == 1);
    CHECK(type.parameters.life == 5);
    ++seen;
  }
  CHECK(seen == 2 * 36);
}

TEST_CASE("[sim] profiles: parameters of pigs, TNT and egg, and what explosions do") {
  const auto anu = profile("anu"), classic = profile("classic");
  struct Pig {
    std::string type;
    double anu_life, classic_life, classic_mass, classic_gravity_scale;
  };
  for (const Pig& pig :
       {Pig{"BasicSmall", 1, 2, 0.1, 0.5}, {"BasicMedium", 15, 4, 1, 1}, {"BasicBig", 80, 6, 1, 1}}) {
    CAPTURE(pig.type);
    const ObjectType &a = *anu->find(Kind::pig, pig.type), &c = *classic->find(Kind::pig, pig.type);
    CHECK(a.parameters.life == pig.anu_life);
    check_surface(a.parameters, {0.7, 0.05, 1, 0.48, 0, 2});
    CHECK(c.parameters.life == pig.classic_life);
    CHECK(c.mass() == Approx(pig.classic_mass));
    check_surface(c.parameters, {0.4, 0, 0, pig.classic_gravity_scale, 0, 0.05});
  }
  for (const auto& [p, tnt_life] : {std::pair{anu, 3.0}, {classic, 2.0}}) {
    const ObjectType &tnt = *p->find(Kind::tnt, "TNT"), &egg = *p->find(Kind::egg, "Egg");
    CAPTURE(p->name);
    CHECK(tnt.parameters.life == tnt_life);
    CHECK(egg.parameters.life == 2);
    for (const ObjectType* type : {&tnt, &egg}) {
      CHECK(type->mass() == Approx(1));
      check_surface(type->parameters, {0.4, 0, 0, 1, 0, 0.05});
    }
  }
  check_explosion(anu->find(Kind::tnt, "TNT")->explosion, 2.5, 4, 100);
  check_explosion(classic->find(Kind::tnt, "TNT")->explosion, 2, 3, 3);
  check_explosion(anu->find(Kind::egg, "Egg")->explosion, 2, 2, 200);
  check_explosion(classic->find(Kind::egg, "Egg")->explosion, 2, 3, 3);
  check_explosion(anu->bird("BirdBlack").power.explosion, 3, 4, 20);
  check_explosion(classic->bird("BirdBlack").power.explosion, 2, 3, 3);
  CHECK(anu->explosion_falloff == ExplosionFalloff::linear);
  CHECK(classic->explosion_falloff == ExplosionFalloff::inverse);
}

TEST_CASE("[sim] profiles: every bird's surface, damage multipliers and power") {
  struct Bird {
    std::string type;
    double friction, restitution;                                // anu; classic has 0.4 and 0
    std::array<double, 3> anu_multipliers, classic_multipliers;  // wood, stone, ice
    double classic_mass, classic_angular_damping;
  };
  for (const Bird& bird : {Bird{"BirdRed", 0.3, 0.43, {1, 1, 1}, {1, 1, 1}, 0.5, 0},
                           {"BirdBlue", 0.3, 0.25, {1, 1, 4}, {0.25, 0, 2}, 0.5, 0},
                           {"BirdYellow", 0.4, 0.16, {2.4, 1, 1.2}, {1, 1, 1}, 0.5, 0},
                           {"BirdBlack", 0.3, 0.03, {1, 2.5, 1}, {1, 1, 1}, 1, 0.05},
                           {"BirdWhite", 0.3, 0.23, {0.8, 1, 0.8}, {1, 1, 1}, 1, 0.05}}) {
    const BirdType &a = profile("anu")->bird(bird.type), &c = profile("classic")->bird(bird.type);
    CAPTURE(bird.type);
    check_surface(a.parameters, {bird.friction, bird.restitution, 0, 0.48, 0, 2});
    check_surface(c.parameters, {0.4, 0, 0, 0.48, 0, bird.classic_angular_damping});
    CHECK(c.mass() == Approx(bird.classic_mass));
    const Material order[] = {Material::wood, Material::stone, Material::ice};
    for (std::size_t m = 0; m < 3; ++m) {
      CHECK(a.damage_multiplier.at(order[m]) == bird.anu_multipliers[m]);
      CHECK(c.damage_multiplier.at(order[m]) == bird.classic_multipliers[m]);
    }
  }
  for (const char* name : {"anu", "classic"}) {
    const auto power = [&](const char* type) { return profile(name)->bird(type).power; };
    CAPTURE(name);
    CHECK(power("BirdRed").kind == PowerKind::none);
    CHECK(power("BirdBlue").kind == PowerKind::split);
    REQUIRE(power("BirdBlue").angles.size() == 3);
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(degrees(power("BirdBlue").angles[i]) == Approx(15 - 10 * static_cast<double>(i)));
    CHECK(power("BirdYellow").kind == PowerKind::dash);
    CHECK(power("BirdYellow").impulse == 4);
    CHECK(power("BirdBlack").kind == PowerKind::explode);
    CHECK(power("BirdBlack").delay == 0.6);
    CHECK(power("BirdWhite").kind == PowerKind::egg);
    CHECK(power("BirdWhite").egg_impulse == 6);
    CHECK(power("BirdWhite").impulse == 10);
  }
}

TEST_CASE("[sim] profiles: world, launch, damage and score rules") {
  for (const char* name : {"anu", "classic"}) {
    const Profile& p = *profile(name);
    CAPTURE(name);
    CHECK(p.gravity == 9.81);
    CHECK(p.step == 0.02);
    CHECK(p.width_per_unit == 17.5);
    CHECK(p.ground_y == -3.5);
    CHECK(p.default_friction == 0.4);
    CHECK(p.default_restitution == 0);
    CHECK(p.rest_offset == Vec2{-0.15, 0.8});
    CHECK(p.max_stretch == 1);
    CHECK(p.launch_speed == 10);
  }
  CHECK(profile("anu")->damage_k == 11.22);
  CHECK(profile("anu")->generic_factor == 0.5);
  CHECK(profile("anu")->score_block == 500);
  CHECK(profile("anu")->score_unused_bird == 10000);
  CHECK(profile("anu")->score_hit_points);
  CHECK(profile("classic")->score_pig == 50);
  CHECK(profile("classic")->score_unused_bird == 0);
  CHECK(!profile("classic")->score_hit_points);
}

namespace {

/// Every number of a profile, with its name.
std::vector<std::pair<std::string, double>> numbers(const Profile& p) {
  std::vector<std::pair<std::string, double>> all;
  const auto add = [&](const std::string& name, double value) { all.emplace_back(name, value); };
  const auto add_parameters = [&](const std::string& of, const Parameters& q) {
    add(of + " density", q.density);
    add(of + " friction", q.friction);
    add(of + " restitution", q.restitution);
    add(of + " life", q.life);
    add(of + " defence", q.defence);
    add(of + " gravity_scale", q.gravity_scale);
    add(of + " linear_damping", q.linear_damping);
    add(of + " angular_damping", q.angular_damping);
  };
  const auto add_explosion = [&](const std::string& of, const Explosion& e) {
    add(of + " radius", e.radius);
    add(of + " explosion power", e.power);
    add(of + " explosion damage", e.damage);
  };
  const auto add_shape = [&](const std::string& of, const Shape& shape) {
    add(of + " area", shape.area);
    for (const auto* polygons : {&shape.parts, &shape.outlines})
      for (const Polygon& polygon : *polygons)
        for (Vec2 vertex : polygon) {
          add(of + " vertex x", vertex.x);
          add(of + " vertex y", vertex.y);
        }
    for (const Disc& disc : shape.discs) {
      add(of + " disc x", disc.centre.x);
      add(of + " disc y", disc.centre.y);
      add(of + " disc radius", disc.radius);
    }
  };
  add("gravity", p.gravity);
  add("step", p.step);
  add("velocity_iterations", p.velocity_iterations);
  add("position_iterations", p.position_iterations);
  add("width_per_unit", p.width_per_unit);
  add("ground_y", p.ground_y);
  add("default_friction", p.default_friction);
  add("default_restitution", p.default_restitution);
  add("rest x", p.rest_offset.x);
  add("rest y", p.rest_offset.y);
  add("max_stretch", p.max_stretch);
  add("launch_speed", p.launch_speed);
  add("damage_rule", static_cast<double>(p.damage_rule));
  add("attacker", static_cast<double>(p.attacker));
  add("damage_k", p.damage_k);
  add("generic_factor", p.generic_factor);
  add("explosion_falloff", static_cast<double>(p.explosion_falloff));
  add("score_pig", p.score_pig);
  add("score_block", p.score_block);
  add("score_unused_bird", p.score_unused_bird);
  add("score_hit_points", p.score_hit_points);
  add_shape("slingshot", *p.slingshot_shape);
  for (const ObjectType& type : p.object_types) {
    const std::string of = std::string(name(type.kind)) + " " + type.type + " " + name(type.material);
    add_parameters(of, type.parameters);
    add_explosion(of, type.explosion);
    add_shape(of, *type.shape);
  }
  for (const BirdType& bird : p.bird_types) {
    add_parameters(bird.type, bird.parameters);
    add_shape(bird.type, *bird.shape);
    add(bird.type + " radius", bird.radius);
    add(bird.type + " centre x", bird.centre.x);
    add(bird.type + " centre y", bird.centre.y);
    for (const auto& [material, factor] : bird.damage_multiplier)
      add(bird.type + " on " + name(material), factor);
    add(bird.type + " power", static_cast<double>(bird.power.kind));
    for (double angle : bird.power.angles) add(bird.type + " angle", angle);
    add(bird.type + " impulse", bird.power.impulse);
    add(bird.type + " egg_impulse", bird.power.egg_impulse);
    add(bird.type + " delay", bird.power.delay);
    add_explosion(bird.type, bird.power.explosion);
  }
  return all;
}

}  // namespace

TEST_CASE(
    "[sim] profiles: startle is anu with bouncier wood, its own attacker, small pig and small square, and "
    "nothing else") {
  CHECK(profile()->name == "startle");
  auto startle = numbers(*profile()), anu = numbers(*profile("anu"));
  for (auto* all : {&startle, &anu})
    std::erase_if(*all, [](const auto& number) {
      const std::string& name = number.first;
      const bool of_shape = name.ends_with(" area") || name.ends_with(" vertex x") ||
                            name.ends_with(" vertex y");
      return name == "attacker" ||
             (name.starts_with("pig BasicSmall ") && (of_shape || name.ends_with(" density"))) ||
             (name.starts_with("block SquareSmall ") && of_shape);
    });
  CHECK(profile()->attacker == Attacker::before);
  REQUIRE(startle.size() == anu.size());
  int bouncier = 0;
  for (std::size_t i = 0; i < anu.size(); ++i) {
    const auto& [name, value] = anu[i];
    REQUIRE(startle[i].first == name);
    INFO(name);
    const bool wood_bounciness = name.ends_with(" wood restitution");
    REQUIRE(startle[i].second == (wood_bounciness ? 0.1 : value));
    bouncier += wood_bounciness;
  }
  CHECK(bouncier == 12);  // the block types
}

TEST_CASE("[sim] profiles: unknown names are answered with the known ones") {
  CHECK_THROWS_WITH(profile("anux"), Catch::Contains("anux") && Catch::Contains("anu, classic, startle"));
  CHECK_THROWS_WITH(profile()->bird("BirdGreen"), Catch::Contains("BirdGreen") && Catch::Contains("BirdRed"));
}

TEST_CASE("[sim] profiles: a bird's disc reaches from its centre to the furthest point of its shape") {
  for (const char* name : {"anu", "classic", "startle"}) {
    const auto p = profile(name);
    for (const char* type : {"BirdRed", "BirdBlue", "BirdYellow", "BirdBlack", "BirdWhite"}) {
      const BirdType& bird = p->bird(type);
      double furthest = 0;
      for (const Polygon& part : bird.shape->parts)
        for (Vec2 corner : part) furthest = std::max(furthest, length(corner - bird.centre));
      for (const Disc& disc : bird.shape->discs)
        furthest = std::max(furthest, length(disc.centre - bird.centre) + disc.radius);
      CHECK(bird.radius == Approx(furthest));
    }
  }
}
