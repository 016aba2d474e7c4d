/// \file  The window itself, on a display of its own (Xvfb) and driven as a person would, by mouse and keys (xdotool). Without these two programs
/// the tests say so and pass.
#include <png.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "levels/level_file.hpp"
#include "render/palette.hpp"
#include "viewer/aim.hpp"
#include "viewer/camera.hpp"
#include "viewer/game_session.hpp"

using namespace startle;

namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command, int* status = nullptr) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string text;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, count);
  const int result = pclose(pipe);
  if (status != nullptr) *status = WIFEXITED(result) ? WEXITSTATUS(result) : -1;
  return text;
}

bool can_run() {
  const bool there = std::system("command -v Xvfb >/dev/null && command -v xdotool >/dev/null") == 0;
  if (!there) WARN("skipped: the programs Xvfb and xdotool are not installed (packages xvfb, xdotool)");
  return there;
}

/// Waits for a condition; false after a minute, which no working machine takes.
template <typename Condition>
bool comes_true(Condition condition) {
  for (int i = 0; i < 600; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

/// A process with its output in a file; ended with the object.
class Process {
 public:
  Process(const std::string& command, const fs::path& folder, const fs::path& log) {
    id_ = fork();
    if (id_ == 0) {
      if (chdir(folder.c_str()) != 0) _exit(126);
      execl("/bin/sh", "sh", "-c", ("exec " + command + " >" + log.string() + " 2>&1 </dev/null").c_str(), nullptr);
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

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "startle-window-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
};

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A display with one window of Startle.
class Window {
 public:
  explicit Window(const std::string& arguments) : server_("Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -noreset 3>display", folder_.path, "server.log") {
    REQUIRE(comes_true([this] { return text_of(folder_.path / "display").ends_with("\n"); }));
    display_ = "DISPLAY=:" + text_of(folder_.path / "display");
    display_.pop_back();
    program_.emplace(display_ + " " STARTLE_PROGRAM " play " + arguments, folder_.path, "window.log");
    const bool open = comes_true([this] {
      id_ = output_of(display_ + " xdotool search --name '^Startle: '");
      return !id_.empty() && id_.find_first_not_of("0123456789\n") == std::string::npos;
    });
    INFO(text_of(folder_.path / "window.log"));
    REQUIRE(open);
    id_ = id_.substr(0, id_.find('\n'));
    tool("windowmove " + id_ + " 500 150");
  }

  /// `command` of xdotool.
  void tool(const std::string& command) {
    int status = 0;
    const std::string said = output_of(display_ + " xdotool " + command, &status);
    INFO(command << ": " << said);
    REQUIRE(status == 0);
  }
  void key(const std::string& name) { tool("key --window " + id_ + " " + name); }
  std::string at(Vec2 pixel) const { return " --window " + id_ + " " + std::to_string(std::lround(pixel.x)) + " " + std::to_string(std::lround(pixel.y)); }
  void drag(Vec2 from, Vec2 to) { tool("mousemove" + at(from) + " mousedown 1 mousemove" + at(to) + " mouseup 1"); }
  void resize(int width, int height) { tool("windowsize " + id_ + " " + std::to_string(width) + " " + std::to_string(height)); }

  std::string title() { return output_of(display_ + " xdotool getwindowname " + id_); }
  void wait_for(const std::string& words) {
    const bool came = comes_true([&] { return title().find(words) != std::string::npos; });
    INFO("title: " << title() << "\nlog: " << text_of(folder_.path / "window.log"));
    REQUIRE(came);
  }

  /// What the window shows, by its own F12.
  Bitmap picture() {
    const fs::path path = folder_.path / ("startle-" + std::to_string(++pictures_) + ".png");
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

  const fs::path& folder() const { return folder_.path; }
  Process& program() { return *program_; }

 private:
  Folder folder_;
  Process server_;
  std::optional<Process> program_;
  std::string display_, id_;
  int pictures_ = 0;
};

Colour pixel(const Bitmap& picture, int x, int y) {
  const std::size_t i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x));
  return {picture.rgb[i], picture.rgb[i + 1], picture.rgb[i + 2]};
}

std::size_t colours(const Bitmap& picture) {
  std::set<std::uint32_t> seen;
  for (std::size_t i = 0; i < picture.rgb.size(); i += 3) seen.insert(picture.rgb[i] << 16 | picture.rgb[i + 1] << 8 | picture.rgb[i + 2]);
  return seen.size();
}

/// Pixels within `reach` of a place that look much like a colour.
int like(const Bitmap& picture, Vec2 at, int reach, Colour c) {
  int count = 0;
  for (int y = std::max(0, static_cast<int>(at.y) - reach); y < std::min(picture.height, static_cast<int>(at.y) + reach); ++y)
    for (int x = std::max(0, static_cast<int>(at.x) - reach); x < std::min(picture.width, static_cast<int>(at.x) + reach); ++x) {
      const Colour p = pixel(picture, x, y);
      if (std::abs(p.r - c.r) + std::abs(p.g - c.g) + std::abs(p.b - c.b) < 60) ++count;
    }
  return count;
}

/// Where the mouse lets the birds go so that the level is cleared: the stored solution, to the pixel. Empty when no pixels near it do.
struct MousePlan {
  std::vector<Vec2> pixels;
  GameSession session;  ///< as it will be played
};
std::optional<MousePlan> mouse_plan(const Level& level, const Camera2D& camera) {
  MousePlan plan{{}, GameSession(level, profile())};
  for (const Shot& shot : level.provenance->solution) {
    if (shot.tap_time >= 0) return {};
    const Scene before = plan.session.scene();
    const Vec2 bird = camera.to_pixels(before.rest());
    const Vec2 back = direction(shot.angle);
    // Far beyond the longest pull the angle is finer than a pixel on the band would allow.
    const Vec2 pixel{std::round(bird.x - 280 * back.x), std::round(bird.y + 280 * back.y)};
    Aim aim;
    aim.drag_to(camera.to_world(pixel), before);
    plan.session.shoot(aim.shot());
    plan.session.finish();
    plan.pixels.push_back(pixel);
    if (plan.session.over()) break;
  }
  if (!plan.session.cleared()) return {};
  return plan;
}

}  // namespace

TEST_CASE("[viewer] without a display, a clear message and exit code 2") {
  const std::string level = STARTLE_SOURCE "/levels/data/castles/castles-1-0001.json";
  for (const char* display : {"env -u DISPLAY ", "DISPLAY=:30999 "}) {
    int status = 0;
    const std::string said = output_of(std::string(display) + STARTLE_PROGRAM " play " + level, &status);
    CHECK(status == 2);
    CHECK_THAT(said, Catch::StartsWith("startle: no display: "));
  }
  int status = 0;
  CHECK_THAT(output_of("env -u DISPLAY " STARTLE_PROGRAM " play /nowhere.json", &status), Catch::Contains("/nowhere.json"));
  CHECK(status == 2);
}

TEST_CASE("[viewer] a level played to its end by mouse is what startle simulate computes") {
  if (!can_run()) return;
  constexpr int width = 1000, height = 640;
  Camera2D camera;
  camera.resize(width, height);
  std::string file;
  std::optional<MousePlan> plan;
  for (int i = 0; i < 8 && !plan; ++i) {
    file = STARTLE_SOURCE "/levels/data/platforms/platforms-1-000" + std::to_string(i) + ".json";
    const Level level = read_level(file);
    camera.fit(level_box(settle(make_scene(level, profile()))));
    plan = mouse_plan(level, camera);
  }
  REQUIRE(plan);
  const GameSession& expected = plan->session;

  Window window(file + " --size " + std::to_string(width) + "x" + std::to_string(height) + " --record record");
  const std::string birds = " of " + std::to_string(expected.start().birds_left());
  window.wait_for("bird 1" + birds);
  for (std::size_t i = 0; i < plan->pixels.size(); ++i) {
    window.drag(camera.to_pixels(expected.start().rest()), plan->pixels[i]);
    window.wait_for("shot " + std::to_string(i + 1));
    window.key("Return");  // to the end of the shot
    window.wait_for(i + 1 < plan->pixels.size() ? "bird " + std::to_string(i + 2) + birds : "cleared");
  }
  REQUIRE(comes_true([&] { return !text_of(window.folder() / "record").empty(); }));
  const auto record = nlohmann::json::parse(text_of(window.folder() / "record"));
  CHECK(record.at("cleared") == true);
  CHECK(record.at("score") == expected.score());
  REQUIRE(record.at("shots").size() == expected.shots().size());
  std::string command = STARTLE_PROGRAM " simulate --quiet --json " + file;
  for (const auto& shot : record.at("shots")) command += " --shot=" + shot.at("shot").get<std::string>();
  const auto simulated = nlohmann::json::parse(output_of(command));
  for (std::size_t i = 0; i < expected.shots().size(); ++i) {
    CHECK(record.at("shots").at(i).at("shot") == shot_text(expected.shots()[i].shot));
    CHECK(record.at("shots").at(i).at("hash") == simulated.at("shots").at(i).at("hash"));
  }
  CHECK(simulated.at("score") == record.at("score"));
  window.key("ctrl+q");
  REQUIRE(comes_true([&] { return !window.program().running(); }));
  CHECK(window.program().exit_code() == 0);
}

TEST_CASE("[viewer] the window shows the level, its help, and fits another size") {
  if (!can_run()) return;
  const std::string file = STARTLE_SOURCE "/levels/data/platforms/platforms-1-0000.json";
  const Scene scene = settle(make_scene(read_level(file), profile()));
  const Colour bird = bird_look(scene.birds[0]).fill, pig = look_of(Kind::pig, Material::none).fill;
  Window window(file + " --size 900x600");
  window.wait_for("bird 1 of");
  const auto check_shown = [&](int width, int height) {
    Camera2D camera;
    camera.resize(width, height);
    camera.fit(level_box(scene));
    Bitmap picture;
    // The landscape is drawn beside the window's work and comes a little later.
    REQUIRE(comes_true([&] {
      picture = window.picture();
      return picture.width == width && picture.height == height && colours(picture) > 5000;
    }));
    const int reach = std::max(4, static_cast<int>(0.2 * camera.scale()));
    CHECK(like(picture, camera.to_pixels(scene.rest()), reach, bird) > reach * reach / 3);
    for (const SceneObject& object : scene.objects)
      if (object.kind == Kind::pig) CHECK(like(picture, camera.to_pixels(object.pose.position), 2 * reach, pig) > reach * reach / 3);
    const Colour sky = pixel(picture, width / 3, height / 3);
    CHECK(sky.b > sky.r);
    return picture;
  };
  const Bitmap plain = check_shown(900, 600);
  window.key("F1");
  const Bitmap help = window.picture();
  const Vec2 middle{450, 300};
  const Colour plate{23, 33, 48};
  CHECK(like(help, middle, 150, plate) > 40000);
  CHECK(like(plain, middle, 150, plate) < 5000);
  window.key("F1");
  window.resize(1280, 720);
  check_shown(1280, 720);
  window.key("Escape");  // nothing lies below: the window closes
  REQUIRE(comes_true([&] { return !window.program().running(); }));
  CHECK(window.program().exit_code() == 0);
}

TEST_CASE("[viewer] levels are listed, and a click plays one") {
  if (!can_run()) return;
  Window window(STARTLE_SOURCE "/levels/data --size 1000x640");
  window.wait_for("56 of 56 levels");
  while (window.title().find("reading") != std::string::npos) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  window.tool("mousemove" + window.at({420, 150}) + " click 1");
  window.wait_for("castles-1-0000, bird 1 of");
  window.key("n");
  window.wait_for("castles-1-0001, bird 1 of");
  window.key("Escape");
  window.wait_for("56 of 56 levels");
}
