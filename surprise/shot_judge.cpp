#include "surprise/shot_judge.hpp"

#include "sim/world.hpp"

namespace startle {
namespace {

class LawJudge : public ShotJudge {
 public:
  explicit LawJudge(const LawModel& model) : model_(model) {}
  std::string name() const override { return model_.training.film ? "film" : "objects"; }
  JudgedTwin judge(const ChosenShot& shot, const Scene& novel, const ClipCut&, std::uint64_t) const override {
    const auto judged = [&](const Scene& world) {
      const Trace happened = run_shot(world, shot.shot, {.record_every = model_.training.steps_a_look}).trace;
      LawJudgement found = startle::judge(model_, shot.scene,
                                          seen_by(model_, shot.scene, shot.shot, happened));
      return JudgedShot{found.p, std::move(found.streams)};
    };
    return {judged(shot.scene), judged(novel)};
  }

 private:
  const LawModel& model_;
};

class ObserverJudge : public ShotJudge {
 public:
  ObserverJudge(const ObserverOptions& options, std::optional<ClipFormat> format)
      : options_(options), format_(format) {}
  std::string name() const override { return format_ ? "observer, clip" : "observer"; }
  JudgedTwin judge(const ChosenShot& shot, const Scene& novel, const ClipCut& cut,
                   std::uint64_t number) const override {
    // The clips of a pair are of the shot as chosen. So that is what flies, and the noise is in what was announced: the two differ by N(0, aim_noise) all the same.
    Shot announced = shot.shot;
    announced.angle -= aim_turn(options_.aim_noise, options_.seed, number);
    Observer observer(shot.scene, announced, viewing(cut), options_);
    const auto judged = [&](const Scene& world) {
      const double p =
          observer.judge(run_shot(world, shot.shot, {.record_every = observer.record_every()}).trace).p;
      return JudgedShot{p, {p}};
    };
    return {judged(shot.scene), judged(novel)};
  }

 private:
  Viewing viewing(const ClipCut& cut) const {
    if (!format_) return {};
    const double half = 0.5 * format_->view;
    const Vec2 c = cut.view.centre;
    return {.first_step = cut.first_step,
            .stride = format_->stride,
            .looks = format_->frames,
            .window = Bounds{c.x - half, c.x + half, c.y - half, c.y + half}};
  }

  ObserverOptions options_;
  std::optional<ClipFormat> format_;
};

}  // namespace

std::unique_ptr<ShotJudge> make_law_judge(const LawModel& model) { return std::make_unique<LawJudge>(model); }

std::unique_ptr<ShotJudge> make_observer_judge(const ObserverOptions& options) {
  return std::make_unique<ObserverJudge>(options, std::nullopt);
}

std::unique_ptr<ShotJudge> make_clip_observer_judge(const ObserverOptions& options,
                                                    const ClipFormat& format) {
  return std::make_unique<ObserverJudge>(options, format);
}

}  // namespace startle
