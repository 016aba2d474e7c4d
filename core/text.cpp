#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace startle {

#ifdef __cpp_lib_to_chars

std::optional<double> parse_double(std::string_view text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), last, value);
  if (read.ec != std::errc{} || read.ptr != last || !std::isfinite(value)) return std::nullopt;
  return value;
}

namespace {

template <typename... How>
std::string written(double value, How... how) {
  std::array<char, 400> buffer;
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, how...).ptr};
}

}  // namespace

std::string fixed(double value, int digits) { return written(value, std::chars_format::fixed, digits); }
std::string general(double value, int digits) { return written(value, std::chars_format::general, digits); }
std::string shortest(double value) { return written(value); }

void append_shortest(std::string& to, double value) {
  std::array<char, 32> buffer;
  to.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
}

#else

// libc++ before version 20 has no such functions of floating-point numbers. The C library's give the same
// text: programs keep to the locale "C".

std::optional<double> parse_double(std::string_view text) {
  const bool negative = text.starts_with('-');
  const char first = text.size() > negative ? text[negative] : ' ';
  const bool begins = (first >= '0' && first <= '9') || first == '.';
  if (!begins || text.find_first_of("xX") != text.npos) return std::nullopt;
  const std::string copy(text);
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(copy.c_str(), &end);
  // Subnormal numbers are read, though the range is said to be left.
  const bool is_lost = errno == ERANGE && (value == 0 || std::isinf(value));
  if (end != copy.c_str() + copy.size() || is_lost) return std::nullopt;
  return value;
}

namespace {

std::string written(const char* format, int digits, double value) {
  std::array<char, 400> buffer;
  const int size = std::snprintf(buffer.data(), buffer.size(), format, digits, value);
  return {buffer.data(), static_cast<std::size_t>(size)};
}

}  // namespace

std::string fixed(double value, int digits) { return written("%.*f", digits, value); }
std::string general(double value, int digits) { return written("%.*g", digits, value); }

std::string shortest(double value) {
  if (!std::isfinite(value)) return written("%.*f", 0, value);
  std::string scientific;
  int digits = 0;
  do scientific = written("%.*e", digits, value);
  while (std::strtod(scientific.c_str(), nullptr) != value && ++digits < 17);
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  const std::string plain = fixed(value, std::max(digits - exponent, 0));
  return plain.size() <= scientific.size() ? plain : scientific;
}

void append_shortest(std::string& to, double value) { to += shortest(value); }

#endif

std::string number_text(double value) { return shortest(value + 0.0); }  // -0 + 0 = 0

std::size_t first_invalid_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    const std::size_t size = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
    if (size == 0) return i;
    for (std::size_t k = 1; k < size; ++k)
      if ((byte(i + k) & 0xC0) != 0x80) return i;
    // Second bytes that would make an overlong form, a surrogate, or a code point above U+10FFFF.
    const unsigned second = byte(i + 1);
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) ||
        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90))
      return i;
    i += size;
  }
  return std::string_view::npos;
}

std::string quoted(const std::string& text) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (std::all_of(text.begin(), text.end(), is_plain)) return '"' + text + '"';  // nearly always
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  return quoted(std::string(text.substr(0, longest))) + (text.size() > longest ? "..." : "");
}

std::string listed(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : ", ") + name;
  return result;
}

std::string shell_word(const std::string& text) {
  if (!text.empty() &&
      text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+") ==
          std::string::npos)
    return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace startle
