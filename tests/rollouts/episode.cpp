// What of a shot goes into the tables.
#include "rollouts/episode.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/rollouts/scenes.hpp"

using namespace startle;
using namespace startle::test;

namespace {

Scene at_rest_scene(const Level& level) { return settle(make_scene(level, profile())); }

/// A beam on its end, as high as a bird flies that is shot level.
LevelObject standing(Material material) {
  LevelObject beam = block("RectBig", material, {-5, -2.47});
  beam.rotation_deg = 90;
  return beam;
}

/// Bodies of a kind, by id.
std::vector<BodyRow> of_kind(const RolloutTables& tables, Kind kind) {
  std::vector<BodyRow> found;
  for (const BodyRow& body : tables.bodies)
    if (body.kind == static_cast<std::uint8_t>(kind)) found.push_back(body);
  return found;
}

}  // namespace

TEST_CASE("[rollouts] states are those of the trace, without what never moves") {
  Level level = level_of({block("RectFat", Material::wood, {0, -3.28}), pig({2, -3.26})},
                         {"BirdRed", "BirdBlue"});
  level.objects.push_back({.kind = Kind::platform, .type = "Platform", .position = {5, 0}});
  const Scene scene = at_rest_scene(level);
  const std::vector<Shot> shots{{.angle = 0.1}, {.angle = 0.3, .tap_time = 0.5}};
  const RolloutTables tables = episode_of(scene, shots, {.every = 3});
  const PlayResult direct = play(scene, shots, {.record_every = 3, .record_events = true});
  REQUIRE(tables.shots.size() == direct.traces.size());
  REQUIRE(tables.shots.size() == 2);

  std::size_t flyers = 0;
  for (std::size_t s = 0; s < direct.traces.size(); ++s) {
    const Trace& trace = direct.traces[s];
    const ShotRow& shot = tables.shots[s];
    CHECK(shot.hash == trace.hash);
    CHECK(shot.steps == trace.steps);
    CHECK(shot.likelihood == 0.25);
    REQUIRE(static_cast<std::size_t>(shot.frames) == trace.frames.size());
    REQUIRE(static_cast<std::size_t>(shot.events) == trace.events.size());
    const auto id = [&](BodyId body) { return body < 3 ? body : body + static_cast<int>(flyers); };
    for (std::size_t f = 0; f < trace.frames.size(); ++f) {
      const FrameRow& frame = tables.frames[static_cast<std::size_t>(shot.first_frame) + f];
      CHECK(frame.step == trace.frames[f].step);
      auto state = tables.states.begin() + frame.first_state;
      for (const BodyState& body : trace.frames[f].bodies) {
        if (body.id == 2) continue;  // the platform
        REQUIRE(state->body == id(body.id));
        CHECK(static_cast<double>(state->x) == body.pose.position.x);  // all bits of the engine
        CHECK(static_cast<double>(state->y) == body.pose.position.y);
        CHECK(static_cast<double>(state->angle) == body.pose.angle);
        CHECK(static_cast<double>(state->velocity_x) == body.velocity.x);
        CHECK(state->life == body.life);
        ++state;
      }
      CHECK(state == tables.states.begin() + frame.first_state + frame.states);
    }
    for (std::size_t e = 0; e < trace.events.size(); ++e) {
      const EventRow& event = tables.events[static_cast<std::size_t>(shot.first_event) + e];
      CHECK(event.kind == static_cast<std::uint8_t>(trace.events[e].kind));
      CHECK(event.a == id(trace.events[e].a));
      CHECK(event.b == id(trace.events[e].b));
      CHECK(event.value == trace.events[e].value);
    }
    for (const Event& event : trace.events)
      flyers += event.kind == EventKind::launch || event.kind == EventKind::spawn;
  }
  // The blue bird and its three children come after the red bird.
  CHECK(flyers == 5);
  REQUIRE(tables.bodies.size() == 3 + flyers);
  CHECK(of_kind(tables, Kind::bird).size() == 5);
  CHECK(tables.bodies[3].type.text() == "BirdRed");
  CHECK(tables.bodies[4].type.text() == "BirdBlue");
  CHECK(tables.bodies[3].shot == 0);
  CHECK(tables.bodies[7].shot == 1);
  CHECK(tables.bodies[2].fixed == 1);
  CHECK(tables.bodies[2].mass == 0);
  for (std::size_t i = 0; i < tables.bodies.size(); ++i) CHECK(tables.bodies[i].id == static_cast<int>(i));
}

TEST_CASE("[rollouts] an egg is an egg") {
  const Scene scene = at_rest_scene(level_of({pig({3, -3.26})}, {"BirdWhite"}));
  const RolloutTables tables = episode_of(scene, {{.angle = 0.6, .tap_time = 0.6}});
  const std::vector<BodyRow> eggs = of_kind(tables, Kind::egg);
  REQUIRE(eggs.size() == 1);
  CHECK(eggs[0].type.text() == "Egg");
  CHECK(eggs[0].mass == Approx(profile()->find(Kind::egg, "Egg")->mass()));
  CHECK(of_kind(tables, Kind::bird).size() == 1);
}

TEST_CASE("[rollouts] energies are those of a bird in free flight, by hand") {
  const Scene scene = make_scene(level_of({}), profile());
  const RolloutTables tables = episode_of(scene, {{.angle = 0.7, .stretch = 0.8}}, {.every = 1});
  const BodyRow& bird = tables.bodies.at(0);
  const double g = 9.81 * bird.gravity_scale, h = 0.02;
  const Vec2 d = direction(0.7);
  // The bird starts at rest - 0.8 d with velocity 8 d. It does not turn.
  const double y0 = scene.rest().y - 0.8 * d.y + bird.centre_y - scene.profile->ground_y;
  for (int n = 0; n < 30; ++n) {
    const FrameRow& frame = tables.frames[static_cast<std::size_t>(n)];
    const double vy = 8 * d.y - n * g * h;
    const double y = y0 + (8 * d.y - g * h / 2) * n * h - g * n * h * n * h / 2;
    CHECK(frame.kinetic == Approx(0.5 * bird.mass * (64 * d.x * d.x + vy * vy)).epsilon(1e-4));
    CHECK(frame.potential == Approx(bird.mass * g * y).epsilon(1e-4));
    CHECK(frame.contacts == 0);
  }
}

TEST_CASE("[rollouts] a turning box has the energy of its turning") {
  // An object at rest has none; one that was hit has m v^2/2 + I w^2/2 of its state.
  const Scene scene = at_rest_scene(level_of({standing(Material::wood)}));
  const RolloutTables tables = episode_of(scene, {{.angle = 0}}, {.every = 1});
  CHECK(tables.frames[0].kinetic == Approx(0.5 * tables.bodies[1].mass * 100).epsilon(1e-4));
  bool turned = false;
  for (const FrameRow& frame : tables.frames) {
    double energy = 0;
    for (auto s = frame.first_state; s < frame.first_state + frame.states; ++s) {
      const StateRow& state = tables.states[static_cast<std::size_t>(s)];
      const BodyRow& body = tables.bodies[static_cast<std::size_t>(state.body)];
      energy += 0.5 * body.mass * (std::pow(state.velocity_x, 2) + std::pow(state.velocity_y, 2)) +
                0.5 * body.inertia * std::pow(state.angular_velocity, 2);
      turned |= state.body == 0 && std::fabs(state.angular_velocity) > 0.1f;
    }
    CHECK(frame.kinetic == Approx(energy).margin(1e-9));
  }
  CHECK(turned);
}

TEST_CASE("[rollouts] support edges follow the objects") {
  // A block on a block on the ground; a shot that misses leaves it so.
  const Scene scene = at_rest_scene(
      level_of({block("RectFat", Material::wood, {2, -3.28}), block("RectFat", Material::wood, {2, -2.85})}));
  const RolloutTables still = episode_of(scene, {{.angle = 1.57}});
  for (const FrameRow& frame : still.frames) {
    REQUIRE(frame.supports == 2);
    const SupportRow* edges = &still.supports[static_cast<std::size_t>(frame.first_support)];
    const bool first_is_ground = edges[0].lower == -1;
    CHECK(edges[first_is_ground ? 0 : 1].upper == 0);
    CHECK(edges[first_is_ground ? 1 : 0].lower == 0);
    CHECK(edges[first_is_ground ? 1 : 0].upper == 1);
  }
  // A shot at them ends that.
  const RolloutTables hit = episode_of(scene, {{.angle = 0.05}});
  CHECK(std::any_of(hit.frames.begin(), hit.frames.end(),
                    [](const FrameRow& frame) { return frame.supports != 2; }));
}

TEST_CASE("[rollouts] a contact of the bird has the impulse that stops it") {
  const Scene scene = at_rest_scene(level_of({standing(Material::stone)}));
  const RolloutTables tables = episode_of(scene, {{.angle = 0}}, {.every = 1});
  const auto hit = std::find_if(tables.contacts.begin(), tables.contacts.end(),
                                [](const ContactRow& contact) { return contact.a == 0 && contact.b == 1; });
  REQUIRE(hit != tables.contacts.end());
  // The block throws the bird back: to the left, by over half of its momentum and at most twice that.
  const double momentum = tables.bodies[1].mass * 10;
  CHECK(hit->impulse_x < -0.5 * momentum);
  CHECK(hit->impulse_x > -2 * momentum);
  CHECK(hit->normal >= Approx(std::fabs(hit->impulse_x)).epsilon(0.05));
}

TEST_CASE("[rollouts] an episode without a shot has its bodies, with their masses") {
  const Scene scene = at_rest_scene(level_of({block("RectFat", Material::wood, {0, -3.28})}));
  const RolloutTables tables = episode_of(scene, {});
  REQUIRE(tables.bodies.size() == 1);
  CHECK(tables.bodies[0].mass == Approx(scene.objects[0].mass()));
  CHECK(tables.bodies[0].inertia > 0);
  CHECK(tables.episodes.at(0).gravity_y == Approx(-9.81));
  CHECK(tables.frames.empty());
}

TEST_CASE("[rollouts] rows keep their places when episodes are put together") {
  const Scene scene = at_rest_scene(level_of({pig({2, -3.26})}, {"BirdRed", "BirdRed"}));
  const RolloutTables one = episode_of(scene, {{.angle = 0.1}, {.angle = 0.5}});
  RolloutTables two = one;
  two.append(RolloutTables(one));
  REQUIRE(two.episodes.size() == 2);
  CHECK(two.episodes[1].first_shot == one.episodes[0].shots);
  CHECK(two.episodes[1].first_body == one.episodes[0].bodies);
  const std::size_t shots = one.shots.size(), frames = one.frames.size();
  for (std::size_t s = 0; s < shots; ++s) {
    CHECK(two.shots[shots + s].first_frame == one.shots[s].first_frame + static_cast<int>(frames));
    CHECK(two.shots[shots + s].first_event == one.shots[s].first_event + static_cast<int>(one.events.size()));
  }
  for (std::size_t f = 0; f < frames; ++f) {
    const FrameRow &a = one.frames[f], &b = two.frames[frames + f];
    CHECK(b.first_state == a.first_state + static_cast<int>(one.states.size()));
    CHECK(b.first_contact == a.first_contact + static_cast<int>(one.contacts.size()));
    CHECK(b.first_support == a.first_support + static_cast<int>(one.supports.size()));
  }
}

TEST_CASE("[rollouts] a text that a column cannot hold is an error") {
  EpisodeRow row;
  put_text(row.tier, std::string(16, 'a'), "tier");
  CHECK(row.tier.text() == std::string(16, 'a'));
  put_text(row.tier, "b", "tier");
  CHECK(row.tier.text() == "b");
  CHECK_THROWS_WITH(put_text(row.tier, std::string(17, 'a'), "tier"),
                    Catch::Contains("tier 'aaaaaaaaaaaaaaaaa': found 17 bytes, allowed are 16"));
}
