#include "levels/prove.hpp"

#include <algorithm>
#include <cmath>

#include "reasoning/stability.hpp"
#include "sim/scene.hpp"
#include "sim/world.hpp"

namespace startle {

namespace {

double rounded(double value) { return std::round(value * 1e6) / 1e6; }

bool has(const Level& level, Kind kind) {
  return std::any_of(level.objects.begin(), level.objects.end(),
                     [&](const LevelObject& o) { return o.kind == kind; });
}

bool unharmed(const Scene& scene) {
  return std::all_of(scene.objects.begin(), scene.objects.end(),
                     [](const SceneObject& o) { return o.alive; });
}

}  // namespace

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::invalid:
      return "invalid";
    case Verdict::unstable:
      return "unstable";
    case Verdict::moves:
      return "moves";
    case Verdict::unsolved:
      return "unsolved";
    case Verdict::proved:
      return "proved";
  }
  return "";
}

StabilityProof prove_stability(const Level& candidate, std::shared_ptr<const Profile> profile,
                               const ProofOptions& options) {
  StabilityProof proof;
  if (!has(candidate, Kind::pig) || !has(candidate, Kind::block) || candidate.birds.empty()) return proof;
  if (!validate(candidate, *profile).errors.empty()) return proof;

  const Scene drawn = make_scene(candidate, profile);
  proof.verdict = Verdict::unstable;
  if (!stable(drawn)) return proof;

  proof.verdict = Verdict::moves;
  const SettleResult first = settle_scene(drawn, options.settle_seconds);
  if (!first.settled || first.shift > options.settle_shift || first.turn > options.settle_turn ||
      !unharmed(first.scene))
    return proof;
  Level level = level_from_scene(candidate, first.scene);
  for (LevelObject& object : level.objects) {
    object.position = {rounded(object.position.x), rounded(object.position.y)};
    object.rotation_deg = rounded(object.rotation_deg);
  }
  SettleResult second = settle_scene(make_scene(level, profile), options.settle_seconds);
  if (!second.settled || second.shift > options.resettle_shift || second.turn > options.resettle_turn ||
      !unharmed(second.scene))
    return proof;

  level.difficulty.reset();
  level.provenance.emplace();
  level.provenance->profile = profile->name;
  level.provenance->settle_shift = second.shift;
  proof.level = std::move(level);
  proof.scene = std::move(second.scene);
  proof.verdict = Verdict::proved;
  return proof;
}

Proof prove(const Level& candidate, std::shared_ptr<const Profile> profile, int spare_birds,
            const ProofOptions& options) {
  StabilityProof standing = prove_stability(candidate, profile, options);
  Proof proof;
  proof.verdict = standing.verdict;
  if (standing.verdict != Verdict::proved) return proof;

  proof.verdict = Verdict::unsolved;
  Solution solution = solve(standing.scene, options.solver);
  proof.simulations = solution.simulations;
  if (!solution.solved || solution.shots.empty()) return proof;

  // At least two birds, so that a first impression can be checked by a second shot.
  const std::size_t birds = std::max<std::size_t>(
      2, solution.shots.size() + static_cast<std::size_t>(std::max(0, spare_birds)));
  proof.level = std::move(standing.level);
  proof.level.birds.resize(std::min(proof.level.birds.size(), birds));
  proof.level.provenance->solution = std::move(solution.shots);
  proof.verdict = Verdict::proved;
  return proof;
}

}  // namespace startle
