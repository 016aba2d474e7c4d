/// \file  Fuzz target: any bytes as XML give a level or an Error, and such a level survives writing and
/// reading in both formats.
#include "levels/level_xml.hpp"

#include <cstdint>
#include <cstdlib>

#include "core/error.hpp"
#include "levels/level_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  startle::Level level;
  try {
    level = startle::level_from_xml({reinterpret_cast<const char*>(data), size}, "fuzz.xml");
  } catch (const startle::Error&) {
    return 0;
  }
  const std::string text = startle::level_to_xml(level);
  const startle::Level again = startle::level_from_xml(text, "fuzz.xml");
  if (!(again == level) || startle::level_to_xml(again) != text) std::abort();
  if (!(startle::level_from_json(startle::level_to_json({level, {}}), "other.json") ==
        startle::StoredLevel{level, {}}))
    std::abort();
  return 0;
}
