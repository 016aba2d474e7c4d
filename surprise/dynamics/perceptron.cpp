#include "surprise/dynamics/perceptron.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/math.hpp"
#include "core/random.hpp"

namespace startle {
namespace {

// Where the parts of the weights begin.
struct Layout {
  explicit Layout(const Perceptron& n)
      : bias1(n.inputs * n.width),
        hidden(bias1 + n.width),
        bias2(hidden + n.width * n.width),
        out(bias2 + n.width),
        bias3(out + n.width * n.outputs),
        count(bias3 + n.outputs) {}
  std::size_t bias1, hidden, bias2, out, bias3, count;
};

/// sums += factor x row. The inner loop of everything: no sum within it, so the compiler may use vectors
/// without changing a bit.
inline void add_row(float* sums, const float* row, float factor, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += factor * row[i];
}

/// biases + sum of inputs that are not 0 x rows, rectified where `rectify`.
void layer(const float* in, std::size_t inputs, const float* rows, const float* biases, float* out,
           std::size_t outputs, bool rectify) {
  std::copy_n(biases, outputs, out);
  for (std::size_t i = 0; i < inputs; ++i)
    if (in[i] != 0) add_row(out, rows + i * outputs, in[i], outputs);
  for (std::size_t i = 0; rectify && i < outputs; ++i) out[i] = std::max(out[i], 0.f);
}

/// Sum of products in eight lanes: vectors, with one order of additions. `count` is a multiple of 8.
float dot_in_lanes(const float* a, const float* b, std::size_t count) {
  float lanes[8] = {};
  for (std::size_t i = 0; i < count; i += 8)
    for (std::size_t l = 0; l < 8; ++l) lanes[l] += a[i + l] * b[i + l];
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

class PerceptronTrainer {
 public:
  explicit PerceptronTrainer(Perceptron& network)
      : net_(network),
        at_(network),
        gradient_(at_.count),
        mean_(at_.count),
        square_(at_.count),
        in_(network.inputs),
        first_(network.width),
        second_(network.width),
        out_(network.outputs),
        d_(network.outputs),
        back1_(network.width),
        back2_(network.width) {}

  /// Adds the example's gradient; returns its loss.
  double add(const PerceptronTask& task, std::size_t example) {
    const float* w = net_.weights.data();
    float* g = gradient_.data();
    const std::size_t width = net_.width, outputs = net_.outputs;
    std::fill(in_.begin(), in_.end(), 0.f);
    task.inputs(example, in_.data());
    layer(in_.data(), net_.inputs, w, w + at_.bias1, first_.data(), width, true);
    layer(first_.data(), width, w + at_.hidden, w + at_.bias2, second_.data(), width, true);
    layer(second_.data(), width, w + at_.out, w + at_.bias3, out_.data(), outputs, false);
    std::fill(d_.begin(), d_.end(), 0.f);
    const double loss = task.loss(example, out_.data(), d_.data());

    add_row(g + at_.bias3, d_.data(), 1, outputs);
    for (std::size_t i = 0; i < width; ++i) {
      back2_[i] = 0;
      if (second_[i] == 0) continue;
      add_row(g + at_.out + i * outputs, d_.data(), second_[i], outputs);
      for (std::size_t o = 0; o < outputs; ++o) back2_[i] += d_[o] * w[at_.out + i * outputs + o];
    }
    add_row(g + at_.bias2, back2_.data(), 1, width);
    for (std::size_t i = 0; i < width; ++i) {
      back1_[i] = 0;
      if (first_[i] == 0) continue;
      add_row(g + at_.hidden + i * width, back2_.data(), first_[i], width);
      back1_[i] = dot_in_lanes(back2_.data(), w + at_.hidden + i * width, width);
    }
    add_row(g + at_.bias1, back1_.data(), 1, width);
    for (std::size_t i = 0; i < net_.inputs; ++i)
      if (in_[i] != 0) add_row(g + i * width, back1_.data(), in_[i], width);
    return loss;
  }

  /// One step of Adam with the mean gradient of the examples added since the last, clipped to norm 1.
  void step(int count, double rate, int number) {
    double norm = 0;
    for (float& value : gradient_)
      value /= static_cast<float>(count), norm += static_cast<double>(value) * value;
    const float clip = norm > 1 ? static_cast<float>(1 / std::sqrt(norm)) : 1.f;
    constexpr float b1 = 0.9f, b2 = 0.99f;
    const auto size = static_cast<float>(rate * std::sqrt(1 - math::pow(b2, number)) /
                                         (1 - math::pow(b1, number)));
    for (std::size_t i = 0; i < gradient_.size(); ++i) {
      const float value = clip * gradient_[i];
      mean_[i] = b1 * mean_[i] + (1 - b1) * value;
      square_[i] = b2 * square_[i] + (1 - b2) * value * value;
      net_.weights[i] -= size * mean_[i] / (std::sqrt(square_[i]) + 1e-8f);
      gradient_[i] = 0;
    }
  }

 private:
  Perceptron& net_;
  Layout at_;
  std::vector<float> gradient_, mean_, square_, in_, first_, second_, out_, d_, back1_, back2_;
};

}  // namespace

std::size_t Perceptron::weight_count(std::size_t inputs, std::size_t width, std::size_t outputs) {
  return Layout({.inputs = inputs, .width = width, .outputs = outputs, .weights = {}}).count;
}

Perceptron Perceptron::untrained(std::size_t inputs, std::size_t width, std::size_t outputs,
                                 std::uint64_t seed) {
  Perceptron network{.inputs = inputs,
                     .width = width,
                     .outputs = outputs,
                     .weights = std::vector<float>(weight_count(inputs, width, outputs), 0.f)};
  const Layout at(network);
  Random random(stream_seed(seed, "perceptron"));
  const auto fill = [&](std::size_t from, std::size_t to, std::size_t fan_in) {
    const double bound = 1 / std::sqrt(static_cast<double>(fan_in));
    for (std::size_t i = from; i < to; ++i)
      network.weights[i] = static_cast<float>(random.uniform(-bound, bound));
  };
  fill(0, at.bias1, inputs);
  fill(at.hidden, at.bias2, width);
  fill(at.out, at.bias3, width);
  return network;
}

void Perceptron::evaluate(const float* in, float* out) const {
  const Layout at(*this);
  std::vector<float> first(width), second(width);
  const float* w = weights.data();
  layer(in, inputs, w, w + at.bias1, first.data(), width, true);
  layer(first.data(), width, w + at.hidden, w + at.bias2, second.data(), width, true);
  layer(second.data(), width, w + at.out, w + at.bias3, out, outputs, false);
}

double train(Perceptron& network, const PerceptronTask& task, const PerceptronTraining& training) {
  PerceptronTrainer trainer(network);
  Random random(stream_seed(training.seed, "perceptron training"));
  double last = 0;
  int counted = 0;
  for (int step = 1; step <= training.steps; ++step) {
    double loss = 0;
    for (int i = 0; i < training.batch; ++i)
      loss += trainer.add(task,
                          static_cast<std::size_t>(random.integer(0, static_cast<int>(task.examples) - 1)));
    const double share = static_cast<double>(step) / training.steps;
    trainer.step(
        training.batch,
        training.rate *
            (share < 0.02 ? share / 0.02 : 0.5 * (1 + math::cos(std::numbers::pi * (share - 0.02) / 0.98))),
        step);
    if (step > 0.9 * training.steps) last += loss / training.batch, ++counted;
  }
  return last / std::max(counted, 1);
}

}  // namespace startle
