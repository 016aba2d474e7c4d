#include "surprise/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "difficulty/difficulty.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"
#include "surprise/physics_prediction.hpp"
#include "surprise/shot_detector.hpp"

namespace startle {
namespace {

EvaluationLevel read_evaluation_level(const std::filesystem::path& file, const Profile& profile) {
  EvaluationLevel result;
  result.level = read_level(file);
  const LevelProblems problems = validate(result.level, profile);
  if (!problems.errors.empty()) throw Error(file.string() + ": " + problems.errors.front());
  if (!result.level.difficulty || !result.level.difficulty->tier)
    throw Error(file.string() + ": difficulty: found no " +
                (result.level.difficulty ? "tier" : "difficulty") +
                ", needed are levels made with startle levels generate --novelty N --tier T");
  result.tier = *result.level.difficulty->tier;
  result.novelty = &find_novelty(result.level.difficulty->novelty);
  return result;
}

void add_unless_known(std::vector<ChosenShot>& shots, ChosenShot shot) {
  const bool known = std::any_of(shots.begin(), shots.end(), [&](const ChosenShot& s) {
    return s.bird == shot.bird && s.shot == shot.shot;
  });
  if (!known) shots.push_back(std::move(shot));
}

/// The engine as a predictor. Four frames ahead tell less (docs/research/2026-11-28-score-tests.md).
struct PhysicsPredictor {
  const char* name;
  KnownSpeeds speeds;
  int frames_ahead;
};
constexpr std::array<PhysicsPredictor, 4> physics_predictors{
    {{"physics", KnownSpeeds::estimated, 1},
     {"physics, exact speeds", KnownSpeeds::exact, 1},
     {"physics, 2 frames ahead", KnownSpeeds::estimated, 2},
     {"physics, exact speeds, 2 frames ahead", KnownSpeeds::exact, 2}}};

/// What one level contributes before anything is predicted.
struct SimulatedLevel {
  bool novel = false;
  std::vector<ChosenShot> shots;
  std::vector<TwinClips> clips;
  std::vector<std::vector<TwinOutputs>> outputs;  ///< by shot, then detector
  std::vector<std::vector<TwinErrors>> physics;   ///< by shot, then predictor; where it is asked for
};

SimulatedLevel simulate_level(const EvaluationLevel& level, const std::vector<const ShotDetector*>& detectors,
                              const EvaluationOptions& options, std::shared_ptr<const Profile> profile) {
  SimulatedLevel result;
  const Scene normal = settle(make_scene(level.level, std::move(profile)));
  result.novel = anything_novel(novel_twin(normal, *level.novelty));
  if (!result.novel) return result;
  result.shots = choose_shots(level, normal, options.random_targets, options.seed);
  for (const ChosenShot& shot : result.shots) {
    result.clips.push_back(make_twin_clips(shot, *level.novelty, options.format));
    const TwinClips& pair = result.clips.back();
    result.physics.emplace_back();
    for (const PhysicsPredictor& physics : physics_predictors) {
      if (!options.physics) break;
      const auto surprise = [&](const ShotClip& seen) {
        return surprise_of(seen.clip, physics_prediction(shot.scene, seen, options.format, physics.speeds,
                                                         physics.frames_ahead));
      };
      result.physics.back().push_back({surprise(pair.normal), surprise(pair.novel)});
    }
    const Scene novel = novel_twin(shot.scene, *level.novelty);
    const std::uint64_t number = stream_seed(options.seed, "judge/" + level.level.name,
                                             result.outputs.size());
    result.outputs.emplace_back();
    for (const ShotDetector* detector : detectors)
      result.outputs.back().push_back(detector->detect(shot, novel, pair.normal.cut, number));
  }
  return result;
}

/// Poses after a step by body; the last ones after the end.
std::map<BodyId, Pose> poses_after(const Trace& trace, std::size_t step) {
  std::map<BodyId, Pose> poses;
  for (const BodyState& body : trace.frames[std::min(step, trace.frames.size() - 1)].bodies)
    poses.emplace(body.id, body.pose);
  return poses;
}

/// Whether somebody who looks at every step of the clip sees a body elsewhere than in the other world, long
/// enough.
bool visible_in_clip(const Trace& normal, const Trace& novel, const ClipCut& cut, const ClipFormat& format) {
  const VisibleDifference least;
  const double half = 0.5 * cut.view.width;
  const auto in_view = [&](const Pose& pose) {
    return std::abs(pose.position.x - cut.view.centre.x) <= half &&
           std::abs(pose.position.y - cut.view.centre.y) <= half;
  };
  std::map<BodyId, int> apart;  // steps on end
  const int last = cut.first_step + (format.frames - 1) * format.stride;
  for (int step = cut.first_step; step <= last; ++step) {
    const std::map<BodyId, Pose> a = poses_after(normal, static_cast<std::size_t>(step)),
                                 b = poses_after(novel, static_cast<std::size_t>(step));
    std::map<BodyId, std::pair<const Pose*, const Pose*>> both;
    for (const auto& [id, pose] : a) both[id].first = &pose;
    for (const auto& [id, pose] : b) both[id].second = &pose;
    for (const auto& [id, pair] : both) {
      const auto [here, there] = pair;
      const bool seen = (here && in_view(*here)) || (there && in_view(*there));
      int& steps = apart[id];
      steps = seen && (!here || !there || visibly_apart(*here, *there, least)) ? steps + 1 : 0;
      if (steps >= least.hold_steps) return true;
    }
  }
  return false;
}

/// ||b[t] - a[t]||^2 of two pictures of that many bytes.
double squared_distance(const std::uint8_t* a, const std::uint8_t* b, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double d = (b[i] - a[i]) / 255.0;
    sum += d * d;
  }
  return sum;
}

std::vector<double> difference(const TwinClips& clips) {
  std::vector<double> differences;
  const Clip &normal = clips.normal.clip, &novel = clips.novel.clip;
  for (int t = 1; t < normal.frames; ++t)
    differences.push_back(squared_distance(normal.frame(t), novel.frame(t), normal.frame_size()));
  return differences;
}

double change(const Clip& clip) {
  double sum = 0;
  for (int t = 1; t < clip.frames; ++t)
    sum += squared_distance(clip.frame(t - 1), clip.frame(t), clip.frame_size());
  return sum;
}

/// Clips predicted in one call: many enough for a model to be fast, few enough that predictions (700 kB a
/// clip of 15 x 64 x 64) take little memory.
constexpr std::size_t batch_size = 32;
/// Levels simulated before their clips are predicted.
constexpr std::size_t levels_at_once = 16;

std::vector<ClipSurprise> score_all(ClipScorer& scorer, const std::vector<const Clip*>& clips) {
  std::vector<ClipSurprise> results;
  for (std::size_t first = 0; first < clips.size(); first += batch_size) {
    const std::vector<const Clip*> batch(
        clips.begin() + static_cast<std::ptrdiff_t>(first),
        clips.begin() + static_cast<std::ptrdiff_t>(std::min(first + batch_size, clips.size())));
    for (ClipSurprise& surprise : scorer.score_with_residuals(batch)) results.push_back(std::move(surprise));
  }
  return results;
}

}  // namespace

std::vector<EvaluationLevel> read_evaluation_levels(const std::filesystem::path& folder,
                                                    const Profile& profile, std::size_t limit) {
  std::map<std::pair<std::string, Tier>, std::vector<EvaluationLevel>> cells;
  std::set<std::string> names;
  for (const std::filesystem::path& file : find_level_files({folder})) {
    EvaluationLevel level = read_evaluation_level(file, profile);
    if (!names.insert(level.level.name).second)
      throw Error(file.string() + ": name: found '" + level.level.name + "', which another level has");
    std::vector<EvaluationLevel>& cell = cells[{level.novelty->name, level.tier}];
    if (limit == 0 || cell.size() < limit) cell.push_back(std::move(level));
  }
  std::vector<EvaluationLevel> levels;
  for (std::size_t i = 0; levels.size() < names.size(); ++i) {
    const std::size_t before = levels.size();
    for (auto& [key, cell] : cells)
      if (i < cell.size()) levels.push_back(std::move(cell[i]));
    if (levels.size() == before) break;
  }
  return levels;
}

const std::vector<ShotKind>& shot_kinds() {
  static const std::vector<ShotKind> all{ShotKind::best, ShotKind::solution, ShotKind::random};
  return all;
}

const char* name(ShotKind kind) {
  switch (kind) {
    case ShotKind::best:
      return "best";
    case ShotKind::solution:
      return "solution";
    case ShotKind::random:
      return "random";
  }
  return "";
}

std::vector<ChosenShot> choose_shots(const EvaluationLevel& level, const Scene& normal, int random_targets,
                                     std::uint64_t seed) {
  std::vector<ChosenShot> shots;
  // The first interaction is all that is asked for, and it depends on no bird after the first: the others
  // stay at home.
  Scene first_bird = normal;
  first_bird.birds.resize(std::min(first_bird.birds.size(), first_bird.next_bird + 1));
  const Difficulty difficulty = compute_difficulty(first_bird, *level.novelty, {.method = Method::published});
  if (!difficulty.interactions.empty() && difficulty.interactions.front().best) {
    const Interaction& first = difficulty.interactions.front();
    const TargetOutcome& best = first.targets[*first.best];
    shots.push_back({ShotKind::best, 0, best.shot(), normal});
    std::vector<std::size_t> others(first.targets.size());
    std::iota(others.begin(), others.end(), std::size_t{0});
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(*first.best));
    Random random(stream_seed(seed, "evaluate/" + level.level.name));
    random.shuffle(others);
    for (std::size_t i = 0; i < std::min(others.size(), static_cast<std::size_t>(random_targets)); ++i) {
      const TargetOutcome& other = first.targets[others[i]];
      add_unless_known(shots, {ShotKind::random, 0, other.shot(), normal});
    }
  }
  Scene scene = normal;
  const std::vector<Shot> solution = level.level.provenance ? level.level.provenance->solution
                                                            : std::vector<Shot>{};
  for (std::size_t i = 0; i < solution.size() && scene.birds_left() > 0; ++i) {
    add_unless_known(shots, {ShotKind::solution, static_cast<int>(i), solution[i], scene});
    if (i + 1 < solution.size()) scene = run_shot(scene, solution[i]).scene;
  }
  return shots;
}

TwinClips make_twin_clips(const ChosenShot& shot, const Novelty& novelty, const ClipFormat& format) {
  ShotClip normal = make_clip(shot.scene, shot.shot, format);
  ShotClip novel = make_clip(novel_twin(shot.scene, novelty), shot.shot, format, normal.cut);
  const bool visible = visible_in_clip(normal.trace, novel.trace, normal.cut, format);
  return {{std::move(normal), std::move(novel)}, visible};
}

Evaluation evaluate(const std::vector<EvaluationLevel>& levels, const std::vector<ClipScorer*>& predictors,
                    const std::vector<const ShotDetector*>& detectors, const EvaluationOptions& options,
                    std::shared_ptr<const Profile> profile, const std::function<void()>& progress,
                    const std::function<bool()>& keep_going) {
  Evaluation result{.format = options.format};
  for (const ClipScorer* predictor : predictors) result.predictors.push_back(predictor->name());
  if (options.physics)
    for (const PhysicsPredictor& physics : physics_predictors) result.predictors.emplace_back(physics.name);
  for (const ShotDetector* detector : detectors) {
    result.detectors.push_back(detector->name());
    if (std::vector<std::string> of = detector->statistics(); !of.empty())
      result.statistics[detector->name()] = std::move(of);
  }
  for (std::size_t first = 0; first < levels.size() && (!keep_going || keep_going());
       first += levels_at_once) {
    std::vector<std::optional<SimulatedLevel>> simulated(std::min(levels_at_once, levels.size() - first));
    parallel_for(
        simulated.size(), options.threads,
        [&](std::size_t i) { simulated[i] = simulate_level(levels[first + i], detectors, options, profile); },
        keep_going);

    std::vector<const Clip*> clips;
    std::vector<bool> alike;  // of the twins of these levels
    const std::size_t first_twin = result.twins.size();
    for (std::size_t i = 0; i < simulated.size(); ++i) {
      if (!simulated[i]) continue;  // interrupted before
      if (!simulated[i]->novel) {
        result.without_novelty.push_back(levels[first + i].level.name);
        continue;
      }
      for (std::size_t s = 0; s < simulated[i]->shots.size(); ++s) {
        const ChosenShot& shot = simulated[i]->shots[s];
        const TwinClips& pair = simulated[i]->clips[s];
        result.twins.push_back({.level = result.levels.size(),
                                .kind = shot.kind,
                                .bird = shot.bird,
                                .shot = shot.shot,
                                .difference = difference(pair),
                                .change = {change(pair.normal.clip), change(pair.novel.clip)},
                                .visible = pair.visible,
                                .predictors = std::vector<TwinErrors>(predictors.size()),
                                .outputs = std::move(simulated[i]->outputs[s])});
        for (TwinErrors& physics : simulated[i]->physics[s])
          result.twins.back().predictors.push_back(std::move(physics));
        clips.push_back(&pair.normal.clip);
        alike.push_back(pair.novel.clip.rgb == pair.normal.clip.rgb);
        if (!alike.back()) clips.push_back(&pair.novel.clip);
      }
      result.levels.push_back(levels[first + i]);
    }
    for (std::size_t p = 0; p < predictors.size(); ++p) {
      std::vector<ClipSurprise> scored = score_all(*predictors[p], clips);
      std::size_t next = 0;
      for (std::size_t t = first_twin; t < result.twins.size(); ++t) {
        const ClipSurprise& normal = scored[next++];
        result.twins[t].predictors[p] = {normal, alike[t - first_twin] ? normal : scored[next++]};
      }
    }
    for (std::size_t i = 0; i < simulated.size(); ++i)
      if (simulated[i] && progress) progress();
  }
  return result;
}

std::vector<Clip> clips_of_level(const EvaluationLevel& level, const EvaluationOptions& options,
                                 std::shared_ptr<const Profile> profile) {
  EvaluationOptions clips_alone = options;
  clips_alone.physics = false;
  SimulatedLevel simulated = simulate_level(level, {}, clips_alone, std::move(profile));
  std::vector<Clip> clips;
  for (TwinClips& pair : simulated.clips)
    for (ShotClip* shot : {&pair.normal, &pair.novel}) clips.push_back(std::move(shot->clip));
  return clips;
}

bool gives_one_number(const Evaluation& evaluation, std::size_t predictor) {
  return evaluation.twins.front().predictors[predictor].normal.whole.has_value();
}

bool has_unit_of_its_own(const Evaluation& e, std::size_t predictor) {
  return gives_one_number(e, predictor) ||
         std::all_of(e.twins.begin(), e.twins.end(), [&](const EvaluatedTwin& twin) {
           const std::vector<double>& change = twin.predictors[predictor].normal.errors.change;
           return std::all_of(change.begin(), change.end(), [](double c) { return c == 0; });
         });
}

ChosenShot shot_of(const Evaluation& evaluation, const EvaluatedTwin& twin,
                   std::shared_ptr<const Profile> profile) {
  const EvaluationLevel& level = evaluation.levels[twin.level];
  Scene scene = settle(make_scene(level.level, std::move(profile)));
  for (int bird = 0; bird < twin.bird; ++bird)
    scene = run_shot(scene, level.level.provenance->solution[static_cast<std::size_t>(bird)]).scene;
  return {twin.kind, twin.bird, twin.shot, std::move(scene)};
}

}  // namespace startle
