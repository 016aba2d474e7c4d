#include "surprise/networks/schedule.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include "core/random.hpp"

namespace startle {
namespace {

void shuffle_epoch(std::vector<std::size_t>& order, std::uint64_t seed, std::uint64_t epoch) {
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(stream_seed(seed, "training/order", epoch)).shuffle(order);
}

}  // namespace

double learning_rate_at(const TrainingConfig& config, int step) {
  const double rise = std::floor(config.warm_up * config.steps);
  if (step < rise) return config.learning_rate * (step + 1) / rise;
  const double share = (step - rise) / (config.steps - rise);
  return config.learning_rate * 0.5 * (1 + std::cos(std::numbers::pi * share));
}

double own_input_share(const TrainingConfig& config, int step) {
  if (config.sampling == Sampling::teacher) return 0;
  const double begin = config.steps * 5 / 16.0, end = config.steps * 10 / 16.0, decay = config.steps / 32.0;
  if (step < begin) return 0.5;
  return step < end ? 0.5 * std::exp(-(step - begin) / decay) : 0;
}

ClipOrder::ClipOrder(std::size_t count, std::uint64_t seed) : seed_(seed), order_(count) {
  shuffle_epoch(order_, seed_, epoch_);
}

std::size_t ClipOrder::at(std::uint64_t position) {
  const std::uint64_t epoch = position / order_.size();
  if (epoch != epoch_) {
    epoch_ = epoch;
    shuffle_epoch(order_, seed_, epoch_);
  }
  return order_[position % order_.size()];
}

}  // namespace startle
