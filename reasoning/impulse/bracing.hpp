#pragma once
/// \file  Extended method: vertical impact without what friction and neighbours hold.
///
/// The published vertical impact (vertical_impact.hpp) asks of one object after the other whether its mass
/// centre lies over its support. So a brick in bond over a gap falls, although it is wedged: it would have to
/// turn through its neighbours, press them apart or rub along them. Here everything on its fall list is let
/// go together, in one moment: gravity pulls, contacts press and rub, by rigid-body mechanics (no contact
/// closes, none pulls, friction is at most mu times the pressing force; limit analysis of dry masonry, Blum
/// 1970 and Heyman 1966). What forces at the contacts keep at rest is held, and stays. Time does not pass and
/// nothing is followed on its way. Shots (knock_on.hpp) do not use it: a shot shakes what it reaches, and it
/// made no difference there.
#include <vector>

#include "reasoning/impulse/blow.hpp"
#include "reasoning/qualitative/support.hpp"
#include "reasoning/qualitative/vertical_impact.hpp"
#include "sim/scene.hpp"

namespace startle {

/// Chosen on development levels; `fit_reasoning` shows what halving and doubling them does.
struct BracingConstants {
  /// An object whose acceleration, turning counted in, stays below this share of its weight's is held.
  double least_acceleration = 0.1;
  /// Passes over the contacts, at most.
  int passes = 200;
};

/// vertical_impact() of `gone`, without the objects that are held. The fall list's direct neighbours can be
/// pushed away, what is further off stands fast. What falls is taken away and the rest tested again, until
/// nothing more falls. `network` is contact_network() of the scene. In order of index. Depends on poses,
/// densities, friction and gravity scale.
std::vector<Fall> unbraced_falls(const Scene& scene, const SupportGraph& graph, const ContactNetwork& network,
                                 const std::vector<std::size_t>& gone,
                                 const BracingConstants& constants = {});

}  // namespace startle
