#include "play/game_session.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

constexpr WorldOptions recording{.record_every = 1, .record_events = true};

Scene first_scene(const Level& level, std::shared_ptr<const Profile> profile, const Novelty* novelty) {
  const LevelProblems problems = validate(level, *profile);
  if (!problems.errors.empty()) throw Error(level.name + ": " + problems.errors.front());
  const Scene normal = settle(make_scene(level, std::move(profile)));
  return novelty == nullptr ? normal : novel_twin(normal, *novelty);
}

}  // namespace

GameSession::GameSession(const Level& level, std::shared_ptr<const Profile> profile, const Novelty* novelty)
    : start_(first_scene(level, std::move(profile), novelty)) {}

GameSession::GameSession(Scene start) : start_(std::move(start)) {}
GameSession::GameSession(Scene start, std::vector<FlownShot> shots)
    : start_(std::move(start)), shots_(std::move(shots)) {}
GameSession::~GameSession() = default;
GameSession::GameSession(GameSession&&) noexcept = default;
GameSession& GameSession::operator=(GameSession&&) noexcept = default;

const Scene& GameSession::scene() const {
  if (shots_.empty()) return start_;
  return shots_.back().complete ? shots_.back().after : shots_.back().before;
}

bool GameSession::over() const { return !simulating() && (scene().cleared() || scene().birds_left() == 0); }

double GameSession::score() const {
  const Scene& now = scene();
  double score = now.score;
  if (simulating()) score += shots_.back().trace.score;
  if (cleared()) score += now.profile->score_unused_bird * static_cast<double>(now.birds_left());
  return score;
}

void GameSession::shoot(const Shot& shot) {
  if (simulating()) throw Error("shoot: the last shot is not over");
  if (scene().cleared()) throw Error("shoot: no pig is left");
  auto world = std::make_unique<World>(scene(), recording);
  world->launch(shot);
  world_ = std::move(world);
  shots_.push_back({.before = scene(), .shot = shot});
  simulate(1);
}

void GameSession::record_step() {
  FlownShot& shot = shots_.back();
  const Trace& trace = world_->trace();
  while (shot.scores.size() < trace.frames.size())
    shot.scores.push_back(shot.scores.empty() ? 0 : trace.score);
  // Frames and events are only ever added; the rest of a trace is small.
  for (std::size_t i = shot.trace.frames.size(); i < trace.frames.size(); ++i)
    shot.trace.frames.push_back(trace.frames[i]);
  for (std::size_t i = shot.trace.events.size(); i < trace.events.size(); ++i)
    shot.trace.events.push_back(trace.events[i]);
  shot.trace.step_s = trace.step_s;
  shot.trace.record_every = trace.record_every;
  shot.trace.steps = trace.steps;
  shot.trace.end = trace.end;
  shot.trace.pigs_killed = trace.pigs_killed;
  shot.trace.blocks_destroyed = trace.blocks_destroyed;
  shot.trace.score = trace.score;
  shot.trace.hash = trace.hash;
  if (!world_->over()) return;
  shot.after = world_->scene();
  shot.complete = true;
  world_.reset();
}

void GameSession::simulate(int steps) {
  for (int i = 0; i < steps && simulating(); ++i) {
    world_->step();
    record_step();
  }
}

void GameSession::finish() {
  while (simulating()) simulate(1);
}

bool GameSession::tap(int step) {
  if (shots_.empty() || step < 0 || step > shots_.back().trace.steps) return false;
  FlownShot& last = shots_.back();
  if (last.shot.tap_time >= 0) return false;
  Shot tapped = last.shot;
  tapped.tap_time = std::round(step * last.before.profile->step * 1e9) / 1e9;  // as it is written down
  auto world = std::make_unique<World>(last.before, recording);
  world->launch(tapped);
  // One step further: the power is used at the start of the next one.
  while (!world->over() && world->trace().steps <= step) world->step();
  bool used = false;
  for (const Event& event : world->trace().events) used = used || event.kind == EventKind::tap;
  if (!used) return false;
  world_ = std::move(world);
  // Scores up to the tap are those of the shot without it, which was the same.
  last.scores.resize(std::min(last.scores.size(), static_cast<std::size_t>(step) + 1));
  last.shot = tapped;
  last.trace = {};
  last.complete = false;
  record_step();
  return true;
}

bool GameSession::undo() {
  if (shots_.empty()) return false;
  shots_.pop_back();
  world_.reset();
  return true;
}

void GameSession::restart() {
  shots_.clear();
  world_.reset();
}

}  // namespace startle
