#pragma once
/// \file  Numbers as text, the same on every machine and in every locale.
#include <string>

namespace startle {

/// With that many digits after the point.
std::string fixed(double value, int digits);
/// Shortest text that reads back as the same number.
std::string shortest(double value);

}  // namespace startle
