#include "play/twin_flight.hpp"

#include <algorithm>

#include "difficulty/difficulty.hpp"
#include "sim/world.hpp"

namespace startle {
namespace {

const std::vector<BodyState>& bodies_after(const Trace& trace, int step) {
  return trace.frames[std::min(static_cast<std::size_t>(step), trace.frames.size() - 1)].bodies;
}

}  // namespace

int TwinFlight::first_apart() const {
  int first = -1;
  for (const int since : apart_since)
    if (since >= 0 && (first < 0 || since < first)) first = since;
  return first;
}

std::vector<std::size_t> TwinFlight::apart_at(int step, const VisibleDifference& least) const {
  const std::vector<BodyState>&a = bodies_after(normal_trace, step), &b = bodies_after(novel_trace, step);
  std::vector<std::size_t> apart;
  auto x = a.begin(), y = b.begin();  // in order of id; objects come before birds
  for (std::size_t i = 0; i < normal.objects.size(); ++i) {
    while (x != a.end() && static_cast<std::size_t>(x->id) < i) ++x;
    while (y != b.end() && static_cast<std::size_t>(y->id) < i) ++y;
    const bool in_a = x != a.end() && static_cast<std::size_t>(x->id) == i,
               in_b = y != b.end() && static_cast<std::size_t>(y->id) == i;
    if (in_a != in_b || (in_a && visibly_apart(x->pose, y->pose, least))) apart.push_back(i);
  }
  return apart;
}

TwinFlight fly_twins(const Scene& normal, const Novelty& novelty, const Shot& shot,
                     const VisibleDifference& least) {
  constexpr WorldOptions recording{.record_every = 1, .record_events = true};
  TwinFlight flight{.normal = normal,
                    .novel = novel_twin(normal, novelty),
                    .shot = shot,
                    .normal_trace = {},
                    .novel_trace = {},
                    .apart_since = {}};
  flight.normal_trace = run_shot(flight.normal, shot, recording).trace;
  flight.novel_trace = run_shot(flight.novel, shot, recording).trace;
  flight.apart_since.assign(normal.objects.size(), -1);
  std::vector<int> held(normal.objects.size(), 0);
  for (int step = 0; step <= flight.steps(); ++step) {
    std::vector<char> apart(normal.objects.size(), 0);
    for (const std::size_t object : flight.apart_at(step, least)) apart[object] = 1;
    for (std::size_t i = 0; i < apart.size(); ++i) {
      held[i] = apart[i] ? held[i] + 1 : 0;
      const bool long_enough = held[i] >= least.hold_steps || (step == flight.steps() && held[i] > 0);
      if (long_enough && flight.apart_since[i] < 0) flight.apart_since[i] = step - held[i] + 1;
    }
  }
  return flight;
}

const Novelty* first_with_effect(const Scene& normal) {
  for (const Novelty& novelty : novelty_catalogue()) {
    Scene novel = normal;
    apply(novelty, novel);
    if (anything_novel(novel)) return &novelty;
  }
  return nullptr;
}

Shot revealing_shot(const Scene& normal, const Novelty& novelty) {
  const Difficulty difficulty = compute_difficulty(normal, novelty);
  if (difficulty.interactions.empty() || !difficulty.interactions.front().best) return {.angle = radians(30)};
  const Interaction& next = difficulty.interactions.front();
  const TargetOutcome* chosen = &next.targets[*next.best];
  if (chosen->detectable.empty()) {
    const auto shows = std::find_if(next.targets.begin(), next.targets.end(),
                                    [](const TargetOutcome& o) { return !o.detectable.empty(); });
    if (shows != next.targets.end()) chosen = &*shows;
  }
  return chosen->target.trajectories.front().shot;
}

}  // namespace startle
