#include "agents/built_in.hpp"

#include <algorithm>

#include "agents/detectors.hpp"
#include "agents/shooters.hpp"
#include "core/random.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

template <typename Info>
const Info* find(const std::vector<Info>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Info& info) { return info.name == name; });
  return found == all.end() ? nullptr : &*found;
}

struct Parts {
  const ShooterInfo* shooter = nullptr;
  const DetectorInfo* detector = nullptr;
};

std::optional<Parts> parts_of(const std::string& name) {
  Parts parts;
  if (const std::size_t plus = name.find('+'); plus != std::string::npos) {
    parts = {find(shooters(), name.substr(0, plus)), find(detectors(), name.substr(plus + 1))};
  } else if (parts.shooter = find(shooters(), name); parts.shooter) {
    parts.detector = find(detectors(), "never");
  } else {
    parts = {find(shooters(), "best-target"), find(detectors(), name)};
  }
  if (!parts.shooter || !parts.detector) return std::nullopt;
  return parts;
}

class BuiltIn : public Agent {
 public:
  BuiltIn(std::unique_ptr<Shooter> shooter, std::unique_ptr<Detector> detector,
          std::shared_ptr<const Profile> profile)
      : shooter_(std::move(shooter)), detector_(std::move(detector)), world_(std::move(profile)) {}

  void begin(const Briefing& briefing) override {
    aim_ = Random(stream_seed(briefing.seed, "aim"));
    alarm_ = Random(stream_seed(briefing.seed, "alarm"));
    detector_->begin(briefing);
  }

  Shot act(const ObservationSource& source) override { return shooter_->shoot(source.now(), world_, aim_); }

  Report report(const SeenShot& seen, const ObservationSource& source) override {
    Expectation expected;
    if (detector_->compares()) expected.before = world_.imagine(seen.before);
    if (shooter_->simulates() || detector_->compares()) expected.frames = world_.follow(seen);
    const double novelty = detector_->likelihood(seen, expected, source, alarm_);
    shooter_->saw(seen, novelty);
    return {.novelty = novelty, .description = {}};
  }

 private:
  std::unique_ptr<Shooter> shooter_;
  std::unique_ptr<Detector> detector_;
  NormalWorld world_;
  Random aim_{0}, alarm_{0};  ///< apart, so that agents with the same shooter shoot alike
};

class TwinOracle : public Oracle {
 public:
  explicit TwinOracle(std::shared_ptr<const Profile> profile)
      : world_(profile), fallback_(find(shooters(), "best-target")->make()) {}

  void enter(const Game& game, const Scene& normal_start, const Novelty* novelty) override {
    game_ = &game;
    normal_start_ = &normal_start;
    novelty_ = novelty;
  }

  void begin(const Briefing& briefing) override { random_ = Random(stream_seed(briefing.seed, "aim")); }

  Shot act(const ObservationSource& source) override {
    if (!novelty_) return fallback_->shoot(source.now(), world_, random_);
    const Scene& novel = game_->hidden();
    const Scene normal = normal_twin(novel);
    for (const Target& target : find_targets(normal, normal.profile->bird(normal.birds[normal.next_bird]),
                                             blocking_relation(normal)))
      for (const Trajectory& trajectory : target.trajectories)
        if (visible_by(normal, novel, trajectory.shot)) {
          visible_ = true;
          return trajectory.shot;
        }
    const Shot shot = fallback_->shoot(source.now(), world_, random_);
    if (visible_by(normal, novel, shot)) visible_ = true;
    return shot;
  }

  Report report(const SeenShot&, const ObservationSource&) override {
    return {.novelty = visible_ ? 1.0 : 0.0, .description = {}};
  }

 private:
  static bool visible_by(const Scene& normal, const Scene& novel, const Shot& shot) {
    return !visibly_different_objects(normal, novel, fly_normal(normal, shot), {}, true).empty();
  }

  Scene normal_twin(Scene scene) const {
    remove_novelty(scene, *normal_start_);
    return taken_at_rest(std::move(scene));
  }

  NormalWorld world_;
  std::unique_ptr<Shooter> fallback_;
  const Game* game_ = nullptr;
  const Scene* normal_start_ = nullptr;
  const Novelty* novelty_ = nullptr;
  Random random_{0};
  bool visible_ = false;
};

}  // namespace

bool is_built_in(const std::string& name) { return name == oracle_name || parts_of(name).has_value(); }

std::unique_ptr<Agent> make_built_in(const std::string& name, std::shared_ptr<const Profile> profile) {
  const auto parts = parts_of(name);
  if (!parts) return nullptr;
  return std::make_unique<BuiltIn>(parts->shooter->make(), parts->detector->make(), std::move(profile));
}

std::unique_ptr<Agent> make_agent(const std::string& shooter, std::unique_ptr<Detector> detector,
                                  std::shared_ptr<const Profile> profile) {
  const ShooterInfo* info = find(shooters(), shooter);
  if (!info) return nullptr;
  return std::make_unique<BuiltIn>(info->make(), std::move(detector), std::move(profile));
}

std::unique_ptr<Oracle> make_oracle(std::shared_ptr<const Profile> profile) {
  return std::make_unique<TwinOracle>(std::move(profile));
}

}  // namespace startle
