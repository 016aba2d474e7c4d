#include "reasoning/blow.hpp"

#include <algorithm>
#include <cmath>

#include "reasoning/contact.hpp"
#include "reasoning/impulses.hpp"

namespace startle {
namespace {

/// Passes over the contacts; more change the outcome by less than the model is true.
constexpr int passes = 12;
/// Closing speed below which nothing bounces, m/s (Box2D).
constexpr double least_bounce_speed = 1;
/// Bodies slower than this after a pass pass nothing on, m/s.
constexpr double least_speed = 0.02;

/// Second moment of area about the origin.
double second_moment(const Polygon& polygon) {
  double sum = 0;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Vec2 p = polygon[j], q = polygon[i];
    sum += cross(p, q) * (dot(p, p) + dot(p, q) + dot(q, q));
  }
  return sum / 12;
}

}  // namespace

Inertia inertia_of(const SceneObject& object, const Shape& world_shape) {
  Inertia inertia{.centre = world_shape.centroid};
  if (object.is_static()) return inertia;
  double area = 0, moment = 0;
  for (const Polygon& part : world_shape.parts) {
    Polygon about = part;
    for (Vec2& p : about) p = p - world_shape.centroid;
    area += signed_area(about);
    moment += second_moment(about);
  }
  for (const Disc& disc : world_shape.discs) {
    const double a = 3.14159265358979 * disc.radius * disc.radius;
    const Vec2 d = disc.centre - world_shape.centroid;
    area += a;
    moment += a * (0.5 * disc.radius * disc.radius + dot(d, d));
  }
  inertia.inverse_mass = 1 / object.mass();
  inertia.inverse_moment = area / (object.mass() * moment);
  return inertia;
}

ContactNetwork contact_network(const Scene& scene, const SceneShapes& geometry) {
  const std::size_t n = scene.objects.size();
  ContactNetwork network;
  network.bodies.resize(n);
  network.of_body.resize(n);
  const auto add = [&](std::size_t i, std::size_t j, const Contact& c, double friction) {
    const bool point = c.points[0] == c.points[1];
    for (int k = 0; k < (point ? 1 : 2); ++k) {
      for (std::size_t body : {i, j})
        if (body != ground_index) network.of_body[body].push_back(network.touches.size());
      network.touches.push_back({i, j, c.points[static_cast<std::size_t>(k)], c.normal, friction});
    }
  };
  const double ground_y = scene.profile->ground_y;
  for (std::size_t i = 0; i < n; ++i) {
    const SceneObject& a = scene.objects[i];
    if (!a.alive) continue;
    const Shape& shape = geometry.shapes[i];
    network.bodies[i] = inertia_of(a, shape);
    const Bounds& box = geometry.bounds[i];
    if (!a.is_static() && box.ymin <= ground_y + contact_tolerance) {
      const Polygon floor{{box.xmin - 1, ground_y - 1}, {box.xmax + 1, ground_y - 1}, {box.xmax + 1, ground_y}, {box.xmin - 1, ground_y}};
      const double friction = std::sqrt(a.parameters.friction * scene.profile->default_friction);
      for (const Polygon& part : shape.parts)
        if (const auto c = contact(floor, part, contact_tolerance)) add(ground_index, i, *c, friction);
      for (const Disc& disc : shape.discs)
        if (const auto c = contact(floor, disc, contact_tolerance)) add(ground_index, i, *c, friction);
    }
    for (std::size_t j = i + 1; j < n; ++j) {
      const SceneObject& b = scene.objects[j];
      if (!b.alive || (a.is_static() && b.is_static())) continue;
      const Bounds& other = geometry.bounds[j];
      if (box.xmin > other.xmax + contact_tolerance || other.xmin > box.xmax + contact_tolerance) continue;
      if (box.ymin > other.ymax + contact_tolerance || other.ymin > box.ymax + contact_tolerance) continue;
      const double friction = std::sqrt(a.parameters.friction * b.parameters.friction);
      for (const Polygon& p : shape.parts) {
        for (const Polygon& q : geometry.shapes[j].parts)
          if (const auto c = contact(p, q, contact_tolerance)) add(i, j, *c, friction);
        for (const Disc& q : geometry.shapes[j].discs)
          if (const auto c = contact(p, q, contact_tolerance)) add(i, j, *c, friction);
      }
      for (const Disc& p : shape.discs) {
        for (const Polygon& q : geometry.shapes[j].parts)
          if (const auto c = contact(q, p, contact_tolerance)) add(j, i, *c, friction);
        for (const Disc& q : geometry.shapes[j].discs)
          if (const auto c = contact(p, q, contact_tolerance)) add(i, j, *c, friction);
      }
    }
  }
  return network;
}

void spread_blow(const ContactNetwork& network, const std::vector<char>& gone, Striker& striker, std::size_t struck, Vec2 point, Vec2 normal,
                 std::vector<BodyMotion>& after) {
  const std::size_t n = network.bodies.size();
  after.assign(n, {});
  // Bodies: 0 is fixed, 1 the striker; objects join when the blow reaches them.
  std::vector<ImpulseBody> bodies{{}, {striker.inertia, striker.motion}};
  std::vector<std::size_t> place(n, 0), object_of{n, n};
  std::vector<char> known(network.touches.size(), 0);
  std::vector<ImpulseContact> contacts;
  const auto join = [&](std::size_t object) -> std::size_t {
    if (object == ground_index || network.bodies[object].inverse_mass == 0) return 0;
    if (place[object] == 0) {
      place[object] = bodies.size();
      bodies.push_back({network.bodies[object], {}});
      object_of.push_back(object);
    }
    return place[object];
  };
  contacts.push_back(impulse_contact(bodies, 1, join(struck), point, normal, striker.friction));
  const double closing = dot(velocity_at(bodies[1], contacts.front().arm_first), normal);
  if (closing > least_bounce_speed) contacts.front().bounce = striker.restitution * closing;

  std::size_t expanded = 2;  // bodies from here on have not passed the blow on
  for (int pass = 0; pass < passes; ++pass) {
    for (ImpulseContact& c : contacts) correct(c, bodies[c.first], bodies[c.second]);
    // Pass on to what the bodies in motion touch.
    for (const std::size_t end = bodies.size(); expanded < end; ++expanded) {
      const std::size_t object = object_of[expanded];
      for (std::size_t t : network.of_body[object]) {
        if (known[t]) continue;
        known[t] = 1;
        const Touch& touch = network.touches[t];
        const std::size_t other = touch.first == object ? touch.second : touch.first;
        if (other != ground_index && gone[other]) continue;
        const std::size_t first = join(touch.first), second = join(touch.second);
        contacts.push_back(impulse_contact(bodies, first, second, touch.point, touch.normal, touch.friction));
      }
    }
  }
  striker.motion = bodies[1].motion;
  for (std::size_t b = 2; b < bodies.size(); ++b) {
    const BodyMotion& motion = bodies[b].motion;
    if (length(motion.velocity) > least_speed || std::abs(motion.spin) > least_speed) after[object_of[b]] = motion;
  }
}

}  // namespace startle
