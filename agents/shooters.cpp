#include "agents/shooters.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "difficulty/best_target_player.hpp"
#include "levels/solver.hpp"
#include "reasoning/qualitative/detectability.hpp"
#include "reasoning/qualitative/movement.hpp"
#include "reasoning/qualitative/support.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "sim/novelty.hpp"
#include "sim/world.hpp"

namespace startle {
namespace {

const BirdType& next_bird(const Scene& scene) { return scene.profile->bird(scene.birds.at(scene.next_bird)); }

double mirrored(double angle, bool to_the_left) { return to_the_left ? radians(180) - angle : angle; }

bool shoots_left(const Observation& seen) {
  const auto left = std::count_if(seen.objects.begin(), seen.objects.end(), [&](const SeenObject& o) {
    return o.kind != Kind::platform && o.pose.position.x < seen.slingshot.x;
  });
  const auto movable = std::count_if(seen.objects.begin(), seen.objects.end(),
                                     [](const SeenObject& o) { return o.kind != Kind::platform; });
  return 2 * left > movable;
}

/// Any angle that goes up and forward, the power at any time of the flight.
Shot any_shot(const Observation& seen, Random& random) {
  Shot shot{.angle = mirrored(radians(random.uniform(0, 80)), shoots_left(seen))};
  shot.tap_time = random.uniform(0.3, 2.5);
  return shot;
}

class RandomShooter : public Shooter {
 public:
  Shot shoot(const Observation& seen, const NormalWorld&, Random& random) override {
    return any_shot(seen, random);
  }
};

/// At the centre of a pig drawn at random, on the lower or upper parabola, whatever stands in the way (as
/// Phy-Q's agent of that name).
class PigShooter : public Shooter {
 public:
  enum class Path { lower, upper, either };
  explicit PigShooter(Path path) : path_(path) {}

  Shot shoot(const Observation& seen, const NormalWorld& world, Random& random) override {
    const Scene scene = world.imagine(seen);
    std::vector<std::vector<Trajectory>> ways;
    for (const SceneObject& object : scene.objects) {
      if (object.kind != Kind::pig) continue;
      std::vector<Trajectory> found = trajectories_through(scene, next_bird(scene),
                                                           transformed(object.shape->centroid, object.pose));
      if (!found.empty()) ways.push_back(std::move(found));
    }
    if (ways.empty()) return any_shot(seen, random);
    const std::vector<Trajectory>& way = random.choice(ways);
    switch (path_) {
      case Path::lower:
        return way.front().shot;
      case Path::upper:
        return way.back().shot;
      case Path::either:
        break;
    }
    return random.choice(way).shot;
  }

 private:
  Path path_;
};

/// best-target (difficulty/best_target_player.hpp); of targets that tie the first, by its lowest trajectory.
class BestTarget : public Shooter {
 public:
  Shot shoot(const Observation& seen, const NormalWorld& world, Random& random) override {
    const Scene scene = world.imagine(seen);
    const TargetImpacts impacts = target_impacts(scene, support_graph(scene));
    if (impacts.targets.empty()) return any_shot(seen, random);
    if (seen.level != level_) player_.forget();
    level_ = seen.level;
    const std::size_t best = player_.best(scene, impacts).front();
    player_.shoot_at(scene, impacts, best);
    return impacts.targets[best].trajectories.front().shot;
  }

 private:
  int level_ = 0;
  BestTargetPlayer player_;
};

/// Simulates the shots that the solver finds promising in the normal world and takes the one that leaves the
/// pigs least life.
class LookAhead : public Shooter {
 public:
  bool simulates() const override { return true; }

  Shot shoot(const Observation& seen, const NormalWorld& world, Random& random) override {
    const Scene scene = world.imagine(seen);
    std::optional<std::tuple<double, int>> best;  // life left in the pigs, minus blocks destroyed
    Shot choice = any_shot(seen, random);
    for (const Shot& shot : candidate_shots(scene, shots_tried)) {
      const ShotResult result = run_shot(scene, shot);
      double life = 0;
      for (const SceneObject& object : result.scene.objects)
        if (object.alive && object.kind == Kind::pig) life += object.life;
      const std::tuple<double, int> value{life, -result.trace.blocks_destroyed};
      if (best && value >= *best) continue;
      best = value;
      choice = shot;
      if (life == 0) break;
    }
    return choice;
  }

 private:
  static constexpr std::size_t shots_tried = 8;
};

/// Shoots the target that would make the most novelties of the catalogue visible. Those that a shot of this
/// trial would have made visible and did not are struck off, until none is left.
class ReasoningShooter : public Shooter {
 public:
  ReasoningShooter() : open_(novelty_catalogue().size(), true) {}

  Shot shoot(const Observation& seen, const NormalWorld& world, Random& random) override {
    const Scene scene = world.imagine(seen);
    const SupportGraph graph = support_graph(scene);
    const TargetImpacts impacts = target_impacts(scene, graph);
    expected_.clear();
    if (impacts.targets.empty()) return any_shot(seen, random);
    const std::vector<std::vector<std::size_t>> detectable = detectable_novelties(scene, graph, impacts);
    const auto count_open = [&](const std::vector<std::size_t>& novelties) {
      return std::count_if(novelties.begin(), novelties.end(), [&](std::size_t n) { return open_[n]; });
    };
    const auto best = [&] {
      return std::max_element(detectable.begin(), detectable.end(),
                              [&](const auto& a, const auto& b) { return count_open(a) < count_open(b); });
    };
    auto choice = best();
    if (count_open(*choice) == 0) {
      open_.assign(open_.size(), true);
      choice = best();
    }
    expected_ = *choice;
    return impacts.targets[static_cast<std::size_t>(choice - detectable.begin())].trajectories.front().shot;
  }

  void saw(const SeenShot&, double novelty) override {
    if (novelty >= 0.5) return;
    for (const std::size_t n : expected_) open_[n] = false;
  }

 private:
  /// For each target the entries of the catalogue that a hit on it makes visible.
  static std::vector<std::vector<std::size_t>> detectable_novelties(const Scene& normal,
                                                                    const SupportGraph& graph,
                                                                    const TargetImpacts& impacts) {
    std::vector<std::vector<std::size_t>> detectable(impacts.targets.size());
    const std::vector<Novelty>& catalogue = novelty_catalogue();
    for (std::size_t n = 0; n < catalogue.size(); ++n) {
      Scene novel = normal;
      if (apply(catalogue[n], novel) == 0) continue;
      const bool same = same_impacts(normal, novel);
      for (std::size_t t = 0; t < impacts.targets.size(); ++t) {
        const std::vector<ImpactedObject>& impacted = impacts.impacted[t];
        const std::vector<ImpactedObject> impacted_novel =
            same ? impacted : impacted_objects(novel, graph, impacts.targets[t].object, next_bird(novel));
        if (!detectable_objects(normal, novel, impacted, impacted_novel).empty()) detectable[t].push_back(n);
      }
    }
    return detectable;
  }

  std::vector<bool> open_;             ///< by entry of the catalogue: not struck off
  std::vector<std::size_t> expected_;  ///< entries that the shot in the air would make visible
};

}  // namespace

const std::vector<ShooterInfo>& shooters() {
  static const std::vector<ShooterInfo> all{
      {"random", "any angle from 0 to 80 degrees, the power at any time",
       [] { return std::unique_ptr<Shooter>(new RandomShooter); }},
      {"pig-shooter", "at a pig drawn at random, on the lower or upper parabola at random",
       [] { return std::unique_ptr<Shooter>(new PigShooter(PigShooter::Path::either)); }},
      {"pig-shooter-lower", "at a pig drawn at random, on the lower parabola",
       [] { return std::unique_ptr<Shooter>(new PigShooter(PigShooter::Path::lower)); }},
      {"pig-shooter-upper", "at a pig drawn at random, on the upper parabola",
       [] { return std::unique_ptr<Shooter>(new PigShooter(PigShooter::Path::upper)); }},
      {"best-target", "at the target that moves most kinds of object by the reasoning",
       [] { return std::unique_ptr<Shooter>(new BestTarget); }},
      {"look-ahead", "the best of 8 shots simulated in the normal world",
       [] { return std::unique_ptr<Shooter>(new LookAhead); }},
      {"reasoning", "at the target that would make most novelties of the catalogue visible by the reasoning",
       [] { return std::unique_ptr<Shooter>(new ReasoningShooter); }},
  };
  return all;
}

}  // namespace startle
