/// \file  What participants are given: balance, chance, and where it cannot be had.
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/random.hpp"
#include "people/study_plan.hpp"
#include "tests/catch.hpp"
#include "tests/people/samples.hpp"

using namespace startle;

namespace {

std::string cell(const StudyLevel& level) { return level.novelty + " " + level.tier; }

template <typename Counts>
int spread(const Counts& counts) {
  int low = 1 << 30, high = 0;
  for (const auto& [key, count] : counts) {
    low = std::min(low, count);
    high = std::max(high, count);
  }
  return high - low;
}

}  // namespace

TEST_CASE("[people] items are balanced over cells, within a participant and over all") {
  Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<StudyLevel> levels = numbered_levels(
        random.integer(8, 12),
        trial % 2 ? std::vector<std::string>{"T1", "T2", "T3"} : std::vector<std::string>{"T2"});
    StudySettings settings{.practice = random.integer(0, 8), .items = random.integer(1, 12)};
    settings.normal = random.integer(0, settings.items);
    settings.seed = random.next();
    std::map<std::pair<std::string, bool>, int> all;
    for (const StudyLevel& level : levels)
      for (const bool novel : {false, true}) all[{cell(level), novel}] = 0;
    std::map<std::pair<std::size_t, bool>, int> shown;  // how often each level was given
    std::vector<std::size_t> practice;
    for (int number = 0; number < 12; ++number) {
      const StudyPlan plan = plan_study(levels, settings, number);
      CHECK(plan == plan_study(levels, settings, number));
      CHECK(static_cast<int>(plan.practice.size()) == settings.practice);
      if (number == 0) practice = plan.practice;
      CHECK(plan.practice == practice);
      std::set<std::size_t> seen(plan.practice.begin(), plan.practice.end());
      CHECK(seen.size() == plan.practice.size());
      int normal = 0;
      for (const StudyItem& item : plan.items) {
        CHECK(seen.insert(item.level).second);  // no level twice, none that was practised
        ++all[{cell(levels[item.level]), item.novel}];
        ++shown[{item.level, item.novel}];
        normal += !item.novel;
      }
      CHECK(static_cast<int>(plan.items.size()) == settings.items);
      CHECK(normal == settings.normal);
      for (const bool novel : {false, true}) {
        std::map<std::string, int> counts, own;
        for (const auto& [key, count] : all)
          if (key.second == novel) counts[key.first] = count, own[key.first] = 0;
        for (const StudyItem& item : plan.items)
          if (item.novel == novel) ++own[cell(levels[item.level])];
        CHECK(spread(counts) <= 1);
        CHECK(spread(own) <= 1);
      }
    }
  }
}

TEST_CASE("[people] every level of a cell is used before one is used again") {
  const std::vector<StudyLevel> levels = numbered_levels(6);
  const StudySettings settings{.practice = 0, .items = 9, .normal = 0, .seed = 3};
  std::set<std::size_t> seen;
  for (int number = 0; number < 6; ++number)
    for (const StudyItem& item : plan_study(levels, settings, number).items)
      CHECK(seen.insert(item.level).second);
  CHECK(seen.size() == levels.size());
}

TEST_CASE("[people] the order of items is another for each participant and seed, and says nothing") {
  const std::vector<StudyLevel> levels = numbered_levels(10);
  const StudySettings settings{.practice = 5, .items = 10, .normal = 5, .seed = 7};
  std::set<std::string> orders;
  int novel_first = 0;
  const int participants = 200;
  for (int number = 0; number < participants; ++number) {
    const StudyPlan plan = plan_study(levels, settings, number);
    std::string order;
    for (const StudyItem& item : plan.items) order += item.novel ? 'x' : '-';
    orders.insert(order);
    novel_first += plan.items.front().novel;
  }
  CHECK(orders.size() > 100);                            // of 252 that there are
  CHECK(std::abs(novel_first - participants / 2) < 30);  // 4 standard deviations are 28
  StudySettings other = settings;
  other.seed = 8;
  CHECK(!(plan_study(levels, settings, 0) == plan_study(levels, other, 0)));
}

TEST_CASE("[people] what cannot be planned is refused by name") {
  const std::vector<StudyLevel> levels = numbered_levels(2, {"T1"});
  const auto message = [&](const StudySettings& settings) {
    try {
      plan_study(levels, settings, 0);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(message({.practice = 7, .items = 1, .normal = 0}), Catch::Contains("fewer levels than the 7"));
  CHECK_THAT(message({.practice = 3, .items = 4, .normal = 2}), Catch::Contains("too few of T1"));
  CHECK_THAT(message({.practice = 0, .items = 0, .normal = 0}),
             Catch::Contains("--items: found 0, allowed are 1 to 1000"));
  CHECK_THAT(message({.practice = 0, .items = 2, .normal = 3}),
             Catch::Contains("--normal: found 3, allowed are 0 to 2"));
  CHECK_THAT(message({.practice = -1, .items = 2, .normal = 1}), Catch::Contains("--practice"));
  CHECK(message({.practice = 0, .items = 6, .normal = 3}).empty());
  // The other practice levels are given, so that all of these are items.
  CHECK(plan_study(levels, {.practice = 3, .items = 6, .normal = 3}, 0, true).items.size() == 6);
}

TEST_CASE("[people] where everybody plays all levels, each is played once, whatever the sizes of the cells") {
  std::vector<StudyLevel> levels = numbered_levels(2, {"T1"});  // two of each tier
  levels.pop_back();
  const int count = static_cast<int>(levels.size());
  for (int number = 0; number < 5; ++number) {
    const StudyPlan plan = plan_study(levels, {.practice = 0, .items = count, .normal = 0}, number);
    std::set<std::size_t> played;
    for (const auto& item : plan.items) {
      CHECK(item.novel);
      played.insert(item.level);
    }
    CHECK(played.size() == levels.size());
    CHECK(plan.items.size() == levels.size());
  }
}

TEST_CASE("[people] levels that are no use to a study are refused") {
  const auto message = [](const std::function<void(StoredLevel&)>& change) {
    StoredLevel level = real_levels().front();
    change(level);
    try {
      study_levels({level}, profile());
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message([](StoredLevel&) {}).empty());
  CHECK_THAT(message([](StoredLevel& l) { l.difficulty.reset(); }), Catch::Contains("no novelty and tier"));
  CHECK_THAT(message([](StoredLevel& l) { l.difficulty->tier.reset(); }),
             Catch::Contains("no novelty and tier"));
  CHECK(message([](StoredLevel& l) {
          l.difficulty->third = PlacedThird{Third::high, {0.2, 0.4, 3, 0.5}};
          l.difficulty->tier.reset();
        }).empty());
  CHECK_THAT(message([](StoredLevel& l) { l.birds.clear(); }), Catch::Contains("needs birds and pigs"));
  CHECK_THAT(message([](StoredLevel& l) {
               std::erase_if(l.objects, [](const LevelObject& o) { return o.kind == Kind::pig; });
             }),
             Catch::Contains("needs birds and pigs"));
  CHECK_THAT(message([](StoredLevel& l) {
               l.difficulty->novelty = "T3";
               std::erase_if(l.objects, [](const LevelObject& o) { return o.material == Material::stone; });
             }),
             Catch::Contains("changes nothing"));
  CHECK_THROWS_WITH(study_levels({real_levels()[0], real_levels()[0]}, profile()),
                    Catch::Contains("stands twice"));
}

TEST_CASE("[people] a level stands in the same place in both worlds") {
  for (const std::size_t i : {0UL, 9UL}) {
    const StoredLevel& level = real_levels()[i];
    const Scene normal = study_scene(level, profile()),
                novel = study_scene(level, profile(), level.difficulty->novelty);
    REQUIRE(normal.objects.size() == novel.objects.size());
    bool changed = false;
    for (std::size_t o = 0; o < normal.objects.size(); ++o) {
      CHECK(normal.objects[o].pose.position.x == novel.objects[o].pose.position.x);
      CHECK(normal.objects[o].pose.position.y == novel.objects[o].pose.position.y);
      CHECK(normal.objects[o].pose.angle == novel.objects[o].pose.angle);
      changed = changed || novel.objects[o].novel;
    }
    CHECK(changed);
  }
}

TEST_CASE("[people] attention checks stand among the items, in levels of their own, and move nothing") {
  const std::vector<StudyLevel> levels = numbered_levels(4);
  const StudySettings without{.practice = 2, .items = 9, .normal = 3, .seed = 5};
  StudySettings with = without;
  with.attention = 2;
  std::vector<std::size_t> of_all;
  for (int number = 0; number < 9; ++number) {
    const StudyPlan plan = plan_study(levels, with, number);
    REQUIRE(plan.items.size() == 11);
    CHECK(plan.practice == plan_study(levels, without, number).practice);
    std::set<std::size_t> seen(plan.practice.begin(), plan.practice.end());
    std::vector<std::size_t> checks, places;
    int normal = 0;
    for (std::size_t i = 0; i < plan.items.size(); ++i) {
      const StudyItem& item = plan.items[i];
      CHECK(seen.insert(item.level).second);
      if (!item.attention) normal += !item.novel;
      if (!item.attention) continue;
      CHECK_FALSE(item.novel);
      checks.push_back(item.level);
      places.push_back(i);
    }
    CHECK(places == std::vector<std::size_t>{3, 7});  // after three and six of nine items
    CHECK(normal == 3);
    if (number == 0) of_all = checks;
    CHECK(checks == of_all);  // the same for everybody
  }
  // None comes first, however many there are.
  StudySettings many{.practice = 0, .items = 1, .normal = 0, .attention = 3};
  CHECK_FALSE(plan_study(levels, many, 0).items.front().attention);
  many.attention = 21;
  CHECK_THROWS_WITH(plan_study(levels, many, 0),
                    Catch::Contains("--attention: found 21, allowed are 0 to 20"));
  many = {.practice = 0, .items = 1, .normal = 0, .attention = 10};
  CHECK_THROWS_WITH(plan_study(numbered_levels(1), many, 0),
                    Catch::Contains("asked for by --practice and --attention"));
}

TEST_CASE("[people] levels in which nothing can be detected are no items") {
  std::vector<StoredLevel> levels(real_levels().begin(), real_levels().begin() + 3);
  StoredDifficulty never;  // value 1
  never.novelty = levels[1].difficulty->novelty;
  never.third = PlacedThird{Third::high, {0.2, 0.4, 3, 0.5}};
  levels[1].difficulty = never;
  const std::vector<StudyLevel> of_study = study_levels(levels, profile());
  REQUIRE(of_study.size() == 2);
  CHECK(of_study[0].name == levels[0].name);
  CHECK(of_study[1].name == levels[2].name);
  for (StoredLevel& level : levels) {
    never.novelty = level.difficulty->novelty;
    level.difficulty = never;
  }
  CHECK_THROWS_WITH(plan_study(study_levels(levels, profile()), {}, 0),
                    Catch::Contains("--levels: hold no level in which a novelty can be detected"));
}
