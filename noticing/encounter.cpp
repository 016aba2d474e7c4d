#include "noticing/encounter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "noticing/touch.hpp"
#include "sim/error.hpp"

namespace startle {
namespace {

constexpr double still = 0.03;    // m/s: slower bodies lie still
constexpr double margin = 0.06;   // world units: what is nearer is touched
constexpr double speed_unit = 3;  // m/s
constexpr double picture_edge =
    0.05;  // world units beside the reach of a body: speeds change until the next look
constexpr double world_edge = 0.6;  // world units from the world's edge, where bodies vanish without a blow

/// One body over the looks.
struct Seen {
  Stuff stuff = Stuff::bird;
  const Shape* shape = nullptr;
  double reach = 0;   ///< radius of the disc about the centre of mass that holds the shape
  double radius = 0;  ///< of a disc of the same area
  std::vector<std::optional<Pose>> poses;
};

/// Its state at one look, speeds from the look before.
struct Motion {
  Pose pose;
  Vec2 centre, velocity, before;           // m/s; `before`: velocity one look earlier
  double turning = 0, turning_before = 0;  // rad/s
};

Vec2 centre_of(const Seen& body, const Pose& pose) { return transformed(body.shape->centroid, pose); }

double reach_of(const Shape& shape) {
  double reach = 0;
  for (const Polygon& part : shape.parts)
    for (const Vec2 point : part) reach = std::max(reach, length(point - shape.centroid));
  for (const Disc& disc : shape.discs)
    reach = std::max(reach, length(disc.centre - shape.centroid) + disc.radius);
  return reach;
}

/// The pose as far as it can be told in squares of side `pixel`.
Pose rounded(const Seen& body, const Pose& pose, double pixel) {
  const auto nearest = [](double value, double unit) { return unit * std::round(value / unit); };
  const Vec2 centre = centre_of(body, pose);
  const double angle = nearest(pose.angle, pixel / body.reach);
  return {.position = Vec2{nearest(centre.x, pixel), nearest(centre.y, pixel)} -
                      transformed(body.shape->centroid, {.position = {}, .angle = angle}),
          .angle = angle};
}

Vec2 turned_left(Vec2 v) { return {-v.y, v.x}; }

/// The state at look k; empty where the body was not there at it and the look before. Without a still earlier look it moved as it does.
std::optional<Motion> motion_at(const Seen& body, std::size_t k, double interval) {
  if (k < 1 || !body.poses[k] || !body.poses[k - 1]) return std::nullopt;
  Motion m{.pose = *body.poses[k], .centre = centre_of(body, *body.poses[k])};
  const Vec2 last = centre_of(body, *body.poses[k - 1]);
  m.velocity = (1 / interval) * (m.centre - last);
  m.turning = (body.poses[k]->angle - body.poses[k - 1]->angle) / interval;
  m.before = m.velocity;
  m.turning_before = m.turning;
  if (k >= 2 && body.poses[k - 2]) {
    m.before = (1 / interval) * (last - centre_of(body, *body.poses[k - 2]));
    m.turning_before = (body.poses[k - 1]->angle - body.poses[k - 2]->angle) / interval;
  }
  return m;
}

/// The pose after going on for `seconds` as now.
Pose gone_on(const Seen& body, const Motion& m, double seconds) {
  Pose pose{.position = {}, .angle = m.pose.angle + seconds * m.turning};
  pose.position = m.centre + seconds * m.velocity -
                  transformed(body.shape->centroid, {.position = {}, .angle = pose.angle});
  return pose;
}

/// By how much a body moves otherwise than it did; nothing where it is gone.
struct Turn {
  Vec2 speed;          ///< m/s
  double turning = 0;  ///< rad/s
};

/// How a body meets another one.
struct Meeting {
  std::size_t other = 0;
  TouchPoint at;
  Vec2 arm, other_arm;  ///< from the centres of mass to the place
  Vec2 slip;            ///< velocity of self against other at the place
  double wait = 0;      ///< s until they touch, at least
  double depth = 0;     ///< by which they would overlap at the next look, did nothing hold them; world units
};

class Looker {
 public:
  Looker(const Scene& before, const Trace& trace, double pixel, const std::optional<Bounds>& picture)
      : interval_(trace.record_every * trace.step_s),
        half_width_(before.half_width),
        picture_(picture),
        shots_before_(before.next_bird) {
    const std::size_t objects = before.objects.size(), looks = trace.frames.size();
    for (const SceneObject& object : before.objects) add(stuff_of(object), object.shape.get(), looks);
    bird_ = before.bird().shape.get();
    bird_type_ = static_cast<std::size_t>(
        std::find(science_birds().begin(), science_birds().end(), before.bird().type) -
        science_birds().begin());
    std::size_t bodies = objects;
    for (const Frame& frame : trace.frames)
      if (!frame.bodies.empty())
        bodies = std::max(bodies, static_cast<std::size_t>(frame.bodies.back().id) + 1);
    while (bodies_.size() < bodies) add(Stuff::bird, bird_, looks);
    ground_ = Shape{.parts = {{{-1000, before.profile->ground_y - 10},
                               {1000, before.profile->ground_y - 10},
                               {1000, before.profile->ground_y},
                               {-1000, before.profile->ground_y}}}};
    for (std::size_t i = 0; i < objects; ++i)
      if (before.objects[i].is_static() && before.objects[i].alive)
        std::fill(bodies_[i].poses.begin(), bodies_[i].poses.end(), before.objects[i].pose);
    for (std::size_t k = 0; k < looks; ++k)
      for (const BodyState& state : trace.frames[k].bodies)
        if (auto& body = bodies_[static_cast<std::size_t>(state.id)]; body.stuff != Stuff::fixed)
          body.poses[k] = pixel > 0 ? rounded(body, state.pose, pixel) : state.pose;
    blow_.assign(bodies_.size(), 0.0);
  }

  std::vector<Encounter> look(std::size_t looks) {
    std::vector<Encounter> found;
    std::vector<std::optional<Motion>> now(bodies_.size());
    for (std::size_t k = 1; k + 1 < looks; ++k) {
      for (std::size_t i = 0; i < bodies_.size(); ++i) now[i] = motion_at(bodies_[i], k, interval_);
      if (!upset(k))
        for (std::size_t i = 0; i < bodies_.size(); ++i)
          if (bodies_[i].stuff != Stuff::fixed && now[i]) look_at(i, k, now, found);
      for (std::size_t i = 0; i < bodies_.size(); ++i)
        if (now[i] && bodies_[i].stuff != Stuff::fixed)
          blow_[i] += std::max(0.0, length(now[i]->velocity - now[i]->before) - 1.0);
    }
    return found;
  }

 private:
  void add(Stuff stuff, const Shape* shape, std::size_t looks) {
    Seen body{.stuff = stuff,
              .shape = shape,
              .reach = reach_of(*shape),
              .radius = std::sqrt(shape->area / std::numbers::pi)};
    body.poses.resize(looks);
    bodies_.push_back(std::move(body));
  }

  /// Something exploded or may have: TNT or a bird is gone between the looks around k.
  bool upset(std::size_t k) const {
    return std::any_of(bodies_.begin(), bodies_.end(), [&](const Seen& body) {
      return (body.stuff == Stuff::tnt || body.stuff == Stuff::bird) && body.poses[k - 1] &&
             (!body.poses[k] || !body.poses[k + 1]);
    });
  }

  /// How self meets a thing that stands still or moves; empty where it does not until the next look.
  std::optional<Meeting> meeting(const Seen& self, const Motion& mine, const Seen& other,
                                 const Motion& theirs, std::size_t index) const {
    Meeting m{.other = index};
    for (
        int i = 0; i < 3;
        ++i) {  // to the first touch, each time by what is surely free [Mirtich 1996, conservative advancement]
      m.at = touch(transformed(*self.shape, gone_on(self, mine, m.wait)),
                   transformed(*other.shape, gone_on(other, theirs, m.wait)));
      m.arm = m.at.place - (mine.centre + m.wait * mine.velocity);
      m.other_arm = m.at.place - (theirs.centre + m.wait * theirs.velocity);
      m.slip = mine.velocity + mine.turning * turned_left(m.arm) - theirs.velocity -
               theirs.turning * turned_left(m.other_arm);
      const double closing = -dot(m.slip, m.at.normal);
      m.depth = closing * (interval_ - m.wait) - m.at.gap;
      if (m.at.gap < 0.02 || closing <= 0 || m.depth <= 0) break;
      m.wait += m.at.gap / closing;
    }
    if (m.depth < 0 && m.at.gap > margin) return std::nullopt;
    return m;
  }

  /// What body i meets, the hardest first.
  std::vector<Meeting> meetings(std::size_t i, const std::vector<std::optional<Motion>>& now) const {
    std::vector<Meeting> all;
    const Seen& self = bodies_[i];
    const Motion& mine = *now[i];
    for (std::size_t j = 0; j < bodies_.size(); ++j) {
      if (j == i || !now[j]) continue;
      const double near = self.reach + bodies_[j].reach +
                          length(mine.velocity - now[j]->velocity) * interval_ + margin;
      if (length(mine.centre - now[j]->centre) > near) continue;
      if (const auto m = meeting(self, mine, bodies_[j], *now[j], j)) all.push_back(*m);
    }
    const Seen ground{.stuff = Stuff::fixed, .shape = &ground_};
    if (mine.centre.y - self.reach - length(mine.velocity) * interval_ - margin < ground_.parts[0][2].y)
      if (const auto m = meeting(self, mine, ground, Motion{}, bodies_.size())) all.push_back(*m);
    std::stable_sort(all.begin(), all.end(),
                     [](const Meeting& a, const Meeting& b) { return a.depth > b.depth; });
    return all;
  }

  void look_at(std::size_t i, std::size_t k, const std::vector<std::optional<Motion>>& now,
               std::vector<Encounter>& found) const {
    const Seen& self = bodies_[i];
    const Motion& mine = *now[i];
    const bool moves = length(mine.velocity) + std::fabs(mine.turning) * self.radius > still;
    if (!moves && !awaits(i, now)) return;
    const std::vector<Meeting> met = meetings(i, now);
    if (self.stuff == Stuff::bird && met.empty()) return;

    Encounter e{.self = self.stuff, .look = static_cast<int>(k) + 1, .body = static_cast<BodyId>(i)};
    Vec2 normal{0, 1}, slip = mine.velocity;
    if (!met.empty()) normal = met[0].at.normal, slip = met[0].slip;
    Vec2 tangent = turned_left(normal);
    double hand = 1;  // the tangent points along the slip, and turning is counted from normal to tangent
    if (dot(slip, tangent) < 0) tangent = -1 * tangent, hand = -1;

    // Who vanishes by rule, at rest or at the edge of the world, or is no longer in the picture, tells nothing by it.
    const bool gone = !self.poses[k + 1];
    if (gone && (self.stuff == Stuff::bird || std::fabs(mine.centre.x) > half_width_ - world_edge ||
                 leaves_picture(self, mine)))
      return;
    std::size_t told = 0;
    const auto tell = [&](double value) { e.outcome[told++] = static_cast<float>(value); };
    for (const std::size_t ahead : {1, 2}) {
      const Turn change = change_of(self, mine, k, ahead);
      tell(dot(change.speed, normal)), tell(dot(change.speed, tangent)),
          tell(hand * self.radius * change.turning);
    }
    const Seen* partner = !met.empty() && met[0].other < bodies_.size() ? &bodies_[met[0].other] : nullptr;
    for (const std::size_t ahead : {1, 2}) {
      const Turn change = partner ? change_of(*partner, *now[met[0].other], k, ahead) : Turn{};
      tell(dot(change.speed, normal)), tell(dot(change.speed, tangent));
    }
    tell(gone), tell(k + 2 >= self.poses.size() || !self.poses[k + 2]),
        tell(partner && !partner->poses[k + 1]);

    std::size_t at = 0;
    const auto put = [&](double value) { e.context[at++] = static_cast<float>(value); };
    const auto put_stuff = [&](const Stuff* stuff) {
      for (std::size_t s = 0; s < stuff_count; ++s)
        put(stuff && static_cast<std::size_t>(*stuff) == s ? 1 : 0);
    };
    const auto put_vector = [&](Vec2 v, double unit) {
      put(dot(v, normal) / unit), put(dot(v, tangent) / unit);
    };
    put_stuff(&self.stuff);             // 7
    put(std::log(self.radius / 0.3));   // size
    put(self.reach / self.radius - 1);  // slenderness
    put_vector(mine.velocity, speed_unit);
    put(hand * mine.turning * self.radius / speed_unit);
    put_vector(mine.velocity - mine.before, speed_unit);  // what happened to it just now
    put(hand * (mine.turning - mine.turning_before) * self.radius / speed_unit);
    put_vector({0, -1}, 1);     // where down is
    put(std::log1p(blow_[i]));  // blows that it took in this shot, m/s
    put(static_cast<double>(std::min<std::size_t>(met.size(), 4)) / 2);  // 19 until here
    put_meeting(met.empty() ? nullptr : &met[0], now, self, put, put_stuff, put_vector, true);
    put_meeting(met.size() < 2 ? nullptr : &met[1], now, self, put, put_stuff, put_vector, false);
    for (std::size_t type = 0; type < bird_type_count; ++type)
      put(bird_type_ == type);  // colours of birds differ in mass and in what they break
    put(static_cast<double>(std::min<std::size_t>(shots_before_, 2)) / 2);  // what stands may be hurt
    if (at != context_count) throw Error("encounters: context of " + std::to_string(at) + " numbers");
    e.meets = !met.empty();
    e.meets_second = met.size() >= 2;
    if (e.meets) {
      e.closing = -dot(met[0].slip, normal);
      e.wait = met[0].depth > 0 ? met[0].wait / interval_ : 1;
      e.before = dot(mine.velocity - (partner ? now[met[0].other]->velocity : Vec2{}), normal);
    }
    if (e.meets) e.first = stuff_at(met[0].other);
    if (e.meets_second) e.second = stuff_at(met[1].other);
    found.push_back(e);
  }

  /// Whether something that moves is about to hit body i.
  bool awaits(std::size_t i, const std::vector<std::optional<Motion>>& now) const {
    for (std::size_t j = 0; j < bodies_.size(); ++j) {
      if (j == i || !now[j] || bodies_[j].stuff == Stuff::fixed || length(now[j]->velocity) < 0.3) continue;
      if (length(now[i]->centre - now[j]->centre) >
          bodies_[i].reach + bodies_[j].reach + length(now[j]->velocity) * interval_)
        continue;
      if (const auto m = meeting(bodies_[i], *now[i], bodies_[j], *now[j], j); m && m->depth > 0.02)
        return true;
    }
    return false;
  }

  /// Whether some of it may no longer be seen at the next look.
  bool leaves_picture(const Seen& self, const Motion& m) const {
    if (!picture_) return false;
    const Vec2 next = m.centre + interval_ * m.velocity;
    const double room = self.reach + picture_edge;
    return next.x < picture_->xmin + room || next.x > picture_->xmax - room ||
           next.y < picture_->ymin + room || next.y > picture_->ymax - room;
  }

  /// From look k, where it moved as `m`, until `ahead` looks later.
  Turn change_of(const Seen& body, const Motion& m, std::size_t k, std::size_t ahead) const {
    if (k + ahead >= body.poses.size() || !body.poses[k + ahead] || !body.poses[k + ahead - 1]) return {};
    const Pose &from = *body.poses[k + ahead - 1], &to = *body.poses[k + ahead];
    return {(1 / interval_) * (centre_of(body, to) - centre_of(body, from)) - m.velocity,
            (to.angle - from.angle) / interval_ - m.turning};
  }

  Stuff stuff_at(std::size_t index) const {
    return index < bodies_.size() ? bodies_[index].stuff : Stuff::fixed;
  }

  template <typename Put, typename PutStuff, typename PutVector>
  void put_meeting(const Meeting* m, const std::vector<std::optional<Motion>>& now, const Seen& self, Put put,
                   PutStuff put_stuff, PutVector put_vector, bool first) const {
    const Stuff stuff = m ? stuff_at(m->other) : Stuff::fixed;
    put_stuff(m ? &stuff : nullptr);  // 7
    const bool body = m && m->other < bodies_.size();
    put(body ? std::log(bodies_[m->other].radius / 0.3) : 0);
    put(m ? std::clamp(m->at.gap, -0.1, 0.3) / 0.05 : 0);
    put(m ? m->wait / interval_ : 0);
    put_vector(m ? m->slip : Vec2{}, speed_unit);
    if (!first) {
      put_vector(m ? m->at.normal : Vec2{}, 1);  // 14
      return;
    }
    put_vector(m ? (1 / self.radius) * m->arm : Vec2{}, 1);
    put(body ? dot((1 / bodies_[m->other].radius) * m->other_arm, turned_left(m->at.normal)) : 0);
    const bool moving = body && bodies_[m->other].stuff != Stuff::fixed;
    put_vector(moving ? now[m->other]->velocity : Vec2{}, speed_unit);
    put_vector(moving ? now[m->other]->velocity - now[m->other]->before : Vec2{}, speed_unit);  // 19
  }

  double interval_, half_width_;
  std::optional<Bounds> picture_;
  std::size_t shots_before_ = 0, bird_type_ = bird_type_count;
  const Shape* bird_ = nullptr;
  Shape ground_;
  std::vector<Seen> bodies_;
  std::vector<double> blow_;
};

}  // namespace

const char* name(Stuff stuff) {
  constexpr const char* names[] = {"wood", "ice", "stone", "pig", "tnt", "bird", "fixed"};
  return names[static_cast<std::size_t>(stuff)];
}

Stuff stuff_of(const SceneObject& object) {
  if (object.is_static()) return Stuff::fixed;
  if (object.kind == Kind::pig) return Stuff::pig;
  if (object.kind == Kind::tnt) return Stuff::tnt;
  if (object.kind != Kind::block) return Stuff::bird;
  return object.material == Material::ice     ? Stuff::ice
         : object.material == Material::stone ? Stuff::stone
                                              : Stuff::wood;
}

std::vector<Encounter> encounters(const Scene& before, const Trace& seen, double pixel,
                                  const std::optional<Bounds>& picture) {
  if (seen.record_every <= 0 || seen.frames.empty()) throw Error("encounters: the trace is not recorded");
  if (before.birds.empty()) throw Error("encounters: the scene has no bird");
  return Looker(before, seen, pixel, picture).look(seen.frames.size());
}

}  // namespace startle
