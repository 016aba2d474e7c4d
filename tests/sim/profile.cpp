#include "sim/profile.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "sim/error.hpp"

using namespace startle;

namespace {

const ObjectType& block(const Profile& p, const std::string& type, Material material) {
  const ObjectType* found = p.find(Kind::block, type, material);
  REQUIRE(found);
  return *found;
}

}  // namespace

// The numbers of these tests were copied by hand from the original's prefabs and scripts (see docs/profiles.md).

TEST_CASE("[sim] profiles: life of every block under anu") {
  const std::map<std::string, std::array<double, 3>> wood_stone_ice{
      {"Circle", {200, 600, 125}},  {"CircleSmall", {150, 300, 100}}, {"RectBig", {100, 140, 65}},   {"RectFat", {80, 140, 53}},
      {"RectMedium", {70, 120, 47}}, {"RectSmall", {50, 80, 33}},      {"RectTiny", {40, 60, 26}},    {"SquareHole", {120, 160, 70}},
      {"SquareSmall", {60, 100, 40}}, {"SquareTiny", {20, 30, 13}},     {"Triangle", {80, 140, 53}},   {"TriangleHole", {70, 140, 48}}};
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
  // The prefab holds 0.14060624, its mass at density 1; the script sets density 2.
  CHECK(pig("BasicSmall") == Approx(2 * 0.14060624).epsilon(0.002));
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
  CHECK(anu->score_pig == 5000);
  CHECK(classic->score_block == 25);
  // g of flight in both dialects, as the agents' trajectory planners assume it.
  CHECK(anu->flight_gravity(anu->bird("BirdRed")) == Approx(4.7088));
  CHECK(classic->flight_gravity(classic->bird("BirdRed")) == Approx(4.7088));
}

TEST_CASE("[sim] profiles: startle is anu with bouncier wood and nothing else") {
  const auto anu = profile("anu"), startle = profile();
  CHECK(startle->name == "startle");
  REQUIRE(startle->object_types.size() == anu->object_types.size());
  for (std::size_t i = 0; i < anu->object_types.size(); ++i) {
    Parameters expected = anu->object_types[i].parameters;
    if (anu->object_types[i].material == Material::wood) expected.restitution = 0.1;
    const Parameters& got = startle->object_types[i].parameters;
    CAPTURE(anu->object_types[i].type);
    CHECK(got.restitution == expected.restitution);
    CHECK(got.density == expected.density);
    CHECK(got.friction == expected.friction);
    CHECK(got.life == expected.life);
    CHECK(got.defence == expected.defence);
  }
}

TEST_CASE("[sim] profiles: unknown names are answered with the known ones") {
  CHECK_THROWS_WITH(profile("anux"), Catch::Contains("anux") && Catch::Contains("anu, classic, startle"));
  CHECK_THROWS_WITH(profile()->bird("BirdGreen"), Catch::Contains("BirdGreen") && Catch::Contains("BirdRed"));
}
