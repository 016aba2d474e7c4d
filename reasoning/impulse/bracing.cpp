#include "reasoning/impulse/bracing.hpp"

#include <algorithm>
#include <cmath>

#include "reasoning/impulse/impulses.hpp"

namespace startle {
namespace {

/// Passes end when no body's velocity changed by more than this at any contact, in m/s for each second of
/// fall.
constexpr double settled_change = 0.01;

/// What is let go, and what it touches, over one second of weight: impulses stand for forces.
class Release {
 public:
  Release(const Scene& scene, const ContactNetwork& network, const std::vector<std::size_t>& gone,
          const std::vector<Fall>& falls)
      : scene_(scene), place_(scene.objects.size(), 0), gone_(scene.objects.size(), 0) {
    for (std::size_t i : gone) gone_[i] = 1;
    bodies_.push_back({});  // all that stands fast
    object_.push_back(ground_index);
    for (const Fall& fall : falls) take_part(fall.object, network);
    let_go_ = bodies_.size();
    for (std::size_t b = 1; b < let_go_; ++b)
      for (std::size_t t : network.of_body(object_[b]))
        for (std::size_t other : {network.touches[t].first, network.touches[t].second})
          if (other != ground_index && !gone_[other] && place_[other] == 0 &&
              network.bodies[other].inverse_mass > 0)
            take_part(other, network);
    std::vector<const NetworkContact*> touches;
    for (std::size_t b = 1; b < bodies_.size(); ++b) {
      for (std::size_t t : network.of_body(object_[b])) {
        const NetworkContact& touch = network.touches[t];
        const std::size_t other = touch.first == object_[b] ? touch.second : touch.first;
        if (other == ground_index || !(gone_[other] || (place_[other] > 0 && place_[other] < b)))
          touches.push_back(&touch);
      }
    }
    // From the bottom up, whatever the order of the objects.
    std::stable_sort(touches.begin(), touches.end(), [](const NetworkContact* a, const NetworkContact* b) {
      return a->point.y < b->point.y;
    });
    const auto place = [&](std::size_t object) { return object == ground_index ? 0 : place_[object]; };
    for (const NetworkContact* t : touches)
      contacts_.push_back(
          impulse_contact(bodies_, place(t->first), place(t->second), t->point, t->normal, t->friction));
  }

  /// Objects that begin to move now; they are taken away.
  std::vector<std::size_t> find_moving(const BracingConstants& constants) {
    for (std::size_t b = 1; b < bodies_.size(); ++b) bodies_[b].motion = {{0, -gravity_of(object_[b])}, 0};
    for (ImpulseContact& c : contacts_) {  // the forces found before are the first guess
      push_apart(c, bodies_[c.first].motion, bodies_[c.second].motion, c.pressed, c.rubbed);
    }
    for (int pass = 0; pass < constants.passes; ++pass) {
      double change = 0;
      const auto visit = [&](ImpulseContact& c) {
        ImpulseBody &a = bodies_[c.first], &b = bodies_[c.second];
        change = std::max(change,
                          correct(c, a.motion, b.motion) * (a.inertia.inverse_mass + b.inertia.inverse_mass));
      };
      // Up and down by turns: loads are passed on along the order of the contacts.
      if (pass % 2 == 0)
        std::for_each(contacts_.begin(), contacts_.end(), visit);
      else
        std::for_each(contacts_.rbegin(), contacts_.rend(), visit);
      if (change < settled_change) break;
    }
    std::vector<std::size_t> moving;
    for (std::size_t b = 1; b < let_go_; ++b) {
      if (gone_[object_[b]]) continue;
      const Inertia& inertia = bodies_[b].inertia;
      const double acceleration = length(bodies_[b].motion.velocity) +
                                  std::abs(bodies_[b].motion.spin) *
                                      std::sqrt(inertia.inverse_mass / inertia.inverse_moment);
      if (acceleration > constants.least_acceleration * gravity_of(object_[b])) moving.push_back(object_[b]);
    }
    for (std::size_t i : moving) gone_[i] = 1;
    std::erase_if(contacts_, [&](const ImpulseContact& c) { return gone(c.first) || gone(c.second); });
    return moving;
  }

 private:
  void take_part(std::size_t object, const ContactNetwork& network) {
    place_[object] = static_cast<std::uint32_t>(bodies_.size());
    bodies_.push_back({network.bodies[object], {}});
    object_.push_back(object);
  }
  bool gone(std::uint32_t body) const { return body > 0 && gone_[object_[body]]; }
  double gravity_of(std::size_t i) const {
    return scene_.profile->gravity * scene_.objects[i].parameters.gravity_scale;
  }

  const Scene& scene_;
  std::vector<std::uint32_t> place_;  ///< of each object among the bodies; 0: not among them
  std::vector<char> gone_;
  std::vector<ImpulseBody> bodies_;  ///< 0 is fixed; then what is let go, then its neighbours
  std::vector<std::size_t> object_;  ///< of each body
  std::size_t let_go_ = 1;           ///< end of the bodies that are let go
  std::vector<ImpulseContact> contacts_;
};

}  // namespace

std::vector<Fall> unbraced_falls(const Scene& scene, const SupportGraph& graph, const ContactNetwork& network,
                                 const std::vector<std::size_t>& gone, const BracingConstants& constants) {
  const std::vector<Fall> falls = vertical_impact(scene, graph, gone);
  if (falls.empty()) return falls;
  Release release(scene, network, gone, falls);
  std::vector<char> moving(scene.objects.size(), 0);
  for (;;) {
    const std::vector<std::size_t> more = release.find_moving(constants);
    if (more.empty()) break;
    for (std::size_t i : more) moving[i] = 1;
  }
  std::vector<Fall> unheld;
  std::copy_if(falls.begin(), falls.end(), std::back_inserter(unheld),
               [&](const Fall& fall) { return moving[fall.object] != 0; });
  return unheld;
}

}  // namespace startle
