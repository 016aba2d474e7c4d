#include "surprise/physics_prediction.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "render/frames.hpp"
#include "sim/world.hpp"

namespace startle {
namespace {

constexpr double still = 1e-4;       // world units from frame to frame: what moves by less lies
constexpr double unhurt = 1e8;       // life of birds, which nothing hurts
constexpr double like_a_fall = 0.3;  // of gravity: an acceleration as near to it is that of free fall

const BodyState* state_of(const Frame& frame, BodyId id) {
  const auto found = std::lower_bound(
      frame.bodies.begin(), frame.bodies.end(), id,
      [](const BodyState& state, BodyId wanted) { return state.id < wanted; });
  return found != frame.bodies.end() && found->id == id ? &*found : nullptr;
}

/// Frames of the clip so far, the last one last; at most three, at least one.
using LastFrames = std::vector<const Frame*>;

/// Puts the object where it is seen, at the speed that the frames say, or at the true one.
void place(SceneObject& object, BodyId id, const LastFrames& frames, double seconds, double gravity,
           KnownSpeeds speeds) {
  const BodyState* now = state_of(*frames.back(), id);
  object.alive = now != nullptr;
  object.velocity = {};
  object.angular_velocity = 0;
  if (!now) return;
  object.pose = now->pose;
  if (now->life > 0) object.life = now->life;
  if (speeds == KnownSpeeds::exact) {
    object.velocity = now->velocity;
    object.angular_velocity = now->angular_velocity;
    return;
  }
  const BodyState* last = frames.size() > 1 ? state_of(*frames[frames.size() - 2], id) : nullptr;
  if (!last) return;
  const auto centre = [&](const BodyState& state) { return transformed(object.shape->centroid, state.pose); };
  const Vec2 moved = centre(*now) - centre(*last);
  if (length(moved) < still && std::fabs(now->pose.angle - last->pose.angle) < still) return;
  object.velocity = (1 / seconds) * moved;
  object.angular_velocity = (now->pose.angle - last->pose.angle) / seconds;
  const BodyState* earlier = frames.size() > 2 ? state_of(*frames[frames.size() - 3], id) : nullptr;
  if (!earlier) return;
  const Vec2 fall{0, -gravity * object.parameters.gravity_scale};
  const Vec2 acceleration = (1 / (seconds * seconds)) * (moved - (centre(*last) - centre(*earlier)));
  if (length(acceleration - fall) < like_a_fall * gravity)
    object.velocity = object.velocity + (0.5 * seconds) * fall;
}

Scene scene_seen(const Scene& normal, const LastFrames& frames, double seconds, KnownSpeeds speeds) {
  Scene scene = normal;
  scene.rest_mark = 0;
  const double gravity = normal.profile->gravity;
  const std::size_t objects = normal.objects.size();
  for (std::size_t i = 0; i < objects; ++i)
    if (!scene.objects[i].is_static())
      place(scene.objects[i], static_cast<BodyId>(i), frames, seconds, gravity, speeds);
  const BirdType& type = normal.bird();
  const BodyId last = frames.back()->bodies.empty() ? 0 : frames.back()->bodies.back().id;
  for (BodyId id = static_cast<BodyId>(objects); id <= last; ++id) {
    SceneObject bird{
        .kind = Kind::bird, .type = type.type, .shape = type.shape, .parameters = type.parameters};
    place(bird, id, frames, seconds, gravity, speeds);
    bird.life = unhurt;
    scene.objects.push_back(std::move(bird));
  }
  return scene;
}

}  // namespace

Prediction physics_prediction(const Scene& normal, const ShotClip& seen, const ClipFormat& format,
                              KnownSpeeds speeds, int frames_ahead) {
  if (frames_ahead < 1)
    throw Error("physics: frames ahead: found " + std::to_string(frames_ahead) + ", allowed are 1 and more");
  const std::vector<Frame>& steps = seen.trace.frames;
  const std::size_t end = steps.size() - 1;
  const double seconds = format.stride * seen.trace.step_s;
  FramePainter painter(normal, seen.trace, Style::training);
  Bitmap picture(format.pixels, format.pixels);
  Prediction prediction;
  const auto step_of = [&](int t) {
    return static_cast<std::size_t>(seen.cut.first_step + t * format.stride);
  };
  for (int t = 1; t < format.frames; ++t) {
    const int from = std::max(0, t - frames_ahead);
    LastFrames frames;
    for (int k = std::max(0, from - 2); k <= from; ++k) frames.push_back(&steps[std::min(step_of(k), end)]);
    if (step_of(from) >= end) {  // the shot is over
      painter.paint(*frames.back(), seen.cut.view, picture);
    } else {
      World world(scene_seen(normal, frames, seconds, speeds));
      for (int k = 0; k < (t - from) * format.stride && !world.over(); ++k) world.step();
      painter.paint(world.frame(), seen.cut.view, picture);
    }
    for (const std::uint8_t value : picture.rgb)
      prediction.frames.push_back(static_cast<float>(value) / 255.0F);
  }
  return prediction;
}

}  // namespace startle
