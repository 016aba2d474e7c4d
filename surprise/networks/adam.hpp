#pragma once
/// \file  Adam [Kingma and Ba 2015, algorithm 1]. Includes LibTorch.
///
/// Not torch::optim::Adam, which does the same (tests/surprise/networks/adam.cpp compares them): weights lie
/// in one vector here, of which parts may have another learning rate, and LibTorch has one rate a tensor. And
/// the checkpoint of a run needs the moments by the names of the weights: LibTorch finds them by text in 1.13
/// and by pointer in 2.x.
#include <ATen/core/Tensor.h>

namespace startle {

/// Running means of the gradient and of its square, 0 before the first step. With the weights and the number
/// of steps they are all that an optimiser must remember.
struct AdamMoments {
  at::Tensor first, second;
};

struct AdamStep {
  double rate = 0;  ///< learning rate of this step
  double beta1 = 0.9, beta2 = 0.999;
  int count = 1;           ///< number of this step, from 1
  at::Tensor rate_shares;  ///< of `rate`, for each weight; undefined: 1 for all
};

/// Changes the weights by one step down the gradient, and the moments with them. All tensors have one shape
/// and device.
void adam_step(at::Tensor& weights, const at::Tensor& gradient, AdamMoments& moments, const AdamStep& step);

}  // namespace startle
