#include <nlohmann/json.hpp>

#include "../checks.hpp"
#include "app/reports/surprise/intphys_report.hpp"
#include "app/reports/surprise/probe_report.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

const FrameErrors small{.error = {1, 2}, .change = {0, 0}}, large{.error = {3, 4}, .change = {0, 0}};

}  // namespace

TEST_CASE("[reports] IntPhys: error rates by hand, on the page, as cells and clips") {
  IntPhysReport report{.version = "1",
                       .command = "startle intphys <&>",
                       .models = 1,
                       .model_hashes = {"00"},
                       .run = {},
                       .tables = {},
                       .examples = {}};
  report.run.scorers = {strange_name, "control"};
  const IntPhysScenario scenario{.occluded = false, .motion = IntPhysMotion::still, .objects = 1};
  for (const IntPhysBlock block : intphys_blocks())
    for (int i = 0; i < 8; ++i) {  // right in six of eight; the control takes all clips for alike
      ScoredIntPhys set{.block = block,
                        .scenario = scenario,
                        .name = std::to_string(i),
                        .possible = std::array{true, true, false, false},
                        .scorers = {}};
      const bool right = i < 6;
      set.scorers.push_back(
          {right ? small : large, right ? small : large, right ? large : small, right ? large : small});
      set.scorers.push_back({small, small, small, small});
      report.run.sets.push_back(set);
    }
  report.tables = intphys_tables(report.run, report.metrics);
  const Page page(intphys_report(report));
  CHECK(page.estimates() > 5);
  CHECK_THAT(page.text(), Catch::Contains(strange_name) && Catch::Contains("startle intphys <&>"));
  const Rows cells = intphys_cell_rows(report), clips = intphys_clip_rows(report);
  CHECK(check_table(cells) > 10);
  check_table(clips);
  CHECK(clips.size() == 1 + report.run.sets.size() * 4 * 2);
  CHECK(cells[1][column(cells, "relative_error")] == "0.25");
  check_numbers(intphys_text(report));
  CHECK_FALSE(nlohmann::json::parse(intphys_json(report)).empty());
}

TEST_CASE("[reports] probes: accuracies by hand, on the page, as cells and tuples") {
  ProbeReport report{.version = "1",
                     .command = "startle probe <&>",
                     .models = 1,
                     .model_hashes = {"00"},
                     .run = {},
                     .tables = {},
                     .examples = {}};
  report.run.predictors = {strange_name, "control"};
  std::size_t number = 0;
  for (const ProbeConcept kind : probe_concepts())
    for (int i = 0; i < 8; ++i) {
      ProbedTuple tuple{};
      tuple.kind = kind;
      tuple.number = number++;
      const bool right = i < 6;
      tuple.predictors.resize(2);
      for (std::size_t k = 0; k < 2; ++k) {
        tuple.predictors[0].possible[k] = right ? small : large;
        tuple.predictors[0].impossible[k] = right ? large : small;
        tuple.predictors[1].possible[k] = tuple.predictors[1].impossible[k] = small;
      }
      report.run.tuples.push_back(tuple);
    }
  report.tables = probe_tables(report.run, report.metrics);
  const Page page(probe_report(report));
  CHECK(page.estimates() > 10);
  CHECK_THAT(page.text(), Catch::Contains(strange_name) && Catch::Contains("startle probe <&>"));
  const Rows cells = probe_cell_rows(report), tuples = probe_tuple_rows(report);
  CHECK(check_table(cells) > 20);
  check_table(tuples);
  CHECK(tuples.size() == 1 + report.run.tuples.size() * 2);
  CHECK(cells[1][column(cells, "accuracy")] == "0.75");
  check_numbers(probe_text(report));
  CHECK_FALSE(nlohmann::json::parse(probe_json(report)).empty());
}
