/// \file  Fuzz target: any bytes as JSON give a level or an Error, and such a level survives writing and
/// reading.
#include "levels/level_json.hpp"

#include <cstdint>
#include <cstdlib>

#include "core/error.hpp"
#include "levels/level_xml.hpp"

namespace {

/// XML cannot hold every level that JSON can; it must then say so.
void write_as_xml(const startle::Level& level) {
  try {
    startle::level_from_xml(startle::level_to_xml(level), "fuzz.xml");
  } catch (const startle::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  startle::StoredLevel level;
  try {
    level = startle::level_from_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
  } catch (const startle::Error&) {
    return 0;
  }
  const std::string text = startle::level_to_json(level);
  const startle::StoredLevel again = startle::level_from_json(text, "other.json");
  if (!(again == level) || startle::level_to_json(again) != text) std::abort();
  write_as_xml(level);
  return 0;
}
