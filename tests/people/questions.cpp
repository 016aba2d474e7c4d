/// \file  Questions about the participant: files that are refused by line, answers that are, and a session
/// that asks once.
#include <sqlite3.h>

#include <limits>

#include "core/error.hpp"
#include "core/files.hpp"
#include "people/study_scores.hpp"
#include "tests/catch.hpp"
#include "tests/people/samples.hpp"

using namespace startle;

namespace {

const StudySettings asked_settings{.practice = 1, .items = 2, .normal = 1, .seed = 7};

std::string questions_file(const std::string& questions) {
  return R"({"format": "startle-study-questions", "version": 1, "questions": [)" + questions + "]}";
}

const std::string age =
    R"({"name": "age", "text": "Age?", "kind": "number", "min": 18, "max": 99, "required": true})";
const std::string hand =
    R"({"name": "hand", "text": "Hand?", "kind": "choice", "options": ["left", "right"], "required": false})";
const std::string language =
    R"({"name": "language", "text": "Language?", "kind": "text", "max_length": 10, "required": true})";

/// `text` with one piece of it replaced.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// What is said of a file.
std::string complaint(const std::string& json) {
  try {
    StudyQuestions::parse(json, "mine.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

/// What is said of answers to the sample.
std::string complaint(const StudyAnswers& answers) {
  try {
    sample_questions().check(answers);
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

StudyAnswers but(const std::string& name, const StudyAnswer& answer) {
  StudyAnswers answers = sample_answers();
  answers[name] = answer;
  return answers;
}

void change_file(const std::filesystem::path& file, const char* sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

}  // namespace

TEST_CASE("[people] questions: the shipped sample asks for age, language and experience") {
  const std::string file = STARTLE_PEOPLE_FOLDER "/sample-questions.json";
  const StudyQuestions sample = StudyQuestions::parse(read_file(file), file);
  REQUIRE(sample.all().size() == 3);
  CHECK(sample.json() == read_file(file));
  const StudyQuestion &first = sample.all()[0], &second = sample.all()[1], &third = sample.all()[2];
  CHECK((first.name == "age" && first.kind == StudyQuestion::Kind::number && first.required));
  CHECK((first.min == 18 && first.max == 120));
  CHECK((second.name == "home_language" && second.kind == StudyQuestion::Kind::text && !second.required));
  CHECK((third.name == "experience" && third.kind == StudyQuestion::Kind::choice));
  CHECK(third.options == std::vector<std::string>{"never", "a few times", "often"});
  CHECK(StudyQuestions().empty());
  CHECK(StudyQuestions().json().empty());
}

TEST_CASE("[people] questions: a file is refused with its line and key, and what is allowed") {
  using Catch::Contains;
  const std::string all = questions_file(age + ",\n" + hand + ",\n" + language);
  CHECK(complaint(all) == "taken");
  const auto refused = [&](const std::string& from, const std::string& to) {
    return complaint(with(all, from, to));
  };
  // The file.
  CHECK_THAT(complaint("{"), Contains("mine.json"));
  CHECK_THAT(refused("startle-study-questions", "startle-study-texts"), Contains("/format"));
  CHECK_THAT(refused("\"version\": 1", "\"version\": 2"), Contains("/version"));
  CHECK_THAT(refused("\"version\": 1", "\"version\": 1, \"scale\": 5"),
             Contains("\"scale\" is unknown") && Contains("allowed keys"));
  CHECK_THAT(complaint(questions_file("")), Contains("found 0 questions, allowed are 1 to 20"));
  std::string many;
  for (int i = 0; i < 21; ++i)
    many += (i ? "," : "") + with(age, "\"age\"", "\"age" + std::to_string(i) + "\"");
  CHECK_THAT(complaint(questions_file(many)), Contains("/questions") && Contains("found 21 questions"));
  // Names.
  for (const char* name : {"", "Age", "2nd", "my age", "age;", "\xc3\xa4ge", "_age", "=age"})
    CHECK_THAT(refused("\"age\"", std::string("\"") + name + "\""),
               Contains("/questions/0/name") && Contains("small letters, digits and _"));
  CHECK_THAT(refused("\"age\"", "\"" + std::string(33, 'a') + "\""), Contains("1 to 32"));
  CHECK(refused("\"age\"", "\"" + std::string(32, 'a') + "\"") == "taken");
  CHECK_THAT(refused("\"hand\"", "\"age\""),
             Contains("mine.json: line 2, /questions/1/name") && Contains("\"age\" stands twice"));
  CHECK_THAT(refused("\"age\"", "\"seconds\""), Contains("has a column \"seconds\" already"));
  // Keys.
  CHECK_THAT(refused("\"text\": \"Age?\", ", ""), Contains("\"text\" is missing"));
  CHECK_THAT(refused(", \"required\": true}", "}"), Contains("\"required\" is missing"));
  CHECK_THAT(refused("\"required\": true", "\"required\": 1"), Contains("true or false"));
  CHECK_THAT(refused("\"required\": true", "\"required\": true, \"if\": \"hand\""),
             Contains("\"if\" is unknown"));
  CHECK_THAT(refused("\"number\"", "\"scale\""), Contains("/questions/0/kind") && Contains("choice, number"));
  CHECK_THAT(refused("\"number\"", "\"text\""), Contains("is unknown"));  // min and max are a number's
  CHECK_THAT(refused("\"max_length\": 10", "\"min\": 1, \"max\": 2"), Contains("/questions/2"));
  // Texts.
  for (const char* text : {"", "  ", "a\\nb", "a\\u0000b"})
    CHECK_THAT(refused("Hand?", text), Contains("/questions/1/text") && Contains("in one line"));
  CHECK_THAT(refused("Hand?", std::string(301, 'a')), Contains("1 to 300 characters"));
  std::string umlauts;
  for (int i = 0; i < 300; ++i) umlauts += "\xc3\xa4";
  CHECK(refused("Hand?", umlauts) == "taken");
  // Options.
  CHECK_THAT(refused("[\"left\", \"right\"]", "[\"left\"]"),
             Contains("found 1 options, allowed are 2 to 20"));
  CHECK_THAT(refused("\"left\", ", "\"right\", "), Contains("/options/1") && Contains("stands twice"));
  CHECK_THAT(refused("\"left\"", "\"\""), Contains("/options/0"));
  CHECK_THAT(refused("\"left\"", "3"), Contains("/options/0") && Contains("a string"));
  CHECK_THAT(refused("\"left\"", "\"" + std::string(101, 'a') + "\""), Contains("1 to 100"));
  std::string options = "[\"0\"";
  for (int i = 1; i < 21; ++i) options += ", \"" + std::to_string(i) + "\"";
  CHECK_THAT(refused("[\"left\", \"right\"]", options + "]"), Contains("found 21 options"));
  // Ranges.
  for (const char* least : {"NaN", "1e999", "\"18\"", "null", "[]"})
    CHECK_THAT(refused("\"min\": 18", std::string("\"min\": ") + least), Contains("mine.json"));
  CHECK_THAT(refused("\"min\": 18", "\"min\": 99"),
             Contains("/questions/0/max") && Contains("above min, 99"));
  for (const char* length : {"0", "201", "2.5", "-1", "1e300"})
    CHECK_THAT(refused("\"max_length\": 10", std::string("\"max_length\": ") + length),
               Contains("/questions/2/max_length"));
  CHECK(refused("\"max_length\": 10", "\"max_length\": 200") == "taken");
}

TEST_CASE("[people] questions: answers that are not allowed are refused, with the question") {
  using Catch::Contains;
  CHECK(complaint(sample_answers()) == "taken");
  StudyAnswers less = sample_answers();
  less.erase("language");
  CHECK(complaint(less) == "taken");  // may be left out
  less.erase("age");
  CHECK_THAT(complaint(less), Contains("\"age\": is missing, allowed is a number from 18 to 99"));
  CHECK_THAT(complaint(StudyAnswers{}), Contains("is missing"));
  CHECK_THAT(complaint(but("name", "Eve")), Contains("\"name\": the study has no such question"));
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double number : {17.999, 99.001, -31.0, infinite, -infinite, std::nan("")})
    CHECK_THAT(complaint(but("age", number)), Contains("\"age\": found") && Contains("18 to 99"));
  CHECK_THAT(complaint(but("age", "31")), Contains("\"age\": found \"31\""));
  CHECK(complaint(but("age", 18.0)) == "taken");
  CHECK(complaint(but("age", 99.0)) == "taken");
  for (const char* option : {"", "Often", "often ", "sometimes"})
    CHECK_THAT(complaint(but("played", option)), Contains("one of its options: never, often"));
  CHECK_THAT(complaint(but("played", 1.0)), Contains("\"played\": found"));
  for (const std::string& text :
       {std::string(), std::string("   "), std::string(11, 'a'), std::string("a\nb"), std::string("a\0b", 3),
        std::string("a\x7f"), std::string("\xff\xfe")})
    CHECK_THAT(complaint(but("language", text)), Contains("1 to 10 characters"));
  CHECK_THAT(complaint(but("language", 5.0)), Contains("\"language\": found"));
  std::string umlauts;
  for (int i = 0; i < 10; ++i) umlauts += "\xc3\xa4";
  CHECK(complaint(but("language", umlauts)) == "taken");
  CHECK_THAT(complaint(but("language", umlauts + "\xc3\xa4")), Contains("1 to 10 characters"));
}

TEST_CASE("[people] questions: what is typed becomes an answer") {
  const StudyQuestion &played = sample_questions().all()[0], &years = sample_questions().all()[1],
                      &spoken = sample_questions().all()[2];
  CHECK(typed_answer(years, " 31 ") == StudyAnswer(31.0));
  CHECK(typed_answer(years, "31,5") == StudyAnswer(31.5));
  CHECK(typed_answer(spoken, "  low German ") == StudyAnswer("low German"));
  CHECK(typed_answer(played, "never") == StudyAnswer("never"));
  for (const StudyQuestion* question : {&played, &years, &spoken})
    for (const char* blank : {"", "   "}) CHECK_FALSE(typed_answer(*question, blank));
  for (const char* wrong : {"17", "thirty", "31 years", "nan", "inf", "3 1", "31,5,2"})
    CHECK_THROWS_AS(typed_answer(years, wrong), Error);
  CHECK_THROWS_AS(typed_answer(spoken, "abcdefghijk"), Error);
  CHECK_THROWS_AS(typed_answer(played, "maybe"), Error);
}

TEST_CASE("[people] questions: what many answered, by hand") {
  const auto& questions = sample_questions().all();
  const std::vector<StudyAnswers> people{{{"played", "often"}, {"age", 20.0}, {"language", "Twi"}},
                                         {{"played", "often"}, {"age", 50.0}, {"language", "Twi"}},
                                         {{"played", "never"}, {"age", 30.0}},
                                         {{"played", "often"}, {"age", 24.0}, {"language", "Ewe"}}};
  using Counts = std::vector<std::pair<std::string, std::size_t>>;
  const QuestionSummary played = summarised(questions[0], people), years = summarised(questions[1], people),
                        spoken = summarised(questions[2], people);
  CHECK(played.counts == Counts{{"never", 1}, {"often", 3}});
  CHECK(years.answered == 4);
  CHECK((years.median == 27 && years.min == 20 && years.max == 50));
  CHECK((spoken.answered == 3 && spoken.different == 2));
  CHECK(summarised(questions[1], {people[0], people[1], people[2]}).median == 30);
  CHECK_FALSE(summarised(questions[1], {}).median);
  CHECK(summarised(questions[0], {}).counts == Counts{{"never", 0}, {"often", 0}});
}

TEST_CASE("[people] questions are asked once, after consent and before practice, whatever is opened again") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"), asking_record(numbered_levels(4), asked_settings));
  CHECK(store.record().questions().json() == sample_questions().json());
  const StudyParticipant one = store.add_participant();
  {
    StudySession session(store, one);
    CHECK_THROWS_AS(session.answer(sample_questions(), sample_answers()),
                    std::logic_error);  // before consent
    session.agree();
    CHECK(session.state().stage == StudyStage::questions);
    CHECK_THROWS_AS(session.begin_practice(0), std::logic_error);
    CHECK_THROWS_AS(session.leave_practice(), std::logic_error);
    CHECK_THROWS_AS(session.begin_item(), std::logic_error);
    CHECK_THROWS_AS(session.pause(), std::logic_error);
  }
  {
    StudySession session(store, store.participant(one.code));  // opened again: they are still to be answered
    CHECK(session.state().stage == StudyStage::questions);
    const std::size_t before = session.sequence();
    CHECK_THROWS_AS(session.answer(sample_questions(), but("age", 7.0)), Error);
    CHECK(session.sequence() == before);
    CHECK(session.state().stage == StudyStage::questions);
    session.answer(sample_questions(), sample_answers());
    CHECK(session.state().stage == StudyStage::practice);
    CHECK_THROWS_AS(session.answer(sample_questions(), sample_answers()), std::logic_error);
  }
  {
    StudySession session(store, store.participant(one.code));
    CHECK(session.state().stage == StudyStage::practice);
    CHECK_THROWS_AS(session.answer(sample_questions(), sample_answers()), std::logic_error);
  }
  int answered = 0;
  for (const StudyEvent& event : store.events(one)) {
    if (event.kind != StudyEventKind::answered) continue;
    ++answered;
    CHECK(event.answers == sample_answers());
    CHECK(event.description.empty());
  }
  CHECK(answered == 1);
  const PeopleStudy study = read_people_study({store.file()});
  CHECK(study.questions.all().size() == 3);
  CHECK(study.sessions.at(0).answers == sample_answers());
  store.withdraw(one.code);
  CHECK(std::string(read_file(store.file())).find("Fran\xc3\xa7") == std::string::npos);
}

TEST_CASE("[people] questions: without practice the briefing follows, and who declines is asked nothing") {
  const TestFolder folder;
  StudyStore store(folder.file("study.sqlite"),
                   asking_record(numbered_levels(4), {.practice = 0, .items = 2, .normal = 1}));
  StudySession first(store, store.add_participant()), second(store, store.add_participant());
  first.agree();
  StudyAnswers less = sample_answers();
  less.erase("language");
  first.answer(sample_questions(), less);
  CHECK(first.state().stage == StudyStage::briefing);
  second.decline();
  CHECK(second.state().stage == StudyStage::declined);
  const PeopleStudy study = read_people_study({store.file()});
  CHECK(study.sessions.at(0).answers == less);
  CHECK_FALSE(study.sessions.at(1).answers);
  CHECK(given_answers(study).size() == 1);
}

TEST_CASE("[people] questions: a study made before there were any opens and asks none") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  const StudyRecord record = record_of(numbered_levels(4), asked_settings);
  { StudyStore(file, record).add_participant(); }
  change_file(file, "DELETE FROM manifest WHERE key = 'questions_json'");
  StudyStore store(file, record);
  CHECK(store.record().questions().empty());
  StudySession session(store, store.participants().front());
  session.agree();
  CHECK(session.state().stage == StudyStage::practice);
  CHECK(read_people_study({file}).questions.empty());
  // Another study than one that asks.
  CHECK_THROWS_WITH(StudyStore(file, asking_record(numbered_levels(4), asked_settings)),
                    Catch::Contains("holds another study: questions_json"));
}

TEST_CASE(
    "[people] questions: answers and questions that were changed by hand are refused or read as they are") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  {
    StudyStore store(file, asking_record(numbered_levels(4), asked_settings));
    StudySession session(store, store.add_participant());
    session.agree();
    session.answer(sample_questions(), sample_answers());
  }
  const auto refused = [&](const char* sql, const char* what) {
    const auto copy = folder.file("copy.sqlite");
    std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
    change_file(copy, sql);
    CHECK_THROWS_WITH(read_people_study({copy}), Catch::Contains(what));
  };
  refused("UPDATE events SET description = 'age' WHERE event = 'answered'", "answers");
  refused("UPDATE events SET description = NULL WHERE event = 'answered'", "answers");
  refused("UPDATE events SET description = '[1]' WHERE event = 'answered'", "an object");
  refused("UPDATE events SET description = '{\"age\": {\"a\": 1}}' WHERE event = 'answered'", "a string");
  refused("UPDATE manifest SET value = '{}' WHERE key = 'questions_json'", "questions of the study");
  refused("UPDATE manifest SET value = '' WHERE key = 'questions_json'", "answered");
}
