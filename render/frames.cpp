#include "render/frames.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "render/artwork.hpp"
#include "render/palette.hpp"
#include "render/raster.hpp"

namespace startle {
namespace {

constexpr Colour outline_flat = colour(0xB3128A);
constexpr std::uint16_t sky_mask = 0, ground_mask = 1, first_body_mask = 2;

/// One body as it is drawn.
struct Drawn {
  std::vector<Polygon> rings;
  double reach = 0;  ///< largest distance of a point from the body's origin
  Look look;
  Artwork artwork;  ///< pictures for people only
};

Drawn drawn(const Shape& shape, const Look& look) {
  Drawn result{rings_of(shape), 0, look, {}};
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
    throw Error("picture: size is " + std::to_string(width) + "x" + std::to_string(height) +
                " pixels; allowed: at least 1x1");
  const auto sound = [](double v) { return std::fabs(v) <= 1e6; };  // false for NaN
  if (!(view.width > 0) || !sound(view.width) || !sound(view.centre.x) || !sound(view.centre.y))
    throw Error("view: centre is (" + std::to_string(view.centre.x) + ", " + std::to_string(view.centre.y) +
                "), width " + std::to_string(view.width) +
                "; allowed: centre within 1e6, width over 0 to 1e6");
}

}  // namespace

Bounds bounds(const View& view, int width, int height) {
  const double half_width = 0.5 * view.width, half_height = half_width * height / width;
  return {view.centre.x - half_width, view.centre.x + half_width, view.centre.y - half_height,
          view.centre.y + half_height};
}

Frame standing_frame(const Scene& scene) {
  Frame frame;
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    if (scene.objects[i].alive)
      frame.bodies.push_back({static_cast<BodyId>(i), scene.objects[i].pose, scene.objects[i].life});
  if (scene.birds_left() > 0) {
    const BirdType& bird = scene.profile->bird(scene.birds[scene.next_bird]);
    frame.bodies.push_back({static_cast<BodyId>(scene.objects.size()), {scene.rest() - bird.centre, 0}, 1});
  }
  return frame;
}

std::vector<Vec2> waiting_places(const Profile& profile, Vec2 slingshot,
                                 const std::vector<std::string>& birds) {
  std::vector<Vec2> places;
  double x = slingshot.x - 0.7;
  for (std::size_t i = 1; i < birds.size(); ++i) {
    const BirdType& bird = profile.bird(birds[i]);
    places.push_back({x - bird.radius - bird.centre.x, profile.ground_y + bird.radius - bird.centre.y});
    x -= 2 * bird.radius + 0.25;
  }
  return places;
}

std::vector<WaitingBird> waiting_birds(const Scene& scene) {
  const std::vector<std::string> left(scene.birds.begin() + static_cast<std::ptrdiff_t>(scene.next_bird),
                                      scene.birds.end());
  const std::vector<Vec2> places = waiting_places(*scene.profile, scene.slingshot, left);
  std::vector<WaitingBird> waiting;
  for (std::size_t i = 0; i < places.size(); ++i)
    waiting.push_back({&scene.profile->bird(left[i + 1]), places[i]});
  return waiting;
}

View whole_view(const Scene& scene, const Trace& trace, int width, int height) {
  const double ground = scene.profile->ground_y;
  Bounds box{scene.slingshot.x - 1.6, scene.slingshot.x + 1, ground - 0.9, scene.slingshot.y + 1.8};
  const auto extend = [&box](const Bounds& other) {
    box = {std::min(box.xmin, other.xmin), std::max(box.xmax, other.xmax), std::min(box.ymin, other.ymin),
           std::max(box.ymax, other.ymax)};
  };
  for (const SceneObject& object : scene.objects) {
    if (!object.alive) continue;
    const Bounds b = object.world_bounds();
    extend({b.xmin - 1, b.xmax + 1.5, b.ymin, b.ymax + 0.6});  // room to fall
  }
  for (const auto& [waiting, place] : waiting_birds(scene))
    extend({place.x - 0.4, place.x, place.y, place.y});
  const auto bird = static_cast<BodyId>(scene.objects.size());
  double top = box.ymax;
  for (const Frame& frame : trace.frames)
    for (const BodyState& body : frame.bodies)
      if (body.id >= bird && body.pose.position.x >= box.xmin && body.pose.position.x <= box.xmax)
        top = std::max(top, std::min(body.pose.position.y, ground + 10) + 0.5);
  box.ymax = top;
  // The ground stays at the bottom: what is left over goes to the sky, or to both sides.
  const double shape = static_cast<double>(height) / width,
               across = std::max(box.width(), box.height() / shape);
  return {{box.centre().x, box.ymin + 0.5 * across * shape}, across};
}

Bounds level_box(const Scene& scene) {
  const View across = whole_view(scene, Trace{}, 1, 4000);  // so high that only the width decides
  const double ground = scene.profile->ground_y;
  double top = std::max(scene.slingshot.y + 2.5, ground + 5);
  for (const SceneObject& object : scene.objects)
    if (object.alive) top = std::max(top, object.world_bounds().ymax + 0.8);
  return {across.centre.x - 0.5 * across.width, across.centre.x + 0.5 * across.width, ground - 1.15,
          top};  // soil for the time line to lie on
}

struct FramePainter::Impl {
  Scene scene;  ///< at the start of the shot
  Style style = Style::training;
  double ground_y = 0;
  std::vector<Polygon> slingshot_rings;
  std::vector<Drawn> bodies;   ///< index = BodyId; the bird launched comes after the scene's objects
  std::optional<Drawn> later;  ///< what came out of the bird: children like itself, or an egg
  std::vector<Event> events;   ///< destroyed and explosion, for people
  double step_s = 0.02;
  std::vector<std::pair<Artwork, Vec2>> waiting;  ///< birds behind the slingshot, with their places
  Raster raster;
  View landscape_view;  ///< what `landscape` shows
  Bitmap landscape;     ///< sky and ground, kept from one frame to the next

  const Drawn& body(BodyId id) const {
    const auto index = static_cast<std::size_t>(id);
    if (id >= 0 && index < bodies.size()) return bodies[index];
    if (id < 0 || !later)
      throw Error("frame: found body " + std::to_string(id) + "; allowed: 0 to " +
                  std::to_string(bodies.size() - 1) + ", those of the scene");
    return *later;
  }

  bool in_view(const Drawn& object, Vec2 position, const View& view, int width, int height) const {
    const double half_width = 0.5 * view.width, half_height = half_width * height / width;
    const Vec2 offset = position - view.centre;
    return std::fabs(offset.x) <= half_width + object.reach &&
           std::fabs(offset.y) <= half_height + object.reach;
  }

  /// Calls draw(rings, map, id in masks, colour) for all that is seen, the farthest first.
  template <typename Draw>
  void for_each_surface(const Frame& frame, const View& view, int width, int height, Draw draw) const {
    const Affine camera = world_to_pixels(view, width, height);
    const Bounds box = bounds(view, width, height);
    const double left = box.xmin - 1, right = box.xmax + 1, bottom = std::min(ground_y, box.ymin) - 1;
    draw({{{left, bottom}, {right, bottom}, {right, ground_y}, {left, ground_y}}}, camera, ground_mask,
         look_of(Kind::ground, Material::none).flat);
    draw(slingshot_rings, camera.after(affine({scene.slingshot, 0})), ground_mask, slingshot_flat);
    for (const BodyState& state : frame.bodies) {
      const Drawn& object = body(state.id);
      if (in_view(object, state.pose.position, view, width, height))
        draw(object.rings, camera.after(affine(state.pose)),
             static_cast<std::uint16_t>(first_body_mask + state.id), object.look.flat);
    }
  }

  void paint_for_people(const Frame& frame, const View& view, Bitmap& picture);
};

FramePainter::FramePainter(const Scene& scene, const Trace& trace, Style style) : impl_(new Impl) {
  Impl& impl = *impl_;
  impl.scene = scene;
  impl.style = style;
  impl.ground_y = scene.profile->ground_y;
  impl.slingshot_rings = rings_of(*scene.profile->slingshot_shape);
  impl.step_s = trace.step_s;
  for (const Event& event : trace.events)
    if (event.kind == EventKind::explosion || event.kind == EventKind::destroyed)
      impl.events.push_back(event);
  const bool people = style == Style::people;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const SceneObject& object = scene.objects[i];
    impl.bodies.push_back(drawn(*object.shape, look_of(object.kind, object.material)));
    if (people)
      impl.bodies.back().artwork = object_artwork(object.kind, object.type, object.material, *object.shape,
                                                  i);
  }
  if (scene.birds_left() == 0) return;
  const BirdType& bird = scene.profile->bird(scene.birds[scene.next_bird]);
  impl.bodies.push_back(drawn(*bird.shape, bird_look(bird.type)));
  if (people) impl.bodies.back().artwork = bird_artwork(bird);
  impl.later = impl.bodies.back();
  if (bird.power.kind == PowerKind::egg) {
    if (const ObjectType* egg = scene.profile->find(Kind::egg, "Egg")) {
      impl.later = drawn(*egg->shape, look_of(Kind::egg, Material::none));
      if (people) impl.later->artwork = object_artwork(Kind::egg, egg->type, Material::none, *egg->shape, 0);
    }
  }
  if (!people) return;
  for (const auto& [next, place] : waiting_birds(scene)) impl.waiting.push_back({bird_artwork(*next), place});
}

FramePainter::~FramePainter() = default;
FramePainter::FramePainter(FramePainter&&) noexcept = default;
FramePainter& FramePainter::operator=(FramePainter&&) noexcept = default;

void FramePainter::paint(const Frame& frame, const View& view, Bitmap& picture) {
  check(view, picture.width, picture.height);
  if (impl_->style == Style::people) {
    impl_->paint_for_people(frame, view, picture);
    return;
  }
  impl_->raster.attach(picture);
  impl_->raster.clear(sky_flat);
  impl_->for_each_surface(frame, view, picture.width, picture.height,
                          [&](const std::vector<Polygon>& rings, const Affine& map, std::uint16_t,
                              Colour flat) { impl_->raster.fill(rings, map, flat); });
}

void FramePainter::Impl::paint_for_people(const Frame& frame, const View& view, Bitmap& picture) {
  const Affine camera = world_to_pixels(view, picture.width, picture.height);
  if (landscape.width != picture.width || landscape.height != picture.height ||
      landscape_view.centre != view.centre || landscape_view.width != view.width) {
    landscape = Bitmap(picture.width, picture.height);
    landscape_view = view;
    raster.attach(landscape);
    const Bounds box = bounds(view, picture.width, picture.height);
    draw(raster, backdrop(box, ground_y), camera);
    draw(raster, ground_artwork(box, ground_y), camera);
  }
  picture.rgb = landscape.rgb;
  raster.attach(picture);

  const auto visible = [&](const BodyState& state) {
    return in_view(body(state.id), state.pose.position, view, picture.width, picture.height);
  };
  for (const BodyState& state : frame.bodies)
    if (visible(state))
      raster.fill(body(state.id).rings, camera.after({1, 0, 0, 1, 0.06, -0.05}).after(affine(state.pose)),
                  colour(0x1E2B1A, 56));

  // While the bird is still in the band, it sits between the two arms.
  const auto bird_id = static_cast<BodyId>(scene.objects.size());
  const BodyState* in_band = nullptr;
  const Profile& profile = *scene.profile;
  Vec2 pocket = slack_pocket();
  for (const BodyState& state : frame.bodies) {
    if (state.id != bird_id || frame.step * step_s > 0.3) continue;
    const BirdType& bird = profile.bird(scene.birds[scene.next_bird]);
    const Vec2 pull = transformed(bird.centre, state.pose) - scene.rest();
    if (pull.x > 0.02 || length(pull) > 1.05 * profile.max_stretch) continue;
    in_band = &state;
    const double far = length(pull);
    pocket = profile.rest_offset + pull + (far > 1e-9 ? bird.radius / far * pull : Vec2{-bird.radius, 0});
  }
  const Affine sling = camera.after(affine({scene.slingshot, 0}));
  for (const auto& [bird, place] : waiting) draw(raster, bird, camera.after(affine({place, 0})));
  draw(raster, slingshot_behind(pocket), sling);
  if (in_band) draw(raster, body(bird_id).artwork, camera.after(affine(in_band->pose)));
  draw(raster, slingshot_before(pocket), sling);
  for (const BodyState& state : frame.bodies)
    if (&state != in_band && visible(state))
      draw(raster, body(state.id).artwork, camera.after(affine(state.pose)));

  constexpr double blast_s = 0.5, dust_s = 0.4;
  for (const Event& event : events) {
    const double age = (frame.step - event.step) * step_s /
                       (event.kind == EventKind::explosion ? blast_s : dust_s);
    if (age < 0 || age >= 1) continue;
    const Affine map = camera.after(affine({event.position, 0}));
    if (event.kind == EventKind::explosion)
      draw(raster, blast(event.value, age), map);
    else
      draw(raster,
           dust(std::max(0.25, 0.8 * body(event.a).reach), body(event.a).look.light, age,
                static_cast<std::uint64_t>(event.a)),
           map);
  }
}

void FramePainter::outline(const Frame& frame, const View& view, const std::vector<BodyId>& bodies,
                           Bitmap& picture) {
  check(view, picture.width, picture.height);
  impl_->raster.attach(picture);
  const Affine camera = world_to_pixels(view, picture.width, picture.height);
  const double line = std::max(0.045, 1.3 * view.width / picture.width);  // no hair on small pictures
  for (const BodyState& state : frame.bodies) {
    const Drawn& object = impl_->body(state.id);
    if (std::count(bodies.begin(), bodies.end(), state.id) == 0 ||
        !impl_->in_view(object, state.pose.position, view, picture.width, picture.height))
      continue;
    for (const Polygon& ring : object.rings)
      impl_->raster.stroke(ring, true, line, camera.after(affine(state.pose)), outline_flat);
  }
}

void FramePainter::paint(const Frame& frame, const View& view, Mask& mask) {
  check(view, mask.width, mask.height);
  std::fill(mask.ids.begin(), mask.ids.end(), sky_mask);
  impl_->for_each_surface(frame, view, mask.width, mask.height,
                          [&](const std::vector<Polygon>& rings, const Affine& map, std::uint16_t id,
                              Colour) { fill_mask(rings, map, id, mask); });
}

}  // namespace startle
