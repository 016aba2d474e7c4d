#pragma once
/// \file  Tables as text: rows of cells, head first.
#include <string>
#include <vector>

namespace startle {

/// Head first; all rows as long as the head.
using Rows = std::vector<std::vector<std::string>>;

/// Columns with two blanks between them; a column is flush right where every row but the first is a number.
std::string aligned(const Rows& rows);
/// Comma-separated (RFC 4180).
std::string comma_separated(const Rows& rows);

}  // namespace startle
