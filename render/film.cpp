#include "render/film.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "render/gif.hpp"
#include "render/raster.hpp"
#include "sim/error.hpp"

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

bool is_film(const std::filesystem::path& path) { return is_gif(path) || path.extension() == ".mp4"; }

struct FilmWriter::Impl {
  std::filesystem::path path, temporary;
  int width, height;
  std::unique_ptr<GifWriter> gif;  ///< empty: ffmpeg writes an MP4
  int pipe = -1;                   ///< a socket, since a write to a closed one need not raise a signal
  pid_t ffmpeg = -1;

  void start_ffmpeg(int frames_per_second);
  void send_to_ffmpeg(const Bitmap& picture);
  /// Waits for ffmpeg; its exit status.
  int close_and_wait() {
    if (pipe >= 0) close(pipe);
    pipe = -1;
    int status = 0;
    while (ffmpeg > 0 && waitpid(ffmpeg, &status, 0) < 0 && errno == EINTR) {
    }
    ffmpeg = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  [[noreturn]] void fail(const std::string& why) const { throw Error(path.string() + ": " + why); }

  ~Impl() {
    if (ffmpeg > 0) close_and_wait();
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
  }
};

void FilmWriter::Impl::start_ffmpeg(int frames_per_second) {
  const std::vector<std::string> arguments = ffmpeg_arguments(temporary, width, height, frames_per_second);
  std::vector<char*> argv;
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  int ends[2], report[2];  // through `report` the child says that the program could not be started
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 || pipe2(report, O_CLOEXEC) != 0)
    fail(std::strerror(errno));
  ffmpeg = fork();
  if (ffmpeg == 0) {
    dup2(ends[1], STDIN_FILENO);
    execvp(argv[0], argv.data());
    const int error = errno;
    [[maybe_unused]] const ssize_t written = write(report[1], &error, sizeof error);
    _exit(127);
  }
  close(ends[1]);
  close(report[1]);
  pipe = ends[0];
  int error = ffmpeg < 0 ? errno : 0;
  if (ffmpeg > 0 && read(report[0], &error, sizeof error) != sizeof error) error = 0;
  close(report[0]);
  if (error == 0) return;
  close_and_wait();
  if (error == ENOENT)
    fail(
        "MP4 needs the program ffmpeg, which is not installed: apt-get install ffmpeg. A film that ends in "
        ".gif needs nothing");
  fail(std::string("ffmpeg cannot be run: ") + std::strerror(error));
}

void FilmWriter::Impl::send_to_ffmpeg(const Bitmap& picture) {
  for (std::size_t done = 0; done < picture.rgb.size();) {
    const ssize_t sent = send(pipe, picture.rgb.data() + done, picture.rgb.size() - done, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0)
      fail("ffmpeg stopped before the film was finished, with exit status " +
           std::to_string(close_and_wait()));
    done += static_cast<std::size_t>(sent);
  }
}

FilmWriter::FilmWriter(const std::filesystem::path& path, int width, int height, int frames_per_second)
    : impl_(new Impl) {
  Impl& impl = *impl_;
  impl.path = path;
  impl.width = width;
  impl.height = height;
  if (!is_film(path)) impl.fail("found the ending '" + path.extension().string() + "'; allowed: .gif, .mp4");
  if (width < 1 || height < 1)
    impl.fail("size is " + std::to_string(width) + "x" + std::to_string(height) + "; allowed: at least 1x1");
  std::filesystem::path temporary = path;
  temporary += ".part" + std::to_string(getpid());
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) impl.fail(std::string("cannot be written: ") + std::strerror(errno));
  close(file);
  impl.temporary = temporary;
  if (is_gif(path))
    impl.gif = std::make_unique<GifWriter>(temporary, width, height, frames_per_second);
  else
    impl.start_ffmpeg(frames_per_second);
}

FilmWriter::~FilmWriter() = default;

void FilmWriter::add(const Bitmap& picture) {
  if (picture.width != impl_->width || picture.height != impl_->height)
    impl_->fail("a frame has " + std::to_string(picture.width) + "x" + std::to_string(picture.height) +
                " pixels; allowed: " + std::to_string(impl_->width) + "x" + std::to_string(impl_->height));
  if (impl_->gif)
    impl_->gif->add(picture);
  else
    impl_->send_to_ffmpeg(picture);
}

void FilmWriter::finish() {
  if (impl_->gif)
    impl_->gif->finish();
  else if (const int status = impl_->close_and_wait(); status != 0)
    impl_->fail("ffmpeg failed with exit status " + std::to_string(status));
  std::error_code error;
  std::filesystem::rename(impl_->temporary, impl_->path, error);
  if (error) impl_->fail("cannot be written: " + error.message());
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
