/// \file  Participants of a study on the web: links that cannot be forged, places that are handed out once,
/// events that come twice or out of order, and many participants at once.
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <set>
#include <thread>

#include "core/error.hpp"
#include "core/files.hpp"
#include "people/study_session.hpp"
#include "tests/catch.hpp"
#include "tests/people/samples.hpp"

using namespace startle;

namespace {

const StudySettings settings{.practice = 1, .items = 4, .normal = 2, .seed = 7};
StudyRecord record() { return record_of(numbered_levels(4), settings); }

void end_shot(StudySession& session, int pigs, int birds) {
  Scene after{.profile = profile(),
              .birds = std::vector<std::string>(static_cast<std::size_t>(birds), "BirdRed")};
  for (int i = 0; i < pigs; ++i) after.objects.push_back({.kind = Kind::pig});
  session.shot_released({.angle = 0.5});
  session.shot_ended({.angle = 0.5}, after, Trace{.hash = 17});
}

/// From consent to the end, without a world.
void play_through(StudySession& session) {
  session.agree();
  session.begin_practice(0);
  end_shot(session, 0, 1);
  session.leave_practice();
  while (session.state().unfinished()) {
    session.begin_item();
    end_shot(session, 1, 0);
    session.report_nothing();
  }
}

std::set<int> places(const StudyStore& store) {
  std::set<int> held;
  for (const StudyParticipant& one : store.participants())
    if (one.place) CHECK(held.insert(*one.place).second);
  return held;
}

std::set<int> first(int count) {
  std::set<int> numbers;
  for (int i = 0; i < count; ++i) numbers.insert(i);
  return numbers;
}

}  // namespace

TEST_CASE("[people] a link is 128 random bits, opens its participant alone, and stands nowhere in the file") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  StudyStore store(file, record());
  std::set<std::string> links;
  for (int i = 0; i < 20; ++i) {
    const StudyInvitation invitation = store.invite();
    CHECK(invitation.link.size() == 32);
    CHECK(invitation.link.find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(links.insert(invitation.link).second);
    CHECK(store.participant_of_link(invitation.link).code == invitation.participant.code);
  }
  const std::string bytes = read_file(file);
  for (const std::string& link : links) CHECK(bytes.find(link) == std::string::npos);
  // Forged: the short code, parts, other letters, SQL, nothing.
  const StudyInvitation mine = store.invite();
  for (const std::string& forged :
       {mine.participant.code, mine.link.substr(1), mine.link + "0", std::string(32, '0'), std::string(),
        std::string("' OR 1=1 --"), std::string(100000, 'a'), std::string("%")}) {
    CHECK_THROWS_AS(store.participant_of_link(forged), UnknownStudyLink);
    try {
      store.participant_of_link(forged);
    } catch (const UnknownStudyLink& error) {
      CHECK_THAT(error.what(), !Catch::Contains(mine.participant.code));
    }
  }
  // A lost link is replaced; the old one is nobody's.
  const StudyInvitation renewed = store.renew_link(mine.participant.code);
  CHECK(renewed.participant.code == mine.participant.code);
  CHECK_THROWS_AS(store.participant_of_link(mine.link), UnknownStudyLink);
  CHECK(store.participant_of_link(renewed.link).code == mine.participant.code);
  store.withdraw(mine.participant.code);
  CHECK_THROWS_AS(store.participant_of_link(renewed.link), UnknownStudyLink);
}

TEST_CASE("[people] who comes from a recruiter is known again, and the identifier is not stored") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  const std::string identifier = "5f3c1a2b9d8e7f6a5b4c3d2e";
  StudyStore store(file, record());
  const StudyInvitation one = store.enrol(identifier), other = store.enrol("another");
  CHECK(one.participant.code != other.participant.code);
  { StudySession(store, one.participant).agree(); }
  // Somebody else with the same identifier gets nothing, and takes nothing away.
  CHECK_THROWS_AS(store.enrol(identifier), AlreadyEnrolled);
  for (const char* unfilled : {"{{%PROLIFIC_PID%}}", "%SURVEY_CODE%"})
    CHECK_THROWS_WITH(store.enrol(unfilled), Catch::Contains("the recruiter must put"));
  CHECK_THROWS_AS(store.enrol(identifier, 100, other.link), AlreadyEnrolled);
  CHECK_THROWS_AS(store.enrol("a third", 100, one.link), AlreadyEnrolled);
  CHECK(store.participant_of_link(one.link).code == one.participant.code);
  CHECK(store.event_count(one.participant) == 2);
  // The page that got no answer asks again, with the link that it has drawn.
  const StudyInvitation again = store.enrol(identifier, 100, one.link);
  CHECK(again.participant.code == one.participant.code);
  CHECK(again.participant.place == 0);
  CHECK(store.participants().size() == 2);
  CHECK(read_file(file).find(identifier) == std::string::npos);
  CHECK_THROWS_WITH(store.enrol(""), Catch::Contains("found 0 bytes"));
  CHECK_THROWS_WITH(store.enrol(std::string(201, 'x')), Catch::Contains("allowed are 1 to 200"));
  for (const char* link : {"0123", "0123456789ABCDEF0123456789abcdef", "g123456789abcdef0123456789abcdef"})
    CHECK_THROWS_WITH(store.enrol("a third", 100, link), Catch::Contains("32 hexadecimal digits"));
  // Who lost it asks the researcher, and the link of before is dead.
  const StudyInvitation renewed = store.renew_link(identifier + " ");
  CHECK(renewed.participant.code == one.participant.code);
  CHECK_THROWS_AS(store.enrol(identifier, 100, one.link), AlreadyEnrolled);
  CHECK(store.participant_of_link(renewed.link).code == one.participant.code);
  store.withdraw(one.participant.code);  // and may come anew
  CHECK(store.enrol(identifier).participant.code != one.participant.code);
}

TEST_CASE("[people] an identifier is the same with blanks and unseen marks at its ends") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"), record());
  const std::string link = store.enrol("AB12").link;
  const std::string code = store.participant_of_link(link).code;
  for (const char* same : {" AB12 ", "AB12\n", "\tAB12",
                           "\xc2\xa0"
                           "AB12\xe2\x80\x8b",
                           "\xef\xbb\xbf"
                           "AB12\xe3\x80\x80 "}) {
    CHECK(plain_identifier(same) == "AB12");
    CHECK_THROWS_AS(store.enrol(same), AlreadyEnrolled);
    CHECK(store.enrol(same, 100, link).participant.code == code);
  }
  CHECK(plain_identifier("A B") == "A B");
  CHECK_NOTHROW(store.enrol("ab12"));
  CHECK_THROWS_WITH(store.enrol(" \n "), Catch::Contains("found 0 bytes without blanks"));
}

TEST_CASE("[people] links are kept before their participants are stored, or there are none") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  StudyStore store(file, record());
  std::size_t given = 0;
  store.invite(2, [&](const std::vector<StudyInvitation>& links) {
    given = links.size();
    CHECK(StudyStore::reading(file).participants().empty());  // not yet
  });
  CHECK(given == 2);
  const auto all = store.invite(9998,
                                [&](const std::vector<StudyInvitation>& links) { given = links.size(); });
  CHECK(given == 9998);
  CHECK(store.participants().size() == 10000);
  CHECK(store.participant_of_link(all.back().link).number == 9999);
  const KeepLinks full = [](const std::vector<StudyInvitation>&) { throw Error("the disk is full"); };
  CHECK_THROWS_WITH(store.invite(5, full), "the disk is full");
  CHECK_THROWS_WITH(store.renew_link(all[0].participant.code, full), "the disk is full");
  CHECK(store.participants().size() == 10000);
  CHECK(store.participant_of_link(all[0].link).number == 2);
}

TEST_CASE("[people] a place is given at the first opening, and again when nobody holds it") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"), record());
  std::vector<StudyInvitation> invited;
  for (int i = 0; i < 6; ++i) invited.push_back(store.invite());
  CHECK(places(store).empty());
  const auto open = [&](std::size_t i) { return StudySession(store, invited[i].participant).participant(); };
  CHECK(open(4).place == 0);  // the first who comes, not the first who was invited
  CHECK(open(1).place == 1);
  CHECK(open(4).place == 0);
  const StudyParticipant with = store.participant(invited[1].participant.code);
  const StudyPlan plan = plan_study(store.record().levels, settings, 1);
  REQUIRE(with.items.size() == plan.items.size());
  for (std::size_t k = 0; k < plan.items.size(); ++k) {
    CHECK(with.items[k].level == store.record().levels[plan.items[k].level].name);
    CHECK(with.items[k].novel == plan.items[k].novel);
  }
  // Declined.
  StudySession(store, invited[4].participant).decline();
  CHECK(open(0).place == 0);
  // Given up; who comes back after all holds it again, as long as nobody else came in between.
  store.give_up(invited[2].participant.code);  // has no place, and is none the worse for it
  store.give_up(invited[0].participant.code);
  CHECK(store.participant(invited[0].participant.code).given_up);
  CHECK(open(0).place == 0);
  CHECK_FALSE(store.participant(invited[0].participant.code).given_up);
  CHECK(open(2).place == 2);
  store.give_up(invited[1].participant.code);
  CHECK(open(3).place == 1);
  // Withdrawn.
  store.withdraw(invited[3].participant.code);
  CHECK(open(5).place == 1);
  // At the end: the place stays.
  StudySession session(store, invited[5].participant);
  play_through(session);
  CHECK_THROWS_WITH(store.give_up(invited[5].participant.code), Catch::Contains("come to the end"));
  CHECK(store.add_participant().place == 3);
}

TEST_CASE("[people] those who come to the end are balanced, whoever drops out") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"), record());
  Random random(11);
  std::map<std::string, int> cells;
  int finished = 0;
  while (finished < 9) {
    const StudyParticipant one = store.add_participant();
    StudySession session(store, one);
    if (random.chance(0.2)) {
      session.decline();
    } else if (random.chance(0.4)) {
      session.agree();
      store.give_up(one.code);
    } else {
      play_through(session);
      ++finished;
      for (const StudyParticipant::Item& item : one.items)
        if (item.novel) ++cells[item.level.substr(0, item.level.rfind('-'))];
    }
  }
  CHECK(cells.size() == 9);
  for (const auto& [cell, count] : cells) CHECK(count == 2);  // 9 people, 2 novel items each, 9 cells
}

TEST_CASE("[people] an event that comes twice or out of order is refused") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"), record());
  const StudyParticipant one = store.add_participant();
  StudySession session(store, one);
  CHECK(session.sequence() == 1);
  CHECK_NOTHROW(session.expect(1));
  session.agree();
  CHECK_THROWS_AS(session.expect(1), StudyConflict);
  CHECK_THROWS_WITH(session.expect(3), Catch::Contains("found event 3, the next one is 2"));
  const StudyEvent paused{.kind = StudyEventKind::paused};
  CHECK_THROWS_AS(store.add(one, 1, paused), StudyConflict);  // once more
  CHECK_THROWS_AS(store.add(one, 3, paused), StudyConflict);  // too early
  CHECK(store.event_count(one) == 2);
  CHECK_NOTHROW(store.add(one, 2, paused));
  // A session of somebody whose data are withdrawn meanwhile stores nothing more.
  store.withdraw(one.code);
  CHECK_THROWS_AS(session.pause(), StudyConflict);
  CHECK_THROWS_WITH(StudySession(store, one), Catch::Contains("no longer"));
  CHECK(store.event_count(one) == 0);
}

TEST_CASE("[people] threads take places and play at once, by one store and by several") {
  const TestFolder folder;
  constexpr int threads = 4, of_each = 2;
  for (const bool shared : {true, false}) {
    const auto file = folder.file(shared ? "shared.sqlite" : "each.sqlite");
    StudyStore store(file, record());
    std::vector<std::thread> running;
    std::vector<std::string> failures(threads);
    for (int t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        try {
          std::optional<StudyStore> own;
          if (!shared) own.emplace(file);
          StudyStore& mine = own ? *own : store;
          for (int i = 0; i < of_each; ++i) {
            StudySession session(mine, i % 2 ? mine.invite().participant : mine.add_participant());
            play_through(session);
          }
        } catch (const std::exception& error) {
          failures[static_cast<std::size_t>(t)] = error.what();
        }
      });
    for (std::thread& thread : running) thread.join();
    for (const std::string& failure : failures) CHECK(failure == "");
    CHECK(places(store) == first(threads * of_each));
    for (const StudyParticipant& one : store.participants()) {
      CHECK(replayed(one, store.events(one)).stage == StudyStage::finished);
      CHECK(store.event_count(one) == 22);
    }
  }
}

TEST_CASE("[people] programs take places at once") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  { StudyStore(file, record()); }
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      int left = 5;
      try {
        for (StudyStore store(file); left > 0; --left) store.add_participant();
      } catch (const std::exception&) {
      }
      _exit(left);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  CHECK(places(StudyStore(file)) == first(20));
}

TEST_CASE("[people] one thread serves many sessions by turns, and two of one participant fight for nothing") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"), record());
  std::vector<std::unique_ptr<StudySession>> sessions;
  for (int i = 0; i < 8; ++i)
    sessions.push_back(std::make_unique<StudySession>(store, store.invite().participant));
  for (auto& session : sessions) session->agree();
  for (auto& session : sessions) session->begin_practice(0);
  for (auto& session : sessions) end_shot(*session, 0, 1);
  for (auto& session : sessions) CHECK(session->state().practice_done());
  // Opened again and again: the last one goes on, an item in play is interrupted once.
  const StudyParticipant one = sessions[0]->participant();
  sessions[0]->leave_practice();
  sessions[0]->begin_item();
  StudySession second(store, one), third(store, one);
  CHECK(third.state().items_done == 1);
  CHECK_THROWS_AS(second.begin_item(), StudyConflict);
  CHECK_THROWS_AS(sessions[0]->pause(), StudyConflict);
  CHECK_NOTHROW(third.begin_item());
  CHECK(replayed(one, store.events(one)).items_done == 1);
}

TEST_CASE("[people] a completion code is the participant's own, and cannot be had from the code") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"), record()), other(folder.file("other.sqlite"), record());
  std::set<std::string> codes;
  for (int i = 0; i < 10; ++i) {
    const StudyParticipant one = store.add_participant();
    const std::string code = store.completion_code(one);
    CHECK(code.size() == 8);
    CHECK(codes.insert(code).second);
    CHECK(store.completion_code(one) == code);
    CHECK(StudyStore(store.file()).completion_code(one) == code);
    CHECK(other.completion_code(one) != code);
  }
}

TEST_CASE("[people] a session goes on with the opening that a browser still has, and with no other") {
  const TestFolder folder;
  const std::filesystem::path file = folder.file("study.sqlite");
  StudyStore store(file, record());
  const StudyParticipant one = store.invite().participant;
  CHECK_THROWS_AS(StudySession::continued(store, one, 1), StudyConflict);  // was never opened
  double now = 100;
  const auto clock = [&now] { return now; };
  StudySession session(store, one, clock);
  const StudyParticipant placed = session.participant();
  now = 107;
  session.agree();
  session.begin_practice(0);
  end_shot(session, 0, 1);
  session.leave_practice();
  session.begin_item();
  session.shot_released({.angle = 0.5});
  const std::vector<StudyEvent> before = store.events(placed);

  now = 5000;  // of another program: its clock began elsewhere
  StudySession next = StudySession::continued(store, placed, 1, clock);
  CHECK(store.events(placed) == before);
  CHECK(next.sequence() == before.size());
  CHECK(next.state().stage == StudyStage::item);
  CHECK(next.state().flying);
  now = 5002;
  next.shot_ended({.angle = 0.5}, Scene{.profile = profile(), .birds = {"BirdRed"}}, Trace{.hash = 17});
  CHECK(store.events(placed).back().seconds == 9);
  CHECK(store.events(placed).back().session == 1);
  CHECK_THROWS_AS(session.close(), StudyConflict);  // the one before is old
  CHECK_THROWS_AS(StudySession::continued(store, placed, 2), StudyConflict);
  CHECK_THROWS_AS(StudySession::continued(store, placed, 0), StudyConflict);
  StudySession opened(store, placed);
  CHECK_THROWS_AS(StudySession::continued(store, placed, 1), StudyConflict);
  CHECK_THROWS_AS(next.close(), StudyConflict);
}

TEST_CASE(
    "[people] a recruiter's people are enrolled until the study is full of those who may come to the end") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"), record());
  store.invite();
  const StudyInvitation first = store.enrol("one", 2);
  CHECK(first.participant.enrolled);
  CHECK_THROWS_AS(store.enrol("two", 2), StudyFull);
  CHECK(store.enrol("one", 0, first.link).participant.code == first.participant.code);
  store.withdraw(first.participant.code);
  const StudyInvitation second = store.enrol("two", 2);
  CHECK_THROWS_AS(store.enrol("one", 2), StudyFull);
  // Never came, and is given up.
  store.give_up(second.participant.code);
  const StudyInvitation third = store.enrol("three", 2);
  CHECK_THROWS_AS(store.enrol("four", 2), StudyFull);
  StudySession(store, third.participant).decline();
  CHECK_NOTHROW(store.enrol("four", 2));
  // Comes after all.
  CHECK(StudySession(store, second.participant).participant().place.has_value());
  CHECK_FALSE(store.participant(second.participant.code).given_up);
}
