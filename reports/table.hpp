#pragma once
/// \file  Tables as text: rows of cells, head first.
#include <string>
#include <vector>

namespace startle {

/// Columns with two blanks between them; a column is flush right where every row but the first is a number.
std::string aligned(const std::vector<std::vector<std::string>>& rows);
/// Comma-separated (RFC 4180).
std::string comma_separated(const std::vector<std::vector<std::string>>& rows);

}  // namespace startle
