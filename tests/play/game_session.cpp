/// \file  What a person plays is what the engine computes for everybody.
#include "play/game_session.hpp"

#include "core/error.hpp"
#include "levels/level_file.hpp"
#include "play/aim.hpp"
#include "play/play_record.hpp"
#include "simulated/twin.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

Level shipped(const std::string& name) { return read_level(std::string(STARTLE_SOURCE) + "/levels/" + name); }

/// The bits of everything that a trace's hash stands for, and what is shown.
void check_equal(const Trace& a, const Trace& b) {
  CHECK(a.hash == b.hash);
  CHECK(a.steps == b.steps);
  CHECK(a.score == b.score);
  REQUIRE(a.frames.size() == b.frames.size());
  REQUIRE(a.events.size() == b.events.size());
  bool same = true;
  for (std::size_t i = 0; i < a.frames.size(); ++i) {
    same = same && a.frames[i].step == b.frames[i].step &&
           a.frames[i].bodies.size() == b.frames[i].bodies.size();
    for (std::size_t k = 0; same && k < a.frames[i].bodies.size(); ++k)
      same = a.frames[i].bodies[k].pose.position == b.frames[i].bodies[k].pose.position &&
             a.frames[i].bodies[k].pose.angle == b.frames[i].bodies[k].pose.angle;
  }
  CHECK(same);
}

}  // namespace

TEST_CASE("[play] the stored solution played in a session is what play() computes, and clears the level") {
  for (const char* name : {"data/castles/castles-1-0001.json", "data/platforms/platforms-1-0003.json",
                           "benchmark/T2/easy/T2-easy-5005-0003.json"}) {
    CAPTURE(name);
    const Level level = shipped(name);
    const std::vector<Shot>& solution = level.provenance->solution;
    const PlayResult expected = play(settle(make_scene(level, profile())), solution,
                                     {.record_every = 1, .record_events = true});
    REQUIRE(expected.cleared);

    GameSession session(level, profile());
    for (const Shot& shot : solution) {
      CHECK_FALSE(session.over());
      session.shoot(shot);
      CHECK(session.simulating());
      while (session.simulating()) session.simulate(7);
    }
    CHECK(session.over());
    CHECK(session.cleared());
    CHECK(session.score() == expected.scene.score);
    REQUIRE(session.shots().size() == expected.traces.size());
    for (std::size_t i = 0; i < expected.traces.size(); ++i) {
      check_equal(session.shots()[i].trace, expected.traces[i]);
      CHECK(session.shots()[i].scores.size() == expected.traces[i].frames.size());
      CHECK(session.shots()[i].scores.back() == expected.traces[i].score);
    }
  }
}

TEST_CASE("[play] the novel world starts as the normal one stands, with the novelty in it") {
  const Level level = shipped("data/castles/castles-1-0001.json");
  const Novelty& novelty = find_novelty("T2");
  GameSession session(level, profile(), &novelty);
  const Scene expected = novel_twin(settle(make_scene(level, profile())), novelty);
  session.shoot({.angle = radians(25)});
  session.finish();
  CHECK(session.shots()[0].trace.hash == run_shot(expected, {.angle = radians(25)}).trace.hash);
  GameSession normal(level, profile());
  normal.shoot({.angle = radians(25)});
  normal.finish();
  CHECK(normal.shots()[0].trace.hash != session.shots()[0].trace.hash);
}

TEST_CASE(
    "[play] a tap while the shot is shown changes the shot from there on, as if it had been given with it") {
  const Level level = shipped("data/castles/castles-1-0001.json");  // its first bird is blue: it splits
  REQUIRE(level.birds[0] == "BirdBlue");
  GameSession session(level, profile());
  const Shot shot{.angle = radians(40)};
  session.shoot(shot);
  session.finish();
  const Trace untapped = session.shots()[0].trace;
  CHECK_FALSE(session.tap(0));  // still near the slingshot
  CHECK(session.shots()[0].trace.hash == untapped.hash);
  REQUIRE(session.tap(30));
  CHECK(session.simulating());
  CHECK(session.shots()[0].trace.steps == 31);
  CHECK(session.shots()[0].shot.tap_time == 0.6);
  CHECK_FALSE(session.tap(31));  // once a shot
  session.finish();
  const Trace& tapped = session.shots()[0].trace;
  Shot given = shot;
  given.tap_time = 0.6;
  check_equal(tapped, run_shot(session.start(), given, {.record_every = 1, .record_events = true}).trace);
  CHECK(session.shots()[0].scores.size() == tapped.frames.size());
  // Up to the tap nobody could see a difference.
  for (std::size_t i = 0; i <= 30; ++i)
    CHECK(tapped.frames[i].bodies.back().pose.position == untapped.frames[i].bodies.back().pose.position);
  CHECK(tapped.frames[31].bodies.size() == untapped.frames[31].bodies.size() + 2);  // three children in place
                                                                                    // of one bird
}

TEST_CASE("[play] a tap is refused when the simulation has not come so far, and by a bird without a power") {
  Level level = shipped("data/castles/castles-1-0001.json");
  level.birds = {"BirdRed", "BirdBlue"};
  GameSession session(level, profile());
  CHECK_FALSE(session.tap(10));
  session.shoot({.angle = radians(40)});
  CHECK_FALSE(session.tap(500));
  session.finish();
  CHECK_FALSE(session.tap(30));
  CHECK(session.shots()[0].complete);
}

TEST_CASE("[play] shots taken back and a level started again leave no trace") {
  const Level level = shipped("data/towers/towers-1-0002.json");
  GameSession session(level, profile());
  CHECK_FALSE(session.undo());
  const Shot first{.angle = radians(80)}, second{.angle = radians(20)};
  session.shoot(first);
  session.finish();
  const double score = session.score();
  session.shoot(second);
  session.simulate(20);
  CHECK(session.undo());
  CHECK_FALSE(session.simulating());
  CHECK(session.score() == score);
  session.shoot(second);
  session.finish();
  const std::uint64_t hash = session.shots()[1].trace.hash;
  session.restart();
  CHECK(session.shots().empty());
  CHECK(session.score() == 0);
  CHECK(session.scene().birds_left() == level.birds.size());
  session.shoot(first);
  CHECK_THROWS_AS(session.shoot(second), Error);  // one at a time
  session.finish();
  session.shoot(second);
  session.finish();
  CHECK(session.shots()[1].trace.hash == hash);
}

TEST_CASE("[play] a level that cannot be used, and a shot out of range, are refused and change nothing") {
  Level level = shipped("data/rows/rows-1-0000.json");
  GameSession session(level, profile());
  CHECK_THROWS_AS(session.shoot({.angle = 1, .stretch = 2}), Error);
  CHECK(session.shots().empty());
  level.objects[0].type = "Cheese";
  CHECK_THROWS_AS(GameSession(level, profile()), Error);
}

TEST_CASE("[play] the copied command names its file as a shell reads it") {
  const GameSession session(read_level(STARTLE_SOURCE "/levels/data/castles/castles-1-0001.json"), profile());
  const auto command = [&](const char* file, const char* novelty = "") {
    return simulate_command({"0", file, "", novelty, "startle"}, session);
  };
  CHECK(command("levels/data/a-1_b.json", "T1") == "startle simulate levels/data/a-1_b.json --novelty T1");
  CHECK(command("my levels/it's $5.json") == "startle simulate 'my levels/it'\\''s $5.json'");
}
