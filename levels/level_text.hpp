#pragma once
/// \file  What both level formats share: numbers as text, names, checks before writing.
#include <string>
#include <string_view>
#include <vector>

#include "sim/level.hpp"

namespace startle {

/// Shortest decimal text that reads back as the same double, with a point whatever the locale; "0" for -0, so that
/// equal levels give equal bytes. `value` must be finite.
std::string number_text(double value);

/// Offset of the first byte that is not part of valid UTF-8 (RFC 3629); std::string_view::npos when there is none.
std::size_t first_invalid_utf8(std::string_view text);

/// A JSON string with its quotes; bytes that are not UTF-8 are replaced.
std::string quoted(const std::string& text);
/// The same for messages: at most the first 60 bytes, then "...".
std::string shown(std::string_view text);

/// "a, b, c".
std::string listed(const std::vector<std::string>& names);

/// Names of the object types of that kind, or of the birds, sorted. A level may use no others; the three profiles know the same.
std::vector<std::string> object_type_names(Kind kind);
std::vector<std::string> bird_type_names();

/// Level name that a file of that name gives: its name without folder and extension; bytes that are not UTF-8 become '?'.
std::string level_name(const std::string& source_name);

/// Throws Error, naming level and field, when a number is not finite or a text is not UTF-8: neither format can hold it.
void require_writable(const Level& level);

}  // namespace startle
