#pragma once
/// \file  What commands that make pictures and films share.
#include <string>

#include "app/command.hpp"
#include "render/filmed.hpp"

namespace startle {

struct PictureOptions {
  std::string size = "960x540";
  int frames_per_second = 25;

  /// Throws Error for a size that is none.
  FilmFormat format() const;
};
void add_picture_options(CLI::App& command, PictureOptions& options);

}  // namespace startle
