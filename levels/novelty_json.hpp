#pragma once
/// \file  A level's own novelty as part of its JSON file. docs/level-format.md has the keys.
#include <string>

#include "core/json_tree.hpp"
#include "sim/novelty.hpp"

namespace startle {

/// The value of key "novelty". Throws Error, with its place, what was found and what is allowed, for unknown
/// keys and groups, numbers out of range, a region upside down, and a novelty that changes nothing.
Novelty novelty_from_json(const JsonView& json);

/// The same, two spaces deep in its file: what is as usual is left out. Throws Error, with the level's name,
/// for what the file cannot hold: a number that is not finite, single objects, a share of a change, another
/// name than "own".
std::string novelty_to_json(const Novelty& novelty, const std::string& level);

}  // namespace startle
