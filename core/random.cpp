#include "core/random.hpp"

#include "core/hash.hpp"

namespace startle {
namespace {

/// Finalizer of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

std::uint64_t stream_seed(std::uint64_t seed, std::string_view name, std::uint64_t index) {
  Hash hash;
  hash.add(seed);
  hash.add(name);
  hash.add(index);
  return mixed(hash.value());
}

Random::Random(std::uint64_t seed) : state_(mixed(seed + 0x9e3779b97f4a7c15ULL)) {}

std::uint32_t Random::next() {
  const std::uint64_t old = state_;
  state_ = old * 6364136223846793005ULL + 1442695040888963407ULL;
  const auto shifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
  const auto turn = static_cast<std::uint32_t>(old >> 59);
  return (shifted >> turn) | (shifted << ((32 - turn) & 31));
}

double Random::uniform() {
  const std::uint64_t high = next() >> 5, low = next() >> 6;  // 27 + 26 bits
  return static_cast<double>((high << 26) | low) * 0x1p-53;
}

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

double Random::normal() {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform();
  return sum;
}

int Random::integer(int low, int high) {
  const auto range = static_cast<std::uint32_t>(high - low) + 1;
  if (range == 0) return static_cast<int>(next());
  const std::uint32_t reject_below = (0u - range) % range;
  for (;;) {
    const std::uint64_t product = static_cast<std::uint64_t>(next()) * range;
    if (static_cast<std::uint32_t>(product) >= reject_below) return low + static_cast<int>(product >> 32);
  }
}

std::size_t Random::weighted(const std::vector<double>& weights) {
  double sum = 0;
  for (double w : weights) sum += w;
  double left = uniform() * sum;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    if (left < weights[i]) break;
    left -= weights[i];
  }
  return last;
}

}  // namespace startle
