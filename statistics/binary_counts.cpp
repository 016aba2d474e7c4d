#include "statistics/binary_counts.hpp"

namespace startle {
namespace {

std::optional<double> ratio(std::size_t part, std::size_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

BinaryCounts& BinaryCounts::operator+=(const BinaryCounts& other) {
  both += other.both;
  predicted_only += other.predicted_only;
  seen_only += other.seen_only;
  neither += other.neither;
  return *this;
}

std::optional<double> precision(const BinaryCounts& c) { return ratio(c.both, c.both + c.predicted_only); }
std::optional<double> recall(const BinaryCounts& c) { return ratio(c.both, c.both + c.seen_only); }
std::optional<double> f1_score(const BinaryCounts& c) {
  return ratio(2 * c.both, 2 * c.both + c.predicted_only + c.seen_only);
}
std::optional<double> accuracy(const BinaryCounts& c) { return ratio(c.both + c.neither, c.count()); }

}  // namespace startle
