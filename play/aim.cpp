#include "play/aim.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "reasoning/qualitative/trajectory.hpp"

namespace startle {
namespace {

double on_grid(double value) { return std::round(value * 100) / 100; }

double turned_into_range(double degrees) {
  degrees = std::remainder(degrees, 360.0);  // -180 ... 180
  return degrees <= -180 ? 180 : degrees;
}

}  // namespace

void Aim::drag_to(Vec2 point, const Scene& scene) {
  const Vec2 rest = scene.rest();
  pulled_ = point != rest;
  if (!pulled_) return;
  const Shot shot = Shot::from_drag_point(point, rest, scene.profile->max_stretch);
  pulled_ = shot.stretch >= least_stretch;
  if (!pulled_) return;
  angle_deg_ = turned_into_range(on_grid(degrees(shot.angle)));
  stretch_ = std::clamp(on_grid(shot.stretch), least_stretch, 1.0);
}

void Aim::nudge(double turn, double stretch) {
  if (pulled_) {
    angle_deg_ = turned_into_range(on_grid(angle_deg_ + turn));
    stretch_ = std::clamp(on_grid(stretch_ + stretch), least_stretch, 1.0);
  }
  pulled_ = true;
}

Shot Aim::shot() const { return {.angle = radians(angle_deg_), .stretch = stretch_}; }

Vec2 Aim::held_at(const Scene& scene) const {
  if (!pulled_) return scene.rest();
  return scene.rest() - (stretch_ * scene.profile->max_stretch) * direction(radians(angle_deg_));
}

std::string shot_text(const Shot& shot) {
  // The way through radians adds digits far behind the point; those of the grid come back.
  const auto rounded = [](double value) { return shortest(std::round(value * 1e9) / 1e9); };
  std::string text = rounded(degrees(shot.angle));
  if (shot.tap_time >= 0) text += "," + rounded(shot.tap_time);
  if (shot.stretch < 1) text += std::string(shot.tap_time >= 0 ? "" : ",") + "," + rounded(shot.stretch);
  return text;
}

std::vector<Vec2> flight_points(const Scene& scene, const Shot& shot, double seconds) {
  if (scene.birds_left() == 0) return {};
  const Trajectory path = flight(scene, scene.profile->bird(scene.birds[scene.next_bird]), shot);
  std::vector<Vec2> points;
  for (double t = 0; t <= seconds; t += 0.04) {
    const Vec2 p = path.at(t);
    if (p.y < scene.profile->ground_y + path.radius) break;
    points.push_back(p);
  }
  return points;
}

std::vector<Vec2> flown_points(const Scene& before, const Trace& trace) {
  const auto bird = static_cast<BodyId>(before.objects.size());
  int last = static_cast<int>(std::lround(4 / trace.step_s));
  for (const Event& event : trace.events)
    if ((event.kind == EventKind::contact && (event.a == bird || event.b == bird)) ||
        (event.kind == EventKind::tap && event.a == bird))
      last = std::min(last, event.step);
  const Vec2 centre = before.profile->bird(before.birds[before.next_bird]).centre;
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < trace.frames.size() && trace.frames[i].step <= last; i += 3)
    for (const BodyState& body : trace.frames[i].bodies)
      if (body.id == bird) points.push_back(transformed(centre, body.pose));
  return points;
}

}  // namespace startle
