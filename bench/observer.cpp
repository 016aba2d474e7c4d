/// \file  How well the reference observer is calibrated, and what it detects (docs/observer.md).
///
/// Usage: bench_observer alarms LEVELS SEED [WORLDS]
///            normal shots at random targets of LEVELS generated levels of each family: share with p <= 0.05
///        bench_observer early LEVELS SEED
///            shots at random targets in the normal and in a novel world: what Observer::detects() answers
///            and flies beside Observer::detect()
///        bench_observer agents SHOTS SEED [SHOOTER]
///            normal shots of a built-in agent, at generated levels in turn, as its detector `observer`
///            tests them: p-values per tenth, and a test that they are uniform
///        bench_observer power whole|clip LIMIT FOLDER...
///            best shots at the levels of each folder, with the novelty that each level stores, one launch
///            each in both worlds, LIMIT levels a folder (0: all): share detected by p and by its two parts,
///            false alarms, paired accuracy, and detection in sequences of shots
#include "simulated/observer.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "agents/detectors.hpp"
#include "agents/game.hpp"
#include "agents/shooters.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "difficulty/difficulty.hpp"
#include "levels/generators.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"
#include "statistics/false_alarms.hpp"
#include "statistics/intervals.hpp"
#include "statistics/kolmogorov_smirnov.hpp"
#include "statistics/sequential_evidence.hpp"

using namespace startle;

namespace {

constexpr double alpha = 0.05 + 1e-9;
constexpr double aim_noise = 0.01;

struct P {
  double p = 1, outcome = 1, motion = 1;
};
P p_of(const ShotTest& j) { return {j.p, j.p_outcome, j.p_motion}; }

void print_rate(const char* what, const Rate& rate) {
  std::printf("%s%zu/%zu = %.3f (%.3f to %.3f)", what, rate.hits, rate.count, rate.value().value_or(0),
              rate.interval().low, rate.interval().high);
}

Rate share(const std::vector<P>& all, double P::*part) {
  Rate rate{0, all.size()};
  for (const P& one : all) rate.hits += one.*part <= alpha;
  return rate;
}

void print_parts(const char* what, const std::vector<P>& all) {
  print_rate(what, share(all, &P::p));
  print_rate("  outcome ", share(all, &P::outcome));
  print_rate("  motion ", share(all, &P::motion));
  std::printf("\n");
}

int alarms(std::size_t levels, std::uint64_t seed, int worlds) {
  std::vector<P> everywhere;
  for (const GeneratorInfo& family : generator_families()) {
    std::vector<std::vector<P>> found(levels);
    parallel_for(levels, 0, [&](std::size_t i) {
      const Scene normal = settle(make_scene(generate_level(family, seed, i, profile()), profile()));
      Random random(stream_seed(seed, "alarms/" + family.name, i));
      const std::vector<Target> targets = find_targets(normal, normal.profile->bird(normal.birds[0]),
                                                       blocking_relation(normal));
      if (targets.empty()) return;
      const Shot announced = random.choice(random.choice(targets).trajectories).shot;
      Shot shot = announced;
      shot.angle += aim_perturbation(aim_noise, stream_seed(seed, family.name), i);
      Observer observer(normal, announced, {}, {.simulations = worlds, .seed = seed});
      found[i].push_back(
          p_of(observer.detect(run_shot(normal, shot, {.record_every = observer.record_every()}).trace)));
    });
    std::vector<P> all;
    for (const auto& one : found) all.insert(all.end(), one.begin(), one.end());
    print_parts((family.name + "  ").c_str(), all);
    std::fflush(stdout);
    everywhere.insert(everywhere.end(), all.begin(), all.end());
  }
  print_parts("all  ", everywhere);
  return 0;
}

/// Observer::detects() beside detect().p: what they answer and cost.
int early(std::size_t levels, std::uint64_t seed) {
  struct Launch {
    bool novel, whole, early;
  };
  struct Both {
    std::vector<Launch> launches;
    std::size_t whole = 0, early = 0;  ///< simulations
  };
  const std::vector<Novelty>& novelties = novelty_catalogue();
  std::vector<Both> found(levels);
  parallel_for(levels, 0, [&](std::size_t i) {
    const GeneratorInfo& family = generator_families()[i % generator_families().size()];
    const Scene normal = settle(make_scene(generate_level(family, seed, i, profile()), profile()));
    Random random(stream_seed(seed, "early", i));
    const Scene novel = novel_twin(normal, random.choice(novelties));
    const std::vector<Target> targets = find_targets(normal, normal.bird(), blocking_relation(normal));
    if (targets.empty() || !anything_novel(novel)) return;
    const Shot announced = random.choice(random.choice(targets).trajectories).shot;
    Shot shot = announced;
    shot.angle += aim_perturbation(aim_noise, stream_seed(seed, "early/aim"), i);
    Observer whole(normal, announced, {}, {.seed = seed}), early(normal, announced, {}, {.seed = seed});
    for (const Scene* world : {&normal, &novel}) {
      const Trace trace = run_shot(*world, shot, {.record_every = whole.record_every()}).trace;
      found[i].launches.push_back(
          {world == &novel, whole.detect(trace).p <= detection_p + 1e-12, early.detects(trace)});
    }
    found[i].whole = whole.simulations();
    found[i].early = early.simulations();
  });
  int shots = 0, other = 0, detected[2][2] = {};
  std::size_t whole = 0, fewer = 0;
  for (const Both& both : found) {
    whole += both.whole;
    fewer += both.early;
    for (const Launch& launch : both.launches) {
      ++shots;
      other += launch.whole != launch.early;
      detected[launch.novel][0] += launch.whole;
      detected[launch.novel][1] += launch.early;
    }
  }
  std::printf("shots in either world %d, answers that differ %d\n", shots / 2, other);
  std::printf("detected %d, early %d; false alarms %d, early %d\n", detected[1][0], detected[1][1],
              detected[0][0], detected[0][1]);
  std::printf("simulations %zu, early %zu: %.3f\n", whole, fewer,
              static_cast<double>(fewer) / static_cast<double>(whole));
  return 0;
}

int agents(std::size_t shots, std::uint64_t seed, const std::string& shooter_name) {
  const auto named = [](const auto& all, const std::string& name) {
    return std::find_if(all.begin(), all.end(), [&](const auto& info) { return info.name == name; });
  };
  const auto shooter = named(shooters(), shooter_name);
  if (shooter == shooters().end()) throw Error("no shooter is called " + shooter_name);
  const auto detector = named(detectors(), "observer");
  const std::size_t levels = shots;  // at least one shot each
  struct Found {
    double p;
    int shot;
  };
  std::vector<std::vector<Found>> found(levels);
  std::atomic<std::size_t> detections = 0;
  parallel_for(levels, 0, [&](std::size_t i) {
    if (detections >= shots) return;
    const GeneratorInfo& family = generator_families()[i % generator_families().size()];
    Game game(settle(make_scene(generate_level(family, seed, i, profile()), profile())));
    NormalWorld world(profile());
    Random aim(stream_seed(seed, "agents/aim", i)), alarm(stream_seed(seed, "agents/alarm", i));
    const auto shooting = shooter->make();
    for (int shot = 1; !game.over(); ++shot) {
      SeenShot seen = game.shoot(shooting->shoot(game.now(), world, aim));
      Expectation expected{.before = world.imagine(seen.before), .frames = {}};
      expected.frames = world.follow(seen);
      seen.before.birds.resize(1);  // tested as a trial of its own
      found[i].push_back({p_of_likelihood(detector->make()->likelihood(seen, expected, game, alarm)), shot});
      ++detections;
    }
  });
  std::array<std::size_t, 10> tenths{};
  std::vector<double> whole, first;  // the detector has spread p over the step of its rank
  Rate alarmed;
  for (const auto& level : found)
    for (const Found& one : level) {
      if (whole.size() == shots) break;
      ++tenths[std::min<std::size_t>(9, static_cast<std::size_t>(10 * one.p))];
      whole.push_back(one.p);
      if (one.shot == 1) first.push_back(one.p);
      alarmed.hits += one.p <= alpha;
      ++alarmed.count;
    }
  std::printf("p per tenth, of %zu shots:", whole.size());
  for (const std::size_t count : tenths) std::printf(" %zu", count);
  const auto uniform = [](const std::vector<double>& sample) {
    return ks_one_sample(sample, [](double p) { return std::clamp(p, 0.0, 1.0); });
  };
  const KolmogorovSmirnov all = uniform(whole), of_first = uniform(first);
  std::printf("\nuniform? D %.3f, p %.2g; first shots alone (%zu) D %.3f, p %.2g\n", all.statistic, all.p,
              first.size(), of_first.statistic, of_first.p);
  print_rate("p <= 0.05: ", alarmed);
  std::printf("\n");
  return 0;
}

/// The clip of a shot, as surprise/clip.hpp cuts it around the bird's first contact with an object.
std::optional<Viewing> clip_viewing(const Scene& scene, const Shot& shot) {
  const auto objects = static_cast<BodyId>(scene.objects.size());
  const Trace trace = run_shot(scene, shot, {.record_events = true}).trace;
  for (const Event& e : trace.events) {
    if (e.kind != EventKind::contact || e.b < objects || e.a < 0 || e.a >= objects) continue;
    const double width = 4.6, x = e.position.x + (e.position.x >= scene.rest().x ? 1 : -1) * 0.15 * width,
                 y = std::max(scene.profile->ground_y + 0.42 * width, e.position.y - 0.15 * width);
    return Viewing{.first_step = std::max(0, e.step - 12),
                   .stride = 6,
                   .frames = 15,
                   .window = Bounds{x - width / 2, x + width / 2, y - width / 2, y + width / 2}};
  }
  return std::nullopt;
}

/// Share of sequences of 30 normal and then 30 novel shots in which the CUSUM of log(density of p in novel
/// worlds) passes its threshold among the latter, and not before. The threshold is passed in 2 % of sequences
/// of 60 normal shots.
double detected_in_sequence(const std::vector<P>& normal, const std::vector<P>& novel) {
  constexpr int sequences = 4000, half = 30;
  const auto gain = [](double p) { return std::log(kappa) + (kappa - 1) * std::log(p); };
  const auto largest = [&](Random& random, int from, int to, double& sum, const std::vector<P>& shots) {
    double most = 0;
    for (int i = from; i < to; ++i)
      most = std::max(most, sum = std::max(0.0, sum + gain(random.choice(shots).p)));
    return most;
  };
  Random random(1);
  std::vector<double> peaks;
  for (int s = 0; s < sequences; ++s) {
    double sum = 0;
    peaks.push_back(largest(random, 0, 2 * half, sum, normal));
  }
  std::sort(peaks.begin(), peaks.end());
  const double threshold = peaks[static_cast<std::size_t>(0.98 * sequences)];
  int detected = 0;
  for (int s = 0; s < sequences; ++s) {
    double sum = 0;
    const bool early = largest(random, 0, half, sum, normal) > threshold;
    detected += !early && largest(random, half, 2 * half, sum, novel) > threshold;
  }
  return static_cast<double>(detected) / sequences;
}

int power(bool clip, std::size_t limit, const std::vector<std::string>& folders) {
  std::map<std::string, std::pair<std::vector<P>, std::vector<P>>> by_novelty;
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& folder : folders) {
    std::vector<std::filesystem::path> files = find_level_files({folder});
    if (limit > 0 && files.size() > limit) files.resize(limit);
    struct Pair {
      std::string novelty;
      std::vector<P> normal, novel;
    };
    std::vector<Pair> pairs(files.size());
    parallel_for(files.size(), 0, [&](std::size_t i) {
      const StoredLevel level = read_level(files[i]);
      if (!level.difficulty) return;
      const Novelty& novelty = find_novelty(level.difficulty->novelty);
      const Scene normal = settle(make_scene(level, profile())), novel = novel_twin(normal, novelty);
      const Difficulty difficulty = compute_difficulty(normal, novelty, {.method = Method::published});
      if (difficulty.interactions.empty() || !difficulty.interactions.front().best) return;
      const Shot announced =
          difficulty.interactions.front().targets[*difficulty.interactions.front().best].shot();
      Shot shot = announced;
      shot.angle += aim_perturbation(aim_noise, stream_seed(1, level.name), 0);
      Viewing viewing;
      if (clip) {
        const auto cut = clip_viewing(normal, shot);
        if (!cut) return;
        viewing = *cut;
      }
      Observer observer(normal, announced, viewing);
      const auto detections = [&](const Scene& world) {
        return p_of(observer.detect(run_shot(world, shot, {.record_every = observer.record_every()}).trace));
      };
      pairs[i] = {novelty.name, {detections(normal)}, {detections(novel)}};
    });
    for (const Pair& pair : pairs) {
      if (pair.novelty.empty()) continue;
      auto& [normal, novel] = by_novelty[pair.novelty];
      normal.push_back(pair.normal[0]);
      novel.push_back(pair.novel[0]);
    }
  }
  std::pair<std::vector<P>, std::vector<P>> all;
  const auto print = [&](const std::string& name, const std::vector<P>& normal, const std::vector<P>& novel) {
    std::printf("%s\n", name.c_str());
    print_parts("  detected       ", novel);
    print_parts("  false alarms  ", normal);
    double right = 0, surprise = 0;
    for (std::size_t i = 0; i < novel.size(); ++i) {
      right += novel[i].p < normal[i].p ? 1 : novel[i].p == normal[i].p ? 0.5 : 0;
      surprise -= std::log(novel[i].p);
    }
    const auto n = static_cast<double>(novel.size());
    std::printf("  paired accuracy %.3f (n %.0f)  mean -log p %.2f  detected in sequences %.2f\n", right / n,
                n, surprise / n, detected_in_sequence(normal, novel));
  };
  for (const auto& [name, pair] : by_novelty) {
    print(name, pair.first, pair.second);
    all.first.insert(all.first.end(), pair.first.begin(), pair.first.end());
    all.second.insert(all.second.end(), pair.second.begin(), pair.second.end());
  }
  if (!all.first.empty()) print("all", all.first, all.second);
  std::printf("%.1f s\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return 0;
}

}  // namespace

int main(int count, char** arguments) try {
  const std::string what = count > 1 ? arguments[1] : "";
  if (what == "alarms" && count >= 4)
    return alarms(static_cast<std::size_t>(std::atoi(arguments[2])),
                  static_cast<std::uint64_t>(std::atoll(arguments[3])),
                  count > 4 ? std::atoi(arguments[4]) : ObserverOptions{}.simulations);
  if (what == "early" && count == 4)
    return early(static_cast<std::size_t>(std::atoi(arguments[2])),
                 static_cast<std::uint64_t>(std::atoll(arguments[3])));
  if (what == "agents" && count >= 4)
    return agents(static_cast<std::size_t>(std::atoi(arguments[2])),
                  static_cast<std::uint64_t>(std::atoll(arguments[3])),
                  count > 4 ? arguments[4] : "best-target");
  if (what == "power" && count >= 5)
    return power(std::string(arguments[2]) == "clip", static_cast<std::size_t>(std::atoi(arguments[3])),
                 {arguments + 4, arguments + count});
  std::fprintf(stderr,
               "usage: bench_observer alarms LEVELS SEED [WORLDS] | early LEVELS SEED | agents SHOTS SEED "
               "[SHOOTER] | power "
               "whole|clip LIMIT FOLDER...\n");
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
