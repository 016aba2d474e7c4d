#pragma once
/// \file  Tables as text: rows of cells, head first.
#include <string>
#include <vector>

namespace startle {

/// Head first; all rows as long as the head.
using Rows = std::vector<std::vector<std::string>>;

/// Columns with two blanks between them; a column is flush right where every row but the first is a number.
std::string aligned(const Rows& rows);
/// Comma-separated (RFC 4180), and safe to open in a spreadsheet: text that would be a formula there, as it
/// begins with = + - @, a tab or a carriage return and is no number, gets a ' before it; control characters
/// other than ends of lines become U+FFFD.
std::string comma_separated(const Rows& rows);

}  // namespace startle
