#include "reasoning/qualitative/stability.hpp"

#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

/// A table: two legs 0.2 x 1 and a top 3 x 0.2. Indices: left leg, right leg, top.
Scene table() {
  Scene scene = empty_scene();
  add_box(scene, 0.2, 0.4, ground, ground + 1);
  add_box(scene, 2.6, 2.8, ground, ground + 1);
  add_box(scene, 0, 3, ground + 1, ground + 1.2);
  return scene;
}

/// Steps 1 wide, each `shift` further right than the one below.
Scene leaning_tower(int steps, double shift) {
  Scene scene = empty_scene();
  for (int i = 0; i < steps; ++i) add_box(scene, i * shift, i * shift + 1, ground + i, ground + i + 1);
  return scene;
}

}  // namespace

TEST_CASE("[qualitative] stability: a table is stable") {
  const Scene scene = table();
  const SupportGraph graph = support_graph(scene);
  CHECK(locally_stable(scene, graph) == std::vector<bool>{true, true, true});
  CHECK(globally_unstable(scene, graph) == std::vector<Tip>{Tip::none, Tip::none, Tip::none});
  CHECK(stable(scene));
}

TEST_CASE(
    "[qualitative] stability: a top on one leg at its end is unstable in both senses, to the side that hangs "
    "over") {
  Scene scene = table();
  scene.objects[0].alive = false;
  const SupportGraph graph = support_graph(scene);
  CHECK(locally_stable(scene, graph) == std::vector<bool>{false, true, false});
  CHECK(globally_unstable(scene, graph)[2] == Tip::left);
  CHECK_FALSE(stable(scene));
}

TEST_CASE("[qualitative] stability: a tower that leans step by step is locally stable but tips as a whole") {
  // Shift 0.4: the centre of each step lies on the one below ([0.4, 1] holds 0.9), but steps 1 and 2 together
  // have their centre at (0.9 + 1.3)/2 = 1.1 > 1, beyond step 0.
  const Scene scene = leaning_tower(3, 0.4);
  const SupportGraph graph = support_graph(scene);
  CHECK(locally_stable(scene, graph) == std::vector<bool>{true, true, true});
  CHECK(globally_unstable(scene, graph) == std::vector<Tip>{Tip::none, Tip::right, Tip::none});
  CHECK_FALSE(stable(scene));
  // Shift 0.3: (0.8 + 1.1)/2 = 0.95 <= 1.
  CHECK(stable(leaning_tower(3, 0.3)));
}

TEST_CASE("[qualitative] stability: a counterweight holds a cantilever that fails the local rule") {
  Scene scene = empty_scene();
  add_box(scene, 0, 0.4, ground, ground + 1);
  const auto plank = add_box(scene, 0.1, 3.1, ground + 1, ground + 1.2);  // mass 0.6, centre 1.6, support
                                                                          // [0.1, 0.4]
  add_box(scene, 0.1, 0.5, ground + 1.2, ground + 1.7, 40);               // mass 8, centre 0.3
  const SupportGraph graph = support_graph(scene);
  // (0.6 x 1.6 + 8 x 0.3) / 8.6 = 0.391 <= 0.4
  CHECK(globally_unstable(scene, graph)[plank] == Tip::none);
  CHECK_FALSE(locally_stable(scene, graph)[plank]);
  scene.objects[2].parameters.density = 30;  // (0.96 + 1.8) / 6.6 = 0.418
  CHECK(globally_unstable(scene, graph)[plank] == Tip::right);
}

TEST_CASE(
    "[qualitative] stability: a beam that rests on two columns weighs on both and counts for none of them "
    "alone") {
  // The left column leans out: its upper block alone has its centre at 0.55 over [0.5 - 0.45, ...]. The beam
  // over both columns is no member of either substructure; what lies on one column alone is.
  Scene scene = empty_scene();
  add_box(scene, 0, 1, ground, ground + 1);
  const auto leaning = add_box(scene, -0.45, 0.55, ground + 1, ground + 2);  // centre 0.05 over [0, 0.55]
  add_box(scene, 3, 4, ground, ground + 2);
  add_box(scene, -0.45, 4, ground + 2, ground + 2.2);  // beam
  CHECK(globally_unstable(scene, support_graph(scene))[leaning] == Tip::none);
  // A weight on the outer end, resting on the block alone: (1 x 0.05 + 0.2 x 5 x -0.35)/(1 + 1) = -0.15 < 0.
  Scene loaded = empty_scene();
  add_box(loaded, 0, 1, ground, ground + 1);
  add_box(loaded, -0.45, 0.55, ground + 1, ground + 2);
  add_box(loaded, -0.45, -0.25, ground + 2, ground + 3, 5);
  CHECK(globally_unstable(loaded, support_graph(loaded))[1] == Tip::left);
}

TEST_CASE(
    "[qualitative] stability: an object in the air is unsupported, and so is not what stands on a platform") {
  Scene scene = empty_scene();
  const auto floating = add_box(scene, 0, 1, 0, 1);
  const auto shelf = add_box(scene, 3, 5, 0, 0.3, 1, Kind::platform);
  const auto standing = add_box(scene, 3.5, 4.5, 0.3, 1.3);
  const SupportGraph graph = support_graph(scene);
  CHECK(globally_unstable(scene, graph)[floating] == Tip::unsupported);
  CHECK(globally_unstable(scene, graph)[shelf] == Tip::none);
  CHECK(globally_unstable(scene, graph)[standing] == Tip::none);
  CHECK(locally_stable(scene, graph) == std::vector<bool>{false, true, true});
}

TEST_CASE("[qualitative] stability: a local verdict rests on stable supporters only") {
  // A block right on top of one that has only a left supporter: its own centre is well under, but what it
  // stands on is not.
  Scene scene = empty_scene();
  add_box(scene, 0, 1, ground, ground + 1);
  add_box(scene, 0.6, 1.6, ground + 1, ground + 2);
  add_box(scene, 0.6, 1.6, ground + 2, ground + 3);
  CHECK(locally_stable(scene, support_graph(scene)) == std::vector<bool>{true, false, false});
}

TEST_CASE("[qualitative] stability: mirroring a random scene mirrors the sides to which it tips") {
  Random random(5);
  int tips = 0;
  for (int k = 0; k < 80; ++k) {
    const Scene scene = random_scene(random), image = mirrored(scene);
    const auto there = globally_unstable(scene, support_graph(scene)),
               back = globally_unstable(image, support_graph(image));
    REQUIRE(locally_stable(scene, support_graph(scene)) == locally_stable(image, support_graph(image)));
    for (std::size_t i = 0; i < there.size(); ++i) {
      const Tip swapped = back[i] == Tip::left ? Tip::right : back[i] == Tip::right ? Tip::left : back[i];
      REQUIRE(there[i] == swapped);
      tips += there[i] == Tip::left || there[i] == Tip::right;
    }
  }
  CHECK(tips > 10);
}

TEST_CASE("[qualitative] stability: what is above counts in whatever order the objects are given") {
  // The leaning tower of above, from its top down.
  Scene scene = empty_scene();
  for (int i : {2, 1, 0}) add_box(scene, i * 0.4, i * 0.4 + 1, ground + i, ground + i + 1);
  CHECK(globally_unstable(scene, support_graph(scene)) == std::vector<Tip>{Tip::none, Tip::right, Tip::none});
}

TEST_CASE(
    "[qualitative] stability: a long beam that another column carries as well tips no block under its end") {
  // Alone on the block its centre at 2.75 would tip that.
  for (bool carried : {true, false}) {
    Scene scene = empty_scene();
    add_box(scene, 0, 1, ground, ground + 1);
    const auto block = add_box(scene, 0, 1, ground + 1, ground + 2);
    add_box(scene, 0.5, 5, ground + 2, ground + 2.2, 5);
    if (carried) add_box(scene, 4, 5, ground, ground + 2);
    CHECK(globally_unstable(scene, support_graph(scene))[block] == (carried ? Tip::none : Tip::right));
    const Scene image = mirrored(scene);
    CHECK(globally_unstable(image, support_graph(image))[block] == (carried ? Tip::none : Tip::left));
  }
}

TEST_CASE(
    "[qualitative] stability: a platform is stable, in whatever order the objects are given, a dead one is "
    "not") {
  for (bool platform_first : {true, false}) {
    Scene scene = empty_scene();
    std::size_t shelf = 0, box = 0;
    for (bool is_shelf : {platform_first, !platform_first})
      if (is_shelf)
        shelf = add_box(scene, 0, 2, 0, 0.3, 1, Kind::platform);
      else
        box = add_box(scene, 0.5, 1.5, 0.3, 1.3);
    CHECK(locally_stable(scene, support_graph(scene)) == std::vector<bool>{true, true});
    CHECK(stable(scene));
    scene.objects[shelf].alive = false;
    CHECK_FALSE(locally_stable(scene, support_graph(scene))[shelf]);
    CHECK_FALSE(locally_stable(scene, support_graph(scene))[box]);
    CHECK_FALSE(stable(scene));
  }
}

TEST_CASE(
    "[qualitative] stability: a top-heavy column tips to the side where its load hangs over, held or not") {
  // A block on a base, its centre at 0.5 over [0, 0.75]. A beam of 1.5 times its mass lies on it with its
  // centre at 1.0: together at 0.8, beyond 0.75.
  for (double beam : {1.0, 0.8}) {
    Scene scene = empty_scene();
    add_box(scene, -0.25, 0.75, ground, ground + 1);
    const auto block = add_box(scene, 0, 1, ground + 1, ground + 2);
    add_box(scene, beam - 0.75, beam + 0.75, ground + 2, ground + 3);
    const Tip tip = globally_unstable(scene, support_graph(scene))[block];
    // 0.4 x 0.5 + 0.6 x 0.8 = 0.68 with the beam at 0.8.
    CHECK(tip == (beam == 1.0 ? Tip::right : Tip::none));
    const Scene image = mirrored(scene);
    CHECK(globally_unstable(image, support_graph(image))[block] == (beam == 1.0 ? Tip::left : Tip::none));
  }
}

TEST_CASE(
    "[qualitative] stability: a beam that is carried beside the column counts so in any order of objects") {
  // A long beam of above, the other column given first. It hangs over that one, and counts for neither alone:
  // with the block its centre would lie at 5.8, beyond all that carries them.
  Scene scene = empty_scene();
  add_box(scene, 4, 5, ground, ground + 2);
  add_box(scene, 0, 1, ground, ground + 1);
  const auto block = add_box(scene, 0, 1, ground + 1, ground + 2);
  add_box(scene, 0.5, 12, ground + 2, ground + 2.2, 5);
  CHECK(globally_unstable(scene, support_graph(scene))[block] == Tip::none);
}

TEST_CASE(
    "[qualitative] stability: what presses down the other end of a block holds it, in any order of objects") {
  // The block's centre at 1.1 hangs over the base, which ends at 1. A beam of 3.9 kg, its centre at -1.05,
  // lies on the block's near end and on a column: (1.1 - 3.9 x 1.05)/4.9 is left of 1.
  for (bool beam_first : {true, false}) {
    Scene scene = empty_scene();
    const auto beam = [&] { add_box(scene, -3, 0.9, ground + 2, ground + 2.2, 5); };
    if (beam_first) beam();
    add_box(scene, 0, 1, ground, ground + 1);
    const auto block = add_box(scene, 0.6, 1.6, ground + 1, ground + 2);
    add_box(scene, -3, -2.8, ground, ground + 2);
    if (!beam_first) beam();
    CHECK(globally_unstable(scene, support_graph(scene))[block] == Tip::none);
    const Scene image = mirrored(scene);
    CHECK(globally_unstable(image, support_graph(image))[block] == Tip::none);
    scene.objects[beam_first ? 0 : 3].alive = false;
    CHECK(globally_unstable(scene, support_graph(scene))[block] == Tip::right);
  }
}

TEST_CASE(
    "[qualitative] stability: in a row of 96 pairs of boxes each stands, and nothing beyond them is read") {
  // So many bits fill whole words and all of their piece of memory.
  Scene scene = empty_scene();
  for (int k = 0; k < 96; ++k)
    for (int level : {0, 1}) add_box(scene, 2 * k, 2 * k + 1, ground + level, ground + level + 1);
  REQUIRE(scene.objects.size() == 192);
  CHECK(stable(scene));
}
