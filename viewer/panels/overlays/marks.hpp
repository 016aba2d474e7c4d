#pragma once
/// \file  Colours, marks over the world and lines of text that several overlays share.
#include <cstdint>
#include <string>
#include <vector>

#include "play/insight.hpp"
#include "viewer/drawing/pen.hpp"
#include "viewer/widgets.hpp"

namespace startle::overlays {

// Colours that people with any colour vision distinguish (Okabe and Ito), the same as in scene_svg where it
// draws the same.
inline constexpr Colour lower_path = colour(0x0072B2), upper_path = colour(0xD55E00),
                        white = colour(0xFFFFFF), ink = colour(0x16202E), plate = colour(0x17212F, 225),
                        dim = colour(0xA8B7CC), visible_colour = colour(0xB3128A),
                        focus_colour = colour(0xFFD54A), orange = colour(0xE69F00), green = colour(0x009E73),
                        sky_blue = colour(0x56B4E9), pink = colour(0xE07BB0), red = colour(0xC8322B),
                        blue = colour(0x1B6FC2), violet = colour(0x7A4FC9);

inline Colour with_alpha(Colour c, std::uint8_t alpha) { return {c.r, c.g, c.b, alpha}; }

/// As std::snprintf, of one number.
std::string format(const char* pattern, double value);
/// "#3 wood RectFat".
std::string object_name(const Scene& scene, std::size_t object);
/// "#1, #2"; "none".
std::string object_list(const std::vector<std::size_t>& objects);
/// "1 5 9".
std::string number_list(const Cases& cases);

/// Beside an object, the way it falls: what stands on the object itself stays legible.
void draw_fall_arrow(const Pen& pen, const Bounds& box, FallDirection way);

/// In the panel that is open: text that is broken to its width; a colour and what it means; an explanation
/// with its indentation, the sums pointed out.
void paragraph(const std::string& text);
void legend(Colour c, const char* text, bool dashed = false);
void explanation_lines(const std::string& text);

}  // namespace startle::overlays
