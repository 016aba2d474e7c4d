#include "noticing/law.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace startle {
namespace {

constexpr float least_log_scale = -6.5f, most_log_scale = 2.f;  // of m/s
constexpr float most_log_odds = 12;
constexpr double most_sigmas = 3;    // more count as so many
constexpr double blow_speed = 0.6;   // m/s: slower ones tell of resting, not of bouncing
constexpr double slip_speed = 0.15;  // m/s
constexpr double smooth =
    0.15;  // m/s: by less the level speed of free motion has changed just now, unless it hit something
constexpr double turning_speed = 0.3;  // m/s at the rim
constexpr float speed_scale = 3;       // of context

// Where an encounter's context holds what laws need (encounter.cpp).
enum At {
  normal_speed = 9,
  tangent_speed = 10,
  rim_speed = 11,
  just_now_tangent = 13,
  down_normal = 15,
  down_tangent = 16,
  slip_tangent = 30
};
// Where the outcome does.
enum Told {
  next_normal,
  next_tangent,
  next_rim,
  later_normal,
  later_tangent,
  later_rim,
  partner_next_normal,
  partner_next_tangent,
  partner_later_normal,
  partner_later_tangent,
  gone,
  gone_later,
  partner_gone
};

bool changeable(Stuff stuff) { return static_cast<std::size_t>(stuff) < changeable_count; }

bool free_and_smooth(const Encounter& e) {
  return !e.meets && e.outcome[gone] == 0 && std::fabs(e.context[just_now_tangent]) * speed_scale < smooth;
}
bool is_blow(const Encounter& e) {
  return e.meets && e.closing > blow_speed && e.wait < 1 && e.outcome[gone] == 0 &&
         e.outcome[gone_later] == 0;
}

void about_both(const Encounter& e, Reading& r) {
  r.own = changeable(e.self);
  r.others = e.meets && changeable(e.first);
}

double softplus(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }

}  // namespace

const char* name(Law law) {
  constexpr const char* names[] = {"fall", "drag", "spin", "rebound", "rub", "share", "last"};
  return names[static_cast<std::size_t>(law)];
}

bool read_law(Law law, const Encounter& e, Reading& r) {
  const auto& told = e.outcome;
  r = {};
  std::copy(e.context.begin(), e.context.end(), r.known.begin());
  switch (law) {
    case Law::fall:
      if (told[gone] != 0) return false;
      r.value = told[next_normal] * e.context[down_normal] + told[next_tangent] * e.context[down_tangent];
      r.own = changeable(e.self);
      return r.own;
    case Law::drag:
      if (!free_and_smooth(e) || e.context[tangent_speed] * speed_scale < turning_speed) return false;
      r.value = -told[next_tangent];
      r.lever = e.context[tangent_speed] * speed_scale;
      r.own = changeable(e.self);
      return r.own;
    case Law::spin: {
      const float rim = e.context[rim_speed] * speed_scale;
      if (!free_and_smooth(e) || std::fabs(rim) < turning_speed) return false;
      r.value = rim > 0 ? -told[next_rim] : told[next_rim];
      r.lever = std::fabs(rim);
      r.own = changeable(e.self);
      return r.own;
    }
    case Law::rebound:
      if (!is_blow(e) || told[partner_gone] != 0) return false;
      r.value = static_cast<float>(e.before) + told[later_normal] - told[partner_later_normal];
      r.lever = static_cast<float>(e.closing);
      about_both(e, r);
      return r.own || r.others;
    case Law::rub: {
      if (!e.meets || told[gone] != 0 || told[partner_gone] != 0) return false;
      const double slip = e.context[slip_tangent] * speed_scale;  // the tangent points along it
      if (slip < slip_speed) return false;
      r.value = -told[next_tangent];
      r.known[context_count] = told[next_normal];
      r.known[context_count + 1] = told[partner_next_normal];
      r.lever = std::max(0.f, told[next_normal]) + 0.1f;
      about_both(e, r);
      return r.own || r.others;
    }
    case Law::share: {
      if (!is_blow(e) || (e.self == Stuff::bird) == (e.first == Stuff::bird)) return false;
      r.value = std::clamp(told[later_normal] / static_cast<float>(e.closing), -0.5f, 2.5f);
      r.lever = -0.25f;
      r.others_sign = -1;
      about_both(e, r);
      return r.own || r.others;
    }
    case Law::last:
      if (!changeable(e.self)) return false;
      r.value = told[gone] != 0 ? 1.f : 0.f;
      r.lever = -1;
      r.own = true;
      return true;
  }
  return false;
}

Score score_of(Law law, const Reading& r, const float* out) {
  if (law == Law::last) {
    const double chance = 1 / (1 + std::exp(-std::clamp(out[0], -most_log_odds, most_log_odds)));
    return {r.lever * (r.value - chance), chance * (1 - chance)};
  }
  const double scale = std::exp(std::clamp(out[1], least_log_scale, most_log_scale)),
               z = (r.value - out[0]) / scale, lever = r.lever / scale;
  // Not the density's own derivative, which says the less the further off a reading is: what is sure to fall is the more novel the slower it falls.
  return {lever * std::clamp(z, -most_sigmas, most_sigmas), lever * lever};
}

double law_loss(Law law, const Reading& r, const float* out, float* gradient) {
  if (law == Law::last) {
    const double odds = std::clamp(out[0], -most_log_odds, most_log_odds);
    gradient[0] = static_cast<float>(1 / (1 + std::exp(-odds)) - r.value);
    return softplus(r.value > 0 ? -odds : odds);
  }
  const float log_scale = std::clamp(out[1], least_log_scale, most_log_scale), scale = std::exp(log_scale),
              z = (r.value - out[0]) / scale;
  const double share = (law_tail + 1) * z / (law_tail + z * z);
  gradient[0] = static_cast<float>(-share / scale);
  if (log_scale == out[1]) gradient[1] = static_cast<float>(1 - share * z);
  // log of the density's constant, gamma((v + 1)/2)/(gamma(v/2) sqrt(v pi)) for v = 3
  static const double constant = std::log(2 / (std::sqrt(3.0) * std::numbers::pi));
  return -(constant - log_scale - 0.5 * (law_tail + 1) * std::log1p(z * z / law_tail));
}

}  // namespace startle
