#pragma once
/// \file  Laws that an onlooker can read off from what single bodies do, each with what it expects of the normal world, learned.
///
/// A law takes one number from an encounter, its *reading*: how fast a body falls, how fast two part after a blow, how a blow is shared among
/// them. A small network has learned from normal shots alone how that reading is distributed given everything known before: a Student t
/// density with a centre and a scale (whether a body vanishes: a chance). The *score* of an encounter is how far the reading is from the centre, in scales and cut off, times
/// how far it would move, in scales, were the parameter that the law is about larger. Scores have mean 0 in the normal world whatever moves, and those of one material
/// add up over a shot [Rao 1948, score test].
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "noticing/encounter.hpp"
#include "noticing/perceptron.hpp"

namespace startle {

enum class Law {
  fall,     ///< speed gained downwards in free motion: gravity
  drag,     ///< level speed lost in free motion: linear damping
  spin,     ///< turning lost in free motion: angular damping
  rebound,  ///< speed at which two part after a blow: restitution
  rub,      ///< speed lost along a surface, given the push against it: friction
  share,  ///< change of speed by a blow that a bird is part of: density, upside down. Blocks among themselves are held by too many others
  last    ///< whether the body lasts: life and defence, upside down
};
inline constexpr std::size_t law_count = 7;
const char* name(Law law);

/// Context and what else of the outcome a reading is given.
inline constexpr std::size_t law_inputs = context_count + 2;

struct Reading {
  std::array<float, law_inputs> known{};
  float value = 0;  ///< m/s; share: a number; last: 1 where the body is gone
  float lever = 1;  ///< how far the reading would move, were the parameter larger, up to a factor
  bool own = false, others = false;  ///< about the material of the body itself; of what it meets
  float others_sign = 1;             ///< of the lever for the latter
};

/// Whether the law says anything of that encounter, and what was read.
bool read_law(Law law, const Encounter& encounter, Reading& reading);

/// What a network says of a reading: centre and log scale of a Student t density with `law_tail` degrees of freedom, or, of `last`, log odds.
inline constexpr double law_tail = 3;
struct Score {
  double value = 0;        ///< above 0: the parameter seems larger than normal
  double information = 0;  ///< (lever/scale)^2; of `last` the variance of the chance
};
Score score_of(Law law, const Reading& reading, const float* out);
/// -log density and its derivatives by the outputs, for training.
double law_loss(Law law, const Reading& reading, const float* out, float* gradient);

}  // namespace startle
