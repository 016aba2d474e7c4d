#include "reasoning/impulse/knock_on.hpp"

#include <cmath>

#include "reasoning/impulse/bird_flight.hpp"
#include "reasoning/impulse/debris.hpp"
#include "reasoning/impulse/shot_progress.hpp"
#include "reasoning/impulse/shot_report.hpp"

namespace startle {

class KnockOn::Follower {
 public:
  Follower(const Scene& scene, const SupportGraph& graph, const ContactNetwork& network,
           const KnockOnConstants& constants)
      : progress_(scene, graph, network, constants),
        constants_(constants),
        vertical_(scene, graph),
        report_(scene.objects.size()) {}

  const std::vector<ImpactedObject>& follow(std::size_t target, const BirdType& bird,
                                            const Trajectory& trajectory) {
    progress_.start();
    follow_bird(progress_, bird, trajectory, target);
    settle();
    report_.write(progress_, target, impacted_);
    return impacted_;
  }

  MotionPrediction prediction(std::size_t i) const {
    const ShotEffect& s = progress_.effects[i];
    const double root = std::sqrt(
        std::sqrt(s.energy / (progress_.gravity_of(i) * constants_.least_lift) + chance_.unseen));
    const PredictedMotion predicted_motion = s.destroyed || (s.falls && !s.lost) ? PredictedMotion::falls
                                             : s.lost                            ? PredictedMotion::leaves
                                                                                 : PredictedMotion::stays;
    const double k = predicted_motion == PredictedMotion::falls    ? chance_.falls
                     : predicted_motion == PredictedMotion::leaves ? chance_.leaves
                                                                   : chance_.stays;
    return {.predicted_motion = predicted_motion,
            .moves = root / (root + k),
            .destroyed = s.destroyed,
            .lost = s.life_lost,
            .dealt = s.dealt,
            .hits = s.hits,
            .velocity = s.velocity,
            .energy = s.energy,
            .friction = progress_.friction_below(i)};
  }

  const std::vector<BirdContact>& bird_contacts() const { return progress_.bird_contacts; }

 private:
  /// Until nothing new falls and nothing on its way strikes anything.
  void settle() {
    std::size_t lost_before = 0;
    for (std::size_t next = 0;;) {
      if (progress_.lost.size() > lost_before) {
        lost_before = progress_.lost.size();
        for (const Fall& fall : vertical_.falls_without(progress_.lost)) {
          ShotEffect& effect = progress_.effects[fall.object];
          if (effect.falls || effect.lost) continue;
          effect.falls = effect.moved = true;
          effect.direction = fall.direction;
          effect.reason = "falls";
        }
      }
      if (next >= progress_.debris.size() || !progress_.goes_on()) break;
      const Debris debris = progress_.debris[next++];
      if (!progress_.effects[debris.object].destroyed) follow_debris(progress_, debris);
    }
  }

  ShotProgress progress_;
  KnockOnConstants constants_;
  ChanceConstants chance_;
  VerticalImpact vertical_;
  ShotReport report_;
  std::vector<ImpactedObject> impacted_;  ///< of the last shot
};

KnockOn::KnockOn(const Scene& scene, const SupportGraph& graph, const ContactNetwork& network,
                 const KnockOnConstants& constants)
    : follower_(std::make_unique<Follower>(scene, graph, network, constants)) {}
KnockOn::~KnockOn() = default;
KnockOn::KnockOn(KnockOn&&) noexcept = default;

const std::vector<ImpactedObject>& KnockOn::follow(std::size_t target, const BirdType& bird,
                                                   const Trajectory& trajectory) {
  return follower_->follow(target, bird, trajectory);
}
MotionPrediction KnockOn::prediction(std::size_t object) const { return follower_->prediction(object); }
const std::vector<BirdContact>& KnockOn::bird_contacts() const { return follower_->bird_contacts(); }

std::vector<ImpactedObject> knocked_on(const Scene& scene, const SupportGraph& graph,
                                       const ContactNetwork& network, std::size_t target,
                                       const BirdType& bird, const Trajectory& trajectory,
                                       const KnockOnConstants& constants) {
  return KnockOn(scene, graph, network, constants).follow(target, bird, trajectory);
}

}  // namespace startle
