#include "simulated/observer_scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/math.hpp"

namespace startle {
namespace {

/// Width of the kernel, world units, and what a difference in presence counts there, in widths squared.
constexpr double kernel_width = 0.15, kernel_presence = 9;
/// Density, in other runs, where there are none: keeps the logarithm finite.
constexpr double kernel_floor = 0.02;

// What counts as motion by one mechanism, from four places on end.
constexpr double fast_fall = 1;        ///< m/s, vertically
constexpr double slow_climb = 0.3;     ///< m/s, vertically, of sliding
constexpr double fast_slide = 0.7;     ///< m/s, horizontally
constexpr double smooth = 3.5;         ///< pixels of third difference at most: rounding alone makes up to 4
constexpr double own_spread = 0.5;     ///< m/s^2, so that few windows in few runs do not count as certain
constexpr std::size_t least_runs = 3;  ///< others that show the motion, to compare with

std::size_t group_count(const Runs& runs) {
  return runs.group_of.empty()
             ? 0
             : static_cast<std::size_t>(*std::max_element(runs.group_of.begin(), runs.group_of.end())) + 1;
}

/// A quantity of each run against its mean and variance over the others.
struct Contrast {
  double expected = 0, variance = 0;
};
struct Sums {
  double sum = 0, squares = 0, count = 0;
  void add(double x) {
    sum += x;
    squares += x * x;
    ++count;
  }
  Contrast without(double x) const {
    const double n = count - 1, mean = (sum - x) / n;
    const double variance = n > 1 ? std::max(0.0, (squares - x * x) / n - mean * mean) * n / (n - 1) : 0;
    return {mean, variance};
  }
};

/// Scores and the places that differ most of run 0.
struct Scores {
  std::vector<double> total, body, moment, motion;
  std::vector<Attribution> attributions;
};

/// Of one body: z^2 and rarity at each frame, summed up into `scores`.
class BodyScores {
 public:
  BodyScores(const Runs& runs, std::size_t body, Scores& scores)
      : runs_(runs), body_(body), scores_(scores), rarity_(runs.of.size(), 0.0), best_{.of = body} {
    for (std::size_t frame = 0; frame < runs.frames; ++frame)
      if (!all_alike(frame)) add(frame);
    for (std::size_t r = 0; r < rarity_.size(); ++r) scores.body[r] = std::max(scores.body[r], rarity_[r]);
    if (best_.sigmas != 0) scores.attributions.push_back(best_);
  }

 private:
  bool all_alike(std::size_t frame) const {
    const Place& first = runs_.place(0, body_, frame);
    for (std::size_t r = 1; r < runs_.of.size(); ++r) {
      const Place& other = runs_.place(r, body_, frame);
      if (other.there != first.there || !(other.at == first.at)) return false;
    }
    return true;
  }

  void add(std::size_t frame) {
    const double others = static_cast<double>(runs_.of.size() - 1),
                 pixel_variance = runs_.pixel * runs_.pixel / 12;
    // Relative to one run, so that the squares lose no digits.
    const Vec2 origin = runs_.place(0, body_, frame).at;
    std::array<Sums, 3> sums;
    for (std::size_t r = 0; r < runs_.of.size(); ++r) {
      const Place& place = runs_.place(r, body_, frame);
      sums[0].add(place.at.x - origin.x);
      sums[1].add(place.at.y - origin.y);
      sums[2].add(place.there ? 1 : 0);
    }
    for (std::size_t r = 0; r < runs_.of.size(); ++r) {
      const Place& place = runs_.place(r, body_, frame);
      const double found[3] = {place.at.x - origin.x, place.at.y - origin.y, place.there ? 1.0 : 0.0};
      double squared = 0;
      for (int c = 0; c < 3; ++c) {
        Contrast usual = sums[static_cast<std::size_t>(c)].without(found[c]);
        if (c < 2) {
          usual.variance += pixel_variance;
        } else {
          // Half a run of either kind is added: what no other run did may still happen.
          usual.expected = (usual.expected * others + 0.5) / (others + 1);
          usual.variance = usual.expected * (1 - usual.expected);
        }
        const double z = (found[c] - usual.expected) / std::sqrt(usual.variance);
        squared += z * z;
        if (r == 0 && std::fabs(z) > std::fabs(best_.sigmas)) {
          const double offset = c == 0 ? origin.x : c == 1 ? origin.y : 0;
          best_ = {static_cast<Feature>(c),   body_, frame, found[c] + offset, usual.expected + offset,
                   std::sqrt(usual.variance), z};
        }
      }
      scores_.total[r] += squared;
      scores_.moment[r] = std::max(scores_.moment[r], squared);
      rarity_[r] += rarity(r, frame);
    }
  }

  /// -log of the density of the other runs at this one's place.
  double rarity(std::size_t run, std::size_t frame) const {
    const Place& own = runs_.place(run, body_, frame);
    double density = kernel_floor;
    for (std::size_t r = 0; r < runs_.of.size(); ++r) {
      if (r == run) continue;
      const Place& other = runs_.place(r, body_, frame);
      const Vec2 away = own.at - other.at;
      const double squared = dot(away, away) / (kernel_width * kernel_width) +
                             (own.there != other.there ? kernel_presence : 0);
      density += 1 / ((1 + squared) * (1 + squared));
    }
    return -math::log(density / static_cast<double>(runs_.of.size() - 1));
  }

  const Runs& runs_;
  std::size_t body_;
  Scores& scores_;
  std::vector<double> rarity_;  ///< per run
  Attribution best_;
};

/// Accelerations of one group in one run and one kind of motion.
struct Windows {
  double sum = 0, count = 0;
};

/// [group x 2 + kind]: fall, slide.
std::vector<Windows> motion_windows(const Runs& runs, std::size_t run, std::size_t groups) {
  std::vector<Windows> windows(2 * groups);
  const double seconds = runs.interval, uneven = smooth * runs.pixel;
  for (std::size_t body = 0; body < runs.bodies; ++body)
    for (std::size_t frame = 0; frame + 3 < runs.frames; ++frame) {
      const Place* p = &runs.place(run, body, frame);
      if (!(p[0].there && p[1].there && p[2].there && p[3].there)) continue;
      const Vec2 jerk = p[3].at - p[0].at - 3 * (p[2].at - p[1].at);
      if (std::fabs(jerk.x) > uneven || std::fabs(jerk.y) > uneven) continue;
      const Vec2 velocity = (1 / (3 * seconds)) * (p[3].at - p[0].at);
      const Vec2 acceleration = (0.5 / (seconds * seconds)) * ((p[3].at - p[2].at) - (p[1].at - p[0].at));
      Windows* own = &windows[2 * static_cast<std::size_t>(runs.group_of[body])];
      if (std::fabs(velocity.y) > fast_fall) {
        own[0].sum += acceleration.y;
        ++own[0].count;
      } else if (std::fabs(velocity.y) < slow_climb && std::fabs(velocity.x) > fast_slide) {
        own[1].sum += velocity.x > 0 ? acceleration.x : -acceleration.x;
        ++own[1].count;
      }
    }
  return windows;
}

void score_motion(const Runs& runs, Scores& scores) {
  const std::size_t groups = group_count(runs), count = runs.of.size();
  std::vector<std::vector<Windows>> seen;
  for (std::size_t r = 0; r < count; ++r) seen.push_back(motion_windows(runs, r, groups));
  for (std::size_t k = 0; k < 2 * groups; ++k)
    for (std::size_t r = 0; r < count; ++r) {
      const Windows& own = seen[r][k];
      if (own.count == 0) continue;
      Windows others;
      std::size_t runs_with = 0;
      for (std::size_t o = 0; o < count; ++o) {
        if (o == r || seen[o][k].count == 0) continue;
        others.sum += seen[o][k].sum;
        others.count += seen[o][k].count;
        ++runs_with;
      }
      if (runs_with < least_runs) continue;
      const double mean = others.sum / others.count;
      // The spread of one window, from that of the runs' sums: windows of a run are not independent.
      double variance = own_spread * own_spread;
      for (std::size_t o = 0; o < count; ++o) {
        if (o == r || seen[o][k].count == 0) continue;
        const double off = seen[o][k].sum - mean * seen[o][k].count;
        variance += off * off / seen[o][k].count / static_cast<double>(runs_with);
      }
      const double spread = std::sqrt(variance / own.count), z = (own.sum / own.count - mean) / spread;
      scores.motion[r] = std::max(scores.motion[r], std::fabs(z));
      if (r == 0)
        scores.attributions.push_back(
            {k % 2 == 0 ? Feature::fall : Feature::slide, k / 2, 0, own.sum / own.count, mean, spread, z});
    }
}

/// Sum of -log rank-p over scores.
std::vector<double> combined(const std::vector<const std::vector<double>*>& scores) {
  std::vector<double> sum(scores.front()->size(), 0.0);
  for (const std::vector<double>* score : scores) {
    const std::vector<double> p = rank_p(*score);
    for (std::size_t r = 0; r < p.size(); ++r) sum[r] -= math::log(p[r]);
  }
  return sum;
}

}  // namespace

const char* name(Feature feature) {
  switch (feature) {
    case Feature::x:
      return "x";
    case Feature::y:
      return "y";
    case Feature::presence:
      return "presence";
    case Feature::fall:
      return "fall";
    case Feature::slide:
      return "slide";
  }
  return "";
}

std::vector<double> rank_p(const std::vector<double>& scores) {
  std::vector<double> sorted = scores, p;
  std::sort(sorted.begin(), sorted.end());
  for (const double score : scores) {  // counts itself, and what differs by the order of a sum alone
    const auto least = std::lower_bound(sorted.begin(), sorted.end(), score - 1e-9 * std::fabs(score));
    p.push_back(static_cast<double>(sorted.end() - least) / static_cast<double>(scores.size()));
  }
  return p;
}

RunTest test_first(const Runs& runs) {
  const std::vector<double> none(runs.of.size(), 0.0);
  Scores scores{none, none, none, none, {}};
  for (std::size_t body = 0; body < runs.bodies; ++body) BodyScores(runs, body, scores);
  score_motion(runs, scores);
  RunTest shot_test;
  shot_test.p = rank_p(combined({&scores.total, &scores.body, &scores.moment, &scores.motion})).front();
  shot_test.p_outcome = rank_p(combined({&scores.total, &scores.body, &scores.moment})).front();
  shot_test.p_motion = rank_p(scores.motion).front();
  shot_test.attributions = std::move(scores.attributions);
  std::stable_sort(
      shot_test.attributions.begin(), shot_test.attributions.end(),
      [](const Attribution& a, const Attribution& b) { return std::fabs(a.sigmas) > std::fabs(b.sigmas); });
  return shot_test;
}

}  // namespace startle
