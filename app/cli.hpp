#pragma once
/// \file  CLI11, with numbers read as everywhere in Startle. Include it in place of <CLI/CLI.hpp>.
#ifdef CLI11_VERSION
#error "app/cli.hpp comes before <CLI/CLI.hpp>: else NaN and infinity pass every range"
#endif
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/text.hpp"

namespace startle {

/// parse_number(), with a '+' before it or without.
template <typename Number>
bool read_option(std::string_view text, Number& value) {
  const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  const std::optional<Number> read = parse_number<Number>(text.substr(has_plus ? 1 : 0));
  if (read) value = *read;
  return read.has_value();
}

}  // namespace startle

namespace CLI::detail {  // NOLINT(readability-identifier-naming)

// These read every option and range of their types. CLI11's own functions accept nan, inf and 1e400, which
// then pass every comparison with a bound, and read -1 as the largest count. These overloads must be declared
// before CLI11's templates to be preferred to them.
inline bool lexical_cast(const std::string& text, double& value) { return startle::read_option(text, value); }
inline bool lexical_cast(const std::string& text, std::size_t& value) {
  return startle::read_option(text, value);
}

}  // namespace CLI::detail

#include <CLI/CLI.hpp>
