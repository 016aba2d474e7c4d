#include "levels/placed_levels.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "core/files.hpp"
#include "difficulty/played_level.hpp"
#include "levels/generators.hpp"
#include "levels/level_file.hpp"
#include "levels/level_json.hpp"
#include "levels/search.hpp"
#include "sim/profile.hpp"
#include "sim/world.hpp"
#include "tests/folder.hpp"
#include "tests/levels/level_samples.hpp"
#include "tests/skip.hpp"

using namespace startle;

namespace fs = std::filesystem;

namespace {

struct Folder : testing::Folder {
  fs::path add(const StoredLevel& level, const std::string& file) const {
    fs::create_directories((path / file).parent_path());
    write_file(path / file, level_to_json(level), {.lasting = false});
    return path / file;
  }
};

/// A wooden tower with a pig on it, `birds` birds; farther away in steps of a unit.
StoredLevel tower(const std::string& name, int birds = 2, double away = 0) {
  StoredLevel level{{.name = name, .width = 2, .slingshot = {-12, -2.5}}, {}};
  level.birds.assign(static_cast<std::size_t>(birds), "BirdRed");
  level.objects = {{Kind::block, "RectSmall", Material::wood, {2 + away, -3.07}, 90},
                   {Kind::block, "RectSmall", Material::wood, {3 + away, -3.07}, 90},
                   {Kind::block, "RectMedium", Material::wood, {2.5 + away, -2.53}, 0},
                   {Kind::pig, "BasicSmall", Material::none, {2.5 + away, -2.2}, 0}};
  return level;
}

std::vector<std::string> names(const PlacedSet& set) {
  std::vector<std::string> result;
  for (const PlacedLevel& level : set.levels) result.push_back(level.name);
  return result;
}

}  // namespace

TEST_CASE("[levels] placed: what has no part in a set is left out by reason and stops nothing") {
  const Folder folder;
  folder.add(tower("a-good"), "a-good.json");
  folder.add(tower("no birds", 0), "birds.json");
  StoredLevel bare = tower("no pigs");
  bare.objects.pop_back();
  folder.add(bare, "pigs.json");
  StoredLevel dying = tower("dying");  // its pig stands beyond the end of the world
  dying.objects.back().position.x = 18.5;
  folder.add(dying, "dying.json");
  StoredLevel far = tower("far");  // behind a wall up to the sky, right before the slingshot
  far.objects.insert(far.objects.begin(),
                     {Kind::platform, "Platform", Material::none, {-10.5, 20}, 0, 1, 80});
  folder.add(far, "far.json");
  write_file(folder.path / "broken.json", "{", {.lasting = false});
  write_file(folder.path / "text.xml", "hello", {.lasting = false});
  StoredLevel unknown_width = tower("wide");
  unknown_width.width = 101;
  folder.add(unknown_width, "wide.json");

  std::vector<fs::path> files = find_level_files({folder.path});
  files.push_back(folder.path / "." / "a-good.json");
  const PlacedSet set = place_levels(files, profile(), {.novelty = "T2", .work = {.threads = 2}});
  CHECK(names(set) == std::vector<std::string>{"a-good"});
  CHECK(counted(set.left_out) == "no level 3, given twice 1, no birds 1, no pigs 2, no target 1");
  for (const LeftOutLevel& level : set.left_out)
    CHECK(level.error.empty() == (level.reason != LeftOut::no_level));
  CHECK(counted({}).empty());
  // T3 is about stone: there is none anywhere.
  const PlacedSet none = place_levels(files, profile(), {.novelty = "T3"});
  CHECK(none.levels.empty());
  CHECK(none.computed.empty());
  CHECK(counted(none.left_out) ==
        "no level 3, given twice 1, no birds 1, no pigs 2, not touched by the novelty 2");
  // No novelty is stored with any.
  CHECK(counted(place_levels({files[0]}, profile(), {}).left_out) == "no novelty stored 1");
  CHECK_THROWS_AS(place_levels(files, profile(), {.novelty = "T9"}), Error);
  StoredLevel strange = tower("strange");
  strange.difficulty.emplace().novelty = "T9";
  CHECK(counted(place_levels({folder.add(strange, "strange.json")}, profile(), {}).left_out) == "no level 1");
}

TEST_CASE(
    "[levels] placed: a level without a stored difficulty gets p_level and its tier, as predicted at rest") {
  const Folder folder;
  for (int i = 0; i < 12; ++i)
    folder.add({generate_level(generator_families()[static_cast<std::size_t>(i) % 7], 5,
                               static_cast<std::uint64_t>(i), profile()),
                {}},
               "g" + std::to_string(i) + ".json");
  for (const char* name : {"T1", "T2", "wood-life-down@2", "T2@0.25"}) {
    const Novelty& novelty = find_novelty(name);
    const PlacedSet set = place_levels(find_level_files({folder.path}), profile(), {.novelty = name});
    REQUIRE(set.levels.size() >= 6);
    std::vector<double> values;
    for (const PlacedLevel& level : set.levels) {
      const double p_level = predict_level(level.rest, novelty).p_level;
      INFO(name << " " << level.name << " " << p_level);
      CHECK(level.difficulty == stored_p_level(name, p_level));
      CHECK(level.tier == startle::name(tier_of(p_level)));
      CHECK(check_difficulty(*level.difficulty, novelty, settle(make_scene(level.level, profile()))).empty());
      values.push_back(1 - p_level);
    }
    const ComputedDifficulty& computed = set.computed.at(name);
    CHECK(computed.source == DifficultySource::p_level);
    CHECK(computed.values == values);
    CHECK_FALSE(computed.thirds);
  }
}

TEST_CASE(
    "[levels] placed: with thirds asked for, levels without a stored difficulty are divided by their values, "
    "and what is stored stays") {
  const Folder folder;
  for (int birds = 1; birds <= 6; ++birds)
    folder.add(tower("t" + std::to_string(birds), birds), "t" + std::to_string(birds) + ".json");
  StoredLevel apart = tower("u", 2);  // its only wood, which is what changes, lies behind the pig's platform,
                                      // out of reach
  apart.objects = {{Kind::platform, "Platform", Material::none, {6, -2.9}, 0, 1, 10},
                   {Kind::platform, "Platform", Material::none, {9, 0.6}, 0, 10, 1},
                   {Kind::block, "SquareSmall", Material::wood, {9, -3.2}, 0},
                   {Kind::pig, "BasicSmall", Material::none, {2, -3.2}, 0}};
  folder.add(apart, "u.json");
  const std::vector<fs::path> files = find_level_files({folder.path});
  const PlacedSet set = place_levels(files, profile(), {.novelty = "T2", .thirds = true});
  REQUIRE(set.levels.size() == 7);
  REQUIRE(set.computed.size() == 1);
  const ComputedDifficulty& of_set = set.computed.at("T2");
  CHECK(of_set.source == source_of(third_method));
  std::vector<double> values;
  for (const PlacedLevel& level : set.levels) {
    const StoredDifficulty& difficulty = level.difficulty.value();
    INFO(level.name << " " << difficulty.value);
    const Difficulty computed = compute_difficulty(level.rest, find_novelty("T2"), {.method = third_method});
    CHECK(difficulty.value == computed.value);
    CHECK(difficulty.source == source_of(third_method));
    CHECK(level.tier == name(third_of(computed.value, of_set.thirds.value())));
    CHECK_FALSE(difficulty.tier);
    CHECK((difficulty.value == 1) == (level.name == "u"));
    values.push_back(computed.value);
  }
  CHECK(of_set.values == values);
  CHECK(of_set.thirds == third_thresholds(values, 0.5));  // the one of value 1 counts
  // Without thirds all have tiers.
  const PlacedSet plain = place_levels(files, profile(), {.novelty = "T2"});
  REQUIRE(plain.levels.size() == 7);
  for (const PlacedLevel& level : plain.levels) CHECK(level.tier == name(tier_of(level.difficulty->p_level)));

  // A set with its difficulties stored is placed as it is stored, whatever else is in the folder.
  const Folder stored;
  for (const PlacedLevel& level : set.levels) {
    StoredLevel with = level.level;
    with.difficulty = level.difficulty;
    if (level.name == "t1") with.difficulty = stored_p_level("T2", 0.75);
    stored.add(with, level.name + ".json");
  }
  stored.add(tower("v", 3), "v.json");
  const PlacedSet again = place_levels(find_level_files({stored.path}), profile(), {});
  CHECK(again.levels.size() == 7);
  CHECK(again.computed.empty());
  CHECK(counted(again.left_out) == "no novelty stored 1");
  for (std::size_t i = 0; i < again.levels.size(); ++i)
    CHECK(again.levels[i].tier == (again.levels[i].name == "t1" ? "easy" : set.levels[i].tier));
  const PlacedSet mixed = place_levels(find_level_files({stored.path}), profile(),
                                       {.novelty = "T2", .thirds = true});
  CHECK(mixed.levels.back().tier == "middle");  // among itself alone
  CHECK(mixed.computed.at("T2").values.size() == 1);
  // Of another novelty nothing is stored.
  CHECK(place_levels(find_level_files({stored.path}), profile(), {.novelty = "wood-density-up"})
            .computed.at("wood-density-up")
            .values.size() > 1);

  // So many of each tier or third, the first ones.
  for (const PlacedSet& limited :
       {place_levels(find_level_files({stored.path}), profile(), {.limit = 1}),
        place_levels(files, profile(), {.novelty = "T2", .limit = 1, .thirds = true})}) {
    std::set<std::string> tiers;
    for (const PlacedLevel& level : limited.levels) CHECK(tiers.insert(level.tier).second);
    CHECK(tiers.contains("high"));
  }
  std::set<std::string> all, of_one;
  for (const PlacedLevel& level : plain.levels) all.insert(level.tier);
  const PlacedSet one = place_levels(files, profile(), {.novelty = "T2", .limit = 1});
  for (const PlacedLevel& level : one.levels) CHECK(of_one.insert(level.tier).second);
  CHECK(of_one == all);
}

TEST_CASE("[levels] placed: what reasoning does not predict p_level of has a value, and no tier") {
  const Folder folder;
  folder.add(tower("a"), "a.json");
  const PlacedSet set = place_levels(find_level_files({folder.path}), profile(), {.novelty = "pigs-jump"});
  REQUIRE(set.levels.size() == 1);
  CHECK(set.computed.at("pigs-jump").source == DifficultySource::simulated);
  CHECK(set.levels[0].tier.empty());
  CHECK_FALSE(set.levels[0].difficulty->tier);
}

TEST_CASE("[levels] placed: levels that share a name are distinguished by their folders, or by their files") {
  const Folder folder;
  for (const char* file :
       {"one/level-01.json", "two/level-01.json", "two/deep/level-01.json", "two/level-02.json"})
    folder.add(tower(fs::path(file).stem().string()), file);
  folder.add(tower("same"), "two/x.json");
  folder.add(tower("same"), "two/y.json");
  const PlacedSet set = place_levels(find_level_files({folder.path}), profile(), {.novelty = "T2"});
  CHECK(names(set) == std::vector<std::string>{"one-level-01", "deep-level-01", "two-level-01", "level-02",
                                               "x.json", "y.json"});
  for (const PlacedLevel& level : set.levels) CHECK(level.level == read_level(level.file));
  CHECK(distinct_names({"a", "a", "b-a"}, {"/b/a.xml", "/c/a.xml", "/d/b-a.xml"}) ==
        std::vector<std::string>{"b-a", "c-a", "d-b-a"});
}

TEST_CASE("[levels] placed: threads do not matter, and an end before the end gives what is done") {
  const Folder folder;
  for (int i = 0; i < 6; ++i)
    folder.add(tower("t" + std::to_string(i), 1 + i % 3, i), "t" + std::to_string(i) + ".json");
  const std::vector<fs::path> files = find_level_files({folder.path});
  const PlacedSet one = place_levels(files, profile(), {.novelty = "T1", .work = {.threads = 1}}),
                  three = place_levels(files, profile(), {.novelty = "T1", .work = {.threads = 3}});
  CHECK(names(one) == names(three));
  CHECK(one.computed.at("T1").values == three.computed.at("T1").values);
  for (std::size_t i = 0; i < one.levels.size(); ++i)
    CHECK(one.levels[i].difficulty == three.levels[i].difficulty);
  int asked = 0;
  const PlacedSet ended = place_levels(
      files, profile(), {.novelty = "T1", .work = {.threads = 1, .keep_going = [&] { return ++asked < 9; }}});
  CHECK(ended.levels.size() < 6);
  CHECK(ended.left_out.empty());
}

TEST_CASE("[levels] placed: real level files are placed or left out, each of them") {
  const char* folder = std::getenv("STARTLE_LEVELS");
  if (folder == nullptr) {
    TEST_IS_SKIPPED("STARTLE_LEVELS names no folder of real level files");
    return;
  }
  const std::vector<fs::path> files = find_level_files({folder});
  for (const char* novelty : {"T1", "T3"}) {
    const PlacedSet set = place_levels(files, profile(), {.novelty = novelty});
    CHECK(set.levels.size() + set.left_out.size() == files.size());
    std::set<std::string> distinct;
    for (const PlacedLevel& level : set.levels) {
      CHECK(level.difficulty.has_value());
      CHECK(level.rest.pigs_left() > 0);
      distinct.insert(level.name);
    }
    CHECK(distinct.size() == set.levels.size());
  }
}
