#pragma once
/// \file  A small network of plain numbers: two hidden layers of rectified units, trained by Adam.
///
/// The order of all additions is fixed, so that the same examples and seed give the same weights on any
/// machine.
#include <cstdint>
#include <functional>
#include <vector>

namespace startle {

struct Perceptron {
  std::size_t inputs = 0, width = 0, outputs = 0;  ///< width: a multiple of 8
  std::vector<float> weights;  ///< inputs x width, biases, width x width, biases, width x outputs, biases

  static std::size_t weight_count(std::size_t inputs, std::size_t width, std::size_t outputs);
  /// Weights drawn uniformly within 1/sqrt(fan-in).
  static Perceptron untrained(std::size_t inputs, std::size_t width, std::size_t outputs, std::uint64_t seed);
  /// `in` has `inputs` numbers, `out` gets `outputs`.
  void evaluate(const float* in, float* out) const;
};

struct PerceptronTraining {
  int steps = 60000;
  int batch = 64;
  double rate = 2e-3;  ///< highest, of Adam; rises over the first 2 %, then falls to zero as half a cosine
  std::uint64_t seed = 1;
};

/// Fills the inputs of example i; later, given the outputs, their loss's derivatives. Returns the loss.
struct PerceptronTask {
  std::size_t examples = 0;
  std::function<void(std::size_t i, float* in)> inputs;
  std::function<double(std::size_t i, const float* out, float* gradient)> loss;
};

/// Minimises the mean loss. Returns its mean over the last tenth of the steps.
double train(Perceptron& network, const PerceptronTask& task, const PerceptronTraining& training);

}  // namespace startle
