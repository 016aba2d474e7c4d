#pragma once
/// \file  Base64 [RFC 4648, section 4]: bytes as letters, for pictures in JSON messages and HTML pages.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace startle {

/// The bytes as text, four letters for every three of them, padded with '='.
std::string to_base64(std::span<const std::uint8_t> bytes);
std::string to_base64(std::string_view bytes);

/// The bytes that a text stands for; nothing for any text that to_base64() does not write: another letter, a
/// length that is no multiple of four, padding elsewhere than at the end, bits left over.
std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text);

}  // namespace startle
