#include "app/pictures.hpp"

namespace startle {

VideoFormat PictureOptions::format() const {
  const PictureSize pixels = parse_picture_size(size);
  return {pixels.width, pixels.height, frames_per_second};
}

void add_picture_options(CLI::App& command, PictureOptions& options) {
  command
      .add_option("--size", options.size,
                  "pixels of the picture, of each world where two stand beside each other")
      ->type_name("WxH")
      ->capture_default_str();
  command.add_option("--fps", options.frames_per_second, "frames a second of a video")
      ->check(CLI::Range(1, 50))
      ->type_name("N")
      ->capture_default_str();
}

}  // namespace startle
