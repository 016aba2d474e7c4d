#pragma once
/// \file  The geometry of a scene where it stands, computed once and read by every predicate.
#include <vector>

#include "reasoning/qualitative/contact.hpp"
#include "reasoning/qualitative/trajectory.hpp"
#include "sim/scene.hpp"

namespace startle {

/// Objects whose gap is at most this count as touching: both shapes' polygon skins in the engine (2 x 0.01)
/// and its slop. World units.
inline constexpr double contact_tolerance = 0.03;

/// A piece of one object that touches a piece of another; the normal points from `first` to `second`.
struct PieceContact {
  std::size_t first = 0, second = 0;  ///< object indices
  Contact contact;
};

/// World-frame shape (without outlines), bounds and obstacle of each object, by object index, and what
/// touches. Entries of dead objects are empty: look at SceneObject::alive first. Valid as long as no object
/// moves or dies; parameters may change.
struct SceneShapes {
  std::vector<Shape> shapes;
  std::vector<Bounds> bounds;
  std::vector<Obstacle> obstacles;
  /// Between living objects that are not both static; by the lower of the two indices, then by the higher.
  std::vector<PieceContact> contacts;
};

/// Pairs of objects whose boxes overlap are found by a sweep along x: n log n for n objects of a bounded
/// height of stack. `tolerance`: widest gap at which pieces touch, world units.
SceneShapes scene_shapes(const Scene& scene, double tolerance = contact_tolerance);

}  // namespace startle
