/// \file  Participants needed: cases by hand, the formula against simulation, and what cannot be asked.
#include <cmath>

#include "core/error.hpp"
#include "people/study_power.hpp"
#include "statistics/significance.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {
constexpr int studies = 2000;
}

TEST_CASE("[people] power: one item a tier and no spread, by hand") {
  // d is 1, 0 or -1, with chances .9 x .9, 2 x .9 x .1 and .1 x .1. Six participants: the test's p is at most
  // .05 only where all signs agree and nobody has 0 (2/64), as five ones and a 0 give 4/64.
  const PowerQuestion question{.easy = 0.9, .hard = 0.1, .items = 1, .spread = 0};
  const double by_hand = std::pow(0.81, 6) + std::pow(0.01, 6);
  const Rate power = simulated_power(question, 6, 20000, 3);
  CHECK(*power.value() == Approx(by_hand).margin(4 * std::sqrt(by_hand * (1 - by_hand) / 20000)));
  // Five never suffice: 2/32 is above .05.
  CHECK(simulated_power(question, 5, studies, 3).hits == 0);
  // Binomial: variance .09 + .09; (1.95996 sqrt(.82) + .84162 sqrt(.18))^2/.64 = 7.1.
  CHECK(difference_variance(question) == Approx(0.18));
  CHECK(participants_by_formula(question) == 8);
}

TEST_CASE("[people] power: the formula by hand") {
  // .8 x .2/4 + .4 x .6/4 + 2 x .01 x 3/4 = .04 + .06 + .015; (1.95996 sqrt(.275) + .84162 sqrt(.115))^2/.16
  // = (1.02781 + .28541)^2/.16 = 10.8.
  const PowerQuestion question{.easy = 0.8, .hard = 0.4, .items = 4, .spread = 0.1};
  CHECK(difference_variance(question) == Approx(0.115));
  CHECK(participants_by_formula(question) == 11);
  // A single item cannot show that people differ.
  CHECK(difference_variance({.easy = 0.8, .hard = 0.4, .items = 1, .spread = 0.3}) ==
        Approx(difference_variance({.easy = 0.8, .hard = 0.4, .items = 1, .spread = 0})));
  CHECK(participants_by_formula({.easy = 0.5, .hard = 0.4, .items = 1, .spread = 0}) ==
        static_cast<int>(std::ceil(std::pow(1.959964 * std::sqrt(0.5) + 0.841621 * 0.7, 2) / 0.01)));
  CHECK_FALSE(participants_by_formula({.easy = 0.5, .hard = 0.5}));
}

TEST_CASE("[people] power: formula and simulation agree where there are many participants") {
  for (const double spread : {0.0, 0.2}) {
    const PowerQuestion question{.easy = 0.55, .hard = 0.4, .items = 3, .spread = spread};
    const int participants = *participants_by_formula(question);
    REQUIRE(participants > 40);
    CHECK(*simulated_power(question, participants, studies, 11).value() == Approx(0.8).margin(0.04));
    // Nothing differs: as often as the level says.
    PowerQuestion nothing = question;
    nothing.hard = nothing.easy;
    CHECK(*simulated_power(nothing, participants, studies, 11).value() == Approx(0.05).margin(0.02));
  }
}

TEST_CASE("[people] power: spread asks for more, items for fewer, and threads change nothing") {
  const PowerQuestion question{.easy = 0.7, .hard = 0.45, .items = 2, .spread = 0.1};
  const PowerAnswer answer = participants_needed(question, studies, 5, 1);
  CHECK(*answer.power.value() >= 0.8);
  CHECK(*simulated_power(question, answer.participants - 1, studies, 5).value() < 0.8);
  CHECK(*answer.false_alarms.value() < 0.07);
  CHECK(std::abs(answer.participants - answer.by_formula) <= 4);
  const PowerAnswer again = participants_needed(question, studies, 5, 3);
  CHECK(again.participants == answer.participants);
  CHECK(again.power == answer.power);
  PowerQuestion other = question;
  other.spread = 0.4;
  CHECK(participants_needed(other, studies, 5).participants > answer.participants);
  other = question;
  other.items = 6;
  CHECK(participants_needed(other, studies, 5).participants < answer.participants);
}

TEST_CASE("[people] power: what cannot be asked is said") {
  const auto refused = [](const PowerQuestion& question, const std::string& what) {
    CHECK_THROWS_WITH(participants_needed(question, 100, 1), Catch::Contains(what));
  };
  refused({.easy = 1}, "--easy: found 1,");
  refused({.easy = 0.4, .hard = 0.4}, "--easy: found 0.4, allowed are rates above --hard");
  refused({.easy = 0.9, .hard = 0.1, .spread = 0.3}, "allowed are 0 to less than 0.300");
  refused({.items = 0}, "--tier-items: found 0, allowed are 1 to 1000");
  refused({.power = 1}, "--power");
  refused({.significance = 0}, "--significance");
}
