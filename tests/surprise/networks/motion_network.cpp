#include "surprise/networks/motion_network.hpp"

#include <cmath>
#include <optional>

#include "core/random.hpp"
#include "render/palette.hpp"
#include "statistics/likelihood.hpp"
#include "surprise/displacement.hpp"
#include "surprise/networks/predrnn.hpp"
#include "surprise/networks/trainer.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;
using startle::testing::Folder;

namespace {

/// How much of the pixel from `at` to `at` + 1 lies between the two ends.
double covered(int at, double from, double to) {
  return std::max(0.0, std::min(to, at + 1.0) - std::max(from, static_cast<double>(at)));
}

/// A block that falls past the sky, with soft edges, gaining `gravity` pixels a frame each frame.
Clip falling_block(std::uint64_t number, MaterialClass material, double gravity) {
  Random random(stream_seed(number, "tests/falling block"));
  const ClipFormat format;
  const std::array<float, 3> rgb = flat_colour(material);
  const double width = random.uniform(4, 8), height = random.uniform(4, 8), vx = random.uniform(-1.5, 1.5);
  double x = random.uniform(20, 36), y = random.uniform(-2, 6), vy = random.uniform(0, 1);
  Clip clip{.frames = format.frames, .pixels = format.pixels, .rgb = {}, .masks = {}};
  for (int t = 0; t < format.frames; ++t, x += vx, y += vy, vy += gravity)
    for (int row = 0; row < format.pixels; ++row)
      for (int column = 0; column < format.pixels; ++column) {
        const double share = covered(column, x, x + width) * covered(row, y, y + height);
        const std::array<double, 3> sky{static_cast<double>(sky_flat.r), static_cast<double>(sky_flat.g),
                                        static_cast<double>(sky_flat.b)};
        for (std::size_t c = 0; c < 3; ++c)
          clip.rgb.push_back(static_cast<std::uint8_t>(
              std::lround((1 - share) * sky[c] + share * 255.0 * static_cast<double>(rgb[c]))));
      }
  return clip;
}

ClipSource falling_blocks(std::size_t count, std::uint64_t first) {
  return {.description = "falling blocks from " + std::to_string(first),
          .format = {},
          .count = count,
          .read = [first](const std::vector<std::size_t>& indices) {
            std::vector<Clip> clips;
            for (const std::size_t i : indices)
              clips.push_back(
                  falling_block(first + i, i % 2 == 0 ? MaterialClass::wood : MaterialClass::stone, 0.8));
            return clips;
          }};
}

LearningConfig small_config() {
  LearningConfig config = learning_config("small", Network::motion);
  config.model.channels = 8;
  config.training.batch = 4;
  config.training.steps = 60;
  config.training.learning_rate = 1e-2;
  config.training.validate_every = 20;
  config.training.validation_clips = 8;
  return config;
}

/// How far the fall is from its prediction, in the mean over what moves in a few clips; down is positive.
double mean_residual(Predictor& model, double gravity) {
  double sum = 0, count = 0;
  for (std::uint64_t number = 900; number < 906; ++number) {
    const Clip clip = falling_block(number, MaterialClass::stone, gravity);
    for (const MovingRegion& region : residuals(clip, model.predict({&clip})[0].frames).regions) {
      sum += region.residual.y;
      ++count;
    }
  }
  REQUIRE(count > 20);
  return sum / count;
}

}  // namespace

TEST_CASE("[networks] a motion network learns how fast things fall, and expects it of what falls otherwise") {
  Folder folder;
  const LearningConfig config = small_config();
  const TrainingResult result = train(config, falling_blocks(40, 0), falling_blocks(8, 500),
                                      {.out = folder / "run", .threads = 1, .device = "cpu"});
  CHECK(result.copy_last == Approx(0.8).margin(0.1));      // steady motion misses what is gained
  CHECK(result.best_validation < 0.4 * result.copy_last);  // 0.27, what is cut off by the frame included
  const auto model = load_predictor(folder / "run/model.safetensors", {.threads = 1, .device = "cpu"});
  const double normal = mean_residual(*model, 0.8), weaker = mean_residual(*model, 0.4);
  CHECK(std::fabs(normal) < 0.15);
  CHECK(weaker < normal - 0.2);  // half of 0.4 pixels

  const auto bits_a_value = [](Predictor& predictor, double gravity) {
    StatedLikelihood sum;
    for (std::uint64_t number = 900; number < 906; ++number) {
      const Clip clip = falling_block(number, MaterialClass::stone, gravity);
      const StatedLikelihood of_clip = predictor.predict({&clip})[0].stated.value();
      sum.nll += of_clip.nll;
      sum.values += of_clip.values;
    }
    return bits_per_dimension(sum.nll, sum.values);
  };
  const auto untrained = make_untrained(config.model, 1, {.threads = 1, .device = "cpu"});
  CHECK(bits_a_value(*model, 0.8) < bits_a_value(*untrained, 0.8));
  CHECK(bits_a_value(*model, 0.4) > bits_a_value(*model, 0.8));
}

TEST_CASE("[networks] a motion network states the likelihood of what regions gain") {
  MotionNetwork network(small_config().model, 1, at::kCPU);
  {
    const at::NoGradGuard no_gradients;
    network.weights().zero_();  // nothing gained is expected, with scale 1
  }
  const Clip clip = falling_block(3, MaterialClass::wood, 0.8);
  const ClipPlanes planes(clip);
  StatedLikelihood expected;
  for (int t = 1; t + 1 < clip.frames; ++t)
    for (const FollowedRegion& region : followed_regions(planes, t)) {
      const std::optional<Vec2> next = next_motion(planes, region);
      if (!next) continue;
      const double gained = length(*next - region.motion);
      expected.nll -= std::log(std::pow(1 + gained * gained / 4, -3) / (2 * M_PI));
      expected.values += 2;
    }
  const at::NoGradGuard no_gradients;
  const StatedLikelihood stated = network.predict(clip).stated.value();
  REQUIRE(expected.values >= 10);
  CHECK(stated.values == expected.values);
  CHECK(stated.nll == Approx(expected.nll));
}

TEST_CASE("[networks] a motion network is trained on equally many regions of each material") {
  // Four blocks of wood and a pig, which fall at once.
  Clip clip = falling_block(0, MaterialClass::pig, 0.3);
  const Clip sky = falling_block(0, MaterialClass::pig, 1000);  // gone after the first frame
  for (const std::uint64_t number : {1, 2, 3, 4}) {
    const Clip wood = falling_block(number, MaterialClass::wood, 0.3);
    for (std::size_t i = 0; i < clip.rgb.size(); ++i)
      if (wood.rgb[i] != sky.rgb[sky.rgb.size() - clip.frame_size() + i % clip.frame_size()])
        clip.rgb[i] = wood.rgb[i];
  }
  const MotionNetwork network(small_config().model, 1, at::kCPU);
  const at::Tensor regions = network.read({&clip})[0], materials = regions.select(1, regions.size(1) - 1);
  const auto count = [&](MaterialClass material) {
    return (materials == static_cast<int>(material)).sum().item<std::int64_t>();
  };
  CHECK(count(MaterialClass::pig) == 8);
  CHECK(count(MaterialClass::wood) == 8);
}

TEST_CASE("[networks] a motion network comes back from its file and predicts the same") {
  Folder folder;
  LearningConfig config = small_config();
  config.training.steps = 4;
  train(config, falling_blocks(8, 0), falling_blocks(8, 500),
        {.out = folder / "run", .threads = 1, .device = "cpu"});
  const auto path = folder / "run/model.safetensors";
  CHECK(read_model_config(path) == config.model);
  export_model(path, folder / "again.safetensors", false);
  const Clip clip = falling_block(3, MaterialClass::wood, 0.8);
  const auto a = load_predictor(path, {.threads = 1, .device = "cpu"}),
             b = load_predictor(folder / "again.safetensors", {.threads = 1, .device = "cpu"});
  const std::vector<Prediction> of_a = a->predict({&clip, &clip}), of_b = b->predict({&clip});
  CHECK(of_a[0].frames == of_b[0].frames);
  CHECK(of_a[1].frames == of_a[0].frames);
  REQUIRE(of_a[0].frames.size() == static_cast<std::size_t>(clip.frames - 1) * clip.frame_size());
  for (std::size_t i = 0; i < clip.frame_size(); ++i)  // of one frame alone: it stays
    REQUIRE(of_a[0].frames[i] == Approx(clip.rgb[i] / 255.0));
  Clip other = clip;
  other.pixels = 32;
  CHECK_THROWS_WITH(a->predict({&other}), Catch::Contains("the model needs 15 of 64"));
}

TEST_CASE("[networks] a motion network sees two frames: what moved before them changes nothing") {
  const LearningConfig config = small_config();
  const auto model = make_untrained(config.model, 4, {.threads = 1, .device = "cpu"});
  const Clip clip = falling_block(3, MaterialClass::wood, 0.8);
  Clip other = clip;
  std::fill_n(other.rgb.begin(), 2 * clip.frame_size(), std::uint8_t{0});
  const std::size_t at = 3 * clip.frame_size();  // of the prediction of frame 4, from 2 and 3
  const std::vector<float> a = model->predict({&clip})[0].frames, b = model->predict({&other})[0].frames;
  float most = 0;
  for (std::size_t i = at; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  CHECK(most < 1e-4F);  // to rounding: regions are convolved together
  CHECK(!std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(at), b.begin()));
}
