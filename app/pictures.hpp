#pragma once
/// \file  What `render` and `simulate` share: pictures and films of shots.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/command.hpp"
#include "render/frames.hpp"

namespace startle {

/// One shot and the scene it started from, recorded at every step.
struct FilmedShot {
  Scene scene;
  Trace trace;
};

/// A world to be seen, normal or novel; with more than one they stand beside each other, each under its caption.
struct FilmedWorld {
  std::string caption;
  std::vector<FilmedShot> shots;
};

/// Runs the shots one after the other, as play() does.
FilmedWorld film(std::string caption, const Scene& start, const std::vector<Shot>& shots);
/// The scene as it stands, the next bird on the slingshot.
FilmedWorld standing(std::string caption, const Scene& scene);

struct PictureOptions {
  std::string size = "960x540";
  int frames_per_second = 25;
};
void add_picture_options(CLI::App& command, PictureOptions& options);

/// The worlds as a film, .gif or .mp4. Here and below: at least one world, each with at least one shot.
void write_film(const std::filesystem::path& path, const std::vector<FilmedWorld>& worlds, const PictureOptions& options);

/// The worlds' last shot as a picture, `seconds` after its release; without it, at the end.
Bitmap still(const std::vector<FilmedWorld>& worlds, std::optional<double> seconds, const PictureOptions& options);
/// The same as a mask. Of the first world.
Mask still_mask(const std::vector<FilmedWorld>& worlds, std::optional<double> seconds, const PictureOptions& options);

}  // namespace startle
