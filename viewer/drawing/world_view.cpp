#include "viewer/drawing/world_view.hpp"

#include <SFML/Graphics/RenderStates.hpp>
#include <SFML/Graphics/Vertex.hpp>
#include <algorithm>
#include <cmath>

#include "viewer/drawing/textures.hpp"

namespace startle {
namespace {

constexpr double blast_s = 0.5, dust_s = 0.45;
constexpr int effect_stages = 14;  ///< pictures an effect runs through

sf::Vertex vertex(Vec2 p, sf::Color c) { return {{static_cast<float>(p.x), static_cast<float>(p.y)}, c}; }

std::string object_name(const SceneObject& object, std::size_t index) {
  // Four variants of a texture for each type: neighbours differ, and few textures are needed.
  std::string name = std::to_string(static_cast<int>(object.kind)) + object.type + "/" +
                     std::to_string(static_cast<int>(object.material)) + "/" + std::to_string(index % 4);
  if (object.kind == Kind::platform) {  // scaled, each in its own way
    const Bounds box = bounds(*object.shape);
    name += "/" + std::to_string(box.width()) + "x" + std::to_string(box.height());
  }
  return name;
}

BodyId first_flyer(const Scene& scene) { return static_cast<BodyId>(scene.objects.size()); }

/// The one on the slingshot or in flight; null: none is left.
const BirdType* bird_of(const Scene& scene) {
  return scene.birds_left() > 0 ? &scene.profile->bird(scene.birds[scene.next_bird]) : nullptr;
}

std::vector<BodyState> bodies_of(const Moment& moment) {
  if (moment.bodies != nullptr) return *moment.bodies;
  const Scene& scene = *moment.scene;
  std::vector<BodyState> standing;
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    if (scene.objects[i].alive)
      standing.push_back({static_cast<BodyId>(i), scene.objects[i].pose, scene.objects[i].life});
  if (scene.birds_left() > 0 && !scene.cleared())
    standing.push_back({first_flyer(scene), {moment.held, 0}, 1});
  return standing;
}

/// The bird while it is still in the band; else null.
const BodyState* find_in_band(const std::vector<BodyState>& bodies, const Moment& moment) {
  const Scene& scene = *moment.scene;
  if (scene.birds_left() == 0 || moment.step * scene.profile->step > 0.3) return nullptr;
  for (const BodyState& body : bodies) {
    if (body.id != first_flyer(scene)) continue;
    const Vec2 pull = body.pose.position - scene.rest();
    if (pull.x <= 0.02 && length(pull) <= 1.05 * scene.profile->max_stretch) return &body;
  }
  return nullptr;
}

/// Behind the bird in the band.
Vec2 pocket_behind(const Vec2& bird, const Scene& scene) {
  const BirdType& type = *bird_of(scene);
  const Vec2 pull = bird - scene.rest();
  const double far = length(pull);
  return scene.profile->rest_offset + pull + type.centre +
         (far > 1e-9 ? type.radius / far * pull : Vec2{-type.radius, 0});
}

/// In place of a landscape that is not ready yet.
void draw_plain_landscape(sf::RenderTarget& target, const Camera2D& camera, double ground_y) {
  const double left = 0, right = target.getSize().x, bottom = target.getSize().y,
               ground = camera.to_pixels({0, ground_y}).y;
  const double top = std::min(0.0, camera.to_pixels({0, ground_y + 12}).y);
  const sf::Color high(0x5F, 0xA9, 0xE0), low(0xE4, 0xF3, 0xFA), soil(0x9A, 0x74, 0x49);
  const sf::Vertex sky[4] = {vertex({left, top}, high), vertex({right, top}, high),
                             vertex({left, ground}, low), vertex({right, ground}, low)};
  const sf::Vertex earth[4] = {vertex({left, ground}, soil), vertex({right, ground}, soil),
                               vertex({left, bottom}, soil), vertex({right, bottom}, soil)};
  target.draw(sky, 4, sf::TriangleStrip);
  if (ground < bottom) target.draw(earth, 4, sf::TriangleStrip);
}

}  // namespace

WorldView::WorldView(Sprites& sprites) : sprites_(sprites) {
  Raster raster;
  const RasteredArtwork disc = rastered({Mark{{rings_of(Shape{.discs = {{{}, 1}}})}, colour(0xFFFFFF)}}, 16,
                                        raster);
  upload(disc.sprite, disc_);
}

WorldView::~WorldView() = default;

bool WorldView::update_landscape(const Camera2D& camera, double ground_y) {
  // Drawn beside the window's work, with a margin; until it is ready the last one is shown, stretched, over
  // plain sky and ground.
  const Bounds seen = camera.seen();
  if (drawing_.valid() && drawing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    const Landscape done = drawing_.get();
    upload(done.picture, landscape_);
    landscape_box_ = done.box;
    landscape_scale_ = done.scale;
  }
  const bool holds_view = landscape_scale_ > 0 && landscape_box_.xmin <= seen.xmin &&
                          landscape_box_.xmax >= seen.xmax && landscape_box_.ymin <= seen.ymin &&
                          landscape_box_.ymax >= seen.ymax;
  if ((!holds_view || landscape_scale_ != camera.scale()) && !drawing_.valid()) {
    const double scale = camera.scale(), margin = 0.1 * seen.width();
    const Bounds box{seen.xmin - margin, seen.xmax + margin, seen.ymin - 0.3 * margin,
                     seen.ymax + 0.3 * margin};
    drawing_ = std::async(std::launch::async, [box, scale, ground_y] {
      Landscape result{box, scale,
                       Bitmap(std::max(1, static_cast<int>(std::lround(box.width() * scale))),
                              std::max(1, static_cast<int>(std::lround(box.height() * scale))))};
      Raster raster;
      raster.attach(result.picture);
      const Affine map{scale, 0, 0, -scale, -scale * box.xmin, scale * box.ymax};
      startle::draw(raster, backdrop(box, ground_y), map);
      startle::draw(raster, ground_artwork(box, ground_y), map);
      return result;
    });
  }
  return holds_view;
}

void WorldView::draw_landscape(sf::RenderTarget& target, const Camera2D& camera, double ground_y) {
  if (!update_landscape(camera, ground_y)) draw_plain_landscape(target, camera, ground_y);
  if (landscape_scale_ == 0) return;  // none yet
  const Vec2 a = camera.to_pixels({landscape_box_.xmin, landscape_box_.ymax}),
             b = camera.to_pixels({landscape_box_.xmin, landscape_box_.ymax}) +
                 (camera.scale() / landscape_scale_) * Vec2{static_cast<double>(landscape_.getSize().x),
                                                            static_cast<double>(landscape_.getSize().y)};
  const auto w = static_cast<float>(landscape_.getSize().x), h = static_cast<float>(landscape_.getSize().y);
  // On whole pixels at its own scale, so that nothing is mixed.
  const Vec2 snap = landscape_scale_ == camera.scale() ? Vec2{std::round(a.x) - a.x, std::round(a.y) - a.y}
                                                       : Vec2{};
  const auto corner = [&](double x, double y, float u, float v) {
    sf::Vertex c = vertex(Vec2{x, y} + snap, sf::Color::White);
    c.texCoords = {u, v};
    return c;
  };
  const sf::Vertex corners[4] = {corner(a.x, a.y, 0, 0), corner(b.x, a.y, w, 0), corner(a.x, b.y, 0, h),
                                 corner(b.x, b.y, w, h)};
  sf::RenderStates states(sf::BlendNone);
  states.texture = &landscape_;
  target.draw(corners, 4, sf::TriangleStrip, states);
}

void WorldView::draw_body(const Canvas& canvas, BodyId id, const Pose& pose, sf::Color tint) {
  const Scene& scene = canvas.scene;
  if (id < first_flyer(scene)) {
    const auto index = static_cast<std::size_t>(id);
    const SceneObject& object = scene.objects[index];
    sprites_.draw(
        canvas.target, canvas.camera, object_name(object, index),
        [&] { return object_artwork(object.kind, object.type, object.material, *object.shape, index % 4); },
        pose, tint);
    return;
  }
  const BirdType* bird = bird_of(scene);
  if (bird == nullptr) return;
  const ObjectType* egg = bird->power.kind == PowerKind::egg && id > first_flyer(scene)
                              ? scene.profile->find(Kind::egg, "Egg")
                              : nullptr;
  if (egg == nullptr) {
    draw_bird(canvas, *bird, pose, tint);
    return;
  }
  sprites_.draw(
      canvas.target, canvas.camera, "egg",
      [&] { return object_artwork(Kind::egg, egg->type, Material::none, *egg->shape, 0); }, pose, tint);
}

void WorldView::draw_bird(const Canvas& canvas, const BirdType& bird, const Pose& pose, sf::Color tint) {
  sprites_.draw(
      canvas.target, canvas.camera, bird.type, [&] { return bird_artwork(bird); }, pose, tint);
}

void WorldView::draw_cracks(const Canvas& canvas, const BodyState& body) {
  if (body.id >= first_flyer(canvas.scene)) return;
  const auto index = static_cast<std::size_t>(body.id);
  const SceneObject& object = canvas.scene.objects[index];
  if (object.is_static()) return;
  const int stage = crack_stage(body.life / object.parameters.life);
  if (stage == 0) return;
  const std::uint64_t variant = index % 16;
  sprites_.draw(
      canvas.target, canvas.camera,
      object_name(object, index) + "/cracks" + std::to_string(variant) + "/" + std::to_string(stage),
      [&] { return cracks(object.material, *object.shape, stage, variant); }, body.pose);
}

void WorldView::draw_slingshot(const Canvas& canvas, const BodyState* in_band) {
  const Pose place{canvas.scene.slingshot, 0};
  if (in_band == nullptr) {
    const Vec2 pocket = slack_pocket();
    sprites_.draw(
        canvas.target, canvas.camera, "slingshot behind", [&] { return slingshot_behind(pocket); }, place);
    sprites_.draw(
        canvas.target, canvas.camera, "slingshot before", [&] { return slingshot_before(pocket); }, place);
    return;
  }
  const Vec2 pocket = pocket_behind(in_band->pose.position, canvas.scene);
  sprites_.draw_once(canvas.target, canvas.camera, slingshot_behind(pocket), place);
  draw_body(canvas, in_band->id, in_band->pose);  // between the two arms
  sprites_.draw_once(canvas.target, canvas.camera, slingshot_before(pocket), place);
}

void WorldView::draw(sf::RenderTarget& target, const Camera2D& camera, const Moment& moment) {
  const Scene& scene = *moment.scene;
  const Canvas canvas{target, camera, scene};
  sprites_.begin_frame();
  draw_landscape(target, camera, scene.profile->ground_y);
  const std::vector<BodyState> bodies = bodies_of(moment);
  for (const BodyState& body : bodies)
    draw_body(canvas, body.id, {body.pose.position + Vec2{0.06, -0.05}, body.pose.angle},
              sf::Color(0, 0, 0, 56));
  for (const auto& [waiting, place] : waiting_birds(scene)) draw_bird(canvas, *waiting, {place, 0});
  const BodyState* in_band = find_in_band(bodies, moment);
  draw_slingshot(canvas, in_band);
  for (const BodyState& body : bodies) {
    if (&body == in_band) continue;
    draw_body(canvas, body.id, body.pose);
    draw_cracks(canvas, body);
  }
  draw_effects(target, camera, moment);
}

void WorldView::draw_effects(sf::RenderTarget& target, const Camera2D& camera, const Moment& moment) {
  if (moment.events == nullptr) return;
  const Scene& scene = *moment.scene;
  for (const Event& event : *moment.events) {
    const bool explodes = event.kind == EventKind::explosion;
    if (!explodes && event.kind != EventKind::destroyed) continue;
    const double age = (moment.step - event.step) * scene.profile->step / (explodes ? blast_s : dust_s);
    if (age < 0 || age >= 1) continue;
    const int stage = static_cast<int>(age * effect_stages);
    const double shown_age = (stage + 0.5) / effect_stages;
    if (explodes) {
      sprites_.draw(target, camera, "blast/" + std::to_string(event.value) + "/" + std::to_string(stage),
                    [&] { return blast(event.value, shown_age); }, {event.position, 0});
    } else if (static_cast<std::size_t>(event.a) < scene.objects.size()) {
      const SceneObject& object = scene.objects[static_cast<std::size_t>(event.a)];
      const Bounds box = bounds(*object.shape);
      const double size = std::max(0.25, 0.4 * std::max(box.width(), box.height()));
      const int variant = event.a % 4;
      sprites_.draw(target, camera,
                    "dust/" + std::to_string(static_cast<int>(object.kind)) + "/" +
                        std::to_string(static_cast<int>(object.material)) + "/" + std::to_string(size) + "/" +
                        std::to_string(variant) + "/" + std::to_string(stage),
                    [&] {
                      return dust(size, look_of(object.kind, object.material).light, shown_age,
                                  static_cast<std::uint64_t>(variant));
                    },
                    {event.position, 0});
    }
  }
}

void WorldView::draw_points(sf::RenderTarget& target, const Camera2D& camera, const std::vector<Vec2>& points,
                            Colour c, double radius) const {
  std::vector<sf::Vertex> vertices;
  const auto size = static_cast<float>(disc_.getSize().x);
  // Colours multiplied by alpha, as the disc's.
  const auto by_alpha = [&](std::uint8_t value) { return static_cast<sf::Uint8>(value * c.a / 255); };
  const sf::Color tint(by_alpha(c.r), by_alpha(c.g), by_alpha(c.b), c.a);
  for (const Vec2 point : points) {
    const Vec2 p = camera.to_pixels(point);
    const auto corner = [&](double x, double y, float u, float v) {
      sf::Vertex result = vertex(p + Vec2{x, y}, tint);
      result.texCoords = {u, v};
      return result;
    };
    for (const sf::Vertex& v : {corner(-radius, -radius, 0, 0), corner(radius, -radius, size, 0),
                                corner(radius, radius, size, size), corner(-radius, radius, 0, size)})
      vertices.push_back(v);
  }
  sf::RenderStates states(sf::BlendMode(sf::BlendMode::One, sf::BlendMode::OneMinusSrcAlpha));
  states.texture = &disc_;
  if (!vertices.empty()) target.draw(vertices.data(), vertices.size(), sf::Quads, states);
}

}  // namespace startle
