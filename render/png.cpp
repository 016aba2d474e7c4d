#include "render/png.hpp"

#include <png.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "core/error.hpp"

namespace startle {
namespace {

[[noreturn]] void fail(png_structp, png_const_charp message) { throw Error(std::string("PNG: ") + message); }
void append(png_structp png, png_bytep bytes, png_size_t count) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
}

std::string encoded(int width, int height, int depth, int colour_type, const std::uint8_t* rows,
                    std::size_t row_bytes) {
  std::string bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, nullptr);
  png_infop info = png_create_info_struct(png);
  try {
    png_set_write_fn(png, &bytes, append, nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), depth,
                 colour_type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
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

constexpr png_uint_32 most_pixels = 4096;  // a side

struct Input {
  std::string_view rest;
};
void take(png_structp png, png_bytep bytes, png_size_t count) {
  auto* input = static_cast<Input*>(png_get_io_ptr(png));
  if (count > input->rest.size()) throw Error("PNG: the file is cut off");
  std::memcpy(bytes, input->rest.data(), count);
  input->rest.remove_prefix(count);
}
void ignore(png_structp, png_const_charp) {}

/// Rows of the picture after `prepare` has asked for what they shall be.
struct Decoded {
  png_uint_32 width = 0, height = 0;
  int depth = 0, colour_type = 0;  // as stored
  std::string rows;
};
template <typename Prepare>
Decoded decoded(std::string_view bytes, const std::string& source, const Prepare& prepare) {
  Input input{bytes};
  Decoded result;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, ignore);
  png_infop info = png_create_info_struct(png);
  try {
    png_set_read_fn(png, &input, take);
    png_read_info(png, info);
    int interlace = 0;
    png_get_IHDR(png, info, &result.width, &result.height, &result.depth, &result.colour_type, &interlace,
                 nullptr, nullptr);
    if (result.width > most_pixels || result.height > most_pixels)
      throw Error("PNG: found " + std::to_string(result.width) + " x " + std::to_string(result.height) +
                  " pixels, allowed are " + std::to_string(most_pixels) + " a side");
    prepare(png, result);
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    const std::size_t row_bytes = png_get_rowbytes(png, info);
    result.rows.resize(row_bytes * result.height);
    for (int pass = 0; pass < passes; ++pass)
      for (std::size_t y = 0; y < result.height; ++y)
        png_read_row(png, reinterpret_cast<png_bytep>(result.rows.data() + y * row_bytes), nullptr);
  } catch (const Error& error) {
    png_destroy_read_struct(&png, &info, nullptr);
    throw Error(source + ": " + error.what());
  }
  png_destroy_read_struct(&png, &info, nullptr);
  return result;
}

}  // namespace

std::string png_bytes(const Bitmap& picture) {
  return encoded(picture.width, picture.height, 8, PNG_COLOR_TYPE_RGB, picture.rgb.data(),
                 3 * static_cast<std::size_t>(picture.width));
}

std::string png_bytes(const Mask& mask) {
  std::string big_endian;
  for (const std::uint16_t id : mask.ids) {
    big_endian += static_cast<char>(id >> 8);
    big_endian += static_cast<char>(id & 255);
  }
  return encoded(mask.width, mask.height, 16, PNG_COLOR_TYPE_GRAY,
                 reinterpret_cast<const std::uint8_t*>(big_endian.data()),
                 2 * static_cast<std::size_t>(mask.width));
}

std::string png_bytes_8(const Mask& mask) {
  std::string bytes;
  for (const std::uint16_t id : mask.ids) bytes += static_cast<char>(std::min<std::uint16_t>(id, 255));
  return encoded(mask.width, mask.height, 8, PNG_COLOR_TYPE_GRAY,
                 reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<std::size_t>(mask.width));
}

Bitmap read_png(std::string_view bytes, const std::string& source) {
  const Decoded file = decoded(bytes, source, [](png_structp png, const Decoded&) {
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_strip_alpha(png);
    png_set_gray_to_rgb(png);
  });
  Bitmap picture(static_cast<int>(file.width), static_cast<int>(file.height));
  std::copy(file.rows.begin(), file.rows.end(), picture.rgb.begin());
  return picture;
}

Mask read_grey_png(std::string_view bytes, const std::string& source) {
  const Decoded file = decoded(bytes, source, [](png_structp, const Decoded& head) {
    if (head.colour_type != PNG_COLOR_TYPE_GRAY || head.depth < 8)
      throw Error("PNG: found colours or less than 8 bits, allowed is grey of 8 or 16 bits");
  });
  Mask mask(static_cast<int>(file.width), static_cast<int>(file.height));
  for (std::size_t i = 0; i < mask.ids.size(); ++i) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(file.rows[at]); };
    mask.ids[i] = file.depth == 16 ? static_cast<std::uint16_t>(byte(2 * i) << 8 | byte(2 * i + 1)) : byte(i);
  }
  return mask;
}

}  // namespace startle
