#include "reasoning/blow.hpp"

#include <algorithm>
#include <cmath>

#include "reasoning/contact.hpp"
#include "reasoning/impulses.hpp"

namespace startle {
namespace {

/// Passes over the contacts; more change the outcome by less than the model is true.
constexpr std::size_t passes = 12;
/// The impulses are found when a pass changes no velocity by more than this, m/s.
constexpr double settled = 0.002;
/// Closing speed below which nothing bounces, m/s (Box2D).
constexpr double least_bounce_speed = 1;
/// Bodies slower than this after a pass pass nothing on, m/s and rad/s.
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

/// Mixed as the engine does; `first` may be ground_index.
double friction_of(const Scene& scene, std::size_t first, std::size_t second) {
  const double of_first = first == ground_index ? scene.profile->default_friction : scene.objects[first].parameters.friction;
  return std::sqrt(of_first * scene.objects[second].parameters.friction);
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
  network.obstacles.resize(n);
  const auto add = [&](std::size_t i, std::size_t j, const Contact& c) {
    const bool point = c.points[0] == c.points[1];
    for (int k = 0; k < (point ? 1 : 2); ++k) {
      for (std::size_t body : {i, j})
        if (body != ground_index) network.of_body[body].push_back(network.touches.size());
      network.touches.push_back({i, j, c.points[static_cast<std::size_t>(k)], c.normal, friction_of(scene, i, j)});
    }
  };
  const double ground_y = scene.profile->ground_y;
  for (std::size_t i = 0; i < n; ++i) {
    const SceneObject& a = scene.objects[i];
    if (!a.alive) continue;
    const Shape& shape = geometry.shapes[i];
    network.bodies[i] = inertia_of(a, shape);
    network.obstacles[i] = make_obstacle(shape);
    const Bounds& box = geometry.bounds[i];
    if (!a.is_static() && box.ymin <= ground_y + contact_tolerance) {
      const Polygon floor{{box.xmin - 1, ground_y - 1}, {box.xmax + 1, ground_y - 1}, {box.xmax + 1, ground_y}, {box.xmin - 1, ground_y}};
      for (const Polygon& part : shape.parts)
        if (const auto c = contact(floor, part, contact_tolerance)) add(ground_index, i, *c);
      for (const Disc& disc : shape.discs)
        if (const auto c = contact(floor, disc, contact_tolerance)) add(ground_index, i, *c);
    }
    for (std::size_t j = i + 1; j < n; ++j) {
      const SceneObject& b = scene.objects[j];
      if (!b.alive || (a.is_static() && b.is_static())) continue;
      const Bounds& other = geometry.bounds[j];
      if (box.xmin > other.xmax + contact_tolerance || other.xmin > box.xmax + contact_tolerance) continue;
      if (box.ymin > other.ymax + contact_tolerance || other.ymin > box.ymax + contact_tolerance) continue;
      for (const Polygon& p : shape.parts) {
        for (const Polygon& q : geometry.shapes[j].parts)
          if (const auto c = contact(p, q, contact_tolerance)) add(i, j, *c);
        for (const Disc& q : geometry.shapes[j].discs)
          if (const auto c = contact(p, q, contact_tolerance)) add(i, j, *c);
      }
      for (const Disc& p : shape.discs) {
        for (const Polygon& q : geometry.shapes[j].parts)
          if (const auto c = contact(q, p, contact_tolerance)) add(j, i, *c);
        for (const Disc& q : geometry.shapes[j].discs)
          if (const auto c = contact(p, q, contact_tolerance)) add(i, j, *c);
      }
    }
  }
  return network;
}

ContactNetwork contact_network(const Scene& scene, const SceneShapes& geometry, const ContactNetwork& other) {
  ContactNetwork network = other;
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    if (scene.objects[i].alive) network.bodies[i] = inertia_of(scene.objects[i], geometry.shapes[i]);
  for (Touch& touch : network.touches) touch.friction = friction_of(scene, touch.first, touch.second);
  return network;
}

void spread_blow(const ContactNetwork& network, const std::vector<char>& gone, Striker& striker, std::size_t struck, Vec2 point, Vec2 normal,
                 std::vector<BodyVelocity>& after) {
  const std::size_t n = network.bodies.size();
  after.assign(n, {});
  // Bodies: 0 is fixed, 1 the striker; objects join when the blow reaches them.
  std::vector<ImpulseBody> bodies{{}, {striker.inertia, striker.motion}};
  std::vector<std::size_t> place(n, 0), object_of{n, n};
  std::vector<char> known(network.touches.size(), 0);
  std::vector<ImpulseContact> contacts;
  bodies.reserve(32);
  contacts.reserve(64);
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
  const double closing = dot(striker.motion.velocity, normal) + striker.motion.spin * contacts.front().normal_first;
  if (closing > least_bounce_speed) contacts.front().bounce = striker.restitution * closing;

  const auto moves = [](const ImpulseBody& body) {
    return length(body.motion.velocity) > least_speed || std::abs(body.motion.spin) > least_speed;
  };
  std::vector<std::size_t> waiting;  // bodies that have not passed the blow on
  for (std::size_t joined = 2, pass = 0; pass < passes; ++pass) {
    double change = 0;
    for (ImpulseContact& c : contacts) {
      ImpulseBody &a = bodies[c.first], &b = bodies[c.second];
      change = std::max(change, correct(c, a, b) * (a.inertia.inverse_mass + b.inertia.inverse_mass));
    }
    if (change < settled) break;
    for (; joined < bodies.size(); ++joined) waiting.push_back(joined);
    // Pass on to what the bodies in motion touch.
    std::erase_if(waiting, [&](std::size_t b) {
      if (!moves(bodies[b])) return false;
      const std::size_t object = object_of[b];
      for (std::size_t t : network.of_body[object]) {
        if (known[t]) continue;
        known[t] = 1;
        const Touch& touch = network.touches[t];
        const std::size_t other = touch.first == object ? touch.second : touch.first;
        if (other != ground_index && gone[other]) continue;
        const std::size_t first = join(touch.first), second = join(touch.second);
        contacts.push_back(impulse_contact(bodies, first, second, touch.point, touch.normal, touch.friction));
      }
      return true;
    });
  }
  striker.motion = bodies[1].motion;
  for (std::size_t b = 2; b < bodies.size(); ++b) {
    if (moves(bodies[b])) after[object_of[b]] = bodies[b].motion;
  }
}

}  // namespace startle
