#include "simulated/observer_scores.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// One body that slides from 0 at 2 m/s, slowed by `slowing` m/s^2, looked at every 0.12 s.
std::vector<Place> slide(double slowing, double way, int frames) {
  std::vector<Place> places;
  for (int k = 0; k < frames; ++k) {
    const double t = 0.12 * k;
    places.push_back({.at = {way * (2 * t - 0.5 * slowing * t * t), 0}});
  }
  return places;
}

Runs sliding(const std::vector<double>& slowings, double way, int frames) {
  Runs runs{
      .bodies = 1, .frames = static_cast<std::size_t>(frames), .interval = 0.12, .group_of = {1}, .of = {}};
  for (const double slowing : slowings) runs.of.push_back(slide(slowing, way, frames));
  return runs;
}

const Attribution* of_motion(const RunTest& shot_test) {
  const auto found = std::find_if(
      shot_test.attributions.begin(), shot_test.attributions.end(),
      [](const Attribution& t) { return t.feature == Feature::fall || t.feature == Feature::slide; });
  return found == shot_test.attributions.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("[simulated] observer scores: deceleration in sliding, by hand, to either side") {
  for (const double way : {1.0, -1.0}) {
    // Four frames are one window: its deceleration is exact. Others -0.5, -1, -1, -1.5: mean -1; their sums
    // are off by 0.5, 0, 0, 0.5, so that the variance of a window is 0.25 + (0.25 + 0.25)/4 = 0.375.
    const RunTest one = test_first(sliding({2, 0.5, 1, 1, 1.5}, way, 4));
    const Attribution* attribution = of_motion(one);
    REQUIRE(attribution);
    CHECK(attribution->feature == Feature::slide);
    CHECK(attribution->of == 1);
    CHECK(attribution->seen == Approx(-2));
    CHECK(attribution->expected == Approx(-1));
    CHECK(attribution->spread == Approx(std::sqrt(0.375)));
    CHECK(attribution->sigmas == Approx(-1 / std::sqrt(0.375)));
    CHECK(one.p_motion == Approx(0.2));
    // Five frames are two windows: sums off by 1, 0, 0, 1; each squared over its two windows; variance 0.25 +
    // (0.5 + 0.5)/4 = 0.5, of a mean of two 0.25.
    const RunTest two = test_first(sliding({2, 0.5, 1, 1, 1.5}, way, 5));
    REQUIRE(of_motion(two));
    CHECK(of_motion(two)->spread == Approx(0.5));
    CHECK(of_motion(two)->sigmas == Approx(-2));
  }
}

TEST_CASE(
    "[simulated] observer scores: a window in which the body is missing at any frame says nothing of "
    "motion") {
  for (std::size_t missing = 0; missing < 4; ++missing) {
    Runs runs = sliding({2, 0.5, 1, 1, 1.5}, 1, 4);
    runs.of[0][missing].there = false;
    CHECK(of_motion(test_first(runs)) == nullptr);
    CHECK(test_first(runs).p_motion == 1);
  }
}

TEST_CASE("[simulated] observer scores: motion is compared with three other runs that show it, no fewer") {
  const auto hidden_in = [](std::size_t runs_without) {
    Runs runs = sliding({2, 1, 1, 1, 1}, 1, 4);
    for (std::size_t r = 0; r < runs_without; ++r)
      for (Place& place : runs.of[4 - r]) place.there = false;
    return of_motion(test_first(runs)) != nullptr;
  };
  CHECK(hidden_in(0));
  CHECK(hidden_in(1));
  CHECK_FALSE(hidden_in(2));
}

TEST_CASE("[simulated] observer scores: what is uneven, or too slow, is no motion by one mechanism") {
  const auto classified = [](const std::vector<Vec2>& places) {
    Runs runs{.bodies = 1, .frames = 4, .interval = 0.12, .group_of = {0}, .of = {}};
    for (int r = 0; r < 5; ++r) {
      std::vector<Place> run;
      for (const Vec2 at : places) run.push_back({.at = at});
      runs.of.push_back(run);
    }
    const RunTest shot_test = test_first(runs);
    const Attribution* attribution = of_motion(shot_test);
    return attribution ? std::string(name(attribution->feature)) : std::string("none");
  };
  const double pixel = Runs{}.pixel;
  CHECK(classified({{0, 0}, {0.2, 0}, {0.4, 0}, {0.6, 0}}) == "slide");           // 1.7 m/s
  CHECK(classified({{0, 0}, {0.08, 0}, {0.16, 0}, {0.24, 0}}) == "none");         // 0.67 m/s
  CHECK(classified({{0, 0}, {0.2, 0.04}, {0.4, 0.08}, {0.6, 0.12}}) == "none");   // climbs at 0.33 m/s
  CHECK(classified({{0, 0}, {0.2, 0.03}, {0.4, 0.06}, {0.6, 0.09}}) == "slide");  // at 0.25 m/s
  CHECK(classified({{0, 0}, {0, 0.13}, {0, 0.26}, {0, 0.39}}) == "fall");         // 1.08 m/s, upwards
  CHECK(classified({{0, 0}, {0, -0.13}, {0, -0.26}, {0, -0.39}}) == "fall");
  CHECK(classified({{0, 0}, {0, 0.11}, {0, 0.22}, {0, 0.33}}) == "none");  // 0.92 m/s
  CHECK(classified({{0, 0}, {0.2, 0}, {0.4, 0}, {0.6 + 3.4 * pixel, 0}}) ==
        "slide");  // third difference of 3.4
                   // pixels
  CHECK(classified({{0, 0}, {0.2, 0}, {0.4, 0}, {0.6 + 3.6 * pixel, 0}}) == "none");
  CHECK(classified({{0, 0}, {0.2, 0}, {0.4, 0}, {0.6, 3.6 * pixel}}) == "none");
}

TEST_CASE(
    "[simulated] observer scores: a place where no other run is, between two crowds, is rare though it is "
    "their mean") {
  Runs runs{.bodies = 1, .frames = 1, .group_of = {0}, .of = {{{.at = {0, 0}}}}};
  for (int r = 0; r < 20; ++r) runs.of.push_back({{.at = {r < 10 ? -1.0 : 1.0, 0}}});
  CHECK(test_first(runs).p_outcome == Approx(1 / 21.0));
  runs.of[0][0].at = {1, 0};
  CHECK(test_first(runs).p_outcome == 1);
}

TEST_CASE("[simulated] observer scores: a place counts as rare by how many others are there, not oneself") {
  // One body, two frames, 39 runs. Run 0 is alone at 3 in the first frame, in the second it is at 0 with the
  // 36 others. Two runs are at 4 in both. Total and greatest deviation: the pair has rank p 2/39, run 0 3/39.
  // Rarity, the densities at one place 1 each and 0.02 more: -log(0.02) - log(36.02) = 0.33 of run 0,
  // -2 log(1.02) = -0.04 of the pair: run 0 has 1/39, the pair 3/39.
  // Of the product of the three, run 0 has the least: 3 x 1 x 3 against 2 x 3 x 2.
  Runs runs{.bodies = 1, .frames = 2, .pixel = 0.01, .group_of = {0}, .of = {}};
  runs.of.push_back({{.at = {3, 0}}, {.at = {0, 0}}});
  for (int k = 0; k < 2; ++k) runs.of.push_back({{.at = {4, 0}}, {.at = {4, 0}}});
  for (int k = 0; k < 36; ++k) runs.of.push_back({{.at = {0, 0}}, {.at = {0, 0}}});
  CHECK(test_first(runs).p_outcome == Approx(1.0 / 39));
}

TEST_CASE("[simulated] observer scores: ranks distinguish scores by their ratio, however small or large") {
  using List = std::vector<double>;
  CHECK(rank_p({2e-6, 1e-6}) == List{0.5, 1});
  CHECK(rank_p({1e6, 1e6 + 1e-5}) == List{1, 1});  // a sum in another order
  CHECK(rank_p({1e6, 1e6 + 1}) == List{1, 0.5});
}

namespace {

/// The scores of all runs by the definition in the header: each quantity of a run against the list of the
/// others.
struct DefinedScores {
  std::vector<double> total, body, moment, motion;
};

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / static_cast<double>(values.size());
}

double variance_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += (x - mean_of(values)) * (x - mean_of(values));
  return sum / static_cast<double>(values.size() - 1);
}

/// Sum and number of the windows of one group that move by one mechanism.
struct Moved {
  double sum = 0;
  int windows = 0;
};

Moved moved_by(const Runs& runs, std::size_t run, int group, Feature feature) {
  Moved moved;
  const double t = runs.interval;
  for (std::size_t b = 0; b < runs.bodies; ++b) {
    if (runs.group_of[b] != group) continue;
    for (std::size_t f = 3; f < runs.frames; ++f) {
      std::vector<Place> places;
      for (std::size_t k = 0; k < 4; ++k) places.push_back(runs.place(run, b, f - 3 + k));
      if (!std::all_of(places.begin(), places.end(), [](const Place& p) { return p.there; })) continue;
      // Third differences, mean velocity, and the difference of the last and the first velocity over 2 t.
      const auto of = [&](double Vec2::*c) {
        const double x0 = places[0].at.*c, x1 = places[1].at.*c, x2 = places[2].at.*c, x3 = places[3].at.*c;
        struct Of {
          double third, speed, acceleration;
        };
        return Of{x3 - 3 * x2 + 3 * x1 - x0, (x3 - x0) / (3 * t), ((x3 - x2) / t - (x1 - x0) / t) / (2 * t)};
      };
      const auto x = of(&Vec2::x), y = of(&Vec2::y);
      if (std::max(std::fabs(x.third), std::fabs(y.third)) > 3.5 * runs.pixel) continue;
      const bool falls = std::fabs(y.speed) > 1,
                 slides = !falls && std::fabs(y.speed) < 0.3 && std::fabs(x.speed) > 0.7;
      if (feature == Feature::fall ? falls : slides) {
        moved.sum += falls ? y.acceleration : std::copysign(1, x.speed) * x.acceleration;
        ++moved.windows;
      }
    }
  }
  return moved;
}

DefinedScores defined_scores(const Runs& runs) {
  const std::size_t count = runs.of.size();
  DefinedScores scores;
  for (std::vector<double>* s : {&scores.total, &scores.body, &scores.moment, &scores.motion})
    s->assign(count, 0);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t b = 0; b < runs.bodies; ++b) {
      double rarity = 0;
      for (std::size_t f = 0; f < runs.frames; ++f) {
        const Place& own = runs.place(r, b, f);
        std::vector<double> x, y, there;
        double density = 0.02;
        bool alike = true;
        for (std::size_t o = 0; o < count; ++o) {
          if (o == r) continue;
          const Place& other = runs.place(o, b, f);
          alike = alike && other.there == own.there && other.at == own.at;
          x.push_back(other.at.x);
          y.push_back(other.at.y);
          there.push_back(other.there ? 1 : 0);
          const double widths = length(own.at - other.at) / 0.15;
          density += std::pow(1 + widths * widths + (own.there == other.there ? 0 : 9), -2);
        }
        if (alike) continue;
        const double n = static_cast<double>(x.size()), grain = runs.pixel * runs.pixel / 12,
                     expected = (mean_of(there) * n + 0.5) / (n + 1);
        const double squared = std::pow(own.at.x - mean_of(x), 2) / (variance_of(x) + grain) +
                               std::pow(own.at.y - mean_of(y), 2) / (variance_of(y) + grain) +
                               std::pow((own.there ? 1 : 0) - expected, 2) / (expected * (1 - expected));
        scores.total[r] += squared;
        scores.moment[r] = std::max(scores.moment[r], squared);
        rarity -= std::log(density / n);
      }
      scores.body[r] = std::max(scores.body[r], rarity);
    }
    for (int group = 0; group < 8; ++group)
      for (const Feature feature : {Feature::fall, Feature::slide}) {
        const Moved own = moved_by(runs, r, group, feature);
        std::vector<Moved> others;
        for (std::size_t o = 0; o < count; ++o)
          if (const Moved other = moved_by(runs, o, group, feature); o != r && other.windows > 0)
            others.push_back(other);
        if (own.windows == 0 || others.size() < 3) continue;
        double sum = 0, windows = 0, variance = 0.25;
        for (const Moved& other : others) sum += other.sum, windows += other.windows;
        for (const Moved& other : others)
          variance += std::pow(other.sum - sum / windows * other.windows, 2) / other.windows /
                      static_cast<double>(others.size());
        scores.motion[r] = std::max(scores.motion[r], std::fabs(own.sum / own.windows - sum / windows) /
                                                          std::sqrt(variance / own.windows));
      }
  }
  return scores;
}

/// Share of runs that score at least as much as each, to rounding.
std::vector<double> share_above(const std::vector<double>& scores) {
  std::vector<double> shares;
  for (const double own : scores)
    shares.push_back(
        static_cast<double>(std::count_if(scores.begin(), scores.end(),
                                          [&](double s) { return s >= own - 1e-9 * std::fabs(own); })) /
        static_cast<double>(scores.size()));
  return shares;
}

double share_of_first(const std::vector<const std::vector<double>*>& scores) {
  std::vector<double> sums(scores.front()->size(), 0);
  for (const std::vector<double>* score : scores) {
    const std::vector<double> shares = share_above(*score);
    for (std::size_t r = 0; r < sums.size(); ++r) sums[r] -= std::log(shares[r]);
  }
  return share_above(sums).front();
}

/// Bodies that fall, slide or wander, with noise; some are gone at times.
Runs moving_runs(Random& random) {
  Runs runs{.bodies = static_cast<std::size_t>(random.integer(1, 3)),
            .frames = static_cast<std::size_t>(random.integer(4, 7)),
            .interval = random.chance(0.5) ? 0.12 : 0.2,
            .pixel = random.chance(0.5) ? 0.071875 : 0.2,
            .group_of = {},
            .of = {}};
  std::vector<int> ways;
  std::vector<std::size_t> still;  // frames in which the body is alike in all runs
  for (std::size_t b = 0; b < runs.bodies; ++b) {
    runs.group_of.push_back(random.integer(0, 2));
    ways.push_back(random.integer(0, 2));
    still.push_back(static_cast<std::size_t>(random.chance(0.5) ? 0 : random.integer(1, 4)));
  }
  const int count = random.integer(5, 12);
  for (int r = 0; r < count; ++r) {
    std::vector<Place> places;
    for (std::size_t b = 0; b < runs.bodies; ++b) {
      const Vec2 velocity{ways[b] == 1 ? random.uniform(-3, 3) : 0, ways[b] == 0 ? random.uniform(-3, 3) : 0};
      const Vec2 pull{ways[b] == 1 ? -std::copysign(random.uniform(0, 2), velocity.x) : 0,
                      ways[b] == 0 ? random.uniform(-6, -3) : 0};
      const double noise = random.uniform(0, 0.05);
      for (std::size_t f = 0; f < runs.frames; ++f) {
        if (f < still[b]) {
          places.push_back({.at = {3, 2}});
          continue;
        }
        const double t = runs.interval * static_cast<double>(f);
        places.push_back({.at = {3 + velocity.x * t + 0.5 * pull.x * t * t + random.uniform(-noise, noise),
                                 2 + velocity.y * t + 0.5 * pull.y * t * t + random.uniform(-noise, noise)},
                          .there = !random.chance(0.03)});
      }
    }
    runs.of.push_back(std::move(places));
  }
  return runs;
}

}  // namespace

TEST_CASE("[simulated] observer scores: p-values are the ranks of the scores as they are defined") {
  Random random(81);
  int falls = 0, slides = 0, low = 0;
  for (int round = 0; round < 400; ++round) {
    const Runs runs = moving_runs(random);
    const RunTest found = test_first(runs);
    const DefinedScores s = defined_scores(runs);
    REQUIRE(found.p_motion == Approx(share_above(s.motion).front()));
    REQUIRE(found.p_outcome == Approx(share_of_first({&s.total, &s.body, &s.moment})));
    REQUIRE(found.p == Approx(share_of_first({&s.total, &s.body, &s.moment, &s.motion})));
    double greatest = 0, greatest_place = 0;
    for (std::size_t k = 0; k < found.attributions.size(); ++k) {
      const Attribution& a = found.attributions[k];
      REQUIRE(a.sigmas == Approx((a.seen - a.expected) / a.spread));
      if (k > 0) REQUIRE(std::fabs(a.sigmas) <= std::fabs(found.attributions[k - 1].sigmas));
      falls += a.feature == Feature::fall;
      slides += a.feature == Feature::slide;
      if (a.feature == Feature::fall || a.feature == Feature::slide) {
        const Moved own = moved_by(runs, 0, static_cast<int>(a.of), a.feature);
        REQUIRE(a.seen == Approx(own.sum / own.windows).margin(1e-9));
        greatest = std::max(greatest, std::fabs(a.sigmas));
      } else {
        const Place& place = runs.place(0, a.of, a.frame);
        REQUIRE(a.seen == Approx(a.feature == Feature::x   ? place.at.x
                                 : a.feature == Feature::y ? place.at.y
                                                           : place.there));
        std::vector<double> others;
        for (std::size_t o = 1; o < runs.of.size(); ++o) {
          const Place& other = runs.place(o, a.of, a.frame);
          others.push_back(a.feature == Feature::x   ? other.at.x
                           : a.feature == Feature::y ? other.at.y
                                                     : other.there);
        }
        if (a.feature != Feature::presence) REQUIRE(a.expected == Approx(mean_of(others)).margin(1e-9));
        greatest_place = std::max(greatest_place, a.sigmas * a.sigmas);
      }
    }
    REQUIRE(greatest == Approx(s.motion[0]).margin(1e-9));
    REQUIRE(greatest_place <= s.moment[0] * (1 + 1e-9));
    REQUIRE(greatest_place >= s.moment[0] / 3 * (1 - 1e-9));
    low += found.p < 0.2;
  }
  CHECK(falls > 50);
  CHECK(slides > 50);
  CHECK(low > 20);
}
