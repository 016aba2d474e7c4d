#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "surprise/predictor.hpp"
#include "surprise/probes/intphys/set.hpp"
#include "surprise/surprise_score.hpp"
#include "tests/catch.hpp"
#include "tests/surprise/probes/clip_hash.hpp"

namespace startle {
namespace {

/// Sums over the possible and over the impossible pair of the squared errors of a control.
std::array<double, 2> pair_errors(Predictor& control, const IntPhysSet& set) {
  std::array<double, 2> sums{};
  for (int k = 0; k < 4; ++k) {
    const Clip clip = set.clip(k);
    sums[IntPhysSet::possible(k) ? 0 : 1] += clip_score(frame_errors(clip, control.predict({&clip})[0]),
                                                        ClipScore::sum);
  }
  return sums;
}

const IntPhysScenario occluded_two{.occluded = true, .motion = IntPhysMotion::dynamic_2, .objects = 2};

}  // namespace

TEST_CASE("[probes] IntPhys: sets of every block and scenario have no fault, and single frames say nothing") {
  struct Case {
    IntPhysBlock block;
    IntPhysScenario scenario;
    std::uint64_t seed;
  };
  std::vector<Case> cases;
  for (const IntPhysBlock block : intphys_blocks())
    for (const IntPhysScenario& scenario : intphys_scenarios())
      for (const std::uint64_t seed : {1U, 2U}) cases.push_back({block, scenario, seed});
  REQUIRE(cases.size() == 2 * 3 * 18);
  std::vector<std::string> faults(cases.size());
  parallel_for(cases.size(), 0, [&](std::size_t i) {
    const Case& c = cases[i];
    const IntPhysSet set = make_intphys_set(c.block, c.scenario, intphys_format(), c.seed, i);
    for (const std::string& fault : intphys_faults(set))
      faults[i] += std::string(name(c.block)) + " " + name(c.scenario) + ": " + fault + "; ";
    // A classifier of single frames sees the same frames under both labels: here by the frame's mean and by
    // the number of pixels of things.
    std::array<std::multiset<std::pair<std::size_t, std::ptrdiff_t>>, 2> statistics;
    for (int k = 0; k < 4; ++k) {
      const Clip clip = set.clip(k);
      const std::ptrdiff_t pixels = static_cast<std::ptrdiff_t>(clip.frame_size() / 3);
      for (int t = 0; t < clip.frames; ++t) {
        std::size_t sum = 0;
        for (std::size_t j = 0; j < clip.frame_size(); ++j) sum += clip.frame(t)[j];
        const auto things = std::count_if(clip.masks.begin() + t * pixels,
                                          clip.masks.begin() + (t + 1) * pixels,
                                          [](std::uint8_t id) { return id >= 2 && id < screen_mask; });
        statistics[IntPhysSet::possible(k) ? 0 : 1].emplace(sum, things);
      }
    }
    if (statistics[0] != statistics[1]) faults[i] += "statistics of single frames differ";
  });
  for (const std::string& fault : faults) CHECK(fault == "");
}

TEST_CASE(
    "[probes] IntPhys: where the splice is hidden, copying the last frame and linear extrapolation have the "
    "same sums on both pairs") {
  const auto copy_last = make_copy_last(), linear = make_linear_extrapolation();
  for (const IntPhysBlock block : intphys_blocks()) {
    CAPTURE(name(block));
    const IntPhysSet hidden = make_intphys_set(block, occluded_two, intphys_format(), 4, 0);
    for (Predictor* control : {copy_last.get(), linear.get()}) {
      const auto [possible, impossible] = pair_errors(*control, hidden);
      CHECK(impossible == Approx(possible).epsilon(1e-9));
    }
    // In plain view something comes, goes or changes from one frame to the next.
    const IntPhysSet seen = make_intphys_set(
        block, {.occluded = false, .motion = IntPhysMotion::still, .objects = 2}, intphys_format(), 4, 0);
    const auto [possible, impossible] = pair_errors(*copy_last, seen);
    CHECK(possible < 1e-8);  // predictions are single precision
    CHECK(impossible > 1);
  }
}

TEST_CASE("[probes] IntPhys: the checker sees faults") {
  const IntPhysSet good = make_intphys_set(IntPhysBlock::permanence, occluded_two, intphys_format(), 3, 0);
  REQUIRE(intphys_faults(good).empty());
  const auto has_fault = [&](const auto& change, const std::string& words) {
    IntPhysSet bad = good;
    change(bad);
    const std::vector<std::string> faults = intphys_faults(bad);
    CAPTURE(words, faults);
    CHECK(std::any_of(faults.begin(), faults.end(),
                      [&](const std::string& fault) { return fault.find(words) != std::string::npos; }));
  };
  has_fault([](IntPhysSet& s) { s.videos[0].clip.rgb[1000] ^= 1; }, "not what simulation makes");
  has_fault([](IntPhysSet& s) { s.videos[1].depth[5] += 1; }, "not what simulation makes");
  has_fault([](IntPhysSet& s) { s.splices.pop_back(); }, "found 1 splices");
  has_fault(
      [](IntPhysSet& s) {
        s.splices = {s.videos[0].clip.frames - 1, s.videos[0].clip.frames};
      },
      "a splice at frame");
  has_fault([](IntPhysSet& s) { s.videos[1] = s.videos[0]; }, "same as a possible one");
  has_fault([](IntPhysSet& s) { s.scenes[1] = s.scenes[0]; }, "do not differ");
  has_fault([](IntPhysSet& s) { s.videos[0].poses[20].back().position.x += 2; }, "jumps");
  has_fault([](IntPhysSet& s) { s.scenario.occluded = false; }, "not in plain view");
  const IntPhysSet seen = make_intphys_set(
      IntPhysBlock::continuity, {.occluded = false, .motion = IntPhysMotion::dynamic_1, .objects = 1},
      intphys_format(), 3, 0);
  IntPhysSet bad = seen;
  bad.scenario.occluded = true;
  CHECK(intphys_faults(bad).size() == 1);
  CHECK(intphys_faults(bad)[0].find("is seen") != std::string::npos);
}

TEST_CASE("[probes] IntPhys: sets are functions of block, scenario, seed, number and part, on any thread") {
  std::vector<std::vector<std::uint64_t>> hashes(6);
  parallel_for(hashes.size(), 3, [&](std::size_t i) {
    const IntPhysSet set = make_intphys_set(intphys_blocks()[i / 2], occluded_two, intphys_format(), 5, 9);
    for (int k = 0; k < 4; ++k) hashes[i].push_back(clip_hash(set.clip(k)));
  });
  std::set<std::uint64_t> different;
  for (std::size_t i = 0; i < hashes.size(); i += 2) {
    CHECK(hashes[i] == hashes[i + 1]);
    different.insert(hashes[i].begin(), hashes[i].end());
  }
  different.insert(
      clip_hash(make_intphys_set(IntPhysBlock::shape, occluded_two, intphys_format(), 5, 10).clip(0)));
  different.insert(
      clip_hash(make_intphys_set(IntPhysBlock::shape, occluded_two, intphys_format(), 6, 9).clip(0)));
  different.insert(clip_hash(
      make_intphys_set(IntPhysBlock::shape, occluded_two, intphys_format(), 5, 9, IntPhysPart::dev).clip(0)));
  CHECK(different.size() == 4 * 3 + 3);
}

TEST_CASE(
    "[probes] IntPhys: other lengths and sizes show the same kind of video, too short ones are refused") {
  const ClipFormat format = intphys_format(100, 32);
  CHECK(format.stride == 6);  // 2.5 s / 100 frames / 6 = 1/240 s
  const IntPhysSet set = make_intphys_set(IntPhysBlock::permanence, occluded_two, format, 1, 0);
  CHECK(intphys_faults(set).empty());
  CHECK(set.clip(3).rgb.size() == 100U * 32 * 32 * 3);
  CHECK_THROWS_WITH(intphys_format(40), Catch::Contains("40"));
  Random random(1);
  CHECK_THROWS_WITH(record(intphys_freeform("cross", format, random), ClipFormat{}),
                    Catch::Contains("found 15"));
  ClipFormat other = format;
  other.stride = 5;
  CHECK_THROWS_WITH(record(intphys_freeform("cross", format, random), other), Catch::Contains("format"));
  CHECK_THROWS_WITH(intphys_freeform("explosion", format, random), Catch::Contains("explosion"));
  CHECK_THROWS_WITH(make_intphys_set(IntPhysBlock::shape, {.objects = 4}, format, 1, 0),
                    Catch::Contains("4 objects"));
}

TEST_CASE("[probes] IntPhys: depth and masks say what the picture shows") {
  // One block at distance 8 before the wall, no screens, a camera of round numbers: focal 1.28, height 2.5,
  // horizon 0.25, 64 pixels.
  IntPhysScene scene{.wall = colour(0xFFFFFF),
                     .floor = colour(0x808080),
                     .camera = {.focal = 1.28, .height = 2.5, .horizon = 0.25},
                     .things = {},
                     .screens = {}};
  scene.things.push_back(
      intphys_thing(scene.camera, StillShape::block, 0.5, 8, 1.25, 1.25, colour(0xFF0000)));
  scene.screens.push_back({.left = 0.75,
                           .right = 1,
                           .height = 2.5,
                           .colour = colour(0x0000FF),
                           .raised = std::vector<double>(50, 1)});
  const IntPhysVideo made = record(scene, intphys_format());
  const auto at = [](int row, int column) { return static_cast<std::size_t>(row * 64 + column); };
  // A unit at distance 8 is 1.28/8 * 64 = 10.24 pixels: the block is 12.8 wide, from column 25.6 to 38.4. Its
  // foot is in row (0.25 + 1.28 * 2.5/8) * 64 = 41.6, its top in row 28.8. The wall ends in row (0.25 + 1.28
  // * 2.5/13) * 64 = 31.75.
  CHECK(made.clip.masks[at(35, 32)] == 2);
  CHECK(made.depth[at(35, 32)] == 8000);
  CHECK(made.clip.masks[at(40, 26)] == 2);
  CHECK(made.clip.masks[at(40, 24)] == 1);
  CHECK(made.clip.masks[at(28, 32)] == 0);
  CHECK(made.clip.masks[at(29, 32)] == 2);
  CHECK(made.clip.masks[at(42, 32)] == 1);
  CHECK(made.depth[at(10, 10)] == 13000);
  // Floor in row 47, whose middle is 47.5/64 - 0.25 below the horizon: 1.28 * 2.5/0.4921875 = 6.502.
  CHECK(made.depth[at(47, 5)] == 6502);
  CHECK(made.clip.masks[at(40, 50)] == screen_mask);
  CHECK(made.depth[at(40, 50)] == 6000);
  CHECK(made.clip.masks[at(15, 50)] == 0);  // its top is at the camera's height, in row 16
  CHECK(made.clip.masks[at(16, 50)] == screen_mask);

  // Over videos of sets: the floor is nearest below, nothing stands where the mask says wall, and each id has
  // one distance.
  const IntPhysSet set = make_intphys_set(
      IntPhysBlock::shape, {.occluded = true, .motion = IntPhysMotion::dynamic_1, .objects = 3},
      intphys_format(), 2, 0);
  const Clip& clip = set.videos[0].clip;
  std::map<int, std::set<std::uint16_t>> distances;
  std::map<int, std::set<std::array<std::uint8_t, 3>>> colours;
  for (std::size_t i = 0; i < clip.masks.size(); ++i) {
    distances[clip.masks[i]].insert(set.videos[0].depth[i]);
    colours[clip.masks[i]].insert({clip.rgb[3 * i], clip.rgb[3 * i + 1], clip.rgb[3 * i + 2]});
  }
  for (const auto& [id, of_id] : distances)
    if (id != 1) CHECK(of_id.size() == 1);
  for (std::size_t i = 0; i < set.scenes[0].things.size(); ++i) {
    const Colour c = set.scenes[0].things[i].colour;
    CHECK(colours.at(2 + static_cast<int>(i)).count({c.r, c.g, c.b}) == 1);
  }
}

TEST_CASE("[probes] IntPhys: shuffled masks split the picture as the ids do, under levels that change") {
  const IntPhysSet set = make_intphys_set(IntPhysBlock::permanence,
                                          {.occluded = false, .motion = IntPhysMotion::still, .objects = 3},
                                          intphys_format(), 1, 0);
  Random random(1);
  const ShuffledMasks first = shuffled_masks(set.videos[0].clip, 0, false, random),
                      second = shuffled_masks(set.videos[0].clip, 1, false, random);
  CHECK(first.grey != second.grey);  // the frames show the same
  std::map<int, int> id_of;
  for (const auto& [id, level] : first.levels) CHECK(id_of.emplace(level, id).second);
  CHECK(first.levels.size() == 5);  // wall, floor, three things
  for (std::size_t i = 0; i < first.grey.size(); ++i)
    REQUIRE(id_of.at(first.grey[i]) == set.videos[0].clip.masks[i]);

  // 6 x 6, a bar before a block: two pieces of the block, and of the floor on either side one.
  Clip clip{.frames = 1,
            .pixels = 6,
            .rgb = std::vector<std::uint8_t>(108),
            .masks = std::vector<std::uint8_t>(36, 0)};
  for (const int column : {1, 2, 4}) clip.masks[static_cast<std::size_t>(2 * 6 + column)] = 2;
  for (int row = 0; row < 5; ++row) clip.masks[static_cast<std::size_t>(row * 6 + 3)] = screen_mask;
  const auto count = [&](bool pieces, int id) {
    Random again(7);
    const ShuffledMasks masks = shuffled_masks(clip, 0, pieces, again);
    return std::count_if(masks.levels.begin(), masks.levels.end(),
                         [&](const auto& level) { return level.first == id; });
  };
  CHECK(count(false, 2) == 1);
  CHECK(count(true, 2) == 2);
  CHECK(count(true, 0) == 1);  // joined below the bar
  CHECK(count(true, screen_mask) == 1);
  Random again(7);
  const ShuffledMasks masks = shuffled_masks(clip, 0, true, again);
  CHECK(masks.grey[2 * 6 + 1] == masks.grey[2 * 6 + 2]);
  CHECK(masks.grey[2 * 6 + 1] != masks.grey[2 * 6 + 4]);
}

TEST_CASE("[probes] IntPhys: scenarios are known by their names, as the original writes them") {
  CHECK(intphys_scenarios().size() == 18);
  CHECK(name(occluded_two) == "occluded_dynamic_2_nobj2");
  for (const IntPhysScenario& scenario : intphys_scenarios())
    CHECK(intphys_scenario_in("0001_O1_test_" + name(scenario)) == scenario);
  CHECK(intphys_scenario_in("01_test_visible_static_nObj1") ==
        IntPhysScenario{.occluded = false, .motion = IntPhysMotion::still, .objects = 1});
  CHECK(!intphys_scenario_in("0001"));
}

}  // namespace startle
