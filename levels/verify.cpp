#include "levels/verify.hpp"

#include <algorithm>
#include <cmath>

#include "reasoning/qualitative/stability.hpp"
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
    case Verdict::verified:
      return "verified";
  }
  return "";
}

StabilityVerification verify_stability(const Level& candidate, std::shared_ptr<const Profile> profile,
                                       const VerificationOptions& options) {
  StabilityVerification verification;
  if (!has(candidate, Kind::pig) || !has(candidate, Kind::block) || candidate.birds.empty())
    return verification;
  if (!validate(candidate, *profile).errors.empty()) return verification;

  const Scene drawn = make_scene(candidate, profile);
  verification.verdict = Verdict::unstable;
  if (!stable(drawn)) return verification;

  verification.verdict = Verdict::moves;
  const SettleResult first = settle_scene(drawn, options.settle_seconds);
  if (!first.settled || first.shift > options.settle_shift || first.turn > options.settle_turn ||
      !unharmed(first.scene))
    return verification;
  Level level = level_from_scene(candidate, first.scene);
  for (LevelObject& object : level.objects) {
    object.position = {rounded(object.position.x), rounded(object.position.y)};
    object.rotation_deg = rounded(object.rotation_deg);
  }
  SettleResult second = settle_scene(make_scene(level, profile), options.settle_seconds);
  if (!second.settled || second.shift > options.resettle_shift || second.turn > options.resettle_turn ||
      !unharmed(second.scene))
    return verification;

  level.provenance.emplace();
  level.provenance->profile = profile->name;
  level.provenance->settle_shift = second.shift;
  verification.level = std::move(level);
  verification.scene = std::move(second.scene);
  verification.verdict = Verdict::verified;
  return verification;
}

Verification verify(const Level& candidate, std::shared_ptr<const Profile> profile, int spare_birds,
                    const VerificationOptions& options) {
  StabilityVerification standing = verify_stability(candidate, profile, options);
  Verification verification;
  verification.verdict = standing.verdict;
  if (standing.verdict != Verdict::verified) return verification;

  verification.verdict = Verdict::unsolved;
  Solution solution = solve(standing.scene, options.solver);
  verification.simulations = solution.simulations;
  if (!solution.solved || solution.shots.empty()) return verification;

  // At least two birds, so that a first impression can be checked by a second shot.
  const std::size_t birds = std::max<std::size_t>(
      2, solution.shots.size() + static_cast<std::size_t>(std::max(0, spare_birds)));
  verification.level = std::move(standing.level);
  verification.level.birds.resize(std::min(verification.level.birds.size(), birds));
  verification.level.provenance->solution = std::move(solution.shots);
  verification.verdict = Verdict::verified;
  return verification;
}

}  // namespace startle
