#pragma once
/// \file  GIF files of moving pictures, written by giflib.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "render/frames.hpp"

namespace startle {

/// Writes pictures one after the other; the same pictures give the same bytes. A picture stands in the file
/// as the pixels that differ from the one before, with a palette of their own of at most 255 colours: what
/// does not move does not flicker, and what changes a little keeps its colours.
class GifWriter {
 public:
  /// Pictures of `width` x `height` pixels, 1 to 65535 each; shown again and again. GIF counts time in
  /// hundredths of a second: each picture appears at the one nearest to its time. Throws Error when the file
  /// cannot be written.
  GifWriter(const std::filesystem::path& path, int width, int height, int frames_per_second);
  ~GifWriter();
  GifWriter(const GifWriter&) = delete;
  GifWriter& operator=(const GifWriter&) = delete;

  /// A picture of the size given before. Throws Error when the file cannot be written.
  void add(const Bitmap& picture);
  /// Ends the file. Throws Error when it cannot be written.
  void finish();

 private:
  struct File;
  struct Image;
  void write(const Image& image);
  long hundredths(long picture) const;

  std::unique_ptr<File> file_;
  int rate_;
  long pictures_ = 0;                ///< added so far
  std::vector<std::uint32_t> last_;  ///< 0xRRGGBB
  std::unique_ptr<Image> image_;     ///< not yet written: it is shown until another one comes
};

/// At most `most` colours for the pixels, packed as 0xRRGGBB: theirs where they are so few, else by median
/// cut (P. Heckbert, Color image quantization for frame buffer display, 1982): the box of the most pixels
/// times its longest side is halved until there are enough.
struct Palette {
  std::vector<std::uint32_t> colours;
  std::vector<std::uint8_t> indices;  ///< the colour of each pixel
};
Palette quantise(const std::vector<std::uint32_t>& pixels, int most);

}  // namespace startle
