#pragma once
/// \file  Levels of a search have all numbers of birds, and of objects, about equally often.
#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <tuple>

#include "sim/level.hpp"

namespace startle {

/// Range of the number of birds in a level found by search. The number is drawn before anything is assessed
/// and never changed to reach a difficulty, since PID and BID divide by it.
inline constexpr int least_birds = 3, most_birds = 5;
/// Numbers of objects from which on a level belongs to the second third, and to the last one. Generators make
/// all three about equally often.
inline constexpr std::size_t object_thirds[] = {24, 30};
/// The third, from 0, that a level of so many objects belongs to.
std::size_t object_third(std::size_t objects);
/// Levels found so far by number of birds and by number of objects. A level is taken only where no other
/// number of birds, and no other third of objects, has fewer by more than one: whatever the difficulty asked
/// for, the levels of a search have all of them about equally often, and difficulty does not show by them.
class Balance {
 public:
  /// A family alone may make no level of some third: then objects are as they come.
  explicit Balance(bool of_objects) : of_objects_(of_objects) {}

  bool full(const Level& level) const {
    return full_of_birds(level.birds.size()) || (of_objects_ && surplus(objects_, objects_of(level)) > 1);
  }
  /// Whether levels of so many birds, least_birds to most_birds, are refused now.
  bool full_of_birds(std::size_t birds) const { return surplus(birds_, birds - least_birds) > 1; }
  void add(const Level& level) {
    ++birds_[birds_of(level)];
    ++objects_[objects_of(level)];
  }

 private:
  using Counts = std::array<int, 3>;
  static_assert(most_birds - least_birds + 1 == std::tuple_size_v<Counts> &&
                std::size(object_thirds) + 1 == std::tuple_size_v<Counts>);

  static int surplus(const Counts& counts, std::size_t place) {
    return counts[place] - *std::min_element(counts.begin(), counts.end());
  }
  static std::size_t birds_of(const Level& level) { return level.birds.size() - least_birds; }
  static std::size_t objects_of(const Level& level) { return object_third(level.objects.size()); }

  bool of_objects_;
  Counts birds_{}, objects_{};
};

}  // namespace startle
