#include "levels/search.hpp"

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/error.hpp"
#include "core/files.hpp"
#include "levels/level_json.hpp"
#include "levels/level_set.hpp"
#include "sim/world.hpp"
#include "simulated/simulated_difficulty.hpp"
#include "simulated/twin.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"
#include "tests/levels/level_samples.hpp"

using namespace startle;

namespace {

ValueGoal range_goal(const std::string& novelty, double least, double most, double weight = 0.5) {
  return {.measure = {&find_novelty(novelty), Method::published, weight}, .least = least, .most = most};
}

std::vector<std::string> texts(const std::vector<StoredLevel>& levels) {
  std::vector<std::string> result;
  for (const StoredLevel& level : levels) result.push_back(level_to_json(level));
  return result;
}

/// What a level must keep, as its file gives it: verified, stored difficulty as computed now, and as asked
/// for.
void check_found(const StoredLevel& found, const SearchGoal& goal) {
  const StoredLevel level = level_from_json(level_to_json(found), "found.json");
  INFO(level.name);
  REQUIRE(level == found);
  REQUIRE(level.provenance);
  REQUIRE(level.difficulty);
  const SettleResult settled = settle_scene(make_scene(level, profile()));
  CHECK(settled.shift == level.provenance->settle_shift);
  CHECK(settled.shift <= VerificationOptions{}.resettle_shift);
  CHECK(level.provenance->solution.size() <= level.birds.size());
  CHECK((level.birds.size() >= static_cast<std::size_t>(least_birds) &&
         level.birds.size() <= static_cast<std::size_t>(most_birds)));
  CHECK(play(settled.scene, level.provenance->solution).cleared);

  const StoredDifficulty& stored = *level.difficulty;
  const Novelty& novelty = *novelty_of(goal);
  const auto [least, most] = range_of(goal);
  CHECK(stored.novelty == novelty.name);
  CHECK(stored.source == source_of(goal));
  CHECK(stored.tier == (source_of(goal) == DifficultySource::p_level ? std::optional(tier_of(stored.p_level))
                                                                     : std::nullopt));
  CHECK(anything_novel(novel_twin(settled.scene, novelty)));
  CHECK(check_difficulty(stored, novelty, settled.scene).empty());
  if (const auto* value = std::get_if<ValueGoal>(&goal)) {
    const Difficulty now = compute_difficulty(settled.scene, novelty,
                                              {.alpha = value->measure.alpha, .method = Method::published});
    CHECK(stored.pid == now.pid);
    CHECK(stored.bid == now.bid);
    CHECK(stored.value == now.value);
    CHECK((now.value >= least && now.value <= most));
    return;
  }
  const PredictedLevel now = predict_level(settled.scene, novelty);
  CHECK(stored.p_level == now.p_level);
  CHECK(stored.version == played_level_version);
  CHECK((now.p_level >= least && now.p_level <= most));
  CHECK(now.max_p_detected >= min_max_p_detected);
  CHECK((now.shots >= min_shots && now.shots <= max_shots));
}

int sum(const SearchCounts& counts, std::size_t levels) {
  return static_cast<int>(levels) + counts.unfit + counts.unstable + counts.unsolved +
         counts.near_duplicates + counts.surplus;
}

}  // namespace

TEST_CASE("[levels] search: levels of each tier are verified, and as hard as asked for") {
  for (const auto& [novelty, count] : {std::pair{"T2", 2}, std::pair{"wood-life-down@2", 1}}) {
    const Novelty& of = find_novelty(novelty);
    for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard}) {
      const SearchGoal goal = goal_of(of, tier);
      const SearchResult found = search_levels(goal, {.count = count, .seed = 7}, profile());
      REQUIRE(found.levels.size() == static_cast<std::size_t>(count));
      for (const StoredLevel& level : found.levels) {
        check_found(level, goal);
        CHECK(level.difficulty->tier == tier);
        const auto [min, max] = made_for(tier);
        CHECK((level.difficulty->p_level >= min && level.difficulty->p_level <= max));
        CHECK(level.name ==
              level_set_member(std::string(novelty) + "-" + name(tier), 7, level.provenance->index));
      }
      CHECK(sum(found.counts, found.levels.size()) == found.counts.candidates);
    }
  }
}

TEST_CASE(
    "[levels] search: a range of p_level may lie across tiers, and levels have the tier that they come to") {
  const SearchGoal goal = PLevelGoal{&find_novelty("T2"), {0.2, 0.4}};
  const SearchResult found = search_levels(goal, {.count = 3, .seed = 3}, profile());
  REQUIRE(found.levels.size() == 3);
  for (const StoredLevel& level : found.levels) {
    check_found(level, goal);
    CHECK(level.name.starts_with("T2-p_level-0.2-0.4-3-"));
  }
}

TEST_CASE(
    "[levels] search: levels of all goals have the numbers of birds, and the thirds of objects, nearly "
    "equally often") {
  for (const SearchGoal& goal :
       {SearchGoal(goal_of(find_novelty("T2"), Tier::medium)), SearchGoal(range_goal("T1", 0, 0.25)),
        SearchGoal(range_goal("T1", 0.35, 0.55)), SearchGoal(range_goal("T1", 0.65, 0.99))}) {
    const SearchResult found = search_levels(goal, {.count = 7, .seed = 2}, profile());
    REQUIRE(found.levels.size() == 7);
    std::map<std::size_t, int> birds;
    for (const StoredLevel& level : found.levels) ++birds[level.birds.size()];
    REQUIRE(birds.size() == 3);
    for (const auto& [number, count] : birds) CHECK((count >= 1 && count <= 3));
    int thirds[3] = {};
    for (const StoredLevel& level : found.levels) ++thirds[object_third(level.objects.size())];
    CHECK(*std::max_element(std::begin(thirds), std::end(thirds)) -
              *std::min_element(std::begin(thirds), std::end(thirds)) <=
          2);
  }
}

TEST_CASE("[levels] search: a family that makes levels of one size alone finds as many as are wanted") {
  const SearchResult found = search_levels(range_goal("T2", 0, 1),
                                           {.family = "dominoes", .count = 6, .seed = 3}, profile());
  CHECK(found.levels.size() == 6);
}

TEST_CASE("[levels] search: a range holds for the measure that is asked for") {
  for (double alpha : {0.0, 0.5, 1.0}) {
    const SearchGoal goal = range_goal("T1", 0.3, 0.5, alpha);
    const SearchResult found = search_levels(goal, {.family = "castles", .count = 3, .seed = 2}, profile());
    REQUIRE(found.levels.size() == 3);
    for (const StoredLevel& level : found.levels) {
      check_found(level, goal);
      CHECK(level.provenance->family == "castles");
    }
  }
}

TEST_CASE("[levels] search: by the extended method levels have the difficulty that it gives") {
  ValueGoal goal = range_goal("T1", 0.05, 0.4);
  goal.measure.method = Method::extended;
  const SearchResult found = search_levels(goal, {.count = 3, .seed = 2}, profile());
  REQUIRE(found.levels.size() == 3);
  for (const StoredLevel& level : found.levels) {
    const Scene scene = settle(make_scene(level, profile()));
    const Difficulty now = compute_difficulty(scene, *goal.measure.novelty, {.method = Method::extended});
    CHECK(level.difficulty->source == DifficultySource::extended);
    CHECK(level.difficulty->pid == now.pid);
    CHECK(level.difficulty->bid == now.bid);
    CHECK(now.value >= goal.least);
    CHECK(now.value <= goal.most);
    CHECK(check_difficulty(*level.difficulty, find_novelty(level.difficulty->novelty), scene).empty());
  }
}

TEST_CASE("[levels] search: the result depends neither on threads nor on how many levels are wanted") {
  const SearchGoal goal = range_goal("T2", 0.4, 0.7);
  const SearchResult one = search_levels(goal, {.count = 6, .seed = 3, .threads = 1}, profile());
  const SearchResult four = search_levels(goal, {.count = 6, .seed = 3, .threads = 4}, profile());
  const SearchResult fewer = search_levels(goal, {.count = 3, .seed = 3, .threads = 3}, profile());
  const SearchResult other = search_levels(goal, {.count = 3, .seed = 4, .threads = 3}, profile());
  REQUIRE(one.levels.size() == 6);
  CHECK(texts(four.levels) == texts(one.levels));
  CHECK(four.counts.candidates == one.counts.candidates);
  CHECK(four.counts.mutations == one.counts.mutations);
  CHECK(four.counts.unfit == one.counts.unfit);
  CHECK(four.counts.surplus == one.counts.surplus);
  CHECK(one.counts.surplus > 0);  // some were passed over
  CHECK(four.diversity.mean == one.diversity.mean);
  CHECK(texts(fewer.levels) == texts({one.levels.begin(), one.levels.begin() + 3}));
  for (const StoredLevel& level : other.levels)
    for (const StoredLevel& known : one.levels) CHECK(level.objects != known.objects);
}

TEST_CASE("[levels] search: all families take turns") {
  const SearchResult found = search_levels(range_goal("T3", 0, 1), {.count = 14, .seed = 1}, profile());
  REQUIRE(found.levels.size() == 14);
  for (const StoredLevel& level : found.levels)
    CHECK(level.provenance->family ==
          generator_families()[level.provenance->index % generator_families().size()].name);
}

TEST_CASE("[levels] search: levels too near to one found before are refused and counted") {
  const SearchOptions options{.family = "towers", .count = 8, .seed = 1, .least_distance = 0.5};
  const SearchResult found = search_levels(range_goal("T1", 0, 0.5), options, profile());
  REQUIRE(found.levels.size() == 8);
  CHECK(found.counts.near_duplicates > 0);
  CHECK(found.diversity.least >= 0.5);
  CHECK(sum(found.counts, 8) == found.counts.candidates);
}

TEST_CASE("[levels] search: what cannot be found ends with the budget, and the levels found are kept") {
  // No level has a value this near to 1 but not 1: with at most five birds and at most fifty targets PID is 1
  // or at most 249/250.
  const SearchResult none = search_levels(range_goal("T1", 0.999, 0.9999), {.count = 2, .candidates = 15},
                                          profile());
  CHECK(none.levels.empty());
  CHECK(none.counts.candidates == 15);
  CHECK(none.counts.unfit == 15);

  const SearchResult some = search_levels(range_goal("T1", 0, 0.5), {.count = 100, .candidates = 6},
                                          profile());
  CHECK(some.counts.candidates == 6);
  CHECK_FALSE(some.levels.empty());
  CHECK(sum(some.counts, some.levels.size()) == 6);
  CHECK(default_candidates(1) == 4000);
  CHECK(default_candidates(50) == 20000);
}

TEST_CASE("[levels] search: stopping early keeps what the candidates begun have given") {
  int asked = 0;
  std::vector<std::pair<std::size_t, int>> reported;
  const SearchResult found = search_levels(
      range_goal("T1", 0, 0.9), {.count = 50, .seed = 1, .threads = 1}, profile(),
      [&](std::size_t levels, int candidates) { reported.emplace_back(levels, candidates); },
      [&] { return asked++ < 5; });
  CHECK(found.counts.candidates == 5);
  CHECK_FALSE(found.levels.empty());
  REQUIRE(reported.size() == 5);
  CHECK(reported.back() == std::pair{found.levels.size(), 5});
}

TEST_CASE("[levels] search: how far a difficulty is from a goal, by hand") {
  const auto far = [](const PLevelGoal& goal, double p_level, double max_p_detected, double shots = 2) {
    return distance_to(goal,
                       PredictedLevel{.p_level = p_level, .shots = shots, .max_p_detected = max_p_detected});
  };
  const PLevelGoal medium = goal_of(find_novelty("T1"), Tier::medium),
                   hard = goal_of(find_novelty("T1"), Tier::hard),
                   easy = goal_of(find_novelty("T1"), Tier::easy);
  for (const double fits : {0.4, 0.5, 0.6}) CHECK(far(medium, fits, 0.3) == 0);
  CHECK(far(medium, 0.3, 1) == Approx(0.1));
  CHECK(far(medium, 0.9, 1) == Approx(0.3));
  CHECK(far(medium, std::nextafter(0.6, 1), 1) > 0);
  CHECK(far(medium, std::nextafter(0.4, 0), 1) > 0);
  // A level in which no shot has a fair chance of being detected fits nothing.
  CHECK(far(medium, 0.5, 0.1) == Approx(0.2));
  CHECK(far(medium, 0.3, 0.2) == Approx(0.2));
  CHECK(far(hard, 0.05, 0) == Approx(0.3));
  // Nor does one whose plays are short or long.
  CHECK((far(hard, 0.1, 1, 1.5) == 0 && far(hard, 0.1, 1, 3) == 0));
  CHECK(far(hard, 0.1, 1, 1) == Approx(0.5 / 5));
  CHECK(far(easy, 0.9, 1, 4) == Approx(1.0 / 5));
  CHECK((far(hard, 0, 0.3) == 0 && far(hard, 0.15, 0.3) == 0 && far(hard, 0.16, 0.3) > 0));
  CHECK((far(easy, 1, 0.3) == 0 && far(easy, 0.85, 0.3) == 0 && far(easy, 0.84, 0.3) > 0));

  const auto away = [](const ValueGoal& goal, double pid, double bid, std::size_t novel = 1) {
    return distance_to(goal, Measured{{.pid = pid, .bid = bid}, novel});
  };
  CHECK(away(range_goal("T1", 0.2, 0.6), 0.4, 0.4) == 0);
  CHECK(away(range_goal("T1", 0.2, 0.6), 0.1, 0.1) == Approx(0.1));
  CHECK(away(range_goal("T1", 0.2, 0.6), 0.9, 0.7) == Approx(0.2));
  CHECK(away(range_goal("T1", 0.2, 0.6), 0.4, 0.4, 0) == 2);  // nothing is novel
  // No shot makes it visible: fits a range that ends with 1, and no other.
  CHECK(away(range_goal("T1", 0.5, 1), 1, 1) == 0);
  CHECK(away(range_goal("T1", 0.5, 0.99), 1, 1) == 1);
  CHECK(away(range_goal("T1", 0.5, 0.99, 0), 1, 0.7) == 1);
  CHECK(away(range_goal("T1", 0.1, 0.1, 1), 0.1, 0.9) == 0);
  CHECK(away(range_goal("T1", 0.9, 0.9, 0), 0.1, 0.9) == 0);
}

TEST_CASE("[levels] search: a distance up to the limit is exact, and a larger one is known to be larger") {
  Random random(4);
  int within = 0, beyond = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    const GeneratorInfo& family = generator_families()[i % generator_families().size()];
    const Scene scene = make_scene(generate_candidate(family, *profile(), random), profile());
    for (const char* novelty : {"T1", "T2", "ice-friction-down"})
      for (const Tier tier : {Tier::easy, Tier::hard}) {
        const SearchGoal goal = goal_of(find_novelty(novelty), tier);
        const double distance = assess(goal, scene).distance;
        for (const double limit : {0.0, 0.1, 0.3, distance, 2.0}) {
          const double up_to = assess(goal, scene, limit).distance;
          if (distance <= limit)
            CHECK(up_to == distance);
          else
            CHECK(up_to > limit);
          ++(distance <= limit ? within : beyond);
        }
      }
  }
  CHECK(within > 100);
  CHECK(beyond > 100);
}

TEST_CASE("[levels] search: names say novelty, method, measure and goal") {
  CHECK(goal_name(goal_of(find_novelty("T3"), Tier::hard)) == "T3-hard");
  CHECK(goal_name(goal_of(find_novelty("T1@2"), Tier::easy)) == "T1@2-easy");
  CHECK(goal_name(PLevelGoal{&find_novelty("T3"), {0.2, 0.4}}) == "T3-p_level-0.2-0.4");
  CHECK(goal_name(range_goal("T3", 0.55, 0.65)) == "T3-0.55-0.65");
  CHECK(goal_name(range_goal("T3", 0, 1, 1)) == "T3-pid-0-1");
  ValueGoal goal = range_goal("T3", 0, 0.2, 0);
  goal.measure.method.reset();
  CHECK(goal_name(goal) == "T3-simulated-bid-0-0.2");
  const StoredLevel level =
      search_levels(range_goal("T3", 0, 1), {.count = 1, .seed = 9}, profile()).levels.at(0);
  CHECK(level.name == level_set_member("T3-0-1", 9, level.provenance->index));
}

TEST_CASE("[levels] search: goals that make no sense are errors") {
  const auto search = [](const SearchGoal& goal, const SearchOptions& options = {.count = 1}) {
    std::ignore = search_levels(goal, options, profile());
  };
  require_error([&] { search({}); }, {"novelty"});
  require_error([&] { search(range_goal("T1", 0.6, 0.5)); }, {"0.6:0.5", "smaller one first"});
  require_error([&] { search(range_goal("T1", -0.1, 0.5)); }, {"-0.1:0.5"});
  require_error([&] { search(range_goal("T1", 0, 1, 1.5)); }, {"alpha", "1.5"});
  require_error(
      [&] {
        search(PLevelGoal{&find_novelty("T1"), {0.6, 0.5}});
      },
      {"0.6:0.5", "smaller one first"});
  require_error([&] { search(PLevelGoal{&find_novelty("T1"), {0, 1.5}}); }, {"0:1.5"});
  CHECK_THROWS_AS(require_goal(goal_of(find_novelty("pigs-jump"), Tier::easy)), Error);  // not covered
  require_error([&] { search(range_goal("T1", 0, 1), {.family = "igloos"}); }, {"igloos"});
  require_error([&] { search(range_goal("T1", 0, 1), {.count = -1}); }, {"-1"});
  // Wood does not bounce under this profile, so four times as much changes nothing.
  require_error([&] { return search_levels(range_goal("T2", 0, 1), {}, profile("anu")); },
                {"T2", "changes nothing", "anu"});
}

TEST_CASE("[levels] search: a stored difficulty that does not hold is reported with both values") {
  const StoredLevel level = search_levels(range_goal("T1", 0, 0.9), {.count = 1}, profile()).levels.at(0);
  const Scene scene = settle(make_scene(level, profile()));
  const auto wrong_of = [&](const StoredDifficulty& stored) {
    return check_difficulty(stored, find_novelty(stored.novelty), scene);
  };
  StoredDifficulty stored = *level.difficulty;
  CHECK(wrong_of(stored).empty());
  stored.pid = 0.123;
  CHECK_THAT(wrong_of(stored), Catch::StartsWith("PID stored 0.123, computed "));
  stored = *level.difficulty;
  stored.third = PlacedThird{Third::high, {0.95, 0.96, 100, 0.5}};
  CHECK(wrong_of(stored) == "third stored high, computed low");
  stored = *level.difficulty;
  stored.alpha = 1;
  stored.value = stored.pid;
  CHECK(wrong_of(stored).empty());
  stored.novelty = "T9";
  CHECK_THROWS_AS(wrong_of(stored), Error);

  const StoredDifficulty predicted = stored_p_level("T1", predict_level(scene, find_novelty("T1")).p_level);
  CHECK(wrong_of(predicted).empty());
  stored = predicted;
  stored.measured = {{"best-target", 8, 1 - stored.p_level, 0, 1}};  // not compared: plays are drawn
  CHECK(wrong_of(stored).empty());
  stored.version = played_level_version + 1;
  CHECK(wrong_of(stored) == "version stored " + std::to_string(played_level_version + 1) + ", computed " +
                                std::to_string(played_level_version));
  stored = predicted;
  stored.tier = predicted.tier == Tier::hard ? Tier::easy : Tier::hard;
  CHECK(wrong_of(stored) ==
        "tier stored " + std::string(name(*stored.tier)) + ", computed " + name(*predicted.tier));
  stored = predicted;
  stored.p_level = 0.123;
  CHECK_THAT(wrong_of(stored), Catch::StartsWith("p_level stored 0.123, computed "));
}

TEST_CASE("[levels] search: simulated difficulty is that of twin simulation", "[slow]") {
  ValueGoal goal = range_goal("T1", 0.05, 0.5);
  goal.measure.method.reset();
  const SearchResult found = search_levels(goal, {.count = 2, .seed = 1}, profile());
  REQUIRE(found.levels.size() == 2);
  for (const StoredLevel& level : found.levels) {
    const Scene scene = settle(make_scene(level, profile()));
    const SimulatedDifficulty now = simulated_difficulty(scene, *goal.measure.novelty);
    CHECK(level.difficulty->source == DifficultySource::simulated);
    CHECK(level.difficulty->pid == now.pid);
    CHECK(level.difficulty->bid == now.bid);
    CHECK(now.value >= goal.least);
    CHECK(now.value <= goal.most);
    CHECK(check_difficulty(*level.difficulty, find_novelty(level.difficulty->novelty), scene).empty());
  }
}

TEST_CASE(
    "[levels] level sets: made at a set difficulty they say goal and diversity, and thirds where divided") {
  const testing::Folder scratch;
  const Diversity figures{.mean = 0.6, .least = 0.3, .nearest = 0.4};
  const auto manifest_of = [&](const SearchGoal& goal, const std::optional<ThirdThresholds>& thirds = {}) {
    const std::filesystem::path folder = scratch.path / goal_name(goal);
    write_level_set({}, folder,
                    {.version = "1",
                     .command = "c",
                     .seed = 1,
                     .profile = "startle",
                     .goal = goal,
                     .thirds = thirds,
                     .diversity = figures});
    return nlohmann::json::parse(read_file(folder / "manifest.json"));
  };
  for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard}) {
    const auto manifest = manifest_of(goal_of(find_novelty("T3"), tier));
    const auto [min, max] = made_for(tier);
    CHECK(manifest["difficulty"] ==
          nlohmann::json{
              {"novelty", "T3"}, {"method", "p_level"}, {"tier", name(tier)}, {"range", {min, max}}});
    CHECK(manifest["diversity"] == nlohmann::json{{"mean", 0.6}, {"least", 0.3}, {"nearest", 0.4}});
    CHECK_FALSE(manifest.contains("thresholds"));
  }
  CHECK(manifest_of(PLevelGoal{&find_novelty("T3@2"), {0.2, 0.4}})["difficulty"] ==
        nlohmann::json{{"novelty", "T3@2"}, {"method", "p_level"}, {"range", {0.2, 0.4}}});
  const auto divided = manifest_of(range_goal("T3", 0, 1, 0.25), ThirdThresholds{0.125, 0.75, 9, 0.25});
  CHECK(divided["difficulty"] ==
        nlohmann::json{{"novelty", "T3"}, {"method", "published"}, {"alpha", 0.25}, {"range", {0, 1}}});
  CHECK(divided["thresholds"] ==
        nlohmann::json{{"T3", {{"low", 0.125}, {"high", 0.75}, {"count", 9}, {"alpha", 0.25}}}});
}
