#include "statistics/isolation_forest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/error.hpp"
#include "core/math.hpp"

namespace startle {

double average_path_length(std::size_t n) {
  if (n <= 1) return 0;
  if (n == 2) return 1;
  const double x = static_cast<double>(n);
  return 2 * (math::log(x - 1) + std::numbers::egamma) - 2 * (x - 1) / x;
}

double IsolationTree::path_length(std::span<const double> point) const {
  const Node* node = nodes.data();
  double cuts = 0;
  for (; node->left >= 0; ++cuts)
    node =
        &nodes[static_cast<std::size_t>(point[node->feature] <= node->threshold ? node->left : node->right)];
  return cuts + average_path_length(node->count);
}

IsolationTree grow_isolation_tree(const Points& points, std::vector<std::size_t> sample, int depth,
                                  Random& random) {
  IsolationTree tree;
  struct Part {
    std::size_t node, begin, end;
    int depth;
  };
  std::vector<Part> waiting{{0, 0, sample.size(), 0}};
  tree.nodes.push_back({.count = sample.size()});
  std::vector<std::size_t> features(points.dimension);
  std::iota(features.begin(), features.end(), std::size_t{0});
  while (!waiting.empty()) {
    const Part part = waiting.back();
    waiting.pop_back();
    if (part.depth == depth || part.end - part.begin < 2) continue;
    const auto begin = sample.begin() + static_cast<std::ptrdiff_t>(part.begin),
               end = sample.begin() + static_cast<std::ptrdiff_t>(part.end);
    // Features are drawn without replacement until one varies: an even draw from those that do.
    double low = 0, high = 0;
    std::size_t feature = 0;
    for (std::size_t left = features.size(); left > 0 && low == high; --left) {
      std::swap(features[left - 1],
                features[static_cast<std::size_t>(random.integer(0, static_cast<int>(left) - 1))]);
      feature = features[left - 1];
      const auto less = [&](std::size_t a, std::size_t b) { return points[a][feature] < points[b][feature]; };
      const auto [least, greatest] = std::minmax_element(begin, end, less);
      low = points[*least][feature];
      high = points[*greatest][feature];
    }
    if (low == high) continue;
    double threshold = random.uniform(low, high);
    if (threshold >= high) threshold = low;  // by rounding; right would be empty
    const auto middle = std::partition(begin, end,
                                       [&](std::size_t i) { return points[i][feature] <= threshold; });
    const std::size_t split = static_cast<std::size_t>(middle - sample.begin());
    const std::size_t child = tree.nodes.size();
    tree.nodes.push_back({.count = split - part.begin});
    tree.nodes.push_back({.count = part.end - split});
    IsolationTree::Node& node = tree.nodes[part.node];
    node.feature = feature;
    node.threshold = threshold;
    node.left = static_cast<int>(child);
    node.right = static_cast<int>(child + 1);
    waiting.push_back({child + 1, split, part.end, part.depth + 1});
    waiting.push_back({child, part.begin, split, part.depth + 1});
  }
  return tree;
}

IsolationForest::IsolationForest(const IsolationForestOptions& options) : options_(options) {
  if (options.trees < 1)
    throw Error("isolation forest: found " + std::to_string(options.trees) + " trees, allowed are 1 or more");
  if (options.sample < 2)
    throw Error("isolation forest: found sample " + std::to_string(options.sample) +
                ", allowed are 2 or more");
}

void IsolationForest::fit(const Points& points) {
  check_points(name(), points, 2);
  const std::size_t size = std::min(static_cast<std::size_t>(options_.sample), points.count());
  const int depth = std::bit_width(size - 1);  // log2(size), rounded up
  std::vector<std::size_t> all(points.count());
  std::iota(all.begin(), all.end(), std::size_t{0});
  trees_.clear();
  for (int t = 0; t < options_.trees; ++t) {
    Random random(stream_seed(options_.seed, "isolation_forest", static_cast<std::uint64_t>(t)));
    std::vector<std::size_t> sample = all;
    random.shuffle(sample);
    sample.resize(size);
    trees_.push_back(grow_isolation_tree(points, std::move(sample), depth, random));
  }
  dimension_ = points.dimension;
  normal_path_ = average_path_length(size);
}

double IsolationForest::score(std::span<const double> point) const {
  check_point(name(), point, dimension_);
  double sum = 0;
  for (const IsolationTree& tree : trees_) sum += tree.path_length(point);
  return -math::exp(-std::numbers::ln2 * sum / (static_cast<double>(trees_.size()) * normal_path_));
}

}  // namespace startle
