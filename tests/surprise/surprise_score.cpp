#include "surprise/surprise_score.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// A clip of frames of 1 x 1 pixel: one value for all three channels of each frame.
Clip grey_clip(const std::vector<int>& values) {
  Clip clip{.frames = static_cast<int>(values.size()), .pixels = 1, .rgb = {}, .masks = {}};
  for (int v : values) clip.rgb.insert(clip.rgb.end(), 3, static_cast<std::uint8_t>(v));
  return clip;
}

/// What each frame was predicted as, in 255ths.
std::vector<int> predicted(Predictor& predictor, const Clip& clip) {
  std::vector<int> values;
  const std::vector<float> frames = predictor.predict({&clip}).at(0).frames;
  for (std::size_t i = 0; i < frames.size(); i += 3)
    values.push_back(static_cast<int>(std::lround(255 * frames[i])));
  return values;
}

}  // namespace

TEST_CASE("[surprise] controls: copy-last and linear extrapolation by hand") {
  // 2 * 20 - 10 = 30; 2 * 200 - 20 = 380, clipped to 255; 2 * 40 - 200 = -120, clipped to 0.
  const Clip clip = grey_clip({10, 20, 200, 40, 0});
  CHECK(predicted(*make_copy_last(), clip) == std::vector<int>{10, 20, 200, 40});
  CHECK(predicted(*make_linear_extrapolation(), clip) == std::vector<int>{10, 30, 255, 0});
}

TEST_CASE("[surprise] controls: channels and pixels are kept apart, clips come back in order") {
  Random random(1);
  std::vector<Clip> clips;
  for (int c = 0; c < 3; ++c) {
    clips.push_back({.frames = 4, .pixels = 4, .rgb = std::vector<std::uint8_t>(4 * 4 * 4 * 3), .masks = {}});
    for (std::uint8_t& v : clips.back().rgb) v = static_cast<std::uint8_t>(random.integer(0, 255));
  }
  const std::vector<Prediction> copies = make_copy_last()->predict({&clips[0], &clips[1], &clips[2]});
  REQUIRE(copies.size() == 3);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < copies[c].frames.size(); ++i)
      CHECK(copies[c].frames[i] == clips[c].rgb[i] / 255.0F);
}

TEST_CASE("[surprise] controls: a clip whose bytes do not fit its frames is refused") {
  Clip clip = grey_clip({1, 2, 3});
  clip.rgb.pop_back();
  CHECK_THROWS_AS(make_copy_last()->predict({&clip}), Error);
}

TEST_CASE("[surprise] frame errors: squared differences from prediction and from the frame before") {
  const Clip clip = grey_clip({0, 51, 153});  // 0, 0.2, 0.6
  Prediction prediction;
  prediction.frames = {0.1F, 0.2F, 0.5F, 0.6F, 0.6F, 0.6F};
  const FrameErrors errors = frame_errors(clip, prediction);
  // (0.1-0.2)^2 + 0 + (0.5-0.2)^2 = 0.1; the change is 3 * 0.2^2 = 0.12, then 3 * 0.4^2 = 0.48.
  REQUIRE(errors.error.size() == 2);
  CHECK(errors.error[0] == Approx(0.1).epsilon(1e-6));
  CHECK(errors.error[1] == Approx(0).margin(1e-12));
  CHECK(errors.change[0] == Approx(0.12));
  CHECK(errors.change[1] == Approx(0.48));
  prediction.frames.pop_back();
  CHECK_THROWS_AS(frame_errors(clip, prediction), Error);
}

TEST_CASE("[surprise] clip scores by hand") {
  const FrameErrors errors{.error = {1, 4, 0}, .change = {1, 0, 3}};
  CHECK(clip_score(errors, ClipScore::sum) == Approx(5));
  CHECK(clip_score(errors, ClipScore::mean) == Approx(5.0 / 3));
  CHECK(clip_score(errors, ClipScore::maximum) == Approx(4));
  CHECK(clip_score(errors, ClipScore::log) == Approx(std::log(1.1) + std::log(4.1) + std::log(0.1)));
  CHECK(clip_score(errors, ClipScore::relative) == Approx(1.0 / 2 + 4.0 / 1 + 0));
  CHECK_THROWS_AS(clip_score(FrameErrors{}, ClipScore::sum), Error);
}

TEST_CASE("[surprise] clip scores: each rises with the error of any frame, and the sum stands first") {
  Random random(2);
  CHECK(clip_scores().front() == ClipScore::sum);
  for (int trial = 0; trial < 100; ++trial) {
    FrameErrors errors;
    for (int t = 0; t < 5; ++t) {
      errors.error.push_back(random.uniform(0, 10));
      errors.change.push_back(random.uniform(0, 10));
    }
    FrameErrors worse = errors;
    worse.error[static_cast<std::size_t>(random.integer(0, 4))] += 11;
    for (ClipScore score : clip_scores()) {
      INFO(name(score));
      CHECK(clip_score(worse, score) > clip_score(errors, score));
    }
  }
}
