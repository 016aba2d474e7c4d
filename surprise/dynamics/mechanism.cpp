#include "surprise/dynamics/mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/math.hpp"

namespace startle {
namespace {

constexpr float least_log_scale = -6.5f, most_log_scale = 2.f;  // of m/s
constexpr float most_log_odds = 12;
constexpr double most_sigmas = 3;    // more count as so many
constexpr double blow_speed = 0.6;   // m/s: slower ones say of resting, not of bouncing
constexpr double slip_speed = 0.15;  // m/s
constexpr double smooth = 0.15;  // m/s: by less the level speed of free motion has changed just now, unless
                                 // it hit something
constexpr double turning_speed = 0.3;  // m/s at the rim

bool changeable(MaterialClass material_class) {
  return static_cast<std::size_t>(material_class) < changeable_count;
}

bool free_and_smooth(const ContactEvent& e) {
  return !e.meets && e.outcome[outcome::gone] == 0 &&
         std::fabs(e.context[context::tangent_speed_change]) * context::speed_unit < smooth;
}
bool is_blow(const ContactEvent& e) {
  return e.meets && e.closing > blow_speed && e.wait < 1 && e.outcome[outcome::gone] == 0 &&
         e.outcome[outcome::gone_later] == 0;
}

void about_both(const ContactEvent& e, MechanismObservation& r) {
  r.own = changeable(e.self);
  r.others = e.meets && changeable(e.first);
}

double softplus(double x) { return x > 30 ? x : math::log1p(math::exp(x)); }

}  // namespace

const char* name(Mechanism mechanism) {
  constexpr const char* names[] = {"gravity",  "linear_damping",    "angular_damping", "restitution",
                                   "friction", "momentum_transfer", "survival"};
  return names[static_cast<std::size_t>(mechanism)];
}

bool observe_mechanism(Mechanism mechanism, const ContactEvent& e, MechanismObservation& r) {
  const auto& after = e.outcome;
  r = {};
  std::copy(e.context.begin(), e.context.end(), r.known.begin());
  switch (mechanism) {
    case Mechanism::gravity:
      // What touches something falls as it is held: how a block tips over is hard to forecast, and says
      // little of gravity.
      if (e.meets || after[outcome::gone] != 0) return false;
      r.value = after[outcome::next_normal] * e.context[context::down_normal] +
                after[outcome::next_tangent] * e.context[context::down_tangent];
      r.own = changeable(e.self);
      return r.own;
    case Mechanism::linear_damping:
      if (!free_and_smooth(e) || e.context[context::tangent_speed] * context::speed_unit < turning_speed)
        return false;
      r.value = -after[outcome::next_tangent];
      r.sensitivity = e.context[context::tangent_speed] * context::speed_unit;
      r.own = changeable(e.self);
      return r.own;
    case Mechanism::angular_damping: {
      const float rim = e.context[context::rim_speed] * context::speed_unit;
      if (!free_and_smooth(e) || std::fabs(rim) < turning_speed) return false;
      r.value = rim > 0 ? -after[outcome::next_rim] : after[outcome::next_rim];
      r.sensitivity = std::fabs(rim);
      r.own = changeable(e.self);
      return r.own;
    }
    case Mechanism::restitution:
      if (!is_blow(e) || after[outcome::partner_gone] != 0) return false;
      r.value = static_cast<float>(e.before) + after[outcome::later_normal] -
                after[outcome::partner_later_normal];
      r.sensitivity = static_cast<float>(e.closing);
      about_both(e, r);
      return r.own || r.others;
    case Mechanism::friction: {
      if (!e.meets || after[outcome::gone] != 0 || after[outcome::partner_gone] != 0) return false;
      const double slip = e.context[context::first_slip_tangent] * context::speed_unit;  // the tangent points
                                                                                         // along it
      if (slip < slip_speed) return false;
      r.value = -after[outcome::next_tangent];
      r.known[context_count] = after[outcome::next_normal];
      r.known[context_count + 1] = after[outcome::partner_next_normal];
      r.sensitivity = std::max(0.f, after[outcome::next_normal]) + 0.1f;
      about_both(e, r);
      return r.own || r.others;
    }
    case Mechanism::momentum_transfer: {
      if (!is_blow(e) || (e.self == MaterialClass::bird) == (e.first == MaterialClass::bird)) return false;
      r.value = std::clamp(after[outcome::later_normal] / static_cast<float>(e.closing), -0.5f, 2.5f);
      r.sensitivity = -0.25f;
      r.others_sign = -1;
      about_both(e, r);
      return r.own || r.others;
    }
    case Mechanism::survival:
      if (!changeable(e.self)) return false;
      r.value = after[outcome::gone] != 0 ? 1.f : 0.f;
      r.sensitivity = -1;
      r.own = true;
      return true;
  }
  return false;
}

Score score_of(Mechanism mechanism, const MechanismObservation& r, const float* out) {
  if (mechanism == Mechanism::survival) {
    const double chance = 1 / (1 + math::exp(-std::clamp(out[0], -most_log_odds, most_log_odds)));
    return {r.sensitivity * (r.value - chance), chance * (1 - chance)};
  }
  const double scale = math::exp(std::clamp(out[1], least_log_scale, most_log_scale)),
               z = (r.value - out[0]) / scale, sensitivity = r.sensitivity / scale;
  // Not the density's own derivative, which says the less the further off an observation is: what is sure to
  // fall is the more novel the slower it falls.
  return {sensitivity * std::clamp(z, -most_sigmas, most_sigmas), sensitivity * sensitivity};
}

double mechanism_loss(Mechanism mechanism, const MechanismObservation& r, const float* out, float* gradient) {
  if (mechanism == Mechanism::survival) {
    const double odds = std::clamp(out[0], -most_log_odds, most_log_odds);
    gradient[0] = static_cast<float>(1 / (1 + math::exp(-odds)) - r.value);
    return softplus(r.value > 0 ? -odds : odds);
  }
  const float log_scale = std::clamp(out[1], least_log_scale, most_log_scale), scale = math::exp(log_scale),
              z = (r.value - out[0]) / scale;
  const double share = (student_t_freedom + 1) * z / (student_t_freedom + z * z);
  gradient[0] = static_cast<float>(-share / scale);
  if (log_scale == out[1]) gradient[1] = static_cast<float>(1 - share * z);
  // log of the density's constant, gamma((v + 1)/2)/(gamma(v/2) sqrt(v pi)) for v = 3
  static const double constant = math::log(2 / (std::sqrt(3.0) * std::numbers::pi));
  return -(constant - log_scale - 0.5 * (student_t_freedom + 1) * math::log1p(z * z / student_t_freedom));
}

}  // namespace startle
