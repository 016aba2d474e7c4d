#pragma once
/// \file  Shots as people see them: recorded at every step, drawn as pictures and films; several worlds beside each other.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "render/frames.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"

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

/// Pixels of a picture, of each world where two stand beside each other; frames a second of a film.
struct FilmFormat {
  int width = 960, height = 540;
  int frames_per_second = 25;
};

/// The worlds as a film, .gif or .mp4. Here and below: at least one world, each with at least one shot. `progress` is told the share
/// that is done, 0 to 1; when it says false, no file is written, and the result is false. Throws Error as FilmWriter does.
bool write_film(const std::filesystem::path& path, const std::vector<FilmedWorld>& worlds,
                const FilmFormat& format, const std::function<bool(double)>& progress = {});

/// The worlds' last shot as a picture, `seconds` after its release; without it, at the end.
Bitmap still(const std::vector<FilmedWorld>& worlds, std::optional<double> seconds, const FilmFormat& format);
/// The same as a mask. Of the first world.
Mask still_mask(const std::vector<FilmedWorld>& worlds, std::optional<double> seconds,
                const FilmFormat& format);

}  // namespace startle
