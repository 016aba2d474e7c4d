// Frames per second on one core, and the choice of the library that fills polygons.
//
//   bench_rendering --benchmark_filter=...   (Google Benchmark)
//
// 30 objects of all block types, each turned, all in view, with a bird, the ground and the slingshot.
// frame/<training or people>/<width>/<height>, mask/<width>/<height>: FramePainter.
// raw_agg, raw_cairo (default, fast and no anti-aliasing): the same polygons in the same colours, already in pixels, by library calls
// alone; cairo with the copy from its 4 bytes a pixel to 3.
#include <agg_pixfmt_rgb.h>
#include <agg_rasterizer_scanline_aa.h>
#include <agg_renderer_base.h>
#include <agg_renderer_scanline.h>
#include <agg_rendering_buffer.h>
#include <agg_scanline_u.h>
#include <benchmark/benchmark.h>
#include <cairo.h>

#include <cmath>
#include <vector>

#include "render/frames.hpp"
#include "render/palette.hpp"
#include "sim/world.hpp"

namespace {

using namespace startle;

constexpr View view{{2.3, -1.6}, 4.6};

Scene thirty_objects() {
  const auto constants = profile();
  Level level{.name = "thirty", .width = 2, .slingshot = {0.4, -2.5}, .birds = {"BirdRed"}};
  const auto blocks = [&] {
    std::vector<const ObjectType*> found;
    for (const ObjectType& type : constants->object_types)
      if (type.kind == Kind::block) found.push_back(&type);
    return found;
  }();
  for (std::size_t i = 0; i < 30; ++i) {
    const ObjectType& type = *blocks[i * 7 % blocks.size()];
    level.objects.push_back({.kind = Kind::block, .type = type.type, .material = type.material,
                             .position = {0.5 + 0.75 * static_cast<double>(i % 6), -3.2 + 0.8 * static_cast<double>(i / 6)},
                             .rotation_deg = 17.0 * static_cast<double>(i)});
  }
  return make_scene(level, constants);
}

struct Prepared {
  Scene scene = thirty_objects();
  World world{scene, {.record_every = 1}};
  Frame frame;
  Prepared() {
    world.launch({.angle = radians(60)});
    frame = world.frame();
  }
};

struct PixelShape {
  std::vector<Polygon> rings;
  Colour colour;
};

/// What the painter draws, in pixels.
std::vector<PixelShape> pixel_shapes(const Prepared& prepared, int width, int height) {
  const double scale = width / view.width;
  const auto to_pixel = [&](Vec2 p) { return Vec2{0.5 * width + scale * (p.x - view.centre.x), 0.5 * height - scale * (p.y - view.centre.y)}; };
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
  shapes.push_back({{{{0, ground}, {double(width), ground}, {double(width), double(height)}, {0, double(height)}}},
                    look_of(Kind::ground, Material::none).flat});
  add(*prepared.scene.profile->slingshot_shape, {prepared.scene.slingshot, 0}, slingshot_flat);
  for (const BodyState& body : prepared.frame.bodies) {
    const auto id = static_cast<std::size_t>(body.id);
    if (id < prepared.scene.objects.size()) {
      const SceneObject& object = prepared.scene.objects[id];
      add(*object.shape, body.pose, look_of(object.kind, object.material).flat);
    } else {
      add(*prepared.scene.profile->bird("BirdRed").shape, body.pose, bird_look("BirdRed").flat);
    }
  }
  return shapes;
}

void count_frames(benchmark::State& state) {
  state.counters["frames_per_s"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void frame(benchmark::State& state, Style style) {
  const Prepared prepared;
  FramePainter painter(prepared.scene, prepared.world.trace(), style);
  Bitmap picture(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  for (auto _ : state) {
    painter.paint(prepared.frame, view, picture);
    benchmark::DoNotOptimize(picture.rgb.data());
  }
  count_frames(state);
}
BENCHMARK_CAPTURE(frame, training, Style::training)->Args({64, 64})->Args({480, 270});
BENCHMARK_CAPTURE(frame, people, Style::people)->Args({64, 64})->Args({480, 270})->Args({1280, 720});

void mask(benchmark::State& state) {
  const Prepared prepared;
  FramePainter painter(prepared.scene, prepared.world.trace(), Style::training);
  Mask ids(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  for (auto _ : state) {
    painter.paint(prepared.frame, view, ids);
    benchmark::DoNotOptimize(ids.ids.data());
  }
  count_frames(state);
}
BENCHMARK(mask)->Args({64, 64})->Args({480, 270});

void raw_agg(benchmark::State& state) {
  const int width = static_cast<int>(state.range(0)), height = static_cast<int>(state.range(1));
  const std::vector<PixelShape> shapes = pixel_shapes(Prepared(), width, height);
  Bitmap picture(width, height);
  agg::rendering_buffer buffer(picture.rgb.data(), static_cast<unsigned>(width), static_cast<unsigned>(height), 3 * width);
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
      agg::render_scanlines_aa_solid(rasterizer, scanline, base, agg::rgba8(shape.colour.r, shape.colour.g, shape.colour.b));
    }
    benchmark::DoNotOptimize(picture.rgb.data());
  }
  count_frames(state);
}
BENCHMARK(raw_agg)->Args({64, 64})->Args({480, 270});

void raw_cairo(benchmark::State& state, cairo_antialias_t antialias) {
  const int width = static_cast<int>(state.range(0)), height = static_cast<int>(state.range(1));
  const std::vector<PixelShape> shapes = pixel_shapes(Prepared(), width, height);
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
BENCHMARK_CAPTURE(raw_cairo, default, CAIRO_ANTIALIAS_DEFAULT)->Args({64, 64})->Args({480, 270});
BENCHMARK_CAPTURE(raw_cairo, fast, CAIRO_ANTIALIAS_FAST)->Args({64, 64})->Args({480, 270});
BENCHMARK_CAPTURE(raw_cairo, none, CAIRO_ANTIALIAS_NONE)->Args({64, 64})->Args({480, 270});

}  // namespace

BENCHMARK_MAIN();
