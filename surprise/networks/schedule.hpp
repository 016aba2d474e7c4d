#pragma once
/// \file  What a step of training is made of, as functions of the configuration and the step's number alone:
/// so that a training that was stopped goes on as if it had not been.
#include <cstdint>
#include <vector>

#include "surprise/networks/model_config.hpp"

namespace startle {

/// Of step 0 ... steps - 1: (step + 1)/w of the highest rate while step < w = warm_up * steps, then half a
/// cosine that ends near zero.
double learning_rate_at(const TrainingConfig& config, int step);

/// Probability that an input after the first is the model's own prediction. teacher: 0. reverse: the schedule
/// of PredRNN-V2's code for moving digits, with its 25,000, 50,000 and 2,500 of 80,000 steps as shares: 1/2
/// before 5/16 of the steps, then 1/2 exp(-(step - 5/16 steps)/(steps/32)), and 0 from 10/16 on.
double own_input_share(const TrainingConfig& config, int step);

/// Clips in the order in which training sees them: every clip once an epoch, each epoch in another order.
class ClipOrder {
 public:
  /// count > 0
  ClipOrder(std::size_t count, std::uint64_t seed);
  /// The clip at that position of the endless sequence; clip i of step s stands at s * batch + i.
  std::size_t at(std::uint64_t position);

 private:
  std::uint64_t seed_, epoch_ = 0;
  std::vector<std::size_t> order_;
};

}  // namespace startle
