#include "agents/normal_levels.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "agents/built_in.hpp"
#include "agents/detectors.hpp"
#include "agents/game.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "levels/generators.hpp"
#include "sim/world.hpp"
#include "statistics/sequential_evidence.hpp"

namespace startle {
namespace {

/// Keeps the largest evidence of a level.
class EvidenceKeeper : public Detector {
 public:
  EvidenceKeeper(const DynamicsModel& model, std::optional<double>& largest)
      : model_(model), largest_(largest) {}
  bool compares() const override { return true; }
  double likelihood(const SeenShot& seen, const Expectation& expected, const ObservationSource&,
                    Random&) override {
    const double evidence = evidence_.add(
        detect(model_, expected.before, trace_of(seen, expected.before)).p_values);
    largest_ = largest_ ? std::max(*largest_, evidence) : evidence;
    return 0;
  }

 private:
  const DynamicsModel& model_;
  std::optional<double>& largest_;
  SequentialEvidence evidence_;
};

}  // namespace

std::map<std::string, std::vector<double>> play_normal_levels(const DynamicsModel& model,
                                                              const NormalLevels& levels,
                                                              std::shared_ptr<const Profile> profile,
                                                              const std::function<void()>& progress,
                                                              const std::function<bool()>& keep_going) {
  if (model.training.stride != steps_a_frame(*profile))
    throw Error("normal levels: stride: found a model of frames every " +
                std::to_string(model.training.stride) + " steps, needed is one of every " +
                std::to_string(steps_a_frame(*profile)) + ", which agents are shown");
  if (levels.count == 0) throw Error("normal levels: count: found 0, needed is at least 1");
  const std::vector<GeneratorInfo>& families = generator_families();
  std::vector<std::optional<double>> largest(families.size() * levels.count);
  std::mutex mutex;
  parallel_for(largest.size(), levels.threads, [&](std::size_t i) {
    if (keep_going && !keep_going()) return;
    const GeneratorInfo& family = families[i / levels.count];
    const std::uint64_t number = i % levels.count;
    const Level level = generate_level(family, stream_seed(levels.seed, "normal levels"), number, profile);
    const auto agent = make_agent("best-target", std::make_unique<EvidenceKeeper>(model, largest[i]),
                                  profile);
    Game game(taken_at_rest(settle(make_scene(level, profile))));
    agent->begin({.seed = stream_seed(levels.seed, family.name, number) >> 11, .levels = 1});
    while (!game.over()) {
      const SeenShot& seen = game.shoot(agent->act(game));
      agent->report(seen, game);
    }
    const std::lock_guard<std::mutex> lock(mutex);
    if (progress) progress();
  });
  std::map<std::string, std::vector<double>> found;
  for (std::size_t i = 0; i < largest.size(); ++i)
    if (largest[i]) found[families[i / levels.count].name].push_back(*largest[i]);
  for (auto& [family, evidence] : found) {
    // Four digits are enough for a file. Rounded up, they give no smaller p-value.
    for (double& one : evidence) one = std::ceil(one * 1e4) / 1e4;
    std::sort(evidence.begin(), evidence.end());
  }
  return found;
}

}  // namespace startle
