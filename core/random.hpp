#pragma once
/// \file  Random numbers that are the same on every machine (std:: distributions are not).
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace startle {

/// Seed of an independent stream, for example stream_seed(seed, "levels/castle", index).
std::uint64_t stream_seed(std::uint64_t seed, std::string_view name, std::uint64_t index = 0);

/// PCG32 (O'Neill 2014, pcg-random.org): 64-bit state, 32-bit output.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint32_t next();
  /// Uniform in [0, 1), 53 bits.
  double uniform();
  double uniform(double low, double high);
  /// Uniform in [low, high], without bias (Lemire's rejection).
  int integer(int low, int high);
  /// Normal, mean 0, variance 1: the sum of twelve uniform numbers less 6 (kurtosis 2.9, never beyond 6).
  /// Additions alone, so that it too is the same on every machine.
  double normal();
  bool chance(double probability) { return uniform() < probability; }
  /// Index drawn in proportion to non-negative weights with a positive sum.
  std::size_t weighted(const std::vector<double>& weights);

  template <typename T>
  const T& choice(const std::vector<T>& items) {
    return items[static_cast<std::size_t>(integer(0, static_cast<int>(items.size()) - 1))];
  }
  /// Fisher-Yates.
  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[static_cast<std::size_t>(integer(0, static_cast<int>(i) - 1))]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace startle
