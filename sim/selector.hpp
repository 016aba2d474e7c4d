#pragma once
/// \file  Which objects of a scene something concerns.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/kind.hpp"

namespace startle {

struct SceneObject;

/// Those that meet every condition given. No condition: every block, pig and TNT. Never a platform.
struct Selector {
  std::optional<Kind> kind = {};
  std::optional<Material> material = {};
  std::optional<std::string> type = {};
  std::vector<std::size_t> objects = {};  ///< indices in the level; empty: no such condition
  bool selects(std::size_t index, const SceneObject& object) const;
  friend bool operator==(const Selector&, const Selector&) = default;
};

/// The selector for a scene reordered() by `order`: single objects are selected by their new index.
Selector reordered(const Selector& selector, const std::vector<std::size_t>& order);

}  // namespace startle
