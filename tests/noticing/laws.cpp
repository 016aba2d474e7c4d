/// \file  Encounters, laws and the model of laws.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "difficulty/twin.hpp"
#include "levels/generators.hpp"
#include "noticing/law_examples.hpp"
#include "noticing/law_model.hpp"
#include "sim/error.hpp"
#include "sim/world.hpp"
#include "statistics/intervals.hpp"

using namespace startle;

namespace {

/// A level with one square block of wood, and a trace in which it moves as told: poses every 0.04 s.
struct OneBlock {
  Scene scene;
  Trace trace{.step_s = 0.02, .record_every = 2};
  OneBlock() {
    Level level{
        .birds = {"BirdRed"},
        .objects = {
            {.kind = Kind::block, .type = "SquareSmall", .material = Material::wood, .position = {2, 5}}}};
    scene = taken_at_rest(make_scene(level, profile()));
  }
  void look(Vec2 place, double angle = 0) {
    trace.frames.push_back({static_cast<int>(2 * trace.frames.size()), {{.id = 0, .pose = {place, angle}}}});
  }
};

std::vector<Reading> readings(Law law, const std::vector<Encounter>& all) {
  std::vector<Reading> found;
  Reading reading;
  for (const Encounter& e : all)
    if (read_law(law, e, reading)) found.push_back(reading);
  return found;
}

const LawTraining small_training{.levels = 3, .calibration_levels = 2, .width = 8, .steps = 50};

}  // namespace

TEST_CASE("[noticing] encounters: a falling block gains what gravity gives, by hand") {
  OneBlock block;
  // y = 5 - 2 t^2: from look to look the speed changes by -4 x 0.04 = -0.16 m/s.
  for (int k = 0; k < 6; ++k) block.look({2, 5 - 2 * std::pow(0.04 * k, 2)});
  const std::vector<Encounter> all = encounters(block.scene, block.trace);
  REQUIRE(all.size() == 4);  // a speed is known from look 1 on, and the look after look 4 is the last
  for (const Encounter& e : all) {
    CHECK(e.self == Stuff::wood);
    CHECK_FALSE(e.meets);
  }
  const std::vector<Reading> falls = readings(Law::fall, all);
  REQUIRE(falls.size() == 4);
  for (const Reading& fall : falls) CHECK(fall.value == Approx(0.16).epsilon(1e-3));
  CHECK(readings(Law::rebound, all).empty());
  for (const Reading& last : readings(Law::last, all)) CHECK(last.value == 0);
}

TEST_CASE("[noticing] encounters: a bounce off the ground is read off as the speed afterwards, by hand") {
  OneBlock block;
  const double ground = profile()->ground_y, half = 0.37158 / 2;
  // Comes down at 3 m/s, touches the ground exactly at look 3, and leaves at 1.2.
  for (int k = 0; k <= 3; ++k) block.look({2, ground + half + 3 * 0.04 * (3 - k)});
  for (int k = 1; k <= 4; ++k) block.look({2, ground + half + 1.2 * 0.04 * k});
  const std::vector<Reading> bounces = readings(Law::rebound, encounters(block.scene, block.trace));
  REQUIRE_FALSE(bounces.empty());
  CHECK(bounces.back().value == Approx(1.2).margin(0.01));
  CHECK(bounces.back().lever == Approx(3).epsilon(0.01));
  CHECK(bounces.back().own);
  CHECK_FALSE(bounces.back().others);
}

TEST_CASE("[noticing] encounters: what vanishes is told once, and what lies still is left out") {
  OneBlock block;
  for (int k = 0; k < 4; ++k) block.look({2 + 0.04 * k, 5});
  block.trace.frames.push_back({8, {}});
  block.trace.frames.push_back({10, {}});
  const std::vector<Reading> last = readings(Law::last, encounters(block.scene, block.trace));
  REQUIRE(last.size() == 3);
  CHECK(last[0].value + last[1].value + last[2].value == 1);
  CHECK(last[2].value == 1);
  OneBlock still;
  for (int k = 0; k < 8; ++k) still.look({2, 5});
  CHECK(encounters(still.scene, still.trace).empty());
  CHECK_THROWS_AS(encounters(still.scene, Trace{}), Error);
}

TEST_CASE("[noticing] encounters: the mirrored shot is the same encounter") {
  OneBlock right, left;
  for (int k = 0; k < 7; ++k) {
    const double t = 0.04 * k, x = 1.5 * t, y = 5 - 2 * t * t, angle = 0.8 * t;
    right.look({x, y}, angle);
    left.look({-x, y}, -angle);
  }
  const std::vector<Encounter> a = encounters(right.scene, right.trace),
                               b = encounters(left.scene, left.trace);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < context_count; ++k)
      CHECK(a[i].context[k] == Approx(b[i].context[k]).margin(1e-4));
    for (std::size_t k = 0; k < outcome_count; ++k)
      CHECK(a[i].outcome[k] == Approx(b[i].outcome[k]).margin(1e-4));
  }
}

TEST_CASE("[noticing] encounters: who sees to a pixel reads off speeds in steps of a pixel a look") {
  OneBlock block;
  for (int k = 0; k < 12; ++k) {
    const double t = 0.04 * k;
    block.look({2 + 1.3 * t, 5 - 0.5 * 9.81 * t * t}, 0.7 * t);
  }
  constexpr double pixel = 0.1, step = pixel / 0.04;
  const std::vector<Encounter> exact = encounters(block.scene, block.trace),
                               coarse = encounters(block.scene, block.trace, pixel);
  REQUIRE_FALSE(coarse.empty());
  int off = 0;
  for (const Encounter& e : coarse)
    for (const std::size_t k : {0, 1}) {  // change of speed until the next look, up and along
      CHECK(std::remainder(e.outcome[k], step) == Approx(0).margin(1e-4));
      off += std::fabs(e.outcome[k]) > step / 2;
    }
  CHECK(off > 0);
  const std::vector<Encounter> fine = encounters(block.scene, block.trace, 1e-7);
  REQUIRE(fine.size() == exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i)
    for (std::size_t k = 0; k < outcome_count; ++k)
      CHECK(fine[i].outcome[k] == Approx(exact[i].outcome[k]).margin(1e-3));
}

TEST_CASE("[noticing] encounters: the colour of the bird and the shots before are told") {
  OneBlock block;
  for (int k = 0; k < 4; ++k) block.look({2 + 0.04 * k, 5});
  const std::array<const char*, 6> birds{"BirdRed",   "BirdBlue",  "BirdYellow",
                                         "BirdBlack", "BirdWhite", "BirdRed"};
  block.scene.birds.assign(birds.begin(), birds.end());
  for (std::size_t next = 0; next < birds.size(); ++next) {
    block.scene.next_bird = next;
    const std::vector<Encounter> all = encounters(block.scene, block.trace);
    REQUIRE_FALSE(all.empty());
    const auto told = all[0].context.end() - 6;
    for (std::size_t type = 0; type < bird_type_count; ++type)
      CHECK(told[static_cast<std::ptrdiff_t>(type)] == (type == next % 5 ? 1 : 0));
    CHECK(told[5] == (next == 0 ? 0 : next == 1 ? 0.5f : 1));
  }
}

TEST_CASE("[noticing] laws: a score has the sign of what is off, and grows no more beyond three scales") {
  const float out[2] = {1.f, 0.f};  // centre 1, scale 1
  const auto score = [&](float value, float lever) {
    return score_of(Law::rebound, {.value = value, .lever = lever}, out).value;
  };
  CHECK(score(1, 2) == 0);
  CHECK(score(2, 2) == Approx(2));
  CHECK(score(0, 2) == Approx(-2));
  CHECK(score(50, 2) == Approx(6));
  CHECK(score_of(Law::rebound, {.value = 2, .lever = 2}, out).information == Approx(4));
  const float even[1] = {0.f};  // a chance of one half
  CHECK(score_of(Law::last, {.value = 1, .lever = -1}, even).value == Approx(-0.5));
  CHECK(score_of(Law::last, {.value = 0, .lever = -1}, even).value == Approx(0.5));
  CHECK(score_of(Law::last, {.value = 0, .lever = -1}, even).information == Approx(0.25));
}

TEST_CASE("[noticing] laws: the loss's derivatives are those of the loss") {
  for (const Law law : {Law::rub, Law::last})
    for (const float value : {0.f, 1.f}) {
      const Reading reading{.value = value};
      float out[2] = {0.3f, -0.4f}, gradient[2] = {}, unused[2] = {};
      law_loss(law, reading, out, gradient);
      for (int o = 0; o < (law == Law::last ? 1 : 2); ++o) {
        constexpr float step = 1e-2f;
        float up[2] = {out[0], out[1]}, down[2] = {out[0], out[1]};
        up[o] += step, down[o] -= step;
        CHECK(gradient[o] ==
              Approx((law_loss(law, reading, up, unused) - law_loss(law, reading, down, unused)) / (2 * step))
                  .epsilon(0.01));
      }
    }
}

TEST_CASE("[noticing] perceptron: learns a product, and the same seed gives the same weights") {
  const PerceptronTask task{.examples = 400,
                            .inputs =
                                [](std::size_t i, float* in) {
                                  in[0] = static_cast<float>(i % 20) / 10 - 1,
                                  in[1] = static_cast<float>(i / 20) / 10 - 1;
                                },
                            .loss =
                                [](std::size_t i, const float* out, float* gradient) {
                                  const float wanted = (static_cast<float>(i % 20) / 10 - 1) *
                                                       (static_cast<float>(i / 20) / 10 - 1);
                                  gradient[0] = out[0] - wanted;
                                  return 0.5 * gradient[0] * gradient[0];
                                }};
  Perceptron a = Perceptron::untrained(2, 16, 1, 1), b = Perceptron::untrained(2, 16, 1, 1);
  const double loss = train(a, task, {.steps = 3000, .batch = 16});
  CHECK(loss < 0.002);  // of a variance of 0.06
  train(b, task, {.steps = 3000, .batch = 16});
  CHECK(a.weights == b.weights);
  CHECK(Perceptron::weight_count(2, 16, 1) == 2 * 16 + 16 + 16 * 16 + 16 + 16 + 1);
}

TEST_CASE(
    "[noticing] law model: training repeats to the bit on any number of threads, and survives its file") {
  const LawModel one = train_laws(small_training, 1), two = train_laws(small_training, 2);
  const std::string text = law_model_json(one);
  CHECK(text == law_model_json(two));
  const LawModel read = parse_law_model(text, "here");
  CHECK(law_model_json(read) == text);
  const Scene scene = settle(
      make_scene(generate_level(find_generator("castles"), 2, 0, profile()), profile()));
  const Trace trace = run_shot(scene, {.angle = 0.4}, {.record_every = 2}).trace;
  CHECK(judge(read, scene, trace).p == judge(one, scene, trace).p);
  CHECK_THROWS_WITH(judge(one, scene, run_shot(scene, {.angle = 0.4}, {.record_every = 3}).trace),
                    Catch::Contains("every 3 steps"));
}

TEST_CASE("[noticing] law model: files that are none are refused") {
  const std::string good = law_model_json(shipped_laws(2));
  const auto refused = [&](const std::function<void(nlohmann::json&)>& spoil, const std::string& word) {
    nlohmann::json json = nlohmann::json::parse(good);
    spoil(json);
    CHECK_THROWS_WITH(parse_law_model(json.dump(), "file.json"),
                      Catch::Contains("file.json") && Catch::Contains(word));
  };
  refused([](auto& j) { j["format"] = "startle-level"; }, "startle-laws");
  refused([](auto& j) { j["laws"]["rub"].erase(0); }, "rub");
  refused([](auto& j) { j["laws"].erase("share"); }, "share");
  refused([](auto& j) { j["combined"][0]["quantiles"].erase(0); }, "19");
  refused([](auto& j) { j["training"]["width"] = 7; }, "width");
  refused([](auto& j) { j["training"]["pixel"] = -1; }, "pixel");
  refused([](auto& j) { j["training"]["film"] = 1; }, "no model of laws");
  refused([](auto& j) { j["version"] = 1; }, "version 2");
  CHECK_THROWS_WITH(parse_law_model("{", "file.json"), Catch::Contains("file.json"));
  CHECK_THROWS_WITH(shipped_laws(3), Catch::Contains("2 and 5"));
  CHECK_THROWS_WITH(train_laws({.calibration_levels = 0}), Catch::Contains("calibration_levels"));
}

TEST_CASE("[noticing] law model: normal shots have p at most 0.05 about so often, novel ones oftener") {
  const LawModel& model = shipped_laws(2);
  Rate normal, novel;
  const std::vector<LawShot> shots = draw_law_shots({.seed = 77, .levels = 50, .shots = 4, .steps_a_look = 2},
                                                    profile());
  for (const LawShot& shot : shots)
    normal.hits += judge(model, law_sums(model, shot.encounters)).p <= 0.05, ++normal.count;
  CHECK(normal.interval().low < 0.07);  // 200 shots: 0.05 +- 0.03
  CHECK(normal.interval().high > 0.03);
  const Novelty& slippery = find_novelty("ice-friction-down");
  for (std::size_t i = 0; i < 30; ++i) {
    const Scene scene = settle(
        make_scene(generate_level(generator_families()[i % 7], 78, i, profile()), profile()));
    const Scene world = novel_twin(scene, slippery);
    novel.hits +=
        judge(model, scene,
              run_shot(world, scene.birds.empty() ? Shot{} : Shot{.angle = radians(20)}, {.record_every = 2})
                  .trace)
            .p <= 0.05,
        ++novel.count;
  }
  CHECK(novel.interval().low > 0.05);
}

TEST_CASE("[noticing] law model: normal shots of each family have p at most 0.05 in 3 to 7 of 100",
          "[slow]") {
  const LawModel& model = shipped_laws(2);
  const std::size_t families = generator_families().size();
  std::vector<Rate> rates(families);
  for (const LawShot& shot :
       draw_law_shots({.seed = 905, .levels = 60 * families, .shots = 8, .steps_a_look = 2}, profile())) {
    Rate& rate = rates[shot.level % families];
    rate.hits += judge(model, law_sums(model, shot.encounters)).p <= 0.05, ++rate.count;
  }
  for (std::size_t f = 0; f < families; ++f) {
    INFO(generator_families()[f].name << ": " << rates[f].hits << " of " << rates[f].count);
    CHECK(rates[f].interval().low < 0.07);
    CHECK(rates[f].interval().high > 0.03);
  }
}

TEST_CASE("[noticing] law model: normal films have p at most 0.05 in 3 to 7 of 100", "[slow]") {
  const LawModel& model = shipped_film_laws();
  Rate rate;
  const std::vector<LawShot> shots = draw_law_shots(
      {.seed = 906, .levels = 8 * generator_families().size(), .shots = 4, .steps_a_look = 2, .film = true},
      profile());
  for (const LawShot& shot : shots)
    rate.hits += judge(model, law_sums(model, shot.encounters)).p <= 0.05, ++rate.count;
  INFO(rate.hits << " of " << rate.count);
  CHECK(rate.interval().low < 0.07);
  CHECK(rate.interval().high > 0.03);
}
