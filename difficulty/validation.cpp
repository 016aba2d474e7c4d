#include "difficulty/validation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "reasoning/blow.hpp"
#include "reasoning/bracing.hpp"
#include "reasoning/detectability.hpp"
#include "reasoning/knock_on.hpp"
#include "reasoning/support.hpp"
#include "reasoning/vertical_impact.hpp"
#include "sim/error.hpp"
#include "sim/world.hpp"

namespace startle {
namespace {

constexpr double fallen_drop = 0.05;  ///< world units
constexpr double fallen_turn = 0.2;   ///< radians
constexpr double fallen_aside = 0.1;  ///< world units
constexpr double sweep_step = 0.5 * std::numbers::pi / 180;
constexpr double finest_sweep_step = std::numbers::pi / 180 / 32;

void add(std::map<std::string, std::size_t>& sums, const std::map<std::string, std::size_t>& more) {
  for (const auto& [what, count] : more) sums[what] += count;
}

bool is_movable(const SceneObject& object) { return object.alive && !object.is_static(); }

const ImpactedObject* find(const std::vector<ImpactedObject>& impacted, std::size_t object) {
  const auto found = std::find_if(impacted.begin(), impacted.end(),
                                  [&](const ImpactedObject& i) { return i.object == object; });
  return found == impacted.end() ? nullptr : &*found;
}

/// What set the object moving: an explosion near it; else what first touched it before it moved, among the bird, the target, and others
/// that moved too by then.
std::string cause_of(const NormalShot& shot, const SupportGraph& graph, std::size_t object,
                     std::size_t target) {
  const auto objects = static_cast<BodyId>(shot.tracks.size());
  const int from = shot.tracks[object].moved_at;
  const auto moving = [&](BodyId id) {
    if (id < 0 || id >= objects) return false;
    const int since = shot.tracks[static_cast<std::size_t>(id)].moved_at;
    return since >= 0 && since <= from;
  };
  constexpr int soon = 5;  // steps in which what an explosion has thrown has moved visibly
  const Bounds box = graph.geometry.bounds[object];
  for (const Event& event : shot.events) {
    if (event.kind != EventKind::explosion || event.step > from || event.step + soon < from) continue;
    const double aside = std::max({box.xmin - event.position.x, event.position.x - box.xmax, 0.0}),
                 above = std::max({box.ymin - event.position.y, event.position.y - box.ymax, 0.0});
    if (aside * aside + above * above <= event.value * event.value) return "thrown by an explosion";
  }
  for (const Event& contact : shot.events) {
    if (contact.step > from) break;
    if (contact.kind != EventKind::contact) continue;
    const auto self = static_cast<BodyId>(object);
    if (contact.a != self && contact.b != self) continue;
    const BodyId other = contact.a == self ? contact.b : contact.a;
    if (other >= objects) return "struck by the bird after the target";
    if (other == static_cast<BodyId>(target)) return "struck by the target";
    if (moving(other)) return "struck by another moving object";
  }
  // Nothing new touched it: something that it was in touch with moved.
  for (std::size_t e : graph.supporters[object])
    if (moving(static_cast<BodyId>(graph.edges[e].lower))) return "its support moved";
  for (std::size_t e : graph.supportees[object])
    if (moving(static_cast<BodyId>(graph.edges[e].upper))) return "what it carries moved";
  return "pushed by a neighbour it touched, or by a shift of load";
}

/// By what the method says that the object moves, and what the target did.
std::string rule_of(const Scene& scene, const SupportGraph& graph, const ImpactedObject& predicted,
                    std::size_t target, const NormalShot& shot, Method method) {
  std::string rule = predicted.reason;
  if (method == Method::published) {
    const std::vector<Fall> falls = vertical_impact(scene, graph, target);
    const bool falls_with_target = std::any_of(falls.begin(), falls.end(),
                                               [&](const Fall& f) { return f.object == predicted.object; });
    rule = falls_with_target ? "vertical impact of the target" : "horizontal influence of the target";
  }
  return rule + (shot.motions[target].destroyed ? ", target destroyed"
                 : shot.motions[target].moved   ? ", target moved"
                                                : ", target did not move");
}

bool says(const Cases& cases, std::initializer_list<std::size_t> any_of) {
  return std::any_of(any_of.begin(), any_of.end(), [&](std::size_t c) { return cases.test(c); });
}

void count_motion(HitValidation& hits, const ImpactedObject& predicted, const ObjectMotion& seen,
                  bool is_target) {
  const bool turned = std::fabs(seen.turn) > turned_angle, shifted = std::fabs(seen.shift) > shifted_distance,
             dropped = seen.drop > dropped_distance;
  const Cases observed = observed_cases(seen, is_target);
  for (std::size_t c = 1; c <= 9; ++c) {
    if (!predicted.cases.test(c)) continue;
    CaseCounts& counts = hits.cases[c];
    ++counts.predicted;
    counts.borne_out += observed.test(c);
    counts.moved += seen.moved;
    counts.destroyed += seen.destroyed;
    counts.turned += turned;
    counts.shifted += shifted;
    counts.dropped += dropped;
  }
  if (!seen.moved) return;
  hits.motion.destroyed.add(predicted.cases.test(1), seen.destroyed);
  if (predicted.cases.test(1) || seen.destroyed) return;
  hits.motion.turned.add(says(predicted.cases, {2, 5, 8, 9}), turned);
  hits.motion.shifted.add(says(predicted.cases, {2, 3, 6, 7, 8, 9}), shifted);
  hits.motion.dropped.add(says(predicted.cases, {4, 5, 7, 9}), dropped);
}

/// A scene with what the reasoning about hits computes once for it.
struct ReasonedScene {
  const Scene& scene;
  const SupportGraph& graph;  ///< geometry only: the same in the normal and in the novel world
  ContactNetwork network;

  ReasonedScene(const Scene& of, const SupportGraph& its_graph)
      : scene(of), graph(its_graph), network(contact_network(of, its_graph.geometry)) {}

  std::vector<ImpactedObject> impacted(Method method, std::size_t target,
                                       const Trajectory& trajectory) const {
    const BirdType& bird = scene.profile->bird(scene.birds[scene.next_bird]);
    return method == Method::extended ? knocked_on(scene, graph, network, target, bird, trajectory)
                                      : impacted_objects(scene, graph, target, bird);
  }
};

/// One prediction against one shot.
void count_hit(HitValidation& hits, const ReasonedScene& normal, Method method, std::size_t target,
               const Trajectory& trajectory, const NormalShot& shot) {
  const Scene& scene = normal.scene;
  const std::vector<ImpactedObject> impacted = normal.impacted(method, target, trajectory);
  Disagreement differing{.trajectory = trajectory, .target = target, .predicted = {}, .missed = {}};
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (!is_movable(scene.objects[i])) continue;
    const ImpactedObject* predicted = find(impacted, i);
    const bool seen = shot.motions[i].moved;
    hits.impacted.all.add(predicted, seen);
    if (predicted) differing.predicted.push_back(i);
    if (seen && !predicted) differing.missed.push_back(i);
    differing.wrong += predicted && !seen;
    if (i != target) {
      hits.impacted.others.add(predicted, seen);
      (trajectory.upper ? hits.impacted.others_upper : hits.impacted.others_lower).add(predicted, seen);
      if (seen && !predicted) ++hits.impacted.missed[cause_of(shot, normal.graph, i, target)];
      if (predicted && !seen)
        ++hits.impacted.wrong[rule_of(scene, normal.graph, *predicted, target, shot, method)];
    }
    if (predicted) count_motion(hits, *predicted, shot.motions[i], i == target);
  }
  const std::size_t size = differing.missed.size() + differing.wrong;
  if (size > (hits.worst ? hits.worst->missed.size() + hits.worst->wrong : 0))
    hits.worst = std::move(differing);
}

void count_hits(LevelValidation& level, const FlownState& state, const ReasonedScene& normal,
                const VisibleDifference& least) {
  for (const FlownTarget& flown : state.targets) {
    const std::size_t target = flown.target.object;
    Shot turned = flown.shots.front().shot;
    turned.angle += aim_error;
    const NormalShot again = fly_normal(state.scene, turned, least);
    for (std::size_t i = 0; i < state.scene.objects.size(); ++i)
      if (i != target && is_movable(state.scene.objects[i]))
        level.again.add(again.motions[i].moved, flown.shots.front().motions[i].moved);
    for (std::size_t s = 0; s < flown.shots.size(); ++s)
      for (Method method : validated_methods)
        count_hit(level.hits[method], normal, method, target, flown.target.trajectories[s], flown.shots[s]);
  }
}

/// Bodies that the bird touches first on a shot: objects that can be targets. Two, where it touches both within one step.
std::vector<std::size_t> first_touched(const Scene& scene, double angle) {
  World world(scene, {.record_events = true});
  world.launch({.angle = angle});
  const auto bird = static_cast<BodyId>(scene.objects.size());
  std::vector<std::size_t> touched;
  for (std::size_t read = 0; !world.over();) {
    world.step();
    const std::vector<Event>& events = world.trace().events;
    bool met = false;
    for (; read < events.size(); ++read) {
      const Event& e = events[read];
      if (e.kind == EventKind::out_of_world && e.a == bird) return touched;
      if (e.kind != EventKind::contact || (e.a != bird && e.b != bird)) continue;
      met = true;
      const BodyId other = e.a == bird ? e.b : e.a;
      if (other != ground_id && !scene.objects[static_cast<std::size_t>(other)].is_static())
        touched.push_back(static_cast<std::size_t>(other));
    }
    if (met) break;
  }
  std::sort(touched.begin(), touched.end());
  return touched;
}

TargetCounts validate_targets(const FlownState& state) {
  TargetCounts counts;
  const std::vector<std::size_t> reached = sweep_targets(state.scene);
  for (std::size_t i = 0; i < state.scene.objects.size(); ++i) {
    if (!is_movable(state.scene.objects[i])) continue;
    const bool found = std::any_of(state.targets.begin(), state.targets.end(),
                                   [&](const FlownTarget& t) { return t.target.object == i; });
    counts.objects.add(found, std::binary_search(reached.begin(), reached.end(), i));
  }
  const auto bird = static_cast<BodyId>(state.scene.objects.size());
  for (const FlownTarget& flown : state.targets) {
    for (const NormalShot& shot : flown.shots) {
      ++counts.trajectories;
      const auto first = std::find_if(shot.events.begin(), shot.events.end(), [&](const Event& e) {
        return e.kind == EventKind::contact && (e.a == bird || e.b == bird);
      });
      counts.hit += first != shot.events.end() && (first->a == static_cast<BodyId>(flown.target.object) ||
                                                   first->b == static_cast<BodyId>(flown.target.object));
    }
  }
  return counts;
}

/// What a method says of a novelty against what it showed in `truth`, the first interaction.
DetectionValidation validate_detection(Method method, const ReasonedScene& normal, const Scene& novel,
                                       const Novelty& novelty, const FlownState& state,
                                       const GroundedInteraction& truth, double alpha) {
  DetectionValidation result;
  std::vector<double> chances;
  result.difficulty = compute_difficulty(state.scene, novelty, {.alpha = alpha, .method = method});
  const Interaction& guess = result.difficulty.interactions.front();
  if (truth.targets.size() != guess.targets.size())
    throw Error("validation: the targets of reasoning and simulation differ");  // the same module found both
  for (std::size_t t = 0; t < truth.targets.size(); ++t) {
    const TargetOutcome& outcome = guess.targets[t];
    result.targets.add(!outcome.detectable.empty(), truth.targets[t].shows());
    for (std::size_t s = 0; s < truth.targets[t].shots.size(); ++s) {
      const std::vector<std::size_t>& shown = truth.targets[t].shots[s].shown;
      std::vector<ImpactedObject> impacted = outcome.hits.front().impacted_novel;
      std::vector<std::size_t> detectable = outcome.detectable;
      if (method == Method::extended) {  // which tells each trajectory for itself; the outcome joins them
        KnockOn shots(normal.scene, normal.graph, normal.network);
        impacted = shots.follow(outcome.target.object,
                                normal.scene.profile->bird(normal.scene.birds[normal.scene.next_bird]),
                                outcome.target.trajectories[s]);
        chance_to_show(normal.scene, novel, shots, chances);
        detectable.clear();
        for (std::size_t i = 0; i < chances.size(); ++i)
          if (chances[i] >= even_chance) detectable.push_back(i);
      }
      for (std::size_t i = 0; i < novel.objects.size(); ++i) {
        if (!novel.objects[i].novel || !novel.objects[i].alive) continue;
        const bool seen = std::binary_search(shown.begin(), shown.end(), i);
        const bool predicted = std::binary_search(detectable.begin(), detectable.end(), i);
        result.pairs.add(predicted, seen);
        if (seen && !predicted)
          ++result.missed[find(impacted, i) ? "predicted to move, but not so that it shows"
                                            : "not predicted to move"];
        if (predicted && !seen)
          ++result.wrong[state.targets[t].shots[s].motions[i].moved
                             ? "moved, but the difference stayed too small"
                             : "did not move"];
      }
    }
  }
  return result;
}

NoveltyValidation validate_novelty(FlownStates& states, const ReasonedScene& normal, const Novelty& novelty,
                                   const GroundedOptions& options) {
  NoveltyValidation result;
  const FlownState& state = *states.first();
  GroundedOptions complete = options;
  complete.complete_first = true;
  result.grounded = grounded_difficulty(states, novelty, complete);
  Scene novel = state.scene;
  apply(novelty, novel);
  const GroundedInteraction& truth = result.grounded.interactions.front();
  for (Method method : validated_methods)
    result.reasoning[method] = validate_detection(method, normal, novel, novelty, state, truth,
                                                  options.alpha);
  for (std::size_t t = 0; t < truth.targets.size(); ++t) {
    for (std::size_t s = 0; s < truth.targets[t].shots.size(); ++s) {
      const std::vector<std::size_t>& shown = truth.targets[t].shots[s].shown;
      for (std::size_t i = 0; i < novel.objects.size(); ++i) {
        if (!novel.objects[i].novel || !novel.objects[i].alive) continue;
        Cases cases = observed_cases(state.targets[t].shots[s].motions[i], i == truth.targets[t].object);
        if (cases.none()) cases.set(0);
        for (std::size_t c = 0; c <= 9; ++c) {
          if (!cases.test(c)) continue;
          ++result.by_case[c].count;
          result.by_case[c].shown += std::binary_search(shown.begin(), shown.end(), i);
        }
      }
    }
  }
  return result;
}

}  // namespace

ImpactedCounts& ImpactedCounts::operator+=(const ImpactedCounts& other) {
  all += other.all;
  others += other.others;
  others_lower += other.others_lower;
  others_upper += other.others_upper;
  add(missed, other.missed);
  add(wrong, other.wrong);
  return *this;
}

CaseCounts& CaseCounts::operator+=(const CaseCounts& other) {
  for (std::size_t CaseCounts::*field :
       {&CaseCounts::predicted, &CaseCounts::borne_out, &CaseCounts::moved, &CaseCounts::destroyed,
        &CaseCounts::turned, &CaseCounts::shifted, &CaseCounts::dropped})
    this->*field += other.*field;
  return *this;
}

MotionCounts& MotionCounts::operator+=(const MotionCounts& other) {
  destroyed += other.destroyed;
  turned += other.turned;
  shifted += other.shifted;
  dropped += other.dropped;
  return *this;
}

VerticalCounts& VerticalCounts::operator+=(const VerticalCounts& other) {
  taken_away += other.taken_away;
  all += other.all;
  unprompted += other.unprompted;
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t s = 0; s < 3; ++s) directions[p][s] += other.directions[p][s];
  return *this;
}

TargetCounts& TargetCounts::operator+=(const TargetCounts& other) {
  objects += other.objects;
  trajectories += other.trajectories;
  hit += other.hit;
  return *this;
}

ByMethod<VerticalCounts> validate_vertical_impact(const Scene& normal) {
  ByMethod<VerticalCounts> counts;
  const SupportGraph graph = support_graph(normal);
  const ContactNetwork network = contact_network(normal, graph.geometry);
  Scene tough = normal;
  for (SceneObject& object : tough.objects) object.life = 1e9;
  const std::size_t n = normal.objects.size();
  for (std::size_t taken = 0; taken < n; ++taken) {
    if (!is_movable(normal.objects[taken])) continue;
    Scene without = tough;
    without.objects[taken].alive = false;
    World world(without, {.record_events = true});
    std::vector<int> moved_at(n, -1);
    for (int step = 1; !world.over(); ++step) {
      world.step();
      for (const BodyState& body : world.frame().bodies) {
        const auto i = static_cast<std::size_t>(body.id);
        const Pose& start = normal.objects[i].pose;
        if (moved_at[i] < 0 && (length(body.pose.position - start.position) > fallen_drop ||
                                std::fabs(body.pose.angle - start.angle) > fallen_turn))
          moved_at[i] = step;
      }
    }
    const Scene after = world.scene();
    ByMethod<std::vector<Fall>> falls;
    falls[Method::published] = vertical_impact(normal, graph, taken);
    falls[Method::extended] = unbraced_falls(normal, graph, network, {taken});
    for (Method method : validated_methods) ++counts[method].taken_away;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == taken || !is_movable(normal.objects[i])) continue;
      const SceneObject &before = normal.objects[i], &now = after.objects[i];
      const Vec2 way = transformed(now.shape->centroid, now.pose) -
                       transformed(before.shape->centroid, before.pose);
      const bool fell = !now.alive || -way.y > fallen_drop ||
                        std::fabs(now.pose.angle - before.pose.angle) > fallen_turn;
      const FallDirection seen = way.x < -fallen_aside  ? FallDirection::left
                                 : way.x > fallen_aside ? FallDirection::right
                                                        : FallDirection::down;
      const bool struck = std::any_of(
          world.trace().events.begin(), world.trace().events.end(), [&](const Event& e) {
            if (e.kind != EventKind::contact || e.step > moved_at[i] ||
                (e.a != static_cast<BodyId>(i) && e.b != static_cast<BodyId>(i)))
              return false;
            const BodyId other = e.a == static_cast<BodyId>(i) ? e.b : e.a;
            return other != ground_id && moved_at[static_cast<std::size_t>(other)] >= 0 &&
                   moved_at[static_cast<std::size_t>(other)] <= moved_at[i];
          });
      for (Method method : validated_methods) {
        const auto predicted = std::find_if(falls[method].begin(), falls[method].end(),
                                            [&](const Fall& f) { return f.object == i; });
        const bool said = predicted != falls[method].end();
        counts[method].all.add(said, fell);
        if (said || !fell || !struck) counts[method].unprompted.add(said, fell);
        if (said && fell)
          ++counts[method]
                .directions[static_cast<std::size_t>(predicted->direction)][static_cast<std::size_t>(seen)];
      }
    }
  }
  return counts;
}

std::vector<std::size_t> sweep_targets(const Scene& normal) {
  std::set<std::size_t> reached;
  const auto fly = [&](double angle) {
    std::vector<std::size_t> touched = first_touched(normal, angle);
    reached.insert(touched.begin(), touched.end());
    return touched;
  };
  const auto refine = [&](const auto& self, double low, const std::vector<std::size_t>& at_low, double high,
                          const std::vector<std::size_t>& at_high) -> void {
    if (at_low == at_high || high - low <= finest_sweep_step) return;
    const double middle = 0.5 * (low + high);
    const std::vector<std::size_t> at_middle = fly(middle);
    self(self, low, at_low, middle, at_middle);
    self(self, middle, at_middle, high, at_high);
  };
  const auto sweep = [&](double from) {
    constexpr int steps = 360;  // half a turn
    std::vector<std::size_t> before = fly(from);
    for (int i = 1; i <= steps; ++i) {
      std::vector<std::size_t> now = fly(from + i * sweep_step);
      refine(refine, from + (i - 1) * sweep_step, before, from + i * sweep_step, now);
      before = std::move(now);
    }
  };
  sweep(-std::numbers::pi / 2);
  if (std::any_of(normal.objects.begin(), normal.objects.end(),
                  [&](const SceneObject& o) { return is_movable(o) && o.pose.position.x < normal.rest().x; }))
    sweep(std::numbers::pi / 2);
  return {reached.begin(), reached.end()};
}

LevelValidation validate_level(const Scene& normal, const std::vector<const Novelty*>& novelties,
                               const AimNoise& noise, const GroundedOptions& options) {
  if (normal.birds_left() == 0)
    throw Error("validation: found a level without birds, allowed are levels with at least one");
  require_valid(noise);
  LevelValidation level;
  level.objects = static_cast<std::size_t>(
      std::count_if(normal.objects.begin(), normal.objects.end(), is_movable));
  const std::vector<std::size_t> order = geometric_order(normal);
  FlownStates states(reordered(normal, order), options.least);
  const auto first = states.first();
  const SupportGraph graph = support_graph(first->scene);
  const ReasonedScene reasoned(first->scene, graph);
  count_hits(level, *first, reasoned, options.least);
  level.vertical = validate_vertical_impact(first->scene);
  level.targets = validate_targets(*first);
  std::vector<NoisyDifficulty> noisy = noisy_difficulties(normal, novelties, noise, options);
  for (std::size_t k = 0; k < novelties.size(); ++k) {
    level.novelties.push_back(validate_novelty(states, reasoned, reordered(*novelties[k], order), options));
    level.novelties.back().noisy = std::move(noisy[k]);
  }
  for (Method method : validated_methods) {
    std::optional<Disagreement>& worst = level.hits[method].worst;
    if (!worst) continue;
    worst->target = order[worst->target];
    for (auto* objects : {&worst->predicted, &worst->missed})
      for (std::size_t& object : *objects) object = order[object];
  }
  return level;
}

}  // namespace startle
