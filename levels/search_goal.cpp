#include "levels/search_goal.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "levels/balance.hpp"
#include "levels/level_text.hpp"
#include "simulated/simulated_difficulty.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

/// Further than any level in which the novelty changes something.
constexpr double nothing_novel = 2, undetectable = 1;

/// How far a number lies outside a range; over 0 even where it is just at an end that does not belong to it.
double outside(double min, double max, double value) {
  return value >= min && value <= max ? 0 : std::max({min - value, value - max, 1e-9});
}

/// The part of a distance that is not about the surest shot.
double distance_of_plays(const PLevelGoal& goal, const PredictedLevel& level) {
  return outside(goal.range.min, goal.range.max, level.p_level) +
         outside(min_shots, max_shots, level.shots) / most_birds;
}

}  // namespace

PLevelGoal goal_of(const Novelty& novelty, Tier tier) {
  return {.novelty = &novelty, .range = made_for(tier), .tier = tier};
}

const Novelty* novelty_of(const SearchGoal& goal) {
  if (const auto* p_level = std::get_if<PLevelGoal>(&goal)) return p_level->novelty;
  return std::get<ValueGoal>(goal).measure.novelty;
}

std::optional<Tier> tier_of(const SearchGoal& goal) {
  const auto* p_level = std::get_if<PLevelGoal>(&goal);
  return p_level ? p_level->tier : std::nullopt;
}

DifficultySource source_of(const DifficultyMeasure& measure) {
  return measure.method ? source_of(*measure.method) : DifficultySource::simulated;
}

DifficultySource source_of(const SearchGoal& goal) {
  const auto* value = std::get_if<ValueGoal>(&goal);
  return value ? source_of(value->measure) : DifficultySource::p_level;
}

std::pair<double, double> range_of(const SearchGoal& goal) {
  if (const auto* p_level = std::get_if<PLevelGoal>(&goal)) return {p_level->range.min, p_level->range.max};
  const auto& value = std::get<ValueGoal>(goal);
  return {value.least, value.most};
}

bool by_simulation(const SearchGoal& goal) { return source_of(goal) == DifficultySource::simulated; }

double mixed(double alpha, const DifficultyValues& d) { return alpha * d.pid + (1 - alpha) * d.bid; }

Measured difficulty_by(const DifficultyMeasure& measure, const Scene& scene) {
  if (!measure.method) {
    const SimulatedDifficulty difficulty = simulated_difficulty(scene, *measure.novelty);
    return {difficulty, difficulty.novel_objects};
  }
  const Difficulty difficulty = compute_difficulty(scene, *measure.novelty,
                                                   {.method = *measure.method, .ties = measure.ties});
  return {difficulty, difficulty.novel_objects};
}

void require_goal(const SearchGoal& goal) {
  const auto share = [](double value) { return value >= 0 && value <= 1; };
  const Novelty* novelty = novelty_of(goal);
  if (!novelty) throw Error("search: no novelty");
  if (const auto* value = std::get_if<ValueGoal>(&goal)) {
    if (value->measure.method) require_covered(*value->measure.method, *novelty);
    if (!share(value->measure.alpha))
      throw Error("search: alpha: found " + number_text(value->measure.alpha) + ", allowed 0 to 1");
  } else {
    require_covered(Method::extended, *novelty);
  }
  const auto [low, high] = range_of(goal);
  if (!share(low) || !share(high) || low > high)
    throw Error("difficulty range: found " + number_text(low) + ":" + number_text(high) +
                ", allowed are two values from 0 to 1, the smaller one first");
}

double distance_to(const PLevelGoal& goal, const PredictedLevel& level) {
  return distance_of_plays(goal, level) + std::max(min_max_p_detected - level.max_p_detected, 0.0);
}

double distance_to(const ValueGoal& goal, const Measured& difficulty) {
  if (difficulty.novel_objects == 0) return nothing_novel;
  if (difficulty.pid == 1 && goal.most < 1) return undetectable;
  return outside(goal.least, goal.most, mixed(goal.measure.alpha, difficulty));
}

Assessment assess(const SearchGoal& goal, const Scene& scene, double limit) {
  Assessment result{.distance = nothing_novel, .difficulty = {}};
  if (const auto* p_level = std::get_if<PLevelGoal>(&goal)) {
    if (!anything_novel(novel_twin(scene, *p_level->novelty))) return result;
    const PredictedLevel predicted = predict_for_search(
        scene, *p_level->novelty, min_max_p_detected,
        [&](const PredictedLevel& level) { return distance_of_plays(*p_level, level) <= limit; });
    result.distance = distance_to(*p_level, predicted);
    result.difficulty = stored_p_level(p_level->novelty->name, predicted.p_level);
    return result;
  }
  const auto& value = std::get<ValueGoal>(goal);
  const Measured measured = difficulty_by(value.measure, scene);
  result.distance = distance_to(value, measured);
  static_cast<DifficultyValues&>(result.difficulty) = {measured.pid, measured.bid,
                                                       mixed(value.measure.alpha, measured)};
  result.difficulty.novelty = value.measure.novelty->name;
  result.difficulty.source = source_of(value.measure);
  result.difficulty.alpha = value.measure.alpha;
  result.difficulty.ties = value.measure.ties;
  return result;
}

std::string goal_name(const SearchGoal& goal) {
  std::string text = novelty_of(goal)->name;
  if (const auto tier = tier_of(goal)) return text + "-" + name(*tier);
  if (source_of(goal) != DifficultySource::published) text += std::string("-") + name(source_of(goal));
  const auto* value = std::get_if<ValueGoal>(&goal);
  const double alpha = value ? value->measure.alpha : 0.5;
  if (alpha == 1)
    text += "-pid";
  else if (alpha == 0)
    text += "-bid";
  else if (alpha != 0.5)
    text += "-alpha-" + number_text(alpha);
  const auto [low, high] = range_of(goal);
  return text + "-" + number_text(low) + "-" + number_text(high);
}

}  // namespace startle
