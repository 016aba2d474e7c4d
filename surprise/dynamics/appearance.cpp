#include "surprise/dynamics/appearance.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace startle {
namespace {

constexpr double rim_left_out = 1;  // pixels: other things show through there
constexpr double alike = 16;    // grey levels: a pixel is alike that differs by less in all three channels
constexpr int most_steps = 12;  // of Gauss and Newton
constexpr int hopeful = 4;      // steps after which what is hardly like is given up
constexpr int samples_a_body = 60;  // of a glance

/// Sums of one comparison.
struct Comparison {
  double cost = 0;
  int pixels = 0, alike = 0;
  std::array<double, 6> normal{};  // upper triangle of J^T J
  std::array<double, 3> slope{};   // J^T r
  double difference() const {
    return pixels ? std::sqrt(cost / (3 * pixels)) : std::numeric_limits<double>::infinity();
  }
};

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
      const float gu = texels_a_pixel * ((1 - q) * (t00[c + 3] - t00[c]) + q * (t01[c + 3] - t01[c])),
                  gv = texels_a_pixel * (low - top);
      const double r = seen[c] - (top + q * (low - top));
      // d b/d at = -turned, d b/d angle = (-b.y, b.x)
      const std::array<double, 3> slope{-(gu * turn.x + gv * turn.y), -(-gu * turn.y + gv * turn.x),
                                        -gu * b.y + gv * b.x};
      const double share = wary ? 1 / (1 + r * r / (odd_pixel * odd_pixel)) : 1, weight = share * share;
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
  std::array<std::array<double, 4>, 3> m{{{c.normal[0], c.normal[1], c.normal[2], c.slope[0]},
                                          {c.normal[1], c.normal[3], c.normal[4], c.slope[1]},
                                          {c.normal[2], c.normal[4], c.normal[5], c.slope[2]}}};
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
  for (int i = 0; i < most_steps && now.pixels > 0 && (i < hopeful || now.difference() < hardly_like); ++i) {
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

}  // namespace

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
  const auto at = [&](int x, int y) {
    return sprite.rgba.data() +
           (static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width) + static_cast<std::size_t>(x)) *
               4;
  };
  a.rgb.resize(static_cast<std::size_t>(a.width) * static_cast<std::size_t>(a.height) * 3);
  a.inside.resize(static_cast<std::size_t>(a.width) * static_cast<std::size_t>(a.height));
  const int half = static_cast<int>(std::lround(texels_a_pixel * (0.5 + rim_left_out)));
  for (int y = room / 2; y < a.height - room / 2; ++y)
    for (int x = room / 2; x < a.width - room / 2; ++x) {
      const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width) +
                            static_cast<std::size_t>(x);
      // Sum over texel corners: `texels_a_pixel` texels about the texel's upper left corner, so that texel
      // coordinates name corners.
      std::array<int, 3> sum{};
      for (int dy = -texels_a_pixel / 2; dy < texels_a_pixel / 2; ++dy)
        for (int dx = -texels_a_pixel / 2; dx < texels_a_pixel / 2; ++dx)
          for (std::size_t c = 0; c < 3; ++c) sum[c] += at(x + dx, y + dy)[c];
      for (std::size_t c = 0; c < 3; ++c)
        a.rgb[3 * i + c] = static_cast<float>(sum[c]) / (texels_a_pixel * texels_a_pixel);
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
  const int apart = texels_a_pixel *
                    std::max(1, static_cast<int>(std::sqrt(static_cast<double>(a.area) / samples_a_body)));
  for (int y = apart / 2; y < a.height; y += apart)
    for (int x = apart / 2; x < a.width; x += apart) {
      const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width) +
                            static_cast<std::size_t>(x);
      if (a.inside[i])
        a.samples.push_back({(1.0 / texels_a_pixel) * Vec2{x - a.centre.x, y - a.centre.y},
                             {a.rgb[3 * i], a.rgb[3 * i + 1], a.rgb[3 * i + 2]}});
    }
  Random(1).shuffle(a.samples);
  return a;
}

Match fitted(const Appearance& a, const Bitmap& picture, PicturePose place) {
  const Match plain = downhill<false>(a, picture, place);
  if (plain.difference < surely_like) return plain;
  const Match hidden = downhill<true>(a, picture, place);
  if (hidden.difference < surely_like) return hidden;
  const Match on = downhill<true>(a, picture, plain.place);
  return hidden.difference < on.difference ? hidden : on;
}

}  // namespace startle
