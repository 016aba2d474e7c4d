#include "app/reports/difficulty_results.hpp"
#include "app/reports/study_report.hpp"
#include "app/reports/validation_report.hpp"
#include "checks.hpp"
#include "core/error.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

Scene small_scene() {
  Level level;
  level.birds = {"BirdRed"};
  level.objects = {
      {.kind = Kind::block, .type = "SquareSmall", .material = Material::wood, .position = {1, -3.28}},
      {.kind = Kind::pig, .type = "BasicSmall", .position = {2.5, -3.25}}};
  return make_scene(level, profile());
}

/// Values 0.1 to 0.6 in six levels of T1: by published reasoning in the order of the simulation, by the
/// extended one with the first two exchanged. Counts are equal in all levels: 6 right of 8 predicted and of 9
/// seen.
ValidationRun small_run() {
  const BinaryCounts counts{.both = 6, .predicted_only = 2, .seen_only = 3, .neither = 9};
  ValidationRun run{.version = "1",
                    .command = "startle validate <&>",
                    .profile = strange_name,
                    .seed = 3,
                    .noise = {},
                    .novelties = {&find_novelty("T1")},
                    .levels = {}};
  for (int i = 0; i < 6; ++i) {
    const double value = 0.1 * (i + 1), exchanged = 0.1 * (i == 0 ? 2 : i == 1 ? 1 : i + 1);
    ValidatedLevel level{.name = strange_name + std::to_string(i),
                         .family = i < 3 ? strange_name : "towers",
                         .scene = small_scene(),
                         .validation = {}};
    LevelValidation& v = level.validation;
    v.targets = {.objects = counts, .trajectories = 10, .hit = 9};
    v.again = counts;
    NoveltyValidation novelty;
    novelty.simulated.novel_objects = 1;
    novelty.simulated.interactions.emplace_back();
    novelty.noisy.novel_objects = 1;
    novelty.noisy.pid = novelty.noisy.bid = novelty.noisy.value = value;
    novelty.noisy.rollouts = {{value, value, value}, {value + 0.01, value + 0.01, value + 0.01}};
    novelty.noisy.with_novelty = {.targets = 10, .visible = 2 + static_cast<std::size_t>(i)};
    novelty.noisy.without_novelty = {.targets = 10, .visible = 5};
    novelty.by_case[5] = {.count = 4, .visible = 3};
    for (const Method method : validated_methods) {
      v.vertical[method].all = v.vertical[method].unprompted = counts;
      v.vertical[method].directions[0] = {3, 1, 0};
      v.vertical[method].taken_away = 2;
      v.hits[method].impacted.all = v.hits[method].impacted.others = v.hits[method].impacted.others_lower =
          counts;
      v.hits[method].impacted.missed["struck by <the target>"] = 3;
      v.hits[method].cases[movement::hit_and_slides] = {
          .predicted = 4, .verified = 3, .moved = 4, .destroyed = 1, .turned = 0, .shifted = 3, .dropped = 1};
      v.hits[method].worst = Disagreement{
          .trajectory = {}, .target = 0, .predicted = {0}, .missed = {1}, .wrong = 1};
      DetectionValidation& of = novelty.reasoning[method];
      of.pairs = of.targets = counts;
      of.difficulty.pid = of.difficulty.bid = of.difficulty.value = method == Method::published ? value
                                                                                                : exchanged;
      of.difficulty.interactions.emplace_back();
    }
    v.novelties.push_back(novelty);
    run.levels.push_back(std::move(level));
  }
  return run;
}

const Rows& table_of(const std::vector<ValidationTable>& tables, const std::string& id) {
  for (const ValidationTable& table : tables)
    if (table.id == id) return table.rows;
  FAIL("no table " << id);
  return tables.front().rows;
}

}  // namespace

TEST_CASE("[reports] validation: tables by hand, each estimate in the interval that is named after it") {
  const auto tables = validation_tables(small_run());
  int estimates = 0;
  for (const ValidationTable& table : tables) {
    CAPTURE(table.id);
    estimates += check_table(table.rows);
  }
  CHECK(estimates > 20);
  // 36 right of 48 predicted and 54 seen; F1 = 72/102, 90 of 120 answered rightly.
  const Rows& agreement = table_of(tables, "agreement");
  CHECK(cell(agreement, {"targets", "both"}, "n") == "120");
  CHECK(cell(agreement, {"targets", "both"}, "precision") == "0.750");
  CHECK(cell(agreement, {"targets", "both"}, "recall") == "0.667");
  CHECK(cell(agreement, {"targets", "both"}, "F1") == "0.706");
  CHECK(cell(agreement, {"targets", "both"}, "F1, 95 %") == "0.706 to 0.706");  // all levels are alike
  CHECK(cell(agreement, {"targets", "both"}, "accuracy") == "0.750");
  CHECK(cell(agreement, {"impacted, left out, upper parabolas", "published"}, "F1") == "-");  // nothing was
                                                                                              // counted
  // Two neighbours of six exchanged: rho = 1 - 6 x 2/(6 x 35), tau = (14 - 1)/15.
  const Rows& values = table_of(tables, "values");
  CHECK(cell(values, {"T1", "PID", "published"}, "Spearman") == "1.000");
  CHECK(cell(values, {"T1", "PID", "extended"}, "Spearman") == "0.943");
  CHECK(cell(values, {"T1", "PID", "extended"}, "Kendall") == "0.867");
  CHECK(cell(values, {"T1", "PID", "extended"}, "Spearman, 95 %") !=
        cell(values, {"T1", "PID", "extended"}, "Kendall, 95 %"));
  CHECK(cell(values, {"T1", "PID", "published"}, "reliability") == "1.000");
  CHECK(cell(values, {"T1", "value", "extended"}, "mean, simulation") == "0.350");
  // 2 + 3 + ... + 7 of 60.
  const Rows& visible = table_of(tables, "visible");
  CHECK(cell(visible, {"T1"}, "visible") == "0.450");
  CHECK(cell(visible, {"T1"}, "without novelty") == "0.500");
  CHECK(cell(visible, {"T1"}, "difference") == "-0.050");
  CHECK_THAT(table_of(tables, "thirds")[3].back(), Catch::StartsWith("6 of 6, "));
  CHECK(cell(table_of(tables, "families"), {strange_name}, "levels") == "3");
  CHECK(cell(table_of(tables, "cases"), {"3"}, "verified by simulation") == "0.750");
  CHECK(cell(table_of(tables, "directions"), {"down"}, "agree") == "0.750");
  CHECK(cell(table_of(tables, "detectability"), {"T1"}, "share") == "0.750");
  CHECK(cell(table_of(tables, "failures"), {"impacted: moved, not predicted"}, "n") == "18");
}

TEST_CASE("[reports] validation: level rows, counts, the page and the short tables") {
  const ValidationRun run = small_run();
  const Rows levels = validation_level_rows(run), counts = validation_count_rows(run);
  check_table(levels);
  check_table(counts);
  CHECK(levels.size() == 7);
  CHECK(cell(levels, {strange_name + "0"}, "extended_value") == "0.2");
  CHECK(cell(levels, {strange_name + "0"}, "simulated_third") == "low");
  CHECK(cell(counts, {strange_name + "0"}, "false_negatives") == "3");
  const Page page(validation_report(run, validation_tables(run)));
  CHECK(page.estimates() > 20);
  CHECK_THAT(page.text(), Catch::Contains("seed 3") && Catch::Contains(strange_name + "3") &&
                              Catch::Contains("startle validate <&>"));
  CHECK(page.count("//figure//svg") == 4);  // the worst level of either family by either method
}

TEST_CASE("[reports] validation: of no level, and of novelties that change nothing") {
  ValidationRun run = small_run();
  for (ValidatedLevel& level : run.levels) {
    level.validation.novelties[0].simulated.novel_objects =
        level.validation.novelties[0].noisy.novel_objects = 0;
    for (const Method method : validated_methods) level.validation.hits[method].worst.reset();
  }
  CHECK(cell(table_of(validation_tables(run), "values"), {"T1", "PID", "published"}, "Spearman") == "-");
  CHECK(cell(table_of(validation_tables(run), "values"), {"T1", "PID", "published"}, "mean, simulation") ==
        "-");
  CHECK(cell(table_of(validation_tables(run), "visible"), {"T1"}, "visible") == "-");
  CHECK(table_of(validation_tables(run), "thirds")[3].back() == "0 of 0, -");
  CHECK(cell(table_of(validation_tables(run), "cases"), {"1"}, "verified by simulation, 95 %") ==
        "-");  // predicted nowhere
  const Page unchanged(validation_report(run, validation_tables(run)));
  run.levels.resize(1);
  const Page one(validation_report(run, validation_tables(run)));
}

TEST_CASE("[reports] difficulty: rows, thirds, stored tiers and what suits a set of levels, by hand") {
  std::vector<LevelResult> results;
  for (int i = 0; i < 6; ++i)
    results.push_back({.level = strange_name + std::to_string(i),
                       .novelty = "T1",
                       .pid = 0.1 * i,
                       .bid = 0.2 * i,
                       .value = 0.15 * i,
                       .birds = 3,
                       .objects = 5,
                       .novel_objects = 2,
                       .targets = 4,
                       .detectable_targets = 2,
                       .chance = i < 3 ? 1.0 : 0.0});
  results.push_back({.level = "undetectable", .novelty = "T1"});
  results.push_back({.level = "no target", .novelty = "T1", .left_out = LeftOut::no_target});
  const ThresholdTable thresholds = assign_thirds(results, 0.5);
  CHECK(thresholds.at("T1").count == 7);
  results[0].tier = Tier::hard;
  results[0].played = PredictedLevel{.p_level = 0.125, .p_level_random = 0.25};
  results[0].detection = PredictedDetection{.best = 0.5, .random = 0.25, .any = 0.75};
  const Rows rows = result_rows(results, 3, {.third = true, .tier = true});
  check_table(rows);
  CHECK(cell(rows, {strange_name + "0"}, "third") == "low");
  CHECK(cell(rows, {strange_name + "0"}, "tier") == "hard");
  CHECK(cell(rows, {strange_name + "0"}, "p_level") == "0.125");
  CHECK(cell(rows, {strange_name + "0"}, "p_level_random") == "0.250");
  CHECK(cell(rows, {strange_name + "0"}, "detected_any") == "0.750");
  CHECK(cell(rows, {strange_name + "5"}, "third") == "high");
  CHECK(cell(rows, {strange_name + "5"}, "tier").empty());
  CHECK(cell(rows, {strange_name + "5"}, "p_level").empty());
  CHECK(cell(rows, {"undetectable"}, "third") == "high");
  CHECK(cell(rows, {"no target"}, "third").empty());
  CHECK(cell(rows, {"no target"}, "left_out") == "no target");
  CHECK(result_rows(results, 3, {}).front().size() + 4 == rows.front().size());
  CHECK(cell(rows, {strange_name + "5"}, "value") == "0.750");
  CHECK(read_csv(comma_separated(rows)) == rows);
  const std::vector<Suitability> suits = suitability(results);
  REQUIRE(suits.size() == 1);
  CHECK(suits[0].levels == 8);
  CHECK(suits[0].detectable == 6);
  CHECK(suits[0].without_target == 1);
  CHECK(suits[0].chance == Approx(3 / 8.0));
  CHECK(suits[0].mean_value == Approx(0.375));
  check_table(suitability_rows(suits, 3));
  CHECK(suitability({}).empty());
  check_table(suitability_rows({}, 3));
  check_table(result_rows({}, -1, {}));
}

TEST_CASE("[reports] study: the page of a few levels, and of a third without any") {
  Study study{
      .version = "1", .command = "startle study <&>", .profile = strange_name, .seed = 1, .novelties = {}};
  NoveltyStudy of{
      .novelty = &find_novelty("T1"), .levels = {}, .thresholds = {.low = 0.2, .high = 0.4, .count = 3}};
  for (int i = 0; i < 3; ++i) {
    StudiedLevel level{.level = {},
                       .scene = small_scene(),
                       .difficulty = {},
                       .result = {.level = strange_name,
                                  .novelty = "T1",
                                  .pid = 0.1,
                                  .bid = 0.3,
                                  .value = 0.2,
                                  .third = i < 2 ? Third::low : Third::high},
                       .extended = {.level = strange_name,
                                    .novelty = "T1",
                                    .pid = 0.5,
                                    .bid = 0.5,
                                    .value = 0.1 * i,
                                    .third = Third::middle}};
    level.level.name = strange_name + std::to_string(i);
    level.difficulty.pid = 0.1;
    of.levels.push_back(level);
  }
  study.novelties.push_back(of);
  const Page page(study_report(study));
  CHECK_THAT(page.text(),
             Catch::Contains(strange_name + "1") && Catch::Contains("No level is in this third."));
  // None of the three is in the middle by the published method, all are by the extended one.
  CHECK_THAT(page.text(),
             Catch::Contains("Of 3 levels for T1 the published method puts 2 low, 0 middle and 1 high into "
                             "their thirds; the extended method agrees on 0 % (95 % interval 0 to 56)."));
  CHECK(page.html().find("class=\"finding\"") < page.html().find("<table"));
  // PID and BID: of low and high by the published method, of middle by the extended one.
  CHECK(page.count("//p[@class='finding']/following-sibling::*[1]/svg/rect[title]") == 6);
  CHECK_THAT(page.html(), Catch::Contains("<title>low, PID, published: 0.1</title>") &&
                              Catch::Contains("<title>middle, BID, extended: 0.5</title>"));
  CHECK(cell(page.table("never visible"), {"T1"}, "levels") == "3");
  CHECK(cell(page.table("never visible"), {"T1"}, "low") == "2");
  const auto by_third = page.table("mean PID");
  CHECK(cell(by_third, {"published", "low"}, "levels") == "2");
  CHECK(cell(by_third, {"extended", "middle"}, "levels") == "3");
  CHECK(cell(by_third, {"extended", "middle"}, "mean value") == "0.100");
  CHECK_THAT(page.text(), Catch::Contains("Spearman's rho of the two methods' values: - over 3 levels"));
}
