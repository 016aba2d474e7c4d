#include "difficulty/rollout.hpp"

namespace startle {

double share_undetectable(const InteractionCounts& counts) {
  if (counts.targets == 0) return 1;
  return (counts.targets - counts.expected()) / counts.targets;
}

std::optional<double> detected_at(const RolloutEnds& ends) {
  double sum = 0, all = 0;
  for (const RolloutEnd& end : ends.bid) {
    sum += end.probability * static_cast<double>(end.interaction);
    all += end.probability;
  }
  if (ends.bid.empty()) return std::nullopt;
  return ends.bid.front().interaction == ends.bid.back().interaction
             ? static_cast<double>(ends.bid.front().interaction)
             : sum / all;
}

double expected_difficulty(const std::vector<RolloutEnd>& ends, std::size_t birds) {
  if (birds == 0) return 1;
  constexpr double rounding = 1e-9;   // of sums of probabilities
  std::map<double, double> outcomes;  // with their probabilities; equal ones are one, so that ties leave no
                                      // rounding in the result
  double rest = 1;
  for (const RolloutEnd& end : ends) {
    if (end.interaction > birds) continue;
    outcomes[(static_cast<double>(end.interaction - 1) + end.undetectable) / static_cast<double>(birds)] +=
        end.probability;
    rest -= end.probability;
  }
  if (rest > rounding) outcomes[1] += rest;
  if (outcomes.size() == 1) return outcomes.begin()->first;
  double sum = 0, all = 0;
  for (const auto& [outcome, probability] : outcomes) {
    sum += outcome * probability;
    all += probability;
  }
  return std::clamp(sum / all, outcomes.begin()->first, outcomes.rbegin()->first);
}

DifficultyValues difficulty_values(const RolloutEnds& ends, std::size_t birds, double alpha) {
  const double pid = expected_difficulty(ends.pid, birds), bid = expected_difficulty(ends.bid, birds);
  return {.pid = pid, .bid = bid, .value = alpha * pid + (1 - alpha) * bid};
}

}  // namespace startle
