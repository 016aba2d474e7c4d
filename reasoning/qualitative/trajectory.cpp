#include "reasoning/qualitative/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/math.hpp"
#include "reasoning/qualitative/polynomial.hpp"

namespace startle {
namespace {

/// Arc tangent from + - * / and sqrt alone: shots are stored and simulated, and libraries differ in the last
/// bit.
double arc_tangent(double z) {
  if (z < 0) return -arc_tangent(-z);
  if (z > 1) return std::numbers::pi / 2 - arc_tangent(1 / z);
  // Half the angle twice, tan(a/2) = tan a / (1 + sqrt(1 + tan^2 a)); then z <= 0.199 and the series is
  // short.
  for (int i = 0; i < 2; ++i) z /= 1 + std::sqrt(1 + z * z);
  const double q = -z * z;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * q + 1.0 / k;
  return 4 * z * sum;
}

/// Direction of a vector in (-pi, pi].
double angle_of(Vec2 d) {
  constexpr double pi = std::numbers::pi;
  if (d.x == 0) return d.y >= 0 ? pi / 2 : -pi / 2;
  const double a = arc_tangent(d.y / d.x);
  if (d.x > 0) return a;
  return d.y >= 0 ? a + pi : a - pi;
}

/// First time in [low, high] at which the path is within `reach` of `point`; infinity when it is not.
double circle_contact(const SweptDisc& path, Vec2 point, double reach, double low, double high) {
  path.clip_to_x(point.x - reach, point.x + reach, low, high);
  if (!(low <= high) || !path.meets_y(point.y - reach, point.y + reach, low, high)) return math::infinity;

  // Squared distance less reach^2, as a quartic in s = t - low.
  const Vec2 d = path.at(low) - point, v = path.velocity - Vec2{0, path.gravity * low};
  const double g = path.gravity;
  const Quartic c{dot(d, d) - reach * reach, 2 * dot(d, v), dot(v, v) - g * d.y, -g * v.y, 0.25 * g * g};
  if (c[0] <= 0) return low;
  const double width = high - low;

  const double flattest = g > 0 ? std::clamp(v.y / g, 0.0, width) : 0.0;  // where the second derivative is
                                                                          // least
  if (6 * c[4] * flattest * flattest + 3 * c[3] * flattest + c[2] > 0) {
    // Convex in the window: Newton from the left comes down to the first root without passing it.
    double s = 0;
    for (int i = 0; i < 60; ++i) {
      const double slope = c[1] + s * (2 * c[2] + s * (3 * c[3] + s * 4 * c[4]));
      if (slope >= 0) return math::infinity;
      const double step = -(c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * c[4])))) / slope;
      s += step;
      if (s > width) return math::infinity;
      if (step < 1e-12) break;
    }
    return low + s;
  }
  const Roots roots = roots_in(c, 0, width);
  return roots.count > 0 ? low + roots.at[0] : math::infinity;
}

/// First time in [low, high] at which the disc touches the convex piece; infinity when it does not.
double piece_contact(const SweptDisc& path, const Obstacle& obstacle, const Obstacle::Piece& piece,
                     double high) {
  const double r = path.radius;
  double low = 0;
  path.clip_to_x(piece.box.xmin - r, piece.box.xmax + r, low, high);
  if (!(low <= high) || !path.meets_y(piece.box.ymin - r, piece.box.ymax + r, low, high))
    return math::infinity;

  double best = math::infinity;
  bool inside = low == 0;
  std::uint64_t facing = 0;  // edges the path moves towards; a first contact is on one of them or at its ends
  for (std::size_t i = piece.first; i < piece.last; ++i) {
    const Obstacle::Edge& edge = obstacle.edges[i];
    const Vec2 normal{edge.along.y, -edge.along.x};
    const auto faces = [&](Vec2 p) {
      const double s = dot(edge.along, p - edge.from);
      return s >= 0 && s <= edge.length;
    };
    // Height over the edge line less the radius: a t^2 + b t + c. The disc enters where it turns from + to -.
    const double over = dot(normal, path.start - edge.from);
    const double a = -0.5 * path.gravity * normal.y, b = dot(normal, path.velocity), c = over - r;
    if (low == 0) {
      if (over > 0) inside = false;
      if (over >= 0 && c <= 0 && faces(path.start)) return 0;
    }
    if (b + 2 * a * low >= 0 && b + 2 * a * high >= 0) continue;
    facing |= std::uint64_t{1} << (i - piece.first);
    const double discriminant = b * b - 4 * a * c;
    if (discriminant < 0) continue;
    const double root = std::sqrt(discriminant);
    const double t = b < 0 ? 2 * c / (root - b) : (-b - root) / (2 * a);  // the same number; each form where
                                                                          // it is exact
    if (t >= 0 && t <= high && t < best && faces(path.at(t))) best = t;
  }
  if (inside) return 0;
  for (std::size_t i = piece.first, before = piece.last - 1; i < piece.last; before = i++) {
    const bool worth = (facing >> (i - piece.first) & 1) || (facing >> (before - piece.first) & 1) ||
                       low == 0;
    if (worth)
      best = std::min(best, circle_contact(path, obstacle.edges[i].from, r, low, std::min(high, best)));
  }
  return best;
}

}  // namespace

Trajectory flight(const Scene& scene, const BirdType& bird, const Shot& shot) {
  const Profile& p = *scene.profile;
  const Vec2 d = direction(shot.angle);
  Trajectory path;
  path.shot = shot;
  path.gravity = p.flight_gravity(bird);
  path.radius = bird.radius;
  path.start = scene.rest() + bird.centre - (shot.stretch * p.max_stretch) * d;
  path.velocity = (shot.stretch * p.launch_speed) * d - Vec2{0, 0.5 * path.gravity * p.step};
  path.aim = path.start;
  return path;
}

std::vector<Trajectory> trajectories_through(const Scene& scene, const BirdType& bird, Vec2 aim) {
  // With d the direction of launch, k = stretch / speed and q = t - k the time since the bird passed the rest
  // position on a straight path, the path is rest + v q d less the drop w(q) = g t (t + step) / 2. Asking for
  // the aim point,
  //   v q d = delta + (0, w),   |d| = 1   gives   delta_x^2 + (delta_y + w(q))^2 = v^2 q^2,
  // a quartic in q without the unknown angle. It has at most two roots q > 0: where |delta_y + w| < v q.
  const Profile& p = *scene.profile;
  const double v = p.launch_speed, g = p.flight_gravity(bird), k = p.max_stretch / v;
  const Vec2 delta = aim - (scene.rest() + bird.centre);
  const double w2 = 0.5 * g, w1 = 0.5 * g * p.step + g * k,
               w0 = delta.y + 0.5 * g * p.step * k + 0.5 * g * k * k;

  double longest;  // beyond it, delta_y + w > v q
  if (g > 0) {
    const double b = v - w1, discriminant = b * b - 4 * w2 * w0;
    if (discriminant < 0) return {};
    longest = (b + std::sqrt(discriminant)) / (2 * w2);
  } else {
    longest = 2 * length(delta) / v;
  }
  if (!(longest > 0)) return {};

  const Quartic c{w0 * w0 + delta.x * delta.x, 2 * w0 * w1, w1 * w1 + 2 * w0 * w2 - v * v, 2 * w1 * w2,
                  w2 * w2};
  const Roots roots = roots_in(c, 0, longest * (1 + 1e-9));
  std::vector<Trajectory> found;
  for (int i = 0; i < roots.count; ++i) {
    const double q = roots.at[i];
    if (!(q > 0)) continue;
    Vec2 d{delta.x / (v * q), (w0 + q * (w1 + q * w2)) / (v * q)};
    d = (1 / length(d)) * d;
    Trajectory path = flight(scene, bird, Shot{.angle = angle_of(d)});
    // flight() rounds the direction to float, as the engine does; the aim point is met with the exact one.
    path.start = scene.rest() + bird.centre - p.max_stretch * d;
    path.velocity = v * d - Vec2{0, 0.5 * g * p.step};
    path.aim = aim;
    path.time = q + k;
    path.upper = i > 0;
    found.push_back(path);
  }
  return found;
}

bool on_upper_parabola(const Scene& scene, const Trajectory& trajectory, double t) {
  // The sign of the quartic's slope at its root (see trajectories_through), divided by 2 q:
  // v sin(angle) g (t + step/2) - v^2 is negative at the first root and positive at the second.
  const Profile& p = *scene.profile;
  const double v = trajectory.shot.stretch * p.launch_speed, h = 0.5 * p.step;
  return (trajectory.velocity.y + trajectory.gravity * h) * trajectory.gravity * (t + h) > v * v;
}

Obstacle make_obstacle(const Shape& shape) {
  Obstacle obstacle;
  obstacle.box = bounds(shape);
  obstacle.discs = shape.discs;
  obstacle.pieces.reserve(shape.parts.size());
  std::size_t edges = 0;
  for (const Polygon& part : shape.parts) edges += part.size();
  obstacle.edges.reserve(edges);
  for (const Polygon& part : shape.parts) {
    const std::size_t first = obstacle.edges.size();
    for (std::size_t i = 0; i < part.size(); ++i) {
      const Vec2 along = part[i + 1 < part.size() ? i + 1 : 0] - part[i];
      const double edge_length = length(along);
      if (edge_length > 0) obstacle.edges.push_back({part[i], (1 / edge_length) * along, edge_length});
    }
    obstacle.pieces.push_back({bounds(part), first, obstacle.edges.size()});
  }
  return obstacle;
}

SweptDisc::SweptDisc(const Trajectory& trajectory)
    : start(trajectory.start),
      velocity(trajectory.velocity),
      gravity(trajectory.gravity),
      radius(trajectory.radius),
      per_speed(1 / velocity.x),
      apex_time(velocity.y / gravity),
      apex_y(y(apex_time)) {}

double SweptDisc::first_contact(const Obstacle& obstacle, double t_end) const {
  double low = 0, high = t_end;
  clip_to_x(obstacle.box.xmin - radius, obstacle.box.xmax + radius, low, high);
  if (!(low <= high) || !meets_y(obstacle.box.ymin - radius, obstacle.box.ymax + radius, low, high))
    return math::infinity;
  double best = math::infinity;
  for (const Obstacle::Piece& piece : obstacle.pieces)
    best = std::min(best, piece_contact(*this, obstacle, piece, std::min(high, best)));
  for (const Disc& disc : obstacle.discs)
    best = std::min(best,
                    circle_contact(*this, disc.centre, radius + disc.radius, low, std::min(high, best)));
  return best;
}

std::optional<double> first_contact(const Trajectory& trajectory, const Shape& shape, double t_end) {
  const double t = SweptDisc(trajectory).first_contact(make_obstacle(shape), t_end);
  if (t > t_end) return std::nullopt;
  return t;
}

std::optional<double> first_ground_contact(const Trajectory& trajectory, double ground_y, double t_end) {
  const double clearance = trajectory.start.y - trajectory.radius - ground_y, vy = trajectory.velocity.y,
               g = trajectory.gravity;
  if (clearance <= 0) return 0;
  double t = math::infinity;
  if (g > 0)
    t = (vy + std::sqrt(vy * vy + 2 * g * clearance)) / g;
  else if (vy < 0)
    t = -clearance / vy;
  if (t > t_end || t == math::infinity) return std::nullopt;
  return t;
}

}  // namespace startle
