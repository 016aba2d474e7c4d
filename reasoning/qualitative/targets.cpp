#include "reasoning/qualitative/targets.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/math.hpp"
#include "reasoning/qualitative/support.hpp"

namespace startle {
namespace {

/// Widest gap between sampled launch angles, radians.
constexpr int coarse_steps_to_vertical = 90;
constexpr double coarse_gap = 0.5 * std::numbers::pi / coarse_steps_to_vertical;
/// A gap at whose ends different objects are touched first is halved until it is no wider than this, radians.
constexpr double fine_gap = 0.04 * std::numbers::pi / 180;

constexpr int nothing = -1;  ///< the ground, or the sky

/// What one launch angle meets.
struct Sample {
  double angle = 0;
  int first = nothing;  ///< object touched first
};

/// An object reached although it is not the first touched: the first does not stand in the relation to it.
struct LaterReach {
  std::size_t sample = 0;
  std::size_t object = 0;
};

/// Without gravity a path may never come down; the bird then dies after this time. Seconds.
constexpr double longest_flight = 20;

double end_of(const Scene& scene, const Trajectory& path) {
  return first_ground_contact(path, scene.profile->ground_y, math::infinity).value_or(longest_flight);
}

/// The point of the obstacle's border nearest to a disc's centre.
Vec2 touched_point(Vec2 centre, const Obstacle& obstacle) {
  Vec2 nearest = centre;
  double least = math::infinity;
  const auto consider = [&](Vec2 p) {
    const double d = length(p - centre);
    if (d < least) {
      least = d;
      nearest = p;
    }
  };
  for (const Obstacle::Edge& e : obstacle.edges)
    consider(e.from + std::clamp(dot(e.along, centre - e.from), 0.0, e.length) * e.along);
  for (const Disc& d : obstacle.discs)
    if (const double apart = length(centre - d.centre); apart > 0)
      consider(d.centre + (d.radius / apart) * (centre - d.centre));
  return nearest;
}

/// The flight that touches the obstacle at that time.
Trajectory touching(const Scene& scene, const Obstacle& obstacle, Trajectory path, double time) {
  path.time = time;
  path.aim = touched_point(path.at(time), obstacle);
  path.upper = on_upper_parabola(scene, path, time);
  return path;
}

class AngleSweep {
 public:
  AngleSweep(const Scene& scene, const SceneShapes& geometry, const BirdType& bird, const Relation& relation)
      : scene_(scene),
        geometry_(geometry),
        bird_(bird),
        relation_(relation),
        obstacles_(geometry.obstacles),
        free_of_(scene.objects.size()),
        free_known_(scene.objects.size(), false) {
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      if (!scene.objects[i].alive) continue;
      rightward_.push_back(i);
    }
    leftward_ = rightward_;
    const std::vector<Bounds>& boxes = geometry.bounds;
    std::stable_sort(rightward_.begin(), rightward_.end(),
                     [&](std::size_t a, std::size_t b) { return boxes[a].xmin < boxes[b].xmin; });
    std::stable_sort(leftward_.begin(), leftward_.end(),
                     [&](std::size_t a, std::size_t b) { return boxes[a].xmax > boxes[b].xmax; });
    for (std::size_t i : rightward_) rightward_boxes_.push_back(boxes[i]);
    for (std::size_t i : leftward_) leftward_boxes_.push_back(boxes[i]);
  }

  std::vector<Target> run() {
    sweep_side(true);
    sweep_side(false);
    return targets();
  }

 private:
  bool may_be_target(std::size_t i) const { return !scene_.objects[i].is_static(); }

  /// Samples the angles of shots to one side.
  void sweep_side(bool right) {
    // The path never rises above the straight line of its launch, which passes through the rest position: no
    // object is reached below the steepness of the line to its lowest inflated corner. All measured with the
    // side as +x.
    const Vec2 rest = scene_.rest() + bird_.centre;
    const double r = bird_.radius, pull = scene_.profile->max_stretch;
    double least_slope = math::infinity;
    for (std::size_t i : rightward_) {
      if (!may_be_target(i)) continue;
      const Bounds& b = geometry_.bounds[i];
      const double near = (right ? b.xmin - rest.x : rest.x - b.xmax) - r,
                   far = (right ? b.xmax - rest.x : rest.x - b.xmin) + r;
      if (far <= -pull)
        continue;  // the bird never gets there: it flies on from at most `pull` behind the rest position
      if (near <= pull) {
        least_slope = -math::infinity;
        break;
      }
      const double drop = b.ymin - r - rest.y;
      least_slope = std::min(least_slope, drop / (drop < 0 ? near : far));
    }
    if (least_slope == math::infinity) return;
    // Angles on a fixed grid, so that shots do not carry the rounding of a library's arc tangent.
    const int lowest = static_cast<int>(std::floor(math::atan(least_slope) / coarse_gap));
    if (!samples_.empty()) samples_.emplace_back();  // no run of samples reaches across the vertical
    Sample previous;
    for (int i = lowest; i <= coarse_steps_to_vertical; ++i) {
      const double elevation = i * coarse_gap;
      const Sample sample = meet(right ? elevation : std::numbers::pi - elevation);
      if (i > lowest) refine(previous, sample);
      push(sample);
      previous = sample;
    }
  }

  void refine(const Sample& a, const Sample& b) {
    if (a.first == b.first || std::abs(b.angle - a.angle) <= fine_gap) return;
    const Sample middle = meet(0.5 * (a.angle + b.angle));
    refine(a, middle);
    push(middle);
    refine(middle, b);
  }

  /// The first object on the path of a shot.
  Sample meet(double angle) {
    const Trajectory path = flight(scene_, bird_, {.angle = angle});
    const double t_end = end_of(scene_, path);
    Sample sample{angle, nothing};
    double best = t_end;
    const SweptDisc disc(path);
    const bool right = path.velocity.x >= 0;
    const std::vector<std::size_t>& order = right ? rightward_ : leftward_;
    const std::vector<Bounds>& boxes = right ? rightward_boxes_ : leftward_boxes_;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Bounds& b = boxes[k];
      const double entry = ((right ? b.xmin - disc.radius : b.xmax + disc.radius) - disc.start.x) *
                           disc.per_speed;
      if (entry > best) break;  // and so for all that follow
      if (!disc.may_touch(b, best)) continue;
      const double t = disc.first_contact(obstacles_[order[k]], best);
      if (t < best) {
        best = t;
        sample.first = static_cast<int>(order[k]);
      }
    }
    return sample;
  }

  void push(const Sample& sample) {
    if (sample.first != nothing) add_later(sample);
    samples_.push_back(sample);
  }

  /// Objects to which the first one touched does not stand in the relation, and that are reached after it.
  void add_later(const Sample& sample) {
    const auto first = static_cast<std::size_t>(sample.first);
    if (!free_known_[first]) {
      free_known_[first] = true;
      for (std::size_t o : rightward_)
        if (o != first && may_be_target(o) && !relation_(geometry_.bounds[o], geometry_.bounds[first]))
          free_of_[first].push_back(o);
    }
    if (free_of_[first].empty()) return;
    const Trajectory path = flight(scene_, bird_, {.angle = sample.angle});
    const SweptDisc disc(path);
    const double t_end = end_of(scene_, path);
    for (std::size_t o : free_of_[first]) {
      const double t = disc.first_contact(obstacles_[o], t_end);
      if (t > t_end || blocked(disc, o, t)) continue;
      later_.push_back({samples_.size(), o});
    }
  }

  bool blocked(const SweptDisc& disc, std::size_t o, double t) const {
    return std::any_of(rightward_.begin(), rightward_.end(), [&](std::size_t j) {
      return j != o && disc.may_touch(geometry_.bounds[j], t) &&
             relation_(geometry_.bounds[o], geometry_.bounds[j]) && disc.first_contact(obstacles_[j], t) < t;
    });
  }

  /// One trajectory for each run of neighbouring samples that reach the same object.
  std::vector<Target> targets() {
    std::vector<std::vector<Trajectory>> reaching(scene_.objects.size());
    for (std::size_t begin = 0; begin < samples_.size();) {
      std::size_t end = begin + 1;
      while (end < samples_.size() && samples_[end].first == samples_[begin].first) ++end;
      if (samples_[begin].first != nothing) {
        const auto object = static_cast<std::size_t>(samples_[begin].first);
        if (may_be_target(object)) reaching[object].push_back(middle_of(object, begin, end));
      }
      begin = end;
    }
    std::stable_sort(later_.begin(), later_.end(),
                     [](const LaterReach& a, const LaterReach& b) { return a.object < b.object; });
    for (std::size_t begin = 0; begin < later_.size();) {
      std::size_t end = begin + 1;
      while (end < later_.size() && later_[end].object == later_[begin].object &&
             later_[end].sample == later_[end - 1].sample + 1)
        ++end;
      reaching[later_[begin].object].push_back(
          middle_of(later_[begin].object, later_[begin].sample, later_[end - 1].sample + 1));
      begin = end;
    }

    std::vector<Target> found;
    for (std::size_t i = 0; i < reaching.size(); ++i) {
      if (reaching[i].empty()) continue;
      std::stable_sort(reaching[i].begin(), reaching[i].end(), [](const Trajectory& a, const Trajectory& b) {
        return a.upper != b.upper ? b.upper : a.shot.angle < b.shot.angle;
      });
      found.push_back({i, std::move(reaching[i])});
    }
    return found;
  }

  /// The trajectory of the sample nearest to the middle angle of samples [begin, end).
  Trajectory middle_of(std::size_t object, std::size_t begin, std::size_t end) const {
    const double middle = 0.5 * (samples_[begin].angle + samples_[end - 1].angle);
    std::size_t best = begin;
    for (std::size_t k = begin; k < end; ++k)
      if (std::abs(samples_[k].angle - middle) < std::abs(samples_[best].angle - middle)) best = k;
    const Trajectory path = flight(scene_, bird_, {.angle = samples_[best].angle});
    return touching(scene_, obstacles_[object], path,
                    SweptDisc(path).first_contact(obstacles_[object], end_of(scene_, path)));
  }

  const Scene& scene_;
  const SceneShapes& geometry_;
  const BirdType& bird_;
  const Relation& relation_;
  const std::vector<Obstacle>& obstacles_;
  std::vector<std::size_t> rightward_, leftward_;  ///< living objects in the order in which a shot to that
                                                   ///< side comes to them
  std::vector<Bounds> rightward_boxes_, leftward_boxes_;  ///< of these, side by side in memory
  std::vector<std::vector<std::size_t>> free_of_;  ///< per object: those it does not block; filled when first
                                                   ///< needed
  std::vector<bool> free_known_;
  std::vector<Sample> samples_;  ///< neighbours in angle, side after side
  std::vector<LaterReach> later_;
};

}  // namespace

std::vector<Target> find_targets(const Scene& scene, const SceneShapes& geometry, const BirdType& bird,
                                 const Relation& relation) {
  return AngleSweep(scene, geometry, bird, relation).run();
}

std::vector<Target> find_targets(const Scene& scene, const BirdType& bird, const Relation& relation) {
  return find_targets(scene, scene_shapes(scene), bird, relation);
}

std::optional<FirstTouch> first_touched(const Scene& scene, const SceneShapes& geometry, const BirdType& bird,
                                        const Shot& shot) {
  Trajectory path = flight(scene, bird, shot);
  const std::optional<double> on_ground = first_ground_contact(path, scene.profile->ground_y, math::infinity);
  const SweptDisc disc(path);
  double first = on_ground.value_or(longest_flight);
  std::size_t touched = ground_index;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (!scene.objects[i].alive || !disc.may_touch(geometry.bounds[i], first)) continue;
    const double t = disc.first_contact(geometry.obstacles[i], first);
    if (t < first) {
      first = t;
      touched = i;
    }
  }
  if (touched != ground_index)
    return FirstTouch{touched, touching(scene, geometry.obstacles[touched], path, first)};
  if (!on_ground) return std::nullopt;
  path.time = first;
  path.aim = {path.at(first).x, scene.profile->ground_y};
  path.upper = on_upper_parabola(scene, path, first);
  return FirstTouch{ground_index, path};
}

Relation blocking_relation(const Scene& scene) {
  int left = 0, right = 0;
  for (const SceneObject& object : scene.objects)
    if (object.alive && !object.is_static()) ++(object.pose.position.x < scene.slingshot.x ? left : right);
  return left > right ? right_of : left_of;
}

}  // namespace startle
