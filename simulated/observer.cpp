#include "simulated/observer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/bits.hpp"
#include "core/error.hpp"
#include "difficulty/impact_score.hpp"
#include "sim/world.hpp"

namespace startle {
namespace {

/// Frames of the flight count up to here, steps: a bird lives no longer.
constexpr int longest_flight = 1000;

// Groups of bodies, as far as appearances go.
enum Group : int { wood, ice, stone, pigs, tnt, birds };
constexpr const char* group_names[] = {"wood", "ice", "stone", "pigs", "TNT", "birds"};

Group group_of(const SceneObject& object) {
  if (object.kind == Kind::pig) return pigs;
  if (object.kind == Kind::tnt) return tnt;
  return object.material == Material::ice ? ice : object.material == Material::stone ? stone : wood;
}

void require(bool allowed, const std::string& what, double found, const std::string& range) {
  if (!allowed) throw Error("observer: " + what + ": found " + std::to_string(found) + ", allowed " + range);
}

Viewing checked(const Viewing& viewing) {
  require(viewing.first_step >= 0, "first step", viewing.first_step, "are 0 and more");
  require(viewing.stride >= 1 && viewing.stride <= 1000, "stride", viewing.stride, "are 1 to 1000 steps");
  require(viewing.frames >= 0, "frames", viewing.frames, "are 0 and more");
  return viewing;
}

const Scene& checked(const Scene& scene, const ObserverOptions& options) {
  require_valid(options);
  if (scene.birds_left() == 0) throw Error("observer: the scene has no bird left to shoot");
  return scene;
}

bool inside(Vec2 place, const std::optional<Bounds>& window) {
  return !window || (place.x >= window->xmin && place.x <= window->xmax && place.y >= window->ymin &&
                     place.y <= window->ymax);
}

std::vector<int> flight_frames(const Viewing& viewing) {
  std::vector<int> steps;
  for (int step = viewing.first_step;
       step <= longest_flight && (viewing.frames == 0 || static_cast<int>(steps.size()) < viewing.frames);
       step += viewing.stride)
    steps.push_back(step);
  return steps;
}

/// The trace after `step`; the last frame once it has ended.
const Frame& frame_after(const Trace& trace, int step) {
  return trace.frames[std::min(static_cast<std::size_t>(step / trace.record_every), trace.frames.size() - 1)];
}

}  // namespace

void require_valid(const ObserverOptions& options) {
  require(options.aim_noise >= 0 && options.aim_noise <= 0.5, "aim noise", options.aim_noise,
          "are 0 to 0.5 rad");
  require(options.pixel > 0 && options.pixel <= 1, "pixel", options.pixel, "is over 0 to 1 world units");
  require(options.simulations >= 19 && options.simulations <= 9999, "simulations", options.simulations,
          "are 19 to 9999");
}

Observer::Observer(const Scene& normal, const Shot& announced, const Viewing& viewing,
                   const ObserverOptions& options)
    : normal_(checked(normal, options)),
      announced_(announced),
      viewing_(checked(viewing)),
      options_(options),
      record_every_(std::gcd(viewing.first_step, viewing.stride)),
      launch_(normal, announced, options.aim_noise, options.pixel, flight_frames(viewing), viewing.window) {}

ShotTest Observer::detect(const Trace& seen) {
  require_recorded(seen);
  ShotTest shot_test{test_first(beside_normal(sample(seen), cell_of(seen), options_.simulations)), {}};
  for (const Attribution& attribution : shot_test.attributions)
    shot_test.subjects.push_back(subject(attribution));
  return shot_test;
}

bool Observer::detects(const Trace& seen, double alpha) {
  require_recorded(seen);
  const Run own = sample(seen);
  const long cell = cell_of(seen);
  // Of simulations + 1 runs, this one with them.
  const double most_as_unlike = alpha * (options_.simulations + 1) + 1e-9;
  for (const int part : {4, 2, 1}) {
    const int simulations = (options_.simulations + 1) / part - 1;
    const double as_unlike = test_first(beside_normal(own, cell, simulations)).p * (simulations + 1);
    if (as_unlike > most_as_unlike + (part > 1 ? 1 : 0)) return false;
  }
  return true;
}

ShotRank Observer::rank(const Trace& seen) {
  require_recorded(seen);
  const Run own = sample(seen);
  const long cell = cell_of(seen);
  struct Look {
    int runs;
    double ordinary;  // over this p-value it ends
  };
  const int all = options_.simulations + 1;
  for (const auto& [runs, ordinary] : {Look{10, 0.6}, Look{20, 0.5}, Look{40, 0.05}, Look{all, 0}}) {
    if (runs > all) continue;
    const double p = test_first(beside_normal(own, cell, runs - 1)).p;
    if (p > ordinary + 1e-9 || runs == all) return {static_cast<int>(std::lround(p * runs)), runs};
  }
  return {};
}

bool Observer::alike(const Trace& seen, const Trace& other) const {
  require_recorded(seen);
  require_recorded(other);
  return sample(seen) == sample(other);
}

void Observer::require_recorded(const Trace& seen) const {
  if (seen.record_every <= 0 || record_every_ % seen.record_every != 0 || seen.frames.empty())
    throw Error("observer: trace: recorded every " + std::to_string(seen.record_every) +
                " steps, needed is a divisor of " + std::to_string(record_every_));
}

Runs Observer::beside_normal(const Run& seen, long cell, int simulations) {
  std::vector<const Run*> all{&seen};
  const std::vector<Run>& normal = normal_runs(cell, static_cast<std::size_t>(simulations));
  for (int i = 0; i < simulations; ++i) all.push_back(&normal[static_cast<std::size_t>(i)]);

  // What has ended stays as it was last, until the last of the runs has ended; a body that some run alone has
  // is missing in the others.
  Runs runs{
      .interval = viewing_.stride * normal_.profile->step, .pixel = options_.pixel, .group_of = {}, .of = {}};
  for (const Run* run : all) {
    runs.frames = std::max(runs.frames, run->size());
    runs.bodies = std::max(runs.bodies, run->front().size());
  }
  for (std::size_t body = 0; body < runs.bodies; ++body)
    runs.group_of.push_back(body < normal_.objects.size() ? group_of(normal_.objects[body]) : birds);
  for (const Run* run : all) {
    std::vector<Place> places;
    places.reserve(runs.bodies * runs.frames);
    for (std::size_t body = 0; body < runs.bodies; ++body)
      for (std::size_t frame = 0; frame < runs.frames; ++frame) {
        const std::vector<Place>& then = (*run)[std::min(frame, run->size() - 1)];
        places.push_back(body < then.size() ? then[body] : Place{.at = {}, .there = false});
      }
    runs.of.push_back(std::move(places));
  }
  return runs;
}

Observer::Run Observer::sample(const Trace& trace) const {
  const std::size_t objects = normal_.objects.size();
  std::size_t bodies = objects;
  for (const Frame& frame : trace.frames)
    if (!frame.bodies.empty())
      bodies = std::max(bodies, static_cast<std::size_t>(frame.bodies.back().id) + 1);
  std::vector<Place> now(bodies, Place{.at = {}, .there = false});
  for (std::size_t i = 0; i < objects; ++i)
    now[i].at = seen_at(normal_.objects[i].pose.position, options_.pixel);
  const int last = viewing_.frames > 0 ? last_frame() : trace.frames.back().step;
  Run run;
  for (int step = viewing_.first_step; step <= last || run.empty(); step += viewing_.stride) {
    for (Place& place : now) place.there = false;
    for (const BodyState& body : frame_after(trace, step).bodies) {
      const auto i = static_cast<std::size_t>(body.id);
      if (i < objects && normal_.objects[i].is_static()) continue;
      const Vec2 at = seen_at(body.pose.position, options_.pixel);
      if (inside(at, viewing_.window)) now[i] = {at, true};
    }
    run.push_back(now);
  }
  return run;
}

long Observer::cell_of(const Trace& trace) const {
  const auto bird = static_cast<BodyId>(normal_.objects.size());
  std::vector<Vec2> places;
  for (const int step : launch_.steps()) {
    const Frame& frame = frame_after(trace, step);
    const auto found = std::find_if(frame.bodies.begin(), frame.bodies.end(),
                                    [&](const BodyState& body) { return body.id == bird; });
    // A bird that is not where any flight could have taken it: no launch is like this one, and none is
    // preferred.
    if (found == frame.bodies.end()) return 0;
    places.push_back(found->pose.position);
  }
  return launch_.cell(places);
}

const std::vector<Observer::Run>& Observer::normal_runs(long cell, std::size_t least) {
  // By the announced angle, too: were the launches of all levels off by the same errors, false alarms of one
  // level would come with those of the others, and their number would vary far more than a binomial one.
  const std::uint64_t own = stream_seed(options_.seed, "observer", bit_cast<std::uint64_t>(announced_.angle));
  const Random launches(stream_seed(own, "cell", static_cast<std::uint64_t>(cell)));
  NormalRuns& runs = runs_.try_emplace(cell, NormalRuns{launches, {}}).first->second;
  // What comes after the last frame is not waited for.
  WorldOptions flown{.record_every = record_every_};
  if (viewing_.frames > 0)
    flown.time_limit = std::min(flown.time_limit, std::max(1, last_frame()) * normal_.profile->step);
  while (runs.flown.size() < least) {
    Shot shot = announced_;
    shot.angle += launch_.draw(cell, runs.random);
    runs.flown.push_back(sample(run_shot(normal_, shot, flown).trace));
    ++simulations_;
  }
  return runs.flown;
}

std::string Observer::subject(const Attribution& attribution) const {
  if (attribution.feature == Feature::fall || attribution.feature == Feature::slide)
    return group_names[attribution.of];
  if (attribution.of < normal_.objects.size())
    return "#" + std::to_string(attribution.of) + " " + appearance(normal_.objects[attribution.of]);
  const std::size_t later = attribution.of - normal_.objects.size();
  return later == 0 ? "bird" : "bird +" + std::to_string(later);
}

ObservedLaunch observe_launch(const Scene& normal, const Scene& world, const Shot& announced,
                              const ObserverOptions& options, std::uint64_t index) {
  ObserverOptions own = options;  // other shots to compare with than those of other launches, which are then
                                  // independent
  own.seed = stream_seed(options.seed, "observed launch", index);
  Observer observer(normal, announced, {}, own);
  const WorldOptions recorded{.record_every = observer.record_every()};
  ObservedLaunch launch{.perturbation = aim_perturbation(options.aim_noise, options.seed, index)};
  Shot perturbed = announced;
  perturbed.angle += launch.perturbation;
  launch.found = observer.detect(run_shot(world, perturbed, recorded).trace);
  launch.normal = observer.detect(run_shot(normal, perturbed, recorded).trace);
  return launch;
}

}  // namespace startle
