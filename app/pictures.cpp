#include "app/pictures.hpp"

namespace startle {

VideoFormat PictureOptions::format() const {
  const PictureSize pixels = parse_picture_size(size);
  return {pixels.width, pixels.height, frames_per_second};
}

void add_picture_options(CLI::App& command, PictureOptions& options) {
  add_shared_option(command, "--size", options.size, "of each world where two stand beside each other");
  add_shared_option(command, "--fps", options.frames_per_second)->check(CLI::Range(1, 50).description(""));
}

}  // namespace startle
