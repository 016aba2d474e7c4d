/// \file  Fuzz target: any bytes as a TFRecord file, plain or compressed, and as a message within, whose
/// check sums would keep most changes from being read.
#include "surprise/probes/tfrecord.hpp"

#include <cstdint>

#include "core/error.hpp"
#include "fuzz/as_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    startle::TfRecordReader reader(as_file(data, size));
    while (const auto record = reader.next()) startle::parse_example(*record, "fuzz");
  } catch (const startle::Error&) {
  }
  try {
    startle::parse_example({reinterpret_cast<const char*>(data), size}, "fuzz");
  } catch (const startle::Error&) {
  }
  return 0;
}
