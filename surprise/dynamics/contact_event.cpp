#include "surprise/dynamics/contact_event.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <tuple>

#include "core/error.hpp"
#include "core/math.hpp"
#include "surprise/dynamics/contact_point.hpp"

namespace startle {
namespace {

constexpr double still = 0.03;         // m/s: slower bodies lie still
constexpr double margin = 0.06;        // world units: what is nearer is touched
constexpr double picture_edge = 0.05;  // world units beside the reach of a body: speeds change until the next
                                       // frame
constexpr double world_edge = 0.6;  // world units from the world's edge, where bodies vanish without a blow

/// One body over the frames.
struct Seen {
  MaterialClass material_class = MaterialClass::bird;
  const Shape* shape = nullptr;
  double reach = 0;   ///< radius of the disc about the centre of mass that holds the shape
  double radius = 0;  ///< of a disc of the same area
  std::vector<std::optional<Pose>> poses;
};

/// Its state at one frame, speeds from the frame before.
struct Motion {
  Pose pose;
  Vec2 centre, velocity, before;           // m/s; `before`: velocity one frame earlier
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

/// The pose as far as it can be seen in squares of side `pixel`.
Pose rounded(const Seen& body, const Pose& pose, double pixel) {
  const auto nearest = [](double value, double unit) { return unit * std::round(value / unit); };
  const Vec2 centre = centre_of(body, pose);
  const double angle = nearest(pose.angle, pixel / body.reach);
  return {.position = Vec2{nearest(centre.x, pixel), nearest(centre.y, pixel)} -
                      transformed(body.shape->centroid, {.position = {}, .angle = angle}),
          .angle = angle};
}

Vec2 turned_left(Vec2 v) { return {-v.y, v.x}; }

/// The state at frame k; empty where the body was not there at it and the frame before. Without a still
/// earlier frame it moved as it does.
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
  ContactPoint at;
  Vec2 arm, other_arm;  ///< from the centres of mass to the place
  Vec2 slip;            ///< velocity of self against other at the place
  double wait = 0;      ///< s until they touch, at least
  double depth = 0;     ///< by which they would overlap at the next frame, did nothing hold them; world units
};

/// The axes along which a contact event is written down.
struct Axes {
  Vec2 normal, tangent;  // the tangent points along the slip
  double hand = 1;       // turning is counted from normal to tangent: -1 where that is clockwise
  Axes(Vec2 out, Vec2 slip) : normal(out), tangent(turned_left(out)) {
    if (dot(slip, tangent) < 0) tangent = -1 * tangent, hand = -1;
  }
};

struct ContextWriter {
  std::array<float, context_count>& context;
  const Axes& axes;
  void operator()(std::size_t feature, double value) const { context[feature] = static_cast<float>(value); }
  /// The one of several flags that is 1.
  void flag(std::size_t first, std::size_t which) const { context[first + which] = 1; }
  /// Along normal and tangent, two features one after the other.
  void vector(std::size_t normal_feature, Vec2 v, double unit = 1) const {
    (*this)(normal_feature, dot(v, axes.normal) / unit);
    (*this)(normal_feature + 1, dot(v, axes.tangent) / unit);
  }
};

class FrameReader {
 public:
  FrameReader(const Scene& before, const Trace& trace, double pixel, const std::optional<Bounds>& picture)
      : interval_(trace.record_every * trace.step_s),
        half_width_(before.half_width),
        picture_(picture),
        shots_before_(before.next_bird) {
    const std::size_t objects = before.objects.size(), frames = trace.frames.size();
    for (const SceneObject& object : before.objects)
      add(material_class_of(object), object.shape.get(), frames);
    bird_ = before.bird().shape.get();
    bird_type_ = static_cast<std::size_t>(
        std::find(science_birds().begin(), science_birds().end(), before.bird().type) -
        science_birds().begin());
    std::size_t bodies = objects;
    for (const Frame& frame : trace.frames)
      if (!frame.bodies.empty())
        bodies = std::max(bodies, static_cast<std::size_t>(frame.bodies.back().id) + 1);
    while (bodies_.size() < bodies) add(MaterialClass::bird, bird_, frames);
    ground_ = Shape{.parts = {{{-1000, before.profile->ground_y - 10},
                               {1000, before.profile->ground_y - 10},
                               {1000, before.profile->ground_y},
                               {-1000, before.profile->ground_y}}}};
    for (std::size_t i = 0; i < objects; ++i)
      if (before.objects[i].is_static() && before.objects[i].alive)
        std::fill(bodies_[i].poses.begin(), bodies_[i].poses.end(), before.objects[i].pose);
    for (std::size_t k = 0; k < frames; ++k)
      for (const BodyState& state : trace.frames[k].bodies)
        if (auto& body = bodies_[static_cast<std::size_t>(state.id)];
            body.material_class != MaterialClass::fixed)
          body.poses[k] = pixel > 0 ? rounded(body, state.pose, pixel) : state.pose;
    blow_.assign(bodies_.size(), 0.0);
  }

  std::vector<ContactEvent> frame(std::size_t frames) {
    std::vector<ContactEvent> found;
    std::vector<std::optional<Motion>> now(bodies_.size());
    for (std::size_t k = 1; k + 1 < frames; ++k) {
      for (std::size_t i = 0; i < bodies_.size(); ++i) now[i] = motion_at(bodies_[i], k, interval_);
      if (!upset(k))
        for (std::size_t i = 0; i < bodies_.size(); ++i)
          if (bodies_[i].material_class != MaterialClass::fixed && now[i]) look_at(i, k, now, found);
      for (std::size_t i = 0; i < bodies_.size(); ++i)
        if (now[i] && bodies_[i].material_class != MaterialClass::fixed)
          blow_[i] += std::max(0.0, length(now[i]->velocity - now[i]->before) - 1.0);
    }
    return found;
  }

 private:
  void add(MaterialClass material_class, const Shape* shape, std::size_t frames) {
    Seen body{.material_class = material_class,
              .shape = shape,
              .reach = reach_of(*shape),
              .radius = std::sqrt(shape->area / std::numbers::pi)};
    body.poses.resize(frames);
    bodies_.push_back(std::move(body));
  }

  /// Something exploded or may have: TNT or a bird is gone between the frames around k.
  bool upset(std::size_t k) const {
    return std::any_of(bodies_.begin(), bodies_.end(), [&](const Seen& body) {
      return (body.material_class == MaterialClass::tnt || body.material_class == MaterialClass::bird) &&
             body.poses[k - 1] && (!body.poses[k] || !body.poses[k + 1]);
    });
  }

  /// How self meets a thing that stands still or moves; empty where it does not until the next frame.
  std::optional<Meeting> meeting(const Seen& self, const Motion& mine, const Seen& other,
                                 const Motion& theirs, std::size_t index) const {
    Meeting m{.other = index};
    for (int i = 0; i < 3; ++i) {  // to the first touch, each time by what is surely free [Mirtich 1996,
                                   // conservative advancement]
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
    const Seen ground{.material_class = MaterialClass::fixed, .shape = &ground_};
    if (mine.centre.y - self.reach - length(mine.velocity) * interval_ - margin < ground_.parts[0][2].y)
      if (const auto m = meeting(self, mine, ground, Motion{}, bodies_.size())) all.push_back(*m);
    std::stable_sort(all.begin(), all.end(),
                     [](const Meeting& a, const Meeting& b) { return a.depth > b.depth; });
    return all;
  }

  void look_at(std::size_t i, std::size_t k, const std::vector<std::optional<Motion>>& now,
               std::vector<ContactEvent>& found) const {
    const Seen& self = bodies_[i];
    const Motion& mine = *now[i];
    const bool moves = length(mine.velocity) + std::fabs(mine.turning) * self.radius > still;
    if (!moves && !awaits(i, now)) return;
    const std::vector<Meeting> met = meetings(i, now);
    if (self.material_class == MaterialClass::bird && met.empty()) return;

    // What vanishes by rule, at rest or at the edge of the world, or is no longer in the picture, says
    // nothing by it.
    const bool gone = !self.poses[k + 1];
    if (gone && (self.material_class == MaterialClass::bird ||
                 std::fabs(mine.centre.x) > half_width_ - world_edge || leaves_picture(self, mine)))
      return;
    const Axes axes = met.empty() ? Axes({0, 1}, mine.velocity) : Axes(met[0].at.normal, met[0].slip);
    ContactEvent e{
        .self = self.material_class, .frame = static_cast<int>(k) + 1, .body = static_cast<BodyId>(i)};
    write_outcome(e, i, k, now, met, axes);
    write_context(e, i, now, met, axes);
    e.meets = !met.empty();
    e.meets_second = met.size() >= 2;
    if (e.meets) {
      e.first = material_class_at(met[0].other);
      e.closing = -dot(met[0].slip, axes.normal);
      e.wait = met[0].depth > 0 ? met[0].wait / interval_ : 1;
      e.before = dot(mine.velocity - (is_body(met[0]) ? now[met[0].other]->velocity : Vec2{}), axes.normal);
    }
    if (e.meets_second) e.second = material_class_at(met[1].other);
    found.push_back(e);
  }

  void write_outcome(ContactEvent& e, std::size_t i, std::size_t k,
                     const std::vector<std::optional<Motion>>& now, const std::vector<Meeting>& met,
                     const Axes& axes) const {
    const Seen& self = bodies_[i];
    const Seen* partner = !met.empty() && is_body(met[0]) ? &bodies_[met[0].other] : nullptr;
    const auto put = [&](std::size_t feature, double value) {
      e.outcome[feature] = static_cast<float>(value);
    };
    for (const auto& [ahead, at, partner_at] :
         {std::tuple{1, outcome::next_normal, outcome::partner_next_normal},
          {2, outcome::later_normal, outcome::partner_later_normal}}) {
      const Turn change = change_of(self, *now[i], k, static_cast<std::size_t>(ahead));
      put(at, dot(change.speed, axes.normal)), put(at + 1, dot(change.speed, axes.tangent)),
          put(at + 2, axes.hand * self.radius * change.turning);
      const Turn other = partner ? change_of(*partner, *now[met[0].other], k, static_cast<std::size_t>(ahead))
                                 : Turn{};
      put(partner_at, dot(other.speed, axes.normal)), put(partner_at + 1, dot(other.speed, axes.tangent));
    }
    put(outcome::gone, !self.poses[k + 1]);
    put(outcome::gone_later, k + 2 >= self.poses.size() || !self.poses[k + 2]);
    put(outcome::partner_gone, partner && !partner->poses[k + 1]);
  }

  void write_context(ContactEvent& e, std::size_t i, const std::vector<std::optional<Motion>>& now,
                     const std::vector<Meeting>& met, const Axes& axes) const {
    const Seen& self = bodies_[i];
    const Motion& mine = *now[i];
    const ContextWriter put{e.context, axes};
    put.flag(context::self_material, static_cast<std::size_t>(self.material_class));
    put(context::size, math::log(self.radius / context::radius_unit));
    put(context::slenderness, self.reach / self.radius - 1);
    put.vector(context::normal_speed, mine.velocity, context::speed_unit);
    put(context::rim_speed, axes.hand * mine.turning * self.radius / context::speed_unit);
    put.vector(context::normal_speed_change, mine.velocity - mine.before, context::speed_unit);
    put(context::rim_speed_change,
        axes.hand * (mine.turning - mine.turning_before) * self.radius / context::speed_unit);
    put.vector(context::down_normal, {0, -1});
    put(context::blows, math::log1p(blow_[i]));
    put(context::contacts, static_cast<double>(std::min<std::size_t>(met.size(), 4)) / 2);
    if (!met.empty()) write_first(put, met[0], self, now);
    if (met.size() >= 2) {
      write_meeting(put, context::second_material, met[1]);
      put.vector(context::second_direction_normal, met[1].at.normal);
    }
    if (bird_type_ < bird_type_count)
      put.flag(context::bird_type, bird_type_);  // colours of birds differ in mass and in what they break
    // What stands may be hurt
    put(context::shots_before, static_cast<double>(std::min<std::size_t>(shots_before_, 2)) / 2);
  }

  /// What is written alike of the first and the second body that is met, from its material on.
  void write_meeting(const ContextWriter& put, std::size_t at, const Meeting& m) const {
    constexpr std::size_t first = context::first_material;
    put.flag(at, static_cast<std::size_t>(material_class_at(m.other)));
    if (is_body(m))
      put(at + context::first_size - first, math::log(bodies_[m.other].radius / context::radius_unit));
    put(at + context::first_gap - first, std::clamp(m.at.gap, -0.1, 0.3) / context::gap_unit);
    put(at + context::first_wait - first, m.wait / interval_);
    put.vector(at + context::first_slip_normal - first, m.slip, context::speed_unit);
  }

  void write_first(const ContextWriter& put, const Meeting& m, const Seen& self,
                   const std::vector<std::optional<Motion>>& now) const {
    write_meeting(put, context::first_material, m);
    put.vector(context::first_arm_normal, (1 / self.radius) * m.arm);
    if (!is_body(m)) return;
    put(context::first_other_arm, dot((1 / bodies_[m.other].radius) * m.other_arm, turned_left(m.at.normal)));
    if (bodies_[m.other].material_class == MaterialClass::fixed) return;
    put.vector(context::first_normal_speed, now[m.other]->velocity, context::speed_unit);
    put.vector(context::first_normal_speed_change, now[m.other]->velocity - now[m.other]->before,
               context::speed_unit);
  }

  /// Whether something that moves is about to hit body i.
  bool awaits(std::size_t i, const std::vector<std::optional<Motion>>& now) const {
    for (std::size_t j = 0; j < bodies_.size(); ++j) {
      if (j == i || !now[j] || bodies_[j].material_class == MaterialClass::fixed ||
          length(now[j]->velocity) < 0.3)
        continue;
      if (length(now[i]->centre - now[j]->centre) >
          bodies_[i].reach + bodies_[j].reach + length(now[j]->velocity) * interval_)
        continue;
      if (const auto m = meeting(bodies_[i], *now[i], bodies_[j], *now[j], j); m && m->depth > 0.02)
        return true;
    }
    return false;
  }

  /// Whether some of it may no longer be seen at the next frame.
  bool leaves_picture(const Seen& self, const Motion& m) const {
    if (!picture_) return false;
    const Vec2 next = m.centre + interval_ * m.velocity;
    const double room = self.reach + picture_edge;
    return next.x < picture_->xmin + room || next.x > picture_->xmax - room ||
           next.y < picture_->ymin + room || next.y > picture_->ymax - room;
  }

  /// From frame k, where it moved as `m`, until `ahead` frames later.
  Turn change_of(const Seen& body, const Motion& m, std::size_t k, std::size_t ahead) const {
    if (k + ahead >= body.poses.size() || !body.poses[k + ahead] || !body.poses[k + ahead - 1]) return {};
    const Pose &from = *body.poses[k + ahead - 1], &to = *body.poses[k + ahead];
    return {(1 / interval_) * (centre_of(body, to) - centre_of(body, from)) - m.velocity,
            (to.angle - from.angle) / interval_ - m.turning};
  }

  MaterialClass material_class_at(std::size_t index) const {
    return index < bodies_.size() ? bodies_[index].material_class : MaterialClass::fixed;
  }

  bool is_body(const Meeting& m) const { return m.other < bodies_.size(); }  // else it is the ground

  double interval_, half_width_;
  std::optional<Bounds> picture_;
  std::size_t shots_before_ = 0, bird_type_ = bird_type_count;
  const Shape* bird_ = nullptr;
  Shape ground_;
  std::vector<Seen> bodies_;
  std::vector<double> blow_;
};

}  // namespace

const char* name(MaterialClass material_class) {
  constexpr const char* names[] = {"wood", "ice", "stone", "pig", "tnt", "bird", "fixed"};
  return names[static_cast<std::size_t>(material_class)];
}

MaterialClass material_class_of(const SceneObject& object) {
  if (object.is_static()) return MaterialClass::fixed;
  if (object.kind == Kind::pig) return MaterialClass::pig;
  if (object.kind == Kind::tnt) return MaterialClass::tnt;
  if (object.kind != Kind::block) return MaterialClass::bird;
  return object.material == Material::ice     ? MaterialClass::ice
         : object.material == Material::stone ? MaterialClass::stone
                                              : MaterialClass::wood;
}

std::vector<ContactEvent> contact_events(const Scene& before, const Trace& seen, double pixel,
                                         const std::optional<Bounds>& picture) {
  if (seen.record_every <= 0 || seen.frames.empty()) throw Error("contact events: the trace is not recorded");
  if (before.birds.empty()) throw Error("contact events: the scene has no bird");
  return FrameReader(before, seen, pixel, picture).frame(seen.frames.size());
}

}  // namespace startle
