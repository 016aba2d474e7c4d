/// \file  Fits the constants of reasoning/qualitative/horizontal_influence.hpp against the simulated world.
///
/// Every block type of the profile stands alone on the ground, upright and lying, of each material, at
/// several distances, and is hit by birds (no power used) on the lower trajectories to a quarter, half and
/// three quarters of the height of its near side. Its life is set so high that it is not destroyed. It
/// flipped when it ended up turned by more than 45 degrees, else it slid: how far did its front come?
/// - k_flip: the height/width that separates flips from slides with the fewest errors, among gaps of 0.05 or
///   more between the values that occur: a finer one would distinguish one type from another, not tall from
///   flat.
/// - k_slide: the lower quartile of the way of those that slid: three of four reach what is nearer. (Among
///   other objects and over both trajectories an object comes less far than alone and hit at its side, hence
///   no higher quantile.)
///
/// Round blocks roll whatever their height; they are listed, but not fitted. The upper trajectories come down
/// at 80 degrees and more, which pushes nothing along; the predicates do not describe them.
///
/// Also measures the vertical impact: from settled candidates of each level family one object after the other
/// is taken away, and what comes to lie lower or turned is compared with what was predicted, as published and
/// by the extended method (bracing.hpp), and there with each constant halved and doubled.
///
/// Last the constants of knock_on.hpp: every shot at a target of 42 generated levels (seed 2, as in startle
/// validate) is flown, and what moves besides the target is compared with what is predicted, over a grid of
/// both constants. The best F1 is the fit.
///
/// And the chances: the same levels, each shot perturbed four times by N(0, 0.01 rad). Of each predicted
/// motion the k of ChanceConstants that makes what moved most likely; and of objects that are novel and moved
/// the share that differs visibly from its twin, destroyed or not (VisibilityConstants).
///
/// Usage: fit_reasoning [profile]      (default: startle)
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "levels/generators.hpp"
#include "reasoning/impulse/bracing.hpp"
#include "reasoning/impulse/knock_on.hpp"
#include "reasoning/qualitative/horizontal_influence.hpp"
#include "reasoning/qualitative/trajectory.hpp"
#include "reasoning/qualitative/vertical_impact.hpp"
#include "sim/world.hpp"
#include "simulated/simulated_difficulty.hpp"
#include "simulated/twin.hpp"
#include "statistics/binary_counts.hpp"

using namespace startle;

namespace {

struct LoneHit {
  std::string what;    ///< type and whether it is turned
  double slenderness;  ///< height over width
  bool round;
  bool flipped;
  double way;  ///< how far its front came along, world units
};

bool is_round(const std::string& type) { return type.rfind("Circle", 0) == 0; }

std::vector<LoneHit> hits_on(std::shared_ptr<const Profile> p, const ObjectType& type, double turn_degrees,
                             double x) {
  Level level;
  level.width = 6;  // room to slide
  level.slingshot = {-8, -2.5};
  const Bounds box = bounds(transformed(*type.shape, {{}, radians(turn_degrees)}));
  level.objects.push_back({.kind = type.kind,
                           .type = type.type,
                           .material = type.material,
                           .position = {x, p->ground_y - box.ymin},
                           .rotation_deg = turn_degrees});
  std::vector<LoneHit> hits;
  for (const char* name : {"BirdRed", "BirdBlue", "BirdYellow", "BirdWhite"}) {
    level.birds = {name};
    Scene scene = settle(make_scene(level, p));
    SceneObject& object = scene.objects[0];
    object.life = 1e9;
    const Bounds before = object.world_bounds();
    if (std::abs(object.pose.angle - radians(turn_degrees)) > 0.1) continue;  // did not stand as placed
    for (double share : {0.25, 0.5, 0.75}) {
      for (const Trajectory& trajectory :
           trajectories_through(scene, p->bird(name), {before.xmin, before.ymin + share * before.height()})) {
        const auto contact = first_contact(trajectory, object.world_shape(), trajectory.time);
        if (trajectory.upper || !contact || first_ground_contact(trajectory, p->ground_y, *contact)) continue;
        const SceneObject after = run_shot(scene, trajectory.shot).scene.objects[0];
        if (!after.alive) continue;  // left the world
        hits.push_back({type.type + (turn_degrees == 0 ? "" : " turned"), before.height() / before.width(),
                        is_round(type.type), degrees(std::abs(after.pose.angle - object.pose.angle)) > 45,
                        after.world_bounds().xmax - before.xmax});
      }
    }
  }
  return hits;
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values.at(static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5));
}

/// Objects predicted to fall and seen to fall once one object is taken away.
struct Agreement {
  double both = 0, predicted_only = 0, seen_only = 0, neither = 0;

  void count(const std::vector<Fall>& falls, const std::vector<std::size_t>& others,
             const std::vector<char>& fell) {
    for (std::size_t i : others) {
      const bool predicted = std::any_of(falls.begin(), falls.end(),
                                         [i](const Fall& f) { return f.object == i; });
      (predicted ? (fell[i] ? both : predicted_only) : (fell[i] ? seen_only : neither)) += 1;
    }
  }
  void print(const std::string& what) const {
    const double pairs = both + predicted_only + seen_only + neither;
    std::printf("%-36s %9.0f %9.2f %9.1f %9.1f %9.3f\n", what.c_str(), pairs, 100 * (both + neither) / pairs,
                100 * both / (both + predicted_only), 100 * both / (both + seen_only),
                2 * both / (2 * both + predicted_only + seen_only));
  }
};

void measure_vertical_impact(std::shared_ptr<const Profile> p) {
  const BracingConstants chosen;
  std::vector<BracingConstants> tried{chosen};
  for (double factor : {0.5, 2.0}) {
    tried.push_back({.least_acceleration = factor * chosen.least_acceleration, .passes = chosen.passes});
    tried.push_back({.least_acceleration = chosen.least_acceleration,
                     .passes = static_cast<int>(factor * chosen.passes)});
  }
  std::printf("\n%-36s %9s %9s %9s %9s %9s\n", "vertical impact", "pairs", "right %", "precision", "recall",
              "F1");
  std::map<std::string, Agreement> agreements;
  for (const GeneratorInfo& family : generator_families()) {
    Random random(stream_seed(1, "fit_reasoning/" + family.name));
    for (int level = 0; level < 6;) {
      const Scene scene = settle(make_scene(generate_candidate(family, *p, random), p));
      if (settle_scene(scene).shift > 0.01) continue;  // still on the move: what falls would not be our doing
      ++level;
      const SupportGraph graph = support_graph(scene);
      const ContactNetwork network = contact_network(scene, graph.geometry);
      for (std::size_t taken = 0; taken < scene.objects.size(); ++taken) {
        if (!scene.objects[taken].alive || scene.objects[taken].is_static()) continue;
        Scene without = scene;
        without.objects[taken].alive = false;
        const Scene after = settle(without);
        std::vector<char> fell(scene.objects.size(), 0);
        std::vector<std::size_t> others;
        for (std::size_t i = 0; i < scene.objects.size(); ++i) {
          const SceneObject &before = scene.objects[i], &now = after.objects[i];
          if (i == taken || !before.alive || before.is_static()) continue;
          others.push_back(i);
          fell[i] = !now.alive || before.pose.position.y - now.pose.position.y > 0.05 ||
                    std::abs(now.pose.angle - before.pose.angle) > 0.2;
        }
        const std::vector<Fall> falls = vertical_impact(scene, graph, taken);
        agreements[family.name + ", published"].count(falls, others, fell);
        agreements["published"].count(falls, others, fell);
        for (const BracingConstants& constants : tried) {
          char name[64];
          std::snprintf(name, sizeof name, "extended, %.2f of weight, %3d passes",
                        constants.least_acceleration, constants.passes);
          const std::vector<Fall> unbraced = unbraced_falls(scene, graph, network, {taken}, constants);
          agreements[name].count(unbraced, others, fell);
          if (&constants == &tried.front())
            agreements[family.name + ", extended"].count(unbraced, others, fell);
        }
      }
    }
  }
  for (const auto& [name, agreement] : agreements) agreement.print(name);
}

constexpr std::array<double, 7> least_lifts{0.02, 0.035, 0.05, 0.07, 0.1, 0.14, 0.2},
    support_lifts{0.07, 0.1, 0.14, 0.2, 0.28, 0.4, 0.56};  // world units
using KnockOnGrid = std::array<std::array<BinaryCounts, support_lifts.size()>, least_lifts.size()>;

/// What the shots of one level move against what is predicted, for each pair of constants.
KnockOnGrid knock_on_agreement(const Scene& scene) {
  KnockOnGrid grid;
  const SupportGraph graph = support_graph(scene);
  const ContactNetwork network = contact_network(scene, graph.geometry);
  const BirdType& bird = scene.profile->bird(scene.birds[scene.next_bird]);
  const FlownStates states(scene);
  for (const FlownTarget& target : states.first()->targets) {
    for (std::size_t s = 0; s < target.shots.size(); ++s) {
      for (std::size_t l = 0; l < least_lifts.size(); ++l) {
        for (std::size_t u = 0; u < support_lifts.size(); ++u) {
          const KnockOnConstants constants{.least_lift = least_lifts[l], .support_lift = support_lifts[u]};
          std::vector<char> moves(scene.objects.size(), 0);
          for (const ImpactedObject& i : knocked_on(scene, graph, network, target.target.object, bird,
                                                    target.target.trajectories[s], constants))
            moves[i.object] = 1;
          for (std::size_t i = 0; i < scene.objects.size(); ++i)
            if (i != target.target.object && scene.objects[i].alive && !scene.objects[i].is_static())
              grid[l][u].add(moves[i], target.shots[s].motions[i].moved);
        }
      }
    }
  }
  return grid;
}

void fit_knock_on(std::shared_ptr<const Profile> p) {
  constexpr std::size_t levels = 42;
  constexpr std::uint64_t development_seed = 2;
  const std::vector<GeneratorInfo>& families = generator_families();
  std::vector<KnockOnGrid> grids(levels);
  parallel_for(levels, 0, [&](std::size_t i) {
    grids[i] = knock_on_agreement(settle(make_scene(
        generate_level(families[i % families.size()], development_seed, i / families.size(), p), p)));
  });
  std::printf("\nknock-on: F1 of what moves besides the target\nleast_lift   support_lift\n%10s", "");
  for (double support_lift : support_lifts) std::printf(" %7.3f", support_lift);
  double best = 0;
  KnockOnConstants fitted;
  for (std::size_t l = 0; l < least_lifts.size(); ++l) {
    std::printf("\n%10.3f", least_lifts[l]);
    for (std::size_t u = 0; u < support_lifts.size(); ++u) {
      BinaryCounts sum;
      for (const KnockOnGrid& grid : grids) sum += grid[l][u];
      const double f1 = f1_score(sum).value_or(0);
      std::printf(" %7.4f", f1);
      if (f1 <= best) continue;
      best = f1;
      fitted = {.least_lift = least_lifts[l], .support_lift = support_lifts[u]};
    }
  }
  std::printf("\n\nleast_lift = %.3f, support_lift = %.3f world units (F1 %.4f)\n", fitted.least_lift,
              fitted.support_lift, best);
}

/// What shots of one level say of chances.
struct ChanceData {
  struct Case {
    double root;  ///< r of ChanceConstants
    bool moved;
  };
  std::array<std::vector<Case>, 3> by_predicted_motion;
  std::array<std::array<std::size_t, 2>, 2> visible{};  ///< of novel objects that moved: [destroyed][visible]
};

ChanceData chance_data(const Scene& scene, std::size_t level) {
  static const std::array<const char*, 4> novelties{"T2", "wood-density-up", "wood-friction-down",
                                                    "stone-gravity_scale-down"};
  constexpr int turns = 4;
  constexpr double sigma = 0.01;  // radians
  ChanceData data;
  const SupportGraph graph = support_graph(scene);
  const ContactNetwork network = contact_network(scene, graph.geometry);
  const BirdType& bird = scene.profile->bird(scene.birds[scene.next_bird]);
  KnockOn shots(scene, graph, network);
  std::vector<Scene> novel;
  for (const char* name : novelties) novel.push_back(novel_twin(scene, find_novelty(name)));
  Random random(stream_seed(level, "fit_reasoning/chances"));
  std::array<double, turns> by{};
  for (double& angle : by) angle = sigma * random.normal();
  const ChanceConstants k;
  for (const Target& target : find_targets(scene, graph.geometry, bird, blocking_relation(scene))) {
    for (const Trajectory& trajectory : target.trajectories) {
      shots.follow(target.object, bird, trajectory);
      for (double angle : by) {
        Shot shot = trajectory.shot;
        shot.angle += angle;
        const NormalShot flown = fly_normal(scene, shot);
        for (std::size_t i = 0; i < scene.objects.size(); ++i) {
          if (!scene.objects[i].alive || scene.objects[i].is_static()) continue;
          const MotionPrediction p = shots.prediction(i);
          const double of = p.predicted_motion == PredictedMotion::falls    ? k.falls
                            : p.predicted_motion == PredictedMotion::leaves ? k.leaves
                                                                            : k.stays;
          data.by_predicted_motion[static_cast<std::size_t>(p.predicted_motion)].push_back(
              {of * p.moves / (1 - p.moves), flown.motions[i].moved});
        }
        for (const Scene& other : novel) {
          const std::vector<std::size_t> visible = visibly_different_objects(scene, other, flown);
          for (std::size_t i = 0; i < other.objects.size(); ++i)
            if (other.objects[i].novel && flown.motions[i].moved)
              ++data.visible[flown.motions[i].destroyed]
                            [std::binary_search(visible.begin(), visible.end(), i)];
        }
      }
    }
  }
  return data;
}

void fit_chances(std::shared_ptr<const Profile> p) {
  constexpr std::size_t levels = 42;
  constexpr std::uint64_t development_seed = 2;
  const std::vector<GeneratorInfo>& families = generator_families();
  std::vector<ChanceData> data(levels);
  parallel_for(levels, 0, [&](std::size_t i) {
    data[i] = chance_data(
        settle(make_scene(
            generate_level(families[i % families.size()], development_seed, i / families.size(), p), p)),
        i);
  });
  std::printf("\nchance to move, r/(r + k)\n%-8s %10s %8s %8s\n", "predicted_motion", "objects", "moved",
              "k");
  const std::array<const char*, 3> names{"stays", "leaves", "falls"};
  for (std::size_t predicted_motion = 0; predicted_motion < names.size(); ++predicted_motion) {
    double best = -1e300, fitted = 0, objects = 0, moved = 0;
    for (double k = 0.02; k < 20; k *= 1.05) {
      double likelihood = 0;
      objects = moved = 0;
      for (const ChanceData& level : data) {
        for (const ChanceData::Case& c : level.by_predicted_motion[predicted_motion]) {
          likelihood += std::log((c.moved ? c.root : k) / (c.root + k));
          ++objects;
          moved += c.moved;
        }
      }
      if (likelihood <= best) continue;
      best = likelihood;
      fitted = k;
    }
    std::printf("%-8s %10.0f %8.3f %8.3f\n", names[predicted_motion], objects, moved / objects, fitted);
  }
  std::array<std::array<double, 2>, 2> visible{};
  for (const ChanceData& level : data)
    for (std::size_t d = 0; d < 2; ++d)
      for (std::size_t s = 0; s < 2; ++s) visible[d][s] += static_cast<double>(level.visible[d][s]);
  std::printf("novel objects that moved: %.3f of those that live differ visibly, %.3f of those destroyed\n",
              visible[0][1] / (visible[0][0] + visible[0][1]),
              visible[1][1] / (visible[1][0] + visible[1][1]));
}

}  // namespace

int main(int count, char** arguments) try {
  const auto p = profile(count > 1 ? arguments[1] : "startle");
  std::vector<LoneHit> hits;
  for (const ObjectType& type : p->object_types) {
    if (type.kind != Kind::block) continue;
    for (double turn : {0.0, 90.0})
      for (double x : {-4.0, 0.0, 4.0, 8.0})
        for (const LoneHit& hit : hits_on(p, type, turn, x)) hits.push_back(hit);
  }

  std::map<std::string, std::vector<const LoneHit*>> groups;
  for (const LoneHit& hit : hits) groups[hit.what].push_back(&hit);
  std::printf("%-22s %7s %5s %8s %10s %10s\n", "block", "h/w", "hits", "flipped", "way 50 %", "way 90 %");
  for (const auto& [what, group] : groups) {
    std::vector<double> ways;
    int flipped = 0;
    for (const LoneHit* hit : group) {
      flipped += hit->flipped;
      if (!hit->flipped) ways.push_back(hit->way);
    }
    std::printf("%-22s %7.2f %5zu %7.0f%%", what.c_str(), group.front()->slenderness, group.size(),
                100.0 * flipped / static_cast<double>(group.size()));
    if (ways.empty())
      std::printf("\n");
    else
      std::printf(" %10.2f %10.2f\n", quantile(ways, 0.5), quantile(ways, 0.9));
  }

  // Best threshold: midway between two neighbouring values of height/width.
  std::vector<const LoneHit*> fitted;
  for (const LoneHit& hit : hits)
    if (!hit.round) fitted.push_back(&hit);
  std::stable_sort(fitted.begin(), fitted.end(),
                   [](const LoneHit* a, const LoneHit* b) { return a->slenderness < b->slenderness; });
  const auto right = [&](double k) {
    return std::count_if(fitted.begin(), fitted.end(),
                         [k](const LoneHit* h) { return h->flipped == (h->slenderness > k); });
  };
  double k_flip = 0;
  for (std::size_t i = 0; i + 1 < fitted.size(); ++i) {
    if (fitted[i + 1]->slenderness - fitted[i]->slenderness < 0.05) continue;
    const double k = 0.5 * (fitted[i]->slenderness + fitted[i + 1]->slenderness);
    if (right(k) > right(k_flip)) k_flip = k;
  }
  std::vector<double> ways;
  for (const LoneHit* hit : fitted)
    if (!hit->flipped) ways.push_back(hit->way);
  std::printf("\n%zu hits, %zu of them fitted, %zu slid\n", hits.size(), fitted.size(), ways.size());
  for (double k : {0.5, 0.75, 1.0, 1.5, 2.0, 3.0, k_flip})
    std::printf("k_flip %.3f: %.1f %% of flips and slides distinguished\n", k,
                100.0 * static_cast<double>(right(k)) / static_cast<double>(fitted.size()));
  for (double share : {0.1, 0.25, 0.5, 0.75, 0.9})
    std::printf("%2.0f %% of the sliding objects came no further than %.3f\n", 100 * share,
                quantile(ways, share));
  std::printf("\nk_flip = %.2f\nk_slide = %.2f world units\n", k_flip, quantile(ways, 0.25));
  measure_vertical_impact(p);
  fit_knock_on(p);
  fit_chances(p);
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "fit_reasoning: %s\n", error.what());
  return 2;
}
