#pragma once
/// \file  NovPhy's elements of level files (Fan, Magnet, Storm ...) as the novelty of their level.
///
/// The files say where an element stands and how large it is; how strong it is stands nowhere in public. Ours
/// are as strong as the entries of the catalogue that are called after them (world_novelties()), the same
/// under every profile. docs/novelties.md has the table.
#include <optional>

#include "sim/level.hpp"
#include "sim/novelty.hpp"

namespace startle {

/// Whether the element is one of GameObjects, `<Novelty type="...">`, that own_novelty_of() takes: Fan,
/// Magnet, Storm, InverseGravity, NovelAirTurbulence or InverseAirTurbulence, with x, y and, where given,
/// rotation, scaleX and scaleY that are finite numbers. Others change nothing but looks (PinkCircle), or are
/// of the normal world (NonNovelAirTurbulence).
bool is_novelty_element(const UnknownElement& element);

/// What all these elements of a level do, together; empty where it has none.
///
/// - Fan: blows along its rotation, as strong as `fan`, 6 units far and 2 to either side of it.
/// - NovelAirTurbulence, InverseAirTurbulence: as `turbulence`, up or down, in scaleX x scaleY platforms of
///   scale 1.
/// - Magnet: draws birds and objects to its place as `magnet`, and pushes wooden circles, which it is one of,
///   away as much. It is a point, without a body.
/// - Storm: as `storm`, from the second bird on, everywhere.
/// - InverseGravity: gravity x-1, everywhere.
std::optional<Novelty> own_novelty_of(const Level& level);

}  // namespace startle
