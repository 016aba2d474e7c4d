#include "agents/detectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "agents/game.hpp"
#include "detection/dynamics_model.hpp"
#include "simulated/observer.hpp"
#include "statistics/sequential_evidence.hpp"

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

/// p-values of shots, added up.
class ShotEvidence : public Detector {
 public:
  bool compares() const override { return true; }
  double likelihood(const SeenShot& seen, const Expectation& expected, const ObservationSource&,
                    Random& random) final {
    return likelihood_of_evidence(evidence_.add(p_values(seen, expected.before, random)));
  }

 private:
  virtual std::vector<double> p_values(const SeenShot& seen, const Scene& before, Random& random) = 0;
  SequentialEvidence evidence_;
};

class ReferenceObserver : public ShotEvidence {
  /// The shot flew just as the agent meant it. So the observer is given it off by aim noise, and other shots
  /// to compare with each time: p-values of shots that shared theirs would not be independent.
  std::vector<double> p_values(const SeenShot& seen, const Scene& before, Random& random) override {
    const Trace trace = trace_of(seen, before);
    const ObserverOptions options{.seed = stream_seed(random.next(), "detector observer")};
    const Shot announced = announced_off(seen.shot, options.aim_noise, options.seed, 0);
    return {Observer(before, announced, {.stride = trace.record_every}, options).detect(trace).p};
  }
};

class DynamicsDetector : public ShotEvidence {
  std::vector<double> p_values(const SeenShot& seen, const Scene& before, Random&) override {
    const Trace trace = trace_of(seen, before);
    return detect(shipped_dynamics(trace.record_every), before, trace).p_values;
  }
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
      {"never", "reports 0", [] { return std::unique_ptr<Detector>(new Constant(0)); }},
      {"always", "reports 1", [] { return std::unique_ptr<Detector>(new Constant(1)); }},
      {"chance", "reports a random number", [] { return std::unique_ptr<Detector>(new Chance); }},
      {"constant-velocity",
       "moving-average error of object positions against constant velocity; knows no physics",
       [] { return std::unique_ptr<Detector>(new ConstantVelocity); }},
      {"simulation",
       "moving-average error of object positions against its own simulation of the normal world; knows that "
       "world exactly",
       [] { return std::unique_ptr<Detector>(new Simulation); }},
      {"observer",
       "evidence of p-values of the shots among normal shots launched nearly alike; the reference observer",
       [] { return std::unique_ptr<Detector>(new ReferenceObserver); }},
      {"dynamics",
       "evidence of p-values by the dynamics model of what single bodies do; knows no parameter and "
       "simulates nothing",
       [] { return std::unique_ptr<Detector>(new DynamicsDetector); }},
  };
  return all;
}

}  // namespace startle
