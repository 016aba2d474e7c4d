#pragma once
/// \file  FNV-1a, 64 bit: the hash of traces, level sets and seeds; and how hashes are written.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/bits.hpp"

namespace startle {

class Hash {
 public:
  void add_byte(std::uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3ULL; }
  void add(std::uint64_t v) {
    for (int i = 0; i < 8; ++i) add_byte(static_cast<std::uint8_t>(v >> (8 * i)));
  }
  void add(int v) { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(v))); }
  void add(double v) { add(bit_cast<std::uint64_t>(v)); }
  void add(std::string_view text) {
    for (char c : text) add_byte(static_cast<std::uint8_t>(c));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

/// 16 digits, without "0x".
inline std::string hexadecimal(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
  return text;
}

}  // namespace startle
