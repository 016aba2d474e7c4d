#pragma once
/// \file  By what tests of probes know a clip again.
#include "core/hash.hpp"
#include "render/clip.hpp"

namespace startle {

inline std::uint64_t clip_hash(const Clip& clip) {
  Hash hash;
  for (const std::uint8_t byte : clip.rgb) hash.add_byte(byte);
  for (const std::uint8_t byte : clip.masks) hash.add_byte(byte);
  return hash.value();
}

}  // namespace startle
