/// \file  The editor and replays in the window itself, by mouse and keys; and what the window shows held
/// against render/.
#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "levels/level_file.hpp"
#include "play/level_edit.hpp"
#include "render/frames.hpp"
#include "sim/world.hpp"
#include "viewer/drawing/camera.hpp"
#include "window_driver.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

constexpr int width = 1000, height = 640;

/// Middle of the palette's icon of that number: rows of four, 46 pixels apart.
Vec2 icon(std::size_t number) {
  return {44.0 + 46.0 * static_cast<double>(number % 4), 92.0 + 47.0 * static_cast<double>(number / 4)};
}
std::size_t number_of(const std::string& type) {
  const auto choices = object_choices(*profile(), Material::wood);
  return static_cast<std::size_t>(
      std::find_if(choices.begin(), choices.end(), [&](const ObjectChoice& c) { return c.type == type; }) -
      choices.begin());
}

void click(Window& window, Vec2 pixel) { window.tool("mousemove" + window.at(pixel) + " click 1"); }

/// Of the pixels of a part of two pictures: mean difference of a colour channel, and the share of pixels that
/// differ by more than 40 in one.
struct Difference {
  double mean = 0, share = 0;
};
Difference difference(const Bitmap& a, const Bitmap& b, int x0, int y0, int x1, int y1) {
  Difference result;
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) {
      const Colour p = pixel(a, x, y), q = pixel(b, x, y);
      const int r = std::abs(p.r - q.r), g = std::abs(p.g - q.g), blue = std::abs(p.b - q.b);
      result.mean += (r + g + blue) / 3.0;
      result.share += std::max({r, g, blue}) > 40 ? 1 : 0;
    }
  const double pixels = static_cast<double>(x1 - x0) * (y1 - y0);
  return {result.mean / pixels, result.share / pixels};
}

}  // namespace

TEST_CASE("[viewer] what the window shows is what render/ draws of the same scene") {
  if (!can_run()) return;
  const std::string file = STARTLE_SOURCE "/levels/data/castles/castles-1-0001.json";
  const Scene scene = settle(make_scene(read_level(file), profile()));
  Camera2D camera;
  camera.resize(width, height);
  camera.fit(level_box(scene));
  const auto drawn = [&](const Scene& shown) {
    Bitmap picture(width, height);
    FramePainter(shown, Trace{}, Style::people)
        .paint(standing_frame(shown), {camera.seen().centre(), camera.seen().width()}, picture);
    return picture;
  };
  const Bitmap expected = drawn(scene);
  Window window(file + " --size " + std::to_string(width) + "x" + std::to_string(height));
  window.wait_for("bird 1 of");
  // Right of the slingshot and its hint, below the plates at the top. The landscape comes a little later.
  // Sprites stand on whole pixels of their own, so that edges differ by up to a pixel.
  Difference found{255, 1};
  comes_true([&] {
    found = difference(window.picture(), expected, 320, 120, width, height);
    return found.mean < 3;
  });
  CAPTURE(found.mean, found.share);
  CHECK(found.mean < 3);
  CHECK(found.share < 0.02);
  // Enough to notice the smaller one of the pigs.
  Scene without = scene;
  std::size_t smaller = 0;
  double least = 1e9;
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    if (scene.objects[i].kind == Kind::pig && scene.objects[i].world_bounds().width() < least)
      least = scene.objects[smaller = i].world_bounds().width();
  without.objects[smaller].alive = false;
  const Bounds box = scene.objects[smaller].world_bounds();
  const Vec2 low = camera.to_pixels({box.xmin, box.ymax}), high = camera.to_pixels({box.xmax, box.ymin});
  const Bitmap shown = window.picture(), wrong = drawn(without);
  const auto about_pig = [&](const Bitmap& other) {
    return difference(shown, other, static_cast<int>(low.x), static_cast<int>(low.y),
                      static_cast<int>(high.x), static_cast<int>(high.y))
        .share;
  };
  CHECK(about_pig(expected) < 0.25);
  CHECK(about_pig(wrong) > 0.5);
}

TEST_CASE("[viewer] a level built by mouse and keys is the one in the file, with its solution") {
  if (!can_run()) return;
  Window window("--edit new.json --size " + std::to_string(width) + "x" + std::to_string(height));
  window.wait_for("edit new, 0 objects");
  const fs::path file = window.folder() / "new.json";
  // What the editor shows between its panels, as wide as they are.
  const Scene empty = make_scene(empty_level("new", *profile()), profile());
  Camera2D camera;
  camera.resize(width, height);
  Bounds seen = level_box(empty);
  seen.xmax = std::max(seen.xmax, seen.xmin + 20);
  const double scale = (width - 208 - 264 - 48) / seen.width();
  seen.xmin -= (208 + 24) / scale;
  seen.xmax += (264 + 24) / scale;
  camera.fit(seen, 58);

  click(window, icon(number_of("RectFat")));
  window.wait_for("place RectFat of wood");
  const Vec2 first{500, 300};
  click(window, first);
  window.wait_for("1 objects");
  window.key("Escape");  // no longer placing; what was placed is selected
  window.key("q");
  window.key("shift+q");
  window.key("3");
  window.key("ctrl+s");
  REQUIRE(comes_true([&] { return fs::exists(file); }));
  StoredLevel level = read_level(file);
  REQUIRE(level.objects.size() == 1);
  CHECK(level.objects[0].type == "RectFat");
  CHECK(level.objects[0].material == Material::stone);
  CHECK(level.objects[0].rotation_deg == 16);
  CHECK(length(level.objects[0].position - camera.to_world(first)) < 0.01);
  CHECK_FALSE(level.provenance);  // it falls, and there is no pig

  // Dragged by mouse, taken back, and done again.
  window.drag(first, first + Vec2{80, 40});
  window.wait_for("edit new*");
  window.key("ctrl+z");
  window.wait_for("edit new,");
  window.key("ctrl+y");
  window.wait_for("edit new*");
  window.key("ctrl+s");
  window.wait_for("edit new,");
  level = read_level(file);
  CHECK(length(level.objects[0].position - camera.to_world(first + Vec2{80, 40})) < 0.02);

  // A pig on the ground, the block upright on the ground.
  for (int i = 0; i < 16; ++i) window.key("shift+e");
  window.key("space");
  click(window, icon(number_of("BasicSmall")));
  window.wait_for("place BasicSmall");
  click(window, {480, 500});
  window.wait_for("2 objects");
  window.key("Escape");
  window.key("space");
  window.wait_for("stands, can be cleared");
  window.key("ctrl+s");
  window.wait_for("edit new,");
  level = read_level(file);
  REQUIRE(level.objects.size() == 2);
  REQUIRE(level.provenance);
  CHECK(level.provenance->family == "edited");
  CHECK(level.objects[0].rotation_deg == 0);
  int status = -1;
  const std::string said = output_of(STARTLE_PROGRAM " levels check --quiet " + file.string(), &status);
  CHECK(status == 0);
  CHECK_THAT(said, Catch::Contains("stored solution clears it"));

  // Tried and come back from; left only when asked twice; what was not saved is not in the file.
  window.key("p");
  window.wait_for("new, bird 1 of 3");
  window.key("e");
  window.wait_for("edit new,");
  const std::string saved = read_file(file);
  window.key("ctrl+a");
  window.key("Delete");
  window.wait_for("0 objects");
  window.key("Escape");
  window.wait_for("leave?");
  window.key("Escape");
  window.wait_for("0 objects");
  window.key("ctrl+q");
  window.wait_for("leave?");
  window.key("d");
  REQUIRE(comes_true([&] { return !window.program().running(); }));
  CHECK(window.program().exit_code() == 0);
  CHECK(read_file(file) == saved);
}

TEST_CASE("[viewer] a level that came from a set is saved under another name") {
  if (!can_run()) return;
  const std::string original = STARTLE_SOURCE "/levels/data/castles/castles-1-0001.json";
  const std::string before = read_file(original);
  Window window(original);
  window.wait_for("castles-1-0001, bird 1 of");
  window.key("e");
  window.wait_for("edit castles-1-0001,");
  window.key("ctrl+a");
  window.key("Right");
  window.wait_for("edit castles-1-0001*");
  window.key("ctrl+s");
  window.wait_for("save as");
  window.key("Return");
  const fs::path copy = window.folder() / "castles-1-0001-edited.json";
  REQUIRE(comes_true([&] { return fs::exists(copy); }));
  window.wait_for("objects");
  CHECK(read_file(original) == before);
  window.wait_for("edit castles-1-0001-edited,");
  const StoredLevel old = read_level(original), moved = read_level(copy);
  CHECK(moved.name == "castles-1-0001-edited");
  REQUIRE(moved.objects.size() == old.objects.size());
  for (std::size_t i = 0; i < old.objects.size(); ++i)
    CHECK(moved.objects[i].position.x == Approx(old.objects[i].position.x + 0.1));
  // Saved again, it keeps the name of its file.
  window.key("Right");
  window.wait_for("edit castles-1-0001-edited*");
  window.key("ctrl+s");
  window.wait_for("edit castles-1-0001-edited,");
  const StoredLevel again = read_level(copy);
  CHECK(again.name == "castles-1-0001-edited");
  CHECK(again.objects[0].position.x == Approx(old.objects[0].position.x + 0.2));
  window.key("Escape");  // nothing selected
  window.key("Escape");
  window.wait_for("castles-1-0001, bird 1 of");
}

TEST_CASE(
    "[viewer] when the editor closes, what is typed before the name takes the keys throws nothing away") {
  if (!can_run()) return;
  Window window(STARTLE_SOURCE "/levels/data/castles/castles-1-0001.json");
  window.wait_for("castles-1-0001, bird 1 of");
  window.key("e");
  window.wait_for("edit castles-1-0001,");
  window.key("ctrl+a");
  window.key("Right");
  window.wait_for("edit castles-1-0001*");
  window.key("ctrl+q");
  window.wait_for("leave?");
  window.key("s d");  // S saves and asks for a name; D alone would leave without saving
  window.wait_for("save as");
  window.key("Escape");
  window.wait_for("objects");
  CHECK(window.title().find("edit castles-1-0001*") != std::string::npos);
  CHECK(window.program().running());
}

TEST_CASE("[viewer] a trace is watched from shot to shot, and nothing can be changed") {
  if (!can_run()) return;
  const Folder folder;
  const fs::path trace = folder.path / "trace.json";
  int status = -1;
  output_of(STARTLE_PROGRAM
                " simulate " STARTLE_SOURCE
                "/levels/data/platforms/platforms-1-0002.json --shot 15 --shot 62 --quiet --trace " +
                trace.string(),
            &status);
  REQUIRE(status == 0);
  Window window(trace.string() + " --size 900x600 --record record");
  window.wait_for("replay, shot 1");
  window.key("space");
  window.wait_for("replay, shot 1, paused");
  window.key("Right");
  window.wait_for("replay, shot 2, paused");
  window.key("u");  // nothing is taken back
  window.key("Left");
  window.wait_for("replay, shot 1");
  window.key("p");
  window.key("Return");
  window.wait_for("replay, shot 2");
  window.key("Return");
  window.wait_for("replay, shot 2, paused");  // the end stays in sight
  window.key("r");
  window.wait_for("replay, shot 1");
  window.key("Escape");
  REQUIRE(comes_true([&] { return !window.program().running(); }));
  CHECK(window.program().exit_code() == 0);
  CHECK_FALSE(fs::exists(window.folder() / "record"));
}

TEST_CASE("[viewer] trials of agents are listed and watched") {
  if (!can_run()) return;
  const Folder folder;
  const fs::path results = folder.path / "results.sqlite";
  int status = -1;
  output_of(STARTLE_PROGRAM " agents run --quiet --agent pig-shooter+simulation --levels " STARTLE_SOURCE
                            "/levels/benchmark/T1/easy --limit 2 --out " +
                results.string(),
            &status);
  REQUIRE(status == 0);
  Window window(results.string() + " --size 1000x640");
  window.wait_for("4 of 4 trials");
  click(window, {400, 93});  // the second row
  const std::vector<fs::path> played = find_level_files({STARTLE_SOURCE "/levels/benchmark/T1/easy"});
  window.wait_for(played[0].stem().string() + ", replay, shot 1");
  window.key("n");
  window.wait_for(played[1].stem().string() + ", replay, shot 1");
  window.key("Escape");
  window.wait_for("4 of 4 trials");
}

TEST_CASE("[viewer] what cannot be detected is refused before a window opens") {
  const Folder folder;
  const auto refused = [&](const std::string& arguments, const std::string& reason) {
    int status = -1;
    const std::string said = output_of(
        "cd " + folder.path.string() + " && env -u DISPLAY " STARTLE_PROGRAM " play " + arguments, &status);
    CAPTURE(arguments, said);
    CHECK(status == 2);
    CHECK_THAT(said, Catch::Contains(reason));
    CHECK_THAT(said, !Catch::Contains("no display"));
    CHECK(std::count(said.begin(), said.end(), '\n') == 1);
  };
  fs::create_directory(folder.path / "empty");
  write_file(folder.path / "broken.json", "{\"format\": \"startle-level\", \"version\": 1,");
  write_file(folder.path / "nothing.json", "");
  write_file(folder.path / "text.sqlite", "SQLite format 3 and no more");
  StoredLevel unusable = empty_level("unusable", *profile());
  unusable.objects.push_back(
      {.kind = Kind::platform, .type = "Platform", .position = {0, 0}, .scale_x = 1e-9});
  write_level(unusable, folder.path / "unusable.json");
  const std::string level = STARTLE_SOURCE "/levels/data/castles/castles-1-0001.json";
  REQUIRE(std::system((STARTLE_PROGRAM " simulate " + level + " --shot 20 --quiet --trace " +
                       (folder.path / "trace.json").string() + " >/dev/null")
                          .c_str()) == 0);
  REQUIRE(std::system((STARTLE_PROGRAM
                       " agents run --quiet --agent pig-shooter+simulation --levels " STARTLE_SOURCE
                       "/levels/benchmark/T1/easy --limit 1 --out " +
                       (folder.path / "results.sqlite").string())
                          .c_str()) == 0);
  std::string bytes = read_file(folder.path / "results.sqlite");
  bytes[63] = static_cast<char>(bytes[63] + 1);  // the user version, where SQLite has it
  write_file(folder.path / "later.sqlite", bytes);

  refused("missing.json", "missing.json");
  refused("empty", "holds no .json or .xml file");
  refused("broken.json", "broken.json");
  refused("nothing.json", "is empty");
  refused("unusable.json", "scaleX");
  refused("text.sqlite", "text.sqlite");
  refused("later.sqlite", "version");
  refused("results.sqlite --levels nowhere", "nowhere");
  refused("results.sqlite --novelty T2", "--novelty");
  refused("trace.json --shot 20", "--shot");
  refused("--edit unusable.json", "scaleX");
  refused("--edit level.txt", ".json or .xml");
  refused("--edit nowhere/level.json", "no such folder");
  refused("--edit new.json trace.json", "--edit");
  refused("--edit new.json --shot 20", "--shot");
  refused("--edit empty", "empty");
  refused(level + " --profile mars", "mars");
  refused(level + " --size 5", "--size");
  CHECK_FALSE(fs::exists(folder.path / "new.json"));
}
