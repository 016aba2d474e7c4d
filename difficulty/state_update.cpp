#include "difficulty/state_update.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "core/bits.hpp"
#include "reasoning/qualitative/horizontal_influence.hpp"
#include "reasoning/qualitative/support.hpp"
#include "reasoning/qualitative/vertical_impact.hpp"
#include "sim/world_damage.hpp"

namespace startle {

namespace {

enum class Motion { flip, slide, fall };

/// One convex piece in the world's frame.
struct Piece {
  Polygon polygon;
  Bounds box;
};

/// What putting objects down needs to know of one object.
struct Body {
  std::vector<Piece> pieces;
  Bounds box;
};

constexpr int disc_corners = 16;  // the inscribed polygon misses 2 % of the radius, far less than
                                  // contact_tolerance

Polygon inscribed_polygon(const Disc& disc) {
  static const std::array<Vec2, disc_corners> corners = [] {
    std::array<Vec2, disc_corners> unit;
    for (int i = 0; i < disc_corners; ++i)
      unit[static_cast<std::size_t>(i)] = direction(2 * std::numbers::pi * i / disc_corners);
    return unit;
  }();
  Polygon polygon;
  for (Vec2 corner : corners) polygon.push_back(disc.centre + disc.radius * corner);
  return polygon;
}

Body make_body(const SceneObject& object) {
  Body body;
  const auto add = [&](Polygon polygon) {
    const Bounds box = bounds(polygon);
    body.pieces.push_back({std::move(polygon), box});
  };
  for (const Polygon& part : object.shape->parts) add(transformed(part, object.pose));
  for (const Disc& disc : object.shape->discs)
    add(inscribed_polygon({transformed(disc.centre, object.pose), disc.radius}));
  body.box = body.pieces.front().box;
  for (const Piece& piece : body.pieces) {
    body.box.xmin = std::min(body.box.xmin, piece.box.xmin);
    body.box.xmax = std::max(body.box.xmax, piece.box.xmax);
    body.box.ymin = std::min(body.box.ymin, piece.box.ymin);
    body.box.ymax = std::max(body.box.ymax, piece.box.ymax);
  }
  return body;
}

/// Lowest and highest y of a convex polygon on the vertical line at x, which must meet it.
Interval section(const Polygon& polygon, double x) {
  Interval y{1e300, -1e300};
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i], b = polygon[(i + 1) % polygon.size()];
    if (std::min(a.x, b.x) > x || std::max(a.x, b.x) < x) continue;
    const double at = a.x == b.x ? a.y : a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x));
    const double other = a.x == b.x ? b.y : at;
    y.start = std::min({y.start, at, other});
    y.end = std::max({y.end, at, other});
  }
  return y;
}

/// How far `upper` can sink before it meets `lower`, over the x they share within [left, right]; negative
/// when they overlap.
std::optional<double> gap(const Piece& upper, const Piece& lower, double left, double right) {
  left = std::max({left, upper.box.xmin, lower.box.xmin});
  right = std::min({right, upper.box.xmax, lower.box.xmax});
  if (left >= right) return std::nullopt;
  // The gap is a convex function of x, piecewise linear between corners: its least value is at an end or at a
  // corner.
  double least = 1e300;
  const auto look = [&](double x) {
    least = std::min(least, section(upper.polygon, x).start - section(lower.polygon, x).end);
  };
  look(left);
  look(right);
  for (const Polygon* polygon : {&upper.polygon, &lower.polygon})
    for (Vec2 corner : *polygon)
      if (corner.x > left && corner.x < right) look(corner.x);
  return least;
}

/// Puts objects of a scene down one after the other.
class Placer {
 public:
  Placer(Scene& scene, const std::vector<bool>& in_the_air) : scene_(scene), bodies_(scene.objects.size()) {
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      if (!scene.objects[i].alive) continue;
      bodies_[i] = make_body(scene.objects[i]);
      if (!in_the_air[i]) standing_.push_back(i);
    }
  }

  const Bounds& box(std::size_t index) const { return bodies_[index].box; }

  /// +1 when away from the slingshot is to the right, else -1.
  double away(std::size_t index) const { return box(index).centre().x >= scene_.slingshot.x ? 1 : -1; }

  void flip(std::size_t index) {
    const double side = away(index);
    const Vec2 corner{side > 0 ? box(index).xmax : box(index).xmin, box(index).ymin};
    Pose& pose = scene_.objects[index].pose;
    const Pose upright = pose;
    const Vec2 arm = pose.position - corner;
    pose.position = corner + side * Vec2{arm.y, -arm.x};
    pose.angle -= side * 0.5 * std::numbers::pi;
    bodies_[index] = make_body(scene_.objects[index]);
    if (blocked(index)) {
      pose = upright;
      bodies_[index] = make_body(scene_.objects[index]);
    }
  }

  /// Moves the object to that side, +1 or -1, until it meets something that stands there, at most `longest`.
  /// Returns the way.
  double slide(std::size_t index, double side, double longest) {
    const Bounds& own = box(index);
    double way = longest;
    for (std::size_t i : standing_) {
      const Bounds& other = box(i);
      if (std::min(own.ymax, other.ymax) - std::max(own.ymin, other.ymin) <= contact_tolerance) continue;
      const double distance = side > 0 ? other.xmin - own.xmax : own.xmin - other.xmax;
      if (distance >= -contact_tolerance) way = std::min(way, std::max(distance, 0.0));
    }
    scene_.objects[index].pose.position.x += side * way;
    bodies_[index] = make_body(scene_.objects[index]);
    return way;
  }

  /// Lets the object sink onto what is below. Where something has moved into its place it is lifted onto
  /// that.
  void put_down(std::size_t index) {
    const Body& own = bodies_[index];
    double drop = own.box.ymin - scene_.profile->ground_y;
    // Objects side by side may overlap by rounding; only what reaches further under the object than that
    // carries it.
    const double left = own.box.xmin + contact_tolerance, right = own.box.xmax - contact_tolerance;
    for (std::size_t i : standing_)
      for (const Piece& lower : bodies_[i].pieces)
        for (const Piece& upper : own.pieces)
          if (lower.box.centre().y < upper.box.centre().y)
            if (const auto least = gap(upper, lower, left, right)) drop = std::min(drop, *least);
    scene_.objects[index].pose.position.y -= drop;
    bodies_[index] = make_body(scene_.objects[index]);
    standing_.push_back(index);
  }

 private:
  bool blocked(std::size_t index) const {
    const Shape shape = scene_.objects[index].world_shape();
    const Bounds& own = box(index);
    return std::any_of(standing_.begin(), standing_.end(), [&](std::size_t i) {
      const Bounds& other = box(i);
      const bool meet = own.xmin < other.xmax && own.xmax > other.xmin && own.ymin < other.ymax &&
                        own.ymax > other.ymin;
      return meet && overlap_depth(shape, scene_.objects[i].world_shape()) > contact_tolerance;
    });
  }

  Scene& scene_;
  std::vector<Body> bodies_;           // of the living
  std::vector<std::size_t> standing_;  // what stays, or has been put down
};

Motion motion(const Cases& cases) {
  using namespace movement;
  if (cases[hit_and_flips] || cases[flips_and_stops] || cases[flips_and_falls]) return Motion::flip;
  if (cases[hit_and_slides] || cases[slides_and_stops] || cases[slides_and_falls]) return Motion::slide;
  return Motion::fall;
}

/// How far an object must go to that side to clear what carries it; at most its own width, which takes it
/// past any contact.
double way_clear_of(const Bounds& object, const Bounds& supporter, double side) {
  const double way = side > 0 ? supporter.xmax - object.xmin : object.xmax - supporter.xmin;
  return std::min(way, object.width());
}

}  // namespace

std::vector<std::uint64_t> state_key(const Scene& scene, const SearchSpace& space) {
  std::vector<std::uint64_t> key;
  key.reserve(5 * scene.objects.size() + space.known_normal.size());
  for (const SceneObject& o : scene.objects) {
    key.push_back(o.alive);
    if (o.alive)
      for (double value : {o.pose.position.x, o.pose.position.y, o.pose.angle, o.life})
        key.push_back(bit_cast<std::uint64_t>(value));
  }
  for (const bool known : space.known_normal) key.push_back(known);
  return key;
}

double life_lost_to(const Scene& scene, std::size_t target, const BirdType& bird) {
  const SceneObject& object = scene.objects[target];
  return bird_damage(scene, object, bird,
                     speed_at_height(scene, bird, transformed(object.shape->centroid, object.pose).y));
}

void add_explosions(ShotEffects& effects, const Scene& scene, std::size_t target, const BirdType& bird) {
  const auto centre_of = [&](std::size_t i) {
    return transformed(scene.objects[i].shape->centroid, scene.objects[i].pose);
  };
  std::vector<std::pair<const Explosion*, Vec2>> explosions;
  std::vector<bool> gone(scene.objects.size(), false);
  const auto destroy = [&](std::size_t i) {
    gone[i] = true;
    if (scene.objects[i].kind == Kind::tnt)
      explosions.emplace_back(&scene.objects[i].explosion, centre_of(i));
  };
  for (const ImpactedObject& moved : effects.impacted)
    if (moved.cases[movement::hit_and_destroyed]) destroy(moved.object);
  if (bird.power.kind == PowerKind::explode)
    explosions.emplace_back(&bird.power.explosion, centre_of(target));
  if (explosions.empty()) return;

  std::vector<double> lost(scene.objects.size(), 0);
  for (const LifeLost& l : effects.life_lost) lost[l.object] += l.points;
  std::vector<std::size_t> destroyed;  // by explosions
  for (std::size_t next = 0; next < explosions.size(); ++next) {
    const auto [explosion, centre] = explosions[next];
    Shape disc;
    disc.discs.push_back({centre, explosion->radius});
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      const SceneObject& object = scene.objects[i];
      if (!object.alive || object.is_static() || gone[i] || distance(object.world_shape(), disc) > 0)
        continue;
      lost[i] += explosion->damage * explosion_falloff(scene.profile->explosion_falloff,
                                                       length(centre_of(i) - centre), explosion->radius)
                                         .damage;
      if (lost[i] < object.life) continue;
      destroyed.push_back(i);
      destroy(i);
    }
  }
  effects.life_lost.clear();
  for (std::size_t i = 0; i < lost.size(); ++i)
    if (lost[i] > 0) effects.life_lost.push_back({i, lost[i]});
  const auto entry = [&](std::size_t i) -> ImpactedObject& {
    const auto known = std::find_if(effects.impacted.begin(), effects.impacted.end(),
                                    [&](const ImpactedObject& moved) { return moved.object == i; });
    return known != effects.impacted.end()
               ? *known
               : effects.impacted.emplace_back(ImpactedObject{.object = i, .cases = {}, .reason = {}});
  };
  for (std::size_t i : destroyed) entry(i).cases.set(movement::hit_and_destroyed);
  for (const Fall& fall : vertical_impact(scene, support_graph(scene), destroyed)) {
    ImpactedObject& falling = entry(fall.object);
    if (falling.cases.none()) falling.cases.set(movement::falls_and_rotates);
    if (!falling.falls) falling.falls = fall.direction;
  }
}

Scene update_qualitatively(const Scene& scene, const ShotEffects& effects,
                           const ReasoningConstants& constants) {
  Scene next = scene;
  ++next.next_bird;
  for (const LifeLost& lost : effects.life_lost) {
    SceneObject& object = next.objects[lost.object];
    object.life -= lost.points;
    if (object.life <= 0) object.alive = false;
  }
  std::vector<bool> in_the_air(scene.objects.size(), false);
  std::vector<std::size_t> pushed, falling;
  std::vector<Motion> motions(scene.objects.size(), Motion::fall);
  std::vector<bool> moves(scene.objects.size(), false);
  std::vector<double> sides(scene.objects.size(), 0);  // of what tips: +1 to the right, -1 to the left
  for (const ImpactedObject& moved : effects.impacted) {
    SceneObject& object = next.objects[moved.object];
    moves[moved.object] = true;
    if (moved.cases[movement::hit_and_destroyed] || !object.alive) {
      object.alive = false;
      continue;
    }
    in_the_air[moved.object] = true;
    motions[moved.object] = motion(moved.cases);
    (motions[moved.object] == Motion::fall ? falling : pushed).push_back(moved.object);
    if (motions[moved.object] == Motion::fall && moved.falls && *moved.falls != FallDirection::down)
      sides[moved.object] = *moved.falls == FallDirection::right ? 1 : -1;
  }
  Placer placer(next, in_the_air);

  const auto nearness = [&](std::size_t i) { return -placer.away(i) * placer.box(i).centre().x; };
  std::sort(pushed.begin(), pushed.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(nearness(a), a) < std::pair(nearness(b), b);
  });
  std::sort(falling.begin(), falling.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(placer.box(a).ymin, a) < std::pair(placer.box(b).ymin, b);
  });
  for (std::size_t i : pushed) {
    if (motions[i] == Motion::flip)
      placer.flip(i);
    else
      placer.slide(i, placer.away(i), constants.k_slide);
    placer.put_down(i);
  }
  // Found only where something tips: it takes as long as all else together.
  const bool tips = std::any_of(sides.begin(), sides.end(), [](double side) { return side != 0; });
  const SupportGraph graph = tips ? support_graph(scene) : SupportGraph{};
  std::vector<double> ways(scene.objects.size(), 0);
  for (std::size_t i : falling) {
    if (sides[i] != 0) {
      // The lowest are put down first: what carried this object and fell has gone its way already.
      double longest = 0;
      for (std::size_t e : graph.supporters[i]) {
        const std::size_t lower = graph.edges[e].lower;
        if (lower == ground_index) continue;
        if (!moves[lower])
          longest = std::max(longest,
                             way_clear_of(graph.geometry.bounds[i], graph.geometry.bounds[lower], sides[i]));
        else if (sides[lower] == sides[i])
          longest = std::max(longest, ways[lower]);
      }
      ways[i] = placer.slide(i, sides[i], longest);
    }
    placer.put_down(i);
  }
  return next;
}

}  // namespace startle
