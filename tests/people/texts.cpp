/// \file  The texts of a study: complete in every language, and refused by line where they are not.
#include "core/error.hpp"
#include "core/files.hpp"
#include "people/study_store.hpp"
#include "people/study_texts.hpp"
#include "tests/catch.hpp"
#include "tests/people/samples.hpp"

using namespace startle;

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("[people] texts: every language has every text, filled in at the same places") {
  CHECK(StudyTexts::languages() == std::vector<std::string>{"de", "en"});
  const StudyTexts english = StudyTexts::shipped("en"), german = StudyTexts::shipped("de");
  CHECK(english.language() == "en");
  CHECK(german.language() == "de");
  CHECK(english.all().size() == german.all().size());
  CHECK(english.all().size() > 60);
  CHECK(german("consent.agree") == "Ich stimme zu");
  CHECK(german("question.yes").find("\xc3") == std::string::npos);
  CHECK(german("practice.heading") ==
        "\xc3\x9c"
        "bung");
  CHECK(english("between.heading", {{"done", "3"}, {"count", "{done}"}}) == "3 of {done} levels are done");
  CHECK_THROWS_AS(english("consent.nothing"), std::logic_error);
  CHECK_THROWS_WITH(StudyTexts::shipped("tlh"),
                    Catch::Contains("--language: found \"tlh\"") && Catch::Contains("allowed are de, en"));
}

TEST_CASE("[people] texts: those for children are complete, and ask in other words") {
  const std::string file = STARTLE_PEOPLE_FOLDER "/children.json";
  const StudyTexts children = StudyTexts::parse(read_file(file), file), english = StudyTexts::shipped("en");
  CHECK(children.language() == "en");
  for (const char* name : {"practice.text", "briefing.text", "item.noticed", "question.text", "report.text"})
    CHECK(children(name) != english(name));
  CHECK(children("briefing.text").find(children("item.noticed")) != std::string::npos);  // the button's name
}

TEST_CASE("[people] texts: a file is refused with its line and key") {
  const std::string german = StudyTexts::shipped("de").json();
  CHECK(StudyTexts::parse(german, "my.json").all() == StudyTexts::shipped("de").all());
  const auto refused = [&](const std::string& from, const std::string& to) -> std::string {
    try {
      StudyTexts::parse(replaced(german, from, to), "my.json");
    } catch (const Error& error) {
      return error.what();
    }
    return "taken";
  };
  using Catch::Contains;
  CHECK_THAT(refused("\"agree\": \"Ich stimme zu\",", ""),
             Contains("my.json") && Contains("/texts/consent") && Contains("consent.agree") &&
                 Contains("is missing") && Contains("I agree"));
  CHECK_THAT(refused("\"agree\":", "\"agre\":"),
             Contains("my.json:") && Contains("consent.agre\" is unknown"));
  CHECK_THAT(refused("\"briefing\"", "\"breefing\""), Contains("is unknown"));
  CHECK_THAT(refused("Ihr Code ist {code}.", "Ihr Code."), Contains("/texts/consent/code") &&
                                                               Contains("found no places") &&
                                                               Contains("allowed are {code}"));
  CHECK_THAT(refused("{done} von", "{getan} von"), Contains("{getan}") && Contains("{done}"));
  CHECK_THAT(refused("\"Ich stimme zu\"", "7"), Contains("/texts/consent/agree"));
  CHECK_THAT(refused("\"Ich stimme zu\"", "\" \""), Contains("allowed") && Contains("a text"));
  CHECK_THAT(refused("\"version\": 1", "\"version\": 2"), Contains("/version"));
  CHECK_THAT(refused("\"language\": \"de\"", "\"language\": \"de\\\" onload=\\\"\""),
             Contains("a tag such as"));
  CHECK_THAT(refused("\"language\": \"de\",", ""), Contains("language"));
  CHECK_THAT(refused("{", "["), Contains("my.json"));
}

TEST_CASE("[people] texts: the record of a study holds them and their language") {
  const TestFolder folder;
  const auto file = folder.file("study.sqlite");
  StudyTexts mine = StudyTexts::parse(
      replaced(StudyTexts::shipped("de").json(), "Ich stimme zu", "Einverstanden"), "my.json");
  {
    StudyStore store(file, make_study_record({.program = "startle test",
                                              .profile = profile(),
                                              .consent = "Ich nehme teil.",
                                              .texts = mine,
                                              .settings = {.practice = 0, .items = 2, .normal = 1},
                                              .levels = numbered_levels(2)}));
  }
  const StudyRecord record = StudyStore(file).record();
  CHECK(record.manifest.at("language") == "de");
  CHECK(record.manifest.at("consent_text") == "Ich nehme teil.");
  CHECK(record.texts().all() == mine.all());
  CHECK(record.texts()("consent.agree") == "Einverstanden");
}

TEST_CASE("[people] a return address is an address") {
  StudySetup setup{.program = "startle test",
                   .profile = profile(),
                   .consent = "I agree.",
                   .settings = {.practice = 0, .items = 2, .normal = 1},
                   .levels = numbered_levels(2)};
  for (const char* good : {"", "https://example.org/complete?cc={code}", "http://localhost:8080/"}) {
    setup.return_address = good;
    CHECK(make_study_record(setup).manifest.at("return_address") == good);
  }
  for (const char* bad : {"javascript:alert(1)", "example.org", "https://a b", "https://a\nb"}) {
    setup.return_address = bad;
    CHECK_THROWS_WITH(make_study_record(setup), Catch::Contains("--return-address: found"));
  }
}
