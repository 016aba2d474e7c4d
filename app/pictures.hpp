#pragma once
/// \file  What commands that make pictures and videos share.
#include <string>

#include "app/command.hpp"
#include "render/recorded_world.hpp"

namespace startle {

struct PictureOptions {
  std::string size = "960x540";
  int frames_per_second = 25;

  /// Throws Error for a size that is none.
  VideoFormat format() const;
};
void add_picture_options(CLI::App& command, PictureOptions& options);

}  // namespace startle
