#include "agents/game.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "sim/world.hpp"

namespace startle {

int steps_a_frame(const Profile& profile) {
  return std::max(1, static_cast<int>(std::lround(frame_interval / profile.step)));
}

std::vector<SeenFrame> seen_frames(const Scene& scene, const std::vector<Frame>& frames) {
  std::vector<SeenFrame> seen;
  seen.reserve(frames.size());
  for (const Frame& frame : frames) {
    SeenFrame& out = seen.emplace_back();
    out.time = frame.step * scene.profile->step;
    for (const BodyState& body : frame.bodies) {
      const auto i = static_cast<std::size_t>(body.id);
      if (i < scene.objects.size() && scene.objects[i].is_static()) continue;
      out.bodies.push_back({body.id, body.pose});
    }
  }
  return seen;
}

Game::Game(Scene start, int level, const WorldOptions& recording)
    : scene_(std::move(start)), recording_(recording), level_(level), had_pigs_(!scene_.cleared()) {
  now_ = observe();
}

bool Game::over() const { return scene_.cleared() || scene_.birds_left() == 0; }

double Game::score() const {
  const double unused = solved()
                            ? scene_.profile->score_unused_bird * static_cast<double>(scene_.birds_left())
                            : 0;
  return scene_.score + unused;
}

Observation Game::observe() const {
  const Profile& profile = *scene_.profile;
  Observation o{.level = level_,
                .shot = shots_ + 1,
                .score = scene_.score,
                .slingshot = scene_.slingshot,
                .rest = scene_.rest()};
  o.birds.assign(scene_.birds.begin() + static_cast<std::ptrdiff_t>(scene_.next_bird), scene_.birds.end());
  o.max_stretch = profile.max_stretch;
  o.ground_y = profile.ground_y;
  o.half_width = scene_.half_width;
  o.launch_speed = profile.launch_speed;
  if (!o.birds.empty()) o.flight_gravity = profile.flight_gravity(profile.bird(o.birds.front()));
  for (std::size_t i = 0; i < scene_.objects.size(); ++i) {
    const SceneObject& object = scene_.objects[i];
    if (object.alive)
      o.objects.push_back(
          {static_cast<int>(i), object.kind, object.type, object.material, object.pose, object.shape});
  }
  return o;
}

const SeenShot& Game::shoot(const Shot& shot) {
  if (over()) throw Error("shot: the level is over");
  check(shot);
  before_ = scene_;
  World world(before_, recording_);
  world.launch(shot);
  frames_.clear();
  for (const int stride = steps_a_frame(*before_.profile);; world.step()) {
    if (world.trace().steps % stride == 0) frames_.push_back(world.frame());
    if (world.over()) break;
  }
  trace_ = world.trace();
  scene_ = world.scene();
  ++shots_;
  seen_ = {.shot = shot,
           .bird = before_.birds[before_.next_bird],
           .before = std::move(now_),
           .first_bird = static_cast<int>(before_.objects.size())};
  seen_.frames = seen_frames(before_, frames_);
  now_ = observe();
  seen_.after = now_;
  return seen_;
}

namespace {

constexpr int largest_side = 1024;  // pixels

Bitmap painted(const Scene& scene, const Trace& trace, const Frame& frame, int width, int height) {
  if (width < 1 || height < 1 || width > largest_side || height > largest_side)
    throw Error("picture: found " + std::to_string(width) + " x " + std::to_string(height) +
                " pixels, allowed are sides of 1 to 1024");
  // The world from edge to edge, the ground near the lower border.
  View view{.centre = {0, 0}, .width = 2 * scene.half_width};
  view.centre.y = scene.profile->ground_y + view.width * (0.5 * height / width - 0.05);
  Bitmap picture(width, height);
  FramePainter(scene, trace, Style::training).paint(frame, view, picture);
  return picture;
}

}  // namespace

Bitmap Game::picture(int width, int height) const {
  return painted(scene_, {}, World(scene_).frame(), width, height);
}

Bitmap Game::screenshot(const View& view, int width, int height) const {
  Frame frame = World(scene_).frame();
  if (scene_.birds_left() > 0)
    frame.bodies.push_back({static_cast<BodyId>(scene_.objects.size()), {scene_.rest(), 0}, 1});
  Bitmap picture(width, height);
  FramePainter(scene_, {}, Style::people).paint(frame, view, picture);
  return picture;
}

Bitmap Game::picture_of_frame(std::size_t frame, int width, int height) const {
  if (frame >= frames_.size())
    throw Error("picture: found frame " + std::to_string(frame) + ", allowed are those of the last shot, " +
                std::to_string(frames_.size()));
  return painted(before_, trace_, frames_[frame], width, height);
}

}  // namespace startle
