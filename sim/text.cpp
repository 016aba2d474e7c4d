#include "sim/text.hpp"

#include <array>
#include <charconv>

namespace startle {

std::string fixed(double value, int digits) {
  std::array<char, 400> buffer;
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, digits).ptr};
}

std::string shortest(double value) {
  std::array<char, 64> buffer;
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

}  // namespace startle
