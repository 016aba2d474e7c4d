#include "render/raster.hpp"

#include <agg_basics.h>
#include <agg_conv_stroke.h>
#include <agg_gsv_text.h>
#include <agg_path_storage.h>
#include <agg_pixfmt_rgb.h>
#include <agg_pixfmt_rgba.h>
#include <agg_rasterizer_scanline_aa.h>
#include <agg_renderer_base.h>
#include <agg_renderer_scanline.h>
#include <agg_rendering_buffer.h>
#include <agg_scanline_u.h>
#include <agg_span_allocator.h>

#include <algorithm>
#include <cmath>

namespace startle {
namespace {

agg::rgba8 to_agg(Colour c) { return agg::rgba8(c.r, c.g, c.b, c.a); }

/// What AGG calls a span generator: the colour of each pixel of a gradient, taken at its centre.
class GradientSpan {
 public:
  GradientSpan(const Paint& paint, const Affine& map)
      : paint_(paint), a_(map(paint.a)), along_(map(paint.b) - a_), squared_(dot(along_, along_)) {}

  void prepare() {}
  void generate(agg::rgba8* span, int x, int y, unsigned length) const {
    for (unsigned i = 0; i < length; ++i) {
      const Vec2 p = Vec2{x + static_cast<int>(i) + 0.5, y + 0.5} - a_;
      const double t = paint_.kind == Paint::Kind::linear ? dot(p, along_) / squared_
                                                          : std::sqrt(dot(p, p) / squared_);
      span[i] = mixed(t > 0 ? std::min(t, 1.0) : 0);  // 0 for NaN, too: where the gradient has no length
    }
  }

 private:
  agg::rgba8 mixed(double t) const {
    const auto mix = [t](int from, int to) { return static_cast<agg::int8u>(from + t * (to - from) + 0.5); };
    return agg::rgba8(mix(paint_.from.r, paint_.to.r), mix(paint_.from.g, paint_.to.g),
                      mix(paint_.from.b, paint_.to.b), mix(paint_.from.a, paint_.to.a));
  }

  Paint paint_;
  Vec2 a_, along_;
  double squared_;
};

}  // namespace

Affine Affine::after(const Affine& inner) const {
  const Vec2 d = (*this)(Vec2{inner.dx, inner.dy});
  return {xx * inner.xx + xy * inner.yx,
          xx * inner.xy + xy * inner.yy,
          yx * inner.xx + yy * inner.yx,
          yx * inner.xy + yy * inner.yy,
          d.x,
          d.y};
}

Affine affine(const Pose& pose) {
  const Vec2 d = direction(pose.angle);
  return {d.x, -d.y, d.y, d.x, pose.position.x, pose.position.y};
}

Paint Paint::linear(Vec2 a, Colour from, Vec2 b, Colour to) {
  Paint paint(from);
  paint.kind = Kind::linear;
  paint.to = to;
  paint.a = a;
  paint.b = b;
  return paint;
}

Paint Paint::radial(Vec2 centre, Colour inside, double radius, Colour outside) {
  Paint paint = linear(centre, inside, centre + Vec2{radius, 0}, outside);
  paint.kind = Kind::radial;
  return paint;
}

struct Raster::Impl {
  // Clipped in double, so that what lies far outside the picture cannot overflow the subpixel integers.
  agg::rasterizer_scanline_aa<agg::rasterizer_sl_clip_dbl> rasterizer;
  agg::scanline_u8 scanline;
  agg::rendering_buffer buffer;
  agg::pixfmt_rgb24 pixels{buffer};
  agg::renderer_base<agg::pixfmt_rgb24> base{pixels};
  // From transparent black, blending towards a colour by its alpha gives colours multiplied by alpha.
  agg::pixfmt_rgba32 sprite_pixels{buffer};
  agg::renderer_base<agg::pixfmt_rgba32> sprite_base{sprite_pixels};
  bool on_sprite = false;
  agg::span_allocator<agg::rgba8> spans;

  void render(const Paint& paint, const Affine& map) {
    if (on_sprite)
      render_on(sprite_base, paint, map);
    else
      render_on(base, paint, map);
  }

  template <typename Base>
  void render_on(Base& target, const Paint& paint, const Affine& map) {
    if (paint.kind == Paint::Kind::flat) {
      agg::render_scanlines_aa_solid(rasterizer, scanline, target, to_agg(paint.from));
    } else {
      GradientSpan span(paint, map);
      agg::render_scanlines_aa(rasterizer, scanline, target, spans, span);
    }
  }
};

Raster::Raster() : impl_(new Impl) {}
Raster::~Raster() = default;
Raster::Raster(Raster&&) noexcept = default;
Raster& Raster::operator=(Raster&&) noexcept = default;

void Raster::attach(Bitmap& picture) {
  const auto width = static_cast<unsigned>(picture.width), height = static_cast<unsigned>(picture.height);
  impl_->buffer.attach(picture.rgb.data(), width, height, 3 * picture.width);
  impl_->pixels.attach(impl_->buffer);
  impl_->base.attach(impl_->pixels);
  impl_->rasterizer.clip_box(0, 0, picture.width, picture.height);
  impl_->on_sprite = false;
}

void Raster::attach(Sprite& sprite) {
  impl_->buffer.attach(sprite.rgba.data(), static_cast<unsigned>(sprite.width),
                       static_cast<unsigned>(sprite.height), 4 * sprite.width);
  impl_->sprite_pixels.attach(impl_->buffer);
  impl_->sprite_base.attach(impl_->sprite_pixels);
  impl_->rasterizer.clip_box(0, 0, sprite.width, sprite.height);
  impl_->on_sprite = true;
}

void Raster::clear(Colour c) { impl_->base.clear(to_agg(c)); }

void Raster::fill(const std::vector<Polygon>& rings, const Affine& map, const Paint& paint) {
  auto& rasterizer = impl_->rasterizer;
  rasterizer.reset();
  rasterizer.filling_rule(agg::fill_even_odd);
  for (const Polygon& ring : rings) {
    const Vec2 first = map(ring[0]);
    rasterizer.move_to_d(first.x, first.y);
    for (std::size_t i = 1; i < ring.size(); ++i) {
      const Vec2 p = map(ring[i]);
      rasterizer.line_to_d(p.x, p.y);
    }
    rasterizer.close_polygon();
  }
  impl_->render(paint, map);
}

void Raster::stroke(const Polygon& line, bool closed, double width, const Affine& map, const Paint& paint) {
  agg::path_storage path;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Vec2 p = map(line[i]);
    if (i == 0)
      path.move_to(p.x, p.y);
    else
      path.line_to(p.x, p.y);
  }
  if (closed) path.close_polygon();
  agg::conv_stroke<agg::path_storage> stroke(path);
  stroke.width(width * std::sqrt(std::fabs(map.xx * map.yy - map.xy * map.yx)));
  stroke.line_join(agg::round_join);
  stroke.line_cap(agg::round_cap);
  impl_->rasterizer.reset();
  impl_->rasterizer.filling_rule(agg::fill_non_zero);
  impl_->rasterizer.add_path(stroke);
  impl_->render(paint, map);
}

void Raster::text(const std::string& text, Vec2 start, double height, Colour c) {
  agg::gsv_text line;
  line.size(height);
  line.flip(true);  // y runs down
  line.start_point(start.x, start.y);
  line.text(text.c_str());
  agg::conv_stroke<agg::gsv_text> stroke(line);
  stroke.width(0.13 * height);
  stroke.line_join(agg::round_join);
  stroke.line_cap(agg::round_cap);
  impl_->rasterizer.reset();
  impl_->rasterizer.filling_rule(agg::fill_non_zero);
  impl_->rasterizer.add_path(stroke);
  impl_->render(c, {});
}

double Raster::text_width(const std::string& text, double height) const {
  agg::gsv_text line;
  line.size(height);
  line.text(text.c_str());
  return line.text_width();
}

void fill_mask(const std::vector<Polygon>& rings, const Affine& map, std::uint16_t id, Mask& mask) {
  std::vector<Polygon> pixels(rings.size());
  double top = mask.height, bottom = 0;
  for (std::size_t r = 0; r < rings.size(); ++r) {
    pixels[r].reserve(rings[r].size());
    for (const Vec2 p : rings[r]) {
      pixels[r].push_back(map(p));
      top = std::min(top, pixels[r].back().y);
      bottom = std::max(bottom, pixels[r].back().y);
    }
  }
  // The centre of row y is y + 0.5; the first at or after a coordinate c is ceil(c - 0.5).
  const auto first_centre = [](double c, int limit) {
    return static_cast<int>(std::ceil(std::clamp(c, 0.0, static_cast<double>(limit)) - 0.5));
  };
  std::vector<double> crossings;
  for (int y = first_centre(top, mask.height), end = first_centre(bottom, mask.height); y < end; ++y) {
    const double centre = y + 0.5;
    crossings.clear();
    for (const Polygon& ring : pixels)
      for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
        const Vec2 a = ring[j], b = ring[i];
        if ((a.y <= centre) != (b.y <= centre))
          crossings.push_back(a.x + (centre - a.y) / (b.y - a.y) * (b.x - a.x));
      }
    std::sort(crossings.begin(), crossings.end());
    std::uint16_t* row = mask.ids.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(mask.width);
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
      std::fill(
          row + first_centre(crossings[i], mask.width),
          row + std::max(first_centre(crossings[i], mask.width), first_centre(crossings[i + 1], mask.width)),
          id);
  }
}

}  // namespace startle
