#pragma once
/// \file  A window of Startle on a display of its own (Xvfb), driven as a person would, by mouse and keys
/// (xdotool).
#include <png.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "render/frames.hpp"
#include "render/palette.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"
#include "tests/skip.hpp"

namespace startle::testing {

namespace fs = std::filesystem;

inline std::string output_of(const std::string& command, int* status = nullptr) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string text;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, count);
  const int result = pclose(pipe);
  if (status != nullptr) *status = WIFEXITED(result) ? WEXITSTATUS(result) : -1;
  return text;
}

/// Without the two programs a test is skipped.
inline bool can_run() {
  const bool there = std::system("command -v Xvfb >/dev/null && command -v xdotool >/dev/null") == 0;
  if (!there) TEST_IS_SKIPPED("the programs Xvfb and xdotool are not installed (packages xvfb, xdotool)");
  return there;
}

/// Waits for a condition; false after a minute, which no working machine takes.
template <typename Condition>
bool comes_true(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  do {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

/// A process with its output in a file; ended with the object.
class Process {
 public:
  Process(const std::string& command, const fs::path& folder, const fs::path& log) {
    id_ = fork();
    if (id_ == 0) {
      if (chdir(folder.c_str()) != 0) _exit(126);
      execl("/bin/sh", "sh", "-c", ("exec env " + command + " >" + log.string() + " 2>&1 </dev/null").c_str(),
            nullptr);
      _exit(127);
    }
  }
  ~Process() {
    if (!running()) return;
    kill(id_, SIGTERM);
    waitpid(id_, &status_, 0);
  }
  bool running() {
    if (ended_) return false;
    ended_ = waitpid(id_, &status_, WNOHANG) == id_;
    return !ended_;
  }
  int exit_code() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1; }

 private:
  pid_t id_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

inline std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A display, in a folder of its own.
class XServer {
 public:
  explicit XServer(const std::string& screen = "1600x1000", const std::string& more = "")
      : server_("Xvfb -displayfd 3 -screen 0 " + screen + "x24 -nolisten tcp -noreset " + more + " 3>display",
                folder_.path, "server.log") {
    REQUIRE(comes_true([this] { return text_of(folder_.path / "display").ends_with("\n"); }));
    // The address sanitizer would count what the display's driver keeps.
    variables_ = "ASAN_OPTIONS=detect_leaks=0 DISPLAY=:" + text_of(folder_.path / "display");
    variables_.pop_back();
  }
  /// Before a command that is to use it.
  const std::string& variables() const { return variables_; }
  const fs::path& folder() const { return folder_.path; }

 private:
  Folder folder_;
  Process server_;
  std::string variables_;
};

/// A display with one window of Startle.
class Window {
 public:
  explicit Window(const std::string& arguments, const std::string& screen = "1600x1000") : server_(screen) {
    program_.emplace("env " + display_ + " " STARTLE_PROGRAM " play " + arguments, folder(), "window.log");
    const bool open = comes_true([this] {
      id_ = output_of(display_ + " xdotool search --name '^Startle: '");
      return !id_.empty() && id_.find_first_not_of("0123456789\n") == std::string::npos;
    });
    INFO(text_of(folder() / "window.log"));
    REQUIRE(open);
    id_ = id_.substr(0, id_.find('\n'));
    opened_at_ = output_of(display_ + " xdotool getwindowgeometry " + id_);
    tool("windowmove " + id_ + " 500 150");
  }

  /// What xdotool says of its place when it had opened.
  const std::string& opened_at() const { return opened_at_; }

  /// `command` of xdotool.
  void tool(const std::string& command) {
    int status = 0;
    const std::string said = output_of(display_ + " xdotool " + command, &status);
    INFO(command << ": " << said);
    REQUIRE(status == 0);
  }
  void key(const std::string& name) { tool("key --window " + id_ + " " + name); }
  std::string at(Vec2 pixel) const {
    return " --window " + id_ + " " + std::to_string(std::lround(pixel.x)) + " " +
           std::to_string(std::lround(pixel.y));
  }
  void drag(Vec2 from, Vec2 to) {
    tool("mousemove" + at(from) + " mousedown 1 mousemove" + at(to) + " mouseup 1");
  }
  void resize(int width, int height) {
    tool("windowsize " + id_ + " " + std::to_string(width) + " " + std::to_string(height));
  }

  std::string title() { return output_of(display_ + " xdotool getwindowname " + id_); }
  void wait_for(const std::string& words) {
    const bool came = comes_true([&] { return title().find(words) != std::string::npos; });
    INFO("title: " << title() << "\nlog: " << text_of(folder() / "window.log"));
    REQUIRE(came);
  }

  /// What the window shows, by its own F12.
  Bitmap picture() {
    const fs::path path = folder() / ("startle-" + std::to_string(++pictures_) + ".png");
    key("F12");
    REQUIRE(comes_true([&] { return fs::exists(path); }));
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_file(&image, path.c_str()));
    image.format = PNG_FORMAT_RGB;
    Bitmap picture(static_cast<int>(image.width), static_cast<int>(image.height));
    REQUIRE(png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr));
    return picture;
  }

  const fs::path& folder() const { return server_.folder(); }
  Process& program() { return *program_; }

 private:
  XServer server_;
  std::optional<Process> program_;
  std::string display_ = server_.variables(), id_, opened_at_;
  int pictures_ = 0;
};

inline Colour pixel(const Bitmap& picture, int x, int y) {
  const std::size_t i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                             static_cast<std::size_t>(x));
  return {picture.rgb[i], picture.rgb[i + 1], picture.rgb[i + 2]};
}

inline std::size_t colours(const Bitmap& picture) {
  std::set<std::uint32_t> seen;
  for (std::size_t i = 0; i < picture.rgb.size(); i += 3)
    seen.insert(picture.rgb[i] << 16 | picture.rgb[i + 1] << 8 | picture.rgb[i + 2]);
  return seen.size();
}

/// Pixels within `reach` of a place that look much like a colour.
inline int like(const Bitmap& picture, Vec2 at, int reach, Colour c) {
  int count = 0;
  for (int y = std::max(0, static_cast<int>(at.y) - reach);
       y < std::min(picture.height, static_cast<int>(at.y) + reach); ++y)
    for (int x = std::max(0, static_cast<int>(at.x) - reach);
         x < std::min(picture.width, static_cast<int>(at.x) + reach); ++x) {
      const Colour p = pixel(picture, x, y);
      if (std::abs(p.r - c.r) + std::abs(p.g - c.g) + std::abs(p.b - c.b) < 60) ++count;
    }
  return count;
}

}  // namespace startle::testing
