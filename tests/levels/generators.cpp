#include "levels/generators.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "levels/level_json.hpp"
#include "levels/level_set.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;

namespace {

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const GeneratorInfo& info : generator_families()) names.push_back(info.name);
  return names;
}

int count_of(const Level& level, Kind kind) {
  return static_cast<int>(std::count_if(level.objects.begin(), level.objects.end(),
                                        [&](const LevelObject& o) { return o.kind == kind; }));
}

/// What every generated level must keep, checked on the level as its file gives it.
void check_level(const std::string& text, const std::string& family,
                 const std::shared_ptr<const Profile>& world) {
  const StoredLevel level = level_from_json(text, "generated.json");
  INFO(level.name);
  CHECK(level_to_json(level) == text);
  CHECK(validate(level, *world).errors.empty());
  CHECK(validate(level, *world).warnings.empty());

  const VerificationOptions bounds;
  REQUIRE(level.provenance);
  CHECK(level.provenance->family == family);
  CHECK(level.provenance->profile == world->name);
  CHECK(count_of(level, Kind::pig) >= 1);
  CHECK(count_of(level, Kind::block) >= 1);
  CHECK(level.objects.size() >= least_objects);
  CHECK(level.objects.size() <= most_objects);
  CHECK(level.birds.size() >= 2);
  CHECK(level.birds.size() <= 5);

  const Scene placed = make_scene(level, world);
  for (const SceneObject& object : placed.objects) {
    const Bounds box = object.world_bounds();
    CHECK(box.xmin >= -placed.half_width);
    CHECK(box.xmax <= placed.half_width);
    CHECK(box.ymin >= world->ground_y - 0.02);
  }
  // Stable: settling moves nothing further than promised, and nothing dies of it.
  const SettleResult settled = settle_scene(placed);
  CHECK(settled.settled);
  CHECK(settled.shift == level.provenance->settle_shift);
  CHECK(settled.shift <= bounds.resettle_shift);
  CHECK(settled.turn <= bounds.resettle_turn);
  CHECK(std::all_of(settled.scene.objects.begin(), settled.scene.objects.end(),
                    [](const SceneObject& o) { return o.alive; }));
  // Solvable: the stored shots clear it, and not one of them is needless.
  REQUIRE(level.provenance->solution.size() <= level.birds.size());
  CHECK(play(settled.scene, level.provenance->solution).cleared);
  const std::vector<Shot> shorter(level.provenance->solution.begin(), level.provenance->solution.end() - 1);
  CHECK_FALSE(play(settled.scene, shorter).cleared);
}

/// The battery every family passes.
void check_generator(const std::string& family, int count, std::uint64_t seed,
                     const std::string& profile_name = "startle") {
  INFO("family " << family << ", seed " << seed);
  const auto world = profile(profile_name);
  std::vector<int> reported;
  const std::vector<Level> levels = generate_levels(family, count, seed, world, 1,
                                                    [&](int done) { reported.push_back(done); });
  const std::vector<Level> again = generate_levels(family, count, seed, world, 4);
  REQUIRE(static_cast<int>(levels.size()) == count);
  REQUIRE(again.size() == levels.size());
  REQUIRE(static_cast<int>(reported.size()) == count);
  CHECK(reported.back() == count);
  std::set<std::string> layouts;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::string text = level_to_json({levels[i], {}});
    CHECK(level_to_json({again[i], {}}) == text);
    CHECK(levels[i].name == level_set_member(family, seed, i));
    check_level(text, family, world);
    layouts.insert(text.substr(text.find("objects")));
  }
  CHECK(layouts.size() == levels.size());
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("[levels] generators: two families give verified levels, the same for any number of threads") {
  check_generator("dominoes", 4, 11);
  check_generator("pyramids", 4, 11);
}

TEST_CASE("[levels] generators: each family gives verified levels, the same for any number of threads",
          "[slow]") {
  for (const std::string& family : family_names()) check_generator(family, 10, 2024);
}

TEST_CASE("[levels] generators: each family also gives verified levels under the anu and the classic profile",
          "[slow]") {
  for (const std::string& family : family_names()) {
    check_generator(family, 2, 5, "anu");
    check_generator(family, 2, 5, "classic");
  }
}

TEST_CASE("[levels] generators: a level does not depend on how many are made, and seeds differ") {
  const auto world = profile();
  const std::vector<Level> three = generate_levels("towers", 3, 8, world);
  const std::vector<Level> one = generate_levels("towers", 1, 8, world);
  const std::vector<Level> other = generate_levels("towers", 1, 9, world);
  CHECK(level_to_json({one[0], {}}) == level_to_json({three[0], {}}));
  CHECK(one[0].objects != other[0].objects);
}

TEST_CASE("[levels] generators: candidates vary in material, exposure of pigs and size") {
  const auto world = profile();
  for (const GeneratorInfo& info : generator_families()) {
    INFO(info.name);
    Random random(3);
    std::set<Material> materials;
    std::set<std::string> pigs, birds, blocks;
    std::set<std::size_t> sizes;
    for (int i = 0; i < 40; ++i) {
      const Level level = generate_candidate(info, *world, random);
      CHECK(level.objects.size() >= least_objects);
      CHECK(level.objects.size() <= most_objects);
      sizes.insert(level.objects.size());
      birds.insert(level.birds.begin(), level.birds.end());
      for (const LevelObject& o : level.objects) {
        if (o.kind == Kind::block) materials.insert(o.material), blocks.insert(o.type);
        if (o.kind == Kind::pig) pigs.insert(o.type);
      }
    }
    CHECK(materials == std::set{Material::wood, Material::ice, Material::stone});
    CHECK(pigs.size() == 3);
    CHECK(birds.size() == 5);
    CHECK(blocks.size() >= 7);
    CHECK(sizes.size() >= 10);
  }
}

TEST_CASE("[levels] generators: no candidate has overlapping or floating objects") {
  for (const std::string& profile_name : profile_names()) {
    const auto world = profile(profile_name);
    for (const GeneratorInfo& info : generator_families()) {
      INFO(info.name << " under " << profile_name);
      Random random(17);
      for (int i = 0; i < 30; ++i) {
        const LevelProblems problems = validate(generate_candidate(info, *world, random), *world);
        for (const auto& list : {problems.errors, problems.warnings})
          for (const std::string& problem : list)
            if (problem.find("has no ") == std::string::npos)
              FAIL_CHECK(problem);  // no pig, no block: the solution sorts these out
      }
    }
  }
}

TEST_CASE("[levels] generators: row structures stand on both edges of every block") {
  // Under every block of a row level, to the left and to the right of its middle, something carries it: the
  // ground, a block or a platform whose top is within the placement gap of its bottom.
  const auto world = profile();
  Random random(23);
  for (int i = 0; i < 30; ++i) {
    const Scene scene = make_scene(generate_candidate(find_generator("rows"), *world, random), world);
    for (const SceneObject& object : scene.objects) {
      if (object.kind != Kind::block ||
          !(object.type.starts_with("Rect") || object.type.starts_with("Square")))
        continue;
      const Bounds box = object.world_bounds();
      bool left = box.ymin < world->ground_y + 0.02, right = left;
      for (const SceneObject& below : scene.objects) {
        const Bounds other = below.world_bounds();
        if (std::abs(box.ymin - other.ymax - placement_gap) > 1e-9) continue;
        left = left || (other.xmin < box.centre().x && other.xmax > box.xmin);
        right = right || (other.xmax > box.centre().x && other.xmin < box.xmax);
      }
      CHECK(left);
      CHECK(right);
    }
  }
}

TEST_CASE("[levels] generators: an unknown family is answered with those there are") {
  try {
    generate_levels("igloos", 1, 1, profile());
    FAIL("no exception");
  } catch (const Error& error) {
    CHECK_THAT(error.what(),
               Catch::Contains("igloos") && Catch::Contains("castles") && Catch::Contains("mixed"));
  }
  CHECK_THROWS_AS(generate_levels("rows", -1, 1, profile()), Error);
  CHECK(generate_levels("rows", 0, 1, profile()).empty());
}

TEST_CASE("[levels] generators: stopping early keeps the levels begun") {
  int asked = 0;
  const std::vector<Level> levels = generate_levels("dominoes", 10, 4, profile(), 1, {},
                                                    [&] { return asked++ < 2; });
  REQUIRE(levels.size() == 2);
  CHECK(levels[1].provenance->index == 1);
}

TEST_CASE("[levels] solution: why a level cannot be verified is named") {
  const auto world = profile();
  const Level good = generate_levels("pyramids", 1, 1, world)[0];
  CHECK(verify(good, world).verdict == Verdict::verified);

  Level no_pig = good;
  std::erase_if(no_pig.objects, [](const LevelObject& o) { return o.kind == Kind::pig; });
  CHECK(verify(no_pig, world).verdict == Verdict::invalid);

  Level no_bird = good;
  no_bird.birds.clear();
  CHECK(verify(no_bird, world).verdict == Verdict::invalid);

  Level floating = good;
  LevelObject block;
  block.type = "RectSmall";
  block.material = Material::wood;
  block.position = {0, 8};
  floating.objects.push_back(block);
  CHECK(verify(floating, world).verdict == Verdict::unstable);

  // A disc-like block on a slope of a triangle is no matter for the rules alone: it rolls off in simulation,
  // or the rules reject it; it must not be verified.
  Level rolling = good;
  rolling.objects.clear();
  LevelObject pig;
  pig.kind = Kind::pig;
  pig.type = "BasicSmall";
  pig.position = {2, -3.25};
  LevelObject ramp;
  ramp.type = "Triangle";
  ramp.material = Material::stone;
  ramp.position = {0, -3.11};
  LevelObject ball;
  ball.type = "CircleSmall";
  ball.material = Material::stone;
  ball.position = {0.15, -2.72};
  rolling.objects = {pig, ramp, ball};
  const Verdict verdict = verify(rolling, world).verdict;
  CHECK((verdict == Verdict::unstable || verdict == Verdict::moves));
}

TEST_CASE("[levels] level sets: files, manifest and hash agree") {
  const auto world = profile();
  const std::vector<StoredLevel> levels = without_difficulty(generate_levels("platforms", 2, 6, world));
  const testing::Folder scratch;
  const std::filesystem::path folder = scratch.path / "new/deep";
  write_level_set(levels, folder,
                  {.version = "1.2.3", .command = "make them", .seed = 6, .profile = "startle"});

  const auto manifest = nlohmann::json::parse(text_of(folder / "manifest.json"));
  CHECK(manifest["format"] == "startle-level-set");
  CHECK(manifest["program_version"] == "1.2.3");
  CHECK(manifest["command"] == "make them");
  CHECK(manifest["seed"] == 6);
  CHECK(manifest["levels"] == nlohmann::json{"platforms-6-0000.json", "platforms-6-0001.json"});
  std::vector<StoredLevel> read;
  for (const std::string file : manifest["levels"])
    read.push_back(level_from_json(text_of(folder / file), file));
  CHECK(read == levels);
  std::ostringstream hash;
  hash << std::hex << level_set_hash(read);
  CHECK(std::string(16 - hash.str().size(), '0') + hash.str() == manifest["hash"].get<std::string>());

  // The same command's set takes this one's place; what is not the set's stays.
  const std::filesystem::path note = folder / "note.txt";
  write_file(note, "mine");
  write_level_set({levels[0]}, folder,
                  {.version = "1.2.3", .command = "make them", .seed = 6, .profile = "startle"});
  CHECK(std::filesystem::exists(folder / "platforms-6-0000.json"));
  CHECK_FALSE(std::filesystem::exists(folder / "platforms-6-0001.json"));
  CHECK(std::filesystem::exists(note));
  write_file(folder / "manifest.json", "{}");
  CHECK_THROWS_WITH(write_level_set(levels, folder, {}), Catch::Contains("is no manifest of a level set"));

  // The hash sees a change of any level.
  read[1].birds.pop_back();
  CHECK(level_set_hash(read) != level_set_hash(levels));
}

TEST_CASE("[levels] level sets: a folder keeps what the same command did not make") {
  const std::vector<StoredLevel> levels = without_difficulty(generate_levels("platforms", 3, 6, profile()));
  const std::vector<StoredLevel> two(levels.begin(), levels.begin() + 2),
      one(levels.begin(), levels.begin() + 1);
  const auto info = [](const std::string& command) {
    return LevelSetInfo{.version = "1", .command = command, .seed = 6, .profile = "startle"};
  };
  const auto refused = [&](const std::filesystem::path& folder, const std::vector<StoredLevel>& set,
                           const LevelSetInfo& of, const std::string& why) {
    std::map<std::string, std::string> before, after;
    const auto all = [&](auto& files) {
      for (const auto& entry : std::filesystem::directory_iterator(folder))
        files[entry.path().filename().string()] = text_of(entry.path());
    };
    all(before);
    CHECK_THROWS_WITH(write_level_set(set, folder, of), Catch::Contains(why));
    all(after);
    CHECK(before == after);
  };
  const testing::Folder scratch;
  const std::filesystem::path& folder = scratch.path;
  write_level_set(two, folder, info("generate --count 2 --seed 6"));
  const std::string manifest = text_of(folder / "manifest.json");

  // The job goes on, whatever its count, and gives the same bytes.
  write_level_set(levels, folder, info("generate --count 3 --seed 6"));
  write_level_set(two, folder, info("generate --count 2 --seed 6"));
  CHECK(text_of(folder / "manifest.json") == manifest);
  CHECK(scratch.entries() == 3);

  refused(folder, levels, info("generate --count 3 --seed 60"), "holds levels of another command");
  LevelSetInfo files = info("generate --count 2 --seed 6");
  files.from_files = true;
  refused(folder, one, files, "platforms-6-0001.json: is a level of the set that stands there");
  write_file(folder / "platforms-6-0002.json", "mine");
  refused(folder, levels, info("generate --count 3 --seed 6"), "platforms-6-0002.json: is there already");
  write_file(folder / "platforms-6-0001.json", "edited");
  refused(folder, two, info("generate --count 2 --seed 6"), "edited, or taken away");
  std::filesystem::remove(folder / "platforms-6-0001.json");
  refused(folder, two, info("generate --count 2 --seed 6"), "edited, or taken away");
  std::filesystem::remove(folder / "manifest.json");
  refused(folder, two, info("generate --count 2 --seed 6"), "of no level set");
}

TEST_CASE("[levels] level sets: a level's name is no path, and no two levels are one file") {
  std::vector<StoredLevel> levels(5);
  const std::vector<std::string> names{"../../out", "a/b", "a-b", "manifest", ".."};
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i].name = names[i];
  const testing::Folder scratch;
  const std::filesystem::path folder = scratch.path / "deep/set";
  write_level_set(levels, folder, {.version = "1", .command = "c", .profile = "startle"});
  CHECK(level_set_files(folder) ==
        std::vector<std::string>{"-.-..-out.json", "a-b.json", "a-b-2.json", "manifest-2.json", "-..json"});
  CHECK(scratch.entries() == 1);
  for (std::size_t i = 0; i < levels.size(); ++i)
    CHECK(level_from_json(text_of(folder / level_set_files(folder)[i]), "").name == names[i]);
  for (const char* file : {"../x.json", "..", "a/b.json", ""}) {
    write_file(folder / "manifest.json",
               nlohmann::json{{"format", "startle-level-set"}, {"levels", {file}}}.dump());
    CHECK_THROWS_WITH(level_set_files(folder), Catch::Contains("is no manifest of a level set"));
  }
}

TEST_CASE("[levels] level sets: the shipped ones are what their seed gives, byte for byte", "[slow]") {
  const std::filesystem::path data = std::filesystem::path(STARTLE_SOURCE) / "levels" / "data";
  for (const std::string& family : family_names()) {
    INFO(family << "; make the set again with the command in its manifest");
    REQUIRE(std::filesystem::exists(data / family / "manifest.json"));
    const auto manifest = nlohmann::json::parse(text_of(data / family / "manifest.json"));
    const std::vector<Level> levels = generate_levels(family, static_cast<int>(manifest["levels"].size()),
                                                      manifest["seed"], profile(manifest["profile"]));
    REQUIRE(levels.size() >= 8);
    for (const Level& level : levels)
      CHECK(text_of(data / family / (level.name + ".json")) == level_to_json({level, {}}));
  }
}

TEST_CASE("[levels] level sets: a folder that cannot be made is an error") {
  const testing::Folder scratch;
  const std::filesystem::path file = scratch / "not-a-folder";
  std::ofstream(file) << "x";
  CHECK_THROWS_AS(write_level_set({}, file, {}), Error);
  std::filesystem::remove(file);
}

TEST_CASE("[levels] level sets: names are padded to four digits") {
  CHECK(level_set_member("castles", 1, 3) == "castles-1-0003");
  CHECK(level_set_member("rows", 18446744073709551615ULL, 12345) == "rows-18446744073709551615-12345");
}

TEST_CASE("[levels] the documentation lists every family and every parameter that novelties change") {
  const std::filesystem::path source = STARTLE_SOURCE;
  const std::string generators = text_of(source / "docs/generators.md");
  std::string commands = text_of(source / "docs/command-line.md");
  std::replace(commands.begin(), commands.end(), '\n', ' ');
  for (const std::string& family : family_names()) {
    CHECK_THAT(generators, Catch::Contains("\n| " + family + " | "));
    CHECK_THAT(generators, Catch::Contains(" levels/generate_" + family + ".cpp |"));
    CHECK(std::filesystem::exists(source / "levels" / ("generate_" + family + ".cpp")));
  }
  CHECK_THAT(commands, Catch::Contains("one of " + listed(family_names())));
  std::vector<std::string> parameters;
  for (const ParameterInfo& info : parameter_table) parameters.push_back(info.name);
  CHECK_THAT(commands, Catch::Contains("one of " + listed(parameters)));
}
