#include "reasoning/impulse/blow.hpp"

#include <algorithm>
#include <cmath>

#include "reasoning/impulse/impulses.hpp"
#include "reasoning/qualitative/contact.hpp"

namespace startle {
namespace {

/// Passes over the contacts; more change the outcome by less than the model is true.
constexpr int passes = 12;
/// A correction that changes no velocity by more than this, m/s, is not looked at again by the contacts
/// around it.
constexpr double settled_speed = 0.05;
/// Bodies slower than this after a pass pass nothing on, m/s and rad/s.
constexpr double least_speed = 0.1;

/// The floor under an object reaches this far beside and below it, world units: any contact lies within.
constexpr double beyond_contact = 1;

/// Area and second moment of area about `centre`.
struct Moments {
  double area = 0, second = 0;
};
Moments moments(const Polygon& polygon, Vec2 centre) {
  double area = 0, second = 0;
  Vec2 p = polygon.back() - centre;
  for (Vec2 corner : polygon) {
    const Vec2 q = corner - centre;
    area += cross(p, q);
    second += cross(p, q) * (dot(p, p) + dot(p, q) + dot(q, q));
    p = q;
  }
  return {0.5 * area, second / 12};
}

/// Mixed as the engine does; `first` may be ground_index.
double friction_of(const Scene& scene, std::size_t first, std::size_t second) {
  const double of_first = first == ground_index ? scene.profile->default_friction
                                                : scene.objects[first].parameters.friction;
  return std::sqrt(of_first * scene.objects[second].parameters.friction);
}

}  // namespace

Inertia inertia_of(const SceneObject& object, const Shape& world_shape) {
  Inertia inertia{.centre = world_shape.centroid};
  if (object.is_static()) return inertia;
  double area = 0, moment = 0;
  for (const Polygon& part : world_shape.parts) {
    const Moments m = moments(part, world_shape.centroid);
    area += m.area;
    moment += m.second;
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
  network.touches.reserve(2 * (geometry.contacts.size() + n));
  network.first_of.assign(n + 1, 0);
  const auto add = [&](std::size_t i, std::size_t j, const Contact& c) {
    const bool point = c.points[0] == c.points[1];
    for (int k = 0; k < (point ? 1 : 2); ++k) {
      for (std::size_t body : {i, j})
        if (body != ground_index) ++network.first_of[body + 1];
      network.touches.push_back(
          {i, j, c.points[static_cast<std::size_t>(k)], c.normal, friction_of(scene, i, j)});
    }
  };
  const double ground_y = scene.profile->ground_y;
  auto next = geometry.contacts.begin();
  for (std::size_t i = 0; i < n; ++i) {
    const SceneObject& a = scene.objects[i];
    if (!a.alive) continue;
    const Shape& shape = geometry.shapes[i];
    network.bodies[i] = inertia_of(a, shape);
    const Bounds& box = geometry.bounds[i];
    if (!a.is_static() && box.ymin <= ground_y + contact_tolerance) {
      const double left = box.xmin - beyond_contact, right = box.xmax + beyond_contact;
      const Polygon floor{{left, ground_y - beyond_contact},
                          {right, ground_y - beyond_contact},
                          {right, ground_y},
                          {left, ground_y}};
      for (const Polygon& part : shape.parts)
        if (const auto c = contact(floor, part, contact_tolerance)) add(ground_index, i, *c);
      for (const Disc& disc : shape.discs)
        if (const auto c = contact(floor, disc, contact_tolerance)) add(ground_index, i, *c);
    }
    for (; next != geometry.contacts.end() && std::min(next->first, next->second) == i; ++next)
      add(next->first, next->second, next->contact);
  }
  for (std::size_t i = 0; i < n; ++i) network.first_of[i + 1] += network.first_of[i];
  std::vector<std::size_t> place(network.first_of.begin(), network.first_of.end() - 1);
  network.of_bodies.resize(network.first_of[n]);
  for (std::size_t t = 0; t < network.touches.size(); ++t)
    for (std::size_t body : {network.touches[t].first, network.touches[t].second})
      if (body != ground_index) network.of_bodies[place[body]++] = t;
  return network;
}

ContactNetwork contact_network(const Scene& scene, const SceneShapes& geometry, const ContactNetwork& other) {
  ContactNetwork network = other;
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    if (scene.objects[i].alive) network.bodies[i] = inertia_of(scene.objects[i], geometry.shapes[i]);
  for (NetworkContact& touch : network.touches)
    touch.friction = friction_of(scene, touch.first, touch.second);
  return network;
}

BlowSpreader::BlowSpreader(const ContactNetwork& network)
    : network_(network), place_(network.bodies.size(), 0), known_(network.touches.size(), 0) {}
BlowSpreader::~BlowSpreader() = default;

std::uint32_t BlowSpreader::join(std::size_t object) {
  if (object == ground_index || network_.bodies[object].inverse_mass == 0) return 0;
  if (place_[object] == 0) {
    place_[object] = static_cast<std::uint32_t>(bodies_.size());
    bodies_.push_back({network_.bodies[object], {}});
    object_of_.push_back(object);
  }
  return place_[object];
}

void BlowSpreader::pass_on(std::uint32_t body, const std::vector<char>& gone) {
  const std::size_t object = object_of_[body];
  for (std::size_t t : network_.of_body(object)) {
    if (known_[t]) continue;
    known_[t] = 1;
    known_touches_.push_back(t);
    const NetworkContact& touch = network_.touches[t];
    const std::size_t other = touch.first == object ? touch.second : touch.first;
    if (other != ground_index && gone[other]) continue;
    const std::uint32_t first = join(touch.first), second = join(touch.second);
    contacts_.push_back(impulse_contact(bodies_, first, second, touch.point, touch.normal, touch.friction));
  }
}

const std::vector<Reached>& BlowSpreader::spread(const std::vector<char>& gone, Striker& striker,
                                                 std::size_t struck, Vec2 point, Vec2 normal) {
  bodies_.assign({{}, {striker.inertia, striker.motion}});
  object_of_.assign(2, ground_index);
  contacts_.clear();
  waiting_.clear();
  contacts_.push_back(impulse_contact(bodies_, 1, join(struck), point, normal, striker.friction));
  const double closing = dot(striker.motion.velocity, normal) +
                         striker.motion.spin * contacts_.front().normal_first.arm;
  if (closing > least_bounce_speed) contacts_.front().bounce = striker.restitution * closing;

  const auto moves = [](const ImpulseBody& body) {
    return dot(body.motion.velocity, body.motion.velocity) > least_speed * least_speed ||
           std::abs(body.motion.spin) > least_speed;
  };
  std::uint32_t joined = 2, now = 0;
  for (int pass = 0; pass < passes; ++pass) {
    bool settling = false;
    for (ImpulseContact& c : contacts_) {
      ImpulseBody &a = bodies_[c.first], &b = bodies_[c.second];
      if (c.corrected >= a.changed && c.corrected >= b.changed && c.corrected > 0)
        continue;  // as it left them
      ++now;
      if (correct(c, a.motion, b.motion) * (a.inertia.inverse_mass + b.inertia.inverse_mass) >=
          settled_speed) {
        settling = true;
        if (a.inertia.inverse_mass > 0) a.changed = now;
        if (b.inertia.inverse_mass > 0) b.changed = now;
      }
      c.corrected = now;
    }
    if (!settling) break;
    for (; joined < bodies_.size(); ++joined) waiting_.push_back(joined);
    std::erase_if(waiting_, [&](std::uint32_t b) {
      if (!moves(bodies_[b])) return false;
      pass_on(b, gone);
      return true;
    });
  }
  striker.motion = bodies_[1].motion;
  reached_.clear();
  for (std::size_t b = 2; b < bodies_.size(); ++b) {
    if (moves(bodies_[b])) reached_.push_back({object_of_[b], bodies_[b].motion});
    place_[object_of_[b]] = 0;
  }
  for (std::size_t t : known_touches_) known_[t] = 0;
  known_touches_.clear();
  std::sort(reached_.begin(), reached_.end(),
            [](const Reached& a, const Reached& b) { return a.object < b.object; });
  return reached_;
}

}  // namespace startle
