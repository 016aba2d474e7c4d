#include <cmath>

#include "core/error.hpp"
#include "surprise/predictor.hpp"
#include "surprise/probes/intphys/evaluation.hpp"
#include "surprise/probes/intphys/published.hpp"
#include "tests/catch.hpp"

namespace startle {
namespace {

const IntPhysScenario visible_one{.occluded = false, .motion = IntPhysMotion::still, .objects = 1},
    occluded_two{.occluded = true, .motion = IntPhysMotion::dynamic_1, .objects = 2};

/// Errors of one frame a clip: what is given is the clip's plausibility, negated.
ScoredIntPhys scored(IntPhysBlock block, std::optional<IntPhysScenario> scenario, const std::string& name,
                     std::array<bool, 4> possible, std::array<double, 4> plausible) {
  ScoredIntPhys set{.block = block, .scenario = scenario, .name = name, .possible = possible, .scorers = {}};
  set.scorers.emplace_back();
  for (std::size_t k = 0; k < 4; ++k) set.scorers[0][k] = {.error = {-plausible[k]}, .change = {0}};
  return set;
}

}  // namespace

TEST_CASE("[probes] IntPhys: plausibility is minus the sum, the mean or the largest of the errors") {
  const FrameErrors errors{.error = {1, 4, 1}, .change = {0, 0, 0}};
  CHECK(plausibility(errors, Plausibility::sum) == -6);
  CHECK(plausibility(errors, Plausibility::mean) == -2);
  CHECK(plausibility(errors, Plausibility::minimum) == -4);
  CHECK_THROWS_AS(plausibility({}, Plausibility::sum), Error);
}

TEST_CASE("[probes] IntPhys: error rates by hand") {
  IntPhysRun run{.scorers = {"one"}, .seed = 1, .sets = {}};
  // Possible clips in any place. Sums possible against impossible: 0.9 + 0.8 > 0.7 + 0.6, right; 0.3 + 0.3 <
  // 0.5 + 0.2, wrong; 0.4 + 0.2 = 0.5 + 0.1, tied.
  run.sets.push_back(scored(IntPhysBlock::permanence, visible_one, "0001", {true, true, false, false},
                            {0.9, 0.8, 0.7, 0.6}));
  run.sets.push_back(scored(IntPhysBlock::permanence, visible_one, "0002", {false, true, false, true},
                            {0.5, 0.3, 0.2, 0.3}));
  run.sets.push_back(scored(IntPhysBlock::permanence, occluded_two, "0003", {true, false, false, true},
                            {0.4, 0.5, 0.1, 0.2}));
  run.sets.push_back(
      scored(IntPhysBlock::shape, std::nullopt, "0001", {true, true, false, false}, {0.1, 0.1, 0.2, 0.2}));
  ScoredIntPhys unlabelled = run.sets[0];
  unlabelled.possible.reset();
  run.sets.push_back(unlabelled);
  const IntPhysTables tables = intphys_tables(run, {.tie_tolerance = 1e-3, .threads = 1});

  const IntPhysRow& all = tables.row({.block = IntPhysBlock::permanence}, 0, Plausibility::sum);
  CHECK(all.sets == 3);
  CHECK(all.ties == 1);
  CHECK(*all.relative.value == Approx((0 + 1 + 0.5) / 3));
  // Possible .9 .8 .3 .3 .4 .2 against impossible .7 .6 .5 .2 .5 .1: .9 and .8 are above all 6; .3 and .3
  // above .2 and .1, 2 each; .4 above 2; .2 above .1 and level with .2, 1.5. AUC = (6 + 6 + 2 + 2 + 2
  // + 1.5)/36.
  CHECK(*all.absolute.value == Approx(1 - 19.5 / 36));
  REQUIRE(all.absolute.interval);
  CHECK(all.absolute.interval->low <= *all.absolute.value);
  CHECK(all.absolute.interval->high >= *all.absolute.value);
  // 1.5 hits of 3: from Wilson's low end for 1 to its high end for 2.
  CHECK(all.relative.interval->low == wilson_interval(1, 3).low);
  CHECK(all.relative.interval->high == wilson_interval(2, 3).high);

  const IntPhysRow& visible = tables.row({.block = IntPhysBlock::permanence, .occluded = false}, 0,
                                         Plausibility::minimum);
  CHECK(visible.sets == 2);
  CHECK(*visible.relative.value == 0.5);
  CHECK(visible.ties == 0);
  const IntPhysRow& cell = tables.row({IntPhysBlock::permanence, true, IntPhysMotion::dynamic_1, 2}, 0,
                                      Plausibility::sum);
  CHECK(cell.sets == 1);
  CHECK(*cell.relative.value == 0.5);
  CHECK(!cell.absolute.interval);
  CHECK(
      tables.row({IntPhysBlock::permanence, true, IntPhysMotion::dynamic_2, 2}, 0, Plausibility::sum).sets ==
      0);
  // Of unknown scenario: in the block's total alone.
  CHECK(tables.row({.block = IntPhysBlock::shape}, 0, Plausibility::sum).relative.value == 1.0);
  CHECK(tables.row({.block = IntPhysBlock::shape, .occluded = false}, 0, Plausibility::sum).sets == 0);
  CHECK(!tables.row({.block = IntPhysBlock::continuity}, 0, Plausibility::sum).relative.value);

  IntPhysRun secret{.scorers = {"one"}, .seed = 1, .sets = {unlabelled}};
  CHECK_THROWS_WITH(intphys_tables(secret), Catch::Contains("possible"));
}

TEST_CASE("[probes] IntPhys: submission files, golden, and what is no such file is refused") {
  IntPhysRun run{.scorers = {"one"}, .seed = 1, .sets = {}};
  run.sets.push_back(
      scored(IntPhysBlock::shape, visible_one, "0001", {true, true, false, false}, {-1, -3, -5, -2}));
  run.sets.push_back(
      scored(IntPhysBlock::permanence, visible_one, "0002", {true, true, false, false}, {-4, -4, -4.5, -1}));
  const std::string text = intphys_answers(run, 0, Plausibility::sum);
  // From -5 ... -1 to 0 ... 1: (p + 5)/4.
  CHECK(text ==
        "O1/0002/1 0.25\nO1/0002/2 0.25\nO1/0002/3 0.125\nO1/0002/4 1\n"
        "O2/0001/1 1\nO2/0001/2 0.5\nO2/0001/3 0\nO2/0001/4 0.75\n");
  // Read back as another scorer they give the same error rates.
  add_answers(run, "again", read_intphys_answers(text, "answer.txt"), "answer.txt");
  const IntPhysTables tables = intphys_tables(run, {.threads = 1});
  for (const IntPhysBlock block : {IntPhysBlock::permanence, IntPhysBlock::shape}) {
    const IntPhysRow &first = tables.row({.block = block}, 0, Plausibility::sum),
                     &second = tables.row({.block = block}, 1, Plausibility::sum);
    CHECK(first.relative.value == second.relative.value);
    CHECK(first.absolute.value == second.absolute.value);
  }
  CHECK(read_intphys_answers("O1/0001_O1_test_visible_static_nobj1/1 0.9751\r\n\n", "x").at("O1/0001/1") ==
        0.9751);

  const auto refused = [](const std::string& bad, const std::string& words) {
    CHECK_THROWS_WITH(read_intphys_answers(bad, "answer.txt"),
                      Catch::Contains("answer.txt") && Catch::Contains(words));
  };
  refused("O1/0001/1 0.5\nO1/0001/5 0.5\n", ":2:");
  refused("O4/0001/1 0.5\n", "O4");
  refused("O1/0001/1\n", ":1:");
  refused("O1/0001/1 0.5 0.6\n", ":1:");
  refused("O1/0001/1 1.5\n", "1.5");
  refused("O1/0001/1 nan\n", "nan");
  refused("O1/0001/1 0.5\nO1/0001/1 0.5\n", "twice");
  refused("", "no line");
  CHECK_THROWS_WITH(add_answers(run, "mine", {{"O2/0001/1", 0.5}}, "mine.txt"),
                    Catch::Contains("mine.txt: found no answer for clip O2/0001/2"));
}

TEST_CASE(
    "[probes] IntPhys: controls over generated sets: hidden splices leave copy-last at ties, a change in "
    "plain view does not") {
  const auto copy_last = make_copy_last();
  const IntPhysSource source{.sets = 1, .seed = 2};
  REQUIRE(source.count() == 54);
  // Static and dynamic scenes of the first block, both visible (scenarios 0 to 8) and occluded (9 to 17).
  std::vector<std::size_t> chosen{0, 4, 9, 13, 17};
  const IntPhysRun run = run_intphys(
      {copy_last.get()}, chosen.size(), [&](std::size_t i) { return source.clips(chosen[i]); }, 2);
  REQUIRE(run.sets.size() == 5);
  CHECK(run.sets[1].name == "0005");
  CHECK(run.sets[3].scenario->occluded);
  const IntPhysTables tables = intphys_tables(run, {.threads = 1});
  const IntPhysRow &visible = tables.row({.block = IntPhysBlock::permanence, .occluded = false}, 0,
                                         Plausibility::sum),
                   &occluded = tables.row({.block = IntPhysBlock::permanence, .occluded = true}, 0,
                                          Plausibility::sum);
  CHECK(visible.relative.value == 0.0);
  CHECK(occluded.relative.value == 0.5);
  CHECK(occluded.ties == 3);
}

TEST_CASE("[probes] IntPhys: published tables are whole, and their totals are those of their cells") {
  CHECK(published_intphys().size() == 30 + 6);
  for (const PublishedIntPhys& table : published_intphys()) {
    CAPTURE(table.name, table.source);
    if (std::isnan(table.rates[0][0])) continue;
    for (const std::size_t side : {0U, 4U}) {
      double sum = 0;
      for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = side; column < side + 3; ++column) sum += table.rates[row][column];
      CHECK(table.rates[3][side + 3] == Approx(sum / 9).margin(0.012));  // printed with two digits
    }
  }
}

}  // namespace startle
