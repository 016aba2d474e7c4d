#include "render/recorded_world.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "render/video.hpp"
#include "sim/world.hpp"

namespace startle {
namespace {

constexpr double hold_s = 0.4;  ///< for so long a video shows the state before each shot and after the last

/// One shot in all worlds, with what it takes to draw any moment of it.
class ShotPainter {
 public:
  ShotPainter(const std::vector<RecordedWorld>& worlds, std::size_t shot, const VideoFormat& format)
      : size_(format) {
    for (const RecordedWorld& world : worlds) {
      const bool over = shot >= world.shots.size();  // cleared before: it stays as it was
      const RecordedShot& recorded = over ? world.shots.back() : world.shots[shot];
      if (!view_) view_ = whole_view(recorded.scene, recorded.trace, size_.width, size_.height);
      panels_.push_back({worlds.size() > 1 ? world.caption : "", &recorded.trace, over,
                         FramePainter(recorded.scene, recorded.trace, Style::people)});
      if (!over) steps_ = std::max(steps_, recorded.trace.steps);
    }
  }

  int steps() const { return steps_; }

  /// After that many steps; a world in which the shot is over stays as it ended.
  Bitmap picture(int step) {
    std::optional<Bitmap> whole;
    const std::vector<BodyId> outlined = bodies_apart(step);
    for (Panel& panel : panels_) {
      Bitmap part(size_.width, size_.height);
      panel.painter.paint(frame(panel, step), *view_, part);
      panel.painter.outline(frame(panel, step), *view_, outlined, part);
      if (!panel.caption.empty()) add_caption(part, panel.caption);
      whole = whole ? side_by_side(*whole, part) : part;
    }
    return *whole;
  }

  Mask mask(int step) {
    Mask ids(size_.width, size_.height);
    panels_[0].painter.paint(frame(panels_[0], step), *view_, ids);
    return ids;
  }

 private:
  struct Panel {
    std::string caption;
    const Trace* trace;
    bool over;
    FramePainter painter;
  };
  static const Frame& frame(const Panel& panel, int step) {
    if (panel.over) return panel.trace->frames.back();
    return panel.trace->frames[std::min(static_cast<std::size_t>(step), panel.trace->frames.size() - 1)];
  }

  std::vector<BodyId> bodies_apart(int step) const {
    std::vector<BodyId> apart;
    if (!size_.apart || panels_.size() != 2) return apart;
    const Frame &one = frame(panels_[0], step), &other = frame(panels_[1], step);
    const auto find = [](const Frame& bodies, BodyId id) {
      return std::find_if(bodies.bodies.begin(), bodies.bodies.end(),
                          [id](const BodyState& state) { return state.id == id; });
    };
    for (const BodyState& state : one.bodies)
      if (const auto twin = find(other, state.id);
          twin == other.bodies.end() || size_.apart(state.pose, twin->pose))
        apart.push_back(state.id);
    for (const BodyState& state : other.bodies)
      if (find(one, state.id) == one.bodies.end()) apart.push_back(state.id);
    return apart;
  }

  VideoFormat size_;
  std::optional<View> view_;  // the first world's, for all
  std::vector<Panel> panels_;
  int steps_ = 0;
};

/// Worlds go on to their own scenes after the first shot: one that was cleared early has fewer shots than
/// others.
std::size_t most_shots(const std::vector<RecordedWorld>& worlds) {
  std::size_t most = 0;
  for (const RecordedWorld& world : worlds) most = std::max(most, world.shots.size());
  return most;
}

std::pair<ShotPainter, int> at_moment(const std::vector<RecordedWorld>& worlds, std::optional<double> seconds,
                                      const VideoFormat& format) {
  ShotPainter painter(worlds, most_shots(worlds) - 1, format);
  const double step_s = worlds[0].shots[0].trace.step_s;
  const int step = seconds ? static_cast<int>(std::lround(std::min(*seconds / step_s, 1e6)))
                           : painter.steps();
  return {std::move(painter), step};
}

}  // namespace

RecordedWorld record(std::string caption, const Scene& start, const std::vector<Shot>& shots) {
  RecordedWorld world{std::move(caption), {}};
  Scene scene = start;
  for (const Shot& shot : shots) {
    if (scene.cleared() || scene.birds_left() == 0) break;
    ShotResult result = run_shot(scene, shot, {.record_every = 1, .record_events = true});
    world.shots.push_back({std::move(scene), std::move(result.trace)});
    scene = std::move(result.scene);
  }
  return world;
}

RecordedWorld standing(std::string caption, const Scene& scene) {
  Trace trace;
  trace.step_s = scene.profile->step;
  trace.frames = {standing_frame(scene)};
  return {std::move(caption), {{scene, std::move(trace)}}};
}

bool write_video(const std::filesystem::path& path, const std::vector<RecordedWorld>& worlds,
                 const VideoFormat& format, const std::function<bool(double)>& progress) {
  const int rate = format.frames_per_second, hold = static_cast<int>(std::lround(hold_s * rate));
  const double step_s = worlds[0].shots[0].trace.step_s;
  std::unique_ptr<VideoWriter> writer;
  Bitmap last;
  const auto add = [&](Bitmap picture) {
    if (!writer) writer = std::make_unique<VideoWriter>(path, picture.width, picture.height, rate);
    writer->add(picture);
    last = std::move(picture);
  };
  const std::size_t shots = most_shots(worlds);
  for (std::size_t shot = 0; shot < shots; ++shot) {
    ShotPainter painter(worlds, shot, format);
    for (int i = 0; i < hold; ++i) add(painter.picture(0));
    for (int i = 1;; ++i) {
      const int step = static_cast<int>(std::lround(i / (rate * step_s)));
      const double done = (static_cast<double>(shot) +
                           std::min(1.0, static_cast<double>(step) / std::max(painter.steps(), 1))) /
                          static_cast<double>(shots);
      if (progress && !progress(done)) return false;
      add(painter.picture(step));
      if (step >= painter.steps()) break;
    }
  }
  for (int i = 0; i < hold; ++i) add(last);
  writer->finish();
  return true;
}

Bitmap still(const std::vector<RecordedWorld>& worlds, std::optional<double> seconds,
             const VideoFormat& format) {
  auto [painter, step] = at_moment(worlds, seconds, format);
  return painter.picture(step);
}

Mask still_mask(const std::vector<RecordedWorld>& worlds, std::optional<double> seconds,
                const VideoFormat& format) {
  auto [painter, step] = at_moment(worlds, seconds, format);
  return painter.mask(step);
}

}  // namespace startle
