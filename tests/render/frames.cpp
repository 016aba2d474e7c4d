#include "render/frames.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "render/palette.hpp"
#include "render/recorded_world.hpp"
#include "sim/shape.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// A scene of one wooden unit square at `pose`, and nothing else near it.
Scene one_square(Pose pose) {
  Level level{.name = "one",
              .width = 4,
              .slingshot = {-15, -2.5},
              .birds = {"BirdRed"},
              .objects = {{.kind = Kind::block, .type = "SquareSmall", .material = Material::wood}}};
  Scene scene = make_scene(level, profile());
  scene.objects[0].shape = std::make_shared<Shape>(box_shape(1, 1));
  scene.objects[0].pose = pose;
  return scene;
}

Frame frame_of(const Scene& scene) {
  Frame frame;
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    if (scene.objects[i].alive)
      frame.bodies.push_back({static_cast<BodyId>(i), scene.objects[i].pose, scene.objects[i].life});
  return frame;
}

using Pixel = std::array<int, 3>;
Pixel at(const Bitmap& picture, int x, int y) {
  const std::uint8_t* p = &picture.rgb[3 * static_cast<std::size_t>(y * picture.width + x)];
  return {p[0], p[1], p[2]};
}

Bitmap painted(const Scene& scene, const Frame& frame, const View& view, int width, int height,
               Style style = Style::training) {
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
    level.objects.push_back(
        {.kind = Kind::block, .type = type, .material = material, .position = {x, y}, .rotation_deg = turn});
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
  // 8 pixels a unit: the square from (-0.25, 0.5) to (0.75, 1.5) in world units is, with the centre of the
  // view (0, 0) at pixel (16, 16), the box of pixels x 14 to 22, y 4 to 12.
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

  // A quarter of a pixel to the right: the left column three quarters covered, the one right of the box a
  // quarter.
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
  for (const auto& [view, width, height] :
       {std::tuple{View{{3, 1}, 2}, 64, 64}, {View{{3, 1}, 4}, 128, 64}, {View{{3.4, 0.7}, 4}, 200, 300}}) {
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
  const auto seen = [&](Vec2 p) {
    return id(static_cast<int>(960 + 120 * p.x), static_cast<int>(720 - 120 * p.y));
  };
  CHECK(seen({1, -3.2}) == 0);
  CHECK(seen({1, -3.4}) == 3);
  // Areas by counting pixels; half a pixel along a border of 3 units is 0.0125.
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const double counted = static_cast<double>(std::count(mask.ids.begin(), mask.ids.end(), 2 + i)) /
                           (120 * 120);
    INFO(scene.objects[i].type);
    CHECK(counted == Approx(scene.objects[i].shape->area).margin(0.02));
  }
}

TEST_CASE("[render] frames: a novel scene at the same poses looks the same, bit for bit") {
  const Scene normal = busy_scene();
  const Frame frame = frame_of(normal);
  for (const Style style : {Style::training, Style::people}) {
    const Bitmap expected = painted(normal, frame, wide, 96, 64, style);
    for (const Novelty& novelty : novelty_catalogue()) {
      const Scene novel = busy_scene("BirdRed", &novelty);
      INFO(novelty.name);
      CHECK(painted(novel, frame, wide, 96, 64, style).rgb == expected.rgb);
    }
  }
}

TEST_CASE("[render] frames: damage does not show") {
  const Scene scene = busy_scene();
  Frame hurt = frame_of(scene);
  for (BodyState& body : hurt.bodies) body.life *= 0.01;
  CHECK(painted(scene, frame_of(scene), wide, 64, 64).rgb == painted(scene, hurt, wide, 64, 64).rgb);
}

TEST_CASE("[render] frames: all that can be distinguished differs clearly in training frames") {
  std::vector<std::pair<std::string, Colour>> colours{{"sky", sky_flat}, {"slingshot", slingshot_flat}};
  const auto constants = profile();
  for (const Material material : {Material::wood, Material::ice, Material::stone})
    colours.emplace_back(name(material), look_of(Kind::block, material).flat);
  for (const Kind kind : {Kind::pig, Kind::tnt, Kind::platform, Kind::egg, Kind::ground})
    colours.emplace_back(name(kind), look_of(kind, Material::none).flat);
  for (const BirdType& bird : constants->bird_types)
    colours.emplace_back(bird.type, bird_look(bird.type).flat);
  for (std::size_t i = 0; i < colours.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Colour a = colours[i].second, b = colours[j].second;
      INFO(colours[i].first << " and " << colours[j].first);
      CHECK(std::sqrt((a.r - b.r) * (a.r - b.r) + (a.g - b.g) * (a.g - b.g) + (a.b - b.b) * (a.b - b.b)) >=
            40);
    }
}

TEST_CASE("[render] frames: what is drawn later covers what was drawn before") {
  Scene scene = one_square({{0, 1}, 0});
  scene.objects.push_back(scene.objects[0]);
  scene.objects[1].material = Material::stone;
  scene.objects[1].pose.position.x = 0.5;
  const Frame frame = frame_of(scene);
  // Both cover (0.25, 1), pixel (18, 8) of 8 pixels a unit about (16, 16); the stone one is seen.
  CHECK(masked(scene, frame, {{0, 0}, 4}, 32, 32).ids[8 * 32 + 18] == 3);
  const Pixel stone = at(painted(scene, frame, {{0, 0}, 4}, 32, 32), 18, 8);
  CHECK(stone == Pixel{look_of(Kind::block, Material::stone).flat.r,
                       look_of(Kind::block, Material::stone).flat.g,
                       look_of(Kind::block, Material::stone).flat.b});
}

TEST_CASE("[render] frames: birds, their children and eggs are drawn as what they are") {
  for (const auto& [bird, kind] : {std::pair{"BirdBlue", Kind::bird}, std::pair{"BirdWhite", Kind::egg}}) {
    const Scene scene = busy_scene(bird);
    const ShotResult result = run_shot(scene, {.angle = radians(60), .tap_time = 0.9}, {.record_every = 1});
    const auto first = static_cast<BodyId>(scene.objects.size());
    const auto later = std::find_if(result.trace.frames.begin(), result.trace.frames.end(),
                                    [&](const Frame& frame) { return frame.bodies.back().id > first; });
    REQUIRE(later != result.trace.frames.end());
    const BodyState body = later->bodies.back();
    const View close{body.pose.position, 0.2};  // less than any of them is wide
    Bitmap picture(9, 9);
    FramePainter(scene, result.trace, Style::training).paint(*later, close, picture);
    const Colour expected = kind == Kind::egg ? look_of(Kind::egg, Material::none).flat
                                              : bird_look(bird).flat;
    CHECK(at(picture, 4, 4) == Pixel{expected.r, expected.g, expected.b});
  }
  // A body that the scene cannot have is an error, not a guess.
  Scene scene = busy_scene();
  scene.birds.clear();
  Frame frame = frame_of(scene);
  frame.bodies.push_back({static_cast<BodyId>(scene.objects.size()), {}, 1});
  CHECK_THROWS_AS(painted(scene, frame, wide, 8, 8), Error);
}

TEST_CASE("[render] frames: the same bytes from one painter or many, on any number of threads, and forever") {
  const Scene scene = busy_scene();
  const Trace trace =
      run_shot(scene, {.angle = radians(20)}, {.record_every = 4, .record_events = true}).trace;
  for (const Style style : {Style::training, Style::people}) {
    const auto hashes = [&](int threads) {
      std::vector<std::uint64_t> found(trace.frames.size());
      parallel_for(found.size(), threads, [&](std::size_t i) {
        FramePainter painter(scene, trace, style);
        Bitmap picture(64, 64);
        painter.paint(trace.frames[i], wide, picture);
        Hash hash;
        for (const std::uint8_t byte : picture.rgb) hash.add_byte(byte);
        found[i] = hash.value();
      });
      return found;
    };
    const std::vector<std::uint64_t> alone = hashes(1);
    CHECK(alone == hashes(4));
    FramePainter painter(scene, trace, style);
    Bitmap picture(64, 64);
    for (std::size_t i = 0; i < trace.frames.size(); ++i) {
      painter.paint(trace.frames[i], wide, picture);
      Hash hash;
      for (const std::uint8_t byte : picture.rgb) hash.add_byte(byte);
      CHECK(hash.value() == alone[i]);
    }
  }
  // Of poses that no simulation made. A change of these is a change of every data set that was rendered
  // before.
  Hash frame_hash, mask_hash;
  for (const std::uint8_t byte : painted(scene, frame_of(scene), {{1.7, -2}, 4.6}, 64, 64).rgb)
    frame_hash.add_byte(byte);
  for (const std::uint16_t id : masked(scene, frame_of(scene), {{1.7, -2}, 4.6}, 64, 64).ids)
    mask_hash.add(static_cast<int>(id));
  CHECK(frame_hash.value() == 0xc79d0c94c6c41db7ULL);
  CHECK(mask_hash.value() == 0x71c737bb0181e3caULL);
}

TEST_CASE("[render] frames: empty levels, bodies far away, and bad sizes and views") {
  const Scene empty = make_scene({.name = "empty"}, profile());
  for (const Style style : {Style::training, Style::people})
    CHECK_NOTHROW(painted(empty, {}, wide, 64, 48, style));

  Scene far = one_square({{0, 0}, 0});
  Frame frame = frame_of(far);
  const Bitmap without = painted(far, {}, wide, 64, 64);
  for (const Vec2 place : {Vec2{1e4, 0}, Vec2{-1e4, 1e4}, Vec2{0, -1e4}}) {
    frame.bodies[0].pose.position = place;
    CHECK(painted(far, frame, wide, 64, 64).rgb == without.rgb);
  }
  // Looking at less than a pixel of something large.
  frame.bodies[0].pose.position = {0, 0};
  const Bitmap inside = painted(far, frame, {{0.1, 0.1}, 1e-5}, 8, 8);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) CHECK(at(inside, x, y) == at(inside, 0, 0));

  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   infinity = std::numeric_limits<double>::infinity();
  for (const View& view :
       {View{{0, 0}, 0}, View{{0, 0}, -1}, View{{0, 0}, nan}, View{{nan, 0}, 5}, View{{0, infinity}, 5}}) {
    CHECK_THROWS_AS(painted(far, frame, view, 8, 8), Error);
    CHECK_THROWS_AS(masked(far, frame, view, 8, 8), Error);
  }
  CHECK_THROWS_WITH(painted(far, frame, wide, 0, 8), Catch::Contains("0x8"));
  CHECK_THROWS_AS(painted(far, frame, wide, 8, 0), Error);
}

TEST_CASE("[render] frames: the whole view holds the scene, the bird's way and the ground") {
  const Scene scene = busy_scene();
  const Trace trace = run_shot(scene, {.angle = radians(45)}, {.record_every = 5}).trace;
  for (const auto& [width, height] : {std::pair{640, 360}, std::pair{300, 400}, std::pair{1600, 200}}) {
    const View view = whole_view(scene, trace, width, height);
    const double half_height = 0.5 * view.width * height / width;
    CHECK(view.centre.y - half_height < scene.profile->ground_y);
    CHECK(std::fabs(scene.slingshot.x - view.centre.x) < 0.5 * view.width);
    for (const SceneObject& object : scene.objects) {
      const Bounds box = object.world_bounds();
      CHECK(box.xmin > view.centre.x - 0.5 * view.width);
      CHECK(box.xmax < view.centre.x + 0.5 * view.width);
      CHECK(box.ymax < view.centre.y + half_height);
    }
    for (const Frame& frame : trace.frames)
      for (const BodyState& body : frame.bodies)
        if (body.pose.position.x < 4) CHECK(body.pose.position.y < view.centre.y + half_height);
  }
}

TEST_CASE(
    "[render] frames: of two worlds beside each other, the bodies that are apart are outlined in both") {
  const Scene left = busy_scene();
  Scene right = left;
  right.objects[0].pose.position.x += 0.5;  // apart
  right.objects[1].pose.position.x += 0.05;
  right.objects[2].alive = false;
  VideoFormat format{.width = 300, .height = 200};
  const std::vector<RecordedWorld> worlds{standing("", left), standing("", right)};
  const Bitmap plain = still(worlds, {}, format);
  const auto distance_above = [](double least) {
    return [least](const Pose& a, const Pose& b) { return length(a.position - b.position) > least; };
  };
  format.apart = distance_above(0.1);
  const Bitmap outlined = still(worlds, {}, format);
  const auto changed = [&](const Bitmap& picture, int from, int to) {
    int count = 0;
    for (int y = 0; y < picture.height; ++y)
      for (int x = from; x < to; ++x) count += at(picture, x, y) != at(plain, x, y);
    return count;
  };
  CHECK(changed(outlined, 0, 300) > changed(outlined, 304, 604));  // two bodies there, one here
  CHECK(changed(outlined, 304, 604) > 20);
  CHECK(changed(outlined, 300, 304) == 0);
  format.apart = distance_above(0.01);
  CHECK(changed(still(worlds, {}, format), 304, 604) > changed(outlined, 304, 604));
  const std::vector<RecordedWorld> alike{worlds[0], worlds[0]};
  CHECK(still(alike, {}, format).rgb == still(alike, {}, {.width = 300, .height = 200}).rgb);
  const std::vector<RecordedWorld> one{worlds[1]};
  CHECK(still(one, {}, format).rgb == still(one, {}, {.width = 300, .height = 200}).rgb);
}
