#include "render/frames.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "render/palette.hpp"
#include "render/raster.hpp"
#include "sim/error.hpp"

namespace startle {
namespace {

constexpr std::uint16_t sky_mask = 0, ground_mask = 1, first_body_mask = 2;

/// Vertices of a drawn disc: it differs from the true one by less than 1/500 of its radius.
constexpr int disc_vertices = 48;

Polygon ring_of(const Disc& disc) {
  Polygon ring;
  for (int i = 0; i < disc_vertices; ++i) ring.push_back(disc.centre + disc.radius * direction(radians(i * 360.0 / disc_vertices)));
  return ring;
}

/// Borders of a shape as they are drawn, in the body's frame.
std::vector<Polygon> rings_of(const Shape& shape) {
  if (shape.parts.empty() && shape.discs.size() == 1) return {ring_of(shape.discs[0])};
  return shape.outlines;
}

/// One body as it is drawn.
struct Drawn {
  std::vector<Polygon> rings;
  double reach = 0;  ///< largest distance of a point from the body's origin
  Colour flat;
};

Drawn drawn(const Shape& shape, Colour flat) {
  Drawn result{rings_of(shape), 0, flat};
  for (const Polygon& ring : result.rings)
    for (const Vec2 p : ring) result.reach = std::max(result.reach, length(p));
  return result;
}

/// From world to pixels.
Affine world_to_pixels(const View& view, int width, int height) {
  const double scale = width / view.width;
  return {scale, 0, 0, -scale, 0.5 * width - scale * view.centre.x, 0.5 * height + scale * view.centre.y};
}

void check(const View& view, int width, int height) {
  if (width < 1 || height < 1)
    throw Error("picture: size is " + std::to_string(width) + "x" + std::to_string(height) + " pixels; allowed: at least 1x1");
  const auto sound = [](double v) { return std::fabs(v) <= 1e6; };  // false for NaN
  if (!(view.width > 0) || !sound(view.width) || !sound(view.centre.x) || !sound(view.centre.y))
    throw Error("view: centre is (" + std::to_string(view.centre.x) + ", " + std::to_string(view.centre.y) + "), width " +
                std::to_string(view.width) + "; allowed: centre within 1e6, width over 0 to 1e6");
}

}  // namespace

struct FramePainter::Impl {
  Style style;
  double ground_y = 0;
  Vec2 slingshot;
  std::vector<Polygon> slingshot_rings;
  std::vector<Drawn> objects;  ///< index = BodyId; the bird launched comes after the scene's objects
  std::optional<Drawn> later;  ///< what came out of the bird: children like itself, or an egg
  Raster raster;

  const Drawn& body(BodyId id) const {
    const auto index = static_cast<std::size_t>(id);
    if (id >= 0 && index < objects.size()) return objects[index];
    if (id < 0 || !later) throw Error("frame: found body " + std::to_string(id) + ", allowed are 0 to " + std::to_string(objects.size() - 1) + " of the scene");
    return *later;
  }

  /// Calls draw(rings, map, id in masks, colour) for all that is seen, the farthest first.
  template <typename Draw>
  void for_each_surface(const Frame& frame, const View& view, int width, int height, Draw draw) const {
    const Affine camera = world_to_pixels(view, width, height);
    const double half_width = 0.5 * view.width, half_height = half_width * height / width;
    const double bottom = std::min(ground_y, view.centre.y - half_height) - 1;
    const double left = view.centre.x - half_width - 1, right = view.centre.x + half_width + 1;
    draw({{{left, bottom}, {right, bottom}, {right, ground_y}, {left, ground_y}}}, camera, ground_mask, look_of(Kind::ground, Material::none).flat);
    draw(slingshot_rings, camera.after({1, 0, 0, 1, slingshot.x, slingshot.y}), ground_mask, slingshot_flat);
    for (const BodyState& state : frame.bodies) {
      const Drawn& object = body(state.id);
      const Vec2 offset = state.pose.position - view.centre;
      if (std::fabs(offset.x) > half_width + object.reach || std::fabs(offset.y) > half_height + object.reach) continue;
      draw(object.rings, camera.after(affine(state.pose)), static_cast<std::uint16_t>(first_body_mask + state.id), object.flat);
    }
  }
};

FramePainter::FramePainter(const Scene& scene, const Trace&, Style style) : impl_(new Impl) {
  impl_->style = style;
  impl_->ground_y = scene.profile->ground_y;
  impl_->slingshot = scene.slingshot;
  impl_->slingshot_rings = rings_of(*scene.profile->slingshot_shape);
  for (const SceneObject& object : scene.objects) impl_->objects.push_back(drawn(*object.shape, look_of(object.kind, object.material).flat));
  if (scene.birds_left() == 0) return;
  const BirdType& bird = scene.profile->bird(scene.birds[scene.next_bird]);
  impl_->objects.push_back(drawn(*bird.shape, bird_look(bird.type).flat));
  impl_->later = impl_->objects.back();
  if (bird.power.kind == PowerKind::egg)
    if (const ObjectType* egg = scene.profile->find(Kind::egg, "Egg")) impl_->later = drawn(*egg->shape, look_of(Kind::egg, Material::none).flat);
}

FramePainter::~FramePainter() = default;
FramePainter::FramePainter(FramePainter&&) noexcept = default;
FramePainter& FramePainter::operator=(FramePainter&&) noexcept = default;

void FramePainter::paint(const Frame& frame, const View& view, Bitmap& picture) {
  check(view, picture.width, picture.height);
  impl_->raster.attach(picture);
  impl_->raster.clear(sky_flat);
  impl_->for_each_surface(frame, view, picture.width, picture.height,
                          [&](const std::vector<Polygon>& rings, const Affine& map, std::uint16_t, Colour flat) { impl_->raster.fill(rings, map, flat); });
}

void FramePainter::paint(const Frame& frame, const View& view, Mask& mask) {
  check(view, mask.width, mask.height);
  std::fill(mask.ids.begin(), mask.ids.end(), sky_mask);
  impl_->for_each_surface(frame, view, mask.width, mask.height,
                          [&](const std::vector<Polygon>& rings, const Affine& map, std::uint16_t id, Colour) { fill_mask(rings, map, id, mask); });
}

std::vector<BodyId> FramePainter::depth_order(const Frame& frame) const {
  std::vector<BodyId> order;
  for (const BodyState& state : frame.bodies) order.push_back(state.id);
  return order;
}

}  // namespace startle
