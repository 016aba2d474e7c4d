#include "noticing/film_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "render/artwork.hpp"
#include "render/raster.hpp"
#include "reasoning/trajectory.hpp"
#include "sim/error.hpp"

namespace startle {
namespace {

constexpr int texels_a_pixel = 4;  // of an appearance, each way
constexpr double border = 1;       // pixels from the rim that are left out: other things show through there
// Grey levels a channel, root mean square. What differs by less is surely the body; by less, the body; by more, is not looked at further.
constexpr double surely_like = 5, like = 14, unlike = 90;
constexpr double beside = 0.17, near_by = 0.12, all_around = 0.45;  // world units: how far off a body is looked for, downhill, all about, and at last
constexpr double flying = 1;       // m/s: what moved faster is taken to fall
constexpr int patience = 3, patience_for_birds = 8, patience_at_first = 25;  // pictures in which a body is looked for in vain before it is given up
constexpr int most_steps = 12;     // of Gauss and Newton
constexpr std::size_t most_fits = 12;  // of one search
// A search turns a bird, which spins, all about, anything else by up to three quarter radians either way.
constexpr int bird_turns = 16, other_turns = 7;
constexpr double other_turn = 0.25;  // rad

/// What one body looks like: RGB 0 to 255, `texels_a_pixel` texels a pixel, each the mean over a pixel about it; y down, as in pictures.
struct Appearance {
  int width = 0, height = 0;
  Vec2 centre;                          // of mass, in texels
  double reach = 0;                     // pixels from the centre of mass to the farthest texel inside
  int area = 0;                         // pixels inside
  std::vector<float> rgb;
  std::vector<std::uint8_t> inside;     // texels with nothing but the body within a pixel and the border
};

Appearance appearance_of(const Artwork& artwork, Vec2 centre_of_mass, double scale) {
  Appearance a;
  const Bounds box = extent(artwork);
  const double texels = scale * texels_a_pixel;
  constexpr int room = 2 * texels_a_pixel;
  a.width = static_cast<int>(std::ceil(box.width() * texels)) + 2 * room;
  a.height = static_cast<int>(std::ceil(box.height() * texels)) + 2 * room;
  Sprite sprite(a.width, a.height);
  Raster raster;
  raster.attach(sprite);
  const Affine map{texels, 0, 0, -texels, room - box.xmin * texels, room + box.ymax * texels};
  draw(raster, artwork, map);
  a.centre = map(centre_of_mass);
  const auto at = [&](int x, int y) { return sprite.rgba.data() + (static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width) + static_cast<std::size_t>(x)) * 4; };
  a.rgb.resize(static_cast<std::size_t>(a.width) * static_cast<std::size_t>(a.height) * 3);
  a.inside.resize(static_cast<std::size_t>(a.width) * static_cast<std::size_t>(a.height));
  const int half = static_cast<int>(std::lround(texels_a_pixel * (0.5 + border)));
  for (int y = room / 2; y < a.height - room / 2; ++y)
    for (int x = room / 2; x < a.width - room / 2; ++x) {
      const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width) + static_cast<std::size_t>(x);
      // Sum over texel corners: `texels_a_pixel` texels about the texel's upper left corner, so that texel coordinates name corners.
      std::array<int, 3> sum{};
      for (int dy = -texels_a_pixel / 2; dy < texels_a_pixel / 2; ++dy)
        for (int dx = -texels_a_pixel / 2; dx < texels_a_pixel / 2; ++dx)
          for (std::size_t c = 0; c < 3; ++c) sum[c] += at(x + dx, y + dy)[c];
      for (std::size_t c = 0; c < 3; ++c) a.rgb[3 * i + c] = static_cast<float>(sum[c]) / (texels_a_pixel * texels_a_pixel);
      bool in = x >= half && y >= half && x + half <= a.width && y + half <= a.height;
      for (int dy = -half; in && dy < half; ++dy)
        for (int dx = -half; in && dx < half; ++dx) in = at(x + dx, y + dy)[3] == 255;
      a.inside[i] = in;
      if (in) {
        ++a.area;
        a.reach = std::max(a.reach, length(Vec2{x - a.centre.x, y - a.centre.y}) / texels_a_pixel);
      }
    }
  a.area /= texels_a_pixel * texels_a_pixel;
  return a;
}

/// A place in the picture: of the centre of mass in pixels, y down; the angle as in the world.
struct PicturePose {
  Vec2 at;
  double angle = 0;
};

struct Match {
  PicturePose place;
  double difference = std::numeric_limits<double>::infinity();  // root mean square
  int pixels = 0;
};

/// Sums of one comparison.
struct Comparison {
  double squares = 0;
  int pixels = 0;
  std::array<double, 6> normal{};  // upper triangle of J^T J
  std::array<double, 3> slope{};   // J^T r
  double difference() const { return pixels ? std::sqrt(squares / (3 * pixels)) : std::numeric_limits<double>::infinity(); }
};

/// Calls use(picture's bytes of a pixel, its upper left texel, how far to the right and down of that one, and from the centre of mass in pixels of the body's frame)
/// for every pixel in which nothing but the body is seen, were it there, until it answers false.
template <typename Use>
void for_each_pixel(const Appearance& a, const Bitmap& picture, const PicturePose& pose, int every, Use use) {
  const Vec2 turn = direction(pose.angle);
  const int x0 = std::max(0, static_cast<int>(std::floor(pose.at.x - a.reach))), x1 = std::min(picture.width - 1, static_cast<int>(std::ceil(pose.at.x + a.reach)));
  const int y0 = std::max(0, static_cast<int>(std::floor(pose.at.y - a.reach))), y1 = std::min(picture.height - 1, static_cast<int>(std::ceil(pose.at.y + a.reach)));
  for (int y = y0; y <= y1; y += every)
    for (int x = x0; x <= x1; x += every) {
      const Vec2 d{x + 0.5 - pose.at.x, y + 0.5 - pose.at.y};
      const Vec2 b{turn.x * d.x - turn.y * d.y, turn.y * d.x + turn.x * d.y};
      const double u = a.centre.x + texels_a_pixel * b.x, v = a.centre.y + texels_a_pixel * b.y;
      if (u < 0 || v < 0 || u >= a.width - 1 || v >= a.height - 1) continue;
      const int i = static_cast<int>(u), j = static_cast<int>(v);
      const std::size_t texel = static_cast<std::size_t>(j) * static_cast<std::size_t>(a.width) + static_cast<std::size_t>(i);
      if (!a.inside[texel]) continue;
      const std::uint8_t* seen = picture.rgb.data() + (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x)) * 3;
      if (!use(seen, a.rgb.data() + 3 * texel, static_cast<float>(u - i), static_cast<float>(v - j), b)) return;
    }
}

Comparison compare(const Appearance& a, const Bitmap& picture, const PicturePose& pose) {
  Comparison sum;
  const Vec2 turn = direction(pose.angle);
  for_each_pixel(a, picture, pose, 1, [&](const std::uint8_t* seen, const float* t00, float p, float q, Vec2 b) {
    const float* t01 = t00 + 3 * static_cast<std::size_t>(a.width);
    for (int c = 0; c < 3; ++c) {
      const float top = t00[c] + p * (t00[c + 3] - t00[c]), low = t01[c] + p * (t01[c + 3] - t01[c]);
      const float gu = texels_a_pixel * ((1 - q) * (t00[c + 3] - t00[c]) + q * (t01[c + 3] - t01[c])), gv = texels_a_pixel * (low - top);
      const double r = seen[c] - (top + q * (low - top));
      // d b/d at = -turned, d b/d angle = (-b.y, b.x)
      const std::array<double, 3> slope{-(gu * turn.x + gv * turn.y), -(-gu * turn.y + gv * turn.x), -gu * b.y + gv * b.x};
      sum.squares += r * r;
      std::size_t k = 0;
      for (std::size_t m = 0; m < 3; ++m) {
        sum.slope[m] += slope[m] * r;
        for (std::size_t n = m; n < 3; ++n) sum.normal[k++] += slope[m] * slope[n];
      }
    }
    ++sum.pixels;
    return true;
  });
  return sum;
}

/// The same without slopes, to the nearest texel; given up where it is nothing like it.
Comparison glance(const Appearance& a, const Bitmap& picture, const PicturePose& pose, int every) {
  Comparison sum;
  for_each_pixel(a, picture, pose, every, [&](const std::uint8_t* seen, const float* texel, float, float, Vec2) {
    for (int c = 0; c < 3; ++c) {
      const float r = static_cast<float>(seen[c]) - texel[c];
      sum.squares += r * r;
    }
    ++sum.pixels;
    return sum.pixels < 6 || sum.squares < 3 * unlike * unlike * sum.pixels;
  });
  return sum;
}

/// One step downhill of the sum of squares; the angle is left alone where it makes no difference.
PicturePose stepped(const PicturePose& from, const Comparison& c, double damping) {
  std::array<std::array<double, 4>, 3> m{{{c.normal[0], c.normal[1], c.normal[2], c.slope[0]}, {c.normal[1], c.normal[3], c.normal[4], c.slope[1]}, {c.normal[2], c.normal[4], c.normal[5], c.slope[2]}}};
  for (std::size_t i = 0; i < 3; ++i) m[i][i] += damping * m[i][i] + 1e-6;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i + 1; j < 3; ++j) {
      const double f = m[j][i] / m[i][i];
      for (std::size_t k = i; k < 4; ++k) m[j][k] -= f * m[i][k];
    }
  std::array<double, 3> s{};
  for (std::size_t i = 3; i-- > 0;) {
    s[i] = m[i][3];
    for (std::size_t k = i + 1; k < 3; ++k) s[i] -= m[i][k] * s[k];
    s[i] /= m[i][i];
  }
  return {{from.at.x + s[0], from.at.y + s[1]}, from.angle + s[2]};
}

Match fitted(const Appearance& a, const Bitmap& picture, PicturePose place) {
  Comparison now = compare(a, picture, place);
  double damping = 1e-3;
  for (int i = 0; i < most_steps && now.pixels > 0; ++i) {
    const PicturePose next = stepped(place, now, damping);
    const Comparison then = compare(a, picture, next);
    if (then.pixels > 0 && then.difference() <= now.difference()) {
      const double moved = length(next.at - place.at) + std::fabs(next.angle - place.angle) * a.reach;
      place = next;
      now = then;
      damping = std::max(1e-4, 0.3 * damping);
      if (moved < 0.003) break;
    } else {
      damping = std::max(1e-2, 10 * damping);
      if (damping > 1e3) break;
    }
  }
  return {place, now.difference(), now.pixels};
}

}  // namespace

struct FilmReader::Impl {
  struct Body {
    Appearance look;
    Vec2 centre;                                    // of mass, in the body's frame
    bool bird = false;
    bool found = false;                             // in any picture
    bool gone = false;                              // not looked for, or no longer
    PicturePose place;                              // where it was seen last, or should be by now
    PicturePose last;                               // where it was seen last
    Vec2 speed;                                     // pixels a look
    double turning = 0;                             // a look
    double fall = 0;                                // pixels a look^2, downwards
    int unseen = 0, missing = 0;                    // looks on end, and those of them in which it should be in the picture
    double thickness = 0;                           // pixels, the shorter side of its box
    std::optional<PicturePose> now;                 // in the picture that is looked at
    double difference = 0;
    std::vector<std::optional<PicturePose>> seen;
  };

  FilmCamera camera;
  int steps_a_look = 2;
  double step_s = 0.02;
  double scale = 1;                                 // pixels a world unit
  std::vector<Body> bodies;
  Bitmap before;                                    // the picture before
  std::size_t looks = 0;

  Vec2 to_pixels(Vec2 p) const { return {0.5 * camera.width + scale * (p.x - camera.view.centre.x), 0.5 * camera.height - scale * (p.y - camera.view.centre.y)}; }
  Vec2 to_world(Vec2 p) const { return {camera.view.centre.x + (p.x - 0.5 * camera.width) / scale, camera.view.centre.y - (p.y - 0.5 * camera.height) / scale}; }

  void add(const Artwork& artwork, const Shape& shape, const Pose& pose) {
    Body body{.look = appearance_of(artwork, shape.centroid, scale), .centre = shape.centroid};
    body.last = body.place = {to_pixels(transformed(shape.centroid, pose)), pose.angle};
    const Bounds box = bounds(shape);
    body.thickness = scale * std::min(box.width(), box.height());
    bodies.push_back(std::move(body));
  }

  /// Whether the two last pictures are the same where it was.
  bool unchanged(const Body& body, const Bitmap& picture) const {
    if (before.rgb.empty()) return false;
    const int x0 = std::max(0, static_cast<int>(body.place.at.x - body.look.reach)), x1 = std::min(picture.width, static_cast<int>(body.place.at.x + body.look.reach) + 1);
    const int y0 = std::max(0, static_cast<int>(body.place.at.y - body.look.reach)), y1 = std::min(picture.height, static_cast<int>(body.place.at.y + body.look.reach) + 1);
    if (x0 >= x1) return false;
    for (int y = y0; y < y1; ++y) {
      const std::size_t from = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x0)), bytes = 3 * static_cast<std::size_t>(x1 - x0);
      if (!std::equal(picture.rgb.data() + from, picture.rgb.data() + from + bytes, before.rgb.data() + from)) return false;
    }
    return true;
  }

  /// In the picture with all of it: what is cut off by the border is not told well.
  bool whole(const Body& body, const PicturePose& p) const {
    const double r = body.look.reach;
    return p.at.x >= r && p.at.y >= r && p.at.x <= camera.width - r && p.at.y <= camera.height - r;
  }

  bool good(const Body& body, const Match& m) const { return m.difference < like && m.pixels * 2 >= body.look.area && whole(body, m.place); }

  /// Whether another body is already seen there.
  bool taken(const Body& body, const PicturePose& place) const {
    return std::any_of(bodies.begin(), bodies.end(), [&](const Body& other) {
      return &other != &body && other.now && length(other.now->at - place.at) < 0.5 * std::min(body.thickness, other.thickness);
    });
  }

  /// The most like it of all places about there, by glances first.
  Match search(const Body& body, const Bitmap& picture, const PicturePose& about, int radius, int stride) {
    std::vector<Match> best;
    const int every = body.look.area > 600 ? 3 : body.look.area > 150 ? 2 : 1;  // pixels: of large bodies fewer are enough for a glance
    const int turns = body.bird ? bird_turns : other_turns;
    const double turn = body.bird ? 2 * std::numbers::pi / turns : other_turn;
    for (int n = 0; n < turns; ++n)
      for (int dy = -radius; dy <= radius; dy += stride)
        for (int dx = -radius; dx <= radius; dx += stride) {
          const PicturePose place{{about.at.x + dx, about.at.y + dy}, about.angle + turn * (n - turns / 2)};
          const Comparison c = glance(body.look, picture, place, every);
          if (2 * c.pixels * every * every < body.look.area || taken(body, place)) continue;
          best.push_back({place, c.difference(), c.pixels});
        }
    const std::size_t keep = std::min(most_fits, best.size());
    std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(keep), best.end(), [](const Match& a, const Match& b) { return a.difference < b.difference; });
    Match found;
    for (std::size_t i = 0; i < keep; ++i) {
      const Match m = fitted(body.look, picture, best[i].place);
      if (m.pixels * 2 >= body.look.area && m.difference < found.difference && !taken(body, m.place)) found = m;
      if (good(body, found)) break;
    }
    return found;
  }

  /// Where it should be by now, had nothing met it.
  PicturePose gone_on(const Body& body) const {
    PicturePose next{body.place.at + body.speed, body.place.angle + body.turning};
    if (length(body.speed) > flying * scale * steps_a_look * step_s || body.unseen > 0) next.at.y += body.fall;
    return next;
  }

  /// Looks for it where it should be, and where it was.
  void look_near(Body& body, const Bitmap& picture) {
    body.now.reset();
    if (body.gone) return;
    if (body.unseen == 0 && !body.seen.empty() && unchanged(body, picture)) {
      body.now = body.place;
      return;
    }
    body.difference = like;
    for (const PicturePose& start : {gone_on(body), body.place}) {
      const Match m = fitted(body.look, picture, start);
      if (good(body, m) && m.difference < body.difference && length(m.place.at - start.at) < beside * scale) {
        body.now = m.place;
        body.difference = m.difference;
      }
      if (body.difference < surely_like) return;
    }
  }

  /// Looks for it about where it should be.
  void look_around(Body& body, const Bitmap& picture, int radius, int stride) {
    if (body.gone || body.now) return;
    const PicturePose next = gone_on(body);
    if (!whole(body, next)) return;
    const Match m = search(body, picture, next, radius, stride);
    if (!good(body, m)) return;
    body.now = m.place;
    body.difference = m.difference;
  }

  void remember(Body& body) {
    body.seen.push_back(body.now);
    if (body.gone) return;
    if (body.now) {
      if (body.found) {
        const int elapsed = body.unseen + 1;
        body.speed = (1.0 / elapsed) * (body.now->at - body.last.at);
        body.turning = (body.now->angle - body.last.angle) / elapsed;
        for (int k = 1; k < elapsed; ++k) {  // it was there all the while
          const double share = static_cast<double>(k) / elapsed;
          body.seen[body.seen.size() - 1 - static_cast<std::size_t>(elapsed - k)] = PicturePose{body.last.at + share * (body.now->at - body.last.at), body.last.angle + share * (body.now->angle - body.last.angle)};
        }
        if (body.unseen > 0) body.speed.y += 0.5 * elapsed * body.fall;
      } else {
        body.speed = gone_on(body).at - body.place.at;
      }
      body.found = true;
      body.last = body.place = *body.now;
      body.unseen = body.missing = 0;
      return;
    }
    const PicturePose next = gone_on(body);
    ++body.unseen;
    if (whole(body, next)) ++body.missing;
    body.speed = next.at - body.place.at;
    body.place = next;
    body.gone = body.missing > (!body.found ? patience_at_first : body.bird ? patience_for_birds : patience);
  }

  void look(const Bitmap& picture) {
    for (Body& body : bodies) look_near(body, picture);
    for (Body& a : bodies)  // one place, one body
      if (a.now)
        for (Body& b : bodies)
          if (&a != &b && b.now && length(a.now->at - b.now->at) < 0.5 * std::min(a.thickness, b.thickness)) (a.difference > b.difference ? a : b).now.reset();
    for (const auto& [radius, stride] : {std::pair{near_by, 1}, std::pair{all_around, 2}})
      for (Body& body : bodies) look_around(body, picture, static_cast<int>(radius * scale), stride);
    for (Body& body : bodies) remember(body);
    before = picture;
    ++looks;
  }
};

FilmCamera film_camera(const Scene& before) {
  FilmCamera camera;
  camera.view = whole_view(before, {}, camera.width, camera.height);
  return camera;
}

FilmReader::FilmReader(const Scene& before, const Shot& shot, const FilmCamera& camera, int steps_a_look) : impl_(new Impl) {
  Impl& impl = *impl_;
  impl.camera = camera;
  impl.steps_a_look = steps_a_look;
  impl.step_s = before.profile->step;
  impl.scale = camera.width / camera.view.width;
  const double look = steps_a_look * impl.step_s, fall = impl.scale * look * look;  // of 1 m/s^2
  for (std::size_t i = 0; i < before.objects.size(); ++i) {
    const SceneObject& object = before.objects[i];
    impl.add(object_artwork(object.kind, object.type, object.material, *object.shape, i), *object.shape, object.pose);
    Impl::Body& body = impl.bodies.back();
    body.fall = fall * before.profile->gravity;
    body.found = true;
    body.gone = !object.alive || object.is_static();
  }
  if (before.birds_left() == 0) return;
  const BirdType& bird = before.bird();
  const Trajectory path = flight(before, bird, shot);
  impl.add(bird_artwork(bird), *bird.shape, {path.start - bird.centre, 0});
  Impl::Body& body = impl.bodies.back();
  body.bird = true;
  body.fall = fall * path.gravity;
  // One look before the release, on the same parabola.
  body.speed = (impl.scale * look) * Vec2{path.velocity.x, -path.velocity.y} - Vec2{0, 1.5 * body.fall};
  body.place.at = body.place.at - body.speed - Vec2{0, body.fall};
}

FilmReader::~FilmReader() = default;

void FilmReader::look(const Bitmap& picture) {
  const FilmCamera& camera = impl_->camera;
  if (picture.width != camera.width || picture.height != camera.height)
    throw Error("film: picture: found " + std::to_string(picture.width) + "x" + std::to_string(picture.height) + " pixels, needed are the camera's " + std::to_string(camera.width) + "x" +
                std::to_string(camera.height));
  impl_->look(picture);
}

Trace FilmReader::trace() const {
  const Impl& impl = *impl_;
  Trace trace{.step_s = impl.step_s, .record_every = impl.steps_a_look};
  for (std::size_t k = 0; k < impl.looks; ++k) {
    Frame frame{.step = static_cast<int>(k) * impl.steps_a_look, .bodies = {}};
    for (std::size_t i = 0; i < impl.bodies.size(); ++i) {
      const Impl::Body& body = impl.bodies[i];
      if (!body.seen[k]) continue;
      const double angle = body.seen[k]->angle;
      frame.bodies.push_back({static_cast<BodyId>(i), {impl.to_world(body.seen[k]->at) - transformed(body.centre, {{}, angle}), angle}, 1});
    }
    trace.frames.push_back(std::move(frame));
  }
  return trace;
}

Trace read_film(const Scene& before, const Shot& shot, const Trace& happened) {
  if (happened.record_every <= 0 || happened.frames.empty()) throw Error("film: the trace is not recorded");
  Trace silent;  // no events: they would be painted
  silent.step_s = happened.step_s;
  const FilmCamera camera = film_camera(before);
  FramePainter painter(before, silent, Style::people);
  FilmReader reader(before, shot, camera, happened.record_every);
  Bitmap picture(camera.width, camera.height);
  for (const Frame& frame : happened.frames) {
    painter.paint(frame, camera.view, picture);
    reader.look(picture);
  }
  return reader.trace();
}

}  // namespace startle
