#include "sim/scene_check.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "core/error.hpp"

namespace startle {

void require_value(bool holds, const char* what, double found, const char* allowed) {
  if (!holds) throw Error(std::string(what) + " is " + std::to_string(found) + "; allowed: " + allowed);
}

void require_simulable(const Scene& scene) {
  if (!scene.profile) throw Error("scene: it has no profile");
  require_value(scene.half_width > 0 && scene.half_width <= 1e4, "scene: half_width", scene.half_width,
                "over 0 to 10000");
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const SceneObject& o = scene.objects[i];
    if (!o.alive) continue;
    const auto bounded = [](double v) { return std::fabs(v) <= 1e4; };  // false for NaN
    const auto at_least_0 = [](double v) { return v >= 0 && v <= 1e9; };
    const Parameters& p = o.parameters;
    const auto sound_parameter = [&](const ParameterInfo& info) {
      if (info.parameter == Parameter::density || info.parameter == Parameter::life)
        return true;  // below, with what is left of life
      return info.parameter == Parameter::gravity_scale ? bounded(p.*info.member)
                                                        : at_least_0(p.*info.member);
    };
    const bool sound = o.shape && bounded(o.pose.position.x) && bounded(o.pose.position.y) &&
                       bounded(o.pose.angle) && bounded(o.velocity.x) && bounded(o.velocity.y) &&
                       bounded(o.angular_velocity) &&
                       std::all_of(std::begin(parameter_table), std::end(parameter_table), sound_parameter) &&
                       (o.is_static() || (p.density > 0 && p.density <= 1e9 && o.life > 0));
    if (!sound)
      throw Error(
          "scene: object " + std::to_string(i) + " (" + name(o.kind) + " " + o.type +
          ") has a value that cannot be simulated; allowed: positions, angles and velocities within 10000, "
          "density and life over 0, other parameters at least 0");
  }
}

}  // namespace startle
