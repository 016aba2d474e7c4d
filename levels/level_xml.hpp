#pragma once
/// \file  Science Birds level files: XML of both dialects (2016 to 2018, and ANU from 2019). See
/// docs/level-format.md.
#include <string>
#include <string_view>

#include "sim/level.hpp"

namespace startle {

/// Reads what the game reads: tags closed late or never, any of UTF-8 and UTF-16 whatever the header says,
/// missing width, camera and rotation. Elements and names that no profile knows go to Level::unknown, in the
/// order in which level_to_xml writes them. Attributes that the game does not look at (xmlns:..., scaleX of a
/// block, material of a pig) are counted in Level::ignored. `source_name` is the file's name: it stands in
/// messages and names the level.
/// Throws Error, naming source, line, what was found and what is allowed, for malformed tags, a file that is
/// cut off, a missing slingshot, missing or repeated attributes of known elements, and numbers that are not
/// finite, out of range or have a decimal comma.
Level level_from_xml(std::string_view bytes, const std::string& source_name);

/// Well-formed UTF-8. level_from_xml gives back an equal level when `unknown` is in reading order and the
/// level has its file's name, no provenance and no difficulty, which XML cannot hold. Equal levels give equal
/// bytes. Throws Error for numbers that are not finite, and for unknown elements that XML cannot hold: other
/// parents than Level, Birds and GameObjects, names that are none, control characters.
std::string level_to_xml(const Level& level);

}  // namespace startle
