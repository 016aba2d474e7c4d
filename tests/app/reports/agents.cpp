#include <nlohmann/json.hpp>

#include "app/reports/agents_report.hpp"
#include "checks.hpp"
#include "core/error.hpp"

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

/// Two agents on six levels of T1, each level in both worlds. "sees" raises an alarm in the novel world with
/// shot 2 in levels 0 to 3, and the normal one in level 5.
AgentResults single_run() {
  AgentResults run{.manifest = {{"protocol", "single"}, {"set", strange_name}},
                   .agents = {{"sees", "sh sees 1"}, {strange_name, "sh strange 2"}},
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
  CHECK_THAT(cell(detection, {"sees"}, "false alarms"), Catch::StartsWith("0.167\n"));
  CHECK_THAT(cell(detection, {"sees"}, "CDT"), Catch::StartsWith("0.667\n"));  // level 5 is declared in its
                                                                               // normal world, and not in the
                                                                               // novel one
  CHECK_THAT(cell(detection, {"sees"}, "shots to detection / birds"), Catch::StartsWith("0.500\n"));
  CHECK_THAT(cell(detection, {strange_name}, "detected"), Catch::StartsWith("0.000\n"));
  CHECK(cell(detection, {strange_name}, "failed") == "1");
  CHECK(cell(page.table("crash"), {strange_name}, "crash") == "1");
  CHECK_THAT(page.text(), Catch::Contains("said <" + strange_name + ">"));
  CHECK(page.count("//svg") > 5);

  const std::vector<Rows> tables = markdown_tables(agents_report(runs, "md", false));
  for (const Rows& rows : tables) check_table(rows);
  // For a paper: a table a run, of the figures of the finding.
  std::size_t in_latex = 0;
  const std::string latex = agents_report(runs, "tex", false);
  for (std::size_t at = 0; (at = latex.find("\\toprule", at)) != std::string::npos; ++at) ++in_latex;
  CHECK(in_latex == runs.size());
  CHECK_THAT(latex, Catch::Contains("a$<$b \\& \"c\", d$\\vert$e") &&
                        Catch::Contains(
                            "sees & 1.00 (0.44 to 1.00) & 0.33 (0.06 to 0.79) & 0.17 (0.03 to 0.56) & "));
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
  check_figure(agents_report({single_run()}, "svg", false), agents_report({single_run()}, "html", false));
  CHECK_THROWS_WITH(agents_report({single_run(), single_run()}, "svg", false),
                    Catch::Contains("found 2 figures"));
  CHECK_THROWS_AS(agents_report(runs, "txt", false), Error);
  CHECK_THROWS_AS(agents_report(runs, "html", true), Error);
}

TEST_CASE("[reports] agents: the best is none that is told the truth or does not look at the shots") {
  AgentResults run = single_run();
  const auto add = [&](const std::string& agent, double normal, double novel) {
    run.agents[agent] = "built in";
    for (int i = 0; i < 6; ++i)
      for (const bool in_novel : {false, true}) {
        const std::string unit = "L" + std::to_string(i);
        run.trials.push_back({.agent = agent,
                              .unit = unit,
                              .world = in_novel ? "novel" : "normal",
                              .novelty = "T1",
                              .tier = "easy",
                              .levels = {played(unit, in_novel, {in_novel ? novel : normal}, false)}});
      }
  };
  add("oracle", 0, 1);
  add("best-target+chance", 0, 0.9);  // by luck
  add("random", 0, 0);
  add("random+simulation", 0.1, 0.7);
  add("random+observer", 0.2, 0.1);
  const auto sentence = [&] {
    const std::string text = agents_report({run}, "md", false);
    return text.substr(text.find("**"), text.find("###") - text.find("**"));
  };
  CHECK_THAT(sentence(),
             Catch::StartsWith("**sees detects") &&
                 Catch::Contains("The best of the built-in agents, random+simulation, detects 100 %"));
  CHECK_THAT(sentence(), !Catch::Contains("more program"));
  for (const char* program : {"first", "second", "third"}) {
    add(program, 0.1, 0.2);
    run.agents[program] = "python3 agent.py";
  }
  CHECK_THAT(sentence(), Catch::Contains("**The table has 2 more programs.**"));
  const auto keep = [&](const std::vector<std::string>& agents) {
    std::erase_if(run.trials, [&](const TrialResult& trial) {
      return std::find(agents.begin(), agents.end(), trial.agent) == agents.end();
    });
    std::erase_if(run.agents, [&](const auto& agent) {
      return std::find(agents.begin(), agents.end(), agent.first) == agents.end();
    });
  };
  keep({"oracle", "best-target+chance", "random", "random+simulation", "random+observer"});
  CHECK_THAT(sentence(), Catch::StartsWith("**random+simulation, the best of 2 agents, detects 100 %"));
  keep({"oracle", "random"});
  CHECK_THAT(sentence(), Catch::StartsWith("**oracle detects 100 %"));
}

TEST_CASE("[reports] agents: trials that failed, and those that were not played, are said first") {
  AgentResults run = single_run();
  run.manifest["levels"] = "6 0123456789abcdef";
  run.manifest["trials"] = "1";
  for (TrialResult& trial : run.trials)
    if (trial.agent == "sees") trial.status = Status::crash;
  std::erase_if(run.trials,
                [](const TrialResult& trial) { return trial.agent != "sees" && trial.unit > "L1"; });
  const std::string text = Page(agents_report({run}, "html", false)).text();
  CHECK_THAT(text, Catch::Contains("All 12 trials of sees failed"));
  CHECK_THAT(text, Catch::Contains("It has played 4 of 12 trials."));
}

TEST_CASE("[reports] agents: opens with what the best agent detects by tier, a chart and the table") {
  const std::vector<AgentResults> runs{single_run(), shift_run()};
  const Page page(agents_report(runs, "html", false));
  // "sees" detects levels 0 to 2 of easy, level 3 of the three hard ones; one of its six normal trials is
  // alarmed: 100, 33 and 17 %, by Wilson.
  const std::string sentence =
      "sees detects 100 % (95 % interval 44 to 100) of easy and 33 % (6 to 79) of hard trials; false alarms: "
      "17 % (3 to 56). AUC ";
  CHECK_THAT(page.text(), Catch::Contains(sentence));
  CHECK_THAT(agents_report(runs, "md", false), Catch::Contains("\n**" + sentence));
  CHECK_THAT(page.text(),
             Catch::Contains("a detects 33 % (95 % interval 6 to 79) of easy trials; false alarms: 33 %"));
  CHECK(page.html().find("class=\"finding\"") < page.html().find("<table"));
  CHECK(page.count("//p[@class='finding']/following-sibling::*[1][self::div[@class='wide']/svg]") == 2);
  // Two tiers and false alarms of two agents; the shift run: a tier and false alarms.
  CHECK(page.count("//p[@class='finding']/following-sibling::*[1]/svg/rect[title]") == 6 + 2);

  const Rows& first = page.tables().front();
  CHECK(first[0] ==
        std::vector<std::string>{"agent", "easy", "hard", "false alarms", "AUC", "trials", "failed"});
  CHECK_THAT(cell(first, {"sees"}, "hard"), Catch::StartsWith("0.33\n"));
  CHECK(cell(first, {strange_name}, "failed") == "1");
  const auto by_tier = std::find_if(page.tables().begin(), page.tables().end(), [](const Rows& rows) {
    return rows[0] == std::vector<std::string>{"agent", "tier", "trials", "detected", "false alarms", "AUC"};
  });
  REQUIRE(by_tier != page.tables().end());
  const Rows& table = *by_tier;
  CHECK(table.size() == 1 + 2 * 3);
  CHECK(cell(table, {"sees", "easy"}, "trials") == "6");
  CHECK_THAT(cell(table, {"sees", "easy"}, "detected"),
             Catch::StartsWith("1.000\n") && Catch::EndsWith("n = 3"));
  CHECK_THAT(cell(table, {"sees", "easy"}, "false alarms"), Catch::StartsWith("0.000\n"));
  CHECK_THAT(cell(table, {"sees", "hard"}, "detected"), Catch::StartsWith("0.333\n"));
  CHECK_THAT(cell(table, {"sees", "hard"}, "false alarms"), Catch::StartsWith("0.333\n"));
  // Hard: .9 .2 .2 against .2 .2 .9: .9 wins 2 and ties 1, each .2 ties 2: (2.5 + 1 + 1)/9.
  CHECK_THAT(cell(table, {"sees", "hard"}, "AUC"), Catch::StartsWith("0.500\n"));
  CHECK_THAT(cell(table, {"sees", "all"}, "detected"), Catch::StartsWith("0.667\n"));
  const auto delays = std::find_if(page.tables().begin(), page.tables().end(), [](const Rows& rows) {
    return rows[0].size() > 1 && rows[0][1] == "tier" && has_column(rows, "delay");
  });
  REQUIRE(delays != page.tables().end());
  CHECK(cell(*delays, {"a", "easy"}, "delay") == "2.00\n2.00 to 2.00\nn = 1");

  const Rows scores = read_csv(agents_report(runs, "csv", false));
  CHECK(cell(scores, {"single", "sees", "all", "easy"}, "detected") == "1");
  CHECK(cell(scores, {"single", "sees", "all", "hard"}, "false_positive_n") == "3");
  CHECK(cell(scores, {"single", "sees", "all", "hard"}, "auc") == "0.5");
  CHECK(cell(scores, {"shift", "a", "all", "easy"}, "delay") == "2");
  const auto tiers = nlohmann::json::parse(agents_report(runs, "json", false))["runs"][0]["by_agent_tier"];
  REQUIRE(tiers.size() == 4);
  CHECK((tiers[2]["agent"] == "sees" && tiers[2]["tier"] == "easy" && !tiers[2].contains("novelty")));
  CHECK((tiers[2]["detected"]["value"] == 1 && tiers[2]["detected"]["n"] == 3));
}

TEST_CASE("[reports] agents: of novelties without tiers, of agents that detect nothing, and of free play") {
  AgentResults untiered = single_run();
  for (TrialResult& r : untiered.trials) r.tier.clear();
  const Page whole(agents_report({untiered}, "html", false));
  CHECK_THAT(whole.text(), Catch::Contains("detects 67 % (95 % interval 30 to 90) of the trials;"));
  CHECK(whole.tables().front()[0][1] == "detected");
  AgentResults silent = single_run();
  for (TrialResult& r : silent.trials)
    for (PlayedLevel& level : r.levels) level.shots.clear();
  CHECK_THAT(
      Page(agents_report({silent}, "html", false)).text(),
      Catch::Contains("sees detects 0 % (95 % interval 0 to 56) of easy and 0 % (0 to 56) of hard trials"));
  AgentResults shared = single_run();
  for (TrialResult& r : shared.trials)
    if (r.agent == "sees") r.process = "shared";
  CHECK_THAT(Page(agents_report({shared}, "html", false)).text(),
             Catch::Contains("Said to play each trial in a fork, and not seen to: sees."));
  AgentResults free = single_run();
  free.manifest["order"] = "chosen";
  std::erase_if(free.trials, [](const TrialResult& r) { return r.world == "novel"; });
  for (TrialResult& r : free.trials) r.novelty.clear(), r.tier.clear();
  const Page play(agents_report({free}, "html", false));
  CHECK_THAT(play.text(),
             Catch::Contains("sees, the first of 2 agents, clears 50 % of its attempts (95 % interval "));
  CHECK_FALSE(has_column(play.tables().front(), "AUC"));
}

TEST_CASE("[reports] agents: a curve of many likelihoods has no more points than a plot shows") {
  AgentResults run{.manifest = {{"protocol", "single"}}, .agents = {{"a", "1"}}, .trials = {}};
  for (int i = 0; i < 4000; ++i)
    for (const bool novel : {false, true}) {
      const std::string unit = "L" + std::to_string(i);
      const double likelihood = (i * 37 % 4001 + (novel ? 0.5 : 0)) / 4002;
      run.trials.push_back({.agent = "a",
                            .unit = unit,
                            .world = novel ? "novel" : "normal",
                            .novelty = "T1",
                            .tier = "easy",
                            .levels = {played(unit, novel, {likelihood}, false)}});
    }
  const std::string html = agents_report({run}, "html", false);
  CHECK(html.size() < 300000);  // two plots of it; with all of its 8000 corners 2 MB
  CHECK_THAT(html, Catch::Contains("1 at 1</title>"));
}

TEST_CASE("[reports] agents: a run without a trial") {
  const std::vector<AgentResults> runs{{.manifest = {{"protocol", "single"}}, .agents = {}, .trials = {}}};
  const Page page(agents_report(runs, "html", false));
  CHECK(page.estimates() == 0);
  for (const Rows& rows : markdown_tables(agents_report(runs, "md", false))) check_table(rows);
  CHECK(read_csv(agents_report(runs, "csv", false)).size() == 1);
  CHECK(nlohmann::json::parse(agents_report(runs, "json", false))["runs"].size() == 1);
}
