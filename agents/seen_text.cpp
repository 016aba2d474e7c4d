#include "agents/seen_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/text.hpp"

namespace startle {
namespace {

constexpr std::size_t places_shown = 8;
constexpr double still = 0.1;  // world units and radians

/// With at most two digits after the point.
std::string short_number(double value) {
  if (std::fabs(value) < 0.005) return "0";
  std::string text = fixed(value, 2);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string place_words(Vec2 p) { return "(" + short_number(p.x) + ", " + short_number(p.y) + ")"; }

/// Width and height as it stands.
std::string size_words(const SeenObject& object) {
  if (!object.shape->discs.empty()) return "radius " + short_number(object.shape->discs.front().radius);
  const Polygon outline = transformed(object.shape->outlines.front(), object.pose);
  const auto [left, right] = std::minmax_element(outline.begin(), outline.end(),
                                                 [](Vec2 a, Vec2 b) { return a.x < b.x; });
  const auto [low, high] = std::minmax_element(outline.begin(), outline.end(),
                                               [](Vec2 a, Vec2 b) { return a.y < b.y; });
  return short_number(right->x - left->x) + " x " + short_number(high->y - low->y);
}

std::vector<SeenMotion::Place> some_of(const std::vector<SeenMotion::Place>& path) {
  std::vector<double> way{0};
  for (std::size_t i = 1; i < path.size(); ++i)
    way.push_back(way.back() + length(path[i].pose.position - path[i - 1].pose.position));
  std::set<std::size_t> kept{0, path.size() - 1};
  for (std::size_t mark = 0; mark < places_shown; ++mark) {
    const double at = way.back() * static_cast<double>(mark) / (places_shown - 1);
    const auto nearest = std::min_element(
        way.begin(), way.end(), [&](double a, double b) { return std::fabs(a - at) < std::fabs(b - at); });
    kept.insert(static_cast<std::size_t>(nearest - way.begin()));
  }
  std::vector<SeenMotion::Place> some;
  for (const std::size_t i : kept) some.push_back(path[i]);
  return some;
}

bool is_near(const Pose& a, const Pose& b) {
  return std::fabs(a.position.x - b.position.x) < still && std::fabs(a.position.y - b.position.y) < still &&
         std::fabs(a.angle - b.angle) < still;
}

}  // namespace

std::string object_words(const SeenObject& object) {
  const std::string material = object.material == Material::none ? ""
                                                                 : std::string(name(object.material)) + " ";
  return material + name(object.kind) + (object.type.empty() ? "" : " " + object.type);
}

std::string level_text(const Observation& seen) {
  std::string text = "Level " + std::to_string(seen.level) + ", shot " + std::to_string(seen.shot) +
                     ". Birds left, the next one first: " +
                     (seen.birds.empty() ? "none" : listed(seen.birds)) + ".\nThe bird starts from " +
                     place_words(seen.rest) + ", pulled back by up to " + short_number(seen.max_stretch) +
                     ", with speed " + short_number(seen.launch_speed) +
                     " at the longest pull, and falls with " + short_number(seen.flight_gravity) +
                     " per second squared. The ground is at y = " + short_number(seen.ground_y) +
                     "; the world ends at x = +-" + short_number(seen.half_width) +
                     ".\nObjects (number, what, centre, size as it stands):";
  for (const SeenObject& object : seen.objects)
    text += "\n" + std::to_string(object.id) + ": " + object_words(object) + " " +
            place_words(object.pose.position) + " " + size_words(object);
  return text;
}

std::vector<SeenMotion> seen_motions(const SeenShot& seen) {
  std::map<int, std::vector<SeenMotion::Place>> paths;  // each from where the body was before the shot
  std::map<int, std::string> names;
  std::map<int, Pose> last;
  for (const SeenObject& object : seen.before.objects) {
    names[object.id] = object_words(object);
    if (object.kind == Kind::platform) continue;
    last[object.id] = object.pose;
    paths[object.id] = {{0, object.pose}};
  }
  std::map<int, double> gone;
  std::set<int> changed;
  for (const SeenFrame& frame : seen.frames) {
    std::map<int, Pose> now;
    for (const SeenBody& body : frame.bodies) {
      now[body.id] = body.pose;
      const auto before = last.find(body.id);
      if (before != last.end() && before->second.position == body.pose.position &&
          before->second.angle == body.pose.angle)
        continue;
      paths[body.id].push_back({frame.time, body.pose});
      changed.insert(body.id);
    }
    for (const auto& [id, pose] : last)
      if (!now.contains(id)) {
        gone[id] = frame.time;
        changed.insert(id);
      }
    last = std::move(now);
  }
  std::vector<SeenMotion> all;
  for (const int id : changed) {
    const std::vector<SeenMotion::Place>& path = paths[id];
    SeenMotion& motion = all.emplace_back(
        SeenMotion{.id = id,
                   .what = names.contains(id)      ? names[id]
                           : id == seen.first_bird ? "bird"
                                                   : "another bird",
                   .places = some_of(path),
                   .turned = path.back().pose.angle - path.front().pose.angle});
    if (gone.contains(id)) motion.gone = gone[id];
    motion.hardly_moved = !motion.gone &&
                          std::all_of(path.begin(), path.end(), [&](const SeenMotion::Place& p) {
                            return is_near(p.pose, path.front().pose);
                          });
  }
  return all;
}

std::string shot_text(const SeenShot& seen) {
  std::string text = "The " + seen.bird + " was launched at " + short_number(degrees(seen.shot.angle)) +
                     " degrees. What moved, with places at times; a turn is over all of it:";
  std::vector<std::string> stayed;
  const std::vector<SeenMotion> all = seen_motions(seen);
  for (const SeenMotion& motion : all) {
    if (motion.hardly_moved) {
      stayed.push_back(std::to_string(motion.id));
      continue;
    }
    text += "\n" + std::to_string(motion.id) + ": " + motion.what + ":";
    for (const SeenMotion::Place& place : motion.places)
      text += " t=" + short_number(place.time) + place_words(place.pose.position);
    const double turned = degrees(motion.turned);
    if (std::fabs(turned) >= 1) text += " turned " + fixed(turned, 0) + " degrees";
    if (motion.gone) text += " destroyed or gone at t=" + short_number(*motion.gone);
  }
  if (!stayed.empty())
    text += "\nMoved by less than " + short_number(still) + ", or turned by a few degrees: " + listed(stayed);
  return all.empty() ? text + "\nnothing" : text;
}

}  // namespace startle
