#pragma once
/// \file  What both level formats share: names and checks before writing.
#include <string>
#include <vector>

#include "levels/stored_level.hpp"

namespace startle {

/// Names of the object types of that kind, or of the birds, sorted. A level may use no others; the three
/// profiles know the same.
std::vector<std::string> object_type_names(Kind kind);
std::vector<std::string> bird_type_names();

/// Level name that a file of that name gives: its name without folder and extension; bytes that are not UTF-8
/// become '?'.
std::string level_name(const std::string& source_name);

/// Throws Error, naming level and field, when a number is not finite or a text is not UTF-8: neither format
/// can hold it.
void require_writable(const Level& level);
void require_writable(const StoredLevel& level);

}  // namespace startle
