#pragma once
/// \file  The secret of a run of agents: whatever an agent must not foresee comes from it, and it is never
/// sent.
///
/// Seeds that agents are given, points of change, rows of levels and the order of trials are each derived
/// from a hash (BLAKE2b, of libsodium) of their purpose and their place, keyed with the secret. Knowing any
/// of them reveals nothing of the others.
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace startle {

struct RunSecret {
  std::array<unsigned char, 16> bytes{};  ///< 128 bits

  /// From the system's source of random numbers.
  static RunSecret fresh();
  /// From text(); throws Error for anything but 32 hexadecimal digits.
  static RunSecret parse(const std::string& text);
  /// 32 hexadecimal digits.
  std::string text() const;

  /// 64 bits for `purpose` ("agent seed"), at `place` (name of a trial) and `index` there.
  std::uint64_t derive(std::string_view purpose, std::string_view place, std::uint64_t index = 0) const;

  friend bool operator==(const RunSecret&, const RunSecret&) = default;
};

/// BLAKE2b of 256 bits, 64 hexadecimal digits, over the texts: each after its length in bytes, a number of 8
/// bytes, the lowest first. So no two lists of texts are taken for each other.
std::string hash_of_texts(const std::vector<std::string>& texts);

/// The secret of a run: `given`; else that of the first of the results files that exist and hold something,
/// whose run this then goes on with; else none.
std::optional<RunSecret> known_secret(const std::string& given,
                                      const std::vector<std::filesystem::path>& results);

}  // namespace startle
