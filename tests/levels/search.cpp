#include "levels/search.hpp"

#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/files.hpp"
#include "levels/level_json.hpp"
#include "levels/level_set.hpp"
#include "sim/world.hpp"
#include "simulated/simulated_difficulty.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"
#include "tests/levels/level_samples.hpp"

using namespace startle;

namespace {

TierGoal tier_goal(const std::string& novelty, Tier tier, double low, double high) {
  return {.novelty = &find_novelty(novelty),
          .method = Method::published,
          .tier = {tier, TierThresholds{low, high, 100, 0.5}}};
}

RangeGoal range_goal(const std::string& novelty, double least, double most, double weight = 0.5) {
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

  const DifficultyMeasure measure = measure_of(goal).value();
  const Difficulty now = compute_difficulty(settled.scene, *measure.novelty,
                                            {.alpha = measure.alpha, .method = Method::published});
  CHECK(level.difficulty->novelty == measure.novelty->name);
  CHECK(level.difficulty->pid == now.pid);
  CHECK(level.difficulty->bid == now.bid);
  CHECK(level.difficulty->value == now.value);
  CHECK(now.novel_objects > 0);
  if (const auto tier = tier_of(goal)) {
    CHECK(tier_of(now.value, tier->thresholds) == tier->tier);
    // Tiers keep a gap: of the middle one's width, on each side of its ends.
    const double gap = tier_gap * (tier->thresholds.high - tier->thresholds.low);
    for (const double end : {tier->thresholds.low, tier->thresholds.high})
      CHECK(std::abs(now.value - end) >= gap - 1e-12);
    CHECK(now.pid < 1);
    CHECK(level.difficulty->tier == tier);
  } else {
    CHECK(now.value >= range_of(goal).first);
    CHECK(now.value <= range_of(goal).second);
    CHECK_FALSE(level.difficulty->tier);
  }
  CHECK(check_difficulty(*level.difficulty, find_novelty(level.difficulty->novelty), settled.scene,
                         level.provenance->solution)
            .empty());
}

int sum(const SearchCounts& counts, std::size_t levels) {
  return static_cast<int>(levels) + counts.unfit + counts.unstable + counts.unsolved +
         counts.near_duplicates + counts.surplus + counts.unverified;
}

}  // namespace

TEST_CASE("[levels] search: levels of each tier are verified, and as hard as asked for") {
  for (const auto& [novelty, low, high] :
       {std::tuple{"T3", 0.55, 0.75}, std::tuple{"wood-density-up", 0.2, 0.6}}) {
    for (Tier tier : {Tier::easy, Tier::medium, Tier::hard}) {
      const SearchGoal goal = tier_goal(novelty, tier, low, high);
      const SearchResult found = search_levels(goal, {.count = 2, .seed = 7}, profile());
      REQUIRE(found.levels.size() == 2);
      for (const StoredLevel& level : found.levels) check_found(level, goal);
      CHECK(sum(found.counts, 2) == found.counts.candidates);
    }
  }
}

TEST_CASE(
    "[levels] search: levels of all tiers have the numbers of birds equally often, and the thirds of objects "
    "nearly so") {
  for (Tier tier : {Tier::easy, Tier::medium, Tier::hard}) {
    const SearchResult found = search_levels(tier_goal("T1", tier, 0.3, 0.6), {.count = 7, .seed = 2},
                                             profile());
    REQUIRE(found.levels.size() == 7);
    std::map<std::size_t, int> birds;
    for (const StoredLevel& level : found.levels) ++birds[level.birds.size()];
    REQUIRE(birds.size() == 3);
    for (const auto& [number, count] : birds) CHECK((count == 2 || count == 3));
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
  RangeGoal goal = range_goal("T1", 0.05, 0.4);
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
    CHECK(check_difficulty(*level.difficulty, find_novelty(level.difficulty->novelty), scene,
                           level.provenance->solution)
              .empty());
  }
}

TEST_CASE("[levels] search: verified levels show in perturbed shots what their tier says") {
  for (Tier tier : {Tier::easy, Tier::hard}) {
    TierGoal goal = tier_goal("T2", tier, 0.1, 0.15);
    goal.method = Method::extended;
    SearchResult any = search_levels(goal, {.count = 1, .seed = 2}, profile());
    const SearchResult found = search_levels(VerifiedTierGoal{.novelty = goal.novelty, .tier = goal.tier},
                                             {.count = 3, .seed = 2}, profile());
    REQUIRE(found.levels.size() == 3);
    CHECK(any.levels.front().name.starts_with("T2-extended-"));
    CHECK(sum(found.counts, 3) == found.counts.candidates);
    for (const StoredLevel& level : found.levels) {
      REQUIRE(level.difficulty->visible_shots);
      const StoredShots& shown = *level.difficulty->visible_shots;
      CHECK(shown.best.count == 16);
      CHECK(shown.random.count == 16);
      CHECK(shown.solution.count == 16);
      const double share = static_cast<double>(shown.best.hits + shown.random.hits) / 32;
      CHECK((tier == Tier::easy ? share >= 0.65 : share <= 0.25));
      CHECK(shown.best.hits + shown.random.hits + shown.solution.hits > 0);
      const StoredLevel read = level_from_json(level_to_json(level), "found.json");
      CHECK(read == level);
      const Scene scene = settle(make_scene(read, profile()));
      CHECK(check_difficulty(*read.difficulty, find_novelty(read.difficulty->novelty), scene,
                             read.provenance->solution)
                .empty());
      StoredDifficulty wrong = *read.difficulty;
      wrong.visible_shots->best.hits = shown.best.hits == 16 ? 15 : shown.best.hits + 1;
      CHECK_THAT(check_difficulty(wrong, find_novelty(wrong.novelty), scene, read.provenance->solution),
                 Catch::StartsWith("visible best shots stored "));
    }
  }
  CHECK_FALSE(verified(Tier::hard, {0.01, {0, 16}, {0, 16}, {0, 16}}));  // makes nothing visible at all: not
                                                                         // known to be possible
  CHECK(verified(Tier::hard, {0.01, {0, 16}, {0, 16}, {1, 16}}));
  CHECK(verified(Tier::hard, {0.01, {4, 16}, {4, 16}, {0, 16}}));  // 8/32 = 0.25
  CHECK_FALSE(verified(Tier::hard, {0.01, {5, 16}, {4, 16}, {0, 16}}));
  CHECK(verified(Tier::easy, {0.01, {16, 16}, {5, 16}, {0, 16}}));         // 21/32 = 0.66
  CHECK_FALSE(verified(Tier::easy, {0.01, {16, 16}, {4, 16}, {16, 16}}));  // 20/32 = 0.63
  CHECK_FALSE(verified(Tier::easy, {0.01, {0, 0}, {0, 0}, {0, 0}}));       // no target
}

TEST_CASE("[levels] search: levels by the predicted chance that a best shot is detected") {
  for (const Tier tier : {Tier::easy, Tier::medium}) {
    const DetectionBand band = detection_band(tier);
    const DetectionGoal goal{&find_novelty("wood-life-down"), band.least, band.most,
                             PlacedTier{tier, detection_thresholds}};
    const SearchResult found = search_levels(goal, {.count = 2, .seed = 5}, profile());
    REQUIRE(found.levels.size() == 2);
    for (const StoredLevel& made : found.levels) {
      const StoredLevel level = level_from_json(level_to_json(made), "found.json");
      REQUIRE(level == made);
      CHECK(level.name.starts_with(std::string("wood-life-down-detection-") + name(tier) + "-5-"));
      StoredDifficulty stored = *level.difficulty;
      CHECK(stored.source == DifficultySource::detection);
      CHECK((stored.value >= band.least && stored.value <= band.most));
      CHECK(tier_of(stored.value, stored.tier->thresholds) == tier);
      const Scene scene = settle(make_scene(level, profile()));
      const FirstDetection first = first_detection(scene, find_novelty("wood-life-down"));
      CHECK(stored.value == 1 - first.best);
      CHECK(first.surest >= least_surest);
      CHECK(check_difficulty(stored, find_novelty(stored.novelty), scene, {}).empty());
      stored.value = 1 - stored.value;
      CHECK_THAT(check_difficulty(stored, find_novelty(stored.novelty), scene, {}),
                 Catch::StartsWith("value stored "));
    }
  }
  const auto band_of = [](Tier tier) { return detection_band(tier); };
  CHECK(band_of(Tier::easy).most < detection_thresholds.low);
  CHECK(band_of(Tier::medium).least > detection_thresholds.low);
  CHECK(band_of(Tier::medium).most < detection_thresholds.high);
  CHECK(band_of(Tier::hard).least > detection_thresholds.high);
  const DetectionGoal goal{&find_novelty("T1"), 0.5, 0.7};
  CHECK(misfit(goal, FirstDetection{.novel_objects = 0, .best = 0.4, .surest = 1}) == 2);
  CHECK(misfit(goal, FirstDetection{.novel_objects = 1, .best = 0.4, .surest = 0.4}) == 0);
  CHECK(misfit(goal, FirstDetection{.novel_objects = 1, .best = 0.1, .surest = 0.4}) == Approx(0.2));
  CHECK(misfit(goal, FirstDetection{.novel_objects = 1, .best = 0.4, .surest = 0.1}) == Approx(0.2));
  CHECK_THROWS_AS(require_goal(DetectionGoal{&find_novelty("pigs-jump"), 0, 1}), Error);
}

TEST_CASE("[levels] search: levels by what the observer detects") {
  const ObserverGoal goal{&find_novelty("ice-friction-down"), 0, 0.9};
  const SearchResult found = search_levels(goal, {.family = "rows", .count = 1, .seed = 2}, profile());
  REQUIRE(found.levels.size() == 1);
  const StoredLevel level = level_from_json(level_to_json(found.levels.front()), "found.json");
  REQUIRE(level == found.levels.front());
  CHECK(level.name.starts_with("ice-friction-down-observer-0-0.9-2-"));
  const StoredDifficulty& stored = *level.difficulty;
  REQUIRE(stored.detected);
  CHECK(stored.detected->count == 16);
  CHECK(stored.value == 1 - static_cast<double>(stored.detected->hits) / 16);
  CHECK(stored.value <= 0.9);
  StoredDifficulty wrong = stored;
  ++wrong.detected->hits;
  CHECK_THAT(check_difficulty(wrong, find_novelty(wrong.novelty), settle(make_scene(level, profile())), {}),
             Catch::StartsWith("detected stored "));
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

TEST_CASE("[levels] search: which difficulties fit") {
  const TierGoal easy = tier_goal("T1", Tier::easy, 0.2, 0.6),
                 medium = tier_goal("T1", Tier::medium, 0.2, 0.6),
                 hard = tier_goal("T1", Tier::hard, 0.2, 0.6);
  // A gap of 0.15 x (0.6 - 0.2) = 0.06 on both sides of 0.2 and of 0.6: easy up to 0.14, medium from 0.26 to
  // 0.54, hard from 0.66 on.
  const auto fitting = [&](double value) {
    return std::array{fits(easy, value, value), fits(medium, value, value), fits(hard, value, value)};
  };
  for (const double value : {0.0, 0.1, 0.139}) CHECK(fitting(value) == std::array{true, false, false});
  for (const double value : {0.261, 0.4, 0.539}) CHECK(fitting(value) == std::array{false, true, false});
  for (const double value : {0.661, 0.8, 0.999}) CHECK(fitting(value) == std::array{false, false, true});
  for (const double value : {0.141, 0.2, 0.259, 0.541, 0.6, 0.659})
    CHECK(fitting(value) == std::array{false, false, false});
  // Best shots never make it visible, another shot would: hard. No shot does: undetectable, in no tier, only
  // in a range that ends with 1.
  CHECK(fits(hard, 0.9, 1));
  for (const TierGoal& goal : {easy, medium, hard}) CHECK_FALSE(fits(goal, 1, 1));
  CHECK(fits(range_goal("T1", 0.5, 1), 1, 1));
  CHECK_FALSE(fits(range_goal("T1", 0.5, 0.99), 1, 1));
  CHECK(fits(range_goal("T1", 0.1, 0.1, 1), 0.1, 0.9));
  CHECK(fits(range_goal("T1", 0.9, 0.9, 0), 0.1, 0.9));
}

TEST_CASE("[levels] search: names say novelty, method, measure and goal") {
  CHECK(goal_name(tier_goal("T3", Tier::hard, 0.2, 0.6)) == "T3-hard");
  CHECK(goal_name(range_goal("T3", 0.55, 0.65)) == "T3-0.55-0.65");
  CHECK(goal_name(range_goal("T3", 0, 1, 1)) == "T3-pid-0-1");
  RangeGoal goal = range_goal("T3", 0, 0.2, 0);
  goal.measure.method.reset();
  CHECK(goal_name(goal) == "T3-simulated-bid-0-0.2");
  const StoredLevel level =
      search_levels(range_goal("T3", 0, 1), {.count = 1, .seed = 9}, profile()).levels.at(0);
  CHECK(level.name == level_set_member("T3-0-1", 9, level.provenance->index));
}

TEST_CASE("[levels] search: goals that make no sense are errors") {
  const auto search = [](const SearchGoal& goal, const SearchOptions& options = {.count = 1}) {
    search_levels(goal, options, profile());
  };
  require_error([&] { search({}); }, {"novelty"});
  require_error([&] { search(range_goal("T1", 0.6, 0.5)); }, {"0.6:0.5", "smaller one first"});
  require_error([&] { search(range_goal("T1", -0.1, 0.5)); }, {"-0.1:0.5"});
  require_error([&] { search(range_goal("T1", 0, 1, 1.5)); }, {"alpha", "1.5"});
  require_error([&] { search(tier_goal("T1", Tier::easy, 0, 0.5)); }, {"T1", "no level is easy"});
  require_error([&] { search(tier_goal("T1", Tier::hard, 0.5, 1)); }, {"T1", "no level is hard"});
  require_error([&] { search(range_goal("T1", 0, 1), {.family = "igloos"}); }, {"igloos"});
  require_error([&] { search(range_goal("T1", 0, 1), {.count = -1}); }, {"-1"});
  // Wood does not bounce under this profile, so four times as much changes nothing.
  require_error([&] { search_levels(range_goal("T2", 0, 1), {}, profile("anu")); },
                {"T2", "changes nothing", "anu"});
  require_error([&] { reference_thresholds({&find_novelty("T2")}, 1, profile("anu")); }, {"T2", "anu"});
}

TEST_CASE("[levels] search: a stored difficulty that does not hold is reported with both values") {
  const StoredLevel level = search_levels(range_goal("T1", 0, 0.9), {.count = 1}, profile()).levels.at(0);
  const Scene scene = settle(make_scene(level, profile()));
  StoredDifficulty stored = *level.difficulty;
  CHECK(check_difficulty(stored, find_novelty(stored.novelty), scene, level.provenance->solution).empty());
  stored.pid = 0.123;
  CHECK_THAT(check_difficulty(stored, find_novelty(stored.novelty), scene, level.provenance->solution),
             Catch::StartsWith("PID stored 0.123, computed "));
  stored = *level.difficulty;
  stored.tier = PlacedTier{Tier::hard, {0.95, 0.96, 100, 0.5}};
  CHECK(check_difficulty(stored, find_novelty(stored.novelty), scene, level.provenance->solution) ==
        "tier stored hard, computed easy");
  stored = *level.difficulty;
  stored.alpha = 1;
  stored.value = stored.pid;
  CHECK(check_difficulty(stored, find_novelty(stored.novelty), scene, level.provenance->solution).empty());
  stored.novelty = "T9";
  CHECK_THROWS_AS(check_difficulty(stored, find_novelty(stored.novelty), scene, level.provenance->solution),
                  Error);
}

TEST_CASE(
    "[levels] search: thresholds come from the first hundred levels in which the novelty can be detected",
    "[slow]") {
  const Novelty& novelty = find_novelty("T3");
  std::vector<double> values;
  for (std::uint64_t i = 0; values.size() < reference_levels; ++i) {
    const GeneratorInfo& family = generator_families()[i % 7];
    const Level level = generate_level(family, 12, i / 7, profile());
    const Difficulty difficulty = compute_difficulty(settle(make_scene(level, profile())), novelty,
                                                     {.method = Method::published});
    if (difficulty.pid < 1) values.push_back(difficulty.value);
  }
  const TierThresholds expected = third_thresholds(values, 0.5);
  for (int threads : {1, 3}) {
    std::size_t last = 0;
    const auto found = reference_thresholds({&novelty, Method::published}, 12, profile(), threads,
                                            [&](std::size_t n) { last = n; });
    REQUIRE(found);
    CHECK(*found == expected);
    CHECK(last == reference_levels);
  }
  int asked = 0;
  CHECK_FALSE(reference_thresholds({&novelty}, 12, profile(), 1, {}, [&] { return asked++ < 5; }));
}

TEST_CASE("[levels] search: simulated difficulty is that of twin simulation", "[slow]") {
  RangeGoal goal = range_goal("T1", 0.05, 0.5);
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
    CHECK(check_difficulty(*level.difficulty, find_novelty(level.difficulty->novelty), scene,
                           level.provenance->solution)
              .empty());
  }
}

TEST_CASE(
    "[levels] level sets: made at a set difficulty they say goal, thresholds and diversity, and thresholds "
    "are read back") {
  const testing::Folder scratch;
  const std::filesystem::path folder = scratch.path / "set";
  const TierGoal goal = tier_goal("T3", Tier::medium, 0.125, 0.7262002976190476);
  const Diversity figures{.mean = 0.6, .least = 0.3, .nearest = 0.4};
  write_level_set(
      {}, folder,
      {.version = "1", .command = "c", .seed = 1, .profile = "startle", .goal = goal, .diversity = figures});
  const auto manifest = nlohmann::json::parse(read_file(folder / "manifest.json"));
  CHECK(manifest["difficulty"] ==
        nlohmann::json{{"novelty", "T3"}, {"method", "published"}, {"alpha", 0.5}, {"tier", "medium"}});
  CHECK(manifest["diversity"] == nlohmann::json{{"mean", 0.6}, {"least", 0.3}, {"nearest", 0.4}});

  const std::filesystem::path file = folder / "manifest.json";
  const Novelty &t1 = find_novelty("T1"), &t3 = find_novelty("T3");
  const DifficultyMeasure published_t1{&t1, Method::published}, published_t3{&t3, Method::published},
      extended_t1{&t1}, simulated_t1{&t1, {}}, simulated_t3{&t3, {}};
  CHECK(read_thresholds(file, published_t3) == goal.tier.thresholds);
  require_error([&] { read_thresholds(file, published_t1); }, {"manifest.json", "T1"});
  require_error([&] { read_thresholds(file, simulated_t3); },
                {"/difficulty/method", "published", "simulated"});
  require_error([&] { read_thresholds(folder / "none.json", published_t3); }, {"none.json"});

  // As a study writes them.
  write_file(folder / "results.json",
             R"({"thresholds": {"T1": {"low": 0.25, "high": 0.5, "count": 9, "alpha": 1.0}}, "results": [],
          "extended": {"thresholds": {"T1": {"low": 0.125, "high": 0.75, "count": 8, "alpha": 1.0}}}})");
  CHECK(read_thresholds(folder / "results.json", published_t1) == TierThresholds{0.25, 0.5, 9, 1});
  CHECK(read_thresholds(folder / "results.json", extended_t1) == TierThresholds{0.125, 0.75, 8, 1});
  require_error([&] { read_thresholds(folder / "results.json", simulated_t1); }, {"published", "simulated"});
  // As `startle difficulty --format json` writes them.
  write_file(
      folder / "table.json",
      R"({"method": "extended", "thresholds": {"T1": {"low": 0, "high": 0.5, "count": 9, "alpha": 0.5}}})");
  CHECK(read_thresholds(folder / "table.json", extended_t1).high == 0.5);
  require_error([&] { read_thresholds(folder / "table.json", published_t1); },
                {"/method", "extended", "published"});
  write_file(folder / "broken.json",
             R"({"thresholds": {"T1": {"low": 0.75, "high": 0.5, "count": 9, "alpha": 1.0}}})");
  require_error([&] { read_thresholds(folder / "broken.json", published_t1); },
                {"/thresholds/T1/high", "0.5"});
}
