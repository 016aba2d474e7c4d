#include "render/scene_svg.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "core/random.hpp"
#include "render/svg.hpp"
#include "sim/shape.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// Every look that the profile has, each once, with all birds.
Scene everything(const std::string& profile_name = "startle") {
  const auto constants = profile(profile_name);
  Level level{.name = "everything", .width = 4, .birds = {}, .objects = {}};
  for (const BirdType& bird : constants->bird_types) level.birds.push_back(bird.type);
  double x = 0;
  for (const ObjectType& type : constants->object_types) {
    if (type.kind == Kind::egg) continue;
    level.objects.push_back({.kind = type.kind,
                             .type = type.type,
                             .material = type.material,
                             .position = {x, 0},
                             .rotation_deg = 10 * x});
    x += 0.5;
  }
  return make_scene(level, constants);
}

pugi::xml_document parsed(const std::string& svg) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(svg.c_str(), pugi::parse_full);
  INFO(result.description() << " at " << result.offset);
  REQUIRE(result);
  return document;
}

void visit(pugi::xml_node node, const std::function<void(pugi::xml_node)>& see) {
  see(node);
  for (pugi::xml_node child : node.children()) visit(child, see);
}

std::map<std::string, int> count_attribute(const std::string& svg, const char* attribute) {
  std::map<std::string, int> counts;
  const pugi::xml_document document = parsed(svg);
  visit(document, [&](pugi::xml_node node) {
    if (const auto found = node.attribute(attribute)) ++counts[found.value()];
  });
  return counts;
}

struct Box {
  double x, y, width, height;
};
Box view_box(const std::string& svg) {
  const pugi::xml_document document = parsed(svg);
  std::istringstream stream(document.child("svg").attribute("viewBox").value());
  Box box{};
  stream >> box.x >> box.y >> box.width >> box.height;
  REQUIRE(stream);
  return box;
}

}  // namespace

TEST_CASE("[render] scene: the picture is well-formed and draws each living object and each bird left once") {
  for (const char* name : {"startle", "classic"}) {
    Scene scene = everything(name);
    scene.objects[3].alive = false;
    scene.next_bird = 1;
    const auto objects = count_attribute(scene_svg(scene), "data-object");
    CHECK(objects.size() == scene.objects.size() - 1);
    CHECK(objects.count("3") == 0);
    CHECK(std::all_of(objects.begin(), objects.end(), [](const auto& entry) { return entry.second == 1; }));
    const auto birds = count_attribute(scene_svg(scene), "data-bird");
    CHECK(birds.size() == scene.birds.size() - 1);
    CHECK(birds.count("0") == 0);
  }
}

TEST_CASE("[render] scene: the same scene gives the same bytes, and a novel object looks like a normal one") {
  const Scene normal = everything();
  Scene novel = normal;
  REQUIRE(apply(find_novelty("T3"), novel) > 0);
  REQUIRE(apply(find_novelty("T1"), novel) > 0);
  CHECK(scene_svg(normal) == scene_svg(everything()));
  CHECK(scene_svg(normal) == scene_svg(novel));
}

TEST_CASE("[render] scene: nothing in the picture can clash with another picture in the same page") {
  SceneSvgOptions options;
  options.title = "x";
  options.marks = {
      .paths = {{{{-5, 0}, {0, 0}}}}, .targets = {0}, .impacted = {0}, .detectable = {1}, .numbers = true};
  const std::string svg = scene_svg(everything(), options);
  CHECK(count_attribute(svg, "id").empty());
  CHECK(count_attribute(svg, "class").empty());
  CHECK(svg.find("<style") == std::string::npos);
  CHECK(svg.find("url(") == std::string::npos);
}

TEST_CASE("[render] scene: a legend stands below the scene, inside the picture, and says what marks mean") {
  SceneSvgOptions options;
  options.marks = {.paths = {{{{-5, 0}, {0, 0}}}}, .targets = {0}, .best = {0}};
  const Box bare = view_box(scene_svg(everything(), options));
  CHECK(scene_svg(everything(), options).find("legend") == std::string::npos);
  options.legend = true;
  for (const double pixels_per_unit : {20.0, 44.0}) {
    options.pixels_per_unit = pixels_per_unit;
    const std::string svg = scene_svg(everything(), options);
    const Box box = view_box(svg);
    if (pixels_per_unit == 44) CHECK(box.height > bare.height + 20);
    const pugi::xml_document document = parsed(svg);
    const pugi::xpath_node legend = document.select_node("//g[@data-part='legend']");
    REQUIRE(legend);
    CHECK(legend.node().select_nodes("g").size() == 6);
    for (const char* meaning :
         {"target", "best target", "upper trajectory", "moves so that the novelty is visible"})
      CHECK(legend.node().select_nodes(("g/text[text()='" + std::string(meaning) + "']").c_str()).size() ==
            1);
    double lowest = 0;
    for (const pugi::xpath_node& entry : legend.node().select_nodes("g")) {
      double x = 0, y = 0;
      REQUIRE(std::sscanf(entry.node().attribute("transform").value(), "translate(%lf %lf)", &x, &y) == 2);
      lowest = std::max(lowest, y + legend_sample_height);
      CHECK(x < box.width);
    }
    CHECK(lowest <= legend.node().child("rect").attribute("height").as_double());
  }
}

TEST_CASE("[render] scene: the view holds every object, bird and path wherever they are") {
  Random random(4);
  for (int round = 0; round < 50; ++round) {
    Scene scene = everything();
    scene.slingshot.x = random.uniform(-14, 14);
    for (SceneObject& object : scene.objects)
      object.pose = {{random.uniform(-15, 15), random.uniform(-3, 9)}, random.uniform(-4, 4)};
    SceneSvgOptions options;
    options.pixels_per_unit = random.uniform(10, 80);
    for (int i = 0; i < 3; ++i)
      options.marks.paths.push_back(
          {.points = {scene.rest(), {random.uniform(-20, 20), random.uniform(0, 20)}}});
    const Box box = view_box(scene_svg(scene, options));
    const double scale = options.pixels_per_unit;
    // The numbers of the view box are rounded to 0.01 pixels.
    const auto holds = [&](Vec2 p) {
      return p.x * scale >= box.x - 0.02 && p.x * scale <= box.x + box.width + 0.02 &&
             -p.y * scale >= box.y - 0.02 && -p.y * scale <= box.y + box.height + 0.02;
    };
    for (const SceneObject& object : scene.objects) {
      const Bounds bounds = object.world_bounds();
      REQUIRE(holds({bounds.xmin, bounds.ymin}));
      REQUIRE(holds({bounds.xmax, bounds.ymax}));
    }
    for (const PathMark& path : options.marks.paths)
      for (Vec2 p : path.points) REQUIRE(holds(p));
    REQUIRE(holds({scene.slingshot.x, scene.profile->ground_y}));
    REQUIRE(holds(scene.rest()));
  }
}

TEST_CASE("[render] scene: texture stays inside its object") {
  // Grain, streaks and flecks are drawn in the body's frame, each as line ends or an ellipse: all must lie
  // within the block's bounds, up to the tolerance with which outlines are simplified for physics.
  Scene scene = everything();
  const std::string svg = scene_svg(scene, {.pixels_per_unit = 100});
  const pugi::xml_document document = parsed(svg);
  int points = 0;
  visit(document, [&](pugi::xml_node group) {
    if (!group.attribute("data-object")) return;
    const SceneObject& object = scene.objects[group.attribute("data-object").as_uint()];
    const Bounds box = bounds(*object.shape);
    const auto inside = [&](double x, double y) {
      ++points;
      return x / 100 > box.xmin - 0.01 && x / 100 < box.xmax + 0.01 && -y / 100 > box.ymin - 0.01 &&
             -y / 100 < box.ymax + 0.01;
    };
    for (pugi::xml_node path : group.children("path")) {
      std::string d = path.attribute("d").value();
      std::replace_if(
          d.begin(), d.end(), [](char c) { return c == 'M' || c == 'L' || c == 'Z' || c == 'Q'; }, ' ');
      std::istringstream numbers(d);
      for (double x, y; numbers >> x >> y;) {
        INFO(object.type << " " << name(object.material) << ": " << x << " " << y);
        REQUIRE(inside(x, y));
      }
    }
    for (pugi::xml_node ellipse : group.children("ellipse"))
      REQUIRE(inside(ellipse.attribute("cx").as_double(), ellipse.attribute("cy").as_double()));
  });
  CHECK(points > 500);
}

TEST_CASE("[render] scene: holes are drawn as holes") {
  const Scene scene = everything();
  const pugi::xml_document document = parsed(scene_svg(scene));
  int with_hole = 0;
  visit(document, [&](pugi::xml_node group) {
    if (!group.attribute("data-object")) return;
    const SceneObject& object = scene.objects[group.attribute("data-object").as_uint()];
    if (object.shape->outlines.size() < 2) return;
    ++with_hole;
    const std::string d = group.child("path").attribute("d").value();
    CHECK(std::count(d.begin(), d.end(), 'M') == static_cast<std::ptrdiff_t>(object.shape->outlines.size()));
    CHECK(std::string(group.child("path").attribute("fill-rule").value()) == "evenodd");
  });
  CHECK(with_hole >= 3);  // TriangleHole in three materials at least
}

TEST_CASE("[render] scene: marks appear as often as asked for") {
  SceneSvgOptions options;
  options.marks = {
      .paths = {{{{-5, 0}, {0, 0}}, false}, {{{-5, 0}, {0, 3}}, true}, {{{-5, 0}, {1, 3}}, true, true}},
      .targets = {0, 1},
      .impacted = {1, 2, 4},
      .detectable = {5},
      .numbers = true};
  const Scene scene = everything();
  const std::string svg = scene_svg(scene, options);
  CHECK(count_attribute(svg, "data-mark") ==
        std::map<std::string, int>{{"target", 2}, {"impacted", 3}, {"detectable", 1}});
  CHECK(count_attribute(svg, "data-path") == std::map<std::string, int>{{"lower", 1}, {"upper", 2}});
  std::multiset<std::string> numbers, wanted;
  const pugi::xml_document document = parsed(svg);
  visit(document, [&](pugi::xml_node node) {
    if (std::string(node.name()) == "text") numbers.insert(node.child_value());
  });
  for (std::size_t i = 0; i < scene.objects.size(); ++i) wanted.insert(std::to_string(i));
  CHECK(numbers == wanted);
}

TEST_CASE("[render] svg: text from files is escaped") {
  const std::string nasty = "a<b & \"c\" 'd' ]]> </title><script>\x01";
  CHECK(xml_escaped("a<b & \"c\"") == "a&lt;b &amp; &quot;c&quot;");
  Scene scene = everything();
  scene.objects[0].type = nasty;
  const pugi::xml_document document = parsed(scene_svg(scene, {.title = nasty}));
  const std::string cleaned = "a<b & \"c\" 'd' ]]> </title><script>\xEF\xBF\xBD";
  CHECK(document.child("svg").child("title").child_value() == cleaned);
  bool found = false;
  visit(document, [&](pugi::xml_node node) {
    if (std::string(node.name()) == "title" &&
        std::string(node.child_value()).find(cleaned) != std::string::npos &&
        node.parent().attribute("data-object"))
      found = true;
  });
  CHECK(found);
}

TEST_CASE("[render] svg: numbers are short, rounded and never -0") {
  CHECK(svg_number(0) == "0");
  CHECK(svg_number(-0.001) == "0");
  CHECK(svg_number(1.5) == "1.5");
  CHECK(svg_number(-12.3456) == "-12.35");
  CHECK(svg_number(100) == "100");
  CHECK(svg_number(1e6) == "1000000");
}
