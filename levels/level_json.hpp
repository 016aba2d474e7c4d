#pragma once
/// \file  Startle's own level format: JSON, described in docs/level-format.md and docs/level.schema.json.
#include <string>
#include <string_view>

#include "levels/stored_level.hpp"

namespace startle {

/// `source_name` is the file's name: it stands in messages, and names the level when the text does not.
/// Throws Error, naming source, line, JSON pointer, what was found and what is allowed, for text that is not
/// JSON, another format or version, unknown, missing or repeated keys, wrong types, numbers out of range, and
/// types that no profile knows.
StoredLevel level_from_json(std::string_view text, const std::string& source_name);

/// The whole level. Equal levels give equal bytes, and level_from_json gives back an equal level.
/// Throws Error for a number that is not finite and for text that is not UTF-8.
std::string level_to_json(const StoredLevel& level);

}  // namespace startle
