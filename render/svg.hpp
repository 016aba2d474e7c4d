#pragma once
/// \file  Text of SVG pictures: numbers, escaping, and the colours that all pictures and plots share.
///
/// Pictures carry no ids, no classes and no style sheets, so any number of them can stand in one HTML page.
#include <array>
#include <string>
#include <string_view>

namespace startle {

/// Shortest decimal with at most two digits after the point, "." whatever the locale, never "-0".
std::string svg_number(double value);

/// Text made safe for element content and for attribute values in double quotes. Control characters, which
/// XML does not allow, become U+FFFD.
std::string xml_escaped(std::string_view text);

/// Eight colours that colour-blind readers distinguish (Okabe and Ito 2008), strong ones first.
inline constexpr std::array<const char*, 8> palette{"#0072B2", "#E69F00", "#009E73", "#D55E00",
                                                    "#CC79A7", "#56B4E9", "#F0E442", "#000000"};

inline constexpr const char* svg_font = "'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif";

}  // namespace startle
