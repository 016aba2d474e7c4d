#include "surprise/networks/adam.hpp"

#include <torch/optim/adam.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "tests/catch.hpp"  // after LibTorch, whose headers define CHECK

using namespace startle;

TEST_CASE("adam: the same steps as LibTorch's own, also where parts of the weights have another rate") {
  const at::TensorOptions numbers = at::TensorOptions().dtype(at::kDouble);
  const at::Tensor drawn = at::arange(6, numbers).sin();
  at::Tensor weights = drawn.clone();
  AdamMoments moments{at::zeros_like(weights), at::zeros_like(weights)};
  const at::Tensor shares = at::tensor({1.0, 1.0, 1.0, 1.0, 0.25, 0.25}, numbers);
  // LibTorch's: two tensors, each with its rate.
  at::Tensor full = drawn.narrow(0, 0, 4).clone().requires_grad_(),
             quarter = drawn.narrow(0, 4, 2).clone().requires_grad_();
  torch::optim::Adam full_rate({full}, torch::optim::AdamOptions(0).betas({0.8, 0.95}));
  torch::optim::Adam quarter_rate({quarter}, torch::optim::AdamOptions(0).betas({0.8, 0.95}));
  for (int count = 1; count <= 20; ++count) {
    const double rate = 0.05 / count;
    const at::Tensor gradient = (at::arange(6, numbers) * count).cos() * count;
    adam_step(weights, gradient, moments,
              {.rate = rate, .beta1 = 0.8, .beta2 = 0.95, .count = count, .rate_shares = shares});
    full.mutable_grad() = gradient.narrow(0, 0, 4);
    quarter.mutable_grad() = gradient.narrow(0, 4, 2);
    static_cast<torch::optim::AdamOptions&>(full_rate.param_groups()[0].options()).lr(rate);
    static_cast<torch::optim::AdamOptions&>(quarter_rate.param_groups()[0].options()).lr(rate / 4);
    full_rate.step();
    quarter_rate.step();
    CHECK((weights.narrow(0, 0, 4) - full).abs().max().item<double>() < 1e-12);
    CHECK((weights.narrow(0, 4, 2) - quarter).abs().max().item<double>() < 1e-12);
  }
  CHECK((weights - drawn).abs().min().item<double>() > 0.001);
}
