#include <nlohmann/json.hpp>

#include "../checks.hpp"
#include "app/reports/surprise/detection_report.hpp"
#include "app/reports/surprise/evaluation_report.hpp"
#include "core/random.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

/// T1 and T2, five levels a tier with two pairs each. The model is right in all easy pairs, in half of the
/// medium ones and in no hard one; the control is undecided.
EvaluationRun made_up_run() {
  EvaluationRun run{.version = "1", .command = "startle surprise <&>", .profile = "p", .model = strange_name};
  Evaluation& e = run.evaluation;
  e.predictors = {strange_name, "control"};
  e.detectors = {strange_name};
  e.without_novelty = {"left out"};
  Random random(3);
  for (const char* novelty : {"T1", "T2"})
    for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard})
      for (int i = 0; i < 5; ++i) {
        e.levels.push_back({.novelty = &find_novelty(novelty), .tier = tier});
        e.levels.back().level.name = strange_name + std::to_string(e.levels.size());
        for (int pair = 0; pair < 2; ++pair) {
          const bool right = tier == Tier::easy || (tier == Tier::medium && pair == 0);
          const double base = 100 + random.uniform(0, 10), p = right ? 0.01 : 0.6;
          const auto errors = [](double sum) {
            return ClipSurprise{.errors = {.error = {sum / 2, sum / 2}, .change = {1, 1}}, .feature = {}};
          };
          EvaluatedTwin twin{.level = e.levels.size() - 1,
                             .kind = pair == 0 ? ShotKind::best : ShotKind::random,
                             .difference = {1, pair == 0 ? 1.0 : 0.0},
                             .visible = right};
          twin.predictors = {{errors(base), errors(base + (right ? 5 : -5))}, {errors(base), errors(base)}};
          twin.outputs = {{{0.5, {0.5}}, {p, {p}}}};
          e.twins.push_back(twin);
        }
      }
  run.tables = evaluation_tables(e, run.metrics);
  run.detection = detection_tables(e, run.metrics, true);
  return run;
}

}  // namespace

TEST_CASE("[reports] evaluation: page, tables and data agree with the counts they were made of") {
  const EvaluationRun run = made_up_run();
  const Page page(evaluation_report(run));
  CHECK(page.estimates() > 100);
  CHECK_THAT(page.text(),
             Catch::Contains("startle surprise <&>") && Catch::Contains("their novelty changes: 1."));
  // Over both novelties: shots are detected in all easy pairs, half of the medium and none of the hard ones.
  EvaluationRun shots = run;
  shots.detection = detection_tables(run.evaluation, run.metrics, false);
  CHECK_THAT(evaluation_finding(shots),
             Catch::StartsWith("The model " + strange_name +
                               " detects 100 % (95 % interval 72 to 100) of easy, 50 % (") &&
                 Catch::EndsWith(" of hard shots; false alarms: 0 % (0 to 11)."));
  CHECK_THAT(page.text(), Catch::Contains(evaluation_finding(run)));
  CHECK_THAT(evaluation_finding(run), Catch::Contains(" of hard trials; where nothing changed: "));
  CHECK(page.html().find("class=\"finding\"") < page.html().find("<table"));
  CHECK(page.count("//p[@class='finding']/following-sibling::*[1]/svg/rect[title]") == 5);
  const Rows cells = cell_rows(run), twins = twin_rows(run),
             detection = detection_rows(run.evaluation, run.detection);
  CHECK(check_table(cells) > 100);
  check_table(twins);
  CHECK(check_table(detection) > 50);
  CHECK(twins.size() == 1 + 2 * 60);
  CHECK(cell(cells, {"T1", "easy", "all", strange_name, "sum"}, "paired_accuracy") == "1");
  CHECK(cell(cells, {"T1", "medium", "all", strange_name, "sum"}, "paired_accuracy") == "0.5");
  CHECK(cell(cells, {"all", "all", "all", strange_name, "sum"}, "paired_accuracy") == "0.5");
  CHECK(cell(cells, {"all", "all", "all", "control", "sum"}, "ties") == "60");
  CHECK(cell(cells, {"T1", "easy", "all", strange_name, "sum"}, "relative_surprise").substr(0, 1) == "5");
  CHECK(cell(detection, {"T2", "medium", strange_name}, "detected") == "0.5");
  CHECK(cell(detection, {"T2", "medium", strange_name}, "false_alarms") == "0");
  CHECK(cell(detection, {"T2", "hard", strange_name}, "visible") == "0");
  CHECK(cell(detection, {"T1", "easy", strange_name}, "levels") == "5");
  CHECK_FALSE(cell(detection, {"all", "all", strange_name}, "detected_trials_low").empty());
  const auto json = nlohmann::json::parse(evaluation_json(run));
  CHECK(json["twins"].size() == 60);
  const std::string text = evaluation_text(run);
  check_numbers(text);
  CHECK_THAT(text, Catch::Contains("30 levels, 60 pairs"));
  CHECK(read_csv(comma_separated(cells)) == cells);
}

TEST_CASE("[reports] evaluation: examples by direction test show the way in which the novel clip is off") {
  EvaluationRun run = made_up_run();
  Evaluation& e = run.evaluation;
  e.format.frames = 3;
  e.format.pixels = 4;
  e.detectors = {strange_name + ", direction test"};
  e.statistics[e.detectors[0]] = direction_statistics();
  constexpr std::size_t stone_down_less = 16;
  REQUIRE(direction_statistics()[stone_down_less] == "stone down, less");
  for (std::size_t i = 0; i < e.twins.size(); ++i) {
    PValues normal(direction_statistic_count), novel(direction_statistic_count);
    normal[stone_down_less] = 0.4, novel[stone_down_less] = 0.01 + 0.001 * static_cast<double>(i);
    e.twins[i].outputs = {{{0.5, normal}, {*novel[stone_down_less], novel}}};
    for (auto* clip : {&e.twins[i].predictors[0].normal, &e.twins[i].predictors[0].novel})
      clip->residuals.regions = {{.frame = 2,
                                  .material = MaterialClass::stone,
                                  .area = 9,
                                  .motion = {0, 2},
                                  .motion_before = {0, 1},
                                  .residual = {0, clip == &e.twins[i].predictors[0].novel ? -0.75 : 0.25}}};
  }
  run.detection = detection_tables(e, run.metrics, false);
  run.examples = choose_examples(e);
  REQUIRE(run.examples.size() == 4);  // normal clips all have the same p
  for (const std::size_t novelty : {0, 2}) {
    const auto p = [&](std::size_t i) { return e.twins[run.examples[i].twin].outputs[0].novel.p; };
    CHECK(p(novelty) < p(novelty + 1));
  }
  for (EvaluationExample& example : run.examples) {
    REQUIRE(example.direction);
    for (Clip* clip : {&example.normal, &example.novel})
      *clip = {.frames = 3, .pixels = 4, .rgb = std::vector<std::uint8_t>(3 * 4 * 4 * 3, 100)};
    for (Prediction* prediction : {&example.normal_prediction, &example.novel_prediction})
      prediction->frames.assign(2 * 4 * 4 * 3, 0.5F);
  }
  const Page page(evaluation_report(run));
  CHECK_THAT(page.text(), Catch::Contains("T1, clearest detection by direction test") &&
                              Catch::Contains("T2, clearest miss by direction test") &&
                              Catch::Contains("stone down, less, p 0.0") &&
                              Catch::Contains("and 0.400 in the normal one.") &&
                              Catch::Contains("frames 1 and 2:"));
  CHECK(page.count("//h3[contains(., 'by direction test')]") == 4);
  CHECK_THAT(page.text(), Catch::Contains("stone: lower than predicted"));
  CHECK(page.count("//td[contains(., 'stone down, less')]") > 0);  // by what shots were detected
  // Without p-values they are chosen by the sum of errors.
  e.ranked = {.first = 0, .normal_clips = {1, 1}};
  for (const EvaluationExample& example : choose_examples(e)) CHECK_FALSE(example.direction);
}

TEST_CASE("[reports] evaluation: a model that gives a clip one number has no curves, and one score") {
  EvaluationRun run = made_up_run();
  run.models = 2;
  for (EvaluatedTwin& twin : run.evaluation.twins)
    for (ClipSurprise* clip : {&twin.predictors[0].normal, &twin.predictors[0].novel})
      *clip = {.errors = {}, .feature = {}, .events = {}, .whole = clip_score(*clip, ClipScore::sum) - 200};
  run.tables = evaluation_tables(run.evaluation, run.metrics);
  const Page page(evaluation_report(run));
  CHECK_THAT(page.text(), Catch::Contains("Paired accuracy of the model, by its own number") &&
                              Catch::Contains("First the other models: control."));
  CHECK_THAT(page.text(), !Catch::Contains("Surprise over time"));
  CHECK(page.count("//td[text()='its own']") == 1);
  const Rows cells = cell_rows(run);
  for (const char* score : {"sum", "maximum", "log"})
    CHECK(cell(cells, {"T1", "medium", "all", strange_name, score}, "paired_accuracy") == "0.5");
  check_table(twin_rows(run));
  const auto json = nlohmann::json::parse(evaluation_json(run));
  CHECK(json["configuration"]["tie_tolerance"] == 0);
  CHECK(json["models"] == 2);
  CHECK(json["twins"][0]["scores"][strange_name]["log"] == json["twins"][0]["scores"][strange_name]["sum"]);
}

TEST_CASE("[reports] evaluation: the page shows the finding first, and the rest where it is opened") {
  const EvaluationRun run = made_up_run();
  const Page page(evaluation_report(run));
  CHECK(page.count("//h2") == 4);  // what it means, the accuracy, more, how this was made
  for (const char* folded : {"Detection by p-values", "Controls", "By shot", "Surprise over time",
                             "With some shots of the novel world known"}) {
    INFO(folded);
    CHECK(page.count(("/html/body/details/summary[text()='" + std::string(folded) + "']").c_str()) == 1);
  }
  CHECK(page.html().find("What it means") < page.html().find("<table"));
}

TEST_CASE("[reports] evaluation: a model that gives all clips the same score is said to detect nothing") {
  EvaluationRun run = made_up_run();
  Evaluation& e = run.evaluation;
  e.detectors = {"model, calibrated"};
  e.ranked = {.first = 0, .normal_clips = {120, 120}};
  for (EvaluatedTwin& twin : e.twins) {
    twin.outputs = {{{1, {1}}, {1, {1}}}};
    for (ClipSurprise* clip : {&twin.predictors[0].normal, &twin.predictors[0].novel})
      *clip = {.errors = {}, .feature = {}, .events = {}, .whole = 0.5};
  }
  run.model = "same.csv";
  run.tables = evaluation_tables(e, run.metrics);
  run.detection = detection_tables(e, run.metrics, false);
  const std::string words =
      "The model same.csv gives the same score to all 120 clips, so it detects nothing.";
  CHECK(evaluation_finding(run) == words);
  CHECK(evaluation_reading(run).front() == words);
  // Ten levels a tier, none of which is detected: Wilson's, and no interval without width.
  const Rows rows = detection_rows(e, run.detection);
  for (const char* column : {"detected_high", "false_alarms_high"})
    CHECK(std::stod(cell(rows, {"all", "easy", "model, calibrated"}, column)) == Approx(0.2775).margin(1e-4));
  CHECK(cell(rows, {"all", "easy", "model, calibrated"}, "visible_low").substr(0, 5) == "0.722");
}

TEST_CASE("[reports] evaluation: sentences on controls name only novelties of which something is shown") {
  const EvaluationRun run = made_up_run();
  const std::string text = evaluation_text(run);
  CHECK_THAT(text, !Catch::Contains("better for no single") && !Catch::Contains("neither shown"));
  CHECK_THAT(text, Catch::Contains("The smallest cell, of a novelty and tier, has 5 levels"));
  CHECK_THAT(text, Catch::Contains("Against control (0.500) the difference is"));
  CHECK_THAT(text, Catch::Contains("For no single novelty can a difference be shown."));
  EvaluationRun better = run;
  for (ContrastRow& row : better.tables.contrasts)
    if (row.novelty == "T1") row.difference = {.value = 0.5, .interval = IntervalEstimate{0.25, 0.75}};
  CHECK_THAT(evaluation_text(better), Catch::Contains("; better for T1.") &&
                                          Catch::Contains("A novelty is named above where the interval"));
}

TEST_CASE("[reports] evaluation: of one pair, without detectors and trials") {
  EvaluationRun run = made_up_run();
  run.evaluation.levels.resize(1);
  run.evaluation.twins.resize(1);
  run.complete = false;
  run.tables = evaluation_tables(run.evaluation, run.metrics);
  run.detection = detection_tables(run.evaluation, run.metrics, false);
  const Page page(evaluation_report(run));
  CHECK_THAT(page.text(), Catch::Contains("interrupted"));
  check_table(cell_rows(run));
  check_table(detection_rows(run.evaluation, run.detection));
}

TEST_CASE("[reports] evaluation: the page opens with the model that was evaluated") {
  // Detectors as startle surprise evaluate has them: the dynamics model, which detects nothing, stands before
  // the model's ranks.
  EvaluationRun run = made_up_run();
  Evaluation& e = run.evaluation;
  e.detectors = {"dynamics", "model, calibrated", "other, calibrated"};
  e.predictors = {"model", "other"};
  e.ranked = {.first = 1, .normal_clips = {120, 120}};
  for (EvaluatedTwin& twin : e.twins) {
    const TwinOutputs nothing{{0.5, {0.5}}, {0.5, {0.5}}};
    twin.outputs = {nothing, twin.outputs[0], nothing};
  }
  run.model = "mine.safetensors";
  run.tables = evaluation_tables(e, run.metrics);
  run.detection = detection_tables(e, run.metrics, false);
  CHECK_THAT(evaluation_finding(run), Catch::StartsWith("The model mine.safetensors detects 100 % ("));
  CHECK_THAT(Page(evaluation_report(run)).text(), Catch::Contains(evaluation_finding(run)));
  run.subject = {.detector = "dynamics", .name = "The dynamics model own.json"};
  CHECK_THAT(evaluation_finding(run), Catch::StartsWith("The dynamics model own.json detects 0 % ("));
}

TEST_CASE("[reports] evaluation: too few normal clips for ranks leave cells empty, and the page says why") {
  EvaluationRun run = made_up_run();
  Evaluation& e = run.evaluation;
  e.detectors = {"dynamics", "model, calibrated"};
  e.predictors = {"model", "control"};
  e.ranked = {.first = 1, .normal_clips = {120, 119}};
  for (EvaluatedTwin& twin : e.twins) twin.outputs.push_back({{1, {1}}, {1, {1}}});
  run.model = "mine.safetensors";
  run.tables = evaluation_tables(e, run.metrics);
  run.detection = detection_tables(e, run.metrics, true);
  const std::string why =
      "Detectors that rank clips have no p-values here: there are 120 and 119 normal clips in the two halves "
      "of the levels, and each half needs 120. More levels (a larger --limit) give more clips.";
  const std::string text = evaluation_text(run);
  CHECK_THAT(text, Catch::Contains(why) && Catch::Contains("\nmodel, calibrated  -"));
  const Page page(evaluation_report(run));
  CHECK_THAT(page.text(), Catch::Contains(why));
  CHECK_THAT(evaluation_finding(run), Catch::StartsWith("The model mine.safetensors is the more surprised by "
                                                        "the novel clip in 0.500 ("));
  const Rows rows = detection_rows(e, run.detection);
  check_table(rows);
  for (const char* column : {"paired_accuracy", "detected", "detected_low", "false_alarms", "detected_trials",
                             "false_alarm_trials", "delay_levels", "p_trial", "null_p_trial"})
    CHECK(cell(rows, {"all", "all", "model, calibrated"}, column).empty());
  CHECK_FALSE(cell(rows, {"all", "all", "dynamics"}, "detected").empty());
  const auto json = nlohmann::json::parse(evaluation_json(run));
  CHECK(json["detection"]["normal_clips"] == std::vector<int>{120, 119});
  CHECK(json["detection"]["least_normal_clips"] == 120);
  CHECK(json["twins"][0]["p"]["model, calibrated"].is_null());
  CHECK(json["twins"][0]["p"]["dynamics"].is_array());
  e.ranked->normal_clips = {120, 120};
  CHECK(too_few_clips(e).empty());
}
