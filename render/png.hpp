#pragma once
/// \file  Pictures as PNG.
#include <string>

#include "render/frames.hpp"

namespace startle {

/// The file's bytes, the same for the same picture: 8-bit RGB.
std::string png_bytes(const Bitmap& picture);
/// 16-bit greyscale, a pixel's value being its number in the mask.
std::string png_bytes(const Mask& mask);

}  // namespace startle
