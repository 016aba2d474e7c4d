#include "difficulty/detection_features.hpp"

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "reasoning/impulse/visibility.hpp"
#include "reasoning/qualitative/targets.hpp"

namespace startle {

namespace {

/// Slides and bounces are taken to be no longer than this, world units, and motion no longer than that, s.
constexpr double longest_way = 5, longest_motion = 3;
/// A body is taken to be no smaller when it turns, world units, and no more of a turn is seen, rad.
constexpr double least_size = 0.1, most_turn = 2;
/// Changes count up to this logarithm of a ratio.
constexpr double greatest_log_ratio = 3;
/// Where one of two values is 0: the least that counts in a ratio.
constexpr double least_value = 0.02;

/// |log(b/a)|, capped.
double log_ratio(double a, double b) {
  return std::min(std::abs(math::log(std::max(b, least_value) / std::max(a, least_value))),
                  greatest_log_ratio);
}

/// What acts on a moving object in a world.
struct Forces {
  double weight = 0;   ///< downward acceleration, m/s^2
  Vec2 sideways;       ///< other accelerations, m/s^2
  double damping = 0;  ///< 1/s
};

/// On the object of that index; null: on a bird.
Forces forces_on(const Scene& scene, const Parameters& parameters, std::size_t index,
                 const SceneObject* object) {
  Forces forces{.weight = scene.profile->gravity * parameters.gravity_scale,
                .sideways = {},
                .damping = parameters.linear_damping};
  if (!scene.world) return forces;
  const WorldChange& world = *scene.world;
  const double pull = forces.weight * world.gravity;
  forces.weight = pull * math::cos(world.tilt);
  forces.sideways.x = pull * math::sin(world.tilt);
  forces.damping += world.air_drag;
  for (const ForceField& field : world.fields)
    if (object ? field.on.selects(index, *object) : field.on_birds) {
      // In gusts, for half of the time; of a pull only its size is known.
      const double share = field.period > 0 ? 0.5 : 1;
      forces.sideways = forces.sideways + share * (field.acceleration + Vec2{std::abs(field.pull), 0});
    }
  return forces;
}

/// Distance in a time at a speed that damping brakes, m.
double braked(double speed, double damping, double time) {
  return damping * time > 1e-6 ? speed * (1 - math::exp(-damping * time)) / damping : speed * time;
}

/// What differences of places, velocities and chances are counted in before their logarithm: a pixel, world
/// units; m/s; 1.
constexpr double least_seen = 0.07;

bool blows_alike(const Scene& normal, const Scene& novel) {
  return std::equal(normal.objects.begin(), normal.objects.end(), novel.objects.begin(),
                    [](const SceneObject& a, const SceneObject& b) {
                      const Parameters &p = a.parameters, &q = b.parameters;
                      return p.density == q.density && p.friction == q.friction &&
                             p.restitution == q.restitution && p.gravity_scale == q.gravity_scale &&
                             a.life == b.life && p.defence == q.defence;
                    });
}

/// By what a world multiplies friction on the ground: mixed with that of what slides there.
double ground_share(const Scene& novel) { return novel.world ? std::sqrt(novel.world->ground_friction) : 1; }

/// Where the object would be elsewhere, by one mechanism each; p and q are what is predicted of it in the
/// normal and in the novel world.
void compare_motion(ObjectChange& c, const Scene& normal, const Scene& novel, const MotionPrediction& p,
                    const MotionPrediction& q) {
  const SceneObject &a = normal.objects[c.object], &b = novel.objects[c.object];
  const double speed = std::sqrt(2 * std::max(p.energy, q.energy));
  const Forces usual = forces_on(normal, a.parameters, c.object, &a),
               now = forces_on(novel, b.parameters, c.object, &b);
  // Falling: in the time that the normal fall takes.
  const double fall_time = usual.weight > 0 ? std::min(std::sqrt(2 * c.drop / usual.weight), longest_motion)
                                            : longest_motion;
  const double usual_fall = usual.weight * fall_time * fall_time / 2;
  const double fall_now = now.weight * fall_time * fall_time / 2 *
                          (1 - std::min((now.damping - usual.damping) * fall_time / 3, 1.0));
  c.fall = std::min(std::abs(fall_now - usual_fall), longest_way);
  // Sliding, on what it lies on.
  const auto way = [](const MotionPrediction& m, const Forces& forces, double ground) {
    const double brake = m.friction * ground * std::max(forces.weight, 0.0), v = std::abs(m.velocity.x);
    return brake > 0 ? std::min(v * v / (2 * brake), longest_way) : v > 0 ? longest_way : 0;
  };
  // What slides comes to the ground, where it is not on it.
  c.slide = std::abs(way(q, now, ground_share(novel)) - way(p, usual, 1));
  // Bouncing, where it strikes something after its fall or flies against it.
  const double landing = std::sqrt(speed * speed + 2 * std::max(usual.weight, 0.0) * c.drop);
  const double least = normal.profile->default_restitution;
  const double e = std::max(a.parameters.restitution, least),
               e_now = std::max(b.parameters.restitution, least);
  if (landing > least_bounce_speed && usual.weight > 0)
    c.bounce = std::min(std::abs(e_now * e_now - e * e) * landing * landing / (2 * usual.weight),
                        longest_way);
  // Moving freely: under way for as long as it falls or friction lets it slide.
  const double slide_time = p.friction > 0 && usual.weight > 0
                                ? std::min(speed / (p.friction * usual.weight), longest_motion)
                                : (speed > 0 ? longest_motion : 0);
  const double time = std::max(fall_time, slide_time);
  const double pushed = length(now.sideways - usual.sideways) * time * time / 2;
  c.glide = std::min(std::abs(braked(speed, now.damping, time) - braked(speed, usual.damping, time)) + pushed,
                     longest_way);
  // Turning: at the rate of its speed over its size, seen as far as its size.
  const double size = std::sqrt(a.shape->area), rate = speed / std::max(size, least_size);
  c.turn = std::min(std::abs(braked(rate, b.parameters.angular_damping, time) -
                             braked(rate, a.parameters.angular_damping, time)),
                    most_turn) *
           size;
}

/// By how much its parameters change.
void compare_parameters(ObjectChange& c, const Scene& normal, const Scene& novel) {
  const SceneObject &a = normal.objects[c.object], &b = novel.objects[c.object];
  const Forces usual = forces_on(normal, a.parameters, c.object, &a),
               now = forces_on(novel, b.parameters, c.object, &b);
  const Parameters &x = a.parameters, &y = b.parameters;
  c.density = log_ratio(x.density, y.density);
  const double ground = ground_share(novel);
  for (const auto& [before, after] : {std::pair{x.friction, y.friction}, std::pair{1.0, ground}}) {
    double& change = after > before ? c.more_friction : c.less_friction;
    change = std::max(change, log_ratio(before, after));
  }
  c.restitution = std::min(std::abs(x.restitution - y.restitution), greatest_log_ratio);
  c.weight = log_ratio(usual.weight, now.weight);
  c.damping = std::min(std::abs(now.damping - usual.damping), greatest_log_ratio);
  c.turning = std::min(std::abs(x.angular_damping - y.angular_damping) / 10, greatest_log_ratio);
  c.toughness = std::max(log_ratio(a.life, b.life),
                         std::min(std::abs(x.defence - y.defence) / a.life, greatest_log_ratio));
  c.push = std::min(length(now.sideways - usual.sideways), greatest_log_ratio);
}

/// What becomes of the bird: its contacts in either world.
void compare_birds(LaunchChange& f, const std::vector<BirdContact>& usual,
                   const std::vector<BirdContact>& now) {
  f.impact_speed = length(usual.front().before);
  for (std::size_t k = 0; k < std::max(usual.size(), now.size()); ++k) {
    const BirdContact &a = usual[std::min(k, usual.size() - 1)], &b = now[std::min(k, now.size() - 1)];
    f.bird_kick += length(a.after - b.after);
  }
}

/// How far off the bird is where it first touches something.
double flight_apart(const Scene& normal, const Scene& novel, const BirdType& bird,
                    const Trajectory& trajectory) {
  if (!novel.world) return 0;
  const Forces usual = forces_on(normal, bird.parameters, 0, nullptr),
               now = forces_on(novel, bird.parameters, 0, nullptr);
  const double t = trajectory.time;
  const Vec2 off{0.5 * t * t * (now.sideways.x - usual.sideways.x),
                 0.5 * t * t * (now.sideways.y - now.weight + usual.weight)};
  return length(off) + 0.5 * (now.damping - usual.damping) * t * t * length(trajectory.velocity);
}

}  // namespace

ShotComparison::ShotComparison(const Scene& normal, const Scene& novel, const SupportGraph& graph,
                               const ContactNetwork& network, KnockOn& shots)
    : normal_(normal), novel_(novel), graph_(graph), shots_(shots) {
  if (blows_alike(normal, novel)) return;
  novel_network_ = contact_network(novel, graph.geometry, network);
  novel_shots_.emplace(novel, graph, novel_network_);
}

LaunchChange ShotComparison::launch(const Shot& announced) {
  LaunchChange f;
  const BirdType& bird = normal_.bird();
  const std::optional<FirstTouch> touch = first_touched(normal_, graph_.geometry, bird, announced);
  if (!touch) return f;
  const KnockOn& shot = shots_;
  const std::vector<ImpactedObject>& impacted = shots_.follow(touch->object, bird, touch->trajectory);
  const std::vector<ImpactedObject>* in_novel = &impacted;
  if (novel_shots_) in_novel = &novel_shots_->follow(touch->object, bird, touch->trajectory);
  if (touch->object != ground_index) f.touched = touch->object;
  const KnockOn& novel_shot = novel_shots_ ? *novel_shots_ : shot;
  const auto drop_of = [](const std::vector<ImpactedObject>& list, std::size_t i) {
    const ImpactedObject* found = find_impacted(list, i);
    return found ? found->drop : 0.0;
  };
  f.objects.reserve(normal_.objects.size());
  for (std::size_t i = 0; i < normal_.objects.size(); ++i) {
    const SceneObject &a = normal_.objects[i], &b = novel_.objects[i];
    if (!a.alive || a.is_static()) continue;
    const MotionPrediction p = shot.prediction(i), q = novel_shots_ ? novel_shot.prediction(i) : p;
    const double death = chance_of_death(p, a.parameters.defence, a.life),
                 novel_death = chance_of_death(q, b.parameters.defence, b.life);
    f.moving += p.moves;
    ObjectChange& c = f.objects.emplace_back();
    c.object = i;
    c.novel = b.novel || (novel_.world && acts_everywhere(*novel_.world, i, b));
    c.mass = a.mass() / bird.mass();
    c.moves = 0.5 * (p.moves + q.moves);
    c.dies = death;
    c.fate = std::abs(death - novel_death);
    c.unlike = std::abs(p.moves - q.moves);
    c.drop = std::max(drop_of(impacted, i), drop_of(*in_novel, i));
    if (!c.novel) continue;

    compare_motion(c, normal_, novel_, p, q);
    compare_parameters(c, normal_, novel_);
  }
  f.flight_time = touch->trajectory.time;
  f.bird_flight = flight_apart(normal_, novel_, bird, touch->trajectory);
  compare_birds(f, shot.bird_contacts(), novel_shot.bird_contacts());
  return f;
}

std::vector<LaunchChange> ShotComparison::launches(const Shot& announced, double aim_noise) {
  // Three launches of equal weight, at 0 and +-sqrt(3/2), have a variance of 1.
  static const double spread = std::sqrt(1.5);
  std::vector<LaunchChange> launches;
  for (const double off : {-spread, 0.0, spread}) {
    Shot shot = announced;
    shot.angle += off * aim_noise;
    launches.push_back(launch(shot));
  }
  return launches;
}

const std::vector<DetectionFeatureInfo>& detection_feature_table() {
  using F = DetectionFeatures;
  static const std::vector<DetectionFeatureInfo> table{
      {"fall", &F::fall, true},
      {"slide", &F::slide, true},
      {"bounce", &F::bounce, true},
      {"glide", &F::glide, true},
      {"turn", &F::turn, true},
      {"fate", &F::fate, true},
      {"unlike", &F::unlike, true},
      {"density", &F::density, true},
      {"more_friction", &F::more_friction, true},
      {"less_friction", &F::less_friction, true},
      {"restitution", &F::restitution, true},
      {"weight", &F::weight, true},
      {"damping", &F::damping, true},
      {"turning", &F::turning, true},
      {"toughness", &F::toughness, true},
      {"push", &F::push, true},
      {"novel_mass", &F::novel_mass, true},
      {"bird_flight", &F::bird_flight, true},
      {"bird_kick", &F::bird_kick, true},
      {"moving", &F::moving, false},
      {"flight_time", &F::flight_time, false},
      {"impact_speed", &F::impact_speed, false},
  };
  return table;
}

DetectionFeatures detection_features(const LaunchChange& launch, std::optional<std::size_t> only) {
  using F = DetectionFeatures;
  using C = ObjectChange;
  struct Product {
    double F::*feature;
    double C::*change;
    bool logarithmic;
  };
  static constexpr Product products[] = {{&F::fall, &C::fall, true},
                                         {&F::slide, &C::slide, true},
                                         {&F::bounce, &C::bounce, true},
                                         {&F::glide, &C::glide, true},
                                         {&F::turn, &C::turn, true},
                                         {&F::fate, &C::fate, true},
                                         {&F::unlike, &C::unlike, true},
                                         {&F::density, &C::density, false},
                                         {&F::more_friction, &C::more_friction, false},
                                         {&F::less_friction, &C::less_friction, false},
                                         {&F::restitution, &C::restitution, false},
                                         {&F::weight, &C::weight, false},
                                         {&F::damping, &C::damping, false},
                                         {&F::turning, &C::turning, false},
                                         {&F::toughness, &C::toughness, false},
                                         {&F::push, &C::push, false}};
  DetectionFeatures f;
  for (const ObjectChange& object : launch.objects) {
    if (only && object.object != *only) continue;
    for (const auto& [feature, change, logarithmic] : products) {
      if (object.*change == 0) continue;
      const double size = logarithmic ? math::log1p(object.*change / least_seen) : object.*change;
      f.*feature = std::max(f.*feature, object.moves * size);
    }
    f.change = std::max(f.change, object.motion_change() + object.toughness);
    if (object.motion_change() > 0) f.novel_mass += object.moves * object.mass;
  }
  f.novel_mass = math::log1p(f.novel_mass);
  f.bird_flight = math::log1p(launch.bird_flight);
  if (!only || launch.touched == only) f.bird_kick = math::log1p(launch.bird_kick);
  f.change += launch.bird_flight;
  f.moving = math::log1p(launch.moving);
  f.flight_time = math::log1p(launch.flight_time);
  f.impact_speed = math::log1p(launch.impact_speed);
  return f;
}

DetectionFeatures detection_features(const std::vector<LaunchChange>& launches,
                                     std::optional<std::size_t> only) {
  DetectionFeatures mean;
  const double share = 1 / static_cast<double>(launches.size());
  for (const LaunchChange& launch : launches) {
    const DetectionFeatures f = detection_features(launch, only);
    for (const DetectionFeatureInfo& info : detection_feature_table())
      mean.*info.member += share * f.*info.member;
    mean.change += share * f.change;
  }
  return mean;
}

}  // namespace startle
