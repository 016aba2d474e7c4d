#include "reasoning/qualitative/movement.hpp"

#include <algorithm>
#include <set>

#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

constexpr ReasoningConstants constants{.k_flip = 2, .k_slide = 1};

std::vector<ImpactedObject> impacted(const Scene& scene, std::size_t target) {
  return impacted_objects(scene, support_graph(scene), target, scene.profile->bird("BirdRed"), constants);
}

std::set<int> cases_of(const std::vector<ImpactedObject>& list, std::size_t object) {
  std::set<int> result;
  for (const ImpactedObject& i : list)
    if (i.object == object)
      for (int c = 1; c <= 9; ++c)
        if (i.cases.test(static_cast<std::size_t>(c))) result.insert(c);
  return result;
}

using Set = std::set<int>;

}  // namespace

TEST_CASE("[qualitative] movement: a target is destroyed, or slides, or flips, and goes on accordingly") {
  Scene scene = empty_scene();
  const auto box = add_box(scene, 0, 1, ground, ground + 1);
  CHECK(cases_of(impacted(scene, box), box) == Set{3, 6});
  const auto post = add_box(scene, 5, 5.2, ground, ground + 1);
  CHECK(cases_of(impacted(scene, post), post) == Set{2, 8});
  scene.objects[box].life = 1;
  CHECK(cases_of(impacted(scene, box), box) == Set{1});
  CHECK(impacted(scene, box).size() == 1);
}

TEST_CASE(
    "[qualitative] movement: above the ground a pushed object falls where its surface ends within its way") {
  // On a platform [0, 3]. A box at [0.5, 1] slides 1: its centre 0.75 comes to 1.75, still on. At
  // [2, 2.5]: 2.25 to 3.25, off.
  Scene scene = empty_scene();
  add_box(scene, 0, 3, 0, 0.3, 1, Kind::platform);
  const auto early = add_box(scene, 0.5, 1, 0.3, 0.8);
  const auto late = add_box(scene, 2, 2.5, 0.3, 0.8);
  CHECK(cases_of(impacted(scene, early), early) == Set{3, 6});
  CHECK(cases_of(impacted(scene, late), late) == Set{3, 7});
  // A post 0.2 x 1 comes to lie 0.6 further on: from 2.3 to 2.9, on; from 2.5 to 3.1, off.
  Scene posts = empty_scene();
  add_box(posts, 0, 3, 0, 0.3, 1, Kind::platform);
  const auto stays = add_box(posts, 2.2, 2.4, 0.3, 1.3);
  CHECK(cases_of(impacted(posts, stays), stays) == Set{2, 8});
  posts.objects[stays].pose.position.x = 2.5;
  CHECK(cases_of(impacted(posts, stays), stays) == Set{2, 9});
}

TEST_CASE(
    "[qualitative] movement: surfaces at one level are followed across gaps that the object can bridge") {
  for (double gap : {0.2, 0.6}) {
    Scene scene = empty_scene();
    add_box(scene, 0, 1, 0, 0.3, 1, Kind::platform);
    add_box(scene, 1 + gap, 4, 0, 0.3, 1, Kind::platform);
    const auto box = add_box(scene, 0, 1, 0.3, 0.8);  // half width 0.5
    CHECK(cases_of(impacted(scene, box), box) == (gap < 0.5 ? Set{3, 6} : Set{3, 7}));
    CHECK(cases_of(impacted(mirrored(scene), box), box) == (gap < 0.5 ? Set{3, 6} : Set{3, 7}));
  }
}

TEST_CASE("[qualitative] movement: what lies higher or lower beside its floor does not carry what slides") {
  for (double top : {0.3, 0.0, 0.6}) {
    Scene scene = empty_scene();
    add_box(scene, 0, 1, 0, 0.3, 1, Kind::platform);
    if (top > 0) add_box(scene, 1.2, 4, top - 0.1, top, 1, Kind::platform);
    const auto box = add_box(scene, 0, 1, 0.3, 0.8);
    CAPTURE(top);
    CHECK(cases_of(impacted(scene, box), box).contains(7) == (top != 0.3));
    CHECK(cases_of(impacted(mirrored(scene), box), box).contains(7) == (top != 0.3));
  }
}

TEST_CASE(
    "[qualitative] movement: what stood on the target falls, and directly above something static it does not "
    "rotate") {
  Scene scene = empty_scene();
  const auto base = add_box(scene, 0, 1, ground, ground + 1);
  const auto middle = add_box(scene, 0, 1, ground + 1, ground + 2);
  const auto top = add_box(scene, 0, 1, ground + 2, ground + 3);
  const auto list = impacted(scene, base);
  REQUIRE(list.size() == 3);
  CHECK(list.front().object == base);
  CHECK(cases_of(list, middle) == Set{4});  // comes down on the ground
  CHECK(cases_of(list, top) == Set{5});     // comes down on the middle block
  for (const ImpactedObject& i : list) CHECK_FALSE(i.reason.empty());
}

TEST_CASE(
    "[qualitative] movement: the closest object in the way is pushed, what stands on it falls, and one "
    "behind "
    "it is spared") {
  Scene scene = empty_scene();
  const auto target = add_box(scene, 0, 1, ground, ground + 1);
  const auto low = add_box(scene, 1.3, 2.3, ground, ground + 1);
  const auto on_low = add_box(scene, 1.3, 2.3, ground + 1, ground + 2);
  const auto behind = add_box(scene, 2.5, 3, ground, ground + 1);
  auto list = impacted(scene, target);
  CHECK(cases_of(list, low) == Set{6});
  CHECK(cases_of(list, on_low) == Set{4});
  CHECK(cases_of(list, behind).empty());
  // A post in the way flips.
  Scene with_post = empty_scene();
  add_box(with_post, 0, 1, ground, ground + 1);
  const auto post = add_box(with_post, 1.3, 1.5, ground, ground + 1);
  CHECK(cases_of(impacted(with_post, 0), post) == Set{8});
  // On a platform that ends, pushed objects fall off.
  Scene shelf = empty_scene();
  add_box(shelf, 0, 2, 0, 0.3, 1, Kind::platform);
  add_box(shelf, 0, 0.5, 0.3, 0.8);
  const auto edge = add_box(shelf, 1.2, 1.8, 0.3, 0.8);
  CHECK(cases_of(impacted(shelf, 1), edge) == Set{7});
  const auto slender = add_box(shelf, 1.0, 1.1, 0.3, 2.3);
  CHECK(cases_of(impacted(shelf, 1), slender) == Set{9});
}

TEST_CASE("[qualitative] movement: a platform in the way stops the influence and is not impacted") {
  Scene scene = empty_scene();
  const auto target = add_box(scene, 0, 1, ground, ground + 1);
  add_box(scene, 1.2, 1.4, ground, ground + 1, 1, Kind::platform);
  add_box(scene, 1.6, 2, ground, ground + 1);
  const auto list = impacted(scene, target);
  REQUIRE(list.size() == 1);
  CHECK(list.front().object == target);
}

TEST_CASE("[qualitative] movement: an object that falls and is pushed has both cases, in one entry") {
  // A plank on a pillar, held by the target as its counterweight; a box beside the target on the plank.
  // Without the target the plank tips with the box on it, and the target also pushes the box along.
  Scene scene = empty_scene();
  add_box(scene, 0, 0.4, ground, ground + 1);
  const auto plank = add_box(scene, 0.1, 3.1, ground + 1, ground + 1.2);
  const auto target = add_box(scene, 0.1, 0.5, ground + 1.2, ground + 1.6, 75);
  const auto box = add_box(scene, 0.9, 1.3, ground + 1.2, ground + 1.6);
  const auto list = impacted(scene, target);
  CHECK(list.size() == 3);
  CHECK(cases_of(list, plank) == Set{5});   // above the pillar, which is not static
  CHECK(cases_of(list, box) == Set{5, 7});  // above the plank; and what it slides on is falling
  CHECK(cases_of(list, target) == Set{3, 7});
}

TEST_CASE(
    "[qualitative] movement: in random scenes the target comes first, each object is listed once and has a "
    "case, and all nine cases occur") {
  Random random(51);
  Cases seen;
  for (int k = 0; k < 80; ++k) {
    const Scene scene = random_scene(random);
    const SupportGraph graph = support_graph(scene);
    for (std::size_t t = 0; t < scene.objects.size(); ++t) {
      if (scene.objects[t].is_static()) continue;
      const auto list = impacted_objects(scene, graph, t, scene.profile->bird("BirdRed"), constants);
      REQUIRE(list.front().object == t);
      std::set<std::size_t> once;
      for (const ImpactedObject& i : list) {
        REQUIRE(once.insert(i.object).second);
        REQUIRE(i.cases.any());
        REQUIRE((i.cases & Cases(1)).none());
        REQUIRE_FALSE(i.reason.empty());
        REQUIRE_FALSE(scene.objects[i.object].is_static());
        const bool direct = i.cases[movement::hit_and_destroyed] || i.cases[movement::hit_and_flips] ||
                            i.cases[movement::hit_and_slides];
        REQUIRE(direct == (i.object == t));
        seen |= i.cases;
      }
      // impacted(oi, oj) holds for all of the vertical impact.
      for (const Fall& fall : vertical_impact(scene, graph, t)) REQUIRE(once.count(fall.object) == 1);
    }
  }
  CHECK(seen.count() == 9);
}

TEST_CASE(
    "[qualitative] movement: what falls does so in the direction of the vertical impact, and what does not "
    "fall has none") {
  // A table whose left leg is destroyed tips left with its vase; the leg that stays is not moved at all.
  Scene scene = empty_scene();
  const auto leg = add_box(scene, 0.2, 0.4, ground, ground + 1);
  add_box(scene, 2.6, 2.8, ground, ground + 1);
  const auto top = add_box(scene, 0, 3, ground + 1, ground + 1.2);
  const auto vase = add_box(scene, 1, 1.2, ground + 1.2, ground + 1.6);
  scene.objects[leg].life = 1;
  const auto list = impacted(scene, leg);
  REQUIRE(list.size() == 3);
  CHECK_FALSE(list[0].falls.has_value());
  CHECK(list[1].object == top);
  CHECK(list[1].falls == FallDirection::left);
  CHECK(list[2].object == vase);
  CHECK(list[2].falls == FallDirection::left);
  // What has lost its only support falls down.
  Scene tower = empty_scene();
  const auto base = add_box(tower, 0, 1, ground, ground + 1);
  add_box(tower, 0, 1, ground + 1, ground + 2);
  tower.objects[base].life = 1;
  CHECK(impacted(tower, base).back().falls == FallDirection::down);
}

TEST_CASE("[qualitative] movement: in the mirrored scene the same objects have the same cases") {
  Random random(52);
  int others = 0;
  for (int k = 0; k < 60; ++k) {
    const Scene scene = random_scene(random), image = mirrored(scene);
    for (std::size_t t = 0; t < scene.objects.size(); ++t) {
      if (scene.objects[t].is_static()) continue;
      const auto here = impacted(scene, t), there = impacted(image, t);
      REQUIRE(here.size() == there.size());
      others += static_cast<int>(here.size()) - 1;
      for (std::size_t i = 0; i < here.size(); ++i) {
        REQUIRE(here[i].object == there[i].object);
        REQUIRE(here[i].cases == there[i].cases);
        REQUIRE(here[i].falls.has_value() == there[i].falls.has_value());
        if (!here[i].falls) continue;
        const FallDirection turned = *here[i].falls == FallDirection::left    ? FallDirection::right
                                     : *here[i].falls == FallDirection::right ? FallDirection::left
                                                                              : FallDirection::down;
        REQUIRE(*there[i].falls == turned);
      }
    }
  }
  CHECK(others > 300);
}

TEST_CASE("[qualitative] movement: methods are found by their names") {
  CHECK(name(Method::published) == std::string("published"));
  CHECK(name(Method::extended) == std::string("extended"));
  CHECK(method_from_name("published") == Method::published);
  CHECK(method_from_name("extended") == Method::extended);
  CHECK_FALSE(method_from_name("other").has_value());
}

TEST_CASE(
    "[qualitative] movement: above something static lies what it carries, and what nothing else is below") {
  Scene scene = empty_scene();
  const auto low = add_box(scene, 0, 2, ground, ground + 1), high = add_box(scene, 0, 1, 0, 0.5),
             shelf = add_box(scene, 5, 7, 0, 0.5, 1, Kind::platform), on_shelf = add_box(scene, 5, 6, 0.5, 1),
             over_shelf = add_box(scene, 6, 7, 2, 3);
  const SupportGraph graph = support_graph(scene);
  const auto above_static = [&](std::size_t object, std::size_t without = 99) {
    return directly_above_static(scene, graph, object, without);
  };
  CHECK(above_static(low));
  CHECK_FALSE(above_static(high));
  CHECK(above_static(high, low));
  CHECK(above_static(on_shelf));
  CHECK(above_static(over_shelf));
  CHECK(above_static(over_shelf, shelf));  // then above the ground
  // Of several below the highest counts, whatever their order; what is only beside does not.
  Scene pile = empty_scene();
  add_box(pile, 0, 1, 1, 2, 1, Kind::platform);
  const auto block = add_box(pile, 0, 1, 2.5, 3), top = add_box(pile, 0, 1, 4, 5);
  add_box(pile, 0, 1, 0, 0.5, 1, Kind::platform);
  add_box(pile, 1, 2, 3, 3.9, 1, Kind::platform);
  add_box(pile, -1, 0, 3, 3.9, 1, Kind::platform);
  const SupportGraph piled = support_graph(pile);
  CHECK_FALSE(directly_above_static(pile, piled, top, 99));
  CHECK(directly_above_static(pile, piled, top, block));
  CHECK(directly_above_static(pile, piled, block, 99));
}

TEST_CASE("[qualitative] movement: surfaces are followed in whatever order they are given") {
  // The centre is at 0.25 and comes to 1.25: on the third platform, which begins at 1.2.
  for (bool reversed : {false, true}) {
    Scene scene = empty_scene();
    std::vector<std::pair<double, double>> ends{{0, 0.5}, {0.5, 1.2}, {1.2, 3}};
    if (reversed) std::reverse(ends.begin(), ends.end());
    for (const auto& [from, to] : ends) add_box(scene, from, to, 0, 0.3, 1, Kind::platform);
    const auto box = add_box(scene, 0, 0.5, 0.3, 0.8);
    CHECK(cases_of(impacted(scene, box), box) == Set{3, 6});
    CHECK(cases_of(impacted(mirrored(scene), box), box) == Set{3, 6});
  }
}

TEST_CASE(
    "[qualitative] movement: where the surface ends exactly where the object comes to, it stays on it") {
  // All numbers are exact in binary: the centre goes from 0.5 to 1.5.
  for (double end : {1.5, 1.4375}) {
    Scene scene = empty_scene();
    add_box(scene, 0, end, 0, 0.5, 1, Kind::platform);
    add_box(scene, 0, 1, 0.5, 1.5);
    const SupportGraph graph = support_graph(scene);
    CHECK(falls_off(scene, graph, 1, 1, {}) == (end < 1.5));
    const Scene image = mirrored(scene);
    CHECK(falls_off(image, support_graph(image), 1, 1, {}) == (end < 1.5));
    // It may stand beyond the middle of a gap of half its width.
    CHECK(falls_off(scene, graph, 1, 0.25, {}) == false);
    CHECK(falls_off(scene, graph, 1, 0.25, {0}) == true);  // its surface moves away
  }
}

TEST_CASE(
    "[qualitative] movement: what loses both of its supports is said once to fall, to the side of the "
    "first") {
  // A beam on the target and on the box that the target is pushed against. Its centre is at 1.15: beyond
  // either one alone, which end at 1 and begin at 1.3.
  Scene scene = empty_scene();
  const auto target = add_box(scene, 0, 1, ground, ground + 1),
             other = add_box(scene, 1.3, 2.3, ground, ground + 1),
             beam = add_box(scene, 0, 2.3, ground + 1, ground + 1.2);
  const auto list = impacted(scene, target);
  REQUIRE(list.size() == 3);
  CHECK(cases_of(list, other) == Set{6});
  CHECK(list[2].object == beam);
  CHECK(cases_of(list, beam) == Set{5});
  CHECK(list[2].falls == FallDirection::left);
  CHECK(list[2].reason == "falls left: support of the target lost");
}

TEST_CASE(
    "[qualitative] movement: a target that stands on what it is pushed against is hit, and does not fall") {
  // A slender post on the low part of an angle, whose high part is beside it.
  Scene scene = empty_scene();
  const auto angle = add(scene, Kind::block,
                         polygon_shape({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 0.3}, {0, 0.3}}), {0, ground});
  const auto post = add_box(scene, 0.4, 0.6, ground + 0.3, ground + 1.3);
  const auto list = impacted(scene, post);
  REQUIRE(list.size() == 2);
  CHECK(list[1].object == angle);
  CHECK_FALSE(list[0].falls.has_value());
  CHECK(cases_of(list, post).contains(2));
  CHECK_FALSE(cases_of(list, post).contains(4));
  CHECK_FALSE(cases_of(list, post).contains(5));
}

TEST_CASE(
    "[qualitative] movement: below an object lies what is under it by more than the contacts' tolerance") {
  // A narrow block straight below an edge of the object, half of it under the object.
  for (double half : {contact_tolerance, contact_tolerance + 0.01}) {
    for (double side : {1.0, -1.0}) {
      Scene scene = empty_scene();
      const auto object = side > 0 ? add_box(scene, 0, 1, 0, 1) : add_box(scene, -1, 0, 0, 1);
      add_box(scene, -half, half, ground, ground + 1);
      CHECK(directly_above_static(scene, support_graph(scene), object, 99) == (half == contact_tolerance));
    }
  }
}
