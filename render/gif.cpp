#include "render/gif.hpp"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"

namespace startle {
namespace {

struct Counted {
  std::uint32_t colour;
  std::uint64_t pixels;
};

std::uint32_t channel(std::uint32_t colour, int shift) { return colour >> shift & 0xFF; }

/// Colours first to last - 1 of a list; its longest side is that of the channel at `shift`.
struct Box {
  std::size_t first, last;
  std::uint64_t pixels = 0;
  std::uint32_t side = 0;
  int shift = 0;
};

Box box(const std::vector<Counted>& colours, std::size_t first, std::size_t last) {
  Box result{.first = first, .last = last};
  for (std::size_t i = first; i < last; ++i) result.pixels += colours[i].pixels;
  for (const int shift : {16, 8, 0}) {
    std::uint32_t least = 255, most = 0;
    for (std::size_t i = first; i < last; ++i) {
      least = std::min(least, channel(colours[i].colour, shift));
      most = std::max(most, channel(colours[i].colour, shift));
    }
    if (most - least > result.side) {
      result.side = most - least;
      result.shift = shift;
    }
  }
  return result;
}

/// Where the box, which is sorted along its longest side, has half of its pixels on either side; both halves
/// have a colour.
std::size_t median(const std::vector<Counted>& colours, const Box& whole) {
  std::uint64_t before = 0;
  std::size_t i = whole.first;
  while (i + 1 < whole.last && 2 * (before + colours[i].pixels) <= whole.pixels)
    before += colours[i++].pixels;
  return std::max(i, whole.first + 1);
}

std::uint32_t mean(const std::vector<Counted>& colours, const Box& whole) {
  std::uint32_t result = 0;
  for (const int shift : {16, 8, 0}) {
    std::uint64_t sum = 0;
    for (std::size_t i = whole.first; i < whole.last; ++i)
      sum += channel(colours[i].colour, shift) * colours[i].pixels;
    result |= static_cast<std::uint32_t>((sum + whole.pixels / 2) / whole.pixels) << shift;
  }
  return result;
}

std::vector<Counted> distinct(std::vector<std::uint32_t> pixels) {
  std::sort(pixels.begin(), pixels.end());
  std::vector<Counted> colours;
  for (const std::uint32_t pixel : pixels) {
    if (colours.empty() || colours.back().colour != pixel) colours.push_back({pixel, 0});
    ++colours.back().pixels;
  }
  return colours;
}

std::vector<std::uint32_t> packed(const Bitmap& picture) {
  std::vector<std::uint32_t> pixels(picture.rgb.size() / 3);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<std::uint32_t>(picture.rgb[3 * i]) << 16 |
                static_cast<std::uint32_t>(picture.rgb[3 * i + 1]) << 8 | picture.rgb[3 * i + 2];
  return pixels;
}

}  // namespace

Palette quantise(const std::vector<std::uint32_t>& pixels, int most) {
  Palette palette;
  if (pixels.empty()) return palette;
  std::vector<Counted> colours = distinct(pixels);
  std::vector<Box> boxes{box(colours, 0, colours.size())};
  while (boxes.size() < std::min(colours.size(), static_cast<std::size_t>(most))) {
    Box& widest = *std::max_element(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) {
      return a.pixels * a.side < b.pixels * b.side;
    });
    const Box whole = widest;
    std::sort(
        colours.begin() + static_cast<std::ptrdiff_t>(whole.first),
        colours.begin() + static_cast<std::ptrdiff_t>(whole.last), [&](const Counted& a, const Counted& b) {
          const std::uint32_t at_a = channel(a.colour, whole.shift), at_b = channel(b.colour, whole.shift);
          return at_a != at_b ? at_a < at_b : a.colour < b.colour;
        });
    const std::size_t middle = median(colours, whole);
    widest = box(colours, whole.first, middle);
    boxes.push_back(box(colours, middle, whole.last));
  }
  std::vector<std::pair<std::uint32_t, std::uint8_t>> index_of;  // by colour
  for (const Box& b : boxes) {
    for (std::size_t i = b.first; i < b.last; ++i)
      index_of.emplace_back(colours[i].colour, static_cast<std::uint8_t>(palette.colours.size()));
    palette.colours.push_back(mean(colours, b));
  }
  std::sort(index_of.begin(), index_of.end());
  palette.indices.reserve(pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i)
    palette.indices.push_back(
        i > 0 && pixels[i] == pixels[i - 1]
            ? palette.indices.back()
            : std::lower_bound(index_of.begin(), index_of.end(), std::pair{pixels[i], std::uint8_t{0}})
                  ->second);
  return palette;
}

struct GifWriter::File {
  std::filesystem::path path;
  GifFileType* gif = nullptr;

  void check(int result) const {
    if (result != GIF_ERROR) return;
    const char* why = GifErrorString(gif ? gif->Error : E_GIF_ERR_WRITE_FAILED);
    throw Error(path.string() + ": cannot be written: " + (why ? why : "unknown error"));
  }
};

/// A rectangle of the picture, with the pixels that differ from the picture before.
struct GifWriter::Image {
  int x0 = 0, y0 = 0, width = 0, height = 0;
  std::vector<std::uint32_t> colours;    ///< of the palette
  std::vector<std::uint8_t> indices;     ///< rows from the top; colours.size(): as before
  bool whole = false;                    ///< all pixels are given
  long shown_from = 0, shown_until = 0;  ///< hundredths of a second
};

GifWriter::GifWriter(const std::filesystem::path& path, int width, int height, int frames_per_second)
    : file_(new File{path, nullptr}), rate_(frames_per_second) {
  if (std::min(width, height) < 1 || std::max(width, height) > 65535)
    throw Error(path.string() + ": size is " + std::to_string(width) + "x" + std::to_string(height) +
                "; allowed in GIF: 1x1 to 65535x65535");
  int error = 0;
  file_->gif = EGifOpenFileName(path.c_str(), false, &error);
  if (!file_->gif) throw Error(path.string() + ": cannot be written: " + GifErrorString(error));
  EGifSetGifVersion(file_->gif, true);
  file_->check(EGifPutScreenDesc(file_->gif, width, height, 8, 0, nullptr));
  // "Again and again", by Netscape's extension, which all players know.
  constexpr std::array<GifByteType, 3> forever{1, 0, 0};
  file_->check(EGifPutExtensionLeader(file_->gif, APPLICATION_EXT_FUNC_CODE));
  file_->check(EGifPutExtensionBlock(file_->gif, 11, "NETSCAPE2.0"));
  file_->check(EGifPutExtensionBlock(file_->gif, 3, forever.data()));
  file_->check(EGifPutExtensionTrailer(file_->gif));
}

GifWriter::~GifWriter() {
  int ignored = 0;
  if (file_->gif) EGifCloseFile(file_->gif, &ignored);
}

long GifWriter::hundredths(long picture) const {
  return std::lround(100.0 * static_cast<double>(picture) / rate_);
}

void GifWriter::add(const Bitmap& picture) {
  const std::vector<std::uint32_t> pixels = packed(picture);
  const bool first = pictures_ == 0;
  const long from = hundredths(pictures_), until = hundredths(++pictures_);
  const auto at = [&](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
           static_cast<std::size_t>(x);
  };
  const auto differs = [&](std::size_t i) { return first || pixels[i] != last_[i]; };
  int x0 = picture.width, y0 = picture.height, x1 = -1, y1 = -1;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      if (!differs(at(x, y))) continue;
      x0 = std::min(x0, x), x1 = std::max(x1, x);
      y0 = std::min(y0, y), y1 = std::max(y1, y);
    }
  if (x1 < 0) {
    image_->shown_until = until;
    return;
  }
  if (image_) write(*image_);
  std::vector<std::uint32_t> given;
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x)
      if (differs(at(x, y))) given.push_back(pixels[at(x, y)]);
  Palette palette = quantise(given, 255);
  image_ = std::make_unique<Image>(Image{.x0 = x0,
                                         .y0 = y0,
                                         .width = x1 - x0 + 1,
                                         .height = y1 - y0 + 1,
                                         .whole = first,
                                         .shown_from = from,
                                         .shown_until = until});
  image_->colours = std::move(palette.colours);
  const auto as_before = static_cast<std::uint8_t>(image_->colours.size());
  std::size_t next = 0;
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x)
      image_->indices.push_back(differs(at(x, y)) ? palette.indices[next++] : as_before);
  last_ = pixels;
}

void GifWriter::write(const Image& image) {
  const int transparent = image.whole ? NO_TRANSPARENT_COLOR : static_cast<int>(image.colours.size());
  const GraphicsControlBlock control{
      .DisposalMode = DISPOSE_DO_NOT,
      .UserInputFlag = false,
      .DelayTime = static_cast<int>(std::min(image.shown_until - image.shown_from, 65535L)),
      .TransparentColor = transparent};
  std::array<GifByteType, 4> extension{};
  EGifGCBToExtension(&control, extension.data());
  file_->check(EGifPutExtension(file_->gif, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(extension.size()),
                                extension.data()));

  std::array<GifColorType, 256> colours{};
  for (std::size_t i = 0; i < image.colours.size(); ++i)
    colours[i] = {static_cast<GifByteType>(image.colours[i] >> 16),
                  static_cast<GifByteType>(image.colours[i] >> 8 & 0xFF),
                  static_cast<GifByteType>(image.colours[i] & 0xFF)};
  const int used = static_cast<int>(image.colours.size()) + (image.whole ? 0 : 1);
  ColorMapObject* map = GifMakeMapObject(1 << GifBitSize(std::max(used, 2)), colours.data());
  if (!map) throw Error(file_->path.string() + ": not enough memory");
  const int described = EGifPutImageDesc(file_->gif, image.x0, image.y0, image.width, image.height, false,
                                         map);
  GifFreeMapObject(map);
  file_->check(described);
  std::vector<GifPixelType> row(static_cast<std::size_t>(image.width));  // giflib writes into what it is
                                                                         // given
  for (int y = 0; y < image.height; ++y) {
    std::copy_n(image.indices.begin() + static_cast<std::ptrdiff_t>(y) * image.width, image.width,
                row.begin());
    file_->check(EGifPutLine(file_->gif, row.data(), image.width));
  }
}

void GifWriter::finish() {
  if (image_) write(*image_);
  image_.reset();
  int error = 0;
  const int closed = EGifCloseFile(file_->gif, &error);
  file_->gif = nullptr;
  if (closed == GIF_ERROR)
    throw Error(file_->path.string() + ": cannot be written: " + GifErrorString(error));
}

}  // namespace startle
