/// \file  The window itself, on a display of its own (Xvfb) and driven as a person would, by mouse and keys
/// (xdotool). Without these two programs the tests say so and pass.
#include <nlohmann/json.hpp>

#include "levels/level_file.hpp"
#include "play/aim.hpp"
#include "play/game_session.hpp"
#include "viewer/drawing/camera.hpp"
#include "window_driver.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

/// Where the mouse lets the birds go so that the level is cleared: the stored solution, to the pixel. Empty
/// when no pixels near it do.
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
    CHECK_THAT(said,
               Catch::StartsWith("startle: no display: ") && Catch::Contains("; startle play needs an X"));
  }
  int status = 0;
  CHECK_THAT(output_of("env -u DISPLAY " STARTLE_PROGRAM " play /nowhere.json", &status),
             Catch::Contains("/nowhere.json"));
  CHECK(status == 2);
  // A study names its own command, and stores nothing.
  const testing::Folder folder;
  std::ofstream(folder / "consent.txt") << "I agree to take part.";
  const std::string file = "'" + (folder / "study.sqlite").string() + "'";
  output_of(STARTLE_PROGRAM " study-people create --quiet --levels " STARTLE_SOURCE
                            "/levels/benchmark/T1/easy --practice 1 --items 2 --consent '" +
                (folder / "consent.txt").string() + "' --out " + file,
            &status);
  CHECK(status == 0);
  const std::string said = output_of("env -u DISPLAY " STARTLE_PROGRAM " study-people run " + file, &status);
  CHECK(status == 2);
  CHECK_THAT(said, Catch::Contains("no display: DISPLAY is not set; startle study-people run needs an X "
                                   "display") &&
                       !Catch::Contains("startle play"));
  CHECK_THAT(output_of(STARTLE_PROGRAM " study-people report --out '" + (folder / "report.md").string() +
                           "' " + file,
                       &status),
             Catch::Contains("holds no participant"));
}

TEST_CASE("[viewer] on a display without GLX, a clear message and exit code 2") {
  if (!can_run()) return;
  const XServer server("1280x720", "-extension GLX");
  const std::string level = STARTLE_SOURCE "/levels/data/castles/castles-1-0001.json";
  for (const std::string& command : {"play " + level, std::string("study-people run nowhere.sqlite")}) {
    int status = 0;
    const std::string said = output_of("env " + server.variables() + " " STARTLE_PROGRAM " " + command,
                                       &status);
    INFO(said);
    CHECK(status == 2);
    CHECK_THAT(said, Catch::StartsWith("startle: no OpenGL: the X server of ':") &&
                         Catch::Contains("has no GLX; startle " + command.substr(0, command.rfind(' '))));
  }
}

TEST_CASE("[viewer] the window opens in the middle of the screen, and begins on it where it is too large") {
  if (!can_run()) return;
  const std::string level = STARTLE_SOURCE "/levels/data/castles/castles-1-0001.json";
  for (const auto& [screen, size, place] :
       {std::tuple("1400x900", "1000x640", "200,130"), std::tuple("1920x1080", "1280x720", "320,180"),
        std::tuple("800x600", "1000x640", "0,0")}) {
    const Window window(level + " --size " + size, screen);
    CHECK_THAT(window.opened_at(), Catch::Contains("Position: " + std::string(place) + " ") &&
                                       Catch::Contains("Geometry: " + std::string(size)));
  }
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
    const StoredLevel level = read_level(file);
    camera.fit(level_box(settle(make_scene(level, profile()))));
    plan = mouse_plan(level, camera);
  }
  REQUIRE(plan);
  const GameSession& expected = plan->session;

  Window window(file + " --size " + std::to_string(width) + "x" + std::to_string(height) +
                " --record record");
  const std::string birds = " of " + std::to_string(expected.start().birds_left());
  window.wait_for("bird 1" + birds);
  for (std::size_t i = 0; i < plan->pixels.size(); ++i) {
    window.drag(camera.to_pixels(expected.start().rest()), plan->pixels[i]);
    window.wait_for("shot " + std::to_string(i + 1));
    window.key("Return");  // to the end of the shot
    window.wait_for(i + 1 < plan->pixels.size() ? "bird " + std::to_string(i + 2) + birds : "cleared");
  }
  // The window says so before the record does.
  nlohmann::json record;
  REQUIRE(comes_true([&] {
    record = nlohmann::json::parse(text_of(window.folder() / "record"), nullptr, false);
    return !record.is_discarded() && record.value("cleared", false);
  }));
  CHECK(record.at("score") == expected.score());
  REQUIRE(record.at("shots").size() == expected.shots().size());
  std::string command = STARTLE_PROGRAM " simulate --quiet --format json " + file;
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
    // The whole bird; its face and the slingshot take much
    CHECK(like(picture, camera.to_pixels(scene.rest()), 2 * reach, bird) > reach * reach / 2);
    for (const SceneObject& object : scene.objects)
      if (object.kind == Kind::pig)
        CHECK(like(picture, camera.to_pixels(object.pose.position), 2 * reach, pig) > reach * reach / 3);
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

TEST_CASE("[viewer] a level that cannot be used does not take the place of the one that is played") {
  if (!can_run()) return;
  const Folder folder;
  StoredLevel level = read_level(STARTLE_SOURCE "/levels/data/platforms/platforms-1-0000.json");
  level.name = "good";
  write_level(level, folder.path / "good.json");
  level.name = "later";
  level.objects.push_back({.kind = Kind::platform, .type = "Platform", .position = {0, 0}, .scale_x = 1e-9});
  write_level(level, folder.path / "later.json");
  Window window(folder.path.string());
  window.wait_for("2 of 2 levels");
  while (window.title().find("reading") != std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  window.key("Return");
  window.wait_for("good, bird 1 of");
  window.key("n");
  window.key("Up");
  window.key("space");
  window.wait_for("good, shot 1");
  // Back once, however often the key comes in a frame.
  window.key("Return");
  window.wait_for("good, bird 2 of");
  window.key("Escape Escape Escape");
  window.wait_for("2 of 2 levels");
  CHECK(window.program().running());
}

TEST_CASE("[viewer] a level that is over at once is shown, and nothing can be shot or shown again") {
  if (!can_run()) return;
  const Folder folder;
  StoredLevel level = read_level(STARTLE_SOURCE "/levels/data/platforms/platforms-1-0000.json");
  level.name = "nobody";
  level.objects.clear();
  level.birds.clear();
  write_level(level, folder.path / "nobody.json");
  Window window((folder.path / "nobody.json").string() + " --size 900x600");
  window.wait_for("nobody, cleared");
  for (const char* keys : {"Up space", "v", "shift+v", "u", "r", "c", "Return", "F2 F3 F4 F5 F6 F7", "Tab",
                           "period", "F9", "F10"})
    window.key(keys);
  window.tool("mousemove" + window.at({500, 260}) + " click 1");  // where "Watch" stands once there is a shot
  window.wait_for("nobody, cleared");
  CHECK(window.program().running());
}

TEST_CASE("[viewer] levels are listed, and a click plays one") {
  if (!can_run()) return;
  Window window(STARTLE_SOURCE "/levels/data --size 1000x640");
  window.wait_for("56 of 56 levels");
  while (window.title().find("reading") != std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  window.tool("mousemove" + window.at({420, 150}) + " click 1");
  window.wait_for("castles-1-0000, bird 1 of");
  window.key("n");
  window.wait_for("castles-1-0001, bird 1 of");
  window.key("Escape");
  window.wait_for("56 of 56 levels");
}
