#pragma once
/// \file  std::bit_cast, which the C++ library of Debian 12's emscripten does not have yet.

namespace startle {

/// A value of type `To` with the bits of `from`, which has the same size.
template <typename To, typename From>
constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}

}  // namespace startle
