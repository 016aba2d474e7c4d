#include "simulated/played_level.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/difficulty/scenes.hpp"

using namespace startle;

namespace {

/// Two columns of wood, a pig on each, and a stone far off.
Scene two_columns(int birds = 2) {
  std::vector<LevelObject> objects;
  for (const double x : {-1.0, 1.5}) {
    double top = ground;
    for (int i = 0; i < 2; ++i) {
      objects.push_back(block("SquareHole", Material::wood, x, top));
      const Bounds box = bounds(*profile()->find(Kind::block, "SquareHole", Material::wood)->shape);
      top += box.ymax - box.ymin;
    }
    objects.push_back(pig("BasicSmall", x, top));
  }
  objects.push_back(block("RectFat", Material::stone, 7, ground));
  return settle(scene_of(objects, birds));
}

PlayOptions few(ReferencePlayer player = ReferencePlayer::best_target, int plays = 2) {
  PlayOptions options{.player = player, .plays = plays, .observer = {}};
  options.observer.simulations = 19;
  return options;
}

bool equal(const std::vector<LevelPlay>& a, const std::vector<LevelPlay>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const LevelPlay& p, const LevelPlay& q) {
    return p.cleared == q.cleared && p.detected == q.detected && p.shots.size() == q.shots.size() &&
           std::equal(p.shots.begin(), p.shots.end(), q.shots.begin(),
                      [](const TestedShot& s, const TestedShot& t) {
                        return s.announced == t.announced && s.rank.has_value() == t.rank.has_value() &&
                               (!s.rank || (s.rank->rank == t.rank->rank && s.rank->of == t.rank->of));
                      });
  });
}

std::vector<LevelPlay> plays_of(const std::vector<double>& detected) {
  std::vector<LevelPlay> plays;
  for (const double d : detected) plays.push_back({.shots = {}, .cleared = false, .detected = d});
  return plays;
}

}  // namespace

TEST_CASE("[simulated] played level: the chance of an alarm, from ranks, by hand") {
  // One bird: an alarm at p <= 0.05.
  CHECK(alarm_chance({{2, 40}}, 1) == 1);
  CHECK(alarm_chance({{3, 40}}, 1) == 0);
  CHECK(alarm_chance({{1, 10}}, 1) == Approx(0.5).margin(0.1));
  CHECK(alarm_chance({}, 3) == 0);
  // A rank says nothing: the chance is that of a normal play, at most 0.05.
  CHECK(alarm_chance({{1, 1}}, 1) == Approx(0.05).margin(0.03));
  CHECK(alarm_chance({{1, 1}, {1, 1}, {1, 1}}, 3) == Approx(0.05).margin(0.03));
  // Two shots of the first rank are enough, whatever follows; one is not.
  CHECK(alarm_chance({{1, 40}, {1, 40}, {40, 40}}, 3) == 1);
  const double one = alarm_chance({{1, 40}, {40, 40}, {40, 40}}, 3);
  CHECK(one > 0.1);
  CHECK(one < 0.7);
  // One shot that is unlike all normal ones that a play compares with is enough, with up to five birds.
  const int runs = PlayOptions{}.observer.simulations + 1;
  for (std::size_t birds = 1; birds <= 5; ++birds) CHECK(alarm_chance({{1, runs}}, birds) == 1);
  CHECK(alarm_chance({{1, runs}}, 8) < 1);
  // More birds, a stricter threshold; a better rank, a likelier alarm.
  CHECK(alarm_chance({{1, 40}}, 5) < alarm_chance({{1, 40}}, 2));
  CHECK(alarm_chance({{2, 40}, {1, 40}}, 2) >= alarm_chance({{4, 40}, {1, 40}}, 2));
}

TEST_CASE("[simulated] played level: a play ends with the birds or the pigs, and tests shots until sure") {
  const OrderedScene level(two_columns());
  for (const ReferencePlayer player : {ReferencePlayer::best_target, ReferencePlayer::random_target}) {
    const LevelPlays plays = play_level(level, "two", {find_novelty("wood-density-up@4")}, few(player));
    REQUIRE(plays.novel.size() == 1);
    for (const auto* world : {&plays.normal, &plays.novel[0]}) {
      REQUIRE(world->size() == 2);
      for (const LevelPlay& play : *world) {
        CHECK(play.shots.size() >= 1);
        CHECK(play.shots.size() <= 2);
        CHECK((play.cleared || play.shots.size() == 2));
        CHECK(play.detected >= 0);
        CHECK(play.detected <= 1);
        for (std::size_t k = 0; k < play.shots.size(); ++k) CHECK((play.shots[k].rank || play.detected == 1));
      }
    }
    // Both worlds begin with the same shot.
    CHECK(plays.normal[0].shots[0].announced == plays.novel[0][0].shots[0].announced);
  }
}

TEST_CASE("[simulated] played level: plays are the same on their own, and in any order of the objects") {
  const Scene scene = two_columns();
  const std::vector<Novelty> novelties{find_novelty("T2"), find_novelty("wood-life-down")};
  const LevelPlays all = play_level(scene, "two", novelties, few());
  const std::vector<LevelPlay> second = play_once(scene, "two", novelties, few(), 1);
  CHECK(equal({all.normal[1], all.novel[0][1], all.novel[1][1]}, second));
  // With another novelty beside it, or none.
  CHECK(equal(play_once(scene, "two", {novelties[1]}, few(), 1), {second[0], second[2]}));
  std::vector<std::size_t> reverse;
  for (std::size_t i = scene.objects.size(); i-- > 0;) reverse.push_back(i);
  CHECK(equal(play_once(taken_at_rest(reordered(scene, reverse)), "two", novelties, few(), 1), second));
  CHECK_FALSE(equal(play_once(scene, "another", novelties, few(), 1), second));
}

TEST_CASE("[simulated] played level: what no shot touches is detected no more often than nothing") {
  // The stone is out of every shot's way: each shot looks as in the normal world, and none need be tested.
  const LevelPlays plays = play_level(two_columns(), "two", {find_novelty("stone-gravity_scale-down")},
                                      few());
  for (const LevelPlay& play : plays.novel[0]) {
    CHECK(play.detected <= 0.1);
    for (const TestedShot& shot : play.shots) CHECK(shot.rank->of == 1);
  }
}

TEST_CASE("[simulated] played level: reliability is that of two halves, raised to the whole") {
  CHECK_FALSE(reliability({plays_of({1, 1}), plays_of({0, 0})}));           // too few levels
  CHECK_FALSE(reliability({plays_of({1}), plays_of({0}), plays_of({0})}));  // a single play
  CHECK_FALSE(reliability({plays_of({1, 1}), plays_of({1, 1}), plays_of({1, 1})}));
  CHECK(*reliability({plays_of({0, 0}), plays_of({0.5, 0.5}), plays_of({1, 1})}) == Approx(1));
  // Halves 0 1 2 and 0 2 1 (rho 0.5): 2 x 0.5/1.5.
  CHECK(*reliability({plays_of({0, 0}), plays_of({0.5, 1}), plays_of({1, 0.5})}) == Approx(2.0 / 3));
}

TEST_CASE("[simulated] played level: players by name, and bad options and levels without pigs are refused") {
  CHECK(player_from_name("best-target") == ReferencePlayer::best_target);
  CHECK(player_from_name(name(ReferencePlayer::random_target)) == ReferencePlayer::random_target);
  CHECK_FALSE(player_from_name("best"));
  CHECK_THROWS_WITH(require_valid(few(ReferencePlayer::best_target, 0)), Catch::Contains("1 to 1000"));
  const Scene none = settle(scene_of({block("RectFat", Material::wood, 1, ground)}));
  CHECK_THROWS_WITH(play_level(none, "bare", {}, few()),
                    Catch::Contains("bare") && Catch::Contains("no pig"));
}
