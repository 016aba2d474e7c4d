#include "app/reports/surprise/clip_pictures.hpp"

#include <algorithm>
#include <cmath>

#include "core/base64.hpp"
#include "render/png.hpp"

namespace startle {
namespace {

const float* predicted_frame(const Clip& clip, const Prediction& prediction, int t) {
  return prediction.frames.data() + static_cast<std::size_t>(t - 1) * clip.frame_size();
}

}  // namespace

Bitmap frame_picture(const Clip& clip, int t) {
  Bitmap picture(clip.pixels, clip.pixels);
  std::copy_n(clip.frame(t), clip.frame_size(), picture.rgb.begin());
  return picture;
}

Bitmap predicted_picture(const Clip& clip, const Prediction& prediction, int t) {
  Bitmap picture(clip.pixels, clip.pixels);
  const float* predicted = predicted_frame(clip, prediction, t);
  for (std::size_t i = 0; i < picture.rgb.size(); ++i)
    picture.rgb[i] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(predicted[i], 0.0F, 1.0F)));
  return picture;
}

Bitmap error_picture(const Clip& clip, const Prediction& prediction, int t) {
  Bitmap picture(clip.pixels, clip.pixels);
  const float* predicted = predicted_frame(clip, prediction, t);
  const std::uint8_t* seen = clip.frame(t);
  for (std::size_t pixel = 0; pixel < picture.rgb.size(); pixel += 3) {
    double squares = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double error = predicted[pixel + c] - seen[pixel + c] / 255.0;
      squares += error * error;
    }
    const auto shade = static_cast<std::uint8_t>(
        std::lround(255 * (1 - std::min(1.0, 2 * std::sqrt(squares)))));
    std::fill_n(picture.rgb.begin() + static_cast<std::ptrdiff_t>(pixel), 3, shade);
  }
  return picture;
}

Bitmap side_by_side(const std::vector<Bitmap>& pictures, int gap) {
  const auto largest = std::max_element(pictures.begin(), pictures.end(),
                                        [](const Bitmap& a, const Bitmap& b) { return a.width < b.width; });
  const int width = largest->width, height = largest->height, count = static_cast<int>(pictures.size());
  Bitmap strip(count * width + (count - 1) * gap, height);
  std::fill(strip.rgb.begin(), strip.rgb.end(), std::uint8_t{255});
  for (int i = 0; i < count; ++i) {
    const Bitmap& picture = pictures[static_cast<std::size_t>(i)];
    for (int row = 0; row < picture.height; ++row)
      std::copy_n(picture.rgb.begin() + static_cast<std::ptrdiff_t>(row) * width * 3,
                  static_cast<std::ptrdiff_t>(width) * 3,
                  strip.rgb.begin() + (static_cast<std::ptrdiff_t>(row) * strip.width +
                                       static_cast<std::ptrdiff_t>(i) * (width + gap)) *
                                          3);
  }
  return strip;
}

std::array<std::vector<Bitmap>, 3> picture_rows(const Clip& clip, const Prediction& prediction) {
  std::array<std::vector<Bitmap>, 3> rows;
  for (int t = 0; t < clip.frames; ++t) {
    rows[0].push_back(frame_picture(clip, t));
    rows[1].push_back(t == 0 ? Bitmap() : predicted_picture(clip, prediction, t));
    rows[2].push_back(t == 0 ? Bitmap() : error_picture(clip, prediction, t));
  }
  return rows;
}

Bitmap strip_picture(const Clip& clip, const Prediction& prediction) {
  Bitmap strip(clip.frames * clip.pixels, 3 * clip.pixels);
  auto at = strip.rgb.begin();
  for (const std::vector<Bitmap>& pictures : picture_rows(clip, prediction)) {
    const Bitmap row = side_by_side(pictures, 0);
    at = std::copy(row.rgb.begin(), row.rgb.end(), at);
  }
  return strip;
}

std::string data_uri(const Bitmap& picture) {
  return "data:image/png;base64," + to_base64(png_bytes(picture));
}

}  // namespace startle
