#include "play/level_edit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "levels/structure.hpp"
#include "sim/placement.hpp"

namespace startle {
namespace {

constexpr std::size_t most_steps_back = 500;
constexpr double highest = 20;  ///< above the ground, world units: where objects may be moved to

double rounded(double value, double step) { return std::round(value / step) * step; }
/// Short in a file, exact enough for anything.
double tidy(double value) { return std::round(value * 1e6) / 1e6; }

double turned(double degrees) {
  const double result = tidy(std::remainder(degrees, 360.0));
  return result <= -180 ? 180 : result;
}

}  // namespace

std::vector<ObjectChoice> object_choices(const Profile& profile, Material material) {
  std::vector<ObjectChoice> choices;
  for (const Kind kind : {Kind::block, Kind::pig, Kind::tnt, Kind::platform})
    for (const ObjectType& type : profile.object_types)
      if (type.kind == kind && (kind != Kind::block || type.material == material))
        choices.push_back({kind, type.type, type.material});
  return choices;
}

StoredLevel empty_level(const std::string& name, const Profile& profile) {
  StoredLevel level;
  level.name = name;
  level.width = 2;
  level.slingshot = {-9.5, profile.ground_y + 1};
  level.birds = {"BirdRed", "BirdRed", "BirdRed"};
  return level;
}

LevelEdit::LevelEdit(StoredLevel level, std::shared_ptr<const Profile> profile)
    : profile_(std::move(profile)),
      level_(std::move(level)),
      saved_(level_),
      scene_(make_scene(level_, profile_)) {}

bool LevelEdit::selected(std::size_t object) const {
  return std::binary_search(selection_.begin(), selection_.end(), object);
}

void LevelEdit::select(std::vector<std::size_t> objects) {
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  if (objects != selection_) end_gesture();
  selection_ = std::move(objects);
}

void LevelEdit::toggle(std::size_t object) {
  std::vector<std::size_t> objects = selection_;
  if (selected(object))
    std::erase(objects, object);
  else
    objects.push_back(object);
  select(std::move(objects));
}

std::vector<std::size_t> LevelEdit::objects_in(const Bounds& box) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < level_.objects.size(); ++i) {
    const Vec2 at = scene_.objects[i].world_bounds().centre();
    if (at.x >= box.xmin && at.x <= box.xmax && at.y >= box.ymin && at.y <= box.ymax) found.push_back(i);
  }
  return found;
}

std::optional<std::size_t> LevelEdit::object_at(Vec2 point) const {
  constexpr double reach = 0.04;  // thin things can be caught, too
  for (std::size_t i = scene_.objects.size(); i-- > 0;) {
    const Shape shape = scene_.objects[i].world_shape();
    for (const Polygon& part : shape.parts)
      if (distance(part, point) <= reach) return i;
    for (const Disc& disc : shape.discs)
      if (length(point - disc.centre) <= disc.radius + reach) return i;
  }
  return {};
}

void LevelEdit::begin(const std::string& kind) {
  redo_.clear();
  if (kind.empty() || kind != kind_) undo_.push_back({level_, selection_});
  if (undo_.size() > most_steps_back) undo_.erase(undo_.begin());
  kind_ = kind;
  // What was verified and computed is of another level from now on.
  level_.provenance.reset();
  level_.difficulty.reset();
}

void LevelEdit::end() {
  scene_ = make_scene(level_, profile_);
  ++revision_;
}

Bounds LevelEdit::selected_bounds() const {
  Bounds all = scene_.objects[selection_[0]].world_bounds();
  for (const std::size_t i : selection_) {
    const Bounds box = scene_.objects[i].world_bounds();
    all = {std::min(all.xmin, box.xmin), std::max(all.xmax, box.xmax), std::min(all.ymin, box.ymin),
           std::max(all.ymax, box.ymax)};
  }
  return all;
}

void LevelEdit::place(const ObjectChoice& choice, Vec2 at) {
  at = {std::clamp(at.x, -scene_.half_width, scene_.half_width),
        std::clamp(at.y, profile_->ground_y, profile_->ground_y + highest)};
  begin("");
  level_.objects.push_back(
      {choice.kind, choice.type, choice.material, {tidy(rounded(at.x, grid)), tidy(rounded(at.y, grid))}});
  end();
  selection_ = {level_.objects.size() - 1};
  // Not below the ground, not beside the world.
  const std::vector<Snapshot> steps = undo_;
  move({});
  undo_ = steps;
  end_gesture();
}

Vec2 LevelEdit::move(Vec2 by) {
  if (selection_.empty()) return {};
  const Bounds box = selected_bounds();
  const double ground = profile_->ground_y;
  const auto into = [](double value, double low, double high) {
    return low > high ? 0 : std::clamp(value, low, high);
  };
  by = {into(by.x, -scene_.half_width - box.xmin, scene_.half_width - box.xmax),
        into(by.y, ground - box.ymin, ground + highest - box.ymax)};
  if (by == Vec2{}) return {};
  begin("move");
  for (const std::size_t i : selection_) {
    Vec2& position = level_.objects[i].position;
    position = {tidy(position.x + by.x), tidy(position.y + by.y)};
  }
  end();
  return by;
}

void LevelEdit::rotate(double degrees) {
  if (selection_.empty() || degrees == 0) return;
  const Bounds box = selected_bounds();
  const Vec2 middle = selection_.size() == 1 ? level_.objects[selection_[0]].position : box.centre();
  // What turns out of the world comes back as one; what is longer than the world is wide does not turn.
  std::vector<Vec2> places;
  double least = scene_.half_width, most = -scene_.half_width;
  for (const std::size_t i : selection_) {
    const Vec2 position = level_.objects[i].position;
    places.push_back(selection_.size() > 1 ? transformed(position - middle, {middle, radians(degrees)})
                                           : position);
    least = std::min(least, places.back().x);
    most = std::max(most, places.back().x);
  }
  if (most - least > 2 * scene_.half_width) return;
  const double back = std::max(0.0, -scene_.half_width - least) + std::min(0.0, scene_.half_width - most);
  begin("rotate");
  for (std::size_t k = 0; k < selection_.size(); ++k) {
    LevelObject& object = level_.objects[selection_[k]];
    if (selection_.size() > 1) object.position = {tidy(places[k].x + back), tidy(places[k].y)};
    object.rotation_deg = turned(object.rotation_deg + degrees);
  }
  end();
  const std::string kind = kind_;
  kind_ = "move";  // back into the world belongs to the turn
  move({});
  kind_ = kind;
}

void LevelEdit::drop() {
  if (selection_.empty()) return;
  std::vector<Shape> others;
  std::vector<Bounds> boxes;
  for (std::size_t i = 0; i < scene_.objects.size(); ++i) {
    if (selected(i)) continue;
    others.push_back(scene_.objects[i].world_shape());
    boxes.push_back(bounds(others.back()));
  }
  // How far each may fall before it meets something that is not selected.
  double fall = 1e9;
  for (const std::size_t i : selection_) {
    const Shape shape = scene_.objects[i].world_shape();
    const Bounds box = bounds(shape);
    fall = std::min(fall, box.ymin - profile_->ground_y);
    for (std::size_t j = 0; j < others.size(); ++j) {
      if (boxes[j].xmax <= box.xmin || box.xmax <= boxes[j].xmin || boxes[j].ymin >= box.ymax) continue;
      const auto depth = [&](double down) {
        return overlap_depth(transformed(shape, Pose{{0, -down}, 0}), others[j]);
      };
      const double now = depth(0);
      if (now > overlap_tolerance) continue;  // it stands in it: to be moved by hand
      const auto meets = [&](double down) { return depth(down) > now + 1e-9; };
      // The first depth at which they meet, in steps finer than any object is thick.
      for (double down = std::max(0.0, box.ymin - boxes[j].ymax);
           down < std::min(fall, box.ymax - boxes[j].ymin); down += 0.02) {
        if (!meets(down + 0.02)) continue;
        double free = down, met = down + 0.02;
        for (int n = 0; n < 20; ++n) (meets(0.5 * (free + met)) ? met : free) = 0.5 * (free + met);
        fall = std::min(fall, free);
        break;
      }
    }
  }
  if (const double down = fall - placement_gap; std::fabs(down) > 1e-6) {
    end_gesture();
    move({0, -down});
    end_gesture();
  }
}

void LevelEdit::set_material(Material material) {
  const bool any = std::any_of(selection_.begin(), selection_.end(), [&](std::size_t i) {
    const LevelObject& object = level_.objects[i];
    return object.kind == Kind::block && object.material != material &&
           profile_->find(object.kind, object.type, material) != nullptr;
  });
  if (!any) return;
  begin("");
  for (const std::size_t i : selection_)
    if (LevelObject& object = level_.objects[i];
        object.kind == Kind::block && profile_->find(object.kind, object.type, material) != nullptr)
      object.material = material;
  end();
}

void LevelEdit::duplicate() {
  if (selection_.empty()) return;
  const double beside = selected_bounds().width() + side_gap;
  begin("");
  std::vector<std::size_t> copies;
  for (const std::size_t i : selection_) {
    copies.push_back(level_.objects.size());
    level_.objects.push_back(level_.objects[i]);
  }
  end();
  selection_ = std::move(copies);
  const std::vector<Snapshot> steps = undo_;
  if (move({rounded(beside + 0.5 * grid, grid), 0}).x == 0) move({-rounded(beside + 0.5 * grid, grid), 0});
  undo_ = steps;
  end_gesture();
}

void LevelEdit::remove() {
  if (selection_.empty()) return;
  begin("");
  for (std::size_t i = selection_.size(); i-- > 0;)
    level_.objects.erase(level_.objects.begin() + static_cast<std::ptrdiff_t>(selection_[i]));
  selection_.clear();
  end();
}

void LevelEdit::set_object(const LevelObject& object) {
  if (selection_.size() != 1 || level_.objects[selection_[0]] == object) return;
  StoredLevel changed = level_;
  changed.objects[selection_[0]] = object;
  make_scene(changed, profile_);  // throws for what cannot be
  begin("set object");
  level_.objects[selection_[0]] = object;
  end();
}

void LevelEdit::set_birds(std::vector<std::string> birds) {
  if (birds == level_.birds) return;
  StoredLevel changed = level_;
  changed.birds = birds;
  make_scene(changed, profile_);
  begin("");
  level_.birds = std::move(birds);
  end();
}

void LevelEdit::take_poses(const Scene& settled) {
  if (settled.objects.size() != level_.objects.size()) return;
  Level moved = level_from_scene(level_, settled);
  for (LevelObject& object : moved.objects) {
    object.position = {tidy(object.position.x), tidy(object.position.y)};
    object.rotation_deg = tidy(object.rotation_deg);
  }
  if (moved.objects == level_.objects) return;
  begin("");
  level_.objects = std::move(moved.objects);
  selection_.clear();
  end();
}

void LevelEdit::undo() {
  if (undo_.empty()) return;
  redo_.push_back({std::move(level_), std::move(selection_)});
  level_ = std::move(undo_.back().level);
  selection_ = std::move(undo_.back().selection);
  undo_.pop_back();
  end_gesture();
  end();
}

void LevelEdit::redo() {
  if (redo_.empty()) return;
  undo_.push_back({std::move(level_), std::move(selection_)});
  level_ = std::move(redo_.back().level);
  selection_ = std::move(redo_.back().selection);
  redo_.pop_back();
  end_gesture();
  end();
}

}  // namespace startle
