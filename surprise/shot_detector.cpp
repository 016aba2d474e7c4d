#include "surprise/shot_detector.hpp"

#include <utility>

#include "sim/world.hpp"

namespace startle {
namespace {

class DynamicsShotDetector : public ShotDetector {
 public:
  explicit DynamicsShotDetector(DynamicsModel model) : model_(std::move(model)) {}
  std::string name() const override { return model_.training.video ? "dynamics-video" : "dynamics"; }
  std::vector<std::string> statistics() const override { return dynamics_statistics(); }
  TwinOutputs detect(const ChosenShot& shot, const Scene& novel, const ClipCut&,
                     std::uint64_t) const override {
    const auto output_in = [&](const Scene& world) {
      const Trace happened = run_shot(world, shot.shot, {.record_every = model_.training.stride}).trace;
      DynamicsDetection found = startle::detect(model_, shot.scene,
                                                seen_by(model_, shot.scene, shot.shot, happened));
      return DetectorOutput{found.p, std::move(found.p_values)};
    };
    return {output_in(shot.scene), output_in(novel)};
  }

 private:
  DynamicsModel model_;
};

class ObserverShotDetector : public ShotDetector {
 public:
  ObserverShotDetector(const ObserverOptions& options, std::optional<ClipFormat> format)
      : options_(options), format_(format) {}
  std::string name() const override { return format_ ? "observer, clip" : "observer"; }
  TwinOutputs detect(const ChosenShot& shot, const Scene& novel, const ClipCut& cut,
                     std::uint64_t number) const override {
    // The clips of a pair are of the shot as chosen: that is what flies, and the noise is in what was
    // announced.
    Observer observer(shot.scene, announced_off(shot.shot, options_.aim_noise, options_.seed, number),
                      viewing(cut), options_);
    const auto output_in = [&](const Scene& world) {
      const double p =
          observer.detect(run_shot(world, shot.shot, {.record_every = observer.record_every()}).trace).p;
      return DetectorOutput{p, {p}};
    };
    return {output_in(shot.scene), output_in(novel)};
  }

 private:
  Viewing viewing(const ClipCut& cut) const {
    if (!format_) return {};
    const double half = 0.5 * format_->view;
    const Vec2 c = cut.view.centre;
    return {.first_step = cut.first_step,
            .stride = format_->stride,
            .frames = format_->frames,
            .window = Bounds{c.x - half, c.x + half, c.y - half, c.y + half}};
  }

  ObserverOptions options_;
  std::optional<ClipFormat> format_;
};

}  // namespace

std::unique_ptr<ShotDetector> make_dynamics_detector(DynamicsModel model) {
  return std::make_unique<DynamicsShotDetector>(std::move(model));
}

std::unique_ptr<ShotDetector> make_observer_detector(const ObserverOptions& options) {
  return std::make_unique<ObserverShotDetector>(options, std::nullopt);
}

std::unique_ptr<ShotDetector> make_clip_observer_detector(const ObserverOptions& options,
                                                          const ClipFormat& format) {
  return std::make_unique<ObserverShotDetector>(options, format);
}

}  // namespace startle
