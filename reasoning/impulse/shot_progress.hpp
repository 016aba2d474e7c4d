#pragma once
/// \file  Extended method: what a shot that is followed has done so far, blow by blow (knock_on.hpp).
#include <vector>

#include "reasoning/impulse/knock_on.hpp"

namespace startle {

/// Points nearer to each other than this have no direction between them, world units.
inline constexpr double coincident = 1e-9;
/// A contact carries what lies on it when its normal has at least this upward component: up to 45 degrees of
/// slope.
inline constexpr double least_upward = 0.7;

/// What the shot has done to one object.
struct ShotEffect {
  bool moved = false, destroyed = false, lost = false;  ///< lost: supports nothing any more
  bool falls = false;
  bool flips = false;
  FallDirection direction = FallDirection::down;
  double life_lost = 0, dealt = 0;  ///< hit points; dealt: before defence
  int hits = 0;                     ///< that defence was taken off from
  double energy = 0;                ///< greatest, J/kg
  Vec2 velocity;                    ///< m/s, when its energy was greatest
  const char* reason = "";
};

/// An object on its way, which may strike another.
struct Debris {
  std::size_t object = 0;
  BodyVelocity motion;
  bool topples = false;  ///< about an end of its base; else it slides
  bool right = false;
};

/// The objects of a scene during one shot: blows, damage and explosions change them. Scene, graph and network
/// must outlive it.
class ShotProgress {
 public:
  ShotProgress(const Scene& of_scene, const SupportGraph& its_graph, const ContactNetwork& its_network,
               const KnockOnConstants& constants)
      : scene(of_scene),
        graph(its_graph),
        network(its_network),
        constants_(constants),
        blows_in_(its_network) {}
  /// Before a shot: nothing has happened.
  void start();

  /// What moves, at once, when the striker hits `struck` (or ground_index) there; `normal` points into what
  /// is struck. Changes the striker.
  void strike(Striker& striker, std::size_t struck, Vec2 point, Vec2 normal);
  /// strike() by an object of the scene, with the damage to both.
  void strike_with_object(std::size_t object, std::size_t struck, Striker striker, Vec2 point, Vec2 normal);
  /// Takes hit points off. `defended`: whether the object's defence, once, has been taken off the damage
  /// already.
  void hurt(std::size_t object, double damage, bool defended);
  /// Impulse and damage to all within the radius but `self` (ground_index: nobody).
  void explode(const Explosion& explosion, Vec2 centre, std::size_t self);

  /// True until as many blows are followed as matter.
  bool goes_on() const;
  /// Whether object i, on its way, can strike object j.
  bool in_the_way(std::size_t j, std::size_t i) const;
  double gravity_of(std::size_t i) const {
    return scene.profile->gravity * scene.objects[i].parameters.gravity_scale;
  }
  /// Greatest coefficient among the contacts that the object lies on; 0 where it lies on nothing.
  double friction_below(std::size_t i) const;

  const Scene& scene;
  const SupportGraph& graph;
  const ContactNetwork& network;
  std::vector<ShotEffect> effects;  ///< by object index
  std::vector<char> gone;           ///< objects that no longer take part, by index
  std::vector<std::size_t> lost;  ///< objects that support nothing any more, in the order in which they were
                                  ///< lost
  std::vector<Debris> debris;     ///< in the order in which it was set on its way
  std::vector<BirdContact> bird_contacts;

 private:
  void set_moving(std::size_t i, const BodyVelocity& motion);
  void lose(std::size_t i);
  double object_damage(std::size_t i, double speed, double attacker_mass) const;

  KnockOnConstants constants_;
  BlowSpreader blows_in_;
  int blows_ = 0;
};

}  // namespace startle
