#include "agents/aibirds/ground_truth.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

namespace startle::aibirds {
namespace {

using Json = nlohmann::ordered_json;

// Of what is no object; objects have their number, birds come after bird_ids.
constexpr int ground_id = -1, slingshot_id = -2, dots_id = -3;
constexpr int bird_ids = 1000000, child_ids = 2000000;

constexpr double unbreakable = 3.4e38;  // as Science Birds writes the largest float

/// Something with an outline on the screen.
struct Thing {
  int id = 0;
  Kind kind = Kind::block;
  std::string type;
  Material material = Material::none;
  Pose pose;
  const Shape* shape = nullptr;
  double life = 0;  ///< at the start of a normal level
};

struct Share {
  int colour;  ///< RRRGGGBB
  double share;
};

/// The colours that cover more than 5 % of a sprite of Science Birds (its table BaseMapFiltered), by which
/// agents say what an object is. One sprite stands for all of a material: shapes are given by outlines.
std::vector<Share> colours(const Thing& thing) {
  switch (thing.kind) {
    case Kind::block:
      if (thing.material == Material::wood) return {{240, 0.399}, {136, 0.205}, {204, 0.127}, {172, 0.122}};
      if (thing.material == Material::ice) return {{123, 0.378}, {87, 0.276}, {19, 0.159}, {255, 0.098}};
      return {{182, 0.454}, {146, 0.272}, {73, 0.208}};
    case Kind::pig:
      if (thing.type == "BasicSmall") return {{125, 0.487}, {84, 0.112}, {121, 0.07}};
      if (thing.type == "BasicMedium") return {{125, 0.624}, {84, 0.067}, {80, 0.058}};
      return {{125, 0.518}, {36, 0.116}, {4, 0.06}, {84, 0.058}};
    case Kind::tnt:
      return {{205, 0.148}, {68, 0.122}, {172, 0.089}, {209, 0.078}, {136, 0.077}, {104, 0.075}};
    case Kind::platform:
      return {{36, 0.555}, {68, 0.344}};
    default:
      if (thing.type == "BirdBlue") return {{119, 0.404}, {0, 0.224}, {36, 0.057}};
      if (thing.type == "BirdYellow") return {{248, 0.567}, {0, 0.101}, {36, 0.06}};
      if (thing.type == "BirdBlack") return {{73, 0.679}, {36, 0.155}, {0, 0.108}};
      if (thing.type == "BirdWhite") return {{36, 0.318}, {255, 0.218}, {21, 0.179}, {254, 0.11}};
      return {{0, 0.269}, {250, 0.236}, {244, 0.091}, {36, 0.064}};
  }
}

/// "RectFat" -> "rect_fat".
std::string snake_case(const std::string& text) {
  std::string words;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isupper(letter) && !words.empty()) words += '_';
    words += static_cast<char>(std::tolower(letter));
  }
  return words;
}

/// Name of the undamaged sprite in Science Birds.
std::string label(const Thing& thing) {
  switch (thing.kind) {
    case Kind::block: {
      std::string shape = snake_case(thing.type);
      if (shape.starts_with("triangle")) shape = "triang" + shape.substr(8);
      return std::string(name(thing.material)) + "_" + shape + "_1";
    }
    case Kind::pig:
      return "pig_" + snake_case(thing.type) + "_1";
    case Kind::tnt:
      return "TNT";
    case Kind::platform:
      return "Platform";
    default:
      return snake_case(thing.type) + "_1";  // BirdRed -> bird_red_1
  }
}

/// Place in the list.
int order(const Thing& thing) {
  if (thing.kind == Kind::pig) return thing.type == "BasicSmall" ? 0 : thing.type == "BasicBig" ? 1 : 2;
  if (thing.kind == Kind::bird) return 3;
  if (thing.kind == Kind::tnt) return 6;
  if (thing.kind == Kind::platform) return 7;
  return thing.type.starts_with("Rect") || (thing.type.starts_with("Square") && thing.type != "SquareHole")
             ? 5
             : 4;
}

std::vector<Polygon> rings(const Shape& shape) {
  if (shape.discs.empty()) return shape.outlines;
  constexpr int corners = 16;
  const Disc& disc = shape.discs.front();
  Polygon ring;
  for (int i = 0; i < corners; ++i)
    ring.push_back(disc.centre + disc.radius * direction(2 * std::numbers::pi * i / corners));
  return {ring};
}

Vec2 rounded(Vec2 p) { return {std::floor(p.x + 0.5), std::floor(p.y + 0.5)}; }

Json json_of(Vec2 whole) { return {static_cast<int>(whole.x), static_cast<int>(whole.y)}; }

/// Uniform in a disc of 2 pixels.
Vec2 shift(Random& noise) {
  for (;;) {
    const double x = noise.uniform(-2, 2);
    const double y = noise.uniform(-2, 2);
    if (x * x + y * y <= 4) return {x, y};
  }
}

bool beyond(const std::vector<Vec2>& ring, double width, double ground) {
  const auto all = [&](auto outside) { return std::all_of(ring.begin(), ring.end(), outside); };
  const double bottom = std::min<double>(screen_height, ground);
  return all([](Vec2 p) { return p.x <= 0; }) || all([&](Vec2 p) { return p.x >= width; }) ||
         all([](Vec2 p) { return p.y <= 0; }) || all([&](Vec2 p) { return p.y >= bottom; });
}

Json feature(Json geometry, int id, const std::string& label) {
  return {{"type", "Feature"},
          {"geometry", std::move(geometry)},
          {"properties", {{"id", std::to_string(id)}, {"label", label}}}};
}

class Writer {
 public:
  Writer(const Screen& screen, const GroundTruthOptions& options) : screen_(screen), options_(options) {}

  void ground(double y) {
    ground_ = std::clamp(rounded(screen_.to_pixels({0, y})).y, 0.0, static_cast<double>(screen_height));
    Json json = feature(Json::object(), ground_id, "Ground");
    json["properties"]["yindex"] = static_cast<int>(ground_);
    json["properties"]["colormap"] = Json::array();
    features_.push_back(std::move(json));
  }

  /// Its picture in Science Birds, by which agents aim: from -0.485 to 0.2 and from -1.005 to 1.05 units
  /// about the centre.
  void slingshot(Vec2 centre) {
    const Vec2 low = rounded(screen_.to_pixels(centre + Vec2{-0.485, -1.005})),
               high = rounded(screen_.to_pixels(centre + Vec2{0.2, 1.05}));
    const Json ring{json_of(low), json_of({low.x, high.y}), json_of(high), json_of({high.x, low.y})};
    Json json = feature({{"type", "Polygon"}, {"coordinates", Json::array({ring})}}, slingshot_id,
                        "Slingshot");
    json["properties"]["colormap"] = Json::array();
    if (options_.labels) json["properties"]["currentLife"] = unbreakable;
    features_.push_back(std::move(json));
  }

  void dots(const std::vector<Vec2>& way) {
    Json points = Json::array();
    for (const Vec2 p : way) {
      Vec2 pixel = screen_.to_pixels(p);
      if (options_.noise) pixel = pixel + shift(*options_.noise);
      pixel = rounded(pixel);
      if (!beyond({pixel}, screen_.width, ground_)) points.push_back(json_of(pixel));
    }
    if (points.empty()) return;
    Json json = feature({{"type", "MultiPoint"}, {"coordinates", std::move(points)}}, dots_id, "Trajectory");
    json["properties"]["colormap"] = Json::array();
    features_.push_back(std::move(json));
  }

  void things(std::vector<Thing> all) {
    std::stable_sort(all.begin(), all.end(),
                     [](const Thing& a, const Thing& b) { return order(a) < order(b); });
    for (const Thing& thing : all) add(thing);
  }

  std::string text() const {
    return Json::array({Json{{"type", "FeatureCollection"}, {"features", features_}}}).dump();
  }

 private:
  void add(const Thing& thing) {
    // Drawn for each object, also for one that is not seen: what is noise does not depend on what is in the
    // way.
    Vec2 by;
    if (options_.noise && thing.kind != Kind::bird) by = shift(*options_.noise);
    Json coordinates = Json::array();
    for (const Polygon& polygon : rings(*thing.shape)) {
      std::vector<Vec2> ring;
      for (const Vec2 p : transformed(polygon, thing.pose)) ring.push_back(rounded(screen_.to_pixels(p)));
      if (coordinates.empty() && beyond(ring, screen_.width, ground_)) return;
      Json points = Json::array();
      for (const Vec2 p : ring) points.push_back(json_of(rounded(p + by)));
      coordinates.push_back(std::move(points));
    }
    Json json = feature({{"type", "Polygon"}, {"coordinates", std::move(coordinates)}}, thing.id,
                        options_.labels ? label(thing) : "Object");
    Json map = Json::array();
    for (const Share& share : colours(thing))
      map.push_back({{"color", share.colour}, {"percent", share.share}});
    json["properties"]["colormap"] = std::move(map);
    if (options_.labels) json["properties"]["currentLife"] = thing.life;
    features_.push_back(std::move(json));
  }

  const Screen& screen_;
  const GroundTruthOptions& options_;
  double ground_ = screen_height;
  Json features_ = Json::array();
};

Thing thing_of(const SeenObject& object, const Profile& profile) {
  Thing thing{object.id,   object.kind,        object.type, object.material,
              object.pose, object.shape.get(), unbreakable};
  if (object.kind != Kind::platform)
    if (const ObjectType* normal = profile.find(object.kind, object.type, object.material))
      thing.life = normal->parameters.life;
  return thing;
}

Thing bird_thing(int id, const BirdType& bird, Pose pose) {
  return {id, Kind::bird, bird.type, Material::none, pose, bird.shape.get(), bird.parameters.life};
}

/// Number of a bird in the order of launch; it flies with shot number + 1.
int bird_number(const Observation& now, std::size_t place) { return now.shot - 1 + static_cast<int>(place); }

void add_birds(const Observation& now, const Profile& profile, bool next_on_slingshot,
               std::vector<Thing>& things) {
  const std::vector<Vec2> places = waiting_places(profile, now.slingshot, now.birds);
  for (std::size_t i = 0; i < now.birds.size(); ++i) {
    if (i == 0 && !next_on_slingshot) continue;
    things.push_back(bird_thing(bird_ids + bird_number(now, i), profile.bird(now.birds[i]),
                                {i == 0 ? now.rest : places[i - 1], 0}));
  }
}

}  // namespace

Vec2 Screen::to_pixels(Vec2 world) const {
  const double scale = width / view.width;
  return {0.5 * width + scale * (world.x - view.centre.x),
          0.5 * screen_height - scale * (world.y - view.centre.y)};
}

Vec2 Screen::to_world(Vec2 pixels) const {
  const double size = view.width / width;
  return {view.centre.x + size * (pixels.x - 0.5 * width),
          view.centre.y - size * (pixels.y - 0.5 * screen_height)};
}

Screen screen(const Observation& now, bool zoomed_in, int width) {
  return {{.centre = {0, -1}, .width = 2 * now.half_width * (zoomed_in ? 25.0 / 35.0 : 1)}, width};
}

std::string ground_truth(const Observation& now, const SeenShot* last_shot, const Profile& profile,
                         const Screen& screen, const GroundTruthOptions& options) {
  Writer writer(screen, options);
  writer.ground(now.ground_y);
  writer.slingshot(now.slingshot);
  if (last_shot) {
    std::vector<Vec2> way;
    for (const SeenFrame& frame : last_shot->frames)
      for (const SeenBody& body : frame.bodies)
        if (body.id == last_shot->first_bird) way.push_back(body.pose.position);
    writer.dots(way);
  }
  std::vector<Thing> things;
  for (const SeenObject& object : now.objects) things.push_back(thing_of(object, profile));
  add_birds(now, profile, true, things);
  writer.things(std::move(things));
  return writer.text();
}

std::string ground_truth_of_frame(const SeenShot& shot, std::size_t frame, const Profile& profile,
                                  const Screen& screen, const GroundTruthOptions& options) {
  Writer writer(screen, options);
  writer.ground(shot.before.ground_y);
  writer.slingshot(shot.before.slingshot);
  std::map<int, Pose> poses;
  for (const SeenBody& body : shot.frames.at(frame).bodies) poses[body.id] = body.pose;
  std::vector<Thing> things;
  for (const SeenObject& object : shot.before.objects) {
    Thing thing = thing_of(object, profile);
    if (object.kind != Kind::platform) {
      const auto now = poses.find(object.id);
      if (now == poses.end()) continue;  // gone
      thing.pose = now->second;
    }
    things.push_back(thing);
  }
  // The bird and its children; an egg has no place in Science Birds' ground truth.
  const BirdType& bird = profile.bird(shot.bird);
  for (const auto& [id, pose] : poses) {
    if (id < shot.first_bird || (id > shot.first_bird && bird.power.kind == PowerKind::egg)) continue;
    const int number = id == shot.first_bird ? bird_ids + bird_number(shot.before, 0) : child_ids + id;
    things.push_back(bird_thing(number, bird, pose));
  }
  add_birds(shot.before, profile, false, things);
  writer.things(std::move(things));
  return writer.text();
}

std::string empty_ground_truth() { return R"([{"type":"FeatureCollection","features":[]}])"; }

}  // namespace startle::aibirds
