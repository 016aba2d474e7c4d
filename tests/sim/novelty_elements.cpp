#include "sim/novelty_elements.hpp"

#include <cmath>

#include "sim/novelty.hpp"
#include "sim/profile.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// A level with the slingshot at x = -2 and that element of the file, 1 right of it and 2 above the ground
/// where it says no other place.
std::optional<Novelty> novelty_of(const std::string& type,
                                  std::vector<std::pair<std::string, std::string>> more = {}) {
  Level level;
  level.slingshot = {-2, -1};
  UnknownElement element{"GameObjects",
                         "Novelty",
                         {{"type", type}, {"x", "-1"}, {"y", std::to_string(profile()->ground_y + 2)}}};
  for (auto& attribute : more) element.attributes.push_back(attribute);
  level.unknown = {element};
  return own_novelty_of(level);
}

void check(const Region& is, const Region& expected) {
  CHECK(is.left == Approx(expected.left).margin(1e-6));
  CHECK(is.right == Approx(expected.right).margin(1e-6));
  CHECK(is.bottom == Approx(expected.bottom).margin(1e-6));
  CHECK(is.top == Approx(expected.top).margin(1e-6));
}

}  // namespace

TEST_CASE("[sim] novelty elements: a fan blows along its direction over 6 by 4, scaled and turned") {
  const double strength = length(find_novelty("fan").world.fields.front().acceleration);
  const auto ahead = novelty_of("Fan");
  REQUIRE(ahead);
  REQUIRE(ahead->world.fields.size() == 1);
  check(ahead->world.fields[0].region, {1, 7, 0, 4});
  CHECK(ahead->world.fields[0].acceleration.x == Approx(strength));
  CHECK(ahead->world.fields[0].acceleration.y == Approx(0).margin(1e-6));
  // Upward: across and along change places; twice as far, half as wide.
  const auto up = novelty_of("Fan", {{"rotation", "90"}, {"scaleX", "2"}, {"scaleY", "-0.5"}});
  check(up->world.fields[0].region, {0, 2, 2, 14});
  CHECK(up->world.fields[0].acceleration.y == Approx(strength));
  // At 30 degrees: (6 cos - 2 sin ... ) about (1, 2).
  const auto turned = novelty_of("Fan", {{"rotation", "30"}});
  const double c = std::sqrt(3.0) / 2, s = 0.5;
  check(turned->world.fields[0].region, {1 - 2 * s, 1 + 6 * c + 2 * s, 2 - 2 * c, 2 + 6 * s + 2 * c});
}

TEST_CASE(
    "[sim] novelty elements: turbulence lifts within its walls, the inverse one presses down, and only it") {
  const double lift = find_novelty("turbulence").world.fields.front().acceleration.y;
  for (const std::string type : {"NovelAirTurbulence", "InverseAirTurbulence"}) {
    const auto novelty = novelty_of(type, {{"scaleX", "5"}, {"scaleY", "10"}});
    REQUIRE(novelty);
    REQUIRE(novelty->world.fields.size() == 1);
    check(novelty->world.fields[0].region, {1 - 1.6, 1 + 1.6, 2 - 3.2, 2 + 3.2});
    CHECK(novelty->world.fields[0].acceleration.y == Approx(type[0] == 'N' ? lift : -lift));
    const auto plain = novelty_of(type);  // of scale 1
    check(plain->world.fields[0].region, {1 - 0.32, 1 + 0.32, 2 - 0.32, 2 + 0.32});
  }
}

TEST_CASE("[sim] novelty elements: storm, magnet and turned gravity are those of the catalogue, each alone") {
  const auto storm = novelty_of("Storm");
  REQUIRE(storm);
  CHECK(storm->world.fields == find_novelty("storm").world.fields);
  CHECK(storm->world.gravity == 1);
  const auto inverse = novelty_of("InverseGravity");
  REQUIRE(inverse);
  CHECK(inverse->world.gravity == -1);
  CHECK(inverse->world.fields.empty());
  const auto magnet = novelty_of("Magnet");
  REQUIRE(magnet);
  REQUIRE(magnet->world.fields.size() == 2);
  const double pull = find_novelty("magnet").world.fields.front().pull;
  CHECK(magnet->world.fields[0].pull == pull);
  CHECK(magnet->world.fields[1].pull == -2 * pull);
  for (const ForceField& field : magnet->world.fields) {
    CHECK(field.centre.x == Approx(1));
    CHECK(field.centre.y == Approx(2));
  }
  CHECK(magnet->world.fields[0].on_birds);
  CHECK_FALSE(magnet->world.fields[1].on_birds);
}

TEST_CASE("[sim] novelty elements: what is of another kind, without a place or of no size is none") {
  using Attributes = std::vector<std::pair<std::string, std::string>>;
  const auto is = [](const std::string& parent, const std::string& element, const Attributes& attributes) {
    return is_novelty_element({parent, element, attributes});
  };
  CHECK(is("GameObjects", "Novelty", {{"type", "Fan"}, {"x", " 1 "}, {"y", "2e-1"}}));
  CHECK_FALSE(is("Level", "Novelty", {{"type", "Fan"}, {"x", "1"}, {"y", "2"}}));
  CHECK_FALSE(is("GameObjects", "Block", {{"type", "Fan"}, {"x", "1"}, {"y", "2"}}));
  CHECK_FALSE(is("GameObjects", "Novelty", {{"type", "Fen"}, {"x", "1"}, {"y", "2"}}));
  CHECK_FALSE(is("GameObjects", "Novelty", {{"type", "Fan"}, {"x", "1"}}));
  CHECK_FALSE(is("GameObjects", "Novelty", {{"type", "Fan"}, {"y", "1"}}));
  for (const char* bad : {"", "one", "1x", "inf", "nan"})
    CHECK_FALSE(is("GameObjects", "Novelty", {{"type", "Fan"}, {"x", bad}, {"y", "2"}}));
  for (const char* key : {"scaleX", "scaleY"}) {
    CHECK_FALSE(is("GameObjects", "Novelty", {{"type", "Fan"}, {"x", "1"}, {"y", "2"}, {key, "0"}}));
    CHECK_FALSE(is("GameObjects", "Novelty", {{"type", "Fan"}, {"x", "1"}, {"y", "2"}, {key, "wide"}}));
  }
  CHECK_FALSE(is("GameObjects", "Novelty", {{"type", "Fan"}, {"x", "1"}, {"y", "2"}, {"rotation", "up"}}));
}
