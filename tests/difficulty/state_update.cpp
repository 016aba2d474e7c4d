
#include "difficulty/state_update.hpp"

#include <algorithm>
#include <numbers>

#include "difficulty/difficulty.hpp"
#include "reasoning/qualitative/support.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "scenes.hpp"
#include "sim/shape.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

bool same_pose(const SceneObject& a, const SceneObject& b) {
  return a.pose.position == b.pose.position && a.pose.angle == b.pose.angle && a.alive == b.alive;
}

double bottom(const Scene& scene, std::size_t i) { return scene.objects[i].world_bounds().ymin; }
double top(const Scene& scene, std::size_t i) { return scene.objects[i].world_bounds().ymax; }

}  // namespace

TEST_CASE("[state update] destroyed target: removed, what it carried comes down by its height") {
  // Wood block 0 under stone block 1 under pig 2; 3 stands apart and is not touched.
  const double h = 0.3772;
  const Scene scene = scene_of(
      {block("RectFat", Material::wood, 2, ground), block("RectFat", Material::stone, 2, ground + h),
       pig("BasicSmall", 2, ground + 2 * h), block("SquareSmall", Material::ice, 5, ground)});
  const Scene next = update_qualitatively(scene, {{moved(0, {1}), moved(1, {4}), moved(2, {5})}, {}});
  CHECK(!next.objects[0].alive);
  CHECK(next.objects[0].pose.position == scene.objects[0].pose.position);
  CHECK(next.next_bird == 1);
  CHECK(bottom(next, 1) == Approx(ground).margin(1e-6));
  CHECK(bottom(next, 2) == Approx(ground + h).margin(1e-3));
  CHECK(next.objects[1].pose.position.x == 2);
  CHECK(same_pose(next.objects[3], scene.objects[3]));
}

TEST_CASE("[state update] flip: a quarter turn away from the slingshot, onto its side") {
  // RectSmall (0.7636 x 0.184) standing on end at x = 2: it spans 1.908 to 2.092 and lies from 2.092 to 2.092
  // + 0.7636 then.
  LevelObject domino = block("RectSmall", Material::wood, 2, ground);
  domino.rotation_deg = 90;
  domino.position.y = ground + 0.3818;
  const Scene scene = scene_of({domino});
  const Bounds box = update_qualitatively(scene, {{moved(0, {2})}, {}}).objects[0].world_bounds();
  CHECK(box.xmin == Approx(2.092).margin(1e-4));
  CHECK(box.xmax == Approx(2.092 + 0.7636).margin(1e-4));
  CHECK(box.ymin == Approx(ground).margin(1e-4));
  CHECK(box.ymax == Approx(ground + 0.184).margin(1e-4));
}

TEST_CASE("[state update] flip: left of the slingshot it falls to the left") {
  LevelObject domino = block("RectSmall", Material::wood, -8, ground);
  domino.rotation_deg = 90;
  domino.position.y = ground + 0.3818;
  const Bounds box =
      update_qualitatively(scene_of({domino}), {{moved(0, {2})}, {}}).objects[0].world_bounds();
  CHECK(box.xmax == Approx(-8.092).margin(1e-4));
  CHECK(box.ymin == Approx(ground).margin(1e-4));
}

TEST_CASE("[state update] flip: leans where a wall that stays is in the way") {
  LevelObject domino = block("RectSmall", Material::wood, 2, ground);
  domino.rotation_deg = 90;
  domino.position.y = ground + 0.3818;
  const Scene scene = scene_of({domino, block("SquareHole", Material::stone, 2.7, ground)});
  const Scene next = update_qualitatively(scene, {{moved(0, {2})}, {}});
  CHECK(next.objects[0].pose.angle == scene.objects[0].pose.angle);
  CHECK(next.objects[0].pose.position.x == scene.objects[0].pose.position.x);
}

TEST_CASE("[state update] slide: as far as k_slide, or to the first obstacle") {
  // RectFat spans x +- 0.3818. With nothing ahead it goes k_slide; with SquareSmall (+- 0.19141) at 3 the way
  // is 3 - 0.19141 - (2 + 0.3818) = 0.42679.
  const ReasoningConstants constants{.k_flip = 1, .k_slide = 1};
  const Scene free = scene_of({block("RectFat", Material::stone, 2, ground)});
  CHECK(update_qualitatively(free, {{moved(0, {3})}, {}}, constants).objects[0].pose.position.x == Approx(3));
  const Scene walled = scene_of(
      {block("RectFat", Material::stone, 2, ground), block("SquareSmall", Material::ice, 3, ground)});
  CHECK(update_qualitatively(walled, {{moved(0, {3})}, {}}, constants).objects[0].pose.position.x ==
        Approx(2.42679));
}

TEST_CASE("[state update] slide: what falls ahead has left its place") {
  // SquareSmall is 0.38282 wide: the one ahead stood 0.2 away, and the first goes k_slide = 0.5 all the same.
  const double size = 0.38282;
  const Scene scene = scene_of({block("SquareSmall", Material::wood, 2, ground),
                                block("SquareSmall", Material::wood, 2.2 + size, ground)});
  const Scene next = update_qualitatively(scene, {{moved(0, {3}), moved(1, {4})}, {}},
                                          {.k_flip = 1, .k_slide = 0.5});
  CHECK(next.objects[0].pose.position.x == Approx(2.5));
}

TEST_CASE("[state update] slide: off the edge it comes down to the ground") {
  // Platform of 0.64 x 0.64 with its top at -2; the block on it slides 1 to the right and has nothing below
  // any more.
  const Scene scene = scene_of({platform(2, -2.32), block("SquareSmall", Material::wood, 2.2, -2)});
  const Scene next = update_qualitatively(scene, {{moved(1, {3, 7})}, {}}, {.k_flip = 1, .k_slide = 1});
  CHECK(next.objects[1].pose.position.x == Approx(3.2));
  CHECK(bottom(next, 1) == Approx(ground).margin(1e-6));
  CHECK(same_pose(next.objects[0], scene.objects[0]));
}

TEST_CASE("[state update] fall: onto a slope it sinks until the shapes touch, not the boxes") {
  // The triangle's slope runs from (-0.375, 0.375) to (0.375, -0.375) about its centre. A SquareTiny 0.1
  // right of the centre has its lower left corner at x = 0.1 - 0.092 = 0.008, where the slope is at -0.008
  // above the triangle's centre.
  const Scene scene = scene_of(
      {block("Triangle", Material::stone, 2, ground), block("SquareTiny", Material::wood, 2.1, 0)});
  const Scene next = update_qualitatively(scene, {{moved(1, {4})}, {}});
  CHECK(bottom(next, 1) == Approx(ground + 0.375 - 0.008).margin(0.035));  // contact_tolerance is left out on
                                                                           // either side
  CHECK(bottom(next, 1) < ground + 0.75 - 0.3);
}

TEST_CASE("[state update] fall: onto a peak at either end of a shape, under the middle of what comes down") {
  // The triangle is highest at its left side, x = 2 - 0.375; turned by 90 degrees at its right, 2 + 0.375.
  for (double turn : {0.0, 90.0}) {
    LevelObject triangle = block("Triangle", Material::stone, 2, ground);
    triangle.rotation_deg = turn;
    const double peak = turn == 0 ? 1.625 : 2.375;
    const Scene scene = scene_of({triangle, block("RectFat", Material::wood, peak, 0)});
    const Scene next = update_qualitatively(scene, {{moved(1, {4})}, {}});
    CHECK(bottom(next, 1) == Approx(ground + 0.75).margin(0.001));
  }
}

namespace {

/// A beam (RectMedium, 1.5456 x 0.184) at x = 2 on two posts (RectSmall on end, 0.184 x 0.7636) at 1.4
/// and 2.6: 0 left post, 1 right post, 2 beam, 3 a pig on the beam at 2.2. The post at `broken` dies of any
/// blow.
Scene table(std::size_t broken, const std::vector<LevelObject>& others = {}) {
  std::vector<LevelObject> objects;
  for (double x : {1.4, 2.6}) {
    objects.push_back(block("RectSmall", Material::wood, x, ground));
    objects.back().rotation_deg = 90;
    objects.back().position.y = ground + 0.3818;
  }
  objects.push_back(block("RectMedium", Material::wood, 2, ground + 0.7636));
  objects.push_back(pig("BasicSmall", 2.2, ground + 0.7636 + 0.184));
  objects.insert(objects.end(), others.begin(), others.end());
  Scene scene = scene_of(objects);
  scene.objects[broken].life = 1;
  return scene;
}

Scene after_hit(const Scene& scene, std::size_t target) {
  return update_qualitatively(
      scene, {impacted_objects(scene, support_graph(scene), target, scene.profile->bird("BirdRed")), {}});
}

}  // namespace

TEST_CASE(
    "[state update] fall: a beam that has lost one of two posts comes down beside the other, with what "
    "stands on it") {
  // The beam spans 1.2272 to 2.7728, the posts 1.308 to 1.492 and 2.508 to 2.692. Without the left post the
  // beam falls left: until it is clear of the right one it goes 2.7728 - 2.508 = 0.2648, the pig with it, and
  // they come down to the ground.
  const Scene scene = table(0);
  const Scene next = after_hit(scene, 0);
  CHECK(!next.objects[0].alive);
  CHECK(same_pose(next.objects[1], scene.objects[1]));
  CHECK(next.objects[2].pose.position.x == Approx(2 - 0.2648).margin(1e-3));
  CHECK(bottom(next, 2) == Approx(ground).margin(1e-3));
  CHECK(next.objects[3].pose.position.x == Approx(2.2 - 0.2648).margin(1e-3));
  CHECK(bottom(next, 3) == Approx(ground + 0.184).margin(2e-3));
  // Without the right post: 1.492 - 1.2272 = 0.2648 to the right.
  const Scene other = after_hit(table(1), 1);
  CHECK(other.objects[2].pose.position.x == Approx(2 + 0.2648).margin(1e-3));
  CHECK(bottom(other, 2) == Approx(ground).margin(1e-3));
  CHECK(other.objects[3].pose.position.x == Approx(2.2 + 0.2648).margin(1e-3));
}

TEST_CASE("[state update] fall: what tips goes no further than what stands in its way") {
  // A platform of 0.64 x 0.64 at the beam's height with its right side at 1.1: the beam goes 1.2272 - 1.1 =
  // 0.1272 and still lies on the post.
  const Scene scene = table(0, {platform(0.78, ground + 0.8556)});
  const Scene next = after_hit(scene, 0);
  CHECK(next.objects[2].pose.position.x == Approx(2 - 0.1272).margin(1e-3));
  CHECK(bottom(next, 2) == Approx(ground + 0.7636).margin(1e-3));
  CHECK(next.objects[3].pose.position.x == Approx(2.2 - 0.1272).margin(1e-3));
}

TEST_CASE("[state update] fall: off a wide support it goes no further than its own width") {
  // A small block near the right end, x = 3.6, of a platform 3.2 wide.
  const Scene scene = scene_of({platform(2, -2, 5, 1), block("SquareSmall", Material::wood, 3.5, -1.68)});
  std::vector<ImpactedObject> impacted{moved(1, {5})};
  impacted.front().falls = FallDirection::left;  // towards the platform's far end, 3 units away
  const Bounds box = scene.objects[1].world_bounds();
  CHECK(update_qualitatively(scene, {impacted, {}}).objects[1].pose.position.x ==
        Approx(3.5 - box.width()).margin(1e-6));
  impacted.front().falls = FallDirection::right;
  const Scene off = update_qualitatively(scene, {impacted, {}});
  CHECK(off.objects[1].world_bounds().xmin == Approx(3.6).margin(1e-4));
  CHECK(bottom(off, 1) == Approx(ground).margin(1e-6));
}

TEST_CASE("[state update] fall: a ceiling above is no floor") {
  const Scene scene = scene_of({platform(2, 0, 3, 0.5), pig("BasicSmall", 2, -2)});
  CHECK(bottom(update_qualitatively(scene, {{moved(1, {4})}, {}}), 1) == Approx(ground).margin(1e-6));
}

TEST_CASE("[state update] dominoes: the further one lies down first and makes room") {
  std::vector<LevelObject> dominoes;
  for (double x : {2.0, 2.9}) {
    dominoes.push_back(block("RectSmall", Material::wood, x, ground));
    dominoes.back().rotation_deg = 90;
    dominoes.back().position.y = ground + 0.3818;
  }
  const Scene next = update_qualitatively(scene_of(dominoes), {{moved(0, {2}), moved(1, {8})}, {}});
  CHECK(next.objects[0].world_bounds().xmax == Approx(2.092 + 0.7636).margin(1e-4));
  CHECK(next.objects[1].world_bounds().xmin == Approx(2.992).margin(1e-4));
  CHECK(top(next, 0) == Approx(ground + 0.184).margin(1e-4));
}

TEST_CASE(
    "[state update] random columns: nothing in the ground, nothing left in the air, the rest untouched") {
  Random random(21);
  for (int trial = 0; trial < 200; ++trial) {
    const Scene scene = random_scene(random, 2);
    const SupportGraph graph = support_graph(scene);
    // A column moves as a whole above its struck object, as it would in the reasoning.
    std::vector<bool> hit(scene.objects.size());
    hit[static_cast<std::size_t>(random.integer(0, static_cast<int>(hit.size()) - 1))] = true;
    std::vector<ImpactedObject> impacted;
    for (std::size_t i = 0; i < hit.size(); ++i) {
      if (hit[i]) impacted.push_back(moved(i, {random.integer(1, 3)}));
      for (std::size_t e : graph.supporters[i])
        if (graph.edges[e].lower != ground_index && !hit[i] &&
            std::any_of(impacted.begin(), impacted.end(),
                        [&](const auto& m) { return m.object == graph.edges[e].lower; })) {
          impacted.push_back(moved(i, {random.chance(0.5) ? 4 : 5}));
          break;
        }
    }
    const Scene next = update_qualitatively(scene, {impacted, {}});
    REQUIRE(next.objects.size() == scene.objects.size());
    REQUIRE(next.birds_left() + 1 == scene.birds_left());
    std::vector<bool> impacted_one(scene.objects.size());
    for (const auto& m : impacted) impacted_one[m.object] = true;
    const SupportGraph after = support_graph(next);
    for (std::size_t i = 0; i < next.objects.size(); ++i) {
      const SceneObject& object = next.objects[i];
      if (!impacted_one[i]) {
        REQUIRE(same_pose(object, scene.objects[i]));
        continue;
      }
      if (!object.alive) continue;
      INFO("trial " << trial << " object " << i);
      REQUIRE(object.world_bounds().ymin >= ground - 1e-6);
      REQUIRE(!after.supporters[i].empty());
      REQUIRE(object.parameters.density == scene.objects[i].parameters.density);
      REQUIRE(object.life == scene.objects[i].life);
    }
  }
}

TEST_CASE("[state update] damage: life lost is lost, and who has none left is gone") {
  const Scene scene = scene_of({block("RectFat", Material::stone, 1, ground), pig("BasicSmall", 4, ground)});
  const double life = scene.objects[0].life;
  const Scene hurt = update_qualitatively(scene, {{}, {{0, 0.4 * life}, {1, scene.objects[1].life}}});
  CHECK(hurt.objects[0].life == Approx(0.6 * life));
  CHECK(hurt.objects[0].alive);
  CHECK(!hurt.objects[1].alive);
  // A novelty of life gives the whole life its new value, and what was lost stays lost: 5 x life - 0.4 x
  // life.
  Scene novel = hurt;
  apply(find_novelty("T3"), novel);
  CHECK(novel.objects[0].life == Approx(4.6 * life));
  // With a fifth of the life 0.4 of it lost would be death; it lives, as it does in the normal world.
  Scene frail = hurt;
  apply(find_novelty("stone-life-down"), frail);
  CHECK(frail.objects[0].life == 1e-6);
}

TEST_CASE(
    "[state update] explosions: destroyed TNT hurts what is near, blows up TNT, and what stood on it falls") {
  // TNT 0 is hit. TNT 1 stands beside it; wood 2 stands on TNT 1; the stone 3 is far away.
  const Scene scene = scene_of({{.kind = Kind::tnt, .type = "TNT", .position = {0, ground + 0.3}},
                                {.kind = Kind::tnt, .type = "TNT", .position = {0.7, ground + 0.3}},
                                block("RectFat", Material::stone, 0.7, ground + 0.6),
                                block("RectFat", Material::stone, 12, ground)});
  ShotEffects effects{{moved(0, {1})}, {}};
  add_explosions(effects, scene, 0, scene.profile->bird("BirdRed"));
  const Scene next = update_qualitatively(scene, effects);
  CHECK(!next.objects[0].alive);
  CHECK(!next.objects[1].alive);
  CHECK((!next.objects[2].alive || next.objects[2].pose.position.y < scene.objects[2].pose.position.y - 0.3));
  CHECK(next.objects[3].life == scene.objects[3].life);
  CHECK(same_pose(next.objects[3], scene.objects[3]));
  // Another bird's hit on the stone explodes nothing; the black bird does wherever it hits.
  ShotEffects plain{{moved(3, {3})}, {}};
  add_explosions(plain, scene, 3, scene.profile->bird("BirdRed"));
  CHECK(plain.life_lost.empty());
  ShotEffects black{{moved(2, {3})}, {}};
  add_explosions(black, scene, 2, scene.profile->bird("BirdBlack"));
  CHECK(!update_qualitatively(scene, black).objects[1].alive);
}

TEST_CASE(
    "[state update] damage is carried: a block that one bird does not destroy is destroyed by the second") {
  // Nothing is novel, so both birds fly at the only target. With just the life between that of a block which
  // the first bird destroys and that of one which two do not, the second bird destroys it; without memory
  // there would be no such life, as the second blow is no harder than the first.
  Scene scene = scene_of({block("RectFat", Material::stone, 1, ground)}, 2);
  const double blow = life_lost_to(scene, 0, scene.profile->bird("BirdRed"));
  for (Method method : {Method::published, Method::extended}) {
    int carried = 0;
    for (double factor = 0.5; factor < 4; factor += 0.1) {
      scene.objects[0].life = factor * blow;
      const Difficulty d = compute_difficulty(scene, find_novelty("T1"), {.method = method});
      const auto destroys = [](const Interaction& interaction) {  // the first of its best shots
        const std::vector<ImpactedObject>& impacted = interaction.targets.front().hits.front().impacted;
        return !impacted.empty() && impacted.front().cases[movement::hit_and_destroyed];
      };
      const Interaction &first = d.interactions.front(), &last = d.interactions.back();
      if (last.chance.interaction == 2 && !last.targets.empty())
        carried += !destroys(first) && destroys(last);
    }
    CHECK(carried >= 5);
  }
}

TEST_CASE(
    "[state update] each case moves an object as it says, the flip before the slide, the slide before the "
    "fall") {
  LevelObject domino = block("RectSmall", Material::wood, 2, ground);
  domino.rotation_deg = 90;
  domino.position.y = ground + 0.3818;
  const Scene scene = scene_of({domino});
  const auto after = [&](std::initializer_list<int> cases) {
    return update_qualitatively(scene, {{moved(0, cases)}, {}}, {.k_flip = 1, .k_slide = 1}).objects[0].pose;
  };
  for (int c : {2, 8, 9}) CHECK(after({c}).angle != scene.objects[0].pose.angle);
  for (int c : {3, 6, 7}) {
    CHECK(after({c}).angle == scene.objects[0].pose.angle);
    CHECK(after({c}).position.x == Approx(3));
    CHECK(after({c, 5}).position.x == Approx(3));
    CHECK(after({c, 8}).angle != scene.objects[0].pose.angle);
  }
  for (int c : {4, 5}) CHECK(length(after({c}).position - scene.objects[0].pose.position) < 1e-3);
}

TEST_CASE(
    "[state update] slide: what it passes above or below is not in its way, on either side of the "
    "slingshot") {
  // A RectFat on the ground, 0.3772 high. Platforms of 0.64 x 0.64: one whose lower side is above the block,
  // one that reaches down beside it.
  const ReasoningConstants constants{.k_flip = 1, .k_slide = 1};
  for (double side : {1.0, -1.0}) {
    const double x = side > 0 ? 2 : -12;
    const auto way = [&](double bottom_of_platform) {
      const Scene scene = scene_of({block("RectFat", Material::stone, x, ground),
                                    platform(x + side * 1.2, ground + bottom_of_platform + 0.32)});
      return side *
             (update_qualitatively(scene, {{moved(0, {3})}, {}}, constants).objects[0].pose.position.x - x);
    };
    CHECK(way(0.5) == Approx(1));
    CHECK(way(0.1) == Approx(1.2 - 0.32 - 0.3818).margin(1e-4));
    CHECK(way(-0.2) == Approx(1.2 - 0.32 - 0.3818).margin(1e-4));
  }
}

TEST_CASE("[state update] slide: straight above the slingshot, away is to the right") {
  const Scene scene = scene_of({block("RectFat", Material::stone, -5, ground)});
  const Scene next = update_qualitatively(scene, {{moved(0, {3})}, {}}, {.k_flip = 1, .k_slide = 1});
  CHECK(next.objects[0].pose.position.x == Approx(-4));
}

TEST_CASE("[state update] explosions: each object has one entry, of what befell it") {
  // TNT 0 is hit. The frail pig 1 beside it is destroyed; the stone 2 stood on the pig and falls.
  Scene scene = scene_of({{.kind = Kind::tnt, .type = "TNT", .position = {0, ground + 0.3}},
                          pig("BasicSmall", 0.8, ground),
                          block("RectFat", Material::stone, 12, ground)});
  const Bounds under = scene.objects[1].world_bounds();
  scene.objects[2].pose.position = {0.8, under.ymax + 0.5 * 0.3772};
  scene.objects[1].life = 1;
  ShotEffects effects{{moved(0, {1})}, {}};
  add_explosions(effects, scene, 0, scene.profile->bird("BirdRed"));
  REQUIRE(effects.impacted.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(effects.impacted[i].object == i);
  CHECK(effects.impacted[0].cases == moved(0, {1}).cases);
  CHECK(effects.impacted[1].cases == moved(1, {1}).cases);
  CHECK(effects.impacted[2].cases == moved(2, {5}).cases);
  CHECK(effects.impacted[2].falls == FallDirection::down);
}

TEST_CASE("[state update] fall: a round block comes down on its lowest point, and on another's highest") {
  const Bounds disc = bounds(*profile()->find(Kind::block, "CircleSmall", Material::wood)->shape);
  LevelObject high = block("CircleSmall", Material::wood, 2, ground + 3);
  const Scene alone = scene_of({high});
  CHECK(bottom(update_qualitatively(alone, {{moved(0, {4})}, {}}), 0) == Approx(ground).margin(1e-4));
  const Scene pair = scene_of({high, block("CircleSmall", Material::ice, 2, ground)});
  CHECK(bottom(update_qualitatively(pair, {{moved(0, {4})}, {}}), 0) ==
        Approx(ground + disc.height()).margin(1e-3));
}

TEST_CASE("[state update] fall: what stands at the same height beside is no floor, even where they overlap") {
  const Scene scene = scene_of(
      {block("SquareSmall", Material::wood, 2, ground), block("SquareSmall", Material::wood, 2.2, ground)});
  CHECK(bottom(update_qualitatively(scene, {{moved(0, {4})}, {}}), 0) == Approx(ground).margin(1e-6));
}

TEST_CASE("[state update] slide: of two pushed the further one goes first, up to a wall, on either side") {
  // SquareSmall is 0.38282 wide. The far one has 0.2 to go to the wall, the near one 0.1 and what it leaves.
  const double width = bounds(*profile()->find(Kind::block, "SquareSmall", Material::ice)->shape).width();
  for (double side : {1.0, -1.0}) {
    const double x = side > 0 ? 2 : -12, far_off = x + side * (width + 0.1);
    const Scene scene = scene_of({block("SquareSmall", Material::ice, x, ground),
                                  block("SquareSmall", Material::ice, far_off, ground),
                                  platform(far_off + side * (0.5 * width + 0.2 + 0.32), ground + 0.32)});
    const Scene next = update_qualitatively(scene, {{moved(0, {3}), moved(1, {6})}, {}},
                                            {.k_flip = 1, .k_slide = 1});
    CHECK(next.objects[1].pose.position.x == Approx(far_off + side * 0.2).margin(1e-4));
    CHECK(next.objects[0].pose.position.x == Approx(x + side * 0.3).margin(1e-4));
  }
}

TEST_CASE("[state update] damage: with any life left an object lives") {
  const Scene scene = scene_of({pig("BasicSmall", 4, ground)});
  const double life = scene.objects[0].life;
  CHECK(update_qualitatively(scene, {{}, {{0, life - 0.01}}}).objects[0].alive);
  CHECK_FALSE(update_qualitatively(scene, {{}, {{0, life}}}).objects[0].alive);
}

TEST_CASE("[state update] fall: a low neighbour that overlaps by rounding is no floor") {
  // A tall block beside a low one, 0.01 into it.
  const auto width = [](const char* type) {
    return bounds(*profile()->find(Kind::block, type, Material::wood)->shape).width();
  };
  for (double side : {1.0, -1.0}) {
    const double away = 0.5 * (width("SquareHole") + width("SquareTiny")) - 0.01;
    const Scene scene = scene_of({block("SquareHole", Material::wood, 2, ground),
                                  block("SquareTiny", Material::wood, 2 + side * away, ground)});
    CHECK(bottom(update_qualitatively(scene, {{moved(0, {4})}, {}}), 0) == Approx(ground).margin(1e-6));
  }
}

TEST_CASE(
    "[state update] explosions: the first object is hurt as any, and dies of damage as large as its life") {
  Scene scene = scene_of(
      {pig("BasicSmall", 0.8, ground), {.kind = Kind::tnt, .type = "TNT", .position = {0, ground + 0.3}}});
  scene.objects[0].life = 1e6;
  const auto after = [&] {
    ShotEffects effects{{moved(1, {1})}, {}};
    add_explosions(effects, scene, 1, scene.profile->bird("BirdRed"));
    return effects;
  };
  const ShotEffects hurt = after();
  REQUIRE(hurt.life_lost.size() == 1);
  CHECK(hurt.life_lost[0].object == 0);
  CHECK(hurt.impacted.size() == 1);
  scene.objects[0].life = hurt.life_lost[0].points;
  CHECK(after().impacted.size() == 2);
  scene.objects[0].life *= 1.001;
  CHECK(after().impacted.size() == 1);
}

TEST_CASE("[state update] fall: what tips on the ground alone comes down where it is") {
  const Scene scene = scene_of({block("SquareSmall", Material::wood, 2, ground)});
  std::vector<ImpactedObject> impacted{moved(0, {5})};
  impacted.front().falls = FallDirection::left;
  const Scene next = update_qualitatively(scene, {impacted, {}});
  CHECK(next.objects[0].pose.position.x == Approx(2));
  CHECK(bottom(next, 0) == Approx(ground).margin(1e-6));
}

namespace {

/// An object of any shape, in a scene with the slingshot at x = -5.
std::size_t add_shape(Scene& scene, const Shape& shape, Vec2 position, double angle = 0) {
  SceneObject object;
  object.kind = Kind::block;
  object.type = "test";
  object.material = Material::wood;
  object.pose = {position, angle};
  object.shape = std::make_shared<Shape>(shape);
  object.parameters.density = 1;
  object.life = object.parameters.life = 1000;
  scene.objects.push_back(object);
  return scene.objects.size() - 1;
}

std::size_t add_box(Scene& scene, double left, double right, double bottom, double top) {
  return add_shape(scene, box_shape(right - left, top - bottom),
                   {0.5 * (left + right), 0.5 * (bottom + top)});
}

Shape one_piece(const Polygon& polygon) {
  Shape shape;
  shape.parts = {polygon};
  return shape;
}

Pose after(const Scene& scene, std::size_t object, int which) {
  return update_qualitatively(scene, {{moved(object, {which})}, {}}, {.k_flip = 1, .k_slide = 1})
      .objects[object]
      .pose;
}

}  // namespace

TEST_CASE(
    "[state update] a disc comes down, carries and slides by its lowest, highest and outermost points") {
  Scene scene = scene_of({});
  const auto disc = add_shape(scene, disc_shape(0.5), {2, ground + 3}),
             under = add_shape(scene, disc_shape(0.25), {2, ground + 0.25});
  CHECK(after(scene, disc, 4).position.y == Approx(ground + 1));
  scene.objects[under].alive = false;
  CHECK(after(scene, disc, 4).position.y == Approx(ground + 0.5));
  for (double side : {1.0, -1.0}) {
    Scene row = scene_of({});
    const double x = side > 0 ? 2 : -12;
    const auto slider = add_shape(row, disc_shape(0.5), {x, ground + 0.5});
    add_shape(row, disc_shape(0.5), {x + side * 1.25, ground + 0.5});
    CHECK(after(row, slider, 3).position.x == Approx(x + side * 0.25));
  }
}

TEST_CASE("[state update] of an object of several pieces all count, in either order") {
  // Two unit squares, the second one right of and above the first: together 2 x 2.
  const Polygon low{{-1, -1}, {0, -1}, {0, 0}, {-1, 0}}, high{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (bool low_first : {true, false}) {
    Shape shape;
    shape.parts = low_first ? std::vector<Polygon>{low, high} : std::vector<Polygon>{high, low};
    for (double side : {1.0, -1.0}) {
      // It slides to a wall 0.5 from its outermost side, over or under which nothing else would pass.
      Scene scene = scene_of({});
      const double x = side > 0 ? 2 : -12;
      const auto object = add_shape(scene, shape, {x, ground + 1});
      add_box(scene, x + side * 2 - 0.5, x + side * 2 + 0.5, side > 0 ? ground + 1.2 : ground, ground + 1.8);
      CHECK(after(scene, object, 3).position.x == Approx(x + side * 0.5));
    }
    // It comes down on the ground, and a box comes down on its top.
    Scene scene = scene_of({});
    const auto object = add_shape(scene, shape, {2, ground + 4});
    CHECK(after(scene, object, 4).position.y == Approx(ground + 1));
    scene.objects[object].pose.position.y = ground + 1;
    const auto on_high = add_box(scene, 2.2, 2.8, ground + 5, ground + 6),
               on_low = add_box(scene, 1.2, 1.8, ground + 5, ground + 6);
    CHECK(after(scene, on_high, 4).position.y == Approx(ground + 2.5));
    CHECK(after(scene, on_low, 4).position.y == Approx(ground + 1.5));
  }
}

TEST_CASE("[state update] fall: a slope carries where it is highest below, whatever corner it begins with") {
  // A right triangle, 1 high on its left or on its right side. A box of 0.5 comes down on the slope.
  for (std::size_t first : {0, 1, 2}) {
    for (double side : {1.0, -1.0}) {
      Polygon corners{{-1, 0}, {1, 0}, {-1, 1}};
      if (side < 0) corners = {{1, 0}, {1, 1}, {-1, 0}};
      std::rotate(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(first), corners.end());
      Scene scene = scene_of({});
      add_shape(scene, one_piece(corners), {2, ground});
      // From 0.25 to 0.75 aside of the middle; less the tolerance of 0.03 at the higher end.
      const auto box = add_box(scene, 2 + side * 0.5 - 0.25, 2 + side * 0.5 + 0.25, ground + 2, ground + 3);
      CHECK(after(scene, box, 4).position.y == Approx(ground + 0.5 + (1 - 0.28) / 2));
      // Over the upright side it lies on the highest corner.
      const auto end = add_box(scene, 2 - side - 0.25, 2 - side + 0.25, ground + 2, ground + 3);
      CHECK(after(scene, end, 4).position.y == Approx(ground + 1.5));
    }
  }
}

TEST_CASE(
    "[state update] fall: what reaches under an object by less than the tolerance does not carry it there") {
  // A steep slope rises from 0 to 1 between x = 0.9 and 1 and stays at 1 beyond. The box's side is at 1: it
  // rests at 0.97 on the slope, 0.7 high.
  for (double side : {1.0, -1.0}) {
    Polygon hill{{0.9, 0}, {3, 0}, {3, 1}, {1, 1}};
    if (side < 0) hill = {{-1, 1}, {-3, 1}, {-3, 0}, {-0.9, 0}};
    Scene scene = scene_of({});
    add_shape(scene, one_piece(hill), {2, ground});
    const auto box = side > 0 ? add_box(scene, 2, 3, ground + 2, ground + 3)
                              : add_box(scene, 1, 2, ground + 2, ground + 3);
    CHECK(after(scene, box, 4).position.y == Approx(ground + 0.7 + 0.5));
  }
}

TEST_CASE("[state update] flip: it turns clockwise to the right and the other way to the left") {
  for (double side : {1.0, -1.0}) {
    Scene scene = scene_of({});
    const double x = side > 0 ? 2 : -12;
    const auto post = add_box(scene, x - 0.25, x + 0.25, ground, ground + 2);
    const Pose flipped = after(scene, post, 2);
    CHECK(flipped.angle == Approx(-side * std::numbers::pi / 2));
    CHECK(flipped.position.x == Approx(x + side * 1.25));  // its side of 2 lies beyond where its edge was
    CHECK(flipped.position.y == Approx(ground + 0.25));
  }
}

TEST_CASE("[state update] flip: what lies in the way only as deep as things at rest sink does not hold it") {
  // A post of 0.5 x 2 comes to lie from 0.25 to 2.25 beside its middle, 0.5 high.
  for (bool wall_first : {true, false}) {
    for (double deep : {0.02, 0.04}) {
      for (double side : {1.0, -1.0}) {
        const double x = side > 0 ? 2 : -12;
        for (bool above : {false, true}) {
          Scene scene = scene_of({});
          std::size_t post = 0;
          for (bool is_wall : {wall_first, !wall_first}) {
            if (!is_wall)
              post = add_box(scene, x - 0.25, x + 0.25, ground, ground + 2);
            else if (above)  // a lid over the place where it comes to lie
              add_box(scene, x + side * 1.25 - 0.5, x + side * 1.25 + 0.5, ground + 0.5 - deep, ground + 1);
            else  // a wall at its end
              add_box(scene, x + side * (2.75 - deep) - 0.5, x + side * (2.75 - deep) + 0.5, ground,
                      ground + 1);
          }
          CHECK((after(scene, post, 2).angle == 0) == (deep > 0.03));
        }
      }
    }
  }
}

TEST_CASE("[state update] slide: what touches it ahead stops it, what lies behind or on it does not") {
  for (double side : {1.0, -1.0}) {
    const double x = side > 0 ? 2 : -12;
    // Negative: as deep as things at rest sink into each other, or deeper.
    for (double away : {-0.05, -0.02, 0.01, 0.05}) {
      Scene scene = scene_of({});
      const double wall = x + side * (1 + away);
      add_box(scene, wall - 0.5, wall + 0.5, ground, ground + 1);
      const auto box = add_box(scene, x - 0.5, x + 0.5, ground, ground + 1);
      CHECK(after(scene, box, 3).position.x == Approx(x + side * (away < -0.03 ? 1 : std::max(away, 0.0))));
    }
    // Heights that overlap by less than the tolerance pass each other.
    for (double overlap : {0.02, 0.04}) {
      Scene scene = scene_of({});
      const double wall = x + side * 1.5;
      add_box(scene, wall - 0.25, wall + 0.25, ground + 1 - overlap, ground + 2);
      const auto box = add_box(scene, x - 0.5, x + 0.5, ground, ground + 1);
      CHECK(after(scene, box, 3).position.x == Approx(x + side * (overlap < 0.03 ? 1 : 0.75)));
    }
  }
}

TEST_CASE("[state update] fall: what falls to no side stays above what still carries it") {
  const Scene scene = scene_of({platform(2, -2), block("SquareSmall", Material::wood, 2.2, -1.68)});
  for (int which : {4, 5}) {
    std::vector<ImpactedObject> impacted{moved(1, {which})};
    CHECK(update_qualitatively(scene, {impacted, {}}).objects[1].pose.position.x == Approx(2.2));
    impacted.front().falls = FallDirection::down;
    CHECK(update_qualitatively(scene, {impacted, {}}).objects[1].pose.position.x == Approx(2.2));
  }
}

TEST_CASE("[state update] fall: what tips to the right on the ground comes down where it is, too") {
  const Scene scene = scene_of({block("SquareSmall", Material::wood, 2, ground)});
  std::vector<ImpactedObject> impacted{moved(0, {5})};
  impacted.front().falls = FallDirection::right;
  CHECK(update_qualitatively(scene, {impacted, {}}).objects[0].pose.position.x == Approx(2));
}

TEST_CASE("[state update] explosions: what an object has lost before counts, however little") {
  // TNT at 0; a pig beside it, a block far away.
  Scene scene = scene_of({{.kind = Kind::tnt, .type = "TNT", .position = {0, ground + 0.3}},
                          pig("BasicSmall", 0.8, ground),
                          block("RectFat", Material::stone, 12, ground)});
  scene.objects[1].life = 1e6;
  const auto lost = [&](const std::vector<LifeLost>& before) {
    ShotEffects effects{{moved(0, {1})}, before};
    add_explosions(effects, scene, 0, scene.profile->bird("BirdRed"));
    std::vector<double> points(3, 0);
    for (const LifeLost& l : effects.life_lost) points[l.object] += l.points;
    return points;
  };
  const double by_explosion = lost({})[1];
  REQUIRE(by_explosion > 1);
  CHECK(lost({})[2] == 0);
  CHECK(lost({{1, 7}})[1] == Approx(by_explosion + 7));
  CHECK(lost({{2, 0.25}})[2] == 0.25);
  // With 7 points lost it dies of a life of 7 more.
  scene.objects[1].life = by_explosion + 7;
  ShotEffects effects{{moved(0, {1})}, {{1, 7}}};
  add_explosions(effects, scene, 0, scene.profile->bird("BirdRed"));
  CHECK(effects.impacted.size() == 2);
}

TEST_CASE(
    "[state update] explosions: only what the radius reaches is hurt, by its distance from the centre") {
  // By the rule of the game, damage over distance, which would not end at the radius.
  Scene scene = scene_of({{.kind = Kind::tnt, .type = "TNT", .position = {0, ground + 0.3}}});
  Profile profile = *scene.profile;
  profile.explosion_falloff = ExplosionFalloff::inverse;
  scene.profile = std::make_shared<Profile>(profile);
  scene.objects[0].explosion = {.radius = 2, .power = 0, .damage = 100};
  const Vec2 centre = transformed(scene.objects[0].shape->centroid, scene.objects[0].pose);
  const auto add_at = [&](double left) {
    return add_box(scene, centre.x + left, centre.x + left + 1, centre.y - 0.5, centre.y + 0.5);
  };
  const auto near = add_at(1.5), reached = add_at(1.999), beyond = add_at(2.001), far_off = add_at(2.5);
  ShotEffects effects{{moved(0, {1})}, {}};
  add_explosions(effects, scene, 0, scene.profile->bird("BirdRed"));
  std::vector<double> points(scene.objects.size(), 0);
  for (const LifeLost& l : effects.life_lost) points[l.object] += l.points;
  CHECK(points[near] == Approx(100 / 2.0));
  CHECK(points[reached] == Approx(100 / 2.499));
  CHECK(points[beyond] == 0);
  CHECK(points[far_off] == 0);
}
