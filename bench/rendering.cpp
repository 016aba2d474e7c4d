// Frames per second on one core, and the choice of the library that fills polygons.
//
//   bench_rendering --benchmark_filter=...   (Google Benchmark)
//
// level: a generated level of 30 objects as a training frame shows it. catalogue: 30 blocks of all types,
// each turned, all in view. frame/<training or people>/...: FramePainter; mask/...: its masks. raw_agg,
// raw_cairo: the same polygons in the same colours, already in pixels, by library calls alone; cairo (default
// or fast anti-aliasing) with the copy from its 4 bytes a pixel to 3.
#include <agg_pixfmt_rgb.h>
#include <agg_rasterizer_scanline_aa.h>
#include <agg_renderer_base.h>
#include <agg_renderer_scanline.h>
#include <agg_rendering_buffer.h>
#include <agg_scanline_u.h>
#include <benchmark/benchmark.h>
#include <cairo.h>

#include <utility>
#include <vector>

#include "levels/level_file.hpp"
#include "render/frames.hpp"
#include "render/palette.hpp"
#include "sim/world.hpp"

namespace {

using namespace startle;

/// What is drawn: a scene, one moment of a shot at it, and the camera.
struct Subject {
  Scene scene;
  Frame frame;
  View view;
};

Subject subject(Scene scene, View view) {
  World world(scene);
  world.launch({.angle = radians(60)});
  return {std::move(scene), world.frame(), view};
}

/// A generated level of 30 objects at the size of training frames.
Subject level() {
  const Level file = read_level(STARTLE_LEVELS_FOLDER "/data/platforms/platforms-1-0002.json");
  Scene scene = settle(make_scene(file, profile()));
  double x = 0;
  for (const SceneObject& object : scene.objects)
    x += object.pose.position.x / static_cast<double>(scene.objects.size());
  return subject(std::move(scene), {{x, -1.9}, 4.6});
}

/// The hardest 30 objects: each block type and material in turn, each turned, all in view.
Subject catalogue() {
  const auto constants = profile();
  Level level{.name = "catalogue", .width = 2, .slingshot = {0.4, -2.5}, .birds = {"BirdRed"}};
  std::vector<const ObjectType*> blocks;
  for (const ObjectType& type : constants->object_types)
    if (type.kind == Kind::block) blocks.push_back(&type);
  for (std::size_t i = 0; i < 30; ++i) {
    const ObjectType& type = *blocks[i * 7 % blocks.size()];
    level.objects.push_back(
        {.kind = Kind::block,
         .type = type.type,
         .material = type.material,
         .position = {0.5 + 0.75 * static_cast<double>(i % 6), -3.2 + 0.8 * static_cast<double>(i / 6)},
         .rotation_deg = 17.0 * static_cast<double>(i)});
  }
  return subject(make_scene(level, constants), {{2.3, -1.6}, 4.6});
}

struct PixelShape {
  std::vector<Polygon> rings;
  Colour colour;
};

/// What the painter draws, in pixels.
std::vector<PixelShape> pixel_shapes(const Subject& prepared, int width, int height) {
  const View& view = prepared.view;
  const double scale = width / view.width;
  const auto to_pixel = [&](Vec2 p) {
    return Vec2{0.5 * width + scale * (p.x - view.centre.x), 0.5 * height - scale * (p.y - view.centre.y)};
  };
  std::vector<PixelShape> shapes;
  const auto add = [&](const Shape& shape, const Pose& pose, Colour c) {
    PixelShape pixels{{}, c};
    const Shape placed = transformed(shape, pose);
    pixels.rings = placed.outlines;
    for (Polygon& ring : pixels.rings)
      for (Vec2& p : ring) p = to_pixel(p);
    shapes.push_back(std::move(pixels));
  };
  const double ground = to_pixel({0, prepared.scene.profile->ground_y}).y;
  shapes.push_back(
      {{{{0, ground}, {double(width), ground}, {double(width), double(height)}, {0, double(height)}}},
       look_of(Kind::ground, Material::none).flat});
  add(*prepared.scene.profile->slingshot_shape, {prepared.scene.slingshot, 0}, slingshot_flat);
  for (const BodyState& body : prepared.frame.bodies) {
    const auto id = static_cast<std::size_t>(body.id);
    if (id < prepared.scene.objects.size()) {
      const SceneObject& object = prepared.scene.objects[id];
      add(*object.shape, body.pose, look_of(object.kind, object.material).flat);
    } else {
      add(*prepared.scene.profile->bird(prepared.scene.birds[0]).shape, body.pose,
          bird_look(prepared.scene.birds[0]).flat);
    }
  }
  return shapes;
}

void count_frames(benchmark::State& state) {
  state.counters["frames_per_s"] = benchmark::Counter(static_cast<double>(state.iterations()),
                                                      benchmark::Counter::kIsRate);
}

void frame(benchmark::State& state, Subject (*make)(), Style style) {
  const Subject seen = make();
  FramePainter painter(seen.scene, {}, style);
  Bitmap picture(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  for (auto _ : state) {
    painter.paint(seen.frame, seen.view, picture);
    benchmark::DoNotOptimize(picture.rgb.data());
  }
  count_frames(state);
}
BENCHMARK_CAPTURE(frame, training / level, level, Style::training)->Args({64, 64})->Args({480, 270});
BENCHMARK_CAPTURE(frame, training / catalogue, catalogue, Style::training)->Args({64, 64})->Args({480, 270});
BENCHMARK_CAPTURE(frame, people / level, level, Style::people)->Args({480, 270})->Args({1280, 720});

void mask(benchmark::State& state, Subject (*make)()) {
  const Subject seen = make();
  FramePainter painter(seen.scene, {}, Style::training);
  Mask ids(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  for (auto _ : state) {
    painter.paint(seen.frame, seen.view, ids);
    benchmark::DoNotOptimize(ids.ids.data());
  }
  count_frames(state);
}
BENCHMARK_CAPTURE(mask, level, level)->Args({64, 64})->Args({480, 270});

void raw_agg(benchmark::State& state, Subject (*make)()) {
  const int width = static_cast<int>(state.range(0)), height = static_cast<int>(state.range(1));
  const std::vector<PixelShape> shapes = pixel_shapes(make(), width, height);
  Bitmap picture(width, height);
  agg::rendering_buffer buffer(picture.rgb.data(), static_cast<unsigned>(width),
                               static_cast<unsigned>(height), 3 * width);
  agg::pixfmt_rgb24 pixels(buffer);
  agg::renderer_base<agg::pixfmt_rgb24> base(pixels);
  agg::rasterizer_scanline_aa<> rasterizer;
  agg::scanline_u8 scanline;
  rasterizer.clip_box(0, 0, width, height);
  rasterizer.filling_rule(agg::fill_even_odd);
  for (auto _ : state) {
    base.clear(agg::rgba8(sky_flat.r, sky_flat.g, sky_flat.b));
    for (const PixelShape& shape : shapes) {
      rasterizer.reset();
      for (const Polygon& ring : shape.rings) {
        rasterizer.move_to_d(ring[0].x, ring[0].y);
        for (std::size_t i = 1; i < ring.size(); ++i) rasterizer.line_to_d(ring[i].x, ring[i].y);
        rasterizer.close_polygon();
      }
      agg::render_scanlines_aa_solid(rasterizer, scanline, base,
                                     agg::rgba8(shape.colour.r, shape.colour.g, shape.colour.b));
    }
    benchmark::DoNotOptimize(picture.rgb.data());
  }
  count_frames(state);
}
BENCHMARK_CAPTURE(raw_agg, level, level)->Args({64, 64})->Args({480, 270});
BENCHMARK_CAPTURE(raw_agg, catalogue, catalogue)->Args({64, 64})->Args({480, 270});

void raw_cairo(benchmark::State& state, Subject (*make)(), cairo_antialias_t antialias) {
  const int width = static_cast<int>(state.range(0)), height = static_cast<int>(state.range(1));
  const std::vector<PixelShape> shapes = pixel_shapes(make(), width, height);
  Bitmap picture(width, height);
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  cairo_t* context = cairo_create(surface);
  cairo_set_antialias(context, antialias);
  cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD);
  for (auto _ : state) {
    cairo_set_source_rgb(context, sky_flat.r / 255.0, sky_flat.g / 255.0, sky_flat.b / 255.0);
    cairo_paint(context);
    for (const PixelShape& shape : shapes) {
      cairo_set_source_rgb(context, shape.colour.r / 255.0, shape.colour.g / 255.0, shape.colour.b / 255.0);
      for (const Polygon& ring : shape.rings) {
        cairo_move_to(context, ring[0].x, ring[0].y);
        for (std::size_t i = 1; i < ring.size(); ++i) cairo_line_to(context, ring[i].x, ring[i].y);
        cairo_close_path(context);
      }
      cairo_fill(context);
    }
    cairo_surface_flush(surface);
    const unsigned char* data = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    std::uint8_t* out = picture.rgb.data();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const unsigned char* in = data + y * stride + 4 * x;
        *out++ = in[2];
        *out++ = in[1];
        *out++ = in[0];
      }
    benchmark::DoNotOptimize(picture.rgb.data());
  }
  cairo_destroy(context);
  cairo_surface_destroy(surface);
  count_frames(state);
}
BENCHMARK_CAPTURE(raw_cairo, level, level, CAIRO_ANTIALIAS_DEFAULT)->Args({64, 64})->Args({480, 270});
BENCHMARK_CAPTURE(raw_cairo, level / fast, level, CAIRO_ANTIALIAS_FAST)->Args({64, 64})->Args({480, 270});
BENCHMARK_CAPTURE(raw_cairo, catalogue, catalogue, CAIRO_ANTIALIAS_DEFAULT)->Args({64, 64})->Args({480, 270});

}  // namespace

BENCHMARK_MAIN();
