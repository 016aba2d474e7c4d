#pragma once
/// \file  Placed levels as text, for another process of the same program: placing a large set takes minutes.
#include <memory>
#include <string>

#include "levels/placed_levels.hpp"

namespace startle {

/// JSON. Only what is needed to play: the levels with their names, novelties, tiers and places at rest.
std::string placed_set_text(const PlacedSet& set);

/// The levels with equal scenes, to the bit. Throws Error for a text that placed_set_text() does not write,
/// and for levels that do not fit the profile.
PlacedSet placed_set_from_text(const std::string& text, const std::shared_ptr<const Profile>& profile);

}  // namespace startle
