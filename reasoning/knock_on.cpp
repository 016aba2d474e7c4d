#include "reasoning/knock_on.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace startle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Contacts of the bird that are followed, the first included; later ones are too slow to matter.
constexpr int most_bird_contacts = 8;
/// Blows followed in all.
constexpr int most_blows = 60;
/// The bird is taken away this long after its first contact, s.
constexpr double bird_time = 3;
/// Free falls are followed for so long, s.
constexpr double flight_time = 3;
/// A disc that starts to roll keeps this share of its speed (rolling without slipping).
constexpr double rolling_share = 2.0 / 3;
/// Slower than this a bird moves nothing any more, m/s.
constexpr double least_bird_speed = 0.3;
/// Closing speed below which nothing bounces, m/s (Box2D).
constexpr double least_bounce_speed = 1;

/// An object on its way, which may strike another.
struct Event {
  std::size_t object;
  BodyVelocity motion;
  bool topples;  ///< about an end of its base; else it slides
  bool right;
};

}  // namespace

class KnockOn::Shot {
 public:
  Shot(const Scene& scene, const SupportGraph& graph, const ContactNetwork& network,
       const KnockOnConstants& constants)
      : scene_(scene),
        graph_(graph),
        network_(network),
        k_(constants),
        blows_in_(network),
        vertical_(scene, graph),
        below_(scene.objects.size()) {}

  const std::vector<ImpactedObject>& follow(std::size_t target, const BirdType& bird,
                                            const Trajectory& trajectory) {
    const std::size_t n = scene_.objects.size();
    state_.assign(n, {});
    gone_.assign(n, 0);
    lost_.clear();
    events_.clear();
    falls_known_ = true;
    blows_ = 0;
    shoot(bird, trajectory, target);
    tell(target);
    return impacted_;
  }

  Prospect prospect(std::size_t i) const {
    const State& s = state_[i];
    const double root = std::sqrt(std::sqrt(s.energy / (gravity_of(i) * k_.least_lift) + chance_.unseen));
    const Outlook outlook = s.destroyed || (s.falls && !s.lost) ? Outlook::falls
                            : s.lost                            ? Outlook::leaves
                                                                : Outlook::stays;
    const double k = outlook == Outlook::falls    ? chance_.falls
                     : outlook == Outlook::leaves ? chance_.leaves
                                                  : chance_.stays;
    return {.outlook = outlook,
            .moves = root / (root + k),
            .destroyed = s.destroyed,
            .lost = s.life_lost,
            .dealt = s.dealt,
            .hits = s.hits};
  }

 private:
  struct State {
    bool moved = false, destroyed = false, lost = false;  ///< lost: supports nothing any more
    bool falls = false;
    bool flips = false;
    FallDirection direction = FallDirection::down;
    double life_lost = 0, dealt = 0;  ///< hit points; dealt: before defence
    int hits = 0;                     ///< that defence was taken off from
    double energy = 0;                ///< greatest, J/kg
    const char* reason = "";
  };
  void shoot(const BirdType& bird, const Trajectory& trajectory, std::size_t target) {
    SceneObject body;
    body.shape = bird.shape;
    body.parameters = bird.parameters;
    Shape disc;
    disc.discs.push_back({{}, trajectory.radius});
    Striker striker{.inertia = inertia_of(body, disc),
                    .motion = {trajectory.velocity_at(trajectory.time), 0}};
    const double gravity = scene_.profile->flight_gravity(bird);
    const auto away = [&](Vec2 from, Vec2 velocity, double pull) {
      return Trajectory{.shot = {},
                        .start = from,
                        .velocity = velocity,
                        .gravity = pull,
                        .radius = trajectory.radius,
                        .aim = {}};
    };
    Vec2 at = trajectory.at(trajectory.time), explodes_at;
    std::size_t struck = target;
    double time = 0;
    for (int contact = 0; contact < most_bird_contacts; ++contact) {
      striker.inertia.centre = at;
      Vec2 point{at.x, scene_.profile->ground_y}, normal{0, -1};
      if (struck != ground_index) {
        point = nearest_point(graph_.geometry.shapes[struck], at);
        const double apart = length(point - at);
        if (apart < 1e-9) break;
        normal = (1 / apart) * (point - at);
      }
      const double closing = dot(striker.motion.velocity, normal);
      if (closing > 0) strike_with_bird(striker, bird, struck, point, normal);
      // It explodes a little later, wherever it is by then.
      if (contact == 0) explodes_at = at + 0.5 * bird.power.delay * striker.motion.velocity;
      Vec2 velocity = striker.motion.velocity;
      Trajectory flight = away(at, velocity, gravity);
      double left = bird_time - time;
      std::optional<Contact> next;
      if (closing < least_bounce_speed && normal.y < -0.7) {
        // It rolls, to the end of what it lies on and then off it.
        velocity = {rolling_share * velocity.x, 0};
        if (std::abs(velocity.x) < least_bird_speed) break;
        flight = away(at, velocity, 0);
        if (struck != ground_index && !gone_[struck]) {
          const Bounds& b = graph_.geometry.bounds[struck];
          const double to_end = std::max(((velocity.x > 0 ? b.xmax : b.xmin) - at.x) / velocity.x, 0.0);
          next = first_struck(flight, struck, std::min(left, to_end));
          if (!next && to_end < left) {
            time += to_end;
            left -= to_end;
            flight = away(flight.at(to_end), velocity, gravity);
          }
        }
      }
      if (length(velocity) < least_bird_speed) break;
      if (!next) next = first_struck(flight, struck, left);
      if (!next) break;
      at = flight.at(next->time);
      striker.motion = {flight.velocity_at(next->time), 0};
      time += next->time;
      struck = next->object;
    }
    if (bird.power.kind == PowerKind::explode) explode(bird.power.explosion, explodes_at, ground_index);
    settle();
  }

  struct Contact {
    std::size_t object;  ///< or ground_index
    double time;
  };
  /// What the flight meets first, `from` (which it starts at) left out.
  std::optional<Contact> first_struck(const Trajectory& flight, std::size_t from, double limit) const {
    const SweptDisc path(flight);
    std::optional<Contact> found;
    if (from != ground_index && flight.gravity > 0)
      if (const auto t = first_ground_contact(flight, scene_.profile->ground_y, limit))
        found = {ground_index, limit = *t};
    if (from == ground_index && flight.gravity > 0 && flight.velocity.y > 0) {
      const double t = 2 * flight.velocity.y / flight.gravity;  // back on the ground
      if (t < limit) found = {ground_index, limit = t};
    }
    for (std::size_t i = 0; i < state_.size(); ++i) {
      if (!path.may_touch(graph_.geometry.bounds[i], limit) || !scene_.objects[i].alive || gone_[i] ||
          i == from)
        continue;
      const double t = path.first_contact(graph_.geometry.obstacles[i], limit);
      if (t < limit) found = {i, limit = t};
    }
    return found;
  }

  double gravity_of(std::size_t i) const {
    return scene_.profile->gravity * scene_.objects[i].parameters.gravity_scale;
  }

  static Vec2 nearest_point(const Shape& shape, Vec2 to) {
    Vec2 nearest;
    double least = infinity;
    const auto offer = [&](Vec2 p) {
      const double d = length(p - to);
      if (d < least) {
        least = d;
        nearest = p;
      }
    };
    for (const Polygon& part : shape.parts) {
      for (std::size_t i = 0, j = part.size() - 1; i < part.size(); j = i++)
        offer(startle::nearest_point(to, part[j], part[i]));
    }
    for (const Disc& disc : shape.discs) {
      const double d = length(to - disc.centre);
      if (d > 0) offer(disc.centre + (disc.radius / d) * (to - disc.centre));
    }
    return nearest;
  }

  /// `defended`: whether the object's defence, once, has been taken off the damage already.
  void hurt(std::size_t i, double damage, bool defended) {
    State& s = state_[i];
    if (s.destroyed || scene_.objects[i].is_static()) return;
    s.life_lost += damage;
    s.dealt += damage + (defended ? scene_.objects[i].parameters.defence : 0);
    s.hits += defended;
    if (s.life_lost < scene_.objects[i].life) return;
    s.destroyed = s.moved = true;
    s.reason = "destroyed";
    gone_[i] = 1;
    lose(i);
    if (scene_.objects[i].kind == Kind::tnt)
      explode(scene_.objects[i].explosion, graph_.geometry.shapes[i].centroid, i);
  }

  double object_damage(std::size_t i, double speed, double attacker_mass) const {
    const Profile& p = *scene_.profile;
    if (p.damage_rule == DamageRule::speed) return speed;
    return std::max(
        speed * attacker_mass * p.damage_k * p.generic_factor - scene_.objects[i].parameters.defence, 0.0);
  }

  void strike_with_bird(Striker& striker, const BirdType& bird, std::size_t struck, Vec2 point, Vec2 normal) {
    const double speed = length(striker.motion.velocity);
    const SceneObject* object = struck == ground_index ? nullptr : &scene_.objects[struck];
    const Profile& p = *scene_.profile;
    striker.friction = std::sqrt(bird.parameters.friction *
                                 (object ? object->parameters.friction : p.default_friction));
    if (dot(striker.motion.velocity, normal) > least_bounce_speed)
      striker.restitution = object ? std::max(object->parameters.restitution, bird.parameters.restitution)
                                   : std::max(bird.parameters.restitution, p.default_restitution);
    strike(striker, struck, point, normal);
    if (object && !object->is_static()) hurt(struck, bird_damage(scene_, *object, bird, speed), true);
  }

  void strike(Striker& striker, std::size_t struck, Vec2 point, Vec2 normal) {
    if (++blows_ > most_blows) return;
    for (const Reached& reached : blows_in_.spread(gone_, striker, struck, point, normal))
      set_moving(reached.object, reached.motion);
  }

  void set_moving(std::size_t i, const BodyVelocity& m) {
    State& s = state_[i];
    const Inertia& inertia = network_.bodies[i];
    const double g = gravity_of(i);
    const double energy = 0.5 * (dot(m.velocity, m.velocity) +
                                 m.spin * m.spin * inertia.inverse_mass / inertia.inverse_moment);
    if (energy <= s.energy) return;
    s.energy = energy;
    const Bounds& b = graph_.geometry.bounds[i];
    const Vec2 c = graph_.geometry.shapes[i].centroid;
    const bool right = std::abs(m.velocity.x) > 0.05 ? m.velocity.x > 0 : m.spin < 0;
    const Vec2 pivot{right ? b.xmax : b.xmin, b.ymin};
    const double lift = length(c - pivot) - (c.y - pivot.y);
    const double friction = friction_below(i);
    const bool topples = (energy > g * lift && (right ? m.spin < 0 : m.spin > 0)) ||
                         trips(m, inertia, c, pivot, friction, g * lift);
    if ((topples || energy > g * k_.least_lift) && !s.moved) {
      s.moved = true;
      s.reason = topples ? "toppled" : "set moving";
    }
    if (s.lost || (!topples && energy < g * k_.support_lift)) return;
    const double way = friction > 0 ? m.velocity.x * m.velocity.x / (2 * friction * g) : infinity;
    s.flips = topples;
    s.direction = right ? FallDirection::right : FallDirection::left;
    if (topples || way > 0.5 * b.width()) lose(i);
    if (topples || way > contact_tolerance) events_.push_back({i, m, topples, right});
  }

  /// Whether a body pushed along over its base falls over its front edge, `pivot`, when friction stops the base: low blows push, yet a slender
  /// post falls forward. Of its angular momentum about the edge its weight takes g w/2 for the time v/(mu g) of sliding; what is left must
  /// lift it by its `lift_energy` (per kg).
  static bool trips(const BodyVelocity& m, const Inertia& inertia, Vec2 centre, Vec2 pivot, double friction,
                    double lift_energy) {
    const double side = pivot.x > centre.x ? 1 : -1, speed = side * m.velocity.x;
    if (friction <= 0 || speed <= 0) return false;
    const Vec2 arm = centre - pivot;
    const double square = inertia.inverse_mass / inertia.inverse_moment;  // of the radius of gyration
    const double left = speed * arm.y - side * m.spin * square - speed * std::abs(arm.x) / friction;
    return left > 0 && left * left > 2 * (square + dot(arm, arm)) * lift_energy;
  }

  double friction_below(std::size_t i) const {
    double most = 0;
    for (std::size_t t : network_.of_body(i)) {
      const Touch& touch = network_.touches[t];
      const double up = touch.second == i ? touch.normal.y : -touch.normal.y;
      if (up > 0.7) most = std::max(most, touch.friction);
    }
    return most;
  }

  void lose(std::size_t i) {
    if (state_[i].lost) return;
    state_[i].lost = true;
    lost_.push_back(i);
    falls_known_ = false;
  }

  void explode(const Explosion& explosion, Vec2 centre, std::size_t self) {
    const Profile& p = *scene_.profile;
    std::vector<std::pair<std::size_t, double>> hit;
    for (std::size_t i = 0; i < scene_.objects.size(); ++i) {
      if (i == self || !scene_.objects[i].alive || scene_.objects[i].is_static() || state_[i].destroyed)
        continue;
      if (length(nearest_point(graph_.geometry.shapes[i], centre) - centre) > explosion.radius) continue;
      const Vec2 away = graph_.geometry.shapes[i].centroid - centre;
      const double d = std::max(length(away), 0.01);
      const bool linear = p.explosion_falloff == ExplosionFalloff::linear;
      const double share = linear ? std::max(1 - d / explosion.radius, 0.0) : 1 / d;
      const double speed = explosion.power * (linear ? share : 0.5 / d) * network_.bodies[i].inverse_mass;
      set_moving(i, {(speed / d) * away, 0});
      hit.push_back({i, explosion.damage * share});
    }
    for (const auto& [i, damage] : hit) hurt(i, damage, false);
  }

  /// Until nothing new falls and nothing on its way strikes anything.
  void settle() {
    for (std::size_t next = 0;;) {
      if (!falls_known_) {
        falls_known_ = true;
        for (const Fall& fall : vertical_.falls_without(lost_)) {
          State& s = state_[fall.object];
          if (s.falls || s.lost) continue;
          s.falls = s.moved = true;
          s.direction = fall.direction;
          s.reason = "falls";
        }
        continue;
      }
      if (next >= events_.size() || blows_ > most_blows) break;
      const Event event = events_[next++];
      if (state_[event.object].destroyed) continue;
      follow(event);
    }
  }

  bool in_the_way(std::size_t j, std::size_t i) const {
    return j != i && scene_.objects[j].alive && !gone_[j] && !state_[j].falls && !state_[j].lost;
  }

  void follow(const Event& event) {
    if (event.topples)
      follow_topple(event);
    else
      follow_slide(event);
    if (state_[event.object].lost) follow_flight(event);
  }

  void hit_by(std::size_t i, std::size_t j, Striker striker, Vec2 point, Vec2 normal) {
    const SceneObject &a = scene_.objects[i], &b = scene_.objects[j];
    striker.friction = std::sqrt(a.parameters.friction * b.parameters.friction);
    const double closing = dot(striker.motion.velocity, normal);
    if (closing > least_bounce_speed)
      striker.restitution = std::max(a.parameters.restitution, b.parameters.restitution);
    const char was = gone_[i];
    gone_[i] = 1;  // it is the striker
    strike(striker, j, point, normal);
    gone_[i] = was;
    if (!b.is_static()) hurt(j, object_damage(j, closing, a.mass()), true);
    if (!a.is_static()) hurt(i, object_damage(i, closing, a.mass()), true);
  }

  void follow_slide(const Event& event) {
    const std::size_t i = event.object;
    const Bounds& o = graph_.geometry.bounds[i];
    const double sign = event.motion.velocity.x > 0 ? 1 : -1, g = gravity_of(i), friction = friction_below(i);
    const double v2 = event.motion.velocity.x * event.motion.velocity.x;
    const double way = friction > 0 ? std::min(v2 / (2 * friction * g), 5.0) : 5;
    std::size_t first = ground_index;
    double gap = way;
    for (std::size_t j = 0; j < scene_.objects.size(); ++j) {
      const Bounds& b = graph_.geometry.bounds[j];
      const double d = sign > 0 ? b.xmin - o.xmax : o.xmin - b.xmax;
      if (d <= contact_tolerance || d >= gap) continue;
      if (b.ymin >= o.ymax - contact_tolerance || b.ymax <= o.ymin + contact_tolerance || !in_the_way(j, i))
        continue;
      gap = d;
      first = j;
    }
    if (first == ground_index) return;
    const Bounds& b = graph_.geometry.bounds[first];
    Striker striker{.inertia = network_.bodies[i],
                    .motion = {{sign * std::sqrt(std::max(v2 - 2 * friction * g * gap, 0.0)), 0}, 0}};
    const Vec2 point{sign > 0 ? b.xmin : b.xmax, 0.5 * (std::max(o.ymin, b.ymin) + std::min(o.ymax, b.ymax))};
    striker.inertia.centre = {striker.inertia.centre.x, point.y};
    hit_by(i, first, striker, point, {sign, 0});
  }

  void follow_topple(const Event& event) {
    const std::size_t i = event.object;
    const Bounds& o = graph_.geometry.bounds[i];
    const double sign = event.right ? 1 : -1, g = gravity_of(i);
    const Vec2 pivot{sign > 0 ? o.xmax : o.xmin, o.ymin};
    const double radius = o.height();
    std::size_t first = ground_index;
    double gap = infinity;
    for (std::size_t j = 0; j < scene_.objects.size(); ++j) {
      const Bounds& b = graph_.geometry.bounds[j];
      const double d = sign > 0 ? b.xmin - pivot.x : pivot.x - b.xmax;
      if (d < -contact_tolerance || d >= gap) continue;
      const double dy = std::max(b.ymin - pivot.y, 0.0);
      if (d * d + dy * dy > radius * radius) continue;
      if (b.ymax <= o.ymin + contact_tolerance || b.ymin >= o.ymin + radius || !in_the_way(j, i)) continue;
      gap = d;
      first = j;
    }
    if (first == ground_index) return;
    const Bounds& b = graph_.geometry.bounds[first];
    gap = std::max(gap, 0.0);
    // The top comes down along the arc until it is `gap` aside; a rod about its end.
    const double height = std::min(std::sqrt(radius * radius - gap * gap), b.ymax - pivot.y);
    const double energy = 0.5 * dot(event.motion.velocity, event.motion.velocity) +
                          g * 0.5 * (radius - std::sqrt(radius * radius - gap * gap));
    const double speed = std::sqrt(std::max(3 * energy, 0.0)) * std::max(height, 0.1) / radius;
    Striker striker{.inertia = network_.bodies[i], .motion = {{sign * speed, 0}, 0}};
    striker.inertia.inverse_mass *= 3;
    striker.inertia.inverse_moment = 0;
    const Vec2 point{sign > 0 ? b.xmin : b.xmax, std::max(pivot.y + height, b.ymin)};
    striker.inertia.centre = point;
    hit_by(i, first, striker, point, {sign, 0});
  }

  /// An object in free fall, as a disc of the size of its narrow side.
  void follow_flight(const Event& event) {
    const std::size_t i = event.object;
    const Bounds& o = graph_.geometry.bounds[i];
    Trajectory flight{.shot = {},
                      .start = network_.bodies[i].centre,
                      .velocity = event.motion.velocity,
                      .gravity = gravity_of(i),
                      .radius = 0.5 * std::min(o.width(), o.height()),
                      .aim = {}};
    const SweptDisc path(flight);
    double first = flight_time;
    if (const auto t = first_ground_contact(flight, scene_.profile->ground_y, first)) first = *t;
    std::size_t struck = ground_index;
    for (std::size_t j = 0; j < scene_.objects.size(); ++j) {
      if (!path.may_touch(graph_.geometry.bounds[j], first) || !in_the_way(j, i) || touching(i, j)) continue;
      const double t = path.first_contact(graph_.geometry.obstacles[j], first);
      if (t < first) {
        first = t;
        struck = j;
      }
    }
    if (struck == ground_index) return;
    Striker striker{.inertia = network_.bodies[i], .motion = {flight.velocity_at(first), 0}};
    striker.inertia.centre = flight.at(first);
    const Vec2 point = nearest_point(graph_.geometry.shapes[struck], striker.inertia.centre);
    const double apart = length(point - striker.inertia.centre);
    if (apart < 1e-9) return;
    const Vec2 normal = (1 / apart) * (point - striker.inertia.centre);
    if (dot(striker.motion.velocity, normal) > 0) hit_by(i, struck, striker, point, normal);
  }

  bool touching(std::size_t i, std::size_t j) const {
    return std::any_of(network_.of_body(i).begin(), network_.of_body(i).end(), [&](std::size_t t) {
      return network_.touches[t].first == j || network_.touches[t].second == j;
    });
  }

  /// Objects that lie below, the highest first: living, no higher than the lowest point, with a part of the x-range in common.
  const std::vector<std::size_t>& below(std::size_t i) {
    Below& known = below_[i];
    if (known.found) return known.objects;
    known.found = true;
    const std::vector<Bounds>& boxes = graph_.geometry.bounds;
    const Bounds& o = boxes[i];
    for (std::size_t j = 0; j < boxes.size(); ++j) {
      const Bounds& b = boxes[j];
      if (j == i || !scene_.objects[j].alive || b.xmin >= o.xmax || b.xmax <= o.xmin ||
          b.ymax > o.ymin + contact_tolerance)
        continue;
      known.objects.push_back(j);
    }
    std::sort(known.objects.begin(), known.objects.end(),
              [&](std::size_t a, std::size_t b) { return boxes[a].ymax > boxes[b].ymax; });
    return known.objects;
  }

  /// How far an object can come down: to the highest that stays of what lies below it.
  double drop(std::size_t i) {
    double top = scene_.profile->ground_y;
    for (std::size_t j : below(i)) {
      if (state_[j].lost || state_[j].falls) continue;
      top = std::max(top, graph_.geometry.bounds[j].ymax);
      break;
    }
    return std::max(graph_.geometry.bounds[i].ymin - top, 0.0);
  }

  void tell(std::size_t target) {
    impacted_.clear();
    if (state_[target].moved) tell_of(target, target);
    for (std::size_t i = 0; i < state_.size(); ++i)
      if (i != target && state_[i].moved) tell_of(i, target);
  }

  void tell_of(std::size_t i, std::size_t target) {
    const State& s = state_[i];
    ImpactedObject& object = impacted_.emplace_back(
        ImpactedObject{.object = i, .cases = {}, .reason = s.reason});
    object.speed = std::sqrt(2 * s.energy);
    if (s.destroyed) {
      object.cases.set(1);
      return;
    }
    if (s.falls) {
      object.falls = s.direction;
      object.drop = drop(i);
      object.cases.set(directly_above_static(scene_, graph_, i, target) ? 4 : 5);
    }
    const bool off = s.lost && (object.drop = drop(i)) > contact_tolerance;
    if (i == target) object.cases.set(s.flips ? 2 : 3);
    if (i == target || !s.falls) object.cases.set(s.flips ? (off ? 9 : 8) : (off ? 7 : 6));
  }

  struct Below {
    bool found = false;
    std::vector<std::size_t> objects;
  };

  const Scene& scene_;
  const SupportGraph& graph_;
  const ContactNetwork& network_;
  KnockOnConstants k_;
  ChanceConstants chance_;
  BlowSpreader blows_in_;
  VerticalImpact vertical_;
  std::vector<Below> below_;
  // Of the shot that is followed.
  std::vector<State> state_;
  std::vector<char> gone_;
  std::vector<std::size_t> lost_;
  std::vector<Event> events_;
  bool falls_known_ = true;
  int blows_ = 0;
  std::vector<ImpactedObject> impacted_;
};

KnockOn::KnockOn(const Scene& scene, const SupportGraph& graph, const ContactNetwork& network,
                 const KnockOnConstants& constants)
    : shot_(std::make_unique<Shot>(scene, graph, network, constants)) {}
KnockOn::~KnockOn() = default;
KnockOn::KnockOn(KnockOn&&) noexcept = default;

const std::vector<ImpactedObject>& KnockOn::follow(std::size_t target, const BirdType& bird,
                                                   const Trajectory& trajectory) {
  return shot_->follow(target, bird, trajectory);
}
Prospect KnockOn::prospect(std::size_t object) const { return shot_->prospect(object); }

std::vector<ImpactedObject> knocked_on(const Scene& scene, const SupportGraph& graph,
                                       const ContactNetwork& network, std::size_t target,
                                       const BirdType& bird, const Trajectory& trajectory,
                                       const KnockOnConstants& constants) {
  return KnockOn(scene, graph, network, constants).follow(target, bird, trajectory);
}

}  // namespace startle
