/// \file  A study as tables: the dictionary names every column, and nothing in them identifies anybody.
#include "app/reports/people/people_export.hpp"

#include <set>

#include "checks.hpp"
#include "people/study_session.hpp"
#include "tests/folder.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

/// Three participants: one at the end, with a report and a passed check; one who declined; one who withdrew.
struct SmallStudy {
  Folder folder;
  std::vector<std::string> codes;
  std::string link;
  StudyStore store;

  SmallStudy() : store(folder / "study.sqlite", make_study_record(setup())) {
    const StudyInvitation first = store.invite();
    codes.push_back(first.participant.code);
    link = first.link;
    take_part(first.participant);
    for (const bool withdraws : {false, true}) {
      const StudyParticipant one = store.enrol(withdraws ? "recruiter-1" : "recruiter-2").participant;
      codes.push_back(one.code);
      if (withdraws) {
        take_part(one);
        store.withdraw(one.code);
      } else {
        StudySession(store, one).decline();
      }
    }
  }

  static StudySetup setup() {
    std::vector<StudyLevel> levels;
    for (const char* tier : {"easy", "hard"})
      for (int i = 0; i < 4; ++i)
        levels.push_back({.name = tier + std::to_string(i), .novelty = "T1", .tier = tier, .birds = 3});
    return {.program = "startle test",
            .profile = profile(),
            .consent = "I agree.",
            .settings = {.practice = 1, .items = 2, .normal = 1, .attention = 1},
            .levels = levels};
  }

  void take_part(const StudyParticipant& one) {
    double now = 0;
    StudySession session(store, one, [&now] { return now += 0.25; });
    const auto shot = [&](int pigs, int birds) {
      Scene after{.profile = profile(),
                  .birds = std::vector<std::string>(static_cast<std::size_t>(birds), "BirdRed"),
                  .score = 1200};
      for (int k = 0; k < pigs; ++k) after.objects.push_back({.kind = Kind::pig});
      session.shot_released({.angle = 0.5, .stretch = 0.75});
      session.shot_ended({.angle = 0.5, .stretch = 0.75, .tap_time = 1.5}, after, Trace{.hash = 17});
    };
    session.agree();
    session.begin_practice(0);
    shot(0, 2);
    session.leave_practice();
    while (session.state().unfinished()) {
      session.begin_item();
      shot(1, 1);
      if (session.attention() || session.novel()) {
        session.report(session.attention() ? attention_confidence : 0.75, "it \"fell\",\nslowly");
        session.leave_item();
      } else {
        shot(1, 0);
        session.report_nothing();
      }
    }
    session.close();
  }
};

}  // namespace

TEST_CASE("[reports] people export: the dictionary has every column of every file, and no other") {
  SmallStudy study;
  const auto files = people_export(study.store);
  std::set<std::pair<std::string, std::string>> columns, described;
  for (const auto& [name, text] : files) {
    if (name == "dictionary.csv") continue;
    const Rows rows = read_csv(text);
    check_table(rows);
    for (const std::string& column : rows.front()) CHECK(columns.emplace(name, column).second);
  }
  const Rows dictionary = read_csv(files.at("dictionary.csv"));
  CHECK(dictionary.front() == std::vector<std::string>{"file", "column", "unit", "meaning"});
  for (std::size_t r = 1; r < dictionary.size(); ++r) {
    CHECK(described.emplace(dictionary[r][0], dictionary[r][1]).second);
    CHECK_FALSE(dictionary[r][2].empty());
    CHECK(dictionary[r][3].size() > 5);
  }
  CHECK(columns == described);
  CHECK(files.size() == 7);
}

TEST_CASE("[reports] people export: what was played, by hand") {
  SmallStudy study;
  const auto files = people_export(study.store);
  const Rows people = read_csv(files.at("participants.csv"));
  REQUIRE(people.size() == 3);  // the head, two who did not withdraw
  const std::string who = study.codes[0] < study.codes[1] ? "1" : "2";
  CHECK(cell(people, {who}, "reached") == "finished");
  CHECK(cell(people, {who}, "items") == "2");
  CHECK(cell(people, {who}, "checks") == "1");
  CHECK(cell(people, {who}, "checks_failed") == "0");
  CHECK(cell(people, {who == "1" ? "2" : "1"}, "reached") == "declined");
  const Rows items = read_csv(files.at("items.csv"));
  REQUIRE(items.size() == 4);
  std::multiset<std::string> worlds;
  for (std::size_t r = 1; r < items.size(); ++r) worlds.insert(items[r][column(items, "world")]);
  CHECK(worlds == std::multiset<std::string>{"attention", "normal", "novel"});
  // One practice shot, one of each reported item, two of the other.
  const Rows shots = read_csv(files.at("shots.csv"));
  CHECK(shots.size() == 1 + 5);
  CHECK(shots[1][column(shots, "part")] == "practice");
  CHECK(shots[1][column(shots, "angle")] == "0.5");
  CHECK(shots[1][column(shots, "tap_time")] == "1.5");
  const Rows reports = read_csv(files.at("reports.csv"));
  REQUIRE(reports.size() == 1 + 2);
  CHECK(reports[1][column(reports, "description")] == "it \"fell\",\nslowly");
  const Rows events = read_csv(files.at("events.csv"));
  CHECK(events.size() == 1 + study.store.events(study.store.participant(study.codes[0])).size() + 2);
  CHECK(read_csv(files.at("levels.csv")).size() == 9);
}

TEST_CASE("[reports] people export: nothing that identifies") {
  SmallStudy study;
  std::string all;
  for (const auto& [name, text] : people_export(study.store)) all += text;
  for (const std::string& code : study.codes) CHECK(all.find(code) == std::string::npos);
  CHECK(all.find(study.link) == std::string::npos);
  CHECK(all.find("recruiter-") == std::string::npos);
  CHECK(all.find(study.store.completion_code(study.store.participant(study.codes[0]))) == std::string::npos);
  CHECK(all.find("withdrawn") == std::string::npos);
}

TEST_CASE("[reports] people export: a column for each question, and no question can take another's") {
  const Folder folder;
  StudySetup setup = SmallStudy::setup();
  setup.questions = StudyQuestions::parse(
      R"({"format": "startle-study-questions", "version": 1, "questions": [
      {"name": "age", "text": "Your age, in years?", "kind": "number", "min": 18, "max": 99, "required": true},
      {"name": "hand", "text": "Which hand?", "kind": "text", "max_length": 20, "required": false}]})",
      "questions");
  StudyStore store(folder / "study.sqlite", make_study_record(setup));
  for (const StudyAnswers& answers :
       {StudyAnswers{{"age", 31.5}}, StudyAnswers{{"age", 40.0}, {"hand", "left, \"mostly\""}}}) {
    StudySession session(store, store.add_participant());
    session.agree();
    session.answer(setup.questions, answers);
  }
  StudySession(store, store.add_participant()).decline();
  const auto files = people_export(store);
  const Rows people = read_csv(files.at("participants.csv"));
  check_table(people);
  std::set<std::string> ages, hands;
  for (std::size_t r = 1; r < people.size(); ++r) {
    ages.insert(people[r].at(people[r].size() - 2));
    hands.insert(people[r].back());
  }
  CHECK((people.front().at(people.front().size() - 2) == "age" && people.front().back() == "hand"));
  CHECK(ages == std::set<std::string>{"", "31.5", "40"});
  CHECK(hands == std::set<std::string>{"", "left, \"mostly\""});
  CHECK_THAT(files.at("dictionary.csv"),
             Catch::Contains("participants.csv,age,18 to 99,\"answer to: Your age, in years?\"") &&
                 Catch::Contains("participants.csv,hand,text,answer to: Which hand?"));
  CHECK_THAT(files.at("events.csv"), Catch::Contains(",answered,") && !Catch::Contains("mostly"));
  for (std::size_t column = 0; column + 2 < people.front().size(); ++column)
    CHECK_THROWS_WITH(StudyQuestions::parse(
                          R"({"format": "startle-study-questions", "version": 1, "questions": [{"name": ")" +
                              people.front()[column] +
                              R"(", "text": "?", "kind": "text", "max_length": 9, "required": true}]})",
                          "mine.json"),
                      Catch::Contains("has a column \"" + people.front()[column] + "\" already"));
}
