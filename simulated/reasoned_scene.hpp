#pragma once
/// \file  What the validations share: the methods of reasoning side by side, and a scene with what they
/// compute once for it.
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "difficulty/impact_score.hpp"
#include "reasoning/impulse/bracing.hpp"
#include "reasoning/impulse/knock_on.hpp"
#include "reasoning/qualitative/movement.hpp"
#include "reasoning/qualitative/support.hpp"
#include "reasoning/qualitative/trajectory.hpp"
#include "sim/scene.hpp"

namespace startle {

/// The methods of reasoning that are held against the same simulation, side by side.
inline constexpr std::array<Method, 2> validated_methods{Method::published, Method::extended};

/// One T for each of them.
template <typename T>
class ByMethod {
 public:
  T& operator[](Method method) { return values_[static_cast<std::size_t>(method)]; }
  const T& operator[](Method method) const { return values_[static_cast<std::size_t>(method)]; }

 private:
  std::array<T, validated_methods.size()> values_{};
};

inline bool is_movable(const SceneObject& object) { return object.alive && !object.is_static(); }

/// A scene with what the reasoning about hits computes once for it. Belongs to one thread.
struct ReasonedScene {
  const Scene& scene;
  const SupportGraph& graph;  ///< geometry only: the same in the normal and in the novel world
  ContactNetwork network;
  KnockOn shots;  ///< of the extended method, one after the other

  /// Both must outlive it.
  ReasonedScene(const Scene& of, const SupportGraph& its_graph)
      : scene(of),
        graph(its_graph),
        network(contact_network(of, its_graph.geometry)),
        shots(of, its_graph, network) {}
  ReasonedScene(const ReasonedScene&) = delete;

  const BirdType& bird() const { return scene.profile->bird(scene.birds[scene.next_bird]); }
  std::vector<ImpactedObject> impacted(Method method, std::size_t target, const Trajectory& trajectory) {
    return method == Method::extended ? shots.follow(target, bird(), trajectory)
                                      : impacted_objects(scene, graph, target, bird());
  }
};

}  // namespace startle
