#include "levels/structure.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace startle {

namespace {

Bounds turned_bounds(const Shape& shape, double rotation_deg) {
  return bounds(transformed(shape, Pose{{}, radians(rotation_deg)}));
}

bool overlap(const Bounds& a, const Bounds& b) {
  return a.xmin < b.xmax && b.xmin < a.xmax && a.ymin < b.ymax && b.ymin < a.ymax;
}

bool is_rectangle(const std::string& type) { return type.starts_with("Rect") || type.starts_with("Square"); }

// Roofs and walls further away than this do not protect a pig.
constexpr double shelter_reach = 2.0;

}  // namespace

Brick brick(const Profile& profile, const std::string& type, double rotation_deg) {
  const ObjectType* entry = profile.find(Kind::block, type, Material::wood);
  if (!entry) throw Error("profile " + profile.name + ": no block type " + type);
  const Bounds box = turned_bounds(*entry->shape, rotation_deg);
  return {type, rotation_deg, box.width(), box.height()};
}

std::vector<double> row_of(int count, double x, double width, double gap) {
  std::vector<double> xs;
  for (int i = 0; i < count; ++i) xs.push_back(x + (i - 0.5 * (count - 1)) * (width + gap));
  return xs;
}

Draft::Draft(const Profile& profile, Random& random) : profile_(profile), random_(random) {
  level_.width = 2;
  level_.slingshot = {std::round(random_.uniform(-11, -8) * 4) / 4, profile_.ground_y + 1};
  for (int i = 0; i < 5; ++i)
    level_.birds.push_back(science_birds()[random_.weighted({0.2, 0.15, 0.15, 0.25, 0.25})]);
  new_palette();
}

Draft::Draft(const Profile& profile, Random& random, Level level)
    : profile_(profile), random_(random), level_(std::move(level)) {
  for (const LevelObject& object : level_.objects) {
    const ObjectType* entry = profile_.find(object.kind, object.type, object.material);
    if (!entry)
      throw Error("profile " + profile_.name + ": no " + name(object.kind) + " type " + object.type);
    const Bounds box = turned_bounds(*entry->shape, object.rotation_deg);
    const double sx = object.scale_x, sy = object.scale_y;
    boxes_.push_back({object.position.x + sx * box.xmin, object.position.x + sx * box.xmax,
                      object.position.y + sy * box.ymin, object.position.y + sy * box.ymax});
    flat_.push_back(object.kind == Kind::platform ||
                    (object.kind == Kind::block && is_rectangle(object.type)));
  }
  new_palette();
}

void Draft::new_palette() {
  materials_ = static_cast<Materials>(random_.weighted({0.15, 0.35, 0.25, 0.25}));
  samples_.clear();
  if (materials_ == Materials::one) samples_.push_back({{}, draw_material()});
  if (materials_ == Materials::clusters) {
    for (int i = random_.integer(2, 4); i > 0; --i) {
      const double x = random_.uniform(first_x(), last_x()), y = random_.uniform(ground(), ground() + 4);
      samples_.push_back({{x, y}, draw_material()});
    }
  }
}

Material Draft::pick_material(double x, double bottom) {
  switch (materials_) {
    case Materials::one:
      return samples_.front().second;
    case Materials::per_row: {
      for (const auto& [place, material] : samples_)
        if (std::abs(place.y - bottom) < 0.02) return material;
      samples_.push_back({{x, bottom}, draw_material()});
      return samples_.back().second;
    }
    case Materials::clusters:
      return std::min_element(samples_.begin(), samples_.end(),
                              [&](const auto& a, const auto& b) {
                                return length(a.first - Vec2{x, bottom}) < length(b.first - Vec2{x, bottom});
                              })
          ->second;
    case Materials::per_block:
      return draw_material();
  }
  return Material::wood;
}

double Draft::add(LevelObject object, const Shape& shape, double x, double bottom, bool flat_top) {
  const Bounds box = turned_bounds(shape, object.rotation_deg);
  object.position = {x - box.centre().x, bottom + placement_gap - box.ymin};
  const double half = 0.5 * box.width(), low = bottom + placement_gap;
  boxes_.push_back({x - half, x + half, low, low + box.height()});
  flat_.push_back(flat_top);
  level_.objects.push_back(std::move(object));
  return boxes_.back().ymax;
}

double Draft::put(const Brick& brick, double x, double bottom) {
  return put(brick, pick_material(x, bottom), x, bottom);
}

double Draft::put(const Brick& brick, Material material, double x, double bottom) {
  const ObjectType* entry = profile_.find(Kind::block, brick.type, material);
  if (!entry)
    throw Error("profile " + profile_.name + ": no block type " + brick.type + " of " + name(material));
  LevelObject object;
  object.type = brick.type;
  object.material = material;
  object.rotation_deg = brick.rotation_deg;
  return add(std::move(object), *entry->shape, x, bottom, is_rectangle(brick.type));
}

double Draft::put_row(const Brick& brick, const std::vector<double>& xs, double bottom) {
  double top = bottom;
  for (double x : xs) top = put(brick, x, bottom);
  return top;
}

void Draft::put(Kind kind, const std::string& type, double x, double bottom) {
  const ObjectType* entry = profile_.find(kind, type);
  if (!entry) throw Error("profile " + profile_.name + ": no " + name(kind) + " type " + type);
  LevelObject object;
  object.kind = kind;
  object.type = type;
  add(std::move(object), *entry->shape, x, bottom, false);
}

void Draft::put_platform(double x, double top, double scale_x, double scale_y) {
  const ObjectType* entry = profile_.find(Kind::platform, "Platform");
  if (!entry) throw Error("profile " + profile_.name + ": no platform type Platform");
  const Bounds unit = bounds(*entry->shape);
  const double half_width = 0.5 * scale_x * unit.width(), height = scale_y * unit.height();
  LevelObject object;
  object.kind = Kind::platform;
  object.type = "Platform";
  object.position = {x, top - 0.5 * height};
  object.scale_x = scale_x;
  object.scale_y = scale_y;
  level_.objects.push_back(std::move(object));
  boxes_.push_back({x - half_width, x + half_width, top - height, top});
  flat_.push_back(true);
}

double Draft::tile() const { return size(Kind::platform, "Platform").first; }

std::pair<double, double> Draft::size(Kind kind, const std::string& type) const {
  const ObjectType* entry = profile_.find(kind, type);
  if (!entry) throw Error("profile " + profile_.name + ": no " + name(kind) + " type " + type);
  const Bounds box = bounds(*entry->shape);
  return {box.width(), box.height()};
}

bool Draft::free(const Bounds& box) const {
  return std::none_of(boxes_.begin(), boxes_.end(), [&](const Bounds& other) { return overlap(box, other); });
}

std::vector<Spot> Draft::spots(double width, double height) const {
  std::vector<Spot> found;
  if (boxes_.empty()) return found;
  const double margin = 0.05;

  const auto supported = [&](double x, double bottom) {
    if (bottom == ground()) return true;
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      if (flat_[i] && std::abs(boxes_[i].ymax - bottom) < 0.01 && boxes_[i].xmin <= x && x <= boxes_[i].xmax)
        return true;
    return false;
  };
  const auto consider = [&](double x, double bottom) {
    // The flat foot of a pig spans about the middle two thirds of its width.
    if (!supported(x, bottom) || !supported(x - 0.33 * width, bottom) || !supported(x + 0.33 * width, bottom))
      return;
    const Bounds body{x - 0.5 * width - margin, x + 0.5 * width + margin, bottom + placement_gap,
                      bottom + height + 2 * placement_gap};
    if (!free(body)) return;
    const bool roof = !free({x - 0.25 * width, x + 0.25 * width, body.ymax, body.ymax + shelter_reach});
    const bool wall = !free({x - shelter_reach, x, bottom + 0.4 * height, bottom + 0.6 * height});
    found.push_back({x, bottom,
                     roof && wall   ? Exposure::hidden
                     : roof || wall ? Exposure::covered
                                    : Exposure::open});
  };

  const double spacing = 0.3;
  double left = boxes_.front().xmin, right = boxes_.front().xmax;
  for (const Bounds& box : boxes_) {
    left = std::min(left, box.xmin);
    right = std::max(right, box.xmax);
  }
  for (double x = left - 0.5; x < right + 1; x += spacing) consider(x, ground());
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    if (!flat_[i]) continue;
    const Bounds& box = boxes_[i];
    const int half = std::max(0, static_cast<int>((0.5 * box.width() - 0.33 * width) / spacing));
    for (int k = -half; k <= half; ++k) consider(box.centre().x + k * spacing, box.ymax);
  }
  return found;
}

int Draft::put_pigs(int count) {
  static const std::vector<std::string> types{"BasicSmall", "BasicMedium", "BasicBig"};
  int placed = 0;
  for (int i = 0; i < count; ++i) {
    const auto exposure = static_cast<Exposure>(random_.weighted({0.3, 0.3, 0.4}));
    const bool raised = random_.chance(0.8);
    // A smaller pig fits where the drawn one does not.
    for (int type = static_cast<int>(random_.weighted({0.35, 0.45, 0.2})); type >= 0; --type) {
      const auto [width, height] = size(Kind::pig, types[static_cast<std::size_t>(type)]);
      std::vector<Spot> best = spots(width, height);
      const auto narrow = [&best](const auto& wanted) {
        std::vector<Spot> fewer;
        std::copy_if(best.begin(), best.end(), std::back_inserter(fewer), wanted);
        if (!fewer.empty()) best = std::move(fewer);
        return !best.empty() && wanted(best.front());
      };
      const bool right_height = narrow([&](const Spot& s) { return (s.bottom > ground()) == raised; });
      narrow([&](const Spot& s) { return s.exposure == exposure; });
      if (best.empty() || (!right_height && type > 0)) continue;
      const Spot spot = random_.choice(best);
      put(Kind::pig, types[static_cast<std::size_t>(type)], spot.x, spot.bottom);
      ++placed;
      break;
    }
  }
  return placed;
}

int Draft::put_tnt(int count) {
  const auto [width, height] = size(Kind::tnt, "TNT");
  int placed = 0;
  for (int i = 0; i < count; ++i) {
    std::vector<Spot> places = spots(width, height);
    std::erase_if(places, [](const Spot& s) { return s.exposure == Exposure::open; });
    if (places.empty()) break;
    const Spot spot = random_.choice(places);
    put(Kind::tnt, "TNT", spot.x, spot.bottom);
    ++placed;
  }
  return placed;
}

void Draft::put_ornaments(int count) {
  static const std::vector<std::string> types{"Circle", "CircleSmall", "Triangle", "TriangleHole",
                                              "SquareHole"};
  for (int i = 0; i < count; ++i) {
    const Brick ornament = brick(profile_, random_.choice(types));
    std::vector<Spot> places = spots(ornament.width, ornament.height);
    std::erase_if(places,
                  [&](const Spot& s) { return s.bottom == ground() || s.exposure == Exposure::hidden; });
    if (places.empty()) continue;
    const Spot spot = random_.choice(places);
    put(ornament, spot.x, spot.bottom);
  }
}

std::vector<Slot> Draft::ground_slots(int count, double height) {
  std::vector<double> shares;
  double total = 0;
  for (int i = 0; i < count; ++i) {
    shares.push_back(random_.uniform(0.7, 1.3));
    total += shares.back();
  }
  const double length = last_x() - first_x();
  double left = first_x();
  std::vector<Slot> slots;
  for (double share : shares) {
    const double width = length * share / total, gap = random_.uniform(0.3, 0.8);
    slots.push_back({left + 0.5 * width, ground(), width - gap, height});
    left += width;
  }
  return slots;
}

}  // namespace startle
