#include <nlohmann/json.hpp>

#include "checks.hpp"
#include "core/error.hpp"
#include "reports/agents_report.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

PlayedLevel played(const std::string& level, bool novel, std::vector<double> likelihoods, bool solved) {
  PlayedLevel one{.level = level,
                  .novel = novel,
                  .birds = 4,
                  .solved = solved,
                  .score = solved ? 1000.0 : 0.0,
                  .shots = {}};
  for (const double likelihood : likelihoods)
    one.shots.push_back({.shot = {}, .novelty = likelihood, .description = {}});
  return one;
}

/// Two agents on six levels of T1, each level in both worlds. "sees" declares the novel world with shot 2 in
/// levels 0 to 3, and the normal one in level 5.
AgentResults single_run() {
  AgentResults run{.manifest = {{"protocol", "single"}, {"set", strange_name}},
                   .agents = {{"sees", "1"}, {strange_name, "2"}},
                   .trials = {}};
  for (const std::string& agent : {std::string("sees"), strange_name})
    for (int i = 0; i < 6; ++i)
      for (const bool novel : {false, true}) {
        const bool sees = agent == "sees" && (novel ? i < 4 : i == 5);
        const std::string unit = "L" + std::to_string(i);
        run.trials.push_back(
            {.agent = agent,
             .unit = unit,
             .world = novel ? "novel" : "normal",
             .novelty = "T1",
             .tier = i < 3 ? "easy" : "hard",
             .levels = {played(unit, novel, {0.1, sees ? 0.9 : 0.2}, agent == "sees" && i % 2 == 0)}});
      }
  run.trials.back().status = Status::crash;
  run.trials.back().error = "said <" + strange_name + ">";
  return run;
}

AgentResults shift_run() {
  AgentResults run{.manifest = {{"protocol", "shift"}}, .agents = {{"a", "1"}}, .trials = {}};
  for (int t = 0; t < 3; ++t)  // declared in the second novel level, in the first normal one, never
    run.trials.push_back(
        {.agent = "a",
         .unit = "T1/easy",
         .world = "shift",
         .trial = t,
         .novelty = "T1",
         .tier = "easy",
         .shift = 1,
         .levels = {played("x", false, {t == 1 ? 0.8 : 0.1}, true), played("y", true, {0.2}, false),
                    played("z", true, {t == 0 ? 0.9 : 0.2}, false)}});
  return run;
}

}  // namespace

TEST_CASE("[reports] agents: figures by hand, on the page, in Markdown, CSV and JSON") {
  const std::vector<AgentResults> runs{single_run(), shift_run()};
  const Page page(agents_report(runs, "html", false));
  CHECK(page.estimates() > 30);
  const Rows& detection = page.table("detected at 5 %");
  CHECK_THAT(cell(detection, {"sees"}, "detected"), Catch::StartsWith("0.667\n") && Catch::EndsWith("n = 6"));
  CHECK_THAT(cell(detection, {"sees"}, "false positives"), Catch::StartsWith("0.167\n"));
  CHECK_THAT(cell(detection, {"sees"}, "CDT"), Catch::StartsWith("0.667\n"));  // level 5 is declared in its
                                                                               // normal world, and not in the
                                                                               // novel one
  CHECK_THAT(cell(detection, {"sees"}, "shots to detection / birds"), Catch::StartsWith("0.500\n"));
  CHECK_THAT(cell(detection, {strange_name}, "detected"), Catch::StartsWith("0.000\n"));
  CHECK(cell(detection, {strange_name}, "failed") == "1");
  CHECK(cell(page.table("crash"), {strange_name}, "crash") == "1");
  CHECK_THAT(page.text(), Catch::Contains("said <" + strange_name + ">"));
  CHECK(page.count("//svg") > 5);

  for (const Rows& rows : markdown_tables(agents_report(runs, "md", false))) check_table(rows);
  const Rows scores = read_csv(agents_report(runs, "csv", false));
  CHECK(check_table(scores) > 30);
  CHECK(cell(scores, {"single", "sees", "all", "all"}, "solved_novel") == "0.5");
  CHECK(cell(scores, {"single", "sees", "T1", "easy"}, "detected") == "1");
  CHECK(cell(scores, {"shift", "a", "all", "all"}, "delay") == "2");
  CHECK(std::stod(cell(scores, {"shift", "a", "all", "all"}, "cdt")) == Approx(1 / 3.0));
  CHECK(cell(scores, {"shift", "a", "all", "all"}, "shots_to_detection").empty());
  const Rows trials = read_csv(agents_report(runs, "csv", true));
  check_table(trials);
  CHECK(trials.size() == 1 + 24 + 3);
  const auto json = nlohmann::json::parse(agents_report(runs, "json", false));
  CHECK(json["runs"][0]["leaderboard"][0]["agent"] == "sees");
  CHECK(json["runs"][0]["trials"].size() == 24);
  CHECK_THROWS_AS(agents_report(runs, "txt", false), Error);
  CHECK_THROWS_AS(agents_report(runs, "html", true), Error);
}

TEST_CASE("[reports] agents: a run without a trial") {
  const std::vector<AgentResults> runs{{.manifest = {{"protocol", "single"}}, .agents = {}, .trials = {}}};
  const Page page(agents_report(runs, "html", false));
  CHECK(page.estimates() == 0);
  for (const Rows& rows : markdown_tables(agents_report(runs, "md", false))) check_table(rows);
  CHECK(read_csv(agents_report(runs, "csv", false)).size() == 1);
  CHECK(nlohmann::json::parse(agents_report(runs, "json", false))["runs"].size() == 1);
}
