#include "play/level_check.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "levels/verify.hpp"
#include "reasoning/qualitative/stability.hpp"
#include "sim/placement.hpp"

namespace startle {

void find_out(const StoredLevel& level, std::shared_ptr<const Profile> profile,
              const std::function<bool()>& keep_going,
              const std::function<void(const LevelFindings&)>& report) {
  using Phase = LevelFindings::Phase;
  const VerificationOptions allowed;
  LevelFindings findings;
  LevelProblems problems = validate(level, *profile);
  findings.errors = std::move(problems.errors);
  findings.warnings = std::move(problems.warnings);
  for (const std::string& dropped : problems.dropped)
    findings.warnings.push_back(dropped + " is not simulated");
  findings.phase = Phase::done;
  if (!findings.errors.empty()) return report(findings);
  const Scene drawn = make_scene(level, profile);
  std::vector<Shape> shapes;
  std::vector<Bounds> boxes;
  for (const SceneObject& object : drawn.objects) {
    shapes.push_back(object.world_shape());
    boxes.push_back(bounds(shapes.back()));
  }
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = i + 1; j < shapes.size(); ++j) {
      if (boxes[i].xmax < boxes[j].xmin || boxes[j].xmax < boxes[i].xmin || boxes[i].ymax < boxes[j].ymin ||
          boxes[j].ymax < boxes[i].ymin)
        continue;
      if (drawn.objects[i].is_static() && drawn.objects[j].is_static()) continue;
      if (overlap_depth(shapes[i], shapes[j]) > overlap_tolerance) findings.overlaps.emplace_back(i, j);
    }
  if (!keep_going()) return;
  findings.phase = Phase::settling;
  report(findings);

  findings.reasoned_stable = stable(drawn);
  try {
    findings.settled = settle_scene(drawn, allowed.settle_seconds);
  } catch (const Error& error) {
    findings.errors.emplace_back(error.what());
    findings.phase = Phase::done;
    return report(findings);
  }
  for (std::size_t i = 0; i < drawn.objects.size(); ++i) {
    const SceneObject &before = drawn.objects[i], &after = findings.settled.scene.objects[i];
    if (!after.alive || length(after.pose.position - before.pose.position) > allowed.settle_shift ||
        std::fabs(after.pose.angle - before.pose.angle) > allowed.settle_turn)
      findings.moved.push_back(i);
  }
  findings.stands = findings.settled.settled && findings.moved.empty();
  if (!keep_going()) return;
  findings.playable = !level.birds.empty() && findings.settled.scene.pigs_left() > 0;
  findings.phase = findings.playable ? Phase::solving : Phase::done;
  report(findings);
  if (!findings.playable) return;

  // From where play starts, which lets it settle for longer.
  const Scene start = findings.settled.settled ? findings.settled.scene : settle(drawn);
  findings.solution = solve(start, {}, keep_going);
  if (!keep_going()) return;
  findings.solvable = findings.solution.solved;
  findings.phase = Phase::done;
  report(findings);
}

StoredLevel with_solution(StoredLevel level, const LevelFindings& findings, const Profile& profile) {
  // One that came with the level holds as long as the level was not changed; changing it takes the solution
  // away.
  if (level.provenance || !findings.verified()) return level;
  level.provenance.emplace();
  level.provenance->family = "edited";
  level.provenance->profile = profile.name;
  level.provenance->settle_shift = findings.settled.shift;
  level.provenance->solution = findings.solution.shots;
  return level;
}

std::string summary(const LevelFindings& findings) {
  using Phase = LevelFindings::Phase;
  if (!findings.errors.empty()) return "cannot be used";
  if (findings.phase == Phase::placing || findings.phase == Phase::settling) return "checking";
  std::string text = !findings.overlaps.empty() ? "objects overlap"
                     : findings.stands          ? "stands"
                                                : "does not stand";
  if (findings.phase == Phase::solving) return text + ", looking for a solution";
  if (findings.solvable) {
    const std::size_t birds = findings.solution.shots.size();
    return text + ", can be cleared with " + std::to_string(birds) + (birds == 1 ? " bird" : " birds");
  }
  return text + (findings.playable ? ", no solution found" : ", no pigs or no birds");
}

LevelChecker::LevelChecker(std::shared_ptr<const Profile> profile)
    : profile_(std::move(profile)), thread_([this] { work(); }) {}

LevelChecker::~LevelChecker() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    ++asked_;
  }
  wake_.notify_one();
  thread_.join();
}

void LevelChecker::check(const StoredLevel& level) {
  const std::lock_guard lock(mutex_);
  ++asked_;
  next_ = level;
  new_.reset();
  wake_.notify_one();
}

bool LevelChecker::update(LevelFindings& findings) {
  const std::lock_guard lock(mutex_);
  if (!new_) return false;
  findings = std::move(*new_);
  new_.reset();
  return true;
}

void LevelChecker::work() {
  for (;;) {
    StoredLevel level;
    std::uint64_t number = 0;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || next_; });
      if (stop_) return;
      level = std::move(*next_);
      next_.reset();
      number = asked_;
    }
    const auto current = [&] { return asked_ == number; };
    const auto report = [&](const LevelFindings& findings) {
      const std::lock_guard lock(mutex_);
      if (current()) new_ = findings;
    };
    try {
      find_out(level, profile_, current, report);
    } catch (const std::exception& error) {
      LevelFindings findings;
      findings.phase = LevelFindings::Phase::done;
      findings.errors = {error.what()};
      report(findings);
    }
  }
}

}  // namespace startle
