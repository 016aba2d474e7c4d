#include "render/artwork.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "render/texture.hpp"

namespace startle {
namespace {

constexpr Colour white = colour(0xFFFFFF), black = colour(0x16181C);

Colour faded(Colour c, double alpha) {
  c.a = static_cast<std::uint8_t>(c.a * std::clamp(alpha, 0.0, 1.0) + 0.5);
  return c;
}

Colour mixed(Colour from, Colour to, double share) {
  const auto mix = [&](int a, int b) { return static_cast<std::uint8_t>(a + share * (b - a) + 0.5); };
  return {mix(from.r, to.r), mix(from.g, to.g), mix(from.b, to.b), mix(from.a, to.a)};
}

Polygon ellipse(Vec2 centre, double rx, double ry, double turn = 0) {
  constexpr int vertices = 48;
  const Vec2 axis = direction(turn);
  Polygon ring;
  for (int i = 0; i < vertices; ++i) {
    const Vec2 d = direction(radians(i * 360.0 / vertices));
    ring.push_back(centre +
                   Vec2{rx * d.x * axis.x - ry * d.y * axis.y, rx * d.x * axis.y + ry * d.y * axis.x});
  }
  return ring;
}
Polygon circle(Vec2 centre, double radius) { return ellipse(centre, radius, radius); }

/// Bezier curve of second order, its start left out.
void curve_to(Polygon& line, Vec2 bend, Vec2 end) {
  const Vec2 start = line.back();
  constexpr int pieces = 16;
  for (int i = 1; i <= pieces; ++i) {
    const double t = static_cast<double>(i) / pieces;
    line.push_back((1 - t) * (1 - t) * start + 2 * t * (1 - t) * bend + t * t * end);
  }
}
Polygon curve(Vec2 start, Vec2 bend, Vec2 end) {
  Polygon line{start};
  curve_to(line, bend, end);
  return line;
}

Mark fill(std::vector<Polygon> rings, const Paint& paint) { return {std::move(rings), paint}; }
Mark line(Polygon points, double width, const Paint& paint) { return {{std::move(points)}, paint, width}; }
Mark border(std::vector<Polygon> rings, double width, const Paint& paint) {
  return {std::move(rings), paint, width, true};
}

/// The border of a convex polygon moved inward by `depth`.
Polygon inset(const Polygon& polygon, double depth) {
  Polygon moved;
  const std::size_t n = polygon.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto inward = [](Vec2 from, Vec2 to) {  // unit normal to the left
      const Vec2 along = to - from;
      const double norm = length(along);
      return norm > 0 ? Vec2{-along.y / norm, along.x / norm} : Vec2{};
    };
    const Vec2 a = inward(polygon[(i + n - 1) % n], polygon[i]), b = inward(polygon[i], polygon[(i + 1) % n]);
    moved.push_back(polygon[i] + (depth / std::max(0.4, 1 + dot(a, b))) * (a + b));
  }
  return moved;
}

bool has_hole(const Shape& shape) { return shape.outlines.size() > 1; }

/// A light edge on the upper left and a dark one on the lower right, inside the border.
void bevel(Artwork& artwork, const Shape& shape, Colour light, Colour dark) {
  if (has_hole(shape)) return;
  Polygon smooth;  // without the tiny edges of measured outlines, whose direction means nothing
  const std::vector<Polygon> rings = rings_of(shape);
  for (const Vec2 p : rings[0])
    if (smooth.empty() || (length(p - smooth.back()) > 0.03 && length(p - smooth.front()) > 0.03))
      smooth.push_back(p);
  const Polygon ring = inset(smooth, 0.03);
  const std::size_t n = ring.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 a = ring[i], b = ring[(i + 1) % n], along = b - a;
    const double norm = length(along);
    if (norm < 1e-6) continue;
    const double lit = dot(Vec2{along.y, -along.x}, {-0.5, 0.87}) / norm;  // outward normal against the
                                                                           // direction of the light
    artwork.push_back(line({a, b}, 0.028, lit > 0 ? faded(light, 0.85 * lit) : faded(dark, -0.75 * lit)));
  }
}

void wood_grain(Artwork& artwork, const Look& wood, const Shape& shape, bool round, Random& random) {
  if (round) {
    for (double share : {0.74, 0.5, 0.27}) {
      Polygon ring = rings_of(shape)[0];
      for (Vec2& p : ring) p = shape.centroid + share * random.uniform(0.98, 1.02) * (p - shape.centroid);
      artwork.push_back(border({ring}, 0.018, faded(wood.dark, 0.9)));
    }
    artwork.push_back(line({shape.centroid, shape.centroid + Vec2{0.2, 0.12}}, 0.014, faded(wood.edge, 0.5)));
    artwork.push_back(fill({circle(shape.centroid, 0.028)}, wood.dark));
    return;
  }
  draw_grain({.spacing = 0.062, .low = 0.25, .high = 0.75, .inset = 0.04, .ragged = 0.3}, shape, random,
             [&](Vec2 from, Vec2 to) {
               const double alpha = random.uniform(0.6, 1), width = random.uniform(0.01, 0.02);
               artwork.push_back(line({from, to}, width, faded(wood.dark, alpha)));
             });
  // A knot where there is room.
  const Bounds box = bounds(shape);
  const bool lying = box.width() >= box.height();
  const double across = lying ? box.height() : box.width();
  const Vec2 knot{random.uniform(box.xmin, box.xmax), random.uniform(box.ymin, box.ymax)};
  if (across > 0.25 && contains(shape, knot - Vec2{0.09, 0}) && contains(shape, knot + Vec2{0.09, 0}) &&
      contains(shape, knot - Vec2{0, 0.09}) && contains(shape, knot + Vec2{0, 0.09})) {
    artwork.push_back(fill({ellipse(knot, lying ? 0.05 : 0.03, lying ? 0.03 : 0.05)}, wood.dark));
    artwork.push_back(
        border({ellipse(knot, lying ? 0.075 : 0.045, lying ? 0.045 : 0.075)}, 0.012, faded(wood.dark, 0.8)));
  }
}

void ice_shine(Artwork& artwork, const Look& ice, const Shape& shape) {
  draw_shine(0.46, 0.06, shape, [&](Vec2 from, Vec2 to, bool fine) {
    artwork.push_back(line({from, to}, fine ? 0.02 : 0.06, faded(ice.light, fine ? 0.8 : 0.75)));
  });
}

void stone_flecks(Artwork& artwork, const Look& stone, const Shape& shape, Random& random) {
  const Flecks flecks{.density = 90,
                      .fewest = 6,
                      .most = 70,
                      .smallest = 0.008,
                      .largest = 0.03,
                      .room_beside = 2.4,
                      .room_over = 2};
  draw_flecks(flecks, shape, random, [&](Vec2 at, double size, bool dark) {
    const double turn = random.uniform(0, 3);
    artwork.push_back(
        fill({ellipse(at, 1.5 * size, size, turn)}, faded(dark ? stone.dark : stone.light, 0.9)));
    if (dark && size > 0.02)
      artwork.push_back(
          fill({ellipse(at + Vec2{0.006, -0.006}, 1.1 * size, 0.7 * size, turn)}, faded(stone.edge, 0.25)));
  });
}

void eye(Artwork& artwork, Vec2 at, double radius, Vec2 gaze, Colour rim) {
  artwork.push_back(fill({circle(at, radius)}, white));
  artwork.push_back(border({circle(at, radius)}, 0.14 * radius, rim));
  artwork.push_back(fill({circle(at + gaze, 0.46 * radius)}, black));
  artwork.push_back(fill({circle(at + gaze + Vec2{-0.15 * radius, 0.18 * radius}, 0.15 * radius)}, white));
}

void pig_face(Artwork& artwork, const Look& pig, const Shape& shape) {
  const Bounds box = bounds(shape);
  const double w = box.width(), h = box.height();
  const Vec2 middle{box.centre().x, box.ymin + 0.47 * h};  // ears take the top of the box
  for (double side : {-1.0, 1.0}) {
    const Vec2 at = middle + Vec2{side * 0.27 * w, 0.12 * h};
    eye(artwork, at, 0.115 * w, {-0.03 * w, -0.005 * h}, pig.edge);
    artwork.push_back(line(curve(at + Vec2{-0.1 * w, 0.14 * h}, at + Vec2{0, 0.21 * h},
                                 at + Vec2{0.1 * w, (0.14 - 0.03 * side) * h}),
                           0.032 * w, pig.edge));
  }
  const Vec2 snout = middle + Vec2{-0.01 * w, -0.07 * h};
  artwork.push_back(fill(
      {ellipse(snout, 0.2 * w, 0.145 * h)},
      Paint::radial(snout + Vec2{-0.05 * w, 0.06 * h}, pig.light, 0.3 * w, mixed(pig.light, pig.fill, 0.7))));
  artwork.push_back(border({ellipse(snout, 0.2 * w, 0.145 * h)}, 0.022 * w, pig.dark));
  for (double side : {-1.0, 1.0})
    artwork.push_back(
        fill({ellipse(snout + Vec2{side * 0.075 * w, 0.005 * h}, 0.036 * w, 0.055 * h)}, pig.edge));
  artwork.push_back(line(curve(middle + Vec2{-0.15 * w, -0.245 * h}, middle + Vec2{0, -0.36 * h},
                               middle + Vec2{0.16 * w, -0.225 * h}),
                         0.03 * w, pig.edge));
}

void tnt_face(Artwork& artwork, const Look& tnt, const Shape& shape) {
  const Bounds box = bounds(shape);
  const double w = box.width(), h = box.height();
  const auto at = [&](double x, double y) { return box.centre() + Vec2{x * w, y * h}; };
  for (double x : {-0.25, 0.0, 0.25})
    artwork.push_back(line({at(x, -0.45), at(x, 0.45)}, 0.02 * w, faded(tnt.edge, 0.55)));
  for (double y : {-0.37, 0.37})
    artwork.push_back(line({at(-0.44, y), at(0.44, y)}, 0.06 * h, faded(tnt.dark, 0.8)));
  artwork.push_back(fill({{at(-0.485, -0.21), at(0.485, -0.21), at(0.485, 0.21), at(-0.485, 0.21)}},
                         Paint::linear(at(0, 0.21), colour(0xFFE9C9), at(0, -0.21), tnt.light)));
  for (double y : {-0.21, 0.21})
    artwork.push_back(line({at(-0.48, y), at(0.48, y)}, 0.02 * h, faded(tnt.edge, 0.6)));
  const double thick = 0.07 * w;
  for (double side : {-0.25, 0.25}) {
    artwork.push_back(line({at(side - 0.11, 0.12), at(side + 0.11, 0.12)}, thick, tnt.dark));
    artwork.push_back(line({at(side, 0.12), at(side, -0.13)}, thick, tnt.dark));
  }
  artwork.push_back(
      line({at(-0.085, -0.13), at(-0.085, 0.12), at(0.085, -0.13), at(0.085, 0.12)}, thick, tnt.dark));
}

void platform_hatch(Artwork& artwork, const Look& platform, const Shape& shape) {
  const Bounds box = bounds(shape);
  draw_hatch(0.05, shape, [&](Vec2 from, Vec2 to) {
    artwork.push_back(line({from, to}, 0.05, faded(platform.dark, 0.8)));
  });
  for (double x : {box.xmin + 0.08, box.xmax - 0.08})
    for (double y : {box.ymin + 0.08, box.ymax - 0.08})
      artwork.push_back(fill({circle({x, y}, 0.028)}, platform.light));
}

double waves(double x) {  // between -1 and 1, the same everywhere: float sine
  return 0.6 * direction(x).y + 0.4 * direction(2.3 * x + 1).y;
}

/// A range of hills as one outline, down to the ground.
Polygon hills(const Bounds& view, double ground_y, double height, double wave, double phase) {
  Polygon outline{{view.xmin - 1, ground_y - 1}};
  for (double x = std::floor(view.xmin) - 1; x <= view.xmax + 1; x += 0.125)
    outline.push_back({x, ground_y + height * (0.75 + 0.4 * waves(6.2832 * x / wave + phase))});
  outline.push_back({view.xmax + 1, ground_y - 1});
  std::reverse(outline.begin(), outline.end());
  return outline;
}

}  // namespace

std::vector<Polygon> rings_of(const Shape& shape) {
  if (shape.parts.empty() && shape.discs.size() == 1)
    return {circle(shape.discs[0].centre, shape.discs[0].radius)};
  return shape.outlines;
}

void draw(Raster& raster, const Artwork& artwork, const Affine& map) {
  for (const Mark& mark : artwork) {
    if (mark.width == 0)
      raster.fill(mark.rings, map, mark.paint);
    else
      for (const Polygon& points : mark.rings)
        raster.stroke(points, mark.closed, mark.width, map, mark.paint);
  }
}

Artwork object_artwork(Kind kind, const std::string& type, Material material, const Shape& shape,
                       std::uint64_t number) {
  const Look& look = look_of(kind, material);
  const Bounds box = bounds(shape);
  const std::vector<Polygon> rings = rings_of(shape);
  const bool round = type.starts_with("Circle") || kind == Kind::pig || kind == Kind::egg;
  const Vec2 light = box.centre() + Vec2{-0.2 * box.width(), 0.25 * box.height()};
  const Paint surface =
      round ? Paint::radial(light, mixed(look.fill, look.light, 0.75),
                            0.75 * std::max(box.width(), box.height()), mixed(look.fill, look.dark, 0.75))
            : Paint::linear({box.xmin, box.ymax}, mixed(look.fill, look.light, 0.55),
                            {box.xmin + 0.3 * box.width(), box.ymin}, mixed(look.fill, look.dark, 0.45));
  Artwork artwork{fill(rings, surface)};
  Random random(stream_seed(number, "texture"));
  if (kind == Kind::pig)
    pig_face(artwork, look, shape);
  else if (kind == Kind::tnt)
    tnt_face(artwork, look, shape);
  else if (kind == Kind::platform)
    platform_hatch(artwork, look, shape);
  else if (material == Material::wood)
    wood_grain(artwork, look, shape, round, random);
  else if (material == Material::ice)
    ice_shine(artwork, look, shape);
  else if (material == Material::stone)
    stone_flecks(artwork, look, shape, random);
  if (kind != Kind::pig && kind != Kind::egg) bevel(artwork, shape, look.light, look.edge);
  artwork.push_back(border(rings, 0.032, look.edge));
  return artwork;
}

Artwork cracks(Material material, const Shape& shape, int stage, std::uint64_t number) {
  const Bounds box = bounds(shape);
  const Colour dark = faded(look_of(Kind::block, material).edge, 0.85), lit = colour(0xFFFFFF, 90);
  Artwork artwork;
  // Each crack runs inward from a point of the border, in a zigzag, until it leaves the shape or its length
  // is used up.
  const Polygon ring = rings_of(shape)[0];
  for (int crack = 0; crack < 2 * stage; ++crack) {
    Random random(stream_seed(number, "cracks", static_cast<std::uint64_t>(crack)));
    const std::size_t corner = static_cast<std::size_t>(random.integer(0, static_cast<int>(ring.size()) - 1));
    const double share = random.uniform();
    const Vec2 start = (1 - share) * ring[corner] + share * ring[(corner + 1) % ring.size()];
    const Vec2 goal = box.centre() +
                      Vec2{random.uniform(-0.3, 0.3) * box.width(), random.uniform(-0.3, 0.3) * box.height()};
    const double reach = std::min(length(goal - start), random.uniform(0.2, 0.55));
    if (reach < 0.04) continue;
    const Vec2 way = (1 / length(goal - start)) * (goal - start), side{-way.y, way.x};
    Polygon path{start};
    constexpr int pieces = 5;
    for (int i = 1; i <= pieces; ++i) {
      const double swing = i == pieces ? 0 : random.uniform(-0.16, 0.16) * reach;
      const Vec2 p = start + (reach * i / pieces) * way + swing * side;
      if (!contains(shape, p)) break;
      path.push_back(p);
    }
    if (path.size() < 2) continue;
    Polygon beside = path;
    for (Vec2& p : beside) p = p + Vec2{0.014, -0.014};
    artwork.push_back(line(beside, 0.014, lit));
    artwork.push_back(line(path, 0.024, dark));
  }
  return artwork;
}

Bounds extent(const Artwork& artwork) {
  Bounds box{1e9, -1e9, 1e9, -1e9};
  for (const Mark& mark : artwork)
    for (const Polygon& ring : mark.rings)
      for (const Vec2 p : ring)
        box = {std::min(box.xmin, p.x - 0.5 * mark.width), std::max(box.xmax, p.x + 0.5 * mark.width),
               std::min(box.ymin, p.y - 0.5 * mark.width), std::max(box.ymax, p.y + 0.5 * mark.width)};
  return box;
}

int crack_stage(double share) {
  if (share > 0.85) return 0;
  if (share > 0.55) return 1;
  return share > 0.25 ? 2 : 3;
}

Artwork bird_artwork(const BirdType& bird) {
  const Look& look = bird_look(bird.type);
  const Vec2 c = bird.centre;
  const double r = bird.radius;
  const auto at = [&](double x, double y) { return c + Vec2{x * r, y * r}; };
  Artwork artwork;
  // Tail and crest stand out of the body a little.
  for (double y : {0.18, -0.02, -0.22})
    artwork.push_back(line({at(-0.8, 0.4 * y), at(-1.28, y)}, 0.2 * r, look.edge));
  if (bird.type == "BirdBlack") {
    artwork.push_back(line(curve(at(0, 0.9), at(0, 1.25), at(0.2, 1.3)), 0.16 * r, look.edge));
    artwork.push_back(fill({circle(at(0.24, 1.32), 0.14 * r)}, colour(0xFFB938)));
  } else {
    artwork.push_back(line(curve(at(-0.1, 0.85), at(-0.15, 1.25), at(-0.45, 1.28)), 0.24 * r, look.edge));
    artwork.push_back(line(curve(at(0.02, 0.85), at(0.02, 1.15), at(-0.18, 1.3)), 0.2 * r, look.fill));
  }
  const std::vector<Polygon> body = rings_of(*bird.shape);
  artwork.push_back(
      fill(body, Paint::radial(at(-0.3, 0.4), mixed(look.fill, white, 0.3), 1.5 * r, look.dark)));
  artwork.push_back(fill({ellipse(at(0.12, -0.55), 0.56 * r, 0.36 * r)}, faded(look.light, 0.9)));
  artwork.push_back(border(body, 0.13 * r, look.edge));
  for (double x : {0.1, 0.52}) eye(artwork, at(x, 0.2), 0.25 * r, {0.08 * r, -0.02 * r}, look.edge);
  artwork.push_back(line({at(-0.22, 0.58), at(0.3, 0.4), at(0.82, 0.58)}, 0.15 * r,
                         bird.type == "BirdBlack" ? colour(0xC9463A) : black));
  artwork.push_back(
      fill({{at(0.26, 0.02), at(0.42, 0.1), at(1.08, -0.14), at(0.42, -0.2)}}, colour(0xF6AE2D)));
  artwork.push_back(fill({{at(0.3, -0.16), at(0.9, -0.18), at(0.42, -0.36)}}, colour(0xD98A1B)));
  artwork.push_back(border({{at(0.26, 0.02), at(0.42, 0.1), at(1.08, -0.14), at(0.42, -0.36)}}, 0.06 * r,
                           colour(0x7A4A0C)));
  return artwork;
}

Artwork backdrop(const Bounds& view, double ground_y) {
  const auto band = [&](double low, double high) {
    return std::vector<Polygon>{
        {{view.xmin - 1, low}, {view.xmax + 1, low}, {view.xmax + 1, high}, {view.xmin - 1, high}}};
  };
  Artwork artwork;
  const double top = std::max(ground_y + 12, view.ymax);
  artwork.push_back(fill(band(ground_y - 1, top + 1),
                         Paint::linear({0, top}, colour(0x5FA9E0), {0, ground_y}, colour(0xE4F3FA))));
  const Vec2 sun{12.5, ground_y + 8.6};
  artwork.push_back(
      fill({circle(sun, 3.2)}, Paint::radial(sun, colour(0xFFF6D0, 150), 3.2, colour(0xFFF6D0, 0))));
  artwork.push_back(fill({circle(sun, 0.7)}, Paint::radial(sun, colour(0xFFFDF0), 0.7, colour(0xFFF0B8))));
  // Clouds every 6 units, each of a few discs with a flat base.
  for (double i = std::floor(view.xmin / 6) - 1; 6 * i < view.xmax + 4; ++i) {
    Random random(stream_seed(static_cast<std::uint64_t>(static_cast<std::int64_t>(i)), "cloud"));
    const Vec2 base{6 * i + random.uniform(0, 4), ground_y + random.uniform(4.8, 8.8)};
    const double size = random.uniform(0.45, 0.85);
    for (const auto& [x, y, s] : {std::tuple{-1.5, 0.0, 0.62},
                                  {1.6, 0.0, 0.55},
                                  {-0.55, 0.42, 0.9},
                                  {0.65, 0.3, 0.8},
                                  {0.05, 0.0, 0.8}}) {
      const Vec2 centre = base + size * Vec2{x, y};
      artwork.push_back(fill({ellipse(centre, 1.25 * s * size, s * size)},
                             Paint::linear(base + Vec2{0, 1.2 * size}, colour(0xFFFFFF),
                                           base - Vec2{0, 0.8 * size}, colour(0xD9EBF7))));
    }
  }
  artwork.push_back(
      fill({hills(view, ground_y, 2.3, 13, 0.4)},
           Paint::linear({0, ground_y + 2.8}, colour(0xB9D8DE), {0, ground_y}, colour(0xD8EADF))));
  artwork.push_back(
      fill({hills(view, ground_y, 1.35, 8.5, 2.1)},
           Paint::linear({0, ground_y + 1.7}, colour(0x9CCB9B), {0, ground_y}, colour(0xC6E2B4))));
  artwork.push_back(
      fill({hills(view, ground_y, 0.55, 5, 4.0)},
           Paint::linear({0, ground_y + 0.8}, colour(0x86BC6A), {0, ground_y}, colour(0xA5CF7F))));
  // Trees on the nearest range.
  for (double i = std::floor(view.xmin / 1.7) - 1; 1.7 * i < view.xmax + 1; ++i) {
    Random random(stream_seed(static_cast<std::uint64_t>(static_cast<std::int64_t>(i)), "tree"));
    if (!random.chance(0.45)) continue;
    const double x = 1.7 * i + random.uniform(0, 1.2), h = random.uniform(0.35, 0.7);
    const Vec2 foot{x, ground_y + 0.3};
    artwork.push_back(line({foot, foot + Vec2{0, 0.4 * h}}, 0.07, colour(0x7E6A4C)));
    artwork.push_back(fill({ellipse(foot + Vec2{0, 0.85 * h}, 0.36 * h, 0.6 * h)},
                           Paint::linear(foot + Vec2{-0.2 * h, 1.4 * h}, colour(0x7DB765),
                                         foot + Vec2{0.2 * h, 0.2 * h}, colour(0x558F4C))));
  }
  return artwork;
}

Artwork ground_artwork(const Bounds& view, double ground_y) {
  const double left = view.xmin - 1, right = view.xmax + 1, bottom = std::min(view.ymin, ground_y) - 1;
  const auto band = [&](double low, double high) {
    return std::vector<Polygon>{{{left, low}, {right, low}, {right, high}, {left, high}}};
  };
  const Look& soil = look_of(Kind::ground, Material::none);
  Artwork artwork;
  artwork.push_back(fill(band(bottom, ground_y),
                         Paint::linear({0, ground_y}, soil.fill, {0, ground_y - 2.5}, colour(0x7A5A38))));
  for (double i = std::floor(left / 0.9); 0.9 * i < right; ++i) {
    Random random(stream_seed(static_cast<std::uint64_t>(static_cast<std::int64_t>(i)), "pebbles"));
    for (int k = 0; k < 3; ++k) {
      const Vec2 at{0.9 * i + random.uniform(0, 0.9), ground_y - random.uniform(0.32, 2.4)};
      const double size = random.uniform(0.025, 0.075);
      // Drawn one after the other: the order in which arguments are evaluated is the compiler's.
      const Colour shade = random.chance(0.5) ? soil.light : colour(0x6B4E30);
      const double turn = random.uniform(-0.4, 0.4);
      artwork.push_back(fill({ellipse(at, 1.5 * size, size, turn)}, faded(shade, 0.7)));
    }
  }
  artwork.push_back(fill(band(ground_y - 0.22, ground_y - 0.1), faded(colour(0x4A3319), 0.35)));
  // Turf with a scalloped lower edge.
  Polygon turf{{left, ground_y}};
  for (double x = std::floor(left); x <= right + 0.3; x += 0.025)
    turf.push_back({x, ground_y - 0.14 - 0.035 * waves(11 * x)});
  turf.push_back({right, ground_y});
  artwork.push_back(
      fill({turf}, Paint::linear({0, ground_y}, colour(0x8CC24A), {0, ground_y - 0.2}, colour(0x5C9130))));
  artwork.push_back(line({{left, ground_y}, {right, ground_y}}, 0.035, colour(0x5F8F2C)));
  // Blades of grass, low enough to hide nothing.
  for (double i = std::floor(left / 0.11); 0.11 * i < right; ++i) {
    Random random(stream_seed(static_cast<std::uint64_t>(static_cast<std::int64_t>(i)), "grass"));
    if (!random.chance(0.6)) continue;
    const Vec2 foot{0.11 * i + random.uniform(0, 0.1), ground_y - 0.02};
    const double h = random.uniform(0.04, 0.11), lean = random.uniform(-0.05, 0.05);
    artwork.push_back(line(curve(foot, foot + Vec2{0, 0.6 * h}, foot + Vec2{lean, h}), 0.018,
                           random.chance(0.5) ? colour(0x5F8F2C) : colour(0x7DB03E)));
  }
  return artwork;
}

namespace {

constexpr Vec2 back_tip{0.07, 0.92}, front_tip{-0.33, 0.95};
constexpr Colour bark = colour(0x8A5A2E), bark_edge = colour(0x432810), band_colour = colour(0x3A1C12);

void wooden(Artwork& artwork, const Polygon& points, double width) {
  artwork.push_back(line(points, width + 0.045, bark_edge));
  artwork.push_back(line(points, width, bark));
  Polygon lit = points;
  for (Vec2& p : lit) p = p + Vec2{-0.22 * width, 0};
  artwork.push_back(line(lit, 0.3 * width, colour(0xB98550)));
}

}  // namespace

Vec2 slack_pocket() { return {-0.14, 0.83}; }

Artwork slingshot_behind(Vec2 pocket) {
  Artwork artwork;
  wooden(artwork, {{-0.08, 0.1}, {0.02, 0.42}, back_tip}, 0.11);
  artwork.push_back(line({back_tip, pocket}, 0.065, band_colour));
  return artwork;
}

Artwork slingshot_before(Vec2 pocket) {
  Artwork artwork;
  wooden(artwork, {{-0.08, -1.0}, {-0.08, 0.12}, {-0.26, 0.45}, front_tip}, 0.15);
  artwork.push_back(line({front_tip, pocket}, 0.075, band_colour));
  artwork.push_back(line({front_tip + Vec2{-0.07, -0.03}, front_tip + Vec2{0.07, -0.03}}, 0.07, band_colour));
  return artwork;
}

Artwork blast(double radius, double age) {
  const double size = radius * (0.35 + 0.65 * std::sqrt(age)), left = 1 - age;
  return {fill({circle({}, size)},
               Paint::radial({}, faded(colour(0xFFF7D6), left), size, faded(colour(0xFF9A2E), 0.15 * left))),
          fill({circle({}, 0.55 * size)}, Paint::radial({}, faded(colour(0xFFFFFF), left), 0.55 * size,
                                                        faded(colour(0xFFC34D), 0.2 * left))),
          border({circle({}, size)}, 0.09 * left + 0.01, faded(colour(0xFFE3A3), 0.9 * left))};
}

Artwork dust(double size, Colour c, double age, std::uint64_t number) {
  Artwork artwork;
  Random random(stream_seed(number, "dust"));
  for (int i = 0; i < 9; ++i) {
    const Vec2 way = direction(radians(40.0 * i + random.uniform(-15, 15)));
    const double far = size * random.uniform(0.5, 1.2) * (0.2 + 0.8 * std::sqrt(age));
    artwork.push_back(fill(
        {circle(far * way + Vec2{0, -0.25 * age * age}, size * random.uniform(0.12, 0.3) * (1 - 0.6 * age))},
        faded(c, 0.9 * (1 - age))));
  }
  return artwork;
}

}  // namespace startle
