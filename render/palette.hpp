#pragma once
/// \file  Colours of what a world holds, the same in every picture of Startle.
///
/// They depend on kind, type and material alone, never on parameters: a novel object looks like a normal one.
#include <cstdint>
#include <string>

#include "sim/level.hpp"

namespace startle {

/// Red, green, blue, 0 to 255, not premultiplied; alpha 255 is opaque.
struct Colour {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  friend bool operator==(const Colour&, const Colour&) = default;
};

/// From 0xRRGGBB.
constexpr Colour colour(std::uint32_t rgb, std::uint8_t alpha = 255) {
  return {static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8),
          static_cast<std::uint8_t>(rgb), alpha};
}
/// "#RRGGBB"; alpha is left out.
std::string svg_colour(Colour c);

/// How one kind of thing looks.
struct Look {
  Colour fill, edge;   ///< pictures for people
  Colour dark, light;  ///< their texture, or the feet and belly of a bird
  Colour flat;         ///< training frames: any two of these differ clearly in RGB
};

const Look& look_of(Kind kind, Material material);
/// Birds by type; unknown types look like the red one.
const Look& bird_look(const std::string& type);

/// Training frames.
inline constexpr Colour sky_flat = colour(0x9CCBEA), slingshot_flat = colour(0x3F2410);

}  // namespace startle
