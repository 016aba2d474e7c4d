#pragma once
/// \file  Which scenes can be simulated.
#include "sim/scene.hpp"

namespace startle {

/// Throws Error, "`what` is `found`; allowed: `allowed`", unless `holds`.
void require_value(bool holds, const char* what, double found, const char* allowed);

/// Throws Error, naming the object, for a scene that Box2D cannot simulate: without profile, with NaN, with
/// places or speeds over 10000, or with a density or life that is not above 0.
void require_simulable(const Scene& scene);

}  // namespace startle
