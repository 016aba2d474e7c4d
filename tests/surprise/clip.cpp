#include "render/clip.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "levels/generators.hpp"
#include "levels/solver.hpp"
#include "levels/verify.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// Generated scenes at rest, the families by turns.
std::vector<Scene> standing_scenes(std::size_t count, std::uint64_t seed) {
  std::vector<Scene> scenes;
  Random random(seed);
  while (scenes.size() < count) {
    const GeneratorInfo& family = generator_families()[scenes.size() % generator_families().size()];
    StabilityVerification stability = verify_stability(generate_candidate(family, *profile(), random),
                                                       profile());
    if (stability.verdict == Verdict::verified) scenes.push_back(std::move(stability.scene));
  }
  return scenes;
}

/// One stone block on the ground, 7 units from the slingshot.
Scene single_block() {
  Level level;
  level.width = 2;
  level.birds = {"BirdRed", "BirdRed"};
  level.slingshot = {-5, -2.5};
  level.objects = {
      {.kind = Kind::block, .type = "RectFat", .material = Material::stone, .position = {2, -3.285}}};
  return settle(make_scene(level, profile()));
}

/// Step and place of the first contact of a bird, child or egg with an object, from a trace of the whole
/// shot; -1: none.
std::pair<int, Vec2> first_contact_of(const Scene& scene, const Shot& shot) {
  const int objects = static_cast<int>(scene.objects.size());
  for (const Event& event : run_shot(scene, shot, {.record_events = true}).trace.events) {
    if (event.kind == EventKind::explosion && event.a >= objects) return {event.step, event.position};
    if (event.kind != EventKind::contact) continue;
    const bool a_flies = event.a >= objects, b_flies = event.b >= objects;
    const bool a_object = event.a >= 0 && !a_flies, b_object = event.b >= 0 && !b_flies;
    if ((a_flies && b_object) || (b_flies && a_object)) return {event.step, event.position};
  }
  return {-1, {}};
}

bool same_frame(const Clip& a, int i, const Clip& b, int j) {
  return std::equal(a.frame(i), a.frame(i) + a.frame_size(), b.frame(j));
}

}  // namespace

TEST_CASE("[clip] begins lead frames before the first contact, which lies in view with the ground") {
  const ClipFormat format{.frames = 6, .pixels = 32, .stride = 3, .lead = 2};
  int contacts = 0;
  for (const Scene& scene : standing_scenes(7, 1)) {
    for (const Shot& shot : candidate_shots(scene, 3)) {
      const auto [step, place] = first_contact_of(scene, shot);
      if (step < 0) continue;
      ++contacts;
      const ShotClip made = make_clip(scene, shot, format);
      CHECK(made.cut.first_step == std::max(0, step - 2 * 3));
      CHECK(made.clip.rgb.size() == 6u * 32 * 32 * 3);
      CHECK(made.clip.masks.empty());
      const View& view = made.cut.view;
      CHECK(view.width == format.view);
      CHECK(std::abs(place.x - view.centre.x) < 0.5 * view.width);
      CHECK(std::abs(place.y - view.centre.y) < 0.5 * view.width);
      if (place.y < scene.profile->ground_y + 0.7 * view.width)
        CHECK(view.centre.y - 0.5 * view.width < scene.profile->ground_y);
    }
  }
  CHECK(contacts >= 10);
}

TEST_CASE("[clip] twins are equal bit for bit before the first contact, and differ after it in some") {
  const ClipFormat format{.frames = 10, .pixels = 32};
  int different = 0;
  for (const Scene& scene : standing_scenes(7, 2)) {
    for (const char* name : {"T1", "T2", "T3", "wood-density-up", "pig-restitution-up"}) {
      const Scene novel = novel_twin(scene, find_novelty(name));
      for (const Shot& shot : candidate_shots(scene, 2)) {
        const ShotClip normal = make_clip(scene, shot, format);
        const ShotClip twin = make_clip(novel, shot, format, normal.cut);
        CHECK(twin.cut.first_step == normal.cut.first_step);
        CHECK(twin.cut.view.centre == normal.cut.view.centre);
        const int contact = first_contact_of(scene, shot).first;
        for (int t = 0; t < format.frames; ++t) {
          const bool before = contact < 0 || normal.cut.first_step + t * format.stride < contact;
          if (before)
            REQUIRE(same_frame(normal.clip, t, twin.clip, t));
          else
            different += !same_frame(normal.clip, t, twin.clip, t);
        }
      }
    }
  }
  CHECK(different > 20);
}

TEST_CASE("[clip] the cut chosen in the novel world is that of the normal one") {
  const Scene scene = standing_scenes(1, 3)[0];
  const Scene novel = novel_twin(scene, find_novelty("wood-friction-down"));
  for (const Shot& shot : candidate_shots(scene, 4)) {
    const ShotClip normal = make_clip(scene, shot, {}), twin = make_clip(novel, shot, {});
    CHECK(normal.cut.first_step == twin.cut.first_step);
    CHECK(normal.cut.view.centre == twin.cut.view.centre);
  }
}

TEST_CASE("[clip] frames are those of the simulation at first_step + t stride") {
  const Scene scene = single_block();
  const Shot shot = candidate_shots(scene, 1).at(0);
  const ClipFormat fine{.frames = 21, .pixels = 32, .stride = 1, .lead = 8},
      coarse{.frames = 6, .pixels = 32, .stride = 4, .lead = 2};
  const ShotClip each = make_clip(scene, shot, fine), fourth = make_clip(scene, shot, coarse);
  REQUIRE(each.cut.first_step == fourth.cut.first_step);
  for (int t = 0; t < coarse.frames; ++t) CHECK(same_frame(each.clip, 4 * t, fourth.clip, t));
  CHECK_FALSE(same_frame(each.clip, 8, each.clip, 9));
}

TEST_CASE("[clip] after the end of the shot the last frame stands") {
  const Scene scene = single_block();
  const Shot shot = candidate_shots(scene, 1).at(0);
  const int steps = run_shot(scene, shot).trace.steps;
  const ClipFormat format{.frames = 12, .pixels = 16, .stride = 200, .lead = 0};
  const ShotClip made = make_clip(scene, shot, format);
  REQUIRE(made.cut.first_step + 11 * 200 > steps);
  CHECK(made.trace.steps == steps);
  for (int t = 1; t < format.frames; ++t)
    if (made.cut.first_step + (t - 1) * 200 >= steps) CHECK(same_frame(made.clip, t - 1, made.clip, t));
  CHECK(same_frame(made.clip, 10, made.clip, 11));
}

TEST_CASE("[clip] a shot that hits no object is cut around its landing") {
  const Scene scene = single_block();
  // Away from the block.
  const Shot shot{.angle = radians(100)};
  REQUIRE(first_contact_of(scene, shot).first < 0);
  const ShotClip made = make_clip(scene, shot, {.lead = 5});
  const auto& events = made.trace.events;
  const auto landing = std::find_if(events.begin(), events.end(),
                                    [](const Event& e) { return e.kind == EventKind::contact; });
  REQUIRE(landing != events.end());
  CHECK(made.cut.first_step == landing->step - 5 * 6);
  CHECK(std::abs(made.cut.view.centre.x - landing->position.x) < 0.5 * 4.6);
  CHECK(made.cut.view.centre.x < landing->position.x);  // the bird comes from the right and goes on to the
                                                        // left
}

TEST_CASE("[clip] masks name sky, ground, object and bird") {
  const Scene scene = single_block();
  const Shot shot = candidate_shots(scene, 1).at(0);
  const ShotClip made = make_clip(scene, shot, {.pixels = 256}, true);
  REQUIRE(made.clip.masks.size() == 15u * 256 * 256);
  const std::set<int> ids(made.clip.masks.begin(), made.clip.masks.end());
  CHECK(ids == std::set<int>{0, 1, 2, 3});  // the block is object 0, the bird the first id after the objects
  const auto of_block = std::count(made.clip.masks.begin(), made.clip.masks.begin() + 256 * 256, 2);
  const double area = scene.objects[0].shape->area / (4.6 / 256 * 4.6 / 256);
  CHECK(std::abs(static_cast<double>(of_block) - area) < 0.05 * area);
}

TEST_CASE("[clip] formats out of range are refused by name") {
  const Scene scene = single_block();
  const auto refused = [&](const ClipFormat& format, const std::string& field) {
    CHECK_THROWS_WITH(make_clip(scene, {}, format), Catch::Contains("clip format: " + field + ": found"));
  };
  refused({.frames = 2}, "frames");
  refused({.pixels = 62}, "pixels");
  refused({.pixels = 0}, "pixels");
  refused({.stride = 0}, "stride");
  refused({.lead = 15}, "lead");
  refused({.lead = -1}, "lead");
  refused({.view = 0}, "view");
  refused({.view = std::nan("")}, "view");
  CHECK_THROWS_WITH(make_clip(scene, {}, {}, ClipCut{.view = {}, .first_step = -1}),
                    Catch::Contains("first step"));
}
