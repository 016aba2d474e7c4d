#include "reports/leaderboard.hpp"

#include <nlohmann/json.hpp>

#include "checks.hpp"
#include "core/error.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

/// Four runs on two levels, one easy and one hard; `hard`: likelihood reported in the novel world of that.
LeaderboardEntry entry(const std::string& name, double hard, const std::string& process = "own") {
  LeaderboardEntry one{.entry = {.description = {.name = name,
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
                                 .hash = "abcdef"},
                       .disagreements = std::nullopt};
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

std::vector<LeaderboardEntry> entries() {
  std::vector<LeaderboardEntry> all{entry("blind", 0), entry("sees", 0.6, "reset"), entry("unsure", 0.3)};
  all[0].disagreements = 0;
  all[1].disagreements = 7;
  all[2].entry.manifest["program"] = "startle 2";
  return all;
}

}  // namespace

TEST_CASE("[reports] leaderboard: entries in the order of AUC, marked, on the page and in Markdown") {
  const Page page(leaderboard(entries(), "html"));
  const Rows& table = page.tables().front();
  CHECK(table[0] == std::vector<std::string>{"entry", "detected, easy", "detected, hard", "false alarms",
                                             "AUC", "detected at 5 %", "secrets", "trials isolated",
                                             "simulates", "verified"});
  REQUIRE(table.size() == 4);
  CHECK(table[1][0] == "sees");  // AUC 1, as unsure: in the order given
  CHECK(table[2][0] == "unsure");
  CHECK(table[3][0] == "blind");
  CHECK_THAT(cell(table, {"sees"}, "detected, hard"), Catch::StartsWith("1.000 ("));
  CHECK_THAT(cell(table, {"unsure"}, "detected, hard"), Catch::StartsWith("0.000 ("));
  CHECK_THAT(cell(table, {"unsure"}, "AUC"), Catch::StartsWith("1.000 ("));
  CHECK_THAT(cell(table, {"blind"}, "AUC"), Catch::StartsWith("0.500 ("));
  CHECK(cell(table, {"sees"}, "secrets") == "4");
  CHECK(cell(table, {"sees"}, "trials isolated") == "promised");
  CHECK(cell(table, {"blind"}, "trials isolated") == "yes");
  CHECK(cell(table, {"sees"}, "verified") == "no, 7 disagree");
  CHECK(cell(table, {"blind"}, "verified") == "yes");
  CHECK(cell(table, {"unsure"}, "verified") == "not asked");
  CHECK_THAT(page.text(), Catch::Contains("sees, the first of 3 entries, detects 100 %"));
  CHECK_THAT(page.text(), Catch::Contains(strange_name));
  CHECK_THAT(page.text(), Catch::Contains("All entries are of the same secrets."));
  CHECK(page.count("//svg") == 1);
  check_numbers(page.html());
  for (const Rows& rows : markdown_tables(leaderboard(entries(), "md"))) check_table(rows);

  std::vector<LeaderboardEntry> other = entries();
  other[0].entry.runs["5"] = other[0].entry.runs["4"];
  CHECK_THAT(leaderboard(other, "md"), Catch::Contains("The entries are of different secrets."));
}

TEST_CASE("[reports] leaderboard: a row an entry and tier in CSV, everything in JSON") {
  const Rows rows = read_csv(leaderboard(entries(), "csv"));
  check_table(rows);
  CHECK(rows.size() == 1 + 3 * 3);
  CHECK(cell(rows, {"1", "sees", "hard"}, "detected") == "1");
  CHECK(cell(rows, {"2", "unsure", "hard"}, "detected") == "0");
  CHECK(cell(rows, {"3", "blind", "all"}, "auc") == "0.5");
  CHECK(cell(rows, {"3", "blind", "all"}, "auc_n") == "16");
  CHECK(cell(rows, {"1", "sees", "all"}, "trials_isolated") == "no");
  CHECK(cell(rows, {"1", "sees", "all"}, "disagreements") == "7");
  CHECK(cell(rows, {"2", "unsure", "all"}, "disagreements").empty());
  CHECK(cell(rows, {"2", "unsure", "all"}, "program") == "startle 2");
  CHECK(cell(rows, {"2", "unsure", "all"}, "looks") == "3");
  const auto json = nlohmann::json::parse(leaderboard(entries(), "json"));
  CHECK(json["settings"] == nlohmann::json{{"levels", "2 0123456789abcdef"}, {"protocol", "single"}});
  const auto& first = json["entries"][0];
  CHECK(first["description"]["author"] == strange_name);
  CHECK(first["secrets"].size() == 4);
  CHECK(first["disagreements"] == 7);
  CHECK(json["entries"][1]["disagreements"].is_null());
  CHECK(first["scores"].size() == 3);
  CHECK(first["scores"][2]["tier"].is_null());
  CHECK(first["scores"][2]["detected"]["value"] == 1);
}

TEST_CASE("[reports] leaderboard: what cannot stand side by side is refused, and says why") {
  const auto refused = [](const std::vector<LeaderboardEntry>& all, const std::string& words) {
    CHECK_THROWS_WITH(leaderboard(all, "md"), Catch::Contains(words));
  };
  refused({entry("one", 1), entry("one", 0)}, "entry one: two entries have this name");
  LeaderboardEntry other = entry("two", 1);
  other.entry.manifest["levels"] = "3 0123456789abcdef";
  refused(
      {entry("one", 1), other},
      "entries one and two cannot stand on one leaderboard: levels is \"2 0123456789abcdef\" in the one and "
      "\"3 0123456789abcdef\" in the other");
  other = entry("two", 1);
  other.entry.manifest["after"] = "10";
  refused({entry("one", 1), other}, "after is none in the one and \"10\" in the other");
  CHECK_THROWS_WITH(leaderboard({entry("one", 1)}, "txt"), Catch::Contains("allowed are html, md, csv"));
}

TEST_CASE("[reports] leaderboard: the scores of an entry by tier, for a terminal") {
  const std::string text = entry_scores_text(entry("one", 0).entry);
  CHECK_THAT(text, Catch::StartsWith("tier"));
  CHECK_THAT(text, Catch::Contains("\neasy") && Catch::Contains("\nhard") && Catch::Contains("\nall"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 4);
}
