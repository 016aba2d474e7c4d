#include "agents/normal_world.hpp"

#include "agents/game.hpp"
#include "core/error.hpp"
#include "sim/world.hpp"

namespace startle {

Scene NormalWorld::imagine(const Observation& seen) const {
  Scene scene{
      .profile = profile_, .slingshot = seen.slingshot, .half_width = seen.half_width, .birds = seen.birds};
  for (const SeenObject& object : seen.objects) {
    const ObjectType* type = profile_->find(object.kind, object.type, object.material);
    if (!type)
      throw Error("object " + std::to_string(object.id) + ": profile " + profile_->name + " has no " +
                  object.type);
    SceneObject& imagined = scene.objects.emplace_back(SceneObject{
        .kind = object.kind, .type = object.type, .material = object.material, .pose = object.pose});
    imagined.shape = object.shape;
    imagined.parameters = type->parameters;
    imagined.explosion = type->explosion;
    imagined.life = type->parameters.life;
    if (const auto known = life_.find(object.id); seen.level == level_ && known != life_.end())
      imagined.life = known->second;
  }
  scene.score = seen.score;
  return taken_at_rest(std::move(scene));
}

std::vector<SeenFrame> NormalWorld::follow(const SeenShot& seen) {
  if (seen.before.level != level_) {
    level_ = seen.before.level;
    life_.clear();
  }
  const Scene scene = imagine(seen.before);
  const ShotResult result = run_shot(scene, seen.shot, {.record_every = steps_a_frame(*profile_)});
  const std::vector<SeenObject>& objects = seen.before.objects;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    // What should have died and did not is taken to be as it was.
    const SceneObject& after = result.scene.objects[i];
    if (after.alive) life_[objects[i].id] = after.life;
  }
  std::vector<SeenFrame> frames = seen_frames(scene, result.trace.frames);
  for (SeenFrame& frame : frames)
    for (SeenBody& body : frame.bodies) {
      const auto i = static_cast<std::size_t>(body.id);
      body.id = i < objects.size() ? objects[i].id : seen.first_bird + static_cast<int>(i - objects.size());
    }
  return frames;
}

}  // namespace startle
