#include "surprise/networks/predrnn_network.hpp"

#include <torch/types.h>
#include <torch/utils.h>

#include <Eigen/Core>
#include <array>

#include "core/error.hpp"
#include "surprise/networks/predrnn.hpp"
#include "surprise/networks/schedule.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"
#include "tests/surprise/networks/moving_squares.hpp"

using namespace startle;

namespace {

ModelConfig small_model() {
  return {
      .layers = 3, .channels = 5, .kernel = 3, .patch = 2, .clips = {.frames = 5, .pixels = 8, .lead = 1}};
}

/// One array a channel.
using Maps = std::vector<Eigen::ArrayXXd>;

Maps part(const Maps& maps, std::size_t index, std::size_t size) {
  return {maps.begin() + static_cast<std::ptrdiff_t>(index * size),
          maps.begin() + static_cast<std::ptrdiff_t>((index + 1) * size)};
}

/// The definition of a convolution with zero padding, tap by tap: out[o](y, x) = sum over i, dy, dx of
/// w[o][i][dy][dx] in[i](y + dy - r, x + dx - r).
Maps convolution(const Maps& in, const NamedTensor& weight) {
  const Eigen::Index rows = in[0].rows(), columns = in[0].cols(),
                     k = static_cast<Eigen::Index>(weight.shape[2]), r = k / 2;
  REQUIRE(weight.shape[1] == static_cast<std::int64_t>(in.size()));
  Maps out(static_cast<std::size_t>(weight.shape[0]), Eigen::ArrayXXd::Zero(rows, columns));
  std::size_t w = 0;
  for (Eigen::ArrayXXd& target : out)
    for (const Eigen::ArrayXXd& source : in)
      for (Eigen::Index dy = 0; dy < k; ++dy)
        for (Eigen::Index dx = 0; dx < k; ++dx, ++w)
          for (Eigen::Index y = 0; y < rows; ++y)
            for (Eigen::Index x = 0; x < columns; ++x) {
              const Eigen::Index sy = y + dy - r, sx = x + dx - r;
              if (sy >= 0 && sy < rows && sx >= 0 && sx < columns)
                target(y, x) += static_cast<double>(weight.values[w]) * source(sy, sx);
            }
  return out;
}

Eigen::ArrayXXd sigmoid(const Eigen::ArrayXXd& a) { return 1 / (1 + (-a).exp()); }

/// The equations of surprise/networks/predrnn_network.hpp for one clip of true frames, [T][channel] ->
/// predictions [T
/// - 1][channel] and the top's last h.
std::pair<std::vector<Maps>, Maps> plain_predrnn(const std::vector<Maps>& frames, const ModelConfig& config,
                                                 const std::map<std::string, NamedTensor>& weights) {
  const std::size_t n = static_cast<std::size_t>(config.channels);
  const Eigen::ArrayXXd zero = Eigen::ArrayXXd::Zero(frames[0][0].rows(), frames[0][0].cols());
  std::vector<Maps> h(static_cast<std::size_t>(config.layers), Maps(n, zero)), c = h;
  Maps m(n, zero);
  std::vector<Maps> predictions;
  for (std::size_t t = 0; t + 1 < frames.size(); ++t) {
    Maps x = frames[t];
    for (std::size_t l = 0; l < h.size(); ++l) {
      const std::string prefix = "layers." + std::to_string(l) + ".conv_";
      const Maps fx = convolution(x, weights.at(prefix + "x")),
                 fh = convolution(h[l], weights.at(prefix + "h")),
                 fm = convolution(m, weights.at(prefix + "m"));
      const auto of_x = [&](std::size_t index, std::size_t i) { return part(fx, index, n)[i]; };
      const auto of_h = [&](std::size_t index, std::size_t i) { return part(fh, index, n)[i]; };
      const auto of_m = [&](std::size_t index, std::size_t i) { return part(fm, index, n)[i]; };
      for (std::size_t i = 0; i < n; ++i) {
        c[l][i] = sigmoid(of_x(1, i) + of_h(1, i) + config.forget_bias) * c[l][i] +
                  sigmoid(of_x(0, i) + of_h(0, i)) * (of_x(2, i) + of_h(2, i)).tanh();
        m[i] = sigmoid(of_x(4, i) + of_m(1, i) + config.forget_bias) * m[i] +
               sigmoid(of_x(3, i) + of_m(0, i)) * (of_x(5, i) + of_m(2, i)).tanh();
      }
      Maps both = c[l];
      both.insert(both.end(), m.begin(), m.end());
      const Maps o = convolution(both, weights.at(prefix + "o")),
                 last = convolution(both, weights.at(prefix + "last"));
      for (std::size_t i = 0; i < n; ++i) h[l][i] = sigmoid(of_x(6, i) + of_h(3, i) + o[i]) * last[i].tanh();
      x = h[l];
    }
    predictions.push_back(convolution(x, weights.at("conv_out")));
  }
  return {predictions, h.back()};
}

at::Tensor clips_of(const ModelConfig& config, std::int64_t count) {
  std::vector<Clip> clips;
  for (std::int64_t i = 0; i < count; ++i)
    clips.push_back(moving_squares(config.clips, static_cast<std::uint64_t>(i)));
  std::vector<const Clip*> pointers;
  for (const Clip& clip : clips) pointers.push_back(&clip);
  return stack_clips(pointers, config.clips);
}

}  // namespace

TEST_CASE("patches hold each pixel once, in the order stated") {
  const at::Tensor frames = clips_of(small_model(), 2);
  const at::Tensor patches = to_patches(frames, 2);
  REQUIRE(patches.sizes() == at::IntArrayRef{5, 2, 12, 4, 4});
  // Clip 1, frame 3, pixel (row 5, column 2), green: patch (2, 1), inside it (1, 0).
  CHECK(patches[3][1][(1 * 2 + 0) * 3 + 1][2][1].item<float>() ==
        Approx(frames[1][3][5][2][1].item<int>() / 255.0));
  CHECK(at::equal(from_patches(patches, 2).mul(255).round().to(at::kByte), frames));
}

TEST_CASE("parameter counts are those published for PredRNN") {
  // OpenSTL's 23.8 M for 4 x 128, kernel 5 is of grey frames; these are of colour, measured on the authors'
  // code, and by the formula: per layer k^2 (7 c_in h + 9 h^2) + 2 h^2, and h patch^2 3 of the output.
  const auto count = [](int layers, int channels, int kernel) {
    return PredRnnNetwork({.layers = layers, .channels = channels, .kernel = kernel, .patch = 4}, 1, at::kCPU)
        .weights()
        .numel();
  };
  CHECK(count(4, 128, 5) == 24'559'616);
  CHECK(count(4, 128, 3) == 8'929'280);
  CHECK(count(4, 64, 3) == 2'330'624);
  CHECK(count(4, 32, 5) == 1'737'728);
  CHECK(count(4, 32, 3) == 631'808);
  CHECK(count(2, 32, 3) == 332'800);
  // Patches of 2 x 2 x 3 = 12 numbers: 9 (7 x 12 x 5 + 9 x 25) + 50, twice 9 (7 x 25 + 9 x 25) + 50, and 5
  // x 12.
  CHECK(PredRnnNetwork(small_model(), 1, at::kCPU).weights().numel() == 5855 + 2 * 3650 + 60);
}

TEST_CASE("the first weights follow from the seed, inside PyTorch's bounds") {
  PredRnnNetwork a(small_model(), 3, at::kCPU), b(small_model(), 3, at::kCPU), c(small_model(), 4, at::kCPU);
  CHECK(at::equal(a.weights(), b.weights()));
  CHECK_FALSE(at::equal(a.weights(), c.weights()));
  const NamedTensor weight = a.named(a.weights()).at("layers.1.conv_o");  // fan-in 10 x 3 x 3
  const auto [low, high] = std::minmax_element(weight.values.begin(), weight.values.end());
  CHECK(*high <= 1 / std::sqrt(90.0));
  CHECK(*high > 0.95 / std::sqrt(90.0));
  CHECK(*low < -0.95 / std::sqrt(90.0));
}

TEST_CASE("a forward pass is that of the equations written plainly") {
  ModelConfig config = small_model();
  config.forget_bias = GENERATE(1.0, 2.5);
  PredRnnNetwork network(config, 11, at::kCPU);
  const torch::NoGradGuard no_gradients;
  network.weights().mul_(4);  // so that the gates are far from linear
  const at::Tensor patches = to_patches(clips_of(config, 2), config.patch);
  const NetworkOutput output = network.forward(patches);
  REQUIRE(output.predictions.sizes() == at::IntArrayRef{4, 2, 12, 4, 4});
  for (std::int64_t clip = 0; clip < 2; ++clip) {
    std::vector<Maps> frames;
    for (std::int64_t t = 0; t < 5; ++t) {
      Maps maps;
      for (std::int64_t channel = 0; channel < 12; ++channel)
        maps.push_back(Eigen::ArrayXXd::NullaryExpr(4, 4, [&](Eigen::Index y, Eigen::Index x) {
          return patches[t][clip][channel][y][x].item<double>();
        }));
      frames.push_back(maps);
    }
    const auto [predictions, hidden] = plain_predrnn(frames, config, network.named(network.weights()));
    double worst = 0;
    for (std::size_t t = 0; t < 4; ++t)
      for (std::size_t channel = 0; channel < 12; ++channel)
        for (Eigen::Index y = 0; y < 4; ++y)
          for (Eigen::Index x = 0; x < 4; ++x)
            worst = std::max(worst, std::abs(predictions[t][channel](y, x) -
                                             output
                                                 .predictions[static_cast<std::int64_t>(t)][clip]
                                                             [static_cast<std::int64_t>(channel)][y][x]
                                                 .item<double>()));
    CHECK(worst < 1e-5);
    CHECK(std::abs(hidden[2](1, 3) - output.hidden[clip][2][1][3].item<double>()) < 1e-5);
  }
}

TEST_CASE("gradients of a cell are those of differences, in double") {
  const at::TensorOptions real = at::TensorOptions(at::kDouble);
  at::manual_seed(5);
  const std::int64_t n = 2;
  const auto leaf = [&](at::IntArrayRef shape) {
    return at::randn(shape, real).mul_(0.5).set_requires_grad(true);
  };
  const CellWeights weights{leaf({7 * n, 3, 3, 3}), leaf({4 * n, n, 3, 3}), leaf({3 * n, n, 3, 3}),
                            leaf({n, 2 * n, 3, 3}), leaf({n, 2 * n, 1, 1})};
  const at::Tensor x = leaf({2, 3, 3, 3});
  const CellState before{leaf({2, n, 3, 3}), leaf({2, n, 3, 3}), leaf({2, n, 3, 3})};
  const at::Tensor mix = at::randn({3, 2, n, 3, 3}, real);  // so that h, c and m all count, each value with a
                                                            // weight of its own
  const auto loss = [&] {
    const CellState next = st_lstm_step(x, before, join(weights));
    return (mix[0] * next.h + mix[1] * next.c + mix[2] * next.m).sum();
  };
  loss().backward();
  for (const at::Tensor& input :
       {weights.x, weights.h, weights.m, weights.o, weights.last, x, before.h, before.c, before.m}) {
    REQUIRE(input.grad().defined());
    const torch::NoGradGuard no_gradients;
    double* values = input.data_ptr<double>();
    double worst = 0;
    for (std::int64_t i = 0; i < input.numel(); i += 1 + input.numel() / 40) {
      constexpr double step = 1e-5;
      const double there = values[i];
      values[i] = there + step;
      const double above = loss().item<double>();
      values[i] = there - step;
      const double below = loss().item<double>();
      values[i] = there;
      worst = std::max(worst, std::abs((above - below) / (2 * step) - input.grad().data_ptr<double>()[i]));
    }
    CHECK(worst < 1e-8);
  }
}

TEST_CASE("inputs that are the network's own predictions are fed back, and no others") {
  const ModelConfig config = small_model();
  PredRnnNetwork network(config, 2, at::kCPU);
  const torch::NoGradGuard no_gradients;
  const at::Tensor patches = to_patches(clips_of(config, 3), config.patch);
  const at::Tensor truth = network.forward(patches).predictions;
  CHECK(at::allclose(network.forward(patches, Precision::float32, at::zeros({4, 3, 1, 1, 1})).predictions,
                     truth, 1e-5, 1e-6));
  // Clip 1 is fed its prediction of frame 2; the same as a clip that has this prediction as its frame.
  at::Tensor own = at::zeros({4, 3, 1, 1, 1});
  own[2][1] = 1;
  at::Tensor changed = patches.clone();
  changed[2][1] = truth[1][1];
  const at::Tensor fed = network.forward(patches, Precision::float32, own).predictions;
  CHECK(at::allclose(fed, network.forward(changed).predictions, 1e-5, 1e-6));
  CHECK_FALSE(at::allclose(fed.select(1, 1), truth.select(1, 1), 1e-5, 1e-6));
}

TEST_CASE(
    "a residual network adds its output to the input it read last, its own prediction where it was fed "
    "that") {
  ModelConfig config = small_model();
  PredRnnNetwork plain(config, 5, at::kCPU);
  config.residual = true;
  PredRnnNetwork residual(config, 5, at::kCPU);
  const torch::NoGradGuard no_gradients;
  const at::Tensor patches = to_patches(clips_of(config, 2), config.patch);
  const at::Tensor predictions = residual.forward(patches).predictions;
  CHECK(at::allclose(predictions, plain.forward(patches).predictions + patches.narrow(0, 0, 4), 1e-5, 1e-6));
  at::Tensor own = at::zeros({4, 2, 1, 1, 1});
  own[3][0] = 1;
  at::Tensor changed = patches.clone();
  changed[3][0] = predictions[2][0];
  CHECK(at::allclose(residual.forward(patches, Precision::float32, own).predictions,
                     residual.forward(changed).predictions, 1e-5, 1e-6));
}

TEST_CASE(
    "a pixel that changes counts as much more in the loss as the configuration says, in all its colours") {
  // A network of zeros that predicts the frame before: the error is what changed. Two frames of 4 x 4 pixels,
  // two of which change: one by 0.6 in red, one by 0.01, which nobody sees.
  const ModelConfig config{.layers = 1,
                           .channels = 1,
                           .kernel = 1,
                           .patch = 2,
                           .residual = true,
                           .clips = {.frames = 3, .pixels = 4, .lead = 0}};
  PredRnnNetwork network(config, 1, at::kCPU);
  {
    const torch::NoGradGuard no_gradients;
    network.weights().zero_();
  }
  at::Tensor clips = at::full({1, 3, 4, 4, 3}, 0.2);
  clips[0][2][1][2][0] = 0.8;
  clips[0][2][3][3][1] = 0.21;
  TrainingConfig training;
  CHECK(network.loss(clips, {.training = training}).item<double>() == Approx((0.36 + 0.0001) / 96));
  training.change_weight = 9;
  CHECK(network.loss(clips, {.training = training}).item<double>() ==
        Approx((10 * 0.36 + 0.0001) / (96 + 9 * 3)));
  for (const ErrorSum& error :
       {network.error(clips, training), network.control_error(clips, training)}) {  // by which models are
                                                                                    // chosen
    CHECK(error.sum == Approx(10 * 0.36 + 0.0001));
    CHECK(error.count == Approx(96 + 9 * 3));
  }
}

TEST_CASE("bfloat16 predicts nearly the same") {
  PredRnnNetwork network({}, 1, at::kCPU);
  const torch::NoGradGuard no_gradients;
  const at::Tensor patches = at::rand({4, 2, 48, 16, 16});
  const at::Tensor exact = network.forward(patches).predictions,
                   rounded = network.forward(patches, Precision::bfloat16).predictions;
  CHECK(rounded.scalar_type() == at::kFloat);
  CHECK((exact - rounded).abs().max().item<float>() < 0.02f * exact.abs().max().item<float>());
  CHECK_FALSE(at::equal(exact, rounded));
}

TEST_CASE("clips that begin alike are gone through once, with the predictions that each has alone") {
  const ModelConfig config = small_model();
  PredRnnNetwork network(config, 4, at::kCPU);
  // Clips of 5 frames: all begin alike; 0 and 1 part at frame 1, 0 and 2 at frame 3 and come together again,
  // 3 is 0, 4 parts at the last frame, which is no input.
  at::Tensor clips = clips_of(config, 1).repeat({5, 1, 1, 1, 1});
  const at::Tensor other = 255 - clips;
  for (const auto& [clip, frame] : {std::pair{1, 1}, {1, 2}, {2, 3}, {4, 4}})
    clips[clip][frame] = other[clip][frame];
  const at::Tensor patches = to_patches(clips, config.patch);
  const NetworkOutput each = network.forward(patches);  // with gradients nothing is shared
  const torch::NoGradGuard no_gradients;
  const NetworkOutput shared = network.forward(patches);
  CHECK(at::allclose(shared.predictions, each.predictions, 1e-5, 1e-6));
  CHECK(at::allclose(shared.hidden, each.hidden, 1e-5, 1e-6));
  for (const int alike : {3, 4})
    CHECK(at::equal(shared.predictions.select(1, 0), shared.predictions.select(1, alike)));
  CHECK(at::equal(shared.predictions.select(1, 0).narrow(0, 0, 3),
                  shared.predictions.select(1, 2).narrow(0, 0, 3)));
  for (const int parted : {1, 2})
    CHECK_FALSE(at::allclose(shared.predictions.select(1, 0)[3], shared.predictions.select(1, parted)[3],
                             1e-5, 1e-6));
}

TEST_CASE("rows of a tensor that are alike are found, bit for bit") {
  const at::Tensor rows = at::tensor({1.0F, 2.0F, 3.0F, 4.0F, 1.0F, 2.0F, 1.0F, 2.5F}).view({4, 2});
  const AlikeRows alike = alike_rows(rows);
  CHECK(at::equal(alike.first, at::tensor({0, 1, 3}, at::kLong)));
  CHECK(at::equal(alike.kind, at::tensor({0, 1, 0, 2}, at::kLong)));
  CHECK(at::equal(rows.index_select(0, alike.first).index_select(0, alike.kind), rows));
  CHECK(alike_rows(at::zeros({0, 3})).kind.numel() == 0);
}

TEST_CASE("predictions do not depend on what else is in the batch") {
  const ModelConfig config = small_model();
  const auto model = make_untrained(config, 5, {.threads = 1, .device = "cpu", .chunk = 2});
  std::vector<Clip> clips;
  for (std::uint64_t i = 0; i < 5; ++i) clips.push_back(moving_squares(config.clips, i));
  const std::vector<Prediction> all = model->predict(
      {&clips[0], &clips[1], &clips[2], &clips[3], &clips[4]});  // the last alone in its chunk
  REQUIRE(all.size() == 5);
  CHECK(model->predict({}).empty());
  for (std::size_t i = 0; i < 5; ++i) {
    const Prediction alone = model->predict({&clips[i]}).front();
    REQUIRE(alone.frames.size() == 4u * 8 * 8 * 3);
    for (std::size_t k = 0; k < alone.frames.size(); ++k)
      REQUIRE(std::abs(alone.frames[k] - all[i].frames[k]) < 1e-5f);
    REQUIRE(alone.feature.size() == 5);
    for (std::size_t k = 0; k < alone.feature.size(); ++k)
      REQUIRE(std::abs(alone.feature[k] - all[i].feature[k]) < 1e-5f);
  }
  Clip other = moving_squares({.frames = 4, .pixels = 8}, 1);
  CHECK_THROWS_WITH(model->predict({&other}),
                    Catch::Contains("found 4 frames of 8 pixels, the model needs 5 of 8"));
}

TEST_CASE("a model written by Python predicts what Python predicts") {
  const std::filesystem::path folder = std::filesystem::path(STARTLE_TEST_FOLDER) / "fixtures";
  const TensorFile expected = read_tensors(folder / "predrnn_case.safetensors");
  const auto model = load_predictor(folder / "predrnn_model.safetensors", {.threads = 1, .device = "cpu"});
  Clip clip{.frames = 4, .pixels = 8, .rgb = {}, .masks = {}};
  for (const float value : expected.tensors.at("clip").values)
    clip.rgb.push_back(static_cast<std::uint8_t>(value));
  const Prediction prediction = model->predict({&clip}).front();
  const auto worst = [](const std::vector<float>& a, const std::vector<float>& b) {
    REQUIRE(a.size() == b.size());
    float most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
  };
  CHECK(worst(prediction.frames, expected.tensors.at("predictions").values) < 1e-5f);
  CHECK(worst(prediction.feature, expected.tensors.at("feature").values) < 1e-5f);
}
