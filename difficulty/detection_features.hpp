#pragma once
/// \file  What reasoning predicts of a shot in the normal and in the novel world, as far as it bears on
/// whether an observer detects the novelty.
///
/// A shot is followed in both worlds (reasoning/impulse/knock_on.hpp), and what is predicted of each object
/// and of the bird is compared. Nothing is simulated. Nobody launches exactly: the same is done for launches
/// off the announced one by aim noise, and features are expectations over these. detection_model.hpp makes a
/// probability of them.
#include <cstddef>
#include <optional>
#include <vector>

#include "reasoning/impulse/knock_on.hpp"
#include "reasoning/qualitative/support.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"

namespace startle {

/// By how much a novelty would change what one object does in a shot, were the object to move for sure.
/// Distances are those between its place in either world by one mechanism alone, world units, 0 to 5.
struct ObjectChange {
  std::size_t object = 0;
  bool novel = false;  ///< itself novel, or in a world that acts on it; others are only struck otherwise
  double mass = 0;     ///< in the normal world, of the bird's
  double moves = 0;    ///< chance that it moves, mean of both worlds
  double dies = 0;     ///< chance that it is destroyed in the normal world
  double fate = 0;     ///< by how much the worlds differ in the chance that it is destroyed
  double unlike = 0;   ///< by how much they differ in the chance that it moves
  double drop = 0;     ///< height that it can fall, world units
  double fall = 0;     ///< falling under another weight, or braked
  double slide = 0;    ///< sliding on another friction, weight or speed
  double bounce = 0;   ///< bouncing higher or less high
  double glide = 0;    ///< moving freely under another damping, wind or tilt
  double turn = 0;     ///< turning under another angular damping
  // By how much its parameters change, whatever it does, 0 to 3: |log ratio|, or where a parameter may be 0
  // the difference (restitution; damping, 1/s; angular damping, 10/s; defence, of its life; push, m/s^2).
  double density = 0, more_friction = 0, less_friction = 0, restitution = 0, weight = 0, damping = 0,
         turning = 0, toughness = 0, push = 0;
  /// Of all that says how it moves.
  double motion_change() const {
    return density + more_friction + less_friction + restitution + weight + damping + turning + push;
  }
};

/// One launch in both worlds.
struct LaunchChange {
  std::vector<ObjectChange> objects;   ///< living ones that can move, in order of index
  std::optional<std::size_t> touched;  ///< object that the bird touches first; empty: the ground or nothing
  double moving = 0;                   ///< expected number of objects that move in the normal world
  double flight_time = 0;              ///< s to the first contact
  double impact_speed = 0;             ///< of the bird, m/s
  double bird_flight = 0;  ///< distance by which it flies elsewhere up to its first contact, world units
  double bird_kick = 0;    ///< sum over its contacts of the difference of its velocities after them, m/s
};

/// What the probability is made of. Of one launch first, then expected over launches. `moved` stands for the
/// chance that an object moves; of several objects the largest product counts. log1 is log(1 + x).
struct DetectionFeatures {
  // Evidence: 0 where nothing is changed, and the larger, the likelier it is detected.
  double fall = 0, slide = 0, bounce = 0, glide = 0, turn = 0;  ///< moved x log1(distance/a pixel)
  double fate = 0, unlike = 0;                                  ///< moved x log1(chance/0.07)
  double density = 0, more_friction = 0, less_friction = 0, restitution = 0, weight = 0, damping = 0,
         turning = 0, toughness = 0, push = 0;  ///< moved x change of the parameter
  double novel_mass = 0;  ///< log1 of the sum of moved x mass, of novel objects that differ in more than life
                          ///< and defence
  double bird_flight = 0, bird_kick = 0;  ///< log1
  double change = 0;  ///< greatest sum of an object's changes of parameters, and bird_flight
  // Circumstances, with and without a novelty: how much else there is to see, and how far apart normal shots
  // are.
  double moving = 0, flight_time = 0, impact_speed = 0;  ///< log1
};

struct DetectionFeatureInfo {
  const char* name;
  double DetectionFeatures::*member;
  bool evidence;  ///< else a circumstance
};
/// All but `change`, in the order above.
const std::vector<DetectionFeatureInfo>& detection_feature_table();

/// The features of one launch. `only`: as if that object alone were changed; differences in the bird's motion
/// are then attributed to the object that it touches first.
DetectionFeatures detection_features(const LaunchChange& launch, std::optional<std::size_t> only = {});

/// Compares shots from one scene in the normal and in the novel world: `novel` is `normal` with the novelty.
/// All must outlive it.
class ShotComparison {
 public:
  /// `network` is contact_network() of `normal`; `shots` follows shots in it.
  ShotComparison(const Scene& normal, const Scene& novel, const SupportGraph& graph,
                 const ContactNetwork& network, KnockOn& shots);
  /// The next bird launched just so.
  LaunchChange launch(const Shot& shot);
  /// `announced` and two launches off it, which together have the mean and the standard deviation of aim
  /// noise of `aim_noise`, rad.
  std::vector<LaunchChange> launches(const Shot& announced, double aim_noise);

 private:
  const Scene& normal_;
  const Scene& novel_;
  const SupportGraph& graph_;
  KnockOn& shots_;
  ContactNetwork novel_network_;
  std::optional<KnockOn> novel_shots_;  ///< empty: blows do the same in both worlds
};

/// Mean of the launches.
DetectionFeatures detection_features(const std::vector<LaunchChange>& launches,
                                     std::optional<std::size_t> only = {});

}  // namespace startle
