#include "render/frames.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "sim/error.hpp"
#include "sim/hash.hpp"
#include "sim/parallel.hpp"
#include "sim/random.hpp"
#include "sim/shape.hpp"
#include "sim/world.hpp"

using namespace startle;

namespace {

/// A scene of one wooden unit square at `pose`, and nothing else near it.
Scene one_square(Pose pose) {
  Level level{.name = "one", .width = 4, .slingshot = {-15, -2.5}, .birds = {"BirdRed"},
              .objects = {{.kind = Kind::block, .type = "SquareSmall", .material = Material::wood}}};
  Scene scene = make_scene(level, profile());
  scene.objects[0].shape = std::make_shared<Shape>(box_shape(1, 1));
  scene.objects[0].pose = pose;
  return scene;
}

Frame frame_of(const Scene& scene) {
  Frame frame;
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    if (scene.objects[i].alive) frame.bodies.push_back({static_cast<BodyId>(i), scene.objects[i].pose, scene.objects[i].life});
  return frame;
}

using Pixel = std::array<int, 3>;
Pixel at(const Bitmap& picture, int x, int y) {
  const std::uint8_t* p = &picture.rgb[3 * static_cast<std::size_t>(y * picture.width + x)];
  return {p[0], p[1], p[2]};
}

Bitmap painted(const Scene& scene, const Frame& frame, const View& view, int width, int height, Style style = Style::training) {
  Bitmap picture(width, height);
  FramePainter(scene, {}, style).paint(frame, view, picture);
  return picture;
}

Mask masked(const Scene& scene, const Frame& frame, const View& view, int width, int height) {
  Mask mask(width, height);
  FramePainter(scene, {}, Style::training).paint(frame, view, mask);
  return mask;
}

/// A shot at a few blocks of every material, pigs and TNT, seen whole.
Scene busy_scene(const std::string& bird = "BirdRed", const Novelty* novelty = nullptr) {
  Level level{.name = "busy", .width = 2, .slingshot = {-5, -2.5}, .birds = {bird}};
  const auto block = [&](const char* type, Material material, double x, double y, double turn = 0) {
    level.objects.push_back({.kind = Kind::block, .type = type, .material = material, .position = {x, y}, .rotation_deg = turn});
  };
  block("SquareHole", Material::wood, 0, -3.1);
  block("TriangleHole", Material::stone, 1, -3.1);
  block("Circle", Material::ice, 2, -3.1);
  block("RectBig", Material::wood, 1, -2.6);
  block("RectFat", Material::stone, 0.5, -2.3);
  block("RectSmall", Material::ice, 1.5, -2, 90);
  block("Triangle", Material::wood, 3, -3.1);
  level.objects.push_back({.kind = Kind::pig, .type = "BasicSmall", .position = {4, -3.25}});
  level.objects.push_back({.kind = Kind::tnt, .type = "TNT", .position = {5, -3.15}});
  level.objects.push_back({.kind = Kind::platform, .type = "Platform", .position = {3.5, -1}});
  return make_scene(level, profile(), novelty);
}

constexpr View wide{{0, 0}, 16};

}  // namespace

TEST_CASE("[render] frames: a unit square covers the pixels that it should, as much as it should") {
  // 8 pixels a unit: the square from (-0.25, 0.5) to (0.75, 1.5) in world units is, with the centre of the view (0, 0) at pixel
  // (16, 16), the box of pixels x 14 to 22, y 4 to 12.
  const Scene scene = one_square({{0.25, 1}, 0});
  const View view{{0, 0}, 4};
  const Bitmap picture = painted(scene, frame_of(scene), view, 32, 32);
  const Mask mask = masked(scene, frame_of(scene), view, 32, 32);
  const Pixel sky = at(picture, 0, 0), square = at(picture, 18, 8);
  REQUIRE(sky != square);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x) {
      const bool inside = x >= 14 && x < 22 && y >= 4 && y < 12;
      INFO(x << " " << y);
      CHECK(at(picture, x, y) == (inside ? square : sky));
      CHECK(mask.ids[static_cast<std::size_t>(32 * y + x)] == (inside ? 2 : 0));
    }

  // A quarter of a pixel to the right: the left column three quarters covered, the one right of the box a quarter.
  const Scene moved = one_square({{0.25 + 0.25 / 8, 1}, 0});
  const Bitmap soft = painted(moved, frame_of(moved), view, 32, 32);
  for (int c = 0; c < 3; ++c) {
    const auto share = [&](double covered) { return sky[c] + covered * (square[c] - sky[c]); };
    CHECK(std::fabs(at(soft, 14, 8)[c] - share(0.75)) < 1.5);
    CHECK(std::fabs(at(soft, 22, 8)[c] - share(0.25)) < 1.5);
  }
  CHECK(at(soft, 15, 8) == square);
  CHECK(at(soft, 23, 8) == sky);
}

TEST_CASE("[render] frames: the camera scales, moves and never distorts") {
  const Scene scene = one_square({{3, 1}, 0.3});
  const auto count = [&](const View& view, int width, int height) {
    const Mask mask = masked(scene, frame_of(scene), view, width, height);
    return std::count(mask.ids.begin(), mask.ids.end(), 2);
  };
  // Area in pixels: (pixels per unit)^2, within what the border of 4 x pixels per unit may gain or lose.
  for (const auto& [view, width, height] : {std::tuple{View{{3, 1}, 2}, 64, 64}, {View{{3, 1}, 4}, 128, 64}, {View{{3.4, 0.7}, 4}, 200, 300}}) {
    const double scale = width / view.width;
    CHECK(std::fabs(static_cast<double>(count(view, width, height)) - scale * scale) < 2 * scale);
  }
  // Where the ground begins: y = -3.5 under the centre (0, -3.5) is the middle row.
  const Bitmap picture = painted(scene, {}, {{0, -3.5}, 4}, 32, 16);
  CHECK(at(picture, 5, 7) == at(picture, 5, 0));
  CHECK(at(picture, 5, 8) == at(picture, 5, 15));
  CHECK(at(picture, 5, 7) != at(picture, 5, 8));
  const Mask mask = masked(scene, {}, {{0, -3.5}, 4}, 32, 16);
  CHECK(mask.ids[7 * 32 + 5] == 0);
  CHECK(mask.ids[8 * 32 + 5] == 1);
}

TEST_CASE("[render] frames: a mask is what the frame shows, hard-edged") {
  const Scene scene = busy_scene();
  const Frame frame = frame_of(scene);
  constexpr int width = 1920, height = 1440;  // 120 pixels a unit
  const Bitmap picture = painted(scene, frame, wide, width, height);
  const Mask mask = masked(scene, frame, wide, width, height);
  const auto id = [&](int x, int y) { return mask.ids[static_cast<std::size_t>(y * width + x)]; };
  // Away from borders all pixels of an id have one colour.
  std::map<int, Pixel> colours;
  std::size_t differing = 0;
  for (int y = 1; y < height - 1; ++y)
    for (int x = 1; x < width - 1; ++x) {
      bool alone = true;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) alone = alone && id(x + dx, y + dy) == id(x, y);
      if (!alone || id(x, y) == 1) continue;  // 1 is both ground and slingshot
      const auto [known, fresh] = colours.try_emplace(id(x, y), at(picture, x, y));
      differing += known->second != at(picture, x, y);
    }
  CHECK(differing <= 4);  // of 2.7 million: sharp tips that hold no centre of a pixel
  CHECK(colours.size() == 1 + scene.objects.size());
  // Holes are seen through.
  const auto seen = [&](Vec2 p) { return id(static_cast<int>(960 + 120 * p.x), static_cast<int>(720 - 120 * p.y)); };
  CHECK(seen({1, -3.2}) == 0);
  CHECK(seen({1, -3.4}) == 3);
  // Areas by counting pixels; half a pixel along a border of 3 units is 0.0125.
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const double counted = static_cast<double>(std::count(mask.ids.begin(), mask.ids.end(), 2 + i)) / (120 * 120);
    INFO(scene.objects[i].type);
    CHECK(counted == Approx(scene.objects[i].shape->area).margin(0.02));
  }
}
