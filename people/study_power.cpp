#include "people/study_power.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "core/math.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "statistics/normal_distribution.hpp"
#include "statistics/significance.hpp"

namespace startle {
namespace {

/// z with P(Z > z) = tail, for a tail of at most one half.
double upper_quantile(double tail) {
  double low = 0, high = 10;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (normal_survival(middle) > tail ? low : high) = middle;
  }
  return low;
}

double squared(double x) { return x * x; }

/// Detected of `items` by one participant: beta-binomial, drawn as Polya's urn, where each item's chance
/// moves towards what came before.
int draw_detected(Random& random, double rate, double spread, int items) {
  if (spread == 0) {
    int detected = 0;
    for (int i = 0; i < items; ++i) detected += random.chance(rate);
    return detected;
  }
  const double weight = rate * (1 - rate) / squared(spread) - 1;  // of the urn before the first item
  int detected = 0;
  for (int i = 0; i < items; ++i) detected += random.chance((rate * weight + detected) / (weight + i));
  return detected;
}

bool found_different(const PowerQuestion& question, int participants, std::uint64_t seed,
                     std::uint64_t study) {
  Random random(stream_seed(seed, "study power/" + std::to_string(participants), study));
  std::vector<double> differences(static_cast<std::size_t>(participants));
  for (double& difference : differences) {
    const int easy = draw_detected(random, question.easy, question.spread, question.items);
    const int hard = draw_detected(random, question.hard, question.spread, question.items);
    difference = static_cast<double>(easy - hard) / question.items;
  }
  return sign_flip_p(differences, study) <= question.significance;
}

void require_within(const char* option, double found, double low, double high) {
  if (!(found >= low && found <= high))
    throw Error(std::string(option) + ": found " + shortest(found) + ", allowed are " + shortest(low) +
                " to " + shortest(high));
}

}  // namespace

void require_valid(const PowerQuestion& question) {
  require_within("--easy", question.easy, 0.001, 0.999);
  require_within("--hard", question.hard, 0.001, 0.999);
  require_within("--tier-items", question.items, 1, 1000);
  require_within("--significance", question.significance, 0.001, 0.5);
  require_within("--power", question.power, 0.5, 0.99);
  const double most = std::min(std::sqrt(question.easy * (1 - question.easy)),
                               std::sqrt(question.hard * (1 - question.hard)));
  if (!(question.spread >= 0 && question.spread < most))
    throw Error("--spread: found " + shortest(question.spread) + ", allowed are 0 to less than " +
                fixed(most, 3) + ", which is the greatest standard deviation of chances with these means");
}

double difference_variance(const PowerQuestion& question) {
  double variance = 0;
  for (const double rate : {question.easy, question.hard})
    variance += rate * (1 - rate) / question.items + squared(question.spread) * (1 - 1.0 / question.items);
  return variance;
}

std::optional<int> participants_by_formula(const PowerQuestion& question) {
  if (question.easy == question.hard) return std::nullopt;
  const double variance = difference_variance(question), square = squared(question.easy - question.hard);
  const double z = upper_quantile(question.significance / 2) * std::sqrt(variance + square) +
                   upper_quantile(1 - question.power) * std::sqrt(variance);
  return static_cast<int>(std::ceil(squared(z) / square));
}

Rate simulated_power(const PowerQuestion& question, int participants, int studies, std::uint64_t seed,
                     int threads) {
  std::vector<char> found(static_cast<std::size_t>(studies));
  parallel_for(found.size(), threads, [&](std::size_t study) {
    found[study] = found_different(question, participants, seed, study);
  });
  return {static_cast<std::size_t>(std::count(found.begin(), found.end(), 1)), found.size()};
}

PowerAnswer participants_needed(const PowerQuestion& question, int studies, std::uint64_t seed, int threads) {
  require_valid(question);
  if (question.easy <= question.hard)
    throw Error("--easy: found " + shortest(question.easy) + ", allowed are rates above --hard, " +
                shortest(question.hard));
  PowerAnswer answer{.by_formula = *participants_by_formula(question)};
  const auto suffice = [&](int participants) {
    const Rate power = simulated_power(question, participants, studies, seed, threads);
    return *power.value() >= question.power;
  };
  int too_few = 1, enough = std::clamp(answer.by_formula, 2, most_participants);
  while (!suffice(enough)) {
    if (enough == most_participants)
      throw Error("study power: " + std::to_string(most_participants) + " participants do not suffice");
    too_few = enough;
    enough = std::min(enough + enough / 4 + 1, most_participants);
  }
  while (enough - too_few > 1) {
    const int middle = (too_few + enough) / 2;
    (suffice(middle) ? enough : too_few) = middle;
  }
  answer.participants = enough;
  answer.power = simulated_power(question, enough, studies, seed, threads);
  PowerQuestion nothing = question;
  nothing.easy = nothing.hard = (question.easy + question.hard) / 2;
  answer.false_alarms = simulated_power(nothing, enough, studies, seed, threads);
  return answer;
}

}  // namespace startle
