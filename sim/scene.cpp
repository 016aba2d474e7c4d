#include "sim/scene.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "sim/novelty_elements.hpp"
#include "sim/placement.hpp"
#include "sim/shape.hpp"

namespace startle {
namespace {

std::string times(std::size_t count) { return count > 1 ? " (" + std::to_string(count) + " times)" : ""; }

/// Objects whose nearest support is further below than this are reported as floating: the visible gaps that
/// files made for the classic profile's larger blocks have under anu stay unreported.
constexpr double float_tolerance = 0.15;
/// More birds or objects than this no level has; computing with them would take minutes.
constexpr std::size_t most_birds = 1000;
constexpr std::size_t most_objects = 10000;
/// More pairs of convex pieces than this do not overlap in any level that is one: the engine keeps and solves
/// a contact for each. Objects in layers have a few each.
constexpr std::size_t most_overlaps = 50000;
/// So many overlaps of a level are named one by one.
constexpr std::size_t named_overlaps = 50;
/// Smallest side of a scaled platform that the engine can hold.
constexpr double least_side = 0.02;

std::string described(std::size_t index, const LevelObject& object) {
  std::ostringstream text;
  text << "object " << index << " (" << name(object.kind) << " " << object.type;
  if (object.material != Material::none) text << " of " << name(object.material);
  text << ")";
  return text.str();
}

const ObjectType* type_of(const Profile& profile, const LevelObject& object) {
  return profile.find(object.kind, object.type, object.material);
}

std::shared_ptr<const Shape> shape_of(const ObjectType& type, const LevelObject& object) {
  if (object.scale_x == 1 && object.scale_y == 1) return type.shape;
  return std::make_shared<Shape>(scaled(*type.shape, object.scale_x, object.scale_y));
}

/// Errors in one object's own values. Other checks need them to be sound.
void check_values(std::size_t index, const LevelObject& object, const Level& level, const Profile& profile,
                  std::vector<std::string>& errors) {
  const std::string what = described(index, object);
  const auto bad = [&](const char* field, double value, const std::string& allowed) {
    std::ostringstream text;
    text << what << ": " << field << " is " << value << "; allowed: " << allowed;
    errors.push_back(text.str());
  };
  if (!type_of(profile, object)) errors.push_back(what + ": profile " + profile.name + " has no such object");
  const double limit = profile.width_per_unit * level.width / 2 + 2;
  if (!(std::fabs(object.position.x) <= limit))
    bad("x", object.position.x, "-" + std::to_string(limit) + " to " + std::to_string(limit));
  if (!(std::fabs(object.position.y) <= 1000)) bad("y", object.position.y, "-1000 to 1000");
  if (!(std::fabs(object.rotation_deg) <= 36000))
    bad("rotation", object.rotation_deg, "-36000 to 36000 degrees");
  const bool scalable = object.kind == Kind::platform;
  for (const auto& [field, scale, side] :
       {std::tuple{"scaleX", object.scale_x, 0.64}, std::tuple{"scaleY", object.scale_y, 0.64}}) {
    if (!scalable && scale != 1) bad(field, scale, "1 (only platforms are scaled)");
    if (scalable && !(scale * side >= least_side && scale <= 1000))
      bad(field, scale, std::to_string(least_side / side) + " to 1000");
  }
}

}  // namespace

Bounds SceneObject::world_bounds() const {
  // Only the pieces are needed; the outlines of world_shape() would be moved for nothing.
  Shape pieces;
  for (const Polygon& part : shape->parts) pieces.parts.push_back(transformed(part, pose));
  for (const Disc& disc : shape->discs) pieces.discs.push_back({transformed(disc.centre, pose), disc.radius});
  return bounds(pieces);
}

int Scene::pigs_left() const {
  return static_cast<int>(std::count_if(objects.begin(), objects.end(),
                                        [](const SceneObject& o) { return o.alive && o.kind == Kind::pig; }));
}

namespace {

bool disjoint(const Bounds& a, const Bounds& b) {
  return a.xmax <= b.xmin || b.xmax <= a.xmin || a.ymax <= b.ymin || b.ymax <= a.ymin;
}

/// Whether over most_overlaps pairs of pieces, one of them of an object that can move, are of objects whose
/// boxes overlap. All values must be sound.
bool overlaps_too_often(const Level& level, const Profile& profile) {
  struct Placed {
    Bounds box;
    std::size_t pieces;
    bool fixed;
  };
  std::size_t pieces = 0;
  for (const LevelObject& object : level.objects) {
    const Shape& shape = *type_of(profile, object)->shape;
    pieces += shape.parts.size() + shape.discs.size();
  }
  if (pieces * pieces / 2 <= most_overlaps) return false;
  std::vector<Placed> placed;
  for (const LevelObject& object : level.objects) {
    const Shape shape = transformed(*shape_of(*type_of(profile, object), object),
                                    {object.position, radians(object.rotation_deg)});
    placed.push_back({bounds(shape), shape.parts.size() + shape.discs.size(), object.kind == Kind::platform});
  }
  std::sort(placed.begin(), placed.end(),
            [](const Placed& a, const Placed& b) { return a.box.xmin < b.box.xmin; });
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const Placed& a = placed[i];
    for (std::size_t j = i + 1; j < placed.size() && placed[j].box.xmin < a.box.xmax; ++j) {
      const Placed& b = placed[j];
      if (!(a.fixed && b.fixed) && !disjoint(a.box, b.box)) pairs += a.pieces * b.pieces;
      if (pairs > most_overlaps) return true;
    }
  }
  return false;
}

/// What makes the level unusable.
std::vector<std::string> find_errors(const Level& level, const Profile& profile) {
  std::vector<std::string> errors;
  std::ostringstream text;
  if (level.width < 1 || level.width > 100) {
    text << "width is " << level.width << "; allowed: 1 to 100 landscapes";
    return {text.str()};
  }
  const double half_width = profile.width_per_unit * level.width / 2;
  if (!(std::fabs(level.slingshot.x) <= half_width) || !(std::fabs(level.slingshot.y) <= 1000)) {
    text << "slingshot is at (" << level.slingshot.x << ", " << level.slingshot.y
         << "); allowed: |x| <= " << half_width << ", |y| <= 1000";
    errors.push_back(text.str());
  }
  for (const auto& [what, count, most] : {std::tuple{"birds", level.birds.size(), most_birds},
                                          std::tuple{"objects", level.objects.size(), most_objects}})
    if (count > most)
      return {std::to_string(count) + " " + what + "; allowed: at most " + std::to_string(most)};
  for (std::size_t i = 0; i < level.birds.size(); ++i)
    if (!profile.find_bird(level.birds[i]))
      errors.push_back("bird " + std::to_string(i) + ": type '" + level.birds[i] +
                       "' is unknown to profile " + profile.name);
  for (std::size_t i = 0; i < level.objects.size(); ++i)
    check_values(i, level.objects[i], level, profile, errors);
  if (errors.empty() && overlaps_too_often(level, profile))
    errors.push_back(
        std::to_string(level.objects.size()) + " objects, over " + std::to_string(most_overlaps) +
        " pairs of whose pieces overlap; allowed: at most so many pairs, or settling would take minutes; "
        "move the objects apart");
  return errors;
}

/// "Block novel_object_0 of wood".
std::string described(const UnknownElement& unknown) {
  std::string what = unknown.element;
  for (const auto& [key, value] : unknown.attributes)
    if (!value.empty() && (key == "type" || key == "material"))
      what += (key == "type" ? " " : " of ") + value;
  return what;
}

/// Sorts the unknown elements into what is dropped, each kind once, and what is played as the level's own
/// novelty.
void list_unknown(const Level& level, LevelProblems& problems) {
  std::vector<std::string> kinds;  // in the order of the file
  std::map<std::string, std::size_t> counts;
  for (const UnknownElement& unknown : level.unknown) {
    if (unknown.element == "Score") continue;
    const std::string what = described(unknown);
    if (level.novelty && is_novelty_element(unknown))
      problems.own_novelty.push_back(what);
    else if (++counts[what] == 1)
      kinds.push_back(what);
  }
  for (const std::string& what : kinds) problems.dropped.push_back(what + times(counts[what]));
}

}  // namespace

std::vector<std::string> Ignored::listed() const {
  std::vector<std::string> texts;
  for (const auto& [what, count] : counts) texts.push_back(what + times(count));
  return texts;
}

LevelProblems validate(const Level& level, const Profile& profile) {
  LevelProblems problems{.errors = find_errors(level, profile)};
  if (!problems.errors.empty()) return problems;

  const double half_width = profile.width_per_unit * level.width / 2;
  const auto has = [&](Kind kind) {
    return std::any_of(level.objects.begin(), level.objects.end(),
                       [&](const LevelObject& o) { return o.kind == kind; });
  };
  if (level.birds.empty()) problems.warnings.push_back("the level has no birds: nothing can be shot");
  if (!has(Kind::pig))
    problems.warnings.push_back("the level has no pigs: it counts as cleared from the start");
  if (!has(Kind::block)) problems.warnings.push_back("the level has no blocks");
  for (const std::string& what : level.ignored.listed())
    problems.warnings.push_back(what + " is ignored, as by the game");
  list_unknown(level, problems);

  const std::size_t n = level.objects.size();
  std::vector<Shape> shapes;
  std::vector<Bounds> boxes;
  for (const LevelObject& object : level.objects) {
    const ObjectType& type = *type_of(profile, object);
    shapes.push_back(transformed(*shape_of(type, object), {object.position, radians(object.rotation_deg)}));
    boxes.push_back(bounds(shapes.back()));
  }
  std::vector<std::size_t> by_top(n);  // highest first
  std::iota(by_top.begin(), by_top.end(), std::size_t{0});
  std::stable_sort(by_top.begin(), by_top.end(),
                   [&](std::size_t a, std::size_t b) { return boxes[a].ymax > boxes[b].ymax; });
  const Vec2 rest = level.slingshot + profile.rest_offset;
  if (rest.y < profile.ground_y)
    problems.warnings.push_back("the slingshot stands in the ground: no bird can fly");
  const Shape waiting = disc_shape(0.05, rest);
  std::size_t overlaps = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const LevelObject& object = level.objects[i];
    if (overlap_depth(shapes[i], waiting) > 0)
      problems.warnings.push_back(described(i, object) + " covers the place where birds wait to be shot");
    if (boxes[i].xmax < -half_width || boxes[i].xmin > half_width)
      problems.warnings.push_back(described(i, object) + " lies outside the world" +
                                  (object.kind == Kind::platform ? "" : " and dies at once"));
    if (object.kind == Kind::platform) continue;
    if (boxes[i].ymin < profile.ground_y - overlap_tolerance)
      problems.warnings.push_back(described(i, object) + " reaches into the ground");
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i || (j > i && level.objects[j].kind != Kind::platform) || disjoint(boxes[i], boxes[j]))
        continue;
      const double depth = overlap_depth(shapes[i], shapes[j]);
      if (!(depth > overlap_tolerance) || ++overlaps > named_overlaps) continue;
      std::ostringstream overlap;
      overlap << described(i, object) << " overlaps " << described(j, level.objects[j]) << " by " << depth;
      problems.warnings.push_back(overlap.str());
    }
    double gap = boxes[i].ymin - profile.ground_y;
    for (const std::size_t j : by_top) {
      if (boxes[i].ymin - boxes[j].ymax >= gap) break;  // nor is anything further down nearer
      if (j != i && boxes[j].ymin < boxes[i].ymin && boxes[j].xmin < boxes[i].xmax &&
          boxes[i].xmin < boxes[j].xmax)
        gap = std::min(gap, distance(shapes[i], shapes[j]));
    }
    if (gap > float_tolerance) {
      std::ostringstream floating;
      floating << described(i, object) << " floats " << gap << " above what is below it";
      problems.warnings.push_back(floating.str());
    }
  }
  if (overlaps > named_overlaps)
    problems.warnings.push_back(std::to_string(overlaps - named_overlaps) + " more pairs of objects overlap");
  return problems;
}

Scene make_scene(const Level& level, std::shared_ptr<const Profile> profile, const Novelty* novelty) {
  const std::vector<std::string> errors = find_errors(level, *profile);
  if (!errors.empty()) {
    std::string text = "level " + level.name + ": " + errors[0];
    if (errors.size() > 1) text += " (and " + std::to_string(errors.size() - 1) + " more)";
    throw Error(text);
  }
  Scene scene;
  scene.slingshot = level.slingshot;
  scene.half_width = profile->width_per_unit * level.width / 2;
  scene.birds = level.birds;
  for (const LevelObject& object : level.objects) {
    const ObjectType& type = *type_of(*profile, object);
    scene.objects.push_back({.kind = object.kind,
                             .type = object.type,
                             .material = object.material,
                             .pose = {object.position, radians(object.rotation_deg)},
                             .shape = shape_of(type, object),
                             .parameters = type.parameters,
                             .explosion = type.explosion,
                             .life = type.parameters.life});
  }
  scene.profile = std::move(profile);
  if (novelty) apply(*novelty, scene);
  return scene;
}

Vec2 gravity_of(const Scene& scene) {
  const double size = scene.profile->gravity;
  if (!scene.world) return {0, -size};
  const Vec2 along = direction(scene.world->tilt);  // of what points to the right without it
  return scene.world->gravity * size * Vec2{along.y, -along.x};
}

std::vector<std::size_t> geometric_order(const Scene& scene) {
  std::vector<std::size_t> order(scene.objects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    const SceneObject& o = scene.objects[i];
    return std::tuple(o.pose.position.x, o.pose.position.y, o.pose.angle, o.kind, o.material,
                      std::string_view(o.type), o.shape->area, bounds(*o.shape).width(), i);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double xa = scene.objects[a].pose.position.x, xb = scene.objects[b].pose.position.x;
    return xa != xb ? xa < xb : key(a) < key(b);
  });
  return order;
}

Scene reordered(const Scene& scene, const std::vector<std::size_t>& order) {
  Scene result = scene;
  for (std::size_t k = 0; k < order.size(); ++k) result.objects[k] = scene.objects[order[k]];
  if (scene.world) result.world = std::make_shared<const WorldChange>(reordered(*scene.world, order));
  return result;
}

Level level_from_scene(const Level& level, const Scene& scene) {
  Level result = level;
  result.objects.clear();
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const SceneObject& object = scene.objects[i];
    if (!object.alive) continue;
    LevelObject placed = level.objects[i];
    // An object that has not turned keeps the degrees of its file, free of conversion error.
    if (object.pose.angle != radians(placed.rotation_deg)) placed.rotation_deg = degrees(object.pose.angle);
    placed.position = object.pose.position;
    result.objects.push_back(placed);
  }
  result.birds.erase(result.birds.begin(),
                     result.birds.begin() + static_cast<std::ptrdiff_t>(scene.next_bird));
  return result;
}

}  // namespace startle
