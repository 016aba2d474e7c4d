#pragma once
/// \file  A scene with its objects in geometric order: what reasoning and simulated difficulty begin with.
#include <cstddef>
#include <memory>
#include <vector>

#include "sim/novelty.hpp"
#include "sim/scene.hpp"

namespace startle {

/// A scene whose objects are in geometric_order(), so that no figure depends on the order in which a file
/// lists them.
///
/// Functions that compute difficulty take one, and any scene becomes one by being passed to them. Here alone
/// objects are put in order. They keep the order of their file everywhere else, for their number there is
/// what traces, agents, viewers and novelties of single objects call them.
class OrderedScene {
 public:
  OrderedScene(const Scene& level)
      : order_(geometric_order(level)), scene_(std::make_shared<const Scene>(reordered(level, order_))) {}

  const Scene& scene() const { return *scene_; }
  const std::shared_ptr<const Scene>& shared() const { return scene_; }
  /// The novelty for the scene in order: single objects are selected by their place in it.
  Novelty novelty(const Novelty& of_level) const { return reordered(of_level, order_); }
  /// Numbers of the objects in the scene that was given, per object.
  const std::vector<std::size_t>& numbers() const { return order_; }
  /// Turns the place of an object into its number in the scene that was given.
  void rename(std::size_t& object) const { object = order_[object]; }

 private:
  std::vector<std::size_t> order_;
  std::shared_ptr<const Scene> scene_;
};

}  // namespace startle
