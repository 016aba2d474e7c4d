#include "statistics/adjusted_rand_index.hpp"

#include <array>
#include <map>
#include <utility>

#include "core/error.hpp"

namespace startle {
namespace {

double pairs(double count) { return count * (count - 1) / 2; }

}  // namespace

double adjusted_rand_index(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  if (a.size() != b.size())
    throw Error("adjusted Rand index: found " + std::to_string(a.size()) + " and " +
                std::to_string(b.size()) + " things, needed are equally many");
  std::map<std::pair<std::uint8_t, std::uint8_t>, double> both;
  std::array<double, 256> of_a{}, of_b{};
  for (std::size_t i = 0; i < a.size(); ++i) {
    both[{a[i], b[i]}] += 1;
    of_a[a[i]] += 1;
    of_b[b[i]] += 1;
  }
  double together = 0, in_a = 0, in_b = 0;
  for (const auto& [groups, count] : both) together += pairs(count);
  for (const double count : of_a) in_a += pairs(count);
  for (const double count : of_b) in_b += pairs(count);
  const double all = pairs(static_cast<double>(a.size())), expected = all > 0 ? in_a * in_b / all : 0,
               most = (in_a + in_b) / 2;
  return most == expected ? 1 : (together - expected) / (most - expected);
}

}  // namespace startle
