#include "networks/predrnn_network.hpp"

#include <torch/types.h>
#include <torch/utils.h>

#include <Eigen/Core>
#include <array>

#include "core/error.hpp"
#include "networks/predrnn.hpp"
#include "networks/schedule.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"
#include "tests/networks/moving_squares.hpp"

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

/// The equations of networks/predrnn_network.hpp for one clip of true frames, [T][channel] -> predictions [T
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

TEST_CASE(
    "forecasts from a frame on are those of a clip whose later frames are the network's own predictions") {
  ModelConfig config = small_model();
  config.residual = GENERATE(false, true);
  config.horizon = 2;
  PredRnnNetwork network(config, 6, at::kCPU);
  const torch::NoGradGuard no_gradients;
  network.weights().mul_(3);
  const at::Tensor patches = to_patches(clips_of(config, 3), config.patch);
  const auto forecasts = network.forecast(patches);
  REQUIRE(forecasts.size() == 2);
  // Frames 0 ... 4: from frames 1, 2 and 3 on one ahead, from 1 and 2 on two ahead.
  REQUIRE(forecasts[0].predictions.sizes() == at::IntArrayRef{3, 3, 12, 4, 4});
  REQUIRE(forecasts[1].predictions.sizes() == at::IntArrayRef{2, 3, 12, 4, 4});
  REQUIRE(forecasts[1].variances.sizes() == at::IntArrayRef{2, 3, 1, 4, 4});
  const NetworkOutput truth = network.forward(patches);
  for (std::int64_t start = 1; start <= 3; ++start) {
    CHECK(at::allclose(forecasts[0].predictions[start - 1], truth.predictions[start], 1e-5, 1e-6));
    CHECK(at::allclose(forecasts[0].variances[start - 1], truth.variances[start], 1e-5, 1e-6));
    if (start == 3) continue;
    at::Tensor changed = patches.clone();
    changed[start + 1] = truth.predictions[start];
    const NetworkOutput then = network.forward(changed);
    CHECK(at::allclose(forecasts[1].predictions[start - 1], then.predictions[start + 1], 1e-4, 1e-5));
    CHECK(at::allclose(forecasts[1].variances[start - 1], then.variances[start + 1], 1e-4, 1e-5));
    CHECK_FALSE(at::allclose(forecasts[1].predictions[start - 1], truth.predictions[start + 1], 1e-4, 1e-5));
  }
}

TEST_CASE("a network with a horizon is trained on all frames up to it") {
  // A network of zeros predicts the frame read last with a variance of 1e-4 + exp(-6) everywhere, so that
  // from its last true frame on it copies that. 4 frames of 4 x 4 pixels, one patch each, horizon 2; one
  // value, of 48, changes by 0.3 from frame 1 to 2 and by 0.3 again from 2 to 3. Nats of a patch: 0.5
  // (log(v/1e-4) + d^2/48/v).
  const ModelConfig config{.layers = 1,
                           .channels = 1,
                           .kernel = 1,
                           .patch = 4,
                           .horizon = 2,
                           .residual = true,
                           .clips = {.frames = 4, .pixels = 4, .lead = 0}};
  PredRnnNetwork network(config, 1, at::kCPU);
  CHECK(network.weights().numel() ==
        PredRnnNetwork({.layers = 1, .channels = 1, .kernel = 1, .patch = 4, .clips = config.clips}, 1,
                       at::kCPU)
                .weights()
                .numel() +
            1);
  {
    const torch::NoGradGuard no_gradients;
    network.weights().zero_();
  }
  at::Tensor clips = at::full({2, 4, 4, 4, 3}, 0.1);
  for (const int clip : {0, 1}) {
    clips[clip][2][1][2][0] = 0.4;
    clips[clip][3][1][2][0] = 0.7;
  }
  const double v = 1e-4 + std::exp(-6.0), certain = 0.5 * std::log(v / 1e-4);
  const auto nats = [&](double difference) { return certain + 0.5 * difference * difference / 48 / v; };
  // From frame 1 on: frame 1, then 2 and 3 against a copy of 1. From frame 2 on: 1, 2 and 3 each against the
  // frame before.
  const double from_1 = nats(0) + nats(0.3) + nats(0.6), from_2 = nats(0) + nats(0.3) + nats(0.3);
  // The loss has, besides, what the means are learned by: half the squared errors over the variances once
  // more, since all variances are equal here.
  const double certain_too = 3 * certain, loss_1 = 2 * from_1 - certain_too,
               loss_2 = 2 * from_2 - certain_too;
  TrainingConfig training;
  training.batch = 2;
  std::array<int, 3> seen{};  // how often none, one and both of the clips go on from frame 2
  for (int step = 0; step < 20; ++step) {
    const double sum = 6 * network.loss(clips, {.training = training, .step = step}).item<double>();
    const double from_frame_2 = (sum - 2 * loss_1) / (loss_2 - loss_1);
    CHECK(std::abs(from_frame_2 - std::round(from_frame_2)) < 1e-3);
    ++seen.at(static_cast<std::size_t>(std::round(from_frame_2)));
  }
  for (const int times : seen) CHECK(times > 0);
  const ErrorSum error = network.error(clips, training);  // of the two clips, one from frame 1 on and one
                                                          // from frame 2
  CHECK(error.sum == Approx(from_1 + from_2));
  CHECK(error.count == 6);
  // The control copies too, but knows each frame's mean squared difference.
  const auto knowing = [](double difference) {
    const double square = difference * difference / 48, variance = square + 1e-4;
    return 0.5 * (std::log(variance / 1e-4) + square / variance);
  };
  const ErrorSum control = network.control_error(clips, training);
  CHECK(control.sum == Approx(2 * knowing(0) + 3 * knowing(0.3) + knowing(0.6)));
  CHECK(control.count == 6);
}

TEST_CASE("what is predicted is not moved by likelihood, nor how far off it is by squared errors") {
  // Four frames, horizon 2: where both clips go on from frame 2, every input is a true frame, and the loss is
  // that of forward().
  const ModelConfig config{.layers = 1,
                           .channels = 2,
                           .kernel = 1,
                           .patch = 4,
                           .horizon = 2,
                           .residual = true,
                           .clips = {.frames = 4, .pixels = 8, .lead = 0}};
  PredRnnNetwork network(config, 7, at::kCPU);
  const at::Tensor clips = at::rand({2, 4, 8, 8, 3}), patches = to_patches(clips, 4),
                   now = patches.narrow(0, 1, 3);
  TrainingConfig training;
  training.batch = 2;
  const auto gradient_of = [&](const at::Tensor& loss) {
    network.gradient().zero_();
    loss.backward();
    return network.gradient().clone();
  };
  const auto plain = [&](bool squares_held, bool variances_held) {
    const NetworkOutput output = network.forward(patches);
    const at::Tensor squares = (output.predictions - now).square().mean(2, true),
                     held = squares_held ? squares.detach() : squares;
    const at::Tensor expected = variances_held ? output.variances.detach() : output.variances;
    return 0.5 * squares.sum() / expected.sum() +
           (0.5 * ((output.variances / 1e-4).log() + held / output.variances)).mean();
  };
  const double value = plain(true, true).item<double>();
  int step = 0;
  while (step < 200 &&
         std::abs(network.loss(clips, {.training = training, .step = step}).item<double>() - value) > 1e-6)
    ++step;
  REQUIRE(step < 200);
  const at::Tensor found = gradient_of(network.loss(clips, {.training = training, .step = step}));
  CHECK(at::allclose(found, gradient_of(plain(true, true)), 1e-4, 1e-7));
  CHECK_FALSE(at::allclose(found, gradient_of(plain(false, true)), 1e-2, 1e-6));
  CHECK_FALSE(at::allclose(found, gradient_of(plain(true, false)), 1e-2, 1e-6));
}

TEST_CASE("a rollout ends with the horizon, and means are learned by squared errors") {
  // Six frames, horizon 2; a network that copies, whose variances differ from patch to patch.
  const ModelConfig config{.layers = 1,
                           .channels = 1,
                           .kernel = 1,
                           .patch = 4,
                           .horizon = 2,
                           .residual = true,
                           .clips = {.frames = 6, .pixels = 8, .lead = 0}};
  PredRnnNetwork network(config, 4, at::kCPU);
  {
    const torch::NoGradGuard no_gradients;
    network.weights().mul_(6);
    network["conv_out"].narrow(0, 0, 48).zero_();  // so that it copies
  }
  at::Tensor clips = at::rand({4, 6, 8, 8, 3});
  TrainingConfig training;
  training.batch = 4;
  // Clip i is the true one up to frame 1 + i when models are chosen: of clip 0 the frames 1, 2, 3 are
  // counted, of clip 1 1 ... 4, of the others all five.
  const ErrorSum error = network.error(clips, training);
  CHECK(error.count == 4 * (3 + 4 + 5 + 5));
  const torch::NoGradGuard no_gradients;
  const at::Tensor patches = to_patches(clips, 4);
  at::Tensor copied = patches.narrow(0, 0, 5).clone(), counted = at::ones({5, 4, 1, 1, 1});
  copied[2][0] = patches[1][0];  // frame 3 of clip 0 is forecast from frame 1 on; frames 4 and 5 are beyond
  copied[3][1] = patches[2][1];
  copied[4][2] = patches[3][2];
  counted[3][0] = counted[4][0] = counted[4][1] = 0;
  at::Tensor changed = at::cat({copied, patches.narrow(0, 5, 1)});
  const at::Tensor variances = network.forward(changed).variances;
  CHECK(variances.max().item<double>() > 1.1 * variances.min().item<double>());
  const at::Tensor each = 0.5 * ((variances / 1e-4).log() +
                                 (copied - patches.narrow(0, 1, 5)).square().mean(2, true) / variances);
  CHECK(error.sum == Approx((each * counted).sum().item<double>()).epsilon(1e-4));
  // The loss of such a step: one of the ways to draw the four last true frames has these; means are learned
  // by squared errors over the variances, all together.
  double nearest = 1e9;
  const double wanted = (0.5 * ((copied - patches.narrow(0, 1, 5)).square().mean(2, true) * counted).sum() /
                             (variances * counted).sum() +
                         (each * counted).sum() / error.count)
                            .item<double>();
  for (int step = 0; step < 4000 && nearest > 1e-5; ++step)
    nearest = std::min(
        nearest, std::abs(network.loss(clips, {.training = training, .step = step}).item<double>() - wanted));
  CHECK(nearest < 1e-5);
  CHECK(std::abs(wanted - error.sum / error.count) > 1e-3);
}

TEST_CASE("a forecaster says what was seen against what was forecast, and against a copy") {
  ModelConfig config = small_model();
  config.horizon = 2;
  PredRnnNetwork network(config, 9, at::kCPU);
  const testing::Folder folder;
  write_tensors(folder / "model.safetensors", model_file(network));
  std::vector<Clip> clips;
  for (std::uint64_t i = 0; i < 9; ++i)
    clips.push_back(moving_squares(config.clips, i));  // more than are gone through at once
  std::vector<const Clip*> pointers;
  for (const Clip& clip : clips) pointers.push_back(&clip);
  const auto scorer = load_forecaster(folder / "model.safetensors", {.threads = 1, .device = "cpu"});
  const std::vector<ClipSurprise> scored = scorer->score(pointers);
  REQUIRE(scored.size() == 9);
  const torch::NoGradGuard no_gradients;
  for (std::size_t i : {0u, 8u}) {
    const at::Tensor patches =
        to_patches(stack_clips({&clips[i], &clips[i]}, config.clips), config.patch).narrow(1, 0, 1);
    double expected = 0, surprise = 0, copied = 0;
    const auto forecasts = network.forecast(patches);
    for (std::int64_t ahead = 1; ahead <= 2; ++ahead)
      for (std::int64_t start = 1; start + ahead <= 4; ++start) {
        const auto& [predictions, variances] = forecasts[static_cast<std::size_t>(ahead - 1)];
        const at::Tensor variance = variances[start - 1], now = patches[start + ahead];
        expected += 12 * variance.sum().item<double>();
        surprise += ((predictions[start - 1] - now).square() / variance).sum().item<double>();
        copied += ((patches[start] - now).square() / variance).sum().item<double>();
      }
    REQUIRE(scored[i].forecast);
    CHECK(scored[i].forecast->expected == Approx(expected).epsilon(1e-4));
    CHECK(scored[i].forecast->surprise == Approx(surprise).epsilon(1e-4));
    CHECK(scored[i].forecast->copied == Approx(copied).epsilon(1e-4));
    // The next frame: nothing of frame 1, which is forecast from a single frame.
    CHECK(scored[i].errors.error.size() == 4);
    CHECK(scored[i].errors.error[0] == 0);
    CHECK(scored[i].errors.change[0] == 0);
    CHECK(scored[i].errors.error[1] ==
          Approx((forecasts[0].predictions[0].clamp(0, 1) - patches[2]).square().sum().item<double>())
              .epsilon(1e-4));
  }
  // One that looks one frame ahead makes no forecasts, though its frames can be had of either.
  Clip alike = clips[0];
  std::copy_n(clips[1].frame(3), clips[1].frame_size() * 2,
              alike.rgb.begin() + static_cast<std::ptrdiff_t>(3 * alike.frame_size()));
  const std::vector<Prediction> predicted = load_predrnn(folder / "model.safetensors",
                                                         {.threads = 1, .device = "cpu"})
                                                ->predict({&clips[0], &alike});  // gone through once up to
                                                                                 // frame 2
  const at::Tensor frames =
      from_patches(network.forward(to_patches(stack_clips({&clips[0], &alike}, config.clips), config.patch))
                       .predictions,
                   config.patch)
          .clamp(0, 1)
          .contiguous();
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t v = 0; v < predicted[i].frames.size(); v += 7)
      REQUIRE(predicted[i].frames[v] ==
              Approx(frames[static_cast<std::int64_t>(i)].data_ptr<float>()[v]).margin(1e-5));
  write_tensors(folder / "next.safetensors", model_file(PredRnnNetwork(small_model(), 9, at::kCPU)));
  CHECK_THROWS_WITH(load_forecaster(folder / "next.safetensors"),
                    Catch::Contains("next.safetensors: found a model that forecasts the next frame alone"));
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
  const auto model = load_predrnn(folder / "predrnn_model.safetensors", {.threads = 1, .device = "cpu"});
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
