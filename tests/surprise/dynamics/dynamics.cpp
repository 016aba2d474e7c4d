/// \file  Contact events, mechanisms and the dynamics model.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/error.hpp"
#include "levels/generators.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"
#include "statistics/intervals.hpp"
#include "surprise/dynamics/dynamics_model.hpp"
#include "surprise/dynamics/dynamics_shots.hpp"
#include "tests/catch.hpp"
#include "tests/skip.hpp"

using namespace startle;

namespace {

/// A level with one square block of wood, and a trace in which it moves as given: poses every 0.04 s.
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
  void frame(Vec2 place, double angle = 0) {
    trace.frames.push_back({static_cast<int>(2 * trace.frames.size()), {{.id = 0, .pose = {place, angle}}}});
  }
};

/// The contact event of a body, by the number of the frame after it.
ContactEvent event_at(const std::vector<ContactEvent>& all, BodyId body, int frame) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ContactEvent& e) { return e.body == body && e.frame == frame; });
  REQUIRE(found != all.end());
  return *found;
}

/// All features: those named have the values given, all others are 0.
using Features = std::vector<std::pair<std::size_t, double>>;
template <std::size_t count>
void check_features(const std::array<float, count>& found, const Features& given) {
  std::array<double, count> expected{};
  for (const auto& [feature, value] : given) expected[feature] = value;
  for (std::size_t i = 0; i < count; ++i) {
    INFO("feature " << i);
    CHECK(found[i] == Approx(expected[i]).margin(1e-4));
  }
}

constexpr std::size_t flag(std::size_t first, MaterialClass material_class) {
  return first + static_cast<std::size_t>(material_class);
}

/// Blocks of wood and ice, 2 half_width by 2 half_height, and a trace to which frames are added by hand.
struct TwoBlocks {
  Scene scene;
  Trace trace{.step_s = 0.02, .record_every = 2};
  double half_width = 0, half_height = 0, radius = 0, slender = 0, ground = 0;
  TwoBlocks() {
    const LevelObject wood{
        .kind = Kind::block, .type = "SquareSmall", .material = Material::wood, .position = {2, 5}};
    LevelObject ice = wood;
    ice.material = Material::ice;
    ice.position = {4, 5};
    scene = taken_at_rest(make_scene({.birds = {"BirdRed"}, .objects = {wood, ice}}, profile()));
    half_width = 0.5 * bounds(*scene.objects[0].shape).width();
    half_height = 0.5 * bounds(*scene.objects[0].shape).height();
    radius = std::sqrt(4 * half_width * half_height / std::numbers::pi);
    slender = std::hypot(half_width, half_height) / radius - 1;
    ground = profile()->ground_y;
  }
  void frame(std::vector<BodyState> bodies) {
    trace.frames.push_back({static_cast<int>(2 * trace.frames.size()), std::move(bodies)});
  }
};

std::vector<MechanismObservation> observations(Mechanism mechanism, const std::vector<ContactEvent>& all) {
  std::vector<MechanismObservation> found;
  MechanismObservation observation;
  for (const ContactEvent& e : all)
    if (observe_mechanism(mechanism, e, observation)) found.push_back(observation);
  return found;
}

const DynamicsTraining small_training{.levels = 3, .calibration_levels = 2, .width = 8, .steps = 50};

}  // namespace

TEST_CASE("[dynamics] contact events: a falling block gains what gravity gives, by hand") {
  OneBlock block;
  // y = 5 - 2 t^2: from frame to frame the speed changes by -4 x 0.04 = -0.16 m/s.
  for (int k = 0; k < 6; ++k) block.frame({2, 5 - 2 * std::pow(0.04 * k, 2)});
  const std::vector<ContactEvent> all = contact_events(block.scene, block.trace);
  REQUIRE(all.size() == 4);  // a speed is known from frame 1 on, and the frame after frame 4 is the last
  for (const ContactEvent& e : all) {
    CHECK(e.self == MaterialClass::wood);
    CHECK_FALSE(e.meets);
  }
  const std::vector<MechanismObservation> falls = observations(Mechanism::gravity, all);
  REQUIRE(falls.size() == 4);
  for (const MechanismObservation& fall : falls) CHECK(fall.value == Approx(0.16).epsilon(1e-3));
  CHECK(observations(Mechanism::restitution, all).empty());
  for (const MechanismObservation& last : observations(Mechanism::survival, all)) CHECK(last.value == 0);
}

TEST_CASE("[dynamics] features: of a body in free flight, by hand") {
  TwoBlocks blocks;
  for (int k = 0; k < 6; ++k) {
    const double t = 0.04 * k;  // to the right at 1.5 m/s, gaining 4 m/s^2 downwards, turning left at 0.8
                                // rad/s
    blocks.frame({{0, {{2 + 1.5 * t, 5 - 2 * t * t}, 0.8 * t}, 1}});
  }
  blocks.scene.birds.assign({"BirdRed", "BirdYellow"});
  blocks.scene.next_bird = 1;
  const ContactEvent& e = event_at(contact_events(blocks.scene, blocks.trace), 0, 4);
  CHECK_FALSE(e.meets);
  using namespace context;  // the normal is up, the tangent to the right: turning left counts as less than 0
  check_features(e.context, {{flag(self_material, MaterialClass::wood), 1},
                             {context::size, std::log(blocks.radius / 0.3)},
                             {slenderness, blocks.slender},
                             {normal_speed, -0.4 / 3},
                             {tangent_speed, 0.5},
                             {rim_speed, -0.8 * blocks.radius / 3},
                             {normal_speed_change, -0.16 / 3},
                             {down_normal, -1},
                             {bird_type + 2, 1},
                             {shots_before, 0.5}});
  check_features(e.outcome, {{outcome::next_normal, -0.16}, {outcome::later_normal, -0.32}});
}

TEST_CASE("[dynamics] features: of a body that hits the ground, by hand") {
  TwoBlocks blocks;
  const double at_rest = blocks.ground + blocks.half_height;
  // To the left at 1.2 m/s, down at 3 m/s; 0.06 above the ground in frame 3. Leaves at 1.8 m/s, turning left
  // at 0.5 rad/s.
  for (int k = 0; k <= 3; ++k) blocks.frame({{0, {{2 - 0.048 * k, at_rest + 0.06 + 0.12 * (3 - k)}, 0}, 1}});
  blocks.frame({{0, {{1.856 - 0.042, at_rest}, 0}, 1}});
  blocks.frame({{0, {{1.856 - 0.078, at_rest + 0.072}, 0.02}, 1}});
  blocks.frame({{0, {{1.856 - 0.114, at_rest + 0.144}, 0.04}, 1}});
  const std::vector<ContactEvent> all = contact_events(blocks.scene, blocks.trace);
  const ContactEvent& e = event_at(all, 0, 4);
  CHECK(e.first == MaterialClass::fixed);
  CHECK(e.closing == Approx(3));
  CHECK(e.wait == Approx(0.5));
  CHECK(e.before == Approx(-3));
  using namespace context;  // the normal is up, the tangent to the left: turning left counts as more than 0
  check_features(e.context, {{flag(self_material, MaterialClass::wood), 1},
                             {context::size, std::log(blocks.radius / 0.3)},
                             {slenderness, blocks.slender},
                             {normal_speed, -1},
                             {tangent_speed, 0.4},
                             {down_normal, -1},
                             {contacts, 0.5},
                             {flag(first_material, MaterialClass::fixed), 1},
                             {first_wait, 0.5},
                             {first_slip_normal, -1},
                             {first_slip_tangent, 0.4},
                             {first_arm_normal, -blocks.half_height / blocks.radius},
                             {bird_type, 1}});
  check_features(e.outcome, {{outcome::next_normal, 1.5},
                             {outcome::next_tangent, -0.15},
                             {outcome::later_normal, 4.8},
                             {outcome::later_tangent, -0.3},
                             {outcome::later_rim, 0.5 * blocks.radius}});
  const ContactEvent& after = event_at(all, 0, 6);
  CHECK(after.context[rim_speed_change] * (after.context[rim_speed] > 0 ? 1 : -1) ==
        Approx(0.5 * blocks.radius / 3));
  CHECK(after.context[normal_speed_change] == Approx(3.3 / 3).epsilon(1e-3));
  CHECK(after.context[blows] == Approx(std::log1p(std::hypot(0.15, 1.5) - 1)).epsilon(1e-3));
}

TEST_CASE("[dynamics] features: of a body that meets another in flight, by hand") {
  TwoBlocks blocks;
  // Wood goes right at 2 and up at 0.6 m/s, ice left at 0.5, from frame 2 on at 1 m/s. They are 0.06 apart in
  // frame 3, and wood is 0.1 higher when they touch, half a frame interval later: the middle of what touches
  // is 0.05 below its centre.
  const double ice_x = 2 + 2 * blocks.half_width + 0.06;
  for (int k = 0; k <= 3; ++k)
    blocks.frame({{0, {{2 + 0.08 * (k - 3), 5.1 - 0.012 + 0.024 * (k - 3)}, 0}, 1},
                  {1, {{k == 3 ? ice_x : ice_x + 0.04 + 0.02 * (2 - k), 5}, 0}, 1}});
  blocks.frame({{0, {{2.04, 5.1}, 0}, 1}, {1, {{ice_x + 0.02, 5.002}, 0}, 1}});
  blocks.frame({{1, {{ice_x + 0.08, 5.006}, 0}, 1}});  // at 0.5, then 1.5 m/s; up at 0.05, then 0.1; wood is
                                                       // gone
  const ContactEvent& e = event_at(contact_events(blocks.scene, blocks.trace), 0, 4);
  CHECK(e.first == MaterialClass::ice);
  CHECK(e.closing == Approx(3));
  CHECK(e.before == Approx(-3));
  using namespace context;  // the normal is to the left, the tangent up
  check_features(e.context, {{flag(self_material, MaterialClass::wood), 1},
                             {context::size, std::log(blocks.radius / 0.3)},
                             {slenderness, blocks.slender},
                             {normal_speed, -2.0 / 3},
                             {tangent_speed, 0.2},
                             {down_tangent, -1},
                             {contacts, 0.5},
                             {flag(first_material, MaterialClass::ice), 1},
                             {first_size, std::log(blocks.radius / 0.3)},
                             {first_wait, 0.5},
                             {first_slip_normal, -1},
                             {first_slip_tangent, 0.2},
                             {first_arm_normal, -blocks.half_width / blocks.radius},
                             {first_arm_tangent, -0.05 / blocks.radius},
                             {first_other_arm, -0.05 / blocks.radius},
                             {first_normal_speed, 1.0 / 3},
                             {first_normal_speed_change, 0.5 / 3},
                             {bird_type, 1}});
  check_features(e.outcome, {{outcome::next_normal, 1},
                             {outcome::next_tangent, -0.3},
                             {outcome::gone_later, 1},
                             {outcome::partner_next_normal, -1.5},
                             {outcome::partner_next_tangent, 0.05},
                             {outcome::partner_later_normal, -2.5},
                             {outcome::partner_later_tangent, 0.1}});
  const ContactEvent& of_ice = event_at(contact_events(blocks.scene, blocks.trace), 1, 5);
  CHECK(of_ice.outcome[outcome::gone] == 0);
  CHECK(of_ice.outcome[outcome::partner_gone] == 1);
  CHECK(of_ice.context[first_gap] == Approx(0.04 / 0.05).epsilon(1e-3));
}

TEST_CASE("[dynamics] features: of a body that slides over the ground into another, by hand") {
  TwoBlocks blocks;
  const double y = blocks.ground + blocks.half_height, ice_x = 2 + 2 * blocks.half_width + 0.03;
  for (int k = 0; k < 6; ++k)
    blocks.frame({{0, {{2 + 0.08 * std::min(k - 3, 0), y}, 0}, 1}, {1, {{ice_x, y}, 0}, 1}});
  const ContactEvent& e = event_at(contact_events(blocks.scene, blocks.trace), 0, 4);
  CHECK(e.first == MaterialClass::ice);
  REQUIRE(e.meets_second);
  CHECK(e.second == MaterialClass::fixed);
  CHECK(e.context[context::contacts] == 1);
  const auto second = [&](std::size_t feature) { return Approx(e.context[feature]).margin(1e-4); };
  for (std::size_t s = 0; s < material_class_count; ++s)
    CHECK(second(context::second_material + s) ==
          (s == static_cast<std::size_t>(MaterialClass::fixed) ? 1 : 0));
  for (const std::size_t none : {context::second_size, context::second_gap, context::second_wait})
    CHECK(second(none) == 0);
  CHECK(second(context::second_slip_normal) == -2.0 / 3);  // the normal is to the left: out of the first
  CHECK(second(context::second_slip_tangent) == 0);
  CHECK(second(context::second_direction_normal) == 0);
  CHECK(std::fabs(e.context[context::second_direction_tangent]) == Approx(1));
  CHECK(e.context[context::second_direction_tangent] == Approx(-e.context[context::down_tangent]));
}

TEST_CASE("[dynamics] contact events: a bounce off the ground is read off as the speed afterwards, by hand") {
  OneBlock block;
  const double ground = profile()->ground_y, half = 0.37158 / 2;
  // Comes down at 3 m/s, touches the ground exactly at frame 3, and leaves at 1.2.
  for (int k = 0; k <= 3; ++k) block.frame({2, ground + half + 3 * 0.04 * (3 - k)});
  for (int k = 1; k <= 4; ++k) block.frame({2, ground + half + 1.2 * 0.04 * k});
  const std::vector<ContactEvent> all = contact_events(block.scene, block.trace);
  const std::vector<MechanismObservation> bounces = observations(Mechanism::restitution, all);
  REQUIRE_FALSE(bounces.empty());
  CHECK(bounces.back().value == Approx(1.2).margin(0.01));
  CHECK(bounces.back().sensitivity == Approx(3).epsilon(0.01));
  CHECK(bounces.back().own);
  CHECK_FALSE(bounces.back().others);
  // On its way down and up alone it says something of gravity.
  const auto touching = std::count_if(all.begin(), all.end(), [](const ContactEvent& e) { return e.meets; });
  CHECK(touching > 0);
  CHECK(observations(Mechanism::gravity, all).size() == all.size() - static_cast<std::size_t>(touching));
}

TEST_CASE("[dynamics] contact events: what vanishes is one event, and what lies still is left out") {
  OneBlock block;
  for (int k = 0; k < 4; ++k) block.frame({2 + 0.04 * k, 5});
  block.trace.frames.push_back({8, {}});
  block.trace.frames.push_back({10, {}});
  const std::vector<MechanismObservation> last = observations(Mechanism::survival,
                                                              contact_events(block.scene, block.trace));
  REQUIRE(last.size() == 3);
  CHECK(last[0].value + last[1].value + last[2].value == 1);
  CHECK(last[2].value == 1);
  OneBlock still;
  for (int k = 0; k < 8; ++k) still.frame({2, 5});
  CHECK(contact_events(still.scene, still.trace).empty());
  CHECK_THROWS_AS(contact_events(still.scene, Trace{}), Error);
}

TEST_CASE("[dynamics] contact events: the mirrored shot is the same contact event") {
  OneBlock right, left;
  for (int k = 0; k < 7; ++k) {
    const double t = 0.04 * k, x = 1.5 * t, y = 5 - 2 * t * t, angle = 0.8 * t;
    right.frame({x, y}, angle);
    left.frame({-x, y}, -angle);
  }
  const std::vector<ContactEvent> a = contact_events(right.scene, right.trace),
                                  b = contact_events(left.scene, left.trace);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < context_count; ++k)
      CHECK(a[i].context[k] == Approx(b[i].context[k]).margin(1e-4));
    for (std::size_t k = 0; k < outcome_count; ++k)
      CHECK(a[i].outcome[k] == Approx(b[i].outcome[k]).margin(1e-4));
  }
}

TEST_CASE("[dynamics] contact events: who sees to a pixel reads off speeds in steps of a pixel a frame") {
  OneBlock block;
  for (int k = 0; k < 12; ++k) {
    const double t = 0.04 * k;
    block.frame({2 + 1.3 * t, 5 - 0.5 * 9.81 * t * t}, 0.7 * t);
  }
  constexpr double pixel = 0.1, step = pixel / 0.04;
  const std::vector<ContactEvent> exact = contact_events(block.scene, block.trace),
                                  coarse = contact_events(block.scene, block.trace, pixel);
  REQUIRE_FALSE(coarse.empty());
  int off = 0;
  for (const ContactEvent& e : coarse)
    for (const std::size_t k : {outcome::next_normal, outcome::next_tangent}) {
      CHECK(std::remainder(e.outcome[k], step) == Approx(0).margin(1e-4));
      off += std::fabs(e.outcome[k]) > step / 2;
    }
  CHECK(off > 0);
  const std::vector<ContactEvent> fine = contact_events(block.scene, block.trace, 1e-7);
  REQUIRE(fine.size() == exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i)
    for (std::size_t k = 0; k < outcome_count; ++k)
      CHECK(fine[i].outcome[k] == Approx(exact[i].outcome[k]).margin(1e-3));
}

TEST_CASE("[dynamics] contact events: the colour of the bird and the shots before are in the context") {
  OneBlock block;
  for (int k = 0; k < 4; ++k) block.frame({2 + 0.04 * k, 5});
  const std::array<const char*, 6> birds{"BirdRed",   "BirdBlue",  "BirdYellow",
                                         "BirdBlack", "BirdWhite", "BirdRed"};
  block.scene.birds.assign(birds.begin(), birds.end());
  for (std::size_t next = 0; next < birds.size(); ++next) {
    block.scene.next_bird = next;
    const std::vector<ContactEvent> all = contact_events(block.scene, block.trace);
    REQUIRE_FALSE(all.empty());
    for (std::size_t type = 0; type < bird_type_count; ++type)
      CHECK(all[0].context[context::bird_type + type] == (type == next % 5 ? 1 : 0));
    CHECK(all[0].context[context::shots_before] == (next == 0 ? 0 : next == 1 ? 0.5f : 1));
  }
}

TEST_CASE(
    "[dynamics] mechanisms: a score has the sign of what is off, and grows no more beyond three scales") {
  const float out[2] = {1.f, 0.f};  // centre 1, scale 1
  const auto score = [&](float value, float sensitivity) {
    return score_of(Mechanism::restitution, {.value = value, .sensitivity = sensitivity}, out).value;
  };
  CHECK(score(1, 2) == 0);
  CHECK(score(2, 2) == Approx(2));
  CHECK(score(0, 2) == Approx(-2));
  CHECK(score(50, 2) == Approx(6));
  CHECK(score_of(Mechanism::restitution, {.value = 2, .sensitivity = 2}, out).information == Approx(4));
  const float even[1] = {0.f};  // a chance of one half
  CHECK(score_of(Mechanism::survival, {.value = 1, .sensitivity = -1}, even).value == Approx(-0.5));
  CHECK(score_of(Mechanism::survival, {.value = 0, .sensitivity = -1}, even).value == Approx(0.5));
  CHECK(score_of(Mechanism::survival, {.value = 0, .sensitivity = -1}, even).information == Approx(0.25));
}

TEST_CASE("[dynamics] mechanisms: the loss's derivatives are those of the loss") {
  for (const Mechanism mechanism : {Mechanism::friction, Mechanism::survival})
    for (const float value : {0.f, 1.f}) {
      const MechanismObservation observation{.value = value};
      float out[2] = {0.3f, -0.4f}, gradient[2] = {}, unused[2] = {};
      mechanism_loss(mechanism, observation, out, gradient);
      for (int o = 0; o < (mechanism == Mechanism::survival ? 1 : 2); ++o) {
        constexpr float step = 1e-2f;
        float up[2] = {out[0], out[1]}, down[2] = {out[0], out[1]};
        up[o] += step, down[o] -= step;
        CHECK(gradient[o] == Approx((mechanism_loss(mechanism, observation, up, unused) -
                                     mechanism_loss(mechanism, observation, down, unused)) /
                                    (2 * step))
                                 .epsilon(0.01));
      }
    }
}

TEST_CASE("[dynamics] perceptron: learns a product, and the same seed gives the same weights") {
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
    "[dynamics] mechanism model: training repeats to the bit on any number of threads, and survives its "
    "file") {
  const DynamicsModel one = train_dynamics(small_training, 1), two = train_dynamics(small_training, 2);
  const std::string text = dynamics_model_json(one);
  CHECK(text == dynamics_model_json(two));
  const DynamicsModel read = parse_dynamics_model(text, "here");
  CHECK(dynamics_model_json(read) == text);
  const Scene scene = settle(
      make_scene(generate_level(find_generator("castles"), 2, 0, profile()), profile()));
  const Trace trace = run_shot(scene, {.angle = 0.4}, {.record_every = 2}).trace;
  CHECK(detect(read, scene, trace).p == detect(one, scene, trace).p);
  CHECK_THROWS_WITH(detect(one, scene, run_shot(scene, {.angle = 0.4}, {.record_every = 3}).trace),
                    Catch::Contains("every 3 steps"));
}

TEST_CASE("[dynamics] mechanism model: files that are none are refused") {
  const std::string good = dynamics_model_json(shipped_dynamics(2));
  const auto refused = [&](const std::function<void(nlohmann::json&)>& spoil, const std::string& word) {
    nlohmann::json json = nlohmann::json::parse(good);
    spoil(json);
    CHECK_THROWS_WITH(parse_dynamics_model(json.dump(), "file.json"),
                      Catch::Contains("file.json") && Catch::Contains(word));
  };
  refused([](auto& j) { j["format"] = "startle-level"; }, "startle-dynamics");
  refused([](auto& j) { j["format"] = "startle-laws"; }, "made before the words were renamed");
  refused([](auto& j) { j["mechanisms"]["friction"].erase(0); }, "friction");
  refused([](auto& j) { j["mechanisms"].erase("momentum_transfer"); }, "momentum_transfer");
  refused([](auto& j) { j["combined"][0]["quantiles"].erase(0); }, "19");
  refused([](auto& j) { j["training"]["width"] = 7; }, "width");
  refused([](auto& j) { j["training"]["pixel"] = -1; }, "pixel");
  refused([](auto& j) { j["training"]["video"] = 1; }, "no dynamics model");
  refused([](auto& j) { j["version"] = 1; }, "version 5");
  refused([](auto& j) { j["body_correlations"]["gravity"] = 1.5; }, "body_correlations: gravity");
  refused([](auto& j) { j["body_correlations"].erase("friction"); }, "friction");
  CHECK_THROWS_WITH(parse_dynamics_model("{", "file.json"), Catch::Contains("file.json"));
  CHECK_THROWS_WITH(shipped_dynamics(3), Catch::Contains("2 and 5"));
  CHECK_THROWS_WITH(train_dynamics({.calibration_levels = 0}), Catch::Contains("calibration_levels"));
}

TEST_CASE("[dynamics] mechanism model: normal shots have p at most 0.05 about so often, novel ones oftener") {
  const DynamicsModel& model = shipped_dynamics(2);
  Rate normal, novel;
  const std::vector<DynamicsShot> shots = draw_dynamics_shots(
      {.seed = 77, .levels = 50, .shots = 4, .stride = 2}, profile());
  for (const DynamicsShot& shot : shots)
    normal.hits += detect(model, mechanism_sums(model, shot.contact_events)).p <= 0.05, ++normal.count;
  CHECK(normal.interval().low < 0.07);  // 200 shots: 0.05 +- 0.03
  CHECK(normal.interval().high > 0.03);
  const Novelty& slippery = find_novelty("ice-friction-down");
  for (std::size_t i = 0; i < 30; ++i) {
    const Scene scene = settle(
        make_scene(generate_level(generator_families()[i % 7], 78, i, profile()), profile()));
    const Scene world = novel_twin(scene, slippery);
    novel.hits +=
        detect(model, scene,
               run_shot(world, scene.birds.empty() ? Shot{} : Shot{.angle = radians(20)}, {.record_every = 2})
                   .trace)
            .p <= 0.05,
        ++novel.count;
  }
  CHECK(novel.interval().low > 0.05);
}

TEST_CASE(
    "[dynamics] mechanism model: normal shots at stones that tip over have small p about as often as "
    "others") {
  const char* folder = std::getenv("STARTLE_LEVELS");
  if (folder == nullptr) {
    TEST_IS_SKIPPED("STARTLE_LEVELS names no folder of real level files");
    return;
  }
  const Level level = read_level(std::filesystem::path(folder) / "phyq/3_2_1_1.xml");
  const Scene scene = settle(make_scene(level, profile()));
  Random random(5);
  Rate rate;
  for (int i = 0; i < 60; ++i) {
    const Shot shot{.angle = radians(random.uniform(5, 75))};
    rate.hits += detect(shipped_dynamics(2), scene, run_shot(scene, shot, {.record_every = 2}).trace).p <=
                 0.05;
    ++rate.count;
  }
  INFO(rate.hits << " of " << rate.count);
  CHECK(rate.interval().low < 0.07);
}

TEST_CASE("[dynamics] mechanism model: normal shots of solutions have p at most 0.05 in 3 to 7 of 100",
          "[slow]") {
  const DynamicsModel& model = shipped_dynamics(2);
  Rate rate;
  for (const DynamicsShot& shot :
       draw_dynamics_shots({.seed = 907, .levels = 280, .played = true, .stride = 2}, profile()))
    rate.hits += detect(model, mechanism_sums(model, shot.contact_events)).p <= 0.05, ++rate.count;
  INFO(rate.hits << " of " << rate.count);
  CHECK(rate.count > 3 * 280);  // two shots at random targets, and the solution
  CHECK(rate.interval().low < 0.07);
  CHECK(rate.interval().high > 0.03);
}

TEST_CASE(
    "[dynamics] mechanism model: as many bodies end as survival expects, which learns of few safe ones") {
  const DynamicsModel model = train_dynamics(
      {.levels = 40, .calibration_levels = 1, .width = 16, .steps = 4000});
  double expected = 0, ended = 0;
  MechanismObservation observation;
  for (const DynamicsShot& shot : draw_dynamics_shots({.seed = 78, .levels = 20, .stride = 2}, profile()))
    for (const ContactEvent& event : shot.contact_events) {
      if (!observe_mechanism(Mechanism::survival, event, observation)) continue;
      float log_odds[2] = {};
      model.mechanisms[static_cast<std::size_t>(Mechanism::survival)].evaluate(observation.known.data(),
                                                                               log_odds);
      expected += 1 / (1 + std::exp(-log_odds[0]));
      ended += observation.value;
    }
  CHECK(ended > 100);
  CHECK(expected > 0.7 * ended);
  CHECK(expected < 1.4 * ended);
}

TEST_CASE("[dynamics] mechanism model: a mechanism without observations, or without ranks, has no p-value") {
  DynamicsModel model = shipped_dynamics(2);
  MechanismSums sums{};
  const auto wood = static_cast<std::size_t>(MaterialClass::wood),
             friction = static_cast<std::size_t>(Mechanism::friction),
             first = 2 * (wood * mechanism_count + friction);
  for (const auto& p : detect(model, sums).p_values) CHECK_FALSE(p);
  sums[wood][friction] = {.score = -30, .information = 100};
  const PValues found = detect(model, sums).p_values;
  REQUIRE(found.size() == statistic_count);
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(found[i].has_value() == (i == first || i == first + 1));
  CHECK(*found[first] < 0.05);
  CHECK(*found[first] + *found[first + 1] == Approx(1));
  model.ranks[wood][friction] = {};
  for (const auto& p : detect(model, sums).p_values) CHECK_FALSE(p);
}

TEST_CASE("[dynamics] mechanism model: ranked anew, a model is as trained with these settings") {
  const DynamicsModel trained = train_dynamics(small_training);
  DynamicsModel ranked = trained;
  ranked.combined = {};
  ranked.ranks = {};
  ranked.body_correlations = {};
  rank_normal_shots(ranked);
  CHECK(dynamics_model_json(ranked) == dynamics_model_json(trained));
}

TEST_CASE("[dynamics] mechanism model: normal shots of each family have p at most 0.05 in 3 to 7 of 100",
          "[slow]") {
  const DynamicsModel& model = shipped_dynamics(2);
  const std::size_t families = generator_families().size();
  std::vector<Rate> rates(families);
  for (const DynamicsShot& shot :
       draw_dynamics_shots({.seed = 905, .levels = 60 * families, .shots = 8, .stride = 2}, profile())) {
    Rate& rate = rates[shot.level % families];
    rate.hits += detect(model, mechanism_sums(model, shot.contact_events)).p <= 0.05, ++rate.count;
  }
  for (std::size_t f = 0; f < families; ++f) {
    INFO(generator_families()[f].name << ": " << rates[f].hits << " of " << rates[f].count);
    CHECK(rates[f].interval().low < 0.07);
    CHECK(rates[f].interval().high > 0.03);
  }
}

TEST_CASE("[dynamics] mechanism model: normal videos have p at most 0.05 in 3 to 7 of 100", "[slow]") {
  const DynamicsModel& model = shipped_video_dynamics();
  Rate rate;
  const std::vector<DynamicsShot> shots = draw_dynamics_shots(
      {.seed = 906, .levels = 8 * generator_families().size(), .shots = 4, .stride = 2, .video = true},
      profile());
  for (const DynamicsShot& shot : shots)
    rate.hits += detect(model, mechanism_sums(model, shot.contact_events)).p <= 0.05, ++rate.count;
  INFO(rate.hits << " of " << rate.count);
  CHECK(rate.interval().low < 0.07);
  CHECK(rate.interval().high > 0.03);
}
