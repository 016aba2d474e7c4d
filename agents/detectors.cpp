#include "agents/detectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "agents/game.hpp"
#include "core/error.hpp"
#include "core/math.hpp"
#include "simulated/observer.hpp"
#include "simulated/played_level.hpp"
#include "statistics/sequential_evidence.hpp"
#include "surprise/dynamics/dynamics_model.hpp"

namespace startle {
namespace {

/// Moving average of one object's error.
class Average {
 public:
  double add(double error) {
    last_[next_++ % averaged_frames] = error;
    double sum = 0;
    for (double e : last_) sum += e;
    return sum / averaged_frames;
  }

 private:
  std::array<double, averaged_frames> last_{};
  std::size_t next_ = 0;
};

using Places = std::map<int, Vec2>;

/// Where objects are; birds left out.
Places places(const SeenFrame& frame, int first_bird) {
  Places at;
  for (const SeenBody& body : frame.bodies)
    if (body.id < first_bird) at.emplace(body.id, body.pose.position);
  return at;
}

std::optional<Vec2> place(const Places& at, int id) {
  const auto found = at.find(id);
  if (found == at.end()) return std::nullopt;
  return found->second;
}

/// 0.5 at the threshold, 0 without error, towards 1 as it grows.
double likelihood_of(double error, double threshold) { return error / (error + threshold); }

class Constant : public Detector {
 public:
  explicit Constant(double value) : value_(value) {}
  double likelihood(const SeenShot&, const Expectation&, const ObservationSource&, Random&) override {
    return value_;
  }

 private:
  double value_;
};

class Chance : public Detector {
 public:
  double likelihood(const SeenShot&, const Expectation&, const ObservationSource&, Random& random) override {
    return random.uniform();
  }
};

class ConstantVelocity : public Detector {
 public:
  double likelihood(const SeenShot& seen, const Expectation&, const ObservationSource&, Random&) override {
    return likelihood_of(constant_velocity_error(seen), threshold);
  }

 private:
  /// 95th percentile of the largest error of 112 normal trials:
  /// startle agents run --agent pig-shooter+constant-velocity --levels levels/data --novelty T1 --trials 2
  /// --out FILE
  static constexpr double threshold = 0.67;  // world units
};

class Simulation : public Detector {
 public:
  bool compares() const override { return true; }
  double likelihood(const SeenShot& seen, const Expectation& expected, const ObservationSource&,
                    Random&) override {
    largest_ = std::max(largest_, simulation_error(seen, expected.frames));
    return likelihood_of(largest_, threshold);
  }

 private:
  /// What is visible by simulated/twin.hpp. In the normal world the error is 0, so that the threshold costs
  /// no false alarm.
  static constexpr double threshold = 0.1;  // world units
  double largest_ = 0;                      ///< of the trial: what was seen once stays seen
};

class ReferenceObserver : public ShotsTest {
  bool compares() const override { return true; }
  /// The shot flew exactly as the agent meant it, so the observer is told a launch that is off by aim noise.
  /// It draws new shots to compare with each time: p-values that shared them would not be independent.
  double shot_p(const SeenShot& seen, const Expectation& expected, const ObservationSource&,
                Random& random) override {
    const Scene& before = expected.before;
    const Trace trace = trace_of(seen, before);
    ObserverOptions options = PlayOptions{}.observer;
    options.seed = stream_seed(random.next(), "detector observer");
    const Shot announced = announced_off(seen.shot, options.aim_noise, options.seed, 0);
    const ShotRank found = Observer(before, announced, {.stride = trace.record_every}, options).rank(trace);
    return (found.rank - random.uniform()) / found.of;  // uniform, where that of a rank is on steps
  }
};

/// One a family of normal levels: the largest p-value of them is valid in each family.
std::vector<CalibratedScores> calibrated_families(const DynamicsModel& model) {
  if (model.normal_levels.empty())
    throw Error("detector dynamics: the model has no normal levels; startle dynamics calibrate plays them");
  std::vector<CalibratedScores> families;
  for (const auto& [family, evidence] : model.normal_levels)
    families.emplace_back(evidence,
                          1 - (1 - calibration_confidence) / static_cast<double>(model.normal_levels.size()));
  return families;
}

class DynamicsDetector : public TrialTest {
  bool compares() const override { return true; }
  void begin_level(std::size_t) override {
    evidence_ = {};
    largest_ = -math::infinity;
  }
  double level_p(const SeenShot& seen, const Expectation& expected, const ObservationSource&,
                 Random&) override {
    const Trace trace = trace_of(seen, expected.before);
    const DynamicsModel& model = shipped_dynamics(trace.record_every);
    static const std::vector<CalibratedScores> families = calibrated_families(model);
    largest_ = std::max(largest_, evidence_.add(detect(model, expected.before, trace).p_values));
    double p = 0;
    for (const CalibratedScores& family : families) p = std::max(p, family.p(largest_));
    return p;
  }
  SequentialEvidence evidence_;
  double largest_ = 0;
};

}  // namespace

double simulation_error(const SeenShot& seen, const std::vector<SeenFrame>& expected) {
  if (seen.frames.empty() || expected.empty()) return 0;
  std::map<int, Average> averages;
  double largest = 0;
  for (std::size_t f = 0; f < std::max(seen.frames.size(), expected.size()); ++f) {
    const Places now = places(seen.frames[std::min(f, seen.frames.size() - 1)], seen.first_bird);
    const Places wanted = places(expected[std::min(f, expected.size() - 1)], seen.first_bird);
    for (const SeenObject& object : seen.before.objects) {
      const auto a = place(now, object.id), b = place(wanted, object.id);
      if (!a && !b) continue;
      largest = std::max(largest, averages[object.id].add(a && b ? length(*a - *b) : gone_error));
    }
  }
  return largest;
}

double constant_velocity_error(const SeenShot& seen) {
  std::map<int, Average> averages;
  double largest = 0;
  Places before, last;
  for (const SeenFrame& frame : seen.frames) {
    Places now = places(frame, seen.first_bird);
    for (const auto& [id, at] : now) {
      const auto a = place(before, id), b = place(last, id);
      if (a && b) largest = std::max(largest, averages[id].add(length(at - (2 * *b - *a))));
    }
    before = std::move(last);
    last = std::move(now);
  }
  return largest;
}

void TrialTest::begin(const Briefing& briefing) {
  trial_ = LevelsTest(static_cast<std::size_t>(briefing.levels));
  level_ = 0;
}

double TrialTest::likelihood(const SeenShot& seen, const Expectation& expected,
                             const ObservationSource& source, Random& random) {
  if (seen.before.level != level_) {
    level_ = seen.before.level;
    begin_level(seen.before.birds.size());
  }
  return trial_.likelihood(level_, level_p(seen, expected, source, random));
}

Trace trace_of(const SeenShot& seen, const Scene& before) {
  std::map<int, BodyId> objects;
  for (const SeenObject& object : seen.before.objects)
    objects.emplace(object.id, static_cast<BodyId>(objects.size()));
  Trace trace{.step_s = before.profile->step,
              .record_every = steps_a_frame(*before.profile),
              .frames = {},
              .events = {}};
  for (const SeenFrame& frame : seen.frames) {
    Frame& copy = trace.frames.emplace_back();
    copy.step = static_cast<int>(trace.frames.size() - 1) * trace.record_every;
    for (const SeenBody& body : frame.bodies) {
      const bool bird = body.id >= seen.first_bird;
      copy.bodies.push_back(
          {.id = bird ? static_cast<BodyId>(objects.size()) + body.id - seen.first_bird : objects.at(body.id),
           .pose = body.pose});
    }
    std::sort(copy.bodies.begin(), copy.bodies.end(),
              [](const BodyState& a, const BodyState& b) { return a.id < b.id; });
  }
  return trace;
}

const std::vector<DetectorInfo>& detectors() {
  static const std::vector<DetectorInfo> all{
      {"never", "reports 0", [] { return std::unique_ptr<Detector>(new Constant(0)); }, false},
      {"always", "reports 1", [] { return std::unique_ptr<Detector>(new Constant(1)); }, false},
      {"chance", "reports a random number", [] { return std::unique_ptr<Detector>(new Chance); }, false},
      {"constant-velocity",
       "moving-average error of object positions against constant velocity; knows no physics",
       [] { return std::unique_ptr<Detector>(new ConstantVelocity); }},
      {"simulation",
       "moving-average error of object positions against its own simulation of the normal world; knows that "
       "world exactly",
       [] { return std::unique_ptr<Detector>(new Simulation); }},
      {"observer",
       "p-values of the shots among normal shots launched nearly alike, added up; the reference observer",
       [] { return std::unique_ptr<Detector>(new ReferenceObserver); }},
      {"dynamics",
       "evidence of the dynamics model of what single bodies do, ranked among normal levels; knows no "
       "parameter and simulates nothing",
       [] { return std::unique_ptr<Detector>(new DynamicsDetector); }},
  };
  return all;
}

}  // namespace startle
