#include "simulated/twin.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "sim/world.hpp"

namespace startle {

bool visibly_apart(const Pose& a, const Pose& b, const VisibleDifference& least) {
  const Vec2 d = a.position - b.position;
  if (dot(d, d) > least.distance * least.distance) return true;
  return std::fabs(std::remainder(a.angle - b.angle, 2 * std::numbers::pi)) > least.angle;
}

NormalShot fly_normal(const Scene& normal, const Shot& shot, const VisibleDifference& least) {
  const std::size_t n = normal.objects.size();
  NormalShot flown;
  flown.shot = shot;
  flown.tracks.resize(n);
  flown.motions.resize(n);
  World world(normal, {.record_events = true});
  world.launch(shot);
  std::vector<int> away(n, 0);
  std::vector<char> present(n);
  while (!world.over()) {
    world.step();
    ++flown.steps;
    std::fill(present.begin(), present.end(), 0);
    for (const BodyState& body : world.frame().bodies) {
      const auto i = static_cast<std::size_t>(body.id);
      if (i >= n) break;  // birds follow
      const SceneObject& object = normal.objects[i];
      present[i] = 1;
      if (object.is_static()) continue;
      ObjectTrack& track = flown.tracks[i];
      if (track.poses.empty()) {
        if (body.pose.position == object.pose.position && body.pose.angle == object.pose.angle) continue;
        track.poses.assign(static_cast<std::size_t>(flown.steps), object.pose);
      }
      track.poses.push_back(body.pose);
      if (track.moved_at >= 0) continue;
      away[i] = visibly_apart(body.pose, object.pose, least) ? away[i] + 1 : 0;
      if (away[i] >= least.hold_steps) track.moved_at = flown.steps - away[i] + 1;
    }
    for (std::size_t i = 0; i < n; ++i) {
      ObjectTrack& track = flown.tracks[i];
      if (present[i] || !normal.objects[i].alive || track.destroyed) continue;
      track.destroyed = true;
      if (track.poses.empty())
        track.poses.assign(static_cast<std::size_t>(flown.steps), normal.objects[i].pose);
      if (track.moved_at < 0) track.moved_at = flown.steps - away[i];
    }
  }
  flown.after = world.scene();
  for (const Event& event : world.trace().events)
    if (event.kind == EventKind::contact || event.kind == EventKind::explosion) flown.events.push_back(event);

  for (std::size_t i = 0; i < n; ++i) {
    ObjectTrack& track = flown.tracks[i];
    if (track.poses.empty()) continue;
    if (track.moved_at < 0 && away[i] > 0)
      track.moved_at = flown.steps - away[i] + 1;  // at the end: it stays away
    const SceneObject& object = normal.objects[i];
    SceneObject last = object;
    last.pose = track.poses.back();
    ObjectMotion& motion = flown.motions[i];
    motion.moved = track.moved_at >= 0;
    motion.destroyed = track.destroyed;
    motion.turn = last.pose.angle - object.pose.angle;
    motion.shift = transformed(object.shape->centroid, last.pose).x -
                   transformed(object.shape->centroid, object.pose).x;
    motion.drop = object.world_bounds().ymin - last.world_bounds().ymin;
  }
  return flown;
}

Cases observed_cases(const ObjectMotion& motion, bool is_target) {
  Cases cases;
  const bool turned = std::fabs(motion.turn) > turned_angle,
             shifted = std::fabs(motion.shift) > shifted_distance, dropped = motion.drop > dropped_distance;
  if (is_target) {
    if (motion.destroyed) {
      cases.set(movement::hit_and_destroyed);
      return cases;
    }
    if (turned)
      cases.set(movement::hit_and_flips);
    else if (shifted)
      cases.set(movement::hit_and_slides);
  }
  if (turned && dropped) {
    cases.set(movement::falls_and_rotates);
    cases.set(movement::flips_and_falls);
  } else if (turned) {
    cases.set(movement::flips_and_stops);
  } else if (dropped) {
    cases.set(shifted ? movement::slides_and_falls : movement::falls);
  } else if (shifted) {
    cases.set(movement::slides_and_stops);
  }
  return cases;
}

namespace {

/// Where the object is after so many steps; empty when it is no more.
std::optional<Pose> pose_at(const ObjectTrack& track, std::size_t step, const Pose& start) {
  if (track.poses.empty()) return start;
  if (step < track.poses.size()) return track.poses[step];
  if (track.destroyed) return std::nullopt;
  return track.poses.back();
}

}  // namespace

bool visibly_apart(const NormalShot& a, const NormalShot& b, std::size_t object, const Pose& start,
                   const VisibleDifference& least) {
  const ObjectTrack &one = a.tracks[object], &other = b.tracks[object];
  int apart = 0;
  const auto steps = static_cast<std::size_t>(std::max(a.steps, b.steps));
  if (one.poses.empty() && other.poses.empty()) return false;
  for (std::size_t step = 1; step <= steps; ++step) {
    const std::optional<Pose> p = pose_at(one, step, start), q = pose_at(other, step, start);
    apart = p.has_value() != q.has_value() || (p && visibly_apart(*p, *q, least)) ? apart + 1 : 0;
    if (apart >= least.hold_steps) return true;
  }
  return apart > 0;
}

bool worlds_part(const SceneShot& a, const SceneShot& b, bool with_birds, const VisibleDifference& least) {
  World one(a.scene), other(b.scene);
  one.launch(a.shot);
  other.launch(b.shot);
  const std::size_t objects = a.scene.objects.size();
  struct Apart {
    int steps = 0, until = 0;
  };
  std::vector<Apart> apart;
  int step = 0;
  const auto holds = [&](BodyId body, bool differs) {
    const auto i = static_cast<std::size_t>(body);
    if (i >= objects ? !with_birds : a.scene.objects[i].is_static()) return false;
    if (i >= apart.size()) apart.resize(i + 1);
    Apart& of = apart[i];
    of.steps = !differs               ? 0
               : of.until == step - 1 ? of.steps + 1
                                      : 1;  // in between it may be in neither world
    of.until = step;
    return of.steps >= least.hold_steps;
  };
  while (!one.over() || !other.over()) {
    ++step;
    if (!one.over()) one.step();
    if (!other.over()) other.step();
    const Frame p = one.frame(), q = other.frame();
    auto i = p.bodies.begin(), j = q.bodies.begin();
    while (i != p.bodies.end() || j != q.bodies.end()) {  // both in order of id
      const bool first_alone = j == q.bodies.end() || (i != p.bodies.end() && i->id < j->id),
                 second_alone = i == p.bodies.end() || (j != q.bodies.end() && j->id < i->id);
      const BodyId body = second_alone ? j->id : i->id;
      if (holds(body, first_alone || second_alone || visibly_apart(i->pose, j->pose, least))) return true;
      i += !second_alone;
      j += !first_alone;
    }
  }
  return std::any_of(apart.begin(), apart.end(),
                     [&](const Apart& of) { return of.steps > 0 && of.until == step; });
}

Scene novel_twin(const Scene& normal, const Novelty& novelty) {
  Scene novel = normal;
  apply(novelty, novel);
  return at_rest(normal) ? taken_at_rest(std::move(novel)) : novel;
}

Scene normal_twin(const Scene& novel, const Scene& normal_start) {
  if (!anything_novel(novel)) return novel;
  Scene twin = novel;
  remove_novelty(twin, normal_start);
  return at_rest(novel) ? taken_at_rest(std::move(twin)) : twin;
}

namespace {

/// True when the novel world is bound to do what the normal one did: the two run alike, bit for bit, until a
/// changed parameter is used.
bool bound_to_agree(const Scene& normal, const Scene& novel, const NormalShot& shot) {
  if (novel.world) return false;
  std::vector<char> touched(novel.objects.size(), 0);
  for (const Event& event : shot.events)
    for (const BodyId id : {event.a, event.b})
      if (id >= 0 && static_cast<std::size_t>(id) < touched.size()) touched[static_cast<std::size_t>(id)] = 1;
  bool took_part = false, died = false, only_tougher = true;
  for (std::size_t i = 0; i < novel.objects.size(); ++i) {
    if (!novel.objects[i].novel || !novel.objects[i].alive) continue;
    took_part = took_part || touched[i] || !shot.tracks[i].poses.empty();
    died = died || shot.tracks[i].destroyed;
    const SceneObject &a = normal.objects[i], &b = novel.objects[i];
    const Parameters &p = a.parameters, &q = b.parameters;
    const auto moves_alike = [&](const ParameterInfo& info) {
      return info.toughness || p.*info.member == q.*info.member;
    };
    only_tougher = only_tougher && b.life >= a.life && q.defence >= p.defence &&
                   std::all_of(std::begin(parameter_table), std::end(parameter_table), moves_alike);
  }
  // A scene that is not at rest moves by itself, with the novel parameters, from the first step.
  return (!took_part && at_rest(normal) && at_rest(novel)) || (only_tougher && !died);
}

}  // namespace

std::vector<std::size_t> visibly_different_objects(const Scene& normal, const Scene& novel,
                                                   const NormalShot& shot, const VisibleDifference& least,
                                                   bool first_only) {
  if (bound_to_agree(normal, novel, shot)) return {};
  struct Watched {
    std::size_t object;
    int apart = 0;
    bool visible = false;
  };
  std::vector<Watched> watched;
  for (std::size_t i = 0; i < novel.objects.size(); ++i)
    if (novel.objects[i].novel && novel.objects[i].alive) watched.push_back({i});

  World world(novel);
  world.launch(shot.shot);
  for (int step = 1; !world.over() || step <= shot.steps; ++step) {
    if (!world.over()) world.step();
    const Frame frame = world.frame();
    auto body = frame.bodies.begin();
    for (Watched& w : watched) {
      while (body != frame.bodies.end() && static_cast<std::size_t>(body->id) < w.object) ++body;
      if (w.visible) continue;
      const bool alive = body != frame.bodies.end() && static_cast<std::size_t>(body->id) == w.object;
      const ObjectTrack& track = shot.tracks[w.object];
      const auto at = static_cast<std::size_t>(step);
      const bool alive_normal = !track.destroyed || at < track.poses.size();
      bool apart = alive != alive_normal;
      if (alive && alive_normal) {
        const Pose& usual = track.poses.empty() ? normal.objects[w.object].pose
                                                : track.poses[std::min(at, track.poses.size() - 1)];
        apart = visibly_apart(body->pose, usual, least);
      }
      w.apart = apart ? w.apart + 1 : 0;
      if (w.apart < least.hold_steps) continue;
      w.visible = true;
      if (first_only) return {w.object};
    }
  }
  std::vector<std::size_t> visible;
  for (const Watched& w : watched)
    if (w.visible || w.apart > 0) visible.push_back(w.object);
  return visible;
}

}  // namespace startle
