#pragma once
/// \file  Isolation forest: points that random cuts set apart early are outliers (Liu, Ting and Zhou 2008).
#include "core/random.hpp"
#include "statistics/density_estimator.hpp"

namespace startle {

struct IsolationForestOptions {
  int trees = 100;   ///< >= 1
  int sample = 256;  ///< observations a tree is grown of, drawn without replacement; all where there are
                     ///< fewer. >= 2
  std::uint64_t seed = 1;
};

/// Mean path of an unsuccessful search in a binary search tree of n points: c(1) = 0, c(2) = 1,
/// c(n) = 2 (log(n - 1) + 0.5772156649...) - 2 (n - 1)/n.
double average_path_length(std::size_t n);

/// One tree. Node 0 is the root.
struct IsolationTree {
  struct Node {
    std::size_t feature = 0;
    double threshold = 0;       ///< x[feature] <= threshold goes left
    int left = -1, right = -1;  ///< indices of nodes; -1 in leaves
    std::size_t count = 0;      ///< observations that reached the node
  };
  std::vector<Node> nodes;

  /// Cuts passed on the way to the point's leaf, plus average_path_length() of the observations there.
  double path_length(std::span<const double> point) const;
};

/// Cuts: a feature drawn evenly from those not constant in the node, a threshold even between its least and
/// greatest value there; until one observation is left, all are equal, or `depth` cuts are passed.
IsolationTree grow_isolation_tree(const Points& points, std::vector<std::size_t> sample, int depth,
                                  Random& random);

class IsolationForest : public DensityEstimator {
 public:
  explicit IsolationForest(const IsolationForestOptions& options = {});
  std::string name() const override { return "isolation-forest"; }
  /// Needs two points. Trees are ceil(log2(sample)) deep at most; each has its own stream of the seed.
  void fit(const Points& points) override;
  /// -2^(-mean path length/c(sample)), in (-1, 0); near -1 for outliers, about -0.5 where all points are
  /// alike. scikit-learn's score_samples.
  double score(std::span<const double> point) const override;

 private:
  IsolationForestOptions options_;
  std::vector<IsolationTree> trees_;
  std::size_t dimension_ = 0;
  double normal_path_ = 0;
};

}  // namespace startle
