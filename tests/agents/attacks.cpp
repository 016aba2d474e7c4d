/// \file  Agents that want a score without looking at physics. Each of these attacks worked once; now each is
/// worth what guessing is worth.
#include <sys/stat.h>

#include <array>
#include <cmath>
#include <fstream>
#include <set>

#include "agents/trials/runner.hpp"
#include "agents/trials/scores.hpp"
#include "agents/trials/secret.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "statistics/intervals.hpp"
#include "statistics/roc.hpp"
#include "tests/agents/samples.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// So many levels, of which only the names matter.
std::vector<PlayableLevel> named_levels(int count) {
  std::vector<PlayableLevel> levels;
  for (int i = 0; i < count; ++i)
    levels.push_back({.name = "level-" + std::to_string(i), .novelty = "T1", .tier = "easy"});
  return levels;
}

/// Secrets as a run without --secret has them; of small numbers, so that the test is the same every time.
RunSecret some_secret(int number) {
  return {{static_cast<unsigned char>(number), static_cast<unsigned char>(number >> 8), 0x5a}};
}

bool within(double value, const IntervalEstimate& interval) {
  return value >= interval.low && value <= interval.high;
}

}  // namespace

TEST_CASE("[attacks] who computes the plans of guessed secrets finds none of the seeds it is given") {
  const std::vector<PlayableLevel> levels = named_levels(4);
  for (const Protocol protocol : {Protocol::single, Protocol::shift}) {
    std::set<std::uint64_t> given;
    for (const TrialPlan& plan :
         plan_trials(levels, {.protocol = protocol, .trials = 5, .secret = RunSecret::fresh()}))
      given.insert(plan.seed >> 11);
    CHECK(given.size() >= 5);
    int found = 0;
    for (int guess = 0; guess < 300; ++guess)
      for (const TrialPlan& plan : plan_trials(levels, {.protocol = protocol,
                                                       .trials = 5,
                                                       .secret = {{static_cast<unsigned char>(guess),
                                                                   static_cast<unsigned char>(guess >> 8)}}}))
        found += static_cast<int>(given.count(plan.seed >> 11));
    CHECK(found == 0);
    // Nor does the old hash of names and small numbers.
    for (std::uint64_t seed = 0; seed < 1000; ++seed)
      for (const PlayableLevel& level : levels)
        found += static_cast<int>(given.count(stream_seed(seed, level.name, 0) >> 11));
    CHECK(found == 0);
  }
}

TEST_CASE("[attacks] no bit of a seed says the world, and no bit says when it will change") {
  const std::vector<PlayableLevel> levels = named_levels(40);
  std::array<Rate, 53> novel{}, early{};
  for (int run = 0; run < 25; ++run) {
    for (const TrialPlan& plan : plan_trials(levels, {.secret = some_secret(run)}))
      for (std::size_t bit = 0; bit < 53; ++bit)
        if (plan.seed >> (11 + bit) & 1) {
          ++novel[bit].count;
          novel[bit].hits += plan.world == "novel";
        }
    for (const TrialPlan& plan : plan_trials(
             levels,
             {.protocol = Protocol::shift, .trials = 40, .secret = some_secret(run), .most_before = 10}))
      for (std::size_t bit = 0; bit < 53; ++bit)
        if (plan.seed >> (11 + bit) & 1) {
          ++early[bit].count;
          early[bit].hits += plan.shift <= 5;
        }
  }
  // Five standard deviations: one of 106 rates lies outside by chance in one of 20,000 such tests.
  for (const auto* rates : {&novel, &early})
    for (const Rate& rate : *rates) {
      const auto n = static_cast<double>(rate.count);
      CHECK(std::abs(*rate.value() - 0.5) < 5 * 0.5 / std::sqrt(n));
    }
}

TEST_CASE(
    "[attacks] who counts trials, and who says novel where it has seen the level before, is right as often "
    "as a coin") {
  const std::vector<PlayableLevel> levels = named_levels(100);
  Rate by_parity, by_half;
  std::vector<double> seen_novel, seen_normal;
  for (int run = 0; run < 20; ++run) {
    const std::vector<TrialPlan> plans = plan_trials(levels, {.secret = some_secret(run)});
    std::set<std::string> met;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const bool novel = plans[i].world == "novel";
      ++by_parity.count;
      by_parity.hits += novel == (i % 2 == 1);
      ++by_half.count;
      by_half.hits += novel == (i >= plans.size() / 2);
      (novel ? seen_novel : seen_normal).push_back(met.insert(plans[i].unit).second ? 0 : 1);
    }
  }
  CHECK(within(0.5, by_parity.interval()));
  CHECK(within(0.5, by_half.interval()));
  const Rate said{.hits = static_cast<std::size_t>(std::count(seen_novel.begin(), seen_novel.end(), 1)),
                  .count = seen_novel.size()};
  CHECK(within(0.5, said.interval()));
  CHECK(std::abs(*roc_auc(seen_novel, seen_normal) - 0.5) < 0.03);
}

TEST_CASE("[attacks] two runs have nothing in common that one could learn from the other") {
  const std::vector<PlayableLevel> levels = named_levels(50);
  const auto order_of = [&](const RunSecret& secret) {
    std::vector<std::string> order;
    for (const TrialPlan& plan : plan_trials(levels, {.secret = secret}))
      order.push_back(plan.unit + plan.world);
    return order;
  };
  CHECK(order_of(some_secret(1)) == order_of(some_secret(1)));
  const auto one = order_of(RunSecret::fresh()), other = order_of(RunSecret::fresh());
  int same = 0;
  for (std::size_t i = 0; i < one.size(); ++i) same += one[i] == other[i];
  CHECK(same < 12);  // of 100; expected is 1
}

TEST_CASE("[attacks] who gives up when it is about to lose has lost") {
  const TestFolder folder;
  const std::vector<PlayableLevel> levels = playable({small_level("a"), small_level("b"), small_level("c")});
  // Shoots over everything first; a second attempt at the same trial would find the file of the first, and
  // hit.
  const std::string met = (folder.path / "met").string();
  const std::string agent = folder.file(
      "quitter", "read begin\nread act\nangle=1.5\nif [ -e " + met + " ]; then angle=0.1; fi\n: > " + met +
                     "\necho \"{\\\"type\\\":\\\"shot\\\",\\\"angle\\\":$angle}\"\nread report\n[ $angle = "
                     "0.1 ] || exit 1\n"
                     "echo '{\"type\":\"report\",\"novelty\":0}'\nwhile read line; do exit 0; done\n");
  int tried = 0;
  for (const TrialPlan& plan : plans_by_level(levels)) {
    std::filesystem::remove(met);
    const TrialResult result = run_trial({.name = "quitter", .command = "sh " + agent}, plan, levels,
                                         {.limits = {.action_s = 300, .trial_s = 900}, .retries = 5});
    CHECK(result.status == Status::crash);
    CHECK(result.retries == 0);
    CHECK_FALSE(result.levels.front().solved);
    ++tried;
  }
  CHECK(tried == 6);
}

TEST_CASE("[attacks] secrets: 128 bits from the system, as text and back, and what is none is refused") {
  CHECK(RunSecret::fresh() != RunSecret::fresh());
  const RunSecret secret = RunSecret::parse("000102030405060708090a0b0c0d0e0f");
  CHECK(secret.text() == "000102030405060708090a0b0c0d0e0f");
  CHECK(secret.bytes[15] == 15);
  CHECK(RunSecret::parse("000102030405060708090A0B0C0D0E0F") == secret);
  for (const char* bad : {"", "1", "000102030405060708090a0b0c0d0e", "000102030405060708090a0b0c0d0e0f00",
                          "000102030405060708090a0b0c0d0e0g", " 00102030405060708090a0b0c0d0e0f"})
    CHECK_THROWS_WITH(RunSecret::parse(bad), Catch::Contains("32 hexadecimal digits"));
  // Purpose, place and index all count, and do not run into each other.
  const std::set<std::uint64_t> different{secret.derive("a", "b"),  secret.derive("ab", ""),
                                          secret.derive("", "ab"),  secret.derive("a", "b", 1),
                                          secret.derive("a", "b1"), RunSecret{}.derive("a", "b")};
  CHECK(different.size() == 6);
}
