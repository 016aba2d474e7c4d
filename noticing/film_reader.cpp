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
#include "sim/random.hpp"

namespace startle {
namespace {

constexpr int texels_a_pixel = 4;  // of an appearance, each way
constexpr double border = 1;       // pixels from the rim that are left out: other things show through there

// Grey levels of a channel. What differs by much more is something else, before or behind [Geman and McClure 1987]; a pixel is alike that differs by less in all three.
constexpr double odd = 20, alike = 16;
// Root mean square of what differs, odd pixels counting as `odd`. By less it is surely the body; by less, the body, if it is nowhere else; by more, not worth a further look.
constexpr double surely_like = 4.4, surely_like_birds = 8, like = 13, unlike = 18;
constexpr int unexplained_by = 24;      // grey levels of a channel: a pixel that is none of what was found

constexpr double beside = 0.17, near_by = 0.3;  // world units: how far off a body is looked for downhill; and first of all, where something is left
constexpr double flying = 1;            // m/s: what moved faster is taken to fall
constexpr int patience = 3, patience_for_birds = 8, patience_at_first = 25;  // pictures in which a body is looked for in vain before it is given up

constexpr int most_steps = 12;          // of Gauss and Newton
constexpr int hopeful = 4;              // steps after which what is unlike is given up
constexpr std::size_t most_fits = 8;    // of one search
constexpr int samples_a_body = 60, fewest_samples = 6;  // of a glance
constexpr int fewest_turns = 16, most_turns = 128;      // of a search, all about: so many that the farthest texel goes on by `turn_by` pixels
constexpr double turn_by = 5;

constexpr double surprising = 3;        // pixels from where it should be: may be another one of its kind
constexpr double unmoved = 0.05;        // pixels
constexpr double a_pixel_off = 0.3, worth = 0.01;  // grey levels of difference: that weigh as much, of two of a kind; that taking one for the other must gain

/// What one body looks like: RGB 0 to 255, `texels_a_pixel` texels a pixel, each the mean over a pixel about it; y down, as in pictures.
struct Appearance {
  int width = 0, height = 0;
  Vec2 centre;                          // of mass, in texels
  double reach = 0;                     // pixels from the centre of mass to the farthest texel inside
  int area = 0;                         // pixels inside
  std::vector<float> rgb;
  std::vector<std::uint8_t> inside;     // texels with nothing but the body within a pixel and the border
  struct Sample {
    Vec2 at;                            // pixels off the centre of mass, in the body's frame, y down
    std::array<float, 3> rgb{};
  };
  std::vector<Sample> samples;          // for glances: pixels spread all over it, any first few of them as well
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
  const int apart = texels_a_pixel * std::max(1, static_cast<int>(std::sqrt(static_cast<double>(a.area) / samples_a_body)));
  for (int y = apart / 2; y < a.height; y += apart)
    for (int x = apart / 2; x < a.width; x += apart) {
      const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width) + static_cast<std::size_t>(x);
      if (a.inside[i]) a.samples.push_back({(1.0 / texels_a_pixel) * Vec2{x - a.centre.x, y - a.centre.y}, {a.rgb[3 * i], a.rgb[3 * i + 1], a.rgb[3 * i + 2]}});
    }
  Random(1).shuffle(a.samples);
  return a;
}

/// A place in the picture: of the centre of mass in pixels, y down; the angle as in the world.
struct PicturePose {
  Vec2 at;
  double angle = 0;
};

struct Match {
  PicturePose place;
  double difference = std::numeric_limits<double>::infinity();
  int pixels = 0, alike = 0;
};

/// Sums of one comparison.
struct Comparison {
  double cost = 0;
  int pixels = 0, alike = 0;
  std::array<double, 6> normal{};  // upper triangle of J^T J
  std::array<double, 3> slope{};   // J^T r
  double difference() const { return pixels ? std::sqrt(cost / (3 * pixels)) : std::numeric_limits<double>::infinity(); }
};

/// Calls use(picture's bytes of a pixel, its upper left texel, how far to the right and down of that one, and from the centre of mass in pixels of the body's frame)
/// for every pixel in which nothing but the body is seen, were it there.
template <typename Use>
void for_each_pixel(const Appearance& a, const Bitmap& picture, const PicturePose& pose, Use use) {
  const Vec2 turn = direction(pose.angle);
  const int x0 = std::max(0, static_cast<int>(std::floor(pose.at.x - a.reach))), x1 = std::min(picture.width - 1, static_cast<int>(std::ceil(pose.at.x + a.reach)));
  const int y0 = std::max(0, static_cast<int>(std::floor(pose.at.y - a.reach))), y1 = std::min(picture.height - 1, static_cast<int>(std::ceil(pose.at.y + a.reach)));
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const Vec2 d{x + 0.5 - pose.at.x, y + 0.5 - pose.at.y};
      const Vec2 b{turn.x * d.x - turn.y * d.y, turn.y * d.x + turn.x * d.y};
      const double u = a.centre.x + texels_a_pixel * b.x, v = a.centre.y + texels_a_pixel * b.y;
      if (u < 0 || v < 0 || u >= a.width - 1 || v >= a.height - 1) continue;
      const int i = static_cast<int>(u), j = static_cast<int>(v);
      const std::size_t texel = static_cast<std::size_t>(j) * static_cast<std::size_t>(a.width) + static_cast<std::size_t>(i);
      if (!a.inside[texel]) continue;
      const std::uint8_t* seen = picture.rgb.data() + (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x)) * 3;
      use(seen, a.rgb.data() + 3 * texel, static_cast<float>(u - i), static_cast<float>(v - j), b);
    }
}

/// `wary`: odd pixels count little; else all alike.
template <bool wary>
Comparison compare(const Appearance& a, const Bitmap& picture, const PicturePose& pose) {
  Comparison sum;
  const Vec2 turn = direction(pose.angle);
  for_each_pixel(a, picture, pose, [&](const std::uint8_t* seen, const float* t00, float p, float q, Vec2 b) {
    const float* t01 = t00 + 3 * static_cast<std::size_t>(a.width);
    double most = 0;
    for (int c = 0; c < 3; ++c) {
      const float top = t00[c] + p * (t00[c + 3] - t00[c]), low = t01[c] + p * (t01[c + 3] - t01[c]);
      const float gu = texels_a_pixel * ((1 - q) * (t00[c + 3] - t00[c]) + q * (t01[c + 3] - t01[c])), gv = texels_a_pixel * (low - top);
      const double r = seen[c] - (top + q * (low - top));
      // d b/d at = -turned, d b/d angle = (-b.y, b.x)
      const std::array<double, 3> slope{-(gu * turn.x + gv * turn.y), -(-gu * turn.y + gv * turn.x), -gu * b.y + gv * b.x};
      const double share = wary ? 1 / (1 + r * r / (odd * odd)) : 1, weight = share * share;
      most = std::max(most, std::fabs(r));
      sum.cost += share * r * r;
      std::size_t k = 0;
      for (std::size_t m = 0; m < 3; ++m) {
        sum.slope[m] += weight * slope[m] * r;
        for (std::size_t n = m; n < 3; ++n) sum.normal[k++] += weight * slope[m] * slope[n];
      }
    }
    ++sum.pixels;
    sum.alike += most < alike;
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

template <bool wary>
Match downhill(const Appearance& a, const Bitmap& picture, PicturePose place) {
  Comparison now = compare<wary>(a, picture, place);
  double damping = 1e-3;
  for (int i = 0; i < most_steps && now.pixels > 0 && (i < hopeful || now.difference() < unlike); ++i) {
    const PicturePose next = stepped(place, now, damping);
    const Comparison then = compare<wary>(a, picture, next);
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
  return {place, now.difference(), now.pixels, now.alike};
}

/// The place near by in which it is most like the picture, whatever may hide some of it.
Match fitted(const Appearance& a, const Bitmap& picture, PicturePose place) {
  const Match plain = downhill<false>(a, picture, place);
  if (plain.difference < surely_like) return plain;
  const Match hidden = downhill<true>(a, picture, place);
  if (hidden.difference < surely_like) return hidden;
  const Match on = downhill<true>(a, picture, plain.place);
  return hidden.difference < on.difference ? hidden : on;
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
    std::size_t kind = 0;                           // those of one kind look much the same
    std::size_t parent = 0;                         // children of a bird: whose
    double turned = 0;                              // and into which direction off its, rad
    std::size_t born = 0;                           // look from which on it may be there
    std::optional<PicturePose> now;                 // in the picture that is looked at
    double difference = 0;
    Match perhaps;                                  // where it is if nothing else is there
    std::vector<std::optional<PicturePose>> seen;
  };

  FilmCamera camera;
  int steps_a_look = 2;
  double step_s = 0.02;
  double scale = 1;                                 // pixels a world unit
  std::vector<Body> bodies;
  Bitmap before;                                    // the picture before
  std::optional<FramePainter> painter;
  std::vector<BodyState> standing;                  // what never moves
  Bitmap explained;                                 // what was found, painted
  std::vector<std::uint8_t> left;                   // 1 a pixel that is none of what was found
  std::vector<int> left_sums;
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
    if (x0 >= x1 || y0 >= y1) return false;
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

  bool good(const Body& body, const Match& m) const { return m.difference < like && m.pixels * 2 >= body.look.area && m.alike * 2 > m.pixels && whole(body, m.place); }
  double sure(const Body& body) const { return body.bird ? surely_like_birds : surely_like; }

  /// What in the picture is none of what was found: 1 a pixel.
  void see_what_is_left(const Bitmap& picture) {
    Frame frame{.step = static_cast<int>(looks) * steps_a_look, .bodies = standing};
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (const Body& body = bodies[i]; body.now) frame.bodies.push_back({static_cast<BodyId>(i), {to_world(body.now->at) - transformed(body.centre, {{}, body.now->angle}), body.now->angle}, 1});
    painter->paint(frame, camera.view, explained);
    for (std::size_t i = 0; i < left.size(); ++i) {
      int most = 0;
      for (std::size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(picture.rgb[3 * i + c] - explained.rgb[3 * i + c]));
      left[i] = most > unexplained_by;
    }
    // Sums from the upper left corner, for left_about().
    for (int y = 0; y < camera.height; ++y) {
      int row = 0;
      for (int x = 0; x < camera.width; ++x) {
        const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(camera.width) + static_cast<std::size_t>(x);
        row += left[i];
        left_sums[i] = row + (y > 0 ? left_sums[i - static_cast<std::size_t>(camera.width)] : 0);
      }
    }
  }

  /// How many pixels were left, when it was last looked, in the square about a place.
  int left_about(int x, int y, int half) const {
    const auto sum = [&](int to_x, int to_y) { return to_x < 0 || to_y < 0 ? 0 : left_sums[static_cast<std::size_t>(to_y) * static_cast<std::size_t>(camera.width) + static_cast<std::size_t>(to_x)]; };
    const int x0 = std::max(0, x - half) - 1, x1 = std::min(camera.width - 1, x + half), y0 = std::max(0, y - half) - 1, y1 = std::min(camera.height - 1, y + half);
    return sum(x1, y1) - sum(x0, y1) - sum(x1, y0) + sum(x0, y0);
  }

  /// Whether most of what would be it is left.
  bool unclaimed(const Body& body, const Bitmap& picture, const Match& match) const {
    int pixels = 0, free = 0;
    for_each_pixel(body.look, picture, match.place, [&](const std::uint8_t* seen, const float*, float, float, Vec2) {
      ++pixels;
      free += left[static_cast<std::size_t>(seen - picture.rgb.data()) / 3];
    });
    return 2 * free > pixels;
  }

  /// How unlike it is, judged by samples; what is not left counts as odd. Given up where it is nothing like it: infinite then.
  double glance(const Appearance& a, const Bitmap& picture, const PicturePose& pose) const {
    const Vec2 turn = direction(pose.angle);
    double cost = 0;
    int seen = 0;
    for (const Appearance::Sample& sample : a.samples) {
      const double x = std::floor(pose.at.x + turn.x * sample.at.x + turn.y * sample.at.y), y = std::floor(pose.at.y - turn.y * sample.at.x + turn.x * sample.at.y);
      if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) continue;
      const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x);
      for (std::size_t c = 0; c < 3; ++c) {
        const double r = static_cast<double>(picture.rgb[3 * i + c]) - static_cast<double>(sample.rgb[c]);
        cost += left[i] ? r * r / (1 + r * r / (odd * odd)) : odd * odd;
      }
      if (++seen >= fewest_samples && cost > 3 * unlike * unlike * seen) return std::numeric_limits<double>::infinity();
    }
    return seen >= fewest_samples ? std::sqrt(cost / (3 * seen)) : std::numeric_limits<double>::infinity();
  }

  /// The most like it of all places within `radius` that are not explained otherwise, by glances first.
  Match search(const Body& body, const Bitmap& picture, const PicturePose& about, int radius, int stride) const {
    std::vector<Match> best;
    const int turns = std::clamp(static_cast<int>(2 * std::numbers::pi * body.look.reach / turn_by), fewest_turns, most_turns);
    const int x0 = std::max(0, static_cast<int>(about.at.x) - radius), x1 = std::min(picture.width - 1, static_cast<int>(about.at.x) + radius);
    const int y0 = std::max(0, static_cast<int>(about.at.y) - radius), y1 = std::min(picture.height - 1, static_cast<int>(about.at.y) + radius);
    for (int y = y0; y <= y1; y += stride)
      for (int x = x0; x <= x1; x += stride) {
        if (!left[static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x)]) continue;
        if (2 * left_about(x, y, static_cast<int>(body.look.reach)) < body.look.area) continue;
        for (int n = 0; n < turns; ++n) {
          const PicturePose place{{x + 0.5, y + 0.5}, about.angle + 2 * std::numbers::pi / turns * (n - turns / 2)};
          if (const double difference = glance(body.look, picture, place); difference < unlike) best.push_back({.place = place, .difference = difference});
        }
      }
    const std::size_t keep = std::min(most_fits, best.size());
    std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(keep), best.end(), [](const Match& a, const Match& b) { return a.difference < b.difference; });
    Match found;
    for (std::size_t i = 0; i < keep; ++i) {
      const Match m = fitted(body.look, picture, best[i].place);
      if (good(body, m) && m.difference < found.difference && unclaimed(body, picture, m)) found = m;
      if (found.difference < sure(body)) break;
    }
    return found;
  }

  /// The most like it of all that is left, about where it should be if anything is there.
  Match search(const Body& body, const Bitmap& picture) const {
    Match found = unclaimed(body, picture, body.perhaps) ? body.perhaps : Match{};
    if (found.difference < sure(body)) return found;
    for (const auto& [radius, stride] : {std::pair{static_cast<int>(near_by * scale), 1}, std::pair{camera.width, 2}}) {
      const Match there = search(body, picture, gone_on(body), radius, stride);
      if (there.difference < found.difference) found = there;
      if (found.difference < sure(body)) break;
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
    body.perhaps = {};
    if (body.gone) return;
    if (body.found && body.unseen == 0 && !body.seen.empty() && unchanged(body, picture)) {
      body.now = body.place;
      return;
    }
    for (const PicturePose& start : {gone_on(body), body.place}) {
      const Match m = fitted(body.look, picture, start);
      if (good(body, m) && m.difference < body.perhaps.difference && length(m.place.at - start.at) < beside * scale) body.perhaps = m;
      if (body.perhaps.difference < sure(body)) {
        found_at(body, body.perhaps);
        return;
      }
    }
  }

  /// The less, the more likely that this is it and none of its kind.
  double oddity(const Body& body, const Match& match) const { return match.difference + a_pixel_off * length(match.place.at - gone_on(body).at); }

  /// Of two that were found in one place, the odder one was not.
  void one_body_a_place() {
    for (Body& a : bodies)
      for (Body& b : bodies)
        if (&a != &b && a.now && b.now && length(a.now->at - b.now->at) < 0.5 * std::min(a.thickness, b.thickness))
          (oddity(a, {*a.now, a.difference}) > oddity(b, {*b.now, b.difference}) ? a : b).now.reset();
  }

  /// How like a body is to what is seen where another one was found.
  Match instead(const Body& body, const Bitmap& picture, const PicturePose& there) const {
    const Match m = fitted(body.look, picture, there);
    return good(body, m) && length(m.place.at - there.at) < 0.5 * body.thickness ? m : Match{};
  }

  /// Where two of a kind could each be the other, or one that is missing could be one that was found, the likelier of both.
  void tell_apart(const Bitmap& picture) {
    bool again = true;
    for (std::size_t round = 0; again && round < bodies.size(); ++round) {
      again = false;
      for (Body& a : bodies) {
        if (!a.now || length(a.now->at - gone_on(a).at) < surprising) continue;
        for (Body& b : bodies) {
          if (&a == &b || a.kind != b.kind || b.gone || !a.now) continue;
          if (b.now && length(b.now->at - b.place.at) < unmoved && length(b.now->at - gone_on(b).at) < unmoved) continue;
          const Match as_is = fitted(a.look, picture, *a.now), b_there = instead(b, picture, *a.now);
          if (!b.now) {
            if (oddity(b, b_there) >= oddity(a, as_is) - worth) continue;
            found_at(b, b_there);
            a.now.reset();
          } else {
            const Match b_as_is = fitted(b.look, picture, *b.now), a_there = instead(a, picture, *b.now);
            if (oddity(b, b_there) + oddity(a, a_there) >= oddity(a, as_is) + oddity(b, b_as_is) - worth) continue;
            found_at(b, b_there);
            found_at(a, a_there);
          }
          again = true;
        }
      }
    }
  }

  /// Turned as little as that can be.
  void found_at(Body& body, const Match& match) {
    body.now = match.place;
    body.difference = match.difference;
    const double whole_turns = std::round((gone_on(body).angle - match.place.angle) / (2 * std::numbers::pi));
    body.now->angle += 2 * std::numbers::pi * whole_turns;
  }

  /// Looks for those that were not found wherever something is left that none of the others is, the most like itself first.
  void look_around(const Bitmap& picture) {
    std::vector<Body*> missing;
    for (Body& body : bodies)
      if (!body.gone && !body.now && whole(body, gone_on(body))) missing.push_back(&body);
    if (missing.empty()) return;
    see_what_is_left(picture);
    for (Body* body : missing) body->perhaps = search(*body, picture);
    while (!missing.empty()) {
      Body* best = nullptr;
      for (Body* body : missing) {
        if (body->perhaps.difference < like && !unclaimed(*body, picture, body->perhaps)) body->perhaps = search(*body, picture);
        if (body->perhaps.difference < like && (!best || body->perhaps.difference < best->perhaps.difference)) best = body;
      }
      if (!best) return;
      found_at(*best, best->perhaps);
      for_each_pixel(best->look, picture, best->perhaps.place, [&](const std::uint8_t* seen, const float*, float, float, Vec2) {
        left[static_cast<std::size_t>(seen - picture.rgb.data()) / 3] = 0;
      });
      std::erase(missing, best);
    }
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

  /// It leaves the bird as the tap turns it.
  void come_out(Body& child) {
    const Body& bird = bodies[child.parent];
    const Vec2 turn = direction(child.turned);
    child.gone = false;
    child.place = child.last = bird.place;
    child.turning = bird.turning;
    child.speed = {turn.x * bird.speed.x + turn.y * bird.speed.y, turn.x * bird.speed.y - turn.y * bird.speed.x};  // y is down
  }

  void look(const Bitmap& picture) {
    for (Body& body : bodies)
      if (body.born > 0 && body.born == looks && !bodies[body.parent].gone) come_out(body);
    for (Body& body : bodies) look_near(body, picture);
    one_body_a_place();
    look_around(picture);
    tell_apart(picture);
    one_body_a_place();
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
  Trace silent;
  silent.step_s = impl.step_s;
  impl.painter.emplace(before, silent, Style::people);
  impl.explained = Bitmap(camera.width, camera.height);
  impl.left.resize(static_cast<std::size_t>(camera.width) * static_cast<std::size_t>(camera.height));
  impl.left_sums.resize(impl.left.size());
  const double look = steps_a_look * impl.step_s, fall = impl.scale * look * look;  // of 1 m/s^2
  for (std::size_t i = 0; i < before.objects.size(); ++i) {
    const SceneObject& object = before.objects[i];
    impl.add(object_artwork(object.kind, object.type, object.material, *object.shape, i), *object.shape, object.pose);
    Impl::Body& body = impl.bodies.back();
    body.fall = fall * before.profile->gravity;
    body.found = true;
    body.gone = !object.alive || object.is_static();
    for (std::size_t j = 0; j <= i && body.kind == 0; ++j)
      if (const SceneObject& other = before.objects[j]; other.kind == object.kind && other.type == object.type && other.material == object.material) body.kind = j + 1;
    if (object.alive && object.is_static()) impl.standing.push_back({static_cast<BodyId>(i), object.pose, 1});
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
  body.kind = before.objects.size() + 1;
  if (shot.tap_time < 0 || bird.power.kind != PowerKind::split) return;
  const std::size_t parent = impl.bodies.size() - 1;
  const int tap_step = static_cast<int>(std::ceil(std::min(shot.tap_time, latest_tap_s) / impl.step_s - 1e-9));  // as the world counts
  for (const double angle : bird.power.angles) {
    impl.bodies.push_back(impl.bodies[parent]);
    Impl::Body& child = impl.bodies.back();
    child.gone = true;
    child.parent = parent;
    child.turned = angle;
    child.born = static_cast<std::size_t>(tap_step / steps_a_look) + 1;
  }
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
