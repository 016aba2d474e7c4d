#include "reasoning/qualitative/vertical_impact.hpp"

#include <algorithm>
#include <ostream>

#include "reasoning/qualitative/stability.hpp"
#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

namespace startle {
std::ostream& operator<<(std::ostream& out, const Fall& fall) {
  return out << fall.object << " " << name(fall.direction);
}
}  // namespace startle

using namespace startle;

namespace {

constexpr auto down = FallDirection::down;
constexpr auto left = FallDirection::left;
constexpr auto right = FallDirection::right;

std::vector<Fall> impact(const Scene& scene, std::size_t object) {
  return vertical_impact(scene, support_graph(scene), object);
}

}  // namespace

TEST_CASE(
    "[qualitative] vertical impact: a tower above a lost block falls straight down, what is below stays") {
  Scene scene = empty_scene();
  for (int i = 0; i < 4; ++i) add_box(scene, 0, 1, ground + i, ground + i + 1);
  CHECK(impact(scene, 0) == std::vector<Fall>{{1, down}, {2, down}, {3, down}});
  CHECK(impact(scene, 2) == std::vector<Fall>{{3, down}});
  CHECK(impact(scene, 3).empty());
}

TEST_CASE(
    "[qualitative] vertical impact: a table without a leg tips to that leg's side and takes along what "
    "stands "
    "on it") {
  Scene scene = empty_scene();
  add_box(scene, 0.2, 0.4, ground, ground + 1);
  add_box(scene, 2.6, 2.8, ground, ground + 1);
  const auto top = add_box(scene, 0, 3, ground + 1, ground + 1.2);
  const auto vase = add_box(scene, 1, 1.2, ground + 1.2, ground + 1.6);
  CHECK(impact(scene, 0) == std::vector<Fall>{{top, left}, {vase, left}});
  CHECK(impact(scene, 1) == std::vector<Fall>{{top, right}, {vase, right}});
  CHECK(impact(scene, vase).empty());
}

TEST_CASE("[qualitative] vertical impact: a table with a third leg in the middle keeps its top") {
  Scene scene = empty_scene();
  add_box(scene, 0.2, 0.4, ground, ground + 1);
  add_box(scene, 2.6, 2.8, ground, ground + 1);
  add_box(scene, 1.4, 1.6, ground, ground + 1);
  add_box(scene, 0, 3, ground + 1, ground + 1.2);
  // The centre 1.5 lies in [1.4, 2.8] and in [0.2, 1.6].
  CHECK(impact(scene, 0).empty());
  CHECK(impact(scene, 1).empty());
  CHECK(impact(scene, 2).empty());
}

TEST_CASE("[qualitative] vertical impact: a lost counterweight lets the cantilever below it tip") {
  Scene scene = empty_scene();
  const auto pillar = add_box(scene, 0, 0.4, ground, ground + 1);
  const auto plank = add_box(scene, 0.1, 3.1, ground + 1, ground + 1.2);  // mass 0.6, centre 1.6, support
                                                                          // [0.1, 0.4]
  const auto weight = add_box(scene, 0.1, 0.5, ground + 1.2, ground + 1.7, 40);  // mass 8, centre 0.3:
                                                                                 // together 0.391
  REQUIRE(globally_unstable(scene, support_graph(scene))[plank] == Tip::none);
  CHECK(impact(scene, weight) == std::vector<Fall>{{plank, right}});
  CHECK(impact(scene, pillar) == std::vector<Fall>{{plank, down}, {weight, down}});
  CHECK(impact(scene, plank) == std::vector<Fall>{{weight, down}});
}

TEST_CASE("[qualitative] vertical impact: a beam that rests elsewhere too holds a plank down by its share") {
  // Plank b on pillar p (contact [0, 0.2]) and, until it is hit, on q. Beam s lies on b's left end and on a
  // far column.
  Scene scene = empty_scene();
  add_box(scene, 0, 0.2, ground, ground + 1);  // p
  const auto q = add_box(scene, 2, 2.2, ground, ground + 1);
  const auto b = add_box(scene, -0.3, 2.3, ground + 1, ground + 1.2);  // mass 0.52, centre 1.0
  add_box(scene, -3, -2.8, ground, ground + 1.2);
  const auto s = add_box(scene, -3, -0.1, ground + 1.2, ground + 1.4, 10);  // mass 5.8; half of it at -0.2
  // (0.52 x 1.0 + 2.9 x -0.2) / 3.42 = -0.018 <= 0.2: held. With a light beam, mass 0.29 at -0.2, (0.52 -
  // 0.058) / 0.81 = 0.57: not, and the beam, left on its far column alone, comes down too.
  CHECK(impact(scene, q).empty());
  scene.objects[s].parameters.density = 1;
  CHECK(impact(scene, q) == std::vector<Fall>{{b, right}, {s, right}});
}

TEST_CASE(
    "[qualitative] vertical impact: a counterweight presses with its share alone, not with all of its "
    "weight") {
  // The scene above with a beam of density 2.5, mass 1.45 at -0.2: with all of it (0.52 - 0.29)/1.97 = 0.117
  // <= 0.2 the plank would be held; with its half (0.52 - 0.145)/1.245 = 0.301 it is not.
  Scene scene = empty_scene();
  add_box(scene, 0, 0.2, ground, ground + 1);
  const auto q = add_box(scene, 2, 2.2, ground, ground + 1);
  const auto b = add_box(scene, -0.3, 2.3, ground + 1, ground + 1.2);
  add_box(scene, -3, -2.8, ground, ground + 1.2);
  const auto s = add_box(scene, -3, -0.1, ground + 1.2, ground + 1.4, 2.5);
  CHECK(impact(scene, q) == std::vector<Fall>{{b, right}, {s, right}});
}

TEST_CASE(
    "[qualitative] vertical impact: what rests elsewhere too and lies beyond the edge does not press the "
    "plank "
    "down") {
  // As above with the heavy beam that holds plank b, and one as heavy on b's far end and on a column beyond.
  // That one is carried by its column when b gives way: it is no load. (It would be 3.4 at 2.05: (0.52 - 0.58
  // + 6.97)/6.82 = 1.01, far beyond 0.2.)
  Scene scene = empty_scene();
  add_box(scene, 0, 0.2, ground, ground + 1);
  const auto q = add_box(scene, 2, 2.2, ground, ground + 1);
  add_box(scene, -0.3, 2.3, ground + 1, ground + 1.2);
  add_box(scene, -3, -2.8, ground, ground + 1.2);
  add_box(scene, -3, -0.1, ground + 1.2, ground + 1.4, 10);
  add_box(scene, 5, 5.2, ground, ground + 1.2);
  add_box(scene, 1.8, 5.2, ground + 1.2, ground + 1.4, 10);
  CHECK(impact(scene, q).empty());
}

TEST_CASE("[qualitative] vertical impact: a structure like that of figure 5 of Pinto et al.") {
  // vertical impact(o1) = {o1, o3, o4, o5, o6, o8}, while o2 and o7 stay. Boxes named as there; index =
  // number - 1.
  Scene scene = empty_scene();
  add_box(scene, 0, 0.2, ground, ground + 1);             // o1 pillar
  add_box(scene, 2, 2.2, ground, ground + 1);             // o2 pillar
  add_box(scene, -0.2, 2.4, ground + 1, ground + 1.2);    // o3 plank on both
  add_box(scene, 0, 0.2, ground + 1.2, ground + 2.2);     // o4 on o3
  add_box(scene, 1, 1.2, ground + 1.2, ground + 2.2);     // o5 on o3
  add_box(scene, -0.1, 1.5, ground + 2.2, ground + 2.4);  // o6 plank on o4 and o5
  add_box(scene, 3, 3.2, ground, ground + 2.4);           // o7 pillar
  add_box(scene, 0.9, 3.1, ground + 2.4, ground + 2.6);   // o8 plank on o6 and o7
  // Without o1, [pl, pr] of o3 is [2, 2.2]; o3 to o6 have their centre at (0.572 + 0.02 + 0.22 + 0.224)
  // / 1.24 = 0.84: left. Then o8 keeps o7 alone, [3, 3.1], with its centre at 2.0: left. o2 and o7 stand by
  // themselves.
  CHECK(impact(scene, 0) == std::vector<Fall>{{2, left}, {3, left}, {4, left}, {5, left}, {7, left}});
}

TEST_CASE("[qualitative] vertical impact: supporters that fall support no more, until nothing changes") {
  // A staircase of planks, each held by the one below and its own post on the right; losing the first post
  // brings down all.
  Scene scene = empty_scene();
  const auto first = add_box(scene, 0, 0.2, ground, ground + 1);
  std::vector<Fall> expected;
  for (int i = 0; i < 5; ++i) {
    const double x = 1.0 * i, y = ground + 1 + 0.2 * i;
    const auto post = add_box(scene, x + 2, x + 2.2, ground, y);
    // From 0.0 (or the last plank's end) to the post: the centre lies left of the post.
    const auto plank = add_box(scene, x, x + 2.2, y, y + 0.2);
    (void)post;
    expected.push_back({plank, left});
  }
  CHECK(impact(scene, first) == expected);
}

TEST_CASE(
    "[qualitative] vertical impact: an object that the approximation has wrong from the start is left "
    "alone") {
  // A block that overhangs too far (held, say, by friction at its side) does not fall because a block on it
  // is taken away.
  Scene scene = empty_scene();
  add_box(scene, 0, 1, ground, ground + 1);
  const auto overhang = add_box(scene, 0.8, 1.8, ground + 1, ground + 2);
  const auto on_top = add_box(scene, 0.8, 1.8, ground + 2, ground + 3);
  REQUIRE(globally_unstable(scene, support_graph(scene))[overhang] == Tip::right);
  CHECK(impact(scene, on_top).empty());
  CHECK(impact(scene, 0) == std::vector<Fall>{{overhang, down}, {on_top, down}});
}

TEST_CASE("[qualitative] vertical impact: static objects neither fall nor make fall") {
  Scene scene = empty_scene();
  const auto shelf = add_box(scene, 0, 2, 0, 0.3, 1, Kind::platform);
  const auto a = add_box(scene, 0.5, 1.5, 0.3, 1.3);
  const auto b = add_box(scene, 0.5, 1.5, 1.3, 2.3);
  CHECK(impact(scene, shelf).empty());
  CHECK(impact(scene, a) == std::vector<Fall>{{b, down}});
}

TEST_CASE("[qualitative] vertical impact: taking away what touches nothing lets nothing fall") {
  Random random(21);
  for (int k = 0; k < 40; ++k) {
    Scene scene = random_scene(random);
    const auto apart = add_box(scene, -4, -3.5, ground + 5, ground + 5.5);
    REQUIRE(impact(scene, apart).empty());
  }
}

TEST_CASE(
    "[qualitative] vertical impact: what falls in a random scene is alive, mobile and connected, and mirrors "
    "with the scene") {
  Random random(22);
  int sideways = 0, falls = 0;
  for (int k = 0; k < 80; ++k) {
    const Scene scene = random_scene(random), image = mirrored(scene);
    const SupportGraph graph = support_graph(scene), image_graph = support_graph(image);
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      const auto there = vertical_impact(scene, graph, i);
      auto back = vertical_impact(image, image_graph, i);
      for (Fall& fall : back)
        fall.direction = fall.direction == left ? right : fall.direction == right ? left : down;
      REQUIRE(there == back);
      for (const Fall& fall : there) {
        REQUIRE(fall.object != i);
        REQUIRE_FALSE(scene.objects[fall.object].is_static());
        sideways += fall.direction != down;
        ++falls;
      }
      // All that stood on this object alone, directly, falls.
      for (std::size_t e : graph.supportees[i])
        if (!scene.objects[i].is_static() && graph.supporters[graph.edges[e].upper].size() == 1)
          REQUIRE(std::any_of(there.begin(), there.end(),
                              [&](const Fall& f) { return f.object == graph.edges[e].upper; }));
    }
  }
  CHECK(falls > 300);
  CHECK(sideways > 10);
}

TEST_CASE(
    "[qualitative] vertical impact: what a tower carries falls, in whatever order the objects are given") {
  for (bool top_first : {false, true}) {
    Scene scene = empty_scene();
    std::vector<int> levels{0, 1, 2};
    if (top_first) std::reverse(levels.begin(), levels.end());
    for (int level : levels) add_box(scene, 0, 1, ground + level, ground + level + 1);
    const std::size_t base = top_first ? 2 : 0;
    const std::vector<Fall> falls = vertical_impact(scene, support_graph(scene), base);
    REQUIRE(falls.size() == 2);
    for (const Fall& fall : falls) CHECK(fall.direction == FallDirection::down);
    CHECK(falls[0].object < falls[1].object);
  }
}
