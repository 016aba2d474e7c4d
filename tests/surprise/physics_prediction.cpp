/// \file  Perfect physics one frame ahead, as the reference for predictors of frames.
#include "surprise/physics_prediction.hpp"

#include <numeric>

#include "core/error.hpp"
#include "levels/generators.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"
#include "surprise/evaluation.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

Scene level(const char* family, std::uint64_t index) {
  return settle(make_scene(generate_level(find_generator(family), 12, index, profile()), profile()));
}

double sum(const std::vector<double>& values, std::size_t from = 0) {
  return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(from), values.end(), 0.0);
}

FrameErrors errors_of(const Scene& normal, const ShotClip& seen, const ClipFormat& format) {
  return frame_errors(seen.clip, physics_prediction(normal, seen, format));
}

}  // namespace

TEST_CASE(
    "[surprise] physics prediction: a bird in free flight is where it is expected, once three frames have "
    "given its speed") {
  // Ten frames before the first contact, in a view wide enough for the bird's last half second: only the bird
  // moves in the first nine.
  const ClipFormat format{.frames = 11, .stride = 3, .lead = 10, .view = 12};
  int checked = 0;
  for (const char* family : {"towers", "castles", "rows"}) {
    const Scene scene = level(family, 0);
    const ShotClip clip = make_clip(scene, {.angle = radians(30)}, format);
    if (clip.cut.first_step == 0) continue;  // too near for so many frames
    const FrameErrors errors = errors_of(scene, clip, format);
    INFO(family);
    REQUIRE(errors.error.size() == 10);
    for (std::size_t t = 2; t < 8; ++t)
      if (errors.change[t] > 1) {
        CHECK(errors.error[t] < 0.02 * errors.change[t]);
        ++checked;
      }
  }
  CHECK(checked >= 8);
}

TEST_CASE(
    "[surprise] physics prediction: what lies stays where it is, and after the end of a shot nothing is "
    "expected to move") {
  const Scene scene = level("pyramids", 1);
  const ShotClip clip = make_clip(scene, {.angle = radians(20)}, {.frames = 60});
  const FrameErrors errors = errors_of(scene, clip, {.frames = 60});
  const std::size_t end = clip.trace.frames.size() - 1;
  std::size_t over = 0;
  for (std::size_t t = 0; t < errors.error.size(); ++t) {
    if (errors.change[t] < 1e-6 && t > 0) CHECK(errors.error[t] < 0.05);
    if (clip.cut.first_step + static_cast<int>(t) * ClipFormat{}.stride < static_cast<int>(end)) continue;
    CHECK(errors.error[t] < 1e-6);  // rounding of a byte
    ++over;
  }
  CHECK(over > 0);
  CHECK(sum(errors.error, 1) < 0.7 * sum(errors.change, 1));  // far better than copying, collisions between
                                                              // frames included
}

TEST_CASE(
    "[surprise] physics prediction: a world in which pigs fall at half the speed surprises more, in the "
    "falls") {
  // A pig is let fall from two units above the ground by what it stood on vanishing: the shot's first
  // contact.
  Level made{
      .birds = {"BirdRed"},
      .objects = {
          {.kind = Kind::pig, .type = "BasicSmall", .position = {3, 1}},
          {.kind = Kind::block, .type = "SquareSmall", .material = Material::wood, .position = {-1.5, -2}}}};
  const Scene normal = taken_at_rest(make_scene(made, profile()));
  const Scene novel = novel_twin(normal, find_novelty("T1"));
  Scene falls[2] = {normal, novel};
  double surprise[2];
  for (int w = 0; w < 2; ++w) {
    falls[w].rest_mark = 0;  // awake: the pig falls from the first step
    ShotClip seen{
        .clip = {}, .cut = {.view = {.centre = {3, -1}, .width = 4.6}, .first_step = 0}, .trace = {}};
    World world(falls[w], {.record_every = 1});
    for (int k = 0; k < 30; ++k) world.step();
    seen.trace = world.trace();
    const ClipFormat format{.frames = 5, .lead = 0};
    FramePainter painter(normal, seen.trace, Style::training);
    Bitmap picture(64, 64);
    seen.clip = {format.frames, format.pixels, {}, {}};
    for (int t = 0; t < format.frames; ++t) {
      painter.paint(seen.trace.frames[static_cast<std::size_t>(t * format.stride)], seen.cut.view, picture);
      seen.clip.rgb.insert(seen.clip.rgb.end(), picture.rgb.begin(), picture.rgb.end());
    }
    surprise[w] = sum(errors_of(normal, seen, format).error, 2);
  }
  CHECK(surprise[0] < 0.5);
  CHECK(surprise[1] > 10 * surprise[0]);
}

TEST_CASE(
    "[surprise] physics prediction: in the normal world exact speeds and more frames ahead end at the same "
    "places, and no frame ahead is refused") {
  // Up to the first contact nothing that is chaotic happens.
  const ClipFormat format{.frames = 11, .stride = 3, .lead = 10, .view = 12};
  const Scene scene = level("towers", 0);
  const ShotClip clip = make_clip(scene, {.angle = radians(30)}, format);
  for (const int frames_ahead : {1, 2, 4}) {
    const FrameErrors errors = frame_errors(
        clip.clip, physics_prediction(scene, clip, format, KnownSpeeds::exact, frames_ahead));
    for (std::size_t t = 0; t < 8; ++t) CHECK(errors.error[t] < 0.02 * errors.change[t] + 0.05);
  }
  CHECK_THROWS_AS(physics_prediction(scene, clip, format, KnownSpeeds::exact, 0), Error);
}

TEST_CASE(
    "[surprise] physics prediction: stands last among the predictors of an evaluation, and twins that are "
    "equal have equal errors") {
  EvaluationLevel one;
  one.level = {generate_level(find_generator("towers"), 11, 0, profile()), {}};
  one.level.difficulty = stored_p_level("T1", 0.9);
  one.novelty = &find_novelty("T1");
  const auto controls = make_controls();
  const Evaluation e = evaluate({one}, {controls[0].get()}, {}, {.physics = true}, profile());
  REQUIRE(e.predictors == std::vector<std::string>{controls[0]->name(), "physics", "physics, exact speeds",
                                                   "physics, 2 frames ahead",
                                                   "physics, exact speeds, 2 frames ahead"});
  REQUIRE_FALSE(e.twins.empty());
  for (const EvaluatedTwin& twin : e.twins) {
    REQUIRE(twin.predictors.size() == 5);
    for (std::size_t p = 1; p < 5; ++p) {
      CHECK(twin.predictors[p].normal.errors.change == twin.predictors[0].normal.errors.change);
      if (sum(twin.difference) == 0 && p != 2 && p != 4)  // exact speeds are those of the bodies' own world
        CHECK(twin.predictors[p].normal.errors.error == twin.predictors[p].novel.errors.error);
    }
  }
}
