#pragma once
/// \file  Counts of right and wrong yes/no predictions, and the rates that come of them.
#include <cstddef>
#include <optional>

namespace startle {

/// Yes/no predictions against the truth.
struct BinaryCounts {
  std::size_t both = 0;            ///< true positives
  std::size_t predicted_only = 0;  ///< false positives
  std::size_t seen_only = 0;       ///< false negatives
  std::size_t neither = 0;         ///< true negatives

  void add(bool predicted, bool seen) {
    ++(predicted ? (seen ? both : predicted_only) : (seen ? seen_only : neither));
  }
  BinaryCounts& operator+=(const BinaryCounts& other);
  std::size_t count() const { return both + predicted_only + seen_only + neither; }
  friend bool operator==(const BinaryCounts&, const BinaryCounts&) = default;
};

/// Each is empty where its denominator is 0: nothing was predicted, seen, or counted.
std::optional<double> precision(const BinaryCounts& counts);
std::optional<double> recall(const BinaryCounts& counts);
/// Harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN).
std::optional<double> f1_score(const BinaryCounts& counts);
std::optional<double> accuracy(const BinaryCounts& counts);

}  // namespace startle
