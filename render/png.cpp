#include "render/png.hpp"

#include <png.h>

#include <string>

#include "sim/error.hpp"

namespace startle {
namespace {

[[noreturn]] void fail(png_structp, png_const_charp message) { throw Error(std::string("PNG: ") + message); }
void append(png_structp png, png_bytep bytes, png_size_t count) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
}

std::string encoded(int width, int height, int depth, int colour_type, const std::uint8_t* rows, std::size_t row_bytes) {
  std::string bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, nullptr);
  png_infop info = png_create_info_struct(png);
  try {
    png_set_write_fn(png, &bytes, append, nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), depth, colour_type, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < height; ++y) png_write_row(png, rows + static_cast<std::size_t>(y) * row_bytes);
    png_write_end(png, info);
  } catch (...) {
    png_destroy_write_struct(&png, &info);
    throw;
  }
  png_destroy_write_struct(&png, &info);
  return bytes;
}

}  // namespace

std::string png_bytes(const Bitmap& picture) {
  return encoded(picture.width, picture.height, 8, PNG_COLOR_TYPE_RGB, picture.rgb.data(), 3 * static_cast<std::size_t>(picture.width));
}

std::string png_bytes(const Mask& mask) {
  std::string big_endian;
  for (const std::uint16_t id : mask.ids) {
    big_endian += static_cast<char>(id >> 8);
    big_endian += static_cast<char>(id & 255);
  }
  return encoded(mask.width, mask.height, 16, PNG_COLOR_TYPE_GRAY, reinterpret_cast<const std::uint8_t*>(big_endian.data()),
                 2 * static_cast<std::size_t>(mask.width));
}

}  // namespace startle
