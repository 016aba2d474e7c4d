#pragma once
/// \file  How many participants show that easy changes are detected more often than hard ones: the power of
/// the report's own test.
///
/// The test is that of tier_contrast() (study_scores.hpp): each participant's share of easy changes detected
/// less the share of hard ones, and a sign-flip test of these differences.
///
/// The participants are beta-binomial. In each tier a participant has a chance of his or her own to detect a
/// change: a beta distribution whose mean is the rate of the tier, and whose standard deviation is `spread`.
/// The chances of both tiers are independent, which asks for more participants than chances that rise and
/// fall together.
#include <cstdint>
#include <optional>

#include "statistics/intervals.hpp"

namespace startle {

struct PowerQuestion {
  double easy = 0.8, hard = 0.4;  ///< share of changes detected in each tier, over 0 and under 1
  int items = 2;               ///< novel items of each of the two tiers that a participant plays, 1 to 1000
  double spread = 0.15;        ///< standard deviation of participants' chances in a tier, from 0 to less than
                               ///< sqrt(rate (1 - rate)) of both
  double significance = 0.05;  ///< p-value up to which tiers count as different, 0.001 to 0.5
  double power = 0.8;          ///< chance that they are, 0.5 to 0.99
};
/// Throws Error naming the option, what was found and what is allowed.
void require_valid(const PowerQuestion& question);

/// Variance of one participant's difference: of each tier r (1 - r)/k + s^2 (1 - 1/k), with rate r, spread s
/// and k items.
double difference_variance(const PowerQuestion& question);

/// Participants by the normal approximation, with d = easy - hard and the variance v of one difference: (z(1
/// - significance/2) sqrt(v + d^2) + z(power) sqrt(v))^2/d^2, rounded up. Random signs take away the mean, so
/// that differences vary by v + d^2 in the test. Empty where both rates are equal.
std::optional<int> participants_by_formula(const PowerQuestion& question);

/// Share of simulated studies of so many participants in which the test has a p-value of at most
/// `significance`. `threads` (0: all of the machine) changes nothing in it.
Rate simulated_power(const PowerQuestion& question, int participants, int studies, std::uint64_t seed,
                     int threads = 0);

struct PowerAnswer {
  int participants = 0;  ///< the fewest whose simulated power is that asked for
  Rate power;            ///< of them
  Rate false_alarms;     ///< of them, where both tiers have the mean of the two rates: nothing differs
  int by_formula = 0;    ///< participants_by_formula()
};
inline constexpr int most_participants = 10000;

/// The fewest participants that suffice, by bisection over simulated studies. Throws Error for a question
/// that is not valid, for rates of which the easy one is not above the hard one, and where most_participants
/// do not suffice.
PowerAnswer participants_needed(const PowerQuestion& question, int studies, std::uint64_t seed,
                                int threads = 0);

}  // namespace startle
