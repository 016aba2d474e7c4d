/// \file  Sessions from consent to thanks, with a participant who follows a script and sees what the oracle
/// sees.
#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/random.hpp"
#include "people/study_session.hpp"
#include "tests/catch.hpp"
#include "tests/people/samples.hpp"

using namespace startle;

namespace {

const StudySettings settings{.practice = 2, .items = 6, .normal = 2, .seed = 7};

const std::vector<StudyLevel>& levels() {
  static const std::vector<StudyLevel> all = study_levels(real_levels(), profile());
  return all;
}

std::vector<StudyEvent> events_of(const StudyStore& store, const StudyParticipant& one, StudyEventKind kind) {
  std::vector<StudyEvent> all = store.events(one);
  std::erase_if(all, [&](const StudyEvent& e) { return e.kind != kind; });
  return all;
}

/// A shot's end without a world.
void end_shot(StudySession& session, int pigs, int birds) {
  Scene after{.profile = profile(),
              .birds = std::vector<std::string>(static_cast<std::size_t>(birds), "BirdRed")};
  for (int i = 0; i < pigs; ++i) after.objects.push_back({.kind = Kind::pig});
  session.shot_released({.angle = 0.5});
  session.shot_ended({.angle = 0.5}, after, Trace{});
}

}  // namespace

TEST_CASE(
    "[people] a whole study: the participant detects what the oracle detects, and every shot can be flown "
    "again") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"), record_of(levels(), settings));
  for (int i = 0; i < 2; ++i) {
    const StudyParticipant one = store.add_participant();
    StudySession session(store, one);
    take_part(session);
    CHECK(session.state().stage == StudyStage::finished);
    CHECK(events_of(store, one, StudyEventKind::item_begun).size() == 6);
    // A report on a novel level alone; the easy ones can be detected.
    std::set<int> reported;
    for (const StudyEvent& e : events_of(store, one, StudyEventKind::reported)) {
      CHECK(one.items[static_cast<std::size_t>(e.position)].novel);
      CHECK(e.number >= 1);
      CHECK(e.confidence == 0.9);
      reported.insert(e.position);
    }
    CHECK(!reported.empty());
    const auto unnoticed = events_of(store, one, StudyEventKind::unnoticed);
    CHECK(reported.size() + unnoticed.size() == 6);
    // The stored shots, flown again from the level, give the stored traces.
    Scene scene;
    int flown = 0;
    bool practice = true;
    for (const StudyEvent& e : store.events(one)) {
      const auto position = static_cast<std::size_t>(std::max(e.position, 0));
      if (e.kind == StudyEventKind::practice_begun)
        scene = study_scene(real_level(one.practice[position]), profile());
      if (e.kind == StudyEventKind::item_begun) {
        practice = false;
        const StudyParticipant::Item& item = one.items[position];
        const StoredLevel& level = real_level(item.level);
        scene = study_scene(level, profile(), item.novel ? level.difficulty->novelty : "");
      }
      if (e.kind != StudyEventKind::shot_ended) continue;
      ShotResult again = run_shot(scene, *e.shot);
      CHECK(hexadecimal(again.trace.hash) == e.outcome->trace);
      CHECK(again.scene.score == e.outcome->score);
      CHECK(again.scene.pigs_left() == e.outcome->pigs_left);
      scene = std::move(again.scene);
      ++flown;
    }
    CHECK(!practice);
    CHECK(flown >= 8);
  }
}

TEST_CASE("[people] closed again and again, a session goes on where it was and offers no item twice") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"), record_of(levels(), settings));
  const StudyParticipant one = store.add_participant();
  Random random(3);
  int openings = 0, interrupted = 0;
  std::set<int> begun;
  for (bool done = false; !done; ++openings) {
    REQUIRE(openings < 500);
    const StudyParticipant found = store.participant(one.code);
    StudySession session(store, found);
    CHECK(session.state().stage != StudyStage::item);
    CHECK(session.state().stage != StudyStage::question);
    take_part(session, [&] {
      const StudyState& s = session.state();
      if (s.stage == StudyStage::item && s.shots == 0 && random.chance(0.3)) {
        ++interrupted;  // an item was begun and nothing shot
        return true;
      }
      return (s.stage == StudyStage::practice || s.stage == StudyStage::between) && random.chance(0.3);
    });
    done = !session.state().unfinished();
  }
  CHECK(openings > 2);
  for (const StudyEvent& e : events_of(store, one, StudyEventKind::item_begun))
    CHECK(begun.insert(e.position).second);
  CHECK(begun.size() == 6);
  CHECK(static_cast<int>(events_of(store, one, StudyEventKind::interrupted).size()) == interrupted);
}

TEST_CASE("[people] a session that was killed in an item says so and offers the next one") {
  const TestFolder folder;
  StudySettings short_study{.practice = 0, .items = 2, .normal = 1};
  StudyStore store(folder.file("study.sqlite"), record_of(levels(), short_study));
  const StudyParticipant one = store.add_participant();
  {
    StudySession session(store, one);
    session.agree();
    CHECK(session.state().stage == StudyStage::briefing);  // nothing to practise
    session.begin_item();
    end_shot(session, 2, 3);
    session.shot_released({.angle = 0.25});  // and the power goes while the bird flies
  }
  {
    StudySession session(store, one);
    CHECK(session.state().stage == StudyStage::between);
    CHECK(session.state().items_done == 1);
    const auto events = store.events(one);
    CHECK(events.back().kind == StudyEventKind::interrupted);
    CHECK(events.back().position == 0);
    CHECK(events.back().session == 2);
    session.begin_item();
    CHECK(session.level() == one.items[1].level);
    CHECK(session.novel() == one.items[1].novel);
    end_shot(session, 0, 3);
    CHECK(session.state().stage == StudyStage::question);
  }
  // The last item, too: then there is none to go on with.
  StudySession session(store, one);
  CHECK(session.state().stage == StudyStage::finished);
}

TEST_CASE("[people] what may be done when") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"), record_of(levels(), settings));
  StudySession session(store, store.add_participant());
  CHECK_THROWS_AS(session.begin_item(), std::logic_error);
  CHECK_THROWS_AS(session.level(), std::logic_error);
  session.agree();
  CHECK_THROWS_AS(session.agree(), std::logic_error);
  CHECK_THROWS_AS(session.leave_practice(), std::logic_error);  // not played
  session.begin_practice(1);
  CHECK(!session.novel());
  end_shot(session, 1, 2);
  CHECK(!session.state().may_report());  // practice is normal, there is nothing to report
  session.begin_practice(1);             // from the beginning
  CHECK(session.state().shots == 0);
  end_shot(session, 1, 0);
  CHECK(!session.state().may_shoot());
  CHECK(!session.state().practice_done());
  session.begin_practice(0);
  end_shot(session, 0, 4);
  CHECK(session.state().practice_done());
  session.begin_practice(1);  // once more, for the fun of it
  session.leave_practice();
  CHECK(session.state().stage == StudyStage::briefing);
  session.begin_item();
  CHECK_THROWS_AS(session.report(0.9, ""), std::logic_error);  // before any shot
  CHECK_THROWS_AS(session.leave_item(), std::logic_error);
  CHECK_THROWS_AS(session.report_nothing(), std::logic_error);
  session.shot_released({.angle = 0.5});
  CHECK_THROWS_AS(session.report(0.9, ""), std::logic_error);  // in flight
  CHECK_THROWS_AS(session.pause(), std::logic_error);
  session.shot_ended({.angle = 0.5},
                     Scene{.profile = profile(), .birds = {"BirdRed"}, .objects = {{.kind = Kind::pig}}},
                     Trace{});
  CHECK_THROWS_AS(session.report(0.4, ""), std::logic_error);
  CHECK_THROWS_WITH(session.report(0.9, std::string(2001, 'x')), Catch::Contains("allowed are 2000"));
  CHECK_THROWS_WITH(session.report(0.9, "\xff"), Catch::Contains("UTF-8"));
  session.pause();
  CHECK(!session.state().may_shoot());
  CHECK(!session.state().may_report());
  CHECK_THROWS_AS(session.report(0.9, ""), std::logic_error);
  session.go_on();
  session.report(0.5, "");
  CHECK_THROWS_AS(session.report(0.9, ""), std::logic_error);  // once a shot
  CHECK(session.state().may_shoot());                          // and on, to be surer
  end_shot(session, 1, 0);
  CHECK(session.state().stage == StudyStage::item);  // no question: it was answered
  session.report(1, "surer");
  session.leave_item();
  CHECK(session.state().stage == StudyStage::between);
  CHECK_THROWS_AS(session.begin_practice(0), std::logic_error);
  // Noticed only when asked at the end.
  session.begin_item();
  end_shot(session, 0, 1);
  CHECK(session.state().stage == StudyStage::question);
  CHECK(session.state().may_report());
  session.report(0.6, "late");
  session.leave_item();
  session.close();
}

TEST_CASE("[people] who declines is asked nothing more") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"), record_of(levels(), settings));
  const StudyParticipant one = store.add_participant();
  {
    StudySession session(store, one);
    session.decline();
    CHECK(!session.state().unfinished());
    CHECK_THROWS_AS(session.agree(), std::logic_error);
  }
  StudySession session(store, one);
  CHECK(session.state().stage == StudyStage::declined);
}

TEST_CASE("[people] any clicks at all lead to a session that can be read back") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"), record_of(levels(), settings));
  for (int trial = 0; trial < 10; ++trial) {
    const StudyParticipant one = store.add_participant();
    Random random(static_cast<std::uint64_t>(trial));
    for (int opening = 0; opening < 3; ++opening) {
      StudySession session(store, one);
      const std::vector<std::function<void()>> clicks{
          [&] { session.agree(); },
          [&] { session.begin_practice(random.integer(-1, 2)); },
          [&] { session.leave_practice(); },
          [&] { session.begin_item(); },
          [&] { session.shot_released({.angle = random.uniform()}); },
          [&] {
            const int pigs = random.integer(0, 2), birds = random.integer(0, 2);
            Scene after{.profile = profile(),
                        .birds = std::vector<std::string>(static_cast<std::size_t>(birds), "BirdRed")};
            for (int i = 0; i < pigs; ++i) after.objects.push_back({.kind = Kind::pig});
            session.shot_ended({.angle = 0.5}, after, Trace{});
          },
          [&] { session.report(random.uniform(0.4, 1.1), "x"); },
          [&] { session.report_nothing(); },
          [&] { session.leave_item(); },
          [&] { session.pause(); },
          [&] { session.go_on(); },
          [&] { session.close(); }};
      for (int click = 0; click < 80; ++click) {
        try {
          random.choice(clicks)();
        } catch (const std::logic_error&) {  // screens would not have offered it
        }
      }
      const StudyState state = replayed(one, store.events(one));
      CHECK(state.stage == session.state().stage);
      CHECK(state.items_done == session.state().items_done);
      CHECK(state.shots == session.state().shots);
      CHECK(state.paused == session.state().paused);
    }
  }
}

TEST_CASE("[people] events that cannot follow each other are refused by name") {
  const StudyParticipant one{.code = "ABCD-EFGH", .practice = {"a"}, .items = {{"b", true}}};
  const StudyEvent opened{.kind = StudyEventKind::opened};
  CHECK_NOTHROW(replayed(one, {opened}));
  CHECK_THROWS_WITH(replayed(one, {{.kind = StudyEventKind::agreed}}),
                    Catch::Contains("ABCD-EFGH, event 0: event agreed"));
  CHECK_THROWS_AS(replayed(one, {opened, {.kind = StudyEventKind::item_begun, .position = 0}}), Error);
  CHECK_THROWS_AS(replayed(one, {opened, {.session = 3, .kind = StudyEventKind::opened}}), Error);
  CHECK_THROWS_AS(study_event_kind("stolen"), Error);
  for (int k = 0; k <= static_cast<int>(StudyEventKind::closed); ++k)
    CHECK(study_event_kind(name(static_cast<StudyEventKind>(k))) == static_cast<StudyEventKind>(k));
}
