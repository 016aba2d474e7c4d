#pragma once
/// \file  Which object rests on which.
#include <vector>

#include "reasoning/qualitative/era.hpp"
#include "reasoning/qualitative/scene_shapes.hpp"
#include "sim/scene.hpp"

namespace startle {

/// A centre of mass that lies over the edge of its support by no more than this still counts as supported.
/// World units.
inline constexpr double balance_tolerance = 0.001;

/// `lower` carries `upper`: they touch where the contact normal is within 45 degrees of the vertical, `lower`
/// being below. `kind` is the ERA class of the contact within the upper object's x-interval, taken symmetric
/// about its centre of mass (for boxes the centre of the interval itself).
struct Support {
  std::size_t lower = 0, upper = 0;  ///< object indices; lower may be ground_index
  Interval contact;                  ///< x-interval of the parts that touch
  SupporterClass kind = SupporterClass::centre;
};

/// The ground as a supporter.
inline constexpr std::size_t ground_index = static_cast<std::size_t>(-1);

/// Support relation of all living objects, by exact contact between their shapes. Static objects support but
/// need no support. Holds the shapes it was computed from, which later predicates read. It depends on poses
/// alone: scenes that differ in parameters may share it.
struct SupportGraph {
  std::vector<Support> edges;
  std::vector<std::vector<std::size_t>> supporters;  ///< per object: edges in which it is upper
  std::vector<std::vector<std::size_t>> supportees;  ///< per object: edges in which it is lower
  SceneShapes geometry;
};
SupportGraph support_graph(const Scene& scene, double tolerance = contact_tolerance);

}  // namespace startle
