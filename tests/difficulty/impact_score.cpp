
#include "difficulty/impact_score.hpp"

#include "scenes.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// 0 wood, 1 wood of another type, 2 ice, 3 stone, 4 pig, 5 platform, 6 TNT.
Scene sample() {
  return scene_of({block("RectFat", Material::wood, 0, ground),
                   block("SquareSmall", Material::wood, 1, ground),
                   block("RectFat", Material::ice, 2, ground),
                   block("RectFat", Material::stone, 3, ground),
                   pig("BasicSmall", 4, ground),
                   platform(6, 0),
                   {.kind = Kind::tnt, .type = "TNT", .position = {5, ground + 0.32}}});
}

Novelty novelty_of(Selector selector, Parameter parameter = Parameter::friction, double factor = 5) {
  return {.name = "test",
          .description = "",
          .rules = {{std::move(selector), parameter, {ChangeKind::factor, factor}}}};
}

Selector by_material(Material material) {
  Selector s;
  s.material = material;
  return s;
}
Selector by_type(const std::string& type) {
  Selector s;
  s.type = type;
  return s;
}
Selector by_object(std::size_t object) {
  Selector s;
  s.objects = {object};
  return s;
}

const BirdType& red() { return profile()->bird("BirdRed"); }

}  // namespace

TEST_CASE("[impact score] grouping: follows the selector, the finest of several rules") {
  CHECK(grouping_of(find_novelty("T1")) == Grouping::material);
  CHECK(grouping_of(find_novelty("T3")) == Grouping::material);
  CHECK(grouping_of(novelty_of({})) == Grouping::material);
  CHECK(grouping_of(novelty_of(by_type("RectFat"))) == Grouping::type);
  CHECK(grouping_of(novelty_of(by_object(2))) == Grouping::object);
  Novelty two = find_novelty("T1");
  two.rules.push_back(novelty_of(by_type("RectFat")).rules.front());
  CHECK(grouping_of(two) == Grouping::type);
  std::swap(two.rules.front(), two.rules.back());
  CHECK(grouping_of(two) == Grouping::type);
  two.rules.insert(two.rules.begin(), novelty_of(by_object(2)).rules.front());
  CHECK(grouping_of(two) == Grouping::object);
}

TEST_CASE(
    "[impact score] search space: materials, pigs and TNT, and types, and objects, and never a platform") {
  using Names = std::vector<std::string>;
  const SearchSpace materials = make_search_space(sample(), find_novelty("T1"));
  CHECK(materials.groups == Names{"wood", "ice", "stone", "pig", "TNT"});
  CHECK(materials.group_of == std::vector<std::size_t>{0, 0, 1, 2, 3, SearchSpace::no_group, 4});
  CHECK(make_search_space(sample(), novelty_of(by_type("RectFat"))).groups ==
        Names{"wood RectFat", "wood SquareSmall", "ice RectFat", "stone RectFat", "pig BasicSmall", "TNT"});
  CHECK(make_search_space(sample(), novelty_of(by_object(2))).groups.size() == 6);
}

TEST_CASE("[impact score] score: the three examples of Pinto et al.") {
  const std::vector<ImpactedObject> impacted{moved(0, {3}), moved(1, {4}), moved(2, {4}), moved(4, {5})};
  // 1: the novelty is in one object: one for each object moved.
  CHECK(impact_score(make_search_space(sample(), novelty_of(by_object(2))), impacted) == 4);
  // 2: in one material: one for each material moved, wood, ice and pig.
  SearchSpace materials = make_search_space(sample(), find_novelty("T2"));
  CHECK(impact_score(materials, impacted) == 3);
  // 3: wood is known not to be novel: 0 for wood.
  materials.known_normal[0] = true;
  CHECK(impact_score(materials, impacted) == 2);
  CHECK(impact_score(materials, {}) == 0);
}

TEST_CASE("[impact score] best target: the highest, the first on ties") {
  CHECK(best_targets({}).empty());
  CHECK(best_targets({0, 0}) == std::vector<std::size_t>{0, 1});
  CHECK(best_targets({1, 3, 2, 3}) == std::vector<std::size_t>{1, 3});
  CHECK(best_targets({1, 2, 3}) == std::vector<std::size_t>{2});
}

TEST_CASE("[impact score] narrow: friction shows in slides only, so falling wood says nothing") {
  const Scene scene = sample();
  const Novelty novelty = novelty_of(by_material(Material::stone));
  SearchSpace space = make_search_space(scene, novelty);
  // Case 4 (falls) does not show friction, cases 3 and 6 do [Pinto §4.2].
  CHECK(narrow(space, scene, novelty, 2, red(), {moved(2, {3}), moved(0, {4})}) ==
        std::vector<std::size_t>{1});
  CHECK(space.known_normal == std::vector<bool>{false, true, false, false, false});
  CHECK(narrow(space, scene, novelty, 0, red(), {moved(0, {5, 6}), moved(2, {6})}) ==
        std::vector<std::size_t>{0});
  CHECK(narrow(space, scene, novelty, 0, red(), {moved(0, {6})}).empty());
}

TEST_CASE("[impact score] narrow: with two rules an object must have shown both changes") {
  const Scene scene = sample();
  Novelty both = novelty_of(by_material(Material::stone), Parameter::friction);
  both.rules.push_back(novelty_of({}, Parameter::restitution).rules.front());
  SearchSpace space = make_search_space(scene, both);
  CHECK(narrow(space, scene, both, 0, red(), {moved(0, {4})}).empty());      // restitution only
  CHECK(narrow(space, scene, both, 0, red(), {moved(0, {6})}).size() == 1);  // friction and restitution
}

TEST_CASE("[impact score] narrow: life is settled by a hit whose outcome the change would reverse") {
  const Scene scene = sample();
  const BirdType& bird = red();
  // The pig (life 1) dies of any blow; with a life of 1000 more it would not, with half of it it would all
  // the same.
  const auto change = [](double factor) { return novelty_of({}, Parameter::life, factor); };
  const std::vector<ImpactedObject> hit{moved(4, {1}), moved(0, {5})};
  SearchSpace space = make_search_space(scene, change(1e6));
  CHECK(narrow(space, scene, change(1e6), 4, bird, hit) == std::vector<std::size_t>{3});  // not wood: it was
                                                                                          // not hit
  space = make_search_space(scene, change(0.5));
  CHECK(narrow(space, scene, change(0.5), 4, bird, hit).empty());
  CHECK(scene.objects[4].parameters.life == profile()->find(Kind::pig, "BasicSmall")->parameters.life);
}
