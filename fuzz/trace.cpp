/// \file  Fuzz target: any bytes as a trace give a recording that can be shown, or an Error.
#include <cstdint>

#include "core/error.hpp"
#include "fuzz/as_file.hpp"
#include "play/recording.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    startle::read_trace(as_file(data, size));
  } catch (const startle::Error&) {
  }
  return 0;
}
