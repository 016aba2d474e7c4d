#include "levels/search_goal.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "levels/level_text.hpp"
#include "simulated/simulated_difficulty.hpp"

namespace startle {
namespace {

std::pair<double, double> range_of(const PlacedTier& tier) {
  const TierThresholds& t = tier.thresholds;
  const double gap = tier_gap * (t.high - t.low);
  return tier.tier == Tier::easy     ? std::pair{0.0, t.low - gap}
         : tier.tier == Tier::medium ? std::pair{t.low + gap, t.high - gap}
                                     : std::pair{t.high + gap, 1.0};
}

bool in_visible_range(Tier tier, double share) {
  const auto [low, high] = visible_range(tier);
  return share >= low && share <= high;
}

/// How far a number lies outside a range; over 0 even where it is just at an end that does not belong to it.
double outside(const std::pair<double, double>& range, double value) {
  return std::max({range.first - value, value - range.second, 1e-9});
}

}  // namespace

const Novelty* novelty_of(const SearchGoal& goal) {
  return std::visit(
      [](const auto& g) {
        if constexpr (requires { g.measure; })
          return g.measure.novelty;
        else
          return g.novelty;
      },
      goal);
}

std::optional<PlacedTier> tier_of(const SearchGoal& goal) {
  return std::visit(
      [](const auto& g) -> std::optional<PlacedTier> {
        if constexpr (requires { g.tier; }) return g.tier;
        if constexpr (requires { g.placed; }) return g.placed;
        return {};
      },
      goal);
}

std::optional<DifficultyMeasure> measure_of(const SearchGoal& goal) {
  return std::visit(
      [](const auto& g) -> std::optional<DifficultyMeasure> {
        if constexpr (requires { g.tier; })
          return DifficultyMeasure{g.novelty, g.method, g.tier.thresholds.alpha};
        if constexpr (requires { g.measure; }) return g.measure;
        return {};
      },
      goal);
}

DifficultySource source_of(const DifficultyMeasure& measure) {
  return measure.method ? source_of(*measure.method) : DifficultySource::simulated;
}

DifficultySource source_of(const SearchGoal& goal) {
  const auto measure = measure_of(goal);
  return measure                                       ? source_of(*measure)
         : std::holds_alternative<DetectionGoal>(goal) ? DifficultySource::detection
                                                       : DifficultySource::observer;
}

std::pair<double, double> range_of(const SearchGoal& goal) {
  return std::visit(
      [](const auto& g) {
        if constexpr (requires { g.tier; })
          return range_of(g.tier);
        else
          return std::pair{g.least, g.most};
      },
      goal);
}

bool by_simulation(const SearchGoal& goal) {
  return source_of(goal) == DifficultySource::simulated || source_of(goal) == DifficultySource::observer;
}

double mixed(double alpha, const DifficultyValues& d) { return alpha * d.pid + (1 - alpha) * d.bid; }

Measured difficulty_by(const DifficultyMeasure& measure, const Scene& scene) {
  if (!measure.method) {
    const SimulatedDifficulty difficulty = simulated_difficulty(scene, *measure.novelty);
    return {difficulty, difficulty.novel_objects};
  }
  const Difficulty difficulty = compute_difficulty(scene, *measure.novelty,
                                                   {.method = *measure.method, .ties = measure.ties});
  Measured result{difficulty, difficulty.novel_objects};
  if (!difficulty.interactions.empty()) {
    const Interaction& first = difficulty.interactions.front();
    result.visible = (first.best_detectable() + 1 - share_undetectable(first.counts)) / 2;
  }
  return result;
}

void require_goal(const SearchGoal& goal) {
  const auto share = [](double value) { return value >= 0 && value <= 1; };
  const Novelty* novelty = novelty_of(goal);
  if (!novelty) throw Error("search: no novelty");
  if (const auto measure = measure_of(goal)) {
    if (measure->method) require_covered(*measure->method, *novelty);
    if (!share(measure->alpha))
      throw Error("search: alpha: found " + number_text(measure->alpha) + ", allowed 0 to 1");
  }
  if (std::holds_alternative<DetectionGoal>(goal)) require_covered(Method::extended, *novelty);
  const auto [low, high] = range_of(goal);
  const auto tier = tier_of(goal);
  if (!tier || std::holds_alternative<DetectionGoal>(goal)) {
    if (!share(low) || !share(high) || low > high)
      throw Error("difficulty range: found " + number_text(low) + ":" + number_text(high) +
                  ", allowed are two values from 0 to 1, the smaller one first");
    return;
  }
  // Ties: more than a third of the sample has the smallest value there is, or the largest.
  if (low > high || (tier->tier == Tier::easy && high < 0) || (tier->tier == Tier::hard && low >= 1))
    throw Error("novelty " + novelty->name + ": no level is " + name(tier->tier) +
                ": the values lie from 0 to 1, and the tiers part at " + number_text(tier->thresholds.low) +
                " and " + number_text(tier->thresholds.high));
}

double misfit(const SearchGoal& goal, const Measured& difficulty) {
  if (difficulty.novel_objects == 0) return 2;
  double distance = 0;
  if (!fits(goal, difficulty.pid, difficulty.bid)) {
    if (difficulty.pid == 1) return 1;  // undetectable: further than anything that can be detected
    distance = outside(range_of(goal), mixed(measure_of(goal)->alpha, difficulty));
  }
  if (const auto* checked = std::get_if<VerifiedTierGoal>(&goal);
      checked && !in_visible_range(checked->tier.tier, difficulty.visible))
    distance += outside(visible_range(checked->tier.tier), difficulty.visible);
  return distance;
}

double misfit(const DetectionGoal& goal, const FirstDetection& detection) {
  if (detection.novel_objects == 0 && !goal.novelty->world.any()) return 2;
  double distance = 0;
  if (const double value = 1 - detection.best; value < goal.least || value > goal.most)
    distance = outside({goal.least, goal.most}, value);
  if (detection.surest < least_surest) distance += least_surest - detection.surest;
  return distance;
}

double misfit(const SearchGoal& goal, const Scene& scene) {
  if (const auto* detection = std::get_if<DetectionGoal>(&goal))
    return misfit(*detection, first_detection(scene, *detection->novelty, least_surest));
  return misfit(goal, difficulty_by(measure_of(goal).value(), scene));
}

std::string goal_name(const SearchGoal& goal) {
  std::string text = novelty_of(goal)->name;
  if (source_of(goal) != DifficultySource::published) text += std::string("-") + name(source_of(goal));
  const auto measure = measure_of(goal);
  const double alpha = measure ? measure->alpha : 0.5;
  if (alpha == 1)
    text += "-pid";
  else if (alpha == 0)
    text += "-bid";
  else if (alpha != 0.5)
    text += "-alpha-" + number_text(alpha);
  const auto [low, high] = range_of(goal);
  const auto tier = tier_of(goal);
  return text + "-" + (tier ? name(tier->tier) : number_text(low) + "-" + number_text(high));
}

bool fits(const SearchGoal& goal, double pid, double bid) {
  const double value = mixed(measure_of(goal)->alpha, {.pid = pid, .bid = bid});
  const auto [low, high] = range_of(goal);
  const bool undetectable = pid == 1;
  const auto tier = tier_of(goal);
  return value >= low && value <= high &&
         (tier ? !undetectable && tier_of(value, tier->thresholds) == tier->tier
               : !undetectable || high == 1);
}

std::pair<double, double> visible_range(Tier tier) {
  return tier == Tier::easy     ? std::pair{0.65, 1.0}
         : tier == Tier::medium ? std::pair{0.2, 0.75}
                                : std::pair{0.0, 0.25};
}

bool verified(Tier tier, const StoredShots& visible) {
  const std::size_t hits = visible.best.hits + visible.random.hits,
                    of = visible.best.count + visible.random.count;
  if (of == 0 || hits + visible.solution.hits == 0) return false;
  return in_visible_range(tier, static_cast<double>(hits) / static_cast<double>(of));
}

}  // namespace startle
