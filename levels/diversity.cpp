#include "levels/diversity.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace startle {

namespace {

constexpr double square = 0.5;  // side, world units

/// Between lying (0) and standing on end (90), whichever way round.
bool on_end(double rotation_deg) { return std::abs(std::remainder(rotation_deg, 180)) > 45; }

std::string appearance_of(const LevelObject& object) {
  // Squares and circles look the same on end.
  const bool turns = object.kind == Kind::block && object.type.starts_with("Rect") &&
                     on_end(object.rotation_deg);
  return object.type + (turns ? " on end" : "");
}

void cover(std::map<std::pair<int, int>, double>& layout, const Bounds& box) {
  const auto first = [](double low) { return static_cast<int>(std::floor(low / square)); };
  for (int column = first(box.xmin); column * square < box.xmax; ++column) {
    for (int row = first(box.ymin); row * square < box.ymax; ++row) {
      const double width = std::min(box.xmax, (column + 1) * square) - std::max(box.xmin, column * square);
      const double height = std::min(box.ymax, (row + 1) * square) - std::max(box.ymin, row * square);
      if (width > 0 && height > 0) layout[{column, row}] += width * height;
    }
  }
}

/// Calls visit(a's value, b's value) for every key of either in their order, with 0 where it is missing.
template <typename Key, typename Visit>
void join(const std::map<Key, double>& a, const std::map<Key, double>& b, const Visit& visit) {
  auto i = a.begin(), j = b.begin();
  while (i != a.end() || j != b.end()) {
    const bool takes_a = j == b.end() || (i != a.end() && i->first <= j->first);
    const bool takes_b = i == a.end() || (j != b.end() && j->first <= i->first);
    visit(takes_a ? i->second : 0.0, takes_b ? j->second : 0.0);
    if (takes_a) ++i;
    if (takes_b) ++j;
  }
}

}  // namespace

LevelFeatures level_features(const Level& level, const Profile& profile) {
  LevelFeatures features;
  double block_area = 0;
  for (const LevelObject& object : level.objects) {
    const ObjectType* entry = profile.find(object.kind, object.type, object.material);
    if (!entry) throw Error("profile " + profile.name + ": no " + name(object.kind) + " type " + object.type);
    features.structure[appearance_of(object)] += 1.0 / static_cast<double>(level.objects.size());
    if (object.kind == Kind::block) {
      features.materials[static_cast<std::size_t>(object.material) -
                         static_cast<std::size_t>(Material::wood)] += entry->shape->area;
      block_area += entry->shape->area;
    }
    Bounds box = bounds(transformed(*entry->shape, Pose{{}, radians(object.rotation_deg)}));
    const double x = object.position.x - level.slingshot.x, y = object.position.y - profile.ground_y;
    box = {x + object.scale_x * box.xmin, x + object.scale_x * box.xmax, y + object.scale_y * box.ymin,
           y + object.scale_y * box.ymax};
    cover(features.layout, box);
  }
  for (double& share : features.materials)
    if (block_area > 0) share /= block_area;
  return features;
}

double level_distance(const LevelFeatures& a, const LevelFeatures& b) {
  double structure = 0, materials = 0, smaller = 0, larger = 0;
  join(a.structure, b.structure, [&](double x, double y) { structure += 0.5 * std::abs(x - y); });
  for (std::size_t i = 0; i < a.materials.size(); ++i)
    materials += 0.5 * std::abs(a.materials[i] - b.materials[i]);
  join(a.layout, b.layout, [&](double x, double y) {
    smaller += std::min(x, y);
    larger += std::max(x, y);
  });
  const double layout = larger > 0 ? 1 - smaller / larger : 0;
  return (structure + materials + layout) / 3;
}

Diversity diversity(const std::vector<LevelFeatures>& levels) {
  Diversity result;
  const std::size_t n = levels.size();
  if (n < 2) return result;
  std::vector<double> nearest(n, 1);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double distance = level_distance(levels[i], levels[j]);
      sum += distance;
      nearest[i] = std::min(nearest[i], distance);
      nearest[j] = std::min(nearest[j], distance);
    }
  }
  result.mean = sum / (0.5 * static_cast<double>(n) * static_cast<double>(n - 1));
  result.least = *std::min_element(nearest.begin(), nearest.end());
  for (double distance : nearest) result.nearest += distance / static_cast<double>(n);
  return result;
}

}  // namespace startle
