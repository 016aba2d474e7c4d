#include "render/video.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/child_process.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "render/gif.hpp"
#include "render/raster.hpp"

namespace startle {
namespace {

bool is_gif(const std::filesystem::path& path) { return path.extension() == ".gif"; }

std::vector<std::string> ffmpeg_arguments(const std::filesystem::path& target, int width, int height,
                                          int rate) {
  std::vector<std::string> arguments{
      "ffmpeg",   "-loglevel",          "error", "-y", "-f",
      "rawvideo", "-pix_fmt",           "rgb24", "-s", std::to_string(width) + "x" + std::to_string(height),
      "-r",       std::to_string(rate), "-i",    "-"};
  // Players want even sizes and 4:2:0.
  for (const char* a : {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-crf", "20", "-pix_fmt",
                        "yuv420p", "-movflags", "+faststart", "-f", "mp4"})
    arguments.emplace_back(a);
  arguments.push_back(target.string());
  return arguments;
}

}  // namespace

bool is_video(const std::filesystem::path& path) { return is_gif(path) || path.extension() == ".mp4"; }

struct VideoWriter::Impl {
  std::filesystem::path path;
  std::optional<NewFile> file;
  int width, height;
  std::unique_ptr<GifWriter> gif;  ///< empty: ffmpeg writes an MP4
  std::optional<ChildProcess> ffmpeg;

  void start_ffmpeg(int frames_per_second);
  void send_to_ffmpeg(const Bitmap& picture);
  /// Its end, which comes when it has no more to read.
  ProgramEnd end_of_ffmpeg() {
    ffmpeg->close_in();
    return *ffmpeg->wait();
  }
  [[noreturn]] void fail(const std::string& why) const { throw Error(path.string() + ": " + why); }
};

void VideoWriter::Impl::start_ffmpeg(int frames_per_second) {
  if (find_program("ffmpeg").empty())
    fail(
        "MP4 needs the program ffmpeg, which is not installed: apt-get install ffmpeg. A video that ends in "
        ".gif needs nothing");
  try {
    ffmpeg.emplace(ProgramCall{ffmpeg_arguments(file->temporary(), width, height, frames_per_second)},
                   ChildOptions{.in = ChildStream::pipe});
  } catch (const Error& error) {
    fail(error.what());
  }
}

void VideoWriter::Impl::send_to_ffmpeg(const Bitmap& picture) {
  if (!ffmpeg->write_all({reinterpret_cast<const char*>(picture.rgb.data()), picture.rgb.size()}))
    fail("ffmpeg stopped before the video was finished: it " + end_of_ffmpeg().text());
}

VideoWriter::VideoWriter(const std::filesystem::path& path, int width, int height, int frames_per_second)
    : impl_(new Impl) {
  Impl& impl = *impl_;
  impl.path = path;
  impl.width = width;
  impl.height = height;
  if (!is_video(path)) impl.fail("found the ending '" + path.extension().string() + "'; allowed: .gif, .mp4");
  if (width < 1 || height < 1)
    impl.fail("size is " + std::to_string(width) + "x" + std::to_string(height) + "; allowed: at least 1x1");
  impl.file.emplace(path);
  if (is_gif(path))
    impl.gif = std::make_unique<GifWriter>(impl.file->temporary(), width, height, frames_per_second);
  else
    impl.start_ffmpeg(frames_per_second);
}

VideoWriter::~VideoWriter() = default;

void VideoWriter::add(const Bitmap& picture) {
  if (picture.width != impl_->width || picture.height != impl_->height)
    impl_->fail("a frame has " + std::to_string(picture.width) + "x" + std::to_string(picture.height) +
                " pixels; allowed: " + std::to_string(impl_->width) + "x" + std::to_string(impl_->height));
  if (impl_->gif)
    impl_->gif->add(picture);
  else
    impl_->send_to_ffmpeg(picture);
}

void VideoWriter::finish() {
  if (impl_->gif)
    impl_->gif->finish();
  else if (const ProgramEnd end = impl_->end_of_ffmpeg(); !end.good())
    impl_->fail("ffmpeg " + end.text());
  impl_->file->commit();
}

void add_caption(Bitmap& picture, const std::string& text) {
  Raster raster;
  raster.attach(picture);
  const double size = std::max(8.0, picture.height / 24.0), margin = 0.55 * size;
  const double width = raster.text_width(text, size);
  const double x0 = margin, y0 = margin, x1 = margin + width + 1.2 * size, y1 = margin + 1.9 * size;
  raster.fill({{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}}, {}, colour(0x1B2733, 200));
  raster.text(text, {x0 + 0.6 * size, y1 - 0.5 * size}, size, colour(0xFFFFFF));
}

Bitmap side_by_side(const Bitmap& left, const Bitmap& right) {
  constexpr int gap = 4;
  if (left.height != right.height)
    throw Error("pictures beside each other: heights are " + std::to_string(left.height) + " and " +
                std::to_string(right.height) + "; allowed: equal ones");
  Bitmap both(left.width + gap + right.width, left.height);
  std::fill(both.rgb.begin(), both.rgb.end(), std::uint8_t{255});
  for (int y = 0; y < both.height; ++y) {
    const auto row = [y](const Bitmap& b) {
      return b.rgb.begin() + static_cast<std::ptrdiff_t>(y) * 3 * b.width;
    };
    const auto to = both.rgb.begin() + static_cast<std::ptrdiff_t>(y) * 3 * both.width;
    std::copy_n(row(left), 3 * left.width, to);
    std::copy_n(row(right), 3 * right.width, to + 3 * (left.width + gap));
  }
  return both;
}

}  // namespace startle
