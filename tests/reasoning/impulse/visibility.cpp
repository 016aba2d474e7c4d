#include "reasoning/impulse/visibility.hpp"

#include "reasoning/impulse/shot_progress.hpp"
#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

/// The chance that a change of one box's parameters shows in a level shot at its side; the same box stands
/// far off, too.
struct Showing {
  double shot = 0;
  std::vector<double> of_objects;
};
Showing showing(double speed, void (*change)(SceneObject&), std::size_t changed, double life = 1e9) {
  Scene scene = empty_scene();
  add_box(scene, 0, 1, ground, ground + 1);
  add_box(scene, 30, 31, ground, ground + 1);
  for (SceneObject& object : scene.objects) object.life = object.parameters.life = life;
  Scene novel = scene;
  change(novel.objects[changed]);
  novel.objects[changed].novel = true;
  const BirdType& bird = scene.profile->bird("BirdRed");
  const SupportGraph graph = support_graph(scene);
  const ContactNetwork network = contact_network(scene, graph.geometry);
  KnockOn shots(scene, graph, network);
  shots.follow(0, bird,
               {.shot = {},
                .start = {-bird.radius, ground + 0.5},
                .velocity = {speed, 0},
                .gravity = scene.profile->flight_gravity(bird),
                .radius = bird.radius,
                .aim = {0, ground + 0.5}});
  Showing result;
  result.shot = visibility_chance(scene, novel, shots, result.of_objects);
  return result;
}

}  // namespace

TEST_CASE(
    "[impulse] chance to show: what is struck hard shows other friction, what stands far off hardly does") {
  const auto slippery = [](SceneObject& o) { o.parameters.friction *= 0.1; };
  const Showing near = showing(8, slippery, 0), far_off = showing(8, slippery, 1);
  CHECK(near.shot > even_chance);
  CHECK(near.of_objects[0] == near.shot);
  CHECK(near.of_objects[1] == 0);  // it is not novel
  CHECK(far_off.shot < 0.15);
  CHECK(far_off.shot > 0);  // collapses reach further than is predicted
}

TEST_CASE(
    "[impulse] chance to show: more life shows where it decides between life and death, by l^3/(l^3 + "
    "d^3)") {
  const auto tough = [](SceneObject& o) { o.life = o.parameters.life *= 5; };
  CHECK(showing(8, tough, 0).shot < 0.1);   // it lives either way: only an unseen fate could say
  CHECK(showing(8, tough, 0).shot > 0.04);  // which moves it, by one half or more, in a tenth of the shots
  const Showing decided = showing(8, tough, 0, 20);  // it dies, and with five times the life it does not
  CHECK(decided.shot > even_chance);
  CHECK(showing(8, tough, 0, 1e-3).shot < 0.25);  // it dies either way
}

TEST_CASE("[impulse] chance to show: no novel object, no chance") {
  Showing nothing = showing(
      8, [](SceneObject& o) { o.alive = false; }, 1);
  CHECK(nothing.shot == 0);
}

TEST_CASE(
    "[impulse] chance to show: a change everywhere in the world shows in what moves, whatever the object's "
    "own parameters") {
  WorldChange heavy{.gravity = 2}, ice{.ground_friction = 0.1}, gust, draught;
  gust.fields = {{.acceleration = {3, 0}}};
  draught.fields = {{.region = {.left = 0, .right = 1}, .acceleration = {3, 0}}};
  Scene scene = empty_scene();
  const auto box = add_box(scene, 0, 1, ground, ground + 1),
             shelf = add_box(scene, 4, 5, ground, ground + 1, 1, Kind::platform);
  for (const WorldChange& change : {heavy, ice, gust}) {
    CHECK(acts_everywhere(change, box, scene.objects[box]));
    CHECK_FALSE(acts_everywhere(change, shelf, scene.objects[shelf]));
  }
  CHECK_FALSE(acts_everywhere(draught, box, scene.objects[box]));
  gust.fields[0].from_bird = 1;
  CHECK_FALSE(acts_everywhere(gust, box, scene.objects[box]));
}

TEST_CASE("[impulse] chance to show: of two lives, by how much the chances of death differ") {
  Scene scene = empty_scene();
  const auto box = add_box(scene, 0, 1, ground, ground + 1),
             far_off = add_box(scene, 30, 31, ground, ground + 1);
  scene.objects[box].life = scene.objects[far_off].life = 1e9;
  const BirdType& bird = scene.profile->bird("BirdRed");
  const SupportGraph graph = support_graph(scene);
  const ContactNetwork network = contact_network(scene, graph.geometry);
  KnockOn shots(scene, graph, network);
  shots.follow(box, bird,
               {.shot = {},
                .start = {-bird.radius, ground + 0.5},
                .velocity = {8, 0},
                .gravity = scene.profile->flight_gravity(bird),
                .radius = bird.radius,
                .aim = {0, ground + 0.5}});
  const double dealt = shots.prediction(box).dealt;
  const int hits = shots.prediction(box).hits;
  REQUIRE(dealt > 0);
  REQUIRE(hits > 0);
  const auto shown = [&](double life, double novel_life, double novel_defence = 0) {
    Scene normal = scene;
    normal.objects[box].life = life;
    Scene novel = normal;
    novel.objects[box].novel = true;
    novel.objects[box].life = novel_life;
    novel.objects[box].parameters.defence = novel_defence;
    std::vector<double> of_objects;
    const double chance = visibility_chance(normal, novel, shots, of_objects);
    CHECK(chance == of_objects[box]);
    CHECK(of_objects[far_off] == 0);  // it is not novel
    return chance;
  };
  // Death has the chance s^3/(1 + s^3), with s what is dealt less defence, by the life.
  CHECK(shown(dealt, 2 * dealt) == Approx(1.0 / 2 - 1.0 / 9));
  CHECK(shown(dealt, dealt / 2) == Approx(8.0 / 9 - 1.0 / 2));
  CHECK(shown(dealt, 1e9) == Approx(1.0 / 2));
  CHECK(shown(dealt, dealt, dealt / (2 * hits)) == Approx(1.0 / 2 - 1.0 / 9));
  CHECK(shown(dealt, dealt, 2 * dealt / hits) == Approx(1.0 / 2));  // no negative damage
  // However frail, no more than sure: at a thousand times the life and beyond.
  for (double times : {999.0, 1000.0, 1001.0, 1e9}) CHECK(shown(dealt / times, 1e9) == Approx(1));
  CHECK(shown(dealt / 999, 1e9) < 1);
  CHECK(shown(dealt / 1001, 1e9) == 1);
  // Another fate of one object parts the worlds: what else is novel and moves shows it with that chance.
  Scene normal = scene;
  normal.objects[box].life = dealt;
  Scene novel = normal;
  for (SceneObject& object : novel.objects) {
    object.novel = true;
    object.life *= 2;
  }
  std::vector<double> of_objects;
  visibility_chance(normal, novel, shots, of_objects);
  CHECK(of_objects[far_off] == Approx((1.0 / 2 - 1.0 / 9) * shots.prediction(far_off).moves * 0.9));
}
