#include "levels/search.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "levels/level_set.hpp"
#include "levels/mutation.hpp"
#include "sim/world.hpp"
#include "simulated/visible_shots.hpp"

namespace startle {

namespace {

constexpr int most_mutations = 30;  // of one candidate

/// Changes the candidate at random as long as that does not take its difficulty further from what is wanted.
/// False when it does not come to fit.
bool approach(Level& candidate, const SearchGoal& goal, std::shared_ptr<const Profile> profile,
              Random& random, int& mutations) {
  const auto misfit_of = [&](const Level& level) { return misfit(goal, make_scene(level, profile)); };
  double distance = misfit_of(candidate);
  for (; distance > 0 && mutations < most_mutations; ++mutations) {
    Level changed = mutated(candidate, *profile, random);
    const double changed_distance = misfit_of(changed);
    if (changed_distance > distance) continue;
    candidate = std::move(changed);
    distance = changed_distance;
  }
  return distance == 0;
}

StoredShots stored(const VisibleShots& visible) {
  return {search_noise.sd, visible.best, visible.random, visible.solution};
}

/// 1 - what the observer detects of best shots; empty where it lies outside the goal's range, or nothing can
/// be detected.
std::optional<StoredDifficulty> observed_difficulty(const Scene& scene, const ObserverGoal& goal) {
  if (!anything_novel(novel_twin(scene, *goal.novelty))) return {};
  const auto all = static_cast<double>(search_noise.launches);
  // No further than it takes to know that the share will lie outside.
  const auto worthwhile = [&](const Rate& so_far) {
    const auto left = all - static_cast<double>(so_far.count), detected = static_cast<double>(so_far.hits);
    return 1 - detected / all >= goal.least && 1 - (detected + left) / all <= goal.most;
  };
  const Rate detected =
      detected_shots(scene, *goal.novelty, search_noise, {.aim_noise = search_noise.sd}, worthwhile).novel;
  if (detected.count < search_noise.launches) return {};
  const double value = 1 - *detected.value();
  if (value < goal.least || value > goal.most) return {};
  StoredDifficulty result;
  result.novelty = goal.novelty->name;
  result.source = DifficultySource::observer;
  result.value = value;
  result.detected = detected;
  return result;
}

/// By what the goal measures; empty where it does not fit.
std::optional<StoredDifficulty> fitting_difficulty(const Scene& scene, const SearchGoal& goal) {
  if (const auto* observer = std::get_if<ObserverGoal>(&goal)) return observed_difficulty(scene, *observer);
  StoredDifficulty result;
  if (const auto* predicted = std::get_if<DetectionGoal>(&goal)) {
    const FirstDetection detection = first_detection(scene, *predicted->novelty, least_surest);
    if (misfit(*predicted, detection) > 0) return {};
    result.novelty = predicted->novelty->name;
    result.source = DifficultySource::detection;
    result.value = 1 - detection.best;
    result.tier = predicted->placed;
    return result;
  }
  const DifficultyMeasure measure = measure_of(goal).value();
  const Measured difficulty = difficulty_by(measure, scene);
  if (misfit(goal, difficulty) > 0) return {};
  static_cast<DifficultyValues&>(result) = {difficulty.pid, difficulty.bid, mixed(measure.alpha, difficulty)};
  result.novelty = measure.novelty->name;
  result.source = source_of(goal);
  result.alpha = measure.alpha;
  result.tier = tier_of(goal);
  return result;
}

/// What one candidate came to.
struct Outcome {
  SearchCounts counts;  ///< of this one
  std::optional<StoredLevel> level;
  LevelFeatures features;  ///< of the level
};

/// A candidate of a third of objects that is drawn first, if the family makes one soon.
Level draw_candidate(const GeneratorInfo& family, const Profile& profile, Random& random) {
  constexpr int most_tries = 20;
  const auto third = static_cast<std::size_t>(random.integer(0, static_cast<int>(std::size(object_thirds))));
  Level candidate = generate_candidate(family, profile, random);
  for (int i = 1; i < most_tries && object_third(candidate.objects.size()) != third; ++i)
    candidate = generate_candidate(family, profile, random);
  return candidate;
}

Outcome try_candidate(const SearchGoal& goal, const GeneratorInfo& family, const SearchOptions& options,
                      std::uint64_t index, std::shared_ptr<const Profile> profile) {
  Outcome outcome;
  SearchCounts& counts = outcome.counts;
  counts.candidates = 1;
  Random random(stream_seed(options.seed, "search/" + goal_name(goal) + "/" + family.name, index));
  Level candidate = draw_candidate(family, *profile, random);
  candidate.birds.resize(static_cast<std::size_t>(random.integer(least_birds, most_birds)));
  if (!by_simulation(goal) && !approach(candidate, goal, profile, random, counts.mutations)) {
    counts.unfit = 1;
    return outcome;
  }
  StabilityVerification standing = verify_stability(candidate, profile);
  if (standing.verdict != Verdict::verified) {
    counts.unstable = 1;
    return outcome;
  }
  Solution solution = solve(standing.scene);
  if (!solution.solved || solution.shots.empty()) {
    counts.unsolved = 1;
    return outcome;
  }
  std::optional<StoredDifficulty> difficulty = fitting_difficulty(standing.scene, goal);
  if (!difficulty) {
    counts.unfit = 1;
    return outcome;
  }
  if (const auto* checked = std::get_if<VerifiedTierGoal>(&goal)) {
    difficulty->visible_shots = stored(
        visible_shots(standing.scene, *checked->novelty, solution.shots, search_noise));
    if (!verified(checked->tier.tier, *difficulty->visible_shots)) {
      counts.unverified = 1;
      return outcome;
    }
  }

  StoredLevel level{std::move(standing.level), std::move(difficulty)};
  level.name = level_set_member(goal_name(goal), options.seed, index);
  level.provenance->family = family.name;
  level.provenance->seed = options.seed;
  level.provenance->index = index;
  level.provenance->solution = std::move(solution.shots);
  outcome.features = level_features(level, *profile);
  outcome.level = std::move(level);
  return outcome;
}

void add(SearchCounts& sum, const SearchCounts& counts) {
  sum.candidates += counts.candidates;
  sum.mutations += counts.mutations;
  sum.unfit += counts.unfit;
  sum.unstable += counts.unstable;
  sum.unsolved += counts.unsolved;
  sum.near_duplicates += counts.near_duplicates;
  sum.unverified += counts.unverified;
  sum.surplus += counts.surplus;
}

}  // namespace

std::optional<TierThresholds> reference_thresholds(const DifficultyMeasure& measure, std::uint64_t seed,
                                                   std::shared_ptr<const Profile> profile, int threads,
                                                   const std::function<void(std::size_t)>& progress,
                                                   const std::function<bool()>& keep_going) {
  constexpr std::size_t most_levels = 3000;
  require_effect(*measure.novelty, profile);
  const std::vector<GeneratorInfo>& families = generator_families();
  std::vector<double> values;
  std::size_t looked_at = 0;
  parallel_in_order<Measured>(
      most_levels, threads,
      [&](std::size_t i) {
        const Level level = generate_level(families[i % families.size()], seed, i / families.size(), profile);
        return difficulty_by(measure, settle(make_scene(level, profile)));
      },
      [&](const Measured& found) {
        ++looked_at;
        if (found.pid < 1) values.push_back(mixed(measure.alpha, found));
        if (progress) progress(values.size());
        return values.size() < reference_levels;
      },
      keep_going);
  if (values.size() == reference_levels) return third_thresholds(values, measure.alpha);
  if (looked_at < most_levels) return {};
  throw Error("profile " + profile->name + ": novelty " + measure.novelty->name + " (" +
              measure.novelty->description + ") can be detected in only " + std::to_string(values.size()) +
              " of " + std::to_string(most_levels) + " levels, too few for tiers");
}

int default_candidates(int count) { return std::max(4000, 400 * std::min(count, 5'000'000)); }

SearchResult search_levels(const SearchGoal& goal, const SearchOptions& options,
                           std::shared_ptr<const Profile> profile,
                           const std::function<void(std::size_t, int)>& progress,
                           const std::function<bool()>& keep_going) {
  require_goal(goal);
  require_effect(*novelty_of(goal), profile);
  if (options.count < 0 || options.candidates < 0)
    throw Error("search: found count " + std::to_string(options.count) + " and candidates " +
                std::to_string(options.candidates) + ", allowed 0 or more");
  std::vector<const GeneratorInfo*> families;
  if (options.family.empty())
    for (const GeneratorInfo& family : generator_families()) families.push_back(&family);
  else
    families.push_back(&find_generator(options.family));

  SearchResult result;
  std::vector<LevelFeatures> features;
  Balance balance(options.family.empty());
  const auto wanted = static_cast<std::size_t>(options.count);
  const int budget = options.candidates > 0 ? options.candidates : default_candidates(options.count);
  parallel_in_order<Outcome>(
      wanted == 0 ? 0 : static_cast<std::size_t>(budget), options.threads,
      [&](std::size_t i) { return try_candidate(goal, *families[i % families.size()], options, i, profile); },
      [&](Outcome outcome) {
        const bool duplicate = outcome.level &&
                               std::any_of(features.begin(), features.end(), [&](const LevelFeatures& known) {
                                 return level_distance(known, outcome.features) < options.least_distance;
                               });
        const bool taken = outcome.level && !duplicate && !balance.full(*outcome.level);
        if (duplicate)
          outcome.counts.near_duplicates = 1;
        else if (outcome.level && !taken)
          outcome.counts.surplus = 1;
        add(result.counts, outcome.counts);
        if (taken) {
          balance.add(*outcome.level);
          result.levels.push_back(std::move(*outcome.level));
          features.push_back(std::move(outcome.features));
        }
        if (progress) progress(result.levels.size(), result.counts.candidates);
        return result.levels.size() < wanted;
      },
      keep_going);
  result.diversity = diversity(features);
  return result;
}

std::string check_difficulty(const StoredDifficulty& found, const Novelty& novelty, const Scene& scene,
                             const std::vector<Shot>& solution) {
  std::string wrong;
  const auto compare = [&](const char* what, const std::string& stored_text, const std::string& computed) {
    if (stored_text != computed)
      wrong += (wrong.empty() ? "" : ", ") + std::string(what) + " stored " + stored_text + ", computed " +
               computed;
  };
  const auto compare_counts = [&](const char* what, const Rate& a, const Rate& b) {
    compare(what, std::to_string(a.hits) + " of " + std::to_string(a.count),
            std::to_string(b.hits) + " of " + std::to_string(b.count));
  };
  if (found.source == DifficultySource::observer) {
    const Rate detected = detected_shots(scene, novelty, search_noise, {.aim_noise = search_noise.sd}).novel;
    compare_counts("detected", found.detected.value_or(Rate{}), detected);
    compare("value", number_text(found.value), number_text(1 - detected.value().value_or(0)));
    return wrong;
  }
  if (found.source == DifficultySource::detection) {
    const double value = 1 - first_detection(scene, novelty, 0).best;
    compare("value", number_text(found.value), number_text(value));
    if (found.tier) compare("tier", name(found.tier->tier), name(tier_of(value, found.tier->thresholds)));
    return wrong;
  }
  const Measured now = difficulty_by(
      {.novelty = &novelty, .method = method_of(found.source), .ties = found.ties}, scene);
  const double value = mixed(found.alpha, now);
  compare("PID", number_text(found.pid), number_text(now.pid));
  compare("BID", number_text(found.bid), number_text(now.bid));
  compare("value", number_text(found.value), number_text(value));
  if (found.tier) compare("tier", name(found.tier->tier), name(tier_of(value, found.tier->thresholds)));
  if (found.third) compare("third", name(found.third->third), name(third_of(value, found.third->thresholds)));
  if (found.visible_shots) {
    const StoredShots visible = stored(visible_shots(scene, novelty, solution, search_noise));
    compare_counts("visible best shots", found.visible_shots->best, visible.best);
    compare_counts("visible random shots", found.visible_shots->random, visible.random);
    compare_counts("visible shots of the solution", found.visible_shots->solution, visible.solution);
  }
  return wrong;
}

}  // namespace startle
