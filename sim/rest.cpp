#include "sim/rest.hpp"

#include <utility>

#include "core/bits.hpp"

namespace startle {
namespace {

/// What the state of the objects at rest is known by: places and parameters, all that could set them moving.
/// A sum over the objects, so that their order does not matter. Never 0.
std::uint64_t rest_mark(const Scene& scene) {
  std::uint64_t sum = bit_cast<std::uint64_t>(scene.profile->gravity);
  if (scene.world)
    sum += 3 * bit_cast<std::uint64_t>(scene.world->gravity) + 5 * bit_cast<std::uint64_t>(scene.world->tilt);
  for (const SceneObject& o : scene.objects) {
    if (!o.alive) continue;
    std::uint64_t mark = 0x9e3779b97f4a7c15ULL;
    const auto mix = [&](double value) {
      mark = (mark ^ bit_cast<std::uint64_t>(value)) * 0xff51afd7ed558ccdULL;
      mark ^= mark >> 32;
    };
    for (const double value : {o.pose.position.x, o.pose.position.y, o.pose.angle, o.velocity.x, o.velocity.y,
                               o.angular_velocity, o.shape->area})
      mix(value);
    for (const ParameterInfo& info : parameter_table)
      if (!info.toughness) mix(o.parameters.*info.member);
    sum += mark;
  }
  return sum | 1;
}

}  // namespace

bool at_rest(const Scene& scene) { return scene.rest_mark != 0 && scene.rest_mark == rest_mark(scene); }

Scene taken_at_rest(Scene scene) {
  for (SceneObject& object : scene.objects) {
    object.velocity = {};
    object.angular_velocity = 0;
  }
  scene.rest_mark = rest_mark(scene);
  return scene;
}

}  // namespace startle
