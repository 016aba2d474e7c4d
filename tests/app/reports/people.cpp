#include <nlohmann/json.hpp>

#include "app/reports/people/people_report.hpp"
#include "checks.hpp"
#include "core/error.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

/// Four participants, each with eight novel and two normal items of T1: participant p reports the first p + 2
/// novel ones, after 1 of 4 shots, and the last a normal one.
PeopleStudy small_study() {
  PeopleStudy study{
      .manifest = {{"seed", "1"}, {"consent_text", "not for the report"}, {"note", strange_name}},
      .sessions = {},
      .items = {}};
  for (int p = 0; p < 4; ++p) {
    const std::string who = p == 0 ? strange_name : "P" + std::to_string(p);
    study.sessions.push_back({.participant = who,
                              .stage = StudyStage::finished,
                              .openings = 1,
                              .practice_shots = 3,
                              .items = 10,
                              .seconds = 90});
    for (int i = 0; i < 10; ++i) {
      const bool novel = i < 8, given = novel ? i < p + 2 : p == 3 && i == 9;
      study.items.push_back({.participant = who,
                             .position = i,
                             .level = "L" + std::to_string(i),
                             .novelty = "T1",
                             .tier = i % 2 == 0 ? "easy" : "hard",
                             .pid = 0.1 * i,
                             .bid = 0.05 * i,
                             .value = 0.075 * i,
                             .novel = novel,
                             .birds = 4,
                             .shots = 4,
                             .seconds = 12.5,
                             .reports = given ? 1 : 0,
                             .reported_after = given ? 1 : 0,
                             .confidence = given ? 0.8 : 0,
                             .description = given ? "it <moves> & \"jumps\"" : "",
                             .interrupted = false});
    }
  }
  study.items.back().interrupted = false;
  study.sessions.push_back({.participant = "no", .stage = StudyStage::declined, .openings = 1});
  return study;
}

}  // namespace

TEST_CASE("[reports] people: shares and counts by hand, on the page, in Markdown, CSV and JSON") {
  const PeopleStudy study = small_study();
  const Page page(people_report(study, "html"));
  CHECK(page.estimates() > 10);
  const std::string figure = people_report(study, "svg");
  check_figure(figure, figure);
  const Rows& scores = page.table("over participants");
  // 2 + 3 + 4 + 5 of 32 novel items, 1 of 8 normal ones; all after 1 of 4 birds.
  CHECK_THAT(cell(scores, {"all", "all"}, "detected"),
             Catch::StartsWith("0.438 (") && Catch::EndsWith(" n=32"));
  CHECK_THAT(cell(scores, {"all", "all"}, "false alarms"),
             Catch::StartsWith("0.125 (") && Catch::EndsWith(" n=8"));
  CHECK(cell(scores, {"all", "all"}, "shots to detection / birds") == "0.250 (0.250 to 0.250) n=14");
  // Confidence .8 against 0: of 32 x 8 pairs won 14 x 7, tied 14 + 18 x 7: (98 + 70)/256.
  CHECK_THAT(cell(scores, {"all", "all"}, "AUC"), Catch::StartsWith("0.656 ("));
  for (std::size_t r = 1; r < scores.size(); ++r) {
    double low = 0, high = 0;
    if (std::sscanf(scores[r][column(scores, "over participants")].c_str(), "%lf to %lf", &low, &high) != 2)
      continue;
    check_within(low, std::stod(scores[r][column(scores, "detected")]), high, scores[r][0] + scores[r][1]);
  }
  CHECK(cell(page.table("openings"), {strange_name}, "novel reported") == "2 of 8");
  CHECK_THAT(page.text(), Catch::Contains("5 persons opened the study: 4 played items") &&
                              Catch::Contains("1 who declined") && Catch::Contains("it <moves> & \"jumps\""));
  CHECK_THAT(page.text(), !Catch::Contains("not for the report"));

  const std::vector<Rows> tables = markdown_tables(people_report(study, "md"));
  CHECK(tables.size() == page.tables().size());
  for (const Rows& rows : tables) check_table(rows);
  const Rows items = read_csv(people_report(study, "csv"));
  check_table(items);
  CHECK(items.size() == 41);
  CHECK(items[1][column(items, "participant")] == strange_name);
  CHECK(items[1][column(items, "shots_over_birds")] == "0.25");
  CHECK(items[9][column(items, "confidence")].empty());
  const auto json = nlohmann::json::parse(people_report(study, "json"));
  CHECK(json["scores"][0]["detected"]["value"] == Approx(14 / 32.0));
  CHECK(json["counts"]["took_part"] == 4);
  CHECK_THROWS_AS(people_report(study, "txt"), Error);
}

TEST_CASE("[reports] people: with and without those who failed an attention check") {
  PeopleStudy study = small_study();
  for (std::size_t p = 0; p < 4; ++p) {
    study.sessions[p].checks = 1;
    study.sessions[p].failed = p == 0;
    study.items.push_back({.participant = study.sessions[p].participant,
                           .position = 10,
                           .level = "check",
                           .novelty = "T1",
                           .tier = "easy",
                           .birds = 4,
                           .reports = 1,
                           .reported_after = 1,
                           .confidence = 0.5,
                           .attention = true,
                           .passed = p != 0});
  }
  study.sessions.push_back({.participant = "never"});
  const Page page(people_report(study, "html"));
  CHECK_THAT(page.text(), Catch::Contains("1 of 4 attention checks") &&
                              Catch::Contains("by 1 participant.") &&
                              Catch::Contains("5 persons opened the study") &&
                              Catch::Contains("1 who were invited and never came"));
  const auto json = nlohmann::json::parse(people_report(study, "json"));
  // 14 of 32 with everybody; without the first, who detected 2 of 8.
  CHECK(json["scores"][0]["detected"]["value"] == Approx(14 / 32.0));
  CHECK(json["scores_attentive"][0]["detected"]["value"] == Approx(12 / 24.0));
  CHECK(json["counts"]["participants_failed"] == 1);
  CHECK(json["counts"]["items"] == 40);
  // Participant p reports items 0 to p + 1: of four easy and four hard ones each as many, or one easy more.
  CHECK(json["contrasts"][0]["easy_less_hard"]["value"] == Approx(0.25 * (0 + 1 + 0 + 1) / 4));
  CHECK(json["contrasts"][0]["p"] == 0.5);  // 1/4 twice, 0 twice: both of one sign in half of the patterns
  const Rows items = read_csv(people_report(study, "csv"));
  CHECK(items.size() == 45);
  CHECK(items[41][column(items, "world")] == "attention");
  CHECK(items[41][column(items, "passed")] == "0");
  CHECK(items[1][column(items, "passed")].empty());
}

TEST_CASE("[reports] people: tiers or thirds, whichever the levels have, and no rho of few levels") {
  PeopleStudy study = small_study();
  const std::string tiers = Page(people_report(study, "html")).text();
  CHECK_THAT(tiers, Catch::Contains("Detection by novelty and tier") &&
                        Catch::Contains("By tier, as figure 7") && Catch::Contains("Easy against hard") &&
                        !Catch::Contains("low less high"));
  CHECK_THAT(tiers, !Catch::Contains("too few levels"));
  for (PlayedItem& item : study.items) item.tier = item.tier == "easy" ? "low" : "high";
  const std::string thirds = Page(people_report(study, "html")).text();
  CHECK_THAT(thirds, Catch::Contains("Detection by novelty and third") &&
                         Catch::Contains("By third, as figure 7") && Catch::Contains("low less high") &&
                         !Catch::Contains("Easy against hard") && !Catch::Contains(" tier"));
  for (PlayedItem& item : study.items) item.level = item.tier;  // two levels
  const Page page(people_report(study, "html"));
  CHECK(cell(page.table("rho"), {"all", "PID"}, "rho") == "too few levels");
  CHECK(nlohmann::json::parse(people_report(study, "json"))["correlations"][0]["rho"].is_null());
}

TEST_CASE("[reports] people: a study in which nobody played anything") {
  const PeopleStudy study{.manifest = {{"seed", "1"}},
                          .sessions = {{.participant = "P", .stage = StudyStage::consent}},
                          .items = {}};
  const Page page(people_report(study, "html"));
  CHECK(page.estimates() == 0);
  for (const Rows& rows : markdown_tables(people_report(study, "md"))) check_table(rows);
  CHECK(read_csv(people_report(study, "csv")).size() == 1);
  CHECK(nlohmann::json::parse(people_report(study, "json"))["items"].empty());
}

TEST_CASE("[reports] people: what participants said of themselves, by hand") {
  PeopleStudy study = small_study();
  CHECK_THAT(people_report(study, "html"), !Catch::Contains("said of themselves"));
  CHECK_FALSE(nlohmann::json::parse(people_report(study, "json")).contains("questions"));
  study.questions = StudyQuestions::parse(
      R"({"format": "startle-study-questions", "version": 1, "questions": [
      {"name": "age", "text": "Your age?", "kind": "number", "min": 18, "max": 99, "required": true},
      {"name": "hand", "text": "Which <hand>?", "kind": "choice", "options": ["left", "right"], "required": false},
      {"name": "tongue", "text": "Language?", "kind": "text", "max_length": 20, "required": false}]})",
      "questions");
  study.sessions[0].answers = {{"age", 31.0}, {"hand", "left"}, {"tongue", "Twi"}};
  study.sessions[1].answers = {{"age", 50.0}, {"tongue", "Twi"}};
  study.sessions[2].answers = {{"age", 20.5}, {"hand", "left"}, {"tongue", "Ewe"}};
  const Page page(people_report(study, "html"));
  const Rows& answers = page.table("answered");
  CHECK(cell(answers, {"age"}, "answered") == "3 of 3");
  CHECK(cell(answers, {"age"}, "answers") == "median 31, from 20.5 to 50");
  CHECK(cell(answers, {"hand"}, "answered") == "2 of 3");
  CHECK(cell(answers, {"hand"}, "answers") == "left: 2; right: 0");
  CHECK(cell(answers, {"tongue"}, "answers") == "2 different answers");
  const auto json = nlohmann::json::parse(people_report(study, "json"));
  CHECK(json["questions"][0]["median"] == 31);
  CHECK(json["questions"][1]["counts"][0] == nlohmann::json{{"option", "left"}, {"count", 2}});
  CHECK(json["questions"][2]["different"] == 2);
  CHECK(json["participants"][1]["answers"] == nlohmann::json{{"age", 50}, {"tongue", "Twi"}});
  CHECK(json["participants"][3]["answers"] == nlohmann::json::object());
  for (const Rows& rows : markdown_tables(people_report(study, "md"))) check_table(rows);
  for (PlayedSession& session : study.sessions) session.answers.reset();
  CHECK(cell(Page(people_report(study, "html")).table("answered"), {"age"}, "answers") == "-");
}
