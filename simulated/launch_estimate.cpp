#include "simulated/launch_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reasoning/qualitative/trajectory.hpp"
#include "sim/world.hpp"
#include "simulated/aim_noise.hpp"

namespace startle {
namespace {

/// Errors within so many standard deviations are counted on when it is asked how long the flight goes
/// undisturbed.
constexpr double farthest = 3;
/// rad: over which the flight is linear, and its numbers are still exact.
constexpr double slope_width = 1e-3;
/// A launch that was seen in a cell lies within so many errors of the estimate: rounding to pixels is
/// bounded.
constexpr double reach = 5;
/// Draws before the cell is taken to be one that no flight is seen in.
constexpr int patience = 20000;

/// Steps of flight before anything happens to the bird.
int undisturbed_steps(const Scene& scene, const Shot& shot) {
  World world(scene, {.record_events = true});
  world.launch(shot);
  while (!world.over() && world.trace().events.size() <= 1) world.step();
  return world.trace().steps - 1;
}

}  // namespace

Vec2 seen_at(Vec2 place, double pixel) {
  return {std::round(place.x / pixel) * pixel, std::round(place.y / pixel) * pixel};
}

LaunchEstimate::LaunchEstimate(const Scene& scene, const Shot& announced, double aim_noise, double pixel,
                               const std::vector<int>& steps, const std::optional<Bounds>& window)
    : stage_{.profile = scene.profile,
             .slingshot = scene.slingshot,
             .half_width = scene.half_width,
             .birds = scene.birds,
             .next_bird = scene.next_bird},
      announced_(announced),
      aim_noise_(aim_noise),
      pixel_(pixel) {
  int undisturbed = std::numeric_limits<int>::max();
  for (const double e : {-farthest, 0.0, farthest}) {
    Shot shot = announced;
    shot.angle += e * aim_noise;
    undisturbed = std::min(undisturbed, undisturbed_steps(scene, shot));
  }
  std::copy_if(steps.begin(), steps.end(), std::back_inserter(steps_),
               [&](int step) { return step < undisturbed; });
  if (window) {
    const std::vector<Vec2> places = flight_at(0);
    std::vector<int> inside;
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (places[i].x >= window->xmin && places[i].x <= window->xmax && places[i].y >= window->ymin &&
          places[i].y <= window->ymax)
        inside.push_back(steps_[i]);
    steps_ = std::move(inside);
  }
  expected_ = flight_at(0);
  const std::vector<Vec2> less = flight_at(-slope_width), more = flight_at(slope_width);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    slope_.push_back((0.5 / slope_width) * (more[i] - less[i]));
    information_ += dot(slope_[i], slope_[i]);
  }
  error_ = information_ > 0 ? pixel_ / std::sqrt(12 * information_) : std::numeric_limits<double>::infinity();
}

std::vector<Vec2> LaunchEstimate::flight_at(double e) const {
  Shot shot = announced_;
  shot.angle += e;
  const BirdType& bird = stage_.profile->bird(stage_.birds[stage_.next_bird]);
  const Trajectory path = flight(stage_, bird, shot);
  std::vector<Vec2> places;
  for (const int step : steps_) places.push_back(path.at(step * stage_.profile->step) - bird.centre);
  return places;
}

long LaunchEstimate::cell(const std::vector<Vec2>& places) const {
  if (!informative()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    sum += dot(slope_[i], seen_at(places[i], pixel_) - expected_[i]);
  return std::lround(sum / information_ / error_);
}

long LaunchEstimate::cell_of(double e) const { return cell(flight_at(e)); }

double LaunchEstimate::draw(long cell, Random& random) const {
  if (!informative()) return launch_error(aim_noise_, random);
  const double middle = static_cast<double>(cell) * error_,
               nearest = std::max(0.0, std::fabs(middle) - reach * error_);
  const double densest = relative_launch_error_density(nearest, aim_noise_);
  double best = middle;
  long best_miss = std::numeric_limits<long>::max();
  for (int i = 0; i < patience; ++i) {
    const double e = random.uniform(middle - reach * error_, middle + reach * error_);
    // The density at e over the largest in reach. Where there is none, no launch of the normal world is seen
    // in the cell, and all are alike.
    if (random.uniform() * densest > relative_launch_error_density(e, aim_noise_)) continue;
    const long miss = std::labs(cell_of(e) - cell);
    if (miss == 0) return e;
    if (miss < best_miss) {
      best_miss = miss;
      best = e;
    }
  }
  return best;
}

}  // namespace startle
