/// \file  Displacements of moving regions and areas of colours, on pictures whose motions are known.
#include "surprise/displacement.hpp"

#include <cmath>

#include "core/error.hpp"
#include "render/palette.hpp"
#include "sim/world.hpp"
#include "surprise/physics_prediction.hpp"
#include "surprise/predictor.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

constexpr int pixels = 64;
constexpr View view{.centre = {0, 0}, .width = 6.4};  // a pixel is 0.1 world units

/// A frame of a pig and a stone block, the pig at that place in pixels right of and below the centre.
std::vector<std::uint8_t> picture(Vec2 pig, bool with_stone = true) {
  Level level{
      .birds = {"BirdRed"},
      .objects = {{.kind = Kind::pig, .type = "BasicSmall", .position = {0.1 * pig.x, -0.1 * pig.y}}}};
  if (with_stone)
    level.objects.push_back(
        {.kind = Kind::block, .type = "SquareSmall", .material = Material::stone, .position = {2, 2}});
  const Scene scene = make_scene(level, profile());
  Bitmap bitmap(pixels, pixels);
  Frame frame = standing_frame(scene);
  frame.bodies.resize(level.objects.size());  // without the bird
  FramePainter(scene, {}, Style::training).paint(frame, view, bitmap);
  return bitmap.rgb;
}

struct Made {
  Clip clip;
  std::vector<float> predicted;
};

/// Three frames, and what the third was predicted to be.
Made made(const std::vector<std::vector<std::uint8_t>>& frames, const std::vector<std::uint8_t>& predicted) {
  Made result{.clip = {3, pixels, {}, {}}, .predicted = {}};
  for (const auto& frame : frames) result.clip.rgb.insert(result.clip.rgb.end(), frame.begin(), frame.end());
  for (const auto* frame : {&frames[1], &predicted})
    for (const std::uint8_t value : *frame) result.predicted.push_back(static_cast<float>(value) / 255.0F);
  return result;
}

}  // namespace

TEST_CASE("[surprise] displacement: a disc that is moved by parts of a pixel is found where it is") {
  for (const Vec2 residual : {Vec2{0, 0.3}, Vec2{0, -0.7}, Vec2{0.5, 0.2}, Vec2{-1, 0}, Vec2{0, 0}}) {
    const Vec2 first{-6.3, -4.1}, before{2.4, 1.7}, motion{3.1, 4.4};
    const Made m = made(
        {picture(first), picture(first + before), picture(first + before + motion + residual)},
        picture(first + before + motion));
    const Residuals found = residuals(m.clip, m.predicted);
    CAPTURE(residual.x, residual.y);
    REQUIRE(found.regions.size() == 1);  // the stone rests
    const MovingRegion& pig = found.regions[0];
    CHECK(pig.frame == 2);
    CHECK(pig.material == MaterialClass::pig);
    // One linear step: from half a pixel on up to a fifth too large.
    CHECK(pig.residual.x == Approx(residual.x).margin(0.05 + 0.15 * std::fabs(residual.x)));
    CHECK(pig.residual.y == Approx(residual.y).margin(0.05 + 0.15 * std::fabs(residual.y)));
    CHECK(pig.motion.x == Approx(motion.x).margin(0.08));
    CHECK(pig.motion.y == Approx(motion.y).margin(0.08));
    CHECK(pig.motion_before.x == Approx(before.x).margin(0.08));
    CHECK(pig.motion_before.y == Approx(before.y).margin(0.08));
    CHECK(pig.match < 0.2);
  }
}

TEST_CASE("[surprise] displacement: areas are the colours' own, whole and gone") {
  const Made m = made({picture({0, 0}), picture({0, 0}), picture({0, 0}, false)}, picture({0, 0}));
  const Residuals found = residuals(m.clip, m.predicted);
  REQUIRE(found.areas.size() == 2 * changeable_count);
  for (const ColourArea& area : found.areas) {
    CAPTURE(area.frame, static_cast<int>(area.material));
    if (area.material == MaterialClass::wood || area.material == MaterialClass::ice)
      CHECK(area.predicted < 1.5);
    if (area.material == MaterialClass::pig) CHECK(area.seen == Approx(area.predicted).epsilon(0.02));
    if (area.material != MaterialClass::stone) continue;
    const double side = 4.3;  // pixels; edges count in part, those of the pig a little as stone
    CHECK(area.predicted == Approx(side * side).epsilon(0.25));
    CHECK(area.before == Approx(area.predicted));
    CHECK(area.seen == (area.frame == 2 ? Approx(0).margin(3) : Approx(area.predicted)));
  }
  CHECK(found.regions.empty());  // nothing was predicted to move
}

TEST_CASE("[surprise] displacement: a copy of the last frame moves nothing, and other sizes are refused") {
  const Made m = made({picture({0, 0}), picture({2, 2}), picture({5, 5})}, picture({2, 2}));
  CHECK(residuals(m.clip, m.predicted).regions.empty());
  CHECK_THROWS_AS(residuals(m.clip, {}), Error);
}

TEST_CASE("[surprise] displacement: colours of training frames are told apart") {
  const std::pair<MaterialClass, Look> own[] = {{MaterialClass::wood, look_of(Kind::block, Material::wood)},
                                                {MaterialClass::ice, look_of(Kind::block, Material::ice)},
                                                {MaterialClass::stone, look_of(Kind::block, Material::stone)},
                                                {MaterialClass::pig, look_of(Kind::pig, Material::none)}};
  std::vector<Colour> others{sky_flat, slingshot_flat};
  for (const Kind kind : {Kind::platform, Kind::ground, Kind::egg})
    others.push_back(look_of(kind, Material::none).flat);
  for (const char* bird : {"BirdRed", "BirdBlue", "BirdYellow", "BirdBlack", "BirdWhite"})
    others.push_back(bird_look(bird).flat);
  for (const auto& [material, look] : own) {
    CAPTURE(static_cast<int>(material));
    CHECK(share_of_colour(material, look.flat.r, look.flat.g, look.flat.b) == 1);
    for (const Colour other : others) CHECK(share_of_colour(material, other.r, other.g, other.b) < 0.15);
    for (const auto& [another, its] : own)
      if (another != material) CHECK(share_of_colour(material, its.flat.r, its.flat.g, its.flat.b) < 0.05);
  }
}

TEST_CASE(
    "[surprise] displacement: in a world in which pigs fall at half the speed they are higher than "
    "physics predicts") {
  Level level{
      .birds = {"BirdRed"},
      .objects = {
          {.kind = Kind::pig, .type = "BasicSmall", .position = {3, 1}},
          {.kind = Kind::block, .type = "SquareSmall", .material = Material::wood, .position = {-1.5, -2}}}};
  const Scene normal = taken_at_rest(make_scene(level, profile()));
  for (const double share : {1.0, 0.5}) {
    Scene falls = normal;
    falls.rest_mark = 0;  // awake: the pig falls from the first step
    falls.objects[0].parameters.gravity_scale *= share;
    World world(falls, {.record_every = 1});
    for (int k = 0; k < 30; ++k) world.step();
    const ClipFormat format{.frames = 5, .lead = 0};
    ShotClip seen{.clip = {format.frames, format.pixels, {}, {}},
                  .cut = {.view = {.centre = {3, -1}, .width = 4.6}, .first_step = 0},
                  .trace = world.trace()};
    FramePainter painter(normal, seen.trace, Style::training);
    Bitmap bitmap(format.pixels, format.pixels);
    for (int t = 0; t < format.frames; ++t) {
      painter.paint(seen.trace.frames[static_cast<std::size_t>(t * format.stride)], seen.cut.view, bitmap);
      seen.clip.rgb.insert(seen.clip.rgb.end(), bitmap.rgb.begin(), bitmap.rgb.end());
    }
    for (const KnownSpeeds speeds : {KnownSpeeds::estimated, KnownSpeeds::exact}) {
      const Residuals found = residuals(seen.clip, physics_prediction(normal, seen, format, speeds).frames);
      int falling = 0;
      for (const MovingRegion& region : found.regions) {
        if (region.frame < 3) continue;  // three frames tell a speed
        CAPTURE(share, region.frame);
        CHECK(region.material == MaterialClass::pig);
        // From exact speeds g t^2/2 a frame is missing, as far as gravity is; from estimated ones more.
        const double gravity = profile()->gravity * normal.objects[0].parameters.gravity_scale,
                     fall = 0.5 * gravity * std::pow(format.stride * seen.trace.step_s, 2) * 64 / 4.6;
        if (speeds == KnownSpeeds::exact)
          CHECK(region.residual.y == Approx(-(1 - share) * fall).margin(0.12));
        else
          CHECK((share == 1 ? std::fabs(region.residual.y) < 0.3 : region.residual.y < -0.3));
        ++falling;
      }
      CHECK(falling == 2);
    }
  }
}
