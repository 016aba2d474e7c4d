#pragma once
/// \file  Mechanisms that can be observed in what single bodies do, each with what it expects of
/// the normal world, learned.
///
/// A mechanism takes one number from a contact event, its *observation*: how fast a body falls, how fast two
/// part after a blow, how a blow is shared among them. A small network has learned from normal shots alone
/// how that observation is distributed given everything known before: a Student t density with a centre and a
/// scale (whether a body vanishes: a chance). The *score* of a contact event is how far the observation is
/// from the centre, in scales and cut off, times how far it would move, in scales, were the parameter that
/// the mechanism is about larger. Scores have mean 0 in the normal world whatever moves, and those of one
/// material add up over a shot [Rao 1948, score test].
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "surprise/dynamics/contact_event.hpp"
#include "surprise/dynamics/perceptron.hpp"

namespace startle {

enum class Mechanism {
  gravity,            ///< speed gained downwards in free motion, touching nothing: gravity
  linear_damping,     ///< level speed lost in free motion: linear damping
  angular_damping,    ///< turning lost in free motion: angular damping
  restitution,        ///< speed at which two part after a blow: restitution
  friction,           ///< speed lost along a surface, given the push against it: friction
  momentum_transfer,  ///< change of speed by a blow that a bird is part of: density, upside down. Blocks
                      ///< among themselves are held by too many others
  survival            ///< whether the body lasts: life and defence, upside down
};
inline constexpr std::size_t mechanism_count = 7;
const char* name(Mechanism mechanism);

/// Inputs of an observation: the context and what else of the outcome is known.
inline constexpr std::size_t mechanism_inputs = context_count + 2;

struct MechanismObservation {
  std::array<float, mechanism_inputs> known{};
  float value = 0;        ///< m/s; momentum_transfer: a number; survival: 1 where the body is gone
  float sensitivity = 1;  ///< how far the observation would move, were the parameter larger, up to a factor
  bool own = false, others = false;  ///< about the material of the body itself; of what it meets
  float others_sign = 1;             ///< of the sensitivity for the latter
};

/// Whether the mechanism has an observation of that contact event, and which.
bool observe_mechanism(Mechanism mechanism, const ContactEvent& contact_event,
                       MechanismObservation& observation);

/// What a network predicts of an observation: centre and log scale of a Student t density with
/// `student_t_freedom` degrees of freedom, or, of `survival`, log odds.
inline constexpr double student_t_freedom = 3;
struct Score {
  double value = 0;        ///< above 0: the parameter seems larger than normal
  double information = 0;  ///< (sensitivity/scale)^2; of `survival` the variance of the chance
};
Score score_of(Mechanism mechanism, const MechanismObservation& observation, const float* out);
/// -log density and its derivatives by the outputs, for training.
double mechanism_loss(Mechanism mechanism, const MechanismObservation& observation, const float* out,
                      float* gradient);

}  // namespace startle
