// A level is a set of objects: the order in which its file lists them changes nothing that difficulty says.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <regex>

#include "core/random.hpp"
#include "difficulty/explain.hpp"
#include "levels/generators.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"
#include "simulated/simulated_difficulty.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// Everything that explain says, without the numbers of objects, which are those of the file.
std::string figures(const Scene& scene, const Novelty& novelty, Method method) {
  static const std::regex number("#[0-9]+");
  const Difficulty difficulty = compute_difficulty(scene, novelty, {.method = method});
  char values[200];
  std::snprintf(values, sizeof values, "%a %a %a %a\n", difficulty.pid, difficulty.bid, difficulty.value,
                difficulty.value_error);
  return values + std::regex_replace(explain_text(scene, novelty, difficulty), number, "#");
}

Scene settled(const Level& level) { return settle(make_scene(level, profile())); }

void check_order(const Level& level, const Novelty& novelty, Random& random) {
  const Scene scene = settled(level);
  Level mirrored = level, shuffled = level;
  std::reverse(mirrored.objects.begin(), mirrored.objects.end());
  random.shuffle(shuffled.objects);
  const Scene other = settled(mirrored), another = settled(shuffled);
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const Pose &a = scene.objects[i].pose, &b = other.objects[scene.objects.size() - 1 - i].pose;
    REQUIRE((a.position == b.position && a.angle == b.angle));
  }
  for (Method method : {Method::published, Method::extended}) {
    INFO(level.name << ", " << novelty.name << ", " << name(method));
    const std::string expected = figures(scene, novelty, method);
    REQUIRE(figures(other, novelty, method) == expected);
    REQUIRE(figures(another, novelty, method) == expected);
  }
}

void check_benchmark(std::size_t every) {
  Random random(5);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(STARTLE_BENCHMARK))
    if (entry.path().extension() == ".json" && entry.path().filename() != "manifest.json")
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() >= 400);
  for (std::size_t i = 0; i < files.size(); i += every) {
    const StoredLevel level = read_level(files[i]);
    REQUIRE(level.difficulty);
    check_order(level, find_novelty(level.difficulty->novelty), random);
  }
}

void check_generated(std::size_t count) {
  Random random(6);
  const std::vector<GeneratorInfo>& families = generator_families();
  const std::vector<Novelty>& novelties = novelty_catalogue();
  for (std::size_t i = 0; i < count; ++i)
    check_order(generate_level(families[i % families.size()], 104, i / families.size(), profile()),
                novelties[i % novelties.size()], random);
}

}  // namespace

TEST_CASE("[levels] order of objects: shuffling and mirroring leaves a sample of the benchmark as it is") {
  check_benchmark(53);
}
TEST_CASE("[levels] order of objects: shuffling and mirroring leaves all levels of the benchmark as they are",
          "[slow]") {
  check_benchmark(1);
}
TEST_CASE("[levels] order of objects: shuffling and mirroring leaves generated levels as they are") {
  check_generated(14);
}
TEST_CASE("[levels] order of objects: shuffling and mirroring leaves a thousand generated levels as they are",
          "[slow]") {
  check_generated(1000);
}

TEST_CASE(
    "[levels] order of objects: a novelty of single objects follows them, and simulated values too are the "
    "same") {
  const Level level = generate_level(generator_families().front(), 104, 1, profile());
  const Scene scene = settled(level);
  Level mirrored = level;
  std::reverse(mirrored.objects.begin(), mirrored.objects.end());
  const Scene other = settled(mirrored);
  for (const std::size_t chosen : {std::size_t{0}, level.objects.size() / 2}) {
    Novelty here{.name = "one",
                 .description = "one object",
                 .rules = {{{}, Parameter::restitution, {ChangeKind::factor, 4}}}};
    Novelty there = here;
    here.rules[0].selector.objects = {chosen};
    there.rules[0].selector.objects = {level.objects.size() - 1 - chosen};
    for (Method method : {Method::published, Method::extended})
      REQUIRE(figures(scene, here, method) == figures(other, there, method));
    const AimNoise noise{.launches = 2};
    const NoisyDifficulty a = noisy_difficulties(scene, {&here}, noise).front(),
                          b = noisy_difficulties(other, {&there}, noise).front();
    CHECK(a.value == b.value);
    CHECK(a.with_novelty.visible == b.with_novelty.visible);
    CHECK(a.without_novelty.visible == b.without_novelty.visible);
  }
}
