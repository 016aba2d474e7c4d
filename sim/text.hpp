#pragma once
/// \file  Numbers as text, the same on every machine and in every locale; and words of a shell.
#include <string>

namespace startle {

/// With that many digits after the point.
std::string fixed(double value, int digits);
/// Shortest text that reads back as the same number.
std::string shortest(double value);

/// As one word of a POSIX shell: in quotes where it has more than letters, digits and / . _ - +
std::string shell_word(const std::string& text);

}  // namespace startle
