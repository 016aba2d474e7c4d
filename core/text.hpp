#pragma once
/// \file  Numbers as text, the same on every machine and in every locale; text of strangers in messages; and
/// words of a shell.
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace startle {

/// parse_number<double>.
std::optional<double> parse_double(std::string_view text);

/// Reads a text that is one number from its first character to its last, the same in every locale.
///
/// \tparam Number double, or an integer type
/// \param text all of it is the number
/// \param base of whole numbers, 2 to 36, without "0x"; floating-point numbers are decimal
/// \return nothing for any other text: blanks, '+', a rest as in "12zz", nothing at all, a number that the
/// type cannot hold, infinity, NaN
template <typename Number>
std::optional<Number> parse_number(std::string_view text, int base = 10) {
  if constexpr (std::is_same_v<Number, double>) {
    return parse_double(text);
  } else {
    Number value{};
    const char* const last = text.data() + text.size();
    const std::from_chars_result read = std::from_chars(text.data(), last, value, base);
    if (read.ec != std::errc{} || read.ptr != last) return std::nullopt;
    return value;
  }
}

/// With that many digits after the point.
std::string fixed(double value, int digits);
/// With at most that many significant digits; with an exponent where that is below -4 or not below `digits`.
std::string general(double value, int digits);
/// Shortest text that reads back as the same number.
std::string shortest(double value);
/// The same at the end of `to`, for many numbers.
void append_shortest(std::string& to, double value);

/// Shortest decimal text that reads back as the same double, with a point whatever the locale; "0" for -0, so
/// that equal levels give equal bytes. `value` must be finite.
std::string number_text(double value);

/// Offset of the first byte that is not part of valid UTF-8 (RFC 3629); std::string_view::npos when there is
/// none.
std::size_t first_invalid_utf8(std::string_view text);

/// A JSON string with its quotes; bytes that are not UTF-8 are replaced.
std::string quoted(const std::string& text);
/// The same for messages: at most the first 60 bytes, then "...".
std::string shown(std::string_view text);

/// "a, b, c".
std::string listed(const std::vector<std::string>& names);

/// As one word of a POSIX shell: in quotes where it has more than letters, digits and / . _ - +
std::string shell_word(const std::string& text);

}  // namespace startle
