/// \file  What the compiled module says of a level: its difficulty, what shots do, what the observer detects.
#include <algorithm>
#include <limits>

#include "agents/agent.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "difficulty/difficulty.hpp"
#include "difficulty/explain.hpp"
#include "difficulty/played_level.hpp"
#include "difficulty/tiers.hpp"
#include "levels/stored_level.hpp"
#include "python/bound.hpp"
#include "sim/world.hpp"
#include "simulated/observer.hpp"
#include "simulated/state_update.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

using namespace py::literals;

DifficultyOptions difficulty_options(double alpha, const std::string& method, const std::string& state_update,
                                     const std::string& ties, const std::vector<std::string>& known_normal,
                                     Predict predict) {
  const std::optional<Method> how = method_from_name(method);
  if (!how) throw Error("method: found '" + method + "', allowed are published and extended");
  const std::optional<StateUpdate> update = state_update_from_name(state_update);
  if (!update)
    throw Error("state_update: found '" + state_update + "', allowed are qualitative and simulated");
  const std::optional<Ties> chosen = ties_from_name(ties);
  if (!chosen) throw Error("ties: found '" + ties + "', allowed are share and first");
  return {.alpha = alpha,
          .state_update = *update,
          .method = *how,
          .ties = *chosen,
          .known_normal = known_normal,
          .predict = *how == Method::extended ? predict : Predict::nothing};
}

py::dict difficulty(const StoredLevel& level, const std::string& novelty, double alpha,
                    const std::string& method, const std::string& state_update, const std::string& ties,
                    const std::vector<std::string>& known_normal, const std::string& profile_name) {
  const DifficultyOptions options = difficulty_options(alpha, method, state_update, ties, known_normal,
                                                       Predict::detection);
  const Novelty what = find_novelty(novelty, level);
  require_covered(options.method, what);
  Difficulty result;
  std::optional<PredictedLevel> played;
  {
    const py::gil_scoped_release release;
    const Scene scene = level_at_rest(level, profile_name).scene;
    result = compute_difficulty(scene, what, options);
    if (result.detection) played = predict_level(scene, what);
  }
  const InteractionCounts first = result.interactions.empty() ? InteractionCounts{}
                                                              : result.interactions.front().counts;
  py::dict dict("pid"_a = result.pid, "bid"_a = result.bid, "value"_a = result.value,
                "birds"_a = result.birds, "novel_objects"_a = result.novel_objects,
                "targets"_a = first.targets, "detectable_targets"_a = first.detectable,
                "detected_at"_a = result.detected_at());
  if (result.detection) {
    dict["p_level"] = played->p_level;
    dict["p_level_random"] = played->p_level_random;
    dict["tier"] = name(tier_of(played->p_level));
    dict["detected_best"] = result.detection->best;
    dict["detected_random"] = result.detection->random;
    dict["detected_any"] = result.detection->any;
    dict["detected_after"] = result.detection->shots;
  }
  return dict;
}

std::string explain(const StoredLevel& level, const std::string& novelty, double alpha,
                    const std::string& method, const std::string& state_update, const std::string& ties,
                    const std::vector<std::string>& known_normal, const std::string& profile_name) {
  const DifficultyOptions options = difficulty_options(alpha, method, state_update, ties, known_normal,
                                                       Predict::detection_by_object);
  const Novelty what = find_novelty(novelty, level);
  require_covered(options.method, what);
  const py::gil_scoped_release release;
  const Scene scene = level_at_rest(level, profile_name).scene;
  return explain_json(scene, what, compute_difficulty(scene, what, options));
}

/// The world in which shots are flown: the normal one, or its twin.
Scene world_of(const Scene& normal, const std::optional<Novelty>& novelty) {
  return novelty ? novel_twin(normal, *novelty) : normal;
}

std::size_t novel_objects(const Scene& scene) { return count_novel(scene); }

py::dict events_of(const Trace& trace) {
  const auto n = static_cast<py::ssize_t>(trace.events.size());
  Array<std::int64_t> step(n), a(n), b(n);
  Array<double> value(n), position({n, py::ssize_t{2}});
  py::list kind;
  for (py::ssize_t i = 0; i < n; ++i) {
    const Event& event = trace.events[static_cast<std::size_t>(i)];
    step.mutable_at(i) = event.step;
    kind.append(name(event.kind));
    a.mutable_at(i) = event.a;
    b.mutable_at(i) = event.b;
    value.mutable_at(i) = event.value;
    position.mutable_at(i, 0) = event.position.x;
    position.mutable_at(i, 1) = event.position.y;
  }
  return py::dict("step"_a = step, "kind"_a = kind, "a"_a = a, "b"_a = b, "value"_a = value,
                  "position"_a = position);
}

py::dict shot_of(const Shot& shot, const std::string& bird, const Trace& trace) {
  const auto frames = static_cast<py::ssize_t>(trace.frames.size());
  BodyId last = -1;
  for (const Frame& frame : trace.frames)
    for (const BodyState& body : frame.bodies) last = std::max(last, body.id);
  const py::ssize_t bodies = last + 1;
  Array<double> times(frames), poses({frames, bodies, py::ssize_t{3}}), life({frames, bodies});
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  std::fill_n(poses.mutable_data(), poses.size(), nowhere);
  std::fill_n(life.mutable_data(), life.size(), nowhere);
  for (py::ssize_t f = 0; f < frames; ++f) {
    const Frame& frame = trace.frames[static_cast<std::size_t>(f)];
    times.mutable_at(f) = frame.step * trace.step_s;
    for (const BodyState& body : frame.bodies) {
      poses.mutable_at(f, body.id, 0) = body.pose.position.x;
      poses.mutable_at(f, body.id, 1) = body.pose.position.y;
      poses.mutable_at(f, body.id, 2) = body.pose.angle;
      life.mutable_at(f, body.id) = body.life;
    }
  }
  return py::dict("bird"_a = bird, "angle"_a = shot.angle, "stretch"_a = shot.stretch,
                  "tap_time"_a = shot.tap_time, "pigs_killed"_a = trace.pigs_killed,
                  "blocks_destroyed"_a = trace.blocks_destroyed, "score"_a = trace.score,
                  "end"_a = name(trace.end), "seconds"_a = trace.steps * trace.step_s,
                  "hash"_a = hexadecimal(trace.hash), "times"_a = times, "poses"_a = poses, "life"_a = life,
                  "events"_a = events_of(trace));
}

py::dict simulate(const StoredLevel& level, const Array<double>& rows,
                  const std::optional<std::string>& novelty, int every, const std::string& profile_name) {
  const std::vector<Shot> shots = shots_of(rows);
  for (const Shot& shot : shots) check(shot);
  if (every < 0 || every > 1000)
    throw Error("every: found " + std::to_string(every) + ", allowed are 0 to 1000 steps");
  const std::optional<Novelty> what = novelty ? std::optional(find_novelty(*novelty, level)) : std::nullopt;
  SettleResult settled;
  Scene start;
  PlayResult played;
  {
    const py::gil_scoped_release release;
    settled = level_at_rest(level, profile_name);
    start = world_of(settled.scene, what);
    played = play(start, shots, {.record_every = every, .record_events = true});
  }
  py::list objects, flown;
  for (const SceneObject& object : start.objects) {
    py::dict parameters;
    for (const ParameterInfo& info : parameter_table) parameters[info.name] = object.parameters.*info.member;
    objects.append(py::dict("kind"_a = name(object.kind), "type"_a = object.type,
                            "material"_a = name(object.material), "novel"_a = object.novel,
                            "parameters"_a = parameters));
  }
  for (std::size_t i = 0; i < played.traces.size(); ++i)
    flown.append(shot_of(shots[i], start.birds[start.next_bird + i], played.traces[i]));
  return py::dict("level"_a = level.name, "novelty"_a = what ? py::object(py::str(what->name)) : py::none(),
                  "novel_objects"_a = novel_objects(start), "settle_shift"_a = settled.shift,
                  "gravity"_a = py::make_tuple(gravity_of(start).x, gravity_of(start).y),
                  "objects"_a = objects, "shots"_a = flown, "cleared"_a = played.cleared,
                  "score"_a = played.scene.score, "birds_left"_a = played.scene.birds_left(),
                  "pigs_left"_a = played.scene.pigs_left());
}

py::dict tests_of(const std::vector<ObservedLaunch>& launches, ShotTest ObservedLaunch::*world,
                  double interval_s) {
  const auto n = static_cast<py::ssize_t>(launches.size());
  Array<double> p(n), p_outcome(n), p_motion(n);
  Array<bool> detected(n);
  py::list findings;
  for (py::ssize_t i = 0; i < n; ++i) {
    const ShotTest& shot_test = launches[static_cast<std::size_t>(i)].*world;
    p.mutable_at(i) = shot_test.p;
    p_outcome.mutable_at(i) = shot_test.p_outcome;
    p_motion.mutable_at(i) = shot_test.p_motion;
    detected.mutable_at(i) = shot_test.p <= detection_p;
    py::list of_launch;
    for (std::size_t t = 0; t < shot_test.attributions.size(); ++t) {
      const Attribution& attribution = shot_test.attributions[t];
      const bool mechanism = attribution.feature == Feature::fall || attribution.feature == Feature::slide;
      of_launch.append(
          py::dict("subject"_a = shot_test.subjects[t], "feature"_a = name(attribution.feature),
                   "time"_a = mechanism ? py::object(py::none())
                                        : py::float_(static_cast<double>(attribution.frame) * interval_s),
                   "seen"_a = attribution.seen, "expected"_a = attribution.expected,
                   "spread"_a = attribution.spread, "sigmas"_a = attribution.sigmas));
    }
    findings.append(of_launch);
  }
  return py::dict("p"_a = p, "p_outcome"_a = p_outcome, "p_motion"_a = p_motion, "detected"_a = detected,
                  "findings"_a = findings);
}

py::dict observer(const StoredLevel& level, const Array<double>& row,
                  const std::optional<std::string>& novelty, int count, double aim_noise, double pixel,
                  int simulations, std::uint64_t seed, const std::string& profile_name, int threads) {
  const std::vector<Shot> shots = shots_of(row);
  if (shots.size() != 1) throw Error("shot: found " + std::to_string(shots.size()) + ", allowed is one");
  check(shots.front());
  const ObserverOptions options{
      .aim_noise = aim_noise, .pixel = pixel, .simulations = simulations, .seed = seed};
  require_valid(options);
  if (count < 1 || count > 1000)
    throw Error("launches: found " + std::to_string(count) + ", allowed are 1 to 1000");
  if (threads < 0 || threads > 1024)
    throw Error("threads: found " + std::to_string(threads) + ", allowed are 0 to 1024");
  const std::optional<Novelty> what = novelty ? std::optional(find_novelty(*novelty, level)) : std::nullopt;
  std::vector<ObservedLaunch> launches(static_cast<std::size_t>(count));
  Scene normal, world;
  PythonInterruption interruption;
  {
    const py::gil_scoped_release release;
    normal = level_at_rest(level, profile_name).scene;
    world = world_of(normal, what);
    parallel_for(
        launches.size(), threads,
        [&](std::size_t i) { launches[i] = observe_launch(normal, world, shots.front(), options, i); },
        [&] { return interruption.none(); });
  }
  interruption.raise();
  Array<double> perturbation(count);
  for (int i = 0; i < count; ++i)
    perturbation.mutable_at(i) = launches[static_cast<std::size_t>(i)].perturbation;
  const double interval_s = Viewing{}.stride * normal.profile->step;
  py::dict result = tests_of(launches, &ObservedLaunch::found, interval_s);
  result["perturbation"] = perturbation;
  result["novel_objects"] = novel_objects(world);
  result["normal"] = tests_of(launches, &ObservedLaunch::normal, interval_s);
  return result;
}

}  // namespace

SettleResult level_at_rest(const StoredLevel& level, const std::string& profile_name) {
  const auto constants = profile(profile_name);
  if (const LevelProblems problems = validate(level, *constants); !problems.errors.empty())
    throw Error("level " + level.name + ": " + problems.errors.front());
  return settle_scene(make_scene(level, constants));
}

void add_measures(py::module_& module) {
  module.def("difficulty", difficulty, "level"_a, "novelty"_a, "alpha"_a, "method"_a, "state_update"_a,
             "ties"_a, "known_normal"_a, "profile"_a);
  module.def("explain", explain, "level"_a, "novelty"_a, "alpha"_a, "method"_a, "state_update"_a, "ties"_a,
             "known_normal"_a, "profile"_a);
  module.def("simulate", simulate, "level"_a, "shots"_a, "novelty"_a, "every"_a, "profile"_a);
  module.def("observer", observer, "level"_a, "shot"_a, "novelty"_a, "launches"_a, "aim_noise"_a, "pixel"_a,
             "simulations"_a, "seed"_a, "profile"_a, "threads"_a);
}

}  // namespace startle
