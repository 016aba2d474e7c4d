#include "surprise/networks/adam.hpp"

#include <torch/types.h>
#include <torch/utils.h>

#include <cmath>

namespace startle {

void adam_step(at::Tensor& weights, const at::Tensor& gradient, AdamMoments& moments, const AdamStep& step) {
  constexpr double epsilon = 1e-8;  // PyTorch's default
  const torch::NoGradGuard no_gradients;
  moments.first.mul_(step.beta1).add_(gradient, 1 - step.beta1);
  moments.second.mul_(step.beta2).addcmul_(gradient, gradient, 1 - step.beta2);
  const double correction1 = 1 - std::pow(step.beta1, step.count),
               correction2 = 1 - std::pow(step.beta2, step.count);
  const at::Tensor denominator = moments.second.sqrt().div_(std::sqrt(correction2)).add_(epsilon);
  const at::Tensor direction = step.rate_shares.defined() ? moments.first * step.rate_shares : moments.first;
  weights.addcdiv_(direction, denominator, -step.rate / correction1);
}

}  // namespace startle
