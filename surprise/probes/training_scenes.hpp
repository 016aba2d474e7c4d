#pragma once
/// \file  Scenes that models of the probes learn from, in the probes' world: the probes' own kinds of events,
/// or freeform scenes. Nothing in them is impossible.
#include <string>
#include <vector>

#include "core/random.hpp"
#include "surprise/probes/probe_scene.hpp"

namespace startle {

/// The names under which clip sets of these scenes go, where others name their profile.
inline constexpr const char* probe_profile = "probes";       ///< of event_scene()
inline constexpr const char* freeform_profile = "freeform";  ///< of freeform_scene()

/// A scene with one kind of event of the probes, drawn at random. `kind` is one of event_kinds().
const std::vector<std::string>& event_kinds();
ProbeScene event_scene(const std::string& kind, Random& random);

/// A scene without any choreography, as Piloto et al. (2022) train on: two to four balls, blocks, wedges and
/// planks that stand, roll, slide, fly or fall, each at random but for half of the falling ones, which fall
/// on something that is there; a container in it, or not; and in front of it pillars, a curtain, or nothing.
/// The things are the container's three parts, if there is one, and then the bodies. The planks are bodies
/// like the others; none turns on a hinge as ProbePlank.
ProbeScene freeform_scene(Random& random);

}  // namespace startle
