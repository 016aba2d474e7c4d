#include "checks.hpp"
#include "reports/benchmark_report.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

/// Eight levels of each tier; in level i of the easy tier i % 4 of 4 best shots make it visible, of the
/// medium one half as many of 8, of the hard one none.
std::vector<BenchmarkLevel> benchmark_levels_of(const std::string& novelty, bool detections) {
  std::vector<BenchmarkLevel> levels;
  for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard})
    for (std::size_t i = 0; i < 8; ++i) {
      const std::size_t best = tier == Tier::hard ? 0 : i % 4;
      BenchmarkLevel level{.name = novelty + std::to_string(i),
                           .novelty = novelty,
                           .tier = tier,
                           .value = 0.5,
                           .birds = 3 + i % 2,
                           .objects = 20 + i,
                           .visible = {},
                           .detected = {}};
      level.visible.best = {best, tier == Tier::easy ? 4u : 8u};
      level.visible.random = {1, 4};
      level.visible.best_without = {4, 4};
      if (detections) level.detected = {.novel = {i % 4 == 0 ? 0u : 1u, 2}, .normal = {i == 0 ? 1u : 0u, 2}};
      levels.push_back(level);
    }
  return levels;
}

}  // namespace

TEST_CASE("[reports] benchmark: means over levels by hand") {
  const Rows rows = benchmark_table(benchmark_levels_of("T1", true));
  CHECK(check_table(rows) == 12);  // best, random, detected, false alarms; no solution
  CHECK(cell(rows, {"T1", "easy"}, "levels") == "8");
  CHECK(cell(rows, {"T1", "easy"}, "birds") == "3.50");
  CHECK(cell(rows, {"T1", "easy"}, "objects") == "23.5");
  CHECK_THAT(cell(rows, {"T1", "easy"}, "best shots visible"), Catch::StartsWith("0.375 ("));  // (0 + 1 + 2 +
                                                                                               // 3)/4 of 4
  CHECK_THAT(cell(rows, {"T1", "medium"}, "best shots visible"), Catch::StartsWith("0.188 ("));
  CHECK(cell(rows, {"T1", "hard"}, "best shots visible") == "0.000 (0.000 to 0.324)");  // 1.96^2/(8 + 1.96^2)
  CHECK(cell(rows, {"T1", "easy"}, "random") == "0.250 (0.250 to 0.250)");
  CHECK(cell(rows, {"T1", "easy"}, "solution") == "-");
  CHECK(cell(rows, {"T1", "easy"}, "without novelty: best") == "1.000");
  CHECK(cell(rows, {"T1", "easy"}, "without novelty: random") == "-");
  CHECK_THAT(cell(rows, {"T1", "easy"}, "detected"), Catch::StartsWith("0.375 ("));  // 6 of 8 levels one of
                                                                                     // two
  CHECK_THAT(cell(rows, {"T1", "easy"}, "false alarms"), Catch::StartsWith("0.062 ("));  // one of 16
  const Rows trends = benchmark_trends(benchmark_levels_of("T1", true));
  check_table(trends);
  CHECK_THAT(cell(trends, {"T1"}, "best shots visible"), Catch::StartsWith("falls, p "));
  CHECK(cell(trends, {"T1"}, "random") == "-");  // all alike
  CHECK_THAT(benchmark_finding(benchmark_levels_of("T1", true)),
             Catch::Contains("detected in 38 % (") && Catch::Contains("all the same in 6 % ("));
  const Rows each = benchmark_level_rows(benchmark_levels_of("T1", true));
  check_table(each);
  CHECK(each.size() == 25);
  CHECK(each[4][column(each, "best_visible")] == "3");
  CHECK(each[4][column(each, "tested_shots")] == "2");
}

TEST_CASE(
    "[reports] benchmark: the page is well-formed with strange names, without an observer, of few levels and "
    "of none") {
  std::vector<BenchmarkLevel> levels = benchmark_levels_of(strange_name, false);
  const auto others = benchmark_levels_of("T2", false);
  levels.insert(levels.end(), others.begin(), others.end());
  const Page page(benchmark_report({.version = "1",
                                    .command = "startle <&>",
                                    .profile = strange_name,
                                    .noise = {},
                                    .launches = 0,
                                    .unfinished = true,
                                    .levels = levels}));
  CHECK(page.estimates() > 10);
  CHECK(page.count("//svg") == 1);
  CHECK(cell(page.table("best shots visible"), {strange_name, "hard"}, "levels") == "8");
  const Rows both = benchmark_table(levels);
  CHECK(cell(both, {"all", "all"}, "levels") == "48");
  CHECK_THAT(cell(both, {"all", "all"}, "best shots visible"),
             Catch::StartsWith("0.188 ("));  // (3/8 + 3/16 + 0)/3
  CHECK(cell(page.table("best shots visible"), {"all", "hard"}, "levels") == "16");
  CHECK_THAT(page.text(), Catch::Contains("interrupted") && Catch::Contains("startle <&>") &&
                              Catch::Contains("visible in 38 % ("));
  const Page detections(benchmark_report({.version = "1",
                                          .command = "c",
                                          .profile = "p",
                                          .noise = {},
                                          .launches = 2,
                                          .levels = benchmark_levels_of("T1", true)}));
  CHECK_THAT(detections.text(), Catch::Contains("reference observer detects the novelty"));
  levels.resize(1);
  const Page one(
      benchmark_report({.version = "1", .command = "c", .profile = "p", .noise = {}, .levels = levels}));
  CHECK_THAT(one.text(), Catch::Contains("too few to distinguish novelties"));
  const Page empty(
      benchmark_report({.version = "1", .command = "c", .profile = "p", .noise = {}, .levels = {}}));
  CHECK(empty.estimates() == 0);
  CHECK_THAT(empty.text(), Catch::Contains("No level was simulated."));
  const std::string easy_alone = benchmark_finding(levels);
  CHECK_THAT(easy_alone, Catch::StartsWith("With one shot, an easy change is visible in "));
  CHECK_THAT(easy_alone, !Catch::Contains("medium"));
}
