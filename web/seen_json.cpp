#include "web/seen_json.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "difficulty/impact_score.hpp"
#include "render/artwork.hpp"
#include "render/frames.hpp"
#include "web/flown_shots.hpp"

namespace startle {
namespace {

using nlohmann::json;

constexpr double landscape_reach = 30;  ///< world units to both sides
constexpr std::size_t variants = 4;     ///< of a texture, as in the window: neighbours differ

long whole(double value) { return std::lround(value * steps_a_unit); }
json point(Vec2 p) { return {p.x, p.y}; }
json box(const Bounds& b) { return {b.xmin, b.xmax, b.ymin, b.ymax}; }

/// Three whole numbers.
struct SeenPose {
  long x = 0, y = 0, angle = 0;
  friend bool operator==(const SeenPose&, const SeenPose&) = default;
};
SeenPose seen(const Pose& pose) {
  return {whole(pose.position.x), whole(pose.position.y), whole(pose.angle)};
}

/// Objects that look the same have the same name.
std::string art_name(const SceneObject& object, std::size_t index) {
  std::string name = std::string(startle::name(object.kind)) + "/" + object.type + "/" +
                     startle::name(object.material) + "/" + std::to_string(index % variants);
  if (object.kind != Kind::platform) return name;
  const Bounds size = bounds(*object.shape);  // each scaled in its own way
  return name + "/" + std::to_string(whole(size.width())) + "x" + std::to_string(whole(size.height()));
}

int cracks_of(const SceneObject& object, double life) {
  return object.is_static() ? 0 : crack_stage(life / object.parameters.life);
}

std::string paint_colour(Colour c) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::string text = svg_colour(c);
  if (c.a != 255) {
    text += digits[c.a >> 4];
    text += digits[c.a & 15];
  }
  return text;
}

/// "#RRGGBB" or "#RRGGBBAA"; a gradient as [x, y, x, y, from, to] along a line, [x, y, radius, from, to]
/// about a point.
json paint_json(const Paint& paint) {
  const auto rounded = [](double value) { return std::round(value * 1000) / 1000; };
  json ends = {rounded(paint.a.x), rounded(paint.a.y)};
  switch (paint.kind) {
    case Paint::Kind::flat:
      return paint_colour(paint.from);
    case Paint::Kind::linear:
      ends.push_back(rounded(paint.b.x));
      ends.push_back(rounded(paint.b.y));
      break;
    case Paint::Kind::radial:
      ends.push_back(rounded(length(paint.b - paint.a)));
      break;
  }
  ends.push_back(paint_colour(paint.from));
  ends.push_back(paint_colour(paint.to));
  return ends;
}

json marks_json(const Artwork& artwork) {
  json marks = json::array();
  for (const Mark& mark : artwork) {
    json rings = json::array();
    for (const Polygon& ring : mark.rings) {
      json points = json::array();
      for (const Vec2 p : ring) {
        points.push_back(whole(p.x));
        points.push_back(whole(p.y));
      }
      rings.push_back(std::move(points));
    }
    json entry = {{"rings", std::move(rings)}, {"paint", paint_json(mark.paint)}};
    if (mark.width > 0) entry["width"] = whole(mark.width);
    if (mark.closed) entry["closed"] = true;
    marks.push_back(std::move(entry));
  }
  return marks;
}

/// What a bird and what comes out of it look like.
std::string flyer_art(const Scene& before, BodyId id) {
  const BirdType& bird = before.bird();
  const bool egg = bird.power.kind == PowerKind::egg && static_cast<std::size_t>(id) > before.objects.size();
  return egg ? "egg" : "bird/" + bird.type;
}

/// The way of one body through a shot.
struct BodyTrack {
  BodyId id = 0;
  int born = 0, gone = -1;  ///< steps; gone -1: it is there at the end
  SeenPose first, last;
  int cracks = 0;
  json moves = json::array();    ///< [step, dx, dy, da, dx, dy, da ...]: from that step on, each step
  json cracked = json::array();  ///< [step, stage]
  int moved = -2;                ///< step of the last move

  void move_to(int step, const SeenPose& now) {
    if (now == last) return;
    if (moved != step - 1) moves.push_back(json::array({step}));
    json& run = moves.back();
    run.push_back(now.x - last.x);
    run.push_back(now.y - last.y);
    run.push_back(now.angle - last.angle);
    last = now;
    moved = step;
  }
};

json track_json(const Scene& before, const BodyTrack& track) {
  json body = {
      {"id", track.id}, {"born", track.born}, {"pose", {track.first.x, track.first.y, track.first.angle}}};
  if (static_cast<std::size_t>(track.id) >= before.objects.size()) body["art"] = flyer_art(before, track.id);
  if (track.gone >= 0) body["gone"] = track.gone;
  if (!track.moves.empty()) body["moves"] = track.moves;
  if (!track.cracked.empty()) body["cracks"] = track.cracked;
  return body;
}

std::vector<BodyTrack> tracks(const Scene& before, const Trace& trace) {
  std::map<BodyId, BodyTrack> tracks;
  for (const Frame& frame : trace.frames) {
    for (const BodyState& state : frame.bodies) {
      const auto [place, is_new] = tracks.try_emplace(state.id);
      BodyTrack& track = place->second;
      if (is_new) {
        track.id = state.id;
        track.born = frame.step;
        track.first = track.last = seen(state.pose);
      }
      track.move_to(frame.step, seen(state.pose));
      track.gone = frame.step + 1;
      const auto index = static_cast<std::size_t>(state.id);
      if (index >= before.objects.size()) continue;
      const int cracks = cracks_of(before.objects[index], state.life);
      if (cracks != track.cracks || is_new) {
        if (cracks > 0) track.cracked.push_back({frame.step, cracks});
        track.cracks = cracks;
      }
    }
  }
  std::vector<BodyTrack> in_order;
  for (auto& [id, track] : tracks) {
    if (track.gone > trace.steps) track.gone = -1;
    in_order.push_back(std::move(track));
  }
  return in_order;
}

/// What is seen and heard of: what breaks, explodes, and the bird's power.
json events_json(const Scene& before, const Trace& trace) {
  json events = json::array();
  for (const Event& event : trace.events) {
    const bool explosion = event.kind == EventKind::explosion;
    const auto index = static_cast<std::size_t>(event.a);
    const bool broken = event.kind == EventKind::destroyed && event.a >= 0 && index < before.objects.size();
    if (!explosion && !broken && event.kind != EventKind::tap) continue;
    json entry = {{"step", event.step}, {"kind", name(event.kind)}, {"at", point(event.position)}};
    if (explosion) entry["radius"] = event.value;
    if (broken) {
      const SceneObject& object = before.objects[index];
      const Bounds size = bounds(*object.shape);
      entry["id"] = event.a;
      entry["points"] = event.value;
      entry["size"] = std::max(0.25, 0.4 * std::max(size.width(), size.height()));
      entry["colour"] = svg_colour(look_of(object.kind, object.material).light);
    }
    events.push_back(std::move(entry));
  }
  return events;
}

}  // namespace

json scene_json(const Scene& scene) {
  const Profile& profile = *scene.profile;
  json objects = json::array();
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const SceneObject& object = scene.objects[i];
    if (!object.alive) continue;
    const SeenPose pose = seen(object.pose);
    json entry = {{"id", i},
                  {"art", art_name(object, i)},
                  {"pose", {pose.x, pose.y, pose.angle}},
                  {"name", appearance(object)}};
    if (const int cracks = cracks_of(object, object.life)) entry["cracks"] = cracks;
    objects.push_back(std::move(entry));
  }
  json waiting = json::array();
  for (const auto& [bird, place] : waiting_birds(scene))
    waiting.push_back({{"art", "bird/" + bird->type}, {"at", point(place)}});
  json result = {{"objects", std::move(objects)},       {"waiting", std::move(waiting)},
                 {"birds", scene.birds_left()},         {"pigs", scene.pigs_left()},
                 {"score", FlownShots::score(scene)},   {"cleared", scene.cleared()},
                 {"box", box(level_box(scene))},        {"ground", profile.ground_y},
                 {"slingshot", point(scene.slingshot)}, {"rest", point(scene.rest())},
                 {"max_stretch", profile.max_stretch},  {"step_s", profile.step}};
  if (scene.birds_left() == 0) return result;
  const BirdType& bird = scene.bird();
  result["bird"] = {{"type", bird.type},
                    {"art", "bird/" + bird.type},
                    {"power", bird.power.kind != PowerKind::none},
                    {"centre", point(bird.centre)},
                    {"radius", bird.radius},
                    {"launch_speed", profile.launch_speed},
                    {"gravity", profile.flight_gravity(bird)}};
  return result;
}

json artwork_json(const Scene& scene) {
  json art = json::object();
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const SceneObject& object = scene.objects[i];
    const std::string name = art_name(object, i);
    if (art.contains(name)) continue;
    art[name] = marks_json(
        object_artwork(object.kind, object.type, object.material, *object.shape, i % variants));
    if (object.is_static()) continue;
    for (int stage = 1; stage <= crack_stages; ++stage)
      art[name + "/cracks" + std::to_string(stage)] = marks_json(
          cracks(object.material, *object.shape, stage, i % variants));
  }
  for (const std::string& type : scene.birds) {
    const BirdType& bird = scene.profile->bird(type);
    art["bird/" + type] = marks_json(bird_artwork(bird));
    if (const ObjectType* egg = bird.power.kind == PowerKind::egg ? scene.profile->find(Kind::egg, "Egg")
                                                                  : nullptr)
      art["egg"] = marks_json(object_artwork(Kind::egg, egg->type, Material::none, *egg->shape, 0));
  }
  // The fourth mark of each is a half of the band, which the page draws from its first point to the bird.
  art["slingshot/behind"] = marks_json(slingshot_behind(slack_pocket()));
  art["slingshot/before"] = marks_json(slingshot_before(slack_pocket()));
  return art;
}

json landscape_json(const Profile& profile) {
  const Bounds view{-landscape_reach, landscape_reach, profile.ground_y - 6, profile.ground_y + 24};
  json marks = marks_json(backdrop(view, profile.ground_y));
  for (json& mark : marks_json(ground_artwork(view, profile.ground_y))) marks.push_back(std::move(mark));
  return {{"box", box(view)}, {"marks", std::move(marks)}};
}

json trace_json(const Scene& before, const Trace& trace) {
  json bodies = json::array();
  for (const BodyTrack& track : tracks(before, trace)) bodies.push_back(track_json(before, track));
  return {{"steps", trace.steps}, {"step_s", trace.step_s},      {"end", name(trace.end)},
          {"score", trace.score}, {"bodies", std::move(bodies)}, {"events", events_json(before, trace)}};
}

}  // namespace startle
