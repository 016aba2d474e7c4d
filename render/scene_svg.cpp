#include "render/scene_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/random.hpp"
#include "render/palette.hpp"
#include "render/svg.hpp"
#include "render/texture.hpp"

namespace startle {
namespace {

/// Writes SVG elements. World lengths become pixels, y turns downward; the offset of the view is in the outer
/// group.
class Picture {
 public:
  explicit Picture(double scale) : scale_(scale) {}

  std::string text;

  std::string px(double length) const { return svg_number(scale_ * length); }
  std::string point(Vec2 p) const { return px(p.x) + " " + px(-p.y); }

  std::string polygon_path(const Polygon& polygon) const {
    std::string d;
    for (std::size_t i = 0; i < polygon.size(); ++i) d += (i == 0 ? "M" : "L") + point(polygon[i]);
    return d + "Z";
  }

  std::string line_path(const std::vector<Vec2>& points) const {
    std::string d;
    for (std::size_t i = 0; i < points.size(); ++i) d += (i == 0 ? "M" : "L") + point(points[i]);
    return d;
  }

  void path(const std::string& d, const std::string& attributes) {
    if (!d.empty()) text += "<path d=\"" + d + "\" " + attributes + "/>";
  }

  void ellipse(Vec2 centre, double rx, double ry, const std::string& attributes) {
    text += "<ellipse cx=\"" + px(centre.x) + "\" cy=\"" + px(-centre.y) + "\" rx=\"" + px(rx) + "\" ry=\"" +
            px(ry) + "\" " + attributes + "/>";
  }
  void circle(Vec2 centre, double radius, const std::string& attributes) {
    text += "<circle cx=\"" + px(centre.x) + "\" cy=\"" + px(-centre.y) + "\" r=\"" + px(radius) + "\" " +
            attributes + "/>";
  }

  /// Fill or stroke of a whole shape: its outlines with their holes, or its disc.
  void shape(const Shape& s, const std::string& attributes) {
    if (s.parts.empty() && s.discs.size() == 1) {
      circle(s.discs[0].centre, s.discs[0].radius, attributes);
      return;
    }
    std::string d;
    for (const Polygon& outline : s.outlines) d += polygon_path(outline);
    path(d, "fill-rule=\"evenodd\" " + attributes);
  }

  std::string stroke(const std::string& colour, double width) const {
    return "fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"" + px(width) + "\"";
  }
  std::string stroke(Colour c, double width) const { return stroke(svg_colour(c), width); }

  void open(const Pose& pose, const std::string& attributes = "") {
    text += "<g" + attributes + " transform=\"translate(" + px(pose.position.x) + " " + px(-pose.position.y) +
            ")";
    if (const std::string turn = svg_number(-degrees(pose.angle)); turn != "0")
      text += " rotate(" + turn + ")";
    text += "\">";
  }
  void close() { text += "</g>\n"; }

 private:
  double scale_;
};

std::string fill(const std::string& colour) { return "fill=\"" + colour + "\""; }
std::string fill(Colour c) { return fill(svg_colour(c)); }

/// Lines along the longer side, at uneven distances; rings on round blocks.
void wood_grain(Picture& picture, const Shape& shape, bool round, Random& random) {
  const Look& wood = look_of(Kind::block, Material::wood);
  if (round) {
    for (double share : {0.72, 0.46, 0.2}) {
      Polygon ring = shape.outlines.front();
      for (Vec2& p : ring) p = shape.centroid + share * (p - shape.centroid);
      picture.path(picture.polygon_path(ring), picture.stroke(wood.dark, 0.022));
    }
    return;
  }
  std::string d;
  draw_grain({.spacing = 0.075, .low = 0.3, .high = 0.7, .inset = 0.035, .ragged = 0.25}, shape, random,
             [&](Vec2 from, Vec2 to) {
               d += picture.line_path({from, to});
             });
  picture.path(d, picture.stroke(wood.dark, 0.02) + " stroke-linecap=\"round\"");
}

/// Slanting white streaks.
void ice_shine(Picture& picture, const Shape& shape) {
  const Look& ice = look_of(Kind::block, Material::ice);
  std::string broad, thin;
  draw_shine(0.52, 0.04, shape, [&](Vec2 from, Vec2 to, bool fine) {
    (fine ? thin : broad) += picture.line_path({from, to});
  });
  picture.path(broad, picture.stroke(ice.light, 0.07) + " opacity=\"0.75\"");
  picture.path(thin, picture.stroke(ice.light, 0.025) + " opacity=\"0.75\"");
}

/// Flecks, dark and light.
void stone_flecks(Picture& picture, const Shape& shape, Random& random) {
  const Look& stone = look_of(Kind::block, Material::stone);
  const Flecks flecks{.density = 34,
                      .fewest = 3,
                      .most = 20,
                      .smallest = 0.016,
                      .largest = 0.036,
                      .room_beside = 2.2,
                      .room_over = 1.6};
  draw_flecks(flecks, shape, random, [&](Vec2 at, double size, bool dark) {
    picture.ellipse(at, 1.5 * size, size, fill(dark ? stone.dark : stone.light));
  });
}

void pig_face(Picture& picture, const Shape& shape) {
  const Bounds box = bounds(shape);
  const double w = box.width(), h = box.height();
  const Vec2 middle{box.centre().x, box.ymin + 0.47 * h};  // ears take the top of the box
  for (double side : {-1.0, 1.0}) {
    const Vec2 eye = middle + Vec2{side * 0.27 * w, 0.12 * h};
    picture.circle(eye, 0.105 * w, "fill=\"#FFFFFF\" stroke=\"#3F6B1C\" stroke-width=\"0.6\"");
    picture.circle(eye + Vec2{-0.025 * w, 0}, 0.045 * w, "fill=\"#1D2A12\"");
  }
  picture.ellipse(middle + Vec2{0, -0.06 * h}, 0.19 * w, 0.135 * h,
                  "fill=\"#B6E37F\" stroke=\"#5E9A2C\" stroke-width=\"0.8\"");
  for (double side : {-1.0, 1.0})
    picture.ellipse(middle + Vec2{side * 0.075 * w, -0.055 * h}, 0.038 * w, 0.055 * h, fill("#3F6B1C"));
  const Vec2 mouth = middle + Vec2{0, -0.26 * h};
  picture.path("M" + picture.point(mouth + Vec2{-0.12 * w, 0.03 * h}) + "Q" +
                   picture.point(mouth + Vec2{0, -0.06 * h}) + " " +
                   picture.point(mouth + Vec2{0.12 * w, 0.03 * h}),
               picture.stroke("#3F6B1C", 0.02) + " stroke-linecap=\"round\"");
}

/// The letters as strokes, so that no font is needed, and two bands.
void tnt_face(Picture& picture, const Shape& shape) {
  const Look& tnt = look_of(Kind::tnt, Material::none);
  const Bounds box = bounds(shape);
  const double w = box.width(), h = box.height();
  const Vec2 c = box.centre();
  const auto at = [&](double x, double y) { return c + Vec2{x * w, y * h}; };
  picture.path(picture.polygon_path({at(-0.49, -0.2), at(0.49, -0.2), at(0.49, 0.2), at(-0.49, 0.2)}),
               fill(tnt.light));
  picture.path(picture.line_path({at(-0.36, 0.12), at(-0.14, 0.12)}) +
                   picture.line_path({at(-0.25, 0.12), at(-0.25, -0.13)}) +
                   picture.line_path({at(-0.1, -0.13), at(-0.1, 0.12), at(0.1, -0.13), at(0.1, 0.12)}) +
                   picture.line_path({at(0.14, 0.12), at(0.36, 0.12)}) +
                   picture.line_path({at(0.25, 0.12), at(0.25, -0.13)}),
               picture.stroke(tnt.dark, 0.065 * w) + " stroke-linejoin=\"round\" stroke-linecap=\"round\"");
}

void platform_hatch(Picture& picture, const Shape& shape) {
  const Look& platform = look_of(Kind::platform, Material::none);
  std::string d;
  draw_hatch(0.02, shape, [&](Vec2 from, Vec2 to) { d += picture.line_path({from, to}); });
  picture.path(d, picture.stroke(platform.dark, 0.05));
}

void draw_object(Picture& picture, const SceneObject& object, std::size_t index) {
  const Look& look = look_of(object.kind, object.material);
  const Shape& shape = *object.shape;
  picture.open(object.pose, " data-object=\"" + std::to_string(index) + "\"");
  std::string label = std::to_string(index) + ": ";
  if (object.material != Material::none) label += std::string(name(object.material)) + " ";
  picture.text += "<title>" + xml_escaped(label + object.type) + "</title>";
  picture.shape(shape, fill(look.fill));
  Random random(stream_seed(index, "texture"));
  if (object.kind == Kind::pig)
    pig_face(picture, shape);
  else if (object.kind == Kind::tnt)
    tnt_face(picture, shape);
  else if (object.kind == Kind::platform)
    platform_hatch(picture, shape);
  else if (object.material == Material::wood)
    wood_grain(picture, shape, object.type.starts_with("Circle"), random);
  else if (object.material == Material::ice)
    ice_shine(picture, shape);
  else if (object.material == Material::stone)
    stone_flecks(picture, shape, random);
  picture.shape(shape, picture.stroke(look.edge, 0.03) + " stroke-linejoin=\"round\"");
  picture.close();
}

void draw_bird(Picture& picture, const BirdType& bird, Vec2 position, std::size_t number) {
  picture.open({position, 0}, " data-bird=\"" + std::to_string(number) + "\"");
  picture.text += "<title>" + xml_escaped(bird.type) + "</title>";
  picture.shape(*bird.shape, fill(bird_look(bird.type).fill) +
                                 " stroke=\"#2B2B2B\" stroke-width=\"1\" stroke-linejoin=\"round\"");
  const Vec2 c = bird.centre;
  const double r = bird.radius;
  picture.ellipse(c + Vec2{0.05 * r, -0.5 * r}, 0.5 * r, 0.32 * r, fill("#F6E7D2") + " opacity=\"0.85\"");
  for (double x : {0.12, 0.5}) {
    picture.circle(c + Vec2{x * r, 0.22 * r}, 0.22 * r,
                   "fill=\"#FFFFFF\" stroke=\"#2B2B2B\" stroke-width=\"0.5\"");
    picture.circle(c + Vec2{(x + 0.05) * r, 0.2 * r}, 0.09 * r, fill("#111111"));
  }
  picture.path(picture.line_path({c + Vec2{-0.15 * r, 0.55 * r}, c + Vec2{0.3 * r, 0.42 * r},
                                  c + Vec2{0.75 * r, 0.55 * r}}),
               picture.stroke("#2B2B2B", 0.13 * r));
  picture.path(picture.polygon_path({c + Vec2{0.3 * r, 0.02 * r}, c + Vec2{0.98 * r, -0.12 * r},
                                     c + Vec2{0.3 * r, -0.32 * r}}),
               "fill=\"#F2A52C\" stroke=\"#8A5A10\" stroke-width=\"0.6\" stroke-linejoin=\"round\"");
  picture.close();
}

struct PlacedBird {
  const BirdType* type;
  Vec2 position;
  std::size_t number;
};

/// The next bird on the sling, the others waiting on the ground left of it.
std::vector<PlacedBird> place_birds(const Scene& scene) {
  std::vector<PlacedBird> placed;
  double x = scene.slingshot.x - 0.7;
  for (std::size_t i = scene.next_bird; i < scene.birds.size(); ++i) {
    const BirdType& bird = scene.profile->bird(scene.birds[i]);
    if (i == scene.next_bird) {
      placed.push_back({&bird, scene.rest() - bird.centre, i});
    } else {
      placed.push_back(
          {&bird,
           {x - bird.radius - bird.centre.x, scene.profile->ground_y + bird.radius - bird.centre.y},
           i});
      x -= 2 * bird.radius + 0.22;
    }
  }
  return placed;
}

void draw_slingshot(Picture& picture, const Scene& scene, const std::vector<PlacedBird>& birds) {
  const auto wooden = [&](const std::vector<Vec2>& points, double width) {
    const std::string d = picture.line_path(points),
                      ends = " stroke-linecap=\"round\" stroke-linejoin=\"round\"";
    picture.path(d, picture.stroke("#4A2E14", width + 0.035) + ends);
    picture.path(d, picture.stroke("#8A5A2E", width) + ends);
  };
  const Vec2 back_tip{0.07, 0.92}, front_tip{-0.33, 0.95},
      pocket = scene.profile->rest_offset + Vec2{-0.16, -0.02};
  picture.open({scene.slingshot, 0}, " data-part=\"slingshot\"");
  wooden({{-0.08, 0.1}, {0.02, 0.42}, back_tip}, 0.11);
  if (!birds.empty()) picture.path(picture.line_path({back_tip, pocket}), picture.stroke("#3A1C12", 0.06));
  picture.close();
  for (const PlacedBird& bird : birds) draw_bird(picture, *bird.type, bird.position, bird.number);
  picture.open({scene.slingshot, 0}, " data-part=\"slingshot-front\"");
  wooden({{-0.08, -0.97}, {-0.08, 0.12}, {-0.26, 0.45}, front_tip}, 0.14);
  picture.path(picture.line_path({front_tip, birds.empty() ? back_tip : pocket}),
               picture.stroke("#3A1C12", 0.07));
  picture.close();
}

void draw_ground(Picture& picture, const Bounds& view, double ground_y) {
  const Look& soil = look_of(Kind::ground, Material::none);
  const auto band = [&](double top, double bottom, const std::string& colour) {
    picture.path(
        picture.polygon_path({{view.xmin, bottom}, {view.xmax, bottom}, {view.xmax, top}, {view.xmin, top}}),
        fill(colour));
  };
  picture.text += "<g data-part=\"ground\">";
  // Two ranges of hills far away, as waves of fixed length so that every picture has the same landscape.
  for (const auto& [height, wave, colour] :
       {std::tuple{1.5, 7.0, "#DCEBDD"}, std::tuple{0.8, 5.0, "#CFE4C8"}}) {
    const double first = std::floor(view.xmin / (2 * wave)) * 2 * wave;
    std::string d = "M" + picture.point({first, ground_y});
    for (double x = first; x < view.xmax; x += 2 * wave)
      d += "Q" + picture.point({x + 0.5 * wave, ground_y + 2 * height}) + " " +
           picture.point({x + wave, ground_y + 0.3 * height}) + "T" +
           picture.point({x + 2 * wave, ground_y + 0.3 * height});
    const double last = first + std::ceil((view.xmax - first) / (2 * wave)) * 2 * wave;
    picture.path(d + "L" + picture.point({last, ground_y}) + "Z", fill(colour));
  }
  band(ground_y, view.ymin, svg_colour(soil.fill));
  band(ground_y - 0.13, ground_y - 0.17, svg_colour(soil.dark));
  band(ground_y, ground_y - 0.13, "#84B649");
  band(ground_y, ground_y - 0.035, "#5F8F2C");
  picture.text += "</g>\n";
}

void draw_paths(Picture& picture, const std::vector<PathMark>& paths) {
  for (const PathMark& mark : paths) {
    const std::string d = picture.line_path(mark.points), opacity = mark.faint ? " opacity=\"0.4\"" : "";
    const std::string dashes = mark.upper ? "3 5" : "9 5";
    if (!mark.faint) picture.path(d, picture.stroke("#FFFFFF", 0.09) + " opacity=\"0.7\"");
    picture.path(
        d, picture.stroke(mark.upper ? upper_path_colour : lower_path_colour, mark.faint ? 0.03 : 0.05) +
               " stroke-linecap=\"round\" stroke-dasharray=\"" + dashes + "\"" + opacity + " data-path=\"" +
               (mark.upper ? "upper" : "lower") + "\"");
  }
}

void draw_marks(Picture& picture, const Scene& scene, const SceneMarks& marks) {
  const auto outline = [&](std::size_t index, const char* colour, const std::string& inner,
                           const char* kind) {
    const SceneObject& object = scene.objects.at(index);
    picture.open(object.pose, std::string(" data-mark=\"") + kind + "\"");
    picture.shape(*object.shape, picture.stroke("#FFFFFF", 0.11) + " stroke-linejoin=\"round\"");
    picture.shape(*object.shape, inner + " stroke=\"" + colour + "\" stroke-width=\"" + picture.px(0.06) +
                                     "\" stroke-linejoin=\"round\"");
    picture.close();
  };
  for (std::size_t index : marks.impacted) outline(index, impacted_colour, "fill=\"none\"", "impacted");
  for (std::size_t index : marks.detectable)
    outline(index, detectable_colour, fill(detectable_colour) + " fill-opacity=\"0.25\"", "detectable");
  std::vector<bool> is_target(scene.objects.size(), false);
  for (std::size_t index : marks.targets) {
    is_target.at(index) = true;
    picture.open({transformed(scene.objects[index].shape->centroid, scene.objects[index].pose), 0},
                 " data-mark=\"target\"");
    if (marks.numbers) {
      picture.circle({}, 0.135,
                     "fill=\"#1A1A1A\" stroke=\"#FFFFFF\" stroke-width=\"" + picture.px(0.025) + "\"");
    } else {
      const std::string hair = picture.line_path({{-0.17, 0}, {-0.05, 0}}) +
                               picture.line_path({{0.05, 0}, {0.17, 0}}) +
                               picture.line_path({{0, -0.17}, {0, -0.05}}) +
                               picture.line_path({{0, 0.05}, {0, 0.17}});
      for (const auto& [colour, width] : {std::pair{"#FFFFFF", 0.085}, std::pair{"#1A1A1A", 0.035}}) {
        picture.circle({}, 0.11, picture.stroke(colour, width));
        picture.path(hair, picture.stroke(colour, width));
      }
    }
    picture.close();
  }
  for (std::size_t index : marks.best) {
    picture.open({transformed(scene.objects.at(index).shape->centroid, scene.objects[index].pose), 0},
                 " data-mark=\"best\"");
    for (const auto& [colour, width] : {std::pair{"#FFFFFF", 0.085}, std::pair{"#1A1A1A", 0.035}})
      picture.circle({}, 0.21, picture.stroke(colour, width));
    picture.close();
  }
  if (!marks.numbers) return;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const SceneObject& object = scene.objects[i];
    if (!object.alive) continue;
    const Vec2 at = transformed(object.shape->centroid, object.pose);
    const std::string colours = is_target[i] ? "fill=\"#FFFFFF\""
                                             : "fill=\"#111111\" stroke=\"#FFFFFF\" stroke-width=\"" +
                                                   picture.px(0.045) +
                                                   "\" stroke-linejoin=\"round\" paint-order=\"stroke\"";
    picture.text += "<text x=\"" + picture.px(at.x) + "\" y=\"" + picture.px(-at.y + 0.058) +
                    "\" text-anchor=\"middle\" font-family=\"" + svg_font + "\" font-size=\"" +
                    picture.px(0.16) + "\" font-weight=\"bold\" " + colours + ">" + std::to_string(i) +
                    "</text>\n";
  }
}

void extend(Bounds& box, const Bounds& other) {
  box = {std::min(box.xmin, other.xmin), std::max(box.xmax, other.xmax), std::min(box.ymin, other.ymin),
         std::max(box.ymax, other.ymax)};
}

/// What the picture holds, in world units.
Bounds fitted_view(const Scene& scene, const std::vector<PlacedBird>& birds,
                   const std::vector<PathMark>& paths) {
  const Vec2 sling = scene.slingshot;
  Bounds view{sling.x - 0.7, sling.x + 0.7, scene.profile->ground_y, sling.y + 1.4};
  for (const SceneObject& object : scene.objects)
    if (object.alive) extend(view, object.world_bounds());
  for (const PlacedBird& bird : birds)
    extend(view, bounds(transformed(*bird.type->shape, {bird.position, 0})));
  for (const PathMark& path : paths)
    for (Vec2 p : path.points) extend(view, {p.x, p.x, p.y, p.y});
  return {view.xmin - 0.5, view.xmax + 0.5, view.ymin - 0.45, view.ymax + 0.5};
}

/// The legend in as many lines as the width needs, and the height of it.
std::pair<std::string, double> draw_legend(bool numbers, double width) {
  constexpr double margin = 12, line = 22, font = 13;
  constexpr double per_letter = 0.62 * font;  // of the widest font in svg_font
  std::string text;
  double x = margin, y = margin;
  for (const MarkMeaning& entry : mark_legend(numbers)) {
    const double wide = legend_sample_width + 6 + per_letter * static_cast<double>(entry.meaning.size());
    if (x > margin && x + wide > width) x = margin, y += line;
    text += "<g transform=\"translate(" + svg_number(x) + " " + svg_number(y) + ")\">" + entry.sample +
            "<text x=\"" + svg_number(legend_sample_width + 6) + "\" y=\"" + svg_number(font) +
            "\" font-family=\"" + svg_font + "\" font-size=\"" + svg_number(font) + "\" fill=\"#222\">" +
            xml_escaped(entry.meaning) + "</text></g>\n";
    x += wide + margin;
  }
  return {text, y + line};
}

}  // namespace

std::vector<MarkMeaning> mark_legend(bool numbers) {
  const auto line = [](const char* colour, const char* dashes) {
    return std::string("<path d=\"M2 8H32\" fill=\"none\" stroke=\"") + colour +
           "\" stroke-width=\"2.5\" stroke-linecap=\"round\" stroke-dasharray=\"" + dashes + "\"/>";
  };
  const auto box = [](const char* colour, const char* inside) {
    return std::string("<rect x=\"6\" y=\"3\" width=\"22\" height=\"10\" fill=\"") + inside +
           "\" fill-opacity=\"0.25\" stroke=\"" + colour + "\" stroke-width=\"3\"/>";
  };
  const std::string ring =
                        "<circle cx=\"17\" cy=\"8\" r=\"7.2\" fill=\"none\" stroke=\"#1A1A1A\" "
                        "stroke-width=\"1.4\"/>",
                    disc = "<circle cx=\"17\" cy=\"8\" r=\"5\" fill=\"#1A1A1A\"/>",
                    hair =
                        "<circle cx=\"17\" cy=\"8\" r=\"4\" fill=\"none\" stroke=\"#1A1A1A\" "
                        "stroke-width=\"1.4\"/><path d=\"M11 8H15M19 8H23M17 2V6M17 10V14\" fill=\"none\" "
                        "stroke=\"#1A1A1A\" stroke-width=\"1.4\"/>",
                    target = numbers ? disc : hair;
  return {{target, numbers ? "target (numbers are those of the level's objects)" : "target"},
          {target + ring, "best target"},
          {line(lower_path_colour, "9 5"), "lower trajectory (faint: of other targets)"},
          {line(upper_path_colour, "3 5"), "upper trajectory"},
          {box(impacted_colour, "none"), "moved by a hit on a best target"},
          {box(detectable_colour, detectable_colour), "moves so that the novelty is visible"}};
}

std::string scene_svg(const Scene& scene, const SceneSvgOptions& options) {
  const std::vector<PlacedBird> birds = place_birds(scene);
  const Bounds view = fitted_view(scene, birds, options.marks.paths);
  Picture picture(options.pixels_per_unit);
  const double scale = options.pixels_per_unit, bottom = -scale * view.ymin;
  const auto [legend, legend_height] = options.legend
                                           ? draw_legend(options.marks.numbers, scale * view.width())
                                           : std::pair<std::string, double>{};
  const std::string width = picture.px(view.width()),
                    height = svg_number(scale * view.height() + legend_height);
  picture.text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
                 "\" viewBox=\"" + picture.px(view.xmin) + " " + picture.px(-view.ymax) + " " + width + " " +
                 height + "\" role=\"img\">\n";
  if (!options.title.empty()) picture.text += "<title>" + xml_escaped(options.title) + "</title>\n";
  picture.path(
      picture.polygon_path(
          {{view.xmin, view.ymin}, {view.xmax, view.ymin}, {view.xmax, view.ymax}, {view.xmin, view.ymax}}),
      fill("#EDF5FB"));
  picture.text += "\n";
  draw_ground(picture, view, scene.profile->ground_y);
  draw_slingshot(picture, scene, birds);
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    if (scene.objects[i].alive) draw_object(picture, scene.objects[i], i);
  draw_paths(picture, options.marks.paths);
  draw_marks(picture, scene, options.marks);
  if (options.legend)
    picture.text += "<g data-part=\"legend\" transform=\"translate(" + picture.px(view.xmin) + " " +
                    svg_number(bottom) + ")\"><rect width=\"" + width + "\" height=\"" +
                    svg_number(legend_height) + "\" fill=\"#FFFFFF\"/>\n" + legend + "</g>\n";
  return picture.text + "</svg>\n";
}

}  // namespace startle
