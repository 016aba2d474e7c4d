#include "reasoning/qualitative/horizontal_influence.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

using Indices = std::vector<std::size_t>;

Indices arc(const Scene& scene, std::size_t o) { return falling_arc(scene, scene_shapes(scene), o); }
Indices path(const Scene& scene, std::size_t o, double k_slide) {
  return sliding_path(scene, scene_shapes(scene), o, {.k_flip = 1, .k_slide = k_slide});
}

}  // namespace

TEST_CASE("[qualitative] horizontal influence: the bird's speed follows from energy") {
  // v^2 = 100 + 2 x 9.81 x 0.48 x (ystart - y); ystart = -2.5 + 0.8 = -1.7.
  const Scene scene = empty_scene();
  const BirdType& bird = scene.profile->bird("BirdRed");
  CHECK(speed_at_height(scene, bird, -1.7) == Approx(10));
  CHECK(speed_at_height(scene, bird, -3.5) == Approx(std::sqrt(100 + 9.4176 * 1.8)));
  CHECK(speed_at_height(scene, bird, 2) == Approx(std::sqrt(100 - 9.4176 * 3.7)));
  CHECK(speed_at_height(scene, bird, 100) == 0);
}

TEST_CASE("[qualitative] horizontal influence: damage follows the profile's rule") {
  // Worked values of facts/science_birds.md 1.5: a red bird at 10 m/s does 61.1 - defence to a block and 29.6
  // to a pig.
  Scene scene = empty_scene();
  const auto block = add_object(scene, Kind::block, "RectFat", Material::wood, {0, 0});
  const auto pig = add_object(scene, Kind::pig, "BasicMedium", Material::none, {2, 0});
  const auto ice = add_object(scene, Kind::block, "RectFat", Material::ice, {4, 0});
  const BirdType &red = scene.profile->bird("BirdRed"), &blue = scene.profile->bird("BirdBlue");
  CHECK(bird_damage(scene, scene.objects[block], red, 10) == Approx(61.1 - 2.5).margin(0.1));
  CHECK(bird_damage(scene, scene.objects[pig], red, 10) == Approx(29.6).margin(0.1));
  // Blue on ice: x 4; mass 0.458: 10 x 0.458 x 11.22 x 4 - 2.
  CHECK(bird_damage(scene, scene.objects[ice], blue, 10) == Approx(10 * 0.458 * 11.22 * 4 - 2).margin(0.3));
  CHECK(bird_damage(scene, scene.objects[block], red, 0.01) == 0);
  BirdType plain = red;  // without a multiplier for the material: 1
  plain.damage_multiplier.clear();
  CHECK(bird_damage(scene, scene.objects[block], plain, 10) ==
        Approx(10 * plain.mass() * scene.profile->damage_k - 2.5));

  Scene classic = empty_scene("classic");
  const auto wood = add_object(classic, Kind::block, "RectFat", Material::wood, {0, 0});
  const auto small = add_object(classic, Kind::pig, "BasicSmall", Material::none, {2, 0});
  CHECK(bird_damage(classic, classic.objects[wood], classic.profile->bird("BirdRed"), 7) == Approx(7));
  CHECK(bird_damage(classic, classic.objects[wood], classic.profile->bird("BirdBlue"), 8) ==
        Approx(2));  // x 0.25
  CHECK(bird_damage(classic, classic.objects[small], classic.profile->bird("BirdBlue"), 8) == Approx(8));
  // Defence is 0 there, but a novelty may change it: it counts under either rule, as in the game.
  classic.objects[wood].parameters.defence = 3;
  classic.objects[small].parameters.defence = 10;
  CHECK(bird_damage(classic, classic.objects[wood], classic.profile->bird("BirdRed"), 7) == Approx(7 - 3));
  CHECK(bird_damage(classic, classic.objects[small], classic.profile->bird("BirdRed"), 8) == 0);
}

TEST_CASE(
    "[qualitative] horizontal influence: an object is destroyed when the blow takes more than its life") {
  Scene scene = empty_scene();
  const auto block = add_object(scene, Kind::block, "RectFat", Material::wood, {0, -1.7});
  const BirdType& bird = scene.profile->bird("BirdRed");
  const double damage = bird_damage(scene, scene.objects[block], bird, 10);
  scene.objects[block].life = damage;
  CHECK_FALSE(object_destroy(scene, block, bird));  // life - damage = 0 is not < 0
  scene.objects[block].life = damage - 1e-9;
  CHECK(object_destroy(scene, block, bird));
  const auto shelf = add_object(scene, Kind::platform, "Platform", Material::none, {3, 0});
  scene.objects[shelf].life = 0;
  CHECK_FALSE(object_destroy(scene, shelf, bird));
}

TEST_CASE(
    "[qualitative] horizontal influence: destruction is monotonic: lower in the world, less life, heavier "
    "bird") {
  Random random(41);
  for (int k = 0; k < 200; ++k) {
    Scene scene = empty_scene();
    const auto high = add_object(scene, Kind::block, "SquareSmall", Material::wood,
                                 {0, random.uniform(-2, 3)});
    const auto low = add_object(scene, Kind::block, "SquareSmall", Material::wood, {1, -3});
    scene.objects[high].life = scene.objects[low].life = random.uniform(1, 120);
    BirdType bird = scene.profile->bird("BirdRed");
    if (object_destroy(scene, high, bird)) {
      REQUIRE(object_destroy(scene, low, bird));
      scene.objects[high].life *= 0.9;
      REQUIRE(object_destroy(scene, high, bird));
      bird.parameters.density *= 2;
      REQUIRE(object_destroy(scene, high, bird));
    }
  }
}

TEST_CASE("[qualitative] horizontal influence: an object flips when it is slender enough") {
  CHECK(object_flip({0, 1, 0, 2.1}, {.k_flip = 2, .k_slide = 1}));
  CHECK_FALSE(object_flip({0, 1, 0, 2}, {.k_flip = 2, .k_slide = 1}));
  CHECK_FALSE(object_flip({0, 3, 0, 1}, {.k_flip = 2, .k_slide = 1}));
}

TEST_CASE("[qualitative] horizontal influence: the falling arc is the quarter disc beside the object") {
  // Post [0, 0.2] x [0, 2] above the ground: centre (0.2, ground), radius 2.
  Scene scene = empty_scene();
  const auto post = add_box(scene, 0, 0.2, ground, ground + 2);
  const auto within = add_box(scene, 1, 1.5, ground, ground + 0.5);          // nearest point (1, 0): 0.8 < 2
  const auto corner_in = add_box(scene, 1.55, 3, ground + 1.4, ground + 2);  // corner at (1.35, 1.4) from the
                                                                             // centre: 1.94
  add_box(scene, 1.65, 3, ground + 1.45, ground + 2.5);                      // corner at (1.45, 1.45): 2.05
  add_box(scene, 2.3, 3, ground, ground + 0.5);                              // 2.1 away
  add_box(scene, -1, -0.2, ground, ground + 2);                              // left of it
  // Nearest point at 2.27 - 0.3 = 1.97
  const auto disc = add(scene, Kind::block, disc_shape(0.3), {0.2 + 2.25, ground + 0.3});
  add(scene, Kind::block, disc_shape(0.3), {0.2 + 2.3, ground + 0.3});  // 2.32 - 0.3 = 2.02
  CHECK(arc(scene, post) == Indices{within, corner_in, disc});
  scene.objects[within].alive = false;
  CHECK(arc(scene, post) == Indices{corner_in, disc});
}

TEST_CASE("[qualitative] horizontal influence: the arc of a disc beyond its ends, and the side of the push") {
  // Post [0, 0.2] x [0, 2]. A disc of 0.3 whose centre is 2.2 beside the arc's and 0.1 below it, and one as
  // far above it: the arc's ends, less its margin of 0.03, are 0.26 away.
  Scene scene = empty_scene();
  const auto post = add_box(scene, 0, 0.2, ground, ground + 2);
  const auto low = add(scene, Kind::block, disc_shape(0.3), {0.2 + 2.2, ground - 0.1});
  const auto high = add(scene, Kind::block, disc_shape(0.3), {0.2 - 0.1, ground + 2.2});
  CHECK(arc(scene, post) == Indices{low, high});
  // Straight above the slingshot, the push is to the right.
  scene.objects[low].pose.position.x = scene.slingshot.x;
  CHECK(pushed_right(scene, scene_shapes(scene), low));
  scene.objects[low].pose.position.x -= 0.001;
  CHECK_FALSE(pushed_right(scene, scene_shapes(scene), low));
}

TEST_CASE(
    "[qualitative] horizontal influence: what lies on the object touches the arc at its top and is not in "
    "it") {
  // The arc begins at the post's upper right corner. A lid touches it there: just so, or as deep as things at
  // rest sink (0.02).
  for (double sunk : {-0.02, 0.0, 0.02, 0.04}) {
    Scene scene = empty_scene();
    const auto post = add_box(scene, 0, 0.2, ground, ground + 2);
    const auto lid = add_box(scene, -1, 1, ground + 2 - sunk, ground + 2.2 - sunk);
    INFO("sunk by " << sunk);
    CHECK(arc(scene, post) == (sunk > contact_tolerance ? Indices{lid} : Indices{}));
    CHECK(arc(mirrored(scene), post) == arc(scene, post));
  }
  Scene balls = empty_scene();
  const auto post = add_box(balls, 0, 0.2, ground, ground + 2);
  add(balls, Kind::block, disc_shape(0.5), {0.1, ground + 2.5});  // rests on the post, its lowest point on
                                                                  // the corner's left
  add(balls, Kind::block, disc_shape(0.5), {0.2, ground + 2.5});  // on the corner
  // At 2.377 - 0.5 = 1.877 from the centre
  const auto beside = add(balls, Kind::block, disc_shape(0.5), {0.8, ground + 2.3});
  CHECK(arc(balls, post) == Indices{beside});
}

TEST_CASE(
    "[qualitative] horizontal influence: what the object stands on is neither in its arc nor in its path") {
  Scene scene = empty_scene();
  add_box(scene, -1, 3, ground, ground + 0.2);
  const auto post = add_box(scene, 0, 0.2, ground + 0.2, ground + 1.2);
  const auto beside = add_box(scene, 0.5, 0.7, ground + 0.2, ground + 0.4);
  CHECK(arc(scene, post) == Indices{beside});
  CHECK(path(scene, post, 1) == Indices{beside});
}

TEST_CASE(
    "[qualitative] horizontal influence: the sliding path reaches k_slide ahead, over the object's height") {
  Scene scene = empty_scene();
  const auto box = add_box(scene, 0, 1, ground, ground + 1);
  const auto touching = add_box(scene, 1, 1.5, ground, ground + 0.3);
  const auto near = add_box(scene, 1.9, 2.5, ground + 0.5, ground + 3);
  const auto tall = add_box(scene, 1.8, 1.85, ground, ground + 4);  // spans the whole height
  add_box(scene, 2.1, 2.5, ground, ground + 1);                     // xmin 2.1 > 1 + 1
  add_box(scene, 1.2, 1.4, ground + 1.1, ground + 2);               // above
  add_box(scene, 0.5, 3, ground + 1, ground + 1.5);  // begins under way: xmin < xmax of the box
  add_box(scene, 2, 2.5, ground, ground + 1);        // just out of reach
  CHECK(path(scene, box, 1) == Indices{touching, near, tall});
  CHECK(path(scene, box, 0.5) == Indices{touching});
  scene.objects[near].alive = false;
  CHECK(path(scene, box, 1) == Indices{touching, tall});
}

TEST_CASE("[qualitative] horizontal influence: algorithm 1: destroyed, flipping and sliding targets") {
  Scene scene = empty_scene();
  const BirdType& bird = scene.profile->bird("BirdRed");
  const ReasoningConstants constants{.k_flip = 2, .k_slide = 1};
  const auto post = add_box(scene, 0, 0.2, ground, ground + 2);
  const auto far = add_box(scene, 1.5, 1.7, ground, ground + 1);
  const auto roof = add_box(scene, 1.4, 1.8, ground + 1, ground + 1.2);
  const auto near = add_box(scene, 0.6, 0.9, ground, ground + 1);
  const auto lid = add_box(scene, 0.5, 1, ground + 1, ground + 1.2);
  const SupportGraph graph = support_graph(scene);

  HorizontalInfluence influence = horizontal_influence(scene, graph, post, bird, constants);
  CHECK(influence.hit == HitResult::flips);
  CHECK(influence.candidates == Indices{far, roof, near, lid});
  CHECK(influence.closest == lid);  // xmin 0.5
  CHECK(influence.falls.empty());

  influence = horizontal_influence(scene, graph, near, bird, constants);
  CHECK(influence.hit == HitResult::flips);
  influence = horizontal_influence(scene, graph, near, bird, {.k_flip = 4, .k_slide = 1});
  CHECK(influence.hit == HitResult::slides);
  CHECK(influence.candidates == Indices{far});  // roof only touches the height 1
  CHECK(influence.closest == far);
  CHECK(influence.falls == std::vector<Fall>{{roof, FallDirection::down}});

  scene.objects[post].life = 1;
  influence = horizontal_influence(scene, graph, post, bird, constants);
  CHECK(influence.hit == HitResult::destroyed);
  CHECK(influence.candidates.empty());
  CHECK_FALSE(influence.closest.has_value());
}

TEST_CASE("[qualitative] horizontal influence: left of the slingshot everything is mirrored") {
  Random random(42);
  int found = 0;
  for (int k = 0; k < 60; ++k) {
    const Scene scene = random_scene(random), image = mirrored(scene);
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      const Indices there = arc(scene, i);
      REQUIRE(there == arc(image, i));
      REQUIRE(path(scene, i, 1) == path(image, i, 1));
      found += static_cast<int>(there.size());
    }
  }
  CHECK(found > 100);
}

TEST_CASE("[qualitative] horizontal influence: what is hardly higher than the margin has no arc") {
  // The quarter disc less its margin of 0.03 is empty up to a height of 0.03 (1 + sqrt 2) = 0.0724.
  for (double height : {0.05, 0.072, 0.073, 0.08}) {
    Scene scene = empty_scene();
    const auto around = add_box(scene, 0, 1, ground, ground + 1);
    const auto plate = add_box(scene, 0.4, 0.41, ground, ground + height);
    INFO("height " << height);
    CHECK(arc(scene, plate) == (height > 0.0725 ? Indices{around} : Indices{}));
    CHECK(arc(mirrored(scene), plate) == arc(scene, plate));
  }
}

TEST_CASE("[qualitative] horizontal influence: a disc is in the arc when it reaches its nearest point") {
  // Post [0, 0.2] x [0, 2]: the quarter of radius 1.97, less 0.03 on both sides. Centres of discs, from the
  // post's lower right corner, and their distances from it: beside the lower corner (sqrt(1.97^2 - 0.03^2),
  // 0.03), from the upper one, from the arc, and from below.
  const double far = std::sqrt(1.97 * 1.97 - 0.03 * 0.03);
  struct Row {
    Vec2 centre;
    double distance;
  };
  for (const Row& row : {Row{{3, 0.03}, std::hypot(3 - far, 0)}, Row{{3, -1}, std::hypot(3 - far, 1.03)},
                         Row{{0.03, 3}, std::hypot(0, 3 - far)}, Row{{-1, 3}, std::hypot(1.03, 3 - far)},
                         Row{{3, 3}, 3 * std::sqrt(2.0) - 1.97}, Row{{1, -1}, 1.03}, Row{{-1, 1}, 1.03}}) {
    for (double more : {1e-4, -1e-4}) {
      Scene scene = empty_scene();
      const auto post = add_box(scene, 0, 0.2, ground, ground + 2);
      const auto disc = add(scene, Kind::block, disc_shape(row.distance + more),
                            {0.2 + row.centre.x, ground + row.centre.y});
      INFO(row.centre.x << " " << row.centre.y);
      CHECK(arc(scene, post) == (more > 0 ? Indices{disc} : Indices{}));
      CHECK(arc(mirrored(scene), post) == arc(scene, post));
    }
  }
  // A disc about a point within is met however small it is.
  Scene scene = empty_scene();
  const auto post = add_box(scene, 0, 0.2, ground, ground + 2);
  const auto disc = add(scene, Kind::block, disc_shape(0.01), {1.2, ground + 1});
  CHECK(arc(scene, post) == Indices{disc});
}

TEST_CASE("[qualitative] horizontal influence: objects are found in whatever order they are given") {
  Scene scene = empty_scene();
  const auto near = add_box(scene, 0.5, 0.8, ground, ground + 0.5);
  const auto post = add_box(scene, 0, 0.2, ground, ground + 1);
  const auto same = add_box(scene, 0.5, 0.8, ground, ground + 0.5);
  CHECK(arc(scene, post) == Indices{near, same});
  CHECK(path(scene, post, 1) == Indices{near, same});
  // Of two that are as near the first is pushed.
  const SupportGraph graph = support_graph(scene);
  const BirdType& bird = scene.profile->bird("BirdRed");
  CHECK(horizontal_influence(scene, graph, post, bird, {.k_flip = 2, .k_slide = 1}).closest == near);
}
