#include "app/reports/leaderboard.hpp"

#include <nlohmann/json.hpp>

#include "checks.hpp"
#include "core/error.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

/// Four runs on two levels, one easy and one hard; `hard`: likelihood reported in the novel world of that.
LeaderboardEntry entry(const std::string& name, double hard, const std::string& process = "own") {
  LeaderboardEntry one{.file = name + ".sqlite",
                       .entry = {.description = {.name = name,
                                                 .author = strange_name,
                                                 .agent = "sees",
                                                 .training = "nothing",
                                                 .simulates_normal_world = true,
                                                 .looks = 3,
                                                 .program_fixed = "2026-11-01",
                                                 .played = "2026-11-02"},
                                 .agent = "mine",
                                 .fingerprint = strange_name,
                                 .manifest = {{"levels", "2 0123456789abcdef"},
                                              {"program", "startle 1"},
                                              {"protocol", "single"},
                                              {"sandbox", "yes"}},
                                 .runs = {},
                                 .chains = {},
                                 .hash = "abcdef"}};
  for (const std::string secret : {"1", "2", "3", "4"})
    for (const std::string unit : {"easy", "hard"})
      for (const bool novel : {false, true}) {
        const double likelihood = !novel ? 0.1 : unit == "easy" ? 0.9 : hard;
        PlayedLevel level{.level = unit, .novel = novel, .birds = 4};
        level.shots.push_back({.shot = {}, .novelty = likelihood, .description = {}});
        one.entry.runs[secret].push_back({.agent = "mine",
                                          .unit = unit,
                                          .world = novel ? "novel" : "normal",
                                          .novelty = "T1",
                                          .tier = unit,
                                          .process = process,
                                          .levels = {level}});
      }
  return one;
}

Leaderboard entries() {
  Leaderboard board{.entries = {entry("blind", 0), entry("sees", 0.6, "reset"), entry("unsure", 0.3)},
                    .refused = {}};
  board.entries[2].entry.manifest["program"] = "startle 2";
  return board;
}

/// The first of so many of its 16 trials failed.
LeaderboardEntry failing(LeaderboardEntry one, int trials) {
  for (auto& [secret, of_run] : one.entry.runs)
    for (TrialResult& trial : of_run)
      if (trials-- > 0) trial.status = Status::crash;
  return one;
}

}  // namespace

TEST_CASE("[reports] leaderboard: entries in the order of AUC, on the page and in Markdown") {
  const Page page(leaderboard(entries(), "html"));
  const Rows& table = page.tables().front();
  CHECK(table[0] == std::vector<std::string>{"rank", "entry", "detected, easy", "detected, hard",
                                             "false alarms", "AUC", "detected at 5 %", "failed",
                                             "begun again", "secrets", "trials isolated", "simulates"});
  check_figure(leaderboard(entries(), "svg"), page.html());
  REQUIRE(table.size() == 4);
  CHECK(table[1][1] == "sees");  // AUC 1, as unsure: in the order given
  CHECK(table[2][1] == "unsure");
  CHECK(table[3][1] == "blind");
  CHECK_THAT(cell(table, {"1", "sees"}, "detected, hard"), Catch::StartsWith("1.000 ("));
  CHECK_THAT(cell(table, {"2", "unsure"}, "detected, hard"), Catch::StartsWith("0.000 ("));
  CHECK_THAT(cell(table, {"2", "unsure"}, "AUC"), Catch::StartsWith("1.000 ("));
  CHECK_THAT(cell(table, {"3", "blind"}, "AUC"), Catch::StartsWith("0.500 ("));
  CHECK(cell(table, {"1", "sees"}, "secrets") == "4");
  CHECK(cell(table, {"1", "sees"}, "failed") == "0 (0.0 %)");
  CHECK(cell(table, {"1", "sees"}, "begun again") == "0 (0 otherwise)");
  CHECK(cell(table, {"1", "sees"}, "trials isolated") == "promised");
  CHECK(cell(table, {"3", "blind"}, "trials isolated") == "yes");
  CHECK_THAT(page.text(),
             Catch::Contains("sees, the first of 3 entries reported by the author, detects 100 %"));
  CHECK_THAT(page.text(), Catch::Contains("Nothing was flown again for this page."));
  CHECK_THAT(page.text(), Catch::Contains(strange_name));
  CHECK_THAT(page.text(), Catch::Contains("All entries are of the same secrets."));
  CHECK_THAT(page.text(), !Catch::Contains("Not in the tables"));
  CHECK(page.count("//svg") == 1);
  check_numbers(page.html());
  for (const Rows& rows : markdown_tables(leaderboard(entries(), "md"))) check_table(rows);

  Leaderboard other = entries();
  other.entries[0].entry.runs["5"] = other.entries[0].entry.runs["4"];
  CHECK_THAT(leaderboard(other, "md"), Catch::Contains("The entries are of different secrets."));
}

TEST_CASE("[reports] leaderboard: each mark has a table and ranks of its own") {
  Leaderboard board = entries();
  board.entries[0].mark = EntryMark::run_by_host;
  board.entries[2].mark = EntryMark::replayed;
  const std::string text = leaderboard(board, "md");
  const std::vector<Rows> tables = markdown_tables(text);
  for (const auto& [at, name] : {std::pair(0, "blind"), std::pair(1, "unsure"), std::pair(2, "sees")}) {
    const Rows& table = tables[static_cast<std::size_t>(at)];
    REQUIRE(table.size() == 2);
    CHECK(table[1][0] == "1");
    CHECK(table[1][1] == name);
  }
  CHECK(text.find("## Run by the host") < text.find("## Shots replayed"));
  CHECK(text.find("## Shots replayed") < text.find("## Reported by the author"));
  CHECK_THAT(text, Catch::Contains("**blind detects"));  // what the host knows comes first
  CHECK_THAT(text, !Catch::Contains("verified"));
  const Rows rows = read_csv(leaderboard(board, "csv"));
  CHECK(cell(rows, {"run by the host", "1", "blind", "all"}, "auc") == "0.5");
  CHECK(cell(rows, {"shots replayed", "1", "unsure", "all"}, "auc") == "1");
}

TEST_CASE("[reports] leaderboard: whoever fails in more than 1 % of the trials has no rank") {
  Leaderboard board = entries();
  board.entries[1] = failing(board.entries[1], 1);  // 1 of 16
  const Rows table = markdown_tables(leaderboard(board, "md")).front();
  CHECK(table[3][1] == "sees");
  CHECK(cell(table, {"-", "sees"}, "failed") == "1 (6.2 %)");
  CHECK(cell(table, {"1", "unsure"}, "failed") == "0 (0.0 %)");
  CHECK(cell(read_csv(leaderboard(board, "csv")), {"reported by the author", "", "sees", "all"}, "failed") ==
        "1");
  CHECK(nlohmann::json::parse(leaderboard(board, "json"))["entries"][2]["rank"].is_null());
  for (LeaderboardEntry& one : board.entries) one = failing(one, 16);
  CHECK_THAT(leaderboard(board, "html"), Catch::Contains("No entry has a rank."));
}

TEST_CASE("[reports] leaderboard: a row an entry and tier in CSV, everything in JSON") {
  Leaderboard board = entries();
  board.refused = {{"broken.sqlite", "is damaged: " + std::string(strange_name)}};
  const std::string mark = "reported by the author";
  const Rows rows = read_csv(leaderboard(board, "csv"));
  check_table(rows);
  CHECK(rows.size() == 1 + 3 * 3);
  CHECK(cell(rows, {mark, "1", "sees", "hard"}, "detected") == "1");
  CHECK(cell(rows, {mark, "2", "unsure", "hard"}, "detected") == "0");
  CHECK(cell(rows, {mark, "3", "blind", "all"}, "auc") == "0.5");
  CHECK(cell(rows, {mark, "3", "blind", "all"}, "auc_n") == "16");
  CHECK(cell(rows, {mark, "1", "sees", "all"}, "trials_isolated") == "no");
  CHECK(cell(rows, {mark, "2", "unsure", "all"}, "program") == "startle 2");
  CHECK(cell(rows, {mark, "2", "unsure", "all"}, "looks") == "3");
  const auto json = nlohmann::json::parse(leaderboard(board, "json"));
  CHECK(json["settings"] == nlohmann::json{{"levels", "2 0123456789abcdef"}, {"protocol", "single"}});
  const auto& first = json["entries"][0];
  CHECK(first["description"]["author"] == strange_name);
  CHECK(first["secrets"].size() == 4);
  CHECK(first["mark"] == mark);
  CHECK(first["rank"] == 1);
  CHECK(first["scores"].size() == 3);
  CHECK(first["scores"][2]["tier"].is_null());
  CHECK(first["scores"][2]["detected"]["value"] == 1);
  REQUIRE(json["refused"].size() == 1);
  CHECK(json["refused"][0]["file"] == "broken.sqlite");
  CHECK(json["refused"][0]["reason"] == "is damaged: " + std::string(strange_name));
  const Page page(leaderboard(board, "html"));
  CHECK_THAT(page.text(), Catch::Contains("Not in the tables") && Catch::Contains("broken.sqlite"));
}

TEST_CASE("[reports] leaderboard: what cannot stand side by side takes a line that says why") {
  LeaderboardEntry other = entry("two", 1), more = entry("three", 1), twin = entry("one", 0);
  other.entry.manifest["levels"] = "3 0123456789abcdef";
  more.entry.manifest["after"] = "10";
  twin.file = "twin.sqlite";
  Leaderboard board{.entries = {other, entry("one", 1), twin, more, entry("four", 1)}, .refused = {}};
  refuse_misfits(board);
  REQUIRE(board.entries.size() == 2);
  CHECK(board.entries[0].entry.description.name == "one");
  REQUIRE(board.refused.size() == 3);
  CHECK(board.refused[0].file == "two.sqlite");
  CHECK(board.refused[0].reason ==
        "levels is \"3 0123456789abcdef\" here and \"2 0123456789abcdef\" in the others");
  CHECK(board.refused[1].reason == "its name, one, is that of one.sqlite");
  CHECK(board.refused[2].reason == "after is \"10\" here and none in the others");

  other.mark = EntryMark::run_by_host;  // the host says which levels and options
  board = {.entries = {entry("one", 1), entry("four", 1), other}, .refused = {}};
  refuse_misfits(board);
  REQUIRE(board.entries.size() == 1);
  CHECK(board.entries[0].entry.description.name == "two");
  CHECK_THROWS_WITH(leaderboard(board, "txt"), Catch::Contains("allowed are html, md, tex, svg, csv"));
}

TEST_CASE("[reports] leaderboard: the scores of an entry by tier, for a terminal") {
  const std::string text = entry_scores_text(entry("one", 0).entry);
  CHECK_THAT(text, Catch::StartsWith("tier"));
  CHECK_THAT(text, Catch::Contains("\neasy") && Catch::Contains("\nhard") && Catch::Contains("\nall"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 4);
}
