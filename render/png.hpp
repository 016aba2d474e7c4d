#pragma once
/// \file  Pictures as PNG.
#include <string>
#include <string_view>

#include "render/frames.hpp"

namespace startle {

/// The file's bytes, the same for the same picture: 8-bit RGB.
std::string png_bytes(const Bitmap& picture);
/// 16-bit greyscale, a pixel's value being its number in the mask.
std::string png_bytes(const Mask& mask);
/// 8-bit greyscale; numbers over 255 as 255.
std::string png_bytes_8(const Mask& mask);

/// Any PNG as 8-bit RGB: deeper channels cut to their upper 8 bits, palettes and grey resolved, transparency
/// ignored. Throws Error, led by `source`, when the bytes are no PNG, are damaged, or are of more than 4096
/// pixels a side.
Bitmap read_png(std::string_view bytes, const std::string& source);
/// A greyscale PNG of 8 or 16 bits, the values as stored. Throws Error as read_png(), and for colours.
Mask read_grey_png(std::string_view bytes, const std::string& source);

}  // namespace startle
