/// \file  What a study says, by hand.
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "people/study_scores.hpp"
#include "people/study_session.hpp"
#include "tests/catch.hpp"
#include "tests/people/samples.hpp"

using namespace startle;

namespace {

PlayedItem item(const std::string& participant, const std::string& level, const std::string& tier, bool novel,
                int reported_after, double confidence = 0.8) {
  const double value = tier == "easy" ? 0.1 : tier == "medium" ? 0.5 : 0.9;
  PlayedItem i{.participant = participant,
               .level = level,
               .novelty = level.substr(0, 2),
               .tier = tier,
               .pid = value,
               .bid = value,
               .value = value,
               .novel = novel,
               .birds = 4};
  if (reported_after > 0) {
    i.reports = 1;
    i.reported_after = reported_after;
    i.confidence = confidence;
  }
  return i;
}

const PeopleScore& of(const std::vector<PeopleScore>& scores, const std::string& novelty,
                      const std::string& tier) {
  for (const PeopleScore& s : scores)
    if (s.novelty == novelty && s.tier == tier) return s;
  throw std::runtime_error("no score of " + novelty + " " + tier);
}

}  // namespace

TEST_CASE("[people] scores, by hand") {
  std::vector<PlayedItem> items{
      item("A", "T1-e1", "easy", true, 1),       item("B", "T1-e1", "easy", true, 2),
      item("C", "T1-e2", "easy", true, 1),       item("A", "T1-h1", "hard", true, 4),
      item("B", "T1-h1", "hard", true, 0),       item("C", "T1-h2", "hard", true, 0),
      item("A", "T1-e3", "easy", false, 2, 0.5), item("B", "T1-e3", "easy", false, 0),
      item("C", "T1-h3", "hard", false, 0)};
  // Cut short: one says nothing, the other said it before.
  items.push_back(item("A", "T1-m1", "medium", true, 0));
  items.back().interrupted = true;
  items.push_back(item("B", "T1-m1", "medium", true, 3));
  items.back().interrupted = true;
  const auto scores = people_scores(items);
  const PeopleScore& easy = of(scores, "T1", "easy");
  CHECK(easy.participants == 3);
  CHECK((easy.detected.hits == 3 && easy.detected.count == 3));
  CHECK((easy.false_alarm.hits == 1 && easy.false_alarm.count == 2));
  CHECK(*easy.shots_to_detection.value == Approx((0.25 + 0.5 + 0.25) / 3));
  CHECK(easy.shots_to_detection.count == 3);
  REQUIRE(easy.shots_to_detection.interval);
  CHECK(easy.shots_to_detection.interval->low >= 0.25);
  CHECK(easy.shots_to_detection.interval->high <= 0.5);
  // Confidence 0.8 0.8 0.8 against 0.5 0: every pair in order.
  CHECK(*easy.auc.value == 1);
  const PeopleScore& hard = of(scores, "T1", "hard");
  CHECK((hard.detected.hits == 1 && hard.detected.count == 3));
  CHECK(*hard.shots_to_detection.value == 1);
  CHECK(!hard.shots_to_detection.interval);  // of one participant
  // 0.8 0 0 against 0: (1 + 0.5 + 0.5)/3.
  CHECK(*hard.auc.value == Approx(2.0 / 3));
  CHECK((of(scores, "T1", "medium").detected.hits == 1 && of(scores, "T1", "medium").detected.count == 1));
  const PeopleScore& all = of(scores, "", "");
  CHECK((all.detected.hits == 5 && all.detected.count == 7));
  CHECK((all.false_alarm.hits == 1 && all.false_alarm.count == 3));
  CHECK(of(scores, "T1", "").detected.count == 7);
}

TEST_CASE("[people] an interval over participants is wide where people differ and items do not") {
  std::vector<PlayedItem> items;
  for (int p = 0; p < 10; ++p)
    for (int i = 0; i < 20; ++i)
      items.push_back(item("P" + std::to_string(p), "T1-" + std::to_string(i), "easy", true, p < 5 ? 1 : 0));
  const PeopleScore all = people_scores(items).front();
  REQUIRE(all.detected_over_participants);
  const double wilson = all.detected.interval().high - all.detected.interval().low;
  const double over_participants = all.detected_over_participants->high - all.detected_over_participants->low;
  CHECK(wilson == Approx(0.137).margin(0.005));  // 100 of 200
  // 10 coins: standard deviation 0.158, interval about 0.6 wide.
  CHECK(over_participants > 0.45);
  CHECK(over_participants < 0.75);
}

TEST_CASE("[people] rho is of levels, and has the sign of the truth") {
  std::vector<PlayedItem> items;
  Random random(3);
  for (int p = 0; p < 20; ++p)
    for (const char* tier : {"easy", "medium", "hard"})
      for (int i = 0; i < 4; ++i) {
        const double chance = tier[0] == 'e' ? 0.95 : tier[0] == 'm' ? 0.5 : 0.1;
        const int shots = tier[0] == 'e' ? 1 : tier[0] == 'm' ? 2 : 4;
        const bool reported = random.chance(chance);
        items.push_back(item("P" + std::to_string(p), std::string("T1-") + tier + std::to_string(i), tier,
                             true, reported ? shots : 0));
      }
  // Normal items are no part of it.
  items.push_back(item("P1", "T1-easy0", "easy", false, 0));
  const auto all = people_correlations(items);
  REQUIRE(all.size() == 6);  // of one novelty: PID, BID and value, detected and shots
  for (const PeopleCorrelation& c : all) {
    INFO(c.measure << " " << c.outcome);
    REQUIRE(c.rho);
    REQUIRE(c.interval);
    CHECK(c.interval->low <= *c.rho);
    CHECK(c.interval->high >= *c.rho);
    if (c.outcome == "detected") {
      CHECK(c.levels == 12);
      CHECK(c.items == 240);
      CHECK(c.interval->high < -0.7);
    } else {
      CHECK(*c.rho == Approx(1));  // the shots follow the tier alone
    }
  }
}

TEST_CASE("[people] rho needs four levels") {
  std::vector<PlayedItem> items;
  const auto rho = [&](int levels) {
    items.clear();
    for (int level = 0; level < levels; ++level)
      for (int p = 0; p < 4; ++p) {
        items.push_back(item("P" + std::to_string(p), "T1-" + std::to_string(level), "easy", true,
                             p < 4 - level ? 1 : 0));
        items.back().pid = level;
      }
    const PeopleCorrelation c = people_correlations(items).front();
    CHECK(c.levels == static_cast<std::size_t>(levels));
    CHECK(c.interval.has_value() == c.rho.has_value());
    return c.rho;
  };
  CHECK_FALSE(rho(2));
  CHECK_FALSE(rho(3));
  CHECK(rho(4) == Approx(-1));
}

TEST_CASE("[people] a file is read as it was played") {
  const TestFolder folder;
  const StudySettings settings{.practice = 1, .items = 3, .normal = 1, .seed = 2};
  const auto levels = numbered_levels(3, {"T1"});
  TestClock clock;  // half a second an event
  const auto end_shot = [](StudySession& s, int pigs, int birds) {
    Scene after{.profile = profile(),
                .birds = std::vector<std::string>(static_cast<std::size_t>(birds), "BirdRed"),
                .score = 500};
    for (int i = 0; i < pigs; ++i) after.objects.push_back({.kind = Kind::pig});
    s.shot_released({.angle = 0.5});
    s.shot_ended({.angle = 0.5}, after, Trace{});
  };
  const auto file = folder.file("study.sqlite");
  StudyParticipant one;
  {
    StudyStore store(file, record_of(levels, settings));
    one = store.add_participant();
    StudySession session(store, one, clock.function());
    session.agree();
    session.begin_practice(0);
    end_shot(session, 0, 1);
    session.leave_practice();
    session.begin_item();
    end_shot(session, 2, 3);
    session.pause();
    session.go_on();
    end_shot(session, 1, 2);
    session.report(0.7, "first");
    end_shot(session, 0, 1);
    session.report(0.6, "second");
    session.leave_item();
    session.begin_item();
    end_shot(session, 1, 0);
    session.report_nothing();
    session.begin_item();
    end_shot(session, 1, 3);
  }
  // Killed in the third item; another participant declines.
  {
    StudyStore store(file, record_of(levels, settings));
    StudySession session(store, store.add_participant(), clock.function());
    session.decline();
  }
  PeopleStudy study = read_people_study({file});
  REQUIRE(study.sessions.size() == 2);
  CHECK(study.sessions[0].stage == StudyStage::item);
  CHECK(study.sessions[0].practice_shots == 1);
  CHECK(study.sessions[0].items == 3);
  CHECK(study.sessions[0].openings == 1);
  CHECK(study.sessions[1].stage == StudyStage::declined);
  REQUIRE(study.items.size() == 3);
  const PlayedItem& first = study.items[0];
  CHECK(first.participant == one.code);
  CHECK(first.level == one.items[0].level);
  CHECK(first.novel == one.items[0].novel);
  CHECK(first.shots == 3);
  CHECK(first.solved);
  CHECK(first.score == 500);
  CHECK(first.reports == 2);
  CHECK(first.reported_after == 2);  // the first report counts
  CHECK(first.confidence == 0.7);    // the highest
  CHECK(first.description == "first / second");
  // shot, end, pause | continue, shot, end, report, shot, end, report, leave: the half second of the pause is
  // left out.
  CHECK(first.seconds == Approx(5));
  CHECK(!study.items[1].reported());
  CHECK(study.items[1].counts());
  CHECK(study.items[2].interrupted);
  CHECK(!study.items[2].counts());

  // Going on, the third item stays interrupted; there is no fourth.
  {
    StudyStore store(file);
    StudySession session(store, store.participant(one.code), clock.function());
    CHECK(session.state().stage == StudyStage::finished);
  }
  study = read_people_study({file});
  CHECK(study.sessions[0].stage == StudyStage::finished);
  CHECK(study.sessions[0].openings == 2);
  CHECK(study.items[2].interrupted);

  // The same study from another seed goes with it; a copy, and another study, do not.
  StudySettings other = settings;
  other.seed = 3;
  { StudyStore(folder.file("other.sqlite"), record_of(levels, other)).add_participant(); }
  CHECK(read_people_study({file, folder.file("other.sqlite")}).sessions.size() == 3);
  CHECK(read_people_study({file, folder.file("other.sqlite")}).manifest.at("seed") == "2, 3");
  std::filesystem::copy_file(file, folder.file("copy.sqlite"));
  CHECK_THROWS_WITH(read_people_study({file, folder.file("copy.sqlite")}),
                    Catch::Contains("stands in a file before"));
  { StudyStore(folder.file("text.sqlite"), record_of(levels, settings, "Another text.")).add_participant(); }
  CHECK_THROWS_WITH(read_people_study({file, folder.file("text.sqlite")}), Catch::Contains("consent"));
  { StudyStore(folder.file("empty.sqlite"), record_of(levels, settings)); }
  CHECK_THROWS_WITH(read_people_study({folder.file("empty.sqlite")}), Catch::Contains("no participant"));
}

TEST_CASE("[people] detection against strength, by hand") {
  std::vector<PlayedItem> items;
  const auto add = [&](const std::string& participant, const std::string& novelty, bool novel,
                       bool reported) {
    items.push_back(item(participant, novelty + "-level", "easy", novel, reported ? 1 : 0));
    items.back().novelty = novelty;
  };
  for (const char* participant : {"A", "B"}) {
    add(participant, "T2@0.5", true, false), add(participant, "T2@0.5", true, participant[0] == 'A');  // 1 of
                                                                                                       // 4
    add(participant, "T2@2", true, true), add(participant, "T2@2", true, true);                    // 4 of 4
    add(participant, "T2", true, participant[0] == 'B');                                           // 1 of 2
    add(participant, "T2", false, false), add(participant, "T2@2", false, participant[0] == 'A');  // false
                                                                                                   // alarms 1
                                                                                                   // of 4
    add(participant, "T1@2", true, true);
  }
  add("A", "T2@2", true, false);
  items.back().interrupted = true;  // says nothing
  const DetectionCurve curve = people_curve(items, "T2");
  CHECK(curve.levels == 2);
  CHECK(curve.false_alarms == 0.25);
  REQUIRE(curve.points.size() == 4);
  const auto point = [&](std::size_t k, double strength, std::size_t hits, std::size_t count) {
    CHECK(curve.points[k].strength == strength);
    CHECK((curve.points[k].detected.hits == hits && curve.points[k].detected.count == count));
  };
  point(0, 0, 1, 4), point(1, 0.5, 1, 4), point(2, 1, 1, 2), point(3, 2, 4, 4);
  CHECK(!curve.points[2].predicted);
  CHECK(!curve.predicted);
  CHECK(*curve.threshold->strength ==
        Approx(1 + (0.625 - 0.5) / 0.5));  // 0.25 + 0.75/2 between 1/2 at 1 and 1 at 2
  CHECK_THROWS_WITH(people_curve(items, "T1"),
                    Catch::Contains("strength 2 alone") && Catch::Contains("needed"));
  CHECK_THROWS_WITH(people_curve(items, "T3"), Catch::Contains("no strength"));
}

TEST_CASE(
    "[people] an attention check is passed by the answer that it asks for, and counts for nothing else") {
  const TestFolder folder;
  const StudySettings settings{.practice = 0, .items = 2, .normal = 1, .attention = 2, .seed = 2};
  const auto file = folder.file("study.sqlite");
  const auto end_shot = [](StudySession& s, int birds) {
    Scene after{.profile = profile(),
                .birds = std::vector<std::string>(static_cast<std::size_t>(birds), "BirdRed")};
    after.objects.push_back({.kind = Kind::pig});
    s.shot_released({.angle = 0.5});
    s.shot_ended({.angle = 0.5}, after, Trace{});
  };
  std::vector<std::string> codes;
  {
    StudyStore store(file, record_of(numbered_levels(3, {"T1"}), settings));
    // What each participant says in the two checks; 0: nothing.
    for (const auto& answers : std::vector<std::array<double, 2>>{{0.5, 0.5}, {0.5, 0}, {0.51, 0.5}}) {
      const StudyParticipant one = store.add_participant();
      codes.push_back(one.code);
      StudySession session(store, one);
      session.agree();
      for (std::size_t check = 0; session.state().unfinished();) {
        session.begin_item();
        const double answer = session.attention() ? answers[check++] : session.novel() ? 0.9 : 0;
        end_shot(session, answer > 0 ? 1 : 0);
        if (answer > 0) {
          session.report(answer, "");
          session.leave_item();
        } else {
          session.report_nothing();
        }
      }
    }
    // Cut short before an answer: neither passed nor failed.
    const StudyParticipant one = store.add_participant();
    StudySession session(store, one);
    session.agree();
    session.begin_item();
    end_shot(session, 0);
    session.report_nothing();
    session.begin_item();
    CHECK(session.attention());
    StudySession(store, one).close();
  }
  const PeopleStudy study = read_people_study({file});
  const std::vector<std::pair<int, int>> failed_of{{0, 2}, {1, 2}, {1, 2}, {0, 0}};
  REQUIRE(study.sessions.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(study.sessions[i].failed == failed_of[i].first);
    CHECK(study.sessions[i].checks == failed_of[i].second);
    CHECK(study.sessions[i].items == (i < 3 ? 2 : 1));
  }
  const PeopleScore all = people_scores(study.items).front();
  CHECK(all.detected.hits == 3);
  CHECK(all.detected.count + all.false_alarm.count == 7);
  CHECK(all.false_alarm.hits == 0);
  const std::vector<PlayedItem> attentive = attentive_items(study);
  for (const PlayedItem& item : attentive)
    CHECK((item.participant != codes[1] && item.participant != codes[2]));
  CHECK(people_scores(attentive).front().detected.hits == 1);
}

TEST_CASE("[people] easy against hard, by hand") {
  std::vector<PlayedItem> items;
  // Six participants detect the easy one and miss one of two hard ones; a seventh played no hard one.
  for (int p = 0; p < 6; ++p) {
    const std::string who = "P" + std::to_string(p);
    items.push_back(item(who, "T1-e", "easy", true, 1));
    items.push_back(item(who, "T1-h1", "hard", true, 2));
    items.push_back(item(who, "T1-h2", "hard", true, 0));
    items.push_back(item(who, "T1-h3", "hard", false, 1));  // a false alarm is none
    items.push_back(item(who, "T1-m", "medium", true, 0));
  }
  items.push_back(item("P6", "T1-e", "easy", true, 0));
  auto contrasts = tier_contrasts(items);
  REQUIRE(contrasts.size() == 1);
  CHECK(contrasts[0].novelty.empty());
  CHECK(contrasts[0].difference.count == 6);
  CHECK(*contrasts[0].difference.value == 0.5);
  CHECK(contrasts[0].difference.interval->low == 0.5);
  CHECK(contrasts[0].p == 2.0 / 64);
  items.push_back(item("P6", "T2-h", "hard", true, 1));
  contrasts = tier_contrasts(items);
  REQUIRE(contrasts.size() == 3);
  CHECK(*contrasts[0].difference.value == Approx((6 * 0.5 - 1) / 7));
  CHECK(contrasts[2].novelty == "T2");
  CHECK_FALSE(contrasts[2].difference.value);
  CHECK(tier_contrasts({}).empty());
}
