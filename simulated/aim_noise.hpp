#pragma once
/// \file  Aim noise: nobody releases a bird at exactly the angle that was meant.
///
/// The aim noise is the standard deviation of the release angle, radians. All perturbations by it are drawn
/// here, by one distribution: the sum of twelve uniform numbers less 6 (Random::normal()), which is N(0, 1)
/// to three digits and the same on every machine. The normal shots that an observed launch is compared with
/// (observer.hpp) come from a stream of another name and share no random number with it. But
/// perturbations_of() and aim_perturbation(sd, seed, 0) have one stream: the list of a seed begins with that
/// perturbation. Neither can change, since shipped levels were selected by one and results were recorded by
/// the other: where they must be independent, give them different seeds.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "sim/shot.hpp"

namespace startle {

/// How a figure is averaged over launches: by shots that each have a perturbation of their own.
struct AimNoise {
  double sd = 0.01;  ///< radians, [0, 1]: every shot of a rollout is perturbed by one number of N(0, sd)
  std::size_t launches = 16;  ///< rollouts, 1 to 1000, each with a perturbation of its own
  std::uint64_t seed = 1;  ///< of the perturbations: the same ones for all levels, novelties, and both worlds
};

/// Throws Error for noise or launches out of range.
void require_valid(const AimNoise& noise);
/// The perturbations, radians; the first half of a longer list is the list of half the length. Throws Error
/// as require_valid().
std::vector<double> perturbations_of(const AimNoise& noise);

/// An error of the release angle, radians, of standard deviation `sd` (rad, >= 0).
double launch_error(double sd, Random& random);
/// The density of launch_error() at `error` over that at 0; `sd` > 0. Exact: a polynomial between multiples
/// of sd, 0 from 6 sd on.
double relative_launch_error_density(double error, double sd);

/// One shot, launched off the announced angle by an error of standard deviation `aim_noise`. The same seed
/// and index give the same perturbation.
double aim_perturbation(double aim_noise, std::uint64_t seed, std::uint64_t index);

/// The shot to announce, in place of `flown`, to an observer that must not know the launch exactly: its angle
/// less aim_perturbation(). The flown angle then deviates from the announced one by an error with the same
/// distribution as those of the shots that it is compared with.
Shot announced_off(Shot flown, double aim_noise, std::uint64_t seed, std::uint64_t index);

}  // namespace startle
