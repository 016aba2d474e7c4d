#include "simulated/validate_hits.hpp"

#include "reasoning/qualitative/targets.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/difficulty/scenes.hpp"

using namespace startle;

namespace {

/// 0 the target; 1 far away from it, with 2 under it and 3 on it.
Scene target_and_stack() {
  const double height = bounds(*profile()->find(Kind::block, "RectFat", Material::stone)->shape).height();
  std::vector<LevelObject> objects{block("RectFat", Material::stone, 1, ground)};
  for (int k : {1, 0, 2}) objects.push_back(block("RectFat", Material::stone, 12, ground + k * height));
  return settle(scene_of(objects, 1));
}

/// One shot at the target. What moved in it is given by hand.
struct HandMade {
  Scene scene = target_and_stack();
  NormalShot shot;
  HandMade() {
    shot.shot = {.angle = 0};
    shot.tracks.resize(scene.objects.size());
    shot.motions.resize(scene.objects.size());
    move(0, 20);
  }
  void move(std::size_t object, int step) {
    shot.tracks[object].moved_at = step;
    shot.motions[object].moved = true;
  }
  void contact(int step, BodyId a, BodyId b) {
    shot.events.push_back({.step = step, .kind = EventKind::contact, .a = a, .b = b});
  }
  HitValidation published() const {
    FlownState state{scene, blocking_relation(scene), {}};
    for (Target& target : find_targets(scene, scene.profile->bird("BirdRed"), state.relation)) {
      if (target.object != 0) continue;
      target.trajectories.resize(1);
      state.targets.push_back({.target = std::move(target), .shots = {shot}});
    }
    REQUIRE(state.targets.size() == 1);
    const SupportGraph graph = support_graph(scene);
    ReasonedScene reasoned(scene, graph);
    return validate_hits(state, reasoned, {}).hits[Method::published];
  }
};

}  // namespace

TEST_CASE(
    "[simulated] validation of hits: what set an unpredicted object moving, by what is known of the shot") {
  const BodyId bird = 4;
  const auto cause = [](auto change) {
    HandMade made;
    made.move(1, 50);
    change(made);
    const HitValidation found = made.published();
    // Other objects that moved are not asked about.
    std::string causes;
    for (const auto& [what, count] : found.impacted.missed)
      if (what != "struck by the target") causes += what;
    return std::pair(causes, found.impacted.missed.contains("struck by the target"));
  };
  const auto other = [&](auto change) { return cause(change).first; };
  const std::string none = "pushed by a neighbour it touched, or by a shift of load",
                    by_bird = "struck by the bird after the target", by_target = "struck by the target",
                    thrown = "thrown by an explosion";
  CHECK(other([](HandMade&) {}) == none);
  CHECK(other([&](HandMade& m) { m.contact(50, 1, bird); }) == by_bird);
  CHECK(other([&](HandMade& m) { m.contact(40, bird, 1); }) == by_bird);
  CHECK(other([&](HandMade& m) { m.contact(51, 1, bird); }) == none);
  CHECK(other([&](HandMade& m) { m.contact(40, 3, bird); }) == none);
  CHECK(cause([](HandMade& m) { m.contact(40, 0, 1); }).second);
  CHECK(cause([](HandMade& m) { m.contact(40, 1, 0); }).first.empty());
  CHECK(other([](HandMade& m) { m.contact(40, 1, ground_id); }) == none);
  // Another object counts when it moved by then: each is the other's cause, or its support, or what it
  // carries.
  CHECK(other([](HandMade& m) { m.contact(40, 1, 3); }) == none);
  for (const auto& [object, before, after] :
       {std::tuple{std::size_t{2}, "its support moved", "what it carries moved"},
        std::tuple{std::size_t{3}, "what it carries moved", "its support moved"}}) {
    CHECK(other([&, o = object](HandMade& m) { m.move(o, 45); }) ==
          std::min(none, std::string(before)) + std::max(none, std::string(before)));
    CHECK(other([&, o = object](HandMade& m) { m.move(o, 55); }) ==
          std::min(none, std::string(after)) + std::max(none, std::string(after)));
  }
  CHECK(other([](HandMade& m) {
          m.move(3, 45);
          m.contact(40, 1, 3);
        }) == none + "struck by another moving object");
  // An explosion counts in the five steps before, within its radius from the object's box.
  const auto explosion_at = [&](int step, Vec2 (*place)(const Bounds&), double radius) {
    return other([&](HandMade& m) {
      m.shot.events.push_back({.step = step,
                               .kind = EventKind::explosion,
                               .value = radius,
                               .position = place(m.scene.objects[1].world_bounds())});
    });
  };
  const auto explosion = [&](int step, double radius) {
    return explosion_at(
        step,
        [](const Bounds& box) {
          return Vec2{box.xmax + 1, box.centre().y};
        },
        radius);
  };
  for (int step : {45, 50}) CHECK(explosion(step, 1.01) == thrown);
  for (int step : {44, 51}) CHECK(explosion(step, 1.01) == none);
  // One to the right, to the left, above and below; and 3 and 4 to the sides of a corner.
  const std::pair<double, Vec2 (*)(const Bounds&)> places[] = {{1,
                                                                [](const Bounds& box) {
                                                                  return Vec2{box.xmax + 1, box.centre().y};
                                                                }},
                                                               {1,
                                                                [](const Bounds& box) {
                                                                  return Vec2{box.xmin - 1, box.centre().y};
                                                                }},
                                                               {1,
                                                                [](const Bounds& box) {
                                                                  return Vec2{box.centre().x, box.ymax + 1};
                                                                }},
                                                               {1,
                                                                [](const Bounds& box) {
                                                                  return Vec2{box.centre().x, box.ymin - 1};
                                                                }},
                                                               {5, [](const Bounds& box) {
                                                                  return Vec2{box.xmin - 3, box.ymax + 4};
                                                                }}};
  for (const auto& [distance, place] : places) {
    CHECK(explosion_at(48, place, 1.01 * distance) == thrown);
    CHECK(explosion_at(48, place, 0.99 * distance) == none);
  }
}

TEST_CASE("[simulated] validation of hits: cases are verified by what was measured of the object") {
  // A stone block on the ground is predicted to slide and to stop: cases 3 and 6.
  HandMade made;
  made.shot.motions[0].shift = 1;
  const HitValidation slid = made.published();
  for (const movement::Case c : movement::all) {
    const bool predicted = c == movement::hit_and_slides || c == movement::slides_and_stops;
    CHECK(slid.cases[c].predicted == predicted);
    CHECK(slid.cases[c].verified == predicted);
    CHECK(slid.cases[c].moved == predicted);
    CHECK(slid.cases[c].shifted == predicted);
    CHECK(slid.cases[c].turned == 0);
    CHECK(slid.cases[c].dropped == 0);
    CHECK(slid.cases[c].destroyed == 0);
  }
  CHECK(slid.motion.shifted.both == 1);
  CHECK(slid.motion.turned.neither == 1);
  CHECK(slid.motion.dropped.neither == 1);
  CHECK(slid.motion.destroyed.neither == 1);
  CHECK(slid.impacted.all.both == 1);
  CHECK(slid.impacted.all.neither == 3);
  CHECK(slid.impacted.others.neither == 3);
  CHECK_FALSE(slid.worst);
  made.shot.motions[0] = {.moved = true, .turn = 1.5, .drop = 2};
  const HitValidation flipped = made.published();
  CHECK(flipped.cases[movement::hit_and_slides].predicted == 1);
  CHECK(flipped.cases[movement::hit_and_slides].verified == 0);
  CHECK(flipped.cases[movement::hit_and_slides].turned == 1);
  CHECK(flipped.cases[movement::slides_and_stops].dropped == 1);
  CHECK(flipped.motion.shifted.predicted_only == 1);
  CHECK(flipped.motion.turned.seen_only == 1);
  CHECK(flipped.motion.dropped.seen_only == 1);
  // Of what is destroyed nothing else counts, and what did not move has no motion.
  made.shot.motions[0] = {.moved = true, .destroyed = true};
  CHECK(made.published().motion.destroyed.seen_only == 1);
  CHECK(made.published().cases[movement::hit_and_slides].destroyed == 1);
  CHECK(made.published().motion.shifted.count() == 0);
  made.shot.motions[0] = {};
  CHECK(made.published().motion.destroyed.count() == 0);
  CHECK(made.published().impacted.all.predicted_only == 1);
  CHECK(made.published().impacted.wrong.empty());  // of the others
  // The worst shot: what was missed and what was wrong.
  made.move(1, 50);
  const HitValidation worst = made.published();
  REQUIRE(worst.worst);
  CHECK(worst.worst->missed == std::vector<std::size_t>{1});
  CHECK(worst.worst->wrong == 1);
  CHECK(worst.worst->predicted == std::vector<std::size_t>{0});
}
